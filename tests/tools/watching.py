"""The delay of an entry to watchers and players, and their cost for its writer.

    python -m tests.tools.watching [SCREENS] [PHONES]

It drives real programs from outside: a console in a terminal that writes a copy of the sample battle; others
that watch it, half of them in large letters; then a board, and clients on addresses of this machine, each
with its own stream, in turn of one side, the other and all. It measures from Enter to the picture of each
watcher or the whole view at each client; and from a key to the picture of the writer, with the watchers at
work and stopped in turn. Then the clients are players of a new battle, and it measures from a post to the
umpire's picture and to the player's own pages, and from a declaration to all pages. It asserts nothing.
"""

import json
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
from typing import Any

from qf_tui.features.board.values import BoardSwitch
from qf_tui.library.paths import find_shipped_folder
from qf_tui.session import Session
from tests.features.board.phone import Phone, order
from tests.features.board.served import Stream, run_board
from tests.posix import GO_ON, STOP, load
from tests.systems import load_start
from tests.terminal import Terminal, run_module

SAMPLE = find_shipped_folder("saves") / "yellow-sea-1904.qfb"
ENTRIES, KEYS, TURNS = 40, 20, 8
PROPOSALS, ROUNDS = 30, 6
"""Proposals of each player who may act; phases in which all declare."""
SIZES = ((120, 36), (200, 60))
SILENCE = 0.1
"""Seconds without a byte after which a picture is complete."""
PATIENCE = 10.0

Arrived = Callable[[], bool]
"""Reads new data, and returns whether the entry is in it."""


def time_entry(writer: Terminal, note: str, onlookers: Mapping[int, Arrived]) -> list[float]:
    """Return the seconds from the Enter of a note to each watcher, by its file."""
    os.write(writer.file, f":{note}".encode())
    writer.read_until_quiet(SILENCE)
    # No screen draws before it: none of them has a clock.
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


def time_keys(writer: Terminal) -> list[float]:
    """Return the seconds from each of some arrows to the last byte of the writer's picture."""
    taken = []
    for number in range(KEYS):
        os.write(writer.file, b"\x1b[B" if number % 2 else b"\x1b[A")
        taken.append(writer.read_until_quiet(SILENCE)[0])
    return taken


def drain(terminals: Collection[Terminal]) -> None:
    """Read all output of terminals, so that no program waits."""
    for terminal in terminals:
        while terminal.read_once(0.02):
            pass


