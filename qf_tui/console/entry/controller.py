"""Enters orders, shows a correction before it happens, and then lists what hands must change."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from attrs import evolve, frozen
from textual.app import App
from textual.content import Content
from textual.widgets import Input
from textual.widgets.input import Selection

from qf_tui.console.entry.dialog import OrderDialog
from qf_tui.console.entry.form_state import DICE_FIELD, Filling
from qf_tui.console.reading.document_view import contents
from qf_tui.console.reading.refusal import REFUSED, Findings, against, only_rules
from qf_tui.console.reading.source import SourceScreen
from qf_tui.console.widgets.actions import ENDING, PANEL, PROPOSAL
from qf_tui.console.widgets.keys import Hint, asking, key_for
from qf_tui.console.widgets.panel import Panel, show_panel
from qf_tui.core.availability import phase_is_empty
from qf_tui.core.builtin_forms import AMEND, CORRECTIONS, DOUBT, NEXT, REDO, SETTLE, UNDO
from qf_tui.core.errors import OrderRefused, QfError
from qf_tui.core.grammar.forms import FACE_KEYS, Order, dice_words, is_digit
from qf_tui.core.grammar.kinds import absent
from qf_tui.core.grammar.reader import FORCE
from qf_tui.core.revisions import Revision
from qf_tui.core.schedule import events
from qf_tui.core.system import find_phase
from qf_tui.core.timeline import Entry, Timeline
from qf_tui.core.values import Battle
from qf_tui.document.acts import act_text, last_undoable, phase_text
from qf_tui.document.glance import (
    acting_blocks,
    changed_in_phase,
    held_blocks,
    table_fixes,
    victory_blocks,
)
from qf_tui.document.transcript import (
    consequences_document,
    owed_message,
    phase_message,
    reaches_further,
)
from qf_tui.journal.saving import NotRecorded
from qf_tui.session import Session
from qf_tui.session.new_save import branch_of


@frozen
class Attempt:
    """What became of a line: `entered`, or in words why not, by `findings` if an order was refused.

    `lost`: the disk did not take it.
    """

    entered: Revision | None = None
    why: str = ""
    findings: Findings = ()
    lost: bool = False

    @property
    def text(self) -> str:
        """Why not, as it is shown."""
        return self.why if self.lost or not self.why else f"{REFUSED} {self.why}"

    @property
    def forceable(self) -> bool:
        """Whether only rules stand against it."""
        return only_rules(self.findings)

    @classmethod
    def refused(cls, findings: Findings) -> "Attempt":
        """An order that findings stand against."""
        return cls(why=against(findings), findings=findings)


def attempted(enter: Callable[[], Revision]) -> Attempt:
    """What became of an order, whatever comes of it.

    No error of a person's making leaves here as an exception.
    """
    try:
        return Attempt(enter())
    except OrderRefused as refusal:
        return Attempt.refused(refusal.findings)
    except NotRecorded as fault:
        return Attempt(why=str(fault), lost=True)
    except QfError as fault:
        return Attempt(why=str(fault))


HELD_HINTS = (
    Hint("enter", "answers the first"),
    Hint("f2", "ends it and carries this over"),
    Hint("escape", "goes back"),
)
DOUBTED = (Hint("f2", "ends it all the same"), Hint("escape", "goes back"))
FREE = asking("ends the phase")


class EndPhase(Panel):
    """Asks before a phase ends; gives True if it is to end.

    While it is `held` only F2 ends it, and Enter answers what is owed (`owes`).
    """

    places = (PANEL, ENDING)

    def __init__(self, title: str, lines: list[Content], *, held: bool, owes: bool) -> None:
        super().__init__(title, lines, HELD_HINTS if owes else DOUBTED if held else FREE)
        self.held, self.owes = held, owes
        self.answers = False
        # Whoever types an order now does not want the phase to end.
        self.passes = True

    def action_accept(self) -> None:
        self.answers = self.owes
        self.dismiss(not self.held)

    def action_carry_over(self) -> None:
        self.dismiss(True)


def end_phase(
    app: App[Any], session: Session, enter: Callable[[Order], object], answer: Callable[[], object]
) -> None:
    """Ends the phase at once, or where something holds it or somebody may act asks first.

    `answer` opens the first question that is owed.
    """
    battle = session.battle
    held, acting = tuple(held_blocks(session.system, battle)), acting_blocks(session.system, session.timeline)
    if not held and not acting:
        enter(Order(NEXT, {}))
        return

    def answered(ends: bool | None) -> None:
        if ends:
            enter(Order(NEXT, {}, forced=bool(held)))
        elif asks.answers:
            answer()

    title = f"End {phase_text(session.system, battle)}?"
    lines = contents((*held, *acting, *victory_blocks(battle)))
    asks = EndPhase(title, lines, held=bool(held), owes=bool(battle.owed))
    app.push_screen(asks, answered)


KEYS = (Hint("enter", "apply"), Hint("escape", "cancel"), Hint("b", "save as a branch"))
CHANGES = Hint("a", "changes it instead")


class Proposal(Panel):
    """What a correction changes; gives True for Enter. `branch`: it is to be kept as a branch instead.

    `instead` changes what it would strike, where that can be done.
    """

    places = (PANEL, PROPOSAL)

    def __init__(
        self, title: str, lines: Iterable[Content], instead: Callable[[], object] | None = None
    ) -> None:
        super().__init__(title, lines, (*KEYS, CHANGES) if instead else KEYS)
        self.branch, self.instead = False, instead

    def action_branch(self) -> None:
        self.branch = True
        self.dismiss(True)

    def action_change(self) -> None:
        if self.instead is not None:
            self.dismiss(False)
            self.instead()


def propose(app: App[Any], proposal: Proposal, then: Callable[[bool], object]) -> None:
    """Shows what a correction changes; `then` is told whether as a branch, if it is to be at all."""
    show_panel(app, proposal, lambda: then(proposal.branch))


def branched(session: Session, order: Order) -> Path:
    """A new save beside this battle's: its acts, and a correction more; QfError if there can be none."""
    branch = branch_of(session)
    tried = Session.resume(branch, {session.system.name: session.system})
    try:
        tried.record(tried.work_out(order, tried.throw))
    finally:
        tried.close()
    return branch


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
        after, table = owed_message(entered), table_fixes(self.session.system, entered)
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
        changes = consequences_document(self.session.system, revision)
        title, lines = f"{named}: what changes", contents(changes.blocks)

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
        says = (
            phase_message(self.session.system, self.session.battle, passed) if ended else self.word(entered)
        )
        self.screen.say(says)
        if ended:
            table = changed_in_phase(self.session.system, entered.before, self.session.battle)
            title = f"On the table, after {phase_text(self.session.system, before)}"
        else:
            # One line of a correction stands under the bar; an undo's were shown before it happened.
            found = () if order.form in (UNDO, REDO) else table_fixes(self.session.system, entered)
            table = found if len(found) > 1 else ()
            title = "On the table, after the correction"
        if table:
            self.read_aloud(title, table)

    def read_aloud(self, title: str, changes: tuple[tuple[str, str], ...]) -> None:
        """Shows what hands must change on the table: (side, words)."""
        # A battle is on the screen before this is loaded.
        from qf_tui.console.reading.announcements import TableChanges

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


