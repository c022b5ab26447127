"""Throws in words: each of them flat for a table, those that mattered, and the turning point."""

from collections.abc import Iterable, Iterator

from qf_tui.analysis.values import Analysis, Fate, ThrownDice, TurningPoint
from qf_tui.core.grammar.forms import Order
from qf_tui.core.ranges import range_slot
from qf_tui.report.chances import of_one_throw
from qf_tui.report.names import Names
from qf_tui.report.story_words import happened, left_line
from qf_tui.report.values import Section, Sentence, ThrowRow
from qf_tui.session.headlines import codes_text

MATTERED = 5
"""Throws that are told of."""
COUNTS = 0.1
"""The share of the greatest luck of a phase from which on a throw of it is told of."""


def rows(names: Names, throws: Iterable[ThrownDice]) -> Iterator[ThrowRow]:
    """All throws, flat."""
    titles = {kind.name: kind.title for kind in names.system.results}
    for one in throws:
        decision = names.timeline.rulings[one.entry].decision
        yield ThrowRow(
            one.entry,
            one.turn,
            names.phase(one.phase),
            names.side(one.side),
            names.ship(one.ship) if one.ship else "",
            names.ship(one.target) if one.target else "",
            _weapon(names, one),
            titles.get(one.kind, ""),
            one.dice,
            float(one.chances.as_well(1)) if one.kind else None,
            float(one.chances.mean),
            one.results,
            codes_text(decision.outcome),
            names.headline(one.entry).effect,
            one.luck,
            one.by_console,
        )


def _weapon(names: Names, one: ThrownDice) -> str:
    """What was used: the words of the order beside its ships and its range; of a check what it was for."""
    order = names.declared(one.entry)
    if order is None:
        return one.line.replace("-", " ")
    return " ".join(_used(names, order)) or order.word


def _used(names: Names, order: Order) -> Iterator[str]:
    ranged = range_slot(order.form)
    for slot in order.form.slots:
        value = order.slots.get(slot.name)
        if slot is not ranged and isinstance(value, str) and value not in names.timeline.battle.ships:
            yield value


def mattered(names: Names, analysis: Analysis) -> Section:
    """The throws that did most, whichever side they were good for."""
    most = sorted((one for one in analysis.throws if one.luck), key=lambda one: -abs(one.luck or 0.0))
    told = tuple(sentence(names, analysis, one) for one in most[:MATTERED])
    return Section("throws", "The throws that mattered", told)


def sentence(names: Names, analysis: Analysis, one: ThrownDice) -> Sentence:
    """A throw: who threw what at whom and what it did, how rare that was, and what it brought."""
    dice = names.dice(one.entry)
    said = ", ".join(part for part in (names.said(one.entry), dice) if part)
    parts = [f"{said}: {names.headline(one.entry).effect}."]
    rare = of_one_throw(one.as_far, len(analysis.throws)) if one.as_far is not None else ""
    if rare:
        parts.append(f"{rare}.")
    if one.luck is not None:
        parts.append(f"{names.gain(one.luck)}.")
    return Sentence(" ".join(parts), one.entry)


def turning_point(names: Names, analysis: Analysis, turn: TurningPoint) -> Section:
    """The phase in which luck did most, what happened in it, and its throws by size.

    Beside it stands the phase in which the advantage moved most.
    """
    by_entry = {one.entry: one for one in analysis.throws}
    most = [by_entry[entry] for entry in turn.throws[:MATTERED]]
    told = [one for one in most if abs(one.luck or 0.0) >= abs(most[0].luck or 0.0) * COUNTS]
    shown = {one.entry for one in told}
    lead = f"{names.capital_when(turn.turn, turn.phase)}: luck gave {names.gain(turn.luck)}."
    sentences = [Sentence(lead, strong=True)]
    if analysis.advantage_moved is not None:
        at, phase, gained = analysis.advantage_moved
        same = (at, phase) == (turn.turn, turn.phase)
        where = "in this phase too" if same else f"in {names.when(at, phase)}"
        said = f"The advantage moved most {where}: by luck and all else {names.gain(gained)}."
        sentences.append(Sentence(said))
    for line in analysis.story:
        if (line.turn, line.phase) == (turn.turn, turn.phase) and line.entry not in shown:
            if line.fate in (Fate.LOST, Fate.EVENT):
                sentences.append(happened(names, line))
            elif line.fate is Fate.OUT_OF_LINE:
                sentences.append(left_line(names, line))
    sentences += [sentence(names, analysis, one) for one in told]
    if turn.throw not in shown:
        one = by_entry[turn.throw]
        lead = f"The single throw that did most, {names.when(one.turn, one.phase)}: "
        sentences.append(Sentence(f"{lead}{sentence(names, analysis, one).text}", one.entry))
    return Section("turning-point", "The phase of most luck", tuple(sentences))
