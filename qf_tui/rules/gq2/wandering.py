"""Wander checks in General Quarters 2: dice by which ships drift after they moved, and who owes them.

Rule: GQ2-MV-6, GQ2-NIT-1.
"""

from collections.abc import Sequence
from fractions import Fraction

from attrs import evolve, frozen

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.declarations import Measure, Need, PreparedOrder
from qf_tui.core.errors import OrderRefused, impossible, refused
from qf_tui.core.facts import Fact
from qf_tui.core.grammar.reader import read_words
from qf_tui.core.text import format_count, format_decimal, join_as_sentence, to_fraction
from qf_tui.core.values import Battle, Die, Faces, Form, Order, Owed, Ship
from qf_tui.rules.gq2.clauses import read_option
from qf_tui.rules.gq2.forms import TURN_ABOUT, WANDER, find_unit, format_distance, to_inches
from qf_tui.rules.gq2.movement import (
    ASTERN,
    find_formation,
    find_leader,
    list_formation_changes,
    list_members,
    list_reach_findings,
    record_inches,
)
from qf_tui.rules.gq2.ship import (
    MOVEMENT,
    POINTS_A_TURN,
    compute_speed,
    count_turns_made,
    has_moved,
    record_manner,
)
from qf_tui.rules.gq2.targets import check_can_move, check_phase, is_night

CHECKS, MOVES = "wander-checks", "wander-moves"
"""Questions to a division: the dice of its wander checks, and before them the moves that nobody recorded."""
ASKED = "wander-asked"
"""Act: the wander checks of a division were owed in this turn."""
WANDER_DICE = (Die(6, "red"), Die(6, "blue"), Die(10, "", 0))
ODDS = (Measure("aft", 0), Measure("starboard", 1), Measure("port", 2))
NEEDS = (Need("aft", 0, (2,)), Need("starboard", 1), Need("port", 2, (1,)))
_DIRECTIONS = ("aft", "to starboard", "to port")


@frozen
class CheckedMove:
    """The move of a ship that makes a wander check.

    Attributes:
        ship: Id of the ship.
        inches: Inches moved.
        points: Points of the compass turned; 45° is four points.
    """

    ship: str
    inches: Fraction
    points: int

    @property
    def turns(self) -> int:
        """The whole turns of 45°."""
        return self.points // POINTS_A_TURN

    @property
    def can_displace(self) -> bool:
        """True if a die of the check can displace the ship: she moved or turned."""
        return bool(self.inches or self.points)


def find_recorded_move(ship: Ship) -> CheckedMove:
    """Return a ship's recorded move of this turn; 0 inches if none is recorded."""
    return CheckedMove(ship.id, to_fraction(ship.log.get("moved")), POINTS_A_TURN * count_turns_made(ship))


def format_move(battle: Battle, move: CheckedMove) -> str:
    """Format a ship's move."""
    return f"{format_distance(battle, move.inches)}, {format_count(move.points, 'point')}"


def _build_facts(name: str, moves: Sequence[CheckedMove]) -> dict[str, Fact]:
    """Build the facts of a question from moves.

    Args:
        name: Name of the fact that lists the ships.
    """
    return {
        name: tuple(move.ship for move in moves),
        "inches": tuple(format_decimal(move.inches) for move in moves),
        "points": tuple(move.points for move in moves),
    }


def _read_moves(owed: Owed, name: str) -> list[CheckedMove]:
    """Read moves from the facts of a question, as `_build_facts` wrote them."""
    values = zip(owed.read_texts(name), owed.read_texts("inches"), owed.read_numbers("points"), strict=True)
    return [CheckedMove(ship, Fraction(inches), points) for ship, inches, points in values]


def owe_dice(
    builder: DecisionBuilder, division: str, moves: Sequence[CheckedMove], turn: int, cause: int
) -> None:
    """Owe the dice of a division's wander checks as one question; ships that did not move need no check.

    Args:
        turn: Turn of the moves.
        cause: Entry that the question is owed for.

    Rule: GQ2-MV-6.
    """
    names_at_rest = [builder.ship(move.ship).name for move in moves if not move.can_displace]
    moves = [move for move in moves if move.can_displace]
    if names_at_rest:
        builder.because(f"{join_as_sentence(names_at_rest)} did not move: no wander check", "GQ2-MV-6")
    if not moves:
        return
    ships = [builder.ship(move.ship) for move in moves]
    builder.owe(
        CHECKS,
        ships[0].id,
        f"wander checks of @{division}: {', '.join(ship.name for ship in ships)}",
        *_list_dice(ships),
        facts={**_build_facts("ships", moves), "turn": turn},
        cause=cause,
    )


