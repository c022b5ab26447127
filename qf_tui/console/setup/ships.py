"""The ships to pick from, by letters, and those picked: a draft's order of battle."""

from attrs import frozen
from textual.content import Content

from qf_tui.console.setup.order_of_battle import count
from qf_tui.console.setup.start_items import first_fault
from qf_tui.console.widgets.picklist import PickLine, heading, words
from qf_tui.console.widgets.text import cut, fit, literal
from qf_tui.library.fleets import Card
from qf_tui.library.setup.drafts import Draft, DraftPlace, DraftSide, FleetShip
from qf_tui.library.setup.fleet_catalogue import Fleets

IN, AIM = "✓", "◂ here"
_PARTS = "\t"


@frozen
class OfferedShip:
    """One ship of a fleet on the shelf."""

    berth: FleetShip
    card: Card
    fleet: str

    @property
    def key(self) -> str:
        return f"{self.berth.fleet}{_PARTS}{self.berth.ship}"

    def fits(self, letters: str) -> bool:
        """Whether every word typed is in its name, kind or fleet."""
        text = f"{self.card['name']} {self.card.get('kind') or ''} {self.fleet} {self.berth.fleet}".casefold()
        return all(word in text for word in letters.casefold().split())


def ships_of(fleets: Fleets) -> list[OfferedShip]:
    """Every ship of every sound fleet."""
    return [
        OfferedShip(FleetShip(name, str(card["id"])), card, fleet.title)
        for name, fleet in fleets.sound.items()
        for card in fleet.cards
    ]


def best(fleets: Fleets, letters: str) -> str:
    """The key of the first ship whose name begins with the letters, or nothing."""
    typed = letters.strip().casefold()
    names = ((ship.key, str(ship.card["name"]).casefold()) for ship in ships_of(fleets))
    return next((key for key, name in names if typed and name.startswith(typed)), "")


def berth_of(key: str) -> FleetShip:
    """The ship of a line's key."""
    fleet, _, ship = key.partition(_PARTS)
    return FleetShip(fleet, ship)


def ship_lines(draft: Draft, fleets: Fleets, letters: str) -> list[PickLine]:
    """The ships that fit, by fleet, those put in with the side they are on; then the fleets with faults."""
    sides: dict[FleetShip, list[str]] = {}
    for side in draft.sides:
        for berth in side.ships:
            sides.setdefault(berth, []).append(side.name)
    lines: list[PickLine] = []
    fleet = ""
    for ship in ships_of(fleets):
        if ship.fits(letters):
            if ship.fleet != fleet:
                fleet = ship.fleet
                lines.append(heading(fleet))
            lines.append(_ship_line(ship, ", ".join(sides.get(ship.berth, ()))))
    if not lines:
        text = f"no ship has “{letters}” in name, kind or fleet" if letters else "no fleet for these rules"
        lines.append(words(text, "$quiet"))
    faulty = () if letters else fleets.faulty
    lines.extend(
        words(f"✗ {fault.file.rpartition('/')[2]}: {first_fault(str(fault))}", "$text-error")
        for fault in faulty
    )
    return lines


def _ship_line(ship: OfferedShip, side: str) -> PickLine:
    def draw(width: int) -> Content:
        name = max(10, min(30, width - 2 - 2 - 12 - 10))
        rest = max(0, width - 2 - name - 1)
        said = f"{ship.card.get('kind') or ''}"
        kind = fit(said, 13 if side else rest) if rest > 13 else cut(said, rest)
        where = cut(f" {side}", max(0, rest - 13)) if side else ""
        return Content.assemble(
            literal(f"{IN} " if side else "  ", "bold $text-success"),
            literal(fit(str(ship.card["name"]), name), "bold" if side else ""),
            literal(f" {kind}", "$quiet"),
            literal(where, "bold"),
        )

    return PickLine(ship.key, draw)


def order_lines(draft: Draft, fleets: Fleets, aim: DraftPlace) -> list[PickLine]:
    """A draft's order of battle, with a sign where ships go."""
    lines: list[PickLine] = []
    for number, side in enumerate(draft.sides):
        lines.append(_side_line(order_key(DraftPlace(number), "side"), side))
        for at, division in enumerate(side.divisions):
            place = DraftPlace(number, at)
            name = division.name or ("one division" if len(side.divisions) == 1 else side.name)
            player = f" · {division.player}" if division.player else ""
            later = "" if division.due is None else " · arrives later"
            lines.append(_division_line(order_key(place), f"{name}{player}{later}", place == aim))
            lines.extend(_picked(fleets, place, berth) for berth in division.ships)
    return lines


def _side_line(key: str, side: DraftSide) -> PickLine:
    def draw(width: int) -> Content:
        ships = f": {count(len(side.ships), 'ship')}"
        return literal(cut(side.name or "(no name)", width - len(ships)) + ships, "bold $secondary")

    return PickLine(key, draw, section=True)


def _division_line(key: str, text: str, aimed: bool) -> PickLine:
    def draw(width: int) -> Content:
        sign = cut(AIM, max(1, width // 2)) if aimed else ""
        said = cut(f" {text}", max(1, width - len(sign) - 1))
        return Content.assemble(literal(said, "bold" if aimed else ""), literal(f" {sign}", "bold $accent"))

    return PickLine(key, draw)


def _picked(fleets: Fleets, place: DraftPlace, berth: FleetShip) -> PickLine:
    card = fleets.card(berth)
    name, kind = str(card.get("name") or berth.ship), str(card.get("kind") or "")
    key = _PARTS.join((order_key(place), berth.fleet, berth.ship))
    return PickLine(
        key,
        lambda width: Content.assemble(
            literal(cut(f"   {name}", width)),
            literal(cut(f"  {kind}", max(0, width - 3 - _cells(name))), "$quiet"),
        ),
    )


def _cells(text: str) -> int:
    return literal(text).cell_length


def order_key(place: DraftPlace, kind: str = "division") -> str:
    """The key of a side's or a division's line."""
    return f"{kind}:{place.side}:{place.division}"


def place_of_key(key: str) -> tuple[DraftPlace, FleetShip | None]:
    """The division that a line of the order of battle is in, and its ship if it has one."""
    where, _, ship = key.partition(_PARTS)
    _, side, division = where.split(":")
    return DraftPlace(int(side), int(division)), berth_of(ship) if ship else None
