"""Joins dice to charts: a throw whose dice are read on the charts becomes an order that can be decided.

Also here: the question for a cell that the umpire must read in strict mode, and the facts by which an attack
is judged if its dice come in a later phase.
"""

from collections.abc import Callable, Iterable, Mapping

from attrs import field, frozen

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.declarations import PreparedOrder
from qf_tui.core.errors import Finding, impossible
from qf_tui.core.facts import Fact, FactField, FactFields, FactSchema, HasFacts
from qf_tui.core.values import Battle, Faces, Order, Owed, replace
from qf_tui.rules.quickfire_family.chart import CHECK_WORDS, CellPlace, ChartReader, Unread, build_reader
from qf_tui.rules.quickfire_family.game import Game
from qf_tui.rules.quickfire_family.ledger import DEALT, DEALT_FACTS, ORDERED_PHASE, find_phase_of_cause
from qf_tui.rules.quickfire_family.ship import NOTHING_MOVED, find_ship_at_start

CHART = "chart"
"""The line of the question about the umpire's printed chart."""
CHECKED_FIRE = "fire"
"""The fact that names the fire of a check: the id of its mark, or `ALL_FIRES`."""
ALL_FIRES = "all"
"""The value of `CHECKED_FIRE` if one check is for all fires of a ship."""
INTERRUPTED = "line"
"""The fact that names the line of the roll that a question about the chart interrupts."""
READ_PREFIX, READ_PARTS = "read.", ("table", "row", "column", "text")
"""The facts of the cells that were read out for the interrupted roll, each part a list, oldest first."""
DECLARED_TURN, DECLARED_PHASE, FIRER_PREFIX, TARGET_PREFIX = (
    "declared.turn",
    "declared.phase",
    "firer.",
    "target.",
)
"""The facts that a carried attack is judged by: turn, phase, the firer's log, and the target's movement."""

CARRIED = (
    FactField(DECLARED_TURN, "int", group="carried"),
    FactField(DECLARED_PHASE, group="carried"),
    FactField(f"{FIRER_PREFIX}*", "scalar", group="carried"),
    *(FactField(TARGET_PREFIX + name, "scalar", group="carried") for name in NOTHING_MOVED),
)
TARGETED = (FactField("target"),)
FIRED = (FactField("battery"), *TARGETED)
FIRED_IN_RANGE = (*FIRED, FactField("range"))
REPAIRED = (FactField("kind"),)

_ATTACK_FACTS: FactFields = {"fire": CARRIED, "torpedo": CARRIED, "fire-check": (FactField(CHECKED_FIRE),)}
CHART_FACTS: FactFields = {
    CHART: (
        FactField(INTERRUPTED),
        *(FactField(READ_PREFIX + part, "texts", group="read") for part in READ_PARTS),
        FactField(CHECKED_FIRE, optional=True),
        *CARRIED,
    )
}


def build_schema(acts: FactFields, questions: FactFields) -> FactSchema:
    """Return the facts that acts and questions of a game may have: those of every game, and its additions."""
    acts = {**acts, DEALT: DEALT_FACTS, ORDERED_PHASE: ()}
    return FactSchema(acts, {**_ATTACK_FACTS, **questions}, figures=tuple(NOTHING_MOVED))


@frozen(kw_only=True, slots=False)
class Throw(PreparedOrder):
    """The dice of one roll, and their effect.

    Attributes:
        resolve: Writes the results. It must read every cell before it writes anything: if strict mode
            stops it at a cell, the roll then has no effects yet.
    """

    resolve: Callable[[Faces, DecisionBuilder, ChartReader], None] = lambda faces, builder, reader: None


