"""The walls between packages: which may import which, open files, or know a rule system."""

import ast
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

import pytest
from attrs import fields, frozen, has
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import qf_tui
from qf_tui.core.builtin_forms import BUILTIN
from qf_tui.core.decisions import Decision, Effect
from qf_tui.core.declarations import FieldSpec, Shape, Span
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Ruling, Timeline, Version
from qf_tui.core.values import Battle, Ship
from qf_tui.features.board.page import ShipView, View
from qf_tui.library.charts import load_shipped_charts
from tests.book import convoys
from tests.console.playing import begin_saved
from tests.systems import BOOKS, find_our_systems, find_systems_and_books

SOURCE = Path(qf_tui.__file__).parent
TESTS = Path(__file__).parent

MAY_IMPORT = {
    "core": {"core"},
    "rules": {"core", "rules"},
    "journal": {"core", "journal"},
    "library": {"core", "journal", "library"},
    "session": {"core", "journal", "library", "session"},
    "document": {"core", "library", "session", "document", "registry"},
    "console": {"core", "journal", "library", "session", "console", "document"},
    "cli": {"core", "journal", "library", "session", "cli", "document"},
}
"""Each package and the packages that it may import; cli may also import the console in functions."""
OPERATING_SYSTEMS = "operating_systems"
HOOKS = ("hooks", "registry")
"""Modules that define what a feature adds to the base, and list the features."""
WITHOUT_FILES = ("core", "rules", "document")
MAY_IMPORT = {
    OPERATING_SYSTEMS: {OPERATING_SYSTEMS},
    "hooks": {"core", "library", "session", "document", "console"},
    "registry": {"hooks"},
    **{
        package: others if package in WITHOUT_FILES else {*others, OPERATING_SYSTEMS, *HOOKS}
        for package, others in MAY_IMPORT.items()
    },
}
"""The same with OPERATING_SYSTEMS, for packages that use files and processes."""

PURE = (
    "core",
    "rules",
    *(f"features/report/{name}.py" for name in ("values", "pricing", "throws", "story")),
    "features/court/court.py",
)
FILES = {"os", "pathlib", "io", "shutil", "tempfile", "socket", "subprocess", "urllib", "random", "time"}
NAMELESS = (
    *("core", "journal", "session", "library", "console", "cli"),
    *("document", "features"),
)
NAMES = ("advanced_quickfire", "advanced-quickfire", "quickfire", "clone", "gq2", "general-quarters", *BOOKS)
SHARED = "quickfire_family"
"""Code shared by some rule systems; it is no system and knows none."""
FLOORS = ("textual_patches", "widgets", "reading", "entry", "setup", "history", "battle")
"""Folders of the console from the bottom up: each imports only itself and those below."""
QUICKFIRE = ("advanced_quickfire", "quickfire", "quickfire_clone")
"""The rule systems that share it."""


@frozen
class Import:
    """An import: the module, its place, and whether it happens when the source is loaded."""

    module: str
    path: Path
    line: int
    at_load: bool

    def __str__(self) -> str:
        return f"{self.path}:{self.line} imports {self.module}"


def list_sources(package: str) -> list[Path]:
    """List the sources of a package, or of one module."""
    if package.endswith(".py"):
        return [SOURCE / package]
    return sorted((SOURCE / package).rglob("*.py")) or [SOURCE / f"{package}.py"]


WORDLESS = (ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop)
"""Nodes without names or texts: a third of all."""


@cache
def list_nodes(path: Path) -> tuple[tuple[ast.AST, bool], ...]:
    """List every node of a source, and whether it runs on loading; nodes within functions do not."""
    left: list[tuple[ast.AST, bool]] = [(ast.parse(path.read_text(encoding="utf-8")), True)]
    found = []
    while left:
        node, at_load = left.pop()
        found.append((node, at_load))
        at_load = at_load and not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        inner = (child for child in ast.iter_child_nodes(node) if not isinstance(child, WORDLESS))
        left.extend((child, at_load) for child in inner)
    return tuple(found)


@cache
def list_imports(path: Path) -> tuple[Import, ...]:
    found = []
    for node, at_load in list_nodes(path):
        if not isinstance(node, ast.Import | ast.ImportFrom):
            continue
        modules = [alias.name for alias in node.names]
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: a relative import"
            module = node.module or ""
            modules = [module, *(f"qf_tui.{name}" for name in modules if module == "qf_tui")]
        found += [Import(module, path, node.lineno, at_load) for module in modules]
    return tuple(found)


