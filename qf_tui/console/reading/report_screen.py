"""The report: the battle as it is now, and the battle retold as soon as that is worked out."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from textual.content import Content

from qf_tui.console.reading.help import key_lines
from qf_tui.console.reading.lookup import matching
from qf_tui.console.reading.report import now_lines
from qf_tui.console.reading.retelling import Retelling
from qf_tui.console.reading.retold_lines import BLANK, RetoldLine, first_lines, other_sections, section_lines
from qf_tui.console.reading.source import BattleSource
from qf_tui.console.reading.why import entry_lines
from qf_tui.console.widgets.actions import Action
from qf_tui.console.widgets.key_bar import KeyBar
from qf_tui.console.widgets.keys import shown_key
from qf_tui.console.widgets.overrides import SteadyText
from qf_tui.console.widgets.panel import Panel
from qf_tui.console.widgets.picklist import ELSE, FilterScreen, PickLine
from qf_tui.console.widgets.places import PLACES, REPORT
from qf_tui.console.widgets.text import cut, hanging, literal, wrapped
from qf_tui.core.errors import QfError
from qf_tui.report.basis import remarks
from qf_tui.report.files import FileKind, keep_report

LOOKS = 0.2
"""Seconds between two looks at how far the work has come."""
SAID_MOST = 4
"""Lines of what is said."""
HIGH = ((30, 4), (50, 7), (0, 11))
"""Lines of each chart on a screen lower than so many lines; 0: on any."""
KINDS = {"html": FileKind.HTML, "markdown": FileKind.MARKDOWN}


class ReportScreen(FilterScreen[None]):
    """The report of a battle; letters narrow it to the lines that hold them."""

    places = (REPORT,)

    def __init__(
        self, source: BattleSource, retelling: Retelling, court: Callable[[], object] = lambda: None
    ) -> None:
        """`court` shows the rules court of the battle over this screen."""
        super().__init__()
        self.source, self.retelling, self._court = source, retelling, court
        self._shown: tuple[object, ...] = ()
        self._entries: dict[str, int] = {}
        self._said = ""
        self._made: list[RetoldLine] = []
        self._made_for: tuple[object, ...] = (None, None, (), 0, 0)

    def on_mount(self) -> None:
        self.picks.focus()
        if not self.retelling.up_to_date:
            self.retelling.begin()
        self.set_interval(LOOKS, self.look)
        self.call_after_refresh(self.draw)

    def on_resize(self) -> None:
        self.call_after_refresh(self.draw)

    def look(self) -> None:
        """Shows how far the work has come, and the report as soon as it is there."""
        if self._state() == self._shown:
            self.say_more()
        else:
            self.draw()

    def _state(self) -> tuple[object, ...]:
        """What is drawn of the work, but for how far it has come."""
        work = self.retelling
        return work.finished, work.fault_lines, work.working, work.up_to_date

    def draw(self) -> None:
        """Draws all of it for the width that there is."""
        self._shown, finished, source = self._state(), self.retelling.finished, self.source
        self.query_one(KeyBar).refresh()
        title = finished.retold.report.title if finished else str(source.battle.table.get("title", ""))
        search = f"   search: {self.letters}▏" if self.letters else ""
        shown = literal(cut(f" {title or source.system.title}{search}", self.size.width), "bold $primary")
        self.query_one("#start-title", SteadyText).update(shown)
        made_for = finished, source.timeline, self.retelling.fault_lines, self._room, self.size.height
        if any(one is not other for one, other in zip(self._made_for, made_for, strict=True)):
            self._made_for, self._made = made_for, list(self._lines())
        self.picks.show(self._picks(self._made))
        self.say_more()

    @property
    def _room(self) -> int:
        return max(10, self.picks.room - len(ELSE))

    def _lines(self) -> Iterator[RetoldLine]:
        source, finished = self.source, self.retelling.finished
        for part in self.retelling.fault_parts:
            yield RetoldLine(literal(part, "$text-error"))
        if finished:
            high = next(lines for below, lines in HIGH if self.size.height < below or not below)
            yield from first_lines(finished.retold.report, self._room, high)
            yield BLANK
        yield from now_lines(source)
        if finished:
            yield from other_sections(finished.retold.report, self._room)
            return
        said = remarks(source.timeline)
        if not said.empty:
            yield from section_lines(said, self._room)

    def _picks(self, lines: list[RetoldLine]) -> Iterator[PickLine]:
        """The lines that hold the letters, broken to the width; each piece knows the entry of its line."""
        self._entries = {}
        kept = {id(line) for line in matching(lines, self.letters)}
        for at, line in enumerate(lines):
            if id(line) not in kept:
                continue
            for piece, content in enumerate(hanging(line.content, self._room)):
                key = f"{at}.{piece}" if content.plain else ""
                self._entries[key] = line.entry
                yield PickLine(key, partial(_as_it_is, content), section=line.section)

    @property
    def entry(self) -> int:
        """The entry that the line under the cursor tells of, 0 for none."""
        return self._entries.get(self.picks.word, 0)

    def say_more(self) -> None:
        """Says how far the work has come, what came of the last key, or what the line leads to."""
        words = self._said or self._work() or (f"entry {self.entry}: ? tells why" if self.entry else "")
        lines = [literal(f" {part}") for part in wrapped(words, max(10, self.size.width - 2), SAID_MOST)]
        self.query_one("#about", SteadyText).update(Content("\n").join(lines))

    def _work(self) -> str:
        work, key = self.retelling, shown_key(self.key_now("f8"))
        if work.working:
            return f"working the battle out: {work.done} of {work.of} entries; Esc leaves it to go on"
        if work.fault:
            return f"✗ {work.fault_head}; {key} tries again"
        if work.up_to_date:
            return ""
        if work.stopped:
            return f"stopped: {key} works the battle out after all"
        return (
            f"the battle went on since this was worked out; {key} works it out anew" if work.finished else ""
        )

    def on_pick_list_moved(self) -> None:
        self._said = ""
        self.say_more()

    def on_pick_list_chosen(self) -> None:
        self.action_explain()

    def narrow(self, letters: str) -> None:
        self.letters = letters
        self.draw()

    def action_part(self, by: int) -> None:
        """Goes to the part before or behind, and shows as much of it as there is room for."""
        self.picks.action_section(by)
        self.picks.scroll_to(y=self.picks.at, animate=False, force=True, immediate=True)

    def action_explain(self) -> None:
        """Shows the entry of the line in full: dice, cells, clauses."""
        if not self.entry:
            self._say("this line tells of no entry of its own")
            return
        lines = entry_lines(self.source, self.entry)
        self.app.push_screen(Panel(f"Why: entry {self.entry}", lines))

    def action_write(self, kind: str) -> None:
        """Writes the report into a file, and says where."""
        finished = self.retelling.finished
        if finished is None:
            self._say("nothing is written yet: the battle is still being worked out")
            return
        try:
            path = keep_report(finished.retold, self.retelling.save, KINDS[kind])
        except QfError as fault:
            self._say(f"✗ {fault}")
        else:
            self._say(f"written: {_short(path)}")

    def _say(self, text: str) -> None:
        self._said = text
        self.say_more()

    def action_stop(self) -> None:
        """Stops the work, or begins it again."""
        if self.retelling.working:
            self.retelling.stop()
        elif not self.retelling.up_to_date:
            self.retelling.begin()
        self._say("")
        self.draw()

    def title_now(self, action: Action) -> str:
        if action.call.name != "stop" or self.retelling.working:
            return super().title_now(action)
        return "" if self.retelling.up_to_date else "begin"

    def action_court(self) -> None:
        self._court()

    def action_help(self) -> None:
        self.app.push_screen(Panel("Help", key_lines(self.keys_of, {REPORT: PLACES[REPORT]})))


def _as_it_is(content: Content, width: int) -> Content:
    return content


def _short(path: Path) -> str:
    """A path, from the user's folder on where it lies in it."""
    try:
        return f"~/{path.resolve().relative_to(Path.home())}"
    except (ValueError, RuntimeError, OSError):
        return str(path)
