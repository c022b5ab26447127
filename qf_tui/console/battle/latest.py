"""The latest acts in words, the last one in full."""

from dataclasses import dataclass

from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from qf_tui.console.widgets.text import cut, literal, width_of, wrapped
from qf_tui.core.acts import Correction, CorrectionKind, LogAct
from qf_tui.core.timeline import Timeline
from qf_tui.session.wording import ActText, act_text


class Latest(Widget):
    """As many of the latest acts as fit, newest at the bottom; the newest with its whole result."""

    def __init__(self, timeline: Timeline, id: str) -> None:
        super().__init__(id=id)
        self.timeline = timeline

    @dataclass
    class Asked(Message):
        """An act was clicked: all of them are to be read."""

    def on_click(self) -> None:
        self.post_message(self.Asked())

    def show(self, timeline: Timeline) -> None:
        """Draws a log."""
        self.timeline = timeline
        self.refresh()

    def render(self) -> Content:
        width, height = self.size.width or 80, self.size.height or 4
        log = latest(self.timeline, height)
        if not log:
            return literal(
                " no entry yet: the letters in the last line open orders, : types one, F1 is the help",
                "$quiet",
            )
        in_force = self.timeline.in_force
        texts = [act_text(self.timeline, act, in_force) for act in log]
        lines = [*(_line(one, width) for one in texts[:-1]), *_whole(texts[-1], width, min(3, height))]
        blank = [Content("")] * (height - len(lines))
        return Content("\n").join((*blank, *lines)[-height:])


def latest(timeline: Timeline, most: int) -> list[LogAct]:
    """The latest acts.

    An undo or redo is shown only while it is the last act: later the struck acts show it.
    """
    found: list[LogAct] = []
    for act in reversed(timeline.log):
        if len(found) == most:
            break
        undoing = isinstance(act, Correction) and act.kind in (CorrectionKind.UNDO, CorrectionKind.REDO)
        if not (undoing and found):
            found.append(act)
    return found[::-1]


def _line(text: ActText, width: int) -> Content:
    """An act in one line: the order to the left, its result behind, the clause at the right."""
    state = f" [{text.state}]" if text.state else ""
    clause = f" {text.clause}" if text.clause else ""
    # The order gives way to a long result, but keeps what the result leaves.
    spare = width - 8 - width_of(clause) - width_of(text.result)
    order = cut(text.title, max(20, width * 2 // 5, spare) - width_of(state))
    used = 5 + width_of(order) + width_of(state) + 2
    result = cut(text.result, max(0, width - used - width_of(clause) - 1))
    blank = " " * max(0, width - used - width_of(result) - width_of(clause) - 1)
    return Content.assemble(
        literal(f"{text.number:>4} ", "$quiet"),
        literal(order, "$quiet"),
        literal(state, "bold $text-warning"),
        literal(f"  {result}{blank}{clause}", "$quiet"),
    )


def _whole(text: ActText, width: int, height: int) -> list[Content]:
    """An act with its result on separate lines."""
    clause = f"  {text.clause}" if text.clause else ""
    state = f" [{text.state}]" if text.state else ""
    order = cut(text.title, width - 7 - width_of(clause) - width_of(state))
    first = Content.assemble(
        literal(f"{text.number:>4} ", "$quiet"),
        literal(order, "bold"),
        literal(state, "bold $text-warning"),
        literal(clause, "$quiet"),
    )
    return [first, *(literal(f"     {line}") for line in wrapped(text.result, width - 6, height - 1))]
