"""Works out the next battle after ended ones: lost ships are left out, a yard mends some damage.

The result is the documents of a scenario; `folder.carry_on` has them written to files.
"""

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
    find_undamaged_state,
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
"""A date in figures, such as 1904-08-10, or in words, such as 10 August 1904."""
_DAYS_LATER = re.compile(r"(.*), (\d+) days? later")
"""A text without a date to which `add_days` has added days: `spring, 3 days later`."""


@frozen
class EndedBattle:
    """An ended battle that the next one continues.

    Attributes:
        save: Name of its save.
        sums: Checksums of the lines of its save: the start, then its entries.
        battle: The battle at its end.
    """

    save: str
    sums: tuple[str, ...]
    battle: Battle

    def is_named_by(self, parent: Parent) -> bool:
        """Return whether a parent names this battle: its log has the parent's entry and checksum."""
        # A slice, because this save may have no entry with that number.
        return self.sums[parent.entry : parent.entry + 1] == (parent.battle,)

    @property
    def title(self) -> str:
        """The title of the battle, or the name of its save if it has none."""
        return str(self.battle.table.get("title") or self.save)

    @property
    def date(self) -> str:
        """The date that the battle states, or else the date in its title; "" if there is neither."""
        date_found = _find_date(self.title)
        return str(self.battle.table.get("date") or (date_found[0] if date_found else ""))


@frozen
class CarriedShip:
    """A ship that sails again in the next battle.

    Attributes:
        ship: The ship as her last battle left her.
        battle_number: Number of that battle among the ended ones, from 1.
        undamaged: Her state without damage.
        start_state: Her state at the start of the next battle.
        mended: By how much each field was changed by repairs.
    """

    ship: Ship
    battle_number: int
    undamaged: State
    start_state: State
    mended: Mapping[str, int] = field(factory=dict)


@frozen
class Passage:
    """The outcome of ended battles, and the scenario of the next one.

    Attributes:
        composed: The documents of the next scenario.
        yard: The yard between the battles.
        days: Days in the yard.
        ships: The ships that sail again.
        lost: The ships that are lost.
        ashore: The batteries, which stay where they are.
        owed: Number of rolls that were still owed when the battles ended.
    """

    composed: Composed
    yard: Yard
    days: int
    ships: tuple[CarriedShip, ...]
    lost: tuple[Ship, ...]
    ashore: tuple[Ship, ...] = ()
    owed: int = 0


def _find_date(text: str) -> tuple[str, date] | None:
    """Find the first date in a text: as written, and as a date; None if there is none, or no such day."""
    if match := _DATE.search(text):
        # The pattern has two forms: a date in figures, and one with the month as a word.
        year, month, day, day_in_words, month_name, year_in_words = match.groups()
        with suppress(ValueError):
            if year:
                return match[0], date(int(year), int(month), int(day))
            return match[0], date(int(year_in_words), _MONTHS.index(month_name) + 1, int(day_in_words))
    return None


def add_days(text: str, days: int) -> str:
    """Add days to the date in a text, in figures or words.

    A text without a date gets the number of days: `spring, 3 days later`. An empty text stays empty.
    """
    # A date after the year 9999 gets the number of days, too.
    with suppress(OverflowError):
        if date_found := _find_date(text):
            date_text, found_date = date_found
            later = found_date + timedelta(days)
            in_words = f"{later.day} {_MONTHS[later.month - 1]} {later.year}"
            return text.replace(date_text, in_words if " " in date_text else later.isoformat())
    if days_later := _DAYS_LATER.fullmatch(text):
        text = days_later[1]
        days = days + int(days_later[2])
    return f"{text}, {days} {'day' if days == 1 else 'days'} later" if text and days else text


def build_date_key(text: str) -> tuple[str, str]:
    """Build a key that sorts texts by the date in them, or by the text itself if it has none."""
    date_found = _find_date(text)
    return (date_found[1].isoformat() if date_found else text), text


