"""Movement: engines, steering, formations, inches moved, what bars a move (GQ2-MV, GQ2-CRI-1, GQ2-CRI-2)."""

from collections.abc import Iterator
from fractions import Fraction
from math import floor

from attrs import evolve, frozen

from qf_tui.core.decisions import DecisionBuilder, Op
from qf_tui.core.declarations import Measure, PreparedOrder
from qf_tui.core.errors import Finding, impossible, refused
from qf_tui.core.system import share_out
from qf_tui.core.text import Distance, convert_fraction, format_count, format_possessive, to_fraction
from qf_tui.core.values import Battle, Die, Faces, Order, Ship, SlotValue
from qf_tui.rules.gq2.clauses import option
from qf_tui.rules.gq2.forms import (
    ANCHOR,
    DAY,
    FORMATION,
    MOVE,
    STEAM,
    TURN_ABOUT,
    inches,
    unit,
    with_unit,
)
from qf_tui.rules.gq2.rating import is_of
from qf_tui.rules.gq2.ship import (
    AGROUND,
    BOXES,
    CAPITAL,
    DESTROYERS,
    FORMATIONS,
    GIVEN_UP,
    MOVEMENT,
    SHUT_DOWN,
    STANDBY,
    STEAMING,
    acts,
    after_steam,
    binding,
    code,
    has_moved,
    hull_speed,
    last_made,
    record_manner,
    sails,
    set_count,
    set_field,
    speed,
    speed_limits,
    turns_made,
)
from qf_tui.rules.gq2.targets import held_fast, light, of_phase

FLANK_MOST = 21
"""Turn at flank speed after which the stokers must rest."""

REST = 10
RUDDER_TURN = Fraction(3, 2)
"""Inches of speed that a turn of 45° costs with a damaged rudder (GQ2-CRI-2)."""

ABOUT = 4
"""Turns of 45° in a turn about."""
ASTERN = FORMATIONS[0]


@frozen
class MoveMade:
    """The movement of a ship in this turn.

    Attributes:
        inches: Inches moved.
        assumed: True if it is not recorded but assumed from last turn.
        straight: True if it was in a straight line.
        evasive: True if it was evasive.
    """

    inches: Fraction
    assumed: bool
    straight: bool = False
    evasive: bool = False


def engine_words(ship: Ship) -> str:
    """Format the state of a ship's engines."""
    state = str(ship.log.get("state"))
    if ship.count("wait"):
        return f"{state}, {format_count(ship.count('wait'), 'turn')} until it moves"
    if ship.log.get("allowed") is not None:
        return f"{state}, {format_count(ship.count('allowed'), 'box', 'boxes')} of speed from the right"
    return (
        f"{state}, {format_count(ship.count('rest'), 'turn')} of rest left" if ship.count("rest") else state
    )


def voluntary(battle: Battle, ship: Ship) -> tuple[Fraction, Fraction]:
    """Return the least and the greatest speed of a ship in this turn, in inches; the first turn is free.

    Rule: GQ2-MV-1.
    """
    now, went = speed(battle, ship), ship.log.get("went")
    if went is None:
        return Fraction(0), now
    change = 3 if code(ship) in DESTROYERS else 2
    return max(Fraction(0), min(now, to_fraction(went) - change)), min(now, to_fraction(went) + change)


def held_half(battle: Battle, ship: Ship) -> Fraction:
    """Return the inches that a hit bridge binds: half of last turn's speed, or of the greatest speed left."""
    came = last_made(battle, ship) if binding(battle, ship, "bridge") else None
    return Fraction(0) if came is None else min(speed(battle, ship), came) / 2


def count_stokers(builder: DecisionBuilder, ship: Ship, moved: Fraction) -> None:
    """Count a turn at flank speed, or a turn of rest.

    Rule: GQ2-MV-4.
    """
    if ship.count("rest"):
        builder.add(ship.id, "rest", -1)
        return
    turns = ship.count("flank_turns")
    if not moved or moved < hull_speed(ship, 1):
        if option(builder.battle, "stokers") == "in-a-row":
            set_count(builder, ship, "flank_turns", 0)
    elif turns + 1 < FLANK_MOST:
        builder.add(ship.id, "flank_turns", 1)
    else:
        set_count(builder, ship, "flank_turns", 0)
        builder.add(ship.id, "rest", REST)
        exhausted = f"{format_possessive(ship.name)} stokers are exhausted"
        builder.because(f"{REST} turns at the middle box", "GQ2-MV-4", of=exhausted)


