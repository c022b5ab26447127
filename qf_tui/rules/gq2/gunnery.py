"""Gunnery in General Quarters 2: a battery's fire at a target, what forbids it, and the meaning of its dice.

Who may be attacked at all is in `targets`; what lost boxes and critical hits do is in `damage`.

Rule: GQ2-GUN.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import cache

from attrs import evolve, frozen

from qf_tui.core.crews import describe_steps
from qf_tui.core.decisions import DecisionBuilder, Op
from qf_tui.core.declarations import Measure, Need, PreparedOrder
from qf_tui.core.errors import Finding, impossible, refused
from qf_tui.core.text import Distance, format_decimal, format_possessive
from qf_tui.core.values import Act, Battle, Die, Faces, Order, Owed, Ship
from qf_tui.rules.gq2 import charts
from qf_tui.rules.gq2.charts import find_odds_column, look_up_gunnery
from qf_tui.rules.gq2.clauses import read_option
from qf_tui.rules.gq2.damage import CodeKind, DamageCode, lose_boxes, owe_critical
from qf_tui.rules.gq2.forms import DUSK, FIRE, to_inches
from qf_tui.rules.gq2.movement import ask_about_move, find_movement, find_speed_made, format_assumption
from qf_tui.rules.gq2.rating import CREWS
from qf_tui.rules.gq2.ship import (
    ARMAMENT,
    DESTROYERS,
    GUNNERS,
    HULL,
    STEAMING,
    Battery,
    count_armament_boxes_left,
    find_ship_at_start,
    format_halves,
    is_af_by_hand,
    list_batteries,
    list_batteries_with_current_af,
    read_class_code,
    read_df,
)
from qf_tui.rules.gq2.targets import (
    WHOLE_ORDER,
    build_targeting,
    check_phase,
    compute_visibility_modifiers,
    continue_attack,
    find_light,
    has_target,
    is_illuminated,
    is_night,
    list_target_findings,
    needs_targeting,
)

BIG_GUN_LEAST_IN = 9
"""Least caliber in inches of guns that hit destroyers less easily (GQ2-GUN-2)."""

DECLARED, FIRED_AT, DAMAGED = "fire", "at", "damaged"
"""Acts: a battery was declared at a target; it fired at the ship really there; a ship damaged another."""

WHITE = Die(10, "white", 0)
USUAL_DICE = (WHITE, Die(10, "red", 0), Die(10, "blue", 0))
RAPID_DICE = (WHITE, Die(6, "red"), Die(6, "blue"))
"""Dice of rapid fire."""

SHOT_MEASURES = (
    Measure("straddles", 0),
    Measure("hull", 2, mean=True, denominator=2),
    Measure("guns", 1, mean=True, denominator=2),
    Measure("critical", 3),
)
"""The figures of a shot's odds, by their place in what the judge returns."""


@frozen
class BatteryAttack:
    """A battery's fire at a target.

    Attributes:
        firer: Firing ship, in her state at the start of the phase.
        range: Range as declared, or "" if the order states only a band.
        band: Number of the band, or None if it is unknown.
        penetrates: True if the armor is penetrated.
        modifiers: Modifiers of the white die, each with its reason.
        column: Gunnery column, or None below 1:3.
        rapid: True for rapid fire.
        he: True for HE ammunition.
        turn: Turn in which it was declared.
        in_red: True in the red bands, where the red die counts one less.
        in_blue: True in the blue bands, where the blue die counts one less.
    """

    firer: Ship
    target: Ship
    battery: Battery
    range: str
    band: int | None
    penetrates: bool
    modifiers: tuple[tuple[int, str], ...]
    column: str | None
    rapid: bool
    he: bool
    turn: int
    in_red: bool
    in_blue: bool

    @property
    def modifier(self) -> int:
        """The sum of the modifiers of the white die."""
        return sum(value for value, _ in self.modifiers)

    @property
    def band_number(self) -> int:
        """The number of the band, which the white die must not exceed; 0 if it is unknown."""
        return self.band or 0

    @property
    def greatest_straddle(self) -> int:
        """The greatest face of the white die that straddles."""
        return self.band_number - self.modifier


