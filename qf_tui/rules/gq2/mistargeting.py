"""By night: who is really aimed at (GQ2-NIT-2, GQ2-NIT-5)."""

from collections.abc import Callable

from attrs import evolve, frozen

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.errors import Finding, OrderRefused, impossible
from qf_tui.core.grammar import kinds
from qf_tui.core.grammar.forms import Form
from qf_tui.core.grammar.order import Order
from qf_tui.core.grammar.reader import parse
from qf_tui.core.system import Faces, Measure, PreparedOrder
from qf_tui.core.values import Battle, Die, Owed, Ship
from qf_tui.rules.gq2.facts import FACES
from qf_tui.rules.gq2.forms import FIRE, LIGHT, TORPEDO
from qf_tui.rules.gq2.lights import illuminated, is_night
from qf_tui.rules.gq2.options import option
from qf_tui.rules.gq2.targets import words_for

TARGETING, WHO = "targeting", "who"
DICE = (Die(6, "red"), Die(6, "blue"))
NOBODY, OUTSIDE = "nobody", "outside"


@frozen
class Aim:
    """What an attack does once its target is known: it goes on, unless something bars it there.

    `give_back` undoes what was used up of an attack that may not be made, outside the arc; `outside` says so.
    """

    go_on: Callable[[DecisionBuilder, Order, Owed], None]
    barred: Callable[[Battle, Order], tuple[Finding, ...]] = lambda battle, order: ()
    give_back: Callable[[DecisionBuilder, Order], None] = lambda builder, order: None
    outside: str = "is outside the arc: nothing is fired"


_FORMS = {form.word: form for form in (FIRE, TORPEDO, LIGHT)}
_MEASURED = {
    FIRE.word: ("straddle", "penetrates", "over", "bases", "silhouette"),
    TORPEDO.word: ("stick", "bow", "stern"),
    LIGHT.word: (),
}
"""What is measured to one ship and not to another: all else of the shot is kept."""


def must_target(battle: Battle, target: Ship) -> bool:
    """Whether an attack on a ship wants a targeting roll: by night, at an unlit one (GQ2-NIT-2)."""
    return is_night(battle) and not illuminated(battle, target)


def ask(
    battle: Battle,
    order: Order,
    findings: tuple[Finding, ...],
    dice: tuple[Die, ...],
    declare: Callable[[DecisionBuilder], None],
    reminders: tuple[str, ...] = (),
) -> PreparedOrder:
    """An attack that owes its targeting roll first; dice given with it wait."""
    ship, target = battle.ships[order.text("ship")], battle.ships[order.text("target")]

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        builder.owe(
            TARGETING,
            ship.id,
            f"targeting of {ship.name} at {target.name}",
            *DICE,
            order=order.bare,
            facts={FACES: faces},
        )

    notes = (f"{target.name} is unlit: the targeting roll comes first (GQ2-NIT-2)", *reminders)
    return PreparedOrder(
        findings=findings,
        dice=dice,
        missing=lambda faces: (),
        decide=decide,
        declare=declare,
        ship=ship.id,
        reminders=notes,
    )


def judge(faces: Faces) -> tuple[int, ...]:
    """Ships off, and whether to the right (GQ2-NIT-2)."""
    low, high = sorted(faces)
    return (2 if high >= 3 * low else 1 if high >= 2 * low else 0, int(faces[0] > faces[1]))


def prepare_targeting(battle: Battle, owed: Owed, order: Order, aim: Aim) -> PreparedOrder:
    """The targeting roll: the ship intended, or the question who is there."""
    firer, target = battle.ships[order.text("ship")], battle.ships[order.text("target")]

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        off, right = judge(faces)
        place = f"{('one ship', 'two ships')[off - 1]} to the {('left', 'right')[right]} of {target.name}"
        builder.because(place if off else target.name, "GQ2-NIT-2", roll=f"red {faces[0]}, blue {faces[1]}")
        if off:
            _ask_who(builder, owed, firer, target, place, off)
        else:
            aim.go_on(builder, order, owed)

    return PreparedOrder(
        dice=DICE,
        judge=judge,
        decide=decide,
        odds=(Measure("strays", 0),),
        reminders=("a sliver of base within 60° counts (GQ2-NIT-5)",),
    )


