"""The volley of a division: a ship a line, dice down the column, each shot an entry of its own."""

import pytest

from qf_tui.core.volley import volley_of
from qf_tui.library.scenarios import load_scenario
from qf_tui.library.settings import Settings
from qf_tui.library.systems import find_systems
from qf_tui.session import Session
from tests.console.playing import SMALL_FIRST, Table, play


def at_guns(scenario: str) -> Session:
    """A battle in its first phase that has volleys."""
    system, start = load_scenario(scenario, find_systems())
    session = Session.begin(system, start)
    while volley_of(system, session.battle.phase) is None:
        session.enter("force next")
    return session


def orders(session: Session) -> list[str]:
    """The shots in force, with their dice."""
    timeline = session.timeline
    lines = (timeline.versions[number].order.line for number in timeline.play_order)
    return [line for line in lines if line.startswith("fire")]


LINE = "F t t s space 2 8 space up r 3 0 enter down"
"""A line against Tsesarevich: the first ship at 28 inches, the last at 30, the cursor on the first again."""


def test_a_volley_is_typed_down_the_column_and_each_shot_is_an_entry() -> None:
    """Catches a die that needs more keys, a filled-in range that is lost, and a shot out of its order."""
    session = at_guns("yellow-sea-1904")

    async def steps(table: Table) -> None:
        await table.press(*LINE.split())
        assert "first 28in · last 30in" in table.text()
        assert "~29in" in table.text()
        before = table.pressed
        # 3 8; 9 misses and asks for no white; 1 1 needs a space behind; a skipped ship has none.
        await table.press(
            "3", "8", "9", "1", "space", "1", "space", "s", "1", "2", "space", "7", "5", "enter"
        )
        assert table.pressed - before == 14
        assert table.pressed <= 6 * 5, "with targets and ranges, for five shots"
        assert orders(session) == [
            "fire mikasa heavy tsesarevich 28in 3 8",
            "fire asahi heavy tsesarevich ~28in 9",
            "fire fuji heavy tsesarevich ~29in 1 1",
            "fire kasuga heavy tsesarevich ~30in 12",
            "fire nisshin heavy tsesarevich 30in 7 5",
        ]
        assert session.timeline.versions[session.timeline.play_order[-3]].estimated
        assert table.top is table.screen

    play(session, steps)


@pytest.mark.clause("QFC-GUN-5")
def test_a_shot_that_needs_no_dice_is_taken_by_space() -> None:
    """Catches an estimate off the base that no key of the volley enters, and a flag that no key turns."""
    session = at_guns("ulsan-1904")

    async def steps(table: Table) -> None:
        await table.press("F", "t", "r", "o", "1", "8", "0", "enter", "f3", "f3")
        assert "F3 flag" in table.text()
        assert "nothing is rolled · Space takes the shot without dice" in table.text()
        await table.press("space", "enter")
        assert [order.split()[-1] for order in orders(session)] == ["off"]

    play(session, steps)


def test_a_wrong_die_is_mended_in_the_volley_or_by_undo() -> None:
    """Catches a shot of a volley that can only be corrected with the others."""
    session = at_guns("yellow-sea-1904")

    async def steps(table: Table) -> None:
        await table.press(*LINE.split(), "3", "8", "9", "enter")
        began = table.pressed
        await table.press("u", "a", "8", "enter")
        assert table.pressed - began == 4
        assert orders(session)[-1] == "fire asahi heavy tsesarevich ~28in 8"
        await table.press("F", "up", "up", "up", "up")
        assert "▸ = Mikasa" in table.text()
        began = table.pressed
        await table.press("4", "2", "enter")
        assert table.pressed - began == 3
        assert orders(session)[0] == "fire mikasa heavy tsesarevich 28in 4 2"

    play(session, steps)


def test_a_refused_shot_stays_and_costs_no_other() -> None:
    session = at_guns("yellow-sea-1904")

    async def steps(table: Table) -> None:
        await table.press(*["F", "t", "t", "s", "space", "2", "8", "space", "3", "8", "2", "9", "space", "9"])
        # Somebody else's entry in between: the rules refuse the shot that was ready.
        session.enter("fire mikasa heavy retvizan 28in 9")
        await table.press("enter")
        assert [line for line in orders(session) if "asahi" in line] == [
            "fire asahi heavy tsesarevich 29in 9"
        ]
        assert "AQF-GUN-9" in table.text() or "Mikasa" in table.text()
        await table.press("escape")

    play(session, steps)


