"""Torpedo attacks in General Quarters 2, spreads by night, and the damage of torpedoes and mines.

Rule: GQ2-TOR.
"""

from collections import Counter

from attrs import evolve, frozen

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.declarations import Measure, Need, PreparedOrder
from qf_tui.core.errors import Finding, impossible, refused
from qf_tui.core.facts import Fact
from qf_tui.core.text import Distance, format_count
from qf_tui.core.values import Battle, Die, Faces, Order, Owed, Ship
from qf_tui.rules.gq2 import charts
from qf_tui.rules.gq2.charts import find_df_column, look_up_torpedo
from qf_tui.rules.gq2.clauses import read_option
from qf_tui.rules.gq2.damage import D6, CodeKind, DamageCode, lose_boxes, owe_critical, start_sinking
from qf_tui.rules.gq2.forms import FACES, FLOTILLA, LAUNCHERS, TARGET, TORPEDO, TORPEDOES, to_inches
from qf_tui.rules.gq2.gunnery import remember_damage
from qf_tui.rules.gq2.movement import ask_about_move, find_movement, find_speed_made, format_assumption
from qf_tui.rules.gq2.ship import (
    ARMAMENT,
    DESTROYERS,
    DOUBLY_DAMAGED,
    HULL,
    TORPEDO_BOATS,
    count_halves_left,
    find_ship_at_start,
    format_halves,
    read_class_code,
    read_df,
)
from qf_tui.rules.gq2.targets import (
    MEASURE,
    ON_TABLE,
    TARGETING,
    WHO,
    WHOLE_ORDER,
    build_targeting,
    check_in_water,
    check_phase,
    continue_attack,
    has_target,
    is_night,
    list_target_findings,
    needs_targeting,
    owe_measure,
)

LAUNCHED = "torpedo"
"""Act: a ship launched torpedoes."""

LIGHT, DAMAGE, MINE = "light", "torpedo-damage", "mine"
D10 = Die(10, "", 0)
SPEED_MODIFIERS = {"standard": ((10, 3), (8, 2), (6, 1)), LIGHT: ((9, 3), (7, 2), (5, 1))}
"""Least speed of the target, and what it adds to the die; the first one reached counts (GQ2-TOR-2)."""


@frozen
class TorpedoAttack:
    """Torpedoes launched at one target.

    Attributes:
        firers: Ships that launched them.
        kind: Kind of torpedo: standard or light.
        number: Number read on the stick, or None if no stick reads the range.
        modifiers: Modifiers of the die, each with its reason.
        dice: Dice to throw: one for all torpedoes, or one for each.
        zero: What a face of 0 counts as.
    """

    firers: tuple[Ship, ...]
    target: Ship
    kind: str
    number: int | None
    modifiers: tuple[tuple[int, str], ...]
    dice: tuple[Die, ...]
    zero: int

    @property
    def firer(self) -> Ship:
        return self.firers[0]

    def add_modifiers(self, die: int) -> int:
        """Return a face with the modifiers added; a face of 0 first counts as `zero`.

        Rule: GQ2-TOR-1.
        """
        return (die or self.zero) + sum(value for value, _ in self.modifiers)

    def is_hit(self, die: int) -> bool:
        """Return whether a face hits: with its modifiers it is not above the stick's number.

        Rule: GQ2-TOR-1.
        """
        return self.number is not None and self.add_modifiers(die) <= self.number


def find_torpedo_state(battle: Battle, id: str) -> Ship:
    """Return a ship in the state that counts for torpedoes: when the phase began, or by a switch now.

    Rule: GQ2-PH-4.
    """
    current = battle.ships[id]
    if read_option(battle, "torpedo_damage") == "at-once":
        return current
    return find_ship_at_start(battle, current)


def find_kind(ship: Ship) -> str:
    """Return the kind of a ship's torpedoes: standard or light, by default standard."""
    return str(ship.card.get("torpedoes.kind") or "standard")


