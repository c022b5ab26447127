"""The battle screen: the battle, the order bar under it, and all that is entered from there.

What a battle needs only now and then (the history, an undo) is imported where it is first asked for.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content

from qf_tui.board.links import Links, keep_links, kept_links
from qf_tui.board.serving import BoardProcess
from qf_tui.board.values import ALL, BoardSwitch
from qf_tui.console.battle.status import PhaseLine
from qf_tui.console.battle.view import BattleView
from qf_tui.console.entry.bar import Alarm, Banner, OrderBar
from qf_tui.console.entry.controller import EntryController, disputable, end_phase
from qf_tui.console.entry.drafts import Drafts, hand_entries
from qf_tui.console.reading.refusal import explain_refusal
from qf_tui.console.widgets.actions import BAR, BOARD, FIND, GRID
from qf_tui.console.widgets.keys import Hint, Hints, KeyModal
from qf_tui.console.widgets.overrides import SteadyText
from qf_tui.console.widgets.panel import TextEntry
from qf_tui.console.widgets.text import literal
from qf_tui.core.builtin_forms import JOIN
from qf_tui.core.errors import QfError
from qf_tui.core.grammar.forms import Form
from qf_tui.core.ranges import range_slot
from qf_tui.core.ship_facts import ShipFacts
from qf_tui.core.values import Side
from qf_tui.library.settings import Settings
from qf_tui.library.systems import find_systems
from qf_tui.session import Session
from qf_tui.session.dice import qr_blocks, qr_rows
from qf_tui.session.following import pace
from qf_tui.session.new_save import branch_of, copy_as
from qf_tui.session.remarks import note_on_ship

if TYPE_CHECKING:
    from qf_tui.board.serving import BoardProcess
    from qf_tui.console.entry.volley import Volleys


BOARD_LOOKS = 1.0
"""Seconds between two looks at the board and at the second copy."""


class BattleScreen(BattleView):
    """One open battle, whose orders are entered by the umpire; `warning` is told as it opens."""

    places = (GRID, BAR, FIND)
    enters = True

    def __init__(self, session: Session, settings: Settings | None = None, warning: str = "") -> None:
        self.session, self.settings, self.warning = session, settings or Settings(), warning
        saved = session.journal.path is not None
        super().__init__(session, saved=saved, pace=self.said_pace if self.settings.clock else None)
        self.save = session.journal.path
        self.orders = OrderBar(session, id="orders")
        self.controller = EntryController(session, self)
        self.drafts = Drafts(self.controller, self.orders, self._walk)
        self.volleys: Volleys | None = None
        self.board: BoardProcess | None = None
        self._amiss = ""

    def on_mount(self) -> None:
        self.session.copy_to(self.settings.copy_to)
        self.set_interval(BOARD_LOOKS, self._look_behind)

    def take_settings(self, settings: Settings) -> None:
        """Does as other settings say."""
        self.settings = settings
        self.session.copy_to(settings.copy_to)
        self.query_one(PhaseLine).pace = self.said_pace if settings.clock else None
        self.show()

    def action_branch(self) -> None:
        def branch(save: Path) -> None:
            self.say(f"kept as a branch beside this save: {branch_of(self.session).name}")

        self.with_save(branch)

    def action_save_as(self) -> None:
        """Asks for a name, copies the save under it, and goes on in the copy."""

        def ask(save: Path) -> None:
            title = "Save as: a name, or a path"
            self.app.push_screen(TextEntry(title, f"{save.stem}-copy", self._save_as))

        self.with_save(ask)

    def _save_as(self, name: str) -> str:
        """Leaves for a copy of that name; gives what stands against it, or nothing."""
        try:
            copy = copy_as(self.session, name)
        except QfError as fault:
            return str(fault)
        self.post_message(self.Left(copy))
        return ""

    def action_board(self) -> None:
        """Shows the board of the players' phones, which goes on behind it until the battle is left."""
        from qf_tui.board.serving import BoardProcess

        def show(save: Path) -> None:
            if self.board is None:
                self.board = BoardProcess(save)
            self.app.push_screen(BoardScreen(self.board, self.session.battle.sides))

        self.with_save(show)

    def _look_behind(self) -> None:
        """Says what is amiss with the board and the second copy; a board that has ended is started again."""
        fault = self.board.fault if self.board else ""
        if fault and self.board and self.board.revive():
            self.say("the board had ended by itself: it is on again, with the same links")
            fault = ""
        copy = self.session.copy.word if self.session.copy else ""
        off = fault and f"the board is off: {fault}"
        before, self._amiss = self._amiss, " ".join(filter(None, (off, copy)))
        if self._amiss != before and self.query_one(Alarm).text in ("", before):
            self.alarm(self._amiss)

    def alarm(self, text: str) -> None:
        # This comes back when another warning is taken away, as by an entry.
        super().alarm(text or self._amiss)

    def on_unmount(self) -> None:
        if self.board is not None:
            self.board.stop()

    @property
    def notice(self) -> str:
        return " ".join(text for text in (self.warning, super().notice) if text)

    def said_pace(self) -> str:
        """How long the turn lasts, in words; nothing without a clock."""
        seconds = self.session.seconds
        return "" if seconds is None else str(pace(self.session.timeline, seconds))

    def below(self) -> OrderBar:
        return self.orders

    def on_descendant_focus(self) -> None:
        self.show_keys()

    def on_descendant_blur(self) -> None:
        self.show_keys()

    def on_owed_line_asked(self) -> None:
        self.orders.action_answer()

    def choose(self) -> None:
        self.action_edit()

    def after_search(self) -> None:
        self.orders.look_ahead()

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
            self.say("dropped what was half typed")
        else:
            super().action_drop()

    def action_keep_cell(self) -> None:
        self.controller.keep()

    def action_undo(self) -> None:
        """Shows what the undo of the last act changes; that act can be changed there instead."""
        from qf_tui.console.entry.controller import change_entry

        self.controller.undo(lambda number: change_entry(self.controller, number, self.orders.put))

    def action_doubt(self) -> None:
        number = disputable(self.session.timeline)
        if number:
            self.controller.doubt(number)
        else:
            self.say("no entry yet that could be in doubt")

    def action_redo(self) -> None:
        self.controller.redo()

    def action_next(self) -> None:
        end_phase(self.app, self.session, self.controller.enter_and_say, self.orders.action_answer)

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
        self.orders.select_from(len(entries[0][0]) + 1)

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
        sides = self.session.battle.sides
        side = self.grid.ship.side if self.grid.ship else sides[0].id if sides else ""
        if ship is not None:
            self.orders.put(f"{JOIN.word} {side} {self.session.arrival_id(ship)}")

    def action_order(self, word: str) -> None:
        """Opens the dialog of an order, with the ship under the cursor, or what was filled in before."""
        self.drafts.open(word, self.grid.ship.id if self.grid.ship else "")

    def _walk(self, form: Form) -> None:
        """After a shot the cursor goes to the next ship of the division, where the settings say so."""
        if self.settings.walk and self.grid.ship is not None and range_slot(form) is not None:
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
        self.orders.look_ahead()
        if text:
            self.orders.put(text)

    def action_read(self, what: str) -> None:
        """Shows something to read; for the story of a cell, first why the last order was refused, if any."""
        refusal = self.orders.saying.refusal
        if what != "why" or not explain_refusal(self.app, self.session.system, refusal):
            super().action_read(what)

    def action_show_seal(self) -> None:
        """Shows the seal of sealed dice, with the words of the sides."""
        from qf_tui.console.setup.opening import seal_lines
        from qf_tui.console.widgets.panel import Panel

        if self.session.dice.seal is None:
            self.say("the dice of this battle are not sealed")
            return
        sides = [side.name for side in self.session.timeline.start.sides]
        lines = seal_lines(self.session.dice.seal, sides, self.session.sealed)
        self.app.push_screen(Panel("Sealed dice", lines))


