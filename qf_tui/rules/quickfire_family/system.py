"""The base class of the Quickfire games, what their ships are worth, the chart cells that a battle needs."""

from abc import abstractmethod
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache, partial
from itertools import groupby

from qf_tui.core.decisions import DecisionBuilder, Op
from qf_tui.core.declarations import (
    Available,
    Event,
    PreparedOrder,
    ResultKind,
    Setup,
    Shape,
    Worth,
    WorthPart,
)
from qf_tui.core.errors import Finding, impossible, refused
from qf_tui.core.printed_logs import SheetLine, SheetPart
from qf_tui.core.system import Column, RuleSystem, Span, find_phase
from qf_tui.core.text import Distance, Scalar, to_fraction
from qf_tui.core.values import AFLOAT, SUNK, Act, Battle, Faces, Order, Owed, Ship
from qf_tui.rules.quickfire_family import grid
from qf_tui.rules.quickfire_family.attacks import Gunnery, has_target, is_silent
from qf_tui.rules.quickfire_family.chart import list_columns
from qf_tui.rules.quickfire_family.damage import (
    EXPLOSION,
    FIELD_BY_KIND,
    REPAIR,
    Check,
    build_check_throw,
    find_size_column,
)
from qf_tui.rules.quickfire_family.game import AGROUND, DEPARTURES, INCH_A_KNOT, STATUSES, STRICT, Game
from qf_tui.rules.quickfire_family.launches import refuse_land_target
from qf_tui.rules.quickfire_family.ledger import begin_ordered_phase, carry_ledgers, freeze_damage
from qf_tui.rules.quickfire_family.movement import (
    PIVOT_BY_BOX,
    Mover,
    SteeredOffer,
    build_steered_offers,
    log_assumed_speeds,
    log_recorded_speeds,
    prepare_move,
    share_move,
)
from qf_tui.rules.quickfire_family.ship import (
    AT_START,
    BOXES,
    NOTHING_MOVED,
    Battery,
    count_marked_boxes,
    find_ship_at_start,
    is_light_craft,
    read_armor,
    read_gunnery,
    read_opening,
    read_size,
)
from qf_tui.rules.quickfire_family.throws import (
    INTERRUPTED,
    Roll,
    Throw,
    add_declaration,
    build_roll,
    complete_throw,
    is_waiting_attack,
    prepare_chart_answer,
    restore_declared_battle,
)

Orders = Mapping[str, Callable[[Battle, Order], PreparedOrder]]
"""The function that prepares each order of a game, by the order's word."""
Throws = Mapping[str, Callable[[Battle, Roll, Order], Throw]]
"""The function that builds the throw of each declared order, by the line that it owes."""

_ORDER_BY_LETTER: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "T": ("torpedo", {}),
    **{each[0].upper(): ("fire", {"battery": each.value}) for each in Battery},
}
"""The order that each letter of `Available` stands for, with the slots that it fills."""
_BATTERY_BY_WORD: Mapping[str, Battery] = {each.value: each for each in Battery}
_OFFERS_KEPT = 500
"""The number of steered ships whose offers are kept, from this and other battles."""


def list_clauses(game: str, names: str) -> tuple[str, ...]:
    """Return the ids of a game's clauses from their short names, such as "MV-1 MV-2"."""
    return tuple(f"{game}-{name}" for name in names.split())


