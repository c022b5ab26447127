"""An order as a value, and the words of a line."""

import re
from collections.abc import Mapping
from functools import cached_property
from operator import attrgetter
from typing import Union

from attrs import field, frozen

from qf_tui.core.errors import OrderRefused, impossible
from qf_tui.core.grammar.dice_text import faces_text
from qf_tui.core.grammar.forms import Form
from qf_tui.core.measure import Distance
from qf_tui.core.question_key import QuestionKey, read_key
from qf_tui.core.replace import replace
from qf_tui.core.text import TEXT_MOST, unprintable

SlotValue = Union[str, int, bool, Distance, tuple[str, ...], "Order"]

COMMA = re.compile(r"\s*,\s*")
ANSWERS = ("roll", "answer")
"""The orders that answer an owed question."""
NEXT = "next"
"""The order that ends a phase."""
CALL = "call"
"""The word ahead of a called number, in the place of dice."""


@frozen
class Order:
    """An order: its form, what fills its slots, the faces of its dice, and whether the umpire forces it.

    `call` is the number that was called aloud for sealed dice, by which the faces are theirs.
    """

    form: Form = field(eq=attrgetter("word"))
    slots: Mapping[str, SlotValue]
    dice: tuple[int, ...] = ()
    forced: bool = False
    call: int | None = None

    @property
    def word(self) -> str:
        return self.form.word

    @property
    def is_answer(self) -> bool:
        """Whether it answers an owed question."""
        return self.form.word in ANSWERS

    @property
    def is_phase_end(self) -> bool:
        return self.form.word == NEXT

    @property
    def key(self) -> str:
        """The owed question that it answers; "" for any other order."""
        return self.text("key") if self.is_answer else ""

    @property
    def cause(self) -> int:
        """The entry whose question it answers; 0 for any other order."""
        return self.asked_by.entry

    @property
    def asked_by(self) -> QuestionKey:
        """The parts of the key that it answers; an empty one for any other order."""
        return read_key(self.key)

    @property
    def names(self) -> tuple[str, ...]:
        """The words and ids in its slots, in order; of a key the ship that is asked."""
        values = (value if isinstance(value, tuple) else (value,) for value in self.slots.values())
        words = (word for value in values for word in value if isinstance(word, str))
        return tuple(self.asked_by.ship if word == self.key else word for word in words)

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

    def order(self, name: str) -> "Order | None":
        """A slot that holds an order, or None."""
        value = self.slots.get(name)
        return value if isinstance(value, Order) else None

    def with_slot(self, name: str, value: SlotValue) -> "Order":
        """The same order with another value in a slot."""
        return replace(self, slots={**self.slots, name: value})

    @property
    def estimated(self) -> bool:
        """Whether a distance in it was estimated."""
        return any(isinstance(value, Distance) and value.estimated for value in self.slots.values())

    @property
    def called(self) -> int | None:
        """The call of this order, or of the order within a correction."""
        within = self.order("order")
        return within.call if within is not None else self.call

    @property
    def bare(self) -> "Order":
        """The order without its dice, and not forced: as it is declared."""
        return replace(self, dice=(), forced=False, call=None)

    @cached_property
    def resolved(self) -> str:
        """The order with full ids and without its dice, as the log keeps it."""
        parts = [self.form.word]
        for slot in self.form.slots:
            if slot.name in self.slots:
                parts.extend(slot.kind.write(slot, self.slots[slot.name]))
        return " ".join(parts)

    @cached_property
    def line(self) -> str:
        """The order as it may be typed: forced if it is, with its dice."""
        forced = ("force",) if self.forced else ()
        dice = (faces_text(self.dice),) if self.dice else ()
        call = () if self.call is None else (CALL, str(self.call))
        return " ".join((*forced, self.resolved, *dice, *call))

    def __str__(self) -> str:
        return self.line


def words_of(text: str, *, keep_commas: bool = False) -> list[str]:
    """The words of an order, commas drawn together: `5 , 8` is one word; OrderRefused for unprintable text.

    With `keep_commas` they stay where they were written, as in a remark.
    """
    if len(text) > TEXT_MOST:
        raise OrderRefused(impossible(f"an order of {len(text)} characters: {TEXT_MOST} at most"))
    fault = unprintable(text.replace("\t", " ").rstrip("\r\n"))
    if fault:
        raise OrderRefused(impossible(f"unprintable character {fault}: take it out"))
    return (text if keep_commas else COMMA.sub(",", text.strip())).split()
