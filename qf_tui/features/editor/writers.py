"""Turns a draft into the files of a scenario, checked by the loader, and a scenario into a draft."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import tomli_w
from attrs import Factory, frozen

from qf_tui.core.crews import CREW_KEYS
from qf_tui.core.errors import QfError
from qf_tui.core.ship_facts import ORIGIN
from qf_tui.core.system import RuleSystem
from qf_tui.core.text import make_id
from qf_tui.core.values import Battle
from qf_tui.features.editor.drafts import Draft, DraftDivision, DraftPlace, DraftSide
from qf_tui.journal.disk import format_disk_fault, write_file
from qf_tui.library.check import format_schema_line, write_schema_for
from qf_tui.library.declared import (
    CANNOT_REACH,
    FOR,
    SCHEDULE,
    SIDE_FIELDS,
    VICTORY,
    FleetShip,
    FleetSource,
    Systems,
    build_stated_values,
    find_year,
    is_for_any_system,
    list_ship_fields,
    list_ship_keys,
)
from qf_tui.library.faults import (
    ID_MOST,
    Data,
    Fault,
    FileFaults,
    FileItem,
    FilePlace,
)
from qf_tui.library.fleets import load_source_fleet
from qf_tui.library.other_rules import swap_rules
from qf_tui.library.paths import (
    find_own_folder,
    format_missing_file,
    is_path,
    list_shelf_files,
    parse_toml,
    read_toml,
)
from qf_tui.library.scenarios import load_scenario, read_scenario, require_battle
from qf_tui.session import Session
from qf_tui.session.dice import BattleDice
from qf_tui.session.opening import read_new_battle

Document = dict[str, Any]
_DIVISION, _OVERLAY = "division", "charts.toml"
_STEM_MOST = 40
"""Largest number of letters in the name of a scenario's file."""
_PLAN = (SCHEDULE, VICTORY)
_NO_TABLE = ("ruleset", "options", "side", "formerly")
"""The keys of a scenario that a draft keeps in its other fields, or that a copy must not have."""


@frozen
class Composed:
    """The documents of a scenario's files: the scenario, fleets made for it, and an overlay of chart cells.

    Attributes:
        fleets: The documents of its own fleets, by their file names.
        overlay: The document of its overlay; {} if it has none.
    """

    scenario: Document
    fleets: Mapping[str, Document] = Factory(dict)
    overlay: Document = Factory(dict)


def build_documents(draft: Draft, system: RuleSystem) -> Composed:
    """Build the documents of a draft.

    A side whose ships are all from one fleet, or all from navies in one year, names that source. Any other
    side gets a fleet file with copies of its ships.

    Raises:
        FileFaults: A side has no ships, or a fleet no longer exists.
    """
    empty = [
        Fault.build_at(
            FilePlace((FileItem("side", number, side.name),)), "has no ships; add one, or remove the side"
        )
        for number, side in enumerate(draft.sides, 1)
        if not side.ships
    ]
    if empty or not draft.sides:
        raise FileFaults(draft.title, empty or [Fault("", "there are no sides")])
    used_ids: set[str] = set()
    fleets: dict[str, Document] = {}
    sides = []
    for number, side in enumerate(draft.sides, 1):
        source, names = find_direct_source(side.ships) or ({"fleet": f"side-{number}.toml"}, {})
        # Without names, the side gets a fleet file, in which its ships need ids.
        if not names:
            for ship in side.ships:
                names[ship] = find_free_id(ship.ship, set(names.values()))
            fleets[source["fleet"]] = _copy_fleet(names, f"Side {number}", system)
        ids = {name.rpartition("/")[2] for name in names.values()}
        prefix = _find_prefix(side.name, number, ids, used_ids)
        used_ids.update(prefix + id for id in ids)
        document: Document = {"name": side.name, **source, "ships": list(names.values()), **side.other_keys}
        if prefix:
            document["prefix"] = prefix
        # A single division with default values needs no table.
        if side.divisions != (DraftDivision(ships=side.ships),):
            document["division"] = [_build_division(division, side, names) for division in side.divisions]
        sides.append(document)
    divisions = {division["name"] for side in sides for division in side.get("division", ())}
    table = _build_table(draft, [side["name"] for side in sides], divisions, used_ids)
    return Composed({"ruleset": draft.ruleset, **table, "side": sides, **build_plan_document(draft)}, fleets)


