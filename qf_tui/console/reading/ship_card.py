"""A ship: her card and log in full."""

from collections.abc import Iterable

from textual.content import Content

from qf_tui.console.reading.document_view import contents
from qf_tui.console.widgets.text import TextPane, hanging, literal
from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Battle, Ship
from qf_tui.document.glance import card_document


def card_lines(system: RuleSystem, battle: Battle, ship: Ship, remarks: Iterable[str] = ()) -> list[Content]:
    """A ship's sheet as titled lines."""
    card = card_document(system, battle, ship, remarks)
    return [literal(card.title, "bold $primary"), *contents(card.blocks)]


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
