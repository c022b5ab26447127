"""A battle screen that takes no orders, and one that also follows a save while another console writes it.

Rarely opened panels are imported on first use, so that the screen appears sooner.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from attrs import evolve
from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.widget import Widget

from qf_tui.console.battle.status import Footer, LatestActs, OwedLine, PhaseLine, list_place_keys
from qf_tui.console.entry.bar import Alarm, Banner, MessageLine
from qf_tui.console.reading.document_view import ShipCard
from qf_tui.console.reading.log_layout import NO_SIGN, Show, Sign
from qf_tui.console.reading.logs import SEARCH_ACTIONS, Grid, ShipSearch
from qf_tui.console.reading.source import BattleSource, OrderTone, SourceScreen
from qf_tui.console.widgets.actions import BAR, FIND, GRID, Action
from qf_tui.console.widgets.keys import QueuedApp, build_keymap, list_app_actions
from qf_tui.console.widgets.text import TextPane
from qf_tui.core.availability import list_ships_in_reach
from qf_tui.core.declarations import Event
from qf_tui.core.errors import Findings, QfError
from qf_tui.core.schedule import list_events as events_between
from qf_tui.document.acts import ShipRemarks, format_undo
from qf_tui.library.settings import Settings
from qf_tui.registry import find_features
from qf_tui.session.clock import format_clock, measure_pace
from qf_tui.session.saves import LOOK_EVERY, Follower

if TYPE_CHECKING:  # loaded once a battle is on the screen
    from qf_tui.hooks import BattlePart

CARD_FROM, CARD = 180, 40
"""Screen width from which the card is next to the logs; width of the card."""
AROUND, MOST_ACTS = 8, 24
"""Lines around the logs and the latest acts; most lines of the latest acts."""
MESSAGE_MORE = 3
"""Most lines by which a message grows."""
LEAST_ACTS = ((30, 3), (45, 5), (0, 8))
"""Least lines of the latest acts, for screens below a height; 0 is for all other screens."""


class BattleView(SourceScreen[None]):
    """The base of battle screens: it draws the present state of its source, and takes no orders.

    While no widget has the keyboard, keys are for the logs.

    Attributes:
        search: The search for a ship that is open, or None.
    """

    # Widgets get no automatic focus: losing it would redraw the whole grid.
    AUTO_FOCUS = ""
    places: ClassVar[tuple[str, ...]] = (GRID, FIND)
    enters = False

    @dataclass
    class Left(Message):
        """The message that the battle is left, for another save or (None) for the first screen."""

        save: Path | None

    def __init__(self, source: BattleSource, settings: Settings | None = None, *, saved: bool = True) -> None:
        super().__init__(source)
        self.settings, self.saved = settings or Settings(), saved
        self.grid = Grid(source.system, source.battle, id="grid")
        self.search: ShipSearch | None = None
        self.parts: tuple[BattlePart, ...] = ()
        self._attached_count = 0
        """Number of features whose parts are attached."""
        self._remarks = ShipRemarks()

    def compose(self) -> ComposeResult:
        source = self.source
        yield PhaseLine(source, id="phases", saved=self.saved)
        with Horizontal(id="middle"):
            yield self.grid
            yield ShipCard(id="card")
        with Vertical(id="news"):
            yield LatestActs(source, id="latest")
            # Events cover lines of older acts, so that the logs keep their place.
            yield Banner(id="banner")
        yield OwedLine(source, id="owed")
        yield from self._attach_features()
        self._order_line = self.build_order_line()
        yield self._order_line
        yield Alarm(id="alarm")
        yield Footer(id="keys")

    def _attach_features(self) -> Iterator[TextPane]:
        """Attach the parts of features that are new since the last call, and yield their panes."""
        features = find_features()
        added = features[self._attached_count :]
        self._attached_count = len(features)
        parts = tuple(feature.attend(self) for feature in added if feature.attend)
        self.parts = (*self.parts, *parts)
        for part in parts:
            yield from part.compose()

    def take_features(self) -> None:
        """Attach features that were found late, and apply the settings."""
        super().take_features()
        for pane in self._attach_features():
            self.mount(pane, before=self._order_line)
        self.take_settings(self.settings)
        self.show()

    def build_order_line(self) -> Widget:
        """Build the line where orders are typed, with their messages: here only the line for messages."""
        return MessageLine(id="bar-says")

    def on_mount(self) -> None:
        """Draw the battle, and show the notice as a warning."""
        # Without a focused widget, the keys are those of the logs.
        self.set_focus(None)
        self.alarm(self.notice)
        self.take_settings(self.settings)
        self.show()

    def take_settings(self, settings: Settings) -> None:
        """Store the settings, and let the phase line show the pace by them; `show` draws the rest."""
        self.settings = settings
        self.query_one(PhaseLine).pace = self.format_pace

    def format_clock(self) -> str:
        """Format the time left of the phase; "" without a clock."""
        return format_clock(self.source.timeline, self.source.seconds, self.settings.minutes)

    def format_pace(self) -> str:
        """Format the clock of the phase and the length of the turn, as the settings ask."""
        seconds = self.source.seconds if self.settings.clock else None
        turn = "" if seconds is None else str(measure_pace(self.source.timeline, seconds))
        return " · ".join(filter(None, (self.format_clock(), turn)))

    @property
    def notice(self) -> str:
        """The warning that is shown when the screen opens, until something is entered."""
        return self.source.notice

    @property
    def place(self) -> str:
        """The place of the keyboard: the search for a ship, the logs, or the bar."""
        if self.search is not None:
            return FIND
        return GRID if self.focused is None else BAR

    @property
    def keys(self) -> Mapping[str, Action]:
        """The action of each key at the place of the keyboard."""
        return self.find_keys(self.place)

    def is_offered(self, action: Action) -> bool:
        """Return whether the palette lists an action here."""
        return self.enters or not action.enters

    def handle_other_key(self, event: events.Key) -> None:
        """Add a letter to the search for a ship, if one is open."""
        if self.search is None:
            return
        event.stop()
        event.prevent_default()
        if event.character and event.is_printable:
            self.search.add_letter(event.character)

    def on_resize(self, event: events.Resize) -> None:
        """Divide the lines again, and show the card only if the screen is wide enough."""
        self._share_lines(event.size.width, event.size.height)
        self.query_one("#card").display = event.size.width >= CARD_FROM
        self.call_after_refresh(self.show_keys)
        self.call_after_refresh(self.show_card)

    def _share_lines(self, width: int, height: int) -> None:
        """Share the lines: the latest acts get the lines that the logs do not need, within limits."""
        least = next(lines for limit, lines in LEAST_ACTS if height < limit or not limit)
        room = height - AROUND
        card_width = CARD if width >= CARD_FROM else 0
        logs = self.grid.count_lines(width - card_width - 1, room - least)
        acts = max(least, min(room - logs, MOST_ACTS))
        # A long message takes lines from the part with the height "1fr": from the acts if they have enough,
        # else from the logs, which are then drawn twice. The acts have a border of one line above them.
        acts_yield = least + MESSAGE_MORE <= acts < MOST_ACTS
        self.query_one("#middle").styles.height = room - acts if acts_yield else "1fr"
        self.query_one("#news").styles.height = "1fr" if acts_yield else 1 + acts

    def show(self) -> None:
        """Draw the battle: logs, signs of ships that may act or owe a roll, all other panes, and the keys."""
        battle = self.source.battle
        self._share_lines(self.size.width, self.size.height)
        available = list_ships_in_reach(self.source.system, self.source.timeline)
        signs = {able.ship: Sign(acts=True, letters=able.letters) for able in available}
        for owed in battle.owed:
            signs[owed.ship] = evolve(signs.get(owed.ship, NO_SIGN), owes=True)
        self.grid.show(battle, signs)
        for pane in (PhaseLine, LatestActs, OwedLine):
            self.query_one(pane).draw()
        for part in self.parts:
            part.show()
        self.show_card()
        self.show_keys()

    def show_card(self) -> None:
        """Draw the card of the ship under the cursor, if there is room for one."""
        card = self.query_one(ShipCard)
        if card.display:
            ship, source = self.grid.ship, self.source
            remarks = self._remarks.list_remarks(source.timeline, ship) if ship else ()
            card.show_ship(source.system, source.battle, ship, remarks)

    def show_keys(self) -> None:
        """Draw the line of keys for the place of the keyboard."""
        source, place = self.source, self.place
        keys = self.find_keys(place)
        if place == FIND:
            self.query_one(Footer).show_keys(list_place_keys(keys))
            return
        undo_text = format_undo(source.timeline) if self.enters and place == GRID else ""
        self.query_one(Footer).show_battle(
            keys, source.system, source.battle.phase, undo_text, self.size.width
        )

    def say(self, text: str, tone: OrderTone = "", findings: Findings = ()) -> None:
        self.query_one(MessageLine).say(text, tone, findings)

    def alarm(self, text: str) -> None:
        self.query_one(Alarm).show(text)

    def finish_search(self) -> None:
        """Do what follows the end of a search; here nothing."""

    def on_grid_moved(self) -> None:
        self.show_card()

    def on_grid_chosen(self) -> None:
        self.choose()

    def choose(self) -> None:
        """Show the card of the ship after a second click on a cell."""
        self.action_read("sheet")

    def action_go_to(self) -> None:
        """Begin to look for a ship by its letters."""
        self.search = ShipSearch(self.grid, self.say)
        self.show_keys()

    def action_finding(self, what: str) -> None:
        """Handle a key of the search for a ship.

        Args:
            what: Word of the key's effect in `SEARCH_ACTIONS`.
        """
        if self.search is None:
            return
        SEARCH_ACTIONS[what](self.search)
        if self.search.ended:
            self.search = None
            self.finish_search()
            self.show_keys()

    def action_next_to_act(self) -> None:
        """Put the cursor on the next ship that may act or owes a roll."""
        if not self.grid.go_to_next():
            self.say("no ship may act, and no roll is owed")

    def action_history(self) -> None:
        from qf_tui.console.history.view import HistoryView

        self.app.push_screen(HistoryView(self.source))

    def show_events(self, events: Sequence[Event]) -> None:
        """Show events until they are read."""
        self.query_one(Banner).add([event.text for event in events])

    def action_drop(self) -> None:
        """Remove events that were read; if there are none, show all ships again."""
        if self.query_one(Banner).clear_unread():
            return
        if self.grid.arrangement.text:
            self.grid.rearrange(evolve(self.grid.arrangement, show=Show.ALL, letters="", act_letter=""))
        self.say("")

    def action_help(self) -> None:
        self.action_read("help")

    def action_read(self, what: str) -> None:
        """Show the panel with this name in `PANELS`, for the ship and column under the cursor."""
        from qf_tui.console.reading.info_panels import PANELS

        PANELS[what](self, self.grid.ship, self.grid.cursor_column)

    def list_notes(self) -> list[tuple[str, str]]:
        """List the features' notes on the battle, each with its label."""
        return [note for part in self.parts for note in part.list_notes()]

    def with_save(self, act: Callable[[Path], object]) -> None:
        """Call a function with the path of the save; if there is none or it fails, say why."""
        try:
            if self.save is None:
                raise QfError("this battle has no save to copy. Start it with `--save FILE` to have one.")
            act(self.save)
        except QfError as fault:
            self.say(f"✗ {fault}", "refused")

    def on_unmount(self) -> None:
        """Close the parts of features."""
        for part in self.parts:
            part.close()

    def action_palette(self) -> None:
        self.app.action_command_palette()

    def action_other_battle(self) -> None:
        """Leave the battle for the first screen."""
        self.post_message(self.Left(None))

    def action_leave(self) -> None:
        """End the console."""
        self.app.exit()


