"""The walls between the packages: who may import whom, who may open files, and who may know a rule system."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import frozen

import qf_tui
from tests.systems import our_systems

SOURCE = Path(qf_tui.__file__).parent

MAY_IMPORT = {
    "core": {"core"},
    "rules": {"core", "rules"},
    "journal": {"core", "journal"},
    "library": {"core", "library"},
    "session": {"core", "journal", "library", "session"},
    "console": {"core", "rules", "journal", "library", "session", "console"},
    "cli": {"core", "journal", "library", "session", "cli"},
}
"""Each package and the packages of ours that it may import; cli has the console too, within a function."""

PURE = ("core", "rules")
FILES = {"os", "pathlib", "io", "shutil", "tempfile", "socket", "subprocess", "urllib", "random", "time"}
NAMELESS = ("core", "console", "session", "cli")
NAMES = ("advanced_quickfire", "advanced-quickfire", "quickfire", "clone", "gq2", "general-quarters")
SHARED = "quickfire_family"
"""What some rule systems share: no system itself, it knows none of them."""
FLOORS = ("widgets", "reading", "logs", "entry", "setup", "history", "battle")
"""The folders of the console, from the ground up: each imports only from itself and from those below."""
QUICKFIRE = ("advanced_quickfire", "quickfire", "quickfire_clone")
"""The rule systems that share it."""


@frozen
class Import:
    """One import of a source: the module, the line, and whether it happens as the source is loaded."""

    module: str
    line: int
    at_load: bool


def sources(package: str) -> list[Path]:
    return sorted((SOURCE / package).rglob("*.py"))


def imports(path: Path) -> Iterator[Import]:
    """Every import of a source, those within functions too."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    late = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        at_load = id(node) not in late
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(alias.name, node.lineno, at_load)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: a relative import"
            module = node.module or ""
            yield Import(module, node.lineno, at_load)
            if module == "qf_tui":
                for alias in node.names:
                    yield Import(f"qf_tui.{alias.name}", node.lineno, at_load)


def package_of(module: str) -> str | None:
    """Our package that a module is of, or None."""
    first, _, rest = module.partition(".")
    return rest.partition(".")[0] or None if first == "qf_tui" else None


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_a_package_imports_only_packages_further_in(package: str) -> None:
    known = set(MAY_IMPORT)
    for path in sources(package):
        for found in imports(path):
            other = package_of(found.module)
            if other not in known:
                continue
            door = package == "cli" and other == "console" and not found.at_load
            assert other in MAY_IMPORT[package] or door, f"{path}:{found.line} imports {found.module}"


def test_every_package_has_its_walls() -> None:
    packages = {path.parent.name for path in SOURCE.glob("*/__init__.py")}
    assert packages <= set(MAY_IMPORT)


def floor_of(module: str) -> str:
    """The folder of the console that a module is in, "" for `app` and what else stands on top; no more than that."""
    parts = module.split(".")[2:]
    return parts[0] if parts and parts[0] in FLOORS else ""


@pytest.mark.parametrize("floor", FLOORS)
def test_a_floor_of_the_console_stands_on_lower_ones_alone(floor: str) -> None:
    """Catches an import within a function too: a circle that is only late is a circle."""
    below = FLOORS[: FLOORS.index(floor) + 1]
    for path in sources(f"console/{floor}"):
        for found in imports(path):
            if package_of(found.module) == "console":
                assert floor_of(found.module) in below, f"{path}:{found.line} imports {found.module}"


def test_every_folder_of_the_console_is_a_floor() -> None:
    folders = {path.parent.name for path in (SOURCE / "console").rglob("*/__init__.py")}
    assert folders == set(FLOORS)


def test_no_module_of_a_floor_stands_in_a_circle() -> None:
    """Within a floor modules import each other one way too, and a name for the types alone counts."""
    edges = {
        f"qf_tui.{path.relative_to(SOURCE).with_suffix('').as_posix().replace('/', '.')}": {
            found.module for found in imports(path) if package_of(found.module) == "console"
        }
        for path in sources("console")
    }
    left = dict(edges)
    while free := [module for module in left if not left[module] & left.keys() - {module}]:
        for module in free:
            del left[module]
    assert not left, f"these import each other: {', '.join(sorted(left))}"


