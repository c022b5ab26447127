"""How entries read on the board: in words, whatever order they were given by."""

import pytest

from qf_tui.board.hub import encoded
from qf_tui.board.values import ALL, BoardSwitch
from qf_tui.library.scenarios import load_scenario
from qf_tui.session import Session
from tests.board.test_view import AT_ONCE, FOES, MINE, OWN_SIDE, PHASE_END, SHOT, after, last, seen
from tests.systems import our_systems


@pytest.mark.parametrize(
    ("viewer", "switch"), [(MINE, AT_ONCE), (MINE, OWN_SIDE), (FOES, AT_ONCE), (ALL, AT_ONCE)]
)
@pytest.mark.parametrize(
    ("order", "said"),
    [
        ("leave mikasa withdrawn", "Mikasa: withdrawn, by the umpire's word"),
        ("mark mikasa rof_heavy 3", "Mikasa: heavy ROF 7 → 3, by hand"),
        ("damage mikasa D", "Mikasa: D, by the umpire's word"),
        ("damage mikasa S", "Mikasa: S, by the umpire's word"),
        ("force damage mikasa S", "Mikasa: S, by the umpire's word"),
    ],
)
def test_an_order_without_a_throw_is_told_by_what_it_does(
    viewer: str, switch: BoardSwitch, order: str, said: str
) -> None:
    """Catches orders as they are typed, among the words of all others."""
    told = last(viewer, switch, order)
    assert told.order == ("forced" if "force" in order else "")
    assert said in (told.text, told.why)
    assert told.text or told.events
    assert last(viewer, AT_ONCE, order, "undo").order in (said, "forced")
    page = encoded(seen(after(order), viewer, switch)).decode()
    assert not [word for word in ("leave mikasa", "mark ", "damage ") if word in page.casefold()]


def test_a_move_is_told_by_what_it_does_and_all_who_made_it_did() -> None:
    """Catches one ship of a division that moved, the others as those whom it befell."""
    session = Session.begin(*load_scenario("rulebook-examples", our_systems()))
    session.enter("move mikasa,massena 6")
    told = seen(session, ALL, AT_ONCE).last
    assert told is not None
    assert (told.order, told.ships, told.acting) == ("", ("mikasa", "massena"), 2)
    assert "6 boxes" in told.text
    assert last(ALL, AT_ONCE, SHOT).acting == 1
    session.enter("next")
    told = seen(session, ALL, PHASE_END).last
    assert told is not None
    assert "6 boxes" in told.text


@pytest.mark.parametrize("viewer", [ALL, MINE])
@pytest.mark.parametrize("switch", BoardSwitch)
def test_the_end_of_a_turn_tells_of_models_and_not_of_what_is_wiped_off_the_logs(
    viewer: str, switch: BoardSwitch
) -> None:
    """Catches a line for each ship that moved, as the turn ends."""
    session = Session.begin(*load_scenario("rulebook-examples", our_systems()))
    session.enter("move mikasa,massena 6")
    while session.battle.turn == 1:
        session.enter("force next")
    assert seen(session, viewer, switch).tellings[-1].text == "turn 2, Movement"
