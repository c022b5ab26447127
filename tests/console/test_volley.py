"""The volley of a division: a ship a line, dice down the column, each shot an entry of its own."""

import pytest
from attrs import evolve

from qf_tui.console.widgets.actions import VOLLEY
from qf_tui.console.widgets.keys import keymap
from qf_tui.console.widgets.text import width_of
from qf_tui.core.availability import Volley, volley_of
from qf_tui.core.grammar.dice import FACE_KEYS
from qf_tui.library.scenarios import load_scenario
from qf_tui.library.settings import Settings
from qf_tui.library.systems import find_systems
from qf_tui.session import Session
from tests.console.playing import HOSTILE, LONG, SIZES, SMALL_FIRST, Table, play
from tests.console.test_screens import compare
from tests.systems import our_systems


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


LINE = "F t t s enter 2 8 enter up up 3 0 enter"
"""A line against Tsesarevich: the first ship at 28 inches, the last at 30, the cursor on the first again."""


def keys(text: str) -> list[str]:
    """The keys of a text, by their names."""
    return text.split()


def test_a_volley_is_typed_down_the_columns_and_each_shot_is_an_entry() -> None:
    """Catches a die that needs more keys, a filled-in range that is lost, and a shot out of its order."""
    session = at_guns("yellow-sea-1904")

    async def steps(table: Table) -> None:
        await table.press(*LINE.split())
        assert "~29in" in table.text()
        before = table.pressed
        # 9 misses and asks for no white, which is thrown with it all the same by the third ship.
        await table.press(*keys("right 3 8 enter 9 enter 9 1 enter o enter z enter 1 x f2"))
        assert table.pressed - before <= 4 * 5
        assert table.pressed <= 6 * 5 + 1, "with targets and ranges, for five shots"
        assert orders(session) == [
            "fire mikasa heavy tsesarevich 28in 3 8",
            "fire asahi heavy tsesarevich ~28in 9",
            "fire fuji heavy tsesarevich ~29in 9 1",
            "fire kasuga heavy tsesarevich ~30in 12",
            "fire nisshin heavy tsesarevich 30in 1 10",
        ]
        assert session.timeline.versions[session.timeline.play_order[-3]].estimated
        assert table.top is table.screen

    play(session, steps)


def test_a_white_die_of_a_miss_stays_with_her_ship() -> None:
    """Catches the white die of a miss that becomes the next ship's black one, or her range."""
    session = at_guns("yellow-sea-1904")

    async def steps(table: Table) -> None:
        await table.press(*LINE.split(), "right", "9")
        assert "misses · white not needed" in table.text()
        await table.press("1")
        assert "misses · white 1 not needed" in table.text()
        await table.press("9", "1")
        assert "✗ 1 would be one die more than is rolled" in table.text()
        assert [row.dice for row in table.top.desk.rows] == ["91", "", "", "", "", ""]
        await table.press("f2")
        assert orders(session) == ["fire mikasa heavy tsesarevich 28in 9 1"]

    play(session, steps)


def test_digits_are_a_range_in_the_range_column_whether_one_is_known_or_not() -> None:
    """Catches `t ga Enter 36 Enter` that is taken for dice where the reverse shot measured the range."""
    for known in (False, True):
        session = at_guns("yellow-sea-1904")
        if known:
            session.enter("fire tsesarevich heavy mikasa 33in 9")

        async def steps(table: Table, known: bool = known) -> None:
            await table.press(*keys("F t t s enter"))
            assert "range of Mikasa to Tsesarevich, in" in table.text()
            assert "[range]" in table.text()
            assert ("33in_" in table.text()) is known
            await table.press(*keys("3 6 enter"))
            row = table.top.desk.rows[0]
            assert (row.filling.text("range"), row.dice) == ("36in", "")
            assert "range of Asahi to Tsesarevich, in" in table.text()
            await table.press("right", "4")
            assert "✗ no range yet: Left goes to it" in table.text()
            assert not table.top.desk.rows[1].dice

        play(session, steps)


def test_a_range_is_not_typed_before_there_is_a_target() -> None:
    """Catches a range that goes as the target comes."""

    async def steps(table: Table) -> None:
        await table.press("F", "3")
        assert "✗ no target yet: t names it" in table.text()
        await table.press("right", "3")
        assert "✗ no target yet: t names it" in table.text()
        assert not any(row.dice or row.filling.text("range") for row in table.top.desk.rows)

    play(at_guns("yellow-sea-1904"), steps)


