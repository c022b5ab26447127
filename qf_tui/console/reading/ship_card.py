"""A ship: her card and log in full."""

from collections.abc import Iterable

from textual.content import Content

from qf_tui.console.widgets.text import TextPane, hanging, literal, spans
from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Battle, Ship


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
