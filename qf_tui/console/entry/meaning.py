"""What the texts of a half-filled dialog mean in a battle: which are settled, and the order that they make."""

import re
from collections.abc import Sequence

from attrs import evolve, frozen

from qf_tui.console.entry.candidates import choices_of, listed_by, side_against
from qf_tui.console.entry.form_state import DICE, Filling
from qf_tui.console.reading.matching import Choice, only_ship
from qf_tui.console.widgets.text import listed
from qf_tui.core.forms import REST, Kind, Slot
from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Battle

_MEASURED = re.compile(r"\d[\d.,/¼½¾]*\s*[a-z″\"]*", re.IGNORECASE)


@frozen
class Reader:
    """What the texts of a filling mean in a battle."""

    system: RuleSystem
    battle: Battle

    def choices(self, filling: Filling, name: str) -> tuple[Choice, ...]:
        """What a field may hold that fits its letters."""
        slot = filling.slot(name)
        if slot is None:
            return ()
        letters = filling.text(name).rpartition(",")[2].strip()
        return choices_of(self.system, self.battle, filling.form, slot, letters, self._before(filling, name))

    def words(self, filling: Filling, name: str) -> str | None:
        """The words of the order that a field makes; "" where it is left out, None where it is not settled."""
        text = filling.text(name).strip()
        slot = filling.slot(name)
        if slot is None:
            return text
        if not text:
            return "" if slot.optional else None
        if slot.kind is Kind.NAME and not slot.listed:
            # The form does not know what it may hold, the battle does.
            found = [choice.text for choice in self.choices(filling, name)]
            return found[0] if len(found) == 1 else text.split()[0]
        return self._settled(slot, text, self._before(filling, name))

    def order(self, filling: Filling) -> str:
        """The order as far as it is filled in."""
        parts = [filling.form.word]
        faces = filling.text(DICE).replace(",", " ").split()
        for slot in filling.form.slots:
            if slot.kind is Kind.FLAG:
                parts.extend(slot.choices[:1] if slot.name in filling.flags else ())
            elif slot.kind is Kind.DIE:
                parts.extend(faces[:1])
                faces = faces[1:]
            else:
                words = self.words(filling, slot.name)
                words = filling.text(slot.name) if words is None else words
                parts.extend([slot.keyword, words] if words and slot.keyword else [words])
        return " ".join(part for part in (*parts, *faces) if part)

    def settled(self, filling: Filling) -> Filling:
        """The same dialog with what its texts mean in their place, as far as they are settled."""
        meant = {slot.name: self.words(filling, slot.name) or "" for slot in filling.slots}
        return evolve(filling, texts={**filling.texts, **meant})

    def open(self, filling: Filling) -> tuple[str, ...]:
        """The fields that must be filled and are not settled."""
        return tuple(slot.name for slot in filling.slots if self.words(filling, slot.name) is None)

    def first_open(self, filling: Filling, behind: str = "") -> str:
        """The field to go on with: the first that is open, else the dice, else the next or last one."""
        names, open = filling.names, self.open(filling)
        rest = names[names.index(behind) + 1 :] if behind in names else names
        found = next((name for name in (*rest, *names) if name in open and name != behind), "")
        return found or (names[-1] if DICE in names or not rest else rest[0])

    def whole(self, filling: Filling, name: str) -> bool:
        """Whether a field is of one word, and its text means one."""
        slot = filling.slot(name)
        one = slot is not None and slot.kind not in (Kind.WORDS, Kind.CODES, Kind.RESERVE)
        return one and bool(self.words(filling, name))

    def likeliest(self, filling: Filling, name: str) -> str:
        """The first ship of those that the letters of a field may mean, where they may mean several; or nothing."""
        slot = filling.slot(name)
        if slot is None or slot.kind is not Kind.SHIP or not filling.text(name).strip():
            return ""
        found = self.choices(filling, name)
        return found[0].text if found and not self.whole(filling, name) else ""

    def unsettled(self, filling: Filling, name: str, width: int) -> str:
        """What is wrong with the letters of a field that mean no one thing, or nothing; what it offers in a width."""
        text = filling.text(name).strip()
        if not text or self.words(filling, name) is not None:
            return ""
        if self.choices(filling, name):
            return f"“{text}” may be several: write more of it"
        offered = self._offered(filling, name, text)
        return f"“{text}” is none of {listed(offered, width)}" if offered else f"“{text}” is not a number"

    def _offered(self, filling: Filling, name: str, text: str) -> list[str]:
        """What a field may hold at all; behind an `@` the divisions."""
        if text.startswith("@"):
            return [f"@{division.id}" for side in self.battle.sides for division in side.divisions]
        return [choice.label for choice in self.choices(filling.with_text(name, ""), name)]

    def ends_ship(self, filling: Filling, name: str, character: str, offered: bool) -> bool:
        """Whether a field names a ship already, or one is offered in it, and a character is for the next field.

        No ship's name goes on with it, and it is a digit or begins a choice of that field.
        """
        slot = filling.slot(name)
        if slot is None or slot.kind is not Kind.SHIP or not (self.whole(filling, name) or offered):
            return False
        if self.choices(filling.with_text(name, filling.text(name) + character), name):
            return False
        behind = filling.slot(self.first_open(filling, name))
        choices = behind.choices if behind is not None else ()
        return character.isdigit() or any(one.startswith(character.lower()) for one in choices)

    def named(self, filling: Filling, name: str) -> str | None:
        """What a field is taken for, ships by their names; "" if just for its text, None if it is not settled."""
        words = self.words(filling, name)
        if words is None:
            return None
        ships = self.battle.ships
        named = ", ".join(ships[id].name if id in ships else id for id in words.split(","))
        return "" if named == filling.text(name).strip() else named

    def division_of(self, filling: Filling, name: str) -> str:
        """The whole division, as it is typed, of the ship that stands first in a field; or nothing."""
        ship = self.battle.ships.get((self.words(filling, name) or "").split(",")[0])
        return f"@{ship.division}" if ship and ship.division else ""

    def sure(self, filling: Filling, name: str, text: str) -> str:
        """The one choice that the letters of a closed list mean, or nothing."""
        slot = filling.slot(name)
        if slot is None or not text:
            return ""
        closed = slot.choices if slot.kind in (Kind.CHOICE, Kind.MEASURE) else ()
        if slot.listed and text.isalpha():
            closed = tuple(listed_by(self.battle, slot, self._before(filling, name)))
        found = [choice for choice in closed if choice.startswith(text.lower())]
        return found[0] if len(found) == 1 else ""

    def _before(self, filling: Filling, name: str) -> list[str]:
        found: list[str] = []
        for slot in filling.slots:
            if slot.name == name:
                break
            text = filling.text(slot.name).strip()
            found.extend((self._settled(slot, text, found) or "").split(",") if text else ())
        return found

    def _settled(self, slot: Slot, text: str, before: Sequence[str]) -> str | None:
        if slot.kind is Kind.SHIP:
            return self._ship(text, before)
        if slot.kind is Kind.SHIPS:
            if text.startswith("@"):
                return self._division(text)
            ids = [self._ship(part.strip(), before) for part in text.split(",") if part.strip()]
            return ",".join(id for id in ids if id) if all(ids) else None
        if slot.kind is Kind.CHOICE:
            return self._one(text, slot.choices)
        if slot.kind is Kind.MEASURE:
            return self._measure(slot, text)
        if slot.kind is Kind.COUNT:
            return text if text.isdecimal() else None
        if slot.kind is Kind.SIDE:
            sides = [side for side in self.battle.sides if side.name.casefold().startswith(text.casefold())]
            return (
                sides[0].id if len(sides) == 1 else self._one(text, [side.id for side in self.battle.sides])
            )
        if slot.kind in REST:
            return text
        if slot.listed:
            return self._one(text.split()[0], listed_by(self.battle, slot, before))
        return text.split()[0]

    def _ship(self, text: str, before: Sequence[str]) -> str | None:
        found = only_ship(text, tuple(self.battle.ships.values()), side_against(self.battle, before))
        return found.id if found else None

    def _division(self, text: str) -> str | None:
        names = [division.id for side in self.battle.sides for division in side.divisions]
        found = self._one(text[1:], names)
        return f"@{found}" if found else None

    def _one(self, text: str, words: Sequence[str]) -> str | None:
        found = [word for word in words if word.startswith(text.lower())]
        return text.lower() if text.lower() in words else found[0] if len(found) == 1 else None

    def _measure(self, slot: Slot, text: str) -> str | None:
        """A distance; a bare number has the unit of the table where the slot takes no plain number."""
        if not _MEASURED.fullmatch(text):
            return self._one(text, slot.choices)
        bare = text.replace(".", "", 1).isdigit()
        return f"{text}{self._unit()}" if bare and not slot.bare else text

    def _unit(self) -> str:
        table = self.battle.table
        named = (table.get("scale"), table.get("units"))
        return next((scale.unit for scale in self.system.scales if (scale.name, scale.units) == named), "")
