"""What stands around an entry: a correction is shown before it happens, and what hands must do is read aloud after."""

from collections.abc import Callable
from typing import Protocol

from textual.content import Content

from qf_tui.console.asking import (
    consequence_lines,
    next_lines,
    reaches_further,
    reading_list,
    to_mend,
    word_after,
)
from qf_tui.console.entering import Attempt, ReadOut, attempt, keep, pass_empty_phases, preview, read_out
from qf_tui.core.corrections import CORRECTIONS
from qf_tui.core.timeline import Correction, Entry
from qf_tui.session import Entered, Session
from qf_tui.session.telling import order_text, phase_text, undo_text

KEEPS = "k keeps it in your own chart"


class Screenful(Protocol):
    """What the desk needs of the screen that it stands on."""

    def show(self) -> None:
        """Draws the battle as it stands."""

    def say(self, text: str, tone: str = "", forceable: bool = False) -> None:
        """Says something in the line under the bar."""

    def alarm(self, text: str) -> None:
        """Shows a word that stays until it no longer holds."""

    def panel(
        self, title: str, lines: list[Content], keys: str = "", then: Callable[[], object] | None = None
    ) -> None:
        """Shows lines; `then` is done if the umpire says yes to them."""


class Desk:
    """Enters what the umpire says into one battle, and tells the screen what came of it.

    `refused` is the last order that only a rule stands against, `cell` what was just read out of the printed chart.
    """

    def __init__(self, session: Session, screen: Screenful) -> None:
        self.session, self.screen = session, screen
        self.refused = ""
        self.cell: ReadOut | None = None

    def enter(self, line: str, *, sure: bool = False) -> Attempt:
        """Enters a line; a correction that changes more than itself is shown first."""
        word = line.split()[0].lower() if line.split() else ""
        if word in (*CORRECTIONS, "preview") and not sure:
            return self._correct(line, only_look=word == "preview")
        cell = read_out(self.session, line)
        tried = attempt(self.session, line)
        self.refused = line if tried.forceable else ""
        if tried.lost:
            self.screen.alarm(tried.text)
        if tried.entered is not None:
            self.cell = cell
            self._entered(line, tried.entered)
        return tried

    def enter_and_say(self, line: str, *, sure: bool = False) -> Attempt:
        """Enters a line and says why it was not taken, if it was not."""
        tried = self.enter(line, sure=sure)
        if tried.text and not tried.lost:
            self.screen.say(tried.text, "refused", tried.forceable)
        return tried

    def undo(self) -> str:
        """Strikes the last act in force; gives its order, to be mended, if it was one of play."""
        timeline = self.session.timeline
        number = undo_text(timeline).partition(" ")[0]
        act = timeline.act(int(number)) if number else None
        if self.enter_and_say("undo").entered is None or not isinstance(act, Entry):
            return ""
        text = order_text(timeline.versions.get(act.number, act.version))
        return "" if text == "next" else text

    def redo(self) -> tuple[str, ...]:
        """Restores what was struck last; gives its orders."""
        entered = self.enter_and_say("redo").entered
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

    def end_phase(self) -> None:
        """Ends the phase; who may still act is shown first."""
        battle = self.session.battle
        lines = next_lines(self.session)
        if battle.owed or battle.doubts or not lines:
            self.enter_and_say("next")
            return
        self.screen.panel(
            f"End {phase_text(self.session.system, battle)}?",
            lines,
            "Enter ends the phase   Esc goes back",
            lambda: self.enter_and_say("next"),
        )

    def word(self, entered: Entered) -> str:
        """What is to be said after an entry that ended no phase."""
        words = [KEEPS] if self.cell else []
        words.append(word_after(self.session, entered))
        table = to_mend(self.session, entered)
        words.extend(f"on the table: {text}" for _, text in table if len(table) == 1)
        return "   ".join(word for word in words if word)

    def _correct(self, line: str, only_look: bool) -> Attempt:
        asked = line.partition(" ")[2] if only_look else line
        tried = preview(self.session, asked)
        if tried.entered is None:
            return tried
        if not only_look and not reaches_further(tried.entered.consequences):
            return self.enter(line, sure=True)
        self.screen.panel(
            f"{asked}: what changes",
            consequence_lines(self.session, tried.entered),
            "" if only_look else "Enter does it   Esc leaves all as it is",
            None if only_look else lambda: self.enter_and_say(line, sure=True),
        )
        return Attempt()

    def _entered(self, line: str, entered: Entered) -> None:
        self.screen.alarm("" if self.session.writable else self.session.notice)
        before, after = entered.before.battle, entered.after.battle
        ended = (before.turn, before.phase) != (after.turn, after.phase) and line.split()[-1:] == ["next"]
        passed = pass_empty_phases(self.session) if ended else ()
        self.screen.show()
        self.screen.say(word_after(self.session, entered, True, passed) if ended else self.word(entered))
        if ended:
            self._read_aloud(entered)
        elif len(table := to_mend(self.session, entered)) > 1:
            self.screen.panel("On the table, after the correction", reading_list(after, table))

    def _read_aloud(self, entered: Entered) -> None:
        """Shows what hands change on the table after a phase, to be read aloud."""
        ended = entered.before.battle
        now = self.session.battle
        lines = reading_list(now, self.session.system.on_table(ended.start, now))
        if lines:
            self.screen.panel(f"On the table, after {phase_text(self.session.system, ended)}", lines)