def _build_table(draft: Draft, side_names: list[str], divisions: set[str], ship_ids: set[str]) -> Document:
    """Build the table and the switches of a draft, without its schedule and conditions of victory.

    Values for ships, divisions and sides that the draft no longer has are left out.
    """
    table = _drop_unknown(draft.table, ship_ids, divisions)
    table = {key: value for key, value in table.items() if value not in (None, "") and key not in _PLAN}
    if FOR in table:
        table[FOR] = {name: _drop_unknown(rules, ship_ids, divisions) for name, rules in table[FOR].items()}
    if draft.options:
        table["options"] = dict(draft.options)
    if stated_items := table.pop(CANNOT_REACH, ()):
        known_ids = {*map(make_id, side_names), *(f"@{make_id(name)}" for name in divisions), *ship_ids}
        # Keep an item only if everything that it names still exists.
        table[CANNOT_REACH] = [
            item
            for item in stated_items
            if known_ids.issuperset(map(make_id, (*item["ships"], *item["targets"])))
        ]
    return table


def _drop_unknown(table: Data, ships: Collection[str], divisions: Collection[str]) -> Document:
    """Return a table of a scenario without the values for ships and divisions that no longer exist."""
    known_names = {**dict.fromkeys(list_ship_keys(), ships), _DIVISION: divisions}
    kept = dict(table)
    for key in known_names.keys() & table.keys():
        kept[key] = {name: value for name, value in table[key].items() if name in known_names[key]}
    return kept


def _find_prefix(name: str, number: int, ids: set[str], used_ids: set[str]) -> str:
    """Find a prefix that makes a side's ids differ from all ids used so far; "" if they differ already."""
    letter = next((sign for sign in name.lower() if sign.isascii() and sign.isalnum()), "s")
    prefixes = [
        "",
        f"{letter}-",
        f"{letter}{number}-",
        *(f"{letter}{number}{suffix}-" for suffix in "abcdefghij"),
    ]
    return next(prefix for prefix in prefixes if not {prefix + id for id in ids} & used_ids)


def _build_division(division: DraftDivision, side: DraftSide, ids: Mapping[FleetShip, str]) -> Document:
    """Build the table of a division; a division without a name gets that of its side."""
    player = {"player": division.player} if division.player else {}
    ships = [ids[ship] for ship in division.ships]
    return {"name": division.name or side.name, **player, **division.other_keys, "ships": ships}


def find_direct_source(ships: Sequence[FleetShip]) -> tuple[Document, dict[FleetShip, str]] | None:
    """Build the keys by which a side names its fleet or navy, if it needs no fleet file of its own.

    Returns:
        The keys, and the name of each ship in the side; None if the side needs a fleet file of its own.
    """
    sources = list(dict.fromkeys(ship.source for ship in ships))
    first_source = sources[0]
    if len(sources) == 1 and first_source.year is None and not is_path(first_source.name):
        return {"fleet": first_source.text}, {ship: ship.ship for ship in ships}
    years = {source.year for source in sources}
    # Ships of the same id in two navies cannot be told apart in one side.
    has_same_ids = len({ship.ship for ship in ships}) < len(ships)
    if None in years or len(years) != 1 or has_same_ids:
        return None
    # A ship of the first navy needs no navy before her id.
    names = {
        ship: ship.ship if ship.source == first_source else f"{ship.source.name}/{ship.ship}"
        for ship in ships
    }
    return {"navy": first_source.name, "year": first_source.year}, names


