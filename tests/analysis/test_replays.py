"""Readings of the rules court: nothing otherwise is the save; who is passed by would be decided the same."""

from unittest.mock import patch

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from qf_tui.analysis.court import cell_instead, cells_found, switches
from qf_tui.analysis.replay import Control, Otherwise, control_of, replay
from qf_tui.analysis.verdicts import Instead, Verdict
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Timeline
from tests.analysis.golden import GOLDEN, Golden
from tests.corrections.ground import Ground
from tests.corrections.grounds import GROUNDS
from tests.corrections.random_battles import battles_corrected

EACH = pytest.mark.parametrize("ground", GROUNDS.values(), ids=GROUNDS)
MANY = settings(max_examples=settings().max_examples)


def every_entry_decided(system: RuleSystem, control: Control, instead: Instead) -> Verdict:
    """A reading that decides every entry, whatever it looks up."""
    with patch.object(Otherwise, "bears_on", lambda self, lookups: True):
        return replay(system, control, instead)


def as_it_is(system: RuleSystem, timeline: Timeline) -> Instead:
    """A reading that has nothing otherwise."""
    option = system.options[0]
    return Instead(option.name, str(timeline.start.options.get(option.name, option.default)))


@pytest.mark.parametrize("golden", GOLDEN.values(), ids=GOLDEN)
def test_nothing_otherwise_is_the_golden_battle(golden: Golden) -> None:
    control = control_of(golden.system, golden.timeline)
    assert not control.differs
    assert control.battles[-1] == golden.timeline.battle
    assert control.today == tuple(golden.timeline.rulings[number] for number in golden.timeline.play_order)
    # A switch at the value that it has, and every entry decided.
    for option in golden.system.options:
        values = {battle.options.get(option.name) for battle in control.battles}
        if values == {option.default}:
            kept = every_entry_decided(golden.system, control, Instead(option.name, option.default))
            assert kept.nothing
            assert not kept.reworded
            assert kept.entries == len(golden.timeline.play_order)
            break


@pytest.mark.parametrize("golden", GOLDEN.values(), ids=GOLDEN)
def test_who_looks_up_nothing_that_is_otherwise_is_rightly_passed_by(golden: Golden) -> None:
    control = control_of(golden.system, golden.timeline)
    for instead in switches(golden.system, control):
        assert replay(golden.system, control, instead) == every_entry_decided(golden.system, control, instead)


@EACH
@MANY
@given(data=st.data())
def test_nothing_otherwise_is_any_battle_and_each_reading_is_that_of_every_entry(
    ground: Ground, data: st.DataObject
) -> None:
    timeline = data.draw(battles_corrected(ground)).timeline
    control = control_of(ground.system, timeline)
    assert not control.differs
    assert control.battles[-1] == timeline.battle
    instead = data.draw(st.sampled_from(switches(ground.system, control)))
    found = replay(ground.system, control, instead)
    event(f"changes: {bool(found.changed)}, forks: {bool(found.owed)}")
    assert found == every_entry_decided(ground.system, control, instead)
    for cell in cells_found(ground.system, control).cells[:3]:
        for beside in cell.neighbours:
            tried = cell_instead(control, cell.place, beside.text)
            by_cell = replay(ground.system, control, tried)
            assert by_cell == every_entry_decided(ground.system, control, tried)
            event(f"a cell changes: {bool(by_cell.changed)}")
