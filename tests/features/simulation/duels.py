"""Small battles that are quickly played out: ships of one class against each other."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import TypedDict, Unpack

from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Battle
from qf_tui.features.simulation.jobs import Done, Job, Pair, Run, Spec, play_share
from qf_tui.features.simulation.simulate import Question, build_spec, list_pairs
from qf_tui.library.scenarios import load_scenario
from tests.systems import find_our_systems

SYSTEMS = find_our_systems()
PAIRS = list_pairs(())
UNLIKE = PAIRS[1:3]
"""Two pairs, where it does not matter which."""


STICKS = """
ruleset = "gq2"
title = "sticks of even bands"

[[table]]
name = "stick"

[[table.row]]
name = "1-24"
cells = ["3", "3", "3", "3", "3", "3", "3", "3", "3", "3"]

[[table.row]]
name = "standard"
cells = { "12" = "2", "7" = "4", "3" = "4" }

[[table.row]]
name = "light"
cells = { "12" = "2", "7" = "4", "3" = "4" }

[[table]]
name = "penetration"

[[table.row]]
name = "1-24"
cells = ["14", "13", "12", "11", "10", "9", "8", "7", "6", "5"]
"""


def scenario_text(
    blue: Sequence[str],
    red: Sequence[str],
    rules: str = "quickfire",
    more: str = "",
    navy: str = "japan",
    of_red: str = "",
) -> str:
    """A scenario of ships of one navy on both sides; `more` stands before the sides, `of_red` behind them."""
    head = f'title = "Duel"\nruleset = "{rules}"\n{more}\n'
    sides = (
        f'[[side]]\nname = "{name}"\nnavy = "{navy}"\nyear = 1904\nprefix = "{name[0].lower()}-"\n'
        f"ships = [{', '.join(repr(ship) for ship in ships)}]\n"
        for name, ships in (("Blue", blue), ("Red", red))
    )
    return head + "".join(sides) + of_red


def duel(
    blue: Sequence[str] = ("mikasa",),
    red: Sequence[str] = ("mikasa",),
    rules: str = "quickfire",
    more: str = "",
    of_red: str = "",
) -> tuple[RuleSystem, Battle]:
    """Such a battle as it begins; General Quarters II with sticks."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "duel.toml"
        path.with_name("sticks.toml").write_text(STICKS, encoding="utf-8")
        charts = 'charts = "sticks.toml"\n' if rules == "gq2" else ""
        path.write_text(scenario_text(blue, red, rules, charts + more, of_red=of_red), encoding="utf-8")
        return load_scenario(path, SYSTEMS)


class Duel(TypedDict, total=False):
    """What `duel` is told."""

    blue: Sequence[str]
    red: Sequence[str]
    rules: str
    more: str
    of_red: str


def spec(seed: str = "1", **given: Unpack[Duel]) -> Spec:
    """What is played out of a duel."""
    system, start = duel(**given)
    return build_spec(system, start, seed)


def question(
    battles: int,
    seed: str = "1",
    within: float | None = None,
    pairs: tuple[Pair, ...] = PAIRS,
    **given: Unpack[Duel],
) -> Question:
    """A question about a duel, by all doctrines unless some pairs are named."""
    return Question(spec(seed, **given), pairs, battles, within)


def backwards(jobs: Sequence[Job]) -> Iterator[Done]:
    """Plays the shares in the other order."""
    return ((job, play_share(job)) for job in reversed(jobs))


def scrambled(seed: int) -> Run:
    """Return a `Run` that plays the shares in an order drawn from `seed`."""

    def run(jobs: Sequence[Job]) -> Iterator[Done]:
        return ((job, play_share(job)) for job in Random(seed).sample(jobs, len(jobs)))

    return run
