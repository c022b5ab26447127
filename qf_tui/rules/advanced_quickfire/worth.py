"""What a ship is worth, and which results count.

A fire is checked three times on average before it is out; a check costs 0.05 by B and, one in twelve, an
explosion of about 3: in all 1. An SX takes its box for good, which `speed` has; each of them also brings the
ship a twelfth nearer to sinking in every turn, and a battleship that sinks takes some 25 points with her: 2.
Three points of torpedo reload, or one T, come near to a point, four boat guns to another.
"""

from qf_tui.core.results import ResultKind
from qf_tui.core.worth import Worth, WorthPart
from qf_tui.rules.quickfire_family.worth import (
    BOATS,
    CHECKS,
    GUNS,
    SIZED,
    by_size,
    count,
    courses,
    fires,
    parts,
    repair,
)

WORTH = Worth(
    (
        *parts(best=20),
        WorthPart("torpedoes", "each point of torpedo reload", 0.25, count("torpedo_reload")),
        WorthPart("boat-guns", "each boat gun point", 0.25, count("boat_guns")),
        repair(),
        fires(1),
        WorthPart(
            "flooding",
            f"each SX, besides its box, {SIZED}",
            2,
            by_size(count("speed_lost")),
            less=True,
        ),
        courses(),
    )
)

RESULTS = (
    GUNS,
    BOATS,
    ResultKind("torpedoes", "SX by torpedoes", ("torpedo",), ("sx",), damage=True),
    *CHECKS,
    ResultKind("t-hits", "own fires by T-hits", ("t-hit",), ("hits",), harm="a T-hit"),
    ResultKind("flooding", "own SX by flooding", ("sx-check",), ("hits",), harm="flooding"),
)
