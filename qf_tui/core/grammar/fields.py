"""The fields of a dialog read into an order: one text a slot, the flags that stand, and the dice."""

from collections.abc import Mapping

from attrs import evolve

from qf_tui.core.errors import OrderRefused, impossible
from qf_tui.core.grammar.dice_text import faces_typed
from qf_tui.core.grammar.forms import Form, Slot
from qf_tui.core.grammar.kinds import DIE, PLAY_ORDER
from qf_tui.core.grammar.line import not_dice, read_call
from qf_tui.core.grammar.names import Candidate
from qf_tui.core.grammar.order import CALL, Order, SlotValue, words_of
from qf_tui.core.grammar.reader import read
from qf_tui.core.grammar.reading import Part, Reading, keyed, lacking, missing, scope_within
from qf_tui.core.grammar.scope import Scope, Words


def read_fields(
    scope: Scope,
    form: Form,
    texts: Mapping[str, str],
    flags: frozenset[str],
    dice: str,
    *,
    forced: bool = False,
) -> Reading:
    """Reads the fields of a dialog; what stands against them comes in the order in which a line is read."""
    slots: dict[str, SlotValue] = {}
    parts: dict[str, Part] = {}
    for slot in form.slots:
        if slot.kind.is_flag:
            slots |= {slot.name: True} if slot.name in flags else {}
        elif slot.kind is not DIE:
            parts[slot.name] = part = _field(scope, form, slot, texts.get(slot.name, ""), slots)
            slots |= {} if part.value is None else {slot.name: part.value}
    found = Reading(form, parts, dice)
    call, against_call = _called(dice) if scope.calls else (None, "")
    faults = [*_faults(form, parts), against_call or not_dice("" if scope.calls else dice, form)]
    faults += [] if any(faults) else [lacking(form, slots, bool(dice.split()))]
    against = tuple(impossible(fault) for fault in faults if fault)
    if against:
        return evolve(found, findings=against)
    faces = () if scope.calls else faces_typed(dice)
    order = Order(form, slots, faces, forced, call)
    return evolve(found, order=keyed(order, Words(scope, form, [], slots)))


def _called(text: str) -> tuple[int | None, str]:
    """The call in the field of the dice, with its word or without; and what stands against it."""
    words = text.lower().split()
    try:
        return (read_call(words[words[0] == CALL :]), "") if words else (None, "")
    except OrderRefused as refusal:
        return None, str(refusal)


def _faults(form: Form, parts: Mapping[str, Part]) -> list[str]:
    """What stands against the texts of fields, the plain slots first, and which of these are missing."""
    plain = [part for part in parts.values() if not part.slot.trailing]
    behind = [part for part in parts.values() if part.slot.trailing]
    return [
        *(part.fault or ("" if part.settled else missing(form, part.slot)) for part in plain),
        *(part.fault for part in behind),
    ]


def _field(scope: Scope, form: Form, slot: Slot, text: str, before: dict[str, SlotValue]) -> Part:
    """What the text of one field means."""
    try:
        words = Words(scope, form, words_of(text, keep_commas=slot.kind.joint == " "), dict(before)).on(slot)
        if words.ended:
            return Part(slot)
        if slot.kind is PLAY_ORDER:
            within = read(scope_within(scope, form, before), text.strip() + " ")
            return Part(slot, text.strip(), within.complete())
        value = slot.kind.read(words)
        if not words.ended:
            raise words.fault(f"{slot.label}: “{words.next}” is too much")
    except OrderRefused as refusal:
        against = refusal.findings[0]
        return Part(slot, text.strip(), None, against.text, against.offers)
    return Part(slot, text.strip(), value)


def field_offers(
    scope: Scope, form: Form, reading: Reading, slot: Slot, letters: str
) -> tuple[Candidate, ...]:
    """What a field may hold that fits its letters, by the fields before it."""
    before: dict[str, SlotValue] = {}
    for other in form.slots:
        if other is slot:
            break
        part = reading.parts.get(other.name)
        before |= {other.name: part.value} if part is not None and part.value is not None else {}
    return slot.kind.candidates(letters, Words(scope, form, [], before).on(slot))