def carry(system: RuleSystem, battles: Sequence[EndedBattle], yard: Yard, days: int) -> Passage:
    """Work out the next battle after ended ones. A yard repairs the ships for some days.

    Lost ships and land batteries stay behind. If both a battle and its parent have a ship, she comes as the
    later one left her.

    Raises:
        QfError: A ship or hull is in two battles that do not follow each other, or none is left.
    """
    if not 0 <= days <= DAYS_MOST:
        raise QfError(f"--days {days}: expected a number from 0 to {DAYS_MOST}")
    number_by_id = _find_last_battles(battles)
    ships: list[CarriedShip] = []
    lost_ships, land_batteries = [], []
    for number, battle in enumerate(battles, 1):
        for ship in (*battle.battle.ships.values(), *battle.battle.expected_ships):
            if number_by_id[ship.id] != number:
                continue
            if ship.is_land_battery:
                land_batteries.append(ship)
            elif not is_returning(system, ship):
                lost_ships.append(ship)
            else:
                undamaged = find_undamaged_state(system, battle.battle, ship)
                ended_state = read_state(system, ship)
                start_state, mended = mend_state(system, ended_state, undamaged, yard.days, days)
                ships.append(CarriedShip(ship, number, undamaged, start_state, mended))
    # The same hull may have different ids in different battles.
    hulls: dict[str, CarriedShip] = {}
    for carried in ships:
        first_of_hull = hulls.setdefault(str(carried.ship.card.get(HULL) or carried.ship.id), carried)
        if first_of_hull.battle_number != carried.battle_number:
            pair = first_of_hull, carried
            names = (f"{each.ship.name} of {battles[each.battle_number - 1].save}" for each in pair)
            raise QfError(f"{' and '.join(names)} are one hull: leave one of them out")
    if not ships:
        raise QfError("no ship is left that could sail again")
    composed = _compose(system, battles, ships, days)
    owed = sum(len(battle.battle.owed) for battle in battles)
    return Passage(composed, yard, days, tuple(ships), tuple(lost_ships), tuple(land_batteries), owed)


def _find_last_battles(battles: Sequence[EndedBattle]) -> Mapping[str, int]:
    """Return the number of each ship's last battle, by her id.

    If one of two battles names the other as its parent, the later one counts.

    Raises:
        QfError: A ship is in two battles of which neither names the other.
    """
    number_by_id: dict[str, int] = {}
    parents = [list_parents(battle.battle) for battle in battles]
    for number, battle in enumerate(battles, 1):
        for id in (*battle.battle.ships, *(ship.id for ship in battle.battle.expected_ships)):
            known_number = number_by_id.setdefault(id, number)
            if known_number == number:
                continue
            known_battle = battles[known_number - 1]
            if any(map(known_battle.is_named_by, parents[number - 1])):
                number_by_id[id] = number
            elif not any(map(battle.is_named_by, parents[known_number - 1])):
                raise QfError(
                    f"{id} is in {known_battle.save} and in {battle.save}, and neither leads to the other: "
                    "leave one of them out"
                )
    return number_by_id


def _compose(
    system: RuleSystem, battles: Sequence[EndedBattle], ships: Sequence[CarriedShip], days: int
) -> Composed:
    """Build the documents of the next scenario; its table and switches are those of the latest battle."""
    last_battle = max(battles, key=lambda battle: build_date_key(battle.date))
    table, options = last_battle.battle.table, last_battle.battle.options
    conditions = {field.name: table.get(field.name) for field in system.conditions if field.kind in _SCALARS}
    new_date = add_days(last_battle.date, days)
    date_text = new_date or "the next battle"
    war = _find_war(last_battle)
    changed_options = {
        option.name: options[option.name]
        for option in system.options
        if options.get(option.name, option.default) != option.default
    }
    sides, fleets = _build_sides(system, battles, ships)
    scenario = {
        "ruleset": system.name,
        # Only the name of the war is cut, so that the date stays whole.
        "title": f"{war[: max(1, _TITLE_MOST - len(date_text) - 2)]}, {date_text}"[:_TITLE_MOST],
        "war": war,
        "date": new_date,
        **{key: table.get(key) for key in ("scale", "units", "dice")},
        **conditions,
        CREWS: STATED if any(read_card_crew(carried.ship.card).steps for carried in ships) else "",
        "options": changed_options,
        "side": sides,
        PARENT: [_build_parent_table(system, battle) for battle in battles],
        CARRIED: {carried.ship.id: _build_carried_table(system, carried) for carried in ships},
    }
    scenario = {key: value for key, value in scenario.items() if value not in (None, "", {})}
    return Composed(scenario, fleets, _build_chart_overlay(system, last_battle.battle))


