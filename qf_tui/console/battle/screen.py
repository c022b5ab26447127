"""The battle screen: the logs, what is owed, the latest acts, and the order bar. Keys come from the table.

What a battle needs only now and then (history, what is read) is imported where it is first asked for: the screen is
there sooner.
"""

from collections.abc import Callable, Mapping

from attrs import evolve
from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.reactive import Reactive
from textual.screen import Screen
from textual.widgets import Static

from qf_tui.console.battle.asking import hand_entries, slot_prefilled
from qf_tui.console.battle.desk import Desk
from qf_tui.console.battle.ending import end_phase
from qf_tui.console.battle.footer import Footer, footer
from qf_tui.console.battle.latest import Latest
from qf_tui.console.battle.owed import OwedLine
from qf_tui.console.battle.phaseline import PhaseLine
from qf_tui.console.battle.proposing import propose
from qf_tui.console.keys import BAR, GRID, Action, keymap, press
from qf_tui.console.logs.arranging import Show
from qf_tui.console.logs.finding import Finding
from qf_tui.console.logs.grid import Grid
from qf_tui.console.logs.sheet import Card
from qf_tui.console.orders.again import again
from qf_tui.console.orders.dialog import OrderDialog
from qf_tui.console.orders.faces import are_dice
from qf_tui.console.orders.filling import Filling
from qf_tui.console.orders.foreseeing import REFUSED, dice_in_doubt, line_of
from qf_tui.console.orders.orderbar import OrderBar
from qf_tui.console.panel import Panel, show_panel
from qf_tui.console.reading.why import refusal_lines
from qf_tui.console.text import cut, literal
from qf_tui.console.theme import turn_theme
from qf_tui.core.common_forms import all_forms
from qf_tui.session import Session
from qf_tui.session.telling import undo_text

LEAST = (80, 24)
CARD_FROM = 180
"""Cells of width from which the card stands beside the logs."""


