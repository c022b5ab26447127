"""What happened to whom by an entry, in few words: the outcome first, then who did it."""

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet

from attrs import frozen

from qf_tui.core.builtin_forms import NOTE
from qf_tui.core.charts import Provenance
from qf_tui.core.decisions import Decision, Reason, Results, fold
from qf_tui.core.declarations import Event, kind_of
from qf_tui.core.grammar.forms import Order, SentencePart, Slot, SlotValue
from qf_tui.core.revisions import ValueChange
from qf_tui.core.schedule import events
from qf_tui.core.system import RuleSystem
from qf_tui.core.text import ESTIMATE_SIGN, Distance, decimal, with_answer
from qf_tui.core.timeline import STRIKES, Correction, CorrectionKind, LogAct, Ruling, State, Timeline
from qf_tui.core.values import Battle, Owed
from qf_tui.session.act_words import RECONSTRUCTED, asked, question, reasons_text, result_text
from qf_tui.session.changes import JOINT, changed_text, effect_changes, is_number, net

_NAMES = {CorrectionKind.AMEND: "amendment", CorrectionKind.RESTORE: "return"}
TOLD_MOST = 3
"""Acts that are told one by one where many are struck or restored at once."""


@frozen
class Headline:
    """An entry in words: `parts` are what happened to whom, `by` who did it, `why` the dice and lines.

    `event`: it is one that an evening is told by, as a sinking. `alone`: its parts are its reasons, and all.
    """

    parts: tuple[str, ...]
    by: str = ""
    why: str = ""
    event: bool = False
    alone: bool = False

    @property
    def effect(self) -> str:
        """What happened, its parts in one line."""
        return JOINT.join(self.parts)


@frozen
class Deed:
    """An entry that counts: its events, what else it did, the order in words, its dice, and why.

    `lead` is what the dice came to, without the ship that it stands by, and `rest` what that changed; `parts`
    are both as they are told, the ship named. `alone`: its reasons are all that is told of it.
    """

    events: tuple[Event, ...]
    lead: str
    rest: str
    parts: tuple[str, ...]
    order: str
    dice: tuple[int, ...]
    why: str
    alone: bool


def headline(
    system: RuleSystem, timeline: Timeline, act: LogAct, standing: AbstractSet[int] | None = None
) -> Headline:
    """An act as it stands: of a correction what it does, of an entry that does not count why.

    Whoever tells many hands over the acts in force, `timeline.in_force`.
    """
    version, ruling = timeline.versions.get(act.number, act.version), timeline.rulings.get(act.number)
    if isinstance(act, Correction):
        return Headline((corrected_words(timeline, act),))
    if version is None or ruling is None:
        return Headline((_with_dice(said_of(timeline, act.number, act.version.order), act.version.order),))
    counts = timeline.counts(act.number) if standing is None else act.number in standing
    if ruling.state is not State.STANDS or not counts:
        said = words_of_order(timeline, act.number)
        return Headline((_with_dice(said, version.order),), result_text(ruling))
    deed = deed_of(system, timeline, act.number)
    by = _with_dice(deed.order, version.order)
    parts = (*(event.text.upper() for event in deed.events), *deed.parts)
    if not parts:
        return Headline((by,), "", deed.why)
    # A note says itself what it does.
    by, why = "" if version.order.form is NOTE else by, "" if deed.alone else deed.why
    return Headline(parts, by, why, bool(deed.events), deed.alone)


def deed_of(system: RuleSystem, timeline: Timeline, number: int) -> Deed:
    """An entry of a timeline that is in force there and stands."""
    version, ruling = timeline.versions[number], timeline.rulings[number]
    before = timeline.battle_at(timeline.place(number))
    happened = events(system, before, fold(before, ruling.decision.effects, number))
    owed = asked(timeline, number, version.order.key) if version.order.is_answer else None
    effect = _effect(system, before, number, version.order, ruling, owed, bare=bool(happened))
    why = reasons_text(ruling.decision.reasons)
    told = tuple(part for part in effect.parts if part)
    said = words_of_order(timeline, number)
    return Deed(happened, effect.lead, effect.rest, told, said, version.dice, why, effect.alone)


def words_of_order(timeline: Timeline, number: int) -> str:
    """The order of an entry in words, or what it answers, without its dice."""
    return said_of(timeline, number, timeline.versions[number].order)


