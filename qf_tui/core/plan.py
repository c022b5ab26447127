"""What the start of a battle says of later: what comes when, and by what a side wins."""

from collections.abc import Mapping

from attrs import field, frozen

from qf_tui.core.text import Scalar


@frozen
class Due:
    """What falls due as a turn begins.

    `ships` arrive, `where` says from; `table` are conditions that change, whether the rule system has them or
    not; `note` is a remark.
    """

    turn: int
    ships: tuple[str, ...] = ()
    where: str = ""
    table: Mapping[str, Scalar] = field(factory=dict)
    note: str = ""


@frozen
class Condition:
    """By what `side` wins: `count` ships of the side `of` with one of the statuses.

    Left empty, `kind` and `edge` are any; `edge` is asked only of ships that withdrew. `note` is what nobody
    can count here.
    """

    side: str
    count: int
    of: str
    status: tuple[str, ...]
    kind: str = ""
    edge: str = ""
    note: str = ""


@frozen
class Plan:
    """All that falls due, in the order in which it was written, and all conditions of victory."""

    schedule: tuple[Due, ...] = ()
    victory: tuple[Condition, ...] = ()

    @property
    def arriving(self) -> tuple[str, ...]:
        """The ships that arrive, sooner or later."""
        return tuple(id for due in self.schedule for id in due.ships)

    @property
    def edges(self) -> tuple[str, ...]:
        """The edges that conditions ask for."""
        return tuple(dict.fromkeys(one.edge for one in self.victory if one.edge))
