"""The open battle: every order and correction goes through here, and is on disk before it is answered."""

from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random, SystemRandom

from attrs import evolve, frozen

import qf_tui
from qf_tui.core.acts import Entry, LogAct, Ruling, Version
from qf_tui.core.builtin_forms import all_forms
from qf_tui.core.charts import Charts
from qf_tui.core.corrections import CORRECTIONS
from qf_tui.core.decide import Throw
from qf_tui.core.errors import OrderRefused, QfError, impossible
from qf_tui.core.orders import words_of
from qf_tui.core.revisions import Consequences, Revision, correct, play
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Timeline, opened
from qf_tui.core.values import Battle, Owed
from qf_tui.journal.codec import Header
from qf_tui.journal.lines import FORMAT
from qf_tui.journal.reading import read_save
from qf_tui.journal.saving import Journal, NoJournal
from qf_tui.library.charts import load_overlay
from qf_tui.library.own_chart import keep_cell
from qf_tui.library.paths import find, is_there, missing
from qf_tui.session.changes import Changed, effect_changes
from qf_tui.session.clock import BattleClock
from qf_tui.session.open_save import check_facts, names_of, open_timeline
from qf_tui.session.order_preview import OrderPreview, preview_of


@frozen
class Entered:
    """What became of an order: its act (numbered, or only previewed), the battles around it, and what followed."""

    act: LogAct
    before: Timeline
    after: Timeline
    consequences: Consequences
    recorded: bool = True

    @property
    def number(self) -> int:
        return self.act.number

    @property
    def ruling(self) -> Ruling | None:
        """How the entry itself stands; None for a correction that brings no entry."""
        own = self.act.number if isinstance(self.act, Entry) else self.act.targets[0]
        return self.act.rulings.get(own)

    @property
    def owed(self) -> tuple[Owed, ...]:
        """The rolls and questions that this act brought up."""
        known = {owed.key for owed in self.before.battle.owed}
        return tuple(owed for owed in self.after.battle.owed if owed.key not in known)


