"""Historical battles by the thousand: `python -m tests.tools.history [battles] [options]`.

Seven battles are simulated from their scenarios under two rule systems: wins and losses of each side and
the last turn, compared with history. An interval holds 95 of 100 battles; the score of the losses is their
CRPS in ships, and less is better. Beside it stand two scores without any simulation: nobody is lost; and
the winner loses nobody, the loser as many as the median of the losers of the other battles. Sums follow for
all battles, those that taught and those held out. History counts losses until dark, so a battle ends when
its scenario has night (or dusk, if it has no night), after 30 turns at most. `--set Japan.knots=` removes a
value of a side and its divisions, `--set Japan.doctrine=hold` changes it, `--set battle.opens=30` is for
all, and `--turns` sets the end: change one lever at a time.
"""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from itertools import product
from statistics import median
from time import monotonic
from typing import Any

from attrs import evolve, frozen

from qf_tui.core.crews import STATED
from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Battle
from qf_tui.features.simulation.document import format_interval
from qf_tui.features.simulation.jobs import Run, open_executor
from qf_tui.features.simulation.simulate import TURNS_MOST, Question, build_spec, list_pairs, simulate_battles
from qf_tui.features.simulation.tally import Tally, sum_tallies
from qf_tui.library.faults import Data
from qf_tui.library.paths import read_toml
from qf_tui.library.scenarios import find_scenario, read_scenario, require_battle
from tests.systems import find_our_systems


@frozen
class Fought:
    """The historical result of a battle.

    Attributes:
        winner: Name of the side that won.
        lost: Ships of the scenario that each side lost, in the scenario's order.
        minutes: Length of the battle.
        teaches: Whether its result may be used before the final comparison.
    """

    scenario: str
    winner: str
    lost: tuple[int, int]
    minutes: int
    teaches: bool = True


FOUGHT = (
    # No ship was sunk by dark; 12:30 to 14:50 and 16:45 to 19:00.
    Fought("yellow-sea-1904", "Japan", (0, 0), 275),
    # Rurik; 05:20 to 10:00.
    Fought("ulsan-1904", "Japan", (0, 1), 280),
    # All six that came out; 09:35 to 13:15.
    Fought("santiago-1898", "USA", (0, 6), 220),
    # Chao Yung, Yang Wei, Chih Yuen, King Yuen, Kuang Chia; 12:50 to 17:30.
    Fought("yalu-1894", "Japan", (0, 5), 280),
    # Varyag and Koreets, by their own crews within hours; 11:45 to 12:45.
    Fought("chemulpo-1904", "Japan", (0, 2), 60, teaches=False),
    # All twelve ships, in both phases; 05:41 to 07:35 and 11:16 to 12:30.
    # It was held out, until its result showed that the Luneta battery fired out of her reach.
    Fought("manila-bay-1898", "USA", (0, 12), 188),
    # Oslyabya, Suvorov, Aleksandr III, Borodino, Ural, Kamchatka, Rus before dark; 14:08 to 19:30.
    Fought("tsushima-1905", "Japan", (0, 7), 322, teaches=False),
)
RULES = ("advanced-quickfire", "quickfire")
BATTLE = "battle"
"""The name in place of a side for a lever of the whole battle."""
HELD = 0.95
"""The share of battles that an interval of the losses holds."""
TAUGHT, HELD_OUT = "taught", "held out"
"""Battles that were looked at before the table, and those that were not."""


def apply_levers(data: Data, levers: Sequence[str]) -> Data:
    """Apply levers to a scenario's data: `Side.key=value`, or no value to remove the key."""
    after: dict[str, Any] = deepcopy(dict(data))
    for lever in levers:
        where, _, value = lever.partition("=")
        name, _, key = where.partition(".")
        sides = [after] if name == BATTLE else [each for each in after["side"] if name in (each["name"], "*")]
        if not key or not sides:
            raise SystemExit(f"--set {lever}: expected SIDE.KEY=VALUE, SIDE one of its sides, {BATTLE} or *")
        for side in sides:
            for of in (side, *side.get("division", ())):
                of.pop(key, None)
            if value:
                side[key] = _read_value(value)
    return after


