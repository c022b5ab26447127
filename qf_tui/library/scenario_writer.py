"""From a draft to a scenario file and back: the loader of scenarios checks it before it is written."""

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import tomli_w
from attrs import field, frozen

from qf_tui.core.errors import QfError
from qf_tui.core.system import RuleSystem
from qf_tui.core.text import identifier
from qf_tui.core.values import Battle
from qf_tui.journal.disk import write_whole
from qf_tui.journal.wording import in_words
from qf_tui.library.checking import ID_MOST
from qf_tui.library.declared import START
from qf_tui.library.drafts import Draft, DraftDivision, DraftPlace, DraftSide, FleetShip
from qf_tui.library.faults import Fault, FileFaults
from qf_tui.library.fleets import load_fleet
from qf_tui.library.paths import find, listed, missing, own
from qf_tui.library.reading import parse_toml, read_toml
from qf_tui.library.scenarios import battle_of, load_scenario, read_scenario
from qf_tui.library.schema_files import head, put_beside

Document = dict[str, Any]


@frozen
class Composed:
    """A scenario's document, and those of the fleets beside it, by the names of their files."""

    scenario: Document
    fleets: Mapping[str, Document] = field(factory=dict)


def compose(draft: Draft, system: RuleSystem) -> Composed:
    """The documents of a draft; FileFaults where a side has no ship, or a fleet has gone.

    A side from one fleet names it. A side from several gets a fleet file, with copies of their ships.
    """
    empty = [
        Fault(f"side {number} ({side.name})", "has no ship; put one in, or take the side off")
        for number, side in enumerate(draft.sides, 1)
        if not side.ships
    ]
    if empty or not draft.sides:
        raise FileFaults(draft.title, empty or [Fault("", "there is no side")])
    used: set[str] = set()
    fleets: dict[str, Document] = {}
    sides = []
    for number, side in enumerate(draft.sides, 1):
        ids, fleet = _ships(side, number, system, fleets)
        prefix = _prefix(side.name, number, set(ids.values()), used)
        used.update(prefix + id for id in ids.values())
        sides.append(_side(side, ids, fleet, prefix))
    table: Document = {key: value for key, value in draft.table.items() if value not in (None, "")}
    if START in table:
        table[START] = {id: said for id, said in table[START].items() if id in used}
    options = {"options": dict(draft.options)} if draft.options else {}
    return Composed({"ruleset": draft.ruleset, **table, **options, "side": sides}, fleets)


def _ships(
    side: DraftSide, number: int, system: RuleSystem, fleets: dict[str, Document]
) -> tuple[dict[FleetShip, str], str]:
    """The id of each ship in the fleet that its side is to name, and that fleet, made if there is none."""
    sources = tuple(dict.fromkeys(ship.fleet for ship in side.ships))
    if len(sources) == 1 and not _is_path(sources[0]):
        return {ship: ship.ship for ship in side.ships}, sources[0]
    ids: dict[FleetShip, str] = {}
    ships: list[Document] = []
    read = {name: _fleet_data(name) for name in sources}
    for ship in side.ships:
        data = read[ship.fleet]
        raw = next((one for one in data.get("ship", []) if one.get("id") == ship.ship), {"id": ship.ship})
        ids[ship] = _free(ship.ship, set(ids.values()))
        values = {key: data[key] for key in _for_all(system) if key in data}
        ships.append({**values, **raw, "id": ids[ship]})
    file = f"side-{number}.toml"
    titles = ", ".join(str(data.get("title") or name) for name, data in read.items())
    fleets[file] = {
        "ruleset": system.name,
        "title": f"Side {number}",
        "source": f"Copied from: {titles}",
        "ship": ships,
    }
    return ids, file


def _for_all(system: RuleSystem) -> tuple[str, ...]:
    """What a fleet says for all its ships: a ship that is copied out of it says it itself."""
    return ("values", *(field.name for field in system.card if field.of_fleet))


def _is_path(name: str) -> bool:
    return name.endswith(".toml") or "/" in name or "\\" in name


def _fleet_data(name: str) -> Document:
    path = find("fleets", name, Path())
    if path is None:
        raise FileFaults(name, [Fault("", missing("fleets", name))])
    return read_toml(path)


def _free(id: str, used: set[str]) -> str:
    """An id that is not used yet: itself, or with a number."""
    number, free = 2, id
    while free in used:
        free = f"{id[: ID_MOST - 4]}-{number}"
        number += 1
    return free


def _prefix(name: str, number: int, ids: set[str], used: set[str]) -> str:
    """What keeps the ids of a side apart from those of the sides before it; nothing if they are."""
    letter = next((sign for sign in name.lower() if sign.isascii() and sign.isalnum()), "s")
    tries = ["", f"{letter}-", f"{letter}{number}-", *(f"{letter}{number}{more}-" for more in "abcdefghij")]
    return next(one for one in tries if not {one + id for id in ids} & used)


def _side(side: DraftSide, ids: Mapping[FleetShip, str], fleet: str, prefix: str) -> Document:
    document: Document = {"name": side.name, "fleet": fleet, "ships": list(ids.values())}
    if prefix:
        document["prefix"] = prefix
    if side.divisions != (DraftDivision(ships=side.ships),):
        document["division"] = [_division(one, side, ids) for one in side.divisions]
    return document


def _division(division: DraftDivision, side: DraftSide, ids: Mapping[FleetShip, str]) -> Document:
    player = {"player": division.player} if division.player else {}
    ships = [ids[ship] for ship in division.ships]
    return {"name": division.name or side.name, **player, **division.said, "ships": ships}


