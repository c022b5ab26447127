"""The history screen without corrections: a list of orders, a search, the ships' logs after each order."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, partial
from typing import ClassVar

from attrs import evolve, frozen
from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Input

from qf_tui.console.reading.document_view import build_card_lines, render_blocks, wrap_lines
from qf_tui.console.reading.help import show_help
from qf_tui.console.reading.log_layout import HEAD_LINES, Sign
from qf_tui.console.reading.logs import Grid
from qf_tui.console.reading.source import (
    TONES,
    BattleSource,
    OrderTone,
    SourceScreen,
    format_force_key,
    note_act,
)
from qf_tui.console.widgets.actions import HISTORY, MOVING, PAST, SEARCH, Action
from qf_tui.console.widgets.keys import KeyBar
from qf_tui.console.widgets.panel import Panel, show_panel
from qf_tui.console.widgets.picklist import PickLine, PickList, build_heading_line
from qf_tui.console.widgets.text import (
    SteadyText,
    TextPane,
    cut,
    join_parts,
    literal,
    measure_width,
    wrap_hanging,
)
from qf_tui.core.errors import Findings, is_forcible
from qf_tui.core.grammar.names import Candidate, find_meant_id, list_candidates, list_named_ships
from qf_tui.core.revisions import ValueChange
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Entry
from qf_tui.core.values import Battle
from qf_tui.document.acts import describe_act
from qf_tui.document.history import (
    AMENDED,
    DOUBTED,
    FORCED,
    INSERTED,
    NOTED,
    PARKED,
    SHIFTED,
    SPARE,
    STRUCK,
    LogLine,
    LogView,
)
from qf_tui.document.values import Tone, build_line

IS, KIND, SHIP = "is:", "kind:", "ship:"
AMISS = (PARKED, SPARE, DOUBTED, STRUCK)
"""States through which one key goes."""
STATES = (*AMISS, FORCED, AMENDED, SHIFTED, INSERTED, NOTED)

Fits = Callable[[int], bool]


@frozen
class Filter:
    """A search line: plain words, and words after `is:`, `kind:` or `ship:`. An act must match all."""

    text: str = ""

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(self.text.casefold().split())

    def replace_word(self, prefix: str, value: str) -> "Filter":
        """Return the filter with another word after a prefix such as `is:`; "" removes the word."""
        rest = [word for word in self.text.split() if not word.casefold().startswith(prefix)]
        return Filter(" ".join([*rest, f"{prefix}{value}"] if value else rest))

    def find_value(self, prefix: str) -> str:
        """Return the word after a prefix, or ""."""
        return next((word[len(prefix) :] for word in self.words if word.startswith(prefix)), "")

    def list_lines(self, log_view: LogView, lines: Iterable[LogLine]) -> tuple[LogLine, ...]:
        """Return the lines whose acts match, and the headings above them; other headings are left out."""
        tests = [_build_test(log_view, word) for word in self.words]
        matching_lines: list[LogLine] = []
        heading: LogLine | None = None
        for line in lines:
            if line.heading:
                heading = line
            elif all(is_fitting(line.act) for is_fitting in tests):
                if heading:
                    matching_lines.append(heading)
                matching_lines.append(line)
                heading = None
        return tuple(matching_lines)


def _build_test(log_view: LogView, word: str) -> Fits:
    """Build a test whether an act fits a word of the search line.

    A word after a prefix is the beginning of a mark, a kind or a ship's name; after `is:` alone every act
    fits. A plain word must occur anywhere in the act's text.
    """
    prefix, colon, value = word.partition(":")
    if prefix + colon == IS:
        return lambda number: not value or any(mark.startswith(value) for mark in log_view.list_marks(number))
    if prefix + colon == KIND:
        return lambda number: log_view.find_word(number).startswith(value)
    if prefix + colon == SHIP:
        return _build_ship_test(log_view, value)
    return lambda number: word in log_view.build_search_text(number)


def _build_ship_test(log_view: LogView, letters: str) -> Fits:
    """Build a test whether an act names a ship that the letters may mean, or changes her log.

    Without letters every act fits.
    """
    ships = list_named_ships(log_view.timeline.battle.ships.values())
    ship = find_meant_id(letters, ships)
    ids = {ship} if ship else {choice.text for choice in list_candidates(letters, ships)}

    def is_fitting(number: int) -> bool:
        names_ship = not ids.isdisjoint(log_view.list_ships(number))
        return not letters or names_ship or log_view.is_changing_logs(number, ids)

    return is_fitting


def list_offers(log_view: LogView, text: str) -> tuple[Candidate, ...]:
    """List completions of the last word of a search line: values after a prefix, ships for a plain word.

    Without a word, or after an unknown prefix, list the prefixes.
    """
    word = text.rpartition(" ")[2].casefold()
    prefix, colon, value = word.partition(":")
    if prefix + colon == IS:
        return tuple(Candidate(f"{IS}{state}", state) for state in STATES if state.startswith(value))
    if prefix + colon == KIND:
        kinds = dict.fromkeys(log_view.find_word(act.number) for act in log_view.timeline.log)
        return tuple(Candidate(f"{KIND}{kind}", kind) for kind in kinds if kind.startswith(value))
    if prefix + colon == SHIP or (word and not colon):
        ships = list_named_ships(log_view.timeline.battle.ships.values())
        ships_meant = list_candidates(value if colon else word, ships)
        return tuple(Candidate(f"{SHIP}{ship.text}", ship.label) for ship in ships_meant)
    return tuple(Candidate(begins, begins) for begins in (SHIP, KIND, IS))


class SearchLine(Vertical):
    """A prompt with a text, and proposals for its last word.

    Attributes:
        log_view: The log to search; None while a remark is written.
    """

    def __init__(self, id: str) -> None:
        super().__init__(id=id)
        self.log_view: LogView | None = None
        self.input = Input(id="search-text", compact=True, select_on_focus=False)
        self.display = False

    def compose(self) -> ComposeResult:
        with Horizontal(id="search-line"):
            yield SteadyText(Content(""), id="search-prompt")
            yield self.input
        yield SteadyText(Content(""), id="search-offers")

    @property
    def text(self) -> str:
        return self.input.value

    def open(self, prompt: str, text: str, log_view: LogView | None) -> None:
        """Show the line with a text, and give it the keyboard.

        Args:
            log_view: The log to search; None to write a remark.
        """
        self.log_view, self.display = log_view, True
        self.query_one("#search-prompt", SteadyText).update(literal(f" {prompt} > ", "bold $accent"))
        self._set(f"{text} " if text else "")
        self.screen.set_focus(self.input)
        self.offer()

    def on_resize(self) -> None:
        self.offer()

    def offer(self) -> None:
        """Show what the last word may become; nothing while a remark is written."""
        # The line for a remark has no log to search.
        offers = list_offers(self.log_view, self.text) if self.log_view else ()
        names = [
            word.label if word.label.casefold() in word.text else f"{word.label} ({word.text})"
            for word in offers
        ]
        text = f" Tab takes: {join_parts(names, max(20, self.size.width - 14), ' · ')}" if names else ""
        self.query_one("#search-offers", SteadyText).update(literal(text, "$quiet"))

    def action_complete(self) -> None:
        """Replace the last word by the first one offered, if any."""
        offers = list_offers(self.log_view, self.text) if self.log_view else ()
        if offers:
            word = offers[0].text
            text_before, blank, _ = self.text.rpartition(" ")
            self._set(f"{text_before}{blank}{word}{'' if word.endswith(':') else ' '}")

    def _set(self, text: str) -> None:
        """Replace the text, with the cursor at its end."""
        self.input.value, self.input.cursor_position = text, len(text)


EFFECT_LEAST = 24


@frozen
class Listing:
    """The list of the acts of a log that fit a search, in the order of play or as written."""

    log_view: LogView
    filter: Filter = Filter()
    as_written: bool = False

    @cached_property
    def lines(self) -> tuple[LogLine, ...]:
        """The acts with their headings."""
        log_view = self.log_view
        return self.filter.list_lines(log_view, log_view.written if self.as_written else log_view.played)

    @cached_property
    def acts(self) -> Mapping[int, LogLine]:
        """The lines of acts, by number."""
        return {line.act: line for line in self.lines if line.act}

    @property
    def picks(self) -> list[PickLine]:
        """The lines of the list, each with the number of its act as key; texts are made when drawn."""
        return [
            build_heading_line(line.heading)
            if line.heading
            else PickLine(line.act, partial(_draw_act, self.log_view, line.act))
            for line in self.lines
        ]

    def find_nearest(self, line: LogLine) -> int:
        """Return a line's act if it is listed, else the listed act nearest in the order of play, or 0."""
        if line.act in self.acts:
            return line.act
        if not self.acts:
            return 0
        return min(self.acts.values(), key=lambda other: abs(other.after - line.after)).act

    def find_step(self, place: int, by: int) -> int | None:
        """Return the place in the list of the next entry in force, or None at the end.

        Args:
            by: 1 for the next entry after `place`, -1 for the one before.
        """
        in_force = set(self.log_view.timeline.play_order)
        places = [at for at, line in enumerate(self.lines) if line.act in in_force and (at - place) * by > 0]
        if not places:
            return None
        return min(places) if by > 0 else max(places)

    def render_title(self, width: int) -> Content:
        """Render the top line: the listed acts, and at the right the parked, spare and doubted ones."""
        right = self.log_view.amiss_text
        count = self.log_view.format_count(len(self.acts), self.filter.text, as_written=self.as_written)
        left = cut(f" History · {count}", width - measure_width(right) - 2)
        blank = " " * max(1, width - measure_width(left) - measure_width(right) - 1)
        return Content.assemble(literal(left, "bold $primary"), blank, literal(right, "bold $text-warning"))


