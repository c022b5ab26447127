"""Historical battles by the thousand: `python -m tests.tools.history [battles] [options]`.

Seven battles are simulated from their scenarios under two rule systems: wins, losses of each side and the
last turn, compared with history. An interval holds 95 of 100 battles; the score of the losses is their CRPS
in ships, and less is better. History counts losses until dark, so a battle ends when its scenario has night
(or dusk, if it has no night), after 30 turns at most. `--set Japan.knots=` removes a value of a side and its
divisions, `--set Japan.doctrine=hold` changes it, `--set battle.opens=30` is for all, and `--turns` sets the
end: change one lever at a time.
"""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from time import monotonic
from typing import Any

from attrs import evolve, frozen

from qf_tui.core.crews import STATED
from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Battle
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
    Fought("manila-bay-1898", "USA", (0, 12), 188, teaches=False),
    # Oslyabya, Suvorov, Aleksandr III, Borodino, Ural, Kamchatka, Rus before dark; 14:08 to 19:30.
    Fought("tsushima-1905", "Japan", (0, 7), 322, teaches=False),
)
RULES = ("advanced-quickfire", "quickfire")
BATTLE = "battle"
"""The name in place of a side for a lever of the whole battle."""
HELD = 0.95
"""The share of battles that an interval of the losses holds."""


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
    "won by",
    "as it was",
    "lost",
    "95%",
    "wide",
    "in fact",
    "CRPS",
    "turns",
    "minutes",
)


def build_rows(fought: Fought, rules: str, start: Battle, tally: Tally) -> Iterator[tuple[str, ...]]:
    """Build two lines of the table: one for each side's losses."""
    wins = tally.estimate_wins(next(side.id for side in start.sides if side.name == fought.winner))
    turn, least, most = tally.end_turns
    for at, (side, lost) in enumerate(zip(start.sides, fought.lost, strict=True)):
        mean, _ = tally.compute_mean_lost(side.id)
        low, high = find_interval(tally.count_losses(side.id))
        first = at == 0
        yield (
            fought.scenario if first else "",
            rules if first else "",
            f"{fought.winner} {wins.part:.0%} ({100 * wins.least:.0f}–{100 * wins.most:.0f})"
            if first
            else "",
            fought.winner if first else "",
            f"{side.name} {mean:.1f}",
            f"{low}–{high}{'' if low <= lost <= high else ' no'}",
            str(high - low),
            str(lost),
            f"{tally.compute_crps(side.id, lost):.2f}",
            f"{turn} ({least}–{most})" if first else "",
            str(fought.minutes) if first else "",
        )


def simulate_battle(
    fought: Fought, rules: str, arguments: argparse.Namespace, run: Run
) -> list[tuple[str, ...]]:
    """Simulate a battle under a rule system; return its lines."""
    system, start = load_start(fought.scenario, rules, arguments.set)
    pairs = list_pairs((), start)
    spec = evolve(
        build_spec(system, start, arguments.seed), turns=arguments.turns or find_last_turn(fought.scenario)
    )
    each = max(1, round(arguments.battles / len(pairs)))
    found = simulate_battles(Question(spec, pairs, each), run)
    return list(build_rows(fought, rules, start, sum_tallies(found.tallies.values())))


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
    with open_executor(arguments.jobs, None) as run:
        for fought in chosen:
            for rules in arguments.rules:
                began = monotonic()
                for row in simulate_battle(fought, rules, arguments, run):
                    print("| " + " | ".join(row) + " |", flush=True)
                print(f"<!-- {monotonic() - began:.0f} s -->", flush=True)


if __name__ == "__main__":
    main()