def _list_dice(ships: list[Ship]) -> tuple[Die, ...]:
    """List three dice for each ship, with her name in theirs."""
    return tuple(evolve(die, name=f"{ship.name} {die.name}".strip()) for ship in ships for die in WANDER_DICE)


def prepare_checks(battle: Battle, owed: Owed) -> PreparedOrder:
    """Prepare the owed dice of a division's wander checks, three for each ship.

    Odds are shown only if a single ship checks.

    Rule: GQ2-MV-6.
    """
    moves = _read_moves(owed, "ships")

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        places = []
        dice_per_ship = len(WANDER_DICE)
        for number, move in enumerate(moves):
            name = battle.ships[move.ship].name
            first = number * dice_per_ship
            ship_faces = faces[first : first + dice_per_ship]
            places += [f"{name} {where}" for where in _explain_move(builder, ship_faces, move)]
            # A check of an earlier turn does not replace the one of this turn.
            if owed.read_number("turn") == battle.turn:
                builder.remember(WANDER.word, move.ship)
        _record_places(builder, places)

    moves_text = (f"{battle.ships[move.ship].name} moved {format_move(battle, move)}" for move in moves)
    dice = _list_dice([battle.ships[move.ship] for move in moves])
    throw = PreparedOrder(dice=dice, decide=decide, reminders=tuple(moves_text))
    if len(moves) > 1:
        return throw
    return evolve(throw, judge=lambda faces: judge_displacement(faces, moves[0]), odds=ODDS, needs=NEEDS)


def build_throw(battle: Battle, order: Order) -> PreparedOrder:
    """Build the throw of one ship's wander check, from the move that the order states.

    Rule: GQ2-MV-6.
    """
    ship = battle.ships[order.text("ship")]
    move = CheckedMove(ship.id, to_inches(battle, order.slots["inches"]), order.number("points") or 0)
    return PreparedOrder(
        dice=WANDER_DICE,
        judge=lambda faces: judge_displacement(faces, move),
        decide=lambda faces, builder: _record_places(builder, _explain_move(builder, faces, move)),
        owes=WANDER.word,
        prompt=f"wander check of {ship.name}",
        ship=ship.id,
        odds=ODDS,
        needs=NEEDS,
    )


def _explain_move(builder: DecisionBuilder, faces: Faces, move: CheckedMove) -> list[str]:
    """Add the reason for the result of a ship's check, and return the displacements as texts."""
    half_inch = format_distance(builder.battle, Fraction(1, 2))
    places = [
        f"{half_inch} {word}"
        for word, is_displaced in zip(_DIRECTIONS, judge_displacement(faces, move), strict=True)
        if is_displaced
    ]
    red, blue, ten = faces
    builder.because(
        " and ".join(places) or "holds its place",
        "GQ2-MV-6",
        of=f"{builder.ship(move.ship).name},",
        roll=f"d10 {ten}, red {red}, blue {blue}",
    )
    return places


def _record_places(builder: DecisionBuilder, places: list[str]) -> None:
    """Record where ships were displaced, and if any were, ask whether they touch others."""
    if places:
        builder.ask("did a ship touch another? `contact SHIP,SHIP`", "GQ2-MV-6")
    builder.result("set", tuple(places))


def judge_displacement(faces: Faces, move: CheckedMove) -> tuple[int, int, int]:
    """Return 1 or 0 for each displacement: aft, to starboard, to port.

    Args:
        faces: The red, blue and ten-sided die of a ship.

    Rule: GQ2-MV-6.
    """
    red, blue, ten = faces
    return int(ten < move.inches), int(red < move.points), int(blue < move.points)


def list_ships_due(battle: Battle, division: str) -> tuple[Ship, ...]:
    """List the ships of a division that must still make a wander check in this turn.

    All ships must check after a change to abreast or quarter line, and by night; by night in line astern only
    the leader must. Ships that did not move, or have checked, are left out.

    Rule: GQ2-MV-2, GQ2-NIT-1.
    """
    ships = list_members(battle, division)
    has_changed = any(
        change not in (ASTERN, TURN_ABOUT) for change in list_formation_changes(battle, division)
    )
    if not has_changed and not is_night(battle):
        return ()
    if not has_changed and find_formation(battle, division) == ASTERN:
        ships = find_leader(battle, division)

    def can_wander(ship: Ship) -> bool:
        """Return whether a check can displace a ship, by her recorded move or else by a possible one."""
        if has_moved(ship):
            return find_recorded_move(ship).can_displace
        # Without a change, a ship recorded at rest last turn is taken to be still at rest.
        return bool(compute_speed(battle, ship)) and (has_changed or ship.log.get("told") != 0)

    return tuple(
        ship for ship in ships if can_wander(ship) and not battle.list_turn_acts(WANDER.word, ship.id)
    )


