"""Which owed rolls are priced, and how many throws of one are looked at."""

import pytest
from attrs import evolve

from qf_tui.analysis import pricing
from qf_tui.analysis.pricing import MANY, OF_MANY, ROLLS_MOST, is_consequence, nearest
from qf_tui.analysis.throws import throws_of
from qf_tui.analysis.values import LeftOut
from qf_tui.core.grammar.forms import Order
from qf_tui.core.schedule import SCHEDULE
from qf_tui.core.timeline import opened
from qf_tui.core.values import Die, Owed
from qf_tui.rules.advanced_quickfire import SYSTEM
from tests.core.playing import play
from tests.corrections.scripts import two_a_side

ROLL = Owed("1/explosion/rook/1", "explosion", "rook", "explosion of Rook", (Die(12),))
SHOT = Order(next(form for form in SYSTEM.forms if form.word == "fire"), {})


@pytest.mark.parametrize(
    ("owed", "follows"),
    [
        (ROLL, True),
        (evolve(ROLL, dice=(), words=("yes", "no")), False),
        (evolve(ROLL, late=True), False),
        (evolve(ROLL, line=SCHEDULE), False),
        (evolve(ROLL, line="fire", order=SHOT), False),
        (evolve(ROLL, line="fire", order=SHOT, faces=(3,)), True),
        (evolve(ROLL, order=SHOT), True),
    ],
)
def test_a_roll_is_priced_that_follows_from_what_has_happened(owed: Owed, follows: bool) -> None:
    assert is_consequence(owed) is follows


def test_of_the_rolls_of_one_ship_so_many_are_priced_and_all_of_others() -> None:
    many = [evolve(ROLL, key=f"1/explosion/rook/{at}") for at in range(ROLLS_MOST + 2)]
    question, other = evolve(ROLL, dice=(), words=("yes",)), evolve(ROLL, ship="ajax")
    assert nearest((*many, question, other)) == (*many[:ROLLS_MOST], question, other)


def test_of_very_many_rolls_of_one_ship_few_are_priced() -> None:
    """Catches a ship with twenty fires, by hand, that takes a report a quarter of an hour."""
    many = [evolve(ROLL, key=f"1/explosion/rook/{at}") for at in range(MANY + 1)]
    assert nearest(many) == tuple(many[:OF_MANY])
    assert nearest(many[1:]) == tuple(many[1 : ROLLS_MOST + 1])


def test_a_throw_with_more_outcomes_than_are_decided_has_no_luck(monkeypatch: pytest.MonkeyPatch) -> None:
    timeline = play(opened(two_a_side(), ()), "fire ajax heavy rook pb 3 12", system=SYSTEM)
    monkeypatch.setattr(pricing, "DECIDED_MOST", 2)
    (step,) = throws_of(SYSTEM, SYSTEM.worth, timeline, range(1))
    assert step.throw is not None
    assert (step.throw.left_out, step.luck) == (LeftOut.TOO_MANY_DICE, 0)