def find_battery(battle: Battle, order: Order) -> Battery:
    """Return the battery that an order fires, in its state at the start of the phase.

    If the ship has no battery of that name, return one with AF 0: a finding will name the fault.
    """
    name = order.text("battery")
    batteries = list_batteries_with_current_af(battle, _find_firer(battle, order))
    unknown = Battery(name, Fraction(0), Fraction(0))
    return next((guns for guns in batteries if guns.name == name), unknown)


def _find_firer(battle: Battle, order: Order) -> Ship:
    """Return the firing ship in her state at the start of the phase."""
    return find_ship_at_start(battle, battle.ships[order.text("ship")])


def build_shot(battle: Battle, order: Order, *, declared: bool = False) -> BatteryAttack:
    """Build the shot of an order. The umpire's word, or his stick file, says whether it penetrates the armor.

    Args:
        declared: True if the order was entered earlier and its dice come now.

    Rule: GQ2-GUN-10.
    """
    firer = _find_firer(battle, order)
    target = battle.ships[order.text("target")]
    guns = find_battery(battle, order)
    acts = _list_acts_before(battle, firer, guns, target) if declared else battle.acts
    # If the shot was declared earlier, the act after `acts` is the shot itself.
    turn = battle.acts[len(acts)].turn if len(acts) < len(battle.acts) else battle.turn
    straddle = order.slots.get("straddle")
    band = find_order_band(battle, order, guns)
    he, penetrates = order.has("he"), order.has("penetrates")
    if band is not None and not penetrates:
        penetrates = charts.is_penetrated(battle, guns.calibre, band, read_df(target), he=he)
    # An unknown band counts as 0, also for its color: a finding refuses the shot.
    return BatteryAttack(
        firer,
        target,
        guns,
        range=straddle.display_text if isinstance(straddle, Distance) else "",
        band=band,
        penetrates=penetrates,
        modifiers=_list_modifiers(battle, order, firer, target, guns, acts, turn),
        column=find_odds_column(battle, guns.af, read_df(target), he=he),
        rapid=order.has("rapid"),
        he=he,
        turn=turn,
        in_red=charts.is_in_zone(battle, guns.calibre, charts.RED, band or 0),
        in_blue=charts.is_in_zone(battle, guns.calibre, charts.BLUE, band or 0),
    )


def _list_acts_before(battle: Battle, firer: Ship, guns: Battery, target: Ship) -> tuple[Act, ...]:
    """List the acts before a battery last fired at a target; all acts if it never did."""
    acts = battle.acts
    shots = [
        index
        for index, act in enumerate(acts)
        if act.kind == FIRED_AT and act.ship == firer.id
        if (act.read_text("battery"), act.read_text("target")) == (guns.name, target.id)
    ]
    return acts[: shots[-1]] if shots else acts


def find_order_band(battle: Battle, order: Order, guns: Battery) -> int | None:
    """Return the band of a shot: as typed, or from its range by the umpire's stick; None if neither tells.

    Rule: GQ2-CHA-2.
    """
    value = order.slots.get("straddle")
    if isinstance(value, Distance):
        return charts.find_band(battle, guns.calibre, to_inches(battle, value))
    return value if isinstance(value, int) else None


