"""Small battles of Advanced Quickfire for tables of rules, played through orders as an umpire types them.

The usual ship fires on any black die (ROF 12), is a 200% match for its like, and makes 8″: one for each box.
"""

from collections.abc import Mapping
from functools import cache

import pytest
from attrs import evolve

from qf_tui.core.charts import Cell, Chart, Charts, Row, Standing
from qf_tui.core.effects import lay_over
from qf_tui.core.errors import OrderRefused
from qf_tui.core.ledger import Reason
from qf_tui.core.measure import Scalar
from qf_tui.core.system import Setup, Shape, Span
from qf_tui.core.values import Battle, Division, Mark, Owed, Ship, Side
from qf_tui.library.charts import shipped_charts
from qf_tui.rules.advanced_quickfire import SYSTEM
from qf_tui.session import Session

PHASES = tuple(phase.name for phase in SYSTEM.phases)
PAIRS = ("gunnery", "armor", "rof")
NO_SHOT = "12 12"
"""Dice that do nothing on the 200% line: it fires, and misses."""


def ship(
    id: str,
    side: str = "blue",
    *,
    log: Mapping[str, Scalar] | None = None,
    fires: int = 0,
    courses: tuple[str, ...] = (),
    **card: object,
) -> Ship:
    """A battleship, as it musters; `card` differs by fleet-file keys, `log` and marks are what it has suffered."""
    given: dict[str, object] = {
        "name": id.capitalize(),
        "kind": "battleship",
        "size": 12,
        "gunnery": (20, 20),
        "armor": (10, 10),
        "rof": (12, 12),
        "torpedo": (18, 8),
        "boat_guns": 3,
        "speed": 8,
        "protected": False,
        "repair": 5,
        "torpedo_boat": False,
        "end_arc": "halved",
        **card,
    }
    flat: dict[str, Scalar] = {}
    for key, value in given.items():
        if key in PAIRS and isinstance(value, tuple):
            heavy, light = value
            flat.update({f"{key}.heavy": heavy, f"{key}.light": light})
        elif key == "torpedo":
            size, reload = value if isinstance(value, tuple) else (None, None)
            flat.update({"torpedo.size": size, "torpedo.reload": reload})
        else:
            assert value is None or isinstance(value, int | float | str | bool)
            flat[key] = value
    mustered = {**SYSTEM.muster(flat, Setup("medium", "in")), **(log or {})}
    marks = [Mark(f"0.f{at}", "fires") for at in range(fires)]
    marks += [Mark(f"0.c{at}", "course", text) for at, text in enumerate(courses)]
    return Ship(id, str(flat["name"]), side, f"{side}-line", flat, mustered, tuple(marks))


def craft(id: str, side: str = "red", **card: object) -> Ship:
    """A destroyer, as it musters: light craft that boat guns may hurt."""
    usual: dict[str, object] = {
        "kind": "destroyer",
        "size": 0.5,
        "gunnery": (0, 0),
        "armor": (0.5, 0.5),
        "rof": (0, 0),
        "torpedo": (14, 8),
        "boat_guns": 1,
        "repair": 1,
    }
    return ship(id, side, **{**usual, **card})  # type: ignore[arg-type]


@cache
def charts() -> Charts:
    """The charts that come with the rules."""
    return shipped_charts(SYSTEM)


def battle(
    *ships: Ship,
    phase: str = "first-gunnery",
    scale: str = "medium",
    units: str = "in",
    strict: bool = False,
    **options: str,
) -> Battle:
    """A battle in some phase of its first turn; ajax (blue) and rook (red) unless told."""
    ships = ships or (ship("ajax"), ship("rook", "red"))
    names = dict.fromkeys(["blue", "red", *(each.side for each in ships)])
    sides = tuple(Side(name, name.capitalize(), (Division(f"{name}-line", "Line"),)) for name in names)
    table: dict[str, Scalar] = {"units": units, "scale": scale, "strict": strict, "dice": "table"}
    start = Battle(
        turn=1,
        phase=phase,
        sides=sides,
        ships={each.id: each for each in ships},
        table=table,
        options=dict(options),
        charts=charts(),
    )
    return evolve(start, began=start)


def laid(start: Battle, table: str, row: str, cells: Mapping[str, str]) -> Battle:
    """The battle with a few cells of the umpire's own in one line of its chart."""
    own = {column: Cell(text, Standing.OWN, "my chart") for column, text in cells.items()}
    overlay = {table: Chart(table, table, {row: Row(row, own)})}
    over = evolve(start, charts=lay_over(start.charts, overlay), began=None)
    return evolve(over, began=over)


def played(start: Battle, *orders: str) -> Session:
    """The battle after orders, each of which must be accepted."""
    session = Session.begin(SYSTEM, start)
    for order in orders:
        session.enter(order)
    return session


def to_phase(session: Session, name: str) -> Session:
    """The same session once `next` has brought that phase; what is owed on the way is rolled without effect."""
    for _ in PHASES:
        while session.battle.owed:
            session.enter("roll 12" if session.battle.owed[0].line == "sinking" else "roll 8")
        session.enter("next")
        if session.battle.phase == name:
            return session
    raise AssertionError(f"{name} was not reached from {session.battle.phase}")


def values(session: Session, id: str) -> Mapping[str, Shape]:
    """A ship's values as scripts see them."""
    return SYSTEM.report(session.battle, session.battle.ships[id])


def changed(session: Session, order: str, id: str = "rook") -> dict[str, Shape]:
    """What an order changes of a ship, by the values afterwards."""
    before = values(session, id)
    session.enter(order)
    after = values(session, id)
    return {name: after[name] for name in after if after[name] != before[name]}


def refusal(session: Session, order: str) -> str:
    """The clause by which an order is refused."""
    before = session.timeline
    with pytest.raises(OrderRefused) as refused:
        session.enter(order)
    assert session.timeline is before
    return refused.value.clause


def allowed(session: Session, order: str) -> bool:
    """Whether an order could be entered now; nothing is entered."""
    return session.prospect(order).fine


def result(session: Session, order: str) -> dict[str, Scalar | tuple[str, ...]]:
    """The facts of an order's outcome."""
    ruling = session.enter(order).ruling
    assert ruling is not None
    return dict(ruling.decision.outcome)


def reasons(session: Session, order: str) -> tuple[Reason, ...]:
    """Why an order did what it did."""
    ruling = session.enter(order).ruling
    assert ruling is not None
    return ruling.decision.reasons


def owed(session: Session) -> list[str]:
    """The lines that are owed, as `direction rook`, the first to be answered first."""
    return [f"{each.line} {each.ship}" for each in session.battle.owed]


def question(session: Session, line: str) -> Owed:
    """The first owed roll or question of that line."""
    return next(each for each in session.battle.owed if each.line == line)


def drawn(session: Session, id: str, column: str) -> str:
    """A grid cell as text, its slashes in round brackets and its crosses in square ones."""
    shown = next(each for each in SYSTEM.columns if each.name == column)
    return written(SYSTEM.cell(session.battle, session.battle.ships[id], shown))


def written(spans: tuple[Span, ...]) -> str:
    """Spans as text, slashes in round brackets, crosses in square ones, what is repaired in braces."""
    brackets = {"slash": "()", "cross": "[]", "repaired": "{}"}
    shown = []
    for span in spans:
        pair = brackets.get(span.tone, "")
        shown.append(f"{pair[:1]}{span.text.strip()}{pair[1:]}")
    return "".join(shown)
