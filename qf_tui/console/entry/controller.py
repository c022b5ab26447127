"""Enters orders from the order bar and the dialogs into the battle, and shows their results.

It asks the umpire before a phase ends and before a correction, and lists what to change on the table.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from attrs import frozen
from textual.content import Content

from qf_tui.console.entry.bar import OrderBar
from qf_tui.console.entry.dialog import AmendDialog, OrderDialog, build_amendment, refill
from qf_tui.console.entry.form_state import DICE_FIELD, Filling, FormReading, build_repeated
from qf_tui.console.entry.preview import Preview
from qf_tui.console.reading.document_view import render_blocks
from qf_tui.console.reading.source import REFUSED, SourceScreen, format_findings
from qf_tui.console.widgets.actions import ENDING, PANEL, PREVIEW
from qf_tui.console.widgets.keys import Hint, build_question_hints, find_screen_key
from qf_tui.console.widgets.panel import Panel, show_panel
from qf_tui.core.builtin_forms import AMEND, CORRECTIONS, DOUBT, MARK, NEXT, REDO, SETTLE, UNDO, list_forms
from qf_tui.core.decisions import find_field_value
from qf_tui.core.errors import Findings, OrderRefused, QfError, is_forcible
from qf_tui.core.grammar.names import Reach
from qf_tui.core.grammar.reader import force_order
from qf_tui.core.revisions import Revision
from qf_tui.core.schedule import list_events
from qf_tui.core.system import Column, RuleSystem, find_field
from qf_tui.core.timeline import Entry, Timeline
from qf_tui.core.values import Form, Order, Ship
from qf_tui.document.acts import describe_act_with_targets, format_phase
from qf_tui.document.glance import (
    build_acting_blocks,
    build_hold_blocks,
    build_victory_blocks,
    list_all_standings,
    list_phase_changes,
    list_table_corrections,
)
from qf_tui.document.transcript import (
    build_consequences_document,
    format_owed_message,
    format_phase_message,
    format_waiting_message,
    has_further_effects,
)
from qf_tui.journal.saving import NotRecorded
from qf_tui.session import Session
from qf_tui.session.session import ActOrigin, branch_with_correction
from qf_tui.session.typed_dice import read_dice


@frozen
class Attempt:
    """The outcome of an attempt to enter an order.

    Attributes:
        entered: The revision that was recorded or worked out, or None.
        text: Why nothing was entered, or "".
        findings: Reasons against the order.
        not_recorded: True if the disk refused it.
    """

    entered: Revision | None = None
    text: str = ""
    findings: Findings = ()
    not_recorded: bool = False

    @classmethod
    def build_refused(cls, findings: Findings) -> "Attempt":
        """Build the outcome of a refused order."""
        return cls(text=f"{REFUSED} {format_findings(findings)}", findings=findings)


def try_to_enter(enter: Callable[[], Revision | None]) -> Attempt:
    """Try to enter an order, and turn every expected error into an outcome."""
    try:
        return Attempt(enter())
    except OrderRefused as refusal:
        return Attempt.build_refused(refusal.findings)
    except NotRecorded as fault:
        return Attempt(text=str(fault), not_recorded=True)
    except QfError as fault:
        return Attempt(text=f"{REFUSED} {fault}")


HELD_HINTS = (
    Hint("enter", "answers the first"),
    Hint("f2", "ends it and carries these over"),
    Hint("escape", "goes back"),
)
DOUBTED = (Hint("f2", "ends it anyway"), Hint("escape", "goes back"))
FREE = build_question_hints("ends the phase")


class EndPhase(Panel):
    """The question before a phase ends; its result is True if the phase shall end.

    If something holds the phase, only F2 ends the phase, and Enter leads to an owed roll.

    Attributes:
        held: True if something holds the phase.
        owes: True if rolls are owed.
        answers: True after Enter, if rolls are owed.
    """

    places = (PANEL, ENDING)

    def __init__(self, title: str, lines: list[Content], *, held: bool, owes: bool) -> None:
        hints = DOUBTED if held else FREE
        super().__init__(title, lines, HELD_HINTS if owes else hints)
        self.held, self.owes = held, owes
        self.answers = False
        # The key of an order closes the question, because the phase shall not end yet.
        self.passes_keys = True

    def action_accept(self) -> None:
        """Close; the phase ends if nothing holds it, else `answers` says whether to answer an owed roll."""
        self.answers = self.owes
        self.dismiss(not self.held)

    def action_carry_over(self) -> None:
        """End the phase although something holds it."""
        self.dismiss(True)


KEYS = (Hint("enter", "apply"), Hint("escape", "cancel"), Hint("b", "save as a branch"))
CHANGES = Hint("a", "change it instead")


class CorrectionPreview(Panel):
    """A panel with what a correction changes; its result is True to apply it.

    Attributes:
        branch: True to keep the correction in a branch (another save), and not in this battle.
        instead: Opens the entry that would be struck, to change it instead; None if that is not possible.
    """

    places = (PANEL, PREVIEW)

    def __init__(
        self, title: str, lines: Iterable[Content], instead: Callable[[], object] | None = None
    ) -> None:
        super().__init__(title, lines, (*KEYS, CHANGES) if instead else KEYS)
        self.branch, self.instead = False, instead

    def action_branch(self) -> None:
        """Close, so that the correction is kept in a branch."""
        self.branch = True
        self.dismiss(True)

    def action_change(self) -> None:
        """Close without the correction, and open the entry to change it."""
        if self.instead is not None:
            self.dismiss(False)
            self.instead()


ASIDE = ("doubt", "settle", "note")
"""Orders about other entries; they never count as the last entry."""

Done = Callable[[], object]


@frozen
class ReadCell:
    """A chart cell that the umpire has read in a printed chart, and its value.

    Attributes:
        cell: Table, row and column.
        text: The value, as it was typed.
    """

    cell: tuple[str, ...]
    text: str


class EntryController:
    """Enters the umpire's orders into one battle, and shows the results on the screen.

    Attributes:
        refused: Last order that only a rule refused, or None.
        cell: Cell that was just read in a printed chart, or None.
        to_call: Key of the first owed roll that a call shall throw, or "".
        origins: Origins of answers, by the key of the roll.
    """

    def __init__(self, session: Session, screen: SourceScreen[Any]) -> None:
        self.session, self.screen, self.to_call = session, screen, ""
        self.refused: Order | None = None
        self.cell: ReadCell | None = None
        self.origins: dict[str, ActOrigin] = {}

    def enter(
        self,
        order: Order,
        revision: Revision | None = None,
        *,
        skip_preview: bool = False,
        say_refusal: bool = False,
        done: Done | None = None,
    ) -> Attempt:
        """Enter an order and show its results. A correction with further effects is shown first.

        Args:
            revision: The revision that was shown for the order, which is then recorded; None to work it out.
            skip_preview: True to enter a correction without showing it first.
            say_refusal: True to show why the order was refused.
            done: Called when the order is entered or kept as a branch, before any message.

        Returns:
            The attempt; an empty one if a correction is shown first.
        """
        session = self.session
        # The dice of a call are not known before the order is entered, so nothing can be shown first.
        if order.form in CORRECTIONS and not skip_preview and order.effective_call is None:
            return self.correct(order, done, say_refusal=say_refusal)
        # An answer read in a printed chart can be kept with `keep_cell` until the next entry.
        question = session.battle.find_question(order.key)
        words = " ".join(order.list_texts("words"))
        cell = ReadCell(question.cell, words) if question is not None and question.cell and words else None
        origin = self.origins.get(order.key)
        result = try_to_enter(
            lambda: session.record(revision or session.work_out(order, session.throw), origin)
        )
        self.refused = order if is_forcible(result.findings) else None
        if result.not_recorded:
            self.screen.alarm(result.text)
        if result.entered is not None:
            self.origins.pop(order.key, None)
            self.cell = cell
            if done is not None:
                done()
            self._show_entered(order, result.entered)
        return self._say_refusal(result) if say_refusal else result

    def record_with(self, enter: Callable[[], Revision]) -> Attempt:
        """Call `enter`, which records an order, and show the results; a refusal is only returned."""
        result = try_to_enter(enter)
        if result.not_recorded:
            self.screen.alarm(result.text)
        if result.entered is not None and result.entered.order is not None:
            self._show_entered(result.entered.order, result.entered)
        return result

    def enter_line(self, line: str) -> Attempt:
        """Enter a line of text, and show why if it is refused."""
        reading = self.session.read_typed(line)
        if reading.order is None:
            return self._say_refusal(Attempt.build_refused(reading.findings))
        return self.enter(reading.order, say_refusal=True)

    def _say_refusal(self, result: Attempt) -> Attempt:
        """Show why an order was refused, unless an alarm already shows it; return the attempt."""
        if result.text and not result.not_recorded:
            self.screen.say(result.text, "refused", result.findings)
        return result

    def end_phase(self, answer: Done, ended: Callable[[Attempt], object] = lambda attempt: None) -> None:
        """End the phase; ask first if something holds it or a ship may still act.

        Args:
            answer: Opens the first owed question, if the umpire chooses that.
            ended: Called with the outcome of the attempt.
        """
        session, battle = self.session, self.session.battle
        hold_blocks = tuple(build_hold_blocks(session.system, battle))
        acting_blocks = build_acting_blocks(session.system, session.timeline)
        if not hold_blocks and not acting_blocks:
            ended(self.enter(Order(NEXT, {}), say_refusal=True))
            return

        def act_on_answer(shall_end: bool | None) -> None:
            if shall_end:
                ended(self.enter(Order(NEXT, {}, forced=bool(hold_blocks)), say_refusal=True))
            elif panel.answers:
                answer()

        title = f"End {format_phase(session.system, battle)}?"
        lines = render_blocks(
            (*hold_blocks, *acting_blocks, *build_victory_blocks(session.system, session.timeline))
        )
        panel = EndPhase(title, lines, held=bool(hold_blocks), owes=bool(battle.owed))
        self.screen.app.push_screen(panel, act_on_answer)

    def undo(self, change: Callable[[int], object]) -> None:
        """Show what striking the last act changes, and strike it if the umpire agrees.

        Args:
            change: Opens the act to change it instead; unused for a correction or the end of a phase.
        """
        act = next(self.session.timeline.undoable, None)
        is_fixed = not isinstance(act, Entry) or act.version.order.is_phase_end
        instead = None if act is None or is_fixed else partial(change, act.number)
        self.correct(Order(UNDO, {}), always_show=True, say_refusal=True, instead=instead)

    def redo(self) -> None:
        """Show what restoring the last struck act changes, and restore it if the umpire agrees."""
        self.correct(Order(REDO, {}), always_show=True, say_refusal=True)

    def force(self, order: Order | None) -> bool:
        """Force an order, or with None the last refused one.

        Returns:
            True if it was entered, or if it is a correction that is shown first.
        """
        order = order or self.refused
        if order is None:
            self.screen.say("nothing to force: no rule has refused the last order")
            return False
        return not self.enter(force_order(order), say_refusal=True).text

    def keep_cell(self) -> None:
        """Enter the chart cell that was read last into the umpire's own chart."""
        if self.cell is None:
            self.screen.say("nothing to keep: no cell has just been read from the printed chart")
            return
        read_cell = self.cell
        result = try_to_enter(lambda: self.session.keep_cell(read_cell.cell, read_cell.text))
        if result.not_recorded:
            self.screen.alarm(result.text)
        elif result.entered is None:
            self.screen.say(result.text, "refused")
        else:
            self.screen.show()
            self.screen.say(f"kept in your own chart: {' '.join(read_cell.cell)} says {read_cell.text}")
            self.cell = None

    def toggle_dispute(self, number: int) -> None:
        """Mark an entry as disputed, or settle the dispute."""
        was_disputed = number in self.session.battle.doubts
        order = Order(SETTLE if was_disputed else DOUBT, {"entry": number})
        if self.enter(order, say_refusal=True).entered is not None:
            self.screen.say(f"entry {number} is {'settled' if was_disputed else 'disputed'}")

    def correct(
        self,
        order: Order,
        done: Done | None = None,
        *,
        always_show: bool = False,
        only_look: bool = False,
        say_refusal: bool = False,
        instead: Done | None = None,
    ) -> Attempt:
        """Work out a correction, show its changes, and make it if the umpire agrees.

        A correction that changes only the entry it names is made at once.

        Args:
            done: Called when the correction is entered or kept as a branch.
            always_show: True to show even a correction that changes only the entry it names.
            only_look: True to show the changes without making the correction.
            say_refusal: True to show why the correction was refused.
            instead: Opens the act that the correction would strike, to change it instead.

        Returns:
            The attempt; an empty one if the correction is shown first.
        """
        result = try_to_enter(lambda: self.session.work_out(order))
        self.refused = order if is_forcible(result.findings) and not only_look else None
        revision = result.entered
        if revision is None:
            return self._say_refusal(result) if say_refusal else result
        if not (only_look or always_show or has_further_effects(revision)):
            return self.enter(order, revision, skip_preview=True, say_refusal=say_refusal, done=done)
        description = describe_act_with_targets(revision.after, revision.act).result or order.line
        changes = build_consequences_document(self.session.system, revision)
        title, lines = f"{description}: what changes", render_blocks(changes.blocks)
        if only_look:
            show_panel(self.screen.app, Panel(title, lines))
            return Attempt()
        preview = CorrectionPreview(title, lines, instead)

        def apply() -> None:
            if preview.branch:
                self._keep_as_branch(order, done)
            else:
                self.enter(order, revision, skip_preview=True, say_refusal=True, done=done)

        show_panel(self.screen.app, preview, apply)
        return Attempt()

    def _keep_as_branch(self, order: Order, done: Done | None) -> None:
        """Keep the battle with the correction as a new save next to this one, then call `done`.

        If that fails, say why.
        """
        try:
            save = branch_with_correction(self.session, order)
        except QfError as fault:
            self.screen.say(str(fault), "refused")
            return
        if done is not None:
            done()
        self.screen.say(f"saved as a branch next to this save: {save.name}; this battle is unchanged")

    def _show_entered(self, order: Order, entered: Revision) -> None:
        """Draw the battle after an entry, with its events and a message; list table changes in a panel.

        After the end of a phase, empty phases are skipped too. If the entry owes a roll that a called number
        throws, `to_call` becomes the first owed roll, which may be an older one; otherwise "".
        """
        session, screen = self.session, self.screen
        screen.alarm("" if session.writable else session.notice)
        before, after = entered.before.battle, entered.after.battle
        ended_phase = order.is_phase_end and (before.turn, before.phase) != (after.turn, after.phase)
        skipped_phases = session.pass_empty_phases() if ended_phase else ()
        owes_roll = any(question.dice for question in entered.newly_owed)
        owes_call = session.calls and owes_roll and not ended_phase
        self.to_call = after.owed_in_order[0].key if owes_call else ""
        screen.show()
        if events := list_events(session.system, before, session.battle):
            screen.show_events(events)
        if ended_phase:
            message = format_phase_message(session.system, session.battle, skipped_phases)
            # A long line is cut at its end, so short texts come first: the sums of points.
            standings = "; ".join(sorted(list_all_standings(session.system, session.timeline), key=len))
            screen.say(f"{message}   {standings}" if standings else message)
            table_changes = list_phase_changes(session.system, entered.before, session.battle)
            title = f"On the table, after {format_phase(session.system, before)}"
        else:
            changes = list_table_corrections(session.system, entered)
            screen.say(self._format_entry_message(order, entered, [text for _, text in changes]))
            # A single change fits under the bar. The consequences of an undo were shown before.
            table_changes = changes if len(changes) > 1 and order.form not in (UNDO, REDO) else ()
            title = "On the table, after the correction"
        if table_changes:
            # Imported late, after the first picture of the battle.
            from qf_tui.console.reading.announcements import TableChanges

            screen.app.push_screen(TableChanges(title, session.battle, table_changes))

    def _format_entry_message(self, order: Order, entered: Revision, changes: Sequence[str]) -> str:
        """Format the message after an entry in a phase: a cell to keep, owed answers, table changes."""
        keep_key = find_screen_key(self.screen, "grid.keep-cell") if self.cell else ""
        # An order for the end of the phase that did not end it has asked what must be answered first.
        next_key = find_screen_key(self.screen, "grid.next") if order.is_phase_end else ""
        messages = (
            f"{keep_key} keeps it in your own chart" if keep_key else "",
            format_waiting_message(self.session.system, entered.after.battle, next_key) if next_key else "",
            format_owed_message(entered),
            f"on the table: {'; '.join(changes)}" if changes else "",
        )
        return "   ".join(filter(None, messages))


