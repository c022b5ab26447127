"""Readings of the rules court: nothing otherwise is the save; who is passed by would be decided the same."""

from unittest.mock import patch

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from qf_tui.analysis.court import (
    Control,
    Variant,
    Verdict,
    cell_variant,
    cells_found,
    control_of,
    replay,
    switches,
)
from tests.analysis.battles import EACH_OPENING, golden
from tests.corrections.ground import Ground
from tests.corrections.grounds import GROUNDS
from tests.corrections.random_battles import battles_corrected

EACH = pytest.mark.parametrize("ground", GROUNDS.values(), ids=GROUNDS)
SOME = settings(max_examples=settings().max_examples // 2)


def every_entry_decided(control: Control, variant: Variant) -> Verdict:
    """A reading that decides every entry, whatever it looks up."""
    with patch.object(Variant, "bears_on", lambda self, lookups: True):
        return replay(control, variant)


@EACH_OPENING
def test_nothing_otherwise_is_the_golden_battle(name: str, orders: int | None) -> None:
    system, timeline = golden(name, orders)
    control = control_of(system, timeline)
    assert not control.differs
    assert control.battles[-1] == timeline.battle
    assert control.today == tuple(timeline.rulings[number] for number in timeline.play_order)
    # A switch at the value that it has, and every entry decided.
    for option in system.options:
        values = {battle.options.get(option.name) for battle in control.battles}
        if values == {option.default}:
            kept = every_entry_decided(control, Variant(option.name, option.default))
            assert kept.nothing
            assert not kept.reworded
            assert kept.entries == len(timeline.play_order)
            break


@EACH_OPENING
@pytest.mark.parametrize("each", [3, pytest.param(1, marks=pytest.mark.long)])
def test_who_looks_up_nothing_that_is_otherwise_is_rightly_passed_by(
    name: str, orders: int | None, each: int
) -> None:
    """Each third of the switches; to decide every entry by all of them takes long."""
    system, timeline = golden(name, orders)
    control = control_of(system, timeline)
    for instead in switches(control)[::each]:
        assert replay(control, instead) == every_entry_decided(control, instead)


@EACH
@SOME
@given(data=st.data())
def test_nothing_otherwise_is_any_battle_and_each_reading_is_that_of_every_entry(
    ground: Ground, data: st.DataObject
) -> None:
    timeline = data.draw(battles_corrected(ground)).timeline
    control = control_of(ground.system, timeline)
    assert not control.differs
    assert control.battles[-1] == timeline.battle
    instead = data.draw(st.sampled_from(switches(control)))
    found = replay(control, instead)
    event(f"changes: {bool(found.changed)}, forks: {bool(found.owed)}")
    assert found == every_entry_decided(control, instead)
    for cell in cells_found(control).cells[:3]:
        for beside in cell.neighbours:
            tried = cell_variant(control, cell.place, beside.text)
            by_cell = replay(control, tried)
            assert by_cell == every_entry_decided(control, tried)
            event(f"a cell changes: {bool(by_cell.changed)}")