def _copy_fleet(ships: Mapping[FleetShip, str], title: str, system: RuleSystem) -> Document:
    """Build a fleet document with copies of ships from several sources.

    If all sources state facts (data of the ships for any rules), the copy states facts too. If not, the copy
    states the ships' values under `system`. A ship that her source no longer has gets no values of her own.

    Args:
        ships: The id of each ship in the copy.

    Raises:
        FileFaults: A fleet no longer exists, or has faults.
    """
    documents: dict[FleetSource, Document] = {}
    for source in dict.fromkeys(ship.source for ship in ships):
        path = source.file
        is_navy = source.year is not None
        if path is None and not is_navy:
            raise FileFaults(source.text, [Fault("", format_missing_file("fleets", source.text))])
        # A navy has no fleet file; its ships are facts.
        documents[source] = read_toml(path) if path else {}
    titles = ", ".join(str(data.get("title") or source.text) for source, data in documents.items())
    fleet_head: Document = {"title": title, "source": f"Copied from: {titles}"}
    fact_sources = [source for source, data in documents.items() if not data or is_for_any_system(data)]
    if len(fact_sources) == len(documents):
        # The key `ships`, even if empty, marks a fleet of facts.
        return {
            **fleet_head,
            "ships": [],
            "ship": [_build_ship_table(ship, id, documents) for ship, id in ships.items()],
        }
    # Loading works out the values of ships from their facts.
    fleets = {source: load_source_fleet(source, system) for source in fact_sources}
    fleet_keys = (ORIGIN, *(field.name for field in system.card if field.of_fleet))
    rows = []
    for ship, id in ships.items():
        fleet, data = fleets.get(ship.source), documents[ship.source]
        if fleet is not None:
            row = build_stated_values(
                list_ship_fields(system), fleet.find_card(ship.ship) or {"id": ship.ship}
            )
        else:
            # Values that the source states for all its ships are copied to each of them.
            row = {key: data[key] for key in fleet_keys if key in data} | _find_row(ship, data)
        rows.append({**row, "id": id})
    return {"ruleset": system.name, **fleet_head, "ship": rows}


def _find_row(ship: FleetShip, data: Document) -> Document:
    """Return the row of a ship in the document of her fleet, or {} if she has none."""
    rows: Iterable[Document] = data.get("ship", ())
    return next((row for row in rows if row.get("id") == ship.ship), {})


def _build_ship_table(ship: FleetShip, id: str, documents: Mapping[FleetSource, Document]) -> Document:
    """Build the table of a ship in a fleet of facts, which belongs to no rule system."""
    if ship.source.year is not None:
        return {"id": id, "facts": f"{ship.source.name}/{ship.ship}", "year": ship.source.year}
    data = documents[ship.source]
    row = _find_row(ship, data)
    # A fleet of facts lists the names of its ships, and has tables for some of them.
    listed_names = (str(name) for name in data.get("ships", ()))
    name = next(
        (listed_name for listed_name in listed_names if listed_name.rpartition("/")[2] == ship.ship),
        ship.ship,
    )
    facts = FleetSource(str(data.get("navy", ""))).parse_ship(str(row.get("facts") or name))
    year = row.get("year") or data.get("year")
    return {
        **row,
        "id": id,
        "facts": f"{facts.source.name}/{facts.ship}",
        **({"year": year} if year else {}),
    }


def find_free_id(id: str, used_ids: set[str]) -> str:
    """Return an id that is not used yet: the id itself, or with a number after it."""
    number, free_id = 2, id
    while free_id in used_ids:
        # 4 characters are for the hyphen and the number.
        free_id = f"{id[: ID_MOST - 4]}-{number}"
        number += 1
    return free_id


