"""Rows of boxes as a log prints them, and which figures nobody attests."""

import pytest
from attrs import evolve

from qf_tui.core.log_sheet import BOXES_MOST, ESTIMATED, SheetPart, countdown, counted, reconstructed
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
    assert counted(part, 30).text == "18″ 30"
    assert counted(evolve(part, boxes=countdown(2, 2, 2)), 2).text == counted(part, 0).text == "18″"