class BattleScreen(Screen[None]):
    """One open battle. While nothing has the keyboard, keys are for the logs."""

    # Nothing gets the keyboard by itself: a grid that had it would be drawn whole whenever it lost it to the bar.
    AUTO_FOCUS = ""
    # Who has the keyboard is told by the widgets themselves; Textual would draw all of the screen for it.
    focused = Reactive(None, repaint=False)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.keys: Mapping[str, Mapping[str, Action]] = {
            GRID: keymap(GRID, session.system.forms),
            BAR: keymap(BAR),
        }
        self.desk = Desk(session, self)
        self.put_aside: Filling | None = None
        self.finding: Finding | None = None
        self._alarmed = ""

    def compose(self) -> ComposeResult:
        session = self.session
        yield PhaseLine(session, id="phases")
        with Horizontal(id="middle"):
            yield Grid(session.system, session.battle, id="grid")
            yield Card(id="card")
        yield Latest(session.timeline, id="latest")
        yield OwedLine(session.system, session.battle, id="owed")
        yield OrderBar(session, id="orders")
        yield Static(Content(""), id="alarm")
        yield Footer(id="keys")
        yield Static(Content(""), id="small")

    def on_mount(self) -> None:
        self.set_focus(None)
        self.alarm(self.session.notice)
        self.show()

    @property
    def grid(self) -> Grid:
        return self.query_one("#grid", Grid)

    @property
    def orders(self) -> OrderBar:
        return self.query_one("#orders", OrderBar)

    @property
    def place(self) -> str:
        """Where the keyboard is."""
        return GRID if self.focused is None else BAR

    async def on_key(self, event: events.Key) -> None:
        if self.finding is None:
            await press(self, self.keys[self.place], event)
            return
        event.stop()
        event.prevent_default()
        self.finding.take(event)
        if self.finding.ended:
            self.finding = None
            self.orders.look_ahead()

    def on_resize(self, event: events.Resize) -> None:
        width, height = event.size
        small = width < LEAST[0] or height < LEAST[1]
        self.set_class(small, "too-small")
        text = f"The console needs {LEAST[0]} x {LEAST[1]} characters; this window has {width} x {height}."
        self.query_one("#small", Static).update(literal(text))
        self.query_one("#latest").styles.height = (5 if height < 30 else 7 if height < 45 else 10) + 1
        self.query_one("#card").display = width >= CARD_FROM
        self.call_after_refresh(self.show_keys)
        self.call_after_refresh(self.show_card)

    def on_descendant_focus(self) -> None:
        self.show_keys()

    def on_descendant_blur(self) -> None:
        self.show_keys()

    def show(self) -> None:
        """Draws the battle as it stands."""
        battle = self.session.battle
        self.query_one(PhaseLine).show()
        self.grid.show(battle)
        self.query_one(Latest).show(self.session.timeline)
        self.query_one(OwedLine).show(battle)
        self.show_card()
        self.show_keys()

    def show_card(self) -> None:
        card = self.query_one(Card)
        if card.display:
            card.show_ship(self.session.system, self.session.battle, self.grid.ship)

    def show_keys(self) -> None:
        undone = undo_text(self.session.timeline) if self.place == GRID else ""
        shown = footer(
            self.keys[self.place], self.session.system, self.session.battle, undone, self.size.width
        )
        self.query_one(Footer).show(shown)

    def on_phase_line_asked(self) -> None:
        self.action_jump()

    def on_owed_line_asked(self) -> None:
        self.action_answer()

    def on_grid_moved(self) -> None:
        self.show_card()

    def on_order_bar_asked(self) -> None:
        self.explain_refusal()

    def on_grid_chosen(self) -> None:
        self.action_edit()

    def alarm(self, text: str) -> None:
        """Shows a word that stays until it no longer holds, or with "" takes it away."""
        if text == self._alarmed:
            return
        self._alarmed = text
        widget = self.query_one("#alarm", Static)
        widget.display = bool(text)
        widget.update(literal(f" ‼ {text}") if text else Content(""))

    def say(self, text: str, tone: str = "", forceable: bool = False) -> None:
        """Says something in the line under the bar."""
        self.orders.say(text, tone, forceable)

    def panel(
        self, title: str, lines: list[Content], keys: str = "", then: Callable[[], object] | None = None
    ) -> None:
        """Shows lines to be read; `then` is done if the umpire says yes to them."""
        show_panel(self.app, Panel(title, lines, keys or "Enter or Esc closes"), then)

    def propose(self, title: str, lines: list[Content], then: Callable[[bool], object]) -> None:
        """Shows what a correction changes, to be done, kept as a branch, or left."""
        propose(self.app, title, lines, then)

    def action_submit(self) -> None:
        bar = self.orders
        text = bar.text.strip()
        if not text:
            if not bar.bring_back():
                self.action_put_by()
            return
        doubt = dice_in_doubt(self.session, bar.text, bar.key)
        if doubt:
            self.say(f"{REFUSED} {doubt}", "refused")
            return
        was_answer = bool(bar.key)
        bar.said = ""
        if self.desk.enter_and_say(line_of(self.session, bar.text, bar.key)).text:
            return
        bar.entered(text)
        bar.clear()
        bar.look_ahead_unless_said()
        if not (was_answer and bar.bring_back()):
            self.set_focus(None)

    def action_put_by(self) -> None:
        self.orders.put_by()
        self.orders.look_ahead()
        self.set_focus(None)

    def action_complete(self) -> None:
        self.orders.complete()

    def action_another(self) -> None:
        if not self._other_question(1):
            self.orders.older(1)

    def action_older(self) -> None:
        if not self._other_question(-1):
            self.orders.older(-1)

    def _other_question(self, step: int) -> bool:
        """Turns the digits in the bar to another owed roll, or the bar to another question; whether there is one."""
        bar, owed = self.orders, self.session.battle.owed
        if len(owed) < 2 or not (bar.key or are_dice(bar.text)):
            return False
        keys = [one.key for one in owed if bool(one.dice) or not are_dice(bar.text)]
        here = bar.key if bar.key in keys else keys[0]
        self._asked = keys[(keys.index(here) + step) % len(keys)]
        bar.ask(self._asked)
        bar.look_ahead()
        return True

    def action_type(self, digit: str) -> None:
        self.orders.put(digit)

    def action_bar(self) -> None:
        if self.put_aside is not None and not self.orders.stash:
            self.orders.stash, self.put_aside = self._text_of(self.put_aside), None
        if not self.orders.bring_back():
            self.orders.put("")

    def action_fresh(self) -> None:
        self.orders.put("")

    def _text_of(self, filling: Filling) -> str:
        return slot_prefilled(self.session, filling)

    def action_answer(self) -> None:
        """Opens the bar for the first owed question, or the one behind the one that it was opened for last."""
        owed = [one.key for one in self.session.battle.owed]
        if not owed:
            self.orders.say("nothing is owed")
            return
        last = self.orders.key or self._asked
        key = owed[(owed.index(last) + 1) % len(owed)] if last in owed else owed[0]
        self._asked = key
        self.orders.put("", key=key)
        self.orders.look_ahead()

    _asked = ""

    def action_let_go(self) -> None:
        """Drops what is half typed, in the bar or in a dialog."""
        dropped = self.orders.let_go() or self.put_aside is not None
        if not dropped and self.grid.arrangement.said:
            self.grid.rearrange(evolve(self.grid.arrangement, show=Show.ALL, letters=""))
        self.put_aside = None
        self.say("dropped what was half typed" if dropped else "")

    def action_keep(self) -> None:
        self.desk.keep()

    def action_undo(self) -> None:
        """Strikes the last act; an order of play comes back filled in, to be entered anew or let go by Escape."""
        from qf_tui.console.battle.reopening import reopen, undoes

        undone = undoes(self.session)
        self.desk.enter_and_say("undo", done=lambda: reopen(self, undone))

    def action_doubt(self) -> None:
        from qf_tui.console.history.mending import Mending, disputable

        number = disputable(self.session.timeline)
        if number:
            Mending(self.app, self.session, self.desk, self.orders.put).doubt(number)
        else:
            self.say("no entry yet that could be in doubt")

    def action_redo(self) -> None:
        if self.orders.stash in self.desk.redo():
            self.orders.stash = ""

    def action_next(self) -> None:
        end_phase(self.app, self.session, self.desk.enter_and_say)

    def action_force(self) -> None:
        typed = self.orders.text.strip() if self.orders.foresight.forceable else ""
        if self.desk.force(typed and line_of(self.session, typed, self.orders.key)):
            self.orders.clear()
            self.set_focus(None)

    def action_edit(self) -> None:
        """Puts the hand entry of the cell under the cursor into the bar, with the value that stands."""
        ship, column = self.grid.ship, self.grid.under
        if ship is None:
            return
        if column is None or not column.fields:
            self.action_read("sheet")
            return
        texts = hand_entries(self.session.system, ship, column)
        self.orders.put(texts[0], variants=texts)
        start = len(f"mark {ship.id} {column.fields[0]} ")
        self.orders.select_from(start)

    def action_order(self, word: str) -> None:
        """Opens the dialog of an order, with the ship under the cursor, or what was filled in before."""
        form = all_forms(self.session.system)[word]
        ship = self.grid.ship
        filling = Filling.begun(form, ship.id if ship else "")
        kept = self.put_aside
        if kept is not None and kept.form is form and kept.first == filling.first:
            filling = kept
        self.put_aside = None if filling is kept else kept
        self._open(filling)

    def action_again(self) -> None:
        """Opens the last shot of the ship under the cursor again, for new dice."""
        ship = self.grid.ship
        filling = again(self.session, ship.id if ship else "")
        if filling is None:
            self.say("nothing to give again: no order with dice belongs to this phase")
        else:
            self._open(filling)

    def _open(self, began: Filling) -> None:
        dialog = OrderDialog(self.session, began, lambda line: self.desk.enter(line).text)
        self.app.push_screen(dialog, lambda left: self.put_by(began, left))

    def put_by(self, began: Filling, left: Filling | None) -> None:
        if left is not None and left != Filling.begun(began.form, began.first):
            self.put_aside = left
            key = left.form.key or ":"
            keys = f"   {key} brings it back, Esc drops it"
            self.say(cut(f"put by: {self._text_of(left)}", self.size.width - 2 - len(keys)) + keys)
        self.set_focus(None)

    def action_find(self) -> None:
        self.finding = Finding(self.grid, self.say)

    def action_sort(self) -> None:
        self.grid.rearrange(self.grid.arrangement.sorted_by(self.grid.under))

    def action_show_only(self) -> None:
        self.grid.rearrange(self.grid.arrangement.showing_next())

    def action_jump(self) -> None:
        """Puts the cursor on the next ship that may act or owes a roll."""
        if not self.grid.go_to_next():
            self.say("nobody may act, and no roll is owed")

    def explain_refusal(self) -> bool:
        """Shows the clauses of the refusal under the bar; whether there are any."""
        lines = refusal_lines(self.session.system, self.orders.refusal)
        if lines:
            self.app.push_screen(Panel("Why it is refused", lines))
        return bool(lines)

    def action_history(self) -> None:
        from qf_tui.console.history.screen import History

        self.app.push_screen(History(self.session), self._from_history)

    def _from_history(self, text: str | None) -> None:
        self.show()
        if text:
            self.orders.put(text)

    def action_help(self) -> None:
        self.action_read("help")

    def action_read(self, what: str) -> None:
        """Shows something to read; for the story of a cell first why the last order was refused, if it was."""
        from qf_tui.console.battle.readings import READINGS

        if what != "why" or not self.explain_refusal():
            READINGS[what](self)

    def read_aloud(self, title: str, changes: tuple[tuple[str, str], ...]) -> None:
        """Shows what hands must change on the table."""
        from qf_tui.console.reading.aloud import Reading

        self.app.push_screen(Reading(title, self.session.battle, changes))

    def action_palette(self) -> None:
        self.app.action_command_palette()

    def action_other_side(self) -> None:
        self.grid.turn_to(self.grid.side + 1, keep=True)

    def action_theme(self) -> None:
        turn_theme(self.app)

    def action_leave(self) -> None:
        self.app.exit()
