"""Fleets that belong to no rule system: a navy and a year, or a list of ships, rated as they are read."""

from collections.abc import Collection, Mapping
from typing import Any, cast

from qf_tui.core.system import RuleSystem
from qf_tui.library.cards import Card
from qf_tui.library.checking import Checker, FilePlace, Read
from qf_tui.library.declared import FOR, facts_fleet_fields
from qf_tui.library.facts_reader import Called, FactsReader
from qf_tui.library.paths import FORMERLY


def names_ships(data: Mapping[str, Any]) -> bool:
    """Whether a fleet's data names ships by their facts, and does not state their values for one system."""
    return "navy" in data or ("ruleset" not in data and ("year" in data or "ships" in data))


def of_no_system(data: Mapping[str, Any]) -> bool:
    """Whether a fleet may sail under any rule system that works values out of facts."""
    return names_ships(data) and "ruleset" not in data


def read_facts_fleet(
    data: Mapping[str, Any], name: str, system: RuleSystem, checker: Checker
) -> tuple[Read, list[Card]]:
    """The keys of such a fleet, and its ships' cards: under a former name those that it had then."""
    read = checker.table(data, facts_fleet_fields((system,)), FilePlace())
    formerly = cast(Mapping[str, Read] | None, read.get(FORMERLY)) or {}
    only = cast(list[str] | None, formerly[name].get("ships")) if name in formerly else None
    return read, _Ships(read, system, checker).cards(only)


class _Ships:
    """The ships of one fleet: those in its list, or all of its navy, and those that it says something of."""

    def __init__(self, read: Read, system: RuleSystem, checker: Checker) -> None:
        self._system, self._checker = system, checker
        self._facts = FactsReader(system, checker)
        self._navy, self._year = str(read.get("navy") or ""), cast(int | None, read.get("year"))
        self._listed = cast(list[str] | None, read.get("ships"))
        self._all = "ships" in read and self._listed is None and bool(self._navy)
        ships = enumerate(cast(list[Read], read.get("ship") or []), 1)
        self._said = {str(ship["id"]): (number, ship) for number, ship in reversed([*ships]) if "id" in ship}

    def cards(self, only: Collection[str] | None) -> list[Card]:
        """The cards of all, or of those whose ids are named."""
        listed = self._listed or []
        if self._all:
            place = FilePlace().key("navy")
            if self._year is None:
                self._checker.fault(FilePlace().key("year"), "is missing; expected the year of the ships")
            else:
                listed = self._facts.all_ids(self._navy, self._year, place)
        names = {name.rpartition("/")[2]: name for name in listed}
        ids = dict.fromkeys([*names, *sorted(self._said, key=lambda id: self._said[id][0])])
        found = (self._card(id, names.get(id, "")) for id in ids if only is None or id in only)
        return [card for card in found if card is not None]

    def _card(self, id: str, listed: str) -> Card | None:
        if id not in self._said:
            called = Called.of(listed, self._navy, self._year)
            return self._facts.card(called, {}, {}, FilePlace().key("ships"))
        number, ship = self._said[id]
        place = FilePlace().item("ship", number, ship)
        year = cast(int | None, ship.get("year")) or self._year
        called = Called.of(str(ship.get("facts") or listed or id), self._navy, year)
        about = {key: str(ship.get(key) or "") for key in ("id", "name", "notes")}
        stated = cast(Mapping[str, Read] | None, ship.get(FOR)) or {}
        return self._facts.card(called, about, stated.get(self._system.name, {}), place)
