"""The report screen: how the battle is now, and its report, which appears as it is worked out."""

from collections.abc import Iterator
from pathlib import Path

from attrs import evolve
from textual.content import Content

from qf_tui.console.reading.document_view import (
    BETWEEN,
    build_block_lines,
    build_head_line,
    build_numbered_line,
    build_section_lines,
    render_blocks,
    render_document_line,
)
from qf_tui.console.reading.lookup import GAP, LookupLine, Rank, build_heading, find_matching
from qf_tui.console.reading.source import BattleSource, SourceScreen
from qf_tui.console.widgets.actions import Action
from qf_tui.console.widgets.keys import KeyBar, find_screen_key, format_key
from qf_tui.console.widgets.panel import Panel
from qf_tui.console.widgets.picklist import ELSE, FilterScreen, PickLine, build_about_lines, build_drawn_line
from qf_tui.console.widgets.text import cut, literal, wrap_hanging
from qf_tui.core.errors import QfError
from qf_tui.document.glance import VICTORY, build_present_document
from qf_tui.document.transcript import build_entry_document
from qf_tui.document.values import Document, Line
from qf_tui.features.report.actions import REPORT
from qf_tui.features.report.curve import draw_tall_curve, find_curve
from qf_tui.features.report.document import build_remarks
from qf_tui.features.report.job import ReportJob
from qf_tui.features.report.luck import LUCK
from qf_tui.features.report.work import FileKind, save_report

ADVANTAGE_AND_LUCK = "Advantage and luck"


def list_first_lines(report: Document, width: int, curve_height: int) -> Iterator[LookupLine]:
    """Yield the beginning of the report: its first lines, the lines on luck, the curve, tables of luck.

    Args:
        report: Document of the report.
        width: Cells across.
        curve_height: Lines of each chart of the curve.
    """
    luck = report.find_section(LUCK)
    yield from (
        build_numbered_line(line, numbered=False) for line in (*report.lines, *(luck.lines if luck else ()))
    )
    if curve := find_curve(report):
        # A search finds the drawing as a whole, as one item with its title.
        lines = (render_document_line(line) for line in draw_tall_curve(curve, width - BETWEEN, curve_height))
        yield from (
            GAP,
            build_head_line(ADVANTAGE_AND_LUCK),
            *(LookupLine(line, Rank.BELOW) for line in lines),
        )
    if luck is not None and luck.table is not None:
        other_blocks = tuple(block for block in luck.blocks if not isinstance(block, Line))
        yield from build_section_lines(evolve(luck, blocks=other_blocks), width)


def list_present_lines(source: BattleSource, width: int) -> Iterator[LookupLine]:
    """Yield how the battle is now, and every ship of each side."""
    present = build_present_document(source.system, source.timeline)
    yield build_head_line(present.title)
    yield from (LookupLine(render_document_line(line)) for line in present.lines)
    for section in present.sections:
        if section.id == VICTORY:
            yield from build_section_lines(section, width)
        else:
            yield GAP
            yield build_heading(section.title)
            yield from build_block_lines(section, width)


LOOKS = 0.2
"""Seconds between two checks of the progress."""
MESSAGE_LINES_MOST = 4
"""Largest number of lines for a message."""
CURVE_HEIGHTS = ((30, 4), (50, 7), (0, 11))
"""Pairs of a screen height and the lines of each chart on lower screens; 0 stands for any height."""
KINDS = {"html": FileKind.HTML, "markdown": FileKind.MARKDOWN}


