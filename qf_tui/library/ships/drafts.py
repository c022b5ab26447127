"""A ship while she is entered: the texts of her columns, what they come to, and what nobody said of her.

Values: each step makes another. Nothing is written before she is kept.
"""

from collections.abc import Mapping
from pathlib import Path

from attrs import evolve, field, frozen

from qf_tui.core.ship_facts import HandValue, ShipFacts, contradictions
from qf_tui.library.ships.navies import BY_HAND, NEEDED, identified, read_row, row_of
from qf_tui.library.ships.own import ShipKey, delete_ship, key_of, own_navy, own_ships, save_ships
from qf_tui.library.ships.spelling import spelled

_BUILDING = 2
"""Years from launch to completion where nobody says."""
_HERS = ("id", "name", "from", "sisters", "fought", "differ", "note")
"""What a sister does not have of the ship that she is copied from."""


@frozen
class ShipDraft:
    """What is known so far: `texts` as they were typed, by column, and the values set by hand.

    `kept` is the row of the user's own that she stands in, if there is one.
    """

    navy: str = ""
    texts: Mapping[str, str] = field(factory=dict)
    by_hand: tuple[HandValue, ...] = ()
    kept: tuple[str, ShipKey] | None = None

    @classmethod
    def of(cls, ship: ShipFacts) -> "ShipDraft":
        """A ship to be changed; one of ours becomes the user's own by it."""
        row = row_of(ship)
        texts = {heading: text for heading, text in row.items() if text and heading != BY_HAND.heading}
        return cls(ship.navy, texts, ship.by_hand, (ship.navy, key_of(ship)) if ship.own else None)

    @classmethod
    def like(cls, ship: ShipFacts) -> "ShipDraft":
        """A sister of a ship: all but what is the ship's alone."""
        draft = cls.of(ship)
        texts = {heading: text for heading, text in draft.texts.items() if heading not in _HERS}
        return evolve(draft, texts={**texts, "note": f"as {ship.name}"}, kept=None)

    def text(self, heading: str) -> str:
        return self.texts.get(heading, "")

    def with_text(self, heading: str, text: str) -> "ShipDraft":
        """With another text of a column."""
        return evolve(self, texts={**self.texts, heading: text})

    def set_by_hand(self, system: str, key: str, text: str) -> "ShipDraft":
        """With a value set by hand; "" leaves it to the method again."""
        others = tuple(one for one in self.by_hand if (one.system, one.key) != (system, key))
        return evolve(self, by_hand=(*others, HandValue(system, key, text)) if text else others)

    def hand(self, system: str, key: str) -> str:
        """A value as it was set by hand, or nothing."""
        return next((one.text for one in self.by_hand if (one.system, one.key) == (system, key)), "")

    @property
    def defaults(self) -> Mapping[str, str]:
        """What columns are taken for that nobody filled."""
        row = {heading: spelled(heading, text) for heading, text in self.texts.items()}
        found = {"id": identified(row.get("name", "")), "class": row.get("name", "")}
        launched, completed = row.get("launched", ""), row.get("completed", "")
        if launched.isdecimal():
            found["completed"] = str(int(launched) + _BUILDING)
        elif completed.isdecimal():
            found["launched"] = str(int(completed) - _BUILDING)
        return {heading: text for heading, text in found.items() if text and not row.get(heading)}

    @property
    def row(self) -> Mapping[str, str]:
        """Her row as it would be kept."""
        row = {heading: spelled(heading, text) for heading, text in self.texts.items()}
        by_hand = "; ".join(map(str, self.by_hand))
        return {**row, **self.defaults, **({BY_HAND.heading: by_hand} if by_hand else {})}

    @property
    def read(self) -> "DraftReading":
        """What it comes to."""
        ship, faults = read_row(self.row, self.navy)
        missing = tuple(fault.place for fault in faults if not self.row.get(fault.place))
        wrong = {fault.place: fault.text for fault in faults if fault.place not in missing}
        return DraftReading(ship, tuple(one for one in NEEDED if one in missing), wrong)

    @property
    def over(self) -> str:
        """The name of another ship of the user's own whose row she would take; "" if there is none."""
        ship = self.read.ship
        if ship is None or self.kept == (self.navy, key_of(ship)):
            return ""
        return next((one.name for one in own_ships(self.navy) if key_of(one) == key_of(ship)), "")

    def keep(self) -> Path:
        """Writes her into the user's file of her navy; QfError says why not, and then nothing is changed."""
        navy, instead = self.kept or (self.navy, None)
        moved = own_navy(navy) != own_navy(self.navy)
        path = save_ships(self.navy, [self.row], [] if moved or instead is None else [instead])
        if moved and instead is not None:
            delete_ship(navy, instead)
        return path


@frozen
class DraftReading:
    """A draft read: the ship, or what of her is `missing`, by columns, and what is `wrong`."""

    ship: ShipFacts | None
    missing: tuple[str, ...]
    wrong: Mapping[str, str]

    @property
    def odd(self) -> tuple[str, ...]:
        """What can hardly be so."""
        return contradictions(self.ship) if self.ship else ()
