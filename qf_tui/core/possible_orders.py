"""The orders that a form allows a ship, worked out from the slots that it declares.

A rule system that lists who may act needs no second copy of its refusals: it asks which of these it accepts.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import product
from types import MappingProxyType

from qf_tui.core.declarations import Available, PreparedOrder
from qf_tui.core.errors import OrderRefused
from qf_tui.core.grammar import kinds
from qf_tui.core.grammar.names import listed_names
from qf_tui.core.text import Distance
from qf_tui.core.values import Battle, Form, Order, Ship, Slot, SlotValue

_ACTORS = (kinds.SHIP, kinds.SHIPS)
DISTANCES = (0, 1, 2, 4, 6, 8)
"""Sample distances, in the unit of the table, or numbers where no unit is needed."""


def possible_orders(
    form: Form,
    battle: Battle,
    ship: Ship,
    distances: Sequence[int] = DISTANCES,
    given: Mapping[str, SlotValue] = MappingProxyType({}),
    *,
    optional: bool = True,
) -> Iterator[Order]:
    """Orders of a form that a ship could be given, those without optional slots first; none if no ship acts.

    `given` are the slots that are filled already. Not `optional`: no other slot that need not be filled is.

    Numbers and distances are samples; each optional slot is filled alone, in one way. What an order would
    want in free words is left out, so that a form that must have such words gives none.
    """
    if not form.slots or form.slots[0].kind not in _ACTORS:
        return
    actor, *others = form.slots
    first: dict[str, SlotValue] = {actor.name: (ship.id,) if actor.kind is kinds.SHIPS else ship.id}
    first |= given
    others = [slot for slot in others if slot.name not in given]
    needed = [slot for slot in others if not slot.optional and slot.kind is not kinds.DIE]
    extra = [slot for slot in others if slot.optional and slot.kind is not kinds.DIE]
    for more in (None, *(extra if optional else ())):
        slots = needed if more is None else [*needed, more]
        values = [
            list(_values(slot, battle, ship, distances))[: 1 if slot is more else None] for slot in slots
        ]
        for chosen in product(*values):
            filled = first | {slot.name: value for slot, value in zip(slots, chosen, strict=True)}
            yield Order(form, {slot.name: filled[slot.name] for slot in form.slots if slot.name in filled})


def shared_out(
    order: Order, slot: str, accepts: Callable[[Order], bool], most: Callable[[Order], Iterable[Order]]
) -> tuple[Order, ...]:
    """An order of several ships, shared out: as it is to those that can, to others the best of `most`.

    `slot` holds the ships, each of which acts for itself; `most` gives what one may do instead, the likest
    first. Ships that can do nothing of it are left out; nothing where the order as it is, or none, is fine.
    """
    ships = order.many(slot)
    if len(ships) < 2:
        return ()
    alone = {id: order.with_slot(slot, (id,)) for id in ships}
    fine = tuple(id for id in ships if accepts(alone[id]))
    others = [next(filter(accepts, most(alone[id])), None) for id in ships if id not in fine]
    if not others:
        return ()
    whole = (order.with_slot(slot, fine),) if fine else ()
    return (*whole, *(one for one in others if one is not None))


def _values(slot: Slot, battle: Battle, ship: Ship, distances: Sequence[int]) -> Iterator[SlotValue]:
    """What may fill a slot."""
    if slot.kind is kinds.SHIP:
        yield from battle.ships
    elif slot.kind is kinds.SHIPS:
        yield from ((id,) for id in battle.ships)
    elif slot.kind is kinds.SIDE:
        yield from (side.id for side in battle.sides)
    elif slot.kind is kinds.DIVISION:
        yield f"@{ship.division}"
    elif slot.kind in (kinds.CHOICE, kinds.WHOLE_WORD):
        yield from slot.choices
    elif slot.kind is kinds.FLAG:
        yield True
    elif slot.kind in (kinds.COUNT, kinds.NUMBER_OF_ACT):
        yield from sorted({slot.least, min(slot.most, slot.least + 1), slot.most})
    elif slot.kind is kinds.MEASURE:
        if slot.choices:
            yield from slot.choices
        elif slot.bare:
            yield from (number for number in distances if slot.least <= number <= slot.most)
        else:
            unit = "mm" if battle.table.get("units") == "metric" else "in"
            yield from (Distance(Fraction(amount), unit) for amount in distances)
    elif slot.kind is kinds.NAME and slot.listed:
        yield from listed_names(ship, slot.listed)


def accepts_some(
    prepare: Callable[[Battle, Order], PreparedOrder], battle: Battle, orders: Iterable[Order]
) -> bool:
    """Whether the rules that prepare an order accept some of these."""
    for order in orders:
        with suppress(OrderRefused):
            if not prepare(battle, order).findings:
                return True
    return False


def available(
    forms: Iterable[Form], battle: Battle, accepts: Callable[[Battle, Form, Ship], bool]
) -> Iterator[Available]:
    """The ships that may act in this phase: those of which some order of a form of it is accepted."""
    of_phase = [form for form in forms if battle.phase in form.phases]
    for ship in battle.ships.values():
        words = [form.word for form in of_phase if accepts(battle, form, ship)]
        if words:
            letters = "".join(dict.fromkeys(word[0].upper() for word in words))
            yield Available(ship.id, " ".join(words), words[0], letters)
