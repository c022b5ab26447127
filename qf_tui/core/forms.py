"""What an order looks like.

A rule system declares each of its orders as a `Form`: a word and its slots in order. The parser, the dialogs,
the palette and the help are all drawn from it.
"""

from enum import Enum, auto

from attrs import frozen


class Kind(Enum):
    """What fills a slot."""

    SHIP = auto()  # one ship, by any beginning of its id or name
    SHIPS = auto()  # ships with commas between them, or @division
    SIDE = auto()  # a side, by any beginning
    DIVISION = auto()  # @division
    CHOICE = auto()  # one of `choices`
    FLAG = auto()  # a word that stands or not
    COUNT = auto()  # a whole number
    MEASURE = auto()  # a distance with its unit, or one of `choices`, or with `bare` a plain number
    DIE = auto()  # a die in the midst of an order
    NAME = auto()  # one word that the form does not know: a field, a switch
    WORDS = auto()  # all words to the end of the line
    CODES = auto()  # damage codes, to the end of the line
    KEY = auto()  # the key of an owed roll; left out: the first
    NUMBER = auto()  # the number of an act
    RESERVE = auto()  # ships that have yet to join, with commas between them or not


REST = {Kind.WORDS, Kind.CODES, Kind.RESERVE}


@frozen
class Slot:
    """One place in an order. With `keyword` its value follows that word, anywhere after the plain slots.

    Every slot must be filled that is not `optional`, those with a keyword too. A NAME slot with `listed` holds a
    name of the first ship that the order names: one of the `listed.1.name`, `listed.2.name` ... of its card.
    """

    name: str
    kind: Kind
    label: str
    choices: tuple[str, ...] = ()
    keyword: str = ""
    optional: bool = False
    bare: bool = False
    least: int = 0
    most: int = 999
    listed: str = ""

    @property
    def trailing(self) -> bool:
        """Whether it may stand anywhere behind the plain slots."""
        return self.kind is Kind.FLAG or bool(self.keyword)

    @property
    def sign(self) -> str:
        """The slot as the help writes it."""
        body = "|".join(self.choices) if self.kind in (Kind.CHOICE, Kind.FLAG) else self.name.upper()
        if self.kind is Kind.MEASURE and self.choices:
            body = "|".join((*self.choices, "DISTANCE"))
        if self.keyword:
            body = f"{self.keyword} {'N' if self.kind is Kind.COUNT or self.bare else body}"
        return f"[{body}]" if self.optional else body


@frozen(eq=False)
class Form:
    """One order: its word, the key that opens its dialog, its slots, and the dice that may end it.

    A form is told by its identity: it is declared once and looked up often.
    """

    word: str
    key: str
    title: str
    slots: tuple[Slot, ...] = ()
    dice: str = ""
    phases: tuple[str, ...] = ()
    help: str = ""

    @property
    def usage(self) -> str:
        """The order as one line of help."""
        parts = [self.word, *(slot.sign for slot in self.slots)]
        if self.dice:
            parts.append(f"[{self.dice}]")
        return " ".join(parts)


def flag(word: str, label: str) -> Slot:
    """A word that stands or not."""
    return Slot(word, Kind.FLAG, label, choices=(word,), optional=True)
