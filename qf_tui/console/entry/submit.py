"""One order entered, whatever comes of it: no error of a person's making leaves here as an exception."""

from collections.abc import Callable

from attrs import frozen

from qf_tui.console.entry.lookahead import REFUSED, against
from qf_tui.core.errors import OrderRefused, QfError
from qf_tui.core.system import RuleSystem, find_phase
from qf_tui.core.values import Battle
from qf_tui.journal.saving import NotRecorded
from qf_tui.session import Entered, Session
from qf_tui.session.wording import phase_text


@frozen
class Attempt:
    """What became of a line: `entered`, or in words why not; `lost`: the disk did not take it."""

    entered: Entered | None = None
    text: str = ""
    forceable: bool = False
    lost: bool = False


@frozen
class ReadOut:
    """A cell (table, row, column) that the umpire read out of his printed chart, and what it says."""

    cell: tuple[str, ...]
    text: str


def attempt(session: Session, line: str) -> Attempt:
    """Enters a line."""
    return _tried(lambda: session.enter(line))


def keep(session: Session, cell: ReadOut) -> Attempt:
    """Keeps a cell in the umpire's own chart."""
    return _tried(lambda: session.keep_cell(cell.cell, cell.text))


def read_out(session: Session, line: str) -> ReadOut | None:
    """The cell of the printed chart that a line answers for, if it answers for one."""
    word, *words = line.split() or [""]
    if word.lower() != "answer" or not words:
        return None
    named = session.battle.question(words[0])
    asked = named or next((owed for owed in session.battle.owed if not owed.dice), None)
    said = " ".join(words[1:] if named else words)
    return ReadOut(asked.cell, said) if asked is not None and asked.cell and said else None


def _tried(enter: Callable[[], Entered]) -> Attempt:
    try:
        return Attempt(enter())
    except OrderRefused as refusal:
        forceable = bool(refusal.findings) and all(finding.refused for finding in refusal.findings)
        return Attempt(text=f"{REFUSED} {against(refusal.findings)}", forceable=forceable)
    except NotRecorded as fault:
        return Attempt(text=str(fault), lost=True)
    except QfError as fault:
        return Attempt(text=f"{REFUSED} {fault}")


def preview(session: Session, line: str) -> Attempt:
    """Works a correction out without entering it."""
    try:
        return Attempt(session.preview(line))
    except QfError as fault:
        return Attempt(text=f"{REFUSED} {fault}")


def phase_is_empty(system: RuleSystem, battle: Battle) -> bool:
    """Whether nothing is to happen in the phase: nothing owed or in doubt, nobody waits, no order belongs to it.

    Where its rules say that it passes, orders that belong to it do not hold it.
    """
    if battle.owed or battle.doubts or system.may_act(battle):
        return False
    if find_phase(system, battle.phase).passes:
        return True
    return not any(battle.phase in form.phases or not form.phases for form in system.forms)


def pass_empty_phases(session: Session) -> tuple[str, ...]:
    """Ends each empty phase by an entry of its own, a turn's worth at most; what was passed, in words."""
    passed: list[str] = []
    for _ in session.system.phases[1:]:
        if not phase_is_empty(session.system, session.battle):
            break
        before = phase_text(session.system, session.battle)
        if attempt(session, "next").entered is None:
            break
        passed.append(before.partition(", ")[2])
    return tuple(passed)
