"""Torpedoes: what bars a launch, its dice, and the damage rolls that hits owe (GQ2-TOR)."""

from attrs import evolve

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.errors import Finding, impossible, refused
from qf_tui.core.system import Faces, Measure, Need, PreparedOrder
from qf_tui.core.values import Battle, Die, Order, Owed, Ship
from qf_tui.rules.gq2 import charts, night
from qf_tui.rules.gq2.attacks import LAUNCHED, TorpedoAttack, attack_of, counted, from_each, kind_of, total
from qf_tui.rules.gq2.charts import BoxLoss, df_column, torpedo_cell
from qf_tui.rules.gq2.clauses import option
from qf_tui.rules.gq2.damage import (
    ARMAMENT,
    HULL,
    CodeKind,
    DamageCode,
    left,
    lose,
    owe_critical,
    start_sinking,
)
from qf_tui.rules.gq2.forms import TORPEDO, of_halves
from qf_tui.rules.gq2.gunnery import remember_damage
from qf_tui.rules.gq2.movement import assumption
from qf_tui.rules.gq2.night import ask, must_target
from qf_tui.rules.gq2.ship import DESTROYERS, TORPEDO_BOATS, code, df
from qf_tui.rules.gq2.targets import ON_TABLE, at_target, has_target, of_phase, out_of_water

DAMAGE = "torpedo-damage"
DAMAGE_DICE = (Die(6),)
MINE, LIGHT = "mine", "light"
DOUBLED = ("B", "CA")
"""Class codes that take double damage (GQ2-TOR-3)."""

EXPLOSION_ODDS = (Measure("sinks", 2), Measure("hull", 0, mean=True, denominator=2), Measure("critical", 3))


def prepare_damage_roll(battle: Battle, owed: Owed) -> PreparedOrder:
    """The d6 of a hit; one without facts is a mine's."""
    kind, turn = owed.text("kind") or MINE, owed.number("turn") or battle.turn
    return explosion(battle, owed.ship, kind, owed.text("firer"), turn, owed.entry)


def prepare_mine(battle: Battle, order: Order) -> PreparedOrder:
    """`mine`: a ship strikes a mine (GQ2-TOR-3)."""
    ship = battle.ships[order.text("ship")]
    gone = refused(f"{ship.name} is {ship.status} and strikes no mine", "GQ2-SNK-2")
    ready = explosion(battle, ship.id, MINE, "", battle.turn, None)
    findings = out_of_water(ship) if ship.status in ON_TABLE else (gone,)
    return evolve(ready, findings=findings, owes=DAMAGE, prompt=f"mine under {ship.name}", ship=ship.id)


def explosion(battle: Battle, id: str, kind: str, firer: str, turn: int, cause: int | None) -> PreparedOrder:
    """The damage die of one hit on a ship (GQ2-TOR-3)."""
    ship = battle.ships[id]
    column = df_column(battle, df(ship), light=kind == LIGHT)
    times = 2 if code(ship) in DOUBLED else 1
    hull_left = left(ship, HULL)

    def judge(faces: Faces) -> tuple[int, ...]:
        loss, _ = torpedo_cell(battle, column, faces[0])
        hull = times * loss.hull
        sinks = loss.sunk or 0 < hull_left <= hull
        return hull, times * loss.armament, int(sinks), int(loss.critical)

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        _say_explosion(battle, ship, kind, column, faces[0], times, builder)
        if firer:
            remember_damage(builder, firer, id, turn)
        hull, armament, _, critical = judge(faces)
        if torpedo_cell(battle, column, faces[0])[0].sunk:
            start_sinking(builder, id, 1, "broken up by the explosion", "GQ2-TOR-3")
        lose(builder, id, ARMAMENT, armament)
        lose(builder, id, HULL, hull)
        if critical:
            through = option(battle, "torpedo_critical") == "penetrated"
            owe_critical(builder, id, turn, penetrated=through, cause=cause)

    return PreparedOrder(
        dice=DAMAGE_DICE,
        judge=judge,
        decide=decide,
        odds=EXPLOSION_ODDS,
        needs=(Need("sinks", 2), Need("critical hit", 3)),
    )


def _say_explosion(
    battle: Battle, ship: Ship, kind: str, column: str, die: int, times: int, builder: DecisionBuilder
) -> None:
    loss, cell = torpedo_cell(battle, column, die)
    what = f"{of_halves(times * loss.hull)} hull, {of_halves(times * loss.armament)} armament"
    name = kind if kind == MINE else f"{kind} torpedo"
    of = f"{name} {die} on {ship.name}, column {column}"
    if not loss.sunk:
        of = f"{of}: {cell.text}{', doubled' if times > 1 else ''}"
    said = cell.text if loss.sunk else what
    builder.because(said, "GQ2-TOR-3", cell, f"torpedo {column}, {die}", of=of)
    builder.result("hits", _codes(loss, times))


def _codes(loss: BoxLoss, times: int) -> tuple[str, ...]:
    if loss.sunk:
        return (CodeKind.BROKEN_UP.value,)
    boxes = ((CodeKind.HULL, loss.hull), (CodeKind.ARMAMENT, loss.armament))
    return tuple(DamageCode(kind, halves * times).in_fractions for kind, halves in boxes if halves)


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
        return ask(battle, order, findings, declare, notes, ready, night.rolls(battle, order))
    return evolve(ready, findings=findings, declare=declare, reminders=(*notes, *ready.reminders))


def prepare_torpedo_roll(battle: Battle, owed: Owed, order: Order) -> PreparedOrder:
    """The dice of an attack that was declared, or of those of its torpedoes that are led to one ship."""
    ready = launch(battle, attack_of(battle, order, night.led(owed)), owed.entry)
    return evolve(ready, findings=night.too_soon(battle, owed))


def go_on(builder: DecisionBuilder, order: Order, owed: Owed) -> None:
    """The targeting is settled: the torpedoes are led to the ship that the order names."""
    night.lead(builder, order, owed, launch)


def ask_measure(builder: DecisionBuilder, owed: Owed, target: str) -> None:
    """The targeting is settled, but not what is measured to the ship that is there."""
    night.lead_unmeasured(builder, owed, target, launch)


def give_back(builder: DecisionBuilder, order: Order, owed: Owed) -> None:
    """Torpedoes that may not be fired stay in their tubes (GQ2-NIT-2)."""
    all_ships = night.led(owed) == total(order)
    each = from_each(order) if all_ships else night.led(owed)
    for id in order.many("ships") if all_ships else (owed.ship,):
        ship = builder.ship(id)
        room = ship.card_count("torpedoes.count") - ship.count("torpedoes")
        if min(room, each) > 0:
            builder.add(ship.id, "torpedoes", min(room, each))
    night.finish(builder, owed, launch)


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
    if attack.number is None and not charts.has_stick(battle, attack.kind):
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
