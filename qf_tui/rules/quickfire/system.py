"""The rule system Quickfire: its declarations, and what each phase does.

The rules of orders and dice are in the other modules of this folder.
"""

from collections.abc import Iterable
from itertools import product

from attrs import evolve

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.declarations import Phase, WorthPart
from qf_tui.core.printed_logs import NeededCells, SheetPart
from qf_tui.core.system import Column, Span
from qf_tui.core.values import Battle, Die, Ship
from qf_tui.rules.quickfire import damage, game, gunnery
from qf_tui.rules.quickfire.clauses import CHANGED_RULINGS, CLAUSES, OPTIONS, read_option
from qf_tui.rules.quickfire.damage import TWO_D6, Damage
from qf_tui.rules.quickfire.game import ATTESTED, CODES, FACTS, FORMS, GAME, has_carried_torpedoes
from qf_tui.rules.quickfire.gunnery import GUNNERY
from qf_tui.rules.quickfire_family import grid
from qf_tui.rules.quickfire_family import system as family
from qf_tui.rules.quickfire_family.attacks import LONG
from qf_tui.rules.quickfire_family.damage import owe_fire_checks
from qf_tui.rules.quickfire_family.game import build_scales
from qf_tui.rules.quickfire_family.ledger import Source
from qf_tui.rules.quickfire_family.ship import FULL, HALVED, Battery

_SHOTS = (
    *product((Battery.HEAVY,), (LONG,), (False, True), (FULL, HALVED)),
    *product((Battery.LIGHT,), (LONG,), (False,), (FULL, HALVED)),
)
"""The shots that reach different lines: battery, range, light armor, arc."""

ENDED = "gunnery-ended"
"""The kind of the act that ends a gunnery phase; a turn may have several."""


def count_gunnery_phases(battle: Battle) -> tuple[int, int]:
    """Return how many gunnery phases of this turn are over, and how many the turn has.

    Rule: QF-OPT-1.
    """
    return len(battle.list_turn_acts(ENDED, "")), int(read_option(battle, "gunnery_phases"))


def _has_more_phases(battle: Battle) -> bool:
    """Return whether another gunnery phase follows in this turn, after the one that is being ended."""
    ended, most = count_gunnery_phases(battle)
    return ended < most


def _build_torpedo_cell(start_ship: Ship, ship: Ship) -> tuple[Span, ...]:
    """Return the torpedo cell: the points, with the loss of this phase; a dash if there never were any."""
    return grid.build_points(start_ship, ship, "torpedo") if has_carried_torpedoes(ship) else (grid.DASH,)


def _build_boats_cell(start_ship: Ship, ship: Ship) -> tuple[Span, ...]:
    """Return the cell of the boat guns: left, lost in this phase or lost before; a dash for none."""
    if not ship.count_on_card("boat_guns"):
        return (grid.DASH,)
    if ship.count("boat_guns"):
        return (Span("□"),)
    return (Span("/", "slash") if start_ship.count("boat_guns") else Span("x", "cross"),)


_SOURCES = {"heavy": Source.HEAVY, "light": Source.LIGHT, "boat": Source.BOATS}

