"""What the rules court finds: frozen values that can be handed to another process, without wording."""

from enum import Enum

from attrs import field, frozen

from qf_tui.analysis.lookups import Place
from qf_tui.analysis.throws import advantage
from qf_tui.core.acts import State
from qf_tui.core.charts import Charts
from qf_tui.core.revisions import ValueChange


@frozen
class Instead:
    """What is otherwise in a reading: a switch at another value, or cells of the charts.

    `place` is where there is but one cell, `text` what it says then in place of `was`; `source` names an
    umpire's whole chart.
    """

    option: str = ""
    value: str = ""
    cells: Charts = field(factory=dict)
    place: Place | None = None
    text: str = ""
    was: str = ""
    source: str = ""


@frozen
class Standing:
    """How an entry stands, what its rules say of it, and what they ask for by it."""

    state: State
    because: tuple[str, ...]
    asks: tuple[str, ...] = ()


@frozen
class Changed:
    """An entry that comes to something else."""

    entry: int
    before: Standing
    after: Standing


@frozen
class MissingAnswer:
    """Dice or an answer that a reading wants and nobody gave; `dice` as `2d12`, "" where it wants words."""

    key: str
    line: str
    ship: str
    prompt: str
    dice: str
    words: tuple[str, ...] = ()


@frozen
class SideFigures:
    """A side where a reading stops or ends: what it was worth and is, what its throws did and do."""

    side: str
    worth: float
    worth_then: float
    results: int
    results_then: int


@frozen
class Verdict:
    """One reading: the same entries with the same dice, where something is otherwise.

    `reworded` come to the same by other figures; `parked` are those that a rule refuses then, and which are
    passed over; `idle` the answers whose dice nobody calls for; `overruled` the orders of the battle that set
    the switch. Where `owed` is not empty the tale forks behind the entry `stopped_at` (0: before the first),
    and `ships` and `sides` are told there, else at the end; `sides` only where they were asked for. `entries`
    is how many were played until then.
    """

    instead: Instead
    changed: tuple[Changed, ...] = ()
    reworded: tuple[int, ...] = ()
    parked: tuple[int, ...] = ()
    idle: tuple[int, ...] = ()
    overruled: tuple[int, ...] = ()
    owed: tuple[MissingAnswer, ...] = ()
    stopped_at: int | None = None
    entries: int = 0
    ships: tuple[ValueChange, ...] = ()
    sides: tuple[SideFigures, ...] = ()

    @property
    def advantage(self) -> tuple[float, float]:
        """That of the first side over the second, as it was and as it is."""
        was, now = (one.worth for one in self.sides), (one.worth_then for one in self.sides)
        return advantage(tuple(was)), advantage(tuple(now))

    @property
    def nothing(self) -> bool:
        """Whether it comes to the same in all."""
        return not (self.changed or self.owed or self.ships)


class Toward(Enum):
    """One step from a cell to its neighbour, in the printed order."""

    ABOVE = (-1, 0)
    BELOW = (1, 0)
    LEFT = (0, -1)
    RIGHT = (0, 1)


@frozen
class Neighbour:
    """What a neighbour of a cell says; `otherwise` are the entries that come to something else by it."""

    steps: tuple[Toward, ...]
    text: str
    otherwise: tuple[int, ...]


@frozen
class CellFound:
    """A cell of ours that decided something: what it says, which entries it decided, what is beside it.

    A neighbour that says the same is none.
    """

    place: Place
    text: str
    entries: tuple[int, ...]
    neighbours: tuple[Neighbour, ...]

    @property
    def otherwise(self) -> tuple[int, ...]:
        """The entries that would have gone otherwise one step off."""
        gone = {entry for one in self.neighbours for entry in one.otherwise}
        return tuple(entry for entry in self.entries if entry in gone)


@frozen
class CellsFound:
    """What rests on cells: `read` readings of the charts decided something, one an entry and cell."""

    read: int
    cells: tuple[CellFound, ...]

    @property
    def reconstructed(self) -> int:
        """The readings of cells of ours."""
        return sum(len(cell.entries) for cell in self.cells)

    @property
    def otherwise(self) -> int:
        """The readings of cells of ours that would have gone otherwise one step off."""
        return sum(len(cell.otherwise) for cell in self.cells)
