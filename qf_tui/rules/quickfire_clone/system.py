"""Quickfire-Clone as the core sees it: the declarations put together, each order sent to its module."""

from collections.abc import Callable, Iterable, Mapping

from attrs import evolve

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.declarations import NeededCells, SheetPart
from qf_tui.core.grammar.forms import Order
from qf_tui.core.ship_facts import Rating, ShipFacts
from qf_tui.core.system import Phase, PreparedOrder, Setup
from qf_tui.core.text import Scalar
from qf_tui.core.values import Battle, Owed, Ship
from qf_tui.rules.quickfire_clone import collision, damage, gunnery, ship
from qf_tui.rules.quickfire_clone.clauses import CHANGED_RULINGS, CLAUSES, OPTIONS, option
from qf_tui.rules.quickfire_clone.damage import BY_HAND_OF, TWO_DICE, take
from qf_tui.rules.quickfire_clone.game import CODES, FACTS, FORMS, GAME, perhaps_centimetres
from qf_tui.rules.quickfire_clone.ship import ATTESTED_BY_CLONE, RESULTS, WORTH, needed_cells, rate
from qf_tui.rules.quickfire_clone.ship import counts as grid_counts
from qf_tui.rules.quickfire_family import movement
from qf_tui.rules.quickfire_family.damage import owe_fire_checks
from qf_tui.rules.quickfire_family.game import declared
from qf_tui.rules.quickfire_family.ship import available_speed, opening, speed_of_boxes
from qf_tui.rules.quickfire_family.system import QuickfireSystem, may_attack
from qf_tui.rules.quickfire_family.throws import Roll, Throw

TEMPLATES = "turn the models by the templates on the table (QFC-MV-3)"


def _clauses(names: str) -> tuple[str, ...]:
    return tuple(f"QFC-{name}" for name in names.split())


PHASES = (
    Phase(
        "move",
        "Movement",
        slashes=True,
        advice="all ships move at once, turning by templates",
        moves=True,
        clauses=_clauses("MV-1 MV-2 MV-3 MV-4 COL-1 COL-2"),
    ),
    Phase(
        "gunnery",
        "Gunnery and torpedoes",
        slashes=True,
        advice="write down firer, target and estimate before anything is measured",
        clauses=_clauses(
            "GUN-12 GUN-6 GUN-5 GUN-2 GUN-4 GUN-7 GUN-1 GUN-8 GUN-9 GUN-3 "
            "BLA-1 BLA-2 BLA-3 BLA-4 BLA-5 TOR-1 TOR-2 TOR-3"
        ),
    ),
    Phase(
        "repair",
        "Repair and sinking",
        advice="fires first, then repairs, then who sinks",
        clauses=_clauses("PH-3 REP-1 REP-2 SNK-1 SNK-2"),
    ),
)

_ADVICE: Mapping[str, tuple[str, ...]] = {
    "move": (
        "all ships move at once; the console keeps millimetres (QFC-MV-4)",
        TEMPLATES,
        "ships that collide stop (QFC-COL-1)",
    ),
    "gunnery": (
        (
            "firer, target and estimated range are written down in secret, "
            "all before the first roll (QFC-GUN-12)"
        ),
        "sight and range run from forward smokestack to forward smokestack (QFC-GUN-6)",
        "no line of sight through vessels, their bases or land, for guns and torpedoes (QFC-GUN-11)",
        "end arcs: 60° ahead and astern (QFC-GUN-1)",
    ),
    "repair": ("fire checks, then repairs, then sinking (QFC-PH-3)",),
}


def _move(battle: Battle, order: Order) -> PreparedOrder:
    """`move`, by the speed as the phase began (QFC-COL-2); it adds that templates turn models (QFC-MV-3)."""
    begun = ship.with_speed_as_begun(battle, order.many("ships"))
    made = movement.prepare_move(GAME, begun, order)
    ships = [begun.ships[id] for id in order.many("ships")]
    box = max(speed_of_boxes(GAME, begun, one, 1) for one in ships)
    most = max(available_speed(GAME, begun, one) for one in ships)
    unit = perhaps_centimetres(order.slots["distance"], box, most)
    return evolve(made, reminders=(*unit, *made.reminders, TEMPLATES))


