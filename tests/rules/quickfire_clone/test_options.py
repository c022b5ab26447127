"""Every switch: its clause and its default. What each value does is shown beside its clause."""

import pytest

from qf_tui.rules.quickfire_clone import SYSTEM
from tests.rules.playing import refusal, values
from tests.rules.quickfire_clone.tables import battle, played

SWITCHES = {
    "aground": ("AQF-PH-8", "fights", "silent"),
    "missed_estimate_spends": ("QFC-GUN-4", "no", "yes"),
    "collision_blast": ("QFC-COL-2", "no", "yes"),
    "fire_checks": ("QFC-REP-1", "each-fire", "each-ship"),
    "r_without_points": ("QFC-BLA-5", "nothing", "fire"),
    "small_fast_safe_from": ("QFC-RUL-1", "heavy", "light", "both"),
    "light_blast": ("QFC-RUL-2", "no", "yes"),
    "half_rounds": ("QFC-RUL-3", "down", "up"),
    "beyond_chart": ("QFC-RUL-4", "edge", "in-proportion"),
    "auto_shot_at_rof_0": ("QFC-RUL-5", "no", "yes"),
    "course_repaired_on": ("QFC-RUL-6", "2-7", "2-11"),
    "g_falls_on": ("QFC-RUL-7", "as-fired", "heavy"),
    "g_at_zero": ("QFC-RUL-7", "other", "nothing"),
    "explosion_g": ("QFC-RUL-7", "in-turn", "heavy"),
    "repair_point": ("QFC-RUL-8", "each-roll", "success"),
    "launches": ("QFC-RUL-9", "one", "one-a-target"),
    "torpedoes_beside_guns": ("QFC-RUL-9", "yes", "no"),
    "direction_die": ("QFC-RUL-9", "once", "each-turn"),
    "speed_loss_fire": ("QFC-RUL-9", "burns-on", "goes-out"),
    "below_size_1": ("QFC-RUL-10", "row-of-1", "no-roll"),
    "estimated_ranges": ("QFC-GUN-6", "yes", "no"),
    "armor_between": ("QFC-RUL-10", "lower", "higher"),
    "size_between": ("QFC-RUL-11", "lower", "higher"),
}
"""Name: clause, default, other values."""


def test_the_switches_are_these_with_these_defaults() -> None:
    """Catches a switch that is lost, renamed, or has another default."""
    assert {each.name: (each.clause, *each.values) for each in SYSTEM.options} == SWITCHES
    assert all(each.default == each.values[0] for each in SYSTEM.options)


def test_every_ruling_is_a_switch() -> None:
    """Catches a ruling that nobody can turn."""
    rulings = {clause for clause in SYSTEM.clauses if clause.startswith("QFC-RUL-")}
    assert rulings == {clause for clause, *_ in SWITCHES.values() if clause.startswith("QFC-RUL-")}
    assert len(rulings) == 11


@pytest.mark.parametrize("name", SWITCHES)
def test_a_switch_is_turned_by_an_entry(name: str) -> None:
    """Catches a switch that the order `option` does not reach."""
    session = played(battle(), f"option {name} {SWITCHES[name][-1]}")
    assert session.battle.options[name] == SWITCHES[name][-1]
    assert refusal(session, f"option {name} perhaps") == ""


def test_a_switch_counts_from_its_entry_on() -> None:
    """Catches a switch that works backwards."""
    session = played(battle(), "fire ajax heavy rook 100cm off", "option missed_estimate_spends yes")
    assert values(session, "ajax")["auto_shot"] is False
    session.enter("fire rook heavy ajax 100cm off")
    assert values(session, "rook")["auto_shot"] is True
