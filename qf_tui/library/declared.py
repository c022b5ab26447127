"""The fields of fleet, scenario and chart files. The checker and the JSON Schemas are both built from them.

A card holds the values of a ship by flat names, such as `guns.bow`. A fleet holds the cards of its ships.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from attrs import Factory, evolve, frozen

from qf_tui.core.crews import BUILT, CREWS, SOURCE, STATED
from qf_tui.core.declarations import CREW_MOST, GUNNERY, SHELLS, FieldSpec, declare_key, list_keys
from qf_tui.core.ship_facts import ATTESTED, ESTIMATED, HULL, ORIGIN, YEARS, ShipFacts, read_card_list
from qf_tui.core.system import RuleSystem
from qf_tui.core.text import Scalar
from qf_tui.core.values import Ship, replace
from qf_tui.hooks import Feature
from qf_tui.library.faults import (
    WHOLE_FILE,
    Checker,
    Data,
    FilePlace,
    Values,
    find_default_value,
    format_hint,
    make_printable,
)
from qf_tui.library.paths import find_file, is_path
from qf_tui.registry import find_dice_kinds, find_features

Systems = Mapping[str, RuleSystem]
"""The installed rule systems, by name."""

SHIPS_MOST = 500
"""Most ships that a fleet may have."""

SIDES_MOST = 12
VALUES = ("attested", "published", ESTIMATED)

_RULESET = FieldSpec("ruleset", "text", "the rule system's name", required=True)
_TITLE = FieldSpec("title", "text", "shown in lists")

_FIRST_FIELDS = (
    FieldSpec("id", "id", "short name, unique in the battle", required=True),
    FieldSpec("name", "text", "name on the log", required=True),
    FieldSpec("kind", "text", "battleship, cruiser, destroyer ..."),
)
"""The first fields of a ship of any rule system.

`kind` is text for people, used to sort and search lists of ships.
"""

_LAST_FIELDS = (
    FieldSpec("notes", "notes", "text for the umpire"),
    FieldSpec(ORIGIN, "word", "the source of the ship's values", words=VALUES),
    FieldSpec(ATTESTED, "texts", "fields that the rules attest", most=200),
    FieldSpec(HULL, "text", "the first row of her hull under any flag, as navy/id"),
)


def list_ship_fields(system: RuleSystem) -> tuple[FieldSpec, ...]:
    """List the fields of `[[ship]]`: the common fields and the system's, which replace those of equal name.

    A field that a fleet may set for all its ships has no default here, because the fleet's value fills it.
    """
    first_fields = {field.name: field for field in _FIRST_FIELDS}
    system_fields = {
        field.name: evolve(field, default=None) if field.of_fleet else field for field in system.card
    }
    last_fields = (field for field in _LAST_FIELDS if field.name not in system_fields)
    return (*(first_fields | system_fields).values(), *last_fields)


def list_fleet_fields(system: RuleSystem) -> tuple[FieldSpec, ...]:
    """List the fields of a fleet file that states the values of its ships."""
    return (
        _RULESET,
        _TITLE,
        FieldSpec("source", "notes", "the source of the values"),
        FieldSpec(
            ORIGIN,
            "word",
            "the status of the values, unless a ship states its own",
            words=VALUES,
            default=ESTIMATED,
        ),
        *(field for field in system.card if field.of_fleet),
        FieldSpec(
            "ship", "tables", "the ships", most=SHIPS_MOST, parts=list_ship_fields(system), required=True
        ),
    )


FOR = "for"
"""The key of a file for values that apply under one rule system."""

SUITS = "suits"
"""The key of a scenario for the rule systems that suit it."""

_NAVY = FieldSpec("navy", "id", "a navy, by the name of its file in navies/")
_YEAR = FieldSpec("year", "int", "the ships as in this year", least=YEARS[0], most=YEARS[1])
_DATE = FieldSpec(
    "date", "text", "only ships that served on this date, like 1904-05-20; left out: at any time of the year"
)
_FORMERLY = FieldSpec(
    "formerly",
    "named",
    "former names of the fleet, each with its ships",
    parts=(FieldSpec("ships", "texts", "by id; left out: all", most=SHIPS_MOST),),
    most=99,
)


def list_stated_fields(system: RuleSystem) -> tuple[FieldSpec, ...]:
    """List the fields that a file may state of a ship for one rule system; all are optional."""
    return tuple(
        evolve(field, required=False, default=None)
        for field in list_ship_fields(system)
        if field.name not in ("id", "name", "notes")
    )


def list_facts_fleet_fields(systems: Iterable[RuleSystem]) -> tuple[FieldSpec, ...]:
    """List the fields of a fleet that names ships by facts; it may state values for each of `systems`."""
    stated = tuple(
        FieldSpec(system.name, "table", system.title, parts=list_stated_fields(system)) for system in systems
    )
    ship = (
        FieldSpec("id", "id", "short name, unique in the battle", required=True),
        FieldSpec("facts", "text", "her id in the navy, or navy/id; left out: as id"),
        evolve(_YEAR, label="left out: the fleet's"),
        FieldSpec("name", "text", "name on the log; left out: as in her facts"),
        FieldSpec("notes", "notes", "text for the umpire"),
        FieldSpec(FOR, "systems", "values stated for a rule system", parts=stated),
    )
    return (
        evolve(_RULESET, required=False),
        _TITLE,
        FieldSpec("source", "notes", "the source of ships and values"),
        _NAVY,
        _YEAR,
        _DATE,
        FieldSpec("ships", "texts", "ids, or navy/id; left out: all that served", most=SHIPS_MOST),
        _FORMERLY,
        FieldSpec("ship", "tables", "more ships, or details of one", most=SHIPS_MOST, parts=ship),
    )


CREW_FIELDS = (
    FieldSpec(GUNNERY, "int", "steps of its gunnery, up or down", least=-CREW_MOST, most=CREW_MOST),
    FieldSpec(SHELLS, "int", "steps of its shells, up or down", least=-CREW_MOST, most=CREW_MOST),
    FieldSpec(SOURCE, "notes", "the source of the steps"),
)
"""The fields of a crew, of a side, a division, or a ship from another battle."""
APART_LINE, DOCTRINE, KNOTS, RUNS = "apart", "doctrine", "knots", "runs"
"""Keys of a side or a division for `simulate`; in the battle's table, `key.side` or `key.@division`."""

