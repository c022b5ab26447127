"""Every switch of Quickfire has a clause, its stated default, and can be turned in mid-battle."""

import pytest

from qf_tui.core.system import Option
from qf_tui.rules.quickfire import SYSTEM
from tests.rules.quickfire.tables import battle, played

DEFAULTS = {
    "aground": "fights",
    "gunnery_phases": "1",
    "turning": "pivots",
    "speed_change": "2",
    "shared_edge": "shorter",
    "estimated_ranges": "yes",
    "zero_armor": "top-line",
    "end_arc": "gunnery",
    "auto_shot": "no",
    "batteries": "both",
    "one_roll": "no",
    "long_range": "heavy",
    "small_fast_by": "printed",
    "blast_without_hit": "no",
    "light_g": "boat_guns",
    "torpedo_least": "none",
    "direction_by": "degrees",
    "repair_spent": "always",
    "speed_added": "0",
    "range_guessing": "no",
    "even_rof": "no",
    "torpedo_regained": "no",
}


def test_the_defaults_are_the_stated_ones() -> None:
    assert {option.name: option.default for option in SYSTEM.options} == DEFAULTS


@pytest.mark.parametrize("option", SYSTEM.options, ids=lambda option: option.name)
def test_a_switch_takes_its_values_and_no_other(option: Option) -> None:
    session = played(battle(), *(f"option {option.name} {value}" for value in option.values))
    assert session.battle.options[option.name] == option.values[-1]
    assert not session.preview_order(f"option {option.name} perhaps").fine
