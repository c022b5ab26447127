"""The decision on an order: its effects on the battle, its reasons, and the builder that records both.

Each effect is applied to the battle as soon as it is written.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any, cast

from attrs import evolve, field, frozen

from qf_tui.core.facts import Fact, QuestionKey
from qf_tui.core.text import Scalar
from qf_tui.core.values import (
    Act,
    Acts,
    Battle,
    Chart,
    ChartCell,
    ChartRow,
    Die,
    Mark,
    Order,
    Owed,
    Ship,
    replace,
)

EDGE = "edge"
"""The field of a status effect that names the edge by which a ship withdrew."""


class Op(StrEnum):
    """The kinds of effect; each comment says what `field` and `value` of the effect hold."""

    ADD = "add"  # a counted field of the log, by a difference
    SET = "set"  # a field of the log, to a recorded fact
    CARD = "card"  # a field of the card, set by the umpire
    MARK = "mark"  # kind of mark, a Mark
    LIFT = "lift"  # kind of mark, its id
    STATUS = "status"  # "status", the new status; "edge", the edge by which the ship withdrew
    ACT = "act"  # kind of act, an Act
    OWE = "owe"  # chart line, an Owed
    SETTLE = "settle"  # chart line, the key of an owed roll
    PHASE = "phase"  # name of the phase, (turn, whether owed rolls were carried over)
    JOIN = "join"  # "", the Ship that joins
    OPTION = "option"  # name of the switch, its value
    TABLE = "table"  # condition of the table, its value
    CHART = "chart"  # "", the charts of the overlay
    DOUBT = "doubt"  # "", number of the entry
    CLEAR = "clear"  # "", number of the entry


Value = Scalar | Mark | Act | Owed | Ship | tuple[int, bool] | Mapping[str, Chart]


@frozen
class Effect:
    """A single change of the battle.

    Attributes:
        op: Kind of the change.
        ship: Id of the ship that changes, or "".
        field: Name of the changed field, mark, phase or switch; `Op` lists them by kind.
        value: New value, or the change of a count; `Op` lists them by kind.
        hand: True if the umpire wrote it by hand. It then also changes the battle at the start of the
            phase, so that it counts at once.
    """

    op: Op
    ship: str
    field: str
    value: Value
    hand: bool = False


def drop_prompts(effects: Iterable[Effect]) -> list[Effect]:
    """Copy effects without the prompts of their questions, so that a reworded prompt makes no difference."""
    return [
        evolve(effect, value=evolve(effect.value, prompt="")) if isinstance(effect.value, Owed) else effect
        for effect in effects
    ]


def fold(battle: Battle, effects: Sequence[Effect], entry: int) -> Battle:
    """Return the battle after all effects of an entry.

    An effect on a ship that is not in the battle is skipped, because a correction may have removed the ship.
    If the umpire changed a ship by hand, the ship is changed at the start of the phase too.

    Args:
        entry: Number of the entry.
    """
    # Changed parts are collected, so that the battle is copied as seldom as possible.
    parts: dict[str, Any] = {}
    for effect in effects:
        op = effect.op
        if op in _PARTS:
            part, with_effect = _PARTS[op]
            parts[part] = with_effect(parts[part] if part in parts else getattr(battle, part), effect)
        elif op in _STEPS:
            battle = _STEPS[op](replace(battle, **parts) if parts else battle, effect, entry)
            parts = {}
        else:
            if "ships" not in parts:
                parts["ships"] = dict(battle.ships)
            ships: dict[str, Ship] = parts["ships"]
            if effect.ship in ships:
                ships[effect.ship] = ON_LOGS[op](ships[effect.ship], effect)
            if effect.hand and battle.began is not None:
                parts["began"] = fold(parts.get("began", battle.began), (effect,), entry)
    return _keep_shared_names(battle, effects, replace(battle, **parts)) if parts else battle


def _keep_shared_names(battle: Battle, effects: Sequence[Effect], after: Battle) -> Battle:
    """Keep the cached `shared_names` of the battle, unless an effect on a card may have renamed a ship."""
    names = battle.__dict__.get("shared_names")
    if names is not None and Op.CARD not in [effect.op for effect in effects]:
        after.__dict__["shared_names"] = names
    return after


def with_overlay(charts: Mapping[str, Chart], overlay: Mapping[str, Chart]) -> dict[str, Chart]:
    """Add an overlay to charts: its cells replace theirs, and its new charts, rows and cells are added.

    A row without cells in the overlay removes that row.
    """
    merged_charts = dict(charts)
    for name, chart in overlay.items():
        base = merged_charts.get(name)
        if base is None:
            merged_charts[name] = chart
            continue
        rows = dict(base.rows)
        for row in chart.rows.values():
            if row.cells:
                base_cells = rows[row.name].cells if row.name in rows else {}
                rows[row.name] = ChartRow(row.name, {**base_cells, **row.cells})
            else:
                rows.pop(row.name, None)
        merged_charts[name] = replace(base, rows=rows)
    return merged_charts


def find_field_value(ship: Ship, field: str) -> Scalar | tuple[str, ...]:
    """Return the present value of a ship's field: her status, a value of her log or card, or her live marks.

    Marks without text are counted, 0 if there never was one; marks with text are listed.
    """
    if field == "status":
        return ship.status
    if field in ship.log:
        return ship.log[field]
    if field in ship.card:
        return ship.card[field]
    live = ship.live(field)
    # Lifted marks show that the kind has texts: if all are lifted, the value is () and not 0.
    if any(mark.text for mark in ship.marks if mark.kind == field):
        return tuple(mark.text for mark in live)
    return len(live)


def _set_card(ship: Ship, effect: Effect) -> Ship:
    """Set a value of the card; the value `name` also renames the ship."""
    card = {**ship.card, effect.field: cast(Scalar, effect.value)}
    return replace(ship, card=card, name=str(card.get("name", ship.name)))


def _put_mark(ship: Ship, effect: Effect) -> Ship:
    """Add a mark, or replace the mark with the same id."""
    new_mark = cast(Mark, effect.value)
    if new_mark.id not in [mark.id for mark in ship.marks]:
        return replace(ship, marks=(*ship.marks, new_mark))
    return replace(ship, marks=tuple(new_mark if mark.id == new_mark.id else mark for mark in ship.marks))


def _set_status(ship: Ship, effect: Effect) -> Ship:
    """Set the edge by which a ship withdrew, or set her status, which clears the edge."""
    if effect.field == EDGE:
        return replace(ship, edge=str(effect.value))
    return replace(ship, status=str(effect.value), edge="")


def _set_phase(battle: Battle, effect: Effect, entry: int) -> Battle:
    """Begin a phase, and remember the battle as it is now, without what is owed, as the start of that phase.

    What is still owed becomes late unless it was carried over. A new turn forgets all acts except those of
    the turn before it.
    """
    turn, carried = cast(tuple[int, bool], effect.value)
    owed = battle.owed if carried else tuple(replace(owed, late=True) for owed in battle.owed)
    acts = battle.acts
    if turn != battle.turn:
        acts = Acts([act for act in acts if act.turn >= turn - 1])
    opened = replace(battle, turn=turn, phase=effect.field, owed=owed, acts=acts, opened=entry, began=None)
    return replace(opened, began=replace(opened, owed=()))


def _join_ship(battle: Battle, effect: Effect, entry: int) -> Battle:
    """Add a ship to the battle and to its start of the phase, if it has one, and take it out of the reserve.

    If the battle has a ship with this id already, nothing changes.
    """
    ship = cast(Ship, effect.value)
    if ship.id in battle.ships:
        return battle
    reserve = {id: other for id, other in battle.reserve.items() if id != ship.id}
    joined = replace(battle.with_ship(ship), reserve=reserve)
    return joined if battle.began is None else replace(joined, began=battle.began.with_ship(ship))


ON_LOGS: Mapping[Op, Callable[[Ship, Effect], Ship]] = {
    Op.ADD: lambda ship, effect: replace(
        ship, log={**ship.log, effect.field: ship.count(effect.field) + cast(int, effect.value)}
    ),
    Op.SET: lambda ship, effect: replace(ship, log={**ship.log, effect.field: cast(Scalar, effect.value)}),
    Op.CARD: _set_card,
    Op.MARK: _put_mark,
    Op.LIFT: lambda ship, effect: replace(
        ship,
        marks=tuple(replace(mark, lifted=True) if mark.id == effect.value else mark for mark in ship.marks),
    ),
    Op.STATUS: _set_status,
}
"""The functions that apply effects to a ship's log, card, marks and status, by kind of effect."""
_STEPS: Mapping[Op, Callable[[Battle, Effect, int], Battle]] = {
    Op.PHASE: _set_phase,
    Op.JOIN: _join_ship,
    Op.CHART: lambda battle, effect, entry: replace(
        battle, charts=with_overlay(battle.charts, cast(Mapping[str, Chart], effect.value))
    ),
}
"""The functions that apply effects to the battle as a whole, by kind of effect."""
_PARTS: Mapping[Op, tuple[str, Callable[[Any, Effect], object]]] = {
    Op.ACT: ("acts", lambda acts, effect: Acts.join_act(acts, cast(Act, effect.value))),
    Op.OWE: ("owed", lambda owed, effect: (*owed, effect.value)),
    Op.SETTLE: ("owed", lambda owed, effect: tuple([each for each in owed if each.key != effect.value])),
    Op.OPTION: ("options", lambda options, effect: {**options, effect.field: effect.value}),
    Op.TABLE: ("table", lambda table, effect: {**table, effect.field: effect.value}),
    # Doubting an entry twice must not list it twice.
    Op.DOUBT: ("doubts", lambda doubts, effect: tuple(dict.fromkeys((*doubts, effect.value)))),
    Op.CLEAR: ("doubts", lambda doubts, effect: tuple(each for each in doubts if each != effect.value)),
}
"""The part of a battle that an effect changes, and the function that changes it, by kind of effect."""

