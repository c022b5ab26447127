"""The content of the sheets: logs, crossed boxes, charts and codes, and which player gets which."""

import re
import shutil
import subprocess
from itertools import product
from pathlib import Path

import pytest
from attrs import evolve

from qf_tui.core.errors import QfError
from qf_tui.core.printed_logs import BOXES_MOST, Box, BoxState, SheetPart, draw_countdown
from qf_tui.core.timeline import build_timeline
from qf_tui.core.values import Due, Plan, Side
from qf_tui.features.sealed_dice.seal import list_seal_words, read_seal
from qf_tui.features.sealed_dice.witness import find_witnesses
from qf_tui.features.sheets.sheets import (
    SHIPS_A_PAGE,
    SheetChoice,
    Sheets,
    build_charts,
    build_sheets,
    render_page,
    write_page,
)
from qf_tui.session import Session
from tests.book import rivers
from tests.browser import Browser, find_browser
from tests.core.playing import start as tiny_battle
from tests.features.report.battles import GOLDEN, JUDGED, load_golden
from tests.features.sealed_dice.club import SEED, WORDS, begin_club
from tests.rules.playing import enter
from tests.systems import find_our_systems, load_our_battles, load_start
from tests.tiny import SYSTEM as TINY

SYSTEMS = find_our_systems()
CROSS, SLASH, HALF, REPAIRED = BoxState.CROSS, BoxState.SLASH, BoxState.HALF, BoxState.REPAIRED
OPEN = BoxState.OPEN
ALL = SheetChoice()
RECONSTRUCTED = tuple(name for name in JUDGED if load_golden(name, 0)[0].name in SYSTEMS)
"""Golden battles with partly reconstructed charts; the tables of a book are all its own."""


def build_golden_sheets(name: str, wanted: SheetChoice = ALL) -> Sheets:
    system, timeline = load_golden(name)
    return build_sheets(system, timeline, wanted)


def play(scenario: str, *orders: str, rules: str = "") -> Session:
    system, start = load_start(scenario, rules)
    return enter(Session.begin(system, start), *orders)


def find_part(session: Session, ship: str, title: str) -> SheetPart:
    lines = session.system.log_sheet(session.battle, session.battle.ships[ship])
    return next(one for line in lines for one in line if one.title.startswith(title))


def test_smoke_and_lights_are_printed_on_the_sheet() -> None:
    """Guard against empty fields on the sheet of a ship that is lit or hidden in smoke."""
    told = play("gq2-dogger-bank-1915", "mark lion lit yes", "smoke tiger")
    assert [span.text for span in find_part(told, "lion", "lit").written] == ["●"]
    assert [(span.text, span.tone) for span in find_part(told, "tiger", "smoke").written] == [("black", "")]
    assert not find_part(told, "tiger", "lit").written


def list_states(boxes: tuple[Box, ...]) -> list[str]:
    return [box.state.value or "open" for box in boxes]


@pytest.mark.parametrize(
    ("count", "expected"),
    [
        ((3, 3, 3, 0), "open open open"),
        ((3, 2, 2, 0), "cross open open"),
        ((3, 3, 2, 0), "slash open open"),
        ((3, 2, 1, 0), "cross slash open"),
        ((3, 2, 2, 1), "cross repaired open"),
        ((3, 0, 0, 2), "cross cross cross"),
        ((3, 3, 4, 0), "open open open open"),
        ((0, 0, 0, 0), ""),
        ((BOXES_MOST + 1, 5, 5, 0), ""),
    ],
)
def test_boxes_are_crossed_from_the_greatest_figure(count: tuple[int, ...], expected: str) -> None:
    boxes = draw_countdown(*count)
    assert " ".join(list_states(boxes)) == expected
    assert [box.text for box in boxes] == [str(len(boxes) - at) for at in range(len(boxes))]


