"""What a decision changes and how it is recorded: effects, each applied at once, and reasons in words."""

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
"""The field of an effect on a ship's status that says by which edge it withdrew."""


class Op(StrEnum):
    """The kinds of effect; the comment says what `field` and `value` hold."""

    ADD = "add"  # a counted field of the log, by a difference
    SET = "set"  # a field of the log, to a recorded fact
    CARD = "card"  # a field of the card, by the umpire's word
    MARK = "mark"  # kind of mark, a Mark
    LIFT = "lift"  # kind of mark, its id
    STATUS = "status"  # "status", what becomes of the ship; "edge", by which edge it withdrew
    ACT = "act"  # kind of act, an Act
    OWE = "owe"  # chart line, an Owed
    SETTLE = "settle"  # chart line, the key of an owed roll
    PHASE = "phase"  # name of the phase, (turn, carried over by the umpire's word)
    JOIN = "join"  # "", the Ship as it joins
    OPTION = "option"  # name of the switch, its value
    TABLE = "table"  # condition of the table, its value
    CHART = "chart"  # "", the charts of the overlay
    DOUBT = "doubt"  # "", number of the entry
    CLEAR = "clear"  # "", number of the entry


Value = Scalar | Mark | Act | Owed | Ship | tuple[int, bool] | Mapping[str, Chart]


@frozen
class Effect:
    """One change. `hand`: the umpire's own writing, which counts at once, also as the phase began."""

    op: Op
    ship: str
    field: str
    value: Value
    hand: bool = False


def drop_prompts(effects: Iterable[Effect]) -> list[Effect]:
    """Copy effects without the texts in which people are asked."""
    return [
        evolve(effect, value=evolve(effect.value, prompt="")) if isinstance(effect.value, Owed) else effect
        for effect in effects
    ]


def fold(battle: Battle, effects: Sequence[Effect], entry: int) -> Battle:
    """The battle after all effects of an entry, made once for a run of them.

    A ship that is not there is skipped: a correction may have taken it out of the battle.
    """
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
    return _named_as(battle, effects, replace(battle, **parts)) if parts else battle


def _named_as(battle: Battle, effects: Sequence[Effect], after: Battle) -> Battle:
    """The battle after effects; which names ships share is not found again if none was given another."""
    names = battle.__dict__.get("shared_names")
    if names is not None and Op.CARD not in [effect.op for effect in effects]:
        after.__dict__["shared_names"] = names
    return after


def with_overlay(charts: Mapping[str, Chart], overlay: Mapping[str, Chart]) -> dict[str, Chart]:
    """Charts with the cells of an overlay in place; an overlay's row without cells drops that row."""
    merged = dict(charts)
    for name, chart in overlay.items():
        below = merged.get(name)
        if below is None:
            merged[name] = chart
            continue
        rows = dict(below.rows)
        for row in chart.rows.values():
            if row.cells:
                under = rows[row.name].cells if row.name in rows else {}
                rows[row.name] = ChartRow(row.name, {**under, **row.cells})
            else:
                rows.pop(row.name, None)
        merged[name] = replace(below, rows=rows)
    return merged


def field_value(ship: Ship, field: str) -> Scalar | tuple[str, ...]:
    """What a field of a ship says now: a status, a count, a fact, or the live marks of that kind.

    Marks without text are counted; marks with text are listed.
    """
    if field == "status":
        return ship.status
    if field in ship.log:
        return ship.log[field]
    if field in ship.card:
        return ship.card[field]
    live = ship.live(field)
    if any(mark.text for mark in ship.marks if mark.kind == field):
        return tuple(mark.text for mark in live)
    return len(live)


def _card(ship: Ship, effect: Effect) -> Ship:
    card = {**ship.card, effect.field: cast(Scalar, effect.value)}
    return replace(ship, card=card, name=str(card.get("name", ship.name)))


def _mark(ship: Ship, effect: Effect) -> Ship:
    new = cast(Mark, effect.value)
    if new.id not in [mark.id for mark in ship.marks]:
        return replace(ship, marks=(*ship.marks, new))
    return replace(ship, marks=tuple(new if mark.id == new.id else mark for mark in ship.marks))


def _status(ship: Ship, effect: Effect) -> Ship:
    if effect.field == EDGE:
        return replace(ship, edge=str(effect.value))
    return replace(ship, status=str(effect.value), edge="")


def _phase(battle: Battle, effect: Effect, entry: int) -> Battle:
    turn, carried = cast(tuple[int, bool], effect.value)
    owed = battle.owed if carried else tuple(replace(owed, late=True) for owed in battle.owed)
    acts = battle.acts
    if turn != battle.turn:
        acts = Acts([act for act in acts if act.turn >= turn - 1])
    opened = replace(battle, turn=turn, phase=effect.field, owed=owed, acts=acts, opened=entry, began=None)
    return replace(opened, began=replace(opened, owed=(), acts=acts))


