"""Reads scenario files: the start of a battle, with its sides, charts, schedule and conditions of victory.

`read_scenario` returns all faults of a scenario and of its files, or builds the battle if there is no fault.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from attrs import define, evolve, field, frozen

from qf_tui.core.crews import (
    AS_BUILT,
    CREWS,
    SOURCE,
    STATED,
    Crew,
    read_crew,
    with_crew,
)
from qf_tui.core.decisions import find_field_value, with_overlay
from qf_tui.core.declarations import FieldSpec, Scale, Setup, find_usual_scale
from qf_tui.core.grammar.kinds import COMPASS
from qf_tui.core.schedule import is_concerned
from qf_tui.core.ship_facts import ShipFacts
from qf_tui.core.system import RuleSystem, find_field
from qf_tui.core.text import Scalar, find_unprintable, format_plural, make_id
from qf_tui.core.values import (
    AFLOAT,
    EACH_SHIP,
    WITHDRAWN,
    Battle,
    Charts,
    Condition,
    Division,
    Due,
    Plan,
    Points,
    Ship,
    Side,
    replace,
)
from qf_tui.library.charts import list_chart_contradictions, load_overlay, load_shipped_charts
from qf_tui.library.declared import (
    APART_LINE,
    APPROACH,
    CANNOT_REACH,
    DIVISION_FIELDS,
    DOCTRINE,
    FOR,
    KNOTS,
    OPENS,
    OUR_DOCTRINES,
    OUR_TARGETS,
    SCHEDULE,
    SEA_ROOM,
    SIDE_FIELDS,
    START,
    SUITS,
    VICTORY,
    DueItem,
    Fleet,
    KeysRead,
    Systems,
    VictoryItem,
    find_named_system,
    find_scenario_keys,
    flatten_values,
    is_facts_fleet,
    list_option_fields,
    list_plan_fields,
    list_scenario_fields,
    lower_ship_ids,
)
from qf_tui.library.faults import (
    NAME_MOST,
    WHOLE_FILE,
    Checker,
    Data,
    Fault,
    Faults,
    FileFaults,
    FilePlace,
    Values,
    format_hint,
    format_not_installed,
    make_printable,
    raise_faults,
    structure,
)
from qf_tui.library.fleets import load_fleet
from qf_tui.library.other_rules import list_common_keys, rebase_scenario
from qf_tui.library.paths import (
    find_file,
    find_former_system,
    find_typed,
    find_used_name,
    format_missing_file,
    read_toml,
)
from qf_tui.library.systems import find_doctrine_points, with_books_in
from qf_tui.registry import search_features

_LARGEST_REMARK = 10**9
_SIMILAR_FROM = 0.8
"""Similarity, from 0 to 1, from which an unknown key counts as a misspelled key of the rules."""


@frozen
class ScenarioRead:
    """The result of reading a scenario.

    Attributes:
        battle: The battle before the first order; None if there are faults.
        faults: The faults by file.
        charts: The name of its overlay, or "".
        left_out: Texts for the values that do not hold under the chosen rules.
        suits: The rule systems that suit it, each with the reason.
        crews: The stated crews of ships, by their ids, whether they count or not.
    """

    system: RuleSystem | None
    battle: Battle | None
    faults: Mapping[str, tuple[Fault, ...]] = field(factory=dict)
    warnings: tuple[str, ...] = ()
    charts: str = ""
    left_out: tuple[str, ...] = ()
    suits: Mapping[str, str] = field(factory=dict)
    crews: Mapping[str, Crew] = field(factory=dict)


def load_scenario(
    wanted: str | Path, systems: Systems, rules: str = "", crews: str = ""
) -> tuple[RuleSystem, Battle]:
    """Load a scenario and the battle that it begins.

    Args:
        wanted: The path of a scenario, or its name on the shelf.
        systems: The rule systems at hand, by name.
        rules: Another rule system than the scenario's own, or "".
        crews: BUILT or STATED: whether stated crews count; "" takes the scenario's choice.

    Returns:
        The rule system, and the battle before the first order.

    Raises:
        Faults: All faults of the file and of the files that it names.
        QfError: There is no such file.
    """
    return require_battle(read_named_scenario(wanted, systems, rules, crews))


def read_named_scenario(
    wanted: str | Path, systems: Systems, rules: str = "", crews: str = ""
) -> ScenarioRead:
    """Read a scenario by its path or name. A former name also chooses the rules that belonged to it.

    Args:
        rules: A rule system to use in place of the scenario's own, or "".
        crews: BUILT or STATED: whether stated crews count; "" takes the scenario's choice.

    Raises:
        QfError: There is no such file.
    """
    path = find_scenario(wanted)
    return read_scenario(read_toml(path), path, systems, rules=rules or find_named_rules(wanted), crews=crews)


def require_battle(reading: ScenarioRead) -> tuple[RuleSystem, Battle]:
    """Return the rule system and the battle of a scenario that was read.

    Raises:
        Faults: The scenario is not sound.
    """
    raise_faults(reading.faults)
    assert reading.system is not None
    assert reading.battle is not None
    return reading.system, reading.battle


def find_scenario(wanted: str | Path) -> Path:
    """Return the file of a scenario by its name on the shelf as people type it; a path is returned unchecked.

    Raises:
        QfError: No file or several files match the name.
    """
    return wanted if isinstance(wanted, Path) else find_typed("scenarios", wanted)


def find_named_rules(wanted: str | Path) -> str:
    """Return the rule system that belongs to a former name of a scenario, or "" for its present name."""
    return find_former_system(wanted, find_scenario(wanted)) if isinstance(wanted, str) else ""


def read_scenario(
    data: Data,
    path: Path,
    systems: Systems,
    unwritten: Mapping[str, Data] | None = None,
    rules: str = "",
    crews: str = "",
) -> ScenarioRead:
    """Read a scenario's plain data, with the files that it names, under its own or other rules.

    Args:
        path: The path of the file; names of other files are relative to its folder.
        systems: The rule systems at hand, by name.
        unwritten: Fleets and an overlay that have no file yet, by the scenario's names for them.
        rules: Another rule system than the scenario's own, or "".
        crews: BUILT or STATED: whether stated crews count. "" takes the scenario's choice, which is BUILT if
            it makes none.

    Rule: AQF-CRW-1.
    """
    data = lower_ship_ids(data)
    checker, systems = Checker(), with_books_in(systems, path.parent)
    system = find_named_system({"ruleset": rules} if rules else data, systems, checker)
    if system is None:
        return ScenarioRead(system=None, battle=None, faults={str(path): tuple(checker.faults)})
    # Without the feature for simulations, which declares this key, it would be an unknown key.
    if CANNOT_REACH not in list_common_keys():
        data = {key: value for key, value in data.items() if key != CANNOT_REACH}
    rebased_scenario = rebase_scenario(data, system, checker)
    reading = _read_rebased(rebased_scenario.data, path, system, checker, unwritten or {}, crews)
    faults = dict(reading.faults)
    if str(path) in faults:
        faults[str(path)] = tuple(map(rebased_scenario.place_fault, faults[str(path)]))
    # A name under `suits` or `for` may be misspelled, or its rule system may not be installed.
    not_installed = (
        f"{key}.{make_printable(name)}: {format_not_installed(name, systems)}"
        for key in (SUITS, FOR)
        for name in (data[key] if isinstance(data.get(key), Mapping) else ())
        if name not in systems
    )
    return evolve(
        reading,
        faults=faults,
        warnings=(*reading.warnings, *not_installed),
        left_out=rebased_scenario.left_out,
    )


def _read_rebased(
    data: Data,
    path: Path,
    system: RuleSystem,
    checker: Checker,
    unwritten: Mapping[str, Data],
    crews: str,
) -> ScenarioRead:
    """Read a scenario's data as rebased for `system`, and build the battle if nothing is wrong.

    `unwritten` are files that do not exist yet, by name; `crews` is BUILT, STATED, or "" for the scenario's.
    """
    own_data = drop_foreign_changes(data, system)
    _find_needed_features(own_data, system)
    values = checker.check_table(own_data, list_scenario_fields(system), WHOLE_FILE)
    scale = _find_scale(values, system, checker)
    file_faults: list[FileFaults] = []
    charts, warnings = _load_charts(values, path, system, checker, file_faults, unwritten)
    sides = SidesReader(system, path.parent, checker, file_faults, unwritten, str(values.get("date") or ""))
    sides.read(values.get("side", []))
    warnings += sides.warnings
    plan = sides.read_plan(values, data)
    sides.read_start(values.get(START) or {})
    sides.read_feature_keys(values)
    faults = {str(path): tuple(checker.faults)} if checker.faults else {}
    for file in file_faults:
        faults[file.file] = faults.get(file.file, ()) + file.faults
    if faults or scale is None:
        return ScenarioRead(system, battle=None, faults=faults, warnings=warnings)
    options = _read_options(values, system)
    do_stated_crews_count = (crews or values[CREWS]) == STATED
    ships, reserve = sides.muster(scale, options, stated=do_stated_crews_count)
    table = _build_table(values, scale, system, path) | sides.table
    if do_stated_crews_count and sides.crews:
        table[CREWS] = STATED
    battle = Battle(
        turn=1,
        phase=system.phases[0].name,
        sides=sides.sides,
        ships=ships,
        table=table,
        options=options,
        charts=charts,
        reserve=reserve,
        plan=plan,
    )
    warnings += list_plan_warnings(system, plan, (*ships.values(), *reserve.values()))
    # In a phase with slashes, damage counts only from its end, so the battle at its start is kept.
    if system.phases[0].slashes:
        battle = replace(battle, began=battle)
    return ScenarioRead(
        system,
        battle,
        warnings=warnings,
        charts=str(values.get("charts") or ""),
        suits=values.get(SUITS) or {},
        crews=sides.crews,
    )


def _read_options(values: Values, system: RuleSystem) -> dict[str, Scalar]:
    """Return the value of each switch: the scenario's, or the default."""
    stated_values = values.get("options") or {}
    stated_switches = [switch for switch in list_option_fields(system) if switch.name in stated_values]
    defaults = {switch.name: switch.default for switch in system.options}
    return {**defaults, **flatten_values(stated_switches, stated_values)}


