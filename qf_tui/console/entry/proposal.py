"""A correction shown before it happens: it is done, kept as a branch in a save of its own, or left."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from textual.app import App
from textual.content import Content

from qf_tui.console.widgets.actions import PANEL, PROPOSAL
from qf_tui.console.widgets.panel import Panel, show_panel
from qf_tui.core.errors import QfError
from qf_tui.journal.copying import copy_save
from qf_tui.session import Session

KEYS = "Enter does it   Esc leaves all as it is   b keeps it as a branch"


class Proposal(Panel):
    """What a correction changes; gives True for Enter. `branch`: it is to be kept as a branch instead."""

    places = (PANEL, PROPOSAL)

    def __init__(self, title: str, lines: Iterable[Content]) -> None:
        super().__init__(title, lines, KEYS)
        self.branch = False

    def action_branch(self) -> None:
        self.branch = True
        self.dismiss(True)


def propose(app: App[Any], title: str, lines: Iterable[Content], then: Callable[[bool], object]) -> None:
    """Shows what a correction changes; `then` is told whether as a branch, if it is to be at all."""
    proposal = Proposal(title, lines)
    show_panel(app, proposal, lambda: then(proposal.branch))


def branched(session: Session, line: str) -> Path:
    """A new save beside this battle's: its acts, and a correction more; QfError if there can be none."""
    save = session.journal.path
    if save is None:
        raise QfError("no branch: this battle has no save to copy. Begin it with one, by `--save FILE`.")
    branch = _free_beside(save)
    copy_save(save, branch)
    tried = Session.resume(branch, {session.system.name: session.system})
    try:
        tried.enter(line)
    finally:
        tried.close()
    return branch


def _free_beside(save: Path) -> Path:
    number = 1
    while (path := save.with_name(f"{save.stem}-branch-{number}{save.suffix}")).exists():
        number += 1
    return path
