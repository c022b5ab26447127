"""The seed of sealed dice while it is secret: a file beside the save, `NAME.seed`, for its owner alone.

It holds the 32 bytes in hexadecimal and a line feed, and is made before the save is. No copy of a save has
one.
"""

import os
from contextlib import suppress
from pathlib import Path

from qf_tui.core.sealed_dice import SEED_BYTES
from qf_tui.journal.beside import SEED
from qf_tui.journal.disk import BINARY, sync_folder
from qf_tui.journal.disk_words import in_words, name_of
from qf_tui.journal.lines import Misread
from qf_tui.journal.reading import SaveFault, SaveThere, opened_plainly

_MOST = 4096


def seed_path(save: str | os.PathLike[str]) -> Path:
    """The file for the seed of a save; two names of one save have one."""
    return Path(f"{os.path.realpath(save)}{SEED}")


def keep_seed(save: Path, seed: bytes) -> None:
    """Keeps the seed of a save that is about to be made; SaveThere if one is there, SaveFault if not."""
    path = seed_path(save)
    try:
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY, 0o600)
        try:
            os.write(file, f"{seed.hex()}\n".encode())
            os.fsync(file)
        finally:
            os.close(file)
        sync_folder(path)
    except FileExistsError:
        raise SaveThere(
            f"{name_of(path)}: the seed of another battle of that name is there. Choose another name."
        ) from None
    except (OSError, ValueError) as fault:
        forget_seed(save)
        raise SaveFault(f"{name_of(path)}: the seed cannot be kept: {in_words(fault)}.") from None


def kept_seed(save: str | os.PathLike[str]) -> bytes | None:
    """The seed beside a save; None if there is none that can be read."""
    with suppress(OSError, ValueError):
        return read_seed(seed_path(save))
    return None


def read_seed(path: str | os.PathLike[str]) -> bytes:
    """The seed that a file holds; OSError if it cannot be read, Misread if it holds none."""
    with opened_plainly(path) as file:
        return seed_of(file.read(_MOST).decode("ascii", "replace"))


def seed_of(text: str) -> bytes:
    """A seed from its text; Misread if it is none."""
    try:
        seed = bytes.fromhex(text.strip())
    except ValueError:
        seed = b""
    if len(seed) != SEED_BYTES:
        raise Misread(f"a seed is {2 * SEED_BYTES} hexadecimal digits")
    return seed


def forget_seed(save: Path) -> None:
    """Takes the file of a seed away: it stands in the save, or there is no save."""
    with suppress(OSError, ValueError):
        seed_path(save).unlink(missing_ok=True)