def _build_table(values: Values, scale: Scale, system: RuleSystem, path: Path) -> dict[str, Scalar]:
    """Build the table of a battle: the values that concern no single ship, by name.

    Values that are not stated are left out, except the title, which is then the name of the file.
    """
    approach = values.get(APPROACH)
    approach_text = ""
    if approach is not None:
        # A table holds only single values, so several ranges become one text.
        ranges = approach if isinstance(approach, tuple) else (approach,)
        approach_text = " ".join(f"{distance:g}" for distance in ranges)
    return {
        "title": values["title"] or path.stem,
        **{key: values[key] for key in ("date", "war", "weather") if values.get(key)},
        "scale": scale.name,
        "units": scale.units,
        "dice": values["dice"],
        "notes": values["notes"],
        **({APPROACH: approach_text} if approach_text else {}),
        **{key: values[key] for key in (OPENS, SEA_ROOM) if values.get(key)},
        **flatten_values(system.conditions, values),
    }


def _find_scale(values: Values, system: RuleSystem, checker: Checker) -> Scale | None:
    """Find the scale that the file names. If several scales fit, take the usual one.

    Returns:
        The scale; None if none fits, which adds a fault, or if the file's scale or units were refused.
    """
    if "scale" not in values or "units" not in values:
        return None
    name, units = values["scale"], values["units"]
    known = system.scales
    fitting_scales = [scale for scale in known if name in (None, scale.name) and units in (None, scale.units)]
    if fitting_scales:
        return find_usual_scale(fitting_scales)
    scale_names = ", ".join(f"{scale.name} {scale.units}" for scale in known)
    checker.add_fault(
        WHOLE_FILE.add_key("units"), f"no scale {name} in {units}; expected one of {scale_names}"
    )
    return None


