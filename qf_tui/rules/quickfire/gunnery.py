"""Battery fire: what the black die and the two white ones do (QF-GUN, QF-BLA)."""

from collections.abc import Sequence
from enum import StrEnum
from fractions import Fraction
from functools import partial

from attrs import evolve, frozen

from qf_tui.core.charts import ChartCell
from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.errors import Finding, impossible, refused
from qf_tui.core.grammar.forms import Order
from qf_tui.core.system import Faces, Measure, Need, PreparedOrder
from qf_tui.core.text import Distance, whose
from qf_tui.core.values import Act, Battle, Die, Ship
from qf_tui.rules.quickfire.clauses import option
from qf_tui.rules.quickfire.damage import D6, TWO_D6, Damage
from qf_tui.rules.quickfire.game import GAME
from qf_tui.rules.quickfire_family.attacks import (
    HALVED,
    NO_ARC,
    Blast,
    Launch,
    OneRoll,
    Read,
    against,
    already,
    arc_hindrances,
    arc_of,
    at_target,
    batteries,
    has_target,
    one_roll,
    out_of_water,
    pending,
    prepare,
    remember_shots,
    say_below_lines,
    say_blast,
    say_rof,
    shot_throw,
    too_small,
)
from qf_tui.rules.quickfire_family.attacks import throw_of as throw_at
from qf_tui.rules.quickfire_family.chart import NONE, ChartReader, line_against, percent_lines, plain_reader
from qf_tui.rules.quickfire_family.game import nearest
from qf_tui.rules.quickfire_family.movement import assumption, movement
from qf_tui.rules.quickfire_family.ship import (
    SMALL,
    Battery,
    acting,
    armor,
    gunnery_rating,
    is_light_craft,
    size,
    speed_of_boxes,
)
from qf_tui.rules.quickfire_family.throws import Roll, Throw, all_of, ready


class Range(StrEnum):
    """The three ranges, in the words of the orders, the nearest first."""

    POINT_BLANK = "pb"
    SHORT = "short"
    LONG = "long"

    @property
    def words(self) -> str:
        return "point blank" if self is Range.POINT_BLANK else self.value


def range_of(battle: Battle, order: Order) -> Range | None:
    """The range that an order names or measures; None beyond long."""
    value = order.slots["range"]
    if not isinstance(value, Distance):
        return Range(str(value))
    scale = GAME.measures(battle)
    edges = (scale.point_blank, scale.middle, scale.long)
    longer = option(battle, "shared_edge") == "longer"
    place = nearest(edges, GAME.amount(battle, value), longer=longer)
    return None if place is None else tuple(Range)[place]


