"""The history: its list and filters, the logs at an earlier entry, and corrections made from it."""

from pathlib import Path
from unittest.mock import Mock

import pytest

from qf_tui.console.history.view import Filter, list_offers
from qf_tui.core.timeline import State
from qf_tui.document.acts import ShipRemarks, describe_act_with_targets
from qf_tui.document.history import LogView
from qf_tui.library.paths import find_shipped_folder
from qf_tui.library.systems import find_systems
from qf_tui.session import Session
from tests.console.playing import (
    HOSTILE,
    SIZES,
    Size,
    Table,
    begin_examples,
    begin_gunnery,
    begin_saved,
    compare,
    list_keys,
    play,
    with_console,
)
from tests.corrections.long_battles import play_long_battle

SHOT = "fire mikasa heavy borodino long 4 8"


def begin_fought(names: dict[str, str] | None = None) -> Session:
    """Begin two turns with every kind of mark.

    Entries are amended, inserted, shifted, struck, parked, spare, forced, doubted and noted.
    """
    session = begin_examples(names)
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


def build_log_view(session: Session) -> LogView:
    return LogView(session.system, session.timeline)


def list_lines(session: Session, text: str = "", written: bool = False) -> list[int | str]:
    """List the acts and headings that match a search line."""
    told = build_log_view(session)
    lines = Filter(text).list_lines(told, told.written if written else told.played)
    return [line.heading or line.act for line in lines]


def test_acts_in_written_order_include_the_corrections() -> None:
    assert list_lines(begin_fought(), written=True) == list(range(1, 14))


def test_a_struck_correction_is_still_shown_at_its_entry() -> None:
    session = begin_fought()
    session.enter("strike 9")
    told = build_log_view(session)
    assert told.list_corrections(2)[0].endswith("[struck]")
    assert "amended" not in told.list_marks(2)


def test_the_latest_act_is_found_behind_a_phase_with_doubts_only() -> None:
    """Detect that a heading, which has no act, counted as the correction at the end of the log."""
    session = begin_examples()
    for order in ("next", SHOT, "next", "doubt 2 was it in range?", "amend 2 5 8"):
        session.enter(order)
    assert build_log_view(session).latest == 3


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
def test_all_words_of_the_search_line_must_match(text: str, acts: list[int]) -> None:
    assert [act for act in list_lines(begin_fought(), text) if isinstance(act, int)] == acts


def test_hostile_names_are_found_by_their_letters() -> None:
    session = begin_fought(HOSTILE)
    assert [act for act in list_lines(session, "lion is:amended") if isinstance(act, int)] == [2]
    assert [act for act in list_lines(session, "艦") if isinstance(act, int)] == [4, 5, 6]
    assert list_offers(build_log_view(session), "ship:[")[0].text == "ship:mikasa"
    assert list_offers(build_log_view(session), "lio")[0].text == "ship:borodino"


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("names", ["plain", "hostile"])
@with_console(lambda names: begin_fought(HOSTILE if names == "hostile" else None))
async def test_the_history_looks_like_its_golden_picture(table: Table, size: Size, names: str) -> None:
    await table.type("h home down")
    text = table.text()
    assert max(len(line) for line in text.splitlines()) <= size[0]
    compare(f"history-{names}-{size[0]}x{size[1]}", text)


@with_console(lambda: begin_fought(HOSTILE), size=(80, 24))
async def test_the_logs_of_the_history_look_like_their_golden_picture(table: Table) -> None:
    await table.type("h home down tab")
    compare("history-logs-80x24", table.text())
    await table.press("tab")
    assert "in the order of play" in table.text()


@with_console(begin_gunnery, SHOT, "fire massena heavy borodino long 3 8")
async def test_the_logs_show_the_battle_at_the_entry_under_the_cursor(table: Table) -> None:
    await table.press("h")
    stood = table.top.snapshot
    assert stood.grid.battle is table.session.battle
    assert "after entry 3" in table.text()
    await table.press("left")
    assert stood.grid.battle == table.session.timeline.battle_at(2)
    assert stood.grid.ship.id == "borodino"
    assert "*" in table.text()
    await table.press("comma")
    assert stood.grid.battle.ships["borodino"].count("rof_heavy") == 6
    await table.press("full_stop")
    assert stood.grid.battle.ships["borodino"].count("rof_heavy") == 5


@with_console(begin_fought)
async def test_stepping_goes_by_entries_in_force_and_by_phases(table: Table) -> None:
    await table.press("h", "home")
    reached = []
    for _ in range(5):
        await table.press("right")
        reached.append(table.top.line.act)
    assert reached == [2, 3, 10, 5, 6]
    await table.press("greater_than_sign")
    assert table.top.line.act == 8


