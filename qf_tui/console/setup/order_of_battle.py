"""An order of battle in lines: sides, divisions, players, and each ship's card in columns."""

from collections.abc import Iterable, Mapping, Sequence

from attrs import frozen
from textual.content import Content

from qf_tui.console.widgets.text import CUT, fit, literal, width_of
from qf_tui.core.measure import Scalar
from qf_tui.core.ratings import ATTESTED, ORIGIN, attested_of
from qf_tui.core.system import CardField, RuleSystem
from qf_tui.core.values import Battle, Ship
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
    for field in shown_fields(system):
        shown = value_of(field, card, attested)
        listed = f" ({'; '.join(_items(field, card))})" if field.kind == "tables" and shown != "0" else ""
        parts.extend([] if shown == NONE else [f"{title_of(field)} {shown}{listed}"])
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
    fields = [field for field, values in said_of.items() if set(values) != {NONE}]
    for field in fields:
        values = said_of[field]
        needs = _longest(values, width_of(title_of(field)), 24)
        if needs + 2 > left:
            break
        left -= needs + 2
        shown.append((field, needs))
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
