"""The console's screen of the tray: players' proposals and declarations, and the umpire's answers to them."""

from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import partial
from pathlib import Path
from secrets import token_hex

from textual import on
from textual.content import Content

from qf_tui.console.entry.bar import MessageLine, OrderBar
from qf_tui.console.entry.controller import Attempt, EntryController, try_to_enter
from qf_tui.console.reading.document_view import render_blocks
from qf_tui.console.reading.source import REFUSED, explain_refusal
from qf_tui.console.widgets.actions import Action
from qf_tui.console.widgets.fields import TextEntry
from qf_tui.console.widgets.keys import KeyBar, build_question_hints, find_screen_key
from qf_tui.console.widgets.panel import Panel, show_panel
from qf_tui.console.widgets.picklist import (
    PickLine,
    PickList,
    PickScreen,
    build_heading_line,
    build_text_line,
)
from qf_tui.console.widgets.text import cut, fit, literal, wrap_hanging
from qf_tui.core.errors import OrderRefused, QfError, is_forcible
from qf_tui.core.grammar.reader import force_order
from qf_tui.core.revisions import Revision
from qf_tui.core.schedule import list_events
from qf_tui.document.acts import format_phase
from qf_tui.document.glance import list_table_corrections
from qf_tui.features.board.actions import TRAY
from qf_tui.features.board.document import (
    format_proposal_outcome,
    format_weighed_proposal,
    list_proposal_lines,
)
from qf_tui.features.board.links import Links, Seat, load_links_with_seats
from qf_tui.features.board.tray import Tray, WeighedProposal
from qf_tui.features.board.tray_files import Proposal, build_part_id

NAME = 16
"""Cells of a player's name."""
ID_BYTES = 16
ASK = "ask the umpire"
"""Reason sent back with a proposal if the umpire gives none and there is no finding."""
AND = ";"
"""Separator between the orders of a declaration."""


class TrayDesk:
    """The umpire's end of the tray: it weighs proposals, lets them in and sends them back at his command.

    Attributes:
        faults_read: Faults of the files that the umpire has seen in the tray.
    """

    def __init__(self, tray: Tray, controller: EntryController, save: Path) -> None:
        self.tray, self.controller, self.session, self.save = tray, controller, controller.session, save
        self.faults_read: tuple[str, ...] = ()
        self._weighed: dict[str, WeighedProposal] = {}
        # The battle and tray that `_weighed` was worked out on.
        self._weighed_on: object = None
        # The battle, rolls and setting for which rolls were entered last.
        self._tried: object = None

    @property
    def links(self) -> Links:
        """The stored links, with a seat for each player."""
        return load_links_with_seats(self.save, self.session.battle)

    def weigh(self, proposal: Proposal) -> WeighedProposal:
        """Return a proposal with the result that it would have now; cached until battle or tray change."""
        state = self.session.timeline, self.tray.state
        if self._weighed_on != state:
            self._weighed, self._weighed_on = {}, state
        if proposal.id not in self._weighed:
            self._weighed[proposal.id] = self.tray.weigh(proposal)
        return self._weighed[proposal.id]

    def enter_rolls(self) -> None:
        """Enter the owed rolls that have not changed since their players saw them, if the umpire allows it.

        Nothing is tried again until the battle, the waiting rolls or the setting has changed.
        """
        roll_ids = tuple(proposal.id for proposal in self.tray.waiting if proposal.saw.dice)
        if not roll_ids:
            return
        may_enter = self.links.rolls
        if (self.session.timeline, roll_ids, may_enter) == self._tried:
            return
        if may_enter:
            # Each roll is weighed only after the one before has entered.
            for weighed in self.tray.list_owed_as_seen():
                if self.controller.record_with(partial(self.tray.let_in, weighed)).entered is None:
                    break
        # The timeline after the entries: they do not count as a change.
        self._tried = self.session.timeline, roll_ids, may_enter

    def enter_all(self, entries: Iterator[Revision]) -> tuple[int, Attempt]:
        """Enter proposals one after another until none is left or one is refused, then show the results.

        `entries` enters one proposal each time that it is asked for the next.

        Returns:
            The number of proposals entered, and the last attempt, which entered nothing.
        """
        session, screen = self.session, self.controller.screen
        battle_before, count = session.battle, 0
        table_corrections: list[tuple[str, str]] = []
        attempt = try_to_enter(lambda: next(entries, None))
        while attempt.entered is not None:
            count += 1
            table_corrections += list_table_corrections(session.system, attempt.entered)
            attempt = try_to_enter(lambda: next(entries, None))
        if attempt.not_recorded:
            screen.alarm(attempt.text)
        if count:
            screen.show()
            screen.show_events(list_events(session.system, battle_before, session.battle))
        if table_corrections:
            from qf_tui.console.reading.announcements import TableChanges

            title = "On the table, after what was let in"
            screen.app.push_screen(TableChanges(title, session.battle, tuple(table_corrections)))
        return count, attempt

    def declare(self, seat: Seat, text: str) -> str:
        """Store the orders that the umpire typed for a player, separated by `;`.

        Returns:
            The reason why they cannot be stored, or "".
        """
        orders: list[str] = []
        try:
            for line in filter(None, map(str.strip, text.split(AND))):
                reading = self.session.read_typed(line)
                if reading.order is None:
                    raise OrderRefused(*reading.findings)
                # Check it in the same way as after the round is closed.
                part = Proposal(build_part_id(id="", place=0), seat.id, seat.name, (reading.order.line,))
                if findings := self.tray.weigh(part).findings:
                    raise OrderRefused(*findings)
                orders.append(reading.order.resolved)
            self.tray.declare_for(Proposal(token_hex(ID_BYTES), seat.id, seat.name, tuple(orders)))
        except QfError as fault:
            return str(fault)
        return ""


