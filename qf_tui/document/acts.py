"""Texts for the acts of a battle's log: what was ordered, what happened to which ship, and remarks."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from enum import Enum

from attrs import evolve, frozen

from qf_tui.core.builtin_forms import NOTE
from qf_tui.core.corrections import as_order
from qf_tui.core.decisions import Decision, Op, Reason, Results
from qf_tui.core.declarations import Event, find_result_kind
from qf_tui.core.revisions import ValueChange, combine_changes, list_effect_changes
from qf_tui.core.schedule import find_scheduled_order, list_events
from qf_tui.core.system import RuleSystem, find_field, find_phase, format_field_title
from qf_tui.core.text import format_count, format_ship_value, join_as_sentence
from qf_tui.core.timeline import (
    RESTORES,
    STRIKES,
    Correction,
    CorrectionKind,
    Entry,
    LogAct,
    Ruling,
    State,
    Timeline,
    Version,
)
from qf_tui.core.values import (
    CALL,
    Battle,
    Order,
    Owed,
    Provenance,
    Ship,
    format_dice,
)
from qf_tui.document.values import TextSpan
from qf_tui.document.words import (
    JOINT,
    RECONSTRUCTED,
    EffectFacts,
    EffectKind,
    OrderFacts,
    ShownChange,
    count_reasons,
    format_codes,
    format_effect,
    format_order_or_answer,
    format_order_sentence,
    format_reasons,
    format_ship_changes,
    is_number,
    is_reconstructed,
)

OWN = "‡"
"""Mark for a chart cell of the umpire's own."""
SIGNS = {Provenance.ATTESTED: "", Provenance.RECONSTRUCTED: RECONSTRUCTED, Provenance.OWN: OWN}
"""Sign that is written after a chart cell, by its provenance."""

_VERBS = dict.fromkeys(STRIKES, "strikes") | dict.fromkeys(RESTORES, "restores")


@frozen
class ActText:
    """The texts of one act.

    Attributes:
        order: The order with its dice, as it is typed.
        result: What it did.
        clause: Clause that decided the result, or "".
        state: `struck`, `parked`, `spare`, or "".
        title: The order as people say it: `roll 5 for direction of Fuji`.
    """

    number: int
    order: str
    result: str
    clause: str
    state: str = ""
    title: str = ""

    def __str__(self) -> str:
        note = f" [{self.state}]" if self.state else ""
        return f"{self.number:>4} {self.title}{note}  {self.result}".rstrip()


def describe_act(timeline: Timeline, act: LogAct, in_force: AbstractSet[int] | None = None) -> ActText:
    """Describe an act of the log: its order, its result, and whether it still counts.

    A correction has no result here; `describe_act_with_targets` adds one for those that strike or restore.

    Args:
        in_force: `timeline.in_force`, if the caller has it already.
    """
    is_in_force = timeline.is_in_force(act.number) if in_force is None else act.number in in_force
    struck = "" if is_in_force else "struck"
    if isinstance(act, Correction):
        words = as_order(act).line
        return ActText(act.number, words, result="", clause="", state=struck, title=words)
    version = timeline.versions.get(act.number, act.version)
    ruling = timeline.rulings[act.number]
    stands = ruling.state is State.STANDS
    state = struck or ("" if stands else ruling.state.value)
    order = version.order.line
    title = format_title(timeline, act.number, version)
    # The text of a note already says everything.
    result = "" if stands and version.order.form is NOTE else format_outcome(ruling)
    return ActText(act.number, order, result, find_deciding_clause(ruling), state, title)


