"""The latest acts in words, what happened to whom first; the last one in full."""

from collections.abc import Iterable
from dataclasses import dataclass

from textual.content import Content
from textual.message import Message

from qf_tui.console.widgets.signs import signs_in_ascii
from qf_tui.console.widgets.text import cut, literal, width_of, wrapped
from qf_tui.console.widgets.text_pane import BLANK, TextPane
from qf_tui.core.acts import Correction, CorrectionKind, LogAct
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Timeline
from qf_tui.session.act_words import act_text
from qf_tui.session.headlines import Headline, headline

BEHIND_LEAST = 12
"""Fewest cells for who did it behind what it did."""
LAST_MOST = 3
"""Lines for the newest act."""


NO_ENTRY = " no entry yet: the letters in the last line open orders, : types one, F1 is the help"


class Latest(TextPane):
    """As many of the latest acts as fit, newest at the bottom; the newest with its whole result."""

    def __init__(self, system: RuleSystem, timeline: Timeline, id: str) -> None:
        super().__init__(id=id)
        self.system, self.timeline = system, timeline
        self._known: dict[int, tuple[Headline, str, int, str]] = {}
        self._lines: dict[tuple[int, int, bool], Content] = {}

    @dataclass
    class Asked(Message):
        """An act was clicked: shows all of them."""

    def on_click(self) -> None:
        self.post_message(self.Asked())

    def show_log(self, timeline: Timeline) -> None:
        """Draws a log."""
        if len(timeline.log) != len(self.timeline.log) + 1 or isinstance(timeline.log[-1], Correction):
            # A correction may change what older entries come to.
            self._known, self._lines = {}, {}
        self.timeline = timeline
        self.draw()

    def _told(self, act: LogAct) -> tuple[Headline, str, int, str]:
        """An act in words: what it did, its state, its number and the clause."""
        known = self._known.get(act.number)
        if known is None:
            text = act_text(self.timeline, act)
            known = headline(self.system, self.timeline, act), text.state, act.number, text.clause
            self._known[act.number] = known
        return known

    def made(self, width: int, height: int) -> Iterable[Content]:
        log = latest(self.timeline, height)
        if not log:
            return literal(NO_ENTRY, "$quiet").wrap(width)
        whole = _whole(*self._told(log[-1]), width, min(LAST_MOST, height))
        lines = [*(self._line(act, width) for act in log[:-1]), *whole]
        return (*[BLANK] * (height - len(lines)), *lines)[-height:]

    def _line(self, act: LogAct, width: int) -> Content:
        """An act in one line, which stays the same while others come."""
        kind = act.number, width, signs_in_ascii()
        if kind not in self._lines:
            self._lines[kind] = _line(*self._told(act), width)
        return self._lines[kind]


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


def _line(said: Headline, state: str, number: int, clause: str, width: int) -> Content:
    """An act in one line: what happened to whom, who did it, by which dice, the clause if there is room."""
    shown = f" [{state}]" if state else ""
    effect = cut(said.effect, width - 6 - width_of(shown))
    room = width - 8 - width_of(effect) - width_of(shown)
    behind = (
        cut(" · ".join(part for part in (said.by, said.why) if part), room) if room > BEHIND_LEAST else ""
    )
    blank = room - width_of(behind) - width_of(clause) - 2
    return Content.assemble(
        literal(f"{number:>4} ", "$quiet"),
        literal(effect, "bold $text-warning" if said.event else ""),
        literal(shown, "bold $text-warning"),
        literal(f"  {behind}", "$quiet"),
        literal(f"{' ' * blank}  {clause}" if clause and blank >= 0 else "", "$quiet"),
    )


def _whole(said: Headline, state: str, number: int, clause: str, width: int, height: int) -> list[Content]:
    """An act with all that it did and by what on separate lines."""
    shown = f" [{state}]" if state else ""
    effect = wrapped(said.effect, width - 6 - width_of(shown), max(1, height - 1)) or [""]
    look = "bold $text-warning" if said.event else "bold"
    lines = [literal(f"     {line}", look) for line in effect]
    lines[0] = Content.assemble(
        literal(f"{number:>4} ", "$quiet"), literal(effect[0], look), literal(shown, "bold $text-warning")
    )
    behind = "  ".join(
        part for part in (" · ".join(one for one in (said.by, said.why) if one), clause) if part
    )
    room = height - len(lines)
    return [
        *lines,
        *(literal(f"     {line}", "$quiet") for line in (wrapped(behind, width - 6, room) if room else ())),
    ]