def _list_modifiers(
    battle: Battle, order: Order, firer: Ship, target: Ship, guns: Battery, acts: tuple[Act, ...], turn: int
) -> tuple[tuple[int, str], ...]:
    """List the modifiers of the white die, each with its reason. Modifiers of 0 are left out.

    A target counts as damaged if the firer damaged it in the turn before. It counts as fired upon if any
    battery fired at it earlier in this turn; by a switch the firer's other batteries do not count.

    Args:
        acts: Acts before the shot.
        turn: Turn of the shot.

    Rule: GQ2-GUN-2, GQ2-GUN-12, GQ2-GUN-13.
    """
    night = is_night(battle)
    damaged = any(
        act.read_text("target") == target.id
        for act in battle.list_turn_acts(DAMAGED, firer.id, turn=turn - 1)
    )
    ignored_firer = "" if read_option(battle, "own_fire") == "counts" else firer.id
    fired_upon = any(
        act.kind == FIRED_AT
        and act.turn == turn
        and act.ship != ignored_firer
        and act.read_text("target") == target.id
        for act in acts
    )
    evades = find_movement(battle, target).evasive or find_movement(battle, firer).evasive
    fire_control = int(read_option(battle, "fire_control")) if firer.live("fire_control") else 0
    lit = (night and is_illuminated(battle, target)) or order.has("silhouette")
    bases = order.number("bases")
    # Fire over a vessel crosses one model, unless the order says how many.
    models_in_the_way = int(order.has("over")) if bases is None else bases
    dusk, table_causes = compute_visibility_modifiers(battle)
    modifiers = (
        (-int(damaged), "damaged last turn"),
        (-int(lit), "lit" if night else "silhouetted"),
        (-2 * (find_speed_made(battle, target) == 0), "stationary"),
        (-firer.count_on_card(GUNNERS), f"gunners{_format_crew_steps(firer, GUNNERS)}"),
        (fire_control, "fire control"),
        (2 * night, "night"),
        (
            2 * (guns.calibre >= BIG_GUN_LEAST_IN and read_class_code(target) in DESTROYERS),
            "big guns at a destroyer",
        ),
        (int(evades), "evading"),
        (int(fired_upon), "fired upon"),
        (dusk, "dusk"),
        (table_causes, "visibility of the table"),
        (order.number("low") or 0, "poor visibility"),
        (models_in_the_way, "models in the way"),
    )
    return tuple((value, reason) for value, reason in modifiers if value)


def remember_damage(builder: DecisionBuilder, firer: str, target: str, turn: int) -> None:
    """Remember that a ship damaged another.

    Args:
        turn: Turn of the shot; its dice may have come in a later one.

    Rule: GQ2-GUN-12.
    """
    act = Act(turn, builder.battle.phase, DAMAGED, firer, {"target": target})
    builder.write(Op.ACT, firer, DAMAGED, act)


def list_shot_findings(battle: Battle, order: Order, shot: BatteryAttack) -> tuple[Finding, ...]:
    """List all findings against a shot: phase, target, battery, aim and ammunition."""
    return (
        *check_phase(battle, FIRE),
        *list_target_findings(battle, shot.firer, shot.target, "GQ2-GUN-1"),
        *_list_battery_findings(battle, shot.firer, shot.battery),
        *list_aim_findings(battle, order, shot),
        *_list_ammunition_findings(battle, shot.firer, shot.battery, he=shot.he),
    )


def may_fire(battle: Battle, firer: Ship, guns: Battery) -> bool:
    """Return whether a battery may still fire in this phase at some target with some ammunition."""
    if check_phase(battle, FIRE) or _list_battery_findings(battle, firer, guns):
        return False
    if all(_list_ammunition_findings(battle, firer, guns, he=he) for he in (False, True)):
        return False
    return has_target(battle, firer)


def _list_battery_findings(battle: Battle, firer: Ship, guns: Battery) -> list[Finding]:
    """List the findings against a battery: it is unknown, has AF 0, or has fired in this turn."""
    findings = []
    name = firer.name
    if guns not in list_batteries_with_current_af(battle, firer):
        findings.append(impossible(f"{name} has no battery {guns.name}"))
    elif not guns.af:
        fault = "has AF 0" if count_armament_boxes_left(firer) else "has no armament box left"
        findings.append(
            refused(f"{format_possessive(name)} {guns.name} {fault}: it cannot fire", "GQ2-LOG-2")
        )
    if any(act.read_text("battery") == guns.name for act in battle.list_turn_acts(DECLARED, firer.id)):
        findings.append(refused(f"{format_possessive(name)} {guns.name} has fired this turn", "GQ2-PH-1"))
    return findings