def _load_charts(
    values: Values,
    path: Path,
    system: RuleSystem,
    checker: Checker,
    file_faults: list[FileFaults],
    unwritten: Mapping[str, Data],
) -> tuple[Charts, tuple[str, ...]]:
    """Load the rule system's charts with the overlay that the scenario names, if it names one.

    Args:
        checker: Gets a fault if there is no such overlay.
        file_faults: Gets the faults of a chart file; a faulty file is left out.
        unwritten: Overlays that have no file yet, by the scenario's names for them.

    Returns:
        The charts, and warnings about the overlay.
    """
    base: Charts = {}
    name = str(values.get("charts") or "")
    try:
        base = load_shipped_charts(system)
        if not name:
            return base, ()
        data = unwritten.get(name)
        file = find_file("charts", name, path.parent) if data is None else path.parent / name
        if file is None:
            checker.add_fault(WHOLE_FILE.add_key("charts"), format_missing_file("charts", name))
            return base, ()
        overlay = load_overlay(file, system, data)
    except Faults as faults:
        file_faults.extend(faults.files)
        return base, ()
    return with_overlay(base, overlay), list_chart_contradictions(base, overlay, system.chart_shapes)


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
        setup = evolve(setup, at_start=flatten_values(self._system.at_start, state)) if state else setup
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
        if owner.startswith("@") and own_values[DOCTRINE] and not own_values[APART_LINE]:
            self._more_warnings += (f"{place}: its {DOCTRINE} counts only if it is {APART_LINE}",)
        if not own_values[DOCTRINE]:
            return
        name = str(own_values[DOCTRINE])
        # A doctrine may have changes of its targets and its range, as in `chase+worth+25%`.
        doctrine, *changes = name.split("+")
        unknown = [change for change in changes if change not in OUR_TARGETS and change[-1:] != "%"]
        if unknown or (doctrine not in OUR_DOCTRINES and doctrine not in find_doctrine_points()):
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
            fleet: Its fleet.
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