def refilled(battle: Battle, order: Order) -> Filling | None:
    """The dialog of an order, filled in; None where its form has no slots or the battle had not its ships."""
    if not order.form.slots or absent(order.form.slots, order.slots, battle):
        return None
    return Filling.of(order)


class AmendDialog(OrderDialog):
    """An order that was entered, filled in again: its dice one by one, Space to the next.

    `enter` is given the dialog and an order, enters it and says why it was not taken; it calls `close` once
    the order is entered.
    """

    selects = True

    def __init__(
        self,
        session: Session,
        filling: Filling,
        enter: Callable[["AmendDialog", Order], str],
        title: str,
        battle: Battle,
        *,
        forced: bool = False,
    ) -> None:
        super().__init__(session, filling, lambda order, _: enter(self, order), battle, forced=forced)
        dice = Hint("enter", "enter"), Hint("space", "next die")
        enters = dice if filling.text(DICE_FIELD) else (Hint("enter", "next/enter"),)
        self.hint = (
            *enters,
            Hint("up", "fields", also="down"),
            Hint("escape", "leaves it"),
            Hint("f2", "overrule"),
        )
        self.title_text = title
        # It was entered once: Enter alone may enter it anew.
        self.began = Filling(filling.form)

    def on_mount(self) -> None:
        for field in self.query(Input):
            if field.id == f"slot-{DICE_FIELD}":
                field.select_on_focus = False

    def close(self) -> None:
        """Closes the dialog: its order is entered, or no longer wanted."""
        if self.is_current:
            self.dismiss(None)

    def take(self, character: str) -> bool:
        if self._here() == DICE_FIELD and not self.session.sealed:
            if character == " " and self._select_die():
                return True
            if (is_digit(character) or character in FACE_KEYS) and self._beyond(character):
                self._select_die()
        taken = super().take(character)
        if taken and character in FACE_KEYS:
            self._select_die()
        return taken

    def _beyond(self, digit: str) -> bool:
        """Whether the die at the cursor has no face that goes on with a key: it is the next die's."""
        field = self.query_one(f"#slot-{DICE_FIELD}", Input)
        written = dice_words(field.value[: field.cursor_position])
        if not field.selection.is_empty or not written:
            return False
        here = written[-1]
        if not here.is_dice or here.end < field.cursor_position:
            return False
        order = self.fields.reading.order
        if order is None:
            return False
        asked = self.session.preview_order(evolve(order, dice=()), self.battle, figures=False).dice
        asked = asked[len(written) - 1 : len(written)]
        return digit in FACE_KEYS or any(int(here.text + digit) > die.most for die in asked)

    def _focus(self, name: str) -> None:
        super()._focus(name)
        if name == DICE_FIELD:
            self.query_one(f"#slot-{DICE_FIELD}", Input).selection = Selection(0, 0)
            self._select_die()

    def _select_die(self) -> bool:
        """Selects the next die behind the cursor, so that typing replaces it; whether there is one."""
        field = self.query_one(f"#slot-{DICE_FIELD}", Input)
        behind = max(field.selection)
        words = dice_words(field.value)
        found = next((word for word in words if word.is_dice and word.start >= behind), None)
        if found is not None:
            field.selection = Selection(found.start, found.end)
        return found is not None

    def _enter(self, orders: Sequence[Order], revision: Revision | None) -> None:
        fault = self.enter(orders[0], None)
        if fault:
            self._say(fault, "refused")


