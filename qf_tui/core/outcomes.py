"""What each face of an owed roll would do, by the rules' own decision on it."""

from itertools import combinations_with_replacement, groupby
from math import comb

from attrs import frozen

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.effects import Effect
from qf_tui.core.system import Faces, PreparedOrder
from qf_tui.core.values import Battle, Owed, is_pool

THROWS_MOST = 60
"""Throws of the largest roll that is worked out face by face."""


@frozen
class Outcome:
    """Neighbouring faces, or totals of equal dice, that come to the same, and to what in few words."""

    least: int
    most: int
    text: str

    @property
    def faces(self) -> range:
        return range(self.least, self.most + 1)

    def __str__(self) -> str:
        return self.said_of(str(self.least) if self.least == self.most else f"{self.least}–{self.most}")

    def said_of(self, faces: str) -> str:
        """What faces come to: `8–11 S S`; a number in the text is kept apart from them: `2: 2 S`."""
        return f"{faces}{':' if self.text[:1].isdigit() else ''} {self.text}"


_Decided = tuple[tuple[Effect, ...], str]


def outcomes(battle: Battle, owed: Owed, ready: PreparedOrder) -> tuple[Outcome, ...]:
    """What the faces of the die still wanted would do, or the totals of equal dice.

    () where it wants none, other dice or more after them, or where more than the total counts.
    """
    missing = ready.missing(owed.faces)
    if ready.findings or not missing or (len(missing) > 1 and not is_pool(missing)):
        return ()
    if comb(missing[0].sides + len(missing) - 1, len(missing)) > THROWS_MOST:
        return ()
    decided: dict[int, _Decided] = {}
    for thrown in combinations_with_replacement(missing[0].faces, len(missing)):
        faces = (*owed.faces, *thrown)
        if ready.missing(faces):
            return ()
        found = _decided(battle, owed, ready, faces)
        if decided.setdefault(sum(thrown), found)[0] != found[0]:
            return ()
    return _together(decided)


def _together(decided: dict[int, _Decided]) -> tuple[Outcome, ...]:
    """Neighbouring totals that do the same, by the same words, as one."""
    found = []
    for (_, said), same in groupby(sorted(decided), key=decided.__getitem__):
        totals = list(same)
        found.append(Outcome(totals[0], totals[-1], said))
    return tuple(found)


def _decided(battle: Battle, owed: Owed, ready: PreparedOrder, faces: Faces) -> _Decided:
    """What a throw does, and the result of its first reason; whose roll and which faces are known."""
    builder = DecisionBuilder(battle, owed.entry)
    ready.decide(faces, builder)
    decision = builder.decision()
    if not decision.reasons:
        return decision.effects, "nothing"
    return decision.effects, decision.reasons[0].result
