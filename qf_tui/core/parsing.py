"""Text into an order and back: one grammar for every rule system, drawn from its forms.

A resolved order (full ids, words whole) parses the same in every battle that has its ships.
"""

import re
from collections.abc import Callable, Mapping
from fractions import Fraction

from qf_tui.core.errors import OrderRefused, impossible
from qf_tui.core.forms import Form, Kind, Slot
from qf_tui.core.measure import Distance
from qf_tui.core.naming import find_ship, listed_names, one_of
from qf_tui.core.orders import Order, SlotValue, words_of
from qf_tui.core.values import Battle

_DISTANCE = re.compile(r"(\d{0,6})(?:\.(\d{1,6}))?([¼½¾]?)(in|mm|cm)", re.ASCII)
_VULGAR = {"": Fraction(0), "¼": Fraction(1, 4), "½": Fraction(1, 2), "¾": Fraction(3, 4)}
_NUMBER = re.compile(r"\d{1,9}", re.ASCII)


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
    return _Reader(form, words[1:], battle).read()


def _form(word: str, forms: Mapping[str, Form]) -> Form:
    if word in forms:
        return forms[word]
    begun = [name for name in forms if name.startswith(word)]
    hint = f"; did you mean {', '.join(begun)}?" if begun else f"; orders are {', '.join(forms)}"
    raise OrderRefused(impossible(f"no order “{word}”{hint}"))


class _Reader:
    """Reads the words of one order against its form."""

    def __init__(self, form: Form, words: list[str], battle: Battle) -> None:
        self.form = form
        self.words = words
        self.battle = battle
        self.at = 0
        self.slots: dict[str, SlotValue] = {}
        self.dice: list[int] = []

    def read(self) -> Order:
        for slot in self.form.slots:
            if not slot.trailing:
                self._plain(slot)
        while self.at < len(self.words) and self._trailing():
            pass
        self._dice()
        for slot in self.form.slots:
            if slot.keyword and not slot.optional and slot.name not in self.slots:
                raise self.fail(slot, f"{self.form.word}: {slot.sign} is missing")
        return Order(self.form, self.slots, tuple(self.dice))

    def fail(self, slot: Slot | None, text: str) -> OrderRefused:
        return OrderRefused(impossible(f"{text} (form: {self.form.usage})"))

    def _plain(self, slot: Slot) -> None:
        if self.at >= len(self.words):
            if slot.optional or slot.kind is Kind.DIE:
                return
            raise self.fail(slot, f"{self.form.word}: {slot.label} is missing")
        value = _READERS[slot.kind](self, slot)
        if value is not None:
            self.slots[slot.name] = value

    def _trailing(self) -> bool:
        word = self.words[self.at].lower()
        for slot in self.form.slots:
            if not slot.trailing:
                continue
            if slot.keyword == word and slot.name not in self.slots:
                self.at += 1
                if self.at >= len(self.words):
                    raise self.fail(slot, f"{slot.keyword}: {slot.label} is missing")
                value = _READERS[slot.kind](self, slot)
                if value is not None:
                    self.slots[slot.name] = value
                return True
            if slot.kind is Kind.FLAG and not slot.keyword and word in slot.choices:
                self.at += 1
                self.slots[slot.name] = True
                return True
        return False

    def _dice(self) -> None:
        rest = [part for word in self.words[self.at :] for part in word.split(",") if part]
        for part in rest:
            if not _NUMBER.fullmatch(part):
                raise self.fail(None, f"“{part}” is neither a word of this order nor a die")
            self.dice.append(int(part))
        if rest and not self.form.dice:
            raise self.fail(None, f"{self.form.word} takes no dice")

    def take(self) -> str:
        word = self.words[self.at]
        self.at += 1
        return word


def _ship(reader: _Reader, slot: Slot) -> SlotValue:
    ships = list(reader.battle.ships.values())
    id, used = find_ship(reader.words[reader.at :], ships)
    reader.at += used
    return id


def _ships(reader: _Reader, slot: Slot) -> SlotValue:
    ids: list[str] = []
    if reader.words[reader.at].startswith("@"):
        return _division_ships(reader, reader.take()[1:].casefold())
    # Names may hold spaces, so each comma becomes a word of its own and bounds the name before it.
    reader.words = [part for word in reader.words[reader.at :] for part in re.split("(,)", word) if part]
    reader.at = 0
    while True:
        ahead = reader.words[reader.at :]
        bound = ahead.index(",") if "," in ahead else len(ahead)
        if bound == 0:
            raise reader.fail(slot, f"{slot.label} is missing")
        id, used = find_ship(ahead[:bound], reader.battle.ships.values())
        reader.at += used
        if id not in ids:
            ids.append(id)
        if used < bound or used == len(ahead):
            return tuple(ids)
        reader.at += 1
        if reader.at == len(reader.words):
            raise reader.fail(slot, f"{slot.label}: a ship is missing after the comma")


def _division_ships(reader: _Reader, begun: str) -> SlotValue:
    division = _division_id(reader, begun)
    ids = tuple(ship.id for ship in reader.battle.ships.values() if ship.division == division and ship.afloat)
    if not ids:
        raise OrderRefused(impossible(f"division @{division} has no ship afloat"))
    return ids


