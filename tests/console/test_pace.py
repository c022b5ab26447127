"""How many keys things cost: an umpire types while people talk."""

import statistics
from collections.abc import Mapping
from random import Random

import pytest
from attrs import evolve, frozen

from qf_tui.console.entry.volley_rows import VolleyDesk
from qf_tui.core.grammar.dice import FACE_KEYS
from qf_tui.core.values import Order, Plan, Ship
from qf_tui.library.scenarios import load_scenario
from qf_tui.library.systems import find_systems
from qf_tui.session import Session
from tests.console.playing import Table, gunnery, play
from tests.tools.pace import GOLDEN, SHOT, Pace, Umpire, letters_of, measured

FIRST_SHOTS, ALL = 8, 0
"""Shots of a battle up to which it is played: those of its first turn, or all and what is behind them."""

SHOTS = (
    ("f h bo space l 4 space 8 enter", "fire mikasa heavy borodino long"),
    ("f l oh space m 1 2 space 1 2 enter", "fire mikasa light ohio medium"),
    ("f h dup space p 1 2 space enter", "fire mikasa heavy dupuy-de-lome pb"),
)


@pytest.mark.parametrize(("keys", "order"), SHOTS)
def test_a_shot_takes_twelve_keys_at_most(keys: str, order: str) -> None:
    pressed = [key for word in keys.split() for key in ([word] if word in ("space", "enter") else word)]

    async def steps(table: Table) -> None:
        await table.press(*pressed)
        assert table.log()[-1] == order
        assert table.pressed <= 12

    play(gunnery(), steps)


def test_an_owed_roll_takes_its_digits_and_enter() -> None:
    session = gunnery()
    session.enter("damage ohio E")

    async def steps(table: Table) -> None:
        await table.press("1", "1", "enter")
        assert not table.battle.owed
        assert table.pressed == 3

    play(session, steps)


@pytest.mark.parametrize(
    ("shots", "median"),
    [(FIRST_SHOTS, 10), pytest.param(ALL, 8, marks=pytest.mark.long)],
    ids=("first", "all"),
)
def test_the_golden_battles_shots_take_twelve_keys_at_most(shots: int, median: int) -> None:
    """Catches a dialog that costs a key more; in later turns `a` and what is offered save more of them."""
    pace = measured(GOLDEN, shots)
    assert max(pace.keys[SHOT]) <= 12
    assert statistics.median(pace.keys[SHOT]) <= median
    assert statistics.median(pace.keys.get("owed roll", [0])) <= 3


FLEETS = {
    "japan": "mikasa asahi fuji shikishima kasuga nisshin yakumo kasagi takasago chitose asama chin-yen",
    "russia": "tsesarevich retvizan pobeda peresvet sevastopol poltava askold pallada diana novik burny "
    "boyky",
}
"""Twelve ships a side, six in a division; two of the Russian ones have no guns but boat guns."""


