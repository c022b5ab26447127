"""A side that names the ships of a navy in place of a fleet: the fleet that this makes, and her ids in it."""

import re
from typing import cast

from attrs import define

from qf_tui.core.system import RuleSystem
from qf_tui.library.cards import Card
from qf_tui.library.checking import Checker, Read
from qf_tui.library.faults import FilePlace, shown
from qf_tui.library.fleets import Fleet
from qf_tui.library.ships.facts_reader import FactsReader, ShipReference
from qf_tui.library.ships.navies import navy_title

_YEAR = re.compile(r"(?<!\d)1[89]\d\d(?!\d)")


def year_of(date: str) -> int | None:
    """The year that a date in words or figures has."""
    found = _YEAR.search(date)
    return int(found[0]) if found else None


@define
class _NavySide:
    """One such side: its `cards` by their ids in the battle, and what each was called by."""

    navy: str
    year: int | None
    facts: FactsReader
    checker: Checker
    cards: dict[str, Card]
    called: dict[str, ShipReference]

    def ids(self, names: list[str], place: FilePlace) -> list[str]:
        """The ids of ships as the side names them; those that there are not are told."""
        return [id for name in names if (id := self._id(name, place))]

    def _id(self, name: str, place: FilePlace) -> str:
        called = ShipReference.of(name, self.navy, self.year)
        known = self.called.setdefault(called.id, called)
        if known != called:
            text = f"“{shown(name)}” has the id of a ship of {known.navy}; put the two into fleets"
            self.checker.fault(place, text)
            return ""
        if known is called:
            card = self.facts.card(called, {}, {}, place)
            if card is not None:
                self.cards[called.id] = card
        return called.id if called.id in self.cards else ""


def read_navy_side(
    read: Read, place: FilePlace, date: str, system: RuleSystem, checker: Checker
) -> tuple[Fleet, Read] | None:
    """The fleet of a side, and the side with plain ids; None if its year is not known."""
    navy, year = str(read["navy"]), cast(int | None, read.get("year")) or year_of(date)
    if year is None:
        checker.fault(place.key("year"), "is missing; expected the year of the ships, or a date on top")
        return None
    facts = FactsReader(system, checker)
    side = _NavySide(navy, year, facts, checker, {}, {})
    ships = cast(list[str] | None, read.get("ships"))
    if ships is None:
        ships = facts.all_ids(navy, year, place.key("navy"))
    there = side.ids(ships, place.key("ships"))
    divisions = [
        {**one, "ships": side.ids(cast(list[str], one.get("ships", [])), at.key("ships"))}
        for number, one in enumerate(cast(list[Read] | None, read.get("division")) or [], 1)
        if (at := place.item("division", number, one))
    ]
    title = f"{navy_title(navy)} {year}"
    fleet = Fleet(title, title, "", "", tuple(side.cards.values()))
    return fleet, {**read, "ships": there, "division": divisions}
