"""Quickfire-Clone as the core sees it: the declarations put together, each order sent to its module."""

from collections.abc import Mapping
from fractions import Fraction

from attrs import evolve, frozen

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.facts import FactSchema
from qf_tui.core.grammar.forms import Form
from qf_tui.core.grammar.order import Order
from qf_tui.core.system import CardField, Column, Field, Option, Phase, PreparedOrder, Shape
from qf_tui.core.values import Battle, Owed, Ship
from qf_tui.rules.quickfire_clone import (
    checks,
    collision,
    grid,
    gunnery,
    repair,
    ship,
    targeting,
    torpedo,
)
from qf_tui.rules.quickfire_clone.clauses import CLAUSES
from qf_tui.rules.quickfire_clone.damage import CODES, TWO_DICE, take
from qf_tui.rules.quickfire_clone.facts import FACTS
from qf_tui.rules.quickfire_clone.forms import FORMS
from qf_tui.rules.quickfire_clone.game import GAME, perhaps_centimetres
from qf_tui.rules.quickfire_clone.options import OPTIONS
from qf_tui.rules.quickfire_family import movement
from qf_tui.rules.quickfire_family.checks import owe_fire_checks
from qf_tui.rules.quickfire_family.ship import speed_of_boxes
from qf_tui.rules.quickfire_family.system import Parts, QuickfireSystem, may_attack, may_move

TEMPLATES = "turn the models by the templates on the table (QFC-MV-3)"
PHASES = (
    Phase("move", "Movement", slashes=True, advice="all ships move at once, turning by templates"),
    Phase(
        "gunnery",
        "Gunnery and torpedoes",
        slashes=True,
        advice="write down firer, target and estimate before anything is measured",
    ),
    Phase("repair", "Repair and sinking", advice="fires first, then repairs, then who sinks"),
)

_ADVICE: Mapping[str, tuple[str, ...]] = {
    "move": (
        "all ships move at once; the console keeps millimetres (QFC-MV-4)",
        TEMPLATES,
        "ships that collide stop (QFC-COL-1)",
    ),
    "gunnery": (
        "firer, target and estimated range are written down in secret, all before the first roll (QFC-GUN-12)",
        "no line of sight through vessels, their bases or land, for guns and torpedoes (QFC-GUN-11)",
        "end arcs: 60° ahead and astern (QFC-GUN-1)",
    ),
    "repair": ("fire checks, then repairs, then sinking (QFC-PH-3)",),
}


def _move(battle: Battle, order: Order) -> PreparedOrder:
    """`move`, by the speed as the phase began (QFC-COL-2), with the word that templates turn the models (QFC-MV-3)."""
    begun = ship.with_speed_as_begun(battle, order.many("ships"))
    made = movement.prepare_move(GAME, begun, order)
    boxes = (speed_of_boxes(GAME, begun, begun.ships[id], 1) for id in order.many("ships"))
    unit = perhaps_centimetres(order.slots["distance"], max(boxes, default=Fraction(0)), ", not boxes")
    return evolve(made, reminders=(*unit, *made.reminders, TEMPLATES))


def _waits(battle: Battle, one: Ship) -> tuple[str, str]:
    """What a ship may still do in this phase in short, and the order for it."""
    if battle.phase == GAME.movement:
        return may_move(one)
    if battle.phase == "repair":
        return ("repair", "repair") if repair.may_repair(battle, one) else ("", "")
    return may_attack(battle, one, targeting.may_fire, torpedo.may_launch)


PARTS = Parts(
    game=GAME,
    clauses=CLAUSES,
    muster=ship.muster,
    orders={
        "move": _move,
        "collide": collision.prepare_collide,
        "fire": gunnery.prepare_fire,
        "torpedo": torpedo.prepare_torpedo,
        "repair": repair.prepare_repair,
    },
    throws={
        "collide": lambda battle, roll, order: collision.throw_of(battle, collision.blows_of(battle, order)),
        "fire": lambda battle, roll, order: gunnery.throw_of(battle, gunnery.shot_of(battle, order)),
        "torpedo": lambda battle, roll, order: torpedo.throw_of(battle, order),
        "repair": lambda battle, roll, order: repair.throw_of(battle, roll.ship, roll.entry),
    },
    check=checks.throw_of,
    codes=CODES,
    by_hand="QFC-BLA-5",
    take=take,
    waits=_waits,
    own=grid.OWN,
    torpedo="torpedo",
    ended=" (QFC-PH-1)",
)


@frozen
class QuickfireClone(QuickfireSystem):
    """The rule system; see `qf_tui.core.system.RuleSystem` for what each part means."""

    name: str = "quickfire-clone"
    title: str = "Quickfire-Clone"
    parts: Parts = PARTS
    phases: tuple[Phase, ...] = PHASES
    fields: tuple[Field, ...] = ship.FIELDS
    columns: tuple[Column, ...] = grid.COLUMNS
    card: tuple[CardField, ...] = ship.CARD
    forms: tuple[Form, ...] = FORMS
    facts: FactSchema = FACTS
    options: tuple[Option, ...] = OPTIONS
    charts: tuple[str, str] = ("qf_tui.rules.quickfire_clone", "charts.toml")

    def prepare_answer(self, battle: Battle, owed: Owed, words: tuple[str, ...]) -> PreparedOrder:
        """Every cell is attested: the one question in words is what a repair fixes."""
        return repair.prepare_choice(battle, owed, words)

    def enter(self, battle: Battle, builder: DecisionBuilder) -> None:
        if battle.phase == GAME.movement:
            movement.forget_movement(GAME, battle, builder)
            collision.stop_collided(battle, builder)
            checks.owe_directions(builder)
        elif battle.phase == "repair":
            owe_fire_checks(builder, *TWO_DICE)

    def leave(self, battle: Battle, builder: DecisionBuilder, carried: bool) -> bool:
        """The end of movement notes who moved how far; the repair phase first asks who sinks (QFC-PH-3)."""
        if carried:
            self.carry(builder)
        if battle.phase == GAME.movement:
            movement.note_movement(GAME, battle, builder)
        if battle.phase != "repair":
            return True
        return not checks.owe_sinking(builder) or carried

    def advice(self, battle: Battle) -> tuple[str, ...]:
        moves = battle.phase == GAME.movement
        steered = (f"{words} (QFC-BLA-4)" for words in movement.steered(battle) if moves)
        return (*_ADVICE[battle.phase], *steered)

    def report(self, battle: Battle, ship: Ship) -> Mapping[str, Shape]:
        return {**super().report(battle, ship), "auto_shot": ship.log.get("auto_shot") is True}
