"""Corrections in words: `undo`, `redo`, `strike`, `restore`, `amend`, `insert`, `shift` into acts of the log."""

from attrs import frozen

from qf_tui.core.acts import Correction, CorrectionKind, Entry, LogAct, Version
from qf_tui.core.builtin_forms import all_forms
from qf_tui.core.charts import Charts
from qf_tui.core.errors import OrderRefused, impossible
from qf_tui.core.forms import Form, Kind, Slot
from qf_tui.core.order_of_play import struck_order
from qf_tui.core.orders import words_of
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Timeline

CORRECTIONS = ("undo", "redo", "strike", "restore", "amend", "insert", "shift")
"""The words that begin a correction."""

_NUMBER = Slot("n", Kind.NUMBER, "the number of an act")
_TIMES = Slot("k", Kind.COUNT, "how many", optional=True)
_PLAY_ORDER = Slot("order", Kind.WORDS, "a play order")
CORRECTION_FORMS = (
    Form("undo", "u", "Undo", (_TIMES,), help="strikes the last act in force, or the last K"),
    Form("redo", "r", "Redo", (_TIMES,), help="restores the last act struck, or the last K"),
    Form("strike", "", "Strike an act", (_NUMBER,), help="takes an act out of force"),
    Form("restore", "", "Restore an act", (_NUMBER,), help="takes it back into force"),
    Form(
        "amend", "", "Amend an entry", (_NUMBER, _PLAY_ORDER), help="other dice or another order in its place"
    ),
    Form(
        "insert", "", "Insert an entry", (_NUMBER, _PLAY_ORDER), help="a forgotten order right after entry N"
    ),
    Form(
        "shift",
        "",
        "Shift an entry",
        (_NUMBER, Slot("after", Kind.NUMBER, "the entry before it", keyword="after")),
        help="the entry, dice and all, elsewhere",
    ),
)
"""How corrections look, for the help; they are read here, not by the forms of play orders."""


@frozen
class Asked:
    """A correction as it was asked for; `kept_dice`: an amended order keeps the dice of its older version."""

    act: LogAct
    kept_dice: bool = False


def read_correction(
    system: RuleSystem, timeline: Timeline, text: str, overlay: Charts | None = None
) -> Asked:
    """A correction from its text; OrderRefused if it names nothing that it could change."""
    words = words_of(text, keep_commas=True) or [""]
    word, rest = words[0].lower(), words[1:]
    if word not in CORRECTIONS:
        raise OrderRefused(impossible(f"“{word}” is no correction: {', '.join(CORRECTIONS)}"))
    if word in ("undo", "redo"):
        return Asked(_undone(timeline, word, rest))
    if not rest:
        raise OrderRefused(impossible(f"{word}: the number of an entry is missing"))
    if not _whole(rest[0]):
        raise OrderRefused(impossible(f"{word}: “{rest[0]}” is not the number of an entry"))
    number = int(rest[0])
    if word in ("strike", "restore"):
        return Asked(_struck(timeline, word, number, rest[1:]))
    if word == "shift":
        return Asked(_shifted(timeline, number, rest[1:]))
    version, kept_dice = _version(system, timeline, word, number, rest[1:], overlay)
    if word == "amend":
        return Asked(Correction(timeline.next_number, CorrectionKind.AMEND, (number,), version), kept_dice)
    if number != 0:
        _entry(timeline, number, "insert")
    return Asked(Entry(timeline.next_number, version, number))


def _whole(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) < 10


def _undone(timeline: Timeline, word: str, rest: list[str]) -> Correction:
    if len(rest) > 1 or (rest and not (_whole(rest[0]) and int(rest[0]))):
        raise OrderRefused(impossible(f"{word}: “{' '.join(rest)}” is not a number of acts"))
    count = int(rest[0]) if rest else 1
    if word == "undo":
        standing = timeline.in_force
        candidates = [act.number for act in timeline.log if act.number in standing and not _is_undo(act)]
    else:
        candidates = [
            number for number in struck_order(timeline.log) if not _is_undo(timeline.log[number - 1])
        ]
    if len(candidates) < count:
        state = "in force" if word == "undo" else "struck"
        acts = "only 1 act is" if len(candidates) == 1 else f"only {len(candidates)} acts are"
        left = f"{acts} {state}" if candidates else f"there is nothing to {word}"
        raise OrderRefused(impossible(f"{word}: {left}" if count == 1 else f"{word} {count}: {left}"))
    targets = tuple(reversed(candidates[-count:]))
    return Correction(timeline.next_number, CorrectionKind(word), targets)


