"""The screen of the rules court: other switches and chart cells, and what each would have changed."""

from collections.abc import Iterator

from textual.content import Content

from qf_tui.console.reading.document_view import render_blocks
from qf_tui.console.widgets.actions import Action
from qf_tui.console.widgets.keys import KeyBar
from qf_tui.console.widgets.panel import Panel
from qf_tui.console.widgets.picklist import (
    PickLine,
    PickScreen,
    build_about_lines,
    build_heading_line,
    build_text_line,
)
from qf_tui.console.widgets.text import cut, fit, literal
from qf_tui.core.errors import QfError
from qf_tui.features.court.actions import COURT
from qf_tui.features.court.branch import make_branch
from qf_tui.features.court.court import CourtCases, Verdict
from qf_tui.features.court.document import (
    CELLS,
    GROUPS,
    SWITCHES,
    build_verdict_document,
    find_group,
    format_baseline,
    format_cell,
    format_cells,
    format_lone_cell,
    format_neighbour,
    format_short,
    format_tried_value,
    format_variant,
    format_verdict_line,
)
from qf_tui.features.court.job import CourtJob
from qf_tui.session.session import branch_save

LOOKS = 0.2
"""Seconds between two updates of the screen."""
ABOUT = 3
"""Lines about the reading under the cursor."""
NAME_MOST = 28
"""Cells for the text of a variant in a narrow window."""
WAITING = "…"
"""Shown for a variant whose reading is not done; also the group of these variants."""


