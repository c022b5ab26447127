"""Random battles of any rule system and random corrections of them."""

from attrs import evolve, frozen
from hypothesis import strategies as st

from qf_tui.core.builtin_forms import build_vocabulary
from qf_tui.core.corrections import build_scope
from qf_tui.core.decide import ThrowDie
from qf_tui.core.decisions import Op
from qf_tui.core.errors import OrderRefused
from qf_tui.core.grammar.reader import read_line
from qf_tui.core.revisions import work_out
from qf_tui.core.schedule import find_scheduled_order
from qf_tui.core.timeline import Correction, CorrectionKind, Timeline, Version, build_timeline
from qf_tui.core.values import Die, Owed
from tests.core.random_play import Story, on_queue
from tests.corrections.ground import Ground, Step, scheduled

KINDS = (*["act"] * 8, *["next"] * 5, "answer", "answer", "damage", "mark")
RARE_KINDS = (*KINDS, *KINDS, "force next", "leave", "join", "option", "chart", "note")


@frozen
class Mending:
    """A correction of some act of the log; which one depends on the log."""

    kind: str
    one: int
    other: int
    step: Step

    def text(self, ground: Ground, timeline: Timeline) -> str:
        numbers = len(timeline.log)
        entry = 1 + self.one % numbers
        if self.kind.startswith("amend"):
            thrown = [number for number in timeline.play_order if timeline.versions[number].dice] or [entry]
            entry = thrown[self.one % len(thrown)]
        behind = self.one % (numbers + 1)
        faces = tuple(on_die(face, ground.sides) for face in self.step.faces)
        texts = {
            "amend dice": f"amend {entry} {_faces(timeline, entry, faces)}",
            "amend one die": f"amend {entry} {faces[0]}",
            "amend order": f"amend {entry} {ground.order(self.step, _phase_at(timeline, entry))}",
            "strike": f"strike {entry}",
            "restore": f"restore {entry}",
            "undo": f"undo {1 + self.one % 4}",
            "redo": f"redo {1 + self.one % 2}",
            "insert": f"insert {behind} {ground.order(self.step, _phase_at(timeline, behind))}",
            "shift": f"shift {entry} after {self.other % (numbers + 1)}",
            "force shift": f"shift {entry} after {self.other % (numbers + 1)} force",
        }
        return texts[self.kind]


def on_die(face: int, die: Die | int) -> int:
    """A face of a twelve-sided die as one of another die."""
    if isinstance(die, int):
        return 1 + (face - 1) % die
    return die.least + (face - 1) % die.sides


def _faces(timeline: Timeline, entry: int, faces: tuple[int, ...]) -> str:
    """As many faces as the entry has now."""
    version = timeline.versions.get(entry)
    count = len(version.dice) if version else 1
    return " ".join(str(faces[at % len(faces)]) for at in range(count or 1))


def _phase_at(timeline: Timeline, entry: int) -> str:
    """The phase right behind an entry, so that what is brought there mostly may be played there."""
    place = timeline.play_order.index(entry) + 1 if entry in timeline.play_order else 0
    return timeline.battle_at(place).phase


_FACE = st.sampled_from((5, 1, 1, 2, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12))
_FACES = st.tuples(_FACE, _FACE, _FACE)
_PLACE = st.integers(0, 65)
MENDS = (
    *["amend dice"] * 4,
    "amend one die",
    "amend order",
    "amend order",
    "strike",
    "strike",
    "restore",
    "undo",
    "redo",
    "insert",
    "insert",
    "shift",
    "force shift",
)


def steps(ground: Ground) -> st.SearchStrategy[Step]:
    """What somebody may do next."""
    faces = _FACES.map(lambda thrown: tuple(on_die(face, ground.sides) for face in thrown))
    return st.builds(Step, st.sampled_from(RARE_KINDS), _PLACE, _PLACE, _PLACE, faces)


