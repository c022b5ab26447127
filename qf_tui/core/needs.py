"""What people must throw: the faces that bring a result, by the judgement that decides."""

from collections.abc import Iterable

from attrs import frozen

from qf_tui.core.odds import POOL_MOST, throws
from qf_tui.core.system import Faces, Need, PreparedOrder
from qf_tui.core.values import Die


@frozen
class Needed:
    """The faces of a die, or the totals of some dice, that bring a result; `of` are all that there are."""

    does: str
    dice: str
    faces: tuple[int, ...]
    of: tuple[int, ...]
    at: str = ""

    @property
    def short(self) -> str:
        """The dice and their faces in signs: `black ≤7`."""
        shown = "any" if self.faces == self.of else faces_text(self.faces, self.of, signs=True)
        return f"{self.dice} {shown}".strip()

    def __str__(self) -> str:
        at = f" ({self.at})" if self.at else ""
        if not self.faces:
            return f"never {self.does}{at}"
        if self.faces == self.of:
            return f"always {self.does}{at}"
        return f"{self.does} on {' '.join((self.dice, faces_text(self.faces, self.of))).strip()}{at}"


def faces_text(faces: tuple[int, ...], of: tuple[int, ...], *, signs: bool = False) -> str:
    """Faces among all that there are: `7 or less`, `3-7`, `2, 11 or more`, by signs `≤7`; "none" for none."""
    return ", ".join(_run_text(run, of, signs) for run in _runs(faces)) or "none"


def _runs(faces: Iterable[int]) -> list[tuple[int, int]]:
    """Neighbouring faces as their least and most."""
    runs: list[tuple[int, int]] = []
    for face in sorted(faces):
        if runs and runs[-1][1] + 1 == face:
            runs[-1] = (runs[-1][0], face)
        else:
            runs.append((face, face))
    return runs


def _run_text(run: tuple[int, int], of: tuple[int, ...], signs: bool) -> str:
    least, most = run
    if least == most:
        return str(least)
    if least == of[0]:
        return f"≤{most}" if signs else f"{most} or less"
    if most == of[-1]:
        return f"≥{least}" if signs else f"{least} or more"
    return f"{least}-{most}"


def needed(ready: PreparedOrder, given: Faces = ()) -> tuple[Needed, ...]:
    """What is still to be thrown for, in the order of the dice; () where the order has no such results.

    A result that hangs on other dice too is left out, and one whose dice are given or cannot be reached.
    """
    if ready.foretold is not None:
        return needed(ready.foretold, given)
    if ready.parts:
        return tuple(one for part in ready.parts_with(given) for one in needed(*part))
    open_needs = [need for need in ready.needs if max(need.dice) >= len(given) or need.each]
    if not open_needs or not ready.missing(given):
        return ()
    found = []
    for need, brings in zip(open_needs, _tables(ready, open_needs, given), strict=True):
        if brings and all(len(results) == 1 for results in brings.values()):
            faces = tuple(total for total, results in sorted(brings.items()) if True in results)
            called = _called(need, ready.dice)
            found.append(Needed(need.does, called, faces, tuple(sorted(brings)), need.at))
    return tuple(found)


_Brings = dict[int, set[bool]]
"""For each face or total whether it brings a result: both where other dice decide."""


def _tables(ready: PreparedOrder, needs: list[Need], given: Faces) -> list[_Brings]:
    """What each total of the dice of each need brings, over every throw."""
    tables: list[_Brings] = [
        {face: {bool(ready.judge((face,))[need.place])} for face in ready.dice[0].faces} if need.each else {}
        for need in needs
    ]
    if all(need.each for need in needs) or len(ready.dice) > POOL_MOST:
        return tables
    for _, faces in throws(ready, given):
        judged = ready.judge(faces)
        for need, brings in zip(needs, tables, strict=True):
            if need.each or len(faces) <= max(need.dice) or not (need.when is None or judged[need.when]):
                continue
            total = sum(faces[place] for place in need.dice)
            brings.setdefault(total, set()).add(bool(judged[need.place]))
    return tables


def _called(need: Need, every: tuple[Die, ...]) -> str:
    """The dice of a result in words: `black`, `white total`, `each die`; an only die needs none."""
    if need.each:
        return "each die" if len(every) > 1 else ""
    dice = [every[place] for place in need.dice]
    if len(dice) > 1:
        return f"{dice[0].name} total".strip()
    return dice[0].name if dice[0].name or len(every) == 1 else f"D{dice[0].sides}"
