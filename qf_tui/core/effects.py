"""What a decision changes, in the smallest unit, and `evolve`, the book-keeping that applies it.

Effects are the same for every rule system: a save can be opened and drawn without its rules.
"""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import cast

from attrs import frozen

from qf_tui.core.charts import Chart, ChartRow
from qf_tui.core.measure import Scalar
from qf_tui.core.values import Act, Battle, Mark, Owed, Ship, replace

EDGE = "edge"
"""The field of an effect on a ship's status that says by which edge it withdrew."""


class Op(StrEnum):
    """The kinds of effect; the comment says what `field` and `value` hold."""

    ADD = "add"  # a counted field of the log, by a difference
    SET = "set"  # a field of the log, to a recorded fact
    CARD = "card"  # a field of the card, by the umpire's word
    MARK = "mark"  # kind of mark, a Mark
    LIFT = "lift"  # kind of mark, its id
    STATUS = "status"  # "status", what becomes of the ship; "edge", by which edge it withdrew
    ACT = "act"  # kind of act, an Act
    OWE = "owe"  # chart line, an Owed
    SETTLE = "settle"  # chart line, the key of an owed roll
    PHASE = "phase"  # name of the phase, (turn, carried over by the umpire's word)
    JOIN = "join"  # "", the Ship as it joins
    OPTION = "option"  # name of the switch, its value
    TABLE = "table"  # condition of the table, its value
    CHART = "chart"  # "", the charts of the overlay
    DOUBT = "doubt"  # "", number of the entry
    CLEAR = "clear"  # "", number of the entry


Value = Scalar | Mark | Act | Owed | Ship | tuple[int, bool] | Mapping[str, Chart]


@frozen
class Effect:
    """One change. `hand`: the umpire's own writing, which counts at once, also as the phase began."""

    op: Op
    ship: str
    field: str
    value: Value
    hand: bool = False


def evolve(battle: Battle, effect: Effect, entry: int) -> Battle:
    """The battle after one effect of an entry.

    A ship that is not there is skipped: a correction may have taken it out of the battle.
    """
    after = _STEPS[effect.op](battle, effect, entry)
    if effect.hand and battle.began is not None and effect.op in _ON_SHIPS:
        return replace(after, began=_STEPS[effect.op](battle.began, effect, entry))
    return after


def fold(battle: Battle, effects: tuple[Effect, ...], entry: int) -> Battle:
    """The battle after all effects of an entry, by `evolve`, but copying the ships once for a run of them."""
    ships: dict[str, Ship] | None = None
    for effect in effects:
        change = None if effect.hand else _ON_SHIPS.get(effect.op)
        if change is None:
            battle = battle if ships is None else replace(battle, ships=ships)
            ships = None
            battle = evolve(battle, effect, entry)
            continue
        ships = dict(battle.ships) if ships is None else ships
        if effect.ship in ships:
            ships[effect.ship] = change(ships[effect.ship], effect)
    return battle if ships is None else replace(battle, ships=ships)


def with_overlay(charts: Mapping[str, Chart], overlay: Mapping[str, Chart]) -> dict[str, Chart]:
    """Charts with the cells of an overlay in place; an overlay's row without cells drops that row."""
    merged = dict(charts)
    for name, chart in overlay.items():
        below = merged.get(name)
        if below is None:
            merged[name] = chart
            continue
        rows = dict(below.rows)
        for row in chart.rows.values():
            if row.cells:
                under = rows[row.name].cells if row.name in rows else {}
                rows[row.name] = ChartRow(row.name, {**under, **row.cells})
            else:
                rows.pop(row.name, None)
        merged[name] = replace(below, rows=rows)
    return merged


def field_value(ship: Ship, field: str) -> Scalar | tuple[str, ...]:
    """What a field of a ship says now: a status, a count, a fact, or the live marks of that kind.

    Marks without text are counted; marks with text are listed.
    """
    if field == "status":
        return ship.status
    if field in ship.log:
        return ship.log[field]
    if field in ship.card:
        return ship.card[field]
    live = ship.live(field)
    if any(mark.text for mark in ship.marks if mark.kind == field):
        return tuple(mark.text for mark in live)
    return len(live)


_Step = Callable[[Battle, Effect, int], Battle]


_Change = Callable[[Ship, Effect], Ship]


def _on_ship(change: _Change) -> _Step:
    def step(battle: Battle, effect: Effect, entry: int) -> Battle:
        ship = battle.ships.get(effect.ship)
        return battle if ship is None else battle.with_ship(change(ship, effect))

    return step


