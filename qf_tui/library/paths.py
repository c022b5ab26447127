"""Finds files in the folders of the user and of the program (together: the shelf), and reads their text.

It also finds free names for new files, and writes the report of a crash.
"""

import os
import re
from collections.abc import Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import Any, NoReturn

from attrs import frozen

import qf_tui
from qf_tui.core.errors import QfError
from qf_tui.journal.disk import write_file
from qf_tui.library.faults import Fault, FileFaults, format_hint, make_printable
from qf_tui.operating_systems import make_portable_name

HOME_VARIABLE = "QF_TUI_HOME"
"""The environment variable that replaces the path of the user's own folder."""
FAULT = "fault.txt"
SAVE = ".qfb"
"""The suffix of a save's file name."""
FORMERLY = "formerly"
"""The key of a file for its former names, by which it is still found."""
BYTES_MOST = 5_000_000
"""Most bytes of a file that is read."""

_SHIPPED_FOLDERS = {"fleets": "fleets", "saves": "saves"}
_SHIPPED_FOLDERS |= {kind: f"fleets/{kind}" for kind in ("scenarios", "navies", "rules")}
# With number and suffix, a name stays within the limit of any disk, at four bytes a character.
_NAME_MOST = 50
# The time to parse a dotted key grows with the square of its parts.
_DOTS_MOST = 200
_DIGITS = re.compile(r"[0-9_]{4301,}")
_PLACE = r" \(at (line \d+, column \d+|end of document)\)$"


def read_bytes(path: Path) -> bytes:
    """Read the bytes of a file.

    Raises:
        FileFaults: There is no such file, it cannot be read, or it is larger than BYTES_MOST.
    """
    try:
        if not path.is_file():
            _refuse(path, "", "not a file" if path.exists() else "there is no such file")
        size = path.stat().st_size
        if size <= BYTES_MOST:
            # The file may have grown since its size was read.
            with path.open("rb") as file:
                data = file.read(BYTES_MOST + 1)
            size = len(data)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        _refuse(path, "", f"cannot be read ({make_printable(reason)})")
    if size > BYTES_MOST:
        _refuse(path, "", f"{size:,} bytes; at most {BYTES_MOST:,} are read")
    return data


def read_toml(path: Path) -> dict[str, Any]:
    """Read the plain data of a TOML file.

    Raises:
        FileFaults: The file cannot be read; the fault has line and column if they are known.
    """
    return parse_toml(read_bytes(path), path)


def find_encoding(data: bytes) -> str:
    """Return the encoding of a text file: UTF-16 if it begins with that mark, else UTF-8."""
    return "utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"


def decode_text(data: bytes, file: Path | str, how: str = "") -> str:
    """Decode the bytes of a text file.

    Args:
        how: Words for the message that say how to save UTF-8 in a usual program.

    Raises:
        FileFaults: The bytes are not text in the encoding; the fault names `file` and the line.
    """
    try:
        return data.decode(find_encoding(data))
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        _refuse(file, f"line {line}", f"not UTF-8; save the file as UTF-8{how}")


def parse_toml(data: bytes, file: Path | str) -> dict[str, Any]:
    """Parse TOML bytes into plain data.

    Raises:
        FileFaults: The bytes are not TOML, or have more dots, levels or digits than any file needs. The
            fault names `file`.
    """
    text = decode_text(data, file)
    for number, line_text in enumerate(text.split("\n"), 1):
        if line_text.count(".") > _DOTS_MOST:
            _refuse(file, f"line {number}", f"more than {_DOTS_MOST} dots in one line; break it up")
    import tomllib  # noqa: PLC0415 - opening a save parses no TOML

    try:
        return tomllib.loads(text)
    except RecursionError:
        _refuse(file, "", "lists or tables nested too deep; no file needs more than four levels")
    except ValueError as error:
        if long_number := _DIGITS.search(text):
            # Python's own message for such a number names no line.
            digits = f"a number of {len(long_number[0]):,} digits; no file needs more than fifteen"
            line = text.count("\n", 0, long_number.start()) + 1
            _refuse(file, f"line {line}", digits)
        # The parser writes the place at the end of its message.
        message = str(error)
        match = re.search(_PLACE, message)
        place = match[1] if match else ""
        _refuse(file, place, f"not TOML: {make_printable(re.sub(_PLACE, '', message), most=200)}")


