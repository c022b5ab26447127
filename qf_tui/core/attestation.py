"""What a card says of its own values: where they are from, and which of them a source attests one by one.

A card holds scalars, so the names of several fields stand in it as one text; it is written and read here.
"""

from collections.abc import Iterable, Mapping

from qf_tui.core.values import Ship

ORIGIN, ATTESTED = "values", "attested"
ESTIMATED = "estimated"
"""What a card says of values that no source has."""
_BETWEEN = ","


def listed_in(card: Mapping[str, object], name: str) -> tuple[str, ...]:
    """The words of a list that a card holds under a name; none if it has no such list."""
    return tuple(filter(None, str(card.get(name) or "").split(_BETWEEN)))


def as_listed(words: Iterable[str]) -> str:
    """Words as a card holds a list of them."""
    return _BETWEEN.join(words)


def attested_of(card: Mapping[str, object]) -> tuple[str, ...]:
    """The fields of a card whose values a source attests."""
    return listed_in(card, ATTESTED)


def reconstructed(ship: Ship, *fields: str) -> bool:
    """Whether some of these fields of a card are estimated, and not attested one by one."""
    return ship.card.get(ORIGIN) == ESTIMATED and not set(fields) <= set(attested_of(ship.card))