class Session:
    """One open battle. Its `timeline` is a value: hold on to an old one to look back.

    `extra` are the parts of the save that are not the battle's own. Without a `clock` no act says when it was entered.
    """

    def __init__(
        self,
        system: RuleSystem,
        timeline: Timeline,
        journal: Journal | NoJournal | None = None,
        *,
        seed: int | None = None,
        clock: Callable[[], float] | None = None,
        extra: Mapping[str, object] | None = None,
    ) -> None:
        self.system = system
        self.timeline = timeline
        self.journal: Journal | NoJournal = journal or NoJournal()
        self._random = Random(seed) if seed is not None else SystemRandom()
        self._throws = seed is not None
        self.extra = extra or {}
        self._clock = BattleClock(clock, timeline.log) if clock else None

    @classmethod
    def begin(
        cls,
        system: RuleSystem,
        start: Battle,
        save: Path | None = None,
        *,
        seed: int | None = None,
        extra: Mapping[str, object] | None = None,
    ) -> "Session":
        """A new battle, with its save if one is named; SaveFault if that file exists."""
        journal = Journal.create(save, header_of(system, start, extra)) if save else None
        return cls(system, opened(start, ()), journal, seed=seed, extra=extra)

    @classmethod
    def resume(cls, save: Path, systems: Mapping[str, RuleSystem]) -> "Session":
        """A saved battle, to go on with; to read only where another console has it (see `notice`)."""
        journal, read = Journal.open(save, names=names_of(systems))
        try:
            system, timeline = open_timeline(read, systems)
        except QfError:
            journal.close()
            raise
        return cls(system, timeline, journal, extra=read.header.extra)

    @classmethod
    def look(cls, save: Path, systems: Mapping[str, RuleSystem], *, seed: int | None = None) -> "Session":
        """A saved battle in memory alone: nothing entered is written."""
        read = read_save(save, names_of(systems))
        system, timeline = open_timeline(read, systems)
        notice = f"{save.name}: {read.extra_notice}." if read.extra_notice else ""
        return cls(system, timeline, NoJournal(notice), seed=seed, extra=read.header.extra)

    @property
    def battle(self) -> Battle:
        return self.timeline.battle

    @property
    def notice(self) -> str:
        """A word from the save to the umpire: a torn tail, or read only."""
        return self.journal.notice

    @property
    def writable(self) -> bool:
        return self.journal.writable

    @property
    def throw(self) -> Throw | None:
        """The console's dice, where this battle throws them."""
        if self._throws or self.battle.table.get("dice") == "console":
            return lambda die: self._random.choice(die.faces)
        return None

    def enter(self, line: str) -> Entered:
        """Enters an order or a correction; it is on disk when this returns.

        OrderRefused changes nothing; NotRecorded says that the disk did not take it, and changes nothing either.
        `preview CORRECTION` is answered and changes nothing.
        """
        words = words_of(line)
        if words and words[0].lower() == "preview":
            return self.preview(line.strip()[len("preview") :])
        revision = self._timed(self._work_out(line, self.throw))
        check_facts(self.system, revision.act)
        self.journal.append(revision.act)
        entered = Entered(revision.act, self.timeline, revision.timeline, revision.consequences)
        self.timeline = revision.timeline
        return entered

    def start_clock(self, read: Callable[[], float]) -> None:
        """From here on each act says when it was entered, by a clock that never runs back."""
        self._clock = BattleClock(read, self.timeline.log)

    def _timed(self, revision: Revision) -> Revision:
        """A revision whose act says when it was entered, where there is a clock."""
        if self._clock is None:
            return revision
        act = evolve(revision.act, at=self._clock.seconds())
        timeline = evolve(revision.timeline, log=(*revision.timeline.log[:-1], act))
        return evolve(revision, act=act, timeline=timeline)

    def preview(self, line: str) -> Entered:
        """What a correction would change; nothing is thrown and nothing is recorded."""
        words = words_of(line)
        if not words or words[0].lower() not in CORRECTIONS:
            raise OrderRefused(impossible(f"preview: expected one of {', '.join(CORRECTIONS)}"))
        revision = self._work_out(line, None)
        return Entered(revision.act, self.timeline, revision.timeline, revision.consequences, recorded=False)

    def preview_order(self, line: str) -> OrderPreview:
        """What an order would meet if it were entered now; throws nothing, changes nothing."""
        try:
            return preview_of(self.system, self.battle, self._version(line))
        except QfError as fault:
            return OrderPreview(
                fault.findings if isinstance(fault, OrderRefused) else (impossible(str(fault)),)
            )

    def _work_out(self, line: str, throw: Throw | None) -> Revision:
        words = words_of(line, keep_commas=True)
        if not words:
            raise OrderRefused(impossible("an empty order"))
        if words[0].lower() in CORRECTIONS:
            return correct(self.system, self.timeline, line, throw, self._overlay(words))
        version = self._version(line)
        return play(self.system, self.timeline, version, throw)

    def _version(self, line: str) -> Version:
        words = words_of(line, keep_commas=True)
        forced = bool(words) and words[0].lower() == "force"
        words = words[1:] if forced else words
        return Version(" ".join(words), forced=forced, overlay=self._overlay(words))

    def _overlay(self, words: list[str]) -> Charts | None:
        """The chart file that an order lays over, read."""
        lowered = [word.lower() for word in words[:4]]
        if "chart" not in lowered or "chart" not in all_forms(self.system):
            return None
        place = lowered.index("chart")
        before = lowered[:place]
        if before not in ([], ["force"]) and before[0] not in ("amend", "insert"):
            return None
        named = " ".join(words[place + 1 :])
        path = Path(named) if is_there(Path(named)) else find("charts", named, Path())
        if path is None:
            raise QfError(missing("charts", named))
        return load_overlay(path, self.system)

    def keep_cell(self, cell: tuple[str, ...], text: str) -> Entered:
        """Adds what the umpire read out of his printed chart to his own chart, and lays that over this battle.

        `text` may be as he answered it: in small letters, or `none`.
        """
        fault = self.system.chart_shapes[cell[0]].fault
        ways = ("-" if text.lower() == "none" else text, text.upper(), text.lower())
        written = next((way for way in ways if fault(way) is None), text)
        return self.enter(f"chart {keep_cell(self.system, cell, written).stem}")

    def changes(self, entered: Entered) -> tuple[Changed, ...]:
        """Every value of a log or card that an entry changed, effect by effect, from and to."""
        if entered.ruling is None or not isinstance(entered.act, Entry):
            return ()
        place = entered.after.play_order.index(entered.number)
        return effect_changes(
            self.system, entered.after.battle_at(place), entered.ruling.decision.effects, entered.number
        )

    def close(self) -> None:
        """Gives the save back to others."""
        self.journal.close()


def header_of(system: RuleSystem, start: Battle, extra: Mapping[str, object] | None = None) -> Header:
    """The header of a new save: all that the battle needs to stand alone; a ship that joins comes with its entry."""
    own = evolve(start, reserve={}, began=start.began and evolve(start.began, reserve={}))
    return Header(FORMAT, qf_tui.__version__, system.name, own, extra or {})
