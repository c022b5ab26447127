"""Which ships of a side the logs show, with which sign, and in which order: sunk ships always last."""

from collections.abc import Iterable, Mapping
from enum import Enum

from attrs import evolve, frozen

from qf_tui.core.effects import field_value
from qf_tui.core.system import Available, Column, RuleSystem
from qf_tui.core.values import SUNK, Battle, Ship

OWES, WAITS, CHANGED = "?", "•", "*"
"""Before a ship's name: it owes a roll; it may still act, in a way without a letter; an entry changed it."""
NAMES = "name"
"""The column of the names, which no rule system declares."""
UP, DOWN = "▲", "▼"


@frozen
class Sign:
    """What stands before a ship's name.

    `owes`: it owes a roll. `acts`: it may act, with a letter for each way that has one. `changed`: an entry
    that is looked back at changed it.
    """

    owes: bool = False
    acts: bool = False
    letters: str = ""
    changed: bool = False

    @property
    def text(self) -> str:
        """The sign as it is drawn."""
        able = self.letters or WAITS if self.acts else ""
        return f"{OWES if self.owes else ''}{able}{CHANGED if self.changed else ''}"


NO_SIGN = Sign()


def signs_of(battle: Battle, may: Iterable[Available]) -> dict[str, Sign]:
    """The signs of a battle as it stands, of those ships that have one; `may` are those that may act."""
    signs = {one.ship: Sign(acts=True, letters=one.letters) for one in may}
    return signs | {one.ship: evolve(signs.get(one.ship, NO_SIGN), owes=True) for one in battle.owed}


class Show(Enum):
    """Which ships are shown, in words."""

    ALL = ""
    PRESENT = "in the battle"
    MAY_ACT = "may act"
    OWE = "owe a roll"


@frozen
class Arrangement:
    """By which column the ships are sorted ("" as in the fleet), in which direction, and which are shown.

    `may`: of those that may act only those that may do what the letter says.
    """

    column: str = ""
    least_first: bool = False
    show: Show = Show.ALL
    letters: str = ""
    may: str = ""

    @property
    def said(self) -> str:
        """What is left out, in words, or nothing."""
        parts = [f"{self.show.value} {self.may}".rstrip()] if self.show.value else []
        return ", ".join([*parts, f"“{self.letters}”"] if self.letters else parts)

    @property
    def sign(self) -> str:
        return UP if self.least_first else DOWN

    def sorted_by(self, column: Column | None) -> "Arrangement":
        """Sorted by another column, None for the names.

        The same column again reverses the order, a third time restores that of the fleet.
        """
        name, first = (column.name, False) if column else (NAMES, True)
        if name != self.column:
            return evolve(self, column=name, least_first=first)
        if self.least_first is first:
            return evolve(self, least_first=not first)
        return evolve(self, column="", least_first=False)

    def showing_next(self, signs: Iterable[Sign] = ()) -> "Arrangement":
        """The next choice of ships: all, in the battle, may act, owe a roll.

        Where the signs have several letters, those that may do each thing come last.
        """
        letters = sorted({letter for sign in signs for letter in sign.letters})
        choices = [(show, "") for show in Show]
        choices += [(Show.MAY_ACT, letter) for letter in letters if len(letters) > 1]
        here = (self.show, self.may)
        at = choices.index(here) if here in choices else choices.index((self.show, ""))
        show, may = choices[(at + 1) % len(choices)]
        return evolve(self, show=show, may=may)

    def ships(
        self, system: RuleSystem, battle: Battle, side: str, signs: Mapping[str, Sign]
    ) -> tuple[Ship, ...]:
        """A side's ships as they are arranged."""
        own = [
            ship
            for ship in battle.ships.values()
            if ship.side == side
            and self._shows(system, ship, signs)
            and (not self.letters or found_by(battle, ship, self.letters))
        ]
        if self.column == NAMES:
            own.sort(key=lambda ship: ship.name.casefold(), reverse=not self.least_first)
        elif self.column:
            fields = next((one.fields for one in system.columns if one.name == self.column), ())
            own.sort(key=lambda ship: _worth(ship, fields), reverse=not self.least_first)
        return tuple(sorted(own, key=lambda ship: ship.status == SUNK))

    def _shows(self, system: RuleSystem, ship: Ship, signs: Mapping[str, Sign]) -> bool:
        if self.show is Show.PRESENT:
            return not system.departed(ship)
        sign = signs.get(ship.id, NO_SIGN)
        if self.show is Show.MAY_ACT:
            return self.may in sign.letters if self.may else sign.acts
        return self.show is Show.ALL or sign.owes


def found_by(battle: Battle, ship: Ship, letters: str) -> bool:
    """Whether letters are in a ship's name, id, kind, division or its player's name."""
    side = battle.side(ship.side)
    divisions = [one for one in (side.divisions if side else ()) if one.id == ship.division]
    players = [one.player for one in divisions]
    words = (ship.name, ship.id, str(ship.card.get("kind", "")), ship.division, *players)
    return letters.casefold() in " ".join(words).casefold()


def _worth(ship: Ship, fields: tuple[str, ...]) -> tuple[tuple[float, str], ...]:
    """What a column shows of a ship, as it compares."""
    return tuple(_measured(field_value(ship, name)) for name in fields)


def _measured(value: object) -> tuple[float, str]:
    if isinstance(value, tuple):
        return float(len(value)), ""
    if isinstance(value, int | float):
        return float(value), ""
    return -1.0, str(value or "")
