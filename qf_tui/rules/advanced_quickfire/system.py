"""The rule system Advanced Quickfire: its declarations, and what each phase does."""

from collections.abc import Iterable, Mapping

from attrs import evolve

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.declarations import Phase, PreparedOrder, ResultKind, WorthPart
from qf_tui.core.printed_logs import NeededCells, SheetPart
from qf_tui.core.system import Column, Span
from qf_tui.core.values import Battle, Die, Owed, Ship
from qf_tui.rules.advanced_quickfire import damage, game, gunnery, initiative
from qf_tui.rules.advanced_quickfire.clauses import CHANGED_RULINGS, CLAUSES, OPTIONS
from qf_tui.rules.advanced_quickfire.damage import D12, REPAIRS, TWO_D6, Damage
from qf_tui.rules.advanced_quickfire.game import CODES, FACTS, FORMS, GAME, has_carried_torpedoes
from qf_tui.rules.advanced_quickfire.gunnery import GUNNERY
from qf_tui.rules.quickfire_family import grid
from qf_tui.rules.quickfire_family import system as family
from qf_tui.rules.quickfire_family.attacks import LONG
from qf_tui.rules.quickfire_family.damage import EXPLOSION, build_check_throw, owe_fire_checks
from qf_tui.rules.quickfire_family.game import POINT_BLANK, build_scales
from qf_tui.rules.quickfire_family.ledger import Source
from qf_tui.rules.quickfire_family.rating import ATTESTED, rate_ship
from qf_tui.rules.quickfire_family.ship import FULL, Battery
from qf_tui.rules.quickfire_family.throws import Roll, Throw

_SHOTS = (
    (Battery.HEAVY, LONG, False, FULL),
    (Battery.HEAVY, LONG, True, FULL),
    (Battery.HEAVY, POINT_BLANK, False, FULL),
    (Battery.LIGHT, "medium", False, FULL),
)
"""The shots that reach different lines: battery, range, light armor, arc.

Rule: AQF-GUN-8.
"""

_TORPEDO = Column(
    "torpedo",
    "TT",
    5,
    2,
    ("torpedo_reload",),
    right=True,
    most=7,
    help="torpedoes: size and reload; × crossed in this phase, → the reload that is left",
)


def _build_torpedo_cell(start_ship: Ship, ship: Ship) -> tuple[Span, ...]:
    """Return the torpedo cell: size and reload, with the loss of this phase.

    It is `out` if no torpedoes are left, and a dash if there never were any.
    """
    if not has_carried_torpedoes(ship):
        return (grid.DASH,)
    reload, start_reload = ship.count("torpedo_reload"), start_ship.count("torpedo_reload")
    if reload == 0 and start_reload == 0:
        return (Span("out", "cross"),)
    size = Span(f"{ship.card.get('torpedo.size')}/", "dim")
    if reload == 0:
        return (size, Span(f"{start_reload}", "cross"), Span("×", "slash"))
    left_spans = (
        (Span(f"{start_reload}"), Span(f"→{reload}", "slash"))
        if reload < start_reload
        else (Span(f"{reload}"),)
    )
    return (size, *left_spans)


_MEASURE = "range from forward funnel to forward funnel (AQF-SCA-3)"
_ONE_SIDE = "the same side resolves first throughout (AQF-PH-6)"
_DECLARE: Mapping[str, str] = {
    gunnery.FIRST: "declare every target before the first roll (AQF-GUN-18)",
    gunnery.SECOND: "declare guns and torpedoes before the first roll (AQF-GUN-18, AQF-TOR-1)",
}
"""The first reminder of a phase, until its first dice are thrown."""

_SOURCES = {"heavy": Source.HEAVY, "light": Source.LIGHT, "boat": Source.BOATS}

_OWN_CELLS: grid.CellBuilders = {"torpedo": _build_torpedo_cell}
_ORDERS: family.Orders = {
    "fire": GUNNERY.prepare,
    "boats": gunnery.prepare_boat_fire,
    "torpedo": gunnery.prepare_torpedo,
    "repair": REPAIRS.prepare,
    "initiative": initiative.prepare_initiative,
}
_THROWS: family.Throws = {
    "fire": lambda battle, roll, order: GUNNERY.build_throw(battle, GUNNERY.build_shot(battle, order)),
    "torpedo": lambda battle, roll, order: gunnery.build_torpedo_throw(gunnery.build_attack(battle, order)),
    "boats": lambda battle, roll, order: gunnery.build_boat_gun_throw(
        battle, order.text("target"), roll.dice, is_declared=True
    ),
    "repair": lambda battle, roll, order: REPAIRS.build_throw(battle, roll.ship, order.text("kind")),
}