def describe_act_with_targets(
    timeline: Timeline, act: LogAct, in_force: AbstractSet[int] | None = None
) -> ActText:
    """Describe an act; for a correction that strikes or restores, the result says which acts.

    The first NAMED_MOST acts are named, the others counted.
    """
    text = describe_act(timeline, act, in_force)
    if not isinstance(act, Correction) or act.kind not in _VERBS:
        return text
    targets = "; ".join(
        f"{number} {describe_act(timeline, timeline.log[number - 1], in_force).title}"
        for number in act.targets[:NAMED_MOST]
    )
    more = f" and {len(act.targets) - NAMED_MOST} more" if len(act.targets) > NAMED_MOST else ""
    return evolve(text, result=f"{_VERBS[act.kind]} {targets}{more}")


def format_title(timeline: Timeline, number: int, version: Version) -> str:
    """Format an order with full names, or an answer with its question: `roll 5 for direction of Fuji`."""
    order = version.order
    if not order.is_answer:
        return order.line
    call = () if order.call is None else (CALL, str(order.call))
    answer = " ".join((*order.answer_words, *map(str, order.dice), *call))
    forced = "force " if order.forced else ""
    # A prompt may say more after its question mark; the title has only the question.
    prompt, mark, _ = format_question(timeline, number, order).partition("?")
    return f"{forced}{order.word} {answer} for {prompt}{mark}"


def format_question(timeline: Timeline, number: int, order: Order) -> str:
    """Format what an answer was owed for: the prompt of its owed roll.

    If no entry asks for that roll any more, the text is built from its key.
    """
    if owed := find_question(timeline, number, order.key):
        return owed.prompt
    key = order.question_key
    ship_text = f" of {timeline.battle.find_ship_name(key.ship)}" if key.ship else ""
    return f"{key.line.replace('-', ' ')}{ship_text}"


def find_question(timeline: Timeline, number: int, key: str) -> Owed | None:
    """Find the owed roll that an answer is for, or None.

    The latest earlier entry that asks for it comes first, then the first later one, then the battle's start.
    """
    # After a correction another entry may ask for the roll, even a later one.
    for asking_number in (*range(number - 1, 0, -1), *range(number + 1, timeline.next_number)):
        ruling = timeline.rulings.get(asking_number)
        for effect in ruling.decision.effects if ruling else ():
            if isinstance(effect.value, Owed) and effect.value.key == key:
                return effect.value
    return timeline.start.find_question(key)


def format_outcome(ruling: Ruling) -> str:
    """Format what an entry did, or why it was not applied, in one line."""
    if ruling.state is not State.STANDS:
        return "; ".join(finding.text for finding in ruling.findings)
    return format_reasons(ruling.decision.reasons)


def format_ruling(ruling: Ruling) -> str:
    """Format what an entry did, or its state with the reason, in one line."""
    if ruling.state is State.STANDS:
        return " · ".join(f"{reason.text}{times}" for reason, times in count_reasons(ruling.decision.reasons))
    return f"{ruling.state.value}: {format_outcome(ruling)}"


def build_reason_spans(reason: Reason, times: str) -> tuple[TextSpan, ...]:
    """Build the spans of a reason: text with clause, † for a reconstructed cell, and `times`: ` ×3` or ""."""
    mark = RECONSTRUCTED if is_reconstructed(reason) else ""
    return TextSpan(reason.text, clause=reason.clause, mark=mark), TextSpan(times)


def find_deciding_clause(ruling: Ruling) -> str:
    """Return the first clause in an entry's reasons, or in its findings if the entry has no effect.

    Returns:
        "" if there is no clause. Questions to the umpire do not count.
    """
    reasons = (reason for reason in ruling.decision.reasons if not reason.is_question)
    sources = reasons if ruling.state is State.STANDS else ruling.findings
    return next((each.clause for each in sources if each.clause), "")


def format_owed(owed: Owed, *, key: bool = True) -> str:
    """Format an owed roll or question in short: its prompt, and its dice or answers; `key` adds its key."""
    scheduled_order = find_scheduled_order(owed)
    words = ((scheduled_order.line,) if scheduled_order else ()) + owed.words
    dice = format_dice(owed.dice) if owed.dice else "|".join(words) or "an answer"
    return f"{owed.prompt} ({dice}, {owed.key})" if key else f"{owed.prompt} ({dice})"


