"""The film: its frames, the parts that each viewer may see, and its behaviour in a real browser."""

import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from qf_tui.core.errors import QfError
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Timeline
from qf_tui.core.values import Condition, Due, Plan
from qf_tui.document.html import compute_fingerprint
from qf_tui.features.board.values import ALL, BoardSwitch
from qf_tui.features.board.view import find_known_timeline
from qf_tui.features.film.film import Film, build_film, pack_film, render_film
from qf_tui.features.report.curve import find_curve
from qf_tui.features.report.document import build_film_curve, make_report
from qf_tui.features.report.work import analyse_battle
from qf_tui.session import Session
from tests.browser import Browser
from tests.console.playing import begin_examples, begin_gunnery
from tests.corrections.ground import Ground
from tests.corrections.grounds import GROUNDS
from tests.corrections.long_battles import play_long_battle
from tests.corrections.random_battles import draw_corrected
from tests.features.board.test_page import BROKEN, CONTRAST, HOSTILE, find_stated_policy, in_browser
from tests.features.report.battles import load_golden
from tests.rules.playing import enter
from tests.systems import EVERYBODYS, find_our_systems, load_start

Data = dict[str, Any]
SHOT = "fire mikasa heavy borodino long 4 8"
MOST_BYTES = 2_000_000


def rebuild_logs(data: Data, at: int) -> list[int]:
    """Rebuild the logs of a frame like the page: from the first frame and all changes since."""
    log: dict[int, int] = {}
    for frame in data["frames"][: at + 1]:
        log |= zip(frame["log"][::2], frame["log"][1::2], strict=True)
    return [log[place] for place in range(len(log))]


def _check_frames(system: RuleSystem, timeline: Timeline) -> None:
    """Check box by box that each frame is the battle after its entry."""
    film = build_film(system, timeline, None)
    data = json.loads(json.dumps(pack_film(film, None)))
    ships = [ship.id for _, fleet in film.fleets for ship in fleet]
    wide = len(system.columns) + 1
    for at, frame in enumerate(film.frames):
        battle, log = timeline.battle_at(frame.place), rebuild_logs(data, at)
        assert set(battle.ships) <= set(ships)
        for row, id in enumerate(ships):
            state, *boxes = log[row * wide : (row + 1) * wide]
            ship = battle.ships.get(id)
            assert state == (0 if ship is None else 1 if ship.afloat else 2)
            if ship is not None:
                shown = [data["boxes"][box] for box in boxes]
                cells = (system.cell(battle, ship, column) for column in system.columns)
                assert shown == [[[span.text, span.tone] for span in cell] for cell in cells]


@pytest.mark.parametrize("ground", GROUNDS.values(), ids=GROUNDS)
@given(data=st.data())
def test_frames_rebuilt_from_changes_are_complete(ground: Ground, data: st.DataObject) -> None:
    _check_frames(ground.system, data.draw(draw_corrected(ground)).timeline)


def test_a_long_film_is_complete_to_its_end() -> None:
    system, timeline = load_golden("yellow-sea-1904-clone")
    _check_frames(system, timeline)


def test_a_film_of_a_thousand_entries_is_below_two_megabytes() -> None:
    timeline = play_long_battle(1000)
    film = build_film(find_our_systems()["advanced-quickfire"], timeline, None)
    assert len(film.frames) == 1001
    assert len(render_film(film, None).encode()) < MOST_BYTES


def test_the_curve_ends_at_the_values_of_the_report() -> None:
    """Guard against entries lost between two frames, and phases counted twice."""
    system, timeline = load_golden("yellow-sea-1904", 60)
    film = build_film(system, timeline, None)
    analysis = analyse_battle(system, timeline)
    curve = build_film_curve(system, timeline, system.worth, analysis, film.frames[1:])
    whole = find_curve(make_report(system, timeline, analysis).document)
    assert curve is not None
    assert whole is not None
    assert len(curve.points) == len(film.frames) - 1
    ends = {(point.turn, point.phase): point for point in curve.points}
    for point in whole.points:
        end = ends[point.turn, point.phase]
        assert (end.advantage, end.luck) == pytest.approx((point.advantage, point.luck))


def list_numbers(film: Film) -> list[int]:
    return [frame.entry.number for frame in film.frames if frame.entry]


def test_a_corrected_entry_appears_once_and_is_found_by_its_correction() -> None:
    session = enter(begin_gunnery(), SHOT, "fire borodino heavy mikasa long 3 5")
    shot = session.timeline.play_order[-2]
    enter(session, f"amend {shot} fire mikasa heavy borodino long 4 9", f"strike {shot + 1}")
    film = build_film(session.system, session.timeline, None)
    assert list_numbers(film).count(shot) == 1
    assert shot + 1 not in list_numbers(film)
    told = next(frame.entry for frame in film.frames if frame.entry and frame.entry.number == shot)
    assert (told.dice, told.note) == ((4, 9), "corrected")
    assert film.about == {shot + 2: shot}


