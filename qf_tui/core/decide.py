"""The decision of one order on one battle: it is refused, declared with its dice still owed, or decided.

`decide_fresh` decides an order typed now, `play_again` an entry after a correction. Both take the same steps;
they differ only in what happens when a rule refuses.
"""

from collections.abc import Callable
from enum import Enum, auto

from qf_tui.core.builtin_orders import end_phase, format_owed_queue, prepare_builtin
from qf_tui.core.decisions import DecisionBuilder, Effect, Op, fold
from qf_tui.core.declarations import PreparedEntry
from qf_tui.core.dice_source import DiceSource
from qf_tui.core.errors import Finding, OrderRefused, impossible, refused
from qf_tui.core.grammar.kinds import find_absent_ship
from qf_tui.core.grammar.names import format_typed_faces, list_readings
from qf_tui.core.schedule import SCHEDULE, list_newly_reached, prepare_no, settle_scheduled_questions
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Ruling, State, Timeline, Version
from qf_tui.core.values import CALL, Battle, Die, Faces, Order, Owed, is_pool, replace

ThrowDie = Callable[[Die], int]
"""A function that throws a die and returns its face."""
NAMED_DICE_MOST = 4
"""The most missing dice that a refusal names; of more it states the number."""
SUGGEST_MOST = 8
"""The most digits for which other faces are suggested; more could be split in millions of ways."""


class DiceOf(Enum):
    """Where the dice of an order come from.

    Dice that an amendment lacks are owed. Kept dice that an order cannot need are dropped.
    """

    ENTRY = auto()  # typed or thrown with a new entry
    AMENDMENT = auto()  # typed with an amended order
    OLDER_VERSION = auto()  # kept from the version that it amends


def _find_early_effects(system: RuleSystem, battle: Battle, order: Order) -> tuple[Effect, ...]:
    """Return the effects that a phase end would have if it asks the question of an answer; else ()."""
    if not order.key or battle.find_question(order.key) is not None:
        return ()
    # Try the end of the phase on a copy, to see whether it would ask this question.
    builder = DecisionBuilder(battle, order.cause)
    system.leave(battle, builder, carried=False)
    would_ask = builder.battle.find_question(order.key) is not None
    return builder.build_decision().effects if would_ask else ()


def prepare_entry(
    system: RuleSystem, battle: Battle, version: Version, *, early: bool = False
) -> PreparedEntry:
    """Prepare an order, or the answer to an owed question.

    Args:
        early: True if an answer may come before the end of the phase asks for it. Such an answer has its
            place in the log before that end.

    Raises:
        OrderRefused: The order has no meaning in this battle.
    """
    order = version.order
    fault = find_absent_ship(order.form.slots, order.slots, battle)
    if fault:
        raise OrderRefused(fault)
    if not order.is_answer:
        is_builtin = all(form.word != order.word for form in system.forms)
        if is_builtin:
            return PreparedEntry(order, prepare_builtin(system, battle, version))
        prepared = system.prepare(battle, order)
        range_findings = _list_estimate_findings(system, battle, order)
        if range_findings:
            prepared = replace(prepared, findings=(*prepared.findings, *range_findings))
        return PreparedEntry(order, prepared)
    early_effects = _find_early_effects(system, battle, order) if early else ()
    # The entry number counts only when a phase begins, which these effects do not.
    battle = fold(battle, early_effects, 0)
    question = find_owed_question(battle, order)
    if question.line == SCHEDULE:
        prepared = prepare_no(question, order.list_texts("words"))
    elif order.word == "roll":
        prepared = system.prepare_roll(battle, question)
    else:
        words = system.complete_answer(battle, question, order.list_texts("words"))
        order = order.with_slot("words", words)
        prepared = system.prepare_answer(battle, question, words)
    return PreparedEntry(order.with_slot("key", question.key), prepared, question, early_effects)


def _list_estimate_findings(system: RuleSystem, battle: Battle, order: Order) -> tuple[Finding, ...]:
    """List the findings against an estimated range, if a switch of the rules requires measured ranges."""
    if not order.estimated:
        return ()
    return tuple(
        refused(f"the range is estimated: measure it (switch {option.name})", option.clause)
        for option in system.options
        if option.measured_only and battle.options.get(option.name, option.default) == option.measured_only
    )


def find_owed_question(battle: Battle, order: Order) -> Owed:
    """Find the owed question that a `roll` or `answer` is for, by its key or else the first.

    Raises:
        OrderRefused: There is no such question, and the message lists the owed ones; or the key's question
            needs the other word.
    """
    wants_dice = order.word == "roll"
    fitting = [owed for owed in battle.owed_in_order if bool(owed.dice) == wants_dice]
    key = order.key
    if not key and fitting:
        return fitting[0]
    question = battle.find_question(key)
    if question in fitting and question is not None:
        return question
    if question is not None:
        raise OrderRefused(f"{key} needs {'dice: roll' if question.dice else 'words: answer'} {key} ...")
    queue = format_owed_queue(battle)
    state = "nothing is owed" if not queue else f"not owed; owed: {queue}"
    raise OrderRefused(f"{key or order.word}: {state}")


