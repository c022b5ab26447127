"""Reads the sides of a scenario: their divisions, ships and crews, and the logs with which ships begin."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from attrs import define, evolve, field

from qf_tui.core.crews import AS_BUILT, SOURCE, Crew, read_crew, with_crew
from qf_tui.core.declarations import FieldSpec, Scale, Setup
from qf_tui.core.ship_facts import ShipFacts
from qf_tui.core.system import RuleSystem
from qf_tui.core.text import Scalar, make_id
from qf_tui.core.values import Division, Plan, Ship, Side, replace
from qf_tui.library.declared import (
    APART_LINE,
    DIVISION_FIELDS,
    DOCTRINE,
    KNOTS,
    OUR_DOCTRINES,
    OUR_TARGETS,
    SIDE_FIELDS,
    START,
    Fleet,
    KeysRead,
    find_scenario_keys,
    flatten_values,
    is_facts_fleet,
)
from qf_tui.library.faults import (
    WHOLE_FILE,
    Checker,
    Data,
    Faults,
    FileFaults,
    FilePlace,
    Values,
    format_hint,
    make_printable,
)
from qf_tui.library.fleets import load_fleet
from qf_tui.library.paths import find_file, find_used_name, format_missing_file, read_toml
from qf_tui.library.plans import PlanReader
from qf_tui.library.systems import find_doctrine_points


@define
class SidesReader:
    """The reader of a scenario's sides, with their fleets, divisions and ships.

    Attributes:
        _file_faults: The faults of other files, once for each file.
        _unwritten: Fleets that have no file yet, by their names.
        sides: The sides that were read.
        _files: The data of fleets' files, so that each is read once.
        _fleets: The fleets by file, name and needed ids; two sides may use one fleet.
        _ships_at_start: The ships at the start, by their ids.
        _later_ships: The ships that may join later, by their ids.
        _ids_by_division: The ids of the ships of each division.
        _hulls: The first ship with each hull, to find a hull on two sides.
        _stated: Whether stated crews change the cards.
        _more_warnings: Warnings that are about no fleet's file.
        _at_start: The stated state of ships at the start, by their ids.
        _feature_keys: What each feature read from its keys.
    """

    _system: RuleSystem
    _folder: Path
    _checker: Checker
    _file_faults: list[FileFaults]
    _unwritten: Mapping[str, Data]
    _date: str = ""
    sides: tuple[Side, ...] = field(init=False, default=())
    table: dict[str, Scalar] = field(init=False, factory=dict)
    """Conditions of sides, divisions and features, by their names in the battle's table."""
    _files: dict[Path, Data] = field(init=False, factory=dict)
    _fleets: dict[tuple[Path, str, frozenset[str] | None], Fleet] = field(init=False, factory=dict)
    _ships_at_start: dict[str, Ship] = field(init=False, factory=dict)
    _later_ships: dict[str, Ship] = field(init=False, factory=dict)
    _ids_by_division: dict[str, list[str]] = field(init=False, factory=dict)
    _hulls: dict[str, tuple[Ship, ShipFacts]] = field(init=False, factory=dict)
    _crews: dict[str, Crew] = field(init=False, factory=dict)
    """The crews of divisions, by the divisions' ids."""
    crews: dict[str, Crew] = field(init=False, factory=dict)
    """The crews with steps, by ship; complete once the ships are mustered."""
    _stated: bool = field(init=False, default=False)
    _more_warnings: tuple[str, ...] = field(init=False, default=())
    _at_start: Mapping[str, Values] = field(init=False, factory=dict)
    _feature_keys: tuple[KeysRead, ...] = field(init=False, default=())

    def read(self, sides: list[Values]) -> None:
        """Read all sides with their divisions, the ships at the start, and the ships that may join."""
        count_by_id: Counter[str] = Counter()
        for values in sides:
            named = (values, *(values.get("division") or []))
            count_by_id.update({make_id(str(item["name"])) for item in named if "name" in item})
        # If two sides use an id for themselves or a division, `@ID` would not be clear.
        shared_ids = frozenset(id for id, count in count_by_id.items() if count > 1)
        for number, values in enumerate(sides, 1):
            place = WHOLE_FILE.add_item("side", number, values)
            side = self._read_side(values, place, shared_ids)
            if side is None:
                continue
            if any(other.id == side.id for other in self.sides):
                self._checker.add_fault(
                    place.add_key("name"), f"another side already has the id “{make_printable(side.id)}”"
                )
            self.sides += (side,)

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings about fleets, each with its file, and about navies, crews and doctrines."""
        fleets = self._fleets.items()
        texts = (f"{path.name}, {text}" for (path, *_), fleet in fleets for text in fleet.warnings)
        return tuple(dict.fromkeys((*texts, *self._more_warnings)))

    def muster(
        self, scale: Scale, options: Mapping[str, Scalar], *, stated: bool
    ) -> tuple[dict[str, Ship], dict[str, Ship]]:
        """Give each ship the log with which she begins, also the ships that may join later.

        Args:
            stated: True if stated crews change the cards.

        Returns:
            The ships at the start and the ships that may join later, both by their ids.
        """
        self._stated = stated
        setup = Setup(scale.name, scale.units, options)
        at_start = {id: self._muster_ship(ship, setup) for id, ship in self._ships_at_start.items()}
        later = {
            id: self._muster_ship(ship, setup) for id, ship in self._later_ships.items() if id not in at_start
        }
        return at_start, later

    def read_plan(self, values: Values, data: Mapping[str, object]) -> Plan:
        """Read the plan, after the sides. Ships that arrive later no longer count as ships at the start."""
        plan = PlanReader(self._system, self.sides, self._ids_by_division, self._checker).read(values, data)
        for id in plan.arriving_ids:
            if id in self._ships_at_start:
                self._later_ships[id] = self._ships_at_start.pop(id)
        return plan

    def read_start(self, start: Mapping[str, Values]) -> None:
        """Store the stated state of ships at the start, by their ids; add a fault for each unknown id.

        The sides must be read before.
        """
        self._check_ships(START, start)
        self._at_start = start

    def _check_ships(self, key: str, ids: Iterable[str]) -> None:
        """Add a fault for each id that no ship has; the scenario has the ids under `key`."""
        known = {**self._ships_at_start, **self._later_ships}
        for id in ids:
            if id not in known:
                self._checker.add_fault(
                    WHOLE_FILE.add_key(key, id), f"no ship “{make_printable(id)}”{format_hint(id, known)}"
                )

    def read_feature_keys(self, values: Values) -> None:
        """Read the keys that features add to scenarios; add a fault for each unknown ship, side or division.

        The sides must be read before.
        """
        known = {*self._ships_at_start, *self._later_ships, *(side.id for side in self.sides)}
        known |= {f"@{division.id}" for side in self.sides for division in side.divisions}
        for keys in find_scenario_keys():
            for key in keys.by_ship:
                self._check_ships(key, values.get(key) or {})
            feature_keys = keys.read(values, self._system, self._checker)
            self.table |= feature_keys.table
            self._feature_keys += (feature_keys,)
            for place, name in feature_keys.named:
                if name not in known:
                    text = f"no ship, side or @division “{make_printable(name)}”{format_hint(name, known)}"
                    self._checker.add_fault(place, text)

    def _muster_ship(self, ship: Ship, setup: Setup) -> Ship:
        """Give a ship the card that her crew makes, and the log with which she begins.

        A crew with steps is noted in `crews`, even if it does not count.
        """
        state = self._at_start.get(ship.id)
        if state:
            setup = evolve(setup, at_start=flatten_values(self._system.at_start, state))
        crew = self._crews[ship.division]
        for feature_keys in self._feature_keys:
            crew = read_crew(feature_keys.crews.get(ship.id, {}), crew)
        if crew.steps and self._system.crews:
            self.crews[ship.id] = crew
        card = with_crew(self._system, ship.card, crew if self._stated else AS_BUILT)
        mustered_ship = replace(ship, card=card, log=self._system.muster(card, setup))
        for feature_keys in self._feature_keys:
            mustered_ship = feature_keys.begin(mustered_ship)
        return mustered_ship

    def _read_side(self, values: Values, place: FilePlace, shared_ids: frozenset[str]) -> Side | None:
        """Read a side with its fleet, divisions and ships.

        Args:
            values: The checked side.
            shared_ids: Ids that several sides use for themselves or their divisions.

        Returns:
            The side, or None if it has no name. If its fleet or a needed key has a fault, the side has no
            divisions.
        """
        found_fleet, values = self._find_fleet(values, place)
        if "name" not in values:
            return None
        id = make_id(values["name"])
        side = Side(id, values["name"])
        self._read_simulation_keys(SIDE_FIELDS, id, values, place)
        if values.get("notes"):
            self.table[f"notes.{id}"] = values["notes"]
        # A key is missing if its value was refused; that fault is reported already.
        has_needed_keys = {"ships", "prefix", "division"} <= values.keys()
        if found_fleet is None or not has_needed_keys:
            return side
        prefix = str(values["prefix"] or "")
        fleet = found_fleet.with_prefix(prefix)
        cards = {str(card["id"]): card for card in fleet.cards}
        if values["ships"] is None:
            start_ids = list(cards)
        else:
            start_ids = self._list_named_ids(values["ships"], fleet, prefix, place.add_key("ships"))
        divisions, division_by_ship = self._read_divisions(values, place, side, fleet, start_ids, shared_ids)
        # If there are ships in no division, the last division is theirs.
        last_division = divisions[-1].id if divisions else ""
        ships = {
            ship_id: Ship(
                ship_id,
                str(card["name"]),
                side=id,
                division=division_by_ship.get(ship_id, last_division),
                card=card,
                log={},
            )
            for ship_id, card in cards.items()
        }
        self._store_ships(ships, start_ids, place.add_key("ships"))
        # A division that arrives later names ships that are not there at the start.
        for ship_id in dict.fromkeys((*division_by_ship, *start_ids)):
            ship = ships[ship_id]
            self._ids_by_division.setdefault(ship.division, []).append(ship_id)
            self._check_hull_side(ship, fleet.facts.get(ship_id), place.add_key("ships"))
        return evolve(side, divisions=divisions)

    def _store_ships(self, ships: Mapping[str, Ship], start_ids: Collection[str], place: FilePlace) -> None:
        """Store the ships of a side: those at the start, and the rest of the fleet, which may join later.

        Add a fault for each ship at the start that has the id of another side's ship.
        """
        for ship_id in start_ids:
            ship = ships[ship_id]
            first_ship = self._ships_at_start.setdefault(ship_id, ship)
            if first_ship is not ship:
                text = f"“{ship_id}” is already on side {make_printable(first_ship.side)}"
                text += "; give one side a prefix, or other ships"
                self._checker.add_fault(place, text)
        for ship_id, ship in ships.items():
            if ship_id not in start_ids:
                self._later_ships.setdefault(ship_id, ship)

    def _read_crew(self, values: Values, place: FilePlace, outer: Crew) -> Crew:
        """Read the crew of a side or a division; add a warning if its steps have no source.

        Args:
            values: The checked side or division.
            outer: The crew whose steps hold where none are stated: the side's for a division.
        """
        crew = read_crew(values, outer)
        # Without `outer`, the crew has only the steps that are stated here.
        if read_crew(values).steps and not crew.source:
            self._more_warnings += (f"{place}: state the source of the steps in {SOURCE}",)
        return crew

    def _read_simulation_keys(
        self, fields: Iterable[FieldSpec], owner: str, values: Values, place: FilePlace
    ) -> None:
        """Read the keys for simulations of a side or a division, and warn of an unknown doctrine.

        Args:
            owner: The id of the side, or `@` and the id of the division.
            values: The checked side or division.
        """
        own_values = {field.name: values.get(field.name) for field in fields}
        # A speed of 0 knots counts as given, unlike other empty values.
        stated_values = {
            key: value for key, value in own_values.items() if value or (key == KNOTS and value is not None)
        }
        self.table |= {f"{key}.{owner}": value for key, value in stated_values.items()}
        if not own_values[DOCTRINE]:
            return
        is_division = owner.startswith("@")
        if is_division and not own_values[APART_LINE]:
            self._more_warnings += (f"{place}: its {DOCTRINE} counts only if it is {APART_LINE}",)
        name = str(own_values[DOCTRINE])
        # A doctrine may have changes of its targets and its range, as in `chase+worth+25%`.
        doctrine, *changes = name.split("+")
        unknown_changes = [change for change in changes if change not in OUR_TARGETS and change[-1:] != "%"]
        is_known = doctrine in OUR_DOCTRINES or doctrine in find_doctrine_points()
        if unknown_changes or not is_known:
            hint = format_hint(name, OUR_DOCTRINES) or f"; known: {', '.join(OUR_DOCTRINES)}"
            self._more_warnings += (f"{place.add_key(DOCTRINE)}: no doctrine “{make_printable(name)}”{hint}",)

    def _check_hull_side(self, ship: Ship, facts: ShipFacts | None, place: FilePlace) -> None:
        """Add a fault if another side has the same hull from another row of facts.

        A ship that changed hands has a row for each of her navies, and served only one at a time. Two sides
        may have a ship from the same row, for example in a fight of a fleet against itself.
        """
        if facts is None:
            return
        first_ship, first_facts = self._hulls.setdefault(facts.hull_name, (ship, facts))
        if first_ship.side != ship.side and first_facts.row_name != facts.row_name:
            text = f"“{ship.id}” of {facts.row_name} is “{first_ship.id}” of {first_facts.row_name}"
            text += f" on side {make_printable(first_ship.side)}"
            self._checker.add_fault(place, f"{text}, the same hull; name other ships, or state the date")

    def _find_fleet(self, values: Values, place: FilePlace) -> tuple[Fleet | None, Values]:
        """Find the fleet of a side, from a file or a navy.

        Returns:
            The fleet, or None if there is a fault; and the side, with the fleet's ids in place of `navy/id`.
        """
        # A key is missing if its value was refused; that fault is reported already.
        if "fleet" not in values or "navy" not in values:
            return None, values
        fleet, navy = values["fleet"], values["navy"]
        navy_or_year = navy or values.get("year")
        # Only a navy needs a year, so a fleet with a year is the same fault as a fleet with a navy.
        if fleet is not None and navy_or_year is not None:
            self._checker.add_fault(place.add_key("navy"), "a fleet is given as well; remove one of them")
        elif fleet is not None:
            return self._load_fleet(str(fleet), place, _collect_named_ids(values)), values
        elif navy is not None:
            from qf_tui.library import ratings  # noqa: PLC0415 - most battles need no facts

            navy_side = ratings.read_navy_side(values, place, self._date, self._system, self._checker)
            self._more_warnings += navy_side[0].warnings if navy_side else ()
            return navy_side or (None, values)
        else:
            self._checker.add_fault(place.add_key("fleet"), "is missing; expected a fleet, or a navy")
        return None, values

    def _load_fleet(self, name: str, place: FilePlace, wanted: frozenset[str] | None) -> Fleet | None:
        """Load the fleet of a side, or return it if it was loaded before.

        Args:
            name: The name or path of the fleet.
            wanted: The ids that the side names; None for all.

        Returns:
            The fleet; None if its file is missing or has faults, which are added.
        """
        data = self._unwritten.get(name)
        # A fleet that is not written yet has the path that its file will have.
        path = find_file("fleets", name, self._folder) if data is None else self._folder / name
        if path is None:
            self._checker.add_fault(place.add_key("fleet"), format_missing_file("fleets", name))
            return None
        try:
            if path not in self._files:
                self._files[path] = read_toml(path) if data is None else data
            # Only a fleet of facts can be read in part.
            needed_ids = wanted if is_facts_fleet(self._files[path]) else None
            key = (path, name, needed_ids)
            if key not in self._fleets:
                used_name = find_used_name(name, path)
                self._fleets[key] = load_fleet(path, self._system, self._files[path], used_name, needed_ids)
        except Faults as faults:
            reported_files = {str(file) for file in self._file_faults}
            self._file_faults += [file for file in faults.files if str(file) not in reported_files]
            return None
        return self._fleets[key]

    def _read_divisions(
        self,
        values: Values,
        place: FilePlace,
        side: Side,
        fleet: Fleet,
        start_ids: list[str],
        shared_ids: frozenset[str],
    ) -> tuple[tuple[Division, ...], dict[str, str]]:
        """Read the divisions of a side. Ships that no division names form one with the side's name.

        Args:
            values: The checked side.
            side: The side, without divisions.
            start_ids: The ids of its ships at the start.
            shared_ids: Ids that several sides use for themselves or their divisions.

        Returns:
            The divisions, and the id of the division that names a ship, by the ship's id.
        """
        side_crew = self._read_crew(values, place, AS_BUILT)
        divisions: dict[str, Division] = {}
        division_by_ship: dict[str, str] = {}
        for number, item in enumerate(values["division"] or [], 1):
            at = place.add_item("division", number, item)
            # A name that is missing or refused is a fault already.
            if "name" not in item:
                continue
            id = make_id(item["name"])
            if id in shared_ids:
                id = f"{side.id}-{id}"
            if id in divisions:
                self._checker.add_fault(
                    at.add_key("name"), f"another division already has the id “{make_printable(id)}”"
                )
            divisions[id] = Division(id, item["name"], item.get("player") or "")
            self._crews[id] = self._read_crew(item, at, side_crew)
            conditions = flatten_values(self._system.division_conditions, item)
            self.table |= {f"{key}.@{id}": value for key, value in conditions.items() if value is not None}
            self._read_simulation_keys(DIVISION_FIELDS, f"@{id}", item, at)
            ships_at = at.add_key("ships")
            ships = self._list_named_ids(item.get("ships", []), fleet, str(values["prefix"] or ""), ships_at)
            self._check_presence(ships, start_ids, ships_at)
            for ship in ships:
                first_id = division_by_ship.setdefault(ship, id)
                if first_id != id:
                    self._checker.add_fault(ships_at, f"“{ship}” is already in division {first_id}")
        # The fleet's `others` have no card yet, but they need a division when they join.
        has_rest = fleet.others or any(card["id"] not in division_by_ship for card in fleet.cards)
        if has_rest:
            # The id of the side may be that of another division.
            rest_id = f"{side.id}-rest" if side.id in divisions or side.id in shared_ids else side.id
            divisions[rest_id] = Division(rest_id, side.name)
            self._crews[rest_id] = side_crew
        return tuple(divisions.values()), division_by_ship

    def _check_presence(self, ships: list[str], start_ids: list[str], place: FilePlace) -> None:
        """Add a fault for each ship of a division that is absent at the start while others are there."""
        absent_ships = [ship for ship in ships if ship not in start_ids]
        # A whole division may be absent, because it may arrive later.
        if len(absent_ships) < len(ships):
            for ship in absent_ships:
                self._checker.add_fault(place, f"“{ship}” is not among the ships of its side")

    def _list_named_ids(self, wanted: list[str], fleet: Fleet, prefix: str, place: FilePlace) -> list[str]:
        """Return the ids of the ships that a scenario names with or without the side's prefix.

        The ids have the prefix. An unknown or a repeated ship is a fault and is left out.
        """
        ids: list[str] = []
        for name in wanted:
            id = prefix + name if fleet.find_card(prefix + name) else name
            if not fleet.find_card(id):
                known = [str(card["id"]).removeprefix(prefix) for card in fleet.cards]
                hint = format_hint(name, [*known, *fleet.others])
                self._checker.add_fault(
                    place, f"no ship “{make_printable(name)}” in fleet {fleet.name}{hint}"
                )
            elif id in ids:
                self._checker.add_fault(place, f"“{make_printable(name)}” is listed more than once")
            else:
                ids.append(id)
        return ids


def _collect_named_ids(values: Values) -> frozenset[str] | None:
    """Collect the ids that a side and its divisions name, with and without the side's prefix.

    Return None if the side lists no ships: then it has the whole fleet.
    """
    ships = values.get("ships")
    if ships is None:
        return None
    divisions = values.get("division") or []
    names = [*ships, *(name for division in divisions for name in division.get("ships", []))]
    # Before the fleet is loaded, it is not known whether a name has the prefix or only begins like it.
    prefix = str(values.get("prefix") or "")
    return frozenset((*names, *(name.removeprefix(prefix) for name in names)))
