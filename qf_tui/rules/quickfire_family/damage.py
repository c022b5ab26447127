"""Damage: what codes take from a ship, the rolls that they call for, sinking, and repairs."""

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
from qf_tui.core.text import exact
from qf_tui.core.values import SUNK, Battle, ChartCell, Die, Faces, Form, Mark, Mends, Order, Ship, Slot
from qf_tui.rules.quickfire_family.chart import ChartReader, plain_reader, totals_of
from qf_tui.rules.quickfire_family.game import Game
from qf_tui.rules.quickfire_family.ledger import Source, fix_damage, is_settled
from qf_tui.rules.quickfire_family.movement import Course, steering
from qf_tui.rules.quickfire_family.ship import (
    BOXES,
    SHIP,
    Battery,
    acting,
    gunnery_rating,
    marked_boxes,
    out_of_play,
)
from qf_tui.rules.quickfire_family.throws import ALL_FIRES, FIRE, Roll, Throw, ordered

EXPLOSION = "explosion"
"""The line of the roll for an explosion."""
SINKING = "sinking"
"""The line of a sinking roll, and the act of asking for them."""
REPAIR = "repair"
"""The phase of repairs, and the act of an attempt."""
MENDED = "mended"
"""The kind of mark that keeps repaired damage legible; lifted where the point is lost again."""

FIELDS: Mapping[str, str] = {
    "heavy": "rof_heavy",
    "light": "rof_light",
    "boats": "boat_guns",
    "speed": "speed_hits",
    "course": "course",
}
"""The kinds of repair, and the field of the log that each repairs."""
_PRINTED = {"heavy": "rof.heavy", "light": "rof.light", "boats": "boat_guns"}
MENDS = Mends("repair_points", "repair")
"""What the orders of all games that repair use up."""
FULL_TURNS = ("full turn left", "straight ahead", "full turn right")
"""Directions that damage forces where ships turn by templates (QF-DAM-2, QFC-BLA-4)."""
REPAIR_SAYS = "{ship} repairs| {kind}"
"""A repair in words."""

Take = Callable[[DecisionBuilder, str, tuple[str, ...]], None]
"""What takes damage codes for a ship, by the rules of one game."""
Resolve = Callable[[Faces, DecisionBuilder, ChartReader], None]
"""What the dice of a throw do."""


@frozen
class CalledRoll:
    """A roll that a code calls for: its dice, and its prompt with the ship in braces."""

    prompt: str
    dice: tuple[Die, ...]


def called_rolls(direction: Die, *explosion: Die, **more: CalledRoll) -> Mapping[str, CalledRoll]:
    """The rolls that D and E call for, and those that other codes do, by their lines."""
    return {
        "direction": CalledRoll("direction of {}", (direction,)),
        EXPLOSION: CalledRoll("explosion on {}", explosion),
        **more,
    }


SPEED = ("speed_hits", "speed_lost")
"""The fields of a log that count speed boxes."""


