"""Looks at the luck of battles by chance: `python -m tests.tools.luck [battles] [first seed]`.

Each rule system plays its share of the battles, which are weighed in three ways. The mean of the sums of luck
is to be within three standard errors of 0; of sides with 60 throws 12 to 20 in a hundred are told that theirs
was unusual: fewer than the 20 of a smooth scale, as results come in whole numbers.
"""

import sys
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from statistics import fmean

from qf_tui.analysis.values import ThrownDice
from tests.analysis.battles import worths_of
from tests.analysis.fairness import Sums, evenings, sums_of_luck, unusual_due
from tests.corrections.grounds import GROUNDS

BATTLES, WORKERS = 2000, 2


def _played(system: str, seeds: range, weighed: str) -> tuple[Sums, list[ThrownDice]]:
    return sums_of_luck(GROUNDS[system], seeds, weighed)


def main(battles: int, first: int) -> None:
    """Prints a line for each system and worth, and one for how many sides were unusual."""
    share = battles // len(GROUNDS)
    seeds = range(first, first + share)
    unusual = asked = 0
    due = list[float]()
    with ProcessPoolExecutor(WORKERS) as pool:
        for system, ground in GROUNDS.items():
            ways = tuple(worths_of(ground.system))
            throws: list[ThrownDice] = []
            played = pool.map(_played, repeat(system), repeat(seeds), ways)
            for way, (sums, thrown) in zip(ways, played, strict=True):
                apart = sums.mean / sums.error if sums.error else 0.0
                print(
                    f"{system} {way}: mean {sums.mean:+.4f}, {apart:+.2f} standard errors of {share}",
                    flush=True,
                )
                throws = thrown
            for side in ("blue", "red"):
                counts = list(evenings(ground.system, throws, side))
                asked += len(counts)
                unusual += sum(count.chances.unusual(count.results) for count in counts)
                due.extend(map(unusual_due, counts))
    if asked:
        print(
            f"unusual: {unusual} of {asked} sides, {unusual / asked:.1%}; by their odds {fmean(due):.1%} "
            f"are due, {min(due):.1%} to {max(due):.1%}"
        )


if __name__ == "__main__":
    given = [int(word) for word in sys.argv[1:]]
    main(*(given + [BATTLES, 1][len(given) :]))
