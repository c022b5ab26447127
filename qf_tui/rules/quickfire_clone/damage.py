"""Damage codes, the rolls that a ship owes, and repairs.

Rule: QFC-BLA, QFC-REP, QFC-SNK.
"""

from collections.abc import Iterable, Mapping
from math import ceil, floor
from typing import ClassVar

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.declarations import Measure, Need, PreparedOrder
from qf_tui.core.errors import Finding, impossible, refused
from qf_tui.core.text import decimal
from qf_tui.core.values import Battle, Die, Faces, Order, Owed, Ship
from qf_tui.rules.quickfire_clone.clauses import option
from qf_tui.rules.quickfire_clone.game import COURSE, GAME, fixes
from qf_tui.rules.quickfire_family.attacks import SPEED_HITS, on_speed_hits
from qf_tui.rules.quickfire_family.chart import NONE, ChartReader, columns_of, plain_reader
from qf_tui.rules.quickfire_family.damage import (
    EXPLOSION,
    REPAIR,
    CalledRoll,
    Check,
    Repairs,
    Resolve,
    SinkingRoll,
    TableLine,
    Wounds,
    aboard,
    attempts_left,
    called_rolls,
    may_sink,
    on_line,
    put_out,
    repairable,
    row_of_size,
    sink,
    sinking_check,
    spend,
    steer,
)
from qf_tui.rules.quickfire_family.ship import BOXES, Battery, out_of_play, size
from qf_tui.rules.quickfire_family.throws import Roll, Throw, ordered

D6 = Die(6)
TWO_DICE = (D6, D6)
BY_HAND_OF = {"B": "QFC-BLA-3", "D": "QFC-BLA-4", "E": "QFC-BLA-2", "G": "QFC-GUN-10", "S": "QFC-GUN-9"}
"""The clauses of codes that the umpire gives, except T, R and F, which have QFC-BLA-5."""


class Damage(Wounds):
    """Damage to one ship. The order in which its codes are dealt does not matter.

    Attributes:
        battery: Battery whose fire deals the damage; None for an explosion.
    """

    game = GAME
    owes = called_rolls(D6, *TWO_DICE, blast=CalledRoll("blast hit on {}", TWO_DICE))
    clause = "QFC-BLA-5"
    steps: ClassVar = {**Wounds.steps, "B": lambda damage: damage.call("blast")}

    def __init__(self, builder: DecisionBuilder, ship: str, battery: Battery | None = Battery.HEAVY) -> None:
        super().__init__(builder, ship)
        self.battery = battery

    def gunnery(self) -> None:
        """Apply G: one point of ROF from the battery that it falls on, or at zero from the other.

        Rule: QFC-RUL-7.
        """
        meant, either = self._meant(), self.asked("g_at_zero") == "other"
        taken = self.rof(meant, meant.other) if either else self.rof(meant)
        if taken is None:
            what = "ROF" if either else f"{meant.value} ROF"
            self.explain(f"G, and no {what} left: nothing", "QFC-RUL-7")
        elif taken is not self.battery:
            self.explain(f"G takes {taken.value} ROF", "QFC-RUL-7")

    def _meant(self) -> Battery:
        """Return the battery that a G falls on: the one that fired, or for an explosion the next in turn."""
        if self.battery is None:
            meant = self.turn
            self.turn = meant.other if self.asked("explosion_g") == "in-turn" else meant
            return meant
        return self.battery if self.asked("g_falls_on") == "as-fired" else Battery.HEAVY

    def repair(self) -> None:
        """Apply R: a repair point; with none left nothing, or by the switch a fire.

        Rule: QFC-BLA-5.
        """
        if self.lose("repair_points"):
            return
        burns = self.asked("r_without_points") == "fire"
        self.explain(f"R, and no repair point left: {'a fire' if burns else 'nothing'}")
        if burns:
            self.fire()


def take(builder: DecisionBuilder, ship: str, codes: Iterable[str]) -> None:
    """Apply damage that counts as heavy fire: no explosion, no light guns."""
    Damage(builder, ship).take(codes)


def _on_direction(battle: Battle, roll: Roll) -> Resolve:
    """Build the effect of a direction roll: a course until repaired. A new die replaces its old course.

    Rule: QFC-BLA-4.
    """

    def resolve(faces: Faces, builder: DecisionBuilder, reader: ChartReader) -> None:
        for mark in builder.ship(roll.ship).live("course"):
            if mark.id == roll.text(COURSE):
                builder.lift(roll.ship, mark)
        cell, place = reader.cell("direction", "course", str(faces[0])), f"direction {faces[0]}"
        if cell.text == NONE:
            builder.because("no course", "QFC-BLA-4", cell, place, of="direction", roll=str(faces[0]))
        else:
            steer(builder, roll.ship, cell.text, "QFC-BLA-4", "is steered", cell, place)

    return resolve