def build_plan_document(draft: Draft) -> Document:
    """Build the schedule and victory of a draft, without entries for removed divisions or sides."""
    # How many sides use an id, for themselves or for a division.
    side_count_by_id = Counter(
        id
        for side in draft.sides
        for id in {
            make_id(side.name),
            *(make_id(division.name or side.name) for division in side.divisions),
        }
    )

    def format_division_name(name: str, side: DraftSide) -> str:
        """Return the name of a division, or its id if another side uses that name too."""
        return f"{make_id(side.name)}-{make_id(name)}" if side_count_by_id[make_id(name)] > 1 else name

    schedule, victory = [], []
    for index, entry in enumerate(draft.table.get(SCHEDULE, ())):
        arrives = [
            format_division_name(division.name or side.name, side)
            for side in draft.sides
            for division in side.divisions
            if division.arrival == index and division.ships
        ]
        # An entry without arrivals is kept for its table or note.
        if arrives or entry.keys() & {"table", "note"}:
            other_keys = {key: value for key, value in entry.items() if key != "arrives"}
            schedule.append({**other_keys, **({"arrives": arrives} if arrives else {})})
    name_by_victory_id = {side.victory_id: side.name for side in draft.sides if side.victory_id}
    for condition in draft.table.get(VICTORY, ()):
        side, enemy = (name_by_victory_id.get(make_id(str(condition[key]))) for key in ("side", "of"))
        if side and enemy:
            victory.append({**condition, "side": side, "of": enemy})
    plan = {SCHEDULE: schedule, VICTORY: victory}
    return {key: items for key, items in plan.items() if items}


def write_draft(draft: Draft, systems: Systems) -> Path:
    """Check a draft, write it into the user's own scenarios as `write_composed` does, and return the path."""
    return write_composed(build_documents(draft, systems[draft.ruleset]), systems)


def begin_draft(draft: Draft, systems: Systems, dice: BattleDice | None = None) -> Session:
    """Write a draft as a user's scenario and begin the battle; if that fails, the scenario is deleted again.

    Raises:
        Faults: All faults; no file is written.
        QfError: A file cannot be written.
    """
    scenario = write_draft(draft, systems)
    try:
        return read_new_battle(scenario, save=None, systems=systems).begin(dice)
    except QfError:
        # Each new try would leave one more scenario on a disk that has no room for the save.
        discard_scenario(scenario)
        raise


def write_composed(composed: Composed, systems: Systems) -> Path:
    """Check the documents of a scenario, and write them into the user's own folders under a new name.

    Returns:
        The path of the scenario.

    Raises:
        Faults: All faults; no file is written.
        QfError: A file cannot be written.
    """
    check_documents(composed, systems)
    folder = find_own_folder("scenarios")
    ruleset = str(composed.scenario["ruleset"])
    title = str(composed.scenario.get("title") or "")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # The beginning of the title in small letters, digits and single hyphens.
        stem = re.sub(r"[^a-z0-9]+", "-", make_id(title)).strip("-")[:_STEM_MOST].strip("-") or "battle"
        used_names = {path.stem for path in folder.iterdir()} | list_shelf_files("scenarios").keys()
        path = folder / f"{find_free_id(stem, used_names)}.toml"
        _write_files(_build_files(composed, path), path)
    except OSError as fault:
        raise QfError(f"{folder}: the scenario cannot be written: {format_disk_fault(fault)}") from None
    write_schema_for(path, "scenario", ruleset, systems)
    if composed.fleets:
        write_schema_for(find_own_folder("fleets") / path.name, "fleet", ruleset, systems)
    if composed.overlay:
        write_schema_for(find_own_folder("charts") / path.name, "chart", ruleset, systems)
    return path


def check_documents(composed: Composed, systems: Systems) -> tuple[RuleSystem, Battle]:
    """Check documents with the loader of scenarios; no file is written.

    Returns:
        The rule system and the battle.

    Raises:
        Faults: All faults.
    """
    path = find_own_folder("scenarios") / "battle.toml"
    try:
        files = _build_files(composed, path)
    except UnicodeEncodeError:
        raise FileFaults(path, [Fault("", "a text has characters that no file can hold")]) from None
    # Parse the written bytes, to check exactly what a reader of the files would get.
    other_documents = {
        file.relative_to(path.parent).as_posix(): parse_toml(data, file)
        for file, data in files.items()
        if file != path
    }
    return require_battle(read_scenario(parse_toml(files[path], path), path, systems, other_documents))


