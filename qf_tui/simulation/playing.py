"""One battle played to its end, without a log: the doctrines order, the rules decide, a seed throws."""

from collections.abc import Iterator, Mapping, Sequence
from random import Random

from attrs import frozen

from qf_tui.core.builtin_forms import ANSWER, NEXT, ROLL
from qf_tui.core.decide import made_ready, played
from qf_tui.core.errors import Finding, OrderRefused
from qf_tui.core.grammar.order import Order
from qf_tui.core.measure import Distance
from qf_tui.core.prepare import PreparedEntry
from qf_tui.core.schedule import counted, proposed
from qf_tui.core.values import WITHDRAWN, Battle, Die, Owed, Ship, replace
from qf_tui.simulation.attacks import distance
from qf_tui.simulation.doctrine import Doctrine
from qf_tui.simulation.ground import NEAREST, Ground


def range_of(ground: Ground, doctrines: Sequence[Doctrine], turn: int) -> Distance:
    """The range between all ships on a turn: scripted, else midway between what the sides wish."""
    if ground.script:
        amount = ground.script[min(turn, len(ground.script)) - 1]
    else:
        wished = sum(one.wishes(turn) for one in doctrines) / max(1, len(doctrines))
        amount = wished and ground.reach * wished
    return distance(ground.start, max(NEAREST, round(amount * ground.stretch)))


HALF = 0.5
"""What is left of the worth of a side at which it is broken."""
ANSWERS_MOST = 2000
"""Questions in a row, behind which a battle is given up."""


BEHIND = 10**6
"""Entries are numbered from here on: none of a save that is played on has such a number."""


class Stuck(Exception):
    """A battle that cannot go on: an order that the rules refuse, or a question that nothing answers."""


@frozen
class Ending:
    """How a battle ended: who has won ("": nobody), on which turn, who is broken, which ships are lost."""

    winner: str
    turn: int
    broken: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()


class Playing:
    """A battle that is being played; what a doctrine sees of it."""

    def __init__(self, ground: Ground, doctrines: Mapping[str, Doctrine], dice: Random) -> None:
        self.ground, self.system = ground, ground.system
        self.battle: Battle = replace(ground.start, doubts=())
        self.range: Distance = range_of(ground, tuple(doctrines.values()), self.battle.turn)
        self._doctrines = doctrines
        self._dice = dice
        self._number = BEHIND
        self._ready: tuple[Order, Battle, PreparedEntry] | None = None
        self._worths: dict[int, tuple[Ship, float]] = {}

    @classmethod
    def opened(cls, ground: Ground) -> "Playing":
        """A battle that nobody has ordered anything in."""
        return cls(ground, {}, Random(0))

    def throw(self, die: Die) -> int:
        """A face; `random` alone is the same in every version of Python for the same seed."""
        return die.least + int(self._dice.random() * die.sides)

    def against(self, order: Order) -> tuple[Finding, ...]:
        """What stands against an order by the rules; one that they accept is ready to be entered."""
        try:
            self._ready = order, self.battle, made_ready(self.system, self.battle, order)
        except OrderRefused as refusal:
            return refusal.findings
        return ()

    def enter(self, order: Order) -> None:
        """Plays an order; OrderRefused changes nothing."""
        ready = self._ready
        if ready is None or ready[0] is not order or ready[1] is not self.battle:
            entry = made_ready(self.system, self.battle, order)
        else:
            entry = ready[2]
        self._number += 1
        self.battle = played(self.system, self.battle, self._number, entry, self.throw)

    def to_its_end(self, turns: int) -> Ending:
        """Plays until somebody has won, nobody can, or those turns are over; Stuck where it cannot go on."""
        self.answer()
        ending = self.ending(turns)
        while ending is None:
            self.phase()
            ending = self.ending(turns)
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
                    raise Stuck(f"{doctrine} orders `{order.line}`: {refusal}") from None
        self.answer()
        while (self.battle.turn, self.battle.phase) == before:
            self.enter(Order(NEXT, {}))
            self.answer()
        if self.battle.turn != before[0]:
            self.range = range_of(self.ground, tuple(self._doctrines.values()), self.battle.turn)

    def answer(self) -> None:
        """Throws for all that is owed, and answers what wants words."""
        for _ in range(ANSWERS_MOST):
            if not self.battle.owed:
                return
            self._answer(self.battle.owed[0])
        raise Stuck(f"questions without end: {self.battle.owed[0].prompt}")

    def _answer(self, owed: Owed) -> None:
        for order in _answers(self.system.plain_answers(self.battle, owed), owed):
            try:
                self.enter(order)
            except OrderRefused:
                continue
            return
        raise Stuck(f"nothing answers “{owed.prompt}”")

    def ending(self, turns: int) -> Ending | None:
        """How the battle has ended, if it has."""
        battle = self.battle
        won = [one.side for one in battle.plan.victory if counted(battle, one) >= one.count]
        broken = tuple(side for side in self.ground.sides if self._is_broken(side))
        if not (won or broken or battle.turn > turns or self.system.ended(battle)):
            return None
        if not won and len(broken) < len(self.ground.sides):
            won = [side for side in self.ground.sides if side not in broken] if broken else []
        winner = won[0] if len(set(won)) == 1 else ""
        return Ending(winner, min(battle.turn, turns), broken, tuple(self._lost()))

    def _is_broken(self, side: str) -> bool:
        """Whether half of what a side was worth is gone, or its flag has withdrawn."""
        battle = self.battle
        own = [ship for ship in battle.ships.values() if ship.side == side]
        flag = battle.ships.get(self.ground.flag(side))
        if flag is not None and flag.status == WITHDRAWN:
            return True
        whole = sum(self.ground.whole[ship.id] for ship in own)
        return whole > 0 and sum(map(self._worth, own)) <= HALF * whole

    def _worth(self, ship: Ship) -> float:
        known = self._worths.get(id(ship))
        if known is None:
            known = self._worths[id(ship)] = ship, self.system.worth.of_ship(ship)
        return known[1]

    def _lost(self) -> Iterator[str]:
        keeps = self.system.worth.keeps
        return (ship.id for ship in self.battle.ships.values() if ship.status not in keeps)


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
