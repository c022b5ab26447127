"""The versions that are installed for the tests: those written down, and none that we refuse ourselves."""

import tomllib
from importlib.metadata import version
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
CONSTRAINTS = dict(
    line.split("==")
    for line in (ROOT / ".ci" / "constraints.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
)
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
NEEDED = [
    needed
    for needed in map(
        Requirement, [*PROJECT["dependencies"], *(one for extra in EXTRAS.values() for one in extra)]
    )
    if needed.name != PROJECT["name"]
]


def test_the_tests_install_every_extra() -> None:
    (own,) = (needed for one in EXTRAS["dev"] if (needed := Requirement(one)).name == PROJECT["name"])
    assert own.extras == set(EXTRAS) - {"dev"}


def test_what_is_tested_is_what_is_written_down() -> None:
    """Catches tests that pass here with what nobody else installs; README's "Test it" installs it."""
    assert {name: version(name) for name in CONSTRAINTS} == CONSTRAINTS


def test_all_that_we_need_is_written_down_and_fits() -> None:
    written = {str(needed): CONSTRAINTS[canonicalize_name(needed.name)] for needed in NEEDED}
    assert [needed for needed in NEEDED if not needed.specifier.contains(written[str(needed)])] == []


def test_no_lower_bound_lets_in_a_lock_that_follows_links() -> None:
    """Before 3.20.3 a lock file that somebody had made a link of emptied the file that it named."""
    (bound,) = (one for one in NEEDED if one.name == "filelock")
    assert not bound.specifier.contains("3.20.2")
