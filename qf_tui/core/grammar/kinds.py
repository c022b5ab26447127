"""The kinds of slot: each says how it is read from words, what it may hold, and how it is written.

`read` takes words off and gives the value; None where an optional slot's words are not there; OrderRefused where they
are none of it. `candidates` are what keys offer for the letters of a slot.
"""

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import ClassVar

from qf_tui.core.errors import OrderRefused, impossible
from qf_tui.core.grammar import names
from qf_tui.core.grammar.forms import Slot
from qf_tui.core.grammar.names import Candidate, Named, Reach, begun, find, listed_names
from qf_tui.core.grammar.order import SlotValue
from qf_tui.core.grammar.scope import Words
from qf_tui.core.measure import Distance
from qf_tui.core.values import Battle

NUMBER = re.compile(r"\d{1,9}", re.ASCII)
"""A whole number, as a die or a count is typed."""


class Kind:
    """What fills a slot. `takes_rest`: all words to the end of the line; `is_flag`: its word stands or not."""

    takes_rest: ClassVar[bool] = False
    is_flag: ClassVar[bool] = False
    grows: ClassVar[bool] = True
    """Whether more letters behind a word that fits may yet make another of it."""
    joint: ClassVar[str] = ","

    def read(self, words: Words, slot: Slot) -> SlotValue | None:
        """The value of the next words."""
        raise NotImplementedError

    def candidates(self, letters: str, slot: Slot, words: Words) -> tuple[Candidate, ...]:
        """What the letters may mean; `words` has the slots before it."""
        return ()

    def absent(self, value: SlotValue, battle: Battle) -> str:
        """Why a value read elsewhere means nothing in a battle; "" where it does."""
        return ""

    def write(self, slot: Slot, value: SlotValue) -> list[str]:
        """The words of a value, its keyword first."""
        text = self.joint.join(map(str, value)) if isinstance(value, tuple) else str(value)
        return [slot.keyword, text] if slot.keyword else [text]

    def sign(self, slot: Slot) -> str:
        """The slot's body as the help writes it."""
        return slot.name.upper()


def _closed(letters: str, choices: tuple[str, ...]) -> tuple[Candidate, ...]:
    return tuple(Candidate(word, word) for word in choices if word.startswith(letters.casefold()))


def _one_of(words: Words, slot: Slot, choices: tuple[str, ...], expected: str) -> str | None:
    """The one of a closed list that the next word means; None where an optional slot is left out."""
    found = begun(words.next, choices)
    if len(found) == 1:
        words.at += 1
        return found[0]
    if slot.optional and not words.alone and not found and not isinstance(slot.kind, _Name):
        return None
    raise words.fault(f"{slot.label}: “{words.next}” is not {expected}")


class _Ship(Kind):
    """One ship."""

    def read(self, words: Words, slot: Slot) -> SlotValue:
        id, used = find(words.ahead, _ships(words), words.scope.reach, names.SHIP)
        words.at += used
        return id

    def candidates(self, letters: str, slot: Slot, words: Words) -> tuple[Candidate, ...]:
        return names.candidates(letters, _ships(words))

    def absent(self, value: SlotValue, battle: Battle) -> str:
        return "" if value in battle.ships else f"no ship “{value}”"


def _ships(words: Words) -> list[Named]:
    """The ships of the battle; behind one that the order names, those of another side are the likelier."""
    if words.scope.battle is None:
        return []
    first = words.ship
    return words.scope.ships(first.side if first else "")


class _Ships(_Ship):
    """Ships with commas between them, or @division: all of its ships afloat."""

    def read(self, words: Words, slot: Slot) -> SlotValue:
        if words.next.startswith("@"):
            return _division_ships(words)
        # Names may hold spaces, so each comma becomes a word of its own and bounds the name before it.
        words.words = [part for word in words.ahead for part in re.split("(,)", word) if part]
        words.at = 0
        ids: list[str] = []
        while True:
            bound = words.ahead.index(",") if "," in words.ahead else len(words.ahead)
            if bound == 0:
                raise words.fault(f"{slot.label} is missing")
            id, used = find(words.ahead[:bound], _ships(words), words.scope.reach, names.SHIP)
            words.at += used
            ids.extend([id] if id not in ids else [])
            if words.ended or words.next != ",":
                return tuple(ids)
            words.at += 1
            if words.ended:
                raise words.fault(f"{slot.label}: a ship is missing after the comma")

    def candidates(self, letters: str, slot: Slot, words: Words) -> tuple[Candidate, ...]:
        last = letters.rpartition(",")[2].strip()
        if last.startswith("@"):
            return _divisions(last, words)
        return super().candidates(last, slot, words)

    def absent(self, value: SlotValue, battle: Battle) -> str:
        missing = [id for id in value if id not in battle.ships] if isinstance(value, tuple) else []
        return f"no ship “{missing[0]}”" if missing else ""