def list_aim_findings(battle: Battle, order: Order, shot: BatteryAttack | None = None) -> tuple[Finding, ...]:
    """List the findings that depend on the range and the light, also for a target that targeting has found.

    Reasons: no stick tells the band, too far for rapid fire, too near to fire over a ship, a silhouette at a
    time other than dusk or dawn.

    Args:
        shot: The shot of the order, or None to build it.

    Rule: GQ2-GUN-8, GQ2-NIT-6.
    """
    shot = shot or build_shot(battle, order)
    findings = []
    straddle = order.slots.get("straddle")
    calibre = format_decimal(shot.battery.calibre)
    if shot.band is None and not charts.has_stick(battle, shot.battery.calibre):
        findings.append(impossible(f"no stick file for {calibre}″: give the band, `straddle N`"))
    elif shot.band is None and isinstance(straddle, Distance):
        findings.append(refused(f"{straddle} is beyond the {calibre}″ stick", "GQ2-CHA-2"))
    else:
        if shot.rapid and not shot.in_red and read_option(battle, "rapid_bands") == "red":
            near, far = charts.find_zone(battle, shot.battery.calibre, charts.RED)
            findings.append(refused(f"rapid fire is for the red bands, {near} to {far}", "GQ2-GUN-6"))
        if order.has("over") and shot.in_red:
            findings.append(
                refused("a ship cannot fire over a vessel at a target in the red zone", "GQ2-GUN-8")
            )
    if order.has("silhouette") and find_light(battle) != DUSK:
        findings.append(refused("silhouettes show at dusk and dawn", "GQ2-NIT-6"))
    return tuple(findings)


def _list_ammunition_findings(battle: Battle, firer: Ship, guns: Battery, *, he: bool) -> list[Finding]:
    """Return the finding against a battery that lacks the ammunition for a shot; [] if it has some.

    If the card names batteries that hold HE, only these may fire it; if it names none, any battery may.

    Args:
        he: True for a shot with HE, False for any other shot.

    Rule: GQ2-LOG-1, GQ2-GUN-7, GQ2-GUN-14.
    """
    # `firer` may have the state of the start of the phase; ammunition counts in the current state.
    ship = battle.ships[firer.id]
    left = ship.count("ammo")
    he_batteries = [battery.name for battery in list_batteries(ship) if battery.he]
    if not left:
        return [refused(f"{ship.name} has no ammunition left", "GQ2-LOG-1")]
    if he and he_batteries and guns.name not in he_batteries:
        return [refused(f"{ship.name} has HE for {', '.join(he_batteries)} only", "GQ2-GUN-7")]
    if he and ship.log.get("ammo_he") == 0:
        return [refused(f"{ship.name} has no box of HE left", "GQ2-LOG-1")]
    if not he and guns.name in he_batteries and left <= ship.count("ammo_he"):
        return [refused(f"{ship.name} has only HE left", "GQ2-LOG-1")]
    return []


def _format_crew_steps(firer: Ship, key: str) -> str:
    """Format a crew's change to a value of a card, in brackets; "" if there is none.

    Rule: GQ2-CRW-1.
    """
    steps = describe_steps(CREWS, firer.card, key)
    return f" ({steps})" if steps else ""


def _format_af_steps(shot: BatteryAttack) -> str:
    """Format the change of a shot's AF by the crew's shells, in brackets; "" if there is none."""
    names = [guns.name for guns in list_batteries(shot.firer)]
    # Batteries are numbered from 1. The crew changes nothing under 0, the number of an unknown battery.
    number = names.index(shot.battery.name) + 1 if shot.battery.name in names else 0
    return _format_crew_steps(shot.firer, f"battery.{number}.af")


