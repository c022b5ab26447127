"""A fleet's document as a file that people edit: a line a key, lists in one line, batteries as tables."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import tomli_w

from qf_tui.core.errors import QfError
from qf_tui.core.system import RuleSystem
from qf_tui.journal.disk import write_whole
from qf_tui.journal.disk_words import in_words
from qf_tui.library.checking import is_id
from qf_tui.library.faults import shown
from qf_tui.library.paths import own
from qf_tui.library.schema_files import head, put_beside

Document = Mapping[str, Any]


def own_fleet(name: str) -> Path:
    """The file of a fleet of the user's by its name; it need not exist. QfError if none can have the name."""
    if not is_id(name):
        raise QfError(f"“{shown(name)}” is no name of a fleet: letters a-z, digits and “-”")
    return own("fleets") / f"{name}.toml"


def save_fleet(
    document: Document, path: Path, systems: Mapping[str, RuleSystem], *, replace: bool = False
) -> None:
    """Writes a fleet whole or not at all; QfError where a file is there that it may not `replace`."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, fleet_toml(document).encode(), over=replace)
    except FileExistsError:
        raise QfError(f"{path}: there is such a fleet already; --replace writes over it") from None
    except (OSError, UnicodeEncodeError) as fault:
        reason = in_words(fault) if isinstance(fault, OSError) else "a text holds what no file can hold"
        raise QfError(f"{path}: cannot be written: {reason}") from None
    put_beside(path, "fleet", str(document.get("ruleset", "")), systems)


def fleet_toml(document: Document) -> str:
    """The text of a fleet's file."""
    first = head("fleet", str(document.get("ruleset", "")))
    return first + "\n".join(_lines(document, "")) + "\n"


def _lines(table: Document, name: str) -> Iterator[str]:
    tables = {key: value for key, value in table.items() if isinstance(value, list) and _tables(value)}
    for key, value in table.items():
        if key not in tables:
            yield f"{key} = {_value(value)}"
    for key, value in tables.items():
        for one in value:
            yield ""
            yield f"[[{name}{key}]]"
            yield from _lines(one, f"{name}{key}.")


def _tables(value: list[object]) -> bool:
    return bool(value) and all(isinstance(one, Mapping) for one in value)


def _value(value: object) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{key} = {_value(one)}' for key, one in value.items())} }}"
    return tomli_w.dumps({"value": value}).partition(" = ")[2].strip()
