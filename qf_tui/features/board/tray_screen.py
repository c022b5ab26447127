"""The tray in the console: players' proposals and declarations, and the umpire's answers to them."""

from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import partial
from pathlib import Path
from secrets import token_hex

from textual import on
from textual.content import Content

from qf_tui.console.entry.bar import MessageLine, OrderBar
from qf_tui.console.entry.controller import Attempt, EntryController, attempt
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
        self._known: dict[str, WeighedProposal] = {}
        self._known_of: object = None
        self._tried: object = None

    @property
    def links(self) -> Links:
        return load_links_with_seats(self.save, self.session.battle)

    def weigh(self, proposal: Proposal) -> WeighedProposal:
        """Return a proposal with the result that it would have now; cached until battle or tray change."""
        now = self.session.timeline, self.tray.state
        if self._known_of != now:
            self._known, self._known_of = {}, now
        if proposal.id not in self._known:
            self._known[proposal.id] = self.tray.weigh(proposal)
        return self._known[proposal.id]

    def enter_rolls(self) -> None:
        """Enter the owed rolls that are as their players saw them, if the umpire allows that."""
        rolls = tuple(each.id for each in self.tray.waiting if each.saw.dice)
        now = (self.session.timeline, rolls, self.links.rolls) if rolls else None
        if now is None or now == self._tried:
            return
        if now[-1]:
            for weighed in self.tray.list_owed_as_seen():
                if self.controller.enter_made(partial(self.tray.let_in, weighed)).entered is None:
                    break
        self._tried = (self.session.timeline, *now[1:])

    def enter_all(self, each: Iterator[Revision]) -> tuple[int, Attempt]:
        """Enter proposals one after another, then show them all.

        Returns:
            The number of proposals entered, and the attempt that ended it.
        """
        session, screen = self.session, self.controller.screen
        before, count = session.battle, 0
        table: list[tuple[str, str]] = []
        while (tried := attempt(lambda: next(each, None))).entered is not None:
            count += 1
            table += list_table_corrections(session.system, tried.entered)
        if tried.lost:
            screen.alarm(tried.text)
        if count:
            screen.show()
            screen.show_events(list_events(session.system, before, session.battle))
        if table:
            from qf_tui.console.reading.announcements import TableChanges

            title = "On the table, after what was let in"
            screen.app.push_screen(TableChanges(title, session.battle, tuple(table)))
        return count, tried

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
                part = Proposal(build_part_id("", 0), seat.id, seat.name, (reading.order.line,))
                if findings := self.tray.weigh(part).findings:
                    raise OrderRefused(*findings)
                orders.append(reading.order.resolved)
            self.tray.declare_for(Proposal(token_hex(ID_BYTES), seat.id, seat.name, tuple(orders)))
        except QfError as fault:
            return str(fault)
        return ""


