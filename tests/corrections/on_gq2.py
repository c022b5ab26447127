"""Random battles of General Quarters 2: stray shots by night, torpedoes, ships that raise steam."""

from collections.abc import Mapping

from qf_tui.core.values import Battle, Chart, ChartCell, ChartRow, Provenance
from qf_tui.rules.gq2 import SYSTEM
from tests.corrections.ground import Ground, Step, add_reserve
from tests.rules.gq2.tables import He, battle, build_class, destroyer, ship

MOVES = ("", " straight", " evasive", " turns 2")
WORDS = (" penetrates", " rapid", " he", " over", " low 1", "", " penetrates bases 1", " silhouette")
LISTED = (("12 inch", 12, (8, 7, 5, 4, 2.5, 1)), ("6 inch", 6, 4))
"""Two batteries: the AF of one is listed per armament box left, the AF of the other is in proportion."""
HE_MAIN: He = {"battery.1.he": True}
FLOTILLA = ("kobold", "kelpie")
"""Destroyers that launch together."""
ASPECTS = ("", " bow", " stern", " spread 2")
SIDES = (("ajax", "boyne", "orion"), ("rook", "rival", *FLOTILLA))
FORMATIONS = ("astern", "abreast", "quarter", "turnabout")
TABLES = ("light night", "light day", "light dusk", "light night", "visibility 1", "visibility 0")
OVERLAY = {
    "gunnery": Chart("gunnery", "Gunnery", {"6+": ChartRow("6+", {"2:1": ChartCell("½+C", Provenance.OWN)})}),
    "stick": Chart("stick", "Sticks", {"12": ChartRow("12", {"7": ChartCell("9", Provenance.OWN)})}),
}
"""The umpire's own chart: at 2:1 high dice also hit, and a stick has one band."""


def start(day: bool = False) -> Battle:
    """Build a battle of six ships that hurt each other with every hit, one at anchor; another may join."""
    orion = ship("orion", he=2, torpedoes=("standard", 2))
    begun = battle(
        ship("ajax", df=2, flash_protection=True, battery=LISTED),
        ship("boyne", df=1, nation="German", he=1, armament=12, **HE_MAIN),
        ship("rook", "red", df=2, **build_class("B")),
        ship("rival", "red", df=1, nation="Russian", at_anchor=True),
        *(destroyer(id, torpedoes=("light", 6)) for id in FLOTILLA),
        phase="movement",
        light="day" if day else "night",
    )
    return add_reserve(begun, orion)


def build_orders(step: Step, one: str, other: str) -> Mapping[str, str]:
    """Build the orders of a step by kind; a face of 1 is a 0 on the ten-sided dice."""
    white, red, blue = step.faces
    guns = "4" if one in FLOTILLA else ("12", "6")[blue % 2]
    band = "straddle 8in" if red == 6 and white == 6 else f"straddle {4 + step.word % 6}"
    shot = f"fire {one} {guns} {other} {band}{step.pick(WORDS, red + step.word)}"
    stick = f"{other} stick {4 + step.word % 6}{step.pick(ASPECTS, red)}"
    launch, mate = f"torpedo {one} {stick}", FLOTILLA[one == FLOTILLA[0]]
    side = ("blue", "red")[white % 2]
    return {
        "move": f"move {one} {white + red}{step.pick(MOVES, blue)}",
        "formation": f"formation @{side}-line {step.pick(FORMATIONS, red)}",
        "wander": f"wander {one} {white} {red} {red} {blue} {white - 1}",
        "contact": f"contact {one},{other}",
        "smoke": f"smoke {one}",
        "steam": "steam rival",
        "anchor": f"anchor {one}",
        "mine": f"mine {one} {red}" if white % 2 else f"mine {one}",
        "table": f"table {step.pick(TABLES, step.other)}",
        "light": f"light {one} {other}",
        "dark": f"dark {one}{('', f' {other}')[white % 2]}",
        "fire": f"{shot} {white - 1} {red} {blue}",
        "force": f"force {shot} {white - 1} {red} {blue}",
        "declare": shot,
        "torpedo": f"{launch} {white - 1}",
        "launch": launch,
        "flotilla": f"torpedo {one},{mate} {stick} spread 2 {white - 1}",
    }


GROUND = Ground(
    SYSTEM,
    start,
    blue=SIDES[0],
    red=SIDES[1],
    deeds={
        "movement": (
            *["move"] * 6,
            "formation",
            "wander",
            "smoke",
            "steam",
            "anchor",
            "mine",
            "contact",
            "table",
        ),
        "searchlights": ("light", "light", "light", "dark"),
        "gunnery": (*["fire"] * 7, *["declare"] * 4, "force", "table"),
        "torpedo": ("torpedo", "torpedo", "launch", "launch", "flotilla", "flotilla", "mine"),
        "repair": ("damage", "note"),
    },
    orders=build_orders,
    codes=("H1.5", "A½", "C", "CA", "CA CA", "S", "H4 CA", "A2"),
    marks=(
        "hull_lost 2.5",
        "fires 1",
        "status afloat",
        "moved 4",
        "battery.1.af 3",
        "lit yes",
        "lights rook",
        "status sinking",
        "ammo 1",
        "rudder 1",
        "bridge 1",
    ),
    switches=(
        *("torpedo_damage at-once", "spread die-each", "own_fire apart", "ammunition a-shot"),
        *("armament_af by-hand", "rudder_speed moved", "sinking_ships act"),
        *("spread_targeting one", "wander_checks by-hand", "wander_checks owed", "torpedo_zero 10"),
        *("df_between right", "stokers in-all", "one_of_two intended", "spread one-die"),
    ),
    words=("nobody", "8 0", "6 8 4 0", "6 0 4 0 8 4", "stick 6", "straddle 6", "outside"),
    quiet=("mark orion hull_lost 1", "damage orion A1"),
    overlay=OVERLAY,
)
