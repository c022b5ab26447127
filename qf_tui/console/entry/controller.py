"""Enters orders, shows a correction before it happens, and then lists what hands must change."""

from collections.abc import Callable
from functools import partial
from typing import Any

from attrs import evolve, frozen

from qf_tui.console.entry.attempt import Attempt, attempted
from qf_tui.console.entry.confirm import Proposal, branched, propose
from qf_tui.console.reading.source import SourceScreen
from qf_tui.console.reading.summaries import (
    consequence_lines,
    reaches_further,
    to_mend,
    word_after,
)
from qf_tui.console.widgets.key_screen import key_for
from qf_tui.console.widgets.panel import Panel, show_panel
from qf_tui.core.acts import Entry
from qf_tui.core.availability import phase_is_empty
from qf_tui.core.builtin_forms import CORRECTIONS, DOUBT, NEXT, REDO, SETTLE, UNDO
from qf_tui.core.errors import QfError
from qf_tui.core.grammar.order import Order
from qf_tui.core.grammar.reader import FORCE
from qf_tui.core.revisions import Revision
from qf_tui.core.schedule import events
from qf_tui.core.system import find_phase
from qf_tui.core.timeline import Timeline
from qf_tui.session import Session
from qf_tui.session.act_words import act_text, last_undoable, phase_text

ASIDE = ("doubt", "settle", "note")
"""Orders that are about other entries: none of them is meant by the last entry."""

Done = Callable[[], object]


def _nothing() -> None:
    """What is done where nothing is waiting."""


@frozen
class ReadOut:
    """A cell (table, row, column) that the umpire read out of his printed chart, and what it says."""

    cell: tuple[str, ...]
    text: str


