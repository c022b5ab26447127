"""A handmade report for tests that draw one."""

from attrs import evolve

from qf_tui.document.values import Document, Row, Section, Table, TableColumn, Tone, build_line
from qf_tui.features.report.curve import Curve, CurvePoint, Outcomes
from qf_tui.features.report.luck import THROW_COLUMNS

MARKUP = '<script>alert(1)</script> [x](javascript:alert(1)) " onmouseover="y| *b* `c` &amp; =1+1'
"""A name that is markup wherever it is not escaped."""

_ADVANTAGE = (0.0, 0.0, 0.6, 0.4, 0.4, 0.4, 1.9, 2.6, 2.4, 2.2, 2.0, -0.8, -1.6, -1.6, -0.9, 4.1, 4.4, 5.8)
_LUCK = (0.0, 0.1, 0.8, 0.3, 0.3, 0.2, 1.2, 2.4, 2.1, 2.0, 1.7, -1.2, -2.0, -2.0, -1.3, 3.9, 4.2, 5.5)
PHASES = ("movement", "first gunnery", "second gunnery")


def build_points() -> tuple[CurvePoint, ...]:
    """Build six turns of three phases."""
    return tuple(
        CurvePoint(at // 3 + 1, PHASES[at % 3], (40 + a, 40.0), a, luck, luck - (_LUCK[at - 1] if at else 0))
        for at, (a, luck) in enumerate(zip(_ADVANTAGE, _LUCK, strict=True))
    )


def build_columns(*titles: str) -> tuple[TableColumn, ...]:
    """Build columns; a title that begins with "#" is one of figures."""
    return tuple(TableColumn(title.lstrip("#"), title.startswith("#")) for title in titles)


def _build_row(*cells: object) -> Row:
    return Row(tuple(map(str, cells)))


THROWS = Table(
    THROW_COLUMNS,
    (
        _build_row(
            *(5, "second gunnery", "Japan", "Mikasa", "Tsesarevich", "heavy", "0.041667", "5 10"),
            *("a direction hit and a speed hit", "D S", 53, "hits", 2, "0.21", "3.25", "table", "Anna"),
        ),
        _build_row(
            *(5, "second gunnery", "Russia", "Tsesarevich", MARKUP, "heavy", "0.5", "1 1"),
            *("=HYPERLINK(1)", "", 54, "hits", 0, "0.75", "-0.5", "console", ""),
        ),
        _build_row(
            *(5, "repair", "Russia", "Pobeda", "", "repair", "", "4"),
            *("", "", 60, "", "", "", "", "table", ""),
        ),
    ),
)


def build_report(name: str = "Mikasa", ships: int = 2, curve: Curve | None = None) -> Document:
    """Build a report with every part, for a ship of a given name."""
    first = (
        build_line(f"{name} hits Tsesarevich at 41″: speed 5⅞ for 6¾.", 4),
        build_line("Pobeda misses Fuji.", 5),
    )
    fifth = build_line(f"Vynoslivy is sunk by {name}.", 53, Tone.STRONG)
    story = Section(
        "The story", (Section("Turn 1", first, "turn-1"), Section("Turn 5", (fifth,), "turn-5")), "story"
    )
    luck = Section(
        "Luck",
        (
            build_line("Japan 31 results where 23.0 were due; the same throws do as well 1 time in 14."),
            Outcomes("Japan", True, 1, 1 / 3, (2, 1), 3),
            Table(
                build_columns("side", "of", "#throws", "#results", "#due", "as well", "as badly"),
                (
                    Row(("Japan", "damage", "61", "31", "23.0", "1 in 14", "nothing unusual")),
                    Row(("Russia", "damage", "62", "16", "20.7", "nothing unusual", "nothing unusual")),
                ),
            ),
        ),
        "luck",
    )
    rows = tuple(Row((name if one == 0 else f"Ship {one}", "6¾ ▢▢", "5⅞", "afloat")) for one in range(ships))
    table = Table(build_columns("ship", "speed before", "#speed", "status"), rows)
    side = Section("Japan: 12 of 12 in the battle", (table,), "japan")
    sides = ("Japan", "Russia")
    return Document(
        f"Yellow Sea, 10 August 1904 · 6 turns, 209 entries, {name}",
        (
            build_line(f"{name} is ahead."),
            build_line("Vynoslivy sunk.", 53, Tone.STRONG),
            curve or Curve(sides, build_points(), 15, "Japan ahead", "Russia ahead", "points of worth"),
            luck,
            Section("The turning point", (build_line("Turn 6, first gunnery.", 53),), "turning-point"),
            Section("Five throws that mattered", (build_line(f"53 {name}: 1 in 24", 53),), "throws"),
            story,
            Section("Losses", (build_line("Vynoslivy", 53, Tone.STRONG),), "losses"),
            Section("Ships before and after", (side,), "ships"),
            Section("Remarks", (build_line(name, 7),), "remarks"),
            Section(
                "Basis of the report", (build_line("70 of 152 readings are of cells of ours."),), "rests"
            ),
        ),
    )


def strip_report(made: Document) -> Document:
    """Return the report of a battle without a throw or an ended phase."""
    return evolve(made, blocks=(*made.lines, made.sections[-1]))
