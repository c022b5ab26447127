"""An order of battle in lines: sides, divisions, players, and each ship's card in columns."""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path

from attrs import field, frozen
from textual.content import Content

from qf_tui.console.widgets.picklist import PickLine, heading, words
from qf_tui.console.widgets.text import CUT, cut, fit, literal, width_of
from qf_tui.core.grammar.names import spelt
from qf_tui.core.ship_facts import ATTESTED, ORIGIN, ShipFacts, attested_of
from qf_tui.core.system import CardField, RuleSystem
from qf_tui.core.text import Scalar
from qf_tui.core.values import Battle, Ship
from qf_tui.library.drafts import Draft, DraftPlace, DraftSide, Fleets, FleetShip
from qf_tui.library.faults import first_fault
from qf_tui.library.fleets import Card

NONE = "–"
ATTESTED_SIGN = "*"
"""Marks a value that the rules themselves state."""
NAME_LEAST, NAME_MOST, KIND_MOST, VALUES = 14, 30, 16, 9
_UNSEEN = ("name", "kind", "id", "notes", ORIGIN, ATTESTED)


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
    if field.kind in ("numbers", "table"):
        names = [f"{field.name}.{part.name}" for part in field.parts]
        if all(card.get(name) is None for name in names):
            return NONE
        return "/".join(_plain(card.get(name)) + ATTESTED_SIGN * (name in attested) for name in names)
    return _plain(card.get(field.name)) + ATTESTED_SIGN * (field.name in attested)


def _items(field: CardField, card: Card) -> Iterable[str]:
    """Each of a field's tables in a few words."""
    for number in range(1, int(card.get(field.name) or 0) + 1):
        values = (card.get(f"{field.name}.{number}.{part.name}") for part in field.parts)
        yield " ".join(_plain(value) for value in values if value is not None)


def _plain(value: object) -> str:
    if value is None:
        return NONE
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)


def card_text(system: RuleSystem, card: Card) -> str:
    """A whole card in one text."""
    attested = attested_of(card)
    parts = []
    for one in shown_fields(system):
        shown = value_of(one, card, attested)
        listed = f" ({'; '.join(_items(one, card))})" if one.kind == "tables" and shown != "0" else ""
        parts.extend([] if shown == NONE else [f"{title_of(one)} {shown}{listed}"])
    return " · ".join((*parts, f"values {card.get(ORIGIN) or 'not said'}"))


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
        parts = [fit(title_of(field), width, right=True) for field, width in self.shown]
        more = f" {CUT}+{self.more}" if self.more else ""
        said = f"  {fit('values', VALUES)}" if self.values else ""
        return "".join(f"  {part}" for part in parts) + said + more

    def line(self, card: Card) -> Content:
        """A ship's line."""
        attested = attested_of(card)
        name = fit(str(card["name"]), self.name)
        kind = f"  {fit(str(card.get('kind') or ''), self.kind)}"
        cells = "".join(
            f"  {fit(value_of(field, card, attested), width, right=True)}" for field, width in self.shown
        )
        said = f"  {fit(str(card.get(ORIGIN) or ''), VALUES)}" if self.values else ""
        return Content.assemble(
            literal(name), literal(kind, "$quiet"), literal(cells), literal(said, "$quiet")
        )


def columns(system: RuleSystem, cards: Iterable[Card], width: int) -> CardColumns:
    """The columns for these cards, the first declared first, as far as they fit."""
    cards = tuple(cards)
    name = _longest((card["name"] for card in cards), NAME_LEAST, NAME_MOST if width > 100 else 20)
    kind = _longest((card.get("kind") or "" for card in cards), 4, KIND_MOST if width > 100 else 12)
    left = width - name - kind - 2 - 5
    said = left > VALUES + 2
    left -= (VALUES + 2) * said
    shown: list[tuple[CardField, int]] = []
    said_of = {
        field: [value_of(field, card, attested_of(card)) for card in cards] for field in shown_fields(system)
    }
    fields = [named for named, values in said_of.items() if set(values) != {NONE}]
    for named in fields:
        values = said_of[named]
        needs = _longest(values, width_of(title_of(named)), 24)
        if needs + 2 > left:
            break
        left -= needs + 2
        shown.append((named, needs))
    return CardColumns(name, kind, tuple(shown), len(fields) - len(shown), said)


def _longest(texts: Iterable[object], least: int, most: int) -> int:
    return max(least, min(most, max((width_of(str(text)) for text in texts), default=0)))


def switches(system: RuleSystem, options: Mapping[str, Scalar]) -> list[str]:
    """The switches that are not at their defaults, each with its clause and meaning."""
    return [
        f"{one.name} = {options[one.name]} (usually {one.default}; {one.clause}: {one.text})"
        for one in system.options
        if one.name in options and options[one.name] != one.default
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


Offered = tuple[str, FleetShip, str, str]
"""Where a ship is from, what a draft calls her, her name and her kind."""
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


def ship_lines(draft: Draft, fleets: Fleets, letters: str, offered: Sequence[Offered]) -> list[PickLine]:
    """The ships that are offered, those put in with the side they are on, and the fleets with faults."""
    sides: dict[FleetShip, list[str]] = {}
    for side in draft.sides:
        for berth in side.ships:
            sides.setdefault(berth, []).append(side.name)
    there = {berth: ", ".join(names) for berth, names in sides.items()}
    lines: list[PickLine] = []
    for source, those in groupby(offered, key=lambda one: one[0]):
        lines.append(heading(source))
        lines += (_ship_line(berth, name, kind, there.get(berth, "")) for _, berth, name, kind in those)
    if not lines:
        text = f"no ship fits “{letters}”" if letters else "no fleet for these rules"
        lines.append(words(text, "$quiet"))
    faulty = () if letters else fleets.faulty
    lines.extend(words(f"✗ {Path(fault.file).name}: {first_fault(fault)}", "$text-error") for fault in faulty)
    return lines


def offered(fleets: Fleets, letters: str, found: FoundShips) -> Iterator[Offered]:
    """The ships that letters fit, by fleet, and behind them those of navies; a fleet's ship once."""
    listed = set()
    for ship in ships_of(fleets):
        if ship.fits(letters):
            listed.add(ship.berth)
            yield ship.fleet, ship.berth, str(ship.card["name"]), str(ship.card.get("kind") or "")
    for berth, one in found:
        if berth not in listed:
            year = berth.source.year if berth.source.year is not None else one.since
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
