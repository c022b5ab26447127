"""The console's screen of the board: start and stop it, choose what it shows, show one link at a time.

A second screen shows who may propose orders from a phone.
"""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from attrs import evolve
from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content

from qf_tui.console.reading.source import REFUSED, BattleSource
from qf_tui.console.widgets.fields import TextEntry
from qf_tui.console.widgets.keys import Hint, KeyModal, find_screen_key
from qf_tui.console.widgets.panel import build_frame
from qf_tui.console.widgets.picklist import (
    PickLine,
    PickScreen,
    build_about_lines,
    build_heading_line,
    build_text_line,
)
from qf_tui.console.widgets.text import Signs, SteadyText, fit, literal
from qf_tui.core.errors import QfError
from qf_tui.core.grammar.names import find_meant_id, list_named_ships
from qf_tui.features.board.actions import BOARD, SEATS
from qf_tui.features.board.links import Links, Seat, compute_token, format_device_code, load_links, save_links
from qf_tui.features.board.process import BoardProcess
from qf_tui.features.board.tray import FollowedTray
from qf_tui.features.board.values import ALL, BoardSwitch
from qf_tui.features.sealed_dice.qr import build_qr_rows
from qf_tui.features.sealed_dice.screen import render_qr

TITLE = "The board for the players' phones"
KEYS = (
    Hint("enter", "on or off"),
    Hint("l", "reach"),
    Hint("s", "shows"),
    Hint("right", "next"),
    Hint("p", "players"),
    Hint("n", "new"),
    Hint("escape", "back"),
)
LOOK_EVERY_S = 0.2
"""Seconds between two checks of the board."""
SWITCH_WORDS = {
    BoardSwitch.AT_ONCE: "everything, at once",
    BoardSwitch.OWN_SIDE: "each side its own ships",
    BoardSwitch.PHASE_END: "each phase when it ends",
}
"""Positions of the switch in words."""
READABLE = "Others on the same Wi-Fi can read what is sent."
FORGEABLE = (
    "It is plain HTTP: others on this Wi-Fi can read what is sent, and forge proposals. "
    "Let in only what a player says he proposed."
)
ROLLING = "Owed rolls enter by themselves only if all is as their player saw it."
NAME, DEVICES_LISTED_MOST = 20, 3
"""Cells of a player's name; largest number of waiting phones listed for a player."""