OUR_DOCTRINES = ("hold", "close", "keep-away", "concentrate", "chase", "run")
OUR_TARGETS = ("cost", "worth", "leaders", "lame", "finish")
"""The words after a doctrine and a plus that change its targets, as in `chase+worth`."""
_SIMULATION_FIELDS = (
    FieldSpec(
        DOCTRINE,
        "text",
        f"for `simulate`: {', '.join(OUR_DOCTRINES)}, or one of a package; +25% changes its range, and "
        f"+{', +'.join(OUR_TARGETS)} its targets",
    ),
    FieldSpec(KNOTS, "number", "for `simulate`: the most knots that its ships make", most=99),
)
SIDE_FIELDS = (
    *_SIMULATION_FIELDS,
    FieldSpec(RUNS, "bool", "for `simulate`: it breaks off after losing half of its ships"),
)
DIVISION_FIELDS = (
    *_SIMULATION_FIELDS,
    FieldSpec(APART_LINE, "bool", "for `simulate`: it forms its own line"),
)

_DIVISION = (
    FieldSpec("name", "text", "its name after `@`", required=True),
    FieldSpec("player", "text", "its player"),
    FieldSpec("ships", "texts", "its ships, by id", most=SHIPS_MOST, required=True),
    *CREW_FIELDS,
)


def _list_side_fields(system: RuleSystem) -> tuple[FieldSpec, ...]:
    """List the fields of `[[side]]` of a scenario."""
    division = (*_DIVISION, *DIVISION_FIELDS, *system.division_conditions)
    return (
        FieldSpec("name", "text", "the side's name", required=True),
        FieldSpec("fleet", "path", "a fleet by its name, or a file"),
        evolve(_NAVY, label="instead of a fleet: a navy, by the name of its file in navies/"),
        evolve(_YEAR, label="with a navy: the ships as in this year; left out: the year of the date"),
        FieldSpec("ships", "texts", "its ships at the start, by id; left out: all", most=SHIPS_MOST),
        FieldSpec("prefix", "id", "a prefix of its ids, if two sides use one fleet"),
        *CREW_FIELDS,
        *SIDE_FIELDS,
        FieldSpec("notes", "notes", "its orders, and what only its players know"),
        FieldSpec("division", "tables", "its divisions; left out: one", parts=division, most=99),
    )