def _division_ships(words: Words) -> SlotValue:
    division = _division_id(words)
    ships = words.scope.there.ships.values()
    ids = tuple(ship.id for ship in ships if ship.division == division and ship.afloat)
    if not ids:
        raise OrderRefused(impossible(f"division @{division} has no ship afloat"))
    return ids


def _division_id(words: Words) -> str:
    begun = words.take().lstrip("@")
    if words.scope.battle is None:
        return begun
    return find([begun], words.scope.divisions(), words.scope.reach, "division")[0]


def _divisions(letters: str, words: Words) -> tuple[Candidate, ...]:
    found = names.candidates(letters.lstrip("@"), words.scope.divisions())
    return tuple(Candidate(f"@{one.text}", f"@{one.text}") for one in found)


class _Division(Kind):
    """@division."""

    def read(self, words: Words, slot: Slot) -> SlotValue:
        return "@" + _division_id(words)

    def candidates(self, letters: str, slot: Slot, words: Words) -> tuple[Candidate, ...]:
        return _divisions(letters, words)


class _Side(Kind):
    """A side."""

    def read(self, words: Words, slot: Slot) -> SlotValue:
        among = words.scope.sides() if words.scope.battle else []
        id, used = find(words.ahead, among, words.scope.reach, "side")
        words.at += used
        return id

    def candidates(self, letters: str, slot: Slot, words: Words) -> tuple[Candidate, ...]:
        return names.candidates(letters, words.scope.sides())


class _Choice(Kind):
    """One of `choices`."""

    def read(self, words: Words, slot: Slot) -> SlotValue | None:
        return _one_of(words, slot, slot.choices, f"one of {', '.join(slot.choices)}")

    def candidates(self, letters: str, slot: Slot, words: Words) -> tuple[Candidate, ...]:
        return _closed(letters, slot.choices)

    def sign(self, slot: Slot) -> str:
        return "|".join(slot.choices)


class _Flag(_Choice):
    """A word that stands or not."""

    is_flag = True

    def read(self, words: Words, slot: Slot) -> SlotValue | None:
        words.at += 1
        return True

    def write(self, slot: Slot, value: SlotValue) -> list[str]:
        return [slot.choices[0]] if value else []


class _Count(Kind):
    """A whole number from `least` to `most`."""

    grows = False

    def read(self, words: Words, slot: Slot) -> SlotValue:
        word = words.take()
        if not NUMBER.fullmatch(word) or not slot.least <= int(word) <= slot.most:
            raise words.fault(f"{slot.label}: “{word}” is not a number from {slot.least} to {slot.most}")
        return int(word)

    def sign(self, slot: Slot) -> str:
        return "N" if slot.keyword else slot.name.upper()


_DISTANCE = re.compile(r"(\d{0,6})(?:\.(\d{1,6}))?([¼½¾⅛⅜⅝⅞]?)(in|mm|cm|″|\"|”|)", re.ASCII)
_VULGAR: Mapping[str, Fraction] = {
    "": Fraction(0),
    **dict(zip("⅛¼⅜½⅝¾⅞", (Fraction(eighths, 8) for eighths in range(1, 8)), strict=True)),
}
_INCHES = {"″", '"', "”"}
_COMMA_BETWEEN = re.compile(r"\d,\d")


