"""A ship's values under a rule system: what it works out of her facts, and over it what her umpire set."""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from attrs import evolve

from qf_tui.core.measure import Scalar
from qf_tui.core.ratings import RatedValue, Rating
from qf_tui.core.ship_facts import HandValue, ShipFacts
from qf_tui.core.system import CardField, RuleSystem
from qf_tui.library.checking import Checker
from qf_tui.library.declared import ship_fields
from qf_tui.library.fault_words import near
from qf_tui.library.faults import FilePlace, shown
from qf_tui.library.fleet_csv import typed

HAND = "set by hand"


@lru_cache(maxsize=4096)
def rated(system: RuleSystem, ship: ShipFacts) -> Rating | None:
    """Her values, those set by hand marked; one that cannot be so is told among what was assumed.

    None where the rule system works nothing out of facts. The same ship is worked out once: she stands in
    many scenarios of the shelf.
    """
    rating = system.rate(ship)
    own = [one for one in ship.by_hand if one.system == system.name]
    if rating is None or not own:
        return rating
    values = {one.key: one for one in rating.values}
    for hand in own:
        value, fault = hand_value(system, hand)
        before = values.get(hand.key)
        if fault:
            values[hand.key] = evolve(before or RatedValue(hand.key, None, HAND), assumed=fault)
            continue
        worked = "" if before is None else f"; worked out {before.value}: {before.working}"
        values[hand.key] = RatedValue(hand.key, value, f"{HAND}{worked}", by_hand=True)
    return Rating(tuple(values.values()))


def hand_value(system: RuleSystem, hand: HandValue) -> tuple[Scalar, str]:
    """What a value set by hand is, and what is wrong with it, or nothing."""
    declared = card_value(system, hand.key)
    if declared is None:
        return None, f"there is no value {shown(hand.key)}{near(hand.key, value_keys(system))}"
    checker = Checker()
    found = checker.value(typed(declared, hand.text), declared, FilePlace().key(hand.key))
    good = found[0] if found else None
    return (good if isinstance(good, int | float | str) else None), "; ".join(map(str, checker.faults))


def hand_faults(values: Iterable[HandValue], systems: Mapping[str, RuleSystem]) -> tuple[str, ...]:
    """What is wrong with values set by hand, each with its rule system."""
    found = []
    for hand in values:
        if hand.system in systems:
            fault = hand_value(systems[hand.system], hand)[1]
        else:
            fault = f"no such rule system{near(hand.system, systems)}"
        found += [f"{hand.system}: {fault}"] if fault else []
    return tuple(found)


def value_keys(system: RuleSystem) -> tuple[str, ...]:
    """The values of a card that can be set by hand; of what there may be several of, those of the first."""
    return tuple(_keys(system.card, ""))


def _keys(fields: Iterable[CardField], prefix: str) -> Iterable[str]:
    for field in fields:
        if field.kind in ("table", "numbers"):
            yield from _keys(field.parts, f"{prefix}{field.name}.")
        elif field.kind == "tables":
            yield from _keys(field.parts, f"{prefix}{field.name}.1.")
        else:
            yield prefix + field.name


def card_value(system: RuleSystem, key: str) -> CardField | None:
    """What a system declares of a value by its dotted name, `guns.bow` or `mast.2.name`."""
    fields = {field.name: field for field in ship_fields(system) if field.name not in ("id", "name")}
    found: CardField | None = None
    parts = key.split(".")
    while parts:
        found = fields.get(parts.pop(0))
        if found is None:
            return None
        if found.kind == "tables" and (not parts or not parts.pop(0).isdecimal()):
            return None
        fields = {field.name: field for field in found.parts}
    if found is None or found.parts:
        return None
    return evolve(found, kind="number") if found.kind == "series" else found
