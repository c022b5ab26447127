"""Rule systems are found by their entry points, and loaded when they are asked for."""

from importlib.metadata import EntryPoint

import pytest

from qf_tui.core.errors import QfError
from qf_tui.core.system import ENTRY_POINTS
from qf_tui.library.systems import Systems, find_systems, usable
from tests.tiny import SYSTEM


def _systems(**points: str) -> Systems:
    return Systems(lambda: {name: EntryPoint(name, value, ENTRY_POINTS) for name, value in points.items()})


def test_one_that_is_broken_hinders_no_other() -> None:
    """The fault it catches: no battle at all can be opened because somebody's package is half installed."""
    systems = _systems(tiny="tests.tiny:SYSTEM", broken="tests.no_such_module:SYSTEM")
    assert systems["tiny"] is SYSTEM
    assert list(usable(systems)) == ["tiny"]
    with pytest.raises(QfError, match=r"broken .* cannot be loaded"):
        systems["broken"]


def test_one_that_calls_itself_otherwise_is_refused() -> None:
    with pytest.raises(QfError, match="calls itself tiny"):
        _systems(other="tests.tiny:SYSTEM")["other"]


def test_the_installed_ones_are_known_by_name_before_they_are_loaded() -> None:
    systems = find_systems()
    assert "advanced-quickfire" in systems
    assert "no-such-rules" not in systems
    assert len(systems) == len(list(systems))
    assert systems["advanced-quickfire"] is systems["advanced-quickfire"]
