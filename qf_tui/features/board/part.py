"""The board's part of a battle screen: the line of waiting proposals, and warnings about board and tray.

While declarations are open, it blocks the end of the phase. On a screen that only watches, it only shows.
"""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from textual.content import Content

from qf_tui.console.battle.view import BattleView, WatchScreen
from qf_tui.console.reading.source import SourceScreen
from qf_tui.console.widgets.actions import GRID
from qf_tui.console.widgets.keys import find_screen_key
from qf_tui.console.widgets.text import TextPane, cut, join_parts, literal, measure_width

if TYPE_CHECKING:  # loaded a moment after the battle is drawn
    from qf_tui.console.battle.screen import BattleScreen
    from qf_tui.features.board.process import BoardProcess
    from qf_tui.features.board.tray import FollowedTray, TrayNews
    from qf_tui.features.board.tray_files import Proposal
    from qf_tui.features.board.tray_screen import TrayDesk

NAME_MOST = 20
"""Cells of a player's name in a list of names."""


class TrayLine(TextPane):
    """The line that shows who has proposals waiting and who has declared, but never an order.

    It is hidden if there is nothing to show.
    """

    DEFAULT_CSS = "TrayLine { height: 1; background: $surface; display: none; }"

    def __init__(self, open_tray: Callable[[], object]) -> None:
        super().__init__(id="tray")
        self._open_tray = open_tray
        self.news: TrayNews | None = None

    def show_news(self, news: "TrayNews") -> None:
        """Show who waits and who has declared; hide the line if there is no such news."""
        self.news = news
        self.display = bool(news.waiting or news.phase)
        if self.display:
            self.draw()

    def make_lines(self, width: int, height: int) -> Iterable[Content]:
        """Return the line: the number of proposals, who waits, who has declared, and the key of the tray.

        There is no line before the first news.
        """
        from qf_tui.features.board.document import list_declaring_names

        if self.news is None:
            return []
        opens = find_screen_key(self.screen, "grid.tray")
        key = f"  {opens} opens the tray" if opens else ""
        waiting_count = sum(count for _, count in self.news.waiting)
        head = f" tray {waiting_count}  " if waiting_count else " tray  "
        waiting = tuple(f"{name} {count}" for name, count in self.news.waiting)
        labelled_names = [*([("", waiting)] if waiting else []), *list_declaring_names(self.news)]
        # 3 cells are for the ` · ` between two parts.
        room = (width - measure_width(head) - measure_width(key)) // max(1, len(labelled_names)) - 3
        parts = []
        for label, names in labelled_names:
            lead = f"{label}: " if label else ""
            parts.append(
                lead + join_parts([cut(name, NAME_MOST) for name in names], room - measure_width(lead))
            )
        return [
            Content.assemble(
                literal(head, "bold $text-warning"),
                literal(" · ".join(parts), "bold"),
                literal(key, "$quiet"),
            )
        ]

    def on_click(self) -> None:
        self._open_tray()


class WatchedTray:
    """The tray on the screen of a battle that is only watched: who waits, and who has declared."""

    def __init__(self, view: BattleView) -> None:
        self.view = view
        self.line = TrayLine(self.open_tray)
        self.tray: FollowedTray | None = None

    def compose(self) -> Iterator[TrayLine]:
        """Yield the line of the tray."""
        yield self.line

    def look(self) -> None:
        """Take in new proposals and replies; open the tray first if needed."""
        if self.tray is None:
            self.tray = self.open()
            self.show()
        elif self.tray.look():
            self.show()

    def open(self) -> "FollowedTray | None":
        """Open the tray."""
        from qf_tui.features.board.tray import FollowedTray

        view = self.view
        assert isinstance(view, WatchScreen)
        return FollowedTray(view.follower, view.follower.path, view.follower.battle_id)

    def show(self) -> None:
        """Show who waits and who has declared, on the line and on the wall display, if that has changed."""
        save = self.view.save
        if self.tray is None or save is None:
            return
        from qf_tui.features.board.links import load_links_with_seats

        seats = (
            load_links_with_seats(save, self.view.source.battle).seats if self.tray.state.open_round else ()
        )
        news = self.tray.collect_news((seat.id, seat.name) for seat in seats)
        if news == self.line.news:
            return
        self.line.show_news(news)
        for screen in self.view.app.screen_stack:
            if isinstance(screen, SourceScreen):
                screen.draw_notes()

    def list_notes(self) -> Iterator[tuple[str, str]]:
        """Yield the note about open declarations for the wall display, if any are open."""
        if self.line.news is not None and self.line.news.phase:
            from qf_tui.features.board.document import format_declaring

            yield "DECLARATIONS", format_declaring(self.line.news)

    def warn(self) -> str:
        """Return "", because a watcher cannot repair anything."""
        return ""

    def hold_phase(self) -> str:
        """Return "", because a watcher cannot end a phase."""
        return ""

    def close(self) -> None:
        """Do nothing, because a watcher holds no lock."""

    def open_tray(self) -> None:
        """Do nothing, because a watcher lets no proposal in."""