def go_on_with(builder: DecisionBuilder, ready: PreparedOrder, order: Order, owed: Owed) -> None:
    """The targeting is settled: the attack is decided if its dice were given, or they are owed.

    What follows has the order as its cause, no matter which ship is hit.
    """
    faces = owed.numbers(FACES)[: len(ready.dice)]
    missing = ready.missing(faces)
    if not missing:
        ready.decide(faces, builder)
        for text in ready.assumes:
            builder.because(text)
        return
    builder.owe(
        order.word,
        ready.ship,
        ready.prompt,
        *missing,
        order=order.bare,
        faces=faces,
        cause=owed.entry,
    )


def _ask_who(builder: DecisionBuilder, owed: Owed, firer: Ship, target: Ship, place: str, off: int) -> None:
    battle = builder.battle
    lone = ""
    if off > 1:
        lone = "; if only one, " + ("that one" if option(battle, "one_of_two") == "that-one" else NOBODY)
    form = _FORMS[owed.declared.word]
    builder.owe(
        WHO,
        firer.id,
        f"{place}, seen from {firer.name}: who is there? within 60°{lone}; behind it, if so, {_signs(form)}",
        words=(*(id for id in words_for(battle, firer.id) if id != target.id), NOBODY),
        order=owed.order,
        facts=owed.facts,
        cause=owed.entry,
    )


def prepare_who(battle: Battle, owed: Owed, words: tuple[str, ...], order: Order, aim: Aim) -> PreparedOrder:
    """The answer who is there, with what is measured to that ship; nobody: the ship intended."""
    intended = battle.ships[order.text("target")]
    spent = len(words) > 1 and len(words[-1]) > 2 and OUTSIDE.startswith(words[-1].lower())
    try:
        actual = _measured(battle, order, owed, words[:-1] if spent else words)
    except OrderRefused as refusal:
        return PreparedOrder(findings=(impossible(f"{refusal}: {_expected(order.form, owed)}"),))
    target = battle.ships[actual.text("target")]

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        instead = "" if target.id == intended.id else f" instead of {intended.name}"
        if spent:
            builder.because(f"{target.name}{instead} {aim.outside}", "GQ2-NIT-2")
            builder.result("fired", False)
            aim.give_back(builder, actual)
            return
        builder.because(f"it is {target.name}{instead}", "GQ2-NIT-2")
        aim.go_on(builder, actual, owed)

    return PreparedOrder(findings=() if spent else aim.barred(battle, actual), decide=decide)


def _expected(form: Form, owed: Owed) -> str:
    return f"expected a ship and behind it, if so, {_signs(form)}; one of {', '.join(owed.words)}"


def _signs(form: Form) -> str:
    """What an answer may say of the ship that is there."""
    return ", ".join(
        (*(_sign(form, name) for name in _MEASURED[form.word]), f"{OUTSIDE} (out of reach or arc)")
    )


def _sign(form: Form, name: str) -> str:
    slot = next((slot for slot in form.slots if slot.name == name), None)
    return f"{name} N" if slot is not None and slot.keyword else name


def _measured(battle: Battle, order: Order, owed: Owed, words: tuple[str, ...]) -> Order:
    """The order at the ship that an answer names, with what the answer measures; else OrderRefused."""
    if not words or words[0] not in owed.words:
        raise OrderRefused(impossible(f"“{' '.join(words)}” names no ship that may be there"))
    target = order.text("target") if words[0] == NOBODY else words[0]
    if len(words) == 1:
        return evolve(order, slots={**order.slots, "target": target})
    form = order.form
    trailing = Form(form.word, "", "", tuple(slot for slot in form.slots if slot.trailing))
    again = " ".join(_in_full(trailing, words[1:]))
    needed = tuple(evolve(slot, optional=True) for slot in trailing.slots)
    given = parse(f"{form.word} {again}", {form.word: evolve(trailing, slots=needed)}, battle).slots
    kept = {name: value for name, value in order.slots.items() if name not in _MEASURED[form.word]}
    anew = given if any(_is_distance(form, name) for name in given) else {**order.slots, **given}
    slots = {**kept, **anew, "ship": order.slots["ship"], "target": target}
    return evolve(order, slots=slots)


def _in_full(form: Form, words: tuple[str, ...]) -> list[str]:
    """An answer's words as the order has them: beginnings in full, a first number behind its keyword."""
    known = {slot.keyword or slot.name for slot in form.slots}
    first = next((slot.keyword for slot in form.slots if slot.kind is kinds.MEASURE), "")
    full = [first] if first and words[0][:1].isdigit() else []
    for word in words:
        begun = [name for name in known if name.startswith(word.lower())]
        full.append(begun[0] if len(begun) == 1 else word)
    return full


def _is_distance(form: Form, name: str) -> bool:
    return any(slot.name == name and slot.kind is kinds.MEASURE for slot in form.slots)
