"""What ships are worth by parts and weights, what an outcome counts, and what is told of losses."""

import pytest
from attrs import evolve

from qf_tui.core.declarations import AFLOAT_ALONE, ResultKind, Worth, WorthPart, kind_of, losses, of_damage
from qf_tui.core.errors import QfError
from qf_tui.core.text import Scalar
from qf_tui.core.values import SUNK, WITHDRAWN, Mark
from tests.corrections.scripts import two_a_side

WORTH = Worth(
    (
        WorthPart("hull", "the ship herself", 5, lambda ship: 1),
        WorthPart("fires", "each fire", 2, lambda ship: len(ship.marks), less=True),
        WorthPart("name", "each letter of her name", 0, lambda ship: 1 / 0),
    )
)


@pytest.mark.parametrize(
    ("status", "fires", "weights", "worth"),
    [
        ("afloat", 0, {}, 5),
        ("afloat", 2, {}, 1),
        ("afloat", 3, {}, 0),
        ("afloat", 1, {"fires": 0.5}, 4.5),
        ("afloat", 1, {"hull": 0}, 0),
        (WITHDRAWN, 0, {}, 5),
        (SUNK, 0, {}, 0),
        ("aground", 0, {}, 0),
    ],
)
def test_a_ship_is_worth_the_sum_of_her_parts_and_never_less_than_nothing(
    status: str, fires: int, weights: dict[str, float], worth: float
) -> None:
    ship = two_a_side().ships["rook"]
    burning = evolve(ship, status=status, marks=(*ship.marks, *(Mark("1/fires/1", "fires"),) * fires))
    assert WORTH.weighted(weights).of_ship(burning) == worth


def test_weights_are_of_parts_that_there_are_and_are_said_in_words() -> None:
    with pytest.raises(QfError, match="no part hul; the parts are hull, fires, name"):
        WORTH.weighted({"hul": 3, "hull": 1})
    assert list(WORTH.words()) == ["5 for the ship herself", "less 2 for each fire"]
    battle = two_a_side()
    assert AFLOAT_ALONE.of_side(battle, "red") == sum(ship.side == "red" for ship in battle.ships.values())


@pytest.mark.parametrize(
    ("outcome", "counted"),
    [
        ({}, 0),
        ({"hits": ("S", "G")}, 2),
        ({"hits": ("out", "S")}, 1),
        ({"hits": "G"}, 1),
        ({"hits": True}, 1),
        ({"hits": 3, "blast": ("E",), "points": 9}, 4),
        ({"hits": None}, 0),
    ],
)
def test_results_are_counted_by_what_an_outcome_states(
    outcome: dict[str, Scalar | tuple[str, ...]], counted: int
) -> None:
    kind = ResultKind("guns", "damage", ("fire",), ("hits", "blast"), each=lambda code: int(code != "out"))
    assert kind.counted(outcome) == counted


def test_the_first_kind_of_a_line_counts_and_damage_is_named() -> None:
    guns, fires = ResultKind("guns", "", ("fire",), (), damage=True), ResultKind("fires", "", ("check",), ())
    assert (kind_of((guns, fires), "check"), kind_of((guns, fires), "next")) == (fires, None)
    assert of_damage((guns, fires)) == ("guns",)


@pytest.mark.parametrize(
    ("was", "became", "said"),
    [
        ("afloat", SUNK, ["{} sinks"]),
        ("afloat", "aground", ["{} is aground"]),
        ("aground", "afloat", []),
        (SUNK, SUNK, []),
    ],
)
def test_a_ship_is_told_of_as_she_is_lost(was: str, became: str, said: list[str]) -> None:
    start = two_a_side()
    rook = start.ships["rook"]
    before, after = (start.with_ship(evolve(rook, status=status)) for status in (was, became))
    found = list(losses(before, after))
    assert [(one.text, one.ship, one.lost) for one in found] == [
        (text.format(rook.name), "rook", True) for text in said
    ]
