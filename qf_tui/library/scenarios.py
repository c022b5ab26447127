"""Reads scenario files, which give the start of a battle.

`read_scenario` returns all faults of a scenario and of its files, or builds the battle if there is no fault.
The sides are read in `sides`, the schedule and the conditions of victory in `plans`.
"""

from collections.abc import Mapping
from pathlib import Path

from attrs import evolve, field, frozen

from qf_tui.core.crews import CREWS, STATED, Crew
from qf_tui.core.decisions import with_overlay
from qf_tui.core.declarations import Scale, find_usual_scale
from qf_tui.core.system import RuleSystem
from qf_tui.core.text import Scalar
from qf_tui.core.values import Battle, Charts, replace
from qf_tui.library.charts import list_chart_contradictions, load_overlay, load_shipped_charts
from qf_tui.library.declared import (
    APPROACH,
    CANNOT_REACH,
    FOR,
    OPENS,
    SEA_ROOM,
    START,
    SUITS,
    Systems,
    find_named_system,
    flatten_values,
    list_option_fields,
    list_scenario_fields,
    lower_ship_ids,
)
from qf_tui.library.faults import (
    WHOLE_FILE,
    Checker,
    Data,
    Fault,
    Faults,
    FileFaults,
    Values,
    format_not_installed,
    make_printable,
    raise_faults,
)
from qf_tui.library.other_rules import list_common_keys, rebase_scenario
from qf_tui.library.paths import find_file, find_former_system, find_typed, format_missing_file, read_toml
from qf_tui.library.plans import drop_foreign_changes, list_plan_warnings
from qf_tui.library.sides import SidesReader
from qf_tui.library.systems import with_books_in
from qf_tui.registry import search_features


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


def _find_needed_features(data: Data, system: RuleSystem) -> None:
    """Search other packages for features if a key or the kind of dice is unknown."""
    words_by_key = {field.name: field.words for field in list_scenario_fields(system)}
    has_unknown_keys = bool(data.keys() - words_by_key.keys())
    if has_unknown_keys or data.get("dice", "table") not in words_by_key["dice"]:
        search_features()
