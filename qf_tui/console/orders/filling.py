"""A dialog half filled: one text a slot, what each means, and the order that they make."""

from collections.abc import Mapping, Sequence

from attrs import evolve, field, frozen

from qf_tui.console.orders.candidates import Choice, choices_of, listed_by, only_ship, side_against
from qf_tui.core.forms import REST, Form, Kind, Slot
from qf_tui.core.orders import Order
from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Battle

DICE = "dice"


@frozen
class Filling:
    """A form with its texts by slot name (`dice` holds the faces) and the flags that stand."""

    form: Form
    texts: Mapping[str, str] = field(factory=dict)
    flags: frozenset[str] = frozenset()

    @classmethod
    def begun(cls, form: Form, ship: str) -> "Filling":
        """An empty dialog with a ship in its first slot for ships."""
        empty = cls(form)
        return cls(form, {empty.leading: ship}) if empty.leading and ship else empty

    @classmethod
    def of(cls, order: Order) -> "Filling":
        """The dialog that an order would have come from."""
        filling = cls(order.form)
        held = {slot: order.slots[slot.name] for slot in filling.slots if slot.name in order.slots}
        texts = {
            slot.name: (" " if slot.kind in REST else ",").join(value)
            if isinstance(value, tuple)
            else str(value)
            for slot, value in held.items()
        }
        dice = {DICE: " ".join(str(face) for face in order.dice)} if order.dice else {}
        return cls(
            order.form, {**texts, **dice}, frozenset(s.name for s in filling.switches if order.has(s.name))
        )

    @property
    def leading(self) -> str:
        """The name of the first slot for ships, or nothing."""
        return next((slot.name for slot in self.slots if slot.kind in (Kind.SHIP, Kind.SHIPS)), "")

    @property
    def first(self) -> str:
        """What the first slot for ships holds."""
        return self.text(self.leading)

    @property
    def slots(self) -> tuple[Slot, ...]:
        """The slots that are fields of their own: all but flags and dice in the midst."""
        return tuple(slot for slot in self.form.slots if slot.kind not in (Kind.FLAG, Kind.DIE))

    @property
    def switches(self) -> tuple[Slot, ...]:
        """The slots that stand or not."""
        return tuple(slot for slot in self.form.slots if slot.kind is Kind.FLAG)

    @property
    def names(self) -> tuple[str, ...]:
        """The fields in order, the dice last."""
        own = tuple(slot.name for slot in self.slots)
        return (*own, DICE) if self.form.dice else own

    def text(self, name: str) -> str:
        return self.texts.get(name, "")

    def slot(self, name: str) -> Slot | None:
        return next((slot for slot in self.form.slots if slot.name == name), None)

    def with_text(self, name: str, text: str) -> "Filling":
        return evolve(self, texts={**self.texts, name: text})

    def switched(self, name: str) -> "Filling":
        return evolve(self, flags=self.flags ^ {name})


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

    def sure(self, filling: Filling, name: str, text: str) -> str:
        """The one choice that the letters of a closed list mean, or nothing."""
        slot = filling.slot(name)
        if slot is None or not text or slot.kind not in (Kind.CHOICE, Kind.MEASURE):
            return ""
        found = [choice for choice in slot.choices if choice.startswith(text.lower())]
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
        if not text[0].isdigit():
            return self._one(text, slot.choices) if slot.choices else text
        bare = text.replace(".", "", 1).isdigit()
        return f"{text}{self._unit()}" if bare and not slot.bare else text

    def _unit(self) -> str:
        table = self.battle.table
        named = (table.get("scale"), table.get("units"))
        return next((scale.unit for scale in self.system.scales if (scale.name, scale.units) == named), "")