def find_package(module: str) -> str | None:
    """Return the package of a module of the program, or None."""
    first, _, rest = module.partition(".")
    return rest.partition(".")[0] or None if first == "qf_tui" else None


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_a_package_imports_only_packages_further_in(package: str) -> None:
    known = set(MAY_IMPORT)
    for path in list_sources(package):
        for imported in list_imports(path):
            other = find_package(imported.module)
            assert other != "features", f"{imported}: the base imports no feature"
            if other not in known:
                continue
            door = package == "cli" and other == "console" and not imported.at_load
            assert other in MAY_IMPORT[package] or door, str(imported)


@pytest.mark.parametrize(
    "feature", sorted(path.parent.name for path in (SOURCE / "features").glob("*/__init__.py"))
)
def test_a_feature_imports_other_features_only_as_its_docstring_says(feature: str) -> None:
    paths = list_sources(f"features/{feature}")
    said = ast.get_docstring(
        ast.parse((SOURCE / f"features/{feature}/__init__.py").read_text(encoding="utf-8"))
    )
    for path in paths:
        for imported in list_imports(path):
            first, _, rest = imported.module.partition("qf_tui.features.")
            other = rest.partition(".")[0]
            if not first and other not in ("", feature):
                assert f"the {other} feature" in (said or ""), str(imported)
            assert not imported.module.startswith("qf_tui.rules."), str(imported)


def test_every_package_has_its_walls() -> None:
    packages = {path.parent.name for path in SOURCE.glob("*/__init__.py")} - {"features"}
    modules = {path.stem for path in SOURCE.glob("*.py")} - {"__init__", "__main__"}
    assert packages | modules <= set(MAY_IMPORT)


ONE_SYSTEM = re.compile(
    r"sys\.platform|os\.name|platform\.system|(has|get)attr\((os|signal|select)\b"
    r"|SIG(HUP|QUIT|KILL|ALRM|BREAK)|fcntl|msvcrt|termios|ctypes|hardlink_to|set_blocking|resource_tracker"
)


@pytest.mark.parametrize("path", list_sources("."), ids=lambda path: path.relative_to(SOURCE).as_posix())
def test_only_one_module_asks_which_system_it_runs_on(path: Path) -> None:
    """Detect a call that only some systems have, outside the module with both versions."""
    if path.stem != OPERATING_SYSTEMS:
        assert not ONE_SYSTEM.search(path.read_text(encoding="utf-8"))


PAGES = ("rules", "journal")
"""Packages whose docstring is a page for authors, which names much more than modules."""
NO_MODULES = {"features/simulation": {"prepare", "judge", "decide"}}
"""Other words in backticks in the docstrings of packages."""


def test_the_docstring_of_a_package_names_its_modules_and_no_others() -> None:
    """Detect a module or sub-package that was added or removed without a change of the docstring."""
    missing, others = [], {}
    for path in sorted(SOURCE.rglob("__init__.py")):
        package = path.parent.relative_to(SOURCE).as_posix()
        text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        named = set(re.findall(r"`([a-z_][a-z0-9_]*)`", text))
        modules = {file.stem for file in path.parent.glob("*.py") if file != path}
        modules |= {file.parent.name for file in path.parent.glob("*/__init__.py")}
        missing += [f"{package}: {name}" for name in sorted(modules - named)]
        if package not in PAGES and named - modules:
            others[package] = named - modules
    assert missing == []
    assert others == NO_MODULES


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "qf_tui/features/sealed_dice/dice.md"])
def test_a_page_names_existing_modules(page: str) -> None:
    """Detect a module that was moved or merged but is still named in pages for people."""
    files = [path.as_posix() for path in (*SOURCE.rglob("*.py"), *TESTS.rglob("*.py"))]
    named = re.findall(r"`([\w/]+\.py)`", (TESTS.parent / page).read_text(encoding="utf-8"))
    assert named
    assert [name for name in named if not any(file.endswith(f"/{name}") for file in files)] == []