@frozen
class Roll(HasFacts):
    """The purpose of a throw: an owed line, or an order entered with its dice.

    Attributes:
        line: Line that is owed, or the word of the order.
        order: The order; None for a roll that no order declared.
        answers: Texts of the cells that the umpire read out.
        dice: Number of dice that the owed line needs in all.
        entry: Entry that caused the roll; None for the order itself.
    """

    line: str
    ship: str
    order: Order | None = None
    facts: Mapping[str, Fact] = field(factory=dict)
    answers: dict[CellPlace, str] = field(factory=dict)
    dice: int = 0
    entry: int | None = None


def build_roll(owed: Owed) -> Roll:
    """Build the roll of an owed line."""
    dice = len(owed.faces) + len(owed.dice)
    return Roll(owed.line, owed.ship, owed.order, owed.facts, dice=dice, entry=owed.entry)


def complete_throw(game: Game, battle: Battle, roll: Roll, throw: Throw) -> PreparedOrder:
    """Complete a throw with its decision, which reads the charts.

    In strict mode the decision may ask the umpire for a cell. The dice then count once he has answered.
    """

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        """Resolve the dice, or ask for a cell. Damage counts in the phase of its cause or declaration."""
        builder.dealt_in = find_phase_of_cause(battle, roll.ship, roll.entry)
        if DECLARED_TURN in roll.facts:
            builder.dealt_in = roll.read_number(DECLARED_TURN), roll.read_text(DECLARED_PHASE)
        try:
            throw.resolve(faces, builder, build_reader(battle, roll.answers))
        except Unread as unread:
            _ask_cell(game, builder, roll, faces, unread.place)

    # In strict mode faces with the same effects may still ask for different cells.
    build_result_key = None if battle.table.get("strict") is True else throw.alike
    return replace(throw, alike=build_result_key, decide=decide, owes=roll.line, ship=roll.ship)


def prepare_ship_order(
    game: Game,
    battle: Battle,
    order: Order,
    throw: Throw,
    findings: Iterable[Finding],
    prompt: str,
    **facts: Fact,
) -> PreparedOrder:
    """Prepare a ship's order with its throw. When it is declared, an act with these facts is remembered.

    Args:
        prompt: Text of the roll if its dice come later.
    """
    # The first slot of every such order names the ship.
    ship = order.text(order.form.slots[0].name)
    return replace(
        complete_throw(game, battle, Roll(order.word, ship, order.without_dice), throw),
        findings=tuple(findings),
        declare=lambda builder: builder.remember(order.word, ship, **facts),
        prompt=prompt,
    )


def _ask_cell(game: Game, builder: DecisionBuilder, roll: Roll, faces: Faces, place: CellPlace) -> None:
    """Ask the umpire for a cell. The question keeps the interrupted roll, its facts, and the cells read."""
    builder.owe(
        CHART,
        roll.ship,
        f"what does your chart say at {place}?",
        order=roll.order,
        faces=faces,
        facts={**roll.facts, INTERRUPTED: roll.line, **_encode_answers(roll.answers)},
        cell=(place.table, place.row, place.column),
    )
    builder.because(f"{place} is not attested: read it from the printed chart", game.clauses.strict)


def _encode_answers(answers: Mapping[CellPlace, str]) -> dict[str, Fact]:
    """Return the cells that the umpire read out as facts: a list each of tables, rows, columns and texts."""
    if not answers:
        return {}
    cells = [(place.table, place.row, place.column, text) for place, text in answers.items()]
    return {
        READ_PREFIX + part: tuple(values)
        for part, values in zip(READ_PARTS, zip(*cells, strict=True), strict=True)
    }


def _decode_answers(owed: Owed) -> dict[CellPlace, str]:
    """Return the cells that the umpire read out before a question; the reverse of `_encode_answers`."""
    tables, rows, columns, texts = (owed.read_texts(READ_PREFIX + part) for part in READ_PARTS)
    cells = zip(tables, rows, columns, texts, strict=True)
    return {CellPlace(table, row, column): text for table, row, column, text in cells}


