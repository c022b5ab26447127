"""The next battle after ended ones: lost ships are out, damage stays, and a yard mends some of it."""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import date, timedelta

from attrs import field, frozen

from qf_tui.core.crews import CREWS, STATED, read_card_crew, split_crew, write_crew
from qf_tui.core.errors import QfError
from qf_tui.core.ship_facts import HULL
from qf_tui.core.system import RuleSystem, find_field
from qf_tui.core.text import Scalar
from qf_tui.core.values import Battle, Ship
from qf_tui.features.campaign.state import (
    CARRIED,
    LOG,
    MENDED,
    OF,
    PARENT,
    Parent,
    State,
    find_whole_state,
    is_returning,
    list_parents,
    mend_state,
    read_state,
)
from qf_tui.features.campaign.yards import DAYS_MOST, Yard
from qf_tui.features.editor.writers import Composed, Document
from qf_tui.library.charts import build_overlay, build_overlay_document, load_shipped_charts
from qf_tui.library.declared import build_stated_values, list_ship_fields
from qf_tui.library.faults import NAME_MOST, unstructure

_TITLE_MOST = 100
_SCALARS = ("bool", "int", "number", "word", "text")
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_DATE = re.compile(rf"\b(?:(\d{{4}})-(\d\d)-(\d\d)|(\d{{1,2}}) ({'|'.join(_MONTHS)}) (\d{{4}}))\b")
"""A date in figures, or in words."""
_LATER = re.compile(r"(.*), (\d+) days? later")
"""What is said of any other, some days later."""


@frozen
class EndedBattle:
    """A battle to go on from: the name of its save, the checksums of its lines, and how it ended."""

    save: str
    sums: tuple[str, ...]
    battle: Battle

    def is_meant(self, parent: Parent) -> bool:
        """Return whether a parent is an earlier stage of this battle."""
        return self.sums[parent.entry : parent.entry + 1] == (parent.battle,)

    @property
    def title(self) -> str:
        return str(self.battle.table.get("title") or self.save)

    @property
    def date(self) -> str:
        """Its date as the table says it, else that in its title."""
        found = _find_date(self.title)
        return str(self.battle.table.get("date") or (found[0] if found else ""))


@frozen
class CarriedShip:
    """A ship that sails again: as battle `of` left her, as she begins, how far each field was mended."""

    ship: Ship
    of: int
    whole: State
    begins: State
    mended: Mapping[str, int] = field(factory=dict)


@frozen
class Passage:
    """The outcome of battles: the next scenario, its ships, and the ships that are out."""

    composed: Composed
    yard: Yard
    days: int
    ships: tuple[CarriedShip, ...]
    lost: tuple[Ship, ...]
    ashore: tuple[Ship, ...] = ()
    owed: int = 0


def _find_date(text: str) -> tuple[str, date] | None:
    """Find a date in a text: its letters there, and the date."""
    if found := _DATE.search(text):
        year, month, day, of_month, name, of_year = found.groups()
        with suppress(ValueError):
            if year:
                return found[0], date(int(year), int(month), int(day))
            return found[0], date(int(of_year), _MONTHS.index(name) + 1, int(of_month))
    return None


def add_days(text: str, days: int) -> str:
    """Add days to a date in figures or words; to any other text, add how many days later it is."""
    with suppress(OverflowError):
        if found := _find_date(text):
            later = found[1] + timedelta(days)
            words = f"{later.day} {_MONTHS[later.month - 1]} {later.year}"
            return text.replace(found[0], words if " " in found[0] else later.isoformat())
    if before := _LATER.fullmatch(text):
        text, days = before[1], days + int(before[2])
    return f"{text}, {days} {'day' if days == 1 else 'days'} later" if text and days else text


def sort_date(text: str) -> tuple[str, str]:
    """Return a key that sorts dates in figures or words."""
    found = _find_date(text)
    return (found[1].isoformat() if found else text), text


def carry(system: RuleSystem, ended: Sequence[EndedBattle], yard: Yard, days: int) -> Passage:
    """Work out the next battle after ended ones, with the ships repaired in a yard for some days.

    If a battle and its parent both have a ship, the battle counts.

    Raises:
        QfError: A ship is in two battles that do not lead to each other, or no ship is left.
    """
    if not 0 <= days <= DAYS_MOST:
        raise QfError(f"--days {days}: expected a number from 0 to {DAYS_MOST}")
    of = _find_latest(ended)
    ships: list[CarriedShip] = []
    lost, ashore = [], []
    for number, battle in enumerate(ended, 1):
        for ship in (*battle.battle.ships.values(), *battle.battle.expected_ships):
            if of[ship.id] != number:
                continue
            if ship.is_land_battery:
                ashore.append(ship)
            elif not is_returning(system, ship):
                lost.append(ship)
            else:
                whole = find_whole_state(system, battle.battle, ship)
                begins = mend_state(system, read_state(system, ship), whole, yard.days, days)
                ships.append(CarriedShip(ship, number, whole, *begins))
    hulls: dict[str, CarriedShip] = {}
    for one in ships:
        other = hulls.setdefault(str(one.ship.card.get(HULL) or one.ship.id), one)
        if other.of != one.of:
            both = (f"{each.ship.name} of {ended[each.of - 1].save}" for each in (other, one))
            raise QfError(f"{' and '.join(both)} are one hull: leave one of them out")
    if not ships:
        raise QfError("no ship is left that could sail again")
    composed = _compose(system, ended, ships, days)
    owed = sum(len(battle.battle.owed) for battle in ended)
    return Passage(composed, yard, days, tuple(ships), tuple(lost), tuple(ashore), owed)


