"""What an order looks like.

A rule system declares each of its orders as a `Form`: a word and its slots in order. The reader, the dialogs,
the palette and the help are all drawn from it.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from operator import attrgetter
from string import Formatter
from typing import TYPE_CHECKING, Union

from attrs import field, frozen

from qf_tui.core.errors import OrderRefused, impossible
from qf_tui.core.facts import QuestionKey, read_key
from qf_tui.core.numbered import replace
from qf_tui.core.text import TEXT_MOST, Distance, unprintable

if TYPE_CHECKING:
    from qf_tui.core.grammar.kinds import SlotKind
    from qf_tui.core.values import Battle, Die, Ship


Faces = tuple[int, ...]

DICE_MOST = 30
"""Digits without a space that are still taken for dice: the wander checks of a long line."""

FACE_KEYS: Mapping[str, int] = {"x": 10, "y": 11, "z": 12}
"""One key each for the faces of two digits: no digit typed behind one is ever taken for a part of it."""

_DIGITS = re.compile(rf"\d{{1,{DICE_MOST}}}", re.ASCII)
"""A die as it is typed, or several without a space between them."""
_WORD = re.compile(r"[^\s,]+")


@frozen
class DiceWord:
    """One word among typed dice, and where in their text it stands."""

    text: str
    start: int
    end: int

    @property
    def is_dice(self) -> bool:
        """Whether it is of digits alone, and of so few that they may be dice."""
        return bool(_DIGITS.fullmatch(self.text))


def dice_words(text: str) -> tuple[DiceWord, ...]:
    """The words of typed dice, and those among them that are none."""
    return tuple(DiceWord(found[0], *found.span()) for found in _WORD.finditer(text))


def first_no_dice(text: str) -> str:
    """The first word of a text that is no die; "" where all are, or where there is none."""
    return next((word.text for word in dice_words(text) if not word.is_dice), "")


def are_dice(text: str) -> bool:
    """Whether a text is of dice alone, and of one at least."""
    return bool(dice_words(text)) and not first_no_dice(text)


def faces_typed(text: str) -> Faces:
    """The faces that dice are, each word one of them."""
    return tuple(int(word.text) for word in dice_words(text))


def is_digit(sign: str) -> bool:
    """Whether a key is a digit as dice have them."""
    return len(sign) == 1 and sign.isascii() and sign.isdigit()


def faces_text(faces: Iterable[int]) -> str:
    """Faces as they would be typed."""
    return " ".join(map(str, faces))


def face_keys(dice: Iterable["Die"]) -> Mapping[str, int]:
    """The keys for faces of two digits that some of these dice have."""
    most = max((die.most for die in dice), default=0)
    return {key: face for key, face in FACE_KEYS.items() if face <= most}


def face_keys_text(dice: Iterable["Die"]) -> str:
    """Those keys as people read them: `x 10 · y 11 · z 12`; "" where no die has such faces."""
    return " · ".join(f"{key} {face}" for key, face in face_keys(dice).items())


def readings(text: str, dice: Sequence["Die"]) -> tuple[Faces, ...]:
    """All that typed digits may mean as faces of those dice, in their order.

    A word with a space behind it is one face if its die has that face; other words are taken apart.
    """
    if not are_dice(text):
        return ()
    found: list[Faces] = [()]
    for word in dice_words(text):
        ended = word.end < len(text)
        found = [(*faces, *more) for faces in found for more in _read(word.text, dice[len(faces) :], ended)]
    return tuple(dict.fromkeys(found))


def _read(word: str, dice: Sequence["Die"], ended: bool) -> list[Faces]:
    if ended and dice and int(word) in dice[0].faces:
        return [(int(word),)]
    return _apart(word, dice)


def _apart(word: str, dice: Sequence["Die"]) -> list[Faces]:
    if not word:
        return [()]
    if not dice:
        return []
    found = []
    for length in (1, 2, 3):
        digits = word[:length]
        if len(digits) == length and digits == str(int(digits)) and int(digits) in dice[0].faces:
            found += [(int(digits), *rest) for rest in _apart(word[length:], dice[1:])]
    return found


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
