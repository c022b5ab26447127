"""The checker of any file that people write, and the JSON Schemas for editors.

The kind of a file is recognised by its contents, or by the ending of its name. A save is only recognised:
the journal checks it.
"""

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from importlib.resources import files
from pathlib import Path

from attrs import evolve, frozen

from qf_tui.core.declarations import FieldSpec
from qf_tui.core.errors import QfError
from qf_tui.core.ship_facts import list_contradictions
from qf_tui.core.system import RuleSystem
from qf_tui.core.text import TEXT_MOST
from qf_tui.hooks import FileFormat
from qf_tui.journal.disk import write_file
from qf_tui.library.books import KIND as RULES
from qf_tui.library.books import SUFFIX as SUFFIX_OF_BOOKS
from qf_tui.library.books import is_book, list_book_fields, read_book
from qf_tui.library.charts import list_chart_contradictions, load_shipped_charts, read_charts
from qf_tui.library.csv_rows import BY_HAND
from qf_tui.library.declared import (
    FOR,
    SCHEDULE,
    Systems,
    find_named_system,
    is_for_any_system,
    list_chart_fields,
    list_facts_fleet_fields,
    list_fleet_fields,
    list_for_fields,
    list_scenario_fields,
)
from qf_tui.library.faults import (
    ID,
    ID_MOST,
    MAP_MOST,
    NAME_MOST,
    PATH_MOST,
    Checker,
    Data,
    Fault,
    Faults,
    FileFaults,
    format_not_installed,
    is_id,
    make_printable,
)
from qf_tui.library.fleets import read_fleet
from qf_tui.library.navies import SUFFIX, read_ships
from qf_tui.library.paths import (
    decode_text,
    find_own_folder,
    find_shipped_folder,
    has_save_start,
    parse_toml,
    read_bytes,
)
from qf_tui.library.plans import check_tables
from qf_tui.library.ratings import list_hand_faults
from qf_tui.library.scenarios import read_scenario
from qf_tui.library.settings import read_weights
from qf_tui.library.systems import Systems as Installed
from qf_tui.library.systems import load_usable, with_books_in
from qf_tui.registry import find_features

Schema = dict[str, object]

FLEET, SCENARIO, CHART, SAVE, NAVY = "fleet", "scenario", "chart", "save", "navy"
WEIGHTS, BOOK = "table of weights", "rule book"
_BY_KEY = {"side": SCENARIO, "ship": FLEET, "navy": FLEET, "table": CHART}

KINDS = (FLEET, SCENARIO, CHART)
"""The kinds of files that have a schema for each rule system."""

FOLDER = ".schema"
_DRAFT = "https://json-schema.org/draft/2020-12/schema"
_TEXT: Schema = {"type": "string", "maxLength": NAME_MOST}
_MAP: Schema = {"type": "object", "additionalProperties": _TEXT, "maxProperties": MAP_MOST}


def build_schema(kind: str, system: RuleSystem, others: Iterable[RuleSystem] = ()) -> Schema:
    """Build the schema (draft 2020-12) of a fleet, a scenario or a chart for one rule system.

    Args:
        kind: One of KINDS.
        others: Other systems for which a scenario may state values under `for`; its schedule may name their
            conditions too.

    Raises:
        QfError: There is no schema for this kind.
    """
    if kind not in KINDS:
        raise QfError(f"no schema for “{kind}”; expected one of {', '.join(KINDS)}")
    systems = (system, *(other for other in others if other.name != system.name))
    if kind == FLEET:
        fields = list_fleet_fields(system)
    elif kind == CHART:
        fields = list_chart_fields(system)
    else:
        fields = list_scenario_fields(system, systems)
    # The field `for` gets a table for each system.
    parts = tuple(FieldSpec(one.name, "table", one.title, parts=list_for_fields(one)) for one in systems)
    schema = _build_table_schema(
        evolve(field, parts=parts) if field.kind == "systems" else field for field in fields
    )
    properties = schema["properties"]
    assert isinstance(properties, dict)
    properties["ruleset"] = {"const": system.name, "description": "the rule system's name"}
    return {"$schema": _DRAFT, "title": f"{system.title}: {kind}", **schema}


def _build_table_schema(fields: Iterable[FieldSpec]) -> Schema:
    """Build the schema of a table. A required field is given by its name or by its alias, not by both."""
    properties: Schema = {}
    required: list[str] = []
    alternatives: list[Schema] = []
    for field in fields:
        properties[field.name] = _build_field_schema(field)
        if field.alias:
            properties[field.alias] = properties[field.name]
        if field.required and field.alias:
            alternatives.append({"oneOf": [{"required": [field.name]}, {"required": [field.alias]}]})
        elif field.required:
            required.append(field.name)
    schema: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
    if required:
        schema["required"] = required
    if alternatives:
        schema["allOf"] = alternatives
    return schema


