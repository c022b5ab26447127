"""A correction worked out and shown before it happens: it is done, kept as a branch, or left."""

from collections.abc import Callable, Iterable

from textual.app import App
from textual.content import Content

from qf_tui.console.actions import PANEL, PROPOSAL
from qf_tui.console.keys import keymap
from qf_tui.console.panel import Panel, show_panel

KEYS = "Enter does it   Esc leaves all as it is   b keeps it as a branch"


class Proposal(Panel):
    """What a correction changes; gives True for Enter. `branch`: it is to be kept as a branch instead."""

    def __init__(self, title: str, lines: Iterable[Content]) -> None:
        super().__init__(title, lines, KEYS)
        self.keys = {**keymap(PANEL), **keymap(PROPOSAL)}
        self.branch = False

    def action_branch(self) -> None:
        self.branch = True
        self.dismiss(True)


def propose(app: App, title: str, lines: Iterable[Content], then: Callable[[bool], object]) -> None:
    """Shows what a correction changes; `then` is told whether as a branch, if it is to be at all."""
    proposal = Proposal(title, lines)
    show_panel(app, proposal, lambda: then(proposal.branch))
