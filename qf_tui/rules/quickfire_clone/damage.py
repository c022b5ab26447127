"""Damage to ships in Quickfire-Clone: codes read on charts, the rolls that a ship owes, and repairs.

Rule: QFC-BLA, QFC-REP, QFC-SNK.
"""

from collections.abc import Iterable, Mapping
from math import ceil, floor
from typing import ClassVar

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.declarations import Measure, Need, PreparedOrder
from qf_tui.core.errors import Finding, impossible, refused
from qf_tui.core.text import format_decimal
from qf_tui.core.values import Battle, Die, Faces, Order, Owed, Ship
from qf_tui.rules.quickfire_clone.clauses import read_option
from qf_tui.rules.quickfire_clone.game import COURSE, GAME, split_fixes
from qf_tui.rules.quickfire_family.chart import NONE, ChartReader, build_plain_reader, list_columns
from qf_tui.rules.quickfire_family.damage import (
    EXPLOSION,
    REPAIR,
    CausedRoll,
    Check,
    Repairs,
    Resolve,
    SinkingRoll,
    TableLine,
    Wounds,
    build_caused_rolls,
    build_line_effect,
    build_sinking_check,
    count_attempts_left,
    find_size_column,
    is_repairable,
    list_ships_on_table,
    list_sinkable,
    put_out_fires,
    sink_ship,
    spend_repair_point,
    steer_ship,
)
from qf_tui.rules.quickfire_family.launches import SPEED_HITS, build_speed_hits_effect
from qf_tui.rules.quickfire_family.ship import BOXES, Battery, read_size, refuse_out_of_play
from qf_tui.rules.quickfire_family.throws import Roll, Throw, prepare_ship_order

D6 = Die(6)
TWO_DICE = (D6, D6)
HAND_CLAUSE_BY_CODE = {
    "B": "QFC-BLA-3",
    "D": "QFC-BLA-4",
    "E": "QFC-BLA-2",
    "G": "QFC-GUN-10",
    "S": "QFC-GUN-9",
}
"""The clauses of codes that the umpire gives, except T, R and F, which have QFC-BLA-5."""


class Damage(Wounds):
    """Damage to one ship. The order in which its codes are dealt makes no difference.

    Attributes:
        battery: Battery whose fire deals the damage; None for an explosion.
    """

    game = GAME
    caused_rolls = build_caused_rolls(D6, *TWO_DICE, blast=CausedRoll("blast hit on {}", TWO_DICE))
    clause = "QFC-BLA-5"
    steps: ClassVar = {**Wounds.steps, "B": lambda damage: damage.note_caused_roll("blast")}

    def __init__(self, builder: DecisionBuilder, ship: str, battery: Battery | None = Battery.HEAVY) -> None:
        super().__init__(builder, ship)
        self.battery = battery

    def apply_gunnery(self) -> None:
        """Apply G: take a point of ROF from the battery that it falls on, or at zero from the other.

        By a switch it has no effect at zero.

        Rule: QFC-RUL-7.
        """
        battery = self._choose_battery()
        may_take_other = self.read_option("g_at_zero") == "other"
        lost_from = self.lose_rof(battery, battery.other) if may_take_other else self.lose_rof(battery)
        if lost_from is None:
            rof_text = "ROF" if may_take_other else f"{battery.value} ROF"
            self.explain(f"G, and no {rof_text} left: nothing", "QFC-RUL-7")
        # No reason is needed if the battery that fired is the one that loses ROF.
        elif lost_from is not self.battery:
            self.explain(f"G takes {lost_from.value} ROF", "QFC-RUL-7")

    def _choose_battery(self) -> Battery:
        """Return the battery that a G falls on.

        That is the battery that fired, and in an explosion heavy and light by turns. Switches let a G fall on
        heavy instead.
        """
        # An explosion has no battery.
        if self.battery is None:
            battery = self.next_battery
            self.next_battery = battery.other if self.read_option("explosion_g") == "in-turn" else battery
            return battery
        return self.battery if self.read_option("g_falls_on") == "as-fired" else Battery.HEAVY

    def apply_repair(self) -> None:
        """Apply R: take a repair point. With none left it has no effect, or by a switch it becomes a fire.

        Rule: QFC-BLA-5.
        """
        if self.lose_point("repair_points"):
            return
        burns = self.read_option("r_without_points") == "fire"
        self.explain(f"R, and no repair point left: {'a fire' if burns else 'nothing'}")
        if burns:
            self.apply_fire()


