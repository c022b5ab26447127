"""Counts the program's files and functions in the Enter of a shot: `python -m tests.tools.trace_enter`.

The README's first battle is played by keys up to the shot's last face. Then every call within the package is
traced until the screen is quiet: to the disk, and to the picture. A comprehension is a line of its function,
but some versions of Python call it, so these calls are counted apart.
"""

import sys
import tempfile
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any

import qf_tui
from qf_tui.library.scenarios import load_scenario
from qf_tui.library.systems import find_systems
from qf_tui.session import Session
from tests.console.playing import Table, play

PACKAGE = Path(qf_tui.__file__).parent
MOVES = ("m", "@", "6", "enter", "x", "m", "@", "6", "enter", "n", "enter")
SHOT = ("x", "f", "h", "t", "s", "4", "1", "space", "3", "8")


RECORDED = Session.record.__code__
"""When this returns, the shot is on the disk."""
COMPREHENSIONS = ("<genexpr>", "<listcomp>", "<dictcomp>", "<setcomp>")

Calls = Counter[tuple[str, str]]
"""Calls of the program's functions, by file and function."""


class Trace:
    """A profile function that counts calls; `to_disk` has those until the shot was on the disk."""

    def __init__(self) -> None:
        self.calls = Calls()
        self.to_disk = Calls()

    def __call__(self, frame: FrameType, event: str, arg: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(str(PACKAGE)):
            name = str(Path(code.co_filename).relative_to(PACKAGE))
            if code.co_name != "<module>":
                self.calls[name, code.co_qualname] += 1
        elif event == "return" and code is RECORDED:
            self.to_disk = self.calls.copy()


def list_functions(calls: Calls) -> list[tuple[str, str]]:
    """List the functions by file and name, without comprehensions."""
    return sorted(call for call in calls if not call[1].endswith(COMPREHENSIONS))


def format_sum(calls: Calls) -> str:
    """Format the numbers of files, functions, comprehensions and calls."""
    named = len(list_functions(calls))
    files = len({file for file, _ in calls})
    return f"{files} files, {named} functions, {len(calls) - named} comprehensions, {calls.total()} calls"


def trace_enter() -> Trace:
    """Trace the Enter that ends the README's first shot."""
    trace = Trace()

    async def shot(table: Table) -> None:
        await table.press(*MOVES)
        await table.press(*SHOT)
        sys.setprofile(trace)
        try:
            await table.press("enter")
        finally:
            sys.setprofile(None)
        assert table.list_orders()[-1].startswith("fire mikasa heavy tsesarevich")

    with tempfile.TemporaryDirectory() as folder:
        system, start = load_scenario("yellow-sea-1904", find_systems())
        play(Session.begin(system, start, Path(folder) / "traced.qfb"), shot, drawn=True)
    return trace


def main() -> None:
    trace = trace_enter()
    by_file, to_disk = (
        Counter(file for file, _ in list_functions(calls)) for calls in (trace.calls, trace.to_disk)
    )
    print("whole  to disk")
    for file in sorted({file for file, _ in trace.calls}):
        print(f"{by_file[file]:>5} {to_disk[file] or '':>8}  {file}")
    print(f"to the disk: {format_sum(trace.to_disk)}")
    print(f"with the picture: {format_sum(trace.calls)}")


if __name__ == "__main__":
    main()
