"""What Windows does otherwise than Linux and macOS, both halves side by side: files, names, processes, pipes.

Nothing else asks which of them it runs on.
"""

import errno
import os
import re
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, suppress
from pathlib import Path
from time import monotonic, sleep
from typing import IO, TypeVar

WINDOWS = sys.platform == "win32"
BINARY = getattr(os, "O_BINARY", 0)
"""What a file is opened with so that its bytes are kept as they are."""
PLAIN = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | BINARY
"""How a file beside a save is opened: no link is followed, no pipe waited for."""
PATIENTLY = getattr(os, "O_NONBLOCK", 0) | BINARY
"""How a file to be read is opened: a pipe makes nobody wait."""

HELD_S = 1.0
"""Seconds for which a file is tried again that another program holds: a scanner looks at each new one."""
_AGAIN_S = 0.02
_Result = TypeVar("_Result")


def retried(call: Callable[[], _Result]) -> _Result:
    """What a call on a file gives; on Windows tried again for a moment where another program holds it.

    PermissionError where it is held for longer. Elsewhere files may be opened and replaced by several.
    """
    until = monotonic() + (HELD_S if WINDOWS else 0)
    while True:
        try:
            return call()
        except PermissionError:
            if monotonic() >= until:
                raise
            sleep(_AGAIN_S)


def take_name(beside: Path, path: Path) -> None:
    """Gives a whole file its name; FileExistsError where there is one of that name."""
    if sys.platform == "win32":
        retried(lambda: beside.rename(path))
        return
    try:
        path.hardlink_to(beside)
    except FileExistsError:
        raise
    except OSError:
        # A disk without hard links: the name is taken first, and then filled.
        path.open("xb").close()
        beside.replace(path)


def sync_folder(path: Path) -> None:
    """Makes a new file's name as durable as its bytes; Windows has no way to, and needs none."""
    if sys.platform == "win32":
        return
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


_DEVICES = re.compile(r"(CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|(COM|LPT)[0-9¹²³])", re.IGNORECASE)
_SIGNS = frozenset('<>:"/\\|?*')


def name_fault(name: str) -> str:
    """Why Windows takes no file of a name, "" where it does.

    It is asked on every system: a save goes on on another laptop.
    """
    if found := sorted(_SIGNS & set(name)):
        return f"Windows takes no {' '.join(found)} in the name of a file"
    if _DEVICES.fullmatch(name.partition(".")[0].rstrip()):
        return f"“{name.partition('.')[0]}” is the name of a device on Windows"
    if name.endswith((".", " ")):
        return "Windows takes no name that ends with a dot or a blank"
    return ""


def portable_name(name: str) -> str:
    """A name as near as may be of which every system takes a file."""
    plain = "".join("-" if sign in _SIGNS else sign for sign in name).rstrip(". ")
    return f"{plain}-" if name_fault(plain) else plain


if sys.platform == "win32":
    ENDING_SIGNALS = (signal.SIGTERM, signal.SIGBREAK)
else:
    ENDING_SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGINT)
"""Signals that end a program from outside; on Windows also sent when its window is closed."""
ENDS_S = 2.5
"""Seconds that a program has to end itself after a signal."""


@contextmanager
def end_by_signals(end: Callable[[int], object], reset: bytes = b"") -> Iterator[None]:
    """Call `end(number)` on the first signal that ends a program, instead of dying at once.

    If the process still runs after `ENDS_S` seconds, or a second signal comes, the terminal gets its modes
    back and the process dies by the first signal. Signals that somebody else handles stay as they are.

    Args:
        end: Starts the end of the program, in the main thread and at any moment; it may raise.
        reset: Bytes that turn off what the program has turned on in the terminal.
    """
    usual = (signal.SIG_DFL, signal.default_int_handler)
    before = {number: now for number in ENDING_SIGNALS if (now := signal.getsignal(number)) in usual}
    restore = _remember_terminal(reset)
    ended = False

    def die(number: int) -> None:
        restore()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    def begin_end(number: int, _: object) -> None:
        nonlocal ended
        ended = True
        for other in before:
            signal.signal(other, lambda *_: die(number))
        if sys.platform != "win32":  # Windows ends the process by itself after five seconds
            signal.signal(signal.SIGALRM, lambda *_: die(number))
            signal.setitimer(signal.ITIMER_REAL, ENDS_S)
        end(number)

    try:
        for number in before:
            signal.signal(number, begin_end)
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, signal.SIG_DFL if ended else handler)


def _remember_terminal(reset: bytes) -> Callable[[], None]:
    """Return a function that gives the terminal its present modes back, and writes `reset` to it."""
    if sys.platform == "win32" or sys.__stdin__ is None or sys.__stderr__ is None:
        return lambda: None
    import select  # noqa: PLC0415 - only for a program in a terminal
    import termios  # noqa: PLC0415 - as above

    keys, screen = sys.__stdin__.fileno(), sys.__stderr__.fileno()
    modes = termios.tcgetattr(keys) if os.isatty(keys) else None

    def restore() -> None:
        with suppress(OSError, termios.error):
            if reset and select.select([], [screen], [], 0)[1]:
                os.write(screen, reset)
            if modes is not None:
                termios.tcsetattr(keys, termios.TCSANOW, modes)

    return restore


def begin_tracker() -> None:
    """Begins the process that Python runs beside others to tidy up after them; Windows has none."""
    if WINDOWS or sys.__stderr__ is None:
        return
    from multiprocessing import resource_tracker  # noqa: PLC0415 - only for what begins processes

    # It wants a true standard error, and a screen has none.
    with redirect_stderr(sys.__stderr__):
        resource_tracker.ensure_running()


def give_way(steps: int) -> None:
    """Has other processes come before this one."""
    if sys.platform == "win32":
        import ctypes  # noqa: PLC0415 - elsewhere it is not needed

        below_normal = 0x4000
        kernel = ctypes.windll.kernel32
        kernel.SetPriorityClass(kernel.GetCurrentProcess(), below_normal)
    else:
        os.nice(steps)


@contextmanager
def without_interrupts() -> Iterator[None]:
    """Within it, Ctrl-C waits; not on Windows, where only the first thread could say so."""
    if sys.platform == "win32":
        yield
    else:
        masked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, masked)


def written_soon(pipe: IO[bytes], seconds: float | None) -> bool:
    """Whether somebody writes into a pipe within some seconds, None: however long it takes."""
    if sys.platform == "win32":
        # A named pipe cannot be opened there before its writer is at the other end.
        return True
    import select  # noqa: PLC0415 - only for what reads a pipe

    readable = select.poll()
    readable.register(pipe, select.POLLIN)
    return bool(readable.poll(None if seconds is None else seconds * 1000))


def has_no_reader(fault: OSError) -> bool:
    """Whether output failed since whoever read it has left; Windows calls that an invalid argument."""
    invalid = WINDOWS and fault.errno == errno.EINVAL and fault.filename is None
    return invalid or isinstance(fault, BrokenPipeError)


def make_waiting(file: IO[bytes]) -> None:
    """Has a file that was opened without waiting be waited for from here on."""
    if sys.platform != "win32":
        os.set_blocking(file.fileno(), True)