class Wounds(ABC):
    """What one ship loses to one source, written on a builder code by code; each sees those before it.

    `owes` are the rolls that it may call for by their lines, `ahead_of` the lines of this phase that an
    explosion goes before, `clause` that of all that names none, `settled_by` that of the order in which a
    phase is settled, `steps` what takes each code. `turn` is the battery that loses ROF next where they lose
    it by turns; `called` are the rolls that codes call for, and `says` is told why, if anybody is.
    """

    game: Game
    owes: Mapping[str, CalledRoll]
    ahead_of: tuple[str, ...] = ()
    clause: str = ""
    settled_by: str = ""
    steps: ClassVar[Mapping[str, Callable[[Any], object]]] = {
        "G": lambda wounds: wounds.gunnery(),
        "S": lambda wounds: wounds.speed(),
        "T": lambda wounds: wounds.torpedo(),
        "R": lambda wounds: wounds.repair(),
        "F": lambda wounds: wounds.fire(),
        "D": lambda wounds: wounds.call("direction"),
        "E": lambda wounds: wounds.call(EXPLOSION),
    }

    def __init__(self, builder: DecisionBuilder, ship: str, source: Source = Source.HEAVY) -> None:
        self.builder = builder
        self.says: DecisionBuilder | None = builder
        self.id = ship
        self.source = source
        self.turn = Battery.HEAVY
        self.called: list[str] = []

    @property
    def ship(self) -> Ship:
        """The ship as she is now."""
        return self.builder.ship(self.id)

    def take(self, codes: Iterable[str]) -> None:
        """Takes codes in their order, then owes the rolls that they called for."""
        for code in codes:
            if code in self.steps:
                self.steps[code](self)
        called, self.called = self.called, []
        for line in called:
            self.owe(line)

    def has_room(self, codes: tuple[str, ...]) -> bool:
        """Return whether codes overflow nowhere: then their place among other damage changes nothing."""
        if self.source is Source.EXPLOSION or not set("FDEGRS").issuperset(codes):
            return False
        rof = min(self.ship.count(f"rof_{battery}") for battery in Battery)
        room = {"G": rof, "R": self.ship.count("repair_points"), "S": BOXES - marked_boxes(self.ship)}
        return all(codes.count(code) <= points for code, points in room.items())

    def call(self, line: str) -> None:
        """Calls for a roll, which is owed when all the codes are taken."""
        self.called.append(line)

    def owe(self, line: str, cause: int | None = None, asked: int = 0) -> None:
        """Owe a roll that damage calls for; a ship off the table owes none, some explosions go before others.

        `cause` is the entry whose code calls for it, `asked` how many of this line that entry asked before.
        """
        builder = self.builder
        if self.ship.gone:
            return
        waiting, called = builder.battle.owed, self.owes[line]
        prompt = called.prompt.format(builder.battle.called(self.id))
        builder.owe(line, self.id, prompt, *called.dice, cause=cause, asked=asked)
        if line == EXPLOSION:
            for check in (owed for owed in waiting if owed.line in self.ahead_of and not owed.late):
                builder.settle(check)
                builder.write(Op.OWE, check.ship, check.line, check)

    @abstractmethod
    def gunnery(self) -> None:
        """G: ROF."""

    def speed(self) -> None:
        """S: a speed box, beyond the eighth in the margin (QF-DAM-1, QFC-SNK-1)."""
        self.box("speed_hits")

    def torpedo(self) -> None:
        """T: one off the torpedo rating; at zero nothing (QF-DAM-1, QFC-BLA-5)."""
        if not self.lose("torpedo"):
            self.explain("T, and no torpedo rating left: nothing")

    @abstractmethod
    def repair(self) -> None:
        """R: a repair point."""

    def rof(self, *batteries: Battery) -> Battery | None:
        """One point of ROF of the first of these batteries that has one left; None: none has."""
        for battery in batteries:
            if gunnery_rating(self.ship, battery) and self.lose(f"rof_{battery}"):
                return battery
        return None

    def rof_by_turns(self) -> Battery | None:
        """One point of ROF, heavy, light, heavy ..., passing over a battery at zero; None: both are."""
        battery = self.rof(self.turn, self.turn.other)
        if battery is not None:
            self.turn = battery.other
        return battery

    def lose(self, field: str) -> bool:
        """One of a counted field; False if none is left."""
        if self.ship.count(field) <= 0:
            return False
        self._lose_again(field)
        self.builder.add(self.id, field, -1)
        return True

    def box(self, field: str) -> None:
        """A speed box more, marked as that field counts them."""
        self._lose_again("speed_hits")
        self.builder.add(self.id, field, 1)

    def _lose_again(self, field: str) -> None:
        """A point that was repaired goes first, and is repaired no longer (AQF-LOG-4)."""
        mended = self.ship.live(MENDED)
        again = next((mark for mark in mended if FIELDS.get(mark.text, mark.text) == field), None)
        if again is not None:
            self.builder.lift(self.id, again)

    def write_difference(self, before: Ship, after: Ship) -> None:
        """Write what one log of the ship has more or less than another."""
        for _ in range(len(after.live("fires")) - len(before.live("fires"))):
            self.fire()
        for field, value in after.log.items():
            by = after.count(field) - before.count(field)
            if by:
                self.builder.add(self.id, field, by)
            elif value != before.log.get(field):
                self.builder.record(self.id, field, value)
            for _ in range(0 if field in SPEED else -by):
                self._lose_again(field)
        for _ in range(sum(after.count(field) - before.count(field) for field in SPEED)):
            self._lose_again("speed_hits")

    def fire(self) -> None:
        """A fire, without limit."""
        self.builder.mark(self.id, "fires")

    def explain(self, text: str, clause: str = "") -> None:
        """A reason about this ship."""
        if self.says is not None:
            self.says.because(text, clause or self.clause, of=self.builder.battle.called(self.id))

    def asked(self, switch: str) -> str:
        """The value of a switch."""
        return self.game.option(self.builder.battle, switch)


