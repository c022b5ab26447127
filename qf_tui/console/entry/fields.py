"""The parts of an order's dialog.

A field with what its text is taken for, and the flags that stand or not.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.style import Style

from qf_tui.console.entry.form_state import Filling, FormReading
from qf_tui.console.widgets.overrides import KeyInput, SteadyText
from qf_tui.console.widgets.text import cut, fit, literal, width_of

LABEL, LABEL_MOST = 28, 44
"""Cells of a label, and at most where the screen is wide."""
WIDE = 110
"""Cells of width from which the labels may be long."""
HERE, HELD = "▸ ", "✗ "
GAP = 3
FLAG = "flag"
"""What the cells of a flag are marked with: its name."""


class SlotField(Horizontal):
    """One slot: its label, its text, and what the text is taken for; around the text it draws all itself.

    `take` may take a character before it is text; `selects`: the keyboard finds the whole text selected.
    """

    def __init__(
        self, name: str, label: str, text: str, take: Callable[[str], bool], *, selects: bool
    ) -> None:
        super().__init__(id=f"field-{name}", classes="slot")
        self.label = label
        self.input = KeyInput(text, take, id=f"slot-{name}", select_on_focus=selects)
        # Until the keyboard comes a text that is too long shows how it begins.
        self.input.cursor_position = 0
        self._room, self._shared = LABEL, (0, 0)
        self._here = self._held = False
        self._means = Content("")

    def compose(self) -> ComposeResult:
        yield self.input

    def lay_out(self, room: int, width: int) -> None:
        """Shares so many cells: `room` for the label, and of the rest half for the text."""
        if self._shared == (room, width):
            return
        self._room, self._shared = room, (room, width)
        self.input.styles.margin = (0, 0, 0, room)
        self.input.styles.width = (width - room) // 2

    def render(self) -> Content:
        sign = HELD if self._held else HERE if self._here else " " * len(HERE)
        look = "bold $text-error" if self._held else "bold $accent" if self._here else "$quiet"
        label = literal(fit(f"{sign}{cut(self.label, self._room - 1 - len(HERE))}", self._room), look)
        text = (self.size.width - self._room) // 2
        means = self._means.truncate(self.size.width - self._room - text - 1, ellipsis=True)
        return Content.assemble(label, " " * (text + 1), means)

    def show(self, means: Content, offered: str, here: bool, held: bool = False) -> None:
        """Shows what the text means, in an empty field what Space takes, and where the keyboard is.

        `held`: the keyboard would not leave the field, as it is not settled.
        """
        if (here, held) != (self._here, self._held) or not means.is_same(self._means):
            self._here, self._held, self._means = here, held, means
            self.refresh()
        self.input.set_class(held, "-held")
        self.input.placeholder = f"Space: {offered}" if offered else ""


def label_of(filling: Filling, name: str) -> str:
    """What a field is called."""
    slot = filling.slot(name)
    if slot is None:
        return f"dice {filling.form.dice}"
    return f"{slot.label}, if any" if slot.optional else slot.label


def label_room(filling: Filling, width: int) -> int:
    """The cells for the labels of a dialog on a screen of some width."""
    longest = max(width_of(label_of(filling, name)) for name in filling.names) + 4
    return max(LABEL, min(LABEL_MOST, longest)) if width >= WIDE else LABEL


def meaning_of(fields: FormReading, name: str, dice: str) -> Content:
    """What the letters of a field are taken for; `dice` names each face with its die."""
    slot = fields.filling.slot(name)
    if slot is None:
        return literal(f"= {dice}" if dice else "", "$text-success")
    if not fields.filling.text(name).strip():
        return Content("")
    named = fields.named(name)
    if named is None:
        return literal("?", "bold $text-warning")
    recorded = fields.recorded(name)
    if recorded and recorded != fields.value(name):
        return literal(f"recorded: {recorded}", "bold $text-warning")
    said = [f"= {named}" if named else "", "as recorded" if recorded else ""]
    return literal(" ".join(filter(None, said)), "$text-success")


class Flags(SteadyText):
    """The flags of an order side by side, as many on a line as there is room for."""

    @dataclass
    class Turned(Message):
        """A flag was clicked."""

        name: str

    def __init__(self, id: str) -> None:
        super().__init__(Content(""), id=id)
        self._drawn: tuple[frozenset[str], int] | None = None

    def show(self, filling: Filling, room: int) -> None:
        """Draws which flags stand; `room`: cells that they may take side by side."""
        if self._drawn == (filling.flags, room):
            return
        self._drawn = filling.flags, room
        parts = []
        for slot in filling.switches:
            stands = slot.name in filling.flags
            said = literal(
                f"{'[x]' if stands else '[ ]'} {slot.name} ({slot.label})", "bold" if stands else "$quiet"
            )
            parts.append(said.stylize(Style.from_meta({FLAG: slot.name})))
        letters = ", ".join(dict.fromkeys(slot.name[0] for slot in filling.switches))
        where = "among the dice" if filling.form.dice else "among figures"
        parts.append(literal(f"F3, or {where}: {letters}", "$quiet"))
        self.update(Content("\n").join(_in_lines(parts, room)))

    def on_click(self, event: events.Click) -> None:
        """Turns the flag that is clicked."""
        name = event.style.meta.get(FLAG)
        if isinstance(name, str):
            self.post_message(self.Turned(name))


def _in_lines(parts: Sequence[Content], room: int) -> list[Content]:
    """Parts with a gap between them, on as few lines as they need."""
    lines: list[Content] = []
    for part in parts:
        if lines and lines[-1].cell_length + GAP + part.cell_length <= room:
            lines[-1] = Content.assemble(lines[-1], " " * GAP, part)
        else:
            lines.append(part)
    return lines