class CourtScreen(PickScreen[None]):
    """The readings of a battle, filled in while they are worked out."""

    places = (COURT,)

    def __init__(self, job: CourtJob, *, enters: bool = True) -> None:
        super().__init__()
        # False if the battle is only looked at, so that no variant can be entered.
        self.enters = enters
        self.job = job
        # The state of the job that was drawn last.
        self._shown: tuple[object, ...] = ()
        # True once the user has moved the cursor; until then it stays on the first variant.
        self._moved = False

    def on_mount(self) -> None:
        self.job.begin()
        self.set_interval(LOOKS, self.look)
        self.look()

    def look(self) -> None:
        """Draw the progress, and the list if it has changed since the last call."""
        job = self.job
        state = (job.cases, len(job.verdicts), job.working, job.fault_lines)
        if state != self._shown or job.working:
            title = f" Rules court   {self._format_progress()}"
            self.show_title(literal(cut(title, self.size.width), "bold $primary"))
        if state != self._shown:
            self._shown = state
            self.query_one(KeyBar).refresh()
            lines = tuple(self._list_lines())
            first_key = next((line.key for line in lines if line.key), "")
            # Until the user moves the cursor, it is on the first variant.
            self.picks.show(lines, "" if self._moved else first_key)
            self.show_details()

    def _format_progress(self) -> str:
        """Format how many entries or readings are done, and whether the work was stopped."""
        job = self.job
        if job.cases is None:
            progress_text = f"{job.done} of {job.of} entries decided again"
        else:
            progress_text = f"{len(job.verdicts)} of {len(job.cases.variants)} readings"
        if job.working or job.complete:
            return progress_text
        return f"{progress_text}, stopped" if not job.fault else progress_text

    def _list_lines(self) -> Iterator[PickLine]:
        """Yield all lines: faults, the baseline, switches and cells; until they are known, a notice."""
        cases = self.job.cases
        # The first line of a fault is shown below the list.
        yield from (build_text_line(part, "$text-error") for part in self.job.fault_lines[1:])
        if cases is None:
            yield build_text_line(" the battle is being decided again, with nothing changed", "$quiet")
            return
        yield build_text_line(format_baseline(cases.baseline), "$quiet")
        yield build_heading_line(SWITCHES)
        yield from self._list_switches(cases)
        yield build_heading_line(CELLS)
        yield build_text_line(format_cells(cases.cells))
        yield from self._list_cells(cases)

    def _list_switches(self, cases: CourtCases) -> Iterator[PickLine]:
        """Yield a line for each value of a switch, grouped by kind of result.

        Variants without a result come just before those that change nothing.
        """
        switches = [(at, variant) for at, variant in enumerate(cases.variants) if variant.place is None]
        for group in (*GROUPS[:-1], WAITING, GROUPS[-1]):
            members = [(at, variant) for at, variant in switches if self._find_group(at) == group]
            if members and group != WAITING:
                yield build_text_line(group, "bold")
            for at, variant in members:
                yield self._build_line(at, format_tried_value(self.job.system, variant), half_width=True)

    def _find_group(self, at: int) -> str:
        """Return the group of the variant with an index; `WAITING` if its reading is not done."""
        verdict = self._find_verdict(at)
        return WAITING if verdict is None else find_group(verdict)

    def _list_cells(self, cases: CourtCases) -> Iterator[PickLine]:
        """Yield a line for each reconstructed cell, and one for each of its neighbours."""
        # The variants of cells follow those of switches.
        at = sum(variant.place is None for variant in cases.variants)
        for cell in cases.cells.cells:
            yield (
                build_text_line(format_cell(cell))
                if cell.neighbours
                else build_text_line(format_lone_cell(cell), "$quiet")
            )
            for neighbour in cell.neighbours:
                yield self._build_line(at, f"  {format_neighbour(neighbour)}")
                at += 1

    def _build_line(self, at: int, variant_text: str, *, half_width: bool = False) -> PickLine:
        """Build the line of a variant with its result.

        Args:
            at: Index of the variant.
            variant_text: Text of the variant.
            half_width: True to give this text half of a wide line.
        """
        verdict = self._find_verdict(at)
        result = WAITING if verdict is None else format_short(self.job.timeline, verdict)
        style = "$quiet" if verdict is None or verdict.changes_nothing else ""

        def draw(width: int) -> Content:
            # The text gets at most half of the line; with `half_width` it gets all of that half.
            least_width = max(NAME_MOST, len(variant_text) + 2, width if half_width else 0)
            wanted_width = least_width if width > 2 * NAME_MOST else NAME_MOST
            shown_text = fit(variant_text, min(wanted_width, width // 2) - 2)
            return literal(cut(f"{shown_text}  {result}", width), style)

        return PickLine((at,), draw)

    def _find_verdict(self, at: int) -> Verdict | None:
        """Return the result of the variant with an index; None if its reading is not done."""
        verdicts = self.job.verdicts
        return verdicts[at] if at < len(verdicts) else None

    @property
    def _verdict_under_cursor(self) -> Verdict | None:
        """The result of the variant under the cursor, or None if its reading is not done."""
        key = self.picks.key
        return self._find_verdict(*key) if isinstance(key, tuple) else None

    def render_about(self, width: int) -> list[Content]:
        """Render the notice, the fault, or the result of the variant under the cursor."""
        job, verdict = self.job, self._verdict_under_cursor
        if self.notice:
            return build_about_lines(self.notice, width, ABOUT)
        if job.fault:
            return build_about_lines(f"✗ {job.fault_lines[0]}", width, ABOUT, "bold $text-error")
        if verdict is None:
            return []
        return build_about_lines(format_verdict_line(job.system, job.timeline, verdict), width, ABOUT)

    def on_pick_list_moved(self) -> None:
        self._moved = True

    def action_choose(self) -> None:
        """Show everything that the reading under the cursor changes."""
        verdict = self._verdict_under_cursor
        if verdict is None:
            self.say("this reading is not worked out yet")
            return
        changes = build_verdict_document(self.job.system, self.job.timeline, verdict)
        self.app.push_screen(Panel(changes.title, render_blocks(changes.blocks)))

    def action_branch(self) -> None:
        """Save a branch with the variant under the cursor from the start, and report where it is."""
        verdict, save = self._verdict_under_cursor, self.job.save
        if verdict is None:
            self.say("this reading is not worked out yet")
            return
        try:
            if save is None:
                raise QfError("no branch: this battle has no save. Start it with `--save FILE`.")
            job = self.job
            branch = make_branch(job.system, job.get_timeline(), verdict, lambda: branch_save(save))
        except QfError as fault:
            self.say(f"✗ {fault}")
        else:
            variant_text = format_variant(verdict.variant)
            self.say(
                f"saved as a branch next to this save: {branch.name}, with {variant_text} from the start"
            )

    def action_stop(self) -> None:
        """Stop the work, or continue it where it was stopped; start over if the battle has changed."""
        if self.job.working:
            self.job.stop()
        else:
            self.job.begin()
        self.look()

    def find_title(self, action: Action) -> str:
        """Return the title of a key; `stop` is `go on` while no work runs, and "" once all is worked out."""
        if action.call.name != "stop" or self.job.working:
            return super().find_title(action)
        return "" if self.job.complete and self.job.up_to_date else "go on"
