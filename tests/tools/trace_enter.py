"""Counts our files and functions that the Enter of a shot passes: `python -m tests.tools.trace_enter`.

The README's first battle is played by keys up to the shot's last face; then every call within the package
is traced until the screen is quiet again. A comprehension is a line of the function that it is in, but some
versions of Python call it: how many were called is told apart.
"""

import sys
import tempfile
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any

import qf_tui
from qf_tui.journal.value_codec import make_ready
from qf_tui.library.scenarios import load_scenario
from qf_tui.library.systems import find_systems
from qf_tui.session import Session
from tests.console.playing import Table, play

PACKAGE = Path(qf_tui.__file__).parent
MOVES = ("m", "@", "6", "enter", "x", "m", "@", "6", "enter", "n", "enter")
SHOT = ("x", "f", "h", "t", "s", "4", "1", "space", "3", "8")


class Trace:
    """The calls of ours, by file and function, while it is on."""

    def __init__(self) -> None:
        self.calls: Counter[tuple[str, str]] = Counter()

    def __call__(self, frame: FrameType, event: str, arg: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(str(PACKAGE)):
            name = str(Path(code.co_filename).relative_to(PACKAGE))
            if code.co_name != "<module>":
                self.calls[name, code.co_qualname] += 1

    @property
    def functions(self) -> list[tuple[str, str]]:
        """The functions by file and name, without what comprehensions are called."""
        parts = ("<genexpr>", "<listcomp>", "<dictcomp>", "<setcomp>")
        return sorted(call for call in self.calls if not call[1].endswith(parts))

    @property
    def files(self) -> list[str]:
        return sorted({file for file, _ in self.calls})


def traced() -> Trace:
    """The trace of the Enter that ends the README's first shot."""
    trace = Trace()

    async def shot(table: Table) -> None:
        await table.press(*MOVES)
        await table.press(*SHOT)
        sys.setprofile(trace)
        try:
            await table.press("enter")
        finally:
            sys.setprofile(None)
        assert table.log()[-1].startswith("fire mikasa heavy tsesarevich")

    # As the console does behind its first picture.
    make_ready()
    with tempfile.TemporaryDirectory() as folder:
        system, start = load_scenario("yellow-sea-1904", find_systems())
        play(Session.begin(system, start, Path(folder) / "traced.qfb"), shot)
    return trace


def main() -> None:
    trace = traced()
    by_file = Counter(file for file, _ in trace.functions)
    for file in trace.files:
        print(f"{by_file[file]:>5} {file}")
    named, every = len(trace.functions), len(trace.calls)
    total = sum(trace.calls.values())
    print(f"{len(trace.files)} files, {named} functions, {every - named} comprehensions, {total} calls")


if __name__ == "__main__":
    main()