@with_console(lambda: begin_fought(HOSTILE))
async def test_the_title_shows_filters_and_escape_drops_them_before_it_leaves(table: Table) -> None:
    await table.type("h slash kind:fire_lion")
    assert "Tab takes: HMS [Red] Lion (ship:borodino)" in table.text()
    await table.press("tab", "enter")
    assert "kind:fire ship:borodino · 2 of 13 entries" in table.text()
    await table.press("escape")
    assert "13 entries, in the order of play" in table.text()
    await table.press("escape")
    assert "to act" in table.text()


@with_console(begin_fought)
async def test_single_keys_filter_by_ship_by_kind_and_by_problem(table: Table) -> None:
    await table.type("h home down f")
    assert "ship:mikasa · 3 of 13" in table.text()
    await table.press("f", "k")
    assert "ship:borodino kind:fire · 2 of 13" in table.text()
    await table.press("escape", "p")
    assert "is:spare · 1 of 13" in table.text()
    await table.type("ppp")
    assert "13 entries" in table.text()


@with_console(begin_fought, size=(200, 60))
async def test_why_shows_an_entry_with_the_text_of_its_clauses(table: Table) -> None:
    await table.type("h home down question_mark")
    table.expect(
        "Why: entry 2",
        "turn 1, First gunnery",
        "The clauses, in our own words",
        "first entered as: fire mikasa heavy borodino long 4 8",
    )


@with_console(begin_examples, size=(80, 24))
async def test_the_history_of_a_battle_without_entries_says_so(table: Table) -> None:
    await table.type("h enter sidf question_mark w")
    assert "no entry yet" in table.text()


@pytest.mark.parametrize("acts", [300, pytest.param(2000, marks=pytest.mark.long)])
def test_only_acts_in_sight_are_formatted(acts: int, monkeypatch: pytest.MonkeyPatch) -> None:
    timeline = play_long_battle(acts)
    session = Session(begin_examples().system, timeline)
    told = Mock(wraps=describe_act_with_targets)
    monkeypatch.setattr("qf_tui.document.history.describe_act_with_targets", told)
    assert len(LogView(session.system, timeline).played) > acts
    assert not told.called

    async def steps(table: Table) -> None:
        await table.type("h up pageup")
        assert 0 < told.call_count < 100

    play(session, steps)


def begin_shots(names: dict[str, str] | None = None) -> Session:
    """Begin a battle with a first shot and a second one that does not depend on it."""
    session = begin_gunnery(names)
    session.enter(SHOT)
    session.enter("fire massena heavy borodino long 3 8")
    return session


def begin_exploded() -> Session:
    """Begin a battle with a rolled explosion; striking its cause makes the dice spare."""
    session = begin_gunnery()
    session.enter("damage ohio E")
    session.enter("roll 3")
    return session


def test_an_entry_is_found_by_a_ship_that_it_only_changes() -> None:
    sample = Session.view(find_shipped_folder("saves") / "yellow-sea-1904.qfb", find_systems())
    assert 34 in list_lines(sample, "ship:tsesarevich kind:roll")


@with_console(begin_shots)
async def test_dice_of_an_entry_are_changed_one_by_one_or_typed_again(table: Table) -> None:
    """Detect `3 1 0` over two dice read as a black 310, and a comma that ended the console."""

    def dice() -> tuple[int, ...]:
        return table.session.timeline.versions[3].dice

    await table.type("h enter 1 enter")
    assert (dice(), table.pressed) == ((1, 8), 4)
    assert "in the order of play" in table.text()
    await table.type("enter space 9 enter")
    assert dice() == (1, 9)
    await table.type("enter 5 space 10 enter")
    assert dice() == (5, 10)
    for typed in (("3", "1", "0"), ("end", *["backspace"] * 4, *list_keys("3,10"))):
        await table.press("enter", "3", "space", "8", "enter", "enter", *typed)
        assert "black 3 · white 10" in table.text()
        await table.press("enter")
        assert dice() == (3, 10)
    await table.type("enter up m enter")
    assert table.session.timeline.versions[3].order.resolved == "fire massena heavy borodino medium"
    assert dice() == (3, 10)
    acts = len(table.session.timeline.log)
    await table.press("enter", "enter")
    assert "nothing changed" in table.text()
    await table.press("end", *["backspace"] * 4, "enter")
    assert "dice left out stay as they are" in table.text()
    await table.press("escape", "escape")
    assert len(table.session.timeline.log) == acts


