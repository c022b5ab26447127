"""A game as the core sees it, as far as the games do not differ."""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache

from qf_tui.core.decisions import DecisionBuilder, Op
from qf_tui.core.declarations import Available, Event, ResultKind, SheetLine, SheetPart, WorthPart
from qf_tui.core.grammar.forms import Order
from qf_tui.core.system import Column, PreparedOrder, RuleSystem, Shape, Span, find_phase
from qf_tui.core.text import Scalar, exact
from qf_tui.core.values import AFLOAT, Battle, Owed, Ship
from qf_tui.rules.quickfire_family import grid
from qf_tui.rules.quickfire_family.attacks import silent
from qf_tui.rules.quickfire_family.chart import columns_of
from qf_tui.rules.quickfire_family.damage import EXPLOSION, ByHand, by_hand, row_of_size
from qf_tui.rules.quickfire_family.game import AGROUND, DEPARTURES, STATUSES, STRICT, Game
from qf_tui.rules.quickfire_family.movement import PIVOTS, may_move, movement, possible_moves
from qf_tui.rules.quickfire_family.ship import (
    AT_START,
    BOXES,
    Battery,
    acting,
    armor,
    gunnery_rating,
    is_light_craft,
    marked_boxes,
    size,
)
from qf_tui.rules.quickfire_family.throws import (
    INTERRUPTED,
    Roll,
    Throw,
    answer_ready,
    as_declared,
    ready,
    roll_of,
    waits_declared,
    with_declaration,
)

_ATTACKS = ("fire", "torpedo")


class QuickfireSystem(RuleSystem):
    """What the games do alike; each game says in its class what it does otherwise.

    `orders` prepare its orders, by word; `throws` give the throw of a declared order, by the line that it
    owes. `codes` are its damage codes, `by_hand` the clause of those that the umpire gives, `by_hand_of` that
    of single codes. `own` are the cells that it draws itself, `torpedo` the field of the log for its
    torpedoes.
    """

    game: Game
    orders: Mapping[str, Callable[[Battle, Order], PreparedOrder]]
    throws: Mapping[str, Callable[[Battle, Roll, Order], Throw]]
    codes: tuple[str, ...]
    by_hand: str
    by_hand_of: Mapping[str, str] = {}
    own: grid.Own
    torpedo: str
    at_start = AT_START
    conditions = (STRICT,)
    departure_statuses = STATUSES[1:]
    target_statuses = (AFLOAT, AGROUND)
    departure_clauses = DEPARTURES
    letters: Mapping[str, str] = {
        "M": "move",
        "H": "heavy guns",
        "L": "light guns",
        "T": "torpedoes",
        "R": "repair",
    }

    @abstractmethod
    def check(self, battle: Battle, roll: Roll) -> Throw:
        """The throw of a roll that no order declared."""

    @abstractmethod
    def take(self, builder: DecisionBuilder, ship: str, codes: tuple[str, ...], source: str) -> None:
        """Damage by the umpire's word; `source` is one of `damage_sources`, "" for the usual one."""

    @abstractmethod
    def may_do(self, battle: Battle, ship: Ship) -> tuple[str, str]:
        """What a ship may still do in a phase without moves in short, and the order for it."""

    def prepare(self, battle: Battle, order: Order) -> PreparedOrder:
        return self.orders[order.word](battle, order)

    def prepare_roll(self, battle: Battle, owed: Owed) -> PreparedOrder:
        roll = roll_of(owed)
        return ready(self.game, battle, roll, self._throw(battle, roll))

    def prepare_answer(self, battle: Battle, owed: Owed, words: tuple[str, ...]) -> PreparedOrder:
        return answer_ready(self.game, battle, owed, words, lambda roll: self._throw(battle, roll))

    def counted_as(self, owed: Owed) -> str:
        """A question about the chart counts as the roll that it interrupts."""
        return owed.text(INTERRUPTED) or owed.line

    def _throw(self, battle: Battle, roll: Roll) -> Throw:
        order = roll.order
        if order is None:
            return self.check(battle, roll)
        return self.throws[roll.line](as_declared(battle, roll, order), roll, order)

    def carry(self, builder: DecisionBuilder) -> None:
        """Before a phase ends with attacks owed, by the umpire's word: notes how they will be judged."""
        battle = builder.battle
        if not any(map(waits_declared, battle.owed)):
            return
        for owed in battle.owed:
            builder.settle(owed)
            kept = with_declaration(battle, owed) if waits_declared(owed) else owed
            builder.write(Op.OWE, owed.ship, owed.line, kept)

    def prepare_damage(
        self, battle: Battle, ship: str, codes: tuple[str, ...], source: str = ""
    ) -> PreparedOrder:
        def take(builder: DecisionBuilder, id: str, named: tuple[str, ...]) -> None:
            self.take(builder, id, named, source)

        hand = ByHand(self.codes, self.by_hand, take, source, self.by_hand_of)
        return by_hand(self.game, battle, ship, codes, hand)

    def may_act(self, battle: Battle) -> tuple[Available, ...]:
        if battle.phase == self.game.movement:
            movers = (ship.id for ship in battle.ships.values() if may_move(self.game, battle, ship))
            return tuple(Available(id, "move", "move", "M") for id in movers)
        each = ((ship.id, *self.may_do(battle, ship)) for ship in battle.ships.values())
        return tuple(
            Available(id, what, order, what, tuple(map(_way, what)))
            if order in _ATTACKS
            else Available(id, what, order, order[0].upper())
            for id, what, order in each
            if what
        )

    def bulk(self, ship: Ship) -> float:
        return float(size(ship))

    def possible(self, battle: Battle, order: Order) -> tuple[Order, ...]:
        return possible_moves(self.game, battle, order) if order.word == "move" else ()

    def events(self, before: Battle, after: Battle) -> Iterable[Event]:
        """What became of ships, and each explosion as it happens."""
        yield from super().events(before, after)
        for owed in after.owed:
            if owed.line == EXPLOSION and before.question(owed.key) is None:
                yield Event(f"explosion on {after.called(owed.ship)}", owed.ship)

    def out_of_line(self, battle: Battle, ship: Ship) -> bool:
        """A ship whose course damage decides, or whose last box lets her pivot no more."""
        return not ship.ashore and bool(ship.live("course") or not PIVOTS[BOXES - marked_boxes(ship)])

    def fights(self, battle: Battle, ship: Ship) -> bool:
        """A ship afloat does, and one aground unless she is silent (AQF-PH-8)."""
        return ship.afloat or (ship.status == AGROUND and not silent(battle, ship))

    def stood_still(self, battle: Battle, ship: Ship) -> bool:
        moved = movement(self.game, battle, ship)
        return not moved.assumed and not moved.distance

    def report(self, battle: Battle, ship: Ship) -> Mapping[str, Shape]:
        return grid.report(self.game, battle, ship, self.torpedo)

    def cell(self, battle: Battle, ship: Ship, column: Column) -> tuple[Span, ...]:
        slashes = find_phase(self, battle.phase).slashes
        return grid.cell(self.game, battle, ship, column, self.own, slashes=slashes)

    def sheet(self, battle: Battle, ship: Ship) -> tuple[tuple[str, tuple[Span, ...]], ...]:
        slashes = find_phase(self, battle.phase).slashes
        return grid.sheet(self.game, battle, ship, self.columns, self.own, slashes=slashes)

    def log_sheet(self, battle: Battle, ship: Ship) -> tuple[SheetLine, ...]:
        began = acting(battle, ship.id) if find_phase(self, battle.phase).slashes else ship
        return grid.lines(self.game, battle, began, ship, *self.counts(battle, began, ship))

    @abstractmethod
    def counts(self, battle: Battle, began: Ship, ship: Ship) -> Iterable[SheetPart]:
        """The parts of a printed log that are the game's own, of a ship as its phase began and as it is."""

    def changes_of_ship(self, before: Battle, after: Battle, old: Ship, new: Ship) -> Iterable[str]:
        return grid.changes_of_ship(self.game, before, after, old, new, self.torpedo)


