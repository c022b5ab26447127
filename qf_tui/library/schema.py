"""JSON Schema for editors, drawn from the fields that the checker goes by."""

from collections.abc import Callable, Iterable

from attrs import evolve

from qf_tui.core.errors import QfError
from qf_tui.core.system import CardField, RuleSystem
from qf_tui.core.text import TEXT_MOST
from qf_tui.library.checking import ID, ID_MOST, MAP_MOST, NAME_MOST, PATH_MOST
from qf_tui.library.declared import (
    chart_fields,
    facts_fleet_fields,
    fleet_fields,
    for_fields,
    scenario_fields,
)

Schema = dict[str, object]

KINDS = ("fleet", "scenario", "chart")

_DRAFT = "https://json-schema.org/draft/2020-12/schema"
_TEXT: Schema = {"type": "string", "maxLength": NAME_MOST}
_MAP: Schema = {"type": "object", "additionalProperties": _TEXT, "maxProperties": MAP_MOST}


def schema(kind: str, system: RuleSystem, others: Iterable[RuleSystem] = ()) -> Schema:
    """The schema (draft 2020-12) of a fleet, a scenario or a chart for one rule system.

    What a scenario says for `others` is described too, and what it says of later that only they have.
    """
    if kind not in KINDS:
        raise QfError(f"no schema of “{kind}”; expected one of {', '.join(KINDS)}")
    every = (system, *(other for other in others if other.name != system.name))
    fields = {"fleet": fleet_fields, "chart": chart_fields}
    declared = fields[kind](system) if kind in fields else scenario_fields(system, every)
    parts = tuple(CardField(one.name, "table", one.title, parts=for_fields(one)) for one in every)
    made = _table(evolve(field, parts=parts) if field.kind == "systems" else field for field in declared)
    properties = made["properties"]
    assert isinstance(properties, dict)
    properties["ruleset"] = {"const": system.name, "description": "the rule system's name"}
    return {"$schema": _DRAFT, "title": f"{system.title}: {kind}", **made}


def facts_fleet_schema(systems: Iterable[RuleSystem]) -> Schema:
    """The schema of a fleet of no rule system."""
    return {"$schema": _DRAFT, "title": "Fleet of any rule system", **_table(facts_fleet_fields(systems))}


def _table(fields: Iterable[CardField]) -> Schema:
    properties: Schema = {}
    needed: list[str] = []
    either: list[Schema] = []
    for field in fields:
        properties[field.name] = _field(field)
        if field.alias:
            properties[field.alias] = properties[field.name]
        if field.required and field.alias:
            either.append({"oneOf": [{"required": [field.name]}, {"required": [field.alias]}]})
        elif field.required:
            needed.append(field.name)
    made: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return made | ({"required": needed} if needed else {}) | ({"allOf": either} if either else {})


def _field(field: CardField) -> Schema:
    made: Schema = {"description": field.label, **_BARE.get(field.kind, _shape)(field)}
    return made if field.default is None else {**made, "default": field.default}


def _number(field: CardField) -> Schema:
    if field.only:
        return {"enum": list(field.only)}
    kind = "integer" if field.kind == "int" else "number"
    return {"type": kind, "minimum": field.least, "maximum": field.most}


def _series(field: CardField) -> Schema:
    one = _number(field)
    return {"anyOf": [one, {"type": "array", "items": one, "minItems": 1, "maxItems": field.longest}]}


def _string(field: CardField) -> Schema:
    most = {"notes": TEXT_MOST, "id": ID_MOST, "path": PATH_MOST}.get(field.kind, NAME_MOST)
    made: Schema = {"type": "string", "maxLength": most}
    if field.kind == "id":
        made["pattern"] = f"^{ID.pattern}$"
    return made | ({"minLength": 1} if field.required else {})


def _shape(field: CardField) -> Schema:
    if field.kind == "numbers":
        parts = [_field(part) for part in field.parts]
        alike = [{key: value for key, value in part.items() if key != "description"} for part in parts]
        # Editors know `items` of all drafts, and most of them no other.
        each = {"items": alike[0]} if alike.count(alike[0]) == len(alike) else {"prefixItems": parts}
        return {"type": "array", **each, "minItems": len(parts), "maxItems": len(parts)}
    if field.kind == "table":
        return _table(field.parts)
    if field.kind == "tables":
        least = 1 if field.required else 0
        return {"type": "array", "items": _table(field.parts), "minItems": least, "maxItems": field.most}
    if field.kind == "systems":
        named = {part.name: {"description": part.label, **_table(part.parts)} for part in field.parts}
        return {"type": "object", "properties": named, "additionalProperties": {"type": "object"}}
    if field.kind == "named":
        return {"type": "object", "additionalProperties": _table(field.parts), "maxProperties": field.most}
    return {"type": "array", "items": _TEXT, "uniqueItems": True, "maxItems": field.most}


_BARE: dict[str, Callable[[CardField], Schema]] = {
    "int": _number,
    "number": _number,
    "series": _series,
    "text": _string,
    "notes": _string,
    "id": _string,
    "path": _string,
    "bool": lambda field: {"type": "boolean"},
    "has": lambda field: {"type": ["boolean", "integer"], "minimum": 0, "maximum": field.most},
    "word": lambda field: {"enum": list(field.words)},
    "map": lambda field: dict(_MAP),
    "cells": lambda field: {"anyOf": [{"type": "array", "items": _TEXT, "maxItems": MAP_MOST}, _MAP]},
}
