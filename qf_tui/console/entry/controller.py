"""Enters what the umpire says, shows a correction before it happens, and reads out afterwards what hands must do."""

from collections.abc import Callable
from typing import Any

from attrs import frozen

from qf_tui.console.entry.confirm import branched, propose
from qf_tui.console.entry.lookahead import REFUSED, against
from qf_tui.console.reading.source import SourceScreen
from qf_tui.console.reading.summaries import (
    consequence_lines,
    reaches_further,
    to_mend,
    word_after,
)
from qf_tui.console.widgets.key_screen import key_for
from qf_tui.console.widgets.panel import Panel, show_panel
from qf_tui.core.acts import Correction, CorrectionKind
from qf_tui.core.corrections import CORRECTIONS
from qf_tui.core.errors import OrderRefused, QfError
from qf_tui.core.system import RuleSystem, find_phase
from qf_tui.core.timeline import Timeline
from qf_tui.core.values import Battle
from qf_tui.journal.saving import NotRecorded
from qf_tui.session import Entered, Session
from qf_tui.session.wording import order_text, phase_text

ASIDE = ("doubt", "settle", "note")
"""Orders that are about other entries: none of them is meant by the last entry."""

Done = Callable[[], object]


def _nothing() -> None:
    """What is done where nothing is waiting."""


@frozen
class Attempt:
    """What became of a line: `entered`, or in words why not; `lost`: the disk did not take it."""

    entered: Entered | None = None
    text: str = ""
    forceable: bool = False
    lost: bool = False


@frozen
class ReadOut:
    """A cell (table, row, column) that the umpire read out of his printed chart, and what it says."""

    cell: tuple[str, ...]
    text: str


class EntryController:
    """Enters the umpire's orders into one battle, and shows the result on the screen.

    `refused` is the last order that only a rule stands against, `cell` what was just read out of the printed chart.
    """

    def __init__(self, session: Session, screen: SourceScreen[Any]) -> None:
        self.session, self.screen = session, screen
        self.refused = ""
        self.cell: ReadOut | None = None

    def enter(self, line: str, *, sure: bool = False, ask: bool = False, done: Done = _nothing) -> Attempt:
        """Enters a line; a correction that changes more than itself is shown first, with `ask` any correction.

        `done` is called once it is entered or kept as a branch, before anything is said of it.
        """
        word = line.split()[0].lower() if line.split() else ""
        if word in (*CORRECTIONS, "preview") and not sure:
            return self._correct(line, done, ask=ask, only_look=word == "preview")
        cell = read_out(self.session, line)
        tried = attempt(self.session, line)
        self.refused = line if tried.forceable else ""
        if tried.lost:
            self.screen.alarm(tried.text)
        if tried.entered is not None:
            self.cell = cell
            done()
            self._entered(line, tried.entered)
        return tried

    def enter_and_say(
        self, line: str, *, sure: bool = False, ask: bool = False, done: Done = _nothing
    ) -> Attempt:
        """Enters a line and says why it was not taken, if it was not."""
        tried = self.enter(line, sure=sure, ask=ask, done=done)
        if tried.text and not tried.lost:
            self.screen.say(tried.text, "refused", tried.forceable)
        return tried

    def redo(self) -> tuple[str, ...]:
        """Restores what was struck last; gives its orders. Where more was entered since it asks first."""
        last = self.session.timeline.log[-1] if self.session.timeline.log else None
        since = not (isinstance(last, Correction) and last.kind in (CorrectionKind.UNDO, CorrectionKind.REDO))
        entered = self.enter_and_say("redo", ask=since).entered
        if entered is None or not isinstance(entered.act, Correction):
            return ()
        versions = entered.after.versions
        return tuple(order_text(versions[number]) for number in entered.act.targets if number in versions)

    def force(self, typed: str) -> bool:
        """Forces an order, or with "" the one that was refused last; whether it was entered."""
        line = typed or self.refused
        if not line:
            self.screen.say("nothing to force: no rule has refused the last order")
            return False
        return not self.enter_and_say(f"force {line}").text

    def keep(self) -> None:
        """Keeps the cell that was read out last in the umpire's own chart, by an entry of its own."""
        if self.cell is None:
            self.screen.say("nothing to keep: no cell of the printed chart was read out just now")
            return
        tried = keep_cell(self.session, self.cell)
        if tried.lost:
            self.screen.alarm(tried.text)
        elif tried.entered is None:
            self.screen.say(tried.text, "refused")
        else:
            self.screen.show()
            self.screen.say(f"kept in your own chart: {' '.join(self.cell.cell)} says {self.cell.text}")
            self.cell = None

    def doubt(self, number: int) -> None:
        """Marks an entry as disputed, or settles it."""
        word = "settle" if number in self.session.battle.doubts else "doubt"
        if self.enter_and_say(f"{word} {number}").entered is not None:
            self.screen.say(f"entry {number} is {'settled' if word == 'settle' else 'in doubt'}")

    def word(self, entered: Entered) -> str:
        """The message after an entry that ended no phase."""
        key = key_for(self.screen, "grid.keep-cell") if self.cell else ""
        words = [f"{key} keeps it in your own chart"] if key else []
        after, table = word_after(self.session, entered), to_mend(self.session, entered)
        words += [after] if after else []
        words += [f"on the table: {table[0][1]}"] if len(table) == 1 else []
        return "   ".join(words)

    def _correct(self, line: str, done: Done, *, ask: bool, only_look: bool) -> Attempt:
        asked = line.partition(" ")[2] if only_look else line
        tried = preview(self.session, asked)
        if tried.entered is None:
            return tried
        if not (only_look or ask or reaches_further(tried.entered)):
            return self.enter(line, sure=True, done=done)
        title, lines = f"{asked}: what changes", consequence_lines(self.session, tried.entered)

        def wanted(as_branch: bool) -> None:
            if as_branch:
                self._keep_as_branch(line, done)
            else:
                self.enter_and_say(line, sure=True, done=done)

        if only_look:
            show_panel(self.screen.app, Panel(title, lines))
        else:
            propose(self.screen.app, title, lines, wanted)
        return Attempt()

    def _keep_as_branch(self, line: str, done: Done) -> None:
        try:
            save = branched(self.session, line)
        except QfError as fault:
            self.screen.say(str(fault), "refused")
            return
        done()
        self.screen.say(f"kept as a branch beside this save: {save.name}; this battle is as it was")

    def _entered(self, line: str, entered: Entered) -> None:
        self.screen.alarm("" if self.session.writable else self.session.notice)
        before, after = entered.before.battle, entered.after.battle
        ended = (before.turn, before.phase) != (after.turn, after.phase) and line.split()[-1:] == ["next"]
        passed = pass_empty_phases(self.session) if ended else ()
        self.screen.show()
        self.screen.say(word_after(self.session, entered, True, passed) if ended else self.word(entered))
        if ended:
            table = self.session.system.on_table(before.start, self.session.battle)
            title = f"On the table, after {phase_text(self.session.system, before)}"
        else:
            # One line of a correction stands under the bar.
            table = found if len(found := to_mend(self.session, entered)) > 1 else ()
            title = "On the table, after the correction"
        if table:
            self.read_aloud(title, table)

    def read_aloud(self, title: str, changes: tuple[tuple[str, str], ...]) -> None:
        """Shows what hands must change on the table: (side, words)."""
        # A battle is on the screen before this is loaded.
        from qf_tui.console.reading.aloud import TableChanges

        self.screen.app.push_screen(TableChanges(title, self.session.battle, changes))


