"""Values made by `core.frozen` are as attrs would have made them."""

from typing import Any

import attrs
import pytest

from qf_tui.core.frozen import field, frozen


def classes(made_by: Any) -> tuple[Any, ...]:
    """The same classes by ours and by attrs': of no field, of one, of several, and others."""

    @made_by
    class Nothing:
        pass

    @made_by
    class One:
        name: str

    @made_by(kw_only=True)
    class Several:
        name: str
        number: int = 0
        unread: object = field(default=None, eq=False, repr=False)
        listed: object = field(default=(), hash=False, repr=False)

    @made_by
    class Keyed:
        name: str = field(eq=str.casefold)

    @made_by
    class Own:
        name: str

        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 7

        def __repr__(self) -> str:
            return "own"

    return Nothing, One, Several, Keyed, Own


@pytest.mark.parametrize("made_by", [attrs.frozen, frozen])
def test_values_are_compared_and_shown_as_attrs_does(made_by: Any) -> None:
    """Catches a field that counts and should not, and an equality between classes."""
    nothing, one, several, keyed, own = classes(made_by)
    assert nothing() == nothing()
    assert (nothing() == 0, nothing() != 0, one("a") == "a", one("a") == several(name="a")) == (
        False,
        True,
        False,
        False,
    )
    assert one("a") != one("b")
    assert len({one("a"), one("a"), one("b")}) == 2
    assert several(name="a", unread=[]) == several(name="a", unread=1) != several(name="a", number=1)
    assert hash(several(name="a", unread=[])) == hash(several(name="a"))
    assert several(name="a", listed=[]) != several(name="a")
    assert hash(several(name="a", listed=[])) == hash(several(name="a"))
    assert keyed("a") == keyed("A") != keyed("b")
    assert hash(keyed("a")) == hash(keyed("A"))
    assert (own("a") == own("b"), hash(own("a")), repr(own("a"))) == (True, 7, "own")
    assert repr(several(name="a", number=2)) == "Several(name='a', number=2)"
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        one("a").name = "b"


def test_a_class_without_equality_goes_by_identity() -> None:
    """Catches what is to be found by itself alone, and is taken for another with the same fields."""

    @frozen(eq=False)
    class Itself:
        parts: list[int]

    assert Itself([]) != Itself([])
    assert len({Itself([]), Itself([])}) == 2
