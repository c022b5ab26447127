"""The sides of a scenario: which ships of which fleets, in what divisions; its schedule, and what wins it."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from attrs import define, evolve, field, frozen

from qf_tui.core.grammar.kinds import COMPASS
from qf_tui.core.schedule import concerns
from qf_tui.core.system import RuleSystem, Scale, Setup
from qf_tui.core.text import Scalar, identifier, plural, unprintable
from qf_tui.core.values import AFLOAT, WITHDRAWN, Condition, Division, Due, Plan, Ship, Side
from qf_tui.library.declared import SCHEDULE, START, VICTORY, names_ships, plan_fields
from qf_tui.library.faults import NAME_MOST, Checker, Faults, FileFaults, FilePlace, Read, near, shown
from qf_tui.library.fleets import Card, Fleet, flat, load_fleet
from qf_tui.library.paths import find, found_by, missing, read_toml

_LARGEST = 10**9
_LIKE = 0.8
"""Likeness to a key of the rules from which another key counts as a slip of it."""


@frozen
class _Berth:
    """A ship's place in the battle before it is mustered."""

    side: str
    division: str
    card: Card


@define
class Sides:
    """Reads the sides of a scenario; faults of fleet files go to `others`, once a file.

    A fleet that is among the `unwritten` has no file yet.
    """

    _system: RuleSystem
    _folder: Path
    _checker: Checker
    _others: list[FileFaults]
    _unwritten: Mapping[str, Mapping[str, Any]]
    _date: str = ""
    sides: tuple[Side, ...] = field(init=False, default=())
    table: dict[str, Scalar] = field(init=False, factory=dict)
    """Conditions of divisions, by the names that the table has for them."""
    _files: dict[Path, Mapping[str, Any]] = field(init=False, factory=dict)
    _fleets: dict[tuple[Path, str, frozenset[str] | None], Fleet] = field(init=False, factory=dict)
    _there: dict[str, _Berth] = field(init=False, factory=dict)
    _later: dict[str, _Berth] = field(init=False, factory=dict)
    _divided: dict[str, list[str]] = field(init=False, factory=dict)
    _at_start: Mapping[str, Read] = field(init=False, factory=dict)

    def read(self, sides: list[Read]) -> None:
        """All sides in order: their divisions, the ships that are there, and those that may join."""
        shared = _shared_divisions(sides)
        for number, read in enumerate(sides, 1):
            place = FilePlace().item("side", number, read)
            side = self._side(read, place, shared)
            if side is None:
                continue
            if any(other.id == side.id for other in self.sides):
                self._checker.fault(place.key("name"), f"another side has the id “{shown(side.id)}” already")
            self.sides += (side,)

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings of the fleets, each with its file."""
        fleets = self._fleets.items()
        texts = (f"{path.name}, {text}" for (path, *_), fleet in fleets for text in fleet.warnings)
        return tuple(dict.fromkeys(texts))

    def muster(self, scale: Scale, options: Mapping[str, Scalar]) -> tuple[dict[str, Ship], dict[str, Ship]]:
        """The ships that are there, and those that may join, with their logs at the start."""
        setup = Setup(scale.name, scale.units, options)
        there = {id: self._ship(id, berth, setup) for id, berth in self._there.items()}
        later = self._later.items()
        return there, {id: self._ship(id, berth, setup) for id, berth in later if id not in there}

    def read_plan(self, read: Read, data: Mapping[str, object]) -> Plan:
        """The plan of the scenario, once the sides are read; ships that arrive are not there before."""
        plan = PlanReader(self._system, self.sides, self._divided, self._checker).read(read, data)
        for id in plan.arriving:
            berth = self._there.pop(id, None)
            if berth is not None:
                self._later[id] = berth
        return plan

    def read_start(self, start: Mapping[str, Read]) -> None:
        """The state of ships as the battle begins, by their ids, once the sides are read."""
        known = {**self._there, **self._later}
        for id in start:
            if id not in known:
                place = FilePlace().key(START, id)
                self._checker.fault(place, f"no ship “{shown(id)}”{near(id, known)}")
        self._at_start = start

    def _ship(self, id: str, berth: _Berth, setup: Setup) -> Ship:
        said = self._at_start.get(id)
        setup = evolve(setup, at_start=flat(self._system.at_start, said)) if said else setup
        log = self._system.muster(berth.card, setup)
        return Ship(id, str(berth.card["name"]), berth.side, berth.division, berth.card, log)

    def _side(self, read: Read, place: FilePlace, shared: frozenset[str]) -> Side | None:
        fleet, read = self._ships_of(read, place)
        if "name" not in read:
            return None
        id = identifier(read["name"])
        side = Side(id, read["name"])
        if fleet is None or not {"ships", "prefix", "division"} <= read.keys():
            return side
        roll = _Roll(fleet, str(read["prefix"] or ""), self._checker)
        wanted = read["ships"]
        there = list(roll.cards) if wanted is None else roll.ids(wanted, place.key("ships"))
        divisions, of_ship = self._divisions(read, place, side, roll, there, shared)
        rest = divisions[-1].id if divisions else ""
        berths = {ship: _Berth(id, of_ship.get(ship, rest), card) for ship, card in roll.cards.items()}
        for ship in there:
            other = self._there.setdefault(ship, berths[ship])
            if other is not berths[ship]:
                text = f"“{ship}” is on side {shown(other.side)} already"
                text += "; give one side another prefix, or other ships"
                self._checker.fault(place.key("ships"), text)
        for ship in dict.fromkeys((*of_ship, *there)):
            self._divided.setdefault(berths[ship].division, []).append(ship)
        for ship, berth in berths.items():
            if ship not in there:
                self._later.setdefault(ship, berth)
        return evolve(side, divisions=divisions)

    def _ships_of(self, read: Read, place: FilePlace) -> tuple[Fleet | None, Read]:
        """The fleet that a side names, or that of its navy; and the side as it names ships of that fleet."""
        if "fleet" not in read or "navy" not in read:
            return None, read
        fleet, navy = read["fleet"], read["navy"]
        if fleet is not None and (navy or read.get("year")) is not None:
            self._checker.fault(place.key("navy"), "a fleet is given already; strike one of them")
        elif fleet is not None:
            return self._fleet(str(fleet), place, _named(read)), read
        elif navy is not None:
            from qf_tui.library import ratings  # noqa: PLC0415 - most battles need no facts

            made = ratings.read_navy_side(read, place, self._date, self._system, self._checker)
            return made or (None, read)
        else:
            self._checker.fault(place.key("fleet"), "is missing; expected a fleet, or a navy")
        return None, read

    def _fleet(self, name: str, place: FilePlace, wanted: frozenset[str] | None) -> Fleet | None:
        data = self._unwritten.get(name)
        path = find("fleets", name, self._folder) if data is None else self._folder / name
        if path is None:
            self._checker.fault(place.key("fleet"), missing("fleets", name))
            return None
        try:
            return self._loaded(path, name, data, wanted)
        except Faults as faults:
            known = {str(file) for file in self._others}
            self._others += [file for file in faults.files if str(file) not in known]
            return None

    def _loaded(
        self, path: Path, name: str, data: Mapping[str, Any] | None, wanted: frozenset[str] | None
    ) -> Fleet:
        """A fleet that may have been read for another side; of stated values there is no reading in part."""
        if path not in self._files:
            self._files[path] = read_toml(path) if data is None else data
        in_part = wanted if names_ships(self._files[path]) else None
        key = (path, name, in_part)
        if key not in self._fleets:
            found = found_by(name, path)
            self._fleets[key] = load_fleet(path, self._system, self._files[path], found, in_part)
        return self._fleets[key]

    def _divisions(
        self,
        read: Read,
        place: FilePlace,
        side: Side,
        roll: "_Roll",
        there: list[str],
        shared: frozenset[str],
    ) -> tuple[tuple[Division, ...], dict[str, str]]:
        """A side's divisions and the division of each ship; ships in none form one named as the side."""
        divisions: dict[str, Division] = {}
        of_ship: dict[str, str] = {}
        for number, item in enumerate(read["division"] or [], 1):
            at = place.item("division", number, item)
            if "name" not in item:
                continue
            id = identifier(item["name"])
            id = f"{side.id}-{id}" if id in shared else id
            if id in divisions:
                self._checker.fault(at.key("name"), f"another division has the id “{shown(id)}” already")
            divisions[id] = Division(id, item["name"], item.get("player") or "")
            said = flat(self._system.division_conditions, item)
            self.table |= {f"{key}.@{id}": value for key, value in said.items() if value is not None}
            at = at.key("ships")
            ships = roll.ids(item.get("ships", []), at)
            absent = [ship for ship in ships if ship not in there]
            # A division may arrive later as a whole; half of one is a slip.
            for ship in absent if len(absent) < len(ships) else ():
                self._checker.fault(at, f"“{ship}” is not among the ships of its side")
            for ship in ships:
                if of_ship.setdefault(ship, id) != id:
                    self._checker.fault(at, f"“{ship}” is in division {of_ship[ship]} already")
        if roll.cards.keys() - of_ship.keys() or roll.fleet.others:
            rest = f"{side.id}-rest" if side.id in divisions or side.id in shared else side.id
            divisions[rest] = Division(rest, side.name)
        return tuple(divisions.values()), of_ship


