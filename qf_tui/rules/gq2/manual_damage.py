"""Damage by the umpire's word, through the rules' cascade; that of collisions too (GQ2-MV-8)."""

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.errors import impossible, refused
from qf_tui.core.grammar.order import Order
from qf_tui.core.system import Faces, PreparedOrder
from qf_tui.core.values import SUNK, Battle, Owed
from qf_tui.rules.gq2.damage import (
    ARMAMENT,
    HULL,
    CodeKind,
    DamageCode,
    damage_code,
    lose,
    owe_critical,
    start_sinking,
)
from qf_tui.rules.gq2.forms import CONTACT
from qf_tui.rules.gq2.targets import of_phase

COLLISION, NONE = "collision", "none"
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


def prepare_contact(battle: Battle, order: Order) -> PreparedOrder:
    """`contact`: ships touch, and the umpire's outcome of each one's collision check is owed (GQ2-MV-8)."""

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        for id in order.many("ships"):
            builder.owe(COLLISION, id, f"collision check of {battle.ships[id].name}: damage codes, or none")

    return PreparedOrder(findings=of_phase(battle, CONTACT), decide=decide)


def prepare_collision(battle: Battle, owed: Owed, words: tuple[str, ...]) -> PreparedOrder:
    """What a collision check does to a ship: damage codes, or `none` (GQ2-MV-8)."""
    name = battle.ships[owed.ship].name
    if words == (NONE,):
        return PreparedOrder(decide=lambda faces, builder: builder.because(f"{name} is unharmed", "GQ2-MV-8"))
    return prepare_damage(battle, owed.ship, words)


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
