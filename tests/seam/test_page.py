"""The small system of the page for authors, and both pieces umpired through the console's keys."""

import ast
from pathlib import Path
from textwrap import dedent

import pytest

import qf_tui.rules
from qf_tui.cli import main
from qf_tui.core.system import RuleSystem
from qf_tui.library.scenarios import load_scenario
from qf_tui.library.systems import find_systems
from qf_tui.session import Session
from tests.console.playing import Table, keys_of, play
from tests.rules.playing import enter
from tests.seam.battles import SYSTEMS, choice, night, report

FIRST = "    '''Skiff"
LAST = "    SYSTEM = Skiff()"
LINES_MOST = 80

FLEET = """
ruleset = "skiff"
title = "Boats"
[[ship]]
id = "ant"
name = "Ant"
planks = 2
[[ship]]
id = "bee"
name = "Bee"
planks = 2
"""
SCENARIO = """
ruleset = "skiff"
title = "The pond"
[[side]]
name = "Blue"
fleet = "boats.toml"
ships = ["ant"]
[[side]]
name = "Red"
fleet = "boats.toml"
ships = ["bee"]
"""


def source() -> str:
    """The system as the page shows it."""
    page = ast.get_docstring(ast.parse(Path(qf_tui.rules.__file__).read_text(encoding="utf-8")), clean=False)
    assert page is not None
    shown = page[page.index(FIRST) : page.index(LAST) + len(LAST)]
    return dedent(shown) + "\n"


