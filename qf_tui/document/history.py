"""The log to read: every act under its turn and phase, with its marks and its state."""

from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from functools import cache, cached_property

from attrs import frozen

from qf_tui.core.corrections import order_of
from qf_tui.core.decisions import ON_LOGS
from qf_tui.core.revisions import ValueChange, effect_changes
from qf_tui.core.system import RuleSystem
from qf_tui.core.text import several
from qf_tui.core.timeline import Correction, CorrectionKind, Entry, LogAct, State, Timeline, order_of_play
from qf_tui.document.acts import (
    Remark,
    Remarked,
    act_text,
    remarks_on_entries,
    summary,
    turn_text,
)
from qf_tui.document.transcript import ACT_INDENT, act_document, change_of_ship, clause_lines
from qf_tui.document.values import GAP, Document, Line, Tone, text_line

STRUCK, DOUBTED, FORCED, NOTED = "struck", "doubted", "forced", "noted"
AMENDED, SHIFTED, INSERTED = "amended", "shifted", "inserted"
PARKED, SPARE = State.PARKED.value, State.SPARE.value
SIGNS = {STRUCK: "×", PARKED: "‖", SPARE: "◇", DOUBTED: "!", FORCED: "»", AMENDED: "~", INSERTED: "+"}
"""The sign of a mark before an act; the first that an act has."""
CHANGES_MOST = 8
"""Changes of one entry that are listed beside the logs at most."""
CHANGES = {CorrectionKind.AMEND: AMENDED, CorrectionKind.SHIFT: SHIFTED}
_ABOUT_OTHERS = ("doubt", "settle")


@frozen
class LogLine:
    """One line: an act by its number, or with 0 a heading.

    `after` is the place of the script up to which the battle is played at the line.
    """

    act: int
    after: int
    heading: str = ""


