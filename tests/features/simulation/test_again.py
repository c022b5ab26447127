"""One of many battles played again: the same battle, recorded so that it can be verified and opened."""

from pathlib import Path

import pytest

from qf_tui.core.errors import QfError
from qf_tui.features.simulation.again import Choice, Which, choose_battle, play_again
from qf_tui.features.simulation.jobs import set_up_playout
from qf_tui.features.simulation.simulate import build_spec
from qf_tui.features.simulation.tally import Tally
from qf_tui.session import Session
from tests.features.simulation.duels import PAIRS, SYSTEMS, UNLIKE, load_duel


@pytest.mark.parametrize("rules", sorted(SYSTEMS))
def test_a_battle_is_played_again_identically(rules: str, tmp_path: Path) -> None:
    """Guard against dice that differ in the log, and a log that is decided differently when opened."""
    system, start = load_duel(("mikasa", "asama"), ("asahi", "kasuga"), rules)
    spec, save = build_spec(system, start, "7"), tmp_path / "again.qfb"
    choice = Choice(Which.MEDIAN, PAIRS[1], 3)
    session = Session.begin(system, start, save)
    ending = play_again(session, spec, choice)
    once = set_up_playout(spec, choice.pair, choice.index)
    assert once.play_to_end(spec.turns) == ending
    logs = {id: (ship.log, ship.status) for id, ship in session.battle.ships.items()}
    assert logs == {id: (ship.log, ship.status) for id, ship in once.battle.ships.items()}
    session.close()
    opened = Session.view(save, SYSTEMS)
    assert opened.battle == session.battle
    assert len(opened.timeline.log) == len(session.timeline.log) > 10


def test_the_median_is_of_all_battles_and_the_luckiest_of_its_own_doctrines() -> None:
    """Guard against doctrines that count as luck."""
    one = Tally(9, ends={-50: (4, 2), -48: (4, 0), -20: (1, 7)})
    other = Tally(9, ends={60: (5, 1), 70: (3, 4), 40: (1, 8)})
    tallies = dict(zip(UNLIKE, (one, other), strict=True))
    assert choose_battle(tallies, Which.LUCKIEST) == Choice(Which.LUCKIEST, UNLIKE[0], 7)
    assert choose_battle(tallies, Which.MEDIAN) == Choice(Which.MEDIAN, UNLIKE[0], 7)
    with pytest.raises(QfError, match="no battle was played to its end"):
        choose_battle({PAIRS[0]: Tally(apart=3)}, Which.MEDIAN)


def test_a_battle_with_a_doubt_is_not_played_on() -> None:
    system, start = load_duel()
    session = Session.begin(system, start)
    session.enter("note smoke")
    session.enter("doubt 1")
    with pytest.raises(QfError, match="entry 1 is disputed: settle it"):
        play_again(session, build_spec(system, session.battle, "1"), Choice(Which.MEDIAN, PAIRS[0], 0))
