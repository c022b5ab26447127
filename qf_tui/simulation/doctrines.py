"""What a side orders where nobody is at the table: doctrines, each a sentence and a function."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Protocol

from qf_tui.core.errors import Finding, QfError
from qf_tui.core.frozen import frozen
from qf_tui.core.text import Distance
from qf_tui.core.values import Battle, Order
from qf_tui.simulation.model import NEAREST, Attack, BattleModel, distance

NEAR = 3
"""Enemies abreast of a ship among whom she may choose."""
PASSES = 6
"""The turn on which a side that closes is among the enemy, and the turns until it is again."""
TIMES_MOST = 50
"""Repairs of one kind in a phase, behind which a ship rests whatever the rules allow."""


class Moment(Protocol):
    """What a doctrine sees: the battle as it is, its model, and the range between the ships."""

    battle: Battle
    range: Distance

    @property
    def model(self) -> BattleModel:
        """What all battles from this start have in common."""

    def against(self, order: Order) -> tuple[Finding, ...]:
        """What stands against an order by the rules."""


Orders = Callable[[Moment, str], Iterator[Order]]
"""The orders of a side for the present phase, each for the battle as it is behind the one before."""


@frozen
class Doctrine:
    """A way to fight: `says` is its sentence; `wishes` the range that it wants, as a part of the longest."""

    name: str
    says: str
    orders: Orders
    wishes: Callable[[int], float]


def attack_with(targets: Callable[[Moment, Attack], tuple[str, ...]]) -> Orders:
    """The orders of a side whose ships attack with all they have and repair what they can.

    Each attacks the first target that is allowed.
    """

    def orders(moment: Moment, side: str) -> Iterator[Order]:
        phase = moment.battle.phase
        for id, ship in tuple(moment.battle.ships.items()):
            if ship.side != side:
                continue
            for attack in moment.model.attacks(id):
                if phase in attack.form.phases and moment.battle.ships[id].afloat:
                    at_each = (attack.at(target, moment.range) for target in targets(moment, attack))
                    yield from islice((order for order in at_each if not moment.against(order)), 1)
        yield from _repairs(moment, side)

    return orders


def _repairs(moment: Moment, side: str) -> Iterator[Order]:
    """All repairs that the ships of a side may make in this phase."""
    system, phase = moment.model.system, moment.battle.phase
    if not any(form.mends is not None and phase in form.phases for form in system.forms):
        return
    for may in system.may_act(moment.battle):
        ship = moment.battle.ships[may.ship]
        if ship.side == side and ship.afloat:
            for order in moment.model.repairs(ship.id):
                times = TIMES_MOST if phase in order.form.phases else 0
                while times and not moment.against(order):
                    times -= 1
                    yield order


def _abreast(moment: Moment, attack: Attack) -> list[str]:
    """The nearest enemies afloat at whom she can attack so at all."""
    ships, enemies = moment.battle.ships, moment.model.targets(attack, moment.range)
    return list(islice((id for id in enemies if id in ships and ships[id].afloat), NEAR))


def _passing(turn: int) -> float:
    """The range of a side that closes, breaks through, and turns about at half the longest."""
    behind = (turn - PASSES) % PASSES
    return (PASSES - turn if turn < PASSES else min(behind, PASSES - behind)) / PASSES


def _likeliest(moment: Moment, attack: Attack) -> tuple[str, ...]:
    """Of those abreast first the one that the attack costs most on average."""
    costs = {id: moment.model.cost(attack, id, moment.range) for id in _abreast(moment, attack)}
    return tuple(id for id in sorted(costs, key=lambda id: -costs[id]) if costs[id] > 0)


def _greatest(moment: Moment, attack: Attack) -> tuple[str, ...]:
    """Of those abreast first the one that is worth most."""
    whole = moment.model.whole
    return tuple(sorted(_abreast(moment, attack), key=lambda id: -whole[id]))


HOLD = Doctrine(
    "hold",
    "closes to half the longest range by turn 5 and holds there; each battery attacks whichever of the three "
    "enemies abreast it costs most on average",
    attack_with(_likeliest),
    lambda turn: max(0.5, 1 - turn / 10),
)
CLOSE = Doctrine(
    "close",
    f"closes, is among the enemy on turn {PASSES}, breaks through, turns about at half the longest range and "
    f"comes again, every {PASSES} turns; all attack whichever of the three enemies abreast is worth most",
    attack_with(_greatest),
    _passing,
)
DOCTRINES: Mapping[str, Doctrine] = {doctrine.name: doctrine for doctrine in (HOLD, CLOSE)}


def doctrine_named(name: str) -> Doctrine:
    """A doctrine by its name; QfError names those that there are."""
    if name not in DOCTRINES:
        raise QfError(f"no doctrine “{name}”: there are {', '.join(DOCTRINES)}")
    return DOCTRINES[name]


def range_of(model: BattleModel, doctrines: Sequence[Doctrine], turn: int) -> Distance:
    """The range between all ships on a turn: scripted, else midway between what the sides wish."""
    if model.script:
        amount = model.script[min(turn, len(model.script)) - 1]
    else:
        wished = sum(doctrine.wishes(turn) for doctrine in doctrines) / max(1, len(doctrines))
        amount = wished and model.reach * wished
    return distance(model.start, max(NEAREST, round(amount * model.stretch)))
