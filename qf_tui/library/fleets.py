"""Fleet files: the cards of the ships of one fleet."""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, cast

from attrs import evolve, frozen

from qf_tui.core.ratings import ATTESTED, ORIGIN, as_listed
from qf_tui.core.system import RuleSystem
from qf_tui.library.cards import Card as Card
from qf_tui.library.cards import attested_names, flat
from qf_tui.library.checking import Checker, Read
from qf_tui.library.declared import fleet_fields, names_ships, right_system, ship_fields
from qf_tui.library.faults import FileFaults, FilePlace, shown
from qf_tui.library.reading import read_toml


@frozen
class Fleet:
    """One fleet: its ships' cards in the order of the file, by the flat names of their fields.

    `warnings`: what they may say, but hardly mean; `others`: ships whose cards nobody wanted, by their ids.
    """

    name: str
    title: str
    source: str
    values: str
    cards: tuple[Card, ...]
    warnings: tuple[str, ...] = ()
    others: tuple[str, ...] = ()

    def card(self, id: str) -> Card | None:
        """The card of a ship by its id."""
        return next((card for card in self.cards if card["id"] == id), None)


def load_fleet(
    path: Path,
    system: RuleSystem,
    data: Mapping[str, Any] | None = None,
    name: str = "",
    wanted: Collection[str] | None = None,
) -> Fleet:
    """A fleet file for one rule system, or the `data` of one; FileFaults lists all that is wrong with it.

    `name`: what it was found by, if that is not the name of the file. `wanted` are ids: no other card of a
    fleet is worked out.
    """
    checker = Checker()
    known = read_toml(path) if data is None else data
    fleet = read_fleet(known, name or path.stem, system, checker, wanted)
    if checker.faults:
        raise FileFaults(path, checker.faults)
    return fleet


def read_fleet(
    data: Mapping[str, Any],
    name: str,
    system: RuleSystem,
    checker: Checker,
    wanted: Collection[str] | None = None,
) -> Fleet:
    """The fleet in a file's plain data, as far as it is sound; the checker gathers the faults."""
    if not right_system(data, system, checker):
        return Fleet(name, name, "", "", ())
    if names_ships(data):
        from qf_tui.library.facts_fleets import read_facts_fleet  # noqa: PLC0415 - most battles need no facts

        read, ids, rated = read_facts_fleet(data, name, system, checker, wanted)
        _check_ids(cast(list[Read], read.get("ship") or []), checker)
        others = tuple(id for id in ids if wanted is not None and id not in wanted)
        return evolve(_fleet(name, read, tuple(rated)), others=others)
    read = checker.table(data, fleet_fields(system), FilePlace())
    ships = cast(list[Read], read.get("ship", []))
    of_fleet = {field.name: read.get(field.name) for field in system.card if field.of_fleet}
    _check_ids(ships, checker)
    values = str(read.get(ORIGIN))
    cards, warnings = [], []
    for number, ship in enumerate(ships, 1):
        place = FilePlace().item("ship", number, ship)
        sound = len(checker.faults)
        card = _card(ship, values, of_fleet, system, checker, place)
        cards.append(card)
        if len(checker.faults) == sound and _whole(ship, system):
            for key, text in system.card_faults(card):
                checker.fault(place.key(key), text)
            warnings += [f"{place.key(key)}: {text}" for key, text in system.card_warnings(card)]
    return _fleet(name, read, tuple(cards), tuple(warnings))


def _fleet(name: str, read: Read, cards: tuple[Card, ...], warnings: tuple[str, ...] = ()) -> Fleet:
    title, source = str(read.get("title") or name), str(read.get("source") or "")
    return Fleet(name, title, source, str(read.get(ORIGIN) or ""), cards, warnings)


def _whole(ship: Read, system: RuleSystem) -> bool:
    """Whether no field of a ship was refused."""
    return all(field.name in ship for field in ship_fields(system))


def _check_ids(ships: list[Read], checker: Checker) -> None:
    first: dict[object, int] = {}
    for number, ship in enumerate(ships, 1):
        if "id" not in ship:
            continue
        before = first.setdefault(ship["id"], number)
        if before != number:
            place = FilePlace().item("ship", number, ship).key("id")
            checker.fault(place, f"“{shown(str(ship['id']))}” is the id of ship {before} already")


def _card(
    ship: Read, values: str, of_fleet: Read, system: RuleSystem, checker: Checker, place: FilePlace
) -> Card:
    fields = ship_fields(system)
    card = flat(fields, {**ship, **{key: of_fleet[key] for key in of_fleet if ship.get(key) is None}})
    given = cast(list[str] | None, ship.get(ATTESTED)) or []
    card[ORIGIN] = ship.get(ORIGIN) or values  # type: ignore[assignment]  # the checker has seen to it
    names = attested_names(given, card, fields, checker, place.key(ATTESTED))
    card[ATTESTED] = as_listed(names)
    return card
