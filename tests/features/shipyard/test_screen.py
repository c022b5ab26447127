"""Ships of all navies on the screen, and the shipyard: search, entry, copies, own values, joining."""

import pytest
from textual import events

from qf_tui.console.widgets.fields import EditedText
from qf_tui.core.ship_facts import ShipFacts, collect_values
from qf_tui.features.shipyard.own_ships import save_ships
from qf_tui.features.shipyard.screen import ORDER, ShipsScreen, Shipyard
from qf_tui.library.csv_rows import OWN_COLUMNS
from qf_tui.library.navies import find_own_navy, load_register, read_own_ships
from qf_tui.library.paths import find_own_folder
from qf_tui.library.ratings import rate_ship
from tests.console.playing import (
    HOSTILE,
    SMALL_FIRST,
    Size,
    Table,
    begin_gunnery,
    list_keys,
    play,
    with_console,
)
from tests.features.shipyard.springsharp_texts import VERSION_2
from tests.features.shipyard.test_own_ships import WREN
from tests.journal.limits import limit_file_size

pytestmark = pytest.mark.usefixtures("home")


def find_kept(name: str, navy: str = "Japan") -> ShipFacts:
    return next(ship for ship in read_own_ships(navy) if ship.name == name)


def read_words(table: Table) -> str:
    """Return the screen's text without the line between its panes and with single spaces."""
    return " ".join(table.text().replace("▏", " ").split())


@with_console(size=(120, 40))
async def test_a_ship_is_found_by_letters_and_shown_with_facts_and_values(table: Table) -> None:
    await table.press("f7")
    assert isinstance(table.top, ShipsScreen)
    ships = len({ship.row_name for ship in load_register().ships})
    assert f"{ships:,} ships of 21 navies" in table.text(), "a refit is no ship more"
    await table.write("hms mikassa")
    assert "4x12in/40 (4 bear), barbettes" in table.text()
    assert "gunnery.heavy 20" in read_words(table)
    assert "small: 6 3pdr" in table.text(), "what sources say otherwise"
    await table.press("right")
    assert "General Quarters 2" in table.text()
    await table.press("left", "escape", *list_keys("russia_battle_1904".replace("_", " ")))
    assert {ship.navy for ship in table.top.ships.values()} == {"Russia"}
    await table.press("enter")
    assert "Quickfire-Clone" not in table.text()
    await table.type("pagedown pagedown pagedown pagedown pagedown")
    assert "sources" in table.text()
    await table.type("escape escape escape")
    assert not isinstance(table.top, ShipsScreen)


@with_console(size=(120, 40))
async def test_a_list_of_a_day_marks_old_ships_whose_end_of_service_is_unknown(table: Table) -> None:
    await table.press("f7")
    await table.write("japan battleship 1904-05-14")
    assert "Hatsuse 1901" in read_words(table)
    assert "?" not in read_words(table)
    await table.press("escape")
    await table.write("minin 1904-05-14")
    assert "Minin ? 1878" in read_words(table)
    table.expect("of 1 navy", "? end not known, and launched 15 years before or more")
    await table.press("escape")
    await table.write("minin")
    assert "Minin ?" not in read_words(table)


FROM_MEMORY = (
    "f7 f2 j enter Satsuma enter b enter 05 enter 10 enter 19372 enter 18.25 enter 4x12/45+12x10/45 enter t"
    " enter enter 12x4.7/40 enter s enter enter 8 enter k enter 9 enter 4 enter 7 enter 9 enter enter 2 enter"
    " enter 10 enter 5 enter 18 f6"
)
"""Keys that enter a battleship from memory, from the first screen to the kept row."""


@with_console(size=(120, 40))
async def test_a_letter_lays_out_the_list_again_only_if_its_scroll_bar_goes(table: Table) -> None:
    """Guard against a second drawing for each letter: a whole layout, then the list."""
    await table.press("f7")
    laid_out: list[object] = []
    table.top.screen_layout_refresh_signal.subscribe(table.top, laid_out.append, immediate=True)
    await table.press("m")
    assert table.top.picks.show_vertical_scrollbar
    assert not laid_out
    await table.press(*"ikasa")
    assert not table.top.picks.show_vertical_scrollbar
    assert laid_out


