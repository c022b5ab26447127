"""Battery fire: who may fire at what, and what the black and white dice do (AQF-GUN, AQF-PH-3)."""

from fractions import Fraction

from attrs import frozen

from qf_tui.core.errors import Finding, impossible, refused
from qf_tui.core.ledger import Ledger
from qf_tui.core.parsing import Order
from qf_tui.core.system import Faces, Measure, Ready
from qf_tui.core.values import Battle, Cell, Die, Distance, Ship, decimal
from qf_tui.rules.advanced_quickfire.charts import NONE, Reader, battery_lines, line_for
from qf_tui.rules.advanced_quickfire.damage import Damage, Source
from qf_tui.rules.advanced_quickfire.movement import assumption, movement, out_of_play
from qf_tui.rules.advanced_quickfire.options import option
from qf_tui.rules.advanced_quickfire.scales import Bracket, bracket
from qf_tui.rules.advanced_quickfire.ship import (
    SMALL,
    Battery,
    armor,
    available_speed,
    gunnery,
    printed_speed,
    size,
)
from qf_tui.rules.advanced_quickfire.throws import Roll, Throw, ready

FIRST, SECOND = "first-gunnery", "second-gunnery"
PHASES = (FIRST, SECOND)
BLACK, WHITE = Die(12, "black"), Die(12, "white")
ODDS = (Measure("fires", 0), Measure("hits", 1), Measure("mean", 1, mean=True), Measure("blast", 2))


@frozen
class Fire:
    """One battery's part in a shot: its effective ROF, the miss it carries, its line and the armor it meets."""

    battery: Battery
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
    """A shot as declared: firer, target, range and arc, and the batteries that fire (AQF-GUN-1)."""

    firer: Ship
    target: Ship
    range: Bracket
    fires: tuple[Fire, ...]
    light_armor: bool
    end: bool

    @property
    def small_target(self) -> bool:
        return size(self.target) <= SMALL


@frozen
class Struck:
    """What one battery's dice did: whether it fired, the hits in their order, and the cell they stand in."""

    fire: Fire
    fired: bool
    hits: tuple[str, ...] = ()
    cell: Cell | None = None


def batteries(order: Order) -> tuple[Battery, ...]:
    """The batteries that an order names."""
    word = order.text("battery")
    return tuple(Battery) if word == "both" else (Battery(word),)


def range_of(battle: Battle, order: Order) -> Bracket | None:
    """The bracket that an order names or measures; None beyond long."""
    value = order.slots["range"]
    return bracket(battle, value) if isinstance(value, Distance) else Bracket(str(value))


def shot_of(battle: Battle, order: Order) -> Shot:
    """The shot of an order: what the firer can do is read as the phase began (AQF-PH-2)."""
    began = battle.start
    target = battle.ships[order.text("target")]
    firer = began.ships.get(order.text("ship"), battle.ships[order.text("ship")])
    at = range_of(battle, order) or Bracket.LONG
    light_armor = order.has("light-armor")
    end = order.has("end") and firer.card.get("end_arc") != "full"
    fires = tuple(_fire(battle, firer, target, battery, at, light_armor, end) for battery in batteries(order))
    return Shot(firer, target, at, fires, light_armor, end)


def _fire(
    battle: Battle, firer: Ship, target: Ship, battery: Battery, at: Bracket, light_armor: bool, end: bool
) -> Fire:
    rof = firer.count(battery.rof)
    against = armor(target, Battery.LIGHT if light_armor else battery)
    rating = gunnery(firer, battery)
    return Fire(
        battery,
        rof // 2 if end else rof,
        missed(battle, firer.id, battery),
        rating,
        against,
        _line(battle, rating, against, raised=at is Bracket.POINT_BLANK and battery is Battery.HEAVY),
    )


def _line(battle: Battle, rating: Fraction, against: Fraction, *, raised: bool) -> int | None:
    """The percentage line of a battery against an armor; one up for heavy fire at point blank (AQF-GUN-5, 6, 8)."""
    lines = battery_lines(battle)
    if against == 0:
        if option(battle, "zero_armor") == "top-line":
            return lines[-1] if rating > 0 and lines else None
        against = Fraction(1, 2)
    place = line_for(lines, rating, against)
    if place is None:
        return None
    return lines[min(place + raised, len(lines) - 1)]


def missed(battle: Battle, ship: str, battery: Battery) -> int:
    """1 if the battery's latest ROF roll of this turn or the last one failed (AQF-GUN-3)."""
    rolls = [
        act for act in battle.acts if act.kind == "rof" and act.ship == ship and act.data[0] == battery.value
    ]
    return 1 if rolls and rolls[-1].turn >= battle.turn - 1 and rolls[-1].data[1] is False else 0


