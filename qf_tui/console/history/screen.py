"""The whole log on a screen: every act in words, the one under the cursor in full, the logs as they stood then."""

from collections.abc import Callable
from functools import partial

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Input, Static

from qf_tui.console.battle.desk import Desk
from qf_tui.console.battle.proposing import propose
from qf_tui.console.history.chronicle import Chronicle
from qf_tui.console.history.chronicle import Line as Told
from qf_tui.console.history.filtering import Filter, by_kind, by_ship, by_what_is_amiss
from qf_tui.console.history.listing import counted, pick_lines, title
from qf_tui.console.history.mending import Mending
from qf_tui.console.history.searching import SearchLine
from qf_tui.console.history.stood import Stood
from qf_tui.console.history.unfolding import act_lines, changes_of, clause_lines
from qf_tui.console.keybar import KeyBar
from qf_tui.console.keys import GRID, HISTORY, PAST, SEARCH, keymap, press
from qf_tui.console.orders.orderbar import TONES
from qf_tui.console.page import Page
from qf_tui.console.panel import Panel, show_panel
from qf_tui.console.reading.aloud import Reading
from qf_tui.console.reading.help import help_lines
from qf_tui.console.setup.picking import PickList
from qf_tui.console.text import cut, literal
from qf_tui.core.timeline import Entry
from qf_tui.session import Session
from qf_tui.session.telling import tell

BOTH_FROM = 110
"""Cells of width from which list and logs stand next to each other."""
SIDES_FROM = 196
"""Cells of width from which both sides' logs stand beside the list."""


