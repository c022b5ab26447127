"""Orders as tables for people to read, and the expected consequences of a correction."""

from collections.abc import Mapping
from functools import partial

from attrs import frozen

from qf_tui.core.declarations import Shape
from qf_tui.core.revisions import Revision
from qf_tui.core.timeline import Timeline, build_timeline
from qf_tui.core.values import Battle
from qf_tui.document.acts import describe_act, format_ruling
from qf_tui.rules.advanced_quickfire import SYSTEM
from tests.core.playing import list_owed_keys, revise
from tests.rules.advanced_quickfire.tables import battle, ship


def build_two_a_side(rof: tuple[int, int] = (12, 12)) -> Battle:
    """Build a first gunnery phase: ajax (with this ROF) and boyne, blue, against rook and rival, red."""
    return battle(ship("ajax", rof=rof), ship("boyne"), ship("rook", "red"), ship("rival", "red"))


def play_table(table: str, start: Battle | None = None) -> Timeline:
    """Play a table of numbered orders, one a line; by default with two ships a side."""
    timeline = build_timeline(start or build_two_a_side(), ())
    for line in table.strip().splitlines():
        number, _, order = line.strip().partition(" ")
        assert timeline.next_number == int(number), line
        timeline = revise(timeline, order.strip(), system=SYSTEM).after
    return timeline


correct = partial(revise, system=SYSTEM)
"""Work out a correction or another order."""


@frozen
class Follows:
    """The consequences of a correction, on other entries, the ships and the table.

    Attributes:
        reread: New result by entry.
        owed: Keys of the new questions.
        changes: Values before and after, by ship and field.
    """

    kept: int
    reread: Mapping[int, str] = {}
    parked: tuple[int, ...] = ()
    spare: tuple[int, ...] = ()
    owed: tuple[str, ...] = ()
    changes: Mapping[str, tuple[object, object]] = {}
    table: tuple[str, ...] = ()


def find_consequences(revision: Revision) -> Follows:
    """Collect the consequences of a correction, so that they are compared as a whole."""
    told = revision.consequences
    return Follows(
        told.kept,
        {one.entry: format_ruling(one.now) for one in told.reread},
        told.parked,
        told.spare,
        tuple(owed.key for owed in told.owed),
        {f"{one.ship} {one.field}": (one.before, one.after) for one in told.changes},
        tuple(words for _, words in told.table),
    )


def format_entry(timeline: Timeline, number: int) -> str:
    """Format an entry as the log shows it: order, state and result."""
    act = timeline.find_act(number)
    assert act is not None
    told = describe_act(timeline, act)
    return f"{told.order}{f' [{told.state}]' if told.state else ''}: {told.result}"


def list_clauses(timeline: Timeline, number: int) -> tuple[str, ...]:
    return tuple(finding.clause for finding in timeline.rulings[number].findings)


def list_owed(timeline: Timeline) -> list[str]:
    return list_owed_keys(timeline.battle)


def read_value(timeline: Timeline, ship: str, field: str) -> Shape:
    """Read a value of a ship as scripts see it."""
    return SYSTEM.report(timeline.battle, timeline.battle.ships[ship])[field]
