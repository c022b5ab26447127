"""Ships that wander: who checks, the checks that a phase owes, and their dice (GQ2-MV-6, GQ2-NIT-1)."""

import re
from fractions import Fraction

from attrs import evolve, frozen

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.errors import impossible, refused
from qf_tui.core.grammar.order import Order
from qf_tui.core.measure import decimal, exact
from qf_tui.core.system import Faces, Measure, Need, PreparedOrder
from qf_tui.core.values import Battle, Die, Owed, Ship
from qf_tui.rules.gq2.formation import ASTERN, changes, formation, leader, members
from qf_tui.rules.gq2.forms import MOVEMENT, TURN_ABOUT, WANDER
from qf_tui.rules.gq2.lights import is_night
from qf_tui.rules.gq2.measures import inches, with_unit
from qf_tui.rules.gq2.movement import out_of_reach, record_inches
from qf_tui.rules.gq2.options import option
from qf_tui.rules.gq2.ship import POINTS, speed, turns_made
from qf_tui.rules.gq2.targets import of_phase, out_of_action

CHECKS, MOVES = "wander-checks", "wander-moves"
"""What is owed for a division: the dice of its checks, and first what nobody has recorded."""

ASKED = "wander-asked"

WANDER_DICE = (Die(6, "red"), Die(6, "blue"), Die(10, "", 0))
ODDS = (Measure("aft", 0), Measure("starboard", 1), Measure("port", 2))
NEEDS = (Need("aft", 0, (2,)), Need("starboard", 1), Need("port", 2, (1,)))
_WHERE = ("aft", "to starboard", "to port")
_INCHES = re.compile(r"(\d{1,2}(?:\.\d{1,4})?)(?:in|cm|″)?", re.ASCII)
_COUNT = re.compile(r"\d{1,2}", re.ASCII)


@frozen
class Moved:
    """What a ship that checks has moved: inches, and points turned."""

    ship: str
    inches: Fraction
    points: int

    @property
    def turns(self) -> int:
        """Whole turns of 45°."""
        return self.points // POINTS


def due(battle: Battle, division: str) -> tuple[Ship, ...]:
    """The ships of a division that a clause sends to a check this turn (GQ2-MV-2, GQ2-NIT-1)."""
    ships = members(battle, division)
    changed = any(change not in (ASTERN, TURN_ABOUT) for change in changes(battle, division))
    if not changed and not is_night(battle):
        return ()
    if not changed and formation(battle, division) == ASTERN:
        ships = leader(battle, division)
    ships = tuple(ship for ship in ships if changed or not _lay_still(ship))
    return tuple(
        ship for ship in ships if not _is_still(battle, ship) and not battle.done(WANDER.word, ship.id)
    )


def wanderers(battle: Battle) -> tuple[Ship, ...]:
    """The ships whose check is due and not asked for yet."""
    asked = {id for owed in battle.owed if not owed.late for id in owed.texts("ships")}
    found = (
        ship for side in battle.sides for division in side.divisions for ship in due(battle, division.id)
    )
    return tuple(ship for ship in found if ship.id not in asked)


def _is_still(battle: Battle, ship: Ship) -> bool:
    """Whether a ship neither moves nor turns, so that no die can set it off."""
    moved = ship.log.get("moved")
    return not speed(battle, ship) if moved is None else not (moved or turns_made(ship))


def _lay_still(ship: Ship) -> bool:
    """Whether a ship, without a record, is assumed to lie still as last turn."""
    return ship.log.get("moved") is None and ship.log.get("told") == 0


def asked_for(battle: Battle) -> bool:
    """Whether the end of movement asks for the checks that are due (GQ2-MV-6)."""
    return option(battle, "wander_checks") == "owed"


def owe_checks(builder: DecisionBuilder) -> bool:
    """Owes the checks that are due, once a turn, one row a division; whether it owes any (GQ2-MV-6)."""
    battle, owes = builder.battle, False
    if not asked_for(battle):
        return False
    for side in battle.sides:
        for division in side.divisions:
            ships = due(battle, division.id)
            ships = tuple(ship for ship in ships if ship in wanderers(battle))
            if ships and not battle.done(ASKED, division.id):
                builder.remember(ASKED, division.id)
                _owe(builder, division.id, ships, battle.opened)
                owes = True
    return owes


