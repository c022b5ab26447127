"""What Windows does otherwise than Linux and macOS, both halves side by side: files, names, processes, pipes.

Nothing else asks which of them it runs on.
"""

import errno
import os
import re
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr
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
    ENDING_SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
"""By which others end a program: on Windows also when its window is closed."""


def end_after(seconds: int) -> None:
    """Has a signal end this process after some seconds; Windows ends it after five by itself."""
    if sys.platform != "win32":
        signal.alarm(seconds)


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