@frozen
class Check:
    """A roll that a ship owes: its dice, what they do, and which faces do the same, where that is known."""

    dice: tuple[Die, ...]
    resolve: Callable[[Battle, Roll], Resolve]
    alike: Callable[[Battle], Callable[[Faces], Hashable]] | None = None


def check_throw(check: Check, battle: Battle, roll: Roll) -> Throw:
    """The throw of a check that a ship owes."""
    alike = check.alike and check.alike(battle)
    return Throw(dice=check.dice, resolve=check.resolve(battle, roll), alike=alike)


@frozen
class TableLine:
    """One line of a damage table: the row, the clause, what it is called, and what its result is of.

    `of` has `roll` and `ship` in braces; `nothing` is the result where there is no code; `also` are codes
    that always follow.
    """

    row: str
    clause: str
    title: str
    of: str
    nothing: str = "nothing"
    also: tuple[str, ...] = ()
    table: str = "damage"

    def check(self, dice: tuple[Die, ...], take: Take) -> Check:
        """The check of this line: its codes are taken by the ship that owes the roll."""
        return Check(dice, lambda battle, roll: on_line(self, roll, take), self.alike)

    def alike(self, battle: Battle) -> Callable[[Faces], Hashable]:
        """What totals do the same: those with one text in their cells."""
        plain = plain_reader(battle)
        return lambda faces: plain.cell(self.table, self.row, str(sum(faces))).text


def on_line(line: TableLine, roll: Roll, take: Take) -> Resolve:
    """The codes of the line for the total of the dice, taken by the ship that owes the roll.

    `out` puts out the fire that a check is for, or all of them; if none of these burns, nothing happens.
    """

    def resolve(faces: Faces, builder: DecisionBuilder, reader: ChartReader) -> None:
        name = builder.battle.called(roll.ship)
        if roll.text(FIRE) and not _checked(builder, roll):
            out = "its fires are out" if roll.text(FIRE) == ALL_FIRES else "that fire is out"
            builder.because(out, line.clause, of=f"{line.title} on {name}")
            builder.result("hits", ())
            return
        total = sum(faces)
        printed, cell = reader.codes(line.table, line.row, total)
        codes = (*printed, *line.also)
        result, of = " ".join(codes) or line.nothing, line.of.format(roll=total, ship=name)
        builder.because(result, line.clause, cell, f"{line.title} {total}", of=of)
        if "out" in codes:
            put_out(builder, roll)
        take(builder, roll.ship, tuple(code for code in codes if code != "out"))
        builder.result("hits", codes)

    return resolve


