"""The log of a battle as a list: every act under its turn and phase, with marks such as disputed."""

from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from functools import cache, cached_property

from attrs import frozen

from qf_tui.core.corrections import as_order
from qf_tui.core.decisions import ON_LOGS
from qf_tui.core.revisions import ValueChange, list_effect_changes
from qf_tui.core.system import RuleSystem
from qf_tui.core.text import format_count
from qf_tui.core.timeline import Correction, CorrectionKind, Entry, LogAct, State, Timeline, list_play_order
from qf_tui.document.acts import (
    Remark,
    RemarkKind,
    describe_act_with_targets,
    format_turn,
    list_entry_remarks,
    summarize_act,
)
from qf_tui.document.transcript import ACT_INDENT, build_act_document, build_clause_lines, format_ship_change
from qf_tui.document.values import GAP, Document, Line, Tone, build_line

STRUCK, DOUBTED, FORCED, NOTED = "struck", "doubted", "forced", "noted"
AMENDED, SHIFTED, INSERTED = "amended", "shifted", "inserted"
PARKED, SPARE = State.PARKED.value, State.SPARE.value
SIGNS = {STRUCK: "×", PARKED: "‖", SPARE: "◇", DOUBTED: "!", FORCED: "»", AMENDED: "~", INSERTED: "+"}
"""Sign before an act for each mark; the first that applies is drawn."""
CHANGES_MOST = 8
"""Most changes of one entry that are listed next to the logs."""
CHANGES = {CorrectionKind.AMEND: AMENDED, CorrectionKind.SHIFT: SHIFTED}
_DOUBT_WORDS = ("doubt", "settle")


@frozen
class LogLine:
    """A line of the log's list: an act or a heading.

    Attributes:
        act: Number of the act, or 0 for a heading.
        after: Number of entries of the order of play that are applied at this line.
        heading: Text of the heading, or "".
    """

    act: int
    after: int
    heading: str = ""


