"""Damage in the Quickfire games: how codes change a ship's log, rolls that they cause, sinking, repairs.

Each game has a subclass of `Wounds` for what differs. The order in which the damage of a phase counts is in
`settlement`.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from functools import partial
from typing import Any, ClassVar

from attrs import evolve, frozen

from qf_tui.core.builtin_orders import drop_owed
from qf_tui.core.decisions import DecisionBuilder, Op
from qf_tui.core.declarations import Measure, Need, PreparedOrder
from qf_tui.core.errors import Finding, refused
from qf_tui.core.grammar import kinds
from qf_tui.core.text import to_fraction
from qf_tui.core.values import SUNK, Battle, ChartCell, Die, Faces, Form, Mark, Mends, Order, Ship, Slot
from qf_tui.rules.quickfire_family.chart import ChartReader, build_plain_reader, parse_totals
from qf_tui.rules.quickfire_family.game import Game
from qf_tui.rules.quickfire_family.ledger import Source, freeze_damage, is_phase_ordered
from qf_tui.rules.quickfire_family.movement import Course, find_forced_course
from qf_tui.rules.quickfire_family.ship import (
    BOXES,
    SHIP,
    Battery,
    count_marked_boxes,
    find_ship_at_start,
    read_gunnery,
    refuse_out_of_play,
)
from qf_tui.rules.quickfire_family.throws import ALL_FIRES, CHECKED_FIRE, Roll, Throw, prepare_ship_order

EXPLOSION = "explosion"
"""The line of the roll for an explosion."""
SINKING = "sinking"
"""The line of a sinking roll, and the kind of the act that such a roll was asked for."""
REPAIR = "repair"
"""The phase of repairs, and the kind of the act of an attempt."""
MENDED = "mended"
"""The kind of mark that keeps repaired damage legible. It is lifted if the point is lost again."""

FIELD_BY_KIND: Mapping[str, str] = {
    "heavy": "rof_heavy",
    "light": "rof_light",
    "boats": "boat_guns",
    "speed": "speed_hits",
    "course": "course",
}
"""The field of the log that each kind of repair restores."""
_PRINTED_KEY_BY_KIND = {"heavy": "rof.heavy", "light": "rof.light", "boats": "boat_guns"}
MENDS = Mends("repair_points", "repair")
"""What a repair order uses up, for the simulation."""
STRAIGHT_AHEAD = "straight ahead"
FULL_TURNS = ("full turn left", STRAIGHT_AHEAD, "full turn right")
"""The directions that damage forces if ships turn by templates.

Rule: QF-DAM-2, QFC-BLA-4.
"""
REPAIR_SAYS = "{ship} repairs| {kind}"
"""How people read a repair order."""

DealDamage = Callable[[DecisionBuilder, str, tuple[str, ...]], None]
"""Applies damage codes to a ship (by id) under the rules of one game."""
Resolve = Callable[[Faces, DecisionBuilder, ChartReader], None]
"""Writes the results of a throw's dice."""


@frozen
class CausedRoll:
    """A roll that a damage code causes.

    Attributes:
        prompt: Text of the roll, with {} for the ship's name.
    """

    prompt: str
    dice: tuple[Die, ...]


def build_caused_rolls(direction: Die, *explosion: Die, **more: CausedRoll) -> Mapping[str, CausedRoll]:
    """Return the rolls that damage codes cause, by their lines: those of D and E, and those in `more`.

    Args:
        direction: Die of the roll for D.
        explosion: Dice of the roll for E.
    """
    return {
        "direction": CausedRoll("direction of {}", (direction,)),
        EXPLOSION: CausedRoll("explosion on {}", explosion),
        **more,
    }


SPEED_FIELDS = ("speed_hits", "speed_lost")
"""The fields of a log that count speed boxes."""


