"""Repairs: two dice, and where they leave one a choice (QFC-REP-2)."""

from collections.abc import Mapping

from attrs import evolve

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.errors import Finding, impossible, refused
from qf_tui.core.grammar.order import Order
from qf_tui.core.system import Faces, Measure, Need, PreparedOrder
from qf_tui.core.values import Battle, Owed, Ship
from qf_tui.rules.quickfire_clone.charts import fixes
from qf_tui.rules.quickfire_clone.damage import TWO_DICE
from qf_tui.rules.quickfire_clone.game import GAME
from qf_tui.rules.quickfire_clone.options import option
from qf_tui.rules.quickfire_family.chart import ChartReader, plain_reader
from qf_tui.rules.quickfire_family.repair import (
    REPAIR,
    Repairs,
    attempts_left,
    repairable,
    restore,
    spend,
)
from qf_tui.rules.quickfire_family.targeting import out_of_play
from qf_tui.rules.quickfire_family.throws import Roll, Throw, all_of, ready

CHOICE = "choice"
"""The line of the question what a repair fixes."""

WORDS: Mapping[str, str] = {
    "gunnery-heavy": "heavy",
    "gunnery-light": "light",
    "speed": "speed",
    "course": "course",
}
"""The words of an answer, and the kind of damage that each means."""

_CODES = {"gunnery-heavy": "G", "gunnery-light": "G", "speed": "S", "course": "D"}
REPAIRS = Repairs(
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
    """The words for what there is to fix."""
    return tuple(word for word, kind in WORDS.items() if repairable(ship, kind))


def may_fix(battle: Battle, cell: str, ship: Ship) -> tuple[str, ...]:
    """The words for what a cell of the repair line lets a ship fix; a D as a G, or an S too (QFC-RUL-6)."""
    codes = fixes(cell)
    if "G" in codes or (codes and option(battle, "course_repaired_on") == "2-11"):
        codes = (*codes, "D")
    return tuple(word for word in damaged(ship) if _CODES[word] in codes)


def throw_of(battle: Battle, id: str, declared: int | None) -> Throw:
    """The throw of a repair; `declared` is the entry that ordered it, where its dice come later.

    Its odds tell of a D only where there is one (QFC-RUL-6).
    """
    plain = plain_reader(battle)
    told = len(ODDS) if battle.ships[id].live("course") else len(ODDS) - 1

    def judge(faces: Faces) -> tuple[int, ...]:
        cell = plain.cell("repair", "repair", str(sum(faces))).text
        codes = {_CODES[word] for word in may_fix(battle, cell, battle.ships[id])}
        return int("G" in codes), int("S" in codes), int("D" in codes)

    def resolve(faces: Faces, builder: DecisionBuilder, reader: ChartReader) -> None:
        total, ship = sum(faces), builder.ship(id)
        cell = reader.cell("repair", "repair", str(total))
        words = may_fix(battle, cell.text, ship)
        said = " or ".join(words) or "nothing is fixed"
        builder.because(
            said, "QFC-REP-2", cell, f"repair {total}", of=f"{ship.name} repairs,", roll=str(total)
        )
        if not REPAIRS.keeps(battle):
            spend(builder, id)
        if len(words) > 1:
            builder.owe(CHOICE, id, f"what does {ship.name} fix?", words=words, cause=declared)
        elif words:
            fix(builder, id, words[0])
        builder.result("mended", bool(words))

    return Throw(TWO_DICE, resolve, all_of(TWO_DICE), judge, ODDS[:told], NEEDS[:told])


def fix(builder: DecisionBuilder, id: str, word: str) -> None:
    """Fixes one point; by the switch that is what uses the repair point up (QFC-RUL-8)."""
    ship = builder.ship(id)
    if not repairable(ship, WORDS[word]):
        builder.because(f"has nothing of {word} left to fix", "QFC-REP-2", subject=ship.name)
        return
    builder.because(f"fixes {word}", "QFC-REP-2", subject=ship.name)
    restore(REPAIRS, builder, id, WORDS[word])
    if REPAIRS.keeps(builder.battle):
        spend(builder, id)


def _left(battle: Battle, owed: Owed) -> tuple[str, ...]:
    """The words of a choice for what is damaged still."""
    return tuple(word for word in owed.words if repairable(battle.ships[owed.ship], WORDS[word]))


def may_choose(battle: Battle, owed: Owed) -> bool:
    """Whether a question is no choice of repairs, or one with something left to fix (QFC-RUL-6)."""
    return owed.line != CHOICE or bool(_left(battle, owed))


def lapse(builder: DecisionBuilder, owed: Owed) -> None:
    """A choice that nothing is left for gives its point back, if its roll spent it (QFC-RUL-6)."""
    if not REPAIRS.keeps(builder.battle):
        builder.add(owed.ship, "repair_points", 1)
    builder.because("keeps the repair point", "QFC-RUL-6", subject=builder.ship(owed.ship).name)


def prepare_choice(battle: Battle, owed: Owed, words: tuple[str, ...]) -> PreparedOrder:
    """The answer what a repair fixes: one of the words offered that is damaged still, if any of them is."""
    ship = battle.ships[owed.ship]
    left = _left(battle, owed) or owed.words
    if len(words) != 1 or words[0] not in left:
        return PreparedOrder(findings=(impossible(f"what does {ship.name} fix? {' or '.join(left)}"),))
    return PreparedOrder(decide=lambda faces, builder: fix(builder, ship.id, words[0]))


def prepare_repair(battle: Battle, order: Order) -> PreparedOrder:
    """`repair`: one repair point."""
    ship = battle.ships[order.text("ship")]
    return evolve(
        ready(GAME, battle, Roll("repair", ship.id, order.bare), throw_of(battle, ship.id, None)),
        findings=_hindrances(battle, ship),
        declare=lambda builder: builder.remember(REPAIR, ship.id),
        prompt=f"repair on {ship.name}",
    )


def _hindrances(battle: Battle, ship: Ship) -> tuple[Finding, ...]:
    found: list[Finding] = []
    if battle.phase != REPAIR:
        found.append(refused("repairs are made in the repair phase only", "QFC-PH-1"))
    found.extend(out_of_play(GAME, ship))
    if not damaged(ship):
        found.append(refused(f"{ship.name} has nothing to repair", "QFC-REP-2"))
    if attempts_left(battle, ship) == 0:
        found.append(refused(f"{ship.name} has no repair point left", "QFC-REP-2"))
    if any(owed.line == "fire-check" and owed.ship == ship.id and not owed.late for owed in battle.owed):
        found.append(refused(f"the fires on {ship.name} are checked first", "QFC-PH-3"))
    if any(act.kind == "sinking" and act.turn == battle.turn for act in battle.acts):
        found.append(refused("who sinks is being rolled for: repairs come before", "QFC-PH-3"))
    return tuple(found)


def may_repair(battle: Battle, ship: Ship) -> bool:
    """Whether a ship may still repair in this phase."""
    return not _hindrances(battle, ship)