def _on_fire_check(battle: Battle, roll: Roll) -> Resolve:
    """Build the effect of a fire check: out, one S or nothing.

    By a switch a fire that costs speed goes out.

    Rule: QFC-REP-1, QFC-RUL-9.
    """

    def harm(builder: DecisionBuilder, ship: str, codes: tuple[str, ...]) -> None:
        take(builder, ship, codes)
        if codes and option(battle, "speed_loss_fire") == "goes-out":
            put_out(builder, roll)
            builder.because("the fire goes out with it", "QFC-RUL-9")

    return on_line(_FIRE_CHECK, roll, harm)


def _sinking(builder: DecisionBuilder, ship: Ship) -> SinkingRoll:
    battle = builder.battle
    rows = columns_of(battle, "sinking", "sinks-on")
    lower, higher = (row_of_size(whole, rows) for whole in (floor(size(ship)), ceil(size(ship))))
    column = higher if option(battle, "size_between") == "higher" else lower
    if lower != higher:
        between = f"size {decimal(size(ship))} counts as {column}"
        builder.because(between, "QFC-RUL-11", of=battle.called(ship.id))
    fires, margin = len(ship.live("fires")), max(0, ship.count("speed_hits") - BOXES)
    why = f"without speed, fires {fires}, S beyond the eighth {margin}"
    return SinkingRoll(column, fires + margin, why, "QFC-SNK-2")


_EXPLOSION = TableLine(EXPLOSION, "QFC-BLA-2", EXPLOSION, "explosion {roll} on {ship}")
_BLAST = TableLine("blast", "QFC-BLA-3", "blast hit", "blast hit {roll} on {ship}")
_FIRE_CHECK = TableLine(
    "fire-check", "QFC-REP-1", "fire check", "fire check {roll} on {ship}", "burns on", table="repair"
)
CHECKS: Mapping[str, Check] = {
    "direction": Check((D6,), _on_direction),
    EXPLOSION: _EXPLOSION.check(
        TWO_DICE, lambda builder, ship, codes: Damage(builder, ship, None).take(codes)
    ),
    "blast": _BLAST.check(TWO_DICE, take),
    SPEED_HITS: Check((D6,), lambda battle, roll: on_speed_hits(roll, "QFC-TOR-3", take)),
    "fire-check": Check(TWO_DICE, _on_fire_check, _FIRE_CHECK.alike),
    "sinking": sinking_check(TWO_DICE, _sinking),
}


def owe_directions(builder: DecisionBuilder) -> None:
    """Owe a new die for each D as ships begin to move, under the switch `direction_die`.

    Rule: QFC-RUL-9.
    """
    if option(builder.battle, "direction_die") != "each-turn":
        return
    for ship in aboard(builder.battle):
        for mark in ship.live("course"):
            builder.owe("direction", ship.id, f"direction of {ship.name}", D6, facts={COURSE: mark.id})


def owe_sinking(builder: DecisionBuilder) -> bool:
    """Owe a roll for each ship without a speed box, once a turn; return whether a roll is owed now.

    By a switch a ship below size 1 sinks without a roll.

    Rule: QFC-SNK-1, QFC-RUL-10.
    """
    asked = False
    for ship in may_sink(builder.battle, "speed_hits", BOXES):
        if builder.battle.done("sinking", ship.id):
            continue
        builder.remember("sinking", ship.id)
        if size(ship) < 1 and option(builder.battle, "below_size_1") == "no-roll":
            builder.because("below size 1 and without speed, sinks", "QFC-RUL-10", of=f"{ship.name},")
            sink(builder, ship.id)
        else:
            builder.because("has no speed box left: it rolls for sinking", "QFC-SNK-1", subject=ship.name)
            builder.owe("sinking", ship.id, f"sinking of {ship.name}", *TWO_DICE, cause=builder.battle.opened)
            asked = True
    return asked


CHOICE = "choice"
"""The line of the question about what a repair fixes."""

WORDS: Mapping[str, str] = {
    "gunnery-heavy": "heavy",
    "gunnery-light": "light",
    "speed": "speed",
    "course": "course",
}
"""The kind of damage that each word of an answer means."""

_CODES = {"gunnery-heavy": "G", "gunnery-light": "G", "speed": "S", "course": "D"}
REPAIRS = Repairs(
    GAME,
    dice=TWO_DICE,
    of="QFC-REP-2",
    result="QFC-REP-2",
    protected="QFC-REP-2",
    steer="QFC-RUL-6",
    once_each=False,
    keeps=lambda battle: option(battle, "repair_point") == "success",
)
ODDS = (Measure("a G can be fixed", 0), Measure("an S can be fixed", 1), Measure("a D can be fixed", 2))
NEEDS = (Need("fixes G", 0, (0, 1)), Need("fixes S", 1, (0, 1)), Need("fixes D", 2, (0, 1)))


def damaged(ship: Ship) -> tuple[str, ...]:
    """Return the answer words for damage that can be fixed."""
    return tuple(word for word, kind in WORDS.items() if repairable(ship, kind))


