"""One text put to the three readers: as a script, as the order bar, and field by field as a dialog has it."""

import re
from collections.abc import Mapping
from random import Random

from attrs import field, frozen

from qf_tui.console.entry.form_state import DICE_FIELD, Filling, FormReading
from qf_tui.core.errors import QfError
from qf_tui.core.grammar import kinds
from qf_tui.core.grammar.names import Reach
from qf_tui.core.grammar.reader import Reading, read, read_typed, words_of
from qf_tui.core.values import Form, Order
from qf_tui.session import Session
from tests.cli.strange_orders import Lot
from tests.systems import started

BATTLES = (
    "rulebook-examples",
    "yellow-sea-1904",
    "port-arthur-1904-evening",
    "yellow-sea-1904-clone",
    "gq2-dogger-bank-1915",
    "gq2-fourth-flotilla-1916",
)
"""Battles of all four systems, by day and by night."""

FORM_SHOWN = re.compile(r" \(form: .*\)$")
"""What a line alone says behind a refusal: how its order looks."""

QUOTED = re.compile("“(.*?)”")


def begun(scenario: str) -> Session:
    """A session on a scenario, in memory alone."""
    return Session.begin(*started(scenario))


def in_the_midst(scenario: str, random: Random, orders: int = 60) -> Session:
    """A session some orders later, with what they left owed."""
    session = begun(scenario)
    lot = Lot(random, session)
    for _ in range(orders):
        try:
            session.enter(lot.line())
        except QfError:
            continue
    return session


@frozen
class Typed:
    """An order as its words are typed: the text of each slot, the dice, what stands behind the plain slots.

    `behind` are the names of flags and of slots with a keyword, in the order of the line.
    """

    form: Form
    texts: Mapping[str, str] = field(factory=dict)
    behind: tuple[str, ...] = ()
    dice: str = ""

    @property
    def line(self) -> str:
        """The words on one line."""
        words = [self.texts.get(slot.name, "") for slot in self.form.slots if not slot.trailing]
        for slot in (slot for name in self.behind for slot in self.form.slots if slot.name == name):
            words += [slot.choices[0]] if slot.kind.is_flag else [slot.keyword, self.texts[slot.name]]
        return " ".join(word for word in (self.form.word, *words, self.dice) if word)

    @property
    def filling(self) -> Filling:
        """The words field by field; all dice stand in one field."""
        slots = {slot.name: slot for slot in self.form.slots}
        midst = [text for name, text in self.texts.items() if slots[name].kind is kinds.DIE]
        dice = {DICE_FIELD: " ".join((*midst, self.dice)).strip()} if self.form.dice else {}
        flags = frozenset(name for name in self.behind if slots[name].kind.is_flag)
        return Filling(self.form, {**self.texts, **dice}, flags)

    def parted_alike(self, reading: Reading) -> bool:
        """Whether a line was parted into the same fields: a name may take in the word behind it."""
        for name, part in reading.parts.items():
            if part.slot.kind.is_flag:
                continue
            keep = part.slot.kind.joint == " "
            mine = " ".join(words_of(self.texts.get(name, ""), keep_commas=keep))
            meant = part.text if not part.fault else "".join(QUOTED.findall(part.fault)[:1])
            if meant != mine and (not part.fault or meant.startswith(f"{mine} ")):
                return False
        return True

    @property
    def in_order(self) -> bool:
        """Whether what is behind the plain slots stands as the form has it, in the order of fields."""
        return [slot.name for slot in self.form.slots if slot.name in self.behind] == list(self.behind)


@frozen
class Meaning:
    """What a reader makes of a text: an order, or a refusal, without the form that lines show."""

    order: Order | None = None
    refusal: str = ""


def of(reading: Reading, like: str = "") -> Meaning:
    """The meaning of a reading: its order or its first refusal, or `like`, if that is one of its refusals."""
    texts = [FORM_SHOWN.sub("", finding.text) for finding in reading.findings]
    return Meaning(reading.order, like if like and like in texts else "".join(texts[:1]))


def by_script(session: Session, text: str, reach: Reach = Reach.BEGINS) -> Reading:
    """A line as a script has it."""
    return read(session.scope(reach), text)


def by_bar(session: Session, text: str, reach: Reach = Reach.ANYWHERE) -> Reading:
    """A line as the bar has it."""
    return read_typed(session.scope(reach), text)


def by_dialog(session: Session, typed: Typed, reach: Reach = Reach.ANYWHERE) -> FormReading:
    """The same words in the fields of a dialog."""
    return FormReading.of(session.scope(reach), typed.filling)
