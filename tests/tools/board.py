"""How soon an entry is on the phones of those who look on, and what they cost its writer.

    python -m tests.tools.board [PHONES]

It drives real programs: a console in a terminal that writes a copy of the sample battle, a board of it, and
clients on addresses of this machine, each with a stream of its own, by turns of one side, the other and all.
From Enter to the whole view at each client; and from a key to the picture of the writer, by turns with the
board at work and stopped. It asserts nothing.
"""

import os
import select
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from qf_tui.board.values import ALL, BoardSwitch
from tests.board.served import Stream, served
from tests.terminal import Terminal, in_terminal
from tests.tools.watching import SAMPLE, SILENCE, keys
from tests.tools.watching import told as told_by

ENTRIES, TURNS = 40, 8


def entered(writer: Terminal, phones: Sequence[Stream], word: str) -> list[float]:
    """Seconds from the Enter of a note for all to the whole view at each client."""
    os.write(writer.file, f":note all: {word}".encode())
    writer.quiet(SILENCE)
    began, left, found = time.perf_counter(), dict(enumerate(phones)), list[float]()
    os.write(writer.file, b"\r")
    while left and time.perf_counter() - began < 10:
        files = {one.socket.fileno(): number for number, one in left.items()}
        for ready in select.select([*files, writer.file], [], [], 0.05)[0]:
            if ready == writer.file:
                writer.read_once(0)
            elif any(word in event[1] for event in left[files[ready]].waiting()):
                found.append(time.perf_counter() - began)
                del left[files[ready]]
    assert not left, f"{word} did not arrive"
    return found


told = partial(told_by, of_100=99)


def main(count: int) -> None:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        save = folder / "battle.qfb"
        save.write_bytes(SAMPLE.read_bytes())
        writer = stack.enter_context(
            in_terminal(folder / "writer", "qf_tui", "play", str(save), size=(120, 36))
        )
        writer.until(b"Mikasa")
        print(f"{count} phones, {ENTRIES} entries each; load {os.getloadavg()[0]:.1f}")
        for switch in BoardSwitch:
            with ExitStack() as board_stack:
                board = board_stack.enter_context(served(save, "--switch", switch))
                viewers = (
                    [viewer for viewer, _ in board.links.secrets]
                    if switch is not BoardSwitch.PHASE_END
                    else [ALL]
                )
                phones = [
                    board_stack.enter_context(board.stream(viewers[at % len(viewers)], f"127.0.6.{at + 1}"))
                    for at in range(count)
                ]
                for one in phones:
                    assert one.next() is not None
                if switch is not BoardSwitch.PHASE_END:
                    each = [entered(writer, phones, f"squall{switch}{number}x") for number in range(ENTRIES)]
                    print(told(f"{switch}: Enter to a phone", [one for entry in each for one in entry]))
                    print(told(f"{switch}: Enter to the last phone", [max(entry) for entry in each]))
                at_work, stopped = list[float](), list[float]()
                for _ in range(TURNS if switch is BoardSwitch.AT_ONCE else 0):
                    at_work += keys(writer)
                    os.kill(board.process.pid, signal.SIGSTOP)
                    stopped += keys(writer)
                    os.kill(board.process.pid, signal.SIGCONT)
                if at_work:
                    print(told("writer's key to picture, board at work", at_work))
                    print(told("writer's key to picture, board stopped", stopped))


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 20)