def strike(fire: Fire, black: int, white: int | None, reader: Reader) -> Struck:
    """One battery's dice on the chart (AQF-GUN-2, AQF-GUN-7)."""
    if not fire.fires(black) or white is None:
        return Struck(fire, fired=False)
    if fire.line is None:
        return Struck(fire, fired=True)
    cell = reader.cell("battery", str(fire.line), str(white))
    count = 0 if cell.text == NONE else int(cell.text)
    letters = "GS" if white % 2 else "SG"
    return Struck(fire, True, tuple(letters[place % 2] for place in range(count)), cell)


@frozen
class Result:
    """What the dice of a shot did, read from the chart before anything is written."""

    strikes: tuple[Struck, ...]
    blast: tuple[str, ...] = ()
    cell: Cell | None = None


def read_dice(shot: Shot, faces: Faces, reader: Reader) -> Result:
    """The judgement of a shot: batteries, then blast if one fired and hit (AQF-GUN-11, AQF-GUN-16)."""
    black, white = faces[0], faces[1] if len(faces) > 1 else None
    strikes = tuple(strike(fire, black, white, reader) for fire in shot.fires)
    if white is None or not any(struck.hits for struck in strikes):
        return Result(strikes)
    codes, cell = reader.codes("blast", shot.range.value, black + white)
    return Result(strikes, codes, cell)


def throw_of(battle: Battle, shot: Shot) -> Throw:
    """The throw of a shot: the white die is needed only if a battery fires."""
    plain = Reader(battle)

    def missing(faces: Faces) -> tuple[Die, ...]:
        if not faces:
            return BLACK, WHITE
        return (WHITE,) if len(faces) == 1 and any(fire.fires(faces[0]) for fire in shot.fires) else ()

    def judge(faces: Faces) -> tuple[int, ...]:
        result = read_dice(shot, faces, plain)
        hits = sum(len(struck.hits) for struck in result.strikes)
        return int(any(struck.fired for struck in result.strikes)), hits, len(result.blast)

    def resolve(faces: Faces, ledger: Ledger, reader: Reader) -> None:
        _write(shot, faces, read_dice(shot, faces, reader), ledger)

    return Throw((BLACK, WHITE), resolve, missing, judge, ODDS)


def _write(shot: Shot, faces: Faces, result: Result, ledger: Ledger) -> None:
    for struck in result.strikes:
        _say_rof(shot, struck, faces[0], ledger)
        ledger.remember("rof", shot.firer.id, struck.fire.battery.value, struck.fired)
    for struck in result.strikes:
        if struck.fired:
            _say_hits(struck, faces[1], ledger)
            Damage(ledger, shot.target.id, source(struck.fire.battery, shot)).take(struck.hits)
    if result.cell is not None:
        place = f"blast {shot.range.words} {sum(faces)}"
        said = " ".join(result.blast) or "none"
        ledger.because(f"blast {sum(faces)}: {said}", "AQF-GUN-11", result.cell, place)
        Damage(ledger, shot.target.id, source(result.strikes[0].fire.battery, shot)).take(result.blast)
    ledger.result("fired", any(struck.fired for struck in result.strikes))
    ledger.result("hits", tuple(hit for struck in result.strikes for hit in struck.hits))
    ledger.result("blast", result.blast)


def source(battery: Battery, shot: Shot) -> Source:
    """Where the hits of a battery come from, for their overflow (AQF-GUN-12)."""
    if battery is Battery.LIGHT:
        return Source.LIGHT
    return Source.HEAVY_AT_LIGHT_ARMOR if shot.light_armor else Source.HEAVY


def _say_rof(shot: Shot, struck: Struck, black: int, ledger: Ledger) -> None:
    fire = struck.fire
    shown = f"{black}-1" if fire.miss else str(black)
    sign, does = ("≤", "fires") if struck.fired else (">", "does not fire")
    arc = " in the end arc" if shot.end else ""
    clause = "AQF-GUN-4" if shot.end else "AQF-GUN-3" if fire.miss else "AQF-GUN-2"
    ledger.because(f"{fire.battery.value} ROF {shown}{sign}{fire.rof}{arc}: {does}", clause)


def _say_hits(struck: Struck, white: int, ledger: Ledger) -> None:
    fire = struck.fire
    against = f"{decimal(fire.rating)} against {decimal(fire.armor)}"
    if fire.line is None:
        ledger.because(f"{against}: below the lowest line, no effect", "AQF-GUN-5")
        return
    ledger.because(f"{against}: {fire.line}%", "AQF-GUN-5", struck.cell)
    hits = " ".join(struck.hits) or "no hit"
    ledger.because(
        f"{white} on the {fire.line}% line: {hits}", "AQF-GUN-7", struck.cell, f"battery {fire.line}% {white}"
    )


