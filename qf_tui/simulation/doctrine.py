"""How a side fights: small pure functions of the battle that give its orders, each said in a sentence."""

from collections.abc import Callable, Iterator, Mapping
from typing import Protocol

from attrs import frozen

from qf_tui.core.errors import Finding, QfError
from qf_tui.core.grammar.order import Order
from qf_tui.core.measure import Distance
from qf_tui.core.values import Battle
from qf_tui.simulation.attacks import Attack
from qf_tui.simulation.ground import Ground

NEAR = 3
"""Enemies abreast of a ship among whom she may choose."""
PASSES = 6
"""The turn on which a side that closes is among the enemy, and the turns until it is again."""
TIMES_MOST = 50
"""Repairs of one kind in a phase, behind which a ship rests whatever the rules allow."""


class Moment(Protocol):
    """What a doctrine sees: the battle as it stands when it is looked at, and the range of the turn."""

    @property
    def ground(self) -> Ground: ...
    @property
    def battle(self) -> Battle: ...
    @property
    def range(self) -> Distance: ...

    def against(self, order: Order) -> tuple[Finding, ...]:
        """What stands against an order by the rules; nothing if they accept it."""


Orders = Callable[[Moment, str], Iterator[Order]]
"""The orders of a side for the present phase, each for the battle as it is behind the one before."""
Targets = Callable[[Moment, Attack], tuple[str, ...]]


@frozen
class Doctrine:
    """A way to fight: `says` is its sentence; `wishes` the range that it wants, as a part of the longest."""

    name: str
    says: str
    orders: Orders
    wishes: Callable[[int], float]


def attack_with(targets: Targets) -> Orders:
    """The orders of a side whose ships attack with all they have and repair what they can.

    Each attacks the first target that is allowed.
    """

    def orders(moment: Moment, side: str) -> Iterator[Order]:
        phase = moment.battle.phase
        for id, ship in tuple(moment.battle.ships.items()):
            if ship.side != side:
                continue
            for attack in moment.ground.attacks(id):
                if phase in attack.form.phases and moment.battle.ships[id].afloat:
                    order = _first(moment, attack, targets(moment, attack))
                    if order is not None:
                        yield order
        yield from _repairs(moment, side)

    return orders


def _repairs(moment: Moment, side: str) -> Iterator[Order]:
    """All repairs that the ships of a side may make in this phase."""
    system, phase = moment.ground.system, moment.battle.phase
    if not any(form.mends is not None and phase in form.phases for form in system.forms):
        return
    for may in system.may_act(moment.battle):
        ship = moment.battle.ships[may.ship]
        if ship.side == side and ship.afloat:
            for order in moment.ground.repairs(ship.id):
                if phase in order.form.phases:
                    yield from _again(moment, order)


def _again(moment: Moment, order: Order) -> Iterator[Order]:
    """An order as often as the rules allow it."""
    for _ in range(TIMES_MOST):
        if moment.against(order):
            return
        yield order


def _first(moment: Moment, attack: Attack, targets: tuple[str, ...]) -> Order | None:
    """The order at the first target that the rules allow."""
    orders = (attack.at(id, moment.range) for id in targets)
    return next((order for order in orders if not moment.against(order)), None)


def _abreast(moment: Moment, attack: Attack) -> list[str]:
    """The nearest enemies afloat at whom she can attack so at all."""
    ships, found = moment.battle.ships, list[str]()
    for one in moment.ground.targets(attack, moment.range):
        if one in ships and ships[one].afloat:
            found.append(one)
            if len(found) == NEAR:
                break
    return found


def _passing(turn: int) -> float:
    """The range of a side that closes, breaks through, and turns about at half the longest."""
    behind = (turn - PASSES) % PASSES
    return (PASSES - turn if turn < PASSES else min(behind, PASSES - behind)) / PASSES


def _likeliest(moment: Moment, attack: Attack) -> tuple[str, ...]:
    """Of those abreast first the one that the attack costs most on average."""
    costs = {id: moment.ground.cost(attack, id, moment.range) for id in _abreast(moment, attack)}
    return tuple(id for id in sorted(costs, key=lambda id: -costs[id]) if costs[id] > 0)


def _greatest(moment: Moment, attack: Attack) -> tuple[str, ...]:
    """Of those abreast first the one that is worth most."""
    whole = moment.ground.whole
    return tuple(sorted(_abreast(moment, attack), key=lambda id: -whole[id]))


HOLD = Doctrine(
    "hold",
    "comes up to half the longest range by turn 5 and holds the line there; each battery attacks that one "
    "of the three enemies abreast that it costs most on average",
    attack_with(_likeliest),
    lambda turn: max(0.5, 1 - turn / 10),
)
CLOSE = Doctrine(
    "close",
    f"closes, is among the enemy on turn {PASSES}, breaks through, turns about at half the longest range and "
    f"comes again, every {PASSES} turns; all attack that one of the three enemies abreast that is worth most",
    attack_with(_greatest),
    _passing,
)
DOCTRINES: Mapping[str, Doctrine] = {one.name: one for one in (HOLD, CLOSE)}


def doctrine_named(name: str) -> Doctrine:
    """A doctrine by its name; QfError names those that there are."""
    if name not in DOCTRINES:
        raise QfError(f"no doctrine “{name}”: there are {', '.join(DOCTRINES)}")
    return DOCTRINES[name]
