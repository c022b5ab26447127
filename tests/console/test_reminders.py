"""Reminders that the console shows unasked: throws, events, advice, the schedule, the clock."""

from typing import Any, cast

import pytest
from attrs import evolve

from qf_tui.console.entry.bar import Banner
from qf_tui.console.reading.document_view import render_blocks
from qf_tui.console.reading.logs import Grid
from qf_tui.core.values import Side
from qf_tui.document.muster import group_by_division
from qf_tui.document.scripts import build_battle_row
from qf_tui.document.text import lay_out_blocks
from qf_tui.document.transcript import build_consequences_document, list_entered
from qf_tui.library.charts import load_overlay
from qf_tui.library.own_charts import find_own_chart
from qf_tui.library.scenarios import find_scenario, load_scenario
from qf_tui.library.settings import Settings
from qf_tui.library.systems import find_systems
from qf_tui.session import Session
from qf_tui.session.clock import Pace, measure_pace
from tests.console.playing import (
    SMALL_FIRST,
    Size,
    Table,
    begin_examples,
    begin_gunnery,
    begin_tiny,
    with_console,
)


@with_console(begin_examples)
async def test_the_advice_of_the_phase_is_shown_while_nothing_is_owed(table: Table) -> None:
    assert "from one fixed point" in table.text()
    await table.press("n", "enter")
    assert "Now turn 1, First gunnery." in table.text()
    assert table.text().count("declare every target") == 1
    await table.press("colon", "escape")
    assert "nothing is owed   declare every target" in table.text()
    await table.press("f1")
    table.expect("Notes of the scenario", "No battle, a bench")


@with_console(begin_gunnery, "fire mikasa heavy borodino long 4 8", "strike 1")
async def test_parked_entries_and_the_end_of_the_battle_stay_in_sight(table: Table) -> None:
    assert "parked 1: 2" in table.text()
    for ship in table.battle.ships.values():
        if ship.side == "red":
            table.session.enter(f"leave {ship.id} withdrawn")
    table.screen.show()
    await table.settle()
    assert "Red has no ship left in the battle" in table.text()


@pytest.mark.usefixtures("home")
@with_console(lambda: begin_examples(strict=True), "next", "fire mikasa heavy borodino long 4 8")
async def test_a_cell_read_from_the_printed_chart_is_kept_by_a_key(table: Table) -> None:
    assert "what does your chart say" in table.text()
    await table.type("onone enter")
    assert "k keeps it in your own chart" in table.text()
    await table.press("k")
    assert "kept in your own chart: blast long 12" in table.text()
    assert table.list_orders()[-1].startswith("chart ")
    system = table.session.system
    kept = load_overlay(find_own_chart(system), system)
    assert kept["blast"].rows["long"].cells["12"].text == "-"
    await table.press("k")
    assert "nothing to keep" in table.text()
    table.session.keep_cell(("blast", "long", "12"), "s g")
    assert table.battle.charts["blast"].rows["long"].cells["12"].text == "S G", "as charts write it"


def _begin_three_sides() -> Session:
    session = begin_tiny(9)
    sides = (*session.battle.sides, Side("south", "South"))
    names = [side.id for side in sides]
    ships = {
        id: evolve(ship, side=names[at % 3]) for at, (id, ship) in enumerate(session.battle.ships.items())
    }
    return Session.begin(session.system, evolve(session.battle, sides=sides, ships=ships))


@pytest.mark.parametrize("size", SMALL_FIRST)
@with_console(_begin_three_sides)
async def test_a_battle_of_three_sides_is_shown_and_played(table: Table, size: Size) -> None:
    seen = set()
    for _ in range(3):
        seen.add(table.ship.side)
        assert table.ship.name in table.text()
        await table.press("x")
    assert seen == {"east", "west", "south"}
    await table.type("left right end home n")
    assert "South" in table.text()
    await table.type("enter xxs escape")
    for _ in range(6):
        await table.press("right")
    assert "more side" in table.text() or size[0] > 80


SINKING = ("damage borodino SX SX SX SX", "next", "next", "roll 1", "next", "next", "roll 1")