@pytest.fixture
def pond(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A scenario of the system, which is installed as a package of its own."""
    (tmp_path / "skiff.py").write_text(source(), encoding="utf-8")
    package = tmp_path / "skiff-1.0.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: skiff\nVersion: 1.0\n", encoding="utf-8")
    (package / "entry_points.txt").write_text("[qf_tui.rules]\nskiff = skiff:SYSTEM\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "boats.toml").write_text(FLEET, encoding="utf-8")
    scenario = tmp_path / "pond.toml"
    scenario.write_text(SCENARIO, encoding="utf-8")
    return scenario


def opened(scenario: Path) -> Session:
    return Session.begin(*load_scenario(scenario, find_systems()))


def planks(session: Session) -> dict[str, object]:
    return {
        id: session.system.report(session.battle, ship)["planks"] for id, ship in session.battle.ships.items()
    }


def test_it_is_small_and_plain() -> None:
    lines = [line for line in source().splitlines() if line.strip()]
    assert len(lines) <= LINES_MOST
    assert max(map(len, lines)) <= 110


def test_it_is_found_and_plays_a_battle(pond: Path) -> None:
    """Catches a page that shows what does not run, or leaves out what a system must have."""
    session = opened(pond)
    assert isinstance(session.system, RuleSystem)
    assert [(one.ship, one.order) for one in session.system.may_act(session.battle)] == [
        ("ant", "fire"),
        ("bee", "fire"),
    ]
    session.enter("fire ant bee")
    assert [owed.prompt for owed in session.battle.owed] == ["Ant at Bee"]
    assert [one.ship for one in session.system.may_act(session.battle)] == ["bee"]
    session.enter("roll 6")
    assert planks(session) == {"ant": 2, "bee": 1}
    bee = session.battle.ships["bee"]
    shown = [
        (span.text, span.tone) for span in session.system.cell(session.battle, bee, session.system.columns[0])
    ]
    assert shown == [("2", ""), ("/", "slash"), (" 1", "")]
    session.enter("next")
    assert [owed.line for owed in session.battle.owed] == ["bail"]
    session.enter("roll 2")
    assert session.battle.ships["bee"].status == "sunk"
    assert session.system.ended(session.battle) == "Red has no ship left in the battle: it may end here"


def test_an_old_shot_is_amended_with_its_consequences(pond: Path) -> None:
    session = opened(pond)
    for order in ("fire ant bee 6", "next", "roll 2"):
        session.enter(order)
    changed = session.enter("amend 1 3").consequences
    assert changed.spare == (3,)
    assert (planks(session), session.battle.ships["bee"].status) == ({"ant": 2, "bee": 2}, "afloat")
    session.enter("amend 1 fire ant bee 5")
    assert planks(session) == {"ant": 2, "bee": 1}


def test_every_command_knows_it(pond: Path, capsys: pytest.CaptureFixture[str]) -> None:
    orders = pond.with_suffix(".orders")
    orders.write_text("fire ant bee 6\nnext\nroll 5\n", encoding="utf-8")
    said = {}
    for name, arguments in {
        "check": ["check", str(pond), str(pond.with_name("boats.toml"))],
        "run": ["run", str(pond), "--orders", str(orders)],
        "odds": ["odds", str(pond), "fire ant bee"],
        "rules": ["rules", "SK-2"],
        "charts": ["charts", "skiff"],
        "options": ["options", "skiff"],
        "schema": ["schema", "fleet", "skiff"],
    }.items():
        status = main(arguments)
        said[name] = capsys.readouterr().out
        assert status == 0, (name, said[name])
    assert "Ant 6: hits Bee" in said["run"]
    assert "hits  50.00%" in said["odds"]
    assert "A hit costs a plank" in said["rules"]


def test_it_has_no_size(pond: Path) -> None:
    """Catches a key of other rules that every fleet must give."""
    system = find_systems()["skiff"]
    assert "size" not in {field.name for field in system.card}
    assert "size" not in load_scenario(pond, {"skiff": system})[1].ships["ant"].card


def test_a_night_shot_from_its_dialog_to_the_steam_line() -> None:
    async def steps(table: Table) -> None:
        await table.press("f")
        assert "the number on the stick" in table.text()
        assert "12-inch · 6-inch" in table.text()
        await table.press(*"12", "space", *"dog", "space", *"8", "enter", "p")
        assert "at night the targeting roll comes first" in table.text()
        await table.press("enter")
        assert table.log()[-1] == "fire ant 12-inch dog straddle 8 penetrates"
        assert "targeting of HMS Ant at HMS Dog" in table.text()
        assert "red D6, blue D6" in table.text()
        await table.press("6", "space", "3", "enter")
        assert "who is there?" in table.text()
        assert "bee or cat or elk or nobody" in table.text()
        await table.press("o", *"ca")
        assert "who is there? ✓ cat" in table.text()
        await table.press("enter")
        assert "HMS Ant at HMS Cat" in table.text()
        assert "white D10, red D10, blue D10" in table.text()
        await table.press(*"2", "space", *"0", "space", *"1", "enter")
        assert "critical hit on HMS Cat" in table.text()
        await table.press("5", "enter")
        assert "a steam line of HMS Cat: 3 slower next turn" in table.text()
        assert report(table.session, "cat")["speed"] == 6

    play(night(), steps)


def test_targeting_amended_shows_what_follows_and_then_asks_who_is_there() -> None:
    session = night(
        "fire ant 12 dog straddle 8 penetrates", "roll 5 4", "roll 2 4 1", "roll 5", "next", "move dog 3"
    )

    async def steps(table: Table) -> None:
        await table.order("amend 3 6 3")
        text = table.text()
        assert "Dice no longer needed" in text
        assert "one ship to the right of HMS Dog, from HMS Ant: who is there?" in text
        assert "HMS Dog: hull lost 2 → 0" in text
        await table.press("enter", "o", *"elk", "space", *"straddle", "space", "6", "enter")
        assert table.session.battle.owed[0].prompt == "critical hit on HMS Elk"
        assert report(table.session, "elk") == {
            "hull_lost": 2,
            "armament_lost": 0.5,
            "speed": 6,
            "steam": 0,
            "status": "afloat",
        }

    play(session, steps)


def test_a_cell_in_halves_is_explained_and_edited_in_halves() -> None:
    session = night("fire ant 12 dog straddle 6", "roll 5 4", "roll 1 4 3")

    async def steps(table: Table) -> None:
        await table.press("x", "down", "right", "right", "question_mark")
        text = table.text()
        assert "Why: HMS Dog, arms" in text
        assert "armament lost: 0 → 0.5" in text
        assert "roll 1 4 3 for" in text
        assert "N-GUN-3" in text
        await table.press("escape", "e")
        assert table.screen.orders.text == "mark dog armament_lost 0.5"
        await table.press(*keys_of("1.5"), "enter")
        assert report(table.session, "dog")["armament_lost"] == 1.5

    play(session, steps)


def test_the_bar_says_which_words_of_a_shot_are_missing() -> None:
    async def steps(table: Table) -> None:
        await table.press("colon", *keys_of("fire ant "))
        assert "12-inch · 6-inch" in table.text()
        await table.write("6 dog ")
        assert "the number on the stick: straddle" in table.text()
        await table.write("straddle ")
        assert "the number on the stick" in table.text()
        await table.write("7 4 4 4")
        assert "fire ant 6-inch dog straddle 7" in table.text()

    play(night(), steps)


def test_a_sinking_ship_is_not_drawn_as_one_that_has_left() -> None:
    async def steps(table: Table) -> None:
        looks = {}
        for status in ("afloat", "sinking", "sunk"):
            await table.order(f"mark bee status {status}")
            row = table.screen.grid.render_line(3)
            looks[status] = next(segment.style for segment in row if "Bee" in segment.text)
        assert looks["afloat"] == looks["sinking"] != looks["sunk"]

    play(night(), steps)


def test_a_repair_is_chosen_in_words_after_its_dice() -> None:
    async def steps(table: Table) -> None:
        await table.press("x", "down", "r", "tab", "enter", "3", "space", "4", "enter")
        assert "what does HMS Dog repair?" in table.text()
        assert "gunnery-heavy or gunnery-light or speed" in table.text()
        await table.press("colon", *"sp", "enter")
        assert table.log()[-1] == "answer 3/choice/dog/1 speed"
        assert "HMS Dog mends speed" in table.text()
        await table.order("amend 3 5 5")
        assert "Dice no longer needed" in table.text()
        await table.press("enter")
        assert report(table.session, "dog")["speed_hits"] == 1

    play(choice(), steps)


def test_tab_takes_a_word_of_the_question_that_the_bar_is_open_for() -> None:
    async def steps(table: Table) -> None:
        await table.press("o", "n", "tab")
        assert table.screen.orders.text == "nobody "
        await table.press("enter")
        assert table.log()[-1] == "answer 2/who/ant/1 nobody"

    play(night("fire ant 12 dog straddle 8", "roll 6 2"), steps)


def test_a_save_is_opened_again_where_it_stood(tmp_path: Path) -> None:
    path = tmp_path / "night.qfb"
    night("fire ant 12 dog straddle 8", "roll 6 2", save=path).close()
    session = enter(Session.resume(path, SYSTEMS), "answer bee")

    async def steps(table: Table) -> None:
        assert "HMS Ant at HMS Bee" in table.text()
        await table.press("0", "space", "4", "space", "4", "enter")
        assert report(table.session, "bee")["hull_lost"] == 0.5

    play(session, steps)
    session.close()
    assert report(Session.look(path, SYSTEMS), "bee")["hull_lost"] == 0.5
