"""A fleet: the cards of its ships under a rule system, and the one reader of it, wherever it is found.

A fleet file states its ships' values, or names ships by their facts, such as those of a navy in a year.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from attrs import evolve, frozen

from qf_tui.core.declarations import CardField
from qf_tui.core.ship_facts import ATTESTED, ORIGIN, as_listed, listed_in
from qf_tui.core.system import RuleSystem
from qf_tui.core.text import Scalar
from qf_tui.library.declared import fleet_fields, names_ships, right_system, ship_fields
from qf_tui.library.faults import Checker, FilePlace, Read, absent, near, refuse, shown
from qf_tui.library.paths import find, found_by, is_path, read_toml

Card = Mapping[str, Scalar]

APART = (ORIGIN, ATTESTED)
"""What a card says of its own values."""


def flat(fields: Iterable[CardField], read: Mapping[str, object], prefix: str = "") -> dict[str, Scalar]:
    """Checked values as a card: one scalar a name, dotted for parts."""
    card: dict[str, Scalar] = {}
    for field in fields:
        name = prefix + field.name
        value = read.get(field.name)
        if field.kind in ("table", "numbers"):
            given = value if isinstance(value, Mapping) else {part.name: absent(part) for part in field.parts}
            card.update(flat(field.parts, given, f"{name}."))
        elif field.kind == "tables":
            items = value if isinstance(value, list) else []
            card[name] = len(items)
            for number, item in enumerate(items, 1):
                card.update(flat(field.parts, item, f"{name}.{number}."))
        elif isinstance(value, tuple):
            card |= {name: value[0], **{f"{name}.{at}": number for at, number in enumerate(value, 1)}}
        else:
            card[name] = value if isinstance(value, int | float | str | bool) else None
    return card


def leaves(
    fields: Iterable[CardField], count: Callable[[str, CardField], int], prefix: str = ""
) -> Iterator[tuple[str, CardField]]:
    """The scalars of a card by name, each with its field; `count`: how many there are of some tables."""
    for field in fields:
        name = prefix + field.name
        if field.kind in ("table", "numbers"):
            whole = field.required and field.kind == "numbers"
            for part, leaf in leaves(field.parts, count, f"{name}."):
                required = whole or (field.required and leaf.required)
                yield part, leaf if leaf.required == required else evolve(leaf, required=required)
        elif field.kind == "tables":
            for number in range(1, count(name, field) + 1):
                for part, leaf in leaves(field.parts, count, f"{name}.{number}."):
                    yield part, evolve(leaf, required=False)
        else:
            yield name, field


def laid_out(fields: Iterable[CardField], values: Mapping[str, Scalar]) -> dict[str, Scalar]:
    """Values by their flat names as a card that has every name."""
    card: dict[str, Scalar] = {}

    def count(name: str, _: CardField) -> int:
        parts = (key.removeprefix(f"{name}.") for key in values if key.startswith(f"{name}."))
        card[name] = number = len({part.partition(".")[0] for part in parts})
        return number

    for name, field in leaves(fields, count):
        usual = absent(field)
        value = values.get(name, usual if isinstance(usual, int | float | str | bool) else None)
        # As the reader of files has it: what she has or not is 1 or 0, and a whole number is whole.
        has = field.kind == "has" and isinstance(value, bool)
        whole = isinstance(value, float) and value.is_integer()
        card[name] = int(value) if value is not None and (has or whole) else value
    return card


def attested_names(
    given: Iterable[str], card: Card, fields: Iterable[CardField], checker: Checker, place: FilePlace
) -> list[str]:
    """The card's names behind those that a file has among its `attested`, a whole for all of its parts."""
    aliases = {field.alias: field.name for field in fields if field.alias}
    known = [name for name in card if name not in ("id", "notes", *APART)]
    attested: dict[str, None] = {}
    for name in given:
        whole, dot, part = name.partition(".")
        called = aliases.get(whole, whole) + dot + part
        names = [field for field in known if field == called or field.startswith(f"{called}.")]
        attested.update(dict.fromkeys(names))
        if not names:
            checker.fault(place, f"no field “{shown(name)}”{near(name, known)}")
    return list(attested)


def stated(fields: Iterable[CardField], card: Card, prefix: str = "") -> dict[str, Any]:
    """A card as a file states it: without what is not known, and what the fields have by themselves."""
    values: dict[str, Any] = {}
    for field in fields:
        value = _stated(field, card, prefix + field.name)
        if value not in (None, {}, [], "") and value != absent(field):
            values[field.name] = value
    return values


def _stated(field: CardField, card: Card, name: str) -> Any:
    if field.kind == "numbers":
        values = [card.get(f"{name}.{part.name}") for part in field.parts]
        return None if None in values else values
    if field.kind == "table":
        return stated(field.parts, card, f"{name}.")
    if field.kind == "tables":
        count = min(int(card.get(name) or 0), len(card))
        return [stated(field.parts, card, f"{name}.{at}.") for at in range(1, count + 1)]
    if field.kind == "texts":
        return list(listed_in(card, name))
    if field.kind == "series":
        figures = (card.get(f"{name}.{at}") for at in range(1, field.longest + 1))
        return [figure for figure in figures if figure is not None] or card.get(name)
    return card.get(name)