def write(draft: Draft, systems: Mapping[str, RuleSystem]) -> Path:
    """Checks a draft as a file would be, and writes it into the user's own scenarios under a new name.

    Faults names all that is wrong and writes nothing; QfError if it cannot be written.
    """
    composed = compose(draft, systems[draft.ruleset])
    check(composed, systems)
    folder = own("scenarios")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path = _free_path(folder, draft.title)
        _put(_files(composed, path), path)
    except OSError as fault:
        raise QfError(f"{folder}: the scenario cannot be written: {in_words(fault)}") from None
    put_beside(path, "scenario", draft.ruleset, systems)
    if composed.fleets:
        put_beside(own("fleets") / path.name, "fleet", draft.ruleset, systems)
    return path


def check(composed: Composed, systems: Mapping[str, RuleSystem]) -> tuple[RuleSystem, Battle]:
    """The battle that documents make; Faults, by the loader of scenarios, lists all that is wrong."""
    path = own("scenarios") / "battle.toml"
    try:
        files = _files(composed, path)
    except UnicodeEncodeError:
        raise FileFaults(path, [Fault("", "a text holds what no file can hold")]) from None
    # What stands in a file is what is read from it.
    fleets = {
        file.relative_to(path.parent).as_posix(): parse_toml(data, file)
        for file, data in files.items()
        if file != path
    }
    return battle_of(read_scenario(parse_toml(files[path], path), path, systems, fleets))


def discard(path: Path) -> None:
    """Takes away a scenario that was only just written, with its fleets."""
    _take_away([path, *path.with_suffix("").glob("side-*.toml")], path.with_suffix(""))


def _take_away(files: Iterable[Path], beside: Path) -> None:
    with suppress(OSError):
        for file in files:
            file.unlink(missing_ok=True)
        if beside.is_dir():
            beside.rmdir()


def _files(composed: Composed, path: Path) -> dict[Path, bytes]:
    """What goes into each file: the fleets in a folder beside the scenario, then the scenario."""
    beside = path.with_suffix("")
    sides = [
        {**side, "fleet": f"{beside.name}/{side['fleet']}"} if side["fleet"] in composed.fleets else side
        for side in composed.scenario["side"]
    ]
    files = {beside / name: fleet for name, fleet in composed.fleets.items()}
    files[path] = {**composed.scenario, "side": sides}
    ruleset = str(composed.scenario["ruleset"])
    # A fleet of the scenario lies a folder deeper than those on the shelf, and beside their folder.
    first = {path: head("scenario", ruleset)}
    of_fleets = head("fleet", ruleset, "../../fleets")
    return {
        file: (first.get(file, of_fleets) + tomli_w.dumps(document)).encode()
        for file, document in files.items()
    }


def _put(files: Mapping[Path, bytes], path: Path) -> None:
    """Writes the files, the scenario last; no file is written over, and nothing is left where one fails."""
    beside, made = path.with_suffix(""), []
    if len(files) > 1:
        beside.mkdir()
    try:
        for file, data in files.items():
            write_whole(file, data)
            made.append(file)
    except OSError:
        _take_away(made, beside)
        raise


def _free_path(folder: Path, title: str) -> Path:
    stem = re.sub(r"[^a-z0-9]+", "-", identifier(title)).strip("-")[:40].strip("-") or "battle"
    used = {path.stem for path in folder.iterdir()} | {one.name for one in listed("scenarios")}
    return folder / f"{_free(stem, used)}.toml"


def draft_of(path: Path, systems: Mapping[str, RuleSystem]) -> Draft:
    """A scenario file as a draft to change, without ships that come later; Faults if it is not sound."""
    system, _ = load_scenario(path, systems)
    data = read_toml(path)
    table = {key: value for key, value in data.items() if key not in ("ruleset", "options", "side")}
    if _is_path(str(table.get("charts", ""))):
        table["charts"] = str((path.parent / table["charts"]).resolve())
    sides = tuple(_draft_side(side, path.parent, system) for side in data["side"])
    begun = Draft.begun(system)
    return Draft(system.name, {**begun.table, **table}, dict(data.get("options", {})), sides)


def _draft_side(side: Document, folder: Path, system: RuleSystem) -> DraftSide:
    name = str(side["fleet"])
    file = find("fleets", name, folder)
    assert file is not None
    fleet = str(file.resolve()) if _is_path(name) else name
    prefix = str(side.get("prefix") or "")
    known = [str(card["id"]) for card in load_fleet(file, system).cards]
    there = [_bare(id, prefix, known) for id in side.get("ships", known)]
    divisions, left = [], list(there)
    for one in side.get("division", []):
        ids = [id for given in one["ships"] if (id := _bare(given, prefix, known)) in there]
        left = [id for id in left if id not in ids]
        ships = tuple(FleetShip(fleet, id) for id in ids)
        said = {key: value for key, value in one.items() if key not in ("name", "player", "ships")}
        divisions.append(DraftDivision(str(one["name"]), str(one.get("player") or ""), ships, said))
    if left or not divisions:
        divisions.append(DraftDivision(ships=tuple(FleetShip(fleet, id) for id in left)))
    return DraftSide(str(side["name"]), tuple(divisions))


def _bare(id: str, prefix: str, known: list[str]) -> str:
    """A ship's id in its fleet; a scenario may write it with its side's prefix."""
    return id if id in known else id.removeprefix(prefix)


_PLACE = re.compile(r"side (\d+)(?: \(.*?\))?(?:, division (\d+))?")


def place_of(fault: Fault) -> DraftPlace | str:
    """Where in a draft a fault is: a division, or the key of the table."""
    found = _PLACE.match(fault.place)
    if found:
        return DraftPlace(int(found[1]) - 1, int(found[2] or 1) - 1)
    return fault.place.partition(".")[2] or fault.place
