"""Entries and battles in words: the console's log, transcripts, and what is read aloud."""

from collections import Counter
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet

from attrs import evolve, frozen

from qf_tui.core.builtin_forms import NOTE
from qf_tui.core.charts import Provenance
from qf_tui.core.corrections import order_of
from qf_tui.core.decisions import Reason
from qf_tui.core.facts import QuestionKey
from qf_tui.core.grammar.forms import CALL, Order
from qf_tui.core.schedule import proposed
from qf_tui.core.system import RuleSystem, find_phase
from qf_tui.core.timeline import Correction, CorrectionKind, LogAct, Ruling, State, Timeline, Version
from qf_tui.core.values import Battle, Owed, dice_code

RECONSTRUCTED, OWN = "†", "‡"
"""Mark what rests on a chart cell which is ours alone, and a cell of the umpire's."""
SIGNS = {Provenance.ATTESTED: "", Provenance.RECONSTRUCTED: RECONSTRUCTED, Provenance.OWN: OWN}
"""What is written behind a cell of a chart."""

_DOES = {
    CorrectionKind.UNDO: "strikes",
    CorrectionKind.STRIKE: "strikes",
    CorrectionKind.REDO: "restores",
    CorrectionKind.RESTORE: "restores",
}


@frozen
class ActText:
    """One act in words: its number, the order with its dice, what it did, and the clause that decided.

    `title` is the order as people say it: dice that were owed, and what for.
    """

    number: int
    order: str
    result: str
    clause: str
    state: str = ""
    title: str = ""

    def __str__(self) -> str:
        note = f" [{self.state}]" if self.state else ""
        return f"{self.number:>4} {self.title}{note}  {self.result}".rstrip()


def order_text(version: Version) -> str:
    """An order as it was entered, with its dice."""
    return version.order.line


def tell(timeline: Timeline, act: LogAct, standing: AbstractSet[int] | None = None) -> ActText:
    """An act of the log as it stands.

    Whoever tells many hands over the acts in force, `timeline.in_force`.
    """
    counts = timeline.counts(act.number) if standing is None else act.number in standing
    struck = "" if counts else "struck"
    if isinstance(act, Correction):
        return ActText(act.number, order_of(act).line, "", "", struck, order_of(act).line)
    version = timeline.versions.get(act.number, act.version)
    ruling = timeline.rulings[act.number]
    state = struck or ("" if ruling.state is State.STANDS else ruling.state.value)
    order, title = order_text(version), title_text(timeline, act.number, version)
    # A note says itself what it does.
    result = "" if version.order.form is NOTE and ruling.state is State.STANDS else result_text(ruling)
    return ActText(act.number, order, result, deciding_clause(ruling), state, title)


def act_text(timeline: Timeline, act: LogAct, standing: AbstractSet[int] | None = None) -> ActText:
    """An act as `tell` has it; one that strikes or restores others says which."""
    told = tell(timeline, act, standing)
    if not isinstance(act, Correction) or act.kind not in _DOES:
        return told
    named = "; ".join(
        f"{number} {tell(timeline, timeline.log[number - 1], standing).title}" for number in act.targets[:3]
    )
    more = f" and {len(act.targets) - 3} more" if len(act.targets) > 3 else ""
    return evolve(told, result=f"{_DOES[act.kind]} {named}{more}")


def title_text(timeline: Timeline, number: int, version: Version) -> str:
    """An order as people say it: `roll 5 for direction of Fuji`, where it answers what was owed."""
    order = version.order
    if not order.is_answer:
        return order_text(version)
    call = () if order.call is None else (CALL, str(order.call))
    given = " ".join((*order.many("words"), *map(str, order.dice), *call))
    forced = "force " if order.forced else ""
    what, mark, _ = question(timeline, number, order).partition("?")
    return f"{forced}{order.word} {given} for {what}{mark}"


def question(timeline: Timeline, number: int, order: Order) -> str:
    """What an answer of an entry was owed for, in words, even where nothing asks for it any more."""
    owed = asked(timeline, number, order.key)
    return owed.prompt if owed else _cause(timeline, order.asked_by)