class LogView:
    """The acts of a timeline, in the order of play and as written; texts are made on demand.

    Attributes:
        text_of: Returns the text of an act by its number.
        summary_of: Returns the summary of an act by its number.
    """

    def __init__(
        self, system: RuleSystem, timeline: Timeline, note: Callable[[LogAct], Iterable[str]] = lambda act: ()
    ) -> None:
        """Prepare the view; `note` returns further texts for the document of an act, under its lines."""
        self.system, self.timeline = system, timeline
        self._note = note
        self.in_force = timeline.in_force
        self._search_texts: dict[int, str] = {}
        log = timeline.log
        self.text_of = cache(
            lambda number: describe_act_with_targets(timeline, log[number - 1], self.in_force)
        )
        self.summary_of = cache(lambda number: summarize_act(system, timeline, log[number - 1]))

    @cached_property
    def played(self) -> tuple[LogLine, ...]:
        """The entries in the order of play under headings; struck ones are at the places that they had."""
        timeline = self.timeline
        lines: list[LogLine] = []
        places = {number: place for place, number in enumerate(timeline.play_order, start=1)}
        turn_and_phase = (timeline.start.turn, timeline.start.phase)
        heading_above = None
        applied_count = 0
        for number in list_play_order(timeline.log):
            if turn_and_phase != heading_above:
                heading_above = turn_and_phase
                heading = format_turn(self.system, *turn_and_phase)
                lines.append(LogLine(act=0, after=applied_count, heading=heading))
            applied_count = places.get(number, applied_count)
            lines.append(LogLine(number, applied_count))
            if number in places and timeline.rulings[number].state is State.STANDS:
                turn_and_phase = timeline.rulings[number].decision.begun_phase or turn_and_phase
        return tuple(lines)

    @cached_property
    def headings(self) -> dict[int, str]:
        """The heading above each entry, by the entry's number."""
        headings = {}
        heading = ""
        for line in self.played:
            heading = line.heading or heading
            headings[line.act] = heading
        return headings

    @cached_property
    def written(self) -> tuple[LogLine, ...]:
        """Every act in the order of writing, each with the moment whose logs are shown next to it.

        For a correction, it is the one after the first entry touched, or the present if there is none.
        """
        after_by_entry = {line.act: line.after for line in self.played}
        present = len(self.timeline.play_order)
        lines = []
        for act in self.timeline.log:
            entry, *_ = self.entries_by_correction.get(act.number) or (act.number,)
            lines.append(LogLine(act.number, after_by_entry.get(entry, present)))
        return tuple(lines)

    @cached_property
    def entries_by_correction(self) -> dict[int, tuple[int, ...]]:
        """The entries that each correction touches, directly or through other corrections."""
        touches: dict[int, tuple[int, ...]] = {}
        for act in self.timeline.log:
            if isinstance(act, Correction):
                entries = (entry for target in act.targets for entry in touches.get(target, (target,)))
                touches[act.number] = tuple(dict.fromkeys(entries))
        return touches

    @cached_property
    def corrections_by_entry(self) -> dict[int, tuple[Correction, ...]]:
        """The corrections that touch each entry, in the order in which they were written."""
        corrections: dict[int, tuple[Correction, ...]] = {}
        for act in self.timeline.log:
            if isinstance(act, Correction):
                for entry in self.entries_by_correction[act.number]:
                    corrections[entry] = (*corrections.get(entry, ()), act)
        return corrections

    @cached_property
    def remarks(self) -> Mapping[int, tuple[Remark, ...]]:
        """The remarks on each entry: notes, doubts, and settlements of doubts."""
        return list_entry_remarks(self.timeline)

    @property
    def latest(self) -> int:
        """Number of the last entry of `played`, struck or not, that is not about a doubt; 0 for none."""
        acts = (line.act for line in reversed(self.played) if line.act)
        return next((act for act in acts if self.find_word(act) not in _DOUBT_WORDS), 0)

    def find_word(self, number: int) -> str:
        """Return the first word of an act, such as `next` or `amend`: its kind of order or correction."""
        act = self.timeline.log[number - 1]
        if isinstance(act, Correction):
            return act.kind.value
        return self.timeline.versions.get(number, act.version).order.word

    def list_marks(self, number: int) -> tuple[str, ...]:
        """List the marks of an act, such as struck or amended; a correction is only ever marked struck."""
        if number not in self.in_force:
            return (STRUCK,)
        act = self.timeline.find_act(number)
        if not isinstance(act, Entry):
            return ()
        state = self.timeline.rulings[number].state
        kinds = [
            correction.kind
            for correction in self.corrections_by_entry.get(number, ())
            if correction.number in self.in_force
        ]
        remarks = self.remarks.get(number, ())
        marks = {
            state.value: state is not State.STANDS,
            DOUBTED: number in self.timeline.battle.doubts,
            FORCED: self.timeline.versions[number].forced,
            **{CHANGES[kind]: True for kind in kinds if kind in CHANGES},
            INSERTED: act.after is not None,
            NOTED: any(remark.kind is not RemarkKind.SETTLED for remark in remarks),
        }
        return tuple(mark for mark, applies in marks.items() if applies)

    def find_sign(self, number: int) -> str:
        """Return the sign of the first mark that an act has in the order of `SIGNS`, or a space."""
        return next((sign for mark, sign in SIGNS.items() if mark in self.list_marks(number)), " ")

    def list_corrections(self, number: int) -> tuple[str, ...]:
        """Format the corrections that touch an entry; struck ones are marked."""
        return tuple(
            f"{act.number} {as_order(act).line}{'' if act.number in self.in_force else f' [{STRUCK}]'}"
            for act in self.corrections_by_entry.get(number, ())
        )

    def list_ships(self, number: int) -> tuple[str, ...]:
        """List the ids of the ships that the order of an act names, each once; () if it has no order."""
        ships = self.timeline.battle.ships
        act = self.timeline.log[number - 1]
        # An amended entry has a later version than the one with which it was entered.
        version = self.timeline.versions.get(number, act.version) if isinstance(act, Entry) else act.version
        names = version.order.names if version is not None else ()
        return tuple(dict.fromkeys(name for name in names if name in ships))

    def is_changing_logs(self, number: int, ships: AbstractSet[str]) -> bool:
        """Return whether an entry in force changes a field of the log of one of these ships."""
        ruling = self.timeline.rulings.get(number)
        fields = {field.name for field in self.system.fields}
        effects = ruling.decision.effects if ruling else ()
        return any(
            effect.ship in ships and effect.op in ON_LOGS and effect.field in fields for effect in effects
        )

    def build_search_text(self, number: int) -> str:
        """Return all words of an act, its ships and its remarks in small letters, for a search."""
        if number not in self._search_texts:
            act = self.text_of(number)
            summary = self.summary_of(number)
            names = (self.timeline.battle.ships[id].name for id in self.list_ships(number))
            texts = (act.order, act.title, act.result, act.clause, summary.effect, summary.by, summary.origin)
            parts = (str(number), *texts, *names, *map(str, self.remarks.get(number, ())))
            self._search_texts[number] = " ".join(parts).casefold()
        return self._search_texts[number]

    def list_changes(self, line: LogLine) -> tuple[ValueChange, ...]:
        """List the values that an entry changed on the logs; () if it is not in force or was not applied."""
        timeline = self.timeline
        if line.act not in self.in_force or line.act not in timeline.rulings:
            return ()
        ruling = timeline.rulings[line.act]
        # `line.after` counts the applied entries down to this line; the last of them may be an earlier entry.
        is_applied = line.after and timeline.play_order[line.after - 1] == line.act
        if ruling.state is not State.STANDS or not is_applied:
            return ()
        before = timeline.battle_at(line.after - 1)
        changes = list_effect_changes(self.system, before, ruling.decision.effects)
        return tuple(change for change in changes if change.before != change.after)

    def build_document(self, line: LogLine) -> Document:
        """Build the document of an act with its corrections and remarks."""
        notes = (
            *(f"corrected by {text}" for text in self.list_corrections(line.act)),
            *(f"remark {remark}" for remark in self.remarks.get(line.act, ())),
            *self._note(self.timeline.log[line.act - 1]),
        )
        text = self.text_of(line.act)
        marks = self.list_marks(line.act)
        return build_act_document(
            self.system, self.timeline, text, marks, self.list_changes(line), notes, self.in_force
        )

    def build_why_document(self, line: LogLine) -> Document:
        """Build the document of an act under its turn and phase, with its clauses."""
        act = self.build_document(line)
        heading = self.headings.get(line.act, "")
        blocks = (
            build_line(act.title, tone=Tone.STRONG),
            *([build_line(heading, tone=Tone.QUIET, indent=ACT_INDENT)] if heading else []),
            *(*act.lines, *build_clause_lines(self.system, self.timeline, line.act)),
        )
        return Document(f"Why: entry {line.act}", blocks)

    def format_snapshot(self, line: LogLine) -> str:
        """Format the moment that the logs next to a line show: the start, or after an entry."""
        if not line.after:
            return "at the start"
        number = self.timeline.play_order[line.after - 1]
        about = "" if number == line.act else f" (before {line.act})"
        return f"after entry {number}{about}: {self.text_of(number).title}"

    def build_change_lines(self, line: LogLine) -> tuple[Line, ...]:
        """Build the lines of an entry's first changes, and how many more there are; () for none."""
        changes = self.list_changes(line)
        battle = self.timeline.battle
        if not changes:
            return ()
        texts = (format_ship_change(self.system, battle, change) for change in changes[:CHANGES_MOST])
        more = len(changes) - CHANGES_MOST
        return (
            build_line("What the entry changed", tone=Tone.STRONG),
            *(build_line(text, tone=Tone.CHANGED, indent=2) for text in texts),
            *((build_line(f"and {more} more", tone=Tone.QUIET, indent=2),) if more > 0 else ()),
            GAP,
        )

    def format_count(self, shown: int, search: str, *, as_written: bool) -> str:
        """Format the search and how many acts it finds; without a search, number and order of all acts."""
        count = len(self.timeline.log)
        entries = format_count(count, "entry", "entries")
        order = "as written" if as_written else "in the order of play"
        return f"{search} · {shown} of {entries}" if search else f"{entries}, {order}"

    @property
    def amiss_text(self) -> str:
        """How many entries are parked, spare and doubted, as text; "" if none is."""
        counts = {
            PARKED: len(self.timeline.list_in_state(State.PARKED)),
            SPARE: len(self.timeline.list_in_state(State.SPARE)),
            DOUBTED: len(self.timeline.battle.doubts),
        }
        return "  ".join(f"{state} {count}" for state, count in counts.items() if count)
