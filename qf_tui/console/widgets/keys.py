"""Keys: a queue that handles them one by one, the action of each key, and the base of screens with keys."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from inspect import isawaitable
from typing import Any, ClassVar

from attrs import evolve, frozen
from textual import events, on
from textual.app import App
from textual.content import Content
from textual.driver import Driver
from textual.message import Message
from textual.message_pump import MessagePump
from textual.reactive import Reactive
from textual.screen import ModalScreen, Screen, ScreenResultType
from textual.widget import Widget
from textual.widgets import Input

from qf_tui.console.textual_patches.faults import FaultReportingApp
from qf_tui.console.widgets.action_table import list_actions, list_places
from qf_tui.console.widgets.actions import GRID, Action, Call
from qf_tui.console.widgets.text import CUT, SteadyText, literal, measure_width
from qf_tui.console.widgets.theme import switch_theme
from qf_tui.core.builtin_forms import BUILTIN
from qf_tui.core.errors import QfError
from qf_tui.core.values import Form
from qf_tui.registry import search_features

ROUNDS = 3
"""Most rounds of messages for one key: a field changes, it informs its dialog, the dialog moves on."""
LONGEST = 1.0
"""Most seconds to wait for a key to be handled."""


class KeyQueue:
    """A queue of keys: each is handled completely before the next is read.

    A slow line delivers several keys at once. Without the queue the second key would go to the widget that
    was focused before the first: `f h` would open the history instead of choosing the heavy guns.

    Attributes:
        forward: Passes a key to the focused widget.
        handles_last: True while the last queued key is handled.
    """

    def __init__(self, app: App[Any], forward: Callable[[events.Key], Awaitable[None]]) -> None:
        self.app, self.forward = app, forward
        self._keys: deque[events.Key] = deque()
        self._task: asyncio.Task[None] | None = None
        self.handles_last = False

    @property
    def idle(self) -> bool:
        """True if no key waits or is being handled."""
        return self._task is None or self._task.done()

    def put(self, event: events.Key, *, first: bool = False) -> None:
        """Queue a key; `first` puts it before the waiting ones."""
        self._keys.insert(0 if first else len(self._keys), event)
        if self.idle:
            self._task = asyncio.create_task(self._work())

    def finish(self, then: Callable[[], object]) -> None:
        """Drop waiting keys, and call `then` once the present key is done."""
        self._keys.clear()
        if self._task is None or self._task.done():
            then()
        else:
            self._task.add_done_callback(lambda _: then())

    async def _work(self) -> None:
        """Handle the waiting keys one by one, each until no widget has messages left.

        A fault drops the keys that wait.
        """
        while self._keys:
            key = self._keys.popleft()
            self.handles_last = not self._keys
            try:
                await self.forward(key)
                for _ in range(ROUNDS):
                    # Wait until every widget that the key concerns has handled its messages so far.
                    focused = self.app.focused or self.app.screen
                    for node in focused.ancestors_with_self:
                        await _wait_for(node)
                    nodes = self.app.screen.walk_children(with_self=True)
                    if not any(node.message_queue_size for node in nodes):
                        break
            except Exception as fault:  # noqa: BLE001 - no caller awaits this task, so the fault would be lost
                self._keys.clear()
                self.app.call_later(_raise_fault, fault)
            finally:
                self.handles_last = False
                # Draw the changes that waited while the key was handled.
                if self.app.screen_stack:
                    self.app.screen_stack[-1].check_idle()


def _raise_fault(fault: Exception) -> None:
    raise fault


async def _wait_for(node: MessagePump) -> None:
    """Wait until a widget or screen has handled its messages so far, but not longer than `LONGEST`."""
    done = asyncio.Event()
    # `call_later` would inspect the callback's parameters on every call.
    if node.is_running and node.post_message(events.Callback(done.set)):
        with suppress(TimeoutError):
            async with asyncio.timeout(LONGEST):
                await done.wait()


def pass_on(app: App[Any], event: events.Key) -> None:
    """Put a key before the waiting keys, for the screen that is then on top."""
    if isinstance(app, QueuedApp):
        app.waiting_keys.put(events.Key(event.key, event.character), first=True)


class QueuedApp(FaultReportingApp):
    """An application that handles keys one after the other."""

    def __init__(self) -> None:
        super().__init__()
        self.actions = list_actions()
        self.waiting_keys = KeyQueue(self, super().on_event)

    async def on_event(self, event: events.Event) -> None:
        """Queue each new key. Textual handles the keys that it forwards itself, and all other events."""
        if isinstance(event, events.Key) and not event.is_forwarded:
            self.waiting_keys.put(unify_key_name(event))
        else:
            await super().on_event(event)

    def report_fault(self, fault: Exception) -> None:
        """Handle an unexpected exception of an action: here it is raised."""
        raise fault

    def get_driver_class(self) -> type[Driver]:
        """Return Textual's driver, or ours on a Unix terminal."""
        textual_driver = super().get_driver_class()
        if textual_driver.__module__ != "textual.drivers.linux_driver":
            return textual_driver
        from qf_tui.console.textual_patches.terminal import TerminalDriver

        return TerminalDriver


