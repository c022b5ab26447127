"""What is done to files: durable writes, whole files, names as durable as bytes, a torn end set aside."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Protocol

BINARY = getattr(os, "O_BINARY", 0)
"""What a file is opened with so that its bytes are kept as they are."""
PLAIN = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | BINARY
"""How a file beside a save is opened: no link is followed, no pipe waited for."""


class Disk(Protocol):
    """What the journal does to an open file."""

    def write(self, file: int, data: bytes) -> int:
        """Writes, and gives the count of bytes written, which a full disk makes less than asked."""

    def fsync(self, file: int) -> None: ...

    def truncate(self, file: int, length: int) -> None: ...


class SystemDisk:
    """The disk itself."""

    def write(self, file: int, data: bytes) -> int:
        return os.write(file, data)

    def fsync(self, file: int) -> None:
        os.fsync(file)

    def truncate(self, file: int, length: int) -> None:
        os.ftruncate(file, length)


SYSTEM_DISK = SystemDisk()


def set_aside(path: Path, torn: bytes) -> Path:
    """Keeps a torn end in another file beside the save; never over another."""
    number = 1
    while os.path.lexists(aside := path.with_name(f"{path.name}.torn-{number}")):
        number += 1
    with aside.open("xb") as file:
        file.write(torn)
        file.flush()
        os.fsync(file.fileno())
    sync_folder(path)
    return aside


def write_whole(path: Path, data: bytes, *, over: bool = False, mode: int = 0o666) -> None:
    """Writes a file whole and durably, or not at all; FileExistsError where one is there, unless `over` it.

    OSError leaves what was there before. A link of that name is replaced, never followed. `mode` is who may
    read it, from the first byte on.
    """
    beside = path.with_name(f".qf-tui-{os.urandom(8).hex()}.new")
    try:
        with open(beside, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if over:
            beside.replace(path)
        else:
            _take_name(beside, path)
        sync_folder(path)
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)


def _take_name(beside: Path, path: Path) -> None:
    """Gives a finished file its name, if nobody else has it."""
    if os.name == "nt":
        beside.rename(path)
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
    if os.name == "nt":
        return
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
