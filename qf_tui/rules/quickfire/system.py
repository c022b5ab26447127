"""Quickfire as the core sees it: its declarations and parts, and what its phases ask."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.grammar.order import Order
from qf_tui.core.log_sheet import NeededCells, SheetPart
from qf_tui.core.measure import Scalar
from qf_tui.core.ratings import Rating
from qf_tui.core.ship_facts import ShipFacts
from qf_tui.core.system import Phase, PreparedOrder, Setup
from qf_tui.core.values import Battle, Ship
from qf_tui.rules.quickfire import boats, checks, grid, gunnery, repair, ship, shots, targeting, torpedo
from qf_tui.rules.quickfire.attested import ATTESTED
from qf_tui.rules.quickfire.clauses import CHANGED_RULINGS, CLAUSES
from qf_tui.rules.quickfire.damage import TWO_D6, Damage
from qf_tui.rules.quickfire.facts import FACTS
from qf_tui.rules.quickfire.forms import FORMS
from qf_tui.rules.quickfire.game import CODES, GAME
from qf_tui.rules.quickfire.grid import needed_cells
from qf_tui.rules.quickfire.options import OPTIONS, option
from qf_tui.rules.quickfire.rating import rate
from qf_tui.rules.quickfire.shots import range_of
from qf_tui.rules.quickfire.worth import RESULTS, WORTH
from qf_tui.rules.quickfire_family import movement, moves
from qf_tui.rules.quickfire_family.checks import owe_fire_checks
from qf_tui.rules.quickfire_family.scales import declared
from qf_tui.rules.quickfire_family.ship import Battery, opening
from qf_tui.rules.quickfire_family.system import QuickfireSystem, may_attack
from qf_tui.rules.quickfire_family.throws import Roll, Throw

ENDED = "gunnery-ended"
"""The act of ending a gunnery phase: a turn may have several."""


def gunnery_phases(battle: Battle) -> tuple[int, int]:
    """How many gunnery phases of this turn are over, and how many it has (QF-OPT-1)."""
    return len(battle.done(ENDED, "")), int(option(battle, "gunnery_phases"))


def _again(battle: Battle) -> bool:
    ended, most = gunnery_phases(battle)
    return ended < most


def _clauses(names: str) -> tuple[str, ...]:
    return tuple(f"QF-{name}" for name in names.split())


PHASES = (
    Phase(
        "movement",
        "Movement",
        advice="measure from one fixed point of the model",
        moves=True,
        clauses=_clauses("MV-1 MV-2"),
    ),
    Phase(
        "gunnery",
        "Gunnery and torpedoes",
        slashes=True,
        advice="declare every target before anything is resolved",
        again=_again,
        clauses=_clauses(
            "PH-2 GUN-7 GUN-8 GUN-1 GUN-5 GUN-2 GUN-3 GUN-4 GUN-9 BLA-1 DAM-1 DAM-2 "
            "BG-1 TOR-1 TOR-2 TOR-3 TOR-4"
        ),
    ),
    Phase("recurring", "Recurring hits", clauses=_clauses("REC-1 REC-2")),
    Phase("repair", "Repair", clauses=_clauses("REP-1 REP-2")),
    Phase("sinking", "Sinking", clauses=_clauses("SNK-1")),
)

_PIVOTS = (
    "pivots by the box in use: 8th 45°, 7th to 4th 90°, 3rd and 2nd 45°, 1st 0° (QF-MV-2)",
    "two pivots: the second costs a box, an eighth between them (QF-MV-2)",
)
_TEMPLATES = ("turn with the templates (QF-MV-2)",)
_DECLARE = "declare guns and torpedoes before the first roll (QF-PH-2)"


_ORDERS: Mapping[str, Callable[[Battle, Order], PreparedOrder]] = {
    "move": partial(moves.prepare_move, GAME),
    "fire": gunnery.prepare_fire,
    "boats": boats.prepare_boats,
    "torpedo": torpedo.prepare_torpedo,
    "repair": repair.prepare_repair,
}
_THROWS: Mapping[str, Callable[[Battle, Roll, Order], Throw]] = {
    "fire": lambda battle, roll, order: gunnery.throw_of(battle, shots.shot_of(battle, order)),
    "torpedo": lambda battle, roll, order: torpedo.throw_of(battle, order),
    "boats": lambda battle, roll, order: boats.throw_of(battle, battle.ships[order.text("target")]),
    "repair": lambda battle, roll, order: repair.throw_of(battle, roll.ship, order.text("kind")),
}

_BY_HAND: Mapping[str, Battery | None] = {"heavy": Battery.HEAVY, "light": Battery.LIGHT, "boat": None}


class Quickfire(QuickfireSystem):
    """Quickfire: its declarations, and what its phases ask."""

    name = "quickfire"
    title = "Quickfire"
    phases = PHASES
    fields = ship.FIELDS
    columns = grid.COLUMNS
    card = ship.CARD
    forms = FORMS
    facts = FACTS
    attested = ATTESTED
    options = OPTIONS
    charts = ("qf_tui.rules.quickfire", "charts.toml")
    scales = declared(GAME.scales, "short")
    clauses = CLAUSES
    changed_rulings = CHANGED_RULINGS
    chart_shapes = GAME.shapes
    worth = WORTH
    results = RESULTS
    game = GAME
    orders = _ORDERS
    throws = _THROWS
    codes = CODES
    by_hand = "QF-DAM-1"
    damage_sources = tuple(_BY_HAND)
    own = grid.OWN
    torpedo = "torpedo"

    def work_out(self, ship: ShipFacts) -> Rating:
        return rate(ship)

    def muster(self, card: Mapping[str, Scalar], setup: Setup) -> Mapping[str, Scalar]:
        return {**ship.muster(card), **opening(card, setup)}

    def check(self, battle: Battle, roll: Roll) -> Throw:
        return checks.throw_of(battle, roll)

    def take(self, builder: DecisionBuilder, ship: str, codes: tuple[str, ...], source: str) -> None:
        Damage(builder, ship, _BY_HAND.get(source, Battery.HEAVY)).take(codes)

    def counts(self, battle: Battle, began: Ship, ship: Ship) -> Iterable[SheetPart]:
        return grid.counts(battle, began, ship)

    def needed_cells(self, battle: Battle) -> NeededCells:
        return needed_cells(battle)

    def may_do(self, battle: Battle, ship: Ship) -> tuple[str, str]:
        if battle.phase == "repair":
            return " ".join(repair.may_repair(battle, ship)), "repair"
        return may_attack(battle, ship, targeting.may_fire, torpedo.may_launch)

    def bracket(self, battle: Battle, order: Order) -> str:
        return range_of(battle, order) or ""

    def enter(self, battle: Battle, builder: DecisionBuilder) -> None:
        if battle.phase == "movement":
            movement.forget_movement(GAME, battle, builder)
        elif battle.phase == "recurring":
            owe_fire_checks(builder, *TWO_D6)
        elif battle.phase == "sinking":
            checks.owe_sinking(builder)

    def leave(self, battle: Battle, builder: DecisionBuilder, carried: bool) -> None:
        if carried:
            self.carry(builder)
        if battle.phase == "movement":
            movement.note_movement(GAME, battle, builder)
        elif battle.phase == shots.GUNNERY:
            builder.remember(ENDED, "")

    def follow(self, battle: Battle, builder: DecisionBuilder) -> None:
        if battle.phase == "sinking":
            checks.owe_sinking(builder)

    def advice(self, battle: Battle) -> tuple[str, ...]:
        if battle.phase == "movement":
            turning = _PIVOTS if GAME.pivots(battle) else _TEMPLATES
            return (*turning, *(f"{words} (QF-DAM-2)" for words in moves.steered_offers(GAME, battle)))
        if battle.phase != shots.GUNNERY:
            return ()
        ended, most = gunnery_phases(battle)
        several = (f"gunnery phase {ended + 1} of {most} this turn (QF-OPT-1)",) if most > 1 else ()
        return (*several, _DECLARE)