def list_option_fields(system: RuleSystem) -> tuple[FieldSpec, ...]:
    """List the fields of a rule system's switches."""
    return tuple(
        FieldSpec(
            switch.name,
            "word",
            f"{switch.clause}: {switch.text}",
            words=switch.values,
            default=switch.default,
        )
        for switch in system.options
    )


APPROACH, OPENS, SEA_ROOM = "approach", "opens", "sea_room"
"""Keys of a scenario for the range on each turn, on the first turn, and at most, if no range is measured."""

CANNOT_REACH = "cannot_reach"
"""The key of a scenario for ships that cannot reach each other. The base skips it without the simulation."""

START = "start"
"""The key of a scenario for the state of ships at the start, by their ids."""


@frozen
class KeysRead:
    """The result of reading a feature's keys of a scenario.

    Attributes:
        table: The conditions that they add to the battle's table.
        crews: The crew fields that they give for ships, by the ships' ids.
        begin: Returns a mustered ship in the state in which she begins.
        named: The ids that they name of ships, of sides, or of divisions after `@`, each with its place.
    """

    table: Mapping[str, Scalar]
    crews: Mapping[str, Values]
    begin: Callable[[Ship], Ship]
    named: Iterable[tuple[FilePlace, str]] = ()


@frozen
class ScenarioKeys:
    """The keys of scenarios that a feature adds.

    Attributes:
        of_all: The keys that hold under every rule system.
        by_ship: The keys that are tables of ships, by their ids.
        fields: Lists the fields for a rule system.
        read: Reads the checked keys, after the sides.
    """

    of_all: tuple[str, ...]
    by_ship: tuple[str, ...]
    fields: Callable[[RuleSystem], tuple[FieldSpec, ...]]
    read: Callable[[Values, RuleSystem, Checker], KeysRead]


@cache
def _load_keys(features: tuple[Feature, ...]) -> tuple[ScenarioKeys, ...]:
    """Load the keys of scenarios that these features add; cached, because the features rarely change."""
    return tuple(keys for feature in features for keys in feature.scenario_keys())


def find_scenario_keys() -> tuple[ScenarioKeys, ...]:
    """Load the keys of scenarios that features add."""
    return _load_keys(find_features())


def list_ship_keys() -> tuple[str, ...]:
    """List the keys of a scenario that are tables of ships, by the ships' ids."""
    return (START, *(key for keys in find_scenario_keys() for key in keys.by_ship))


def lower_ship_ids(data: Data) -> Data:
    """Return the plain data of a scenario or a fleet, with the ids of ships in lower case."""

    def lower(key: str, value: object) -> object:
        """Return the value of a key, with the ids of ships in it in lower case."""
        if isinstance(value, list) and key in ("side", "division", "ship"):
            return [lower_ship_ids(item) if isinstance(item, Mapping) else item for item in value]
        if isinstance(value, list) and key == "ships":
            return [item.lower() if isinstance(item, str) else item for item in value]
        if isinstance(value, str) and key == "facts":
            return value.lower()
        if not isinstance(value, Mapping):
            return value
        if key in list_ship_keys():
            # If the table has the id in lower case too, the id stays as it is, so that no entry is lost.
            return {id if id.lower() in value else id.lower(): state for id, state in value.items()}
        return lower_ship_ids(value)

    return {key: lower(key, value) for key, value in data.items()}


def list_scenario_fields(system: RuleSystem, others: Iterable[RuleSystem] = ()) -> tuple[FieldSpec, ...]:
    """List the fields of a scenario file for one rule system.

    Args:
        others: Other systems whose conditions its schedule may name too.
    """
    dice = {"table": "the players throw", "console": "the console throws"}
    dice |= {kind.word: kind.text for kind in find_dice_kinds()}
    return (
        _RULESET,
        _TITLE,
        FieldSpec("date", "text", "the date; a navy without a year takes its year"),
        *_list_scale_fields(system),
        FieldSpec(
            "dice",
            "word",
            "; ".join(f"{word}: {text}" for word, text in dice.items()),
            words=tuple(dice),
            default="table",
        ),
        *system.conditions,
        *_BATTLE_FIELDS,
        *_list_play_fields(system),
        FieldSpec(
            CREWS,
            "word",
            "whether stated steps of crews and shells change the cards of a new battle",
            words=(BUILT, STATED),
            default=BUILT,
        ),
        FieldSpec(
            "side", "tables", "the sides", parts=_list_side_fields(system), most=SIDES_MOST, required=True
        ),
        FieldSpec("war", "text", "the war of its battles"),
        FieldSpec("weather", "notes", "the weather, as all players know it"),
        *(field for keys in find_scenario_keys() for field in keys.fields(system)),
        *list_plan_fields((system, *others)),
        FieldSpec(SUITS, "map", "the rule systems that suit it, and why; left out: all"),
        FieldSpec("formerly", "map", "former names, each with its rule system"),
        FieldSpec(FOR, "systems", "values for another rule system"),
    )


