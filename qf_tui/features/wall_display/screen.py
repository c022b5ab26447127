"""The wall display, a screen in large letters: who must act, what happened last, what to throw and change."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

from attrs import frozen
from textual.app import ComposeResult
from textual.content import Content
from textual.screen import Screen

from qf_tui.console.battle.status import PACE_AFTER
from qf_tui.console.entry.bar import Alarm, MessageLine
from qf_tui.console.reading.source import BattleSource, OrderTone, SourceScreen
from qf_tui.console.widgets.keys import KeyBar
from qf_tui.console.widgets.text import TextPane, cut, fit, join_parts, literal, measure_width, wrap_words
from qf_tui.core.errors import Findings
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Timeline
from qf_tui.document.acts import EntrySummary
from qf_tui.document.glance import Glance, build_glance, list_advice
from qf_tui.document.words import JOINT
from qf_tui.features.wall_display.actions import ROOM, open_wall
from qf_tui.features.wall_display.letters import BLOCKS, HALVES, draw_letters
from qf_tui.registry import find_features

MORE = "v lists all"
"""The hint if a list does not fit completely."""
WHY_MOST = 4
"""Most lines for the reasons of the last act."""
SMALLEST, MUST_READ, LARGE, LARGER, LARGEST = range(5)
"""Ranks of sizes: lower ones get room first. Text that people must read has at most the rank `MUST_READ`."""
HEAD, EVENT, LABEL, QUIET = "bold $primary", "bold reverse $text-warning", "bold $accent", "$quiet"


@frozen
class SizedLines:
    """The lines of a part in one size.

    Attributes:
        rank: Order in which sizes get room; the lowest rank is first.
        lines: Lines of the part in this size; () if it cannot be drawn.
    """

    rank: int
    lines: tuple[Content, ...]


PagePart = Sequence[SizedLines]
"""All sizes in which a part can be drawn; each later one says more than the one before, or is larger."""


def lay_out_page(parts: Sequence[PagePart], part_order: Sequence[int], height: int) -> list[Content]:
    """Lay out parts below each other, each as large as fits; the last two are at the bottom.

    Args:
        parts: Parts from top to bottom, each with its sizes.
        part_order: Indexes of the parts in the order in which they get room.
    """
    # The index of the chosen size of each part.
    chosen = [0] * len(parts)
    gap_count = len(parts) - 1
    lines_left = height - sum(len(sizes[0].lines) for sizes in parts)
    for rank in sorted({size.rank for sizes in parts for size in sizes}):
        # Only what must be read takes the room of the blank lines between parts.
        reserved = gap_count if rank > MUST_READ else 0
        for part in part_order:
            for place, size in enumerate(parts[part]):
                extra_lines = len(size.lines) - len(parts[part][chosen[part]].lines)
                if size.rank == rank and place > chosen[part] and extra_lines <= lines_left - reserved:
                    chosen[part] = place
                    lines_left -= extra_lines
    drawn_gaps = min(gap_count, max(0, lines_left))
    spare_lines = max(0, lines_left - gap_count)
    lines: list[Content] = []
    for part, sizes in enumerate(parts):
        # If there is no room for all gaps, the lowest are drawn.
        if part > gap_count - drawn_gaps:
            lines.append(Content(""))
        is_second_last = part == gap_count - 1
        if is_second_last:
            lines += [Content("")] * spare_lines
        lines += sizes[chosen[part]].lines
    return lines


def build_head_part(glance: Glance, width: int, clock: str = "") -> PagePart:
    """Build the part with the turn, the phase, the clock, and the sides that may still act."""
    title = f"turn {glance.turn} · {glance.phase}".upper()
    sides = ", ".join(f"{name} {count}" for name, count in glance.to_act) or "no ship"
    acts_text = " · ".join(filter(None, (clock, f"still to act: {sides}"))).upper()
    room = width - measure_width(title)
    below = _draw_lines([acts_text], width, "bold")
    if measure_width(acts_text) + 2 > room:
        smallest = (*_draw_lines([title], width, HEAD), *below)
    else:
        right_text = fit(acts_text, room, right=True)
        smallest = (Content.assemble(literal(title, HEAD), literal(right_text, "bold")),)
    halves, blocks = (_draw_large(title, width, size, HEAD) for size in (HALVES, BLOCKS))
    # A colon would begin a new line of large letters.
    large_acts = _draw_large(acts_text.replace(":", ""), width, HALVES, "bold")
    return _keep_drawable(
        SizedLines(SMALLEST, smallest),
        SizedLines(LARGE, (*halves, *below) if halves else ()),
        SizedLines(LARGER, _join_with_gap(halves, large_acts)),
        SizedLines(LARGEST, _join_with_gap(blocks, large_acts or below)),
    )


def build_events_part(events: Sequence[str], width: int) -> PagePart:
    """Build the part with events in capitals; the first is large where there is room."""
    # 4 cells are for the sign and the blanks around it.
    rest_lines = [fit(f"   {join_parts(events[1:], width - 4, ' · ')}", width)] if events[1:] else []
    one_line = fit(f" ‼ {join_parts(events, width - 4, ' · ')}", width)
    sizes = [SizedLines(SMALLEST, (literal(one_line, EVENT),))]
    for rank, size in ((LARGE, HALVES), (LARGEST, BLOCKS)):
        large = [fit(f" {row}", width) for row in draw_letters(f"‼ {events[0]}", width - 2, size, between=0)]
        if large:
            sizes.append(SizedLines(rank, tuple(literal(row, EVENT) for row in (*large, *rest_lines))))
    return tuple(sizes)


def build_last_act_part(summary: EntrySummary | None, number: int, state: str, width: int) -> PagePart:
    """Build the part with the last act: its effect, then its order, then the reasons.

    Larger sizes have large letters: for the effect on the first ship alone, or on all ships.

    Args:
        state: Text to add in brackets after the effect, or "".
    """
    if summary is None:
        return (SizedLines(SMALLEST, (literal("no entry yet", QUIET),)),)
    style = "bold $text-warning" if summary.event else "bold"
    effects = [*summary.parts]
    if state:
        effects[-1] += f" [{state}]"
    first_text, *rest_texts = effects
    rest_text = JOINT.join(rest_texts)
    effect_text = JOINT.join(effects)
    order_lines = _draw_lines([f"{number}  {summary.by or summary.why}"], width, QUIET)
    # Without an order, its line has the reasons already.
    reason_lines = (
        _draw_lines(wrap_words(summary.why, width, WHY_MOST), width, QUIET)
        if summary.by and summary.why
        else ()
    )
    plain_effect = _draw_lines(wrap_words(effect_text.upper(), width), width, style)
    plain_rest = _draw_lines(wrap_words(rest_text.upper(), width), width, style)
    first_halves = _draw_large(first_text, width, HALVES, style)
    first_blocks = _draw_large(first_text, width, BLOCKS, style)
    rest_halves = _draw_large(rest_text, width, HALVES, style)
    large_effects = (
        (MUST_READ, _join_with_gap(first_halves, plain_rest) if rest_text else first_halves),
        (LARGE, _draw_large(effect_text, width, HALVES, style)),
        (LARGER, _join_with_gap(first_blocks, rest_halves or plain_rest) if rest_text else first_blocks),
        (LARGEST, _draw_large(effect_text, width, BLOCKS, style)),
    )
    sizes = [
        SizedLines(SMALLEST, _draw_lines([effect_text.upper()], width, style)),
        SizedLines(SMALLEST, (*plain_effect, *order_lines)),
    ]
    for rank, effect_lines in large_effects:
        # Reasons get room only after the texts that people must read.
        sizes += [
            SizedLines(rank, _join_with_gap(effect_lines, order_lines)),
            SizedLines(max(rank, LARGE), _join_with_gap(effect_lines, (*order_lines, *reason_lines))),
        ]
    return _keep_drawable(*sizes)


def build_list_part(label: str, items: Sequence[str], unlisted_count: int, width: int) -> PagePart:
    """Build the part with a list, from its smallest size to its largest.

    The smallest is one line with the first item. The next show more and more items. In the two largest, the
    first item or all items have large letters. Items left out are counted.

    Args:
        items: At least one.
        unlisted_count: Number of further items, which are only counted.
    """
    room = width - measure_width(label) - 2
    other_count = len(items) - 1 + unlisted_count
    tail = f"  +{other_count}: {MORE}" if other_count else ""
    only_line = f"{cut(items[0], room - measure_width(tail))}{tail}"
    sizes = [SizedLines(SMALLEST, _draw_labelled(label, [only_line]))]
    wrapped_items = [wrap_words(item, room) for item in items]

    def count_more(shown_count: int) -> list[str]:
        rest_count = len(items) - shown_count + unlisted_count
        return [f"and {rest_count} more: {MORE}"] if rest_count else []

    for shown_count in range(1, len(items) + 1):
        lines = [*chain(*wrapped_items[:shown_count]), *count_more(shown_count)]
        sizes.append(SizedLines(MUST_READ, _draw_labelled(label, lines)))
    unlisted = count_more(len(items))
    heading = literal(label, LABEL)
    first_large, *other_large = (_draw_large(item, width, HALVES, "bold") for item in items)
    if first_large:
        others = _draw_lines([*chain(*wrapped_items[1:]), *unlisted], width, "bold")
        sizes.append(SizedLines(LARGER, (heading, *first_large, *others)))
        if all(other_large):
            all_large = (*first_large, *chain(*other_large))
            sizes.append(SizedLines(LARGEST, (heading, *all_large, *_draw_lines(unlisted, width, "bold"))))
    return tuple(sizes)


def build_text_part(label: str, text: str, width: int) -> PagePart:
    """Build the part with a text next to its label: cut to one line or, where there is room, whole."""
    room = width - measure_width(label) - 2
    return (
        SizedLines(SMALLEST, _draw_labelled(label, [cut(text, room)], QUIET)),
        SizedLines(LARGE, _draw_labelled(label, wrap_words(text, room), QUIET)),
    )


def _draw_labelled(label: str, lines: Iterable[str], style: str = "bold") -> tuple[Content, ...]:
    """Draw a label before the first of some lines; the other lines are indented below it."""
    first_line, *other_lines = lines
    blank = " " * (measure_width(label) + 2)
    top = Content.assemble(literal(label, LABEL), literal(f"  {first_line}", style))
    return (top, *(literal(f"{blank}{line}", style) for line in other_lines))


def _draw_lines(lines: Iterable[str], width: int, style: str) -> tuple[Content, ...]:
    """Draw lines, each cut to the width."""
    return tuple(literal(cut(line, width), style) for line in lines)


def _draw_large(text: str, width: int, dot_width: int, style: str) -> tuple[Content, ...]:
    """Draw a text in large letters of one size; () if that is impossible."""
    between = 0 if dot_width == HALVES else 1
    return tuple(literal(line, style) for line in draw_letters(text, width, dot_width, between))


def _join_with_gap(above: tuple[Content, ...], below: tuple[Content, ...]) -> tuple[Content, ...]:
    """Join two groups of lines with a blank line between them; () if one group is empty."""
    return (*above, Content(""), *below) if above and below else ()


def _keep_drawable(*sizes: SizedLines) -> PagePart:
    """Return the sizes that have lines; some letters have no large form, some words do not fit."""
    return tuple(size for size in sizes if size.lines)


def build_wall_lines(
    source: BattleSource,
    glance: Glance,
    width: int,
    height: int,
    clock: str = "",
    notes: Iterable[tuple[str, str]] = (),
) -> list[Content]:
    """Draw the whole page; texts that do not fit are cut with a sign, items that do not fit are counted.

    Args:
        clock: Clock as text, or "".
        notes: Further texts with their labels.
    """
    last_part = build_last_act_part(glance.last, glance.number, glance.state, width)
    if glance.began:
        # The head shows that a phase begins, so the smallest size is enough; the table changes need the room.
        last_part = last_part[:1]
    advice = " · ".join(("nothing", *list_advice(source.system, source.battle)))
    # The last entry already shows the event that just happened.
    last_event = glance.last.effect if glance.last and glance.last.event else ""
    event_texts = (event.text.upper() for event in glance.events)
    events = [text for text in event_texts if text not in last_event]
    # Each list has a label, items, the number of further items, and the text if there are no items.
    lists = (
        ("TO THROW", glance.to_throw, glance.owed - len(glance.to_throw), advice),
        ("ON THE TABLE", [words for _, words in glance.on_table], 0, "nothing to change"),
    )
    parts = [
        build_head_part(glance, width, clock),
        *([build_events_part(events, width)] if events else []),
        *(build_text_part(label, text, width) for label, text in notes),
        last_part,
        *(
            build_list_part(label, items, unlisted_count, width)
            if items
            else build_text_part(label, if_empty, width)
            for label, items, unlisted_count, if_empty in lists
        ),
    ]
    # The indexes of the parts: the head, events and notes come before the last three.
    last_act, to_throw, on_table = range(len(parts) - 3, len(parts))
    head, *events_and_notes = range(last_act)
    return lay_out_page(parts, (last_act, head, to_throw, on_table, *events_and_notes), height)


def list_standing_notes(system: RuleSystem, timeline: Timeline) -> Iterator[tuple[str, str]]:
    """Yield the features' texts on how near each side is to victory, each with a label."""
    for feature in find_features():
        if text := " · ".join(feature.list_standings(system, timeline)):
            yield feature.name.upper(), text


