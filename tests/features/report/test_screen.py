"""The report on the screen: computed while you play, searched, explained, written, stopped; its curve."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from threading import Event

import pytest
from textual.widget import Widget

from qf_tui.console.reading.document_view import build_block_lines
from qf_tui.core.errors import QfError
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Timeline
from qf_tui.document.values import Row, Section, Table, build_number_columns, build_text_columns
from qf_tui.features.report import job as jobs
from qf_tui.features.report.curve import MARGIN, Curve, CurvePoint, draw_tall_curve
from qf_tui.features.report.document import BattleReport
from qf_tui.features.report.screen import ReportScreen
from qf_tui.features.report.work import FileKind, Progress, save_report, work_out_report
from qf_tui.library.processes import Stopped
from qf_tui.session import Session
from tests.console.playing import HOSTILE, SIZES, Size, begin_examples, begin_gunnery, compare, with_console
from tests.console.playing import Table as Played

ORDERS = (
    "fire mikasa heavy borodino long 4 8",
    "fire borodino heavy mikasa long 4 10",
    "damage ohio F F E",
    "leave hannibal sunk",
    "note dusk is near",
)


def fight(names: dict[str, str] | None = None) -> Session:
    session = begin_gunnery(names)
    for order in ORDERS:
        session.enter(order)
    return session


async def open_finished(table: Played) -> ReportScreen:
    """Open the report and wait until it is computed."""
    await table.press("equals_sign")
    return await wait_finished(table)


async def wait_finished(table: Played) -> ReportScreen:
    """Wait until the report on the screen is computed."""
    screen = table.top
    assert isinstance(screen, ReportScreen)
    while screen.job.working:  # noqa: ASYNC110 - a thread has no event to wait for
        await asyncio.sleep(0.01)
    screen.look()
    await table.pilot.pause()
    assert not screen.job.fault
    return screen


@with_console(fight)
async def test_a_finished_report_draws_nothing_while_nothing_changes(
    table: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Looking for progress five times a second once sent the line below the list again each time."""
    screen = await open_finished(table)
    drawn: list[object] = []
    monkeypatch.setattr(Widget, "refresh", lambda widget, *_, **__: drawn.append(widget))
    screen.look()
    assert not drawn


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("names", ["plain", "hostile"])
@with_console(lambda names: fight(HOSTILE if names == "hostile" else None))
async def test_the_report_matches_its_golden_screen(table: Played, size: Size, names: str) -> None:
    screen = await open_finished(table)
    await table.press("tab", "tab")
    text = table.text()
    assert max(map(len, text.splitlines())) <= size[0]
    compare(f"report-{names}-{size[0]}x{size[1]}", text)
    assert all(line.draw(40).plain.isprintable() for line in screen.picks.lines)


@with_console(fight)
async def test_a_line_leads_to_its_entry_and_letters_narrow_the_report(table: Played) -> None:
    screen = await open_finished(table)
    assert "Red is ahead" in table.text()
    heads = [line.draw(60).plain for line in screen.picks.lines if line.section]
    assert heads[:3] == ["Advantage and luck", "Luck", "Now: turn 1, First gunnery"]
    assert "F8" not in table.read_foot()
    await table.press("f6")
    assert "Rules court" in table.text()
    await table.press("escape")
    assert "Rules court" not in table.text()
    await table.write("takes s g")
    table.expect("search: takes s g", "Borodino takes S G from Mikasa: S hits 0→1, heavy ROF 6→5.")
    assert "Afloat" not in table.text()
    await table.press("down", "question_mark")
    table.expect("Why: entry", "AQF-GUN-")
    await table.press("escape", "escape")
    assert "search:" not in table.text()
    await table.press("home", "enter")
    assert "not about one entry" in table.text()
    await table.press("escape")
    assert table.app.screen is table.screen


