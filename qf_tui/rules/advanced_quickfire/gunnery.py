"""Battery fire, boat guns and torpedo attacks in Advanced Quickfire: who may attack, and what the dice do.

Rule: AQF-GUN, AQF-BG, AQF-TOR.
"""

from collections.abc import Mapping

from attrs import evolve, frozen

from qf_tui.core.decisions import DecisionBuilder, Op
from qf_tui.core.declarations import Measure, Need, PreparedOrder
from qf_tui.core.errors import Finding, refused
from qf_tui.core.text import format_possessive
from qf_tui.core.values import Act, Battle, Die, Faces, Order, Ship
from qf_tui.rules.advanced_quickfire.clauses import read_option
from qf_tui.rules.advanced_quickfire.damage import D12, Damage
from qf_tui.rules.advanced_quickfire.game import GAME, has_carried_torpedoes, is_torpedo_craft
from qf_tui.rules.quickfire_family.attacks import (
    LONG,
    BatteryResult,
    Codes,
    Fire,
    Gunnery,
    Shot,
    find_pending_attack,
    list_acts_in_phase,
    list_attack_findings,
    refuse_repeat,
)
from qf_tui.rules.quickfire_family.chart import NONE, ChartReader
from qf_tui.rules.quickfire_family.damage import TableLine
from qf_tui.rules.quickfire_family.launches import (
    build_boat_throw,
    list_boat_findings,
    list_launch_findings,
    prepare_boats,
    prepare_launch,
    refuse_second_launch,
)
from qf_tui.rules.quickfire_family.ledger import Source, freeze_damage
from qf_tui.rules.quickfire_family.movement import Mover
from qf_tui.rules.quickfire_family.settlement import build_damage_dealer, deal_codes
from qf_tui.rules.quickfire_family.ship import FULL, Battery, find_ship_at_start
from qf_tui.rules.quickfire_family.throws import Throw

FIRST, SECOND = "first-gunnery", "second-gunnery"
PHASES = (FIRST, SECOND)
BLACK, WHITE = Die(12, "black"), Die(12, "white")


def refuse_undeclared(battle: Battle, order: Order) -> list[Finding]:
    """Refuse an attack entered with its dice if the switch `declare_first` wants it declared before.

    Rule: AQF-GUN-1.
    """
    if not order.dice or read_option(battle, "declare_first") == "no":
        return []
    return [refused("declare it without dice first, then roll (switch declare_first)", "AQF-GUN-1")]


def has_thrown(battle: Battle) -> bool:
    """Return whether dice of any attack of this phase have been thrown."""

    def is_thrown(act: Act) -> bool:
        """Return whether no owed line waits for the dice of an attack."""
        return not find_pending_attack(
            battle, act.kind, act.ship, act.read_text("target"), act.read_text("battery")
        )

    phase_acts = battle.acts[len(battle.start.acts) :]
    return any(act.kind in ("fire", "torpedo", "boats") and is_thrown(act) for act in phase_acts)


def add_late_remark(battle: Battle, prepared: PreparedOrder) -> PreparedOrder:
    """Return the attack with a remark for the log if dice of the phase were thrown before the attack.

    Under the switch `declare_first` the dice of the attack are always owed, otherwise thrown on entry.

    Rule: AQF-GUN-1, AQF-GUN-18.
    """

    def write_late_remark(builder: DecisionBuilder) -> None:
        if has_thrown(battle):
            builder.remark("declared after dice of this phase were thrown", "AQF-GUN-1")

    thrown_at_once = read_option(battle, "declare_first") == "no"
    return evolve(prepared, write_while_owed=write_late_remark, thrown_at_once=thrown_at_once)


