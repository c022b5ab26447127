"""The logs at work: sorted, filtered, and the cursor sent to a ship."""

import pytest
from attrs import evolve
from rich.style import Style

from qf_tui.console.battle.status import format_acting_ships
from qf_tui.console.entry.bar import find_neighbour_key
from qf_tui.console.entry.form_state import Offers
from qf_tui.console.reading.document_view import ShipCard
from qf_tui.console.reading.log_layout import (
    LAST,
    Arrangement,
    Cursor,
    Show,
    SidePane,
    Sign,
    find_cell,
    is_match,
    lay_out_panes,
)
from qf_tui.console.reading.logs import fit_cell
from qf_tui.core.system import Span
from qf_tui.core.values import SUNK, Battle, Die, Division, Owed, Ship, Side
from qf_tui.session import Session
from tests.console.playing import HOSTILE, Table, begin_examples, begin_gunnery, with_console
from tests.tiny import SYSTEM, TEND


def _build_battle() -> Battle:
    """Build five ships of one side: hulls 5 2 4 0 3, the fourth sunk, the last in another division."""
    hulls = {"ant": 5, "bee": 2, "cat": 4, "dog": 0, "eel": 3}
    ships = {
        id: Ship(
            id,
            f"{id.title()} {hull}",
            "east",
            "rear" if id == "eel" else "van",
            {"hull": 5, "guns": 4, "speed": 6, "kind": "cruiser" if id == "bee" else "ironclad"},
            {"hull": hull, "guns": 4, "moved": None},
            status=SUNK if id == "dog" else "afloat",
        )
        for id, hull in hulls.items()
    }
    divisions = (Division("van", "Van", "Anna"), Division("rear", "Rear", "Ben"))
    return Battle(1, "sail", (Side("east", "East", divisions),), ships, {}, {}, {})


HULL = next(column for column in SYSTEM.columns if "hull" in column.fields)


@pytest.mark.parametrize(
    ("arrangement", "ids"),
    [
        (Arrangement(), "ant bee cat eel dog"),
        (Arrangement().sort_by(HULL), "ant cat eel bee dog"),
        (Arrangement().sort_by(HULL).sort_by(HULL), "bee eel cat ant dog"),
        (Arrangement().sort_by(HULL).sort_by(HULL).sort_by(HULL), "ant bee cat eel dog"),
        (Arrangement().sort_by(None), "ant bee cat eel dog"),
        (Arrangement().sort_by(None).sort_by(None), "eel cat bee ant dog"),
        (Arrangement(show=Show.PRESENT), "ant bee cat eel"),
        (Arrangement(show=Show.MAY_ACT), "bee eel dog"),
        (Arrangement(show=Show.MAY_ACT, act_letter="L"), "eel dog"),
        (Arrangement(show=Show.OWE), "cat dog"),
        (Arrangement(letters="cruis"), "bee"),
        (Arrangement(letters="ben"), "eel"),
        (Arrangement(letters="zz"), ""),
    ],
)
def test_ships_follow_the_arrangement_and_sunk_ones_come_last(arrangement: Arrangement, ids: str) -> None:
    battle = _build_battle()
    signs = {
        "bee": Sign(acts=True),
        "eel": Sign(acts=True, letters="HL"),
        "cat": Sign(owes=True),
        "dog": Sign(owes=True, acts=True, letters="L"),
    }
    assert [ship.id for ship in arrangement.list_ships(SYSTEM, battle, "east", signs)] == ids.split()


@pytest.mark.parametrize(
    ("sign", "text"),
    [
        (Sign(), ""),
        (Sign(acts=True), "•"),
        (Sign(acts=True, letters="HL"), "HL"),
        (Sign(owes=True), "?"),
        (Sign(owes=True, acts=True), "?•"),
        (Sign(owes=True, acts=True, letters="L"), "?L"),
        (Sign(changed=True), "*"),
    ],
)
def test_signs_show_owed_rolls_and_possible_orders(sign: Sign, text: str) -> None:
    assert sign.text == text


@pytest.mark.parametrize(
    ("letters", "found"), [("EEL", True), ("rear", True), ("Ben", True), ("anna", False)]
)
def test_a_ship_is_found_by_name_kind_division_and_player(letters: str, found: bool) -> None:
    battle = _build_battle()
    assert is_match(battle, battle.ships["eel"], letters) is found


