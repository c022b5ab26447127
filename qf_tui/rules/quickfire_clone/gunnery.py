"""Attacks in Quickfire-Clone: battery fire (range estimate, dice, hit and blast) and torpedo launches.

Rule: QFC-GUN, QFC-BLA-1, QFC-TOR.
"""

from fractions import Fraction

from attrs import evolve, frozen

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.declarations import Measure, Need, PreparedOrder
from qf_tui.core.errors import Finding, impossible, refused
from qf_tui.core.grammar.names import format_typed_faces
from qf_tui.core.text import Distance, format_decimal, format_possessive, to_fraction
from qf_tui.core.values import Battle, ChartCell, Die, Faces, Order, Ship
from qf_tui.rules.quickfire_clone.clauses import read_option
from qf_tui.rules.quickfire_clone.damage import D6, Damage
from qf_tui.rules.quickfire_clone.game import (
    ASPECTS,
    GAME,
    HEAVY_RANGE,
    LIGHT_RANGE,
    TORPEDO_RANGE,
    ChartLookup,
    format_figure,
    has_collided,
    list_unit_reminders,
    look_up_gunnery,
    to_centimetres,
)
from qf_tui.rules.quickfire_family.attacks import (
    Codes,
    describe_rof,
    explain_blast,
    explain_rof,
    has_target,
    list_attack_findings,
    list_step_reminders,
    record_shot,
)
from qf_tui.rules.quickfire_family.chart import NONE, ChartReader, build_plain_reader
from qf_tui.rules.quickfire_family.launches import build_launch_throw, prepare_launch, refuse_land_target
from qf_tui.rules.quickfire_family.movement import Mover
from qf_tui.rules.quickfire_family.ship import (
    Battery,
    find_ship_at_start,
    read_armor,
    read_gunnery,
    read_size,
)
from qf_tui.rules.quickfire_family.throws import Throw, prepare_ship_order

PHASE = "gunnery"
REACH_CM = {Battery.HEAVY: HEAVY_RANGE, Battery.LIGHT: LIGHT_RANGE}
SMALL_SIZE_MOST, FAST_ABOVE_MM = Fraction(2), Fraction(25)
"""The greatest size of a vessel that may be safe from fire, and the millimetres that it must exceed.

Rule: QFC-GUN-3.
"""


def list_shot_findings(battle: Battle, order: Order, battery: Battery) -> tuple[Finding, ...]:
    """Return all findings against a shot."""
    firer_id = order.text("ship")
    target = battle.ships[order.text("target")]
    findings = _list_estimate_findings(order, target)
    if battle.phase != PHASE:
        findings.append(refused("guns fire in the gunnery phase only", "QFC-PH-1"))
    findings.extend(list_attack_findings(GAME, battle, firer_id, target))
    findings.extend(_list_firer_findings(battle, find_ship_at_start(battle, firer_id), battery))
    range = to_centimetres(order.slots["range"])
    if range > REACH_CM[battery]:
        text = f"{order.slots['range']} is beyond the {REACH_CM[battery]} cm of {battery.value} guns"
        findings.append(refused(text, "QFC-GUN-6"))
    findings.extend(_refuse_fast_target(battle, target, battery))
    return tuple(findings)


def list_bases(order: Order, target: Ship) -> tuple[Fraction, ...]:
    """Return the possible lengths of the target's base along the line of fire, in cm.

    There are two, its length and breadth, if the order does not say how the target is seen. There is none if
    no base is known. A breadth that the card leaves out is a quarter of the length.

    Rule: QFC-GUN-14.
    """
    if "base" in order.slots:
        return (to_centimetres(order.slots["base"]),)
    if target.card.get("base") is None:
        return ()
    length = to_fraction(target.card["base"])
    card_breadth = target.card.get("base.2")
    breadth = length / 4 if card_breadth is None else to_fraction(card_breadth)
    lengths = (length, breadth)
    # Seen end-on, the length lies along the line of fire; seen abeam, the breadth.
    by_aspect = tuple(base for base, aspect in zip(lengths, ASPECTS, strict=True) if order.has(aspect))
    return by_aspect or lengths


def is_on_base(order: Order, base: Fraction) -> bool:
    """Return whether an order's estimate is on the target: within half a base of the measured range.

    Args:
        base: Length of the base along the line of fire, in cm.

    Rule: QFC-GUN-5.
    """
    error = abs(to_centimetres(order.slots["guess"]) - to_centimetres(order.slots["range"]))
    return error <= base / 2


