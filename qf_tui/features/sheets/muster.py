"""Ships mustered without a scenario, to print their logs: a fleet, or ships of the navies."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from qf_tui.cli.opening import find_save
from qf_tui.core.errors import QfError
from qf_tui.core.ship_facts import YEARS, ShipFacts
from qf_tui.library.csv_rows import make_ascii_id
from qf_tui.library.faults import NAME_MOST, Data, make_printable
from qf_tui.library.navies import Register, find_own_navy, load_register
from qf_tui.library.paths import find_file, find_typed, is_path, read_toml
from qf_tui.library.scenarios import ScenarioRead, read_scenario
from qf_tui.library.systems import find_systems

_NAMED_MOST = 6
"""Most ships that a message names."""
_SHIPS_FILE = "ships.toml"


def find_fleet(target: str) -> str | None:
    """Find the fleet that a typed name or a path means; a save or a scenario of the same name comes first.

    Returns:
        Its name or path as a scenario writes it, or None if no fleet is meant.
    """
    if find_save(target) is not None:
        return None
    file = find_file("scenarios", target, Path())
    if file is not None:
        # A path may lead to either; only a scenario has sides.
        is_fleet = is_path(target) and "side" not in read_toml(file)
        return target if is_fleet else None
    if find_file("fleets", target, Path()) is not None:
        return target
    # The target may be only the beginning of a name.
    with suppress(QfError):
        find_typed("scenarios", target)
        return None
    with suppress(QfError):
        return find_typed("fleets", target).stem
    return None


def muster_fleet(fleet: str, rules: str | None) -> ScenarioRead:
    """Read a fleet, with its values by a rule system.

    If `rules` is None, the fleet's own system counts, or the first if the fleet names none.
    """
    path = find_typed("fleets", fleet)
    data = read_toml(path)
    title = str(data.get("title") or path.stem)[:NAME_MOST]
    return _muster(title, fleet, rules or data.get("ruleset"))


def muster_ships(words: Sequence[str], year: int | None, rules: str | None) -> ScenarioRead:
    """Read ships of the navies as the fleet of one side, with their values by a rule system.

    Args:
        words: Ids or names, with `navy/` before one if several navies have it.
        year: Year of their facts, or None for the latest.
        rules: The rule system, or None for the first.

    Raises:
        QfError: A ship is not found, or given twice; or a word may mean several ships.
    """
    register = load_register()
    ships = [_find_ship(register, word.strip(), year) for word in words]
    rows: dict[str, dict[str, object]] = {}
    for ship in ships:
        navy = find_own_navy(ship.navy).stem
        id = f"{navy}-{ship.id}" if sum(other.id == ship.id for other in ships) > 1 else ship.id
        if id in rows:
            raise QfError(f"“{make_printable(ship.name)}” is given more than once")
        rows[id] = {"id": id, "facts": f"{navy}/{ship.id}", "year": year or max(ship.since, YEARS[0])}
    fleet = {"year": year or YEARS[0], "ship": list(rows.values())}
    return _muster(f"Ships, {year}" if year else "Ships", _SHIPS_FILE, rules, {_SHIPS_FILE: fleet})


def _muster(title: str, fleet: str, rules: object, unwritten: dict[str, Data] | None = None) -> ScenarioRead:
    """Read a scenario that has one side with a fleet; there is no file of the scenario.

    Args:
        title: The title of the battle, and the name of the side.
        fleet: Name or path of the fleet.
        rules: The name of the rule system, not yet checked; None for the first.
        unwritten: Fleets that have no file, by their names.
    """
    systems = find_systems()
    side: dict[str, Any] = {"name": title, "fleet": fleet}
    data = {"title": title, "ruleset": rules or next(iter(systems), ""), "side": [side]}
    # Faults are reported under the path of the fleet.
    return read_scenario(data, Path(fleet), systems, unwritten)


def _find_ship(register: Register, word: str, year: int | None) -> ShipFacts:
    """Find the ship that a word means, with her facts of a year or her latest.

    Raises:
        QfError: No ship, or more than one, has this id or name.
    """
    navy, slash, name = word.rpartition("/")
    wanted_id = make_ascii_id(name)
    in_navy = [ship for ship in register.ships if not slash or find_own_navy(ship.navy).stem == navy.lower()]
    by_id = [ship for ship in in_navy if wanted_id and ship.id == wanted_id]
    rows = by_id or [ship for ship in in_navy if wanted_id and make_ascii_id(ship.name) == wanted_id]
    if not rows:
        similar = ", ".join(f"{ship.name} ({ship.navy})" for ship in register.find_similar_ships(name))
        hint = f"; did you mean {similar}?" if similar else "; `qf-tui ships` lists them"
        raise QfError(f"no ship “{make_printable(word)}” in the navies{hint}")
    known_rows = [ship for ship in rows if year is None or ship.since <= year]
    if not known_rows:
        since = min(ship.since for ship in rows)
        raise QfError(f"{make_printable(rows[0].name)} is known from {since} on, not in {year}")
    latest = {(ship.navy, ship.id): ship for ship in sorted(known_rows, key=lambda ship: ship.since)}
    if len(latest) > 1:
        choices = [f"{find_own_navy(ship.navy).stem}/{ship.id}" for ship in latest.values()]
        raise QfError(
            f"“{make_printable(word)}” may be {', '.join(choices[:_NAMED_MOST])}: name the navy too"
        )
    return next(iter(latest.values()))
