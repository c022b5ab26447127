"""A battle set up by keys and by mouse, and begun."""

from pathlib import Path

import pytest

from qf_tui.core.errors import QfError
from qf_tui.features.editor.drafts import Draft, DraftPlace, load_draft_fleets
from qf_tui.features.editor.screen import SetupScreen, build_order_lines
from qf_tui.features.editor.start import find_part
from qf_tui.features.editor.table import with_system
from qf_tui.features.editor.writers import read_draft
from qf_tui.library.declared import FleetShip, FleetSource
from qf_tui.library.paths import find_own_folder, read_toml
from qf_tui.library.scenarios import find_scenario, load_scenario
from qf_tui.library.systems import find_systems
from qf_tui.session.opening import open_target
from tests.console.playing import (
    ENDS,
    LONG,
    SMALL_FIRST,
    Size,
    Table,
    compare,
    list_keys,
    play,
    with_console,
    write_hostile_scenario,
)
from tests.console.test_start import write_save
from tests.systems import find_our_systems

pytestmark = pytest.mark.usefixtures("home")

SIX = ("f2", "f3", *"mik", "enter", *"asahi", "enter", *"fuj", "enter", "right")
SIX = (*SIX, *"tse", "enter", *"ret", "enter", *"polt", "enter")


def find_setup(table: Table) -> SetupScreen:
    return next(screen for screen in table.app.screen_stack if isinstance(screen, SetupScreen))


def find_draft(table: Table) -> Draft:
    return find_setup(table).setup.draft


def find_begun(table: Table) -> Draft | None:
    part = find_part(table.app.screen)
    assert part is not None
    return part.draft


async def choose_system(table: Table, name: str) -> None:
    """Turn the rule system until it has this name."""
    while find_draft(table).ruleset != name:
        await table.press("enter")


def list_names(side: int, made: Draft) -> list[str]:
    return [berth.ship for berth in made.sides[side].ships]


def test_a_fleet_named_like_a_navy_in_a_year_has_its_own_lines() -> None:
    """Guard against a cursor that moves to another ship because both have the same text."""
    system = next(iter(find_our_systems().values()))
    made = Draft.begin(system)
    for source in (FleetSource("japan 1904"), FleetSource("japan", 1904)):
        made = made.put_ship(FleetShip(source, "mikasa"), DraftPlace())
    keys = [line.key for line in build_order_lines(made, load_draft_fleets(system, made), DraftPlace())]
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize("size", SMALL_FIRST)
@with_console()
async def test_three_a_side_are_set_up_in_thirty_odd_keys(table: Table, home: Path, size: Size) -> None:
    await table.press(*SIX)
    assert list_names(0, find_draft(table)) == ["mikasa", "asahi", "fuji"]
    assert "Tsesarevich" in table.text()
    await table.press("f6")
    assert table.pressed <= 36
    assert [ship.name for ship in table.battle.ships.values()][::5] == ["Mikasa", "Poltava"]
    assert "NOT SAVED" not in table.text()
    await table.type("n enter fhtse space l4 space 8 enter")
    assert table.list_orders()[-1] == "fire mikasa heavy tsesarevich long"
    table.session.close()
    assert load_scenario("my-battle", find_systems())[1].table["title"] == "My battle"
    assert (home / "saves" / "my-battle-1.qfb").is_file()


def test_the_saved_scenario_and_the_save_are_offered_next_time() -> None:
    async def begin(table: Table) -> None:
        await table.press(*SIX, "f6")
        table.session.close()

    async def continue_battle(table: Table) -> None:
        text = table.text()
        assert text.count("   My battle ") == 1
        assert "▸ My battle " in text
        await table.press("enter")
        assert len(table.battle.ships) == 6
        table.session.close()

    play(None, begin)
    play(None, continue_battle)


@with_console()
async def test_the_table_and_its_switches_are_changed_in_place(table: Table) -> None:
    await table.type("f2 down enter Round_Island enter down enter down right down enter down space")
    made = find_draft(table)
    system = find_systems()[made.ruleset]
    assert made.title == "Round Island"
    assert made.table["scale"] != "medium"
    assert (made.table["units"], made.table["dice"], made.table["strict"]) == ("metric", "console", True)
    switch = system.options[0]
    find_setup(table).picks.go(
        next(at for at, one in enumerate(find_setup(table).picks.lines) if switch.name in str(one.key))
    )
    await table.press("enter")
    assert find_draft(table).options == {switch.name: switch.values[1]}
    assert switch.clause in table.text()
    await table.press("left")
    assert find_draft(table).options == {}


