"""The report of a battle as text, for battles played here and golden ones."""

import os
import tempfile
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from time import monotonic

import pytest
from attrs import evolve

from qf_tui.core.text import join_as_sentence
from qf_tui.core.values import Battle
from qf_tui.document.acts import join_some
from qf_tui.document.values import Document
from qf_tui.features.report import work as workers
from qf_tui.features.report.curve import Outcomes, find_curve
from qf_tui.features.report.document import Arrivals, make_report
from qf_tui.features.report.luck import (
    Names,
    find_adjective,
    format_chance,
    format_figure,
    format_rarity,
    format_throw_rarity,
)
from qf_tui.features.report.page import build_strip
from qf_tui.features.report.story import analyse
from qf_tui.features.report.text import format_markdown
from qf_tui.features.report.values import Distribution, LeftOut, TurningPoint
from qf_tui.features.report.work import analyse_battle, work_out_report
from qf_tui.library.processes import Stopped
from qf_tui.session import Session
from tests.console.playing import HOSTILE, begin_examples, begin_gunnery
from tests.core.playing import battle
from tests.features.report.battles import analyse_golden, load_golden
from tests.rules.playing import enter
from tests.rules.quickfire_clone.tables import battle as clone_battle
from tests.rules.quickfire_clone.tables import played as clone_played
from tests.systems import find_our_systems
from tests.tiny import SYSTEM

SHOTS = (
    "fire mikasa heavy borodino long 4 8",
    "fire borodino heavy mikasa long 1 5",
    "fire massena heavy ohio long 12",
    "damage ohio D",
    "roll 5/direction/ohio/1 5",
    "leave hannibal sunk",
    "note dusk is near",
)
SPARE = ("damage massena D", "roll 11/direction/massena/1 5", "strike 11")


def make_document(session: Session) -> Document:
    found = analyse(session.system, session.timeline)
    return make_report(session.system, session.timeline, found).document


def play_gunnery(*orders: str, hostile: bool = False) -> Session:
    return enter(begin_gunnery(HOSTILE if hostile else None), *orders)


def test_the_report_of_an_evening_matches_its_golden_file() -> None:
    """Compare every part and line with its entry; `QF_TUI_REGENERATE` rewrites the file."""
    session = play_gunnery(*SHOTS, "amend 3 1 6", "doubt 3 was it so", *SPARE)
    text, golden = format_markdown(make_document(session)), Path(__file__).with_name("evening.md")
    if os.environ.get("QF_TUI_REGENERATE"):
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")


def list_texts(report: Document) -> Iterator[str]:
    yield from (report.title, *(one.text for one in report.lines))
    for section in report.sections:
        for part in (section, *section.sections):
            yield from (part.title, *(one.text for one in part.lines))
            yield from (cell for row in (part.table.rows if part.table else ()) for cell in row.cells)


def list_section_texts(report: Document, id: str) -> list[str]:
    section = report.find_section(id)
    return [one.text for part in (section, *section.sections) for one in part.lines] if section else []


def test_the_headline_and_the_end_of_the_curve_agree() -> None:
    """Guard against worth with owed rolls priced in next to worth without them."""
    session = play_gunnery("damage ohio E")
    assert session.battle.owed
    report = make_document(session)
    curve = find_curve(report)
    assert curve is not None
    end = session.system.worth.value_side(session.timeline.start, "red") - curve.points[-1].worth[1]
    assert any(f"Red {end:.1f} of " in one.text for one in report.lines)


def test_only_the_total_of_a_side_is_called_lucky() -> None:
    """Guard against a single throw called lucky, which starts quarrels."""
    session = play_gunnery(*SHOTS)
    found = analyse(session.system, session.timeline)
    rare = evolve(found.damage[0], chances=Distribution((95, 4, 1), 100))
    rare_found = evolve(found, damage=(rare, *found.damage[1:]))
    report = make_report(session.system, session.timeline, rare_found).document
    assert list_section_texts(report, "luck")[0] == (
        "Blue was lucky: 2 results where 0.1 were due; the same throws do as well 1 time in 100."
    )
    elsewhere = [one for one in list_texts(report) if one not in list_section_texts(report, "luck")]
    assert not [one for one in elsewhere if "lucky" in one]


