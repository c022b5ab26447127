"""Deciding again: what a correction does to every entry behind it.

Each entry that a correction may touch is decided on the battle as it would have stood. One whose decision is the
recorded one is kept. One that differs only because the rules have changed since keeps its record; what the
correction itself changes is re-read, parked or spare.
"""

from collections.abc import Mapping

from attrs import frozen

from qf_tui.core.common import all_forms
from qf_tui.core.deciding import Ruling, State, Throw, Version, decide_again, decide_fresh
from qf_tui.core.effects import Op
from qf_tui.core.errors import OrderRefused, impossible
from qf_tui.core.forms import Form, Kind, Slot
from qf_tui.core.ledger import Decision
from qf_tui.core.parsing import words_of
from qf_tui.core.system import RuleSystem, Shape
from qf_tui.core.timeline import (
    Correction,
    Entry,
    LogAct,
    Mend,
    Timeline,
    appended,
    apply,
    renumbered,
    revised,
    struck_order,
    structure,
)
from qf_tui.core.values import Battle, Charts, Owed

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
class Reread:
    """An entry whose result changes, in words."""

    entry: int
    was: str
    now: str


@frozen
class Change:
    """A value of a ship that differs before and after."""

    ship: str
    field: str
    before: Shape
    after: Shape


@frozen
class Consequences:
    """What a correction changes beyond the act itself."""

    kept: int = 0
    reread: tuple[Reread, ...] = ()
    parked: tuple[int, ...] = ()
    spare: tuple[int, ...] = ()
    owed: tuple[Owed, ...] = ()
    changes: tuple[Change, ...] = ()
    table: tuple[tuple[str, str], ...] = ()
    rules_differ: tuple[int, ...] = ()


@frozen
class Revision:
    """A correction worked out, not yet recorded: its act, the timeline with it, and what it changes."""

    act: LogAct
    timeline: Timeline
    consequences: Consequences


def play(system: RuleSystem, timeline: Timeline, version: Version, throw: Throw | None = None) -> Revision:
    """A play order as it is entered now; the late answer of a question long past goes where it belongs."""
    number = timeline.next_number
    entered, ruling = decide_fresh(system, timeline.battle, number, version, throw)
    after = _where_it_belongs(timeline, entered)
    if after is not None:
        return _revise(system, timeline, Entry(number, entered, after), throw)
    entry = Entry(number, entered, None, {number: ruling})
    return Revision(entry, appended(timeline, entry), Consequences())


def _where_it_belongs(timeline: Timeline, version: Version) -> int | None:
    """The entry that asked a late question, where this answers one."""
    words = version.order.split()
    if words[0] not in ("roll", "answer"):
        return None
    owed = timeline.battle.question(words[1])
    if owed is None or not owed.late:
        return None
    return next(
        (number for number in reversed(timeline.script) if _asks(timeline, number, owed.key)), owed.entry
    )


def _asks(timeline: Timeline, number: int, key: str) -> bool:
    return any(
        effect.op is Op.OWE and isinstance(effect.value, Owed) and effect.value.key == key
        for effect in timeline.rulings[number].decision.effects
    )


def correct(
    system: RuleSystem,
    timeline: Timeline,
    text: str,
    throw: Throw | None = None,
    overlay: Charts | None = None,
) -> Revision:
    """A correction from its text; OrderRefused if it names nothing that it could change."""
    words = words_of(text)
    word, rest = words[0].lower(), words[1:]
    if word in ("undo", "redo"):
        return _revise(system, timeline, _undone(timeline, word, rest), throw)
    if not rest or not rest[0].isascii() or not rest[0].isdigit() or len(rest[0]) > 9:
        raise OrderRefused(impossible(f"{word}: the number of an entry is missing"))
    number = int(rest[0])
    if word in ("strike", "restore"):
        return _revise(system, timeline, _struck(timeline, word, number, rest[1:]), throw)
    if word == "shift":
        return _revise(system, timeline, _shifted(timeline, number, rest[1:]), throw)
    version, kept_dice = _version(system, timeline, word, number, rest[1:], overlay)
    if word == "insert":
        if number != 0:
            _entry(timeline, number, "insert")
        return _revise(system, timeline, Entry(timeline.next_number, version, number), throw)
    act = Correction(timeline.next_number, Mend.AMEND, (number,), version)
    return _revise(system, timeline, act, throw, kept_dice=kept_dice)