@with_console(size=(80, 24))
async def test_a_ship_from_memory_is_entered_in_ninety_keys(table: Table) -> None:
    await table.type(FROM_MEMORY)
    assert table.pressed <= 90
    assert isinstance(table.top, ShipsScreen)
    assert "Satsuma is saved among your own ships" in table.text()
    assert table.top.ship_under_cursor is not None
    assert table.top.ship_under_cursor.name == "Satsuma"
    ship = find_kept("Satsuma")
    assert (ship.navy, ship.kind, ship.launched, ship.completed) == ("Japan", "battleship", 1905, 1910)
    assert [guns.bearing for guns in (*ship.heavy, *ship.light)] == [4, 6, 6]
    assert (ship.plate, int(ship.belt), ship.tubes, ship.tube_size_in) == ("Krupp", 9, 5, (18,))


@with_console(size=(80, 24))
async def test_a_sister_is_copied_and_changed_in_forty_keys(table: Table) -> None:
    await table.press("f7")
    await table.type("katori f3")
    assert str(table.top.query_one("#right-pane").styles.width) == "44", "the values have the larger half"
    await table.type("Kurama enter down 07 enter enter 16200 enter 19 f6")
    assert table.pressed <= 40
    assert isinstance(table.top, ShipsScreen)
    (katori,) = (ship for ship in load_register(["japan"]).find_ships(["katori"]) if ship.id == "katori")
    ship = find_kept("Kurama")
    assert (ship.id, ship.launched, ship.tons, int(ship.knots)) == ("kurama", 1907, 16200, 19)
    assert (ship.heavy, ship.belt, ship.ship_class) == (katori.heavy, katori.belt, katori.ship_class)


@with_console(size=(160, 50))
async def test_values_are_live_and_own_values_are_kept_for_each_system(table: Table) -> None:
    await table.type("f7 canopus f4 down down down down down down")
    assert "5/3 x 1 (4 bear) x 12 x (1/2 + 35/80)" in read_words(table)
    await table.write("4x10/40")
    assert "gunnery.heavy 17 5/3 x 1 (4 bear) x 10 x (1/2 + 40/80)" in read_words(table)
    assert "heavy_bear 4 (assumed)" in read_words(table)
    await table.type("f4 down down 24")
    assert "* gunnery.heavy 24" in read_words(table)
    await table.type("down f2 f4 f6")
    await table.press("right", "left")
    assert "* gunnery.heavy 24 set by hand; worked out 17" in read_words(table)
    assert [str(one) for one in find_kept("Canopus", "Britain").by_hand] == [
        "advanced-quickfire gunnery.heavy=24"
    ]


@with_console()
async def test_a_changed_shipped_ship_is_the_users_own_until_deleted(table: Table) -> None:
    await table.type("f7 mikasa f8")
    assert "only your own rows" in table.text()
    await table.type("f4 down down down down 15200 f6")
    await table.write("mikasa")
    table.expect("* yours", "15,200")
    await table.type("f8 enter")
    assert "deleted from japan.csv" in table.text()
    assert "* yours" not in table.text()
    assert read_own_ships("Japan") == ()


@with_console()
async def test_a_pasted_springsharp_report_fills_the_form(table: Table) -> None:
    await table.type("f7 f2")
    table.app.post_message(events.Paste(VERSION_2))
    await table.press("right")
    assert "gunnery.heavy" in table.text()
    await table.press("f6")
    assert isinstance(table.top, ShipsScreen), table.text()
    (path,) = find_own_folder("navies").glob("*.csv")
    assert [ship.sources for ship in read_own_ships(path.stem)] == [("a Springsharp report",)]


@with_console()
async def test_a_missing_or_wrong_fact_is_reported_and_gets_the_cursor(table: Table) -> None:
    await table.type("f7 jap f2 Wren enter f6")
    assert "✗ kind, launched, completed, tons, knots: needed" in table.text()
    assert table.top.facts.key == "kind"
    await table.type("z")
    assert "✗ kind: expected battleship" in table.text()
    await table.type("backspace g enter up")
    assert table.top.line.text == "gunboat", "what was taken for is what is mended"
    await table.type("enter 90 enter enter 800 enter 13 down")
    await table.type("many enter")
    assert "✗ heavy" in table.text()
    await table.press("f6")
    assert isinstance(table.top, Shipyard)
    assert not find_own_navy("japan").exists()