class Wounds(ABC):
    """The damage of one source to one ship.

    Codes are applied in order, and each sees the effects of the codes before it.

    Attributes:
        caused_rolls: The rolls that codes may cause, by line.
        ahead_of: Lines of owed rolls that an explosion goes before in the queue.
        clause: Clause of a reason that names no other.
        order_clause: Clause of the order in which the damage of a phase counts.
        steps: The method that applies each code.
        explainer: The builder that receives the reasons, or None to give none.
        next_battery: The battery that loses ROF next, if both lose it by turns.
        rolls_to_owe: Lines of the rolls that codes have caused but that are not owed yet.
    """

    game: Game
    caused_rolls: Mapping[str, CausedRoll]
    ahead_of: tuple[str, ...] = ()
    clause: str = ""
    order_clause: str = ""
    steps: ClassVar[Mapping[str, Callable[[Any], object]]] = {
        "G": lambda wounds: wounds.apply_gunnery(),
        "S": lambda wounds: wounds.apply_speed(),
        "T": lambda wounds: wounds.apply_torpedo(),
        "R": lambda wounds: wounds.apply_repair(),
        "F": lambda wounds: wounds.apply_fire(),
        "D": lambda wounds: wounds.note_caused_roll("direction"),
        "E": lambda wounds: wounds.note_caused_roll(EXPLOSION),
    }

    def __init__(self, builder: DecisionBuilder, ship: str, source: Source = Source.HEAVY) -> None:
        self.builder = builder
        self.explainer: DecisionBuilder | None = builder
        self.id = ship
        self.source = source
        self.next_battery = Battery.HEAVY
        self.rolls_to_owe: list[str] = []

    @property
    def ship(self) -> Ship:
        """The ship with all effects written so far."""
        return self.builder.ship(self.id)

    def apply_codes(self, codes: Iterable[str]) -> None:
        """Apply codes in their order, then owe the rolls that they caused. Unknown codes have no effect."""
        for code in codes:
            if code in self.steps:
                self.steps[code](self)
        lines, self.rolls_to_owe = self.rolls_to_owe, []
        for line in lines:
            self.owe_roll(line)

    def has_room(self, codes: tuple[str, ...]) -> bool:
        """Return whether no code can overflow into another point, so that the order does not matter."""
        # Explosions take ROF by turns, and B, T and SX always affect other points.
        only_simple_codes = set("FDEGRS").issuperset(codes)
        if self.source is Source.EXPLOSION or not only_simple_codes:
            return False
        # A G, R or S overflows if the ship has no such point or box left.
        rof = min(self.ship.count(f"rof_{battery}") for battery in Battery)
        room = {"G": rof, "R": self.ship.count("repair_points"), "S": BOXES - count_marked_boxes(self.ship)}
        return all(codes.count(code) <= points for code, points in room.items())

    def note_caused_roll(self, line: str) -> None:
        """Note a roll that a code caused. It is owed once all codes are applied."""
        self.rolls_to_owe.append(line)

    def owe_roll(self, line: str, cause: int | None = None, rolls_before: int = 0) -> None:
        """Owe a roll that damage caused; a ship off the table owes none.

        Args:
            cause: The entry whose code caused the roll; None for the current one.
            rolls_before: Number of rolls of this line that the entry caused before.
        """
        builder = self.builder
        if self.ship.is_off_table:
            return
        owed_before = builder.battle.owed
        caused_roll = self.caused_rolls[line]
        prompt = caused_roll.prompt.format(builder.battle.called(self.id))
        builder.owe(line, self.id, prompt, *caused_roll.dice, cause=cause, asked=rolls_before)
        if line == EXPLOSION:
            # The explosion is rolled before these checks: move them to the end of the queue.
            checks = [owed for owed in owed_before if owed.line in self.ahead_of and not owed.late]
            for check in checks:
                builder.settle(check)
                builder.write(Op.OWE, check.ship, check.line, check)

    @abstractmethod
    def apply_gunnery(self) -> None:
        """Apply G: a point of ROF is lost."""

    def apply_speed(self) -> None:
        """Apply S: mark a speed box, or count it in the margin if all eight are marked.

        Rule: QF-DAM-1, QFC-SNK-1.
        """
        self.mark_box("speed_hits")

    def apply_torpedo(self) -> None:
        """Apply T: a point of the torpedo rating is lost; at zero nothing happens.

        Rule: QF-DAM-1, QFC-BLA-5.
        """
        if not self.lose_point("torpedo"):
            self.explain("T, and no torpedo rating left: nothing")

    @abstractmethod
    def apply_repair(self) -> None:
        """Apply R: a repair point is lost."""

    def lose_rof(self, *batteries: Battery) -> Battery | None:
        """Take a point of ROF from the first of these batteries that has one; return it, or None."""
        for battery in batteries:
            if read_gunnery(self.ship, battery) and self.lose_point(f"rof_{battery}"):
                return battery
        return None

    def lose_rof_by_turns(self) -> Battery | None:
        """Take a point of ROF from the battery whose turn it is, or from the other if it has none left.

        The turn then passes to the battery that lost no point.

        Returns:
            The battery that lost the point, or None if both are at zero.
        """
        battery = self.lose_rof(self.next_battery, self.next_battery.other)
        if battery is not None:
            self.next_battery = battery.other
        return battery

    def lose_point(self, field: str) -> bool:
        """Take one point from a counted field. Return False, with nothing taken, if none is left."""
        if self.ship.count(field) <= 0:
            return False
        self._lift_mended(field)
        self.builder.add(self.id, field, -1)
        return True

    def mark_box(self, field: str) -> None:
        """Mark one more speed box.

        Args:
            field: `speed_hits` for an S, `speed_lost` for an SX.
        """
        # S and SX share the boxes, so either takes the box of a repaired S first.
        self._lift_mended("speed_hits")
        self.builder.add(self.id, field, 1)

    def _lift_mended(self, field: str) -> None:
        """Lift the mark of one repaired point of this field, if there is one: repaired points are lost first.

        Rule: AQF-LOG-4.
        """
        # A mark names the kind of repair; a kind that FIELD_BY_KIND lacks is itself a field.
        repaired_marks = self.ship.live(MENDED)
        repaired_mark = next(
            (mark for mark in repaired_marks if FIELD_BY_KIND.get(mark.text, mark.text) == field), None
        )
        if repaired_mark is not None:
            self.builder.lift(self.id, repaired_mark)

    def write_difference(self, before: Ship, after: Ship) -> None:
        """Write the effects that turn one state of the ship's log into another, and light the fires added."""
        fires_added = len(after.live("fires")) - len(before.live("fires"))
        for _ in range(fires_added):
            self.apply_fire()
        for field, value in after.log.items():
            change = after.count(field) - before.count(field)
            if change:
                self.builder.add(self.id, field, change)
            elif value != before.log.get(field):
                self.builder.record(self.id, field, value)
            # Each point lost takes the mark of a repaired point with it.
            points_lost = 0 if field in SPEED_FIELDS else -change
            for _ in range(points_lost):
                self._lift_mended(field)
        # S and SX share the boxes, so their changes are added first.
        boxes_marked = sum(after.count(field) - before.count(field) for field in SPEED_FIELDS)
        for _ in range(boxes_marked):
            self._lift_mended("speed_hits")

    def apply_fire(self) -> None:
        """Apply F: light a fire. A ship may have any number of fires."""
        self.builder.mark(self.id, "fires")

    def explain(self, text: str, clause: str = "") -> None:
        """Give a reason about this ship, unless no reasons are wanted.

        Args:
            clause: Clause of the reason; "" for `self.clause`.
        """
        if self.explainer is not None:
            self.explainer.because(text, clause or self.clause, of=self.builder.battle.called(self.id))

    def read_option(self, switch: str) -> str:
        """Return the value of a switch in this battle."""
        return self.game.read_option(self.builder.battle, switch)