def format_answers(system: RuleSystem, battle: Battle, owed: Owed) -> str:
    """Format the words that answer a question: `fore or aft`.

    Without such words, give an example (`like 15.5 0`), or "in words" if the rules have no example.
    """
    order = find_scheduled_order(owed)
    words = (*([order.word] if order else []), *owed.words)
    examples = () if words else system.plain_answers(battle, owed)
    example = f"like {' '.join(examples[0])}" if examples else "in words"
    return " or ".join(words) or example


def format_change(system: RuleSystem, change: ValueChange, joint: str = " ") -> str:
    """Format a change on a log: `crew 5 → 4`; `joint` is written between the title and the values."""
    title = format_field_title(system, change.field)
    return f"{title}{joint}{format_ship_value(change.before)} → {format_ship_value(change.after)}"


def list_corrected_values(
    system: RuleSystem, before: Battle, after: Battle, changes: Iterable[ValueChange]
) -> Iterator[str]:
    """Yield a line for each value that a correction changes, and for each ship that it adds or removes."""
    named_ships: set[str] = set()
    for change in changes:
        old = before.ships.get(change.ship)
        new = after.ships.get(change.ship)
        ship = new or old
        name = ship.name if ship else change.ship
        if old and new:
            yield f"{name}: {format_change(system, change)}"
        elif change.ship not in named_ships:
            named_ships.add(change.ship)
            yield f"{name} is {'in' if new else 'not in'} the battle"


def format_changes(
    system: RuleSystem, battle: Battle, changes: Iterable[ValueChange], known_ship: str
) -> str:
    """Format changes ship by ship; the name of the ship with the id `known_ship` is left out."""
    return format_ship_changes(name_changes(system, battle, changes), known_ship)


def name_changes(
    system: RuleSystem, battle: Battle, changes: Iterable[ValueChange]
) -> tuple[ShownChange, ...]:
    """Replace ids in changes by field titles and ship names."""
    named_changes = []
    for change in changes:
        field = find_field(system, change.field)
        after = change.after
        if field and field.ships and isinstance(after, tuple):
            # The value of this field is a list of ships.
            after = tuple(map(battle.called, after))
        title = format_field_title(system, change.field)
        named_changes.append(
            ShownChange(change.ship, battle.called(change.ship), title, change.before, after)
        )
    return tuple(named_changes)


def format_undo(timeline: Timeline) -> str:
    """Describe the act that an undo would strike, or return "" if nothing can be undone."""
    act = next(timeline.undoable, None)
    return f"{act.number} {describe_act(timeline, act).title}" if act else ""


def capitalize(text: str) -> str:
    """Write the first letter of a text as a capital."""
    return f"{text[:1].upper()}{text[1:]}"


LISTED_MOST = 12
"""Most entry numbers in one sentence."""


def format_list(items: Iterable[object], most: int = LISTED_MOST) -> str:
    """List items in one line: at most the first `most`, then how many more there are."""
    texts = list(map(str, items))
    more = f" and {len(texts) - most} more" if len(texts) > most else ""
    return f"{', '.join(texts[:most])}{more}"


def join_some(parts: list[str], most: int) -> str:
    """Join parts as in a sentence: at most `most` parts, the last one a count of the rest."""
    if len(parts) <= most:
        return join_as_sentence(parts)
    return join_as_sentence([*parts[: most - 1], f"{len(parts) - most + 1} more"])


def format_phase(system: RuleSystem, battle: Battle) -> str:
    """Format the present turn and phase."""
    return format_turn(system, battle.turn, battle.phase)


def format_end_offer(system: RuleSystem, battle: Battle) -> str:
    """Format the offer to end the battle, with its clause, or return ""."""
    text = system.ended(battle)
    return f"{text} ({system.ended_by})" if text and system.ended_by else text


def format_turn(system: RuleSystem, turn: int, phase: str) -> str:
    """Format a turn and a phase."""
    return f"turn {turn}, {find_phase(system, phase).title}"