class BatteryFire(Gunnery):
    """The battery fire of the two gunnery phases, with a black and a white twelve-sided die."""

    game = GAME
    dice = (BLACK, WHITE)
    phases = PHASES
    raises_heavy_line = True
    """The raised line at point blank.

    Rule: AQF-GUN-8.
    """
    phase_text = "the two gunnery phases"
    phase_clause = "AQF-PH-1"
    card_clause = "AQF-GUN-10"
    rof_clause = "AQF-GUN-2"
    arc_clause = "AQF-GUN-4"
    once_clause = "AQF-GUN-9"
    reach_clause = "AQF-SCA-2"
    long_range_clause = "AQF-GUN-8"
    small_target_clause = "AQF-GUN-13"
    line_clause = "AQF-GUN-5"
    hits_clause = "AQF-GUN-7"
    blast_clause = "AQF-GUN-11"

    def prepare(self, battle: Battle, order: Order) -> PreparedOrder:
        """Prepare `fire`, with a remark in the log if it is declared late."""
        return add_late_remark(battle, super().prepare(battle, order))

    def adjust_fire(self, battle: Battle, order: Order, firer: Ship, fire: Fire) -> Fire:
        """Take one off the ROF die if the battery's latest ROF roll, this turn or last, failed.

        By the switch `miss_by` it is enough that either battery's latest roll failed.

        Rule: AQF-GUN-3.
        """
        latest: dict[str, Act] = {}
        for act in battle.list_acts("rof", firer.id):
            # The turn and phase of the battle are those of the shot; rolls made after them do not count.
            is_later_roll = act.turn == battle.turn and (battle.phase, act.phase) == (FIRST, SECOND)
            if not is_later_roll and act.turn <= battle.turn:
                latest[act.read_text("battery")] = act
        if not latest:
            return fire
        batteries = Battery if read_option(battle, "miss_by") == "ship" else (fire.battery,)
        latest_rolls = [latest[each.value] for each in batteries if each.value in latest]
        failed = any(act.turn >= battle.turn - 1 and not act.has("fired") for act in latest_rolls)
        return evolve(fire, modifier=-1) if failed else fire

    def list_findings(self, battle: Battle, order: Order, shot: Shot) -> list[Finding]:
        """Return all findings against a shot: phase, declaration, target, guns and range."""
        return [
            *self.refuse_phase(battle),
            *refuse_undeclared(battle, order),
            *list_attack_findings(GAME, battle, shot.firer.id, shot.target),
            *self.list_gun_findings(battle, order, shot),
        ]

    def list_refire_findings(
        self, battle: Battle, firer: Ship, battery: Battery, fired: set[str]
    ) -> list[Finding]:
        """Return the finding, if any, against a battery that wants to fire in the second gunnery phase.

        The battery may fire if its ROF roll in the first phase failed. Switches say whether the ship's
        other battery counts too, and whether a battery may fire that did not try.

        Args:
            fired: Not used here; other games look at the batteries that fired in this phase.

        Rule: AQF-PH-3.
        """
        if battle.phase != SECOND:
            return []
        ship_rolls = list(battle.list_turn_acts("rof", firer.id, phase=FIRST))
        battery_rolls = [act for act in ship_rolls if act.read_text("battery") == battery.value]
        by_ship = read_option(battle, "refire_by") == "ship"
        counted_rolls = ship_rolls if by_ship else battery_rolls
        subject = firer.name if by_ship else f"{format_possessive(firer.name)} {battery.value} battery"
        shots = battle.list_turn_acts("fire", firer.id, phase=FIRST)
        if any(act.has("fired") for act in counted_rolls):
            switch = GAME.format_switches("refire_by") if by_ship else ""
            text = f"{subject} fired in the first gunnery phase{switch}"
        elif not battery_rolls and any(act.read_text("battery") == battery.value for act in shots):
            text = f"{subject} still owes its roll of the first gunnery phase"
        elif not counted_rolls and read_option(battle, "untried_refire") == "no":
            switch = GAME.format_switches("untried_refire")
            text = f"{subject} did not try to fire in the first gunnery phase{switch}"
        else:
            return []
        return [refused(text, "AQF-PH-3")]

    def list_range_findings(self, battle: Battle, order: Order, shot: Shot) -> list[Finding]:
        """Return the findings against fire at light armor, and against a second target at long range."""
        findings = []
        if shot.light_armor and (shot.range != LONG or Battery.LIGHT in shot.fires):
            findings.append(refused("only heavy guns at long range may choose the light armor", "AQF-GUN-8"))
        long_shots = (
            act for act in list_acts_in_phase(battle, "fire", shot.firer.id) if act.read_text("range") == LONG
        )
        if shot.range == LONG and any(act.read_text("target") != shot.target.id for act in long_shots):
            findings.append(
                refused(f"{shot.firer.name} already fires at another target at long range", "AQF-GUN-9")
            )
        return findings

    def format_rof(self, fire: Fire) -> tuple[str, str]:
        """Return the ROF of a battery as text, and the clause that decides its roll."""
        if fire.arc != FULL:
            return f"{fire.rof} in the end arc", "AQF-GUN-4"
        return str(fire.rof), "AQF-GUN-3" if fire.modifier else "AQF-GUN-2"

    def note_rof(
        self, battle: Battle, builder: DecisionBuilder, shot: Shot, results: list[BatteryResult]
    ) -> None:
        """Remember each ROF roll as an act of the phase in which its shot was declared.

        If its dice come in a later phase, the act belongs to the earlier phase all the same.

        Rule: AQF-PH-3.
        """
        for result in results:
            firer = shot.firer.id
            battery = result.fire.battery.value
            all_shots = builder.battle.list_acts("fire", firer)
            battery_shots = [act for act in all_shots if act.read_text("battery") == battery]
            phase_shots = [
                act for act in battery_shots if (act.turn, act.phase) == (battle.turn, battle.phase)
            ]
            # Normally the shot of this phase; if there is none, the battery's latest.
            if shots := phase_shots or battery_shots:
                rof_act = evolve(shots[-1], kind="rof", facts={"battery": battery, "fired": result.fired})
                builder.write(Op.ACT, firer, "rof", rof_act)
            else:
                builder.remember("rof", firer, battery=battery, fired=result.fired)

    def read_hits(self, fire: Fire, line: str, faces: Faces, reader: ChartReader) -> BatteryResult:
        """Read how many hits the white die brings, and give them the codes G and S by turns.

        An odd face begins with G, an even one with S.

        Rule: AQF-GUN-2, AQF-GUN-7.
        """
        (white,) = faces
        cell = reader.find_cell("battery", line, str(white))
        count = 0 if cell.text == NONE else int(cell.text)
        letters = ("G", "S") if white % 2 else ("S", "G")
        hits = (letters * count)[:count]
        # The line and the hits are read from one cell.
        source = cell, f"battery {line}% {white}"
        return BatteryResult(fire, True, hits, f"{line}% line", line_source=source, hits_source=source)

    def apply_codes(self, builder: DecisionBuilder, shot: Shot, battery: Battery, codes: Codes) -> None:
        """Deal the codes of a shot to its target, from the source that decides their overflow.

        Rule: AQF-GUN-12.
        """
        heavy = Source.LIGHT_ARMOR if shot.light_armor else Source.HEAVY
        source = Source.LIGHT if battery is Battery.LIGHT else heavy
        deal_codes(Damage(builder, shot.target.id, source), codes)


