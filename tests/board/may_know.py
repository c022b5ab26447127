"""What a viewer may know, in raw values: the table of the README written down a second time, for tests.

`own_side` and `phase_end` give a key of a battle. Where two battles have equal keys for a viewer, they differ
only in what he may not know.
"""

from collections.abc import Callable, Iterator
from typing import TypeVar

from attrs import evolve

from qf_tui.core.availability import who_may_act
from qf_tui.core.decisions import Op, field_value
from qf_tui.core.schedule import SCHEDULE, standings
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Chain, State, Timeline, apply
from qf_tui.core.values import Battle, Mark, Order, Owed, Ship
from tests.core.playing import renumbered

Key = tuple[object, ...]
Said = TypeVar("Said")
_KEPT: dict[tuple[str, int], tuple[object, object]] = {}
_MOST_KEPT = 20_000


def _once(what: str, value: object, say: Callable[[], Said]) -> Said:
    """What is said of a value that never changes: said once, for ships and charts are shared by many battles.

    The value is kept beside it, so that no other has its id.
    """
    key = (what, id(value))
    if key not in _KEPT:
        if len(_KEPT) >= _MOST_KEPT:
            _KEPT.clear()
        _KEPT[key] = (value, say())
    return _KEPT[key][1]  # type: ignore[return-value]  # what `say` said of it


def own_side(system: RuleSystem, timeline: Timeline, viewer: str, turns: int) -> Key:
    """What a side (or "": every side) may know while each knows its own ships, entries of the last turns."""
    battle = timeline.battle
    mine = [ship for ship in battle.ships.values() if ship.side == viewer]
    return (
        (battle.turn, battle.phase, system.phase_title(battle)),
        (standings(battle), system.ended(battle)),
        (
            repr(battle.table),
            repr(battle.options),
            _once("charts", battle.charts, lambda: repr(battle.charts)),
        ),
        tuple(battle.ships),
        tuple(_log(ship) for ship in mine),
        tuple(_log(battle.start.ships[ship.id]) for ship in mine if ship.id in battle.start.ships),
        tuple(_seen(system, ship) for ship in battle.ships.values()),
        tuple(_asked(one) for one in battle.owed if _side(battle, one.ship) == viewer and one.ship),
        tuple(one for one in who_may_act(system, battle) if _side(battle, one.ship) == viewer),
        tuple(_remarks(timeline, viewer)),
        tuple(_heard(system, timeline, viewer, battle.turn - turns + 1)),
    )


def phase_end(timeline: Timeline) -> Key:
    """What anybody may know as the last phase ended: the entries up to its end, by their places."""
    order = timeline.play_order
    ends = [place for place, number in enumerate(order, 1) if _opens(timeline, number)]
    known = order[: ends[-1] if ends else 0]
    cut = evolve(timeline, battle=timeline.battle_at(len(known)), play_order=Chain(known))
    rulings = [timeline.rulings[number] for number in known]
    orders = tuple(_words(timeline.versions[number].order) for number in known)
    entered = tuple(timeline.log[number - 1] for number in known)
    return (
        orders,
        tuple((ruling.state, ruling.decision.reasons, ruling.decision.outcome) for ruling in rulings),
        tuple(act.version is timeline.versions[act.number] for act in entered),
        tuple(act.rulings.get(act.number) == timeline.rulings[act.number] for act in entered),
        renumbered(cut, known),
    )


def _side(battle: Battle, ship: str) -> str:
    return battle.ships[ship].side if ship in battle.ships else ""


def _mark(mark: Mark) -> Key:
    return mark.kind, mark.text, mark.turn, mark.until, mark.lifted


def _log(ship: Ship) -> Key:
    """All of a ship but the numbers in the names of its marks."""
    return _once("log", ship, lambda: _log_of(ship))


def _log_of(ship: Ship) -> Key:
    log = tuple(sorted(ship.log.items(), key=str))
    card = tuple(sorted(ship.card.items(), key=str))
    return ship.id, ship.name, ship.division, card, log, tuple(map(_mark, ship.marks)), ship.status, ship.edge


def _seen(system: RuleSystem, ship: Ship) -> Key:
    return _once(system.name, ship, lambda: _seen_of(system, ship))


def _seen_of(system: RuleSystem, ship: Ship) -> Key:
    shown = [field.name for field in system.fields if field.seen]
    # By night fires light a ship (GQ2-NIT-3), whatever started them.
    burns = bool("lit" in shown and ship.live("fires"))
    return ship.id, ship.name, ship.side, ship.status, burns, tuple(field_value(ship, name) for name in shown)


def _asked(owed: Owed) -> Key:
    declared = owed.order.resolved if owed.order else ""
    return owed.line, owed.ship, owed.prompt, owed.dice, owed.words, declared, owed.faces


def _remarks(timeline: Timeline, viewer: str) -> Iterator[str]:
    for number in timeline.play_order:
        order = timeline.versions[number].order
        if order.word == "note":
            text = " ".join(order.many("text"))
            if text.startswith("all:") or (viewer and text.startswith(f"{viewer}:")):
                yield text


def _opens(timeline: Timeline, number: int) -> bool:
    ruling = timeline.rulings[number]
    return ruling.state is State.STANDS and any(one.op is Op.PHASE for one in ruling.decision.effects)


def _words(order: Order) -> str:
    """An order without the numbers of entries in its key."""
    return order.line.replace(order.key, order.key.partition("/")[2]) if order.key else order.line


def _heard(system: RuleSystem, timeline: Timeline, viewer: str, since: int) -> Iterator[Key]:
    """The entries that a viewer hears of, each with what he hears."""
    before = timeline.start
    for number in timeline.play_order:
        ruling = timeline.rulings[number]
        after = apply(before, number, ruling)
        if ruling.state is State.STANDS and after.turn >= since:
            heard = _entry(system, timeline, number, before, after, viewer)
            if heard is not None:
                yield (before.turn, before.phase, *heard)
        before = after


def _entry(
    system: RuleSystem, timeline: Timeline, number: int, before: Battle, after: Battle, viewer: str
) -> Key | None:
    order = timeline.versions[number].order
    decision = timeline.rulings[number].decision
    seen = tuple(_seen(system, ship) for ship in before.ships.values())
    sees = tuple(_seen(system, ship) for ship in after.ships.values())
    own = tuple(_log(ship) for ship in before.ships.values() if ship.side == viewer)
    owns = tuple(_log(ship) for ship in after.ships.values() if ship.side == viewer)
    changed = (seen, sees, own, owns) if (seen, own) != (sees, owns) else ()
    owed = _question(timeline, number, order)
    if order.word == "next":
        return ("next", after.turn, after.phase, changed)
    if owed is not None and owed.line == SCHEDULE:
        return None
    declared = owed.order if owed is not None and owed.order is not None else order
    ships = [name for name in declared.names if name in before.ships]
    ships = [owed.ship] if owed is not None and owed.order is None else ships
    sides = [_side(before, ship) for ship in ships]
    if viewer and sides and sides[0] == viewer:
        why = decision.reasons if set(sides) == {viewer} else ()
        return ("did", _words(order), owed.prompt if owed else "", why, changed)
    told = viewer in sides if viewer else set(sides) == {side.id for side in before.sides}
    if told and (owed is None or owed.order is not None):
        return ("heard", declared.bare.resolved, changed)
    return ("saw", changed) if changed else None


def _question(timeline: Timeline, number: int, order: Order) -> Owed | None:
    """What an answer was owed for."""
    if not order.is_answer:
        return None
    at = timeline.play_order.index(number)
    return timeline.battle_at(at).question(order.key) if at else timeline.start.question(order.key)
