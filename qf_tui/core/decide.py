"""One order on one battle: prepared by the rules; refused, declared with its dice owed, or decided.

An order typed now (`decide_fresh`) and an entry decided again after a correction (`play_again`) take the
same steps; they differ only in what happens when a rule refuses.
"""

from collections.abc import Callable
from enum import Enum, auto

from qf_tui.core.builtin_orders import end_phase, owed_in_words, prepare_builtin
from qf_tui.core.decisions import DecisionBuilder, Effect, Op, fold
from qf_tui.core.declarations import PreparedEntry
from qf_tui.core.dice_source import DiceSource
from qf_tui.core.errors import Finding, OrderRefused, impossible, refused
from qf_tui.core.grammar.kinds import absent
from qf_tui.core.grammar.names import faces_text, readings
from qf_tui.core.schedule import SCHEDULE, newly_reached, prepare_no, settle_met
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Ruling, State, Timeline, Version
from qf_tui.core.values import CALL, Battle, Die, Faces, Order, Owed, is_pool, replace

ThrowDie = Callable[[Die], int]
SUGGEST_MOST = 8
"""Digits that may be meant as other faces; more could be parted in millions of ways."""


class DiceOf(Enum):
    """Whose dice an order has. What an amendment lacks is owed; of kept dice those too many are dropped."""

    ENTRY = auto()  # its own, as it is entered
    AMENDMENT = auto()  # typed with an amended order
    OLDER_VERSION = auto()  # kept from the version that it amends


def prepare_entry(
    system: RuleSystem, battle: Battle, version: Version, *, early: bool = False
) -> PreparedEntry:
    """Prepares an order; OrderRefused if it is none of this battle.

    With `early` it may answer what the end of the phase will ask: a late answer stands before that end.
    """
    order = version.order
    fault = absent(order.form.slots, order.slots, battle)
    if fault:
        raise OrderRefused(fault)
    if not order.is_answer:
        if not any(form.word == order.word for form in system.forms):
            return PreparedEntry(order, prepare_builtin(system, battle, version))
        prepared = system.prepare(battle, order)
        barred = _unmeasured(system, battle, order)
        return PreparedEntry(
            order, replace(prepared, findings=(*prepared.findings, *barred)) if barred else prepared
        )
    asked: tuple[Effect, ...] = ()
    if early and order.key and battle.question(order.key) is None:
        builder = DecisionBuilder(battle, order.cause)
        system.leave(battle, builder, False)
        asked = builder.decision().effects if builder.battle.question(order.key) is not None else ()
    battle = fold(battle, asked, 0)
    question = question_of(battle, order)
    if question.line == SCHEDULE:
        prepared = prepare_no(question, order.many("words"))
    elif order.word == "roll":
        prepared = system.prepare_roll(battle, question)
    else:
        words = system.kept_answer(battle, question, order.many("words"))
        order = order.with_slot("words", words)
        prepared = system.prepare_answer(battle, question, words)
    return PreparedEntry(order.with_slot("key", question.key), prepared, question, asked)


def _unmeasured(system: RuleSystem, battle: Battle, order: Order) -> tuple[Finding, ...]:
    """What hinders an order whose range is estimated, where a switch of the rules wants all measured."""
    if not order.estimated:
        return ()
    return tuple(
        refused(f"the range is estimated: measure it (switch {option.name})", option.clause)
        for option in system.options
        if option.measured_only and battle.options.get(option.name, option.default) == option.measured_only
    )


def question_of(battle: Battle, order: Order) -> Owed:
    """The owed question that a `roll` or `answer` is about; OrderRefused names what is owed instead."""
    wants_dice = order.word == "roll"
    fitting = [owed for owed in battle.owed_in_turn if bool(owed.dice) == wants_dice]
    key = order.key
    if not key and fitting:
        return fitting[0]
    question = battle.question(key)
    if question in fitting and question is not None:
        return question
    if question is not None:
        raise OrderRefused(f"{key} wants {'dice: roll' if question.dice else 'words: answer'} {key} ...")
    listed = owed_in_words(battle)
    what = "nothing is owed" if not listed else f"not owed; owed is {listed}"
    raise OrderRefused(f"{key or order.word}: {what}")