@with_console()
async def test_contradictory_facts_are_pointed_out_and_kept(table: Table) -> None:
    await table.type("f7 jap f2 Wren enter b enter 90 enter enter 9000 enter 40 enter 12x6/40 enter enter 13")
    assert "odd: 12x6in/40: 13 bear of 12" in read_words(table)
    assert "odd: 40 knots" in read_words(table)
    await table.press("f6")
    assert "odd 40 knots" in read_words(table)
    assert find_kept("Wren").knots == 40


def test_a_new_navy_a_replaced_ship_and_an_unsaved_one_need_a_yes() -> None:
    save_ships("Ruritania", [WREN])

    async def steps(table: Table) -> None:
        await table.type("f7 wren f2 up rur")
        assert "→ Ruritania" in table.text()
        await table.type("enter Wren enter g enter 90 enter 91 enter 700 enter 12 f6")
        assert "Replace her?" in table.text()
        await table.press("escape", "escape")
        assert "Leave the ship?" in table.text()
        await table.type("escape f6 enter")
        assert isinstance(table.top, ShipsScreen)
        await table.type("f2 up Graustark enter Owl enter g enter 90 enter 91 enter 700 enter 12 f6")

    play(None, steps)
    assert [ship.tons for ship in read_own_ships("Ruritania")] == [700]
    assert [ship.name for ship in read_own_ships("Graustark")] == ["Owl"]


@with_console()
async def test_a_ship_stays_in_the_form_if_the_disk_is_full(table: Table) -> None:
    await table.type("f7 jap f2 Wren enter g enter 90 enter enter 800 enter 13")
    with limit_file_size(20):
        await table.press("f6")
    assert "cannot be written: File too large" in read_words(table)
    await table.press("f6")
    assert isinstance(table.top, ShipsScreen)
    assert find_kept("Wren").tons == 800


@with_console(begin_gunnery)
async def test_a_new_ship_can_join_the_battle_at_once(table: Table) -> None:
    await table.type("f4 ships enter")
    assert isinstance(table.top, ShipsScreen)
    await table.type("katori f3 Kurama enter f6 f6")
    assert f"join {table.ship.side} kurama" in table.text()
    await table.press("enter")
    worked = collect_values(rate_ship(table.session.system, find_kept("Kurama")))
    assert worked
    assert worked.items() <= {**table.battle.ships["kurama"].card, "kind": "battleship"}.items()
    assert "Kurama" in table.text()


@pytest.mark.parametrize("size", SMALL_FIRST, ids=str)
def test_hostile_names_are_shown_verbatim_and_cut_with_a_sign(size: Size) -> None:
    rows = [{**WREN, "id": id, "name": name, "note": f"{name} " * 20} for id, name in HOSTILE.items()]
    save_ships("Ruritania", rows)
    find_own_navy("graustark").write_text("id,name\n")

    async def steps(table: Table) -> None:
        await table.press("f7", "end")
        assert "✗" in table.text(), "the file with faults"
        await table.write("rurit")
        for name in HOSTILE.values():
            assert name[:20] in table.text()
            assert name in table.text() or "…" in table.text()
            await table.press("f4")
            assert isinstance(table.top, Shipyard)
            await table.type("f4 f4 down up right left escape enter escape down")

    play(None, steps, size)


@with_console()
async def test_a_click_moves_the_focus_to_a_pane(table: Table) -> None:
    await table.type("f7 canopus f4")
    await table.pilot.click("#values", offset=(5, 0))
    await table.pilot.pause()
    await table.write("x")
    assert table.top.draft.by_hand[0].text == "x"
    await table.pilot.click("#facts", offset=(5, 2))
    await table.pilot.pause()
    await table.write("Wren")
    assert table.top.draft.find_text("name") == "Wren"


def test_every_column_is_a_field_of_the_form() -> None:
    assert set(ORDER) - {"navy"} == {column.heading for column in OWN_COLUMNS} - {"by_hand"}
    assert len(set(ORDER)) == len(ORDER)


def test_a_line_is_replaced_or_edited() -> None:
    line = EditedText.begin("4x12in")
    assert line.insert("6").insert("x").text == "6x"
    assert line.backspace().text == ""
    assert line.move(-2).insert("½").text == "4x12½in"
    assert line.move(1).backspace().text == "4x12i"
    assert line.move(-9).backspace().text == "4x12in"
    assert [EditedText("abcdefgh", at, False).render(5).plain for at in (0, 4, 8)] == [
        "▏abc…",
        "…cd▏…",
        "…fgh▏",
    ]
