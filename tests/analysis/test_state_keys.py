"""Which states of ships come to the same: all that a roll may read tells them apart, and nothing else."""

import pytest
from attrs import evolve

from qf_tui.analysis.pricing import StateKeys
from qf_tui.core.values import Act, Battle, Die, Mark, Owed
from tests.corrections.scripts import two_a_side

FIRE = Mark("4/fires/1", "fires", "F", turn=1)
ROLL = Owed("4/explosion/rook/1", "explosion", "rook", "explosion of Rook", (Die(12),))
DONE = Act(1, "gunnery", "fired", "rook")


def battle(*marks: Mark, owed: tuple[Owed, ...] = (ROLL,), done: tuple[Act, ...] = (DONE,)) -> Battle:
    start = two_a_side()
    ships = {**start.ships, "rook": evolve(start.ships["rook"], marks=marks)}
    return evolve(start, ships=ships, owed=owed, acts=done)


@pytest.mark.parametrize(
    ("other", "same"),
    [
        (battle(evolve(FIRE, id="9/fires/1")), True),
        (battle(evolve(FIRE, turn=3)), True),
        (battle(FIRE, evolve(FIRE, id="2/fires/1", lifted=True)), True),
        (battle(FIRE, owed=(evolve(ROLL, key="9/explosion/rook/1"),)), True),
        (battle(FIRE, done=(DONE, evolve(DONE, ship="crow"))), True),
        (battle(), False),
        (battle(evolve(FIRE, until=7)), False),
        (battle(evolve(FIRE, text="heavy")), False),
        (battle(FIRE, owed=(evolve(ROLL, late=True),)), False),
        (battle(FIRE, owed=(evolve(ROLL, faces=(3,)),)), False),
        (battle(FIRE, owed=(evolve(ROLL, facts={"hits": 2}),)), False),
        (battle(FIRE, done=()), False),
        (battle(FIRE, done=(DONE, evolve(DONE, ship=""))), False),
    ],
)
def test_states_are_alike_that_rolls_cannot_tell_apart(other: Battle, same: bool) -> None:
    before = evolve(battle(), acts=())
    kept = battle(FIRE).ships["rook"].card
    like, another = (
        StateKeys(before, ("rook",)).of(
            evolve(one, ships={**one.ships, "rook": evolve(one.ships["rook"], card=kept)})
        )
        for one in (battle(FIRE), other)
    )
    assert (like == another) is same