@with_console(begin_shots)
async def test_a_changed_target_is_shown_before_it_is_recorded(table: Table) -> None:
    """Detect a new target without a preview, and a preview for new dice at the same target."""
    logs, acts = table.battle.ships, len(table.session.timeline.log)
    await table.type("h enter up up Ohio enter enter")
    table.expect("fire massena heavy ohio long 3 8: what changes", "Borodino: ", "Ohio: ")
    assert table.battle.ships == logs
    await table.press("enter")
    assert table.session.timeline.versions[3].order.text("target") == "ohio"
    assert len(table.session.timeline.log) == acts + 1
    await table.type("escape u enter")
    assert table.battle.ships == logs
    began = table.pressed
    await table.type("ua28 enter")
    assert table.pressed - began == 5
    assert table.session.timeline.versions[3].dice == (2, 8)


@with_console(begin_shots)
async def test_one_die_of_an_older_entry_takes_eight_keys_with_its_preview(table: Table) -> None:
    await table.type("h up enter f escape")
    assert len(table.session.timeline.log) == 3
    began = table.pressed
    await table.type("enter space 1 enter enter")
    assert table.pressed - began <= 6
    assert table.session.timeline.versions[2].dice == (4, 1)


@with_console(begin_exploded)
async def test_escape_leads_from_the_consequences_to_the_filled_dialog(table: Table) -> None:
    await table.type("h up s")
    table.expect("strikes 2 ", "Dice no longer needed")
    await table.press("escape")
    assert len(table.session.timeline.log) == 3
    await table.type("down enter 12 enter")
    assert "roll 12 for explosion on Ohio" in table.text()
    await table.type("up enter space")
    assert table.top.filling.find_text("codes") == "E"
    await table.type("escape enter down down S enter")
    assert "Dice no longer needed" in table.text()
    await table.press("escape")
    assert table.top.filling.find_text("codes") == "S"
    await table.press("enter", "enter")
    assert table.session.timeline.versions[2].order.resolved == "damage ohio S"
    assert table.session.timeline.list_in_state(State.SPARE) == (3,)
    assert "spare" in table.text()


@with_console(begin_shots)
async def test_a_forgotten_order_is_inserted_after_the_entry_by_its_dialog(table: Table) -> None:
    """Detect “a key chooses” read as the key `a`."""
    await table.type("h up i")
    table.expect("Which order was forgotten after entry 2?", "a key chooses   Esc goes back")
    await table.type("flohio space m12 space 12 enter")
    assert table.session.timeline.play_order == (1, 2, 4, 3)
    assert table.session.timeline.versions[4].order.resolved == "fire mikasa light ohio medium"
    assert table.top.line.act == 4
    await table.press("i", "colon")
    assert table.screen.orders.text == "insert 4 "


@with_console(begin_shots)
async def test_one_key_strikes_and_restores_an_entry(table: Table) -> None:
    await table.press("h", "s")
    table.expect("fire massena heavy borodino long 3 8 [struck]", "after entry 2 (before 3)")
    await table.press("enter")
    assert "3 is struck: s restores it" in table.text()
    await table.press("s")
    assert table.session.timeline.play_order == (1, 2, 3)


@with_console(lambda: begin_shots(HOSTILE))
async def test_an_entry_is_doubted_settled_and_remarked_on_while_play_goes_on(table: Table) -> None:
    await table.press("exclamation_mark")
    assert table.battle.doubts == (3,)
    assert "disputed 1" in table.text()
    await table.press("h", "d")
    assert not table.battle.doubts
    await table.press("f1")
    assert "Keys in the history" in "\n".join(table.text().splitlines()[:6])
    await table.write("insert")
    assert "search: insert" in table.text()
    await table.type("escape escape d")
    table.expect("entry 3 is disputed", "doubted 1")
    await table.press("exclamation_mark")
    assert not table.battle.doubts
    await table.type("c the_die_was_[cocked] enter")
    assert table.list_orders()[-1] == "note on 3: the die was [cocked]"
    assert "the die was [cocked]" in table.text()


@with_console(begin_shots)
async def test_an_undo_is_shown_first_and_by_escape_changes_nothing(table: Table) -> None:
    await table.press("u")
    assert "a change it instead" in table.text()
    await table.press("escape")
    assert len(table.session.timeline.log) == 3
    await table.press("u", "enter")
    assert table.session.timeline.play_order == (1, 2)
    assert len(table.session.timeline.log) == 4
    await table.type("u enter u enter")
    assert not table.session.timeline.play_order
    assert "to act" in table.text()


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
@with_console(lambda: begin_shots(HOSTILE))
async def test_the_filled_dialog_over_the_history_looks_like_its_golden_picture(
    table: Table, size: Size
) -> None:
    await table.type("h up enter 5")
    compare(f"history-dialog-{size[0]}x{size[1]}", table.text(behind=True))