def twelve_a_side() -> Session:
    """Twelve ships against twelve, before they move."""
    system, start = load_scenario("yellow-sea-1904", find_systems())
    every, ships = {**start.reserve, **start.ships}, {}
    for side, names in FLEETS.items():
        divisions = [one.id for one in next(one for one in start.sides if one.id == side).divisions]
        for place, id in enumerate(names.split()):
            ships[id] = evolve(every[id], division=divisions[place // 6])
    return Session.begin(system, evolve(start, ships=ships, began=None, plan=Plan()))


def shots(session: Session, dice: Random, phase: int) -> list[tuple[str, str]]:
    """The shots of each ship that may fire, by division: its first battery, at the enemy opposite."""
    found = []
    for side, names in FLEETS.items():
        enemies = FLEETS["russia" if side == "japan" else "japan"].split()
        for place, id in enumerate(names.split()):
            for battery in ("heavy", "light"):
                bare = f"fire {id} {battery} {enemies[place % 10]} {(28, 20)[place > 5]}in"
                seen = session.preview_order(bare)
                if not seen.fine:
                    continue
                black, white = dice.randint(1, 12), dice.choice((7, 8, 9))
                full = f"{bare} {black}"
                if session.preview_order(full).missing:
                    full += f" {white}"
                found.append((f"{side} {place // 6} {phase}", full))
                break
    return found


@pytest.mark.parametrize(("phases", "keys"), [(1, 195), pytest.param(2, 300, marks=pytest.mark.long)])
def test_a_turn_of_twelve_against_twelve_is_typed_in_about_three_hundred_keys(phases: int, keys: int) -> None:
    """Catches a volley that costs more keys, or that comes to another battle than its shots typed alone."""
    volleys = turn_of_twelve(phases, alone=False)
    assert volleys.shots > 20
    assert volleys.keys_of_shots <= 6 * volleys.shots
    assert volleys.keys <= keys
    if phases == 2:
        alone = turn_of_twelve(phases, alone=True)
        assert (volleys.ships, volleys.shots) == (alone.ships, alone.shots)
        assert volleys.keys < alone.keys


@frozen
class Turn:
    """What a turn cost, and the ships behind it."""

    keys: int
    keys_of_shots: int
    shots: int
    ships: Mapping[str, Ship]


def turn_of_twelve(phases: int, *, alone: bool) -> Turn:
    """Moves, so many gunnery phases and what they owe; each shot alone in its dialog, or in volleys."""
    session, dice, found = twelve_a_side(), Random(12), []

    async def steps(table: Table) -> None:
        umpire, spent, count = Umpire(table, Pace()), 0, 0
        for names in FLEETS.values():
            for half in (names.split()[:6], names.split()[6:]):
                await umpire.to(half[0])
                await table.press("m", "at", "6", "enter")
        for phase in range(phases):
            await umpire.next()
            umpire.pace.moves.clear()
            wanted, began = shots(session, dice, phase), table.pressed
            for division in dict.fromkeys(key for key, _ in wanted):
                lines = [line for key, line in wanted if key == division]
                if alone:
                    for line in lines:
                        await umpire.give(line)
                else:
                    await volley(table, umpire, lines)
            spent, count = spent + table.pressed - began - sum(umpire.pace.moves), count + len(wanted)
            umpire.pace.moves.clear()
            while session.battle.owed:
                await table.press(*"4" * len(session.battle.owed[0].dice), "enter")
        await umpire.next()
        found.append(Turn(table.pressed, spent, count, session.battle.ships))

    play(session, steps)
    return found[0]


async def volley(table: Table, umpire: Umpire, lines: list[str]) -> None:
    """Fires a division's shots: the ends of the line are measured, then the dice go down the column."""
    orders = {(one := table.session.read(line).complete()).text("ship"): one for line in lines}
    await umpire.to(next(iter(orders)))
    await table.press("F")
    desk: VolleyDesk = table.top.desk
    ends = [at for at, row in enumerate(desk.rows) if row.waits]
    for at in (ends[0], ends[-1]):
        while desk.at != at:
            await table.press("up")
        await _aim(table, desk, orders, measure=True)
    await table.press("right")
    for at in ends:
        while desk.at != at:
            await table.press("down")
        order = orders.get(desk.rows[at].ship)
        if order is None:
            await table.press("o")
            continue
        await _aim(table, desk, orders, measure=False)
        if desk.column == desk.volley.range:
            await table.press("right")
        keys = {face: key for key, face in FACE_KEYS.items()}
        on = ("enter",) if at != ends[-1] else ()
        await table.press(*(keys.get(face, str(face)) for face in order.dice), *on)
    await table.press("f2")


async def _aim(table: Table, desk: VolleyDesk, orders: Mapping[str, Order], *, measure: bool) -> None:
    """Names the target of the row under the cursor and its range, where they are not there already."""
    row = desk.rows[desk.at]
    order = orders.get(row.ship)
    if order is None:
        return
    target, typed = order.text("target"), str(order.slots["range"]).removesuffix("in")
    if row.filling.text("target"):
        await _next_target(table, desk, target)
        row = desk.rows[desk.at]
    if row.filling.text("target") != target:
        await table.press("t")
        await table.write(letters_of(desk.offers, row.ship, target).rstrip(">"))
        await table.press("enter")
    row = desk.rows[desk.at]
    if not row.ranged if measure else not row.filling.text("range"):
        while desk.column != desk.volley.range:
            await table.press("left")
        await table.write(typed)


async def _next_target(table: Table, desk: VolleyDesk, target: str) -> None:
    """Where the target is the next of the line that the row has, one key names it."""
    names, now = " ".join(FLEETS.values()).split(), desk.rows[desk.at].filling.text("target")
    if now != target and names.index(target) == names.index(now) + 1:
        await table.press("n")
