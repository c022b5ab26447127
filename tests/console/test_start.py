"""The first screen: its list, what it opens, and how it shows faulty and foreign files."""

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from textual.screen import Screen

from qf_tui.console.app import Console
from qf_tui.console.setup.start import StartScreen, list_saves, read_ends, read_whole
from qf_tui.core.errors import QfError
from qf_tui.journal.saving import Journal
from qf_tui.library.paths import find_own_folder, list_shelf
from qf_tui.library.scenarios import load_scenario
from qf_tui.library.systems import find_systems
from qf_tui.session import Session
from qf_tui.session.opening import open_target
from qf_tui.session.saves import RulesFault
from tests.console.playing import (
    ENDS,
    HOSTILE,
    LONG,
    Size,
    Table,
    begin_gunnery,
    begin_saved,
    compare,
    play,
    with_console,
    write_hostile_scenario,
)
from tests.journal.making import seal_lines
from tests.systems import find_our_systems

NOON = 1_700_050_000


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("QF_TUI_HOME", str(tmp_path))
    (tmp_path / "saves").mkdir()
    (tmp_path / "scenarios").mkdir()
    return tmp_path


def write_save(path: Path, title: str, age: int = 0, orders: tuple[str, ...] = ()) -> Path:
    """Write a save with a title, `age` days before a fixed noon."""
    system, start = load_scenario("rulebook-examples", find_systems())
    session = Session.begin(system, evolve(start, table={**start.table, "title": title}), path)
    for order in orders:
        session.enter(order)
    session.close()
    os.utime(path, (NOON - age * 86400,) * 2)
    return path


def spoil(path: Path, line: int) -> None:
    """Change one byte of a line."""
    lines = path.read_bytes().split(b"\n")
    lines[line] = lines[line].replace(b"movement", b"moovment").replace(b"note", b"nota")
    path.write_bytes(b"\n".join(lines))
    os.utime(path, (NOON,) * 2)


def test_the_newest_save_is_offered_first_with_its_phase(home: Path) -> None:
    session = begin_saved(home / "saves" / "bench.qfb")
    session.enter("next")
    session.close()

    async def steps(table: Table) -> None:
        table.expect(
            "Continue", "turn 1, First gunnery · 1 entry · today", "afloat: Blue 13 of 13, Red 11 of 11"
        )
        await table.press("enter")
        assert table.battle.phase == "first-gunnery"
        assert "NOT SAVED" not in table.text()
        table.session.close()

    play(None, steps)


def test_the_list_is_drawn_before_files_are_read_in_full(home: Path) -> None:
    """Detect a first picture, or a key, that waits for every file on the shelf."""
    write_save(home / "saves" / "bench.qfb", "Bench")
    read: list[int] = []

    class Watched(Console):
        def _display(self, screen: Screen[Any], renderable: object) -> None:
            if isinstance(screen, StartScreen) and renderable is not None:
                read.append(sum(offer.is_whole for offer in screen.lazy_offers.offers.values()))

    async def run() -> None:
        async with Watched(find_systems(), None).run_test(size=(120, 40)) as pilot:
            while not read or read[-1] < len(list_shelf("scenarios")):
                await pilot.pause()

    asyncio.run(run())
    assert read[0] == 1, "the line for a battle of one's own needs no file"
    assert len(set(read)) > 3


def test_letters_filter_the_list_and_a_key_shows_older_saves(home: Path) -> None:
    """Detect a key without effect or message on a battle that is saved."""
    for number in range(12):
        write_save(home / "saves" / f"s{number}.qfb", f"Battle {number:02}", number)

    async def steps(table: Table) -> None:
        assert "Battle 05" in table.text()
        assert "Battle 06" not in table.text()
        assert "6 older saves" in table.text()
        await table.press("f3")
        table.expect("Only a scenario can be copied", "Enter continues a saved battle")
        await table.write("battle 03")
        assert "▸ Battle 03" in table.text(), "the first that fits is under the cursor"
        assert "Battle 05" not in table.text()
        await table.type("escape zzz")
        assert "nothing matches “zzz”" in table.text()
        await table.press("enter", *["backspace"] * 3)
        assert "Battle 05" in table.text()
        await table.press("tab", *("down",) * 5, "enter")
        assert "Battle 06" in table.text()
        await table.type("escape 11")
        assert "Battle 11" in table.text()

    play(None, steps)


def test_a_save_of_another_console_is_marked_before_and_after_opening(home: Path) -> None:
    path = write_save(home / "saves" / "bench.qfb", "Held")
    other, _ = Journal.open(path)

    async def steps(table: Table) -> None:
        table.expect("open in another console: watch only", "nothing is recorded")
        await table.press("enter")
        table.expect("WATCHING", "another console has it open")

    play(None, steps)
    other.close()


