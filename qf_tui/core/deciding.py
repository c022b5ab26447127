"""One order on one battle: refused, declared with its dice owed, or decided.

The same steps serve an order that is typed now (`decide_fresh`) and an entry that is decided again after a
correction (`decide_again`): only what happens to a hindrance differs.
"""

from collections.abc import Callable

from qf_tui.core.acts import ANSWERS, Ruling, State, Version
from qf_tui.core.considering import Considered, check_dice, consider
from qf_tui.core.effects import Op
from qf_tui.core.errors import OrderRefused, impossible
from qf_tui.core.ledger import Ledger
from qf_tui.core.orders import Order
from qf_tui.core.system import Ready, RuleSystem
from qf_tui.core.turning import turn_over
from qf_tui.core.values import Battle, Die, is_pool, with_

Throw = Callable[[Die], int]


def _check_doubt(order: Order, number: int) -> None:
    """OrderRefused for a doubt of an act that is not in the log; `number` is the next one's."""
    doubted = order.number("entry")
    if order.word == "doubt" and doubted is not None and not 0 < doubted < number:
        raise OrderRefused(impossible(f"doubt {doubted}: there is no act {doubted}"))


def decide_fresh(
    system: RuleSystem,
    battle: Battle,
    number: int,
    version: Version,
    throw: Throw | None = None,
    *,
    kept_dice: bool = False,
    early: bool = False,
) -> tuple[Version, Ruling]:
    """An order as it is entered: its resolved version and what it does; OrderRefused changes nothing.

    `throw` throws the console's dice for those left out. `kept_dice`: the dice are an older version's, so that
    those it lacks are owed and those too many are let go. `early`: as `consider` has it.
    """
    considered = consider(system, battle, version, early=early)
    _check_doubt(considered.order, number)
    if kept_dice and not considered.typed:
        dice = considered.order.dice[: len(considered.ready.dice)]
        considered = with_(considered, order=with_(considered.order, dice=dice))
    findings = considered.ready.findings
    if any(not finding.refused for finding in findings):
        raise OrderRefused(*sorted(findings, key=lambda finding: finding.refused))
    if findings and not version.forced:
        raise OrderRefused(*findings)
    check_dice(considered)
    considered = _thrown(considered, throw)
    missing = considered.missing
    roll = considered.question is not None
    if missing and not kept_dice and (considered.order.dice or roll or not considered.ready.may_wait):
        needed = ", ".join(str(die) for die in missing)
        raise OrderRefused(impossible(f"{considered.order.word}: still missing {needed}"))
    overrode = tuple(finding.clause for finding in findings) if version.forced else ()
    entered = with_(version, order=considered.order.resolved, dice=considered.order.dice, overrode=overrode)
    return entered, Ruling(_written(system, battle, number, considered).decision())


def _thrown(considered: Considered, throw: Throw | None) -> Considered:
    """The order with the console's dice thrown as long as the result needs more: a pool at once, others singly."""
    if throw is None:
        return considered
    while missing := considered.missing:
        thrown = tuple(throw(die) for die in (missing if is_pool(missing) else missing[:1]))
        considered = with_(considered, order=with_(considered.order, dice=(*considered.order.dice, *thrown)))
    return considered


def decide_again(
    system: RuleSystem, battle: Battle, number: int, version: Version, recorded: Ruling | None = None
) -> Ruling:
    """An entry as it stands on another battle: it counts, is parked with what hinders it, or its dice are spare.

    `recorded` is how it stood when it was put where it is: a `next` that ended its phase then ends it again.
    """
    return play_again(system, battle, number, version, recorded)[0]


def play_again(
    system: RuleSystem, battle: Battle, number: int, version: Version, recorded: Ruling | None = None
) -> tuple[Ruling, Battle]:
    """As `decide_again`, with the battle after the entry."""
    try:
        considered = consider(system, battle, version, early=True)
    except OrderRefused as refusal:
        if version.order.split(" ")[0] in ANSWERS:
            # What else is owed is no part of why: an answer that stays spare stays as it was recorded.
            return Ruling(state=State.SPARE, findings=(impossible("nothing asks for it"),)), battle
        return Ruling(state=State.PARKED, findings=refusal.findings), battle
    findings = considered.ready.findings
    if considered.order.word == "next":
        considered = with_(considered, ready=_ended_as_before(system, considered, recorded))
    else:
        new = tuple(f for f in findings if not f.refused or f.clause not in version.overrode)
        if new:
            return Ruling(state=State.PARKED, findings=new), battle
    thrown = len(considered.question.faces) if considered.question else 0
    dice = version.dice[: len(considered.ready.dice) - thrown]
    considered = with_(considered, order=with_(considered.order, dice=dice))
    try:
        check_dice(considered)
    except OrderRefused as refusal:
        return Ruling(state=State.PARKED, findings=refusal.findings), battle
    ledger = _written(system, battle, number, considered)
    return Ruling(ledger.decision()), ledger.battle


def _ended_as_before(system: RuleSystem, considered: Considered, recorded: Ruling | None) -> Ready:
    """A `next` that does again what it did: end its phase, or only bring up what is to be asked before."""
    effects = recorded.decision.effects if recorded and recorded.state is State.STANDS else None
    ended = None if effects is None else any(effect.op is Op.PHASE for effect in effects)

    def decide(faces: tuple[int, ...], ledger: Ledger) -> None:
        turn_over(system, ledger, considered.order.forced, ended)

    return with_(considered.ready, decide=decide)


def _written(system: RuleSystem, battle: Battle, number: int, considered: Considered) -> Ledger:
    """What an order that may be played does, with its dice owed where they are missing."""
    ledger = Ledger(battle, number)
    ready, question, faces = considered.ready, considered.question, considered.faces
    missing = considered.missing
    if question is None:
        ready.declare(ledger)
    else:
        for effect in considered.asked:
            ledger.write(effect.op, effect.ship, effect.field, effect.value, hand=effect.hand)
        ledger.settle(question)
    if not missing:
        ready.decide(faces, ledger)
    elif question is not None:
        ledger.write(Op.OWE, question.ship, question.line, with_(question, dice=missing, faces=faces))
    else:
        ledger.owe(
            ready.owes,
            ready.ship,
            ready.prompt,
            *missing,
            order=considered.order.resolved,
            faces=faces,
        )
    for text in ready.assumes:
        ledger.because(text)
    if all(owed.late for owed in ledger.battle.owed):
        system.follow(ledger.battle, ledger)
    return ledger