class BoardScreen(KeyModal[None]):
    """The screen of a battle's board; the board keeps running when the screen closes."""

    DEFAULT_CSS = "BoardScreen { align: center middle; }"
    CSS = """
    BoardScreen .panel { max-height: 100%; }
    BoardScreen .panel-keys { margin-top: 0; }
    BoardScreen #board-body { height: auto; max-height: 19; }
    BoardScreen #board-code { width: auto; }
    BoardScreen #board-body VerticalScroll { width: 1fr; height: auto; max-height: 19; padding-left: 2; }
    """
    places = (BOARD,)

    def __init__(self, board: BoardProcess, source: BattleSource, tray: FollowedTray | None = None) -> None:
        super().__init__()
        self.board, self.source, self.tray = board, source, tray
        self.at, self.fault = 0, ""
        self._drawn: list[Content | str] = []

    def compose(self) -> ComposeResult:
        words = VerticalScroll(SteadyText(Content(""), id="board-words"), can_focus=False)
        yield build_frame(
            TITLE,
            KEYS,
            Horizontal(SteadyText(Content(""), id="board-code"), words, id="board-body"),
            # On another line, because the words next to the code are narrower than a link.
            SteadyText(Content(""), id="board-link"),
        )

    def on_mount(self) -> None:
        super().on_mount()
        self.set_interval(LOOK_EVERY_S, self.show)
        self.show()

    def on_unmount(self) -> None:
        """Note that the umpire has seen where the board is."""
        self.board.mark_seen()

    def show(self) -> None:
        """Draw the state of the board if it has changed."""
        try:
            links = load_links(self.board.save) or Links()
        except QfError as fault:
            links, self.fault = Links(), str(fault)
        address, viewers = self.board.address, self._list_viewers(links)
        self.at %= len(viewers)
        name, secret = viewers[self.at]
        link = address.format_link(secret) if address and secret else ""
        lines = self._render_lines(links, f"{name} ({self.at + 1} of {len(viewers)})" if link else "")
        if [*lines, link] != self._drawn:
            self._drawn = [*lines, link]
            code = render_qr(build_qr_rows(link)) if link else []
            self.query_one("#board-code", SteadyText).update(Content("\n").join(code))
            self.query_one("#board-words", SteadyText).update(Content("\n").join(lines))
            self.query_one("#board-link", SteadyText).update(literal(link, "bold"))

    def _list_viewers(self, links: Links) -> tuple[tuple[str, str], ...]:
        """List the name and secret of each link: all, each side, and each player if players may propose."""
        sides = ((side.name, links.find_secret(side.id)) for side in self.source.battle.sides)
        seats = links.seats if links.propose else ()
        return (
            ("all", links.find_secret(ALL)),
            *sides,
            *((f"{seat.name}, who may propose", seat.secret) for seat in seats),
        )

    def _render_state(self) -> Iterator[Content]:
        """Render whether the board is on, and its addresses."""
        shown_address, address_change = self.board.address, self.board.address_change
        if self.board.addresses is None:
            yield literal("Starting …" if self.board.running else "Off", "bold")
        elif shown_address is None:
            yield literal("On, but this computer is on no network", "bold $text-warning")
        else:
            yield literal(f"On, at {shown_address.label}", "bold")
            others = ", ".join(address.label for address in self.board.list_other_addresses())
            if others:
                yield literal(f"{find_screen_key(self, 'board.address')} shows the next: {others}")
            if address_change:
                yield literal(f"{address_change[0].upper()}{address_change[1:]}.", "bold $text-warning")

    def _render_lines(self, links: Links, name: str) -> list[Content]:
        """Render the state of the board, the name of the link, phones that ask, a warning and a fault.

        `name` is the name and number of the link, or "" if none is shown.
        """
        lines = [
            *self._render_state(),
            literal(
                f"Reaches: {'this computer and its networks' if self.board.lan else 'this computer only'}"
            ),
            literal(f"Shows: {SWITCH_WORDS[links.switch]}"),
        ]
        if name:
            lines += [literal(""), literal(f"The link for {name} is below.", "bold")]
            if Signs.ascii:
                lines.append(literal("ASCII signs cannot draw its QR code."))
        if links.propose:
            waiting_devices = list_waiting_devices(links, self.tray)
            codes = ", ".join(f"{seat.name} {format_device_code(device)}" for seat, device in waiting_devices)
            key = find_screen_key(self, "board.players")
            if codes:
                lines.append(literal(f"Phones that ask to propose: {codes}   {key} lets in", "bold"))
        warning = FORGEABLE if links.propose else READABLE if self.board.lan else ""
        if warning:
            lines += [literal(""), literal(warning, "$text-warning")]
        fault = self.fault or self.board.fault
        if fault:
            lines.append(literal(f"✗ {fault}", "bold $text-error"))
        return lines

    def _change(self, change: Callable[[Links], Links]) -> None:
        """Save changed links; a running board follows the file. A fault is shown."""
        self.fault = ""
        try:
            save_links(self.board.save, change(load_links(self.board.save) or Links()))
        except QfError as refused:
            self.fault = str(refused)
        self.show()

    def action_accept(self) -> None:
        """Start or stop the board."""
        self.fault = ""
        if self.board.running:
            self.board.stop()
        else:
            self.board.start()
        self.show()

    def action_reach(self) -> None:
        """Change between the local network and this computer only; a running board restarts."""
        self.board.lan = not self.board.lan
        if self.board.running:
            self.board.start()
        self.show()

    def action_address(self) -> None:
        """Show the links at the next address of this computer."""
        self.board.show_next_address()
        self.show()

    def action_turn(self) -> None:
        """Change the switch to its next position."""
        self._change(Links.turn_switch)

    def action_renew(self) -> None:
        """Make new links; the old ones stop working."""
        self._change(Links.renew_secrets)

    def action_link(self, by: int) -> None:
        """Show another link: `by` is 1 for the next and -1 for the previous one."""
        self.at += by
        self.show()

    def action_players(self) -> None:
        """Show who may propose."""
        self.app.push_screen(SeatsScreen(self.board.save, self.source, self.tray), lambda _: self.show())


def list_waiting_devices(links: Links, tray: FollowedTray | None) -> tuple[tuple[Seat, str], ...]:
    """List the phones that ask to propose and are not let in, each with its seat.

    Only the latest `DEVICES_LISTED_MOST` of a seat are listed, the latest last.
    """
    if tray is None:
        return ()
    return tuple(
        (seat, device)
        for seat in links.seats
        for device in tray.state.list_devices(seat.id, compute_token(seat.secret))[-DEVICES_LISTED_MOST:]
        if device != seat.device
    )


