"""Random battles of the tiny system: shots, fires, leaks, and a sinking check at the end of the turn."""

from collections.abc import Mapping

from qf_tui.core.values import Battle
from tests.core.playing import battle, ship
from tests.corrections.ground import Ground, Step
from tests.tiny import SYSTEM


def start(strict: bool = False) -> Battle:
    """Build a battle of four frail ships; another may join."""
    frail = (
        ship("ant", hull=2),
        ship("bee", hull=2),
        ship("cat", "south", hull=2),
        ship("dog", "south", hull=2),
    )
    return battle(*frail, units="metric" if strict else "in", reserve=(ship("elk", hull=2),))


def build_orders(step: Step, one: str, other: str) -> Mapping[str, str]:
    black, white, third = step.faces
    shot = f"shoot {one} {other}{('', ' raking')[third % 2]}"
    return {
        "sail": f"sail {one} {black}",
        "shoot": f"{shot} {black} {white}",
        "declare": shot,
        "force": f"force {shot} {black} {white}",
        "tend": f"tend {one} {black}" if white > 2 else f"tend {one}",
    }


GROUND = Ground(
    SYSTEM,
    start,
    blue=("ant", "bee", "elk"),
    red=("cat", "dog"),
    deeds={
        "sail": ("sail", "sail", "sail", "damage"),
        "shoot": ("shoot", "shoot", "shoot", "declare", "force"),
        "tend": ("tend", "tend", "damage"),
    },
    orders=build_orders,
    codes=("H", "G", "F", "H F"),
    marks=("hull 0", "hull 2", "guns 1", "fires 1", "leak port", "status afloat"),
    switches=("blaze 6",),
    words=("port", "starboard", "no"),
    quiet=("mark elk hull 1", "damage elk F"),
)
