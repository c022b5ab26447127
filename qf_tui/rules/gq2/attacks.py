"""A torpedo attack as declared: who launches how many, the number on the stick, its modifiers.

GQ2-TOR-1, GQ2-TOR-2, GQ2-TOR-9.
"""

from attrs import frozen

from qf_tui.core.text import Distance
from qf_tui.core.values import Battle, Die, Order, Ship
from qf_tui.rules.gq2 import charts
from qf_tui.rules.gq2.clauses import option
from qf_tui.rules.gq2.forms import inches
from qf_tui.rules.gq2.movement import movement, speed_made
from qf_tui.rules.gq2.targets import is_night

LAUNCHED = "torpedo"
"""What is remembered: a ship launched."""

LIGHT = "light"
D10 = Die(10, "", 0)
SPEEDS = {
    "standard": ((10, 3), (8, 2), (6, 1)),
    LIGHT: ((9, 3), (7, 2), (5, 1)),
}
"""The target's inches and what they add, the highest line that is reached (GQ2-TOR-2)."""


@frozen
class TorpedoAttack:
    """Torpedoes at one target: how many, the number on the stick, and what comes to the die and why.

    Of a flotilla the first ship named speaks for all. `zero` is what a 0 counts.
    """

    firers: tuple[Ship, ...]
    target: Ship
    kind: str
    count: int
    number: int | None
    modifiers: tuple[tuple[int, str], ...]
    dice: tuple[Die, ...]
    zero: int

    @property
    def firer(self) -> Ship:
        return self.firers[0]

    @property
    def names(self) -> str:
        """The ships that launch, in words."""
        return ", ".join(ship.name for ship in self.firers)

    @property
    def more(self) -> int:
        """What comes to the die."""
        return sum(value for value, _ in self.modifiers)

    def counted(self, die: int) -> int:
        """What a face counts before its modifiers (GQ2-TOR-1)."""
        return die or self.zero

    def hits(self, die: int) -> bool:
        """Whether a die hits (GQ2-TOR-1)."""
        return self.number is not None and self.counted(die) + self.more <= self.number


def counted(battle: Battle, id: str) -> Ship:
    """A ship as its torpedo damage counts: as the phase began, or by the switch as it is now (GQ2-PH-4)."""
    now = battle.ships[id]
    at_once = option(battle, "torpedo_damage") == "at-once"
    return now if at_once else battle.start.ships.get(id, now)


def kind_of(ship: Ship) -> str:
    """The torpedoes of a ship: standard or light."""
    return str(ship.card.get("torpedoes.kind") or "standard")


def from_each(order: Order) -> int:
    """The torpedoes that each ship of an order launches."""
    return order.number("spread") or 1


def total(order: Order) -> int:
    """The torpedoes of a whole order."""
    return from_each(order) * len(order.many("ships"))


def attack_of(battle: Battle, order: Order, count: int = 0) -> TorpedoAttack:
    """The attack of an order; `count` of its torpedoes, where targeting has led others elsewhere."""
    firers = tuple(counted(battle, id) for id in order.many("ships"))
    target, count = battle.ships[order.text("target")], count or total(order)
    kind, value = kind_of(firers[0]), order.slots.get("stick")
    number = value if isinstance(value, int) else None
    if isinstance(value, Distance):
        number = charts.band_at(battle, kind, inches(battle, value))
    one_die = option(battle, "spread") == "one-die"
    modifiers = _modifiers(battle, order, target, kind, count - 1 if one_die else 0)
    dice = (D10,) * (1 if one_die else count)
    zero = int(option(battle, "torpedo_zero"))
    return TorpedoAttack(firers, target, kind, count, number, modifiers, dice, zero)


def _modifiers(
    battle: Battle, order: Order, target: Ship, kind: str, extra: int
) -> tuple[tuple[int, str], ...]:
    """What comes to the die, and why; `extra` torpedoes make a hit likelier (GQ2-TOR-2)."""
    moved, made = movement(battle, target), speed_made(battle, target)
    always = ((-extra, "spread"), (int(moved.evasive), "evading"), (2 * is_night(battle), "night"))
    found: tuple[tuple[int, str], ...]
    if made == 0:
        found = ((-4, "stationary"), *always)
    else:
        fast = next((more for least, more in SPEEDS[kind] if made >= least), 0)
        found = (
            (fast, "target's speed"),
            (-int(bool(counted(battle, target.id).live("rudder"))), "rudder hit"),
            (-int(moved.straight), "moved straight"),
            (int(order.has("bow")), "at the bow"),
            (2 * order.has("stern"), "at the stern"),
            *always,
        )
    return tuple((value, why) for value, why in found if value)
