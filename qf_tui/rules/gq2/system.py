"""General Quarters 2 as the core sees it: the declarations put together, each order sent to its module."""

from collections.abc import Callable, Iterable, Mapping

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.grammar.order import Order
from qf_tui.core.log_sheet import NeededCells, SheetLine
from qf_tui.core.measure import Scalar, exact
from qf_tui.core.ratings import Rating
from qf_tui.core.ship_facts import ShipFacts
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
from qf_tui.core.values import AFLOAT, Battle, Owed, Ship
from qf_tui.rules.gq2 import (
    advice,
    armament,
    attacks,
    card_view,
    criticals,
    engines,
    explosions,
    formation,
    forms,
    grid,
    gunnery,
    lighting,
    lights,
    log_sheet,
    manual_damage,
    mistargeting,
    movement,
    repair,
    ship,
    shots,
    torpedo,
    wander_checks,
    wandering,
)
from qf_tui.rules.gq2.charts import SHAPES
from qf_tui.rules.gq2.clauses import CHANGED_RULINGS, CLAUSES
from qf_tui.rules.gq2.damage import CRITICAL
from qf_tui.rules.gq2.facts import FACTS
from qf_tui.rules.gq2.fields import FIELDS
from qf_tui.rules.gq2.forms import FORMS
from qf_tui.rules.gq2.log_sheet import needed_cells
from qf_tui.rules.gq2.measures import SCALES
from qf_tui.rules.gq2.options import OPTIONS
from qf_tui.rules.gq2.rating import rate, unknown_words
from qf_tui.rules.gq2.ship import FORMATIONS, crippled
from qf_tui.rules.gq2.worth import RESULTS, WORTH, counted_as


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
        forms.TORPEDOES,
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
    card = ship.CARD
    at_start = ship.AT_START
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
    joint_rolls = (wander_checks.CHECKS,)
    departure_statuses = ("withdrawn", "struck", ship.AGROUND, "sunk")
    target_statuses = (AFLOAT, ship.AGROUND)
    departure_clauses: Mapping[str, str] = {
        "withdrawn": "GQ2-SNK-2",
        "struck": "GQ2-SNK-2",
        ship.AGROUND: "GQ2-SNK-3",
    }

    def work_out(self, ship: ShipFacts) -> Rating:
        return rate(ship)

    def muster(self, card: Mapping[str, Scalar], setup: Setup) -> Mapping[str, Scalar]:
        return ship.muster(card, setup)

    def card_faults(self, card: Mapping[str, Scalar]) -> Iterable[tuple[str, str]]:
        return armament.card_faults(card)

    def card_warnings(self, card: Mapping[str, Scalar]) -> Iterable[tuple[str, str]]:
        return unknown_words(card)

    def prepare(self, battle: Battle, order: Order) -> PreparedOrder:
        return _PREPARE[order.word](battle, order)

    def prepare_roll(self, battle: Battle, owed: Owed) -> PreparedOrder:
        if owed.line in _CHECKS:
            return _CHECKS[owed.line](battle, owed)
        order = owed.declared
        if owed.line == mistargeting.TARGETING:
            return mistargeting.prepare_targeting(battle, owed, order, _AIMS[order.word])
        return _ROLLS[owed.line](battle, owed, order)

    def prepare_answer(self, battle: Battle, owed: Owed, words: tuple[str, ...]) -> PreparedOrder:
        if owed.line in _OUTCOMES:
            return _OUTCOMES[owed.line](battle, owed, words)
        order = owed.declared
        if owed.line == mistargeting.MEASURE:
            return mistargeting.prepare_measure(battle, owed, words, _AIMS[order.word])
        return mistargeting.prepare_who(battle, owed, words, order, _AIMS[order.word])

    def counted_as(self, owed: Owed) -> str:
        return counted_as(owed)

    def plain_answers(self, battle: Battle, owed: Owed) -> tuple[tuple[str, ...], ...]:
        """Ships went as far as they can, what is found by night is out of reach, nobody else is there."""
        if owed.line == wandering.MOVES:
            return (wandering.plain_moves(battle, owed),)
        if owed.line == mistargeting.MEASURE:
            return ((mistargeting.OUTSIDE,),)
        if owed.line == manual_damage.COLLISION:
            return ((manual_damage.NONE,),)
        return tuple((word,) for word in reversed(owed.words))

    def answerable(self, battle: Battle, owed: Owed) -> bool:
        if owed.line not in (wander_checks.CHECKS, wandering.MOVES):
            return True
        return wandering.asked_for(battle) and not wandering.all_told(battle, owed)

    def lapse(self, builder: DecisionBuilder, owed: Owed) -> None:
        wandering.lapse(builder, owed)

    def prepare_damage(
        self, battle: Battle, ship: str, codes: tuple[str, ...], source: str = ""
    ) -> PreparedOrder:
        return manual_damage.prepare_damage(battle, ship, codes)

    def enter(self, battle: Battle, builder: DecisionBuilder) -> None:
        if battle.phase == forms.MOVEMENT:
            movement.begin_movement(battle, builder)
        elif battle.phase == forms.REPAIR:
            repair.begin_repair(builder)

    def leave(self, battle: Battle, builder: DecisionBuilder, carried: bool) -> bool:
        """The end of movement first asks for the wander checks that are due (GQ2-MV-6)."""
        if battle.phase == forms.MOVEMENT:
            if wandering.owe_checks(builder) and not carried:
                return True
            movement.end_movement(battle, builder)
        elif battle.phase == forms.REPAIR:
            repair.owe_sinking(builder)
        return False

    def follow(self, battle: Battle, builder: DecisionBuilder) -> None:
        if battle.phase == forms.REPAIR:
            repair.owe_sinking(builder)

    def may_act(self, battle: Battle) -> tuple[Available, ...]:
        return advice.may_act(battle)

    def range_read_by(self, battle: Battle, order: Order) -> str:
        if order.form is forms.TORPEDO:
            return attacks.kind_of(battle.ships[order.many("ships")[0]])
        return str(shots.battery_of(battle, order).calibre)

    def bracket(self, battle: Battle, order: Order) -> str:
        if order.form is forms.TORPEDO:
            return ""
        band = shots.band_of(battle, order, shots.battery_of(battle, order))
        return "" if band is None else f"band {band}"

    def stood_still(self, battle: Battle, ship: Ship) -> bool:
        moved = movement.movement(battle, ship)
        return not moved.assumed and not moved.inches

    def report(self, battle: Battle, ship: Ship) -> Mapping[str, Shape]:
        return grid.report(battle, ship)

    def cell(self, battle: Battle, ship: Ship, column: Column) -> tuple[Span, ...]:
        return grid.cell(battle, ship, column, slashes=find_phase(self, battle.phase).slashes)

    def sheet(self, battle: Battle, ship: Ship) -> tuple[tuple[str, tuple[Span, ...]], ...]:
        return card_view.sheet(battle, ship, slashes=find_phase(self, battle.phase).slashes)

    def log_sheet(self, battle: Battle, ship: Ship) -> tuple[SheetLine, ...]:
        return log_sheet.lines(battle, ship, slashes=find_phase(self, battle.phase).slashes)

    def needed_cells(self, battle: Battle) -> NeededCells:
        return needed_cells(battle)

    letters = advice.LETTERS

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
        return one.afloat or (one.status == ship.AGROUND and ship.acts(battle, one))

    def advice(self, battle: Battle) -> tuple[str, ...]:
        return advice.advice(battle)

    def changes_of_ship(self, before: Battle, after: Battle, old: Ship, new: Ship) -> Iterable[str]:
        return grid.changes_of_ship(before, after, old, new)


