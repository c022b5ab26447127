"""Entries and battles in words: the console's log, transcripts, and what is read aloud."""

from collections.abc import Set

from attrs import frozen

from qf_tui.core.acts import ANSWERS, Correction, CorrectionKind, LogAct, Ruling, State, Version
from qf_tui.core.charts import Provenance
from qf_tui.core.decisions import Reason
from qf_tui.core.system import RuleSystem, find_phase
from qf_tui.core.timeline import Timeline
from qf_tui.core.values import Battle, Owed, dice_code

RECONSTRUCTED = "†"
"""Marks a result that rests on a chart cell which is ours alone."""


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
    dice = " ".join(str(face) for face in version.dice)
    forced = "force " if version.forced else ""
    return f"{forced}{version.order} {dice}".rstrip()


def tell(timeline: Timeline, act: LogAct, standing: Set[int] | None = None) -> ActText:
    """An act of the log as it stands; whoever tells many hands over the acts in force, `timeline.in_force`."""
    standing = timeline.in_force if standing is None else standing
    struck = "" if act.number in standing else "struck"
    if isinstance(act, Correction):
        return ActText(act.number, correction_text(act), "", "", struck, correction_text(act))
    version = timeline.versions.get(act.number, act.version)
    ruling = timeline.rulings[act.number]
    state = struck or ("" if ruling.state is State.STANDS else ruling.state.value)
    order, title = order_text(version), title_text(timeline, act.number, version)
    result = result_text(ruling)
    # A note says itself what it does.
    result = "" if order.endswith(f"note {result}") else result
    return ActText(act.number, order, result, deciding_clause(ruling), state, title)


def title_text(timeline: Timeline, number: int, version: Version) -> str:
    """An order as people say it: `roll 5 for direction of Fuji`, where it answers what was owed."""
    word, _, rest = version.order.partition(" ")
    key, _, answer = rest.partition(" ")
    if word not in ANSWERS:
        return order_text(version)
    dice = " ".join(str(face) for face in version.dice)
    forced = "force " if version.forced else ""
    owed = _asked(timeline, number, key)
    question, mark, _ = owed.prompt.partition("?") if owed else (_cause(timeline, key), "", "")
    return f"{forced}{word} {answer or dice} for {question}{mark}"


def _cause(timeline: Timeline, key: str) -> str:
    """What a question was about that nothing asks any more, by its key: `direction of Fuji`."""
    _, line, ship, *_ = (*key.split("/"), "", "")
    found = timeline.battle.ships.get(ship)
    return f"{line.replace('-', ' ')} of {found.name if found else ship}"


def _asked(timeline: Timeline, number: int, key: str) -> Owed | None:
    """What an answer was owed for, as the latest entry before it asked."""
    for before in range(number - 1, 0, -1):
        ruling = timeline.rulings.get(before)
        for effect in ruling.decision.effects if ruling else ():
            if isinstance(effect.value, Owed) and effect.value.key == key:
                return effect.value
    return None


def correction_text(act: Correction) -> str:
    """A correction as an order would say it."""
    targets = " ".join(str(target) for target in act.targets)
    if act.kind in (CorrectionKind.UNDO, CorrectionKind.REDO):
        return f"{act.kind.value} {len(act.targets)}" if len(act.targets) > 1 else act.kind.value
    if act.kind is CorrectionKind.AMEND and act.version is not None:
        return f"amend {targets} {order_text(act.version)}"
    if act.kind is CorrectionKind.SHIFT:
        return f"shift {act.targets[0]} after {act.after}"
    return f"{act.kind.value} {targets}"


def result_text(ruling: Ruling) -> str:
    """What an entry did, or why it is parked, in one line."""
    if ruling.state is not State.STANDS:
        return "; ".join(finding.text for finding in ruling.findings)
    return " · ".join(reason_text(reason) for reason in ruling.decision.reasons)


def reason_text(reason: Reason) -> str:
    """A reason, marked where its chart cell is reconstructed."""
    return f"{reason.text} {RECONSTRUCTED}" if reason.chart == Provenance.RECONSTRUCTED.value else reason.text


def deciding_clause(ruling: Ruling) -> str:
    """The clause of the first reason that names one, or of what hinders."""
    if ruling.state is not State.STANDS:
        return next((finding.clause for finding in ruling.findings if finding.clause), "")
    return next((reason.clause for reason in ruling.decision.reasons if reason.clause), "")


def owed_text(owed: Owed) -> str:
    """An owed roll in short: its dice, what for, and its key."""
    dice = dice_code(owed.dice) if owed.dice else "|".join(owed.words) or "in words"
    return f"{owed.prompt} ({dice}, {owed.key})"


def undo_text(timeline: Timeline) -> str:
    """What an undo would strike, or nothing."""
    standing = timeline.in_force
    for act in reversed(timeline.log):
        undoing = isinstance(act, Correction) and act.kind in (CorrectionKind.UNDO, CorrectionKind.REDO)
        if act.number in standing and not undoing:
            return f"{act.number} {tell(timeline, act, standing).title}"
    return ""


def phase_text(system: RuleSystem, battle: Battle) -> str:
    """Where the battle stands: turn and phase."""
    return turn_text(system, battle.turn, battle.phase)


def turn_text(system: RuleSystem, turn: int, phase: str) -> str:
    """A turn and a phase of it."""
    return f"turn {turn}, {find_phase(system, phase).title}"
