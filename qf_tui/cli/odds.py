"""`qf-tui odds`: the exact chances of an order, also of one that could not be entered now."""

from argparse import Namespace

from qf_tui.cli.opening import open_battle
from qf_tui.cli.output import say
from qf_tui.cli.tables import table
from qf_tui.cli.transcript import finding_text
from qf_tui.core.acts import Version
from qf_tui.core.considering import Considered, check_dice, consider
from qf_tui.core.errors import OrderRefused
from qf_tui.core.odds import Chance, chances
from qf_tui.core.orders import words_of
from qf_tui.session import Session

REFUSED = 3


def odds(arguments: Namespace) -> int:
    """Prints what stands against an order, the dice that it wants and its chances; 3 if it is impossible."""
    session = open_battle(arguments.battle)
    try:
        considered = _considered(session, " ".join(arguments.order))
    except OrderRefused as refusal:
        say(*(finding_text(finding) for finding in refusal.findings))
        return REFUSED
    findings = considered.ready.findings
    say(considered.order.resolved, *(f"  {finding_text(finding)}" for finding in findings))
    if any(not finding.refused for finding in findings):
        return REFUSED
    say(*(f"  {line}" for line in _figures(considered)))
    return 0


def _considered(session: Session, text: str) -> Considered:
    words = words_of(text)
    forced = bool(words) and words[0].lower() == "force"
    version = Version(" ".join(words[1:] if forced else words), forced=forced)
    considered = consider(session.system, session.battle, version)
    if all(finding.refused for finding in considered.ready.findings):
        check_dice(considered)
    return considered


def _figures(considered: Considered) -> list[str]:
    ready = considered.ready
    lines = [*ready.assumes, *ready.reminders]
    wanted = ", ".join(str(die) for die in considered.missing)
    lines.append(f"dice: {wanted}" if wanted else "no dice are wanted")
    found = chances(ready, considered.faces)
    if found:
        return [*lines, *table([_row(chance) for chance in found], [False, True, False])]
    return [*lines, "no chances to reckon"]


def _row(chance: Chance) -> list[str]:
    value = f"{float(chance.value):.4f}" if chance.mean else f"{float(chance.value):.2%}"
    return [chance.label, value, str(chance.value)]
