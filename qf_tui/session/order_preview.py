"""What an order would meet if it were entered now.

Worked out while it is typed, nothing thrown and nothing changed.
"""

from attrs import frozen

from qf_tui.core.acts import Version
from qf_tui.core.errors import Finding, OrderRefused
from qf_tui.core.odds import Chance, Needed, Outcome, chances, needed, outcomes
from qf_tui.core.prepare import PreparedEntry, check_dice, prepare_entry
from qf_tui.core.sealed_check import typed_findings
from qf_tui.core.system import RuleSystem
from qf_tui.core.text import with_answer
from qf_tui.core.values import Battle, Die, Owed


@frozen
class OrderPreview:
    """An order while it is typed: what stands against it, the dice it wants, and its exact odds.

    `dice` are the most that it can still take, `missing` those that it still needs, `faces` those that it
    has; `needs` are what people must throw, `outcomes` what each face of an owed roll would do, where no such
    results are declared for it. `prompt`
    is what it answers, if it answers what is owed. `chances`, `needs` and `outcomes` are its figures.
    """

    findings: tuple[Finding, ...] = ()
    resolved: str = ""
    dice: tuple[Die, ...] = ()
    missing: tuple[Die, ...] = ()
    chances: tuple[Chance, ...] = ()
    needs: tuple[Needed, ...] = ()
    assumes: tuple[str, ...] = ()
    reminders: tuple[str, ...] = ()
    outcomes: tuple[Outcome, ...] = ()
    faces: tuple[int, ...] = ()
    prompt: str = ""

    @property
    def fine(self) -> bool:
        return not self.findings


def preview_of(
    system: RuleSystem, battle: Battle, version: Version, *, sealed: bool = False, figures: bool = True
) -> OrderPreview:
    """What an order would meet; OrderRefused if it is no order of this battle.

    `sealed`: no faces are typed. Without `figures` only what stands against it and its dice are worked out.
    """
    entry = prepare_entry(system, battle, version)
    ready = entry.prepared
    against = (*ready.findings, *(typed_findings(version.order) if sealed else ()))
    hard = [finding for finding in against if not finding.refused]
    barred = bool(hard or (against and not version.forced))
    findings = against if barred else _impossible_dice(entry)
    owed = entry.question
    faces = owed.faces if owed else ()
    told = figures and not findings
    odds, needs = (chances(ready, faces), needed(ready, faces)) if told else ((), ())
    return OrderPreview(
        findings,
        entry.order.resolved,
        entry.prepared.dice[len(entry.faces) :],
        entry.missing,
        odds,
        needs,
        ready.assumes,
        ready.reminders,
        outcomes(battle, owed, ready) if owed and told and not needs else (),
        entry.order.dice,
        owed.prompt if owed else "",
    )


def to_throw(system: RuleSystem, battle: Battle, owed: Owed) -> tuple[Needed | Outcome, ...]:
    """What an owed roll needs, or what each face of it does; () where it wants words or a rule bars it."""
    if not owed.dice:
        return ()
    ready = system.prepare_roll(battle, owed)
    if ready.findings:
        return ()
    return needed(ready, owed.faces) or outcomes(battle, owed, ready)


def to_throw_text(system: RuleSystem, battle: Battle, owed: Owed) -> str:
    """An owed roll and what it needs, in words to be read aloud."""
    said = " · ".join(map(str, to_throw(system, battle, owed)))
    return with_answer(owed.prompt, said) if said else owed.prompt


def _impossible_dice(entry: PreparedEntry) -> tuple[Finding, ...]:
    """What is wrong with the faces of an order that may be played."""
    try:
        check_dice(entry)
    except OrderRefused as refusal:
        return refusal.findings
    return ()