def mendings(ground: Ground) -> st.SearchStrategy[Mending]:
    """How somebody may correct it."""
    return st.builds(Mending, st.sampled_from(MENDS), _PLACE, _PLACE, steps(ground))


SHARP = st.sampled_from((False, False, False, True))


@st.composite
def battles_played(draw: st.DrawFn, ground: Ground, least: int = 12, most: int = 45) -> Story:
    """A battle of frail ships, a turn or some in."""
    start = ground.start(draw(SHARP))
    timeline = build_timeline(scheduled(start, ground.late) if draw(SHARP) else start, ())
    for step in draw(st.lists(steps(ground), min_size=least, max_size=most)):
        timeline = taken(ground, timeline, step)
    return Story(timeline)


@st.composite
def battles_corrected(draw: st.DrawFn, ground: Ground) -> Story:
    """A battle that is played and corrected by turns."""
    timeline = draw(battles_played(ground)).timeline
    for deed in draw(st.lists(mendings(ground) | steps(ground), min_size=1, max_size=6)):
        timeline = taken(ground, timeline, deed) if isinstance(deed, Step) else mended(ground, timeline, deed)
    return Story(timeline)


def taken(ground: Ground, timeline: Timeline, step: Step, throw: ThrowDie | None = None) -> Timeline:
    """The battle after a step, as far as it is accepted; all that is owed is answered before a phase ends.

    With `throw` its dice are thrown, in place of those of the step.
    """
    if step.kind == "answer":
        owed = timeline.battle.owed
        return answered(ground, timeline, owed[step.one % len(owed)], step.faces, throw) if owed else timeline
    if step.kind == "next":
        return tried(ground, _all_answered(ground, timeline, step.faces, throw), "next")
    return tried(ground, timeline, ground.order(step, timeline.battle.phase), throw)


def _all_answered(
    ground: Ground, timeline: Timeline, faces: tuple[int, ...], throw: ThrowDie | None
) -> Timeline:
    """The battle once what is owed is answered, as far as one after the other can be."""
    for _ in range(40):
        before = timeline
        if before.battle.owed:
            timeline = answered(ground, before, before.battle.owed[0], faces, throw)
        if timeline is before:
            break
    return timeline


def mended(ground: Ground, timeline: Timeline, mending: Mending) -> Timeline:
    return tried(ground, timeline, mending.text(ground, timeline)) if timeline.log else timeline


def tried(ground: Ground, timeline: Timeline, text: str, throw: ThrowDie | None = None) -> Timeline:
    """The battle after an order, or as it was if the order is refused."""
    overlay = ground.overlay if "chart" in text else None
    try:
        order = read_line(build_scope(build_vocabulary(ground.system), timeline), text).require_order()
        entered = evolve(order, dice=()) if throw else order
        return work_out(
            ground.system, timeline, entered, lambda order: Version(order, (), overlay), throw
        ).after
    except OrderRefused:
        return timeline


def answered(
    ground: Ground, timeline: Timeline, owed: Owed, faces: tuple[int, ...], throw: ThrowDie | None = None
) -> Timeline:
    """The battle after an answer to what is owed; of words the first that is allowed or can be forced.

    What strays from a forced shot meets the same clause at every ship.
    """
    if owed.dice:
        shown = (faces[(at + len(timeline.log)) % len(faces)] for at in range(len(owed.dice)))
        thrown = " ".join(str(on_die(face, die)) for face, die in zip(shown, owed.dice, strict=True))
        return tried(ground, timeline, f"roll {owed.key} {thrown}", throw)
    order = find_scheduled_order(owed)
    if order is not None and faces[0] % 4:
        return tried(ground, timeline, order.line)
    words = owed.words or ground.words
    for force in ("", "force "):
        for at in range(len(words)):
            word = words[(faces[0] + at) % len(words)]
            after = tried(ground, timeline, f"{force}answer {owed.key} {word}")
            if after is not timeline:
                return after
    return timeline


