"""General Quarters 2 as the core sees it: the declarations put together, each order sent to its module."""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.declarations import NeededCells, ResultKind, SheetLine, Worth, WorthPart
from qf_tui.core.ship_facts import Rating, ShipFacts
from qf_tui.core.system import (
    Available,
    CardField,
    Column,
    Phase,
    PreparedOrder,
    RuleSystem,
    Setup,
    Shape,
    Span,
    find_phase,
)
from qf_tui.core.text import Scalar, exact
from qf_tui.core.values import AFLOAT, Battle, Order, Owed, Ship
from qf_tui.rules.gq2 import (
    attacks,
    charts,
    damage,
    fields,
    forms,
    grid,
    gunnery,
    movement,
    night,
    targets,
    torpedo,
    wandering,
)
from qf_tui.rules.gq2.charts import SHAPES
from qf_tui.rules.gq2.clauses import CHANGED_RULINGS, CLAUSES, OPTIONS
from qf_tui.rules.gq2.damage import (
    ARMAMENT,
    CRITICAL,
    DAMAGE_CONTROL,
    HULL,
    SINKING_LINE,
    CodeKind,
    boxes,
    damage_code,
    left,
)
from qf_tui.rules.gq2.fields import FIELDS, armed
from qf_tui.rules.gq2.forms import (
    FACTS,
    FIRE,
    FORMS,
    GUNNERY,
    LIGHT,
    MOVE,
    MOVEMENT,
    REPAIR,
    SCALES,
    SEARCHLIGHTS,
    TORPEDO,
    TORPEDO_PHASE,
    WANDER,
    with_unit,
)
from qf_tui.rules.gq2.grid import needed_cells
from qf_tui.rules.gq2.gunnery import may_fire
from qf_tui.rules.gq2.movement import may_move
from qf_tui.rules.gq2.night import TARGETING, colour, may_light
from qf_tui.rules.gq2.rating import rate, unknown_words
from qf_tui.rules.gq2.ship import (
    AGROUND,
    AT_START,
    BOXES,
    CARD,
    FORMATIONS,
    acts,
    batteries,
    binding,
    box_in_force,
    crippled,
    df,
)
from qf_tui.rules.gq2.ship import muster as ship_muster
from qf_tui.rules.gq2.torpedo import DAMAGE, MINE, may_launch

LIKE = 10
"""The DF that hulls are measured by."""

_DF = f"times DF over {LIKE}"
Of = Callable[[Ship], float]


def _by_df(of: Of) -> Of:
    return lambda ship: of(ship) * float(df(ship)) / LIKE


def _hits(name: str, what: str, weight: float, *kinds: str) -> WorthPart:
    """What the marks of some kinds take off."""
    of = _by_df(lambda ship: sum(mark.kind in kinds and not mark.lifted for mark in ship.marks))
    return WorthPart(name, f"each {what}, {_DF}", weight, of, less=True)


def _guns(ship: Ship) -> float:
    """Attack factors by the share of armament boxes that are left."""
    printed = 2 * boxes(ship, ARMAMENT)
    factors = sum(float(guns.af) for guns in batteries(ship))
    return factors * left(ship, ARMAMENT) / printed if printed else factors


WORTH = Worth(
    (
        WorthPart("hull", f"each half of a hull box, {_DF}", 1, _by_df(lambda ship: left(ship, HULL))),
        WorthPart(
            "speed",
            f"each hull box of speed, {_DF}",
            0.5,
            _by_df(lambda ship: max(0, BOXES + 1 - box_in_force(ship))),
        ),
        WorthPart("guns", "the attack factors of all batteries, in the share of armament left", 0.5, _guns),
        WorthPart("torpedoes", "each torpedo", 0.5, lambda ship: ship.count("torpedoes")),
        _hits("fires", "damage-control hit", 0.5, "fires"),
        _hits("fire-control", "fire control hit", 1, "fire_control"),
        _hits("rudder", "rudder hit", 0.5, "rudder"),
        _hits("passing", "bridge hit or steam line", 0.25, "bridge", "steam"),
    )
)


