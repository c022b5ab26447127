"""Advanced Quickfire as the core sees it: its declarations and parts, and what its phases ask."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.grammar.order import Order
from qf_tui.core.log_sheet import NeededCells, SheetPart
from qf_tui.core.measure import Scalar
from qf_tui.core.ratings import Rating
from qf_tui.core.ship_facts import ShipFacts
from qf_tui.core.system import Phase, PreparedOrder, Setup
from qf_tui.core.values import Battle, Owed, Ship
from qf_tui.rules.advanced_quickfire import (
    boats,
    checks,
    grid,
    gunnery,
    initiative,
    ship,
    shots,
    targeting,
    torpedo,
)
from qf_tui.rules.advanced_quickfire.checks import REPAIRS
from qf_tui.rules.advanced_quickfire.clauses import CHANGED_RULINGS, CLAUSES
from qf_tui.rules.advanced_quickfire.damage import D12, Damage, HitSource
from qf_tui.rules.advanced_quickfire.facts import FACTS
from qf_tui.rules.advanced_quickfire.forms import FORMS
from qf_tui.rules.advanced_quickfire.game import CODES, GAME
from qf_tui.rules.advanced_quickfire.grid import needed_cells
from qf_tui.rules.advanced_quickfire.options import OPTIONS
from qf_tui.rules.advanced_quickfire.worth import RESULTS, WORTH
from qf_tui.rules.quickfire_family import movement, moves, repair
from qf_tui.rules.quickfire_family.attested import ATTESTED
from qf_tui.rules.quickfire_family.checks import owe_fire_checks
from qf_tui.rules.quickfire_family.rating import rate
from qf_tui.rules.quickfire_family.scales import declared
from qf_tui.rules.quickfire_family.ship import opening
from qf_tui.rules.quickfire_family.system import QuickfireSystem, may_attack
from qf_tui.rules.quickfire_family.throws import Roll, Throw


def _clauses(names: str) -> tuple[str, ...]:
    return tuple(f"AQF-{name}" for name in names.split())


PHASES = (
    Phase(
        "movement",
        "Movement",
        advice="measure from one fixed point of the model; no stacking at the end",
        moves=True,
        clauses=_clauses("PH-5 MV-1 MV-2 MV-3 MV-4 MV-5 MV-6"),
    ),
    Phase(
        "first-gunnery",
        "First gunnery",
        slashes=True,
        advice="declare every target before anything is resolved",
        clauses=_clauses(
            "GUN-1 PH-6 GUN-9 GUN-8 GUN-2 GUN-4 GUN-5 GUN-7 GUN-12 GUN-13 GUN-14 "
            "GUN-11 DAM-1 DAM-2 DAM-3 DAM-4 DAM-5 DAM-6 DAM-9 BG-1 BG-2 BG-3"
        ),
    ),
    Phase(
        "second-gunnery",
        "Second gunnery + torpedo",
        slashes=True,
        advice="only batteries that failed their roll; torpedoes are declared with the guns",
        clauses=_clauses("PH-3 GUN-3 PH-4 TOR-1 TOR-2 TOR-3 TOR-4 TOR-5 TOR-6 TOR-7"),
    ),
    Phase("recurring", "Recurring hits", clauses=_clauses("REC-1 REC-2 DAM-8")),
    Phase("repair", "Repair attempts", clauses=_clauses("REP-1 REP-2 REP-3 REP-4")),
    Phase("sinking", "Check for sinking", clauses=_clauses("SNK-1 SNK-2")),
)

_ADVICE: Mapping[str, tuple[str, ...]] = {
    "movement": (
        "movement from one fixed point of the model (AQF-SCA-3)",
        "pivots by the box in use: 8th 45°, 7th to 4th 90°, 3rd and 2nd 45°, 1st 0° (AQF-MV-2)",
        "two pivots: the second costs a box, an eighth between them (AQF-MV-3)",
        "ships may pass through each other, not end on each other (AQF-MV-5)",
    ),
    "first-gunnery": (
        (
            "declare every target before the first roll; "
            "the same side resolves first throughout (AQF-GUN-1, AQF-PH-6)"
        ),
        "range from forward funnel to forward funnel (AQF-SCA-3)",
        "line of sight and arcs on the table (AQF-GUN-15)",
    ),
    "second-gunnery": (
        "declare guns and torpedoes before the first roll (AQF-GUN-1, AQF-TOR-1)",
        "line of sight and arcs on the table; torpedoes within 270° of the bow (AQF-GUN-15, AQF-TOR-1)",
        "range from forward funnel to forward funnel (AQF-SCA-3)",
    ),
}


_ORDERS: Mapping[str, Callable[[Battle, Order], PreparedOrder]] = {
    "move": partial(moves.prepare_move, GAME),
    "fire": gunnery.prepare_fire,
    "boats": boats.prepare_boats,
    "torpedo": torpedo.prepare_torpedo,
    "repair": partial(repair.prepare_repair, GAME, REPAIRS),
    "initiative": initiative.prepare_initiative,
}
_THROWS: Mapping[str, Callable[[Battle, Roll, Order], Throw]] = {
    "fire": lambda battle, roll, order: gunnery.throw_of(battle, shots.shot_of(battle, order)),
    "torpedo": lambda battle, roll, order: torpedo.throw_of(torpedo.attack_of(battle, order)),
    "boats": lambda battle, roll, order: boats.throw_of(
        battle, battle.ships[order.text("target")], roll.dice, declared=True
    ),
    "repair": lambda battle, roll, order: repair.throw_of(REPAIRS, battle, roll.ship, order.text("kind")),
}

_BY_HAND: Mapping[str, HitSource] = {
    "heavy": HitSource.HEAVY,
    "light": HitSource.LIGHT,
    "boat": HitSource.BOATS,
}


class AdvancedQuickfire(QuickfireSystem):
    """Advanced Quickfire: its declarations, and what its phases ask."""

    name = "advanced-quickfire"
    title = "Advanced Quickfire"
    phases = PHASES
    fields = ship.FIELDS
    columns = grid.COLUMNS
    card = ship.CARD
    forms = FORMS
    facts = FACTS
    attested = ATTESTED
    options = OPTIONS
    charts = ("qf_tui.rules.advanced_quickfire", "charts.toml")
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
    by_hand = "AQF-DAM-10"
    damage_sources = tuple(_BY_HAND)
    own = grid.OWN
    torpedo = "torpedo_reload"
    ended_by = "AQF-PH-7"

    def work_out(self, ship: ShipFacts) -> Rating:
        return rate(ship)

    def muster(self, card: Mapping[str, Scalar], setup: Setup) -> Mapping[str, Scalar]:
        return {**ship.muster(card), **opening(card, setup)}

    def prepare_roll(self, battle: Battle, owed: Owed) -> PreparedOrder:
        if owed.line == initiative.LINE:
            return initiative.prepare_throw(battle, owed)
        return super().prepare_roll(battle, owed)

    def answerable(self, battle: Battle, owed: Owed) -> bool:
        return owed.line != initiative.LINE or initiative.in_turn(battle)

    def check(self, battle: Battle, roll: Roll) -> Throw:
        return checks.throw_of(battle, roll)

    def take(self, builder: DecisionBuilder, ship: str, codes: tuple[str, ...], source: str) -> None:
        Damage(builder, ship, _BY_HAND.get(source, HitSource.HEAVY)).take(codes)

    def counts(self, battle: Battle, began: Ship, ship: Ship) -> Iterable[SheetPart]:
        return grid.counts(began, ship)

    def needed_cells(self, battle: Battle) -> NeededCells:
        return needed_cells(battle)

    def may_do(self, battle: Battle, ship: Ship) -> tuple[str, str]:
        if battle.phase == "repair":
            return " ".join(repair.may_repair(GAME, REPAIRS, battle, ship)), "repair"
        return may_attack(battle, ship, targeting.may_fire, torpedo.may_launch)

    def bracket(self, battle: Battle, order: Order) -> str:
        return shots.range_of(battle, order) or ""

    def enter(self, battle: Battle, builder: DecisionBuilder) -> None:
        if battle.phase == "movement":
            movement.forget_movement(GAME, battle, builder)
            initiative.owe_throw(builder)
        elif battle.phase == "recurring":
            owe_fire_checks(builder, D12)
        elif battle.phase == "sinking":
            checks.owe_sinking(builder)

    def leave(self, battle: Battle, builder: DecisionBuilder, carried: bool) -> None:
        if carried:
            self.carry(builder)
        torpedo.cross_out(battle, builder)
        if battle.phase == "movement":
            movement.note_movement(GAME, battle, builder)
        elif battle.phase == "recurring":
            checks.owe_sx_checks(builder)

    def follow(self, battle: Battle, builder: DecisionBuilder) -> None:
        if battle.phase == "movement":
            initiative.owe_throw(builder)
        elif battle.phase == "recurring":
            checks.owe_sx_checks(builder)
        elif battle.phase == "sinking":
            checks.owe_sinking(builder)

    def phase_title(self, battle: Battle) -> str:
        order = initiative.order_words(battle) if battle.phase == "movement" else ""
        return f"{super().phase_title(battle)}: {order}" if order else super().phase_title(battle)

    def advice(self, battle: Battle) -> tuple[str, ...]:
        advice = _ADVICE.get(battle.phase, ())
        if battle.phase != "movement":
            return advice
        return (*advice, *(f"{words} (AQF-MV-6)" for words in moves.steered_offers(GAME, battle)))