class ReportScreen(FilterScreen[None]):
    """The screen of a report; typed letters filter its lines."""

    CSS = """
    ReportScreen #about { height: auto; min-height: 1; max-height: 4; border: none; background: $panel; }
    """
    places = (REPORT,)

    def __init__(self, source: BattleSource, job: ReportJob) -> None:
        super().__init__()
        self.source, self.job = source, job
        self._shown: tuple[object, ...] = ()
        self._entries: dict[str, int] = {}
        self._all_lines: list[LookupLine] = []
        # The objects from which `draw` made `_all_lines`; at first none that it could have.
        self._lines_made_from: tuple[object, ...] = (None, None, (), 0, 0)

    def on_mount(self) -> None:
        if not self.job.up_to_date:
            self.job.begin()
        self.set_interval(LOOKS, self.look)
        self.call_after_refresh(self.draw)

    def on_resize(self) -> None:
        self.call_after_refresh(self.draw)

    def look(self) -> None:
        """Draw everything again if the state of the work has changed, or else only its progress."""
        if self._read_state() == self._shown:
            self.show_details()
        else:
            self.draw()

    def _read_state(self) -> tuple[object, ...]:
        """Return the state of the work without its progress."""
        work = self.job
        return work.finished, work.fault_lines, work.working, work.up_to_date

    def draw(self) -> None:
        """Draw the lines that match the typed letters, wrapped for the present width."""
        self._shown = self._read_state()
        finished, source = self.job.finished, self.source
        self.query_one(KeyBar).refresh()
        title = finished.report.document.title if finished else str(source.battle.table.get("title", ""))
        search = f"   search: {self.letters}▏" if self.letters else ""
        self.show_title(
            literal(cut(f" {title or source.system.title}{search}", self.size.width), "bold $primary")
        )
        drawn_from = finished, source.timeline, self.job.fault_lines, self._room, self.size.height
        # Compare by identity, which is quick; at worst, equal lines are made again.
        if any(old is not new for old, new in zip(self._lines_made_from, drawn_from, strict=True)):
            self._lines_made_from, self._all_lines = drawn_from, list(self._list_lines())
        self.picks.show(self._list_picks(self._all_lines))
        self.show_details()

    @property
    def _room(self) -> int:
        """The width for the text of a line, in cells, without the sign of the cursor before it."""
        return max(10, self.picks.room - len(ELSE))

    def _list_lines(self) -> Iterator[LookupLine]:
        """Yield all lines: the fault, the beginning of the report, the present state, the rest of the report.

        Without a report, the present state is followed by the umpire's remarks.
        """
        source, finished = self.source, self.job.finished
        # The first line of the fault is at the foot.
        for part in self.job.fault_lines[1:]:
            yield LookupLine(literal(part, "$text-error"))
        if finished:
            curve_height = next(
                lines
                for max_height, lines in CURVE_HEIGHTS
                if self.size.height < max_height or not max_height
            )
            yield from list_first_lines(finished.report.document, self._room, curve_height)
            yield GAP
        yield from list_present_lines(source, self._room)
        if finished:
            # The victory conditions and luck are shown above.
            for section in finished.report.document.sections:
                if section.id not in (LUCK, VICTORY):
                    yield from build_section_lines(section, self._room)
            return
        remarks = build_remarks(source.timeline)
        if remarks.blocks:
            yield from build_section_lines(remarks, self._room)

    def _list_picks(self, lines: list[LookupLine]) -> Iterator[PickLine]:
        """Yield the lines that match the typed letters, wrapped; each piece keeps the entry of its line."""
        self._entries = {}
        matching_ids = {id(line) for line in find_matching(lines, self.letters)}
        for index, line in enumerate(lines):
            if id(line) not in matching_ids:
                continue
            for piece, content in enumerate(wrap_hanging(line.content, self._room)):
                # The cursor cannot go to a line without a key.
                key = f"{index}.{piece}" if content.plain else ""
                self._entries[key] = line.entry
                yield build_drawn_line(content, key, section=line.section)

    @property
    def entry(self) -> int:
        """The entry that the line under the cursor is about, or 0."""
        return self._entries.get(self.picks.word, 0)

    def render_about(self, width: int) -> list[Content]:
        """Return the message of the last key, the progress of the work, or the entry of the line."""
        text = (
            self.notice
            or self._format_progress()
            or (f"entry {self.entry}: ? shows why" if self.entry else "")
        )
        return build_about_lines(text, max(10, self.size.width - 2), MESSAGE_LINES_MOST)

    def _format_progress(self) -> str:
        """Format what the work is doing and what F8 does; "" if the report is up to date."""
        work, key = self.job, format_key(self.find_current_key("f8"))
        if work.working:
            return f"working the battle out: {work.done} of {work.total} entries; Esc leaves it running"
        if work.fault:
            return f"✗ {work.fault_lines[0]}; {key} tries again"
        if work.up_to_date:
            return ""
        if work.stopped:
            return f"stopped: {key} works the battle out"
        return f"the battle has changed since this report; {key} updates it" if work.finished else ""

    def narrow(self, letters: str) -> None:
        """Draw only the lines that match the typed letters."""
        self.letters = letters
        self.draw()

    def action_part(self, step: int) -> None:
        """Go to the next part (`step` is 1) or the previous one (-1), and show as much of it as possible."""
        self.picks.action_section(step)
        self.picks.jump(self.picks.at)

    def action_explain(self) -> None:
        """Show the entry of the line in full: dice, cells, clauses."""
        if not self.entry:
            self.say("this line is not about one entry")
            return
        document = build_entry_document(self.source.system, self.source.timeline, self.entry)
        self.app.push_screen(Panel(document.title, render_blocks(document.blocks)))

    def action_write(self, kind: str) -> None:
        """Write the report to a file and show its path, or why it is not written."""
        finished = self.job.finished
        if finished is None:
            self.say("nothing to write yet: the battle is still being worked out")
            return
        try:
            path = save_report(finished.report, self.job.save, KINDS[kind])
        except QfError as fault:
            self.say(f"✗ {fault}")
        else:
            self.say(f"written: {_shorten_path(path)}")

    def action_stop(self) -> None:
        """Stop the work, or start it again from the beginning, unless the report is up to date."""
        if self.job.working:
            self.job.stop()
        elif not self.job.up_to_date:
            self.job.begin()
        self.say("")
        self.draw()

    def find_title(self, action: Action) -> str:
        """Return the title of an action in the key bar.

        `stop` is `begin` while no work runs, and hidden if the report is up to date.
        """
        if action.call.name != "stop" or self.job.working:
            return super().find_title(action)
        return "" if self.job.up_to_date else "begin"


def _shorten_path(path: Path) -> str:
    """Format a path, with `~` for the user's home folder."""
    try:
        return f"~/{path.resolve().relative_to(Path.home())}"
    except (ValueError, RuntimeError, OSError):
        return str(path)


def announce(screen: SourceScreen[None], job: ReportJob) -> None:
    """Show a message on the battle's screen once the report is ready, if it is still being worked out."""
    if not job.working:
        return
    report_before = job.finished

    def look() -> None:
        if not job.working:
            timer.stop()
            if job.finished is not report_before and screen.is_current:
                screen.say(f"the report is ready: {find_screen_key(screen, 'grid.read-report')} shows it")

    timer = screen.set_interval(LOOKS, look)
