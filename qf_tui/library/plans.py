"""Reads the plan of a scenario: its schedule (ships that arrive, conditions that change), and victory.

It also warns of conditions of victory that no side can reach.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from attrs import define, field

from qf_tui.core.decisions import find_field_value
from qf_tui.core.grammar.kinds import COMPASS
from qf_tui.core.schedule import is_concerned
from qf_tui.core.system import RuleSystem, find_field
from qf_tui.core.text import find_unprintable, format_plural, make_id
from qf_tui.core.values import AFLOAT, EACH_SHIP, WITHDRAWN, Condition, Due, Plan, Points, Ship, Side
from qf_tui.library.declared import SCHEDULE, VICTORY, DueItem, VictoryItem, list_plan_fields
from qf_tui.library.faults import (
    NAME_MOST,
    WHOLE_FILE,
    Checker,
    Data,
    FilePlace,
    Values,
    format_hint,
    make_printable,
    structure,
)

_LARGEST_REMARK = 10**9
_SIMILAR_FROM = 0.8
"""Similarity, from 0 to 1, from which an unknown key counts as a misspelled key of the rules."""


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
        if not isinstance(changes, Mapping):
            continue
        place = WHOLE_FILE.add_item(SCHEDULE, number).add_key("table")
        for key, value in changes.items():
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
        # A side whose fleet cannot be read has no divisions; that fault is reported already.
        is_a_side_unread = not all(side.divisions for side in self._sides)
        if not matches and is_a_side_unread:
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