def _undone(timeline: Timeline, word: str, rest: list[str]) -> Correction:
    if len(rest) > 1 or (
        rest and not (rest[0].isascii() and rest[0].isdigit() and 0 < int(rest[0][:9]) < 10**6)
    ):
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
        raise OrderRefused(impossible(f"{word} {count}: only {len(candidates)} acts are {state}"))
    targets = tuple(reversed(candidates[-count:]))
    return Correction(timeline.next_number, Mend(word), targets)


def _is_undo(act: LogAct) -> bool:
    return isinstance(act, Correction) and act.mend in (Mend.UNDO, Mend.REDO)


def _struck(timeline: Timeline, word: str, number: int, rest: list[str]) -> Correction:
    if rest:
        raise OrderRefused(impossible(f"{word} {number}: “{' '.join(rest)}” is too much"))
    if timeline.act(number) is None:
        raise OrderRefused(impossible(f"{word} {number}: there is no act {number}"))
    if (number in timeline.in_force) != (word == "strike"):
        state = "out of force already" if word == "strike" else "in force"
        raise OrderRefused(impossible(f"{word} {number}: it is {state}"))
    return Correction(timeline.next_number, Mend(word), (number,))


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
    if len(rest) != 2 or rest[0].lower() != "after" or not rest[1].isascii() or not rest[1].isdigit():
        raise OrderRefused(impossible("shift: write `shift N after M`"))
    after = int(rest[1][:9])
    _entry(timeline, number, "shift")
    if after:
        _entry(timeline, after, "shift after")
    block = _with_answers(timeline, number)
    if after in block:
        raise OrderRefused(
            impossible(f"shift {number} after {after}: that is the entry itself or its answer")
        )
    return Correction(timeline.next_number, Mend.SHIFT, block, after=after)


def _with_answers(timeline: Timeline, number: int) -> tuple[int, ...]:
    """An entry and the answers to what it asked, and to what those asked, in the order of play."""
    block = {number}
    for other in timeline.script:
        words = timeline.versions[other].order.split()
        if words[0] in ("roll", "answer") and int(words[1].partition("/")[0]) in block:
            block.add(other)
    within = tuple(other for other in timeline.script if other in block)
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
    if all(part.isascii() and part.isdigit() for word in rest for part in word.split(",") if part):
        if not all_forms(system)[old.order.split()[0]].dice:
            raise OrderRefused(impossible(f"amend {number}: “{old.order}” has no dice"))
        dice = tuple(int(part[:9]) for word in rest for part in word.split(",") if part)
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


def _revise(
    system: RuleSystem,
    timeline: Timeline,
    act: LogAct,
    throw: Throw | None,
    *,
    kept_dice: bool = False,
) -> Revision:
    """Works an act out: decides the entry that it brings, then every one behind it again."""
    script, versions = structure((*timeline.log, act))
    place = _first_difference(timeline, script, versions)
    rulings: dict[int, Ruling] = {}
    brought = act.number if isinstance(act, Entry) else act.targets[0]
    if act.version is not None:
        before = timeline.battle_at(place) if brought == _at(script, place) else None
        if before is None:
            raise OrderRefused(impossible(f"{brought} is not where it was expected"))
        entered, ruling = decide_fresh(system, before, brought, act.version, throw, kept_dice=kept_dice)
        act = _with_version(act, entered)
        rulings[brought] = ruling
        script, versions = structure((*timeline.log, act))
    changed, differ, kept = _decide_on(system, timeline, script, versions, place, rulings)
    act = renumbered(act, changed)
    after = revised(timeline, act, place)
    return Revision(act, after, _consequences(system, timeline, after, changed, brought, kept, differ))