def said_of(timeline: Timeline, number: int, order: Order) -> str:
    """An order of an entry, its own or one in its place, in words or as what it answers; without its dice."""
    answer = " ".join(order.many("words")) if order.is_answer else ""
    said = question(timeline, number, order) if order.is_answer else order_words(timeline.battle, order)
    forced = " (forced)" if order.forced else ""
    return f"{with_answer(said, answer) if said and answer else said or answer}{forced}"


def corrected_words(timeline: Timeline, act: Correction) -> str:
    """What a correction does to which entries: `amends 19: explosion on Mikasa · dice 1`."""
    first, others = act.targets[0], len(act.targets) - 1
    if act.kind is CorrectionKind.SHIFT:
        answers = f" with {others} {'answer' if others == 1 else 'answers'}" if others else ""
        place = f"behind {act.after}" if act.after else "to the start"
        version = timeline.versions[first] if act.version is None else act.version
        return f"{first}{answers} goes {place}: {said_of(timeline, first, version.order)}"
    if act.kind is CorrectionKind.AMEND and act.version is not None:
        order = act.version.order
        return f"amends {first}: {_with_dice(said_of(timeline, first, order), order)}"
    told = "; ".join(f"{number}: {_act_words(timeline, number)}" for number in act.targets[:TOLD_MOST])
    more = f"; and {len(act.targets) - TOLD_MOST} more" if len(act.targets) > TOLD_MOST else ""
    return f"{'strikes' if act.kind in STRIKES else 'restores'} {told}{more}"


def _act_words(timeline: Timeline, number: int) -> str:
    """What an act that a correction takes out of force or brings back says."""
    act = timeline.log[number - 1]
    if isinstance(act, Correction):
        return f"the {_NAMES.get(act.kind, act.kind.value)} of {', '.join(map(str, act.targets))}"
    order = timeline.versions.get(number, act.version).order
    return _with_dice(said_of(timeline, number, order), order)


def _with_dice(said: str, order: Order) -> str:
    call = f" (call {order.call})" if order.call is not None else ""
    return f"{said} · dice {' '.join(map(str, order.dice))}{call}" if order.dice else said


def order_words(battle: Battle, order: Order) -> str:
    """An order as people say it: `Asahi heavy at Tsesarevich, 24″`; what its sentence leaves out follows."""
    said = [slot for slot in order.form.slots if slot.name in order.slots]
    words = {slot.name: _value_words(battle, order.slots[slot.name]) for slot in said}
    sentence = order.form.sentence
    if sentence:
        named = {name for part in sentence for name in part.slots}
        beside = [slot for slot in said if words[slot.name] and slot.name not in named]
        return ", ".join((_filled(sentence, words), *(_as_typed(slot, words) for slot in beside)))
    said.sort(key=lambda slot: slot.kind.is_flag)
    return " ".join((order.word, *(_as_typed(slot, words) for slot in said if words[slot.name])))


def _as_typed(slot: Slot, words: Mapping[str, str]) -> str:
    """A slot of an order as it is typed: a flag by its name, a value behind its keyword."""
    if slot.kind.is_flag:
        return slot.name
    return f"{slot.keyword} {words[slot.name]}" if slot.keyword else words[slot.name]


def _filled(sentence: tuple[SentencePart, ...], words: Mapping[str, str]) -> str:
    """A sentence without those parts whose slot was left out."""
    said = (part for part in sentence if not part.slots or words.get(part.slots[0]))
    return "".join(f"{text}{words.get(slot, '')}" for part in said for text, slot in part.pieces)


def _value_words(battle: Battle, value: SlotValue) -> str:
    if isinstance(value, tuple):
        joint = ", " if any(part in battle.ships for part in value) else " "
        return joint.join(_value_words(battle, part) for part in value)
    if isinstance(value, Distance):
        unit = "″" if value.unit == "in" else f" {value.unit}"
        return f"{ESTIMATE_SIGN if value.estimated else ''}{decimal(value.amount)}{unit}"
    if isinstance(value, bool):
        return "yes" if value else ""
    return battle.called(value) if isinstance(value, str) and value in battle.ships else str(value)


@frozen
class _Effect:
    """What the dice came to, what that changed, and both of whom; `alone` as a deed has it."""

    lead: str
    rest: str
    parts: tuple[str, ...]
    alone: bool = False


