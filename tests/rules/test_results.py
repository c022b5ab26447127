"""Which results of a throw count, and for what: by system, line and faces."""

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from attrs import frozen

from qf_tui.core.declarations import kind_of
from qf_tui.core.revisions import Revision
from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Battle
from tests.rules.advanced_quickfire import tables as advanced
from tests.rules.gq2 import tables as gq2
from tests.rules.playing import played
from tests.rules.quickfire import tables as quickfire
from tests.rules.quickfire_clone import tables as clone
from tests.systems import OURS, our_systems

Start = Callable[[], Battle]


@frozen
class Row:
    """A battle, orders of which the last one throws (apart by `;`), the kind, and what is counted of it."""

    start: Start
    orders: str
    kind: str
    count: int


def _of(tables: ModuleType, phase: str, *, table: dict[str, Any] | None = None, **rook: Any) -> Start:
    """Ajax against rook, who is as told."""
    return lambda: tables.battle(
        tables.ship("ajax"), tables.ship("rook", "red", **rook), phase=phase, **(table or {})
    )


def _at_boat(tables: ModuleType, phase: str) -> Start:
    return lambda: tables.battle(tables.ship("ajax"), tables.craft("skiff"), phase=phase)


FIRING, LAUNCHING = _of(advanced, "first-gunnery"), _of(advanced, "second-gunnery")
BURNING = _of(advanced, "second-gunnery", fires=1)
STRICT = _of(advanced, "first-gunnery", table={"strict": True})
ADVANCED = (
    Row(FIRING, "fire ajax heavy rook pb 1 12", "guns", 3),
    Row(FIRING, "fire ajax heavy rook pb 1 1", "guns", 2),
    Row(FIRING, "fire ajax heavy rook pb; roll 1 12", "guns", 3),
    Row(STRICT, "fire ajax heavy rook medium 1 2; answer 2; answer none", "guns", 2),
    Row(STRICT, "fire ajax heavy rook medium 1 2; answer 2; answer F", "guns", 3),
    Row(_at_boat(advanced, "first-gunnery"), "boats ajax skiff 5 7 9", "boat-guns", 3),
    Row(_at_boat(advanced, "first-gunnery"), "boats ajax skiff 4 4", "boat-guns", 1),
    Row(LAUNCHING, "torpedo ajax rook 1in 1 8", "torpedoes", 3),
    Row(LAUNCHING, "torpedo ajax rook 1in 9", "torpedoes", 0),
    Row(FIRING, "damage rook E; roll 12", "explosions", 6),
    Row(FIRING, "damage rook T; roll 12", "t-hits", 1),
    Row(FIRING, "damage rook T; roll 3", "t-hits", 0),
    Row(FIRING, "damage rook D; roll 3", "", 0),
    Row(BURNING, "next; roll 12", "fire-checks", 1),
    Row(BURNING, "next; roll 1", "fire-checks", 0),
    Row(BURNING, "next; roll 6", "fire-checks", 0),
    Row(_of(advanced, "second-gunnery", log={"speed_lost": 1}), "next; roll 12", "flooding", 1),
    Row(_of(advanced, "repair", log={"speed_hits": 1}), "repair rook speed 4", "repairs", 1),
    Row(_of(advanced, "repair", log={"speed_hits": 1}), "repair rook speed 12", "repairs", 0),
    Row(_of(advanced, "repair", log={"speed_lost": 2}), "next; roll 1", "sinkings", 1),
    Row(_of(advanced, "repair", log={"speed_lost": 2}), "next; roll 2", "sinkings", 0),
)

QUICK = _of(quickfire, "gunnery")
STANDARD = (
    Row(QUICK, "fire ajax heavy rook short 1 3 4", "guns", 1),
    Row(QUICK, "fire ajax heavy rook short 1 1 1", "guns", 2),
    Row(_at_boat(quickfire, "gunnery"), "boats ajax skiff 6", "boat-guns", 1),
    Row(QUICK, "torpedo ajax rook in 1 1", "torpedoes", 1),
    Row(QUICK, "torpedo ajax rook in 1 1; roll 4", "torpedo-hits", 4),
    Row(QUICK, "torpedo ajax rook in 6 6", "torpedoes", 0),
    Row(QUICK, "damage rook E; roll 6 6", "explosions", 7),
    Row(_of(quickfire, "gunnery", fires=1), "next; roll 6 6", "fire-checks", 1),
    Row(_of(quickfire, "gunnery", fires=1), "next; roll 5 5", "fire-checks", 0),
    Row(_of(quickfire, "repair", log={"speed_hits": 1}), "repair rook speed 3 3", "repairs", 1),
    Row(_of(quickfire, "repair", log={"speed_hits": 8}), "next; roll 1 1", "sinkings", 1),
)

