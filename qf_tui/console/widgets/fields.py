"""Fields for input: each has a label, a text and its meaning, and is part of a dialog or a line of a list.

A dialog is a `FieldForm` of `InputField` widgets. In a list `build_field_line` draws a field, with the
`EditedText` that is being typed in it.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from attrs import evolve, frozen
from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.geometry import Size
from textual.reactive import Reactive
from textual.screen import ScreenResultType
from textual.widgets import Input

from qf_tui.console.widgets.actions import ENTRY
from qf_tui.console.widgets.keys import KeyModal, build_question_hints
from qf_tui.console.widgets.panel import build_frame
from qf_tui.console.widgets.picklist import PickLine
from qf_tui.console.widgets.text import CUT, SteadyText, cut, fit, literal, measure_width, to_one_line
from qf_tui.core.text import format_count

Value = TypeVar("Value")
LABEL_LEAST, TEXT_LEAST = 10, 20
"""Least width of a label in a list, and width that it leaves for the text."""
HERE, WRONG = "▸ ", "✗ "
CARET = "▏"
BACKSPACE = "\b"
"""Character that `KeyInput.take` gets for Backspace."""


@frozen
class FormField:
    """The texts and looks of a field in a dialog or list.

    Attributes:
        means: Meaning of the text.
        offered: The text that Space takes while the field is empty.
        wrong: True if the text cannot stay.
        label_look: Style of the label.
        text_look: Style of the text.
        means_look: Style of the meaning.
    """

    name: str
    label: str
    text: str = ""
    means: str = ""
    offered: str = ""
    wrong: bool = False
    label_look: str = "$quiet"
    text_look: str = ""
    means_look: str = "$quiet"


def turn_value(values: Sequence[Value], value: Value, by: int = 1) -> Value:
    """Return the value `by` places after another one, around the ends; the first if that is not there."""
    # From place `-by`, the step leads to the first value.
    at = values.index(value) if value in values else -by
    return values[(at + by) % len(values)]


class KeyInput(Input):
    """An input whose characters may have another meaning.

    Attributes:
        take: Handles a character before it becomes text; returns True if the character is not text then.
        take_lines: Takes the lines of a paste after the first; None to leave them out with a message.
    """

    take_lines: Callable[[Sequence[str]], object] | None = None

    # The fixed width of its box avoids a new layout for each letter.
    virtual_size = Reactive(Size(0, 0), layout=False)

    def __init__(self, value: str, take: Callable[[str], bool], **settings: Any) -> None:
        # The form checks the text, not validators, so that the input keeps its style classes.
        super().__init__(value, validate_on=["submitted"], **settings)
        self.take = take

    def action_delete_left(self) -> None:
        """Delete a character, unless Backspace has another meaning now."""
        if not self.take(BACKSPACE):
            super().action_delete_left()

    def on_key(self, event: events.Key) -> None:
        """Type a character, unless it has another meaning now."""
        if event.character and event.is_printable and self.take(event.character):
            event.stop()
            event.prevent_default()

    def on_paste(self, event: events.Paste) -> None:
        """Let the input paste the first line that is not blank; take the other lines, or report them."""
        event.text, *more = list(filter(str.strip, event.text.splitlines())) or [""]
        if self.take_lines is not None:
            self.take_lines(more)
        elif more:
            left_out = format_count(len(more), "more pasted line")
            self.app.notify(f"One line fits here; left out: {left_out}", severity="warning")


class InputField(Horizontal):
    """A field with its own input; it draws label and meaning around the input.

    Args:
        take: Handles a character before it becomes text.
        selects: True to select the whole text when the keyboard enters the field.
    """

    def __init__(self, field: FormField, take: Callable[[str], bool], *, selects: bool) -> None:
        super().__init__(id=f"field-{field.name}", classes="slot")
        self.field, self.here = field, False
        self.input = KeyInput(field.text, take, id=f"slot-{field.name}", select_on_focus=selects)
        # A long text shows its beginning until the field is focused.
        self.input.cursor_position = 0
        self._label_width = 0

    def compose(self) -> ComposeResult:
        yield self.input

    def lay_out(self, label_width: int, width: int) -> None:
        """Lay out the field: `label_width` cells for the label, half of the rest for the text."""
        self._label_width = label_width
        self.input.styles.margin = (0, 0, 0, label_width)
        self.input.styles.width = (width - label_width) // 2

    def render(self) -> Content:
        """Render the label and the meaning; between them is room for the input."""
        field, label_width = self.field, self._label_width
        if not label_width:
            return Content("")
        sign, look = " " * len(HERE), field.label_look
        if field.wrong:
            sign, look = WRONG, "bold $text-error"
        elif self.here:
            sign, look = HERE, "bold $accent"
        label = literal(fit(f"{sign}{cut(field.label, label_width - 1 - len(HERE))}", label_width), look)
        text_width = (self.size.width - label_width) // 2
        meaning = literal(field.means, field.means_look)
        meaning = meaning.truncate(self.size.width - label_width - text_width - 1, ellipsis=True)
        return Content.assemble(label, " " * (text_width + 1), meaning)

    def show(self, field: FormField, has_focus: bool) -> None:
        """Show the field, and whether it has the focus."""
        if (field, has_focus) == (self.field, self.here):
            return
        self.field, self.here = field, has_focus
        self.refresh()
        self.input.set_class(field.wrong, "-held")
        self._offer()

    def on_resize(self) -> None:
        self._offer()

    def _offer(self) -> None:
        """Show in the empty input what Space takes."""
        room = self.input.content_size.width
        offer_text = f"Space: {self.field.offered}" if self.field.offered else ""
        self.input.placeholder = cut(offer_text, room) if room else offer_text


class FieldForm(KeyModal[ScreenResultType]):
    """A dialog of fields in order."""

    @property
    def focused_name(self) -> str:
        """The name of the focused field, or ""."""
        id = self.focused.id if self.focused else ""
        return (id or "").removeprefix("slot-")

    def find_field(self, name: str) -> InputField:
        return self.query_one(f"#field-{name}", InputField)

    def go_to(self, name: str) -> None:
        """Focus a field, with the caret at the end of its text."""
        box = self.find_field(name).input
        box.cursor_position = len(box.value)
        self.set_focus(box)

    def action_step(self, by: int) -> None:
        """Move the focus `by` fields on, at most to the last or the first."""
        names = [field.field.name for field in self.query(InputField)]
        if self.focused_name in names:
            self.go_to(names[max(0, min(names.index(self.focused_name) + by, len(names) - 1))])


class TextEntry(FieldForm[None]):
    """A dialog that asks for one text.

    Attributes:
        take: Takes the text, and returns its fault or "".
        does: What Enter does, for the footer.
    """

    places = (ENTRY,)

    def __init__(self, title: str, text: str, take: Callable[[str], str], does: str = "save") -> None:
        super().__init__()
        self.heading, self.text, self.take, self.does = title, text, take, does

    def compose(self) -> ComposeResult:
        field = InputField(FormField("text", "", self.text), lambda character: False, selects=True)
        yield build_frame(
            self.heading,
            build_question_hints(self.does, "cancel"),
            field,
            SteadyText(Content(""), id="entry-says"),
        )

    def on_mount(self) -> None:
        self.find_field("text").input.focus()

    def action_accept(self) -> None:
        """Close if the text is accepted; if not, show its fault."""
        fault = self.take(self.find_field("text").input.value)
        if fault:
            self.query_one("#entry-says", SteadyText).update(literal(f"{WRONG}{fault}", "bold $text-error"))
        else:
            self.dismiss(None)


@frozen
class EditedText:
    """A text being written.

    Attributes:
        at: Place of the caret.
        fresh: True until the first key; a letter then replaces the whole text.
    """

    text: str = ""
    at: int = 0
    fresh: bool = True

    @classmethod
    def begin(cls, text: str) -> "EditedText":
        """Begin to edit a text."""
        return cls(text, len(text))

    def insert(self, letters: str) -> "EditedText":
        """Insert letters at the caret; before the first key, they replace the whole text."""
        before, behind = ("", "") if self.fresh else (self.text[: self.at], self.text[self.at :])
        return EditedText(before + letters + behind, len(before + letters), False)

    def backspace(self) -> "EditedText":
        """Delete the letter before the caret, or the whole text before the first key."""
        at = 0 if self.fresh else max(0, self.at - 1)
        return EditedText("" if self.fresh else self.text[:at] + self.text[self.at :], at, False)

    def move(self, by: int) -> "EditedText":
        """Move the caret within the text."""
        return evolve(self, at=max(0, min(len(self.text), self.at + by)), fresh=False)

    def render(self, width: int) -> Content:
        """Render the text with a caret in a width, cut with signs where it is too long.

        Before the first key, the whole text is marked instead.
        """
        if self.fresh and self.text:
            return literal(cut(to_one_line(self.text), width), "reverse")
        before, after = to_one_line(self.text[: self.at]), to_one_line(self.text[self.at :])
        # The caret takes a cell, and the text after it at least one.
        room = max(1, width - 1 - bool(after))
        if measure_width(before) > room:
            while before and measure_width(before) > room - 1:
                before = before[1:]
            before = f"{CUT}{before}"
        shown_text = f"{before}{CARET}{cut(after, max(0, width - 1 - measure_width(before)))}"
        return literal(cut(shown_text, width), "bold")


def build_field_line(
    field: FormField,
    label_width: int,
    edited: EditedText | None = None,
    *,
    text_width: int = 0,
    sign_width: int = 1,
) -> PickLine:
    """Build a field as a line of a list.

    Args:
        label_width: Width of the label, if there is room.
        edited: The text being typed in it; None to show its text and meaning.
        text_width: Width of the text; 0 gives it all the room and leaves out the meaning.
        sign_width: Width of the sign between label and text.
    """

    def draw(width: int) -> Content:
        room = max(LABEL_LEAST, min(label_width, width - TEXT_LEAST))
        sign = fit(WRONG if field.wrong else "", sign_width)
        lead = literal(fit(field.label, room), field.label_look), literal(sign, "bold $text-error")
        text_room = max(1, width - room - sign_width)
        if edited is not None:
            return Content.assemble(*lead, edited.render(text_room))
        text = fit(field.text, min(text_width, text_room)) if text_width else cut(field.text, text_room)
        meaning = cut(field.means, max(0, text_room - text_width)) if text_width else ""
        return Content.assemble(*lead, literal(text, field.text_look), literal(meaning, field.means_look))

    return PickLine(field.name, draw)
