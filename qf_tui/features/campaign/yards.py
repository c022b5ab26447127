"""Yards, which mend ships between battles: the days that each needs for each kind of damage.

They are read from a table of the rules or a file of the user. `state.mend_state` applies them.
"""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from pkgutil import get_data

from attrs import frozen

from qf_tui.core.declarations import OR_NAME, FieldSpec, declare_key, list_keys
from qf_tui.core.errors import QfError
from qf_tui.core.system import RuleSystem
from qf_tui.library.declared import check_system
from qf_tui.library.faults import (
    WHOLE_FILE,
    Checker,
    Data,
    format_hint,
    make_printable,
    raise_faults,
    structure,
)
from qf_tui.library.paths import parse_toml, read_toml

DAYS_MOST = 36_500
"""Largest number of days between two battles."""


@frozen
class Yard:
    """A place where ships are mended.

    Attributes:
        days: Days in which it mends one point, by field; 0 mends all at once, a missing field is not mended.
    """

    name: str = declare_key("id", "its name", required=True)
    title: str = declare_key("text", "shown to people", converter=OR_NAME)
    days: Mapping[str, float] = declare_key("table", "days for one point; 0: all at once; left out: never")


def list_yard_fields(system: RuleSystem) -> tuple[FieldSpec, ...]:
    """List the fields of a file of yards."""
    days = tuple(FieldSpec(name, "number", name, most=DAYS_MOST) for name in system.lasting)
    yard = list_keys(Yard, days=days)
    return (
        FieldSpec("ruleset", "text", "the rule system's name", required=True),
        FieldSpec("title", "text", "shown in lists"),
        FieldSpec("source", "notes", "where the days come from"),
        FieldSpec("yard", "tables", "the places where ships are mended", parts=yard, most=99, required=True),
    )


def read_yards(data: Data, system: RuleSystem, checker: Checker) -> tuple[Yard, ...]:
    """Read the yards of a file; the checker collects its faults.

    Returns:
        The yards that have names; () if the file is for another rule system.
    """
    if not check_system(data, system, checker):
        return ()
    table = checker.check_table(data, list_yard_fields(system), WHOLE_FILE)
    yards = [structure(yard, Yard) for yard in table.get("yard") or () if "name" in yard]
    for name, times in Counter(yard.name for yard in yards).items():
        if times > 1:
            checker.add_fault(WHOLE_FILE.add_key("yard"), f"two yards are called “{name}”")
    return tuple(yards)


def load_yard(system: RuleSystem, name: str, path: Path | None = None) -> Yard:
    """Load a yard by its name, from a file or from the table of a rule system.

    Several rule systems may share a table; each uses only the fields that last under its rules.

    Args:
        path: A file of the user, or None for the table of the rule system.

    Raises:
        Faults: The table has faults.
        QfError: There is no such yard, the rules have none, or they do not say what lasts.
    """
    if not system.lasting:
        raise QfError(f"{system.title} does not say what a ship takes from one battle into the next")
    checker = Checker()
    package, file = system.yards
    if path is not None:
        data = read_toml(path)
    elif not package:
        raise QfError(f"{system.title} has no yards of its own: name a file of yours with --yard")
    else:
        # The table names no rule system, because several may share it.
        data = {**parse_toml(get_data(package, file) or b"", file), "ruleset": system.name}
        for yard in data["yard"]:
            yard["days"] = {field: days for field, days in yard["days"].items() if field in system.lasting}
    yards = {yard.name: yard for yard in read_yards(data, system, checker)}
    raise_faults({str(path or file): checker.faults})
    if name not in yards:
        raise QfError(
            f"no yard “{make_printable(name)}”{format_hint(name, yards)}; known: {', '.join(yards)}"
        )
    return yards[name]
