"""Battles by chance on the grounds of all systems: orders of any kind, and fair dice from a seed."""

from random import Random

from attrs import evolve

from qf_tui.core.builtin_forms import vocabulary_of
from qf_tui.core.corrections import scope_on
from qf_tui.core.errors import OrderRefused
from qf_tui.core.grammar.reader import read
from qf_tui.core.revisions import work_out
from qf_tui.core.timeline import Timeline, Version, opened
from qf_tui.core.values import Die, Owed
from tests.corrections.ground import Ground, Step
from tests.corrections.random_battles import KINDS, MENDS, RARE_KINDS, Mending, mended


class Chance:
    """Plays on a ground; the same seed plays the same battle."""

    def __init__(self, ground: Ground, seed: int) -> None:
        self.ground = ground
        self._random = Random(f"{ground.system.name} {seed}")

    def battle(self, entries: int, *, strict: bool = False, rare: bool = False) -> Timeline:
        """A battle of so many steps, each an order or an answer, as far as they are accepted."""
        timeline = opened(self.ground.start(strict), ())
        for _ in range(entries):
            timeline = self._taken(timeline, self._step(RARE_KINDS if rare else KINDS))
        return timeline

    def corrected(self, entries: int, corrections: int) -> Timeline:
        """A battle that is corrected now and then, by other dice too."""
        timeline = self.battle(entries, rare=True)
        for _ in range(corrections):
            kind = self._random.choice(MENDS)
            numbers = self._random.randrange(65), self._random.randrange(65)
            timeline = mended(self.ground, timeline, Mending(kind, *numbers, self._step(RARE_KINDS)))
            timeline = self._taken(timeline, self._step(KINDS))
        return timeline

    def _step(self, kinds: tuple[str, ...]) -> Step:
        one, other, word = (self._random.randrange(65) for _ in range(3))
        sides = self.ground.sides
        faces = tuple(self._random.randint(1, sides) for _ in range(3))
        return Step(self._random.choice(kinds), one, other, word, (faces[0], faces[1], faces[2]))

    def _taken(self, timeline: Timeline, step: Step) -> Timeline:
        owed = timeline.battle.owed
        if step.kind == "answer":
            return self._answered(timeline, owed[step.one % len(owed)], step) if owed else timeline
        if step.kind == "next":
            for _ in range(40):
                before = timeline
                if before.battle.owed:
                    timeline = self._answered(before, before.battle.owed[0], step)
                if timeline is before:
                    break
            return self._tried(timeline, "next")
        return self._tried(timeline, self.ground.order(step, timeline.battle.phase))

    def _answered(self, timeline: Timeline, owed: Owed, step: Step) -> Timeline:
        if owed.dice:
            return self._tried(timeline, f"roll {owed.key}")
        words = owed.words or self.ground.words
        for force in ("", "force "):
            for at in range(len(words)):
                word = words[(step.word + at) % len(words)]
                after = self._tried(timeline, f"{force}answer {owed.key} {word}")
                if after is not timeline:
                    return after
        return timeline

    def _tried(self, timeline: Timeline, text: str) -> Timeline:
        """The battle after an order with fair dice in place of its own, or as it was if it is refused."""
        overlay = self.ground.overlay if "chart" in text else None
        system = self.ground.system
        try:
            order = read(scope_on(vocabulary_of(system), timeline), text).complete()
            bare = evolve(order, dice=())
            return work_out(
                system, timeline, bare, lambda order: Version(order, (), overlay), self._throw
            ).after
        except OrderRefused:
            return timeline

    def _throw(self, die: Die) -> int:
        return self._random.choice(die.faces)