def test_ranges_between_the_first_and_the_last_are_explained() -> None:
    """Catches two ranges in a title that nobody can make sense of, and an estimate that outlives its ends."""
    session = at_guns("yellow-sea-1904")

    async def steps(table: Table) -> None:
        await table.press(*keys("F t t s enter"))
        assert "the first ship's range and the last one's fill in those between" in table.text()
        await table.press(*LINE.split()[5:])
        assert "first" not in table.text().splitlines()[0]
        await table.press("down")
        assert "~28in is filled in between 28in of Mikasa and 30in of Nisshin" in table.text()
        await table.press(*keys("down enter down down"))
        await table.press(*keys("6 0 enter down"))
        assert [row.filling.text("range") for row in table.top.desk.rows[1:5]] == ["", "", "", ""]
        assert "28in of Mikasa and 60in of Nisshin are not one bracket" in table.text()

    play(session, steps)


def test_digits_that_may_be_read_in_two_ways_hold_the_row() -> None:
    """Catches `3 1` and then `11` read as 3 11, and 12 as a 1 and a 2."""
    session = at_guns("yellow-sea-1904")

    async def steps(table: Table) -> None:
        await table.press(*LINE.split(), *keys("right 3 1 1 1"))
        desk = table.top.desk
        assert (desk.at, desk.reading(0).faces) == (0, (3, 1))
        await table.press(*keys("enter 1 2 enter"))
        assert "these dice may be 1 and 2, or 12: a space tells them apart" in table.text()
        assert desk.at == 1
        await table.press("f2")
        assert not orders(session)
        await table.press(*keys("space enter 1 space 2 enter 3 y enter"))
        assert [desk.reading(at).faces for at in range(4)] == [(3, 1), (12,), (1, 2), (3, 11)]
        # The third is one die too many: the fourth, which is for the next ship, is not taken either.
        await table.press(*keys("3 y z"))
        assert [desk.reading(at).faces for at in range(6)][4:] == [(3, 11), ()]

    play(session, steps)


def test_only_its_own_key_closes_a_volley_and_says_before_what_it_enters() -> None:
    """Catches an Enter that closes a volley in the midst, so that the next keys are orders."""
    session = at_guns("yellow-sea-1904")

    async def steps(table: Table) -> None:
        await table.press("F", "f2")
        assert "no shot has its dice yet" in table.text()
        await table.press("escape", *LINE.split(), *keys("right 3 8 enter 3"), "down")
        assert "F2 enters 1 shot · not all dice: Asahi · no dice: Fuji" in table.text()
        await table.press("f2")
        assert "✗ white D12 still wanted" in table.text()
        await table.press(*keys("8 enter 3 8 enter 3 8 enter 3 8 enter 3 8 enter enter enter"))
        assert "F2 enters 6 shots" in table.text()
        assert not orders(session)
        await table.pilot.click("#volley-closes", offset=(1, 0))
        await table.settled()
        assert len(orders(session)) == 6

    play(session, steps)


@pytest.mark.clause("QFC-GUN-5")
def test_a_shot_that_needs_no_dice_is_taken_by_space() -> None:
    """Catches an estimate off the base that no key of the volley enters, and a flag that no key turns."""
    session = at_guns("ulsan-1904")

    async def steps(table: Table) -> None:
        await table.press("F", "t", "r", "o", "enter", "1", "8", "0", "space", "f3", "f3")
        assert "F3 flag" in table.text()
        assert "nothing is rolled · Space takes the shot without dice" in table.text()
        await table.press("4")
        assert "✗ nothing is rolled" in table.text()
        await table.press("space", "f2")
        assert [order.split()[-1] for order in orders(session)] == ["off"]

    play(session, steps)


def test_a_wrong_die_is_mended_in_the_volley_or_by_undo() -> None:
    """Catches a shot of a volley that can only be corrected with the others."""
    session = at_guns("yellow-sea-1904")

    async def steps(table: Table) -> None:
        await table.press(*LINE.split(), *keys("right 3 8 enter 9 f2"))
        began = table.pressed
        await table.press("u", "a", "8", "enter")
        assert table.pressed - began == 4
        assert orders(session)[-1] == "fire asahi heavy tsesarevich ~28in 8"
        await table.press("F", "up", "up", "up", "up")
        assert "▸ = Mikasa" in table.text()
        await table.press("4")
        assert "only its dice are changed here" in table.text()
        began = table.pressed
        await table.press("right", "4", "2", "f2")
        assert table.pressed - began == 4
        assert orders(session)[0] == "fire mikasa heavy tsesarevich 28in 4 2"

    play(session, steps)


