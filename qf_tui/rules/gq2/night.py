"""By night: to which ships the torpedoes of a spread are led (GQ2-TOR-1, GQ2-NIT-5).

Each torpedo has a targeting roll. What is found is owed as one line a ship: its stick number and aspect, if
it is not the ship intended, then its die. The line counts the torpedoes that are led to that ship.
"""

from collections.abc import Callable, Mapping

from attrs import evolve, frozen

from qf_tui.core.decisions import DecisionBuilder, Op
from qf_tui.core.errors import Finding, OrderRefused, impossible, refused
from qf_tui.core.facts import Fact
from qf_tui.core.grammar import kinds
from qf_tui.core.grammar.reader import read_words
from qf_tui.core.system import Faces, Measure, PreparedOrder
from qf_tui.core.text import whose
from qf_tui.core.values import Battle, Die, Form, Order, Owed, Ship
from qf_tui.rules.gq2.attacks import TorpedoAttack, attack_of, from_each, total
from qf_tui.rules.gq2.clauses import option
from qf_tui.rules.gq2.forms import DARK, DAY, FACES, FIRE, LIGHT, SMOKE, TARGET, TORPEDO, TORPEDOES, with_unit
from qf_tui.rules.gq2.targets import (
    REACH,
    SEARCHING,
    at_target,
    illuminated,
    is_night,
    light,
    lights_most,
    of_phase,
    out_of_action,
    words_for,
)

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


def prepare_light(battle: Battle, order: Order) -> PreparedOrder:
    """`light`: a searchlight at a ship; at an unlit one the targeting roll comes first (GQ2-NIT-3)."""
    ship, target = battle.ships[order.text("ship")], battle.ships[order.text("target")]
    findings = (*of_phase(battle, LIGHT), *_light_findings(battle, ship, target))
    notes = _light_reminders(battle, ship)

    def declare(builder: DecisionBuilder) -> None:
        builder.remember(LIGHT.word, ship.id)
        if not ship.live("lights") and ship.log.get(SEARCHING) is not True:
            builder.record(ship.id, SEARCHING, True)
            builder.because("is lit itself from now on", "GQ2-NIT-7", subject=ship.name)

    if must_target(battle, target):
        return ask(battle, order, findings, declare, notes, PreparedOrder(), ((ship.id, 0),))

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        builder.remember(LIGHT.word, ship.id)
        _switch_on(builder, ship.id, target.id)

    return PreparedOrder(findings=findings, decide=decide, reminders=notes)


def go_on(builder: DecisionBuilder, order: Order, owed: Owed) -> None:
    """The targeting is settled: the light falls on that ship."""
    _switch_on(builder, order.text("ship"), order.text("target"))


def _light_findings(battle: Battle, ship: Ship, target: Ship) -> tuple[Finding, ...]:
    """What hinders another searchlight, the phase left aside; friends may be lit."""
    strayed = ship.side == target.side and ship.id != target.id
    found = list(at_target(battle, ship, target, "GQ2-NIT-3", strayed=strayed))
    if light(battle) == DAY:
        found.append(refused("searchlights light nothing by day", "GQ2-NIT-6"))
    shining = [mark.text for mark in ship.live("lights")]
    declared = _declared(battle, ship)
    if target.id in shining:
        found.append(refused(f"{ship.name} lights {target.name} already", "GQ2-PH-5"))
    elif target.id in declared:
        found.append(refused(f"{whose(ship.name)} light at {target.name} has its roll to come", "GQ2-PH-5"))
    elif len(shining) + len(declared) >= lights_most(ship):
        found.append(refused(_too_many(battle, ship, declared), "GQ2-NIT-3"))
    elif _used(battle, ship) >= lights_most(ship):
        used = "no searchlight that was not used in this phase"
        found.append(refused(f"{ship.name} has {used}", "GQ2-NIT-7"))
    return tuple(found)


def _used(battle: Battle, ship: Ship) -> int:
    """A ship's lights that rolled in this phase, put out since or not, and those that burn from before."""
    from_before = [mark for mark in ship.live("lights") if mark.turn < battle.turn]
    return len(from_before) + len(battle.done(LIGHT.word, ship.id))