@with_console()
async def test_sides_and_divisions_are_named_added_and_removed(table: Table) -> None:
    await table.press(*SIX)
    await table.type("f4 enter Russia enter p Anna enter d van enter f3 seva enter f4 s enter")
    made = find_draft(table)
    assert [side.name for side in made.sides] == ["Blue", "Russia", "Red"]
    assert [(one.name, one.player, len(one.ships)) for one in made.sides[1].divisions] == [
        ("", "Anna", 3),
        ("van", "", 1),
    ]
    await table.press("x")
    assert len(find_draft(table).sides) == 2
    await table.press("home", "x")
    assert "at least two sides" in table.text()
    await table.type("down down x")
    assert list_names(0, find_draft(table)) == ["asahi", "fuji"]
    await table.press("up", "x")
    assert "The division has 2 ships" in table.text()
    await table.press("escape")
    assert len(find_draft(table).ships) == 6


@with_console()
async def test_the_cursor_stays_on_the_line_that_was_named(table: Table) -> None:
    """Guard against a cursor that jumps to the division, so that the next Enter names another line."""
    await table.press("f2", "f4")
    order = find_setup(table).order
    for keys in ("enter Japan enter", "p Anna enter", "d van enter", "p Togo enter", "enter first enter"):
        under = order.order_key
        await table.type(keys)
        assert order.order_key == under or keys.startswith("d ")
    await table.type("home enter Nippon enter")
    side = find_draft(table).sides[0]
    assert side.name == "Nippon"
    assert [(one.name, one.player) for one in side.divisions] == [("", "Anna"), ("first", "Togo")]


@with_console()
async def test_a_name_typed_without_a_dialog_changes_nothing_silently(table: Table) -> None:
    """Guard against letters of a name that add a side, or remove a ship silently."""
    await table.press(*SIX, "f4")
    before = find_draft(table)
    await table.type("Sas")
    assert "The new side's name" in table.text()
    await table.press("escape", "backspace")
    assert find_draft(table) == before
    await table.press("a")
    assert "no field is open: Enter opens the one under the cursor" in table.text()
    await table.press("end", "x")
    assert "Poltava is taken off" in table.text()
    await table.press("home")
    assert "taken off" not in table.text()
    await table.press("f2", "z")
    assert "no field is open: Enter opens" in table.text()


@with_console()
async def test_the_same_key_puts_a_ship_in_and_removes_it(table: Table) -> None:
    await table.type("f2 f3 battleship_japan enter down enter down enter")
    assert len(find_draft(table).ships) == 3
    await table.press("enter")
    assert len(find_draft(table).ships) == 2
    await table.press("backspace")
    assert find_setup(table).catalogue.letters.text == ""


@with_console()
async def test_a_fault_is_shown_at_its_place_and_nothing_is_lost(table: Table, home: Path) -> None:
    def is_shown(what: str) -> bool:
        order = find_setup(table).order
        return what in table.text() and order.has_focus and order.order_key.whole_side

    await table.press("f2", "f6")
    assert is_shown("has no ships")
    await table.type("f4 enter Blue,_division_one enter f6")
    assert is_shown("side 1 (Blue, division one)")
    await table.press(
        "f4", "enter", *list_keys("Blue"), "enter", *SIX[1:], "f4", "enter", *"blue", "enter", "f6"
    )
    assert is_shown("another side already has the id")
    assert not (home / "scenarios").exists()


@with_console()
async def test_escape_keeps_the_set_up(table: Table) -> None:
    await table.press("f2", "escape")
    assert find_begun(table) is None, "an empty set-up is left without a word"
    assert "Continue setting up" not in table.text()
    await table.press(*SIX, "escape", "escape")
    assert "Continue setting up “My battle”" in table.text()
    await table.type("tab tab down")
    assert "▸ A battle of your own" in table.text()
    await table.press("enter")
    assert "Drop what you were setting up?" in table.text()
    await table.press("enter", "escape")
    assert find_begun(table) is not None
    await table.press("f10")
    assert "would be lost" in table.text()
    await table.press("escape")
    assert find_begun(table) is not None
    await table.press("f2")
    assert len(find_draft(table).ships) == 6
    await table.press("f6")
    assert find_begun(table) is None
    table.session.close()


@with_console()
async def test_a_ship_is_put_on_a_second_side_only_after_a_yes(table: Table) -> None:
    await table.type("f2 f3 mik enter right enter")
    assert "Mikasa is already on Blue" in table.text()
    await table.press("escape")
    assert len(find_draft(table).ships) == 1
    await table.type("enter enter f6")
    assert {one.id: one.side for one in table.battle.ships.values()} == {"mikasa": "blue", "r-mikasa": "red"}
    table.session.close()


def test_a_copy_of_a_scenario_can_be_changed_and_begun(home: Path) -> None:
    write_hostile_scenario(home)
    before = (home / "scenarios" / "qq-hostile.toml").read_text(encoding="utf-8")

    async def steps(table: Table) -> None:
        await table.type("qq-hostile f3 f3 sans right enter f6")
        assert len(table.battle.ships) == 6
        assert table.battle.options["sx_check"] == "12"
        table.session.close()

    play(None, steps)
    assert (home / "scenarios" / "qq-hostile.toml").read_text(encoding="utf-8") == before