class BoardPart(WatchedTray):
    """The board and the tray on the screen of the umpire's battle.

    Attributes:
        board: Server process of the board, or None before it was first shown.
        desk: Umpire's end of the tray, or None before it was opened.
    """

    def __init__(self, screen: "BattleScreen") -> None:
        super().__init__(screen)
        self.screen = screen
        self.board: BoardProcess | None = None
        self.desk: TrayDesk | None = None

    def open(self) -> "FollowedTray | None":
        """Open the tray and its desk; return None if there is no save, or this console may not write it."""
        screen = self.screen
        if screen.save is None or not screen.session.writable:
            return None
        from qf_tui.features.board.tray import Tray
        from qf_tui.features.board.tray_screen import TrayDesk

        tray = Tray.from_session(screen.session)
        if tray is not None:
            self.desk = TrayDesk(tray, screen.controller, screen.save)
        return tray

    def look(self) -> None:
        """Take in new proposals, and show them.

        Owed rolls enter without the umpire here, but only while he is on the logs or in the tray and types
        nothing.
        """
        state_before = self.tray.state if self.tray is not None else None
        super().look()
        if self.desk is None:
            return
        from qf_tui.features.board.tray_screen import TrayScreen

        screen = self.screen
        top_screen, timeline_before = screen.app.screen, screen.session.timeline
        is_on_logs = top_screen is screen and screen.place == GRID
        if is_on_logs or isinstance(top_screen, TrayScreen):
            self.desk.enter_rolls()
        tray_changed = self.tray is not None and self.tray.state is not state_before
        battle_changed = screen.session.timeline is not timeline_before
        if isinstance(top_screen, TrayScreen) and (tray_changed or battle_changed):
            top_screen.look()

    def warn(self) -> str:
        """Return the board's fault and changed address, and the tray's unread faults; "" if there are none.

        If the board ended unexpectedly, start it again; if that works, only a message is shown.
        """
        board, desk = self.board, self.desk
        board_fault = f"the board is off: {board.fault}" if board and board.fault else ""
        if board_fault and board and board.restart_if_ended():
            self.view.say("the board had stopped: it is on again, with the same links")
            board_fault = ""
        address_change = board.address_change if board else ""
        if address_change and board and board.address:
            address_change += f": {find_screen_key(self.view, 'grid.board')} shows its links"
        tray_faults = [fault for fault in desk.tray.faults if fault not in desk.faults_read] if desk else []
        return " ".join(filter(None, (board_fault, address_change, *tray_faults)))

    def hold_phase(self) -> str:
        """Return why the phase cannot end, or "" if it can; open declarations must be closed first."""
        if self.desk is None or self.desk.tray.round is None:
            return ""
        return (
            f"declarations are open: close them first, {find_screen_key(self.view, 'grid.tray')} shows them"
        )

    def close(self) -> None:
        """Stop the board, and release the tray for another console."""
        if self.board is not None:
            self.board.stop()
        if self.desk is not None:
            self.desk.tray.close()

    def open_board(self) -> None:
        """Show the screen of the board, on a saved battle; one board process serves it until it is closed."""
        from qf_tui.features.board.process import BoardProcess
        from qf_tui.features.board.screen import BoardScreen

        def show(save: Path) -> None:
            self.board = self.board or BoardProcess(save)
            self.look()  # opens the tray, which the screen needs
            self.view.app.push_screen(BoardScreen(self.board, self.view.source, self.tray))

        self.view.with_save(show)

    def open_tray(self) -> None:
        """Show the screen with proposals and declarations."""
        self.view.say("")
        self.view.with_save(lambda _: self._show_tray())

    def _show_tray(self) -> None:
        """Show the tray, or say why it cannot be opened."""
        self.look()
        if self.desk is None:
            self.view.say("players cannot propose: another console writes this save")
            return
        from qf_tui.features.board.tray_screen import TrayScreen

        self.view.app.push_screen(TrayScreen(self.desk), self._ask_call)

    def _ask_call(self, proposal: "Proposal | None") -> None:
        """After the tray has closed, ask for the call (a number) that throws the dice of a proposal.

        Without a proposal, ask for the call of the dice that the last order owes, if it owes any.
        """
        self.show()
        controller = self.screen.controller
        if proposal is not None:
            order = self.screen.session.read(proposal.line).require_order()
            controller.origins = {order.key: proposal.origin}
            controller.to_call = order.key
        self.screen.drafts.ask_call()


def build_part(view: BattleView) -> WatchedTray:
    """Build the feature's part of a battle screen; on a screen that only watches, it can only show."""
    if not view.enters:
        return WatchedTray(view)
    from qf_tui.console.battle.screen import BattleScreen

    assert isinstance(view, BattleScreen)
    return BoardPart(view)


def find_part(view: BattleView) -> BoardPart:
    """Return the feature's part of the umpire's battle screen."""
    return next(part for part in view.parts if isinstance(part, BoardPart))
