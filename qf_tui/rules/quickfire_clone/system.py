"""The rule system Quickfire-Clone: its declarations, and what each phase does.

The rules of orders and dice are in the other modules of this folder.
"""

from collections.abc import Collection, Iterable, Mapping

from attrs import evolve

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.declarations import Phase, PreparedOrder, ResultKind, WorthPart
from qf_tui.core.errors import Finding
from qf_tui.core.printed_logs import NeededCells, SheetPart
from qf_tui.core.system import Column, Span
from qf_tui.core.values import Battle, Die, Order, Owed, Ship, replace
from qf_tui.rules.quickfire_clone import collision, damage, game, gunnery
from qf_tui.rules.quickfire_clone.clauses import CHANGED_RULINGS, CLAUSES, OPTIONS, read_option
from qf_tui.rules.quickfire_clone.game import BOX_A_KNOT, CODES, GAME, list_unit_reminders, look_up_gunnery
from qf_tui.rules.quickfire_family import grid
from qf_tui.rules.quickfire_family import system as family
from qf_tui.rules.quickfire_family.damage import owe_fire_checks
from qf_tui.rules.quickfire_family.game import build_scales
from qf_tui.rules.quickfire_family.movement import Mover, prepare_move
from qf_tui.rules.quickfire_family.ship import Battery, find_ship_at_start, read_armor, read_gunnery

_TEMPLATES = "turn the models by the templates on the table (QFC-MV-3)"


def _prepare_move(battle: Battle, order: Order) -> PreparedOrder:
    """Prepare `move` with the speed that the ships had as the phase began.

    Damage of collisions in this phase does not slow them. Reminders name the unit and the templates.

    Rule: QFC-COL-2, QFC-MV-3.
    """
    for id in order.list_texts("ships"):
        ship, start_ship = battle.ships[id], find_ship_at_start(battle, id)
        log = {**ship.log, "speed_hits": start_ship.log.get("speed_hits")}
        battle = battle.with_ship(replace(ship, log=log))
    prepared = prepare_move(GAME, battle, order)
    movers = [Mover(GAME, battle, battle.ships[id]) for id in order.list_texts("ships")]
    box = max(mover.measure_boxes(1) for mover in movers)
    most = max(mover.available_distance for mover in movers)
    distances = [order.build_share(mover.ship.id).slots["distance"] for mover in movers]
    unit_reminders = dict.fromkeys(
        text for each in distances for text in list_unit_reminders(each, box, most)
    )
    return evolve(prepared, reminders=(*unit_reminders, *prepared.reminders, _TEMPLATES))


def _build_torpedo_cell(start_ship: Ship, ship: Ship) -> tuple[Span, ...]:
    """Return the torpedo cell: the points, with the loss of this phase; a dash if there never were any."""
    has_none = not ship.count_on_card("torpedo") and not ship.count("torpedo")
    return (grid.DASH,) if has_none else grid.build_points(start_ship, ship, "torpedo")


def _build_auto_shot_cell(start_ship: Ship, ship: Ship) -> tuple[Span, ...]:
    """Return the cell of the auto shot: `□`, or `x` once it is used, styled as a slash in that phase."""
    if ship.log.get("auto_shot") is not True:
        return (Span("□"),)
    was_used_before = start_ship.log.get("auto_shot") is True
    return (Span("x", "cross" if was_used_before else "slash"),)


def _format_base(ship: Ship) -> str:
    """Format the length of a ship's base, with the breadth if the card states it; a dash without a base."""
    stated = [
        grid.format_number(value) for key in ("base", "base.2") if (value := ship.card.get(key)) is not None
    ]
    return f"{'×'.join(stated)} cm" if stated else grid.DASH.text


