"""What `textual_patches` relies on in Textual is there, and what it mends is still wrong there.

Where one of these fails, Textual is another one: mend the module that it names, or take its patch out.
"""

import inspect
import re
import sys
from collections.abc import Callable

import pytest
import textual
from attrs import frozen
from textual import events
from textual._xterm_parser import XTermParser
from textual.app import App

FOLDER = "qf_tui/console/textual_patches"


@frozen
class Reliance:
    """A function of Textual's, by its parameters, that a module of ours overrides or calls."""

    module: str
    function: Callable[..., object]
    parameters: str


RELIANCES = [
    Reliance("faults", App._handle_exception, "self error"),
    Reliance("faults", App._fatal_error, "self"),
    Reliance("terminal", XTermParser.feed, "self data"),
]
ATTRIBUTES: list[tuple[str, type, str]] = []
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


def test_a_fault_still_fills_the_screen(capsys: pytest.CaptureFixture[str]) -> None:
    class Faulty(App[None]):
        def on_mount(self) -> None:
            raise ValueError("wrong")

    Faulty().run(headless=True)
    said = capsys.readouterr().err
    assert "wrong" in said, changed("App._handle_exception", "faults")
    assert "Traceback" in said, needless("prints no traceback for a fault", "faults")


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
