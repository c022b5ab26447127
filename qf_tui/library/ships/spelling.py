"""What people type for a ship, into the texts of her columns: first letters, `4x12/40`, `16+8`, `04`."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from qf_tui.library.ships.navies import KINDS, MOUNTS, PLATES

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
