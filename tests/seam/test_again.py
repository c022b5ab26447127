"""A phase that a turn has several of: the turn goes on only when it is told that there is no other."""

from collections.abc import Mapping

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.grammar.forms import Form
from qf_tui.core.system import Column, Field, Phase, Shape
from qf_tui.core.values import Battle, Ship
from tests.seam.bare import Bare
from tests.seam.battles import begin


def _another(battle: Battle) -> bool:
    return len(battle.done("shot", "")) < 2


class Twice(Bare):
    """Two shooting phases a turn, and nothing else in it."""

    name = "twice"
    title = "Twice"
    phases = (Phase("shoot", "Shoot", slashes=True, again=_another),)
    fields: tuple[Field, ...] = ()
    columns: tuple[Column, ...] = ()
    forms: tuple[Form, ...] = ()
    clauses: Mapping[str, str] = {}

    def leave(self, battle: Battle, builder: DecisionBuilder, carried: bool) -> bool:
        builder.remember("shot", "")
        return True

    def report(self, battle: Battle, ship: Ship) -> Mapping[str, Shape]:
        return {}


def test_a_phase_that_comes_again_begins_anew_within_its_turn() -> None:
    """Catches a turn counted at the first of two, and slashes that reach into the second."""
    session = begin(Twice(), {})
    seen = []
    for number in range(4):
        session.enter("next")
        seen.append((session.battle.turn, session.battle.phase, session.battle.opened))
        assert session.battle.opened == number + 1
    assert [turn for turn, _, _ in seen] == [1, 2, 2, 3]


def test_a_struck_end_leaves_one_phase_the_less() -> None:
    session = begin(Twice(), {})
    for _ in range(4):
        session.enter("next")
    session.enter("strike 1")
    assert (session.battle.turn, session.battle.phase) == (2, "shoot")
