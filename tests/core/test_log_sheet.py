"""Rows of boxes as a log prints them, and which figures nobody attests."""

import pytest
from attrs import evolve

from qf_tui.core.declarations import BOXES_MOST, BoxState, SheetPart, countdown, counted
from qf_tui.core.ship_facts import ESTIMATED, reconstructed
from tests.corrections.scripts import two_a_side


@pytest.mark.parametrize(
    ("attested", "fields", "marked"),
    [
        ("", ("speed",), True),
        ("speed", ("speed",), False),
        ("speed", ("speed", "armor"), True),
        ("speed,armor", ("speed", "armor"), False),
    ],
)
def test_a_figure_is_reconstructed_if_one_of_its_fields_is(
    attested: str, fields: tuple[str, ...], marked: bool
) -> None:
    ship = two_a_side().ships["rook"]
    card = {**ship.card, "values": ESTIMATED, "attested": attested}
    assert reconstructed(evolve(ship, card=card), *fields) is marked
    assert not reconstructed(evolve(ship, card={**card, "values": "attested"}), *fields)


def test_a_count_too_great_for_boxes_is_a_figure() -> None:
    part = SheetPart("torpedoes", "18″")
    assert len(countdown(BOXES_MOST, BOXES_MOST, 3)) == BOXES_MOST
    assert countdown(BOXES_MOST + 1, BOXES_MOST, 3) == ()
    # More than was printed stood there by the umpire's hand: only what the log has boxes for is crossed.
    assert [box.state for box in countdown(3, 5, 2)] == [BoxState.SLASH, BoxState.OPEN, BoxState.OPEN]
    assert counted(part, 30).text == "18″ 30"
    assert counted(evolve(part, boxes=countdown(2, 2, 2)), 2).text == counted(part, 0).text == "18″"