def test_the_ways_of_a_die_and_a_ship_name_existing_code() -> None:
    """Detect a step of a die, a ship or a sentence that names renamed or removed code."""
    known: set[str] = set()
    for path in SOURCE.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        bodies = [tree.body, *(node.body for node in ast.walk(tree) if isinstance(node, ast.ClassDef))]
        for node in (node for body in bodies for node in body):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                known.add(node.name)
            elif isinstance(node, ast.Assign | ast.AnnAssign):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                known |= {target.id for target in targets if isinstance(target, ast.Name)}
    page = (TESTS.parent / "CONTRIBUTING.md").read_text(encoding="utf-8")
    steps = re.findall(r"^[0-9]\. .*(?:\n   .*)*", page, flags=re.MULTILINE)
    named = [name for step in steps for name in re.findall(r"`([A-Za-z_]\w+)`", step)]
    assert "read_row" in named
    assert [name for name in named if name not in known] == []


def find_floor(module: str) -> str:
    """Return the console folder of a module, or "" for `app` and other top modules."""
    parts = module.split(".")[2:]
    return parts[0] if parts and parts[0] in FLOORS else ""


@pytest.mark.parametrize("floor", FLOORS)
def test_a_floor_of_the_console_imports_only_lower_ones(floor: str) -> None:
    """Count imports within functions: a late circle is still a circle."""
    below = FLOORS[: FLOORS.index(floor) + 1]
    for path in list_sources(f"console/{floor}"):
        for imported in list_imports(path):
            if find_package(imported.module) == "console":
                assert find_floor(imported.module) in below, str(imported)


def test_every_folder_of_the_console_is_a_floor() -> None:
    folders = {path.parent.name for path in (SOURCE / "console").rglob("*/__init__.py")}
    assert folders == set(FLOORS)


def test_modules_of_a_floor_have_no_import_circle() -> None:
    """Count imports for types too."""
    edges = {
        f"qf_tui.{path.relative_to(SOURCE).with_suffix('').as_posix().replace('/', '.')}": {
            imported.module for imported in list_imports(path) if find_package(imported.module) == "console"
        }
        for path in list_sources("console")
    }
    left = dict(edges)
    while free := [module for module in left if not left[module] & left.keys() - {module}]:
        for module in free:
            del left[module]
    assert not left, f"these import each other: {', '.join(sorted(left))}"


NEED_NO_SESSION = (
    *("textual_patches", "widgets", "reading"),
    *(f"battle/{name}.py" for name in ("view", "status")),
    "history/view.py",
)
"""Modules that draw or read a battle from any source of timelines, without an open session."""


@pytest.mark.parametrize("part", NEED_NO_SESSION)
def test_modules_that_only_show_a_battle_know_no_session(part: str) -> None:
    where = SOURCE / "console" / part
    for path in [where] if where.is_file() else list_sources(f"console/{part}"):
        for node, _ in list_nodes(path):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("qf_tui.session"):
                assert "Session" not in [alias.name for alias in node.names], f"{path}:{node.lineno}"


RENDERERS = (
    *("document/text.py", "document/html.py", "document/scripts.py"),
    "console/reading/document_view.py",
    "features/report/text.py",
)
"""Modules that draw documents: they decide nothing and add no words."""
PROSE = re.compile(r"[A-Za-z]{2,} [A-Za-z]{2,}")


@pytest.mark.parametrize("renderer", RENDERERS)
def test_a_renderer_adds_no_words(renderer: str) -> None:
    """Detect a sentence of a renderer: sentences belong into the document."""
    worded = [f"{line}: {text!r}" for line, text in list_strings(SOURCE / renderer) if PROSE.search(text)]
    assert worded == []


def test_a_template_of_the_document_adds_no_words() -> None:
    """Detect a caption that only the page has; the name of the program may be there."""
    for path in (SOURCE / "document/templates").iterdir():
        if path.suffix != ".css":
            text = re.sub(r"{%.*?%}|{{.*?}}|<[^>]*>", " · ", path.read_text(encoding="utf-8"))
            assert set(PROSE.findall(text)) <= {"Made by"}, path


WORDS_ALONE = {
    "document/words.py": {
        "qf_tui.core.decisions": {"Reason", "Results"},
        "qf_tui.core.declarations": {"Shape"},
        "qf_tui.core.text": {"Distance", "format_ship_value", "add_answer"},
        "qf_tui.core.values": {"Order", "Provenance", "SentencePart", "Slot", "SlotValue"},
    },
}
"""Modules that word facts, and all that they may import: no battle, and no log."""


