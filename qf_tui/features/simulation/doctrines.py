"""What a side orders where nobody is at the table: doctrines, each a sentence and a function.

Ours stand here; an installed package may add its own by the entry point group `qf_tui.doctrines`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from itertools import islice
from typing import Protocol

from attrs import frozen

from qf_tui.core.errors import Finding, QfError
from qf_tui.core.values import Battle, Order
from qf_tui.features.simulation.lines import END, BattleLine, Helm, Sea
from qf_tui.features.simulation.model import NEAREST, Attack, BattleModel
from qf_tui.library.systems import doctrine_points, load_doctrine

NEAR = 3
"""Enemies abreast of a ship among whom she may choose."""
AMONG = 0.1
"""The part of the longest range at which ships are among the enemy."""


class Moment(Protocol):
    """What a doctrine sees: the battle as it is, where the lines are, and what all such battles share."""

    battle: Battle
    sea: Sea

    @property
    def model(self) -> BattleModel:
        """What all battles from this start have in common."""

    def attacks(self, ship: str) -> Iterator[Attack]:
        """The attacks of a ship in this phase that reach anybody this turn."""

    def targets(self, attack: Attack) -> Iterator[str]:
        """The enemies whom an attack reaches this turn, the nearest first and those abreast of her."""

    def order(self, attack: Attack, target: str) -> Order:
        """The order for an attack on a ship where she is."""

    def against(self, order: Order) -> tuple[Finding, ...]:
        """What stands against an order by the rules."""


Orders = Callable[[Moment, BattleLine], Iterator[Order]]
"""The orders of a line for the present phase, each for the battle as it is behind the one before."""
Targets = Callable[[Moment, Attack], Iterable[str]]
"""The ships that an attack may be at, the most wanted first."""


@frozen
class Doctrine:
    """A way to fight: `says` is its sentence; `wishes` what range it wants, `part` of its speed for it.

    The range is in the unit of the table. `crosses`: it would cross ahead; `lame`: it goes for ships that
    fell out of their line; `runs`: it is out of the battle once it is out of reach.
    """

    name: str
    says: str
    orders: Orders
    wishes: Callable[[BattleModel, str], float]
    part: float = END
    crosses: bool = False
    lame: bool = False
    runs: bool = False

    def helm(self, model: BattleModel, side: str, *, after: bool = False) -> Helm:
        """How a line is steered; `after` one that runs, with all its speed."""
        wish = max(NEAREST, self.wishes(model, side) * model.stretch)
        part = 1.0 if after else self.part
        return Helm(min(wish, model.room or wish), part, self.crosses and not after, self.lame)


def attack_with(targets: Targets) -> Orders:
    """The orders of a line whose ships attack with all they have, each the first target that is allowed."""

    def orders(moment: Moment, line: BattleLine) -> Iterator[Order]:
        may_try = moment.model.system.may_try
        for id in line.ships:
            for attack in moment.attacks(id):
                if moment.battle.ships[id].afloat and may_try(moment.battle, attack.order):
                    at_each = (moment.order(attack, target) for target in targets(moment, attack))
                    yield from islice((order for order in at_each if not moment.against(order)), 1)

    return orders


def in_reach(moment: Moment, attack: Attack) -> Iterator[str]:
    """The enemies afloat whom an attack reaches, the nearest first and those abreast of her."""
    ships = moment.battle.ships
    return (id for id in moment.targets(attack) if ships[id].afloat)


def likeliest(moment: Moment, attack: Attack) -> Iterable[str]:
    """Of the three nearest first the one that the attack costs most on average."""
    near = islice(in_reach(moment, attack), NEAR)
    costs = {id: moment.model.cost(attack, id, moment.sea.range(attack.ship, id)) for id in near}
    return (id for id in sorted(costs, key=lambda id: -costs[id]) if costs[id] > 0)


def greatest(moment: Moment, attack: Attack) -> Iterable[str]:
    """Of the three nearest first the one that is worth most."""
    whole = moment.model.whole
    return sorted(islice(in_reach(moment, attack), NEAR), key=lambda id: -whole[id])


def leading(moment: Moment, attack: Attack) -> Iterable[str]:
    """First the ships that lead the nearest line."""
    sea = moment.sea
    near = tuple(in_reach(moment, attack))
    nearest = {sea.of[id] for id in near[:1]}
    head = [id for at in nearest for id in sea.lines[at].ships if id in near]
    return dict.fromkeys((*head, *near))


def lamest(moment: Moment, attack: Attack) -> Iterable[str]:
    """First the ships that fell out of their line, the nearest before others."""
    sea = moment.sea
    return sorted(in_reach(moment, attack), key=lambda id: not sea.lines[sea.of[id]].fallen)


HOLD = Doctrine(
    "hold",
    "comes to half the longest range, broadsides bearing, and holds the line there; each battery attacks "
    "whichever of the three nearest enemies it costs most on average",
    attack_with(likeliest),
    lambda model, side: model.reach / 2,
)
CLOSE = Doctrine(
    "close",
    "closes as fast as it can, bows on, to be among the enemy; all attack whichever of the three nearest "
    "enemies is worth most",
    attack_with(greatest),
    lambda model, side: model.reach * AMONG,
    part=1.0,
)
KEEP_AWAY = Doctrine(
    "keep-away",
    "seeks the range at which it does the largest part of all harm, by the rules' own odds; attacks as hold",
    attack_with(likeliest),
    lambda model, side: model.best_range(side),
)
CONCENTRATE = Doctrine(
    "concentrate",
    "holds half the longest range and draws ahead, past the enemy's bows; all attack the head of his line",
    attack_with(leading),
    lambda model, side: model.reach / 2,
    crosses=True,
)
CHASE = Doctrine(
    "chase",
    "goes as fast as it can for ships that fell out of their line, else for the nearest line, to a quarter "
    "of the longest range, and attacks those ships first",
    attack_with(lamest),
    lambda model, side: model.reach / 4,
    part=1.0,
    lame=True,
)
RUN = Doctrine(
    "run",
    "makes off as fast as it can, and attacks as hold does those who follow",
    attack_with(likeliest),
    lambda model, side: 2 * model.reach,
    part=1.0,
    runs=True,
)
DOCTRINES: Mapping[str, Doctrine] = {
    doctrine.name: doctrine for doctrine in (HOLD, CLOSE, KEEP_AWAY, CONCENTRATE, CHASE, RUN)
}
USUAL = (HOLD.name, CLOSE.name)
"""The doctrines of a side to whom neither the scenario nor anybody else gives one."""


@cache
def doctrine_named(name: str) -> Doctrine:
    """A doctrine by its name, ours or an installed one; QfError names those that there are."""
    if name in DOCTRINES:
        return DOCTRINES[name]
    try:
        return load_doctrine(name, Doctrine)
    except LookupError:
        known = ", ".join((*DOCTRINES, *doctrine_points()))
        raise QfError(f"no doctrine “{name}”: there are {known}") from None
