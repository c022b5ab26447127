"""Phases, orders and logs of a book, by the clauses of the made-up one."""

from pathlib import Path

import pytest

from qf_tui.core.availability import list_able_ships
from qf_tui.core.errors import OrderRefused
from qf_tui.core.values import SUNK
from qf_tui.library.books import load_book
from qf_tui.library.scenarios import load_scenario
from qf_tui.session import Session
from tests.book.convoys import FILE, SCENARIO, begin, load_battle

SHOT = "shoot arrow beacon 12in 5 4"


def read_refusal(session: Session, order: str) -> str:
    """Return the refusal of an order, which must change nothing."""
    before = session.timeline
    with pytest.raises(OrderRefused) as caught:
        session.enter(order)
    assert session.timeline is before
    return f"{caught.value} {caught.value.clause}".strip()


@pytest.mark.clause("MY-1")
@pytest.mark.parametrize(
    ("orders", "order", "words"),
    [
        ((), "steam arrow", "steam is for the phase move; this is gunnery"),
        ((SHOT, "answer nothing"), SHOT, "Arrow has done shoot this phase MY-1"),
        (("mark arrow guns 0",), SHOT, "Arrow has no guns MY-1"),
        (("mark arrow status sunk",), SHOT, "Arrow is sunk MY-1"),
        (("mark beacon status sunk",), SHOT, "Beacon is sunk MY-1"),
        ((), "shoot arrow arrow 12in", "Arrow cannot attack herself"),
        ((), "shoot arrow beacon 12in 5 7", "a 7 on the D6: its faces are 1 to 6"),
        ((), "shoot arrow beacon 12in 5 4 3", "too many dice"),
    ],
)
def test_a_refusal_of_the_book_names_its_clause(orders: tuple[str, ...], order: str, words: str) -> None:
    assert words in read_refusal(begin(*orders), order)


@pytest.mark.clause("MY-1")
def test_a_refusal_of_the_book_can_be_forced() -> None:
    session = begin(SHOT, "answer nothing", f"force {SHOT}")
    assert session.timeline.versions[4].overrode == ("MY-1",)


@pytest.mark.clause("MY-2")
def test_each_launched_torpedo_is_a_die_and_is_used_up() -> None:
    session = begin("launch arrow beacon 3 10 1 7")
    assert session.battle.ships["arrow"].count("fish") == 1
    (owed,) = session.battle.owed
    assert owed.faces == (10, 1, 7)
    assert "has 2 fish MY-2" in read_refusal(session, "launch beacon arrow 3 1 1 1")


@pytest.mark.clause("MY-2")
def test_missing_dice_are_owed_before_the_chart() -> None:
    session = begin("launch arrow beacon 2")
    assert session.battle.ships["arrow"].count("fish") == 2
    assert [len(owed.dice) for owed in session.battle.owed] == [2]
    session.enter("roll 4 9")
    assert [(owed.key, owed.faces) for owed in session.battle.owed] == [("2/read/beacon/1", (4, 9))]


@pytest.mark.parametrize(
    ("said", "hull", "guns", "blazes"),
    [
        ("hull 2", 5, 6, 0),
        ("hu 2, gu -1", 5, 5, 0),
        ("blaze", 7, 6, 1),
        ("bl 2 guns", 7, 5, 2),
        ("hull =3", 3, 6, 0),
        ("hull +5", 7, 6, 0),
        ("hull 99", 0, 6, 0),
        ("nothing", 7, 6, 0),
        ("self guns 1 target hull 1", 6, 6, 0),
    ],
)
def test_a_result_of_the_chart_takes_few_keys(said: str, hull: int, guns: int, blazes: int) -> None:
    ship = begin(SHOT, f"answer {said}").battle.ships["beacon"]
    assert (ship.count("hull"), ship.count("guns"), len(ship.live("blaze"))) == (hull, guns, blazes)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("hul 2 x", "“x” is not on the log"),
        ("s", "“s” may be smoke or sunk or self: type more of it"),
        ("hulk", "did you mean hull?"),
        ("sunk 2", "the status of a ship has no number"),
        ("blaze =2", "write how many more or fewer"),
        ("hull nothing", "“nothing” is not on the log"),
        ("for 5 4", "what does your chart say?"),
    ],
)
def test_an_impossible_result_of_a_chart_is_asked_again(said: str, words: str) -> None:
    session = begin(SHOT)
    assert words in read_refusal(session, f"answer {said}")
    assert session.battle.owed


