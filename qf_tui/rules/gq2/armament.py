"""The AF that armament boxes leave the batteries of a ship (GQ2-LOG-2)."""

from collections.abc import Iterable, Mapping
from fractions import Fraction

from attrs import evolve

from qf_tui.core.measure import Scalar, decimal, exact
from qf_tui.core.values import Battle, Ship
from qf_tui.rules.gq2.measures import of_halves
from qf_tui.rules.gq2.options import option
from qf_tui.rules.gq2.ship import Battery, af_boxes, batteries, boxes_left


def by_hand(battle: Battle) -> bool:
    """Whether the umpire sets AF himself, by the switch."""
    return option(battle, "armament_af") == "by-hand"


def armed(battle: Battle, ship: Ship) -> tuple[Battery, ...]:
    """The batteries of a ship with the AF that its armament boxes leave them (GQ2-LOG-2)."""
    printed = batteries(ship)
    if by_hand(battle):
        return printed
    return tuple(evolve(guns, af=_af(ship, guns, at), full=guns.af) for at, guns in enumerate(printed, 1))


def armed_battery(battle: Battle, ship: Ship, name: str) -> Battery:
    """One of them by its name; one without guns where the sheet has none of that name."""
    found = (guns for guns in armed(battle, ship) if guns.name == name)
    return next(found, Battery(name, Fraction(0), Fraction(0)))


def card_faults(card: Mapping[str, Scalar]) -> Iterable[tuple[str, str]]:
    """Batteries whose list of AF does not say one for each number of armament boxes left (GQ2-LOG-2)."""
    boxes = card["armament"]
    for at in range(1, int(str(card["battery"])) + 1):
        listed = sum(name.startswith(f"battery.{at}.af.") for name in card)
        if listed and listed != boxes:
            yield f"battery.{at}.af", f"expected one AF for each of {boxes} armament boxes, found {listed}"


def _af(ship: Ship, guns: Battery, at: int) -> Fraction:
    """AF by the boxes left: as the sheet lists it, else in proportion, to the nearest half, a half at least.

    What the umpire set by hand is the AF of the boxes that were left then.
    """
    boxes, left = ship.card_count("armament"), boxes_left(ship)
    by_umpire = ship.log.get(af_boxes(at))
    whole = by_umpire if isinstance(by_umpire, int) else boxes
    if not whole or left == whole:
        return guns.af
    if not left or not guns.af:
        return Fraction(0)
    listed = ship.card.get(f"battery.{at}.af.{boxes - left + 1}")
    if listed is not None and by_umpire is None:
        return exact(listed)
    halves = (2 * guns.af * left / whole + Fraction(1, 2)) // 1
    return max(Fraction(1, 2), Fraction(halves, 2))


def af_words(battle: Battle, ship: Ship) -> str:
    """AF battery by battery, as `main 7.5, secondary 1`."""
    return ", ".join(f"{guns.name} {decimal(guns.af)}" for guns in armed(battle, ship))


def loss_words(battle: Battle, ship: Ship) -> str:
    """The boxes that are left and the AF with them, or that the umpire sets it."""
    lost = ship.count("armament_lost")
    boxes = ship.card_count("armament")
    left = f"{of_halves(max(0, 2 * boxes - lost))} of {boxes} armament boxes"
    return f"{left} are left, {'set its AF by hand' if by_hand(battle) else f'AF {af_words(battle, ship)}'}"


def after_losses(battle: Battle, ship: Ship, guns: Battery) -> str:
    """What is said of the AF of a battery before it fires, where boxes were lost (GQ2-LOG-2)."""
    halves = ship.count("armament_lost")
    lost = f"{of_halves(halves)} armament box{'es' if halves > 2 else ''} lost"
    words = f"{guns.af_words} still right?" if by_hand(battle) else f"{guns.af_words}:"
    return f"{words} {lost} (GQ2-LOG-2)"
