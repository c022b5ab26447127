"""Random tiny battles and corrections for the properties, and the battle played right the first time."""

from attrs import evolve, frozen
from hypothesis import strategies as st

from qf_tui.core.decide import prepare_entry
from qf_tui.core.decisions import Op
from qf_tui.core.errors import OrderRefused
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Entry, Ruling, State, Timeline, Version, opened
from qf_tui.core.values import Battle, Charts, Owed
from tests.core.playing import Renumbering, play, ship
from tests.core.playing import battle as tiny_battle
from tests.tiny import SYSTEM

SHIPS = ("ant", "bee", "cat", "dog")
KINDS = (*["act"] * 6, *["next"] * 3, "answer", "declare", "damage", "mark")
RARE_KINDS = (*KINDS, *KINDS, "force next", "force shoot", "leave", "sail", "tend")


@frozen
class Step:
    """What somebody does next; which order that is depends on the battle."""

    kind: str
    one: int
    other: int
    faces: tuple[int, int]

    def orders(self, battle: Battle) -> list[str]:
        """The order, behind answers to all that is owed where the phase is to end."""
        ship, other = SHIPS[self.one % 4], SHIPS[self.other % 4]
        first, second = self.faces
        if self.kind == "answer":
            return [answer_to(battle.owed[self.one % len(battle.owed)], self.faces)] if battle.owed else []
        if self.kind == "next":
            return [*(answer_to(owed, self.faces) for owed in battle.owed), "next"]
        kind = battle.phase if self.kind == "act" else self.kind
        texts = {
            "sail": f"sail {ship} {first}",
            "shoot": f"shoot {ship} {other} {first} {second}",
            "declare": f"shoot {ship} {other}",
            "force shoot": f"force shoot {ship} {other} {first} {second}",
            "tend": f"tend {ship} {first}" if second > 2 else f"tend {ship}",
            "damage": f"damage {ship} {'HGF'[self.other % 3]}",
            "mark": f"mark {ship} hull {self.other % 4}",
            "force next": "force next",
            "leave": f"leave {ship}",
        }
        return [texts[kind]]


@frozen
class Mending:
    """A correction of some act of the log; which one depends on the log."""

    kind: str
    one: int
    other: int
    faces: tuple[int, int]
    step: Step

    def text(self, timeline: Timeline) -> str:
        numbers = len(timeline.log)
        entry = 1 + self.one % numbers
        if self.kind.startswith("amend"):
            thrown = [number for number in timeline.play_order if timeline.versions[number].dice] or [entry]
            entry = thrown[self.one % len(thrown)]
        order = (self.step.orders(timeline.battle) or ["next"])[-1]
        first, second = self.faces
        texts = {
            "amend dice": f"amend {entry} {first} {second}",
            "amend one die": f"amend {entry} {first}",
            "amend order": f"amend {entry} {order}",
            "strike": f"strike {entry}",
            "restore": f"restore {entry}",
            "undo": f"undo {1 + self.one % 3}",
            "redo": f"redo {1 + self.one % 2}",
            "insert": f"insert {self.one % (numbers + 1)} {order}",
            "shift": f"shift {entry} after {self.other % (numbers + 1)}",
        }
        return texts[self.kind]


_FACES = st.tuples(st.sampled_from((3, 1, 2, 4, 5, 6)), st.sampled_from((6, 5, 4, 3, 2, 1)))
_PLACE = st.integers(0, 60)
STEPS = st.builds(Step, st.sampled_from((*KINDS, "sail", "shoot", "tend")), _PLACE, _PLACE, _FACES)
RARE_STEPS = st.builds(Step, st.sampled_from(RARE_KINDS), _PLACE, _PLACE, _FACES)
MENDS = (
    *["amend dice"] * 3,
    "amend one die",
    "amend order",
    "strike",
    "restore",
    "undo",
    "redo",
    "insert",
    "shift",
)
MENDINGS = st.builds(Mending, st.sampled_from(MENDS), _PLACE, _PLACE, _FACES, STEPS)


class Story:
    """A battle that was played; a failing example shows its log in words."""

    def __init__(self, timeline: Timeline) -> None:
        self.timeline = timeline

    def __repr__(self) -> str:
        return f"Story(\n{told(self.timeline)}\n)"


@st.composite
def battles_played(draw: st.DrawFn, least: int = 8, most: int = 40) -> Story:
    """A battle of frail ships, some turns in."""
    ships = [ship(name, "north" if at < 2 else "south", hull=2) for at, name in enumerate(SHIPS)]
    timeline = opened(tiny_battle(*ships), ())
    for step in draw(st.lists(RARE_STEPS, min_size=least, max_size=most)):
        timeline = taken(timeline, step)
    return Story(timeline)


@st.composite
def battles_corrected(draw: st.DrawFn) -> Story:
    """A battle that is played and corrected by turns."""
    timeline = draw(battles_played()).timeline
    for deed in draw(st.lists(MENDINGS | STEPS, min_size=1, max_size=8)):
        timeline = taken(timeline, deed) if isinstance(deed, Step) else mended(timeline, deed)
    return Story(timeline)


