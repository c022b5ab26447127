"""Values made by `core.frozen` are as attrs would have made them."""

import copy
import inspect
import pickle
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, ClassVar

import attrs
import pytest

from qf_tui.core.frozen import Factory, evolve, field, frozen


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


@frozen
class Gun:
    """A class that is made without attrs: fields alone, of which some have a default or are made."""

    _place: str
    barrels: int = 2
    hits: list[int] = field(factory=list)
    notes: Mapping[str, int] = Factory(dict)
    seen: object = field(default=None, eq=False, repr=False, metadata={"unit": "in"})


@attrs.frozen
class AttrsGun:
    """The same made by attrs."""

    _place: str
    barrels: int = 2
    hits: list[int] = field(factory=list)
    notes: Mapping[str, int] = Factory(dict)
    seen: object = field(default=None, eq=False, repr=False, metadata={"unit": "in"})


@pytest.mark.parametrize("more", [{}, {"barrels": 4}, {"hits": [1], "notes": {"a": 1}, "seen": 3}])
@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda gun: pickle.loads(pickle.dumps(gun))])
def test_a_value_is_made_changed_and_copied_as_attrs_does(more: Any, copied: Callable[[Any], Any]) -> None:
    """Catches a default that values share, and a copy that has lost a field."""
    ours: Any = Gun("bow", **more)
    theirs = AttrsGun("bow", **more)
    assert attrs.asdict(ours) == attrs.asdict(theirs)
    assert repr(ours) == repr(theirs).removeprefix("Attrs")
    assert attrs.asdict(evolve(ours, place="aft", barrels=1)) == attrs.asdict(
        evolve(theirs, place="aft", barrels=1)
    )
    again = copied(ours)
    assert (again, again.seen, type(again)) == (ours, ours.seen, Gun)
    assert Gun("bow").hits is not Gun("bow").hits
    left: Any = attrs.NOTHING
    assert Gun("bow", 2, left) == Gun("bow")
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        ours.barrels = 3
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        delattr(ours, "barrels")
    with pytest.raises(AttributeError):
        object.__setattr__(ours, "other", 1)


@pytest.mark.parametrize("given", [(), ("a", 1, [], {}, 0, 0)])
@pytest.mark.parametrize("named", [{}, {"unknown": 1}, {"barrels": 1}])
def test_what_is_not_taken_is_refused_in_the_same_words(given: Any, named: Any) -> None:
    """Catches an `__init__` that names the fields of another class of its shape."""
    said = []
    for kind in (Gun, AttrsGun):
        with pytest.raises(TypeError) as refused:
            kind(*given, **named)
        said.append(str(refused.value).removeprefix("Attrs"))
    assert said[0] == said[1]


def test_attrs_describes_the_fields_as_of_its_own_class() -> None:
    """Catches a converter of structures, or a class made of one, that finds no fields."""
    assert attrs.has(type(Gun("bow")))
    assert list(map(repr, attrs.fields(Gun))) == list(map(repr, attrs.fields(AttrsGun)))
    assert vars(Gun)["__match_args__"] == vars(AttrsGun)["__match_args__"]
    assert list(inspect.signature(Gun).parameters) == list(inspect.signature(AttrsGun).parameters)

    class Stated(Gun):
        armour: int = 0

    made_by: Any = attrs.frozen
    turret_of = made_by(Stated)
    turret = turret_of("bow", armour=9)
    assert repr(turret) == "Stated(_place='bow', barrels=2, hits=[], notes={}, armour=9)"
    assert evolve(turret, barrels=3) == turret_of("bow", 3, armour=9) != Gun("bow", 3)


@frozen(slots=False)
class Turret:
    """A value without slots, which finds something once."""

    barrels: int
    notes: tuple[str, ...] = ()

    @cached_property
    def twice(self) -> int:
        return 2 * self.barrels


@frozen
class Narrow:
    """A value that only attrs evolves."""

    _barrels: int = field(converter=int)


def test_a_value_without_slots_evolves_without_what_it_has_found() -> None:
    """Catches a copy that keeps what was found of another, and one that takes any name."""
    turret = Turret(2, ("bow",))
    assert turret.twice == 4
    other = evolve(turret, barrels=3)
    assert (other, other.twice, turret.twice) == (Turret(3, ("bow",)), 6, 4)
    unknown: Any = {"barrel": 3}
    with pytest.raises(TypeError, match="no field of that name: barrel"):
        evolve(turret, **unknown)
    assert evolve(Narrow("2"), barrels="3") == Narrow(3)


def asking(made_by: Any) -> tuple[Any, ...]:
    """Classes that ask for more than fields."""

    @made_by
    class Converted:
        number: int = field(converter=int, validator=attrs.validators.instance_of(int))
        other: int = field(alias="twin", default=0)

    @made_by
    class Later:
        name: str
        twice: str = Factory(lambda self: self.name * 2, takes_self=True)
        found: list[str] = field(init=False, factory=list)

        @cached_property
        def long(self) -> int:
            return len(self.twice)

    @made_by
    class Marked:
        title: ClassVar = "marked"
        name: str = ""

        def __attrs_post_init__(self) -> None:
            self.found.append(self.name)

        found: list[str] = field(factory=list)

    @made_by
    class Base:
        name: str

        def own(self) -> str:
            return self.name

    @made_by
    class Derived(Base):
        number: int = 0

        def own(self) -> str:
            return super().own() + "!"

    @made_by
    class Named:
        name: str

        @property
        def kind(self) -> Any:
            return __class__  # type: ignore[name-defined]  # what `super` reads

    return Converted, Later, Marked, Derived, Named


def test_a_class_that_asks_for_more_has_it() -> None:
    """Catches a converter, a cached property, a class variable or `super` that is passed over."""

    def seen(made_by: Any) -> list[str]:
        converted, later, marked, derived, named = asking(made_by)
        values = (
            (converted("7", twin=1), later("a"), later("a").long, marked("a"), marked.title),
            (derived("a", 1), derived("a").own(), named("a").kind is named),
        )
        return list(map(repr, values))

    assert seen(frozen) == seen(attrs.frozen)
    assert "True" in seen(frozen)[1]


def test_a_field_without_a_default_behind_one_with_it_is_refused() -> None:
    """Catches a default that goes to the wrong field."""

    class Wrong:
        number: int = 0
        name: str

    with pytest.raises(ValueError, match="name"):
        frozen(Wrong)