class QuickfireSystem(RuleSystem):
    """The base class of the Quickfire games; each game overrides what it does differently.

    Attributes:
        blank: First values of the fields of a log that no card prints.
        orders: Function that prepares each order; a plain `move` may be left out.
        throws: Function that builds the throw of each declared order.
        checks: Check of each other owed roll, by line.
        codes: Damage codes that the umpire may enter.
        hand_clause: Clause of damage that the umpire enters.
        hand_clause_by_code: Clause of single codes, where it differs from `hand_clause`.
        own_cells: Cells of the grid that only this game draws, or draws differently.
        torpedo_field: Field of the log for torpedoes.
        launch_phase: Phase in which torpedoes are launched.
        reminders: Advice of each phase.
    """

    yards = ("qf_tui.rules.quickfire_family", "yards.toml")
    game: Game
    blank: Mapping[str, Scalar]
    orders: Orders
    throws: Throws
    checks: Mapping[str, Check]
    codes: tuple[str, ...]
    hand_clause: str
    hand_clause_by_code: Mapping[str, str] = {}
    own_cells: grid.CellBuilders
    torpedo_field: str
    launch_phase: str
    reminders: Mapping[str, tuple[str, ...]] = {}
    knot = float(INCH_A_KNOT)
    """The speed of a knot, in the unit of the cards."""
    _known_available: tuple[tuple[object, ...], dict[str, tuple[object, Available]]] = (), {}
    _steered: Mapping[int, SteeredOffer] = {}
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
    def apply_damage(self, builder: DecisionBuilder, ship: str, codes: tuple[str, ...], source: str) -> None:
        """Apply damage codes that the umpire enters.

        Args:
            source: One of `damage_sources`; "" if the umpire names none.
        """

    @abstractmethod
    def list_repairs(
        self, battle: Battle, ship: Ship, kinds: Collection[str] = FIELD_BY_KIND, /
    ) -> tuple[str, ...]:
        """Return which of these kinds of damage a ship may still repair in the repair phase."""

    @abstractmethod
    def may_fire(self, battle: Battle, ship: Ship, battery: Battery, /) -> bool:
        """Return whether a battery may still fire in this phase."""

    @abstractmethod
    def list_launcher_findings(self, battle: Battle, firer: Ship, /) -> list[Finding]:
        """Return the findings against any launch of a ship.

        Args:
            firer: The ship as the phase began.
        """

    def list_torpedo_findings(self, battle: Battle, firer: Ship, target: Ship) -> list[Finding]:
        """Return the findings against any torpedo of this firer at this target."""
        return refuse_land_target(target)

    def may_launch(self, battle: Battle, ship: Ship) -> bool:
        """Return whether a ship may still launch in this phase, at some target and range."""
        if battle.phase != self.launch_phase or self.list_launcher_findings(
            battle, find_ship_at_start(battle, ship.id)
        ):
            return False
        return has_target(self.game, battle, ship.id, partial(self.list_torpedo_findings, battle, ship))

    def may_try(self, battle: Battle, order: Order) -> bool:
        """Return whether a shot, launch or repair could be accepted; always True for other orders."""
        word = order.form.word
        ship = battle.ships[order.text("ship")]
        if word == "fire":
            # A shot of `both`, or without a battery yet, needs any battery that may fire.
            battery = _BATTERY_BY_WORD.get(order.text("battery"))
            if battery is not None:
                return self.may_fire(battle, ship, battery)
            return any(self.may_fire(battle, ship, each) for each in Battery)
        if word == REPAIR:
            kind = order.text("kind")
            return bool(self.list_repairs(battle, ship, (kind,)) if kind else self.list_repairs(battle, ship))
        return word != "torpedo" or self.may_launch(battle, ship)

    @abstractmethod
    def list_sheet_parts(self, battle: Battle, start_ship: Ship, ship: Ship) -> Iterable[SheetPart]:
        """Return the parts of a printed log that only this game has.

        Args:
            start_ship: The ship as the phase began.
        """

    def muster(self, card: Mapping[str, Scalar], setup: Setup) -> Mapping[str, Scalar]:
        """Build the log of a ship: printed values, first values of other fields, and no movement yet."""
        printed = {field: card.get(key) for field, key in self.printed.items()}
        return {**printed, **self.blank, **NOTHING_MOVED, **read_opening(card, setup)}

    def prepare(self, battle: Battle, order: Order) -> PreparedOrder:
        """Prepare an order by the function of the game for it, or as a move if there is none."""
        prepare_order = self.orders.get(order.word)
        if prepare_order is None:
            return prepare_move(self.game, battle, order)
        return prepare_order(battle, order)

    def build_check_throw(self, battle: Battle, roll: Roll) -> Throw:
        """Build the throw of an owed roll that no order declared."""
        return build_check_throw(self.checks[roll.line], battle, roll)

    def fix_damage(self, builder: DecisionBuilder, ship: str = "") -> None:
        """Make the damage of a ship, or of all ships, final: later damage no longer changes its effect.

        Args:
            ship: Id of the ship, or "" for all.
        """
        for id in (ship,) if ship else builder.battle.ships:
            freeze_damage(builder, id)

    def enter(self, battle: Battle, builder: DecisionBuilder) -> None:
        """Begin a phase: log last turn's speeds before movement.

        If damage of the phase counts only from its end, make it count in the order of its sources.
        """
        if battle.phase == self.game.movement:
            log_recorded_speeds(self.game, battle, builder)
        elif find_phase(self, battle.phase).slashes:
            begin_ordered_phase(builder)

    def leave(self, battle: Battle, builder: DecisionBuilder, carried: bool) -> bool | None:
        """End a phase: keep the state that judges rolls still owed, and log assumed speeds after movement.

        Args:
            carried: True if the umpire ends the phase although something is owed.

        Returns:
            False, because no question must be answered first.
        """
        if carried and any(map(is_waiting_attack, builder.battle.owed)):
            # Attacks that are still owed keep the state that they were declared with. All that is owed is
            # written again, so that the order of the queue stays.
            for owed in builder.battle.owed:
                builder.settle(owed)
                carried_owed = add_declaration(battle, owed) if is_waiting_attack(owed) else owed
                builder.write(Op.OWE, owed.ship, owed.line, carried_owed)
        if carried and builder.battle.owed:
            carry_ledgers(builder)
        if battle.phase == self.game.movement:
            log_assumed_speeds(self.game, battle, builder)
        return False

    def advice(self, battle: Battle) -> tuple[str, ...]:
        """List the reminders of the phase; in the movement phase also how damage steers ships."""
        reminders = self.reminders.get(battle.phase, ())
        if battle.phase != self.game.movement:
            return reminders
        offers = build_steered_offers(self.game, battle, self._steered)
        # Keep the offers of other battles too, such as one shown next to this, until there are too many.
        self._steered = offers if len(self._steered) > _OFFERS_KEPT else {**self._steered, **offers}
        return (*reminders, *(f"{words} ({self.game.clauses.steered})" for *_, words in offers.values()))

    def prepare_roll(self, battle: Battle, owed: Owed) -> PreparedOrder:
        """Prepare an owed roll: a declared order, or a check."""
        roll = build_roll(owed)
        return complete_throw(self.game, battle, roll, self._build_throw(battle, roll))

    def prepare_answer(self, battle: Battle, owed: Owed, words: tuple[str, ...]) -> PreparedOrder:
        """Prepare the umpire's answer about a cell of the chart."""
        return prepare_chart_answer(
            self.game, battle, owed, words, lambda roll: self._build_throw(battle, roll)
        )

    def counted_as(self, owed: Owed) -> str:
        """Return the line of a roll; for a question about the chart, the line of the interrupted roll."""
        return owed.read_text(INTERRUPTED) or owed.line

    def _build_throw(self, battle: Battle, roll: Roll) -> Throw:
        """Build the throw of a roll: of a check, or of an order by the battle in which it was declared."""
        order = roll.order
        if order is None:
            return self.build_check_throw(battle, roll)
        return self.throws[roll.line](restore_declared_battle(battle, roll, order), roll, order)

    def prepare_damage(
        self, battle: Battle, ship: str, codes: tuple[str, ...], source: str = ""
    ) -> PreparedOrder:
        """Prepare damage that the umpire enters; the codes take effect by the rules of the game.

        It is impossible without a code or with a wrong one, and refused for a sunk ship.
        """
        upper_codes = tuple(code.upper() for code in codes)
        wrong = [code for code in upper_codes if code not in self.codes]
        if wrong or not upper_codes:
            text = f"“{wrong[0]}” is not a damage code" if wrong else "no damage code"
            return PreparedOrder(findings=(impossible(f"{text}; codes are {', '.join(self.codes)}"),))
        target = battle.ships[ship]
        sunk_finding = refused(f"{target.name} is sunk and takes no more damage", self.game.clauses.sunk)
        source_text = "boat guns" if source == "boat" else f"{source} fire"
        origin = f"as from {source_text}, by the umpire's word" if source else "by the umpire's word"

        def decide(faces: Faces, builder: DecisionBuilder) -> None:
            for clause, same_clause in groupby(
                upper_codes, lambda code: self.hand_clause_by_code.get(code, self.hand_clause)
            ):
                builder.because(f"{' '.join(same_clause)}, {origin}", clause, of=battle.called(ship))
            self.apply_damage(builder, ship, upper_codes, source)
            freeze_damage(builder, ship)
            builder.result("hits", upper_codes)

        return PreparedOrder(findings=(sunk_finding,) if target.status == SUNK else (), decide=decide)

    def may_act(self, battle: Battle) -> tuple[Available, ...]:
        """List the ships that may still act in this phase, with their orders.

        A result of the last call is used again if all that it depends on is the same.
        """
        ships = battle.ships.values()
        if battle.phase == self.game.movement:
            movers = (ship.id for ship in ships if not Mover(self.game, battle, ship).list_findings())
            return tuple(Available(id, what="move", order="move", letters="M") for id in movers)
        # Other ships matter only as targets, by `ship_states`. While these are the same, only ships that
        # acted since are asked again. Acts without a ship may concern all ships.
        acts: dict[str, list[Act]] = defaultdict(list)
        for act in battle.acts:
            acts[act.ship].append(act)
        ship_states = [self.hinders(battle, ship) for ship in ships]
        basis = battle.phase, battle.turn, battle.options, battle.table, len(battle.start.acts), acts[""]
        last_basis, last_results = self._known_available
        known_results = last_results if last_basis == (basis, ship_states) else {}
        results: dict[str, tuple[object, Available]] = {}
        for ship in ships:
            # Repairs depend on all of a ship's damage, attacks only on her state as the phase began.
            repair_basis = ship if battle.phase == REPAIR else None
            ship_basis = repair_basis, acts[ship.id]
            known_basis, available = known_results.get(ship.id, (None, None))
            if available is None or known_basis != ship_basis:
                available = self._find_available(battle, ship)
            results[ship.id] = ship_basis, available
        self._known_available = (basis, ship_states), results
        # A ship that can do nothing has no text.
        return tuple([available for _, available in results.values() if available.what])

    def _find_available(self, battle: Battle, ship: Ship) -> Available:
        """Return what a ship may still do: repairs in the repair phase, guns and torpedoes in others.

        If she may do nothing, `what` is "".
        """
        if battle.phase == REPAIR:
            return Available(
                ship.id, what=" ".join(self.list_repairs(battle, ship)), order="repair", letters="R"
            )
        letters = "".join(battery[0].upper() for battery in Battery if self.may_fire(battle, ship, battery))
        if self.may_launch(battle, ship):
            letters += "T"
        order = "torpedo" if letters == "T" else "fire"
        return Available(
            ship.id,
            what=letters,
            order=order,
            letters=letters,
            ways=tuple(_ORDER_BY_LETTER[letter] for letter in letters),
        )

    def hinders(self, battle: Battle, ship: Ship) -> object:
        """Return the values of a ship on which the findings against orders depend.

        They are her state as the phase began, side, status, card and movement. Damage of this phase is left
        out, because it counts from the next phase.
        """
        return (
            find_ship_at_start(battle, ship.id),
            ship.side,
            ship.status,
            ship.card,
            *map(ship.log.get, NOTHING_MOVED),
        )

    def pace(self, battle: Battle, ship: Ship, knots: float | None = None) -> Distance:
        """Return the greatest distance that a ship can move this turn, at most at a speed of `knots`.

        It is 0 for batteries on land, and for ships aground or off the table.
        """
        distance = (
            Fraction(0)
            if ship.is_land_battery or ship.is_off_table
            else Mover(self.game, battle, ship).available_distance
        )
        if knots is not None:
            distance = min(distance, self.game.scale_speed(battle, ship, knots * self.knot))
        return Distance(distance, self.game.find_measures(battle).unit)

    def bulk(self, ship: Ship) -> float:
        return float(read_size(ship))

    def possible(self, battle: Battle, order: Order) -> Order | None:
        """Return the part of a refused move that its ships can carry out, or None."""
        return share_move(self.game, battle, order) if order.word == "move" else None

    def events(self, before: Battle, after: Battle) -> Iterable[Event]:
        """List ships that are lost, and explosions as they happen."""
        yield from super().events(before, after)
        for owed in after.owed:
            if owed.line == EXPLOSION and before.find_question(owed.key) is None:
                yield Event(f"explosion on {after.called(owed.ship)}", owed.ship)

    def out_of_line(self, battle: Battle, ship: Ship) -> bool:
        """Return whether damage decides a ship's course, or she has too few boxes left to pivot."""
        return not ship.is_land_battery and bool(
            ship.live("course") or not PIVOT_BY_BOX[BOXES - count_marked_boxes(ship)]
        )

    def can_fight(self, battle: Battle, ship: Ship) -> bool:
        """Return whether a ship may fight: afloat, or aground unless a switch silences her.

        Rule: AQF-PH-8.
        """
        return ship.afloat or (ship.status == AGROUND and not is_silent(battle, ship))

    def find_range_bracket(self, battle: Battle, order: Order) -> str:
        return self.game.find_range_bracket(battle, order)

    def has_stood_still(self, battle: Battle, ship: Ship) -> bool:
        """Return whether it is recorded that a ship did not move this turn."""
        movement = Mover(self.game, battle, ship).movement
        return not movement.assumed and not movement.distance

    def _find_start_ship(self, battle: Battle, ship: Ship) -> Ship:
        """Return the ship as the phase began if this phase shows slashes, otherwise as she is now."""
        return find_ship_at_start(battle, ship.id) if find_phase(self, battle.phase).slashes else ship

    def report(self, battle: Battle, ship: Ship) -> Mapping[str, Shape]:
        """Return a ship's values for scripts."""
        return grid.build_report(self.game, battle, ship, self.torpedo_field)

    def cell(self, battle: Battle, ship: Ship, column: Column) -> tuple[Span, ...]:
        """Return the cell of a column for a ship."""
        return grid.build_cell(
            self.game, battle, self._find_start_ship(battle, ship), ship, column, self.own_cells
        )

    def sheet(self, battle: Battle, ship: Ship) -> tuple[tuple[str, tuple[Span, ...]], ...]:
        """Return a ship's card and log in full, line by line."""
        return grid.build_sheet(
            self.game, battle, self._find_start_ship(battle, ship), ship, self.columns, self.own_cells
        )

    def log_sheet(self, battle: Battle, ship: Ship) -> tuple[SheetLine, ...]:
        """Return the lines of a ship's printed log."""
        start_ship = self._find_start_ship(battle, ship)
        return grid.build_log_sheet(
            self.game, battle, start_ship, ship, *self.list_sheet_parts(battle, start_ship, ship)
        )

    def list_ship_changes(self, before: Battle, after: Battle, old: Ship, new: Ship) -> Iterable[str]:
        """List what players must change on the table for a ship."""
        return grid.list_table_changes(self.game, before, after, old, new, self.torpedo_field)


