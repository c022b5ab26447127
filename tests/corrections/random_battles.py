"""Random battles of Advanced Quickfire and random corrections of them."""

from attrs import evolve as with_
from attrs import frozen
from hypothesis import strategies as st

from qf_tui.core.charts import Cell, Chart, Row, Standing
from qf_tui.core.effects import Op
from qf_tui.core.errors import OrderRefused
from qf_tui.core.timeline import Correction, Mend, Timeline, opened
from qf_tui.core.values import Battle, Owed
from qf_tui.rules.advanced_quickfire import SYSTEM
from tests.core.playing import revise
from tests.core.random_play import Story
from tests.rules.advanced_quickfire.tables import battle, craft, ship

SHIPS = ("ajax", "boyne", "rook", "rival", "skiff", "orion")
BLUE, RED = ("ajax", "boyne", "orion"), ("rook", "rival", "skiff")
RANGES = ("long", "medium", "pb", "3in", "30in")
REPAIRS = ("heavy", "light", "boats", "speed", "course")
CODES = ("G", "S", "SX", "E", "D", "T", "B", "R", "F", "S S SX", "G E")
MARKS = ("rof_heavy 3", "speed_hits 2", "speed_lost 2", "fires 1", "boat_guns 1", "status afloat", "moved 4")
OPTIONS = ("untried_refire yes", "one_roll yes", "refire_by ship", "sx_check 12", "light_s_overflow sx")
WORDS = ("none", "2", "S", "G", "fix", "E", "out", "12")
DEEDS = {
    "movement": ("move",),
    "first-gunnery": ("fire", "fire", "fire", "fire", "declare", "declare", "boats", "force"),
    "second-gunnery": ("fire", "fire", "declare", "boats", "torpedo", "torpedo", "force"),
    "recurring": ("damage", "mark", "note"),
    "repair": ("repair",),
    "sinking": ("damage", "note"),
}
KINDS = (*["act"] * 8, *["next"] * 5, "answer", "answer", "damage", "mark")
RARE_KINDS = (*KINDS, *KINDS, "force next", "leave", "join", "option", "chart", "note")
OVERLAY = {
    "battery": Chart(
        "battery",
        "Gunnery",
        {"200": Row("200", {"5": Cell("3", Standing.OWN), "12": Cell("1", Standing.OWN)})},
    )
}
"""The umpire's own chart: at 200% a 5 scores three hits, and a 12 one."""


@frozen
class Step:
    """What somebody does next; which order that is depends on the phase."""

    kind: str
    one: int
    other: int
    word: int
    faces: tuple[int, int, int]

    def order(self, phase: str) -> str:
        """The order in words, for a kind that is one order."""
        deeds = DEEDS[phase]
        kind = deeds[self.word % len(deeds)] if self.kind in ("act", "next", "answer") else self.kind
        one = SHIPS[self.one % 6]
        other = (RED if one in BLUE else BLUE)[self.other % 3]
        black, white, third = self.faces
        battery, range = ("heavy", "light", "both")[third % 3], RANGES[self.word % len(RANGES)]
        texts = {
            "move": f"move {one} {black % 9}",
            "fire": f"fire {one} {battery} {other} {range}{(' end', '', '')[third % 3]} {black} {white}",
            "declare": f"fire {one} {battery} {other} {range}",
            "force": f"force fire {one} {battery} {other} {range} {black} {white}",
            "boats": f"boats {one} {other} {black} {white}" if third % 2 else f"boats {one} {other}",
            "torpedo": f"torpedo {one} {other} in{(' converging', '')[third % 2]} {1 + black % 3} {white}",
            "repair": f"repair {one} {REPAIRS[self.other % 5]} {black}",
            "damage": f"damage {one} {CODES[self.other % len(CODES)]}",
            "mark": f"mark {one} {MARKS[self.other % len(MARKS)]}",
            "leave": f"leave {one} {('withdrawn', 'sunk')[self.other % 2]}",
            "join": "join blue orion",
            "option": f"option {OPTIONS[self.other % len(OPTIONS)]}",
            "chart": "chart mine",
            "note": "note the umpire looks up",
            "force next": "force next",
        }
        return texts[kind]


@frozen
class Mending:
    """A correction of some act of the log; which one depends on the log."""

    kind: str
    one: int
    other: int
    step: Step

    def text(self, timeline: Timeline) -> str:
        """The correction in words."""
        numbers = len(timeline.log)
        entry = 1 + self.one % numbers
        if self.kind.startswith("amend"):
            thrown = [number for number in timeline.script if timeline.versions[number].dice] or [entry]
            entry = thrown[self.one % len(thrown)]
        behind = self.one % (numbers + 1)
        first, second, third = self.step.faces
        texts = {
            "amend dice": f"amend {entry} {_faces(timeline, entry, (first, second, third))}",
            "amend one die": f"amend {entry} {first}",
            "amend order": f"amend {entry} {self.step.order(_phase_at(timeline, entry))}",
            "strike": f"strike {entry}",
            "restore": f"restore {entry}",
            "undo": f"undo {1 + self.one % 4}",
            "redo": f"redo {1 + self.one % 2}",
            "insert": f"insert {behind} {self.step.order(_phase_at(timeline, behind))}",
            "shift": f"shift {entry} after {self.other % (numbers + 1)}",
        }
        return texts[self.kind]


