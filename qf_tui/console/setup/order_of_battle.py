"""An order of battle in lines: sides, divisions, players, and each ship's card in columns."""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from pathlib import Path

from attrs import field as attrs_field
from attrs import frozen
from textual.content import Content

from qf_tui.console.widgets.picklist import PickLine, heading, words
from qf_tui.console.widgets.text import CUT, cut, fit, literal, width_of
from qf_tui.core.declarations import CardField
from qf_tui.core.grammar.names import spelt
from qf_tui.core.ship_facts import ATTESTED, ORIGIN, ShipFacts, attested_of
from qf_tui.core.system import RuleSystem
from qf_tui.core.text import Scalar
from qf_tui.core.values import Battle, Ship
from qf_tui.library.drafts import Draft, DraftPlace, DraftSide, Fleets, FleetShip
from qf_tui.library.faults import first_fault
from qf_tui.library.fleets import Card

NONE = "–"
ATTESTED_SIGN = "*"
"""Marks a value that the rules themselves state."""
IN, AIM = "✓", "◂ here"
NAME_LEAST, NAME_MOST, KIND_MOST, VALUES = 14, 30, 16, 9
_UNSEEN = ("name", "kind", "id", "notes", ORIGIN, ATTESTED)

FoundShips = Sequence[tuple[FleetShip, ShipFacts]]
"""Ships of navies, as a draft names them and with their facts."""


def shown_fields(system: RuleSystem) -> tuple[CardField, ...]:
    """The fields of a card that have columns, in the order of their declaration."""
    return tuple(
        field
        for field in system.card
        if field.name not in _UNSEEN and field.kind != "notes" and not field.of_fleet
    )


def title_of(field: CardField) -> str:
    """The title of a field's column."""
    return field.name.replace("_", " ")


def value_of(field: CardField, card: Card, attested: tuple[str, ...]) -> str:
    """What a card says of one field; `attested` are the names of attested values."""
    if field.kind not in ("numbers", "table"):
        return _plain(card.get(field.name)) + ATTESTED_SIGN * (field.name in attested)
    names = [f"{field.name}.{part.name}" for part in field.parts]
    if all(card.get(name) is None for name in names):
        return NONE
    return "/".join(_plain(card.get(name)) + ATTESTED_SIGN * (name in attested) for name in names)


def _plain(value: object) -> str:
    if value is None:
        return NONE
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)


def card_text(system: RuleSystem, card: Card) -> str:
    """A whole card in one text."""
    attested = attested_of(card)
    texts = []
    for field in shown_fields(system):
        value = value_of(field, card, attested)
        if value == NONE:
            continue
        if field.kind == "tables" and value != "0":
            rows = []
            for number in range(1, int(card.get(field.name) or 0) + 1):
                cells = (card.get(f"{field.name}.{number}.{part.name}") for part in field.parts)
                rows.append(" ".join(_plain(cell) for cell in cells if cell is not None))
            value = f"{value} ({'; '.join(rows)})"
        texts.append(f"{title_of(field)} {value}")
    return " · ".join((*texts, f"values {card.get(ORIGIN) or 'not said'}"))


@frozen
class CardColumns:
    """Which columns fit a width: each field with its cells; `more` were left out."""

    name: int
    kind: int
    shown: tuple[tuple[CardField, int], ...]
    more: int
    values: bool

    def head(self) -> str:
        """The titles."""
        titles = (f"  {fit(title_of(field), width, right=True)}" for field, width in self.shown)
        more = f" {CUT}+{self.more}" if self.more else ""
        return f"{''.join(titles)}{self._origin('values')}{more}"

    def line(self, card: Card) -> Content:
        """A ship's line."""
        attested = attested_of(card)
        cells = (
            f"  {fit(value_of(field, card, attested), width, right=True)}" for field, width in self.shown
        )
        return Content.assemble(
            literal(fit(str(card["name"]), self.name)),
            literal(f"  {fit(str(card.get('kind') or ''), self.kind)}", "$quiet"),
            literal("".join(cells)),
            literal(self._origin(str(card.get(ORIGIN) or "")), "$quiet"),
        )

    def _origin(self, text: str) -> str:
        """The last column, for where the values come from."""
        return f"  {fit(text, VALUES)}" if self.values else ""