def _halves(text: str) -> int:
    """Half boxes of a code; a critical hit counts as one, a ship broken up all her hull."""
    code = damage_code(text)
    if code is None:
        return 0
    return {CodeKind.BROKEN_UP: 2 * BOXES, CodeKind.CRITICAL: 1}.get(code.kind, code.halves)


RESULTS = (
    ResultKind("guns", "half boxes and criticals by guns", ("fire",), ("hits",), damage=True, each=_halves),
    ResultKind("torpedoes", "torpedo hits", ("torpedo",), ("hits",), damage=True, told="struck"),
    ResultKind("torpedo-hits", "half boxes by torpedoes", (DAMAGE,), ("hits",), damage=True, each=_halves),
    ResultKind("mines", "own half boxes by mines", (MINE,), ("hits",), each=_halves, harm="a mine"),
    ResultKind(
        "barbettes",
        "own barbettes hit by criticals",
        (CRITICAL,),
        ("critical",),
        each=lambda name: int(name == charts.BARBETTE),
    ),
    ResultKind("damage-control", "damage control", (DAMAGE_CONTROL,), ("mended",)),
    ResultKind("sinkings", "own ships that go down", (SINKING_LINE,), ("sunk",)),
)


def counted_as(owed: Owed) -> str:
    """Dice thrown with an order at an unlit ship count as its own; a hit that nobody fired is a mine's."""
    if owed.line == TARGETING:
        return owed.declared.word
    return MINE if owed.line == DAMAGE and not owed.text("firer") else owed.line


BATTERY_LETTERS = "ABCDEFGH"
LETTERS = {
    "M": "move",
    "W": "wander check",
    "L": "searchlight",
    "T": "torpedoes",
    "A B C": "the batteries, as the sheet lists them",
}


def may_act(battle: Battle) -> tuple[Available, ...]:
    """The ships that may still act in this phase, with what and by which order.

    Batteries are A, B, C ... as they stand on the sheet.
    """
    checking = {ship.id for ship in wandering.wanderers(battle)} if battle.phase == MOVEMENT else set()
    found = []
    for ship in battle.ships.values():
        what, order, letters = _may_do(battle, ship)
        fires = [(order, {"battery": guns}) for guns in what.split() if order == FIRE.word]
        ways = ((order, {}),) if order == TORPEDO.word else tuple(fires)
        if ship.id in checking:
            what, order = ("move, then wander check", order) if what else ("wander check", WANDER.word)
            letters += "W"
        if what:
            found.append(Available(ship.id, what, order, letters, ways))
    return tuple(found)


def _may_do(battle: Battle, ship: Ship) -> tuple[str, str, str]:
    """What a ship may still do in this phase, the order for it, and its letters: whatever is not refused."""
    if may_move(battle, ship):
        return "move", MOVE.word, "M"
    if may_light(battle, ship):
        return "light", LIGHT.word, "L"
    if may_launch(battle, ship):
        return "T", TORPEDO.word, "T"
    firer = battle.start.ships.get(ship.id, ship)
    able = {
        letter: guns.name
        for letter, guns in zip(BATTERY_LETTERS, armed(battle, firer), strict=False)
        if may_fire(battle, firer, guns)
    }
    return " ".join(able.values()), FIRE.word, "".join(able)


def advice(battle: Battle) -> tuple[str, ...]:
    """What people are reminded of in this phase."""
    return tuple(_ADVICE[battle.phase](battle))


def _order_of_sides(battle: Battle) -> list[str]:
    """The sides in the order in which they act this turn (GQ2-PH-2)."""
    names = [side.name for side in battle.sides]
    return names if battle.turn % 2 else names[::-1]


def _movement(battle: Battle) -> list[str]:
    first, *rest = _order_of_sides(battle) or [""]
    notes = [
        f"{first} moves first, then {', '.join(rest)}; smoke is {colour(battle.turn)} (GQ2-PH-2, GQ2-PH-3)"
    ]
    held = [
        ship.name for ship in battle.ships.values() if acts(battle, ship) and binding(battle, ship, "bridge")
    ]
    if held:
        notes.append(
            f"speed and course held through the first half of the move: {', '.join(held)} (GQ2-CRI-1)"
        )
    checking = [ship.name for ship in wandering.wanderers(battle)]
    if checking:
        notes.append(f"wander checks after all movement: {', '.join(checking)} (GQ2-MV-6)")
    notes.append("ships that touch make a collision check at once: `contact SHIP,SHIP` (GQ2-MV-8)")
    if targets.is_night(battle):
        one = with_unit(battle, Fraction(1))
        notes.append(f"also whoever is more than {one} from the next ahead in line astern (GQ2-NIT-1)")
    return notes


