"""Whole turns and evenings by keys, how many keys they cost, and the first battle of the README."""

import re
import statistics
from collections.abc import Iterable
from pathlib import Path
from random import Random

import pytest
from attrs import evolve, frozen

from qf_tui.console.reading.announcements import TableChanges
from qf_tui.console.widgets.actions import GRID
from qf_tui.console.widgets.keys import keymap, shown_key
from qf_tui.core.timeline import Correction, CorrectionKind, Entry, State
from qf_tui.core.values import Battle
from qf_tui.document.transcript import act_text
from qf_tui.journal.reading import read_save
from qf_tui.library.scenarios import load_scenario
from qf_tui.library.systems import find_systems
from qf_tui.session import Session
from qf_tui.session.saves import rules_by
from tests.console.playing import HOSTILE, LONG, SMALL_FIRST, Size, Table, bench, play, plays
from tests.systems import our_systems
from tests.tools import pictures
from tests.tools.board_pictures import OF_THE_README
from tests.tools.pace import GOLDEN, SHOT, Pace, Umpire, measured


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
@plays(lambda tmp_path, club: club_battle(tmp_path / "club.qfb", club.a_side))
async def test_a_club_battle_is_played_by_keys_and_mended_on_the_way(
    table: Table, tmp_path: Path, club: Club
) -> None:
    """Catches an order or correction that a battle of many turns no longer takes, and a save that differs."""
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
    again = Session.look(tmp_path / "club.qfb", find_systems())
    assert again.battle == table.session.battle
    assert read_save(tmp_path / "club.qfb", rules_by(find_systems())).log == table.session.timeline.log


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


async def _settle_owed(table: Table) -> None:
    """Answers all that is owed, by digits alone."""
    while table.battle.owed:
        owed = len(table.battle.owed)
        for die in table.battle.owed[0].dice:
            await table.press(*str(min(7, die.most)), "space")
        await table.press("enter")
        assert len(table.battle.owed) <= owed


async def _end_phase(table: Table) -> None:
    """Ends the phase, and reads what is to be read."""
    before = (table.battle.turn, table.battle.phase)
    for _ in range(3):
        await _settle_owed(table)
        if (table.battle.turn, table.battle.phase) != before:
            break
        await table.press("n")
        while len(table.app.screen_stack) > 2:
            await table.press("escape" if isinstance(table.top, TableChanges) else "enter")
    assert (table.battle.turn, table.battle.phase) != before


@plays(lambda: bench(HOSTILE), size=(80, 24), drawn=True)
async def test_a_whole_turn_is_played_by_keys_with_hostile_names(table: Table) -> None:
    await table.type("m at 4 enter")
    assert table.log()[-1].startswith("move mikasa,massena,")
    await _end_phase(table)
    await table.type("fhlion space l enter")
    assert "[/ heavy at HMS [Red] Lion" in table.text()
    await table.type("4 space 8 enter")
    assert not table.battle.owed
    await table.type("down fhohi space m4 space 9 enter")
    assert table.log()[-1] == "fire massena heavy ohio medium"
    await table.press("x")
    assert "HMS [Red] Lion" in table.text()
    assert "艦 Kongō" in table.text()
    await table.type("fh [/ space l5 space 9 enter")
    assert table.log()[-1] == "fire borodino heavy mikasa long"
    await table.order("damage ohio E F S")
    await _settle_owed(table)
    await table.press("s")
    assert "Card and log: HMS [Red] Lion" in table.text()
    await table.type("escape question_mark escape f1 escape h up escape")
    for _ in range(3):
        await _end_phase(table)
    assert table.battle.phase == "repair"
    await table.type("down ps6 enter")
    assert table.log()[-1] == "repair ohio speed"
    assert "艦 Kongō repairs speed" in table.text()
    await table.press("u", "enter")
    assert table.log()[-1] != "repair ohio speed"
    await table.press("r", "enter")
    assert table.log()[-1] == "repair ohio speed"
    await _end_phase(table)
    if table.battle.turn == 1:
        await _end_phase(table)
    assert table.battle.turn == 2
    await table.type("x home s")
    assert "Card and log: [/" in table.text()


