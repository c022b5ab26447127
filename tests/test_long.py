"""The long tests: how their rounds end, and that each has a smaller version in every run."""

import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests import long
from tests.long import Round

FIRST = 20261121001
TESTS = Path(__file__).parent


class Rounds:
    """Rounds of a minute by a simulated clock, one of which may fail; `asked` holds their arguments."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, fails: int = 0) -> None:
        self.asked: list[tuple[int, str]] = []
        self.fails = fails
        self.now = 0.0
        monkeypatch.setattr(time, "time", lambda: self.now)
        monkeypatch.setattr(long, "play_round", self.play_round)

    def play_round(self, seed: int, profile: str, _: Sequence[str], until: float | None = None) -> Round:
        self.asked.append((seed, profile))
        self.now += 60
        if len(self.asked) == self.fails:
            return Round(seed, 1, 3, 1, ("tests/core/test_odds.py::test_odds[a b]",))
        return Round(seed, 0, 4, 0, ())


@pytest.mark.parametrize(
    ("minutes", "asked", "passed"),
    [
        ([], [(FIRST, "long")], 4),
        (["--minutes", "2.5"], [(FIRST, "round"), (FIRST + 1, "round"), (FIRST + 2, "round")], 12),
    ],
    ids=["once", "until the minutes are used"],
)
def test_the_full_counts_are_run_once_and_rounds_follow_each_other(
    minutes: list[str],
    asked: list[tuple[int, str]],
    passed: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Detect an endless run, a seed that is used twice, and a last line without the counts."""
    rounds = Rounds(monkeypatch)
    assert long.main([*minutes, "--seed", str(FIRST)]) == 0
    assert rounds.asked == asked
    assert capsys.readouterr().out.splitlines()[-1] == f"{passed} passed, 0 failed"


def test_the_first_failure_ends_the_run_and_shows_how_to_repeat_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Detect a failure that the next round hides, or whose seed is lost."""
    rounds = Rounds(monkeypatch, fails=2)
    assert long.main(["--minutes", "9", "--seed", str(FIRST)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert len(rounds.asked) == 2
    assert lines[-3].endswith(
        f'pytest -m "long or hypothesis" --hypothesis-profile=round --hypothesis-seed={FIRST + 1} '
        "'tests/core/test_odds.py::test_odds[a b]'"
    )
    assert lines[-1] == "7 passed, 1 failed"


def test_a_looping_test_gets_its_share_within_the_time_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """Detect a loop of hours that starts in the last second of a round, and one that tries nothing."""
    rounds = Rounds(monkeypatch)

    def loop(share: long.Share) -> int:
        began = rounds.now
        for _ in share.take(range(100)):
            rounds.now += 7
        return int(rounds.now - began)

    assert loop(long.Share(None)) == 700
    assert loop(long.Share(rounds.now + 900)) == 35
    assert loop(long.Share(rounds.now + 20)) == 21
    assert loop(long.Share(rounds.now - 1)) == 7


def test_every_long_test_has_a_smaller_one() -> None:
    """Detect a test that the README's command omits: only values of a test may be marked long."""
    mark = "mark." + "long"
    lines = [line for path in TESTS.rglob("*.py") for line in path.read_text(encoding="utf-8").splitlines()]
    marked = [line for line in lines if mark in line]
    assert marked
    assert [line for line in marked if f"marks=pytest.{mark}" not in line] == []