def _find_needed_features(data: Data, system: RuleSystem) -> None:
    """Search other packages for features if a key or the kind of dice is unknown."""
    words_by_key = {field.name: field.words for field in list_scenario_fields(system)}
    has_unknown_keys = bool(data.keys() - words_by_key.keys())
    if has_unknown_keys or data.get("dice", "table") not in words_by_key["dice"]:
        search_features()


def drop_foreign_changes(data: Data, system: RuleSystem) -> Data:
    """Remove keys of other rule systems from the table changes of a scenario's schedule.

    A key that is similar to one of this system stays: it may be misspelled, and is refused later.
    """
    known = [field.name for field in system.conditions]

    def is_known_or_similar(key: str) -> bool:
        from difflib import get_close_matches  # noqa: PLC0415 - only the keys of others need it

        return key in known or bool(get_close_matches(key, known, n=1, cutoff=_SIMILAR_FROM))

    def drop_foreign_keys(item: object) -> object:
        if not isinstance(item, Mapping) or not isinstance(item.get("table"), Mapping):
            return item
        table = {key: value for key, value in item["table"].items() if is_known_or_similar(key)}
        return {**item, "table": table}

    schedule = data.get(SCHEDULE)
    return {**data, SCHEDULE: [*map(drop_foreign_keys, schedule)]} if isinstance(schedule, list) else data


def check_tables(data: Data, systems: Iterable[RuleSystem], checker: Checker) -> tuple[str, ...]:
    """Check the table changes of a schedule against the conditions of all rule systems.

    Returns:
        Warnings about keys that no rule system has. Bad values are added as faults.
    """
    (schedule, _) = list_plan_fields(systems)
    table = next(part for part in schedule.parts if part.name == "table")
    known = {part.name: part for part in table.parts}
    warnings = []
    items = data[SCHEDULE] if isinstance(data.get(SCHEDULE), list) else []
    for number, item in enumerate(items, 1):
        changes = item.get("table") if isinstance(item, Mapping) else None
        place = WHOLE_FILE.add_item(SCHEDULE, number).add_key("table")
        for key, value in changes.items() if isinstance(changes, Mapping) else ():
            if key in known:
                checker.check_value(value, known[key], place.add_key(key))
            else:
                hint = format_hint(key, known)
                warnings.append(f"{place.add_key(key)}: no rule system knows this key of the table{hint}")
    return tuple(warnings)


