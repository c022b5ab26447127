"""How a decision is written down: effects in order, each applied at once, with the reasons in words."""

from collections.abc import Mapping, Sequence

from attrs import field, frozen

from qf_tui.core.charts import ChartCell
from qf_tui.core.effects import Effect, Op, Value, evolve
from qf_tui.core.facts import Fact
from qf_tui.core.grammar.order import Order
from qf_tui.core.measure import Scalar
from qf_tui.core.question_key import QuestionKey
from qf_tui.core.values import Act, Battle, Die, Mark, Owed, Ship

Results = tuple[tuple[str, Scalar | tuple[str, ...]], ...]


@frozen(eq=False)
class Reason:
    """One sentence of why: its `result`, its clause, the provenance and place of the chart cell behind it.

    `of` says whose roll or which comparison it is about ("Borodino with 3 S:"), `roll` its dice ("4≤7");
    without both, `subject` is the name that its sentence begins with ("Borodino" is out of torpedoes).
    Reasons are equal if they say the same: older saves have whole sentences.
    A `remark` is said beside what an entry does, and is no part of why.
    """

    result: str
    clause: str = ""
    chart: str = ""
    cell: str = ""
    of: str = ""
    roll: str = ""
    remark: bool = False
    subject: str = ""

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


def _without_remarks(reasons: tuple[Reason, ...]) -> tuple[Reason, ...]:
    return tuple(reason for reason in reasons if not reason.remark)


@frozen
class Decision:
    """What an entry did: its effects, why, and the facts of its outcome (`fired`, `hits`, ...).

    Decisions that differ in remarks alone are equal.
    """

    effects: tuple[Effect, ...] = ()
    reasons: tuple[Reason, ...] = field(default=(), eq=_without_remarks)
    outcome: Results = ()


class DecisionBuilder:
    """A decision while it is worked out.

    `battle` always includes the effects written so far, so that a second hit sees the first.
    """

    def __init__(self, battle: Battle, entry: int) -> None:
        self.battle = battle
        self.entry = entry
        self._effects: list[Effect] = []
        self._reasons: list[Reason] = []
        self._outcome: dict[str, Scalar | tuple[str, ...]] = {}
        self._asked: dict[tuple[int, str, str], int] = {}
        self._marked = 0

    def fork(self) -> "DecisionBuilder":
        """Another builder that goes on from what is written here."""
        other = DecisionBuilder(self.battle, self.entry)
        other._effects = self._effects.copy()
        other._reasons = self._reasons.copy()
        other._outcome = self._outcome.copy()
        other._asked = self._asked.copy()
        other._marked = self._marked
        return other

    def ship(self, id: str) -> Ship:
        """A ship as it is now, slashes and all."""
        return self.battle.ships[id]

    def write(self, op: Op, ship: str, field: str, value: Value, *, hand: bool = False) -> None:
        """Writes one effect and applies it."""
        effect = Effect(op, ship, field, value, hand)
        self._effects.append(effect)
        self.battle = evolve(self.battle, effect, self.entry)

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
    ) -> Owed:
        """Owes a roll, or an answer in words where no dice are named; `cause` is this entry unless given."""
        entry = self.entry if cause is None else cause
        key = self._free_key(entry, line, ship)
        owed = Owed(key, line, ship, prompt, dice, words, order, faces, facts or {}, cell)
        self.write(Op.OWE, ship, line, owed)
        return owed

    def _free_key(self, entry: int, line: str, ship: str) -> str:
        """The next key of a cause that nothing in the queue has, regardless of who asked it."""
        place, key = (entry, line, ship), ""
        while not key or self.battle.question(key) is not None:
            self._asked[place] = self._asked.get(place, 0) + 1
            key = str(QuestionKey(entry, line, ship, self._asked[place]))
        return key

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
        status = cell.status.value if cell else ""
        source = f"{place} ({cell.source})" if cell and cell.source else place
        self._reasons.append(Reason(result, clause, status, source, of, roll, subject=subject))

    def remark(self, text: str, clause: str = "") -> None:
        """Adds a remark."""
        self._reasons.append(Reason(text, clause, remark=True))

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
        return Decision(tuple(self._effects), tuple(self._reasons), tuple(self._outcome.items()))