class WallDisplay(SourceScreen[None]):
    """The screen of the battle in large letters; it follows its source.

    Args:
        clock: Formats the clock.
        notes: Returns further texts, each with its label.
    """

    CSS = "#wall { height: 1fr; padding: 0 2; }"
    places = (ROOM,)
    enters = False

    def __init__(
        self,
        source: BattleSource,
        clock: Callable[[], str] = str,
        notes: Callable[[], Iterable[tuple[str, str]]] = tuple,
    ) -> None:
        super().__init__(source)
        self.clock, self._notes = clock, notes
        self._look()

    def compose(self) -> ComposeResult:
        yield TextPane(id="wall")
        yield Alarm(id="alarm")
        yield MessageLine(id="bar-says")
        yield KeyBar(self.find_keys(ROOM))

    def on_mount(self) -> None:
        self.query_one(MessageLine).display = False
        wall = self.query_one("#wall", TextPane)
        wall.show(self._build_lines)
        self.set_interval(PACE_AFTER, wall.draw)
        if not self.source.writable:
            self.alarm(self.source.notice)

    def _look(self) -> None:
        """Read what the page shows of the battle."""
        system, timeline = self.source.system, self.source.timeline
        self._seen = build_glance(system, timeline)
        self._standings = tuple(list_standing_notes(system, timeline))

    def _build_lines(self, width: int) -> list[Content]:
        """Draw the page for the present height."""
        height = self.query_one("#wall").size.height
        notes = (*self._notes(), *self._standings)
        return build_wall_lines(self.source, self._seen, width, height, self.clock(), notes)

    def open_again(self, screen: Screen[Any]) -> None:
        """Open the wall display over the screen of a battle that replaces this one."""
        open_wall(screen)

    def draw_notes(self) -> None:
        """Draw the page again with the current clock and notes."""
        self.query_one("#wall", TextPane).draw()

    def show(self) -> None:
        """Read the battle again, and draw the page."""
        self._look()
        self.say("")
        self.draw_notes()

    def say(self, text: str, tone: OrderTone = "", findings: Findings = ()) -> None:
        """Show a message in the bottom line; "" hides the line."""
        line = self.query_one(MessageLine)
        line.display = bool(text)
        line.say(text, tone, findings)

    def alarm(self, text: str) -> None:
        """Show an alarm above the messages."""
        self.query_one(Alarm).show(text)

    def action_read(self, panel: str) -> None:
        """Show a panel of `PANELS`; the wall has no ship and no column under a cursor."""
        from qf_tui.console.reading.info_panels import PANELS

        no_ship = no_column = None
        PANELS[panel](self, no_ship, no_column)

    def action_leave(self) -> None:
        """Close this page; if the program only follows a save, leave the program."""
        if self.source.writable:
            self.dismiss(None)
        else:
            self.app.exit()
