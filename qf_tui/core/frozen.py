"""The frozen values of the program: what `attrs.frozen` makes of a class, mostly in a third of the time.

attrs compiles methods for each class anew, and a console makes two hundred before its first picture. Here
classes with as many fields share the code of `__init__`, in which only the names differ, and all classes what
compares and shows their values. A class that asks for more (a base, a cached property, keywords) attrs makes.
"""

from collections.abc import Callable, Mapping
from functools import cache, cached_property
from operator import attrgetter
from types import FunctionType
from typing import TYPE_CHECKING, Any, ClassVar

import attrs
from attrs import NOTHING
from attrs import Factory as Factory
from attrs import asdict as asdict
from attrs import define as define
from attrs import evolve as evolve
from attrs import field as field
from attrs import fields as fields
from attrs import frozen as frozen

_attrs: Any = attrs
_PLAIN = _attrs.field()
_FROZEN = _attrs.frozen(type("Frozen", (), {}), slots=False, init=False, repr=False, eq=False)
_OWN = {"__init__", "__attrs_pre_init__", "__attrs_post_init__", "__setattr__", "__getstate__", "__slots__"}
_MORE = ("init", "eq_key", "order_key", "_validator", "converter", "kw_only", "alias", "on_setattr")
"""What may be said of a field that only attrs does."""


def _frozen(kind: type | None = None, *, eq: bool = True, **how: Any) -> Any:
    """What `attrs.frozen` makes."""
    if kind is None:
        return lambda kind: _frozen(kind, eq=eq, **how)
    own = vars(kind)
    parts = None if how else _fields_of(kind)
    # Where a field counts only by a key made of it, attrs writes the whole.
    keyed = parts is None and eq and any(getattr(part, "eq_key", None) for part in own.values())
    made: Any = attrs.frozen(kind, eq=keyed, repr=False, **how) if parts is None else _made(kind, parts)
    if eq and not keyed and "__eq__" not in own:
        made.__eq__, made.__hash__ = _compared(made)
    if "__repr__" not in own:
        made.__repr__ = _shown
    return made


def _fields_of(kind: Any) -> tuple[Any, ...] | None:
    """The fields of a class as attrs describes them; None where it asks for more than fields."""
    own = vars(kind)
    if own.keys() & _OWN or any(vars(base).get("__slots__") != () for base in kind.__mro__[1:-1]):
        return None
    for value in own.values():
        function = getattr(value, "fget", getattr(value, "__func__", value))
        # What is closed over may be the class itself, and there will be another.
        if isinstance(value, cached_property) or getattr(function, "__closure__", None):
            return None
    parts: list[Any] = []
    for name, kept in kind.__annotations__.items():
        default, stated = own.get(name, NOTHING), _PLAIN
        if isinstance(default, type(_PLAIN)):
            default, stated = default._default, default
            if any(getattr(stated, more) != getattr(_PLAIN, more) for more in _MORE):
                return None
        late = default is NOTHING and parts and parts[-1].default is not NOTHING
        if late or getattr(kept, "__origin__", kept) is ClassVar:
            return None
        how = stated.repr, None, stated.hash, True, False, stated.metadata, kept
        parts.append(_attrs.Attribute(name, default, None, *how, eq=stated.eq, alias=name.lstrip("_")))
    return tuple(parts)


def _made(kind: Any, parts: tuple[Any, ...]) -> Any:
    """A class anew, with the slots and methods that attrs would give it."""
    names = [part.name for part in parts]
    old = {*names, "__dict__", "__weakref__"}
    body = {name: value for name, value in vars(kind).items() if name not in old}
    body |= {"__qualname__": kind.__qualname__, "__slots__": (*names, "__weakref__")}
    body |= {"__attrs_attrs__": parts, "__match_args__": tuple(names), "__setstate__": _restored}
    body |= {name: getattr(_FROZEN, name) for name in ("__setattr__", "__delattr__")}
    made: Any = type(kind)(kind.__name__, kind.__bases__, body)
    scope = {f"keep{number}": vars(made)[name].__set__ for number, name in enumerate(names)}
    for number, part in enumerate(parts):
        if isinstance(part.default, _attrs.Factory):
            scope[f"keep{number}"] = _or_anew(scope[f"keep{number}"], part.default)
    code = _init_of(len(parts)).replace(co_varnames=("self", *(part.alias for part in parts)))
    given = [part.default for part in parts if part.default is not NOTHING]
    defaults = (NOTHING if isinstance(default, _attrs.Factory) else default for default in given)
    made.__init__ = FunctionType(code, scope, "__init__", tuple(defaults))
    made.__init__.__qualname__ = f"{kind.__qualname__}.__init__"
    return made


