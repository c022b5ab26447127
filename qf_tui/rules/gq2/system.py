"""The rule system General Quarters 2: its declarations, and the module for each order and question."""

from collections.abc import Callable, Mapping
from fractions import Fraction

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.declarations import Available, FieldSpec, Phase, PreparedOrder, ResultKind, Worth, WorthPart
from qf_tui.core.system import RuleSystem
from qf_tui.core.text import Distance
from qf_tui.core.values import AFLOAT, Battle, Die, Order, Owed, Ship
from qf_tui.rules.gq2 import damage, grid, gunnery, movement, rating, targets, torpedo, wandering
from qf_tui.rules.gq2 import ship as ships
from qf_tui.rules.gq2.charts import BARBETTE, SHAPES
from qf_tui.rules.gq2.clauses import CHANGED_RULINGS, CLAUSES, OPTIONS
from qf_tui.rules.gq2.damage import CodeKind, read_damage_code
from qf_tui.rules.gq2.forms import (
    CAUSES_MOST,
    DAY,
    DUSK,
    FACTS,
    FIRE,
    FORMS,
    LIGHT,
    MOVE,
    NIGHT,
    SCALES,
    TORPEDO,
    VISIBILITY,
    WANDER,
    find_unit,
    format_distance,
)
from qf_tui.rules.gq2.ship import (
    AGROUND,
    ARMAMENT,
    BOXES,
    GUNNERY,
    HULL,
    MOVEMENT,
    REPAIR,
    SEARCHLIGHTS,
    TORPEDO_PHASE,
    can_act,
    count_boxes,
    count_halves_left,
    find_box_in_force,
    find_ship_at_start,
    is_crippled,
    list_batteries,
    list_batteries_with_current_af,
    list_binding_hits,
    read_df,
)
from qf_tui.rules.gq2.targets import TARGETING, find_smoke_colour

REFERENCE_DF = 10
"""Defence factor at which a half box of hull counts fully in a ship's worth."""

_DF = f"times DF over {REFERENCE_DF}"
ShipFigure = Callable[[Ship], float]


def _scale_by_df(figure: ShipFigure) -> ShipFigure:
    """Scale a figure of a ship by her defence factor."""
    return lambda ship: figure(ship) * float(read_df(ship)) / REFERENCE_DF


def _declare_hits(name: str, what: str, weight: float, *kinds: str) -> WorthPart:
    """Declare the points of worth that a ship loses by each mark of these kinds, in proportion to her DF.

    Args:
        what: What one such mark stands for, as text.
    """
    figure = _scale_by_df(lambda ship: sum(mark.kind in kinds and not mark.lifted for mark in ship.marks))
    return WorthPart(name, f"each {what}, {_DF}", weight, figure, less=True)


def _compute_gun_worth(ship: Ship) -> float:
    """Return the sum of a ship's attack factors, reduced to the share of armament boxes left.

    A ship without armament boxes on her card counts the whole sum.
    """
    half_boxes = 2 * count_boxes(ship, ARMAMENT)
    factors = sum(float(guns.af) for guns in list_batteries(ship))
    return factors * count_halves_left(ship, ARMAMENT) / half_boxes if half_boxes else factors


WORTH = Worth(
    (
        WorthPart(
            "hull",
            f"each half of a hull box, {_DF}",
            1,
            _scale_by_df(lambda ship: count_halves_left(ship, HULL)),
        ),
        WorthPart(
            "speed",
            f"each hull box of speed, {_DF}",
            0.5,
            _scale_by_df(lambda ship: max(0, BOXES + 1 - find_box_in_force(ship))),
        ),
        WorthPart(
            "guns",
            "the attack factors of all batteries, in the share of armament left",
            0.5,
            _compute_gun_worth,
        ),
        WorthPart("torpedoes", "each torpedo", 0.5, lambda ship: ship.count("torpedoes")),
        _declare_hits("fires", "damage-control hit", 0.5, "fires"),
        _declare_hits("fire-control", "fire control hit", 1, "fire_control"),
        _declare_hits("rudder", "rudder hit", 0.5, "rudder"),
        _declare_hits("passing", "bridge hit or steam line", 0.25, "bridge", "steam"),
    )
)


def _count_half_boxes(text: str) -> int:
    """Count the half boxes of a damage code; a code that cannot be read counts 0.

    A critical hit counts as one half box, a ship broken up as her whole hull.
    """
    code = read_damage_code(text)
    if code is None:
        return 0
    return {CodeKind.BROKEN_UP: 2 * BOXES, CodeKind.CRITICAL: 1}.get(code.kind, code.halves)


