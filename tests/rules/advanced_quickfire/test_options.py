"""Every switch: its clause, its default, and that both values are played (AQF switches)."""

import pytest

from qf_tui.rules.advanced_quickfire import SYSTEM
from tests.rules.advanced_quickfire.tables import battle, played
from tests.rules.playing import refusal

SWITCHES = {
    "shared_edge": ("AQF-SCA-2", "shorter", "longer"),
    "estimated_ranges": ("AQF-SCA-2", "yes", "no"),
    "untried_refire": ("AQF-PH-3", "no", "yes"),
    "refire_by": ("AQF-PH-3", "battery", "ship"),
    "aground": ("AQF-PH-8", "fights", "silent"),
    "initiative": ("AQF-PH-5", "simultaneous", "once", "each-turn"),
    "declare_first": ("AQF-GUN-1", "no", "yes"),
    "miss_by": ("AQF-GUN-3", "battery", "ship"),
    "below_lowest": ("AQF-GUN-5", "nothing", "raised"),
    "speed_by": ("AQF-MV-7", "used", "moved"),
    "speed_change": ("AQF-MV-4", "3", "2"),
    "zero_armor": ("AQF-GUN-6", "top-line", "as-half"),
    "one_roll": ("AQF-GUN-9", "no", "yes"),
    "light_armor_g": ("AQF-GUN-12", "heavy-next", "chain"),
    "small_fast_by": ("AQF-GUN-13", "printed", "available"),
    "light_s_overflow": ("AQF-GUN-14", "fire", "sx"),
    "explosion_s_overflow": ("AQF-GUN-14", "sx", "fire"),
    "boat_guns_in": ("AQF-BG-2", "one-phase", "each-phase"),
    "parallel": ("AQF-TOR-3", "apart", "converging"),
    "t_without_torpedoes": ("AQF-DAM-6", "nothing", "chain"),
    "chain_stops": ("AQF-DAM-9", "no", "yes"),
    "b_chain": ("AQF-DAM-13", "letter", "chain"),
    "explosion_dice": ("AQF-DAM-14", "1d12", "2d6"),
    "explosion_g": ("AQF-DAM-3", "in-turn", "goes-on", "both"),
    "sinking_at": ("AQF-SNK-1", "two-sx", "all-boxes"),
    "sx_check": ("AQF-REC-2", "11-12", "12"),
}
"""Name: clause, default, other values. What each value does is shown beside its clause."""


def test_the_switches_are_these_with_these_defaults() -> None:
    """Catches a switch that is lost, renamed, or has another default."""
    assert {each.name: (each.clause, *each.values) for each in SYSTEM.options} == SWITCHES
    assert all(each.default == each.values[0] for each in SYSTEM.options)


@pytest.mark.parametrize("name", SWITCHES)
def test_a_switch_is_turned_by_an_entry_from_there_on(name: str) -> None:
    """Catches a switch that the order `option` does not reach."""
    session = played(battle(), f"option {name} {SWITCHES[name][-1]}")
    assert session.battle.options[name] == SWITCHES[name][-1]
    assert refusal(session, f"option {name} perhaps") == ""


def test_a_switch_counts_from_its_entry_on() -> None:
    """Catches a switch that works backwards, or not before the next phase."""
    session = played(battle())
    assert refusal(session, "fire ajax both rook medium 12 12") == ""
    session.enter("option one_roll yes")
    session.enter("fire ajax both rook medium 12 12")