def play_to_end(*orders: str) -> Session:
    """Play into turn 2, let a ship join by the schedule, and end the battle."""
    session = begin_examples()
    start, late = session.timeline.start, session.battle.ships["ohio"]
    ships = {id: ship for id, ship in start.ships.items() if id != late.id}
    plan = Plan(
        (Due(2, (late.id,), "zq-schedule"), Due(2, note="zq-lamps"), Due(9, note="zq-dusk")),
        (Condition("blue", 1, "red", ("sunk",)),),
    )
    planned = evolve(start, ships=ships, reserve={late.id: late}, plan=plan, began=None)
    session = Session.begin(session.system, evolve(planned, began=planned))
    enter(session, "next", *orders)
    while session.battle.turn < 2:
        session.enter("force next")
    enter(session, f"join red {late.id}", f"answer {session.battle.owed[-1].key} no")
    foes = [ship.id for ship in session.battle.ships.values() if ship.side == "red"]
    return enter(session, *(f"leave {id} {'sunk' if id == 'borodino' else 'withdrawn'}" for id in foes))


REMARKS = ("note zq-own", "note mikasa: zq-ship", "note red: zq-red", "note all: zq-all")


def render_page_for(session: Session, viewer: str | None) -> str:
    system, timeline = session.system, session.timeline
    if viewer is not None:
        timeline = find_known_timeline(system, timeline, viewer, BoardSwitch.OWN_SIDE)
    return render_film(build_film(system, timeline, viewer), None)


@pytest.mark.parametrize(
    ("viewer", "words"),
    [
        (None, {"zq-own", "zq-ship", "zq-red", "zq-all", "zq-lamps"}),
        ("red", {"zq-red", "zq-all"}),
        ("blue", {"zq-all"}),
        (ALL, {"zq-all"}),
    ],
)
def test_a_viewer_sees_remarks_to_him_and_no_schedule(viewer: str | None, words: set[str]) -> None:
    page = render_page_for(play_to_end(SHOT, *REMARKS), viewer)
    assert set(re.findall(r"zq-\w+", page)) == words
    assert "Mikasa heavy at Borodino" in page
    assert '"red: zq-red"' in page or "zq-red" not in words
    assert "Ohio" in page


@pytest.mark.parametrize("viewer", ["red", "blue", ALL])
def test_battles_that_look_alike_to_a_viewer_give_the_same_film(viewer: str) -> None:
    one, other = (
        play_to_end(SHOT, *REMARKS),
        play_to_end(SHOT, *(note.replace("zq-", "zx-") for note in REMARKS[:2]), *REMARKS[2:]),
    )
    assert render_page_for(one, viewer) == render_page_for(other, viewer)
    assert render_page_for(one, None) != render_page_for(other, None)


def test_a_side_has_no_film_before_the_battle_is_over() -> None:
    session = enter(begin_gunnery(), SHOT)
    with pytest.raises(QfError):
        render_page_for(session, "blue")
    assert "Mikasa heavy at Borodino" in render_page_for(session, None)


def begin_hostile() -> Session:
    """Begin a battle whose title and one ship's name are markup."""
    session = begin_examples({"borodino": HOSTILE}, title=HOSTILE)
    return enter(session, "next", SHOT, f"note all: {HOSTILE}", "leave borodino sunk")


def test_the_page_loads_nothing_from_elsewhere_and_allows_only_its_own_code() -> None:
    page = render_page_for(begin_hostile(), None)
    assert not re.search(r"https?:|//[a-z]|@import|url\(|innerHTML|outerHTML|insertAdjacent|eval\(", page)
    assert "<img" not in page
    assert HOSTILE in unescape(page)
    policy = find_stated_policy(page)
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    assert [compute_fingerprint(script) for script in scripts] == re.findall(r"script-src (\S+);", policy)
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert all(line == line.rstrip() for line in page.splitlines())


AT = "Number(document.getElementById('slider').value)"
LOGS = "[...document.querySelectorAll('.fleet tbody')].map((one) => one.innerText).join()"
TOLD = "document.getElementById('told').innerText"


def open_film(browser: Browser, path: Path, place: str = "") -> None:
    def load() -> None:
        browser.open("about:blank")
        browser.events.clear()
        browser.open(f"{path.as_uri()}{place}")
        browser.wait_for("document.querySelector('.fleet')")

    load()
    browser.ensure_drawing(load)


