"""Settlement: the damage of a phase in one fixed order, whatever the order of entry.

Rule: AQF-DAM-12.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from attrs import evolve, frozen

from qf_tui.core.decisions import DecisionBuilder, Op
from qf_tui.core.text import Scalar
from qf_tui.core.values import Act
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
"""The order of sources, by the value of the switch `overflow_first`."""
_NAMES = {
    Source.LIGHT_ARMOR: "this fire at light armor",
    Source.BOATS: "these boat guns",
    Source.EXPLOSION: "this explosion",
    Source.CHECK: "this check",
    Source.TORPEDO: "this torpedo",
}
_COSTS = {
    "rof_heavy": "heavy ROF",
    "rof_light": "light ROF",
    "boat_guns": "boat guns",
    "torpedo_reload": "torpedo reload",
    "repair_points": "a repair point",
    "speed_hits": "a speed box",
    "speed_lost": "one more SX",
    "fires": "a fire",
}


@frozen
class Taken:
    """A damage code after it was applied.

    Attributes:
        entry: Entry that dealt the code.
        changes: Change of each field of the log.
        calls: Lines of the rolls that the code causes.
    """

    entry: int
    code: str
    changes: Mapping[str, int]
    calls: tuple[str, ...]


def build_take(wounds: type[Wounds], source: Source) -> Take:
    """Return a function that deals damage codes of this source to a ship."""
    return lambda builder, ship, codes: deal_codes(wounds(builder, ship, source), codes)


def deal_codes(own: Wounds, codes: Iterable[str]) -> None:
    """Apply damage codes at their place in the order of their phase. Damage placed after them may change.

    Rule: AQF-DAM-12.
    """
    builder, known = own.builder, tuple(code for code in codes if code in own.steps)
    if not known:
        return
    battle = builder.battle
    settled, now = list_settled(battle), (battle.turn, battle.phase)
    when = builder.dealt_in if builder.dealt_in in settled else now
    if when not in settled:
        own.apply_codes(known)
        fix_damage(builder, own.id)
        return
    piece = Act(*when, DEALT, own.id, {ENTRY: builder.entry, SOURCE: own.source.value, CODES: known})
    sources, letters = _ORDERS[own.read_option("overflow_first")], list(own.steps)

    def rank_piece(other: Act) -> tuple[int, int, list[int]]:
        """Return the sort key of a piece. Equal pieces do the same, so their order does not matter."""
        phase = other.turn, other.phase
        at = settled.index(phase) if phase in settled else -1
        return (
            at,
            sources.index(Source(other.read_text(SOURCE))),
            [letters.index(c) for c in other.read_texts(CODES)],
        )

    log, pieces = open_ledger(builder, own.id)
    if own.has_room(known):
        # Nothing of this phase has overflowed, so nothing can move.
        pieces = ()
    ahead = sorted((other for other in pieces if rank_piece(other) <= rank_piece(piece)), key=rank_piece)
    behind = sorted((other for other in pieces if rank_piece(other) > rank_piece(piece)), key=rank_piece)
    if not behind or not _apply_moving(own, piece, ahead, behind, log):
        own.apply_codes(known)
    builder.write(Op.ACT, own.id, DEALT, piece)


def _apply_moving(
    own: Wounds, piece: Act, ahead: Sequence[Act], behind: Sequence[Act], log: Mapping[str, Scalar]
) -> bool:
    """Apply a piece that changes the effect of later pieces, and announce the changes.

    Args:
        ahead: Pieces in the order before this piece.
        behind: Pieces in the order after this piece.
        log: Log from which the damage of the ship is settled.

    Returns:
        False, with nothing written, if no later piece changes.
    """
    builder, base = own.builder, evolve(own.ship, log=log, marks=())
    scratch = DecisionBuilder(builder.battle.with_ship(base), builder.entry)
    first = _apply_pieces(own, ahead, scratch)
    other, spoken = scratch.fork(), scratch.fork()
    was = _apply_pieces(own, behind, scratch)
    taken, now = _apply_pieces(own, [piece], other), _apply_pieces(own, behind, other)
    if was == now:
        return False
    _apply_pieces(own, [piece], spoken, says=builder)
    own.write_difference(scratch.ship(own.id), other.ship(own.id))
    source = _NAMES.get(own.source, f"this {own.source.value} fire")
    for old, new in reversed([*zip(was, now, strict=True)]):
        if old.changes.keys() != new.changes.keys():
            becomes, before = _format_changes(new.changes), _format_changes(old.changes)
            result = f"becomes {becomes}, not {before}: it counts after {source}"
            builder.announce(f"{old.code} of entry {old.entry}", result, own.settled_by)
    asked = Counter((each.entry, line) for each in (*first, *was) for line in each.calls)
    called = Counter((each.entry, line) for each in (*first, *taken, *now) for line in each.calls)
    for entry, line in (called - asked).elements():
        own.owe_roll(line, entry, asked[entry, line])
    return True


def _apply_pieces(
    own: Wounds, pieces: Iterable[Act], scratch: DecisionBuilder, says: DecisionBuilder | None = None
) -> list[Taken]:
    """Apply pieces in turn on a scratch builder, without owing rolls.

    Args:
        says: Builder that receives the reasons; None to give none.
    """
    taken = []
    for piece in pieces:
        wounds = type(own)(scratch, own.id, Source(piece.read_text(SOURCE)))
        wounds.says = says
        for code in piece.read_texts(CODES):
            wounds.called, written = [], len(scratch.effects)
            wounds.steps[code](wounds)
            changes = Counter[str]()
            for effect in scratch.effects[written:]:
                if effect.op is not Op.SET:
                    changes[effect.field] += effect.value if isinstance(effect.value, int) else 1
            taken.append(Taken(piece.read_number(ENTRY), code, changes, tuple(wounds.called)))
    return taken


def _format_changes(changes: Mapping[str, int]) -> str:
    if all(field in changes for field in SPEED):
        return "SX in place of an S"
    return " and ".join(_COSTS.get(field, field) for field in changes) or "nothing"
