"""The ships to pick from, by letters, and those picked: a draft's order of battle."""

from collections.abc import Hashable, Iterator, Sequence
from itertools import groupby
from pathlib import Path

from attrs import field, frozen
from textual.content import Content

from qf_tui.console.setup.order_of_battle import count
from qf_tui.console.widgets.picklist import PickLine, heading, words
from qf_tui.console.widgets.text import cut, fit, literal
from qf_tui.core.grammar.names import spelt
from qf_tui.core.ship_facts import ShipFacts
from qf_tui.library.faults import first_fault
from qf_tui.library.fleets import Card
from qf_tui.library.setup.drafts import Draft, DraftPlace, DraftSide, FleetShip
from qf_tui.library.setup.fleet_catalogue import Fleets
from qf_tui.library.setup.sources import NavyYear

IN, AIM = "✓", "◂ here"


@frozen
class OfferedShip:
    """One ship of a fleet on the shelf."""

    berth: FleetShip
    card: Card
    fleet: str

    def fits(self, letters: str) -> bool:
        """Whether every word typed is in its name, kind or fleet."""
        texts = (self.card["name"], self.card.get("kind") or "", self.fleet, self.berth.source.text)
        text = spelt(" ".join(map(str, texts)))
        return all(word in text for word in spelt(letters).split())


@frozen
class ShipLine(PickLine):
    """The line of a ship that can be put in."""

    berth: FleetShip = field(kw_only=True)


@frozen
class OrderLine(PickLine):
    """A line of the order of battle: of a division, of a ship in it (`berth`), or of the whole side."""

    place: DraftPlace = field(kw_only=True)
    berth: FleetShip | None = field(default=None, kw_only=True)
    whole_side: bool = field(default=False, kw_only=True)


FoundShips = Sequence[tuple[FleetShip, ShipFacts]]
"""Ships of navies, as a draft names them and with their facts."""


def ships_of(fleets: Fleets) -> list[OfferedShip]:
    """Every ship of every sound fleet."""
    return [
        OfferedShip(FleetShip(source, str(card["id"])), card, fleet.title)
        for source, fleet in fleets.sound.items()
        for card in fleet.cards
    ]


def best(fleets: Fleets, letters: str, found: FoundShips) -> FleetShip | None:
    """The first ship whose name begins with the letters, if there is one; those of fleets first."""
    typed = spelt(letters)
    names = [(ship.berth, spelt(str(ship.card["name"]))) for ship in ships_of(fleets)]
    names += [(berth, spelt(ship.name)) for berth, ship in found]
    return next((berth for berth, name in names if typed and name.startswith(typed)), None)


def ship_lines(draft: Draft, fleets: Fleets, letters: str, found: FoundShips) -> list[PickLine]:
    """The ships that fit, by fleet, those put in with the side they are on.

    Behind them the ships of navies that were found, and the fleets with faults.
    """
    sides: dict[FleetShip, list[str]] = {}
    for side in draft.sides:
        for berth in side.ships:
            sides.setdefault(berth, []).append(side.name)
    there = {berth: ", ".join(names) for berth, names in sides.items()}
    lines: list[PickLine] = []
    for source, those in groupby(_offered(fleets, letters, found), key=lambda one: one[0]):
        lines.append(heading(source))
        lines += (_ship_line(berth, name, kind, there.get(berth, "")) for _, berth, name, kind in those)
    if not lines:
        text = f"no ship fits “{letters}”" if letters else "no fleet for these rules"
        lines.append(words(text, "$quiet"))
    faulty = () if letters else fleets.faulty
    lines.extend(words(f"✗ {Path(fault.file).name}: {first_fault(fault)}", "$text-error") for fault in faulty)
    return lines


def _offered(fleets: Fleets, letters: str, found: FoundShips) -> Iterator[tuple[str, FleetShip, str, str]]:
    """Where each ship that fits is from, what a draft calls her, her name and kind; a fleet's ship once."""
    listed = set()
    for ship in ships_of(fleets):
        if ship.fits(letters):
            listed.add(ship.berth)
            yield ship.fleet, ship.berth, str(ship.card["name"]), str(ship.card.get("kind") or "")
    for berth, one in found:
        if berth not in listed:
            year = berth.source.year if isinstance(berth.source, NavyYear) else one.since
            yield f"All of {one.navy}", berth, one.name, f"{year} {one.kind}"


def _ship_line(berth: FleetShip, name: str, kind: str, side: str) -> PickLine:
    def draw(width: int) -> Content:
        cells = max(10, min(30, width - 2 - 2 - 12 - 10))
        rest = max(0, width - 2 - cells - 1)
        said = fit(kind, 13 if side else rest) if rest > 13 else cut(kind, rest)
        where = cut(f" {side}", max(0, rest - 13)) if side else ""
        return Content.assemble(
            literal(f"{IN} " if side else "  ", "bold $text-success"),
            literal(fit(name, cells), "bold" if side else ""),
            literal(f" {said}", "$quiet"),
            literal(where, "bold"),
        )

    return ShipLine(berth, draw, berth=berth)


def order_lines(draft: Draft, fleets: Fleets, aim: DraftPlace) -> list[PickLine]:
    """A draft's order of battle, with a sign where ships go."""
    lines: list[PickLine] = []
    for number, side in enumerate(draft.sides):
        lines.append(_side_line(DraftPlace(number), side))
        for at, division in enumerate(side.divisions):
            place = DraftPlace(number, at)
            name = division.name or ("one division" if len(side.divisions) == 1 else side.name)
            player = f" · {division.player}" if division.player else ""
            later = "" if division.due is None else " · arrives later"
            lines.append(_division_line(place, f"{name}{player}{later}", place == aim))
            lines.extend(_picked(fleets, place, berth) for berth in division.ships)
    return lines


def _side_line(place: DraftPlace, side: DraftSide) -> PickLine:
    def draw(width: int) -> Content:
        ships = f": {count(len(side.ships), 'ship')}"
        return literal(cut(side.name or "(no name)", width - len(ships)) + ships, "bold $secondary")

    return OrderLine(order_key(place, whole_side=True), draw, section=True, place=place, whole_side=True)


def _division_line(place: DraftPlace, text: str, aimed: bool) -> PickLine:
    def draw(width: int) -> Content:
        sign = cut(AIM, max(1, width // 2)) if aimed else ""
        said = cut(f" {text}", max(1, width - len(sign) - 1))
        return Content.assemble(literal(said, "bold" if aimed else ""), literal(f" {sign}", "bold $accent"))

    return OrderLine(order_key(place), draw, place=place)


def _picked(fleets: Fleets, place: DraftPlace, berth: FleetShip) -> PickLine:
    card = fleets.card(berth)
    name, kind = str(card.get("name") or berth.ship), str(card.get("kind") or "")
    return OrderLine(
        (place, berth),
        lambda width: Content.assemble(
            literal(cut(f"   {name}", width)),
            literal(cut(f"  {kind}", max(0, width - 3 - _cells(name))), "$quiet"),
        ),
        place=place,
        berth=berth,
    )


def _cells(text: str) -> int:
    return literal(text).cell_length


def order_key(place: DraftPlace, *, whole_side: bool = False) -> Hashable:
    """The key of a side's or a division's line."""
    return place, whole_side