@pytest.mark.clause("MY-3")
def test_a_ship_without_hull_is_sunk_by_its_clause() -> None:
    session = begin(SHOT, "answer hull 7")
    assert session.battle.ships["beacon"].status == SUNK
    reasons = session.timeline.rulings[3].decision.reasons
    assert [(reason.text, reason.clause) for reason in reasons][1] == ("Beacon is sunk", "MY-3")
    assert "Red has no ship left" in reasons[-1].text
    acting = [each.ship for each in list_able_ships(session.system, session.battle)]
    assert acting == ["beacon"], "what happens in this phase counts from its end"


@pytest.mark.clause("MY-3")
@pytest.mark.parametrize("order", ["mark beacon hull 0", "damage beacon hull 7"])
def test_a_ship_is_sunk_if_the_umpire_removes_her_hull(order: str) -> None:
    assert begin(order).battle.ships["beacon"].status == SUNK


def test_ships_that_may_act_are_listed_with_their_orders() -> None:
    session = begin("mark beacon guns 0")
    acting = {each.ship: each.what for each in list_able_ships(session.system, session.battle)}
    assert acting == {"arrow": "shoot launch", "beacon": "launch"}


def test_a_phase_owes_a_die_for_each_mark_and_then_the_chart() -> None:
    session = begin(SHOT, "answer blaze 2", "next")
    assert [(owed.line, owed.ship) for owed in session.battle.owed] == [("fight-fire", "beacon")] * 2
    session.enter("roll 6")
    session.enter("answer blaze -1")
    assert len(session.battle.ships["beacon"].live("blaze")) == 1
    session.enter("roll 1")
    assert [owed.key for owed in session.battle.owed] == ["7/read/beacon/1"], "each die has its own question"
    session.enter("answer hull 1")
    session.enter("next")
    assert session.battle.turn == 2


def test_a_mark_with_turns_ends_after_them() -> None:
    session = begin("next", "next", "screen arrow")
    assert len(session.battle.ships["arrow"].live("smoke")) == 1
    for _ in range(3):
        session.enter("next")
    assert session.battle.ships["arrow"].live("smoke") == ()


def test_a_slot_with_a_keyword_may_be_declared_before_the_others(tmp_path: Path) -> None:
    """Detect an order whose printed text cannot be read again."""
    text = (
        FILE.read_text(encoding="utf-8")
        .replace('"target", "spread"]', '"depth", "target", "spread"]')
        .replace("[[slot]]", '[[slot]]\nname = "depth"\nkind = "count"\nkeyword = "at"\n\n[[slot]]', 1)
    )
    path = tmp_path / FILE.name
    path.write_text(text, encoding="utf-8")
    session = Session.begin(load_book(path), load_battle())
    for order in ("next", "launch arrow beacon 2 at 6 3 10", "answer nothing"):
        session.enter(order)
    assert session.timeline.versions[2].order.resolved == "launch arrow beacon 2 at 6"


def test_the_grid_is_empty_for_a_track_that_a_ship_never_had(tmp_path: Path) -> None:
    text = FILE.read_text(encoding="utf-8")
    path = tmp_path / FILE.name
    path.write_text(text.replace("guns = 2, fish = 4", "guns = 2"), encoding="utf-8")
    session = Session.begin(*load_scenario(SCENARIO, {"convoy": load_book(path)}))
    column = next(column for column in session.system.columns if column.name == "fish")
    ships = session.battle.ships
    cells = {id: session.system.cell(session.battle, ship, column) for id, ship in ships.items()}
    assert {id: "".join(span.text for span in spans) for id, spans in cells.items()} == {
        "arrow": "",
        "beacon": "2",
    }


def test_a_chart_may_look_at_a_mark_of_either_ship(tmp_path: Path) -> None:
    text = FILE.read_text(encoding="utf-8")
    path = tmp_path / FILE.name
    looks = 'looks_at = ["smoke", "target.blaze"]'
    path.write_text(text.replace('looks_at = ["guns"]', looks), encoding="utf-8")
    session = Session.begin(load_book(path), load_battle())
    for order in ("screen arrow", "next", SHOT, "answer nothing"):
        session.enter(order)
    assert " ".join(session.timeline.versions[4].order.list_texts("words")).endswith(
        "smoke 1 target.blaze 0 5 4"
    )
    session.enter("insert 2 mark beacon blaze 2")
    assert [owed.key for owed in session.battle.owed] == ["3/read/beacon/1"]