def _add(ship: Ship, effect: Effect) -> Ship:
    log = dict(ship.log)
    log[effect.field] = ship.count(effect.field) + cast(int, effect.value)
    return replace(ship, log=log)


def _set(ship: Ship, effect: Effect) -> Ship:
    return replace(ship, log={**ship.log, effect.field: cast(Scalar, effect.value)})


def _card(ship: Ship, effect: Effect) -> Ship:
    card = {**ship.card, effect.field: cast(Scalar, effect.value)}
    return replace(ship, card=card, name=str(card.get("name", ship.name)))


def _mark(ship: Ship, effect: Effect) -> Ship:
    new = cast(Mark, effect.value)
    if all(mark.id != new.id for mark in ship.marks):
        return replace(ship, marks=(*ship.marks, new))
    return replace(ship, marks=tuple(new if mark.id == new.id else mark for mark in ship.marks))


def _lift(ship: Ship, effect: Effect) -> Ship:
    marks = tuple(replace(mark, lifted=True) if mark.id == effect.value else mark for mark in ship.marks)
    return replace(ship, marks=marks)


def _status(ship: Ship, effect: Effect) -> Ship:
    if effect.field == EDGE:
        return replace(ship, edge=str(effect.value))
    return replace(ship, status=str(effect.value), edge="")


def _act(battle: Battle, effect: Effect, entry: int) -> Battle:
    return replace(battle, acts=(*battle.acts, cast(Act, effect.value)))


def _owe(battle: Battle, effect: Effect, entry: int) -> Battle:
    return replace(battle, owed=(*battle.owed, cast(Owed, effect.value)))


def _settle(battle: Battle, effect: Effect, entry: int) -> Battle:
    return replace(battle, owed=tuple(owed for owed in battle.owed if owed.key != effect.value))


def _phase(battle: Battle, effect: Effect, entry: int) -> Battle:
    turn, carried = cast(tuple[int, bool], effect.value)
    owed = battle.owed if carried else tuple(replace(owed, late=True) for owed in battle.owed)
    acts = battle.acts
    if turn != battle.turn:
        acts = tuple(act for act in acts if act.turn >= turn - 1)
    opened = replace(battle, turn=turn, phase=effect.field, owed=owed, acts=acts, opened=entry, began=None)
    return replace(opened, began=replace(opened, owed=(), acts=acts))


def _join(battle: Battle, effect: Effect, entry: int) -> Battle:
    ship = cast(Ship, effect.value)
    if ship.id in battle.ships:
        return battle
    reserve = {id: other for id, other in battle.reserve.items() if id != ship.id}
    joined = replace(battle.with_ship(ship), reserve=reserve)
    return joined if battle.began is None else replace(joined, began=battle.began.with_ship(ship))


def _option(battle: Battle, effect: Effect, entry: int) -> Battle:
    return replace(battle, options={**battle.options, effect.field: cast(Scalar, effect.value)})


def _table(battle: Battle, effect: Effect, entry: int) -> Battle:
    return replace(battle, table={**battle.table, effect.field: cast(Scalar, effect.value)})


def _chart(battle: Battle, effect: Effect, entry: int) -> Battle:
    return replace(battle, charts=with_overlay(battle.charts, cast(Mapping[str, Chart], effect.value)))


def _doubt(battle: Battle, effect: Effect, entry: int) -> Battle:
    number = cast(int, effect.value)
    return battle if number in battle.doubts else replace(battle, doubts=(*battle.doubts, number))


def _clear(battle: Battle, effect: Effect, entry: int) -> Battle:
    return replace(battle, doubts=tuple(number for number in battle.doubts if number != effect.value))


_ON_SHIPS: Mapping[Op, _Change] = {
    Op.ADD: _add,
    Op.SET: _set,
    Op.CARD: _card,
    Op.MARK: _mark,
    Op.LIFT: _lift,
    Op.STATUS: _status,
}
ON_LOGS = frozenset(_ON_SHIPS)
"""The kinds of effect that change a ship's log or card."""
_STEPS: dict[Op, _Step] = {
    **{op: _on_ship(change) for op, change in _ON_SHIPS.items()},
    Op.ACT: _act,
    Op.OWE: _owe,
    Op.SETTLE: _settle,
    Op.PHASE: _phase,
    Op.JOIN: _join,
    Op.OPTION: _option,
    Op.TABLE: _table,
    Op.CHART: _chart,
    Op.DOUBT: _doubt,
    Op.CLEAR: _clear,
}
