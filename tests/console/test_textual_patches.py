"""Textual still has what `textual_patches` needs, and still has the faults that it fixes.

If a test fails, Textual has changed: adapt the module that the test names, or remove its patch.
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
    """A function of Textual, with its parameters, that a module of the program overrides or calls."""

    module: str
    function: Callable[..., object]
    parameters: str


RELIANCES = [
    Reliance("faults", App._handle_exception, "self error"),
    Reliance("faults", App._fatal_error, "self"),
    Reliance("terminal", XTermParser.feed, "self data"),
]
ATTRIBUTES: list[tuple[str, type, str]] = []
"""Attributes of their objects, by the source of their classes."""
if sys.platform != "win32":
    from textual.drivers.linux_driver import LinuxDriver

    RELIANCES += [
        Reliance("terminal", LinuxDriver._get_terminal_size, "self"),
        Reliance("terminal", LinuxDriver.process_message, "self message"),
        Reliance("terminal", LinuxDriver.run_input_thread, "self"),
    ]
    ATTRIBUTES += [("terminal", LinuxDriver, "fileno exit_event _in_band_window_resize _app")]


def format_changed(what: str, module: str) -> str:
    return f"Textual {textual.__version__} changed {what}: see {FOLDER}/{module}.py"


def format_needless(what: str, module: str) -> str:
    return f"Textual {textual.__version__} {what}: the patch in {FOLDER}/{module}.py may be needless"


@pytest.mark.parametrize("one", RELIANCES, ids=lambda one: one.function.__qualname__)
def test_overridden_functions_keep_their_parameters(one: Reliance) -> None:
    found = " ".join(inspect.signature(one.function).parameters)
    assert found == one.parameters, format_changed(one.function.__qualname__, one.module)


@pytest.mark.parametrize(("module", "cls", "names"), ATTRIBUTES, ids=lambda one: getattr(one, "__name__", ""))
def test_attributes_that_are_read_exist(module: str, cls: type, names: str) -> None:
    bases = [base for base in cls.__mro__ if base.__module__.startswith("textual")]
    has = {
        name for base in bases for name in re.findall(r"self\.(\w+)(?:: [^=]+)? = ", inspect.getsource(base))
    }
    for name in names.split():
        assert name in has, format_changed(f"{cls.__name__}.{name}", module)


def test_a_fault_still_fills_the_screen(capsys: pytest.CaptureFixture[str]) -> None:
    class Faulty(App[None]):
        def on_mount(self) -> None:
            raise ValueError("wrong")

    Faulty().run(headless=True)
    said = capsys.readouterr().err
    assert "wrong" in said, format_changed("App._handle_exception", "faults")
    assert "Traceback" in said, format_needless("prints no traceback for a fault", "faults")


def parse_keys(sent: str) -> list[str]:
    return [one.key for one in XTermParser().feed(sent) if isinstance(one, events.Key)]


def fails(sent: str) -> bool:
    try:
        parse_keys(sent)
    except (ValueError, OverflowError):
        return True
    return False


def parse_sizes(sent: str) -> list[int]:
    return [one.size.width for one in XTermParser().feed(sent) if isinstance(one, events.Resize)]


STILL_WRONG: tuple[tuple[str, Callable[[], bool]], ...] = (
    ("reads key reports that are no characters", lambda: fails("\x1b[1114112u")),
    ("reads keys that are let go", lambda: fails("\x1b[97;1:3u")),
    ("reads a sequence that it does not know as nothing", lambda: parse_keys("\x1b[999X\x1b[I") != []),
    ("reads Escape and a letter as two keys", lambda: parse_keys("\x1bf") == ["ctrl+right"]),
    ("drops a size that nobody can draw", lambda: parse_sizes("\x1b[48;9;99999;9;9t") == [99999]),
    ("waits no more for the end of a paste", lambda: parse_keys("\x1b[200~" + "a" * 9999) == []),
)


@pytest.mark.parametrize(("mended", "is_wrong"), STILL_WRONG, ids=[name for name, _ in STILL_WRONG])
def test_the_parser_is_still_wrong(mended: str, is_wrong: Callable[[], bool]) -> None:
    """Keep the own keyboard until all of these faults are fixed in Textual."""
    assert is_wrong(), format_needless(mended, "terminal")


def test_a_whole_sequence_still_leaves_the_parser_ready() -> None:
    """Send an end of paste after a sequence: it means nothing, and releases unknown input at once."""
    parser = XTermParser()
    for sequence in ("\x1b[A", "\x1b[999X", "\x1b[<0;3;4M"):
        list(parser.feed(sequence))
        list(parser.feed("\x1b[201~"))
        found = [one.key for one in parser.feed("q") if isinstance(one, events.Key)]
        assert found == ["q"], format_changed("how XTermParser ends a sequence", "terminal")
