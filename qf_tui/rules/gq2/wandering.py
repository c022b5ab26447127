"""Ships that wander: who checks, and what the end of movement owes for them (GQ2-MV-6, GQ2-NIT-1)."""

from collections.abc import Sequence
from fractions import Fraction

from attrs import evolve, frozen

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.errors import OrderRefused, impossible, refused
from qf_tui.core.facts import Fact
from qf_tui.core.grammar.forms import Form, Order, Slot
from qf_tui.core.grammar.reader import read_words
from qf_tui.core.system import Faces, Measure, Need, PreparedOrder
from qf_tui.core.text import decimal, exact
from qf_tui.core.values import Battle, Die, Owed, Ship
from qf_tui.rules.gq2.clauses import option
from qf_tui.rules.gq2.forms import TURN_ABOUT, WANDER, inches, unit, with_unit
from qf_tui.rules.gq2.movement import ASTERN, changes, formation, leader, members, out_of_reach, record_inches
from qf_tui.rules.gq2.ship import MOVEMENT, POINTS, record_manner, speed, turns_made
from qf_tui.rules.gq2.targets import held_fast, is_night, of_phase

CHECKS = "wander-checks"
"""What is owed for a division: the dice of its checks."""
WANDER_DICE = (Die(6, "red"), Die(6, "blue"), Die(10, "", 0))
ODDS = (Measure("aft", 0), Measure("starboard", 1), Measure("port", 2))
NEEDS = (Need("aft", 0, (2,)), Need("starboard", 1), Need("port", 2, (1,)))
_WHERE = ("aft", "to starboard", "to port")


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


def recorded(ship: Ship) -> Moved:
    """What a ship's `move` of this turn says, once there is one."""
    return Moved(ship.id, exact(ship.log.get("moved")), POINTS * turns_made(ship))


def as_moved(battle: Battle, one: Moved) -> str:
    """What a ship has moved, in words."""
    return f"{with_unit(battle, one.inches)}, {one.points} points"


def kept(name: str, moves: Sequence[Moved]) -> dict[str, Fact]:
    """What ships have moved, as facts of a question: the ships by a name, their inches and points."""
    return {
        name: tuple(one.ship for one in moves),
        "inches": tuple(decimal(one.inches) for one in moves),
        "points": tuple(one.points for one in moves),
    }


def kept_by(owed: Owed, name: str) -> list[Moved]:
    """What ships have moved, by the facts of a question."""
    told = zip(owed.texts(name), owed.texts("inches"), owed.numbers("points"), strict=True)
    return [Moved(ship, Fraction(far), points) for ship, far, points in told]


def owe_dice(builder: DecisionBuilder, division: str, moves: Sequence[Moved], turn: int, cause: int) -> None:
    """Owes the dice of a division's checks in one row."""
    ships = [builder.ship(one.ship) for one in moves]
    builder.owe(
        CHECKS,
        ships[0].id,
        f"wander checks of @{division}: {', '.join(ship.name for ship in ships)}",
        *_dice(ships),
        facts={**kept("ships", moves), "turn": turn},
        cause=cause,
    )


def _dice(ships: list[Ship]) -> tuple[Die, ...]:
    """Three dice a ship, with its name."""
    return tuple(evolve(die, name=f"{ship.name} {die.name}".strip()) for ship in ships for die in WANDER_DICE)


def prepare_checks(battle: Battle, owed: Owed) -> PreparedOrder:
    """The dice of a division's checks, three a ship (GQ2-MV-6)."""
    moves = kept_by(owed, "ships")

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        places = []
        for at, one in enumerate(moves):
            thrown = faces[3 * at : 3 * at + 3]
            ship = builder.ship(one.ship)
            places += [f"{ship.name} {where}" for where in _say(builder, ship, thrown, one)]
            if owed.number("turn") == battle.turn:
                builder.remember(WANDER.word, one.ship)
        _warn(builder, places)

    notes = [f"{battle.ships[one.ship].name} moved {as_moved(battle, one)}" for one in moves]
    dice = _dice([battle.ships[one.ship] for one in moves])
    ready = PreparedOrder(dice=dice, decide=decide, reminders=tuple(notes))
    if len(moves) > 1:
        return ready
    return evolve(
        ready, judge=lambda faces: set_to(faces, moves[0].inches, moves[0].points), odds=ODDS, needs=NEEDS
    )


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
        builder.because("a contact means a collision check at once: `contact SHIP,SHIP`", "GQ2-MV-6")
    builder.result("set", tuple(places))


