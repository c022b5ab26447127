"""The history: what it lists and under which heading, how it is narrowed, and the logs as they stood."""

from unittest.mock import Mock

import pytest

from qf_tui.console.history.log_view import Filter, LogView, offers
from qf_tui.document.acts import act_text
from qf_tui.session import Session
from tests.console.playing import HOSTILE, LONG, SIZES, Table, bench, gunnery, keys_of, play
from tests.console.test_screens import compare
from tests.corrections.long_battles import long_battle

SHOT = "fire mikasa heavy borodino long 4 8"


def fought(names: dict[str, str] | None = None) -> Session:
    """Two turns with every kind of mark.

    Amended, inserted, shifted, struck, parked, spare, forced, doubted, noted.
    """
    session = bench(names)
    for order in (
        "next",
        SHOT,
        "fire borodino heavy mikasa long 4 10",
        "damage ohio E",
        "roll 3",
        "force fire mikasa heavy ohio long 9",
        "next",
        "next",
        "amend 2 5 8",
        "insert 3 damage massena S",
        "note on 2: the die was cocked",
        "doubt 3 was it in range?",
        "strike 4",
    ):
        session.enter(order)
    return session


def log_view(session: Session) -> LogView:
    return LogView(session.system, session.timeline)


def listed(session: Session, text: str = "", written: bool = False) -> list[int | str]:
    """The acts and headings that a search line leaves."""
    told = log_view(session)
    lines = Filter(text).lines(told, told.written if written else told.played)
    return [line.heading or line.act for line in lines]


def test_entries_stand_under_turn_and_phase_in_the_order_of_play() -> None:
    assert listed(fought()) == [
        "turn 1, Movement",
        1,
        "turn 1, First gunnery",
        2,
        3,
        10,
        4,
        5,
        6,
        7,
        "turn 1, Second gunnery + torpedo",
        8,
        "turn 1, Recurring hits",
        11,
        12,
    ]


def test_acts_as_they_were_written_have_the_corrections_among_them() -> None:
    assert listed(fought(), written=True) == list(range(1, 14))


@pytest.mark.parametrize(
    ("number", "marks"),
    [
        (1, ()),
        (2, ("amended", "noted")),
        (3, ("doubted", "noted")),
        (4, ("struck",)),
        (5, ("spare",)),
        (6, ("forced",)),
        (10, ("inserted",)),
    ],
)
def test_marks_say_how_an_entry_stands(number: int, marks: tuple[str, ...]) -> None:
    assert log_view(fought()).marks(number) == marks


def test_corrections_and_remarks_are_noted_on_the_entry_that_they_touch() -> None:
    told = log_view(fought())
    assert told.corrections_of(2) == ("9 amend 2 fire mikasa heavy borodino long 5 8",)
    remarks = {about: tuple(map(str, found)) for about, found in told.remarks.items()}
    assert remarks == {2: ("11: the die was cocked",), 3: ("12: doubted: was it in range?",)}


def test_a_correction_struck_is_still_told_of_its_entry() -> None:
    session = fought()
    session.enter("strike 9")
    told = log_view(session)
    assert told.corrections_of(2)[0].endswith("[struck]")
    assert "amended" not in told.marks(2)


@pytest.mark.parametrize(
    ("text", "acts"),
    [
        ("is:parked", []),
        ("is:spare", [5]),
        ("is:str", [4]),
        ("is:doubted", [3]),
        ("kind:fire", [2, 3, 6]),
        ("kind:fire ship:ohio", [6]),
        ("ship:mik", [2, 3, 6]),
        ("cocked", [2, 11]),
        ("borodino kind:fire is:noted", [2, 3]),
        ("BORODINO kind:fire is:amended", [2]),
        ("no such words", []),
    ],
)
def test_words_of_the_search_line_narrow_together(text: str, acts: list[int]) -> None:
    assert [act for act in listed(fought(), text) if isinstance(act, int)] == acts


def test_hostile_names_are_found_by_their_letters() -> None:
    session = fought(HOSTILE)
    assert [act for act in listed(session, "lion is:amended") if isinstance(act, int)] == [2]
    assert [act for act in listed(session, "艦") if isinstance(act, int)] == [4, 5, 6]
    assert offers(log_view(session), "ship:[")[0].text == "ship:mikasa"
    assert offers(log_view(session), "lio")[0].text == "ship:borodino"


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("names", ["plain", "hostile"])
def test_the_history_looks_as_it_did(size: tuple[int, int], names: str) -> None:
    async def steps(table: Table) -> None:
        await table.press("h", "home", "down")
        text = table.text()
        assert max(len(line) for line in text.splitlines()) <= size[0]
        compare(f"history-{names}-{size[0]}x{size[1]}", text)

    play(fought(HOSTILE if names == "hostile" else None), steps, size)