def test_boxes_are_limited_by_the_card_and_a_figure_by_its_track(tmp_path: Path) -> None:
    text = FILE.read_text(encoding="utf-8")
    path = tmp_path / FILE.name
    figure = 'name = "guns"\nboxes = false\nmost = 9\n'
    path.write_text(text.replace('name = "guns"\n', figure), encoding="utf-8")
    session = Session.begin(load_book(path), load_battle())
    for order in ("next", SHOT, "answer guns +2 hull +2", "damage beacon guns +9"):
        session.enter(order)
    ship = session.battle.ships["beacon"]
    assert (ship.count("guns"), ship.count("hull")) == (9, 7)


def test_many_missing_dice_are_counted() -> None:
    session = begin("mark arrow fish 9")
    assert "launch: still missing 8 dice" in read_refusal(session, "launch arrow beacon 9 1")


def test_a_newer_mark_replaces_one_that_a_ship_has_once(tmp_path: Path) -> None:
    """Detect smoke that is made twice and counts as two, or ends with the older one."""
    text = FILE.read_text(encoding="utf-8")
    path = tmp_path / FILE.name
    path.write_text(text.replace("turns = 0 ", "most = 1\nturns = 1 "), encoding="utf-8")
    session = Session.begin(load_book(path), load_battle())
    for order in ("screen arrow", "next", "next", "next", "screen arrow"):
        session.enter(order)
    assert len(session.battle.ships["arrow"].live("smoke")) == 1
    for _ in range(3):
        session.enter("next")
    assert len(session.battle.ships["arrow"].live("smoke")) == 1
    with pytest.raises(OrderRefused, match="from 0 to 1"):
        session.enter("mark arrow smoke 2")


def test_the_grid_shows_that_a_ship_is_out_of_action() -> None:
    session = begin("damage beacon hull 7")
    column = next(column for column in session.system.columns if column.name == "marks")
    cell = session.system.cell(session.battle, session.battle.ships["beacon"], column)
    assert [span.text for span in cell] == ["SUNK"]


def test_a_printed_log_explains_its_signs_and_omits_unused_tracks(
    tmp_path: Path,
) -> None:
    text = FILE.read_text(encoding="utf-8")
    path = tmp_path / FILE.name
    path.write_text(text.replace("guns = 2, fish = 4", "guns = 2"), encoding="utf-8")
    session = Session.begin(*load_scenario(SCENARIO, {"convoy": load_book(path)}))
    for order in ("screen arrow", "next", "shoot beacon arrow 12in 5 4", "answer blaze", "next", "roll 2"):
        session.enter(order)
    session.enter("answer blaze -1")
    session.enter("next")
    for ship, titles in (
        ("arrow", ["hull", "guns", "marks"]),
        ("beacon", ["hull", "guns", "torpedoes", "marks"]),
    ):
        sheet = session.system.log_sheet(session.battle, session.battle.ships[ship])
        assert [part.title for line in sheet for part in line] == titles
    (marks,) = session.system.log_sheet(session.battle, session.battle.ships["arrow"])[-1]
    assert [(span.text, span.tone) for span in marks.written] == [("F fire", "repaired")]


def test_changes_of_models_are_on_the_list_for_the_table() -> None:
    session = begin(SHOT)
    before = session.battle
    session.enter("answer blaze")
    assert session.system.on_table(before, session.battle) == (("red", "Beacon: fire: put 1"),)


def test_a_kind_gives_what_a_fleet_leaves_out() -> None:
    ships = begin().battle.ships
    assert {id: (ship.count("hull"), ship.card["guns"]) for id, ship in ships.items()} == {
        "arrow": (3, 2),
        "beacon": (7, 6),
    }


def test_a_mark_of_the_target_may_be_required_or_forbidden(tmp_path: Path) -> None:
    text = FILE.read_text(encoding="utf-8")
    path = tmp_path / FILE.name
    seen = 'needs = ["guns", "target.blaze"]\nbars = ["target.smoke"]'
    path.write_text(text.replace('needs = ["guns"]', seen), encoding="utf-8")
    session = Session.begin(load_book(path), load_battle())
    session.enter("next")
    assert "Beacon is not marked blaze MY-1" in read_refusal(session, SHOT)
    session.enter("mark beacon blaze 1")
    session.enter("mark beacon smoke 1")
    assert "Beacon is marked smoke MY-1" in read_refusal(session, SHOT)
    session.enter("mark beacon smoke 0")
    session.enter(SHOT)