NEED_NO_SESSION = (
    *("widgets", "reading", "logs"),
    *(f"battle/{name}.py" for name in ("view", "status", "latest", "footer")),
    *(
        f"history/{name}.py"
        for name in ("view", "log_view", "listing", "filter", "act_detail", "snapshot_pane")
    ),
)
"""What draws a battle or reads it aloud: on any source of timelines, not on an open session alone."""


@pytest.mark.parametrize("part", NEED_NO_SESSION)
def test_what_only_shows_a_battle_knows_no_session(part: str) -> None:
    where = SOURCE / "console" / part
    for path in [where] if where.is_file() else sources(f"console/{part}"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("qf_tui.session"):
                assert "Session" not in [alias.name for alias in node.names], f"{path}:{node.lineno}"


def test_only_the_console_imports_textual() -> None:
    for package in set(MAY_IMPORT) - {"console"}:
        for path in sources(package):
            for found in imports(path):
                assert found.module.split(".")[0] not in ("textual", "rich"), f"{path}:{found.line}"


def test_a_rule_system_imports_no_other() -> None:
    for path in sources("rules"):
        folder = path.relative_to(SOURCE / "rules").parts[0]
        for found in imports(path):
            if found.module.startswith("qf_tui.rules."):
                own = (folder, SHARED) if folder in QUICKFIRE else (folder,)
                assert found.module.split(".")[2] in own, f"{path}:{found.line} imports {found.module}"


@pytest.mark.parametrize("package", PURE)
def test_the_pure_packages_reach_no_file_no_clock_and_no_dice(package: str) -> None:
    for path in sources(package):
        for found in imports(path):
            assert found.module.split(".")[0] not in FILES, f"{path}:{found.line} imports {found.module}"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                called = node.func.id
                assert called not in ("open", "print", "input"), f"{path}:{node.lineno} calls {called}"


def test_the_core_needs_only_attrs() -> None:
    for path in sources("core"):
        for found in imports(path):
            first = found.module.split(".")[0]
            assert first in ("attrs", "qf_tui") or first in sys.stdlib_module_names, f"{path}:{found.line}"


def fields_of_systems() -> list[str]:
    """The field names of every rule system that no ordinary word could be taken for."""
    names = {field.name for system in our_systems().values() for field in system.fields}
    return sorted(name for name in names if "_" in name or "." in name)


@pytest.mark.parametrize("package", NAMELESS)
def test_no_rule_system_and_no_field_of_one_is_named(package: str) -> None:
    names = (*NAMES, *fields_of_systems())
    assert len(names) > len(NAMES)
    for path in sorted((SOURCE / package).rglob("*")):
        if path.suffix in (".py", ".tcss", ".toml"):
            text = path.read_text(encoding="utf-8").lower()
            named = [name for name in names if name in text]
            assert not named, f"{path} names {', '.join(named)}"


LOADED = """
import sys
from qf_tui.cli import main
status = main({arguments!r})
print("loaded", status, *sorted(name for name in sys.modules if name.split(".")[0] in {watched!r}))
"""


def loaded(arguments: list[str], *watched: str) -> list[str]:
    """The status of a command in a new process, and the watched modules that it loaded."""
    code = LOADED.format(arguments=arguments, watched=watched)
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        check=False,
        text=True,
        encoding="utf-8",
        input="",
        timeout=60,
    )
    last = done.stdout.strip().splitlines()[-1].split()
    assert last[0] == "loaded", done.stderr
    return last[1:]


@pytest.mark.parametrize("argument", ["--help", "--version"])
def test_help_and_version_load_next_to_nothing(argument: str) -> None:
    assert loaded([argument], "attrs", "attr", "cattrs", "textual", "rich", "platformdirs", "tomllib") == [
        "0"
    ]


@pytest.mark.parametrize(
    "arguments",
    [
        ["run", "rulebook-examples"],
        ["charts", "gq2"],
        ["odds", "rulebook-examples", "next"],
        ["scenarios"],
        ["rules", "fire"],
        ["check", str(SOURCE.parent / "fleets" / "japan-1904.toml")],
        ["schema", "fleet"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_commands_without_a_screen_load_no_textual(arguments: list[str]) -> None:
    assert loaded(arguments, "textual", "rich") == ["0"]


def test_the_core_loads_alone() -> None:
    code = (
        "import sys, qf_tui.core.revisions, qf_tui.core.odds; "
        "print(*[m for m in sys.modules if m.startswith('qf_tui.') and not m.startswith('qf_tui.core')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == ""