def check_dice(entry: PreparedEntry) -> None:
    """OrderRefused for a face that no such die has, and for more dice than the order can need."""
    dice, faces = entry.prepared.dice, entry.faces
    if len(faces) > len(dice):
        named = ", ".join(map(str, dice))
        counted = f"one die, a {named}" if len(dice) == 1 else f"{len(dice)} dice: {named}"
        takes = counted if dice else "no dice"
        raise OrderRefused(
            f"too many dice: {len(faces)} given; it takes {takes}{_suggest_faces(dice, faces)}"
        )
    for die, face in zip(dice, faces, strict=False):
        if face not in die.faces:
            article = "an" if str(face).startswith("8") or face in (11, 18) else "a"
            faces_are = f"its faces are {die.least} to {die.most}"
            raise OrderRefused(f"{article} {face} on the {die}: {faces_are}{_suggest_faces(dice, faces)}")


def _suggest_faces(dice: tuple[Die, ...], faces: Faces) -> str:
    """Ask whether digits that were parted in another way are meant: `; did you mean 3 11?`, or nothing."""
    digits = "".join(map(str, faces))
    meant = readings(digits, dice) if len(digits) <= SUGGEST_MOST else ()
    return f"; did you mean {' or '.join(map(faces_text, meant))}?" if meant else ""


def decide_fresh(  # noqa: PLR0913 - an entry meets as much; the last five are given by name
    system: RuleSystem,
    battle: Battle,
    number: int,
    version: Version,
    throw: ThrowDie | None = None,
    *,
    dice: DiceOf = DiceOf.ENTRY,
    early: bool = False,
    entry: PreparedEntry | None = None,
    source: DiceSource | None = None,
    before: Timeline | None = None,
) -> tuple[Version, Ruling]:
    """An order as it is entered: its resolved version and what it does; OrderRefused changes nothing.

    `throw` throws the console's dice for those left out; where a `source` has the dice, it throws those that
    were called for, on the timeline `before` the act. `early`: as `prepare_entry` has it; `entry`: the order
    prepared, if it has been.
    """
    entry = entry or prepare_entry(system, battle, version, early=early)
    doubted = entry.order.number("entry") if entry.order.word == "doubt" else None
    if doubted is not None and not 0 < doubted < number:
        raise OrderRefused(f"doubt {doubted}: there is no entry {doubted}")
    older = dice is DiceOf.OLDER_VERSION
    if source is not None and before is not None:
        version = source.place(before, battle, number, entry, version, kept=older)
    elif not older and version.call is not None:
        raise OrderRefused(f"{CALL} {version.call}: this battle has no sealed dice to throw; type faces")
    # Of the dice that an older version had no more are kept than it can need.
    most = len(entry.prepared.dice) if older else len(version.dice)
    entry = replace(entry, order=replace(entry.order, dice=version.dice[:most], call=version.call))
    if older:
        version = replace(version, between=version.between[: len(entry.order.dice)])
    findings = entry.prepared.findings
    check_findings((*findings, *(source.check(version.order) if source and not older else ())), version)
    check_dice(entry)
    typed = len(entry.order.dice)
    if source is None:
        entry = with_dice(entry, throw)
    elif version.call is not None and not (version.between and older):
        entry, version = source.throw(entry, version, version.call)
    missing = entry.missing
    roll = entry.question is not None
    if missing and dice is DiceOf.ENTRY and (entry.order.dice or roll or not entry.prepared.may_wait):
        needed = ", ".join(map(str, missing)) if len(missing) < 5 else f"{len(missing)} dice"
        raise OrderRefused(f"{entry.order.word}: still missing {needed}")
    overrode = tuple(finding.clause for finding in findings) if version.forced else ()
    thrown = len(entry.order.dice) > typed or (version.thrown and typed > 0)
    entered = replace(
        version, order=entry.order, overrode=overrode, estimated=entry.order.estimated, thrown=thrown
    )
    return entered, Ruling(written(system, battle, number, entry).decision())


