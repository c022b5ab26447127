"""Who may be attacked in General Quarters 2: light, searchlights, smoke, and the targeting roll by night.

The attacks themselves are in `gunnery` and `torpedo`; an `Aim` says how each continues after targeting.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction

from attrs import evolve, frozen

from qf_tui.core.decisions import DecisionBuilder, Op
from qf_tui.core.declarations import Measure, PreparedOrder, out_of_phase
from qf_tui.core.errors import Finding, OrderRefused, impossible, refused
from qf_tui.core.facts import Fact
from qf_tui.core.grammar import kinds
from qf_tui.core.grammar.reader import read_words
from qf_tui.core.text import format_possessive
from qf_tui.core.values import AFLOAT, Battle, Die, Faces, Form, Order, Owed, Ship
from qf_tui.rules.gq2.clauses import read_option
from qf_tui.rules.gq2.forms import (
    DARK,
    DAY,
    DUSK,
    FACES,
    FIRE,
    LIGHT,
    NIGHT,
    SMOKE,
    TARGET,
    TORPEDO,
    TORPEDOES,
    VISIBILITY,
    format_distance,
)
from qf_tui.rules.gq2.rating import is_of_navy
from qf_tui.rules.gq2.ship import (
    ABANDONED,
    AGROUND,
    FIRING_PHASES,
    SEARCHING,
    SINKING,
    can_act,
    list_light_sources,
)

LIGHT_REACH = Fraction(9)
"""Reach of a searchlight, in inches."""

ONE_LIGHT_NAVIES = ("british", "french", "austro-hungarian")
"""Navies whose ships light only one ship; others light one on each side (GQ2-NIT-3)."""

ON_TABLE = (AFLOAT, ABANDONED, SINKING, AGROUND)
"""Statuses of ships that can be attacked."""

TARGETING, WHO, MEASURE = "targeting", "who", "measure"
TARGETING_DICE = (Die(6, "red"), Die(6, "blue"))
NOBODY, OUTSIDE = "nobody", "outside"
WHOLE_ORDER = 0
"""Number of torpedoes that stands for all of an order, also if the order is a shot or a searchlight."""

_FORM_BY_WORD = {form.word: form for form in (FIRE, TORPEDO, LIGHT)}
_MEASURED_SLOTS = {
    FIRE.word: ("straddle", "penetrates", "over", "bases"),
    TORPEDO.word: ("stick", "bow", "stern"),
    LIGHT.word: (),
}
"""Slots measured to the target: if targeting finds another ship, they are asked again and all others stay."""


@frozen
class Aim:
    """How an attack continues once the targeting roll has found its ship.

    Attributes:
        resume_attack: Function that continues the attack on the ship found.
        list_findings: Function that lists the findings against the attack on that ship.
        give_back: Function that gives back the torpedoes or the ammunition of an attack that cannot be made.
        ask_measure: Function that owes the measurements to a ship other than the intended target; None if
            the attack needs none.
        outside: Text for a ship out of reach or arc.
    """

    resume_attack: Callable[[DecisionBuilder, Order, Owed], None]
    list_findings: Callable[[Battle, Order], tuple[Finding, ...]] = lambda battle, order: ()
    give_back: Callable[[DecisionBuilder, Order, Owed], None] = lambda builder, order, owed: None
    ask_measure: Callable[[DecisionBuilder, Owed, str], None] | None = None
    outside: str = "is outside the arc: no shot is fired"


def find_light(battle: Battle) -> str:
    """Return whether it is day, dusk or night, as the umpire set it; by default day.

    Rule: GQ2-NIT-6.
    """
    return str(battle.table.get("light") or DAY)


def is_night(battle: Battle) -> bool:
    """Return whether the rules of night are in force."""
    return find_light(battle) == NIGHT


def compute_visibility_modifiers(battle: Battle) -> tuple[int, int]:
    """Return what dusk adds to every straddle die, and what the umpire's other causes add.

    Rule: GQ2-GUN-2.
    """
    causes = battle.table.get("visibility")
    return int(find_light(battle) == DUSK), causes if isinstance(causes, int) else 0


def is_illuminated(battle: Battle, ship: Ship) -> bool:
    """Return whether a ship is lit; in the firing phases, whether she was as the phase began."""
    observed = battle.start if battle.phase in FIRING_PHASES else battle
    return bool(list_light_sources(observed, observed.ships.get(ship.id, ship)))


def prepare_table(battle: Battle, order: Order) -> PreparedOrder:
    """Prepare `table`: set the light, the number of causes of low visibility, or both.

    An order that sets neither is impossible.

    Rule: GQ2-NIT-6, GQ2-GUN-2.
    """
    light, causes = order.text("light"), order.number(VISIBILITY)
    empty_order = impossible(f"table: say light {DAY}, {DUSK} or {NIGHT}, or visibility N")

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        if light:
            builder.write(Op.TABLE, "", "light", light)
            builder.because(f"it is {light} from here on", "GQ2-NIT-6")
        if causes is not None:
            builder.write(Op.TABLE, "", VISIBILITY, causes)
            text = f"poor visibility adds {causes} to every straddle die from here on"
            builder.because(text if causes else "visibility is good from here on", "GQ2-GUN-2")

    return PreparedOrder(findings=() if light or causes is not None else (empty_order,), decide=decide)


def check_phase(battle: Battle, form: Form) -> tuple[Finding, ...]:
    """Return the finding against an order outside its phases, or () in its phase.

    Rule: GQ2-PH-1.
    """
    return out_of_phase(battle, form, "GQ2-PH-1")


def check_in_action(battle: Battle, ship: Ship) -> tuple[Finding, ...]:
    """Return the finding against an order to a ship that takes none, with the switch that could allow it."""
    if can_act(battle, ship):
        return ()
    if ship.status == AGROUND:
        return (refused(f"{ship.name} is aground and silent (switch aground)", "GQ2-SNK-3"),)
    switch = " (switch sinking_ships)" if ship.status == SINKING else ""
    return (refused(f"{ship.name} is {ship.status} and takes no orders{switch}", "GQ2-SNK-2"),)


def check_can_move(battle: Battle, ship: Ship) -> tuple[Finding, ...]:
    """Return the finding against the move of a ship that is aground or takes no orders.

    Rule: GQ2-SNK-3.
    """
    aground = refused(f"{ship.name} is aground: its movement is 0", "GQ2-SNK-3")
    return (aground,) if ship.status == AGROUND else check_in_action(battle, ship)


def list_target_findings(
    battle: Battle, firer: Ship, target: Ship, clause: str = "", *, may_be_friend: bool = False
) -> tuple[Finding, ...]:
    """List the findings against an attack on a ship.

    A lit ship of the firer's side must be fired at if it is out of place. The program cannot see that, so it
    refuses, and the text asks the umpire to force the order.

    Args:
        clause: Clause cited if the target is on the firer's side, or "".
        may_be_friend: True if the target may be on the firer's side, as for a ship found by targeting.

    Rule: GQ2-NIT-4.
    """
    findings = list(check_in_action(battle, firer))
    if firer.id == target.id:
        findings.append(impossible(f"{target.name} cannot attack itself"))
    elif firer.side == target.side and not may_be_friend:
        friend = refused(f"{target.name} is on the same side", clause)
        if is_night(battle) and is_illuminated(battle, target):
            where = " in your own formation" if firer.division == target.division else ""
            in_place = f"{target.name} is lit and on the same side: hold fire if it is in place{where}"
            out_of_place = (
                f"{format_distance(battle, Fraction(1))} or more out of place it must be fired at: "
                "force the order"
            )
            friend = refused(f"{in_place}; {out_of_place}", "GQ2-NIT-4")
        findings.append(friend)
    if target.status not in ON_TABLE:
        findings.append(refused(f"{target.name} is {target.status} and no target", "GQ2-SNK-2"))
    return tuple(findings)


def check_in_water(target: Ship) -> tuple[Finding, ...]:
    """Return the finding against a torpedo or mine at a battery on land, or () for any other target."""
    if not target.is_land_battery:
        return ()
    return (impossible(f"{target.name} is a battery on land: no torpedo or mine reaches it"),)


def has_target(
    battle: Battle,
    firer: Ship,
    list_other_findings: Callable[[Ship], tuple[Finding, ...]] = lambda target: (),
) -> bool:
    """Return whether any ship of another side is a target that a ship may attack.

    Args:
        list_other_findings: Function that lists further findings against a target.
    """
    enemies = (ship for ship in battle.ships.values() if ship.side != firer.side)
    return any(
        not (list_target_findings(battle, firer, enemy) or list_other_findings(enemy)) for enemy in enemies
    )


def needs_targeting(battle: Battle, target: Ship) -> bool:
    """Return whether an attack on a ship needs a targeting roll: by night, on an unlit ship.

    Rule: GQ2-NIT-2.
    """
    return is_night(battle) and not is_illuminated(battle, target)


def build_targeting(
    battle: Battle, order: Order, ready: PreparedOrder, rolls: tuple[tuple[str, int], ...]
) -> PreparedOrder:
    """Build an attack that owes its targeting rolls before its own dice.

    Dice that are given with the order are kept in the facts of the targeting rolls.

    Args:
        ready: The attack on the intended ship; its odds are shown.
        rolls: For each roll the ship that makes it, and its number of torpedoes or WHOLE_ORDER.
    """
    target = battle.ships[order.text("target")]

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        for number, (id, torpedoes) in enumerate(rolls, 1):
            torpedo_facts = {} if torpedoes == WHOLE_ORDER else {TORPEDOES: torpedoes}
            ordinal = f", {number} of {len(rolls)}" if len(rolls) > 1 else ""
            builder.owe(
                TARGETING,
                id,
                f"targeting of {battle.ships[id].name} at {target.name}{ordinal}",
                *TARGETING_DICE,
                order=order.without_dice,
                facts={FACES: faces, **torpedo_facts},
            )

    rolls_text = f"{len(rolls)} targeting rolls come" if len(rolls) > 1 else "the targeting roll comes"
    # The last reminder is printed just above the odds.
    odds_title = (f"at {target.name}, if it is found:",) if ready.odds else ()
    return PreparedOrder(
        findings=ready.findings,
        dice=ready.dice,
        # Without given dice none is missing yet: they are thrown after targeting.
        missing=lambda faces: ready.missing(faces) if faces else (),
        decide=decide,
        declare=ready.declare,
        ship=rolls[0][0],
        reminders=(f"{target.name} is unlit: {rolls_text} first (GQ2-NIT-2)", *ready.reminders, *odds_title),
        foretold=ready,
    )


def judge_targeting(faces: Faces) -> tuple[int, ...]:
    """Return how many ships off the target a targeting roll is, 0 to 2, and 1 if to the right, 0 if left.

    Args:
        faces: The red face and the blue face.

    Rule: GQ2-NIT-2.
    """
    low, high = sorted(faces)
    ships_off = int(high >= 2 * low) + int(high >= 3 * low)
    red, blue = faces
    return ships_off, int(red > blue)


def prepare_targeting(battle: Battle, owed: Owed, aim: Aim) -> PreparedOrder:
    """Prepare a targeting roll: it finds the intended ship, or a place where another ship may be.

    The attack on the intended ship resumes at once. For another place the umpire is asked who is there.
    """
    order = owed.declared_order
    target = battle.ships[order.text("target")]

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        ships_off, is_right = judge_targeting(faces)
        distance = "two ships" if ships_off == 2 else "one ship"
        place = f"{distance} to the {'right' if is_right else 'left'} of {target.name}"
        builder.because(
            place if ships_off else f"finds {target.name}",
            "GQ2-NIT-2",
            roll=f"red {faces[0]}, blue {faces[1]}",
        )
        if ships_off:
            _ask_who(builder, owed, target, place, ships_off)
        else:
            aim.resume_attack(builder, order, owed)

    return PreparedOrder(
        dice=TARGETING_DICE,
        judge=judge_targeting,
        decide=decide,
        odds=(Measure("strays", 0),),
        reminders=("a sliver of base within 60° counts (GQ2-NIT-5)",),
    )


def continue_attack(
    builder: DecisionBuilder, ready: PreparedOrder, order: Order, owed: Owed, torpedoes: int = 0
) -> None:
    """Decide an attack after its targeting if its dice were given, or owe the missing dice.

    Args:
        ready: The attack on the ship found.
        owed: The targeting question, which keeps the dice given with the order and the entry of the order.
        torpedoes: Number of torpedoes to keep with the owed dice, or 0.
    """
    faces = owed.read_numbers(FACES)[: len(ready.dice)]
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
        order=order.without_dice,
        faces=faces,
        facts={TORPEDOES: torpedoes} if torpedoes else {},
        cause=owed.entry,
    )


def _ask_who(builder: DecisionBuilder, owed: Owed, target: Ship, place: str, ships_off: int) -> None:
    """Owe the question which ship is at the place that a targeting roll gives.

    The question is put before those that the same order owes already.

    Args:
        ships_off: Ships from the target to that place: 1 or 2.
    """
    battle, firer = builder.battle, builder.ship(owed.ship)
    hint = ""
    if ships_off > 1:
        who_counts = "that one" if read_option(battle, "one_of_two") == "that-one" else NOBODY
        hint = f" If only one is there: {who_counts}."
    measurements = _format_measurements(_FORM_BY_WORD[owed.declared_order.word])
    # A ship that has struck is still on the table.
    candidates = (
        ship.id
        for ship in battle.ships.values()
        if ship.status in (*ON_TABLE, "struck") and ship.id not in (firer.id, target.id)
    )
    builder.owe(
        WHO,
        firer.id,
        f"{place}, seen from {firer.name}: who is there within 60°?{hint} "
        f"After the name, if needed: {measurements}",
        words=(*candidates, NOBODY),
        order=owed.order,
        facts=owed.facts,
        cause=owed.entry,
    )
    # Owe the earlier questions of this order again, so that they follow the new one.
    for earlier in builder.battle.owed:
        if earlier.entry == owed.entry and earlier.line in (MEASURE, TORPEDO.word):
            builder.settle(earlier)
            builder.write(Op.OWE, earlier.ship, earlier.line, earlier)


def prepare_who(battle: Battle, owed: Owed, words: tuple[str, ...], aim: Aim) -> PreparedOrder:
    """Prepare the answer that names the ship at the place of a targeting roll, or `nobody`.

    `nobody` means the intended target. Measurements to the ship may follow the name. If another ship than the
    intended one needs measurements and none follow, they are owed next. Otherwise the attack resumes. A name
    that is not offered is refused; if it begins several of the offered names, the text lists those.
    """
    name, order = words[0] if words else "", owed.declared_order
    if name not in owed.words:
        matches = [word for word in owed.words if name and word.startswith(name.lower())]
        fault = f"may be {' or '.join(matches)}" if len(matches) > 1 else "is no ship that may be there"
        text = f"“{' '.join(words)}” {fault}: {_format_expected(order.form, owed)}"
        return PreparedOrder(findings=(impossible(text),))
    intended = order.text("target")
    target = intended if name == NOBODY else name
    ask_measure = aim.ask_measure
    answer = f"it is {_format_found_ship(battle, order, target)}"
    if words[1:] or ask_measure is None or target == intended:
        return _prepare_found_ship(battle, owed, target, words[1:], aim, answer)

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        builder.because(answer, "GQ2-NIT-2")
        ask_measure(builder, owed, target)

    return PreparedOrder(decide=decide)


def owe_measure(
    builder: DecisionBuilder,
    owed: Owed,
    target: str,
    facts: Mapping[str, Fact] | None = None,
    firers: tuple[str, ...] = (),
) -> None:
    """Owe the measurements from the firers to the ship that targeting found.

    The order's measurements are to the intended ship, and do not apply to the ship found.

    Args:
        facts: Facts of the new question; if empty, those of the question just answered.
        firers: Ships to name in the prompt; if empty, the ship that rolled.

    Rule: GQ2-NIT-2.
    """
    names = ", ".join(builder.ship(id).name for id in firers or (owed.ship,))
    builder.owe(
        MEASURE,
        owed.ship,
        f"{names} at {builder.ship(target).name}: {_format_measurements(owed.declared_order.form)}",
        order=owed.order,
        facts={**(facts or owed.facts), TARGET: target},
        cause=owed.entry,
    )


def prepare_measure(battle: Battle, owed: Owed, words: tuple[str, ...], aim: Aim) -> PreparedOrder:
    """Prepare the answer with the measurements to the ship that targeting found."""
    target = owed.read_text(TARGET)
    return _prepare_found_ship(
        battle, owed, target, words, aim, f"at {battle.ships[target].name}: {' '.join(words)}"
    )


def _prepare_found_ship(
    battle: Battle, owed: Owed, target: str, words: tuple[str, ...], aim: Aim, answer: str
) -> PreparedOrder:
    """Prepare the attack on the ship that targeting found, with the measurements to her.

    If the answer ends with `outside`, she is out of reach or arc: there is no attack, and its torpedoes or
    ammunition are given back. Measurements that cannot be read are refused.

    Args:
        words: Words of the answer after the ship's name.
        answer: Text of the answer, for the reason.
    """
    order = owed.declared_order
    # `outside` may be shortened to three letters.
    is_outside = bool(words) and len(words[-1]) > 2 and OUTSIDE.startswith(words[-1].lower())
    try:
        attack = (
            order.with_slot("target", target)
            if is_outside
            else _build_measured_order(battle, order, target, words)
        )
    except OrderRefused as refusal:
        return PreparedOrder(findings=(impossible(f"{refusal}: {_format_expected(order.form, owed)}"),))

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        if is_outside:
            builder.because(f"{_format_found_ship(battle, order, target)} {aim.outside}", "GQ2-NIT-2")
            builder.result("fired", False)
            aim.give_back(builder, attack, owed)
        else:
            builder.because(answer, "GQ2-NIT-2")
            aim.resume_attack(builder, attack, owed)

    return PreparedOrder(findings=() if is_outside else aim.list_findings(battle, attack), decide=decide)


def _format_found_ship(battle: Battle, order: Order, target: str) -> str:
    """Format the ship that targeting found, and the intended one if it is another."""
    name, intended = battle.ships[target].name, order.text("target")
    return name if target == intended else f"{name} instead of {battle.ships[intended].name}"


def _format_expected(form: Form, owed: Owed) -> str:
    """Format what an answer is expected to say: a ship if some are offered, and measurements."""
    if not owed.words:
        return f"expected {_format_measurements(form)}"
    return f"expected one of {', '.join(owed.words)}; then, if needed, {_format_measurements(form)}"


def _format_measurements(form: Form) -> str:
    """Format the words that an answer may use for the measurements to the ship found."""
    slots = (form.find_slot(name) for name in _MEASURED_SLOTS[form.word])
    texts = (f"{slot.name} N" if slot.keyword else slot.name for slot in slots if slot is not None)
    return ", ".join((*texts, f"{OUTSIDE} (out of reach or arc)"))


def _build_measured_order(battle: Battle, order: Order, target: str, words: tuple[str, ...]) -> Order:
    """Build the attack on the ship that targeting found, with the measurements to her.

    Without words it keeps the measurements to the intended ship.

    Raises:
        OrderRefused: The words do not fit.
    """
    if not words:
        return order.with_slot("target", target)
    form = order.form
    # An answer may only use the slots that have no fixed place in the order.
    answer_slots = tuple(slot for slot in form.slots if slot.is_trailing)
    answer_form = Form(form.word, key="", title="", slots=answer_slots)
    measured = read_words(_complete_words(answer_form, words), answer_form, battle).slots
    unmeasured = {
        name: value for name, value in order.slots.items() if name not in _MEASURED_SLOTS[form.word]
    }
    slots = {**unmeasured, **measured, "target": target}
    # The slots must come in the sequence of the form.
    return evolve(order, slots={slot.name: slots[slot.name] for slot in form.slots if slot.name in slots})


def _complete_words(form: Form, words: tuple[str, ...]) -> list[str]:
    """Write out abbreviated words of an answer, and put the missing keyword before a bare number."""
    names = {slot.keyword or slot.name for slot in form.slots}
    keywords = {slot.keyword for slot in form.slots if slot.keyword}
    number_keyword = next((slot.keyword for slot in form.slots if slot.kind is kinds.MEASURE), "")
    completed: list[str] = []
    for word in words:
        matches = [name for name in names if name.startswith(word.lower())]
        follows_keyword = bool(completed) and completed[-1] in keywords
        is_bare_number = word[:1].isdigit() and not follows_keyword
        # A bare number is the measurement, unless that is given already.
        if is_bare_number and number_keyword and number_keyword not in completed:
            completed.append(number_keyword)
        completed.append(matches[0] if len(matches) == 1 else word)
    return completed


def prepare_light(battle: Battle, order: Order) -> PreparedOrder:
    """Prepare `light`: a ship turns a searchlight on another; if that one is unlit, targeting comes first.

    Rule: GQ2-NIT-3, GQ2-NIT-7.
    """
    ship, target = battle.ships[order.text("ship")], battle.ships[order.text("target")]
    needs_roll = needs_targeting(battle, target)
    limit_note = () if _count_lights_allowed(ship) == 1 else ("one ship on each side at most (GQ2-NIT-3)",)

    def declare(builder: DecisionBuilder) -> None:
        builder.remember(LIGHT.word, ship.id)
        # A light that waits for targeting already shows the ship that uses it.
        if needs_roll and not ship.live("lights") and ship.log.get(SEARCHING) is not True:
            builder.record(ship.id, SEARCHING, True)
            builder.because("is lit itself from now on", "GQ2-NIT-7", subject=ship.name)

    ready = PreparedOrder(
        findings=(*check_phase(battle, LIGHT), *list_light_findings(battle, ship, target)),
        declare=declare,
        decide=lambda faces, builder: switch_light_on(builder, order),
        reminders=(f"searchlights reach {format_distance(battle, LIGHT_REACH)} (GQ2-NIT-3)", *limit_note),
    )
    rolls = ((ship.id, WHOLE_ORDER),)
    return build_targeting(battle, order, ready, rolls) if needs_roll else ready


def _count_lights_allowed(ship: Ship) -> int:
    """Return how many ships a ship may light at once."""
    return 1 if is_of_navy(ship, *ONE_LIGHT_NAVIES) else 2


def list_light_findings(battle: Battle, ship: Ship, target: Ship) -> tuple[Finding, ...]:
    """List the findings against one more searchlight of a ship at a target, except for the phase.

    A ship of the same side may be lit.
    """
    findings = list(list_target_findings(battle, ship, target, "GQ2-NIT-3", may_be_friend=True))
    if find_light(battle) == DAY:
        findings.append(refused("searchlights light no ship by day", "GQ2-NIT-6"))
    shining = ship.live("lights")
    most_lights = _count_lights_allowed(ship)
    lit_ids = [mark.text for mark in shining]
    declared_ids = _list_declared_lights(battle, ship)
    lights_from_before = [mark for mark in shining if mark.turn < battle.turn]
    # A light that was put on in this turn stays used, even if it was put out again.
    lights_used = len(lights_from_before) + len(battle.list_turn_acts(LIGHT.word, ship.id))
    if target.id in lit_ids:
        findings.append(refused(f"{ship.name} already lights {target.name}", "GQ2-PH-5"))
    elif target.id in declared_ids:
        findings.append(_refuse_declared_light(battle, ship, target.id))
    elif len(lit_ids) + len(declared_ids) >= most_lights:
        names = ", ".join(battle.ships[id].name for id in declared_ids)
        advice = (
            f": one is declared at {names} already"
            if declared_ids
            else f": `dark {ship.id} {lit_ids[0]}` first"
        )
        allowed = "one ship only" if most_lights == 1 else "one ship on each side"
        findings.append(refused(f"{ship.name} lights {allowed}{advice}", "GQ2-NIT-3"))
    elif lights_used >= most_lights:
        findings.append(refused(f"{ship.name} has used all its searchlights in this phase", "GQ2-NIT-7"))
    return tuple(findings)


def _refuse_declared_light(battle: Battle, ship: Ship, target: str) -> Finding:
    text = f"{format_possessive(ship.name)} light at {battle.ships[target].name} still waits for its roll"
    return refused(text, "GQ2-PH-5")


def _list_declared_lights(battle: Battle, ship: Ship) -> tuple[str, ...]:
    """List the ids of the targets of a ship's searchlights that are declared but wait for targeting.

    Rule: GQ2-NIT-3.
    """
    orders = [owed.order for owed in battle.owed if owed.line in (TARGETING, WHO) and owed.ship == ship.id]
    return tuple(order.text("target") for order in orders if order is not None and order.form is LIGHT)


def switch_light_on(builder: DecisionBuilder, order: Order, owed: Owed | None = None) -> None:
    """Record a ship's searchlight on the target of an order; it also lights the ship itself.

    Args:
        owed: Not used; other attacks that continue after targeting need it.

    Rule: GQ2-NIT-3.
    """
    id, target = order.text("ship"), order.text("target")
    ship = builder.ship(id)
    # A light that has found a ship searches no longer.
    if ship.log.get(SEARCHING) is True:
        builder.record(id, SEARCHING, False)
    if not any(mark.text == target for mark in ship.live("lights")):
        builder.mark(id, "lights", target)
    target_name = builder.ship(target).name
    builder.because(f"lights {target_name}, and is lit itself", "GQ2-NIT-3", subject=ship.name)


def prepare_dark(battle: Battle, order: Order) -> PreparedOrder:
    """Prepare `dark`: all searchlights of a ship go off, or only the one on a named ship.

    It is refused while a declared light waits for its roll, and impossible if no light is on.

    Rule: GQ2-PH-5, GQ2-NIT-3.
    """
    ship, target = battle.ships[order.text("ship")], order.text("target")
    lights = [mark for mark in ship.live("lights") if target in ("", mark.text)]
    at_target = f" at {battle.ships[target].name}" if target else ""
    searching = ship.log.get(SEARCHING) is True and not target
    findings = [
        _refuse_declared_light(battle, ship, id)
        for id in _list_declared_lights(battle, ship)
        if target in ("", id)
    ]
    if not (lights or searching or findings):
        findings = [impossible(f"{ship.name} has no searchlight on{at_target}")]

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        for mark in lights:
            builder.lift(ship.id, mark)
        if searching:
            builder.record(ship.id, SEARCHING, False)
        result = f"searchlight{at_target} goes off" if target else "searchlights go off"
        builder.because(f"{format_possessive(ship.name)} {result}", "GQ2-PH-5")

    return PreparedOrder(findings=(*check_phase(battle, DARK), *findings), decide=decide)


def find_smoke_colour(turn: int) -> str:
    """Return the color of the smoke of a turn.

    Rule: GQ2-PH-3.
    """
    return "black" if turn % 2 else "gray"


def prepare_smoke(battle: Battle, order: Order) -> PreparedOrder:
    """Prepare `smoke`: a ship lays smoke in the color of this turn, once a turn.

    Rule: GQ2-PH-3, GQ2-PH-6.
    """
    ship = battle.ships[order.text("ship")]
    colour = find_smoke_colour(battle.turn)
    findings = [*check_phase(battle, SMOKE), *check_in_action(battle, ship)]
    if any(mark.turn == battle.turn for mark in ship.live("smoke")):
        findings.append(refused(f"{ship.name} has laid smoke this turn", "GQ2-PH-3"))

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        builder.mark(ship.id, "smoke", colour)
        builder.because(f"lays {colour} smoke", "GQ2-PH-3", subject=ship.name)

    reminder = "smoke counts as `low` or `bases` in a shot (GQ2-PH-6)"
    return PreparedOrder(findings=tuple(findings), decide=decide, reminders=(reminder,))


def clear_smoke(builder: DecisionBuilder) -> None:
    """Remove the smoke of last turn, in the repair phase.

    Rule: GQ2-PH-3.
    """
    # Colors alternate, so the next turn has the color of last turn.
    old_colour = find_smoke_colour(builder.battle.turn + 1)
    for ship in builder.battle.ships.values():
        for mark in ship.live("smoke"):
            if mark.text == old_colour:
                builder.lift(ship.id, mark)
                builder.because(f"{format_possessive(ship.name)} {old_colour} smoke is taken up", "GQ2-PH-3")
