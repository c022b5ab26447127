"""Fleet files: the cards of the ships of one fleet."""

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any, cast

from attrs import evolve, frozen

from qf_tui.core.ship_facts import ATTESTED, ORIGIN, as_listed, listed_in
from qf_tui.core.system import CardField, RuleSystem
from qf_tui.core.text import Scalar
from qf_tui.library.declared import fleet_fields, names_ships, right_system, ship_fields
from qf_tui.library.faults import (
    Checker,
    FileFaults,
    FilePlace,
    Read,
    absent,
    near,
    shown,
)
from qf_tui.library.paths import find, is_path, is_there, read_toml

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
            card |= {name: value[0], **{f"{name}.{at}": one for at, one in enumerate(value, 1)}}
        else:
            card[name] = value if isinstance(value, int | float | str | bool) else None
    return card


def laid_out(
    fields: Iterable[CardField], values: Mapping[str, Scalar], prefix: str = ""
) -> dict[str, Scalar]:
    """Values by their flat names as a card that has every name."""
    card: dict[str, Scalar] = {}
    for field in fields:
        name = prefix + field.name
        if field.kind in ("table", "numbers"):
            card |= laid_out(field.parts, values, f"{name}.")
        elif field.kind == "tables":
            parts = (key.removeprefix(f"{name}.") for key in values if key.startswith(f"{name}."))
            card[name] = len({part.partition(".")[0] for part in parts})
            for number in range(1, int(card[name] or 0) + 1):
                card |= laid_out(field.parts, values, f"{name}.{number}.")
        else:
            usual = absent(field)
            value = values.get(name, usual if isinstance(usual, int | float | str | bool) else None)
            card[name] = _as_read(value, field)
    return card


def _as_read(value: Scalar, field: CardField) -> Scalar:
    """A value as the reader of files would have it: whole numbers whole, what a ship has or not as 1 or 0."""
    if field.kind == "has" and isinstance(value, bool):
        return int(value)
    return int(value) if isinstance(value, float) and value.is_integer() else value


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
    found: dict[str, Any] = {}
    for field in fields:
        value = _stated(field, card, prefix + field.name)
        if value not in (None, {}, [], "") and value != absent(field):
            found[field.name] = value
    return found


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
        from qf_tui.library.ratings import read_facts_fleet  # noqa: PLC0415 - most battles need no facts

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


@frozen
class ShelfFleet:
    """A fleet by its name on the shelf, or by a former one."""

    text: str

    @property
    def file(self) -> Path | None:
        """Where it is now; None if it has gone."""
        return find("fleets", self.text, Path())


@frozen
class FleetFile:
    """A fleet by the path of its file."""

    path: Path

    @property
    def text(self) -> str:
        """As it is shown."""
        return str(self.path)

    @property
    def file(self) -> Path | None:
        """The path; None if nothing is there now."""
        return self.path if is_there(self.path) else None


@frozen
class NavyYear:
    """The ships of a navy, by the name of its file, as they were in a year."""

    navy: str
    year: int

    @property
    def text(self) -> str:
        """As it is shown."""
        return f"{self.navy} {self.year}"


FleetSource = ShelfFleet | FleetFile


Source = FleetSource | NavyYear


def fleet_source(word: str, folder: Path) -> FleetSource:
    """The fleet that a scenario's word means; a path is taken from the folder of the scenario."""
    return FleetFile((folder / word).resolve()) if is_path(word) else ShelfFleet(word)
