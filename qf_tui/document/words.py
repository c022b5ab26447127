"""Texts for facts that `acts` looked up: an order, a reason, the result of dice, changes on a ship's log."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum, auto

from attrs import frozen

from qf_tui.core.decisions import Reason, Results
from qf_tui.core.declarations import Shape
from qf_tui.core.text import Distance, add_answer, format_ship_value
from qf_tui.core.values import Order, Provenance, SentencePart, Slot, SlotValue

JOINT = " · "
"""Separator between texts about one ship and the next."""
RECONSTRUCTED = "†"
"""Mark for results that depend on a reconstructed chart cell."""


def is_reconstructed(reason: Reason) -> bool:
    """Return whether a reason depends on a reconstructed chart cell."""
    return reason.chart == Provenance.RECONSTRUCTED


def format_reason(reason: Reason) -> str:
    """Format a reason, with a mark if its chart cell is reconstructed."""
    return f"{reason.text} {RECONSTRUCTED}" if is_reconstructed(reason) else reason.text


def count_reasons(reasons: Iterable[Reason]) -> Iterator[tuple[Reason, str]]:
    """Yield each different reason once, questions first, with its count as ` ×3`, or "" for one."""
    for reason, times in Counter(sorted(reasons, key=lambda reason: not reason.is_question)).items():
        yield reason, f" ×{times}" if times > 1 else ""


def format_reasons(reasons: Iterable[Reason]) -> str:
    """Format reasons in one line, each once."""
    return JOINT.join(f"{format_reason(reason)}{times}" for reason, times in count_reasons(reasons))


def format_chart_cell(reason: Reason) -> str:
    """Format the place and provenance of the chart cell that gave a reason; "" if there is none."""
    return f"chart: {reason.cell or 'cell'}, {reason.chart}" if reason.chart else ""


@frozen
class OrderFacts:
    """An order with the facts to word it.

    Attributes:
        names: Names of its ships, by id.
        asked: Prompt of the question that it answers, or "".
    """

    order: Order
    names: Mapping[str, str]
    asked: str = ""


def format_order_sentence(facts: OrderFacts) -> str:
    """Format an order in the words of people: `Asahi heavy at Tsesarevich, 24″`.

    A form with a sentence fills it, and adds slots that the sentence does not have. A form without one is
    written as it is typed: its word and its slots, flags last.
    """
    order = facts.order
    slots = [slot for slot in order.form.slots if slot.name in order.slots]
    words = {slot.name: _format_value(facts.names, order.slots[slot.name]) for slot in slots}
    sentence = order.form.sentence
    if sentence:
        named_slots = {name for part in sentence for _, name in part}
        unnamed_slots = [slot for slot in slots if words[slot.name] and slot.name not in named_slots]
        return ", ".join(
            (_fill_sentence(sentence, words), *(_format_slot(slot, words) for slot in unnamed_slots))
        )
    slots.sort(key=lambda slot: slot.kind.is_flag)
    return " ".join((order.word, *(_format_slot(slot, words) for slot in slots if words[slot.name])))


def format_order_or_answer(facts: OrderFacts) -> str:
    """Format an order, or for an answer its question with the words of the answer, both without dice."""
    order = facts.order
    answer = " ".join(order.answer_words) if order.is_answer else ""
    words = facts.asked if order.is_answer else format_order_sentence(facts)
    text = add_answer(words, answer) if words and answer else words or answer
    return f"{text} (forced)" if order.forced else text


def _format_slot(slot: Slot, words: Mapping[str, str]) -> str:
    """Format a slot of an order as it is typed: a flag by its name, a value after its keyword."""
    if slot.kind.is_flag:
        return slot.name
    return f"{slot.keyword} {words[slot.name]}" if slot.keyword else words[slot.name]


def _fill_sentence(sentence: tuple[SentencePart, ...], words: Mapping[str, str]) -> str:
    """Fill a sentence, whose parts are pairs of a text and the slot that follows it ("" for none).

    A part is left out if its first slot has no words.
    """
    filled = ""
    for part in sentence:
        first_slot = part[0][1]
        if not first_slot or words.get(first_slot):
            filled += "".join(f"{text}{words.get(slot, '')}" for text, slot in part)
    return filled


def _format_value(names: Mapping[str, str], value: SlotValue) -> str:
    """Format the value of a slot, with ships by name; "" for a flag that is not set."""
    if isinstance(value, tuple):
        # Commas separate the names of ships, and blanks the words of a text.
        joint = ", " if all(part in names for part in value) else " "
        return joint.join(_format_value(names, part) for part in value)
    if isinstance(value, Mapping):
        return ", ".join(f"{names.get(id, id)} {_format_value(names, share)}" for id, share in value.items())
    if isinstance(value, Distance):
        return value.display_text
    if isinstance(value, bool):
        return "yes" if value else ""
    return names.get(value, value) if isinstance(value, str) else str(value)


@frozen
class ShownChange:
    """A changed value on a log, with the title of its field and the name of its ship."""

    ship: str
    name: str
    title: str
    before: Shape | tuple[str, ...]
    after: Shape | tuple[str, ...]


def is_number(value: object) -> bool:
    """Return whether a value is a number; true and false are not."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def format_ship_changes(changes: Iterable[ShownChange], known_ship: str = "") -> str:
    """Format changes ship by ship; the name of the ship with the id `known_ship` is left out."""
    changes_by_ship: dict[str, list[ShownChange]] = {}
    for change in changes:
        changes_by_ship.setdefault(change.ship, []).append(change)
    parts = []
    for ship, ship_changes in changes_by_ship.items():
        text = ", ".join(map(_format_change, ship_changes))
        parts.append(text if ship == known_ship else f"{ship_changes[0].name}: {text}")
    return JOINT.join(parts)