Results = tuple[tuple[str, Scalar | tuple[str, ...]], ...]
"""Facts of an outcome, as pairs of name and value."""


class ReasonKind(StrEnum):
    """The role of a reason in its entry; the values are written to saves."""

    WHY = ""
    REMARK = "remark"  # a note that explains no effect
    QUESTION = "question"  # for the umpire, who may want to enter something


@frozen(eq=False)
class Reason:
    """A sentence that explains an entry.

    Reasons with the same text, clause and chart cell are equal: older saves do not split the text in parts.

    Attributes:
        result: What happened, as text.
        clause: Clause of the rules, or "".
        chart: Provenance of the chart cell that gave the result, or "".
        cell: Place of that cell on its chart, with its source, or "".
        of: Ship that rolls, or comparison that is made ("Borodino with 3 S:"), or "".
        roll: Dice as text ("4≤7"), or "".
        kind: Role of the reason. Only the kind `WHY` explains the effects of the entry.
        subject: Name that begins the sentence ("Borodino" is out of torpedoes), if `of` and `roll` are "".
    """

    result: str
    clause: str = ""
    chart: str = ""
    cell: str = ""
    of: str = ""
    roll: str = ""
    kind: ReasonKind = ReasonKind.WHY
    subject: str = ""

    @property
    def is_remark(self) -> bool:
        """True if it does not explain the effects of the entry: a remark or a question."""
        return self.kind is not ReasonKind.WHY

    @property
    def is_question(self) -> bool:
        """True if it asks the umpire something."""
        return self.kind is ReasonKind.QUESTION

    @property
    def text(self) -> str:
        """The whole sentence: `torpedo 4: a strike`, `Borodino with 3 S: 4≤7, sinks`."""
        if self.subject:
            return f"{self.subject} {self.result}"
        if not (self.of or self.roll):
            return self.result
        lead = f"{self.of} {self.roll}".strip()
        if not lead.endswith((",", ":")):
            lead += "," if self.of.endswith(":") else ":"
        return f"{lead} {self.result}"

    def __eq__(self, other: object) -> bool:
        """Compare the parts, or the whole sentences if the two are split into parts differently."""
        if not isinstance(other, Reason):
            return NotImplemented
        if (self.clause, self.chart, self.cell) != (other.clause, other.chart, other.cell):
            return False
        if (self.of, self.roll, self.subject) == (other.of, other.roll, other.subject):
            return self.result == other.result
        # An older save has the whole sentence as its result.
        return self.text == other.text

    def __hash__(self) -> int:
        return hash((self.text, self.clause, self.chart, self.cell))


