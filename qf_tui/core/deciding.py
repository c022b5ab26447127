"""One order on one battle: refused, declared with its dice owed, or decided.

The same steps serve an order that is typed now (`decide_fresh`) and an entry that is decided again after a
correction (`decide_again`): only what happens to a hindrance differs.
"""

from collections.abc import Callable
from enum import StrEnum

from attrs import frozen

from qf_tui.core.charts import Charts
from qf_tui.core.common import owed_in_words, prepare_common
from qf_tui.core.common_forms import all_forms
from qf_tui.core.effects import Effect, Op, fold
from qf_tui.core.errors import Finding, OrderRefused, impossible
from qf_tui.core.ledger import Decision, Ledger
from qf_tui.core.naming import find_ship
from qf_tui.core.orders import Order
from qf_tui.core.parsing import parse
from qf_tui.core.system import Ready, RuleSystem
from qf_tui.core.turning import turn_over
from qf_tui.core.values import Battle, Die, Owed, is_pool, with_

ANSWERS = ("roll", "answer")
"""The orders that answer an owed question."""

Throw = Callable[[Die], int]


@frozen
class Version:
    """What the umpire entered: the resolved order, the faces, and the clauses that he overrode if he forced it."""

    order: str
    dice: tuple[int, ...] = ()
    forced: bool = False
    overrode: tuple[str, ...] = ()
    overlay: Charts | None = None


class State(StrEnum):
    """How an entry in force stands: it counts, a rule now refuses it, or nobody asks for its dice."""

    STANDS = "stands"
    PARKED = "parked"
    SPARE = "spare"


@frozen
class Ruling:
    """How an entry stands, what it did, and what speaks against it."""

    decision: Decision = Decision()
    state: State = State.STANDS
    findings: tuple[Finding, ...] = ()


@frozen
class Considered:
    """An order parsed and made ready, with the owed question that it answers, if it answers one.

    `asked` are the effects that bring the question up, where only the end of the phase would ask it. `typed`: its
    dice stand in its text.
    """

    order: Order
    ready: Ready
    question: Owed | None = None
    asked: tuple[Effect, ...] = ()
    typed: bool = False

    @property
    def faces(self) -> tuple[int, ...]:
        """All faces that bear on it, those thrown before included."""
        return (*(self.question.faces if self.question else ()), *self.order.dice)

    @property
    def missing(self) -> tuple[Die, ...]:
        return self.ready.missing(self.faces)


def consider(system: RuleSystem, battle: Battle, version: Version, *, early: bool = False) -> Considered:
    """Parses an order and makes it ready; OrderRefused if it is no order of this battle.

    With `early` it may answer what the end of the phase will ask: a late answer stands before that end.
    """
    parsed = parse(version.order, all_forms(system), battle)
    order = with_(parsed, forced=version.forced, dice=parsed.dice or version.dice)
    if order.word not in ANSWERS:
        own = any(form.word == order.word for form in system.forms)
        ready = (
            system.prepare(battle, order) if own else prepare_common(system, battle, order, version.overlay)
        )
        return Considered(order, ready, typed=bool(parsed.dice))
    asked = _asked_by_leaving(system, battle, order.text("key")) if early else ()
    battle = fold(battle, asked, 0)
    question = _question(battle, order)
    keyed = with_(order, slots={**order.slots, "key": question.key})
    if order.word == "roll":
        ready = system.prepare_roll(battle, question)
    else:
        words = _in_full(battle, question, order.many("words"))
        ready = system.prepare_answer(battle, question, words)
        keyed = with_(keyed, slots={**keyed.slots, "words": words})
    return Considered(keyed, ready, question, asked, bool(parsed.dice))


def answered(system: RuleSystem, battle: Battle, version: Version) -> tuple[Version, Owed] | None:
    """The owed question that an order answers, and the order with its key in full; None for any other order."""
    order = parse(version.order, all_forms(system), battle)
    if order.word not in ANSWERS:
        return None
    question = _question(battle, order)
    keyed = with_(order, slots={**order.slots, "key": question.key})
    return with_(version, order=keyed.resolved, dice=order.dice or version.dice), question


def _in_full(battle: Battle, question: Owed, words: tuple[str, ...]) -> tuple[str, ...]:
    """An answer whose first words begin one of those that the question offers, or a ship among them, in full."""
    offered = question.words
    first = words[0].casefold() if words else ""
    begun = (first,) if first in offered else tuple(word for word in offered if word.startswith(first))
    if len(begun) == 1:
        return (*begun, *words[1:])
    ships = [battle.ships[word] for word in offered if word in battle.ships]
    if not (first and ships):
        return words
    try:
        id, used = find_ship(list(words), ships)
    except OrderRefused:
        return words
    return (id, *words[used:])


def _asked_by_leaving(system: RuleSystem, battle: Battle, key: str) -> tuple[Effect, ...]:
    """What the end of the phase asks, if that question is not owed yet and is among it."""
    if not key or battle.question(key) is not None:
        return ()
    entry = key.partition("/")[0]
    ledger = Ledger(battle, int(entry) if entry.isascii() and entry.isdigit() else 0)
    system.leave(battle, ledger, False)
    return ledger.decision().effects if ledger.battle.question(key) is not None else ()


def _question(battle: Battle, order: Order) -> Owed:
    """The owed question that a `roll` or `answer` is about."""
    wants_dice = order.word == "roll"
    fitting = [owed for owed in battle.owed if bool(owed.dice) == wants_dice]
    key = order.text("key")
    if not key and fitting:
        return fitting[0]
    found = battle.question(key)
    if found in fitting and found is not None:
        return found
    if found is not None:
        raise OrderRefused(
            impossible(f"{key} wants {'dice: roll' if found.dice else 'words: answer'} {key} ...")
        )
    listed = owed_in_words(battle) or "nothing"
    raise OrderRefused(impossible(f"{key or order.word}: not owed; owed is {listed}"))


def check_dice(considered: Considered) -> None:
    """OrderRefused for a face that no such die has, and for more dice than the order can need."""
    dice, faces = considered.ready.dice, considered.faces
    if len(faces) > len(dice):
        most = ", ".join(str(die) for die in dice) or "none"
        raise OrderRefused(impossible(f"too many dice: {len(faces)} given, wanted at most {most}"))
    for die, face in zip(dice, faces, strict=False):
        if face not in die.faces:
            raise OrderRefused(impossible(f"a {face} on the {die}: its faces are {die.least} to {die.most}"))


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
