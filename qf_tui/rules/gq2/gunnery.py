"""Gunnery: the white, red and blue dice of a battery (GQ2-GUN)."""

from collections.abc import Callable
from functools import cache

from attrs import evolve

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.errors import Finding
from qf_tui.core.grammar.order import Order
from qf_tui.core.system import Faces, Measure, Need, PreparedOrder
from qf_tui.core.text import whose
from qf_tui.core.values import Battle, Die, Owed
from qf_tui.rules.gq2.charts import GunLoss, gunnery_cell
from qf_tui.rules.gq2.damage import ARMAMENT, HULL, CodeKind, DamageCode, lose, owe_critical
from qf_tui.rules.gq2.forms import FIRE
from qf_tui.rules.gq2.hindrances import at_band, hindrances, odds_words, reminders, silhouetted
from qf_tui.rules.gq2.measures import of_halves
from qf_tui.rules.gq2.mistargeting import ask, go_on_with, must_target, owe_measure
from qf_tui.rules.gq2.movement import assumption, speed_made
from qf_tui.rules.gq2.options import option
from qf_tui.rules.gq2.ship import STEAMING
from qf_tui.rules.gq2.shots import AT, FIRED, Shot, remember_damage, shot_of

WHITE = Die(10, "white", 0)
TEN = (WHITE, Die(10, "red", 0), Die(10, "blue", 0))
SIX = (WHITE, Die(6, "red"), Die(6, "blue"))
ODDS = (
    Measure("straddles", 0),
    Measure("hull", 2, mean=True, denominator=2),
    Measure("guns", 1, mean=True, denominator=2),
    Measure("critical", 3),
)


def prepare_fire(battle: Battle, order: Order) -> PreparedOrder:
    """`fire`: a battery at a target; by night at an unlit one the targeting roll comes first (GQ2-NIT-2)."""
    shot = shot_of(battle, order)
    findings = hindrances(battle, order, shot)
    firer, target, guns = shot.firer, shot.target, shot.battery
    strays = must_target(battle, target)

    def declare(builder: DecisionBuilder) -> None:
        builder.remember(FIRED, firer.id, battery=guns.name, target=target.id)
        _mark_boxes(builder, firer.id, shot.he, -1)
        if not strays:
            builder.remember(AT, firer.id, battery=guns.name, target=target.id)

    notes, ready = reminders(battle, shot, order), fire(battle, shot)
    if strays:
        return ask(battle, order, findings, declare, notes, ready, ((firer.id, 0),))
    return evolve(ready, findings=findings, declare=declare, reminders=(*notes, *ready.reminders))


def prepare_fire_roll(battle: Battle, owed: Owed, order: Order) -> PreparedOrder:
    """The dice of a shot that was declared."""
    return fire(battle, shot_of(battle, order, declared=True), owed.entry)


def go_on(builder: DecisionBuilder, order: Order, owed: Owed) -> None:
    """The targeting is settled: the shot is decided if its dice were given, or they are owed."""
    battle = builder.battle
    shot = shot_of(battle, order)
    builder.remember(AT, shot.firer.id, battery=shot.battery.name, target=shot.target.id)
    go_on_with(builder, fire(battle, shot, owed.entry), order, owed)


def barred(battle: Battle, order: Order) -> tuple[Finding, ...]:
    """What hinders a shot at the ship that is really there: its band, a silhouette by night."""
    return (*at_band(battle, order, shot_of(battle, order)), *silhouetted(battle, order))


def ask_measure(builder: DecisionBuilder, owed: Owed, target: str) -> None:
    """The targeting is settled, but not what is measured to the ship that is there."""
    owe_measure(builder, owed, target, owed.facts)


def give_back(builder: DecisionBuilder, order: Order, owed: Owed) -> None:
    """A shot that may not be fired, outside the arc, leaves its box of ammunition (GQ2-NIT-2)."""
    _mark_boxes(builder, order.text("ship"), order.has("he"), 1)


def rows(shot: Shot, faces: Faces) -> tuple[int, int]:
    """The rows of the red and the blue die, 0 counted as ten, after the bands (GQ2-GUN-4)."""
    return max(0, (faces[1] or 10) - shot.in_red), max(0, (faces[2] or 10) - shot.in_blue)


def fire(battle: Battle, shot: Shot, cause: int | None = None) -> PreparedOrder:
    """The dice of a shot, six-sided for rapid fire (GQ2-GUN-6); `cause`: of the entry that declared it."""
    dice, most = SIX if shot.rapid else TEN, shot.number - shot.more
    judge = _judge(battle, shot)

    def missing(faces: Faces) -> tuple[Die, ...]:
        white_will_do = faces and (faces[0] > most or shot.column is None)
        return () if white_will_do else dice[len(faces) :]

    return PreparedOrder(
        dice=dice,
        missing=missing,
        judge=judge,
        alike=judge,
        decide=lambda faces, builder: _write(battle, shot, faces, judge(faces), builder, cause),
        owes=FIRE.word,
        prompt=f"{whose(shot.firer.name)} {shot.battery.name} at {shot.target.name}, band {shot.number}",
        ship=shot.firer.id,
        odds=ODDS,
        assumes=_assumed(battle, shot),
        needs=(Need("straddles", at=_modified(shot)),),
    )


