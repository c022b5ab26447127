"""The ships that may join a battle: those of every fleet on the shelf for its rules, and of every navy."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from attrs import evolve, field, frozen

from qf_tui.core.declarations import usual_scale
from qf_tui.core.grammar.names import Named, folded
from qf_tui.core.numbered import replace
from qf_tui.core.ship_facts import ORIGIN, ShipFacts
from qf_tui.core.system import RuleSystem, Setup
from qf_tui.core.text import Scalar, identifier
from qf_tui.core.values import Battle, Ship
from qf_tui.library.csv_rows import identified
from qf_tui.library.declared import SCHEDULE, VICTORY, of_no_system, ship_fields
from qf_tui.library.faults import ID_MOST, Fault, Faults, FileFaults, is_id
from qf_tui.library.fleets import (
    Card,
    Fleet,
    FleetSource,
    load_fleet,
    source_fleet,
    stated,
    year_of,
)
from qf_tui.library.navies import (
    SUFFIX,
    YEAR_DIGITS,
    bare,
    own_navy,
    own_ships,
    own_state,
    register,
    ship_id,
    sister_names,
)
from qf_tui.library.paths import find, found_by, is_path, missing, names, own, read_toml, shelf
from qf_tui.library.ratings import RatedCards, ShipReference, rated

SIDES = ("Blue", "Red", "Green", "Yellow")
"""What sides are called until they are named."""


@frozen
class FleetShip:
    """A ship of a fleet or a navy; a side has it once, another may have it too."""

    source: FleetSource
    ship: str


@frozen
class DraftDivision:
    """A division; one without a name goes by its side's. `said`: what else its scenario says of it.

    `due` is its place in the scenario's schedule, where it arrives later.
    """

    name: str = ""
    player: str = ""
    ships: tuple[FleetShip, ...] = ()
    said: Mapping[str, Scalar] = field(factory=dict)
    due: int | None = None


@frozen
class DraftSide:
    """A side; it has one division at least. `was`: its id in the scenario that says what wins."""

    name: str
    divisions: tuple[DraftDivision, ...] = (DraftDivision(),)
    was: str = ""

    @property
    def ships(self) -> tuple[FleetShip, ...]:
        """The ships of all its divisions."""
        return tuple(ship for division in self.divisions for ship in division.ships)


@frozen
class DraftPlace:
    """A division by the numbers of its side and of itself, from 0."""

    side: int = 0
    division: int = 0


@frozen
class Draft:
    """All choices so far; `table` holds the keys of a scenario that were set, `options` its switches."""

    ruleset: str
    table: Mapping[str, Scalar] = field(factory=dict)
    options: Mapping[str, str] = field(factory=dict)
    sides: tuple[DraftSide, ...] = (DraftSide(SIDES[0]), DraftSide(SIDES[1]))

    @classmethod
    def begun(cls, system: RuleSystem) -> "Draft":
        """A draft with nothing chosen but the scale that is usual."""
        scale = usual_scale(system.scales)
        return cls(system.name, {"title": "My battle", "scale": scale.name, "units": scale.units})

    @property
    def title(self) -> str:
        return str(self.table.get("title") or "")

    @property
    def ships(self) -> tuple[FleetShip, ...]:
        """The ships of all sides."""
        return tuple(ship for side in self.sides for ship in side.ships)

    @property
    def places(self) -> Iterator[DraftPlace]:
        """Every division, side by side."""
        for number, side in enumerate(self.sides):
            yield from (DraftPlace(number, division) for division in range(len(side.divisions)))

    def division(self, place: DraftPlace) -> DraftDivision:
        return self.sides[place.side].divisions[place.division]

    def where(self, berth: FleetShip) -> tuple[DraftPlace, ...]:
        """The divisions that a ship was put into, one a side at most."""
        return tuple(place for place in self.places if berth in self.division(place).ships)

    def with_table(self, name: str, value: Scalar) -> "Draft":
        return evolve(self, table={**self.table, name: value})

    def with_option(self, system: RuleSystem, name: str, value: str) -> "Draft":
        """A switch turned; one at its default is not kept."""
        defaults = {switch.name: switch.default for switch in system.options}
        options = {**self.options, name: value}
        return evolve(self, options={key: one for key, one in options.items() if one != defaults.get(key)})

    def with_scale(self, system: RuleSystem, name: str) -> "Draft":
        """Another scale, in the same units where it has them."""
        fitting = [scale for scale in system.scales if scale.name == name]
        scale = min(fitting, key=lambda one: one.units != self.table.get("units"))
        return self.with_table("scale", scale.name).with_table("units", scale.units)

    def put(self, berth: FleetShip, place: DraftPlace) -> "Draft":
        """A ship put at the end of a division, taken from where it was on that side."""
        return self.taken(berth, place.side)._changed(
            place, lambda one: evolve(one, ships=(*one.ships, berth))
        )

    def taken(self, berth: FleetShip, side: int) -> "Draft":
        """A ship taken off a side."""
        divisions = tuple(
            evolve(one, ships=tuple(ship for ship in one.ships if ship != berth))
            for one in self.sides[side].divisions
        )
        return self._with_side(side, evolve(self.sides[side], divisions=divisions))

    def moved(self, berth: FleetShip, place: DraftPlace, by: int) -> "Draft":
        """A ship so many places further down in its division, as far as there are any."""
        ships = list(self.division(place).ships)
        at = ships.index(berth)
        ships.insert(max(0, at + by), ships.pop(at))
        return self._changed(place, lambda one: evolve(one, ships=tuple(ships)))

    def with_division(self, side: int, name: str) -> "Draft":
        """A side with one more division."""
        one = self.sides[side]
        return self._with_side(side, evolve(one, divisions=(*one.divisions, DraftDivision(name))))

    def without_division(self, place: DraftPlace) -> "Draft":
        """A side without a division; the last one stays, but empty."""
        divisions = list(self.sides[place.side].divisions)
        del divisions[place.division]
        left = tuple(divisions) or (DraftDivision(),)
        return self._with_side(place.side, evolve(self.sides[place.side], divisions=left))

    def named_division(self, place: DraftPlace, name: str) -> "Draft":
        return self._changed(place, lambda one: evolve(one, name=name))

    def with_player(self, place: DraftPlace, player: str) -> "Draft":
        return self._changed(place, lambda one: evolve(one, player=player))

    def with_side(self) -> "Draft":
        """One side more."""
        used = {side.name for side in self.sides}
        name = next((name for name in SIDES if name not in used), f"Side {len(self.sides) + 1}")
        return evolve(self, sides=(*self.sides, DraftSide(name)))

    def without_side(self, side: int) -> "Draft":
        """Without a side and its ships."""
        return evolve(self, sides=self.sides[:side] + self.sides[side + 1 :])

    def named_side(self, side: int, name: str) -> "Draft":
        return self._with_side(side, evolve(self.sides[side], name=name))

    def _with_side(self, number: int, side: DraftSide) -> "Draft":
        return evolve(self, sides=(*self.sides[:number], side, *self.sides[number + 1 :]))

    def _changed(self, place: DraftPlace, change: Callable[[DraftDivision], DraftDivision]) -> "Draft":
        side = self.sides[place.side]
        divisions = tuple(
            change(one) if number == place.division else one for number, one in enumerate(side.divisions)
        )
        return self._with_side(place.side, evolve(side, divisions=divisions))


Document = dict[str, Any]


def sources_of(side: Document, folder: Path, date: str) -> tuple[FleetSource, dict[str, FleetShip]]:
    """A side's source, and the ships that it names with their navies by their ids in the battle."""
    if "navy" not in side:
        return FleetSource.of(str(side["fleet"]), folder), {}
    year = side.get("year") or year_of(date)
    assert year is not None
    navy = FleetSource(str(side["navy"]), year)
    named = [*side.get("ships", ()), *(id for one in side.get("division", ()) for id in one["ships"])]
    calls = (ShipReference.of(str(name), navy.name, navy.year) for name in named)
    return navy, {one.id: FleetShip(FleetSource(one.navy, navy.year), one.id) for one in calls}


