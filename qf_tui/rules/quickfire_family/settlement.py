"""Settlement: the damage of a phase in one fixed order, whatever the order of entry (AQF-DAM-12)."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from qf_tui.core.decisions import DecisionBuilder, Op
from qf_tui.core.frozen import frozen
from qf_tui.core.values import Act, Ship
from qf_tui.rules.quickfire_family.damage import SPEED, Take, Wounds
from qf_tui.rules.quickfire_family.ledger import (
    CODES,
    DEALT,
    ENTRY,
    SOURCE,
    Source,
    fix_damage,
    list_settled,
    open_ledger,
)

_SMALL_GUNS = (Source.LIGHT, Source.BOATS)
_ORDERS = {
    "heavy": tuple(Source),
    "light": (*_SMALL_GUNS, *(source for source in Source if source not in _SMALL_GUNS)),
}
"""The order of sources by the switch `overflow_first`."""
_NAMES = {
    Source.LIGHT_ARMOR: "fire at light armor",
    Source.EXPLOSION: "explosion",
    Source.CHECK: "check",
    Source.TORPEDO: "torpedo",
}
_COSTS = {
    "rof_heavy": "heavy ROF",
    "rof_light": "light ROF",
    "boat_guns": "boat guns",
    "torpedo_reload": "torpedo reload",
    "repair_points": "a repair point",
    "speed_hits": "a speed box",
    "speed_lost": "SX",
    "fires": "a fire",
}

Outcome = Mapping[str, int]
"""What a code came to: by field what is added to the log, and fires."""


@frozen
class Taken:
    """A piece of damage as it was taken: the outcome of each code, and the rolls that they call for."""

    outcomes: tuple[Outcome, ...]
    calls: tuple[str, ...]


def build_take(wounds: type[Wounds], source: Source) -> Take:
    """Return what deals damage codes of a source to a ship."""
    return lambda builder, ship, codes: deal(wounds(builder, ship, source), codes)


def deal(own: Wounds, codes: Iterable[str]) -> None:
    """Take damage codes at their place in the order of their phase; what is behind them may move.

    Rule: AQF-DAM-12.
    """
    builder, known = own.builder, tuple(code for code in codes if code in own.steps)
    battle = builder.battle
    settled, now = list_settled(battle), (battle.turn, battle.phase)
    when = builder.dealt_in if builder.dealt_in in settled else now
    if when not in settled:
        own.take(known)
        fix_damage(builder, own.id)
        return
    piece = Act(*when, DEALT, own.id, {ENTRY: builder.entry, SOURCE: own.source.value, CODES: known})
    sources, letters = _ORDERS[own.asked("overflow_first")], list(own.steps)

    def place(other: Act) -> tuple[int, int, list[int]]:
        """Return where a piece stands. Equal pieces do the same, so their order does not matter."""
        phase = other.turn, other.phase
        at = settled.index(phase) if phase in settled else -1
        return at, sources.index(Source(other.text(SOURCE))), [letters.index(c) for c in other.texts(CODES)]

    base, pieces = open_ledger(builder, own.id)
    behind = sorted((other for other in pieces if place(other) > place(piece)), key=place)
    ahead = sorted((other for other in pieces if place(other) <= place(piece)), key=place)
    scratch = DecisionBuilder(battle.with_ship(base), builder.entry)
    if not behind or not _move(own, piece, ahead, behind, scratch):
        own.take(known)
    builder.write(Op.ACT, own.id, DEALT, piece)


def _move(
    own: Wounds, piece: Act, ahead: Sequence[Act], behind: Sequence[Act], scratch: DecisionBuilder
) -> bool:
    """Write a piece with what it moves behind it; if it moves nothing write nothing, and return False.

    `scratch` has the ship as its damage is settled from.
    """
    before = _take_all(own, ahead, scratch)
    other, spoken = scratch.fork(), scratch.fork()
    was = _take_all(own, behind, scratch)
    taken = _take_all(own, [piece], other)
    now = _take_all(own, behind, other)
    if was == now:
        return False
    _take_all(own, [piece], spoken, says=own.builder)
    _write_difference(own, scratch.ship(own.id), other.ship(own.id))
    _explain_moves(own, behind, was, now)
    asked = _count_calls([*ahead, *behind], [*before, *was])
    calls = _count_calls([*ahead, piece, *behind], [*before, *taken, *now])
    for entry, line in (calls - asked).elements():
        own.owe(line, entry, asked[entry, line])
    return True


def _take_all(
    own: Wounds, pieces: Iterable[Act], scratch: DecisionBuilder, says: DecisionBuilder | None = None
) -> list[Taken]:
    """Take pieces one behind the other, with nothing owed; `says` is told why."""
    taken = []
    for piece in pieces:
        wounds = type(own)(scratch, own.id, Source(piece.text(SOURCE)))
        wounds.says = says
        outcomes = []
        for code in piece.texts(CODES):
            written = len(scratch.effects)
            wounds.steps[code](wounds)
            outcome: dict[str, int] = {}
            for effect in scratch.effects[written:]:
                by = effect.value if isinstance(effect.value, int) else 1
                outcome[effect.field] = outcome.get(effect.field, 0) + by
            outcomes.append(outcome)
        taken.append(Taken(tuple(outcomes), tuple(wounds.called)))
    return taken


def _write_difference(own: Wounds, before: Ship, after: Ship) -> None:
    """Write what one settled log has more or less than another."""
    changes = {"fires": len(after.live("fires")) - len(before.live("fires"))}
    for field, value in after.log.items():
        if isinstance(value, int):
            changes[field] = value - before.count(field)
        elif value != before.log.get(field):
            own.builder.record(own.id, field, value)
    own.write(changes)


def _count_calls(pieces: Iterable[Act], taken: Iterable[Taken]) -> Counter[tuple[int, str]]:
    """Count the rolls that pieces call for, by the entry of each and the line of the roll."""
    both = zip(pieces, taken, strict=True)
    return Counter((piece.number(ENTRY), line) for piece, each in both for line in each.calls)


def _explain_moves(own: Wounds, behind: Sequence[Act], was: Sequence[Taken], now: Sequence[Taken]) -> None:
    """Say first which codes of other entries come out differently."""
    name = _NAMES.get(own.source, f"{own.source.value} fire")
    for piece, before, after in reversed(list(zip(behind, was, now, strict=True))):
        for code, old, new in zip(piece.texts(CODES), before.outcomes, after.outcomes, strict=True):
            if old.keys() != new.keys():
                result = f"becomes {_name_cost(new)}, not {_name_cost(old)}: it counts after this {name}"
                subject = f"{code} of entry {piece.number(ENTRY)}"
                own.builder.announce(subject, result, own.settled_by)


def _name_cost(outcome: Outcome) -> str:
    if all(field in outcome for field in SPEED):
        return "SX for an S"
    return " and ".join(_COSTS.get(field, field) for field in outcome) or "nothing"