@frozen
class Check:
    """A kind of roll that ships owe, with the effect of its dice.

    Attributes:
        resolve: Builds the effect of the dice.
        alike: Builds a function whose key is equal for faces with the same effect; None if there is none.
    """

    dice: tuple[Die, ...]
    resolve: Callable[[Battle, Roll], Resolve]
    alike: Callable[[Battle], Callable[[Faces], Hashable]] | None = None


def build_check_throw(check: Check, battle: Battle, roll: Roll) -> Throw:
    """Build the throw of an owed check; its `alike` is None if the check has none."""
    build_result_key = check.alike and check.alike(battle)
    return Throw(dice=check.dice, resolve=check.resolve(battle, roll), alike=build_result_key)


@frozen
class TableLine:
    """A line of a damage table.

    Attributes:
        row: Name of the line in the chart.
        title: Name of the line for people.
        of: Subject of the result, with {roll} and {ship}.
        nothing: Text of the result without codes.
        also: Codes that follow whatever the roll.
    """

    row: str
    clause: str
    title: str
    of: str
    nothing: str = "nothing"
    also: tuple[str, ...] = ()
    table: str = "damage"

    def build_check(self, dice: tuple[Die, ...], deal_damage: DealDamage) -> Check:
        """Build the check of this line: the ship that owes the roll takes the codes."""
        return Check(
            dice, lambda battle, roll: build_line_effect(self, roll, deal_damage), self.build_result_key
        )

    def build_result_key(self, battle: Battle) -> Callable[[Faces], Hashable]:
        """Return a function that gives the same key for faces with the same cell text."""
        odds_reader = build_plain_reader(battle)
        return lambda faces: odds_reader.find_cell(self.table, self.row, str(sum(faces))).text