@pytest.mark.clause("AQF-LOG-1", "AQF-LOG-2", "AQF-LOG-3", "AQF-LOG-4")
def test_speed_boxes_show_the_remaining_speed_and_are_crossed_from_the_left() -> None:
    session = play("rulebook-examples", "next", "damage borodino S S SX")
    speed = find_part(session, "borodino", "speed")
    assert list_states(speed.boxes)[:4] == ["slash", "slash", "slash", "open"]
    assert [box.for_good for box in speed.boxes][:3] == [True, False, False]
    session.enter("next")
    assert list_states(find_part(session, "borodino", "speed").boxes)[:4] == [
        "cross",
        "cross",
        "cross",
        "open",
    ]
    first = session.battle.ships["borodino"]
    makes = next(column for column in session.system.columns if column.title == "makes")
    assert [span.text for span in session.system.cell(session.battle, first, makes)] == [
        f"{speed.boxes[3].text}″"
    ]


@pytest.mark.clause("AQF-LOG-4")
def test_rof_is_slashed_and_repaired_points_stay_legible() -> None:
    session = play("rulebook-examples", "next", "damage borodino G G")
    assert "slash" in list_states(find_part(session, "borodino", "heavy").boxes)
    for order in ("next", "next", "next"):
        session.enter(order)
    assert session.battle.phase == "repair"
    session.enter("repair borodino heavy 4")
    assert list_states(find_part(session, "borodino", "heavy").boxes)[:2] == ["cross", "repaired"]
    assert list_states(find_part(session, "borodino", "repair").boxes)[0] == "cross"


@pytest.mark.clause("AQF-LOG-4", "QF-LOG-1", "QFC-LOG-1")
@pytest.mark.parametrize(
    ("rules", "kind", "code", "dice", "title"),
    [
        ("advanced-quickfire", "heavy", "G", "5", "heavy"),
        ("advanced-quickfire", "boats", "B", "5", "boat"),
        ("advanced-quickfire", "speed", "S", "5", "speed"),
        ("quickfire", "heavy", "G", "3 3", "heavy"),
        ("quickfire", "speed", "S", "3 3", "speed"),
        ("quickfire-clone", "", "S", "3 3", "speed"),
    ],
)
def test_a_point_repaired_and_lost_again_is_lost(
    rules: str, kind: str, code: str, dice: str, title: str
) -> None:
    """Guard against a sheet and a card that still show it as repaired."""
    session = play("yellow-sea-1904", *[f"damage poltava {code}"] * 2, rules=rules)
    while session.battle.phase != "repair":
        session.enter("force next")
    session.enter(f"repair poltava {kind} {dice}")

    def read_state() -> tuple[list[str], str]:
        ship = session.battle.ships["poltava"]
        card = dict(session.system.sheet(session.battle, ship))["repaired"]
        return list_states(find_part(session, "poltava", title).boxes)[:3], "".join(
            span.text for span in card
        ).strip()

    assert read_state() == (["cross", "repaired", "open"], kind or title)
    session.enter(f"damage poltava {code}")
    assert read_state() == (["cross", "cross", "open"], "–")
    session.enter(f"damage poltava {code}")
    assert read_state() == (["cross", "cross", "cross"], "–")


@pytest.mark.clause("AQF-LOG-4", "AQF-LOG-3")
def test_an_sx_takes_a_repaired_box() -> None:
    session = play("rulebook-examples", "damage borodino S S", *["force next"] * 4)
    session.enter("repair borodino speed 5")
    assert list_states(find_part(session, "borodino", "speed").boxes)[:3] == ["cross", "repaired", "open"]
    session.enter("damage borodino SX")
    boxes = find_part(session, "borodino", "speed").boxes[:3]
    assert [box.for_good for box in boxes] == [True, False, False]
    assert list_states(boxes) == ["cross", "cross", "open"]


@pytest.mark.clause("AQF-DAM-4", "AQF-DAM-2")
def test_fires_and_courses_are_written_and_crossed_out() -> None:
    session = play("rulebook-examples", "mark mikasa fires 2", "mark mikasa fires 1")
    assert sorted(span.tone for span in find_part(session, "mikasa", "fires").written) == ["", "repaired"]
    session.enter("mark mikasa course 45 left")
    assert [span.text for span in find_part(session, "mikasa", "course").written] == ["D45L"]


