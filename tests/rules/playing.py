"""Small battles played by typed orders, for tables of rules.

A `Family` has the usual ships and tables of one Quickfire game; a test names the differences.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypedDict, Unpack

import pytest
from attrs import evolve, field, frozen

from qf_tui.core.decisions import Reason, with_overlay
from qf_tui.core.declarations import Setup, Shape
from qf_tui.core.errors import OrderRefused
from qf_tui.core.system import RuleSystem, Span
from qf_tui.core.text import Scalar
from qf_tui.core.values import (
    Act,
    Battle,
    Chart,
    ChartCell,
    ChartRow,
    Division,
    Mark,
    Owed,
    Provenance,
    Ship,
    Side,
)
from qf_tui.library.charts import load_shipped_charts
from qf_tui.rules.quickfire_family.ledger import ORDERED_PHASE
from qf_tui.session import Session

Least = Callable[[Owed], str]
"""Writes the roll that does least for an owed question."""


def begin(
    system: RuleSystem,
    ships: tuple[Ship, ...],
    phase: str,
    table: Mapping[str, Scalar],
    options: Mapping[str, str],
) -> Battle:
    """Build a battle in some phase of its first turn, with table conditions and switches."""
    assert phase in [each.name for each in system.phases]
    assert options.items() <= {(option.name, value) for option in system.options for value in option.values}
    names = dict.fromkeys(["blue", "red", *(each.side for each in ships)])
    sides = tuple(Side(name, name.capitalize(), (Division(f"{name}-line", "Line"),)) for name in names)
    start = Battle(
        turn=1,
        phase=phase,
        sides=sides,
        ships={each.id: each for each in ships},
        table={"dice": "table", **table},
        options=dict(options),
        charts=load_shipped_charts(system),
        acts=(Act(1, phase, ORDERED_PHASE, ""),) if "gunnery" in phase else (),
    )
    return evolve(start, began=start)


def lay_cells(start: Battle, table: str, row: str, cells: Mapping[str, str]) -> Battle:
    """Lay a few cells of the umpire's own over one line of a chart."""
    own = {column: ChartCell(text, Provenance.OWN, "my chart") for column, text in cells.items()}
    overlay = {table: Chart(table, table, {row: ChartRow(row, own)})}
    over = evolve(start, charts=with_overlay(start.charts, overlay), began=None)
    return evolve(over, began=over)


def write_chart(system: RuleSystem, folder: Path, text: str) -> Path:
    """Write an umpire's chart to disk."""
    path = folder / "mine.toml"
    path.write_text(f'ruleset = "{system.name}"\n{text}', encoding="utf-8")
    return path


def format_cell(table: str, row: str, column: str, text: str) -> str:
    """Write the text of a chart with one cell."""
    return (
        f'[[table]]\nname = "{table}"\n[[table.row]]\nname = "{row}"\ncells = {{ "{column}" = "{text}" }}\n'
    )


def played(system: RuleSystem, start: Battle, *orders: str) -> Session:
    """Begin a battle and enter orders, each of which must be accepted."""
    return enter(Session.begin(system, start), *orders)


def enter(session: Session, *orders: str) -> Session:
    """Enter more orders and return the session."""
    for order in orders:
        session.enter(order)
    return session


def pass_phase(session: Session, least: Least) -> None:
    """Enter one `next`, after rolling everything owed with the least effect."""
    while session.battle.owed:
        session.enter(f"roll {least(session.battle.owed[0])}")
    session.enter("next")


def play_to_phase(session: Session, name: str, least: Least) -> Session:
    """Go on by `next` to a phase, with the least effect on the way."""
    for _ in range(len(session.system.phases) + 4):
        pass_phase(session, least)
        if session.battle.phase == name:
            return session
    raise AssertionError(f"{name} was not reached from {session.battle.phase}")


def values(session: Session, id: str) -> Mapping[str, Shape]:
    """Read a ship's values as scripts see them."""
    return session.system.report(session.battle, session.battle.ships[id])


def changed(session: Session, order: str, id: str = "rook") -> dict[str, Shape]:
    """Enter an order and return the values of a ship that it changed."""
    before = values(session, id)
    session.enter(order)
    after = values(session, id)
    return {name: after[name] for name in after if after[name] != before[name]}


def refusal(session: Session, order: str) -> str:
    """Return the clause by which an order is refused."""
    before = session.timeline
    with pytest.raises(OrderRefused) as refused:
        session.enter(order)
    assert session.timeline is before
    return refused.value.clause


def is_allowed(session: Session, order: str) -> bool:
    """Return whether an order could be entered now."""
    return session.preview_order(order).fine


def list_clauses(session: Session, order: str) -> list[str]:
    """List the clauses against an order, without entering it."""
    return [found.clause for found in session.preview_order(order).findings]


