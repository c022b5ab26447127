"""Damage codes of General Quarters 2: what is kept and typed is read as what it means."""

import pytest

from qf_tui.rules.gq2.damage import CodeKind, DamageCode, damage_code


@pytest.mark.parametrize(
    ("text", "kind", "halves"),
    [
        ("H", CodeKind.HULL, 2),
        ("h1.5", CodeKind.HULL, 3),
        ("A0.5", CodeKind.ARMAMENT, 1),
        ("A½", CodeKind.ARMAMENT, 1),
        ("A0", CodeKind.ARMAMENT, 0),
        ("H199½", CodeKind.HULL, 399),
        ("c", CodeKind.CRITICAL, 0),
        ("CA", CodeKind.PENETRATED, 0),
        ("S", CodeKind.SINKING, 0),
        ("Sunk", CodeKind.BROKEN_UP, 0),
    ],
)
def test_a_code_is_what_it_means(text: str, kind: CodeKind, halves: int) -> None:
    """Catches an armament box counted as hull, and a half box lost or taken whole."""
    assert damage_code(text) == DamageCode(kind, halves)


@pytest.mark.parametrize("text", ["", "X", "H1.3", "H½½", "CC", "H٣", "H1000", "½", "H099"])
def test_what_is_no_code_means_nothing(text: str) -> None:
    assert damage_code(text) is None


@pytest.mark.parametrize("kind", [CodeKind.HULL, CodeKind.ARMAMENT])
def test_boxes_are_read_as_they_were_written(kind: CodeKind) -> None:
    """Catches a way of writing boxes that luck would count otherwise."""
    for halves in range(400):
        code = DamageCode(kind, halves)
        assert damage_code(code.in_decimals) == damage_code(code.in_fractions) == code
