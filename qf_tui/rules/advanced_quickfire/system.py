"""Advanced Quickfire as the core sees it: the declarations put together, each order sent to its module."""

from collections.abc import Callable, Mapping

from attrs import frozen

from qf_tui.core.common_forms import all_forms
from qf_tui.core.errors import impossible, refused
from qf_tui.core.forms import Form
from qf_tui.core.ledger import Ledger
from qf_tui.core.measure import Scalar
from qf_tui.core.orders import Order
from qf_tui.core.parsing import parse
from qf_tui.core.system import (
    CardField,
    ChartShape,
    Column,
    Field,
    Option,
    Phase,
    Ready,
    Scale,
    Setup,
    Shape,
    Span,
    Waiting,
    find_phase,
)
from qf_tui.core.values import SUNK, Battle, Owed, Ship
from qf_tui.rules.advanced_quickfire import (
    boats,
    checks,
    gunnery,
    movement,
    repair,
    ship,
    shots,
    showing,
    targeting,
    torpedo,
)
from qf_tui.rules.advanced_quickfire.charts import SHAPES
from qf_tui.rules.advanced_quickfire.clauses import CLAUSES
from qf_tui.rules.advanced_quickfire.damage import CODES, Damage, Source
from qf_tui.rules.advanced_quickfire.forms import FORMS
from qf_tui.rules.advanced_quickfire.options import OPTIONS
from qf_tui.rules.advanced_quickfire.scales import SCALES
from qf_tui.rules.advanced_quickfire.throws import (
    Roll,
    Throw,
    answer_ready,
    answered,
    ready,
    roll_of,
)

PHASES = (
    Phase("movement", "Movement", advice="measure from one fixed point of the model; no stacking at the end"),
    Phase(
        "first-gunnery",
        "First gunnery",
        slashes=True,
        advice="declare every target before anything is resolved",
    ),
    Phase(
        "second-gunnery",
        "Second gunnery and torpedoes",
        slashes=True,
        advice="only batteries that failed their roll; torpedoes are declared with the guns",
    ),
    Phase("recurring", "Recurring hits"),
    Phase("repair", "Repair attempts"),
    Phase("sinking", "Check for sinking"),
)

_ADVICE: Mapping[str, tuple[str, ...]] = {
    "movement": (
        "movement from one fixed point of the model (AQF-SCA-3)",
        "pivots by the box in use: 8th 45°, 7th to 4th 90°, 3rd and 2nd 45°, 1st 0° (AQF-MV-2)",
        "two pivots: the second costs a box, an eighth between them (AQF-MV-3)",
        "ships may pass through each other, not end on each other (AQF-MV-5)",
    ),
    "first-gunnery": (
        "declare every target before the first roll; the same side resolves first throughout (AQF-GUN-1, AQF-PH-6)",
        "range from forward funnel to forward funnel (AQF-SCA-3)",
        "line of sight and arcs on the table (AQF-GUN-15)",
    ),
    "second-gunnery": (
        "declare guns and torpedoes before the first roll (AQF-GUN-1, AQF-TOR-1)",
        "line of sight and arcs on the table; torpedoes within 270° of the bow (AQF-GUN-15, AQF-TOR-1)",
    ),
}


