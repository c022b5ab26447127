"""A rule system with nothing in it, to fill only where a piece of one needs something."""

from collections.abc import Mapping

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.errors import Finding, impossible, refused
from qf_tui.core.facts import FactSchema
from qf_tui.core.grammar.forms import Form
from qf_tui.core.grammar.order import Order
from qf_tui.core.measure import Scalar
from qf_tui.core.system import (
    Available,
    CardField,
    ChartShape,
    Column,
    Field,
    Option,
    Phase,
    PreparedOrder,
    Scale,
    Setup,
    Shape,
    Span,
)
from qf_tui.core.values import SUNK, Battle, Owed, Ship


class Bare:
    """The seam with every part empty; see `qf_tui.core.system.RuleSystem`."""

    name: str
    title: str
    phases: tuple[Phase, ...]
    fields: tuple[Field, ...]
    columns: tuple[Column, ...]
    forms: tuple[Form, ...]
    clauses: Mapping[str, str]
    card: tuple[CardField, ...] = ()
    conditions: tuple[CardField, ...] = ()
    scales: tuple[Scale, ...] = (Scale("only", "in", "in"), Scale("only", "metric", "mm"))
    options: tuple[Option, ...] = ()
    charts: tuple[str, str] = ("", "")
    chart_shapes: Mapping[str, ChartShape] = {}
    facts: FactSchema = FactSchema()
    departure_statuses: tuple[str, ...] = ("withdrawn", SUNK)

    def muster(self, card: Mapping[str, Scalar], setup: Setup) -> Mapping[str, Scalar]:
        return {}

    def prepare(self, battle: Battle, order: Order) -> PreparedOrder:
        raise NotImplementedError

    def prepare_roll(self, battle: Battle, owed: Owed) -> PreparedOrder:
        raise NotImplementedError

    def prepare_answer(self, battle: Battle, owed: Owed, words: tuple[str, ...]) -> PreparedOrder:
        raise NotImplementedError

    def prepare_damage(self, battle: Battle, ship: str, codes: tuple[str, ...]) -> PreparedOrder:
        return PreparedOrder(findings=(impossible("no damage codes here"),))

    def enter(self, battle: Battle, builder: DecisionBuilder) -> None:
        """Owes nothing."""

    def leave(self, battle: Battle, builder: DecisionBuilder, carried: bool) -> bool:
        return True

    def follow(self, battle: Battle, builder: DecisionBuilder) -> None:
        """Nothing follows."""

    def may_act(self, battle: Battle) -> tuple[Available, ...]:
        return tuple(Available(ship.id, "") for ship in battle.ships.values() if ship.afloat)

    def report(self, battle: Battle, ship: Ship) -> Mapping[str, Shape]:
        raise NotImplementedError

    def cell(self, battle: Battle, ship: Ship, column: Column) -> tuple[Span, ...]:
        return (Span(str(self.report(battle, ship)[column.name])),)

    def sheet(self, battle: Battle, ship: Ship) -> tuple[tuple[str, tuple[Span, ...]], ...]:
        return tuple((column.title, self.cell(battle, ship, column)) for column in self.columns)

    def advice(self, battle: Battle) -> tuple[str, ...]:
        return ()

    def on_table(self, before: Battle, after: Battle) -> tuple[tuple[str, str], ...]:
        return ()

    def ended(self, battle: Battle) -> str:
        return ""


def of_phase(battle: Battle, form: Form, clause: str) -> tuple[Finding, ...]:
    """What stands against an order outside its phases."""
    if not form.phases or battle.phase in form.phases:
        return ()
    return (refused(f"{form.word} belongs to {' or '.join(form.phases)}", clause),)