def _refuse(file: Path | str, place: str, text: str) -> NoReturn:
    """Raise FileFaults for one fault at a place, or for the whole file if `place` is ""."""
    raise FileFaults(file, (Fault(place, text),)) from None


@frozen
class ShelfFile:
    """A file on the shelf with its title.

    Attributes:
        own: Whether it is the user's; it then hides a file of the program with the same name.
    """

    name: str
    title: str
    path: Path
    own: bool


def find_home() -> Path:
    """Return the user's own folder."""
    if home := os.environ.get(HOME_VARIABLE):
        return Path(home)
    from platformdirs import user_data_path  # noqa: PLC0415 - only where it is asked for

    return user_data_path("qf-tui", appauthor=False)


def find_cache(kind: str) -> Path:
    """Return the cache folder for one kind of file, such as "volleys"; it need not exist yet."""
    if home := os.environ.get(HOME_VARIABLE):
        return Path(home) / "cache" / kind
    from platformdirs import user_cache_path  # noqa: PLC0415 - only where it is asked for

    return user_cache_path("qf-tui", appauthor=False) / kind


def find_own_folder(kind: str) -> Path:
    """Return the user's folder for one kind of file, such as "fleets" or "saves"; it need not exist yet."""
    return find_home() / kind


def list_new_saves(name: str) -> Iterator[Path]:
    """Yield paths of free files for a new save in the user's folder, which is made if it is missing.

    Another console may take a path before it is used; then take the next.

    Raises:
        QfError: The folder cannot be created.
    """
    folder = find_own_folder("saves")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise QfError(
            f"{folder}: cannot be made: {fault.strerror}; choose another place with --save"
        ) from None
    for number in count(1):
        path = folder / f"{make_portable_name(f'{name[:_NAME_MOST]}-{number}')}{SAVE}"
        if not path.exists():
            yield path


def list_free_names(path: Path) -> Iterator[Path]:
    """Yield paths that do not exist yet: the path itself, then `NAME-2` and so on."""
    for number in count(1):
        free = path if number == 1 else path.with_name(f"{path.stem}-{number}{path.suffix}")
        if not os.path.lexists(free):
            yield free


def find_shipped_folder(kind: str) -> Path:
    """Return the program's folder for one kind of file, in the installed package or next to it."""
    package = Path(qf_tui.__file__).parent
    inside = package / _SHIPPED_FOLDERS[kind]
    return inside if inside.is_dir() else package.parent / _SHIPPED_FOLDERS[kind]


def list_folders(kind: str) -> tuple[Path, ...]:
    """List the folders to search for a kind of file, the user's own first."""
    own_folder = find_own_folder(kind)
    return (own_folder, find_shipped_folder(kind)) if kind in _SHIPPED_FOLDERS else (own_folder,)


def is_path(word: str) -> bool:
    """Return whether a word for a file is a path and not a name."""
    return word.endswith(".toml") or "/" in word or "\\" in word


def find_file(kind: str, wanted: str, base_folder: Path) -> Path | None:
    """Find the file of a name or a path. A present name comes before a former name.

    Args:
        kind: The kind of the file, such as "fleets".
        wanted: A name, a former name, or a path.
        base_folder: The folder to which a path is relative.

    Returns:
        The path of the file, or None if there is none.
    """
    if is_path(wanted):
        path = base_folder / wanted
        return path if is_there(path) else None
    for folder in list_folders(kind):
        path = folder / f"{wanted}.toml"
        if is_there(path):
            return path
    for folder in list_folders(kind):
        for path in list_files(folder):
            if wanted in _read_former_names(path):
                return path
    return None


def find_used_name(wanted: str, path: Path) -> str:
    """Return the name by which a file was found: `wanted` if it is a former name, else the present name."""
    return wanted if wanted != path.stem and wanted in _read_former_names(path) else path.stem


