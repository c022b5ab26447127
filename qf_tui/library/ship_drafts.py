"""What people type for a ship, into the texts of her columns: first letters, `4x12/40`, `16+8`, `04`."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from attrs import evolve, field, frozen

from qf_tui.core.ship_facts import HandValue, ShipFacts, contradictions
from qf_tui.library.navies import (
    BY_HAND,
    KINDS,
    MOUNTS,
    NEEDED,
    PLATES,
    ShipKey,
    delete_ship,
    identified,
    key_of,
    own_navy,
    own_ships,
    read_row,
    row_of,
    save_ships,
)

_GROUP = re.compile(r"(\d+) *[x*×] *(\d+(?:\.\d+)?) *(in|mm|cm|\"|″)?(?: *[/lL] *(\d+(?:\.\d+)?))?")
_SHARED = re.compile(r"(\d+(?:\.\d+)?) +\(?(\d+) *(?:/|of) *(\d+)\)?")
_FIRST_OF_CENTURY = 50
"""Two digits from here on are of the 1800s, below of the 1900s."""
_INCHES_BELOW = 25
"""A caliber without a unit is in inches below, from here on in millimetres."""


def likely_words(letters: str, words: Sequence[str]) -> tuple[str, ...]:
    """The words that letters may mean: those that begin so, then those of such initials (`ac`), in order."""
    typed = letters.strip().casefold()
    begun = [word for word in words if word.casefold().startswith(typed)]
    initials = [word for word in words if "".join(part[0] for part in word.split("-")).startswith(typed)]
    return tuple(dict.fromkeys((*begun, *initials)))


def _word(words: Sequence[str], text: str) -> str:
    found = likely_words(text, words)
    return text if not text or not found else found[0]


def _words(words: Sequence[str], joint: str, text: str) -> str:
    parts = [part for part in re.split(r"[ +/,]+", text) if part]
    return joint.join(_word(words, part) for part in parts)


def _year(text: str) -> str:
    if len(text) == 2 and text.isascii() and text.isdigit():
        return f"{18 if int(text) >= _FIRST_OF_CENTURY else 19}{text}"
    return text


def _figure(text: str) -> str:
    """A number without its unit, and without what parts its thousands."""
    return re.sub(r"(?<=\d)[, '](?=\d{3}\b)", "", re.sub(r" *(in|\"|″|kn|kts?|t|tons?)$", "", text))


def _guns(text: str) -> str:
    groups = [_group(part.strip()) for part in text.split("+")]
    return " + ".join(group for group in groups if group)


def _group(text: str) -> str:
    read = _GROUP.fullmatch(text)
    if read is None:
        return text
    count, caliber, unit, length = read.groups()
    if unit == "cm":
        caliber, unit = f"{float(caliber) * 10:g}", "mm"
    elif unit != "mm":
        unit = "in" if unit or float(caliber) < _INCHES_BELOW else "mm"
    return f"{int(count)}x{caliber}{unit}{f'/{length}' if length else ''}"


def _bearing(text: str) -> str:
    return " + ".join(part for part in re.split(r"[ +,/]+", text) if part)


def _small(text: str) -> str:
    parts = [part.strip() for part in text.split("+")]
    if len(parts) <= 2 and all(part.isascii() and part.isdigit() for part in parts):
        larger, smaller = (*parts, "0")[:2]
        return f"{int(larger)}x75-100mm + {int(smaller)}x37-65mm"
    return text


def _gun_armor(text: str) -> str:
    read = _SHARED.fullmatch(text)
    return f"{read[1]} ({read[2]} of {read[3]})" if read else _figure(text)


_SPELLED: Mapping[str, Callable[[str], str]] = {
    "kind": partial(_word, KINDS),
    "plate": partial(_words, PLATES, "/"),
    "heavy_mount": partial(_words, MOUNTS, " + "),
    "light_mount": partial(_words, MOUNTS, " + "),
    "heavy": _guns,
    "light": _guns,
    "heavy_bear": _bearing,
    "light_bear": _bearing,
    "small": _small,
    "light_armor": _gun_armor,
    **dict.fromkeys(("from", "launched", "completed"), _year),
    **dict.fromkeys(("tons", "knots", "belt", "belt_ends", "upper_side"), _figure),
    **dict.fromkeys(("heavy_armor", "deck", "deck_slope", "ct"), _figure),
}
CHOICES: Mapping[str, Sequence[str]] = {
    "kind": KINDS,
    "plate": PLATES,
    "heavy_mount": MOUNTS,
    "light_mount": MOUNTS,
}
"""The columns that hold words of a list."""


def spelled(heading: str, text: str) -> str:
    """What a person typed for a column, as the column has it; what it cannot mean stays as it is."""
    text = text.strip()
    return _SPELLED[heading](text) if text and heading in _SPELLED else text


def meant_by(heading: str, letters: str) -> tuple[str, ...]:
    """The words of a list that the last letters typed for a column may mean, the likeliest first."""
    last = re.split(r"[ +/,]+", letters)[-1] if heading != "kind" else letters
    return likely_words(last, CHOICES.get(heading, ()))


_BUILDING = 2
"""Years from launch to completion where nobody says."""
_HERS = ("id", "name", "from", "sisters", "fought", "differ", "note")
"""What a sister does not have of the ship that she is copied from."""


@frozen
class ShipDraft:
    """What is known so far: `texts` as they were typed, by column, and the values set by hand.

    `kept` is the row of the user's own that she stands in, if there is one.
    """

    navy: str = ""
    texts: Mapping[str, str] = field(factory=dict)
    by_hand: tuple[HandValue, ...] = ()
    kept: tuple[str, ShipKey] | None = None

    @classmethod
    def of(cls, ship: ShipFacts) -> "ShipDraft":
        """A ship to be changed; one of ours becomes the user's own by it."""
        row = row_of(ship)
        texts = {heading: text for heading, text in row.items() if text and heading != BY_HAND.heading}
        return cls(ship.navy, texts, ship.by_hand, (ship.navy, key_of(ship)) if ship.own else None)

    @classmethod
    def like(cls, ship: ShipFacts) -> "ShipDraft":
        """A sister of a ship: all but what is the ship's alone."""
        draft = cls.of(ship)
        texts = {heading: text for heading, text in draft.texts.items() if heading not in _HERS}
        return evolve(draft, texts={**texts, "note": f"as {ship.name}"}, kept=None)

    def text(self, heading: str) -> str:
        return self.texts.get(heading, "")

    def with_text(self, heading: str, text: str) -> "ShipDraft":
        """With another text of a column."""
        return evolve(self, texts={**self.texts, heading: text})

    def set_by_hand(self, system: str, key: str, text: str) -> "ShipDraft":
        """With a value set by hand; "" leaves it to the method again."""
        others = tuple(one for one in self.by_hand if (one.system, one.key) != (system, key))
        return evolve(self, by_hand=(*others, HandValue(system, key, text)) if text else others)

    def hand(self, system: str, key: str) -> str:
        """A value as it was set by hand, or nothing."""
        return next((one.text for one in self.by_hand if (one.system, one.key) == (system, key)), "")

    @property
    def defaults(self) -> Mapping[str, str]:
        """What columns are taken for that nobody filled."""
        row = {heading: spelled(heading, text) for heading, text in self.texts.items()}
        found = {"id": identified(row.get("name", "")), "class": row.get("name", "")}
        launched, completed = row.get("launched", ""), row.get("completed", "")
        if launched.isdecimal():
            found["completed"] = str(int(launched) + _BUILDING)
        elif completed.isdecimal():
            found["launched"] = str(int(completed) - _BUILDING)
        return {heading: text for heading, text in found.items() if text and not row.get(heading)}

    @property
    def row(self) -> Mapping[str, str]:
        """Her row as it would be kept."""
        row = {heading: spelled(heading, text) for heading, text in self.texts.items()}
        by_hand = "; ".join(map(str, self.by_hand))
        return {**row, **self.defaults, **({BY_HAND.heading: by_hand} if by_hand else {})}

    @property
    def read(self) -> "DraftReading":
        """What it comes to."""
        ship, faults = read_row(self.row, self.navy)
        missing = tuple(fault.place for fault in faults if not self.row.get(fault.place))
        wrong = {fault.place: fault.text for fault in faults if fault.place not in missing}
        return DraftReading(ship, tuple(one for one in NEEDED if one in missing), wrong)

    @property
    def over(self) -> str:
        """The name of another ship of the user's own whose row she would take; "" if there is none."""
        ship = self.read.ship
        if ship is None or self.kept == (self.navy, key_of(ship)):
            return ""
        return next((one.name for one in own_ships(self.navy) if key_of(one) == key_of(ship)), "")

    def keep(self) -> Path:
        """Writes her into the user's file of her navy; QfError says why not, and then nothing is changed."""
        navy, instead = self.kept or (self.navy, None)
        moved = own_navy(navy) != own_navy(self.navy)
        path = save_ships(self.navy, [self.row], [] if moved or instead is None else [instead])
        if moved and instead is not None:
            delete_ship(navy, instead)
        return path


@frozen
class DraftReading:
    """A draft read: the ship, or what of her is `missing`, by columns, and what is `wrong`."""

    ship: ShipFacts | None
    missing: tuple[str, ...]
    wrong: Mapping[str, str]

    @property
    def odd(self) -> tuple[str, ...]:
        """What can hardly be so."""
        return contradictions(self.ship) if self.ship else ()