class _Measure(Kind):
    """A distance, one of `choices`, or with `bare` a plain number.

    A bare figure where only a distance can stand is in the unit of the table.
    """

    def read(self, words: Words, slot: Slot) -> SlotValue | None:
        word = words.next
        if slot.bare and NUMBER.fullmatch(word):
            return COUNT.read(words, slot)
        if NUMBER.fullmatch(word) and slot.optional and not words.alone:
            return None
        distance = self._distance(words, slot)
        if distance is not None:
            words.at += 1
            return distance
        expected = [*slot.choices, "a distance with its unit (4.5in, 112mm, 11cm)"]
        if slot.bare:
            expected.insert(0, f"a number from {slot.least} to {slot.most}")
        return _one_of(words, slot, slot.choices, " or ".join(expected))

    def _distance(self, words: Words, slot: Slot) -> Distance | None:
        word = words.next
        if _COMMA_BETWEEN.search(word) and (words.alone or not slot.optional):
            raise words.fault(f"{slot.label}: “{word}”: write a distance with a point, as 4.5")
        found = _DISTANCE.fullmatch(word)
        if found is None or not any(found.group(1, 2, 3)):
            return None
        whole, tenths, vulgar, unit = found.groups()
        unit = "in" if unit in _INCHES else unit
        if not unit:
            unit = "" if slot.bare or words.scope.battle is None else words.scope.unit
        if not unit:
            return None
        amount = Fraction(f"{whole or 0}.{tenths or 0}") + _VULGAR[vulgar]
        return self._of_the_battle(words, Distance(amount, unit))

    def _of_the_battle(self, words: Words, distance: Distance) -> Distance:
        battle = words.scope.battle
        metric = battle is not None and battle.table.get("units") == "metric"
        if battle is not None and distance.metric != metric:
            family = "millimetres or centimetres" if metric else "inches"
            raise OrderRefused(impossible(f"{distance}: this battle is measured in {family}"))
        return distance

    def candidates(self, letters: str, slot: Slot, words: Words) -> tuple[Candidate, ...]:
        return _closed(letters, slot.choices)

    def sign(self, slot: Slot) -> str:
        if slot.keyword and slot.bare:
            return "N"
        return "|".join((*slot.choices, "DISTANCE")) if slot.choices else slot.name.upper()


class _Die(Kind):
    """A die in the midst of an order; it stands among the order's dice."""

    grows = False

    def read(self, words: Words, slot: Slot) -> SlotValue | None:
        if NUMBER.fullmatch(words.next):
            words.dice.append(int(words.take()))
        return None


class _Name(Kind):
    """One word that the form does not know, or with `listed` one of the names on the first ship's card."""

    def read(self, words: Words, slot: Slot) -> SlotValue | None:
        choices = self.choices(slot, words)
        if choices is None:
            return words.take().lower()
        ship = words.ship
        expected = f"one of {', '.join(choices)}"
        if slot.listed and ship is not None and not begun(words.next, choices):
            had = ", ".join(choices) or "none"
            raise words.fault(f"{slot.label}: {ship.name} has {had}, not “{words.next}”")
        return _one_of(words, slot, choices, expected)

    def choices(self, slot: Slot, words: Words) -> tuple[str, ...] | None:
        """The words that it may be; None where any may be."""
        ship = words.ship
        return listed_names(ship, slot.listed) if slot.listed and ship is not None else None

    def candidates(self, letters: str, slot: Slot, words: Words) -> tuple[Candidate, ...]:
        return _closed(letters, self.choices(slot, words) or ())


class _Field(_Name):
    """A field of a ship that may be set by hand."""

    def choices(self, slot: Slot, words: Words) -> tuple[str, ...] | None:
        return words.scope.vocabulary.fields if words.scope.battle else None

    def read(self, words: Words, slot: Slot) -> SlotValue | None:
        choices = self.choices(slot, words)
        if choices is not None and not begun(words.next, choices):
            what = slot.label.removeprefix("the ")
            raise OrderRefused(impossible(f"no {what} “{words.next}”: {', '.join(choices)}"))
        return super().read(words, slot)


class _Switch(_Field):
    """A switch of the rules."""

    def choices(self, slot: Slot, words: Words) -> tuple[str, ...] | None:
        return tuple(words.scope.vocabulary.switches) if words.scope.battle else None


class _Setting(_Name):
    """A value of the switch that the order names."""

    def choices(self, slot: Slot, words: Words) -> tuple[str, ...] | None:
        name = next(iter(words.slots.values()), "")
        return words.scope.vocabulary.switches.get(str(name)) if words.scope.battle else None


class _Departure(_Name):
    """What may become of a ship by the umpire's word."""

    def choices(self, slot: Slot, words: Words) -> tuple[str, ...] | None:
        return words.scope.vocabulary.departures if words.scope.battle else None


class _Text(Kind):
    """All words to the end of the line."""

    takes_rest = True
    grows = False
    joint = " "

    def read(self, words: Words, slot: Slot) -> SlotValue | None:
        return tuple(words.take_all())


