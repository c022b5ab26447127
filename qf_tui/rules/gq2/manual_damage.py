"""Damage by the umpire's word, through the rules' cascade."""

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.errors import impossible, refused
from qf_tui.core.system import Faces, PreparedOrder
from qf_tui.core.values import SUNK, Battle
from qf_tui.rules.gq2.codes import CodeKind, DamageCode, damage_code
from qf_tui.rules.gq2.damage import ARMAMENT, HULL, lose, owe_critical, start_sinking

_HALVES_MOST = 199
"""Boxes are typed in two digits, and a half."""
_KNOWN = "H and A with boxes (H, H1.5, A½), C a critical hit, CA one that penetrated, S sinking"


def prepare_damage(battle: Battle, id: str, codes: tuple[str, ...]) -> PreparedOrder:
    """`damage`: boxes, critical hits, or the sinking itself, one after another."""
    read = tuple(_typed(code) for code in codes)
    wrong = [code for code, known in zip(codes, read, strict=True) if known is None]
    if wrong or not codes:
        text = f"“{wrong[0]}” is no damage code" if wrong else "no damage code"
        return PreparedOrder(findings=(impossible(f"{text}; codes are {_KNOWN}"),))
    ship = battle.ships[id]
    sunk = refused(f"{ship.name} is sunk and takes no more damage", "GQ2-SNK-2")
    named = tuple(code.upper() for code in codes)

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        builder.because(f"{' '.join(named)}, by the umpire's word", "GQ2-LOG-2", of=ship.name)
        for code in filter(None, read):
            _take(builder, id, code)
        builder.result("hits", named)

    return PreparedOrder(findings=(sunk,) if ship.status == SUNK else (), decide=decide)


def _typed(text: str) -> DamageCode | None:
    """A code that an umpire may type; that a ship is broken up only a torpedo or a mine says."""
    code = damage_code(text)
    if code is None or code.kind is CodeKind.BROKEN_UP or code.halves > _HALVES_MOST:
        return None
    return code


def _take(builder: DecisionBuilder, id: str, code: DamageCode) -> None:
    match code.kind:
        case CodeKind.SINKING:
            start_sinking(builder, id, 1, "by the umpire's word", "GQ2-SNK-1")
        case CodeKind.CRITICAL | CodeKind.PENETRATED:
            penetrated = code.kind is CodeKind.PENETRATED
            owe_critical(builder, id, builder.battle.turn, penetrated=penetrated)
        case kind:
            lose(builder, id, HULL if kind is CodeKind.HULL else ARMAMENT, code.halves)