def _division_id(reader: _Reader, begun: str) -> str:
    ids = [division.id for side in reader.battle.sides for division in side.divisions]
    return one_of(begun, ids, "division")


def _division(reader: _Reader, slot: Slot) -> SlotValue:
    return "@" + _division_id(reader, reader.take().lstrip("@").casefold())


def _side(reader: _Reader, slot: Slot) -> SlotValue:
    return one_of(reader.take().casefold(), [side.id for side in reader.battle.sides], "side")


def _choice(reader: _Reader, slot: Slot) -> SlotValue | None:
    word = reader.words[reader.at].lower()
    found = [choice for choice in slot.choices if choice.startswith(word)]
    if word in slot.choices or len(found) == 1:
        reader.at += 1
        return word if word in slot.choices else found[0]
    if slot.optional:
        return None
    raise reader.fail(slot, f"{slot.label}: “{word}” is not one of {', '.join(slot.choices)}")


def _count(reader: _Reader, slot: Slot) -> SlotValue:
    word = reader.take()
    if not _NUMBER.fullmatch(word) or not slot.least <= int(word) <= slot.most:
        raise reader.fail(slot, f"{slot.label}: “{word}” is not a number from {slot.least} to {slot.most}")
    return int(word)


def _measure(reader: _Reader, slot: Slot) -> SlotValue | None:
    word = reader.words[reader.at].lower()
    distance = _DISTANCE.fullmatch(word)
    if distance and len(word) > 2:
        reader.at += 1
        whole, tenths, vulgar, unit = distance.groups()
        amount = Fraction(f"{whole or 0}.{tenths or 0}") + _VULGAR[vulgar]
        return _in_battle(reader, Distance(amount, unit))
    if slot.bare and _NUMBER.fullmatch(word):
        return _count(reader, slot)
    found = [choice for choice in slot.choices if choice.startswith(word)]
    if len(found) == 1 or word in slot.choices:
        reader.at += 1
        return word if word in slot.choices else found[0]
    if slot.optional:
        return None
    expected = [*slot.choices, "a distance with its unit (4.5in, 112mm, 11cm)"]
    if slot.bare:
        expected.insert(0, f"a number from {slot.least} to {slot.most}")
    raise reader.fail(slot, f"{slot.label}: “{word}” is not {' or '.join(expected)}")


def _in_battle(reader: _Reader, distance: Distance) -> Distance:
    metric = reader.battle.table.get("units") == "metric"
    if distance.metric != metric:
        family = "millimetres or centimetres" if metric else "inches"
        raise OrderRefused(impossible(f"{distance}: this battle is measured in {family}"))
    return distance


def _die(reader: _Reader, slot: Slot) -> SlotValue | None:
    word = reader.words[reader.at]
    if _NUMBER.fullmatch(word):
        reader.at += 1
        reader.dice.append(int(word))
    return None


def _name(reader: _Reader, slot: Slot) -> SlotValue:
    word = reader.take().lower()
    if not slot.listed:
        return word
    ship = reader.battle.ships[next(str(id) for id in reader.slots.values() if id in reader.battle.ships)]
    names = listed_names(ship, slot.listed)
    found = [name for name in names if name.startswith(word)]
    if word in names or len(found) == 1:
        return word if word in names else found[0]
    raise reader.fail(slot, f"{slot.label}: {ship.name} has {', '.join(names) or 'none'}, not “{word}”")


def _rest(reader: _Reader, slot: Slot) -> SlotValue:
    words = tuple(reader.words[reader.at :])
    reader.at = len(reader.words)
    return words


def _codes(reader: _Reader, slot: Slot) -> SlotValue:
    words = tuple(part for word in reader.words[reader.at :] for part in word.split(",") if part)
    reader.at = len(reader.words)
    return words


def _key(reader: _Reader, slot: Slot) -> SlotValue | None:
    return reader.take().lower() if "/" in reader.words[reader.at] else None


def _act_number(reader: _Reader, slot: Slot) -> SlotValue:
    word = reader.take()
    if not _NUMBER.fullmatch(word):
        raise reader.fail(slot, f"{slot.label}: “{word}” is not the number of an entry")
    return int(word)


def _reserve(reader: _Reader, slot: Slot) -> SlotValue:
    ids: list[str] = []
    for named in " ".join(reader.words[reader.at :]).split(","):
        words = named.split()
        while words:
            id, used = find_ship(words, reader.battle.reserve.values())
            words = words[used:]
            if id not in ids:
                ids.append(id)
    reader.at = len(reader.words)
    return tuple(ids)


_READERS: dict[Kind, Callable[[_Reader, Slot], SlotValue | None]] = {
    Kind.SHIP: _ship,
    Kind.SHIPS: _ships,
    Kind.SIDE: _side,
    Kind.DIVISION: _division,
    Kind.CHOICE: _choice,
    Kind.COUNT: _count,
    Kind.MEASURE: _measure,
    Kind.DIE: _die,
    Kind.NAME: _name,
    Kind.WORDS: _rest,
    Kind.CODES: _codes,
    Kind.KEY: _key,
    Kind.NUMBER: _act_number,
    Kind.RESERVE: _reserve,
}