def format_odds(shot: BatteryAttack) -> str:
    """Format the AF of a shot, with its change by the crew, against the DF of the target."""
    af_text = f"{shot.battery.af_words}{_format_af_steps(shot)}"
    return f"{af_text} against DF {format_decimal(read_df(shot.target))}"


def list_reminders(battle: Battle, shot: BatteryAttack, order: Order) -> tuple[str, ...]:
    """List what the umpire should know or check before the dice of a shot are thrown.

    Rule: GQ2-LOG-2.
    """
    crew_steps = _format_af_steps(shot)
    notes = [f"{shot.battery.af_words}{crew_steps}: GQ2-CRW-1"] if crew_steps else []
    if shot.column is None:
        notes.append(f"{format_odds(shot)}: below 1:3, no effect (GQ2-GUN-3)")
    lost_halves = shot.firer.count("armament_lost")
    if lost_halves:
        af_text = f"{shot.battery.af_words}{' still right?' if is_af_by_hand(battle) else ':'}"
        boxes_text = f"{format_halves(lost_halves)} armament box{'es' if lost_halves > 2 else ''}"
        notes.append(f"{af_text} {boxes_text} lost (GQ2-LOG-2)")
    if order.has("over"):
        notes.append("are two whole bands between that vessel and the target? (GQ2-GUN-8)")
    # If the order states a range, the program reads the sticks; if it states a band, the umpire does.
    by_stick = isinstance(order.slots.get("straddle"), Distance)
    if shot.he and not by_stick:
        notes.append("HE: read penetration three levels worse (GQ2-GUN-7)")
    if shot.battery.calibre < charts.SMALLEST_STICK_IN and not by_stick:
        notes.append("below 3″: the 3-4 inch stick, penetration a step worse (GQ2-GUN-9)")
    if order.number("bases") and shot.in_red:
        notes.append("does the shot pass over them? not allowed in the red zone (GQ2-GUN-8)")
    # Fire over a vessel crosses one base, unless the order says how many.
    crosses_bases = order.has("over") if order.number("bases") is None else order.number("bases") != 0
    if crosses_bases:
        notes.append("bases of ships anchored with unlit boilers do not count: `bases 0` (GQ2-GUN-2)")
    return tuple(notes)


def prepare_fire(battle: Battle, order: Order) -> PreparedOrder:
    """Prepare the order `fire`; by night at an unlit ship the targeting roll comes first.

    Rule: GQ2-NIT-2.
    """
    shot = build_shot(battle, order)
    firer, target, guns = shot.firer, shot.target, shot.battery
    targeting_first = needs_targeting(battle, target)

    def declare(builder: DecisionBuilder) -> None:
        builder.remember(DECLARED, firer.id, battery=guns.name, target=target.id)
        _change_ammunition(builder, order, change=-1)
        # If targeting comes first, the ship fired at is known only after it.
        if not targeting_first:
            builder.remember(FIRED_AT, firer.id, battery=guns.name, target=target.id)

    attack = evolve(
        build_throw(battle, shot),
        findings=list_shot_findings(battle, order, shot),
        declare=declare,
        reminders=list_reminders(battle, shot, order),
    )
    rolls = ((firer.id, WHOLE_ORDER),)
    return build_targeting(battle, order, attack, rolls) if targeting_first else attack


def continue_shot(builder: DecisionBuilder, order: Order, owed: Owed) -> None:
    """Continue a shot after its targeting: remember its target, then decide it or owe its missing dice."""
    shot = build_shot(builder.battle, order)
    builder.remember(FIRED_AT, shot.firer.id, battery=shot.battery.name, target=shot.target.id)
    continue_attack(builder, build_throw(builder.battle, shot, owed.entry), order, owed)