def _is_undo(act: LogAct) -> bool:
    return isinstance(act, Correction) and act.kind in (CorrectionKind.UNDO, CorrectionKind.REDO)


def _struck(timeline: Timeline, word: str, number: int, rest: list[str]) -> Correction:
    if rest:
        raise OrderRefused(impossible(f"{word} {number}: “{' '.join(rest)}” is too much"))
    if timeline.act(number) is None:
        raise OrderRefused(impossible(f"{word} {number}: there is no act {number}"))
    if (number in timeline.in_force) != (word == "strike"):
        state = "out of force already" if word == "strike" else "in force"
        raise OrderRefused(impossible(f"{word} {number}: it is {state}"))
    return Correction(timeline.next_number, CorrectionKind(word), (number,))


def _entry(timeline: Timeline, number: int, word: str) -> Entry:
    act = timeline.act(number)
    if act is None:
        raise OrderRefused(impossible(f"{word} {number}: there is no entry {number}"))
    if not isinstance(act, Entry):
        raise OrderRefused(
            impossible(f"{word} {number}: {number} is a correction; strike or restore it instead")
        )
    return act


def _shifted(timeline: Timeline, number: int, rest: list[str]) -> Correction:
    if len(rest) != 2 or rest[0].lower() != "after" or not _whole(rest[1]):
        raise OrderRefused(impossible("shift: write `shift N after M`"))
    after = int(rest[1])
    _entry(timeline, number, "shift")
    if after:
        _entry(timeline, after, "shift after")
    block = _with_answers(timeline, number)
    if after in block:
        raise OrderRefused(
            impossible(f"shift {number} after {after}: that is the entry itself or its answer")
        )
    return Correction(timeline.next_number, CorrectionKind.SHIFT, block, after=after)


def _with_answers(timeline: Timeline, number: int) -> tuple[int, ...]:
    """An entry and the answers to what it asked, and to what those asked, in the order of play."""
    block = {number}
    for other in timeline.play_order:
        words = timeline.versions[other].order.split()
        if words[0] in ("roll", "answer") and int(words[1].partition("/")[0]) in block:
            block.add(other)
    within = tuple(other for other in timeline.play_order if other in block)
    return within if number in within else (number, *within)


def _version(
    system: RuleSystem,
    timeline: Timeline,
    word: str,
    number: int,
    rest: list[str],
    overlay: Charts | None,
) -> tuple[Version, bool]:
    """The version that an amend or insert brings, and whether its dice are the older version's."""
    if not rest:
        raise OrderRefused(impossible(f"{word} {number}: the order is missing"))
    if word == "insert":
        return _play_version(system, rest, overlay), False
    _entry(timeline, number, word)
    if number not in timeline.in_force:
        raise OrderRefused(impossible(f"amend {number}: it is struck; restore it first"))
    old = timeline.versions[number]
    parts = [part for word in rest for part in word.split(",") if part]
    if parts and all(part.isascii() and part.isdigit() for part in parts):
        if not all_forms(system)[old.order.split()[0]].dice:
            raise OrderRefused(impossible(f"amend {number}: “{old.order}” has no dice"))
        dice = tuple(int(part[:9]) for part in parts)
        return Version(old.order, dice, old.forced, old.overrode, old.overlay), False
    if old.order == "next":
        raise OrderRefused(impossible(f"amend {number}: the end of a phase can be struck, not amended"))
    version = _play_version(system, rest, overlay)
    if version.order.split()[0].lower() == "next":
        raise OrderRefused(impossible(f"amend {number}: an entry cannot become the end of a phase"))
    return Version(version.order, old.dice, version.forced, (), version.overlay), True


def _play_version(system: RuleSystem, rest: list[str], overlay: Charts | None) -> Version:
    forced = rest[0].lower() == "force"
    words = rest[1:] if forced else rest
    if not words or words[0].lower() not in all_forms(system):
        raise OrderRefused(impossible(f"“{' '.join(words) or 'force'}” is no play order"))
    return Version(" ".join(words), forced=forced, overlay=overlay)