def told(timeline: Timeline) -> str:
    """The log of a battle in words, for a failing example."""
    lines = []
    for act in timeline.log:
        what = "" if isinstance(act, Entry) else f"{act.kind} {act.targets} "
        version = act.version
        order = (
            f"{'force ' if version.forced else ''}{version.order.resolved} {version.dice}" if version else ""
        )
        lines.append(f"{act.number} {what}{order} after {act.after}")
    return "\n".join(lines)


def taken(timeline: Timeline, step: Step) -> Timeline:
    """The battle after a step, as far as it is accepted."""
    for order in step.orders(timeline.battle):
        timeline = tried(timeline, order)
    return timeline


def mended(timeline: Timeline, mending: Mending) -> Timeline:
    """The battle after a correction, if it is accepted."""
    return tried(timeline, mending.text(timeline)) if timeline.log else timeline


def tried(timeline: Timeline, order: str) -> Timeline:
    """The battle after an order, or as it was if the order is refused."""
    try:
        return play(timeline, order)
    except OrderRefused:
        return timeline


def answer_to(owed: Owed, faces: tuple[int, ...]) -> str:
    """The order that answers an owed question."""
    if not owed.dice:
        return f"answer {owed.key} {owed.words[faces[0] % len(owed.words)]}"
    thrown = " ".join(str(faces[at % len(faces)]) for at in range(len(owed.dice)))
    return f"roll {owed.key} {thrown}"


def late_answered(timeline: Timeline, faces: tuple[int, ...] = (5, 2)) -> Timeline:
    """The battle once every question that a correction put into a past phase is answered."""
    for _ in range(400):
        late = [owed for owed in timeline.battle.owed if owed.late]
        if not late:
            return timeline
        timeline = play(timeline, answer_to(late[0], faces))
    raise AssertionError(f"answers bring up questions without end: {timeline.battle.owed}")


def on_queue(ruling: Ruling, key: str) -> list[Op]:
    """What an entry does to a question on the queue, in order: asks it, settles it."""
    return [
        effect.op
        for effect in ruling.decision.effects
        if (effect.op is Op.SETTLE and effect.value == key)
        or (effect.op is Op.OWE and isinstance(effect.value, Owed) and effect.value.key == key)
    ]


class NotPlayable(Exception):
    """A corrected battle that nobody could have played: at `number` a phase was ended over open questions."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class FirstTime:
    """Plays what stands of a corrected battle afresh, in the order of play, as if nothing had been mistyped.

    NotPlayable where a `next` was moved before the answers that stood ahead of it.
    """

    def __init__(self, corrected: Timeline, system: RuleSystem = SYSTEM) -> None:
        self.corrected = corrected
        self.system = system
        self.timeline = opened(corrected.start, ())
        self.numbers: dict[int, int] = {0: 0}
        self.thrown: dict[str, tuple[int, ...]] = {}
        for number in corrected.play_order:
            if corrected.rulings[number].state is State.STANDS:
                self._again(number)

    @property
    def battle(self) -> Battle:
        return self.timeline.battle

    @property
    def expected(self) -> Battle:
        """The corrected battle, its entries numbered as they are here."""
        return Renumbering(self.numbers).battle(self.corrected.battle)

    def _again(self, number: int) -> None:
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
        dice = () if waits else self._enough(version)
        self._play(number, " ".join((f"{force}{version.order.resolved}", *map(str, dice))), version.overlay)
        for owed in waits:
            self.thrown[self._key(owed.key)] = owed.faces

    def _answer(self, number: int, words: list[str], dice: tuple[int, ...], force: str) -> None:
        does = on_queue(self.corrected.rulings[number], words[1])
        if does[:1] == [Op.OWE]:
            # The end of the phase asked this only after the correction: at first it takes a `next` more.
            if self.battle.owed:
                raise NotPlayable(number)
            self.timeline = play(self.timeline, "next", system=self.system)
        key = self._key(words[1])
        owed = self.battle.question(key)
        assert owed is not None, f"{key} is not owed the first time: {self.battle.owed}"
        most = 0
        if owed.dice:
            again = self.corrected.versions[number]
            most = self._most_dice(evolve(again, order=again.order.with_slot("key", key)))
        faces = (*self.thrown.get(key, ()), *dice)[:most]
        if does[-1:] == [Op.OWE]:
            # The dice of an older version are too few: the first time they are thrown with the rest.
            self.thrown[key] = faces
            return
        self._play(number, " ".join((f"{force}{words[0]}", key, *words[2:], *map(str, faces))))

    def _key(self, key: str) -> str:
        return Renumbering(self.numbers).key(key)

    def _enough(self, version: Version) -> tuple[int, ...]:
        """The dice of an order as somebody gives them with it: all that it needs, or none."""
        prepared = prepare_entry(self.system, self.battle, version).prepared
        dice = version.dice[: len(prepared.dice)]
        return () if prepared.missing(dice) else dice

    def _most_dice(self, version: Version) -> int:
        """How many dice an order can need here."""
        return len(prepare_entry(self.system, self.battle, version).prepared.dice)

    def _play(self, number: int, order: str, overlay: Charts | None = None) -> None:
        self.numbers[number] = self.timeline.next_number
        self.timeline = play(self.timeline, order, overlay=overlay, system=self.system)
        assert isinstance(self.timeline.log[-1], Entry)