def list_for_fields(system: RuleSystem) -> tuple[FieldSpec, ...]:
    """List the fields that a scenario may state under `for` for this rule system."""
    division = FieldSpec("division", "named", "divisions, by name", parts=system.division_conditions, most=99)
    divisions = (division,) if system.division_conditions else ()
    return (
        *_list_scale_fields(system),
        *system.conditions,
        *_BATTLE_FIELDS,
        *_list_play_fields(system),
        *divisions,
    )


def _list_scale_fields(system: RuleSystem) -> tuple[FieldSpec, ...]:
    """List the fields of a scenario for its scale and units."""
    scales = tuple(dict.fromkeys(scale.name for scale in system.scales))
    units = tuple(dict.fromkeys(scale.units for scale in system.scales))
    return (
        FieldSpec("scale", "word", "scale of the table", words=scales),
        FieldSpec("units", "word", "the units of measurement", words=units),
    )


_BATTLE_FIELDS = (
    FieldSpec("charts", "path", "the umpire's overlay, a file"),
    FieldSpec("notes", "notes", "set-up and victory"),
    FieldSpec(
        APPROACH,
        "series",
        "for `simulate`: the range on each turn, in inches or centimetres; later turns use the last one",
        least=1,
        most=1000,
    ),
    FieldSpec(
        OPENS, "number", "for `simulate`: the range on turn 1; left out: the longest", least=1, most=1000
    ),
    FieldSpec(
        SEA_ROOM,
        "number",
        "for `simulate`: the greatest range between the lines; left out: no limit",
        least=1,
        most=1000,
    ),
)


def _list_play_fields(system: RuleSystem) -> tuple[FieldSpec, ...]:
    """List the fields of the switches, and of the ships' state at the start if the system declares one."""
    at_start = FieldSpec(START, "named", "ships at the start", parts=system.at_start, most=SHIPS_MOST)
    switches = FieldSpec("options", "table", "house-rule switches", parts=list_option_fields(system))
    return (switches, at_start) if system.at_start else (switches,)


def list_chart_fields(system: RuleSystem) -> tuple[FieldSpec, ...]:
    """List the fields of a chart file or overlay."""
    spans = {span.name: span for shape in system.chart_shapes.values() for span in shape.spans}
    row = (
        FieldSpec("name", "text", "the row's name", required=True),
        FieldSpec("cells", "cells", "all cells in the order of the columns, or some by column"),
        FieldSpec("attested", "map", "columns, or ranges of columns, and their source"),
        FieldSpec("drop", "bool", "true: the overlay drops the row"),
        *spans.values(),
    )
    table = (
        FieldSpec("name", "text", "the table's name", required=True),
        FieldSpec("title", "text", "shown in lists"),
        FieldSpec("note", "notes", "a remark"),
        FieldSpec("columns", "texts", "the columns in printed order; left out: those of the rules"),
        FieldSpec("row", "tables", "the rows in printed order", parts=row, required=True),
    )
    return (
        _RULESET,
        _TITLE,
        FieldSpec("source", "notes", "the source of the cells"),
        *spans.values(),
        FieldSpec("table", "tables", "the tables", parts=table, most=99, required=True),
    )


def is_facts_fleet(data: Data) -> bool:
    """Return whether a fleet names ships by their facts instead of stating their values for one system."""
    # A fleet with a `ruleset` may be of either kind; only `navy` shows that it names ships by facts.
    return "navy" in data or ("ruleset" not in data and ("year" in data or "ships" in data))


def is_for_any_system(data: Data) -> bool:
    """Return whether a fleet can be used under every rule system that computes cards from facts."""
    return is_facts_fleet(data) and "ruleset" not in data


