"""What a ship is worth, and which results count.

A fire costs an S in one check of 36, and more where the ship comes to sink. Three dice rarely stay as low as
a torpedo needs: its points count for half of what they do in the standard game.
"""

from qf_tui.core.results import ResultKind
from qf_tui.core.worth import Worth, WorthPart
from qf_tui.rules.quickfire_family.worth import (
    CHECKS,
    GUNS,
    STRIKES,
    STRUCK,
    beyond,
    count,
    courses,
    fires,
    parts,
    repair,
)

WORTH = Worth(
    (
        *parts(best=10),
        WorthPart("torpedoes", "each point of torpedo rating", 0.25, count("torpedo")),
        repair(),
        fires(0.25),
        beyond(),
        courses(),
    )
)

RESULTS = (
    GUNS,
    STRIKES,
    STRUCK,
    ResultKind(
        "collisions",
        "damage to both ships of a collision",
        ("collide",),
        ("hits", "blast"),
        harm="a collision",
    ),
    ResultKind("blast-hits", "own damage by blast hits", ("blast",), ("hits",), harm="a blast hit"),
    *CHECKS,
)