def _list_estimate_findings(order: Order, target: Ship) -> list[Finding]:
    """Return the findings against an estimate.

    An order gives `off` or a `guess`. A guess needs a measured range, and a base, typed or from the card. The
    order must also state the aspect, `abeam` or `end-on`, if the result depends on the aspect.

    Rule: QFC-GUN-5, QFC-GUN-14.
    """
    guessed, base_given = "guess" in order.slots, "base" in order.slots
    aspect_given = any(map(order.has, ASPECTS))
    both_given = base_given and aspect_given
    # An order gives a base or an aspect, not both, and only with a guess.
    if both_given or ((base_given or aspect_given) and not guessed):
        return [impossible("a base needs a guess, in cm along the line of fire: `guess 110 base 6`")]
    if guessed and order.has("off"):
        return [impossible("give either `off` or `guess`, not both")]
    findings = []
    if guessed and order.estimated:
        text = (
            f"{order.slots['range']} is not measured, so a guess cannot be compared with it. Was it "
            "on the base?"
        )
        findings.append(refused(f"{text} If yes, leave `guess` out; if no, write `off` instead", "QFC-GUN-5"))
    # The umpire may force the comparison, but not without a base, nor with two bases that disagree.
    bases = list_bases(order, target) if guessed else ()
    if guessed and not bases:
        findings.append(impossible(f"how long is the base of {target.name}? `guess 110 base 6`, in cm"))
    elif len({is_on_base(order, base) for base in bases}) > 1:
        text = (
            f"is {target.name} seen `abeam` or `end-on`? the estimate is on the base for one, off it "
            "for the other"
        )
        findings.append(impossible(text))
    return findings


def _list_firer_findings(battle: Battle, firer: Ship, battery: Battery) -> list[Finding]:
    """Return the findings against any fire of a ship's battery in this phase."""
    name = firer.name
    if read_gunnery(firer, battery) == 0:
        return [refused(f"{name} has no {battery.value} guns", "QFC-GUN-2")]
    findings = []
    fires_by_auto_shot = (
        read_option(battle, "auto_shot_at_rof_0") == "yes" and firer.log.get("auto_shot") is not True
    )
    if not firer.count(f"rof_{battery}") and not fires_by_auto_shot:
        switch = "" if firer.log.get("auto_shot") is True else " (switch auto_shot_at_rof_0)"
        text = f"{format_possessive(name)} {battery.value} ROF is 0: it cannot fire{switch}"
        findings.append(refused(text, "QFC-RUL-5"))
    if has_collided(battle, firer.id):
        findings.append(refused(f"{name} collided this turn and may not fire", "QFC-COL-1"))
    if battle.list_turn_acts("fire", firer.id):
        findings.append(refused(f"{name} has used one of its ratings in this phase", "QFC-GUN-2"))
    if battle.list_turn_acts("torpedo", firer.id) and read_option(battle, "torpedoes_beside_guns") == "no":
        findings.append(refused(f"{name} has launched torpedoes this turn", "QFC-RUL-9"))
    return findings


def _is_speed_protected(battle: Battle, target: Ship, battery: Battery) -> bool:
    """Return whether a target is so small that speed can save it from this battery.

    Rule: QFC-RUL-1.
    """
    is_small = read_size(target) <= SMALL_SIZE_MOST
    return is_small and read_option(battle, "small_fast_safe_from") in (battery.value, "both")


def _refuse_fast_target(battle: Battle, target: Ship, battery: Battery) -> list[Finding]:
    """Refuse fire at a target that is small and moved fast.

    Rule: QFC-GUN-3.
    """
    is_protected = _is_speed_protected(battle, target, battery)
    if is_protected and Mover(GAME, battle, target).movement.distance > FAST_ABOVE_MM:
        return [refused(f"{target.name} is too small and fast for {battery.value} guns", "QFC-GUN-3")]
    return []


def may_fire(battle: Battle, ship: Ship, battery: Battery) -> bool:
    """Return whether a battery may still fire in this phase, at some target and range."""
    if battle.phase != PHASE or _list_firer_findings(battle, find_ship_at_start(battle, ship.id), battery):
        return False
    return has_target(GAME, battle, ship.id, lambda target: _refuse_fast_target(battle, target, battery))


BLACK, WHITE = Die(6, "black"), Die(6, "white")
ODDS = (Measure("fires", 0), Measure("hits", 1), Measure("blast", 2))
NEEDS = (Need("fires", 0), Need("hits", 1, (1,)))


@frozen
class Estimate:
    """The estimate of a range.

    Attributes:
        on_base: True if it falls on the target's base.
        text: Explanation of the result; "" if the order itself says it.
    """

    on_base: bool
    text: str
    clause: str = "QFC-GUN-5"