def _owe(builder: DecisionBuilder, division: str, ships: tuple[Ship, ...], cause: int) -> None:
    """The dice of a division's checks, or first what its ships have moved."""
    unknown = [ship for ship in ships if ship.log.get("moved") is None]
    turn = builder.battle.turn
    if not unknown:
        moves = [Moved(ship.id, exact(ship.log["moved"]), POINTS * turns_made(ship)) for ship in ships]
        _owe_dice(builder, division, moves, turn, cause)
        return
    names = ", ".join(ship.name for ship in unknown)
    builder.owe(
        MOVES,
        ships[0].id,
        f"inches moved and points turned before the wander checks of @{division}: {names}",
        facts={"ships": tuple(ship.id for ship in ships), "division": division, "turn": turn},
        cause=cause,
    )


def _owe_dice(builder: DecisionBuilder, division: str, moves: list[Moved], turn: int, cause: int) -> None:
    ships = [builder.ship(one.ship) for one in moves]
    builder.owe(
        CHECKS,
        ships[0].id,
        f"wander checks of @{division}: {', '.join(ship.name for ship in ships)}",
        *_dice(ships),
        facts={
            "ships": tuple(one.ship for one in moves),
            "inches": tuple(decimal(one.inches) for one in moves),
            "points": tuple(one.points for one in moves),
            "turn": turn,
        },
        cause=cause,
    )


def _dice(ships: list[Ship]) -> tuple[Die, ...]:
    """Three dice a ship, with its name."""
    return tuple(evolve(die, name=f"{ship.name} {die.name}".strip()) for ship in ships for die in WANDER_DICE)


def prepare_moves(battle: Battle, owed: Owed, words: tuple[str, ...]) -> PreparedOrder:
    """What the ships of a row have moved, where nobody had recorded it; then its dice are owed."""
    ships = [battle.ships[id] for id in owed.texts("ships")]
    unknown = [ship for ship in ships if ship.log.get("moved") is None]
    told = _pairs(words, len(unknown))
    if told is None:
        names = ", ".join(ship.name for ship in unknown)
        fault = f"inches and points for each of {names}, as `{' '.join(['8 0'] * len(unknown))}`"
        return PreparedOrder(findings=(impossible(fault),))
    said = {ship.id: Moved(ship.id, *pair) for ship, pair in zip(unknown, told, strict=True)}

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        for one in said.values() if owed.number("turn") == battle.turn else ():
            record_inches(battle, battle.ships[one.ship], one.inches, one.turns, builder)
            builder.record(one.ship, "turned", one.turns)
        moves = [said.get(ship.id) or _recorded(ship) for ship in ships]
        words = (f"{battle.ships[one.ship].name} {_as_moved(battle, one)}" for one in said.values())
        builder.because(", ".join(words), "GQ2-MV-6")
        _owe_dice(builder, owed.text("division"), moves, owed.number("turn"), owed.entry)

    findings = (
        finding
        for one in (said.values() if battle.phase == MOVEMENT else ())
        for finding in out_of_reach(battle, battle.ships[one.ship], one.inches, one.turns)
    )
    return PreparedOrder(findings=tuple(findings), decide=decide)


def _pairs(words: tuple[str, ...], count: int) -> list[tuple[Fraction, int]] | None:
    """Inches and points, ship by ship; None for words that do not say them."""
    if len(words) != 2 * count:
        return None
    found = []
    for far, points in zip(words[::2], words[1::2], strict=True):
        inches_read = _INCHES.fullmatch(far.replace("½", ".5" if far[:1] != "½" else "0.5"))
        if inches_read is None or not _COUNT.fullmatch(points):
            return None
        found.append((Fraction(inches_read[1]), int(points)))
    return found


def _recorded(ship: Ship) -> Moved:
    return Moved(ship.id, exact(ship.log.get("moved")), POINTS * turns_made(ship))


def _as_moved(battle: Battle, one: Moved) -> str:
    return f"{with_unit(battle, one.inches)}, {one.points} points"