@pytest.mark.parametrize("switch", ["fights", "silent"])
def test_a_ship_aground_is_a_target_and_fires_unless_she_is_silent(switch: str) -> None:
    """Catches a ship aground that no key aims at, or that has no line in the volley of her division."""
    session = at_guns("yellow-sea-1904")
    for line in (f"option aground {switch}", "leave asahi aground", "leave tsesarevich aground"):
        session.enter(line)

    async def steps(table: Table) -> None:
        assert "21 of 21 in the battle" in table.text()
        assert "18 of 18 in the battle" in table.text()
        await table.press("F")
        assert any(row.ship == "asahi" for row in table.top.desk.rows) is (switch == "fights")
        turned = {table.top.desk.row.filling.text("target")}
        table.top.desk.turn_target()
        for _ in range(9):
            table.top.desk.turn_target()
            turned.add(table.top.desk.row.filling.text("target"))
        assert "tsesarevich" in turned
        await table.press("escape", "f", "h")
        assert "Tsesarevich" in table.text().split("Askold")[0].split("the target")[-1]

    play(session, steps, (120, 36))


def test_dice_pass_over_a_ship_that_no_dice_are_called_for() -> None:
    """Catches dice called for the first ship that waits while the cursor is on one out of reach."""
    session = at_guns("yellow-sea-1904")

    async def steps(table: Table) -> None:
        await table.press(*LINE.split(), "down", "9", "9", "enter", "up", "up", "right", "3", "8", "enter")
        desk = table.top.desk
        assert desk.reading(1).refused
        assert desk.at == 2
        await table.press("left", "up", "up", "enter")
        assert desk.at == 1, "a range is measured anew where it stands"
        assert "99in is beyond long range" in table.text()
        await table.press("3", "1")
        assert "31_" in table.text()
        assert "beyond long range" not in table.text(), "no longer said once another is typed"

    play(session, steps)


def test_a_refused_shot_stays_and_costs_no_other() -> None:
    session = at_guns("yellow-sea-1904")

    async def steps(table: Table) -> None:
        await table.press(*keys("F t t s enter 2 8 enter 2 9 enter right up up 3 8 enter 9 enter"))
        # Somebody else's entry in between: the rules refuse the shot that was ready.
        assert "▸   Fuji" in table.text()
        assert "F2 enters 2 shots" in table.text()
        session.enter("fire mikasa heavy retvizan 28in 9")
        await table.press("f2")
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
        await table.press(*["F", "t", "t", "s", "enter", "2", "4", "space", "3", "escape", "F"])
        assert "24in" in table.text()
        await table.press("right", "8", "f2")
        assert orders(session) == ["fire mikasa heavy tsesarevich 24in 3 8"]
        while (session.battle.turn, session.battle.phase) != (2, "first-gunnery"):
            session.enter("force next")
        table.screen.show()
        await table.press("F")
        assert "24in?" in table.text()
        assert "24in is of last turn: Enter keeps it, digits measure it anew" in table.text()
        await table.press("right", "3", "8")
        assert "✗ 24in? is of last turn: Left, then Space keeps it" in table.text()
        await table.press("left", "space", "3", "8", "f2")
        assert orders(session)[-1] == "fire mikasa heavy tsesarevich 24in 3 8"

    play(session, steps)


SYSTEMS = [
    ("yellow-sea-1904", "F t t s enter 3 6 enter", "2 y", "fire mikasa heavy tsesarevich 36in 2 11"),
    ("yellow-sea-1904-clone", "F t t s enter 9 0 enter", "3 3", "fire mikasa heavy tsesarevich 90cm 3 3"),
    ("port-arthur-1904-evening", "F t p o enter l enter", "1 1 2", "fire mikasa heavy poltava long 1 1 2"),
    (
        "gq2-dogger-bank-1915",
        "F t d e r enter 5 enter",
        "9 1 2",
        "fire lion main derfflinger straddle 5 9 1 2",
    ),
]


@pytest.mark.parametrize(("scenario", "aim", "dice", "shot"), SYSTEMS)
def test_every_system_has_volleys(scenario: str, aim: str, dice: str, shot: str) -> None:
    session = at_guns(scenario)

    async def steps(table: Table) -> None:
        await table.press(*keys(aim), "up", "right", *dice.split(), "9", "f2")
        assert orders(session)[-1] == shot, table.text()

    play(session, steps)