def _effect(
    system: RuleSystem,
    before: Battle,
    number: int,
    order: Order,
    ruling: Ruling,
    owed: Owed | None,
    *,
    bare: bool,
) -> _Effect:
    """What an entry did; of a `bare` one an event says the rest."""
    decision = ruling.decision
    reasons = [reason for reason in decision.reasons if not reason.remark]
    codes = codes_text(decision.outcome)
    kind = kind_of(system.results, order.word if owed is None else system.counted_as(owed))
    if codes and kind is not None and kind.told:
        codes = f"{kind.told} ({codes})"
    changes = net(effect_changes(system, before, decision.effects, number))
    if not (order.dice or codes):
        told = [] if bare else reasons
        figures = _answered(system, before, changes, owed)
        alone = bool(told) and not figures and len(told) == len(decision.reasons)
        return _Effect(reasons_text(told[:1]), figures, (reasons_text(told), figures), alone)
    if bare:
        figures = changed_text(system, before, [one for one in changes if one.field != "status"], "")
        return _Effect(figures, "", (figures,))
    declared = owed.order if owed is not None and owed.order is not None else order
    if declared.form.mutual and changes:
        figures = changed_text(system, before, changes, "")
        return _Effect(codes, figures, (figures,))
    ships = [name for name in (owed.ship if owed else "", *order.names) if name in before.ships]
    first = (ships or [""])[0]
    hurt = _hurt(before, declared, first, decision, [one.ship for one in changes], scored=bool(codes))
    told = _telling(reasons, decision.outcome) if codes else _verdict(reasons)
    mark = f" {RECONSTRUCTED}" if any(one.chart == Provenance.RECONSTRUCTED.value for one in told) else ""
    lead = f"{codes or (told[0].result if told else 'dice thrown')}{mark}"
    joint = owed is not None and owed.line in system.joint_rolls
    in_order = sorted(changes, key=lambda one: one.ship != hurt)
    rest = changed_text(system, before, in_order, "" if joint else hurt)
    named = hurt in before.ships and not (joint and (codes or sum(bool(one.roll) for one in reasons) > 1))
    came_to = f"{before.called(hurt)}: {lead}" if named else lead
    return _Effect(lead, rest, (came_to, rest))


def _hurt(
    before: Battle, declared: Order, first: str, decision: Decision, changed: list[str], *, scored: bool
) -> str:
    """The ship that an entry befell: whom it scored on, else the first that changed, or that it names."""
    named = [name for name in declared.names if name in before.ships]
    # Behind all that act together stands whom they act on.
    target = next((name for name in reversed(named) if name != first), first)
    scored_on_target = scored and (target in changed or set(changed) <= {first, *named})
    # A torpedo's strike changes nothing yet: the target owes a roll for what it does.
    asked = [effect.value for effect in decision.effects if isinstance(effect.value, Owed)]
    struck = not (scored or changed) and any(one.ship == target and one.order is None for one in asked)
    return target if scored_on_target or struck else (changed or [first])[0]


def _answered(system: RuleSystem, before: Battle, changes: list[ValueChange], owed: Owed | None) -> str:
    """The figures that an answer in words changed; of other orders without dice the reasons say all."""
    if owed is None:
        return ""
    return changed_text(system, before, [one for one in changes if is_number(one.after)], owed.ship)


def codes_text(outcome: Iterable[tuple[str, object]]) -> str:
    """The codes of an outcome: the first as they are, those of other names behind their name."""
    facts = dict(outcome)
    found = [(name, _together(value)) for name, value in facts.items() if isinstance(value, tuple) and value]
    return ", ".join(text if place == 0 else f"{name} {text}" for place, (name, text) in enumerate(found))


def _together(codes: tuple[object, ...]) -> str:
    """Codes side by side, `S G`; where one has several words, apart: `Ajax ½″ aft, Boyne ½″ aft`."""
    words = [str(code) for code in codes]
    return (", " if any(" " in word for word in words) else " ").join(words)


def _telling(reasons: list[Reason], outcome: Results) -> list[Reason]:
    """The reasons whose results are the codes of an outcome."""
    stated = (value for _, value in outcome if isinstance(value, tuple))
    codes = {code for value in stated for code in (*value, " ".join(value))}
    return [reason for reason in reasons if reason.result in codes]


def _verdict(reasons: list[Reason]) -> list[Reason]:
    """The reason that says what the dice came to: the last that has dice, else the last."""
    return ([reason for reason in reasons if reason.roll] or reasons)[-1:]