_SHOWN = {
    "question_mark": "?",
    "quotation_mark": '"',
    "exclamation_mark": "!",
    "less_than_sign": "<",
    "greater_than_sign": ">",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
    "comma": ",",
    "full_stop": ".",
    "colon": ":",
    "slash": "/",
    "equals_sign": "=",
    "escape": "Esc",
    "enter": "Enter",
    "tab": "Tab",
    "shift+tab": "Shift+Tab",
    "pageup": "PgUp",
    "pagedown": "PgDn",
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
    "space": "Space",
    "home": "Home",
    "end": "End",
    "backspace": "Backspace",
    "delete": "Del",
}
_NAMED = {shown: key for key, shown in _SHOWN.items()}
_SIGNS = {key for key, shown in _SHOWN.items() if len(shown) == 1 and shown.isascii()} | {"space"}
_PAD_SIGNS = {
    "decimal": ".",
    "separator": ",",
    "add": "+",
    "subtract": "-",
    "multiply": "*",
    "divide": "/",
    "equal": "=",
}
_SIGN_KEYS = {"+": "plus", "-": "minus", "*": "asterisk"}
FUNCTION_KEYS = tuple(f"f{number}" for number in range(1, 11))


def format_key(key: str) -> str:
    """Format a key as people write it: `pageup` as PgUp, `f1` as F1."""
    return _SHOWN.get(key) or (key.upper() if key[0] == "f" and key[1:].isdigit() else key)


def unify_key_name(event: events.Key) -> events.Key:
    """Return a key of the number pad, or a digit, under the name of the sign that it types; others as is."""
    name = event.key.removeprefix("shift+")
    sign = event.character or _PAD_SIGNS.get(name, name)
    if name not in _PAD_SIGNS and not name.isdecimal():
        return event
    return events.Key(_NAMED.get(sign) or _SIGN_KEYS.get(sign, sign), sign)


def build_form_action(form: Form) -> Action:
    """Build the action that opens the dialog of an order."""
    keys = (form.key,) if form.key else ()
    call = Call("order", arguments=(form.word,))
    return Action(f"order.{form.word}", keys, call, form.title, form.help, palette=True, enters=True)


def build_keymap(
    place: str, forms: Iterable[Form] = (), table: Iterable[Action] | None = None, *, enters: bool = True
) -> Mapping[str, Action]:
    """Map keys to actions at a place. If several have a key, the first counts.

    At the logs, a rule system's orders come before the table, and orders of every battle after it.

    Args:
        forms: The rule system's orders.
        table: The actions; None for all actions with their default keys.
        enters: False to leave out actions that need a writable battle.
    """
    actions = [action for action in (list_actions() if table is None else table) if place in action.places]
    if place == GRID:
        actions = [*map(build_form_action, forms), *actions, *map(build_form_action, BUILTIN)]
    keymap: dict[str, Action] = {}
    for action in actions:
        if enters or not action.enters:
            for key in action.keys:
                keymap.setdefault(key, action)
    return keymap


def find_key(action: Action, keys: Mapping[str, Action]) -> str:
    """Return the first key that does an action, as people write it, or ""."""
    return next((format_key(key) for key in action.keys if keys.get(key) == action), "")


