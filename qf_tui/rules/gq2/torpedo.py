"""Torpedoes: what bars a launch, its dice, and the damage rolls that hits owe (GQ2-TOR)."""

from attrs import evolve

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.errors import Finding, impossible, refused
from qf_tui.core.grammar.order import Order
from qf_tui.core.system import Faces, Measure, Need, PreparedOrder
from qf_tui.core.values import Battle, Owed, Ship
from qf_tui.rules.gq2 import spreads, sticks
from qf_tui.rules.gq2.attacks import LAUNCHED, TorpedoAttack, attack_of, counted, from_each, kind_of, total
from qf_tui.rules.gq2.explosions import DAMAGE, DAMAGE_DICE
from qf_tui.rules.gq2.forms import TORPEDO
from qf_tui.rules.gq2.mistargeting import ask, must_target
from qf_tui.rules.gq2.movement import assumption
from qf_tui.rules.gq2.ship import DESTROYERS, TORPEDO_BOATS, code
from qf_tui.rules.gq2.targets import at_target, has_target, of_phase, out_of_water

ODDS = (Measure("hits", 0), Measure("mean hits", 0, mean=True))


def launches_many(ship: Ship) -> bool:
    """Whether a ship launches any number at once (GQ2-TOR-4)."""
    return code(ship) in (*DESTROYERS, *TORPEDO_BOATS)


def prepare_torpedo(battle: Battle, order: Order) -> PreparedOrder:
    """`torpedo`: one torpedo, or a spread of one ship or a flotilla, at one target.

    By night the targeting rolls come first.
    """
    attack, each = attack_of(battle, order), from_each(order)
    findings = _hindrances(battle, order, attack)

    def declare(builder: DecisionBuilder) -> None:
        for ship in attack.firers:
            builder.remember(LAUNCHED, ship.id, torpedoes=each)
            left = builder.ship(ship.id).count("torpedoes")
            if left:
                builder.add(ship.id, "torpedoes", -min(left, each))

    notes, ready = _reminders(attack, each), launch(battle, attack)
    if must_target(battle, attack.target):
        return ask(battle, order, findings, declare, notes, ready, spreads.rolls(battle, order))
    return evolve(ready, findings=findings, declare=declare, reminders=(*notes, *ready.reminders))


def prepare_torpedo_roll(battle: Battle, owed: Owed, order: Order) -> PreparedOrder:
    """The dice of an attack that was declared, or of those of its torpedoes that are led to one ship."""
    ready = launch(battle, attack_of(battle, order, spreads.led(owed)), owed.entry)
    return evolve(ready, findings=spreads.too_soon(battle, owed))


def go_on(builder: DecisionBuilder, order: Order, owed: Owed) -> None:
    """The targeting is settled: the torpedoes are led to the ship that the order names."""
    spreads.lead(builder, order, owed, launch)


def ask_measure(builder: DecisionBuilder, owed: Owed, target: str) -> None:
    """The targeting is settled, but not what is measured to the ship that is there."""
    spreads.lead_unmeasured(builder, owed, target, launch)


def give_back(builder: DecisionBuilder, order: Order, owed: Owed) -> None:
    """Torpedoes that may not be fired stay in their tubes (GQ2-NIT-2)."""
    all_ships = spreads.led(owed) == total(order)
    each = from_each(order) if all_ships else spreads.led(owed)
    for id in order.many("ships") if all_ships else (owed.ship,):
        ship = builder.ship(id)
        room = ship.card_count("torpedoes.count") - ship.count("torpedoes")
        if min(room, each) > 0:
            builder.add(ship.id, "torpedoes", min(room, each))
    spreads.finish(builder, owed, launch)


def launch(battle: Battle, attack: TorpedoAttack, cause: int | None = None) -> PreparedOrder:
    """The dice of an attack; `cause` is the entry that declared it, if they are rolled apart."""
    return PreparedOrder(
        dice=attack.dice,
        judge=lambda faces: (sum(attack.hits(face) for face in faces),),
        alike=lambda faces: sum(attack.hits(face) for face in faces),
        decide=lambda faces, builder: _write(attack, faces, builder, cause),
        owes=TORPEDO.word,
        prompt=f"torpedo of {attack.names} at {attack.target.name}",
        ship=attack.firer.id,
        odds=ODDS,
        assumes=assumption(battle, attack.target, course=True),
        needs=(Need("hits", each=True, at=_modified(attack)),),
    )


def _modified(attack: TorpedoAttack) -> str:
    """The number of the stick, and what comes to each die."""
    more = "".join(f", {value:+} {why}" for value, why in attack.modifiers)
    return f"stick {attack.number or 0}{more}{', a 0 is 10' if attack.zero else ''}"


