"""A shot as declared: its band, modifiers and column (GQ2-GUN-1, GQ2-GUN-2, GQ2-GUN-3, GQ2-GUN-12)."""

from attrs import frozen

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.effects import Op
from qf_tui.core.grammar.order import Order
from qf_tui.core.measure import Distance
from qf_tui.core.values import Act, Battle, Ship
from qf_tui.rules.gq2 import sticks
from qf_tui.rules.gq2.armament import armed_battery
from qf_tui.rules.gq2.charts import odds_column
from qf_tui.rules.gq2.lights import illuminated, is_night, low_visibility
from qf_tui.rules.gq2.measures import inches
from qf_tui.rules.gq2.movement import movement, speed_made
from qf_tui.rules.gq2.options import option
from qf_tui.rules.gq2.ship import DESTROYERS, Battery, code, df

BIG_GUN = 9
"""Inches from which guns hit destroyers less easily (GQ2-GUN-2)."""

FIRED, AT, DAMAGED = "fire", "at", "damaged"
"""What is remembered: a battery declared, its target, the ships that a ship damaged."""


@frozen
class Shot:
    """A battery at a target: the number of the band, the white die's modifiers, the column, the turn.

    `red` and `blue` are the nearest and the farthest band of each colour.
    """

    firer: Ship
    target: Ship
    battery: Battery
    band: int | None
    penetrates: bool
    modifiers: tuple[tuple[int, str], ...]
    column: str | None
    rapid: bool
    he: bool
    turn: int
    red: tuple[int, int]
    blue: tuple[int, int]

    @property
    def more(self) -> int:
        """What comes to the white die."""
        return sum(value for value, _ in self.modifiers)

    @property
    def number(self) -> int:
        """The number that the white die may not pass."""
        return self.band if self.band is not None else 0

    @property
    def in_red(self) -> bool:
        return self.red[1] <= self.number <= self.red[0]

    @property
    def in_blue(self) -> bool:
        return self.blue[1] <= self.number <= self.blue[0]

    def straddles(self, white: int) -> bool:
        """Whether a white die straddles (GQ2-GUN-1)."""
        return white + self.more <= self.number


def firer_of(battle: Battle, order: Order) -> Ship:
    """The ship that acts, as it was when the phase began (GQ2-PH-4)."""
    id = order.text("ship")
    return battle.start.ships.get(id, battle.ships[id])


def battery_of(battle: Battle, order: Order) -> Battery:
    """The battery that an order fires."""
    return armed_battery(battle, firer_of(battle, order), order.text("battery"))


def shot_of(battle: Battle, order: Order, *, declared: bool = False) -> Shot:
    """The shot of an order; `declared`: it was entered before, and its dice come now."""
    firer, target = firer_of(battle, order), battle.ships[order.text("target")]
    guns = battery_of(battle, order)
    acts = _before(battle, firer, guns, target) if declared else battle.acts
    turn = battle.acts[len(acts)].turn if len(acts) < len(battle.acts) else battle.turn
    band, he = band_of(battle, order, guns), order.has("he")
    return Shot(
        firer,
        target,
        guns,
        band,
        _penetrates(battle, order, guns, band, target),
        _modifiers(battle, order, firer, target, guns, acts, turn),
        odds_column(battle, guns.af, df(target), he=he),
        order.has("rapid"),
        he,
        turn,
        sticks.zone(battle, guns.calibre, sticks.RED),
        sticks.zone(battle, guns.calibre, sticks.BLUE),
    )


def _before(battle: Battle, firer: Ship, guns: Battery, target: Ship) -> tuple[Act, ...]:
    """What was done before a shot was declared, the last of its battery at its target; all if none was."""
    acts = battle.acts
    own = [
        at
        for at, act in enumerate(acts)
        if act.kind == AT and act.ship == firer.id
        if (act.text("battery"), act.text("target")) == (guns.name, target.id)
    ]
    return acts[: own[-1]] if own else acts


def band_of(battle: Battle, order: Order, guns: Battery) -> int | None:
    """The number of the band, given or read from the umpire's stick; None if no stick says (GQ2-CHA-2)."""
    value = order.slots.get("straddle")
    if isinstance(value, Distance):
        return sticks.band_at(battle, guns.calibre, inches(battle, value))
    return value if isinstance(value, int) else None


def _penetrates(battle: Battle, order: Order, guns: Battery, band: int | None, target: Ship) -> bool:
    """Whether armor is penetrated: as the umpire says, or by his stick file (GQ2-GUN-10)."""
    if order.has("penetrates") or band is None:
        return order.has("penetrates")
    worse = sticks.levels_worse(guns.calibre, he=order.has("he"))
    return bool(sticks.penetrated(battle, guns.calibre, band, df(target), worse))


def _modifiers(
    battle: Battle,
    order: Order,
    firer: Ship,
    target: Ship,
    guns: Battery,
    acts: tuple[Act, ...],
    turn: int,
) -> tuple[tuple[int, str], ...]:
    """What comes to the white die, and why (GQ2-GUN-2); fire over a vessel crosses its base (GQ2-GUN-13)."""
    night = is_night(battle)
    evades = movement(battle, target).evasive or movement(battle, firer).evasive
    control = int(option(battle, "fire_control")) if firer.live("fire_control") else 0
    lit = (night and illuminated(battle, target)) or order.has("silhouette")
    low, said = order.number("low") or 0, order.number("bases")
    bases = int(order.has("over")) if said is None else said
    dusk, thick = low_visibility(battle)
    found = (
        (-damaged_before(battle, firer, target, turn), "damaged last turn"),
        (-int(lit), "lit" if night else "silhouetted"),
        (-2 * (speed_made(battle, target) == 0), "stationary"),
        (control, "fire control"),
        (2 * night, "night"),
        (2 * (guns.calibre >= BIG_GUN and code(target) in DESTROYERS), "big guns at a destroyer"),
        (int(evades), "evading"),
        (int(fired_upon(battle, firer, target, acts, turn)), "fired upon"),
        (dusk, "dusk"),
        (thick, "visibility of the table"),
        (low, "poor visibility"),
        (bases, "models in the way"),
    )
    return tuple((value, why) for value, why in found if value)


def damaged_before(battle: Battle, firer: Ship, target: Ship, turn: int) -> bool:
    """Whether the same shooter damaged the target in the turn before its shot's (GQ2-GUN-12)."""
    return any(act.text("target") == target.id for act in battle.done(DAMAGED, firer.id, turn=turn - 1))


def remember_damage(builder: DecisionBuilder, firer: str, target: str, turn: int) -> None:
    """Remembers whom a ship damaged in the turn of its shot, which its dice may outlast (GQ2-GUN-12)."""
    act = Act(turn, builder.battle.phase, DAMAGED, firer, {"target": target})
    builder.write(Op.ACT, firer, DAMAGED, act)


def fired_upon(battle: Battle, firer: Ship, target: Ship, acts: tuple[Act, ...], turn: int) -> bool:
    """Whether an earlier entry of a turn fires on the target; `acts` precede the shot (GQ2-GUN-12)."""
    shots = [act for act in acts if act.kind == AT and act.turn == turn]
    if option(battle, "own_fire") == "apart":
        shots = [act for act in shots if act.ship != firer.id]
    return any(act.text("target") == target.id for act in shots)
