"""A battle that was played and corrected, and the same battle played right the first time."""

from attrs import evolve

from qf_tui.core.decide import prepare_entry
from qf_tui.core.decisions import Op
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Entry, Ruling, State, Timeline, Version, build_timeline
from qf_tui.core.values import Battle, Charts, Owed
from tests.core.playing import Renumbering, play
from tests.tiny import SYSTEM


class Story:
    """A played battle; a failing example prints its log."""

    def __init__(self, timeline: Timeline) -> None:
        self.timeline = timeline

    def __repr__(self) -> str:
        return f"Story(\n{format_log(self.timeline)}\n)"


def format_log(timeline: Timeline) -> str:
    """Format the log of a battle for a failing example."""
    lines = []
    for act in timeline.log:
        what = "" if isinstance(act, Entry) else f"{act.kind} {act.targets} "
        version = act.version
        order = (
            f"{'force ' if version.forced else ''}{version.order.resolved} {version.dice}" if version else ""
        )
        lines.append(f"{act.number} {what}{order} after {act.after}")
    return "\n".join(lines)


def list_queue_ops(ruling: Ruling, key: str) -> list[Op]:
    """List what an entry does to a question on the queue, in order: asks it, settles it."""
    return [
        effect.op
        for effect in ruling.decision.effects
        if (effect.op is Op.SETTLE and effect.value == key)
        or (effect.op is Op.OWE and isinstance(effect.value, Owed) and effect.value.key == key)
    ]


class NotPlayable(Exception):
    """A corrected battle that could not be played: at `number` a phase ended over open questions."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class FirstTime:
    """The entries in force of a corrected battle, played again as if no order had been mistyped.

    Raises:
        NotPlayable: A `next` was moved before the answers that came before it.
    """

    def __init__(self, corrected: Timeline, system: RuleSystem = SYSTEM) -> None:
        self.corrected = corrected
        self.system = system
        self.timeline = build_timeline(corrected.start, ())
        self.numbers: dict[int, int] = {0: 0}
        self.thrown: dict[str, tuple[int, ...]] = {}
        for number in corrected.play_order:
            if corrected.rulings[number].state is State.STANDS:
                self._replay(number)

    @property
    def battle(self) -> Battle:
        return self.timeline.battle

    @property
    def expected(self) -> Battle:
        """The corrected battle, with its entries numbered as in this one."""
        return Renumbering(self.numbers).battle(self.corrected.battle)

    def _replay(self, number: int) -> None:
        version, ruling = self.corrected.versions[number], self.corrected.rulings[number]
        words = version.order.resolved.split()
        force = "force " if version.forced else ""
        if words[0] == "next":
            if ruling.decision.effects:
                if self.battle.owed and not force:
                    raise NotPlayable(number)
                self._play(number, f"{force}next")
            return
        if words[0] in ("roll", "answer"):
            self._answer(number, words, version.dice, force)
            return
        asked = [e.value for e in ruling.decision.effects if isinstance(e.value, Owed) and e.op is Op.OWE]
        waits = [owed for owed in asked if owed.order and owed.dice and owed.line == words[0]]
        dice = () if waits else self._take_needed_dice(version)
        self._play(number, " ".join((f"{force}{version.order.resolved}", *map(str, dice))), version.overlay)
        for owed in waits:
            self.thrown[self._renumber_key(owed.key)] = owed.faces

    def _answer(self, number: int, words: list[str], dice: tuple[int, ...], force: str) -> None:
        does = list_queue_ops(self.corrected.rulings[number], words[1])
        if does[:1] == [Op.OWE]:
            # Only the corrected phase end asks this, so the first time it takes another `next`.
            if self.battle.owed:
                raise NotPlayable(number)
            self.timeline = play(self.timeline, "next", system=self.system)
        key = self._renumber_key(words[1])
        owed = self.battle.find_question(key)
        assert owed is not None, f"{key} is not owed the first time: {self.battle.owed}"
        most = 0
        if owed.dice:
            again = self.corrected.versions[number]
            most = self._count_dice(evolve(again, order=again.order.with_slot("key", key)))
        faces = (*self.thrown.get(key, ()), *dice)[:most]
        if does[-1:] == [Op.OWE]:
            # An older version has too few dice: the first time they are thrown with the rest.
            self.thrown[key] = faces
            return
        self._play(number, " ".join((f"{force}{words[0]}", key, *words[2:], *map(str, faces))))

    def _renumber_key(self, key: str) -> str:
        return Renumbering(self.numbers).key(key)

    def _take_needed_dice(self, version: Version) -> tuple[int, ...]:
        """Return the dice typed with an order: all the dice it needs, or none."""
        prepared = prepare_entry(self.system, self.battle, version).prepared
        dice = version.dice[: len(prepared.dice)]
        return () if prepared.missing(dice) else dice

    def _count_dice(self, version: Version) -> int:
        """Return the largest number of dice that an order can need here."""
        return len(prepare_entry(self.system, self.battle, version).prepared.dice)

    def _play(self, number: int, order: str, overlay: Charts | None = None) -> None:
        self.numbers[number] = self.timeline.next_number
        self.timeline = play(self.timeline, order, overlay=overlay, system=self.system)
        assert isinstance(self.timeline.log[-1], Entry)
