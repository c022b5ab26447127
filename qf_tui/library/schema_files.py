"""Schemas as files in a folder beside the files that name them in their first lines, for editors.

The first line of a TOML file is `#:schema ./.schema/NAME.json`: a path from the file's own folder, so that it
holds for ours, for the user's, and for a copy of one among the others.
"""

import json
from collections.abc import Mapping
from contextlib import suppress
from importlib.resources import files
from pathlib import Path

from qf_tui.core.system import RuleSystem
from qf_tui.journal.disk import write_whole
from qf_tui.library.paths import own, shipped
from qf_tui.library.schema import KINDS, facts_fleet_schema, schema
from qf_tui.library.systems import usable

FOLDER = ".schema"
_SHELVES = {"fleet": "fleets", "scenario": "scenarios", "chart": "charts"}


def schema_name(kind: str, ruleset: str) -> str:
    """The name of the file for a kind of file and a rule system, "" for a fleet of none."""
    return f"{kind}-{ruleset}.json" if ruleset else f"{kind}.json"


def head(kind: str, ruleset: str, folder: str = ".") -> str:
    """The first line of a file; `folder` is the way from it to the folder of its kind."""
    return f"#:schema {folder}/{FOLDER}/{schema_name(kind, ruleset)}\n"


def schema_text(kind: str, ruleset: str, systems: Mapping[str, RuleSystem]) -> str:
    """A schema as its file has it, and as the command gives it out."""
    every = list(usable(systems).values())
    made = schema(kind, systems[ruleset], every) if ruleset else facts_fleet_schema(every)
    return json.dumps(made, indent=1) + "\n"


def put_beside(file: Path, kind: str, ruleset: str, systems: Mapping[str, RuleSystem]) -> None:
    """Puts the schema of a file of the user's beside it; a file without one is a file all the same."""
    with suppress(OSError):
        _put(file.parent, kind, ruleset, systems)


def install_schemas(systems: Mapping[str, RuleSystem]) -> tuple[Path, ...]:
    """Puts all schemas beside the user's files, and gives their files."""
    return tuple(
        _put(own(_SHELVES[kind]), kind, ruleset, systems)
        for kind in KINDS
        for ruleset in (*systems, *([""] if kind == "fleet" else []))
    )


def shipped_schemas(kind: str, system: RuleSystem | None) -> Path:
    """The folder of ours that has the schemas of a kind of file: charts have theirs with the rules."""
    if kind == "chart":
        package = system.charts[0] if system else ""
        return Path(str(files(package or "qf_tui"))) / FOLDER
    return shipped(_SHELVES[kind]) / FOLDER


def _put(folder: Path, kind: str, ruleset: str, systems: Mapping[str, RuleSystem]) -> Path:
    path = folder / FOLDER / schema_name(kind, ruleset)
    ours = shipped_schemas(kind, systems[ruleset] if ruleset else None) / path.name
    # Ours is as the systems would give it, without loading them all.
    text = ours.read_bytes() if ours.is_file() else schema_text(kind, ruleset, systems).encode()
    if not path.is_file() or path.read_bytes() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text, over=True)
    return path