@with_console(lambda tmp_path: begin_saved(tmp_path / "bench.qfb"), "next", "damage ohio E", "roll 3")
async def test_a_correction_is_kept_as_a_branch_in_its_own_save(table: Table, tmp_path: Path) -> None:
    await table.type("h up sb")
    assert "saved as a branch next to this save: bench-branch-1.qfb" in table.text()
    assert len(table.session.timeline.log) == 3
    await table.press("s", "b")
    assert "bench-branch-2.qfb" in table.text()
    table.session.close()
    branch = Session.resume(tmp_path / "bench-branch-1.qfb", find_systems())
    assert len(branch.timeline.log) == 4
    assert branch.timeline.play_order == (1, 3)
    branch.close()


@with_console(begin_exploded)
async def test_a_battle_without_a_save_says_why_it_keeps_no_branch(table: Table) -> None:
    await table.type("h up sb")
    assert "this battle has no save to copy" in table.text()
    assert len(table.session.timeline.log) == 3


@with_console(begin_shots)
async def test_an_entry_is_moved_after_another(table: Table) -> None:
    await table.type("h up m down enter")
    assert table.session.timeline.play_order == (1, 3, 2)
    await table.press("m", "escape")
    table.expect("nothing was moved", "shifted")


@with_console(begin_shots, "amend 2 5 8")
async def test_a_correction_is_struck_in_the_written_order(table: Table) -> None:
    await table.type("hw end s enter")
    assert table.session.timeline.versions[2].dice == (4, 8)


@with_console(begin_shots, "force fire mikasa heavy ohio long 4 8")
async def test_a_forced_entry_stays_forced_when_one_die_is_changed(table: Table) -> None:
    await table.type("h enter 5 enter")
    assert table.session.timeline.versions[4].dice == (5, 8)
    assert table.session.timeline.versions[4].forced


@with_console(begin_gunnery, SHOT, "next", "next")
async def test_a_move_that_a_rule_refuses_moves_nothing(table: Table) -> None:
    """Detect a shot that is dropped from the battle with only “done” as the message."""
    await table.type("h up up m")
    assert "put it after" in table.text().splitlines()[-1]
    await table.press("end", "enter")
    assert "guns fire in the two gunnery phases only [AQF-PH-1]   F2 overrules" in table.text()
    assert "put it after" not in table.read_foot()
    assert len(table.session.timeline.log) == 4
    await table.press("f2")
    if "what changes" in table.text():
        await table.press("enter")
    assert table.session.timeline.versions[2].order.forced
    assert table.session.timeline.play_order[-1] == 2
    await table.press("up", "f2")
    assert "nothing to force" in table.text()


@with_console(begin_gunnery, SHOT, "insert 0 leave mikasa withdrawn", "strike 2")
async def test_an_undo_whose_entry_comes_back_parked_is_previewed(table: Table) -> None:
    await table.press("u")
    assert "Parked: a rule refuses them" in table.text()
    await table.press("escape")
    assert 2 not in table.session.timeline.in_force
    await table.press("u", "enter")
    assert table.session.timeline.list_in_state(State.PARKED) == (2,)


ACTS = (
    "note mikasa: her flag is shot away",
    "note asahi: made smoke",
    "note the wind freshens",
    "note mikasa: it flies again",
    "undo",
    "redo",
    "strike 3",
    "insert 3 note mikasa: remembered late",
    "note mikasa: a funnel less",
)


@pytest.mark.parametrize("looked_at", [1, 2, 3])
def test_cached_remarks_are_those_of_the_whole_log(looked_at: int) -> None:
    """Detect a struck remark that stays, an inserted one, and one missed between two looks."""
    session: Session = begin_gunnery()
    kept = ShipRemarks()
    for at, act in enumerate(ACTS):
        session.enter(act)
        if at % looked_at == 0:
            for ship in session.battle.ships.values():
                assert kept.list_remarks(session.timeline, ship) == ShipRemarks().list_remarks(
                    session.timeline, ship
                )
    said = [
        one.partition(": ")[2] for one in kept.list_remarks(session.timeline, session.battle.ships["mikasa"])
    ]
    assert said[-1] == "a funnel less"
    assert "remembered late" in said