def remap(keys_by_id: Mapping[str, str], forms: Iterable[Form] = ()) -> tuple[Action, ...]:
    """Return all actions, some with other keys.

    Args:
        keys_by_id: Keys by action id; several keys are separated by blanks, as `f7 x`.
        forms: Orders whose keys must stay free on the logs.

    Raises:
        QfError: If an id is unknown, or a key would have two meanings at a place.
    """
    # A feature of another package may have the action.
    if not {action.id for action in list_actions()}.issuperset(keys_by_id):
        search_features()
    known_ids = {action.id for action in list_actions()}
    unknown = [id for id in keys_by_id if id not in known_ids]
    if unknown:
        raise QfError(f"keys: there is no action “{unknown[0]}”")
    changed_actions = {
        action.id: evolve(action, keys=tuple(_read_key(key) for key in keys_by_id[action.id].split()))
        for action in list_actions()
        if action.id in keys_by_id
    }
    actions = tuple(changed_actions.get(action.id, action) for action in list_actions())
    orders = [build_form_action(form) for form in (*forms, *BUILTIN)]
    for action in changed_actions.values():
        for place in action.places:
            # The keys may clash at this place, at the place around it, and at places within it.
            inner_places = [other.name for other in list_places().values() if other.within == place]
            near_places = {place, list_places()[place].within, *inner_places}
            nearby_actions = [other for other in actions if not near_places.isdisjoint(other.places)]
            _check_keys(action, place, [*nearby_actions, *(orders if place == GRID else ())])
    return actions


def _read_key(text: str) -> str:
    """Return Textual's name of a key that is written in the settings.

    Raises:
        QfError: If not every terminal passes the key on.
    """
    key = _NAMED.get(text, text.lower() if len(text) > 1 else text)
    is_letter_or_digit = len(key) == 1 and key.isascii() and key.isalnum()
    if is_letter_or_digit or key in _SHOWN or key in FUNCTION_KEYS:
        return key
    raise QfError(f"keys: “{text}” is not a key that every terminal passes on")


def _check_keys(action: Action, place: str, others: Iterable[Action]) -> None:
    """Check the keys of an action at a place.

    Raises:
        QfError: If a key types text at the place, or is the key of another action.
    """
    where = list_places()[place].words
    for key in action.keys:
        if list_places()[place].typed_in and (len(key) == 1 or key in _SIGNS):
            raise QfError(f"keys: {format_key(key)} for {action.id} is text {where}")
        for other in others:
            if key in other.keys and other.id != action.id:
                raise QfError(f"keys: {format_key(key)} for {action.id} is the key of {other.id} {where}")


OF_THE_SCREEN = (events.Mount, events.Resize, events.DescendantFocus, events.DescendantBlur)
"""Events that a screen gets about itself and about the widgets in it."""


def list_app_actions(app: App[Any]) -> tuple[Action, ...]:
    """Return the table of an application, with the keys that the umpire changed."""
    return app.actions if isinstance(app, QueuedApp) else list_actions()


async def perform(screen: Screen[Any], action: Action) -> None:
    """Perform an action: its function, or its method of the screen or of one of the screen's widgets."""
    if action.does is not None:
        outcome = action.does(screen)
    else:
        call = action.call
        target = screen.query_one(f"#{call.widget}") if call.widget else screen
        outcome = getattr(target, f"action_{call.name}")(*call.arguments)
    if isawaitable(outcome):
        await outcome


def find_screen_key(screen: Screen[Any], id: str) -> str:
    """Return the first key of an action on a screen, as people write it, or ""."""
    if not isinstance(screen, KeyScreen):
        return ""
    keys = (item for place in screen.places for item in screen.find_keys(place).items())
    return next((format_key(key) for key, action in keys if action.id == id), "")


def clear_background(screen: Screen[Any]) -> None:
    """Make a screen's background transparent if the terminal has few colours, and so cannot mix them."""
    if getattr(screen.app, "few_colours", False):
        screen.styles.background = "transparent"


