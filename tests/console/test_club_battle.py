"""A club's evening, all of it by keys at 120x36, with five corrections on the way."""

from collections.abc import Iterable
from pathlib import Path
from random import Random

import pytest
from attrs import evolve, frozen

from qf_tui.core.timeline import Correction, CorrectionKind, Entry, State
from qf_tui.core.values import Battle
from qf_tui.journal.reading import read_save
from qf_tui.library.scenarios import load_scenario
from qf_tui.library.systems import find_systems
from qf_tui.session import Session
from qf_tui.session.saves import rules_by
from tests.console.playing import Table, play
from tests.tools.pace import Pace, Umpire


@frozen
class Club:
    """Turns, ships a side, what is corrected behind which turn, and how many entries that makes at least."""

    turns: int
    a_side: int
    mended: dict[int, tuple[str, ...]]
    entries: int


HOUR = Club(2, 2, {1: ("undo", "amend"), 2: ("amend the last", "strike", "insert")}, 12)
EVENING = Club(
    10,
    12,
    {2: ("undo",), 4: ("amend",), 5: ("amend the last",), 7: ("strike",), 9: ("insert",)},
    100,
)
SEED = 1904
"""The dice of the evening: its corrections are picked by place, so that they must find these shots."""
RANGES_IN = (40, 36, 32, 28, 24, 22, 20, 18, 16, 15)
"""Inches between the lines, turn by turn."""


def club_battle(save: Path, a_side: int) -> Session:
    """The first ships of either side at the Yellow Sea, with a save."""
    system, start = load_scenario("yellow-sea-1904", find_systems())
    own = [[ship for ship in start.ships.values() if ship.side == side.id][:a_side] for side in start.sides]
    ships = {ship.id: ship for side in own for ship in side}
    return Session.begin(system, evolve(start, ships=ships, began=None), save)


class Evening(Umpire):
    """Plays turns of its own making: divisions move, battleships fire, what is owed is rolled."""

    def __init__(self, table: Table, dice: Random) -> None:
        super().__init__(table, Pace())
        self.dice = dice

    @property
    def battle(self) -> Battle:
        return self.session.battle

    async def turn(self, number: int) -> None:
        """One turn, phase by phase, until the next one has begun."""
        while self.battle.turn <= number:
            phase = self.battle.phase
            if phase == "movement":
                await self._move(number)
            elif phase.endswith("gunnery"):
                await self._fire(number)
            elif phase == "repair":
                await self._repair()
            await self._owed()
            if self.battle.phase == phase:
                await self.give("next")
            self.passed = 0
            await self._owed()

    async def _move(self, number: int) -> None:
        for side in self.battle.sides:
            for division in side.divisions:
                ships = [s.id for s in self.battle.ships.values() if s.division == division.id and s.afloat]
                for some in (ships,) if number % 3 else ():
                    line = f"move {','.join(some)} {4 + number % 2}"
                    if some and self.session.preview_order(line).fine:
                        await self.give(line)

    async def _fire(self, number: int) -> None:
        for shot in self._shots(number):
            if self.session.preview_order(shot).fine:
                missing = self.session.preview_order(shot).missing
                faces = " ".join(str(self.dice.choice(die.faces)) for die in missing)
                await self.give(f"{shot} {faces}")

    def _shots(self, number: int) -> Iterable[str]:
        waiting = [one.ship for one in self.session.system.may_act(self.battle)]
        for place, firer in enumerate(waiting[:: 2 if number % 2 else 3]):
            side = self.battle.ships[firer].side
            foes = [ship.id for ship in self.battle.ships.values() if ship.side != side and ship.afloat][:6]
            if foes:
                yield f"fire {firer} heavy {foes[place % len(foes)]} {RANGES_IN[number - 1]}in"

    async def _repair(self) -> None:
        for ship in list(self.battle.ships.values())[:4]:
            line = f"repair {ship.id} speed"
            if self.session.preview_order(line).fine:
                await self.give(f"{line} {self.dice.randint(1, 12)}")

    async def _owed(self) -> None:
        while self.battle.owed:
            owed = self.battle.owed[0]
            faces = " ".join(str(self.dice.choice(die.faces)) for die in owed.dice)
            await self.give(f"roll {owed.key} {faces}" if faces else f"answer {owed.key} {owed.words[0]}")

    async def correct(self, keys: str) -> None:
        """Presses keys, says yes to what they ask, and goes back to the battle."""
        await self.table.press(*keys.split())
        while self.table.app.screen is not self.table.screen:
            was = self.table.app.screen
            await self.table.press("enter" if type(was).__name__ == "Proposal" else "escape")


@pytest.mark.parametrize(
    "club", [HOUR, pytest.param(EVENING, marks=pytest.mark.long)], ids=("hour", "evening")
)
def test_a_club_battle_is_played_by_keys_and_mended_on_the_way(tmp_path: Path, club: Club) -> None:
    """Catches an order or correction that a battle of many turns no longer takes, and a save that differs."""
    session = club_battle(tmp_path / "club.qfb", club.a_side)

    async def steps(table: Table) -> None:
        evening = Evening(table, Random(SEED))
        for number in range(1, club.turns + 1):
            await evening.turn(number)
            for what in club.mended.get(number, ()):
                await _mend(evening, what)
                await evening._owed()
            assert "Traceback" not in table.text()
        timeline = table.session.timeline
        mended = [act.kind for act in timeline.log if isinstance(act, Correction)]
        assert table.battle.turn > club.turns
        assert mended.count(CorrectionKind.UNDO) == 1
        assert mended.count(CorrectionKind.AMEND) == 2
        assert mended.count(CorrectionKind.STRIKE) == 1
        orders = [version.order.resolved for version in timeline.versions.values()]
        assert orders.count("note the flagship signals") == 1
        assert sum(isinstance(act, Entry) for act in timeline.log) > club.entries

    play(session, steps)
    again = Session.look(tmp_path / "club.qfb", find_systems())
    assert again.battle == session.battle
    assert read_save(tmp_path / "club.qfb", rules_by(find_systems())).log == session.timeline.log


async def _mend(evening: Evening, what: str) -> None:
    """One correction, by the keys that an umpire has for it."""
    table = evening.table
    timeline = evening.session.timeline
    parked = timeline.in_state(State.PARKED)
    shots = [
        number
        for number in timeline.play_order
        if timeline.versions[number].order.word == "fire" and number not in parked
    ]
    before = len(timeline.log)
    if what == "undo":
        await evening.correct("u")
    elif what == "amend":
        await evening.correct("h slash k i n d colon f i r e enter home enter 2 enter")
    elif what == "amend the last":
        await table.order(f"amend {shots[-3]} 12")
        await evening.correct("")
    elif what == "strike":
        await evening.correct("h slash k i n d colon f i r e enter up s")
    else:
        await table.order(f"insert {shots[-1]} note the flagship signals")
        await evening.correct("")
    assert len(evening.session.timeline.log) > before, f"{what}: nothing mended\n{table.text()}"
