"""What each face of an owed die would do, by the rules' own decision on it."""

from itertools import groupby

from attrs import frozen

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.effects import Effect
from qf_tui.core.system import PreparedOrder
from qf_tui.core.values import Battle, Owed

FACES_MOST = 20
"""Faces of the largest die whose faces are listed one by one."""


@frozen
class Outcome:
    """Neighbouring faces that come to the same, and to what in few words."""

    least: int
    most: int
    text: str

    @property
    def faces(self) -> range:
        return range(self.least, self.most + 1)

    def __str__(self) -> str:
        faces = str(self.least) if self.least == self.most else f"{self.least}–{self.most}"
        return f"{faces} {self.text}"


def outcomes(battle: Battle, owed: Owed, ready: PreparedOrder) -> tuple[Outcome, ...]:
    """What the faces of the die still wanted would do; () where it wants none, several, or more after it."""
    missing = ready.missing(owed.faces)
    if ready.findings or len(missing) != 1 or missing[0].sides > FACES_MOST:
        return ()
    if any(ready.missing((*owed.faces, face)) for face in missing[0].faces):
        return ()
    decided = [(face, *_decided(battle, owed, ready, face)) for face in missing[0].faces]
    found = []
    for _, same in groupby(decided, key=lambda one: one[1]):
        faces = list(same)
        found.append(Outcome(faces[0][0], faces[-1][0], faces[0][2]))
    return tuple(found)


def _decided(battle: Battle, owed: Owed, ready: PreparedOrder, face: int) -> tuple[tuple[Effect, ...], str]:
    """What a face does, and the result of its first reason; whose roll and which face are known."""
    builder = DecisionBuilder(battle, owed.entry)
    ready.decide((*owed.faces, face), builder)
    decision = builder.decision()
    if not decision.reasons:
        return decision.effects, "nothing"
    result, ship = decision.reasons[0].result, battle.ships.get(owed.ship)
    return decision.effects, result.removeprefix(f"{ship.name} ") if ship else result
