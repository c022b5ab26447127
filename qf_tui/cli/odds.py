"""`qf-tui odds`: the exact chances of an order, also of one that could not be entered now."""

from argparse import Namespace

from qf_tui.cli.opening import open_battle
from qf_tui.cli.output import say
from qf_tui.cli.tables import table
from qf_tui.cli.transcript import finding_text
from qf_tui.core.errors import OrderRefused
from qf_tui.core.odds import Chance, chances, needed
from qf_tui.core.prepare import PreparedEntry, check_dice
from qf_tui.session import Session

EXIT_REFUSED = 3


def odds(arguments: Namespace) -> int:
    """Prints what hinders an order, the dice that it wants and its chances; 3 if it is impossible."""
    session = open_battle(arguments.battle, rules=arguments.rules)
    try:
        entry = _considered(session, " ".join(arguments.order))
    except OrderRefused as refusal:
        say(*(finding_text(finding) for finding in refusal.findings))
        return EXIT_REFUSED
    findings = entry.prepared.findings
    say(entry.order.resolved, *(f"  {finding_text(finding)}" for finding in findings))
    if any(not finding.refused for finding in findings):
        return EXIT_REFUSED
    say(*(f"  {line}" for line in _figures(entry)))
    return 0


def _considered(session: Session, text: str) -> PreparedEntry:
    entry = session.prepare(session.read(text).complete())
    if all(finding.refused for finding in entry.prepared.findings):
        check_dice(entry)
    return entry


def _figures(entry: PreparedEntry) -> list[str]:
    ready = entry.prepared
    lines = [*ready.assumes, *ready.reminders]
    wanted = ", ".join(str(die) for die in entry.missing)
    lines.append(f"dice: {wanted}" if wanted else "no dice are wanted")
    lines += map(str, needed(ready, entry.faces))
    found = chances(ready, entry.faces)
    if found:
        return [*lines, *table([_row(chance) for chance in found], [False, True, False])]
    return [*lines, "no chances to reckon"]


def _row(chance: Chance) -> list[str]:
    value = f"{float(chance.value):.4f}" if chance.mean else f"{float(chance.value):.2%}"
    return [chance.label, value, str(chance.value)]
