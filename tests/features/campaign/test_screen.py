"""Campaigns by keys: a battle carried on at its end, why in the battle before, all saves read."""

import asyncio
from pathlib import Path

import pytest

from qf_tui.features.campaign.screen import WarScreen
from qf_tui.library.paths import find_own_folder
from qf_tui.library.scenarios import find_scenario, load_scenario
from qf_tui.library.systems import find_systems
from qf_tui.session import Session
from tests.console.playing import HOSTILE, SIZES, Size, Table, begin_examples, play


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("QF_TUI_HOME", str(tmp_path))
    (tmp_path / "saves").mkdir()
    return tmp_path


def fight(home: Path, *orders: str) -> Session:
    """Begin a saved battle with hostile names, hit Mikasa and sink Borodino."""
    begun = begin_examples(HOSTILE)
    session = Session.begin(begun.system, begun.battle, home / "saves" / "first.qfb")
    for order in ("mark mikasa rof_heavy 3", "leave borodino sunk", *orders):
        session.enter(order)
    return session


async def wait_for_saves(table: Table) -> WarScreen:
    """Return the screen of all saves once they are read."""
    screen = table.top
    assert isinstance(screen, WarScreen)
    while screen.job.working:  # noqa: ASYNC110 - a thread has no event to wait for
        await asyncio.sleep(0.01)
    screen.look()
    await table.pilot.pause()
    assert not screen.job.fault
    return screen


@pytest.mark.parametrize("size", SIZES)
def test_a_battle_is_carried_on_and_why_leads_back_to_it(home: Path, size: Size) -> None:
    first = fight(home)

    async def carry(table: Table) -> None:
        await table.press("N")
        table.expect("The next battle: days until then")
        await table.press("ctrl+u")
        await table.write("soon")
        await table.press("enter")
        table.expect("expected days and a yard")
        await table.press("ctrl+u")
        await table.write("2 moon")
        await table.press("enter")
        table.expect("no yard “moon”")
        await table.press("ctrl+u")
        await table.write("2 at-sea")
        await table.press("enter")
        table.expect("2 days at sea", "is among your scenarios")
        await table.press("escape")
        table.session.close()

    play(first, carry, size=size)
    (path,) = find_own_folder("scenarios").glob("*.toml")

    async def check_preview(table: Table) -> None:
        await table.write(path.stem)
        await table.press("enter")
        table.expect("damage: below the ships")
        await table.press("end")
        table.expect("Damaged in", "heavy ROF 3 of 7")

    play(None, check_preview, size=size)
    system, start = load_scenario(path, find_systems())
    second = Session.begin(system, start, home / "saves" / "second.qfb")

    async def check_why(table: Table) -> None:
        await table.press("question_mark")
        table.expect("She came as", "first.qfb")
        assert "mark mikasa" in table.text() or "more line" in table.text()
        table.session.close()

    play(second, check_why, size=size)


@pytest.mark.parametrize("size", SIZES)
def test_all_saves_are_shown_as_a_campaign_and_as_careers(home: Path, size: Size) -> None:
    fight(home).close()

    async def steps(table: Table) -> None:
        await table.press("f4")
        await wait_for_saves(table)
        table.expect("Campaign", "Calendar")
        await table.write("sunk")
        table.expect("search: sunk", HOSTILE["borodino"])
        await table.press("escape")
        await table.write("calendar")
        table.expect("Calendar", "first.qfb")
        await table.press("escape", "escape")
        await table.press("f8")
        await wait_for_saves(table)
        table.expect("Careers")
        await table.write("whole club")
        table.expect("the whole club")
        await table.press("escape", "escape")
        table.expect("Continue")

    play(None, steps, size=size)


def test_the_end_of_a_battle_offers_the_next_battle(home: Path) -> None:
    session = fight(home)
    for ship in [ship.id for ship in session.battle.ships.values() if ship.side == "red" and ship.afloat]:
        session.enter(f"leave {ship} sunk")

    async def steps(table: Table) -> None:
        table.expect("(AQF-PH-7); N: the next battle")
        table.session.close()

    play(session, steps)


def test_a_victory_offers_the_next_battle(home: Path) -> None:
    system, start = load_scenario(find_scenario("chemulpo-1904"), find_systems())
    session = Session.begin(system, start, home / "saves" / "first.qfb")
    session.enter("leave varyag sunk")

    async def steps(table: Table) -> None:
        table.expect("victory is reached; N: the next battle")
        table.session.close()

    play(session, steps)
