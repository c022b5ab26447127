"""All throws that an entry could have been, each with its results and what the sides are worth behind it."""

from collections.abc import Iterator

from attrs import frozen

from qf_tui.analysis.faces import Throws, every_throw
from qf_tui.analysis.pricing import Pricer, Values
from qf_tui.core.decide import begin, carry_out, follow
from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.odds import Weight
from qf_tui.core.prepare import PreparedEntry
from qf_tui.core.results import ResultKind
from qf_tui.core.system import Faces, RuleSystem
from qf_tui.core.values import Battle


@frozen
class Branch:
    """A throw that could be: its weight, all its faces, its results, what each side is worth behind it."""

    weight: Weight
    faces: Faces
    results: int
    worth: Values


def branches(
    system: RuleSystem,
    pricer: Pricer,
    battle: Battle,
    number: int,
    entry: PreparedEntry,
    kind: ResultKind | None = None,
) -> Iterator[Branch] | None:
    """All throws of an entry from the faces that were there before it; None where there are too many."""
    every = every_throw(entry)
    return (
        None if every is None else _branches(system, pricer, begun(battle, number, entry), entry, every, kind)
    )


def _branches(
    system: RuleSystem,
    pricer: Pricer,
    onto: DecisionBuilder,
    entry: PreparedEntry,
    every: Throws,
    kind: ResultKind | None,
) -> Iterator[Branch]:
    for weight, faces in every:
        builder = decided(system, onto, entry, faces)
        results = kind.counted(builder.outcome) if kind is not None else 0
        yield Branch(weight, faces, results, pricer.values(builder.battle))


def begun(battle: Battle, number: int, entry: PreparedEntry) -> DecisionBuilder:
    """What an entry does before its dice."""
    builder = DecisionBuilder(battle, number)
    begin(builder, entry)
    return builder


def decided(system: RuleSystem, onto: DecisionBuilder, entry: PreparedEntry, faces: Faces) -> DecisionBuilder:
    """What an entry does by some faces, behind what it does by all."""
    builder = onto.fork()
    carry_out(system, builder, entry, faces)
    follow(system, builder)
    return builder
