"""An evening by lot: legal orders of those who may act, dice from a seed, every question answered."""

from collections.abc import Iterator
from itertools import islice
from random import Random

from attrs import frozen

from qf_tui.core.errors import OrderRefused
from qf_tui.core.schedule import SCHEDULE
from qf_tui.core.system import list_possible_orders
from qf_tui.core.values import Battle, Die, Form, Order, Owed, Ship
from qf_tui.session import Session

ACTING = 3
"""Ships that act in a phase at most, of all that may."""
TARGET = "target"
GUNS_FIRST = 0.6
"""How often a ship fires where it may, whatever else it could do."""
ENEMIES, TRIED = 4, 12
"""Targets tried for a ship, and orders at each of them, before it does something else."""
CHOICE = 5
"""Accepted orders that one is drawn from: the first estimate of a range is seldom the best."""
INCHES_MOST = 16
READINGS = ("stick 3", "straddle 3", "outside", "nobody")


@frozen
class Shot:
    """A shot, launch or light at somebody that was entered: when, in which phase, by which order."""

    turn: int
    phase: str
    word: str


class Evening:
    """Plays a session turn by turn; the same seed plays the same battle."""

    def __init__(self, session: Session, seed: int = 1898) -> None:
        self.session = session
        self._chance = Random(seed)

    @property
    def battle(self) -> Battle:
        return self.session.battle

    def play(self, turns: int) -> None:
        """Plays until so many turns are over, and what the next one asks as it begins is answered."""
        while self.battle.turn <= turns:
            self._phase()
        self._answer()

    @property
    def shots(self) -> list[Shot]:
        """What was fired, launched or lit at somebody so far."""
        timeline = self.session.timeline
        shots = []
        for place, number in enumerate(timeline.play_order):
            order = timeline.versions[number].order
            if TARGET in order.slots:
                before = timeline.battle_at(place)
                shots.append(Shot(before.turn, before.phase, order.form.word))
        return shots

    @property
    def hits(self) -> int:
        """How often somebody was hurt so far."""
        rulings = self.session.timeline.rulings.values()
        return sum(bool(dict(ruling.decision.outcome).get("hits")) for ruling in rulings)

    def _phase(self) -> None:
        self._answer()
        acted, waiting = 0, list(self.session.system.may_act(self.battle))
        for able in self._chance.sample(waiting, len(waiting)):
            if acted == ACTING:
                break
            acted += self._act(self.battle.ships[able.ship], able.order)
            self._answer()
        self._end()

    def _act(self, ship: Ship, word: str) -> bool:
        """Whether a ship does something: an attack by lot, else what the rules say that it may do."""
        forms = [form for form in self.session.system.forms if self.battle.phase in form.phases]
        attacks = [
            form
            for form in forms
            if form.find_slot(TARGET) is not None and form.find_slot("ship") is not None
        ]
        usual = [form for form in forms if form.word == word]
        attacks = self._chance.sample(attacks, len(attacks))
        if self._chance.random() < GUNS_FIRST:
            attacks.sort(key=lambda form: form.word != "fire")
        for form in (*attacks, *usual):
            orders = list(islice(self._accepted(form, ship), CHOICE))
            if orders:
                self.session.enter(self._chance.choice(orders).line)
                return True
        return False

    def _accepted(self, form: Form, ship: Ship) -> Iterator[Order]:
        """Orders of a form that the rules take, the target by lot."""
        enemies = [other.id for other in self.battle.ships.values() if other.side != ship.side]
        at = self._chance.sample(enemies, min(ENEMIES, len(enemies)))
        for given in [{TARGET: id} for id in at] if form.find_slot(TARGET) is not None else [{}]:
            for order in islice(list_possible_orders(form, self.battle, ship, given=given), TRIED):
                if not self.session.system.prepare(self.battle, order).findings:
                    yield order

    def _answer(self) -> None:
        """Answers all that is owed."""
        for _ in range(200):
            if not self.battle.owed:
                return
            self._answer_one(self.battle.owed[0])
        raise AssertionError(f"questions without end: {self.battle.owed}")

    def _answer_one(self, owed: Owed) -> None:
        if owed.dice:
            faces = " ".join(str(self._face(die)) for die in owed.dice)
            self.session.enter(f"roll {owed.key} {faces}")
            return
        if owed.line == SCHEDULE and owed.order is not None:
            self.session.enter(owed.order.line)
            return
        for word in self._chance.sample(owed.words, len(owed.words)) or _answers_in_words(owed):
            try:
                self.session.enter(f"answer {owed.key} {word}")
            except OrderRefused:
                continue
            return
        raise AssertionError(f"no answer to {owed}")

    def _face(self, die: Die) -> int:
        return self._chance.choice(die.faces)

    def _end(self) -> None:
        """Ends the phase, with what its end asks."""
        before = (self.battle.turn, self.battle.phase)
        while (self.battle.turn, self.battle.phase) == before:
            self._answer()
            self.session.enter("next")


def _answers_in_words(owed: Owed) -> Iterator[str]:
    """Answers to a question that has no list of words: inches and points of its ships, what a stick reads."""
    asked = len(owed.read_texts("ships")) if "ships" in owed.facts else 0
    for ships in range(asked, 0, -1):
        yield from (" ".join([f"{inches} 0"] * ships) for inches in range(INCHES_MOST, -1, -1))
    yield from READINGS
