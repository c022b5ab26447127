"""Damage by the umpire's word, through the rules' cascade."""

import re

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.errors import impossible, refused
from qf_tui.core.system import Faces, PreparedOrder
from qf_tui.core.values import SUNK, Battle
from qf_tui.rules.gq2.charts import in_halves
from qf_tui.rules.gq2.damage import ARMAMENT, HULL, lose, owe_critical, start_sinking

_CODE = re.compile(r"([HA])(\d{0,2})(\.5|½)?|C|CA|S", re.ASCII | re.IGNORECASE)
_KNOWN = "H and A with boxes (H, H1.5, A½), C a critical hit, CA one that penetrated, S sinking"


def prepare_damage(battle: Battle, id: str, codes: tuple[str, ...]) -> PreparedOrder:
    """`damage`: boxes, critical hits, or the sinking itself, one after another."""
    wrong = [code for code in codes if not _CODE.fullmatch(code)]
    if wrong or not codes:
        text = f"“{wrong[0]}” is no damage code" if wrong else "no damage code"
        return PreparedOrder(findings=(impossible(f"{text}; codes are {_KNOWN}"),))
    ship = battle.ships[id]
    sunk = refused(f"{ship.name} is sunk and takes no more damage", "GQ2-SNK-2")
    named = tuple(code.upper() for code in codes)

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        builder.because(f"{' '.join(named)}, by the umpire's word", "GQ2-LOG-2", of=ship.name)
        for code in named:
            _take(builder, id, code)
        builder.result("hits", named)

    return PreparedOrder(findings=(sunk,) if ship.status == SUNK else (), decide=decide)


def _take(builder: DecisionBuilder, id: str, code: str) -> None:
    if code == "S":
        start_sinking(builder, id, 1, "by the umpire's word", "GQ2-SNK-1")
    elif code in ("C", "CA"):
        owe_critical(builder, id, builder.battle.turn, penetrated=code == "CA")
    else:
        halves = in_halves(code[1:].replace(".5", "½")) if len(code) > 1 else 2
        lose(builder, id, HULL if code[0] == "H" else ARMAMENT, halves)