def test_the_worth_of_ships_that_joined_is_listed_apart_from_gains() -> None:
    session = Session.view(Path("saves/yellow-sea-1904.qfb"), find_our_systems())
    worths = session.system.worth
    found = analyse(session.system, session.timeline)
    report = make_report(session.system, session.timeline, found).document
    joined = sum(worths.value_ship(session.timeline.start.reserve[id]) for id in ("asama", "suma"))
    assert joined
    gained = next(one for one in list_section_texts(report, "luck") if one.startswith("Worth: "))
    assert " by ships that joined" in gained
    brought = Arrivals(session.timeline, worths).compute_joined_advantage(0)
    assert gained.endswith(f", {found.phases[-1].rest - brought:.1f} by other causes.")
    curve, last = find_curve(report), found.phases[-1]
    assert curve is not None
    assert abs(curve.points[-1].advantage) < abs(last.luck + last.rest)
    assert "join Japan." in " ".join(list_section_texts(report, "story"))
    assert "Tsesarevich out of the line from turn 7." in [one.text for one in report.lines]
    assert [one.turn for one in curve.points] == sorted(one.turn for one in curve.points)


def test_throws_that_are_left_out_are_listed_with_their_entries() -> None:
    session = play_gunnery(*SHOTS, "strike 2")
    found = analyse(session.system, session.timeline)
    throws = tuple(evolve(throw, luck=None, left_out=LeftOut.JUDGED_OTHERWISE) for throw in found.throws)
    report = make_report(session.system, session.timeline, evolve(found, throws=throws)).document
    assert "(3, 4, 6)" in " ".join(list_section_texts(report, "rests"))
    assert report.find_section("throws") is None


def test_a_report_says_if_a_ship_owes_more_rolls_than_are_priced() -> None:
    few, many = (make_document(play_gunnery(*SHOTS[:2], *["damage ohio D"] * count)) for count in (4, 5))
    assert "Priced in part" not in " ".join(list_section_texts(few, "rests"))
    assert "Priced in part: after 1 entry (8)" in " ".join(list_section_texts(many, "rests"))


def test_small_throws_of_the_decisive_phase_are_left_out() -> None:
    session = play_gunnery(*SHOTS[:2])
    found = analyse(session.system, session.timeline)
    first, second = found.throws

    def list_decisive(share: float) -> list[int]:
        throws = evolve(first, luck=2.0), evolve(second, luck=2.0 * share)
        turn = TurningPoint(1, first.phase, 2.0, (first.entry, second.entry), first.entry)
        told = make_report(
            session.system, session.timeline, evolve(found, throws=throws, turning_point=turn)
        ).document
        section = told.find_section("turning-point")
        assert section is not None
        assert section.lines[1].text.startswith("The advantage moved most in this phase too")
        return [one.entry for one in section.lines]

    assert list_decisive(0.09) == [0, 0, first.entry]
    assert list_decisive(0.11) == [0, 0, first.entry, second.entry]


def test_a_ship_that_withdrew_unhurt_counts_as_changed() -> None:
    """Use rules whose columns do not show a ship's status."""
    session = Session.begin(SYSTEM, battle())
    session.enter("leave ant withdrawn")
    section = make_document(session).find_section("ships")
    assert section is not None
    north = section.sections[0]
    assert north.table is not None
    assert [row.cells for row in north.table.rows] == [("Ant", "withdrawn")]
    assert [one.text for one in north.lines] == ["Unchanged: Bee."]