def _way(letter: str) -> tuple[str, Mapping[str, str]]:
    """The order that the letter of a battery or of torpedoes stands for, and the slot that tells it."""
    battery = next((each.value for each in Battery if each.value[0].upper() == letter), "")
    return ("fire", {"battery": battery}) if battery else ("torpedo", {})


def may_attack(
    battle: Battle,
    ship: Ship,
    fires: Callable[[Battle, Ship, Battery], bool],
    launches: Callable[[Battle, Ship], bool],
) -> tuple[str, str]:
    """The letters of what a ship may fire and launch, and the order for it."""
    letters = "".join(battery.value[0].upper() for battery in Battery if fires(battle, ship, battery))
    if launches(battle, ship):
        letters += "T"
    return letters, "torpedo" if letters == "T" else "fire"


BATTLESHIP = 15
"""The size that hulls are measured by."""
SIZED = f"times size over {BATTLESHIP}"

Of = Callable[[Ship], float]


@lru_cache(maxsize=1024, typed=True)
def _figure(value: Scalar) -> float:
    return float(exact(value))


def by_size(of: Of) -> Of:
    """Points in proportion to size: those of a battleship are whole."""
    return lambda ship: of(ship) * _figure(ship.card.get("size")) / BATTLESHIP


def count(field: str) -> Of:
    """A counted field of the log."""
    return lambda ship: ship.count(field)


def marks(kind: str) -> Of:
    """The marks of a kind."""
    return lambda ship: sum(mark.kind == kind and not mark.lifted for mark in ship.marks)


def _rof(battery: Battery, best: int) -> WorthPart:
    field, rating = battery.rof, f"gunnery.{battery.value}"

    def of(ship: Ship) -> float:
        return ship.count(field) * _figure(ship.card.get(rating)) / best

    return WorthPart(battery.value, f"each {battery.value} ROF point, times gunnery over {best}", 1, of)


