"""The lines of the history's list: headings, acts with sign and marks, and the title that says what is shown."""

from collections.abc import Iterable
from functools import partial

from textual.content import Content

from qf_tui.console.history.chronicle import DOUBTED, PARKED, SPARE, STRUCK, Chronicle, Line
from qf_tui.console.history.filtering import Filter
from qf_tui.console.setup.picking import Line as Pick
from qf_tui.console.setup.picking import heading
from qf_tui.console.text import cut, literal, width_of
from qf_tui.core.deciding import State

ORDER_LEAST = 24


def pick_lines(chronicle: Chronicle, lines: Iterable[Line]) -> list[Pick]:
    """The lines of a list; each is told only when it is drawn."""
    return [
        heading(line.heading) if line.heading else Pick(str(line.act), partial(_drawn, chronicle, line.act))
        for line in lines
    ]


def _drawn(chronicle: Chronicle, number: int, width: int) -> Content:
    told, marks = chronicle.told(number), chronicle.marks(number)
    look = "strike $quiet" if STRUCK in marks else ""
    state = f" [{', '.join(marks)}]" if marks else ""
    first = f"{number:>4} {chronicle.sign(number)} "
    room = width - width_of(first)
    order = cut(told.order, max(ORDER_LEAST, room - width_of(state)))
    result = cut(told.result, room - width_of(order) - width_of(state) - 2)
    return Content.assemble(
        literal(first, "$quiet" if not marks else "bold $text-warning"),
        literal(order, look),
        literal(state, "bold $text-warning"),
        literal(f"  {result}", "$quiet"),
    )


def counted(shown: int, all: int, filter: Filter, as_written: bool) -> str:
    """What is shown, in words."""
    order = "as written" if as_written else "in the order of play"
    return f"{filter.text} · {shown} of {all} acts" if filter.text else f"{all} acts, {order}"


def title(chronicle: Chronicle, count: str, width: int) -> Content:
    """The line on top: the filter and how many acts fit it, and at the right how many are not as they should be."""
    timeline = chronicle.timeline
    amiss = {
        PARKED: len(timeline.in_state(State.PARKED)),
        SPARE: len(timeline.in_state(State.SPARE)),
        DOUBTED: len(timeline.battle.doubts),
    }
    right = "  ".join(f"{state} {number}" for state, number in amiss.items() if number)
    left = cut(f" History · {count}", width - width_of(right) - 2)
    blank = " " * max(1, width - width_of(left) - width_of(right) - 1)
    return Content.assemble(literal(left, "bold $primary"), blank, literal(right, "bold $text-warning"))
