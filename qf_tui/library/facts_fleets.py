"""Fleets that belong to no rule system: a navy and a year, or a list of ships, rated as they are read."""

from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from typing import Any, cast

from qf_tui.core.system import RuleSystem
from qf_tui.library.cards import Card
from qf_tui.library.checking import Checker, Read
from qf_tui.library.declared import FOR, facts_fleet_fields
from qf_tui.library.faults import FilePlace
from qf_tui.library.paths import FORMERLY
from qf_tui.library.ships.facts_reader import FactsReader, ShipReference


def read_facts_fleet(
    data: Mapping[str, Any],
    name: str,
    system: RuleSystem,
    checker: Checker,
    wanted: Collection[str] | None = None,
) -> tuple[Read, list[str], list[Card]]:
    """The keys of such a fleet, the ids of its ships, and the cards of all or of those that are wanted.

    Under a former name it has the ships that it had then.
    """
    read = checker.table(data, facts_fleet_fields((system,)), FilePlace())
    formerly = cast(Mapping[str, Read] | None, read.get(FORMERLY)) or {}
    only = cast(list[str] | None, formerly[name].get("ships")) if name in formerly else None
    ships = _Ships(read, system, checker)
    ids = [id for id in ships.ids if only is None or id in only]
    return read, ids, ships.cards([id for id in ids if wanted is None or id in wanted])


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

    @cached_property
    def _names(self) -> dict[str, str]:
        """Each listed ship by her id, as she is listed."""
        listed = self._listed or []
        if self._all:
            place = FilePlace().key("navy")
            if self._year is None:
                self._checker.fault(FilePlace().key("year"), "is missing; expected the year of the ships")
            else:
                listed = self._facts.all_ids(self._navy, self._year, place)
        return {name.rpartition("/")[2]: name for name in listed}

    @property
    def ids(self) -> list[str]:
        """All its ships."""
        return list(dict.fromkeys([*self._names, *sorted(self._said, key=lambda id: self._said[id][0])]))

    def cards(self, ids: Iterable[str]) -> list[Card]:
        """The cards of these."""
        found = (self._card(id, self._names.get(id, "")) for id in ids)
        return [card for card in found if card is not None]

    def _card(self, id: str, listed: str) -> Card | None:
        if id not in self._said:
            called = ShipReference.of(listed, self._navy, self._year)
            return self._facts.card(called, {}, {}, FilePlace().key("ships"))
        number, ship = self._said[id]
        place = FilePlace().item("ship", number, ship)
        year = cast(int | None, ship.get("year")) or self._year
        called = ShipReference.of(str(ship.get("facts") or listed or id), self._navy, year)
        about = {key: str(ship.get(key) or "") for key in ("id", "name", "notes")}
        stated = cast(Mapping[str, Read] | None, ship.get(FOR)) or {}
        return self._facts.card(called, about, stated.get(self._system.name, {}), place)