def check_findings(findings: tuple[Finding, ...], version: Version) -> None:
    """OrderRefused for what cannot be forced, and for the rest unless the umpire forces it."""
    if any(not (finding.refused and version.forced) for finding in findings):
        raise OrderRefused(*sorted(findings, key=lambda finding: finding.refused))


def with_dice(entry: PreparedEntry, throw: ThrowDie | None) -> PreparedEntry:
    """The order with the console's dice thrown as long as the result needs more.

    A pool at once, others singly.
    """
    if throw is None or not entry.prepared.thrown_at_once:
        return entry
    given: Faces = entry.faces
    dice: Faces = ()
    while missing := entry.prepared.missing((*given, *dice)):
        dice += tuple([throw(die) for die in (missing if is_pool(missing) else missing[:1])])
    return replace(entry, order=replace(entry.order, dice=(*entry.order.dice, *dice))) if dice else entry


def play_again(
    system: RuleSystem, battle: Battle, number: int, version: Version, recorded: Ruling | None = None
) -> tuple[Ruling, Battle]:
    """An entry decided on another battle, and the battle after it.

    It counts, is parked with its findings, or its dice are spare.
    `recorded` is how it stood when it was put where it is: a `next` that ended its phase then ends it again.
    An answer that something had asked then does not come before what the end of the phase waits for.
    """
    entry = prepared_again(system, battle, version, recorded)
    if isinstance(entry, Ruling):
        return entry, battle
    builder = written(system, battle, number, entry)
    return Ruling(builder.decision()), builder.battle


def prepared_again(
    system: RuleSystem, battle: Battle, version: Version, recorded: Ruling | None = None
) -> PreparedEntry | Ruling:
    """An entry prepared on another battle, ready to be `written`; the ruling of one that does not count."""
    try:
        entry = prepare_entry(system, battle, version, early=may_be_early(battle, version.order, recorded))
    except OrderRefused as refusal:
        if version.order.is_answer:
            # What else is owed is no part of why: an answer that stays spare stays as it was recorded.
            return Ruling(state=State.SPARE, findings=(impossible("nothing asks for it"),))
        return Ruling(state=State.PARKED, findings=refusal.findings)
    if entry.order.is_phase_end:
        # It does again what it did: end its phase, or only bring up what is to be asked before.
        forced = entry.order.forced
        did = recorded.decision if recorded is not None and recorded.state is State.STANDS else None
        again = replace(entry.prepared, decide=lambda faces, builder: end_phase(system, builder, forced, did))
        entry = replace(entry, prepared=again)
    try:
        check_again(entry, version)
    except OrderRefused as refusal:
        return Ruling(state=State.PARKED, findings=refusal.findings)
    return entry


def check_again(entry: PreparedEntry, version: Version) -> None:
    """Check an entry that was prepared again, and its dice: more than it can have are not cut off.

    Raises:
        OrderRefused: What hinders it now and was not overridden, or dice that it cannot have.

    """
    # What has no clause is overridden along with the rest.
    overrode = (*version.overrode, "") if version.overrode else ()
    new = tuple(f for f in entry.prepared.findings if not f.refused or f.clause not in overrode)
    if new and not entry.order.is_phase_end:
        raise OrderRefused(*new)
    check_dice(entry)


def may_be_early(battle: Battle, order: Order, recorded: Ruling | None) -> bool:
    """Whether an answer may come before the end of the phase asks for it.

    That is where nothing else is open, or where it was put (`recorded`) ahead of that end, which alone asked.
    """
    if not battle.owed or recorded is None:
        return True
    for effect in recorded.decision.effects:
        if effect.op is Op.SETTLE and effect.value == order.key:
            return False
        if effect.op is Op.OWE and isinstance(effect.value, Owed) and effect.value.key == order.key:
            return True
    return False


