"""A ship: her card and log in full, and why a cell is as it is, down to dice, chart cell and clause."""

from collections.abc import Iterable

from textual.content import Content

from qf_tui.console.reading.source import BattleSource
from qf_tui.console.widgets.text import TextPane, hanging, literal, spans
from qf_tui.core.system import Column, RuleSystem
from qf_tui.core.values import Battle, Ship
from qf_tui.document.acts import chart_text, describe, each_once, reason_text
from qf_tui.session.changes import Cause, causes, change_text, effect_changes


def why_lines(source: BattleSource, ship: Ship, column: Column | None) -> list[Content]:
    """The story in lines."""
    lines: list[Content] = []
    for cause in causes(source.system, source.timeline, ship, column):
        lines.extend(_of_cause(source, ship, cause))
    return lines or [literal("No entry has touched it: it stands as it was at the start of the battle.")]


def entry_lines(source: BattleSource, number: int) -> list[Content]:
    """One entry in full: its order and dice, what it changed, the reasons with cells and clauses in words."""
    timeline = source.timeline
    act, ruling = timeline.act(number), timeline.rulings.get(number)
    if act is None or ruling is None or number not in timeline.play_order:
        return [literal(f"Entry {number} is not in force any more.")]
    before = timeline.battle_at(timeline.place(number))
    changed = effect_changes(source.system, before, ruling.decision.effects, number)
    changes = tuple(one for one in changed if one.before != one.after)
    return _of_cause(source, None, Cause(number, before, ruling, changes))


def _of_cause(source: BattleSource, ship: Ship | None, cause: Cause) -> list[Content]:
    timeline = source.timeline
    text = describe(timeline, timeline.log[cause.number - 1], timeline.in_force)
    lines = [Content.assemble(literal(f"{text.number:>4} ", "$quiet"), literal(text.title, "bold"))]
    for one in cause.changes:
        whose = "" if ship and one.ship == ship.id else f"{source.battle.ships[one.ship].name}, "
        changed = f"       {whose}{change_text(source.system, one, ': ')}"
        lines.append(literal(changed, "bold $text-warning"))
    clauses: set[str] = set()
    for reason, times in each_once(cause.ruling.decision.reasons):
        rests = "".join(f"   {part}" for part in (reason.clause, chart_text(reason)) if part)
        lines.append(
            Content.assemble(literal(f"       {reason_text(reason)}{times}"), literal(rests, "$quiet"))
        )
        if reason.clause:
            clauses.add(reason.clause)
    for clause in sorted(clauses):
        words = source.system.clauses.get(clause, "")
        lines.append(literal(f"       {clause}: {words}", "italic $quiet"))
    return [*lines, Content("")]


def card_lines(system: RuleSystem, battle: Battle, ship: Ship, remarks: Iterable[str] = ()) -> list[Content]:
    """A ship's sheet as titled lines."""
    lines = [literal(ship.name, "bold $primary"), literal(_belongs(battle, ship)), Content("")]
    for title, parts in system.sheet(battle, ship):
        lines.append(Content.assemble(literal(f"{title:<11}", "$quiet"), spans(parts)))
    lines.extend(Content.assemble(literal(f"{'remark':<11}", "$quiet"), literal(one)) for one in remarks)
    owed = [one for one in battle.owed if one.ship == ship.id]
    lines.extend([Content("")] if owed else [])
    lines.extend(literal(f"owed: {one.prompt}", "bold $text-warning") for one in owed)
    return lines


def _belongs(battle: Battle, ship: Ship) -> str:
    """Side, division and player, and what has become of the ship."""
    side = battle.side(ship.side)
    divisions = [one for one in (side.divisions if side else ()) if one.id == ship.division]
    named = [part for one in divisions for part in (one.name, one.player)]
    parts = (side.name if side else ship.side, *named, ship.status)
    return " · ".join(part for part in dict.fromkeys(parts) if part)


class ShipCard(TextPane):
    """The sheet of the ship under the cursor, beside the logs."""

    def show_ship(
        self, system: RuleSystem, battle: Battle, ship: Ship | None, remarks: Iterable[str] = ()
    ) -> None:
        """Draws a ship's sheet, long lines folded."""
        sheet = card_lines(system, battle, ship, remarks) if ship else []

        def lines(width: int) -> list[Content]:
            return [part for line in sheet for part in hanging(line, width)]

        self.show(lines)