_OWN_CELLS: grid.CellBuilders = {
    "torpedo": _build_torpedo_cell,
    "auto": _build_auto_shot_cell,
    "base": lambda began, ship: (Span(_format_base(ship)),),
}
_ORDERS: family.Orders = {
    "move": _prepare_move,
    "collide": collision.prepare_collide,
    "fire": gunnery.prepare_fire,
    "torpedo": gunnery.prepare_torpedo,
    "repair": damage.prepare_repair,
}
_THROWS: family.Throws = {
    "collide": lambda battle, roll, order: collision.build_throw(
        battle, collision.build_blows(battle, order)
    ),
    "fire": lambda battle, roll, order: gunnery.build_throw(battle, gunnery.build_shot(battle, order)),
    "torpedo": lambda battle, roll, order: gunnery.build_torpedo_throw(battle, order),
    "repair": lambda battle, roll, order: damage.build_repair_throw(battle, roll.ship, roll.entry),
}


class QuickfireClone(family.QuickfireSystem):
    """The rule system Quickfire-Clone."""

    name = "quickfire-clone"
    title = "Quickfire-Clone"
    knot = float(8 * BOX_A_KNOT)
    phases = (
        Phase(
            "move",
            "Movement",
            slashes=True,
            advice="all ships move at once, turning by templates",
            moves=True,
            clauses=family.list_clauses("QFC", "MV-1 MV-2 MV-3 MV-4 COL-1 COL-2"),
        ),
        Phase(
            gunnery.PHASE,
            "Gunnery and torpedoes",
            slashes=True,
            advice="write down firer, target and estimate before anything is measured",
            clauses=family.list_clauses(
                "QFC",
                "GUN-12 GUN-6 GUN-5 GUN-2 GUN-4 GUN-7 GUN-1 GUN-8 GUN-9 GUN-3 "
                "BLA-1 BLA-2 BLA-3 BLA-4 BLA-5 TOR-1 TOR-2 TOR-3",
            ),
        ),
        Phase(
            "repair",
            "Repair and sinking",
            advice="fires first, then repairs, then who sinks",
            clauses=family.list_clauses("QFC", "PH-3 REP-1 REP-2 SNK-1 SNK-2"),
        ),
    )
    reminders: Mapping[str, tuple[str, ...]] = {
        "move": (
            "all ships move at once; the console keeps millimetres (QFC-MV-4)",
            _TEMPLATES,
            "ships that collide stop (QFC-COL-1)",
        ),
        gunnery.PHASE: (
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
    fields = game.FIELDS
    card = game.CARD
    work_out = staticmethod(game.rate_ship)
    crews = GAME.crews
    crews_by = GAME.clauses.crews
    may_fire = staticmethod(gunnery.may_fire)
    launch_phase = gunnery.PHASE
    list_launcher_findings = staticmethod(gunnery.list_launcher_findings)
    printed = game.PRINTED
    blank = game.BLANK
    lasting = (*game.PRINTED, "speed_hits", "course")
    harm = ("speed_hits",)
    columns = (
        grid.ROF,
        evolve(grid.SPEED_BOXES, fields=("speed_hits",)),
        evolve(grid.SPEED, width=8, fields=("speed_hits", "moved")),
        Column("auto", "auto", 4, 1, ("auto_shot",), help="□ the auto shot is left"),
        Column("torpedo", "TT", 4, 2, ("torpedo",), right=True, help="torpedoes"),
        *grid.COMMON,
        Column("base", "base", 4, 6, ("base", "base.2"), right=True, most=9, help="its base, in cm"),
    )
    own_cells = _OWN_CELLS
    dice = (Die(6),)
    forms = game.FORMS
    facts = game.FACTS
    attested = game.ATTESTED_BY_CLONE
    options = OPTIONS
    charts = ("qf_tui.rules.quickfire_clone", "charts.toml")
    scales = build_scales(GAME.scales)
    clauses = CLAUSES
    changed_rulings = CHANGED_RULINGS
    chart_shapes = GAME.shapes
    worth = family.build_worth(
        10,
        WorthPart("torpedoes", "each point of torpedo rating", 0.25, family.build_count("torpedo")),
        fires=0.25,
    )
    results = (
        family.GUNS,
        family.STRIKES,
        family.STRUCK,
        ResultKind(
            "collisions",
            "damage to both ships of a collision",
            ("collide",),
            ("hits", "blast"),
            harm="a collision",
        ),
        ResultKind("blast-hits", "own damage by blast hits", ("blast",), ("hits",), harm="a blast hit"),
        *family.CHECKS,
    )
    game = GAME
    orders = _ORDERS
    throws = _THROWS
    checks = damage.CHECKS
    codes = CODES
    hand_clause = "QFC-BLA-5"
    hand_clause_by_code = damage.HAND_CLAUSE_BY_CODE
    torpedo_field = "torpedo"
    ended_by = "QFC-PH-1"
    prepare_answer = staticmethod(damage.prepare_choice)
    lapse = staticmethod(damage.give_point_back)

    def apply_damage(self, builder: DecisionBuilder, ship: str, codes: tuple[str, ...], source: str) -> None:
        damage.apply_codes(builder, ship, codes)

    def list_sheet_parts(self, battle: Battle, start_ship: Ship, ship: Ship) -> Iterable[SheetPart]:
        """Return the auto shot, torpedoes and the base for the printed log.

        Rule: QFC-LOG-1.
        """
        tubes = grid.build_points_part(start_ship, ship, "torpedoes", "torpedo", "torpedo")
        return grid.build_auto_shot_part(start_ship, ship), tubes, SheetPart("base", _format_base(ship))

    def needed_cells(self, battle: Battle) -> NeededCells:
        """Return the gunnery cells that these ships can need, and columns for their torpedoes and sizes."""
        lookups = (
            look_up_gunnery(battle, read_gunnery(firer, battery), read_armor(target, battery), in_end_arc=end)
            for firer, target in family.list_meetings(battle)
            for battery in Battery
            if read_gunnery(firer, battery)
            for end in (False, True)
        )
        return {
            "gunnery": {(each.row, each.column) for each in lookups},
            "torpedo": family.list_needed_ratings(battle, "torpedo"),
            "sinking": family.list_needed_sizes(battle),
        }

    def list_torpedo_findings(self, battle: Battle, firer: Ship, target: Ship) -> list[Finding]:
        """Return the findings against any torpedo of this firer at this target."""
        return super().list_torpedo_findings(battle, firer, target) or gunnery.refuse_second_launch_at(
            battle, firer, target
        )

    def list_repairs(self, battle: Battle, ship: Ship, kinds: Collection[str] = (), /) -> tuple[str, ...]:
        """Return `repair` if a ship may still roll for repairs, otherwise (): one roll is for all kinds."""
        return () if damage.list_repair_findings(battle, ship) else ("repair",)

    def answerable(self, battle: Battle, owed: Owed) -> bool:
        """Return whether an owed question still needs an answer: a choice of repairs only if damage is left.

        Rule: QFC-RUL-6.
        """
        return owed.line != damage.CHOICE or bool(damage.list_words_left(battle, owed))

    def find_range_bracket(self, battle: Battle, order: Order) -> str:
        """Return `short` within the range of light guns, `long` within that of heavy ones, "" beyond both.

        Rule: QFC-GUN-6, QFC-BLA-1.
        """
        range = game.to_centimetres(order.slots["range"])
        if range > game.HEAVY_RANGE:
            return ""
        return "long" if range > game.LIGHT_RANGE else "short"

    def enter(self, battle: Battle, builder: DecisionBuilder) -> None:
        """Begin a phase: stop ships that collided and owe directions, or in repair owe fire checks."""
        super().enter(battle, builder)
        if battle.phase == GAME.movement:
            collision.stop_collided(battle, builder)
            damage.owe_directions(builder)
        elif battle.phase == "repair":
            each_fire = read_option(battle, "fire_checks") == "each-fire"
            owe_fire_checks(builder, *damage.TWO_DICE, each_fire=each_fire)

    def leave(self, battle: Battle, builder: DecisionBuilder, carried: bool) -> bool:
        """Write the effects of a phase's end; the end of the repair phase first owes sinking rolls.

        Returns:
            True if sinking rolls must be thrown before the phase ends; False if none is owed, or if the phase
            must end although they are owed (`carried`).

        Rule: QFC-PH-3.
        """
        super().leave(battle, builder, carried)
        return battle.phase == "repair" and damage.owe_sinking(builder) and not carried