def give_back_ammunition(builder: DecisionBuilder, order: Order, owed: Owed) -> None:
    """Give back the ammunition box of a shot that is not fired, because its target is outside the arc.

    Rule: GQ2-NIT-2.
    """
    _change_ammunition(builder, order, change=1)


def compute_rows(shot: BatteryAttack, faces: Faces) -> tuple[int, int]:
    """Return the rows of the gunnery table for the red and the blue die.

    In bands of its own color a die counts one less. A face of 0 counts as ten.

    Rule: GQ2-GUN-4.
    """
    return max(0, (faces[1] or 10) - shot.in_red), max(0, (faces[2] or 10) - shot.in_blue)


def build_throw(battle: Battle, shot: BatteryAttack, cause: int | None = None) -> PreparedOrder:
    """Build the throw of a shot; in rapid fire the red and the blue die have six sides.

    Args:
        cause: Number of the entry that declared the shot, or None if this entry does.

    Rule: GQ2-GUN-6.
    """
    dice = RAPID_DICE if shot.rapid else USUAL_DICE
    greatest_straddle = shot.greatest_straddle
    judge = _build_judge(battle, shot)
    # A stationary target is easier to hit. Unless it is at anchor, that may be an assumption to record.
    is_stopped = not find_speed_made(battle, shot.target) and shot.target.log.get("state") == STEAMING
    modifiers = "".join(f", {value:+} {reason}" for value, reason in shot.modifiers)
    target = ", ".join(filter(None, (shot.target.name, shot.range, f"band {shot.band_number}")))

    def list_missing(faces: Faces) -> tuple[Die, ...]:
        # The other dice change nothing after a miss, or if AF over DF reaches no column.
        white_decides = faces and (faces[0] > greatest_straddle or shot.column is None)
        return () if white_decides else dice[len(faces) :]

    return PreparedOrder(
        dice=dice,
        missing=list_missing,
        judge=judge,
        alike=judge,
        decide=lambda faces, builder: _write_shot(shot, faces, judge(faces), builder, cause),
        owes=FIRE.word,
        prompt=f"{format_possessive(shot.firer.name)} {shot.battery.name} at {target}",
        ship=shot.firer.id,
        odds=SHOT_MEASURES,
        assumes=format_assumption(battle, shot.target) if is_stopped else (),
        needs=(Need("straddles", at=f"band {shot.band_number}{modifiers}"),),
    )


def _build_judge(battle: Battle, shot: BatteryAttack) -> Callable[[Faces], tuple[int, ...]]:
    """Build the function that judges a throw. By a switch a shot that does not penetrate takes no hull boxes.

    It returns whether the shot straddles, the half boxes of armament and of hull, and whether there is a
    critical hit.

    Rule: GQ2-GUN-1.
    """
    # The odds judge every throw: sum the modifiers only once, and look up each row only once.
    column, greatest_straddle = shot.column, shot.greatest_straddle
    find_loss = cache(lambda row: look_up_gunnery(battle, column, row)[0]) if column else None
    spares_hull = not shot.penetrates and read_option(battle, "unpenetrated") == "no-hull"

    def judge(faces: Faces) -> tuple[int, ...]:
        if faces[0] > greatest_straddle:
            return 0, 0, 0, 0
        if find_loss is None:
            return 1, 0, 0, 0
        red, blue = compute_rows(shot, faces)
        hull = find_loss(blue)
        hull_halves = 0 if spares_hull else hull.halves
        return 1, find_loss(red).halves, hull_halves, int(hull.critical)

    return judge