def _draw_act(log_view: LogView, number: int, width: int) -> Content:
    """Render an act as a line of the list: number, sign, what happened, marks, order and reasons."""
    act, marks = log_view.summary_of(number), log_view.list_marks(number)
    state = f" [{', '.join(marks)}]" if marks else ""
    look = "bold $text-warning" if act.stands_out else ""
    if STRUCK in marks:
        look = "strike $quiet"
    head = f"{number:>4} {log_view.find_sign(number)} "
    room = width - measure_width(head)
    effect = cut(act.lead, max(EFFECT_LEAST, room - measure_width(state)))
    return Content.assemble(
        literal(head, "bold $text-warning" if marks else "$quiet"),
        literal(effect, look),
        literal(state, "bold $text-warning"),
        literal(f"  {cut(act.background, room - measure_width(effect + state) - 2)}", "$quiet"),
    )


HANG = 7
"""Indent of further lines of an act."""


class PastGrid(Grid, can_focus=True):
    """The logs of a past battle, with a sign on the ships that an entry changed."""

    def show_past(self, battle: Battle, changes: tuple[ValueChange, ...]) -> None:
        """Draw the logs of an earlier battle, with the cursor on the first changed value, if there is one."""
        self.show(battle, {change.ship: Sign(changed=True) for change in changes})
        if not changes:
            return
        change = changes[0]
        self.go_to_ship(change.ship)
        columns = [column for column, _ in self.pane.layout.columns] if self.pane else []
        # Column 0 has the names.
        place = next((at for at, column in enumerate(columns, start=1) if change.field in column.fields), 0)
        if place != self.cursor.column:
            self.cursor = self.cursor.move_to_column(place)
            self.refresh_row(self.row)


