"""The rule system Quickfire: its declarations, and what each phase does."""

from collections.abc import Iterable
from itertools import product

from attrs import evolve

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.declarations import NeededCells, Phase, SheetPart, WorthPart
from qf_tui.core.system import Column, Span
from qf_tui.core.values import Battle, Die, Ship
from qf_tui.rules.quickfire import damage, game, gunnery
from qf_tui.rules.quickfire.clauses import CHANGED_RULINGS, CLAUSES, OPTIONS, option
from qf_tui.rules.quickfire.damage import TWO_D6, Damage
from qf_tui.rules.quickfire.game import ATTESTED, CODES, FACTS, FORMS, GAME, had_torpedoes
from qf_tui.rules.quickfire.gunnery import GUNNERY
from qf_tui.rules.quickfire_family import grid
from qf_tui.rules.quickfire_family import system as family
from qf_tui.rules.quickfire_family.attacks import LONG
from qf_tui.rules.quickfire_family.damage import owe_fire_checks
from qf_tui.rules.quickfire_family.game import declared
from qf_tui.rules.quickfire_family.ledger import Source
from qf_tui.rules.quickfire_family.ship import FULL, HALVED, Battery

_SHOTS = (
    *product((Battery.HEAVY,), (LONG,), (False, True), (FULL, HALVED)),
    *product((Battery.LIGHT,), (LONG,), (False,), (FULL, HALVED)),
)
"""The shots that reach different lines: battery, range, light armor, arc."""

ENDED = "gunnery-ended"
"""The kind of the act that ends a gunnery phase; a turn may have several."""


def gunnery_phases(battle: Battle) -> tuple[int, int]:
    """Return how many gunnery phases of this turn are over, and how many the turn has.

    Rule: QF-OPT-1.
    """
    return len(battle.done(ENDED, "")), int(option(battle, "gunnery_phases"))


def _again(battle: Battle) -> bool:
    ended, most = gunnery_phases(battle)
    return ended < most


def _torpedo(began: Ship, ship: Ship) -> tuple[Span, ...]:
    return grid.points(began, ship, "torpedo") if had_torpedoes(ship) else (grid.DASH,)


def _boats(began: Ship, ship: Ship) -> tuple[Span, ...]:
    if not ship.card_count("boat_guns"):
        return (grid.DASH,)
    if ship.count("boat_guns"):
        return (Span("□"),)
    return (Span("/", "slash") if began.count("boat_guns") else Span("x", "cross"),)


_SOURCES = {"heavy": Source.HEAVY, "light": Source.LIGHT, "boat": Source.BOATS}

_OWN: grid.Own = {
    "torpedo": _torpedo,
    "boats": _boats,
    "auto": lambda began, ship: (Span("used", "cross") if ship.log.get("auto_shot") is True else Span("□"),),
}
_ORDERS: family.Orders = {
    "fire": GUNNERY.prepare,
    "boats": gunnery.fire_boats,
    "torpedo": gunnery.prepare_torpedo,
    "repair": damage.prepare_repair,
}
_THROWS: family.Throws = {
    "fire": lambda battle, roll, order: GUNNERY.throw_of(battle, GUNNERY.shot_of(battle, order)),
    "torpedo": lambda battle, roll, order: gunnery.torpedo_throw(battle, order),
    "boats": lambda battle, roll, order: gunnery.boats_throw(battle, order.text("target")),
    "repair": lambda battle, roll, order: damage.repair_throw(battle, roll.ship, order.text("kind")),
}