def test_typed_dice_and_the_consoles_are_counted_apart() -> None:
    session = play_gunnery(*SHOTS)
    found = analyse(session.system, session.timeline)
    first, *others = found.throws
    mixed = evolve(found, throws=(evolve(first, by_console=True), *others))
    luck = make_report(session.system, session.timeline, mixed).document.find_section("luck")
    assert luck is not None
    table = luck.sections[0].table
    assert table is not None
    assert {row.cells[:2] for row in table.rows} == {
        ("Blue", "typed"),
        ("Blue", "by the console"),
        ("Red", "typed"),
    }


def test_a_battle_without_a_throw_says_so() -> None:
    session = begin_examples()
    made = make_report(session.system, session.timeline, analyse(session.system, session.timeline))
    report = made.document
    assert find_curve(report) is None
    assert made.throws.rows == ()
    assert [one.id for one in report.sections] == ["ships", "rests"]


def test_a_battle_of_one_side_gets_a_report() -> None:
    session = begin_examples()
    start: Battle = session.timeline.start
    own = {id: ship for id, ship in start.ships.items() if ship.side == start.sides[0].id}
    alone = Session.begin(session.system, evolve(start, sides=start.sides[:1], ships=own, began=None))
    alone.enter("leave mikasa sunk")
    report = make_document(alone)
    assert find_curve(report) is None
    assert "Mikasa sunk (turn 1)." in [one.text for one in report.lines]
    names = Names(session.system, alone.timeline)
    assert [names.format_gain(luck) for luck in (-1.25, 0.004)] == ["Blue +1.2", "Blue +0.004"]


def test_names_are_printed_verbatim() -> None:
    report = make_document(play_gunnery(*SHOTS, hostile=True))
    assert any(
        "HMS [Red] Lion takes S G from [/: S hits 0→1, heavy ROF 6→5." in one for one in list_texts(report)
    )
    assert all("\n" not in one for one in list_texts(report))


@pytest.mark.parametrize("many", [200, pytest.param(2000, marks=pytest.mark.long)])
def test_a_report_of_many_ships_has_short_sentences(many: int) -> None:
    session = begin_examples()
    start: Battle = session.timeline.start
    kinds = start.ships["mikasa"], start.ships["borodino"]
    ships = {
        f"s{at}": evolve(kinds[at % 2], id=f"s{at}", name=f"[red]<script>{at}[/]](javascript:")
        for at in range(many)
    }
    fight = Session.begin(session.system, evolve(start, ships=ships, began=None))
    fight.enter("next")
    fight.enter("fire s0 heavy s1 long 2 8")
    began = monotonic()
    report = make_document(fight)
    assert monotonic() - began < 20
    assert max(map(len, list_texts(report))) < 2500


def test_a_report_stops_on_request() -> None:
    session = play_gunnery(*SHOTS)
    with pytest.raises(Stopped):
        analyse_battle(session.system, session.timeline, stopped=lambda: True)
    with pytest.raises(Stopped):
        work_out_report(session.system, session.timeline, None, lambda done, of: None, lambda: True)


def test_other_processes_give_the_same_report(tmp_path: Path) -> None:
    """Leave out entries saved after the work began."""
    session = Session.begin(begin_examples().system, begin_examples().timeline.start, tmp_path / "kept.qfb")
    for order in ("next", *SHOTS):
        session.enter(order)
    timeline, seen = session.timeline, list[int]()
    session.enter("leave ohio sunk")
    made = work_out_report(
        session.system, timeline, session.journal.path, lambda done, of: seen.append(done), lambda: False
    )
    session.close()
    assert made.analysis == analyse(session.system, timeline)
    assert made == make_report(session.system, timeline, made.analysis)
    assert seen[-1] == len(timeline.play_order)