def print_row(name: str, seconds: Sequence[float]) -> None:
    """Print the median, the 99th percentile and the longest time."""
    ordered = sorted(1000 * taken for taken in seconds)
    late = ordered[min(len(ordered) - 1, len(ordered) * 99 // 100)]
    print(f"{name:<48} median {median(ordered):7.1f} ms   99% {late:7.1f}   most {ordered[-1]:7.1f}")


def print_arrivals(name: str, entries: Sequence[Sequence[float]]) -> None:
    """Print the times of all watchers, and of the last one for each entry."""
    print_row(f"{name}: Enter to each", [taken for entry in entries for taken in entry])
    print_row(f"{name}: Enter to the last", [max(entry) for entry in entries])


def print_cost(name: str, writer: Terminal, processes: Collection[int]) -> None:
    """Print the writer's keys with the watchers' processes at work, and with them stopped."""
    at_work, stopped = list[float](), list[float]()
    for _ in range(TURNS):
        at_work += time_keys(writer)
        for process in processes:
            os.kill(process, STOP)
        stopped += time_keys(writer)
        for process in processes:
            os.kill(process, GO_ON)
    print_row(f"{name} at work: writer's key to picture", at_work)
    print_row(f"{name} stopped: writer's key to picture", stopped)


def measure_screens(writer: Terminal, save: Path, folder: Path, count: int) -> None:
    """Measure watching consoles."""
    with ExitStack() as stack:
        watchers = []
        for number in range(count):
            words = ["watch", str(save), *(["--large"] if number % 2 else [])]
            watcher = stack.enter_context(
                run_module(folder / f"w{number}", "qf_tui", *words, size=SIZES[number % 2])
            )
            watcher.read_until(b"8")
            watchers.append(watcher)
        time.sleep(1)
        entries = []
        for number in range(ENTRIES):
            drain([writer, *watchers])
            onlookers = {watcher.file: partial(_has_drawn, watcher) for watcher in watchers}
            entries.append(time_entry(writer, f"note squall{number}x", onlookers))
        print_arrivals(f"{count} screens", entries)
        print_cost(f"{count} screens", writer, [watcher.process for watcher in watchers])


def _has_drawn(watcher: Terminal) -> bool:
    return bool(watcher.read_once(0))


def measure_phones(writer: Terminal, save: Path, count: int) -> None:
    """Measure clients of a board, under each switch that shows an entry at once."""
    for switch in (BoardSwitch.AT_ONCE, BoardSwitch.OWN_SIDE):
        with run_board(save, "--switch", switch) as board, ExitStack() as stack:
            viewers = [*board.links.secrets]
            streams = [
                stack.enter_context(board.follow(viewers[at % len(viewers)], f"127.0.6.{at + 1}"))
                for at in range(count)
            ]
            for stream in streams:
                assert stream.read_event() is not None
            entries = []
            for number in range(ENTRIES):
                word = f"squall{switch}{number}x"
                onlookers = {stream.socket.fileno(): partial(_was_sent, stream, word) for stream in streams}
                entries.append(time_entry(writer, f"note all: {word}", onlookers))
            print_arrivals(f"{count} phones, {switch}", entries)
            if switch is BoardSwitch.AT_ONCE:
                print_cost("board", writer, [board.process.pid])


def measure_proposals(folder: Path, count: int) -> None:
    """Measure players at pages of a board, one for each seat in turn, and their umpire's console."""
    save = folder / "proposals.qfb"
    session = Session.begin(*load_start("yellow-sea-1904"), save)
    session.enter("force next")
    session.close()
    with ExitStack() as stack:
        board = stack.enter_context(run_board(save, "--propose"))
        words = ("play", str(save))
        umpire = stack.enter_context(run_module(folder / "umpire", "qf_tui", *words, size=SIZES[0]))
        umpire.read_until(b"Mikasa")
        players = [Phone(board, seat.id).let_in() for seat in board.links.seats]
        pages = []
        for at in range(count):
            player = players[at % len(players)]
            pages.append(
                (player, stack.enter_context(board.follow_secret(player.seat.secret, f"127.0.6.{at + 1}")))
            )
        streams = [page for _, page in pages]
        proposed = []
        for player in players:
            own = [page for whose, page in pages if whose is player]
            may = [each for each in next(map(_read_seat, own))["may"] if each["word"] == "fire"]
            for _ in range(PROPOSALS if may else 0):
                proposed += [_time_post(player, umpire, own, orders=[_choose_order(may)])]
        declared = [told for _ in range(ROUNDS) for told in _time_declarations(umpire, players, streams)]
        name = f"{count} phones"
        print_row(f"{name}: proposal to the umpire's picture", [told[0] for told in proposed])
        print_row(f"{name}: proposal to its player's pages", [each for told in proposed for each in told[1:]])
        print_row(f"{name}: declaration to the umpire's picture", [told[0] for told in declared])
        print_row(f"{name}: declaration to all pages", [each for told in declared for each in told[1:]])


def _time_declarations(
    umpire: Terminal, players: Sequence[Phone], streams: Sequence[Stream]
) -> list[list[float]]:
    """Time a phase in which all players declare, and end it."""
    for keys_of_one in (b"T", b"d", b"\x1b"):
        os.write(umpire.file, keys_of_one)
        umpire.read_until_quiet(2 * SILENCE)
    name = _read_seat(streams[0])["round"]["key"]
    taken = [_time_post(player, umpire, streams, orders=[], round=name) for player in players]
    for keys_of_one in (b"T", b"d", b"\x1b", b"/force next", b"\r"):
        os.write(umpire.file, keys_of_one)
        umpire.read_until_quiet(2 * SILENCE)
    return taken


def _read_seat(stream: Stream) -> Any:
    """Read the last message about its seat that a page got."""
    time.sleep(SILENCE)
    *_, last = (json.loads(text) for name, text in stream.read_waiting() if name == "seat")
    return last


def _choose_order(may: Sequence[Any]) -> dict[str, Any]:
    """Choose the first order that a player may give."""
    ship, slots = may[0]["ships"][0], [slot for slot in may[0]["slots"] if not slot["optional"]]
    filled = {slot["name"]: slot["options"][0][0] for slot in slots}
    return order(may[0]["word"], ship, **{**filled, "range": "24in"})


def _time_post(player: Phone, umpire: Terminal, streams: Sequence[Stream], **what: object) -> list[float]:
    """Return the seconds from a post to the umpire's picture, and to each of the pages."""
    drain([umpire])
    for stream in streams:
        for _ in stream.read_waiting():
            pass
    began, drawn, taken = time.perf_counter(), 0.0, list[float]()
    left = {stream.socket.fileno(): stream for stream in streams}
    answer = player.propose(**what)
    assert answer.status == 200, answer
    while (left or not drawn) and time.perf_counter() - began < PATIENCE:
        for ready in select.select([*left, umpire.file], [], [], 0.05)[0]:
            if ready == umpire.file:
                drawn = drawn or (umpire.read_once(0) and time.perf_counter() - began) or 0.0
            elif any(name == "seat" for name, _ in left[ready].read_waiting()):
                taken.append(time.perf_counter() - began)
                del left[ready]
    assert drawn, "the umpire does not see it"
    assert not left, "it did not arrive"
    return [drawn, *taken]


def _was_sent(stream: Stream, word: str) -> bool:
    return any(word in text for _, text in stream.read_waiting())


def main(screen_count: int, phone_count: int) -> None:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        save = folder / "battle.qfb"
        save.write_bytes(SAMPLE.read_bytes())
        writer = stack.enter_context(
            run_module(folder / "writer", "qf_tui", "play", str(save), size=SIZES[0])
        )
        writer.read_until(b"Mikasa")
        print(f"{ENTRIES} entries each; load {load():.1f}")
        measure_screens(writer, save, folder, screen_count)
        measure_phones(writer, save, phone_count)
        measure_proposals(folder, phone_count)


if __name__ == "__main__":
    given = [int(word) for word in sys.argv[1:]]
    main(*(given + [2, 20][len(given) :]))