def named_directly(ships: Sequence[FleetShip]) -> tuple[Document, dict[FleetShip, str]] | None:
    """What a side says of its ships where it needs no fleet of its own, and how it names each."""
    sources = list(dict.fromkeys(ship.source for ship in ships))
    first = sources[0]
    if len(sources) == 1 and first.year is None and not is_path(first.name):
        return {"fleet": first.text}, {ship: ship.ship for ship in ships}
    navies = {ship: ship.source for ship in ships if ship.source.year is not None}
    years = {navy.year for navy in navies.values()}
    if len(navies) < len(ships) or len(years) != 1 or len({ship.ship for ship in ships}) < len(ships):
        return None
    names = {
        ship: ship.ship if navy == first else f"{navy.name}/{ship.ship}" for ship, navy in navies.items()
    }
    return {"navy": navies[ships[0]].name, "year": years.pop()}, names


def copied_fleet(ships: Mapping[FleetShip, str], title: str, system: RuleSystem) -> Document:
    """A fleet of ships from several sources, with the ids that they are given in it.

    It is of no rule system if none of the sources is, else it states values for this one.
    """
    sources = tuple(dict.fromkeys(ship.source for ship in ships))
    read = {source: {} if source.year is not None else _fleet_data(source) for source in sources}
    titles = ", ".join(str(data.get("title") or source.text) for source, data in read.items())
    head: Document = {"title": title, "source": f"Copied from: {titles}"}
    if all(not data or of_no_system(data) for data in read.values()):
        called = [_ship_called(ship, id, read[ship.source]) for ship, id in ships.items()]
        return {**head, "ships": [], "ship": called}
    worked_out = [source for source, data in read.items() if not data or of_no_system(data)]
    fleets = {source: source_fleet(source, system) for source in worked_out}
    rows = [
        _stated(ship, id, read[ship.source], fleets.get(ship.source), system) for ship, id in ships.items()
    ]
    return {"ruleset": system.name, **head, "ship": rows}