def prepare_checks(battle: Battle, owed: Owed) -> PreparedOrder:
    """The dice of a division's checks, three a ship (GQ2-MV-6)."""
    told = zip(owed.texts("ships"), owed.texts("inches"), owed.numbers("points"), strict=True)
    moves = [Moved(ship, Fraction(far), points) for ship, far, points in told]

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        places = []
        for at, one in enumerate(moves):
            thrown = faces[3 * at : 3 * at + 3]
            ship = builder.ship(one.ship)
            places += [f"{ship.name} {where}" for where in _say(builder, ship, thrown, one)]
            if owed.number("turn") == battle.turn:
                builder.remember(WANDER.word, one.ship)
        _warn(builder, places)

    notes = [f"{battle.ships[one.ship].name} moved {_as_moved(battle, one)}" for one in moves]
    dice = _dice([battle.ships[one.ship] for one in moves])
    ready = PreparedOrder(dice=dice, decide=decide, reminders=tuple(notes))
    if len(moves) > 1:
        return ready
    return evolve(
        ready, judge=lambda faces: set_to(faces, moves[0].inches, moves[0].points), odds=ODDS, needs=NEEDS
    )


def prepare_wander(battle: Battle, order: Order) -> PreparedOrder:
    """`wander`: a ship's wander check that nobody asked for, declared or with its dice."""
    ship = battle.ships[order.text("ship")]
    found = [*of_phase(battle, WANDER), *out_of_action(battle, ship)]
    if battle.done(WANDER.word, ship.id):
        found.append(refused(f"{ship.name} has checked this turn: amend that entry instead", "GQ2-MV-6"))
    if any(ship.id in owed.texts("ships") for owed in battle.owed):
        found.append(refused(f"{whose_check(ship)} is owed: `roll`", "GQ2-MV-6"))
    return evolve(
        wander(battle, order),
        findings=tuple(found),
        declare=lambda builder: builder.remember(WANDER.word, ship.id),
        reminders=_against_record(battle, ship, order),
    )


def whose_check(ship: Ship) -> str:
    """A check in words."""
    return f"the wander check of {ship.name}"


def _against_record(battle: Battle, ship: Ship, order: Order) -> tuple[str, ...]:
    """What a ship's `move` says, where the check says otherwise."""
    if ship.log.get("moved") is None:
        return ()
    recorded = _recorded(ship)
    given = inches(battle, order.slots["inches"]), order.number("points") or 0
    if given == (recorded.inches, recorded.points):
        return ()
    return (f"recorded is otherwise: {_as_moved(battle, recorded)} (four for 45°)",)


def wander(battle: Battle, order: Order) -> PreparedOrder:
    """The dice of a wander check (GQ2-MV-6)."""
    ship = battle.ships[order.text("ship")]
    one = Moved(ship.id, inches(battle, order.slots["inches"]), order.number("points") or 0)

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        _warn(builder, _say(builder, ship, faces, one))

    return PreparedOrder(
        dice=WANDER_DICE,
        judge=lambda faces: set_to(faces, one.inches, one.points),
        decide=decide,
        owes=WANDER.word,
        prompt=f"wander check of {ship.name}",
        ship=ship.id,
        odds=ODDS,
        needs=NEEDS,
    )


def _say(builder: DecisionBuilder, ship: Ship, faces: Faces, one: Moved) -> list[str]:
    """Where a ship is set to, in words."""
    half = with_unit(builder.battle, Fraction(1, 2))
    there = set_to(faces, one.inches, one.points)
    places = [f"{half} {word}" for word, set_there in zip(_WHERE, there, strict=True) if set_there]
    red, blue, ten = faces
    said = " and ".join(places) or "holds its place"
    builder.because(said, "GQ2-MV-6", of=f"{ship.name},", roll=f"d10 {ten}, red {red}, blue {blue}")
    return places


def _warn(builder: DecisionBuilder, places: list[str]) -> None:
    if places:
        builder.because("a contact means a collision check at once", "GQ2-MV-6")
    builder.result("set", tuple(places))


def set_to(faces: Faces, moved: Fraction, points: int) -> tuple[int, int, int]:
    """Whether a ship is set aft, to starboard and to port (GQ2-MV-6)."""
    red, blue, ten = faces
    return int(ten < moved), int(red < points), int(blue < points)