def _join(battle: Battle, effect: Effect, entry: int) -> Battle:
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
    Op.CARD: _card,
    Op.MARK: _mark,
    Op.LIFT: lambda ship, effect: replace(
        ship,
        marks=tuple(replace(mark, lifted=True) if mark.id == effect.value else mark for mark in ship.marks),
    ),
    Op.STATUS: _status,
}
"""The kinds of effect that change a ship's log or card, and how."""
_STEPS: Mapping[Op, Callable[[Battle, Effect, int], Battle]] = {
    Op.PHASE: _phase,
    Op.JOIN: _join,
    Op.CHART: lambda battle, effect, entry: replace(
        battle, charts=with_overlay(battle.charts, cast(Mapping[str, Chart], effect.value))
    ),
}
_PARTS: Mapping[Op, tuple[str, Callable[[Any, Effect], object]]] = {
    Op.ACT: ("acts", lambda acts, effect: Acts.joined(acts, cast(Act, effect.value))),
    Op.OWE: ("owed", lambda owed, effect: (*owed, effect.value)),
    Op.SETTLE: ("owed", lambda owed, effect: tuple([each for each in owed if each.key != effect.value])),
    Op.OPTION: ("options", lambda options, effect: {**options, effect.field: effect.value}),
    Op.TABLE: ("table", lambda table, effect: {**table, effect.field: effect.value}),
    # A doubt of what is in doubt already changes nothing.
    Op.DOUBT: ("doubts", lambda doubts, effect: tuple(dict.fromkeys((*doubts, effect.value)))),
    Op.CLEAR: ("doubts", lambda doubts, effect: tuple(each for each in doubts if each != effect.value)),
}
"""The part of a battle that an effect changes, and how."""

Results = tuple[tuple[str, Scalar | tuple[str, ...]], ...]


class ReasonKind(StrEnum):
    """What a reason is to its entry; the values are those of a save."""

    WHY = ""
    REMARK = "remark"  # beside what the entry does
    QUESTION = "question"  # to the umpire, who may have something to enter


