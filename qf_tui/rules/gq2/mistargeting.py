"""By night: who is really aimed at (GQ2-NIT-2, GQ2-NIT-5)."""

from collections.abc import Callable, Mapping

from attrs import evolve, frozen

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.effects import Op
from qf_tui.core.errors import Finding, OrderRefused, impossible
from qf_tui.core.facts import Fact
from qf_tui.core.grammar import kinds
from qf_tui.core.grammar.forms import Form
from qf_tui.core.grammar.order import Order
from qf_tui.core.grammar.reader import read_words
from qf_tui.core.system import Faces, Measure, PreparedOrder
from qf_tui.core.values import Battle, Die, Owed, Ship
from qf_tui.rules.gq2.facts import FACES, TARGET, TORPEDOES
from qf_tui.rules.gq2.forms import FIRE, LIGHT, TORPEDO
from qf_tui.rules.gq2.lights import illuminated, is_night
from qf_tui.rules.gq2.options import option
from qf_tui.rules.gq2.targets import words_for

TARGETING, WHO, MEASURE = "targeting", "who", "measure"
DICE = (Die(6, "red"), Die(6, "blue"))
NOBODY, OUTSIDE = "nobody", "outside"


@frozen
class Aim:
    """What an attack does once its target is known: it goes on, unless something bars it there.

    `ask_measure` owes what is measured to another ship than the one intended. `give_back` undoes what was
    used up of an attack that may not be made, outside the arc; `outside` says so.
    """

    go_on: Callable[[DecisionBuilder, Order, Owed], None]
    barred: Callable[[Battle, Order], tuple[Finding, ...]] = lambda battle, order: ()
    give_back: Callable[[DecisionBuilder, Order, Owed], None] = lambda builder, order, owed: None
    outside: str = "is outside the arc: nothing is fired"
    ask_measure: Callable[[DecisionBuilder, Owed, str], None] | None = None


_FORMS = {form.word: form for form in (FIRE, TORPEDO, LIGHT)}
_MEASURED = {
    FIRE.word: ("straddle", "penetrates", "over", "bases"),
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
    declare: Callable[[DecisionBuilder], None],
    reminders: tuple[str, ...],
    ready: PreparedOrder,
    rolls: tuple[tuple[str, int], ...],
) -> PreparedOrder:
    """An attack that owes its targeting first, a roll for each of `rolls`: a ship, and its torpedoes or 0.

    `ready` is the attack at the ship intended: its odds are shown, and dice given with the order wait for it.
    """
    target = battle.ships[order.text("target")]

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        for place, (id, torpedoes) in enumerate(rolls, 1):
            which = f", {place} of {len(rolls)}" if len(rolls) > 1 else ""
            builder.owe(
                TARGETING,
                id,
                f"targeting of {battle.ships[id].name} at {target.name}{which}",
                *DICE,
                order=order.bare,
                facts={FACES: faces, **({TORPEDOES: torpedoes} if torpedoes else {})},
            )

    many = f"{len(rolls)} targeting rolls come" if len(rolls) > 1 else "the targeting roll comes"
    notes = (f"{target.name} is unlit: {many} first (GQ2-NIT-2)", *reminders)
    if ready.odds:
        notes = (*notes, f"at {target.name}, if it is found:", *ready.reminders)
    return PreparedOrder(
        findings=findings,
        dice=ready.dice,
        missing=lambda faces: ready.missing(faces) if faces else (),
        decide=decide,
        declare=declare,
        ship=rolls[0][0],
        reminders=notes,
        foretold=ready,
    )


def judge(faces: Faces) -> tuple[int, ...]:
    """Ships off, and whether to the right (GQ2-NIT-2)."""
    low, high = sorted(faces)
    return (2 if high >= 3 * low else 1 if high >= 2 * low else 0, int(faces[0] > faces[1]))


def prepare_targeting(battle: Battle, owed: Owed, order: Order, aim: Aim) -> PreparedOrder:
    """The targeting roll: the ship intended, or the question who is there."""
    firer, target = battle.ships[owed.ship], battle.ships[order.text("target")]

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        off, right = judge(faces)
        place = f"{('one ship', 'two ships')[off - 1]} to the {('left', 'right')[right]} of {target.name}"
        builder.because(
            place if off else f"finds {target.name}", "GQ2-NIT-2", roll=f"red {faces[0]}, blue {faces[1]}"
        )
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


def go_on_with(
    builder: DecisionBuilder, ready: PreparedOrder, order: Order, owed: Owed, torpedoes: int = 0
) -> None:
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
        facts={TORPEDOES: torpedoes} if torpedoes else {},
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
    _found_last(builder, owed.entry)


def _found_last(builder: DecisionBuilder, entry: int) -> None:
    """Who is there is asked before all that is owed of ships found already, and so answered first."""
    for asked in builder.battle.owed:
        if asked.entry == entry and asked.line in (MEASURE, TORPEDO.word):
            builder.settle(asked)
            builder.write(Op.OWE, asked.ship, asked.line, asked)


