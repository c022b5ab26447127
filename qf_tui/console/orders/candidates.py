"""What letters may mean: ships by letters anywhere in their names, words by their beginnings."""

from collections.abc import Iterable, Sequence

from attrs import frozen

from qf_tui.core.builtin_forms import all_forms
from qf_tui.core.corrections import CORRECTION_FORMS
from qf_tui.core.forms import Form, Kind, Slot
from qf_tui.core.grammar.names import listed_names
from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Battle, Ship


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


def orders(system: RuleSystem, battle: Battle) -> tuple[str, ...]:
    """Every order word, those of this phase first."""
    forms = all_forms(system).values()
    fitting = [form.word for form in forms if battle.phase in form.phases]
    others = [form.word for form in forms if form.word not in fitting]
    return (*fitting, *others, *(form.word for form in CORRECTION_FORMS), "force", "preview")


def choices_of(
    system: RuleSystem, battle: Battle, form: Form, slot: Slot, letters: str, filled: Sequence[str] = ()
) -> tuple[Choice, ...]:
    """What a slot may hold that fits the letters; `filled` are the words of the slots before it."""
    if slot.kind in (Kind.SHIP, Kind.SHIPS):
        if letters.startswith("@"):
            return _divisions(battle, letters)
        return ships_by(letters, battle.ships.values(), side_against(battle, filled))
    if slot.kind is Kind.RESERVE:
        return ships_by(letters, battle.reserve.values())
    if slot.kind is Kind.DIVISION:
        return _divisions(battle, letters)
    if slot.kind is Kind.SIDE:
        return tuple(
            Choice(side.id, side.name) for side in battle.sides if _begins(letters, side.id, side.name)
        )
    if slot.kind is Kind.NAME:
        names = listed_by(battle, slot, filled) if slot.listed else _names(system, form, slot, filled)
        return begun(letters, names)
    if slot.kind is Kind.KEY:
        return begun(letters, (owed.key for owed in battle.owed))
    return begun(letters, slot.choices)


def side_against(battle: Battle, filled: Sequence[str]) -> str:
    """The side of the first ship that an order names already: its other ships are likelier of another side."""
    return next((battle.ships[word].side for word in filled if word in battle.ships), "")


def listed_by(battle: Battle, slot: Slot, filled: Sequence[str]) -> tuple[str, ...]:
    """The names on the card of the first ship that an order names already."""
    ship = next((battle.ships[word] for word in filled if word in battle.ships), None)
    return listed_names(ship, slot.listed) if ship else ()


def _begins(letters: str, *texts: str) -> bool:
    return any(text.casefold().startswith(letters.casefold()) for text in texts)


def _divisions(battle: Battle, letters: str) -> tuple[Choice, ...]:
    ids = (f"@{division.id}" for side in battle.sides for division in side.divisions)
    return begun(f"@{letters.lstrip('@')}", ids)


def _names(system: RuleSystem, form: Form, slot: Slot, filled: Sequence[str]) -> tuple[str, ...]:
    """The words of a slot that the common forms leave open: fields, switches, what becomes of a ship."""
    if form.word == "mark":
        return tuple(field.name for field in system.fields)
    if form.word == "leave":
        return system.departure_statuses
    if form.word != "option":
        return ()
    if slot.name == "name":
        return tuple(option.name for option in system.options)
    return next((option.values for option in system.options if option.name in filled), ())