def test_no_key_of_a_volley_begins_a_range_or_is_a_face() -> None:
    """Catches a letter that leaves a ship out, or turns her guns, where it was to be a range or a die."""
    taken = {key.lower() for key in keymap(VOLLEY) if len(key) == 1}
    words = {"pb", "in", "cm", "mm", *FACE_KEYS}
    for system in our_systems().values():
        for form in system.forms:
            volley = Volley.of(form)
            slot = volley and form.slot(volley.range)
            words |= set(slot.choices) if slot else set()
    assert not taken & {word[0] for word in words}


def named(session: Session) -> Session:
    """The same battle with hostile names."""
    start = session.timeline.start
    names = dict(zip(start.ships, (*HOSTILE.values(), *HOSTILE.values()), strict=False))
    ships = {id: evolve(ship, name=names.get(id, LONG)) for id, ship in start.ships.items()}
    again = Session.begin(session.system, evolve(start, ships=ships))
    while again.battle.phase != session.battle.phase:
        again.enter("force next")
    return again


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize(("scenario", "aim", "dice", "shot"), SYSTEMS)
def test_a_volley_of_hostile_names_is_legible_at_every_size(
    size: tuple[int, int], scenario: str, aim: str, dice: str, shot: str
) -> None:
    """Catches rows that wrap, needs cut where there is room, and a foot that is cut without a sign."""
    session = named(at_guns(scenario))
    figures = aim.partition(" enter ")[2].removesuffix(" enter")

    async def steps(table: Table) -> None:
        await table.press("F", "n", *figures.split())
        if len(figures) > 2:
            assert f"{figures.replace(' ', '')}_" in table.text()
        await table.press("enter", "up", "right")
        needs = table.text()
        assert "dice of [/: " in needs
        await table.press(*dice.split())
        picture = table.text().splitlines()
        head = next(at for at, line in enumerate(picture) if "[dice]" in line)
        rows = picture[head + 1 : head + 1 + len(table.top.desk.rows)]
        assert all(width_of(line.strip()) == width_of(picture[head].strip()) for line in rows)
        faces = " ".join(shot.split()[-len(dice.split()) :])
        assert f" {faces}_ " in rows[0]
        assert any(sign in needs.splitlines()[head + 1] for sign in ("≤", "any"))
        assert "…" not in picture[head]
        assert "F2 enters 1 shot" in table.text()
        compare(f"volley-{session.system.name}-{size[0]}x{size[1]}", table.text())

    play(session, steps, size)


@pytest.mark.parametrize("size", SMALL_FIRST, ids=str)
def test_a_volley_is_drawn_whole_at_every_size(size: tuple[int, int]) -> None:
    session = at_guns("yellow-sea-1904")

    async def steps(table: Table) -> None:
        await table.press(*LINE.split(), "right", "3", "8", "down", "b")
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
        await table.press(*LINE.split(), "p", "b")
        assert "Asahi" in table.text(behind=True).partition("Volley")[0]
        assert "pb_" in table.text()
        await table.press("enter", "up")
        assert table.top.desk.row.filling.text("range") == "pb"
        assert table.top.desk.row.filling.text("battery") == "heavy"
        await table.press("b")
        assert table.top.desk.row.filling.text("battery") == "light"

    play(at_guns("yellow-sea-1904"), steps)


def test_what_a_shot_does_stands_first_in_its_row() -> None:
    """Catches an outcome that is cut off on the narrowest screen, behind the ROF and the line."""

    async def steps(table: Table) -> None:
        await table.press(*LINE.split(), *keys("right 3 8 enter 9 enter"))
        rows = [line for line in table.text().splitlines() if "✓" in line]
        assert "3 8       S G · S hits 0→1" in rows[0]
        assert "9         misses" in rows[1]

    play(at_guns("yellow-sea-1904"), steps, (80, 24))


def test_a_row_is_judged_behind_the_ready_rows_above_it() -> None:
    """Catches three rows that each take the same ROF point, where the log then has three points less."""
    session = at_guns("yellow-sea-1904")

    async def steps(table: Table) -> None:
        await table.press(*LINE.split(), *["right", "3", "9", "enter", "3", "9", "enter"])
        shown = [line for line in table.text().splitlines() if "ROF" in line and "✓" in line]
        assert ["6→5" in line for line in shown] == [True, False], shown
        assert ["5→4" in line for line in shown] == [False, True], shown

    play(session, steps, (120, 36))
