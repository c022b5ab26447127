"""An order prepared on a battle: by the rules that judge it, and with the owed question that it answers."""

from attrs import frozen

from qf_tui.core.builtin_orders import owed_in_words, prepare_builtin
from qf_tui.core.decisions import DecisionBuilder, Effect, fold
from qf_tui.core.errors import Finding, OrderRefused, impossible, refused
from qf_tui.core.facts import read_key
from qf_tui.core.grammar.kinds import absent
from qf_tui.core.schedule import SCHEDULE, prepare_no
from qf_tui.core.system import PreparedOrder, RuleSystem
from qf_tui.core.timeline import Version
from qf_tui.core.values import Battle, Die, Order, Owed, replace


@frozen
class PreparedEntry:
    """An order with what the rules make of it, and the owed question that it answers, if it answers one.

    `asked` are the effects that bring the question up, where only the end of the phase would ask it.
    """

    order: Order
    prepared: PreparedOrder
    question: Owed | None = None
    asked: tuple[Effect, ...] = ()

    @property
    def faces(self) -> tuple[int, ...]:
        """All faces that bear on it, those thrown before included."""
        return (*(self.question.faces if self.question else ()), *self.order.dice)

    @property
    def missing(self) -> tuple[Die, ...]:
        return self.prepared.missing(self.faces)


def prepare_entry(
    system: RuleSystem, battle: Battle, version: Version, *, early: bool = False
) -> PreparedEntry:
    """Prepares an order; OrderRefused if it is none of this battle.

    With `early` it may answer what the end of the phase will ask: a late answer stands before that end.
    """
    order = version.order
    fault = absent(order.form.slots, order.slots, battle)
    if fault:
        raise OrderRefused(impossible(fault))
    if not order.is_answer:
        if not any(form.word == order.word for form in system.forms):
            return PreparedEntry(order, prepare_builtin(system, battle, version))
        prepared = system.prepare(battle, order)
        barred = _unmeasured(system, battle, order)
        return PreparedEntry(
            order, replace(prepared, findings=(*prepared.findings, *barred)) if barred else prepared
        )
    asked = _asked_by_leaving(system, battle, order.key) if early else ()
    battle = fold(battle, asked, 0)
    question = question_of(battle, order)
    if question.line == SCHEDULE:
        prepared = prepare_no(question, order.many("words"))
    elif order.word == "roll":
        prepared = system.prepare_roll(battle, question)
    else:
        prepared = system.prepare_answer(battle, question, order.many("words"))
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


def _asked_by_leaving(system: RuleSystem, battle: Battle, key: str) -> tuple[Effect, ...]:
    """What the end of the phase asks, if that question is not owed yet and is among it."""
    if not key or battle.question(key) is not None:
        return ()
    builder = DecisionBuilder(battle, read_key(key).entry)
    system.leave(battle, builder, False)
    return builder.decision().effects if builder.battle.question(key) is not None else ()


def question_of(battle: Battle, order: Order) -> Owed:
    """The owed question that a `roll` or `answer` is about; OrderRefused names what is owed instead."""
    wants_dice = order.word == "roll"
    fitting = [owed for owed in battle.owed if bool(owed.dice) == wants_dice]
    key = order.key
    if not key and fitting:
        return fitting[0]
    found = battle.question(key)
    if found in fitting and found is not None:
        return found
    if found is not None:
        raise OrderRefused(
            impossible(f"{key} wants {'dice: roll' if found.dice else 'words: answer'} {key} ...")
        )
    listed = owed_in_words(battle)
    what = "nothing is owed" if not listed else f"not owed; owed is {listed}"
    raise OrderRefused(impossible(f"{key or order.word}: {what}"))


def check_dice(entry: PreparedEntry) -> None:
    """OrderRefused for a face that no such die has, and for more dice than the order can need."""
    dice, faces = entry.prepared.dice, entry.faces
    if len(faces) > len(dice):
        most = ", ".join(str(die) for die in dice) or "none"
        raise OrderRefused(impossible(f"too many dice: {len(faces)} given, wanted at most {most}"))
    for die, face in zip(dice, faces, strict=False):
        if face not in die.faces:
            article = "an" if str(face).startswith("8") or face in (11, 18) else "a"
            faces_are = f"its faces are {die.least} to {die.most}"
            raise OrderRefused(impossible(f"{article} {face} on the {die}: {faces_are}"))