def count_torpedoes_of_each(order: Order) -> int:
    """Return the number of torpedoes that each ship of an order launches, by default one."""
    return order.number("spread") or 1


def count_ordered_torpedoes(order: Order) -> int:
    """Return the number of torpedoes that all ships of an order launch."""
    return count_torpedoes_of_each(order) * len(order.list_texts("ships"))


def build_attack(battle: Battle, order: Order, count: int = 0) -> TorpedoAttack:
    """Build the attack of an order on its target.

    A switch decides whether a spread throws one die with a modifier for each further torpedo, or a die for
    each.

    Args:
        count: Number of the torpedoes that go to this target, or 0 for all of the order.
    """
    firers = tuple(find_torpedo_state(battle, id) for id in order.list_texts("ships"))
    target = battle.ships[order.text("target")]
    count = count or count_ordered_torpedoes(order)
    # A flotilla with several kinds of torpedo is refused.
    kind = find_kind(firers[0])
    stick = order.slots.get("stick")
    number = stick if isinstance(stick, int) else None
    if isinstance(stick, Distance):
        number = charts.find_band(battle, kind, to_inches(battle, stick))
    one_die = read_option(battle, "spread") == "one-die"
    dice = (D10,) if one_die else (D10,) * count
    modifiers = _list_modifiers(battle, order, target, kind, further_torpedoes=count - len(dice))
    zero = int(read_option(battle, "torpedo_zero"))
    return TorpedoAttack(firers, target, kind, number, modifiers, dice, zero)


def _list_modifiers(
    battle: Battle, order: Order, target: Ship, kind: str, further_torpedoes: int
) -> tuple[tuple[int, str], ...]:
    """List the modifiers of the die, each with its reason. Modifiers of 0 are left out.

    Args:
        further_torpedoes: Torpedoes of a spread after the first, if they share one die.

    Rule: GQ2-TOR-2.
    """
    movement = find_movement(battle, target)
    speed = find_speed_made(battle, target)
    speed_modifier = next((modifier for least, modifier in SPEED_MODIFIERS[kind] if speed >= least), 0)
    moving_modifiers = (
        (speed_modifier, "target's speed"),
        (-int(bool(find_torpedo_state(battle, target.id).live("rudder"))), "rudder hit"),
        (-int(movement.straight), "moved straight"),
        (int(order.has("bow")), "at the bow"),
        (2 * order.has("stern"), "at the stern"),
    )
    target_modifiers = moving_modifiers if speed else ((-4, "stationary"),)
    modifiers = (
        *target_modifiers,
        (-further_torpedoes, "spread"),
        (int(movement.evasive), "evading"),
        (2 * is_night(battle), "night"),
    )
    return tuple((value, why) for value, why in modifiers if value)


def can_launch_many(ship: Ship) -> bool:
    """Return whether a ship may launch any number of torpedoes in a turn: destroyers and torpedo boats may.

    Rule: GQ2-TOR-4.
    """
    return read_class_code(ship) in (*DESTROYERS, *TORPEDO_BOATS)


def _list_reminders(attack: TorpedoAttack, count: int) -> tuple[str, ...]:
    """List the arcs in which the first ship launches, by her class, and what the players must observe.

    Args:
        count: Number of torpedoes of each ship.

    Rule: GQ2-TOR-1, GQ2-TOR-4.
    """
    kind = read_class_code(attack.firer)
    if kind in DESTROYERS:
        arc = "abeam, but not within 30° of bow or stern"
    else:
        arc = "within 30° of the bow" if kind in TORPEDO_BOATS else "within 30° ahead, abeam or astern"
    notes = [f"launches {arc} (GQ2-TOR-4)", "course, evasion and speed are read from the log"]
    if len(attack.firers) > 1:
        notes.append("stick number and aspect: as for the worst placed ship (GQ2-TOR-1)")
    elif count > 1:
        notes.append(
            "only a dual mount or a flotilla launches a spread; single tubes launch one by one (GQ2-TOR-2)"
        )
    return tuple(notes)