def guess_modifier(battle: Battle, order: Order) -> int:
    """What a guessed range adds to the ROF die (QF-OPT-3).

    One off on the model (within half of its base, or given as `on`), nothing within a cable of it, one more
    for each further cable begun.
    """
    guess, measured = order.slots.get("guess"), order.slots["range"]
    if guess == "on":
        return -1
    if not isinstance(guess, Distance) or not isinstance(measured, Distance):
        return 0
    off = abs(GAME.amount(battle, guess) - GAME.amount(battle, measured))
    base = order.slots.get("base")
    half = GAME.amount(battle, base) / 2 if isinstance(base, Distance) else Fraction(0)
    if off <= half:
        return -1
    cables = (off - half) / GAME.measures(battle).cable
    return -((-cables) // 1) - 1


GUNNERY = "gunnery"
"""The phase of gunnery and torpedoes."""


@frozen
class Fire:
    """One battery's part in a shot: its arc, its ROF, the rating and armor that count, and its line."""

    battery: Battery
    arc: str
    rof: int
    rating: Fraction
    armor: Fraction
    line: int | None


@frozen
class Shot:
    """A shot as declared. `off` is added to the ROF die; `auto`: it fires whatever the die shows."""

    firer: Ship
    target: Ship
    range: Range
    fires: tuple[Fire, ...]
    off: int
    auto: bool

    @property
    def small_target(self) -> bool:
        return size(self.target) <= SMALL

    def fired(self, fire: Fire, black: int) -> bool:
        """Whether a battery fires on a black die (QF-GUN-1, QF-GUN-6)."""
        return fire.rof > 0 and (self.auto or black + self.off <= fire.rof)


def shot_of(battle: Battle, order: Order) -> Shot:
    """The shot of an order: what the firer can do is read as the phase began (QF-PH-2)."""
    target = battle.ships[order.text("target")]
    firer = acting(battle, order.text("ship"))
    at = range_of(battle, order) or Range.LONG
    light_armor = order.has("light-armor")
    arcs = {battery: arc_of(firer, battery, order) for battery in batteries(order)}
    fires = tuple(fire_of(battle, firer, target, each, light_armor, arc) for each, arc in arcs.items())
    unused = battle.ships[firer.id].log.get("auto_shot") is not True
    auto = unused and option(battle, "auto_shot") == "yes"
    guessed = option(battle, "range_guessing") == "yes"
    off = guess_modifier(battle, order) if guessed else 0
    return Shot(firer, target, at, fires, off, auto)


def fire_of(battle: Battle, firer: Ship, target: Ship, battery: Battery, light_armor: bool, arc: str) -> Fire:
    """A battery's part in a shot, at either armor (QF-GUN-2, QF-GUN-5)."""
    rof, rating = firer.count(battery.rof), gunnery_rating(firer, battery)
    if arc == NO_ARC:
        rof = 0
    elif arc == HALVED and option(battle, "end_arc") == "rof":
        rof //= 2
    elif arc == HALVED:
        rating /= 2
    against = armor(target, Battery.LIGHT if light_armor else battery)
    zero_is_top = option(battle, "zero_armor") == "top-line"
    line = line_against(percent_lines(battle), rating, against, zero_is_top=zero_is_top)
    return Fire(battery, arc, rof, rating, against, line)


def in_phase(battle: Battle, kind: str, ship: str) -> Sequence[Act]:
    """What a ship did of one kind in this gunnery phase; a turn may have several of them (QF-OPT-1)."""
    before = len(battle.start.acts)
    return [act for act in battle.acts[before:] if act.kind == kind and act.ship == ship]


def hindrances(battle: Battle, order: Order, shot: Shot) -> tuple[Finding, ...]:
    """What hinders a shot."""
    found = _out_of_phase(battle)
    found.extend(at_target(GAME, battle, shot.firer.id, shot.target))
    if len(shot.fires) > 1 and option(battle, "batteries") == "one":
        found.append(refused("a ship fires one of its batteries in a phase (switch batteries)", "QF-GUN-7"))
    found.extend(arc_hindrances(shot.firer, batteries(order), order, "QF-GUN-5"))
    for fire in shot.fires:
        rof = shot.firer.count(fire.battery.rof) if fire.arc == NO_ARC else fire.rof
        found.extend(_of_battery(battle, shot.firer, fire.battery, rof))
    found.extend(_range_hindrances(battle, order, shot))
    found.extend(_guess_hindrances(battle, order))
    return tuple(found)


def _guess_hindrances(battle: Battle, order: Order) -> list[Finding]:
    """What is wrong with a guess: the switch, and a distance that it cannot be compared with (QF-OPT-3)."""
    if "guess" not in order.slots and "base" not in order.slots:
        return []
    if option(battle, "range_guessing") == "no":
        return [refused("ranges are guessed under a switch only (range_guessing)", "QF-OPT-3")]
    guess = order.slots.get("guess")
    if guess is None:
        return [impossible("base goes with a guess: `guess 20in base 2in`")]
    if isinstance(guess, Distance) and not isinstance(order.slots["range"], Distance):
        return [impossible(f"the guess {guess} wants a measured range, as `{guess}`, or `guess on`")]
    return []


def _out_of_phase(battle: Battle) -> list[Finding]:
    if battle.phase == GUNNERY:
        return []
    return [refused("guns fire in the gunnery phase only", "QF-PH-1")]


def _of_battery(battle: Battle, firer: Ship, battery: Battery, rof: int) -> list[Finding]:
    """What hinders any fire of a battery with that ROF."""
    name = firer.name
    if gunnery_rating(firer, battery) == 0:
        only = "boat guns only" if firer.card_count("boat_guns") else f"no {battery.value} battery"
        return [refused(f"{name} has {only}", "QF-LOG-1")]
    found = []
    if rof == 0:
        clause = "QF-GUN-5" if firer.count(battery.rof) else "QF-GUN-1"
        found.append(refused(f"{whose(name)} {battery.value} ROF is 0: it cannot fire", clause))
    fired = {act.text("battery") for act in in_phase(battle, "fire", firer.id)}
    if battery.value in fired:
        guns, owed = f"{whose(name)} {battery.value} battery", pending(battle, "fire", firer.id, "", battery)
        text = already(owed, f"{guns} is", f"{guns} has fired in this phase")
        found.append(refused(text, "QF-GUN-7"))
    elif fired and option(battle, "batteries") == "one":
        found.append(refused(f"{name} has fired its other battery in this phase", "QF-GUN-7"))
    return found


def _range_hindrances(battle: Battle, order: Order, shot: Shot) -> list[Finding]:
    found = []
    named = {fire.battery for fire in shot.fires}
    if range_of(battle, order) is None:
        found.append(refused(f"{order.slots['range']} is beyond long range", "QF-SCA-1"))
    elif shot.range is Range.LONG and Battery.LIGHT in named and option(battle, "long_range") == "heavy":
        found.append(refused("at long range only heavy guns fire", "QF-GUN-8"))
    if order.has("light-armor"):
        found.append(refused("each battery fires at the armor of its own kind", "QF-GUN-2"))
    if Battery.HEAVY in named:
        found.extend(_too_small(battle, shot.target))
    return found


def _too_small(battle: Battle, target: Ship) -> list[Finding]:
    return too_small(GAME, battle, target, option(battle, "small_fast_by"), "QF-GUN-9")


def may_fire(battle: Battle, ship: Ship, battery: Battery) -> bool:
    """Whether a battery may still act in this phase: some target and range are not refused."""
    firer = acting(battle, ship.id)
    if _out_of_phase(battle) or _of_battery(battle, firer, battery, firer.count(battery.rof)):
        return False
    heavy = battery is Battery.HEAVY
    return has_target(GAME, battle, firer.id, lambda target: heavy and _too_small(battle, target))


BLACK, WHITE = Die(6, "black"), Die(6, "white")
DICE = (BLACK, WHITE, WHITE)


@frozen
class Struck:
    """What one battery's dice did: whether it fired, its hits, and the cells of its line and its hits."""

    fire: Fire
    fired: bool
    hits: tuple[str, ...] = ()
    most: int = 0
    line: ChartCell | None = None
    number: ChartCell | None = None


def strike(shot: Shot, fire: Fire, faces: Faces, reader: ChartReader) -> Struck:
    """One battery's dice on the chart: within the line, as many hits as the natural total gives.

    QF-GUN-2, QF-GUN-3, QF-GUN-4.
    """
    if not shot.fired(fire, faces[0]) or len(faces) < len(DICE):
        return Struck(fire, fired=False)
    if fire.line is None:
        return Struck(fire, fired=True)
    total = faces[1] + faces[2]
    most, line = reader.most("battery", str(fire.line), "total")
    if total > most:
        return Struck(fire, True, (), most, line)
    cell = reader.cell("hits", "hits", str(total))
    count = 0 if cell.text == NONE else int(cell.text)
    return Struck(fire, True, ("G" if total % 2 else "S",) * count, most, line, cell)


def throw_of(battle: Battle, shot: Shot) -> Throw:
    """The throw of a shot: one roll, or one for each battery, heavy first (QF-GUN-7)."""
    alone = len(shot.fires) == 1 or one_roll(battle)
    # Of two rolls the first alone is the ship's first fire.
    shots = [
        evolve(shot, fires=shot.fires if alone else (fire,), auto=shot.auto and not place)
        for place, fire in enumerate(shot.fires[:1] if alone else shot.fires)
    ]
    rolls = [_roll(battle, own, named=len(shot.fires) > 1) for own in shots]
    return shot_throw(battle, DICE, rolls)


def _roll(battle: Battle, shot: Shot, *, named: bool) -> OneRoll:
    """One roll: its batteries, then blast if one hit, or by a switch fired (QF-BLA-1, QF-BLA-3)."""
    anyway = option(battle, "blast_without_hit") == "yes"

    def read(faces: Faces, reader: ChartReader) -> Read:
        strikes = [strike(shot, fire, faces, reader) for fire in shot.fires]
        blast: Blast = (), None
        if any(struck.hits or (anyway and struck.fired) for struck in strikes):
            blast = reader.codes("blast", shot.range.value, sum(faces))
        does = [(struck.fired, struck.hits) for struck in strikes]
        return Read(does, blast[0], partial(_write, shot, faces, strikes, blast, named))

    lines = [(fire.battery, fire.line) for fire in shot.fires]
    return OneRoll(lines, lambda black: any(shot.fired(fire, black) for fire in shot.fires), read)


def _write(
    shot: Shot, faces: Faces, strikes: list[Struck], blast: Blast, named: bool, builder: DecisionBuilder
) -> None:
    for struck in strikes:
        _say_rof(shot, struck, faces[0], builder)
    if shot.auto and any(struck.fired for struck in strikes):
        builder.record(shot.firer.id, "auto_shot", True)
    for struck in strikes:
        if struck.fired:
            _say_hits(struck, faces[1] + faces[2], builder, f"{struck.fire.battery.value} " * named)
            Damage(builder, shot.target.id, struck.fire.battery).take(struck.hits)
    codes, cell = blast
    if cell is not None:
        say_blast(builder, shot.range.words, faces, codes, "QF-BLA-1", cell)
        first = max(strikes, key=lambda struck: (bool(struck.hits), struck.fired))
        Damage(builder, shot.target.id, first.fire.battery).take(codes)


def _say_rof(shot: Shot, struck: Struck, black: int, builder: DecisionBuilder) -> None:
    name, rof = struck.fire.battery.value, struck.fire.rof
    if shot.auto and struck.fired:
        builder.because(
            f"the first fire of {builder.battle.called(shot.firer.id)} counts always",
            "QF-GUN-6",
            of=f"{name} ROF",
            roll=str(black),
        )
        return
    guessed = f"{black}{shot.off:+d}" if shot.off else str(black)
    clause = "QF-OPT-3" if shot.off else "QF-GUN-1"
    say_rof(builder, struck.fire.battery, guessed, str(rof), clause, fired=struck.fired)


def _say_hits(struck: Struck, total: int, builder: DecisionBuilder, who: str) -> None:
    fire = struck.fire
    if fire.line is None:
        say_below_lines(builder, fire.rating, fire.armor, "QF-GUN-2")
        return
    text, line = f"{fire.line}% line, {struck.most} or less hits", f"battery {fire.line}%"
    builder.because(text, "QF-GUN-2", struck.line, line, of=f"{who}{against(fire.rating, fire.armor)}")
    said = " ".join(struck.hits) or "no hit"
    # A miss rests on the line alone.
    cell, place = (struck.number, f"hits {total}") if struck.number else (struck.line, line)
    builder.because(said, "QF-GUN-3", cell, place, of=f"{who}white", roll=str(total))


def prepare_fire(battle: Battle, order: Order) -> PreparedOrder:
    """`fire`: a battery, or both, at one target."""
    shot, named = shot_of(battle, order), batteries(order)

    def declare(builder: DecisionBuilder) -> None:
        remember_shots(builder, shot.firer.id, shot.target.id, shot.range.value, named)

    firer, target = battle.called(shot.firer.id), battle.called(shot.target.id)
    small = shot.small_target and Battery.HEAVY in named
    asks = option(battle, "range_guessing") == "yes" and "guess" not in order.slots
    return evolve(
        ready(GAME, battle, Roll("fire", shot.firer.id, order.bare), throw_of(battle, shot)),
        findings=hindrances(battle, order, shot),
        declare=declare,
        prompt=f"{firer} {order.text('battery')} at {target}, {shot.range.words}",
        assumes=assumption(GAME, battle, shot.target) if small else (),
        reminders=("no range was guessed: the ROF die stays as it is",) if asks else (),
    )


_REMINDERS = ("boat guns fire at point blank only, in any direction",)
ODDS = (Measure("hits", 0),)
_LINE = ("boat-guns", "boat-guns")


def prepare_boats(battle: Battle, order: Order) -> PreparedOrder:
    """`boats`: one die of one firer at one target."""
    firer, target = battle.ships[order.text("ship")], battle.ships[order.text("target")]
    return evolve(
        ready(GAME, battle, Roll("boats", firer.id, order.bare), boat_throw(battle, target)),
        findings=_boat_hindrances(battle, order, firer, target),
        declare=lambda builder: builder.remember("boats", firer.id, target=target.id),
        prompt=f"boat guns of {battle.called(firer.id)} at {battle.called(target.id)}",
        reminders=() if "range" in order.slots else _REMINDERS,
    )


def boat_throw(battle: Battle, target: Ship) -> Throw:
    """The throw: the codes of the die's cell."""
    plain = plain_reader(battle)

    def judge(faces: Faces) -> tuple[int, ...]:
        return (len(plain.codes(*_LINE, faces[0])[0]),)

    def resolve(faces: Faces, builder: DecisionBuilder, reader: ChartReader) -> None:
        codes, cell = reader.codes(*_LINE, faces[0])
        said, place = " ".join(codes) or "nothing", f"boat guns {faces[0]}"
        builder.because(said, "QF-BG-1", cell, place, of="boat gun", roll=str(faces[0]))
        Damage(builder, target.id).take(codes)
        builder.result("fired", True)
        builder.result("hits", codes)
        builder.result("blast", ())

    return Throw((D6,), resolve, all_of((D6,)), judge, ODDS, (Need("hits"),))


def _boat_hindrances(battle: Battle, order: Order, firer: Ship, target: Ship) -> tuple[Finding, ...]:
    found: list[Finding] = []
    if battle.phase != GUNNERY:
        found.append(refused("boat guns fire in the gunnery phase only", "QF-PH-1"))
    found.extend(at_target(GAME, battle, firer.id, target))
    if not is_light_craft(target):
        found.append(refused(f"{target.name} is no light craft: boat guns cannot hurt it", "QF-BG-1"))
    if acting(battle, firer.id).count("boat_guns") == 0:
        found.append(refused(f"{firer.name} has no boat guns", "QF-BG-1"))
    if "range" in order.slots and range_of(battle, order) is not Range.POINT_BLANK:
        found.append(
            refused(f"{order.slots['range']} is beyond point blank: boat guns fire no farther", "QF-BG-1")
        )
    if in_phase(battle, "boats", firer.id):
        guns, owed = f"{whose(firer.name)} boat guns", pending(battle, "boats", firer.id)
        found.append(refused(already(owed, f"{guns} are", f"{guns} have fired in this phase"), "QF-BG-1"))
    return tuple(found)


def torpedo_throw(battle: Battle, order: Order) -> Throw:
    """The throw of an attack: the rating as the phase began, one box's length or less static (QF-TOR-6)."""
    firer, target = acting(battle, order.text("ship")), battle.ships[order.text("target")]
    static = movement(GAME, battle, target).distance <= speed_of_boxes(GAME, battle, target, 1)
    clause = "QF-TOR-2" if static else "QF-TOR-1"
    return throw_at(battle, Launch(target, firer.count("torpedo"), static, clause, "QF-TOR-3", D6), TWO_D6)


def prepare_torpedo(battle: Battle, order: Order) -> PreparedOrder:
    """`torpedo`: one attack on one target."""
    firer, target = acting(battle, order.text("ship")), battle.ships[order.text("target")]
    findings = _torpedo_hindrances(battle, order, firer, target)
    return prepare(GAME, battle, order, torpedo_throw(battle, order), findings)


def _torpedo_hindrances(battle: Battle, order: Order, firer: Ship, target: Ship) -> tuple[Finding, ...]:
    found = _no_torpedo_phase(battle)
    found.extend(at_target(GAME, battle, firer.id, target))
    found.extend(out_of_water(target))
    found.extend(_firer(battle, firer))
    distance = order.slots["range"]
    if isinstance(distance, Distance) and not GAME.in_torpedo_range(battle, distance):
        found.append(refused(f"{distance} is out of torpedo range, {GAME.torpedo_range(battle)}", "QF-TOR-1"))
    elif distance in ("short", "long"):
        found.append(refused("torpedoes reach to point blank only", "QF-TOR-1"))
    return tuple(found)


def _no_torpedo_phase(battle: Battle) -> list[Finding]:
    if battle.phase == GUNNERY:
        return []
    return [refused("torpedoes are launched in the gunnery phase only", "QF-PH-1")]


def _firer(battle: Battle, firer: Ship) -> list[Finding]:
    """What hinders any launch of a ship."""
    found = []
    if firer.count("torpedo") == 0:
        found.append(refused(f"{firer.name} has no torpedo rating", "QF-TOR-1"))
    if battle.done("torpedo", firer.id):
        owed, done = pending(battle, "torpedo", firer.id), f"{firer.name} has launched at a target this turn"
        found.append(refused(already(owed, f"{whose(firer.name)} torpedo attack is", done), "QF-TOR-4"))
    return found


def may_launch(battle: Battle, ship: Ship) -> bool:
    """Whether a ship may still launch in this phase: some target and range are not refused."""
    if _no_torpedo_phase(battle) or _firer(battle, acting(battle, ship.id)):
        return False
    return has_target(GAME, battle, ship.id, out_of_water)
