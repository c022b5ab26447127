"""The secret seed of sealed dice, kept in a file next to the save until it is revealed."""

import os
from contextlib import suppress
from pathlib import Path

from qf_tui.features.sealed_dice.dice import SEED_BYTES
from qf_tui.journal.disk import SEED, format_disk_fault, format_file_name, open_without_waiting, write_file
from qf_tui.journal.lines import Misread
from qf_tui.journal.reading import SaveExists, SaveFault

_BYTES_MOST = 4096


def find_seed_path(save: str | os.PathLike[str]) -> Path:
    """Return the path of a save's seed; all names of one save give the same path."""
    return Path(f"{os.path.realpath(save)}{SEED}")


def keep_seed(save: Path, seed: bytes) -> None:
    """Write the seed of a battle into a file next to its save, before the save is created.

    Raises:
        SaveExists: A file of a seed is there already.
        SaveFault: The seed cannot be written.
    """
    path = find_seed_path(save)
    try:
        write_file(path, f"{seed.hex()}\n".encode(), mode=0o600)
    except FileExistsError:
        raise SaveExists(
            f"{format_file_name(path)}: the seed of another battle with that name is there. "
            "Choose another name."
        ) from None
    except (OSError, ValueError) as fault:
        forget_seed(save)
        raise SaveFault(
            f"{format_file_name(path)}: the seed cannot be saved: {format_disk_fault(fault)}."
        ) from None


def find_seed(save: str | os.PathLike[str]) -> bytes | None:
    """Return the seed next to a save; None if there is none or it cannot be read."""
    with suppress(OSError, ValueError):
        return read_seed(find_seed_path(save))
    return None


def read_seed(path: str | os.PathLike[str]) -> bytes:
    """Read a seed from a file.

    Raises:
        OSError: The file cannot be read.
        Misread: The file holds no seed.
    """
    with open_without_waiting(path) as file:
        return parse_seed(file.read(_BYTES_MOST).decode("ascii", "replace"))


def parse_seed(text: str) -> bytes:
    """Parse the hexadecimal digits of a seed.

    Raises:
        Misread: The text is no seed.
    """
    try:
        seed = bytes.fromhex(text.strip())
    except ValueError:
        seed = b""
    if len(seed) != SEED_BYTES:
        raise Misread(f"a seed is {2 * SEED_BYTES} hexadecimal digits")
    return seed


def forget_seed(save: Path) -> None:
    """Delete the file of a seed; do nothing if it cannot be deleted."""
    with suppress(OSError, ValueError):
        find_seed_path(save).unlink(missing_ok=True)