class EntryController:
    """Enters the umpire's orders into one battle, and shows the result on the screen.

    `refused` is the last order that only a rule stands against, `cell` what was just read out of the printed
    chart, `to_call` the key of the dice that the last order owes, where a call throws them.
    """

    def __init__(self, session: Session, screen: SourceScreen[Any]) -> None:
        self.session, self.screen, self.to_call = session, screen, ""
        self.refused: Order | None = None
        self.cell: ReadOut | None = None

    def enter(
        self,
        order: Order,
        revision: Revision | None = None,
        *,
        sure: bool = False,
        done: Done = _nothing,
    ) -> Attempt:
        """Enters an order, or records what it was shown to do.

        A correction that changes more than itself is shown first; with `sure` none is, nor is one whose dice
        a call throws. `done` is called once it is entered or kept as a branch, before any message.
        """
        if order.form in CORRECTIONS and not sure and order.called is None:
            return self.correct(order, done)
        cell = read_out(self.session, order)
        tried = attempted(lambda: self._recorded(order, revision))
        self.refused = order if tried.forceable else None
        if tried.lost:
            self.screen.alarm(tried.text)
        if tried.entered is not None:
            self.cell = cell
            done()
            self._entered(order, tried.entered)
        return tried

    def _recorded(self, order: Order, revision: Revision | None) -> Revision:
        return self.session.record(revision or self.session.work_out(order, self.session.throw))

    def enter_and_say(
        self,
        order: Order,
        revision: Revision | None = None,
        *,
        sure: bool = False,
        done: Done = _nothing,
    ) -> Attempt:
        """Enters an order and says why it was not taken, if it was not."""
        return self._said(self.enter(order, revision, sure=sure, done=done))

    def enter_line(self, line: str) -> Attempt:
        """Enters a line of text and says why it was not taken, if it was not."""
        reading = self.session.read_typed(line)
        if reading.order is None:
            return self._said(Attempt.refused(reading.findings))
        return self.enter_and_say(reading.order)

    def _said(self, tried: Attempt) -> Attempt:
        if tried.text and not tried.lost:
            self.screen.say(tried.text, "refused", tried.findings)
        return tried

    def undo(self, change: Callable[[int], object]) -> None:
        """Shows what striking the last act changes, before it happens; there `change` may open it instead."""
        act = last_undoable(self.session.timeline)
        fixed = not isinstance(act, Entry) or act.version.order.is_phase_end
        instead = None if act is None or fixed else partial(change, act.number)
        self._said(self.correct(Order(UNDO, {}), ask=True, instead=instead))

    def redo(self) -> None:
        """Shows what restoring the act that was struck last changes, before it happens."""
        self._said(self.correct(Order(REDO, {}), ask=True))

    def force(self, order: Order | None) -> bool:
        """Forces an order, or with None the one that was refused last; whether it was entered."""
        order = order or self.refused
        if order is None:
            self.screen.say("nothing to force: no rule has refused the last order")
            return False
        return not self.enter_and_say(as_forced(order)).text

    def keep(self) -> None:
        """Keeps the cell that was read out last in the umpire's own chart, by an entry of its own."""
        if self.cell is None:
            self.screen.say("nothing to keep: no cell of the printed chart was read out just now")
            return
        cell = self.cell
        tried = attempted(lambda: self.session.keep_cell(cell.cell, cell.text))
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
        doubted = number in self.session.battle.doubts
        order = Order(SETTLE if doubted else DOUBT, {"entry": number})
        if self.enter_and_say(order).entered is not None:
            self.screen.say(f"entry {number} is {'settled' if doubted else 'in doubt'}")

    def word(self, entered: Revision) -> str:
        """The message after an entry that ended no phase."""
        key = key_for(self.screen, "grid.keep-cell") if self.cell else ""
        words = [f"{key} keeps it in your own chart"] if key else []
        after, table = word_after(self.session, entered), to_mend(self.session, entered)
        words += [after] if after else []
        words += [f"on the table: {'; '.join(text for _, text in table)}"] if table else []
        return "   ".join(words)

    def correct(
        self,
        order: Order,
        done: Done = _nothing,
        *,
        ask: bool = False,
        only_look: bool = False,
        instead: Done | None = None,
    ) -> Attempt:
        """Shows what a correction changes before it happens; where that is nothing else it simply happens.

        `instead` is what else may be done of the act that it strikes.
        """
        tried = attempted(lambda: self.session.work_out(order))
        self.refused = order if tried.forceable and not only_look else None
        if tried.entered is None:
            return tried
        revision = tried.entered
        if not (only_look or ask or reaches_further(revision)):
            return self.enter(order, revision, sure=True, done=done)
        named = act_text(revision.after, revision.act).result or order.line
        title, lines = f"{named}: what changes", consequence_lines(self.session, revision)

        def wanted(as_branch: bool) -> None:
            if as_branch:
                self._keep_as_branch(order, done)
            else:
                self.enter_and_say(order, revision, sure=True, done=done)

        if only_look:
            show_panel(self.screen.app, Panel(title, lines))
        else:
            propose(self.screen.app, Proposal(title, lines, instead), wanted)
        return Attempt()

    def _keep_as_branch(self, order: Order, done: Done) -> None:
        try:
            save = branched(self.session, order)
        except QfError as fault:
            self.screen.say(str(fault), "refused")
            return
        done()
        self.screen.say(f"kept as a branch beside this save: {save.name}; this battle is as it was")

    def _entered(self, order: Order, entered: Revision) -> None:
        self.screen.alarm("" if self.session.writable else self.session.notice)
        before, after = entered.before.battle, entered.after.battle
        ended = order.is_phase_end and (before.turn, before.phase) != (after.turn, after.phase)
        passed = pass_empty_phases(self.session) if ended else ()
        owed = [one.key for one in entered.owed if one.dice] if self.session.sealed and not ended else []
        self.to_call = owed[0] if owed else ""
        self.screen.show()
        self.screen.tell_events(events(self.session.system, before, self.session.battle))
        self.screen.say(word_after(self.session, entered, True, passed) if ended else self.word(entered))
        if ended:
            # As the end of a phase is the first to need it.
            from qf_tui.session.glance import changed_in_phase

            table = changed_in_phase(self.session.system, entered.before, self.session.battle)
            title = f"On the table, after {phase_text(self.session.system, before)}"
        else:
            # One line of a correction stands under the bar; an undo's were shown before it happened.
            found = () if order.form in (UNDO, REDO) else to_mend(self.session, entered)
            table = found if len(found) > 1 else ()
            title = "On the table, after the correction"
        if table:
            self.read_aloud(title, table)

    def read_aloud(self, title: str, changes: tuple[tuple[str, str], ...]) -> None:
        """Shows what hands must change on the table: (side, words)."""
        # A battle is on the screen before this is loaded.
        from qf_tui.console.reading.aloud import TableChanges

        self.screen.app.push_screen(TableChanges(title, self.session.battle, changes))


def as_forced(order: Order) -> Order:
    """The order as the umpire forces it; of a correction the order within it, or what it moves."""
    within = order.order("order")
    if within is not None:
        return order.with_slot("order", evolve(within, forced=True))
    if order.form.slot(FORCE) is not None:
        return order.with_slot(FORCE, True)
    return evolve(order, forced=True)


def disputable(timeline: Timeline) -> int:
    """The entry played last, notes and doubts left aside; 0 if there is none."""
    numbers = reversed(timeline.play_order)
    return next((number for number in numbers if timeline.versions[number].order.word not in ASIDE), 0)


def read_out(session: Session, order: Order) -> ReadOut | None:
    """The cell of the printed chart that an order answers for, if it answers for one."""
    asked = session.battle.question(order.key)
    said = " ".join(order.many("words"))
    return ReadOut(asked.cell, said) if asked is not None and asked.cell and said else None


def pass_empty_phases(session: Session) -> tuple[str, ...]:
    """Ends each empty phase by an entry of its own, a turn's worth at most; the titles of those passed."""
    passed: list[str] = []
    for _ in session.system.phases[1:]:
        if not phase_is_empty(session.system, session.battle):
            break
        phase = find_phase(session.system, session.battle.phase).title
        ended = attempted(lambda: session.record(session.work_out(Order(NEXT, {}), session.throw)))
        if ended.entered is None:
            break
        passed.append(phase)
    return tuple(passed)