def written(system: RuleSystem, battle: Battle, number: int, entry: PreparedEntry) -> DecisionBuilder:
    """What an order that may be played does, with what it ends or wins."""
    builder = DecisionBuilder(battle, number)
    begin(builder, entry)
    carry_out(system, builder, entry, entry.faces)
    follow(system, builder)
    ends = system.ended(builder.battle)
    if ends and not system.ended(battle):
        builder.because(ends, system.ended_by)
    for event in newly_reached(battle, builder.battle):
        builder.because(event.text)
    return builder


def begin(builder: DecisionBuilder, entry: PreparedEntry) -> None:
    """Writes what an order does before its dice count: what it declares, the question that it settles."""
    if entry.question is None:
        entry.prepared.declare(builder)
        return
    for effect in entry.asked:
        builder.write(effect.op, effect.ship, effect.field, effect.value, hand=effect.hand)
    builder.settle(entry.question)


def carry_out(
    system: RuleSystem, builder: DecisionBuilder, entry: PreparedEntry, faces: tuple[int, ...]
) -> None:
    """Writes what an order that was begun does by all faces of its dice; those still missing are owed.

    Whatever falls due behind it is left to `follow`.
    """
    prepared, question = entry.prepared, entry.question
    missing = prepared.missing(faces)
    if missing and question is None and not prepared.missing(()):
        # A correction left too few for what needs none yet: something else is thrown before them.
        faces, missing = (), ()
    if not missing:
        prepared.decide(faces, builder)
    elif question is not None:
        builder.write(Op.OWE, question.ship, question.line, replace(question, dice=missing, faces=faces))
    else:
        prepared.waits(builder)
        builder.owe(
            prepared.owes,
            prepared.ship,
            prepared.prompt,
            *missing,
            order=entry.order.bare,
            faces=faces,
        )
    for text in prepared.assumes:
        builder.because(text)
    settle_met(builder, entry.order)
    _lapse_unanswerable(system, builder)


def follow(system: RuleSystem, builder: DecisionBuilder) -> None:
    """Writes what falls due once nothing of this phase is owed any more."""
    if all(owed.late for owed in builder.battle.owed):
        system.follow(builder.battle, builder)


def _lapse_unanswerable(system: RuleSystem, builder: DecisionBuilder) -> None:
    """Takes questions off the queue that nothing is left to answer, or that nobody asks any more.

    A late one stays: it is answered where it belongs, on the battle as it was there.
    """
    for owed in builder.battle.owed:
        if not (owed.late or owed.line == SCHEDULE or system.answerable(builder.battle, owed)):
            builder.settle(owed)
            why = ": it is not asked for" if owed.dice else " Nothing is left to answer: the question lapses"
            builder.because(f"{owed.prompt}{why}")
            system.lapse(builder, owed)


def begun(system: RuleSystem, battle: Battle) -> Battle:
    """A battle before its first order, with what it owes then."""
    builder = DecisionBuilder(battle, 0)
    system.follow(battle, builder)
    made = replace(builder.battle, began=None)
    return made if battle.began is None else replace(made, began=made)


def prepare_order(system: RuleSystem, battle: Battle, order: Order) -> PreparedEntry:
    """An order prepared on a battle; OrderRefused says what stands against it."""
    version = Version(order)
    entry = prepare_entry(system, battle, version)
    check_findings(entry.prepared.findings, version)
    check_dice(entry)
    return entry


def played(system: RuleSystem, battle: Battle, number: int, entry: PreparedEntry, throw: ThrowDie) -> Battle:
    """The battle after an order that was made ready on it, the dice that it wants thrown.

    OrderRefused where dice are left that it cannot be entered without.
    """
    entry = with_dice(entry, throw)
    if entry.missing and (entry.order.dice or entry.question is not None or not entry.prepared.may_wait):
        raise OrderRefused(f"{entry.order.word}: still missing {len(entry.missing)} dice")
    return written(system, battle, number, entry).battle
