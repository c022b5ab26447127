"""The wall display: who must act, what happened last, what to throw and what to change."""

from collections.abc import Callable, Iterable, Sequence
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
from qf_tui.document.acts import EntrySummary
from qf_tui.document.glance import Glance, build_glance, list_advice
from qf_tui.document.words import JOINT
from qf_tui.features.wall_display.actions import ROOM, open_wall
from qf_tui.features.wall_display.letters import BLOCKS, HALVES, draw_letters

MORE = "v lists all"
"""The hint if a list does not fit completely."""
WHY_MOST = 4
"""Lines for the dice and chart lines of the last act."""
READ = 1
"""Highest rank of text that people must read. Larger forms and explanations have a higher rank."""
HEAD, EVENT, LABEL, QUIET = "bold $primary", "bold reverse $text-warning", "bold $accent", "$quiet"


@frozen
class Way:
    """A size in which a part can be drawn.

    Attributes:
        rank: Order in which ways get room; the lowest rank is first.
        lines: Lines of the part in this size.
    """

    rank: int
    lines: tuple[Content, ...]


PagePart = Sequence[Way]
"""All ways to draw a part; each later one says more than the one before, or is larger."""


def lay_out_page(parts: Sequence[PagePart], weightiest: Sequence[int], height: int) -> list[Content]:
    """Lay out parts below each other, each as large as fits; the last two are at the bottom.

    Args:
        weightiest: Indexes of the parts in the order in which they get room.
    """
    at = [0] * len(parts)
    gaps, left = len(parts) - 1, height - sum(len(part[0].lines) for part in parts)
    for rank in sorted({way.rank for part in parts for way in part}):
        # Only what must be read takes the room of the blank lines between parts.
        spared = gaps if rank > READ else 0
        for part in weightiest:
            for place, way in enumerate(parts[part]):
                more = len(way.lines) - len(parts[part][at[part]].lines)
                if way.rank == rank and place > at[part] and more <= left - spared:
                    at[part], left = place, left - more
    blank, rest = min(gaps, max(0, left)), max(0, left - gaps)
    lines: list[Content] = []
    for part, ways in enumerate(parts):
        above = (1 if part > gaps - blank else 0) + (rest if part == gaps - 1 else 0)
        lines += [*(Content(""),) * above, *ways[at[part]].lines]
    return lines


def build_head_part(seen: Glance, width: int, clock: str = "") -> PagePart:
    """Draw the turn, the phase, the clock, and the sides that may still act."""
    title = f"turn {seen.turn} · {seen.phase}".upper()
    sides = ", ".join(f"{name} {count}" for name, count in seen.to_act) or "no ship"
    acts = " · ".join(filter(None, (clock, f"still to act: {sides}"))).upper()
    room = width - measure_width(title)
    below = _draw_lines([acts], width, "bold")
    one_line = Content.assemble(literal(title, HEAD), literal(fit(acts, room, right=True), "bold"))
    halves, blocks = (_draw_large(title, width, size, HEAD) for size in (HALVES, BLOCKS))
    acting = _draw_large(acts.replace(":", ""), width, HALVES, "bold")
    return _keep_drawable(
        Way(
            0,
            (one_line,) if measure_width(acts) + 2 <= room else (*_draw_lines([title], width, HEAD), *below),
        ),
        Way(2, (*halves, *below) if halves else ()),
        Way(3, _stack(halves, acting)),
        Way(4, _stack(blocks, acting or below)),
    )


def build_events_part(events: Sequence[str], width: int) -> PagePart:
    """Draw events in capitals, the latest first."""
    rest = [fit(f"   {join_parts(events[1:], width - 4, ' · ')}", width)] if events[1:] else []
    ways = [Way(0, (literal(fit(f" ‼ {join_parts(events, width - 4, ' · ')}", width), EVENT),))]
    for rank, size in ((2, HALVES), (4, BLOCKS)):
        large = [fit(f" {row}", width) for row in draw_letters(f"‼ {events[0]}", width - 2, size, 0)]
        ways.append(Way(rank, tuple(literal(row, EVENT) for row in (*large, *rest)) if large else ()))
    return _keep_drawable(*ways)


def build_last_act_part(head: EntrySummary | None, number: int, state: str, width: int) -> PagePart:
    """Draw the last act: its result, then who did it and with which dice."""
    if head is None:
        return (Way(0, (literal("no entry yet", QUIET),)),)
    style = "bold $text-warning" if head.event else "bold"
    lead, *more = (*head.parts[:-1], f"{head.parts[-1]} [{state}]") if state else head.parts
    rest, effect = JOINT.join(more), JOINT.join((lead, *more))
    by = _draw_lines([f"{number}  {head.by or head.why}"], width, QUIET)
    why = _draw_lines(wrap_words(head.why, width, WHY_MOST), width, QUIET) if head.by and head.why else ()
    plain, named = (_draw_lines(wrap_words(text.upper(), width), width, style) for text in (effect, rest))
    halves, blocks = (_draw_large(lead, width, size, style) for size in (HALVES, BLOCKS))
    below = _draw_large(rest, width, HALVES, style)
    ways = [Way(0, _draw_lines([effect.upper()], width, style)), Way(0, (*plain, *by))]
    for rank, lines in (
        (1, _stack(halves, named) if rest else halves),
        (2, _draw_large(effect, width, HALVES, style)),
        (3, _stack(blocks, below or named) if rest else blocks),
        (4, _draw_large(effect, width, BLOCKS, style)),
    ):
        ways += [Way(rank, _stack(lines, by)), Way(max(rank, READ + 1), _stack(lines, (*by, *why)))]
    return _keep_drawable(*ways)


