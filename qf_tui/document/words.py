"""Facts in words without a battle: an order, a reason, the result of dice, what changed on a log.

`acts`, which has the battle, looks the facts up; `viewer` gets those that its viewer may know.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum, auto

from attrs import frozen

from qf_tui.core.decisions import Reason, Results
from qf_tui.core.declarations import Shape
from qf_tui.core.text import Distance, value_text, with_answer
from qf_tui.core.values import Order, Provenance, SentencePart, Slot, SlotValue

JOINT = " · "
"""Stands between what is worded of a ship and of the next."""
RECONSTRUCTED = "†"
"""Marks what rests on a chart cell which is ours alone."""


def is_reconstructed(reason: Reason) -> bool:
    """Whether a reason rests on a chart cell which is ours alone."""
    return reason.chart == Provenance.RECONSTRUCTED


def reason_text(reason: Reason) -> str:
    """A reason, marked where its chart cell is reconstructed."""
    return f"{reason.text} {RECONSTRUCTED}" if is_reconstructed(reason) else reason.text


def each_once(reasons: Iterable[Reason]) -> Iterator[tuple[Reason, str]]:
    """Each reason where it is first given, with how often it is: ` ×3`, or nothing; questions come first."""
    for reason, times in Counter(sorted(reasons, key=lambda reason: not reason.asks)).items():
        yield reason, f" ×{times}" if times > 1 else ""


def reasons_text(reasons: Iterable[Reason]) -> str:
    """Reasons in one line, each once."""
    every = tuple(reasons)
    if len(every) == 1:
        return reason_text(every[0])
    return JOINT.join(f"{reason_text(reason)}{times}" for reason, times in each_once(every))


def chart_text(reason: Reason) -> str:
    """The chart cell that a reason rests on and where that stands, or nothing."""
    return f"chart: {reason.cell or 'cell'}, {reason.chart}" if reason.chart else ""


@frozen
class OrderFacts:
    """An order with the names of its ships by id; of an answer what was `asked`, as its prompt."""

    order: Order
    names: Mapping[str, str]
    asked: str = ""


def order_sentence(facts: OrderFacts) -> str:
    """An order as people say it: `Asahi heavy at Tsesarevich, 24″`; what its sentence leaves out follows."""
    order = facts.order
    slots = [slot for slot in order.form.slots if slot.name in order.slots]
    words = {slot.name: _value_words(facts.names, order.slots[slot.name]) for slot in slots}
    sentence = order.form.sentence
    if sentence:
        named = {name for part in sentence for _, name in part}
        beside = [slot for slot in slots if words[slot.name] and slot.name not in named]
        return ", ".join((_filled(sentence, words), *(_as_typed(slot, words) for slot in beside)))
    slots.sort(key=lambda slot: slot.kind.is_flag)
    return " ".join((order.word, *(_as_typed(slot, words) for slot in slots if words[slot.name])))


def order_or_answer(facts: OrderFacts) -> str:
    """An order in words, or what it answers; without its dice."""
    order = facts.order
    answer = " ".join(order.said) if order.is_answer else ""
    words = facts.asked if order.is_answer else order_sentence(facts)
    forced = " (forced)" if order.forced else ""
    return f"{with_answer(words, answer) if words and answer else words or answer}{forced}"


def _as_typed(slot: Slot, words: Mapping[str, str]) -> str:
    """A slot of an order as it is typed: a flag by its name, a value behind its keyword."""
    if slot.kind.is_flag:
        return slot.name
    return f"{slot.keyword} {words[slot.name]}" if slot.keyword else words[slot.name]


def _filled(sentence: tuple[SentencePart, ...], words: Mapping[str, str]) -> str:
    """A sentence without those parts whose slot was left out."""
    filled = (part for part in sentence if not part[0][1] or words.get(part[0][1]))
    return "".join(f"{text}{words.get(slot, '')}" for part in filled for text, slot in part)


def _value_words(names: Mapping[str, str], value: SlotValue) -> str:
    if isinstance(value, tuple):
        joint = ", " if any(part in names for part in value) else " "
        return joint.join(_value_words(names, part) for part in value)
    if isinstance(value, Mapping):
        return ", ".join(f"{names.get(id, id)} {_value_words(names, share)}" for id, share in value.items())
    if isinstance(value, Distance):
        return value.shown
    if isinstance(value, bool):
        return "yes" if value else ""
    return names.get(value, value) if isinstance(value, str) else str(value)


@frozen
class ShownChange:
    """A value on a log that changed, by the title of its field; of a ship by id, and as she is called."""

    ship: str
    name: str
    title: str
    before: Shape | tuple[str, ...]
    after: Shape | tuple[str, ...]


def is_number(value: object) -> bool:
    """Whether a value is a figure, not a yes or no."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def changes_text(changes: Iterable[ShownChange], named: str = "") -> str:
    """The values that changed, ship by ship; the ship that is `named` already is not named again."""
    together: dict[str, list[ShownChange]] = {}
    for change in changes:
        together.setdefault(change.ship, []).append(change)
    parts = []
    for ship, own in together.items():
        text = ", ".join(map(_change_text, own))
        parts.append(text if ship == named else f"{own[0].name}: {text}")
    return JOINT.join(parts)