def find_disputable(timeline: Timeline) -> int:
    """Return the number of the last entry in order of play, except notes and doubts; 0 if there is none."""
    numbers = reversed(timeline.play_order)
    return next((number for number in numbers if timeline.versions[number].order.word not in ASIDE), 0)


def change_entry(controller: EntryController, number: int, type_correction: Callable[[str], object]) -> None:
    """Open the dialog of an entry, filled in, on the battle before it; the umpire changes it there.

    Leaving out all dice that the entry had is refused, because an amendment without dice keeps them.

    Args:
        type_correction: Gets the begun correction as text if no dialog can show the order.
    """
    session, timeline = controller.session, controller.session.timeline
    order = timeline.versions[number].order
    battle_before = timeline.battle_at(timeline.play_order.index(number))
    filling = refill(battle_before, order)
    if filling is None:
        type_correction(f"{AMEND.word} {number} {order.resolved}")
        return

    def enter(dialog: AmendDialog, new_order: Order) -> str:
        if order.dice and filling.form.dice and not dialog.filling.find_text(DICE_FIELD).strip():
            return f"{REFUSED} dice left out stay as they are: to throw again, strike the entry and insert it"
        try:
            correction = build_amendment(number, order, new_order)
        except QfError as fault:
            return f"{REFUSED} {fault}"
        return controller.enter(correction, done=dialog.close).text

    title = f"Change entry {number} · {filling.form.usage}"
    owes_dice = not order.dice and order.call is None
    dialog = AmendDialog(
        session, filling, enter, title, battle_before, forced=order.forced, dice_later=owes_dice
    )
    controller.screen.app.push_screen(dialog)