def set_to(faces: Faces, moved: Fraction, points: int) -> tuple[int, int, int]:
    """Whether a ship is set aft, to starboard and to port (GQ2-MV-6)."""
    red, blue, ten = faces
    return int(ten < moved), int(red < points), int(blue < points)


MOVES = "wander-moves"
"""What is owed for a division first: what nobody has recorded of its ships' moves."""
ASKED = "wander-asked"


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
    asked = _asked(battle)
    found = (
        ship for side in battle.sides for division in side.divisions for ship in due(battle, division.id)
    )
    return tuple(ship for ship in found if ship.id not in asked)


def _asked(battle: Battle) -> frozenset[str]:
    """The ships whose check of this turn is owed; one of an earlier turn may be carried over beside it."""
    return frozenset(
        id for owed in battle.owed if owed.number("turn") == battle.turn for id in owed.texts("ships")
    )


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
            ships = tuple(ship for ship in due(battle, division.id) if ship in wanderers(battle))
            if ships and not battle.done(ASKED, division.id):
                builder.remember(ASKED, division.id)
                _owe(builder, division.id, ships, battle.opened)
                owes = True
    return owes


def _owe(builder: DecisionBuilder, division: str, ships: tuple[Ship, ...], cause: int) -> None:
    """The dice of a division's checks, or first what its ships have moved."""
    unknown = [ship for ship in ships if ship.log.get("moved") is None]
    known = [recorded(ship) for ship in ships if ship not in unknown]
    if not unknown:
        owe_dice(builder, division, known, builder.battle.turn, cause)
        return
    names = ", ".join(ship.name for ship in unknown)
    builder.owe(
        MOVES,
        ships[0].id,
        f"inches moved and points turned by each, for the wander checks of @{division}: {names}",
        facts={
            "ships": tuple(ship.id for ship in ships),
            "division": division,
            "turn": builder.battle.turn,
            **kept("recorded", known),
        },
        cause=cause,
    )


def _moves_known(battle: Battle, owed: Owed) -> dict[str, Moved]:
    """What is recorded of the ships of a row, by id: of an earlier turn what was when it was asked."""
    if owed.number("turn") != battle.turn:
        return {one.ship: one for one in kept_by(owed, "recorded")}
    ships = (battle.ships[id] for id in owed.texts("ships"))
    return {ship.id: recorded(ship) for ship in ships if ship.log.get("moved") is not None}


def all_told(battle: Battle, owed: Owed) -> bool:
    """Whether a question after moves has every answer, as the ships' moves were recorded meanwhile."""
    return owed.line == MOVES and len(_moves_known(battle, owed)) == len(owed.texts("ships"))


def lapse(builder: DecisionBuilder, owed: Owed) -> None:
    """Owes the dice of the checks once the moves that were asked for are recorded (GQ2-MV-6)."""
    if asked_for(builder.battle) and owed.line == MOVES:
        known = _moves_known(builder.battle, owed)
        moves = [known[id] for id in owed.texts("ships")]
        owe_dice(builder, owed.text("division"), moves, owed.number("turn"), owed.entry)


