"""The keys in a scenario file that name the battles it continues and the ships that come from those."""

from collections.abc import Iterator
from typing import Any

from qf_tui.core.declarations import FieldSpec, list_keys
from qf_tui.core.system import RuleSystem, find_field
from qf_tui.core.text import Scalar
from qf_tui.core.values import Ship
from qf_tui.features.campaign.state import (
    CARRIED,
    LOG,
    MENDED,
    OF,
    PARENT,
    Lasting,
    Parent,
    is_marks,
    with_state,
)
from qf_tui.library.declared import CREW_FIELDS, SHIPS_MOST, KeysRead, ScenarioKeys
from qf_tui.library.faults import WHOLE_FILE, Checker, FilePlace, Values, make_printable

PARENTS_MOST = 99


def list_fields(system: RuleSystem) -> tuple[FieldSpec, ...]:
    """List the keys of a scenario for its parents and, if the rules say what lasts, for ships from these."""
    parents = FieldSpec(PARENT, "tables", "the earlier battles", parts=list_keys(Parent), most=PARENTS_MOST)
    if not system.lasting:
        return (parents,)
    points = tuple(FieldSpec(name, "int", name, least=-999, most=999) for name in system.lasting)
    parts = (
        FieldSpec(OF, "int", "the battle that she comes from, by its place", least=1, most=PARENTS_MOST),
        FieldSpec(LOG, "table", "her log as she comes", parts=tuple(_list_lasting(system))),
        FieldSpec(MENDED, "table", "what was mended since", parts=points),
        *CREW_FIELDS,
    )
    return (
        parents,
        FieldSpec(CARRIED, "named", "ships as they come from them", parts=parts, most=SHIPS_MOST),
    )


def _list_lasting(system: RuleSystem) -> Iterator[FieldSpec]:
    """Yield the fields for a ship's lasting values; a file states marks by their number or their texts."""
    kinds = {"number": "number", "bool": "bool", "words": "text", "texts": "text"}
    for name in system.lasting:
        field = find_field(system, name)
        if field is None:
            yield FieldSpec(name, "int", name)
        else:
            kind: Any = kinds.get(field.kind, "int")
            yield FieldSpec(name, kind, field.title, least=field.least, most=field.most * field.denominator)


def read_keys(fields: Values, system: RuleSystem, checker: Checker) -> KeysRead:
    """Read the parents of a battle, and the state of the ships that come from them; collect faults.

    The parents, and the repairs of each ship, become entries of the battle's table.
    """
    parents, carried = fields.get(PARENT) or [], fields.get(CARRIED) or {}
    table: dict[str, Scalar] = {}
    states: dict[str, dict[str, Lasting]] = {}
    for number, parent in enumerate(parents, 1):
        values = {key: value for key, value in parent.items() if value is not None}
        # The table of a battle holds no lists, so the ids become one text.
        values["lost"] = " ".join(values.get("lost") or ())
        table |= {f"{PARENT}.{number}.{key}": value for key, value in values.items()}
    for id, ship in carried.items():
        place = WHOLE_FILE.add_key(CARRIED, id)
        parent_number = ship.get(OF)
        if parent_number is not None and parent_number > len(parents):
            checker.add_fault(place.add_key(OF), f"there is no [[{PARENT}]] {parent_number}")
        if parent_number:
            table[f"{CARRIED}.{id}.{OF}"] = parent_number
        changes = {name: change for name, change in (ship.get(MENDED) or {}).items() if change}
        table |= {f"{CARRIED}.{id}.{MENDED}.{name}": change for name, change in changes.items()}
        states[id] = {
            name: _read_lasting(system, name, value, checker, place.add_key(LOG, name))
            for name, value in (ship.get(LOG) or {}).items()
            if value not in (None, "")
        }

    def set_state(ship: Ship) -> Ship:
        """Return a ship in the state that the scenario gives her, or unchanged if it gives none."""
        return with_state(ship, states[ship.id]) if ship.id in states else ship

    return KeysRead(table, carried, set_state)


def _read_lasting(system: RuleSystem, name: str, value: Any, checker: Checker, place: FilePlace) -> Lasting:
    """Read a value that lasts. Marks become their texts; a number of marks becomes as many empty texts."""
    if not is_marks(system, name):
        plain: Scalar = value
        return plain
    if isinstance(value, int):
        return ("",) * value
    field = find_field(system, name)
    texts = [part.strip() for part in value.split(",")]
    # Without words, the texts of these marks are free.
    words = field.words if field else ()
    for text in texts:
        if words and text not in words:
            expected = f"expected any of {', '.join(words)}, with commas between"
            checker.add_fault(place, f"no “{make_printable(text)}”; {expected}")
    return tuple(texts)


KEYS = ScenarioKeys((PARENT,), (CARRIED,), list_fields, read_keys)