def _build_field_schema(field: FieldSpec) -> Schema:
    """Build the schema of a field, with its label and its default."""
    schema: Schema = {
        "description": field.label,
        **(_build_compound_schema(field) or _build_scalar_schema(field)),
    }
    return schema if field.default is None else {**schema, "default": field.default}


def _build_scalar_schema(field: FieldSpec) -> Schema:
    """Build the schema of a single value; any kind that no case names is a text."""
    match field.kind:
        case "bool":
            return {"type": "boolean"}
        case "has":
            return {"type": ["boolean", "integer"], "minimum": 0, "maximum": field.most}
        case "word":
            return {"enum": list(field.words)}
        case "int" | "number" | "series":
            if field.only:
                return {"enum": list(field.only)}
            kind = "integer" if field.kind == "int" else "number"
            return {"type": kind, "minimum": field.least, "maximum": field.most}
    most = {"notes": TEXT_MOST, "id": ID_MOST, "path": PATH_MOST}.get(field.kind, NAME_MOST)
    pattern = {"pattern": f"^{ID.pattern}$"} if field.kind == "id" else {}
    least = {"minLength": 1} if field.required else {}
    return {"type": "string", "maxLength": most, **pattern, **least}


def _build_compound_schema(field: FieldSpec) -> Schema | None:
    """Build the schema of a list or a table; return None for a scalar."""
    match field.kind:
        case "series":
            number = _build_scalar_schema(field)
            series = {"type": "array", "items": number, "minItems": 1, "maxItems": field.longest}
            return {"anyOf": [number, series]}
        case "numbers":
            parts = [_build_field_schema(part) for part in field.parts]
            limits = [{key: value for key, value in part.items() if key != "description"} for part in parts]
            has_equal_limits = all(part == limits[0] for part in limits)
            # Most editors support only `items`, which gives all numbers the same limits and no descriptions.
            item_schema = {"items": limits[0]} if has_equal_limits else {"prefixItems": parts}
            return {"type": "array", **item_schema, "minItems": len(parts), "maxItems": len(parts)}
        case "table":
            return _build_table_schema(field.parts)
        case "tables":
            least = 1 if field.required else 0
            return {
                "type": "array",
                "items": _build_table_schema(field.parts),
                "minItems": least,
                "maxItems": field.most,
            }
        case "systems":
            schema_by_system = {
                part.name: {"description": part.label, **_build_table_schema(part.parts)}
                for part in field.parts
            }
            return {
                "type": "object",
                "properties": schema_by_system,
                "additionalProperties": {"type": "object"},
            }
        case "named":
            return {
                "type": "object",
                "additionalProperties": _build_table_schema(field.parts),
                "maxProperties": field.most,
            }
        case "texts":
            return {"type": "array", "items": _TEXT, "uniqueItems": True, "maxItems": field.most}
        case "map":
            return dict(_MAP)
        case "counts":
            number = _build_scalar_schema(evolve(field, kind="int"))
            return {"type": "object", "additionalProperties": number, "maxProperties": MAP_MOST}
        case "cells":
            return {"anyOf": [{"type": "array", "items": _TEXT, "maxItems": MAP_MOST}, _MAP]}
    return None


def format_schema_name(kind: str, ruleset: str) -> str:
    """Return the file name of a schema; `ruleset` is "" for a fleet of no rule system."""
    return f"{kind}-{ruleset}.json" if ruleset else f"{kind}.json"


def format_schema_line(kind: str, ruleset: str, folder: str = ".") -> str:
    """Return the first line of a file, which names its schema for editors.

    Args:
        ruleset: The name of its rule system, or "".
        folder: The relative path from the file to the folder of its kind.
    """
    return f"#:schema {folder}/{FOLDER}/{format_schema_name(kind, ruleset)}\n"


def format_schema(kind: str, ruleset: str, systems: Systems) -> str:
    """Return the JSON text of a schema. Its tables for other rule systems include no rule books.

    Args:
        kind: One of KINDS, or RULES for the schema of rule books.
        ruleset: The name of the rule system; "" for rule books, and for fleets of any rule system.
    """
    installed_systems = tuple(system for system in load_usable(systems).values() if not system.data)
    if kind == RULES:
        schema = {
            "$schema": _DRAFT,
            "title": "Rule book of a club",
            **_build_table_schema(list_book_fields()),
        }
    elif ruleset:
        schema = build_schema(kind, systems[ruleset], installed_systems)
    else:
        schema = {
            "$schema": _DRAFT,
            "title": "Fleet of any rule system",
            **_build_table_schema(list_facts_fleet_fields(installed_systems)),
        }
    return json.dumps(schema, indent=1) + "\n"


