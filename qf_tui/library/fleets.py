"""The one reader of a fleet under a rule system, whether from a file or for a navy in a year.

A fleet file states the values of its ships, or only names ships, or a navy in a year. The facts of ships that
are named are in navy files, and the rule system computes the values from them.
"""

from collections.abc import Collection
from pathlib import Path

from qf_tui.core.ship_facts import ATTESTED, ORIGIN, join_card_list
from qf_tui.core.system import RuleSystem
from qf_tui.library.declared import (
    Card,
    Fleet,
    FleetSource,
    check_ids,
    check_system,
    flatten_values,
    is_facts_fleet,
    list_attested_names,
    list_fleet_fields,
    list_ship_fields,
    lower_ship_ids,
)
from qf_tui.library.faults import WHOLE_FILE, Checker, Data, FilePlace, Values, raise_faults
from qf_tui.library.paths import find_used_name, read_toml


def load_fleet(
    path: Path,
    system: RuleSystem,
    data: Data | None = None,
    name: str = "",
    wanted: Collection[str] | None = None,
) -> Fleet:
    """Load a fleet file for one rule system.

    Args:
        data: The plain data of a file that was read already or is not written yet.
        name: The name by which the fleet was found, if it is not the name of the file.
        wanted: The ids whose cards are needed; None for all. Other cards of a fleet of facts are not
            computed.

    Raises:
        FileFaults: All faults of the file.
    """
    checker = Checker()
    content = read_toml(path) if data is None else data
    fleet = read_fleet(content, name or path.stem, system, checker, wanted)
    raise_faults({str(path): checker.faults})
    return fleet


def load_source_fleet(
    source: FleetSource, system: RuleSystem, wanted: Collection[str] | None = None
) -> Fleet | None:
    """Load the fleet of a source: a file, or a navy in a year.

    Args:
        wanted: The ids that are needed of a navy; None for all its ships in service. A file is read whole.

    Returns:
        The fleet, or None if its file does not exist.

    Raises:
        Faults: The fleet is not sound.
    """
    if source.year is None:
        path = source.file
        return load_fleet(path, system, name=find_used_name(source.name, path)) if path else None
    from qf_tui.library.ratings import make_navy_fleet  # noqa: PLC0415 - most battles need no facts

    checker = Checker()
    fleet = make_navy_fleet(source, system, checker, wanted)
    raise_faults({source.text: checker.faults})
    return fleet


def read_fleet(
    data: Data, name: str, system: RuleSystem, checker: Checker, wanted: Collection[str] | None = None
) -> Fleet:
    """Read the sound part of the fleet in a file's plain data; the checker gathers the faults.

    If the file is for another rule system, the fleet has no ships. A fleet of facts has cards only for the
    ids that are `wanted` (None: all).
    """
    if not check_system(data, system, checker):
        return Fleet(name, name)
    data = lower_ship_ids(data)
    if is_facts_fleet(data):
        from qf_tui.library.ratings import read_facts_fleet  # noqa: PLC0415 - most battles need no facts

        return read_facts_fleet(data, name, system, checker, wanted)
    values = checker.check_table(data, list_fleet_fields(system), WHOLE_FILE)
    ships = values.get("ship", [])
    fleet_values = {field.name: values.get(field.name) for field in system.card if field.of_fleet}
    check_ids(ships, checker)
    usual_origin = str(values.get(ORIGIN))
    cards, warnings = [], []
    for number, ship in enumerate(ships, 1):
        place = WHOLE_FILE.add_item("ship", number, ship)
        earlier_fault_count = len(checker.faults)
        card = _build_card(ship, usual_origin, fleet_values, system, checker, place)
        cards.append(card)
        is_complete = all(field.name in ship for field in list_ship_fields(system))
        # The checks of the rule system need a complete card without faults.
        if len(checker.faults) == earlier_fault_count and is_complete:
            for key, text in system.list_card_faults(card):
                checker.add_fault(place.add_key(key), text)
            warnings += [f"{place.add_key(key)}: {text}" for key, text in system.list_card_warnings(card)]
    return Fleet(name, str(values.get("title") or name), tuple(cards), tuple(warnings))


def _build_card(
    ship: Values,
    usual_origin: str,
    fleet_values: Values,
    system: RuleSystem,
    checker: Checker,
    place: FilePlace,
) -> Card:
    """Build a ship's card from her checked values.

    A value that she does not state is taken from the fleet, or else is the default of the rule system.
    """
    fields = list_ship_fields(system)
    values_of_fleet = {key: value for key, value in fleet_values.items() if ship.get(key) is None}
    card = flatten_values(fields, {**ship, **values_of_fleet})
    card |= system.get_card_defaults(card)
    card[ORIGIN] = ship.get(ORIGIN) or usual_origin
    stated_names = ship.get(ATTESTED) or []
    names = list_attested_names(stated_names, card, fields, checker, place.add_key(ATTESTED))
    card[ATTESTED] = join_card_list(names)
    return card
