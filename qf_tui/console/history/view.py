"""The whole log: every act in words, the one under the cursor in full, the logs as they were then."""

from collections import Counter
from collections.abc import Mapping
from functools import partial
from typing import ClassVar

from attrs import evolve
from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Input

from qf_tui.console.history.log_view import (
    Filter,
    Listing,
    LogLine,
    LogView,
    SearchLine,
    by_kind,
    by_ship,
    by_what_is_amiss,
)
from qf_tui.console.reading.document_view import broken, contents
from qf_tui.console.reading.help import show_help
from qf_tui.console.reading.logs import HEAD, Grid, Sign
from qf_tui.console.reading.ship_card import card_lines
from qf_tui.console.reading.source import (
    TONES,
    BattleSource,
    OrderTone,
    SourceScreen,
    forces,
)
from qf_tui.console.widgets.actions import HISTORY, MOVING, PAST, SEARCH, Action
from qf_tui.console.widgets.keys import KeyBar
from qf_tui.console.widgets.panel import Panel, show_panel
from qf_tui.console.widgets.picklist import PickList
from qf_tui.console.widgets.text import SteadyText, TextPane, cut, hanging, literal, width_of
from qf_tui.core.errors import Findings, only_rules
from qf_tui.core.revisions import ValueChange
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Entry, State
from qf_tui.core.values import Battle
from qf_tui.document.acts import describe
from qf_tui.document.transcript import ACT_INDENT, act_document, change_of_ship, clause_lines
from qf_tui.document.values import Document, Tone, text_line
from qf_tui.session.changes import effect_changes

HANG = 7
"""Cells before what goes on below an act."""


def changes_of(log_view: LogView, line: LogLine) -> tuple[ValueChange, ...]:
    """What an entry changed on the logs, from and to; nothing where it is out of force."""
    timeline = log_view.timeline
    if line.act not in log_view.in_force or line.act not in timeline.rulings:
        return ()
    ruling = timeline.rulings[line.act]
    if ruling.state is not State.STANDS or not line.after or timeline.play_order[line.after - 1] != line.act:
        return ()
    before = timeline.battle_at(line.after - 1)
    found = effect_changes(log_view.system, before, ruling.decision.effects, line.act)
    return tuple(one for one in found if one.before != one.after)


def act_in_full(log_view: LogView, line: LogLine, changes: tuple[ValueChange, ...]) -> Document:
    """An act with all that was made of it."""
    beside = (
        *(f"corrected by {text}" for text in log_view.corrections_of(line.act)),
        *(f"remark {remark}" for remark in log_view.remarks.get(line.act, ())),
    )
    text, marks = log_view.text_of(line.act), log_view.marks(line.act)
    return act_document(log_view.system, log_view.timeline, text, marks, changes, beside, log_view.in_force)


SHOWN = 8
"""Changes that are listed under the logs at most."""


class PastGrid(Grid, can_focus=True):
    """The logs of a past battle; the ships that an entry changed have a sign."""

    def show_past(self, battle: Battle, changed: tuple[ValueChange, ...]) -> None:
        """Draws the logs as they were, with the cursor on the first value that changed."""
        self.show(battle, {change.ship: Sign(changed=True) for change in changed})
        if changed:
            self._point_at(changed[0])

    def _point_at(self, one: ValueChange) -> None:
        self.put(one.ship)
        columns = [column for column, _ in self.pane.layout.columns] if self.pane else []
        place = next((at for at, column in enumerate(columns, start=1) if one.field in column.fields), 0)
        if place != self.cursor.column:
            self.cursor = self.cursor.on_column(place)
            self.refresh_row(self.row)