def _write_shot(
    shot: BatteryAttack, faces: Faces, judged: tuple[int, ...], builder: DecisionBuilder, cause: int | None
) -> None:
    """Write the results, the reasons and the damage of a shot.

    Args:
        judged: Straddle, half boxes of armament and of hull, critical hit.
        cause: Number of the entry that declared the shot, or None if this entry does.
    """
    straddled, armament, hull, critical = judged
    modifiers = "".join(f" {value:+} {reason}" for value, reason in shot.modifiers)
    sign, verb = ("≤", "straddles") if straddled else (">", "misses")
    # It reads "white 4≤5, straddles Hood", or "white 4 +1 near: 5≤5, straddles Hood".
    builder.because(
        f"{verb} {shot.target.name}",
        "GQ2-GUN-2" if modifiers else "GQ2-GUN-1",
        of=f"white {faces[0]}{modifiers}:" if modifiers else "white",
        roll=f"{faces[0] + shot.modifier}{sign}{shot.band_number},",
    )
    losses = ((CodeKind.ARMAMENT, armament), (CodeKind.HULL, hull))
    codes = [DamageCode(kind, halves).in_decimals for kind, halves in losses if halves]
    codes += [CodeKind.CRITICAL.value] if critical else []
    builder.result("fired", True)
    builder.result("straddled", bool(straddled))
    builder.result("hits", tuple(codes))
    # Shots have this result under all rules; under these it is always empty.
    builder.result("blast", ())
    if not straddled:
        return
    _explain_boxes(shot, faces, judged, builder)
    if armament or hull or critical:
        remember_damage(builder, shot.firer.id, shot.target.id, shot.turn)
    battle_before = builder.battle
    lose_boxes(builder, shot.target.id, ARMAMENT, armament)
    lose_boxes(builder, shot.target.id, HULL, hull)
    ask_about_move(builder, battle_before, shot.target.id, shot.turn)
    if critical:
        owe_critical(builder, shot.target.id, shot.turn, penetrated=shot.penetrates, cause=cause)


def _explain_boxes(
    shot: BatteryAttack, faces: Faces, judged: tuple[int, ...], builder: DecisionBuilder
) -> None:
    """Add the reasons of a straddle: the column, then what the red and the blue die do, with their cells.

    Args:
        judged: Straddle, half boxes of armament and of hull, critical hit.
    """
    _, armament, hull, critical = judged
    odds = format_odds(shot)
    if shot.column is None:
        builder.because("below 1:3, no effect", "GQ2-GUN-3", of=odds)
        return
    he_text = ", a column on for HE" if shot.he else ""
    builder.because(f"{shot.column}{he_text}", "GQ2-GUN-7" if shot.he else "GQ2-GUN-3", of=odds)
    red, blue = compute_rows(shot, faces)
    for colour, face, row, in_zone, halves in (
        ("red", faces[1], red, shot.in_red, armament),
        ("blue", faces[2], blue, shot.in_blue, hull),
    ):
        _, cell = look_up_gunnery(builder.battle, shot.column, row)
        die = f"{colour} {face or 10}{f', row {row}' if in_zone else ''}"
        loss = f"{format_halves(halves)} {'armament' if colour == 'red' else 'hull'}"
        critical_text = ", a critical hit" if colour == "blue" and critical else ""
        clause = "GQ2-GUN-4" if in_zone else "GQ2-GUN-3"
        if critical_text:
            clause = "GQ2-GUN-5"
        builder.because(f"{loss}{critical_text}", clause, cell, f"gunnery {shot.column}, {row}", of=die)
    if not shot.penetrates and critical:
        builder.because("the armor is not penetrated", "GQ2-GUN-10")


def _change_ammunition(builder: DecisionBuilder, order: Order, change: int) -> None:
    """Add boxes to the ammunition left, or take them off, unless the umpire does so by hand.

    A count that is not kept, or that would fall below 0, stays.

    Rule: GQ2-LOG-1.
    """
    if read_option(builder.battle, "ammunition") == "by-hand":
        return
    id = order.text("ship")
    # The boxes of HE are part of all boxes.
    for field in ("ammo", "ammo_he") if order.has("he") else ("ammo",):
        left = builder.ship(id).log.get(field)
        if isinstance(left, int) and left + change >= 0:
            builder.add(id, field, change)
