"""Text into an order and back: one grammar for every rule system, drawn from its forms.

A resolved order (full ids, words whole) parses the same in every battle that has its ships.
"""

from collections.abc import Mapping

from qf_tui.core.errors import OrderRefused, impossible
from qf_tui.core.forms import Form, Kind, Slot
from qf_tui.core.orders import Order, words_of
from qf_tui.core.slots import NUMBER, Reading
from qf_tui.core.values import Battle


def parse(text: str, forms: Mapping[str, Form], battle: Battle) -> Order:
    """Text into an order; OrderRefused says what is wrong with it and what is expected."""
    key = text, battle.table.get("units")
    known = _RESOLVED.get(key)
    if known is not None and known.form is forms.get(known.word) and _names_ships_of(known, battle):
        return known
    order = _read(text, forms, battle)
    if order.resolved == text and all(slot.kind in _ALIKE for slot in order.form.slots):
        if len(_RESOLVED) >= _RESOLVED_MOST:
            _RESOLVED.clear()
        _RESOLVED[key] = order
    return order


# Resolved orders are read again for every correction. With full ids they read the same wherever those ships are.
_RESOLVED: dict[tuple[str, object], Order] = {}
_RESOLVED_MOST = 20_000
_ALIKE = {Kind.SHIP, Kind.SHIPS, Kind.CHOICE, Kind.FLAG, Kind.COUNT, Kind.MEASURE, Kind.KEY, Kind.NUMBER}


def _names_ships_of(order: Order, battle: Battle) -> bool:
    for slot in order.form.slots:
        if slot.kind is Kind.SHIP and slot.name in order.slots and order.text(slot.name) not in battle.ships:
            return False
        if slot.kind is Kind.SHIPS and any(id not in battle.ships for id in order.many(slot.name)):
            return False
    return True


def _read(text: str, forms: Mapping[str, Form], battle: Battle) -> Order:
    words = words_of(text)
    if not words:
        raise OrderRefused(impossible("an empty order"))
    form = _form(words[0].lower(), forms)
    if any(slot.kind is Kind.WORDS for slot in form.slots):
        words = words_of(text, keep_commas=True)
    return _order(Reading(form, words[1:], battle))


def _form(word: str, forms: Mapping[str, Form]) -> Form:
    if word in forms:
        return forms[word]
    begun = [name for name in forms if name.startswith(word)]
    hint = f"; did you mean {', '.join(begun)}?" if begun else f"; orders are {', '.join(forms)}"
    raise OrderRefused(impossible(f"no order “{word}”{hint}"))


def _order(reading: Reading) -> Order:
    """The order that all the words make."""
    form = reading.form
    for slot in form.slots:
        if not slot.trailing:
            _plain(reading, slot)
    while reading.at < len(reading.words) and _trailing(reading):
        pass
    _dice(reading)
    for slot in form.slots:
        if slot.keyword and not slot.optional and slot.name not in reading.slots:
            raise reading.fail(f"{form.word}: {slot.sign} is missing")
    return Order(form, reading.slots, tuple(reading.dice))


def _plain(reading: Reading, slot: Slot) -> None:
    """A slot in its place among the others."""
    if reading.at < len(reading.words):
        reading.read(slot)
    elif not slot.optional and slot.kind is not Kind.DIE:
        raise reading.fail(f"{reading.form.word}: {slot.label} is missing")


def _trailing(reading: Reading) -> bool:
    """A slot behind the others, told by its keyword or as a flag; whether the next word begins one."""
    word = reading.words[reading.at].lower()
    for slot in reading.form.slots:
        if not slot.trailing:
            continue
        if slot.keyword == word and slot.name not in reading.slots:
            reading.at += 1
            if reading.at >= len(reading.words):
                raise reading.fail(f"{slot.keyword}: {slot.label} is missing")
            reading.read(slot)
            return True
        if slot.kind is Kind.FLAG and not slot.keyword and word in slot.choices:
            reading.at += 1
            reading.slots[slot.name] = True
            return True
    return False


def _dice(reading: Reading) -> None:
    """All the words that are left."""
    rest = [part for word in reading.words[reading.at :] for part in word.split(",") if part]
    for part in rest:
        if not NUMBER.fullmatch(part):
            raise reading.fail(f"“{part}” is neither a word of this order nor a die")
        reading.dice.append(int(part))
    if rest and not reading.form.dice:
        raise reading.fail(f"{reading.form.word} takes no dice")