def _write(attack: TorpedoAttack, faces: Faces, builder: DecisionBuilder, cause: int | None) -> None:
    """What the dice say, and a damage roll for each hit (GQ2-TOR-1, GQ2-TOR-3).

    Its facts name the kind of torpedo for each hit; damage points and SX, which GQ2 has not, are None.
    """
    _say(attack, faces, builder)
    struck = sum(attack.hits(face) for face in faces)
    for _ in range(struck):
        builder.owe(
            DAMAGE,
            attack.target.id,
            f"{attack.kind} torpedo on {attack.target.name}",
            *DAMAGE_DICE,
            facts={
                "kind": attack.kind,
                "firer": attack.firer.id,
                "turn": _turn(builder.battle, attack),
            },
            cause=cause,
        )
    builder.result("struck", bool(struck))
    builder.result("hits", (attack.kind,) * struck)
    builder.result("points", None)
    builder.result("sx", None)


def _turn(battle: Battle, attack: TorpedoAttack) -> int:
    """The turn of an attack, which its dice may outlast."""
    launched = [act.turn for act in battle.acts if act.kind == LAUNCHED and act.ship == attack.firer.id]
    return launched[-1] if launched else battle.turn


def _say(attack: TorpedoAttack, faces: Faces, builder: DecisionBuilder) -> None:
    more = "".join(f" {value:+} {why}" for value, why in attack.modifiers)
    clause = "GQ2-TOR-2" if more else "GQ2-TOR-1"
    for die in faces:
        sign, does = ("≤", "hits") if attack.hits(die) else (">", "misses")
        builder.because(
            f"{does} {attack.target.name}",
            clause,
            of=f"torpedo {attack.counted(die)}{more}:" if more else "torpedo",
            roll=f"{attack.counted(die) + attack.more}{sign}{attack.number},",
        )


def _reminders(attack: TorpedoAttack, each: int) -> tuple[str, ...]:
    """The arcs in which a ship of that class launches, and what people measure (GQ2-TOR-1, GQ2-TOR-4)."""
    kind = code(attack.firer)
    if kind in DESTROYERS:
        arc = "abeam, but not within 30° of bow or stern"
    else:
        arc = "within 30° of the bow" if kind in TORPEDO_BOATS else "within 30° ahead, abeam or astern"
    notes = [f"launches {arc} (GQ2-TOR-4)", "moved straight, evasion and speed as told when the target moved"]
    if len(attack.firers) > 1:
        notes.append("stick number and aspect are those of the worst placed ship (GQ2-TOR-1)")
    elif each > 1:
        notes.append("a spread is of a dual mount or a flotilla; single tubes launch one by one (GQ2-TOR-2)")
    return tuple(notes)


def _hindrances(battle: Battle, order: Order, attack: TorpedoAttack) -> tuple[Finding, ...]:
    found = list(of_phase(battle, TORPEDO))
    for ship in attack.firers:
        found.extend(at_target(battle, ship, attack.target, "GQ2-TOR-1"))
        found.extend(_firer(battle, ship, from_each(order)))
    return (*found, *_flotilla(attack), *barred(battle, order))


def _flotilla(attack: TorpedoAttack) -> list[Finding]:
    """What hinders several ships that launch together (GQ2-TOR-1)."""
    if len(attack.firers) == 1:
        return []
    found = []
    slow = [ship.name for ship in attack.firers if not launches_many(ship)]
    if slow:
        text = f"only destroyers and torpedo boats launch as a flotilla: not {', '.join(slow)}"
        found.append(refused(text, "GQ2-TOR-1"))
    if len({kind_of(ship) for ship in attack.firers}) > 1:
        found.append(refused("a flotilla's spread is of one kind of torpedo, for one stick", "GQ2-TOR-1"))
    return found


def _firer(battle: Battle, firer: Ship, count: int) -> list[Finding]:
    """What hinders any launch of that many torpedoes."""
    found, name = [], firer.name
    left = battle.ships[firer.id].log.get("torpedoes")
    if left is None:
        found.append(refused(f"{name} carries no torpedoes", "GQ2-LOG-1"))
    elif isinstance(left, int) and left < count:
        found.append(refused(f"{name} has {left} torpedoes left", "GQ2-LOG-1"))
    if not launches_many(firer) and (count > 1 or battle.done(LAUNCHED, firer.id)):
        found.append(refused(f"{name} launches one torpedo a turn", "GQ2-TOR-4"))
    return found


def barred(battle: Battle, order: Order) -> tuple[Finding, ...]:
    """What is wrong with the aim itself: its aspect, and a range that no stick reads."""
    attack = attack_of(battle, order)
    found = list(out_of_water(attack.target))
    if order.has("bow") and order.has("stern"):
        found.append(impossible("aimed at the bow or at the stern, not both"))
    if attack.number is None and not sticks.has_stick(battle, attack.kind):
        found.append(impossible(f"no {attack.kind} torpedo stick is laid over: give the number, `stick N`"))
    elif attack.number is None:
        far = order.slots.get("stick")
        found.append(refused(f"{far} is beyond the {attack.kind} torpedo stick", "GQ2-CHA-2"))
    return tuple(found)


def may_launch(battle: Battle, ship: Ship) -> bool:
    """Whether a ship may still launch in this phase: some target is not refused."""
    firer = counted(battle, ship.id)
    if of_phase(battle, TORPEDO) or _firer(battle, firer, 1):
        return False
    return has_target(battle, firer, out_of_water)