@plays(lambda: bench(HOSTILE), size=(80, 24), drawn=True)
async def test_a_name_that_is_cut_has_a_sign_for_it(table: Table) -> None:
    assert LONG not in table.text()
    assert "The Most Honourable an…" in table.text()


FIRST_SHOTS, ALL = 8, 0
"""Shots of a battle up to which it is played: those of its first turn, or all and what is behind them."""


@pytest.mark.parametrize(
    ("shots", "median"),
    [(FIRST_SHOTS, 10), pytest.param(ALL, 8, marks=pytest.mark.long)],
    ids=("first", "all"),
)
def test_the_golden_battles_shots_take_twelve_keys_at_most(shots: int, median: int) -> None:
    """Catches a dialog that costs a key more; in later turns `a` and what is offered save more of them."""
    pace = measured(GOLDEN, shots)
    assert max(pace.keys[SHOT]) <= 12
    assert statistics.median(pace.keys[SHOT]) <= median
    assert statistics.median(pace.keys.get("owed roll", [0])) <= 3


README = Path(__file__).parent.parent.parent / "README.md"
_ROW = re.compile(r"^\| (`[^|]+`) \| [^|]+ \| ?(?:`([^`|]*)`)? ?\|$", re.MULTILINE)
_KEYS = {"Enter": "enter", "Esc": "escape", "Space": "space", "↑": "up", "@": "at", "?": "question_mark"}


def part(heading: str) -> str:
    """A part of the README."""
    text = README.read_text(encoding="utf-8").partition(f"\n## {heading}\n")[2]
    return text.partition("\n## ")[0]


def steps() -> list[tuple[list[str], str]]:
    """The rows of the first battle: keys, and what is then the last entry."""
    return [
        ([_KEYS.get(key, key) for key in re.findall(r"`([^`]+)`", keys)], entry)
        for keys, entry in _ROW.findall(part("A first battle in five minutes"))
    ]


def test_the_first_battle_has_enough_steps() -> None:
    assert len(steps()) >= 10
    assert sum(bool(entry) for _, entry in steps()) >= 7


@pytest.mark.parametrize("size", SMALL_FIRST)
def test_the_first_battle_goes_as_it_is_written(size: Size) -> None:
    async def played(table: Table) -> None:
        for keys, entry in steps():
            await table.press(*keys)
            if entry:
                timeline = table.session.timeline
                assert act_text(timeline, timeline.log[-1]) == entry
        assert len(table.app.screen_stack) == 2

    system, start = load_scenario("yellow-sea-1904", find_systems())
    play(Session.begin(system, start), played, size)


def test_every_picture_of_the_page_is_drawn_by_the_program() -> None:
    named = set(re.findall(r"\(\.pictures/([\w.-]+)\)", README.read_text(encoding="utf-8")))
    drawn = {f"{name}.svg" for name in pictures.SHOTS} | {pictures.SHEETS} | set(OF_THE_README)
    assert named == drawn == {file.name for file in pictures.PICTURES.iterdir()}


def test_pictures_fetch_nothing() -> None:
    for file in pictures.PICTURES.glob("*.svg"):
        assert not re.search(r"url\((?!#)|href", file.read_text(encoding="utf-8")), file.name


def test_every_key_of_the_page_is_one_on_the_logs() -> None:
    known = {shown_key(key) for system in our_systems().values() for key in keymap(GRID, system.forms)}
    rows = re.findall(r"^\| (`.+?) \| ", part("The keys"), re.MULTILINE)
    named = {key for row in rows for key in re.findall(r"`([^`]+)`", row)}
    assert len(named) > 20
    assert named <= known, named - known
