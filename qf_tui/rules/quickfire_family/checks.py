"""The rolls that a ship owes: lines of the damage table, courses, fire checks, sinking."""

from collections.abc import Callable, Hashable, Iterable

from attrs import frozen

from qf_tui.core.charts import ChartCell
from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.effects import Op
from qf_tui.core.manual_edits import drop_owed
from qf_tui.core.system import Faces
from qf_tui.core.values import SUNK, Battle, Die, Mark, Ship
from qf_tui.rules.quickfire_family.chart import ChartReader, plain_reader, totals_of
from qf_tui.rules.quickfire_family.course import Course
from qf_tui.rules.quickfire_family.damage import Take
from qf_tui.rules.quickfire_family.facts import ALL_FIRES, FIRE
from qf_tui.rules.quickfire_family.throws import Roll

Resolve = Callable[[Faces, DecisionBuilder, ChartReader], None]
"""What the dice of a throw do."""


@frozen
class TableLine:
    """One line of a damage table: the row, the clause, what it is called, and what its result is of.

    `said` has `roll` and `ship` in braces; `nothing` is the result where there is no code; `also` are codes
    that always follow.
    """

    row: str
    clause: str
    title: str
    said: str
    nothing: str = "nothing"
    also: tuple[str, ...] = ()
    table: str = "damage"


def alike_on(battle: Battle, line: TableLine | None) -> Callable[[Faces], Hashable] | None:
    """What totals on a line do the same: those with one text in their cells."""
    if line is None:
        return None
    plain = plain_reader(battle)
    return lambda faces: plain.cell(line.table, line.row, str(sum(faces))).text


def on_line(line: TableLine, roll: Roll, take: Take) -> Resolve:
    """The codes of the line for the total of the dice, taken by the ship that owes the roll.

    `out` puts out the fire that a check is for, or all of them; if none of these burns, nothing happens.
    """

    def resolve(faces: Faces, builder: DecisionBuilder, reader: ChartReader) -> None:
        if roll.text(FIRE) and not _checked(builder, roll):
            out = "its fires are out" if roll.text(FIRE) == ALL_FIRES else "that fire is out"
            called = builder.battle.called(roll.ship)
            builder.because(out, line.clause, of=f"{line.title} on {called}")
            builder.result("hits", ())
            return
        total = sum(faces)
        found, cell = reader.codes(line.table, line.row, total)
        codes = (*found, *line.also)
        name = builder.battle.called(roll.ship)
        result = " ".join(codes) or line.nothing
        of = line.said.format(roll=total, ship=name)
        builder.because(result, line.clause, cell, f"{line.title} {total}", of=of)
        if "out" in codes:
            put_out(builder, roll)
        take(builder, roll.ship, tuple(code for code in codes if code != "out"))
        builder.result("hits", codes)

    return resolve


def _checked(builder: DecisionBuilder, roll: Roll) -> tuple[Mark, ...]:
    """The fires that a check is for, those that still burn: the umpire's hand may have put them out."""
    live = builder.ship(roll.ship).live("fires")
    return tuple(mark for mark in live if roll.text(FIRE) in (ALL_FIRES, mark.id))


def put_out(builder: DecisionBuilder, roll: Roll) -> None:
    """The fires that are checked go out."""
    for mark in _checked(builder, roll):
        builder.lift(roll.ship, mark)


def on_course(table: tuple[tuple[int, str], ...], roll: Roll, clause: str) -> Resolve:
    """A course by one die: the first of the table whose number the die does not pass."""

    def resolve(faces: Faces, builder: DecisionBuilder, reader: ChartReader) -> None:
        steer(builder, roll.ship, next(course for most, course in table if faces[0] <= most), clause)

    return resolve


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
    builder.mark(id, "course", course)
    said, name = f"{does} {Course.of(course)} until repaired", builder.battle.called(id)
    builder.because(said, clause, cell, place, subject=name)


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


def sink_or_not(
    builder: DecisionBuilder, id: str, roll: SinkingRoll, total: int, reader: ChartReader
) -> None:
    """Sinks the ship if the total less what comes off is at or below the number of the cell."""
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
        builder.write(Op.STATUS, id, "status", SUNK)
        drop_owed(builder, id)
    builder.result("sunk", sinks)


def row_of_size(size: float, rows: tuple[str, ...]) -> str:
    """The row of a sinking table for a size: rows as `11+`, `7-10`, `1`; the least serves all below.

    Without rows there is none: "".
    """
    least = {row: of.least for row in rows if (of := totals_of(row))}
    fitting = [row for row in least if least[row] <= size]
    if fitting:
        return max(fitting, key=least.__getitem__)
    return min(least, key=least.__getitem__, default="")


def aboard(battle: Battle) -> tuple[Ship, ...]:
    """The ships that still track what happens aboard: all that are not off the table."""
    return tuple(ship for ship in battle.ships.values() if not ship.gone)


def may_sink(battle: Battle) -> tuple[Ship, ...]:
    """The ships that can flood: all that are aboard of a hull, and no battery on land."""
    return tuple(ship for ship in aboard(battle) if not ship.ashore)


def owe_fire_checks(builder: DecisionBuilder, *dice: Die, each_fire: bool = True) -> None:
    """One for each fire that burns now, or one for all fires of a ship."""
    for ship in aboard(builder.battle):
        fires = [fire.id for fire in ship.live("fires")]
        prompt = f"fire check on {builder.battle.called(ship.id)}"
        for fire in fires if each_fire else [ALL_FIRES] * bool(fires):
            builder.owe("fire-check", ship.id, prompt, *dice, facts={FIRE: fire})


SINKING = "sinking"
"""The line of a sinking roll, and the act of asking for them."""


def owe_sinking_rolls(
    builder: DecisionBuilder, ships: Iterable[Ship], prompt: Callable[[Ship], str], *dice: Die
) -> None:
    """One roll a turn for each ship, as the sinking phase opens, and later for ships that come to it then."""
    battle = builder.battle
    for ship in ships:
        if battle.done(SINKING, ship.id):
            continue
        builder.remember(SINKING, ship.id)
        builder.owe(
            SINKING,
            ship.id,
            f"sinking of {battle.called(ship.id)}, {prompt(ship)}",
            *dice,
            cause=battle.opened,
        )
