"""Ships that a file names by their facts, as cards of one rule system."""

from collections.abc import Mapping
from typing import cast

from attrs import frozen

from qf_tui.core.measure import Scalar
from qf_tui.core.ratings import ATTESTED, as_listed, attested_of
from qf_tui.core.ship_facts import ShipFacts
from qf_tui.core.system import RuleSystem
from qf_tui.library.cards import Card, attested_names
from qf_tui.library.checking import Checker, Read
from qf_tui.library.declared import FOR
from qf_tui.library.fault_words import near
from qf_tui.library.faults import FileFaults, FilePlace, shown
from qf_tui.library.ships.navy_ships import NavyShips, navy_names
from qf_tui.library.ships.rated_cards import RatedCards, facts_in_short
from qf_tui.library.ships.values import rated


@frozen
class ShipReference:
    """A ship as a file calls her: a navy, her id there, and the year that she is of; None if none is said."""

    navy: str
    id: str
    year: int | None

    @classmethod
    def of(cls, text: str, navy: str, year: int | None) -> "ShipReference":
        """`ting-yuen` of that navy, `china/ting-yuen` of another one."""
        other, slash, id = text.partition("/")
        return cls(other, id, year) if slash else cls(navy, text, year)


class FactsReader:
    """Makes cards for one rule system; the checker gathers what is wrong. A navy is read once."""

    def __init__(self, system: RuleSystem, checker: Checker) -> None:
        self._system, self._checker = system, checker
        self._cards = RatedCards(system)
        self._navies: dict[str, NavyShips] = {}

    def all_ids(self, navy: str, year: int, place: FilePlace) -> list[str]:
        """All ships of a navy completed by a year."""
        known = self._navy(navy, place)
        return known.ids(year) if known else []

    def card(
        self, called: ShipReference, about: Mapping[str, Scalar], stated: Read, place: FilePlace
    ) -> Card | None:
        """The card of a ship, None and a fault if there is none; `about` wins over her id and name."""
        ship = self._facts(called, place)
        if ship is None:
            return None
        rating = rated(self._system, ship)
        if rating is None:
            self._checker.fault(
                place, f"{self._system.title} works no values out of facts; state them in a fleet"
            )
            return None
        notes = "; ".join(filter(None, [str(about.get("notes") or ""), facts_in_short(ship)]))
        named = {key: about.get(key) or getattr(ship, key) for key in ("id", "name")}
        card = self._cards.card(rating, {**named, "notes": notes}, stated)
        given = cast(list[str] | None, stated.get(ATTESTED)) or []
        place = place.key(FOR).key(self._system.name) if stated else place
        if given:
            at = place.key(ATTESTED)
            names = attested_names(given, card, self._cards.fields, self._checker, at)
            card[ATTESTED] = as_listed((*attested_of(card), *names))
        for key, text in self._system.card_faults(card):
            self._checker.fault(place.key(key), text)
        return card

    def _facts(self, called: ShipReference, place: FilePlace) -> ShipFacts | None:
        if not called.navy:
            self._checker.fault(
                place, f"“{shown(called.id)}” is of no navy; write her as navy/ship, or name a navy"
            )
            return None
        navy = self._navy(called.navy, place)
        if navy is None:
            return None
        if called.year is None:
            self._checker.fault(place, f"“{shown(called.id)}” is of no year; name the year of the ships")
            return None
        try:
            ship = navy.ship(called.id, called.year)
        except FileFaults as faults:
            for fault in faults.faults:
                self._checker.fault(place, f"{faults.file}: {fault}")
            return None
        if ship is None:
            self._checker.fault(place, _missing(navy, called))
        return ship

    def _navy(self, name: str, place: FilePlace) -> NavyShips | None:
        """A navy on the shelf; None, and once a fault, if there is none."""
        if name not in self._navies:
            self._navies[name] = NavyShips(name)
            try:
                if not self._navies[name].known:
                    known = navy_names()
                    hint = near(name, known) or f"; known are {', '.join(known)}"
                    self._checker.fault(place, f"no navy “{shown(name)}”{hint}")
            except FileFaults as faults:
                for fault in faults.faults:
                    self._checker.fault(place, f"{faults.file}: {fault}")
                self._navies[name] = NavyShips("")
        navy = self._navies[name]
        return navy if navy.known else None


def _missing(navy: NavyShips, called: ShipReference) -> str:
    first = navy.first_year(called.id)
    if first:
        return f"“{shown(called.id)}” is of {first} and later, not of {called.year}"
    return f"no ship “{shown(called.id)}” in navy {navy.name}{near(called.id, navy.every_id)}"