def _searchlights(battle: Battle) -> list[str]:
    first, *rest = _order_of_sides(battle) or [""]
    return [f"{first} sets its searchlights first, then {', '.join(rest)} (GQ2-PH-2)"]


def _gunnery(battle: Battle) -> list[str]:
    notes = ["the red end of the stick lies at the shooter (GQ2-GUN-11)"]
    low = sum(targets.low_visibility(battle))
    if low:
        notes.append(f"poor visibility adds {low} to every straddle; `low` on a shot is for more (GQ2-GUN-2)")
    if targets.is_night(battle):
        one = with_unit(battle, Fraction(1))
        notes.append(
            f"a lit ship in its place is no target for its own formation; {one} out of it is (GQ2-NIT-4)"
        )
    return notes


_ADVICE: Mapping[str, Callable[[Battle], list[str]]] = {
    MOVEMENT: _movement,
    SEARCHLIGHTS: _searchlights,
    GUNNERY: _gunnery,
    TORPEDO_PHASE: lambda battle: ["measure from the launcher with the stick of its torpedoes (GQ2-TOR-1)"],
    REPAIR: lambda battle: [f"take up {colour(battle.turn + 1)} smoke and the splashes (GQ2-PH-3)"],
}


def _clauses(*names: str) -> tuple[str, ...]:
    return tuple(f"GQ2-{name}" for name in names)


_SHOTS = ("PH-4", "NIT-2", *(f"GUN-{number}" for number in (1, 2, 3, 4, 5, 10, 6, 7, 8, 13, 14)))
_CRITICALS = tuple(f"CRI-{number}" for number in (0, 1, 2, 3, 5, 6, 8, 9))

PHASES = (
    Phase(
        forms.MOVEMENT,
        "Movement",
        moves=True,
        clauses=_clauses("PH-2", "PH-3", "MV-1", "MV-2", "MV-6", "MV-8", "MV-5", "MV-4"),
    ),
    Phase(forms.SEARCHLIGHTS, "Searchlights", passes=True, clauses=_clauses("NIT-3", "NIT-7", "PH-5")),
    Phase(forms.GUNNERY, "Gunnery", slashes=True, clauses=_clauses(*_SHOTS, *_CRITICALS)),
    Phase(
        forms.TORPEDO_PHASE,
        "Torpedoes",
        slashes=True,
        passes=True,
        clauses=_clauses("TOR-1", "TOR-2", "TOR-3", "TOR-4"),
    ),
    Phase(forms.REPAIR, "Repair", clauses=_clauses("REP-1", "CRI-B", "SNK-1", "SNK-2")),
)


CONDITIONS = (
    CardField(
        "light",
        "word",
        "how light it is as the battle begins",
        words=(forms.DAY, forms.DUSK, forms.NIGHT),
        default=forms.DAY,
    ),
    CardField(
        forms.VISIBILITY,
        "int",
        "causes of poor visibility that hold for every shot, dusk not counted",
        most=forms.CAUSES_MOST,
        default=0,
    ),
)

DIVISION_CONDITIONS = (
    CardField("formation", "word", "its formation as the battle begins", words=FORMATIONS),
)


