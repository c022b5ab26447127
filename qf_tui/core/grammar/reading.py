"""What a text comes to: the slots that were read, and an order or what stands against it."""

from collections.abc import Callable, Mapping

from attrs import evolve, field, frozen

from qf_tui.core.errors import Finding, OrderRefused
from qf_tui.core.grammar.forms import Form, Slot
from qf_tui.core.grammar.kinds import PLAY_ORDER
from qf_tui.core.grammar.names import Candidate
from qf_tui.core.grammar.order import Order, SlotValue
from qf_tui.core.grammar.scope import Scope, Words
from qf_tui.core.values import Battle


def _nothing() -> tuple[Candidate, ...]:
    return ()


@frozen
class Part:
    """What the text of one slot came to: its value, or why it has none.

    `text`: "" where it was left out; `offers`: the fault says what it may be.
    """

    slot: Slot
    text: str = ""
    value: SlotValue | None = None
    fault: str = ""
    offers: bool = False

    @property
    def settled(self) -> bool:
        """Whether it needs nothing more: it has a value, or may do without."""
        return self.value is not None or (not self.text and self.slot.optional)


@frozen
class Completion:
    """Where a line ends: what is wanted there, its letters so far. `offers` works out what these may be."""

    label: str = ""
    letters: str = ""
    offers: Callable[[], tuple[Candidate, ...]] = field(default=_nothing, eq=False)


@frozen
class Reading:
    """What a text means: `order` if it is complete, else `findings` say what stands against it.

    `parts` are the slots that were read, by name; `dice` is the text of its dice, with a space at its end
    where the line ended with one. `unfinished`: nothing stands against it but what is not typed yet.
    `preview`: only what a correction would change is asked for.
    """

    form: Form | None = None
    parts: Mapping[str, Part] = field(factory=dict)
    dice: str = ""
    order: Order | None = None
    findings: tuple[Finding, ...] = ()
    preview: bool = False
    cursor: Completion = Completion()
    unfinished: bool = False

    def complete(self) -> Order:
        """The order; OrderRefused says what stands against it."""
        if self.order is None:
            raise OrderRefused(*self.findings)
        return self.order

    @property
    def slots(self) -> dict[str, SlotValue]:
        """The values that are settled."""
        return {name: part.value for name, part in self.parts.items() if part.value is not None}


def missing(form: Form, slot: Slot) -> str:
    """What is said of a slot that must be filled and is not."""
    return f"{form.word}: {slot.sign if slot.keyword else slot.label} is missing"


def lacking(form: Form, slots: Mapping[str, SlotValue], dice: bool) -> str:
    """What an order lacks whose plain slots are filled, or nothing: a slot with a keyword, or its order."""
    for slot in form.slots:
        if slot.name in slots:
            continue
        if slot.keyword and not slot.optional:
            return missing(form, slot)
        if slot.kind is PLAY_ORDER and slot.optional and not dice:
            return f"{form.word} {slots.get('n')}: the order is missing"
    return ""


def scope_within(scope: Scope, form: Form, slots: Mapping[str, SlotValue]) -> Scope:
    """Where the order of a correction is read: the battle where it will stand, without corrections."""
    number = slots.get("n")
    at: Callable[[int], Battle | None] = scope.before if form.dice else scope.behind
    there = scope.on(at(number) if isinstance(number, int) else None)
    return evolve(there, vocabulary=evolve(there.vocabulary, corrections={}))


def keyed(order: Order, words: Words) -> Order:
    """An answer with the key of what it answers."""
    question = words.question if order.is_answer and not order.key else None
    return order.with_slot("key", question.key) if question else order