class SeatsScreen(PickScreen[None]):
    """The screen that shows who may propose, from which phone, for which ships."""

    places = (SEATS,)

    def __init__(self, save: Path, source: BattleSource, tray: FollowedTray | None) -> None:
        super().__init__()
        self.save_path, self.source, self.tray = save, source, tray
        self._drawn: object = None
        # Row for the cursor after the next change, so that it does not move on to another phone.
        self._row_after_change = ""

    def on_mount(self) -> None:
        super().on_mount()
        self.set_interval(LOOK_EVERY_S, self.show)
        self.show()

    def render_headline(self) -> Content:
        return literal(" Players who may propose", "bold $primary")

    @property
    def links(self) -> Links:
        """The stored links, with a seat for each player; raises QfError if the file is faulty."""
        return (load_links(self.save_path) or Links()).add_seats(self.source.battle)

    def show(self) -> None:
        """List the players and their phones if anything has changed."""
        try:
            links = self.links
        except QfError as refused:
            self.say(f"{REFUSED} {refused}")
            return
        # The list shows no secrets, so a change of them alone needs no new list.
        links_without_secrets = evolve(links, seats=tuple(evolve(seat, secret="") for seat in links.seats))
        content = links_without_secrets, list_waiting_devices(links, self.tray)
        if content != self._drawn:
            self._drawn = content
            key_before = self.picks.key
            self.picks.show(self._list_lines(links), self._row_after_change)
            # The key of a phone's row is the player's id and the phone.
            if isinstance(key_before, tuple) and self.picks.key != key_before:
                # Put the cursor on the player, because Enter must let in only the phone that was chosen.
                player_id = key_before[0]
                self.picks.show(self.picks.lines, player_id)
            self._row_after_change = ""
            self.show_details()

    def _list_lines(self, links: Links) -> Iterator[PickLine]:
        """Yield the settings, then each player with his ships and phones."""
        yield build_heading_line(f"Links that may propose: {'on' if links.propose else 'off'}")
        yield build_text_line(f"Owed rolls enter by themselves: {'yes' if links.rolls else 'no'}")
        battle, waiting = self.source.battle, list_waiting_devices(links, self.tray)
        for seat in links.seats:
            phone = f"phone {format_device_code(seat.device)} is in" if seat.device else "no phone is in"
            ships = "".join(f", {battle.find_ship_name(ship)}" for ship in seat.ships)
            yield build_text_line(
                f"{fit(seat.name, NAME)}  {battle.find_side_name(seat.side)}{ships}  {phone}", key=seat.id
            )
            for waiting_seat, device in waiting:
                if waiting_seat.id == seat.id:
                    text = f"{'':{NAME}}  phone {format_device_code(device)} asks to propose"
                    yield build_text_line(text, "bold $text-warning", (seat.id, device))

    @property
    def seat(self) -> Seat | None:
        """The player under the cursor, also on the row of one of his phones."""
        key = self.picks.key
        id = key[0] if isinstance(key, tuple) else key
        return next((seat for seat in self.links.seats if seat.id == id), None)

    def render_about(self, width: int) -> Iterable[Content]:
        """Return the message of the last key, or the warning about links that may propose."""
        if self.notice:
            return build_about_lines(self.notice, width, most=3)
        return [
            *build_about_lines(FORGEABLE, width, most=2, style="$text-warning"),
            *build_about_lines(ROLLING, width, most=2, style="$quiet"),
        ]

    def _change(self, change: Callable[[Links], Links], message: str) -> None:
        """Save changed links, then show `message`, or the fault if they cannot be saved."""
        try:
            save_links(self.save_path, change(self.links))
        except QfError as refused:
            message = f"{REFUSED} {refused}"
        self.show()
        self.say(message)

    def action_propose(self) -> None:
        """Turn the links that may propose on or off."""
        self._change(lambda links: evolve(links, propose=not links.propose), message="")

    def action_rolls(self) -> None:
        """Change whether owed rolls enter without the umpire."""
        self._change(lambda links: evolve(links, rolls=not links.rolls), message="")

    def action_let_device_in(self) -> None:
        """Let in the phone under the cursor; its player shows the same code."""
        key = self.picks.key
        if isinstance(key, tuple):
            id, device = key
            self._row_after_change = id
            self._change(
                lambda links: links.let_device_in(id, device), f"phone {format_device_code(device)} is in"
            )
        else:
            self.say(f"{REFUSED} {self._explain_no_phone()}")

    def _explain_no_phone(self) -> str:
        """Format why Enter lets no phone in, and what to do; the cursor is on no phone that asks."""
        links, seat = self.links, self.seat
        if seat is None:
            return "no player is listed: name a player for a division in the set-up"
        if not links.propose:
            key = find_screen_key(self, "seats.propose")
            return f"the links that may propose are off: {key} turns them on"
        if any(other_seat.id == seat.id for other_seat, _ in list_waiting_devices(links, self.tray)):
            return f"put the cursor on the number that the phone of {seat.name} shows, and press Enter"
        if seat.device:
            return f"phone {format_device_code(seat.device)} of {seat.name} is in, and no other asks"
        return f"no phone asks for {seat.name}: open the link there; → at the board shows its code"

    def action_revoke(self) -> None:
        """Give a player a new link; the old link and its phone stop working."""
        seat = self.seat
        if seat is not None:
            self._change(lambda links: links.revoke_seat(seat.id), f"{seat.name} has a new link")

    def action_hand(self) -> None:
        """Ask for a ship of the player's side, and hand her to him."""
        seat = self.seat
        if seat is None:
            return
        battle = self.source.battle
        names_of_side = list_named_ships(ship for ship in battle.ships.values() if ship.side == seat.side)

        def hand(text: str) -> str:
            ship = find_meant_id(text.strip(), names_of_side) if text.strip() else ""
            if not ship:
                return "type letters of one ship of that side"
            message = f"{battle.find_ship_name(ship)} is handed to {seat.name}"
            self.call_after_refresh(self._change, lambda links: links.hand_ship(ship, seat.id), message)
            return ""

        self.app.push_screen(TextEntry(f"Hand which ship to {seat.name}?", "", hand, "hand over"))
