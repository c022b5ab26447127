"""The battle screen: the logs, what is owed, the latest acts, and the order bar. Keys come from the table.

What a battle needs only now and then (history, what is read) is imported where it is first asked for: the screen is
there sooner.
"""

from collections import Counter
from collections.abc import Mapping

from attrs import evolve
from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.reactive import Reactive
from textual.screen import Screen

from qf_tui.console.battle.footer import Footer, footer, keys_of_place
from qf_tui.console.battle.latest import Latest
from qf_tui.console.battle.status import Alarm, OwedLine, PhaseLine
from qf_tui.console.entry.bar import OrderBar
from qf_tui.console.entry.controller import Desk
from qf_tui.console.entry.drafts import Writing, hand_entries
from qf_tui.console.entry.end_phase import end_phase
from qf_tui.console.logs.go_to import Finding
from qf_tui.console.logs.grid import Grid
from qf_tui.console.logs.row_order import Show
from qf_tui.console.reading.card import ABOUT, Card, remarks_on
from qf_tui.console.reading.why import explain_refusal
from qf_tui.console.widgets.actions import BAR, FIND, GRID, Action
from qf_tui.console.widgets.keys import keymap, perform, press
from qf_tui.console.widgets.theme import turn_theme
from qf_tui.session import Session
from qf_tui.session.wording import undo_text

CARD_FROM = 180
"""Cells of width from which the card stands beside the logs."""
AROUND, MOST_ACTS = 12, 24
"""Lines of the screen beside ships and latest acts, and lines of those at most."""


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
            FIND: keymap(FIND),
        }
        self.desk = Desk(session, self)
        self.writing = Writing(self.desk, self)
        self.finding: Finding | None = None

    def compose(self) -> ComposeResult:
        session = self.session
        yield PhaseLine(session, id="phases")
        with Horizontal(id="middle"):
            yield Grid(session.system, session.battle, id="grid")
            yield Card(id="card")
        yield Latest(session.timeline, id="latest")
        yield OwedLine(session.system, session.battle, id="owed")
        yield OrderBar(session, id="orders")
        yield Alarm(id="alarm")
        yield Footer(id="keys")

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
        if event.key in self.keys[FIND]:
            await perform(self, self.keys[FIND][event.key])
        elif event.character and event.is_printable:
            self.finding.more(event.character)

    def action_finding(self, what: str) -> None:
        """Does what a key stands for while a ship is looked for."""
        if self.finding is None:
            return
        self.finding.do(what)
        if self.finding.ended:
            self.finding = None
            self.orders.look_ahead()
            self.show_keys()

    def on_resize(self, event: events.Resize) -> None:
        width, height = event.size
        least = 5 if height < 30 else 7 if height < 45 else 10
        rows = max(Counter(ship.side for ship in self.session.battle.ships.values()).values(), default=0)
        # What the logs leave free tells more of the latest acts.
        self.query_one("#latest").styles.height = 1 + max(least, min(height - rows - AROUND, MOST_ACTS))
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
            ship, session = self.grid.ship, self.session
            card.show_ship(
                session.system, session.battle, ship, remarks_on(session.timeline, ship) if ship else ()
            )

    def show_keys(self) -> None:
        if self.finding is not None:
            self.query_one(Footer).show(keys_of_place(self.keys[FIND]))
            return
        undone = undo_text(self.session.timeline) if self.place == GRID else ""
        shown = footer(
            self.keys[self.place], self.session.system, self.session.battle, undone, self.size.width
        )
        self.query_one(Footer).show(shown)

    def on_phase_line_asked(self) -> None:
        self.action_jump()

    def on_owed_line_asked(self) -> None:
        self.orders.action_answer()

    def on_latest_asked(self) -> None:
        self.action_history()

    def on_grid_moved(self) -> None:
        self.show_card()

    def on_grid_chosen(self) -> None:
        self.action_edit()

    def alarm(self, text: str) -> None:
        """Shows a word that stays until it no longer holds, or with "" takes it away."""
        self.query_one(Alarm).show(text)

    def say(self, text: str, tone: str = "", forceable: bool = False) -> None:
        """Says something in the line under the bar."""
        self.orders.saying.say(text, tone, forceable)

    def action_submit(self) -> None:
        self.writing.submit()

    def action_put_by(self) -> None:
        self.writing.leave_bar()

    def action_bar(self) -> None:
        self.writing.take_up()

    def action_let_go(self) -> None:
        """Drops what is half typed, in the bar or in a dialog; with nothing there shows all ships again."""
        dropped = self.writing.let_go()
        if not dropped and self.grid.arrangement.said:
            self.grid.rearrange(evolve(self.grid.arrangement, show=Show.ALL, letters=""))
        self.say("dropped what was half typed" if dropped else "")

    def action_keep(self) -> None:
        self.desk.keep()

    def action_undo(self) -> None:
        """Strikes the last act; an order of play comes back filled in, to be entered anew or let go by Escape."""
        from qf_tui.console.battle.reopening import reopen, undoes

        undone = undoes(self.session)
        self.desk.enter_and_say("undo", done=lambda: reopen(self.writing, undone))

    def action_doubt(self) -> None:
        from qf_tui.console.history.correction_actions import Mending, disputable

        number = disputable(self.session.timeline)
        if number:
            Mending(self.app, self.session, self.desk, self.orders.put).doubt(number)
        else:
            self.say("no entry yet that could be in doubt")

    def action_redo(self) -> None:
        if self.orders.stash in self.desk.redo():
            self.orders.stash = ""

    def action_next(self) -> None:
        end_phase(self.app, self.session, self.desk.enter_and_say, self.orders.action_answer)

    def action_force(self) -> None:
        self.writing.force()

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

    def action_remark(self) -> None:
        """Begins a remark on the ship under the cursor, which then stands on its card."""
        if self.grid.ship is not None:
            self.orders.put(f"note {ABOUT.format(self.grid.ship.id)}")

    def action_order(self, word: str) -> None:
        """Opens the dialog of an order, with the ship under the cursor, or what was filled in before."""
        self.writing.open(word, self.grid.ship.id if self.grid.ship else "")

    def action_again(self) -> None:
        """Opens the last shot of the ship under the cursor again, for new dice."""
        if not self.writing.again(self.grid.ship.id if self.grid.ship else ""):
            name = self.grid.ship.name if self.grid.ship else "nobody"
            self.say(f"nothing to give again: {name} has given no order with dice that belongs to this phase")

    def action_find(self) -> None:
        self.finding = Finding(self.grid, self.say)
        self.show_keys()

    def action_jump(self) -> None:
        """Puts the cursor on the next ship that may act or owes a roll."""
        if not self.grid.go_to_next():
            self.say("nobody may act, and no roll is owed")

    def action_history(self) -> None:
        from qf_tui.console.history.screen import History

        self.app.push_screen(History(self.session), self._from_history)

    def _from_history(self, text: str | None) -> None:
        self.show()
        # What was said before may hold no longer.
        self.say("")
        self.orders.look_ahead()
        if text:
            self.orders.put(text)

    def action_help(self) -> None:
        self.action_read("help")

    def action_read(self, what: str) -> None:
        """Shows something to read; for the story of a cell first why the last order was refused, if it was."""
        from qf_tui.console.battle.info_panels import READINGS

        refusal = self.orders.saying.refusal
        if what != "why" or not explain_refusal(self.app, self.session.system, refusal):
            READINGS[what](self)

    def action_palette(self) -> None:
        self.app.action_command_palette()

    def action_theme(self) -> None:
        turn_theme(self.app)

    def action_leave(self) -> None:
        self.app.exit()
