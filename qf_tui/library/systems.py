"""Finds the rule systems: bundled folders, entry points of installed packages, and files of rule books.

It also finds the doctrines (ways to play a side in a simulation) that installed packages bring.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TypeVar

import qf_tui
from qf_tui.core.errors import QfError
from qf_tui.core.system import ENTRY_POINTS, RuleSystem
from qf_tui.library import books

NAME = re.compile(r"[a-z0-9-]{1,60}")
DOCTRINE_POINTS = "qf_tui.doctrines"
MARK = "clauses.py"
"""A file that the folder of each bundled rule system has, but not a folder that several systems share."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


class Systems(Mapping[str, RuleSystem]):
    """The rule systems by the name that files use. Each is loaded at first use.

    Rules that a battle does not use neither delay it nor make it fail. Bundled systems are found without
    a search of the installed packages, which takes longer than to load the system. Rule books are found in
    their usual folders, and in the folder of a file that is being read.
    """

    def __init__(
        self,
        installed: "Callable[[], Mapping[str, EntryPoint]] | None" = None,
        book_folder: Path | None = None,
    ) -> None:
        """Prepare to find rule systems; none is loaded yet.

        Args:
            installed: Finds the entry points of packages; None for the usual search.
            book_folder: Folder of the file being read, whose rule books are found too.
        """
        self._installed = installed or _find_entry_points
        self._book_folder = book_folder
        self._loaded: dict[str, RuleSystem] = {}

    def with_books(self, folder: Path) -> "Systems":
        """Return these systems together with the rule books in a folder."""
        if self._book_folder == folder:
            return self
        # Systems with `data` are books; the other folder may have other books of these names.
        copy = Systems(self._installed, folder)
        copy._loaded = {name: system for name, system in self._loaded.items() if not system.data}
        return copy

    @cached_property
    def _points(self) -> "Mapping[str, EntryPoint]":
        """The entry points of rule systems in packages, by name; the search for them is slow."""
        return self._installed()

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys((*self._points, *books.find_book_files(self._book_folder))))

    def __len__(self) -> int:
        return len(list(iter(self)))

    def __contains__(self, name: object) -> bool:
        """Return whether there is a rule system or a rule book of this name, without loading it."""
        if name in self._loaded or self.is_installed(name):
            return True
        return isinstance(name, str) and books.find_book(name, self._book_folder) is not None

    def __getitem__(self, name: str) -> RuleSystem:
        """Return the rule system of a name: bundled, of an installed package, or of a rule book.

        Raises:
            KeyError: There is none of this name.
            QfError: It cannot be loaded.
        """
        if name not in self._loaded:
            if self._is_bundled(name):
                module = f"{ENTRY_POINTS}.{name.replace('-', '_')}"
                self._loaded[name] = _load(name, module, lambda: import_module(module).SYSTEM)
            else:
                path = None if name in self._points else books.find_book(name, self._book_folder)
                if path is not None:
                    # A book is not kept here, as its file may change; `load_book` caches by its bytes.
                    return books.load_book(path)
                point = self._points[name]
                self._loaded[name] = _load(name, point.value, point.load)
        return self._loaded[name]

    def is_installed(self, name: object) -> bool:
        """Return whether a name is that of an installed rule system, which no rule book may take."""
        return self._is_bundled(name) or name in self._points

    def _is_bundled(self, name: object) -> bool:
        """Return whether a name is that of a bundled rule system: its folder has the file MARK."""
        if not isinstance(name, str) or not NAME.fullmatch(name):
            return False
        folder = Path(qf_tui.__file__).with_name("rules") / name.replace("-", "_")
        return (folder / MARK).is_file()


def find_systems() -> Mapping[str, RuleSystem]:
    """Return all rule systems, by the name that files use. Each is loaded when it is first asked for.

    If a system cannot be loaded, or two have its name, asking for it raises QfError, which names the package.
    """
    return Systems()


def with_books_in(systems: Mapping[str, RuleSystem], folder: Path) -> Mapping[str, RuleSystem]:
    """Return rule systems together with the rule books in a folder, because a scenario may bring its own."""
    return systems.with_books(folder) if isinstance(systems, Systems) else systems


def _find_entry_points() -> "Mapping[str, EntryPoint]":
    """Return all entry points of rule systems, by name.

    Raises:
        QfError: Two have the same name; the message names the package that is not ours.
    """
    from importlib.metadata import entry_points  # noqa: PLC0415 - slow, and mostly not needed

    points: dict[str, EntryPoint] = {}
    for point in entry_points(group=ENTRY_POINTS):
        earlier = points.setdefault(point.name, point)
        if earlier != point:
            # The group is named for the package that holds our own rule systems.
            stranger = earlier if point.value.startswith(ENTRY_POINTS) else point
            package = stranger.dist.name if stranger.dist is not None else f"of {stranger.value}"
            raise QfError(f"two rule systems are called {point.name}; uninstall the package {package}")
    return points


_Kind = TypeVar("_Kind")


def find_doctrine_points() -> "Mapping[str, EntryPoint]":
    """Return the entry points of doctrines that installed packages bring, by name."""
    from importlib.metadata import entry_points  # noqa: PLC0415 - slow, and mostly not needed

    return {point.name: point for point in entry_points(group=DOCTRINE_POINTS)}


def load_doctrine(name: str, kind: type[_Kind]) -> _Kind:
    """Load a doctrine that an installed package brings.

    Raises:
        LookupError: There is none with this name.
        QfError: It cannot be loaded, or is not of this kind.
    """
    point = find_doctrine_points()[name]
    doctrine = _load(name, point.value, point.load, "doctrine")
    if not isinstance(doctrine, kind):
        raise QfError(f"the doctrine {name} ({point.value}) is not a {kind.__name__}")
    return doctrine


def load_usable(
    systems: Mapping[str, RuleSystem], report: Callable[[str], object] = lambda fault: None
) -> Mapping[str, RuleSystem]:
    """Load all rule systems that can be loaded, and call `report` with the reason for each of the others."""
    loaded = {}
    for name in systems:
        try:
            # `Systems` loads a rule system when it is asked for.
            loaded[name] = systems[name]
        except QfError as fault:
            report(str(fault))
    return loaded


def _load(expected_name: str, source: str, load: Callable[[], _Kind], noun: str = "rule system") -> _Kind:
    """Load what an entry point or a module names, and check that it has the expected name.

    `source` and `noun` are words for the messages.

    Raises:
        QfError: It cannot be loaded, or has another name.
    """
    try:
        loaded = load()
        name = getattr(loaded, "name", None)
    except (Exception, SystemExit) as error:
        raise QfError(
            f"{noun} {expected_name} ({source}) cannot be loaded: {type(error).__name__}: {error}; "
            "fix or uninstall its package"
        ) from error
    if name != expected_name:
        raise QfError(
            f"the {noun} of {source} is called {name}, but its entry point is called {expected_name}; "
            "change one of them"
        )
    return loaded