class SnapshotPane(Vertical):
    """The logs of a past moment, the changes, and the card of the ship under the cursor."""

    def __init__(self, system: RuleSystem, battle: Battle, id: str) -> None:
        super().__init__(id=id)
        self.system, self.battle = system, battle
        self.grid = PastGrid(system, battle, id="grid")
        self.changes: list[Content] = []
        self._lines = 0

    def compose(self) -> ComposeResult:
        yield SteadyText(Content(""), id="stood-when")
        yield self.grid
        yield TextPane(id="stood-more")

    def show_line(self, log_view: LogView, line: LogLine, *, with_changes: bool) -> None:
        """Draw the battle at a line of the log.

        Args:
            with_changes: True to list the changes of the entry as text too.
        """
        self.battle = log_view.timeline.battle_at(line.after)
        self.changes = render_blocks(log_view.build_change_lines(line)) if with_changes else []
        when = literal(f" {log_view.format_snapshot(line)}", "bold $accent")
        self.query_one("#stood-when", SteadyText).update(when)
        self.grid.show_past(self.battle, log_view.list_changes(line))
        self._fit()
        self.show_card()

    def on_resize(self) -> None:
        self._fit()

    def _fit(self) -> None:
        """Make the logs as high as their rows need, but leave lines for the text below."""
        rows = max(Counter(ship.side for ship in self.battle.ships.values()).values(), default=1)
        lines = max(HEAD_LINES + 2, min(rows + HEAD_LINES, self.app.size.height * 3 // 5 - HEAD_LINES))
        if lines != self._lines:
            self.grid.styles.height = self._lines = lines

    def show_card(self) -> None:
        """Draw the changes of the entry, if they are listed, and the card of the ship under the cursor."""
        ship = self.grid.ship
        card = build_card_lines(self.system, self.battle, ship) if ship else []
        lines = [*self.changes, *card]
        self.query_one(TextPane).show(
            lambda width: [part for line in lines for part in wrap_hanging(line, width)]
        )


BOTH_FROM = 110
"""Screen width from which list and logs are next to each other."""
SIDES_FROM = 196
"""Screen width from which both sides' logs are next to the list."""


class HistoryView(SourceScreen[str | None]):
    """The log of a battle to read and search; it takes no corrections.

    Attributes:
        snapshot: The ships' logs at the line under the cursor.
        on_logs: True while the cursor is in these logs.
        forceable: True while a refusal is shown that the umpire can force.
    """

    places: ClassVar[tuple[str, ...]] = (HISTORY, PAST, SEARCH)
    enters = False

    def __init__(self, source: BattleSource) -> None:
        super().__init__(source)
        self.acts, self.search = PickList(id="acts"), SearchLine(id="search")
        self.snapshot = SnapshotPane(source.system, source.battle, id="stood")
        self.listing = Listing(LogView(source.system, source.timeline, partial(note_act, source)))
        self.on_logs = False
        self._last_message = ""
        self.forceable = False
        self._arranged_width = 0
        self._last_line = LogLine(0, len(source.timeline.play_order))

    def compose(self) -> ComposeResult:
        yield SteadyText(Content(""), id="history-title")
        with Horizontal(id="history-body"):
            with Vertical(id="history-list"):
                yield self.acts
                yield TextPane(id="act", more=": ? shows them")
            yield self.snapshot
        yield self.search
        yield SteadyText(Content(""), id="history-says")
        yield KeyBar(self.find_keys(HISTORY))

    def on_mount(self) -> None:
        """List the acts, with the cursor on the latest."""
        self.set_focus(self.acts)
        self._arrange()
        self.list_acts(self.listing, self.log_view.latest)

    @property
    def log_view(self) -> LogView:
        """The acts of the log, with their texts and marks."""
        return self.listing.log_view

    @property
    def line(self) -> LogLine | None:
        """The line under the cursor; None if no act is listed."""
        act = self.acts.key
        return self.listing.acts.get(act) if isinstance(act, int) else None

    @property
    def keys(self) -> Mapping[str, Action]:
        return self.find_keys(self.place)

    @property
    def place(self) -> str:
        """The place of the keyboard: the search line, the logs, or the list."""
        if self.search.display:
            return SEARCH
        if self.focused is self.snapshot.grid:
            return PAST
        return HISTORY

    def on_resize(self, event: events.Resize) -> None:
        if event.size.width != self._arranged_width:
            self._arrange()
            self.draw()

    def _arrange(self) -> None:
        """Show the list, the logs, or both next to each other if the screen is wide enough."""
        self._arranged_width = self.app.size.width
        both = self._arranged_width >= BOTH_FROM
        self.set_class(not both, "-narrow")
        self.set_class(self._arranged_width >= SIDES_FROM, "-wide")
        self.query_one("#history-list").display = both or not self.on_logs
        self.snapshot.display = both or self.on_logs

    def list_acts(self, listing: Listing, act: int = 0) -> None:
        """List acts, with the cursor on `act` or else near its old place, and draw the other panes."""
        self.listing = listing
        near = act if act in listing.acts else listing.find_nearest(self._last_line)
        self.acts.show(listing.picks, near)
        self.draw()

    def draw(self) -> None:
        """Draw everything that depends on the line under the cursor."""
        line, width = self.line, self.app.size.width
        # Kept while no act matches, so that the next list has its cursor near it.
        self._last_line = line or self._last_line
        self.query_one("#history-title", SteadyText).update(self.listing.render_title(width))
        if self.query_one(KeyBar).keys is not self.keys:
            self.query_one(KeyBar).show(self.keys)
        if line is None:
            text = "no entry matches: Esc clears the filter" if self.listing.filter.text else "no entry yet"
            self.query_one("#act", TextPane).show(lambda width: [literal(text, "$quiet")])
            return
        shows_list = self.query_one("#history-list").display
        if shows_list:
            act = self.log_view.build_document(line)
            lines = (build_line(act.title, tone=Tone.STRONG), *act.lines)
            self.query_one("#act", TextPane).show(partial(wrap_lines, lines, HANG))
        if self.snapshot.display:
            self.snapshot.show_line(self.log_view, line, with_changes=not shows_list)

    def on_pick_list_moved(self) -> None:
        """Draw the panes for the new line; remove the last message, unless an entry is being moved."""
        if self._last_message and self.place != MOVING:
            self._last_message, self.forceable = "", False
            self.say("")
        self.draw()

    def on_grid_moved(self) -> None:
        self.snapshot.show_card()

    def show(self) -> None:
        """List the acts again after a new act, and say that the act is done.

        The cursor goes to an inserted entry; a filter that hides it is cleared.
        """
        new_number = len(self.log_view.timeline.log) + 1
        source = self.source
        log_view = LogView(source.system, source.timeline, partial(note_act, source))
        listing = evolve(self.listing, log_view=log_view)
        new_act = source.timeline.find_act(new_number)
        inserted = isinstance(new_act, Entry) and new_act.after is not None
        self._last_message = f"{describe_act(source.timeline, new_act).title}: done" if new_act else ""
        if inserted and new_number not in listing.acts:
            listing = evolve(listing, filter=Filter())
        self.list_acts(listing, new_number if inserted else 0)

    def say(self, text: str, tone: OrderTone = "", findings: Findings = ()) -> None:
        """Show a message above the keys; "" shows the last one again."""
        self._last_message, self.forceable = text or self._last_message, is_forcible(findings)
        force = format_force_key(self) if self.forceable else ""
        text = f" {cut(self._last_message, self.size.width - 2 - measure_width(force))}{force}"
        self.query_one("#history-says", SteadyText).update(literal(text, TONES[tone]))

    def alarm(self, text: str) -> None:
        """Show a warning that something was not recorded; "" shows nothing."""
        if text:
            self.say(f"‼ {text}", "refused")

    def action_step(self, by: int) -> None:
        """Go to the next or previous listed entry in force."""
        place = self.listing.find_step(self.acts.at, by)
        if place is not None:
            self.acts.go(place, by)

    def action_switch_pane(self) -> None:
        """Move the cursor from the list to the logs, or back."""
        self.on_logs = not self.on_logs
        self._arrange()
        self.set_focus(self.snapshot.grid if self.on_logs else self.acts)
        self.draw()

    def action_back(self) -> None:
        """Go back one step: clear the filter, leave the logs, then leave the history."""
        if self.listing.filter.text:
            self._set_filter(Filter())
        elif self.on_logs:
            self.action_switch_pane()
        else:
            self.dismiss(None)

    def action_as_written(self) -> None:
        """List the acts in the order in which they were written, or again in the order of play."""
        self.list_acts(evolve(self.listing, as_written=not self.listing.as_written))

    def _set_filter(self, new_filter: Filter) -> None:
        self.list_acts(evolve(self.listing, filter=new_filter))

    def action_filter_ship(self) -> None:
        """Show only acts about the next ship of the entry under the cursor; after its last ship show all."""
        if self.line is not None:
            current_filter = self.listing.filter
            current_ship = current_filter.find_value(SHIP)
            # "" means all ships, before the first ship and after the last.
            ids = "", *self.log_view.list_ships(self.line.act), ""
            at = ids.index(current_ship) if current_ship in ids else 0
            self._set_filter(current_filter.replace_word(SHIP, ids[at + 1]))

    def action_filter_kind(self) -> None:
        """Show only acts of the kind under the cursor; if a kind is chosen already, show all kinds."""
        if self.line is not None:
            current_filter = self.listing.filter
            kind = "" if current_filter.find_value(KIND) else self.log_view.find_word(self.line.act)
            self._set_filter(current_filter.replace_word(KIND, kind))

    def action_filter_state(self) -> None:
        """Show only acts of the next state that occurs: parked, spare, doubted or struck; then all acts.

        If no act has such a state, say so.
        """
        current_filter, log_view = self.listing.filter, self.log_view
        current_state = current_filter.find_value(IS)
        next_states = AMISS[AMISS.index(current_state) + 1 :] if current_state in AMISS else AMISS
        marks = {mark for act in log_view.timeline.log for mark in log_view.list_marks(act.number)}
        next_state = next((state for state in next_states if state in marks), "")
        self._set_filter(current_filter.replace_word(IS, next_state))
        if self.listing.filter == current_filter:
            self.say("no entry is parked, spare, doubted or struck")

    def action_search(self) -> None:
        """Open the search line with the present filter."""
        self.search.open("search", self.listing.filter.text, self.log_view)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Show only acts that match the search typed so far; a remark has no matches."""
        event.stop()
        if self.search.display and self.search.log_view is not None:
            self.search.offer()
            self._set_filter(Filter(event.value.strip()))

    def action_search_done(self) -> None:
        """Close the search line, and keep the filter."""
        self._close_search()

    def action_search_drop(self) -> None:
        """Close the search line; show all acts again, unless it was open for a remark."""
        searching = self.search.log_view is not None
        self._close_search()
        if searching:
            self._set_filter(Filter())

    def _close_search(self) -> None:
        """Hide the search line, and give the keyboard to the list."""
        self.search.display = False
        self.set_focus(self.acts)
        self.draw()

    def action_why(self) -> None:
        """Show the act under the cursor in full, with its clauses."""
        if self.line is not None:
            why = self.log_view.build_why_document(self.line)
            show_panel(self.app, Panel(why.title, render_blocks(why.blocks)))

    def action_help(self) -> None:
        show_help(self, self.source, place=self.place)
