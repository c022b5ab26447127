"""Battles with sealed dice: begun, played at random with calls, and corrected meanwhile."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from random import Random

from attrs import evolve

from qf_tui.core.errors import OrderRefused
from qf_tui.core.schedule import SCHEDULE
from qf_tui.core.values import Battle, Owed
from qf_tui.document.help import read_page_source
from qf_tui.features.sealed_dice.battle import SealedBattleDice
from qf_tui.features.sealed_dice.dice import SealedDice
from qf_tui.library.paths import read_toml
from qf_tui.library.scenarios import find_scenario, read_scenario
from qf_tui.session import Session
from tests.battles.evening import Evening
from tests.systems import find_our_systems

SYSTEMS = find_our_systems()
SEED = bytes(range(32))
WORDS = ("anchor", "beacon")
CALL_MOST = 99


@cache
def load_sealed_battle(name: str, rules: str) -> Battle:
    """Load a shipped battle under some rules, with sealed dice."""
    path = find_scenario(name)
    battle = read_scenario(read_toml(path), path, SYSTEMS, rules=rules).battle
    assert battle is not None
    return evolve(battle, table={**battle.table, "dice": "sealed"})


def begin_club(
    save: Path | None = None,
    name: str = "ulsan-1904",
    rules: str = "advanced-quickfire",
    words: Sequence[str] = WORDS,
    seed: bytes = SEED,
) -> Session:
    """Begin a battle whose sealed dice have a known seed."""
    dice = SealedBattleDice.from_dice(SealedDice(seed, tuple(words)))
    return Session.begin(SYSTEMS[rules], load_sealed_battle(name, rules), save, dice=dice)


class SealedEvening(Evening):
    """A random evening with dice by calls and changes of mind: undone, struck, amended."""

    def __init__(self, session: Session, seed: int = 1898, mischief: float = 0.1) -> None:
        super().__init__(session, seed)
        self._calls, self._mischief = Random(seed), mischief

    def _answer_one(self, owed: Owed) -> None:
        if not owed.dice or owed.line == SCHEDULE:
            super()._answer_one(owed)
            return
        order = f"roll {owed.key} call {self._calls.randint(0, CALL_MOST)}"
        self.session.enter(order)
        if self._calls.random() < self._mischief:
            self._mend(order)

    def _mend(self, order: str) -> None:
        number = len(self.session.timeline.log)
        lines = self._calls.choice(
            [
                ["undo", order],
                ["undo", "redo"],
                [f"amend {number} call {self._calls.randint(0, CALL_MOST)}"],
                [f"strike {number}", f"restore {number}"],
                ["note it was a long evening", f"doubt {number}", f"settle {number}"],
            ]
        )
        for line in lines:
            try:
                self.session.enter(line)
            except OrderRefused:
                return


def list_throws(session: Session) -> Iterator[tuple[tuple[str, ...], int, tuple[int, ...]]]:
    """Yield the throws in force: context, call and faces."""
    for number in session.timeline.play_order:
        version = session.timeline.versions[number]
        if version.call is not None:
            yield version.context, version.call, version.dice


def begin_yellow_sea(save: Path | None = None) -> Session:
    """Begin the Yellow Sea and play entries 1 and 2, up to the first gunnery phase."""
    session = begin_club(save, "yellow-sea-1904")
    for line in ("move @first 6", "next"):
        session.enter(line)
    return session


def find_faces(session: Session, number: int) -> tuple[int, ...]:
    return session.timeline.versions[number].dice


def read_independent_program() -> str:
    """Return the program from the help with which every reader can check the dice."""
    found = re.search(r"```python\n(.*?)```", read_page_source("dice"), re.DOTALL)
    assert found is not None
    return found.group(1)