@frozen(eq=False)
class Reason:
    """One sentence of why: its `result`, its clause, the provenance and place of the chart cell behind it.

    `of` says whose roll or which comparison it is about ("Borodino with 3 S:"), `roll` its dice ("4≤7");
    without both, `subject` is the name that its sentence begins with ("Borodino" is out of torpedoes).
    Reasons are equal if they say the same: older saves have whole sentences.
    Only those of the kind `WHY` say why an entry does what it does.
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
    def remark(self) -> bool:
        """Whether it stands beside what the entry does, and is no part of why."""
        return self.kind is not ReasonKind.WHY

    @property
    def asks(self) -> bool:
        """Whether it asks the umpire something."""
        return self.kind is ReasonKind.QUESTION

    @property
    def text(self) -> str:
        """The whole sentence: `torpedo 4: a strike`, `Borodino with 3 S: 4≤7, sinks`."""
        if self.subject:
            return f"{self.subject} {self.result}"
        if not (self.of or self.roll):
            return self.result
        before = f"{self.of} {self.roll}".strip()
        mark = "" if before.endswith((",", ":")) else "," if self.of.endswith(":") else ":"
        return f"{before}{mark} {self.result}"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Reason):
            return NotImplemented
        if (self.clause, self.chart, self.cell) != (other.clause, other.chart, other.cell):
            return False
        if (self.of, self.roll, self.subject) == (other.of, other.roll, other.subject):
            return self.result == other.result
        return self.text == other.text

    def __hash__(self) -> int:
        return hash((self.text, self.clause, self.chart, self.cell))


@frozen
class Decision:
    """What an entry did: its effects, why, and the facts of its outcome (`fired`, `hits`, ...).

    Decisions that differ in remarks alone are equal.
    """

    effects: tuple[Effect, ...] = ()
    reasons: tuple[Reason, ...] = field(
        default=(), eq=lambda reasons: tuple(reason for reason in reasons if not reason.remark)
    )
    outcome: Results = ()

    @property
    def begins(self) -> tuple[int, str] | None:
        """The turn and the phase that it begins, of several the last; None where it begins none."""
        for effect in reversed(self.effects):
            if effect.op is Op.PHASE and isinstance(effect.value, tuple):
                return int(effect.value[0]), effect.field
        return None


class DecisionBuilder:
    """A decision while it is worked out.

    `battle` always includes the effects written so far, so that a second hit sees the first.

    Attributes:
        dealt_in: Turn and phase that damage belongs to: older than the present ones if its cause is.
        recorded: What the entry, the end of a phase, did when it was entered; None if it is entered now.

    """

    def __init__(self, battle: Battle, entry: int) -> None:
        self.battle = battle
        self.entry = entry
        self.dealt_in = battle.turn, battle.phase
        self.recorded: Decision | None = None
        self._effects: list[Effect] = []
        # Made when they are asked for: of a thousand decisions that could be nobody reads why.
        self._reasons: list[Callable[[], Reason]] = []
        self._outcome: dict[str, Scalar | tuple[str, ...]] = {}
        self._asked: dict[tuple[int, str, str], int] = {}
        self._marked = 0

    def fork(self) -> "DecisionBuilder":
        """Another builder that goes on from what is written here."""
        other = DecisionBuilder(self.battle, self.entry)
        other._effects, other._reasons = self._effects.copy(), self._reasons.copy()
        other._outcome, other._asked = self._outcome.copy(), self._asked.copy()
        other._marked, other.dealt_in = self._marked, self.dealt_in
        return other

    def ship(self, id: str) -> Ship:
        """A ship as it is now, slashes and all."""
        return self.battle.ships[id]

    def write(self, op: Op, ship: str, field: str, value: Value, *, hand: bool = False) -> None:
        """Writes one effect and applies it."""
        self.write_all([Effect(op, ship, field, value, hand)])

    def write_all(self, effects: Sequence[Effect]) -> None:
        """Writes effects, and applies them in one go: nobody asks what is between them."""
        self._effects.extend(effects)
        self.battle = fold(self.battle, effects, self.entry)

    def add(self, ship: str, field: str, by: int, *, hand: bool = False) -> None:
        """Changes a counted field by a difference."""
        self.write(Op.ADD, ship, field, by, hand=hand)

    def record(self, ship: str, field: str, value: Scalar, *, hand: bool = False) -> None:
        """Sets a field to a fact: what was measured, or what the umpire says."""
        self.write(Op.SET, ship, field, value, hand=hand)

    def mark(
        self, ship: str, kind: str, text: str = "", *, until: int | None = None, hand: bool = False
    ) -> Mark:
        """Puts a mark beside a ship; its id names the entry that made it."""
        self._marked += 1
        mark = Mark(f"{self.entry}.{self._marked}", kind, text, self.battle.turn, until)
        self.write(Op.MARK, ship, kind, mark, hand=hand)
        return mark

    def lift(self, ship: str, mark: Mark, *, hand: bool = False) -> None:
        """Scribbles a mark out."""
        self.write(Op.LIFT, ship, mark.kind, mark.id, hand=hand)

    def remember(self, kind: str, ship: str, /, **facts: Fact) -> None:
        """Remembers an act for this turn and the next."""
        self.write(Op.ACT, ship, kind, Act(self.battle.turn, self.battle.phase, kind, ship, facts))

    def owe(  # noqa: PLR0913 - an owed line has as many parts, and all but three are given by name
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
        """Owe a roll, or an answer in words if no dice are named.

        `cause` is this entry unless given; `asked` is how many such questions it asked before.
        """
        entry = self.entry if cause is None else cause
        place, key = (entry, line, ship), ""
        self._asked[place] = max(asked, self._asked.get(place, 0))
        # The next key of this cause that nothing in the queue has, whoever asked it.
        while not key or self.battle.question(key) is not None:
            self._asked[place] += 1
            key = str(QuestionKey(entry, line, ship, self._asked[place]))
        owed = Owed(key, line, ship, prompt, dice, words, order, faces, facts or {}, cell)
        self.write(Op.OWE, ship, line, owed)
        return owed

    def settle(self, owed: Owed) -> None:
        """Takes an owed roll off the queue."""
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
        """Adds a reason; a chart cell gives its provenance and source, `place` its name on the chart.

        `of` and `roll` say what the result is of, as `Reason` has them; instead of them, `subject` is the
        name that the sentence begins with.
        """

        def reason() -> Reason:
            status = cell.status.value if cell else ""
            source = f"{place} ({cell.source})" if cell and cell.source else place
            return Reason(result, clause, status, source, of, roll, subject=subject)

        self._reasons.append(reason)

    def announce(self, subject: str, result: str, clause: str) -> None:
        """Add a reason ahead of all others."""
        self._reasons.insert(0, lambda: Reason(result, clause, subject=subject))

    def remark(self, text: str, clause: str = "") -> None:
        """Adds a remark."""
        self._reasons.append(lambda: Reason(text, clause, kind=ReasonKind.REMARK))

    def ask(self, text: str, clause: str = "") -> None:
        """Add a question to the umpire, who may have something to enter.

        What the log needs an answer to is owed instead.
        """
        self._reasons.append(lambda: Reason(text, clause, kind=ReasonKind.QUESTION))

    def result(self, name: str, value: Scalar | tuple[str, ...]) -> None:
        """States a fact of the outcome."""
        self._outcome[name] = value

    @property
    def effects(self) -> Sequence[Effect]:
        """The effects that were written so far."""
        return self._effects

    @property
    def outcome(self) -> Mapping[str, Scalar | tuple[str, ...]]:
        """The facts of the outcome that were stated so far."""
        return self._outcome

    def decision(self) -> Decision:
        """All that was written."""
        reasons = tuple([reason() for reason in self._reasons])
        return Decision(tuple(self._effects), reasons, tuple(self._outcome.items()))
