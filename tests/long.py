"""The tests with large budgets: properties with new seeds, kill -9 in loops, whole evenings of a club.

    python -m tests.long                 (the full counts, once)
    python -m tests.long --minutes 15    (smaller rounds, each with a new seed, until the minutes are used)

Seeds come from the date and are printed; `--seed N` starts from a printed seed. The first failure ends the
run and shows how to repeat it.
"""

import argparse
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar
from xml.etree import ElementTree as ET

from attrs import frozen

ROOT = Path(__file__).parent.parent
CHOSEN = "long or hypothesis"
ROUNDS, ONCE = "round", "long"
LONGEST_S = {ROUNDS: 600, ONCE: 4 * 3600}
"""Seconds after which a test of a round, or of the full counts, counts as hanging."""
SHARE_S = 30
"""Seconds that one test of a round may loop."""
GRACE_S = 300
"""Seconds that a round may take to end after its last test should have ended."""
NOTHING_LEFT = 5
"""The exit status of pytest if it had no test to run."""

Item = TypeVar("Item")


@frozen
class Round:
    """The result of a round: pytest's exit status, its counts, and the tests that failed."""

    seed: int
    status: int
    passed: int
    failed: int
    failures: tuple[str, ...]


class Share:
    """The time that a looping test gets in a round; unlimited without a time limit."""

    def __init__(self, until: float | None) -> None:
        self.until = min(until, time.time() + SHARE_S) if until else None

    def take(self, items: Iterable[Item]) -> Iterator[Item]:
        """Yield the first item, and further ones until the time is used."""
        for place, item in enumerate(items):
            if place and self.until is not None and time.time() > self.until:
                return
            yield item


def get_day_seed() -> int:
    """Return the first seed of today: 21 November 2026 gives 20261121001."""
    return int(f"{datetime.now(UTC):%Y%m%d}001")


def build_command(seed: int, profile: str) -> list[str]:
    """Build the options of a round, without its tests and time limits."""
    return ["-m", CHOSEN, f"--hypothesis-profile={profile}", f"--hypothesis-seed={seed}"]


def play_round(seed: int, profile: str, more: Sequence[str], until: float | None = None) -> Round:
    """Run one round; it starts no test after `until`, and ends soon after."""
    ends = ("-o", f"faulthandler_timeout={LONGEST_S[profile]}", "-o", "faulthandler_exit_on_timeout=true")
    options = ["-x", "-rf", "-n", "auto", "--dist", "worksteal", *ends, *build_command(seed, profile), *more]
    patience = None
    if until is not None:
        options.append(f"--until={until}")
        patience = until - time.time() + LONGEST_S[profile] + GRACE_S
    with TemporaryDirectory() as folder:
        found = Path(folder) / "found.xml"
        pytest = [sys.executable, "-m", "pytest", *options, f"--junit-xml={found}"]
        try:
            status = subprocess.run(pytest, cwd=ROOT, check=False, timeout=patience).returncode
        except subprocess.TimeoutExpired:
            status = 1
        cases = list(ET.parse(found).iter("testcase")) if found.exists() else []
    failed = [case for case in cases if case.find("failure") is not None or case.find("error") is not None]
    skipped = sum(case.find("skipped") is not None for case in cases)
    names = (f"{case.get('classname', '').replace('.', '/')}.py::{case.get('name')}" for case in failed)
    return Round(seed, status, len(cases) - len(failed) - skipped, len(failed), tuple(dict.fromkeys(names)))


def play_rounds(first: int, minutes: float | None, more: Sequence[str]) -> Iterator[Round]:
    """Run the full counts once, or rounds until the minutes are used."""
    if minutes is None:
        show(f"The full counts, once, from seed {first}.")
        yield play_round(first, ONCE, more)
        return
    until = time.time() + 60 * minutes
    for seed in count(first):
        if time.time() >= until:
            return
        show(f"Round {seed - first + 1}, from seed {seed}; {(until - time.time()) / 60:.1f} minutes left.")
        yield play_round(seed, ROUNDS, more, until)


def show(line: str) -> None:
    """Print a line at once, between those of pytest."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the rounds; return 0 if no test failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.long", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--minutes", type=float, help="rounds for so long, instead of the full counts once")
    parser.add_argument("--seed", type=int, default=get_day_seed(), help="the first seed")
    given, more = parser.parse_known_args(arguments)
    profile = ONCE if given.minutes is None else ROUNDS
    seeds: list[int] = []
    passed = failed = 0
    for each in play_rounds(given.seed, given.minutes, more):
        seeds.append(each.seed)
        passed, failed = passed + each.passed, failed + each.failed
        if each.status not in (0, NOTHING_LEFT):
            failed = max(1, failed)
            again = " ".join(
                f'"{part}"' if " " in part else part for part in build_command(each.seed, profile)
            )
            show(f"To see it again: python -m pytest {again} {' '.join(map(repr, each.failures))}")
            break
    show(f"Seeds: {', '.join(map(str, seeds)) or 'none'}.")
    show(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    raise SystemExit(main())