def format_begun_phase(system: RuleSystem, timeline: Timeline, number: int) -> str:
    """Format the turn and phase that an entry began when it was entered, or return ""."""
    ruling = timeline.log[number - 1].rulings.get(number)
    begun_phase = ruling.decision.begun_phase if ruling else None
    return format_turn(system, *begun_phase) if begun_phase else ""


_NOUNS = {CorrectionKind.AMEND: "amendment", CorrectionKind.RESTORE: "restoration"}
NAMED_MOST = 3
"""Most acts that are named when a correction strikes or restores several."""


@frozen
class EntrySummary:
    """The summary of an act.

    Attributes:
        parts: What happened, one part for each ship.
        by: The order behind it, with its dice, or "".
        why: The reasons, or "".
        event: True if it includes an event, such as a sinking.
        only_reasons: True if the reasons are all there is to read.
        origin: Player whose order it is, or "".
        asks: Question to the umpire, shown first, or "".
    """

    parts: tuple[str, ...]
    by: str = ""
    why: str = ""
    event: bool = False
    only_reasons: bool = False
    origin: str = ""
    asks: str = ""

    @property
    def effect(self) -> str:
        """The parts in one line."""
        return JOINT.join(self.parts)

    @property
    def lead(self) -> str:
        """The question to the umpire, then the effect, in one line."""
        return JOINT.join(filter(None, (self.asks, self.effect)))

    @property
    def stands_out(self) -> bool:
        """True if the act has an event or asks the umpire something."""
        return self.event or bool(self.asks)

    @property
    def background(self) -> str:
        """The order, the player and the reasons, in one line."""
        return JOINT.join(filter(None, (self.by, self.origin, self.why)))


@frozen
class EntryEffect:
    """The effect of an entry in force, with its events.

    Attributes:
        events: Sinkings and other events.
        lead: Result of the dice without the ship's name.
        rest: Changes on the logs.
        parts: The texts that people read in their order: the result with the ship's name, then the changes.
        reasons: Reasons of the entry, without questions.
        only_reasons: True if the reasons are all there is to read.
    """

    events: tuple[Event, ...]
    lead: str
    rest: str
    parts: tuple[str, ...]
    reasons: tuple[Reason, ...]
    only_reasons: bool

    @property
    def why(self) -> str:
        """The reasons, in one line."""
        return format_reasons(self.reasons)


def summarize_act(
    system: RuleSystem,
    timeline: Timeline,
    act: LogAct,
    in_force: AbstractSet[int] | None = None,
    *,
    brief: bool = False,
) -> EntrySummary:
    """Summarize an act: what a correction does, what an entry did, or why an entry does not count.

    Args:
        in_force: `timeline.in_force`, if the caller has it already.
        brief: True to leave out the order and the reasons.
    """
    summary = _summarize_act(system, timeline, act, in_force, brief=brief)
    return evolve(summary, origin=format_origin(act)) if act.by else summary


def format_origin(act: LogAct) -> str:
    """Format whose order an act is: `by Anna`; "" for the umpire's own."""
    return f"by {act.by}" if act.by else ""