@frozen
class Decision:
    """The result of an entry. Decisions that differ only in remarks are equal.

    Attributes:
        effects: Changes of the battle, in order.
        reasons: Sentences that explain them.
        outcome: Facts of the outcome, by name (`fired`, `hits`, ...).
    """

    effects: tuple[Effect, ...] = ()
    reasons: tuple[Reason, ...] = field(
        default=(), eq=lambda reasons: tuple(reason for reason in reasons if not reason.is_remark)
    )
    outcome: Results = ()

    @property
    def begun_phase(self) -> tuple[int, str] | None:
        """The turn and the phase that it begins (the last, if it begins several), or None."""
        for effect in reversed(self.effects):
            if effect.op is Op.PHASE and isinstance(effect.value, tuple):
                turn, *_ = effect.value
                return int(turn), effect.field
        return None


class DecisionBuilder:
    """A recorder for the effects and reasons of a decision.

    Attributes:
        battle: The battle with all effects written so far, so that a second hit sees the first.
        dealt_in: Turn and phase of the cause of damage, which may be older than the current ones.
        recorded: Decision that this `next` made when it was entered, or None if it is entered now.
    """

    def __init__(self, battle: Battle, entry: int) -> None:
        """Start without effects, on the battle before the entry."""
        self.battle = battle
        self.entry = entry
        self.dealt_in = battle.turn, battle.phase
        self.recorded: Decision | None = None
        self._effects: list[Effect] = []
        # Built only on request, because the reasons of most tried decisions are never read.
        self._reasons: list[Callable[[], Reason]] = []
        self._outcome: dict[str, Scalar | tuple[str, ...]] = {}
        self._asked: dict[tuple[int, str, str], int] = {}
        self._marked = 0

    def fork(self) -> "DecisionBuilder":
        """Return an independent copy of this builder; its `recorded` is None."""
        copy = DecisionBuilder(self.battle, self.entry)
        copy._effects = self._effects.copy()
        copy._reasons = self._reasons.copy()
        copy._outcome = self._outcome.copy()
        copy._asked = self._asked.copy()
        copy._marked = self._marked
        copy.dealt_in = self.dealt_in
        return copy

    def ship(self, id: str) -> Ship:
        """Return a ship in its current state, with all effects written so far."""
        return self.battle.ships[id]

    def write(self, op: Op, ship: str, field: str, value: Value, *, hand: bool = False) -> None:
        """Write an effect and apply it."""
        self.write_all([Effect(op, ship, field, value, hand)])

    def write_all(self, effects: Sequence[Effect]) -> None:
        """Write effects and apply them in one step, without the battles between them."""
        self._effects.extend(effects)
        self.battle = fold(self.battle, effects, self.entry)

    def add(self, ship: str, field: str, by: int, *, hand: bool = False) -> None:
        """Change a counted field of a log by a difference."""
        self.write(Op.ADD, ship, field, by, hand=hand)

    def record(self, ship: str, field: str, value: Scalar, *, hand: bool = False) -> None:
        """Set a field of a log to a fact: a measured value, or one that the umpire states."""
        self.write(Op.SET, ship, field, value, hand=hand)

    def mark(
        self, ship: str, kind: str, text: str = "", *, until: int | None = None, hand: bool = False
    ) -> Mark:
        """Put a mark on a ship and return it; its id contains the number of this entry.

        Args:
            until: Last turn of the mark, or None if it has no end.
        """
        self._marked += 1
        mark = Mark(f"{self.entry}.{self._marked}", kind, text, self.battle.turn, until)
        self.write(Op.MARK, ship, kind, mark, hand=hand)
        return mark

    def lift(self, ship: str, mark: Mark, *, hand: bool = False) -> None:
        """Lift a mark, so that it is drawn struck out."""
        self.write(Op.LIFT, ship, mark.kind, mark.id, hand=hand)

    def remember(self, kind: str, ship: str, /, **facts: Fact) -> None:
        """Remember an act of a ship for this turn and the next."""
        self.write(Op.ACT, ship, kind, Act(self.battle.turn, self.battle.phase, kind, ship, facts))

    def owe(  # noqa: PLR0913 - an owed question has this many parts; all but three are given by name
        self,
        line: str,
        ship: str,
        prompt: str,
        *dice: Die,
        words: tuple[str, ...] = (),
        order: Order | None = None,
        faces: tuple[int, ...] = (),
        facts: Mapping[str, Fact] | None = None,
        cell: tuple[str, ...] = (),
        cause: int | None = None,
        asked: int = 0,
    ) -> Owed:
        """Owe a roll, or a text answer if no dice are given, and return the owed question.

        Args:
            line: Line of the chart, or another name for this kind of question.
            ship: Id of the ship that is asked, or "".
            prompt: Question for people.
            dice: Dice to throw.
            words: Words that may answer it; () for any words.
            order: Declared order that the dice belong to.
            faces: Faces already thrown.
            facts: Facts that the rules need when the answer comes.
            cell: Chart cell that the umpire is asked to read out.
            cause: Number of the entry that asks; None for this entry.
            asked: Number of questions with this cause, line and ship that were asked before.
        """
        entry = self.entry if cause is None else cause
        place = (entry, line, ship)
        key = ""
        self._asked[place] = max(asked, self._asked.get(place, 0))
        # Skip keys that are in the queue already: another entry may have asked for the same cause.
        while not key or self.battle.find_question(key) is not None:
            self._asked[place] += 1
            key = str(QuestionKey(entry, line, ship, self._asked[place]))
        owed = Owed(key, line, ship, prompt, dice, words, order, faces, facts or {}, cell)
        self.write(Op.OWE, ship, line, owed)
        return owed

    def settle(self, owed: Owed) -> None:
        """Remove a question from the queue of owed rolls and answers."""
        self.write(Op.SETTLE, owed.ship, owed.line, owed.key)

    def because(
        self,
        result: str,
        clause: str = "",
        cell: ChartCell | None = None,
        place: str = "",
        *,
        of: str = "",
        roll: str = "",
        subject: str = "",
    ) -> None:
        """Add a reason.

        Args:
            result: What happened, as text.
            clause: Clause of the rules.
            cell: Chart cell that gave the result; its provenance and source are recorded.
            place: Name of that cell on its chart.
            of: Ship that rolls, or comparison that is made.
            roll: Dice as text.
            subject: Name that begins the sentence, if `of` and `roll` are not given.
        """

        def build_reason() -> Reason:
            status = cell.status.value if cell else ""
            source = f"{place} ({cell.source})" if cell and cell.source else place
            return Reason(result, clause, status, source, of, roll, subject=subject)

        self._reasons.append(build_reason)

    def announce(self, subject: str, result: str, clause: str) -> None:
        """Add a reason before all others."""
        self._reasons.insert(0, lambda: Reason(result, clause, subject=subject))

    def remark(self, text: str, clause: str = "") -> None:
        """Add a remark."""
        self._reasons.append(lambda: Reason(text, clause, kind=ReasonKind.REMARK))

    def ask(self, text: str, clause: str = "") -> None:
        """Add a question to the umpire, who may want to enter something.

        A question that the log needs an answer to must be owed instead (`owe`).
        """
        self._reasons.append(lambda: Reason(text, clause, kind=ReasonKind.QUESTION))

    def result(self, name: str, value: Scalar | tuple[str, ...]) -> None:
        """Record a fact of the outcome."""
        self._outcome[name] = value

    @property
    def effects(self) -> Sequence[Effect]:
        """The effects written so far."""
        return self._effects

    @property
    def outcome(self) -> Mapping[str, Scalar | tuple[str, ...]]:
        """The facts of the outcome stated so far."""
        return self._outcome

    def build_decision(self) -> Decision:
        """Build the decision from everything written so far."""
        reasons = tuple([reason() for reason in self._reasons])
        return Decision(tuple(self._effects), reasons, tuple(self._outcome.items()))