def build_line_effect(line: TableLine, roll: Roll, deal_damage: DealDamage) -> Resolve:
    """Build the effect of a roll on a line of a damage table.

    The ship that owes the roll takes the codes for the total. The code `out` puts out the fires that the
    check is for. A fire check has no effect if none of its fires burns any more.
    """

    def resolve(faces: Faces, builder: DecisionBuilder, reader: ChartReader) -> None:
        name = builder.battle.called(roll.ship)
        if roll.read_text(CHECKED_FIRE) and not _list_checked_fires(builder, roll):
            text = "its fires are out" if roll.read_text(CHECKED_FIRE) == ALL_FIRES else "that fire is out"
            builder.because(text, line.clause, of=f"{line.title} on {name}")
            builder.result("hits", ())
            return
        total = sum(faces)
        printed, cell = reader.read_codes(line.table, line.row, total)
        codes = (*printed, *line.also)
        result = " ".join(codes) or line.nothing
        of = line.of.format(roll=total, ship=name)
        builder.because(result, line.clause, cell, f"{line.title} {total}", of=of)
        if "out" in codes:
            put_out_fires(builder, roll)
        deal_damage(builder, roll.ship, tuple(code for code in codes if code != "out"))
        builder.result("hits", codes)

    return resolve


def _list_checked_fires(builder: DecisionBuilder, roll: Roll) -> list[Mark]:
    """Return the fires of a check that still burn. The umpire may have put out some of them."""
    # The check is for all fires of the ship, or for the one whose mark has this id.
    marks = builder.ship(roll.ship).live("fires")
    fire = roll.read_text(CHECKED_FIRE)
    return [mark for mark in marks if fire in (ALL_FIRES, mark.id)]


def put_out_fires(builder: DecisionBuilder, roll: Roll) -> None:
    """Put out the fires that a check is for."""
    for mark in _list_checked_fires(builder, roll):
        builder.lift(roll.ship, mark)


def build_course_effect(courses: tuple[tuple[int, str], ...], roll: Roll, clause: str) -> Resolve:
    """Build the effect of a die that decides a forced course.

    Args:
        courses: Greatest face and course of each row, lowest face first.
    """

    def resolve(faces: Faces, builder: DecisionBuilder, reader: ChartReader) -> None:
        steer_ship(builder, roll.ship, next(course for most, course in courses if faces[0] <= most), clause)

    return resolve


def _rank_sharpness(course: str) -> tuple[int, bool, str]:
    """Return a sort key that ranks courses by sharpness; `straight ahead` is the least sharp.

    Of two equally sharp courses the one to the right ranks higher.
    """
    # Full turns have 0 degrees too. By the alphabet `right` is after `left`.
    return Course.parse(course).degrees, course != STRAIGHT_AHEAD, course


