"""Random battles of any rule system, and random corrections to them."""

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
from tests.core.random_play import Story, list_queue_ops
from tests.corrections.ground import Ground, Step, add_plan

KINDS = (*["act"] * 8, *["next"] * 5, "answer", "answer", "damage", "mark")
RARE_KINDS = (*KINDS, *KINDS, "force next", "leave", "join", "option", "chart", "note")


@frozen
class Mending:
    """A correction to some act of the log; the log decides which act."""

    kind: str
    one: int
    other: int
    step: Step

    def write_line(self, ground: Ground, timeline: Timeline) -> str:
        numbers = len(timeline.log)
        entry = 1 + self.one % numbers
        if self.kind.startswith("amend"):
            thrown = [number for number in timeline.play_order if timeline.versions[number].dice] or [entry]
            entry = thrown[self.one % len(thrown)]
        behind = self.one % (numbers + 1)
        faces = tuple(map_face(face, ground.sides) for face in self.step.faces)
        texts = {
            "amend dice": f"amend {entry} {_write_faces(timeline, entry, faces)}",
            "amend one die": f"amend {entry} {faces[0]}",
            "amend order": f"amend {entry} {ground.order(self.step, _find_phase_after(timeline, entry))}",
            "strike": f"strike {entry}",
            "restore": f"restore {entry}",
            "undo": f"undo {1 + self.one % 4}",
            "redo": f"redo {1 + self.one % 2}",
            "insert": f"insert {behind} {ground.order(self.step, _find_phase_after(timeline, behind))}",
            "shift": f"shift {entry} after {self.other % (numbers + 1)}",
            "force shift": f"shift {entry} after {self.other % (numbers + 1)} force",
        }
        return texts[self.kind]


def map_face(face: int, die: Die | int) -> int:
    """Map a face of a twelve-sided die to another die."""
    if isinstance(die, int):
        return 1 + (face - 1) % die
    return die.least + (face - 1) % die.sides


def _write_faces(timeline: Timeline, entry: int, faces: tuple[int, ...]) -> str:
    """Write as many faces as the entry has now."""
    version = timeline.versions.get(entry)
    count = len(version.dice) if version else 1
    return " ".join(str(faces[at % len(faces)]) for at in range(count or 1))


def _find_phase_after(timeline: Timeline, entry: int) -> str:
    """Find the phase right after an entry, so that most orders moved there may be played."""
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


def build_steps(ground: Ground) -> st.SearchStrategy[Step]:
    """Build a strategy of steps."""
    faces = _FACES.map(lambda thrown: tuple(map_face(face, ground.sides) for face in thrown))
    return st.builds(Step, st.sampled_from(RARE_KINDS), _PLACE, _PLACE, _PLACE, faces)


def build_mendings(ground: Ground) -> st.SearchStrategy[Mending]:
    """Build a strategy of corrections."""
    return st.builds(Mending, st.sampled_from(MENDS), _PLACE, _PLACE, build_steps(ground))


SHARP = st.sampled_from((False, False, False, True))


@st.composite
def draw_played(draw: st.DrawFn, ground: Ground, least: int = 12, most: int = 45) -> Story:
    """Draw a battle of frail ships, one turn or several in."""
    start = ground.start(draw(SHARP))
    timeline = build_timeline(add_plan(start, ground.late) if draw(SHARP) else start, ())
    for step in draw(st.lists(build_steps(ground), min_size=least, max_size=most)):
        timeline = take_step(ground, timeline, step)
    return Story(timeline)


@st.composite
def draw_corrected(draw: st.DrawFn, ground: Ground) -> Story:
    """Draw a battle that is played and corrected by turns."""
    timeline = draw(draw_played(ground)).timeline
    for deed in draw(st.lists(build_mendings(ground) | build_steps(ground), min_size=1, max_size=6)):
        timeline = (
            take_step(ground, timeline, deed) if isinstance(deed, Step) else mend(ground, timeline, deed)
        )
    return Story(timeline)


def take_step(ground: Ground, timeline: Timeline, step: Step, throw: ThrowDie | None = None) -> Timeline:
    """Take a step if it is accepted; before a phase ends, answer all that is owed.

    With `throw` the dice are thrown, in place of the step's faces.
    """
    if step.kind == "answer":
        owed = timeline.battle.owed
        return answer(ground, timeline, owed[step.one % len(owed)], step.faces, throw) if owed else timeline
    if step.kind == "next":
        return try_order(ground, _answer_all(ground, timeline, step.faces, throw), "next")
    return try_order(ground, timeline, ground.order(step, timeline.battle.phase), throw)


