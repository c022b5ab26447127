"""Corrections of a log: `undo`, `redo`, `strike`, `restore`, `amend`, `insert` and `shift` of its acts.

Here the order for a correction becomes an act; `revisions` works out what the act changes. Also here: the
scope in which orders are read on a timeline.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import islice

from attrs import evolve, frozen

from qf_tui.core.builtin_forms import AMEND, CORRECTIONS, INSERT, NOTE, REDO, SHIFT, UNDO
from qf_tui.core.decide import DiceOf
from qf_tui.core.errors import OrderRefused
from qf_tui.core.grammar.names import Named, Reach, Scope, Vocabulary
from qf_tui.core.timeline import (
    Correction,
    CorrectionKind,
    Entry,
    LogAct,
    Timeline,
    Version,
    is_undo,
)
from qf_tui.core.values import Battle, Order, Owed, Ship

_FORMS = {kind: form for kind in CorrectionKind for form in CORRECTIONS if form.word == kind.value}


@frozen
class AskedCorrection:
    """A correction that was asked for, before it is worked out.

    Attributes:
        act: The act for the log.
        dice: Origin of the dice of the order that it brings.
        forced: True if an entry that it moves counts at its new place even if a rule refuses it there.
    """

    act: LogAct
    dice: DiceOf = DiceOf.ENTRY
    forced: bool = False


def build_correction(timeline: Timeline, order: Order, version: Version | None) -> AskedCorrection:
    """Build the act that the order of a correction asks for.

    Args:
        version: The play order that an `amend` or `insert` brings, with its data from files; else None.

    Raises:
        OrderRefused: An act that it names does not exist or does not permit it, or nothing would change.
    """
    if order.form in (UNDO, REDO):
        return AskedCorrection(_build_undo(timeline, order.word, order.number("k") or 1))
    number = order.number("n") or 0
    if order.form is SHIFT:
        return AskedCorrection(
            _build_shift(timeline, number, order.number("m") or 0), forced=order.has("force")
        )
    if order.form is AMEND:
        return _build_amendment(timeline, number, order, version)
    if order.form is INSERT and version is not None:
        if number:
            _check_entry(timeline, number, order.word)
        return AskedCorrection(Entry(timeline.next_number, version, number))
    return AskedCorrection(_build_strike(timeline, order.word, number))


def as_order(act: Correction) -> Order:
    """Build the order that asks for a correction, for example to show it."""
    target, count = act.targets[0], len(act.targets)
    if act.kind in (CorrectionKind.UNDO, CorrectionKind.REDO):
        return Order(_FORMS[act.kind], {"k": count} if count > 1 else {})
    if act.kind is CorrectionKind.AMEND and act.version is not None:
        # The order in the version says itself whether it is forced.
        return Order(AMEND, {"n": target, "order": act.version.order})
    if act.after is not None:
        # Only a forced shift brings a version.
        forced = {"force": True} if act.version is not None else {}
        return Order(SHIFT, {"n": target, "m": act.after, **forced})
    return Order(_FORMS[act.kind], {"n": target})


def build_insertion(after: int, order: Order) -> Order:
    """Build the order that inserts a forgotten order right after an entry."""
    return Order(INSERT, {"n": after, "order": order})


def build_scope(
    vocabulary: Vocabulary,
    timeline: Timeline,
    reach: Reach = Reach.BEGINS,
    arrivals: Callable[[], Mapping[str, Ship]] | None = None,
    elsewhere: Callable[[], Sequence[Named]] = tuple,
) -> Scope:
    """Build the scope in which orders are read on a timeline.

    An order inside a correction is read on the battle at its future place.

    Args:
        reach: How much of a name letters may match.
        arrivals: Function that gives the ships that may join, by id; None for the ships of the reserve.
        elsewhere: Function that gives further ships that may join, used if no other name matches.
    """

    def find_before(number: int) -> Battle | None:
        return timeline.battle_at(timeline.find_place(number)) if timeline.is_in_play(number) else None

    def find_after(number: int) -> Battle | None:
        if number and not isinstance(timeline.find_act(number), Entry):
            return None
        # A trial entry shows where an order inserted after this entry would be played.
        trial_number = timeline.next_number
        play_order, _ = timeline.find_structure_with(Entry(trial_number, Version(Order(NOTE, {})), number))
        return timeline.battle_at(play_order.index(trial_number))

    battle = timeline.battle
    return Scope(
        vocabulary, battle, reach, arrivals or (lambda: battle.reserve), elsewhere, find_before, find_after
    )


def _build_undo(timeline: Timeline, word: str, count: int) -> Correction:
    """Build the `undo` or `redo` of the last `count` acts.

    Raises:
        OrderRefused: There are fewer acts to strike or restore.
    """
    if word == UNDO.word:
        # Only the last `count` acts are read, then put back in their order in the log.
        candidates = [act.number for act in islice(timeline.undoable, count)][::-1]
    else:
        # A struck undo is not redone, because no undo strikes it.
        struck_numbers = timeline.struck_order
        candidates = [number for number in struck_numbers if not is_undo(timeline.log[number - 1])]
    if len(candidates) < count:
        state = "in force" if word == UNDO.word else "struck"
        acts = "only 1 entry is" if len(candidates) == 1 else f"only {len(candidates)} entries are"
        shortage = f"{acts} {state}" if candidates else f"there is nothing to {word}"
        raise OrderRefused(f"{word}: {shortage}" if count == 1 else f"{word} {count}: {shortage}")
    targets = tuple(reversed(candidates[-count:]))
    return Correction(timeline.next_number, CorrectionKind(word), targets)


def _build_strike(timeline: Timeline, word: str, number: int) -> Correction:
    """Build the `strike` or `restore` of an act.

    Raises:
        OrderRefused: There is no such act, or it is struck or in force already.
    """
    if timeline.find_act(number) is None:
        raise OrderRefused(f"{word} {number}: there is no entry {number}")
    wants_strike = word == CorrectionKind.STRIKE
    if wants_strike != timeline.is_in_force(number):
        state = "already struck" if wants_strike else "in force"
        raise OrderRefused(f"{word} {number}: it is {state}")
    return Correction(timeline.next_number, CorrectionKind(word), (number,))


def _check_entry(timeline: Timeline, number: int, word: str) -> None:
    """Check that a number is that of an entry.

    Raises:
        OrderRefused: There is no such act, or it is a correction.
    """
    act = timeline.find_act(number)
    if act is None:
        raise OrderRefused(f"{word} {number}: there is no entry {number}")
    if not isinstance(act, Entry):
        raise OrderRefused(f"{word} {number}: {number} is a correction; strike or restore it instead")


def _build_shift(timeline: Timeline, number: int, after: int) -> Correction:
    """Build the shift of an entry, with the answers to its questions, to the place after another entry.

    Args:
        after: That other entry; 0 for the start.

    Raises:
        OrderRefused: The entry cannot be shifted there, or nothing would change.
    """
    _check_entry(timeline, number, "shift")
    if not timeline.is_in_force(number):
        raise OrderRefused(f"shift {number}: it is struck; restore it first")
    if after:
        _check_entry(timeline, after, "shift after")
    block = _list_with_answers(timeline, number)
    if after in block:
        raise OrderRefused(f"shift {number} after {after}: {after} is the entry itself or its answer")
    shifted = Correction(timeline.next_number, CorrectionKind.SHIFT, block, after=after)
    new_play_order, _ = timeline.find_structure_with(shifted)
    if new_play_order == timeline.play_order:
        raise OrderRefused(f"shift {number} after {after}: {_explain_no_shift(timeline, number, after)}")
    return shifted


def _explain_no_shift(timeline: Timeline, number: int, after: int) -> str:
    """Explain why a shift leaves an entry in its place.

    It is there already, or must follow the entry whose question it answers, or follows an entry that was put
    after the same entry earlier.
    """
    earlier = timeline.play_order[: timeline.find_place(number)]
    previous = earlier[-1] if earlier else 0
    if previous == after:
        return "it is there already"
    if number in _list_with_answers(timeline, previous):
        return f"it would stay after {previous}, whose question it answers"
    return (
        f"it would stay after {previous}, which was put after {after} first; "
        f"`shift {previous} after {number}` puts {previous} after it"
    )


def _list_with_answers(timeline: Timeline, number: int) -> tuple[int, ...]:
    """List an entry and, in play order, all answers to questions that it asked directly or indirectly."""
    block = {number}
    asked_keys = set[str]()
    # The entry comes first, because it is not in the play order if it is struck.
    for entry in (number, *timeline.play_order):
        order = timeline.versions[entry].order
        if entry == number or order.cause in block or (order.key and order.key in asked_keys):
            block.add(entry)
            effects = timeline.rulings[entry].decision.effects
            asked_keys.update(effect.value.key for effect in effects if isinstance(effect.value, Owed))
    ordered = tuple(other for other in timeline.play_order if other in block)
    return ordered if number in ordered else (number, *ordered)


def _build_amendment(
    timeline: Timeline, number: int, amend: Order, version: Version | None
) -> AskedCorrection:
    """Build the amendment of an entry, with new dice or another order.

    An order without dice or call keeps the dice and the call of the old version.

    Args:
        amend: The `amend` itself, with the new dice or call if there is no new order.
        version: The new order, or None for new dice only.

    Raises:
        OrderRefused: The entry cannot be amended, or not by this order.
    """
    _check_entry(timeline, number, "amend")
    if not timeline.is_in_force(number):
        raise OrderRefused(f"amend {number}: it is struck; restore it first")
    old = timeline.versions[number]
    if version is None:
        if not old.order.form.dice:
            raise OrderRefused(f"amend {number}: “{old.order.resolved}” has no dice")
        rethrown = _with_dice(old, old, amend.dice)
        # The faces that a call could throw (`between`) were those of the old dice.
        rethrown = evolve(rethrown, order=evolve(rethrown.order, call=amend.call), between=())
        return _wrap_amendment(timeline, number, rethrown)
    if old.order.is_phase_end:
        raise OrderRefused(f"amend {number}: the end of a phase can be struck, not amended")
    if version.order.is_phase_end:
        raise OrderRefused(f"amend {number}: an entry cannot become the end of a phase")
    version = evolve(version, context=old.context)
    if version.order.dice or version.call is not None:
        return _wrap_amendment(
            timeline, number, _with_dice(version, old, version.order.dice), DiceOf.AMENDMENT
        )
    version = evolve(version, order=evolve(version.order, call=old.call), between=old.between)
    return _wrap_amendment(timeline, number, _with_dice(version, old, old.dice), DiceOf.OLDER_VERSION)


def _with_dice(version: Version, old: Version, dice: tuple[int, ...]) -> Version:
    """Set the dice of a version. They still count as thrown by the console if they are those of `old`."""
    thrown = old.thrown and dice == old.order.dice
    return evolve(version, order=evolve(version.order, dice=dice), thrown=thrown)


def _wrap_amendment(
    timeline: Timeline, number: int, version: Version, dice: DiceOf = DiceOf.ENTRY
) -> AskedCorrection:
    """Wrap the new version of an entry as an amendment of the log."""
    return AskedCorrection(Correction(timeline.next_number, CorrectionKind.AMEND, (number,), version), dice)
