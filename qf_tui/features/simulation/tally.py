"""Counts of many simulated battles, and figures from them: proportions with intervals, means, a score.

A tally holds only whole numbers under sorted keys, so the order of adding never matters.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import accumulate, product, repeat
from math import sqrt
from typing import TypeVar

from attrs import field, frozen

from qf_tui.features.simulation.playout import Ending

EARLY = 6
"""A battle is over early if it ends before this turn."""
Z = 1.959963984540054
"""Standard deviations within which 95 of 100 values lie."""

_Key = TypeVar("_Key")
Counts = Mapping[str, int]


@frozen
class Interval:
    """An estimate with its interval: of a proportion, a mean, or a difference.

    Attributes:
        part: The proportion, mean or difference that was counted.
        least: Lower end; 95 of 100 such intervals hold the true value.
        most: Upper end.
    """

    part: float
    least: float
    most: float

    @property
    def half(self) -> float:
        """Half the width of the interval."""
        return (self.most - self.least) / 2


def compute_wilson(count: float, of: int, halves: float = 0.0, z: float = Z) -> Interval:
    """Return the Wilson score interval of a proportion; (0, 1) around ½ if there are no cases.

    Args:
        count: Cases that count; one may count as a half.
        of: All cases.
        halves: Part of the cases that certainly count as a half; this makes the interval narrower.
        z: Half the width of the interval, in standard deviations.
    """
    if not of:
        return Interval(part=0.5, least=0.0, most=1.0)
    part, spread = count / of, z * z / of
    middle = (part + spread / 2) / (1 + spread)
    variance = part * (1 - part) / of + (spread - (1 + spread) * halves) / (4 * of)
    half_width = z * sqrt(max(0.0, variance)) / (1 + spread)
    return Interval(part, min(part, max(0.0, middle - half_width)), max(part, min(1.0, middle + half_width)))


@frozen
class Tally:
    """Counts of many simulated battles.

    Attributes:
        battles: Number of battles that were played to their end.
        won: Number of battles by the side that won; draws under "".
        turns: Number of battles by the turn on which they ended.
        broke: Number of battles by the side that broke and the turn.
        lost: Number of battles by a ship that was lost and the winner.
        losses: Number of battles by a side and the number of ships that it lost.
        ends: By the first side's advantage at the end: the number of battles, and the least index of one.
        apart: Number of battles that could not continue; they count nowhere else.
        first_fault: Index of the first of these battles and its fault, or None.
    """

    battles: int = 0
    won: Counts = field(factory=dict)
    turns: Mapping[int, int] = field(factory=dict)
    broke: Mapping[tuple[str, int], int] = field(factory=dict)
    lost: Mapping[tuple[str, str], int] = field(factory=dict)
    losses: Mapping[tuple[str, int], int] = field(factory=dict)
    ends: Mapping[int, tuple[int, int]] = field(factory=dict)
    apart: int = 0
    first_fault: tuple[int, str] | None = None

    def __add__(self, other: "Tally") -> "Tally":
        """Return the counts of both tallies together."""
        return Tally(
            battles=self.battles + other.battles,
            won=_add_counts(self.won, other.won),
            turns=_add_counts(self.turns, other.turns),
            broke=_add_counts(self.broke, other.broke),
            lost=_add_counts(self.lost, other.lost),
            losses=_add_counts(self.losses, other.losses),
            ends=self._merge_ends(other.ends),
            apart=self.apart + other.apart,
            # A fault begins with the index of its battle, so the least is the first.
            first_fault=min(
                (fault for fault in (self.first_fault, other.first_fault) if fault is not None), default=None
            ),
        )

    def _merge_ends(self, other_ends: Mapping[int, tuple[int, int]]) -> dict[int, tuple[int, int]]:
        """Return these ends and others together, by advantage: counts added, each with the least index."""
        ends = dict(self.ends)
        for advantage, (count, index) in other_ends.items():
            known_count, least = ends.get(advantage, (0, index))
            ends[advantage] = known_count + count, min(least, index)
        return dict(sorted(ends.items()))

    def estimate_wins(self, side: str) -> Interval:
        """Return how often a side wins; for "", how often the battle is drawn."""
        return compute_wilson(self.won.get(side, 0), self.battles)

    def estimate_score(self, side: str, z: float = Z) -> Interval:
        """Return the mean score of a side: 1 for a win, ½ for a draw.

        Draws make the interval narrower. Only the lower end of their own interval counts for this, so that
        the interval stays sensible even if all battles are drawn.
        """
        draws = self.won.get("", 0)
        return compute_wilson(
            self.won.get(side, 0) + draws / 2,
            self.battles,
            halves=self.estimate_wins("").least,
            z=z,
        )

    @property
    def over_early(self) -> Interval:
        """How often a battle is over before turn 6."""
        return compute_wilson(sum(count for turn, count in self.turns.items() if turn < EARLY), self.battles)

    @property
    def end_turns(self) -> tuple[int, int, int]:
        """The turn on which a battle ends: the median, the first and the last decile."""
        return _find_deciles(self.turns)

    def estimate_broken(self, side: str) -> Interval:
        """Return how often a side breaks."""
        return compute_wilson(sum(_select_side(self.broke, side).values()), self.battles)

    def find_break_turns(self, side: str) -> tuple[int, int, int]:
        """Return the turn on which a side breaks, if it does: the median, the first and the last decile."""
        return _find_deciles(_select_side(self.broke, side))

    def estimate_loss(self, ship: str) -> Interval:
        """Return how often a ship is lost."""
        return compute_wilson(self.split_by_loss(ship)[0].battles, self.battles)

    def split_by_loss(self, ship: str) -> "tuple[Tally, Tally]":
        """Split the battles by whether a ship was lost.

        Returns:
            A tally of the winners if she was lost, and one of the winners if she was not.
        """
        lost = {winner: count for (lost_ship, winner), count in self.lost.items() if lost_ship == ship}
        survived = {winner: count - lost.get(winner, 0) for winner, count in self.won.items()}
        return Tally(battles=sum(lost.values()), won=lost), Tally(
            battles=sum(survived.values()), won=survived
        )

    def count_losses(self, side: str) -> dict[int, int]:
        """Count the battles by the number of ships that a side lost."""
        return _select_side(self.losses, side)

    def compute_crps(self, side: str, lost: float) -> float:
        """Return the score (CRPS, 0 is the best) of a side's losses against the losses of history."""
        return compute_crps(self.count_losses(side), lost)

    @property
    def median_advantage(self) -> int:
        """The first side's advantage at the end of the median battle."""
        return _find_deciles({advantage: count for advantage, (count, _) in self.ends.items()})[0]

    @property
    def mean_advantage(self) -> float:
        """The first side's advantage at the end, on average."""
        return sum(advantage * count for advantage, (count, _) in self.ends.items()) / max(1, self.battles)

    def compute_mean_lost(self, side: str) -> tuple[float, float | None]:
        """Return the mean number of ships that a side loses, and half the width of its interval.

        The width is None for fewer than two battles, which have no variance.
        """
        counts = self.count_losses(side)
        total = sum(number * count for number, count in counts.items())
        if self.battles < 2:
            return float(total), None
        squares = sum(number * number * count for number, count in counts.items())
        variance = max(0.0, (squares - total * total / self.battles) / (self.battles - 1))
        return total / self.battles, Z * sqrt(variance / self.battles)