def _summarize_act(
    system: RuleSystem, timeline: Timeline, act: LogAct, in_force: AbstractSet[int] | None, *, brief: bool
) -> EntrySummary:
    """Summarize an act without the player's name.

    Returns:
        For a correction, its description. For an entry that is struck, parked or spare, its order, and in
        `by` what it did or why it was not applied. For any other entry, its effect, and in `by` its order.
    """
    if isinstance(act, Correction):
        return EntrySummary((format_correction(timeline, act),))
    version = timeline.versions.get(act.number, act.version)
    ruling = timeline.rulings[act.number]
    is_in_force = timeline.is_in_force(act.number) if in_force is None else act.number in in_force
    if ruling.state is not State.STANDS or not is_in_force:
        order_text = _format_with_dice(timeline, act.number, version.order)
        return EntrySummary((order_text,), by=format_outcome(ruling))
    effect = describe_effect(system, timeline, act.number)
    questions = format_questions(ruling)
    parts = (*(event.text.upper() for event in effect.events), *effect.parts)
    # The text of a note already says everything.
    omit_order = parts and (brief or version.order.form is NOTE)
    by = "" if omit_order else _format_with_dice(timeline, act.number, version.order)
    if not parts:
        # Without an effect, the order comes first.
        return EntrySummary((by,), why=effect.why, asks=questions)
    why = "" if brief or effect.only_reasons else effect.why
    return EntrySummary(
        parts, by, why, event=bool(effect.events), only_reasons=effect.only_reasons, asks=questions
    )


def format_questions(ruling: Ruling) -> str:
    """Format what an entry asks the umpire, in one line; "" if it asks nothing."""
    return format_reasons(reason for reason in ruling.decision.reasons if reason.is_question)


def describe_effect(system: RuleSystem, timeline: Timeline, number: int) -> EntryEffect:
    """Describe what an entry in force did: its events, its effect in words, and its reasons."""
    events, facts = find_effect_facts(system, timeline, number)
    text = format_effect(facts)
    reasons = tuple(reason for reason in timeline.rulings[number].decision.reasons if not reason.is_question)
    # If the effect shows all reasons, nothing else needs to be read.
    shows_all_reasons = bool(facts.reasons) and len(facts.reasons) == len(reasons)
    return EntryEffect(
        events,
        text.lead,
        text.rest,
        tuple(part for part in text.parts if part),
        reasons,
        only_reasons=facts.kind is EffectKind.REASONS and not text.rest and shows_all_reasons,
    )


def format_result(system: RuleSystem, timeline: Timeline, number: int, spared: str = "") -> str:
    """Format the result of an entry's dice: outcome, `spared` (text on unneeded dice), changes, reasons.

    Returns:
        "" if the dice wait for another roll and have done nothing yet.
    """
    if not timeline.rulings[number].decision.reasons:
        return ""
    effect = describe_effect(system, timeline, number)
    parts = (*(event.text.upper() for event in effect.events), effect.lead, effect.rest, effect.why)
    # Equal texts are written once; the spared dice follow the first text.
    first, _, others = JOINT.join(filter(None, dict.fromkeys(parts))).partition(JOINT)
    return JOINT.join(filter(None, (first, spared, others)))


def find_effect_facts(
    system: RuleSystem, timeline: Timeline, number: int
) -> tuple[tuple[Event, ...], EffectFacts]:
    """Find what an entry in force did: its events (such as sinkings), and the facts to word its effect."""
    order = timeline.versions[number].order
    ruling = timeline.rulings[number]
    place = timeline.find_place(number)
    before = timeline.battle_at(place)
    after = timeline.battle_at(place + 1)
    events = list_events(system, before, after)
    owed = find_question(timeline, number, order.key) if order.is_answer else None
    return events, _collect_effect(system, before, order, ruling, owed, has_events=bool(events))


def find_order_facts(timeline: Timeline, number: int, order: Order) -> OrderFacts:
    """Find the facts to word an order: the names of its ships, or the question that it answers."""
    if order.is_answer:
        return OrderFacts(order, names={}, asked=format_question(timeline, number, order))
    return OrderFacts(order, list_ship_names(timeline.battle, order))