@frozen
class AdvancedQuickfire:
    """The rule system; see `qf_tui.core.system.RuleSystem` for what each part means."""

    name: str = "advanced-quickfire"
    title: str = "Advanced Quickfire"
    phases: tuple[Phase, ...] = PHASES
    fields: tuple[Field, ...] = ship.FIELDS
    columns: tuple[Column, ...] = showing.COLUMNS
    card: tuple[CardField, ...] = ship.CARD
    conditions: tuple[CardField, ...] = ()
    scales: tuple[Scale, ...] = SCALES
    forms: tuple[Form, ...] = FORMS
    options: tuple[Option, ...] = OPTIONS
    leavings: tuple[str, ...] = ship.STATUSES[1:]
    charts: tuple[str, str] = ("qf_tui.rules.advanced_quickfire", "charts.toml")

    @property
    def clauses(self) -> Mapping[str, str]:
        return CLAUSES

    @property
    def chart_shapes(self) -> Mapping[str, ChartShape]:
        return SHAPES

    def muster(self, card: Mapping[str, Scalar], setup: Setup) -> Mapping[str, Scalar]:
        return ship.muster(card, setup)

    def prepare(self, battle: Battle, order: Order) -> Ready:
        return _PREPARE[order.word](battle, order)

    def prepare_roll(self, battle: Battle, owed: Owed) -> Ready:
        roll = roll_of(owed)
        return ready(battle, roll, self._throw(battle, roll, len(owed.faces) + len(owed.dice)))

    def prepare_answer(self, battle: Battle, owed: Owed, words: tuple[str, ...]) -> Ready:
        roll, place, findings = answered(owed, words)
        inner = ready(battle, roll, self._throw(battle, roll, len(owed.faces)))
        return answer_ready(inner, owed, place, roll.answers[place], findings)

    def _throw(self, battle: Battle, roll: Roll, dice: int) -> Throw:
        if roll.line in checks.LINES:
            return checks.throw_of(battle, roll)
        order = parse(roll.order, all_forms(self), battle)
        if roll.line == "fire":
            return gunnery.throw_of(battle, shots.shot_of(battle, order))
        if roll.line == "torpedo":
            return torpedo.throw_of(torpedo.attack_of(battle, order))
        if roll.line == "boats":
            return boats.throw_of(battle, battle.ships[order.text("target")], dice, declared=True)
        return repair.throw_of(battle, roll.ship, order.text("kind"))

    def prepare_damage(self, battle: Battle, ship: str, codes: tuple[str, ...]) -> Ready:
        named = tuple(code.upper() for code in codes)
        wrong = [code for code in named if code not in CODES]
        if wrong or not named:
            text = f"“{wrong[0]}” is no damage code" if wrong else "no damage code"
            return Ready(findings=(impossible(f"{text}; codes are {', '.join(CODES)}"),))

        struck = battle.ships[ship]
        sunk = refused(f"{struck.name} is sunk and takes no more damage", "AQF-SNK-2")

        def decide(faces: tuple[int, ...], ledger: Ledger) -> None:
            ledger.because(f"{struck.name}: {' '.join(named)}, by the umpire's word", "AQF-GUN-16")
            Damage(ledger, ship, Source.HEAVY).take(named)
            ledger.result("hits", named)

        return Ready(findings=(sunk,) if struck.status == SUNK else (), decide=decide)

    def enter(self, battle: Battle, ledger: Ledger) -> None:
        if battle.phase == "movement":
            movement.forget_movement(battle, ledger)
        elif battle.phase == "recurring":
            checks.owe_fire_checks(ledger)
        elif battle.phase == "sinking":
            checks.owe_sinking(ledger)

    def leave(self, battle: Battle, ledger: Ledger, carried: bool) -> bool:
        torpedo.cross_out(battle, ledger)
        if battle.phase == "movement":
            movement.note_movement(battle, ledger)
        elif battle.phase == "recurring":
            checks.owe_sx_checks(ledger)
        return True

    def follow(self, battle: Battle, ledger: Ledger) -> None:
        if battle.phase == "recurring":
            checks.owe_sx_checks(ledger)

    def waiting(self, battle: Battle) -> tuple[Waiting, ...]:
        found = []
        for one in battle.ships.values():
            what, order = _waits(battle, one)
            if what:
                found.append(Waiting(one.id, what, order))
        return tuple(found)

    def report(self, battle: Battle, ship: Ship) -> Mapping[str, Shape]:
        return showing.report(battle, ship)

    def cell(self, battle: Battle, ship: Ship, column: Column) -> tuple[Span, ...]:
        return showing.cell(battle, ship, column, slashes=find_phase(self, battle.phase).slashes)

    def sheet(self, battle: Battle, ship: Ship) -> tuple[tuple[str, tuple[Span, ...]], ...]:
        return showing.sheet(battle, ship, slashes=find_phase(self, battle.phase).slashes)

    def advice(self, battle: Battle) -> tuple[str, ...]:
        steered = tuple(
            f"{one.name} is steered {movement.steering(one)} by its damage (AQF-MV-6)"
            for one in battle.ships.values()
            if one.afloat and movement.steering(one)
        )
        return _ADVICE.get(battle.phase, ()) + (steered if battle.phase == "movement" else ())

    def on_table(self, before: Battle, after: Battle) -> tuple[tuple[str, str], ...]:
        return showing.on_table(before, after)

    def ended(self, battle: Battle) -> str:
        """The end is offered when a side has no ship left in the battle (AQF-PH-7)."""
        for side in battle.sides:
            own = [one for one in battle.ships.values() if one.side == side.id]
            if own and not any(one.afloat for one in own):
                return f"{side.name} has no ship left in the battle: it may end here (AQF-PH-7)"
        return ""


def _waits(battle: Battle, one: Ship) -> tuple[str, str]:
    """What a ship may still do in this phase in short, and the order for it."""
    if battle.phase == "movement":
        return ("move", "move") if one.afloat and one.log.get("moved") is None else ("", "")
    if battle.phase == "repair":
        kinds = repair.may_repair(battle, one)
        return " ".join(kinds), "repair"
    open_batteries = tuple(battery for battery in ship.Battery if targeting.may_fire(battle, one, battery))
    letters = "".join(battery.value[0].upper() for battery in open_batteries)
    if torpedo.may_launch(battle, one):
        letters += "T"
    return letters, "torpedo" if letters == "T" else "fire"


_PREPARE: Mapping[str, Callable[[Battle, Order], Ready]] = {
    "move": movement.prepare_move,
    "fire": gunnery.prepare_fire,
    "boats": boats.prepare_boats,
    "torpedo": torpedo.prepare_torpedo,
    "repair": repair.prepare_repair,
    "initiative": movement.prepare_initiative,
}