RESULTS = (
    ResultKind(
        "guns", "half boxes and criticals by guns", ("fire",), ("hits",), damage=True, each=_count_half_boxes
    ),
    ResultKind("torpedoes", "torpedo hits", ("torpedo",), ("hits",), damage=True, told="struck"),
    ResultKind(
        "torpedo-hits",
        "half boxes by torpedoes",
        (torpedo.DAMAGE,),
        ("hits",),
        damage=True,
        each=_count_half_boxes,
    ),
    ResultKind(
        "mines", "own half boxes by mines", (torpedo.MINE,), ("hits",), each=_count_half_boxes, harm="a mine"
    ),
    ResultKind(
        "barbettes",
        "own barbettes hit by criticals",
        (damage.CRITICAL,),
        ("critical",),
        each=lambda name: int(name == BARBETTE),
    ),
    ResultKind("damage-control", "damage control", (damage.DAMAGE_CONTROL,), ("mended",)),
    ResultKind("sinkings", "own ships that go down", (damage.SINKING_TEST,), ("sunk",)),
)


def _find_possible_act(battle: Battle, ship: Ship) -> tuple[str, str, str]:
    """Find what a ship may still do in this phase.

    Returns:
        Her possible act as text, the word of its order, and its letters. If she can do nothing, text and
        letters are "".
    """
    if ship.log.get("state") == ships.STEAMING and not movement.list_move_findings(battle, ship):
        return "move", MOVE.word, "M"
    light_targets = (
        target for target in battle.ships.values() if not targets.list_light_findings(battle, ship, target)
    )
    if battle.phase == SEARCHLIGHTS and any(light_targets):
        return "light", LIGHT.word, "L"
    if torpedo.may_launch(battle, ship):
        return "T", TORPEDO.word, "T"
    ship_at_start = find_ship_at_start(battle, ship)
    # Batteries are lettered in the order of the card; one that may not fire keeps its letter.
    names_by_letter = {
        letter: guns.name
        for letter, guns in zip(
            "ABCDEFGH", list_batteries_with_current_af(battle, ship_at_start), strict=False
        )
        if gunnery.may_fire(battle, ship_at_start, guns)
    }
    return " ".join(names_by_letter.values()), FIRE.word, "".join(names_by_letter)


def _find_sides_in_order(battle: Battle) -> tuple[str, str]:
    """Return the name of the side that acts first in this turn, and the names of the sides after it.

    Rule: GQ2-PH-2.
    """
    names = [side.name for side in battle.sides]
    first, *rest = (names if battle.turn % 2 else names[::-1]) or [""]
    return first, ", ".join(rest)


def _list_movement_advice(battle: Battle) -> list[str]:
    """List what the players must observe in the movement phase."""
    first, rest = _find_sides_in_order(battle)
    notes = [
        f"{first} moves first, then {rest}; smoke is {find_smoke_colour(battle.turn)} (GQ2-PH-2, GQ2-PH-3)"
    ]
    bound_names = [
        ship.name
        for ship in battle.ships.values()
        if can_act(battle, ship) and list_binding_hits(battle, ship, "bridge")
    ]
    if bound_names:
        notes.append(
            f"speed and course kept in the first half of the move: {', '.join(bound_names)} (GQ2-CRI-1)"
        )
    checking_names = [ship.name for ship in wandering.list_wanderers(battle)]
    if checking_names:
        notes.append(f"wander checks after all movement: {', '.join(checking_names)} (GQ2-MV-6)")
    if targets.is_night(battle):
        inch = format_distance(battle, Fraction(1))
        notes.append(
            f"a ship in line astern more than {inch} from the next ahead is checked too: `wander` (GQ2-NIT-1)"
        )
    notes.append("ships that touch make a collision check at once: `contact SHIP,SHIP` (GQ2-MV-8)")
    return notes


def _list_gunnery_advice(battle: Battle) -> list[str]:
    """List what the players must observe in the gunnery phase."""
    notes = ["put the red end of the stick at the shooter (GQ2-GUN-11)"]
    added = sum(targets.compute_visibility_modifiers(battle))
    if added:
        notes.append(f"poor visibility adds {added} to every straddle; `low` on a shot adds more (GQ2-GUN-2)")
    if targets.is_night(battle):
        inch = format_distance(battle, Fraction(1))
        notes.append(
            f"a lit ship is no target for its own formation, unless {inch} or more out of place (GQ2-NIT-4)"
        )
    return notes