def _find_latest(ended: Sequence[EndedBattle]) -> Mapping[str, int]:
    """Find the number of the battle that counts, for each ship."""
    of: dict[str, int] = {}
    before = [list_parents(battle.battle) for battle in ended]
    for number, battle in enumerate(ended, 1):
        for id in (*battle.battle.ships, *(ship.id for ship in battle.battle.expected_ships)):
            other = of.setdefault(id, number)
            if other == number:
                continue
            if any(map(ended[other - 1].is_meant, before[number - 1])):
                of[id] = number
            elif not any(map(battle.is_meant, before[other - 1])):
                raise QfError(
                    f"{id} is in {ended[other - 1].save} and in {battle.save}, and neither leads to the "
                    "other: leave one of them out"
                )
    return of


def _compose(
    system: RuleSystem, ended: Sequence[EndedBattle], ships: Sequence[CarriedShip], days: int
) -> Composed:
    last = max(ended, key=lambda battle: sort_date(battle.date))
    table, options = last.battle.table, last.battle.options
    said = {field.name: table.get(field.name) for field in system.conditions if field.kind in _SCALARS}
    later = add_days(last.date, days)
    when = later or "the next battle"
    war = str(table.get("war") or last.title)
    name, _, end = war.rpartition(", ")
    if name and _find_date(end):
        # Another date is to follow.
        war = name
    turned = {
        option.name: options[option.name]
        for option in system.options
        if options.get(option.name, option.default) != option.default
    }
    sides: list[Document] = []
    fleets: dict[str, Document] = {}
    for side, name in {side.id: side.name for battle in ended for side in battle.battle.sides}.items():
        cards = {one.ship.id: split_crew(system, one.ship.card)[0] for one in ships if one.ship.side == side}
        if cards:
            file = f"side-{len(sides) + 1}.toml"
            stating = [
                build_stated_values(list_ship_fields(system), card) | {"id": id} for id, card in cards.items()
            ]
            fleets[file] = {"ruleset": system.name, "title": name, "ship": stating}
            divisions = _list_divisions(system, ended, [one for one in ships if one.ship.id in cards])
            sides.append({"name": name, "fleet": file, "ships": [*cards], "division": divisions})
    scenario = {
        "ruleset": system.name,
        "title": f"{war[: max(1, _TITLE_MOST - len(when) - 2)]}, {when}"[:_TITLE_MOST],
        "war": war,
        "date": later,
        **{key: table.get(key) for key in ("scale", "units", "dice")},
        **said,
        CREWS: STATED if any(read_card_crew(one.ship.card).steps for one in ships) else "",
        "options": turned,
        "side": sides,
        PARENT: [_write_parent(system, battle) for battle in ended],
        CARRIED: {one.ship.id: _write_ship(system, one) for one in ships},
    }
    scenario = {key: value for key, value in scenario.items() if value not in (None, "", {})}
    return Composed(scenario, fleets, _find_overlay(system, last.battle))


def _find_overlay(system: RuleSystem, battle: Battle) -> Document:
    """Find the umpire's own chart at the end of a battle; empty if it was ours."""
    own = build_overlay(load_shipped_charts(system), battle.charts)
    rows = [row for chart in own.values() for row in chart.rows.values()]
    sources = dict.fromkeys(cell.source for row in rows for cell in row.cells.values() if cell.source)
    return build_overlay_document(system, own, ", ".join(sources)[:NAME_MOST] or "own") if own else {}


def _list_divisions(
    system: RuleSystem, ended: Sequence[EndedBattle], ships: Sequence[CarriedShip]
) -> list[Document]:
    """List the divisions of ships, with their players and their conditions on the table."""
    by_name: dict[str, Document] = {}
    for one in ships:
        battle = ended[one.of - 1].battle
        division = battle.find_division(one.ship)
        name = division.name or battle.find_side_name(one.ship.side)
        said: dict[str, Scalar] = {
            condition.name: value
            for condition in system.division_conditions
            if (value := battle.table.get(f"{condition.name}.@{division.id}")) is not None
        }
        player = {"player": division.player} if division.player else {}
        by_name.setdefault(name, {"name": name, **player, **said, "ships": []})["ships"].append(one.ship.id)
    return list(by_name.values())


def _write_parent(system: RuleSystem, ended: EndedBattle) -> Document:
    ships = ended.battle.ships.values()
    lost = tuple(ship.id for ship in ships if not ship.is_land_battery and not is_returning(system, ship))
    last = len(ended.sums) - 1
    return unstructure(Parent(ended.save, ended.sums[last], last, ended.title, ended.date, lost))


def _write_ship(system: RuleSystem, one: CarriedShip) -> Document:
    kept = {name: value for name, value in one.begins.items() if value not in (None, one.whole.get(name))}
    log: Document = dict(kept)
    for name, value in kept.items():
        # A file states marks by their number, or their texts with commas.
        if isinstance(value, tuple):
            declared = find_field(system, name)
            log[name] = ", ".join(value) if declared and declared.kind == "texts" else len(value)
    made: Document = {OF: one.of, LOG: log, **write_crew(split_crew(system, one.ship.card)[1])}
    return made | ({MENDED: dict(one.mended)} if one.mended else {})