@cache
def _init_of(count: int) -> Any:
    """The code of an `__init__` that keeps so many values."""
    values = [f"value{number}" for number in range(count)]
    lines = [f"def __init__({', '.join(['self', *values])}):", " pass"]
    lines += [f" keep{number}(self, {value})" for number, value in enumerate(values)]
    return compile("\n".join(lines), __name__, "exec").co_consts[0]


def _or_anew(keep: Callable[[Any, Any], None], default: Any) -> Callable[[Any, Any], None]:
    # Apart from the code of `__init__`, so that more classes share one.
    make: Callable[..., Any] = default.factory
    if default.takes_self:
        return lambda self, value: keep(self, make(self) if value is NOTHING else value)
    return lambda self, value: keep(self, make() if value is NOTHING else value)


def _restored(self: object, state: tuple[None, dict[str, object]]) -> None:
    for name, value in state[1].items():
        object.__setattr__(self, name, value)


def _compared(kind: Any) -> tuple[Callable[[Any, object], bool], Callable[[Any], int]]:
    """Whether two values of a class are equal, and the hash of one: by all fields that count."""
    compared = [part for part in attrs.fields(kind) if part.eq]
    parts = attrgetter("__class__", *(part.name for part in compared))
    hashed = attrgetter("__class__", *(part.name for part in compared if part.hash is not False))

    def equal(self: Any, other: Any) -> bool:
        return parts(self) == parts(other) if other.__class__ is self.__class__ else NotImplemented

    return equal, lambda self: hash(hashed(self))


def _shown(self: Any) -> str:
    parts = (f"{part.name}={getattr(self, part.name)!r}" for part in attrs.fields(type(self)) if part.repr)
    return f"{type(self).__qualname__.rpartition('>.')[2]}({', '.join(parts)})"


@cache
def _shape(kind: Any) -> tuple[Callable[[Any], tuple[Any, ...]], Mapping[str, int]] | None:
    """How to read all fields of a class of values, and their places; None where some are not given so."""
    every = attrs.fields(kind)
    if len(every) < 2 or any(part.kw_only or not part.init for part in every):
        return None
    return attrgetter(*[part.name for part in every]), {part.alias: at for at, part in enumerate(every)}


@cache
def _copied(kind: Any) -> int | None:
    """How many fields values without slots have; None where to copy is not enough."""
    fields = attrs.fields(kind)
    for part in fields:
        asks = part.converter or part.validator or not part.init or part.alias != part.name
        if asks or hasattr(kind, part.name):
            return None
    return len(fields)


def _evolve(value: Any, /, **changes: Any) -> Any:
    """What `attrs.evolve` makes, in a quarter of the time; of a class without slots in an eighth."""
    kind = value.__class__
    count = _copied(kind)
    if count is not None:
        made = kind.__new__(kind)
        kept = made.__dict__
        kept.update(value.__dict__)
        # What was found of the value once stands behind its fields.
        while len(kept) > count:
            kept.popitem()
        kept.update(changes)
        if len(kept) > count:
            raise TypeError(f"{kind.__name__} has no field of that name: {', '.join(changes)}")
        return made
    shape = _shape(kind)
    if shape is None:
        return attrs.evolve(value, **changes)
    read, places = shape
    parts = list(read(value))
    for name, part in changes.items():
        parts[places[name]] = part
    return kind(*parts)


if not TYPE_CHECKING:
    # Who checks types knows attrs' own.
    frozen, evolve = _frozen, _evolve
