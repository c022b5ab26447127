"""Ships of all navies on the screen, and the shipyard: found, entered, copied, set by hand, kept, joined."""

import pytest
from textual import events

from qf_tui.console.setup.ship_form import ORDER, EditedText
from qf_tui.console.setup.shipyard import ShipsScreen, Shipyard
from qf_tui.core.ship_facts import ShipFacts
from qf_tui.library.navies import OWN_COLUMNS, own_navy, own_ships, register, save_ships
from qf_tui.library.paths import own
from qf_tui.library.rated_cards import rated
from tests.console.playing import HOSTILE, SMALL_FIRST, Table, gunnery, keys_of, play
from tests.journal.limits import grown_at_most
from tests.library.springsharp_texts import VERSION_2
from tests.library.test_own_ships import WREN

pytestmark = pytest.mark.usefixtures("home")


async def typed(table: Table, keys: str) -> int:
    """Types letters and named keys at once, `kii Enter b Enter`, and gives how many keys that was."""
    pressed: list[str] = []
    for word in keys.split(" "):
        if word in ("enter", "down", "up", "tab", "escape", "left", "right", "backspace") or word[0] == "F":
            pressed.append(word.lower())
        else:
            pressed += keys_of(word.replace("_", " "))
    await table.press(*pressed)
    return len(pressed)


def kept(name: str, navy: str = "Japan") -> ShipFacts:
    return next(ship for ship in own_ships(navy) if ship.name == name)


def shown(table: Table) -> str:
    """The screen without the line between its panes and without runs of spaces."""
    return " ".join(table.text().replace("▏", " ").split())


def test_a_ship_is_found_by_letters_with_her_facts_and_values() -> None:
    async def steps(table: Table) -> None:
        await table.press("f7")
        assert isinstance(table.top, ShipsScreen)
        count = sum(1 for _ in register().ships)
        assert f"{count:,} of 21 navies" in table.text()
        await table.write("hms mikassa")
        assert "4x12in/40 (4 bear), barbettes" in table.text()
        assert "gunnery.heavy 20" in shown(table)
        assert "small: 6 3pdr" in table.text(), "what sources say otherwise"
        await table.press("right")
        assert "General Quarters 2" in table.text()
        await table.press("left", "escape", *keys_of("russia_battle_1904".replace("_", " ")))
        assert {ship.navy for ship in table.top.ships.values()} == {"Russia"}
        await table.press("enter")
        assert "Quickfire-Clone" not in table.text()
        await table.press("pagedown", "pagedown", "pagedown", "pagedown", "pagedown")
        assert "sources" in table.text()
        await table.press("escape", "escape", "escape")
        assert not isinstance(table.top, ShipsScreen)

    play(None, steps, (120, 40))


FROM_MEMORY = (
    "F7 F2 j enter Satsuma enter b enter 05 enter 10 enter 19372 enter 18.25 enter 4x12/45+12x10/45 enter t"
    " enter enter 12x4.7/40 enter s enter enter 8 enter k enter 9 enter 4 enter 7 enter 9 enter enter 2 enter"
    " enter 10 enter 5 enter 18 F6"
)
"""Facts of a battleship as they come to mind, from the first screen to the row that is kept."""


def test_a_ship_from_memory_is_entered_in_ninety_keys() -> None:
    async def steps(table: Table) -> None:
        assert await typed(table, FROM_MEMORY) <= 90
        assert isinstance(table.top, ShipsScreen)
        assert "Satsuma is kept among your own ships" in table.text()
        assert table.top.under is not None
        assert table.top.under.name == "Satsuma"

    play(None, steps, (80, 24))
    ship = kept("Satsuma")
    assert (ship.navy, ship.kind, ship.launched, ship.completed) == ("Japan", "battleship", 1905, 1910)
    assert [guns.bearing for guns in (*ship.heavy, *ship.light)] == [4, 6, 6]
    assert (ship.plate, int(ship.belt), ship.tubes, ship.tube_size_in) == ("Krupp", 9, 5, (18,))


