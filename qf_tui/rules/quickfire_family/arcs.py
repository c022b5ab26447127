"""The 90° arcs over bow and stern: which one an order names, and how a battery of a ship fires in it."""

from collections.abc import Iterable

from qf_tui.core.errors import Finding, refused
from qf_tui.core.grammar.order import Order
from qf_tui.core.system import CardField, Field
from qf_tui.core.text import whose
from qf_tui.core.values import Ship
from qf_tui.rules.quickfire_family.ship import Battery, card_field

FULL, HALVED, NONE = "full", "halved", "none"
_WORDS = (HALVED, FULL, NONE)
ENDS = ("bow", "stern")
EITHER = "end"
"""The word of an order for the bow or the stern arc, where the firer fires alike in both."""

ARCS = CardField(
    "arcs",
    "table",
    "fire in each end arc by battery; left out: as end_arc has it",
    parts=tuple(
        CardField(
            end,
            "table",
            f"fire over the {end}",
            parts=tuple(
                CardField(each.value, "word", f"{each.value} guns", words=_WORDS) for each in Battery
            ),
        )
        for end in ENDS
    ),
)


def arc_fields(clause: str) -> tuple[Field, ...]:
    """The fields of the card that say how a ship fires in the end arcs."""
    return (
        card_field("end_arc", "fire in the end arcs", clause, "words", words=(HALVED, FULL)),
        *(
            card_field(_key(end, each), f"{each.value} fire over the {end}", clause, "words", words=_WORDS)
            for end in ENDS
            for each in Battery
        ),
    )


def _key(end: str, battery: Battery) -> str:
    return f"arcs.{end}.{battery.value}"


def _over(ship: Ship, end: str, battery: Battery) -> str:
    own = ship.card.get(_key(end, battery)) or ship.card.get("end_arc")
    return own if isinstance(own, str) else HALVED


def arc_of(ship: Ship, battery: Battery, order: Order) -> str:
    """How a battery fires in the arc of an order: full, halved or none.

    Where `end` may be either of two that differ it is the weaker.
    """
    named = [end for end in ENDS if order.has(end)] or (list(ENDS) if order.has(EITHER) else [])
    found = {_over(ship, end, battery) for end in named}
    return next((how for how in (NONE, HALVED) if how in found), FULL)


def arc_hindrances(firer: Ship, batteries: Iterable[Battery], order: Order, clause: str) -> list[Finding]:
    """What the arc of a shot hinders: two of them, `end` where the ends differ, no gun that bears."""
    named = [word for word in (EITHER, *ENDS) if order.has(word)]
    if len(named) > 1:
        return [refused(f"a shot has one arc: {' or '.join(named)}", clause)]
    found = []
    for battery in batteries:
        guns = f"{whose(firer.name)} {battery.value} guns"
        if order.has(EITHER) and len({_over(firer, end, battery) for end in ENDS}) > 1:
            found.append(
                refused(f"{guns} fire otherwise over the bow than over the stern: say which", clause)
            )
        elif arc_of(firer, battery, order) == NONE:
            found.append(refused(f"none of {guns} bears in the {named[0]} arc", clause))
    return found