def _list_findings(battle: Battle, order: Order, attack: TorpedoAttack) -> tuple[Finding, ...]:
    """List the findings against an order `torpedo`."""
    findings = list(check_phase(battle, TORPEDO))
    for ship in attack.firers:
        findings.extend(list_target_findings(battle, ship, attack.target, "GQ2-TOR-1"))
        findings.extend(_list_firer_findings(battle, ship, count_torpedoes_of_each(order)))
    return (*findings, *_list_flotilla_findings(attack), *list_aim_findings(battle, order))


def _list_flotilla_findings(attack: TorpedoAttack) -> list[Finding]:
    """List the findings against several ships that launch together; a single ship has none.

    Rule: GQ2-TOR-1.
    """
    if len(attack.firers) == 1:
        return []
    findings = []
    unfit_names = [ship.name for ship in attack.firers if not can_launch_many(ship)]
    if unfit_names:
        text = f"only destroyers and torpedo boats launch as a flotilla, not {', '.join(unfit_names)}"
        findings.append(refused(text, "GQ2-TOR-1"))
    if len({find_kind(ship) for ship in attack.firers}) > 1:
        findings.append(refused("a flotilla's spread has one kind of torpedo, for one stick", "GQ2-TOR-1"))
    return findings


def _list_firer_findings(battle: Battle, firer: Ship, count: int) -> list[Finding]:
    """List the findings against a ship that launches this number of torpedoes, at whatever target."""
    findings = []
    name = firer.name
    # `firer` may have the state of the start of the phase; torpedoes count in the current state.
    torpedoes_left = battle.ships[firer.id].log.get("torpedoes")
    if torpedoes_left is None:
        findings.append(refused(f"{name} carries no torpedoes", "GQ2-LOG-1"))
    elif isinstance(torpedoes_left, int) and torpedoes_left < count:
        findings.append(
            refused(f"{name} has {format_count(torpedoes_left, 'torpedo', 'torpedoes')} left", "GQ2-LOG-1")
        )
    if not can_launch_many(firer) and (count > 1 or battle.list_turn_acts(LAUNCHED, firer.id)):
        findings.append(refused(f"{name} launches one torpedo a turn", "GQ2-TOR-4"))
    return findings


def list_aim_findings(battle: Battle, order: Order) -> tuple[Finding, ...]:
    """List the findings against the aim: a target on land, two aspects at once, or no number on the stick."""
    attack = build_attack(battle, order)
    findings = list(check_in_water(attack.target))
    if order.has("bow") and order.has("stern"):
        findings.append(impossible("aim at the bow or at the stern, not at both"))
    if attack.number is None and not charts.has_stick(battle, attack.kind):
        findings.append(impossible(f"no stick file for {attack.kind} torpedoes: give the number, `stick N`"))
    elif attack.number is None:
        distance = order.slots.get("stick")
        findings.append(refused(f"{distance} is beyond the {attack.kind} torpedo stick", "GQ2-CHA-2"))
    return tuple(findings)


def may_launch(battle: Battle, ship: Ship) -> bool:
    """Return whether a ship may launch a torpedo in this phase and has a target."""
    firer = find_torpedo_state(battle, ship.id)
    if check_phase(battle, TORPEDO) or _list_firer_findings(battle, firer, count=1):
        return False
    return has_target(battle, firer, check_in_water)