def format_correction(timeline: Timeline, act: Correction) -> str:
    """Format what a correction does: `amends 19: explosion on Mikasa · dice 1`."""
    first = act.targets[0]
    answer_count = len(act.targets) - 1
    if act.kind is CorrectionKind.SHIFT:
        answers = f" with {format_count(answer_count, 'answer')}" if answer_count else ""
        place = f"after {act.after}" if act.after else "to the start"
        version = timeline.versions[first] if act.version is None else act.version
        words = format_order_or_answer(find_order_facts(timeline, first, version.order))
        return f"{first}{answers} moves {place}: {words}"
    if act.kind is CorrectionKind.AMEND and act.version is not None:
        return f"amends {first}: {_format_with_dice(timeline, first, act.version.order)}"
    acts = "; ".join(f"{number}: {_format_act(timeline, number)}" for number in act.targets[:NAMED_MOST])
    more = f"; and {len(act.targets) - NAMED_MOST} more" if len(act.targets) > NAMED_MOST else ""
    return f"{_VERBS[act.kind]} {acts}{more}"


def _format_act(timeline: Timeline, number: int) -> str:
    """Format an act that a correction strikes or restores: an order with dice, or `the undo of 12`."""
    act = timeline.log[number - 1]
    if isinstance(act, Correction):
        return f"the {_NOUNS.get(act.kind, act.kind.value)} of {', '.join(map(str, act.targets))}"
    return _format_with_dice(timeline, number, timeline.versions.get(number, act.version).order)


def _format_with_dice(timeline: Timeline, number: int, order: Order) -> str:
    """Format an order, or the question that it answers, with its dice."""
    words = format_order_or_answer(find_order_facts(timeline, number, order))
    call = f" (call {order.call:02})" if order.call is not None else ""
    return f"{words} · dice {' '.join(map(str, order.dice))}{call}" if order.dice else words


def format_order(battle: Battle, order: Order) -> str:
    """Format an order as people say it: `Asahi heavy at Tsesarevich, 24″`."""
    return format_order_sentence(OrderFacts(order, list_ship_names(battle, order)))


def list_ship_names(battle: Battle, order: Order) -> dict[str, str]:
    """Return the names of the ships in an order, by id."""
    return {id: battle.called(id) for id in order.names if id in battle.ships}


def _collect_effect(
    system: RuleSystem,
    before: Battle,
    order: Order,
    ruling: Ruling,
    owed: Owed | None,
    *,
    has_events: bool,
) -> EffectFacts:
    """Collect the facts of an entry's effect, to be put into words.

    Args:
        owed: The owed roll that the entry answers, or None.
        has_events: True if the caller shows an event, which already tells the main result.

    Returns:
        If there are no dice or results of dice: the reasons, and the numbers that an answer changed. Else,
        with events: the changes that they do not tell. Else: what the dice did.
    """
    decision = ruling.decision
    has_dice_result = order.dice or format_codes(decision.outcome)
    # An order without dice names its changes already; an answer does not.
    show_changes = has_dice_result or owed is not None
    changes = combine_changes(list_effect_changes(system, before, decision.effects)) if show_changes else []
    if not has_dice_result:
        reasons = () if has_events else _list_reasons(decision)
        figures = [change for change in changes if is_number(change.after)]
        return EffectFacts(
            kind=EffectKind.REASONS,
            reasons=tuple(reasons),
            changes=name_changes(system, before, figures),
            ship=owed.ship if owed is not None else "",
        )
    if has_events:
        # An event, such as a sinking, already says what the status is.
        other_changes = (change for change in changes if change.field != "status")
        return EffectFacts(kind=EffectKind.EVENTS, changes=name_changes(system, before, other_changes))
    return _collect_dice_effect(system, before, order, decision, owed, changes)


def _list_reasons(decision: Decision) -> list[Reason]:
    """List the reasons of a decision without remarks."""
    return [reason for reason in decision.reasons if not reason.is_remark]


