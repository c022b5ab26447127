"""Random battles of Quickfire-Clone: collisions, estimates, choices of repair, sinking checks at `next`."""

from collections.abc import Mapping

from qf_tui.core.values import Battle, Chart, ChartCell, ChartRow, Provenance
from qf_tui.rules.quickfire_clone import SYSTEM
from tests.corrections.ground import Ground, Step, add_reserve
from tests.rules.quickfire_clone.tables import battle, ship

RANGES = ("100cm", "119cm", "130cm", "20cm", "239cm")
ESTIMATES = ("", "", "", " end", " off", " guess 110 base 9", " guess 128 base 6 end", " guess 102 abeam")
OVERLAY = {
    "gunnery": Chart("gunnery", "Gunnery", {"8": ChartRow("8", {"10": ChartCell("5", Provenance.OWN)})}),
    "damage": Chart(
        "damage", "Damage", {"explosion": ChartRow("explosion", {"7": ChartCell("D F", Provenance.OWN)})}
    ),
}
"""The umpire's own chart: 10 against 8 hits on 5 or less, an explosion's 7 is D and F."""


def start(strict: bool = False) -> Battle:
    """Build a battle of five ships that hurt each other with every second hit; `strict` sets switches."""
    orion = ship("orion", gunnery=(6, 12), repair=2)
    switches = {"direction_die": "each-turn", "repair_point": "success", "below_size_1": "no-roll"}
    switches |= {"fire_checks": "each-ship", "collision_blast": "yes"}
    begun = battle(
        ship("ajax", rof=(3, 5), repair=3),
        ship("boyne", rof=(6, 2), torpedo=0, size=8, courses=("straight ahead",)),
        ship("rook", "red", gunnery=(16, 3), rof=(4, 5), armor=(3, 12), repair=2, fires=1, base=6),
        ship("rival", "red", gunnery=(7, 16), rof=(5, 4), log={"speed_hits": 7}),
        ship("skiff", "red", size=0.5, gunnery=(0, 1), armor=(0.5, 0.5), rof=(0, 4), torpedo=4, repair=1),
        phase="move",
        **(switches if strict else {}),
    )
    return add_reserve(begun, orion)


def build_orders(step: Step, one: str, other: str) -> Mapping[str, str]:
    black, white, third = step.faces
    shot = f"{one} {('heavy', 'light')[third % 2]} {other} {step.pick(RANGES, step.word)}"
    estimate = step.pick(ESTIMATES, step.one)
    blacks = f" {third} {black}" if step.word % 2 else ""
    return {
        "move": f"move {one} {15 * (step.word % 9)}mm",
        "collide": f"collide {one} {other}{(' both', '', '')[third % 3]} {black} {white}{blacks}",
        "ram": f"collide {one} {other}",
        "fire": f"fire {shot}{estimate} {black} {1 + white % 4}",
        "declare": f"fire {shot}{estimate}",
        "force": f"force fire {shot} {black} {white}",
        "torpedo": f"torpedo {one} {other} 20cm {1 + black % 2} 1 {1 + white % 2}",
        "launch": f"torpedo {one} {other} 29cm",
        "repair": f"repair {one} {black} {1 + white % 3}",
        "mend": f"repair {one}",
    }


GROUND = Ground(
    SYSTEM,
    start,
    blue=("ajax", "boyne", "orion"),
    red=("rook", "rival", "skiff"),
    deeds={
        "move": ("move", "move", "collide", "ram"),
        "gunnery": ("fire", "fire", "fire", "fire", "declare", "declare", "torpedo", "launch", "force"),
        "repair": ("repair", "repair", "repair", "mend", "damage"),
    },
    orders=build_orders,
    codes=("G", "S", "E", "D", "B", "T", "R", "F", "S S S", "G E", "S S S S S S"),
    marks=(
        "rof_heavy 2",
        "speed_hits 8",
        "speed_hits 0",
        "fires 1",
        "torpedo 1",
        "auto_shot no",
        "status afloat",
        "moved 15",
    ),
    switches=(
        "direction_die each-turn",
        "launches one-a-target",
        "g_falls_on heavy",
        "speed_loss_fire goes-out",
        "light_blast yes",
        "missed_estimate_spends yes",
        "repair_point success",
        "beyond_chart in-proportion",
        "fire_checks each-ship",
        "collision_blast yes",
    ),
    words=("speed", "course", "gunnery-heavy", "gunnery-light"),
    quiet=("mark orion rof_heavy 3", "damage orion F"),
    overlay=OVERLAY,
)
