"""What a rule system that leaves a part out does.

The defaults of the base class, and the orders that it could get.
"""

from collections.abc import Mapping

import pytest

from qf_tui.core.declarations import usual_scale
from qf_tui.core.grammar import kinds
from qf_tui.core.grammar.kinds import flag
from qf_tui.core.possible_orders import possible_orders
from qf_tui.core.system import Field, Phase, PreparedOrder, RuleSystem, Scale, Setup
from qf_tui.core.text import Scalar
from qf_tui.core.values import Die, Form, Order, Slot, replace
from tests.core.playing import battle

D6 = Die(6)
HAIL = Form(
    "hail",
    "h",
    "Hail",
    (Slot("ship", kinds.SHIP, "who"), Slot("target", kinds.SHIP, "whom"), flag("loud", "aloud")),
    phases=("sail",),
)


class Least(RuleSystem):
    """The least that a system says."""

    name, title = "least", "Least"
    phases = (Phase("sail", "Sail"),)
    fields = (Field("hull", "hull"), Field("fires", "fires", "marks"), Field("status", "status", "status"))
    columns = ()
    forms = (HAIL,)

    def muster(self, card: Mapping[str, Scalar], setup: Setup) -> Mapping[str, Scalar]:
        return {}

    def prepare(self, battle: object, order: Order) -> PreparedOrder:
        return PreparedOrder()


def test_a_system_says_at_least_how_ships_muster_and_what_orders_do() -> None:
    """Catches a part that is left out and missed only in mid-battle."""

    class Less(RuleSystem):
        """Nothing at all."""

    with pytest.raises(TypeError, match="abstract"):
        Less()  # type: ignore[abstract]  # the fault itself


def test_what_is_left_out_does_nothing_and_says_so() -> None:
    start, system = battle(), Least()
    ship = start.ships["ant"]
    assert system.prepare_damage(start, "ant", ("H",)).findings[0].text == "Least has no damage codes"
    assert (system.advice(start), system.sheet(start, ship), system.ended(start)) == ((), (), "")
    assert system.report(start, ship) == {"hull": ship.log["hull"], "fires": 0, "status": "afloat"}
    assert system.on_table(start, start) == ()
    gone = start.with_ship(replace(ship, status="sunk"))
    assert system.on_table(start, gone) == ((ship.side, f"{ship.name}: SUNK: remove the model"),)
    assert system.on_table(gone, start) == ((ship.side, f"{ship.name}: afloat again: put it back"),)


def test_who_may_act_is_by_default_whoever_has_an_order_that_is_accepted() -> None:
    start = battle()
    assert {one.ship for one in Least().may_act(start)} == set(start.ships)
    assert {one.order for one in Least().may_act(start)} == {"hail"}


def test_dice_that_a_result_needs_are_all_unless_an_order_says_otherwise() -> None:
    ready = PreparedOrder(dice=(D6, D6))
    assert [ready.missing(faces) for faces in ((), (4,), (4, 4))] == [(D6, D6), (D6,), ()]
    assert replace(ready, prompt="go").prompt == "go"
    with pytest.raises(TypeError):
        PreparedOrder((), (D6,))  # type: ignore[call-arg]  # the fault itself


def test_the_orders_of_a_form_are_tried_with_each_target_and_each_flag_alone() -> None:
    start = battle()
    found = [order.resolved for order in possible_orders(HAIL, start, start.ships["ant"])]
    plain = [f"hail ant {id}" for id in start.ships]
    assert found == [*plain, *(f"{order} loud" for order in plain)]


def test_a_form_that_no_ship_acts_in_has_no_order_of_a_ship() -> None:
    start = battle()
    sides = Form("parley", "", "Parley", (Slot("side", kinds.SIDE, "who"),))
    words = Form("sing", "", "Sing", (Slot("ship", kinds.SHIP, "who"), Slot("song", kinds.TEXT, "what")))
    assert not [
        *possible_orders(sides, start, start.ships["ant"]),
        *possible_orders(words, start, start.ships["ant"]),
    ]


def test_the_usual_scale_is_the_one_marked_or_the_first() -> None:
    small, large = Scale("small", "in", "in"), Scale("large", "in", "in")
    assert usual_scale((small, large)) is small
    assert usual_scale((small, Scale("large", "in", "in", usual=True))).name == "large"