GUNNERY = BatteryFire()

_BOAT_GUNS = TableLine("boat-guns", "AQF-BG-4", "boat guns", "")
_BOAT_GUN_ODDS = (Measure("hits", 0), Measure("mean", 0, mean=True), Measure("explosion", 1))


def prepare_boat_fire(battle: Battle, order: Order) -> PreparedOrder:
    """Prepare `boats`: one firer at one target.

    The firer uses the points that the order states, or else one for each die, or else all points left.
    """
    firer = battle.ships[order.text("ship")]
    target = battle.ships[order.text("target")]
    points_used = sum(act.read_number("dice") for act in list_acts_in_phase(battle, "boats", firer.id))
    points_left = max(0, find_ship_at_start(battle, firer.id).count("boat_guns") - points_used)
    points_declared = order.number("points")
    # Without points left it has one die, so that the umpire may force the order.
    dice_count = points_declared or len(order.dice) or max(1, points_left)
    # More dice than there are points left are refused, but the umpire may force them.
    most_dice = points_declared or max(points_left, dice_count)
    throw = build_boat_gun_throw(battle, target.id, most_dice, is_declared=points_declared is not None)
    prepared = prepare_boats(
        GAME, battle, order, throw, _list_boat_findings(battle, order, points_left, dice_count)
    )

    def declare(builder: DecisionBuilder) -> None:
        builder.remember("boats", firer.id, target=target.id, dice=dice_count)

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        """Write the results. If fewer dice came than points are left, ask whether these are all."""
        prepared.decide(faces, builder)
        if points_declared is None and len(faces) < points_left:
            used = f"{len(faces)} of {points_left} boat gun points used"
            text = f"{used}. If these are all, add `dice {len(faces)}`"
            builder.ask(text, "AQF-BG-1")

    equal_dice_reminder = ("equal dice bring an explosion as well as their hits (AQF-BG-3)",)
    reminders = (*prepared.reminders, *(equal_dice_reminder if dice_count > 1 else ()))
    return add_late_remark(battle, evolve(prepared, declare=declare, decide=decide, reminders=reminders))