def prepare_moves(battle: Battle, owed: Owed, words: tuple[str, ...]) -> PreparedOrder:
    """What the ships of a row have moved, where nobody had recorded it; then its dice are owed.

    Of an earlier turn it is no move of this one: nothing is recorded, and no rule of moves hinders it.
    """
    known, of_now = _moves_known(battle, owed), owed.number("turn") == battle.turn
    unknown = [battle.ships[id] for id in owed.texts("ships") if id not in known]
    try:
        told = _told(battle, unknown, words)
    except OrderRefused:
        names = ", ".join(ship.name for ship in unknown)
        fault = f"inches and points for each of {names}, as `{' '.join(['8 0'] * len(unknown))}`"
        return PreparedOrder(findings=(impossible(fault),))
    said = {one.ship: one for one in told}

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        for one in said.values() if of_now else ():
            record_inches(builder, battle.ships[one.ship], one.inches, one.turns)
            builder.record(one.ship, "turned", one.turns)
            crooked = one.points > 0 and not one.turns
            record_manner(builder, builder.ship(one.ship), crooked=crooked, turns=one.turns)
        moves = [(known | said)[id] for id in owed.texts("ships")]
        text = ", ".join(f"{battle.ships[one.ship].name} {as_moved(battle, one)}" for one in said.values())
        builder.because(text, "GQ2-MV-6")
        owe_dice(builder, owed.text("division"), moves, owed.number("turn"), owed.entry)

    findings = (
        finding
        for one in (said.values() if of_now and battle.phase == MOVEMENT else ())
        for finding in out_of_reach(battle, battle.ships[one.ship], one.inches, one.turns)
    )
    return PreparedOrder(findings=tuple(findings), decide=decide)


def plain_moves(battle: Battle, owed: Owed) -> tuple[str, ...]:
    """What ships have moved as far as anybody knows: all their speed allows, straight ahead."""
    known = _moves_known(battle, owed)
    unknown = (battle.ships[id] for id in owed.texts("ships") if id not in known)
    return tuple(word for ship in unknown for word in (decimal(speed(battle, ship)), "0"))


def _told(battle: Battle, ships: Sequence[Ship], words: tuple[str, ...]) -> list[Moved]:
    """Inches and points, ship by ship; OrderRefused for words that do not say them."""
    form = Form(MOVES, "", "", tuple(slot for ship in ships for slot in _slots(battle, ship)))
    said = read_words(words, form, battle)
    return [
        Moved(ship.id, inches(battle, said.slots[far.name]), said.number(points.name) or 0)
        for ship in ships
        for far, points in (_slots(battle, ship),)
    ]


def _slots(battle: Battle, ship: Ship) -> tuple[Slot, Slot]:
    """Where the inches and the points of a ship stand in an answer."""
    far, points = (slot for slot in WANDER.slots if slot.name in ("inches", "points"))
    return (
        evolve(far, name=f"{ship.id} inches", unit=unit(battle), known=None),
        evolve(points, name=f"{ship.id} points", known=None),
    )


def prepare_wander(battle: Battle, order: Order) -> PreparedOrder:
    """`wander`: a ship's wander check that nobody asked for, declared or with its dice."""
    ship = battle.ships[order.text("ship")]
    found = [*of_phase(battle, WANDER), *held_fast(battle, ship)]
    if battle.done(WANDER.word, ship.id):
        found.append(refused(f"{ship.name} has checked this turn: amend that entry instead", "GQ2-MV-6"))
    if ship.id in _asked(battle):
        found.append(refused(f"the wander check of {ship.name} is owed: `roll`", "GQ2-MV-6"))
    return evolve(
        wander(battle, order),
        findings=tuple(found),
        declare=lambda builder: builder.remember(WANDER.word, ship.id),
        reminders=_against_record(battle, ship, order),
    )


def _against_record(battle: Battle, ship: Ship, order: Order) -> tuple[str, ...]:
    """What a ship's `move` says, where the check says otherwise."""
    if ship.log.get("moved") is None:
        return ()
    made = recorded(ship)
    given = inches(battle, order.slots["inches"]), order.number("points") or 0
    if given == (made.inches, made.points):
        return ()
    return (f"recorded is otherwise: {as_moved(battle, made)} (four for 45°)",)
