"""The rule systems that are installed, ours and others', by their entry points."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from importlib.metadata import EntryPoint, entry_points

from qf_tui.core.errors import QfError
from qf_tui.core.system import ENTRY_POINTS, RuleSystem


class Systems(Mapping[str, RuleSystem]):
    """Rule systems by the name that files use, each loaded when it is first asked for.

    No battle waits for rules that it does not use, nor fails because another package's are broken.
    """

    def __init__(self, points: Mapping[str, EntryPoint]) -> None:
        self._points = points
        self._loaded: dict[str, RuleSystem] = {}

    def __iter__(self) -> Iterator[str]:
        return iter(self._points)

    def __len__(self) -> int:
        return len(self._points)

    def __contains__(self, name: object) -> bool:
        return name in self._points

    def __getitem__(self, name: str) -> RuleSystem:
        if name not in self._loaded:
            self._loaded[name] = _load(self._points[name])
        return self._loaded[name]


def find_systems() -> Mapping[str, RuleSystem]:
    """Every rule system by the name that files use; QfError where two share one.

    Asking for one that cannot be loaded raises QfError, which names its package.
    """
    points: dict[str, EntryPoint] = {}
    for point in entry_points(group=ENTRY_POINTS):
        if points.setdefault(point.name, point) != point:
            raise QfError(f"two rule systems are called {point.name}; uninstall the package of {point.value}")
    return Systems(points)


def usable(systems: Mapping[str, RuleSystem]) -> Mapping[str, RuleSystem]:
    """The rule systems that can be loaded, all of them loaded."""
    found = {}
    for name in systems:
        with suppress(QfError):
            found[name] = systems[name]
    return found


def _load(point: EntryPoint) -> RuleSystem:
    try:
        system: RuleSystem = point.load()
        name = system.name
    except Exception as error:
        raise QfError(
            f"rule system {point.name} ({point.value}) cannot be loaded: {type(error).__name__}: {error}; "
            "mend or uninstall the package that brings it"
        ) from error
    if name != point.name:
        raise QfError(
            f"the rule system of {point.value} calls itself {name}, its entry point {point.name}; "
            "one of them must be mended"
        )
    return system