class KeyScreen(Screen[ScreenResultType]):
    """A screen with the keys of its places; later places override earlier ones.

    Attributes:
        forms: Orders with keys on the logs.
        enters: False if the battle cannot be written.
    """

    # Textual would redraw the whole screen when the focus moves: 20 ms of each Enter.
    focused: Reactive[Widget | None] = Reactive(None, repaint=False)

    places: ClassVar[tuple[str, ...]] = ()
    forms: tuple[Form, ...] = ()
    enters = True

    @dataclass
    class SettingsAsked(Message):
        """The message that the user asks for the settings."""

    def __init__(self) -> None:
        super().__init__()
        self._keymaps: dict[tuple[tuple[str, ...], bool], dict[str, Action]] = {}

    async def on_event(self, event: events.Event) -> None:
        """Ignore events of the screen after it was left."""
        # A screen that is closing counts as not displayed.
        if self.display or not isinstance(event, OF_THE_SCREEN):
            await super().on_event(event)

    @on(events.ScreenResume)
    def skip_styling(self, event: events.ScreenResume) -> None:
        """Skip styling when the screen returns: its widgets were styled when they were mounted."""
        event.refresh_styles = False

    @on(events.Resize)
    def skip_layout(self, event: events.Resize) -> None:
        """Skip the layout if the size has not changed."""
        if event.size == self.outer_size:
            event.prevent_default()

    def call_after_refresh(self, callback: Callable[..., Any], *args: Any, **kwargs: Any) -> bool:
        """Call a function after the next refresh, if the screen is still shown then."""

        def call_if_shown() -> Any:
            return callback(*args, **kwargs) if self.display else None

        return super().call_after_refresh(call_if_shown)

    def on_idle(self, event: events.Idle) -> None:
        """Draw nothing while the last waiting key is handled, so that its effects appear in one picture."""
        if isinstance(self.app, QueuedApp) and self.app.waiting_keys.handles_last:
            event.prevent_default()

    def take_features(self) -> None:
        """Read the keys again after features were found late."""
        self._keymaps.clear()

    @property
    def keys(self) -> Mapping[str, Action]:
        """The action of each key at the screen's places."""
        return self.find_keys(*self.places)

    def find_keys(self, *places: str, default: bool = False) -> Mapping[str, Action]:
        """Return the action of each key at some places; later places override earlier ones.

        Args:
            default: True for the keys before the umpire changed any.
        """
        if (places, default) not in self._keymaps:
            table = list_actions() if default else list_app_actions(self.app)
            keys = self._keymaps[places, default] = {}
            for place in places:
                keys |= build_keymap(place, self.forms, table, enters=self.enters)
        return self._keymaps[places, default]

    def find_title(self, action: Action) -> str:
        """Return the title of an action in the footer; "" if it can do nothing now."""
        return action.title

    def find_current_key(self, default_key: str) -> str:
        """Return the key that now does the action of a default key.

        The default key is returned if it still does the action, or has no action here, or if no key does the
        action now; else the first key.
        """
        default_action = self.find_keys(*self.places, default=True).get(default_key)
        if default_action is None:
            return default_key
        current_keys = [key for key, action in self.keys.items() if action.id == default_action.id]
        if default_key in current_keys or not current_keys:
            return default_key
        return current_keys[0]

    async def on_key(self, event: events.Key) -> None:
        """Perform the action of a key, before any widget handles the key."""
        action = self.keys.get(event.key)
        if action is None:
            self.handle_other_key(event)
            return
        event.stop()
        event.prevent_default()
        try:
            await perform(self, action)
        except Exception as fault:
            # A single failed action need not end the console.
            if not isinstance(self.app, QueuedApp):
                raise
            self.app.report_fault(fault)

    def handle_other_key(self, event: events.Key) -> None:
        """Handle a key that has no action here: ignored by default."""

    def action_back(self) -> None:
        self.dismiss()

    def action_close(self) -> None:
        self.dismiss()

    def action_theme(self) -> None:
        """Switch between the light and the dark theme."""
        switch_theme(self.app)

    def action_settings(self) -> None:
        """Ask the application to show the settings."""
        self.post_message(self.SettingsAsked())


class KeyModal(KeyScreen[ScreenResultType], ModalScreen[ScreenResultType]):
    """A screen over another one, with keys from the table."""

    def on_mount(self) -> None:
        clear_background(self)

    def handle_other_key(self, event: events.Key) -> None:
        """Pass a character on to the focused field if it arrived before the field had the focus."""
        if event.is_printable and isinstance(self.focused, Input):
            self.focused.post_message(events.Key(event.key, event.character))


def find_key_screen(widget: Widget) -> KeyScreen[Any]:
    """Return the screen of a widget, which must be one with keys."""
    assert isinstance(widget.screen, KeyScreen)
    return widget.screen


async def perform_click(screen: Screen[Any], x: int, parts: Iterable[tuple[int, Action | None]]) -> None:
    """Perform the action at a clicked cell of a line.

    Args:
        screen: The screen of the line.
        x: The clicked cell.
        parts: Parts of the line from left to right, each with its width in cells and its action or None.
    """
    for cells, action in parts:
        if 0 <= x < cells and action is not None:
            await perform(screen, action)
            return
        x -= cells