def discard_scenario(path: Path) -> None:
    """Delete a scenario that was just written, with its fleets."""
    _delete_files([path, *path.with_suffix("").glob("side-*.toml")], path.with_suffix(""))


def _delete_files(files: Iterable[Path], folder: Path) -> None:
    """Delete files, and then their folder if it is empty; give up at the first that cannot be deleted."""
    with suppress(OSError):
        for file in files:
            file.unlink(missing_ok=True)
        if folder.is_dir():
            folder.rmdir()


def _build_files(composed: Composed, path: Path) -> dict[Path, bytes]:
    """Build the bytes of all files: fleets and overlay in the scenario's own folder, then the scenario."""
    folder = path.with_suffix("")
    ruleset = str(composed.scenario["ruleset"])
    sides = [
        {**side, "fleet": f"{folder.name}/{side['fleet']}"} if side.get("fleet") in composed.fleets else side
        for side in composed.scenario["side"]
    ]
    scenario = {**composed.scenario, "side": sides}
    # The scenario's own fleets are in a subfolder of `scenarios`, so the path to `fleets` goes up twice.
    schema_line = format_schema_line("fleet", ruleset, "../../fleets")
    files = {folder / name: schema_line + tomli_w.dumps(fleet) for name, fleet in composed.fleets.items()}
    if composed.overlay:
        scenario["charts"] = f"{folder.name}/{_OVERLAY}"
        schema_line = format_schema_line("chart", ruleset, "../../charts")
        files[folder / _OVERLAY] = schema_line + tomli_w.dumps(composed.overlay)
    files[path] = format_schema_line("scenario", ruleset) + tomli_w.dumps(scenario)
    return {file: text.encode() for file, text in files.items()}


def _write_files(files: Mapping[Path, bytes], path: Path) -> None:
    """Write new files, the scenario last; on failure, remove the files written so far."""
    folder = path.with_suffix("")
    written_files = []
    # All files but the scenario are in this folder.
    if len(files) > 1:
        folder.mkdir()
    try:
        for file, data in files.items():
            write_file(file, data)
            written_files.append(file)
    except OSError:
        _delete_files(written_files, folder)
        raise


def read_draft(path: Path, systems: Systems, rules: str = "") -> Draft:
    """Read a scenario file as a draft to change.

    Ships that may join later are left out, except those in its schedule.

    Args:
        rules: Another rule system than the scenario's own, or "".

    Raises:
        Faults: The scenario is not sound.
    """
    system, _ = load_scenario(path, systems, rules)
    data = swap_rules(read_toml(path), system)
    table = {key: value for key, value in data.items() if key not in _NO_TABLE}
    if is_path(str(table.get("charts", ""))):
        table["charts"] = str((path.parent / table["charts"]).resolve())
    sides = tuple(_read_draft_side(side, path.parent, system, data) for side in data["side"])
    # The scenario may leave out values that a draft must have, such as the scale.
    defaults = Draft.begin(system).table
    return Draft(system.name, {**defaults, **table}, dict(data.get("options", {})), sides)


