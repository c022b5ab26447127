"""How each kind of slot is read from the words of an order."""

import re
from collections.abc import Callable
from fractions import Fraction

from qf_tui.core.errors import OrderRefused, impossible
from qf_tui.core.forms import Form, Kind, Slot
from qf_tui.core.measure import Distance
from qf_tui.core.naming import find_ship, listed_names, one_of
from qf_tui.core.orders import SlotValue
from qf_tui.core.values import Battle

NUMBER = re.compile(r"\d{1,9}", re.ASCII)
_DISTANCE = re.compile(r"(\d{0,6})(?:\.(\d{1,6}))?([¼½¾]?)(in|mm|cm)", re.ASCII)
_VULGAR = {"": Fraction(0), "¼": Fraction(1, 4), "½": Fraction(1, 2), "¾": Fraction(3, 4)}


class Reading:
    """The words of one order while they are read against its form; `at` is the word that is read next."""

    def __init__(self, form: Form, words: list[str], battle: Battle) -> None:
        self.form = form
        self.words = words
        self.battle = battle
        self.at = 0
        self.slots: dict[str, SlotValue] = {}
        self.dice: list[int] = []

    def read(self, slot: Slot) -> None:
        """Reads a slot from the words ahead, of which there is one at least; OrderRefused if they are none of it."""
        value = _READERS[slot.kind](self, slot)
        if value is not None:
            self.slots[slot.name] = value

    def take(self) -> str:
        """The next word."""
        word = self.words[self.at]
        self.at += 1
        return word

    def fail(self, text: str) -> OrderRefused:
        """A refusal that tells the form."""
        return OrderRefused(impossible(f"{text} (form: {self.form.usage})"))


def _ship(reader: Reading, slot: Slot) -> SlotValue:
    ships = list(reader.battle.ships.values())
    id, used = find_ship(reader.words[reader.at :], ships)
    reader.at += used
    return id


def _ships(reader: Reading, slot: Slot) -> SlotValue:
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
            raise reader.fail(f"{slot.label} is missing")
        id, used = find_ship(ahead[:bound], reader.battle.ships.values())
        reader.at += used
        if id not in ids:
            ids.append(id)
        if used < bound or used == len(ahead):
            return tuple(ids)
        reader.at += 1
        if reader.at == len(reader.words):
            raise reader.fail(f"{slot.label}: a ship is missing after the comma")


def _division_ships(reader: Reading, begun: str) -> SlotValue:
    division = _division_id(reader, begun)
    ids = tuple(ship.id for ship in reader.battle.ships.values() if ship.division == division and ship.afloat)
    if not ids:
        raise OrderRefused(impossible(f"division @{division} has no ship afloat"))
    return ids


def _division_id(reader: Reading, begun: str) -> str:
    ids = [division.id for side in reader.battle.sides for division in side.divisions]
    return one_of(begun, ids, "division")


def _division(reader: Reading, slot: Slot) -> SlotValue:
    return "@" + _division_id(reader, reader.take().lstrip("@").casefold())


def _side(reader: Reading, slot: Slot) -> SlotValue:
    return one_of(reader.take().casefold(), [side.id for side in reader.battle.sides], "side")


def _choice(reader: Reading, slot: Slot) -> SlotValue | None:
    word = reader.words[reader.at].lower()
    found = [choice for choice in slot.choices if choice.startswith(word)]
    if word in slot.choices or len(found) == 1:
        reader.at += 1
        return word if word in slot.choices else found[0]
    if slot.optional:
        return None
    raise reader.fail(f"{slot.label}: “{word}” is not one of {', '.join(slot.choices)}")


def _count(reader: Reading, slot: Slot) -> SlotValue:
    word = reader.take()
    if not NUMBER.fullmatch(word) or not slot.least <= int(word) <= slot.most:
        raise reader.fail(f"{slot.label}: “{word}” is not a number from {slot.least} to {slot.most}")
    return int(word)


def _measure(reader: Reading, slot: Slot) -> SlotValue | None:
    word = reader.words[reader.at].lower()
    distance = _DISTANCE.fullmatch(word)
    if distance and len(word) > 2:
        reader.at += 1
        whole, tenths, vulgar, unit = distance.groups()
        amount = Fraction(f"{whole or 0}.{tenths or 0}") + _VULGAR[vulgar]
        return _in_battle(reader, Distance(amount, unit))
    if slot.bare and NUMBER.fullmatch(word):
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
    raise reader.fail(f"{slot.label}: “{word}” is not {' or '.join(expected)}")


def _in_battle(reader: Reading, distance: Distance) -> Distance:
    metric = reader.battle.table.get("units") == "metric"
    if distance.metric != metric:
        family = "millimetres or centimetres" if metric else "inches"
        raise OrderRefused(impossible(f"{distance}: this battle is measured in {family}"))
    return distance


def _die(reader: Reading, slot: Slot) -> SlotValue | None:
    word = reader.words[reader.at]
    if NUMBER.fullmatch(word):
        reader.at += 1
        reader.dice.append(int(word))
    return None


def _name(reader: Reading, slot: Slot) -> SlotValue:
    word = reader.take().lower()
    if not slot.listed:
        return word
    ship = reader.battle.ships[next(str(id) for id in reader.slots.values() if id in reader.battle.ships)]
    names = listed_names(ship, slot.listed)
    found = [name for name in names if name.startswith(word)]
    if word in names or len(found) == 1:
        return word if word in names else found[0]
    raise reader.fail(f"{slot.label}: {ship.name} has {', '.join(names) or 'none'}, not “{word}”")


def _rest(reader: Reading, slot: Slot) -> SlotValue:
    words = tuple(reader.words[reader.at :])
    reader.at = len(reader.words)
    return words


def _codes(reader: Reading, slot: Slot) -> SlotValue:
    words = tuple(part for word in reader.words[reader.at :] for part in word.split(",") if part)
    reader.at = len(reader.words)
    return words


def _key(reader: Reading, slot: Slot) -> SlotValue | None:
    return reader.take().lower() if "/" in reader.words[reader.at] else None


def _act_number(reader: Reading, slot: Slot) -> SlotValue:
    word = reader.take()
    if not NUMBER.fullmatch(word):
        raise reader.fail(f"{slot.label}: “{word}” is not the number of an entry")
    return int(word)


def _reserve(reader: Reading, slot: Slot) -> SlotValue:
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


_READERS: dict[Kind, Callable[[Reading, Slot], SlotValue | None]] = {
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