class _Roll:
    """The ships of a side's fleet by their ids in the battle; scenarios may write them without the prefix."""

    def __init__(self, fleet: Fleet, prefix: str, checker: Checker) -> None:
        ids = {f"{prefix}{card['id']}": card for card in fleet.cards}
        self.cards: Mapping[str, Card] = {id: {**card, "id": id} for id, card in ids.items()}
        self.fleet, self._prefix, self._checker = fleet, prefix, checker

    def ids(self, wanted: list[str], place: FilePlace) -> list[str]:
        """The ids in the battle of ships as the scenario names them."""
        ids: list[str] = []
        for name in wanted:
            id = self._prefix + name if self._prefix + name in self.cards else name
            if id not in self.cards:
                known = [*(str(card["id"]) for card in self.fleet.cards), *self.fleet.others]
                text = f"no ship “{shown(name)}” in fleet {self.fleet.name}{near(name, known)}"
                self._checker.fault(place, text)
            elif id in ids:
                self._checker.fault(place, f"“{shown(name)}” stands there more than once")
            else:
                ids.append(id)
        return ids


def _named(read: Read) -> frozenset[str] | None:
    """The ships that a side names, by their ids in its fleet too; None where it has them all."""
    there = read.get("ships")
    if there is None:
        return None
    divisions = read.get("division") or []
    names = [*there, *(name for one in divisions for name in one.get("ships", []))]
    prefix = str(read.get("prefix") or "")
    return frozenset((*names, *(name.removeprefix(prefix) for name in names)))


