"""The settings: what can be set, what each means, and where they are kept."""

from collections.abc import Callable, Sequence

from textual.content import Content

from qf_tui.console.reading.help import key_lines
from qf_tui.console.widgets.actions import BEFORE, SETTINGS
from qf_tui.console.widgets.fields import TextEntry
from qf_tui.console.widgets.panel import Panel
from qf_tui.console.widgets.picklist import PickLine, PickScreen, heading, words
from qf_tui.console.widgets.text import SteadyText, cut, fit, literal, one_line, wrapped
from qf_tui.core.errors import QfError
from qf_tui.core.system import CardField
from qf_tui.library.settings import SETTINGS as DECLARED
from qf_tui.library.settings import Settings, settings_path

Change = Callable[[str, str], Settings]
"""Sets one setting by its name from a text, and gives all; QfError where it cannot be."""
NAME, VALUE = 12, 10
"""Cells of a setting's name and of its value."""


class SettingsScreen(PickScreen[None]):
    """The settings as they hold; `change` sets one."""

    places = (SETTINGS,)

    def __init__(self, settings: Settings, change: Change) -> None:
        super().__init__()
        self.settings, self.change, self.fault = settings, change, ""

    def headline(self) -> Content:
        return literal(" Settings", "bold $primary")

    def on_mount(self) -> None:
        self.picks.focus()
        self.show()

    @property
    def under(self) -> CardField | None:
        """The setting under the cursor."""
        return next((one for one in DECLARED if one.name == self.picks.key), None)

    def show(self, fault: str = "") -> None:
        """Draws them, with what stands against the last change."""
        self.fault = fault
        self.picks.show(setting_lines(self.settings))
        self.say_more()

    def say_more(self) -> None:
        one, width = self.under, max(10, self.size.width - 3)
        about = "" if one is None else f"{one.name}: {one.label}"
        lines = [literal(f" {part}") for part in wrapped(about, width, 2)]
        lines += [literal(f" ✗ {part}", "bold $text-error") for part in wrapped(self.fault, width, 2)]
        self.query_one("#about", SteadyText).update(Content("\n").join(lines))

    def on_pick_list_moved(self) -> None:
        self.fault = ""
        self.say_more()

    def on_pick_list_chosen(self) -> None:
        self.action_change(1)

    def action_change(self, by: int) -> None:
        """The setting under the cursor at its next value, or a text to be written."""
        one = self.under
        if one is None or one.kind == "map":
            return
        if values := values_of(one):
            at = values.index(said(self.settings, one))
            self.show(self._take(one.name, values[(at + by) % len(values)]))
        else:
            title = f"{one.name}: {one.label}"
            now = str(getattr(self.settings, one.name))
            self.app.push_screen(TextEntry(title, now, lambda text: self._take(one.name, text)))

    def _take(self, name: str, text: str) -> str:
        """Sets a setting; gives what stands against it, or nothing."""
        try:
            self.settings = self.change(name, text)
        except QfError as fault:
            return str(fault)
        self.show()
        return ""

    def action_help(self) -> None:
        lines = key_lines(self.keys_of, {SETTINGS: BEFORE[SETTINGS]})
        self.app.push_screen(Panel("Help", lines))


def values_of(one: CardField) -> Sequence[str]:
    """What a setting may be, in the order of its turns; of one that is a text nothing."""
    return ("no", "yes") if one.kind == "bool" else one.words


def said(settings: Settings, one: CardField) -> str:
    """A setting as it holds, in a word or as its text."""
    value = getattr(settings, one.name)
    return ("yes" if value else "no") if isinstance(value, bool) else str(value or "none")


def setting_lines(settings: Settings) -> list[PickLine]:
    """The settings, then the keys that the umpire has changed, which his file alone changes."""
    lines = [_line(one, said(settings, one)) for one in DECLARED if one.kind != "map"]
    lines.append(heading("Keys of your own, changed in the file alone"))
    own = [f"{id}   {keys}" for id, keys in settings.keys.items()]
    lines += [words(f"  {one_line(text)}") for text in own or ("none: the help has each action's name",)]
    kept = settings_path()
    lines += [heading("Kept in"), words(f"  {one_line(f'{kept.name} in {kept.parent}')}", "$quiet")]
    return lines


def _line(one: CardField, value: str) -> PickLine:
    def draw(width: int) -> Content:
        meaning = cut(one.label, max(0, width - NAME - VALUE - 2))
        shown = fit(value, VALUE) if len(value) <= VALUE else cut(value, width - NAME)
        rest = f"  {meaning}" if len(value) <= VALUE else ""
        return Content.assemble(literal(fit(one.name, NAME)), literal(shown, "bold"), literal(rest, "$quiet"))

    return PickLine(one.name, draw)
