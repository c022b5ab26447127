"""The rule systems at hand: ours by their folders, others' by their entry points, books by their files.

Also the doctrines of a simulation that packages bring.
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
"""What the folder of a rule system of ours has, and one of what several share has not."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


class Systems(Mapping[str, RuleSystem]):
    """Rule systems by the name that files use, each loaded when it is first asked for.

    A battle neither waits for rules that it does not use nor fails because of them. Ours are found without a
    look at what else is installed, which takes longer than to load them. Books are found `beside` a file too.
    """

    def __init__(
        self,
        installed: "Callable[[], Mapping[str, EntryPoint]] | None" = None,
        beside: Path | None = None,
    ) -> None:
        self._installed, self._beside = installed or _installed, beside
        self._loaded: dict[str, RuleSystem] = {}

    def beside(self, folder: Path) -> "Systems":
        """These with the books that lie in a folder."""
        if self._beside == folder:
            return self
        other = Systems(self._installed, folder)
        other._loaded = {name: system for name, system in self._loaded.items() if not system.data}
        return other

    @cached_property
    def _points(self) -> "Mapping[str, EntryPoint]":
        return self._installed()

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys((*self._points, *books.book_files(self._beside))))

    def __len__(self) -> int:
        return len(list(iter(self)))

    def __contains__(self, name: object) -> bool:
        if name in self._loaded or self.installed(name):
            return True
        return isinstance(name, str) and books.find_book(name, self._beside) is not None

    def __getitem__(self, name: str) -> RuleSystem:
        if name not in self._loaded:
            if self._is_ours(name):
                module = f"{ENTRY_POINTS}.{name.replace('-', '_')}"
                self._loaded[name] = _load(name, module, lambda: import_module(module).SYSTEM)
            else:
                path = None if name in self._points else books.find_book(name, self._beside)
                if path is not None:
                    return books.load_book(path)
                point = self._points[name]
                self._loaded[name] = _load(name, point.value, point.load)
        return self._loaded[name]

    def installed(self, name: object) -> bool:
        """Whether a name is that of an installed rule system, which no book may take."""
        return self._is_ours(name) or name in self._points

    def _is_ours(self, name: object) -> bool:
        """Whether a name is that of a folder of ours that holds a whole system."""
        if not isinstance(name, str) or not NAME.fullmatch(name):
            return False
        folder = Path(qf_tui.__file__).with_name("rules") / name.replace("-", "_")
        return (folder / MARK).is_file()


def find_systems() -> Mapping[str, RuleSystem]:
    """Every rule system by the name that files use.

    QfError names the package of one that cannot be loaded or that shares a name, once it is asked for.
    """
    return Systems()


def beside(systems: Mapping[str, RuleSystem], folder: Path) -> Mapping[str, RuleSystem]:
    """Rule systems with the books that lie in a folder, as a scenario may bring its own."""
    return systems.beside(folder) if isinstance(systems, Systems) else systems


def _installed() -> "Mapping[str, EntryPoint]":
    """All entry points by name; where two share one, QfError names the one that is not ours."""
    from importlib.metadata import entry_points  # noqa: PLC0415 - slow, and mostly not needed

    points: dict[str, EntryPoint] = {}
    for point in entry_points(group=ENTRY_POINTS):
        other = points.setdefault(point.name, point)
        if other != point:
            stranger = other if point.value.startswith(ENTRY_POINTS) else point
            package = stranger.dist.name if stranger.dist is not None else f"of {stranger.value}"
            raise QfError(f"two rule systems are called {point.name}; uninstall the package {package}")
    return points


_Kind = TypeVar("_Kind")


def doctrine_points() -> "Mapping[str, EntryPoint]":
    """The entry points of doctrines that installed packages bring, by name."""
    from importlib.metadata import entry_points  # noqa: PLC0415 - slow, and mostly not needed

    return {point.name: point for point in entry_points(group=DOCTRINE_POINTS)}


def load_doctrine(name: str, kind: type[_Kind]) -> _Kind:
    """An installed doctrine; QfError names its package's fault, LookupError that there is none."""
    point = doctrine_points()[name]
    doctrine = _load(name, point.value, point.load, "doctrine")
    if not isinstance(doctrine, kind):
        raise QfError(f"the doctrine {name} ({point.value}) is no {kind.__name__}")
    return doctrine


def usable(
    systems: Mapping[str, RuleSystem], report: Callable[[str], object] = lambda fault: None
) -> Mapping[str, RuleSystem]:
    """All rule systems that can be loaded; `report` gets the reason for each other one."""
    loaded = {}
    for name in systems:
        try:
            loaded[name] = systems[name]
        except QfError as fault:
            report(str(fault))
    return loaded


def _load(called: str, source: str, load: Callable[[], _Kind], what: str = "rule system") -> _Kind:
    try:
        found = load()
        name = getattr(found, "name", None)
    except (Exception, SystemExit) as error:
        raise QfError(
            f"{what} {called} ({source}) cannot be loaded: {type(error).__name__}: {error}; "
            "fix or uninstall its package"
        ) from error
    if name != called:
        raise QfError(
            f"the {what} of {source} calls itself {name}, its entry point {called}; one of them must change"
        )
    return found