def _format_change(change: ShownChange) -> str:
    """Format a change: numbers as `crew 5→4`, other values only as they are now."""
    if is_number(change.before) and is_number(change.after):
        return f"{change.title} {format_ship_value(change.before)}→{format_ship_value(change.after)}"
    return format_state(change.title, change.after)


def format_state(title: str, value: object) -> str:
    """Format a value that a log now has: `auto shot used`, `direction hits 45 left`."""
    return title if value is True else f"{title} {format_ship_value(value)}"


class EffectKind(Enum):
    """The main content of an effect: reasons, events, changes, or dice."""

    REASONS = auto()
    EVENTS = auto()
    CHANGES = auto()
    DICE = auto()


@frozen(kw_only=True)
class EffectFacts:
    """The facts of an entry's effect.

    Attributes:
        kind: Main content of the effect.
        outcome: Codes of the outcome, or ().
        kind_title: Name of that kind of outcome, or "".
        reasons: Reasons, if they are read instead of codes.
        changes: Changes on the logs.
        ship: Id of the affected ship, whose name is not repeated.
        name: Name before the result of the dice, or "".
    """

    kind: EffectKind
    outcome: Results = ()
    kind_title: str = ""
    reasons: tuple[Reason, ...] = ()
    changes: tuple[ShownChange, ...] = ()
    ship: str = ""
    name: str = ""


@frozen
class EffectText:
    """The texts of an entry's effect.

    Attributes:
        lead: Result of the dice, without the ship's name.
        rest: Changes on the logs.
        parts: The texts that people read in their order: the result with the ship's name, then the changes.
    """

    lead: str
    rest: str
    parts: tuple[str, ...]


def format_effect(facts: EffectFacts) -> EffectText:
    """Format the effect of an entry by its main content: reasons, events, changes, or dice."""
    changes = format_ship_changes(facts.changes, facts.ship)
    codes = format_codes(facts.outcome)
    if codes and facts.kind_title:
        codes = f"{facts.kind_title} ({codes})"
    if facts.kind is EffectKind.REASONS:
        first_reason = format_reasons(facts.reasons[:1])
        return EffectText(lead=first_reason, rest=changes, parts=(format_reasons(facts.reasons), changes))
    if facts.kind is EffectKind.EVENTS:
        # The caller shows the events themselves.
        return EffectText(lead=changes, rest="", parts=(changes,))
    if facts.kind is EffectKind.CHANGES:
        return EffectText(lead=codes, rest=changes, parts=(changes,))
    mark = f" {RECONSTRUCTED}" if any(map(is_reconstructed, facts.reasons)) else ""
    first_result = facts.reasons[0].result if facts.reasons else "dice thrown"
    lead = f"{codes or first_result}{mark}"
    named_lead = f"{facts.name}: {lead}" if facts.name else lead
    return EffectText(lead=lead, rest=changes, parts=(named_lead, changes))


def format_codes(outcome: Results) -> str:
    """Format the codes (short results) of an outcome: `S G`; a second list of codes begins with its name."""
    texts: list[str] = []
    for name, codes in dict(outcome).items() if outcome else ():
        if isinstance(codes, tuple) and codes:
            # Codes of several words need commas: `Ajax ½″ aft, Boyne ½″ aft`.
            text = (", " if any(" " in code for code in codes) else " ").join(codes)
            texts.append(f"{name} {text}" if texts else text)
    return ", ".join(texts)
