"""The page for viewers across the room, and the lists that are read aloud from it."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from textual.content import Content

from qf_tui.console.battle.screen import BattleScreen
from qf_tui.console.battle.view import WatchScreen
from qf_tui.document.glance import build_glance
from qf_tui.features.wall_display.actions import open_wall
from qf_tui.features.wall_display.letters import BLOCKS, HALVES, draw_letters
from qf_tui.features.wall_display.screen import WallDisplay, build_wall_lines, list_standing_notes
from qf_tui.library.settings import Settings
from qf_tui.session import Session
from qf_tui.session.saves import build_header
from tests.console.playing import HOSTILE, SIZES, Size, Table, begin_examples, begin_gunnery, with_console
from tests.console.test_watch import begin_in_gunnery, wait_for, watch
from tests.corrections.ground import Ground
from tests.corrections.grounds import GROUNDS
from tests.corrections.random_battles import draw_corrected
from tests.features.points.scored import add_points, begin_hostile, build_rule
from tests.journal.making import save_bytes
from tests.session.test_following import LINES


@pytest.mark.parametrize("size", SIZES)
def test_entries_and_corrections_of_the_writer_are_on_the_page_at_once(tmp_path: Path, size: Size) -> None:
    writer = begin_in_gunnery(tmp_path / "one.qfb")

    async def wait_for_large(table: Table, text: str) -> None:
        large = (draw_letters(text, table.app.size.width, letters, 0) for letters in (HALVES, BLOCKS))
        await wait_for(table, text, *(lines[-1].strip() for lines in large if lines))

    async def steps(table: Table) -> None:
        await table.press("v")
        assert isinstance(table.top, WallDisplay)
        writer.enter("fire borodino heavy mikasa long 10 8")
        await wait_for_large(table, "Borodino heavy at Mikasa, long · dice 10 8")
        writer.enter("undo")
        await wait_for_large(table, "STRIKES")
        await table.press("escape")
        assert isinstance(table.top, WatchScreen)

    watch(tmp_path / "one.qfb", steps, size)
    writer.close()


def test_a_battle_that_replaces_the_save_is_on_the_page(tmp_path: Path) -> None:
    save, other = tmp_path / "one.qfb", GROUNDS["gq2"]
    begin_in_gunnery(save).close()
    start = other.start(False)

    async def steps(table: Table) -> None:
        await table.press("v")
        save.write_bytes(save_bytes(build_header(other.system, start), ()))
        await wait_for(table, "no entry yet")
        assert isinstance(table.top, WallDisplay)
        assert table.top.source.system is other.system
        await table.press("escape")
        assert "it now holds another battle" in table.text()

    watch(save, steps)


@pytest.mark.parametrize("size", SIZES)
def test_the_page_fits_and_marks_what_is_cut(size: Size) -> None:
    """Show more rolls, changes and longer names than any size has room for."""
    session = begin_gunnery(HOSTILE)
    for ship in ("mikasa", "massena", "borodino", "ohio", "mikasa", "ohio", "massena"):
        session.enter(f"damage {ship} S F E")
    seen = build_glance(session.system, session.timeline)
    assert seen.owed > len(seen.to_throw)
    width, height = size[0] - 4, size[1] - 3
    lines = build_wall_lines(session, seen, width, height)
    assert len(lines) <= height
    assert all(line.cell_length <= width for line in lines)
    text = Content("\n").join(lines).plain
    assert "v lists all" in text
    assert "TO THROW" in text
    assert "ON THE TABLE" in text


def is_lettered(text: str, words: str, size: Size, letters: int) -> bool:
    """Return whether a screen shows every row of words in letters of a size."""
    rows = draw_letters(words, size[0] - 4, letters, 0 if letters == HALVES else 1)
    shown = [row.strip() for row in text.splitlines()]
    wanted = [row.strip() for row in rows if row.strip()]
    return bool(wanted) and all(any(want in row for row in shown) for want in wanted)


@pytest.mark.parametrize("size", SIZES)
def test_the_last_entry_is_in_large_letters_outcome_first_at_every_size(tmp_path: Path, size: Size) -> None:
    save = tmp_path / "one.qfb"
    save.write_bytes(b"".join(LINES[:163]))

    async def steps(table: Table) -> None:
        assert isinstance(table.top, WallDisplay)
        text = table.text()
        size_of_act = BLOCKS if size[0] == 200 else HALVES
        assert is_lettered(text, "Tsesarevich: G S", size, size_of_act)
        assert "162  Mikasa heavy at Tsesarevich, 27″ · dice 2 5" in text
        acting = "still to act: Japan 16, Russia 10"
        assert is_lettered(text, acting.replace(":", ""), size, HALVES) is (size[0] == 200)
        assert (acting.upper() in text) is (size[0] < 200)
        assert "POINTS  Japan: 0 points · Russia: 0 points" in text
        assert "ON THE TABLE" in text
        await table.press("v")
        assert "On the table, in turn 7" in table.text()
        await table.press("escape", "q")
        assert table.app.return_code == 0

    watch(save, steps, size, open_wall)


@pytest.mark.parametrize("ground", GROUNDS.values(), ids=GROUNDS)
@settings(max_examples=settings().max_examples // 2)
@given(data=st.data())
def test_the_page_of_any_battle_fits_and_omits_nothing_silently(ground: Ground, data: st.DataObject) -> None:
    """Mark each cut text with a sign, or count the rest with the key that lists it."""
    timeline = data.draw(draw_corrected(ground)).timeline
    source = Session(ground.system, timeline)
    seen = build_glance(ground.system, timeline)
    told = (*seen.to_throw, *(words for _, words in seen.on_table))
    for width, height in ((76, 21), (116, 33), (196, 57)):
        lines = build_wall_lines(source, seen, width, height)
        assert len(lines) <= height
        assert all(line.cell_length <= width for line in lines)
        plain = " ".join(Content("\n").join(lines).plain.split())
        for words in told:
            large = draw_letters(words, width, HALVES, 0)[-1:] + draw_letters(words, width, BLOCKS)[-1:]
            there = " ".join(words.split()) in plain or any(" ".join(row.split()) in plain for row in large)
            assert there or "v lists all" in plain or "…" in plain, words


@pytest.mark.parametrize("ground", GROUNDS.values(), ids=GROUNDS)
def test_the_page_is_drawn_for_every_rule_system_before_its_first_entry(ground: Ground) -> None:
    session = Session.begin(ground.system, ground.start(False))
    lines = build_wall_lines(session, build_glance(session.system, session.timeline), 76, 21)
    assert len(lines) <= 21
    assert "no entry yet" in Content("\n").join(lines).plain


@with_console(begin_gunnery)
async def test_q_on_the_page_leads_back_to_a_battle_that_is_written(table: Table) -> None:
    await table.press("v")
    assert isinstance(table.top, WallDisplay)
    await table.press("q")
    assert isinstance(table.top, BattleScreen)
    assert table.app.return_code is None


@with_console(lambda: begin_gunnery(HOSTILE), "damage mikasa S", "damage ohio S S")
async def test_changes_on_the_table_are_read_aloud_line_by_line(table: Table) -> None:
    await table.press("v", "v")
    assert "On the table, in turn 1" in table.text()
    await table.press("v")
    first = table.text()
    assert "1 of 2" in first
    assert "█" in first
    await table.press("enter")
    # Characters that the font lacks are shown plain and spaced.
    assert "艦" in table.text()
    await table.type("enter escape escape")
    assert table.app.screen is table.screen


@with_console(
    begin_gunnery, "fire mikasa heavy borodino long 4 8", size=(120, 36), settings=Settings(signs="ascii")
)
async def test_large_letters_use_full_characters_in_ascii(table: Table) -> None:
    """Avoid half blocks, which would all become the same character."""
    await table.press("v")
    assert table.text().isascii()
    table.expect("##  ##  ##", "HEAVY ROF")


@with_console(begin_examples, size=(80, 24), settings=Settings(minutes=15))
async def test_the_clock_of_a_phase_is_on_the_page(table: Table) -> None:
    await table.press("v")
    assert "15 MIN LEFT · STILL TO ACT" in table.text()


@pytest.mark.parametrize("size", SIZES)
@with_console(begin_hostile, "leave borodino sunk")
async def test_points_are_on_the_page_without_secret_ones(table: Table, size: Size) -> None:
    await table.press("v")
    assert isinstance(table.top, WallDisplay)
    shown = " ".join(table.text().split())
    assert "POINTS Blue: 3 points · Red: 0 points" in shown
    assert "8 points" not in shown
    table.session.enter("leave mikasa sunk")
    table.top.show()
    await table.settle()
    assert "POINTS Blue: 3 points · Red: 2 points" in " ".join(table.text().split())


def test_secret_points_change_no_line_of_the_page() -> None:
    pages = []
    for points in (1, 9):
        session = begin_hostile()
        secret = build_rule("red", "blue", points, secret=True)
        session = add_points(session, *session.timeline.start.plan.victory[:2], secret)
        session.enter("leave mikasa sunk")
        notes = tuple(list_standing_notes(session.system, session.timeline))
        seen = build_glance(session.system, session.timeline)
        pages.append([line.plain for line in build_wall_lines(session, seen, 76, 21, "", notes)])
    assert pages[0] == pages[1]
    assert any("2 points" in line for line in pages[0])