async def wait_for_text(table: Played, said: str) -> None:
    """Wait until the screen has these words, however they wrap."""
    for _ in range(3000):
        if said in table.read_words():
            return
        await asyncio.sleep(0.02)
    raise AssertionError(f"{said!r} did not come:\n{table.text()}")


def hold_work(monkeypatch: pytest.MonkeyPatch) -> Event:
    """Hold the work until the returned event is set."""
    gate = Event()

    def work_slowly(
        system: RuleSystem,
        timeline: Timeline,
        save: Path | None,
        progress: Progress,
        stopped: Callable[[], bool],
    ) -> BattleReport:
        progress(2, len(timeline.play_order))
        while not gate.wait(0.01):
            if stopped():
                raise Stopped
        return work_out_report(system, timeline, save, progress, stopped)

    monkeypatch.setattr(jobs, "work_out_report", work_slowly)
    return gate


@with_console(fight)
async def test_orders_can_be_entered_while_the_report_is_computed(
    table: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Guard against a report that blocks the keys, and one of another battle than its title says."""
    gate = hold_work(monkeypatch)
    await table.press("equals_sign")
    await asyncio.sleep(0.3)
    table.expect("working the battle out: 2 of 6 entries", "Now: turn 1")
    await table.press("f2")
    assert "nothing to write yet" in table.text()
    await table.type("escape slash note_in_the_meantime enter")
    assert table.list_orders()[-1] == "note in the meantime"
    gate.set()
    await wait_for_text(table, "the report is ready: = shows it")
    gate.clear()
    await table.press("equals_sign")
    assert "1 turn, 6 entries" in table.text()
    gate.set()
    await wait_finished(table)
    assert "1 turn, 7 entries" in table.text()


@with_console(fight)
async def test_the_work_can_be_stopped_and_begun_again(
    table: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = hold_work(monkeypatch)
    await table.press("equals_sign")
    assert "F8 stop" in table.read_foot()
    await table.press("f8")
    await wait_for_text(table, "stopped: F8 works the battle out")
    assert "F8 begin" in table.read_foot()
    gate.set()
    await table.press("f8")
    await wait_finished(table)
    assert "Red is ahead" in table.text()


@with_console(fight, size=SIZES[1])
async def test_every_fault_of_own_weights_has_a_line(
    table: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Guard against faults that are joined and cut off."""
    monkeypatch.setenv("QF_TUI_HOME", str(tmp_path))
    weights = "[advanced-quickfire]\n" + "".join(f"part-{at} = 1\n" for at in range(9))
    (tmp_path / "worth.toml").write_text(weights, encoding="utf-8")
    await table.press("equals_sign")
    await wait_for_text(table, "9 faults; F8 tries again")
    await wait_for_text(table, "part-8")
    assert all(f"part-{at}" in table.text() for at in range(9))
    assert "Now: turn 1" in table.text()
    await table.press("f6")
    await wait_for_text(table, "worth.toml: 9 faults")
    await wait_for_text(table, "part-8")
    assert all(f"part-{at}" in table.text() for at in range(9))


@with_console(
    lambda tmp_path: Session.begin(
        begin_examples().system, begin_examples().timeline.start, tmp_path / "kept.qfb"
    ),
    "next",
    *ORDERS,
)
async def test_a_key_writes_the_report_next_to_its_save_and_says_where(table: Played, tmp_path: Path) -> None:
    await open_finished(table)
    await table.press("f2")
    assert "kept-report.html" in table.text()
    await table.press("f2")
    assert "kept-report-2.html" in table.text()
    await table.press("f3")
    assert "kept-report.md" in table.text()
    assert (tmp_path / "kept-report.html").read_text(encoding="utf-8").startswith("<!")
    assert (tmp_path / "kept-report-2.html").exists()
    assert "Hannibal" in (tmp_path / "kept-report.md").read_text(encoding="utf-8")


def test_a_report_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    told = work_out_report(fight().system, fight().timeline, None, lambda done, of: None, lambda: False)
    (tmp_path / "file").touch()
    with pytest.raises(QfError, match="could not be written to"):
        save_report(told, tmp_path / "file" / "kept.qfb", FileKind.MARKDOWN)


def test_a_table_that_is_too_wide_becomes_sentences() -> None:
    """Guard against columns that are cut off on a narrow screen."""
    table = Table(
        (*build_text_columns("ship"), *build_number_columns("hits"), *build_text_columns("is")),
        (Row(("Mikasa", "3", "afloat"), 7), Row(("[/", "12", ""))),
    )
    wide = [line.content.plain for line in build_block_lines(Section("", (table,)), 40)]
    assert wide == ["       ship    hits  is", "    7  Mikasa     3  afloat", "       [/        12"]
    narrow = list(build_block_lines(Section("", (table,)), 20))
    assert [line.content.plain for line in narrow] == [
        "    7  Mikasa  hits 3 · is afloat",
        "       [/  hits 12",
    ]
    assert [line.entry for line in narrow] == [7, 0]


def build_curve(*values: float, turning: int | None = None, phases: int = 2) -> Curve:
    points = tuple(
        CurvePoint(at // phases + 1, f"phase {at % phases}", (1.0, 1.0), value, value / 2, 0.0)
        for at, value in enumerate(values)
    )
    return Curve(("Blue", "Red"), points, turning, "Blue gains", "Red gains", "points")


def draw(given: Curve, width: int = 60, high: int = 4) -> list[str]:
    return [line.text for line in draw_tall_curve(given, width, high)]


@pytest.mark.parametrize("width", [20, 60, 200])
@pytest.mark.parametrize("count", [1, 7, 60, 1000])
def test_a_curve_keeps_to_its_width_and_height(width: int, count: int) -> None:
    lines = draw(build_curve(*((-1) ** at * at for at in range(count)), turning=count // 2), width)
    charts = [line for line in lines if line[MARGIN:].strip("▁▂▃▄▅▆▇█▔▀ ") == "" and line[MARGIN:].strip()]
    assert max((len(line) for line in charts), default=0) <= width
    assert len(charts) <= 2 * 4
    assert sum("▲" in line for line in lines) == 1


def test_an_advantage_of_the_first_side_is_above_the_line() -> None:
    lines = draw(build_curve(4.0, 2.0, 0.0, -4.0), high=2)
    zero = next(at for at, line in enumerate(lines) if "───" in line)
    above, below = lines[zero - 1], lines[zero + 1]
    assert above[MARGIN:] == "███▄▄▄      "
    assert below[MARGIN:].rstrip() == "         ███"
    assert above.strip().startswith("+4.0")
    assert below.strip().startswith("-4.0")
    assert lines[zero].endswith(" -4.0")


def test_an_empty_half_of_the_curve_takes_no_line() -> None:
    lines = draw(build_curve(1.0, 2.0, 3.0), high=3)
    assert not [line for line in lines if "▔" in line or "▀" in line]


@pytest.mark.parametrize("at", [0, 3, 7])
def test_the_turning_point_is_marked_under_its_phase(at: int) -> None:
    values = [0.1] * 8
    values[at] = 9.0
    lines = draw(build_curve(*values, turning=at), high=2)
    mark = next(line for line in lines if "▲" in line)
    peak = next(line for line in lines if "█" in line)
    assert mark.index("▲") == peak.index("█", MARGIN)
    assert f"turn {at // 2 + 1}, phase {at % 2}" in mark


def test_turns_are_numbered_below_their_first_phase_if_there_is_room() -> None:
    lines = draw(build_curve(*range(8)))
    assert lines[-1].split() == ["turn", "1", "2", "3", "4"]
    close = draw(build_curve(*range(400), phases=1), width=30)[-1].split()[1:]
    assert close == sorted(close, key=int)
    assert len(close) < 10


def test_a_battle_without_gains_is_drawn_as_a_line() -> None:
    assert sum("───" in line for line in draw(build_curve(0.0, 0.0, 0.0))) == 2