def _collect_dice_effect(
    system: RuleSystem,
    before: Battle,
    order: Order,
    decision: Decision,
    owed: Owed | None,
    changes: Sequence[ValueChange],
) -> EffectFacts:
    """Collect the facts of what dice did. Codes are the short results of dice, such as `S G`.

    Returns:
        The codes and changes, if the order may harm each of its ships; else the results of the dice, with
        the changes of the affected ship first.
    """
    outcome = decision.outcome
    has_codes = bool(format_codes(outcome))
    kind = find_result_kind(system.results, order.word if owed is None else system.counted_as(owed))
    kind_title = kind.told if has_codes and kind is not None else ""
    declared_order = owed.order if owed is not None and owed.order is not None else order
    if declared_order.form.mutual and changes:
        named_changes = name_changes(system, before, changes)
        return EffectFacts(
            kind=EffectKind.CHANGES, outcome=outcome, kind_title=kind_title, changes=named_changes
        )
    names = (owed.ship if owed else "", *order.names)
    acting_ship = next((name for name in names if name in before.ships), "")
    affected_ship = _find_affected_ship(
        before,
        declared_order,
        acting_ship=acting_ship,
        decision=decision,
        changed=[change.ship for change in changes],
        scored=has_codes,
    )
    affected_first = sorted(changes, key=lambda change: change.ship != affected_ship)
    is_joint_roll = owed is not None and owed.line in system.joint_rolls
    reasons = _list_reasons(decision)
    roll_count = sum(bool(reason.roll) for reason in reasons)
    # The results of a roll for several ships at once name each ship themselves.
    results_name_ships = is_joint_roll and (has_codes or roll_count > 1)
    show_name = affected_ship in before.ships and not results_name_ships
    main_reasons = _list_scoring_reasons(reasons, outcome) if has_codes else _find_deciding_reason(reasons)
    return EffectFacts(
        kind=EffectKind.DICE,
        outcome=outcome,
        kind_title=kind_title,
        reasons=tuple(main_reasons),
        changes=name_changes(system, before, affected_first),
        ship="" if is_joint_roll else affected_ship,
        name=before.called(affected_ship) if show_name else "",
    )


def _find_affected_ship(
    before: Battle, declared: Order, acting_ship: str, decision: Decision, changed: list[str], *, scored: bool
) -> str:
    """Return the id of the ship that an entry affected, or "".

    Args:
        declared: The order that was declared, also for an answer.
        changed: Ids of changed ships.
        scored: True if the outcome has codes.

    Returns:
        The target, if the dice scored on her or she owes a damage roll. Else the first ship that changed, or
        the acting ship if none changed.
    """
    named_ships = [name for name in declared.names if name in before.ships]
    # The target is named last, after the ships that act together.
    target = next((name for name in reversed(named_ships) if name != acting_ship), acting_ship)
    # The acting ship may be the first in `changed`, because its log may change too. If a ship that the order
    # does not name changed, and the target did not, the dice scored on that ship.
    scored_on_target = scored and (target in changed or set(changed) <= {acting_ship, *named_ships})
    # A torpedo hit changes no log yet: the target owes the damage roll, for which no order was declared.
    owed_rolls = [effect.value for effect in decision.effects if isinstance(effect.value, Owed)]
    owes_damage_roll = not (scored or changed) and any(
        owed.ship == target and owed.order is None for owed in owed_rolls
    )
    if scored_on_target or owes_damage_roll:
        return target
    return changed[0] if changed else acting_ship


def _list_scoring_reasons(reasons: list[Reason], outcome: Results) -> list[Reason]:
    """Return the reasons whose results are codes (short results of dice, such as `S`) of the outcome."""
    code_lists = (value for _, value in outcome if isinstance(value, tuple))
    # The result of a reason is one code, or all codes of a list with spaces between.
    codes = {code for code_list in code_lists for code in (*code_list, " ".join(code_list))}
    return [reason for reason in reasons if reason.result in codes]


def _find_deciding_reason(reasons: list[Reason]) -> list[Reason]:
    """Return a list of one reason: the last one with dice, or the last one if none has dice."""
    return ([reason for reason in reasons if reason.roll] or reasons)[-1:]


_NOTE = NOTE.word
_ON_ENTRY = r"on (\d{1,9}): (.*)"


class RemarkKind(Enum):
    """The kinds of remark on an entry."""

    NOTED = ""
    DOUBTED = "doubted"
    SETTLED = "settled"


