"""A correction that nothing follows from decides little again, and comes to what deciding all comes to."""

from unittest.mock import Mock

import pytest

from qf_tui.core.decide import play_again
from qf_tui.core.revisions import TRIED_LEAST
from qf_tui.core.timeline import CHECKPOINT_EVERY, opened
from qf_tui.library.systems import find_systems
from qf_tui.session import Session
from tests.corrections.long_battles import long_battle


def test_behind_a_note_the_rest_is_not_decided_again(monkeypatch: pytest.MonkeyPatch) -> None:
    decided = Mock(wraps=play_again)
    monkeypatch.setattr("qf_tui.core.revisions.play_again", decided)
    timeline = long_battle(5 * CHECKPOINT_EVERY)
    session = Session(find_systems()["advanced-quickfire"], timeline)
    after = session.enter("insert 3 note remembered").after
    assert TRIED_LEAST <= decided.call_count <= 2 * CHECKPOINT_EVERY
    whole = opened(after.start, after.log)
    assert (after.battle, after.play_order) == (whole.battle, whole.play_order)
    places = range(0, len(after.play_order), 7)
    assert [after.battle_at(place) for place in places] == [whole.battle_at(place) for place in places]
