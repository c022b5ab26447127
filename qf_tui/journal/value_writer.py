"""Values of the core as JSON: cattrs writes each from its own declaration, with hooks for what is else."""

from collections.abc import Callable, Mapping
from functools import cache
from operator import attrgetter
from typing import Any

from cattrs import Converter
from cattrs.gen import make_dict_unstructure_fn, override

from qf_tui.core.acts import Correction, Entry, Ruling, Version
from qf_tui.core.charts import Charts
from qf_tui.core.decisions import Decision, Reason, Results
from qf_tui.core.effects import Effect, Op
from qf_tui.core.facts import Fact
from qf_tui.core.grammar.order import Order
from qf_tui.core.measure import Scalar
from qf_tui.core.values import Act, Battle, Die, Mark, Owed, Ship
from qf_tui.journal.validators import write_die, write_reason

_Hook = Callable[[Any], Any]
_Make = Callable[[Any, Converter], _Hook]


@cache
def writer() -> Converter:
    """A converter that leaves out what is as it is by default."""
    coder = Converter(omit_if_default=True)
    plain = (int, str, bool, float, Scalar, Fact)
    for kind in plain:
        coder.register_unstructure_hook(kind, lambda value: value)
    coder.register_unstructure_hook(Die, write_die)
    coder.register_unstructure_hook(Reason, write_reason)
    coder.register_unstructure_hook(Order, attrgetter("resolved"))
    coder.register_unstructure_hook_func(lambda kind: kind == Results, dict)
    coder.register_unstructure_hook_factory(_MADE.__contains__, lambda kind: _MADE[kind](kind, coder))
    return coder


_VALUES: Mapping[Op, Any] = {
    Op.MARK: Mark,
    Op.ACT: Act,
    Op.OWE: Owed,
    Op.PHASE: tuple[int, bool],
    Op.JOIN: Ship,
    Op.CHART: Charts,
}
"""The value of each kind of effect that has more than one part."""


def _effect(_: Any, coder: Converter) -> _Hook:
    """An effect is a list: its kind, ship, field and value, and true for one by hand."""

    def unstructure(effect: Effect) -> list[object]:
        kind = _VALUES.get(effect.op)
        value = effect.value if kind is None else coder.get_unstructure_hook(kind)(effect.value)
        parts: list[object] = [effect.op, effect.ship, effect.field, value]
        return [*parts, True] if effect.hand else parts

    return unstructure


def _by_fields(**overrides: Any) -> _Make:
    """A value by its fields, some under another key or left out."""
    return lambda kind, coder: make_dict_unstructure_fn(
        kind, coder, _cattrs_omit_if_default=True, **overrides
    )


def _flat(part: str, **overrides: Any) -> _Make:
    """A value by its fields, one part of which is written among them."""

    def make(kind: Any, coder: Converter) -> _Hook:
        unstructure = _by_fields(**overrides)(kind, coder)

        def unstructure_flat(value: object) -> dict[str, object]:
            body: dict[str, object] = {}
            for key, each in unstructure(value).items():
                body.update(each if key == part else {key: each})
            return body

        return unstructure_flat

    return make


def _version(kind: Any, coder: Converter) -> _Hook:
    """A version: text, dice, `forced` and `call` of its order beside each other, then what it has else."""
    rest = _by_fields(order=override(omit=True))(kind, coder)

    def unstructure(version: Version) -> dict[str, object]:
        body: dict[str, object] = {"order": version.order.resolved}
        if version.order.dice:
            body["dice"] = version.order.dice
        if version.order.forced:
            body["forced"] = True
        if version.call is not None:
            body["call"] = version.call
        return {**body, **rest(version)}

    return unstructure


_MADE: Mapping[Any, _Make] = {
    Owed: _by_fields(),
    Battle: _by_fields(**dict.fromkeys(("began", "reserve", "plan"), override(omit=True))),
    Effect: _effect,
    Decision: _by_fields(reasons=override(rename="because")),
    Ruling: _flat("decision"),
    Version: _version,
    Entry: _flat("version", number=override(rename="n")),
    Correction: _by_fields(number=override(rename="n"), kind=override(rename="correction")),
}
"""How the values are written that are not written as they are declared."""
