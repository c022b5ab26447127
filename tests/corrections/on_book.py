"""Random battles of a book that is played by hand: its charts are read, and read again."""

from collections.abc import Mapping

from qf_tui.core.values import Battle, Ship, replace
from tests.book import convoys
from tests.corrections.ground import Ground, Step, add_reserve


def start(strict: bool = False) -> Battle:
    """Build a battle of two frail ships a side; another may join."""
    battle = convoys.load_battle()
    arrow, beacon = battle.ships["arrow"], battle.ships["beacon"]

    def copy_ship(ship: Ship, id: str) -> Ship:
        return replace(ship, id=id, name=id.title(), card={**ship.card, "id": id, "name": id.title()})

    ships = {ship.id: ship for ship in (arrow, copy_ship(arrow, "bolt"), beacon, copy_ship(beacon, "buoy"))}
    return add_reserve(replace(battle, ships=ships), copy_ship(arrow, "crest"))


def build_orders(step: Step, one: str, other: str) -> Mapping[str, str]:
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
    orders=build_orders,
    codes=("hull 1", "guns 1", "blaze", "hull 2 blaze"),
    marks=("hull 0", "hull 2", "guns 1", "blaze 1", "status afloat"),
    switches=("weather foul",),
    words=("hull 1", "nothing", "blaze", "hull 9"),
    quiet=("mark crest hull 1", "damage crest blaze"),
)
