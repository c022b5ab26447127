"""A wander check: its dice, and where they set a ship (GQ2-MV-6)."""

from collections.abc import Sequence
from fractions import Fraction

from attrs import evolve, frozen

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.facts import Fact
from qf_tui.core.grammar.order import Order
from qf_tui.core.measure import decimal, exact
from qf_tui.core.system import Faces, Measure, Need, PreparedOrder
from qf_tui.core.values import Battle, Die, Owed, Ship
from qf_tui.rules.gq2.forms import WANDER
from qf_tui.rules.gq2.measures import inches, with_unit
from qf_tui.rules.gq2.ship import POINTS, turns_made

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