def _shared_divisions(sides: list[Read]) -> frozenset[str]:
    """The ids of divisions that are on more than one side, so that `@first` would mean two."""
    ids: Counter[str] = Counter()
    for read in sides:
        items = read.get("division") or []
        ids.update({identifier(str(item["name"])) for item in (read, *items) if "name" in item})
    return frozenset(id for id, times in ids.items() if times > 1)


def for_rules(data: Mapping[str, Any], system: RuleSystem) -> Mapping[str, Any]:
    """A scenario's data with what its schedule says of the table for this rule system, and slips in that.

    What another rule system has is left out: nobody need load that one to play by this.
    """
    known = [field.name for field in system.conditions]

    def of_these(item: object) -> object:
        if not isinstance(item, Mapping) or not isinstance(item.get("table"), Mapping):
            return item
        table = item["table"].items()
        return {**item, "table": {key: one for key, one in table if get_close_matches(key, known, 1, _LIKE)}}

    schedule = data.get(SCHEDULE)
    return {**data, SCHEDULE: [*map(of_these, schedule)]} if isinstance(schedule, list) else data


def check_tables(data: Mapping[str, Any], systems: Iterable[RuleSystem], checker: Checker) -> tuple[str, ...]:
    """Checks what a schedule says of the table by all rule systems; gives what none of them has, in words."""
    (schedule, _) = plan_fields(systems)
    table = next(part for part in schedule.parts if part.name == "table")
    known = {part.name: part for part in table.parts}
    strange = []
    items = data[SCHEDULE] if isinstance(data.get(SCHEDULE), list) else []
    for number, item in enumerate(items, 1):
        said = item.get("table") if isinstance(item, Mapping) else None
        place = FilePlace().item(SCHEDULE, number, {}).key("table")
        for key, value in said.items() if isinstance(said, Mapping) else ():
            if key in known:
                checker.value(value, known[key], place.key(key))
            else:
                strange.append(f"{place.key(key)}: no rule system has this of the table{near(key, known)}")
    return tuple(strange)