def test_the_logs_of_the_history_look_as_they_did_at_eighty_columns() -> None:
    async def steps(table: Table) -> None:
        await table.press("h", "home", "down", "tab")
        compare("history-logs-80x24", table.text())
        await table.press("tab")
        assert "in the order of play" in table.text()

    play(fought(HOSTILE), steps, (80, 24))


def test_the_logs_are_drawn_as_they_stood_at_the_entry_under_the_cursor() -> None:
    session = gunnery()
    session.enter(SHOT)
    session.enter("fire massena heavy borodino long 3 8")

    async def steps(table: Table) -> None:
        await table.press("h")
        stood = table.top.stood
        assert stood.grid.battle is session.battle
        assert "as it stood after entry 3" in table.text()
        await table.press("left")
        assert stood.grid.battle == session.timeline.battle_at(2)
        assert stood.grid.ship.id == "borodino"
        assert "*" in table.text()
        await table.press("comma")
        assert stood.grid.battle.ships["borodino"].count("rof_heavy") == 6
        await table.press("full_stop")
        assert stood.grid.battle.ships["borodino"].count("rof_heavy") == 5

    play(session, steps)


def test_a_struck_entry_shows_the_logs_before_it() -> None:
    session = gunnery()
    session.enter(SHOT)
    session.enter("undo")

    async def steps(table: Table) -> None:
        await table.press("h")
        assert "fire mikasa heavy borodino long 4 8 [struck]" in table.text()
        assert "as it stood after entry 1 (before 2)" in table.text()

    play(session, steps)


def test_stepping_goes_by_entries_in_force_and_by_phases() -> None:
    async def steps(table: Table) -> None:
        await table.press("h", "home")
        reached = []
        for _ in range(5):
            await table.press("right")
            reached.append(table.top.line.act)
        assert reached == [2, 3, 10, 5, 6]
        await table.press("greater_than_sign")
        assert table.top.line.act == 8

    play(fought(), steps)


def test_filters_stand_in_the_title_and_escape_drops_them_before_it_leaves() -> None:
    async def steps(table: Table) -> None:
        await table.press("h", "slash", *keys_of("kind:fire lion"))
        assert "Tab takes: HMS [Red] Lion (ship:borodino)" in table.text()
        await table.press("tab", "enter")
        assert "kind:fire ship:borodino · 2 of 13 entries" in table.text()
        await table.press("escape")
        assert "13 entries, in the order of play" in table.text()
        await table.press("escape")
        assert "to act" in table.text()

    play(fought(HOSTILE), steps)


def test_single_keys_narrow_to_a_ship_a_kind_and_what_is_amiss() -> None:
    async def steps(table: Table) -> None:
        await table.press("h", "home", "down", "f")
        assert "ship:mikasa · 3 of 13" in table.text()
        await table.press("f", "k")
        assert "ship:borodino kind:fire · 2 of 13" in table.text()
        await table.press("escape", "p")
        assert "is:spare · 1 of 13" in table.text()
        await table.press("p", "p", "p")
        assert "13 entries" in table.text()

    play(fought(), steps)


def test_why_tells_an_entry_with_its_clauses_in_words() -> None:
    async def steps(table: Table) -> None:
        await table.press("h", "home", "down", "question_mark")
        text = table.text()
        assert "Why: entry 2" in text
        assert "turn 1, First gunnery" in text
        assert "The clauses, in our own words" in text
        assert "first entered as: fire mikasa heavy borodino long 4 8" in text

    play(fought(), steps, (200, 60))


def test_the_history_of_a_battle_without_entries_says_so() -> None:
    async def steps(table: Table) -> None:
        await table.press("h", "enter", "s", "i", "d", "f", "question_mark", "w")
        assert "no entry yet" in table.text()

    play(bench(), steps, (80, 24))


def test_long_names_are_cut_and_stay_literal() -> None:
    async def steps(table: Table) -> None:
        await table.press("h", "tab")
        assert LONG not in table.text()
        assert "[/" in table.text()

    play(fought(HOSTILE), steps, (80, 24))


@pytest.mark.parametrize("acts", [500, pytest.param(2000, marks=pytest.mark.long)])
def test_many_acts_are_laid_out_and_told_only_as_far_as_they_are_seen(
    acts: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    timeline = long_battle(acts)
    session = Session(bench().system, timeline)
    told = Mock(wraps=act_text)
    monkeypatch.setattr("qf_tui.console.history.log_view.act_text", told)
    assert len(LogView(session.system, timeline).played) > acts
    assert not told.called

    async def steps(table: Table) -> None:
        await table.press("h", "up", "pageup")
        assert 0 < told.call_count < 100

    play(session, steps)