def may_fix(battle: Battle, cell: str, ship: Ship) -> tuple[str, ...]:
    """Return the answer words that a cell of the repair line allows a ship. A D counts as a G.

    By a switch a cell that fixes S fixes D too.

    Rule: QFC-RUL-6.
    """
    codes = fixes(cell)
    if "G" in codes or (codes and option(battle, "course_repaired_on") == "2-11"):
        codes = (*codes, "D")
    return tuple(word for word in damaged(ship) if _CODES[word] in codes)


def repair_throw(battle: Battle, id: str, declared: int | None) -> Throw:
    """Build the throw of a repair. Its odds mention a D only if the ship has one.

    Args:
        declared: Entry that ordered the repair, if its dice come later; else None.

    Rule: QFC-RUL-6.
    """
    plain = plain_reader(battle)
    shown = len(ODDS) if battle.ships[id].live("course") else len(ODDS) - 1

    def judge(faces: Faces) -> tuple[int, ...]:
        cell = plain.cell("repair", "repair", str(sum(faces))).text
        codes = {_CODES[word] for word in may_fix(battle, cell, battle.ships[id])}
        return int("G" in codes), int("S" in codes), int("D" in codes)

    def resolve(faces: Faces, builder: DecisionBuilder, reader: ChartReader) -> None:
        total, ship = sum(faces), builder.ship(id)
        cell = reader.cell("repair", "repair", str(total))
        words = may_fix(battle, cell.text, ship)
        text = " or ".join(words) or "nothing is fixed"
        builder.because(
            text, "QFC-REP-2", cell, f"repair {total}", of=f"{ship.name} repairs,", roll=str(total)
        )
        if not REPAIRS.keeps(battle):
            spend(builder, id)
        if len(words) > 1:
            builder.owe(CHOICE, id, f"what does {ship.name} fix?", words=words, cause=declared)
        elif words:
            fix(builder, id, words[0])
        builder.result("mended", bool(words))

    return Throw(dice=TWO_DICE, resolve=resolve, judge=judge, odds=ODDS[:shown], needs=NEEDS[:shown])


def fix(builder: DecisionBuilder, id: str, word: str) -> None:
    """Fix one point of damage. By a switch this uses the repair point up, not the roll.

    Rule: QFC-RUL-8.
    """
    ship = builder.ship(id)
    if not repairable(ship, WORDS[word]):
        builder.because(f"has nothing of {word} left to fix", "QFC-REP-2", subject=ship.name)
        return
    builder.because(f"fixes {word}", "QFC-REP-2", subject=ship.name)
    REPAIRS.restore(builder, id, WORDS[word])
    if REPAIRS.keeps(builder.battle):
        spend(builder, id)


def left_to_fix(battle: Battle, owed: Owed) -> tuple[str, ...]:
    """Return the words of a choice whose damage is still there."""
    return tuple(word for word in owed.words if repairable(battle.ships[owed.ship], WORDS[word]))


def lapse(builder: DecisionBuilder, owed: Owed) -> None:
    """Give the repair point back for a choice with nothing left to fix, if the roll spent it.

    Rule: QFC-RUL-6.
    """
    if not REPAIRS.keeps(builder.battle):
        builder.add(owed.ship, "repair_points", 1)
    builder.because("keeps the repair point", "QFC-RUL-6", subject=builder.ship(owed.ship).name)


def prepare_choice(battle: Battle, owed: Owed, words: tuple[str, ...]) -> PreparedOrder:
    """Prepare the answer to what a repair fixes: one of the words whose damage is still there.

    If no damage is left, any word of the question is accepted.
    """
    ship = battle.ships[owed.ship]
    left = left_to_fix(battle, owed) or owed.words
    if len(words) != 1 or words[0] not in left:
        return PreparedOrder(findings=(impossible(f"what does {ship.name} fix? {' or '.join(left)}"),))
    return PreparedOrder(decide=lambda faces, builder: fix(builder, ship.id, words[0]))


def prepare_repair(battle: Battle, order: Order) -> PreparedOrder:
    """Prepare `repair`: one roll for one repair point."""
    ship = battle.ships[order.text("ship")]
    throw = repair_throw(battle, ship.id, None)
    return ordered(GAME, battle, order, throw, hindrances(battle, ship), f"repair on {ship.name}")


def hindrances(battle: Battle, ship: Ship) -> tuple[Finding, ...]:
    """Return the findings against a repair in this phase."""
    findings: list[Finding] = []
    if battle.phase != REPAIR:
        findings.append(refused("repairs are made in the repair phase only", "QFC-PH-1"))
    findings.extend(out_of_play(GAME, ship))
    if not damaged(ship):
        findings.append(refused(f"{ship.name} has nothing to repair", "QFC-REP-2"))
    if attempts_left(battle, ship) == 0:
        findings.append(refused(f"{ship.name} has no repair point left", "QFC-REP-2"))
    if any(owed.line == "fire-check" and owed.ship == ship.id and not owed.late for owed in battle.owed):
        findings.append(refused(f"the fires on {ship.name} are checked first", "QFC-PH-3"))
    if any(act.kind == "sinking" and act.turn == battle.turn for act in battle.acts):
        findings.append(refused("sinking rolls have begun: repairs come before them", "QFC-PH-3"))
    return tuple(findings)
