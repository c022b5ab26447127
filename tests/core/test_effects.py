"""The book-keeping: what each effect changes, on the battle and on the battle as its phase began."""

from collections.abc import Callable

import pytest

from qf_tui.core.decisions import Effect, Op, Value, apply_effect, field_value, fold, with_overlay
from qf_tui.core.values import Act, Battle, Chart, ChartCell, ChartRow, Die, Mark, Owed, Provenance
from tests.core.playing import battle, ship

FIRE = Mark("7.1", "fires")
BLAZE = Owed("7/blaze/ant/1", "blaze", "ant", "fire?", (Die(6),))
ARRIVING = ship("eel")
JOINING = Effect(Op.JOIN, "eel", "", ship("eel", "south"))


def after(*effects: Effect, entry: int = 7) -> Battle:
    """A usual battle after some effects of one entry."""
    return fold(battle(reserve=[ARRIVING]), effects, entry)


def on_ant(op: Op, field: str, value: Value, *, hand: bool = False) -> Effect:
    return Effect(op, "ant", field, value, hand)


SHIP_EFFECTS = [
    (Op.ADD, "hull", -2, 1),
    (Op.ADD, "spotted", 1, 1),
    (Op.SET, "moved", 4, 4),
    (Op.CARD, "speed", 8, 8),
    (Op.MARK, "fires", FIRE, 1),
    (Op.STATUS, "status", "sunk", "sunk"),
]


@pytest.mark.parametrize(("op", "field", "value", "shown"), SHIP_EFFECTS)
def test_what_happens_to_a_ship_stands_on_the_present_battle_alone(
    op: Op, field: str, value: Value, shown: object
) -> None:
    now = after(on_ant(op, field, value))
    assert field_value(now.ships["ant"], field) == shown
    assert now.start == battle(reserve=[ARRIVING]).start
    assert now.ships["bee"] == battle().ships["bee"]


@pytest.mark.parametrize(("op", "field", "value", "shown"), SHIP_EFFECTS)
def test_what_is_written_by_hand_stands_as_the_phase_began_too(
    op: Op, field: str, value: Value, shown: object
) -> None:
    now = after(on_ant(op, field, value, hand=True))
    assert field_value(now.ships["ant"], field) == shown
    assert field_value(now.start.ships["ant"], field) == shown


def test_a_lifted_mark_stays_to_be_scribbled_out() -> None:
    now = after(on_ant(Op.MARK, "fires", FIRE), on_ant(Op.LIFT, "fires", "7.1"))
    assert now.ships["ant"].live("fires") == ()
    assert [mark.lifted for mark in now.ships["ant"].marks] == [True]


def test_a_slash_is_the_difference_between_the_battle_and_its_beginning() -> None:
    now = after(on_ant(Op.ADD, "hull", -1))
    assert now.start.ships["ant"].count("hull") - now.ships["ant"].count("hull") == 1
    crossed = apply_effect(now, Effect(Op.PHASE, "", "shoot", (1, False)), 8)
    assert crossed.start.ships["ant"].count("hull") == crossed.ships["ant"].count("hull") == 2


def test_an_effect_on_a_ship_that_is_not_there_is_passed_over() -> None:
    assert after(Effect(Op.ADD, "ghost", "hull", -1)) == after()


def test_owed_rolls_queue_and_are_settled_by_their_key() -> None:
    second = Owed("7/blaze/ant/2", "blaze", "ant", "fire?", (Die(6),))
    asked = after(Effect(Op.OWE, "ant", "blaze", BLAZE), Effect(Op.OWE, "ant", "blaze", second))
    assert asked.owed == (BLAZE, second)
    assert apply_effect(asked, Effect(Op.SETTLE, "ant", "blaze", BLAZE.key), 8).owed == (second,)


def test_a_new_phase_forgets_acts_older_than_the_last_turn() -> None:
    acts = [Act(turn, "shoot", "shot", "ant") for turn in (1, 2, 3)]
    remembered = after(*(Effect(Op.ACT, "ant", "shot", act) for act in acts))
    assert apply_effect(remembered, Effect(Op.PHASE, "", "sail", (3, False)), 9).acts == tuple(acts[1:])


@pytest.mark.parametrize(("carried", "late"), [(False, True), (True, False)])
def test_what_is_owed_as_a_phase_ends_is_late_unless_it_was_carried_over(carried: bool, late: bool) -> None:
    asked = after(Effect(Op.OWE, "ant", "blaze", BLAZE), Effect(Op.PHASE, "", "shoot", (1, carried)))
    assert [owed.late for owed in asked.owed] == [late]
    assert (asked.opened, asked.phase, asked.turn) == (7, "shoot", 1)


def test_a_ship_that_joins_is_there_as_the_phase_began() -> None:
    now = after(JOINING)
    assert now.ships["eel"].side == now.start.ships["eel"].side == "south"
    assert now.reserve == {}


def test_a_ship_joins_a_battle_that_has_no_reserve_and_joins_it_once() -> None:
    """Catches a save that leans on its header, and a ship that a second join makes as good as new."""
    struck = fold(battle(), (JOINING, Effect(Op.ADD, "eel", "hull", -1), JOINING), 7)
    assert struck.ships["eel"].count("hull") == 2


_READ: list[tuple[Op, str, Value, Callable[[Battle], object], object]] = [
    (Op.OPTION, "blaze", "6", lambda now: now.options["blaze"], "6"),
    (Op.TABLE, "light", "dusk", lambda now: now.table["light"], "dusk"),
    (Op.DOUBT, "", 3, lambda now: now.doubts, (3,)),
]


@pytest.mark.parametrize(("op", "field", "value", "read", "shown"), _READ)
def test_what_holds_for_the_whole_battle(
    op: Op, field: str, value: Value, read: Callable[[Battle], object], shown: object
) -> None:
    assert read(after(Effect(op, "", field, value))) == shown


def test_a_doubt_is_counted_once_and_cleared() -> None:
    doubted = after(Effect(Op.DOUBT, "", "", 3), Effect(Op.DOUBT, "", "", 3), Effect(Op.DOUBT, "", "", 4))
    assert doubted.doubts == (3, 4)
    assert apply_effect(doubted, Effect(Op.CLEAR, "", "", 3), 8).doubts == (4,)


def _chart(**rows: dict[str, str]) -> Chart:
    cells = {
        name: ChartRow(name, {column: ChartCell(text) for column, text in row.items()})
        for name, row in rows.items()
    }
    return Chart("hits", "Hits", cells)


def test_a_chart_laid_over_changes_its_own_cells_and_drops_rows_without_cells() -> None:
    own = Chart(
        "hits", "Own", {"1": ChartRow("1", {"b": ChartCell("X", Provenance.OWN)}), "2": ChartRow("2", {})}
    )
    laid = with_overlay({"hits": _chart(**{"1": {"a": "S", "b": "G"}, "2": {"a": "F"}})}, {"hits": own})[
        "hits"
    ]
    assert {name: {c: cell.text for c, cell in row.cells.items()} for name, row in laid.rows.items()} == {
        "1": {"a": "S", "b": "X"}
    }
    assert after(Effect(Op.CHART, "", "", {"hits": own})).charts == {"hits": own}


def test_a_mark_written_again_is_the_same_mark() -> None:
    """Written by hand, it is also there as the phase began."""
    now = after(on_ant(Op.MARK, "fires", FIRE), on_ant(Op.MARK, "fires", FIRE, hand=True))
    assert now.ships["ant"].marks == now.start.ships["ant"].marks == (FIRE,)
