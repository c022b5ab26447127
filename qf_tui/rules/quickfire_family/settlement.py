"""Works out the damage of a phase in one fixed order, whatever the order in which it was entered.

The damage dealt so far is kept in the `ledger`. What a code does is in `damage`.

Rule: AQF-DAM-12.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from attrs import evolve, frozen

from qf_tui.core.decisions import DecisionBuilder, Op
from qf_tui.core.text import Scalar
from qf_tui.core.values import Act
from qf_tui.rules.quickfire_family.damage import SPEED_FIELDS, DealDamage, Wounds
from qf_tui.rules.quickfire_family.ledger import (
    CODES,
    DEALT,
    ENTRY,
    SOURCE,
    Source,
    freeze_damage,
    list_ordered_phases,
    open_ledger,
)

_SMALL_GUNS = (Source.LIGHT, Source.BOATS)
_SOURCES_BY_OPTION = {
    "heavy": tuple(Source),
    "light": (*_SMALL_GUNS, *(source for source in Source if source not in _SMALL_GUNS)),
}
"""The order of sources, by the value of the switch `overflow_first`."""
_NAME_BY_SOURCE = {
    Source.LIGHT_ARMOR: "this fire at light armor",
    Source.BOATS: "these boat guns",
    Source.EXPLOSION: "this explosion",
    Source.CHECK: "this check",
    Source.TORPEDO: "this torpedo",
}
_LOSS_BY_FIELD = {
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
class AppliedCode:
    """A damage code after it was applied.

    Attributes:
        entry: Entry that dealt the code.
        changes: Change of each field of the log.
        caused_rolls: Lines of the rolls that the code causes.
    """

    entry: int
    code: str
    changes: Mapping[str, int]
    caused_rolls: tuple[str, ...]


def build_damage_dealer(wounds_class: type[Wounds], source: Source) -> DealDamage:
    """Return a function that deals damage codes of this source to a ship."""
    return lambda builder, ship, codes: deal_codes(wounds_class(builder, ship, source), codes)


def deal_codes(wounds: Wounds, codes: Iterable[str]) -> None:
    """Deal damage codes of one source to a ship. Unknown codes have no effect.

    If damage of the phase counts in one order, the codes become a piece of damage with a place in this order,
    and may change the effect of later pieces. Otherwise they take effect at once, for good.

    Rule: AQF-DAM-12.
    """
    builder = wounds.builder
    known_codes = tuple(code for code in codes if code in wounds.steps)
    if not known_codes:
        return
    battle = builder.battle
    ordered_phases = list_ordered_phases(battle)
    current_phase = (battle.turn, battle.phase)
    # Dice may come in a later phase than the one in which their damage counts.
    damage_phase = builder.dealt_in if builder.dealt_in in ordered_phases else current_phase
    if damage_phase not in ordered_phases:
        # Damage counts in the order of entry.
        wounds.apply_codes(known_codes)
        freeze_damage(builder, wounds.id)
        return
    facts = {ENTRY: builder.entry, SOURCE: wounds.source.value, CODES: known_codes}
    piece = Act(*damage_phase, DEALT, wounds.id, facts)
    log, other_pieces = open_ledger(builder, wounds.id)
    if wounds.has_room(known_codes):
        # If no code overflows, the order makes no difference to the other pieces.
        other_pieces = ()
    earlier, later = _split_pieces(wounds, other_pieces, piece, ordered_phases)
    changes_later = bool(later) and _apply_before_later(wounds, piece, earlier, later, log)
    if not changes_later:
        wounds.apply_codes(known_codes)
    builder.write(Op.ACT, wounds.id, DEALT, piece)


def _split_pieces(
    wounds: Wounds, other_pieces: Sequence[Act], piece: Act, ordered_phases: Sequence[tuple[int, str]]
) -> tuple[list[Act], list[Act]]:
    """Sort the other pieces of damage, and return those before a piece, and those after it.

    The order is by phase, then by source, then by codes. Pieces of equal rank come before the piece; their
    effects are equal.
    """
    sources = _SOURCES_BY_OPTION[wounds.read_option("overflow_first")]
    all_codes = list(wounds.steps)

    def rank_piece(act: Act) -> tuple[int, int, list[int]]:
        phase = act.turn, act.phase
        return (
            # A phase whose damage counts in the order of entry comes before all others.
            ordered_phases.index(phase) if phase in ordered_phases else -1,
            sources.index(Source(act.read_text(SOURCE))),
            [all_codes.index(code) for code in act.read_texts(CODES)],
        )

    rank = rank_piece(piece)
    ranked_pieces = sorted(other_pieces, key=rank_piece)
    earlier = [other for other in ranked_pieces if rank_piece(other) <= rank]
    later = [other for other in ranked_pieces if rank_piece(other) > rank]
    return earlier, later


def _apply_before_later(
    wounds: Wounds, piece: Act, earlier: Sequence[Act], later: Sequence[Act], log: Mapping[str, Scalar]
) -> bool:
    """Apply a piece of damage if it changes the effect of later pieces, and announce what changes.

    Args:
        earlier: Pieces before this one in the order of the phase.
        later: Pieces after this one in the order of the phase.
        log: Log of the ship before all pieces.

    Returns:
        False if no later piece changes. Then nothing is written, and the caller must apply the piece.
    """
    builder = wounds.builder
    # The ship has no marks here: only logs are compared, and `write_difference` takes care of marks.
    ship_before = evolve(wounds.ship, log=log, marks=())
    before_piece = DecisionBuilder(builder.battle.with_ship(ship_before), builder.entry)
    earlier_codes = _apply_pieces(wounds, earlier, before_piece)
    # Apply the later pieces twice from this state: without the piece, and after it.
    without_piece, with_piece = before_piece.fork(), before_piece.fork()
    later_without = _apply_pieces(wounds, later, without_piece)
    piece_codes = _apply_pieces(wounds, [piece], with_piece)
    later_with = _apply_pieces(wounds, later, with_piece)
    if later_without == later_with:
        return False
    # Apply the piece once more, only to give its reasons.
    _apply_pieces(wounds, [piece], before_piece, explainer=builder)
    # The ship has the effects of the other pieces already: write only what this piece changes.
    wounds.write_difference(without_piece.ship(wounds.id), with_piece.ship(wounds.id))
    _announce_changes(wounds, later_without, later_with)
    _owe_new_rolls(wounds, [*earlier_codes, *later_without], [*earlier_codes, *piece_codes, *later_with])
    return True


def _announce_changes(
    wounds: Wounds, codes_without: Sequence[AppliedCode], codes_with: Sequence[AppliedCode]
) -> None:
    """Write an announcement for each code that takes something else with a new piece than without it."""
    source = _NAME_BY_SOURCE.get(wounds.source, f"this {wounds.source.value} fire")
    # Each announcement goes before all others, so the last one is made first.
    for old, new in reversed([*zip(codes_without, codes_with, strict=True)]):
        if old.changes.keys() != new.changes.keys():
            new_text, old_text = _format_changes(new.changes), _format_changes(old.changes)
            result = f"becomes {new_text}, not {old_text}: it counts after {source}"
            wounds.builder.announce(f"{old.code} of entry {old.entry}", result, wounds.order_clause)


def _owe_new_rolls(
    wounds: Wounds, codes_without: Sequence[AppliedCode], codes_with: Sequence[AppliedCode]
) -> None:
    """Owe the rolls that are caused only with a new piece of damage; all others are owed already."""
    caused_before = Counter((code.entry, line) for code in codes_without for line in code.caused_rolls)
    caused_now = Counter((code.entry, line) for code in codes_with for line in code.caused_rolls)
    for entry, line in (caused_now - caused_before).elements():
        wounds.owe_roll(line, entry, caused_before[entry, line])


def _apply_pieces(
    wounds: Wounds, pieces: Iterable[Act], scratch: DecisionBuilder, explainer: DecisionBuilder | None = None
) -> list[AppliedCode]:
    """Apply pieces of damage on a scratch builder, and return what each code did. No roll is owed.

    Args:
        wounds: Gives the ship and the rules; each piece has its own source.
        explainer: Builder that receives the reasons; None to give none.
    """
    applied = []
    for piece in pieces:
        piece_wounds = type(wounds)(scratch, wounds.id, Source(piece.read_text(SOURCE)))
        piece_wounds.explainer = explainer
        for code in piece.read_texts(CODES):
            # The rolls of each code are collected apart, and never owed.
            piece_wounds.rolls_to_owe = []
            effects_before = len(scratch.effects)
            piece_wounds.steps[code](piece_wounds)
            changes = Counter[str]()
            # Each effect adds to a count of the log, marks the ship once, or sets a field, which is no count.
            for effect in scratch.effects[effects_before:]:
                if effect.op is not Op.SET:
                    changes[effect.field] += effect.value if isinstance(effect.value, int) else 1
            applied.append(
                AppliedCode(piece.read_number(ENTRY), code, changes, tuple(piece_wounds.rolls_to_owe))
            )
    return applied


def _format_changes(changes: Mapping[str, int]) -> str:
    """Format what a code takes from a ship, as `light ROF and a fire`; "nothing" without changes."""
    # Only an SX that finds all boxes marked changes both (AQF-LOG-3).
    if all(field in changes for field in SPEED_FIELDS):
        return "SX in place of an S"
    return " and ".join(_LOSS_BY_FIELD.get(field, field) for field in changes) or "nothing"
