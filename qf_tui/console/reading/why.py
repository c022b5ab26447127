"""The story of a cell: the entries that made it what it is, down to dice, chart cell and clause."""

from collections.abc import Iterator
from typing import Any

from attrs import frozen
from textual.app import App
from textual.content import Content

from qf_tui.console.reading.source import BattleSource
from qf_tui.console.widgets.panel import Panel
from qf_tui.console.widgets.text import literal
from qf_tui.core.acts import Ruling
from qf_tui.core.effects import Effect
from qf_tui.core.system import Column, RuleSystem
from qf_tui.core.values import Ship
from qf_tui.session import Changed
from qf_tui.session.changes import change_text, effect_changes
from qf_tui.session.wording import ActText, chart_text, reason_text, tell

MOST = 40
"""Entries that are shown at most."""


@frozen
class Cause:
    """One entry that touched the cell, and what it changed there."""

    text: ActText
    ruling: Ruling
    changes: tuple[Changed, ...]


def causes(
    source: BattleSource, ship: Ship, fields: tuple[str, ...], beside: tuple[tuple[str, str], ...] = ()
) -> Iterator[Cause]:
    """The entries in force whose effects touched fields of a ship, newest first; all fields if none is named.

    `beside` names fields of other ships, each with its ship, that count too.
    """

    def touched(one: Effect | Changed) -> bool:
        own = one.ship == ship.id and (not fields or one.field in fields)
        return own or (one.ship, one.field) in beside

    timeline = source.timeline
    in_force = timeline.in_force
    for place in reversed(range(len(timeline.play_order))):
        number = timeline.play_order[place]
        ruling = timeline.rulings[number]
        effects = ruling.decision.effects
        if not any(touched(effect) for effect in effects):
            continue
        act = timeline.act(number)
        changed = effect_changes(source.system, timeline.battle_at(place), effects, number)
        own = tuple(one for one in changed if touched(one))
        if act is not None and own:
            yield Cause(tell(timeline, act, in_force), ruling, own)


def why_lines(source: BattleSource, ship: Ship, column: Column | None) -> list[Content]:
    """The story in lines."""
    fields = column.fields if column else ()
    columns = (column,) if column else source.system.columns
    beside = tuple(place for one in columns if one.beside for place in one.beside(source.battle, ship))
    found = []
    for cause in causes(source, ship, fields, beside):
        found.append(cause)
        if len(found) == MOST:
            break
    if not found:
        return [literal("No entry has touched it: it stands as it was at the start of the battle.")]
    lines: list[Content] = []
    for cause in found:
        lines.extend(_of_cause(source, ship, cause))
    return lines


def entry_lines(source: BattleSource, number: int) -> list[Content]:
    """One entry in full: its order and dice, what it changed, the reasons with cells and clauses in words."""
    timeline = source.timeline
    act, ruling = timeline.act(number), timeline.rulings.get(number)
    if act is None or ruling is None or number not in timeline.play_order:
        return [literal(f"Entry {number} is not in force any more.")]
    before = timeline.battle_at(timeline.place(number))
    changed = effect_changes(source.system, before, ruling.decision.effects, number)
    changes = tuple(one for one in changed if one.before != one.after)
    return _of_cause(source, None, Cause(tell(timeline, act), ruling, changes))


def _of_cause(source: BattleSource, ship: Ship | None, cause: Cause) -> list[Content]:
    lines = [
        Content.assemble(literal(f"{cause.text.number:>4} ", "$quiet"), literal(cause.text.title, "bold"))
    ]
    for one in cause.changes:
        whose = "" if ship and one.ship == ship.id else f"{source.battle.ships[one.ship].name}, "
        text = f"       {whose}{change_text(source.system, one, ': ')}"
        lines.append(literal(text, "bold $text-warning"))
    clauses: set[str] = set()
    for reason in cause.ruling.decision.reasons:
        rests = "".join(f"   {part}" for part in (reason.clause, chart_text(reason)) if part)
        lines.append(Content.assemble(literal(f"       {reason_text(reason)}"), literal(rests, "$quiet")))
        if reason.clause:
            clauses.add(reason.clause)
    for clause in sorted(clauses):
        text = source.system.clauses.get(clause, "")
        lines.append(literal(f"       {clause}: {text}", "italic $quiet"))
    return [*lines, Content("")]


def explain_refusal(app: App[Any], system: RuleSystem, refusal: str) -> bool:
    """Shows the clauses that a refusal names; whether it names any."""
    lines = refusal_lines(system, refusal)
    if lines:
        app.push_screen(Panel("Why it is refused", lines))
    return bool(lines)


def refusal_lines(system: RuleSystem, text: str) -> list[Content]:
    """Each clause that a refusal names, in our own words; none if it names none."""
    named = [clause for clause in system.clauses if f"[{clause}]" in text]
    lines = [literal(text, "bold"), Content("")]
    lines += [literal(f"{clause}: {system.clauses[clause]}") for clause in named]
    return lines if named else []