def apply_codes(builder: DecisionBuilder, ship: str, codes: Iterable[str]) -> None:
    """Apply damage codes as if heavy fire dealt them."""
    Damage(builder, ship).apply_codes(codes)


def _build_direction_effect(battle: Battle, roll: Roll) -> Resolve:
    """Build the effect of a direction roll: a course until repaired, or none.

    A new die for an old direction hit replaces its course.

    Rule: QFC-BLA-4.
    """

    def resolve(faces: Faces, builder: DecisionBuilder, reader: ChartReader) -> None:
        for mark in builder.ship(roll.ship).live("course"):
            if mark.id == roll.read_text(COURSE):
                builder.lift(roll.ship, mark)
        cell = reader.find_cell("direction", "course", str(faces[0]))
        place = f"direction {faces[0]}"
        if cell.text == NONE:
            builder.because("no course", "QFC-BLA-4", cell, place, of="direction", roll=str(faces[0]))
        else:
            steer_ship(builder, roll.ship, cell.text, "QFC-BLA-4", verb="is steered", cell=cell, place=place)

    return resolve


def _build_fire_check_effect(battle: Battle, roll: Roll) -> Resolve:
    """Build the effect of a fire check: the fire goes out, costs an S, or burns on.

    By a switch a fire that costs an S goes out too.

    Rule: QFC-REP-1, QFC-RUL-9.
    """

    def apply_harm(builder: DecisionBuilder, ship: str, codes: tuple[str, ...]) -> None:
        apply_codes(builder, ship, codes)
        if codes and read_option(battle, "speed_loss_fire") == "goes-out":
            put_out_fires(builder, roll)
            builder.because("the fire goes out with it", "QFC-RUL-9")

    return build_line_effect(_FIRE_CHECK, roll, apply_harm)


def _build_sinking_roll(builder: DecisionBuilder, ship: Ship) -> SinkingRoll:
    """Build a ship's sinking roll: a column for her size, and a deduction for fires and S beyond the eighth.

    A size between two columns uses the lower one, or by a switch the higher one.
    """
    battle = builder.battle
    columns = list_columns(battle, "sinking", "sinks-on")
    size = read_size(ship)
    lower, higher = (find_size_column(whole_size, columns) for whole_size in (floor(size), ceil(size)))
    column = higher if read_option(battle, "size_between") == "higher" else lower
    if lower != higher:
        text = f"size {format_decimal(size)} counts as {column}"
        builder.because(text, "QFC-RUL-11", of=battle.called(ship.id))
    fires = len(ship.live("fires"))
    beyond_eighth = max(0, ship.count("speed_hits") - BOXES)
    reason = f"without speed, fires {fires}, S beyond the eighth {beyond_eighth}"
    return SinkingRoll(column, deduction=fires + beyond_eighth, reason=reason, clause="QFC-SNK-2")


_EXPLOSION = TableLine(EXPLOSION, "QFC-BLA-2", EXPLOSION, "explosion {roll} on {ship}")
_BLAST = TableLine("blast", "QFC-BLA-3", "blast hit", "blast hit {roll} on {ship}")
_FIRE_CHECK = TableLine(
    "fire-check", "QFC-REP-1", "fire check", "fire check {roll} on {ship}", "burns on", table="repair"
)
CHECKS: Mapping[str, Check] = {
    "direction": Check((D6,), _build_direction_effect),
    EXPLOSION: _EXPLOSION.build_check(
        TWO_DICE, lambda builder, ship, codes: Damage(builder, ship, battery=None).apply_codes(codes)
    ),
    "blast": _BLAST.build_check(TWO_DICE, apply_codes),
    SPEED_HITS: Check((D6,), lambda battle, roll: build_speed_hits_effect(roll, "QFC-TOR-3", apply_codes)),
    "fire-check": Check(TWO_DICE, _build_fire_check_effect, _FIRE_CHECK.build_result_key),
    "sinking": build_sinking_check(TWO_DICE, _build_sinking_roll),
}


def owe_directions(builder: DecisionBuilder) -> None:
    """Owe a new die for each direction hit as ships begin to move, under the switch `direction_die`.

    Rule: QFC-RUL-9.
    """
    if read_option(builder.battle, "direction_die") != "each-turn":
        return
    for ship in list_ships_on_table(builder.battle):
        for mark in ship.live("course"):
            builder.owe("direction", ship.id, f"direction of {ship.name}", D6, facts={COURSE: mark.id})


