"""What the journal does to files: durable writes, names as durable as their bytes, a torn end set aside."""

import os
from pathlib import Path
from typing import Protocol

BINARY = getattr(os, "O_BINARY", 0)
"""What a file is opened with so that its bytes are kept as they are."""


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
    while (aside := path.with_name(f"{path.name}.torn-{number}")).exists():
        number += 1
    with aside.open("xb") as file:
        file.write(torn)
        file.flush()
        os.fsync(file.fileno())
    sync_folder(path)
    return aside


def sync_folder(path: Path) -> None:
    """Makes a new file's name as durable as its bytes; Windows has no way to, and needs none."""
    if os.name == "nt":
        return
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