@pytest.mark.parametrize("module", WORDS_ALONE)
def test_the_text_for_a_viewer_is_made_without_a_battle(module: str) -> None:
    """Keep battles and logs out of the data for phones."""
    imported: dict[str, set[str]] = {}
    for node, _ in list_nodes(SOURCE / module):
        if isinstance(node, ast.Import):
            assert not [alias.name for alias in node.names if find_package(alias.name)]
        if isinstance(node, ast.ImportFrom) and find_package(node.module or ""):
            imported.setdefault(node.module or "", set()).update(alias.name for alias in node.names)
    assert imported == WORDS_ALONE[module]


def test_the_data_for_a_viewer_can_hold_no_battle() -> None:
    """Check every field of the data, at any depth, for a battle or a log.

    Arguments of functions and plain data (`Shape`) are not held.
    """
    left: list[Any] = [View, ShipView]
    met: set[Any] = set()
    while left:
        kind = left.pop()
        if get_origin(kind) is Callable or kind in (*met, *get_args(Shape)):
            continue
        met.add(kind)
        left.extend((get_origin(kind), *get_args(kind)))
        if isinstance(kind, type) and has(kind):
            left.extend(get_type_hints(kind)[field.name] for field in fields(kind))
    assert Span in met
    assert met & {object, Any, Battle, Ship, RuleSystem, Timeline, Version, Ruling, Decision, Effect} == set()


DECIDED = {"reasons", "outcome", "consequences"}
"""Parts of an entry that are worded: reasons, results of the dice, consequences."""


@pytest.mark.parametrize("package", ["console", "cli", "features/sheets", "features/report/work.py"])
def test_only_the_document_words_what_an_entry_did(package: str) -> None:
    for path in list_sources(package):
        for node, _ in list_nodes(path):
            if isinstance(node, ast.Attribute):
                assert node.attr not in DECIDED, f"{path}:{node.lineno} reads {node.attr}"


RETELLING = ("console/reading", "console/history")
"""Folders that show past entries as documents."""
STANDING = {"rulings", "decision", "effects", "findings", "overrode", "doubts", "owed", "list_in_state"}
"""The state of an entry or of the battle, worded only in documents."""
SIGNED = {("logs.py", "owed")}
"""The grid marks the row of a ship that owes a roll, without words."""
TITLES = {"Panel", "Lookup", "TableChanges", "say"}
"""Calls that take a title or a notice."""
FACTS = {"battle", "ship", "ships", "side", "sides", "timeline", "play_order", "log"}


@pytest.mark.parametrize("part", RETELLING)
def test_only_the_document_words_the_state_of_a_battle(part: str) -> None:
    for path in list_sources(part):
        for node, _ in list_nodes(path):
            if isinstance(node, ast.Attribute) and (path.name, node.attr) not in SIGNED:
                assert node.attr not in STANDING, f"{path}:{node.lineno} reads {node.attr}"


@pytest.mark.parametrize("part", RETELLING)
def test_modules_that_show_a_battle_build_no_sentences(part: str) -> None:
    """Detect prose with a ship or a count of entries; titles and notices are allowed."""
    for path in list_sources(part):
        calls = [node for node, _ in list_nodes(path) if isinstance(node, ast.Call)]
        titles = {id(text) for call in calls if find_called(call.func) in TITLES for text in call.args}
        for node, _ in list_nodes(path):
            if isinstance(node, ast.JoinedStr) and id(node) not in titles:
                constants = (inner.value for inner in node.values if isinstance(inner, ast.Constant))
                prose = any(PROSE.search(str(text)) for text in constants)
                facts = {find_called(inner) for inner in ast.walk(node)} & FACTS
                assert not (prose and facts), f"{path}:{node.lineno} words {', '.join(facts)}"