def _find_war(battle: EndedBattle) -> str:
    """Return the name of a battle's war, or else its title; a date at the end is left out."""
    war = str(battle.battle.table.get("war") or battle.title)
    war_without_end, _, end = war.rpartition(", ")
    return war_without_end if war_without_end and _find_date(end) else war


def _build_sides(
    system: RuleSystem, battles: Sequence[EndedBattle], ships: Sequence[CarriedShip]
) -> tuple[list[Document], dict[str, Document]]:
    """Build the tables of the sides that have ships, and the fleet of each by its file name."""
    sides: list[Document] = []
    fleets: dict[str, Document] = {}
    name_by_side = {side.id: side.name for battle in battles for side in battle.battle.sides}
    for side, name in name_by_side.items():
        side_ships = [carried for carried in ships if carried.ship.side == side]
        if not side_ships:
            continue
        cards = {carried.ship.id: split_crew(system, carried.ship.card)[0] for carried in side_ships}
        file = f"side-{len(sides) + 1}.toml"
        card_rows = [
            build_stated_values(list_ship_fields(system), card) | {"id": id} for id, card in cards.items()
        ]
        fleets[file] = {"ruleset": system.name, "title": name, "ship": card_rows}
        divisions = _list_divisions(system, battles, side_ships)
        sides.append({"name": name, "fleet": file, "ships": [*cards], "division": divisions})
    return sides, fleets


def _build_chart_overlay(system: RuleSystem, battle: Battle) -> Document:
    """Build the document of the user's own chart cells at the end of a battle; {} if there are none."""
    own_charts = build_overlay(load_shipped_charts(system), battle.charts)
    if not own_charts:
        return {}
    rows = [row for chart in own_charts.values() for row in chart.rows.values()]
    sources = dict.fromkeys(cell.source for row in rows for cell in row.cells.values() if cell.source)
    return build_overlay_document(system, own_charts, ", ".join(sources)[:NAME_MOST] or "own")


def _list_divisions(
    system: RuleSystem, battles: Sequence[EndedBattle], ships: Sequence[CarriedShip]
) -> list[Document]:
    """List the tables of the ships' divisions; divisions with one name are joined, with the first player."""
    by_name: dict[str, Document] = {}
    for carried in ships:
        battle = battles[carried.battle_number - 1].battle
        division = battle.find_division(carried.ship)
        name = division.name or battle.find_side_name(carried.ship.side)
        # The table of a battle has the conditions of a division under `NAME.@DIVISION`.
        conditions: dict[str, Scalar] = {
            condition.name: value
            for condition in system.division_conditions
            if (value := battle.table.get(f"{condition.name}.@{division.id}")) is not None
        }
        player = {"player": division.player} if division.player else {}
        table = by_name.setdefault(name, {"name": name, **player, **conditions, "ships": []})
        table["ships"].append(carried.ship.id)
    return list(by_name.values())


def _build_parent_table(system: RuleSystem, battle: EndedBattle) -> Document:
    """Build the table that names an ended battle as a parent."""
    ships = battle.battle.ships.values()
    lost_ids = tuple(ship.id for ship in ships if not ship.is_land_battery and not is_returning(system, ship))
    last_entry = len(battle.sums) - 1
    return unstructure(
        Parent(battle.save, battle.sums[last_entry], last_entry, battle.title, battle.date, lost_ids)
    )


def _build_carried_table(system: RuleSystem, carried: CarriedShip) -> Document:
    """Build the table of a carried ship: origin, damaged values, crew and repairs."""
    damaged_values = {
        name: value
        for name, value in carried.start_state.items()
        if value not in (None, carried.undamaged.get(name))
    }
    log: Document = dict(damaged_values)
    for name, value in damaged_values.items():
        # A file states marks by their number, or their texts with commas.
        if isinstance(value, tuple):
            field = find_field(system, name)
            log[name] = ", ".join(value) if field and field.kind == "texts" else len(value)
    document: Document = {
        OF: carried.battle_number,
        LOG: log,
        **write_crew(split_crew(system, carried.ship.card)[1]),
    }
    return document | ({MENDED: dict(carried.mended)} if carried.mended else {})