def _declared(battle: Battle, ship: Ship) -> tuple[str, ...]:
    """The ships at which a ship's searchlights are declared, and not yet rolled for (GQ2-NIT-3)."""
    orders = [owed.order for owed in battle.owed if owed.line in (TARGETING, WHO) and owed.ship == ship.id]
    return tuple(order.text("target") for order in orders if order is not None and order.form is LIGHT)


def _too_many(battle: Battle, ship: Ship, declared: tuple[str, ...]) -> str:
    most = "one ship only" if lights_most(ship) == 1 else "one ship on each side"
    if declared:
        names = ", ".join(battle.ships[id].name for id in declared)
        return f"{ship.name} lights {most}: one is declared at {names} already"
    lit = next(mark.text for mark in ship.live("lights"))
    return f"{ship.name} lights {most}: `dark {ship.id} {lit}` first"


def may_light(battle: Battle, ship: Ship) -> bool:
    """Whether a ship may still light another in this phase."""
    if of_phase(battle, LIGHT):
        return False
    return any(not _light_findings(battle, ship, target) for target in battle.ships.values())


def _light_reminders(battle: Battle, ship: Ship) -> tuple[str, ...]:
    """What people measure before a searchlight goes on."""
    side = () if lights_most(ship) == 1 else ("one ship on each side at most (GQ2-NIT-3)",)
    return (f"searchlights reach {with_unit(battle, REACH)} (GQ2-NIT-3)", *side)


def _switch_on(builder: DecisionBuilder, id: str, target: str) -> None:
    """The light falls on a ship, and shows its user (GQ2-NIT-3)."""
    ship, lit = builder.ship(id), builder.ship(target)
    if ship.log.get(SEARCHING) is True:
        builder.record(id, SEARCHING, False)
    if not any(mark.text == target for mark in ship.live("lights")):
        builder.mark(id, "lights", target)
    builder.because(f"lights {lit.name}, and is lit itself", "GQ2-NIT-3", subject=ship.name)


def prepare_dark(battle: Battle, order: Order) -> PreparedOrder:
    """`dark`: a ship's searchlights go off, or the one on a ship (GQ2-PH-5, GQ2-NIT-3)."""
    ship, target = battle.ships[order.text("ship")], order.text("target")
    shining = [mark for mark in ship.live("lights") if target in ("", mark.text)]
    there = f" at {battle.ships[target].name}" if target else ""
    searching = ship.log.get(SEARCHING) is True and not target
    dark = () if shining or searching else (impossible(f"{ship.name} has no searchlight on{there}"),)
    findings = (*of_phase(battle, DARK), *dark)

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        for mark in shining:
            builder.lift(ship.id, mark)
        if searching:
            builder.record(ship.id, SEARCHING, False)
        off = f"searchlight{there} goes off" if target else "searchlights go off"
        builder.because(f"{whose(ship.name)} {off}", "GQ2-PH-5")

    return PreparedOrder(findings=findings, decide=decide)


def colour(turn: int) -> str:
    """The smoke of a turn (GQ2-PH-3)."""
    return "black" if turn % 2 else "gray"


def prepare_smoke(battle: Battle, order: Order) -> PreparedOrder:
    """`smoke`: a ship lays the smoke of this turn's colour (GQ2-PH-3, GQ2-PH-6)."""
    ship, laid = battle.ships[order.text("ship")], colour(battle.turn)
    again = any(mark.turn == battle.turn for mark in ship.live("smoke"))
    twice = (refused(f"{ship.name} lays smoke this turn already", "GQ2-PH-3"),) if again else ()
    findings = (*of_phase(battle, SMOKE), *out_of_action(battle, ship), *twice)

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        builder.mark(ship.id, "smoke", laid)
        builder.because(f"lays {laid} smoke", "GQ2-PH-3", subject=ship.name)

    return PreparedOrder(
        findings=findings, decide=decide, reminders=("smoke counts as `low` or `bases` in a shot (GQ2-PH-6)",)
    )


def clear_smoke(battle: Battle, builder: DecisionBuilder) -> None:
    """The repair phase takes up the smoke of the turn before (GQ2-PH-3)."""
    old = colour(battle.turn + 1)
    for ship in battle.ships.values():
        for mark in ship.live("smoke"):
            if mark.text == old:
                builder.lift(ship.id, mark)
                builder.because(f"{whose(ship.name)} {old} smoke is taken up", "GQ2-PH-3")