def find_called(node: ast.AST) -> str:
    """Return the last name of an expression, or ""."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def test_only_the_console_imports_textual() -> None:
    for package in set(MAY_IMPORT) - {"console"}:
        for path in list_sources(package):
            for imported in list_imports(path):
                assert imported.module.split(".")[0] not in ("textual", "rich"), str(imported)


def test_only_textual_patches_uses_private_parts_of_textual() -> None:
    """Detect a private module, an override of a private name, and a clash with a name of Textual."""
    for path in list_sources("console"):
        module = "qf_tui." + path.relative_to(SOURCE).with_suffix("").as_posix().replace("/", ".")
        if find_floor(module) == "textual_patches":
            continue
        for imported in list_imports(path):
            private = re.match(r"textual\.(.*\.)?_|textual\.drivers", imported.module)
            assert not private, str(imported)
        known = import_module(module)
        for node, _ in list_nodes(path):
            if isinstance(node, ast.ClassDef) and hasattr(known, node.name):
                bases = [base.__module__ for base in getattr(known, node.name).__mro__]
                theirs = {
                    name for base in bases if base.startswith("textual.") for name in list_private(base)
                }
                shared = set(_OWN.findall(ast.unparse(node))) & theirs
                assert not shared, f"{path}: {node.name} has {', '.join(sorted(shared))} of Textual's"


_OWN = re.compile(r"(?:def |self\.|super\(\)\.)(_[a-z]\w*)")
"""The private names that a class defines, sets or calls on itself."""


@cache
def list_private(module: str) -> frozenset[str]:
    """List the private names of all classes of a module."""
    source = Path(str(import_module(module).__file__))
    return frozenset(_OWN.findall(source.read_text(encoding="utf-8")))


def test_a_rule_system_imports_no_other() -> None:
    for path in list_sources("rules"):
        folder = path.relative_to(SOURCE / "rules").parts[0]
        for imported in list_imports(path):
            if imported.module.startswith("qf_tui.rules."):
                own = (folder, SHARED) if folder in QUICKFIRE else (folder,)
                assert imported.module.split(".")[2] in own, str(imported)


@pytest.mark.parametrize("package", PURE)
def test_the_pure_packages_use_no_file_no_clock_and_no_dice(package: str) -> None:
    for path in list_sources(package):
        for imported in list_imports(path):
            assert imported.module.split(".")[0] not in FILES, str(imported)
        for node, _ in list_nodes(path):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                called = node.func.id
                assert called not in ("open", "print", "input"), f"{path}:{node.lineno} calls {called}"


def test_the_core_needs_only_attrs() -> None:
    for path in list_sources("core"):
        for imported in list_imports(path):
            first = imported.module.split(".")[0]
            assert first in ("attrs", "qf_tui") or first in sys.stdlib_module_names, str(imported)


def test_every_import_is_installed_without_extras() -> None:
    """Detect a part of the program that the README's run line does not install."""
    project = tomllib.loads((TESTS.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = {canonicalize_name(Requirement(line).name) for line in project["dependencies"]}
    found = packages_distributions()
    ours = {"qf_tui", *sys.stdlib_module_names}
    imported = {each.module.split(".")[0] for path in list_sources(".") for each in list_imports(path)} - ours
    assert {name for name in imported if not needed & {*map(canonicalize_name, found.get(name, ()))}} == set()
    assert {"base45", "segno", "starlette", "uvicorn"} <= imported


def test_every_exception_from_a_check_has_a_reason() -> None:
    """Require a reason for each `noqa` and `type: ignore` of the program and its tests."""
    exception = re.compile(r"# (noqa: [A-Z0-9, ]+|type: ignore\[[a-z, -]+\])( (?:-| #) \w.+)?$")
    bare = [
        f"{path}: {line.strip()}"
        for path in (*SOURCE.rglob("*.py"), *TESTS.rglob("*.py"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if (match := exception.search(line)) and not match[2]
    ]
    assert bare == []


FOREIGN = {"console/playing.py", "console/test_textual_patches.py", "battles/test_battles.py", "killing.py"}
"""Tests that use private names of Textual or pytest, or of a process's end."""


def test_tests_use_no_private_names_of_the_program() -> None:
    """Keep modules free to change inside."""
    leaning = set()
    for path in TESTS.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        own = set(re.findall(r"(?:def |self\.)(_[a-z]\w*)", text))
        if set(re.findall(r'(?:\.|\bfrom |setattr\([\w.]+, ")(_[a-z]\w*)', text)) - own:
            leaning.add(path.relative_to(TESTS).as_posix())
    assert leaning == FOREIGN


@pytest.mark.parametrize("package", NAMELESS)
def test_no_rule_system_is_named(package: str) -> None:
    for path in sorted((SOURCE / package).rglob("*")):
        if path.suffix in (".py", ".tcss", ".toml", ".html", ".css", ".js", ".svg"):
            text = path.read_text(encoding="utf-8").lower()
            named = [name for name in NAMES if name in text]
            assert not named, f"{path} names {', '.join(named)}"


ENGLISH = {
    # Every file and every ship has these: core or library declares them, a system may add to them.
    "division": "a part of a side",
    "kind": "what kind of ship, for people to sort by",
    "notes": "text for the umpire",
    "status": "what has become of a ship",
    "table": "what lies between the players; also a part of a chart",
    # Facts of ships, independent of rule systems.
    "armor": "what a ship is plated with",
    "battery": "guns, and a fort on the shore",
    "class": "ships built alike",
    "heavy": "her main guns",
    "gunnery": "how well a crew shoots",
    "hull": "what stays the same ship under another flag",
    "long": "tons of 2,240 pounds",
    # Words that the core uses itself.
    "but": "an exception",
    "count": "a kind of field",
    "dark": "the dark theme",
    "die": "what is thrown",
    "distance": "what a slot holds",
    "end": "of a phase",
    "dice": "of any throw",
    "he": "what the umpire does",
    "inches": "the family of units",
    "light": "the light theme",
    "move": "an entry is moved in the log",
    "moved": "an entry that is",
    "moving": "while it is",
    "off": "to take off, to leave off",
    "other": "another one",
    "others": "other ones",
    "over": "what is over",
    "points": "per cent of a score",
    "range": "from one column to another",
    "rest": "the other ships of a side",
    "short": "of few letters",
    "target": "whom it fires at",
    "turns": "the turns of a battle; what turns something",
}
"""Names of rule systems that are ordinary words, and their meaning in the core, console and so on."""


def _list_card_fields(fields: Iterable[FieldSpec]) -> Iterator[str]:
    for field in fields:
        yield field.name
        yield from _list_card_fields(field.parts)


def list_declared_names(system: RuleSystem) -> set[str]:
    """List the names of a rule system: fields, keys, orders, slots, switches, chart tables and lines."""
    slots = [slot for form in system.forms for slot in form.slots]
    charts = load_shipped_charts(system)
    return {
        *(field.name for field in system.fields),
        *_list_card_fields((*system.card, *system.conditions)),
        *(form.word for form in system.forms),
        *(slot.name for slot in slots),
        *(slot.keyword for slot in slots),
        *(option.name for option in system.options),
        *charts,
        *(row for chart in charts.values() for row in chart.rows),
    }


def list_system_names() -> set[str]:
    """List the names that only rule systems have; a name needs two letters."""
    common = {form.word for form in BUILTIN} | {slot.name for form in BUILTIN for slot in form.slots}
    names = set().union(*(list_declared_names(system) for system in find_our_systems().values()))
    return {name for name in names - common if re.search("[a-z]{2}", name)}


WORD = re.compile(r"[a-z0-9][a-z0-9_.-]*[a-z0-9]")


def list_strings(path: Path) -> Iterator[tuple[int, str]]:
    """List the string literals of a source with their lines, without docstrings."""
    docstrings = {id(node.value) for node, _ in list_nodes(path) if isinstance(node, ast.Expr)}
    for node, _ in list_nodes(path):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.lineno, node.value


@pytest.mark.parametrize("package", NAMELESS)
def test_no_string_names_what_only_rule_systems_declare(package: str) -> None:
    """Detect general code that uses a field, order, switch or chart line of one system."""
    names = list_system_names() - set(ENGLISH)
    assert {"rof_heavy", "size", "strict", "straddle", "repair", "rof", "torpedo"} <= names
    for path in list_sources(package):
        for line, text in list_strings(path):
            named = {text, *WORD.findall(text.lower())} & names
            assert not named, f"{path}:{line} names {', '.join(sorted(named))}: {text!r}"


ENGLISH_OF_BOOKS = {
    "board": "what shows a battle to browsers",
    "crew": "the men of a ship; who works behind a report",
    "cut": "to make shorter",
    "guns": "facts of a ship",
    "hands": "gives to somebody",
    "knots": "facts of a ship",
    "look": "those commands that only read; to see what is there",
    "mend": "what a yard does",
    "reloads": "facts of a ship",
    "screen": "what the console draws on",
    "sets": "puts in place",
    "shot": "one of a volley",
    "tubes": "facts of a ship",
    "weather": "a key of scenarios; the weather of a battle",
    "work": "what takes long",
}
"""Names of the program's books that are ordinary words, and their meaning elsewhere."""


def list_book_names() -> set[str]:
    """List the names that only the books of the program and of the tests declare."""
    books = [convoys.load_convoys(), *(find_systems_and_books()[name] for name in BOOKS)]
    names = set().union(*map(list_declared_names, books)) - set().union(
        *map(list_declared_names, find_our_systems().values())
    )
    common = {form.word for form in BUILTIN} | {slot.name for form in BUILTIN for slot in form.slots}
    return {name for name in names - common if name}


@pytest.mark.parametrize("package", NAMELESS)
def test_no_string_names_what_a_book_declares(package: str) -> None:
    """Detect general code that uses a track, order or slot of one club's book."""
    names = list_book_names() - set(ENGLISH_OF_BOOKS)
    assert {"blaze", "shoot", "grappled", "larboard-guns", "spotted"} <= names
    for path in list_sources(package):
        for line, text in list_strings(path):
            named = {text, *WORD.findall(text.lower())} & names
            assert not named, f"{path}:{line} names {', '.join(sorted(named))}: {text!r}"


WORD_OF_FEATURES = re.compile("(sealed|witness|tray|proposal|carried)(e?s)?")
BASE_SAYS_SO = {
    ("core", "carried"): "owed rolls that are carried over into another phase",
    ("rules", "carried"): "the same; and what ships carried",
    ("core", "sealed"): "the help of the order `reveal`, which every save may hold",
    ("journal", "proposal"): "a key of older lines, which keeps its place there",
    ("journal", "tray"): "the files beside a save, which nobody may take for saves",
    ("console", "proposal"): "a place whose keys the settings of umpires name so",
}
"""Words of features in packages of the base, with their meaning or the reason to keep them."""


def list_words(path: Path) -> Iterator[str]:
    """List the words of a source: of its names and texts, without docstrings."""
    texts = [text for _, text in list_strings(path)]
    for node, _ in list_nodes(path):
        texts += [
            str(value)
            for name in ("id", "attr", "arg", "name", "asname", "module")
            if isinstance(value := getattr(node, name, None), str)
        ]
    for text in texts:
        yield from (word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+", text))


def test_the_base_uses_no_word_of_a_feature() -> None:
    """Detect knowledge of sealed dice, the witness, the tray or campaigns in the base."""
    found = {
        (package, match[1])
        for package in MAY_IMPORT
        for path in list_sources(package)
        for match in map(WORD_OF_FEATURES.fullmatch, list_words(path))
        if match
    }
    assert found == BASE_SAYS_SO.keys()
    styles = (SOURCE / "console/console.tcss").read_text(encoding="utf-8").lower()
    assert not re.findall("seal|witness|tray|board|report|court|shipyard", styles)


def test_every_ordinary_word_is_a_name_of_some_system() -> None:
    """Detect an outdated exception."""
    assert set(ENGLISH) <= list_system_names()
    assert set(ENGLISH_OF_BOOKS) <= list_book_names()


LOADED = """
import sys
from qf_tui.cli import main
for arguments in {commands!r}:
    before = set(sys.modules)
    status = main(arguments)
    print("\\nloaded", status, *(set(sys.modules) - before))
"""


@frozen
class First:
    """The packages that a command loads for the first time, and its exit status."""

    status: int
    packages: frozenset[str]

    def filter(self, *watched: str) -> frozenset[str]:
        return self.packages.intersection(watched)


def list_packages(modules: Iterable[str]) -> frozenset[str]:
    """List the packages of modules: `rich` of `rich.text`, `qf_tui.core` of `qf_tui.core.values`.

    A module of a feature, except its value, is of `qf_tui.features.NAME`.
    """
    parts = (module.split(".") for module in modules)
    known = {"qf_tui": 2}
    return frozenset(
        ".".join(each[:3] if each[1:2] == ["features"] and len(each) > 3 else each[: known.get(each[0], 1)])
        for each in parts
    )


def run_code(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        check=False,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        input="",
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, First]:
    """The packages that each of these commands loads first, run one after another in one process."""
    folder = tmp_path_factory.mktemp("sample")
    sample = folder / "battle.qfb"
    session = begin_saved(sample)
    session.enter("next")
    session.enter("fire mikasa heavy borodino long 4 8")
    session.close()
    commands = {
        "--version": ["--version"],
        "--help": ["--help"],
        "run": ["run", "rulebook-examples"],
        "charts": ["charts", "gq2"],
        "odds": ["odds", "rulebook-examples", "next"],
        "scenarios": ["scenarios"],
        "rules": ["rules", "fire"],
        "check": ["check", str(SOURCE.parent / "fleets" / "japan-1904.toml")],
        "schema": ["schema", "fleet"],
        "show": ["show", str(sample)],
        "verify": ["verify", str(sample)],
        "report --help": ["report", "--help"],
        "report": ["report", str(sample), "--json"],
        "board": ["board", "nowhere.qfb"],
        "sheets": ["sheets", str(sample), "--out", str(folder / "a.html")],
    }
    output = run_code(LOADED.format(commands=list(commands.values())))
    loaded = [line.split()[1:] for line in output.splitlines() if line.startswith("loaded ")]
    return {
        name: First(int(status), list_packages(modules))
        for name, (status, *modules) in zip(commands, loaded, strict=True)
    }


def test_help_and_version_load_almost_nothing(first: Mapping[str, First]) -> None:
    weighty = ("attrs", "attr", "textual", "rich", "platformdirs", "tomllib")
    for name in ("--version", "--help"):
        assert (first[name].status, first[name].filter(*weighty)) == (0, frozenset())


def test_commands_without_a_screen_load_no_textual(first: Mapping[str, First]) -> None:
    assert {name: modules.status for name, modules in first.items() if modules.status} == {"board": 2}
    assert {name for name, modules in first.items() if modules.filter("textual", "rich")} == set()


def test_a_battle_without_a_save_loads_nothing_that_writes_files(first: Mapping[str, First]) -> None:
    assert first["run"].filter("tomli_w") == set()


def test_commands_without_save_and_book_load_no_converter(first: Mapping[str, First]) -> None:
    assert next(name for name, modules in first.items() if modules.filter("cattrs")) == "rules"


def test_only_the_command_that_needs_a_library_loads_it(first: Mapping[str, First]) -> None:
    """Load libraries for paper only in `sheets`, those of a board only in `board`."""
    pages, paper, board = "jinja2", {"segno", "base45"}, {"starlette", "uvicorn", "h11", "anyio"}
    loaded = {name: modules.filter(pages, *paper, *board) for name, modules in first.items()}
    assert {name: libraries for name, libraries in loaded.items() if libraries} == {
        "board": {pages, *board},
        "sheets": paper,
    }


def test_code_of_a_report_is_loaded_only_for_a_report(first: Mapping[str, First]) -> None:
    report = ("qf_tui.features.report", "qf_tui.document.html")
    assert next(name for name, modules in first.items() if modules.filter(*report)) == "report"


GROWING = """
import sys
for modules in {imports!r}:
    before = set(sys.modules)
    for module in modules:
        __import__(module)
    print("loaded", *(set(sys.modules) - before))
"""


def test_the_core_loads_alone_and_the_console_without_board_and_report() -> None:
    imports = (
        ("qf_tui.core.revisions", "qf_tui.core.odds"),
        ("qf_tui.console.app", "qf_tui.console.battle.screen"),
        ("qf_tui.features.board.screen", "qf_tui.features.board.tray_screen"),
    )
    output = run_code(GROWING.format(imports=imports)).splitlines()
    core, console, board = (list_packages(line.split()[1:]) for line in output)
    assert {package for package in core if package.startswith("qf_tui.")} == {"qf_tui.core"}
    assert console & {"jinja2", "markdown_it"} == set()
    assert (console | board) & {"starlette", "uvicorn", "h11", "anyio"} == set()


FIRST_FRAME = """
import asyncio, sys
from textual.app import App
from qf_tui.cli import main, opening

async def drawn(app):
    async with app.run_test():
        print("\\nloaded", *sys.modules)

App.run = lambda app: asyncio.run(drawn(app))
opening.has_terminal = lambda: True
main(["play", {save!r}])
"""
FIRST_MODULES = 116


def test_a_saved_battle_is_shown_before_much_is_loaded(tmp_path: Path) -> None:
    begin_saved(tmp_path / "battle.qfb").close()
    output = run_code(FIRST_FRAME.format(save=str(tmp_path / "battle.qfb")))
    (modules,) = (line.split()[1:] for line in output.splitlines() if line.startswith("loaded "))
    assert "qf_tui.console.battle.screen" in modules
    own = [name for name in modules if name.startswith("qf_tui.")]
    # The values of the features have few lines each.
    assert len([name for name in own if not name.startswith("qf_tui.features")]) <= FIRST_MODULES
