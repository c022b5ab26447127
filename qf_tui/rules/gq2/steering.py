"""Speed made and inches moved: what bridge and rudder leave a ship (GQ2-CRI-1, -2 and -C, GQ2-MV-1)."""

from fractions import Fraction

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.errors import Finding, refused
from qf_tui.core.measure import exact
from qf_tui.core.text import whose
from qf_tui.core.values import Battle, Ship
from qf_tui.rules.gq2 import engines
from qf_tui.rules.gq2.measures import figure, with_unit
from qf_tui.rules.gq2.options import option
from qf_tui.rules.gq2.ship import binding, speed

RUDDER_TURN = Fraction(3, 2)
"""Inches of the speed being made that a turn of 45° costs with a damaged rudder (GQ2-CRI-2)."""

ABOUT = 4
"""Turns of 45° in a turn about."""


def cost(ship: Ship, turns: int) -> Fraction:
    """Inches that turns of 45° cost a ship (GQ2-CRI-2)."""
    return RUDDER_TURN * turns if ship.live("rudder") else Fraction(0)


def inches_open(battle: Battle, ship: Ship, turns: int) -> tuple[Fraction, Fraction]:
    """The least and the most inches that a ship may move with so many turns, by the speed it may make."""
    least, most = engines.voluntary(battle, ship)
    least = max(engines.held_half(battle, ship), least - cost(ship, turns))
    return least, max(Fraction(0), most - cost(ship, turns))


def speed_made(battle: Battle, ship: Ship, inches: Fraction, turns: int) -> Fraction:
    """The speed made by a move: the inches and the cost of its turns (GQ2-CRI-2).

    Where the turns cost more than the ship must make, it may stay in its place, and makes the least.
    """
    least, lost = engines.voluntary(battle, ship)[0], cost(ship, turns)
    return least if not inches and lost > least else inches + lost


def out_of_reach(battle: Battle, ship: Ship, inches: Fraction, turns: int) -> list[Finding]:
    """What hinders a move of so many inches and turns: boxes, last turn's speed, bridge and rudder."""
    now, name = speed(battle, ship), ship.name
    if inches > now:
        why = f"{name} can make {with_unit(battle, now)}, not {with_unit(battle, inches)}"
        return [refused(why, engines.limit_clause(battle, ship))]
    least, most = inches_open(battle, ship, turns)
    if least <= inches <= most:
        return []
    span, found = span_words(battle, least, most), with_unit(battle, inches)
    if cost(ship, turns):
        why = f"{whose(name)} rudder is hit: with {_turns(turns)} of 45° it moves {span}, not {found}"
        return [refused(why, "GQ2-CRI-2")]
    if inches < engines.held_half(battle, ship):
        why = (
            f"{whose(name)} bridge is hit: it moves {span}, the first half at last turn's speed, not {found}"
        )
        return [refused(why, "GQ2-CRI-C")]
    return [refused(f"{name}: from last turn's speed {span}, not {found}", "GQ2-MV-1")]


def span_words(battle: Battle, least: Fraction, most: Fraction) -> str:
    """From the least to the most inches, or the one that is left."""
    return (
        with_unit(battle, most)
        if least == most
        else f"{with_unit(battle, least)} to {with_unit(battle, most)}"
    )


def record_made(builder: DecisionBuilder, ship: Ship, inches: Fraction, turns: int) -> None:
    """Keeps the speed made where it is not the inches moved."""
    made = figure(speed_made(builder.battle, ship, inches, turns)) if cost(ship, turns) else None
    if ship.log.get("made") != made:
        builder.record(ship.id, "made", made)


def made(ship: Ship, inches: Fraction) -> Fraction:
    """The speed that a ship has made this turn, where it moved so many inches."""
    return inches if ship.log.get("made") is None else exact(ship.log["made"])


def carried_on(battle: Battle, ship: Ship) -> Fraction:
    """The speed from which the next turn starts: the speed made, or by the switch the inches (GQ2-CRI-2)."""
    moved = exact(ship.log["moved"])
    return made(ship, moved) if option(battle, "rudder_speed") == "made" else moved


def advice(battle: Battle, ship: Ship, inches: Fraction, turns: int) -> list[tuple[str, str]]:
    """What hits on bridge and rudder make of a move, in words with their clauses."""
    found = []
    if binding(battle, ship, "bridge"):
        half = inches / 2 if ship.log.get("went") is None else engines.held_half(battle, ship)
        rest = f"the other {with_unit(battle, max(Fraction(0), inches - half))} are as the umpire says"
        text = f"{ship.name} holds speed and course through the first half, {with_unit(battle, half)}"
        found.append((f"{text}; {rest}", "GQ2-CRI-C"))
    lost = cost(ship, turns)
    if lost:
        makes, of_it = with_unit(battle, speed_made(battle, ship, inches, turns)), with_unit(battle, lost)
        cost_it = f"{_turns(turns)} of 45° {'costs' if turns == 1 else 'cost'} {of_it} of it"
        found.append((f"{ship.name} makes {makes}: {cost_it}", "GQ2-CRI-2"))
    elif ship.live("rudder"):
        each = with_unit(battle, RUDDER_TURN)
        found.append((f"{ship.name}: every turn of 45° costs {each} of its speed", "GQ2-CRI-2"))
    return found


def reminders(battle: Battle, ship: Ship, turns: int) -> list[str]:
    """The inches that are open to a ship whose bridge or rudder is hit."""
    if not (cost(ship, turns) or binding(battle, ship, "bridge")):
        return []
    clause = "GQ2-CRI-2" if cost(ship, turns) else "GQ2-CRI-C"
    span = span_words(battle, *inches_open(battle, ship, turns))
    return [f"open to {ship.name} with {_turns(turns)}: {span} ({clause})"]


def _turns(turns: int) -> str:
    return f"{turns} turn{'' if turns == 1 else 's'}"