def compute_crps(counts: Mapping[int, int], observed: float) -> float:
    """Compute the continuous ranked probability score (CRPS) of a distribution; 0 is the best.

    The score has the unit of the values; for a single value it is the distance to the observed one. It is
    proper: no distribution scores better on average than the true one (Gneiting and Raftery, 2007).

    Args:
        counts: How often each value occurred; at least one value.
        observed: The value that came true.
    """
    total = sum(counts.values())
    distance = sum(count * abs(value - observed) for value, count in counts.items()) / total
    spread = sum(
        count * other_count * abs(value - other_value)
        for (value, count), (other_value, other_count) in product(counts.items(), repeat=2)
    )
    return distance - spread / (2 * total * total)


def compute_swing(tallies: Iterable[Tally], ship: str, side: str) -> Interval | None:
    """Return how much more a side scores if a ship is lost; None if she was always lost, or never.

    Battles are compared only with those of the same doctrines, and pairs of doctrines are weighed by how much
    they show (Mantel and Haenszel, 1959).
    """
    weight = weighted_change = weighted_squares = 0.0
    for lost, survived in (tally.split_by_loss(ship) for tally in tallies):
        if lost.battles and survived.battles:
            pair_weight = lost.battles * survived.battles / (lost.battles + survived.battles)
            score_if_lost = lost.estimate_score(side)
            score_if_not = survived.estimate_score(side)
            weight += pair_weight
            weighted_change += pair_weight * (score_if_lost.part - score_if_not.part)
            weighted_squares += (
                pair_weight
                * pair_weight
                * (score_if_lost.half * score_if_lost.half + score_if_not.half * score_if_not.half)
            )
    if not weight:
        return None
    return Interval(
        weighted_change / weight,
        (weighted_change - sqrt(weighted_squares)) / weight,
        (weighted_change + sqrt(weighted_squares)) / weight,
    )


def build_tally(ending: Ending, side_of: Mapping[str, str], index: int = 0) -> Tally:
    """Build the tally of a single battle.

    Args:
        ending: How the battle ended.
        side_of: Side of each ship.
        index: Index of the battle.
    """
    # The sides of the ships that were lost, one for each ship.
    sides = [side_of[ship] for ship in ending.lost]
    return Tally(
        battles=1,
        won={ending.winner: 1},
        turns={ending.turn: 1},
        # If `broke_on` is empty, each side broke on the last turn.
        broke=dict.fromkeys(zip(ending.broken, ending.broke_on or repeat(ending.turn), strict=False), 1),
        lost={(ship, ending.winner): 1 for ship in ending.lost},
        losses={(side, sides.count(side)): 1 for side in sorted(set(side_of.values()))},
        ends={ending.advantage: (1, index)},
    )


def _add_counts(counts: Mapping[_Key, int], more: Mapping[_Key, int]) -> dict[_Key, int]:
    """Add counts up, with sorted keys; a count of 0 is left out."""
    return Counter(dict(sorted((Counter(counts) + Counter(more)).items())))


def _find_deciles(counts: Mapping[int, int]) -> tuple[int, int, int]:
    """Return the median, the first and the last decile; 0 if there are no values."""
    if not counts:
        return 0, 0, 0
    values = sorted(counts)
    sums = list(accumulate(counts[value] for value in values))
    middle, least, most = (values[bisect_left(sums, share * sums[-1])] for share in (0.5, 0.1, 0.9))
    return middle, least, most


def _select_side(counts: Mapping[tuple[str, int], int], side: str) -> dict[int, int]:
    """Return the counts of one side by the number in their key, such as a turn."""
    return {number: count for (of, number), count in counts.items() if of == side}


def sum_tallies(tallies: Iterable[Tally]) -> Tally:
    """Add tallies up."""
    return sum(tallies, Tally())