def _checked(builder: DecisionBuilder, roll: Roll) -> list[Mark]:
    """The fires that a check is for, those that still burn: the umpire's hand may have put them out."""
    live, fire = builder.ship(roll.ship).live("fires"), roll.text(FIRE)
    return [mark for mark in live if fire in (ALL_FIRES, mark.id)]


def put_out(builder: DecisionBuilder, roll: Roll) -> None:
    """The fires that are checked go out."""
    for mark in _checked(builder, roll):
        builder.lift(roll.ship, mark)


def on_course(table: tuple[tuple[int, str], ...], roll: Roll, clause: str) -> Resolve:
    """A course by one die: the first of the table whose number the die does not pass."""

    def resolve(faces: Faces, builder: DecisionBuilder, reader: ChartReader) -> None:
        steer(builder, roll.ship, next(course for most, course in table if faces[0] <= most), clause)

    return resolve


def _by_sharpness(course: str) -> tuple[int, bool, str]:
    return Course.of(course).degrees, course != FULL_TURNS[1], course


def _mark_course(builder: DecisionBuilder, id: str, course: str) -> None:
    """Mark a direction hit; of those of one settled phase the sharper, then the right one, is the newest."""
    began = builder.battle.start.ships.get(id, builder.ship(id)).live("course")
    live = builder.ship(id).live("course") if is_settled(builder.battle) else ()
    own = [mark for mark in live if mark not in began]
    *first, last = sorted([*(mark.text for mark in own), course], key=_by_sharpness)
    for mark, text in zip(own, first, strict=True):
        if mark.text != text:
            builder.write(Op.MARK, id, mark.kind, evolve(mark, text=text))
    builder.mark(id, "course", last)


def steer(
    builder: DecisionBuilder,
    id: str,
    course: str,
    clause: str,
    does: str = "turns",
    cell: ChartCell | None = None,
    place: str = "",
) -> None:
    """A course until it is repaired; `does` is the verb for it, `cell` and `place` if a chart gives it."""
    _mark_course(builder, id, course)
    text, name = f"{does} {Course.of(course)} until repaired", builder.battle.called(id)
    builder.because(text, clause, cell, place, subject=name)


def aboard(battle: Battle) -> tuple[Ship, ...]:
    """The ships that still track what happens aboard: all that are not off the table."""
    return tuple(ship for ship in battle.ships.values() if not ship.gone)


def owe_fire_checks(builder: DecisionBuilder, *dice: Die, each_fire: bool = True) -> None:
    """One for each fire that burns now, or one for all fires of a ship."""
    for ship in aboard(builder.battle):
        fires = [fire.id for fire in ship.live("fires")]
        prompt = f"fire check on {builder.battle.called(ship.id)}"
        for fire in fires if each_fire else [ALL_FIRES] * bool(fires):
            builder.owe("fire-check", ship.id, prompt, *dice, facts={FIRE: fire})


def may_sink(battle: Battle, field: str, least: int) -> tuple[Ship, ...]:
    """The ships that can flood, none of them a battery on land, with so much in a field of their logs."""
    ships = battle.ships.values()
    # It is asked of a whole battle behind each roll that could be: most logs have nothing there.
    marked = [ship for ship in ships if ship.log.get(field)]
    return tuple([ship for ship in marked if ship.count(field) >= least and not (ship.gone or ship.ashore)])


def owe_sinking_rolls(
    builder: DecisionBuilder, ships: Iterable[Ship], prompt: Callable[[Ship], str], *dice: Die
) -> None:
    """One roll a turn for each ship, as the sinking phase opens, and later for ships that come to it then."""
    battle = builder.battle
    for ship in ships:
        if not battle.done(SINKING, ship.id):
            builder.remember(SINKING, ship.id)
            text = f"sinking of {battle.called(ship.id)}, {prompt(ship)}"
            builder.owe(SINKING, ship.id, text, *dice, cause=battle.opened)


