"""Movement in General Quarters 2: engines, steering, formations, inches moved, limits of a move.

Wander checks, by which ships drift after they moved, are in `wandering`.

Rule: GQ2-MV, GQ2-CRI-1, GQ2-CRI-2.
"""

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
from qf_tui.rules.gq2.clauses import read_option
from qf_tui.rules.gq2.forms import (
    ANCHOR,
    DAY,
    FORMATION,
    MOVE,
    STEAM,
    TURN_ABOUT,
    find_unit,
    format_distance,
    to_inches,
)
from qf_tui.rules.gq2.rating import is_of_navy
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
    can_act,
    can_sail,
    compute_speed,
    count_turns_made,
    find_last_speed,
    has_moved,
    list_binding_hits,
    list_limiting_boxes,
    read_class_code,
    read_hull_speed,
    record_manner,
    set_count,
    set_field,
    subtract_steam_lines,
)
from qf_tui.rules.gq2.targets import check_can_move, check_phase, find_light

FLANK_MOST = 21
"""Turn at flank speed after which the stokers must rest."""

REST_TURNS = 10
"""Turns that exhausted stokers rest."""
RUDDER_TURN_COST = Fraction(3, 2)
"""Inches of speed that a turn of 45° costs with a damaged rudder (GQ2-CRI-2)."""

HALF_CIRCLE_TURNS = 4
"""Turns of 45° in a turn about."""
ASTERN = FORMATIONS[0]


@frozen
class MoveMade:
    """The movement of a ship in this turn.

    Attributes:
        inches: Inches moved.
        assumed: True if it is not recorded but assumed.
        straight: True if it was in a straight line.
        evasive: True if it was evasive.
    """

    inches: Fraction
    assumed: bool
    straight: bool = False
    evasive: bool = False


def format_engines(ship: Ship) -> str:
    """Format the state of a ship's engines, with what limits them: turns to wait, boxes allowed, or rest."""
    state = str(ship.log.get("state"))
    if ship.count("wait"):
        return f"{state}, {format_count(ship.count('wait'), 'turn')} until it moves"
    if ship.log.get("allowed") is not None:
        return f"{state}, {format_count(ship.count('allowed'), 'box', 'boxes')} of speed from the right"
    if ship.count("rest"):
        return f"{state}, {format_count(ship.count('rest'), 'turn')} of rest left"
    return state


def compute_voluntary_speeds(battle: Battle, ship: Ship) -> tuple[Fraction, Fraction]:
    """Return the least and the greatest speed that a ship may choose in this turn, in inches.

    Speed changes by at most 2 inches a turn, for destroyers 3, and never exceeds what she can make. Without a
    recorded speed, as in the first turn, any speed from 0 is allowed.

    Rule: GQ2-MV-1.
    """
    greatest = compute_speed(battle, ship)
    last_speed = ship.log.get("went")
    if last_speed is None:
        return Fraction(0), greatest
    change = 3 if read_class_code(ship) in DESTROYERS else 2
    slower, faster = to_fraction(last_speed) - change, to_fraction(last_speed) + change
    return max(Fraction(0), min(greatest, slower)), min(greatest, faster)


def compute_held_inches(battle: Battle, ship: Ship) -> Fraction:
    """Return the inches that a ship must move at last turn's speed and course after a bridge hit.

    This is half of last turn's speed, or half of the speed that she still can make if that is less. Without a
    hit, or without a recorded speed, it is 0.
    """
    last_speed = find_last_speed(battle, ship) if list_binding_hits(battle, ship, "bridge") else None
    return Fraction(0) if last_speed is None else min(compute_speed(battle, ship), last_speed) / 2