def _with_version(act: LogAct, version: Version) -> LogAct:
    if isinstance(act, Entry):
        return Entry(act.number, version, act.after)
    return Correction(act.number, act.mend, act.targets, version)


def _at(script: tuple[int, ...], place: int) -> int | None:
    return script[place] if place < len(script) else None


def _first_difference(timeline: Timeline, script: tuple[int, ...], versions: Mapping[int, Version]) -> int:
    """The first place at which another entry, or another version of it, is played."""
    for place, (old, new) in enumerate(zip(timeline.script, script, strict=False)):
        if old != new or timeline.versions[old] is not versions[new]:
            return place
    return min(len(timeline.script), len(script))


def _decide_on(
    system: RuleSystem,
    timeline: Timeline,
    script: tuple[int, ...],
    versions: Mapping[int, Version],
    place: int,
    given: Mapping[int, Ruling],
) -> tuple[dict[int, Ruling], tuple[int, ...], int]:
    """Every ruling from a place on that changes, the entries that only the rules' change touches, and how many keep.

    An entry whose new decision is not its record is also decided on the battle as it stood before the correction:
    where that gives the same, the rules have changed and not the battle, and the record stands.
    """
    battle = timeline.battle_at(place)
    places = {number: at for at, number in enumerate(timeline.script)}
    changed: dict[int, Ruling] = {}
    differ: list[int] = []
    kept = 0
    for number in script[place:]:
        recorded = timeline.rulings.get(number)
        ruling = given.get(number) or decide_again(system, battle, number, versions[number])
        if recorded is not None and ruling != recorded and number in places and number not in given:
            if versions[number] is timeline.versions[number]:
                before = timeline.battle_at(places[number])
                if decide_again(system, before, number, versions[number]) == ruling:
                    differ.append(number)
                    ruling = recorded
        if ruling == recorded:
            kept += number in places
        else:
            changed[number] = ruling
        battle = apply(battle, number, ruling)
    return changed, tuple(differ), kept


def _consequences(
    system: RuleSystem,
    before: Timeline,
    after: Timeline,
    changed: Mapping[int, Ruling],
    brought: int,
    kept: int,
    differ: tuple[int, ...],
) -> Consequences:
    """What stands otherwise, the entry itself left aside."""
    others = {number: ruling for number, ruling in changed.items() if number != brought}
    reread = tuple(
        Reread(number, in_words(before.rulings.get(number)), in_words(ruling))
        for number, ruling in others.items()
        if ruling.state is State.STANDS and number in before.rulings
    )
    known = {owed.key for owed in before.battle.owed}
    return Consequences(
        kept,
        reread,
        tuple(number for number, ruling in others.items() if ruling.state is State.PARKED),
        tuple(number for number, ruling in others.items() if ruling.state is State.SPARE),
        tuple(owed for owed in after.battle.owed if owed.key not in known),
        differences(system, before.battle, after.battle),
        system.on_table(before.battle, after.battle),
        differ,
    )


def in_words(ruling: Ruling | None) -> str:
    """How an entry stands, in one line."""
    if ruling is None:
        return ""
    if ruling.state is State.STANDS:
        return summary(ruling.decision)
    return f"{ruling.state.value}: {'; '.join(finding.text for finding in ruling.findings)}"


def summary(decision: Decision) -> str:
    """What a decision did, in one line."""
    return " · ".join(reason.text for reason in decision.reasons)


def differences(system: RuleSystem, before: Battle, after: Battle) -> tuple[Change, ...]:
    """Every value of every ship that differs between two battles."""
    found = []
    for id in {**before.ships, **after.ships}:
        old, new = before.ships.get(id), after.ships.get(id)
        if old is new and before.turn == after.turn:
            continue
        was = system.report(before, old) if old else {}
        now = system.report(after, new) if new else {}
        for name in {**was, **now}:
            if was.get(name) != now.get(name):
                found.append(Change(id, name, was.get(name), now.get(name)))
    return tuple(found)