class WatchScreen(BattleView):
    """A battle that another console writes, and that this one follows.

    Args:
        message: Text that is shown until the other console enters something.
        open_page: Opens a screen over it at once, or None.
        leads_back: True if other battles may be opened from here.
    """

    @dataclass
    class Replaced(Message):
        """The message that another battle has taken the place of the save; the screen `by` shows it."""

        by: "WatchScreen"

    def __init__(
        self,
        follower: Follower,
        message: str = "",
        settings: Settings | None = None,
        *,
        open_page: "Callable[[BattleView], object] | None" = None,
        leads_back: bool = False,
    ) -> None:
        super().__init__(follower, settings)
        self.follower, self.message = follower, message
        self.open_page, self.leads_back = open_page, leads_back
        self._battle_id = follower.battle_id
        self.save = follower.path

    @property
    def notice(self) -> str:
        """The message until the other console enters something, and the message about the save."""
        return " ".join(filter(None, (self.message, super().notice)))

    def on_mount(self) -> None:
        """Draw the battle, begin to look for changes at intervals, and call `open_page` if there is one."""
        super().on_mount()
        self.set_interval(LOOK_EVERY, self._look_safely)
        if self.open_page:
            self.open_page(self)

    def _look_safely(self) -> None:
        """Look for changes; report an unexpected fault of the save and keep the screen."""
        try:
            self._look()
        except Exception as fault:
            if not isinstance(self.app, QueuedApp):
                raise
            self.app.report_fault(fault)

    def _look(self) -> None:
        """Read new acts, and show them on every screen of the battle.

        If another battle has replaced the save, ask for a new screen with the same screens over it.
        """
        for part in self.parts:
            part.look()
        battle_before = self.follower.battle
        if not self.follower.read_changes():
            return
        if self.follower.battle_id != self._battle_id:
            screens_above = [screen for screen in self.app.screen_stack if isinstance(screen, SourceScreen)]

            def open_again(view: BattleView) -> None:
                for screen in screens_above:
                    screen.open_again(view)

            new_screen = WatchScreen(
                self.follower, "", self.settings, open_page=open_again, leads_back=self.leads_back
            )
            self.post_message(self.Replaced(new_screen))
            return
        self.message = ""
        for screen in self.app.screen_stack:
            if isinstance(screen, SourceScreen):
                screen.show()
                screen.alarm(self.follower.notice)
        self.show_events(events_between(self.follower.system, battle_before, self.follower.battle))

    def is_offered(self, action: Action) -> bool:
        """Return whether the palette lists an action here; opening another battle only if that is allowed."""
        return super().is_offered(action) and (self.leads_back or action.call.name != "other_battle")

    def handle_other_key(self, event: events.Key) -> None:
        """Handle a letter of a search; for the key of an order, say that no order can be entered here."""
        super().handle_other_key(event)
        action = build_keymap(GRID, self.forms, list_app_actions(self.app)).get(event.key)
        if self.search is None and action is not None and action.enters:
            self.say(f"✗ {action.title}: you are only watching this battle", "refused")