def test_a_sister_is_copied_and_changed_in_forty_keys() -> None:
    async def steps(table: Table) -> None:
        await table.press("f7")
        assert await typed(table, "katori F3 Kurama enter down 07 enter enter 16200 enter 19 F6") <= 40
        assert isinstance(table.top, ShipsScreen)

    play(None, steps, (80, 24))
    (katori,) = (ship for ship in register(["japan"]).found(["katori"]) if ship.id == "katori")
    ship = kept("Kurama")
    assert (ship.id, ship.launched, ship.tons, int(ship.knots)) == ("kurama", 1907, 16200, 19)
    assert (ship.heavy, ship.belt, ship.ship_class) == (katori.heavy, katori.belt, katori.ship_class)


def test_values_are_live_and_those_set_by_hand_are_kept_a_system() -> None:
    async def steps(table: Table) -> None:
        await typed(table, "F7 canopus F4 down down down down down down")
        assert "5/3 x 1 (4 bear) x 12 x (1/2 + 35/80)" in shown(table)
        await table.write("4x10/40")
        assert "gunnery.heavy 17 5/3 x 1 (4 bear) x 10 x (1/2 + 40/80)" in shown(table)
        assert "heavy_bear 4 (assumed)" in shown(table)
        await typed(table, "F4 down down 24")
        assert "* gunnery.heavy 24" in shown(table)
        await typed(table, "down F2 F4 F6")
        await table.press("right", "left")
        assert "* gunnery.heavy 24 set by hand; worked out 17" in shown(table)

    play(None, steps, (160, 50))
    assert [str(one) for one in kept("Canopus", "Britain").by_hand] == ["advanced-quickfire gunnery.heavy=24"]


def test_one_of_ours_that_is_changed_is_the_users_own_until_he_deletes_it() -> None:
    async def steps(table: Table) -> None:
        await typed(table, "F7 mikasa F8")
        assert "ours cannot be deleted" in table.text()
        await typed(table, "F4 down down down down 15200 F6")
        await table.write("mikasa")
        assert "* yours" in table.text()
        assert "15,200" in table.text()
        await typed(table, "F8 enter")
        assert "deleted from japan.csv" in table.text()
        assert "* yours" not in table.text()

    play(None, steps)
    assert own_ships("Japan") == ()


def test_a_springsharp_report_that_is_pasted_fills_the_form() -> None:
    async def steps(table: Table) -> None:
        await typed(table, "F7 F2")
        table.app.post_message(events.Paste(VERSION_2))
        await table.press("right")
        assert "gunnery.heavy" in table.text()
        await table.press("f6")
        assert isinstance(table.top, ShipsScreen), table.text()

    play(None, steps)
    (path,) = own("navies").glob("*.csv")
    assert [ship.sources for ship in own_ships(path.stem)] == [("a Springsharp report",)]


def test_what_is_missing_or_wrong_is_told_and_the_cursor_goes_there() -> None:
    async def steps(table: Table) -> None:
        await typed(table, "F7 jap F2 Wren enter F6")
        assert "✗ kind, launched, completed, tons, knots: needed" in table.text()
        assert table.top.facts.key == "kind"
        await typed(table, "z")
        assert "✗ kind: expected battleship" in table.text()
        await typed(table, "backspace g enter up")
        assert table.top.line.text == "gunboat", "what was taken for is what is mended"
        await typed(table, "enter 90 enter enter 800 enter 13 down")
        await table.press(*keys_of("many"), "enter")
        assert "✗ heavy" in table.text()
        await table.press("f6")
        assert isinstance(table.top, Shipyard)

    play(None, steps)
    assert not own_navy("japan").exists()


def test_what_contradicts_itself_is_pointed_out_and_kept() -> None:
    async def steps(table: Table) -> None:
        await typed(
            table, "F7 jap F2 Wren enter b enter 90 enter enter 9000 enter 40 enter 12x6/40 enter enter 13"
        )
        assert "odd: 12x6in/40: 13 bear of 12" in shown(table)
        assert "odd: 40 knots" in shown(table)
        await table.press("f6")
        assert "odd 40 knots" in shown(table)

    play(None, steps)
    assert kept("Wren").knots == 40


