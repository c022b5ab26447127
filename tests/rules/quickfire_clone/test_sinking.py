"""Sinking (QFC-SNK, QFC-RUL-10)."""

import pytest

from tests.rules.playing import allowed, owed, reasons, refusal, values
from tests.rules.quickfire_clone.tables import battle, played, ship, to_turn


def rolled(total: int, size: float = 12, hits: int = 8, fires: int = 0, **options: str) -> bool:
    """Whether rook sinks on a total of two dice at the end of a turn."""
    rook = ship("rook", "red", size=size, log={"speed_hits": hits}, fires=fires)
    session = played(battle(ship("ajax"), rook, phase="repair", **options), "next")
    assert owed(session) == ["sinking rook"]
    session.enter(f"roll {max(1, total - 6)} {min(6, total - 1)}")
    return values(session, "rook")["sunk"] is True


@pytest.mark.clause("QFC-SNK-1")
@pytest.mark.parametrize(("hits", "asked"), [(0, False), (7, False), (8, True), (12, True)])
def test_a_ship_without_an_open_box_rolls(hits: int, asked: bool) -> None:
    """Catches a ship with a box left that rolls, and one without that does not."""
    rook = ship("rook", "red", log={"speed_hits": hits})
    session = played(battle(ship("ajax"), rook, phase="repair"), "next")
    assert bool(owed(session)) is asked
    assert session.battle.turn == (1 if asked else 2)


@pytest.mark.clause("QFC-SNK-1")
@pytest.mark.parametrize(
    ("hits", "fires", "most"), [(8, 0, 2), (9, 0, 3), (11, 0, 5), (8, 1, 3), (8, 3, 5), (10, 2, 6)]
)
def test_one_comes_off_for_each_fire_and_each_s_beyond_the_eighth(hits: int, fires: int, most: int) -> None:
    """Catches a fire or a margin that does not count, or counts twice."""
    assert rolled(most, hits=hits, fires=fires)
    assert not rolled(most + 1, hits=hits, fires=fires)


@pytest.mark.clause("QFC-SNK-2")
@pytest.mark.parametrize(
    ("size", "most"),
    [
        (30, 2),
        (11, 2),
        (10.5, 3),
        (10, 3),
        (7, 3),
        (6, 4),
        (4, 4),
        (3.5, 5),
        (3, 5),
        (2, 5),
        (1.5, 6),
        (1, 6),
    ],
)
def test_at_or_below_the_number_of_its_size_it_sinks(size: float, most: int) -> None:
    """Catches an edge of the sinking table."""
    assert rolled(most, size=size)
    assert not rolled(most + 1, size=size)


@pytest.mark.clause("QFC-RUL-11")
@pytest.mark.parametrize(("size", "lower", "higher"), [(10.5, 3, 2), (6.5, 4, 3), (3.5, 5, 4), (1.5, 6, 5)])
def test_a_size_between_two_rows_counts_as_the_lower(size: float, lower: int, higher: int) -> None:
    """Catches a size that is rounded up, and the switch."""
    for most, switch in ((lower, "lower"), (higher, "higher")):
        assert rolled(most, size=size, size_between=switch)
        assert not rolled(most + 1, size=size, size_between=switch)
    rook = ship("rook", "red", size=10.5, log={"speed_hits": 8})
    told = reasons(played(battle(ship("ajax"), rook, phase="repair"), "next"), "roll 6 6")
    assert ("Rook: size 10.5 counts as 7-10", "QFC-RUL-11") in [(each.text, each.clause) for each in told]


@pytest.mark.clause("QFC-RUL-10")
def test_below_size_1_the_row_of_1_counts() -> None:
    """Catches a boat that no row is for, and the switch by which it needs no roll."""
    assert rolled(6, size=0.25)
    assert not rolled(7, size=0.25)
    rook = ship("rook", "red", size=0.5, log={"speed_hits": 8})
    session = played(battle(ship("ajax"), rook, phase="repair", below_size_1="no-roll"), "next")
    assert values(session, "rook")["sunk"] is True
    assert (owed(session), session.battle.turn) == ([], 2)
    whole = ship("rook", "red", size=1, log={"speed_hits": 8})
    session = played(battle(ship("ajax"), whole, phase="repair", below_size_1="no-roll"), "next")
    assert owed(session) == ["sinking rook"]


@pytest.mark.clause("QFC-SNK-2")
def test_a_sunk_ship_takes_no_orders_and_is_no_target() -> None:
    """Catches a wreck that fights on or owes rolls."""
    rook = ship("rook", "red", log={"speed_hits": 9}, fires=1)
    session = played(battle(ship("ajax"), rook), "next", "roll 1 1", "next", "roll 1 1", "next")
    assert values(session, "rook")["status"] == "sunk"
    assert refusal(session, "move rook 0mm") == "QFC-SNK-2"
    to_turn(session, 2, "gunnery")
    assert refusal(session, "fire rook heavy ajax 100cm 1 1") == "QFC-SNK-2"
    assert refusal(session, "fire ajax heavy rook 100cm 1 1") == "QFC-SNK-2"
    assert refusal(session, "torpedo ajax rook 20cm 1 1 1") == "QFC-SNK-2"
    assert not allowed(session, "torpedo rook ajax 20cm 1 1 1")
    session.enter("next")
    assert owed(session) == []


@pytest.mark.clause("QFC-SNK-1")
def test_a_ship_that_stays_afloat_rolls_again_next_turn() -> None:
    """Catches one roll for the whole battle."""
    rook = ship("rook", "red", log={"speed_hits": 8})
    session = played(battle(ship("ajax"), rook, phase="repair"), "next", "roll 6 6", "next")
    to_turn(session, 2, "repair").enter("next")
    assert owed(session) == ["sinking rook"]


@pytest.mark.clause("QFC-SNK-1")
def test_why_it_sinks_is_said() -> None:
    """Catches a sinking without its figures."""
    rook = ship("rook", "red", log={"speed_hits": 9}, fires=1)
    session = played(battle(ship("ajax"), rook), "next", "roll 1 1", "next")
    text = reasons(session, "roll 2 2")[0].text
    assert text == "Rook without speed, fires 1, S beyond the eighth 1: 4-2≤2, sinks"


@pytest.mark.clause("QFC-SNK-1")
def test_a_repair_in_time_saves_the_roll() -> None:
    """Catches a ship asked for boxes that it has again."""
    rook = ship("rook", "red", log={"speed_hits": 8})
    session = played(battle(ship("ajax"), rook, phase="repair"), "repair rook 4 4", "next")
    assert session.battle.turn == 2