def check_system(data: Data, system: RuleSystem, checker: Checker) -> bool:
    """Return whether a file is for this rule system; if the file names another, add a fault.

    The result is True if the file names none, because the check of its fields reports that.
    """
    ruleset = data.get("ruleset")
    if not isinstance(ruleset, str) or ruleset == system.name:
        return True
    checker.add_fault(
        WHOLE_FILE.add_key("ruleset"), f"expected “{system.name}”, found “{make_printable(ruleset)}”"
    )
    return False


def find_named_system(data: Data, systems: Systems, checker: Checker) -> RuleSystem | None:
    """Return the rule system that a file names, or add a fault and return None."""
    ruleset = data.get("ruleset")
    if isinstance(ruleset, str) and ruleset in systems:
        return systems[ruleset]
    place = WHOLE_FILE.add_key("ruleset")
    known = ", ".join(systems) or "none is installed"
    if isinstance(ruleset, str):
        checker.add_fault(
            place,
            f"no rule system “{make_printable(ruleset)}”{format_hint(ruleset, systems)}; installed: {known}",
        )
    else:
        checker.add_fault(place, f"expected the name of a rule system ({known})")
    return None


SCHEDULE, VICTORY = "schedule", "victory"
TURN_MOST, ITEMS_MOST, POINTS_MOST = 999, 99, 9999
_SCALARS = ("bool", "int", "number", "word", "text")


@frozen
class DueItem:
    """A table of a schedule as in the file, before the rule system and the sides are considered."""

    turn: int | None = declare_key("int", "at the start of this turn", required=True, least=2, most=TURN_MOST)
    arrives: tuple[str, ...] = declare_key("texts", "divisions that arrive", most=ITEMS_MOST)
    where: str = declare_key("text", "where they arrive")
    table: Mapping[str, Scalar] = declare_key("table", "changes to the table")
    note: str = declare_key("text", "a remark")


@frozen
class VictoryItem:
    """A table of the victory as in the file, before the rule system and the sides are considered."""

    side: str = declare_key("text", "the side that wins by it", required=True)
    count: int | None = declare_key("int", "how many ships; needed without points", least=1, most=500)
    of: str = declare_key("text", "whose ships", required=True)
    kind: str = declare_key("text", "only ships of this kind")
    status: tuple[str, ...] = declare_key("texts", "their status: any of these", most=9)
    edge: str = declare_key("text", "the edge by which they withdrew")
    note: str = declare_key("text", "what else to check")
    points: int | None = declare_key(
        "int", "victory points for it, instead of victory", least=1, most=POINTS_MOST
    )
    each: str = declare_key("text", "points for each ship, or for each point lost of a field of the log")
    half: int | None = declare_key("int", "points for each ship at half her worth", least=1, most=POINTS_MOST)
    by_turn: int | None = declare_key(
        "int", "points count until the end of this turn", least=1, most=TURN_MOST
    )
    secret: bool = declare_key("bool", "only the side knows the points until the battle is over")


def list_plan_fields(systems: Iterable[RuleSystem]) -> tuple[FieldSpec, ...]:
    """List the fields of a schedule and of victory.

    Args:
        systems: The rule systems whose conditions a schedule may change. If two declare the same condition,
            the first declaration counts.
    """
    conditions: dict[str, FieldSpec] = {}
    for system in systems:
        for field in system.conditions:
            # A schedule changes only conditions with a single value, and any of them may be left out.
            if field.kind in _SCALARS:
                conditions.setdefault(field.name, evolve(field, required=False, default=None))
    due = list_keys(DueItem, table=tuple(conditions.values()))
    return (
        FieldSpec(SCHEDULE, "tables", "events of later turns", parts=due, most=ITEMS_MOST),
        FieldSpec(
            VICTORY,
            "tables",
            "victory by numbers of ships, or points",
            parts=list_keys(VictoryItem),
            most=ITEMS_MOST,
        ),
    )


Card = Mapping[str, Scalar]


_SCALAR = (int, float, str)
VALUE_NOTES = (ORIGIN, ATTESTED)
"""Names in a card that describe its values and are no values of the ship."""