_OWN_CELLS: grid.CellBuilders = {
    "torpedo": _build_torpedo_cell,
    "boats": _build_boats_cell,
    "auto": lambda began, ship: (Span("used", "cross") if ship.log.get("auto_shot") is True else Span("□"),),
}
_ORDERS: family.Orders = {
    "fire": GUNNERY.prepare,
    "boats": gunnery.prepare_boat_fire,
    "torpedo": gunnery.prepare_torpedo,
    "repair": damage.prepare_repair,
}
_THROWS: family.Throws = {
    "fire": lambda battle, roll, order: GUNNERY.build_throw(battle, GUNNERY.build_shot(battle, order)),
    "torpedo": lambda battle, roll, order: gunnery.build_torpedo_throw(battle, order),
    "boats": lambda battle, roll, order: gunnery.build_boat_gun_throw(battle, order.text("target")),
    "repair": lambda battle, roll, order: damage.build_repair_throw(battle, roll.ship, order.text("kind")),
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
            clauses=family.list_clauses("QF", "MV-1 MV-2"),
        ),
        Phase(
            gunnery.PHASE,
            "Gunnery and torpedoes",
            slashes=True,
            advice="declare every target before anything is resolved",
            again=_has_more_phases,
            clauses=family.list_clauses(
                "QF",
                "PH-2 GUN-7 GUN-8 GUN-1 GUN-5 GUN-2 GUN-3 GUN-4 GUN-9 BLA-1 DAM-1 DAM-2 "
                "BG-1 TOR-1 TOR-2 TOR-3 TOR-4",
            ),
        ),
        Phase("recurring", "Recurring hits", clauses=family.list_clauses("QF", "REC-1 REC-2")),
        Phase("repair", "Repair", clauses=family.list_clauses("QF", "REP-1 REP-2")),
        Phase("sinking", "Sinking", clauses=family.list_clauses("QF", "SNK-1")),
    )
    fields = game.FIELDS
    card = game.CARD
    list_card_warnings = staticmethod(game.warn_of_card)
    work_out = staticmethod(game.rate_ship)
    crews = GAME.crews
    crews_by = GAME.clauses.crews
    list_repairs = staticmethod(damage.list_repairs)
    may_fire = staticmethod(GUNNERY.may_fire)
    launch_phase = gunnery.PHASE
    list_launcher_findings = staticmethod(gunnery.list_launcher_findings)
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
    own_cells = _OWN_CELLS
    dice = (Die(6),)
    forms = FORMS
    facts = FACTS
    attested = ATTESTED
    options = OPTIONS
    charts = ("qf_tui.rules.quickfire", "charts.toml")
    scales = build_scales(GAME.scales, "short")
    clauses = CLAUSES
    changed_rulings = CHANGED_RULINGS
    chart_shapes = GAME.shapes
    worth = family.build_worth(
        20,
        WorthPart("torpedoes", "each point of torpedo rating", 0.5, family.build_count("torpedo")),
        WorthPart("boat-guns", "boat guns", 0.5, family.build_count("boat_guns")),
        fires=0.25,
    )
    results = (family.GUNS, family.BOATS, family.STRIKES, family.STRUCK, *family.CHECKS)
    game = GAME
    orders = _ORDERS
    throws = _THROWS
    checks = damage.CHECKS
    codes = CODES
    hand_clause = "QF-DAM-1"
    damage_sources = tuple(_SOURCES)
    torpedo_field = "torpedo"

    def apply_damage(self, builder: DecisionBuilder, ship: str, codes: tuple[str, ...], source: str) -> None:
        Damage(builder, ship, _SOURCES.get(source, Source.HEAVY)).apply_codes(codes)

    def list_sheet_parts(self, battle: Battle, start_ship: Ship, ship: Ship) -> Iterable[SheetPart]:
        """Yield boat guns, torpedoes, and by its switch the auto shot for the printed log.

        Rule: QF-LOG-1.
        """
        yield grid.build_points_part(
            start_ship, ship, "boat guns", "boat_guns", "boat_guns", repair_kind="boats"
        )
        yield grid.build_points_part(start_ship, ship, "torpedoes", "torpedo", "torpedo")
        if read_option(battle, "auto_shot") == "yes":
            yield grid.build_auto_shot_part(start_ship, ship)

    def needed_cells(self, battle: Battle) -> NeededCells:
        """Return the battery lines that shots can reach, and the other cells that the ships can need."""
        return {
            "battery": family.list_needed_lines(battle, GUNNERY, _SHOTS),
            "damage": family.list_needed_rows(battle, "damage", repair_p=family.has_protected_ship(battle)),
            "torpedo": family.list_needed_ratings(battle, "torpedo"),
            "boat-guns": family.list_needed_rows(
                battle, "boat-guns", boat_guns=family.has_boat_gun_target(battle)
            ),
            "sinking": family.list_needed_sizes(battle),
        }

    def enter(self, battle: Battle, builder: DecisionBuilder) -> None:
        """Begin a phase and owe its rolls: fire checks or sinking rolls."""
        super().enter(battle, builder)
        if battle.phase == "recurring":
            owe_fire_checks(builder, *TWO_D6)
        elif battle.phase == "sinking":
            damage.owe_sinking(builder)

    def leave(self, battle: Battle, builder: DecisionBuilder, carried: bool) -> None:
        """End a phase; if it is a gunnery phase, remember that it has ended."""
        super().leave(battle, builder, carried)
        if battle.phase == gunnery.PHASE:
            # Only its presence counts; it has no value.
            builder.remember(ENDED, "")

    def follow(self, battle: Battle, builder: DecisionBuilder) -> None:
        """Owe the sinking rolls that earlier results of the sinking phase cause."""
        if battle.phase == "sinking":
            damage.owe_sinking(builder)

    def advice(self, battle: Battle) -> tuple[str, ...]:
        """List the reminders of gunnery (with its phase number) or movement; other phases have none."""
        if battle.phase == gunnery.PHASE:
            ended, most = count_gunnery_phases(battle)
            phase_number = (f"gunnery phase {ended + 1} of {most} this turn (QF-OPT-1)",) if most > 1 else ()
            return (*phase_number, "declare guns and torpedoes before the first roll (QF-PH-2)")
        if battle.phase != GAME.movement:
            return ()
        turning = (
            (
                "pivots by the box in use: 8th 45°, 7th to 4th 90°, 3rd and 2nd 45°, 1st 0° (QF-MV-2)",
                "two pivots: the second costs a box, an eighth between them (QF-MV-2)",
            )
            if GAME.uses_pivots(battle)
            else ("turn with the templates (QF-MV-2)",)
        )
        return (*turning, *super().advice(battle))
