"""An umpire's own weights."""

from pathlib import Path

import pytest

from qf_tui.core.system import RuleSystem
from qf_tui.library.faults import FileFaults
from qf_tui.library.weights import load_weights
from tests.systems import our_systems

SYSTEMS = our_systems().values()


@pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: system.name)
def test_weights_are_laid_over_those_of_the_rules(system: RuleSystem, tmp_path: Path) -> None:
    """Catches parts that a file cannot name, and weights that are read and not used."""
    path, part = tmp_path / "worth.toml", system.worth.parts[0]
    path.write_text(f'"{part.name}" = 2.5\n', encoding="utf-8")
    weights = load_weights(path, system)
    assert weights == {part.name: 2.5}
    mine, other = system.worth.weighted(weights), system.worth.parts[-1]
    assert mine.parts[0].weight == 2.5
    assert mine.parts[-1].weight == other.weight


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("ghost = 1", "no such key"),
        ("{0} = -1", "expected"),
        ("{0} = nan", "expected"),
        ('{0} = "two"', "expected"),
        ("{0} = true", "expected"),
        ("{0} =", "it is not TOML"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(text: str, said: str, tmp_path: Path) -> None:
    system = next(iter(SYSTEMS))
    path = tmp_path / "worth.toml"
    path.write_text(text.format(f'"{system.worth.parts[0].name}"'), encoding="utf-8")
    with pytest.raises(FileFaults, match=said):
        load_weights(path, system)