@frozen
class Fleet:
    """One fleet: its ships' cards in the order of the file, by the flat names of their fields.

    `warnings`: values that are allowed but unlikely; `others`: ids of ships whose cards nobody wanted.
    """

    name: str
    title: str
    cards: tuple[Card, ...] = ()
    warnings: tuple[str, ...] = ()
    others: tuple[str, ...] = ()

    def card(self, id: str) -> Card | None:
        """The card of a ship by its id."""
        return next((card for card in self.cards if card["id"] == id), None)


@frozen
class FleetSource:
    """Where a fleet is found: by a name on the shelf, by the path of a file, or as a navy in a year."""

    name: str
    year: int | None = None
    """Of a navy, whose file has the name; None for a fleet of a file."""

    @classmethod
    def of(cls, word: str, folder: Path) -> "FleetSource":
        """The fleet that a scenario's word means; a path is taken from the folder of the scenario."""
        return cls(str((folder / word).resolve()) if is_path(word) else word)

    @property
    def text(self) -> str:
        """As it is shown."""
        return self.name if self.year is None else f"{self.name} {self.year}"

    @property
    def file(self) -> Path | None:
        """The file of a fleet, where it is now; None for a navy, and if the file has gone."""
        return find("fleets", self.name, Path()) if self.year is None else None


_YEAR = re.compile(r"(?<!\d)1[89]\d\d(?!\d)")


def year_of(date: str) -> int | None:
    """The year that a date in words or figures has."""
    year = _YEAR.search(date)
    return int(year[0]) if year else None


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
    refuse({str(path): checker.faults})
    return fleet


def source_fleet(
    source: FleetSource, system: RuleSystem, wanted: Collection[str] | None = None
) -> Fleet | None:
    """The ships of a source, of a navy those wanted; None if it is not there, Faults if it is not sound."""
    if source.year is None:
        path = source.file
        return load_fleet(path, system, name=found_by(source.name, path)) if path else None
    from qf_tui.library.ratings import navy_fleet  # noqa: PLC0415 - most battles need no facts

    checker = Checker()
    fleet = navy_fleet(source, system, checker, wanted)
    refuse({source.text: checker.faults})
    return fleet


def read_fleet(
    data: Mapping[str, Any],
    name: str,
    system: RuleSystem,
    checker: Checker,
    wanted: Collection[str] | None = None,
) -> Fleet:
    """The sound part of the fleet in a file's plain data; the checker gathers the faults."""
    if not right_system(data, system, checker):
        return Fleet(name, name)
    if names_ships(data):
        from qf_tui.library.ratings import read_facts_fleet  # noqa: PLC0415 - most battles need no facts

        return read_facts_fleet(data, name, system, checker, wanted)
    read = checker.table(data, fleet_fields(system), FilePlace())
    ships = read.get("ship", [])
    of_fleet = {field.name: read.get(field.name) for field in system.card if field.of_fleet}
    check_ids(ships, checker)
    values = str(read.get(ORIGIN))
    cards, warnings = [], []
    for number, ship in enumerate(ships, 1):
        place = FilePlace().item("ship", number, ship)
        sound = len(checker.faults)
        card = _card(ship, values, of_fleet, system, checker, place)
        cards.append(card)
        whole = all(field.name in ship for field in ship_fields(system))
        if len(checker.faults) == sound and whole:
            for key, text in system.card_faults(card):
                checker.fault(place.key(key), text)
            warnings += [f"{place.key(key)}: {text}" for key, text in system.card_warnings(card)]
    return Fleet(name, str(read.get("title") or name), tuple(cards), tuple(warnings))


def check_ids(ships: list[Read], checker: Checker) -> None:
    """No two ships of a fleet have one id."""
    first: dict[object, int] = {}
    for number, ship in enumerate(ships, 1):
        if "id" not in ship:
            continue
        before = first.setdefault(ship["id"], number)
        if before != number:
            place = FilePlace().item("ship", number, ship).key("id")
            checker.fault(place, f"ship {before} already has the id “{shown(str(ship['id']))}”")


def _card(
    ship: Read, values: str, of_fleet: Read, system: RuleSystem, checker: Checker, place: FilePlace
) -> Card:
    fields = ship_fields(system)
    card = flat(fields, {**ship, **{key: of_fleet[key] for key in of_fleet if ship.get(key) is None}})
    given = ship.get(ATTESTED) or []
    card[ORIGIN] = ship.get(ORIGIN) or values
    names = attested_names(given, card, fields, checker, place.key(ATTESTED))
    card[ATTESTED] = as_listed(names)
    return card