def prepare_chart_answer(
    game: Game, battle: Battle, owed: Owed, words: tuple[str, ...], build_throw: Callable[[Roll], Throw]
) -> PreparedOrder:
    """Prepare the umpire's answer about a cell: with it the dice of the interrupted roll are resolved.

    Args:
        words: Text of the cell as the umpire typed it.
        build_throw: Builds the throw of the interrupted roll.
    """
    place = CellPlace(*owed.cell)
    # The charts have the words of checks in small letters, damage codes in capitals.
    lower_words = [word.lower() for word in words]
    codes = [word if word in CHECK_WORDS else word.upper() for word in lower_words]
    text = "-" if lower_words in (["none"], ["-"]) else " ".join(codes)
    fault = game.shapes[place.table].fault(text)
    # The facts of the interrupted roll, without those that the question added.
    roll_facts = {
        name: fact
        for name, fact in owed.facts.items()
        if name != INTERRUPTED and not name.startswith(READ_PREFIX)
    }
    answers = {**_decode_answers(owed), place: text}
    roll = Roll(owed.read_text(INTERRUPTED), owed.ship, owed.order, roll_facts, answers, len(owed.faces))
    interrupted = complete_throw(game, battle, roll, build_throw(roll))

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        builder.because(f"the printed chart says {text} at {place}", game.clauses.strict)
        interrupted.decide(owed.faces, builder)

    return replace(
        interrupted,
        findings=(impossible(f"{place}: {fault}"),) if fault else (),
        # The dice were thrown before the question, so none are missing and no odds are shown.
        missing=lambda faces: (),
        decide=decide,
        odds=(),
        needs=(),
        parts=(),
    )


ATTACKS = ("fire", "torpedo")
"""The words of orders that are judged by the state of their phase: the firer as it began, and the
target's movement.
"""


def is_waiting_attack(owed: Owed) -> bool:
    """Return whether an owed line is an attack of this phase that still waits for dice or for a cell."""
    is_attack = owed.order is not None and owed.order.word in ATTACKS
    # An attack that was carried over from an earlier phase has this fact.
    return is_attack and not owed.late and DECLARED_TURN not in owed.facts


def add_declaration(battle: Battle, owed: Owed) -> Owed:
    """Return the owed line of an attack, with the facts by which dice of a later phase are judged."""
    target = battle.ships[owed.declared_order.text("target")]
    # NOTHING_MOVED names the fields of a log that record a move.
    facts: dict[str, Fact] = {**owed.facts, DECLARED_TURN: battle.turn, DECLARED_PHASE: battle.phase}
    facts.update(
        (FIRER_PREFIX + name, value) for name, value in find_ship_at_start(battle, owed.ship).log.items()
    )
    facts.update((TARGET_PREFIX + name, target.log.get(name)) for name in NOTHING_MOVED)
    return replace(owed, facts=facts)


def restore_declared_battle(battle: Battle, roll: HasFacts, order: Order) -> Battle:
    """Return the battle by which a roll is judged.

    An attack carried over from an earlier phase is judged by the turn and phase in which it was declared, and
    by the firer and the target's movement at that time. Any other roll is judged by the battle as it is.
    """
    firer, target = order.slots.get("ship"), order.slots.get("target")
    if DECLARED_TURN not in roll.facts or firer not in battle.ships or target not in battle.ships:
        return battle
    declared_firer = replace(find_ship_at_start(battle, str(firer)), log=roll.list_scalars(FIRER_PREFIX))
    target_ship = battle.ships[str(target)]
    declared_battle = battle.with_ship(
        replace(target_ship, log={**target_ship.log, **roll.list_scalars(TARGET_PREFIX)})
    )
    # Rules read the firer in the state in which the phase began, and the target in her present state.
    start_battle = battle.start.with_ship(declared_firer)
    return replace(
        declared_battle,
        turn=roll.read_number(DECLARED_TURN),
        phase=roll.read_text(DECLARED_PHASE),
        began=start_battle,
    )