def _change_text(change: ShownChange) -> str:
    if is_number(change.before) and is_number(change.after):
        return f"{change.title} {value_text(change.before)}→{value_text(change.after)}"
    return state_text(change.title, change.after)


def state_text(title: str, value: object) -> str:
    """Word a value that now stands on a log: `auto shot used`, `direction hits 45 left`."""
    return title if value is True else f"{title} {value_text(value)}"


class EffectKind(Enum):
    """By what the effect of an entry is read: its reasons, events, what changed, or its dice."""

    REASONS = auto()
    EVENTS = auto()
    CHANGES = auto()
    DICE = auto()


@frozen(kw_only=True)
class EffectFacts:
    """What an entry did: the codes of its `outcome`, called by `kind_title`; else `reasons`; and `changes`.

    `ship` (id) is the one that it befell, who is not named again; `name`: by which its dice are read, or "".
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
    """What the dice came to without their ship, what that changed, and both as they are read."""

    lead: str
    rest: str
    parts: tuple[str, ...]


def effect_text(facts: EffectFacts) -> EffectText:
    """The effect of an entry in words."""
    figures = changes_text(facts.changes, facts.ship)
    codes = codes_text(facts.outcome)
    if codes and facts.kind_title:
        codes = f"{facts.kind_title} ({codes})"
    if facts.kind is EffectKind.REASONS:
        said = reasons_text(facts.reasons)
        first = said if len(facts.reasons) < 2 else reasons_text(facts.reasons[:1])
        return EffectText(first, figures, (said, figures))
    if facts.kind is EffectKind.EVENTS:
        return EffectText(figures, "", (figures,))
    if facts.kind is EffectKind.CHANGES:
        return EffectText(codes, figures, (figures,))
    mark = f" {RECONSTRUCTED}" if any(map(is_reconstructed, facts.reasons)) else ""
    lead = f"{codes or (facts.reasons[0].result if facts.reasons else 'dice thrown')}{mark}"
    return EffectText(lead, figures, (f"{facts.name}: {lead}" if facts.name else lead, figures))


def codes_text(outcome: Results) -> str:
    """The codes of an outcome: the first as they are, those of other names behind their name."""
    texts: list[str] = []
    for name, codes in dict(outcome).items() if outcome else ():
        if isinstance(codes, tuple) and codes:
            # Side by side, `S G`; where one has several words, apart: `Ajax ½″ aft, Boyne ½″ aft`.
            text = (", " if any(" " in code for code in codes) else " ").join(codes)
            texts.append(f"{name} {text}" if texts else text)
    return ", ".join(texts)