def _fleet_data(source: FleetSource) -> Document:
    path = source.file
    if path is None:
        raise FileFaults(source.text, [Fault("", missing("fleets", source.text))])
    return read_toml(path)


def _row(ship: FleetShip, data: Document) -> Document:
    rows: Iterable[Document] = data.get("ship", ())
    return next((one for one in rows if one.get("id") == ship.ship), {})


def _ship_called(ship: FleetShip, id: str, data: Document) -> Document:
    """A ship of no rule system, as a fleet of none names her."""
    if ship.source.year is not None:
        return {"id": id, "facts": f"{ship.source.name}/{ship.ship}", "year": ship.source.year}
    row = _row(ship, data)
    listed = (str(name) for name in data.get("ships", ()))
    name = next((one for one in listed if one.rpartition("/")[2] == ship.ship), ship.ship)
    called = ShipReference.of(str(row.get("facts") or name), str(data.get("navy", "")), None)
    year = row.get("year") or data.get("year")
    return {**row, "id": id, "facts": f"{called.navy}/{called.id}", **({"year": year} if year else {})}


def _stated(ship: FleetShip, id: str, data: Document, fleet: Fleet | None, system: RuleSystem) -> Document:
    """A ship as a fleet of that rule system states her."""
    if fleet is not None:
        card: Card = fleet.card(ship.ship) or {"id": ship.ship}
        return {**stated(ship_fields(system), card), "id": id}
    of_all = (ORIGIN, *(field.name for field in system.card if field.of_fleet))
    values = {key: data[key] for key in of_all if key in data}
    return {**values, **(_row(ship, data) or {"id": ship.ship}), "id": id}


def free_id(id: str, used: set[str]) -> str:
    """An id that is not used yet: itself, or with a number."""
    number, free = 2, id
    while free in used:
        free = f"{id[: ID_MOST - 4]}-{number}"
        number += 1
    return free


def due_of(division: str, side: str, schedule: Sequence[Mapping[str, Any]]) -> int | None:
    """The place in a schedule where a division arrives; None for one that is there at the start."""
    ids = (identifier(division), f"{identifier(side)}-{identifier(division)}")
    named = ([identifier(name) for name in item.get("arrives", [])] for item in schedule)
    return next((place for place, names in enumerate(named) if set(ids) & set(names)), None)


def plan_document(draft: Draft) -> Document:
    """What a draft's scenario says of later, as its divisions and sides are called."""
    schedule = [*_items(draft)]
    victory = [*_conditions(draft)]
    return {
        **({SCHEDULE: schedule} if schedule else {}),
        **({VICTORY: victory} if victory else {}),
    }


def _items(draft: Draft) -> Iterator[Document]:
    """The items of the schedule, without those of which nothing is left."""
    ids = Counter(id for side in draft.sides for id in _ids(side))
    for place, item in enumerate(cast(Sequence[Document], draft.table.get(SCHEDULE, ()))):
        arrives = [
            _called(division, side, ids)
            for side in draft.sides
            for division in side.divisions
            if division.due == place and division.ships
        ]
        rest = {key: value for key, value in item.items() if key != "arrives"}
        if arrives or item.keys() & {"table", "note"}:
            yield {**rest, **({"arrives": arrives} if arrives else {})}


def _ids(side: DraftSide) -> set[str]:
    """The ids of a side and of its divisions, each once."""
    return {identifier(side.name), *(identifier(one.name or side.name) for one in side.divisions)}


def _called(division: DraftDivision, side: DraftSide, ids: Mapping[str, int]) -> str:
    """A division by its name, or by its id where another side has that name too."""
    name = division.name or side.name
    return f"{identifier(side.name)}-{identifier(name)}" if ids[identifier(name)] > 1 else name