def test_a_new_navy_a_double_and_what_is_not_kept_are_asked_for() -> None:
    save_ships("Ruritania", [WREN])

    async def steps(table: Table) -> None:
        await typed(table, "F7 wren F2 up rur")
        assert "→ Ruritania" in table.text()
        await typed(table, "enter Wren enter g enter 90 enter 91 enter 700 enter 12 F6")
        assert "Take her place?" in table.text()
        await table.press("escape", "escape")
        assert "Leave the ship?" in table.text()
        await typed(table, "escape F6 enter")
        assert isinstance(table.top, ShipsScreen)
        await typed(table, "F2 up Graustark enter Owl enter g enter 90 enter 91 enter 700 enter 12 F6")

    play(None, steps)
    assert [ship.tons for ship in own_ships("Ruritania")] == [700]
    assert [ship.name for ship in own_ships("Graustark")] == ["Owl"]


def test_a_ship_for_which_there_is_no_room_stays_in_the_form() -> None:
    async def steps(table: Table) -> None:
        await typed(table, "F7 jap F2 Wren enter g enter 90 enter enter 800 enter 13")
        with grown_at_most(20):
            await table.press("f6")
        assert "cannot be written: File too large" in shown(table)
        await table.press("f6")
        assert isinstance(table.top, ShipsScreen)

    play(None, steps)
    assert kept("Wren").tons == 800


def test_a_ship_that_was_just_entered_joins_the_battle() -> None:
    async def steps(table: Table) -> None:
        await table.press("f4", *keys_of("ships"), "enter")
        assert isinstance(table.top, ShipsScreen)
        await typed(table, "katori F3 Kurama enter F6 F6")
        assert f"join {table.ship.side} kurama" in table.text()
        await table.press("enter")
        worked = rated(table.session.system, kept("Kurama"))
        assert worked is not None
        assert worked.card.items() <= {**table.battle.ships["kurama"].card, "kind": "battleship"}.items()
        assert "Kurama" in table.text()

    play(gunnery(), steps)


@pytest.mark.parametrize("size", SMALL_FIRST, ids=str)
def test_hostile_names_are_shown_as_they_are_and_cut_with_a_sign(size: tuple[int, int]) -> None:
    rows = [{**WREN, "id": id, "name": name, "note": f"{name} " * 20} for id, name in HOSTILE.items()]
    save_ships("Ruritania", rows)
    own_navy("graustark").write_text("id,name\n")

    async def steps(table: Table) -> None:
        await table.press("f7", "end")
        assert "✗" in table.text(), "the file with faults"
        await table.write("rurit")
        for name in HOSTILE.values():
            assert name[:20] in table.text()
            assert name in table.text() or "…" in table.text()
            await table.press("f4")
            assert isinstance(table.top, Shipyard)
            await table.press("f4", "f4", "down", "up", "right", "left", "escape", "enter", "escape", "down")

    play(None, steps, size)


def test_a_click_takes_the_keyboard_to_a_pane() -> None:
    async def steps(table: Table) -> None:
        await typed(table, "F7 canopus F4")
        await table.pilot.click("#values", offset=(5, 0))
        await table.pilot.pause()
        await table.write("x")
        assert table.top.draft.by_hand[0].text == "x"
        await table.pilot.click("#facts", offset=(5, 2))
        await table.pilot.pause()
        await table.write("Wren")
        assert table.top.draft.text("name") == "Wren"

    play(None, steps)


def test_every_column_is_a_field_of_the_form() -> None:
    assert set(ORDER) - {"navy"} == {column.heading for column in OWN_COLUMNS} - {"by_hand"}
    assert len(set(ORDER)) == len(ORDER)


def test_a_line_is_written_anew_or_mended() -> None:
    line = EditedText.of("4x12in")
    assert line.typed("6").typed("x").text == "6x"
    assert line.rubbed().text == ""
    assert line.moved(-2).typed("½").text == "4x12½in"
    assert line.moved(1).rubbed().text == "4x12i"
    assert line.moved(-9).rubbed().text == "4x12in"
    assert [EditedText("abcdefgh", at, False).drawn(5).plain for at in (0, 4, 8)] == [
        "▏abc…",
        "…cd▏…",
        "…fgh▏",
    ]