@frozen
class Blow:
    """The guns of one ship against another, with their place on the charts.

    Attributes:
        lookup: Cell of the gunnery chart.
        blast_row: Row of the blast table; "" if the guns bring no blast.
    """

    firer: Ship
    target: Ship
    battery: Battery
    lookup: ChartLookup
    blast_row: str


@frozen
class CloneShot(Blow):
    """A declared shot.

    Attributes:
        rof: ROF of the battery as the phase began.
        auto: True if the ship still has its auto shot.
        rof_0_fires: True if an auto shot fires at ROF 0 (a switch).
    """

    rof: int
    auto: bool
    rof_0_fires: bool
    estimate: Estimate

    def can_fire(self, black_die: int) -> bool:
        """Return whether the battery fires if the black die shows this face.

        The auto shot fires on any face, but at ROF 0 only by a switch.

        Rule: QFC-GUN-4, QFC-GUN-7, QFC-RUL-5.
        """
        if self.auto:
            return self.rof > 0 or self.rof_0_fires
        return black_die <= self.rof


def build_shot(battle: Battle, order: Order) -> CloneShot:
    """Build the shot of an order. The firer acts with what she had when the phase began.

    Rule: QFC-PH-2.
    """
    id, battery = order.text("ship"), Battery(order.text("battery"))
    firer = find_ship_at_start(battle, id)
    target = battle.ships[order.text("target")]
    return CloneShot(
        firer=firer,
        target=target,
        battery=battery,
        lookup=look_up_gunnery(
            battle, read_gunnery(firer, battery), read_armor(target, battery), in_end_arc=order.has("end")
        ),
        blast_row=find_blast_row(battle, battery, to_centimetres(order.slots["range"])),
        rof=firer.count(f"rof_{battery}"),
        auto=battle.ships[id].log.get("auto_shot") is not True,
        rof_0_fires=read_option(battle, "auto_shot_at_rof_0") == "yes",
        estimate=build_estimate(order, target),
    )


def find_blast_row(battle: Battle, battery: Battery, range: Fraction) -> str:
    """Return the row of the blast table for a range in centimetres; "" if the battery brings no blast.

    Light guns bring blast only by a switch.

    Rule: QFC-RUL-2.
    """
    if battery is Battery.LIGHT and read_option(battle, "light_blast") == "no":
        return ""
    return "long" if range > LIGHT_RANGE else "short"


def build_estimate(order: Order, target: Ship) -> Estimate:
    """Build the estimate of an order, with the text that explains it.

    A `guess` is on the base if it misses the range by at most half the target's base. Without a guess, the
    estimate is on the base unless the order says `off`. A guess without a base was refused before.

    Rule: QFC-GUN-5, QFC-GUN-14.
    """
    # If there are two bases, both give the same result: an order for which they differ is refused.
    bases = list_bases(order, target) if "guess" in order.slots else ()
    on_base = is_on_base(order, bases[0]) if bases else not order.has("off")
    # The text names a base from the card only: a base that was typed is shown with the order.
    if not bases or "base" in order.slots:
        return Estimate(on_base, "" if on_base else "the estimate is off the base")
    aspects = "".join(f" {aspect}" for aspect in ASPECTS if order.has(aspect))
    base = f"base {format_decimal(bases[0])}cm{aspects}"
    text = f"estimate {order.slots['guess']} for {order.slots['range']}, {base}"
    return Estimate(on_base, text, "QFC-GUN-14" if aspects else "QFC-GUN-5")


@frozen
class Result:
    """The result of a shot's dice, read from the charts before anything is written."""

    fired: bool
    hits: Codes = ()
    cell: ChartCell | None = None
    blast: Codes = ()
    blast_cell: ChartCell | None = None


def read_dice(shot: CloneShot, faces: Faces, reader: ChartReader) -> Result:
    """Read a shot. It has no hit if the estimate is off the base, the battery fails, or white is missing."""
    if not shot.estimate.on_base or not shot.can_fire(faces[0]) or len(faces) < 2:
        return Result(fired=False)
    return read_hit(shot, faces, reader)


def read_hit(blow: Blow, faces: Faces, reader: ChartReader) -> Result:
    """Read guns that fire: the hit of the white die, which is the last one, and the blast of all dice.

    White hits up to the cell's number: an odd face is a G, an even one an S. Only a hit brings blast.

    Rule: QFC-GUN-8, QFC-GUN-9.
    """
    most, cell = reader.read_greatest_roll("gunnery", blow.lookup.row, blow.lookup.column)
    white = faces[-1]
    hits: Codes = ()
    if white <= most:
        hits = ("G",) if white % 2 else ("S",)
    if not hits or not blow.blast_row:
        return Result(fired=True, hits=hits, cell=cell)
    codes, blast_cell = reader.read_codes("blast", blow.blast_row, sum(faces))
    return Result(fired=True, hits=hits, cell=cell, blast=codes, blast_cell=blast_cell)