@pytest.mark.clause("GQ2-LOG-1", "GQ2-LOG-2")
def test_hull_and_armament_are_crossed_in_halves_with_the_remaining_af() -> None:
    session = play("gq2-dogger-bank-1915", "mark lion hull_lost 1.5", "mark lion armament_lost 1")
    hull = find_part(session, "lion", "hull")
    assert [box.state for box in hull.boxes] == [CROSS, HALF, OPEN, OPEN, OPEN]
    assert [box.text for box in hull.boxes] == ["13½", "11½", "9", "7", "3½"]
    arms = find_part(session, "lion", "armament")
    assert (arms.boxes[0].text, arms.boxes[0].state, arms.boxes[1].state) == ("14½·2", CROSS, OPEN)


@pytest.mark.clause("QFC-LOG-1", "QFC-GUN-4")
def test_the_auto_shot_has_one_box_and_speeds_are_in_millimetres() -> None:
    session = play(
        "yellow-sea-1904",
        "next",
        "fire mikasa heavy tsesarevich 180cm guess 180cm 5 6",
        rules="quickfire-clone",
    )
    assert list_states(find_part(session, "mikasa", "auto").boxes) == ["slash"]
    speed = find_part(session, "mikasa", "speed")
    assert [box.text for box in speed.boxes] == ["120", "105", "90", "75", "60", "45", "30", "15"]
    assert not speed.reconstructed
    assert find_part(session, "asahi", "speed").reconstructed


@pytest.mark.clause("QF-LOG-1", "QF-GUN-6")
def test_the_auto_shot_is_printed_only_if_its_switch_is_on() -> None:
    titles = [
        [
            one.title
            for line in session.system.log_sheet(session.battle, session.battle.ships["mikasa"])
            for one in line
        ]
        for session in (
            play("port-arthur-1904-evening"),
            play("port-arthur-1904-evening", "option auto_shot yes"),
        )
    ]
    assert ["auto shot" in one for one in titles] == [False, True]


@pytest.mark.parametrize("name", load_our_battles())
def test_every_ship_of_every_battle_has_a_log_in_lines(name: str) -> None:
    system, start = load_our_battles()[name]
    made = build_sheets(system, build_timeline(start, ()), SheetChoice())
    logs = [printed for page in made.pages for printed in page.ships]
    assert len(logs) == len(start.ships) + len(start.plan.arriving_ids)
    assert all(len(page.ships) <= SHIPS_A_PAGE for page in made.pages)
    for printed in logs:
        boxes = [box for line in printed.lines for one in line for box in one.boxes]
        assert boxes
        assert all(box.state is OPEN for box in boxes), printed.ship.name


@pytest.mark.parametrize(
    ("counts", "side", "pages"),
    [
        ((7, 7), "", [4, 5, 5]),
        ((7, 7), "a", [3, 4]),
        ((6, 6), "", [6, 6]),
        ((1, 6), "", [1, 6]),
        ((13, 2), "", [5, 5, 5]),
    ],
)
def test_pages_are_few_and_none_has_a_single_log(
    counts: tuple[int, int], side: str, pages: list[int]
) -> None:
    """Let sides share a page only in the umpire's set, and only if it saves one."""
    begun = tiny_battle().start
    one = next(iter(begun.ships.values()))
    ships = [
        evolve(one, id=f"{name}-{number}", side=name)
        for name, count in zip("ab", counts, strict=True)
        for number in range(count)
    ]
    sides = (Side("a", "A"), Side("b", "B"))
    battle = evolve(begun, sides=sides, ships={ship.id: ship for ship in ships}, began=None)
    made = build_sheets(TINY, build_timeline(battle, ()), SheetChoice(side))
    assert sorted(len(page.ships) for page in made.pages) == pages
    logs = [log for page in made.pages for log in page.ships]
    assert [log.ship.id for log in logs] == [ship.id for ship in ships if side in ("", ship.side)]
    for page in made.pages:
        of = {log.ship.side.upper() for log in page.ships}
        assert page.side == " · ".join(sorted(of))
        assert len(of) == 1 or all(log.owner.startswith(log.ship.side.upper()) for log in page.ships)


