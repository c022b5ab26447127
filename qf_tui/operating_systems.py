"""The differences between Windows and the other systems (Linux, macOS): files, names, processes, pipes.

No other module asks on which system it runs.
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
"""Flag to open a file so that its bytes are kept unchanged."""
PLAIN = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | BINARY
"""Flags to open a file next to a save: follow no link, wait for no pipe."""
PATIENTLY = getattr(os, "O_NONBLOCK", 0) | BINARY
"""Flags to open a file for reading without waiting on a pipe."""

HELD_S = 1.0
"""Seconds to retry a file that another program holds, such as a virus scanner."""
_RETRY_PAUSE_S = 0.02
_Result = TypeVar("_Result")


def retry_while_held(call: Callable[[], _Result]) -> _Result:
    """Call a function on a file, and on Windows retry for a moment while another program holds the file.

    Raises:
        PermissionError: If the file is held for longer.
    """
    deadline = monotonic() + (HELD_S if WINDOWS else 0)
    while True:
        try:
            return call()
        except PermissionError:
            if monotonic() >= deadline:
                raise
            sleep(_RETRY_PAUSE_S)


def take_name(temporary: Path, path: Path) -> None:
    """Give a complete file its final name, without replacing a file that has it.

    Args:
        temporary: Present path of the file, in the same folder.
        path: Its final path.

    Raises:
        FileExistsError: If the final name is taken.
    """
    if sys.platform == "win32":
        retry_while_held(lambda: temporary.rename(path))
        return
    try:
        path.hardlink_to(temporary)
    except FileExistsError:
        raise
    except OSError:
        # A disk without hard links: take the name first, then replace the empty file.
        path.open("xb").close()
        temporary.replace(path)


def sync_folder(path: Path) -> None:
    """Make the name of a new file durable; Windows needs no such call."""
    if sys.platform == "win32":
        return
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


_DEVICES = re.compile(r"(CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|(COM|LPT)[0-9¹²³])", re.IGNORECASE)
_SIGNS = frozenset('<>:"/\\|?*')


def find_name_fault(name: str) -> str:
    """Return why Windows refuses a file name, or "".

    It is checked on every system, because a save may be continued on another laptop.
    """
    if forbidden_signs := sorted(_SIGNS & set(name)):
        return f"Windows takes no {' '.join(forbidden_signs)} in the name of a file"
    if _DEVICES.fullmatch(name.partition(".")[0].rstrip()):
        return f"“{name.partition('.')[0]}” is the name of a device on Windows"
    if name.endswith((".", " ")):
        return "Windows takes no name that ends with a dot or a blank"
    return ""


def make_portable_name(name: str) -> str:
    """Return a file name that every system accepts: the name with its forbidden signs replaced by "-".

    Dots and blanks at its end are removed, and the name of a Windows device gets a "-" at its end.
    """
    plain = "".join("-" if sign in _SIGNS else sign for sign in name).rstrip(". ")
    return f"{plain}-" if find_name_fault(plain) else plain


if sys.platform == "win32":
    ENDING_SIGNALS = (signal.SIGTERM, signal.SIGBREAK)
else:
    ENDING_SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGINT)
"""Signals that end a program from outside; Windows also sends them when its window is closed."""
ENDS_S = 2.5
"""Seconds that a program has to end after a signal."""


@contextmanager
def end_by_signals(end: Callable[[int], object], reset: bytes = b"") -> Iterator[None]:
    """Call `end(number)` on the first signal that ends a program, instead of dying at once.

    If the process still runs after `ENDS_S` seconds, or a second signal comes, the terminal's modes are
    restored and the process dies by the first signal. Only signals with Python's default handler are caught.

    Args:
        end: Begins to end the program, in the main thread at any moment; it may raise.
        reset: Bytes that turn off the terminal modes that the program has turned on.
    """
    default_handlers = (signal.SIG_DFL, signal.default_int_handler)
    handlers = {
        number: handler_now
        for number in ENDING_SIGNALS
        if (handler_now := signal.getsignal(number)) in default_handlers
    }
    restore = _remember_terminal(reset)
    ended = False

    def kill_process(number: int) -> None:
        restore()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    def begin_end(number: int, _: object) -> None:
        nonlocal ended
        ended = True
        for other in handlers:
            signal.signal(other, lambda *_: kill_process(number))
        if sys.platform != "win32":  # Windows ends the process after five seconds
            signal.signal(signal.SIGALRM, lambda *_: kill_process(number))
            signal.setitimer(signal.ITIMER_REAL, ENDS_S)
        end(number)

    try:
        for number in handlers:
            signal.signal(number, begin_end)
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, signal.SIG_DFL if ended else handler)


def _remember_terminal(reset: bytes) -> Callable[[], None]:
    """Return a function that restores the terminal's present modes, and writes `reset` to it."""
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


def start_resource_tracker() -> None:
    """Start Python's process that cleans up after worker processes; Windows has none."""
    if WINDOWS or sys.__stderr__ is None:
        return
    from multiprocessing import resource_tracker  # noqa: PLC0415 - only for what begins processes

    # The tracker needs a real standard error, and a screen has replaced it.
    with redirect_stderr(sys.__stderr__):
        resource_tracker.ensure_running()


def lower_priority(steps: int) -> None:
    """Lower the priority of this process: by `steps`, or on Windows to "below normal"."""
    if sys.platform == "win32":
        import ctypes  # noqa: PLC0415 - elsewhere it is not needed

        below_normal = 0x4000
        kernel = ctypes.windll.kernel32
        kernel.SetPriorityClass(kernel.GetCurrentProcess(), below_normal)
    else:
        os.nice(steps)


@contextmanager
def delay_interrupts() -> Iterator[None]:
    """Delay Ctrl-C while the body runs; on Windows it is not delayed."""
    if sys.platform == "win32":
        yield
    else:
        old_mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, old_mask)


def wait_for_data(pipe: IO[bytes], seconds: float | None) -> bool:
    """Return whether a pipe gets data within some seconds; on Windows return True at once.

    Args:
        seconds: None to wait without limit.
    """
    if sys.platform == "win32":
        # On Windows a named pipe can only be opened once its writer has opened it.
        return True
    import select  # noqa: PLC0415 - only for what reads a pipe

    readable = select.poll()
    readable.register(pipe, select.POLLIN)
    return bool(readable.poll(None if seconds is None else seconds * 1000))


def has_no_reader(fault: OSError) -> bool:
    """Return whether output failed because its reader has gone.

    Windows reports that as an invalid argument.
    """
    invalid = WINDOWS and fault.errno == errno.EINVAL and fault.filename is None
    return invalid or isinstance(fault, BrokenPipeError)


def make_blocking(file: IO[bytes]) -> None:
    """Make reads of a file wait for data again, after it was opened with `PATIENTLY`; nothing on Windows."""
    if sys.platform != "win32":
        os.set_blocking(file.fileno(), True)