BATTLESHIP = 15
"""The size of a battleship, by which hulls are measured."""
SIZED = f"times size over {BATTLESHIP}"

CountPoints = Callable[[Ship], float]
"""Counts points of a ship for her worth."""


@lru_cache(maxsize=1024, typed=True)
def _to_float(value: Scalar) -> float:
    """Convert a number of a card to a float, with a cache because worths are computed very often."""
    return float(to_fraction(value))


def scale_by_size(count_points: CountPoints) -> CountPoints:
    """Return a count times the ship's size over that of a battleship."""
    return lambda ship: count_points(ship) * _to_float(ship.card.get("size")) / BATTLESHIP


def build_count(field: str) -> CountPoints:
    """Return a function that counts a field of a ship's log."""
    return lambda ship: ship.count(field)


def _build_mark_count(kind: str) -> CountPoints:
    """Return a function that counts a ship's marks of this kind, such as fires."""
    return lambda ship: len(ship.live(kind))


def _build_rof_part(battery: Battery, best: int) -> WorthPart:
    """Build the worth of a battery: its ROF, times its gunnery over the best gunnery."""
    field, rating = f"rof_{battery}", f"gunnery.{battery.value}"

    def weigh_rof(ship: Ship) -> float:
        return ship.count(field) * _to_float(ship.card.get(rating)) / best

    return WorthPart(
        battery.value,
        f"each {battery.value} ROF point, times gunnery over {best}",
        weight=1,
        of=weigh_rof,
    )