def build_boat_gun_throw(battle: Battle, target: str, points: int, *, is_declared: bool = False) -> Throw:
    """Build the throw of boat guns, a die for each point.

    Args:
        points: Greatest number of dice.
        is_declared: True if all these dice are needed; False if any number of them is enough.
    """
    dice = (D12,) * points

    def list_missing(faces: Faces) -> tuple[Die, ...]:
        # Undeclared, one die is enough, but all are asked for.
        return dice[len(faces) :] if is_declared or not faces else ()

    throw = build_boat_throw(
        battle, target, dice, _BOAT_GUNS, build_damage_dealer(Damage, Source.BOATS), "AQF-BG-3"
    )
    return evolve(throw, missing=list_missing, odds=_BOAT_GUN_ODDS)


def _list_boat_findings(battle: Battle, order: Order, points_left: int, count: int) -> list[Finding]:
    """Return the findings against fire of boat guns.

    Args:
        points_left: Boat gun points that the firer has left in this phase.
        count: Number of points that the order uses.
    """
    firer = battle.ships[order.text("ship")]
    target = battle.ships[order.text("target")]
    findings = refuse_undeclared(battle, order)
    points_findings = []
    if battle.phase not in PHASES:
        findings.append(refused("boat guns fire in the two gunnery phases only", "AQF-BG-2"))
    if points_left == 0:
        points_findings.append(refused(f"{firer.name} has no boat gun point left in this phase", "AQF-BG-1"))
    elif count > points_left:
        text = f"{count} dice, but {firer.name} has {points_left} boat gun points in this phase"
        points_findings.append(refused(text, "AQF-BG-1"))
    findings += list_boat_findings(GAME, battle, order, points_findings, "AQF-BG-1")
    if any(act.read_text("target") == target.id for act in list_acts_in_phase(battle, "boats", firer.id)):
        guns = f"{format_possessive(firer.name)} boat guns"
        owed = find_pending_attack(battle, "boats", firer.id, target.id)
        done_text = f"{guns} have fired at {target.name} in this phase"
        findings.append(refuse_repeat(owed, f"{guns} at {target.name} are", done_text, "AQF-BG-1"))
    earlier = [act for act in battle.list_turn_acts("boats", firer.id) if act.phase != battle.phase]
    if earlier and read_option(battle, "boat_guns_in") == "one-phase":
        switch = GAME.format_switches("boat_guns_in")
        findings.append(refused(f"{firer.name} has used its boat guns this turn{switch}", "AQF-BG-2"))
    return findings


POINTS_FOR_SX: Mapping[int, int] = {14: 10, 15: 7, 18: 3, 21: 2}
"""The damage points that bring one SX, by the torpedo's size in inches.

Rule: AQF-TOR-6.
"""

STATIC_BOXES = 1


@frozen
class TorpedoAttack:
    """A declared torpedo attack.

    Attributes:
        modifiers: Name and clause of each reason to take one off the black die.
        reload: Reload rating as the phase began.
        inches: Size of the torpedo.
    """

    firer: Ship
    target: Ship
    modifiers: tuple[tuple[str, str], ...]
    reload: int
    inches: int

    @property
    def listed_size(self) -> int:
        """The size in `POINTS_FOR_SX` that the attack uses: the greatest up to `inches`, or else the least.

        Rule: AQF-TOR-6.
        """
        return max((size for size in POINTS_FOR_SX if size <= self.inches), default=min(POINTS_FOR_SX))

    def is_strike(self, black: int) -> bool:
        """Return whether the black die, less one for each modifier, is 1 or less.

        Rule: AQF-TOR-2.
        """
        return black - len(self.modifiers) <= 1


def build_attack(battle: Battle, order: Order) -> TorpedoAttack:
    """Build the torpedo attack of an order. A card without a torpedo size counts as the least size."""
    firer = find_ship_at_start(battle, order.text("ship"))
    target = battle.ships[order.text("target")]
    modifiers = []
    if order.has("converging"):
        modifiers.append(("converging", "AQF-TOR-3"))
    if Mover(GAME, battle, target).movement.boxes <= STATIC_BOXES:
        modifiers.append(("static target", "AQF-TOR-4"))
    if is_torpedo_craft(firer):
        modifiers.append(("torpedo craft", "AQF-TOR-5"))
    size = firer.card.get("torpedo.size")
    inches = size if isinstance(size, int) else min(POINTS_FOR_SX)
    return TorpedoAttack(firer, target, tuple(modifiers), firer.count("torpedo_reload"), inches)


