"""The end of a phase: what still holds it and who may still act, shown before it ends."""

from collections.abc import Callable
from typing import Any

from textual.app import App
from textual.content import Content

from qf_tui.console.reading.summaries import held_lines, next_lines
from qf_tui.console.widgets.actions import ENDING, PANEL
from qf_tui.console.widgets.panel import Panel
from qf_tui.session import Session
from qf_tui.session.wording import phase_text

HELD = "Enter answers the first   F2 ends it and carries this over   Esc goes back"
DOUBTED = "F2 ends it all the same   Esc goes back"
FREE = "Enter ends the phase   Esc goes back"


class EndPhase(Panel):
    """Asks before a phase ends; gives True if it is to end. While something holds it only F2 ends it."""

    places = (PANEL, ENDING)

    def __init__(self, title: str, lines: list[Content], keys: str) -> None:
        super().__init__(title, lines, keys)
        self.answers = False
        # Whoever types an order now does not want the phase to end.
        self.passes = True

    def action_accept(self) -> None:
        self.answers = self.keys_text == HELD
        self.dismiss(self.keys_text == FREE)

    def action_carry_over(self) -> None:
        self.dismiss(True)


def end_phase(
    app: App[Any], session: Session, enter: Callable[[str], object], answer: Callable[[], object]
) -> None:
    """Ends the phase at once, or where something holds it or somebody may act asks first.

    `answer` opens the first question that is owed.
    """
    battle = session.battle
    held, acting = held_lines(battle), next_lines(session)
    if not held and not acting:
        enter("next")
        return

    def answered(ends: bool | None) -> None:
        if ends:
            enter("force next" if held else "next")
        elif asks.answers:
            answer()

    keys = HELD if battle.owed else DOUBTED if held else FREE
    asks = EndPhase(f"End {phase_text(session.system, battle)}?", [*held, *acting], keys)
    app.push_screen(asks, answered)