_ADVICE: Mapping[str, Callable[[Battle], list[str]]] = {
    MOVEMENT: _list_movement_advice,
    SEARCHLIGHTS: lambda battle: [
        f"{' sets its searchlights first, then '.join(_find_sides_in_order(battle))} (GQ2-PH-2)"
    ],
    GUNNERY: _list_gunnery_advice,
    TORPEDO_PHASE: lambda battle: ["measure from the launcher with the stick of its torpedoes (GQ2-TOR-1)"],
    REPAIR: lambda battle: [f"remove {find_smoke_colour(battle.turn + 1)} smoke and the splashes (GQ2-PH-3)"],
}


def _list_clauses(names: str) -> tuple[str, ...]:
    return tuple(f"GQ2-{name}" for name in names.split())


PHASES = (
    Phase(MOVEMENT, "Movement", moves=True, clauses=_list_clauses("PH-2 PH-3 MV-1 MV-2 MV-6 MV-8 MV-5 MV-4")),
    Phase(SEARCHLIGHTS, "Searchlights", passes=True, clauses=_list_clauses("NIT-3 NIT-7 PH-5")),
    Phase(
        GUNNERY,
        "Gunnery",
        slashes=True,
        clauses=_list_clauses(
            "PH-4 NIT-2 GUN-1 GUN-2 GUN-3 GUN-4 GUN-5 GUN-10 GUN-6 GUN-7 GUN-8 GUN-13 GUN-14 "
            "CRI-0 CRI-1 CRI-2 CRI-3 CRI-5 CRI-6 CRI-8 CRI-9"
        ),
    ),
    Phase(
        TORPEDO_PHASE,
        "Torpedoes",
        slashes=True,
        passes=True,
        clauses=_list_clauses("TOR-1 TOR-2 TOR-3 TOR-4"),
    ),
    Phase(REPAIR, "Repair", clauses=_list_clauses("REP-1 CRI-B SNK-1 SNK-2")),
)

_PREPARE: Mapping[str, Callable[[Battle, Order], PreparedOrder]] = {
    "table": targets.prepare_table,
    "move": movement.prepare_move,
    "formation": movement.prepare_formation,
    "wander": wandering.prepare_wander,
    "contact": damage.prepare_contact,
    "smoke": targets.prepare_smoke,
    "steam": movement.prepare_steam_order,
    "anchor": movement.prepare_anchor,
    "light": targets.prepare_light,
    "dark": targets.prepare_dark,
    "fire": gunnery.prepare_fire,
    "torpedo": torpedo.prepare_torpedo,
    "mine": torpedo.prepare_mine,
}
_AIMS = {
    "fire": targets.Aim(
        gunnery.continue_shot, gunnery.list_aim_findings, gunnery.give_back_ammunition, targets.owe_measure
    ),
    "torpedo": targets.Aim(
        torpedo.continue_launch, torpedo.list_aim_findings, torpedo.give_back_torpedoes, torpedo.ask_measure
    ),
    "light": targets.Aim(targets.switch_light_on, outside="is out of reach: no ship is lit"),
}
_ROLLS: Mapping[str, Callable[[Battle, Owed], PreparedOrder]] = {
    "fire": lambda battle, owed: gunnery.build_throw(
        battle, gunnery.build_shot(battle, owed.declared_order, declared=True), owed.entry
    ),
    "torpedo": torpedo.prepare_torpedo_roll,
    "wander": lambda battle, owed: wandering.build_throw(battle, owed.declared_order),
    "steam": lambda battle, owed: movement.prepare_steam(battle, owed.ship),
    damage.CRITICAL: damage.prepare_critical,
    damage.BARBETTE: damage.prepare_barbette,
    damage.MARKER: damage.prepare_marker,
    damage.DAMAGE_CONTROL: damage.prepare_damage_control,
    damage.SINKING_TEST: damage.prepare_sinking_test,
    torpedo.DAMAGE: torpedo.prepare_damage_roll,
    wandering.CHECKS: wandering.prepare_checks,
    TARGETING: lambda battle, owed: targets.prepare_targeting(battle, owed, _AIMS[owed.declared_order.word]),
}
_ANSWERS: Mapping[str, Callable[[Battle, Owed, tuple[str, ...]], PreparedOrder]] = {
    wandering.MOVES: wandering.prepare_moves,
    damage.COLLISION: damage.prepare_collision,
    damage.POWER: damage.prepare_power,
    targets.WHO: lambda battle, owed, words: targets.prepare_who(
        battle, owed, words, _AIMS[owed.declared_order.word]
    ),
    targets.MEASURE: lambda battle, owed, words: targets.prepare_measure(
        battle, owed, words, _AIMS[owed.declared_order.word]
    ),
}