def build_torpedo_throw(attack: TorpedoAttack) -> Throw:
    """Build the throw of a torpedo attack: black decides whether it strikes; a strike needs white too."""

    def list_missing(faces: Faces) -> tuple[Die, ...]:
        if not faces:
            # Both dice are asked for; a black that misses turns out to need no white.
            return BLACK, WHITE
        return (WHITE,) if len(faces) == 1 and attack.is_strike(faces[0]) else ()

    def judge(faces: Faces) -> tuple[int, ...]:
        """Return whether it strikes, its damage points, its SX, and whether the torpedoes run out."""
        if not attack.is_strike(faces[0]):
            return 0, 0, 0, 0
        points = faces[0] + faces[1]
        return 1, points, points // POINTS_FOR_SX[attack.listed_size], int(faces[1] >= attack.reload)

    def resolve(faces: Faces, builder: DecisionBuilder, reader: ChartReader) -> None:
        struck, points, sx_count, runs_out = judge(faces)
        less = "".join(f" -1 {name}" for name, _ in attack.modifiers)
        # The clause of the first modifier stands for all.
        _, clause = attack.modifiers[0] if attack.modifiers else ("", "AQF-TOR-2")
        builder.because("a strike" if struck else "a miss", clause, of="torpedo", roll=f"{faces[0]}{less}")
        if struck:
            listed, inches = attack.listed_size, attack.inches
            size = f"{inches}″" if listed == inches else f"{inches}″, as {listed}″"
            of = f"{points} points, one SX per {POINTS_FOR_SX[listed]} ({size})"
            builder.because(f"{sx_count} SX", "AQF-TOR-6", of=of)
            deal_codes(Damage(builder, attack.target.id, Source.TORPEDO), ("SX",) * sx_count)
        if runs_out:
            builder.remember("torpedoes-out", attack.firer.id)
            of = f"white {faces[1]} reaches the reload of {attack.reload}"
            builder.because("out of torpedoes when the phase ends", "AQF-TOR-7", of=of)
        builder.result("struck", bool(struck))
        builder.result("points", points)
        builder.result("sx", sx_count)

    return Throw(
        dice=(BLACK, WHITE),
        resolve=resolve,
        judge=judge,
        odds=(Measure("strikes", 0), Measure("mean SX", 2, mean=True), Measure("runs out", 3)),
        needs=(Need("strikes", 0), Need("runs out", 3, dice=(1,))),
        missing=list_missing,
    )


def prepare_torpedo(battle: Battle, order: Order) -> PreparedOrder:
    """Prepare `torpedo`: one attack on one target."""
    attack = build_attack(battle, order)
    findings = []
    if battle.phase != SECOND:
        findings.append(refused("torpedoes are launched in the second gunnery phase only", "AQF-PH-4"))
    findings += [
        *refuse_undeclared(battle, order),
        *list_launch_findings(GAME, battle, order, list_launcher_findings(battle, attack.firer), "AQF-TOR-1"),
    ]
    ready = prepare_launch(GAME, battle, order, build_torpedo_throw(attack), findings)
    parallel = f"exactly parallel ones count as {read_option(battle, 'parallel')}"
    reminders = (
        "torpedoes leave within 270° centred on the bow; close calls go against the firer",
        f"courses converge if they come closer at all; {parallel}",
    )
    return add_late_remark(battle, evolve(ready, reminders=reminders))


def list_launcher_findings(battle: Battle, firer: Ship) -> list[Finding]:
    """Return the findings against any torpedo launch by a ship."""
    findings = []
    if not has_carried_torpedoes(firer):
        findings.append(refused(f"{firer.name} never had torpedoes", "AQF-TOR-8"))
    elif firer.count("torpedo_reload") == 0:
        findings.append(refused(f"{firer.name} has no torpedoes left", "AQF-TOR-8"))
    return findings + refuse_second_launch(battle, firer, "AQF-TOR-1")


def cross_out_torpedoes(battle: Battle, builder: DecisionBuilder) -> None:
    """Set to zero the torpedo reload of each ship that ran out of torpedoes in the phase that now ends.

    Rule: AQF-TOR-7.
    """
    for act in battle.acts:
        if act.kind != "torpedoes-out" or (act.turn, act.phase) != (battle.turn, battle.phase):
            continue
        ship = builder.battle.ships.get(act.ship)
        if ship is not None and ship.count("torpedo_reload") > 0:
            builder.add(ship.id, "torpedo_reload", -ship.count("torpedo_reload"))
            builder.because("is out of torpedoes", "AQF-TOR-7", subject=battle.called(ship.id))
            # This loss is no damage: work out later damage from the log without these torpedoes.
            freeze_damage(builder, ship.id)
