"""Torpedoes and mines (GQ2-TOR)."""

from attrs import evolve, frozen

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.errors import Finding, impossible, refused
from qf_tui.core.grammar.order import Order
from qf_tui.core.measure import Distance
from qf_tui.core.system import Faces, Measure, PreparedOrder
from qf_tui.core.values import Battle, Die, Owed, Ship
from qf_tui.rules.gq2 import sticks
from qf_tui.rules.gq2.explosions import DAMAGE, DAMAGE_DICE
from qf_tui.rules.gq2.forms import TORPEDO
from qf_tui.rules.gq2.lights import is_night
from qf_tui.rules.gq2.measures import inches
from qf_tui.rules.gq2.mistargeting import ask, go_on_with, must_target
from qf_tui.rules.gq2.movement import assumption, movement
from qf_tui.rules.gq2.options import option
from qf_tui.rules.gq2.ship import DESTROYERS, TORPEDO_BOATS, code
from qf_tui.rules.gq2.targets import at_target, has_target, of_phase

LAUNCHED = "torpedo"
LIGHT = "light"
D10 = Die(10, "", 0)
SPEEDS = {
    "standard": ((10, 3), (8, 2), (6, 1)),
    LIGHT: ((9, 3), (7, 2), (5, 1)),
}
"""The target's inches and what they add, the highest line that is reached (GQ2-TOR-2)."""

ODDS = (Measure("hits", 0), Measure("mean hits", 0, mean=True))


@frozen
class Attack:
    """A torpedo attack: how many leave, the number on the stick, and what comes to the die and why."""

    firer: Ship
    target: Ship
    kind: str
    count: int
    number: int | None
    modifiers: tuple[tuple[int, str], ...]

    @property
    def more(self) -> int:
        """What comes to the die."""
        return sum(value for value, _ in self.modifiers)

    def hits(self, die: int) -> bool:
        """Whether a die hits (GQ2-TOR-1)."""
        return self.number is not None and die + self.more <= self.number


def counted(battle: Battle, id: str) -> Ship:
    """A ship as its torpedo damage counts: as the phase began, or by the switch as it is now (GQ2-PH-4)."""
    now = battle.ships[id]
    at_once = option(battle, "torpedo_damage") == "at-once"
    return now if at_once else battle.start.ships.get(id, now)


def launches_many(ship: Ship) -> bool:
    """Whether a ship launches any number at once (GQ2-TOR-4)."""
    return code(ship) in (*DESTROYERS, *TORPEDO_BOATS)


def attack_of(battle: Battle, order: Order) -> Attack:
    """The attack of an order."""
    firer, target = counted(battle, order.text("ship")), battle.ships[order.text("target")]
    kind, value = str(firer.card.get("torpedoes.kind") or "standard"), order.slots.get("stick")
    number = value if isinstance(value, int) else None
    if isinstance(value, Distance):
        number = sticks.band_at(battle, kind, inches(battle, value))
    count = order.number("spread") or 1
    return Attack(firer, target, kind, count, number, _modifiers(battle, order, target, kind, count))


def _modifiers(
    battle: Battle, order: Order, target: Ship, kind: str, count: int
) -> tuple[tuple[int, str], ...]:
    """What comes to the die, and why (GQ2-TOR-2)."""
    moved = movement(battle, target)
    spread = count - 1 if option(battle, "spread") == "one-die" else 0
    always = ((-spread, "spread"), (int(moved.evasive), "evading"), (2 * is_night(battle), "night"))
    found: tuple[tuple[int, str], ...]
    if moved.inches == 0:
        found = ((-4, "stationary"), *always)
    else:
        fast = next((more for least, more in SPEEDS[kind] if moved.inches >= least), 0)
        found = (
            (fast, "target's speed"),
            (-int(bool(counted(battle, target.id).live("rudder"))), "rudder hit"),
            (-int(moved.straight), "moved straight"),
            (int(order.has("bow")), "at the bow"),
            (2 * order.has("stern"), "at the stern"),
            *always,
        )
    return tuple((value, why) for value, why in found if value)