@define
class PlanReader:
    """The reader of a scenario's plan, after its sides.

    Attributes:
        _ships: The ids of the ships of each division, by the division's id.
        _arriving: The ids of the divisions that arrive in the schedule so far.
    """

    _system: RuleSystem
    _sides: Sequence[Side]
    _ships: Mapping[str, Sequence[str]]
    _checker: Checker
    _arriving: set[str] = field(init=False, factory=set)

    def read(self, values: Values, data: Data) -> Plan:
        """Read the schedule and the victory conditions.

        Args:
            values: The checked scenario.
            data: The same scenario as it was written. Its schedule still has the table changes that only
                other rule systems know, which become remarks.
        """
        written_items = data[SCHEDULE] if isinstance(data.get(SCHEDULE), list) else []
        items = zip(values.get(SCHEDULE) or (), written_items, strict=False)
        schedule = [
            self._read_due(item, written_item, WHOLE_FILE.add_item(SCHEDULE, number))
            for number, (item, written_item) in enumerate(items, 1)
        ]
        victory = [
            self._read_condition(item, WHOLE_FILE.add_item(VICTORY, number))
            for number, item in enumerate(values.get(VICTORY) or (), 1)
        ]
        by_turn = sorted(filter(None, schedule), key=lambda due: due.turn)
        return Plan(tuple(by_turn), tuple(filter(None, victory)))

    def _read_due(self, values: Values, written_item: Data, place: FilePlace) -> Due | None:
        """Read an event of the schedule, and add its faults; return None if it has no sound turn."""
        item = structure(values, DueItem)
        if not any(values.get(key) for key in ("arrives", "table", "note")):
            self._checker.add_fault(place, "nothing happens on this turn: give arrives, table or note")
        ships = tuple(
            ship
            for name in item.arrives
            for ship in self._list_arriving_ships(name, place.add_key("arrives"))
        )
        if item.turn is None:
            return None
        written = written_item["table"] if isinstance(written_item.get("table"), Mapping) else {}
        known = {field.name for field in self._system.conditions}
        # The checked changes for this system, in the order of the file; changes for others become remarks.
        changes = {name: item.table[name] for name in written if name in item.table}
        remarks = {name: value for name, value in written.items() if name not in known and _is_remark(value)}
        return Due(item.turn, ships, item.where.strip(), changes | remarks, item.note.strip())

    def _list_arriving_ships(self, name: str, place: FilePlace) -> Sequence[str]:
        """List the ships of a division that arrives. `name` is its id or its name.

        If no division or several match, or the division arrives already, add a fault and return ().
        """
        divisions = [division for side in self._sides for division in side.divisions]
        id = make_id(name)
        known = [division.id for division in divisions]
        ids_by_name = [division.id for division in divisions if make_id(division.name) == id]
        matches = [id] if id in known else ids_by_name
        if not matches and not all(side.divisions for side in self._sides):
            # A side whose fleet cannot be read has no divisions; that fault is reported already.
            return ()
        if not matches:
            fault = f"no division “{make_printable(name)}”{format_hint(id, known) or _format_known(known)}"
        elif len(matches) > 1:
            fault = f"two divisions are called “{make_printable(name)}”: write {' or '.join(matches)}"
        elif matches[0] in self._arriving:
            fault = f"“{make_printable(name)}” arrives more than once"
        else:
            self._arriving.add(matches[0])
            return self._ships.get(matches[0], ())
        self._checker.add_fault(place, fault)
        return ()

    def _read_condition(self, values: Values, place: FilePlace) -> Condition | None:
        """Read a victory condition, and add its faults.

        Returns:
            The condition, or None if a side, the count or a needed status is missing.
        """
        item = structure(values, VictoryItem)
        points = self._read_points(item, place)
        side = self._find_side_id(item.side, place.add_key("side"))
        counted_side = self._find_side_id(item.of, place.add_key("of"))
        known = self._list_statuses()
        for status in item.status:
            if status not in known:
                hint = f"{format_hint(status, known)}; expected any of {', '.join(known)}"
                self._checker.add_fault(
                    place.add_key("status"), f"no status “{make_printable(status)}”{hint}"
                )
        # Ships at half worth, and points lost in a field of the log, count without a status.
        needs_status = points is None or (points.each in ("", EACH_SHIP) and points.points > 0)
        lacks_status = needs_status and not item.status
        # A field that the file leaves out is in `values` with its default. A refused field is missing there,
        # and its fault is reported already.
        if lacks_status and "status" in values:
            self._checker.add_fault(place.add_key("status"), f"expected any of {', '.join(known)}")
        edge = make_id(item.edge)
        if edge and WITHDRAWN not in item.status:
            text = f"only a {WITHDRAWN} ship leaves by an edge; add that status"
            self._checker.add_fault(place.add_key("edge"), text)
        # A condition that gives points needs no count: one ship is enough.
        count = item.count or int(points is not None)
        if not count and "count" in values:
            self._checker.add_fault(place.add_key("count"), "is missing; expected count or points")
        if lacks_status or not (side and counted_side and count):
            return None
        return Condition(
            side=side,
            count=count,
            of=counted_side,
            status=item.status,
            kind=item.kind.strip(),
            edge=edge,
            note=item.note.strip(),
            points=points,
        )

    def _list_statuses(self) -> list[str]:
        """List the statuses that a condition may count: all of the rule system but AFLOAT."""
        status_fields = (field for field in self._system.fields if field.kind == "status")
        status_words = (word for field in status_fields for word in field.words)
        statuses = dict.fromkeys((*self._system.departure_statuses, *status_words))
        return [status for status in statuses if status != AFLOAT]

    def _read_points(self, item: VictoryItem, place: FilePlace) -> Points | None:
        """Read the points of a condition, and add their faults; return None if it wins and gives none."""
        points = Points(
            points=item.points or 0,
            each=item.each,
            half=item.half or 0,
            by_turn=item.by_turn or 0,
            secret=item.secret,
        )
        if points == Points():
            return None
        if not (item.points or item.half):
            self._checker.add_fault(place, "it gives no points: add points or half")
        counted_names = (field.name for field in self._system.fields if field.kind in ("count", "marks"))
        known = (EACH_SHIP, *counted_names)
        if item.each not in ("", *known):
            text = f"no field “{make_printable(item.each)}”; expected any of {', '.join(known)}"
            self._checker.add_fault(place.add_key("each"), text)
        return points

    def _find_side_id(self, name: str, place: FilePlace) -> str:
        """Return the id of a side by its name; for an unknown name add a fault and return ""."""
        # A missing name is reported by the check of the fields.
        if not name:
            return ""
        id = make_id(name)
        names = {side.id: side.name for side in self._sides}
        if id in names:
            return id
        hint = format_hint(id, names) or _format_known(names.values())
        self._checker.add_fault(place, f"no side “{make_printable(name.strip())}”{hint}")
        return ""