Launch = Callable[[Battle, TorpedoAttack, int], PreparedOrder]
"""The dice of an attack that an entry declared."""


def rolls(battle: Battle, order: Order) -> tuple[tuple[str, int], ...]:
    """The targeting rolls of an attack: each as its ship and its torpedoes, 0 for all (GQ2-NIT-5)."""
    ships = order.many("ships")
    if option(battle, "spread_targeting") == "one" or total(order) == 1:
        return ((ships[0], 0),)
    return tuple((id, 1) for id in ships for _ in range(from_each(order)))


def led(owed: Owed) -> int:
    """The torpedoes that a question is about; of a question that names no number all of its order."""
    return owed.number(TORPEDOES) or total(owed.declared)


def waiting(battle: Battle, entry: int) -> tuple[Owed, ...]:
    """The targeting of an entry's torpedoes that is not settled."""
    return tuple(owed for owed in battle.owed if owed.entry == entry and owed.line in (TARGETING, WHO))


def too_soon(battle: Battle, owed: Owed) -> tuple[Finding, ...]:
    """Dice of a spread before all its torpedoes have found a ship (GQ2-TOR-1)."""
    before = waiting(battle, owed.entry)
    return (refused(f"first {before[0].prompt}", "GQ2-NIT-5"),) if before else ()


def lead(builder: DecisionBuilder, order: Order, owed: Owed, launch: Launch) -> None:
    """Torpedoes are led to the ship that an order names, whose stick number and aspect are known."""
    if led(owed) == total(order):
        attack = attack_of(builder.battle, order)
        go_on_with(builder, launch(builder.battle, attack, owed.entry), order, owed)
        return
    count = led(owed) + _take(builder, owed.entry, order.text("target"))
    _owe_dice(builder, order, owed, count, launch)
    finish(builder, owed, launch)


def lead_unmeasured(builder: DecisionBuilder, owed: Owed, target: str, launch: Launch) -> None:
    """Torpedoes are led to a ship whose stick number and aspect are asked once (GQ2-TOR-1, GQ2-NIT-2)."""
    earlier = _found(builder.battle, owed.entry, target)
    count = led(owed) + _take(builder, owed.entry, target)
    if earlier is not None and earlier.line == TORPEDO.word:
        _owe_dice(builder, earlier.declared, owed, count, launch)
    else:
        # Dice that were given with a spread are for the ship intended; a single torpedo takes its own along.
        alone = led(owed) == total(owed.declared)
        faces = owed.numbers(FACES) if alone else ()
        owe_measure(builder, owed, target, {FACES: faces, TORPEDOES: count})
    finish(builder, owed, launch)


def finish(builder: DecisionBuilder, owed: Owed, launch: Launch) -> None:
    """Once all are led: the ship intended takes the dice that were given with the order."""
    faces = owed.numbers(FACES)
    found = _found(builder.battle, owed.entry, owed.declared.text("target"))
    if not faces or found is None or found.line != TORPEDO.word or waiting(builder.battle, owed.entry):
        return
    builder.settle(found)
    attack = attack_of(builder.battle, found.declared, led(found))
    go_on_with(builder, launch(builder.battle, attack, owed.entry), found.declared, owed, led(found))


def _found(battle: Battle, entry: int, target: str) -> Owed | None:
    """The line of a ship to which torpedoes of an entry were led before."""
    for owed in battle.owed:
        if owed.entry != entry or owed.line not in (TORPEDO.word, MEASURE):
            continue
        if target == (owed.text(TARGET) or owed.declared.text("target")):
            return owed
    return None


def _take(builder: DecisionBuilder, entry: int, target: str) -> int:
    """Takes the line of a ship off the queue, to be owed with more torpedoes: how many it had."""
    earlier = _found(builder.battle, entry, target)
    if earlier is None:
        return 0
    builder.settle(earlier)
    return led(earlier)


def _owe_dice(builder: DecisionBuilder, order: Order, owed: Owed, count: int, launch: Launch) -> None:
    ready = launch(builder.battle, attack_of(builder.battle, order, count), owed.entry)
    builder.owe(
        TORPEDO.word,
        ready.ship,
        ready.prompt,
        *ready.dice,
        order=order.bare,
        facts={TORPEDOES: count},
        cause=owed.entry,
    )
