"""What `textual_patches` relies on in Textual is there, and what it mends is still wrong there.

Where one of these fails, Textual is another one: mend the module that it names, or take its patch out.
"""

import asyncio
import inspect
import re
import sys
from collections.abc import Callable
from typing import Any

import pytest
import textual
from attrs import frozen
from textual import events
from textual._compositor import ChopsUpdate, Compositor, CompositorUpdate, LayoutUpdate
from textual._xterm_parser import XTermParser
from textual.app import App, ComposeResult
from textual.geometry import Region
from textual.reactive import Reactive
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Input

from qf_tui.console.textual_patches.drawing import PatchedApp, PatchedScreen

FOLDER = "qf_tui/console/textual_patches"


@frozen
class Reliance:
    """A function of Textual's, by its parameters, that a module of ours overrides or calls."""

    module: str
    function: Callable[..., object]
    parameters: str


RELIANCES = [
    Reliance("drawing", App._handle_exception, "self error"),
    Reliance("drawing", App._fatal_error, "self"),
    Reliance("drawing", App._display, "self screen renderable"),
    Reliance("drawing", App.batch_update, "self"),
    Reliance("drawing", Screen._compositor_refresh, "self"),
    Reliance("drawing", LayoutUpdate, "strips region"),
    Reliance("drawing", ChopsUpdate, "chops spans chop_ends"),
    Reliance("drawing", CompositorUpdate.render_segments, "self console"),
    Reliance("drawing", Compositor.render_full_update, "self simplify"),
    Reliance("drawing", Compositor.render_partial_update, "self"),
    Reliance("drawing", Compositor._regions_to_spans, "regions"),
    Reliance("drawing", Strip.render_ansi, "style color_system"),
    Reliance("terminal", XTermParser.feed, "self data"),
]
ATTRIBUTES: list[tuple[str, type, str]] = [
    ("drawing", LayoutUpdate, "strips"),
    ("drawing", ChopsUpdate, "chops spans chop_ends"),
    ("drawing", Compositor, "_dirty_regions"),
    ("drawing", Screen, "_compositor"),
    ("drawing", App, "_previous_cursor_position _batch_count"),
]
"""What their objects have, by the source of their classes."""
if sys.platform != "win32":
    from textual.drivers.linux_driver import LinuxDriver

    RELIANCES += [
        Reliance("terminal", LinuxDriver._get_terminal_size, "self"),
        Reliance("terminal", LinuxDriver.process_message, "self message"),
        Reliance("terminal", LinuxDriver.run_input_thread, "self"),
    ]
    ATTRIBUTES += [("terminal", LinuxDriver, "fileno exit_event _in_band_window_resize _app")]


def changed(what: str, module: str) -> str:
    return f"Textual {textual.__version__} changed {what}: see {FOLDER}/{module}.py"


def needless(what: str, module: str) -> str:
    return f"Textual {textual.__version__} {what}: the patch in {FOLDER}/{module}.py may be needless"


@pytest.mark.parametrize("one", RELIANCES, ids=lambda one: one.function.__qualname__)
def test_what_is_overridden_is_called_as_before(one: Reliance) -> None:
    found = " ".join(inspect.signature(one.function).parameters)
    assert found == one.parameters, changed(one.function.__qualname__, one.module)


@pytest.mark.parametrize(("module", "cls", "names"), ATTRIBUTES, ids=lambda one: getattr(one, "__name__", ""))
def test_what_is_read_is_there(module: str, cls: type, names: str) -> None:
    bases = [base for base in cls.__mro__ if base.__module__.startswith("textual")]
    has = {
        name for base in bases for name in re.findall(r"self\.(\w+)(?:: [^=]+)? = ", inspect.getsource(base))
    }
    for name in names.split():
        assert name in has, changed(f"{cls.__name__}.{name}", module)