_OVER = scale_by_size(lambda ship: max(0, ship.count("speed_hits") - BOXES))
BEYOND = WorthPart("margin", f"each S beyond the eighth, {SIZED}", 1, _OVER, less=True)
"""The worth of S hits that found no open box: each makes a ship likelier to sink."""


def build_worth(best: int, *game_parts: WorthPart, fires: float, margin: WorthPart = BEYOND) -> Worth:
    """Return how the worth of a game's ships is counted.

    A repair point counts a half, since half of all repair attempts succeed.

    Args:
        best: Heavy gunnery of the best battleships in this game.
        game_parts: Parts that only this game has, such as torpedoes.
        fires: Cost of a fire until it is out.
        margin: Part for hits that bring a ship nearer to sinking.
    """
    return Worth(
        (
            *(_build_rof_part(battery, best) for battery in Battery),
            WorthPart(
                "speed",
                f"each speed box, {SIZED}",
                weight=1,
                of=scale_by_size(lambda ship: BOXES - count_marked_boxes(ship)),
            ),
            WorthPart("hull", f"the ship herself, {SIZED}", weight=5, of=scale_by_size(lambda ship: 1)),
            *game_parts,
            WorthPart("repair", "each repair point", weight=0.5, of=build_count("repair_points")),
            WorthPart(
                "fires",
                f"each fire, {SIZED}",
                weight=fires,
                of=scale_by_size(_build_mark_count("fires")),
                less=True,
            ),
            margin,
            WorthPart(
                "courses",
                f"each direction hit, {SIZED}",
                weight=0.5,
                of=scale_by_size(_build_mark_count("course")),
                less=True,
            ),
        )
    )


