"""Enters what the umpire says, shows a correction before it happens, and reads out afterwards what hands must do."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from textual.app import App
from textual.content import Content

from qf_tui.console.entry.submit import (
    Attempt,
    ReadOut,
    attempt,
    keep,
    pass_empty_phases,
    preview,
    read_out,
)
from qf_tui.console.reading.source import BattlePlace
from qf_tui.console.reading.summaries import (
    consequence_lines,
    reaches_further,
    to_mend,
    word_after,
)
from qf_tui.console.widgets.actions import PANEL, PROPOSAL
from qf_tui.console.widgets.panel import Panel, show_panel
from qf_tui.core.acts import Correction, CorrectionKind
from qf_tui.core.corrections import CORRECTIONS
from qf_tui.core.errors import QfError
from qf_tui.core.timeline import Timeline
from qf_tui.journal.copying import copy_save
from qf_tui.session import Entered, Session
from qf_tui.session.wording import order_text, phase_text

KEYS = "Enter does it   Esc leaves all as it is   b keeps it as a branch"


class Proposal(Panel):
    """What a correction changes; gives True for Enter. `branch`: it is to be kept as a branch instead."""

    places = (PANEL, PROPOSAL)

    def __init__(self, title: str, lines: Iterable[Content]) -> None:
        super().__init__(title, lines, KEYS)
        self.branch = False

    def action_branch(self) -> None:
        self.branch = True
        self.dismiss(True)


def propose(app: App[Any], title: str, lines: Iterable[Content], then: Callable[[bool], object]) -> None:
    """Shows what a correction changes; `then` is told whether as a branch, if it is to be at all."""
    proposal = Proposal(title, lines)
    show_panel(app, proposal, lambda: then(proposal.branch))


def branched(session: Session, line: str) -> Path:
    """A new save beside this battle's: its acts, and a correction more; QfError if there can be none."""
    save = session.journal.path
    if save is None:
        raise QfError("no branch: this battle has no save to copy. Begin it with one, by `--save FILE`.")
    branch = _free_beside(save)
    copy_save(save, branch)
    tried = Session.resume(branch, {session.system.name: session.system})
    try:
        tried.enter(line)
    finally:
        tried.close()
    return branch


def _free_beside(save: Path) -> Path:
    number = 1
    while (path := save.with_name(f"{save.stem}-branch-{number}{save.suffix}")).exists():
        number += 1
    return path


KEEPS = "k keeps it in your own chart"
ASIDE = ("doubt", "settle", "note")
"""Orders that are about other entries: none of them is meant by the last entry."""

Done = Callable[[], object]


def _nothing() -> None:
    """What is done where nothing is waiting."""


class EntryController:
    """Enters what the umpire says into one battle, and tells the screen what came of it.

    `refused` is the last order that only a rule stands against, `cell` what was just read out of the printed chart.
    """

    def __init__(self, session: Session, screen: BattlePlace[Any]) -> None:
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
        tried = keep(self.session, self.cell)
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
        """What is to be said after an entry that ended no phase."""
        words = [KEEPS] if self.cell else []
        words.append(word_after(self.session, entered))
        table = to_mend(self.session, entered)
        words.extend(f"on the table: {text}" for _, text in table if len(table) == 1)
        return "   ".join(word for word in words if word)

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
        from qf_tui.console.reading.aloud import Reading

        self.screen.app.push_screen(Reading(title, self.session.battle, changes))


def disputable(timeline: Timeline) -> int:
    """The entry played last, notes and doubts left aside; 0 if there is none."""
    words = (
        (number, timeline.versions[number].order.partition(" ")[0])
        for number in reversed(timeline.play_order)
    )
    return next((number for number, word in words if word not in ASIDE), 0)
