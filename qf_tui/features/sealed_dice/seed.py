"""The seed of sealed dice as a file beside the save, for nobody to look into."""

import os
from contextlib import suppress
from pathlib import Path

from qf_tui.features.sealed_dice.dice import SEED_BYTES
from qf_tui.journal.disk import SEED, format_disk_fault, format_file_name, open_plain_file, write_file
from qf_tui.journal.lines import Misread
from qf_tui.journal.reading import SaveFault, SaveThere

_MOST = 4096


def find_seed_path(save: str | os.PathLike[str]) -> Path:
    """Return the file for the seed of a save; two names of one save have one."""
    return Path(f"{os.path.realpath(save)}{SEED}")


def keep_seed(save: Path, seed: bytes) -> None:
    """Keep the seed of a save that is about to be made; SaveThere if one is there, SaveFault if not."""
    path = find_seed_path(save)
    try:
        write_file(path, f"{seed.hex()}\n".encode(), mode=0o600)
    except FileExistsError:
        raise SaveThere(
            f"{format_file_name(path)}: the seed of another battle with that name is there. "
            "Choose another name."
        ) from None
    except (OSError, ValueError) as fault:
        forget_seed(save)
        raise SaveFault(
            f"{format_file_name(path)}: the seed cannot be saved: {format_disk_fault(fault)}."
        ) from None


def find_seed(save: str | os.PathLike[str]) -> bytes | None:
    """Return the seed beside a save; None if there is none that can be read."""
    with suppress(OSError, ValueError):
        return read_seed(find_seed_path(save))
    return None


def read_seed(path: str | os.PathLike[str]) -> bytes:
    """Read the seed that a file holds; OSError if it cannot be read, Misread if it holds none."""
    with open_plain_file(path) as file:
        return parse_seed(file.read(_MOST).decode("ascii", "replace"))


def parse_seed(text: str) -> bytes:
    """Parse a seed; Misread if the text is none."""
    try:
        seed = bytes.fromhex(text.strip())
    except ValueError:
        seed = b""
    if len(seed) != SEED_BYTES:
        raise Misread(f"a seed is {2 * SEED_BYTES} hexadecimal digits")
    return seed


def forget_seed(save: Path) -> None:
    """Delete the file of a seed: it is in the save by now, or there is no save."""
    with suppress(OSError, ValueError):
        find_seed_path(save).unlink(missing_ok=True)