class LogView:
    """The acts of a timeline, in the order of play and as they were written, each worded when asked for.

    `note` lists what else is to be said of an act.
    """

    def __init__(
        self, system: RuleSystem, timeline: Timeline, note: Callable[[LogAct], Iterable[str]] = lambda act: ()
    ) -> None:
        self.system, self.timeline = system, timeline
        self._note = note
        self.in_force = timeline.in_force
        self._hay: dict[int, str] = {}
        log = timeline.log
        self.text_of = cache(lambda number: act_text(timeline, log[number - 1], self.in_force))
        self.summary_of = cache(lambda number: summary(system, timeline, log[number - 1]))

    @cached_property
    def played(self) -> tuple[LogLine, ...]:
        """The entries in the order of play under turn and phase, each where it is or would be."""
        timeline, lines = self.timeline, list[LogLine]()
        places = {number: place for place, number in enumerate(timeline.play_order, start=1)}
        now, headed, after = (timeline.start.turn, timeline.start.phase), None, 0
        for number in order_of_play(timeline.log):
            if now != headed:
                headed = now
                lines.append(LogLine(0, after, turn_text(self.system, *now)))
            after = places.get(number, after)
            lines.append(LogLine(number, after))
            if number in places and timeline.rulings[number].state is State.STANDS:
                now = timeline.rulings[number].decision.begins or now
        return tuple(lines)

    @cached_property
    def headings(self) -> dict[int, str]:
        headings, heading = {}, ""
        for line in self.played:
            heading = line.heading or heading
            headings[line.act] = heading
        return headings

    @cached_property
    def written(self) -> tuple[LogLine, ...]:
        """Every act as it was written, corrections too; a correction belongs to the entry that it touches."""
        after, end = {line.act: line.after for line in self.played}, len(self.timeline.play_order)
        about = {number: next(iter(entries), number) for number, entries in self.touches.items()}
        numbers = (act.number for act in self.timeline.log)
        return tuple(LogLine(number, after.get(about.get(number, number), end)) for number in numbers)

    @cached_property
    def touches(self) -> dict[int, tuple[int, ...]]:
        """The entries that each correction touches, through the corrections it strikes or restores too."""
        touches: dict[int, tuple[int, ...]] = {}
        for act in self.timeline.log:
            if isinstance(act, Correction):
                entries = (touches.get(target, (target,)) for target in act.targets)
                touches[act.number] = tuple(dict.fromkeys(entry for some in entries for entry in some))
        return touches

    @cached_property
    def touched(self) -> dict[int, tuple[Correction, ...]]:
        """The corrections that touch each entry, in the order in which they were written."""
        touched: dict[int, tuple[Correction, ...]] = {}
        for act in self.timeline.log:
            if isinstance(act, Correction):
                for entry in self.touches[act.number]:
                    touched[entry] = (*touched.get(entry, ()), act)
        return touched

    @cached_property
    def remarks(self) -> Mapping[int, tuple[Remark, ...]]:
        """What was remarked on each entry: notes on it, doubts, and that they were settled."""
        return remarks_on_entries(self.timeline)

    @property
    def latest(self) -> int:
        """The act that is played last, struck or not; doubts are about others. 0 if there is none."""
        acts = (line.act for line in reversed(self.played))
        return next((act for act in acts if self.word(act) not in _ABOUT_OTHERS), 0)

    def word(self, number: int) -> str:
        """The word that an act begins with: what kind of order or correction it is."""
        act = self.timeline.log[number - 1]
        if isinstance(act, Correction):
            return act.kind.value
        return self.timeline.versions.get(number, act.version).order.word

    def marks(self, number: int) -> tuple[str, ...]:
        """How an act stands, beside what it did: struck, parked, spare, doubted, forced, changed, noted."""
        if number not in self.in_force:
            return (STRUCK,)
        act = self.timeline.act(number)
        if not isinstance(act, Entry):
            return ()
        state = self.timeline.rulings[number].state
        kinds = [each.kind for each in self.touched.get(number, ()) if each.number in self.in_force]
        remarks = self.remarks.get(number, ())
        marks = {
            state.value: state is not State.STANDS,
            DOUBTED: number in self.timeline.battle.doubts,
            FORCED: self.timeline.versions[number].forced,
            **{CHANGES[kind]: True for kind in kinds if kind in CHANGES},
            INSERTED: act.after is not None,
            NOTED: any(remark.kind is not Remarked.SETTLED for remark in remarks),
        }
        return tuple(mark for mark, there in marks.items() if there)

    def sign(self, number: int) -> str:
        """The sign before an act, or a space."""
        return next((sign for mark, sign in SIGNS.items() if mark in self.marks(number)), " ")

    def corrections_of(self, number: int) -> tuple[str, ...]:
        """The corrections that touch an entry in words, each struck one marked."""
        return tuple(
            f"{act.number} {order_of(act).line}{'' if act.number in self.in_force else f' [{STRUCK}]'}"
            for act in self.touched.get(number, ())
        )

    def ships_of(self, number: int) -> tuple[str, ...]:
        """The ships that an entry names, in the order in which it names them."""
        ships, act = self.timeline.battle.ships, self.timeline.log[number - 1]
        version = self.timeline.versions.get(number, act.version) if isinstance(act, Entry) else act.version
        names = version.order.names if version is not None else ()
        return tuple(dict.fromkeys(name for name in names if name in ships))

    def changes_logs(self, number: int, ships: AbstractSet[str]) -> bool:
        """Whether an entry changes the log of one of these ships."""
        ruling, fields = self.timeline.rulings.get(number), {field.name for field in self.system.fields}
        effects = ruling.decision.effects if ruling else ()
        return any(
            effect.ship in ships and effect.op in ON_LOGS and effect.field in fields for effect in effects
        )

    def hay(self, number: int) -> str:
        """All the words of an act and of the ships that it names, to be searched in."""
        if number not in self._hay:
            act, shown = self.text_of(number), self.summary_of(number)
            names = (self.timeline.battle.ships[id].name for id in self.ships_of(number))
            texts = (act.order, act.title, act.result, act.clause, shown.effect, shown.by, shown.origin)
            parts = (str(number), *texts, *names, *map(str, self.remarks.get(number, ())))
            self._hay[number] = " ".join(parts).casefold()
        return self._hay[number]

    def changes(self, line: LogLine) -> tuple[ValueChange, ...]:
        """What an entry changed on the logs, from and to; nothing where it is out of force."""
        timeline = self.timeline
        if line.act not in self.in_force or line.act not in timeline.rulings:
            return ()
        ruling = timeline.rulings[line.act]
        in_play = line.after and timeline.play_order[line.after - 1] == line.act
        if ruling.state is not State.STANDS or not in_play:
            return ()
        before = timeline.battle_at(line.after - 1)
        changes = effect_changes(self.system, before, ruling.decision.effects)
        return tuple(change for change in changes if change.before != change.after)

    def in_full(self, line: LogLine) -> Document:
        """An act with all that was made of it."""
        beside = (
            *(f"corrected by {text}" for text in self.corrections_of(line.act)),
            *(f"remark {remark}" for remark in self.remarks.get(line.act, ())),
            *self._note(self.timeline.log[line.act - 1]),
        )
        text, marks = self.text_of(line.act), self.marks(line.act)
        return act_document(
            self.system, self.timeline, text, marks, self.changes(line), beside, self.in_force
        )

    def why(self, line: LogLine) -> Document:
        """An act in full under its turn and phase, with its clauses in words."""
        act, heading = self.in_full(line), self.headings.get(line.act, "")
        blocks = (
            text_line(act.title, tone=Tone.STRONG),
            *([text_line(heading, tone=Tone.QUIET, indent=ACT_INDENT)] if heading else []),
            *(*act.lines, *clause_lines(self.system, self.timeline, line.act)),
        )
        return Document(f"Why: entry {line.act}", blocks)

    def snapshot_text(self, line: LogLine) -> str:
        """Which state of the logs stands beside a line."""
        if not line.after:
            return "as it stood at the start"
        number = self.timeline.play_order[line.after - 1]
        about = "" if number == line.act else f" (before {line.act})"
        return f"as it stood after entry {number}{about}: {self.text_of(number).title}"

    def change_lines(self, line: LogLine) -> tuple[Line, ...]:
        """What an entry changed, the first few changes and how many more there are; () for nothing."""
        changes, battle = self.changes(line), self.timeline.battle
        if not changes:
            return ()
        texts = (change_of_ship(self.system, battle, change) for change in changes[:CHANGES_MOST])
        more = len(changes) - CHANGES_MOST
        return (
            text_line("What the entry changed", tone=Tone.STRONG),
            *(text_line(text, tone=Tone.CHANGED, indent=2) for text in texts),
            *((text_line(f"and {more} more", tone=Tone.QUIET, indent=2),) if more > 0 else ()),
            GAP,
        )

    def count_text(self, shown: int, search: str, *, as_written: bool) -> str:
        """How many acts are listed, by which search or in which order."""
        count = len(self.timeline.log)
        entries = several(count, "entry", "entries")
        order = "as written" if as_written else "in the order of play"
        return f"{search} · {shown} of {entries}" if search else f"{entries}, {order}"

    @property
    def amiss_text(self) -> str:
        """How many entries are parked, spare and doubted, as far as there are any."""
        counts = {
            PARKED: len(self.timeline.in_state(State.PARKED)),
            SPARE: len(self.timeline.in_state(State.SPARE)),
            DOUBTED: len(self.timeline.battle.doubts),
        }
        return "  ".join(f"{state} {count}" for state, count in counts.items() if count)
