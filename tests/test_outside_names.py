"""Names that saves, files, scripts and people know: they may not be renamed.

`outside_names.toml` lists them. `QF_TUI_REGENERATE=1` rewrites it; read the diff: only new names may appear.
The keys of fleets, scenarios, charts and books are in the schemas: library/test_schema_files.py.
"""

import os
import re
from collections.abc import Iterable, Mapping
from inspect import getsource
from pathlib import Path

import tomli_w

from qf_tui.cli.commands import COMMANDS
from qf_tui.console.widgets.action_table import list_actions
from qf_tui.core.builtin_forms import BUILTIN, CORRECTIONS
from qf_tui.core.facts import FactFields
from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Form
from qf_tui.features.board import serving
from qf_tui.hooks import Argument, Command
from qf_tui.library.paths import read_toml
from qf_tui.library.settings import list_settings
from qf_tui.registry import load_bundled
from tests.systems import find_our_systems

LIST = Path(__file__).with_name("outside_names.toml")
Names = Mapping[str, Mapping[str, list[str]]]


def list_forms(forms: Iterable[Form]) -> list[str]:
    return sorted(" ".join((form.word, *(slot.name for slot in form.slots))) for form in forms)


def list_facts(fields: FactFields) -> list[str]:
    return sorted(f"{kind}: {each.name}" for kind, those in fields.items() for each in those)


def list_system(system: RuleSystem) -> Mapping[str, list[str]]:
    return {
        "orders": list_forms(system.forms),
        "phases": [phase.name for phase in system.phases],
        "fields": sorted(each.name for each in system.fields),
        "columns": [column.name for column in system.columns],
        "switches": sorted(f"{each.name}: {' '.join(each.values)}" for each in system.options),
        "acts": list_facts(system.facts.acts),
        "owed": list_facts(system.facts.questions),
        "charts": sorted(system.chart_shapes),
        "statuses": sorted({*system.departure_statuses, *system.target_statuses, *system.returning}),
        "results": sorted(result.name for result in system.results),
        "clauses": sorted(system.clauses),
    }


def list_arguments(command: Command) -> str:
    flat: list[Argument] = []
    for each in command.arguments:
        flat += [each] if isinstance(each, Argument) else each
    return " ".join((command.name, *sorted(each.name for each in flat)))


def list_paths() -> list[str]:
    return sorted(re.findall(r'Route\("([^"]+)"', getsource(serving)))


def list_program() -> Mapping[str, list[str]]:
    features = load_bundled()
    commands = (*COMMANDS, *(command for feature in features for command in feature.commands))
    added = [f"{name} {argument.name}" for feature in features for name, argument in feature.options]
    return {
        "orders": list_forms((*BUILTIN, *CORRECTIONS)),
        "commands": sorted(map(list_arguments, commands)),
        "options_of_features": sorted(added),
        "settings": sorted(each.name for each in list_settings()),
        "actions": sorted({action.id for action in list_actions()}),
        "extras": sorted(extra.name for feature in features for extra in feature.extras),
        "paths_of_the_board": list_paths(),
    }


def list_names() -> Names:
    return {
        "program": list_program(),
        **{name: list_system(each) for name, each in find_our_systems().items()},
    }


def test_no_name_that_the_outside_knows_is_lost() -> None:
    found = list_names()
    if os.environ.get("QF_TUI_REGENERATE"):
        LIST.write_text(tomli_w.dumps(found), encoding="utf-8")
    listed = read_toml(LIST)
    for group, kinds in listed.items():
        for kind, names in kinds.items():
            lost = sorted(set(names) - set(found[group][kind]))
            assert not lost, f"{group}, {kind}: people, files or scripts know these names: {', '.join(lost)}"
    assert found == listed, "new names: write the list anew with QF_TUI_REGENERATE=1, and read the diff"