def _answer_all(
    ground: Ground, timeline: Timeline, faces: tuple[int, ...], throw: ThrowDie | None
) -> Timeline:
    """Answer what is owed, one question after another, until an answer is refused."""
    for _ in range(40):
        before = timeline
        if before.battle.owed:
            timeline = answer(ground, before, before.battle.owed[0], faces, throw)
        if timeline is before:
            break
    return timeline


def mend(ground: Ground, timeline: Timeline, mending: Mending) -> Timeline:
    return try_order(ground, timeline, mending.write_line(ground, timeline)) if timeline.log else timeline


def try_order(ground: Ground, timeline: Timeline, text: str, throw: ThrowDie | None = None) -> Timeline:
    """Enter an order; return the same timeline if it is refused."""
    overlay = ground.overlay if "chart" in text else None
    try:
        order = read_line(build_scope(build_vocabulary(ground.system), timeline), text).require_order()
        entered = evolve(order, dice=()) if throw else order
        return work_out(
            ground.system, timeline, entered, lambda order: Version(order, (), overlay), throw
        ).after
    except OrderRefused:
        return timeline


def answer(
    ground: Ground, timeline: Timeline, owed: Owed, faces: tuple[int, ...], throw: ThrowDie | None = None
) -> Timeline:
    """Answer a question; of words, use the first that is allowed or can be forced.

    The stray shot of a forced shot meets the same clause at every ship.
    """
    if owed.dice:
        shown = (faces[(at + len(timeline.log)) % len(faces)] for at in range(len(owed.dice)))
        thrown = " ".join(str(map_face(face, die)) for face, die in zip(shown, owed.dice, strict=True))
        return try_order(ground, timeline, f"roll {owed.key} {thrown}", throw)
    order = find_scheduled_order(owed)
    if order is not None and faces[0] % 4:
        return try_order(ground, timeline, order.line)
    words = owed.words or ground.words
    for force in ("", "force "):
        for at in range(len(words)):
            word = words[(faces[0] + at) % len(words)]
            after = try_order(ground, timeline, f"{force}answer {owed.key} {word}")
            if after is not timeline:
                return after
    return timeline


def answer_late(ground: Ground, timeline: Timeline, faces: tuple[int, ...] = (8, 7, 3)) -> Timeline:
    """Answer all questions that a player who plays the battle right would not leave open.

    These are questions of a past phase or before a `next`, throws with some of their dice, and questions that
    one of them waits for, as a torpedo waits for the dice that find its target.
    """
    for _ in range(400):
        late = [owed for owed in timeline.battle.owed if _cannot_wait(timeline, owed)]
        if not late:
            return timeline
        tries = (answer(ground, timeline, owed, faces) for owed in (*late, *timeline.battle.owed))
        after = next((each for each in tries if each is not timeline), None)
        assert after is not None, f"{late[0]} cannot be answered"
        timeline = after
    raise AssertionError(f"answers bring up questions without end: {timeline.battle.owed}")


def _cannot_wait(timeline: Timeline, owed: Owed) -> bool:
    """Return whether a question is late, partly thrown, or would have blocked a `next`."""
    if owed.late or (owed.dice and owed.faces):
        return True
    for place, number in enumerate(timeline.play_order):
        effects = timeline.rulings[number].decision.effects
        if any(effect.op is Op.OWE and effect.value == owed for effect in effects):
            return any(_requires_empty_queue(timeline, after) for after in timeline.play_order[place + 1 :])
    return False


def _requires_empty_queue(timeline: Timeline, number: int) -> bool:
    """Return whether an entry requires an empty queue: a `next`, or an answer that a phase's end asks for."""
    version = timeline.versions[number]
    if version.order.resolved == "next":
        return not version.forced
    if not version.order.is_answer:
        return False
    return list_queue_ops(timeline.rulings[number], version.order.key)[:1] == [Op.OWE]


def find_excuses(timeline: Timeline, held: int) -> list[str]:
    """List reasons why an entry could not be played there: it was moved, or a question was moved or dropped.

    `held` is that entry; for a `next` see `_of_next`. `test_phase_end_cases` has a case of each reason.
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
        if _drops_question(timeline, number, str(effect.value))
    ]
    return moved + let_go + _find_forced_ends(timeline, held)


def _find_forced_ends(timeline: Timeline, held: int) -> list[str]:
    """List forced ends after a `next` that only asked something.

    Such an end carries the question on, so its answer was in time although it was open at the `next`.
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


def _drops_question(timeline: Timeline, number: int, key: str) -> bool:
    """Return whether an entry drops a question that it neither answers nor asks again."""
    asked = [effect.value for effect in timeline.rulings[number].decision.effects if effect.op is Op.OWE]
    again = any(isinstance(owed, Owed) and owed.key == key for owed in asked)
    return not again and key != timeline.versions[number].order.key