def check_dice(entry: PreparedEntry) -> None:
    """Check the faces of an order.

    Raises:
        OrderRefused: A face is not on its die, or there are more dice than the order can need.
    """
    dice, faces = entry.prepared.dice, entry.faces
    if len(faces) > len(dice):
        dice_names = ", ".join(map(str, dice))
        counted = f"one die, a {dice_names}" if len(dice) == 1 else f"{len(dice)} dice: {dice_names}"
        takes = counted if dice else "no dice"
        raise OrderRefused(
            f"too many dice: {len(faces)} given; the order takes {takes}{_suggest_faces(dice, faces)}"
        )
    for die, face in zip(dice, faces, strict=False):
        if face not in die.faces:
            article = "an" if str(face).startswith("8") or face in (11, 18) else "a"
            faces_are = f"its faces are {die.least} to {die.most}"
            raise OrderRefused(f"{article} {face} on the {die}: {faces_are}{_suggest_faces(dice, faces)}")


def _suggest_faces(dice: tuple[Die, ...], faces: Faces) -> str:
    """Suggest other ways to split the typed digits into faces: `; did you mean 3 11?`, or ""."""
    digits = "".join(map(str, faces))
    readings = list_readings(digits, dice) if len(digits) <= SUGGEST_MOST else ()
    return f"; did you mean {' or '.join(map(format_typed_faces, readings))}?" if readings else ""


