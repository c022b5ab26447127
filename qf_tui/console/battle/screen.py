"""The battle screen: the battle, the order bar under it, and everything entered from there.

What a battle needs only now and then (the history, an undo) is imported on first use.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from textual.widgets.input import Selection

from qf_tui.console.battle.status import OwedLine
from qf_tui.console.battle.view import BattleView
from qf_tui.console.entry.bar import Alarm, Banner, OrderBar
from qf_tui.console.entry.controller import Drafts, EntryController, change_entry, disputable, hand_entries
from qf_tui.console.reading.source import explain_refusal
from qf_tui.console.widgets.actions import BAR, FIND, GRID
from qf_tui.console.widgets.fields import TextEntry
from qf_tui.console.widgets.keys import key_for
from qf_tui.console.widgets.panel import Panel
from qf_tui.core.availability import range_slot
from qf_tui.core.builtin_forms import JOIN
from qf_tui.core.errors import QfError
from qf_tui.core.ship_facts import ShipFacts
from qf_tui.core.values import Form
from qf_tui.document.acts import note_on_ship
from qf_tui.library.settings import Settings
from qf_tui.library.systems import find_systems
from qf_tui.session import Session
from qf_tui.session.session import branch_of, copy_as

if TYPE_CHECKING:
    from qf_tui.console.entry.volley import Volleys
    from qf_tui.features.board.process import BoardProcess
    from qf_tui.features.board.tray_files import Proposal
    from qf_tui.features.board.tray_screen import TrayDesk


TRAY_LOOKS = 0.1
"""Seconds between two looks at what players propose."""
BOARD_LOOKS = 1.0
"""Seconds between two looks at the board and at what listens."""


class BattleScreen(BattleView):
    """One open battle, whose orders are entered by the umpire; `warning` is shown as it opens."""

    places = (GRID, BAR, FIND)
    enters = True

    def __init__(self, session: Session, settings: Settings | None = None, warning: str = "") -> None:
        self.session, self.warning = session, warning
        saved = session.journal.path is not None
        super().__init__(session, settings, saved=saved)
        self.save = session.journal.path
        self.orders = OrderBar(session, id="orders")
        self.controller = EntryController(session, self)
        self.drafts = Drafts(self.controller, self.orders)
        self.volleys: Volleys | None = None
        self.board: BoardProcess | None = None
        self.desk: TrayDesk | None = None

    def on_mount(self) -> None:
        self.set_interval(BOARD_LOOKS, self.look_behind)
        if self.save is not None and self.session.writable:
            # Not before the battle is on the screen: what looks at a tray has to be loaded.
            self.set_timer(BOARD_LOOKS, lambda: self.set_interval(TRAY_LOOKS, self.look_at_tray))

    def take_settings(self, settings: Settings) -> None:
        super().take_settings(settings)
        self.session.listen(settings)
        self.drafts.entered = self._walk if settings.walk else None

    def action_branch(self) -> None:
        text = "saved as a branch beside this save"
        self.with_save(lambda _: self.say(f"{text}: {branch_of(self.session).name}"))

    def action_save_as(self) -> None:
        """Asks for a name, copies the save under it, and goes on in the copy."""

        def leave_for(name: str) -> str:
            try:
                self.post_message(self.Left(copy_as(self.session, name)))
            except QfError as fault:
                return str(fault)
            return ""

        title = "Save as: a name, or a path"
        self.with_save(lambda save: self.app.push_screen(TextEntry(title, f"{save.stem}-copy", leave_for)))

    def action_board(self) -> None:
        """Shows the board of the players' phones, which goes on behind it until the battle is left."""
        from qf_tui.features.board.process import BoardProcess
        from qf_tui.features.board.screen import BoardScreen

        def show(save: Path) -> None:
            self.board = self.board or BoardProcess(save)
            self._at_desk()
            self.app.push_screen(BoardScreen(self.board, self.session, self.tray))

        self.with_save(show)

    def _at_desk(self) -> "TrayDesk | None":
        """The tray, opened when it is first looked at; None where nothing can be kept beside the save."""
        if self.desk is None and self.save is not None:
            from qf_tui.features.board.tray import Tray
            from qf_tui.features.board.tray_screen import TrayDesk

            tray = Tray.of(self.session)
            if tray is not None:
                self.tray, self.desk = tray, TrayDesk(tray, self.controller, self.save)
                self.show_news()
        return self.desk

    def look_at_tray(self) -> None:
        """Takes in what players propose; owed rolls enter by themselves only while nothing is typed."""
        desk = self._at_desk()
        if desk is None:
            return
        from qf_tui.features.board.tray_screen import TrayScreen

        top = self.app.screen
        if desk.tray.look():
            self.show_news()
            if isinstance(top, TrayScreen):
                top.look()
        if isinstance(top, TrayScreen) or (top is self and self.place == GRID):
            before = self.session.timeline
            desk.enter_rolls()
            if isinstance(top, TrayScreen) and self.session.timeline is not before:
                top.look()

    def action_tray(self) -> None:
        """Shows what players propose and who has declared."""
        self.say("")
        self.with_save(lambda _: self._show_tray())

    def _show_tray(self) -> None:
        self.look_at_tray()
        if self.desk is None:
            self.say("nothing can be proposed: another console writes this save")
            return
        from qf_tui.features.board.tray_screen import TrayScreen

        self.app.push_screen(TrayScreen(self.desk), self._from_tray)

    def _from_tray(self, asked: "Proposal | None") -> None:
        """Goes on to the call that the last order, or the player of a roll, asks for."""
        self.show_news()
        if asked is not None:
            order = self.session.read(asked.line).complete()
            self.controller.asked_by = {order.key: asked}
            self.controller.to_call = order.key
        self.drafts.ask_call()

    def look_behind(self) -> None:
        """Warn of faults of the board and of what listens; start a board again that has ended."""
        board = self.board
        off = f"the board is off: {board.fault}" if board and board.fault else ""
        if off and board and board.revive():
            self.say("the board had stopped: it is on again, with the same links")
            off = ""
        alarm = self.query_one(Alarm)
        desk = self.desk
        damage = [fault for fault in desk.tray.faults if fault not in desk.faults_read] if desk else []
        before, alarm.standing = (
            alarm.standing,
            " ".join(filter(None, (off, self.session.warnings(), *damage))),
        )
        if alarm.standing != before and alarm.text in ("", before):
            alarm.show("")

    def on_unmount(self) -> None:
        if self.board is not None:
            self.board.stop()
        if self.desk is not None:
            self.desk.tray.close()

    @property
    def notice(self) -> str:
        return " ".join(filter(None, (self.warning, super().notice)))

    def below(self) -> OrderBar:
        return self.orders

    def on_order_bar_asked(self, event: OrderBar.Asked) -> None:
        """Name the roll in the owed line that the bar is open for."""
        line = self.query_one(OwedLine)
        line.opened = event.key
        line.draw()

    def on_descendant_focus(self) -> None:
        self.show_keys()

    def on_descendant_blur(self) -> None:
        self.show_keys()

    def action_answer(self) -> None:
        self.orders.action_answer()

    def choose(self) -> None:
        self.action_edit()

    def after_search(self) -> None:
        self.orders.update_preview()

    def action_submit(self) -> None:
        self.drafts.submit()

    def action_set_aside(self) -> None:
        self.drafts.leave_bar()

    def action_open_bar(self) -> None:
        if not self.orders.take_up():
            self.orders.put("")

    def action_drop(self) -> None:
        """Takes an event away that was read, or drops what is half typed; else shows all ships again."""
        if not self.query_one(Banner).events and self.orders.keep(""):
            self.say("dropped the unfinished order")
        else:
            super().action_drop()

    def action_keep_cell(self) -> None:
        self.controller.keep()

    def action_undo(self) -> None:
        """Shows what the undo of the last act changes; that act can be changed there instead."""
        self.controller.undo(lambda number: change_entry(self.controller, number, self.orders.put))

    def action_doubt(self) -> None:
        number = disputable(self.session.timeline)
        if number:
            self.controller.doubt(number)
        else:
            self.say("no entry to dispute yet")

    def action_redo(self) -> None:
        self.controller.redo()

    def action_next(self) -> None:
        if self.desk is not None and self.desk.tray.round is not None:
            self.say(f"declarations are open: close them first, {key_for(self, 'grid.tray')} shows them")
            return
        self.controller.end_phase(self.orders.action_answer)

    def action_force(self) -> None:
        self.drafts.force()

    def action_edit(self) -> None:
        """Puts the hand entry of the cell under the cursor into the bar, with its present value."""
        ship, column = self.grid.ship, self.grid.under
        if ship is None:
            return
        if column is None or not column.fields:
            self.action_read("sheet")
            return
        entries = hand_entries(self.session.system, ship, column)
        texts = [f"{begun} {value}" for begun, value in entries]
        self.orders.put(texts[0], variants=texts)
        self.orders.input.selection = Selection(len(entries[0][0]) + 1, len(texts[0]))

    def action_remark(self) -> None:
        """Begins a remark on the ship under the cursor, which is then on its card."""
        if self.grid.ship is not None:
            self.orders.put(note_on_ship(self.grid.ship))

    def action_ships(self) -> None:
        """Ships of all navies, their values by the rules of this battle first."""
        from qf_tui.console.setup.shipyard import ShipsScreen

        self.app.push_screen(ShipsScreen(find_systems(), self.session.system.name, joins=True), self.bring)

    def bring(self, ship: ShipFacts | None) -> None:
        """Puts the order by which a ship joins into the bar, on the side under the cursor."""
        if ship is not None:
            sides = (side.id for side in self.session.battle.sides)
            side = self.grid.ship.side if self.grid.ship else next(sides, "")
            self.orders.put(f"{JOIN.word} {side} {self.session.arrival_id(ship)}")

    def action_order(self, word: str) -> None:
        """Opens the dialog of an order, with the ship under the cursor, or what was filled in before."""
        self.drafts.open(word, self.grid.ship.id if self.grid.ship else "")

    def _walk(self, form: Form) -> None:
        """After a shot the cursor goes to the next ship of the division."""
        if self.grid.ship is not None and range_slot(form) is not None:
            self.grid.go_to_next(self.grid.ship.division)

    def action_volley(self) -> None:
        """Opens the volley of the division of the ship under the cursor."""
        from qf_tui.console.entry.volley import Volleys

        self.volleys = self.volleys or Volleys(self.controller)
        self.volleys.open(self.grid.ship)

    def action_repeat(self) -> None:
        """Opens the last shot of the ship under the cursor again, for new dice."""
        if not self.drafts.again(self.grid.ship.id if self.grid.ship else ""):
            name = self.grid.ship.name if self.grid.ship else "nobody"
            self.say(f"no shot to repeat for {name}")

    def action_history(self) -> None:
        from qf_tui.console.history.screen import History

        self.app.push_screen(History(self.session), self._from_history)

    def _from_history(self, text: str | None) -> None:
        self.show()
        # The message from before may no longer be true.
        self.say("")
        self.orders.update_preview()
        if text:
            self.orders.put(text)

    def action_read(self, what: str) -> None:
        """Shows something to read; for the story of a cell, first why the last order was refused, if any."""
        refusal = self.orders.message_line.refusal
        if what != "why" or not explain_refusal(self.app, self.session.system, refusal):
            super().action_read(what)

    def action_show_seal(self) -> None:
        """Shows the seal of sealed dice, with the words of the sides."""
        from qf_tui.console.setup.opening import seal_lines

        if self.session.dice.seal is None:
            self.say("the dice of this battle are not sealed")
            return
        sides = [side.name for side in self.session.timeline.start.sides]
        lines = seal_lines(self.session.dice.seal, sides, self.session.sealed)
        self.app.push_screen(Panel("Sealed dice", lines))
