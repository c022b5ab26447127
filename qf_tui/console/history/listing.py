"""Which acts the history lists: headings, acts with sign and marks, and the title that says what is shown."""

from collections.abc import Mapping
from functools import cached_property, partial

from attrs import frozen
from textual.content import Content

from qf_tui.console.history.filter import Filter
from qf_tui.console.history.log_view import DOUBTED, PARKED, SPARE, STRUCK, LogLine, LogView
from qf_tui.console.widgets.picklist import PickLine, heading
from qf_tui.console.widgets.text import cut, literal, width_of
from qf_tui.core.acts import State
from qf_tui.core.timeline import Timeline

EFFECT_LEAST = 24


@frozen
class Listing:
    """The acts of a log that fit a filter, in the order of play or, with `as_written`, of writing."""

    log_view: LogView
    filter: Filter = Filter()
    as_written: bool = False

    @cached_property
    def lines(self) -> tuple[LogLine, ...]:
        """Acts and the headings above them."""
        log_view = self.log_view
        return self.filter.lines(log_view, log_view.written if self.as_written else log_view.played)

    @cached_property
    def acts(self) -> Mapping[int, LogLine]:
        """The lines of acts by their numbers."""
        return {line.act: line for line in self.lines if line.act}

    @property
    def picks(self) -> list[PickLine]:
        """The lines to be picked from, an act's number as its key; each is worded only when it is drawn."""
        return [
            heading(line.heading)
            if line.heading
            else PickLine(line.act, partial(_drawn, self.log_view, line.act))
            for line in self.lines
        ]

    def near(self, line: LogLine) -> int:
        """The act of a line if it is listed, else the nearest in the order of play; 0 if none is listed."""
        if line.act in self.acts:
            return line.act
        return min(self.acts.values(), key=lambda one: abs(one.after - line.after)).act if self.acts else 0

    def step(self, place: int, by: int) -> int | None:
        """The place of the next entry in force behind a place, or before it with a negative step."""
        script = set(self.log_view.timeline.play_order)
        there = [at for at, line in enumerate(self.lines) if line.act in script and (at - place) * by > 0]
        return (min if by > 0 else max)(there) if there else None

    def title(self, width: int) -> Content:
        """The line on top: what is listed, and at the right how many acts are not as they should be."""
        return _title(self.log_view.timeline, self._counted(), width)

    def _counted(self) -> str:
        count = len(self.log_view.timeline.log)
        entries = "1 entry" if count == 1 else f"{count} entries"
        order = "original wording" if self.as_written else "in the order of play"
        text = self.filter.text
        return f"{text} · {len(self.acts)} of {entries}" if text else f"{entries}, {order}"


def _drawn(log_view: LogView, number: int, width: int) -> Content:
    said, marks = log_view.headline_of(number), log_view.marks(number)
    look = "strike $quiet" if STRUCK in marks else ""
    state = f" [{', '.join(marks)}]" if marks else ""
    first = f"{number:>4} {log_view.sign(number)} "
    room = width - width_of(first)
    effect = cut(said.effect, max(EFFECT_LEAST, room - width_of(state)))
    behind = cut(" · ".join(one for one in (said.by, said.why) if one), room - width_of(effect + state) - 2)
    return Content.assemble(
        literal(first, "$quiet" if not marks else "bold $text-warning"),
        literal(effect, look or ("bold $text-warning" if said.event else "")),
        literal(state, "bold $text-warning"),
        literal(f"  {behind}", "$quiet"),
    )


def _title(timeline: Timeline, count: str, width: int) -> Content:
    amiss = {
        PARKED: len(timeline.in_state(State.PARKED)),
        SPARE: len(timeline.in_state(State.SPARE)),
        DOUBTED: len(timeline.battle.doubts),
    }
    right = "  ".join(f"{state} {number}" for state, number in amiss.items() if number)
    left = cut(f" History · {count}", width - width_of(right) - 2)
    blank = " " * max(1, width - width_of(left) - width_of(right) - 1)
    return Content.assemble(literal(left, "bold $primary"), blank, literal(right, "bold $text-warning"))