@pytest.mark.parametrize("line", [0, 2, 18])
def test_a_damaged_save_is_listed_with_its_fault_and_blocks_no_other(home: Path, line: int) -> None:
    notes = tuple(f"note {'x' * 1900} {number}" for number in range(20))
    write_save(home / "saves" / "good.qfb", "Sound", 1)
    spoil(write_save(home / "saves" / "bad.qfb", "Spoilt", orders=notes), line)

    async def steps(table: Table) -> None:
        table.expect(f"✗ bad.qfb, line {line + 1}", "Sound")
        await table.press("enter")
        table.expect("cannot be opened", "overwritten")
        await table.press("down", "enter")
        assert table.battle.table["title"] == "Sound"
        table.session.close()

    play(None, steps)


NO_SAVES = (b"", b"\0" * 50, b'{"n":0,"save":"qf-tui","format":', b'{"n":0,"save":"qf-tui","format":9}\n')


ORDERS = ("next", "fire mikasa heavy borodino long 4 8", "note three", "force next", "note five")


@pytest.mark.parametrize(
    "more",
    [
        (),
        ("undo",),
        ("undo 2",),
        ("strike 1",),
        ("strike 3",),
        ("strike 5",),
        ("undo 2", "redo"),
        ("insert 1 note so",),
        ("undo 3", "undo 1"),
    ],
)
def test_the_ends_of_a_save_show_the_same_as_the_whole(home: Path, more: tuple[str, ...]) -> None:
    path = write_save(home / "saves" / "a.qfb", "[/ “title”", orders=(*ORDERS, *more))
    ends, whole = read_ends(path, find_systems()), read_whole(path, find_systems())
    assert (ends.title, ends.system, ends.acts) == (whole.title, whole.system, whole.acts)
    assert ends.turn_and_phase in ("", whole.turn_and_phase)
    if more in ((), ("undo",), ("strike 5",)):
        assert ends.turn_and_phase


def test_saves_are_listed_without_reading_them_in_full(home: Path) -> None:
    """Put a megabyte that no reader accepts between the ends."""
    orders = (*(f"note {number}" for number in range(100)), "next")
    path = write_save(home / "saves" / "s.qfb", "Long", orders=orders)
    whole = read_whole(path, find_systems())
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join((*lines[:10], b"x" * 1_000_000 + b"\n", *lines[10:])))
    ends = read_ends(path, find_systems())
    assert (ends.title, ends.acts, ends.turn_and_phase) == (whole.title, whole.acts, whole.turn_and_phase)
    assert read_whole(path, find_systems()).fault
    assert list_saves(find_own_folder("saves")) == [path]


@with_console()
async def test_a_scenario_shows_its_order_of_battle_before_it_is_begun(table: Table, home: Path) -> None:
    await table.type("rulebook-examples enter")
    text = table.text()
    assert "Blue: 13 ships" in text
    assert "line · Anna" in text
    assert "gunnery" in text
    assert "estimated" in text or "attested" in text
    assert "medium, in" in text
    await table.press("r")
    assert "No other rules can play it" in table.text()
    assert "expected “gq2”, found “advanced-quickfire”" in table.read_words()
    await table.type("escape escape enter enter n enter")
    assert table.list_orders() == ["next"]
    assert {path.suffix for path in (home / "saves").iterdir()} == {".qfb", ".lock", ".end"}
    table.session.close()


def test_a_scenario_is_begun_under_the_next_rules_and_lists_what_is_left_out(home: Path) -> None:
    """Detect a rule system that is shown but not used, and keys of another one dropped silently."""
    (home / "scenarios" / "mine.toml").write_text(
        'title = "Mine"\nruleset = "advanced-quickfire"\nscale = "small"\n[suits]\ngq2 = "by night"\n'
        '[[side]]\nname = "A"\nnavy = "japan"\nyear = 1904\nships = ["mikasa"]\n'
    )

    async def steps(table: Table) -> None:
        await table.type("mine enter")
        table.expect("Advanced Quickfire · small, in", "suits other rules better: gq2 (by night)")
        assert "left out" not in table.text()
        await table.press("r")
        table.expect(
            "General Quarters 2 · standard, in",
            "not used under General Quarters 2: scale small",
            "suits it: by night",
        )
        await table.press("enter")
        assert table.session.system.name == "gq2"
        table.session.close()

    play(None, steps)