def prepare_torpedo(battle: Battle, order: Order) -> PreparedOrder:
    """Prepare `torpedo`: a ship or a flotilla launches torpedoes at one target.

    The torpedoes leave the log at once. At an unlit target by night targeting rolls come before the dice: one
    for each torpedo, or by a switch one for all.

    Rule: GQ2-NIT-5.
    """
    attack = build_attack(battle, order)
    count = count_torpedoes_of_each(order)

    def declare(builder: DecisionBuilder) -> None:
        for ship in attack.firers:
            builder.remember(LAUNCHED, ship.id, torpedoes=count)
            left = builder.ship(ship.id).count("torpedoes")
            # A forced launch may be of more torpedoes than are left.
            if left:
                builder.add(ship.id, "torpedoes", -min(left, count))

    ready = evolve(
        build_torpedo_throw(battle, attack),
        findings=_list_findings(battle, order, attack),
        declare=declare,
        reminders=_list_reminders(attack, count),
    )
    if not needs_targeting(battle, attack.target):
        return ready
    ids = order.list_texts("ships")
    if read_option(battle, "spread_targeting") == "one" or count_ordered_torpedoes(order) == 1:
        return build_targeting(battle, order, ready, ((ids[0], WHOLE_ORDER),))
    return build_targeting(battle, order, ready, tuple((id, 1) for id in ids for _ in range(count)))


def build_torpedo_throw(battle: Battle, attack: TorpedoAttack, entry: int | None = None) -> PreparedOrder:
    """Build the throw of an attack's dice.

    Args:
        entry: Entry of the order, if the dice come in a later entry; else None.
    """
    modifiers_text = "".join(f", {value:+} {why}" for value, why in attack.modifiers)
    zero_text = f", a 0 is {attack.zero}" if attack.zero else ""
    return PreparedOrder(
        dice=attack.dice,
        judge=lambda faces: (sum(attack.is_hit(face) for face in faces),),
        alike=lambda faces: sum(attack.is_hit(face) for face in faces),
        decide=lambda faces, builder: _write_hits(attack, faces, builder, entry),
        owes=TORPEDO.word,
        prompt=f"torpedo of {', '.join(ship.name for ship in attack.firers)} at {attack.target.name}",
        ship=attack.firer.id,
        odds=(Measure("hits", 0), Measure("mean hits", 0, mean=True)),
        assumes=format_assumption(battle, attack.target, course=True),
        needs=(Need("hits", each=True, at=f"stick {attack.number or 0}{modifiers_text}{zero_text}"),),
    )


def _write_hits(attack: TorpedoAttack, faces: Faces, builder: DecisionBuilder, entry: int | None) -> None:
    """Write the result of each die, and owe a damage roll for each hit.

    Rule: GQ2-TOR-1, GQ2-TOR-3.
    """
    target = attack.target
    modifiers_text = "".join(f" {value:+} {why}" for value, why in attack.modifiers)
    for die in faces:
        sign, verb = ("≤", "hits") if attack.is_hit(die) else (">", "misses")
        face = die or attack.zero
        builder.because(
            f"{verb} {target.name}",
            "GQ2-TOR-2" if modifiers_text else "GQ2-TOR-1",
            of=f"torpedo {face}{modifiers_text}:" if modifiers_text else "torpedo",
            roll=f"{attack.add_modifiers(die)}{sign}{attack.number},",
        )
    hits = sum(map(attack.is_hit, faces))
    firer, battle = attack.firer.id, builder.battle
    # The dice may come in a later turn than the launch; the last launch remembered has its turn.
    launch_turns = [act.turn for act in battle.acts if act.kind == LAUNCHED and act.ship == firer]
    facts: dict[str, Fact] = {"kind": attack.kind, "firer": firer}
    facts["turn"] = launch_turns[-1] if launch_turns else battle.turn
    if len(attack.firers) > 1:
        facts[FLOTILLA] = tuple(ship.id for ship in attack.firers)
    for _ in range(hits):
        name = f"{attack.kind} torpedo on {target.name}"
        builder.owe(DAMAGE, target.id, name, D6, facts=facts, cause=entry)
    builder.result("struck", bool(hits))
    builder.result("hits", (attack.kind,) * hits)
    # A torpedo attack logs the same outcomes under all rules; these two do not apply here.
    builder.result("points", None)
    builder.result("sx", None)