def _read_draft_side(side: Document, folder: Path, system: RuleSystem, scenario: Document) -> DraftSide:
    """Read a side of a scenario, with the ids of its ships as its fleet names them."""
    source, navy_ships = find_sources(side, folder, str(scenario.get("date", "")))
    prefix = str(side.get("prefix") or "")
    # A side that lists no ships has all of its fleet. The ids in a fleet file tell whether an id of the side
    # has the prefix. A side that lists ships of navies already names each of them.
    needs_fleet = "ships" not in side or not navy_ships
    fleet = load_source_fleet(source, system) if needs_fleet else None
    source_ids = [str(card["id"]) for card in fleet.cards] if fleet else list(navy_ships)

    def find_ship(id: str) -> FleetShip:
        return navy_ships.get(id, FleetShip(source, id))

    def find_source_id(name: str) -> str:
        """Return a ship's id in her fleet or navy from her name in the scenario, without navy and prefix."""
        id = name.rpartition("/")[2]
        # An id of the fleet may itself begin like the prefix.
        return id if id in source_ids else id.removeprefix(prefix)

    side_ids = [find_source_id(name) for name in side.get("ships", source_ids)]
    divisions = _read_divisions(side, side_ids, find_source_id, find_ship, scenario.get(SCHEDULE, []))
    victory_id = make_id(side["name"]) if VICTORY in scenario else ""
    keys = (*CREW_KEYS, *(field.name for field in SIDE_FIELDS), "notes")
    other_keys = {key: side[key] for key in keys if key in side}
    return DraftSide(str(side["name"]), divisions, victory_id, other_keys)


def _read_divisions(
    side: Document,
    side_ids: Sequence[str],
    find_source_id: Callable[[str], str],
    find_ship: Callable[[str], FleetShip],
    schedule: Sequence[Data],
) -> tuple[DraftDivision, ...]:
    """Read the divisions of a side. Ships that no division names form a last division without a name.

    Args:
        side_ids: Ids of the side's ships.
        find_source_id: Function that gives a ship's id from her name in the scenario.
        find_ship: Function that gives a ship from her id.
    """
    ids_without_division = side_ids
    divisions = []
    for item in side.get("division", []):
        arrival = find_arrival(item["name"], side["name"], schedule)
        ids = [find_source_id(name) for name in item["ships"]]
        if arrival is None:
            # Only a division that arrives later may have ships that the side itself does not list.
            ids = [id for id in ids if id in side_ids]
        ids_without_division = [id for id in ids_without_division if id not in ids]
        conditions = {key: value for key, value in item.items() if key not in ("name", "player", "ships")}
        ships = tuple(find_ship(id) for id in ids)
        player = str(item.get("player") or "")
        divisions.append(DraftDivision(str(item["name"]), player, ships, conditions, arrival))
    if ids_without_division or not divisions:
        arrival = find_arrival(side["name"], side["name"], schedule)
        divisions.append(
            DraftDivision(ships=tuple(find_ship(id) for id in ids_without_division), arrival=arrival)
        )
    return tuple(divisions)


def find_draft_place(fault: Fault) -> DraftPlace | str:
    """Return the place of a fault in a draft: a division, or the key of a setting's line."""
    items = {item.kind: item.number for item in fault.found.items}
    if "side" in items:
        # Faults count from 1.
        return DraftPlace(items["side"] - 1, items.get(_DIVISION, 1) - 1)
    return ".".join(fault.found.keys) or fault.place


def find_sources(side: Document, folder: Path, date: str) -> tuple[FleetSource, dict[str, FleetShip]]:
    """Return the source of a side (its fleet or navy) and, for a navy, the ships that it lists, by id.

    Args:
        folder: The folder of the scenario, for paths.
        date: The date of the battle; its year counts for a navy if the side names none.
    """
    if "navy" not in side:
        return FleetSource.from_word(str(side["fleet"]), folder), {}
    year = side.get("year") or find_year(date)
    assert year is not None
    navy = FleetSource(str(side["navy"]), year)
    listed_names = [
        *side.get("ships", ()),
        *(id for division in side.get("division", ()) for id in division["ships"]),
    ]
    return navy, {ship.ship: ship for ship in (navy.parse_ship(str(name)) for name in listed_names)}


def find_arrival(division: str, side: str, schedule: Sequence[Data]) -> int | None:
    """Find the index of the entry of a schedule with which a division arrives; None if none names it."""
    ids = (make_id(division), f"{make_id(side)}-{make_id(division)}")
    names_by_entry = ([make_id(name) for name in entry.get("arrives", [])] for entry in schedule)
    return next((index for index, names in enumerate(names_by_entry) if set(ids) & set(names)), None)
