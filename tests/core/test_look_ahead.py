"""The limits of the look-ahead, tested on both sides of each number."""

from collections.abc import Mapping
from unittest.mock import Mock

import pytest
from attrs import evolve

from qf_tui.core.availability import find_volleys, list_able_ships
from qf_tui.core.builtin_orders import list_phase_blockers
from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.declarations import Measure, Need, PreparedOrder
from qf_tui.core.errors import OrderRefused
from qf_tui.core.grammar.names import are_dice, list_similar_names, read_faces
from qf_tui.core.grammar.reader import Reading
from qf_tui.core.odds import compute_chances, list_needs, list_outcomes
from qf_tui.core.values import Die, Faces, Order, Owed
from qf_tui.rules.gq2 import SYSTEM as GQ2
from qf_tui.session.session import OrderPreview
from qf_tui.session.typed_dice import read_dice
from tests.core.playing import battle, play, ship, start
from tests.rules.gq2 import tables
from tests.tiny import SHOOT

D6, D12 = Die(6), Die(12)


def build_pool(number: int) -> PreparedOrder:
    """Build a roll of equal dice whose total counts."""
    return PreparedOrder(
        dice=(D6,) * number,
        judge=lambda faces: (int(sum(faces) > number),),
        odds=(Measure("hits", 0),),
        needs=(Need("hits", 0, tuple(range(number))),),
    )


def test_chances_and_needs_cover_at_most_five_dice() -> None:
    assert (len(compute_chances(build_pool(5))), len(list_needs(build_pool(5)))) == (1, 1)
    assert (compute_chances(build_pool(6)), list_needs(build_pool(6))) == ((), ())


def test_chances_and_needs_judge_each_throw_once() -> None:
    judge = Mock(return_value=(1,))
    ready = evolve(build_pool(2), judge=judge)
    assert compute_chances(ready)
    assert list_needs(ready)
    assert judge.call_count == 21


@pytest.mark.parametrize(("dice", "told"), [((Die(60),), True), ((Die(61),), False)])
def test_outcomes_cover_at_most_sixty_throws(dice: tuple[Die, ...], told: bool) -> None:
    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        builder.because("sinks" if faces[0] == 1 else "stays", of="Ant")

    asked = Owed("0/sinking/ant/1", "sinking", "ant", "does Ant sink?", dice)
    ready = PreparedOrder(dice=dice, decide=decide)
    assert bool(list_outcomes(battle(), asked, ready)) is told


def test_up_to_thirty_digits_without_a_space_are_dice() -> None:
    assert are_dice("1" * 30)
    assert not are_dice("1" * 31)


@pytest.mark.parametrize(("number", "said"), [(8, "sister-7:"), (9, "sister-7 and 1 more:")])
def test_at_most_eight_ships_are_named_for_ambiguous_letters(number: int, said: str) -> None:
    sisters = [ship(f"sister-{at}", name=f"sister-{at}") for at in range(number)]
    with pytest.raises(OrderRefused, match=said) as refused:
        play(start(*sisters), "tend sis")
    assert str(refused.value).count("sister-") == 8


def test_at_most_five_similar_names_are_suggested() -> None:
    names = [f"Mikas{letter}" for letter in "bcdefg"]
    assert len(list_similar_names("mikasa", names[:5])) == 5
    assert len(list_similar_names("mikasa", names)) == 5


@pytest.mark.parametrize(("number", "more"), [(12, ""), (13, " and 1 more")])
def test_at_most_twelve_rolls_that_hold_a_phase_are_named(number: int, more: str) -> None:
    rolls = tuple(Owed(f"1/roll/ant/{at}", "roll", "ant", f"roll {at}", (D6,)) for at in range(number))
    (held,) = list_phase_blockers(evolve(battle(), owed=rolls))
    assert held.text.endswith(f"1/roll/ant/11: roll 11{more} (`force next` carries them over)")


def test_ships_that_may_act_are_cached_for_four_battles() -> None:
    one = tables.battle()
    battles = [evolve(one, doubts=(at,)) for at in range(5)]
    found = [list_able_ships(GQ2, each) for each in battles[:4]]
    assert list_able_ships(GQ2, battles[0]) is found[0], "the fourth but one is kept"
    list_able_ships(GQ2, battles[4])
    assert list_able_ships(GQ2, battles[0]) is found[0], "who was asked about again is kept longest"
    assert list_able_ships(GQ2, battles[1]) is not found[1], "the fifth is not"


@pytest.mark.parametrize(("enemies", "asked"), [(1, 6), (3, 18), (4, 19)])
def test_a_volley_asks_about_six_ranges_at_a_target_and_nineteen_in_all(enemies: int, asked: int) -> None:
    """Take a ship without ammunition, so that every shot is refused."""
    ships = [tables.ship(f"rook-{at}", "red") for at in range(enemies)]
    here = tables.played(tables.battle(tables.ship("ajax"), *ships), "mark ajax ammo 0").battle
    (volley,) = find_volleys(GQ2, "gunnery")
    system = Mock(wraps=GQ2)
    assert volley.find_refusal(system, here, here.ships["ajax"], "6-inch") is not None
    assert system.prepare.call_count == asked


READINGS: Mapping[str, bool] = {"11111": True, "1113111": False}
"""Digits of twelve-sided dice that have 8 readings, and 9."""


@pytest.mark.parametrize(("text", "asked"), READINGS.items())
def test_the_rules_are_asked_about_at_most_eight_readings_of_dice(text: str, asked: bool) -> None:
    asks = OrderPreview(dice=(D12,) * len(text))
    session = Mock(calls=False, throw=None, preview_order=Mock(return_value=asks))
    typed = read_dice(session, Reading(dice=text, order=Order(SHOOT, {}, read_faces(text))))
    assert session.preview_order.call_count == 1 + (8 if asked else 0)
    assert f"can be read in {8 if asked else 9} ways" in typed.doubt
    assert typed.doubt.count(", or ") == 3