@with_console()
async def test_a_control_character_pasted_into_a_name_is_refused(table: Table) -> None:
    await table.type("f2 f4 enter")
    table.top.query_one("#slot-text").value = "a\x1bb"
    await table.press("enter")
    assert "expected printable text, found U+001B at 2" in table.text()
    await table.press("escape")
    assert find_draft(table).sides[0].name == "Blue"


@with_console()
async def test_other_rules_remove_ships_only_after_a_yes(table: Table) -> None:
    await table.press(*SIX)
    stated = FleetShip(FleetSource("rulebook-examples"), "borodino")
    find_setup(table).setup.change(find_draft(table).put_ship(stated, DraftPlace(0)))
    await table.type("f2 home enter")
    assert "1 ship would be removed" in table.text()
    await table.press("escape")
    assert len(find_draft(table).ships) == 7


@with_console()
async def test_a_battle_can_be_set_up_by_mouse(table: Table) -> None:
    async def click(text: str, times: int = 1) -> None:
        lines = table.text().splitlines()
        row = next(place for place, line in enumerate(lines) if text in line)
        await table.pilot.click(offset=(lines[row].index(text) + 1, row), times=times)
        await table.pilot.pause()

    await click("A battle of your own", 2)
    await click("F3 ships")
    await table.type("asahi")
    await click("Asahi", 2)
    assert list_names(0, find_draft(table)) == ["asahi"]
    await click("Red: 0")
    assert find_setup(table).setup.aim.side == 1
    await click("F3 ships")
    await table.type("fuji")
    await click("Fuji", 2)
    assert list_names(1, find_draft(table)) == ["fuji"]
    await click("F6 begin")
    assert len(table.battle.ships) == 2
    table.session.close()


@pytest.mark.parametrize("size", ENDS)
def test_the_set_up_matches_its_golden_screens(home: Path, size: Size) -> None:
    """Use hostile names in the fleet, on a side, in a division and in the title."""
    write_hostile_scenario(home)

    async def steps(table: Table) -> None:
        await table.type("qq-hostile f3 f3 [bold]")
        text = table.text()
        assert max(len(line) for line in text.splitlines()) <= size[0]
        compare(f"setup-ships-{size[0]}x{size[1]}", text)
        await table.press("f4", "d", *list_keys(LONG))
        compare(f"setup-entry-{size[0]}x{size[1]}", table.text(behind=True))
        await table.press("enter", "f2")
        compare(f"setup-table-{size[0]}x{size[1]}", table.text())

    play(None, steps, size)


def test_ships_by_their_facts_stay_when_the_rules_change(home: Path) -> None:
    """Guard against a set-up lost with the rules, and ships kept that have no card under new ones."""
    systems = find_our_systems()
    first, other = systems["advanced-quickfire"], systems["gq2"]
    facts, stated = (
        FleetShip(FleetSource("japan-1904"), "asahi"),
        FleetShip(FleetSource("rulebook-examples"), "borodino"),
    )
    draft = (
        Draft.begin(first)
        .put_ship(facts, DraftPlace(0))
        .put_ship(stated, DraftPlace(1))
        .change_side(0, name="Japan")
    )
    changed = with_system(draft.with_table("date", "1904").with_table("strict", True), other)
    assert [side.ships for side in changed.sides] == [(facts,), ()]
    assert (changed.sides[0].name, changed.ruleset, changed.table["date"]) == ("Japan", "gq2", "1904")
    assert "strict" not in changed.table


def test_crews_stay_when_the_rules_change(home: Path) -> None:
    """Guard against a copy of a shipped scenario that loses its crews."""
    systems = find_our_systems()
    draft = read_draft(find_scenario("santiago-1898"), systems)
    changed = with_system(draft, systems["gq2"])
    crews = {place: draft.find_crew(place) for place in draft.places}
    assert {place: changed.find_crew(place) for place in changed.places} == crews
    assert {tuple(crew.steps.items()) for crew in crews.values()} == {
        (("gunnery", -1),),
        (("gunnery", -2), ("shells", -1)),
        (),
    }


@with_console()
async def test_a_copy_shows_crews_on_its_ships(table: Table, home: Path) -> None:
    await table.type("yalu f3 f4 down down")
    table.expect("Setting up")
    for _ in range(24):
        await table.press("down")
        if "Ting Yuen: size" in table.text():
            break
    table.expect("gunnery -1, shells -2, which do not count")
    top = table.top
    assert isinstance(top, SetupScreen)
    top.setup.change(top.setup.draft.with_table("crews", "as-stated"))
    table.expect("gunnery -1, shells -2", "printed heavy ROF 5 as built, crew -1: 4")