GUNS = ResultKind("guns", "damage by guns", ("fire",), ("hits", "blast"), damage=True)
BOATS = ResultKind("boat-guns", "damage by boat guns", ("boats",), ("hits", "blast"), damage=True)
STRIKES = ResultKind("torpedoes", "torpedo strikes", ("torpedo",), ("struck",), damage=True)
STRUCK = ResultKind("torpedo-hits", "damage by torpedoes", ("speed-hits",), ("hits",), damage=True)
CHECKS = (
    ResultKind("explosions", "own damage by explosions", ("explosion",), ("hits",), harm="an explosion"),
    ResultKind(
        "fire-checks",
        "own damage by fires",
        ("fire-check",),
        ("hits",),
        each=lambda code: int(code != "out"),
        harm="a fire",
    ),
    ResultKind("repairs", "repairs", ("repair",), ("mended",)),
    ResultKind("sinkings", "own ships that sink", ("sinking",), ("sunk",)),
)

Cells = set[tuple[str, str]]
"""Cells of a table, as (row, column)."""
ALL = ""
"""Row or column in `Cells` that stands for all rows or all columns."""


def list_present_ships(battle: Battle) -> list[Ship]:
    """Return the ships that are on the table or still to come."""
    return [ship for ship in (*battle.ships.values(), *battle.expected_ships) if not ship.is_off_table]


