"""Words around names."""

import pytest

from qf_tui.core.text import whose


@pytest.mark.parametrize(
    ("name", "expected"), [("Mikasa", "Mikasa's"), ("Three boat guns", "Three boat guns'")]
)
def test_a_name_as_owner_has_no_second_s(name: str, expected: str) -> None:
    assert whose(name) == expected