def amendment(number: int, old: Order, order: Order) -> Order:
    """The correction that makes an order of an entry.

    QfError in words where it would change nothing it says.
    """
    if order in (old, evolve(old, dice=())):
        raise QfError("nothing is changed: Esc leaves it as it is")
    if (order.dice or order.call is not None) and evolve(order, dice=(), call=None) == evolve(
        old, dice=(), call=None
    ):
        return Order(AMEND, {"n": number}, order.dice, call=order.call)
    # What a call threw is kept as dice are: it need not be called again.
    kept = evolve(order, call=None) if order.call == old.call else order
    return Order(AMEND, {"n": number, "order": kept})


def change_entry(controller: EntryController, number: int, type_on: Callable[[str], object]) -> None:
    """Opens an entry in force in its dialog, every slot and die filled in, on the battle before it.

    What no dialog can take is given to `type_on`, as a correction.
    """
    session, timeline = controller.session, controller.session.timeline
    order = timeline.versions[number].order
    before = timeline.battle_at(timeline.play_order.index(number))
    filling = refilled(before, order)
    if filling is None:
        type_on(f"{AMEND.word} {number} {order.resolved}")
        return

    def enter(dialog: AmendDialog, new: Order) -> str:
        if order.dice and filling.form.dice and not dialog.filling.text(DICE_FIELD).strip():
            return f"{REFUSED} dice left out are kept: to throw them anew, strike the entry and insert it"
        try:
            correction = amendment(number, order, new)
        except QfError as fault:
            return f"{REFUSED} {fault}"
        return controller.enter(correction, done=dialog.close).text

    title = f"Change entry {number} · {filling.form.usage}"
    dialog = AmendDialog(session, filling, enter, title, before, forced=order.forced)
    controller.screen.app.push_screen(dialog)