def list_wanderers(battle: Battle) -> tuple[Ship, ...]:
    """List the ships whose wander check is due and not owed yet."""
    divisions = (division for side in battle.sides for division in side.divisions)
    owed_ids = {id for owed in _list_owed_checks(battle) for id in owed.read_texts("ships")}
    return tuple(
        ship
        for division in divisions
        for ship in list_ships_due(battle, division.id)
        if ship.id not in owed_ids
    )


def _list_owed_checks(battle: Battle) -> list[Owed]:
    """List the owed questions about wander checks of this turn, but not those of earlier turns."""
    return [
        owed for owed in battle.owed if owed.read_number("turn") == battle.turn and owed.read_texts("ships")
    ]


def are_checks_owed(battle: Battle) -> bool:
    """Return whether the end of movement owes the checks that are due, by a switch.

    Rule: GQ2-MV-6.
    """
    return read_option(battle, "wander_checks") == "owed"


def owe_checks(builder: DecisionBuilder) -> bool:
    """Owe the wander checks that are due, one question for each division, once a turn.

    By a switch nothing is owed.

    Returns:
        True if anything was owed now.

    Rule: GQ2-MV-6.
    """
    battle = builder.battle
    if not are_checks_owed(battle):
        return False
    ships_by_division: dict[str, list[Ship]] = {}
    for ship in list_wanderers(battle):
        if not battle.list_turn_acts(ASKED, ship.division):
            ships_by_division.setdefault(ship.division, []).append(ship)
    for division, ships in ships_by_division.items():
        builder.remember(ASKED, division)
        _owe_checks_of_division(builder, division, ships, battle.opened)
    return bool(ships_by_division)


def _owe_checks_of_division(
    builder: DecisionBuilder, division: str, ships: Sequence[Ship], cause: int
) -> None:
    """Owe the dice of a division's wander checks, or a question for its moves if some are not recorded."""
    unknown_ships = [ship for ship in ships if not has_moved(ship)]
    known_moves = [find_recorded_move(ship) for ship in ships if has_moved(ship)]
    if not unknown_ships:
        owe_dice(builder, division, known_moves, builder.battle.turn, cause)
        return
    names = ", ".join(ship.name for ship in unknown_ships)
    builder.owe(
        MOVES,
        ships[0].id,
        f"inches and points of {names}, for the wander checks of @{division}",
        facts={
            "ships": tuple(ship.id for ship in ships),
            "division": division,
            "turn": builder.battle.turn,
            **_build_facts("recorded", known_moves),
        },
        cause=cause,
    )


def _find_known_moves(battle: Battle, owed: Owed) -> dict[str, CheckedMove]:
    """Return the known moves of a question's ships by ship id; ships without a recorded move are left out.

    If the question was carried from an earlier turn, the moves are those known when it was asked.
    """
    if owed.read_number("turn") != battle.turn:
        return {move.ship: move for move in _read_moves(owed, "recorded")}
    ships = (battle.ships[id] for id in owed.read_texts("ships"))
    return {ship.id: find_recorded_move(ship) for ship in ships if has_moved(ship)}


def is_answerable(battle: Battle, owed: Owed) -> bool:
    """Return whether an owed question still needs an answer; only questions about wander checks can lapse.

    They lapse if the switch no longer owes checks. The question for moves also lapses once all are recorded.
    """
    if owed.line not in (CHECKS, MOVES):
        return True
    all_moved = owed.line == MOVES and len(_find_known_moves(battle, owed)) == len(owed.read_texts("ships"))
    return are_checks_owed(battle) and not all_moved


def owe_recorded_checks(builder: DecisionBuilder, owed: Owed) -> None:
    """Owe the dice of wander checks whose question for moves lapsed because all moves are recorded now.

    It does nothing for any other question that lapsed.

    Rule: GQ2-MV-6.
    """
    if are_checks_owed(builder.battle) and owed.line == MOVES:
        known = _find_known_moves(builder.battle, owed)
        moves = [known[id] for id in owed.read_texts("ships")]
        owe_dice(builder, owed.read_text("division"), moves, owed.read_number("turn"), owed.entry)