def write_schema_for(file: Path, kind: str, ruleset: str, systems: Systems) -> None:
    """Write the schema of a user's file next to it, and ignore failure: a file works without its schema."""
    with suppress(OSError):
        _write_schema(file.parent, kind, ruleset, systems)


def install_schemas(systems: Systems) -> tuple[Path, ...]:
    """Write all schemas next to the user's files, and return their paths."""
    # The name "" means any rule system.
    wanted = [(FLEET, name) for name in (*systems, "")]
    wanted += [(SCENARIO, name) for name in systems]
    # A rule system without a file of charts has no schema for charts.
    wanted += [(CHART, name) for name in systems if systems[name].charts[0]]
    wanted.append((RULES, ""))
    return tuple(
        _write_schema(find_own_folder(_find_folder_name(kind)), kind, ruleset, systems)
        for kind, ruleset in wanted
    )


def _find_folder_name(kind: str) -> str:
    """Return the name of the folder for a kind of file: `fleets` for "fleet", `rules` for "rules"."""
    return f"{kind.removesuffix('s')}s"


def find_shipped_schemas(kind: str, system: RuleSystem | None) -> Path:
    """Return the program's folder of schemas for a kind of file; chart schemas are with their rule system."""
    if kind == "chart":
        # A system without a file of charts has no package for them. Our own package has no such folder.
        package = (system.charts[0] if system else "") or "qf_tui"
        return Path(str(files(package))) / FOLDER
    return find_shipped_folder(_find_folder_name(kind)) / FOLDER


def _write_schema(folder: Path, kind: str, ruleset: str, systems: Systems) -> Path:
    """Write a schema into the folder `.schema` of `folder`, unless that has it already; return its path."""
    path = folder / FOLDER / format_schema_name(kind, ruleset)
    shipped_file = find_shipped_schemas(kind, systems[ruleset] if ruleset else None) / path.name
    if shipped_file.is_file():
        # The program's own schema file holds the same text, and spares loading all systems.
        content = shipped_file.read_bytes()
    else:
        content = format_schema(kind, ruleset, systems).encode()
    if not path.is_file() or path.read_bytes() != content:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, content, over=True)
    return path


