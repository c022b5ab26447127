"""What a ship is worth, and which results count.

A fire rarely does anything but burn: one check in 36 explodes, and it is out after three. A torpedo point is
a launch a turn that takes about one S from a battleship in four.
"""

from qf_tui.core.worth import Worth, WorthPart
from qf_tui.rules.quickfire_family.worth import (
    BOATS,
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
        *parts(best=20),
        WorthPart("torpedoes", "each point of torpedo rating", 0.5, count("torpedo")),
        WorthPart("boat-guns", "boat guns", 0.5, count("boat_guns")),
        repair(),
        fires(0.25),
        beyond(),
        courses(),
    )
)

RESULTS = (GUNS, BOATS, STRIKES, STRUCK, *CHECKS)
