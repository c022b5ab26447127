"""The form kit: a field is a label, a text and its meaning, typed in a dialog or in a list.

A dialog is a `FieldForm` of `InputField`s; in a list a field is a `field_line`, with the `EditedText` being
typed in it.
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
from qf_tui.console.widgets.keys import KeyModal, asking
from qf_tui.console.widgets.panel import framed
from qf_tui.console.widgets.picklist import PickLine
from qf_tui.console.widgets.text import CUT, SteadyText, cut, fit, literal, one_line, width_of

Value = TypeVar("Value")
LABEL_LEAST, TEXT_LEAST = 10, 20
"""Cells of a label in a list at least, and those that it leaves for the text."""
HERE, WRONG = "▸ ", "✗ "
CARET = "▏"
BACKSPACE = "\b"
"""What `KeyInput.take` is given for it."""


@frozen
class FormField:
    """A field as it is shown: its label, its text, and what that means.

    `offered` is what Space takes while it is empty. `wrong`: it cannot stay as it is.
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


def turned(values: Sequence[Value], value: Value, by: int = 1) -> Value:
    """The value so many places from another, around the ends; from a strange one the first or the last."""
    at = values.index(value) if value in values else -by
    return values[(at + by) % len(values)]


class KeyInput(Input):
    """An input whose `take` may take a character before it becomes text."""

    # Its box has a fixed width: no letter lays the screen out again.
    virtual_size = Reactive(Size(0, 0), layout=False)

    def __init__(self, value: str, take: Callable[[str], bool], **settings: Any) -> None:
        # What is typed here is checked by its form, not by validators: no class of an input changes.
        super().__init__(value, validate_on=["submitted"], **settings)
        self.take = take

    def action_delete_left(self) -> None:
        """Backspace, which may mean something else too."""
        if not self.take(BACKSPACE):
            super().action_delete_left()

    def on_key(self, event: events.Key) -> None:
        if event.character and event.is_printable and self.take(event.character):
            event.stop()
            event.prevent_default()


class InputField(Horizontal):
    """A field with an input of its own; around that it draws label and meaning itself.

    `take` may take a character before it is text; `selects`: the keyboard finds the whole text selected.
    A field without a label is its input alone.
    """

    def __init__(self, field: FormField, take: Callable[[str], bool], *, selects: bool) -> None:
        super().__init__(id=f"field-{field.name}", classes="slot")
        self.field, self.here = field, False
        self.input = KeyInput(field.text, take, id=f"slot-{field.name}", select_on_focus=selects)
        # Until the keyboard comes a text that is too long shows how it begins.
        self.input.cursor_position = 0
        self._room = 0

    def compose(self) -> ComposeResult:
        yield self.input

    def lay_out(self, room: int, width: int) -> None:
        """Shares so many cells: `room` for the label, and of the rest half for the text."""
        self._room = room
        self.input.styles.margin = (0, 0, 0, room)
        self.input.styles.width = (width - room) // 2

    def render(self) -> Content:
        field, room = self.field, self._room
        if not room:
            return Content("")
        sign = WRONG if field.wrong else HERE if self.here else " " * len(HERE)
        look = "bold $text-error" if field.wrong else "bold $accent" if self.here else field.label_look
        label = literal(fit(f"{sign}{cut(field.label, room - 1 - len(HERE))}", room), look)
        text = (self.size.width - room) // 2
        means = literal(field.means, field.means_look)
        means = means.truncate(self.size.width - room - text - 1, ellipsis=True)
        return Content.assemble(label, " " * (text + 1), means)

    def show(self, field: FormField, here: bool) -> None:
        """Shows the field as it stands now, and whether the keyboard is there."""
        if (field, here) == (self.field, self.here):
            return
        self.field, self.here = field, here
        self.refresh()
        self.input.set_class(field.wrong, "-held")
        self._offer()

    def on_resize(self) -> None:
        self._offer()

    def _offer(self) -> None:
        """Show what Space takes, cut with a sign: an input would end it at a blank, as if that were all."""
        room = self.input.content_size.width
        offered = f"Space: {self.field.offered}" if self.field.offered else ""
        self.input.placeholder = cut(offered, room) if room else offered