_PREPARE: Mapping[str, Callable[[Battle, Order], PreparedOrder]] = {
    "table": lights.prepare_table,
    "move": movement.prepare_move,
    "formation": formation.prepare_formation,
    "wander": wandering.prepare_wander,
    "contact": manual_damage.prepare_contact,
    "smoke": lighting.prepare_smoke,
    "steam": engines.order_steam,
    "anchor": engines.order_anchor,
    "light": lighting.prepare_light,
    "dark": lighting.prepare_dark,
    "fire": gunnery.prepare_fire,
    "torpedo": torpedo.prepare_torpedo,
    "mine": explosions.prepare_mine,
}
_AIMS: Mapping[str, mistargeting.Aim] = {
    "fire": mistargeting.Aim(
        gunnery.go_on, gunnery.barred, gunnery.give_back, ask_measure=gunnery.ask_measure
    ),
    "torpedo": mistargeting.Aim(
        torpedo.go_on, torpedo.barred, torpedo.give_back, ask_measure=torpedo.ask_measure
    ),
    "light": mistargeting.Aim(lighting.go_on, outside="is out of reach: nothing is lit"),
}
_CHECKS: Mapping[str, Callable[[Battle, Owed], PreparedOrder]] = {
    CRITICAL: criticals.prepare_critical,
    criticals.BARBETTE: criticals.prepare_barbette,
    criticals.MARKER: criticals.prepare_marker,
    explosions.DAMAGE: explosions.prepare_damage_roll,
    repair.DAMAGE_CONTROL: repair.prepare_damage_control,
    repair.SINKING_LINE: repair.prepare_sinking,
    "steam": lambda battle, owed: engines.prepare_steam(battle, owed.ship),
    wander_checks.CHECKS: wander_checks.prepare_checks,
}
_OUTCOMES: Mapping[str, Callable[[Battle, Owed, tuple[str, ...]], PreparedOrder]] = {
    wandering.MOVES: wandering.prepare_moves,
    manual_damage.COLLISION: manual_damage.prepare_collision,
    repair.POWER: repair.prepare_power,
}
_ROLLS: Mapping[str, Callable[[Battle, Owed, Order], PreparedOrder]] = {
    "fire": gunnery.prepare_fire_roll,
    "torpedo": torpedo.prepare_torpedo_roll,
    "wander": lambda battle, owed, order: wander_checks.wander(battle, order),
}