def _conditions(draft: Draft) -> Iterator[Document]:
    """The conditions of victory whose sides are still there, by the names that these have."""
    names = {side.was: side.name for side in draft.sides if side.was}
    for one in cast(Sequence[Document], draft.table.get(VICTORY, ())):
        side, of = (names.get(identifier(str(one[key]))) for key in ("side", "of"))
        if side and of:
            yield {**one, "side": side, "of": of}


@frozen
class Fleets:
    """The fleets of one rule system to pick ships from, by where they are, and those with faults."""

    sound: Mapping[FleetSource, Fleet]
    faulty: tuple[FileFaults, ...] = ()

    def card(self, berth: FleetShip) -> Card:
        """The card of a ship; an empty one if its fleet has gone."""
        fleet = self.sound.get(berth.source)
        return (fleet.card(berth.ship) if fleet else None) or {}

    def with_ship(self, berth: FleetShip, system: RuleSystem) -> "Fleets":
        """With a ship of a navy that no fleet here has; as they are where she cannot be rated."""
        if berth.source.year is None or self.card(berth):
            return self
        try:
            read = source_fleet(berth.source, system, {berth.ship})
        except Faults as faults:
            return evolve(self, faulty=(*self.faulty, *faults.files))
        there = self.sound.get(berth.source)
        if read is None or not read.cards:
            return self
        fleet = evolve(there, cards=(*there.cards, *read.cards)) if there else read
        return evolve(self, sound={**self.sound, berth.source: fleet})


def fleets_of(system: RuleSystem, draft: Draft | None = None) -> Fleets:
    """The fleets on the shelf; for a draft the umpire's own ships too, and what it names besides."""
    faulty: list[FileFaults] = []
    sound: dict[FleetSource, Fleet] = {}
    if draft is not None and system.rates:
        sound.update(_own_ships(system, faulty))
    paths: dict[FleetSource, Path] = {FleetSource(name): path for name, path in shelf("fleets").items()}
    named = sorted({ship.source for ship in draft.ships} if draft else (), key=lambda one: one.text)
    for navy in (one for one in named if one.year is not None):
        try:
            sound |= {navy: fleet} if (fleet := source_fleet(navy, system)) else {}
        except Faults as faults:
            faulty.extend(faults.files)
    fleets = (one for one in named if one.year is None and one not in paths)
    paths |= {one: path for one in fleets if (path := one.file)}
    for source, path in paths.items():
        try:
            data = read_toml(path)
            if data.get("ruleset") == system.name or (of_no_system(data) and system.rates):
                sound[source] = load_fleet(path, system, data, found_by(source.text, path))
        except Faults as faults:
            faulty.extend(faults.files)
    return Fleets(sound, tuple(faulty))


def _own_ships(system: RuleSystem, faulty: list[FileFaults]) -> dict[FleetSource, Fleet]:
    """The ships of the shipyard, each navy in the year of its last one; `faulty` gets what cannot be read."""
    found: dict[FleetSource, Fleet] = {}
    for path in sorted(own("navies").glob(f"*{SUFFIX}")):
        try:
            ships = own_ships(path.stem)
            source = FleetSource(path.stem, max((ship.since for ship in ships), default=0))
            named = ships and is_id(path.stem)
            fleet = source_fleet(source, system, {ship.id for ship in ships}) if named else None
        except Faults as faults:
            faulty.extend(faults.files)
        else:
            found |= {source: evolve(fleet, title=f"{fleet.title}, yours")} if fleet else {}
    return found


def ship_of_navy(ship: ShipFacts, letters: str) -> FleetShip:
    """A ship of the register as a draft names her: in the year that letters name, or as of her row."""
    years = (int(word) for word in folded(letters).split() if word.isdigit() and len(word) == YEAR_DIGITS)
    return FleetShip(FleetSource(identified(ship.navy), next(years, ship.since)), ship.id)


def charts_of(system: RuleSystem) -> tuple[str, ...]:
    """The names of the umpire's own charts for a rule system."""
    found = []
    for name in names("charts"):
        path = find("charts", name, Path())
        try:
            if path and read_toml(path).get("ruleset") == system.name:
                found.append(name)
        except FileFaults:
            continue
    return tuple(found)


