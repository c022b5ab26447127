"""What ships took, turn by turn, in golden battles: the codes of the rules and the logs from and to."""

from functools import cache

import pytest

from qf_tui.analysis.story import analyse
from qf_tui.document.report import make_report
from qf_tui.document.values import Document
from tests.analysis.battles import analysed, golden
from tests.rules.quickfire_clone.tables import battle, played

FLOTILLA, CLONE = "gq2-fourth-flotilla-1916", "yellow-sea-1904-clone"


@cache
def report(name: str) -> Document:
    system, timeline = golden(name)
    return make_report(system, timeline, analysed(name)).document


def story(name: str, turn: int) -> list[str]:
    section = report(name).section("story")
    assert section is not None
    part = next(part for part in section.sections if part.id == f"turn-{turn}")
    return [one.text for one in part.lines]


@pytest.mark.parametrize(
    ("name", "turn", "text"),
    [
        # a torpedo that struck is told by what it did, in halves of boxes from and to
        (
            *(FLOTILLA, 1),
            "Nassau takes H2 A1 by torpedo from Spitfire: armament boxes lost 0→1, hull boxes lost 0→2.",
        ),
        (
            *(FLOTILLA, 2),
            "Tipperary takes A0.5 H3 C from Westfalen: armament boxes lost 0→0.5, hull boxes lost 0→3.",
        ),
        # of a ship that is lost nothing is told that is left
        (FLOTILLA, 2, "Stuttgart takes Sunk from a mine."),
        # what several ships did, and what came of it, is one sentence; repairs are none of it
        (
            *(CLONE, 2),
            (
                "Tsesarevich takes S, blast E from Mikasa, G, blast F from Asahi and F S S S S G G from an "
                "explosion: S hits 0→5, heavy ROF 4→2, fires 0→2, light ROF 5→4."
            ),
        ),
        (
            *(CLONE, 2),
            "Kasuga takes S, blast B from Poltava and R from a blast hit: S hits 0→1, repair points 4→3.",
        ),
    ],
)
def test_what_a_ship_took_is_told_by_codes_and_log(name: str, turn: int, text: str) -> None:
    assert text in story(name, turn)


@pytest.mark.clause("QFC-COL-2")
@pytest.mark.parametrize(
    ("dice", "told"),
    [
        ("2 6", ["Rook takes damage from a collision: S hits 0→1."]),
        ("6 1", ["Ajax takes damage from a collision: light ROF 6→5."]),
        (
            "2 1",
            [
                "Ajax takes damage from a collision: light ROF 6→5.",
                "Rook takes damage from a collision: S hits 0→1.",
            ],
        ),
    ],
)
def test_a_collision_is_told_of_the_ships_that_it_harmed(dice: str, told: list[str]) -> None:
    """Catches the rammed ship's damage told of the ship that rammed her."""
    session = played(battle(phase="move"), f"collide ajax rook {dice}")
    found = analyse(session.system, session.timeline)
    section = make_report(session.system, session.timeline, found).document.section("story")
    assert section is not None
    said = [one.text for part in section.sections for one in part.lines]
    assert sorted(text for text in said if "collision" in text) == told
