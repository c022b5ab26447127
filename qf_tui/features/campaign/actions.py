"""The keys in the console that prepare the next battle of a campaign and show its battles and careers."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from textual.screen import Screen

from qf_tui.console.widgets.actions import START, ConsolePart, act, foot

if TYPE_CHECKING:
    from qf_tui.console.battle.screen import BattleScreen


def ask_for_next_battle(screen: Screen[object]) -> None:
    """Ask for the days until the next battle and the yard, then write that battle."""
    from qf_tui.console.battle.screen import BattleScreen
    from qf_tui.console.widgets.fields import TextEntry

    assert isinstance(screen, BattleScreen)
    title = "The next battle: days until then, and where (at-sea, harbour, dockyard)"

    def ask_for_days(save: Path) -> None:
        screen.app.push_screen(TextEntry(title, "10 harbour", partial(_write_next_battle, screen, save)))

    screen.with_save(ask_for_days)


def _write_next_battle(screen: "BattleScreen", save: Path, text: str) -> str:
    """Write the scenario of the battle after that of a save, and show what happened to the ships.

    Args:
        text: The days and the yard, as typed.

    Returns:
        Why there can be no next battle, or "".
    """
    from qf_tui.console.reading.document_view import build_block_lines
    from qf_tui.console.reading.help import FRAME, WIDEST
    from qf_tui.console.widgets.panel import Panel
    from qf_tui.console.widgets.text import literal
    from qf_tui.core.errors import QfError
    from qf_tui.features.campaign.document import build_passage_document
    from qf_tui.features.campaign.folder import carry_on, open_saved
    from qf_tui.features.campaign.yards import DAYS_MOST
    from qf_tui.library.faults import format_first_fault

    days, _, yard = text.strip().partition(" ")
    system = screen.source.system
    systems = {system.name: system}
    # The length comes first, because `int` fails on thousands of digits.
    is_days_valid = days.isdecimal() and len(days) <= len(str(DAYS_MOST)) and int(days) <= DAYS_MOST
    if not is_days_valid or not yard.strip():
        return f"expected days and a yard, like 30 dockyard; at most {DAYS_MOST} days"
    try:
        passage, path = carry_on([open_saved(save, systems)], systems, int(days), yard.strip())
    except QfError as fault:
        return format_first_fault(fault)
    document = build_passage_document(system, passage)
    document_lines = build_block_lines(document, min(screen.size.width - FRAME, WIDEST))
    lines = [literal(f"{path.name} is among your scenarios"), *(line.content for line in document_lines)]
    screen.call_after_refresh(lambda: screen.app.push_screen(Panel(document.title, lines)))
    return ""


def show_saves(screen: Screen[object], *, careers: bool = False) -> None:
    """Show all saves as one campaign, or the careers in them."""
    from qf_tui.console.setup.start import StartScreen
    from qf_tui.features.campaign.screen import WarScreen

    assert isinstance(screen, StartScreen)
    screen.app.push_screen(WarScreen(screen.systems, careers=careers))


PART = ConsolePart(
    actions=(
        act("N", "carry", "next battle", "the next battle, with the ships that survive this one",
            palette=True, enters=True, does=ask_for_next_battle, after="grid.branch",
            ended="the next battle"),
        foot("f4", "campaign", "campaign", "all saves as one campaign: calendar, squadrons, misfits",
            START, does=show_saves, after="start.leave"),
        foot("f8", "careers", "careers", "what every ship and player did in all your saves",
            START, does=partial(show_saves, careers=True), after="start.campaign"),
    ),
)  # fmt: skip
