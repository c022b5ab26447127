"""What holds of every battle of Quickfire-Clone, whatever is ordered and thrown."""

from hypothesis import event, given

from qf_tui.core.timeline import opened
from qf_tui.core.values import SUNK, Battle
from qf_tui.rules.quickfire_clone import SYSTEM
from tests.core.random_play import Story
from tests.corrections.on_quickfire_clone import GROUND
from tests.corrections.random_battles import battles_played

COUNTS = {"rof_heavy": "rof.heavy", "rof_light": "rof.light", "torpedo": "torpedo", "repair_points": "repair"}
"""Counts of the log that never pass what the card prints, unless the umpire writes them by hand."""


def check(battle: Battle, by_hand: bool) -> None:
    """Every invariant of a battle, as it stands and as its phase began."""
    for each in (*battle.ships.values(), *battle.start.ships.values()):
        for field, printed in COUNTS.items():
            assert each.count(field) >= 0, (each.id, field)
            assert by_hand or each.count(field) <= each.card_count(printed), (each.id, field)
        assert each.count("speed_hits") >= 0
        assert isinstance(each.log["auto_shot"], bool)
        seen = SYSTEM.report(battle, each)
        assert 0 <= float(str(seen["available_speed"])) <= float(str(each.card["speed"]))
    keys = [owed.key for owed in battle.owed]
    assert len(set(keys)) == len(keys)
    wrecks = {each.id for each in battle.ships.values() if each.status == SUNK}
    assert not wrecks & {owed.ship for owed in battle.owed if not owed.order}, (
        "a forced shot alone is let pass"
    )
    for owed in battle.owed:
        assert owed.dice or owed.words, owed


@given(battles_played(GROUND, least=12, most=45))
def test_random_battles_keep_the_log_sound_and_read_back_as_they_were_played(story: Story) -> None:
    """Catches counts out of bounds, double keys, wrecks that roll, questions without an answer."""
    timeline = story.timeline
    by_hand = any(version.order.word == "mark" for version in timeline.versions.values())
    for place in range(len(timeline.play_order) + 1):
        check(timeline.battle_at(place), by_hand)
    event(f"turn {timeline.battle.turn}")
    assert opened(timeline.start, timeline.log).battle == timeline.battle