@frozen
class ShownKey:
    """A key in the footer, with the title of its action."""

    key: str
    title: str
    action: Action

    @property
    def cells(self) -> int:
        """The width in cells, with a blank on both sides."""
        return measure_width(f"{self.key} {self.title}") + 2


def render_keys(keys: Iterable[ShownKey]) -> Content:
    """Render keys and their titles in one line."""
    parts: list[Content] = []
    for key in keys:
        parts += [literal(f" {key.key}", "bold $accent"), literal(f" {key.title} ", "$quiet")]
    return Content.assemble(*parts)


class KeyBar(SteadyText):
    """The footer: the keys that fit, with their titles. The help lists all keys."""

    def __init__(self, keys: Mapping[str, Action], id: str = "keys") -> None:
        super().__init__(id=id)
        self.keys = keys
        self._shown: list[ShownKey] = []

    def show(self, keys: Mapping[str, Action]) -> None:
        """Show the keys of another place."""
        self.keys = keys
        self.refresh()

    def render(self) -> Content:
        """Render the keys that fit, and `…` if some do not; the help always has room."""
        screen, self._shown = find_key_screen(self), []
        actions = [action for action in dict.fromkeys(self.keys.values()) if action.footer]
        # Actions of few places come first, and the help last.
        actions.sort(key=lambda action: (action.call.name == "help", len(action.places)))
        keys_shown = [
            ShownKey(find_key(action, self.keys), title, action)
            for action in actions
            if (title := screen.find_title(action))
        ]
        help_keys = [key for key in keys_shown if key.action.call.name == "help"]
        other_keys = [key for key in keys_shown if key not in help_keys]
        room = self.size.width - 1 - sum(key.cells for key in help_keys)
        more = ""
        for key in other_keys:
            if key.cells > room:
                more = CUT
                break
            room -= key.cells
            self._shown.append(key)
        self._shown += help_keys
        return Content.assemble(render_keys(self._shown), literal(more, "$quiet"))

    async def on_click(self, event: events.Click) -> None:
        """Perform the action of the clicked key."""
        await perform_click(self.screen, event.x, ((key.cells, key.action) for key in self._shown))


GAP = "   "


@frozen
class Hint:
    """A part of a line of hints: a key and its effect.

    Attributes:
        key: Default name of the key in the table of actions; "" for text without a key.
        words: What the key does.
        also: Second key that does the same or similar, written after the first.
        joint: Text between the two keys.
    """

    key: str
    words: str
    also: str = ""
    joint: str = " "


def build_question_hints(enter: str, escape: str = "goes back") -> tuple[Hint, ...]:
    """Build the hints of a question: what Enter does, and what Escape does."""
    return Hint("enter", enter), Hint("escape", escape)


class Hints(SteadyText):
    """A line of hints such as `Enter goes on   Esc goes back`, with the umpire's own keys.

    A click on a hint presses its first key.
    """

    def __init__(self, line: Sequence[Hint], id: str | None = None, classes: str | None = None) -> None:
        super().__init__(Content(""), id=id, classes=classes)
        self.line = tuple(line)

    def on_mount(self) -> None:
        self.show(self.line)

    def show(self, line: Sequence[Hint], more: str = "") -> None:
        """Show other hints, with more text after them."""
        self.line = tuple(line)
        text = GAP.join(map(self._format_part, self.line))
        self.update(Content.assemble(literal(text, "$quiet"), literal(more, "bold $accent")))

    async def on_click(self, event: events.Click) -> None:
        """Perform the action of the clicked hint's key."""
        screen, parts = find_key_screen(self), []
        for hint in self.line:
            action = screen.keys.get(screen.find_current_key(hint.key))
            parts += [(measure_width(self._format_part(hint)), action), (len(GAP), None)]
        await perform_click(screen, event.x, parts)

    def _format_part(self, hint: Hint) -> str:
        """Format a hint with the keys that now do its actions."""
        find_key_now = find_key_screen(self).find_current_key
        keys = hint.joint.join(format_key(find_key_now(key)) for key in (hint.key, hint.also) if key)
        return f"{keys} {hint.words}" if keys else hint.words
