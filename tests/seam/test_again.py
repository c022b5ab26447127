"""A phase that a turn has several of: the turn goes on only when it is told that there is no other."""

from collections.abc import Mapping

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.system import Phase, PreparedOrder, RuleSystem, Setup
from qf_tui.core.text import Scalar
from qf_tui.core.values import Battle, Order
from tests.seam.battles import begin


def _another(battle: Battle) -> bool:
    return len(battle.done("shot", "")) < 2


class Twice(RuleSystem):
    """Two shooting phases a turn, and nothing else in it."""

    name = "twice"
    title = "Twice"
    phases = (Phase("shoot", "Shoot", slashes=True, again=_another),)
    fields = ()
    columns = ()
    forms = ()

    def muster(self, card: Mapping[str, Scalar], setup: Setup) -> Mapping[str, Scalar]:
        return {}

    def prepare(self, battle: Battle, order: Order) -> PreparedOrder:
        raise AssertionError("it has no orders")

    def leave(self, battle: Battle, builder: DecisionBuilder, carried: bool) -> None:
        builder.remember("shot", "")


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