def list_plan_warnings(system: RuleSystem, plan: Plan, ships: Iterable[Ship]) -> tuple[str, ...]:
    """List warnings about victory conditions and points that no side can reach, and about unknown edges."""
    all_ships = tuple(ships)
    warnings: list[str] = []
    for number, condition in enumerate(plan.victory, 1):
        place = f"{VICTORY} {number}"
        concerned_ships = [ship for ship in all_ships if is_concerned(ship, condition)]
        count = len(concerned_ships)
        if condition.points is not None and concerned_ships:
            warnings += (
                f"{place}: it can give no points: {reason}"
                for reason in _list_obstacles(system, plan, condition.points, concerned_ships)
            )
        if count < condition.count:
            kind = format_plural(condition.kind or "ship")
            hint = ""
            # If no ship is of the kind, its name may be misspelled.
            if condition.kind and not count:
                side_ships = (ship for ship in all_ships if ship.side == condition.of)
                hint = format_hint(condition.kind, {str(ship.card.get("kind") or "") for ship in side_ships})
            warnings.append(
                f"{place}: {condition.of} has {count} {kind} but {condition.count} are needed{hint}"
            )
        if condition.edge and condition.edge not in COMPASS:
            warnings.append(f"{place}: “{make_printable(condition.edge)}” is not a point of the compass")
    return tuple(warnings)


def _list_obstacles(system: RuleSystem, plan: Plan, points: Points, ships: Sequence[Ship]) -> Iterator[str]:
    """Yield why ships can never give some points: all come too late, or none has the field to lose."""
    turn_by_id = {id: due.turn for due in plan.schedule for id in due.ships}
    # Ships that are there at the start can give points from turn 1.
    first_turn = min(turn_by_id.get(ship.id, 1) for ship in ships)
    if 0 < points.by_turn < first_turn:
        yield f"its ships arrive after turn {points.by_turn}"
    counted_field = find_field(system, points.each)
    # Ships at half worth give points without a loss in the field; other kinds than counts are not checked.
    if points.half or counted_field is None or counted_field.kind != "count":
        return
    # A field that counts damage is 0 before the ship loses anything, so its value shows no obstacle.
    is_damage = counted_field.name in system.harm
    if not is_damage and not any(find_field_value(ship, counted_field.name) for ship in ships):
        yield f"none of its ships has {counted_field.name}"


def _format_known(names: Iterable[str]) -> str:
    """Format the end of a fault, which lists the names that are known."""
    return f"; known: {', '.join(map(make_printable, names))}"


def _is_remark(value: object) -> bool:
    """Return whether a value is a short text or a plain number, which can be kept as a remark."""
    if isinstance(value, str):
        return len(value) <= NAME_MOST and not find_unprintable(value)
    return isinstance(value, bool | int | float) and abs(value) < _LARGEST_REMARK
