"""How soon an entry is with those who look on, and what they cost its writer.

    python -m tests.tools.watching [SCREENS] [PHONES]

It drives real programs from outside: a console in a terminal that writes a copy of the sample battle; others
that watch it, half of them in large letters; then a board of it, and clients on addresses of this machine,
each with a stream of its own, by turns of one side, the other and all. It measures from Enter to the picture
of each watcher or the whole view at each client; and from a key to the picture of the writer, by turns with
the onlookers at work and stopped. It asserts nothing.
"""

import os
import select
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from statistics import median

from qf_tui.board.values import BoardSwitch
from qf_tui.library.paths import shipped
from tests.board.served import Stream, served
from tests.posix import GO_ON, STOP, load
from tests.terminal import Terminal, in_terminal

SAMPLE = shipped("saves") / "yellow-sea-1904.qfb"
ENTRIES, KEYS, TURNS = 40, 20, 8
SIZES = ((120, 36), (200, 60))
SILENCE = 0.1
"""Seconds without a byte after which a picture is whole."""
PATIENCE = 10.0

Arrived = Callable[[], bool]
"""Reads what has come, and whether the entry is in it."""


def entered(writer: Terminal, note: str, onlookers: Mapping[int, Arrived]) -> list[float]:
    """Seconds from the Enter of a note to each onlooker, by the file that he reads."""
    os.write(writer.file, f":{note}".encode())
    writer.quiet(SILENCE)
    # Nobody draws anything before it: there is no clock on those screens.
    began, left, taken = time.perf_counter(), dict(onlookers), list[float]()
    os.write(writer.file, b"\r")
    while left and time.perf_counter() - began < PATIENCE:
        for ready in select.select([*left, writer.file], [], [], 0.05)[0]:
            if ready == writer.file:
                writer.read_once(0)
            elif left[ready]():
                taken.append(time.perf_counter() - began)
                del left[ready]
    assert not left, f"{note} did not arrive"
    return taken


def keys(writer: Terminal) -> list[float]:
    """Seconds from each of some arrows to the last byte of the writer's picture."""
    taken = []
    for number in range(KEYS):
        os.write(writer.file, b"\x1b[B" if number % 2 else b"\x1b[A")
        taken.append(writer.quiet(SILENCE)[0])
    return taken


def drain(terminals: Collection[Terminal]) -> None:
    """Takes what terminals have drawn, so that nobody waits for his."""
    for terminal in terminals:
        while terminal.read_once(0.02):
            pass


def print_row(name: str, seconds: Sequence[float]) -> None:
    """The median, 99 of 100, the longest."""
    ordered = sorted(1000 * taken for taken in seconds)
    late = ordered[min(len(ordered) - 1, len(ordered) * 99 // 100)]
    print(f"{name:<48} median {median(ordered):7.1f} ms   99% {late:7.1f}   most {ordered[-1]:7.1f}")


def print_arrivals(name: str, entries: Sequence[Sequence[float]]) -> None:
    """For every onlooker, and for the last of each entry."""
    print_row(f"{name}: Enter to each", [taken for entry in entries for taken in entry])
    print_row(f"{name}: Enter to the last", [max(entry) for entry in entries])


def print_cost(name: str, writer: Terminal, processes: Collection[int]) -> None:
    """The writer's keys with the onlookers' processes at work, and with them stopped."""
    at_work, stopped = list[float](), list[float]()
    for _ in range(TURNS):
        at_work += keys(writer)
        for process in processes:
            os.kill(process, STOP)
        stopped += keys(writer)
        for process in processes:
            os.kill(process, GO_ON)
    print_row(f"{name} at work: writer's key to picture", at_work)
    print_row(f"{name} stopped: writer's key to picture", stopped)


def screens(writer: Terminal, save: Path, folder: Path, count: int) -> None:
    """Consoles that watch."""
    with ExitStack() as stack:
        watchers = []
        for number in range(count):
            words = ["watch", str(save), *(["--large"] if number % 2 else [])]
            watcher = stack.enter_context(
                in_terminal(folder / f"w{number}", "qf_tui", *words, size=SIZES[number % 2])
            )
            watcher.until(b"8")
            watchers.append(watcher)
        time.sleep(1)
        entries = []
        for number in range(ENTRIES):
            drain([writer, *watchers])
            onlookers = {watcher.file: partial(_has_drawn, watcher) for watcher in watchers}
            entries.append(entered(writer, f"note squall{number}x", onlookers))
        print_arrivals(f"{count} screens", entries)
        print_cost(f"{count} screens", writer, [watcher.process for watcher in watchers])


def _has_drawn(watcher: Terminal) -> bool:
    return bool(watcher.read_once(0))


def phones(writer: Terminal, save: Path, count: int) -> None:
    """Clients of a board, under each switch that shows an entry at once."""
    for switch in (BoardSwitch.AT_ONCE, BoardSwitch.OWN_SIDE):
        with served(save, "--switch", switch) as board, ExitStack() as stack:
            viewers = [viewer for viewer, _ in board.links.secrets]
            streams = [
                stack.enter_context(board.stream(viewers[at % len(viewers)], f"127.0.6.{at + 1}"))
                for at in range(count)
            ]
            for stream in streams:
                assert stream.next() is not None
            entries = []
            for number in range(ENTRIES):
                word = f"squall{switch}{number}x"
                onlookers = {stream.socket.fileno(): partial(_was_sent, stream, word) for stream in streams}
                entries.append(entered(writer, f"note all: {word}", onlookers))
            print_arrivals(f"{count} phones, {switch}", entries)
            if switch is BoardSwitch.AT_ONCE:
                print_cost("board", writer, [board.process.pid])


def _was_sent(stream: Stream, word: str) -> bool:
    return any(word in text for _, text in stream.waiting())


def main(screen_count: int, phone_count: int) -> None:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        save = folder / "battle.qfb"
        save.write_bytes(SAMPLE.read_bytes())
        writer = stack.enter_context(
            in_terminal(folder / "writer", "qf_tui", "play", str(save), size=SIZES[0])
        )
        writer.until(b"Mikasa")
        print(f"{ENTRIES} entries each; load {load():.1f}")
        screens(writer, save, folder, screen_count)
        phones(writer, save, phone_count)


if __name__ == "__main__":
    given = [int(word) for word in sys.argv[1:]]
    main(*(given + [2, 20][len(given) :]))