def list_launchers(owed: Owed) -> tuple[str, ...]:
    """List the ship that launched each torpedo of a question.

    A question that states no number is about all torpedoes of its order. A question about some torpedoes
    states their launchers, unless the ship that is asked launched them all.
    """
    count = owed.read_number(TORPEDOES)
    count_of_each = count_torpedoes_of_each(owed.declared_order)
    launcher_of_each = tuple(
        id for id in owed.declared_order.list_texts("ships") for _ in range(count_of_each)
    )
    if count in (0, len(launcher_of_each)):
        return launcher_of_each
    return owed.read_texts(LAUNCHERS) or (owed.ship,) * count


def count_torpedoes_asked(owed: Owed) -> int:
    """Return the number of torpedoes that a question is about."""
    return len(list_launchers(owed))


def _list_targeting_questions(battle: Battle, entry: int) -> tuple[Owed, ...]:
    """List the targeting rolls and answers still owed for the torpedoes of an entry."""
    return tuple(owed for owed in battle.owed if owed.entry == entry and owed.line in (TARGETING, WHO))


def prepare_torpedo_roll(battle: Battle, owed: Owed) -> PreparedOrder:
    """Prepare the owed dice of an order's torpedoes at one ship.

    By night only the torpedoes whose targeting found this ship count. The dice are refused while a torpedo of
    the order still waits for targeting.

    Rule: GQ2-TOR-1.
    """
    open_questions = _list_targeting_questions(battle, owed.entry)
    ready = build_torpedo_throw(
        battle, build_attack(battle, owed.declared_order, count_torpedoes_asked(owed)), owed.entry
    )
    if not open_questions:
        return ready
    return evolve(ready, findings=(refused(f"answer first: {open_questions[0].prompt}", "GQ2-NIT-5"),))


def _build_throw_of_order(
    builder: DecisionBuilder, order: Order, owed: Owed, count: int = 0
) -> PreparedOrder:
    """Build the throw of torpedoes at the target of an order.

    Args:
        owed: Question of the order that was answered; it holds the entry of the order.
        count: Number of torpedoes; 0 means all of the order.
    """
    return build_torpedo_throw(builder.battle, build_attack(builder.battle, order, count), owed.entry)


def continue_launch(builder: DecisionBuilder, order: Order, owed: Owed) -> None:
    """Continue an attack whose targeting found the target of `order`, with stick number and aspect known.

    If one roll counts for the whole order, its dice are next. Otherwise each torpedo has a roll, and the dice
    of all torpedoes that found the same ship are owed together.

    Rule: GQ2-TOR-1, GQ2-NIT-5.
    """
    if count_torpedoes_asked(owed) == count_ordered_torpedoes(order):
        continue_attack(builder, _build_throw_of_order(builder, order, owed), order, owed)
        return
    earlier_launchers = _withdraw_owed_for_target(builder, owed.entry, order.text("target"))
    _owe_dice(builder, order, owed, (*earlier_launchers, *list_launchers(owed)))
    _use_dice_of_order(builder, owed)


def ask_measure(builder: DecisionBuilder, owed: Owed, target: str) -> None:
    """Owe one question for stick number and aspect of a ship, for all torpedoes of the order that find her.

    If an earlier torpedo brought the answer already, only the dice are owed.

    Rule: GQ2-TOR-1, GQ2-NIT-2.
    """
    earlier = _find_owed_for_target(builder.battle, owed.entry, target)
    earlier_launchers = _withdraw_owed_for_target(builder, owed.entry, target)
    launchers = (*earlier_launchers, *list_launchers(owed))
    # Owed dice instead of a question mean that the measurements are known.
    if earlier is not None and earlier.line == TORPEDO.word:
        _owe_dice(builder, earlier.declared_order, owed, launchers)
    else:
        # The dice given with the order go along only if all its torpedoes found this ship.
        is_whole_order = count_torpedoes_asked(owed) == count_ordered_torpedoes(owed.declared_order)
        faces = owed.read_numbers(FACES) if is_whole_order else ()
        facts = {FACES: faces, **_build_launcher_facts(launchers)}
        owe_measure(builder, owed, target, facts, tuple(dict.fromkeys(launchers)))
    _use_dice_of_order(builder, owed)


