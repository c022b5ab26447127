"""A battle with sealed dice by its keys: seal, words, shots by calls, second thoughts, the seed revealed."""

import re
from pathlib import Path

import pytest

from qf_tui.console.setup.opening import Beginning, SealScreen, open_target, qr_lines
from qf_tui.session.dice import seal_qr, seal_words
from tests.console.playing import Table, keys_of, play
from tests.sealed.club import README, faces_of, yellow_sea
from tests.systems import our_systems

SEAL = "381c7bce8033c694a8cbed4a3ba4d42a66ea705ce2dd37a7d93b9bc64a081b7b"


@pytest.fixture
def scenario(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A scenario of the umpire's own, its dice sealed."""
    home = tmp_path / "home"
    monkeypatch.setenv("QF_TUI_HOME", str(home))
    shipped = (README.parent / "fleets" / "scenarios" / "ulsan-1904.toml").read_text("utf-8")
    path = home / "scenarios" / "ulsan-sealed.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text('dice = "sealed"\n' + re.sub(r"(?m)^dice.*\n", "", shipped), "utf-8")
    return path


def test_a_seal_is_eight_words_and_a_code() -> None:
    """Catches another list, other bits, or a code that is drawn mirrored or turned round."""
    assert " ".join(seal_words(SEAL)) == "day toilet victory about detect engage permit laundry"
    assert seal_words("0" * 64) == ("abandon",) * 8
    assert seal_words("f" * 64) == ("zoo",) * 8
    code = seal_qr(SEAL)
    finder = [row[:7] for row in code[:7]]
    assert [row[-7:] for row in code[:7]] == finder == [row[:7] for row in code[-7:]]
    lines = [line.plain for line in qr_lines(SEAL)]
    assert len({len(line) for line in lines}) == 1
    assert lines[1].startswith("██ ▄▄▄▄▄ █")


def test_the_seal_comes_before_the_words_and_these_before_the_battle(scenario: Path) -> None:
    async def steps(table: Table) -> None:
        for _ in range(3):
            await table.press("escape")
        await table.press(*keys_of("ulsan-sealed"), "enter", "enter")
        assert isinstance(table.top, SealScreen)
        seal = table.top.dice.seal
        wanted = (*seal_words(seal), "Japan", "Russia", "Esc does not begin")
        assert all(word in table.text() for word in wanted)
        await table.press(*keys_of("two words"), "enter", "enter")
        assert "is not one word" in table.text()
        await table.press("escape", "enter")
        assert isinstance(table.top, SealScreen)
        assert table.top.dice.seal != seal, "a seal that was not begun with is gone"
        await table.press(*keys_of("Amber"), "enter", "enter")
        assert "nothing is proved" in table.text()
        await table.press(*keys_of("tiger"), "enter")
        assert table.session.sealed
        assert table.session.dice.seal is not None
        assert table.session.dice.seal.words == ("amber", "tiger")
        await table.press("f4", *keys_of("seal"), "enter")
        assert "words: Japan: amber · Russia: tiger" in table.text()

    play(None, steps, (80, 24))
    assert [path.name for path in (scenario.parent.parent / "saves").glob("*.seed")]


def test_a_battle_named_on_the_command_line_waits_for_its_words(scenario: Path) -> None:
    opened, told = open_target(str(scenario), None, our_systems())
    assert isinstance(opened, Beginning)
    assert opened.sides == ("Japan", "Russia")
    assert not told
    assert not list((scenario.parent.parent / "saves").glob("*"))


def test_a_shot_is_recorded_before_the_bar_asks_for_its_call() -> None:
    """And costs no key more than one with dice: `f h t s 4 1 Enter 3 7 Enter`."""
    session = yellow_sea()

    async def steps(table: Table) -> None:
        await table.press(*"fhts41", "enter")
        assert session.timeline.log[-1].version is not None
        assert session.timeline.log[-1].version.order.line == "fire mikasa heavy tsesarevich 41in"
        assert "call >" in table.text()
        assert "call a number: black D12, white D12" in " ".join(table.text().split())
        await table.press("3", "7")
        assert "call 37 throws" in table.text()
        await table.press("enter")
        assert session.timeline.versions[4].order.line.startswith("roll 3/fire/mikasa/1 ")
        assert session.timeline.versions[4].call == 37
        assert "(call 37)" in table.text()
        assert "call >" not in table.text()

    play(session, steps)


def test_second_thoughts_by_keys() -> None:
    """Undone and entered again, another call in the history, another range; typed faces only by force."""
    session = yellow_sea()

    async def steps(table: Table) -> None:
        await table.press(*"fhts41", "enter", "3", "7", "enter")
        wanted = faces_of(session, 4)
        await table.press("u", "enter", "o", "3", "7", "enter")
        assert faces_of(session, 6) == wanted
        await table.press("h", "enter", *keys_of("38"), "enter")
        assert session.timeline.versions[6].call == 38
        await table.press("escape", "slash", *keys_of("fire asahi heavy tsesarevich 41in 3 8"), "enter")
        assert "the dice of this battle are sealed" in table.text()
        await table.press("f2")
        assert session.timeline.versions[session.timeline.play_order[-1]].forced

    play(session, steps)


def test_a_call_goes_into_a_dialog_and_into_a_volley() -> None:
    session = yellow_sea()

    async def steps(table: Table) -> None:
        await table.press(*"fhts41", "space")
        assert "the call (or later)" in table.text()
        await table.press(*keys_of("call 5"), "enter")
        assert session.timeline.versions[3].call == 5
        await table.press("g", *keys_of("asahi"), "enter", "F", "4", "1", "space", "1", "2", "enter")
        assert "12" in table.text()
        await table.press("f2")
        called = [session.timeline.versions[number].call for number in session.timeline.play_order]
        assert called.count(12) == 1

    play(session, steps)


def test_the_seed_is_revealed_once() -> None:
    session = yellow_sea()

    async def steps(table: Table) -> None:
        await table.order("reveal")
        assert not session.sealed
        await table.order("reveal")
        assert "revealed the seed already" in table.text()
        await table.press("escape", *"fhts41", "space", "3", "8", "enter")
        assert faces_of(session, session.timeline.play_order[-1]) == (3, 8)

    play(session, steps)