@with_console(begin_gunnery, *SINKING)
async def test_the_list_of_the_last_phase_can_be_read_aloud_again(table: Table) -> None:
    """Detect a sinking of the last phase that a key typed too early hides for good."""
    assert table.battle.phase == table.session.system.phases[-1].name
    assert table.battle.ships["borodino"].is_off_table
    await table.press("n")
    assert "remove the model" in table.text()
    await table.press("m")
    assert table.battle.turn == 2
    assert "remove the model" not in table.text()
    await table.type("escape escape vv")
    assert "remove the model" in table.text()


SMALL = (80, 24)


@with_console(begin_gunnery, "fire mikasa heavy borodino long", size=SMALL)
async def test_the_owed_line_and_the_dialog_name_the_dice(table: Table) -> None:
    assert "black ≤7 · white ≤11" in table.text()
    await table.press("o")
    assert "fires on black 7 or less" in table.text()
    await table.type("escape vv")
    assert "to throw: Mikasa heavy at Borodino, long: fires on black 7 or less" in table.text()
    await table.type("escape escape ffmahl escape escape")
    await table.order("damage ohio E")
    await table.press("o", "o")
    assert "12 SX SX SX" in table.read_words(), "where the faces need several lines"


@with_console(begin_gunnery, size=SMALL)
async def test_an_event_is_shown_once_and_stays_until_it_is_read(table: Table) -> None:
    for text in ("leave ohio sunk", "undo", "leave ohio sunk"):
        await table.order(text)
    assert table.text().count("OHIO SINKS  ") == table.text().count("‼ OHIO SINKS") == 1
    await table.order("note the wind backs")
    assert "‼ OHIO SINKS" in table.text()
    await table.press("escape", "escape")
    assert "‼ OHIO SINKS" not in table.text()


@with_console(begin_gunnery)
async def test_an_event_hides_no_ship_while_the_latest_acts_have_lines_to_spare(table: Table) -> None:
    rows = table.screen.query_one(Grid).size.height
    await table.order("leave ohio sunk")
    assert table.screen.query_one(Banner).display
    assert table.screen.query_one(Grid).size.height == rows
    await table.press("escape", "escape")
    assert table.screen.query_one(Grid).size.height == rows


@with_console(
    begin_gunnery, "mark borodino speed_hits 7", "fire mikasa light borodino medium 3 2", size=SMALL
)
async def test_an_entry_shows_its_effect_on_an_earlier_one(table: Table) -> None:
    await table.order("fire massena heavy borodino medium 3 2")
    assert "S of entry 3 becomes a fire" in table.read_words()
    await table.press("h")
    assert "S of entry 3 becomes a fire" in table.read_words()


@with_console(begin_gunnery, "damage ohio S", size=SMALL)
async def test_the_enter_that_ends_a_phase_leaves_the_list_open(table: Table) -> None:
    await table.type("n enter enter enter")
    assert "On the table, after turn 1" in table.text()
    await table.press("space")
    assert table.top is table.screen


ARRIVES = "Japan: fifth and sixth arrive from the north-east edge"
STANDS = "battleships off the south-east edge (those with six"


def begin_turn_4() -> Session:
    """Begin the Yellow Sea and play to its fourth turn; each turn has six phases."""
    session = Session.begin(*load_scenario(find_scenario("yellow-sea-1904"), find_systems()))
    for _ in range(18):
        session.enter("next")
    return session


def test_the_scenario_lists_the_ships_that_arrive_later() -> None:
    """Detect a division that the start screen leaves out because it arrives later."""
    found = {
        title for _, divisions in group_by_division(begin_turn_4().timeline.start) for title, _ in divisions
    }
    assert {"first · Anna", "fifth · Clara · arrives on turn 4", "sixth · Clara · arrives on turn 4"} <= found
    sides = [title for title, _ in group_by_division(begin_turn_4().timeline.start)]
    assert sides == ["Japan: 21 ships, 7 later", "Russia: 18 ships"]