def parts(best: int) -> tuple[WorthPart, ...]:
    """What every game begins with; `best` is the heavy gunnery of the best battleships by its ratings."""
    return (
        *(_rof(battery, best) for battery in Battery),
        WorthPart("speed", f"each speed box, {SIZED}", 1, by_size(lambda ship: BOXES - marked_boxes(ship))),
        WorthPart("hull", f"the ship herself, {SIZED}", 5, by_size(lambda ship: 1)),
    )


def repair() -> WorthPart:
    """The points that attempts are made with: half of them mend something."""
    return WorthPart("repair", "each repair point", 0.5, count("repair_points"))


def fires(weight: float) -> WorthPart:
    """Fires, by what one costs until it is out."""
    return WorthPart("fires", f"each fire, {SIZED}", weight, by_size(marks("fires")), less=True)


def courses() -> WorthPart:
    """Courses that the ship must steer until they are repaired."""
    return WorthPart("courses", f"each direction hit, {SIZED}", 0.5, by_size(marks("course")), less=True)


def beyond() -> WorthPart:
    """S that found no box: each of them makes her likelier to sink."""
    over = by_size(lambda ship: max(0, ship.count("speed_hits") - BOXES))
    return WorthPart("margin", f"each S beyond the eighth, {SIZED}", 1, over, less=True)


def _harm(code: str) -> int:
    """A fire that goes out does none."""
    return int(code != "out")


GUNS = ResultKind("guns", "damage by guns", ("fire",), ("hits", "blast"), damage=True)
BOATS = ResultKind("boat-guns", "damage by boat guns", ("boats",), ("hits", "blast"), damage=True)
STRIKES = ResultKind("torpedoes", "torpedo strikes", ("torpedo",), ("struck",), damage=True)
STRUCK = ResultKind("torpedo-hits", "damage by torpedoes", ("speed-hits",), ("hits",), damage=True)
CHECKS = (
    ResultKind("explosions", "own damage by explosions", ("explosion",), ("hits",), harm="an explosion"),
    ResultKind("fire-checks", "own damage by fires", ("fire-check",), ("hits",), each=_harm, harm="a fire"),
    ResultKind("repairs", "repairs", ("repair",), ("mended",)),
    ResultKind("sinkings", "own ships that sink", ("sinking",), ("sunk",)),
)


Cells = set[tuple[str, str]]


def present(battle: Battle) -> list[Ship]:
    """The ships that are in the battle or still to come."""
    coming = (battle.reserve.get(id) for id in battle.plan.arriving if id not in battle.ships)
    return [ship for ship in (*battle.ships.values(), *coming) if ship is not None and not ship.gone]


def meetings(battle: Battle) -> Iterator[tuple[Ship, Ship]]:
    """A firer and a target of another side, one pair of each rating and armor."""
    firers = {(ship.side, *(gunnery_rating(ship, one) for one in Battery)): ship for ship in present(battle)}
    targets = {(ship.side, *(armor(ship, one) for one in Battery)): ship for ship in present(battle)}
    yield from (
        (firer, target)
        for firer in firers.values()
        for target in targets.values()
        if firer.side != target.side
    )


def lines_met(battle: Battle, lines: Callable[[Ship, Ship], Iterable[int | None]]) -> Cells:
    """The percentage lines of all meetings; `lines` gives those of one."""
    met = {line for firer, target in meetings(battle) for line in lines(firer, target)}
    return {(str(line), "") for line in met if line is not None}


def sizes_met(battle: Battle) -> Cells:
    """The columns of the sinking table for the sizes of all ships."""
    columns = columns_of(battle, "sinking", "sinks-on")
    return {("", row_of_size(float(size(ship)), columns)) for ship in present(battle)}


def ratings_met(battle: Battle, field: str) -> Cells:
    """The columns of the torpedo table for each rating, down from the greatest of the ships there."""
    columns = [int(name) for name in columns_of(battle, "torpedo", "moving") if name.isdigit()]
    most = max((ship.count(field) for ship in present(battle)), default=0)
    return {("", str(rating)) for rating in columns if rating <= most}


def rows_met(battle: Battle, table: str, **asked: bool) -> Cells:
    """The rows of a table, but for those that are named and not asked for."""
    unasked = {name.replace("_", "-") for name, so in asked.items() if not so}
    chart = battle.charts.get(table)
    return {(row, "") for row in (chart.rows if chart else ()) if row not in unasked}


def boats_meet_craft(battle: Battle) -> bool:
    """Whether a ship with boat guns has a vessel against it that they may fire at."""
    ships = present(battle)
    return any(
        one.count("boat_guns") and is_light_craft(other) and one.side != other.side
        for one in ships
        for other in ships
    )


def any_protected(battle: Battle) -> bool:
    """Whether some ship is marked +P."""
    return any(ship.card.get("protected") is True for ship in present(battle))