class AdvancedQuickfire(family.QuickfireSystem):
    """The rule system Advanced Quickfire."""

    name = "advanced-quickfire"
    title = "Advanced Quickfire"
    phases = (
        Phase(
            "movement",
            "Movement",
            advice="measure from one fixed point of the model; no stacking at the end",
            moves=True,
            clauses=family.list_clauses("AQF", "PH-5 MV-1 MV-2 MV-3 MV-4 MV-5 MV-6"),
        ),
        Phase(
            gunnery.FIRST,
            "First gunnery",
            slashes=True,
            advice="declare every target before anything is resolved",
            clauses=family.list_clauses(
                "AQF",
                "GUN-1 PH-6 GUN-9 GUN-8 GUN-2 GUN-4 GUN-5 GUN-7 GUN-12 GUN-13 GUN-14 "
                "GUN-11 DAM-1 DAM-2 DAM-3 DAM-4 DAM-5 DAM-6 DAM-9 BG-1 BG-2 BG-3",
            ),
        ),
        Phase(
            gunnery.SECOND,
            "Second gunnery + torpedo",
            slashes=True,
            advice="only batteries that failed their roll; torpedoes are declared with the guns",
            clauses=family.list_clauses("AQF", "PH-3 GUN-3 PH-4 TOR-1 TOR-2 TOR-3 TOR-4 TOR-5 TOR-6 TOR-7"),
        ),
        Phase("recurring", "Recurring hits", clauses=family.list_clauses("AQF", "REC-1 REC-2 DAM-8")),
        Phase("repair", "Repair attempts", clauses=family.list_clauses("AQF", "REP-1 REP-2 REP-3 REP-4")),
        Phase("sinking", "Check for sinking", clauses=family.list_clauses("AQF", "SNK-1 SNK-2")),
    )
    reminders: Mapping[str, tuple[str, ...]] = {
        "movement": (
            "movement from one fixed point, the front edge (AQF-SCA-3)",
            "pivots by the box in use: 8th 45°, 7th to 4th 90°, 3rd and 2nd 45°, 1st 0° (AQF-MV-2)",
            "two pivots: the second costs a box, an eighth between them (AQF-MV-3)",
            "ships may pass through each other, not end on each other (AQF-MV-5)",
        ),
        gunnery.FIRST: (
            _ONE_SIDE,
            _MEASURE,
            "line of sight and arcs on the table (AQF-GUN-15)",
        ),
        gunnery.SECOND: (
            _ONE_SIDE,
            "line of sight and arcs on the table; torpedoes within 270° of the bow (AQF-GUN-15, AQF-TOR-1)",
            _MEASURE,
        ),
    }
    fields = game.FIELDS
    card = game.CARD
    printed = game.PRINTED
    blank = game.BLANK
    harm = ("speed_hits", "speed_lost")
    lasting = (*game.PRINTED, *harm, "course")
    columns = (grid.ROF, grid.SPEED_BOXES, grid.SPEED, _TORPEDO, grid.BOATS, *grid.COMMON)
    own_cells = _OWN_CELLS
    dice = (Die(12), Die(6))
    forms = FORMS
    facts = FACTS
    attested = ATTESTED
    options = OPTIONS
    charts = ("qf_tui.rules.advanced_quickfire", "charts.toml")
    scales = build_scales(GAME.scales)
    clauses = CLAUSES
    changed_rulings = CHANGED_RULINGS
    chart_shapes = GAME.shapes
    worth = family.build_worth(
        20,
        WorthPart("torpedoes", "each point of torpedo reload", 0.25, family.build_count("torpedo_reload")),
        WorthPart("boat-guns", "each boat gun point", 0.25, family.build_count("boat_guns")),
        fires=1,
        margin=WorthPart(
            "flooding",
            f"each SX, besides its box, {family.SIZED}",
            2,
            family.scale_by_size(family.build_count("speed_lost")),
            less=True,
        ),
    )
    results = (
        family.GUNS,
        family.BOATS,
        ResultKind("torpedoes", "SX by torpedoes", ("torpedo",), ("sx",), damage=True),
        *family.CHECKS,
        ResultKind("t-hits", "own fires by T-hits", ("t-hit",), ("hits",), harm="a T-hit"),
        ResultKind("flooding", "own SX by flooding", ("sx-check",), ("hits",), harm="flooding"),
    )
    game = GAME
    orders = _ORDERS
    throws = _THROWS
    checks = damage.CHECKS
    codes = CODES
    hand_clause = "AQF-DAM-10"
    damage_sources = tuple(_SOURCES)
    torpedo_field = "torpedo_reload"
    ended_by = "AQF-PH-7"
    work_out = staticmethod(rate_ship)
    crews = GAME.crews
    crews_by = GAME.clauses.crews
    list_repairs = staticmethod(REPAIRS.list_repairs)
    may_fire = staticmethod(GUNNERY.may_fire)
    launch_phase = gunnery.SECOND
    list_launcher_findings = staticmethod(gunnery.list_launcher_findings)

    def prepare_roll(self, battle: Battle, owed: Owed) -> PreparedOrder:
        """Prepare an owed roll: the throw for initiative, or a roll that all Quickfire games share."""
        if owed.line == initiative.LINE:
            return initiative.prepare_throw(battle, owed)
        return super().prepare_roll(battle, owed)

    def answerable(self, battle: Battle, owed: Owed) -> bool:
        """Return whether an owed roll is still needed: initiative only while sides move in turn."""
        return owed.line != initiative.LINE or initiative.has_initiative(battle)

    def build_check_throw(self, battle: Battle, roll: Roll) -> Throw:
        """Build the throw of an owed roll.

        An explosion that was owed with two dice keeps them, even if the switch for its dice has changed
        since.

        Rule: AQF-DAM-14.
        """
        check = self.checks[roll.line]
        if roll.line == EXPLOSION and roll.dice == len(TWO_D6):
            check = evolve(check, dice=TWO_D6)
        return build_check_throw(check, battle, roll)

    def apply_damage(self, builder: DecisionBuilder, ship: str, codes: tuple[str, ...], source: str) -> None:
        Damage(builder, ship, _SOURCES.get(source, Source.HEAVY)).apply_codes(codes)

    def list_sheet_parts(self, battle: Battle, start_ship: Ship, ship: Ship) -> Iterable[SheetPart]:
        """Yield boat guns and torpedoes for the printed log.

        Rule: AQF-LOG-1.
        """
        yield grid.build_points_part(
            start_ship, ship, "boat guns", "boat_guns", "boat_guns", repair_kind="boats"
        )
        size = f"{ship.card.get('torpedo.size')}″, reload"
        yield grid.build_points_part(
            start_ship, ship, "torpedo", "torpedo_reload", "torpedo.reload", text=size
        )

    def needed_cells(self, battle: Battle) -> NeededCells:
        """Return the battery lines that shots can reach, and the damage lines that ships can need."""
        damage = family.list_needed_rows(
            battle,
            "damage",
            t_hit=any(map(has_carried_torpedoes, family.list_present_ships(battle))),
            repair_p=family.has_protected_ship(battle),
            boat_guns=family.has_boat_gun_target(battle),
        )
        return {"battery": family.list_needed_lines(battle, GUNNERY, _SHOTS), "damage": damage}

    def enter(self, battle: Battle, builder: DecisionBuilder) -> None:
        """Begin a phase and owe its rolls: initiative, fire checks or sinking rolls."""
        super().enter(battle, builder)
        if battle.phase == "movement":
            initiative.owe_throw(builder)
        elif battle.phase == "recurring":
            owe_fire_checks(builder, D12)
        elif battle.phase == "sinking":
            damage.owe_sinking(builder)

    def leave(self, battle: Battle, builder: DecisionBuilder, carried: bool) -> None:
        """End a phase: cross out torpedoes that ran out; after the fire checks owe SX checks."""
        gunnery.cross_out_torpedoes(battle, builder)
        super().leave(battle, builder, carried)
        if battle.phase == "recurring":
            damage.owe_sx_checks(builder)

    def follow(self, battle: Battle, builder: DecisionBuilder) -> None:
        """Owe the rolls of the phase that become due only now, because they depend on earlier results."""
        if battle.phase == "movement":
            initiative.owe_throw(builder)
        elif battle.phase == "recurring":
            damage.owe_sx_checks(builder)
        elif battle.phase == "sinking":
            damage.owe_sinking(builder)

    def advice(self, battle: Battle) -> tuple[str, ...]:
        """List the reminders of the phase; before its first dice also what to declare."""
        advice = super().advice(battle)
        declare = _DECLARE.get(battle.phase)
        return advice if declare is None or gunnery.has_thrown(battle) else (declare, *advice)

    def phase_title(self, battle: Battle) -> str:
        """Return the title of the phase; in movement with the order of the sides, if they have one."""
        order_of_moves = initiative.format_order_of_sides(battle) if battle.phase == "movement" else ""
        return (
            f"{super().phase_title(battle)}: {order_of_moves}"
            if order_of_moves
            else super().phase_title(battle)
        )