class Quickfire(family.QuickfireSystem):
    """The rule system Quickfire."""

    name = "quickfire"
    title = "Quickfire"
    phases = (
        Phase(
            "movement",
            "Movement",
            advice="measure from one fixed point of the model",
            moves=True,
            clauses=family.cited("QF", "MV-1 MV-2"),
        ),
        Phase(
            gunnery.PHASE,
            "Gunnery and torpedoes",
            slashes=True,
            advice="declare every target before anything is resolved",
            again=_again,
            clauses=family.cited(
                "QF",
                "PH-2 GUN-7 GUN-8 GUN-1 GUN-5 GUN-2 GUN-3 GUN-4 GUN-9 BLA-1 DAM-1 DAM-2 "
                "BG-1 TOR-1 TOR-2 TOR-3 TOR-4",
            ),
        ),
        Phase("recurring", "Recurring hits", clauses=family.cited("QF", "REC-1 REC-2")),
        Phase("repair", "Repair", clauses=family.cited("QF", "REP-1 REP-2")),
        Phase("sinking", "Sinking", clauses=family.cited("QF", "SNK-1")),
    )
    fields = game.FIELDS
    card = game.CARD
    card_warnings = staticmethod(game.warn_of_card)
    work_out = staticmethod(game.rate)
    crews = GAME.crews
    crews_by = GAME.clauses.crews
    may_repair = staticmethod(damage.may_repair)
    may_fire = staticmethod(GUNNERY.may_fire)
    launches_in = gunnery.PHASE
    launch_barred = staticmethod(gunnery.launch_barred)
    printed = game.PRINTED
    blank = game.BLANK
    lasting = (*game.PRINTED, "speed_hits", "course")
    harm = ("speed_hits",)
    columns = (
        grid.ROF,
        grid.SPEED_BOXES,
        grid.SPEED,
        Column("torpedo", "TT", 4, 2, ("torpedo",), right=True, help="torpedoes"),
        evolve(grid.BOATS, help="□ boat guns, / lost in this phase, x lost"),
        *grid.COMMON,
        Column("auto", "auto", 5, 5, ("auto_shot",), help="□ the auto shot is left"),
    )
    own = _OWN
    dice = (Die(6),)
    forms = FORMS
    facts = FACTS
    attested = ATTESTED
    options = OPTIONS
    charts = ("qf_tui.rules.quickfire", "charts.toml")
    scales = declared(GAME.scales, "short")
    clauses = CLAUSES
    changed_rulings = CHANGED_RULINGS
    chart_shapes = GAME.shapes
    worth = family.worth_of(
        20,
        WorthPart("torpedoes", "each point of torpedo rating", 0.5, family.count("torpedo")),
        WorthPart("boat-guns", "boat guns", 0.5, family.count("boat_guns")),
        fires=0.25,
    )
    results = (family.GUNS, family.BOATS, family.STRIKES, family.STRUCK, *family.CHECKS)
    game = GAME
    orders = _ORDERS
    throws = _THROWS
    checks = damage.CHECKS
    codes = CODES
    by_hand = "QF-DAM-1"
    damage_sources = tuple(_SOURCES)
    torpedo_field = "torpedo"

    def take(self, builder: DecisionBuilder, ship: str, codes: tuple[str, ...], source: str) -> None:
        Damage(builder, ship, _SOURCES.get(source, Source.HEAVY)).take(codes)

    def counts(self, battle: Battle, began: Ship, ship: Ship) -> Iterable[SheetPart]:
        """Return boat guns, torpedoes, and by its switch the auto shot for the printed log.

        Rule: QF-LOG-1.
        """
        yield grid.sheet_points(began, ship, "boat guns", "boat_guns", "boat_guns", mended="boats")
        yield grid.sheet_points(began, ship, "torpedoes", "torpedo", "torpedo")
        if option(battle, "auto_shot") == "yes":
            yield grid.auto_shot(began, ship)

    def needed_cells(self, battle: Battle) -> NeededCells:
        """Return the battery lines that shots can reach, and the other cells that the ships can need."""
        return {
            "battery": family.lines_met(battle, GUNNERY, _SHOTS),
            "damage": family.rows_met(battle, "damage", repair_p=family.any_protected(battle)),
            "torpedo": family.ratings_met(battle, "torpedo"),
            "boat-guns": family.rows_met(battle, "boat-guns", boat_guns=family.boats_meet_craft(battle)),
            "sinking": family.sizes_met(battle),
        }

    def enter(self, battle: Battle, builder: DecisionBuilder) -> None:
        super().enter(battle, builder)
        if battle.phase == "recurring":
            owe_fire_checks(builder, *TWO_D6)
        elif battle.phase == "sinking":
            damage.owe_sinking(builder)

    def leave(self, battle: Battle, builder: DecisionBuilder, carried: bool) -> None:
        super().leave(battle, builder, carried)
        if battle.phase == gunnery.PHASE:
            builder.remember(ENDED, "")

    def follow(self, battle: Battle, builder: DecisionBuilder) -> None:
        if battle.phase == "sinking":
            damage.owe_sinking(builder)

    def advice(self, battle: Battle) -> tuple[str, ...]:
        if battle.phase == gunnery.PHASE:
            ended, most = gunnery_phases(battle)
            several = (f"gunnery phase {ended + 1} of {most} this turn (QF-OPT-1)",) if most > 1 else ()
            return (*several, "declare guns and torpedoes before the first roll (QF-PH-2)")
        if battle.phase != GAME.movement:
            return ()
        turning = (
            (
                "pivots by the box in use: 8th 45°, 7th to 4th 90°, 3rd and 2nd 45°, 1st 0° (QF-MV-2)",
                "two pivots: the second costs a box, an eighth between them (QF-MV-2)",
            )
            if GAME.pivots(battle)
            else ("turn with the templates (QF-MV-2)",)
        )
        return (*turning, *super().advice(battle))