def disputable(timeline: Timeline) -> int:
    """The entry played last, notes and doubts left aside; 0 if there is none."""
    words = (
        (number, timeline.versions[number].order.partition(" ")[0])
        for number in reversed(timeline.play_order)
    )
    return next((number for number, word in words if word not in ASIDE), 0)


def attempt(session: Session, line: str) -> Attempt:
    """Enters a line."""
    return _tried(lambda: session.enter(line))


def keep_cell(session: Session, cell: ReadOut) -> Attempt:
    """Keeps a cell in the umpire's own chart."""
    return _tried(lambda: session.keep_cell(cell.cell, cell.text))


def read_out(session: Session, line: str) -> ReadOut | None:
    """The cell of the printed chart that a line answers for, if it answers for one."""
    word, *words = line.split() or [""]
    if word.lower() != "answer" or not words:
        return None
    named = session.battle.question(words[0])
    asked = named or next((owed for owed in session.battle.owed if not owed.dice), None)
    said = " ".join(words[1:] if named else words)
    return ReadOut(asked.cell, said) if asked is not None and asked.cell and said else None


def _tried(enter: Callable[[], Entered]) -> Attempt:
    try:
        return Attempt(enter())
    except OrderRefused as refusal:
        forceable = bool(refusal.findings) and all(finding.refused for finding in refusal.findings)
        return Attempt(text=f"{REFUSED} {against(refusal.findings)}", forceable=forceable)
    except NotRecorded as fault:
        return Attempt(text=str(fault), lost=True)
    except QfError as fault:
        return Attempt(text=f"{REFUSED} {fault}")


def preview(session: Session, line: str) -> Attempt:
    """Works a correction out without entering it."""
    try:
        return Attempt(session.preview(line))
    except QfError as fault:
        return Attempt(text=f"{REFUSED} {fault}")


def phase_is_empty(system: RuleSystem, battle: Battle) -> bool:
    """Whether nothing is to happen in the phase: nothing owed or in doubt, nobody waits, no order belongs to it.

    Where its rules say that it passes, orders that belong to it do not hold it.
    """
    if battle.owed or battle.doubts or system.may_act(battle):
        return False
    if find_phase(system, battle.phase).passes:
        return True
    return not any(battle.phase in form.phases or not form.phases for form in system.forms)


def pass_empty_phases(session: Session) -> tuple[str, ...]:
    """Ends each empty phase by an entry of its own, a turn's worth at most; the titles of those passed."""
    passed: list[str] = []
    for _ in session.system.phases[1:]:
        if not phase_is_empty(session.system, session.battle):
            break
        phase = find_phase(session.system, session.battle.phase).title
        if attempt(session, "next").entered is None:
            break
        passed.append(phase)
    return tuple(passed)