def test_opening_a_scenario_by_name_lists_what_the_rules_leave_out(home: Path) -> None:
    """Detect `--rules` that drops the opening speeds silently."""
    session, told = open_target("tsushima-1905", None, find_our_systems(), "gq2")
    assert isinstance(session, Session)
    ships = "mikasa, shikishima, fuji and 21 more"
    assert told == f"not used under General Quarters 2: scale small, the start of {ships}"

    async def steps(table: Table) -> None:
        assert "not used under General Quarters 2: scale small" in table.text()
        await table.order("note so")
        assert "left out" not in table.text()

    play(session, steps, fault=told)
    session.close()


def test_a_faulty_scenario_lists_its_first_fault_and_shows_all_of_them(home: Path) -> None:
    text = 'title = "[/ wrong"\nruleset = "advanced-quickfire"\ndice = 3\nstrict = 4\n'
    (home / "scenarios" / "wrong.toml").write_text(text)
    (home / "scenarios" / "torn.toml").write_text("title = ")

    async def steps(table: Table) -> None:
        assert "✗ dice: expected one of" in table.text()
        assert "✗ " in next(line for line in table.text().splitlines() if " torn " in line)
        await table.type("wrong enter")
        table.expect("cannot be opened", "strict: expected true or false", "3 faults")

    play(None, steps)


def test_the_first_screen_reports_a_missing_battle(home: Path) -> None:
    with pytest.raises(QfError) as fault:
        open_target("no-such-battle", None, find_systems())

    async def steps(table: Table) -> None:
        assert "no-such-battle" in table.text()

    play(None, steps, fault=str(fault.value))


@with_console()
async def test_a_sample_battle_is_opened_as_a_copy_that_is_saved(table: Table, home: Path) -> None:
    assert "▸ Yellow Sea" in table.text(), "the sample comes first where there is no save to go on with"
    await table.press("enter")
    assert "NOT SAVED" not in table.text()
    before = len(table.session.timeline.log)
    await table.order("note from here on")
    assert len(table.session.timeline.log) == before + 1
    path = table.session.journal.path
    assert path is not None
    assert path.parent == home / "saves"
    table.session.close()


def test_a_double_click_opens_and_a_click_on_a_key_does_its_action(home: Path) -> None:
    write_save(home / "saves" / "a.qfb", "Sound")

    async def steps(table: Table) -> None:
        lines = table.text().splitlines()
        keys = next(place for place, line in enumerate(lines) if "F2 set up" in line)
        await table.pilot.click(offset=(lines[keys].index("F2"), keys))
        assert "Setting up" in table.text()
        await table.type("escape examples f3")
        assert "Setting up" in table.text(), "a copy of a scenario"
        await table.press("escape", "escape")
        row = next(place for place, line in enumerate(table.text().splitlines()) if "Sound" in line)
        await table.pilot.click(offset=(6, row), times=2)
        await table.pilot.pause()
        assert table.battle.table["title"] == "Sound"
        table.session.close()

    play(None, steps)


@pytest.mark.parametrize("size", ENDS)
def test_the_first_screen_looks_like_its_golden_picture(home: Path, size: Size) -> None:
    """Show hostile titles, a save in use, a damaged one, and a faulty scenario."""
    for age, (name, title) in enumerate(HOSTILE.items()):
        write_save(home / "saves" / f"qq-{name}.qfb", title, age, ("next",))
    spoil(write_save(home / "saves" / "qq-zz.qfb", "Spoilt", 9), 0)
    write_hostile_scenario(home)
    text = f'title = "{LONG} [/"\nruleset = "advanced-quickfire"\ndice = 3\n'
    (home / "scenarios" / "qq-wrong.toml").write_text(text)
    other, _ = Journal.open(home / "saves" / "qq-massena.qfb")

    async def steps(table: Table) -> None:
        await table.type("qq down down")
        text = table.text()
        assert max(len(line) for line in text.splitlines()) <= size[0]
        compare(f"start-{size[0]}x{size[1]}", text)
        await table.type("escape qq-hostile enter")
        compare(f"start-scenario-{size[0]}x{size[1]}", table.text())

    play(None, steps, size)
    other.close()


def test_saves_of_one_title_differ_on_the_narrowest_screen(home: Path) -> None:
    """Detect the differing part cut off after the long title of two evenings."""
    for name in ("evening-1", "evening-2"):
        write_save(home / "saves" / f"{name}.qfb", "A battle with a title as long as they get")

    async def steps(table: Table) -> None:
        table.expect("evening-1: A battle", "evening-2: A battle")

    play(None, steps, (80, 24))


ESC = "\x1b]0;PWNED\x07"


def read_bodies(path: Path) -> list[bytes]:
    """Read the bodies of a save's lines, without their checksums."""
    return [line.rpartition(b',"sum":')[0] + b"}" for line in path.read_bytes().splitlines()]


def replace_last(body: bytes) -> Callable[[list[bytes]], list[bytes]]:
    """Replace the last line of a save."""
    return lambda lines: [*lines[:-1], body]


