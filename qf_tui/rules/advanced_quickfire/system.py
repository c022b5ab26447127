"""Advanced Quickfire as the core sees it: its declarations and parts, and what its phases ask."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.declarations import NeededCells, ResultKind, SheetPart, Worth, WorthPart
from qf_tui.core.grammar.forms import Order
from qf_tui.core.ship_facts import Rating, ShipFacts
from qf_tui.core.system import Column, Phase, PreparedOrder, Setup, Span
from qf_tui.core.text import Scalar
from qf_tui.core.values import Battle, Owed, Ship
from qf_tui.rules.advanced_quickfire import damage, gunnery, initiative, ship, torpedo
from qf_tui.rules.advanced_quickfire.clauses import CHANGED_RULINGS, CLAUSES, OPTIONS
from qf_tui.rules.advanced_quickfire.damage import D12, REPAIRS, Damage, HitSource
from qf_tui.rules.advanced_quickfire.forms import FACTS, FORMS
from qf_tui.rules.advanced_quickfire.gunnery import GUNNERY
from qf_tui.rules.advanced_quickfire.ship import CODES, GAME, had_torpedoes
from qf_tui.rules.quickfire_family import grid, movement
from qf_tui.rules.quickfire_family.attacks import LONG
from qf_tui.rules.quickfire_family.damage import may_repair, owe_fire_checks, prepare_repair, throw_of
from qf_tui.rules.quickfire_family.game import POINT_BLANK, declared
from qf_tui.rules.quickfire_family.rating import ATTESTED, rate
from qf_tui.rules.quickfire_family.ship import FULL, Battery, gunnery_rating, opening
from qf_tui.rules.quickfire_family.system import (
    BOATS,
    CHECKS,
    GUNS,
    SIZED,
    QuickfireSystem,
    any_protected,
    boats_meet_craft,
    by_size,
    count,
    courses,
    fires,
    lines_met,
    may_attack,
    parts,
    present,
    repair,
    rows_met,
)
from qf_tui.rules.quickfire_family.throws import Roll, Throw

WORTH = Worth(
    (
        *parts(best=20),
        WorthPart("torpedoes", "each point of torpedo reload", 0.25, count("torpedo_reload")),
        WorthPart("boat-guns", "each boat gun point", 0.25, count("boat_guns")),
        repair(),
        fires(1),
        WorthPart(
            "flooding",
            f"each SX, besides its box, {SIZED}",
            2,
            by_size(count("speed_lost")),
            less=True,
        ),
        courses(),
    )
)

RESULTS = (
    GUNS,
    BOATS,
    ResultKind("torpedoes", "SX by torpedoes", ("torpedo",), ("sx",), damage=True),
    *CHECKS,
    ResultKind("t-hits", "own fires by T-hits", ("t-hit",), ("hits",), harm="a T-hit"),
    ResultKind("flooding", "own SX by flooding", ("sx-check",), ("hits",), harm="flooding"),
)


_SHOTS = (
    (Battery.HEAVY, LONG, False),
    (Battery.HEAVY, LONG, True),
    (Battery.HEAVY, POINT_BLANK, False),
    (Battery.LIGHT, "medium", False),
)
"""Every battery at each range and armor where its line is another (AQF-GUN-8)."""


def needed_cells(battle: Battle) -> NeededCells:
    """The lines that some shot of the ships there can meet, and the damage that some ship can need."""

    def lines(firer: Ship, target: Ship) -> Iterator[int | None]:
        for battery, at, light_armor in _SHOTS:
            if gunnery_rating(firer, battery):
                yield GUNNERY.fire_of(battle, firer, target, battery, at, light_armor, FULL).line

    damage = rows_met(
        battle,
        "damage",
        t_hit=any(map(had_torpedoes, present(battle))),
        repair_p=any_protected(battle),
        boat_guns=boats_meet_craft(battle),
    )
    return {"battery": lines_met(battle, lines), "damage": damage}


COLUMNS = (
    grid.ROF,
    grid.SPEED_BOXES,
    grid.SPEED,
    Column(
        "torpedo",
        "TT",
        5,
        2,
        ("torpedo_reload",),
        right=True,
        most=7,
        help="torpedoes: size and reload; × crossed in this phase, → the reload that is left",
    ),
    grid.BOATS,
    grid.REPAIR,
    grid.BLAST,
    grid.MOVED,
    grid.GUNNERY,
    grid.ARMOR,
    grid.SIZE,
)


def _torpedo(began: Ship, ship: Ship) -> tuple[Span, ...]:
    if not had_torpedoes(ship):
        return (grid.DASH,)
    reload, stood = ship.count("torpedo_reload"), began.count("torpedo_reload")
    if reload == 0 and stood == 0:
        return (Span("out", "cross"),)
    size = f"{ship.card.get('torpedo.size')}/"
    if reload == 0:
        return (Span(size, "dim"), Span(f"{stood}", "cross"), Span("×", "slash"))
    left = (Span(f"{stood}"), Span(f"→{reload}", "slash")) if reload < stood else (Span(f"{reload}"),)
    return (Span(size, "dim"), *left)


OWN: grid.Own = {"torpedo": _torpedo}


def counts(began: Ship, ship: Ship) -> tuple[SheetPart, ...]:
    """Boat guns and torpedoes, as the log prints them (AQF-LOG-1)."""
    boats = grid.sheet_points(began, ship, "boat guns", "boat_guns", "boat_guns", mended="boats")
    size = f"{ship.card.get('torpedo.size')}″, reload"
    tubes = grid.sheet_points(began, ship, "torpedo", "torpedo_reload", "torpedo.reload", text=size)
    return boats, tubes


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
    "move": partial(movement.prepare_move, GAME),
    "fire": GUNNERY.prepare,
    "boats": gunnery.fire_boats,
    "torpedo": torpedo.prepare_torpedo,
    "repair": partial(prepare_repair, GAME, REPAIRS),
    "initiative": initiative.prepare_initiative,
}
_THROWS: Mapping[str, Callable[[Battle, Roll, Order], Throw]] = {
    "fire": lambda battle, roll, order: GUNNERY.throw_of(battle, GUNNERY.shot_of(battle, order)),
    "torpedo": lambda battle, roll, order: torpedo.throw_of(torpedo.attack_of(battle, order)),
    "boats": lambda battle, roll, order: gunnery.boats_throw(
        battle, order.text("target"), roll.dice, declared=True
    ),
    "repair": lambda battle, roll, order: throw_of(REPAIRS, battle, roll.ship, order.text("kind")),
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
    columns = COLUMNS
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
    own = OWN
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
        return damage.throw_of(battle, roll)

    def take(self, builder: DecisionBuilder, ship: str, codes: tuple[str, ...], source: str) -> None:
        Damage(builder, ship, _BY_HAND.get(source, HitSource.HEAVY)).take(codes)

    def counts(self, battle: Battle, began: Ship, ship: Ship) -> Iterable[SheetPart]:
        return counts(began, ship)

    def needed_cells(self, battle: Battle) -> NeededCells:
        return needed_cells(battle)

    def may_do(self, battle: Battle, ship: Ship) -> tuple[str, str]:
        if battle.phase == "repair":
            return " ".join(may_repair(GAME, REPAIRS, battle, ship)), "repair"
        return may_attack(battle, ship, GUNNERY.may_fire, torpedo.may_launch)

    def bracket(self, battle: Battle, order: Order) -> str:
        return GAME.range_of(battle, order)

    def enter(self, battle: Battle, builder: DecisionBuilder) -> None:
        if battle.phase == "movement":
            movement.forget_movement(GAME, battle, builder)
            initiative.owe_throw(builder)
        elif battle.phase == "recurring":
            owe_fire_checks(builder, D12)
        elif battle.phase == "sinking":
            damage.owe_sinking(builder)

    def leave(self, battle: Battle, builder: DecisionBuilder, carried: bool) -> None:
        if carried:
            self.carry(builder)
        torpedo.cross_out(battle, builder)
        if battle.phase == "movement":
            movement.note_movement(GAME, battle, builder)
        elif battle.phase == "recurring":
            damage.owe_sx_checks(builder)

    def follow(self, battle: Battle, builder: DecisionBuilder) -> None:
        if battle.phase == "movement":
            initiative.owe_throw(builder)
        elif battle.phase == "recurring":
            damage.owe_sx_checks(builder)
        elif battle.phase == "sinking":
            damage.owe_sinking(builder)

    def phase_title(self, battle: Battle) -> str:
        order = initiative.order_words(battle) if battle.phase == "movement" else ""
        return f"{super().phase_title(battle)}: {order}" if order else super().phase_title(battle)

    def advice(self, battle: Battle) -> tuple[str, ...]:
        advice = _ADVICE.get(battle.phase, ())
        if battle.phase != "movement":
            return advice
        return (*advice, *(f"{words} (AQF-MV-6)" for words in movement.steered_offers(GAME, battle)))
