"""The worked examples of the chart guide, with the ships of our example fleet."""

import pytest

from qf_tui.session import Session
from tests.rules.playing import changed, owed, reasons, result, values
from tests.rules.quickfire.tables import battle, played, ship
from tests.systems import started


def bench() -> Session:
    """The scenario of the examples in its gunnery phase."""
    session = Session.begin(*started("examples-d6"))
    session.enter("next")
    return session


@pytest.mark.clause("QF-EX-1")
def test_massena_scores_one_speed_hit_on_ohio() -> None:
    session = bench()
    told = reasons(session, "fire massena heavy ohio long 1 2 4")
    assert "gunnery 16 v armor 11: 125% line, 7 or less hits" in told[1].text
    assert values(session, "ohio")["speed_hits"] == 1
    assert result(bench(), "fire massena heavy ohio long 1 2 4")["hits"] == ("S",)


@pytest.mark.clause("QF-EX-2")
@pytest.mark.parametrize(("white", "hits"), [("1 3", 1), ("3 6", 2)])
def test_a_line_that_allows_9_gives_one_hit_on_4_and_two_on_9(white: str, hits: int) -> None:
    start = battle(ship("ajax", gunnery=(20, 20)), ship("rook", "red", armor=(10, 10)))
    told = result(played(start), f"fire ajax heavy rook long 6 {white}")["hits"]
    assert isinstance(told, tuple)
    assert len(told) == hits


@pytest.mark.clause("QF-EX-3")
def test_a_destroyer_of_rating_4_strikes_a_moving_ship_on_5_or_less() -> None:
    session = bench()
    assert result(session, "torpedo example-destroyer ohio in 2 3")["struck"] is True
    assert owed(session) == ["speed-hits ohio"]
    assert result(bench(), "torpedo example-destroyer ohio in 2 4")["struck"] is False


@pytest.mark.clause("QF-EX-4")
def test_a_boat_gun_5_takes_a_torpedo_point() -> None:
    assert changed(bench(), "boats boat-gun example-destroyer 5", "example-destroyer") == {"torpedo": 3}
