"""Plays battles with sealed dice by lot, and has the README's lines work every throw out again.

python -m tests.tools.sealed_battles            (1,000 battles, 250 under each rule system)
python -m tests.tools.sealed_battles 40         (so many in all)
"""

import contextlib
import io
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from time import perf_counter
from types import CodeType

from attrs import frozen

from qf_tui.core.sealed_dice import SEED_BYTES
from tests.sealed.club import SealedEvening, club, independent_lines
from tests.systems import OURS

BATTLES = 1000


@frozen
class Checked:
    """What came of battles: how many, their throws, and those that do not come out."""

    battles: int
    throws: int
    wrong: int


def played_and_checked(folder: Path, rules: str, seeds: Iterable[int]) -> Checked:
    """Battles of one turn under a rule system, a seed each, checked by the lines alone."""
    lines = compile(independent_lines(), "README.md", "exec")
    battles = throws = wrong = 0
    for seed in seeds:
        save = folder / f"{rules}-{seed}.qfb"
        key = seed.to_bytes(SEED_BYTES)
        session = club(save, rules=rules, seed=key, words=(f"one{seed}", f"two{seed}"))
        SealedEvening(session, seed, mischief=0.2).play(1)
        session.enter("reveal")
        session.close()
        printed = _printed(lines, save)
        battles, throws = battles + 1, throws + sum(line.endswith("right") for line in printed)
        wrong += sum("WRONG" in line for line in printed)
        save.unlink()
    return Checked(battles, throws, wrong)


def _printed(lines: CodeType, save: Path) -> list[str]:
    out, arguments = io.StringIO(), sys.argv
    sys.argv = ["check.py", str(save)]
    try:
        with contextlib.redirect_stdout(out):
            exec(lines, {})
    finally:
        sys.argv = arguments
    return out.getvalue().splitlines()


def main() -> int:
    """Plays and checks; 1 if a throw does not come out."""
    many = int(sys.argv[1]) if len(sys.argv) > 1 else BATTLES
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for rules in OURS:
            began = perf_counter()
            checked = played_and_checked(Path(folder), rules, range(many // len(OURS)))
            seconds = perf_counter() - began
            print(
                f"{rules}: {checked.battles} battles, {checked.throws} throws, {checked.wrong} wrong",
                f"{seconds:.0f} s",
            )
            wrong += checked.wrong
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