def test_an_arrival_undone_takes_one_line_a_ship() -> None:
    """Detect an undo that lists each box of seven ships."""
    session = begin_turn_4()
    session.enter("join japan hashidate chin-yen")
    revision = session.preview("undo")
    told = [
        line.plain.strip()
        for line in render_blocks(build_consequences_document(session.system, revision).blocks)
    ]
    at = told.index("On the logs")
    gone = ["Hashidate is not in the battle", "Chin Yen is not in the battle", "On the table"]
    assert told[at + 1 : at + 4] == gone
    assert "       Hashidate is not in the battle" in lay_out_blocks(list_entered(session, revision))


def test_scripts_get_the_question_and_the_state_of_victory() -> None:
    session = begin_turn_4()
    row = cast(dict[str, Any], build_battle_row(session.system, session.timeline)["battle"])
    assert row["owed"][0]["order"].startswith("join japan hashidate")
    assert row["owed"][0]["words"] == ["no"]
    assert row["victory"] == [
        f"Russia: 0 of 3 {STANDS} speed boxes or more)",
        "Japan: 0 points",
        "Russia: 0 points",
    ]


@with_console(begin_turn_4)
async def test_a_division_arrives_by_two_keys(table: Table) -> None:
    assert ARRIVES in table.text()
    assert "Hashidate" not in table.text()
    await table.press("n")
    table.expect("These rolls are still owed", f"0 of 3 {STANDS}")
    await table.press("enter")
    assert "> join japan hashidate chin-yen matsushima asama akashi suma akitsushima" in table.text()
    await table.press("enter")
    assert table.list_orders()[-1] == "join japan hashidate chin-yen matsushima asama akashi suma akitsushima"
    assert table.battle.owed == ()
    assert table.battle.ships["akashi"].division == "sixth"
    await table.press("u", "enter")
    assert f"owed 1  {ARRIVES}" in table.text()
    await table.order("answer no")
    assert table.list_orders()[-1] == "answer 18/schedule//1 no"
    assert table.battle.owed == ()


@with_console(begin_turn_4)
async def test_victory_is_shown_all_the_time_and_reported_once(table: Table) -> None:
    def list_victories() -> tuple[str, ...]:
        events = table.screen.query_one(Banner).events
        return tuple(event for event in events if event.startswith("victory"))

    for ship in ("tsesarevich", "retvizan", "pobeda"):
        assert list_victories() == ()
        await table.order(f"leave {ship} withdrawn south-east")
    assert list_victories()[0].startswith("victory is reached: Russia: 3 of 3 battleships off")
    await table.order("leave peresvet withdrawn south-east")
    assert len(list_victories()) == 1
    await table.press("equals_sign")
    table.expect(f"4 of 3 {STANDS}", "turn 12: light dusk · Dusk: the boats may attack.")


def test_the_clock_gives_the_minutes_of_a_turn_and_the_pace_of_throws() -> None:
    """Count a first turn from the begin of the battle, others from the entry that opened them."""
    session, now = begin_examples(), [0.0]
    session.start_clock(lambda: now[0])
    for now[0], order in (
        (60, "move hannibal 5in"),
        (70, "next"),
        (90, "fire mikasa heavy borodino medium 5 8"),
    ):
        session.enter(order)
    assert measure_pace(session.timeline, 200) == Pace(3, 0)
    for now[0], order in (
        (110, "fire mikasa light borodino medium 12 8"),
        (150, "note x"),
        (160, "fire massena heavy ohio medium 12 9"),
    ):
        session.enter(order)
    assert str(measure_pace(session.timeline, 170)) == "2 min, 35 s a throw"
    while session.battle.turn == 1:
        now[0] += 1
        session.enter("force next")
    opened = now[0]
    for now[0] in (opened + 30, opened + 50, opened + 90):
        session.enter("note still here")
    assert measure_pace(session.timeline, opened + 185).minutes == 3


@with_console(begin_examples, size=(80, 24), settings=Settings(minutes=15))
async def test_the_phase_line_shows_the_clock_of_the_phase(table: Table) -> None:
    assert "turn 1 · 15 min left" in table.text()
