"""Damage as it is written: ROF, boxes, fires, and the rolls that a code calls for."""

from collections.abc import Callable, Iterable, Mapping
from itertools import groupby

from attrs import frozen

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.effects import Op
from qf_tui.core.errors import impossible, refused
from qf_tui.core.system import Faces, PreparedOrder
from qf_tui.core.values import SUNK, Battle, Die
from qf_tui.rules.quickfire_family.game import Game
from qf_tui.rules.quickfire_family.repair import FIELDS, MENDED
from qf_tui.rules.quickfire_family.ship import Battery, live_rof

EXPLOSION = "explosion"
"""The line of the roll for an explosion."""


@frozen
class CalledRoll:
    """A roll that a code calls for: its dice, and its prompt with the ship in braces."""

    prompt: str
    dice: tuple[Die, ...]


def direction(*dice: Die) -> CalledRoll:
    """The roll for a course."""
    return CalledRoll("direction of {}", dice)


def explosion(*dice: Die) -> CalledRoll:
    """The roll for an explosion."""
    return CalledRoll("explosion on {}", dice)


Take = Callable[[DecisionBuilder, str, tuple[str, ...]], None]
"""What takes damage codes for a ship, by the rules of one game."""


class Wounds:
    """What one ship loses to one source, written on a builder point by point; each sees those before it.

    `owes` are the rolls that it may call for by their lines, `ahead_of` the lines of this phase that an
    explosion goes before. `turn` is the battery that loses ROF next where they lose it by turns.
    """

    def __init__(
        self,
        builder: DecisionBuilder,
        ship: str,
        owes: Mapping[str, CalledRoll],
        ahead_of: tuple[str, ...] = (),
    ) -> None:
        self.builder = builder
        self.id = ship
        self._owes = owes
        self._ahead_of = ahead_of
        self.turn = Battery.HEAVY
        self._called_for: list[str] = []

    def take(self, codes: Iterable[str], steps: Mapping[str, Callable[[], None]]) -> None:
        """Takes each code by its step, then owes the rolls that were called for."""
        for code in codes:
            if code in steps:
                steps[code]()
        called, self._called_for = self._called_for, []
        for line in called:
            self._owe(line)

    def call(self, line: str) -> None:
        """Calls for a roll, which is owed when all the codes are taken."""
        self._called_for.append(line)

    def _owe(self, line: str) -> None:
        """A roll that damage calls for; a ship off the table owes none, some explosions go before others."""
        ship, builder = self.builder.ship(self.id), self.builder
        if ship.gone:
            return
        waiting = builder.battle.owed
        called = self._owes[line]
        builder.owe(line, self.id, called.prompt.format(builder.battle.called(self.id)), *called.dice)
        if line == EXPLOSION:
            for check in (owed for owed in waiting if owed.line in self._ahead_of and not owed.late):
                builder.settle(check)
                builder.write(Op.OWE, check.ship, check.line, check)

    def rof(self, *batteries: Battery) -> Battery | None:
        """One point of ROF of the first of these batteries that has one left; None: none has."""
        for battery in batteries:
            if live_rof(self.builder.ship(self.id), battery) > 0:
                self._lose(battery.rof)
                return battery
        return None

    def rof_by_turns(self) -> Battery | None:
        """One point of ROF, heavy, light, heavy ..., passing over a battery at zero; None: both are."""
        battery = self.rof(self.turn, self.turn.other)
        if battery is not None:
            self.turn = battery.other
        return battery

    def lose(self, field: str) -> bool:
        """One of a counted field; False if none is left."""
        if self.builder.ship(self.id).count(field) <= 0:
            return False
        self._lose(field)
        return True

    def box(self, field: str) -> None:
        """A speed box more, marked as that field counts them."""
        self._lose_again("speed_hits")
        self.builder.add(self.id, field, 1)

    def _lose(self, field: str) -> None:
        self._lose_again(field)
        self.builder.add(self.id, field, -1)

    def _lose_again(self, field: str) -> None:
        """A point that was repaired goes first, and is repaired no longer (AQF-LOG-4)."""
        mended = self.builder.ship(self.id).live(MENDED)
        again = next((mark for mark in mended if FIELDS.get(mark.text, mark.text) == field), None)
        if again is not None:
            self.builder.lift(self.id, again)

    def fire(self) -> None:
        """A fire, without limit."""
        self.builder.mark(self.id, "fires")

    def say(self, text: str, clause: str) -> None:
        """A reason about this ship."""
        self.builder.because(text, clause, of=self.builder.battle.called(self.id))


@frozen
class ByHand:
    """How a game takes damage by the umpire's word.

    The codes that it knows, its clause, what takes them, and as from which fire ("": the usual one).
    `apart` are the codes that have a clause of their own.
    """

    known: tuple[str, ...]
    clause: str
    take: Take
    source: str
    apart: Mapping[str, str]

    @property
    def said(self) -> str:
        """Whose word it is, and as from which fire."""
        fire = "boat guns" if self.source == "boat" else f"{self.source} fire"
        return f"as from {fire}, by the umpire's word" if self.source else "by the umpire's word"


def by_hand(game: Game, battle: Battle, id: str, codes: tuple[str, ...], hand: ByHand) -> PreparedOrder:
    """Damage by the umpire's word, through the cascade of the game."""
    asked = tuple(code.upper() for code in codes)
    wrong = [code for code in asked if code not in hand.known]
    if wrong or not asked:
        text = f"“{wrong[0]}” is no damage code" if wrong else "no damage code"
        return PreparedOrder(findings=(impossible(f"{text}; codes are {', '.join(hand.known)}"),))
    struck = battle.ships[id]
    sunk = refused(f"{struck.name} is sunk and takes no more damage", game.clauses.sunk)

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        for clause, alike in groupby(asked, lambda code: hand.apart.get(code, hand.clause)):
            builder.because(f"{' '.join(alike)}, {hand.said}", clause, of=battle.called(id))
        hand.take(builder, id, asked)
        builder.result("hits", asked)

    return PreparedOrder(findings=(sunk,) if struck.status == SUNK else (), decide=decide)