class _Codes(_Text):
    """Damage codes, to the end of the line, with commas between them or not."""

    def read(self, words: Words, slot: Slot) -> SlotValue | None:
        return tuple(part for word in words.take_all() for part in word.split(",") if part)


class _Answer(_Codes):
    """The answer to an owed question: one of the words that it offers, a ship among them, or free words."""

    grows = True

    def read(self, words: Words, slot: Slot) -> SlotValue | None:
        given = super().read(words, slot)
        question = words.question
        if question is None or not isinstance(given, tuple) or not given:
            return given
        found = begun(given[0], question.words)
        if len(found) == 1:
            return (*found, *given[1:])
        among = self._ships(words)
        try:
            id, used = find(given, among, words.scope.reach, names.SHIP) if among else ("", 0)
        except OrderRefused:
            return given
        return (id, *given[used:]) if id else given

    def _ships(self, words: Words) -> list[Named]:
        question = words.question
        offered = question.words if question else ()
        return [ship for ship in words.scope.ships() if ship.id in offered]

    def candidates(self, letters: str, slot: Slot, words: Words) -> tuple[Candidate, ...]:
        question = words.question
        if question is None:
            return ()
        ships = names.candidates(letters, self._ships(words))
        ids = {one.text for one in ships}
        return (*(one for one in _closed(letters, question.words) if one.text not in ids), *ships)


class _Key(Kind):
    """The key of an owed question; left out: the first that the order can answer."""

    def read(self, words: Words, slot: Slot) -> SlotValue | None:
        return words.take().lower() if "/" in words.next else None

    def candidates(self, letters: str, slot: Slot, words: Words) -> tuple[Candidate, ...]:
        return _closed(letters, tuple(owed.key for owed in words.scope.there.owed))


class _Number(Kind):
    """The number of an act."""

    grows = False

    def read(self, words: Words, slot: Slot) -> SlotValue:
        word = words.take()
        if not NUMBER.fullmatch(word):
            raise words.fault(f"{slot.label}: “{word}” is not the number of an entry")
        return int(word)


class _Arrivals(_Text):
    """Ships that have yet to join, with commas between them or not."""

    grows = True

    def read(self, words: Words, slot: Slot) -> SlotValue | None:
        among = self._among(words)
        ids: list[str] = []
        for part in " ".join(words.take_all()).split(","):
            ahead = part.split()
            while ahead:
                id, used = find(ahead, among, words.scope.reach, names.SHIP)
                ahead = ahead[used:]
                ids.extend([id] if id not in ids else [])
        if not ids:
            raise words.fault(f"{slot.label} are missing")
        return tuple(ids)

    def _among(self, words: Words) -> list[Named]:
        if words.scope.reach is Reach.FULL:
            return []
        return [Named(ship.id, ship.name) for ship in words.scope.arrivals().values()]

    def candidates(self, letters: str, slot: Slot, words: Words) -> tuple[Candidate, ...]:
        return names.candidates(letters.rpartition(",")[2].strip(), self._among(words))


class _PlayOrder(_Text):
    """An order of play within a correction; the reader reads it by its own form."""

    def write(self, slot: Slot, value: SlotValue) -> list[str]:
        return [getattr(value, "line", str(value))]


SHIP, SHIPS, SIDE, DIVISION = _Ship(), _Ships(), _Side(), _Division()
CHOICE, FLAG, COUNT, MEASURE, DIE = _Choice(), _Flag(), _Count(), _Measure(), _Die()
NAME, FIELD, SWITCH, SETTING, DEPARTURE = _Name(), _Field(), _Switch(), _Setting(), _Departure()
TEXT, CODES, ANSWER, KEY, NUMBER_OF_ACT = _Text(), _Codes(), _Answer(), _Key(), _Number()
ARRIVALS, PLAY_ORDER = _Arrivals(), _PlayOrder()


def flag(word: str, label: str) -> Slot:
    """A word that stands or not."""
    return Slot(word, FLAG, label, choices=(word,), optional=True)


def absent(slots: tuple[Slot, ...], values: Mapping[str, SlotValue], battle: Battle) -> str:
    """Why an order read elsewhere means nothing in a battle, such as a ship that is not there; "" where it does."""
    faults = (slot.kind.absent(values[slot.name], battle) for slot in slots if slot.name in values)
    return next((fault for fault in faults if fault), "")
