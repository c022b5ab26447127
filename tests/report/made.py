"""A report and an analysis made by hand, for whatever draws them."""

from collections.abc import Mapping

from attrs import evolve

from qf_tui.analysis.values import (
    Analysis,
    Cells,
    Count,
    DamageDealt,
    Distribution,
    Fate,
    LeftOut,
    Loss,
    PhaseEnd,
    StoryLine,
    ThrownDice,
    TurningPoint,
)
from qf_tui.document.values import (
    Curve,
    CurvePoint,
    Report,
    Section,
    Sentence,
    Table,
    TableColumn,
    TableRow,
    ThrowRow,
)

MARKUP = '<script>alert(1)</script> [x](javascript:alert(1)) " onmouseover="y| *b* `c` &amp; =1+1'
"""A name that is markup wherever it is not escaped."""

_ADVANTAGE = (0.0, 0.0, 0.6, 0.4, 0.4, 0.4, 1.9, 2.6, 2.4, 2.2, 2.0, -0.8, -1.6, -1.6, -0.9, 4.1, 4.4, 5.8)
_LUCK = (0.0, 0.1, 0.8, 0.3, 0.3, 0.2, 1.2, 2.4, 2.1, 2.0, 1.7, -1.2, -2.0, -2.0, -1.3, 3.9, 4.2, 5.5)
PHASES = ("movement", "first gunnery", "second gunnery")


def points() -> tuple[CurvePoint, ...]:
    """Six turns of three phases."""
    return tuple(
        CurvePoint(at // 3 + 1, PHASES[at % 3], (40 + a, 40.0), a, luck, luck - (_LUCK[at - 1] if at else 0))
        for at, (a, luck) in enumerate(zip(_ADVANTAGE, _LUCK, strict=True))
    )


def figures(*titles: str) -> tuple[TableColumn, ...]:
    """Columns, of which the titles with a "#" before them are of figures."""
    return tuple(TableColumn(title.lstrip("#"), title.startswith("#")) for title in titles)


THROWS = (
    ThrowRow(
        *(53, 5, "second gunnery", "Japan", "Mikasa", "Tsesarevich", "heavy", "hits", (5, 10)),
        *(1 / 24, 0.21, 2, "D S", "a direction hit and a speed hit", 3.25, False),
    ),
    ThrowRow(
        *(54, 5, "second gunnery", "Russia", "Tsesarevich", MARKUP, "heavy", "hits", (1, 1)),
        *(0.5, 0.75, 0, "", "=HYPERLINK(1)", -0.5, True),
    ),
    ThrowRow(60, 5, "repair", "Russia", "Pobeda", "", "repair", "", (4,), None, 0.0, 0, "", "", None, False),
)


def report(name: str = "Mikasa", ships: int = 2) -> Report:
    """A report in which every part is filled; one ship's name is given."""
    story = Section(
        "story",
        "The story",
        parts=(
            Section(
                "turn-1",
                "Turn 1",
                (
                    Sentence(f"{name} hits Tsesarevich at 41″: speed 5⅞ for 6¾.", 4),
                    Sentence("Pobeda misses Fuji.", 5),
                ),
            ),
            Section("turn-5", "Turn 5", (Sentence(f"Vynoslivy is sunk by {name}.", 53, strong=True),)),
        ),
    )
    luck = Section(
        "luck",
        "Luck",
        (Sentence("Japan 31 results where 23.0 were due; the same throws do as well 1 time in 14."),),
        Table(
            figures("side", "of", "#throws", "#results", "#due", "as well", "as badly"),
            (
                TableRow(("Japan", "damage", "61", "31", "23.0", "1 in 14", "nothing unusual")),
                TableRow(("Russia", "damage", "62", "16", "20.7", "nothing unusual", "nothing unusual")),
            ),
        ),
    )
    rows = tuple(
        TableRow((name if one == 0 else f"Ship {one}", "6¾ ▢▢", "5⅞", "afloat")) for one in range(ships)
    )
    side = Section(
        "japan",
        "Japan: 12 of 12 in the battle",
        table=Table(figures("ship", "speed before", "#speed", "status"), rows),
    )
    return Report(
        f"Yellow Sea, 10 August 1904 · 6 turns, 209 entries, {name}",
        (Sentence(f"{name} has the better of it."), Sentence("Vynoslivy sunk.", 53, strong=True)),
        Curve(("Japan", "Russia"), points(), 15, "Japan ahead", "Russia ahead", "points of worth"),
        (
            luck,
            Section("turning-point", "The turning point", (Sentence("Turn 6, first gunnery.", 53),)),
            Section("throws", "Five throws that mattered", (Sentence(f"53 {name}: 1 in 24", 53),)),
            story,
            Section("losses", "Losses", (Sentence("Vynoslivy", 53, strong=True),)),
            Section("ships", "Ships before and after", parts=(side,)),
            Section("remarks", "Remarks", (Sentence(name, 7),)),
            Section("rests", "What it rests on", (Sentence("70 of 152 readings are of cells of ours."),)),
        ),
        THROWS,
    )


def without(made: Report) -> Report:
    """The report of a battle in which nothing was thrown and no phase has ended."""
    return evolve(made, curve=None, throws=(), sections=made.sections[-1:])


_HALF = Distribution((1, 1), 2)


def analysis(start: Mapping[str, float] | None = None) -> Analysis:
    """An analysis in which every part is filled."""
    return Analysis(
        ("japan", "russia"),
        start or {"japan": 40.0, "russia": 40.0},
        (
            ThrownDice(
                *(53, 5, "second-gunnery", "japan", "mikasa", "tsesarevich", "fire", "hits", (5, 10), 1),
                *(Distribution((2, 1), 3), 3.25),
            ),
            ThrownDice(
                54, 5, "second-gunnery", "russia", "pobeda", "fuji", "fire", "hits", (1,), 0, _HALF, -0.5
            ),
            ThrownDice(
                *(60, 5, "repairs", "russia", "pobeda", "", "repair", "mended", (4,)),
                left_out=LeftOut.JUDGED_OTHERWISE,
            ),
        ),
        (Count("japan", "hits", 1, 1, Distribution((2, 1), 3)), Count("russia", "hits", 1, 0, _HALF)),
        (Count("japan", "", 1, 1, Distribution((2, 1), 3)), Count("russia", "", 1, 0, _HALF)),
        (PhaseEnd(5, "second-gunnery", 59, {"japan": 40.0, "russia": 38.5}, 2.75, -1.25),),
        TurningPoint(5, "second-gunnery", 2.75, (53, 54), 53),
        {"russia": 1},
        Cells(152, 70),
        (StoryLine(53, 5, "second-gunnery", Fate.LOST, "vynoslivy", "mikasa"),),
        (Loss("vynoslivy", "russia", "sunk", 53, 5, "second-gunnery", (("mikasa", 2),)),),
        (DamageDealt("mikasa", "vynoslivy", "hits", 3, 1, 2),),
    )
