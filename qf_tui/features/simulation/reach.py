"""The key `cannot_reach` of a scenario: ships that cannot attack others, wherever they are."""

from collections.abc import Collection, Mapping, Sequence
from itertools import product

from attrs import evolve

from qf_tui.core.declarations import FieldSpec
from qf_tui.core.system import RuleSystem
from qf_tui.core.text import Scalar, make_id
from qf_tui.core.values import Battle, Ship
from qf_tui.library.declared import CANNOT_REACH, SHIPS_MOST, KeysRead, ScenarioKeys
from qf_tui.library.faults import WHOLE_FILE, Checker, FilePlace, Values

DOUBLE = "-double"
"""End of the id of a ship's double."""
NOTE = "cannot_reach_note"
"""Start of the keys of the battle's table with the sentences for people."""

_NAMES = FieldSpec("ships", "texts", "ids of ships, @division or side", required=True, most=SHIPS_MOST)
_PARTS = (
    _NAMES,
    evolve(_NAMES, name="targets", label="the enemies that they cannot attack, named like ships"),
    FieldSpec("mutual", "bool", "true: those cannot attack them either"),
    FieldSpec("source", "notes", "the source", required=True),
)
_FIELD = FieldSpec(CANNOT_REACH, "tables", "for `simulate`: who cannot reach whom", parts=_PARTS, most=99)


def read_keys(read: Values, system: RuleSystem, checker: Checker) -> KeysRead:
    """Read the key `cannot_reach` into the table: the targets of each name, and a sentence for people."""
    table: dict[str, Scalar] = {}
    named_ids: list[tuple[FilePlace, str]] = []
    for number, item in enumerate(read.get(CANNOT_REACH) or (), 1):
        place = WHOLE_FILE.add_item(CANNOT_REACH, number, {})
        ships, targets = item.get("ships") or [], item.get("targets") or []
        named_ids += ((place, make_id(name)) for name in (*ships, *targets))
        pairs = list(product(ships, targets))
        if item.get("mutual"):
            pairs += product(targets, ships)
        for ship, target in pairs:
            key = f"{CANNOT_REACH}.{make_id(ship)}"
            table[key] = f"{table.get(key, '')} {make_id(target)}"
        link = "and {} cannot reach each other" if item.get("mutual") else "cannot reach {}"
        text = f"{', '.join(ships)} {link.format(', '.join(targets))}"
        table[f"{NOTE}.{number}"] = f"{text}. Source: {item.get('source')}"
    # The key gives no crews and changes no ship.
    return KeysRead(table, crews={}, begin=lambda ship: ship, named=named_ids)


KEYS = ScenarioKeys((CANNOT_REACH,), (), lambda system: (_FIELD,), read_keys)


def find_barred(battle: Battle, ships: Sequence[Ship]) -> Mapping[str, Collection[str]]:
    """Find the enemies that each ship cannot attack wherever they are, by her id."""

    def list_names(ship: Ship) -> tuple[str, ...]:
        # The scenario may mean a ship by any of these; a double counts as her original.
        return ship.id.removesuffix(DOUBLE), ship.side, f"@{ship.division}"

    barred = {}
    for ship in ships:
        targets = " ".join(str(battle.table.get(f"{CANNOT_REACH}.{name}", "")) for name in list_names(ship))
        enemies = (enemy for enemy in ships if enemy.side != ship.side)
        out_of_reach = set(targets.split())
        barred[ship.id] = frozenset(
            enemy.id for enemy in enemies if not out_of_reach.isdisjoint(list_names(enemy))
        )
    return barred


def list_reach_notes(battle: Battle) -> tuple[str, ...]:
    """List a sentence on each statement of who cannot reach whom, with its source."""
    return tuple(str(text) for key, text in battle.table.items() if key.startswith(NOTE))
