"""What an order would meet if it were entered now.

Worked out while it is typed, nothing thrown and nothing changed.
"""

from attrs import frozen

from qf_tui.core.acts import Version
from qf_tui.core.errors import Finding, OrderRefused
from qf_tui.core.odds import Chance, chances
from qf_tui.core.outcomes import Outcome, outcomes
from qf_tui.core.prepare import PreparedEntry, check_dice, prepare_entry
from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Battle, Die


@frozen
class OrderPreview:
    """An order while it is typed: what stands against it, the dice it wants, and its exact odds.

    `dice` are the most that it can still take, `missing` those that it still needs, `faces` those that it
    has; `outcomes` tell what each face of an owed die would do, where no odds are declared for it. `prompt`
    is what it answers, if it answers what is owed.
    """

    findings: tuple[Finding, ...] = ()
    resolved: str = ""
    dice: tuple[Die, ...] = ()
    missing: tuple[Die, ...] = ()
    chances: tuple[Chance, ...] = ()
    assumes: tuple[str, ...] = ()
    reminders: tuple[str, ...] = ()
    outcomes: tuple[Outcome, ...] = ()
    faces: tuple[int, ...] = ()
    prompt: str = ""

    @property
    def fine(self) -> bool:
        return not self.findings


def preview_of(system: RuleSystem, battle: Battle, version: Version) -> OrderPreview:
    """What an order would meet; OrderRefused if it is no order of this battle."""
    entry = prepare_entry(system, battle, version)
    ready = entry.prepared
    hard = [finding for finding in ready.findings if not finding.refused]
    barred = bool(hard or (ready.findings and not version.forced))
    findings = ready.findings if barred else _impossible_dice(entry)
    owed = entry.question
    odds = () if findings else chances(ready, owed.faces if owed else ())
    return OrderPreview(
        findings,
        entry.order.resolved,
        entry.prepared.dice[len(entry.faces) :],
        entry.missing,
        odds,
        ready.assumes,
        ready.reminders,
        outcomes(battle, owed, ready) if owed and not (odds or findings) else (),
        entry.order.dice,
        owed.prompt if owed else "",
    )


def _impossible_dice(entry: PreparedEntry) -> tuple[Finding, ...]:
    """What is wrong with the faces of an order that may be played."""
    try:
        check_dice(entry)
    except OrderRefused as refusal:
        return refusal.findings
    return ()
