"""A dialog half filled: one text a slot, and the flags that stand."""

from collections.abc import Mapping

from attrs import evolve, field, frozen

from qf_tui.core.forms import REST, Form, Kind, Slot
from qf_tui.core.grammar.order import Order

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
