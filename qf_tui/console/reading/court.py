"""The rules court: each switch and each neighbour of a cell of ours with what it would have changed."""

from collections.abc import Iterator

from attrs import field, frozen
from textual.content import Content

from qf_tui.analysis.court import CourtCases, Verdict
from qf_tui.console.reading.document_view import contents
from qf_tui.console.reading.jobs import CourtJob
from qf_tui.console.widgets.actions import COURT, Action
from qf_tui.console.widgets.keys import KeyBar
from qf_tui.console.widgets.panel import Panel
from qf_tui.console.widgets.picklist import PickLine, PickScreen, about_lines, heading, words
from qf_tui.console.widgets.text import cut, fit, literal
from qf_tui.core.errors import QfError
from qf_tui.document.court import (
    GROUPS,
    cell_text,
    cells_text,
    control_text,
    group_text,
    instead_text,
    instead_words,
    neighbour_text,
    short_text,
    verdict_document,
    verdict_text,
)
from qf_tui.report import make_branch
from qf_tui.session.session import branch_beside

LOOKS = 0.2
"""Seconds between two looks at how far the work has come."""
SAID_MOST = 3
"""Lines of what is said of the reading under the cursor."""
NAME_MOST = 28
"""Cells of what is tried, at most."""
WAITING = "…"


@frozen
class TriedLine(PickLine):
    """The line of a reading: `at` is its number among those that are tried."""

    at: int = field(kw_only=True)


