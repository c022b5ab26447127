"""Our own files as the first screen reads them: each is read once, not by every console under test anew."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar
from unittest.mock import patch

from qf_tui.console.setup.opening import look_at
from qf_tui.console.setup.start import looked
from qf_tui.core.system import RuleSystem
from qf_tui.library.paths import own, shipped

Read = TypeVar("Read")
Reader = Callable[[Path, Mapping[str, RuleSystem]], Read]
Stamp = tuple[str, int, int]

OURS = tuple(map(shipped, ("scenarios", "saves")))
_READ: dict[tuple[object, ...], object] = {}


def _stamp(path: Path) -> Stamp:
    found = path.stat()
    return str(path.name), found.st_mtime_ns, found.st_size


def _of_the_user() -> frozenset[Stamp]:
    """The user's files that a battle of ours may be read with: his ships, fleets and charts."""
    return frozenset(_stamp(path) for kind in ("navies", "fleets", "charts") for path in own(kind).glob("*"))


def once(read: Reader[Read]) -> Reader[Read]:
    """The same, but a file of ours is read anew only if it, or a file of the user's, has changed."""

    def reads(path: Path, systems: Mapping[str, RuleSystem]) -> Read:
        if path.parent not in OURS:
            return read(path, systems)
        key = (read, path, _stamp(path), _of_the_user(), tuple(systems))
        if key not in _READ:
            _READ[key] = read(path, systems)
        return _READ[key]  # type: ignore[return-value]  # by this very reader

    return reads


@contextmanager
def read_once() -> Iterator[None]:
    """While it lasts, the first screen reads a file of ours only once."""
    with (
        patch("qf_tui.console.setup.start.look_at", once(look_at)),
        patch("qf_tui.console.setup.start.looked", once(looked)),
    ):
        yield
