"""One battle played to its end, without a log: the doctrines order, the rules decide, a seed throws."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from random import Random
from typing import Protocol

from attrs import frozen

from qf_tui.core.builtin_forms import ANSWER, NEXT, ROLL
from qf_tui.core.decide import played, prepare_order
from qf_tui.core.declarations import PreparedEntry
from qf_tui.core.errors import Finding, OrderRefused, QfError
from qf_tui.core.schedule import counted, proposed
from qf_tui.core.text import Distance
from qf_tui.core.values import WITHDRAWN, Battle, Die, Order, Owed, Ship, replace
from qf_tui.simulation.battle_model import NEAREST, Attack, BattleModel, distance

NEAR = 3
"""Enemies abreast of a ship among whom she may choose."""
PASSES = 6
"""The turn on which a side that closes is among the enemy, and the turns until it is again."""
TIMES_MOST = 50
"""Repairs of one kind in a phase, behind which a ship rests whatever the rules allow."""

HALF = 0.5
"""What is left of the worth of a side at which it is broken."""
ANSWERS_MOST = 2000
"""Questions in a row, behind which a battle is given up."""
BEHIND = 10**6
"""Entries are numbered from here on: none of a save that is played on has such a number."""


class Moment(Protocol):
    """What a doctrine sees: the battle as it stands when it is looked at, and the range of the turn."""

    @property
    def model(self) -> BattleModel: ...
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
            for attack in moment.model.attacks(id):
                if phase in attack.form.phases and moment.battle.ships[id].afloat:
                    at_each = (attack.at(one, moment.range) for one in targets(moment, attack))
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
    return list(islice((one for one in enemies if one in ships and ships[one].afloat), NEAR))


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


def range_of(model: BattleModel, doctrines: Sequence[Doctrine], turn: int) -> Distance:
    """The range between all ships on a turn: scripted, else midway between what the sides wish."""
    if model.script:
        amount = model.script[min(turn, len(model.script)) - 1]
    else:
        wished = sum(one.wishes(turn) for one in doctrines) / max(1, len(doctrines))
        amount = wished and model.reach * wished
    return distance(model.start, max(NEAREST, round(amount * model.stretch)))


class CannotContinue(Exception):
    """A battle that cannot go on: an order that the rules refuse, or a question that nothing answers."""


@frozen
class Ending:
    """How a battle ended: who has won ("": nobody), on which turn, who is broken, which ships are lost."""

    winner: str
    turn: int
    broken: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()


class Playout:
    """A battle that is being played; what a doctrine sees of it."""

    def __init__(self, model: BattleModel, doctrines: Mapping[str, Doctrine], dice: Random) -> None:
        self.model, self.system = model, model.system
        self.battle: Battle = replace(model.start, doubts=())
        self.range: Distance = range_of(model, tuple(doctrines.values()), self.battle.turn)
        self._doctrines = doctrines
        self._dice = dice
        self._number = BEHIND
        self._ready: tuple[Order, Battle, PreparedEntry] | None = None
        self._worths: dict[int, tuple[Ship, float]] = {}

    @classmethod
    def opened(cls, model: BattleModel) -> "Playout":
        """A battle that nobody has ordered anything in."""
        return cls(model, {}, Random(0))

    def throw(self, die: Die) -> int:
        """A face; `random` alone is the same in every version of Python for the same seed."""
        return die.least + int(self._dice.random() * die.sides)

    def against(self, order: Order) -> tuple[Finding, ...]:
        """What stands against an order by the rules; one that they accept is ready to be entered."""
        try:
            self._ready = order, self.battle, prepare_order(self.system, self.battle, order)
        except OrderRefused as refusal:
            return refusal.findings
        return ()

    def enter(self, order: Order) -> None:
        """Plays an order; OrderRefused changes nothing."""
        ready = self._ready
        if ready is None or ready[0] is not order or ready[1] is not self.battle:
            ready = order, self.battle, prepare_order(self.system, self.battle, order)
        self._number += 1
        self.battle = played(self.system, self.battle, self._number, ready[2], self.throw)

    def to_its_end(self, turns: int) -> Ending:
        """Plays until somebody has won, nobody can, or those turns are over; else CannotContinue."""
        self.answer()
        while (ending := self.ending(turns)) is None:
            self.phase()
        return ending

    def phase(self) -> None:
        """Plays a phase to its end: the sides in an order that is drawn by lot, all that is owed answered."""
        before = self.battle.turn, self.battle.phase
        sides = list(self._doctrines)
        if self._dice.random() < HALF:
            sides.reverse()
        for side in sides:
            for order in self._doctrines[side].orders(self, side):
                try:
                    self.enter(order)
                except OrderRefused as refusal:
                    doctrine = self._doctrines[side].name
                    raise CannotContinue(f"{doctrine} orders `{order.line}`: {refusal}") from None
        self.answer()
        while (self.battle.turn, self.battle.phase) == before:
            self.enter(Order(NEXT, {}))
            self.answer()
        if self.battle.turn != before[0]:
            self.range = range_of(self.model, tuple(self._doctrines.values()), self.battle.turn)

    def answer(self) -> None:
        """Throws for all that is owed, and answers what wants words."""
        for _ in range(ANSWERS_MOST):
            if not self.battle.owed:
                return
            self._answer(self.battle.owed[0])
        raise CannotContinue(f"questions without end: {self.battle.owed[0].prompt}")

    def _answer(self, owed: Owed) -> None:
        for order in _answers(self.system.plain_answers(self.battle, owed), owed):
            try:
                self.enter(order)
            except OrderRefused:
                continue
            return
        raise CannotContinue(f"nothing answers “{owed.prompt}”")

    def ending(self, turns: int) -> Ending | None:
        """How the battle has ended, if it has."""
        battle = self.battle
        won = [one.side for one in battle.plan.victory if counted(battle, one) >= one.count]
        broken = tuple(side for side in self.model.sides if self._is_broken(side))
        if not (won or broken or battle.turn > turns or self.system.ended(battle)):
            return None
        if not won and len(broken) < len(self.model.sides):
            won = [side for side in self.model.sides if side not in broken] if broken else []
        winner = won[0] if len(set(won)) == 1 else ""
        keeps = self.system.worth.keeps
        lost = tuple(ship.id for ship in battle.ships.values() if ship.status not in keeps)
        return Ending(winner, min(battle.turn, turns), broken, lost)

    def _is_broken(self, side: str) -> bool:
        """Whether half of what a side was worth is gone, or its flag has withdrawn."""
        battle = self.battle
        own = [ship for ship in battle.ships.values() if ship.side == side]
        flag = battle.ships.get(self.model.flag(side))
        if flag is not None and flag.status == WITHDRAWN:
            return True
        whole = sum(self.model.whole[ship.id] for ship in own)
        return whole > 0 and sum(map(self._worth, own)) <= HALF * whole

    def _worth(self, ship: Ship) -> float:
        known = self._worths.get(id(ship))
        if known is None:
            known = self._worths[id(ship)] = ship, self.system.worth.of_ship(ship)
        return known[1]


def _answers(words: Sequence[tuple[str, ...]], owed: Owed) -> Iterator[Order]:
    """What may be entered for a question: its dice, what the schedule asks for, else the words in turn."""
    if owed.dice:
        yield Order(ROLL, {"key": owed.key})
        return
    order = proposed(owed)
    if order is not None:
        yield order
    for each in words:
        yield Order(ANSWER, {"key": owed.key, "words": each})
