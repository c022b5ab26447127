"""What letters may mean: ships by letters anywhere in their names, words by their beginnings."""

from collections.abc import Iterable, Sequence

from attrs import frozen

from qf_tui.core.values import Ship


@frozen
class Choice:
    """One thing that a slot may hold: `text` goes into the order, `label` is shown."""

    text: str
    label: str


def ships_by(letters: str, ships: Iterable[Ship], against: str = "") -> tuple[Choice, ...]:
    """The ships that letters may mean, the likeliest first; with `against` the other sides' ships come first.

    Names that begin with the letters come before those that only hold them; within each, ships afloat first.
    """
    letters = " ".join(letters.casefold().split())
    ranked = sorted(
        ((rank, at, ship) for at, ship in enumerate(ships) if (rank := _rank(letters, ship, against))),
        key=lambda found: (found[0], found[1]),
    )
    return tuple(Choice(ship.id, ship.name) for _, _, ship in ranked)


def only_ship(letters: str, ships: Sequence[Ship], against: str = "") -> Ship | None:
    """The one ship that letters mean, if the best fit is one alone."""
    letters = " ".join(letters.casefold().split())
    if not letters:
        return None
    ranked = [(rank, ship) for ship in ships if (rank := _rank(letters, ship, against))]
    best = min((rank for rank, _ in ranked), default=None)
    found = [ship for rank, ship in ranked if rank == best]
    return found[0] if len(found) == 1 else None


def _rank(letters: str, ship: Ship, against: str) -> tuple[int, bool, bool] | None:
    name = " ".join(ship.name.casefold().split())
    likeness = _likeness(letters, name, ship.id)
    if likeness is None:
        return None
    return (likeness, bool(against) and ship.side == against, not ship.afloat)


def _likeness(letters: str, name: str, id: str) -> int | None:
    if letters in (name, id):
        return 0
    if name.startswith(letters) or id.startswith(letters):
        return 1
    if any(word.startswith(letters) for word in name.split()):
        return 2
    return 3 if letters in name or letters in id else None


def begun(letters: str, words: Iterable[str]) -> tuple[Choice, ...]:
    """The words that begin with the letters."""
    return tuple(Choice(word, word) for word in words if word.startswith(letters.lower()))