def prepare_torpedo(battle: Battle, order: Order) -> PreparedOrder:
    """`torpedo`: one torpedo, or a spread, at one target; by night the targeting roll comes first."""
    attack = attack_of(battle, order)
    findings = _hindrances(battle, order, attack)
    id = attack.firer.id

    def declare(builder: DecisionBuilder) -> None:
        builder.remember(LAUNCHED, id, torpedoes=attack.count)
        left = builder.ship(id).count("torpedoes")
        if left:
            builder.add(id, "torpedoes", -min(left, attack.count))

    notes = _reminders(attack)
    if must_target(battle, attack.target):
        if attack.count > 1 and len(_dice(battle, attack)) > 1:
            text = (
                f"{attack.target.name} is unlit: each torpedo has its own targeting roll, launch them singly"
            )
            findings = (*findings, refused(text, "GQ2-NIT-5"))
        return ask(battle, order, findings, _dice(battle, attack), declare, notes)
    ready = launch(battle, attack)
    return evolve(ready, findings=findings, declare=declare, reminders=(*notes, *ready.reminders))


def prepare_torpedo_roll(battle: Battle, owed: Owed, order: Order) -> PreparedOrder:
    """The dice of an attack that was declared."""
    return launch(battle, attack_of(battle, order), owed.entry)


def go_on(builder: DecisionBuilder, order: Order, owed: Owed) -> None:
    """The targeting is settled: the attack is decided if its dice were given, or they are owed."""
    attack = attack_of(builder.battle, order)
    go_on_with(builder, launch(builder.battle, attack, owed.entry), order, owed)


def give_back(builder: DecisionBuilder, order: Order) -> None:
    """Torpedoes that may not be fired stay in their tubes (GQ2-NIT-2)."""
    ship = builder.ship(order.text("ship"))
    room = ship.card_count("torpedoes.count") - ship.count("torpedoes")
    back = min(room, order.number("spread") or 1)
    if back > 0:
        builder.add(ship.id, "torpedoes", back)


def _dice(battle: Battle, attack: Attack) -> tuple[Die, ...]:
    """One die for a spread, or by the switch one a torpedo (GQ2-TOR-1)."""
    return (D10,) * (1 if option(battle, "spread") == "one-die" else attack.count)


def launch(battle: Battle, attack: Attack, cause: int | None = None) -> PreparedOrder:
    """The dice of an attack; `cause` is the entry that declared it, if they are rolled apart."""
    dice = _dice(battle, attack)
    return PreparedOrder(
        dice=dice,
        judge=lambda faces: (sum(attack.hits(face) for face in faces),),
        decide=lambda faces, builder: _write(attack, faces, builder, cause),
        owes=TORPEDO.word,
        prompt=f"torpedo of {attack.firer.name} at {attack.target.name}",
        ship=attack.firer.id,
        odds=ODDS,
        assumes=assumption(battle, attack.target),
        reminders=(_wanted(attack),),
    )


def _wanted(attack: Attack) -> str:
    """What a die has to show, and why."""
    most = min(9, (attack.number or 0) - attack.more)
    more = "".join(f" {value:+} {why}" for value, why in attack.modifiers)
    limit = f"{most} or less hits" if most >= 0 else "no die hits"
    return f"{limit}:{more}" if more else limit


def _write(attack: Attack, faces: Faces, builder: DecisionBuilder, cause: int | None) -> None:
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


def _turn(battle: Battle, attack: Attack) -> int:
    """The turn of an attack, which its dice may outlast."""
    launched = [act.turn for act in battle.acts if act.kind == LAUNCHED and act.ship == attack.firer.id]
    return launched[-1] if launched else battle.turn


def _say(attack: Attack, faces: Faces, builder: DecisionBuilder) -> None:
    more = "".join(f" {value:+} {why}" for value, why in attack.modifiers)
    clause = "GQ2-TOR-2" if more else "GQ2-TOR-1"
    for die in faces:
        sign, does = ("≤", "hits") if attack.hits(die) else (">", "misses")
        builder.because(
            f"{does} {attack.target.name}",
            clause,
            of=f"torpedo {die}{more}:" if more else "torpedo",
            roll=f"{die + attack.more}{sign}{attack.number},",
        )


def _reminders(attack: Attack) -> tuple[str, ...]:
    """The arcs in which a ship of that class launches (GQ2-TOR-4)."""
    kind = code(attack.firer)
    if kind in DESTROYERS:
        arc = "abeam, but not within 30° of bow or stern"
    else:
        arc = "within 30° of the bow" if kind in TORPEDO_BOATS else "within 30° ahead, abeam or astern"
    return (f"launches {arc} (GQ2-TOR-4)", "moved straight, evasion and speed as told when the target moved")


def _hindrances(battle: Battle, order: Order, attack: Attack) -> tuple[Finding, ...]:
    found = [*of_phase(battle, TORPEDO), *at_target(battle, attack.firer, attack.target)]
    return (*found, *_firer(battle, attack.firer, attack.count), *barred(battle, order))


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
    attack, found = attack_of(battle, order), []
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
    return has_target(battle, firer)