def _faces(timeline: Timeline, entry: int, faces: tuple[int, ...]) -> str:
    """As many faces as the entry has now."""
    version = timeline.versions.get(entry)
    count = len(version.dice) if version else 1
    return " ".join(str(faces[at % len(faces)]) for at in range(count or 1))


def _phase_at(timeline: Timeline, entry: int) -> str:
    """The phase right behind an entry, so that what is brought there mostly may be played there."""
    place = timeline.script.index(entry) + 1 if entry in timeline.script else 0
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
)
STEPS = st.builds(Step, st.sampled_from(RARE_KINDS), _PLACE, _PLACE, _PLACE, _FACES)
MENDINGS = st.builds(Mending, st.sampled_from(MENDS), _PLACE, _PLACE, STEPS)
SHARP = st.sampled_from((False, False, False, True))


def start(strict: bool = False) -> Battle:
    """Five ships that hurt each other with every hit, and one that may join."""
    orion = ship("orion", gunnery=(16, 12), repair=2)
    begun = battle(
        ship("ajax", rof=(6, 9), repair=2),
        ship("boyne", rof=(10, 3), boat_guns=0, torpedo=None, protected=True),
        ship("rook", "red", rof=(7, 7), boat_guns=1, repair=1),
        ship("rival", "red", gunnery=(10, 20), rof=(9, 8), torpedo=(21, 3)),
        craft("skiff", torpedo=(18, 5)),
        phase="movement",
        strict=strict,
        one_roll="yes",
    )
    begun = with_(begun, reserve={"orion": orion}, began=None)
    return with_(begun, began=begun)


@st.composite
def battles_played(draw: st.DrawFn, least: int = 12, most: int = 45) -> Story:
    """A battle of frail ships, a turn or some in."""
    timeline = opened(start(draw(SHARP)), ())
    for step in draw(st.lists(STEPS, min_size=least, max_size=most)):
        timeline = taken(timeline, step)
    return Story(timeline)


@st.composite
def battles_corrected(draw: st.DrawFn) -> Story:
    """A battle that is played and corrected by turns."""
    timeline = draw(battles_played()).timeline
    for deed in draw(st.lists(MENDINGS | STEPS, min_size=1, max_size=6)):
        timeline = taken(timeline, deed) if isinstance(deed, Step) else mended(timeline, deed)
    return Story(timeline)


def taken(timeline: Timeline, step: Step) -> Timeline:
    """The battle after a step, as far as it is accepted; all that is owed is answered before a phase ends."""
    if step.kind == "answer":
        owed = timeline.battle.owed
        return answered(timeline, owed[step.one % len(owed)], step.faces) if owed else timeline
    if step.kind == "next":
        for _ in range(40):
            if not timeline.battle.owed:
                break
            timeline = answered(timeline, timeline.battle.owed[0], step.faces)
        return tried(timeline, "next")
    return tried(timeline, step.order(timeline.battle.phase))


def mended(timeline: Timeline, mending: Mending) -> Timeline:
    """The battle after a correction, if it is accepted."""
    return tried(timeline, mending.text(timeline)) if timeline.log else timeline


def tried(timeline: Timeline, order: str) -> Timeline:
    """The battle after an order, or as it was if the order is refused."""
    overlay = OVERLAY if "chart" in order else None
    try:
        return revise(timeline, order, overlay=overlay, system=SYSTEM).timeline
    except OrderRefused:
        return timeline


def answered(timeline: Timeline, owed: Owed, faces: tuple[int, ...]) -> Timeline:
    """The battle after an answer to what is owed; in strict mode the first that the chart could hold."""
    if owed.dice:
        thrown = " ".join(str(faces[(at + len(timeline.log)) % len(faces)]) for at in range(len(owed.dice)))
        return tried(timeline, f"roll {owed.key} {thrown}")
    for at in range(len(WORDS)):
        after = tried(timeline, f"answer {owed.key} {WORDS[(faces[0] + at) % len(WORDS)]}")
        if after is not timeline:
            return after
    return timeline


def late_answered(timeline: Timeline, faces: tuple[int, ...] = (8, 7, 3)) -> Timeline:
    """The battle once every question that a correction put into a past phase is answered."""
    for _ in range(60):
        late = [owed for owed in timeline.battle.owed if owed.late]
        if not late:
            return timeline
        after = answered(timeline, late[0], faces)
        assert after is not timeline, f"{late[0]} cannot be answered"
        timeline = after
    raise AssertionError(f"answers bring up questions without end: {timeline.battle.owed}")


def excuses(timeline: Timeline) -> list[str]:
    """Why nobody could have played a corrected battle: entries were moved, or a late question was let go unanswered.

    Sinking lets a ship's questions go, and those of a past phase with them, which held that phase the first time.
    """
    moved = [
        f"{act.number} moves {act.targets}"
        for act in timeline.log
        if isinstance(act, Correction) and act.mend is Mend.SHIFT and act.number in timeline.in_force
    ]
    return moved + [
        f"{number} lets {effect.value} go"
        for number in timeline.script
        for effect in timeline.rulings[number].decision.effects
        if effect.op is Op.SETTLE and _lets_go(timeline, number, str(effect.value))
    ]


def _lets_go(timeline: Timeline, number: int, key: str) -> bool:
    """Whether an entry takes a question off the queue that it neither answers nor asks again."""
    asked = [effect.value for effect in timeline.rulings[number].decision.effects if effect.op is Op.OWE]
    again = any(isinstance(owed, Owed) and owed.key == key for owed in asked)
    return not again and key not in timeline.versions[number].order.split()