class Drafts:
    """The orders being written, in the bar of a screen or in its dialogs.

    Attributes:
        entered: Called with the form of each order that a dialog entered; None to call nothing.
    """

    def __init__(self, controller: EntryController, bar: OrderBar) -> None:
        self.controller, self.bar = controller, bar
        self.entered: Callable[[Form], object] | None = None
        self.session = controller.session

    def submit(self) -> None:
        """Enter the order in the bar; if the bar is empty, leave it. A refused order stays in the bar."""
        bar = self.bar
        text = bar.text.strip()
        if not text:
            self.leave_bar()
            return
        # Each text in `variants` sets a value that the ship has already.
        if text in bar.variants:
            bar.message_line.say("nothing changed: type another value, or Esc leaves it")
            return
        bar.catch_up()
        preview = bar.preview
        # Emptied first: a text that is there after the entry is a message, and stays.
        bar.message_line.text = ""
        if not self._enter_bar(preview):
            return
        bar.remember(text)
        bar.clear()
        if not bar.message_line.text:
            bar.update_preview()
        self._go_on()

    def _go_on(self) -> None:
        """Ask for a call that is owed; else show the next pasted line, or give the keyboard to the logs."""
        if not self.ask_call() and not self.bar.show_next_pasted():
            self.bar.screen.set_focus(None)

    def ask_call(self) -> bool:
        """Open the bar for the call that throws what the last order owes; return whether it owes a throw."""
        key, self.controller.to_call = self.controller.to_call, ""
        if key:
            self.bar.put("", key=key)
            self.bar.update_preview()
        return bool(key)

    def _enter_bar(self, preview: Preview) -> bool:
        """Enter the order in the bar; after the word `preview`, only show what the correction would change.

        Args:
            preview: The preview that the umpire saw.

        Returns:
            False if the order was refused or lacks dice; the bar then says why.
        """
        reading, controller = self.bar.reading, self.controller
        if not preview.refusal and self.bar.ask_dice():
            return False
        if preview.order is None:
            text = preview.text or format_findings(reading.findings)
            # The text of a preview with findings has the sign of a refusal already.
            if not preview.findings:
                text = f"{REFUSED} {text}"
            self.bar.message_line.say(text, "refused", preview.findings or reading.findings)
            return False
        if reading.preview:
            result = controller.correct(preview.order, only_look=True)
            self.bar.message_line.say(result.text, "refused", result.findings)
        else:
            result = controller.enter(preview.instead or preview.order, preview.revision, say_refusal=True)
        return not result.text

    def force(self) -> None:
        """Force the order in the bar; without one, the refused order that is still shown.

        If its dice are unclear or missing, ask for them instead.
        """
        bar = self.bar
        if bar.ask_dice():
            return
        typed_order = bar.preview.order if bar.preview.forceable else None
        if typed_order is None and not bar.message_line.refusal:
            bar.message_line.say("nothing to force: no refused order is on the screen")
            return
        if self.controller.force(typed_order):
            bar.clear()
            self._go_on()

    def leave_bar(self) -> None:
        """Set half-typed text aside, drop waiting pasted lines with a message, and leave the bar."""
        message = self.bar.drop_pasted()
        self.bar.set_aside()
        self.bar.update_preview()
        if message:
            self.bar.message_line.say(message)
        self.bar.screen.set_focus(None)

    def open(self, word: str, ship: str) -> None:
        """Open the dialog of an order, named by its word, with a ship (id or "") filled in.

        If the dialog that was set aside has this order and ship, it is continued.
        """
        form = list_forms(self.session.system)[word]
        filling = Filling.begin(form, ship)
        set_aside = self.bar.aside
        if set_aside is not None and set_aside.form is form and set_aside.ship_text == filling.ship_text:
            filling = set_aside
            # The text in the bar is of this dialog, so it is no longer offered either.
            self.bar.forget_stash()
        self._open_dialog(filling)

    def repeat_last(self, ship: str) -> bool:
        """Open the dialog of a ship's last order with dice for this phase, to type new dice.

        Return whether there is such an order.
        """
        filling = build_repeated(self.session, ship)
        if filling is not None:
            self._open_dialog(filling)
        return filling is not None

    def _open_dialog(self, start: Filling) -> None:
        """Open a dialog; if it is left unfinished, keep its text and fields for the bar.

        Once its order is entered, call `entered`, and open the bar for a call that is owed.
        """
        dialog = OrderDialog(
            self.session, start, lambda order, revision: self.controller.enter(order, revision).text
        )

        def finish(filling: Filling | None) -> None:
            self.bar.screen.set_focus(None)
            if filling is None:
                if self.entered is not None:
                    self.entered(start.form)
                self.ask_call()
            elif filling != Filling.begin(start.form, start.ship_text):
                # Remember the order as the bar would have it, with the dice of the dialog.
                fields = FormReading.read(self.session.find_scope(Reach.ANYWHERE), filling)
                order = read_dice(self.session, fields.reading).order
                self.bar.keep_for_later(order.line if order is not None else fields.line, filling)

        self.bar.app.push_screen(dialog, finish)


def list_hand_entries(system: RuleSystem, ship: Ship, column: Column) -> list[tuple[str, str]]:
    """List two texts for each field of a cell: the order to overwrite it, without the value, and its value.

    A field without a value has `none`.
    """
    entries = []
    for name in column.fields:
        value, field = find_field_value(ship, name), find_field(system, name)
        value = field.convert_value(value) if field else value
        if isinstance(value, tuple):
            value = ", ".join(value)
        text = "" if value is None else str(value)
        entries.append((Order(MARK, {"ship": ship.id, "field": name}).line, text or "none"))
    return entries