@frozen
class CheckResult:
    """The kind, the faults and the warnings of a checked file.

    Attributes:
        kind: The kind of the file, "" if it is unknown. A save is only recognised; the journal checks it.
        faulty_files: The faults of the file, and of the files that it names, if they have any.
        warnings: Messages about values that are allowed but unlikely.
    """

    kind: str
    faulty_files: tuple[FileFaults, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def faults(self) -> tuple[Fault, ...]:
        """The faults of all files."""
        return tuple(fault for file in self.faulty_files for fault in file.faults)


def check_file(path: Path, systems: Systems) -> CheckResult:
    """Check a file of any kind, with the files that it names. Faults are returned, never raised.

    The kind is recognised by the beginning of a save, by the name's ending, or by the first of the known keys
    that the file has.
    """
    # A save may be larger than BYTES_MOST, so it is recognised before the file is read.
    if has_save_start(path):
        return CheckResult(SAVE)
    if path.suffix.lower() == SUFFIX:
        return _check_navy(path, systems)
    systems = with_books_in(systems, path.parent)
    try:
        content = read_bytes(path)
        data = parse_toml(content, path)
    except Faults as faults:
        return CheckResult("", faults.files)
    if is_book(path, data):
        return _check_book(path, data, decode_text(content, path), systems)
    feature_formats = {file.key: file for feature in find_features() for file in feature.files}
    kind_by_key = {**_BY_KEY, **{key: file.title for key, file in feature_formats.items()}}
    key, kind = next(((key, kind) for key, kind in kind_by_key.items() if key in data), ("", ""))
    # A file of weights is recognised by a table with the name of a rule system.
    if not kind and any(name in systems for name in data):
        _, weight_faults = read_weights(data, systems, load_usable(systems).values())
        return _build_result(WEIGHTS, path, weight_faults)
    if not kind:
        known = "fleet ([[ship]]), scenario ([[side]]), chart ([[table]])"
        return _build_result("", path, [Fault("", f"not a {known}, table of weights ([RULESET]) or save")])
    if kind == SCENARIO:
        return _check_scenario(data, path, systems)
    if kind == FLEET and is_for_any_system(data):
        return _check_facts(data, path, systems)
    return _check_under_named_system(kind, path, data, systems, feature_formats.get(key))


def _check_book(path: Path, data: Data, text: str, systems: Systems) -> CheckResult:
    """Check a rule book and the name of its file."""
    name = path.name.removesuffix(SUFFIX_OF_BOOKS)
    faults = []
    if not path.name.endswith(SUFFIX_OF_BOOKS) or not is_id(name):
        faults.append(Fault("", f"its name must be NAME{SUFFIX_OF_BOOKS}, in a-z, 0-9 and “-”"))
    # A plain mapping of rule systems does not tell which systems are books.
    elif isinstance(systems, Installed) and systems.is_installed(name):
        faults.append(Fault("", f"a rule system is already called {name}: rename the file"))
    _, book_faults = read_book(data, name, text)
    return _build_result(BOOK, path, (*faults, *book_faults))


def _build_result(
    kind: str, path: Path, faults: Iterable[Fault], warnings: Iterable[str] = ()
) -> CheckResult:
    """Build the result of a file that names no others."""
    all_faults = tuple(faults)
    files = (FileFaults(path, all_faults),) if all_faults else ()
    return CheckResult(kind, files, tuple(warnings))


def _check_navy(path: Path, systems: Systems) -> CheckResult:
    """Check a CSV file of ships. Bad values set by hand are faults; facts that disagree are warnings."""
    try:
        ships = read_ships(read_bytes(path), path)
    except Faults as faults:
        return CheckResult(NAVY, faults.files)
    warnings = (f"{ship.name}: {text}" for ship in ships for text in list_contradictions(ship))
    hand_faults = (
        Fault(f"{ship.id}, {BY_HAND.heading}", text)
        for ship in ships
        for text in list_hand_faults(ship.by_hand, systems)
    )
    return _build_result(NAVY, path, hand_faults, warnings)


def _check_scenario(data: Data, path: Path, systems: Systems) -> CheckResult:
    """Check a scenario under its own rules, and under each other system for which it states values."""
    tables = data.get(FOR)
    other_rules = [name for name in tables if name in systems] if isinstance(tables, Mapping) else []
    readings = [read_scenario(data, path, systems, rules=name) for name in ("", *other_rules)]
    warnings = dict.fromkeys(text for reading in readings for text in reading.warnings)
    checker = Checker()
    table_warnings = check_tables(data, load_usable(systems).values(), checker) if SCHEDULE in data else ()
    # Pairs of a file and its faults, so that one file may occur several times.
    faults_of_files = [item for reading in readings for item in reading.faults.items()]
    if checker.faults:
        faults_of_files.append((str(path), tuple(checker.faults)))
    # A fault that several systems find is listed once.
    faults: dict[str, dict[Fault, None]] = {}
    for file, file_faults in faults_of_files:
        faults.setdefault(file, {}).update(dict.fromkeys(file_faults))
    files = tuple(FileFaults(file, file_faults) for file, file_faults in faults.items())
    return CheckResult(SCENARIO, files, (*warnings, *table_warnings))


def _check_facts(data: Data, path: Path, systems: Systems) -> CheckResult:
    """Check a fleet of no rule system under every system that computes cards from facts.

    Values that it states for an unknown system are a warning.
    """
    # Faults and warnings that several systems find are listed once.
    checker = Checker()
    warnings: dict[str, None] = {}
    for system in load_usable(systems).values():
        if system.can_rate:
            warnings |= dict.fromkeys(read_fleet(data, path.stem, system, checker).warnings)
    ships = data["ship"] if isinstance(data.get("ship"), list) else []
    stated_tables = (ship.get(FOR) for ship in ships if isinstance(ship, Mapping))
    names = dict.fromkeys(name for tables in stated_tables if isinstance(tables, Mapping) for name in tables)
    unknown_names = (name for name in names if name not in systems)
    warnings |= dict.fromkeys(
        f"{FOR}.{make_printable(name)}: {format_not_installed(name, systems)}" for name in unknown_names
    )
    return _build_result(FLEET, path, dict.fromkeys(checker.faults), warnings)


def _check_under_named_system(
    kind: str, path: Path, data: Data, systems: Systems, feature_format: FileFormat | None = None
) -> CheckResult:
    """Check a fleet, a chart or a feature's file under the rule system that it names.

    Args:
        feature_format: Format of the feature whose file it is, or None.
    """
    checker = Checker()
    warnings: tuple[str, ...] = ()
    system = find_named_system(data, systems, checker)
    if system is None:
        return _build_result(kind, path, checker.faults)
    if kind == FLEET:
        warnings = read_fleet(data, path.stem, system, checker).warnings
    elif feature_format is not None:
        feature_format.check(data, system, checker)
    else:
        overlay = read_charts(data, system, checker, path.stem)
        try:
            warnings = list_chart_contradictions(load_shipped_charts(system), overlay, system.chart_shapes)
        except Faults as faults:
            return CheckResult(kind, faults.files)
    return _build_result(kind, path, checker.faults, warnings)
