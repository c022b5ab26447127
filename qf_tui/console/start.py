"""The first screen: go on with a battle, or begin one."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from qf_tui.console.keys import START, keymap, press
from qf_tui.console.opening import begin, copied, resume
from qf_tui.console.panel import Panel
from qf_tui.console.saves import SaveListed, own_saves, sample_saves
from qf_tui.console.text import literal
from qf_tui.console.theme import turn_theme
from qf_tui.core.errors import QfError
from qf_tui.core.system import RuleSystem
from qf_tui.library.shelf import Listed, listed
from qf_tui.session import Session

Opener = Callable[[], Session]


class StartScreen(Screen[None]):
    """The battles on the shelf; `opened` takes the one chosen, `fault` tells what was wrong with what was asked for."""

    def __init__(
        self, systems: Mapping[str, RuleSystem], opened: Callable[[Session], None], fault: str = ""
    ) -> None:
        super().__init__()
        self.systems, self.opened, self.fault = systems, opened, fault
        self.keys = keymap(START)
        self._openers: list[Opener] = []

    def compose(self) -> ComposeResult:
        yield Static(
            Content.assemble(literal(" qf-tui", "bold $primary"), "  the umpire's console"), id="start-title"
        )
        yield OptionList(*self._options(), id="start-list")
        with VerticalScroll(id="start-fault"):
            yield Static(Content(""), id="start-fault-text")
        yield Static(literal(" ↑ ↓ Enter opens   F1 help   F9 light or dark   q quit", "$quiet"), id="keys")

    def on_mount(self) -> None:
        self.query_one(OptionList).focus()
        self.show_fault(self.fault)

    def _options(self) -> list[Option | None]:
        saves = own_saves(self.systems)
        options: list[Option | None] = []
        if saves:
            options += [_heading("Continue"), self._option(_save_line(saves[0]), self._resume(saves[0].path))]
        if saves[1:]:
            options += [_heading("Older saves")]
            options += [self._option(_save_line(save), self._resume(save.path)) for save in saves[1:]]
        scenarios = listed("scenarios")
        options += [_heading("Begin a battle")]
        options += [self._option(_scenario_line(one), self._begin(one.path)) for one in scenarios]
        if not scenarios:
            options += [Option(literal("   no scenario is on the shelf", "$quiet"), disabled=True)]
        samples = sample_saves(self.systems)
        if samples:
            options += [_heading("Go on with a copy of a sample battle")]
            options += [self._option(_save_line(save), self._copy(save.path)) for save in samples]
        return options

    def _option(self, line: Content, opener: Opener) -> Option:
        self._openers.append(opener)
        return Option(line, id=f"open-{len(self._openers) - 1}")

    def _resume(self, path: Path) -> Opener:
        return partial(resume, path, self.systems)

    def _begin(self, path: Path) -> Opener:
        return partial(begin, path, self.systems)

    def _copy(self, path: Path) -> Opener:
        return partial(copied, path, self.systems)

    async def on_key(self, event: events.Key) -> None:
        await press(self, self.keys, event)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        number = (event.option.id or "").removeprefix("open-")
        if number.isdigit():
            try:
                session = self._openers[int(number)]()
            except QfError as fault:
                self.show_fault(str(fault))
                return
            self.opened(session)

    def show_fault(self, text: str) -> None:
        """Shows what is wrong with a file, in full."""
        box = self.query_one("#start-fault")
        box.display = bool(text)
        lines = [
            literal("✗ This cannot be opened:", "bold $text-error"),
            *(literal(one) for one in text.splitlines()),
        ]
        self.query_one("#start-fault-text", Static).update(Content("\n").join(lines))

    def action_help(self) -> None:
        lines = [
            literal("Choose a battle with the arrows and Enter. In a battle F1 shows all keys and orders.")
        ]
        self.app.push_screen(Panel("Help", lines))

    def action_theme(self) -> None:
        turn_theme(self.app)

    def action_leave(self) -> None:
        self.app.exit()


def _heading(text: str) -> Option:
    return Option(literal(f" {text}", "bold $secondary"), disabled=True)


def _save_line(save: SaveListed) -> Content:
    return Content.assemble(
        literal(f"   {save.title}"), literal(f"   {save.stands}   {save.path.name}", "$quiet")
    )


def _scenario_line(one: Listed) -> Content:
    return Content.assemble(literal(f"   {one.title}"), literal(f"   {one.name}", "$quiet"))
