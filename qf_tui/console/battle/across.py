"""The battle for people across the room: who must act, what happened last, what to throw and to change."""

from textual.app import ComposeResult
from textual.content import Content

from qf_tui.console.battle.across_parts import events_part, head_part, last_part, list_part, page, said_part
from qf_tui.console.entry.message_line import Alarm, MessageLine
from qf_tui.console.reading.refusal import Findings
from qf_tui.console.reading.source import BattleSource, OrderTone, SourceScreen
from qf_tui.console.reading.summaries import advice_of
from qf_tui.console.widgets.key_bar import KeyBar
from qf_tui.console.widgets.places import ROOM
from qf_tui.console.widgets.text_pane import TextPane
from qf_tui.session.glance import Glance, glance


def across_lines(source: BattleSource, seen: Glance, width: int, height: int) -> list[Content]:
    """The page for a size: what has no room is cut with a sign, or counted."""
    last = last_part(seen.last, seen.number, seen.state, width)
    # What begins a phase is told by the head: hands have to know what to change.
    last = last[:1] if seen.began else last
    advice = " · ".join(("nothing", *advice_of(source.system, source.battle)))
    # What happened just now is told as the last entry.
    said = seen.last.effect if seen.last and seen.last.event else ""
    events = [told for event in seen.events if (told := event.text.upper()) not in said]
    more = seen.owed - len(seen.to_throw)
    table = [words for _, words in seen.on_table]
    parts = [
        head_part(seen, width),
        *([events_part(events, width)] if events else []),
        last,
        list_part("TO THROW", seen.to_throw, more, width)
        if seen.to_throw
        else said_part("TO THROW", advice, width),
        list_part("ON THE TABLE", table, 0, width)
        if table
        else said_part("ON THE TABLE", "nothing to change", width),
    ]
    count = len(parts)
    return page(parts, (count - 3, 0, count - 2, count - 1, *range(1, count - 3)), height)


class AcrossScreen(SourceScreen[None]):
    """The battle in large letters; on a source that goes on it goes on too."""

    places = (ROOM,)
    enters = False

    def __init__(self, source: BattleSource) -> None:
        super().__init__(source)
        self._seen = glance(source.system, source.timeline)

    def compose(self) -> ComposeResult:
        yield TextPane(id="across")
        yield Alarm(id="alarm")
        yield MessageLine(id="bar-says")
        yield KeyBar(self.keys_of(ROOM))

    def on_mount(self) -> None:
        self.query_one(MessageLine).display = False
        self.query_one("#across", TextPane).show(self._lines)
        if not self.source.writable:
            self.alarm(self.source.notice)

    def _lines(self, width: int) -> list[Content]:
        height = self.query_one("#across").size.height
        return across_lines(self.source, self._seen, width, height)

    def show(self) -> None:
        self._seen = glance(self.source.system, self.source.timeline)
        self.say("")
        self.query_one("#across", TextPane).draw()

    def say(self, text: str, tone: OrderTone = "", findings: Findings = ()) -> None:
        line = self.query_one(MessageLine)
        line.display = bool(text)
        line.say(text, tone, findings)

    def alarm(self, text: str) -> None:
        self.query_one(Alarm).show(text)

    def action_read(self, what: str) -> None:
        """Shows something to read."""
        from qf_tui.console.reading.info_panels import PANELS

        PANELS[what](self, None, None)

    def action_leave(self) -> None:
        """Leaves the program where nothing is entered in it, else only this page."""
        if self.source.writable:
            self.dismiss(None)
        else:
            self.app.exit()
