"""Files that people write: checked, listed, and their schemas."""

from argparse import Namespace
from pathlib import Path

from qf_tui.cli.opening import named_systems
from qf_tui.cli.output import named, say, say_json
from qf_tui.cli.tables import table
from qf_tui.core.errors import QfError
from qf_tui.journal.reading import SaveFault, read_save
from qf_tui.library import check as checker
from qf_tui.library import schema as schemas
from qf_tui.library.paths import is_there, listed
from qf_tui.library.schema_files import install_schemas, schema_text
from qf_tui.library.systems import find_systems, usable
from qf_tui.session.open_save import open_timeline, rules_by

FAULTY, UNREADABLE = 1, 2


def check(arguments: Namespace) -> int:
    """Prints all that is wrong with each file; 0 nothing, 1 faults, 2 a file that cannot be read."""
    return max(_check(name) for name in arguments.files)


def _check(name: str) -> int:
    path = Path(name)
    checked = checker.check(path, find_systems())
    if checked.kind == checker.SAVE:
        return _check_save(path)
    for file in checked.files:
        say(str(file))
    for warning in checked.warnings:
        say(f"{named(name)}: warning: {warning}")
    if checked.files:
        return FAULTY if _readable(path) else UNREADABLE
    say(f"{named(name)}: a {checked.kind}, nothing wrong")
    return 0


def _readable(path: Path) -> bool:
    if not is_there(path):
        return False
    try:
        with path.open("rb") as file:
            file.read(1)
    except (OSError, ValueError):
        return False
    return True


def _check_save(path: Path) -> int:
    try:
        save = read_save(path, rules_by(find_systems()))
        open_timeline(save, find_systems())
    except SaveFault as fault:
        say(str(fault))
        return FAULTY
    except QfError as fault:
        say(f"{named(path)}: {fault}")
        return FAULTY
    if save.short:
        say(f"{named(path)}: {save.end_notice}")
        return FAULTY
    for warning in filter(None, (save.end_notice, save.extra_notice)):
        say(f"{named(path)}: warning: {warning}")
    say(f"{named(path)}: a save of {len(save.log)} acts, nothing {'else ' if save.torn else ''}wrong")
    return 0


def shelf(arguments: Namespace) -> int:
    """Prints the names and titles on the paths."""
    found = listed(arguments.kind)
    if found:
        say(*table([one.name, one.title, "yours" if one.own else ""] for one in found))
    return 0


def schema(arguments: Namespace) -> int:
    """Prints the schema of one kind of file for a rule system, or for any of them; or puts all in place."""
    systems = usable(find_systems())
    if arguments.install:
        say(*map(str, install_schemas(systems)))
        return 0
    kind = "chart" if arguments.kind == "overlay" else arguments.kind
    if kind is None:
        raise QfError("name a kind of file: fleet, scenario or overlay; or put all in place with --install")
    if kind == "fleet" and arguments.ruleset is None:
        print(schema_text(kind, "", systems), end="")
        return 0
    named = named_systems(arguments.ruleset)
    if len(named) == 1:
        print(schema_text(kind, named[0].name, systems), end="")
        return 0
    made = [schemas.schema(kind, system, named) for system in named]
    say_json({"$schema": made[0]["$schema"], "title": arguments.kind, "oneOf": made}, indent=2)
    return 0