class GeneralQuarters(RuleSystem):
    """The rule system of General Quarters 2; its orders and questions are handled by the other modules."""

    name = "gq2"
    title = "General Quarters 2"
    phases = PHASES
    fields = ships.FIELDS
    columns = grid.COLUMNS
    card = ships.CARD
    at_start = ships.AT_START
    conditions = (
        FieldSpec(
            "light", "word", "how light it is as the battle begins", words=(DAY, DUSK, NIGHT), default=DAY
        ),
        FieldSpec(
            VISIBILITY,
            "int",
            "causes of poor visibility that hold for every shot, dusk not counted",
            most=CAUSES_MOST,
            default=0,
        ),
    )
    division_conditions = (
        FieldSpec("formation", "word", "its formation as the battle begins", words=ships.FORMATIONS),
    )
    scales = SCALES
    dice = (Die(10, "", 0), Die(6))
    forms = FORMS
    facts = FACTS
    options = OPTIONS
    clauses = CLAUSES
    changed_rulings = CHANGED_RULINGS
    charts = ("qf_tui.rules.gq2", "charts.toml")
    lasting = ships.LASTING
    harm = ships.HARM
    yards = ("qf_tui.rules.gq2", "yards.toml")
    chart_shapes = SHAPES
    worth = WORTH
    results = RESULTS
    joint_rolls = (wandering.CHECKS,)
    departure_statuses = ("withdrawn", "struck", AGROUND, "sunk")
    target_statuses = (AFLOAT, AGROUND)
    departure_clauses: Mapping[str, str] = {
        "withdrawn": "GQ2-SNK-2",
        "struck": "GQ2-SNK-2",
        AGROUND: "GQ2-SNK-3",
    }
    letters: Mapping[str, str] = {
        "M": "move",
        "W": "wander check",
        "L": "searchlight",
        "T": "torpedoes",
        "A B C": "the batteries, as the sheet lists them",
    }

    work_out = staticmethod(rating.rate)
    crews = rating.CREWS
    crews_by = "GQ2-CRW-1"
    muster = staticmethod(ships.muster)
    list_card_faults = staticmethod(ships.list_card_faults)
    list_card_warnings = staticmethod(rating.list_unknown_words)
    answerable = staticmethod(wandering.is_answerable)
    lapse = staticmethod(wandering.owe_recorded_checks)
    report = staticmethod(grid.build_report)
    cell = staticmethod(grid.format_cell)
    sheet = staticmethod(grid.format_sheet)
    log_sheet = staticmethod(grid.build_log_lines)
    needed_cells = staticmethod(grid.list_needed_cells)
    list_ship_changes = staticmethod(grid.list_ship_changes)

    def prepare(self, battle: Battle, order: Order) -> PreparedOrder:
        return _PREPARE[order.word](battle, order)

    def prepare_roll(self, battle: Battle, owed: Owed) -> PreparedOrder:
        return _ROLLS[owed.line](battle, owed)

    def prepare_answer(self, battle: Battle, owed: Owed, words: tuple[str, ...]) -> PreparedOrder:
        return _ANSWERS[owed.line](battle, owed, words)

    def counted_as(self, owed: Owed) -> str:
        """Return the line for which the dice of a roll count in `results`.

        Targeting rolls count for their order, and the damage of a hit that no ship launched counts for mines.
        All other rolls count for their own line.
        """
        if owed.line == TARGETING:
            return owed.declared_order.word
        if owed.line == torpedo.DAMAGE and not owed.read_text("firer"):
            return torpedo.MINE
        return owed.line

    def plain_answers(self, battle: Battle, owed: Owed) -> tuple[tuple[str, ...], ...]:
        """List answers for a battle without players, likeliest first.

        Unrecorded moves are assumed, ships that touch do no damage, and another ship found by night is out of
        reach. For any other question the last word offered comes first, such as `nobody`.
        """
        if owed.line == wandering.MOVES:
            return (wandering.assume_moves(battle, owed),)
        if owed.line == targets.MEASURE:
            return ((targets.OUTSIDE,),)
        if owed.line == damage.COLLISION:
            return ((damage.UNHARMED,),)
        return tuple((word,) for word in reversed(owed.words))

    def prepare_damage(
        self, battle: Battle, ship: str, codes: tuple[str, ...], source: str = ""
    ) -> PreparedOrder:
        """Prepare damage that the umpire enters as codes; the source makes no difference."""
        return damage.prepare_damage(battle, ship, codes)

    def enter(self, battle: Battle, builder: DecisionBuilder) -> None:
        """Begin the turn with movement, or begin the repair phase; other phases begin without effects."""
        if battle.phase == MOVEMENT:
            movement.begin_movement(battle, builder)
        elif battle.phase == REPAIR:
            damage.begin_repair(builder)

    def leave(self, battle: Battle, builder: DecisionBuilder, carried: bool) -> bool:
        """End the phase. Movement does not end before the wander checks that are due have been asked for.

        Args:
            carried: True if the phase must end although checks are owed.

        Returns:
            True if the checks must be answered first.

        Rule: GQ2-MV-6.
        """
        if battle.phase == MOVEMENT:
            if wandering.owe_checks(builder) and not carried:
                return True
            movement.end_movement(battle, builder)
        # In a repair phase, the sinking tests are owed now, unless an entry has owed them already.
        self.follow(battle, builder)
        return False

    def follow(self, battle: Battle, builder: DecisionBuilder) -> None:
        if battle.phase == REPAIR:
            damage.owe_sinking_tests(builder)

    def may_act(self, battle: Battle) -> tuple[Available, ...]:
        """List the ships that may still act in this phase, with letters for their possible acts.

        The batteries are A, B, C ... in the order of the sheet. W is added if the ship's wander check is due.
        """
        checking_ids = (
            {ship.id for ship in wandering.list_wanderers(battle)} if battle.phase == MOVEMENT else set()
        )
        available = []
        for ship in battle.ships.values():
            what, order, letters = _find_possible_act(battle, ship)
            ways: tuple[tuple[str, Mapping[str, str]], ...] = ()
            if order == FIRE.word:
                ways = tuple((order, {"battery": name}) for name in what.split())
            elif order == TORPEDO.word:
                ways = ((order, {}),)
            if ship.id in checking_ids:
                letters += "W"
                if what:
                    what = "move, then wander check"
                else:
                    what, order = "wander check", WANDER.word
            if what:
                available.append(Available(ship.id, what, order, letters, ways))
        return tuple(available)

    def find_range_stick(self, battle: Battle, order: Order) -> str:
        """Return the kind of torpedo of a launch, or the caliber of a battery: each has its stick."""
        if order.form is TORPEDO:
            return torpedo.find_kind(battle.ships[order.list_texts("ships")[0]])
        return str(gunnery.find_battery(battle, order).calibre)

    def find_range_bracket(self, battle: Battle, order: Order) -> str:
        """Return the band of a shot's range; "" without a band, and for torpedoes."""
        if order.form is TORPEDO:
            return ""
        band = gunnery.find_order_band(battle, order, gunnery.find_battery(battle, order))
        return "" if band is None else f"band {band}"

    def has_stood_still(self, battle: Battle, ship: Ship) -> bool:
        moved = movement.find_movement(battle, ship)
        return not moved.assumed and not moved.inches

    def pace(self, battle: Battle, ship: Ship, knots: float | None = None) -> Distance:
        """Return the distance that a ship can move this turn, at most at a speed of `knots`."""
        distance = ships.compute_speed(battle, ship)
        if knots is not None:
            distance = min(distance, Fraction(knots) * ships.INCH_A_KNOT)
        return Distance(distance, find_unit(battle))

    def bulk(self, ship: Ship) -> float:
        """Return the defence factor as the size of a ship, since it is high for capital ships."""
        return float(read_df(ship))

    def possible(self, battle: Battle, order: Order) -> Order | None:
        return movement.share_move(battle, order) if order.form is MOVE else None

    def out_of_line(self, battle: Battle, ship: Ship) -> bool:
        return is_crippled(ship)

    def can_fight(self, battle: Battle, ship: Ship) -> bool:
        """Return whether a ship may still fight: afloat, or aground if a switch lets her act there.

        Rule: GQ2-SNK-3.
        """
        return ship.afloat or (ship.status == AGROUND and can_act(battle, ship))

    def advice(self, battle: Battle) -> tuple[str, ...]:
        return tuple(_ADVICE[battle.phase](battle))