def _mark_course(builder: DecisionBuilder, id: str, course: str) -> None:
    """Mark a direction hit on a ship.

    If damage of the phase counts in one order, the sharpest of its courses becomes the newest mark, whatever
    the order of entry; of two equally sharp ones, the one to the right.
    """
    start_marks = builder.battle.start.ships.get(id, builder.ship(id)).live("course")
    marks = builder.ship(id).live("course") if is_phase_ordered(builder.battle) else ()
    new_marks = [mark for mark in marks if mark not in start_marks]
    *milder, sharpest = sorted([*(mark.text for mark in new_marks), course], key=_rank_sharpness)
    # The marks stay, and their courses move between them.
    for mark, text in zip(new_marks, milder, strict=True):
        if mark.text != text:
            builder.write(Op.MARK, id, mark.kind, evolve(mark, text=text))
    builder.mark(id, "course", sharpest)


def steer_ship(
    builder: DecisionBuilder,
    id: str,
    course: str,
    clause: str,
    verb: str = "turns",
    cell: ChartCell | None = None,
    place: str = "",
) -> None:
    """Force a course on a ship until it is repaired, and give the reason.

    Args:
        verb: Verb of the reason.
        cell: Cell that gives the course, if a chart does.
        place: Name of that cell.
    """
    _mark_course(builder, id, course)
    text = f"{verb} {Course.parse(course)} until repaired"
    name = builder.battle.called(id)
    builder.because(text, clause, cell, place, subject=name)


def list_ships_on_table(battle: Battle) -> tuple[Ship, ...]:
    """Return the ships on the table, also sunk ones: their fires and courses still count."""
    return tuple(ship for ship in battle.ships.values() if not ship.is_off_table)


def owe_fire_checks(builder: DecisionBuilder, *dice: Die, each_fire: bool = True) -> None:
    """Owe a check for each fire that burns now.

    Args:
        each_fire: False to owe one check for all fires of a ship.
    """
    for ship in list_ships_on_table(builder.battle):
        fires = [fire.id for fire in ship.live("fires")]
        prompt = f"fire check on {builder.battle.called(ship.id)}"
        if fires and not each_fire:
            fires = [ALL_FIRES]
        for fire in fires:
            builder.owe("fire-check", ship.id, prompt, *dice, facts={CHECKED_FIRE: fire})


def list_sinkable(battle: Battle, field: str, least: int) -> tuple[Ship, ...]:
    """Return the ships that a count can sink: those on the table, without land batteries.

    Args:
        least: Least count that puts a ship at risk.
    """
    all_ships = battle.ships.values()
    # This runs for all ships after each possible roll, and most logs have nothing in the field.
    marked = [ship for ship in all_ships if ship.log.get(field)]
    return tuple(
        [
            ship
            for ship in marked
            if ship.count(field) >= least and not (ship.is_off_table or ship.is_land_battery)
        ]
    )


def owe_sinking_rolls(
    builder: DecisionBuilder, ships: Iterable[Ship], format_reason: Callable[[Ship], str], *dice: Die
) -> None:
    """Owe a sinking roll for each of these ships that has had none this turn.

    Args:
        format_reason: Formats why a ship rolls, to end the prompt.
    """
    battle = builder.battle
    for ship in ships:
        if not battle.list_turn_acts(SINKING, ship.id):
            builder.remember(SINKING, ship.id)
            text = f"sinking of {battle.called(ship.id)}, {format_reason(ship)}"
            builder.owe(SINKING, ship.id, text, *dice, cause=battle.opened)


@frozen
class SinkingRoll:
    """A ship's sinking roll.

    Attributes:
        column: Column of the sinking table.
        deduction: Number taken off the dice.
        reason: Reason for the roll, as text.
        unit: Unit of the columns for the name of the cell; "" if they have none.
    """

    column: str
    deduction: int
    reason: str
    clause: str
    unit: str = ""


def build_sinking_check(
    dice: tuple[Die, ...], build_roll: Callable[[DecisionBuilder, Ship], SinkingRoll]
) -> Check:
    """Build the check that sinks a ship if the total, less its deduction, is at most the cell's number."""

    def resolve(id: str, faces: Faces, builder: DecisionBuilder, reader: ChartReader) -> None:
        roll = build_roll(builder, builder.ship(id))
        total = sum(faces)
        most, cell = reader.read_greatest_roll("sinking", "sinks-on", roll.column)
        sinks = most > 0 and total - roll.deduction <= most
        shown = f"{total}-{roll.deduction}" if roll.deduction else str(total)
        sign, outcome = ("≤", "sinks") if sinks else (">", "stays afloat")
        builder.because(
            outcome,
            roll.clause,
            cell,
            f"sinking {roll.column}{roll.unit}",
            of=f"{builder.battle.called(id)} {roll.reason}:",
            roll=f"{shown}{sign}{cell.text}",
        )
        if sinks:
            sink_ship(builder, id)
        builder.result("sunk", sinks)

    return Check(dice, lambda battle, roll: partial(resolve, roll.ship))


