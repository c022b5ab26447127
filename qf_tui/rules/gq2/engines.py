"""Engines: exhausted stokers, anchors, and getting under way (GQ2-MV-4, GQ2-MV-5, GQ2-MV-7)."""

from fractions import Fraction

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.errors import Finding, refused
from qf_tui.core.grammar.order import Order
from qf_tui.core.measure import exact
from qf_tui.core.system import Faces, Measure, PreparedOrder
from qf_tui.core.text import whose
from qf_tui.core.values import Battle, Die, Ship
from qf_tui.rules.gq2.forms import ANCHOR, STEAM
from qf_tui.rules.gq2.measures import with_unit
from qf_tui.rules.gq2.options import option
from qf_tui.rules.gq2.ship import (
    BOXES,
    DESTROYERS,
    SHUT_DOWN,
    STANDBY,
    STEAMING,
    acts,
    after_steam,
    binding,
    box_in_force,
    code,
    hull_speed,
    record_manner,
    speed,
)
from qf_tui.rules.gq2.targets import held_fast, of_phase

FLANK_MOST = 21
"""The turn at flank speed after which the stokers must rest."""

REST = 10
_STANDBY_DICE = (Die(6), Die(6))
_SHUT_DOWN_DICE = (Die(6),)


def words(ship: Ship) -> str:
    """The state of a ship's engines in words."""
    state = str(ship.log.get("state"))
    if ship.count("wait"):
        return f"{state}, {ship.count('wait')} turns until it moves"
    if ship.log.get("allowed") is not None:
        return f"{state}, {ship.count('allowed')} boxes of speed from the right"
    return f"{state}, {ship.count('rest')} turns of rest left" if ship.count("rest") else state