@frozen
class SinkingRoll:
    """A ship's sinking roll: the column of the table, what comes off the dice, and in words why it rolls.

    `unit` is what the table counts in its columns, if it says so.
    """

    column: str
    off: int
    why: str
    clause: str
    unit: str = ""


def sinking_check(dice: tuple[Die, ...], of: Callable[[DecisionBuilder, Ship], SinkingRoll]) -> Check:
    """Sinks a ship if the total less what comes off is at or below the number of the cell."""

    def resolve(id: str, faces: Faces, builder: DecisionBuilder, reader: ChartReader) -> None:
        roll, total = of(builder, builder.ship(id)), sum(faces)
        most, cell = reader.most("sinking", "sinks-on", roll.column)
        sinks = most > 0 and total - roll.off <= most
        shown = f"{total}-{roll.off}" if roll.off else str(total)
        sign, does = ("≤", "sinks") if sinks else (">", "stays afloat")
        builder.because(
            does,
            roll.clause,
            cell,
            f"sinking {roll.column}{roll.unit}",
            of=f"{builder.battle.called(id)} {roll.why}:",
            roll=f"{shown}{sign}{cell.text}",
        )
        if sinks:
            sink(builder, id)
        builder.result("sunk", sinks)

    return Check(dice, lambda battle, roll: partial(resolve, roll.ship))


def sink(builder: DecisionBuilder, id: str) -> None:
    """A ship sinks, and owes nothing any more."""
    builder.write(Op.STATUS, id, "status", SUNK)
    drop_owed(builder, id)


def row_of_size(size: float, rows: tuple[str, ...]) -> str:
    """The row of a sinking table for a size: rows as `11+`, `7-10`, `1`; the least serves all below.

    Without rows there is none: "".
    """
    least = {row: of.least for row in rows if (of := totals_of(row))}
    fitting = [row for row in least if least[row] <= size]
    if fitting:
        return max(fitting, key=least.__getitem__)
    return min(least, key=least.__getitem__, default="")


def repair_form(dice: str, *more: str) -> Form:
    """`repair` of one kind of damage, with the dice of a game, and what more it repairs."""
    return Form(
        "repair",
        "p",
        "Repair attempt",
        (SHIP, Slot("kind", kinds.CHOICE, "what", choices=(*FIELDS, *more), identifies=True)),
        dice=dice,
        phases=(REPAIR,),
        help="one attempt on one kind of damage",
        says=REPAIR_SAYS,
        mends=MENDS,
    )


def repairable(ship: Ship, kind: str) -> bool:
    """Whether there is something of that kind to repair."""
    if kind == "course":
        return bool(ship.live("course"))
    if kind == "speed":
        return ship.count("speed_hits") > 0
    if ship.count(FIELDS[kind]) >= int(exact(ship.card.get(_PRINTED[kind]))):
        return False
    return kind == "boats" or bool(gunnery_rating(ship, Battery(kind)))


def attempts_left(battle: Battle, ship: Ship) -> int:
    """Attempts that a ship may still make this turn: its points as the phase began, less those made."""
    return max(0, acting(battle, ship.id).count("repair_points") - len(battle.done(REPAIR, ship.id)))


def spend(builder: DecisionBuilder, id: str) -> None:
    """Uses a repair point up."""
    if builder.ship(id).count("repair_points") > 0:
        builder.add(id, "repair_points", -1)
        fix_damage(builder, id)