def build_list_part(label: str, items: Sequence[str], more: int, width: int) -> PagePart:
    """Draw a list next to its label: as many items as fit, the first item large, or all items.

    Args:
        more: Number of further items.
    """
    room = width - measure_width(label) - 2
    others = len(items) - 1 + more
    tail = f"  +{others}: {MORE}" if others else ""
    ways = [Way(0, _draw_labelled(label, [f"{cut(items[0], room - measure_width(tail))}{tail}"]))]
    texts = [wrap_words(item, room) for item in items]
    remainder: list[str] = []
    for shown in range(1, len(items) + 1):
        rest = len(items) - shown + more
        remainder = [f"and {rest} more: {MORE}"] if rest else []
        ways.append(Way(1, _draw_labelled(label, [*chain(*texts[:shown]), *remainder])))
    name = literal(label, LABEL)
    first, *large = (_draw_large(item, width, HALVES, "bold") for item in items)
    if first:
        below = _draw_lines([*chain(*texts[1:]), *remainder], width, "bold")
        ways.append(Way(3, (name, *first, *below)))
        if all(large):
            ways.append(Way(4, (name, *first, *chain(*large), *_draw_lines(remainder, width, "bold"))))
    return tuple(ways)


def build_text_part(label: str, text: str, width: int) -> PagePart:
    """Draw a text next to its label, on one line or on as many as it needs."""
    room = width - measure_width(label) - 2
    return (
        Way(0, _draw_labelled(label, [cut(text, room)], QUIET)),
        Way(READ + 1, _draw_labelled(label, wrap_words(text, room), QUIET)),
    )


def _draw_labelled(label: str, lines: Iterable[str], style: str = "bold") -> tuple[Content, ...]:
    """Draw lines next to their label."""
    first, *rest = lines
    blank = " " * (measure_width(label) + 2)
    top = Content.assemble(literal(label, LABEL), literal(f"  {first}", style))
    return (top, *(literal(f"{blank}{line}", style) for line in rest))


def _draw_lines(lines: Iterable[str], width: int, style: str) -> tuple[Content, ...]:
    return tuple(literal(cut(line, width), style) for line in lines)


def _draw_large(text: str, width: int, size: int, style: str) -> tuple[Content, ...]:
    """Draw a text in large letters; () if impossible. Small letters need no blank line between them."""
    return tuple(literal(line, style) for line in draw_letters(text, width, size, 0 if size == HALVES else 1))


def _stack(above: tuple[Content, ...], below: tuple[Content, ...]) -> tuple[Content, ...]:
    """Draw two parts with a blank line between them; () if one part is empty."""
    return (*above, Content(""), *below) if above and below else ()


def _keep_drawable(*ways: Way) -> PagePart:
    """Return the ways that can be drawn: some letters have no large form, some words do not fit."""
    return tuple(way for way in ways if way.lines)


def build_wall_lines(
    source: BattleSource,
    seen: Glance,
    width: int,
    height: int,
    clock: str = "",
    notes: Iterable[tuple[str, str]] = (),
) -> list[Content]:
    """Draw the page for a size; what does not fit is cut with a sign, or counted.

    Args:
        notes: Further texts, each with its label.
    """
    last = build_last_act_part(seen.last, seen.number, seen.state, width)
    # The head shows that a phase begins; the room is needed for what to change on the table.
    last = last[:1] if seen.began else last
    advice = " · ".join(("nothing", *list_advice(source.system, source.battle)))
    # The last entry already shows the event that just happened.
    last_event = seen.last.effect if seen.last and seen.last.event else ""
    events = [text for event in seen.events if (text := event.text.upper()) not in last_event]
    lists = (
        ("TO THROW", seen.to_throw, seen.owed - len(seen.to_throw), advice),
        ("ON THE TABLE", [words for _, words in seen.on_table], 0, "nothing to change"),
    )
    parts = [
        build_head_part(seen, width, clock),
        *([build_events_part(events, width)] if events else []),
        *(build_text_part(label, text, width) for label, text in notes),
        last,
        *(
            build_list_part(label, items, more, width) if items else build_text_part(label, if_empty, width)
            for label, items, more, if_empty in lists
        ),
    ]
    count = len(parts)
    return lay_out_page(parts, (count - 3, 0, count - 2, count - 1, *range(1, count - 3)), height)


class WallDisplay(SourceScreen[None]):
    """The battle in large letters, which follows its source. `notes` gives more texts with labels."""

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
        self._seen = build_glance(source.system, source.timeline)

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

    def _build_lines(self, width: int) -> list[Content]:
        height = self.query_one("#wall").size.height
        return build_wall_lines(self.source, self._seen, width, height, self.clock(), self._notes())

    def open_again(self, screen: Screen[Any]) -> None:
        open_wall(screen)

    def draw_notes(self) -> None:
        """Draw the page again with the current clock and notes."""
        self.query_one("#wall", TextPane).draw()

    def show(self) -> None:
        self._seen = build_glance(self.source.system, self.source.timeline)
        self.say("")
        self.draw_notes()

    def say(self, text: str, tone: OrderTone = "", findings: Findings = ()) -> None:
        line = self.query_one(MessageLine)
        line.display = bool(text)
        line.say(text, tone, findings)

    def alarm(self, text: str) -> None:
        self.query_one(Alarm).show(text)

    def action_read(self, what: str) -> None:
        """Show a panel to read."""
        from qf_tui.console.reading.info_panels import PANELS

        PANELS[what](self, None, None)

    def action_leave(self) -> None:
        """Close this page; leave the program if it only follows a save."""
        if self.source.writable:
            self.dismiss(None)
        else:
            self.app.exit()