def list_files(folder: Path, ending: str = ".toml") -> list[Path]:
    """List the files in a folder, sorted by name; return [] if the folder cannot be read."""
    try:
        return sorted(path for path in folder.glob(f"*{ending}") if path.is_file())
    except OSError:
        return []


def _read_former_names(path: Path) -> Mapping[str, object]:
    """Return the former names in a file, with the value of each; {} if the file cannot be read."""
    try:
        names = read_toml(path).get(FORMERLY)
    except FileFaults:
        return {}
    return names if isinstance(names, dict) else {}


def find_former_system(wanted: str, path: Path) -> str:
    """Return the rule system that belongs to a former name of a scenario, or "" for its present name."""
    system = _read_former_names(path).get(wanted) if wanted != path.stem else None
    return system if isinstance(system, str) else ""


def find_typed(kind: str, wanted: str) -> Path:
    """Find the file that typed text means: by its path, its name, or the beginning of a word in its name.

    `channel` finds channel-1898, and so does `1898`.

    Raises:
        QfError: No file or several files match; the message names them, or similar names.
    """
    path = find_file(kind, wanted, Path())
    if path is not None:
        return path
    # A dash before the name and before the letters lets them match only at the beginning of a word.
    beginning = "-" + "-".join(wanted.lower().split())
    names = []
    # A dash alone would match every name.
    if beginning != "-":
        names = [name for name in sorted(list_names(kind)) if beginning in f"-{name}"]
    if len(names) > 1:
        choices = f"{', '.join(names[:-1])} or {names[-1]}"
        raise QfError(f"“{make_printable(wanted, most=200)}” may be {choices}: type more of the name")
    path = find_file(kind, names[0], Path()) if names else None
    if path is None:
        raise QfError(format_missing_file(kind, wanted))
    return path


def format_missing_file(kind: str, wanted: str) -> str:
    """Format the message for a name or path that is not found."""
    known = list_names(kind)
    hint = format_hint(wanted, known)
    folders = " or ".join(str(folder) for folder in list_folders(kind))
    message = f"no {kind.removesuffix('s')} “{make_printable(wanted, most=200)}”{hint}"
    return f"{message}; give a path, or a name in {make_printable(folders, most=600)}"


def list_names(kind: str) -> tuple[str, ...]:
    """List the names of one kind on the shelf, the user's own first."""
    return tuple(list_shelf_files(kind))


def list_shelf_files(kind: str) -> dict[str, Path]:
    """Map names to the files of one kind on the shelf; no file is read.

    The user's own files come first. They win over the program's files of the same name.
    """
    files: dict[str, Path] = {}
    for folder in list_folders(kind):
        for path in list_files(folder):
            files.setdefault(path.stem, path)
    return files


def list_shelf(kind: str) -> tuple[ShelfFile, ...]:
    """List the fleets or scenarios on the shelf with their titles, the user's own first."""
    entries = []
    for name, path in list_shelf_files(kind).items():
        try:
            title = read_toml(path).get("title")
        except FileFaults:
            title = None
        title = make_printable(title if isinstance(title, str) else path.stem, most=120)
        entries.append(ShelfFile(name, title, path, path.parent == find_own_folder(kind)))
    return tuple(entries)


def read_first_byte(path: Path) -> bytes | None:
    """Read the first byte of a file; return b"" for an empty file, or None if it cannot be read."""
    try:
        if not path.is_file():
            return None
        with path.open("rb") as file:
            return file.read(1)
    except (OSError, ValueError):
        return None


def has_save_start(path: Path) -> bool:
    """Return whether a file begins with `{`, as a save does, damaged or not, and TOML never does."""
    return read_first_byte(path) == b"{"


def is_there(path: Path) -> bool:
    """Return whether a path is an existing file; False for an impossible name."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def write_crash_report(report: str) -> Path | None:
    """Write a crash report in place of the last one; return its path, or None on failure."""
    path = find_home() / FAULT
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, report.encode("utf-8", "replace"), over=True)
    except OSError:
        return None
    return path