def test_a_system_without_a_log_sheet_prints_its_ship_sheet() -> None:
    made = build_sheets(TINY, tiny_battle(), ALL)
    assert [one.title for line in made.pages[0].ships[0].lines for one in line]
    assert "ANT" in render_page(made).upper()


def test_sheets_of_a_side_hold_only_its_ships_and_nothing_of_the_umpire() -> None:
    made = build_golden_sheets("yellow-sea-1904", SheetChoice("Russia"))
    assert {page.side for page in made.pages} == {"Russia"}
    assert (made.codes, made.owed, made.to_come) == ((), (), ())
    assert [one.side for one in made.summaries] == ["Russia"]
    page = render_page(made)
    assert "Mikasa" not in page
    assert "rescue" not in page
    made = build_golden_sheets("yellow-sea-1904", SheetChoice(division="first"))
    assert {printed.ship.division for one in made.pages for printed in one.ships} == {"first"}
    assert (made.codes, made.to_come) == ((), ())
    assert {one.side for one in made.summaries} in ({"Japan"}, set())
    assert [
        one.side for one in build_golden_sheets("yellow-sea-1904", SheetChoice(division="third")).summaries
    ] == ["Japan"]


@pytest.mark.parametrize(
    ("wanted", "said"),
    [(SheetChoice("Spain"), "no side “Spain”"), (SheetChoice(division="ninth"), "there are")],
)
def test_an_unknown_side_or_division_is_refused_with_the_known_ones(wanted: SheetChoice, said: str) -> None:
    with pytest.raises(QfError, match=said):
        build_golden_sheets("yellow-sea-1904", wanted)


def test_lost_ships_have_no_log_and_ships_to_come_have_one() -> None:
    system, start = load_our_battles()["rulebook-examples"]
    late = start.ships["mikasa"]
    plan = Plan((Due(3, ("mikasa",), "from the north"),))
    others = {id: ship for id, ship in start.ships.items() if id != "mikasa"}
    begun = evolve(start, ships=others, reserve={"mikasa": late}, plan=plan, began=None)
    session = Session.begin(system, evolve(begun, began=begun))
    session.enter("leave borodino sunk")
    made = build_sheets(system, session.timeline, SheetChoice())
    logs = {printed.ship.id: printed.state for page in made.pages for printed in page.ships}
    assert "borodino" not in logs
    assert logs["mikasa"] == "arrives on turn 3"


def test_a_single_ship_on_a_page_is_larger_and_keeps_its_notes() -> None:
    made = build_golden_sheets("yellow-sea-1904", SheetChoice("japan", single=True))
    assert all(len(page.ships) == 1 for page in made.pages)
    page = render_page(made)
    assert 'class="leaf single"' in page
    assert "15,140 t" in page


@pytest.mark.parametrize(
    ("name", "single"),
    [
        *product(RECONSTRUCTED, [False]),
        ("yellow-sea-1904-clone", True),
        pytest.param("yellow-sea-1904", True, marks=pytest.mark.long),
        pytest.param("gq2-dogger-bank-1915", True, marks=pytest.mark.long),
    ],
)
def test_every_page_explains_its_signs(name: str, single: bool) -> None:
    """Guard against a page with a dagger that only another page explains."""
    page = render_page(build_golden_sheets(name, SheetChoice(single=single)))
    leaves = page.split('<section class="leaf')[1:]
    daggers = [leaf for leaf in leaves if re.search("†(?! (estimated|reconstructed))", leaf)]
    assert len(daggers) > 1
    assert all(re.search("† (estimated|reconstructed)", leaf) for leaf in daggers)
    plain = [leaf for leaf in leaves if leaf not in daggers]
    assert not any("† estimated" in leaf for leaf in plain if "legend" not in leaf)


