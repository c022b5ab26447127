"""The board for the players' phones: starts and stops it, turns its switch, shows one link at a time."""

from collections.abc import Callable, Sequence

from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content

from qf_tui.board.links import Links, load_links, save_links
from qf_tui.board.process import BoardProcess
from qf_tui.board.values import ALL, BoardSwitch
from qf_tui.console.widgets.actions import BOARD
from qf_tui.console.widgets.keys import Hint, KeyModal
from qf_tui.console.widgets.panel import framed
from qf_tui.console.widgets.text import SteadyText, literal
from qf_tui.core.errors import QfError
from qf_tui.core.values import Side
from qf_tui.session.dice import qr_blocks, qr_rows

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
"""Seconds between two looks at the board."""
SHOWN = {
    BoardSwitch.AT_ONCE: "everything, at once",
    BoardSwitch.OWN_SIDE: "each side its own ships",
    BoardSwitch.PHASE_END: "each phase as it ends",
}
"""The switch in words."""
READABLE = "Others on the same Wi-Fi can read what is sent."


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
        words = VerticalScroll(SteadyText(Content(""), id="board-words"), can_focus=False)
        yield framed(
            TITLE, KEYS, Horizontal(SteadyText(Content(""), id="board-code"), words, id="board-body")
        )

    def on_mount(self) -> None:
        super().on_mount()
        self.set_interval(LOOKS, self.show)
        self.show()

    def show(self) -> None:
        """Draws how the board is, if that has changed."""
        try:
            links = load_links(self.board.save) or Links()
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
        off = "Starting …" if self.board.running else "Off"
        lines = [
            literal(f"On, at {self.board.address.name}" if self.board.address else off, "bold"),
            literal(f"Reaches: {'the network here' if self.board.lan else 'this computer only'}"),
            literal(f"Shows: {SHOWN[links.switch]}"),
        ]
        if link:
            of = f"{self.at + 1} of {len(self.viewers)}"
            lines += [literal(""), literal(f"The link for {name} ({of}):", "bold"), literal(link)]
        lines += [literal(""), literal(READABLE, "$text-warning")] if self.board.lan else []
        fault = self.fault or self.board.fault
        return [*lines, *([literal(f"✗ {fault}", "bold $text-error")] if fault else [])]

    def _change(self, change: Callable[[Links], Links]) -> None:
        """Keeps other links; a board that runs follows them."""
        self.fault = ""
        try:
            save_links(self.board.save, change(load_links(self.board.save) or Links()))
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
        """New links; those given away no longer work."""
        self._change(Links.renewed)

    def action_link(self, by: int) -> None:
        """Shows another link."""
        self.at = (self.at + by) % len(self.viewers)
        self.show()