class Bare(App[None]):
    """Two inputs and no patch: what Textual does for a key."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[object] = []
        self.laid_out = 0

    def compose(self) -> ComposeResult:
        yield Input("first")
        yield Input("second")

    def on_mount(self) -> None:
        self.screen.screen_layout_refresh_signal.subscribe(self, self._count)

    def _count(self, _: Screen[Any]) -> None:
        self.laid_out += 1

    def _display(self, screen: Screen[Any], renderable: Any) -> None:
        self.sent.append(renderable)


def pressed(key: str) -> Bare:
    """What Textual alone does for a key of a screen that stands still."""
    app = Bare()

    async def run() -> None:
        async with app.run_test(size=(40, 12)) as pilot:
            await pilot.pause(0.1)
            app.sent.clear()
            app.laid_out = 0
            await pilot.press(key)
            await pilot.pause(0.1)

    asyncio.run(run())
    return app


def test_a_letter_is_still_sent_with_its_whole_line() -> None:
    sent = pressed("x").sent
    cells = [right - left for one in sent if isinstance(one, ChopsUpdate) for _, left, right in one.spans]
    assert cells, changed("what the compositor sends for a key", "drawing")
    assert max(cells) > 20, needless("sends cells, not lines", "drawing")


def test_a_letter_still_lays_the_screen_out_anew() -> None:
    said = changed("Widget.virtual_size", "drawing")
    assert isinstance(Widget.__dict__.get("virtual_size"), Reactive), said
    assert pressed("x").laid_out, needless("lays nothing out for a letter in an Input", "drawing")


def test_a_change_of_focus_still_draws_all_of_the_screen() -> None:
    said = changed("Screen.focused", "drawing")
    assert isinstance(Screen.__dict__.get("focused"), Reactive), said
    whole = [one for one in pressed("tab").sent if isinstance(one, LayoutUpdate)]
    assert whole, needless("draws no whole screen where the focus moves", "drawing")


def test_a_key_still_has_lines_drawn_that_nobody_sees(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of the screen behind its widgets, and those that stay as they were."""
    asked: list[int] = []
    usual = Widget.render_lines

    def counted(widget: Widget, crop: Region) -> list[Strip]:
        asked.append(crop.height)
        return usual(widget, crop)

    monkeypatch.setattr(Widget, "render_lines", counted)
    lines = 12 + 2 * 3
    assert pressed("x").sent
    assert asked, changed("Widget.render_lines", "drawing")
    assert sum(asked) > 2 * lines, needless("renders only lines that are needed", "drawing")


def pictures(app: type[App[Any]], screen: type[Screen[Any]]) -> list[bool]:
    """Of each picture of an application with a screen of its own, whether it was held back."""

    class Begun(app):  # type: ignore[misc,valid-type]  # the one or the other
        def on_mount(self) -> None:
            self.push_screen(screen())

        def _display(self, screen: Screen[Any], renderable: Any) -> None:
            if renderable is not None:
                held.append(self._batch_count > 0)

    held: list[bool] = []

    async def run() -> None:
        async with Begun().run_test(size=(40, 12)) as pilot:
            await pilot.pause(0.1)

    asyncio.run(run())
    return held


def test_the_first_picture_is_still_drawn_while_it_is_held_back() -> None:
    """Where a screen is pushed as the application starts; ours is drawn when it can be sent."""
    assert any(pictures(App, Screen)), needless("draws no picture that is not sent", "drawing")
    drawn = pictures(PatchedApp, PatchedScreen)
    assert drawn
    assert not any(drawn)


def test_a_fault_still_fills_the_screen(capsys: pytest.CaptureFixture[str]) -> None:
    class Faulty(App[None]):
        def on_mount(self) -> None:
            raise ValueError("wrong")

    Faulty().run(headless=True)
    said = capsys.readouterr().err
    assert "wrong" in said, changed("App._handle_exception", "drawing")
    assert "Traceback" in said, needless("prints no traceback for a fault", "drawing")


def keys(sent: str) -> list[str]:
    return [one.key for one in XTermParser().feed(sent) if isinstance(one, events.Key)]


def throws(sent: str) -> bool:
    try:
        keys(sent)
    except (ValueError, OverflowError):
        return True
    return False


def sizes(sent: str) -> list[int]:
    return [one.size.width for one in XTermParser().feed(sent) if isinstance(one, events.Resize)]


STILL_WRONG: tuple[tuple[str, Callable[[], bool]], ...] = (
    ("reads key reports that are no characters", lambda: throws("\x1b[1114112u")),
    ("reads keys that are let go", lambda: throws("\x1b[97;1:3u")),
    ("reads a sequence that it does not know as nothing", lambda: keys("\x1b[999X\x1b[I") != []),
    ("reads Escape and a letter as two keys", lambda: keys("\x1bf") == ["ctrl+right"]),
    ("drops a size that nobody can draw", lambda: sizes("\x1b[48;9;99999;9;9t") == [99999]),
    ("waits no more for the end of a paste", lambda: keys("\x1b[200~" + "a" * 9999) == []),
)


@pytest.mark.parametrize(("mended", "is_wrong"), STILL_WRONG, ids=[name for name, _ in STILL_WRONG])
def test_the_parser_is_still_wrong(mended: str, is_wrong: Callable[[], bool]) -> None:
    """One of them being right is no reason yet; when all are, the keyboard of ours may go."""
    assert is_wrong(), needless(mended, "terminal")


def test_a_whole_sequence_still_leaves_the_parser_ready() -> None:
    """An end of paste behind a sequence means nothing, and has what is not understood said at once."""
    parser = XTermParser()
    for sequence in ("\x1b[A", "\x1b[999X", "\x1b[<0;3;4M"):
        list(parser.feed(sequence))
        list(parser.feed("\x1b[201~"))
        found = [one.key for one in parser.feed("q") if isinstance(one, events.Key)]
        assert found == ["q"], changed("how XTermParser ends a sequence", "terminal")