def test_what_is_put_by_comes_back_in_the_same_phase_and_a_range_of_last_turn_is_asked_about() -> None:
    """Catches a half-filled volley that is lost, and a range of last turn that is taken unseen."""
    session = at_guns("yellow-sea-1904")

    async def steps(table: Table) -> None:
        await table.press(*["F", "t", "t", "s", "space", "2", "4", "space", "3", "escape", "F"])
        assert "24in" in table.text()
        await table.press("8", "enter")
        assert orders(session) == ["fire mikasa heavy tsesarevich 24in 3 8"]
        while (session.battle.turn, session.battle.phase) != (2, "first-gunnery"):
            session.enter("force next")
        table.screen.show()
        await table.press("F")
        assert "24in?" in table.text()
        assert "of last turn" in table.text()
        await table.press("3", "8")
        assert "24in?" in table.text()
        await table.press("r", "enter", "3", "8", "enter")
        assert orders(session)[-1] == "fire mikasa heavy tsesarevich 24in 3 8"

    play(session, steps)


@pytest.mark.parametrize(
    ("scenario", "keys", "shot"),
    [
        ("yellow-sea-1904-clone", "F t t s 9 0 space 3 3 enter", "fire mikasa heavy tsesarevich 90cm 3 3"),
        ("port-arthur-1904-evening", "F t p o 9 space 1 1 2 enter", "fire mikasa heavy poltava 9in 1 1 2"),
        ("gq2-dogger-bank-1915", "F t d e 5 space 9 enter", "fire lion main derfflinger straddle 5 9"),
    ],
)
def test_every_system_has_volleys(scenario: str, keys: str, shot: str) -> None:
    session = at_guns(scenario)

    async def steps(table: Table) -> None:
        await table.press(*keys.split())
        assert orders(session)[-1] == shot, table.text()

    play(session, steps)


@pytest.mark.parametrize("size", SMALL_FIRST, ids=str)
def test_a_volley_is_drawn_whole_at_every_size(size: tuple[int, int]) -> None:
    session = at_guns("yellow-sea-1904")

    async def steps(table: Table) -> None:
        await table.press(*LINE.split(), "3", "8", "b")
        text = table.text()
        for said in ("✓ Mikasa", "Nisshin", "~29in", "t target", "Esc back"):
            assert said in text, said
        await table.press("f1")
        assert "in a volley" in table.text()

    play(session, steps, size)


def test_the_cursor_walks_after_a_shot_where_the_settings_say_so() -> None:
    for walk in (True, False):
        session = at_guns("yellow-sea-1904")

        async def steps(table: Table, walk: bool = walk) -> None:
            table.screen.settings = Settings(walk=walk)
            await table.press(*["f", "h", "t", "s", "2", "8", "space", "9", "enter"])
            assert table.ship.name == ("Asahi" if walk else "Mikasa")

        play(session, steps)


def test_a_phase_without_fire_says_so() -> None:
    system, start = load_scenario("yellow-sea-1904", find_systems())

    async def steps(table: Table) -> None:
        await table.press("F")
        assert "nothing is fired in this phase" in table.text()

    play(Session.begin(system, start), steps)


def test_the_logs_stand_behind_a_volley_and_a_word_spelt_out_turns_no_battery() -> None:
    """Catches a volley on an empty screen, and the `b` of `pb` taken for the key of the batteries."""

    async def steps(table: Table) -> None:
        await table.press(*LINE.split(), "r", "p", "b")
        assert "Asahi" in table.text(behind=True).partition("Volley")[0]
        assert table.top.desk.row.filling.text("range") == "pb"
        assert table.top.desk.row.filling.text("battery") == "heavy"
        await table.press("b")
        assert table.top.desk.row.filling.text("battery") == "light"

    play(at_guns("yellow-sea-1904"), steps)


def test_what_a_shot_does_stands_first_in_its_row() -> None:
    """Catches an outcome that is cut off on the narrowest screen, behind the ROF and the line."""

    async def steps(table: Table) -> None:
        await table.press(*LINE.split(), "3", "8", "9")
        rows = [line for line in table.text().splitlines() if "✓" in line]
        assert "38      S G · S hits 0→1" in rows[0]
        assert "9       misses" in rows[1]

    play(at_guns("yellow-sea-1904"), steps, (80, 24))
