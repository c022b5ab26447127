"""Plays one of many simulated battles again into a log: the median one, or that with the oddest dice."""

from collections.abc import Callable, Mapping
from enum import Enum
from functools import partial
from random import Random

from attrs import evolve, frozen

from qf_tui.core.errors import QfError
from qf_tui.core.values import SIMULATED, Battle, Order
from qf_tui.features.simulation.doctrines import Doctrine
from qf_tui.features.simulation.jobs import Pair, Spec, set_up_playout
from qf_tui.features.simulation.model import BattleModel
from qf_tui.features.simulation.playout import CannotContinue, Ending, Playout
from qf_tui.features.simulation.tally import Tally, sum_tallies
from qf_tui.session.saves import report_rules_fault
from qf_tui.session.session import Session


class Which(Enum):
    """Which battle to play again: the one with the median advantage, or the one farthest from it.

    All battles of a pair of doctrines differ only by their dice, so the farthest had the most unusual dice.
    """

    MEDIAN = "median"
    LUCKIEST = "luckiest"


@frozen
class Choice:
    """One of the battles that were played: its doctrines, and its index among their battles."""

    which: Which
    pair: Pair
    index: int


def choose_battle(tallies: Mapping[Pair, Tally], which: Which) -> Choice:
    """Choose the battle to play again.

    The median battle is that of all doctrines together. The luckiest one is farthest from the median of its
    own doctrines.

    Raises:
        QfError: No battle was played to its end.
    """
    ends = [
        (advantage, pair, least_index)
        for pair, tally in tallies.items()
        for advantage, (_, least_index) in tally.ends.items()
    ]
    if not ends:
        raise QfError("no battle was played to its end, so there is none to play again")
    if which is Which.MEDIAN:
        middle = sum_tallies(tallies.values()).median_advantage
        pair, index = next((pair, index) for advantage, pair, index in ends if advantage == middle)
    else:
        medians = {pair: tally.median_advantage for pair, tally in tallies.items()}
        _, pair, index = max(ends, key=lambda end: abs(end[0] - medians[end[1]]))
    return Choice(which, pair, index)


def mark_simulated(start: Battle) -> Battle:
    """Return a start marked as simulated in its title and table, so that it counts in no campaign."""
    title = start.table.get("title") or "a battle"
    # A battle whose scenario names no war keeps its title as the name of the war.
    table = {"war": title, **start.table, "title": f"Simulated: {title}", SIMULATED: True}
    return evolve(start, table=table)


class _LoggedPlayout(Playout):
    """A playout whose orders a session records."""

    def __init__(
        self,
        session: Session,
        step: Callable[[], object],
        model: BattleModel,
        doctrines: Mapping[str, Doctrine],
        dice: Random,
    ) -> None:
        super().__init__(model, doctrines, dice)
        self._session, self._step = session, step
        self.battle = session.battle

    def enter(self, order: Order) -> None:
        """Call `step`, then work out an order and record it."""
        self._step()
        self._session.record(self._session.work_out(order, self.throw))
        self.battle = self._session.battle


def play_again(
    session: Session, spec: Spec, choice: Choice, step: Callable[[], object] = lambda: None
) -> Ending:
    """Play one of the battles again in a session, and return how it ended.

    Args:
        session: A session at the start that all battles share.
        spec: The battle and seed.
        choice: The battle to play again.
        step: Called before each order; an exception raised by it ends the battle.

    Raises:
        QfError: The battle cannot be played.
    """
    if session.battle.doubts:
        raise QfError(f"entry {session.battle.doubts[0]} is disputed: settle it, and play on from there")
    playout = set_up_playout(spec, choice.pair, choice.index, partial(_LoggedPlayout, session, step))
    try:
        with report_rules_fault(session.system):
            return playout.play_to_end(spec.turns)
    except CannotContinue as fault:
        raise QfError(f"the battle cannot be played again: {fault}") from None
