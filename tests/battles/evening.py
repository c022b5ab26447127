"""A random evening: legal orders for ships that may act, dice from a seed, every question answered."""

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
"""Ships that act in a phase at most."""
TARGET = "target"
GUNS_FIRST = 0.6
"""How often a ship fires first if it may."""
ENEMIES, TRIED = 4, 12
"""Targets tried for a ship, and orders at each, before it does something else."""
CHOICE = 5
"""Accepted orders to draw from: the first estimate of a range is seldom the best."""
INCHES_MOST = 16
READINGS = ("stick 3", "straddle 3", "outside", "nobody")


@frozen
class Shot:
    """An entered shot, launch or light: when, in which phase, by which order."""

    turn: int
    phase: str
    word: str


class Evening:
    """A player of a session, turn by turn; the same seed plays the same battle."""

    def __init__(self, session: Session, seed: int = 1898) -> None:
        self.session = session
        self._chance = Random(seed)

    @property
    def battle(self) -> Battle:
        return self.session.battle

    def play(self, turns: int) -> None:
        """Play until `turns` turns are over, and answer the first questions of the next turn."""
        while self.battle.turn <= turns:
            self._play_phase()
        self._answer()

    @property
    def shots(self) -> list[Shot]:
        """The shots, launches and lights so far."""
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
        """How often a ship was damaged so far."""
        rulings = self.session.timeline.rulings.values()
        return sum(bool(dict(ruling.decision.outcome).get("hits")) for ruling in rulings)

    def _play_phase(self) -> None:
        self._answer()
        acted, waiting = 0, list(self.session.system.may_act(self.battle))
        for able in self._chance.sample(waiting, len(waiting)):
            if acted == ACTING:
                break
            acted += self._act(self.battle.ships[able.ship], able.order)
            self._answer()
        self._end_phase()

    def _act(self, ship: Ship, word: str) -> bool:
        """Try an attack by lot, then the order that the rules suggest; return whether the ship acted."""
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
            orders = list(islice(self._list_accepted(form, ship), CHOICE))
            if orders:
                self.session.enter(self._chance.choice(orders).line)
                return True
        return False

    def _list_accepted(self, form: Form, ship: Ship) -> Iterator[Order]:
        """List orders of a form that the rules accept, with random targets."""
        enemies = [other.id for other in self.battle.ships.values() if other.side != ship.side]
        at = self._chance.sample(enemies, min(ENEMIES, len(enemies)))
        for given in [{TARGET: id} for id in at] if form.find_slot(TARGET) is not None else [{}]:
            for order in islice(list_possible_orders(form, self.battle, ship, given=given), TRIED):
                if not self.session.system.prepare(self.battle, order).findings:
                    yield order

    def _answer(self) -> None:
        """Answer all owed rolls and questions."""
        for _ in range(200):
            if not self.battle.owed:
                return
            self._answer_one(self.battle.owed[0])
        raise AssertionError(f"questions without end: {self.battle.owed}")

    def _answer_one(self, owed: Owed) -> None:
        if owed.dice:
            faces = " ".join(str(self._draw_face(die)) for die in owed.dice)
            self.session.enter(f"roll {owed.key} {faces}")
            return
        if owed.line == SCHEDULE and owed.order is not None:
            self.session.enter(owed.order.line)
            return
        for word in self._chance.sample(owed.words, len(owed.words)) or _list_answers(owed):
            try:
                self.session.enter(f"answer {owed.key} {word}")
            except OrderRefused:
                continue
            return
        raise AssertionError(f"no answer to {owed}")

    def _draw_face(self, die: Die) -> int:
        return self._chance.choice(die.faces)

    def _end_phase(self) -> None:
        """End the phase and answer its questions."""
        before = (self.battle.turn, self.battle.phase)
        while (self.battle.turn, self.battle.phase) == before:
            self._answer()
            self.session.enter("next")


def _list_answers(owed: Owed) -> Iterator[str]:
    """List answers to a question without choices: inches and points of its ships, or a stick's value."""
    asked = len(owed.read_texts("ships")) if "ships" in owed.facts else 0
    for ships in range(asked, 0, -1):
        yield from (" ".join([f"{inches} 0"] * ships) for inches in range(INCHES_MOST, -1, -1))
    yield from READINGS