def decide_fresh(  # noqa: PLR0913 - a new entry depends on this much; the last five are given by name
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
    """Decide an order that is entered now: check it, throw its missing dice, and work out its effects.

    Args:
        number: Number of the entry.
        throw: Function that throws the console's dice for those not typed.
        dice: Origin of the dice of the order.
        early: True if an answer may come before the end of the phase asks for it.
        entry: The prepared order, if it was prepared before.
        source: Source that throws the dice of a call.
        before: The timeline before the act, for the source.

    Returns:
        The version for the log, and the ruling.

    Raises:
        OrderRefused: A finding is against the order, a face or a call is wrong, or dice are missing.
    """
    entry = entry or prepare_entry(system, battle, version, early=early)
    # Checked here, because `prepare` does not know the number of this entry.
    _check_doubted(entry.order, number)
    keeps_dice = dice is DiceOf.OLDER_VERSION
    if source is not None and before is not None:
        version = source.add_context(before, battle, number, entry, version, keeps_dice=keeps_dice)
    elif version.call is not None and not keeps_dice:
        raise OrderRefused(f"{CALL} {version.call}: this battle has no called dice; type the faces")
    order = replace(entry.order, dice=version.dice, call=version.call)
    if keeps_dice:
        # An older version may have had more dice than the new order can need.
        order = replace(order, dice=order.dice[: len(entry.prepared.dice)])
        # `between` has the bounds of each die that a call threw.
        version = replace(version, between=version.between[: len(order.dice)])
    entry = replace(entry, order=order)
    findings = entry.prepared.findings
    call_findings = source.check(version.order) if source is not None and not keeps_dice else ()
    check_findings((*findings, *call_findings), version)
    check_dice(entry)
    known_count = len(entry.order.dice)
    call_has_thrown = keeps_dice and bool(version.between)
    if source is None:
        entry = throw_missing_dice(entry, throw)
    elif version.call is not None and not call_has_thrown:
        entry, version = source.throw(entry, version, version.call)
    if dice is DiceOf.ENTRY:
        _check_missing_dice(entry)
    overrode = tuple(finding.clause for finding in findings) if version.forced else ()
    throws_now = len(entry.order.dice) > known_count
    keeps_thrown_dice = version.thrown and known_count > 0
    entered = replace(
        version,
        order=entry.order,
        overrode=overrode,
        estimated=entry.order.estimated,
        thrown=throws_now or keeps_thrown_dice,
    )
    return entered, Ruling(write_effects(system, battle, number, entry).build_decision())


def _check_doubted(order: Order, number: int) -> None:
    """Check that the entry which a `doubt` names is earlier than its own, `number`.

    Raises:
        OrderRefused: There is no such earlier entry.
    """
    doubted = order.number("entry") if order.word == "doubt" else None
    if doubted is not None and not 0 < doubted < number:
        raise OrderRefused(f"doubt {doubted}: there is no entry {doubted}")


def _check_missing_dice(entry: PreparedEntry) -> None:
    """Check that the dice still missing from a new entry may be owed.

    Raises:
        OrderRefused: The entry is an answer, has some of its dice but not all, or cannot wait for its dice.
    """
    missing = entry.missing
    if missing and not _may_owe_dice(entry):
        needed = ", ".join(map(str, missing)) if len(missing) <= NAMED_DICE_MOST else f"{len(missing)} dice"
        raise OrderRefused(f"{entry.order.word}: still missing {needed}")


def _may_owe_dice(entry: PreparedEntry) -> bool:
    return not entry.order.dice and entry.question is None and entry.prepared.may_wait


def check_findings(findings: tuple[Finding, ...], version: Version) -> None:
    """Check that there are no findings, or that the umpire forces the order and may force each one.

    Raises:
        OrderRefused: At least one finding prevents the order.
    """
    # Only a finding that is `refused` by a rule can be forced; the others are impossible, and come first.
    if any(not (finding.refused and version.forced) for finding in findings):
        raise OrderRefused(*sorted(findings, key=lambda finding: finding.refused))


def throw_missing_dice(entry: PreparedEntry, throw: ThrowDie | None) -> PreparedEntry:
    """Throw the console's dice that an order still needs: a pool at once, other dice one by one.

    The order stays unchanged without `throw`, and if its dice are not thrown when it is entered.
    """
    if throw is None or not entry.prepared.thrown_at_once:
        return entry
    earlier_faces: Faces = entry.faces
    new_faces: Faces = ()
    while missing := entry.prepared.missing((*earlier_faces, *new_faces)):
        new_faces += tuple([throw(die) for die in (missing if is_pool(missing) else missing[:1])])
    if not new_faces:
        return entry
    return replace(entry, order=replace(entry.order, dice=(*entry.order.dice, *new_faces)))


def play_again(
    system: RuleSystem, battle: Battle, number: int, version: Version, recorded: Ruling | None = None
) -> tuple[Ruling, Battle]:
    """Decide an entry again on another battle.

    An answer may come before its question is asked, as far as `may_be_early` allows it.

    Args:
        recorded: Ruling of the entry when it was put at its place. A `next` that ended its phase then, ends
            it again.

    Returns:
        The ruling (the entry counts, is parked with its findings, or its dice are spare), and the battle
        after the entry.
    """
    entry = prepare_again(system, battle, version, recorded)
    if isinstance(entry, Ruling):
        return entry, battle
    builder = write_effects(system, battle, number, entry)
    return Ruling(builder.build_decision()), builder.battle


def prepare_again(
    system: RuleSystem, battle: Battle, version: Version, recorded: Ruling | None = None
) -> PreparedEntry | Ruling:
    """Prepare an entry again on another battle, ready for `write_effects`.

    Returns:
        The prepared entry, or the ruling of an entry that does not count on this battle.
    """
    try:
        entry = prepare_entry(system, battle, version, early=may_be_early(battle, version.order, recorded))
    except OrderRefused as refusal:
        if version.order.is_answer:
            # The message that lists what else is owed is not used: it would change the ruling each time.
            return Ruling(state=State.SPARE, findings=(impossible("no question asks for it"),))
        return Ruling(state=State.PARKED, findings=refusal.findings)
    if entry.order.is_phase_end:
        # The recorded decision is repeated: the phase ends, or only questions are asked.
        forced = entry.order.forced
        recorded_decision = (
            recorded.decision if recorded is not None and recorded.state is State.STANDS else None
        )
        repeated = replace(
            entry.prepared,
            decide=lambda faces, builder: end_phase(system, builder, forced, recorded_decision),
        )
        entry = replace(entry, prepared=repeated)
    try:
        check_again(entry, version)
    except OrderRefused as refusal:
        return Ruling(state=State.PARKED, findings=refusal.findings)
    return entry


def check_again(entry: PreparedEntry, version: Version) -> None:
    """Check an entry that was prepared again, and its dice.

    Raises:
        OrderRefused: There are findings that the entry did not override, or it has impossible dice. Findings
            against the end of a phase do not count, because a recorded end is repeated.
    """
    # A forced entry overrides also the findings that have no clause.
    overruled = (*version.overrode, "") if version.overrode else ()
    new_findings = tuple(
        finding
        for finding in entry.prepared.findings
        if not finding.refused or finding.clause not in overruled
    )
    if new_findings and not entry.order.is_phase_end:
        raise OrderRefused(*new_findings)
    check_dice(entry)


def may_be_early(battle: Battle, order: Order, recorded: Ruling | None) -> bool:
    """Return whether an answer may come before the end of the phase asks its question.

    It may if nothing is owed, if the entry is new, or if the answer came early when it was put at its place.

    Args:
        recorded: Ruling of the entry when it was put at its place, or None if it is new.
    """
    if not battle.owed or recorded is None:
        return True
    # An early answer first asks its own question; any other answer only takes it off the queue.
    for effect in recorded.decision.effects:
        if effect.op is Op.SETTLE and effect.value == order.key:
            return False
        if effect.op is Op.OWE and isinstance(effect.value, Owed) and effect.value.key == order.key:
            return True
    return False


def write_effects(system: RuleSystem, battle: Battle, number: int, entry: PreparedEntry) -> DecisionBuilder:
    """Write all effects of an accepted order, and reasons that state the end of the battle or a victory."""
    builder = DecisionBuilder(battle, number)
    start_entry(builder, entry)
    carry_out_entry(system, builder, entry, entry.faces)
    follow_up(system, builder)
    ends = system.ended(builder.battle)
    if ends and not system.ended(battle):
        builder.because(ends, system.ended_by)
    for event in list_newly_reached(battle, builder.battle):
        builder.because(event.text)
    return builder


def start_entry(builder: DecisionBuilder, entry: PreparedEntry) -> None:
    """Write the effects of an entry before its dice.

    For an order this is its declaration. An early answer first asks its own question; any answer takes its
    question off the queue.
    """
    if entry.question is None:
        entry.prepared.declare(builder)
        return
    for effect in entry.asked:
        builder.write(effect.op, effect.ship, effect.field, effect.value, hand=effect.hand)
    builder.settle(entry.question)


def carry_out_entry(
    system: RuleSystem, builder: DecisionBuilder, entry: PreparedEntry, faces: tuple[int, ...]
) -> None:
    """Write the effects of a declared order or of an answer for its faces; missing dice are owed.

    Effects that follow once nothing is owed are not written here.

    Args:
        faces: All faces that count, also those thrown before.
    """
    prepared, question = entry.prepared, entry.question
    missing = prepared.missing(faces)
    no_dice_are_due = question is None and not prepared.missing(())
    if missing and no_dice_are_due:
        # After a correction, other dice may come first. The old faces are dropped.
        faces, missing = (), ()
    if not missing:
        prepared.decide(faces, builder)
    elif question is not None:
        builder.write(Op.OWE, question.ship, question.line, replace(question, dice=missing, faces=faces))
    else:
        prepared.write_while_owed(builder)
        builder.owe(
            prepared.owes,
            prepared.ship,
            prepared.prompt,
            *missing,
            order=entry.order.without_dice,
            faces=faces,
        )
    for text in prepared.assumes:
        builder.because(text)
    settle_scheduled_questions(builder, entry.order)
    _remove_unanswerable(system, builder)


def follow_up(system: RuleSystem, builder: DecisionBuilder) -> None:
    """Write the effects that follow once the current phase waits for no roll or answer."""
    if all(owed.late for owed in builder.battle.owed):
        system.follow(builder.battle, builder)


def _remove_unanswerable(system: RuleSystem, builder: DecisionBuilder) -> None:
    """Remove owed questions that have no possible answer left, or that are no longer asked.

    Questions of the schedule stay. So does a late question: it is answered at its own place in the log, on
    the battle at that place.
    """
    for owed in builder.battle.owed:
        if not (owed.late or owed.line == SCHEDULE or system.answerable(builder.battle, owed)):
            builder.settle(owed)
            reason = ": no longer asked" if owed.dice else " The question lapses: no answer is possible"
            builder.because(f"{owed.prompt}{reason}")
            system.lapse(builder, owed)


def begin_battle(system: RuleSystem, battle: Battle) -> Battle:
    """Return a starting battle with the questions that the rules ask before its first order."""
    builder = DecisionBuilder(battle, entry=0)
    system.follow(battle, builder)
    # The start of the phase, if the battle keeps one, has the same questions.
    begun = replace(builder.battle, began=None)
    return begun if battle.began is None else replace(begun, began=begun)


def prepare_order(system: RuleSystem, battle: Battle, order: Order) -> PreparedEntry:
    """Prepare an order on a battle and check it.

    Raises:
        OrderRefused: There are findings against the order or its dice.
    """
    version = Version(order)
    entry = prepare_entry(system, battle, version)
    check_findings(entry.prepared.findings, version)
    check_dice(entry)
    return entry


def play_prepared(
    system: RuleSystem, battle: Battle, number: int, entry: PreparedEntry, throw: ThrowDie
) -> Battle:
    """Return the battle after a prepared order, with its dice thrown by `throw`.

    Raises:
        OrderRefused: Dice are missing that cannot be owed.
    """
    entry = throw_missing_dice(entry, throw)
    if entry.missing and not _may_owe_dice(entry):
        raise OrderRefused(f"{entry.order.word}: still missing {len(entry.missing)} dice")
    return write_effects(system, battle, number, entry).battle
