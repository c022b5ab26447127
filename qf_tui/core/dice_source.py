"""What a source of dice does: it throws the dice of an order by a called number, in place of the table."""

from typing import Protocol

from qf_tui.core.declarations import PreparedEntry
from qf_tui.core.errors import Finding
from qf_tui.core.timeline import Timeline, Version
from qf_tui.core.values import Battle, Order, Owed


class DiceSource(Protocol):
    """The dice of a battle that come by a call."""

    def place(
        self,
        timeline: Timeline,
        battle: Battle,
        number: int,
        entry: PreparedEntry,
        version: Version,
        *,
        kept: bool,
    ) -> Version:
        """Note in an order what tells its throws from all others.

        Args:
            timeline: The timeline before the order is entered.
            battle: The battle at its place.
            number: The number of the entry.
            entry: The order prepared.
            version: The order as it was entered.
            kept: It amends another and has its dice, which it loses if they were thrown elsewhere.
        """
        ...

    def check(self, order: Order) -> tuple[Finding, ...]:
        """Return what stands against the dice or the call of an order."""
        ...

    def throw(self, entry: PreparedEntry, version: Version, call: int) -> tuple[PreparedEntry, Version]:
        """Throw the dice of a call; OrderRefused if that cannot be."""
        ...

    def find_begun(self, timeline: Timeline, question: Owed, call: int | None) -> int | None:
        """Find the entry by whose call some dice of a question were thrown; OrderRefused for another call."""
        ...