def find_troubles(browser: Browser) -> list[object]:
    """Return the errors of the browser, and the addresses that it requested elsewhere."""
    asked = (
        event["params"]["request"]["url"]
        for event in browser.events
        if event["method"] == "Network.requestWillBeSent"
    )
    told = [
        event for event in browser.events if event["method"] in ("Runtime.exceptionThrown", "Log.entryAdded")
    ]
    return [*told, *(url for url in asked if not url.startswith(("file:", "data:", "about:")))]


@in_browser
@pytest.mark.parametrize("size", [(390, 844), (820, 1180), (1600, 1000)], ids=str)
def test_a_film_seeks_plays_and_follows_links(
    browser: Browser, tmp_path: Path, size: tuple[int, int]
) -> None:
    session = begin_hostile()
    path, film = tmp_path / "film.html", build_film(session.system, session.timeline, None)
    path.write_text(render_film(film, None), encoding="utf-8")
    shot, last = session.timeline.play_order[-3], len(film.frames) - 1
    browser.set_size(*size)
    open_film(browser, path)
    assert browser.evaluate(AT) == 0
    begins = browser.evaluate(LOGS)
    assert browser.evaluate("document.documentElement.scrollWidth <= innerWidth")
    open_film(browser, path, f"#e{shot}")
    assert browser.evaluate(AT) == last - 2
    assert HOSTILE in browser.evaluate(TOLD)
    assert browser.evaluate("document.querySelector('.dice').getAttribute('aria-label')") == "dice 4, 8"
    linked = browser.evaluate(LOGS)
    browser.press("ArrowLeft", 37)
    browser.wait_for(f"{AT} == {last - 3}")
    assert browser.evaluate(LOGS) != linked
    browser.press("ArrowRight", 39)
    browser.wait_for(f"{LOGS} == {json.dumps(linked)}")
    browser.wait_for(f"location.hash == '#e{shot}'")
    browser.press("Home", 36)
    browser.wait_for(f"{AT} == 0 && {LOGS} == {json.dumps(begins)}")
    browser.press("End", 35)
    browser.wait_for(f"{AT} == {last}")
    browser.press("ArrowLeft", 37)
    browser.wait_for(f"{AT} == {last - 1}")
    browser.press(" ", 32)
    browser.wait_for(f"{AT} == {last}")
    assert browser.wait_for("document.querySelector('tr.out')?.dataset.ship") == "borodino"
    browser.wait_for("document.getElementById('play').getAttribute('aria-label') == 'play'")
    browser.evaluate("location.hash = '#e1'; undefined")
    browser.wait_for(f"{AT} == 1")
    browser.evaluate("document.querySelector('.marks .lost').dispatchEvent(new MouseEvent('click'))")
    browser.wait_for(f"{AT} == {last}")
    assert not browser.evaluate("document.title == '1'")
    for dark in (False, True):
        browser.set_size(*size, dark=dark)
        assert browser.evaluate(CONTRAST) == []
    assert find_troubles(browser) == []


@in_browser
@pytest.mark.parametrize("scenario", [EVERYBODYS, "gq2-fourth-flotilla-1916"])
def test_a_small_phone_shows_every_box(browser: Browser, tmp_path: Path, scenario: str) -> None:
    """Guard against rows beyond an edge that does not scroll."""
    session = Session.begin(*load_start(scenario))
    path = tmp_path / "film.html"
    path.write_text(render_film(build_film(session.system, session.timeline, None), None), encoding="utf-8")
    browser.set_size(320, 568)
    open_film(browser, path)
    assert browser.evaluate(BROKEN) == []


@in_browser
def test_dragging_shows_the_same_frames_as_stepping(browser: Browser, tmp_path: Path) -> None:
    """Guard against a frame that depends on the one drawn before."""
    system, timeline = load_golden("yellow-sea-1904-clone")
    path, film = tmp_path / "film.html", build_film(system, timeline, None)
    path.write_text(render_film(film, None), encoding="utf-8")
    open_film(browser, path)
    to = "(at) => { wanted = at; draw(Infinity); return document.querySelector('.fleets').outerHTML; }"
    places = [3, len(film.frames) - 1, 50, 2, 51, 49]
    jumped = browser.evaluate(f"{json.dumps(places)}.map({to})")
    every = f"{json.dumps(list(range(len(film.frames))))}.map({to})"
    browser.evaluate(f"({to})(0)")
    assert (
        browser.evaluate(
            f"(() => {{ const all = {every}; return {json.dumps(places)}.map((at) => all[at]); }})()"
        )
        == jumped
    )
    assert find_troubles(browser) == []
