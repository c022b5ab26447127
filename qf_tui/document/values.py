"""What a report is: words, figures and tables as they are read; frozen values, drawn by others.

Every text may hold names that people wrote: whoever draws one escapes it for the place where it is drawn.
No text ends in a line break, and none holds markup of ours.
"""

from attrs import frozen


@frozen
class Sentence:
    """One sentence. `entry` is the entry that it tells of, 0 for none: `?` on it explains that entry.

    `strong`: what an evening is told by, as a sinking.
    """

    text: str
    entry: int = 0
    strong: bool = False


@frozen
class TableColumn:
    """A column of a table: its title, and whether it holds figures, which stand to the right."""

    title: str
    figures: bool = False


@frozen
class TableRow:
    """A row of a table: as many cells as the table has columns; `entry` as of a sentence."""

    cells: tuple[str, ...]
    entry: int = 0


@frozen
class Table:
    """Rows under titles."""

    columns: tuple[TableColumn, ...]
    rows: tuple[TableRow, ...]


@frozen
class Section:
    """A part of the report: its sentences, then its table, then the parts within it, as a turn or a side.

    `id` is unlike that of any other section at the same depth, fit for the anchor of a page: small letters,
    figures and "-". The sections within one have no sections in them.
    """

    id: str
    title: str
    sentences: tuple[Sentence, ...] = ()
    table: Table | None = None
    parts: tuple["Section", ...] = ()

    @property
    def empty(self) -> bool:
        """Whether there is nothing in it."""
        rows = self.table.rows if self.table else ()
        return not (self.sentences or rows or any(not part.empty for part in self.parts))


@frozen
class CurvePoint:
    """The end of a phase: `advantage` and `luck` are above 0 where they are good for the first side.

    `advantage` is what it has gained on the second since the start, both 0 there; ships that joined are left
    out of it, as they were worth then. `luck` is how much of that the dice brought, `gained` what they
    brought in this phase. `phase` is its title; `worth` each side's, in the order of `Curve.sides`.
    """

    turn: int
    phase: str
    worth: tuple[float, ...]
    advantage: float
    luck: float
    gained: float


@frozen
class Curve:
    """Advantage and luck from phase to phase, for the first two sides.

    `sides` are their names; `turning` is the place of the turning point among the points, None without one.
    `above`, `below` say what is meant above and below the zero line, `unit` what worth is counted in.
    """

    sides: tuple[str, ...]
    points: tuple[CurvePoint, ...]
    turning: int | None
    above: str
    below: str
    unit: str


@frozen
class ThrowRow:
    """One throw, flat, for a table of all of them: names and titles as people read them.

    `weapon` is what was used, or what the dice were for. `odds` is the chance of any result, None where the
    throw counts none; `dice` the faces. `result` says in words what it did; `results` counts what it
    scored, `damage` names it in the codes of the rules. `luck` is None where the throw has none.
    """

    entry: int
    turn: int
    phase: str
    side: str
    ship: str
    target: str
    weapon: str
    kind: str
    dice: tuple[int, ...]
    odds: float | None
    expected: float
    results: int
    damage: str
    result: str
    luck: float | None
    by_console: bool


@frozen
class Report:
    """A battle retold.

    `title` names the battle and how long it was; `headline` are the sentences that come first. Sections, in
    this order, each left out where it would be empty: `luck`, `turning-point`, `throws` (those that
    mattered), `story` (a part a turn), `losses`, `deeds`, `ships` (before and after, a part a side),
    `victory`, `remarks`, `rests` (what it rests on and leaves out, how worth and luck are meant). The curve
    is drawn behind the headline; None where the battle has not two sides, or nothing was gained. `throws` are
    all throws in the order of play.
    """

    title: str
    headline: tuple[Sentence, ...]
    curve: Curve | None
    sections: tuple[Section, ...]
    throws: tuple[ThrowRow, ...]

    def section(self, id: str) -> Section | None:
        """A section by its id."""
        return next((section for section in self.sections if section.id == id), None)