class TrayScreen(PickScreen[Proposal]):
    """The screen of waiting proposals with their present results, and of who has declared.

    It returns the proposal of a roll whose call the umpire must type, or None.
    """

    CSS = """
    TrayScreen #list { height: 2fr; }
    TrayScreen #about { height: 1fr; }
    """
    places = (TRAY,)

    def __init__(self, desk: TrayDesk) -> None:
        super().__init__()
        self.desk, self.tray = desk, desk.tray
        # The proposals listed when the umpire pressed a key; later ones must not enter with them.
        self._listed: frozenset[str] = frozenset()
        self._shown: WeighedProposal | None = None
        # True if another row came under the cursor without a key, so that Enter cannot mean it.
        self._row_changed = False

    def on_mount(self) -> None:
        super().on_mount()
        self.show()

    def on_screen_resume(self) -> None:
        """List everything again after a dialog has closed, and note if the cursor is on another row."""
        # Proposals that came under the dialog do not count as listed: the umpire has not seen them yet.
        listed_before = self._listed
        self.look()
        self._listed = listed_before

    def render_headline(self) -> Content:
        session = self.desk.session
        return literal(f" The tray   {format_phase(session.system, session.battle)}", "bold $primary")

    def show(self, key: Hashable = "") -> None:
        """List all faults, declarations and proposals; move the cursor to the row with `key`, if given."""
        self.show_title(self.render_headline())
        self.picks.show((*self._list_faults(), *self._list_declaring(), *self._list_proposed()), key)
        # While another screen covers the list, the umpire cannot see new proposals.
        if self.is_current:
            self._listed = self._list_waiting_ids()
        self.show_details()

    def _list_waiting_ids(self) -> frozenset[str]:
        return frozenset(proposal.id for proposal in self.tray.waiting)

    def look(self) -> None:
        """List everything again, after others have proposed or a roll has entered.

        Note if this has put another row under the cursor.
        """
        key_before = self.picks.key
        self.show()
        self._row_changed = self._row_changed or self.picks.key != key_before

    @on(PickList.Moved)
    def accept_cursor(self) -> None:
        """Accept the row under the cursor as chosen, because a key moved the cursor there."""
        self._row_changed, self._listed = False, self._list_waiting_ids()

    def _list_faults(self) -> Iterator[PickLine]:
        """Yield the faults of the files, and note that the umpire has seen them."""
        self.desk.faults_read = self.tray.faults
        if self.tray.faults:
            yield build_heading_line("Damage: players whose proposal is missing send it again")
            yield from (build_text_line(fault, "$text-warning") for fault in self.tray.faults)

    def _list_declaring(self) -> Iterator[PickLine]:
        """Yield each player with whether he has declared; nothing if no declarations are open."""
        open_round = self.tray.state.open_round
        if open_round is None:
            return
        yield build_heading_line(f"Declarations are open: {open_round.phase}")
        declarations = self.tray.state.find_declared(open_round.round)
        for seat in self.desk.links.seats:
            state = "declared" if seat.id in declarations else "not yet"
            yield build_text_line(f"{fit(seat.name, NAME)}  {state}", key=seat.id)

    def _list_proposed(self) -> Iterator[PickLine]:
        waiting = self.tray.waiting
        yield build_heading_line(f"Waiting: {len(waiting)}" if waiting else "Nothing waits")
        for proposal in waiting:
            yield PickLine(proposal.id, partial(self._draw_line, proposal))

    def _draw_line(self, proposal: Proposal, width: int) -> Content:
        """Draw a proposal: its sign, player and order, and its result or the first objection."""
        weighed = self.desk.weigh(proposal)
        if not weighed.accepted:
            sign, style = REFUSED, "$text-error"
        else:
            sign, style = ("✓", "$text-success") if weighed.as_shown else ("?", "$text-warning")
        name_width, order_width = min(NAME, width // 5), max(8, width // 2 - NAME)
        # 6 cells are for the sign and the blanks between the parts.
        room = max(0, width - name_width - order_width - 6)
        return Content.assemble(
            literal(f"{sign} ", f"bold {style}"),
            literal(f"{fit(proposal.by, name_width)}  ", "bold"),
            literal(f"{fit(format_weighed_proposal(self.desk.session, weighed), order_width)}  "),
            literal(cut(format_proposal_outcome(self.desk.session, weighed), room), style),
        )

    @property
    def proposal(self) -> Proposal | None:
        """The proposal under the cursor, or None."""
        return next((proposal for proposal in self.tray.waiting if proposal.id == self.picks.key), None)

    @property
    def seat(self) -> Seat | None:
        """The player under the cursor, or None; always None if no declarations are open."""
        if self.tray.round is None:
            return None
        return next((seat for seat in self.desk.links.seats if seat.id == self.picks.key), None)

    def find_title(self, action: Action) -> str:
        """Return the title of an action in the key bar, or "" if it can do nothing now."""
        name, weighed = action.call.name, self._shown
        if name in ("declare", "reveal"):
            return action.title if self.seat is not None else ""
        if name in ("send_back", "send_back_at_once", "let_in"):
            return action.title if weighed is not None else ""
        return "" if name == "force" and not self._forceable else action.title

    @property
    def _forceable(self) -> bool:
        """True if only rules that can be overruled refuse the proposal under the cursor."""
        return self._shown is not None and is_forcible(self._shown.findings)

    def show_details(self) -> None:
        super().show_details()
        self.query_one(KeyBar).refresh()

    def render_about(self, width: int) -> Iterable[Content]:
        """Yield the message of the last key, and all lines about the proposal under the cursor.

        Keys act on the proposal shown here, which is kept in `_shown`.
        """
        if self.notice:
            yield literal(f" {cut(self.notice, width - 1)}", "bold")
        self._shown = None
        if self.proposal is None:
            if self.seat is not None:
                yield literal(f" {self.seat.name}: the declaration is not shown before declarations close")
            return
        self._shown = self.desk.weigh(self.proposal)
        lines = render_blocks(list_proposal_lines(self.desk.session, self._shown))
        parts = [Content.assemble(" ", part) for line in lines for part in wrap_hanging(line, width - 1)]
        height = self.query_one("#about").size.height
        room = height - 1 if self.notice else height
        # Before the first layout the height is 0: then nothing is cut off.
        if height == 0 or len(parts) <= room:
            yield from parts
        else:
            yield from parts[: room - 1]
            yield literal(f" … {len(parts) - room + 1} more lines", "$quiet")

    def _enter(self, weighed: WeighedProposal) -> None:
        """Enter the proposal shown, unless the battle has changed since."""
        if weighed.revision is not None and weighed.revision.before is not self.desk.session.timeline:
            self.show()
            self.say("the battle has changed: this would be the result now")
            return
        last_attempt = self.desk.controller.record_with(partial(self.tray.let_in, weighed))
        self._report_result(last_attempt, "let in")

    def _report_result(self, last_attempt: Attempt, message: str) -> None:
        """Show the tray and what happened: the text of the last attempt, or `message` if it has none.

        If a call must be typed and nothing waits here, return to the logs, where it is typed.
        """
        self.show()
        self.say(last_attempt.text or message)
        if self.desk.controller.to_call and not self.tray.waiting and self.is_current:
            self.dismiss(None)

    def _warn_if_row_changed(self) -> bool:
        """Return True once, with a warning, if another row came under the cursor without a key press."""
        row_changed, self._row_changed = self._row_changed, False
        if row_changed:
            self.say("the cursor moved here by itself: press again if you mean it")
        return row_changed

    def action_let_in(self) -> None:
        """Enter the proposal under the cursor; on a player, type a declaration for him.

        If its dice need a call, return to the logs, where the call is typed.
        """
        weighed = self._shown
        if self._warn_if_row_changed():
            return
        if weighed is None:
            self.action_declare()
        elif self.tray.is_call_needed(weighed):
            self.dismiss(weighed.proposal)
        elif not weighed.accepted:
            hint = (
                f"   {find_screen_key(self, 'tray.force')} overrules" if is_forcible(weighed.findings) else ""
            )
            self.say(f"{REFUSED} it cannot enter{hint}")
        else:
            self._enter(weighed)

    def action_force(self) -> None:
        """Enter the proposal under the cursor although rules refuse it, if these can be overruled."""
        weighed = self._shown
        if weighed is None or not self._forceable:
            self.say("nothing to overrule: it is not only a rule that refuses it")
            return

        def enter() -> None:
            order = force_order(self.desk.session.read(weighed.proposal.line).require_order())
            self._enter(WeighedProposal(weighed.proposal, order, self.desk.session.work_out(order)))

        self._call_safely(enter)

    def _call_safely(self, call: Callable[[], object]) -> bool:
        """Call a function, and show the reason if it is refused.

        Returns:
            True if it was not refused.
        """
        try:
            call()
        except QfError as fault:
            self.say(f"{REFUSED} {fault}")
            return False
        return True

    def action_let_in_all(self) -> None:
        """Enter all listed proposals that are as their players saw them; those not listed yet stay."""
        self._row_changed = False
        unseen_count = len(self._list_waiting_ids() - self._listed)
        self._enter_each(self.tray.let_in_as_shown(self._listed))
        if unseen_count:
            self.say(f"{self.notice}; came while the list was covered, look at them first: {unseen_count}")

    def _enter_each(self, entries: Iterator[Revision]) -> None:
        """Enter proposals one by one, and show how many entered and how many are left."""
        count, last_attempt = self.desk.enter_all(entries)
        waiting_count = len(self.tray.waiting)
        self._report_result(
            last_attempt, f"let in: {count}" + (f"; left for you: {waiting_count}" if waiting_count else "")
        )

    def action_send_back(self) -> None:
        """Ask for a reason, and send the proposal under the cursor back with it."""
        proposal = self.proposal
        if proposal is None:
            return

        def send(text: str) -> str:
            try:
                self.tray.send_back(proposal, text.strip())
                # A roll entered from now on does not come from a player's proposal.
                self.desk.controller.origins = {}
            except QfError as fault:
                return str(fault)
            self.call_after_refresh(self._report_result, Attempt(), f"sent back to {proposal.by}")
            return ""

        self.app.push_screen(
            TextEntry(
                f"Send back to {proposal.by}: why?", self._format_objection(proposal), send, "send back"
            )
        )

    def _format_objection(self, proposal: Proposal) -> str:
        """Format the first reason against a proposal for its player, or return ""."""
        weighed = self.desk.weigh(proposal)
        return next((finding.text for finding in weighed.findings), weighed.differs)

    def action_send_back_at_once(self) -> None:
        """Send the proposal under the cursor back; the reason is the first objection to it, or else `ASK`."""
        if self._shown is None or self._warn_if_row_changed():
            return
        proposal = self._shown.proposal
        why = self._format_objection(proposal) or ASK
        if self._call_safely(lambda: self.tray.send_back(proposal, why)):
            self._report_result(Attempt(), f"sent back to {proposal.by}: {why}")

    def action_why(self) -> None:
        """Show the clauses that refuse the proposal under the cursor."""
        if self._shown is None or not explain_refusal(
            self.app, self.desk.session.system, self._shown.findings
        ):
            self.say("no clause refuses it")

    def action_next(self) -> None:
        """End the phase in the same way as on the logs; refuse while declarations are open.

        If the umpire chooses to answer owed questions first, return to the logs.
        """
        if self.tray.round is not None:
            self.say(f"declarations are open: close them first, {find_screen_key(self, 'tray.declarations')}")
            return
        self.desk.controller.end_phase(self._leave_to_answer, self._show_new_phase)

    def _leave_to_answer(self) -> None:
        """Return to the logs, and open the first question there."""
        self.dismiss(None)
        self.desk.controller.screen.query_one(OrderBar).action_answer()

    def _show_new_phase(self, phase_end: Attempt) -> None:
        """Show the new phase, or why the phase did not end.

        If it ended, one Enter is ignored, because it may have been meant for the end of the phase.
        """
        self._row_changed = phase_end.entered is not None
        self.show()
        # This screen hides the message line of the logs.
        self.say(phase_end.text or self.desk.controller.screen.query_one(MessageLine).text)

    # Declarations.

    def action_declarations(self) -> None:
        """Open declarations, or close them; ask first if a player has not declared."""
        if self.tray.round is None:
            if self._call_safely(self.tray.open_round):
                self.show()
                self.say("declarations are open")
            return
        missing = self.tray.collect_news((seat.id, seat.name) for seat in self.desk.links.seats).missing
        if not missing:
            self._close_declarations()
            return
        lines = [literal(f"{name} has not declared") for name in missing]
        question = Panel("Close declarations?", lines, build_question_hints("closes them"))
        show_panel(self.app, question, self._close_declarations)

    def _close_declarations(self) -> None:
        """Close the declarations, and enter their orders."""
        open_round = self.tray.round
        if open_round is not None and self._call_safely(self.tray.close_round):
            self._enter_each(self.tray.let_in_declared(open_round.round))

    def action_declare(self) -> None:
        """Ask for the orders of the player under the cursor, and store them as his declaration."""
        seat = self.seat
        if seat is None:
            self.say("put the cursor on a player while declarations are open")
            return

        def declare(text: str) -> str:
            fault = self.desk.declare(seat, text)
            if not fault:
                self.call_after_refresh(self.show, seat.id)
            return fault

        self.app.push_screen(
            TextEntry(f"{seat.name} declares: orders, with {AND} between them", "", declare, "declare")
        )

    def action_reveal(self) -> None:
        """Show what the player under the cursor has declared; the file of replies records it."""
        seat = self.seat
        if seat is None:
            return

        def reveal() -> None:
            declaration = self.tray.reveal_declaration(seat.id)
            if declaration is None:
                self.say(f"{seat.name} has not declared")
                return
            lines = [literal(order) for order in declaration.orders] or [literal("nothing")]
            self.app.push_screen(Panel(f"{declaration.by} has declared", lines))

        self._call_safely(reveal)