def prepare_moves(battle: Battle, owed: Owed, words: tuple[str, ...]) -> PreparedOrder:
    """Prepare the answer that states unrecorded moves; the answer owes the dice of the wander checks.

    Moves of this turn are also recorded, as not evasive. Until movement ends, the rules of movement may
    refuse them. Moves of an earlier turn only serve the checks.
    """
    known_moves = _find_known_moves(battle, owed)
    is_this_turn = owed.read_number("turn") == battle.turn
    unknown_ships = [battle.ships[id] for id in owed.read_texts("ships") if id not in known_moves]
    try:
        answered_moves = {move.ship: move for move in _read_answer(battle, unknown_ships, words)}
    except OrderRefused:
        names = ", ".join(ship.name for ship in unknown_ships)
        text = f"inches and points for each of {names}, like `{' '.join(assume_moves(battle, owed))}`"
        return PreparedOrder(findings=(impossible(text),))
    moves_to_record = answered_moves.values() if is_this_turn else ()

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        for move in moves_to_record:
            record_inches(builder, battle.ships[move.ship], move.inches, move.turns)
            # `record_manner` skips an unchanged value, but earlier versions always wrote this one, and a save
            # is verified by its effects.
            builder.record(move.ship, "turned", move.turns)
            # A turn of less than 45° is no whole turn, but the move was not straight.
            crooked = move.points > 0 and not move.turns
            record_manner(builder, builder.ship(move.ship), crooked=crooked, turns=move.turns)
        move_by_id = known_moves | answered_moves
        moves = [move_by_id[id] for id in owed.read_texts("ships")]
        move_texts = (
            f"{battle.ships[move.ship].name} {format_move(battle, move)}" for move in answered_moves.values()
        )
        builder.because(", ".join(move_texts), "GQ2-MV-6")
        owe_dice(builder, owed.read_text("division"), moves, owed.read_number("turn"), owed.entry)

    moves_to_check = moves_to_record if battle.phase == MOVEMENT else ()
    findings = (
        finding
        for move in moves_to_check
        for finding in list_reach_findings(battle, battle.ships[move.ship], move.inches, move.turns)
    )
    return PreparedOrder(findings=tuple(findings), decide=decide)


def assume_moves(battle: Battle, owed: Owed) -> tuple[str, ...]:
    """Return an answer that states unrecorded moves: full speed, straight ahead."""
    known = _find_known_moves(battle, owed)
    unknown = (battle.ships[id] for id in owed.read_texts("ships") if id not in known)
    return tuple(word for ship in unknown for word in (format_decimal(compute_speed(battle, ship)), "0"))


def _read_answer(battle: Battle, ships: Sequence[Ship], words: tuple[str, ...]) -> list[CheckedMove]:
    """Read inches and points for each ship from the words of an answer.

    Raises:
        OrderRefused: The words do not fit.
    """
    inches_slot, points_slot = (slot for slot in WANDER.slots if slot.name in ("inches", "points"))
    # The slots of the order `wander`, once for each ship. `known` would offer a recorded move; there is none.
    slots = [
        slot
        for ship in ships
        for slot in (
            evolve(inches_slot, name=f"{ship.id} inches", unit=find_unit(battle), known=None),
            evolve(points_slot, name=f"{ship.id} points", known=None),
        )
    ]
    answer = read_words(words, Form(MOVES, key="", title="", slots=tuple(slots)), battle)
    return [
        CheckedMove(
            ship.id,
            to_inches(battle, answer.slots[f"{ship.id} inches"]),
            answer.number(f"{ship.id} points") or 0,
        )
        for ship in ships
    ]


def prepare_wander(battle: Battle, order: Order) -> PreparedOrder:
    """Prepare `wander`: a wander check of one ship that the umpire enters unasked.

    It is refused if the ship has checked this turn, or if her check is owed. If the order states another move
    than the log, a reminder says so.
    """
    ship = battle.ships[order.text("ship")]
    findings = [*check_phase(battle, WANDER), *check_can_move(battle, ship)]
    if battle.list_turn_acts(WANDER.word, ship.id):
        findings.append(refused(f"{ship.name} has checked this turn: amend that entry instead", "GQ2-MV-6"))
    for owed in _list_owed_checks(battle):
        if ship.id in owed.read_texts("ships"):
            command = f"`{'roll' if owed.dice else 'answer'} {owed.key} ...`"
            findings.append(refused(f"the wander check of {ship.name} is owed: {command}", "GQ2-MV-6"))
    recorded_move = find_recorded_move(ship)
    ordered_move = (to_inches(battle, order.slots["inches"]), order.number("points") or 0)
    matches_log = not has_moved(ship) or ordered_move == (recorded_move.inches, recorded_move.points)
    reminder = f"the log has {format_move(battle, recorded_move)} (45° is four points)"
    return evolve(
        build_throw(battle, order),
        findings=tuple(findings),
        declare=lambda builder: builder.remember(WANDER.word, ship.id),
        reminders=() if matches_log else (reminder,),
    )