def _lay_out(width: int, arrangement: Arrangement | None = None) -> tuple[SidePane, ...]:
    return lay_out_panes(SYSTEM, _build_battle(), arrangement or Arrangement(), 0, {}, width)


def test_the_cursor_stays_on_its_ship_and_in_sight() -> None:
    (pane,) = _lay_out(200)
    cursor = Cursor().move_to_row(99, pane).move_to_column(LAST).clamp_column(pane)
    assert cursor.find_ship(pane) is pane.ships[-1]
    assert cursor.find_column(pane) is pane.layout.columns[-1][0]
    assert cursor.move_to_row(-5, pane).find_row(pane) == 0
    assert cursor.move_to_column(0).find_column(pane) is None
    on_cat = cursor.move_to_ship("east", "cat")
    (sorted_pane,) = _lay_out(200, Arrangement().sort_by(HULL))
    assert (on_cat.find_row(pane), on_cat.find_row(sorted_pane)) == (2, 1)
    (narrowed,) = _lay_out(200, Arrangement(letters="bee"))
    assert on_cat.find_ship(narrowed) is narrowed.ships[0]
    (empty,) = _lay_out(200, Arrangement(letters="zz"))
    assert on_cat.move_to_row(3, empty).find_ship(empty) is None
    assert on_cat.find_ship(None) is None


def test_a_cell_is_found_by_its_place_on_the_screen() -> None:
    (pane,) = panes = _lay_out(80)
    assert find_cell(panes, 5, 0) == (pane, 0)
    assert find_cell(panes, 78, 4) == (pane, len(pane.layout.columns))
    assert find_cell(panes, 5, 5) is None
    assert find_cell(panes, 79, 0) is None


def test_ships_that_may_act_are_listed_by_side_and_player_or_counted() -> None:
    battle = _build_battle()
    afloat = evolve(battle, ships={id: ship for id, ship in battle.ships.items() if ship.status != SUNK})
    may = SYSTEM.may_act(afloat)
    assert format_acting_ships(afloat, may, 200).startswith("East: Anna Ant 5")
    assert format_acting_ships(afloat, may, 36) == "East: Anna Ant 5, 2 more, Ben Eel 3"
    assert format_acting_ships(afloat, may, 20) == "East: Anna 3, Ben 1"


@with_console(lambda: begin_examples(HOSTILE))
async def test_the_cursor_goes_to_a_ship_by_its_letters_and_back(table: Table) -> None:
    await table.type("glion")
    assert table.ship.id == "borodino"
    assert "HMS [Red] Lion" in table.text()
    await table.press("escape")
    assert table.ship.id == "mikasa"
    await table.type("glion tab")
    table.expect("1 of", "“lion”")
    assert "艦" not in table.text(), "only the ships found are shown until Escape"
    await table.press("escape")
    assert "艦" in table.text()
    await table.type("glio enter fh")
    assert table.ship.id == "borodino"


@with_console(begin_examples)
async def test_a_search_does_not_move_the_cursor_of_a_side_that_it_passes(table: Table) -> None:
    grid = table.screen.grid
    first, second = (ship.id for ship in grid.panes[0].ships[:2])
    there = grid.panes[0].ships[0].name[0].lower()
    await table.press("down", "x", "g", there)
    assert grid.ship is not None
    assert grid.ship.id == first
    await table.press("escape", "x")
    assert grid.ship.id == second


@with_console(begin_examples)
async def test_a_column_sorts_and_its_title_shows_it(table: Table) -> None:
    await table.press("right", "y")
    assert "▼" in table.text()
    await table.press("y")
    assert "▲" in table.text()
    await table.press("y")
    assert "▲" not in table.text()
    assert "▼" not in table.text()


@with_console(begin_gunnery, "fire mikasa heavy borodino long", "fire mikasa light borodino medium")
async def test_the_cursor_jumps_to_ships_that_may_act_and_to_ships_that_owe(table: Table) -> None:
    seen = set()
    for _ in range(3):
        await table.press("j")
        seen.add(table.ship.id)
    assert len(seen) == 3