def build_throw(battle: Battle, shot: CloneShot) -> Throw:
    """Build the throw of a shot: no dice if the estimate is off the base, and white only if black fires."""
    odds_reader = build_plain_reader(battle)

    def list_missing(faces: Faces) -> tuple[Die, ...]:
        if not shot.estimate.on_base:
            return ()
        if not faces:
            return BLACK, WHITE
        return (WHITE,) if len(faces) == 1 and shot.can_fire(faces[0]) else ()

    def read_result(faces: Faces) -> tuple[bool, Codes, Codes]:
        result = read_dice(shot, faces, odds_reader)
        return result.fired, result.hits, result.blast

    def judge(faces: Faces) -> tuple[int, ...]:
        fired, hits, blast = read_result(faces)
        return int(fired), len(hits), len(blast)

    def resolve(faces: Faces, builder: DecisionBuilder, reader: ChartReader) -> None:
        _write_shot(shot, faces, read_dice(shot, faces, reader), builder)

    return Throw(
        dice=(BLACK, WHITE),
        resolve=resolve,
        judge=judge,
        odds=ODDS,
        needs=NEEDS,
        alike=read_result,
        missing=list_missing,
    )


def _write_shot(shot: CloneShot, faces: Faces, result: Result, builder: DecisionBuilder) -> None:
    """Write the results of a shot: ROF or the missed estimate, the auto shot, then hit and blast."""
    if shot.estimate.on_base:
        _explain_rof(shot, faces[0], result.fired, builder)
    else:
        thrown = f"; dice {format_typed_faces(faces)} do not count" if faces else ""
        builder.because(f"nothing is rolled{thrown}", shot.estimate.clause, of=shot.estimate.text)
    is_spent_unfired = (
        not shot.estimate.on_base and read_option(builder.battle, "missed_estimate_spends") == "yes"
    )
    if shot.auto and (result.fired or is_spent_unfired):
        builder.record(shot.firer.id, "auto_shot", True)
        builder.because("has used its auto shot", "QFC-GUN-4", subject=shot.firer.name)
    write_hit(shot, faces, result, builder)
    if shot.estimate.on_base and shot.estimate.text:
        builder.because("on the base", shot.estimate.clause, of=shot.estimate.text)
    record_shot(builder, fired=result.fired, hits=result.hits, blast=result.blast)


def write_hit(blow: Blow, faces: Faces, result: Result, builder: DecisionBuilder, prefix: str = "") -> None:
    """Write the hit and the blast of guns that fired, with their damage; for others nothing.

    Args:
        prefix: Start of the reason, to name the ship if several ships throw; otherwise "".
    """
    if result.cell is not None:
        lookup, cell = blow.lookup, result.cell
        crew_text = GAME.describe_steps(blow.firer, f"gunnery.{blow.battery}")
        gunnery = f"{prefix}gunnery {format_figure(lookup.value)}{crew_text}"
        of = f"{gunnery} v {blow.battery.value} armor {format_figure(lookup.armor)}:"
        text, roll = "nothing", ""
        if cell.text != NONE:
            text = " ".join(result.hits) or "no hit"
            roll = f"white {faces[-1]}{'≤' if result.hits else '>'}{cell.text}"
        place = f"gunnery {lookup.row}, {lookup.column}"
        builder.because(text, "QFC-GUN-8", cell, place, of=of, roll=roll)
        Damage(builder, blow.target.id, blow.battery).apply_codes(result.hits)
    if result.blast_cell is not None:
        explain_blast(builder, blow.blast_row, faces, result.blast, "QFC-BLA-1", result.blast_cell)
        Damage(builder, blow.target.id, blow.battery).apply_codes(result.blast)


def _explain_rof(shot: CloneShot, black_die: int, fired: bool, builder: DecisionBuilder) -> None:
    """Explain whether a battery fires: as the auto shot, whatever the black die, or else by this die.

    At ROF 0 only an auto shot can fire, and only by a switch.
    """
    battery = shot.battery.value
    if shot.auto and fired:
        text = f"fires on any black die, here {black_die}"
        builder.because(text, "QFC-GUN-4", of=f"{battery} guns, auto shot")
    elif not shot.rof:
        builder.because("cannot fire", "QFC-RUL-5", of=f"{battery} ROF 0")
    else:
        name = describe_rof(GAME, shot.firer, shot.battery)
        explain_rof(builder, name, str(black_die), str(shot.rof), "QFC-GUN-7", fired=fired)


