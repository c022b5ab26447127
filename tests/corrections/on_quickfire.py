"""Random battles of Quickfire: sometimes two gunnery phases, auto shots, torpedo points that come back."""

from collections.abc import Mapping

from qf_tui.core.values import Battle, Chart, ChartCell, ChartRow, Provenance
from qf_tui.rules.quickfire import SYSTEM
from tests.corrections.ground import Ground, Step, add_reserve
from tests.rules.playing import Arcs
from tests.rules.quickfire.tables import battle, craft, ship

RANGES = ("long", "short", "pb", "3in", "30in")
ARCS = ("", "", "", " end", " bow", " stern")
REPAIRS = ("heavy", "light", "boats", "speed", "course", "torpedo")
TURNED: Arcs = {"arcs.stern.heavy": "none"}
OVERLAY = {
    "battery": Chart(
        "battery", "Gunnery", {"200": ChartRow("200", {"total": ChartCell("11", Provenance.OWN)})}
    ),
    "hits": Chart("hits", "Hits", {"hits": ChartRow("hits", {"6": ChartCell("3", Provenance.OWN)})}),
}
"""The umpire's own chart: 200% hits on 11 or less, a 6 scores three hits."""


def start(strict: bool = False) -> Battle:
    """Build a battle of five ships that hurt each other with every hit; another may join."""
    begun = battle(
        ship("ajax", rof=(4, 6), repair=2),
        ship("boyne", rof=(6, 6), boat_guns=0, torpedo=0, protected=True, **TURNED),
        ship("rook", "red", rof=(3, 5), repair=1),
        ship("rival", "red", gunnery=(10, 20), rof=(5, 4), log={"speed_hits": 6}),
        craft("skiff"),
        phase="movement",
        strict=strict,
        auto_shot="yes",
        torpedo_regained="yes",
    )
    return add_reserve(begun, ship("orion", gunnery=(16, 12), repair=2))


def build_orders(step: Step, one: str, other: str) -> Mapping[str, str]:
    black, white, third = step.faces
    dice = f"{black} {white} {third}"
    shot = f"{one} {('heavy', 'light', 'both')[third % 3]} {other} {step.pick(RANGES, step.word)}"
    dice = f"{dice} {dice}" if " both " in shot and step.word % 4 else dice
    return {
        "move": f"move {one} {step.word % 9}{('', '', ' pivots 2')[third % 3]}",
        "fire": f"fire {shot}{step.pick(ARCS, third)} {dice}",
        "declare": f"fire {shot}",
        "force": f"force fire {shot} {dice}",
        "boats": f"boats {one} {other} {black}" if third % 2 else f"boats {one} {other}",
        "torpedo": f"torpedo {one} {other} in {1 + black % 2} {1 + white % 3}",
        "repair": f"repair {one} {step.pick(REPAIRS, step.other)} {black} {white}",
    }


GROUND = Ground(
    SYSTEM,
    start,
    blue=("ajax", "boyne", "orion"),
    red=("rook", "rival", "skiff"),
    deeds={
        "movement": ("move",),
        "gunnery": ("fire", "fire", "fire", "declare", "declare", "boats", "torpedo", "torpedo", "force"),
        "recurring": ("damage", "mark", "note"),
        "repair": ("repair",),
        "sinking": ("damage", "note"),
    },
    orders=build_orders,
    codes=("G", "S", "E", "D", "T", "R", "F", "S S S", "G E", "light S G", "boat G"),
    marks=("rof_heavy 3", "speed_hits 9", "fires 1", "torpedo 1", "auto_shot no", "status afloat", "moved 1"),
    switches=("gunnery_phases 2", "even_rof yes", "auto_shot no", "blast_without_hit yes", "end_arc rof"),
    words=("none", "2", "S", "G", "fix", "E", "out", "12"),
    quiet=("mark orion rof_heavy 3", "damage orion F"),
    overlay=OVERLAY,
)