def _read_value(value: str) -> str | float | bool:
    if value in ("true", "false"):
        return value == "true"
    try:
        return int(value) if value.lstrip("-").isdigit() else float(value)
    except ValueError:
        return value


def load_start(scenario: str, rules: str, levers: Sequence[str]) -> tuple[RuleSystem, Battle]:
    """Load the start of a scenario, with levers applied."""
    path = find_scenario(scenario)
    data = apply_levers(read_toml(path), levers)
    return require_battle(read_scenario(data, path, find_our_systems(), rules=rules, crews=STATED))


def find_last_turn(scenario: str) -> int:
    """Find the last turn of daylight by a scenario's schedule, or the most turns if it has no dark."""
    schedule = read_toml(find_scenario(scenario)).get("schedule", ())
    dark = {due.get("table", {}).get("light"): int(due["turn"]) for due in reversed(schedule)}
    return dark.get("night", dark.get("dusk", TURNS_MOST + 1)) - 1


def find_interval(counts: Mapping[int, int]) -> tuple[int, int]:
    """Return the least and the most of the middle battles that an interval holds."""
    total, seen, least, most = sum(counts.values()), 0, None, 0
    for value in sorted(counts):
        seen += counts[value]
        least = value if least is None and seen > total * (1 - HELD) / 2 else least
        most = value
        if seen >= total * (1 + HELD) / 2:
            break
    return least or 0, most


HEADS = (
    "battle",
    "rules",
    "use",
    "side",
    "wins",
    "drawn",
    "lost",
    "95%",
    "wide",
    "in fact",
    "CRPS",
    "nobody lost",
    "as others",
    "turns",
    "minutes",
)


@frozen
class SideResult:
    """The losses of one side in one battle under one rule system.

    Attributes:
        fought: The battle.
        side: Name of the side.
        lost: Ships that it lost in fact.
        mean: Ships that it lost on average.
        interval: The interval that holds 95 of 100 battles.
        crps: Score of its losses, in ships.
    """

    fought: Fought
    side: str
    lost: int
    mean: float
    interval: tuple[int, int]
    crps: float

    @property
    def is_loser(self) -> bool:
        """True if the side lost the battle in fact."""
        return self.side != self.fought.winner

    @property
    def holds(self) -> bool:
        """True if the interval holds what happened."""
        return self.interval[0] <= self.lost <= self.interval[1]

    @property
    def baseline(self) -> float:
        """The score of the losses of the other battles: no ship of a winner, the median of the losers."""
        others = (max(other.lost) for other in FOUGHT if other is not self.fought)
        return abs(self.lost - (median(others) if self.is_loser else 0))


def build_results(fought: Fought, start: Battle, tally: Tally) -> Iterator[SideResult]:
    """Yield the result of each side."""
    for side, lost in zip(start.sides, fought.lost, strict=True):
        mean, _ = tally.compute_mean_lost(side.id)
        interval = find_interval(tally.count_losses(side.id))
        yield SideResult(fought, side.name, lost, mean, interval, tally.compute_crps(side.id, lost))


def build_rows(
    rules: str, start: Battle, tally: Tally, results: Sequence[SideResult]
) -> Iterator[tuple[str, ...]]:
    """Build two lines of the table: one for each side."""
    turn, least, most = tally.end_turns
    for side, result in zip(start.sides, results, strict=True):
        fought, first = result.fought, side is start.sides[0]
        low, high = result.interval
        yield (
            fought.scenario if first else "",
            rules if first else "",
            (TAUGHT if fought.teaches else HELD_OUT) if first else "",
            f"{side.name}{'' if result.is_loser else ' (won)'}",
            format_interval(tally.estimate_wins(side.id)),
            format_interval(tally.estimate_wins("")) if first else "",
            f"{result.mean:.1f}",
            f"{low}–{high}{'' if result.holds else ' no'}",
            str(high - low),
            str(result.lost),
            f"{result.crps:.2f}",
            str(result.lost),
            f"{result.baseline:g}",
            f"{turn} ({least}–{most})" if first else "",
            str(fought.minutes) if first else "",
        )