@frozen
class Remark:
    """A remark on an entry.

    Attributes:
        number: Entry that made the remark.
        about: Entry that it is about.
    """

    number: int
    about: int
    kind: RemarkKind
    text: str

    @property
    def words(self) -> str:
        """The kind of remark and its text."""
        return ": ".join(part for part in (self.kind.value, self.text) if part)

    def __str__(self) -> str:
        return f"{self.number}: {self.words}"


def build_ship_note(ship: Ship) -> str:
    """Return the beginning of the order that makes a remark on a ship."""
    return f"{_NOTE} {ship.id}: "


def build_entry_note(number: int, text: str) -> str:
    """Return the order that makes a remark on an entry."""
    return f"{_NOTE} on {number}: {text}"


def list_notes(timeline: Timeline, entries: Iterable[int]) -> Iterator[tuple[int, str]]:
    """Yield the remarks among some entries in force, each with the number of its entry."""
    for number in entries:
        order = timeline.versions[number].order
        if order.form is NOTE:
            yield number, " ".join(order.list_texts("text"))


class ShipRemarks:
    """The remarks on each ship. After one new entry only that entry is read."""

    def __init__(self) -> None:
        self._log: Sequence[LogAct] = ()
        self._texts: dict[str, list[str]] = {}

    def list_remarks(self, timeline: Timeline, ship: Ship) -> tuple[str, ...]:
        """Return the remarks on a ship, each with the number of its entry; () for none."""
        # Each act makes another log.
        if timeline.log is not self._log:
            self._read(timeline)
        return tuple(self._texts.get(ship.id, ()))

    def _read(self, timeline: Timeline) -> None:
        """Read the remarks: those of the new entry, if the log grew only by one at its end; else all."""
        earlier_log, self._log = self._log, timeline.log
        last = timeline.find_act(len(earlier_log) + 1)
        # The log was only continued if the act before the new one is still the same.
        has_one_new_act = (
            len(timeline.log) == len(earlier_log) + 1 and earlier_log[-1:] == timeline.log[-2:-1]
        )
        numbers = timeline.play_order
        # A correction or an inserted entry may change which remarks there are, or their order.
        if has_one_new_act and isinstance(last, Entry) and last.after is None:
            numbers = (last.number,)
        else:
            self._texts = {}
        for number, text in list_notes(timeline, numbers):
            # A note about a ship begins with her id; other notes get keys that no ship has.
            ship, _, words = text.partition(": ")
            self._texts.setdefault(ship, []).append(f"{number}: {words}")


def list_entry_remarks(timeline: Timeline) -> Mapping[int, tuple[Remark, ...]]:
    """Return the remarks on entries, by number of the entry: notes, doubts, and settlements of doubts."""
    by_entry: dict[int, tuple[Remark, ...]] = {}
    notes = dict(list_notes(timeline, timeline.play_order))
    for number in timeline.play_order:
        remark = _read_note(number, notes[number]) if number in notes else _read_doubt(timeline, number)
        if remark is not None:
            by_entry[remark.about] = (*by_entry.get(remark.about, ()), remark)
    return by_entry


def _read_note(number: int, text: str) -> Remark | None:
    """Return the remark that note `number` makes on another entry, or None if it is about something else."""
    match = re.match(_ON_ENTRY, text)
    return Remark(number, int(match[1]), RemarkKind.NOTED, match[2]) if match else None


def _read_doubt(timeline: Timeline, number: int) -> Remark | None:
    """Return the doubt that an entry raises or settles, or None."""
    for effect in timeline.rulings[number].decision.effects:
        if effect.op in (Op.DOUBT, Op.CLEAR) and isinstance(effect.value, int):
            kind = RemarkKind.DOUBTED if effect.op is Op.DOUBT else RemarkKind.SETTLED
            words = timeline.versions[number].order.list_texts("text")
            return Remark(number, effect.value, kind, " ".join(words))
    return None