def owe_sinking(builder: DecisionBuilder) -> bool:
    """Owe a sinking roll, once a turn, for each ship without a speed box; return whether any is owed now.

    By a switch a ship below size 1 sinks without a roll.

    Rule: QFC-SNK-1, QFC-RUL-10.
    """
    is_roll_owed = False
    for ship in list_sinkable(builder.battle, "speed_hits", BOXES):
        if builder.battle.list_turn_acts("sinking", ship.id):
            continue
        builder.remember("sinking", ship.id)
        if read_size(ship) < 1 and read_option(builder.battle, "below_size_1") == "no-roll":
            builder.because("below size 1 and without speed, sinks", "QFC-RUL-10", of=f"{ship.name},")
            sink_ship(builder, ship.id)
        else:
            builder.because("has no speed box left: it rolls for sinking", "QFC-SNK-1", subject=ship.name)
            builder.owe("sinking", ship.id, f"sinking of {ship.name}", *TWO_DICE, cause=builder.battle.opened)
            is_roll_owed = True
    return is_roll_owed


CHOICE = "choice"
"""The line of the question about what a repair fixes."""

KIND_BY_WORD: Mapping[str, str] = {
    "gunnery-heavy": "heavy",
    "gunnery-light": "light",
    "speed": "speed",
    "course": "course",
}
"""The kind of damage that each word of an answer means."""

_CODE_BY_WORD = {"gunnery-heavy": "G", "gunnery-light": "G", "speed": "S", "course": "D"}
REPAIRS = Repairs(
    GAME,
    dice=TWO_DICE,
    limit_clause="QFC-REP-2",
    roll_clause="QFC-REP-2",
    protected_clause="QFC-REP-2",
    course_clause="QFC-RUL-6",
    once_each=False,
    keeps_point=lambda battle: read_option(battle, "repair_point") == "success",
)
ODDS = (Measure("a G can be fixed", 0), Measure("an S can be fixed", 1), Measure("a D can be fixed", 2))
NEEDS = (Need("fixes G", 0, (0, 1)), Need("fixes S", 1, (0, 1)), Need("fixes D", 2, (0, 1)))


def list_fixable(ship: Ship) -> tuple[str, ...]:
    """Return the words for kinds of damage of a ship that a repair can fix."""
    return tuple(word for word, kind in KIND_BY_WORD.items() if is_repairable(ship, kind))


def list_fixable_by_cell(battle: Battle, cell: str, ship: Ship) -> tuple[str, ...]:
    """Return the words for damage of a ship that a cell of the repair line fixes.

    A cell that fixes G fixes D too; by a switch every cell that fixes anything does.

    Rule: QFC-RUL-6.
    """
    codes = split_fixes(cell)
    any_fix_counts = read_option(battle, "course_repaired_on") == "2-11"
    if "G" in codes or (codes and any_fix_counts):
        codes = (*codes, "D")
    return tuple(word for word in list_fixable(ship) if _CODE_BY_WORD[word] in codes)


def build_repair_throw(battle: Battle, id: str, order_entry: int | None) -> Throw:
    """Build the throw of a repair; if it can fix several kinds of damage, the umpire is asked which.

    The odds include the repair of a direction hit (D) only if the ship has one.

    Args:
        order_entry: Entry that ordered the repair, if its dice come later; None if they come with it.

    Rule: QFC-RUL-6.
    """
    odds_reader = build_plain_reader(battle)
    # The odds of a D are the last.
    has_direction_hit = bool(battle.ships[id].live("course"))
    figures_shown = len(ODDS) if has_direction_hit else len(ODDS) - 1

    def judge(faces: Faces) -> tuple[int, ...]:
        cell = odds_reader.find_cell("repair", "repair", str(sum(faces))).text
        codes = {_CODE_BY_WORD[word] for word in list_fixable_by_cell(battle, cell, battle.ships[id])}
        return int("G" in codes), int("S" in codes), int("D" in codes)

    def resolve(faces: Faces, builder: DecisionBuilder, reader: ChartReader) -> None:
        total, ship = sum(faces), builder.ship(id)
        cell = reader.find_cell("repair", "repair", str(total))
        words = list_fixable_by_cell(battle, cell.text, ship)
        text = " or ".join(words) or "nothing is fixed"
        builder.because(
            text, "QFC-REP-2", cell, f"repair {total}", of=f"{ship.name} repairs,", roll=str(total)
        )
        # By a switch, a failed repair keeps its point. Then `mend_point` takes the point, and not this throw.
        if not REPAIRS.keeps_point(battle):
            spend_repair_point(builder, id)
        if len(words) > 1:
            builder.owe(CHOICE, id, f"what does {ship.name} fix?", words=words, cause=order_entry)
        elif words:
            mend_point(builder, id, words[0])
        builder.result("mended", bool(words))

    return Throw(
        dice=TWO_DICE, resolve=resolve, judge=judge, odds=ODDS[:figures_shown], needs=NEEDS[:figures_shown]
    )


