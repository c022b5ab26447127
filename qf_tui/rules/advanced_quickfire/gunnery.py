"""Battery fire: what the black and white dice do (AQF-GUN)."""

from collections.abc import Hashable
from fractions import Fraction
from functools import partial

from attrs import evolve, frozen

from qf_tui.core.charts import ChartCell
from qf_tui.core.decisions import DecisionBuilder, Op
from qf_tui.core.errors import Finding, refused
from qf_tui.core.grammar.forms import Order
from qf_tui.core.system import Faces, Measure, Need, PreparedOrder
from qf_tui.core.text import Distance, whose
from qf_tui.core.values import Act, Battle, Die, Ship
from qf_tui.rules.advanced_quickfire.clauses import option
from qf_tui.rules.advanced_quickfire.damage import D12, Damage, HitSource
from qf_tui.rules.advanced_quickfire.ship import GAME, Bracket, bracket
from qf_tui.rules.quickfire_family.attacks import (
    FULL,
    HALVED,
    NO_ARC,
    Blast,
    OneRoll,
    Read,
    against,
    already,
    arc_hindrances,
    arc_of,
    at_target,
    batteries,
    has_fired,
    has_target,
    one_roll,
    pending,
    remarked_if_late,
    remember_shots,
    say_below_lines,
    say_blast,
    say_rof,
    shot_throw,
    too_small,
)
from qf_tui.rules.quickfire_family.chart import NONE, ChartReader, line_against, percent_lines, plain_reader
from qf_tui.rules.quickfire_family.movement import assumption
from qf_tui.rules.quickfire_family.ship import (
    SMALL,
    Battery,
    acting,
    armor,
    gunnery_rating,
    is_light_craft,
    size,
)
from qf_tui.rules.quickfire_family.throws import Roll, Throw, ready

FIRST, SECOND = "first-gunnery", "second-gunnery"
PHASES = (FIRST, SECOND)


@frozen
class Fire:
    """One battery's part in a shot.

    How its arc counts, its effective ROF, the miss it carries, its rating and line, the armor it meets.
    """

    battery: Battery
    arc: str
    rof: int
    miss: int
    rating: Fraction
    armor: Fraction
    line: int | None

    def fires(self, black: int) -> bool:
        """Whether the battery fires on a black die (AQF-GUN-2)."""
        return self.rof > 0 and black - self.miss <= self.rof


@frozen
class Shot:
    """A shot as declared: firer, target and range, and the batteries that fire (AQF-GUN-1)."""

    firer: Ship
    target: Ship
    range: Bracket
    fires: tuple[Fire, ...]
    light_armor: bool

    @property
    def small_target(self) -> bool:
        return size(self.target) <= SMALL


def range_of(battle: Battle, order: Order) -> Bracket | None:
    """The bracket that an order names or measures; None beyond long."""
    value = order.slots["range"]
    return bracket(battle, value) if isinstance(value, Distance) else Bracket(str(value))


def declared_first(battle: Battle) -> bool:
    """Whether the switch has every attack declared before its dice are thrown (AQF-GUN-1)."""
    return option(battle, "declare_first") == "yes"


def undeclared(battle: Battle, order: Order) -> list[Finding]:
    """What hinders an attack that comes with its dice where it must be declared first (AQF-GUN-1)."""
    if not order.dice or not declared_first(battle):
        return []
    return [refused("declare it without dice first, then roll (switch declare_first)", "AQF-GUN-1")]


def shot_of(battle: Battle, order: Order) -> Shot:
    """The shot of an order: what the firer can do is read as the phase began (AQF-PH-2)."""
    target = battle.ships[order.text("target")]
    firer = acting(battle, order.text("ship"))
    at = range_of(battle, order) or Bracket.LONG
    light_armor = order.has("light-armor")
    arcs = {battery: arc_of(firer, battery, order) for battery in batteries(order)}
    fires = tuple(fire_of(battle, firer, target, each, at, light_armor, arc) for each, arc in arcs.items())
    return Shot(firer, target, at, fires, light_armor)