def prepare_who(battle: Battle, owed: Owed, words: tuple[str, ...], order: Order, aim: Aim) -> PreparedOrder:
    """The answer who is there, with what is measured to that ship or without; nobody: the ship intended."""
    named, rest = words[0] if words else "", words[1:]
    intended = order.text("target")
    if named not in owed.words:
        begun = [word for word in owed.words if named and word.startswith(named.lower())]
        meant = f"may be {' or '.join(begun)}" if len(begun) > 1 else "names no ship that may be there"
        against = f"“{' '.join(words)}” {meant}: {_expected(order.form, owed)}"
        return PreparedOrder(findings=(impossible(against),))
    target = intended if named == NOBODY else named
    instead = "" if target == intended else f" instead of {battle.ships[intended].name}"
    if rest or aim.ask_measure is None or target == intended:
        return _settle(battle, owed, target, rest, aim, f"it is {battle.ships[target].name}{instead}")
    ask_measure = aim.ask_measure

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        builder.because(f"it is {battle.ships[target].name}{instead}", "GQ2-NIT-2")
        ask_measure(builder, owed, target)

    return PreparedOrder(decide=decide)


def owe_measure(builder: DecisionBuilder, owed: Owed, target: str, facts: Mapping[str, Fact]) -> None:
    """Owes what is measured to the ship that is there: never taken over from the one intended (GQ2-NIT-2)."""
    form, name = owed.declared.form, builder.ship(target).name
    builder.owe(
        MEASURE,
        owed.ship,
        f"{builder.ship(owed.ship).name} at {name}: {_signs(form)}",
        order=owed.order,
        facts={**facts, TARGET: target},
        cause=owed.entry,
    )


def prepare_measure(battle: Battle, owed: Owed, words: tuple[str, ...], aim: Aim) -> PreparedOrder:
    """The answer with what is measured to the ship that is there."""
    target = owed.text(TARGET)
    return _settle(battle, owed, target, words, aim, f"at {battle.ships[target].name}: {' '.join(words)}")


def _settle(
    battle: Battle, owed: Owed, target: str, words: tuple[str, ...], aim: Aim, said: str
) -> PreparedOrder:
    """The attack on the ship that is there, as measured in words; outside reach or arc it is not made."""
    order = owed.declared
    spent = bool(words) and len(words[-1]) > 2 and OUTSIDE.startswith(words[-1].lower())
    try:
        actual = order.with_slot("target", target) if spent else _measured(battle, order, target, words)
    except OrderRefused as refusal:
        return PreparedOrder(findings=(impossible(f"{refusal}: {_expected(order.form, owed)}"),))
    intended = battle.ships[order.text("target")]
    instead = "" if target == intended.id else f" instead of {intended.name}"

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        if spent:
            builder.because(f"{battle.ships[target].name}{instead} {aim.outside}", "GQ2-NIT-2")
            builder.result("fired", False)
            aim.give_back(builder, actual, owed)
            return
        builder.because(said, "GQ2-NIT-2")
        aim.go_on(builder, actual, owed)

    return PreparedOrder(findings=() if spent else aim.barred(battle, actual), decide=decide)


def _expected(form: Form, owed: Owed) -> str:
    if not owed.words:
        return f"expected {_signs(form)}"
    return f"expected a ship and behind it, if so, {_signs(form)}; one of {', '.join(owed.words)}"


def _signs(form: Form) -> str:
    """What an answer may say of the ship that is there."""
    return ", ".join(
        (*(_sign(form, name) for name in _MEASURED[form.word]), f"{OUTSIDE} (out of reach or arc)")
    )


def _sign(form: Form, name: str) -> str:
    slot = form.slot(name)
    return f"{name} N" if slot is not None and slot.keyword else name


def _measured(battle: Battle, order: Order, target: str, words: tuple[str, ...]) -> Order:
    """The order at the ship that is there, with what is measured to it; else OrderRefused."""
    if not words:
        return order.with_slot("target", target)
    form = order.form
    trailing = Form(form.word, "", "", tuple(slot for slot in form.slots if slot.trailing))
    given = read_words(_in_full(trailing, words), trailing, battle).slots
    kept = {name: value for name, value in order.slots.items() if name not in _MEASURED[form.word]}
    slots = {**kept, **given, "target": target}
    return evolve(order, slots={slot.name: slots[slot.name] for slot in form.slots if slot.name in slots})


def _in_full(form: Form, words: tuple[str, ...]) -> list[str]:
    """An answer's words as the order has them: beginnings in full, a bare number behind its keyword."""
    known = {slot.keyword or slot.name for slot in form.slots}
    keywords = {slot.keyword for slot in form.slots if slot.keyword}
    first = next((slot.keyword for slot in form.slots if slot.kind is kinds.MEASURE), "")
    full: list[str] = []
    for word in words:
        begun = [name for name in known if name.startswith(word.lower())]
        if first and first not in full and word[:1].isdigit() and not (full and full[-1] in keywords):
            full.append(first)
        full.append(begun[0] if len(begun) == 1 else word)
    return full