def sink_ship(builder: DecisionBuilder, id: str) -> None:
    """Sink a ship and drop all her owed rolls."""
    builder.write(Op.STATUS, id, "status", SUNK)
    drop_owed(builder, id)


def find_size_column(size: float, columns: tuple[str, ...]) -> str:
    """Return the column of the sinking table for a size, or "" if the table is empty.

    It is the last column that begins at the size or below it: `7-10` for 7 to 10, or more if no column is
    higher. A size below all columns uses the lowest one.
    """
    least_by_column = {column: totals.least for column in columns if (totals := parse_totals(column))}
    fitting = [column for column, least in least_by_column.items() if least <= size]
    if fitting:
        return max(fitting, key=least_by_column.__getitem__)
    return min(least_by_column, key=least_by_column.__getitem__, default="")


def build_repair_form(dice: str, *more: str) -> Form:
    """Build the form of `repair` with the dice of a game and further kinds of repair."""
    return Form(
        "repair",
        "p",
        "Repair attempt",
        (SHIP, Slot("kind", kinds.CHOICE, "what", choices=(*FIELD_BY_KIND, *more), identifies=True)),
        dice=dice,
        phases=(REPAIR,),
        help="one attempt on one kind of damage",
        says=REPAIR_SAYS,
        mends=MENDS,
    )


def is_repairable(ship: Ship, kind: str) -> bool:
    """Return whether a ship has damage of this kind that can be repaired.

    Args:
        kind: A key of `FIELD_BY_KIND`.
    """
    if kind == "course":
        return bool(ship.live("course"))
    if kind == "speed":
        return ship.count("speed_hits") > 0
    printed_points = int(to_fraction(ship.card.get(_PRINTED_KEY_BY_KIND[kind])))
    if ship.count(FIELD_BY_KIND[kind]) >= printed_points:
        return False
    # A ship without guns of this battery has no ROF to repair, whatever her card prints.
    return kind == "boats" or bool(read_gunnery(ship, Battery(kind)))


def count_attempts_left(battle: Battle, ship: Ship) -> int:
    """Return how many repair attempts a ship has left this turn.

    It is the number of her repair points as the phase began, less the attempts made.
    """
    return max(
        0,
        find_ship_at_start(battle, ship.id).count("repair_points")
        - len(battle.list_turn_acts(REPAIR, ship.id)),
    )


def spend_repair_point(builder: DecisionBuilder, id: str) -> None:
    """Take a repair point from a ship, if she has one left."""
    if builder.ship(id).count("repair_points") > 0:
        builder.add(id, "repair_points", -1)
        # This point is no damage: work out later damage from the log without it.
        freeze_damage(builder, id)