@define
class PlanReader:
    """Reads the plan of a scenario whose sides are read; `ships` are those of each division, by its id."""

    _system: RuleSystem
    _sides: Sequence[Side]
    _ships: Mapping[str, Sequence[str]]
    _checker: Checker
    _arriving: set[str] = field(init=False, factory=set)

    def read(self, read: Read, data: Mapping[str, Any]) -> Plan:
        """The plan; `data` is what the scenario says itself, without what is left out."""
        schedule = [
            self._due(item, given, FilePlace().item(SCHEDULE, number, {}))
            for number, (item, given) in enumerate(
                zip(read.get(SCHEDULE) or (), data.get(SCHEDULE) or (), strict=False), 1
            )
        ]
        victory = [
            self._condition(item, FilePlace().item(VICTORY, number, {}))
            for number, item in enumerate(read.get(VICTORY) or (), 1)
        ]
        by_turn = sorted((due for due in schedule if due), key=lambda due: due.turn)
        return Plan(tuple(by_turn), tuple(one for one in victory if one))

    def _due(self, item: Read, given: Mapping[str, Any], place: FilePlace) -> Due | None:
        if not any(item.get(key) for key in ("arrives", "table", "note")):
            self._checker.fault(place, "says nothing of what falls due: name what arrives, table or note")
        ships = tuple(
            ship for name in item.get("arrives") or [] for ship in self._division(name, place.key("arrives"))
        )
        if "turn" not in item:
            return None
        named = given["table"] if isinstance(given.get("table"), Mapping) else {}
        said = item.get("table") or {}
        own = {field.name for field in self._system.conditions}
        table = {name: said[name] for name in named if name in said}
        table |= {name: one for name, one in named.items() if name not in own and _sayable(one)}
        return Due(item["turn"], ships, _text(item, "where"), table, _text(item, "note"))

    def _division(self, name: str, place: FilePlace) -> Sequence[str]:
        """The ships of a division that arrives; of two with one name each goes by its id."""
        every = [division for side in self._sides for division in side.divisions]
        id = identifier(name)
        found = [one.id for one in every if one.id == id] or [
            one.id for one in every if identifier(one.name) == id
        ]
        if not found and not all(side.divisions for side in self._sides):
            # A side whose fleet cannot be read has none as yet: that is the fault to mend.
            return ()
        if not found:
            known = [one.id for one in every]
            fault = f"no division “{shown(name)}”{near(id, known) or _listed(known)}"
        elif len(found) > 1:
            fault = f"two divisions are called “{shown(name)}”: write {' or '.join(found)}"
        elif found[0] in self._arriving:
            fault = f"“{shown(name)}” arrives more than once"
        else:
            self._arriving.add(found[0])
            return self._ships.get(found[0], ())
        self._checker.fault(place, fault)
        return ()

    def _condition(self, item: Read, place: FilePlace) -> Condition | None:
        side, of = (self._side(item, place.key(key), key) for key in ("side", "of"))
        written = (word for one in self._system.fields if one.kind == "status" for word in one.words)
        every = dict.fromkeys((*self._system.departure_statuses, *written))
        known = [status for status in every if status != AFLOAT]
        status = tuple(item.get("status") or ())
        for one in status:
            if one not in known:
                text = f"no status “{shown(one)}”{near(one, known)}; expected any of {', '.join(known)}"
                self._checker.fault(place.key("status"), text)
        if "status" in item and not status:
            self._checker.fault(place.key("status"), f"expected any of {', '.join(known)}")
        edge = identifier(_text(item, "edge"))
        if edge and WITHDRAWN not in status:
            text = f"only a ship that is {WITHDRAWN} leaves by an edge; add that status"
            self._checker.fault(place.key("edge"), text)
        if not (side and of and status and "count" in item):
            return None
        return Condition(side, item["count"], of, status, _text(item, "kind"), edge, _text(item, "note"))

    def _side(self, item: Read, place: FilePlace, key: str) -> str:
        if key not in item:
            return ""
        id, names = identifier(_text(item, key)), {side.id: side.name for side in self._sides}
        if id in names:
            return id
        text = f"no side “{shown(_text(item, key))}”{near(id, names) or _listed(names.values())}"
        self._checker.fault(place, text)
        return ""


def hardly_meant(plan: Plan, ships: Iterable[Ship]) -> tuple[str, ...]:
    """Warnings of a plan that is allowed but unlikely: a victory that too few ships can bring."""
    every = tuple(ships)
    found = []
    for number, one in enumerate(plan.victory, 1):
        kinds = {str(ship.card.get("kind") or "") for ship in every if ship.side == one.of}
        fit = [ship for ship in every if concerns(ship, one)]
        if len(fit) < one.count:
            what = plural(one.kind or "ship")
            hint = near(one.kind, kinds) if one.kind and not fit else ""
            found.append(
                f"{VICTORY} {number}: {one.of} has {len(fit)} {what} and {one.count} are asked{hint}"
            )
        if one.edge and one.edge not in COMPASS:
            found.append(f"{VICTORY} {number}: “{shown(one.edge)}” is no point of the compass")
    return tuple(found)


def _listed(names: Iterable[str]) -> str:
    return f"; there are {', '.join(map(shown, names))}"


def _sayable(value: object) -> bool:
    """Whether a value can be said as a remark, whatever it means under other rules."""
    if isinstance(value, str):
        return len(value) <= NAME_MOST and not unprintable(value)
    return isinstance(value, bool | int | float) and abs(value) < _LARGEST


def _text(item: Read, key: str) -> str:
    return str(item.get(key) or "").strip()