def arrivals(system: RuleSystem, battle: Battle) -> Mapping[str, Ship]:
    """The ships that are not in a battle, by id, as they muster now, those of its own fleets first.

    They are of no side yet. Of two ships with one id the user's own is taken.
    """
    setup = _setup(battle)
    fleets = fleets_of(system).sound.values()
    found: dict[str, Ship] = {}
    likely: set[str] = set()
    for fleet in fleets:
        sails = _sails(fleet, battle)
        for card in fleet.cards:
            id = str(card["id"])
            if id not in battle.ships and id not in found:
                found[id] = _mustered(system, id, card, setup)
                likely |= {id} if sails else set()
    return {id: found[id] for id in sorted(found, key=lambda id: id not in likely)}


def _sails(fleet: Fleet, battle: Battle) -> bool:
    """Whether a ship of a fleet is in a battle, as that fleet has it."""
    return any(str(card["id"]) in battle.ships for card in fleet.cards)


def _mustered(system: RuleSystem, id: str, card: Mapping[str, Scalar], setup: Setup) -> Ship:
    return Ship(id, str(card["name"]), "", "", card, system.muster(card, setup))


def _setup(battle: Battle) -> Setup:
    return Setup(str(battle.table.get("scale", "")), str(battle.table.get("units", "")), battle.options)


def navy_ships(system: RuleSystem, battle: Battle) -> Mapping[str, ShipFacts]:
    """The ships of all navies by their ids in a battle, as they were in its year, or as they were at last.

    Where navies share an id their names precede it, `chile-esmeralda`. None without a method for them.
    """
    year = year_of(str(battle.table.get("date") or ""))
    latest: dict[tuple[str, str], ShipFacts] = {}
    for ship in register().ships:
        before = latest.get((ship.navy, ship.id))
        if (year is None or ship.since <= year) and (before is None or before.since < ship.since):
            latest[ship.navy, ship.id] = ship
    ships = [one for ship in latest.values() for one in (ship, *_sisters(ship))]
    ids = Counter(ship.id for ship in ships)
    found = {
        ship.id if ids[ship.id] == 1 else f"{own_navy(ship.navy).stem}-{ship.id}": ship for ship in ships
    }
    first = next(iter(found.values()), None)
    return found if first is not None and rated(system, first) is not None else {}


def _sisters(ship: ShipFacts) -> Iterator[ShipFacts]:
    """The ships that the row of a class names."""
    for name in sister_names(ship.sisters):
        if ship_id(name) != ship.id:
            yield replace(ship, id=ship_id(name), name=bare(name), sisters=())


def worked_out_arrival(system: RuleSystem, battle: Battle, id: str, facts: ShipFacts) -> Ship:
    """A ship that joins, by an id of `navy_ships`, her values worked out under the rules of the battle."""
    rating = rated(system, facts)
    assert rating is not None
    card = RatedCards(system).plain(replace(facts, id=id), rating)
    return _mustered(system, id, card, _setup(battle))


class JoinableShips:
    """What is on the shelf for a battle that began so; read when it is asked for.

    A ship that was added to the user's navies since is found too.
    """

    def __init__(self, system: RuleSystem, start: Battle) -> None:
        self._system, self._start = system, start
        self._fleets: Mapping[str, Ship] = {}
        self._navies: Mapping[str, ShipFacts] = {}
        self._named: tuple[Named, ...] = ()
        self._read: object = None

    def near(self, battle: Battle) -> Mapping[str, Ship]:
        """The ships that may still join: those that the battle knows of, and those of fleets."""
        if not self._fleets:
            self._fleets = arrivals(self._system, self._start)
        known = {**self._fleets, **battle.reserve}
        return {id: ship for id, ship in known.items() if id not in battle.ships}

    def elsewhere(self, battle: Battle) -> tuple[Named, ...]:
        """Those of all navies, for letters that mean none of the nearer ones."""
        state = own_state()
        if self._read != state:
            self._navies, self._read = navy_ships(self._system, self._start), state
            self._named = tuple(Named(id, ship.name) for id, ship in self._navies.items())
        return tuple(one for one in self._named if one.id not in battle.ships)

    def ships(self, ids: Iterable[str], battle: Battle) -> Iterator[Ship]:
        """Ships by their ids, each as she musters now; one that is not known is left out."""
        near = self.near(battle)
        for id in ids:
            if id in near:
                yield near[id]
            elif any(one.id == id for one in self.elsewhere(battle)):
                yield worked_out_arrival(self._system, self._start, id, self._navies[id])

    def id_of(self, ship: ShipFacts, battle: Battle) -> str:
        """The id by which a ship of a navy would join."""
        self.elsewhere(battle)
        same = (id for id, one in self._navies.items() if (one.navy, one.id) == (ship.navy, ship.id))
        return next(same, ship.id)