def list_meetings(battle: Battle) -> Iterator[tuple[Ship, Ship]]:
    """List pairs of a firer and a target of different sides that can meet.

    One firer stands for all of a side with the same gunnery ratings, one target for all with the same armor.
    """
    firers = {
        (ship.side, *(read_gunnery(ship, guns) for guns in Battery)): ship
        for ship in list_present_ships(battle)
    }
    targets = {
        (ship.side, *(read_armor(ship, guns) for guns in Battery)): ship
        for ship in list_present_ships(battle)
    }
    yield from (
        (firer, target)
        for firer in firers.values()
        for target in targets.values()
        if firer.side != target.side
    )


NeededShot = tuple[Battery, str, bool, str]
"""A battery, a range, whether it fires at light armor, and the effect of the arc."""


def list_needed_lines(battle: Battle, gunnery: Gunnery, shots: Sequence[NeededShot]) -> Cells:
    """Return the percentage lines that these shots between ships of the battle can reach."""
    lines = {
        gunnery.build_fire(battle, firer, target, battery, range, light_armor, arc).line
        for firer, target in list_meetings(battle)
        for battery, range, light_armor, arc in shots
        # A ship without guns of the shot's battery needs no line for it.
        if read_gunnery(firer, battery)
    }
    return {(str(line), ALL) for line in lines if line is not None}


