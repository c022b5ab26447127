"""Combat charts: tables of cells, each with its provenance."""

from collections.abc import Mapping
from enum import StrEnum

from attrs import frozen


class Provenance(StrEnum):
    """How good a chart cell is: in the sources, made up by us, or the umpire's own."""

    ATTESTED = "attested"
    RECONSTRUCTED = "reconstructed"
    OWN = "own"


@frozen
class ChartCell:
    """One cell of a chart: its codes as printed, and where they come from."""

    text: str
    status: Provenance = Provenance.RECONSTRUCTED
    source: str = ""


@frozen
class ChartRow:
    """One line of a chart: cells by column, in the printed order."""

    name: str
    cells: Mapping[str, ChartCell]


@frozen
class Chart:
    """One table of a combat chart: rows by name, in the printed order."""

    name: str
    title: str
    rows: Mapping[str, ChartRow]
    note: str = ""


Charts = Mapping[str, Chart]
