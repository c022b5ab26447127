"""The schedule of a scenario and what wins it: `[[schedule]]` and `[[victory]]`, for every rule system."""

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, cast

from attrs import evolve

from qf_tui.core.grammar.kinds import COMPASS
from qf_tui.core.schedule import concerns
from qf_tui.core.system import CardField, RuleSystem
from qf_tui.core.text import Scalar, identifier, plural, unprintable
from qf_tui.core.values import AFLOAT, WITHDRAWN, Condition, Due, Plan, Ship, Side
from qf_tui.library.checking import NAME_MOST, Checker, Read
from qf_tui.library.faults import FilePlace, near, shown

SCHEDULE, VICTORY = "schedule", "victory"
TURN_MOST, ITEMS_MOST = 999, 99
_LARGEST = 10**9
_SCALARS = ("bool", "int", "number", "word", "text")


def plan_fields(systems: Iterable[RuleSystem]) -> tuple[CardField, ...]:
    """The fields of a plan; of the table what any of the rule systems has, the first to name it first."""
    conditions: dict[str, CardField] = {}
    for system in systems:
        for field in system.conditions:
            if field.kind in _SCALARS:
                conditions.setdefault(field.name, evolve(field, required=False, default=None))
    due = (
        CardField("turn", "int", "as this turn begins", required=True, least=2, most=TURN_MOST),
        CardField("arrives", "texts", "divisions that are not there before", most=ITEMS_MOST),
        CardField("where", "text", "from where they come"),
        CardField("table", "table", "what changes of the table", parts=tuple(conditions.values())),
        CardField("note", "text", "a remark"),
    )
    condition = (
        CardField("side", "text", "who wins by it", required=True),
        CardField("count", "int", "how many ships", required=True, least=1, most=500),
        CardField("of", "text", "whose ships", required=True),
        CardField("kind", "text", "ships of this kind alone"),
        CardField("status", "texts", "what has become of them, any of these", required=True, most=9),
        CardField("edge", "text", "the edge by which they withdrew"),
        CardField("note", "text", "what is to be seen to besides"),
    )
    return (
        CardField(SCHEDULE, "tables", "what comes when", parts=due, most=ITEMS_MOST),
        CardField(VICTORY, "tables", "what wins and can be counted", parts=condition, most=ITEMS_MOST),
    )


_LIKE = 0.8
"""How like a key of the rules another one must be to be a slip."""


def for_rules(data: Mapping[str, Any], system: RuleSystem) -> Mapping[str, Any]:
    """A scenario's data with what its schedule says of the table for this rule system, and slips in that.

    What another rule system has is left out: nobody need load that one to play by this.
    """
    schedule = data.get(SCHEDULE)
    if not isinstance(schedule, list):
        return data
    return {**data, SCHEDULE: [_for_rules(item, system) for item in schedule]}


def _for_rules(item: object, system: RuleSystem) -> object:
    if not isinstance(item, Mapping) or not isinstance(item.get("table"), Mapping):
        return item
    known = [field.name for field in system.conditions]
    table = item["table"]
    return {
        **item,
        "table": {key: one for key, one in table.items() if get_close_matches(key, known, 1, _LIKE)},
    }


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


class PlanReader:
    """Reads the plan of a scenario whose sides are read.

    `divisions` are the ids of all divisions by what a scenario may call them, with the ships of each.
    """

    def __init__(
        self, system: RuleSystem, sides: Sequence[Side], ships: Mapping[str, Sequence[str]], checker: Checker
    ) -> None:
        self._system, self._sides, self._ships, self._checker = system, sides, ships, checker
        self._arriving: set[str] = set()

    def read(self, read: Read, data: Mapping[str, object]) -> Plan:
        """The plan; `data` is what the scenario says itself, without what is left out."""
        items, conditions = (cast(list[Read] | None, read.get(name)) or [] for name in (SCHEDULE, VICTORY))
        given = cast(list[Mapping[str, object]], data.get(SCHEDULE) or [])
        schedule = [
            self._due(item, given[number - 1], FilePlace().item(SCHEDULE, number, {}))
            for number, item in enumerate(items, 1)
        ]
        victory = [
            self._condition(item, FilePlace().item(VICTORY, number, {}))
            for number, item in enumerate(conditions, 1)
        ]
        by_turn = sorted((due for due in schedule if due), key=lambda due: due.turn)
        return Plan(tuple(by_turn), tuple(one for one in victory if one))

    def _due(self, item: Read, given: Mapping[str, object], place: FilePlace) -> Due | None:
        if not any(item.get(key) for key in ("arrives", "table", "note")):
            self._checker.fault(place, "says nothing of what falls due: name what arrives, table or note")
        ships = tuple(
            ship
            for name in cast(list[str] | None, item.get("arrives")) or []
            for ship in self._division(name, place.key("arrives"))
        )
        if "turn" not in item:
            return None
        named = given.get("table")
        named = named if isinstance(named, Mapping) else {}
        said = cast(Mapping[str, Scalar], item.get("table") or {})
        own = {field.name for field in self._system.conditions}
        table = {name: said[name] for name in named if name in said}
        table |= {name: cast(Scalar, one) for name, one in named.items() if name not in own and _sayable(one)}
        return Due(cast(int, item["turn"]), ships, _text(item, "where"), table, _text(item, "note"))

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
        if len(found) != 1:
            known = [one.id for one in every]
            fault = (
                f"two divisions are called “{shown(name)}”: write {' or '.join(found)}"
                if found
                else f"no division “{shown(name)}”{near(id, known) or _listed(known)}"
            )
            self._checker.fault(place, fault)
            return ()
        if found[0] in self._arriving:
            self._checker.fault(place, f"“{shown(name)}” arrives more than once")
            return ()
        self._arriving.add(found[0])
        return self._ships.get(found[0], ())

    def _condition(self, item: Read, place: FilePlace) -> Condition | None:
        side, of = (self._side(item, place.key(key), key) for key in ("side", "of"))
        known = _statuses(self._system)
        status = tuple(cast(list[str] | None, item.get("status")) or ())
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
        return Condition(
            side, cast(int, item["count"]), of, status, _text(item, "kind"), edge, _text(item, "note")
        )

    def _side(self, item: Read, place: FilePlace, key: str) -> str:
        if key not in item:
            return ""
        id, known = identifier(_text(item, key)), [side.id for side in self._sides]
        if id in known:
            return id
        names = [side.name for side in self._sides]
        text = f"no side “{shown(_text(item, key))}”{near(id, known) or _listed(names)}"
        self._checker.fault(place, text)
        return ""


def _statuses(system: RuleSystem) -> tuple[str, ...]:
    """What may become of a ship, by the umpire's word or otherwise."""
    written = (word for field in system.fields if field.kind == "status" for word in field.words)
    found = dict.fromkeys((*system.departure_statuses, *written))
    return tuple(status for status in found if status != AFLOAT)


def hardly_meant(plan: Plan, ships: Iterable[Ship]) -> tuple[str, ...]:
    """What a plan may say, but hardly means: a victory for which too few ships are in the scenario."""
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