class GeneralQuarters(RuleSystem):
    """General Quarters 2: its declarations, and each order sent to its module."""

    name = "gq2"
    title = "General Quarters 2"
    phases = PHASES
    fields = FIELDS
    columns = grid.COLUMNS
    card = CARD
    at_start = AT_START
    conditions = CONDITIONS
    division_conditions = DIVISION_CONDITIONS
    scales = SCALES
    forms = FORMS
    facts = FACTS
    options = OPTIONS
    clauses = CLAUSES
    changed_rulings = CHANGED_RULINGS
    charts = ("qf_tui.rules.gq2", "charts.toml")
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

    def work_out(self, ship: ShipFacts) -> Rating:
        return rate(ship)

    def muster(self, card: Mapping[str, Scalar], setup: Setup) -> Mapping[str, Scalar]:
        return ship_muster(card, setup)

    def card_faults(self, card: Mapping[str, Scalar]) -> Iterable[tuple[str, str]]:
        return fields.card_faults(card)

    def card_warnings(self, card: Mapping[str, Scalar]) -> Iterable[tuple[str, str]]:
        return unknown_words(card)

    def prepare(self, battle: Battle, order: Order) -> PreparedOrder:
        return _PREPARE[order.word](battle, order)

    def prepare_roll(self, battle: Battle, owed: Owed) -> PreparedOrder:
        if owed.line in _CHECKS:
            return _CHECKS[owed.line](battle, owed)
        order = owed.declared
        if owed.line == night.TARGETING:
            return night.prepare_targeting(battle, owed, order, _AIMS[order.word])
        return _ROLLS[owed.line](battle, owed, order)

    def prepare_answer(self, battle: Battle, owed: Owed, words: tuple[str, ...]) -> PreparedOrder:
        if owed.line in _OUTCOMES:
            return _OUTCOMES[owed.line](battle, owed, words)
        order = owed.declared
        if owed.line == night.MEASURE:
            return night.prepare_measure(battle, owed, words, _AIMS[order.word])
        return night.prepare_who(battle, owed, words, order, _AIMS[order.word])

    def counted_as(self, owed: Owed) -> str:
        return counted_as(owed)

    def plain_answers(self, battle: Battle, owed: Owed) -> tuple[tuple[str, ...], ...]:
        """Ships went as far as they can, what is found by night is out of reach, nobody else is there."""
        if owed.line == wandering.MOVES:
            return (wandering.plain_moves(battle, owed),)
        if owed.line == night.MEASURE:
            return ((night.OUTSIDE,),)
        if owed.line == damage.COLLISION:
            return ((damage.NONE,),)
        return tuple((word,) for word in reversed(owed.words))

    def answerable(self, battle: Battle, owed: Owed) -> bool:
        if owed.line not in (wandering.CHECKS, wandering.MOVES):
            return True
        return wandering.asked_for(battle) and not wandering.all_told(battle, owed)

    def lapse(self, builder: DecisionBuilder, owed: Owed) -> None:
        wandering.lapse(builder, owed)

    def prepare_damage(
        self, battle: Battle, ship: str, codes: tuple[str, ...], source: str = ""
    ) -> PreparedOrder:
        return damage.prepare_damage(battle, ship, codes)

    def enter(self, battle: Battle, builder: DecisionBuilder) -> None:
        if battle.phase == forms.MOVEMENT:
            movement.begin_movement(battle, builder)
        elif battle.phase == forms.REPAIR:
            damage.begin_repair(builder)

    def leave(self, battle: Battle, builder: DecisionBuilder, carried: bool) -> bool:
        """The end of movement first asks for the wander checks that are due (GQ2-MV-6)."""
        if battle.phase == forms.MOVEMENT:
            if wandering.owe_checks(builder) and not carried:
                return True
            movement.end_movement(battle, builder)
        elif battle.phase == forms.REPAIR:
            damage.owe_sinking(builder)
        return False

    def follow(self, battle: Battle, builder: DecisionBuilder) -> None:
        if battle.phase == forms.REPAIR:
            damage.owe_sinking(builder)

    def may_act(self, battle: Battle) -> tuple[Available, ...]:
        return may_act(battle)

    def range_read_by(self, battle: Battle, order: Order) -> str:
        if order.form is forms.TORPEDO:
            return attacks.kind_of(battle.ships[order.many("ships")[0]])
        return str(gunnery.battery_of(battle, order).calibre)

    def bracket(self, battle: Battle, order: Order) -> str:
        if order.form is forms.TORPEDO:
            return ""
        band = gunnery.band_of(battle, order, gunnery.battery_of(battle, order))
        return "" if band is None else f"band {band}"

    def stood_still(self, battle: Battle, ship: Ship) -> bool:
        moved = movement.movement(battle, ship)
        return not moved.assumed and not moved.inches

    def report(self, battle: Battle, ship: Ship) -> Mapping[str, Shape]:
        return grid.report(battle, ship)

    def cell(self, battle: Battle, ship: Ship, column: Column) -> tuple[Span, ...]:
        return grid.cell(battle, ship, column, slashes=find_phase(self, battle.phase).slashes)

    def sheet(self, battle: Battle, ship: Ship) -> tuple[tuple[str, tuple[Span, ...]], ...]:
        return grid.sheet(battle, ship, slashes=find_phase(self, battle.phase).slashes)

    def log_sheet(self, battle: Battle, ship: Ship) -> tuple[SheetLine, ...]:
        return grid.lines(battle, ship, slashes=find_phase(self, battle.phase).slashes)

    def needed_cells(self, battle: Battle) -> NeededCells:
        return needed_cells(battle)

    letters = LETTERS

    def bulk(self, ship: Ship) -> float:
        """By defence factor: capital ships first, torpedo craft last."""
        return float(exact(ship.card.get("df")))

    def possible(self, battle: Battle, order: Order) -> tuple[Order, ...]:
        return movement.possible_moves(battle, order) if order.word == "move" else ()

    def out_of_line(self, battle: Battle, ship: Ship) -> bool:
        """A ship with a damaged rudder, or whose hull leaves her no speed (GQ2-CRI-2, GQ2-LOG-2)."""
        return crippled(ship)

    def fights(self, battle: Battle, one: Ship) -> bool:
        """A ship afloat does, and one aground unless she is silent (GQ2-SNK-3)."""
        return one.afloat or (one.status == AGROUND and acts(battle, one))

    def advice(self, battle: Battle) -> tuple[str, ...]:
        return advice(battle)

    def changes_of_ship(self, before: Battle, after: Battle, old: Ship, new: Ship) -> Iterable[str]:
        return grid.changes_of_ship(before, after, old, new)


