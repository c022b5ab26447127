"""Navies and class codes that some clause names, and words on a card that none of them knows (GQ2-MV-1)."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches

from qf_tui.core.measure import Scalar
from qf_tui.core.values import Ship
from qf_tui.rules.gq2.ship import CAPITAL, DESTROYERS, READ_AS, TORPEDO_BOATS, UNARMED

_NATIONS: Mapping[str, tuple[str, ...]] = {
    "austro-hungarian": ("austri", "austro", "k.u.k"),
    "british": ("brit", "great brit", "united k", "uk", "engl", "royal navy"),
    "french": ("fren", "france"),
    "german": ("germ",),
    "italian": ("ital",),
    "japanese": ("japan",),
    "russian": ("russ",),
}
"""How a word begins that names a nation of the clauses; a fleet file may say: Imperial Japanese Navy."""

_CRUISERS = ("C", "CA", "CB", "CL", "PC", "SC")
"""Codes of cruisers: of them some clause names CA; the others are any other ship."""

CODES = (*CAPITAL, *READ_AS, *_CRUISERS, *DESTROYERS, *TORPEDO_BOATS, *UNARMED)
"""The class codes that the rules know."""

_CODE_OF: dict[str, str] = {
    "battleship": "B",
    "battlecruiser": "BC",
    "dreadnought": "BB",
    **{written.casefold(): code for written, code in READ_AS.items()},
    "armored cruiser": "CA",
    "armoured cruiser": "CA",
    "cruiser": "C",
    "light cruiser": "CL",
    "protected cruiser": "PC",
    "destroyer": "DD",
    "torpedo boat destroyer": "TBD",
    "torpedo boat": "TB",
    "merchantman": "merchant",
    "steamer": "merchant",
    "u-boat": "submarine",
}
"""What people write in place of a code."""

_NAVY_OF: dict[str, str] = {
    "kaiserliche marine": "German",
    "marine nationale": "French",
    "regia marina": "Italian",
}
"""What people write in place of a navy's name."""


def is_of(ship: Ship, *nations: str) -> bool:
    """Whether a ship is of one of the navies that a clause names."""
    nation = str(ship.card.get("nation", "")).strip().casefold()
    return any(_begins(nation, name) for name in nations)


def _begins(nation: str, name: str) -> bool:
    return any(f" {begin}" in f" {nation}" for begin in _NATIONS[name])


def unknown_words(card: Mapping[str, Scalar]) -> Iterable[tuple[str, str]]:
    """The class code and the navy of a card where no clause knows them, with the nearest one (GQ2-MV-1)."""
    code = str(card.get("class") or "").strip()
    if code.upper() not in CODES:
        known = {each.casefold(): each.lower() if len(each) > 4 else each for each in CODES} | _CODE_OF
        near = _nearest(code, known, "B, CA, DD, TBD, TB, merchant, submarine")
        yield "class", f"no clause knows the class “{code}”: it counts as any other ship; {near}"
    nation = str(card.get("nation") or "").strip()
    if not any(_begins(nation.casefold(), name) for name in _NATIONS):
        known = {name: name.title() for name in _NATIONS} | _NAVY_OF
        near = _nearest(nation, known, ", ".join(name.title() for name in _NATIONS))
        yield "nation", f"no clause knows the navy “{nation}”: it counts as any other; {near}"


def _nearest(word: str, known: Mapping[str, str], all_known: str) -> str:
    close = get_close_matches(word.casefold(), list(known), 1)
    return f"the nearest known one is {known[close[0]]}" if close else f"known are {all_known}"