class FieldForm(KeyModal[ScreenResultType]):
    """A dialog of fields, walked in their order."""

    @property
    def here(self) -> str:
        """The field that the keyboard is in, or nothing."""
        return ((self.focused.id if self.focused else None) or "").removeprefix("slot-")

    def field(self, name: str) -> InputField:
        return self.query_one(f"#field-{name}", InputField)

    def go_to(self, name: str) -> None:
        """Puts the keyboard behind the text of a field."""
        box = self.field(name).input
        box.cursor_position = len(box.value)
        self.set_focus(box)

    def action_step(self, by: int) -> None:
        """Goes so many fields on, no further than the last or the first."""
        names = [field.field.name for field in self.query(InputField)]
        if self.here in names:
            self.go_to(names[max(0, min(names.index(self.here) + by, len(names) - 1))])


class TextEntry(FieldForm[None]):
    """A dialog that asks for one text.

    Attributes:
        take: takes the text and returns what is wrong with it, or "".
        does: what Enter does, as the hints say it.
    """

    places = (ENTRY,)

    def __init__(self, title: str, text: str, take: Callable[[str], str], does: str = "save") -> None:
        super().__init__()
        self.heading, self.text, self.take, self.does = title, text, take, does

    def compose(self) -> ComposeResult:
        field = InputField(FormField("text", "", self.text), lambda character: False, selects=True)
        yield framed(
            self.heading, asking(self.does, "cancel"), field, SteadyText(Content(""), id="entry-says")
        )

    def on_mount(self) -> None:
        self.field("text").input.focus()

    def action_accept(self) -> None:
        fault = self.take(self.field("text").input.value)
        if fault:
            self.query_one("#entry-says", SteadyText).update(literal(f"{WRONG}{fault}", "bold $text-error"))
        else:
            self.dismiss(None)


@frozen
class EditedText:
    """A text being written: `at` is where, `fresh` that nothing was typed yet, so a letter begins anew."""

    text: str = ""
    at: int = 0
    fresh: bool = True

    @classmethod
    def of(cls, text: str) -> "EditedText":
        """A text as it is found."""
        return cls(text, len(text))

    def typed(self, letters: str) -> "EditedText":
        """With letters more; the first take the place of what stood there."""
        before, behind = ("", "") if self.fresh else (self.text[: self.at], self.text[self.at :])
        return EditedText(before + letters + behind, len(before + letters), False)

    def backspace(self) -> "EditedText":
        """Without the letter before; nothing at all if nothing was typed yet."""
        at = 0 if self.fresh else max(0, self.at - 1)
        return EditedText("" if self.fresh else self.text[:at] + self.text[self.at :], at, False)

    def moved(self, by: int) -> "EditedText":
        """At another letter, what stands there kept."""
        return evolve(self, at=max(0, min(len(self.text), self.at + by)), fresh=False)

    def drawn(self, width: int) -> Content:
        """What is written, with a caret; as much as fits about it, with a sign for what does not."""
        if self.fresh and self.text:
            return literal(cut(one_line(self.text), width), "reverse")
        before, behind = one_line(self.text[: self.at]), one_line(self.text[self.at :])
        room = max(1, width - 1 - bool(behind))
        if width_of(before) > room:
            while before and width_of(before) > room - 1:
                before = before[1:]
            before = f"{CUT}{before}"
        shown = f"{before}{CARET}{cut(behind, max(0, width - 1 - width_of(before)))}"
        return literal(cut(shown, width), "bold")


def field_line(
    field: FormField, label: int, edited: EditedText | None = None, *, text: int = 0, signs: int = 1
) -> PickLine:
    """A field as a line of a list, with what is typed in it.

    `label` are the cells of its label where there is room for them, `text` those of its text where its
    meaning stands beside, `signs` those between.
    """

    def draw(width: int) -> Content:
        room = max(LABEL_LEAST, min(label, width - TEXT_LEAST))
        sign = fit(WRONG if field.wrong else "", signs)
        lead = literal(fit(field.label, room), field.label_look), literal(sign, "bold $text-error")
        rest = max(1, width - room - signs)
        if edited is not None:
            return Content.assemble(*lead, edited.drawn(rest))
        written = fit(field.text, min(text, rest)) if text else cut(field.text, rest)
        means = cut(field.means, max(0, rest - text)) if text else ""
        return Content.assemble(*lead, literal(written, field.text_look), literal(means, field.means_look))

    return PickLine(field.name, draw)