def mend_point(builder: DecisionBuilder, id: str, word: str) -> None:
    """Fix one point of damage if there is still one.

    By the switch `repair_point` only this takes a repair point; by default the roll has taken it.

    Args:
        word: A word of `KIND_BY_WORD`.

    Rule: QFC-RUL-8.
    """
    ship = builder.ship(id)
    if not is_repairable(ship, KIND_BY_WORD[word]):
        builder.because(f"has no {word} left to fix", "QFC-REP-2", subject=ship.name)
        return
    builder.because(f"fixes {word}", "QFC-REP-2", subject=ship.name)
    REPAIRS.restore(builder, id, KIND_BY_WORD[word])
    if REPAIRS.keeps_point(builder.battle):
        spend_repair_point(builder, id)


def list_words_left(battle: Battle, owed: Owed) -> tuple[str, ...]:
    """Return the words of a question about a repair whose damage can still be fixed."""
    return tuple(word for word in owed.words if is_repairable(battle.ships[owed.ship], KIND_BY_WORD[word]))


def give_point_back(builder: DecisionBuilder, owed: Owed) -> None:
    """Give the repair point back, because nothing is left to fix, unless the roll took none.

    Rule: QFC-RUL-6.
    """
    if not REPAIRS.keeps_point(builder.battle):
        builder.add(owed.ship, "repair_points", 1)
    builder.because("keeps the repair point", "QFC-RUL-6", subject=builder.ship(owed.ship).name)


def prepare_choice(battle: Battle, owed: Owed, words: tuple[str, ...]) -> PreparedOrder:
    """Prepare the answer to what a repair fixes: one of the words whose damage can still be fixed.

    If no damage is left, any word of the question is accepted.
    """
    ship = battle.ships[owed.ship]
    words_left = list_words_left(battle, owed) or owed.words
    if len(words) != 1 or words[0] not in words_left:
        return PreparedOrder(findings=(impossible(f"what does {ship.name} fix? {' or '.join(words_left)}"),))
    return PreparedOrder(decide=lambda faces, builder: mend_point(builder, ship.id, words[0]))


def prepare_repair(battle: Battle, order: Order) -> PreparedOrder:
    """Prepare `repair`: one roll, which takes a repair point, or by a switch only if something is fixed."""
    ship = battle.ships[order.text("ship")]
    throw = build_repair_throw(battle, ship.id, order_entry=None)
    return prepare_ship_order(
        GAME, battle, order, throw, list_repair_findings(battle, ship), f"repair on {ship.name}"
    )


def list_repair_findings(battle: Battle, ship: Ship) -> tuple[Finding, ...]:
    """Return the findings against a repair by a ship at this time."""
    findings: list[Finding] = []
    if battle.phase != REPAIR:
        findings.append(refused("repairs are made in the repair phase only", "QFC-PH-1"))
    findings.extend(refuse_out_of_play(GAME, ship))
    if not list_fixable(ship):
        findings.append(refused(f"{ship.name} has nothing to repair", "QFC-REP-2"))
    if count_attempts_left(battle, ship) == 0:
        findings.append(refused(f"{ship.name} has no repair point left", "QFC-REP-2"))
    if any(owed.line == "fire-check" and owed.ship == ship.id and not owed.late for owed in battle.owed):
        findings.append(refused(f"check the fires on {ship.name} first", "QFC-PH-3"))
    if any(act.kind == "sinking" and act.turn == battle.turn for act in battle.acts):
        findings.append(refused("sinking rolls have begun; repairs come before them", "QFC-PH-3"))
    return tuple(findings)