_ORDERS: Mapping[str, Callable[[Battle, Order], PreparedOrder]] = {
    "move": _move,
    "collide": collision.prepare_collide,
    "fire": gunnery.prepare_fire,
    "torpedo": gunnery.prepare_torpedo,
    "repair": damage.prepare_repair,
}
_THROWS: Mapping[str, Callable[[Battle, Roll, Order], Throw]] = {
    "collide": lambda battle, roll, order: collision.throw_of(battle, collision.blows_of(battle, order)),
    "fire": lambda battle, roll, order: gunnery.throw_of(battle, gunnery.shot_of(battle, order)),
    "torpedo": lambda battle, roll, order: gunnery.torpedo_throw(battle, order),
    "repair": lambda battle, roll, order: damage.repair_throw(battle, roll.ship, roll.entry),
}


class QuickfireClone(QuickfireSystem):
    """Quickfire-Clone: its declarations, and what its phases ask."""

    name = "quickfire-clone"
    title = "Quickfire-Clone"
    phases = PHASES
    fields = ship.FIELDS
    columns = ship.COLUMNS
    card = ship.CARD
    forms = FORMS
    facts = FACTS
    attested = ATTESTED_BY_CLONE
    options = OPTIONS
    charts = ("qf_tui.rules.quickfire_clone", "charts.toml")
    scales = declared(GAME.scales)
    clauses = CLAUSES
    changed_rulings = CHANGED_RULINGS
    chart_shapes = GAME.shapes
    worth = WORTH
    results = RESULTS
    game = GAME
    orders = _ORDERS
    throws = _THROWS
    codes = CODES
    by_hand = "QFC-BLA-5"
    by_hand_of = BY_HAND_OF
    own = ship.OWN
    torpedo = "torpedo"
    ended_by = "QFC-PH-1"

    def work_out(self, ship: ShipFacts) -> Rating:
        return rate(ship)

    def muster(self, card: Mapping[str, Scalar], setup: Setup) -> Mapping[str, Scalar]:
        return {**ship.muster(card), **opening(card, setup)}

    def check(self, battle: Battle, roll: Roll) -> Throw:
        return damage.throw_of(battle, roll)

    def take(self, builder: DecisionBuilder, ship: str, codes: tuple[str, ...], source: str) -> None:
        take(builder, ship, codes)

    def counts(self, battle: Battle, began: Ship, ship: Ship) -> Iterable[SheetPart]:
        return grid_counts(began, ship)

    def needed_cells(self, battle: Battle) -> NeededCells:
        return needed_cells(battle)

    def may_do(self, battle: Battle, ship: Ship) -> tuple[str, str]:
        if battle.phase == "repair":
            return ("repair", "repair") if damage.may_repair(battle, ship) else ("", "")
        return may_attack(battle, ship, gunnery.may_fire, gunnery.may_launch)

    def prepare_answer(self, battle: Battle, owed: Owed, words: tuple[str, ...]) -> PreparedOrder:
        """Every cell is attested: the one question in words is what a repair fixes."""
        return damage.prepare_choice(battle, owed, words)

    def answerable(self, battle: Battle, owed: Owed) -> bool:
        return damage.may_choose(battle, owed)

    def lapse(self, builder: DecisionBuilder, owed: Owed) -> None:
        damage.lapse(builder, owed)

    def bracket(self, battle: Battle, order: Order) -> str:
        return gunnery.bracket_of(order)

    def enter(self, battle: Battle, builder: DecisionBuilder) -> None:
        if battle.phase == GAME.movement:
            movement.forget_movement(GAME, battle, builder)
            collision.stop_collided(battle, builder)
            damage.owe_directions(builder)
        elif battle.phase == "repair":
            owe_fire_checks(builder, *TWO_DICE, each_fire=option(battle, "fire_checks") == "each-fire")

    def leave(self, battle: Battle, builder: DecisionBuilder, carried: bool) -> bool | None:
        """The end of movement notes who moved how far; the repair phase first asks who sinks (QFC-PH-3)."""
        if carried:
            self.carry(builder)
        if battle.phase == GAME.movement:
            movement.note_movement(GAME, battle, builder)
        if battle.phase != "repair":
            return False
        return damage.owe_sinking(builder) and not carried

    def advice(self, battle: Battle) -> tuple[str, ...]:
        moves = battle.phase == GAME.movement
        steered = (f"{words} (QFC-BLA-4)" for words in movement.steered(battle) if moves)
        return (*_ADVICE[battle.phase], *steered)