@with_console()
async def test_ships_of_all_navies_are_found_by_letters_and_a_year(table: Table, home: Path) -> None:
    """Guard against a search of fleets alone, a wrong year, an unforgiven typo, a hidden card."""
    await table.type("f2 f3 jaureg")
    table.expect("All of France", "Jauréguiberry: size")
    await table.type("enter oregom space 1898 enter right yashima enter")
    assert find_draft(table).sides[0].ships == (
        FleetShip(FleetSource("france", 1897), "jaureguiberry"),
        FleetShip(FleetSource("usa", 1898), "oregon"),
    )
    await table.press("f2")
    await choose_system(table, "gq2")
    assert len(find_draft(table).ships) == 3
    await table.press("f6")
    assert [ship.name for ship in table.battle.ships.values()] == ["Jauréguiberry", "Oregon", "Yashima"]


@with_console()
async def test_the_list_stays_while_ships_of_a_navy_are_put_in(table: Table) -> None:
    """Guard against a ship that moves up with the cursor, so that the next keys put in others."""
    await table.type("f2 f3 chile space 1905")
    left = find_setup(table).picks
    listed = [line.key for line in left.lines]
    at = next(
        place
        for place, line in enumerate(left.lines)
        if isinstance(line.key, FleetShip) and line.key.ship == "capitan-prat"
    )
    left.go(at)
    await table.press("enter")
    assert left.at == at
    await table.press("down", "enter")
    assert [line.key for line in left.lines] == listed
    assert [berth for berth in listed if berth in find_draft(table).ships] == listed[at : at + 2]
    assert table.text().count("✓") == 2


@with_console()
async def test_ships_are_found_without_punctuation_and_can_be_reordered(table: Table) -> None:
    await table.type("f2 f3 ohigg enter mik enter asahi enter")
    assert list_names(0, find_draft(table)) == ["o-higgins", "mikasa", "asahi"]
    await table.press("f4", *["down"] * 4, *["left_square_bracket"] * 3)
    assert list_names(0, find_draft(table)) == ["asahi", "o-higgins", "mikasa"]
    await table.press("right_square_bracket")
    assert list_names(0, find_draft(table)) == ["o-higgins", "asahi", "mikasa"]
    berth = find_setup(table).order.order_key.ship
    assert berth is not None
    assert berth.ship == "asahi"
    await table.press("enter")
    assert list_names(0, find_draft(table)) == ["o-higgins", "asahi", "mikasa"], (
        "Enter names, and takes nobody off"
    )
    await table.press("x")
    assert list_names(0, find_draft(table)) == ["o-higgins", "mikasa"]


def test_a_file_named_like_a_save_is_refused_with_its_first_words(tmp_path: Path) -> None:
    path = tmp_path / "bad.qfb"
    path.write_bytes(b"hello\n")
    with pytest.raises(QfError, match=r"bad\.qfb, line 1: not a save of qf-tui.* begins with “hello·”"):
        open_target(path, None, find_our_systems())


@with_console()
async def test_a_set_up_keeps_the_choice_of_crews_in_its_scenario(table: Table, home: Path) -> None:
    """Guard against a battle that begins differently from the table of its set-up."""
    await table.type("tsushima enter c f3")
    assert isinstance(table.top, SetupScreen)
    await table.press("f6")
    assert table.battle.ships["mikasa"].card["rof.heavy"] == 8
    (kept,) = find_own_folder("scenarios").glob("*.toml")
    assert read_toml(kept)["crews"] == "as-stated"


@with_console()
async def test_the_table_of_a_set_up_has_the_choice_of_crews(table: Table, home: Path) -> None:
    await table.type("yalu f3")
    for _ in range(40):
        if "whether stated steps of crews" in table.text():
            break
        await table.press("down")
    await table.press("space")
    await table.press("f6")
    assert table.battle.table["crews"] == "as-stated"


@pytest.mark.parametrize("at_hand", [True, False], ids=["its rules are at hand", "they are not"])
def test_a_set_up_begins_with_the_rules_played_last(home: Path, at_hand: bool) -> None:
    """Begin with the first available rules if those are missing."""
    systems = find_systems()
    (home / "saves").mkdir()
    write_save(home / "saves" / "a.qfb", "A")
    played = load_scenario("rulebook-examples", systems)[0].name
    others = {name: system for name, system in systems.items() if name != played}

    async def steps(table: Table) -> None:
        part = find_part(table.app.screen)
        assert part is not None
        part.__dict__["usable"] = {**others, played: systems[played]} if at_hand else others
        await table.press("f2")
        assert find_draft(table).ruleset == (played if at_hand else next(iter(others)))

    play(None, steps)
