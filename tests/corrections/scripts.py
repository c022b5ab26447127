"""Order scripts as tables for people to read, and what a correction of one is expected to change."""

from collections.abc import Mapping
from functools import partial

from attrs import frozen

from qf_tui.core.declarations import Shape
from qf_tui.core.revisions import Revision
from qf_tui.core.timeline import Timeline, build_timeline
from qf_tui.core.values import Battle
from qf_tui.document.acts import describe_act, format_ruling
from qf_tui.rules.advanced_quickfire import SYSTEM
from tests.core.playing import keys, revise
from tests.rules.advanced_quickfire.tables import battle, ship


def two_a_side(rof: tuple[int, int] = (12, 12)) -> Battle:
    """First gunnery: ajax (whose ROF is told) and boyne, blue, against rook and rival, red."""
    return battle(ship("ajax", rof=rof), ship("boyne"), ship("rook", "red"), ship("rival", "red"))


def played(table: str, start: Battle | None = None) -> Timeline:
    """The battle after a table of orders, one a line behind its number; two a side unless told."""
    timeline = build_timeline(start or two_a_side(), ())
    for line in table.strip().splitlines():
        number, _, order = line.strip().partition(" ")
        assert timeline.next_number == int(number), line
        timeline = revise(timeline, order.strip(), system=SYSTEM).after
    return timeline


corrected = partial(revise, system=SYSTEM)
"""A correction, or a further order, worked out."""


@frozen
class Follows:
    """What follows from a correction: what it says of others, and what differs on the ships and on the table.

    `reread` has what each entry now does, `owed` the new questions by key, `changes` from and to by ship and
    field.
    """

    kept: int
    reread: Mapping[int, str] = {}
    parked: tuple[int, ...] = ()
    spare: tuple[int, ...] = ()
    owed: tuple[str, ...] = ()
    changes: Mapping[str, tuple[object, object]] = {}
    table: tuple[str, ...] = ()


def follows(revision: Revision) -> Follows:
    """The consequences of a correction, to be compared as a whole."""
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


def shown(timeline: Timeline, number: int) -> str:
    """How an entry stands, as the log shows it: order, state, and what it did."""
    act = timeline.find_act(number)
    assert act is not None
    told = describe_act(timeline, act)
    return f"{told.order}{f' [{told.state}]' if told.state else ''}: {told.result}"


def clauses(timeline: Timeline, number: int) -> tuple[str, ...]:
    return tuple(finding.clause for finding in timeline.rulings[number].findings)


def owing(timeline: Timeline) -> list[str]:
    return keys(timeline.battle)


def value(timeline: Timeline, ship: str, field: str) -> Shape:
    """A value of a ship as scripts see it."""
    return SYSTEM.report(timeline.battle, timeline.battle.ships[ship])[field]