@with_console(begin_gunnery, "fire mikasa heavy borodino medium")
async def test_each_ship_has_a_letter_for_each_order_that_it_may_still_give(table: Table) -> None:
    """Detect a ship that fired one battery and looks as if it had fired none, or all."""
    table.expect("\n?L ▸Mikasa", "\nHL  Massena")
    assert "Mikasa L, " in table.text().splitlines()[2]
    await table.press(*["z"] * 4)
    assert "may act H" in table.text()
    assert "mikasa" not in [ship.id for pane in table.screen.grid.panes for ship in pane.ships]
    await table.press("z")
    assert "mikasa" in [ship.id for pane in table.screen.grid.panes for ship in pane.ships]


def begin_two_small_sides() -> Session:
    """Begin a battle of three ships against two."""
    whole = evolve(
        _build_battle(), sides=(Side("east", "East", (Division("van", "Van"),)), Side("west", "West"))
    )
    west = {id: evolve(ship, side="west") for id, ship in whole.ships.items() if id in ("cat", "dog", "eel")}
    return Session.begin(SYSTEM, evolve(whole, ships={**whole.ships, **west}))


@with_console(begin_two_small_sides, size=(80, 24))
async def test_two_small_sides_are_drawn_one_above_the_other_if_they_fit(table: Table) -> None:
    """Detect a side hidden although both fit on a narrow screen, and a row that is not redrawn."""
    grid = table.screen.grid

    def line(name: str) -> int:
        lines = table.text().splitlines()
        return next(at for at, one in enumerate(lines) if at >= grid.region.y and name in one)

    assert "more side" not in table.text()
    assert [(pane.side, pane.top) for pane in grid.panes] == [("east", 0), ("west", 4)]
    assert line("in the battle") < line("▸Ant 5") < line(" Cat 4")
    await table.press("x", "down")
    assert "▸Eel 3" in table.text()
    await table.pilot.click(grid, offset=(8, line(" Bee 2") - grid.region.y))
    await table.settle()
    assert "▸Bee 2" in table.text()
    assert "▸Eel 3" not in table.text()
    await table.order("mark cat hull 1")
    assert "1" in table.text().splitlines()[line(" Cat 4")].replace("Cat 4", "")
    await table.pilot.resize_terminal(120, 36)
    await table.settle()
    assert [pane.top for pane in grid.panes] == [0, 0]


@with_console(begin_gunnery, size=(120, 60))
async def test_sides_are_drawn_one_above_the_other_rather_than_lose_columns(table: Table) -> None:
    """Detect armor and size left out next to empty lines, and logs that jump as a preview grows."""
    grid = table.screen.grid
    assert [pane.top for pane in grid.panes] == [0, 15]
    assert not grid.panes[0].layout.left_out
    await table.order("damage ohio E")
    await table.press("o", "3")
    assert table.screen.orders.message_line.size.height >= 1
    assert [pane.top for pane in grid.panes] == [0, 15]
    await table.pilot.resize_terminal(120, 36)
    await table.settle()
    assert [pane.top for pane in grid.panes] == [0, 0]
    assert grid.panes[0].layout.name_width >= len("Dupuy de Lome")


@with_console(begin_gunnery, size=(80, 40))
async def test_logs_keep_their_lines_while_a_long_preview_is_shown(table: Table) -> None:
    """Detect logs that are laid out and drawn again for each message of another height."""
    heights = {table.screen.grid.size.height}
    await table.press("slash")
    await table.write("fire ohio heavy massena long 5 5")
    heights.add(table.screen.grid.size.height)
    assert table.screen.orders.message_line.size.height > 1
    await table.press("enter")
    heights.add(table.screen.grid.size.height)
    assert len(heights) == 1


def begin_many_ships() -> Session:
    """Begin a battle of sixty ships on a side."""
    battle = _build_battle()
    ant = battle.ships["ant"]
    ships = {f"ant-{one}": evolve(ant, id=f"ant-{one}", name=f"Ant {one:02}") for one in range(60)}
    return Session.begin(SYSTEM, evolve(battle, ships=ships))


@with_console(begin_many_ships, size=(80, 24))
async def test_the_logs_scroll_for_few_keys_and_show_how_many_ships_are_beyond(table: Table) -> None:
    grid, tops = table.screen.grid, [0.0]
    for key, beyond in [*[("down", 1)] * 50, *[("up", -1)] * 50]:
        await table.press(key)
        tops.append(grid.scroll_offset.y)
        table.expect(f"▸{table.ship.name}")
        if tops[-1] != tops[-2]:
            table.expect(f" Ant {grid.row + beyond:02}")
    assert len({*tops}) < 20
    assert tops[-1] == 0
    await table.press("end")
    table.expect("▸Ant 59")