def _build_launcher_facts(launchers: tuple[str, ...]) -> dict[str, Fact]:
    """Build the facts of a question: the number of torpedoes, and if there are several the ship of each."""
    return {TORPEDOES: len(launchers), **({LAUNCHERS: launchers} if len(launchers) > 1 else {})}


def give_back_torpedoes(builder: DecisionBuilder, order: Order, owed: Owed) -> None:
    """Give back the torpedoes of a question whose target is out of reach or arc.

    A ship never gets more than her card carries.

    Rule: GQ2-NIT-2.
    """
    for id, count in Counter(list_launchers(owed)).items():
        ship = builder.ship(id)
        missing = ship.count_on_card("torpedoes.count") - ship.count("torpedoes")
        given_back = min(missing, count)
        if given_back > 0:
            builder.add(ship.id, "torpedoes", given_back)
    # These may be the last torpedoes of the order that waited for targeting.
    _use_dice_of_order(builder, owed)


def _use_dice_of_order(builder: DecisionBuilder, owed: Owed) -> None:
    """Use the dice given with an order for the torpedoes at its intended target.

    Nothing happens if no dice were given, if no torpedo goes to that target, or while a torpedo of the order
    still waits for targeting.

    Args:
        owed: Any question of the order; its facts hold the dice.
    """
    has_given_dice = bool(owed.read_numbers(FACES))
    owed_dice = _find_owed_for_target(builder.battle, owed.entry, owed.declared_order.text("target"))
    if not has_given_dice or owed_dice is None or owed_dice.line != TORPEDO.word:
        return
    if _list_targeting_questions(builder.battle, owed.entry):
        return
    builder.settle(owed_dice)
    order = owed_dice.declared_order
    torpedoes = count_torpedoes_asked(owed_dice)
    throw = _build_throw_of_order(builder, order, owed, torpedoes)
    continue_attack(builder, throw, order, owed, torpedoes)


def _find_owed_for_target(battle: Battle, entry: int, target: str) -> Owed | None:
    """Return the torpedo dice or the measurements that an entry still owes for a target, or None.

    If there are any, torpedoes of this entry have found the same target before.
    """
    for owed in battle.owed:
        if owed.entry != entry or owed.line not in (TORPEDO.word, MEASURE):
            continue
        # The ship found is named in the facts of a question for measurements, and in the order of owed dice.
        if target == (owed.read_text(TARGET) or owed.declared_order.text("target")):
            return owed
    return None


def _withdraw_owed_for_target(builder: DecisionBuilder, entry: int, target: str) -> tuple[str, ...]:
    """Take the owed dice or measurements for a ship off the queue, to owe them again with more torpedoes.

    Returns:
        The launcher of each torpedo that these were owed for, or () if nothing was owed.
    """
    earlier = _find_owed_for_target(builder.battle, entry, target)
    if earlier is None:
        return ()
    builder.settle(earlier)
    return list_launchers(earlier)


def _owe_dice(builder: DecisionBuilder, order: Order, owed: Owed, launchers: tuple[str, ...]) -> None:
    """Owe the dice of some torpedoes of an order, at its target. The owed order names only their launchers.

    Args:
        launchers: Launching ship of each torpedo.

    Rule: GQ2-GUN-12.
    """
    order = order.with_slot(
        "ships", tuple(id for id in owed.declared_order.list_texts("ships") if id in launchers)
    )
    ready = _build_throw_of_order(builder, order, owed, len(launchers))
    builder.owe(
        TORPEDO.word,
        ready.ship,
        ready.prompt,
        *ready.dice,
        order=order.without_dice,
        facts=_build_launcher_facts(launchers),
        cause=owed.entry,
    )


