"""An order as a value, and the words of a line."""

import re
from collections.abc import Mapping

from attrs import frozen

from qf_tui.core.errors import OrderRefused, impossible
from qf_tui.core.forms import REST, Form, Kind, Slot
from qf_tui.core.measure import Distance
from qf_tui.core.text import TEXT_MOST, unprintable

SlotValue = str | int | bool | Distance | tuple[str, ...]

COMMA = re.compile(r"\s*,\s*")


@frozen
class Order:
    """A parsed order: its form, what fills its slots, the faces of its dice, and whether the umpire forces it."""

    form: Form
    slots: Mapping[str, SlotValue]
    dice: tuple[int, ...] = ()
    forced: bool = False

    @property
    def word(self) -> str:
        return self.form.word

    def text(self, name: str) -> str:
        """A slot that holds a word or an id; "" where it was left out."""
        value = self.slots.get(name, "")
        return value if isinstance(value, str) else ""

    def many(self, name: str) -> tuple[str, ...]:
        """A slot that holds several words or ids."""
        value = self.slots.get(name, ())
        return value if isinstance(value, tuple) else (str(value),)

    def number(self, name: str) -> int | None:
        """A slot that holds a whole number, or None."""
        value = self.slots.get(name)
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    def has(self, name: str) -> bool:
        """Whether a flag stands."""
        return bool(self.slots.get(name, False))

    @property
    def resolved(self) -> str:
        """The order with full ids and without its dice, as the log keeps it."""
        parts = [self.form.word]
        for slot in self.form.slots:
            if slot.name not in self.slots or slot.kind is Kind.DIE:
                continue
            parts.extend(_written(slot, self.slots[slot.name]))
        return " ".join(parts)


def _written(slot: Slot, value: SlotValue) -> list[str]:
    if slot.kind is Kind.FLAG:
        return [slot.choices[0]] if value else []
    joint = " " if slot.kind in REST else ","
    text = joint.join(value) if isinstance(value, tuple) else str(value)
    return [slot.keyword, text] if slot.keyword else [text]


def words_of(text: str, *, keep_commas: bool = False) -> list[str]:
    """The words of an order, commas drawn together: `5 , 8` is one word `5,8`; OrderRefused for unprintable text.

    With `keep_commas` they stay where they were written, as in a remark.
    """
    if len(text) > TEXT_MOST:
        raise OrderRefused(impossible(f"an order of {len(text)} characters: {TEXT_MOST} at most"))
    fault = unprintable(text.replace("\t", " ").rstrip("\r\n"))
    if fault:
        raise OrderRefused(impossible(f"unprintable character {fault}: take it out"))
    return (text if keep_commas else COMMA.sub(",", text.strip())).split()
