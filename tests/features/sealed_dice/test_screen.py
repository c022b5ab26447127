"""Sealed dice in the console: the seal and the words, calls, the revealed seed."""

import re
from pathlib import Path

import pytest

from qf_tui.console.widgets.text import Signs
from qf_tui.features.sealed_dice.screen import SealScreen, draw_qr_lines
from qf_tui.features.sealed_dice.seal import build_seal_qr, list_seal_words, read_seal
from qf_tui.library.paths import find_shipped_folder
from qf_tui.session.opening import Beginning, open_target
from tests.console.playing import Table, with_console
from tests.features.sealed_dice.club import begin_yellow_sea, find_faces
from tests.systems import find_our_systems

SEAL = "381c7bce8033c694a8cbed4a3ba4d42a66ea705ce2dd37a7d93b9bc64a081b7b"


@pytest.fixture
def scenario(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Write the umpire's own scenario with sealed dice."""
    home = tmp_path / "home"
    monkeypatch.setenv("QF_TUI_HOME", str(home))
    ours = (find_shipped_folder("fleets") / "scenarios" / "ulsan-1904.toml").read_text("utf-8")
    path = home / "scenarios" / "ulsan-sealed.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text('dice = "sealed"\n' + re.sub(r"(?m)^dice.*\n", "", ours), "utf-8")
    return path


def test_a_seal_is_eight_words_and_a_code() -> None:
    """Guard against another word list, other bits, or a code drawn mirrored or rotated."""
    assert " ".join(list_seal_words(SEAL)) == "day toilet victory about detect engage permit laundry"
    assert list_seal_words("0" * 64) == ("abandon",) * 8
    assert list_seal_words("f" * 64) == ("zoo",) * 8
    code = build_seal_qr(SEAL)
    finder = [row[:7] for row in code[:7]]
    assert [row[-7:] for row in code[:7]] == finder == [row[:7] for row in code[-7:]]
    lines = [line.plain for line in draw_qr_lines(SEAL)]
    assert len({len(line) for line in lines}) == 1
    assert lines[1].startswith("██ ▄▄▄▄▄ █")


def test_ascii_signs_draw_no_code_of_a_seal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Guard against a picture whose signs hide half of the code."""
    monkeypatch.setattr(Signs, "ascii", True)
    assert draw_qr_lines(SEAL) == []


@with_console(size=(80, 24))
async def test_the_seal_is_shown_before_the_words_and_the_battle(table: Table, scenario: Path) -> None:
    for _ in range(3):
        await table.press("escape")
    await table.type("ulsan-sealed enter enter")
    assert isinstance(table.top, SealScreen)
    seal = table.top.dice.seal
    wanted = (*list_seal_words(seal), "Japan", "Russia", "Esc does not begin")
    assert all(word in table.text() for word in wanted)
    await table.type("two_words enter enter")
    assert "is not one word" in table.text()
    await table.press("escape", "enter")
    assert isinstance(table.top, SealScreen)
    assert table.top.dice.seal != seal, "a seal that was not begun with is gone"
    await table.type("Amber enter enter")
    assert "proves nothing" in table.text()
    await table.type("tiger enter")
    assert table.session.calls
    sealed = read_seal(table.session.extra)
    assert sealed is not None
    assert sealed.words == ("amber", "tiger")
    await table.type("f4 seal enter")
    assert "words: Japan: amber · Russia: tiger" in table.text()
    assert [path.name for path in (scenario.parent.parent / "saves").glob("*.seed")]


def test_a_battle_named_on_the_command_line_waits_for_its_words(scenario: Path) -> None:
    opened, told = open_target(str(scenario), None, find_our_systems())
    assert isinstance(opened, Beginning)
    assert opened.sides == ("Japan", "Russia")
    assert not told
    assert not list((scenario.parent.parent / "saves").glob("*"))


@with_console(begin_yellow_sea)
async def test_a_shot_is_recorded_before_the_bar_asks_for_its_call(table: Table) -> None:
    """Use no more keys than with dice: `f h t s 4 1 Enter 3 7 Enter`."""
    await table.type("fhts41 enter")
    assert table.session.timeline.log[-1].version is not None
    assert table.session.timeline.log[-1].version.order.line == "fire mikasa heavy tsesarevich 41in"
    assert "call >" in table.text()
    asks = "two D10 thrown in the open (00-99) are the call, which throws: black D12, white D12"
    assert asks in " ".join(table.text().split())
    await table.press("3", "7")
    assert "call 37 throws" in table.text()
    await table.press("enter")
    assert table.session.timeline.versions[4].order.line.startswith("roll 3/fire/mikasa/1 ")
    assert table.session.timeline.versions[4].call == 37
    assert "(call 37)" in table.text()
    assert "call >" not in table.text()


@with_console(begin_yellow_sea)
async def test_sealed_throws_can_be_changed_by_keys(table: Table) -> None:
    """Undo and enter again, change the call in the history, change the range, and force typed faces."""
    await table.type("fhts41 enter 37 enter")
    wanted = find_faces(table.session, 4)
    await table.type("u enter o37 enter")
    assert find_faces(table.session, 6) == wanted
    await table.type("h enter 38 enter")
    assert table.session.timeline.versions[6].call == 38
    await table.type("escape slash fire_asahi_heavy_tsesarevich_41in_3_8 enter")
    assert "the dice of this battle are sealed" in table.text()
    await table.press("f2")
    assert table.session.timeline.versions[table.session.timeline.play_order[-1]].forced


@with_console(begin_yellow_sea)
async def test_a_call_can_be_typed_in_a_dialog_and_in_a_volley(table: Table) -> None:
    await table.type("fhts41 space")
    assert "the call (or later)" in table.text()
    await table.type("call_5 enter")
    assert table.session.timeline.versions[3].call == 5
    await table.type("gasahi enter F41 space 12 enter")
    assert "12" in table.text()
    await table.press("f2")
    called = [table.session.timeline.versions[number].call for number in table.session.timeline.play_order]
    assert called.count(12) == 1


@with_console(begin_yellow_sea)
async def test_the_seed_can_be_revealed_only_once(table: Table) -> None:
    await table.order("reveal")
    assert not table.session.calls
    await table.order("reveal")
    assert "already revealed the seed" in table.text()
    await table.type("escape fhts41 space 38 enter")
    assert find_faces(table.session, table.session.timeline.play_order[-1]) == (3, 8)


@with_console(begin_yellow_sea)
async def test_a_call_goes_to_the_first_roll(table: Table) -> None:
    """Guard against a bar for the newest shot while the owed line names another."""
    await table.type("fhts41 enter escape gasahi enter fhts41 enter 37 enter")
    log = table.session.timeline.versions
    assert [log[number].order.key for number in log if log[number].call == 37] == ["3/fire/mikasa/1"]