class TrayScreen(PickScreen[Proposal]):
    """The screen of waiting proposals with their present results, and of who has declared.

    It returns the proposal of a roll whose call the umpire must type.
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
        self._another = False

    def on_mount(self) -> None:
        super().on_mount()
        self.show()

    def on_screen_resume(self) -> None:
        """Keep the old list after a dialog closes, so that a second Enter does not act on a new row."""
        listed = self._listed
        self.look()
        self._listed = listed

    def render_headline(self) -> Content:
        session = self.desk.session
        return literal(f" The tray   {format_phase(session.system, session.battle)}", "bold $primary")

    def show(self, key: Hashable = "") -> None:
        """List all faults, declarations and proposals."""
        self.show_title(self.render_headline())
        self.picks.show((*self._list_faults(), *self._list_declaring(), *self._list_proposed()), key)
        if self.is_current:
            self._listed = self._list_ids()
        self.show_details()

    def _list_ids(self) -> frozenset[str]:
        return frozenset(each.id for each in self.tray.waiting)

    def look(self) -> None:
        """List everything again after others have proposed or a roll has entered."""
        was = self.picks.key
        self.show()
        self._another = self._another or self.picks.key != was

    @on(PickList.Moved)
    def accept_cursor(self) -> None:
        """Take the row under the cursor as the chosen one, because a key moved the cursor there."""
        self._another, self._listed = False, self._list_ids()

    def _list_faults(self) -> Iterator[PickLine]:
        """Yield the faults of the files; an open page of a phone sends lost proposals again."""
        self.desk.faults_read = self.tray.faults
        if self.tray.faults:
            yield build_heading_line("Damage: players whose proposal is missing send it again")
            yield from (build_text_line(fault, "$text-warning") for fault in self.tray.faults)

    def _list_declaring(self) -> Iterator[PickLine]:
        opened = self.tray.state.open_round
        if opened is None:
            return
        yield build_heading_line(f"Declarations are open: {opened.phase}")
        made = self.tray.state.find_declared(opened.round)
        for seat in self.desk.links.seats:
            state = "declared" if seat.id in made else "not yet"
            yield build_text_line(f"{fit(seat.name, NAME)}  {state}", key=seat.id)

    def _list_proposed(self) -> Iterator[PickLine]:
        waiting = self.tray.waiting
        yield build_heading_line(f"Waiting: {len(waiting)}" if waiting else "Nothing waits")
        for proposal in waiting:
            yield PickLine(proposal.id, partial(self._draw_line, proposal))

    def _draw_line(self, proposal: Proposal, width: int) -> Content:
        weighed = self.desk.weigh(proposal)
        sign, look = ("✓", "$text-success") if weighed.as_shown else ("?", "$text-warning")
        if not weighed.accepted:
            sign, look = REFUSED, "$text-error"
        name, order = min(NAME, width // 5), max(8, width // 2 - NAME)
        rest = cut(format_proposal_outcome(self.desk.session, weighed), max(0, width - name - order - 6))
        return Content.assemble(
            literal(f"{sign} ", f"bold {look}"),
            literal(f"{fit(proposal.by, name)}  ", "bold"),
            literal(f"{fit(format_weighed_proposal(self.desk.session, weighed), order)}  "),
            literal(rest, look),
        )

    @property
    def proposal(self) -> Proposal | None:
        """The proposal under the cursor."""
        return next((each for each in self.tray.waiting if each.id == self.picks.key), None)

    @property
    def seat(self) -> Seat | None:
        """The player under the cursor, if declarations are open."""
        if self.tray.round is None:
            return None
        return next((seat for seat in self.desk.links.seats if seat.id == self.picks.key), None)

    def find_title(self, action: Action) -> str:
        name, shown = action.call.name, self._shown
        if name in ("declare", "reveal"):
            return action.title if self.seat is not None else ""
        if name in ("send_back", "send_back_at_once", "let_in"):
            return action.title if shown is not None else ""
        return "" if name == "force" and not self._forceable else action.title

    @property
    def _forceable(self) -> bool:
        """True if only rules that can be overruled refuse the proposal under the cursor."""
        return self._shown is not None and is_forcible(self._shown.findings)

    def show_details(self) -> None:
        super().show_details()
        self.query_one(KeyBar).refresh()

    def render_about(self, width: int) -> Iterable[Content]:
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
        room = (self.query_one("#about").size.height or len(parts) + 1) - bool(self.notice)
        yield from parts[: room - 1] if len(parts) > room else parts
        if len(parts) > room:
            yield literal(f" … {len(parts) - room + 1} more lines", "$quiet")

    def _enter(self, weighed: WeighedProposal) -> None:
        """Enter the proposal shown, unless the battle has changed since."""
        if weighed.revision is not None and weighed.revision.before is not self.desk.session.timeline:
            self.show()
            self.say("the battle has changed: this would be the result now")
            return
        tried = self.desk.controller.enter_made(partial(self.tray.let_in, weighed))
        self._report_result(tried, "let in")

    def _report_result(self, tried: Attempt, said: str) -> None:
        self.show()
        self.say(tried.text or said)
        if self.desk.controller.to_call and not self.tray.waiting and self.is_current:
            # The call is typed on the screen of the logs.
            self.dismiss(None)

    def _has_slipped(self) -> bool:
        """Return whether the row under the cursor came there without a key, and warn about it once."""
        another, self._another = self._another, False
        if another:
            self.say("the cursor moved here by itself: press again if you mean it")
        return another

    def action_let_in(self) -> None:
        weighed = self._shown
        if self._has_slipped():
            return
        if weighed is None:
            self.action_declare()
        elif self.tray.is_call_needed(weighed):
            self.dismiss(weighed.proposal)
        elif not weighed.accepted:
            over = (
                f"   {find_screen_key(self, 'tray.force')} overrules" if is_forcible(weighed.findings) else ""
            )
            self.say(f"{REFUSED} it cannot enter{over}")
        else:
            self._enter(weighed)

    def action_force(self) -> None:
        shown = self._shown
        if shown is None or not self._forceable:
            self.say("nothing to overrule: it is not only a rule that refuses it")
            return

        def enter() -> None:
            order = force_order(self.desk.session.read(shown.proposal.line).require_order())
            self._enter(WeighedProposal(shown.proposal, order, self.desk.session.work_out(order)))

        self._call_safely(enter)

    def _call_safely(self, act: Callable[[], object]) -> bool:
        """Call a function, and show the reason if it is refused.

        Returns:
            True if it was not refused.
        """
        try:
            act()
        except QfError as fault:
            self.say(f"{REFUSED} {fault}")
            return False
        return True

    def action_let_in_all(self) -> None:
        self._another, behind = False, len(self._list_ids() - self._listed)
        self._enter_each(self.tray.let_in_as_shown(self._listed))
        if behind:
            self.say(f"{self.notice}; came while the list was covered, look at them first: {behind}")

    def _enter_each(self, each: Iterator[Revision]) -> None:
        count, tried = self.desk.enter_all(each)
        left = len(self.tray.waiting)
        self._report_result(tried, f"let in: {count}" + (f"; left for you: {left}" if left else ""))

    def action_send_back(self) -> None:
        proposal = self.proposal
        if proposal is None:
            return

        def take(text: str) -> str:
            try:
                self.tray.send_back(proposal, text.strip())
                self.desk.controller.origins = {}
            except QfError as fault:
                return str(fault)
            self.call_after_refresh(self._report_result, Attempt(), f"sent back to {proposal.by}")
            return ""

        self.app.push_screen(
            TextEntry(
                f"Send back to {proposal.by}: why?", self._format_objection(proposal), take, "send back"
            )
        )

    def _format_objection(self, proposal: Proposal) -> str:
        """Format why a proposal does not enter, for its player, or return ""."""
        weighed = self.desk.weigh(proposal)
        return next((finding.text for finding in weighed.findings), weighed.differs)

    def action_send_back_at_once(self) -> None:
        if self._shown is None or self._has_slipped():
            return
        proposal, why = self._shown.proposal, self._format_objection(self._shown.proposal) or ASK
        if self._call_safely(lambda: self.tray.send_back(proposal, why)):
            self._report_result(Attempt(), f"sent back to {proposal.by}: {why}")

    def action_why(self) -> None:
        if self._shown is None or not explain_refusal(
            self.app, self.desk.session.system, self._shown.findings
        ):
            self.say("no clause refuses it")

    def action_next(self) -> None:
        """End the phase in the same way as on the logs; questions that block it are answered there."""
        if self.tray.round is not None:
            self.say(f"declarations are open: close them first, {find_screen_key(self, 'tray.declarations')}")
            return
        self.desk.controller.end_phase(self._answer, self._show_new_phase)

    def _answer(self) -> None:
        self.dismiss(None)
        self.desk.controller.screen.query_one(OrderBar).action_answer()

    def _show_new_phase(self, tried: Attempt) -> None:
        """Show the new phase; an extra Enter does nothing there."""
        self._another = tried.entered is not None
        self.show()
        # This screen hides the message line of the logs.
        self.say(tried.text or self.desk.controller.screen.query_one(MessageLine).text)

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
            self._close()
            return
        lines = [literal(f"{name} has not declared") for name in missing]
        ask = Panel("Close declarations?", lines, build_question_hints("closes them"))
        show_panel(self.app, ask, self._close)

    def _close(self) -> None:
        opened = self.tray.round
        if opened is not None and self._call_safely(self.tray.close_round):
            self._enter_each(self.tray.let_in_declared(opened.round))

    def action_declare(self) -> None:
        """Ask for the orders of the player under the cursor."""
        seat = self.seat
        if seat is None:
            self.say("put the cursor on a player while declarations are open")
            return

        def take(text: str) -> str:
            fault = self.desk.declare(seat, text)
            if not fault:
                self.call_after_refresh(self.show, seat.id)
            return fault

        self.app.push_screen(
            TextEntry(f"{seat.name} declares: orders, with {AND} between them", "", take, "declare")
        )

    def action_reveal(self) -> None:
        seat = self.seat
        if seat is None:
            return

        def look() -> None:
            found = self.tray.reveal_declaration(seat.id)
            if found is None:
                self.say(f"{seat.name} has not declared")
                return
            lines = [literal(order) for order in found.orders] or [literal("nothing")]
            self.app.push_screen(Panel(f"{found.by} has declared", lines))

        self._call_safely(look)
