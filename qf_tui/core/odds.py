"""The odds of an order: exact chances, faces that bring a result, and the effect of each face.

They come from trying every face on the rules, without random simulation.
"""

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement, groupby
from math import comb, factorial, lcm, prod

from attrs import evolve, frozen

from qf_tui.core.decisions import DecisionBuilder, Effect
from qf_tui.core.declarations import Measure, Need, PreparedOrder
from qf_tui.core.values import Battle, Die, Faces, Owed, is_pool

POOL_MOST = 5
"""The number of dice in the largest throw whose chances are computed while an order is typed."""
Weight = tuple[int, int]
"""A chance in whole numbers: the ways to get a result, and the number of all ways."""


@frozen
class Chance:
    """A figure of the odds: how often something happens, or the average if `mean` is True."""

    label: str
    value: Fraction
    mean: bool = False

    def __str__(self) -> str:
        """Format the figure: `hits 0.75` for an average, `hits 75%` for a chance."""
        value = float(self.value)
        return f"{self.label} {value:.2f}" if self.mean else f"{self.label} {value:.0%}"


def compute_chances(ready: PreparedOrder, earlier_faces: Faces = ()) -> tuple[Chance, ...]:
    """Compute the figures that a rule system shows for an order; () if it has none or too many dice.

    Separate rolls inside the order give joint figures.

    Args:
        earlier_faces: Faces already thrown.
    """
    if ready.foretold is not None:
        return compute_chances(ready.foretold, earlier_faces)
    if ready.parts:
        by_part = [compute_chances(*part) for part in ready.split_faces(earlier_faces)]
        return tuple(_join_figures(figures) for figures in zip(*by_part, strict=True))
    if not ready.odds or len(ready.dice) > POOL_MOST:
        return ()
    # Weights are put over one total, because fractions take ten times as long as whole numbers.
    throws = _judge_throws(ready.missing, ready.judge, earlier_faces)
    total = lcm(*{of_all for (_, of_all), _, _ in throws})
    tally = [(judged, ways * (total // of_all)) for (ways, of_all), _, judged in throws]
    return tuple(
        Chance(measure.label, _compute_figure(tally, measure, total), measure.mean) for measure in ready.odds
    )


@lru_cache(maxsize=16)
def _judge_throws(
    missing: Callable[[Faces], tuple[Die, ...]],
    judge: Callable[[Faces], tuple[int, ...]],
    earlier_faces: Faces,
) -> tuple[tuple[Weight, Faces, tuple[int, ...]], ...]:
    """List every complete throw with its weight and the result of `judge`; cached for chances and needs."""
    throws = list_throws(PreparedOrder(missing=missing), earlier_faces)
    return tuple([(weight, faces, judge(faces)) for weight, faces in throws])


def _join_figures(figures: tuple[Chance, ...]) -> Chance:
    """Join the figures of separate rolls: the sum of averages, or the chance that at least one succeeds."""
    values = [each.value for each in figures]
    none_succeeds = prod((1 - value for value in values), start=Fraction(1))
    joined = sum(values, Fraction(0)) if figures[0].mean else 1 - none_succeeds
    return evolve(figures[0], value=joined)


def _compute_figure(tally: Iterable[tuple[tuple[int, ...], int]], measure: Measure, total: int) -> Fraction:
    """Compute the average of a measure over all throws, or the chance that it is not 0.

    Args:
        tally: Each result of `judge`, with the number of ways to get it.
        total: Number of all ways.
    """
    place = measure.place
    if measure.mean:
        counted = sum([count * judged[place] for judged, count in tally])
    else:
        counted = sum([count for judged, count in tally if judged[place]])
    return Fraction(counted, total * measure.denominator)


def list_throws(
    ready: PreparedOrder, faces: Faces = (), weight: Weight = (1, 1)
) -> Iterator[tuple[Weight, Faces]]:
    """Yield every throw that completes a roll, with its weight; unneeded dice are not thrown.

    Several equal nameless dice are a pool: their order does not matter and is not enumerated.

    Args:
        faces: Faces already thrown.
        weight: Weight of those faces: the number of throws that give them, of how many in all.
    """
    missing = ready.missing(faces)
    if not missing:
        yield weight, faces
        return
    if is_pool(missing):
        yield from list_pool_throws(ready, faces, weight, missing)
        return
    next_weight = weight[0], weight[1] * missing[0].sides
    for face in missing[0].faces:
        thrown = (*faces, face)
        # Checked before the call, because nearly always this was the last die.
        if ready.missing(thrown):
            yield from list_throws(ready, thrown, next_weight)
        else:
            yield next_weight, thrown


def list_pool_throws(
    ready: PreparedOrder, faces: Faces, weight: Weight, dice: tuple[Die, ...]
) -> Iterator[tuple[Weight, Faces]]:
    """Yield every complete throw that begins with `faces` and a throw of a pool of equal dice.

    Args:
        faces: Faces already thrown.
        weight: Weight of those faces: the number of throws that give them, of how many in all.
        dice: The dice of the pool, at least one.
    """
    total = dice[0].sides ** len(dice)
    for thrown in combinations_with_replacement(dice[0].faces, len(dice)):
        ways = factorial(len(dice)) // prod(factorial(thrown.count(face)) for face in set(thrown))
        yield from list_throws(ready, (*faces, *thrown), (weight[0] * ways, weight[1] * total))


@frozen
class Needed:
    """The faces of a die, or the totals of some dice, that bring a result.

    Attributes:
        does: Result as a verb.
        dice: Name of the dice, or "".
        faces: Faces or totals that bring it.
        of: All possible faces or totals.
        at: Note after the faces, or "".
    """

    does: str
    dice: str
    faces: tuple[int, ...]
    of: tuple[int, ...]
    at: str = ""

    @property
    def signs(self) -> str:
        """The faces in short form, without their dice: `≤7`."""
        return "any" if self.faces == self.of else format_faces(self.faces, self.of, signs=True)

    @property
    def short(self) -> str:
        """The dice and their faces in short form: `black ≤7`."""
        return f"{self.dice} {self.signs}".strip()

    def __str__(self) -> str:
        """Format the faces as a sentence: `fires on black 7 or less (150% line)`, `never fires`."""
        note = f" ({self.at})" if self.at else ""
        if not self.faces:
            return f"never {self.does}{note}"
        if self.faces == self.of:
            return f"always {self.does}{note}"
        faces = f"{self.dice} {format_faces(self.faces, self.of)}".strip()
        return f"{self.does} on {faces}{note}"


def format_faces(faces: tuple[int, ...], of: tuple[int, ...], *, signs: bool = False) -> str:
    """Format some of all possible faces: `7 or less`, `3-7`, `2, 11 or more`, `none`; with signs `≤7`.

    Args:
        of: All possible faces, in rising order.
    """
    return ", ".join(_format_run(run, of, signs) for run in _group_faces(faces)) or "none"


def _group_faces(faces: Iterable[int]) -> list[tuple[int, int]]:
    """Group neighbouring faces into pairs of the least and the greatest."""
    runs: list[tuple[int, int]] = []
    for face in sorted(faces):
        if runs and runs[-1][1] + 1 == face:
            runs[-1] = (runs[-1][0], face)
        else:
            runs.append((face, face))
    return runs


def _format_run(run: tuple[int, int], of: tuple[int, ...], signs: bool) -> str:
    """Format neighbouring faces: `7 or less` from the least, `11 or more` to the greatest, else `5` or `3-7`.

    With `signs` the ends are `≤7` and `≥11`.
    """
    least, most = run
    if least == most:
        return str(least)
    if least == of[0]:
        return f"≤{most}" if signs else f"{most} or less"
    if most == of[-1]:
        return f"≥{least}" if signs else f"{least} or more"
    return f"{least}-{most}"


def list_needs(ready: PreparedOrder, earlier_faces: Faces = ()) -> tuple[Needed, ...]:
    """List the results that can still be reached by throwing, in the order of the dice.

    A result that depends also on other dice is left out, as is one whose dice are thrown already
    or cannot be thrown any more.
    """
    if ready.foretold is not None:
        return list_needs(ready.foretold, earlier_faces)
    if ready.parts:
        return tuple(need for part in ready.split_faces(earlier_faces) for need in list_needs(*part))
    open_needs = [need for need in ready.needs if max(need.dice) >= len(earlier_faces) or need.each]
    if not open_needs or not ready.missing(earlier_faces):
        return ()
    results = []
    for need in open_needs:
        face_results = _list_face_results(ready, need, earlier_faces)
        totals = sorted({total for total, _ in face_results})
        # If other dice decide too, some total both brings the result and does not.
        if face_results and len(totals) == len(face_results):
            faces = tuple(total for total in totals if (total, True) in face_results)
            results.append(Needed(need.does, _name_dice(need, ready.dice), faces, tuple(totals), need.at))
    return tuple(results)


def _list_face_results(ready: PreparedOrder, need: Need, earlier_faces: Faces) -> set[tuple[int, bool]]:
    """List each face or total of the dice of a need, with whether it brings the result.

    A throw does not count if these dice are not thrown in it, or if it misses the result that the need
    requires first. The set is empty if the order has too many dice.
    """
    place, when = need.place, need.when
    last = max(need.dice)
    if need.each:
        return {(face, bool(ready.judge((face,))[place])) for face in ready.dice[0].faces}
    if len(ready.dice) > POOL_MOST:
        return set()
    return {
        (sum([faces[at] for at in need.dice]), bool(judged[place]))
        for _, faces, judged in _judge_throws(ready.missing, ready.judge, earlier_faces)
        if len(faces) > last and (when is None or judged[when])
    }


def _name_dice(need: Need, order_dice: tuple[Die, ...]) -> str:
    """Name the dice of a result: `black`, `white total`, `each die`.

    A die without a name is called by its sides, `D6`, or "" if it is the only die of the order.
    """
    if need.each:
        return "each die" if len(order_dice) > 1 else ""
    dice = [order_dice[place] for place in need.dice]
    if len(dice) > 1:
        return f"{dice[0].name} total".strip()
    if len(order_dice) == 1:
        return dice[0].name
    return dice[0].name or f"D{dice[0].sides}"


THROWS_MOST = 60
"""The number of throws of the largest roll whose outcomes are listed by face."""


@frozen
class Outcome:
    """Neighbouring faces, or totals of equal dice, with the same effect.

    Attributes:
        least: Least face.
        most: Greatest face.
        text: The effect in a few words.
    """

    least: int
    most: int
    text: str

    @property
    def faces(self) -> range:
        return range(self.least, self.most + 1)

    def __str__(self) -> str:
        """Format the faces and their effect: `8–11 S S`."""
        return self.format_with_faces(
            str(self.least) if self.least == self.most else f"{self.least}–{self.most}"
        )

    def format_with_faces(self, faces: str) -> str:
        """Format faces and their effect: `8–11 S S`, or `2: 2 S` if the text begins with a digit."""
        return f"{faces}{':' if self.text[:1].isdigit() else ''} {self.text}"


Sought = Needed | Outcome
"""The faces that bring a result, or the effect that faces have."""
_Decided = tuple[tuple[Effect, ...], str]


def list_outcomes(battle: Battle, owed: Owed, ready: PreparedOrder) -> tuple[Outcome, ...]:
    """List the effects of the faces of the next die, or of the totals of a pool of dice.

    Returns:
        The outcomes. () if a rule refuses the roll, if no dice or different dice are missing, if there are
        too many throws, if more dice may follow, or if the total alone does not decide.
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
        effects, text = _decide_throw(battle, owed, ready, faces)
        earlier_effects, _ = decided.setdefault(sum(thrown), (effects, text))
        if earlier_effects != effects:
            return ()
    outcomes = []
    # Neighbouring totals with the same effects and the same text become one outcome.
    for (_, text), same in groupby(sorted(decided), key=decided.__getitem__):
        totals = list(same)
        outcomes.append(Outcome(totals[0], totals[-1], text))
    return tuple(outcomes)


def _decide_throw(battle: Battle, owed: Owed, ready: PreparedOrder, faces: Faces) -> _Decided:
    """Return the effects of a throw, and its text.

    The text is the result of its first reason, or `nothing` if it has none.
    """
    builder = DecisionBuilder(battle, owed.entry)
    ready.decide(faces, builder)
    decision = builder.build_decision()
    if not decision.reasons:
        return decision.effects, "nothing"
    return decision.effects, decision.reasons[0].result