def _cause(timeline: Timeline, key: QuestionKey) -> str:
    """What a question was about that nothing asks any more: `direction of Fuji`."""
    found = timeline.battle.ships.get(key.ship)
    of = f" of {found.name if found else key.ship}" if key.ship else ""
    return f"{key.line.replace('-', ' ')}{of}"


def asked(timeline: Timeline, number: int, key: str) -> Owed | None:
    """What an answer was owed for, as the latest entry before it asked, or the start of the battle."""
    for before in range(number - 1, 0, -1):
        ruling = timeline.rulings.get(before)
        for effect in ruling.decision.effects if ruling else ():
            if isinstance(effect.value, Owed) and effect.value.key == key:
                return effect.value
    return timeline.start.question(key)


def result_text(ruling: Ruling) -> str:
    """What an entry did, or why it is parked, in one line."""
    if ruling.state is not State.STANDS:
        return "; ".join(finding.text for finding in ruling.findings)
    return reasons_text(ruling.decision.reasons)


def ruling_text(ruling: Ruling) -> str:
    """What an entry did, or that it does not count and why, in one line."""
    if ruling.state is State.STANDS:
        return " · ".join(f"{reason.text}{times}" for reason, times in told_once(ruling.decision.reasons))
    return f"{ruling.state.value}: {'; '.join(finding.text for finding in ruling.findings)}"


def reason_text(reason: Reason) -> str:
    """A reason, marked where its chart cell is reconstructed."""
    return f"{reason.text} {RECONSTRUCTED}" if reason.chart == Provenance.RECONSTRUCTED.value else reason.text


def told_once(reasons: Iterable[Reason]) -> Iterator[tuple[Reason, str]]:
    """Each reason where it is first given, with how often it is: ` ×3`, or nothing."""
    for reason, times in Counter(reasons).items():
        yield reason, f" ×{times}" if times > 1 else ""


def reasons_text(reasons: Iterable[Reason]) -> str:
    """Reasons in one line, each once."""
    return " · ".join(f"{reason_text(reason)}{times}" for reason, times in told_once(reasons))


def chart_text(reason: Reason) -> str:
    """The chart cell that a reason rests on and where that stands, or nothing."""
    return f"chart: {reason.cell or 'cell'}, {reason.chart}" if reason.chart else ""


def deciding_clause(ruling: Ruling) -> str:
    """The clause of the first reason that names one, or of what hinders."""
    if ruling.state is not State.STANDS:
        return next((finding.clause for finding in ruling.findings if finding.clause), "")
    return next((reason.clause for reason in ruling.decision.reasons if reason.clause), "")


def owed_text(owed: Owed) -> str:
    """An owed roll in short: its dice, what for, and its key."""
    asks = proposed(owed)
    words = ((asks.line,) if asks else ()) + owed.words
    dice = dice_code(owed.dice) if owed.dice else "|".join(words) or "an answer"
    return f"{owed.prompt} ({dice}, {owed.key})"


def last_undoable(timeline: Timeline) -> LogAct | None:
    """The act that an undo would strike, or None."""
    return next(timeline.undoable, None)


def undo_text(timeline: Timeline) -> str:
    """What an undo would strike, or nothing."""
    act = last_undoable(timeline)
    return f"{act.number} {tell(timeline, act).title}" if act else ""


def phase_text(system: RuleSystem, battle: Battle) -> str:
    """Where the battle stands: turn and phase."""
    return turn_text(system, battle.turn, battle.phase)


def ended_text(system: RuleSystem, battle: Battle) -> str:
    """Words that offer the end of the battle, with their clause, or nothing."""
    said = system.ended(battle)
    return f"{said} ({system.ended_by})" if said and system.ended_by else said


def turn_text(system: RuleSystem, turn: int, phase: str) -> str:
    """A turn and a phase of it."""
    return f"turn {turn}, {find_phase(system, phase).title}"