def flatten_values(
    fields: Iterable[FieldSpec], values: Mapping[str, object], prefix: str = ""
) -> dict[str, Scalar]:
    """Build a card from checked values: one scalar for each name, with dotted names for parts.

    A list of tables also has its length under its name, and a series its first number.
    """
    card: dict[str, Scalar] = {}
    for field in fields:
        name = prefix + field.name
        value = values.get(field.name)
        if field.kind in ("table", "numbers"):
            defaults = {part.name: find_default_value(part) for part in field.parts}
            parts = value if isinstance(value, Mapping) else defaults
            card.update(flatten_values(field.parts, parts, f"{name}."))
        elif field.kind == "tables":
            items = value if isinstance(value, list) else []
            card[name] = len(items)
            for number, item in enumerate(items, 1):
                card.update(flatten_values(field.parts, item, f"{name}.{number}."))
        elif isinstance(value, tuple):
            card[name] = value[0]
            card |= {f"{name}.{at}": number for at, number in enumerate(value, 1)}
        else:
            card[name] = value if isinstance(value, _SCALAR) else None
    return card


def list_card_scalars(
    fields: Iterable[FieldSpec], count: Callable[[str, FieldSpec], int], prefix: str = ""
) -> Iterator[tuple[str, FieldSpec]]:
    """Yield the name and the field of each scalar of a card.

    Args:
        count: Returns how many tables there are, from the name and the field of a list of tables.
        prefix: Text before each name.
    """
    for field in fields:
        name = prefix + field.name
        if field.kind in ("table", "numbers"):
            # A required list states all its numbers; a part of a required table may still be left out.
            all_required = field.required and field.kind == "numbers"
            for part_name, part in list_card_scalars(field.parts, count, f"{name}."):
                is_required = all_required or (field.required and part.required)
                is_same = is_required == part.required
                needed_part = part if is_same else replace(part, required=is_required)
                yield part_name, needed_part
        elif field.kind == "tables":
            for number in range(1, count(name, field) + 1):
                for part_name, part in list_card_scalars(field.parts, count, f"{name}.{number}."):
                    # A ship may have fewer of these tables.
                    yield part_name, replace(part, required=False)
        else:
            yield name, field


Leaves = Iterable[tuple[str, FieldSpec]]


def complete_card(
    fields: Iterable[FieldSpec], values: Mapping[str, Scalar], scalars: Leaves | None = None
) -> dict[str, Scalar]:
    """Build a complete card from some values by their flat names; the other names get their defaults.

    Args:
        scalars: The scalars of the card, as from `list_card_scalars`; None to compute them from `values`.
    """
    card: dict[str, Scalar] = {}

    def count_tables(name: str, _: FieldSpec) -> int:
        """Count the tables of a list by names like `NAME.2.PART`, and put the number into the card."""
        start = f"{name}."
        numbers = {key.removeprefix(start).partition(".")[0] for key in values if key.startswith(start)}
        card[name] = len(numbers)
        return len(numbers)

    named_fields = scalars or list_card_scalars(fields, count_tables)
    for name, field in named_fields:
        value = values[name] if name in values else find_default_value(field)
        if not isinstance(value, _SCALAR):
            value = None
        # Like the reader of files: a `has` field is 1 or 0, and a whole float becomes an int.
        is_flag = field.kind == "has" and isinstance(value, bool)
        is_whole = isinstance(value, float) and value.is_integer()
        card[name] = int(value) if value is not None and (is_flag or is_whole) else value
    return card


def list_attested_names(
    stated_names: Iterable[str], card: Card, fields: Iterable[FieldSpec], checker: Checker, place: FilePlace
) -> list[str]:
    """List the names in a card that a file calls attested; a table's name counts for all its parts.

    Unknown names are added as faults.
    """
    aliases = {field.alias: field.name for field in fields if field.alias}
    # A source can attest neither the id nor the notes.
    known = [name for name in card if name not in ("id", "notes", *VALUE_NOTES)]
    attested: dict[str, None] = {}
    for name in stated_names:
        first_part, dot, rest = name.partition(".")
        field_name = aliases.get(first_part, first_part) + dot + rest
        names = [field for field in known if field == field_name or field.startswith(f"{field_name}.")]
        attested.update(dict.fromkeys(names))
        if not names:
            checker.add_fault(place, f"no field “{make_printable(name)}”{format_hint(name, known)}")
    return list(attested)


def build_stated_values(fields: Iterable[FieldSpec], card: Card, prefix: str = "") -> dict[str, Any]:
    """Build the values that a file must state for a card: without unknown values and defaults."""
    values: dict[str, Any] = {}
    for field in fields:
        value = _build_stated_value(field, card, prefix + field.name)
        if value not in (None, {}, [], "") and value != find_default_value(field):
            values[field.name] = value
    return values