class History(Screen[str | None]):
    """The log of a battle; gives what is to be typed on in the order bar, or None."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.keys = {place: keymap(place) for place in (HISTORY, PAST, SEARCH)}
        self.desk = Desk(session, self)
        self.chronicle = Chronicle(session.system, session.timeline)
        self.filter = Filter()
        self.as_written = False
        self.on_logs = False
        self.moving = 0
        self.shown: dict[int, Told] = {}
        self._done = ""
        self._arranged = 0
        self._here = Told(0, len(session.timeline.script))

    def compose(self) -> ComposeResult:
        yield Static(Content(""), id="history-title")
        with Horizontal(id="history-body"):
            with Vertical(id="history-list"):
                yield PickList(id="acts")
                yield Page(id="act", more=": ? shows them")
            yield Stood(self.session.system, self.session.battle, id="stood")
        yield SearchLine(id="search")
        yield Static(Content(""), id="history-says")
        yield KeyBar(self.keys[HISTORY])

    def on_mount(self) -> None:
        self.mending = Mending(self.app, self.session, self.desk, self.dismiss)
        self.set_focus(self.acts)
        self._arrange()
        played = self.chronicle.played
        self.list_acts(played[-1].act if played else 0)

    @property
    def acts(self) -> PickList:
        return self.query_one("#acts", PickList)

    @property
    def search(self) -> SearchLine:
        return self.query_one(SearchLine)

    @property
    def stood(self) -> Stood:
        return self.query_one(Stood)

    @property
    def line(self) -> Told | None:
        """The line under the cursor."""
        return self.shown.get(int(self.acts.key or 0))

    @property
    def place(self) -> str:
        """Where the keyboard is."""
        if self.search.display:
            return SEARCH
        return PAST if self.focused is self.stood.grid else HISTORY

    async def on_key(self, event: events.Key) -> None:
        await press(self, self.keys[self.place], event)

    def on_resize(self, event: events.Resize) -> None:
        if event.size.width != self._arranged:
            self._arrange()
            self._draw()

    def _arrange(self) -> None:
        self._arranged = self.app.size.width
        both = self._arranged >= BOTH_FROM
        self.set_class(not both, "-narrow")
        self.set_class(self._arranged >= SIDES_FROM, "-wide")
        self.query_one("#history-list").display = both or not self.on_logs
        self.stood.display = both or self.on_logs

    def list_acts(self, act: int = 0) -> None:
        """Lists the acts that the filter leaves, the cursor on one of them, and draws what depends on it."""
        chronicle = self.chronicle
        lines = self.filter.lines(chronicle, chronicle.written if self.as_written else chronicle.played)
        self.shown = {line.act: line for line in lines if line.act}
        self.acts.show(pick_lines(chronicle, lines), self._key_near(act))
        self._draw()

    def _key_near(self, act: int) -> str:
        """The key of an act, or with 0 of the one that the cursor was on; where it is not shown, of the nearest."""
        here = self.shown.get(act or self._here.act)
        if here is None and self.shown:
            here = min(self.shown.values(), key=lambda line: abs(line.after - self._here.after))
        return str(here.act) if here else ""

    def _draw(self) -> None:
        """Draws what depends on the line under the cursor."""
        line, width = self.line, self.app.size.width
        self._here = line or self._here
        count = counted(len(self.shown), len(self.chronicle.timeline.log), self.filter, self.as_written)
        self.query_one("#history-title", Static).update(title(self.chronicle, count, width), layout=False)
        if self.query_one(KeyBar).keys is not self.keys[self.place]:
            self.query_one(KeyBar).show(self.keys[self.place])
        if line is None:
            said = "no act fits: Esc drops the filter" if self.filter.text else "no entry yet"
            self.query_one("#act", Page).show(lambda width: [literal(said, "$quiet")])
            return
        changes = changes_of(self.chronicle, line)
        if self.query_one("#history-list").display:
            self.query_one("#act", Page).show(partial(act_lines, self.chronicle, line, changes))
        if self.stood.display:
            self.stood.show_line(
                self.chronicle, line, changes, listed=not self.query_one("#history-list").display
            )

    def on_pick_list_moved(self) -> None:
        if self._done and not self.moving:
            self._done = ""
            self.say("")
        self._draw()

    async def on_pick_list_chosen(self) -> None:
        self.action_amend()

    def on_grid_moved(self) -> None:
        self.stood.show_card()

    def show(self) -> None:
        """Draws the battle as it stands, after something was entered."""
        known = len(self.chronicle.timeline.log)
        self.chronicle = Chronicle(self.session.system, self.session.timeline)
        new = self.session.timeline.act(known + 1)
        inserted = isinstance(new, Entry) and new.after is not None
        self._done = f"{tell(self.session.timeline, new).order}: done" if new else ""
        if inserted and not self.filter.lines(self.chronicle, (Told(known + 1, 0),)):
            self.filter = Filter()
        self.list_acts(known + 1 if inserted else 0)

    def say(self, text: str, tone: str = "", forceable: bool = False) -> None:
        """Says something in the line above the keys; with nothing to say, what was done."""
        self._done = text or self._done
        shown = literal(f" {cut(self._done, self.size.width - 2)}", TONES[tone])
        self.query_one("#history-says", Static).update(shown, layout=False)

    def alarm(self, text: str) -> None:
        """Says that something was not recorded."""
        if text:
            self.say(f"‼ {text}", "refused")

    def panel(
        self, title: str, lines: list[Content], keys: str = "", then: Callable[[], object] | None = None
    ) -> None:
        """Shows lines to be read; `then` is done if the umpire says yes to them."""
        show_panel(self.app, Panel(title, lines, keys or "Enter or Esc closes"), then)

    def read_aloud(self, title: str, changes: tuple[tuple[str, str], ...]) -> None:
        """Shows what hands must change on the table."""
        self.app.push_screen(Reading(title, self.session.battle, changes))

    def propose(self, title: str, lines: list[Content], then: Callable[[bool], object]) -> None:
        """Shows what a correction changes, to be done, kept as a branch, or left."""
        propose(self.app, title, lines, then)

    def action_step(self, by: int) -> None:
        """Goes to the entry in force before or behind, among those shown."""
        places = [place for place, line in enumerate(self.acts.lines) if line.key]
        script = set(self.chronicle.timeline.script)
        there = [
            place for place in places if (place - self.acts.at) * by > 0 and self._act_at(place) in script
        ]
        if there:
            self.acts.go(min(there) if by > 0 else max(there), by)

    def _act_at(self, place: int) -> int:
        return int(self.acts.lines[place].key)

    def action_change_over(self) -> None:
        self.on_logs = not self.on_logs
        self._arrange()
        self.set_focus(self.stood.grid if self.on_logs else self.acts)
        self._draw()

    def action_other_side(self) -> None:
        self.stood.grid.turn_to(self.stood.grid.side + 1, keep=True)

    def action_back(self) -> None:
        """Goes back one step: from moving, the logs, the filter; then to the battle."""
        if self.moving:
            self.moving = 0
            self.say("nothing was moved")
        elif self.filter.text:
            self._filtered(Filter())
        elif self.on_logs:
            self.action_change_over()
        else:
            self.dismiss(None)

    def action_leave_history(self) -> None:
        self.dismiss(None)

    def action_written(self) -> None:
        self.as_written = not self.as_written
        self.list_acts()

    def _filtered(self, filter: Filter) -> None:
        self.filter = filter
        self.list_acts()

    def action_by_ship(self) -> None:
        """Narrows the list to a ship of the entry; again to its next one; behind the last to none."""
        if self.line is not None:
            self._filtered(by_ship(self.filter, self.chronicle, self.line.act))

    def action_by_kind(self) -> None:
        if self.line is not None:
            self._filtered(by_kind(self.filter, self.chronicle, self.line.act))

    def action_amiss(self) -> None:
        """Narrows the list to parked, spare, doubted, struck acts in turn, those that there are; then to all."""
        was = self.filter
        self._filtered(by_what_is_amiss(was, self.chronicle))
        if self.filter == was:
            self.say("no act is parked, spare, doubted or struck")

    def action_search(self) -> None:
        self.search.open("search", self.filter.text, self.chronicle)

    def action_remark(self) -> None:
        if self.line is not None:
            self.search.open(f"remark on {self.line.act}", "", None)

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        if self.search.display and self.search.chronicle is not None:
            self.search.offer()
            self._filtered(Filter(event.value.strip()))

    def action_search_complete(self) -> None:
        self.search.complete()

    def action_search_done(self) -> None:
        text, remark = self.search.text.strip(), self.search.chronicle is None
        self._close_search()
        if remark and text and self.line is not None:
            self.mending.remark(self.line.act, text)

    def action_search_drop(self) -> None:
        searching = self.search.chronicle is not None
        self._close_search()
        if searching:
            self._filtered(Filter())

    def _close_search(self) -> None:
        self.search.close()
        self.set_focus(self.acts)
        self._draw()

    def action_why(self) -> None:
        if self.line is not None:
            line = self.line
            lines = act_lines(self.chronicle, line, changes_of(self.chronicle, line))
            self.panel(f"Why: entry {line.act}", [*lines, *clause_lines(self.chronicle, line.act)])

    def action_help(self) -> None:
        system, battle = self.session.system, self.session.battle
        self.panel("Help", help_lines(system, battle, keymap(GRID, system.forms)))

    def action_amend(self) -> None:
        if self.moving:
            self._put_behind()
        elif self.line is not None:
            self.mending.amend(self.chronicle, self.line)

    def action_strike(self) -> None:
        if self.line is not None:
            self.mending.strike(self.chronicle, self.line.act)

    def action_insert(self) -> None:
        if self.line is not None:
            self.mending.insert(self.chronicle, self.line)

    def action_doubt(self) -> None:
        if self.line is not None:
            self.mending.doubt(self.line.act)

    def action_shift(self) -> None:
        if self.line is not None:
            self.moving = self.line.act
            keys = "the cursor on the entry behind which it goes, then Enter; Esc leaves it where it is"
            self.say(f"moving {self.moving}: {keys}")

    def _put_behind(self) -> None:
        moved, self.moving = self.moving, 0
        if self.line is not None:
            self.mending.shift(moved, self.line.act)
