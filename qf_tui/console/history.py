"""The whole log: every act as it stands, the one under the cursor in full, and corrections from there."""

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.geometry import Size
from textual.screen import ModalScreen
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widgets import Static

from qf_tui.console.keys import HISTORY, keymap, press
from qf_tui.console.latest import told_of
from qf_tui.console.text import cut, fit, literal
from qf_tui.core.timeline import Correction, Entry, LogAct, Timeline
from qf_tui.session import Session
from qf_tui.session.telling import RECONSTRUCTED, Told, order_text, tell


class Acts(ScrollView, can_focus=True):
    """One line an act, told when it is drawn."""

    COMPONENT_CLASSES = {"acts--cursor", "acts--struck"}  # noqa: RUF012

    def __init__(self, timeline: Timeline, id: str) -> None:
        super().__init__(id=id)
        self.timeline = timeline
        self.at = len(timeline.log) - 1
        self._told: dict[int, Told] = {}
        self._standing = timeline.in_force

    @property
    def act(self) -> LogAct | None:
        return self.timeline.log[self.at] if self.timeline.log else None

    def on_resize(self) -> None:
        self.virtual_size = Size(self.size.width, len(self.timeline.log))
        self.go(self.at)

    def go(self, at: int) -> None:
        """Puts the cursor on an act."""
        self.at = max(0, min(at, len(self.timeline.log) - 1))
        top, height = self.scroll_offset.y, max(1, self.size.height)
        wanted = min(max(top, self.at - height + 1), max(0, self.at))
        if wanted != top:
            self.scroll_to(y=wanted, animate=False, force=True, immediate=True)
        self.refresh()

    def told(self, place: int) -> Told:
        """An act in words."""
        if place not in self._told:
            self._told[place] = told_of(self.timeline, self.timeline.log[place], self._standing)
        return self._told[place]

    def render_line(self, y: int) -> Strip:
        place, width = y + self.scroll_offset.y, self.size.width
        if place >= len(self.timeline.log):
            return Strip.blank(width, self.rich_style)
        told = self.told(place)
        state = f"[{told.state}] " if told.state else ""
        order = fit(f"{told.number:>4} {state}{told.order}", max(30, width * 2 // 5))
        clause = f" {told.clause}"
        text = fit(
            f"{order}  {cut(told.result, width - len(order) - len(clause) - 4)}", width - len(clause) - 1
        )
        return Strip([Segment(fit(text + clause, width), self._look(place, told))])

    def _look(self, place: int, told: Told) -> Style:
        if place == self.at:
            return self.get_component_rich_style("acts--cursor")
        return self.get_component_rich_style("acts--struck") if told.state else self.rich_style


class History(ModalScreen[str | None]):
    """The log of a battle; gives a correction to be typed on, or None."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.keys = keymap(HISTORY)

    def compose(self) -> ComposeResult:
        timeline = self.session.timeline
        with Vertical(classes="panel wide"):
            yield Static(
                literal(f"History · {len(timeline.log)} acts", "bold $primary"), classes="panel-title"
            )
            yield Acts(timeline, id="acts")
            with VerticalScroll(id="act"):
                yield Static(Content(""), id="act-text")
            keys = "↑ ↓   a amend   s strike, restore   i insert behind   d doubt   Esc back"
            yield Static(literal(keys, "$quiet"), classes="panel-keys")

    def on_mount(self) -> None:
        self.acts.focus()
        self._show()

    @property
    def acts(self) -> Acts:
        return self.query_one("#acts", Acts)

    async def on_key(self, event: events.Key) -> None:
        await press(self, self.keys, event)

    def _show(self) -> None:
        act = self.acts.act
        lines = act_lines(self.session, act) if act else [literal("No entry yet.")]
        self.query_one("#act-text", Static).update(Content("\n").join(lines))

    def _go(self, at: int) -> None:
        self.acts.go(at)
        self._show()

    def action_up(self) -> None:
        self._go(self.acts.at - 1)

    def action_down(self) -> None:
        self._go(self.acts.at + 1)

    def action_page_up(self) -> None:
        self._go(self.acts.at - self.acts.size.height)

    def action_page_down(self) -> None:
        self._go(self.acts.at + self.acts.size.height)

    def action_home(self) -> None:
        self._go(0)

    def action_end(self) -> None:
        self._go(len(self.session.timeline.log))

    def action_dismiss_panel(self) -> None:
        self.dismiss(None)

    def _entry(self) -> Entry | None:
        act = self.acts.act
        return act if isinstance(act, Entry) else None

    def action_amend(self) -> None:
        entry = self._entry()
        if entry is not None:
            version = self.session.timeline.versions.get(entry.number, entry.version)
            self.dismiss(f"amend {entry.number} {order_text(version)}")

    def action_strike(self) -> None:
        act = self.acts.act
        if act is not None:
            word = "strike" if act.number in self.session.timeline.in_force else "restore"
            self.dismiss(f"{word} {act.number}")

    def action_insert(self) -> None:
        entry = self._entry()
        if entry is not None:
            self.dismiss(f"insert {entry.number} ")

    def action_doubt(self) -> None:
        entry = self._entry()
        if entry is not None:
            self.dismiss(f"doubt {entry.number} ")


def act_lines(session: Session, act: LogAct) -> list[Content]:
    """An act in full: its order, how it stands, each reason with clause and chart cell."""
    timeline = session.timeline
    standing = timeline.in_force
    told = told_of(timeline, act, standing)
    state = f" [{told.state}]" if told.state else ""
    lines = [literal(f"{told.number} {told.order}{state}", "bold")]
    if isinstance(act, Correction):
        lines.extend([literal(f"   {told.result}")] if told.result else [])
        lines.extend(
            literal(f"   {tell(timeline, timeline.log[n - 1], standing)}") for n in sorted(act.rulings)
        )
        return lines
    ruling = timeline.rulings[act.number]
    lines.extend(literal(f"   {one.text}   {one.clause}", "$text-warning") for one in ruling.findings)
    for reason in ruling.decision.reasons:
        sign = f" {RECONSTRUCTED}" if reason.chart == "reconstructed" else ""
        cell = f"   chart: {reason.cell}, {reason.chart}" if reason.chart else ""
        about = literal(f"   {reason.clause}{cell}", "$quiet")
        lines.append(Content.assemble(literal(f"   {reason.text}{sign}"), about))
    return lines