def prepare_fire(battle: Battle, order: Order) -> PreparedOrder:
    """Prepare `fire`: one battery at one target."""
    shot = build_shot(battle, order)
    firer, target = shot.firer, shot.target
    range, battery = order.slots["range"], shot.battery
    range_text = range.display_text if isinstance(range, Distance) else range
    prompt = f"{firer.name} {battery.value} at {target.name}, {range_text}"
    throw = build_throw(battle, shot)
    findings = list_shot_findings(battle, order, battery)
    # The target's movement matters only if speed can save her from this battery.
    movement_matters = _is_speed_protected(battle, target, battery)
    estimate_reminder = () if shot.estimate.on_base else (f"{shot.estimate.text}: nothing is rolled",)
    return evolve(
        prepare_ship_order(
            GAME, battle, order, throw, findings, prompt, battery=battery.value, target=target.id
        ),
        assumes=Mover(GAME, battle, target).assumption if movement_matters else (),
        reminders=(
            *estimate_reminder,
            *list_unit_reminders(range, REACH_CM[battery]),
            *list_step_reminders(GAME, firer, (battery,)),
        ),
    )


DICE: tuple[Die, ...] = (D6, D6, D6)
STATIC_MOST_MM = Fraction(20)
"""The greatest distance in millimetres that a static target may have moved.

Rule: QFC-TOR-2.
"""


def build_torpedo_throw(battle: Battle, order: Order) -> Throw:
    """Build the throw of a launch. A target that collided or hardly moved is static.

    Rule: QFC-PH-2, QFC-TOR-2, QFC-COL-3.
    """
    target = battle.ships[order.text("target")]
    stopped = has_collided(battle, target.id)
    static = stopped or Mover(GAME, battle, target).movement.distance <= STATIC_MOST_MM
    roll_clause = "QFC-COL-3" if stopped else "QFC-TOR-2"
    return build_launch_throw(
        battle, order, DICE, static=static, roll_clause=roll_clause, hits_clause="QFC-TOR-3"
    )


def prepare_torpedo(battle: Battle, order: Order) -> PreparedOrder:
    """Prepare `torpedo`: one launch at one target."""
    firer, target = battle.ships[order.text("ship")], battle.ships[order.text("target")]
    range = order.slots["range"]
    findings = [*list_attack_findings(GAME, battle, firer.id, target), *refuse_land_target(target)]
    if battle.phase != PHASE:
        findings.insert(0, refused("torpedoes are launched in the gunnery phase only", "QFC-TOR-1"))
    findings += [*list_launcher_findings(battle, firer), *refuse_second_launch_at(battle, firer, target)]
    if to_centimetres(range) > TORPEDO_RANGE:
        findings.append(refused(f"{range} is beyond the {TORPEDO_RANGE} cm of torpedoes", "QFC-GUN-6"))
    prepared = prepare_launch(GAME, battle, order, build_torpedo_throw(battle, order), findings)
    # A target that collided has certainly stopped, so her movement is not assumed.
    assumes = () if has_collided(battle, target.id) else prepared.assumes
    return evolve(prepared, assumes=assumes, reminders=list_unit_reminders(range, TORPEDO_RANGE))


def refuse_second_launch_at(battle: Battle, firer: Ship, target: Ship) -> list[Finding]:
    """Return the finding against a second launch of a ship at this target in a turn, or []."""
    has_launched = any(
        act.read_text("target") == target.id for act in battle.list_turn_acts("torpedo", firer.id)
    )
    text = f"{firer.name} has launched at {target.name} this turn"
    return [refused(text, "QFC-TOR-1")] if has_launched else []


def list_launcher_findings(battle: Battle, firer: Ship) -> list[Finding]:
    """Return the findings against any torpedo launch by a ship."""
    findings = []
    if find_ship_at_start(battle, firer.id).count("torpedo") == 0:
        findings.append(refused(f"{firer.name} has no torpedo rating", "QFC-TOR-1"))
    if has_collided(battle, firer.id):
        findings.append(refused(f"{firer.name} collided this turn and may not launch", "QFC-COL-2"))
    if battle.list_turn_acts("torpedo", firer.id) and read_option(battle, "launches") == "one":
        findings.append(refused(f"{firer.name} has launched this turn", "QFC-RUL-9"))
    if battle.list_turn_acts("fire", firer.id) and read_option(battle, "torpedoes_beside_guns") == "no":
        findings.append(refused(f"{firer.name} has fired its guns this turn", "QFC-RUL-9"))
    return findings
