"""Methods against what the rules attest."""

import pytest

from qf_tui.library.navies import Register, register
from qf_tui.library.rated_cards import attested_errors, odd_values
from tests.systems import our_systems

SYSTEMS = our_systems()


@pytest.fixture(scope="module")
def ships() -> Register:
    return register()


@pytest.mark.parametrize(
    ("system", "least"), [("advanced-quickfire", 10), ("quickfire", 2), ("quickfire-clone", 7), ("gq2", 0)]
)
def test_attested_values_are_reproduced_within_one_point(system: str, least: int, ships: Register) -> None:
    errors = attested_errors(SYSTEMS[system], ships)
    assert len(errors) >= least
    assert [one for one in errors if abs(one.error) > 1] == []


def test_the_ends_and_those_far_from_their_kind_are_odd(ships: Register) -> None:
    odd = odd_values(SYSTEMS["advanced-quickfire"], ships)
    assert [one.ship for one in odd if one.key == "speed" and one.why == "highest"] == ["Leitenant Burakov"]
    assert any(one.ship == "Powerful" and "protected-cruiser" in one.why for one in odd)
