"""Random battles of a book that is played by hand: its charts are read, and read again."""

from collections.abc import Mapping

from qf_tui.core.values import Battle, Ship, replace
from tests.book import convoys
from tests.corrections.ground import Ground, Step, to_come


def start(strict: bool = False) -> Battle:
    """Two frail ships a side, and one that may join."""
    battle = convoys.load_battle()
    arrow, beacon = battle.ships["arrow"], battle.ships["beacon"]

    def like(ship: Ship, id: str) -> Ship:
        return replace(ship, id=id, name=id.title(), card={**ship.card, "id": id, "name": id.title()})

    ships = {ship.id: ship for ship in (arrow, like(arrow, "bolt"), beacon, like(beacon, "buoy"))}
    return to_come(replace(battle, ships=ships), like(arrow, "crest"))


def orders(step: Step, one: str, other: str) -> Mapping[str, str]:
    first, second, third = step.faces
    shot = f"shoot {one} {other} {6 * (third % 2 + 1)}in"
    return {
        "steam": f"steam {one}",
        "screen": f"screen {one}",
        "shoot": f"{shot} {first} {second}",
        "declare": shot,
        "force": f"force {shot} {first} {second}",
        "launch": f"launch {one} {other} 2 {first} {second}",
    }


GROUND = Ground(
    convoys.load_convoys(),
    start,
    blue=("arrow", "bolt", "crest"),
    red=("beacon", "buoy"),
    deeds={
        "move": ("steam", "screen", "damage"),
        "gunnery": ("shoot", "shoot", "declare", "launch", "force"),
        "repair": ("damage",),
    },
    orders=orders,
    codes=("hull 1", "guns 1", "blaze", "hull 2 blaze"),
    marks=("hull 0", "hull 2", "guns 1", "blaze 1", "status afloat"),
    switches=("weather foul",),
    words=("hull 1", "nothing", "blaze", "hull 9"),
    quiet=("mark crest hull 1", "damage crest blaze"),
)