class CourtScreen(PickScreen[None]):
    """The readings of a battle, filled in while they are worked out."""

    places = (COURT,)

    def __init__(self, job: CourtJob, *, enters: bool = True) -> None:
        super().__init__()
        self.enters = enters
        self.job = job
        self._shown: tuple[object, ...] = ()
        self._message = ""
        self._gone = False
        """Whether the cursor was moved; until then it is on the first line, whichever that is."""

    def on_mount(self) -> None:
        self.job.begin()
        self.set_interval(LOOKS, self.look)
        self.look()

    def look(self) -> None:
        """Draws what has come since the last look."""
        job = self.job
        now = (job.cases, len(job.verdicts), job.working, job.fault_lines)
        if now != self._shown or job.working:
            title = f" Rules court   {self._progress()}"
            self.show_title(literal(cut(title, self.size.width), "bold $primary"))
        if now != self._shown:
            self._shown = now
            self.query_one(KeyBar).refresh()
            lines = tuple(self._lines())
            first = next((line.key for line in lines if line.key), "")
            self.picks.show(lines, "" if self._gone else first)
            self.say_more()

    def _progress(self) -> str:
        job = self.job
        if job.cases is None:
            done = f"{job.decided} of {len(job.timeline.play_order)} entries decided again"
        else:
            done = f"{len(job.verdicts)} of {len(job.cases.tries)} readings"
        if job.working or job.complete:
            return done
        return f"{done}, stopped" if not job.fault else done

    def _lines(self) -> Iterator[PickLine]:
        cases = self.job.cases
        yield from (words(part, "$text-error") for part in self.job.fault_lines[1:])
        if cases is None:
            yield words(" the battle is being decided again, with nothing otherwise", "$quiet")
            return
        yield words(control_text(cases.control), "$quiet")
        yield heading("Switches, each at its other values")
        yield from self._switches(cases)
        yield heading("Cells of ours")
        yield words(cells_text(cases.cells))
        yield from self._cells(cases)

    def _switches(self, cases: CourtCases) -> Iterator[PickLine]:
        """By what they come to, those still to come ahead of those that change nothing."""
        about = {option.name: option.text for option in self.job.system.options}
        tries = [(at, one) for at, one in enumerate(cases.tries) if one.place is None]
        for group in (*GROUPS[:-1], WAITING, GROUPS[-1]):
            own = [(at, one) for at, one in tries if self._group(at) == group]
            if own and group != WAITING:
                yield words(group, "bold")
            for at, one in own:
                yield self._line(at, f"{one.value}: {about.get(one.option, one.option)}", half=True)

    def _group(self, at: int) -> str:
        verdict = self._verdict(at)
        return WAITING if verdict is None else group_text(verdict)

    def _cells(self, cases: CourtCases) -> Iterator[PickLine]:
        at = sum(instead.place is None for instead in cases.tries)
        for cell in cases.cells.cells:
            if cell.neighbours:
                yield words(cell_text(cell))
            else:
                yield words(f"{cell_text(cell)}: all around the same", "$quiet")
            for neighbour in cell.neighbours:
                yield self._line(at, f"  {neighbour_text(neighbour)}")
                at += 1

    def _line(self, at: int, tried: str, *, half: bool = False) -> PickLine:
        """What is tried, on `half` of the line, and what comes of it; quiet where that is nothing."""
        verdict = self._verdict(at)
        comes = WAITING if verdict is None else short_text(self.job.timeline, verdict)
        style = "$quiet" if verdict is None or verdict.nothing else ""

        def draw(width: int) -> Content:
            name = max(NAME_MOST, len(tried) + 2, half * width) if width > 2 * NAME_MOST else NAME_MOST
            return literal(cut(f"{fit(tried, min(name, width // 2) - 2)}  {comes}", width), style)

        return TriedLine(str(at), draw, at=at)

    def _verdict(self, at: int) -> Verdict | None:
        verdicts = self.job.verdicts
        return verdicts[at] if at < len(verdicts) else None

    @property
    def _under(self) -> Verdict | None:
        """The reading under the cursor, if it is there."""
        line = self.picks.line
        return self._verdict(line.at) if isinstance(line, TriedLine) else None

    def about(self, width: int) -> list[Content]:
        job, verdict = self.job, self._under
        if self._message:
            return about_lines(self._message, width, SAID_MOST)
        if job.fault:
            return about_lines(f"✗ {job.fault_lines[0]}", width, SAID_MOST, "bold $text-error")
        if verdict is None:
            return []
        text = f"{self._tried(verdict)}: {verdict_text(job.timeline, verdict)}"
        return about_lines(text, width, SAID_MOST)

    def _tried(self, verdict: Verdict) -> str:
        """What a reading tries, in words."""
        return instead_words(self.job.system, self.job.timeline, verdict.variant)

    def say(self, text: str) -> None:
        """Says something in place of what is under the cursor, until that is another."""
        self._message = text
        self.say_more()

    def on_pick_list_moved(self) -> None:
        self._gone = True
        self.say("")

    def on_pick_list_chosen(self) -> None:
        self.action_choose()

    def action_choose(self) -> None:
        """All that the reading under the cursor changes."""
        verdict = self._under
        if verdict is None:
            self.say("this reading is not there yet")
            return
        found = verdict_document(self.job.system, self.job.timeline, verdict)
        self.app.push_screen(Panel(found.title, contents(found.blocks)))

    def action_branch(self) -> None:
        """Makes a branch of the reading under the cursor, and says where."""
        verdict, save = self._under, self.job.save
        if verdict is None:
            self.say("this reading is not there yet")
            return
        try:
            if save is None:
                raise QfError("no branch: this battle has no save. Begin it with one, by `--save FILE`.")
            job = self.job
            branch = make_branch(job.system, job.present(), verdict, lambda: branch_beside(save))
        except QfError as fault:
            self.say(f"✗ {fault}")
        else:
            tried = instead_text(verdict.variant)
            self.say(f"kept as a branch beside this save: {branch.name}, with {tried} from the start")

    def action_stop(self) -> None:
        """Stops the work, or goes on with it."""
        if self.job.working:
            self.job.stop()
        else:
            self.job.begin()
        self.look()

    def title_now(self, action: Action) -> str:
        if action.call.name != "stop" or self.job.working:
            return super().title_now(action)
        return "" if self.job.complete and self.job.up_to_date else "go on"
