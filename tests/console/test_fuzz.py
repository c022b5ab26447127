"""Keys by chance on every screen in every rule system: nothing hangs, throws, or shows what is not so."""

import pytest
from attrs import evolve

from tests.console.fuzzing import Burst, Episode, episodes, fault_of, shortest
from tests.long import Share
from tests.systems import OURS

FOUND = (
    Episode("quickfire", "end-phase", (("size=1x1",),)),
    Episode(
        "quickfire",
        "court",
        (("escape",), ("0", "size=300x100"), ("g", "ctrl+p", "enter"), ("size=80x24", "i")),
    ),
    Episode(
        "advanced-quickfire",
        "charts",
        (
            ("enter",),
            ("1", "i", "h", "q", "q", "8"),
            ("paste=\x1b[A\x07\x00", "3", "m", "3", "m", "4"),
            ("s", "o", "0", "space", "m"),
            ("comma", "d", "6"),
            ("r", "size=80x25", "colon", "8", "t"),
            ("z", "i", "s", "colon", "p", "8", "v", "escape"),
        ),
    ),
)
"""What was found, cut down: each once hung, threw, or left screen and save apart."""


@pytest.mark.parametrize("keys", [20, pytest.param(75_000, marks=pytest.mark.long)])
@pytest.mark.parametrize("system", OURS)
def test_no_keys_hang_or_end_the_console(system: str, keys: int, seed: int, share: Share) -> None:
    for number, episode in enumerate(share.of(episodes(system, seed, keys))):
        fault = fault_of(episode)
        if fault:
            pytest.fail(f"seed {seed}, episode {number}: {fault}\nwith {shortest(episode)}")


@pytest.mark.parametrize("episode", FOUND, ids=lambda one: f"{one.system} {one.screen}")
def test_what_was_found_is_mended(episode: Episode) -> None:
    assert fault_of(episode) == ""


def test_what_fails_is_cut_down_to_the_keys_that_make_it_fail() -> None:
    """Catches a finding of a hundred keys that nobody can read."""
    bursts: tuple[Burst, ...] = (("a", "b"), ("f", "x", "g"), *(("c",),) * 9, ("y", "d"))
    tried = 0

    def fails(episode: Episode) -> str:
        nonlocal tried
        tried += 1
        keys = [step for burst in episode.bursts for step in burst]
        return "y behind x" if "x" in keys and "y" in keys[keys.index("x") :] else ""

    found = shortest(Episode("s", "battle", bursts), fails)
    assert found.bursts == (("x",), ("y",))
    assert tried < 60
    assert evolve(found, bursts=bursts).keys == 16
