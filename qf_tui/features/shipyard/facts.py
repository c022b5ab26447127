"""The historical facts of a ship (guns, armor, speed, service) as text, and the signs after her name."""

from collections.abc import Iterator
from fractions import Fraction

from qf_tui.core.ship_facts import OLD_AGE, ShipFacts
from qf_tui.core.text import format_decimal
from qf_tui.library.csv_rows import BECAME


def list_facts(ship: ShipFacts) -> Iterator[tuple[str, str]]:
    """Yield short facts of a ship as pairs of label and text."""
    refit = "" if ship.since == ship.completed else f", as from {ship.since}"
    yield "built", f"launched {ship.launched}, completed {ship.completed}{refit}"
    yield "tons", f"{ship.tons:,}; {format_decimal(ship.knots)} knots"
    for label, guns, mount in (
        ("heavy", ship.heavy, ship.heavy_mount),
        ("light", ship.light, ship.light_mount),
    ):
        if guns:
            yield label, " + ".join(map(str, guns)) + (f", {mount}" if mount else "")
    if ship.small.larger or ship.small.smaller:
        yield "small", str(ship.small)
    yield "armor", _format_armor(ship)
    yield "tubes", _format_tubes(ship)
    yield "served", format_service(ship)


SIGNS = {
    "*": "your own row",
    "~": "from general knowledge alone",
    "=": "the facts of her class, in one row",
    "?": f"end not known, and launched {OLD_AGE} years before or more: she may be gone",
    "/": "began or ended then, on a day that is not known: a fleet of that day leaves her out",
}
"""Signs after a ship in a list, with their meaning."""


def list_signs(ship: ShipFacts, when: str = "") -> Iterator[str]:
    """Yield the signs of a ship in a list, in their order.

    Args:
        when: The year or day of the list, for which her first and last day matter, or "".
    """
    conditions = (
        ship.own,
        ship.is_general_knowledge,
        bool(ship.class_row or ship.sisters),
        bool(when) and ship.may_be_gone(when),
        bool(ship.find_vague_date(when)),
    )
    yield from (sign for sign, holds in zip(SIGNS, conditions, strict=True) if holds)


def format_service(ship: ShipFacts, when: str = "") -> str:
    """Format a ship's years of service under her flag and her end: `1901 to 1904-05-15 lost`.

    Args:
        when: The year or day of the list, or "". If her service begins or ends in the year or month of
            `when`, on an unknown day, that date becomes `during 1904`.
    """
    vague = ship.find_vague_date(when)
    begins, until = (
        f"during {date}" if date and date == vague else date for date in (ship.begins, ship.serves_until)
    )
    if ship.has_open_end:
        return f"{begins}, end not known"
    ended = f"then {ship.ended}" if ship.ended in BECAME else ship.ended
    return " ".join(filter(None, (begins, f"to {until}" if until else "", ended)))


def _format_armor(ship: ShipFacts) -> str:
    """Format a ship's armor in inches and its kind of plate; `none` if she has no armor."""
    inches = {
        "belt": ship.belt,
        "ends": ship.belt_ends,
        "side": ship.upper_side,
        "heavy guns": ship.heavy_armor,
        "light guns": ship.light_armor,
        "deck": ship.deck,
        "slope": ship.deck_slope,
        "tower": ship.conning_tower,
    }
    parts = (
        f"{name} {format_decimal(thickness) if isinstance(thickness, Fraction) else thickness}"
        for name, thickness in inches.items()
        if thickness
    )
    text = ", ".join(parts)
    plate = f" of {ship.plate}" if ship.plate else ""
    return f"{text} in{plate}" if text else "none"


def _format_tubes(ship: ShipFacts) -> str:
    """Format a ship's torpedo tubes: their number, bores, and how many are below water; or `none`.

    If no source says whether she has any, they are `unknown`.
    """
    if ship.tubes is None:
        return "unknown"
    if not ship.tubes:
        return "none"
    bores = " and ".join(map(str, ship.tube_size_in))
    of_bores = f" of {bores} in" if bores else ""
    below = f", {ship.tubes_below} below water" if ship.tubes_below else ""
    return f"{ship.tubes}{of_bores}{below}"


def list_assumed_facts(ship: ShipFacts) -> tuple[str, ...]:
    """List what is assumed about a ship, as text for people: how many guns bear, where no source says it."""
    guns = (*ship.heavy, *ship.light)
    return tuple(f"{gun.text}: {gun.bearing} bear" for gun in guns if gun.assumed)
