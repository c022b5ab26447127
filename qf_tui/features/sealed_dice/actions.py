"""The actions in the console that show the seal of a battle's dice and the digests of its log."""

from textual.screen import Screen

from qf_tui.console.widgets.actions import ConsolePart, act


def show_seal(screen: Screen[object]) -> None:
    """Show the seal of sealed dice, with the words of the sides."""
    from qf_tui.console.battle.screen import BattleScreen
    from qf_tui.console.widgets.panel import Panel
    from qf_tui.features.sealed_dice.screen import build_seal_lines
    from qf_tui.features.sealed_dice.seal import read_seal

    assert isinstance(screen, BattleScreen)
    session = screen.session
    seal = read_seal(session.extra)
    if seal is None:
        screen.say("the dice of this battle are not sealed")
        return
    sides = [side.name for side in session.timeline.start.sides]
    screen.app.push_screen(Panel("Sealed dice", build_seal_lines(seal, sides, in_use=session.calls)))


def show_witnesses(screen: Screen[object]) -> None:
    """Show the witnesses of the log: for each phase, eight words that stand for the whole log so far."""
    from qf_tui.console.reading.document_view import render_blocks
    from qf_tui.console.reading.source import SourceScreen
    from qf_tui.console.widgets.panel import Panel
    from qf_tui.features.sealed_dice.witness import list_witnesses

    assert isinstance(screen, SourceScreen)
    source = screen.source
    lines = list_witnesses(source.system, source.timeline, source)
    screen.app.push_screen(Panel("Witness of the log", render_blocks(lines)))


PART = ConsolePart(
    actions=(
        act("", "show_seal", "seal", "the seal of sealed dice, and the words given",
            palette=True, enters=True, does=show_seal, after="grid.save-as"),
        act("", "read('witness')", "witness", "eight words for the whole log, for each phase",
            palette=True, does=show_witnesses, after="grid.show-seal"),
    ),
)  # fmt: skip