def prepare_fire(battle: Battle, order: Order) -> Ready:
    """`fire`: a battery, or both under the one-roll switch, at one target."""
    shot = shot_of(battle, order)
    named = batteries(order)

    def declare(ledger: Ledger) -> None:
        for battery in named:
            ledger.remember("fire", shot.firer.id, battery.value, shot.target.id, shot.range.value)

    word = order.text("battery")
    return ready(
        battle,
        Roll("fire", shot.firer.id, order.resolved),
        throw_of(battle, shot),
        hindrances(battle, order, shot),
        declare,
        f"{shot.firer.name} {word} at {shot.target.name}, {shot.range.words}",
        assumption(battle, shot.target) if shot.small_target and Battery.HEAVY in named else (),
    )


def hindrances(battle: Battle, order: Order, shot: Shot) -> tuple[Finding, ...]:
    """What stands against a shot."""
    found: list[Finding] = []
    if battle.phase not in PHASES:
        found.append(refused("guns fire in the two gunnery phases only", "AQF-PH-1"))
    found.extend(at_target(battle, shot.firer.id, shot.target))
    if order.text("battery") == "both" and option(battle, "one_roll") == "no":
        found.append(refused("each battery fires with a roll of its own (switch one_roll)", "AQF-GUN-9"))
    for fire in shot.fires:
        found.extend(_battery_hindrances(battle, shot, fire))
    found.extend(_range_hindrances(battle, order, shot))
    return tuple(found)


def at_target(battle: Battle, firer: str, target: Ship) -> list[Finding]:
    """What stands against any attack of one ship on another."""
    found = list(out_of_play(battle.ships[firer]))
    if firer == target.id:
        found.append(impossible(f"{target.name} cannot attack itself"))
    elif battle.ships[firer].side == target.side:
        found.append(refused(f"{target.name} is of the same side", "AQF-GUN-1"))
    if not target.afloat:
        clause = "AQF-SNK-2" if target.status == "sunk" else "AQF-PH-7"
        found.append(refused(f"{target.name} is {target.status} and no target", clause))
    return found


def _battery_hindrances(battle: Battle, shot: Shot, fire: Fire) -> list[Finding]:
    name, battery = shot.firer.name, fire.battery.value
    if gunnery(shot.firer, fire.battery) == 0:
        return [refused(f"{name} has no {battery} battery", "AQF-GUN-10")]
    found = []
    if fire.rof == 0:
        clause = "AQF-GUN-4" if shot.firer.count(fire.battery.rof) else "AQF-GUN-2"
        found.append(refused(f"{name}'s {battery} ROF is 0: it cannot fire", clause))
    if _declared(battle, shot.firer.id, fire.battery, battle.phase):
        found.append(refused(f"{name}'s {battery} battery has fired in this phase", "AQF-GUN-9"))
    if battle.phase == SECOND:
        found.extend(_second_phase(battle, shot.firer, fire.battery))
    return found


def _declared(battle: Battle, ship: str, battery: Battery, phase: str) -> bool:
    return any(act.data[0] == battery.value for act in battle.done("fire", ship, phase=phase))


def _second_phase(battle: Battle, firer: Ship, battery: Battery) -> list[Finding]:
    """Only what failed its ROF roll in the first gunnery phase fires in the second (AQF-PH-3)."""
    rolls = list(battle.done("rof", firer.id, phase=FIRST))
    own = [act for act in rolls if act.data[0] == battery.value]
    asked = rolls if option(battle, "refire_by") == "ship" else own
    whose = firer.name if asked is rolls else f"{firer.name}'s {battery.value} battery"
    if any(act.data[1] is True for act in asked):
        return [refused(f"{whose} fired in the first gunnery phase", "AQF-PH-3")]
    if not asked and option(battle, "untried_refire") == "no":
        return [refused(f"{whose} did not try to fire in the first gunnery phase", "AQF-PH-3")]
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
        act.data[1] for act in battle.done("fire", shot.firer.id, phase=battle.phase) if act.data[2] == "long"
    }
    if shot.range is Bracket.LONG and others - {shot.target.id}:
        found.append(refused(f"{shot.firer.name} fires at another target at long range", "AQF-GUN-9"))
    if heavy and shot.small_target and fast(battle, shot.target):
        found.append(refused(f"{shot.target.name} is too small and fast for heavy guns", "AQF-GUN-13"))
    return found


def fast(battle: Battle, target: Ship) -> bool:
    """Whether a vessel moved more than half of its speed this turn, recorded or assumed (AQF-GUN-13)."""
    available = option(battle, "small_fast_by") == "available"
    speed = available_speed(battle, target) if available else printed_speed(battle, target)
    return movement(battle, target).distance * 2 > speed


def may_fire(battle: Battle, ship: Ship, battery: Battery) -> bool:
    """Whether a battery may still act in this phase, range and target left aside."""
    began = battle.start.ships.get(ship.id, ship)
    if not ship.afloat or gunnery(ship, battery) == 0 or began.count(battery.rof) == 0:
        return False
    if battle.phase not in PHASES or _declared(battle, ship.id, battery, battle.phase):
        return False
    return battle.phase == FIRST or not _second_phase(battle, ship, battery)