def columns(system: RuleSystem, cards: Iterable[Card], width: int) -> CardColumns:
    """The columns for these cards, the first declared first, as far as they fit."""
    cards = tuple(cards)
    wide = width > 100
    name = _longest((card["name"] for card in cards), NAME_LEAST, NAME_MOST if wide else 20)
    kind = _longest((card.get("kind") or "" for card in cards), 4, KIND_MOST if wide else 12)
    left = width - name - kind - 2 - 5
    values = left > VALUES + 2
    left -= (VALUES + 2) * values
    needs: dict[CardField, int] = {}
    for field in shown_fields(system):
        texts = [value_of(field, card, attested_of(card)) for card in cards]
        if set(texts) != {NONE}:
            needs[field] = _longest(texts, width_of(title_of(field)), 24)
    shown: list[tuple[CardField, int]] = []
    for field, cells in needs.items():
        if cells + 2 > left:
            break
        left -= cells + 2
        shown.append((field, cells))
    return CardColumns(name, kind, tuple(shown), len(needs) - len(shown), values)


def _longest(texts: Iterable[object], least: int, most: int) -> int:
    return max(least, min(most, max((width_of(str(text)) for text in texts), default=0)))


def switches(system: RuleSystem, options: Mapping[str, Scalar]) -> list[str]:
    """The switches that are not at their defaults, each with its clause and meaning."""
    return [
        f"{switch.name} = {options[switch.name]} (usually {switch.default}; {switch.clause}: {switch.text})"
        for switch in system.options
        if switch.name in options and options[switch.name] != switch.default
    ]


def by_division(battle: Battle) -> Iterable[tuple[str, Sequence[tuple[str, Sequence[Ship]]]]]:
    """Sides and their divisions in words, each with its ships; divisions without ships are left out.

    Those that arrive later say so.
    """
    turns = {id: due.turn for due in battle.plan.schedule for id in due.ships}
    coming = [battle.reserve[id] for id in turns if id in battle.reserve]
    for side in battle.sides:
        ships = [ship for ship in (*battle.ships.values(), *coming) if ship.side == side.id]
        divisions = []
        for division in side.divisions:
            own = [ship for ship in ships if ship.division == division.id]
            player = f" · {division.player}" if division.player else ""
            if own:
                turn = turns.get(own[0].id)
                later = f" · arrives on turn {turn}" if turn else ""
                divisions.append((f"{division.name}{player}{later}", own))
        yield f"{side.name}: {ships_text(battle, side.id)}", divisions


def ships_text(battle: Battle, side: str = "") -> str:
    """How many ships there are, of a side or of all, and how many come later: `35 ships, 58 later`."""
    later = [battle.reserve[id] for id in battle.plan.arriving if id in battle.reserve]
    here, coming = (
        sum(side in ("", ship.side) for ship in ships) for ships in (battle.ships.values(), later)
    )
    return f"{count(here, 'ship')}{f', {coming} later' if coming else ''}"


def count(number: int, noun: str) -> str:
    """`1 ship`, `2 ships`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


@frozen
class Offered:
    """A ship that can be put in: where she is from, what a draft calls her, her name and her kind."""

    source: str
    ship: FleetShip
    name: str
    kind: str


@frozen
class ShipLine(PickLine):
    """The line of a ship that can be put in."""

    ship: FleetShip = attrs_field(kw_only=True)


@frozen
class OrderLine(PickLine):
    """A line of the order of battle: of a division, of a `ship` in it, or of the whole side."""

    place: DraftPlace = attrs_field(kw_only=True)
    ship: FleetShip | None = attrs_field(default=None, kw_only=True)
    whole_side: bool = attrs_field(default=False, kw_only=True)


def best(fleets: Fleets, letters: str, found: FoundShips) -> FleetShip | None:
    """The first ship whose name begins with the letters, if there is one; those of fleets first."""
    typed = spelt(letters)
    names = [
        (FleetShip(source, str(card["id"])), str(card["name"]))
        for source, fleet in fleets.sound.items()
        for card in fleet.cards
    ]
    names += [(ship, facts.name) for ship, facts in found]
    return next((ship for ship, name in names if typed and spelt(name).startswith(typed)), None)


def offered(fleets: Fleets, letters: str, found: FoundShips) -> Iterator[Offered]:
    """The ships that letters fit, by fleet, and behind them those of navies; a fleet's ship once."""
    typed = spelt(letters).split()
    there = set()
    for source, fleet in fleets.sound.items():
        for card in fleet.cards:
            ship = FleetShip(source, str(card["id"]))
            name, kind = str(card["name"]), str(card.get("kind") or "")
            text = spelt(f"{name} {kind} {fleet.title} {source.text}")
            if all(word in text for word in typed):
                there.add(ship)
                yield Offered(fleet.title, ship, name, kind)
    for ship, facts in found:
        if ship not in there:
            year = ship.source.year if ship.source.year is not None else facts.since
            yield Offered(f"All of {facts.navy}", ship, facts.name, f"{year} {facts.kind}")


