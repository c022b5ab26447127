"""How soon an entry is on the screens of those who watch, and what they cost its writer.

    python -m tests.tools.watching [WATCHERS]

It drives real programs in terminals from outside: one console that writes a copy of the sample battle, and
others that watch it, half of them in large letters. From Enter to the picture of each watcher; and from a key
to the picture of the writer, by turns with the watchers at work and stopped. It asserts nothing.
"""

import os
import select
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import median

from qf_tui.library.paths import shipped
from tests.terminal import Terminal, in_terminal

SAMPLE = shipped("saves") / "yellow-sea-1904.qfb"
ENTRIES, KEYS, TURNS = 60, 20, 8
SIZES = ((120, 36), (200, 60))
SILENCE = 0.1
"""Seconds without a byte after which a picture is whole."""


def entered(writer: Terminal, watchers: Sequence[Terminal], word: str) -> list[float]:
    """Seconds from the Enter of a note to the picture of each watcher."""
    os.write(writer.file, f":note {word}".encode())
    writer.quiet(SILENCE)
    # Nobody draws anything before it: there is no clock on those screens.
    began, left, found = time.perf_counter(), dict(enumerate(watchers)), {}
    os.write(writer.file, b"\r")
    while left and time.perf_counter() - began < 10:
        ready = select.select([writer.file, *(one.file for one in left.values())], [], [], 0.05)[0]
        for number, watcher in list(left.items()):
            if watcher.file in ready:
                watcher.read_once(0)
                found[number] = time.perf_counter() - began
                del left[number]
        if writer.file in ready:
            writer.read_once(0)
    assert not left, f"{word} did not arrive"
    drain(watchers)
    return list(found.values())


def keys(writer: Terminal) -> list[float]:
    """Seconds from each of some arrows to the last byte of the writer's picture."""
    taken = []
    for number in range(KEYS):
        os.write(writer.file, b"\x1b[B" if number % 2 else b"\x1b[A")
        taken.append(writer.quiet(SILENCE)[0])
    return taken


def told(name: str, seconds: Sequence[float], of_100: int = 95) -> str:
    """A row: the median, so many of 100, the longest."""
    ordered = sorted(one * 1000 for one in seconds)
    late = ordered[min(len(ordered) - 1, len(ordered) * of_100 // 100)]
    return f"{name:<44} median {median(ordered):7.1f} ms   {of_100}% {late:7.1f}   most {ordered[-1]:7.1f}"


def drain(watchers: Sequence[Terminal]) -> None:
    """Takes what the watchers have drawn, so that none of them waits for its terminal."""
    for watcher in watchers:
        while watcher.read_once(0.02):
            pass


def main(count: int) -> None:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        save = folder / "battle.qfb"
        save.write_bytes(SAMPLE.read_bytes())
        writer = stack.enter_context(
            in_terminal(folder / "writer", "qf_tui", "play", str(save), size=SIZES[0])
        )
        writer.until(b"Mikasa")
        watchers = []
        for number in range(count):
            words = ["watch", str(save), *(["--large"] if number % 2 else [])]
            watcher = stack.enter_context(
                in_terminal(folder / f"w{number}", "qf_tui", *words, size=SIZES[number % 2])
            )
            watcher.until(b"8")
            watchers.append(watcher)
        time.sleep(1)
        drain([writer, *watchers])
        seen = [entered(writer, watchers, f"squall{number}x") for number in range(ENTRIES)]
        at_work: list[float] = []
        stopped: list[float] = []
        for _ in range(TURNS):
            at_work += keys(writer)
            for watcher in watchers:
                os.kill(watcher.process, signal.SIGSTOP)
            stopped += keys(writer)
            for watcher in watchers:
                os.kill(watcher.process, signal.SIGCONT)
            drain(watchers)
        print(f"{count} watchers, {ENTRIES} entries; load {os.getloadavg()[0]:.1f}")
        print(told("Enter to a watcher's picture", [one for entry in seen for one in entry]))
        print(told("Enter to the last watcher's picture", [max(entry) for entry in seen]))
        print(told("writer's key to picture, watchers at work", at_work))
        print(told("writer's key to picture, watchers stopped", stopped))


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 2)