@with_console(begin_gunnery, "damage ohio E", "damage massena D")
async def test_digits_answer_another_owed_roll_after_an_arrow(table: Table) -> None:
    await table.type("5 down enter")
    assert [owed.ship for owed in table.battle.owed] == ["ohio"]
    await table.type("zzz")
    assert "owe a roll" in table.text()
    assert [ship.id for pane in table.screen.grid.panes for ship in pane.ships] == ["ohio"]


@pytest.mark.parametrize(
    ("here", "step", "dice", "key"),
    [
        ("", 1, False, ""),
        ("", 1, True, "2/b"),
        ("1/a", 1, False, "1/q"),
        ("1/a", 1, True, "2/b"),
        ("2/b", 1, True, "1/a"),
        ("1/a", -1, False, "2/b"),
    ],
)
def test_an_arrow_changes_to_another_likely_question(here: str, step: int, dice: bool, key: str) -> None:
    asked = [Owed("1/a", "", "", "A", (Die(6),)), Owed("1/q", "", "", "Q", words=("yes", "no"))]
    assert find_neighbour_key([*asked, Owed("2/b", "", "", "B", (Die(6),))], here, step, dice) == key
    assert find_neighbour_key(asked[1:], "", 1, True) == "", "digits turn to no question where all want words"


def test_pale_text_is_cut_first_in_a_narrow_cell() -> None:
    """Detect slashes that are cut off after a figure that never changes."""
    spans = (Span("15/", "dim"), Span("10"), Span("//", "slash"))

    def drawn(width: int) -> str:
        return "".join(text for text, _ in fit_cell(spans, width, False, Style(), lambda tone: Style()))

    assert drawn(9) == "15/10//  "
    assert drawn(5) == "10// "
    assert drawn(3) == "15…"


@with_console(begin_gunnery)
async def test_the_latest_entries_use_the_lines_that_the_logs_leave_empty(table: Table) -> None:
    """Show all thirteen ships of a side before the entries get more lines."""
    for height, lines in ((24, 3), (30, 7), (36, 13), (60, 21)):
        await table.pilot.resize_terminal(120, height)
        await table.settle()
        assert table.screen.query_one("#latest").size.height == lines
        rows = table.screen.grid.size.height
        assert rows == height - 8 - lines
        assert rows - 2 >= 13 or lines == 3


@with_console(begin_gunnery, size=(200, 50), drawn=True)
async def test_a_card_is_built_once_for_each_battle(table: Table) -> None:
    """Detect a ship that is formatted or drawn again each time the cursor returns to it."""
    card = table.screen.query_one(ShipCard)
    await table.press("down", "down")
    lines, ship = card.lines, table.screen.grid.ship
    assert lines
    assert ship
    await table.press("up", "right", "down")
    assert (table.screen.grid.ship, card.lines[0] is lines[0]) == (ship, True)
    await table.order(f"mark {ship.id} boat_guns 1")
    assert card.lines != lines


def test_an_order_of_the_last_phase_of_a_turn_is_no_order_of_the_next_turn() -> None:
    """Detect a value offered as of this turn that is of the turn before."""
    session = Session.begin(SYSTEM, _build_battle())
    for order in ("next", "next", "tend ant 3", "next"):
        session.enter(f"force {order}" if order == "next" else order)
    assert session.battle.turn == 2
    assert [earlier.this_turn for earlier in Offers.collect(session, TEND).earlier_orders] == [False]
    for order in ("next", "next", "tend bee 3"):
        session.enter(f"force {order}" if order == "next" else order)
    assert [earlier.this_turn for earlier in Offers.collect(session, TEND).earlier_orders] == [True, False]


def test_an_order_of_the_first_phase_of_all_is_an_order_of_its_turn() -> None:
    """Detect that an entry which begins the second phase passes for the start of the turn."""
    session = Session.begin(SYSTEM, _build_battle())
    session.enter("force tend ant 3")
    session.enter("force next")
    assert session.battle.turn == 1
    assert [earlier.this_turn for earlier in Offers.collect(session, TEND).earlier_orders] == [True]
