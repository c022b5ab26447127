"""The protocol of a source of dice: it computes the faces of dice from a number that a player calls."""

from typing import Protocol

from qf_tui.core.declarations import PreparedEntry
from qf_tui.core.errors import Finding
from qf_tui.core.timeline import Timeline, Version
from qf_tui.core.values import Battle, Order, Owed


class DiceSource(Protocol):
    """A source of dice that computes faces from a call, in place of dice on the table."""

    def add_context(
        self,
        timeline: Timeline,
        battle: Battle,
        number: int,
        entry: PreparedEntry,
        version: Version,
        *,
        keeps_dice: bool,
    ) -> Version:
        """Add to a version the context that tells its throws from all other throws.

        Args:
            timeline: The timeline before the order is entered.
            battle: The battle at the order's place in the log.
            version: The order as entered.
            keeps_dice: True if the order amends an entry and keeps its dice. Even then, dice that were thrown
                in another context are dropped.
        """
        ...

    def check(self, order: Order) -> tuple[Finding, ...]:
        """List the findings against the dice or the call of an order."""
        ...

    def throw(self, entry: PreparedEntry, version: Version, call: int) -> tuple[PreparedEntry, Version]:
        """Throw the dice that a call gives.

        Returns:
            The entry with the faces, and the version with what the log keeps of the throw.

        Raises:
            OrderRefused: The source cannot throw them.
        """
        ...

    def find_begun(self, timeline: Timeline, question: Owed, call: int | None) -> int | None:
        """Find the entry whose call threw the first dice of a question; None if there is none.

        Raises:
            OrderRefused: `call` differs from the call of that entry.
        """
        ...