def fire_of(
    battle: Battle, firer: Ship, target: Ship, battery: Battery, at: Bracket, light_armor: bool, arc: str
) -> Fire:
    """A battery's part in a shot at a range, at either armor (AQF-GUN-5, AQF-GUN-8)."""
    rof = firer.count(battery.rof)
    against = armor(target, Battery.LIGHT if light_armor else battery)
    rating = gunnery_rating(firer, battery)
    raised = at is Bracket.POINT_BLANK and battery is Battery.HEAVY
    return Fire(
        battery,
        arc,
        {FULL: rof, HALVED: rof // 2}.get(arc, 0),
        missed(battle, firer.id, battery),
        rating,
        against,
        line_against(
            percent_lines(battle),
            rating,
            against,
            zero_is_top=option(battle, "zero_armor") == "top-line",
            raised=raised,
            from_below=raised and option(battle, "below_lowest") == "raised",
        ),
    )


def missed(battle: Battle, ship: str, battery: Battery) -> int:
    """1 if the battery's latest ROF roll of this turn or the last one failed (AQF-GUN-3).

    By the switch `miss_by` that of any of the ship's batteries.
    """
    asked = Battery if option(battle, "miss_by") == "ship" else (battery,)
    rolls = [act for act in battle.acts if act.kind == "rof" and act.ship == ship and not _later(battle, act)]
    latest = {act.text("battery"): act for act in rolls}
    own = [latest[each.value] for each in asked if each.value in latest]
    return int(any(act.turn >= battle.turn - 1 and not act.has("fired") for act in own))


def _later(battle: Battle, act: Act) -> bool:
    """Whether a roll was made after the phase of a shot whose dice were carried over (AQF-GUN-3)."""
    if act.turn != battle.turn:
        return act.turn > battle.turn
    return (battle.phase, act.phase) == (FIRST, SECOND)


def hindrances(battle: Battle, order: Order, shot: Shot) -> tuple[Finding, ...]:
    """What hinders a shot."""
    found = [*_out_of_phase(battle), *undeclared(battle, order)]
    found.extend(at_target(GAME, battle, shot.firer.id, shot.target))
    found.extend(arc_hindrances(shot.firer, batteries(order), order, "AQF-GUN-4"))
    for fire in shot.fires:
        rof = shot.firer.count(fire.battery.rof) if fire.arc == NO_ARC else fire.rof
        found.extend(_of_battery(battle, shot.firer, fire.battery, rof))
    found.extend(_range_hindrances(battle, order, shot))
    return tuple(found)


def _out_of_phase(battle: Battle) -> list[Finding]:
    if battle.phase in PHASES:
        return []
    return [refused("guns fire in the two gunnery phases only", "AQF-PH-1")]


def _of_battery(battle: Battle, firer: Ship, battery: Battery, rof: int) -> list[Finding]:
    """What hinders any fire of a battery with that ROF."""
    name = firer.name
    if gunnery_rating(firer, battery) == 0:
        return [refused(f"{name} has no {battery.value} battery", "AQF-GUN-10")]
    found = []
    if rof == 0:
        clause = "AQF-GUN-4" if firer.count(battery.rof) else "AQF-GUN-2"
        found.append(refused(f"{whose(name)} {battery.value} ROF is 0: it cannot fire", clause))
    if has_fired(battle, firer.id, battery, battle.phase):
        guns, owed = f"{whose(name)} {battery.value} battery", pending(battle, "fire", firer.id, "", battery)
        text = already(owed, f"{guns} is", f"{guns} has fired in this phase")
        found.append(refused(text, "AQF-GUN-9"))
    if battle.phase == SECOND:
        found.extend(_second_phase(battle, firer, battery))
    return found


def _second_phase(battle: Battle, firer: Ship, battery: Battery) -> list[Finding]:
    """Only what failed its ROF roll in the first gunnery phase fires in the second (AQF-PH-3)."""
    rolls = list(battle.done("rof", firer.id, phase=FIRST))
    own = [act for act in rolls if act.text("battery") == battery.value]
    asked = rolls if option(battle, "refire_by") == "ship" else own
    which = firer.name if asked is rolls else f"{whose(firer.name)} {battery.value} battery"
    if any(act.has("fired") for act in asked):
        return [refused(f"{which} fired in the first gunnery phase", "AQF-PH-3")]
    pending = [
        act for act in battle.done("fire", firer.id, phase=FIRST) if act.text("battery") == battery.value
    ]
    if pending and not own:
        return [refused(f"{which} still owes its roll of the first gunnery phase", "AQF-PH-3")]
    if not asked and option(battle, "untried_refire") == "no":
        return [refused(f"{which} did not try to fire in the first gunnery phase", "AQF-PH-3")]
    return []


def _range_hindrances(battle: Battle, order: Order, shot: Shot) -> list[Finding]:
    found = []
    light = any(fire.battery is Battery.LIGHT for fire in shot.fires)
    heavy = any(fire.battery is Battery.HEAVY for fire in shot.fires)
    if range_of(battle, order) is None:
        found.append(refused(f"{order.slots['range']} is beyond long range", "AQF-SCA-2"))
    elif shot.range is Bracket.LONG and light:
        found.append(refused("at long range only heavy guns fire", "AQF-GUN-8"))
    if shot.light_armor and (shot.range is not Bracket.LONG or light):
        found.append(refused("only heavy guns at long range may choose the light armor", "AQF-GUN-8"))
    others = {
        act.text("target")
        for act in battle.done("fire", shot.firer.id, phase=battle.phase)
        if act.text("range") == Bracket.LONG.value
    }
    if shot.range is Bracket.LONG and others - {shot.target.id}:
        found.append(refused(f"{shot.firer.name} fires at another target at long range", "AQF-GUN-9"))
    if heavy:
        found.extend(_too_small(battle, shot.target))
    return found


def _too_small(battle: Battle, target: Ship) -> list[Finding]:
    return too_small(GAME, battle, target, option(battle, "small_fast_by"), "AQF-GUN-13")


def may_fire(battle: Battle, ship: Ship, battery: Battery) -> bool:
    """Whether a battery may still act in this phase: some target and range are not refused."""
    firer = acting(battle, ship.id)
    if _out_of_phase(battle) or _of_battery(battle, firer, battery, firer.count(battery.rof)):
        return False
    heavy = battery is Battery.HEAVY
    return has_target(GAME, battle, firer.id, lambda target: heavy and _too_small(battle, target))


BLACK, WHITE = Die(12, "black"), Die(12, "white")


@frozen
class Struck:
    """What one battery's dice did: whether it fired, the hits in their order, and the cell of the chart."""

    fire: Fire
    fired: bool
    hits: tuple[str, ...] = ()
    cell: ChartCell | None = None


def strike(fire: Fire, black: int, white: int | None, reader: ChartReader) -> Struck:
    """One battery's dice on the chart (AQF-GUN-2, AQF-GUN-7)."""
    if not fire.fires(black) or white is None:
        return Struck(fire, fired=False)
    if fire.line is None:
        return Struck(fire, fired=True)
    cell = reader.cell("battery", str(fire.line), str(white))
    count = 0 if cell.text == NONE else int(cell.text)
    letters = ("G", "S") if white % 2 else ("S", "G")
    return Struck(fire, True, (letters * count)[:count], cell)


def throw_of(battle: Battle, shot: Shot) -> Throw:
    """The throw of a shot: one roll, or one for each battery, heavy first (AQF-GUN-9, AQF-GUN-17)."""
    alone = len(shot.fires) == 1 or one_roll(battle)
    shots = [shot] if alone else [evolve(shot, fires=(fire,)) for fire in shot.fires]
    rolls = [_roll(battle, own, named=len(shot.fires) > 1) for own in shots]
    return shot_throw(battle, (BLACK, WHITE), rolls)


def _roll(battle: Battle, shot: Shot, *, named: bool) -> OneRoll:
    """One roll: its batteries, then blast if one fired and hit (AQF-GUN-11, AQF-GUN-16)."""

    def read(faces: Faces, reader: ChartReader) -> Read:
        white = faces[1] if len(faces) > 1 else None
        strikes = [strike(fire, faces[0], white, reader) for fire in shot.fires]
        blast: Blast = (), None
        if any(struck.hits for struck in strikes):
            blast = reader.codes("blast", shot.range.value, sum(faces))
        does = [(struck.fired, struck.hits) for struck in strikes]
        return Read(does, blast[0], partial(_write, battle, shot, faces, strikes, blast, named))

    lines = [(fire.battery, fire.line) for fire in shot.fires]
    return OneRoll(lines, lambda black: any(fire.fires(black) for fire in shot.fires), read)


def _write(
    battle: Battle,
    shot: Shot,
    faces: Faces,
    strikes: list[Struck],
    blast: Blast,
    named: bool,
    builder: DecisionBuilder,
) -> None:
    for struck in strikes:
        _say_rof(struck, faces[0], builder)
        _remember_rof(battle, shot.firer.id, struck, builder)
    for struck in strikes:
        if struck.fired:
            _say_hits(struck, faces[1], builder, f"{struck.fire.battery.value} " * named)
            Damage(builder, shot.target.id, source(struck.fire.battery, shot)).take(struck.hits)
    codes, cell = blast
    if cell is not None:
        say_blast(builder, shot.range.words, faces, codes, "AQF-GUN-11", cell)
        hit_first = next(struck for struck in strikes if struck.hits)
        Damage(builder, shot.target.id, source(hit_first.fire.battery, shot)).take(codes)


def _remember_rof(battle: Battle, firer: str, struck: Struck, builder: DecisionBuilder) -> None:
    """The roll belongs to the phase in which its shot was declared, however late it is thrown (AQF-PH-3)."""
    battery = struck.fire.battery.value
    shots = [
        act
        for act in builder.battle.acts
        if act.kind == "fire" and act.ship == firer and act.text("battery") == battery
    ]
    declared = [act for act in shots if (act.turn, act.phase) == (battle.turn, battle.phase)] or shots
    if declared:
        rolled = evolve(declared[-1], kind="rof", facts={"battery": battery, "fired": struck.fired})
        builder.write(Op.ACT, firer, "rof", rolled)
    else:
        builder.remember("rof", firer, battery=battery, fired=struck.fired)


def source(battery: Battery, shot: Shot) -> HitSource:
    """Where the hits of a battery come from, for their overflow (AQF-GUN-12)."""
    if battery is Battery.LIGHT:
        return HitSource.LIGHT
    return HitSource.HEAVY_AT_LIGHT_ARMOR if shot.light_armor else HitSource.HEAVY


def _say_rof(struck: Struck, black: int, builder: DecisionBuilder) -> None:
    fire = struck.fire
    shown = f"{black}-1" if fire.miss else str(black)
    arc = "" if fire.arc == FULL else " in the end arc"
    clause = "AQF-GUN-4" if arc else "AQF-GUN-3" if fire.miss else "AQF-GUN-2"
    say_rof(builder, fire.battery, shown, f"{fire.rof}{arc}", clause, fired=struck.fired)


def _say_hits(struck: Struck, white: int, builder: DecisionBuilder, who: str) -> None:
    fire = struck.fire
    if fire.line is None:
        say_below_lines(builder, fire.rating, fire.armor, "AQF-GUN-5")
        return
    place = f"battery {fire.line}% {white}"
    versus = f"{who}{against(fire.rating, fire.armor)}"
    builder.because(f"{fire.line}% line", "AQF-GUN-5", struck.cell, place, of=versus)
    hits = " ".join(struck.hits) or "no hit"
    builder.because(hits, "AQF-GUN-7", struck.cell, place, of=f"{who}white", roll=str(white))


def prepare_fire(battle: Battle, order: Order) -> PreparedOrder:
    """`fire`: a battery, or both, at one target."""
    shot = shot_of(battle, order)
    named = batteries(order)

    def declare(builder: DecisionBuilder) -> None:
        remember_shots(builder, shot.firer.id, shot.target.id, shot.range.value, named)

    firer, target = battle.called(shot.firer.id), battle.called(shot.target.id)
    made = ready(GAME, battle, Roll("fire", shot.firer.id, order.bare), throw_of(battle, shot))
    return evolve(
        remarked_if_late(battle, made, "AQF-GUN-1", "AQF-GUN-18"),
        findings=hindrances(battle, order, shot),
        declare=declare,
        thrown_at_once=not declared_first(battle),
        prompt=f"{firer} {order.text('battery')} at {target}, {shot.range.words}",
        assumes=assumption(GAME, battle, shot.target) if shot.small_target and Battery.HEAVY in named else (),
    )


_REMINDERS = ("boat guns fire at point blank only, in any direction",)
_EXPLODE = ("an explosion by dice that all show the same is apart from their hits (AQF-BG-3)",)
ODDS = (Measure("hits", 0), Measure("mean", 0, mean=True), Measure("explosion", 1))
NEEDS = (Need("hits", 0, each=True),)


def points_left(battle: Battle, ship: Ship) -> int:
    """Boat gun dice that a ship may still throw in this phase (AQF-BG-1)."""
    began = acting(battle, ship.id)
    used = sum(act.number("dice") for act in battle.done("boats", ship.id, phase=battle.phase))
    return max(0, began.count("boat_guns") - used)


def prepare_boats(battle: Battle, order: Order) -> PreparedOrder:
    """`boats`: the dice of one firer at one target, at once; by default all points that are left."""
    firer, target = battle.ships[order.text("ship")], battle.ships[order.text("target")]
    left = points_left(battle, firer)
    declared = order.number("points")
    count = declared or len(order.dice) or max(1, left)
    points = declared or max(1, left, count)

    throw = boat_throw(battle, target, points, declared=declared is not None)

    def declare(builder: DecisionBuilder) -> None:
        builder.remember("boats", firer.id, target=target.id, dice=count)

    made = ready(GAME, battle, Roll("boats", firer.id, order.bare), throw)

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        made.decide(faces, builder)
        if declared is None and len(faces) < left:
            said = f"{len(faces)} of {left} boat gun points used"
            builder.remark(f"{said}: say `dice {len(faces)}` if that is meant", "AQF-BG-1")

    return evolve(
        remarked_if_late(battle, evolve(made, decide=decide), "AQF-GUN-1", "AQF-GUN-18"),
        findings=_hindrances(battle, order, left, count),
        declare=declare,
        thrown_at_once=not declared_first(battle),
        prompt=f"boat guns of {battle.called(firer.id)} at {battle.called(target.id)}",
        reminders=(*(() if "range" in order.slots else _REMINDERS), *(_EXPLODE if count > 1 else ())),
    )


def boat_throw(battle: Battle, target: Ship, points: int, *, declared: bool = False) -> Throw:
    """The throw: any number of dice up to the points; all if no number is given, or if they were declared."""
    dice = (D12,) * points
    plain = plain_reader(battle)

    def missing(faces: Faces) -> tuple[Die, ...]:
        return dice[len(faces) :] if declared or not faces else ()

    def judge(faces: Faces) -> tuple[int, ...]:
        codes = [code for face in faces for code in plain.codes("damage", "boat-guns", face)[0]]
        return len(codes), int(all_equal(faces) or "E" in codes)

    def resolve(faces: Faces, builder: DecisionBuilder, reader: ChartReader) -> None:
        read = [(face, *reader.codes("damage", "boat-guns", face)) for face in faces]
        damage = Damage(builder, target.id, HitSource.BOATS)
        hits: list[str] = []
        for face, codes, cell in read:
            builder.because(
                " ".join(codes) or "nothing",
                "AQF-BG-4",
                cell,
                f"boat guns {face}",
                of="boat gun",
                roll=str(face),
            )
            damage.take(codes)
            hits.extend(codes)
        if all_equal(faces):
            builder.because("an explosion", "AQF-BG-3", roll=f"{len(faces)} dice show {faces[0]}")
            damage.take(("E",))
        builder.result("fired", True)
        builder.result("hits", tuple(hits))
        builder.result("blast", ("E",) if all_equal(faces) else ())

    def alike(faces: Faces) -> Hashable:
        codes = (plain.codes("damage", "boat-guns", face)[0] for face in faces)
        return tuple(code for each in codes for code in each), all_equal(faces)

    return Throw(dice, resolve, missing, judge, ODDS, NEEDS, alike)


def all_equal(faces: Faces) -> bool:
    """Whether two or more dice on one target all show the same (AQF-BG-3)."""
    return len(faces) > 1 and len(set(faces)) == 1


def _hindrances(battle: Battle, order: Order, left: int, count: int) -> tuple[Finding, ...]:
    firer, target = battle.ships[order.text("ship")], battle.ships[order.text("target")]
    found = undeclared(battle, order)
    if battle.phase not in PHASES:
        found.append(refused("boat guns fire in the two gunnery phases only", "AQF-BG-2"))
    found.extend(at_target(GAME, battle, firer.id, target))
    if not is_light_craft(target):
        found.append(refused(f"{target.name} is no light craft: boat guns cannot hurt it", "AQF-BG-1"))
    if left == 0:
        found.append(refused(f"{firer.name} has no boat gun point left in this phase", "AQF-BG-1"))
    elif count > left:
        found.append(
            refused(f"{count} dice, and {firer.name} has {left} boat gun points in this phase", "AQF-BG-1")
        )
    if "range" in order.slots and range_of(battle, order) is not Bracket.POINT_BLANK:
        found.append(
            refused(f"{order.slots['range']} is beyond point blank: boat guns fire no farther", "AQF-BG-1")
        )
    if any(act.text("target") == target.id for act in battle.done("boats", firer.id, phase=battle.phase)):
        guns, owed = f"{whose(firer.name)} boat guns", pending(battle, "boats", firer.id, target.id)
        done = f"{guns} have fired at {target.name} in this phase"
        found.append(refused(already(owed, f"{guns} at {target.name} are", done), "AQF-BG-1"))
    other = [act for act in battle.done("boats", firer.id) if act.phase != battle.phase]
    if other and option(battle, "boat_guns_in") == "one-phase":
        found.append(refused(f"{firer.name} has used its boat guns this turn", "AQF-BG-2"))
    return tuple(found)