def result(session: Session, order: str) -> dict[str, Scalar | tuple[str, ...]]:
    """Enter an order and return the facts of its outcome."""
    ruling = session.enter(order).ruling
    assert ruling is not None
    return dict(ruling.decision.outcome)


def reasons(session: Session, order: str) -> tuple[Reason, ...]:
    """Enter an order and return its reasons."""
    ruling = session.enter(order).ruling
    assert ruling is not None
    return ruling.decision.reasons


def owed(session: Session) -> list[str]:
    """List the owed lines in order of answering, as `direction rook`."""
    return [f"{roll.line} {roll.ship}" for roll in session.battle.owed]


def question(session: Session, line: str) -> Owed:
    """Find the first owed roll or question of a line."""
    return next(roll for roll in session.battle.owed if roll.line == line)


def draw_cell(session: Session, id: str, column: str) -> str:
    """Draw a grid cell as text."""
    shown = next(each for each in session.system.columns if each.name == column)
    return format_spans(session.system.cell(session.battle, session.battle.ships[id], shown))


def format_spans(spans: tuple[Span, ...]) -> str:
    """Format spans: slashes in round brackets, crosses in square ones, repaired boxes in braces."""
    brackets = {"slash": "()", "cross": "[]", "repaired": "{}"}
    shown = []
    for span in spans:
        pair = brackets.get(span.tone, "")
        shown.append(f"{pair[:1]}{span.text.strip()}{pair[1:]}")
    return "".join(shown)


Arcs = TypedDict(
    "Arcs",
    {"arcs.bow.heavy": str, "arcs.bow.light": str, "arcs.stern.heavy": str, "arcs.stern.light": str},
    total=False,
)
"""Arcs of the guns over the ends, if the card states them."""


class Card(Arcs, total=False):
    """The values of a card by fleet-file keys: pairs of heavy and light, torpedoes by size and reload."""

    name: str
    kind: str
    size: float
    gunnery: tuple[float, float]
    armor: tuple[float, float]
    rof: tuple[int, int]
    torpedo: int | tuple[int, int] | None
    boat_guns: int
    speed: float
    speed_scale: str
    protected: bool
    repair: int
    torpedo_boat: bool
    end_arc: str
    base: float
    notes: str


PAIRS: Mapping[str, tuple[str, str]] = dict.fromkeys(("gunnery", "armor", "rof"), ("heavy", "light"))
"""Keys that a card prints in pairs, and the names of the two."""


@frozen
class Family:
    """The usual ships, the table and the gunnery phase of one system of the family."""

    system: RuleSystem
    setup: Setup
    phase: str
    battleship: Card
    destroyer: Card = field(factory=Card)
    pairs: Mapping[str, tuple[str, str]] = PAIRS

    def ship(
        self,
        id: str,
        side: str = "blue",
        *,
        log: Mapping[str, Scalar] | None = None,
        fires: int = 0,
        courses: tuple[str, ...] = (),
        **card: Unpack[Card],
    ) -> Ship:
        """Build a battleship, as it musters.

        `card` has other values by fleet-file keys; `log`, `fires` and `courses` are its damage.
        """
        printed = self._flat({"name": id.capitalize(), **self.battleship, **card})
        mustered = {**self.system.muster(printed, self.setup), **(log or {})}
        marks = [Mark(f"0.f{at}", "fires") for at in range(fires)]
        marks += [Mark(f"0.c{at}", "course", text) for at, text in enumerate(courses)]
        return Ship(id, str(printed["name"]), side, f"{side}-line", printed, mustered, tuple(marks))

    def craft(
        self, id: str, side: str = "red", *, log: Mapping[str, Scalar] | None = None, **card: Unpack[Card]
    ) -> Ship:
        """Build a destroyer, as it musters: light craft that boat guns may hurt."""
        light: Card = {**self.destroyer, **card}
        return self.ship(id, side, log=log, **light)

    def battle(self, *ships: Ship, phase: str = "", **given: str | bool) -> Battle:
        """Build a battle in some phase of its first turn; by default ajax (blue) and rook (red).

        `given` are table conditions and switches, by name.
        """
        usual: dict[str, str | bool] = {"units": self.setup.units, "scale": self.setup.scale, "strict": False}
        table: dict[str, Scalar] = {name: given.get(name, value) for name, value in usual.items()}
        switches = {name: str(value) for name, value in given.items() if name not in usual}
        ships = ships or (self.ship("ajax"), self.ship("rook", "red"))
        return begin(self.system, ships, phase or self.phase, table, switches)

    def _flat(self, card: Card) -> dict[str, Scalar]:
        flat: dict[str, Scalar] = {}
        for key, value in card.items():
            if key in self.pairs:
                both = value if isinstance(value, tuple) else (None, None)
                flat |= {f"{key}.{part}": one for part, one in zip(self.pairs[key], both, strict=True)}
            else:
                assert value is None or isinstance(value, int | float | str)
                flat[key] = value
        return flat