def prepare_mine(battle: Battle, order: Order) -> PreparedOrder:
    """Prepare `mine`: a ship strikes a mine.

    It is refused if she is no longer on the table, and impossible for a battery on land.

    Rule: GQ2-TOR-3.
    """
    ship = battle.ships[order.text("ship")]
    gone_finding = refused(f"{ship.name} is {ship.status} and strikes no mine", "GQ2-SNK-2")
    ready = build_explosion(battle, ship.id, MINE, firers=(), turn=battle.turn, cause=None)
    findings = check_in_water(ship) if ship.status in ON_TABLE else (gone_finding,)
    return evolve(ready, findings=findings, owes=DAMAGE, prompt=f"mine under {ship.name}", ship=ship.id)


def prepare_damage_roll(battle: Battle, owed: Owed) -> PreparedOrder:
    """Prepare the d6 for the damage of an owed torpedo or mine hit; a question without facts is a mine's."""
    kind, turn = owed.read_text("kind") or MINE, owed.read_number("turn") or battle.turn
    firer = owed.read_text("firer")
    # A mine has no firer.
    firers = owed.read_texts(FLOTILLA) or ((firer,) if firer else ())
    return build_explosion(battle, owed.ship, kind, firers, turn, owed.entry)


def build_explosion(
    battle: Battle, id: str, kind: str, firers: tuple[str, ...], turn: int, cause: int | None
) -> PreparedOrder:
    """Build the damage throw of one hit by a torpedo or a mine.

    Args:
        kind: MINE, or the kind of torpedo.
        firers: Ships that count as having damaged the target; () for a mine.
        turn: Turn of the attack.
        cause: Number of the entry that will owe a critical hit, or None if the throw's own entry does.

    Rule: GQ2-TOR-3, GQ2-GUN-12.
    """
    ship = battle.ships[id]
    column = find_df_column(battle, read_df(ship), light=kind == LIGHT)
    multiplier = 2 if read_class_code(ship) in DOUBLY_DAMAGED else 1
    hull_left = count_halves_left(ship, HULL)

    def judge(faces: Faces) -> tuple[int, ...]:
        """Return the half boxes of hull and of armament, and 1 or 0 for sinking and for a critical hit."""
        loss, _ = look_up_torpedo(battle, column, faces[0])
        hull = multiplier * loss.hull
        # A ship that has no hull box left is sinking already.
        sinks = loss.sunk or 0 < hull_left <= hull
        return hull, multiplier * loss.armament, int(sinks), int(loss.critical)

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        hull, armament, _, critical = judge(faces)
        die = faces[0]
        loss, cell = look_up_torpedo(battle, column, die)
        weapon = kind if kind == MINE else f"{kind} torpedo"
        context = f"{weapon} {die} on {ship.name}, column {column}"
        if loss.sunk:
            result = cell.text
            codes = [CodeKind.BROKEN_UP.value]
        else:
            context = f"{context}: {cell.text}{', doubled' if multiplier > 1 else ''}"
            result = f"{format_halves(hull)} hull, {format_halves(armament)} armament"
            lost = ((CodeKind.HULL, hull), (CodeKind.ARMAMENT, armament))
            codes = [DamageCode(what, halves).in_fractions for what, halves in lost if halves]
        builder.because(result, "GQ2-TOR-3", cell, f"torpedo {column}, {die}", of=context)
        builder.result("hits", tuple(codes))
        for firer in firers:
            remember_damage(builder, firer, id, turn)
        if loss.sunk:
            start_sinking(builder, id, "broken up by the explosion", "GQ2-TOR-3")
        lose_boxes(builder, id, ARMAMENT, armament)
        lose_boxes(builder, id, HULL, hull)
        ask_about_move(builder, battle, id, turn)
        if critical:
            is_penetrated = read_option(battle, "torpedo_critical") == "penetrated"
            owe_critical(builder, id, turn, penetrated=is_penetrated, cause=cause)

    # Numbers are places in what `judge` returns; the hull there is in half boxes.
    return PreparedOrder(
        dice=(D6,),
        judge=judge,
        decide=decide,
        odds=(Measure("sinks", 2), Measure("hull", 0, mean=True, denominator=2), Measure("critical", 3)),
        needs=(Need("sinks", 2), Need("critical hit", 3)),
    )
