"""What is asked before something happens: the end of a phase, and a correction with all that it changes."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from textual.app import App
from textual.content import Content

from qf_tui.console.reading.summaries import held_lines, next_lines, victory_lines
from qf_tui.console.widgets.key_bar import Hint, asking
from qf_tui.console.widgets.panel import Panel, show_panel
from qf_tui.console.widgets.places import ENDING, PANEL, PROPOSAL
from qf_tui.core.builtin_forms import NEXT
from qf_tui.core.grammar.order import Order
from qf_tui.session import Session
from qf_tui.session.act_words import phase_text
from qf_tui.session.new_save import branch_of

HELD_HINTS = (
    Hint("enter", "answers the first"),
    Hint("f2", "ends it and carries this over"),
    Hint("escape", "goes back"),
)
DOUBTED = (Hint("f2", "ends it all the same"), Hint("escape", "goes back"))
FREE = asking("ends the phase")


class EndPhase(Panel):
    """Asks before a phase ends; gives True if it is to end.

    While it is `held` only F2 ends it, and Enter answers what is owed (`owes`).
    """

    places = (PANEL, ENDING)

    def __init__(self, title: str, lines: list[Content], *, held: bool, owes: bool) -> None:
        super().__init__(title, lines, HELD_HINTS if owes else DOUBTED if held else FREE)
        self.held, self.owes = held, owes
        self.answers = False
        # Whoever types an order now does not want the phase to end.
        self.passes = True

    def action_accept(self) -> None:
        self.answers = self.owes
        self.dismiss(not self.held)

    def action_carry_over(self) -> None:
        self.dismiss(True)


def end_phase(
    app: App[Any], session: Session, enter: Callable[[Order], object], answer: Callable[[], object]
) -> None:
    """Ends the phase at once, or where something holds it or somebody may act asks first.

    `answer` opens the first question that is owed.
    """
    battle = session.battle
    held, acting = held_lines(session), next_lines(session)
    if not held and not acting:
        enter(Order(NEXT, {}))
        return

    def answered(ends: bool | None) -> None:
        if ends:
            enter(Order(NEXT, {}, forced=bool(held)))
        elif asks.answers:
            answer()

    title, lines = f"End {phase_text(session.system, battle)}?", [*held, *acting, *victory_lines(battle)]
    asks = EndPhase(title, lines, held=bool(held), owes=bool(battle.owed))
    app.push_screen(asks, answered)


KEYS = (Hint("enter", "apply"), Hint("escape", "cancel"), Hint("b", "save as a branch"))
CHANGES = Hint("a", "changes it instead")


class Proposal(Panel):
    """What a correction changes; gives True for Enter. `branch`: it is to be kept as a branch instead.

    `instead` changes what it would strike, where that can be done.
    """

    places = (PANEL, PROPOSAL)

    def __init__(
        self, title: str, lines: Iterable[Content], instead: Callable[[], object] | None = None
    ) -> None:
        super().__init__(title, lines, (*KEYS, CHANGES) if instead else KEYS)
        self.branch, self.instead = False, instead

    def action_branch(self) -> None:
        self.branch = True
        self.dismiss(True)

    def action_change(self) -> None:
        if self.instead is not None:
            self.dismiss(False)
            self.instead()


def propose(app: App[Any], proposal: Proposal, then: Callable[[bool], object]) -> None:
    """Shows what a correction changes; `then` is told whether as a branch, if it is to be at all."""
    show_panel(app, proposal, lambda: then(proposal.branch))


def branched(session: Session, order: Order) -> Path:
    """A new save beside this battle's: its acts, and a correction more; QfError if there can be none."""
    branch = branch_of(session)
    tried = Session.resume(branch, {session.system.name: session.system})
    try:
        tried.record(tried.work_out(order, tried.throw))
    finally:
        tried.close()
    return branch