def _nest_deeply(lines: list[bytes]) -> list[bytes]:
    return [
        lines[0].replace(b'"table":{', b'"table":{"a":' + b"[" * 39_000 + b"]" * 39_000 + b",", 1),
        *lines[1:],
    ]


def _set_title(lines: list[bytes]) -> list[bytes]:
    return [lines[0].replace(b'"title":"', b'"title":"\\u001b]0;PWNED\\u0007', 1), *lines[1:]]


STRANGE = {
    "deep": _nest_deeply,
    "title": _set_title,
    "garbage": replace_last(b'{"n":1,"correction":garbage}'),
    "targets-mixed": replace_last(b'{"n":1,"order":"undo","targets":["a",1]}'),
    "targets-table": replace_last(b'{"n":1,"order":"undo","targets":{"a":1}}'),
    "targets-number": replace_last(b'{"n":1,"order":"undo","targets":5}'),
    "phase": replace_last(
        b'{"n":1,"order":"next","rulings":{"1":{"does":[["phase","","fire",[1e999,false]]]}}}'
    ),
    "deceiving": replace_last('{"n":1,"order":"note a\u202eb"}'.encode()),
    "no-table": replace_last(b"[1,2,3]"),
}


def write_sound_save(path: Path) -> Path:
    system, start = load_scenario("rulebook-examples", find_systems())
    session = Session.begin(system, start, path)
    session.enter("next")
    session.close()
    return path


def test_no_strange_save_keeps_the_first_screen_from_opening(home: Path) -> None:
    """Detect a file that ends the console at each start until it is removed."""
    lines = read_bodies(write_sound_save(home / "saves" / "sound.qfb"))
    for at, data in enumerate(NO_SAVES):
        (home / "saves" / f"odd-{at}.qfb").write_bytes(data)
    (home / "saves" / "folder.qfb").mkdir()
    for name, change in STRANGE.items():
        (home / "saves" / f"strange-{name}.qfb").write_bytes(seal_lines(*change(lines)))
    (home / "scenarios" / "deep.toml").write_text(f"a = {'[' * 9000}{']' * 9000}\n", encoding="utf-8")

    async def steps(table: Table) -> None:
        await table.press("end", "home", *["down"] * 20, *"strange-")
        text = table.text()
        assert all(f"strange-{name}" in text for name in STRANGE if name != "title"), text
        assert all(sign.isprintable() or sign == "\n" for sign in text)
        for _ in STRANGE:
            await table.press("down")
        await table.type("escape sound enter")
        assert table.list_orders() == ["next"]

    play(None, steps, (120, 36))


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such names")
def test_no_file_name_controls_the_terminal_or_forges_a_line(home: Path) -> None:
    write_sound_save(home / "saves" / f"x{ESC}.qfb")
    write_sound_save(home / "saves" / "y\n✗ This cannot be opened:\nz.qfb")
    (home / "scenarios" / f"s{ESC}\nq.toml").write_text("no = [", encoding="utf-8")
    (home / "saves" / f"broken{ESC}\nforged.qfb").write_bytes(b'{"n":0,"save":"qf-tui","format":')

    async def steps(table: Table) -> None:
        assert table.app.size == (120, 36)
        lines = table.text().splitlines()
        assert all(line.isprintable() for line in lines)
        assert not any(line.strip().startswith(("z.qfb", "forged", "✗ This cannot")) for line in lines)
        for _ in range(12):
            await table.press("down")
            assert all(line.isprintable() for line in table.text().splitlines())

    play(None, steps, (120, 36))


def test_an_error_of_the_rules_loses_nothing(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Detect a traceback from an order in a save that no rules made."""
    session = begin_gunnery()

    def trips(*_: object, **__: object) -> None:
        raise KeyError("crown")

    for name in ("work_out", "preview_prepared", "prepare_entry"):
        monkeypatch.setattr(f"qf_tui.session.session.{name}", trips)
    order = session.read("fire mikasa heavy borodino 41in").require_order()
    for tries in (lambda: session.enter(order.line), lambda: session.prepare(order)):
        with pytest.raises(RulesFault, match=r"cannot work this out \(KeyError: 'crown'.*was not entered"):
            tries()
    assert "crown" in session.preview_order(order).findings[0].text
    assert "crown" in (home / "fault.txt").read_text(encoding="utf-8")
    assert len(session.timeline.log) == 1


@with_console()
async def test_a_key_reads_all_files_again_while_one_is_edited(table: Table, home: Path) -> None:
    path = home / "scenarios" / "pond.toml"
    for title in ("First try", "Second try"):
        path.write_text(f'title = "{title}"\n', encoding="utf-8")
        assert title not in table.text()
        await table.press("f6")
        table.expect(title)