def count_stoker_turn(builder: DecisionBuilder, ship: Ship, speed: Fraction) -> None:
    """Count a turn of rest, or a turn at flank speed; after the 21st the stokers must rest.

    A slower turn resets the count of flank turns, unless a switch counts all of them.

    Args:
        speed: Speed made in this turn.

    Rule: GQ2-MV-4.
    """
    if ship.count("rest"):
        builder.add(ship.id, "rest", -1)
        return
    turns = ship.count("flank_turns")
    # A ship whose first box has no speed never runs at flank speed.
    if not speed or speed < read_hull_speed(ship, box=1):
        if read_option(builder.battle, "stokers") == "in-a-row":
            set_count(builder, ship, "flank_turns", 0)
    elif turns + 1 < FLANK_MOST:
        builder.add(ship.id, "flank_turns", 1)
    else:
        set_count(builder, ship, "flank_turns", 0)
        builder.add(ship.id, "rest", REST_TURNS)
        exhausted = f"{format_possessive(ship.name)} stokers are exhausted"
        builder.because(f"{REST_TURNS} turns at the middle box", "GQ2-MV-4", of=exhausted)


def gain_steam(builder: DecisionBuilder, ship: Ship) -> None:
    """Count down a turn of raising steam, or allow one more box of speed.

    When no turn is left, the ship is under way with one box of speed allowed.

    Rule: GQ2-MV-5.
    """
    allowed = ship.log.get("allowed")
    if not can_act(builder.battle, ship):
        return
    if ship.count("wait"):
        builder.add(ship.id, "wait", -1)
        # `ship` still has the count from before this turn.
        if ship.count("wait") == 1:
            builder.record(ship.id, "state", STEAMING)
            builder.record(ship.id, "allowed", 1)
            builder.because(
                "is under way, with the speed of its rightmost box", "GQ2-MV-5", subject=ship.name
            )
    elif allowed is not None and ship.log.get("state") == STEAMING:
        boxes_allowed = ship.count("allowed") + 1
        # If all boxes are allowed, there is no limit any more.
        builder.record(ship.id, "allowed", boxes_allowed if boxes_allowed < BOXES else None)