def list_needed_sizes(battle: Battle) -> Cells:
    """Return the columns of the sinking table that the sizes of the ships need."""
    columns = list_columns(battle, "sinking", "sinks-on")
    return {(ALL, find_size_column(float(read_size(ship)), columns)) for ship in list_present_ships(battle)}


def list_needed_ratings(battle: Battle, field: str) -> Cells:
    """Return the columns of the torpedo table up to the greatest torpedo rating of the ships.

    Args:
        field: Field of the log for that rating.
    """
    # Both printed rows have the same columns.
    columns = [int(name) for name in list_columns(battle, "torpedo", "moving") if name.isdigit()]
    most = max((ship.count(field) for ship in list_present_ships(battle)), default=0)
    return {(ALL, str(rating)) for rating in columns if rating <= most}


def list_needed_rows(battle: Battle, table: str, **needed_rows: bool) -> Cells:
    """Return the rows of a table that the battle can need.

    Args:
        needed_rows: Whether a row is needed, by its name with `_` for `-`. Rows left out are needed.
    """
    unneeded = {name.replace("_", "-") for name, is_needed in needed_rows.items() if not is_needed}
    chart = battle.charts.get(table)
    return {(row, ALL) for row in (chart.rows if chart else ()) if row not in unneeded}


def has_boat_gun_target(battle: Battle) -> bool:
    """Return whether some ship with boat guns has an enemy that they can hurt."""
    ships = list_present_ships(battle)
    return any(
        ship.count("boat_guns") and is_light_craft(other) and ship.side != other.side
        for ship in ships
        for other in ships
    )


def has_protected_ship(battle: Battle) -> bool:
    """Return whether some ship is marked +P."""
    return any(ship.card.get("protected") is True for ship in list_present_ships(battle))
