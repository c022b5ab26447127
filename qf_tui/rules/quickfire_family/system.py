"""A game as the core sees it, as far as the games do not differ: its parts put together, orders sent to them."""

from collections.abc import Callable, Mapping

from attrs import frozen

from qf_tui.core.builtin_forms import all_forms
from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.effects import Op
from qf_tui.core.facts import FactSchema
from qf_tui.core.grammar.forms import Form
from qf_tui.core.grammar.order import Order
from qf_tui.core.grammar.reader import parse
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
    RuleSystem,
    Scale,
    Setup,
    Shape,
    Span,
    find_phase,
)
from qf_tui.core.values import Battle, Owed, Ship
from qf_tui.rules.quickfire_family import grid, report
from qf_tui.rules.quickfire_family.carried import as_declared, waits_declared, with_declaration
from qf_tui.rules.quickfire_family.damage import Take, by_hand
from qf_tui.rules.quickfire_family.game import Game
from qf_tui.rules.quickfire_family.scales import declared
from qf_tui.rules.quickfire_family.ship import STATUSES, Battery
from qf_tui.rules.quickfire_family.targeting import side_out
from qf_tui.rules.quickfire_family.throws import Roll, Throw, answer_ready, ready, roll_of


@frozen(eq=False)
class Parts:
    """What a game is put together from, beside what it declares.

    `orders` make its orders ready, by word; `throws` give the throw of a declared order, by the line that it owes;
    `check` that of any other roll. `codes` are its damage codes, taken by `take` when the umpire says so
    (`by_hand` is the clause). `waits` tells what a ship may still do and the order for it. `own` are the cells that
    it draws itself, `torpedo` the field of the log for its torpedoes, `ended` what follows where a side has no ship.
    """

    game: Game
    clauses: Mapping[str, str]
    muster: Callable[[Mapping[str, Scalar]], Mapping[str, Scalar]]
    orders: Mapping[str, Callable[[Battle, Order], PreparedOrder]]
    throws: Mapping[str, Callable[[Battle, Roll, Order], Throw]]
    check: Callable[[Battle, Roll], Throw]
    codes: tuple[str, ...]
    by_hand: str
    take: Take
    waits: Callable[[Battle, Ship], tuple[str, str]]
    own: grid.Own
    torpedo: str
    ended: str = ""


class QuickfireSystem:
    """The seam filled from a game's parts; a game says itself what its phases ask and advise."""

    name: str
    title: str
    parts: Parts
    phases: tuple[Phase, ...]
    fields: tuple[Field, ...]
    columns: tuple[Column, ...]
    card: tuple[CardField, ...]
    conditions: tuple[CardField, ...] = ()
    forms: tuple[Form, ...]
    facts: FactSchema
    options: tuple[Option, ...]
    departure_statuses: tuple[str, ...] = STATUSES[1:]

    @property
    def scales(self) -> tuple[Scale, ...]:
        return declared(self.parts.game.scales)

    @property
    def clauses(self) -> Mapping[str, str]:
        return self.parts.clauses

    @property
    def chart_shapes(self) -> Mapping[str, ChartShape]:
        return self.parts.game.shapes

    def muster(self, card: Mapping[str, Scalar], setup: Setup) -> Mapping[str, Scalar]:
        return self.parts.muster(card)

    def prepare(self, battle: Battle, order: Order) -> PreparedOrder:
        return self.parts.orders[order.word](battle, order)

    def prepare_roll(self, battle: Battle, owed: Owed) -> PreparedOrder:
        roll = roll_of(owed)
        return ready(self.parts.game, battle, roll, self._throw(battle, roll))

    def prepare_answer(self, battle: Battle, owed: Owed, words: tuple[str, ...]) -> PreparedOrder:
        return answer_ready(self.parts.game, battle, owed, words, lambda roll: self._throw(battle, roll))

    def _throw(self, battle: Battle, roll: Roll) -> Throw:
        if not roll.order:
            return self.parts.check(battle, roll)
        order = parse(roll.order, all_forms(_seam(self)), battle)
        return self.parts.throws[roll.line](as_declared(battle, roll, order), roll, order)

    def carry(self, builder: DecisionBuilder) -> None:
        """Before a phase ends with attacks still owed by the umpire's word: notes what they will be judged by."""
        battle = builder.battle
        if not any(map(waits_declared, battle.owed)):
            return
        for owed in battle.owed:
            order = parse(owed.order, all_forms(_seam(self)), battle) if waits_declared(owed) else None
            builder.settle(owed)
            kept = with_declaration(battle, owed, order) if order else owed
            builder.write(Op.OWE, owed.ship, owed.line, kept)

    def prepare_damage(self, battle: Battle, ship: str, codes: tuple[str, ...]) -> PreparedOrder:
        parts = self.parts
        return by_hand(parts.game, battle, ship, codes, parts.codes, parts.by_hand, parts.take)

    def follow(self, battle: Battle, builder: DecisionBuilder) -> None:
        """Nothing falls due between the rolls of a phase."""

    def may_act(self, battle: Battle) -> tuple[Available, ...]:
        each = ((ship.id, *self.parts.waits(battle, ship)) for ship in battle.ships.values())
        return tuple(Available(id, what, order) for id, what, order in each if what)

    def report(self, battle: Battle, ship: Ship) -> Mapping[str, Shape]:
        return report.report(self.parts.game, battle, ship, self.parts.torpedo)

    def cell(self, battle: Battle, ship: Ship, column: Column) -> tuple[Span, ...]:
        slashes = find_phase(_seam(self), battle.phase).slashes
        return grid.cell(self.parts.game, battle, ship, column, self.parts.own, slashes=slashes)

    def sheet(self, battle: Battle, ship: Ship) -> tuple[tuple[str, tuple[Span, ...]], ...]:
        slashes = find_phase(_seam(self), battle.phase).slashes
        return grid.sheet(self.parts.game, battle, ship, self.columns, self.parts.own, slashes=slashes)

    def on_table(self, before: Battle, after: Battle) -> tuple[tuple[str, str], ...]:
        return report.on_table(self.parts.game, before, after, self.parts.torpedo)

    def ended(self, battle: Battle) -> str:
        """The end is offered when a side has no ship left in the battle."""
        side = side_out(battle)
        return f"{side} has no ship left in the battle: it may end here{self.parts.ended}" if side else ""


def _seam(system: QuickfireSystem) -> RuleSystem:
    """The system as the core sees it, once a game has filled what is left."""
    return system  # type: ignore[return-value]


def may_move(ship: Ship) -> tuple[str, str]:
    """What a ship may do in the movement phase, and the order for it."""
    return ("move", "move") if ship.afloat and ship.log.get("moved") is None else ("", "")


def may_attack(
    battle: Battle,
    ship: Ship,
    fires: Callable[[Battle, Ship, Battery], bool],
    launches: Callable[[Battle, Ship], bool],
) -> tuple[str, str]:
    """The letters of what a ship may fire and launch, and the order for it."""
    letters = "".join(battery.value[0].upper() for battery in Battery if fires(battle, ship, battery))
    if launches(battle, ship):
        letters += "T"
    return letters, "torpedo" if letters == "T" else "fire"