def prepare_steam(battle: Battle, id: str) -> PreparedOrder:
    """Prepare the dice for the turns that a ship waits until she is under way.

    From standby they are 2d3, each half a d6 rounded up. If she is shut down they are 1d6, and 10 turns more.

    Rule: GQ2-MV-7.
    """
    ship = battle.ships[id]
    shut_down = ship.log.get("state") == SHUT_DOWN

    def count_waiting_turns(faces: Faces) -> int:
        return faces[0] + 10 if shut_down else sum((face + 1) // 2 for face in faces)

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        turns = count_waiting_turns(faces)
        builder.add(id, "wait", turns - ship.count("wait"))
        dice_text = "+".join(str(face) for face in faces)
        builder.because(
            f"{format_count(turns, 'turn')} until it moves",
            "GQ2-MV-5",
            of=f"{ship.name} raises steam ({dice_text})",
        )
        builder.result("turns", turns)

    return PreparedOrder(
        dice=(Die(6),) if shut_down else (Die(6), Die(6)),
        judge=lambda faces: (count_waiting_turns(faces),),
        decide=decide,
        owes=STEAM.word,
        prompt=f"steam on {ship.name}",
        ship=id,
        odds=(Measure("mean turns", 0, mean=True),),
    )


def prepare_steam_order(battle: Battle, order: Order) -> PreparedOrder:
    """Prepare `steam`: a ship at anchor gets under way.

    The order is refused if she is under way already, or is raising steam already.

    Rule: GQ2-MV-5.
    """
    ship = battle.ships[order.text("ship")]
    findings = [*check_phase(battle, STEAM), *check_can_move(battle, ship)]
    if ship.log.get("state") == STEAMING:
        findings.append(refused(f"{ship.name} is under way already", "GQ2-MV-5"))
    if ship.count("wait") or any(owed.line == STEAM.word and owed.ship == ship.id for owed in battle.owed):
        findings.append(refused(f"{ship.name} is raising steam", "GQ2-MV-5"))
    return evolve(prepare_steam(battle, ship.id), findings=tuple(findings))


def prepare_anchor(battle: Battle, order: Order) -> PreparedOrder:
    """Prepare `anchor`: a ship stops with her engines on standby, or shut down if the order says so.

    It is refused if her engines are already in that state, if she has moved this turn, or if she is too fast
    to stop.

    Rule: GQ2-MV-5.
    """
    ship = battle.ships[order.text("ship")]
    state = SHUT_DOWN if order.has("shut-down") else STANDBY
    findings = [*check_phase(battle, ANCHOR), *check_can_move(battle, ship)]
    if ship.log.get("state") == state:
        findings.append(refused(f"{ship.name} is {state} already", "GQ2-MV-7"))
    # A recorded move of 0 inches does not count.
    if ship.log.get("moved"):
        findings.append(refused(f"{ship.name} has moved this turn", "GQ2-MV-7"))
    # After a bridge hit a ship must still move half of last turn's speed.
    held_inches = compute_held_inches(battle, ship)
    least = max(held_inches, compute_voluntary_speeds(battle, ship)[0])
    # A ship that cannot act is refused already.
    if can_act(battle, ship) and least:
        clause = "GQ2-CRI-C" if least == held_inches else "GQ2-MV-1"
        text = f"{ship.name} cannot stop from last turn's speed: {format_distance(battle, least)} at least"
        findings.append(refused(text, clause))

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        builder.record(ship.id, "state", state)
        builder.record(ship.id, "moved", 0)
        record_manner(builder, ship)
        set_count(builder, ship, "wait", 0)
        set_field(builder, ship, "allowed", None)
        builder.because(f"lies at anchor, {state}", "GQ2-MV-7", subject=ship.name)

    return PreparedOrder(findings=tuple(findings), decide=decide)


def compute_turn_cost(ship: Ship, turns: int) -> Fraction:
    """Return the inches of speed that turns of 45° cost a ship whose rudder is hit; 0 if it is not hit.

    Rule: GQ2-CRI-2.
    """
    return RUDDER_TURN_COST * turns if ship.live("rudder") else Fraction(0)


def compute_allowed_inches(battle: Battle, ship: Ship, turns: int) -> tuple[Fraction, Fraction]:
    """Return the least and the most inches that a ship may move with this number of turns of 45°.

    If the rudder is hit, both are less by the cost of the turns. The least is never below the inches that a
    bridge hit demands.
    """
    cost = compute_turn_cost(ship, turns)
    slowest, fastest = compute_voluntary_speeds(battle, ship)
    least = max(compute_held_inches(battle, ship), slowest - cost)
    return least, max(Fraction(0), fastest - cost)


def compute_move_speed(battle: Battle, ship: Ship, inches: Fraction, turns: int) -> Fraction:
    """Return the speed made by a move: its inches and the cost of its turns.

    If the turns cost more than the least speed, the ship may stay in place; she then makes the least speed.

    Rule: GQ2-CRI-2.
    """
    least, _ = compute_voluntary_speeds(battle, ship)
    cost = compute_turn_cost(ship, turns)
    stays_in_place = not inches and cost > least
    return least if stays_in_place else inches + cost


def list_steering_findings(battle: Battle, ship: Ship, inches: Fraction, turns: int) -> list[Finding]:
    """Return at most one finding against a move of these inches and turns of 45°.

    The limits are the hull boxes, the change from last turn's speed, and hits on bridge and rudder.
    """
    name = ship.name
    speed_left = compute_speed(battle, ship)
    if inches > speed_left:
        why = f"{name} can make {format_distance(battle, speed_left)}, not {format_distance(battle, inches)}"
        # The limiting box furthest right gives the clause, unless steam line hits lower the speed further.
        box, clause = max(list_limiting_boxes(ship), key=lambda limit: limit[0])
        hull_speed = read_hull_speed(ship, box)
        if subtract_steam_lines(battle, ship, hull_speed) != hull_speed:
            clause = "GQ2-CRI-C" if read_option(battle, "steam_line") == "made" else "GQ2-CRI-5"
        return [refused(why, clause)]
    least, most = compute_allowed_inches(battle, ship, turns)
    if least <= inches <= most:
        return []
    why = f"{name}: from last turn's speed"
    clause = "GQ2-MV-1"
    span = _format_span(battle, least, most)
    if compute_turn_cost(ship, turns):
        clause = "GQ2-CRI-2"
        why = f"{format_possessive(name)} rudder is hit: with {format_count(turns, 'turn')} of 45° it moves"
    elif inches < compute_held_inches(battle, ship):
        clause = "GQ2-CRI-C"
        span = f"{span}, the first half at last turn's speed"
        why = f"{format_possessive(name)} bridge is hit: it moves"
    return [refused(f"{why} {span}, not {format_distance(battle, inches)}", clause)]


def _format_span(battle: Battle, least: Fraction, most: Fraction) -> str:
    """Format the least and the most inches as a range, or one value if both are equal."""
    most_text = format_distance(battle, most)
    return most_text if least == most else f"{format_distance(battle, least)} to {most_text}"


def record_speed_made(builder: DecisionBuilder, ship: Ship, inches: Fraction, turns: int) -> None:
    """Record the speed made by a move with a hit rudder: its inches and the cost of its turns.

    If the turns cost nothing the field is cleared, because the speed then equals the inches.
    """
    speed_made = (
        convert_fraction(compute_move_speed(builder.battle, ship, inches, turns))
        if compute_turn_cost(ship, turns)
        else None
    )
    set_field(builder, ship, "made", speed_made)


def read_speed_made(ship: Ship, inches: Fraction) -> Fraction:
    """Return the recorded speed of a ship's move in this turn, or the inches moved if none is recorded."""
    return inches if ship.log.get("made") is None else to_fraction(ship.log["made"])


def list_hit_effects(battle: Battle, ship: Ship, inches: Fraction, turns: int) -> list[tuple[str, str]]:
    """List the effects of hits on bridge and rudder on a move, each with its clause."""
    effects = []
    cost = compute_turn_cost(ship, turns)
    if list_binding_hits(battle, ship, "bridge"):
        # Without a record of last turn, half of the move itself is held.
        held_inches = inches / 2 if ship.log.get("went") is None else compute_held_inches(battle, ship)
        other_half = (
            f"the other {format_distance(battle, max(Fraction(0), inches - held_inches))} are for the umpire "
            "to decide"
        )
        text = f"{ship.name} keeps speed and course in the first half, {format_distance(battle, held_inches)}"
        effects.append((f"{text}; {other_half}", "GQ2-CRI-C"))
    if cost:
        makes = format_distance(battle, compute_move_speed(battle, ship, inches, turns))
        costs = (
            f"{format_count(turns, 'turn')} of 45° cost{'s' * (turns == 1)} {format_distance(battle, cost)}"
        )
        effects.append((f"{ship.name} makes {makes}, and {costs} of it", "GQ2-CRI-2"))
    elif ship.live("rudder"):
        each = format_distance(battle, RUDDER_TURN_COST)
        effects.append((f"{ship.name}: every turn of 45° costs {each} of its speed", "GQ2-CRI-2"))
    return effects


def ask_about_move(builder: DecisionBuilder, battle_before: Battle, id: str, turn: int) -> None:
    """Ask whether a recorded move is still right, if the late damage of an earlier turn now limits it.

    The move itself stays as recorded.

    Args:
        battle_before: Battle before the damage.
        turn: Turn of the hit.

    Rule: GQ2-CRI-C.
    """
    battle, ship = builder.battle, builder.ship(id)
    # Bridge and steam line hits of this turn bind only the next move.
    if turn >= battle.turn or not has_moved(ship):
        return
    moved = to_fraction(ship.log["moved"])
    speed_left = compute_speed(battle, ship)
    held_inches = compute_held_inches(battle, ship)
    question = f"is {format_possessive(ship.name)} move of {format_distance(battle, moved)} still right"
    if speed_left < min(read_speed_made(ship, moved), compute_speed(battle_before, battle_before.ships[id])):
        builder.ask(f"{question}? it can make {format_distance(battle, speed_left)}", "GQ2-CRI-C")
    if held_inches > compute_held_inches(battle_before, battle_before.ships[id]):
        held_text = f"{format_distance(battle, held_inches)} of it must keep last turn's speed and course"
        builder.ask(f"{question}? {held_text}", "GQ2-CRI-C")


def find_formation(battle: Battle, division: str) -> str:
    """Return the formation of a division, by default line astern."""
    return str(battle.table.get(f"formation.@{division}") or ASTERN)


def list_members(battle: Battle, division: str) -> tuple[Ship, ...]:
    """List the ships of a division that still can sail, in the order of the line."""
    ships = (ship for ship in battle.ships.values() if ship.division == division and not ship.is_land_battery)
    return tuple(ship for ship in ships if can_sail(battle, ship))


def find_leader(battle: Battle, division: str) -> tuple[Ship, ...]:
    """Return the leading ship of a division as a tuple of one, or () if no ship can sail.

    After a battle turn the last ship of the line leads.

    Rule: GQ2-MV-3.
    """
    ships = list_members(battle, division)
    return ships[-1:] if battle.table.get(f"turned-round.@{division}") is True else ships[:1]


def list_formation_changes(battle: Battle, division: str) -> tuple[str, ...]:
    """List the formations that a division was ordered to take in this turn."""
    return tuple(act.read_text("formation") for act in battle.list_turn_acts(FORMATION.word, division))


def is_turning_about(battle: Battle, ship: Ship) -> bool:
    """Return whether a ship's line turns about in this turn.

    Rule: GQ2-MV-3.
    """
    return TURN_ABOUT in list_formation_changes(battle, ship.division)


def prepare_formation(battle: Battle, order: Order) -> PreparedOrder:
    """Prepare `formation`: a division changes its formation, or turns about in a battle turn.

    It is refused if the division has changed this turn, sails in that formation already, or may not turn
    about. It is also refused if a ship that would have to turn must keep her course after a bridge hit.

    Rule: GQ2-MV-2, GQ2-MV-3.
    """
    division = order.text("division").lstrip("@")
    new_formation = order.text("formation")
    findings = [*check_phase(battle, FORMATION)]
    leaders = find_leader(battle, division)
    if list_formation_changes(battle, division):
        findings.append(refused(f"@{division} has changed its formation this turn", "GQ2-MV-2"))
    elif new_formation == find_formation(battle, division):
        findings.append(refused(f"@{division} sails in line {new_formation} already", "GQ2-MV-2"))
    if new_formation == TURN_ABOUT:
        findings.extend(_list_turn_about_findings(battle, division))
    # In a battle turn all ships turn. In other changes the leader does not: the others form on it.
    turning = [
        ship for ship in list_members(battle, division) if new_formation == TURN_ABOUT or ship not in leaders
    ]
    bound_names = ", ".join(ship.name for ship in turning if list_binding_hits(battle, ship, "bridge"))
    if bound_names:
        findings.append(
            refused(
                f"{bound_names} must keep its course after a bridge hit, and this change needs a turn",
                "GQ2-CRI-C",
            )
        )

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        builder.remember(FORMATION.word, division, formation=new_formation)
        if new_formation == TURN_ABOUT:
            text = f"@{division} turns about from the rear ship, and makes no other turn this turn"
            builder.because(text, "GQ2-MV-3")
            key = f"turned-round.@{division}"
            # A second battle turn gives the lead back to the first ship.
            builder.write(Op.TABLE, "", key, battle.table.get(key) is not True)
            # With a hit rudder, the turn about also costs a ship that has already moved.
            for ship in filter(has_moved, list_members(battle, division)):
                record_speed_made(builder, ship, to_fraction(ship.log["moved"]), HALF_CIRCLE_TURNS)
            return
        builder.write(Op.TABLE, "", f"formation.@{division}", new_formation)
        builder.because(f"@{division} forms line {new_formation}", "GQ2-MV-2")
        if new_formation != ASTERN:
            names = ", ".join(ship.name for ship in list_members(battle, division))
            builder.because(f"after all movement a wander check of {names}", "GQ2-MV-2")

    return PreparedOrder(findings=tuple(findings), decide=decide)


def _list_turn_about_findings(battle: Battle, division: str) -> list[Finding]:
    """List the findings against a battle turn.

    If a ship with a hit rudder has already moved, her move must also allow for the cost of the turn.

    Rule: GQ2-MV-3.
    """
    findings = []
    ships = list_members(battle, division)
    unfit_names = [
        ship.name for ship in ships if not is_of_navy(ship, "german") or read_class_code(ship) not in CAPITAL
    ]
    if unfit_names:
        why = f"only German capital ships turn about, not {', '.join(unfit_names)}"
        findings.append(refused(why, "GQ2-MV-3"))
    if find_formation(battle, division) != ASTERN:
        findings.append(refused(f"@{division} is not in line astern", "GQ2-MV-3"))
    if find_light(battle) != DAY:
        findings.append(refused("the battle turn needs daylight", "GQ2-MV-3"))
    if any(map(count_turns_made, ships)):
        findings.append(refused(f"a ship of @{division} has turned this turn", "GQ2-MV-3"))
    for ship in filter(has_moved, ships):
        if compute_turn_cost(ship, HALF_CIRCLE_TURNS):
            findings += list_steering_findings(
                battle, ship, to_fraction(ship.log["moved"]), HALF_CIRCLE_TURNS
            )
    return findings


def find_movement(battle: Battle, ship: Ship) -> MoveMade:
    """Return a ship's movement in this turn, as recorded or as assumed.

    Without a record she keeps her last recorded speed, as far as she can make it. If she has none, she makes
    full speed. A ship that takes no orders lies still, but one abandoned in this turn moved before.

    Rule: GQ2-PH-4, GQ2-TOR-9.
    """
    if ship.is_land_battery or not (ship.afloat or ship.status in GIVEN_UP):
        return MoveMade(Fraction(0), assumed=False)
    # Her move of this turn is recorded.
    if has_moved(ship):
        moved = to_fraction(ship.log["moved"])
        recorded_straight = ship.log.get("straight")
        # Without a record, a move counts as straight if it has no turn.
        steered_straight = (
            not count_turns_made(ship) if recorded_straight is None else recorded_straight is True
        )
        straight = steered_straight and moved != 0 and not is_turning_about(battle, ship)
        return MoveMade(moved, assumed=False, straight=straight, evasive=ship.log.get("evasive") is True)
    # If movement has ended without a record, `end_movement` kept the inches that it assumed.
    last_inches = ship.log.get("went")
    if last_inches is not None and battle.phase != MOVEMENT:
        # A ship that takes no orders and kept 0 certainly lies still.
        return MoveMade(to_fraction(last_inches), assumed=can_act(battle, ship) or last_inches != 0)
    if not can_act(battle, ship):
        return MoveMade(Fraction(0), assumed=False)
    # Until movement ends, an unrecorded move is assumed: last turn's speed, if she still can make it.
    greatest = compute_speed(battle, ship)
    last_speed = ship.log.get("told")
    inches = greatest if last_speed is None else min(to_fraction(last_speed), greatest)
    return MoveMade(inches, assumed=True)


def find_speed_made(battle: Battle, ship: Ship) -> Fraction:
    """Return the speed that a ship makes in this turn, which decides whether she is stationary or fast.

    Rule: GQ2-CRI-C.
    """
    moved = find_movement(battle, ship).inches
    # A ship aground lies still, whatever speed she made before.
    return moved if ship.status == AGROUND else read_speed_made(ship, moved)


def format_assumption(battle: Battle, ship: Ship, *, course: bool = False) -> tuple[str, ...]:
    """Return the note that an attack depends on an assumed movement, or () if the movement is recorded.

    Args:
        course: True if the attack depends on the course too.
    """
    movement = find_movement(battle, ship)
    if not movement.assumed:
        return ()
    course_text = ", not straight" if course and movement.inches else ""
    return (f"assumed: {ship.name} moved {format_distance(battle, movement.inches)}{course_text}",)


def prepare_move(battle: Battle, order: Order) -> PreparedOrder:
    """Prepare `move`: ships move in the same manner, and equally far unless the order has inches for a ship.

    Rule: GQ2-MV-1.
    """
    ships = [battle.ships[id] for id in order.list_texts("ships")]
    turns = order.number("turns") or 0
    inches_by_id = {ship.id: to_inches(battle, order.build_share(ship.id).slots["inches"]) for ship in ships}
    # The same finding against several ships is reported once.
    findings = dict.fromkeys(
        finding
        for ship in ships
        for finding in _list_move_order_findings(battle, ship, order, inches_by_id[ship.id])
    )
    # Each ship with her turns, including those of a turn about with her line.
    turns_by_ship = [(ship, _add_turn_about(battle, ship, turns)) for ship in ships]
    hit_effects = [
        effect
        for ship, all_turns in turns_by_ship
        for effect in list_hit_effects(battle, ship, inches_by_id[ship.id], all_turns)
    ]

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        for ship in ships:
            record_inches(builder, ship, inches_by_id[ship.id], turns)
            # The word `straight` is not recorded: a move without turns counts as straight.
            record_manner(builder, ship, evasive=order.has("evasive"), turns=turns)
        manner = [word for word in ("straight", "evasive") if order.has(word)]
        manner += [f"{format_count(turns, 'turn')} of 45°"] if turns else []
        for amount in dict.fromkeys(inches_by_id.values()):
            names = ", ".join(ship.name for ship in ships if inches_by_id[ship.id] == amount)
            builder.because(", ".join((format_distance(battle, amount), *manner)), "GQ2-MV-1", of=names)
        for text, clause in hit_effects:
            builder.because(text, clause)

    notes = [f"{text} ({clause})" for text, clause in hit_effects]
    for ship, all_turns in turns_by_ship:
        cost = compute_turn_cost(ship, all_turns)
        if cost or list_binding_hits(battle, ship, "bridge"):
            span = _format_span(battle, *compute_allowed_inches(battle, ship, all_turns))
            clause = "GQ2-CRI-2" if cost else "GQ2-CRI-C"
            notes.append(f"{ship.name} may move {span} with {format_count(all_turns, 'turn')} ({clause})")
    return PreparedOrder(findings=tuple(findings), decide=decide, reminders=tuple(notes))


def _list_move_order_findings(battle: Battle, ship: Ship, order: Order, inches: Fraction) -> list[Finding]:
    """List the findings against the move of a ship in an order `move`.

    The distance is checked only if there is no other finding.
    """
    turns = order.number("turns") or 0
    findings = list_move_findings(battle, ship)
    turns_about = is_turning_about(battle, ship)
    if order.has("straight") and turns:
        findings.append(impossible("a straight course has no turns"))
    if turns and turns_about:
        findings.append(
            refused(f"{ship.name} turns about with its line, and makes no other turn this turn", "GQ2-MV-3")
        )
    if order.has("straight") and turns_about:
        text = f"{ship.name} turns about with its line: its move is not straight"
        findings.append(refused(text, "GQ2-TOR-9"))
    return findings or list_reach_findings(battle, ship, inches, turns)


def list_reach_findings(battle: Battle, ship: Ship, inches: Fraction, turns: int) -> list[Finding]:
    """List the findings against a move of these inches and turns of 45°.

    Args:
        turns: Turns of the ship. A turn about with her line is not included; it is added here.

    Rule: GQ2-MV-1.
    """
    if ship.log.get("state") != STEAMING and inches:
        return [refused(f"{ship.name} is not under way: {format_engines(ship)}", "GQ2-MV-5")]
    return list_steering_findings(battle, ship, inches, _add_turn_about(battle, ship, turns))


def share_move(battle: Battle, order: Order) -> Order | None:
    """Reduce a move of several ships to the inches that each can make, but not above the ordered inches.

    If one distance is no whole number, all distances are written with a unit.

    Returns:
        The changed order, without the ships that cannot move; None if no ship can move, nothing changes, or
        the order has a single ship.
    """
    ordered = to_inches(battle, order.slots["inches"])
    ships = (battle.ships[id] for id in order.list_texts("ships"))
    has_fraction = any(min(ordered, compute_speed(battle, ship)).denominator > 1 for ship in ships)
    if has_fraction:
        order = order.with_slot("inches", Distance(ordered, find_unit(battle)))
    with_units = isinstance(order.slots["inches"], Distance)

    def list_amounts(single: Order) -> Iterator[SlotValue]:
        """List the most inches that a ship can move, then every whole number from the ordered inches down."""
        ship = battle.ships[single.list_texts("ships")[0]]
        inches = to_inches(battle, single.slots["inches"])
        amounts = (min(inches, compute_speed(battle, ship)), *map(Fraction, range(floor(inches), -1, -1)))
        return (Distance(amount, find_unit(battle)) if with_units else int(amount) for amount in amounts)

    return share_out(order, lambda single: not prepare_move(battle, single).findings, list_amounts)


def list_move_findings(battle: Battle, ship: Ship) -> list[Finding]:
    """List the findings against every move of a ship, however short."""
    findings = [*check_phase(battle, MOVE), *check_can_move(battle, ship)]
    if ship.is_land_battery:
        findings.append(refused(f"{ship.name} is a battery on land and does not move", "GQ2-MV-1"))
    if has_moved(ship):
        findings.append(refused(f"{ship.name} has moved this turn: amend that entry instead", "GQ2-MV-1"))
    return findings


def _add_turn_about(battle: Battle, ship: Ship, turns: int) -> int:
    """Return the turns of 45° of a ship's move, with four more if she turns about with her line.

    Rule: GQ2-CRI-2.
    """
    return turns + HALF_CIRCLE_TURNS * is_turning_about(battle, ship)


def record_inches(builder: DecisionBuilder, ship: Ship, moved: Fraction, turns: int) -> None:
    """Record the inches that a ship moved, and the speed made if a hit rudder makes it differ."""
    record_speed_made(builder, ship, moved, _add_turn_about(builder.battle, ship, turns))
    builder.record(ship.id, "moved", convert_fraction(moved))


def end_movement(battle: Battle, builder: DecisionBuilder) -> None:
    """End movement: keep the inches that each ship moved, and count the turn for her stokers.

    Rule: GQ2-MV-4.
    """
    for ship in battle.ships.values():
        movement = find_movement(battle, ship)
        # A ship that takes no orders needs a new record only to replace an earlier one.
        if can_act(battle, ship) or ship.log.get("went") is not None:
            set_field(builder, ship, "went", convert_fraction(movement.inches))
        if not can_act(battle, ship):
            continue
        # Without a recorded speed, full speed is assumed. That does not tire stokers, but a rest goes on.
        has_recorded_speed = not movement.assumed or ship.log.get("told") is not None
        if has_recorded_speed or ship.count("rest"):
            count_stoker_turn(builder, ship, find_speed_made(battle, ship))


def begin_movement(battle: Battle, builder: DecisionBuilder) -> None:
    """Begin a turn: recorded moves become last turn's speed, and ships that raise steam gain a step.

    After turns with a hit rudder, a switch decides whether last turn's speed is the speed made or the inches
    moved.

    Rule: GQ2-MV-5, GQ2-CRI-2.
    """
    for ship in battle.ships.values():
        if has_moved(ship):
            moved = to_fraction(ship.log["moved"])
            last_speed = (
                read_speed_made(ship, moved) if read_option(battle, "rudder_speed") == "made" else moved
            )
            # `told` keeps the recorded speed; the end of movement writes `went` again, also if it is assumed.
            set_field(builder, ship, "told", convert_fraction(last_speed))
            set_field(builder, ship, "went", convert_fraction(last_speed))
            builder.record(ship.id, "moved", None)
            set_field(builder, ship, "made", None)
        gain_steam(builder, ship)