class SnapshotPane(Vertical):
    """The logs under a heading that says when, the changes, and the card of the ship under the cursor."""

    def __init__(self, system: RuleSystem, battle: Battle, id: str) -> None:
        super().__init__(id=id)
        self.system, self.battle = system, battle
        self.changes: list[Content] = []
        self._lines = 0

    def compose(self) -> ComposeResult:
        yield SteadyText(Content(""), id="stood-when")
        yield PastGrid(self.system, self.battle, id="grid")
        yield TextPane(id="stood-more")

    @property
    def grid(self) -> PastGrid:
        return self.query_one("#grid", PastGrid)

    def show_line(
        self, log_view: LogView, line: LogLine, changed: tuple[ValueChange, ...], listed: bool
    ) -> None:
        """Draws the battle as it was at a line of the log; `listed`: with the changes in words."""
        self.battle = log_view.timeline.battle_at(line.after)
        self.changes = _change_lines(log_view, changed) if listed else []
        self.query_one("#stood-when", SteadyText).update(self._when(log_view, line))
        self.grid.show_past(self.battle, changed)
        self._fit()
        self.show_card()

    def on_resize(self) -> None:
        self._fit()

    def _fit(self) -> None:
        """As many lines for the logs as they have, and some left for the rest."""
        rows = max(Counter(ship.side for ship in self.battle.ships.values()).values(), default=1)
        lines = max(HEAD + 2, min(rows + HEAD, self.app.size.height * 3 // 5 - HEAD))
        if lines != self._lines:
            self.grid.styles.height = self._lines = lines

    def show_card(self) -> None:
        """Draws what changed, and the card of the ship under the cursor."""
        ship = self.grid.ship
        card = card_lines(self.system, self.battle, ship) if ship else []
        heading = [literal("What the entry changed", "bold")] if self.changes else []
        lines = [*heading, *self.changes, *([Content("")] if self.changes else []), *card]
        self.query_one(TextPane).show(lambda width: [part for line in lines for part in hanging(line, width)])

    def _when(self, log_view: LogView, line: LogLine) -> Content:
        script = log_view.timeline.play_order
        if not line.after:
            said = "as it stood at the start"
        else:
            number = script[line.after - 1]
            about = "" if number == line.act else f" (before {line.act})"
            said = f"as it stood after entry {number}{about}: {log_view.text_of(number).title}"
        return literal(f" {said}", "bold $accent")


def _change_lines(log_view: LogView, changed: tuple[ValueChange, ...]) -> list[Content]:
    """The changes in words, and how many more there are."""
    texts = (change_of_ship(log_view.system, log_view.timeline.battle, one) for one in changed[:SHOWN])
    found = [literal(f"  {text}", "bold $text-warning") for text in texts]
    more = len(changed) - SHOWN
    return [*found, *([literal(f"  and {more} more", "$quiet")] if more > 0 else [])]


BOTH_FROM = 110
"""Cells of width from which list and logs are next to each other."""
SIDES_FROM = 196
"""Cells of width from which both sides' logs are beside the list."""


class HistoryView(SourceScreen[str | None]):
    """The log of a battle on a source that may be written elsewhere."""

    places: ClassVar[tuple[str, ...]] = (HISTORY, PAST, SEARCH)
    enters = False

    def __init__(self, source: BattleSource) -> None:
        super().__init__(source)
        self.listing = Listing(LogView(source.system, source.timeline))
        self.on_logs = False
        self._done = ""
        self.forceable = False
        self._arranged = 0
        self._here = LogLine(0, len(source.timeline.play_order))

    def compose(self) -> ComposeResult:
        yield SteadyText(Content(""), id="history-title")
        with Horizontal(id="history-body"):
            with Vertical(id="history-list"):
                yield PickList(id="acts")
                yield TextPane(id="act", more=": ? shows them")
            yield SnapshotPane(self.source.system, self.source.battle, id="stood")
        yield SearchLine(id="search")
        yield SteadyText(Content(""), id="history-says")
        yield KeyBar(self.keys_of(HISTORY))

    def on_mount(self) -> None:
        self.set_focus(self.acts)
        self._arrange()
        self.list_acts(self.listing, self.log_view.latest)

    @property
    def log_view(self) -> LogView:
        return self.listing.log_view

    @property
    def acts(self) -> PickList:
        return self.query_one("#acts", PickList)

    @property
    def search(self) -> SearchLine:
        return self.query_one(SearchLine)

    @property
    def stood(self) -> SnapshotPane:
        return self.query_one(SnapshotPane)

    @property
    def line(self) -> LogLine | None:
        """The line under the cursor."""
        act = self.acts.key
        return self.listing.acts.get(act) if isinstance(act, int) else None

    @property
    def keys(self) -> Mapping[str, Action]:
        return self.keys_of(self.place)

    @property
    def place(self) -> str:
        """Where the keyboard is."""
        if self.search.display:
            return SEARCH
        if self.focused is self.stood.grid:
            return PAST
        return HISTORY

    def on_resize(self, event: events.Resize) -> None:
        if event.size.width != self._arranged:
            self._arrange()
            self.draw()

    def _arrange(self) -> None:
        self._arranged = self.app.size.width
        both = self._arranged >= BOTH_FROM
        self.set_class(not both, "-narrow")
        self.set_class(self._arranged >= SIDES_FROM, "-wide")
        self.query_one("#history-list").display = both or not self.on_logs
        self.stood.display = both or self.on_logs

    def list_acts(self, listing: Listing, act: int = 0) -> None:
        """Lists acts with the cursor on one of them, or near where it was, and draws what depends on it."""
        self.listing = listing
        near = act if act in listing.acts else listing.near(self._here)
        self.acts.show(listing.picks, near)
        self.draw()

    def draw(self) -> None:
        """Draws what depends on the line under the cursor."""
        line, width = self.line, self.app.size.width
        self._here = line or self._here
        self.query_one("#history-title", SteadyText).update(self.listing.title(width))
        if self.query_one(KeyBar).keys is not self.keys:
            self.query_one(KeyBar).show(self.keys)
        if line is None:
            said = "no entry fits: Esc drops the filter" if self.listing.filter.text else "no entry yet"
            self.query_one("#act", TextPane).show(lambda width: [literal(said, "$quiet")])
            return
        changes = changes_of(self.log_view, line)
        if self.query_one("#history-list").display:
            shown = act_in_full(self.log_view, line, changes)
            lines = (text_line(shown.title, tone=Tone.STRONG), *shown.lines)
            self.query_one("#act", TextPane).show(partial(broken, lines, HANG))
        if self.stood.display:
            self.stood.show_line(
                self.log_view, line, changes, listed=not self.query_one("#history-list").display
            )

    def on_pick_list_moved(self) -> None:
        if self._done and self.place != MOVING:
            self._done, self.forceable = "", False
            self.say("")
        self.draw()

    def on_grid_moved(self) -> None:
        self.stood.show_card()

    def show(self) -> None:
        """Draws the battle as it is now, after something was entered."""
        known = len(self.log_view.timeline.log)
        listing = evolve(self.listing, log_view=LogView(self.source.system, self.source.timeline))
        new = self.source.timeline.act(known + 1)
        inserted = isinstance(new, Entry) and new.after is not None
        self._done = f"{describe(self.source.timeline, new).title}: done" if new else ""
        if inserted and known + 1 not in listing.acts:
            listing = evolve(listing, filter=Filter())
        self.list_acts(listing, known + 1 if inserted else 0)

    @property
    def said(self) -> str:
        """What is said in the line above the keys."""
        return self._done

    def say(self, text: str, tone: OrderTone = "", findings: Findings = ()) -> None:
        """Says something in the line above the keys; with nothing to say, what was done."""
        self._done, self.forceable = text or self._done, only_rules(findings)
        force = forces(self) if self.forceable else ""
        said = f"{cut(self._done, self.size.width - 2 - width_of(force))}{force}"
        shown = literal(f" {said}", TONES[tone])
        self.query_one("#history-says", SteadyText).update(shown)

    def alarm(self, text: str) -> None:
        """Says that something was not recorded."""
        if text:
            self.say(f"‼ {text}", "refused")

    def action_step(self, by: int) -> None:
        """Goes to the entry in force before or behind, among those shown."""
        place = self.listing.step(self.acts.at, by)
        if place is not None:
            self.acts.go(place, by)

    def action_switch_pane(self) -> None:
        self.on_logs = not self.on_logs
        self._arrange()
        self.set_focus(self.stood.grid if self.on_logs else self.acts)
        self.draw()

    def action_back(self) -> None:
        """Goes back one step: from the filter, the logs; then to the battle."""
        if self.listing.filter.text:
            self._narrow(Filter())
        elif self.on_logs:
            self.action_switch_pane()
        else:
            self.dismiss(None)

    def action_leave_history(self) -> None:
        self.dismiss(None)

    def action_as_written(self) -> None:
        self.list_acts(evolve(self.listing, as_written=not self.listing.as_written))

    def _narrow(self, chosen: Filter) -> None:
        self.list_acts(evolve(self.listing, filter=chosen))

    def action_filter_ship(self) -> None:
        """Narrows the list to a ship of the entry; again to its next one; after the last to none."""
        if self.line is not None:
            self._narrow(by_ship(self.listing.filter, self.log_view, self.line.act))

    def action_filter_kind(self) -> None:
        if self.line is not None:
            self._narrow(by_kind(self.listing.filter, self.log_view, self.line.act))

    def action_filter_state(self) -> None:
        """Narrows the list to parked, spare, doubted, struck acts in turn, if there are any; then to all."""
        was = self.listing.filter
        self._narrow(by_what_is_amiss(was, self.log_view))
        if self.listing.filter == was:
            self.say("no entry is parked, spare, doubted or struck")

    def action_search(self) -> None:
        self.search.open("search", self.listing.filter.text, self.log_view)

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        if self.search.display and self.search.log_view is not None:
            self.search.offer()
            self._narrow(Filter(event.value.strip()))

    def action_search_complete(self) -> None:
        self.search.complete()

    def action_search_done(self) -> None:
        self._close_search()

    def action_search_drop(self) -> None:
        searching = self.search.log_view is not None
        self._close_search()
        if searching:
            self._narrow(Filter())

    def _close_search(self) -> None:
        self.search.close()
        self.set_focus(self.acts)
        self.draw()

    def action_why(self) -> None:
        if self.line is not None:
            line = self.line
            shown = act_in_full(self.log_view, line, changes_of(self.log_view, line))
            heading = self.log_view.headings.get(line.act, "")
            clauses = clause_lines(self.log_view.system, self.log_view.timeline, line.act)
            blocks = (
                text_line(shown.title, tone=Tone.STRONG),
                *([text_line(heading, tone=Tone.QUIET, indent=ACT_INDENT)] if heading else []),
                *(*shown.lines, *clauses),
            )
            show_panel(self.app, Panel(f"Why: entry {line.act}", contents(blocks)))

    def action_help(self) -> None:
        show_help(self, self.source, place=self.place)
