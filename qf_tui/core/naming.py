"""What a name means: ships by any beginning of their id or name, ids by any beginning."""

from collections.abc import Iterable

from qf_tui.core.errors import OrderRefused, impossible
from qf_tui.core.orders import COMMA
from qf_tui.core.values import Ship


def find_ship(words: list[str], ships: Iterable[Ship]) -> tuple[str, int]:
    """The ship that the next words name, and how many words that took.

    An exact id wins; else as many words as go on naming a ship are taken. OrderRefused names the candidates.
    """
    ships = list(ships)
    first = words[0].casefold()
    if any(ship.id == first for ship in ships):
        return first, 1
    found: list[Ship] = []
    used = 0
    for count in range(1, len(words) + 1):
        begun = _plain(" ".join(words[:count]))
        matching = [ship for ship in ships if _begins(ship, begun)]
        if not matching:
            break
        found, used = matching, count
        exactly = [ship for ship in matching if begun in (ship.id, _plain(ship.name))]
        if exactly and len(exactly) == 1:
            found = exactly
    if len(found) == 1:
        return found[0].id, used
    if not found:
        raise OrderRefused(impossible(f"no ship “{words[0]}”{_near(first, ships)}"))
    names = ", ".join(f"{ship.id} ({ship.name})" for ship in found[:8])
    more = f" and {len(found) - 8} more" if len(found) > 8 else ""
    raise OrderRefused(impossible(f"“{' '.join(words[:used])}” may be {names}{more}: write more of the name"))


def _begins(ship: Ship, begun: str) -> bool:
    return ship.id.startswith(begun) or _plain(ship.name).startswith(begun)


def _plain(name: str) -> str:
    """A name as it is compared: case, runs of spaces and spaces about commas do not matter."""
    return COMMA.sub(",", " ".join(name.casefold().split()))


def _near(word: str, ships: list[Ship]) -> str:
    within = [ship.id for ship in ships if word in ship.id or word in ship.name.casefold()][:5]
    return f"; did you mean {', '.join(within)}?" if within else ""


def one_of(begun: str, ids: list[str], what: str) -> str:
    if begun in ids:
        return begun
    found = [id for id in ids if id.startswith(begun)]
    if len(found) == 1:
        return found[0]
    text = f"“{begun}” may be {', '.join(found)}" if found else f"no {what} “{begun}”: {', '.join(ids)}"
    raise OrderRefused(impossible(text))


def listed_names(ship: Ship, listed: str) -> tuple[str, ...]:
    """The names of one kind of thing on a ship's card (`listed.1.name`, ...), each as one word of an order."""
    named = (ship.card.get(f"{listed}.{place}.name") for place in range(1, ship.card_count(listed) + 1))
    return tuple("-".join(name.lower().split()) for name in named if isinstance(name, str))
