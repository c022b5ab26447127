"""What Windows does differently from Linux and macOS: files, their names, processes, pipes.

No other module asks on which operating system it runs.
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
"""Seconds for which a call is repeated while another program, such as a virus scanner, holds its file."""
_RETRY_PAUSE_S = 0.02
_Result = TypeVar("_Result")


def retry_while_held(call: Callable[[], _Result]) -> _Result:
    """Call a function on a file, and return its result.

    On Windows it retries for `HELD_S` seconds while another program holds the file.

    Raises:
        PermissionError: If the file is held for longer, or on other systems at once.
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
    """Give a complete file its final name; a file that has this name already is not replaced.

    Args:
        temporary: Present path of the file, in the same folder.
        path: Its final path.

    Raises:
        FileExistsError: If the final name is taken.
    """
    if sys.platform == "win32":
        # There, renaming refuses a name that is taken.
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
    """Write the folder of a new file to disk, so that its name survives a crash; nothing on Windows."""
    if sys.platform == "win32":
        return
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


_DEVICES = re.compile(r"(CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|(COM|LPT)[0-9¹²³])", re.IGNORECASE)
"""The names of devices on Windows."""
_SIGNS = frozenset('<>:"/\\|?*')
"""The signs that Windows forbids in a file name."""


def find_name_fault(name: str) -> str:
    """Return why Windows refuses a file name, or "" if it accepts it.

    This is checked on every system, because a save may be continued on another laptop.
    """
    if forbidden_signs := sorted(_SIGNS & set(name)):
        return f"Windows takes no {' '.join(forbidden_signs)} in the name of a file"
    if _DEVICES.fullmatch(name.partition(".")[0].rstrip()):
        return f"“{name.partition('.')[0]}” is the name of a device on Windows"
    if name.endswith((".", " ")):
        return "Windows takes no name that ends with a dot or a blank"
    return ""


def make_portable_name(name: str) -> str:
    """Return a file name that every system accepts.

    Forbidden signs are replaced by "-", dots and blanks at the end are removed, and the name of a Windows
    device gets a "-" at its end.
    """
    plain = "".join("-" if sign in _SIGNS else sign for sign in name).rstrip(". ")
    return f"{plain}-" if find_name_fault(plain) else plain


if sys.platform == "win32":
    ENDING_SIGNALS = (signal.SIGTERM, signal.SIGBREAK)
else:
    ENDING_SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGINT)
"""Signals that end a program from outside; Windows also sends them when its window is closed."""
ENDS_S = 2.5
"""Seconds after a signal in which the program must end."""


@contextmanager
def end_by_signals(end: Callable[[int], object], reset: bytes = b"") -> Iterator[None]:
    """While the body of the `with` runs, call `end(number)` on the first signal that would end the program.

    If the process still runs after `ENDS_S` seconds, or a second signal comes, the terminal's modes are
    restored and the process is killed by the first signal. Only signals with Python's default handler are
    caught.

    Args:
        end: Begins to end the program. It is called in the main thread at any moment, and may raise.
        reset: Bytes that turn off the terminal modes that the program has turned on.
    """
    default_handlers = (signal.SIG_DFL, signal.default_int_handler)
    old_handlers = {number: signal.getsignal(number) for number in ENDING_SIGNALS}
    handlers = {number: handler for number, handler in old_handlers.items() if handler in default_handlers}
    restore_terminal = _remember_terminal(reset)
    has_ended = False

    def kill_process(number: int) -> None:
        restore_terminal()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    def handle_signal(number: int, _: object) -> None:
        nonlocal has_ended
        has_ended = True
        for second_signal in handlers:
            signal.signal(second_signal, lambda *_: kill_process(number))
        if sys.platform != "win32":  # Windows ends the process after five seconds
            signal.signal(signal.SIGALRM, lambda *_: kill_process(number))
            signal.setitimer(signal.ITIMER_REAL, ENDS_S)
        end(number)

    try:
        for number in handlers:
            signal.signal(number, handle_signal)
        yield
    finally:
        for number, handler in handlers.items():
            # After the first signal, the next one kills the process at once.
            signal.signal(number, signal.SIG_DFL if has_ended else handler)


def _remember_terminal(reset: bytes) -> Callable[[], None]:
    """Return a function that writes `reset` to the terminal and restores the modes that it has now.

    On Windows, or without standard streams, the function does nothing.
    """
    if sys.platform == "win32" or sys.__stdin__ is None or sys.__stderr__ is None:
        return lambda: None
    import select  # noqa: PLC0415 - only for a program in a terminal
    import termios  # noqa: PLC0415 - as above

    keyboard = sys.__stdin__.fileno()
    screen = sys.__stderr__.fileno()
    modes = termios.tcgetattr(keyboard) if os.isatty(keyboard) else None

    def restore_terminal() -> None:
        with suppress(OSError, termios.error):
            # Write only if the terminal takes bytes now; a stopped one would block the process.
            if reset and select.select([], [screen], [], 0)[1]:
                os.write(screen, reset)
            if modes is not None:
                termios.tcsetattr(keyboard, termios.TCSANOW, modes)

    return restore_terminal


def start_process_cleaner() -> None:
    """Start the process in which Python cleans up after worker processes.

    It does nothing on Windows, which has no such process, or without a standard error.
    """
    if WINDOWS or sys.__stderr__ is None:
        return
    from multiprocessing import resource_tracker  # noqa: PLC0415 - only for what begins processes

    # The tracker inherits standard error, and needs the real one, which the console has replaced.
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
    """Delay Ctrl-C until the body of the `with` has run; on Windows do nothing."""
    if sys.platform == "win32":
        yield
    else:
        old_mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, old_mask)


def wait_for_data(pipe: IO[bytes], seconds: float | None) -> bool:
    """Wait until a pipe has data or its writer is gone, and return False if that takes too long.

    On Windows it returns True at once.

    Args:
        seconds: Greatest time to wait, or None to wait without limit.
    """
    if sys.platform == "win32":
        # There a named pipe can only be opened once its writer has opened it.
        return True
    import select  # noqa: PLC0415 - only for what reads a pipe

    readable = select.poll()
    readable.register(pipe, select.POLLIN)
    milliseconds = None if seconds is None else seconds * 1000
    return bool(readable.poll(milliseconds))


def has_no_reader(fault: OSError) -> bool:
    """Return whether output failed because the program that reads it has gone."""
    # Windows reports that as an invalid argument, and names no file.
    is_invalid = WINDOWS and fault.errno == errno.EINVAL and fault.filename is None
    return is_invalid or isinstance(fault, BrokenPipeError)


def make_blocking(file: IO[bytes]) -> None:
    """Let reads of a file wait for data again, if it was opened without waiting; on Windows do nothing."""
    if sys.platform != "win32":
        os.set_blocking(file.fileno(), True)