TITLE = "The board for the players' phones"
KEYS = (
    Hint("enter", "on or off"),
    Hint("l", "reach"),
    Hint("s", "shows"),
    Hint("right", "next link"),
    Hint("n", "new links"),
    Hint("escape", "back"),
)
LOOKS = 0.2
"""Seconds between two looks at how the board is."""
SHOWN = {
    BoardSwitch.AT_ONCE: "all that is entered, at once",
    BoardSwitch.OWN_SIDE: "each side its own ships",
    BoardSwitch.PHASE_END: "each phase as it ends",
}
"""The switch in words."""
READABLE = "What goes over a club's Wi-Fi can be read by others there."


class BoardScreen(KeyModal[None]):
    """The board of a battle; closing the screen leaves it running."""

    places = (BOARD,)

    def __init__(self, board: BoardProcess, sides: Sequence[Side]) -> None:
        super().__init__()
        self.board = board
        self.viewers = ((ALL, "all"), *((side.id, side.name) for side in sides))
        self.at, self.fault = 0, ""
        self._drawn: list[Content] = []

    def compose(self) -> ComposeResult:
        with Vertical(classes="panel"):
            yield SteadyText(literal(TITLE, "bold $primary"), classes="panel-title")
            with Horizontal(id="board-body"):
                yield SteadyText(Content(""), id="board-code")
                yield VerticalScroll(SteadyText(Content(""), id="board-words"), can_focus=False)
            yield Hints(KEYS, classes="panel-keys")

    def on_mount(self) -> None:
        super().on_mount()
        self.set_interval(LOOKS, self.show)
        self.show()

    def show(self) -> None:
        """Draws how the board is, where that is otherwise than what is drawn."""
        try:
            links = kept_links(self.board.save) or Links()
        except QfError as refused:
            links, self.fault = Links(), str(refused)
        address, (viewer, name) = self.board.address, self.viewers[self.at]
        secret = links.secret(viewer)
        link = address.link(secret) if address and secret else ""
        lines = self._lines(links, name, link)
        if lines != self._drawn:
            self._drawn = lines
            code = [literal(line, "#ffffff on #000000") for line in qr_blocks(qr_rows(link) if link else ())]
            self.query_one("#board-code", SteadyText).update(Content("\n").join(code))
            self.query_one("#board-words", SteadyText).update(Content("\n").join(lines))

    def _lines(self, links: Links, name: str, link: str) -> list[Content]:
        lines = [
            literal(self._state(), "bold"),
            literal(f"Reaches: {'the network here' if self.board.lan else 'this computer alone'}"),
            literal(f"Shows: {SHOWN[links.switch]}"),
        ]
        if link:
            of = f"{self.at + 1} of {len(self.viewers)}"
            lines += [literal(""), literal(f"The link for {name} ({of}):", "bold"), literal(link)]
        lines += [literal(""), literal(READABLE, "$text-warning")] if self.board.lan else []
        fault = self.fault or self.board.fault
        return [*lines, *([literal(f"✗ {fault}", "bold $text-error")] if fault else [])]

    def _state(self) -> str:
        if self.board.address:
            return f"On, at {self.board.address.name}"
        return "Starts …" if self.board.running else "Off"

    def _change(self, change: Callable[[Links], Links]) -> None:
        """Keeps other links; a board that runs follows them."""
        self.fault = ""
        try:
            keep_links(self.board.save, change(kept_links(self.board.save) or Links()))
        except QfError as refused:
            self.fault = str(refused)
        self.show()

    def action_accept(self) -> None:
        """Starts the board, or stops it."""
        self.fault = ""
        if self.board.running:
            self.board.stop()
        else:
            self.board.start()
        self.show()

    def action_reach(self) -> None:
        """For the network or for this computer alone; a board that runs starts anew."""
        self.board.lan = not self.board.lan
        if self.board.running:
            self.board.start()
        self.show()

    def action_turn(self) -> None:
        """What the links show: the next position of the switch."""
        self._change(Links.turned)

    def action_renew(self) -> None:
        """Other links; those given away are worth nothing from then on."""
        self._change(Links.renewed)

    def action_link(self, by: int) -> None:
        """Shows another link."""
        self.at = (self.at + by) % len(self.viewers)
        self.show()
