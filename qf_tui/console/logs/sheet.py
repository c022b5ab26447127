"""The card and log in full of one ship."""

from textual.content import Content

from qf_tui.console.page import Page
from qf_tui.console.text import literal, spans
from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Battle, Ship


def sheet_lines(system: RuleSystem, battle: Battle, ship: Ship) -> list[Content]:
    """A ship's sheet as titled lines."""
    side = battle.side(ship.side)
    lines = [
        literal(ship.name, "bold $primary"),
        literal(
            " · ".join(
                part for part in (side.name if side else ship.side, ship.division, ship.status) if part
            )
        ),
        Content(""),
    ]
    for title, parts in system.sheet(battle, ship):
        lines.append(Content.assemble(literal(f"{title:<11}", "$quiet"), spans(parts)))
    owed = [one for one in battle.owed if one.ship == ship.id]
    lines.extend([Content("")] if owed else [])
    lines.extend(literal(f"owed: {one.prompt}", "bold $text-warning") for one in owed)
    return lines


class Card(Page):
    """The sheet of the ship under the cursor, beside the logs."""

    def show_ship(self, system: RuleSystem, battle: Battle, ship: Ship | None) -> None:
        """Draws a ship's sheet, long lines folded."""

        def lines(width: int) -> list[Content]:
            sheet = sheet_lines(system, battle, ship) if ship else []
            return [part for line in sheet for part in (line.wrap(width) if line.plain else [line])]

        self.show(lines)