@pytest.mark.parametrize("few", [workers.UNSAVED_WORKERS_FROM, 2])
def test_an_unsaved_battle_is_reported_with_own_weights_here_or_elsewhere(
    few: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Guard against a copy for another process that is not removed."""
    home, others = tmp_path / "home", tmp_path / "others"
    home.mkdir()
    others.mkdir()
    monkeypatch.setenv("QF_TUI_HOME", str(home))
    monkeypatch.setattr(workers, "UNSAVED_WORKERS_FROM", few)
    monkeypatch.setattr(tempfile, "tempdir", str(others))
    session = play_gunnery(*SHOTS, "strike 3", hostile=True)
    (home / "worth.toml").write_text(f"[{session.system.name}]\nhull = 8\n", encoding="utf-8")
    made = work_out_report(session.system, session.timeline, None, lambda done, of: None, lambda: False)
    worth = session.system.worth.replace_weights({"hull": 8})
    assert made.analysis == analyse(session.system, session.timeline, worth)
    assert made == make_report(session.system, session.timeline, made.analysis, worth)
    assert any("8 for the ship herself" in one for one in list_section_texts(made.document, "rests"))
    assert list(others.iterdir()) == []


FLOTILLA, CLONE = "gq2-fourth-flotilla-1916", "yellow-sea-1904-clone"


@cache
def build_golden_report(name: str) -> Document:
    system, timeline = load_golden(name)
    return make_report(system, timeline, analyse_golden(name)).document


def list_story_texts(name: str, turn: int) -> list[str]:
    section = build_golden_report(name).find_section("story")
    assert section is not None
    part = next(part for part in section.sections if part.id == f"turn-{turn}")
    return [one.text for one in part.lines]


@pytest.mark.parametrize(
    ("name", "turn", "text"),
    [
        # A torpedo hit is told by its effect, in half boxes before and after.
        (
            *(FLOTILLA, 1),
            "Nassau takes H2 A1 by torpedo from Spitfire: armament boxes lost 0→1, hull boxes lost 0→2.",
        ),
        (
            *(FLOTILLA, 2),
            "Tipperary takes A0.5 H3 C from Westfalen: armament boxes lost 0→0.5, hull boxes lost 0→3.",
        ),
        # A lost ship has nothing left to tell.
        (FLOTILLA, 2, "Stuttgart takes Sunk from a mine."),
        # Hits by several ships and their consequences are one sentence, without repairs.
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
def test_damage_is_told_by_codes_and_log(name: str, turn: int, text: str) -> None:
    assert text in list_story_texts(name, turn)


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
def test_a_collision_is_told_of_the_ships_it_damaged(dice: str, told: list[str]) -> None:
    """Guard against the rammed ship's damage told of the ramming ship."""
    session = clone_played(clone_battle(phase="move"), f"collide ajax rook {dice}")
    found = analyse(session.system, session.timeline)
    section = make_report(session.system, session.timeline, found).document.find_section("story")
    assert section is not None
    said = [one.text for part in section.sections for one in part.lines]
    assert sorted(text for text in said if "collision" in text) == told


def test_a_ship_counts_for_her_side_after_the_entry_that_brought_her() -> None:
    session = Session.view(Path("saves/yellow-sea-1904.qfb"), find_our_systems())
    timeline, worth = session.timeline, session.system.worth
    arrivals = Arrivals(timeline, worth)
    entry = arrivals.by_ship["asama"].entry
    behind = timeline.play_order[timeline.find_place(entry) + 1]
    together = [one.ship for one in arrivals.by_ship.values() if one.entry == entry]
    assert {ship.side for ship in together} == {"japan"}
    brought = sum(map(worth.value_ship, together))
    assert arrivals.compute_joined_advantage(behind) - arrivals.compute_joined_advantage(
        entry
    ) == pytest.approx(brought)
    start = sum(worth.value_ship(one.ship) for one in arrivals.by_ship.values() if not one.entry)
    joined = sum(worth.value_ship(one.ship) for one in arrivals.by_ship.values() if one.entry)
    assert arrivals.compute_brought_worth("japan") + arrivals.compute_brought_worth(
        "russia"
    ) == pytest.approx(start + joined)


@pytest.mark.parametrize(
    ("results", "reached"), [(0, "#..."), (1, "##.."), (2, "..##"), (3, "...#"), (5, ".....#")]
)
def test_results_as_far_from_the_mean_as_thrown_are_marked(results: int, reached: str) -> None:
    strip = build_strip(Outcomes("Blue", True, results, 1.5, (1, 3, 3, 1), 8))
    assert "".join("#" if one.reached else "." for one in strip.chances) == reached
    assert (strip.due.text, strip.thrown.text) == ("1.5 due", f"{results} thrown")


def test_a_mean_near_zero_is_not_printed_as_zero() -> None:
    assert [format_figure(value) for value in (26.66, 0.0, 0.037, -0.01)] == ["26.7", "0.0", "0.037", "-0.01"]


THOUSAND = Distribution((500, 450, 45, 4, 1), 1000)
"""A distribution in which more results are rarer."""


@pytest.mark.parametrize(
    ("chance", "words"),
    [
        (Fraction(0), "never"),
        (Fraction(1, 24), "1 in 24"),
        (Fraction(2, 47), "1 in 24"),
        (Fraction(1, 1234), "1 in 1,200"),
        (Fraction(1, 99), "1 in 99"),
        (Fraction(1, 10**9), "less than 1 in 1,000,000"),
        (Fraction(1, 2), "1 in 2"),
        (Fraction(2, 3), "2 in 3"),
        (Fraction(98, 100), "nearly always"),
        (Fraction(999, 1000), "nearly always"),
        (Fraction(1), "always"),
    ],
)
def test_a_chance_is_printed_as_one_in_n(chance: Fraction, words: str) -> None:
    assert format_chance(chance) == words


@pytest.mark.parametrize(
    ("results", "said", "word"),
    [
        (0, "nothing unusual", ""),
        (1, "nothing unusual", ""),
        (2, "as well 1 time in 20", "lucky"),
        (3, "as well 1 time in 200", "very lucky"),
        (4, "as well 1 time in 1,000", "very lucky"),
    ],
)
def test_a_total_is_unusual_below_one_in_ten(results: int, said: str, word: str) -> None:
    """Guard against an adjective for a usual result."""
    assert format_rarity(THOUSAND, results) == said
    assert find_adjective(THOUSAND, results) == word


def test_few_results_are_unlucky_and_harmful_ones_are_neither() -> None:
    few = Distribution((1, 4, 95), 100)
    assert (format_rarity(few, 0), find_adjective(few, 0)) == ("as badly 1 time in 100", "unlucky")
    assert format_rarity(few, 0, good=False) == "as little 1 time in 100"
    assert format_rarity(THOUSAND, 2, good=False) == "as much 1 time in 20"


@pytest.mark.parametrize(
    ("chance", "throws", "said"),
    [
        (Fraction(1, 20), 100, "1 in 20; expect about 5 this rare in 100 throws"),
        (Fraction(1, 20), 20, "1 in 20; expect about 1 this rare in 20 throws"),
        (Fraction(1, 20), 15, "1 in 20; expect about 1 this rare in 15 throws"),
        (Fraction(1, 20), 14, "1 in 20; expect 0.7 this rare in 14 throws"),
        (Fraction(1, 1000), 123, "1 in 1,000; expect 0.1 this rare in 123 throws"),
        (Fraction(1, 2), 40, ""),
    ],
)
def test_a_rare_throw_is_printed_with_the_expected_number_of_such_throws(
    chance: Fraction, throws: int, said: str
) -> None:
    assert format_throw_rarity(chance, throws) == said


def test_names_are_joined_as_in_a_sentence() -> None:
    assert [join_as_sentence(list(text)) for text in ("", "a", "ab", "abc")] == [
        "",
        "a",
        "a and b",
        "a, b and c",
    ]
    assert join_some(list("abcdef"), 4) == "a, b, c and 3 more"
    assert join_some(list("abcd"), 4) == "a, b, c and d"