def list_summary(results: Sequence[SideResult]) -> Iterator[str]:
    """Yield the sums over all battles, over those that taught, and over those held out."""
    groups = {
        "all": results,
        TAUGHT: [result for result in results if result.fought.teaches],
        HELD_OUT: [result for result in results if not result.fought.teaches],
    }
    for name, group in groups.items():
        losers = [result for result in group if result.is_loser]
        winners = [result for result in group if not result.is_loser]
        if not losers:
            continue
        ours, others = (sum(getattr(result, key) for result in group) for key in ("crps", "baseline"))
        nobody = sum(result.lost for result in group)
        zeros = sum(result.holds and not result.interval[0] for result in winners)
        yield (
            f"{name}: error of both sides' losses in ships, less is better: nobody is lost {nobody}, as in "
            f"the other battles {others:g}, ours {ours:.1f}. The loser's losses are in "
            f"{count_held(losers)} of {len(losers)} intervals where {HELD * len(losers):.1f} are promised; "
            f"the winner's in {count_held(winners)} of {len(winners)}, {zeros} of which begin at 0."
        )


def count_held(results: Sequence[SideResult]) -> int:
    """Count the intervals that hold what happened."""
    return sum(result.holds for result in results)


def simulate_battle(
    fought: Fought, rules: str, arguments: argparse.Namespace, run: Run
) -> tuple[Battle, Tally]:
    """Simulate a battle under a rule system; return its start and the tally of all doctrines."""
    system, start = load_start(fought.scenario, rules, arguments.set)
    pairs = list_pairs((), start)
    spec = evolve(
        build_spec(system, start, arguments.seed), turns=arguments.turns or find_last_turn(fought.scenario)
    )
    each = max(1, round(arguments.battles / len(pairs)))
    found = simulate_battles(Question(spec, pairs, each), run)
    return start, sum_tallies(found.tallies.values())


def main() -> None:
    asking = argparse.ArgumentParser(prog="python -m tests.tools.history", description=__doc__)
    asking.add_argument("battles", nargs="?", type=int, default=1000)
    asking.add_argument("--seed", default="1")
    asking.add_argument("--turns", type=int)
    asking.add_argument("--jobs", type=int, default=2)
    asking.add_argument("--only", nargs="*", default=[], metavar="BATTLE", help="those whose name begins so")
    asking.add_argument("--rules", nargs="*", default=list(RULES))
    asking.add_argument(
        "--teach", action="store_true", help="only those that may be looked at before the end"
    )
    asking.add_argument("--set", action="append", default=[], metavar="SIDE.KEY=VALUE", help="moves a lever")
    arguments = asking.parse_args()
    chosen = [
        fought
        for fought in FOUGHT
        if (fought.teaches or not arguments.teach)
        and (not arguments.only or fought.scenario.startswith(tuple(arguments.only)))
    ]
    print(f"{arguments.battles} battles each, seed {arguments.seed}", *arguments.set, sep=", ")
    print("| " + " | ".join(HEADS) + " |\n|" + "---|" * len(HEADS))
    every: list[SideResult] = []
    with open_executor(arguments.jobs, None) as run:
        for fought, rules in product(chosen, arguments.rules):
            began = monotonic()
            start, tally = simulate_battle(fought, rules, arguments, run)
            results = tuple(build_results(fought, start, tally))
            for row in build_rows(rules, start, tally, results):
                print("| " + " | ".join(row) + " |", flush=True)
            print(f"<!-- {monotonic() - began:.0f} s -->", flush=True)
            every += results
    print("", *list_summary(every), sep="\n")


if __name__ == "__main__":
    main()
