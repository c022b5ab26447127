"""Random battles of Advanced Quickfire, with frail ships, so that everything overflows."""

from collections.abc import Mapping

from qf_tui.core.decide import begin_battle
from qf_tui.core.values import Battle, Chart, ChartCell, ChartRow, Provenance
from qf_tui.rules.advanced_quickfire import SYSTEM
from tests.corrections.ground import Ground, Step, add_reserve
from tests.rules.advanced_quickfire.tables import battle, craft, ship
from tests.rules.playing import Arcs

RANGES = ("long", "medium", "pb", "3in", "30in")
MOVES = ("", "", "", " pivots 1", " pivots 2", " pivots 2")
ARCS = ("", "", "", "", " end", " end", " bow", " stern")
POINTS = ("", " 3in", " dice 1", " 3in dice 2")
REPAIRS = ("heavy", "light", "boats", "speed", "course")
OVERLAY = {
    "battery": Chart(
        "battery",
        "Gunnery",
        {"200": ChartRow("200", {"5": ChartCell("3", Provenance.OWN), "12": ChartCell("1", Provenance.OWN)})},
    )
}
"""The umpire's own chart: at 200% a 5 scores three hits, and a 12 one."""


CITADEL: Arcs = {"arcs.bow.heavy": "full", "arcs.stern.heavy": "none"}


def start(strict: bool = False) -> Battle:
    """Build a battle of five ships that hurt each other with every hit; another may join."""
    early = battle(
        ship("ajax", rof=(6, 9), repair=2),
        ship("boyne", rof=(10, 3), boat_guns=0, torpedo=None, protected=True),
        ship("rook", "red", rof=(7, 7), boat_guns=1, repair=1),
        ship("rival", "red", gunnery=(10, 20), rof=(9, 8), torpedo=(21, 3), **CITADEL),
        craft("skiff", torpedo=(18, 5)),
        phase="movement",
        strict=strict,
        initiative="each-turn" if strict else "simultaneous",
        one_roll="no" if strict else "yes",
        explosion_dice="2d6" if strict else "1d12",
    )
    return begin_battle(SYSTEM, add_reserve(early, ship("orion", gunnery=(16, 12), repair=2)))


def build_orders(step: Step, one: str, other: str) -> Mapping[str, str]:
    black, white, third = step.faces
    shot = f"{one} {('heavy', 'light', 'both')[third % 3]} {other} {step.pick(RANGES, step.word)}"
    pairs = f"{black} {white} {third} {white}" if step.word % 2 else f"{black} {white}"
    dice = pairs if " both " in shot else f"{black} {white}"
    split = f"boats {one} {other}{step.pick(POINTS, white)}"
    return {
        "move": f"move {one} {black % 9}{('', 'in')[third % 2]}{step.pick(MOVES, white)}",
        "initiative": f"initiative blue {black} red {white}",
        "fire": f"fire {shot}{step.pick(ARCS, third)} {dice}",
        "declare": f"fire {shot}",
        "force": f"force fire {shot} {dice}",
        "boats": f"boats {one} {other} {black} {white}" if third % 2 else split,
        "torpedo": f"torpedo {one} {other} in{(' converging', '')[third % 2]} {1 + black % 3} {white}",
        "repair": f"repair {one} {step.pick(REPAIRS, step.other)} {black}",
    }


GROUND = Ground(
    SYSTEM,
    start,
    blue=("ajax", "boyne", "orion"),
    red=("rook", "rival", "skiff"),
    deeds={
        "movement": (*["move"] * 9, "initiative"),
        "first-gunnery": ("fire", "fire", "fire", "fire", "declare", "declare", "boats", "force"),
        "second-gunnery": ("fire", "fire", "declare", "boats", "torpedo", "torpedo", "force"),
        "recurring": ("damage", "mark", "note"),
        "repair": ("repair",),
        "sinking": ("damage", "note"),
    },
    orders=build_orders,
    codes=("G", "S", "SX", "E", "D", "T", "B", "R", "F", "S S SX", "G E", "light S G", "boat G", "light S S"),
    marks=(
        "rof_heavy 3",
        "speed_hits 2",
        "speed_lost 2",
        "fires 1",
        "boat_guns 1",
        "status afloat",
        "moved 4",
    ),
    switches=(
        *("untried_refire yes", "one_roll yes", "refire_by ship", "sx_check 12", "light_s_overflow sx"),
        *("initiative each-turn", "initiative once", "initiative simultaneous", "declare_first yes"),
        *("miss_by ship", "explosion_g goes-on", "explosion_g both", "sinking_at all-boxes"),
    ),
    words=("none", "2", "S", "G", "fix", "E", "out", "12"),
    quiet=("mark orion rof_heavy 3", "damage orion F"),
    sides=12,
    overlay=OVERLAY,
)
