"""The end of a phase: what still holds it and who may still act, shown before it ends."""

from collections.abc import Callable

from textual.app import App
from textual.content import Content

from qf_tui.console.battle.asking import held_lines, next_lines
from qf_tui.console.keys import ENDING, PANEL, keymap
from qf_tui.console.panel import Panel
from qf_tui.session import Session
from qf_tui.session.telling import phase_text

HELD = "F2 ends it and carries this over   Esc goes back"
FREE = "Enter ends the phase   Esc goes back"


class Ending(Panel):
    """Asks before a phase ends; gives True if it is to end. `held`: only F2 ends it, and carries over."""

    def __init__(self, title: str, lines: list[Content], held: bool) -> None:
        super().__init__(title, lines, HELD if held else FREE)
        self.keys = {**keymap(PANEL), **keymap(ENDING)}
        self.held = held

    def action_accept(self) -> None:
        self.dismiss(not self.held)

    def action_carry_over(self) -> None:
        self.dismiss(True)


def end_phase(app: App, session: Session, enter: Callable[[str], object]) -> None:
    """Ends the phase at once, or where something holds it or somebody may act asks first."""
    battle = session.battle
    held, acting = held_lines(battle), next_lines(session)
    if not held and not acting:
        enter("next")
        return

    def answered(ends: bool | None) -> None:
        if ends:
            enter("force next" if held else "next")

    title = f"End {phase_text(session.system, battle)}?"
    app.push_screen(Ending(title, [*held, *acting], bool(held)), answered)