def turn_begins(builder: DecisionBuilder, ship: Ship) -> None:
    """Count a turn of raising steam, or allow one more box of speed.

    Rule: GQ2-MV-5.
    """
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


def prepare_steam(battle: Battle, id: str) -> PreparedOrder:
    """Prepare the dice of a ship that gets under way: 2d3, each half a d6 rounded up, or 1d6 and 10.

    Rule: GQ2-MV-7.
    """
    ship = battle.ships[id]
    shut_down = ship.log.get("state") == SHUT_DOWN

    def turns_to_wait(faces: Faces) -> int:
        return faces[0] + 10 if shut_down else sum((face + 1) // 2 for face in faces)

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        turns = turns_to_wait(faces)
        builder.add(id, "wait", turns - ship.count("wait"))
        thrown = "+".join(str(face) for face in faces)
        builder.because(
            f"{format_count(turns, 'turn')} until it moves",
            "GQ2-MV-5",
            of=f"{ship.name} raises steam ({thrown})",
        )
        builder.result("turns", turns)

    return PreparedOrder(
        dice=(Die(6),) if shut_down else (Die(6), Die(6)),
        judge=lambda faces: (turns_to_wait(faces),),
        decide=decide,
        owes=STEAM.word,
        prompt=f"steam on {ship.name}",
        ship=id,
        odds=(Measure("mean turns", 0, mean=True),),
    )


def order_steam(battle: Battle, order: Order) -> PreparedOrder:
    """Prepare `steam`: a ship at anchor gets under way.

    Rule: GQ2-MV-5.
    """
    ship = battle.ships[order.text("ship")]
    findings = [*of_phase(battle, STEAM), *held_fast(battle, ship)]
    if ship.log.get("state") == STEAMING:
        findings.append(refused(f"{ship.name} is under way already", "GQ2-MV-5"))
    if ship.count("wait") or any(owed.line == STEAM.word and owed.ship == ship.id for owed in battle.owed):
        findings.append(refused(f"{ship.name} is raising steam", "GQ2-MV-5"))
    return evolve(prepare_steam(battle, ship.id), findings=tuple(findings))


def order_anchor(battle: Battle, order: Order) -> PreparedOrder:
    """Prepare `anchor`: a ship stops its engines, on standby by default.

    Rule: GQ2-MV-5.
    """
    ship, state = battle.ships[order.text("ship")], SHUT_DOWN if order.has("shut-down") else STANDBY
    findings = [*of_phase(battle, ANCHOR), *held_fast(battle, ship)]
    if ship.log.get("state") == state:
        findings.append(refused(f"{ship.name} is {state} already", "GQ2-MV-7"))
    if ship.log.get("moved"):
        findings.append(refused(f"{ship.name} has moved this turn", "GQ2-MV-7"))
    held = held_half(battle, ship)
    least = max(held, voluntary(battle, ship)[0])
    if acts(battle, ship) and least:
        clause = "GQ2-CRI-C" if least == held else "GQ2-MV-1"
        why = f"{ship.name} cannot stop from last turn's speed: {with_unit(battle, least)} at least"
        findings.append(refused(why, clause))

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        builder.record(ship.id, "state", state)
        builder.record(ship.id, "moved", 0)
        record_manner(builder, ship)
        set_count(builder, ship, "wait", 0)
        set_field(builder, ship, "allowed", None)
        builder.because(f"lies at anchor, {state}", "GQ2-MV-7", subject=ship.name)

    return PreparedOrder(findings=tuple(findings), decide=decide)


def cost(ship: Ship, turns: int) -> Fraction:
    """Return the inches that turns of 45° cost a ship.

    Rule: GQ2-CRI-2.
    """
    return RUDDER_TURN * turns if ship.live("rudder") else Fraction(0)


def inches_open(battle: Battle, ship: Ship, turns: int) -> tuple[Fraction, Fraction]:
    """Return the least and the most inches that a ship may move with this number of turns."""
    least, most = voluntary(battle, ship)
    least = max(held_half(battle, ship), least - cost(ship, turns))
    return least, max(Fraction(0), most - cost(ship, turns))


def speed_by_move(battle: Battle, ship: Ship, inches: Fraction, turns: int) -> Fraction:
    """Return the speed made by a move: its inches and the cost of its turns.

    If the turns cost more than the ship must make, it may stay in place and makes the least speed.

    Rule: GQ2-CRI-2.
    """
    least, lost = voluntary(battle, ship)[0], cost(ship, turns)
    return least if not inches and lost > least else inches + lost


def out_of_steering(battle: Battle, ship: Ship, inches: Fraction, turns: int) -> list[Finding]:
    """List the findings against a move: hull boxes, last turn's speed, bridge and rudder."""
    now, name = speed(battle, ship), ship.name
    if inches > now:
        why = f"{name} can make {with_unit(battle, now)}, not {with_unit(battle, inches)}"
        box, clause = max(speed_limits(ship), key=lambda limit: limit[0])
        if after_steam(battle, ship, hull_speed(ship, box)) != hull_speed(ship, box):
            clause = "GQ2-CRI-C" if option(battle, "steam_line") == "made" else "GQ2-CRI-5"
        return [refused(why, clause)]
    least, most = inches_open(battle, ship, turns)
    if least <= inches <= most:
        return []
    why, clause, span = f"{name}: from last turn's speed", "GQ2-MV-1", _span_words(battle, least, most)
    if cost(ship, turns):
        clause = "GQ2-CRI-2"
        why = f"{format_possessive(name)} rudder is hit: with {format_count(turns, 'turn')} of 45° it moves"
    elif inches < held_half(battle, ship):
        clause, span = "GQ2-CRI-C", f"{span}, the first half at last turn's speed"
        why = f"{format_possessive(name)} bridge is hit: it moves"
    return [refused(f"{why} {span}, not {with_unit(battle, inches)}", clause)]


def _span_words(battle: Battle, least: Fraction, most: Fraction) -> str:
    """Format the least and the most inches, or the only value."""
    return f"{'' if least == most else f'{with_unit(battle, least)} to '}{with_unit(battle, most)}"


def record_made(builder: DecisionBuilder, ship: Ship, inches: Fraction, turns: int) -> None:
    """Record the speed made if it differs from the inches moved."""
    made = convert_fraction(speed_by_move(builder.battle, ship, inches, turns)) if cost(ship, turns) else None
    set_field(builder, ship, "made", made)


def made(ship: Ship, inches: Fraction) -> Fraction:
    """Return the speed that a ship has made this turn with these inches."""
    return inches if ship.log.get("made") is None else to_fraction(ship.log["made"])


def advice(battle: Battle, ship: Ship, inches: Fraction, turns: int) -> list[tuple[str, str]]:
    """List the effects of hits on bridge and rudder on a move, each with its clause."""
    notes, lost = [], cost(ship, turns)
    if binding(battle, ship, "bridge"):
        half = inches / 2 if ship.log.get("went") is None else held_half(battle, ship)
        rest = f"the other {with_unit(battle, max(Fraction(0), inches - half))} are as the umpire says"
        text = f"{ship.name} holds speed and course through the first half, {with_unit(battle, half)}"
        notes.append((f"{text}; {rest}", "GQ2-CRI-C"))
    if lost:
        makes = with_unit(battle, speed_by_move(battle, ship, inches, turns))
        costs = f"{format_count(turns, 'turn')} of 45° cost{'s' * (turns == 1)} {with_unit(battle, lost)}"
        notes.append((f"{ship.name} makes {makes}: {costs} of it", "GQ2-CRI-2"))
    elif ship.live("rudder"):
        each = with_unit(battle, RUDDER_TURN)
        notes.append((f"{ship.name}: every turn of 45° costs {each} of its speed", "GQ2-CRI-2"))
    return notes


def remind_of_move(builder: DecisionBuilder, before: Battle, id: str, turn: int) -> None:
    """Ask about a move that was entered before damage of an earlier turn limited it; the move stays.

    Args:
        before: Battle before the damage.
        turn: Turn of the hit.

    Rule: GQ2-CRI-C.
    """
    battle, ship = builder.battle, builder.ship(id)
    if turn >= battle.turn or not has_moved(ship):
        return
    moved, now, held = to_fraction(ship.log["moved"]), speed(battle, ship), held_half(battle, ship)
    entered = f"does {format_possessive(ship.name)} move of {with_unit(battle, moved)} stay"
    if now < min(made(ship, moved), speed(before, before.ships[id])):
        builder.ask(f"{entered}? it could make {with_unit(battle, now)}", "GQ2-CRI-C")
    if held > held_half(before, before.ships[id]):
        bound = f"{with_unit(battle, held)} of it were bound to last turn's speed and course"
        builder.ask(f"{entered}? {bound}", "GQ2-CRI-C")


def formation(battle: Battle, division: str) -> str:
    """Return the formation of a division, by default line astern."""
    return str(battle.table.get(f"formation.@{division}") or ASTERN)


def members(battle: Battle, division: str) -> tuple[Ship, ...]:
    """List the ships of a division that still sail in it, in line."""
    ships = (ship for ship in battle.ships.values() if ship.division == division and not ship.ashore)
    return tuple(ship for ship in ships if sails(battle, ship))


def leader(battle: Battle, division: str) -> tuple[Ship, ...]:
    """Return the leading ship of a division, after a battle turn the last one; () if none sails.

    Rule: GQ2-MV-3.
    """
    ships = members(battle, division)
    return ships[-1:] if battle.table.get(f"turned-round.@{division}") is True else ships[:1]


def changes(battle: Battle, division: str) -> tuple[str, ...]:
    """List the changes of a division's formation in this turn."""
    return tuple(act.read_text("formation") for act in battle.done(FORMATION.word, division))


def turned_about(battle: Battle, ship: Ship) -> bool:
    """Return whether a ship's line turns about in this turn.

    Rule: GQ2-MV-3.
    """
    return TURN_ABOUT in changes(battle, ship.division)


def prepare_formation(battle: Battle, order: Order) -> PreparedOrder:
    """Prepare `formation`: a division's one change in a turn.

    Rule: GQ2-MV-2, GQ2-MV-3.
    """
    division, wanted = order.text("division").lstrip("@"), order.text("formation")
    findings, ahead = [*of_phase(battle, FORMATION)], leader(battle, division)
    if changes(battle, division):
        findings.append(refused(f"@{division} has changed its formation this turn", "GQ2-MV-2"))
    elif wanted == formation(battle, division):
        findings.append(refused(f"@{division} sails in line {wanted} already", "GQ2-MV-2"))
    if wanted == TURN_ABOUT:
        findings.extend(_no_turn_about(battle, division))
    # In all other changes the ships form on their leader.
    turning = [ship for ship in members(battle, division) if wanted == TURN_ABOUT or ship not in ahead]
    held = ", ".join(ship.name for ship in turning if binding(battle, ship, "bridge"))
    if held:
        findings.append(
            refused(f"{held}: a hit bridge holds the course, and this change takes a turn", "GQ2-CRI-C")
        )

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        builder.remember(FORMATION.word, division, formation=wanted)
        if wanted == TURN_ABOUT:
            text = f"@{division} turns about, from the rear ship, and turns no more this turn"
            builder.because(text, "GQ2-MV-3")
            key = f"turned-round.@{division}"
            builder.write(Op.TABLE, "", key, battle.table.get(key) is not True)
            for ship in filter(has_moved, members(battle, division)):
                record_made(builder, ship, to_fraction(ship.log["moved"]), ABOUT)
            return
        builder.write(Op.TABLE, "", f"formation.@{division}", wanted)
        builder.because(f"@{division} forms line {wanted}", "GQ2-MV-2")
        if wanted != ASTERN:
            names = ", ".join(ship.name for ship in members(battle, division))
            builder.because(f"after all movement a wander check of {names}", "GQ2-MV-2")

    return PreparedOrder(findings=tuple(findings), decide=decide)


def _no_turn_about(battle: Battle, division: str) -> list[Finding]:
    """List the findings against a battle turn, with its cost for ships that have already moved.

    Rule: GQ2-MV-3.
    """
    findings, ships = [], members(battle, division)
    others = [ship.name for ship in ships if not is_of(ship, "german") or code(ship) not in CAPITAL]
    if others:
        why = f"only German capital ships turn about: not {', '.join(others)}"
        findings.append(refused(why, "GQ2-MV-3"))
    if formation(battle, division) != ASTERN:
        findings.append(refused(f"@{division} is not in line astern", "GQ2-MV-3"))
    if light(battle) != DAY:
        findings.append(refused("the battle turn needs daylight", "GQ2-MV-3"))
    if any(map(turns_made, ships)):
        findings.append(refused(f"a ship of @{division} has turned this turn", "GQ2-MV-3"))
    for ship in filter(has_moved, ships):
        if cost(ship, ABOUT):
            findings += out_of_steering(battle, ship, to_fraction(ship.log["moved"]), ABOUT)
    return findings


def movement(battle: Battle, ship: Ship) -> MoveMade:
    """Return a ship's movement in this turn; without a record its last recorded speed, at first full speed.

    A ship that is abandoned in this turn moved before that.

    Rule: GQ2-PH-4, GQ2-TOR-9.
    """
    if ship.ashore or not (ship.afloat or ship.status in GIVEN_UP):
        return MoveMade(Fraction(0), assumed=False)
    if has_moved(ship):
        moved, straight = to_fraction(ship.log["moved"]), ship.log.get("straight")
        # Without a turn a move counts as straight, unless recorded differently.
        straight = not turns_made(ship) if straight is None else straight is True
        straight = straight and bool(moved) and not turned_about(battle, ship)
        return MoveMade(moved, False, straight, ship.log.get("evasive") is True)
    went = ship.log.get("went")
    if went is not None and battle.phase != MOVEMENT:
        return MoveMade(to_fraction(went), assumed=acts(battle, ship) or went != 0)
    if not acts(battle, ship):
        return MoveMade(Fraction(0), assumed=False)
    now, limit = speed(battle, ship), ship.log.get("told")
    return MoveMade(now if limit is None else min(to_fraction(limit), now), assumed=True)


def speed_made(battle: Battle, ship: Ship) -> Fraction:
    """Return the speed that a ship makes in this turn, which decides whether she is stationary or fast.

    Rule: GQ2-CRI-C.
    """
    moved = movement(battle, ship).inches
    return moved if ship.status == AGROUND else made(ship, moved)


def assumption(battle: Battle, ship: Ship, *, course: bool = False) -> tuple[str, ...]:
    """Return the note on an assumed movement, if an attack depends on it.

    Args:
        course: True if the attack depends on the course too.
    """
    moved = movement(battle, ship)
    how = ", not straight" if course and moved.inches else ""
    return (f"assumed: {ship.name} moved {with_unit(battle, moved.inches)}{how}",) if moved.assumed else ()


def prepare_move(battle: Battle, order: Order) -> PreparedOrder:
    """Prepare `move`: all ships move in the same way and as far, except ships with their own share.

    The manner of the move is only added to the inches, so that it need not be taken back.

    Rule: GQ2-MV-1.
    """
    ships, turns = [battle.ships[id] for id in order.list_texts("ships")], order.number("turns") or 0
    asked = {ship.id: inches(battle, order.build_share(ship.id).slots["inches"]) for ship in ships}
    # The same finding against several ships is reported once.
    findings = dict.fromkeys(
        finding for ship in ships for finding in _hindrances(battle, ship, order, asked[ship.id])
    )
    in_all = [(ship, _with_turn_about(battle, ship, turns)) for ship in ships]
    advised = [each for ship, made in in_all for each in advice(battle, ship, asked[ship.id], made)]

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        for ship in ships:
            record_inches(builder, ship, asked[ship.id], turns)
            record_manner(builder, ship, evasive=order.has("evasive"), turns=turns)
        how = [word for word in ("straight", "evasive") if order.has(word)]
        how += [f"{format_count(turns, 'turn')} of 45°"] if turns else []
        for amount in dict.fromkeys(asked.values()):
            names = ", ".join(ship.name for ship in ships if asked[ship.id] == amount)
            builder.because(", ".join((with_unit(battle, amount), *how)), "GQ2-MV-1", of=names)
        for text, clause in advised:
            builder.because(text, clause)

    notes = [f"{text} ({clause})" for text, clause in advised]
    for ship, made in in_all:
        costs = cost(ship, made)
        if costs or binding(battle, ship, "bridge"):
            span = _span_words(battle, *inches_open(battle, ship, made))
            clause = "GQ2-CRI-2" if costs else "GQ2-CRI-C"
            notes.append(f"open to {ship.name} with {format_count(made, 'turn')}: {span} ({clause})")
    return PreparedOrder(findings=tuple(findings), decide=decide, reminders=tuple(notes))


def _hindrances(battle: Battle, ship: Ship, order: Order, asked: Fraction) -> list[Finding]:
    turns = order.number("turns") or 0
    findings, about = hindrances(battle, ship), turned_about(battle, ship)
    if order.has("straight") and turns:
        findings.append(impossible("a straight course has no turns"))
    if turns and about:
        findings.append(refused(f"{ship.name} turns about with its line, and no more this turn", "GQ2-MV-3"))
    if order.has("straight") and about:
        why = f"{ship.name} turns about with its line: it moves in no straight line"
        findings.append(refused(why, "GQ2-TOR-9"))
    return findings or out_of_reach(battle, ship, asked, turns)


def out_of_reach(battle: Battle, ship: Ship, asked: Fraction, turns: int) -> list[Finding]:
    """List the findings against these inches and turns of 45°; a turn about with the line is not counted.

    Rule: GQ2-MV-1.
    """
    if ship.log.get("state") != STEAMING and asked:
        return [refused(f"{ship.name} is not under way: {engine_words(ship)}", "GQ2-MV-5")]
    return out_of_steering(battle, ship, asked, _with_turn_about(battle, ship, turns))


def share_move(battle: Battle, order: Order) -> Order | None:
    """Share a move of several ships: each moves the most inches that she can.

    Either all distances have a unit, or none has.
    """
    asked, ships = (
        inches(battle, order.slots["inches"]),
        (battle.ships[id] for id in order.list_texts("ships")),
    )
    if any(min(asked, speed(battle, ship)).denominator > 1 for ship in ships):
        order = order.with_slot("inches", Distance(asked, unit(battle)))
    with_units = isinstance(order.slots["inches"], Distance)

    def most(alone: Order) -> Iterator[SlotValue]:
        ship, asked = battle.ships[alone.list_texts("ships")[0]], inches(battle, alone.slots["inches"])
        amounts = (min(asked, speed(battle, ship)), *map(Fraction, range(floor(asked), -1, -1)))
        return (Distance(amount, unit(battle)) if with_units else int(amount) for amount in amounts)

    return share_out(order, lambda alone: not prepare_move(battle, alone).findings, most)


def hindrances(battle: Battle, ship: Ship) -> list[Finding]:
    """List the findings against any move of a ship."""
    findings = [*of_phase(battle, MOVE), *held_fast(battle, ship)]
    if ship.ashore:
        findings.append(refused(f"{ship.name} is a battery on land and does not move", "GQ2-MV-1"))
    if has_moved(ship):
        findings.append(refused(f"{ship.name} has moved this turn: amend that entry instead", "GQ2-MV-1"))
    return findings


def _with_turn_about(battle: Battle, ship: Ship, turns: int) -> int:
    """Count the turns of 45° of a move; a turn about with the line counts as four.

    Rule: GQ2-CRI-2.
    """
    return turns + ABOUT * turned_about(battle, ship)


def record_inches(builder: DecisionBuilder, ship: Ship, moved: Fraction, turns: int) -> None:
    """Record the inches that a ship moved, and with a hit rudder the speed that it made."""
    record_made(builder, ship, moved, _with_turn_about(builder.battle, ship, turns))
    builder.record(ship.id, "moved", convert_fraction(moved))


def end_movement(battle: Battle, builder: DecisionBuilder) -> None:
    """End movement: record what each ship moved, and count its stokers.

    Rule: GQ2-MV-4.
    """
    for ship in battle.ships.values():
        moved = movement(battle, ship)
        if acts(battle, ship) or ship.log.get("went") is not None:
            set_field(builder, ship, "went", convert_fraction(moved.inches))
        if not acts(battle, ship):
            continue
        if not moved.assumed or ship.log.get("told") is not None or ship.count("rest"):
            count_stokers(builder, ship, speed_made(battle, ship))


def begin_movement(battle: Battle, builder: DecisionBuilder) -> None:
    """Begin a turn: recorded moves become last turn's speed, and engines gain steam.

    Rule: GQ2-MV-5, GQ2-CRI-2.
    """
    for ship in battle.ships.values():
        if has_moved(ship):
            moved = to_fraction(ship.log["moved"])
            carried = made(ship, moved) if option(battle, "rudder_speed") == "made" else moved
            set_field(builder, ship, "told", convert_fraction(carried))
            set_field(builder, ship, "went", convert_fraction(carried))
            builder.record(ship.id, "moved", None)
            set_field(builder, ship, "made", None)
        turn_begins(builder, ship)