@frozen(eq=False)
class Repairs:
    """The repair rules of a game.

    Attributes:
        limit_clause: Clause that limits the attempts.
        roll_clause: Clause of the roll.
        protected_clause: Clause of the roll for S of a +P ship.
        course_clause: Clause of a repaired course.
        once_each: True if each kind may be tried once a turn.
        keeps_point: Returns whether a failed attempt keeps its point in this battle.
    """

    game: Game
    dice: tuple[Die, ...]
    limit_clause: str
    roll_clause: str
    protected_clause: str
    course_clause: str
    once_each: bool
    keeps_point: Callable[[Battle], bool]

    def prepare(self, battle: Battle, order: Order) -> PreparedOrder:
        """Prepare `repair`: one attempt on one kind of damage."""
        ship, kind = battle.ships[order.text("ship")], order.text("kind")
        throw = self.build_throw(battle, ship.id, kind)
        findings = self.list_findings(battle, ship, kind)
        prompt = f"repair of {kind} on {battle.called(ship.id)}"
        return prepare_ship_order(self.game, battle, order, throw, findings, prompt, kind=kind)

    def list_findings(self, battle: Battle, ship: Ship, kind: str) -> tuple[Finding, ...]:
        """Return the findings against an attempt to repair this kind of damage."""
        findings: list[Finding] = []
        if battle.phase != REPAIR:
            findings.append(refused("repairs are made in the repair phase only", self.game.clauses.phases))
        findings.extend(refuse_out_of_play(self.game, ship))
        if not is_repairable(ship, kind):
            findings.append(refused(f"{ship.name} has nothing to repair under {kind}", self.limit_clause))
        if self.once_each and any(
            act.read_text("kind") == kind for act in battle.list_turn_acts(REPAIR, ship.id)
        ):
            findings.append(
                refused(f"{ship.name} has already tried to repair {kind} this turn", self.limit_clause)
            )
        if count_attempts_left(battle, ship) == 0:
            findings.append(refused(f"{ship.name} has no repair attempt left this turn", self.limit_clause))
        return tuple(findings)

    def list_repairs(
        self, battle: Battle, ship: Ship, kinds: Collection[str] = FIELD_BY_KIND
    ) -> tuple[str, ...]:
        """Return which of these kinds of damage a ship may still try to repair this turn."""
        # Most kinds have nothing to repair; skip the other checks for them.
        broken = [kind for kind in kinds if is_repairable(ship, kind)]
        return tuple([kind for kind in broken if not self.list_findings(battle, ship, kind)])

    def build_throw(self, battle: Battle, id: str, kind: str) -> Throw:
        """Build the throw of a repair attempt. Speed of a protected ship (+P) has its own line of the chart.

        A failed attempt takes the repair point too, unless a switch keeps the point.
        """
        protected = kind == "speed" and battle.ships[id].card.get("protected") is True
        line = "repair-p" if protected else "repair"
        odds_reader = build_plain_reader(battle)

        def judge(faces: Faces) -> tuple[int, ...]:
            codes, _ = odds_reader.read_codes("damage", line, sum(faces))
            return (int(is_repairable(battle.ships[id], kind) and "fix" in codes),)

        def resolve(faces: Faces, builder: DecisionBuilder, reader: ChartReader) -> None:
            total = sum(faces)
            keeps_point = self.keeps_point(battle)
            codes, cell = reader.read_codes("damage", line, total)
            is_damaged = is_repairable(builder.ship(id), kind)
            repaired = is_damaged and "fix" in codes
            point_text = f"point {'kept' if keeps_point else 'spent'}"
            if repaired:
                text = f"{kind} repaired"
            elif is_damaged:
                text = f"repair of {kind} fails; {point_text}"
            else:
                text = f"nothing of {kind} to repair; {point_text}"
            builder.because(
                text,
                self.protected_clause if protected else self.roll_clause,
                cell,
                f"repair {'S+P' if protected else kind} {total}",
                of=f"{builder.battle.called(id)}:",
                roll=str(total),
            )
            if repaired:
                self.restore(builder, id, kind)
            if repaired or not keeps_point:
                spend_repair_point(builder, id)
            builder.result("mended", repaired)

        odds = (Measure("repairs", 0),)
        needs = (Need("repairs", 0, tuple(range(len(self.dice)))),)
        return Throw(dice=self.dice, resolve=resolve, judge=judge, odds=odds, needs=needs)

    def restore(self, builder: DecisionBuilder, id: str, kind: str) -> None:
        """Restore one point of this kind of damage; of several direction hits, lift the newest."""
        if kind == "course":
            builder.lift(id, builder.ship(id).live("course")[-1])
            forced = find_forced_course(builder.ship(id))
            steers = f"is still steered {forced}" if forced is not None else "steers again from the next turn"
            builder.because(steers, self.course_clause, subject=builder.battle.called(id))
        else:
            # The log counts the hits on speed, and the points left of all else.
            builder.add(id, FIELD_BY_KIND[kind], -1 if kind == "speed" else 1)
        builder.mark(id, MENDED, kind)
        # Work out later damage from the repaired log.
        freeze_damage(builder, id)