def ship_lines(draft: Draft, fleets: Fleets, letters: str, offered: Sequence[Offered]) -> list[PickLine]:
    """The ships that are offered, those put in with the side they are on, and the fleets with faults."""
    sides: dict[FleetShip, list[str]] = {}
    for side in draft.sides:
        for ship in side.ships:
            sides.setdefault(ship, []).append(side.name)
    lines: list[PickLine] = []
    for source, offers in groupby(offered, key=lambda offer: offer.source):
        lines.append(heading(source))
        for offer in offers:
            draw = partial(_draw_ship, offer, ", ".join(sides.get(offer.ship, ())))
            lines.append(ShipLine(offer.ship, draw, ship=offer.ship))
    if not lines:
        text = f"no ship fits “{letters}”" if letters else "no fleet for these rules"
        lines.append(words(text, "$quiet"))
    faulty = () if letters else fleets.faulty
    lines.extend(words(f"✗ {Path(fault.file).name}: {first_fault(fault)}", "$text-error") for fault in faulty)
    return lines


def _draw_ship(offer: Offered, side: str, width: int) -> Content:
    cells = max(10, min(30, width - 2 - 2 - 12 - 10))
    rest = max(0, width - 2 - cells - 1)
    kind = fit(offer.kind, 13 if side else rest) if rest > 13 else cut(offer.kind, rest)
    return Content.assemble(
        literal(f"{IN} " if side else "  ", "bold $text-success"),
        literal(fit(offer.name, cells), "bold" if side else ""),
        literal(f" {kind}", "$quiet"),
        literal(cut(f" {side}", max(0, rest - 13)) if side else "", "bold"),
    )


def order_lines(draft: Draft, fleets: Fleets, aim: DraftPlace) -> list[PickLine]:
    """A draft's order of battle, with a sign where ships go."""
    lines: list[PickLine] = []
    for number, side in enumerate(draft.sides):
        whole = DraftPlace(number)
        key = order_key(whole, whole_side=True)
        lines.append(OrderLine(key, partial(_draw_side, side), section=True, place=whole, whole_side=True))
        for at, division in enumerate(side.divisions):
            place = DraftPlace(number, at)
            name = division.name or ("one division" if len(side.divisions) == 1 else side.name)
            player = f" · {division.player}" if division.player else ""
            later = "" if division.due is None else " · arrives later"
            draw = partial(_draw_division, f" {name}{player}{later}", AIM if place == aim else "")
            lines.append(OrderLine(order_key(place), draw, place=place))
            for ship in division.ships:
                draw = partial(_draw_picked, fleets.card(ship), ship.ship)
                lines.append(OrderLine((place, ship), draw, place=place, ship=ship))
    return lines


def _draw_side(side: DraftSide, width: int) -> Content:
    ships = f": {count(len(side.ships), 'ship')}"
    return literal(cut(side.name or "(no name)", width - len(ships)) + ships, "bold $secondary")


def _draw_division(text: str, sign: str, width: int) -> Content:
    sign = cut(sign, max(1, width // 2))
    shown = cut(text, max(1, width - len(sign) - 1))
    return Content.assemble(literal(shown, "bold" if sign else ""), literal(f" {sign}", "bold $accent"))


def _draw_picked(card: Card, id: str, width: int) -> Content:
    name, kind = str(card.get("name") or id), str(card.get("kind") or "")
    return Content.assemble(
        literal(cut(f"   {name}", width)),
        literal(cut(f"  {kind}", max(0, width - 3 - literal(name).cell_length)), "$quiet"),
    )


def order_key(place: DraftPlace, *, whole_side: bool = False) -> Hashable:
    """The key of a side's or a division's line."""
    return place, whole_side