def test_every_phase_in_the_order_of_play_has_existing_clauses() -> None:
    for system in SYSTEMS.values():
        for phase in system.phases:
            assert phase.clauses, (system.name, phase.name)
            assert set(phase.clauses) <= set(system.clauses)


def test_every_text_of_a_battle_is_escaped_and_nothing_foreign_is_loaded() -> None:
    system, start = load_our_battles()["rulebook-examples"]
    evil = '<script src="http://x/">&amp;</script>'
    ships = {id: evolve(ship, name=evil) for id, ship in start.ships.items()}
    table = {**start.table, "title": evil}
    page = render_page(
        build_sheets(system, build_timeline(evolve(start, ships=ships, table=table), ()), SheetChoice())
    )
    assert "<script" not in page
    assert not re.search(r"<[^>]*\b(src|href|style)\s*=|url\(|@import", page)
    assert "default-src &#39;none&#39;" in page or "default-src 'none'" in page


def test_a_page_is_written_once_and_no_file_is_overwritten(tmp_path: Path) -> None:
    made = build_golden_sheets("yellow-sea-1904-clone", SheetChoice("japan"))
    to = tmp_path / "sheets.html"
    write_page(to, made)
    with pytest.raises(QfError, match="is never overwritten"):
        write_page(to, made)
    with pytest.raises(QfError, match="cannot be written"):
        write_page(tmp_path / "nowhere" / "sheets.html", made)


needs_a_browser = pytest.mark.skipif(
    not (find_browser() and shutil.which("pdftotext")), reason="no chromium or pdftotext here to print with"
)


PRINTS = [
    ("yellow-sea-1904", "japan", False),
    ("gq2-dogger-bank-1915", "britain", True),
    *(pytest.param(name, "", letter, marks=pytest.mark.long) for name in GOLDEN for letter in (False, True)),
]


@needs_a_browser
@pytest.mark.parametrize(("name", "side", "letter"), PRINTS)
def test_a_browser_prints_six_ships_a_page_and_breaks_none(
    name: str, side: str, letter: bool, tmp_path: Path, browser: Browser
) -> None:
    """Keep the heading and the last line of a ship on one page, at full size.

    A browser shrinks a page that is too wide, which moves the text at its right edge.
    """
    made = build_golden_sheets(name, SheetChoice(side, letter=letter))
    pages = print_pages(made, tmp_path, browser)
    for number, page in enumerate(made.pages):
        ids = [log.ship.id for log in page.ships]
        found = [(word, edge) for word, edge in pages[number] if word in ids]
        assert [word for word, _ in found] == ids
        assert [word for word, _ in pages[number]].count("notes") == len(page.ships)
        assert all(abs(edge - 10) < 0.5 for _, edge in found)


@needs_a_browser
def test_each_page_has_the_witness_at_its_foot(tmp_path: Path, browser: Browser) -> None:
    """Guard against a page without it, and the number of entries on a sheet of one side."""
    system, start = load_start("yellow-sea-1904")
    session = Session.begin(system, start, tmp_path / "battle.qfb")
    session.enter("next")
    witnesses = find_witnesses(session)
    words = witnesses[-1].words
    for side, entry in (("", True), ("japan", False)):
        made = build_sheets(
            system, session.timeline, SheetChoice(side), session.extra, find_witnesses(session)
        )
        assert ("(entry 1)" in made.witness) == entry
        assert render_page(made).count(words) == 2
        folder = tmp_path / f"printed{side}"
        folder.mkdir()
        for page in print_pages(made, folder, browser):
            assert " ".join(word for word, _ in page).count(words) in (1, 2)
            assert [word for word, _ in page[-8:]] == words.split()
    session.close()