_PREPARE: Mapping[str, Callable[[Battle, Order], PreparedOrder]] = {
    "table": targets.prepare_table,
    "move": movement.prepare_move,
    "formation": movement.prepare_formation,
    "wander": wandering.prepare_wander,
    "contact": damage.prepare_contact,
    "smoke": night.prepare_smoke,
    "steam": movement.order_steam,
    "anchor": movement.order_anchor,
    "light": night.prepare_light,
    "dark": night.prepare_dark,
    "fire": gunnery.prepare_fire,
    "torpedo": torpedo.prepare_torpedo,
    "mine": torpedo.prepare_mine,
}
_AIMS: Mapping[str, night.Aim] = {
    "fire": night.Aim(gunnery.go_on, gunnery.barred, gunnery.give_back, ask_measure=gunnery.ask_measure),
    "torpedo": night.Aim(torpedo.go_on, torpedo.barred, torpedo.give_back, ask_measure=torpedo.ask_measure),
    "light": night.Aim(night.go_on, outside="is out of reach: nothing is lit"),
}
_CHECKS: Mapping[str, Callable[[Battle, Owed], PreparedOrder]] = {
    CRITICAL: damage.prepare_critical,
    damage.BARBETTE: damage.prepare_barbette,
    damage.MARKER: damage.prepare_marker,
    torpedo.DAMAGE: torpedo.prepare_damage_roll,
    damage.DAMAGE_CONTROL: damage.prepare_damage_control,
    damage.SINKING_LINE: damage.prepare_sinking,
    "steam": lambda battle, owed: movement.prepare_steam(battle, owed.ship),
    wandering.CHECKS: wandering.prepare_checks,
}
_OUTCOMES: Mapping[str, Callable[[Battle, Owed, tuple[str, ...]], PreparedOrder]] = {
    wandering.MOVES: wandering.prepare_moves,
    damage.COLLISION: damage.prepare_collision,
    damage.POWER: damage.prepare_power,
}
_ROLLS: Mapping[str, Callable[[Battle, Owed, Order], PreparedOrder]] = {
    "fire": gunnery.prepare_fire_roll,
    "torpedo": torpedo.prepare_torpedo_roll,
    "wander": lambda battle, owed, order: wandering.wander(battle, order),
}