CLONING = _of(clone, "gunnery")
CLONE = (
    Row(CLONING, "fire ajax heavy rook 100cm guess 100 base 6 1 1", "guns", 2),
    Row(CLONING, "torpedo ajax rook 1cm 1 1 1", "torpedoes", 1),
    Row(CLONING, "torpedo ajax rook 1cm 1 1 1; roll 6", "torpedo-hits", 6),
    Row(_of(clone, "move"), "collide ajax rook 1 1", "collisions", 2),
    Row(CLONING, "damage rook B; roll 6 6", "blast-hits", 1),
    Row(CLONING, "damage rook E; roll 1 1", "explosions", 2),
    Row(_of(clone, "gunnery", fires=1), "next; roll 6 6", "fire-checks", 1),
    Row(_of(clone, "repair", log={"speed_hits": 1}), "repair rook 5 5", "repairs", 1),
    Row(_of(clone, "repair", log={"speed_hits": 8}), "next; roll 1 1", "sinkings", 1),
)

GUNS = _of(gq2, "gunnery")
SEA = _of(gq2, "torpedo")
QUARTERS = (
    Row(GUNS, "fire ajax 12 rook straddle 5 1 1 1", "guns", 9),
    Row(GUNS, "fire ajax 12 rook straddle 5 9", "guns", 0),
    Row(GUNS, "fire ajax 12 rook straddle 5 1 4 9", "guns", 1),
    Row(GUNS, "fire ajax 6 rook straddle 5 1 3 1", "guns", 4),
    Row(SEA, "torpedo ajax rook stick 5 1", "torpedoes", 1),
    Row(SEA, "torpedo ajax rook stick 5 1; roll 2", "torpedo-hits", 10),
    Row(SEA, "torpedo ajax rook stick 5; roll 1", "torpedoes", 1),
    Row(_of(gq2, "movement"), "mine rook 1", "mines", 6),
    Row(_of(gq2, "movement"), "mine rook; roll 1", "mines", 6),
    Row(_of(gq2, "movement", df=1), "mine rook 1", "mines", 10),
    Row(GUNS, "damage rook CA; roll 9", "barbettes", 1),
    Row(GUNS, "damage rook CA; roll 0", "barbettes", 0),
    Row(SEA, "mark rook fires 1; next; roll 4", "damage-control", 1),
    Row(SEA, "mark rook fires 1; next; roll 5", "damage-control", 0),
    Row(SEA, "damage rook S; mark rook marker 3; next; roll 2", "sinkings", 1),
)

TABLES = {"advanced-quickfire": ADVANCED, "quickfire": STANDARD, "quickfire-clone": CLONE, "gq2": QUARTERS}


def _line(system: RuleSystem, entered: Revision) -> str:
    """The line that an entry's dice count for."""
    order = entered.after.versions[entered.number].order
    owed = entered.before.battle.question(order.key) if order.is_answer else None
    return system.counted_as(owed) if owed else order.word


ROWS = [(name, row) for name, rows in TABLES.items() for row in rows]


@pytest.mark.parametrize(("name", "row"), ROWS, ids=[f"{name}: {row.orders}" for name, row in ROWS])
def test_a_throw_counts_what_it_did(name: str, row: Row) -> None:
    """Catches codes that are left out, a fire put out that counts as harm, and dice of another kind."""
    system = our_systems()[name]
    *before, last = row.orders.split("; ")
    entered = played(system, row.start(), *before).enter(last)
    kind = kind_of(system.results, _line(system, entered))
    assert entered.ruling is not None
    counted = kind.counted(dict(entered.ruling.decision.outcome)) if kind else 0
    assert (kind.name if kind else "", counted) == (row.kind, row.count)


@pytest.mark.parametrize("name", OURS)
def test_a_line_counts_for_one_kind_alone_and_every_kind_has_its_case(name: str) -> None:
    kinds = our_systems()[name].results
    lines = [line for kind in kinds for line in kind.lines]
    assert len(set(lines)) == len(lines)
    assert {kind.name for kind in kinds} <= {row.kind for row in TABLES[name]}