@frozen(eq=False)
class Repairs:
    """How a game repairs: its dice, the clauses it cites, and when a point is spent.

    `once_each`: one attempt a turn for each kind. `keeps`: whether a failure keeps the point in this battle.
    `of` cites what can be tried, `result` the roll, `protected` that for S of a +P ship, `steer` a repaired
    course.
    """

    game: Game
    dice: tuple[Die, ...]
    of: str
    result: str
    protected: str
    steer: str
    once_each: bool
    keeps: Callable[[Battle], bool]

    def prepare(self, battle: Battle, order: Order) -> PreparedOrder:
        """`repair`: one attempt on one kind of damage."""
        ship, kind = battle.ships[order.text("ship")], order.text("kind")
        throw, findings = self.throw_of(battle, ship.id, kind), self.hindrances(battle, ship, kind)
        prompt = f"repair of {kind} on {battle.called(ship.id)}"
        return ordered(self.game, battle, order, throw, findings, prompt, kind=kind)

    def hindrances(self, battle: Battle, ship: Ship, kind: str) -> tuple[Finding, ...]:
        """What hinders an attempt."""
        findings: list[Finding] = []
        if battle.phase != REPAIR:
            findings.append(refused("repairs are tried in the repair phase only", self.game.clauses.phases))
        findings.extend(out_of_play(self.game, ship))
        if not repairable(ship, kind):
            findings.append(refused(f"{ship.name} has nothing of {kind} to repair", self.of))
        if self.once_each and any(act.text("kind") == kind for act in battle.done(REPAIR, ship.id)):
            findings.append(refused(f"{ship.name} has tried to repair {kind} this turn", self.of))
        if attempts_left(battle, ship) == 0:
            findings.append(refused(f"{ship.name} has no repair attempt left this turn", self.of))
        return tuple(findings)

    def may_repair(self, battle: Battle, ship: Ship, kinds: Collection[str] = FIELDS) -> tuple[str, ...]:
        """Those of the kinds that a ship may still try this turn."""
        # Of most there is nothing to repair, and nobody asks what else hinders it.
        broken = [kind for kind in kinds if repairable(ship, kind)]
        return tuple([kind for kind in broken if not self.hindrances(battle, ship, kind)])

    def throw_of(self, battle: Battle, id: str, kind: str) -> Throw:
        """The throw of an attempt: on the repair line, +P ships with another line for S."""
        protected = kind == "speed" and battle.ships[id].card.get("protected") is True
        line = "repair-p" if protected else "repair"
        plain = plain_reader(battle)

        def judge(faces: Faces) -> tuple[int, ...]:
            there = repairable(battle.ships[id], kind)
            return (int(there and "fix" in plain.codes("damage", line, sum(faces))[0]),)

        def resolve(faces: Faces, builder: DecisionBuilder, reader: ChartReader) -> None:
            total, keeps = sum(faces), self.keeps(battle)
            codes, cell = reader.codes("damage", line, total)
            there = repairable(builder.ship(id), kind)
            repaired = there and "fix" in codes
            failed = f"repair of {kind} fails" if there else f"nothing of {kind} to repair"
            point = "" if repaired else f"; point {'kept' if keeps else 'spent'}"
            builder.because(
                f"{f'{kind} repaired' if repaired else failed}{point}",
                self.protected if protected else self.result,
                cell,
                f"repair {'S+P' if protected else kind} {total}",
                of=f"{builder.battle.called(id)}:",
                roll=str(total),
            )
            if repaired:
                self.restore(builder, id, kind)
            if repaired or not keeps:
                spend(builder, id)
            builder.result("mended", repaired)

        odds, needs = (Measure("repairs", 0),), (Need("repairs", 0, tuple(range(len(self.dice)))),)
        return Throw(dice=self.dice, resolve=resolve, judge=judge, odds=odds, needs=needs)

    def restore(self, builder: DecisionBuilder, id: str, kind: str) -> None:
        """Restores exactly one of a kind that is there to repair, of direction hits the newest."""
        if kind == "course":
            builder.lift(id, builder.ship(id).live("course")[-1])
            forced = steering(builder.ship(id))
            steers = f"is still steered {forced}" if forced is not None else "steers again from the next turn"
            builder.because(steers, self.steer, subject=builder.battle.called(id))
        else:
            builder.add(id, FIELDS[kind], -1 if kind == "speed" else 1)
        builder.mark(id, MENDED, kind)
        fix_damage(builder, id)