def print_pages(made: Sheets, folder: Path, browser: Browser) -> list[list[tuple[str, float]]]:
    """Print with the browser and return each page's words with the distance from the right edge in mm."""
    page, pdf = folder / "sheets.html", folder / "sheets.pdf"
    write_page(page, made)
    pdf.write_bytes(browser.print_pdf(page.as_uri()))
    words = ["pdftotext", "-bbox", str(pdf), f"{pdf}.xml"]
    subprocess.run(words, check=True, capture_output=True, timeout=120)
    told = Path(f"{pdf}.xml").read_text(encoding="utf-8")
    found = []
    for one in told.split("<page ")[1:]:
        wide = float(re.findall(r'width="([0-9.]+)"', one)[0])
        said = re.findall(r'yMin="([0-9.]+)" xMax="([0-9.]+)"[^>]*>([^<]*)<', one)
        downward = sorted((float(down), float(right), word) for down, right, word in said)
        found.append([(word, (wide - right) / 72 * 25.4) for _, right, word in downward])
    return found


@pytest.mark.parametrize("name", RECONSTRUCTED)
def test_every_cell_read_in_a_battle_was_among_its_needed_cells(name: str) -> None:
    system, timeline = load_golden(name)
    needed = system.needed_cells(timeline.start)
    read = {
        reason.cell.partition(" (")[0]
        for number in timeline.play_order
        for reason in timeline.rulings[number].decision.reasons
    }
    counted = 0
    for place in read:
        table, words = (*re.split(r"[ ,]+", place, maxsplit=1), "")[:2]
        if table in needed:
            counted += 1
            assert any(row in words and column in words for row, column in needed[table]), place
    assert counted > 3


@pytest.mark.parametrize(
    ("scenario", "table", "is_needed", "is_not"),
    [
        ("yellow-sea-1904", "battery", {("100", ""), ("200", "")}, {("25", "")}),
        ("rulebook-examples", "damage", {("explosion", ""), ("boat-guns", "")}, set()),
        ("port-arthur-1904-evening", "sinking", {("", "11+")}, set()),
        ("gq2-fourth-flotilla-1916", "torpedo", {("", "½-1")}, {("", "13+"), ("", "7-8")}),
        ("gq2-dogger-bank-1915", "barbette", {("others", "")}, {("flash protection", "")}),
    ],
)
def test_charts_have_only_the_cells_that_the_ships_can_need(
    scenario: str, table: str, is_needed: set[tuple[str, str]], is_not: set[tuple[str, str]]
) -> None:
    session = play(scenario)
    cells = set(session.system.needed_cells(session.battle)[table])
    assert is_needed <= cells
    assert not is_not & cells
    made = next(
        chart
        for chart in build_sheets(session.system, session.timeline, ALL).charts
        if chart.title == session.battle.charts[table].title
    )
    rows = {row for row, _ in cells} - {""}
    assert {name for name, _ in made.rows} == rows or not rows


def test_a_cell_shows_if_it_is_attested_reconstructed_or_the_umpire_s(tmp_path: Path) -> None:
    made = build_golden_sheets("yellow-sea-1904")
    battery = next(chart for chart in made.charts if "Battery" in chart.title)
    line = dict(battery.rows)["200"]
    assert "".join(cell.sign or "." for cell in line) == "††††.....†.†"
    assert battery.counts == "22 attested, 74 reconstructed"
    assert "‡" in render_page(made)


def test_tables_are_printed_with_the_sheets() -> None:
    printed = {chart.title: chart for chart in build_charts(rivers.BOOK, rivers.START)}
    assert printed["Broadside"].columns == ("6in", "12in", "24in")
    assert "+1 shot > target.armor" in printed["Broadside"].note


@pytest.mark.parametrize("wanted", [SheetChoice(), SheetChoice("japan")])
def test_sheets_show_the_seal_but_not_the_seed(wanted: SheetChoice) -> None:
    session = begin_club()
    for order in ("next", "fire iwate heavy rossiya medium call 37"):
        session.enter(order)
    page = render_page(build_sheets(session.system, session.timeline, wanted, session.extra))
    seal = read_seal(session.extra)
    assert seal is not None
    assert " ".join(list_seal_words(seal.digest)) in page
    assert seal.digest in page
    assert ", ".join(WORDS) in page
    assert SEED.hex() not in page.lower()
