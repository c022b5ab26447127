"""Small battles that are quickly simulated: ships of one class against each other."""

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
"""Two pairs of doctrines for tests where the choice does not matter."""


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


def format_scenario(
    blue: Sequence[str],
    red: Sequence[str],
    rules: str = "quickfire",
    more: str = "",
    navy: str = "japan",
    of_red: str = "",
) -> str:
    """Format a scenario with ships of one navy on both sides, `more` before the sides and `of_red` after."""
    head = f'title = "Duel"\nruleset = "{rules}"\n{more}\n'
    sides = (
        f'[[side]]\nname = "{name}"\nnavy = "{navy}"\nyear = 1904\nprefix = "{name[0].lower()}-"\n'
        f"ships = [{', '.join(repr(ship) for ship in ships)}]\n"
        for name, ships in (("Blue", blue), ("Red", red))
    )
    return head + "".join(sides) + of_red


def load_duel(
    blue: Sequence[str] = ("mikasa",),
    red: Sequence[str] = ("mikasa",),
    rules: str = "quickfire",
    more: str = "",
    of_red: str = "",
) -> tuple[RuleSystem, Battle]:
    """Load such a scenario; General Quarters 2 gets sticks."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "duel.toml"
        path.with_name("sticks.toml").write_text(STICKS, encoding="utf-8")
        charts = 'charts = "sticks.toml"\n' if rules == "gq2" else ""
        path.write_text(format_scenario(blue, red, rules, charts + more, of_red=of_red), encoding="utf-8")
        return load_scenario(path, SYSTEMS)


class Duel(TypedDict, total=False):
    """The arguments of `load_duel`."""

    blue: Sequence[str]
    red: Sequence[str]
    rules: str
    more: str
    of_red: str


def build_duel_spec(seed: str = "1", **given: Unpack[Duel]) -> Spec:
    """Build the spec of a duel."""
    system, start = load_duel(**given)
    return build_spec(system, start, seed)


def build_question(
    battles: int,
    seed: str = "1",
    within: float | None = None,
    pairs: tuple[Pair, ...] = PAIRS,
    **given: Unpack[Duel],
) -> Question:
    """Build a question about a duel, by default for all pairs of doctrines."""
    return Question(build_duel_spec(seed, **given), pairs, battles, within)


def run_backwards(jobs: Sequence[Job]) -> Iterator[Done]:
    """Play the shares in reverse order."""
    return ((job, play_share(job)) for job in reversed(jobs))


def make_scrambled_run(seed: int) -> Run:
    """Return a `Run` that plays the shares in an order drawn from `seed`."""

    def run(jobs: Sequence[Job]) -> Iterator[Done]:
        return ((job, play_share(job)) for job in Random(seed).sample(jobs, len(jobs)))

    return run