def _build_stated_value(field: FieldSpec, card: Card, name: str) -> Any:
    """Build the value of one field as a file states it, from the flat names of the card.

    Returns:
        The value, or None if it is unknown. A list of numbers is unknown if any number is.
    """
    if field.kind == "numbers":
        values = [card.get(f"{name}.{part.name}") for part in field.parts]
        return None if None in values else values
    if field.kind == "table":
        return build_stated_values(field.parts, card, f"{name}.")
    if field.kind == "tables":
        # The length in a card may be a wrong, huge number; a card has no more tables than values.
        count = min(int(card.get(name) or 0), len(card))
        return [build_stated_values(field.parts, card, f"{name}.{at}.") for at in range(1, count + 1)]
    if field.kind == "texts":
        return list(read_card_list(card, name))
    if field.kind == "series":
        # Several numbers are under `NAME.1`, `NAME.2` and so on; a single number is under `NAME`.
        figures = (card.get(f"{name}.{at}") for at in range(1, field.longest + 1))
        return [figure for figure in figures if figure is not None] or card.get(name)
    return card.get(name)


@frozen
class Fleet:
    """The ships of a fleet under one rule system.

    Attributes:
        cards: The cards of its ships, in the order of the file.
        warnings: Messages about values that are allowed but unlikely.
        others: The ids of ships that were not wanted, so that they have no card.
        facts: The facts of ships that are in navies, by their ids.
    """

    name: str
    title: str
    cards: tuple[Card, ...] = ()
    warnings: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    facts: Mapping[str, ShipFacts] = Factory(dict)

    def find_card(self, id: str) -> Card | None:
        """Return the card of a ship by her id, or None if the fleet does not have her."""
        return next((card for card in self.cards if card["id"] == id), None)

    def with_prefix(self, prefix: str) -> "Fleet":
        """Put a prefix before the id of each ship, so that two sides can use the same fleet."""
        cards = tuple({**card, "id": f"{prefix}{card['id']}"} for card in self.cards)
        facts = {f"{prefix}{id}": ship for id, ship in self.facts.items()}
        return evolve(self, cards=cards, facts=facts)


@frozen
class FleetSource:
    """The source of a fleet: a name on the shelf, the path of a file, or a navy in a year."""

    name: str
    year: int | None = None
    """The year of a navy; None for a fleet of a file."""

    @classmethod
    def from_word(cls, word: str, folder: Path) -> "FleetSource":
        """Return the source that a scenario's word means; a path is relative to `folder`."""
        return cls(str((folder / word).resolve()) if is_path(word) else word)

    def parse_ship(self, text: str) -> "FleetShip":
        """Return the ship that a text names: `ting-yuen`, or `china/ting-yuen` for another navy."""
        navy, slash, id = text.partition("/")
        return FleetShip(FleetSource(navy, self.year), id) if slash else FleetShip(self, text)

    @property
    def text(self) -> str:
        """The source as people read it: its name, and the year of a navy."""
        return self.name if self.year is None else f"{self.name} {self.year}"

    @property
    def file(self) -> Path | None:
        """The path of the fleet's file; None for a navy, or if there is no file."""
        return find_file("fleets", self.name, Path()) if self.year is None else None


@frozen
class FleetShip:
    """The source of a ship and her id in that source.

    A side never has a ship twice, but two sides may have the same ship. The year of a navy may be unknown.
    """

    source: FleetSource
    ship: str


_YEAR_IN = re.compile(r"(?<!\d)1[89]\d\d(?!\d)")


def find_year(date: str) -> int | None:
    """Find the year in the text of a date, from 1800 to 1999; return None if there is none."""
    year = _YEAR_IN.search(date)
    return int(year[0]) if year else None


def check_ids(ships: list[Values], checker: Checker) -> None:
    """Add a fault for each ship of a fleet whose id an earlier ship already has."""
    number_by_id: dict[object, int] = {}
    for number, ship in enumerate(ships, 1):
        if "id" not in ship:
            continue
        earlier = number_by_id.setdefault(ship["id"], number)
        if earlier != number:
            place = WHOLE_FILE.add_item("ship", number, ship).add_key("id")
            checker.add_fault(place, f"ship {earlier} already has the id “{make_printable(str(ship['id']))}”")
