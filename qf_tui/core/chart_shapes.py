"""What the tables of a rule system's charts may hold, as it declares it."""

from collections.abc import Callable

from attrs import frozen

from qf_tui.core.declarations import CardField


@frozen
class AttestedSet:
    """Cells of one row of which a source attests something together, not which is which.

    `fits` judges their texts in the order of `columns`; `words` say what is attested, and where.
    """

    row: str
    columns: tuple[str, ...]
    fits: Callable[[tuple[str, ...]], bool]
    words: str


@frozen
class ChartShape:
    """What a table of the charts may hold: its columns, and what is wrong with a cell's text, if anything.

    `row_fault` judges the name of any row, `column_fault` that of a column beyond `columns`. `own`: only an
    umpire's file has it; none comes with the rules. `sets` are cells that are attested together. `spans` are
    keys of a file, or of one of its rows, of two whole numbers each, the greater first: every row of the
    table keeps them as a cell, `9-7`. `apart`: its lines are tables of their own, printed in one; no step
    leads from one to the next.
    """

    columns: tuple[str, ...]
    fault: Callable[[str], str | None]
    row_fault: Callable[[str], str | None] = lambda name: None
    column_fault: Callable[[str], str | None] = lambda name: "no such column"
    own: bool = False
    spans: tuple[CardField, ...] = ()
    sets: tuple[AttestedSet, ...] = ()
    apart: bool = False


def unread(read: Callable[[str], object], expected: str) -> Callable[[str], str | None]:
    """The rule of cells that a reader takes: a text that it refuses by ValueError is wrong."""

    def fault(text: str) -> str | None:
        try:
            read(text)
        except ValueError:
            return f"expected {expected}"
        return None

    return fault