def limit_clause(battle: Battle, ship: Ship) -> str:
    """The clause that holds a ship's speed down most."""
    limits = [
        (box_in_force(ship), "GQ2-CRI-6" if ship.count("boiler") == box_in_force(ship) else "GQ2-LOG-2")
    ]
    if ship.count("rest"):
        limits.append((BOXES // 2 + 1, "GQ2-MV-4"))
    if ship.log.get("allowed") is not None:
        limits.append((BOXES + 1 - ship.count("allowed"), "GQ2-MV-5"))
    box, clause = max(limits, key=lambda limit: limit[0])
    printed = hull_speed(ship, box)
    if after_steam(battle, ship, printed) == printed:
        return clause
    return "GQ2-CRI-C" if option(battle, "steam_line") == "made" else "GQ2-CRI-5"


def change(ship: Ship) -> int:
    """Inches by which a ship changes its speed in a turn (GQ2-MV-1)."""
    return 3 if code(ship) in DESTROYERS else 2


def voluntary(battle: Battle, ship: Ship) -> tuple[Fraction, Fraction]:
    """The least and the greatest speed that a ship may make this turn (GQ2-MV-1); the first turn is free."""
    now, went = speed(battle, ship), ship.log.get("went")
    if went is None:
        return Fraction(0), now
    return max(Fraction(0), min(now, exact(went) - change(ship))), min(now, exact(went) + change(ship))


def held_half(battle: Battle, ship: Ship) -> Fraction:
    """The inches that a hit bridge binds: half a move at last turn's speed, or at the most that is left."""
    bound = binding(battle, ship, "bridge") and ship.log.get("went") is not None
    return min(speed(battle, ship), exact(ship.log["went"])) / 2 if bound else Fraction(0)


def count_stokers(builder: DecisionBuilder, ship: Ship, moved: Fraction) -> None:
    """One turn more at flank speed, or of rest (GQ2-MV-4)."""
    if ship.count("rest"):
        builder.add(ship.id, "rest", -1)
        return
    turns = ship.count("flank_turns")
    if not moved or moved < hull_speed(ship, 1):
        if turns and option(builder.battle, "stokers") == "in-a-row":
            builder.add(ship.id, "flank_turns", -turns)
    elif turns + 1 < FLANK_MOST:
        builder.add(ship.id, "flank_turns", 1)
    else:
        if turns:
            builder.add(ship.id, "flank_turns", -turns)
        builder.add(ship.id, "rest", REST)
        builder.because(
            f"{REST} turns at the middle box", "GQ2-MV-4", of=f"{whose(ship.name)} stokers are exhausted"
        )


def turn_begins(builder: DecisionBuilder, ship: Ship) -> None:
    """A turn nearer to moving, or a box of speed more (GQ2-MV-5)."""
    allowed = ship.log.get("allowed")
    if not acts(builder.battle, ship):
        return
    if ship.count("wait"):
        builder.add(ship.id, "wait", -1)
        if ship.count("wait") == 1:
            builder.record(ship.id, "state", STEAMING)
            builder.record(ship.id, "allowed", 1)
            builder.because(
                "is under way, with the speed of its rightmost box", "GQ2-MV-5", subject=ship.name
            )
    elif allowed is not None and ship.log.get("state") == STEAMING:
        more = ship.count("allowed") + 1
        builder.record(ship.id, "allowed", more if more < BOXES else None)


def turns_to_wait(shut_down: bool, faces: Faces) -> int:
    """Turns until a ship moves: 2d3, each half a d6 rounded up, or 1d6 and 10 (GQ2-MV-7)."""
    return faces[0] + 10 if shut_down else sum((face + 1) // 2 for face in faces)


def prepare_steam(battle: Battle, id: str, findings: tuple[Finding, ...] = ()) -> PreparedOrder:
    """The dice of a ship that gets under way."""
    ship = battle.ships[id]
    shut_down = ship.log.get("state") == SHUT_DOWN
    dice = _SHUT_DOWN_DICE if shut_down else _STANDBY_DICE

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        turns = turns_to_wait(shut_down, faces)
        builder.add(id, "wait", turns - ship.count("wait"))
        thrown = "+".join(str(face) for face in faces)
        builder.because(
            f"{turns} turns until it moves", "GQ2-MV-5", of=f"{ship.name} raises steam ({thrown})"
        )
        builder.result("turns", turns)

    return PreparedOrder(
        findings=findings,
        dice=dice,
        judge=lambda faces: (turns_to_wait(shut_down, faces),),
        decide=decide,
        owes=STEAM.word,
        prompt=f"steam on {ship.name}",
        ship=id,
        odds=(Measure("mean turns", 0, mean=True),),
    )


def order_steam(battle: Battle, order: Order) -> PreparedOrder:
    """`steam`: a ship at anchor gets under way (GQ2-MV-5)."""
    ship = battle.ships[order.text("ship")]
    found = [*of_phase(battle, STEAM), *held_fast(battle, ship)]
    if ship.log.get("state") == STEAMING:
        found.append(refused(f"{ship.name} is under way already", "GQ2-MV-5"))
    if ship.count("wait") or any(owed.line == STEAM.word and owed.ship == ship.id for owed in battle.owed):
        found.append(refused(f"{ship.name} raises steam already", "GQ2-MV-5"))
    return prepare_steam(battle, ship.id, tuple(found))


def order_anchor(battle: Battle, order: Order) -> PreparedOrder:
    """`anchor`: a ship stops its engines, on standby by default (GQ2-MV-5)."""
    ship, state = battle.ships[order.text("ship")], SHUT_DOWN if order.has("shut-down") else STANDBY
    found = [*of_phase(battle, ANCHOR), *held_fast(battle, ship)]
    if ship.log.get("state") == state:
        found.append(refused(f"{ship.name} is {state} already", "GQ2-MV-7"))
    if ship.log.get("moved"):
        found.append(refused(f"{ship.name} has moved this turn", "GQ2-MV-7"))
    held = held_half(battle, ship)
    least = max(held, voluntary(battle, ship)[0])
    if acts(battle, ship) and least:
        clause = "GQ2-CRI-C" if least == held else "GQ2-MV-1"
        why = f"{ship.name} cannot stop from last turn's speed: {with_unit(battle, least)} at least"
        found.append(refused(why, clause))

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        builder.record(ship.id, "state", state)
        builder.record(ship.id, "moved", 0)
        record_manner(builder, ship)
        if ship.count("wait"):
            builder.add(ship.id, "wait", -ship.count("wait"))
        if ship.log.get("allowed") is not None:
            builder.record(ship.id, "allowed", None)
        builder.because(f"lies at anchor, {state}", "GQ2-MV-7", subject=ship.name)

    return PreparedOrder(findings=tuple(found), decide=decide)
