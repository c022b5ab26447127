"""The range of each turn, where there is no map: as the scenario scripts it, or as the two sides wish it."""

from collections.abc import Sequence

from qf_tui.core.measure import Distance
from qf_tui.simulation.attacks import distance
from qf_tui.simulation.doctrine import Doctrine
from qf_tui.simulation.ground import NEAREST, Ground


def range_of(ground: Ground, doctrines: Sequence[Doctrine], turn: int) -> Distance:
    """The range between all ships on a turn: scripted, else midway between what the sides wish."""
    if ground.script:
        amount = ground.script[min(turn, len(ground.script)) - 1]
    else:
        wished = sum(one.wishes(turn) for one in doctrines) / max(1, len(doctrines))
        amount = wished and ground.reach * wished
    return distance(ground.start, max(NEAREST, round(amount * ground.stretch)))
