"""Figures in a save that no ship has: told at once, and never counted out."""

import pytest
from attrs import evolve

from qf_tui.core.errors import QfError
from qf_tui.core.grammar.names import listed_names
from qf_tui.core.text import Scalar
from qf_tui.core.timeline import opened
from qf_tui.core.values import Battle
from qf_tui.session.saves import check_sense, timeline_by
from tests.core.playing import battle as tiny_battle
from tests.systems import OURS, our_battles
from tests.tiny import SYSTEM as TINY
from tests.tiny import Tiny

ABSURD = 10**14


def _with(start: Battle, more: dict[str, Scalar], *, card: bool) -> Battle:
    """A battle whose first ship has other figures."""
    ship = next(iter(start.ships.values()))
    ship = evolve(ship, card={**ship.card, **more}) if card else evolve(ship, log={**ship.log, **more})
    return evolve(start, ships={**start.ships, ship.id: ship}, began=None)


@pytest.mark.parametrize("rules", OURS)
@pytest.mark.parametrize("figure", [ABSURD, -ABSURD, 1e300])
def test_no_figure_of_a_ship_takes_for_ever(rules: str, figure: float) -> None:
    """Catches a save that hangs whoever opens it, or fills his memory with boxes: each figure of a ship."""
    system, start = next(one for one in our_battles().values() if one[0].name == rules)
    ship = next(iter(start.ships.values()))
    for card, values in ((True, ship.card), (False, ship.log)):
        for name, value in values.items():
            if isinstance(value, int | float) and not isinstance(value, bool):
                wrong = _with(start, {name: figure}, card=card)
                with pytest.raises(QfError, match=rf"{name} of {ship.id} is "):
                    timeline_by(system, wrong, ())
                with pytest.raises(QfError, match="cannot make sense"):
                    check_sense(system, opened(wrong, ()).battle)


class _Vast(Tiny):
    """Tiny, of hulls as large as it states."""

    fields = tuple(evolve(field, most=ABSURD) if field.name == "hull" else field for field in Tiny.fields)


def test_a_rule_system_may_state_larger_figures() -> None:
    """Catches a save that its own rules made and nobody can open."""
    vast = _with(tiny_battle(), {"hull": ABSURD}, card=False)
    assert timeline_by(_Vast(), vast, ()).battle.start == vast
    with pytest.raises(QfError, match="hull of"):
        timeline_by(TINY, vast, ())


def test_names_are_listed_as_far_as_the_card_has_any() -> None:
    """Catches as many names as a card says that it lists."""
    start = _with(our_battles()["gq2-dogger-bank-1915"][1], {"battery": ABSURD}, card=True)
    ship = next(iter(start.ships.values()))
    assert len(listed_names(ship, "battery")) < len(ship.card)