def late_answered(ground: Ground, timeline: Timeline, faces: tuple[int, ...] = (8, 7, 3)) -> Timeline:
    """The battle once all is answered that nobody leaves open who plays it right.

    That is questions of a past phase or ahead of a `next`, and throws whose dice are there in part; and what
    one of them waits for, as a torpedo does for the dice that tell whom it is aimed at.
    """
    for _ in range(400):
        late = [owed for owed in timeline.battle.owed if _cannot_wait(timeline, owed)]
        if not late:
            return timeline
        tries = (answered(ground, timeline, owed, faces) for owed in (*late, *timeline.battle.owed))
        after = next((each for each in tries if each is not timeline), None)
        assert after is not None, f"{late[0]} cannot be answered"
        timeline = after
    raise AssertionError(f"answers bring up questions without end: {timeline.battle.owed}")


def _cannot_wait(timeline: Timeline, owed: Owed) -> bool:
    """Whether a question is late, thrown for in part, or one for which a `next` would have been refused."""
    if owed.late or (owed.dice and owed.faces):
        return True
    for place, number in enumerate(timeline.play_order):
        effects = timeline.rulings[number].decision.effects
        if any(effect.op is Op.OWE and effect.value == owed for effect in effects):
            return any(_wants_all_answered(timeline, after) for after in timeline.play_order[place + 1 :])
    return False


def _wants_all_answered(timeline: Timeline, number: int) -> bool:
    """Whether an entry wants nothing else owed: a `next`, or an answer to what the phase's end asks."""
    version = timeline.versions[number]
    if version.order.resolved == "next":
        return not version.forced
    if not version.order.is_answer:
        return False
    return on_queue(timeline.rulings[number], version.order.key)[:1] == [Op.OWE]


def excuses(timeline: Timeline, held: int) -> list[str]:
    """Why nobody could have made an entry there: it was moved, or what was open there was moved or let go.

    `held` is that entry; see `_of_next` for a `next`. `test_phase_end_cases` has a case of each.
    """
    place = timeline.play_order.index(held)
    open_then = {owed.key for owed in timeline.battle_at(place).owed}
    moved = [
        f"{act.number} moves {act.targets}"
        for act in timeline.log
        if isinstance(act, Correction)
        and act.kind is CorrectionKind.SHIFT
        and act.number in timeline.in_force
        and (
            held in act.targets
            or any(timeline.versions[target].order.key in open_then for target in act.targets)
        )
    ]
    let_go = [
        f"{number} lets {effect.value} go"
        for number in timeline.play_order[place:]
        for effect in timeline.rulings[number].decision.effects
        if effect.op is Op.SETTLE and effect.value in open_then
        if _lets_go(timeline, number, str(effect.value))
    ]
    return moved + let_go + _of_next(timeline, held)


def _of_next(timeline: Timeline, held: int) -> list[str]:
    """Why a question stood open at a `next`, though its answer was in time when it was entered.

    That `next` ended no phase, as it only asked something, and a forced one behind it carried the question
    on, to be answered where it was carried.
    """
    ends_nothing = all(effect.op is not Op.PHASE for effect in timeline.rulings[held].decision.effects)
    if not (timeline.versions[held].order.is_phase_end and ends_nothing):
        return []
    behind = timeline.play_order[timeline.play_order.index(held) + 1 :]
    forced = (number for number in behind if timeline.versions[number].forced)
    return [
        f"{number} carries on what {held} did not end"
        for number in forced
        if timeline.versions[number].order.is_phase_end
    ]


def _lets_go(timeline: Timeline, number: int, key: str) -> bool:
    """Whether an entry takes a question off the queue that it neither answers nor asks again."""
    asked = [effect.value for effect in timeline.rulings[number].decision.effects if effect.op is Op.OWE]
    again = any(isinstance(owed, Owed) and owed.key == key for owed in asked)
    return not again and key != timeline.versions[number].order.key