def _assumed(battle: Battle, shot: Shot) -> tuple[str, ...]:
    """The target's movement, if nobody has given it and the shot is easier for it."""
    at_anchor = shot.target.log.get("state") != STEAMING
    return () if speed_made(battle, shot.target) or at_anchor else assumption(battle, shot.target)


def _modified(shot: Shot) -> str:
    """The band, and what comes to the white die."""
    return f"band {shot.number}{''.join(f', {value:+} {why}' for value, why in shot.modifiers)}"


def _judge(battle: Battle, shot: Shot) -> Callable[[Faces], tuple[int, ...]]:
    """Whether a throw straddles, the halves of armament and hull it takes, and whether it is critical."""
    column, most = shot.column, shot.number - shot.more
    boxes = _boxes(battle, column) if column else None
    spared = not shot.penetrates and option(battle, "unpenetrated") == "no-hull"

    def judge(faces: Faces) -> tuple[int, ...]:
        if faces[0] > most:
            return 0, 0, 0, 0
        if boxes is None:
            return 1, 0, 0, 0
        red, blue = rows(shot, faces)
        hull = boxes(blue)
        return 1, boxes(red).halves, 0 if spared else hull.halves, int(hull.critical)

    return judge


def _boxes(battle: Battle, column: str) -> Callable[[int], GunLoss]:
    """What each row of a column does; a row is read when it is asked for, once."""
    return cache(lambda row: gunnery_cell(battle, column, row)[0])


def _write(
    battle: Battle,
    shot: Shot,
    faces: Faces,
    judged: tuple[int, ...],
    builder: DecisionBuilder,
    cause: int | None,
) -> None:
    straddled, arms, hull, critical = judged
    _say_straddle(shot, faces[0], builder)
    builder.result("fired", True)
    builder.result("straddled", bool(straddled))
    builder.result("hits", _hits(arms, hull, critical))
    builder.result("blast", ())
    if not straddled:
        return
    _say_boxes(battle, shot, faces, judged, builder)
    if arms or hull or critical:
        remember_damage(builder, shot.firer.id, shot.target.id, shot.turn)
    lose(builder, shot.target.id, ARMAMENT, arms)
    lose(builder, shot.target.id, HULL, hull)
    if critical:
        owe_critical(builder, shot.target.id, shot.turn, penetrated=shot.penetrates, cause=cause)


def _hits(arms: int, hull: int, critical: int) -> tuple[str, ...]:
    boxes = ((CodeKind.ARMAMENT, arms), (CodeKind.HULL, hull))
    codes = tuple(DamageCode(kind, halves).in_decimals for kind, halves in boxes if halves)
    return (*codes, CodeKind.CRITICAL.value) if critical else codes


def _say_straddle(shot: Shot, white: int, builder: DecisionBuilder) -> None:
    more = "".join(f" {value:+} {why}" for value, why in shot.modifiers)
    verdict = ("≤", "straddles") if shot.straddles(white) else (">", "misses")
    builder.because(
        f"{verdict[1]} {shot.target.name}",
        "GQ2-GUN-2" if more else "GQ2-GUN-1",
        of=f"white {white}{more}:" if more else "white",
        roll=f"{white + shot.more}{verdict[0]}{shot.number},",
    )


def _say_boxes(
    battle: Battle, shot: Shot, faces: Faces, judged: tuple[int, ...], builder: DecisionBuilder
) -> None:
    """The column, then what red does to the armament and blue to the hull, each with its cell."""
    odds = odds_words(shot)
    if shot.column is None:
        builder.because("below 1:3, no effect", "GQ2-GUN-3", of=odds)
        return
    shifted = ", a column on for HE" if shot.he else ""
    builder.because(f"{shot.column}{shifted}", "GQ2-GUN-7" if shot.he else "GQ2-GUN-3", of=odds)
    red, blue = rows(shot, faces)
    for colour, face, row, banded, halves in (
        ("red", faces[1], red, shot.in_red, judged[1]),
        ("blue", faces[2], blue, shot.in_blue, judged[2]),
    ):
        cell = gunnery_cell(battle, shot.column, row)[1]
        shown = f"{colour} {face or 10}{f', row {row}' if banded else ''}"
        took = f"{of_halves(halves)} {'armament' if colour == 'red' else 'hull'}"
        critical = ", a critical hit" if colour == "blue" and judged[3] else ""
        clause = "GQ2-GUN-5" if critical else "GQ2-GUN-4" if banded else "GQ2-GUN-3"
        builder.because(f"{took}{critical}", clause, cell, f"gunnery {shot.column}, {row}", of=shown)
    if not shot.penetrates and judged[3]:
        builder.because("the armor is not penetrated", "GQ2-GUN-10")


def _mark_boxes(builder: DecisionBuilder, id: str, he: bool, by: int) -> None:
    """Marks a box off or clean again, by the switch with each shot; none below nothing (GQ2-LOG-1)."""
    if option(builder.battle, "ammunition") == "by-hand":
        return
    for field in ("ammo", "ammo_he") if he else ("ammo",):
        held = builder.ship(id).log.get(field)
        if isinstance(held, int) and held + by >= 0:
            builder.add(id, field, by)
