"""What an order looks like.

A rule system declares each of its orders as a `Form`: a word and its slots in order. The reader, the dialogs,
the palette and the help are all drawn from it.
"""

from collections.abc import Callable
from functools import cached_property
from string import Formatter
from typing import TYPE_CHECKING

from attrs import frozen

if TYPE_CHECKING:
    from qf_tui.core.grammar.kind import SlotKind
    from qf_tui.core.grammar.order import SlotValue
    from qf_tui.core.values import Battle, Ship


@frozen
class Slot:
    """One place in an order. With `keyword` its value follows that word, anywhere after the plain slots.

    Every slot must be filled that is not `optional`, those with a keyword too. With `bare` a measure is also
    a plain number, such as boxes. A name slot with `listed` holds a name of the first ship that the order
    names: one of the `listed.1.name`, `listed.2.name` ... of its card. `unit` is that of a bare distance,
    where it is not the table's. Keys offer ships that are not `likely` last, and choices as `offered` calls
    them in the battle, without those for which it has no words; all are read in the same way. `known` is what
    the battle has on record of it for the first ship that the order names, None where nothing is.
    `identifies`: with the turn and the phase it tells the throws of such orders apart, as ship and battery
    do. With `to` it is a range, from the ship that the order names first to that of the slot so named; it may
    be estimated.
    """

    name: str
    kind: "SlotKind"
    label: str
    choices: tuple[str, ...] = ()
    keyword: str = ""
    optional: bool = False
    bare: bool = False
    least: int = 0
    most: int = 999
    listed: str = ""
    unit: str = ""
    likely: Callable[["Ship"], bool] | None = None
    offered: Callable[["Battle", str], str] | None = None
    known: Callable[["Battle", "Ship"], "SlotValue | None"] | None = None
    to: str = ""
    identifies: bool = False

    @property
    def trailing(self) -> bool:
        """Whether it may stand anywhere behind the plain slots."""
        return self.kind.is_flag or bool(self.keyword)

    @property
    def sign(self) -> str:
        """The slot as the help writes it."""
        body = self.kind.sign(self)
        if self.keyword:
            body = f"{self.keyword} {body}"
        return f"[{body}]" if self.optional else body


@frozen
class Mends:
    """What the repairs of a ship use up: a count of her log, and the field of her card that first says it."""

    points: str
    printed: str


@frozen
class SentencePart:
    """A part of an order's sentence: texts, each with the slot that fills what follows it ("": none).

    It is dropped where the first slot that it names was left out.
    """

    pieces: tuple[tuple[str, str], ...]

    @property
    def slots(self) -> tuple[str, ...]:
        """The slots that it names."""
        return tuple(slot for _, slot in self.pieces if slot)


@frozen(eq=False)
class Form:
    """One order: its word, the key that opens its dialog, its slots, and the dice that may end it.

    `says` is a sentence for the order in parts between bars, with slots in braces, each dropped where the
    first of its slots was left out: `{ship}| at {target}|, {range}`. Without it: the word and
    what fills the slots.
    `mends`: it repairs damage, and whoever plays without people orders it wherever the rules allow.
    `mutual`: its dice may harm each ship that it names, so that codes alone do not say whom.
    A form is known by its identity: it is declared once and looked up often.
    """

    word: str
    key: str
    title: str
    slots: tuple[Slot, ...] = ()
    dice: str = ""
    phases: tuple[str, ...] = ()
    help: str = ""
    says: str = ""
    mends: Mends | None = None
    mutual: bool = False

    @cached_property
    def sentence(self) -> tuple[SentencePart, ...]:
        """`says` in its parts; none where it says nothing."""
        return tuple(_part(part) for part in self.says.split("|")) if self.says else ()

    @property
    def usage(self) -> str:
        """The order as one line of help."""
        parts = [self.word, *(slot.sign for slot in self.slots)]
        if self.dice:
            parts.append(f"[{self.dice}]")
        return " ".join(parts)

    def slot(self, name: str) -> Slot | None:
        """A slot by its name, or None."""
        return next((slot for slot in self.slots if slot.name == name), None)


def _part(text: str) -> SentencePart:
    """A part of `says` as it is declared: `, {range}`."""
    return SentencePart(tuple((before, slot or "") for before, slot, _, _ in Formatter().parse(text)))
