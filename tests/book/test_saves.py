"""A save of a book's battle: it holds the book, and needs neither its file nor an unchanged one."""

from pathlib import Path

import pytest

from qf_tui.console.setup.start import read_ends
from qf_tui.core.errors import QfError
from qf_tui.features.board.values import BoardSwitch
from qf_tui.features.board.view import build_view
from qf_tui.features.report.story import analyse
from qf_tui.features.report.values import LeftOut
from qf_tui.features.simulation.jobs import pack_battle, unpack_battle
from qf_tui.features.simulation.simulate import build_spec
from qf_tui.journal.codec import encode_act, encode_header
from qf_tui.journal.lines import encode_json
from qf_tui.journal.reading import read_save
from qf_tui.library.systems import Systems
from qf_tui.session import Session
from qf_tui.session.saves import Follower, build_header, make_rules_finder, open_timeline
from tests.book.convoys import begin, copy_book, load_convoys
from tests.cli.calling import Caller
from tests.journal.making import seal_lines

ORDERS = """steam arrow
next
shoot arrow beacon 12in 5 4
answer hull 2 blaze
shoot beacon arrow 12in 6 6
answer hull 3
amend 3 5 3
"""


@pytest.fixture
def save(tmp_path: Path, call: Caller) -> Path:
    """Play a battle next to its book, and delete the book."""
    folder = tmp_path / "club"
    folder.mkdir()
    scenario, orders, made = copy_book(folder), tmp_path / "orders", tmp_path / "battle.qfb"
    orders.write_text(ORDERS, encoding="utf-8")
    assert call("run", scenario, "--orders", orders, "--save", made).status == 0
    for path in folder.iterdir():
        path.unlink()
    assert "convoy" not in Systems()
    return made


def test_every_command_opens_a_save_without_the_file_of_its_book(save: Path, call: Caller) -> None:
    assert call("verify", save).status == 0
    assert call("check", save).out.endswith("no faults\n")
    assert "A book of my own" in call("show", save).out
    assert "read again: 5 3" in call("show", save).out
    assert call("sheets", save, "--out", save.with_name("sheets.html")).status == 0
    assert "are not tried: they stay as read" in call("court", save).out
    told = call("report", save).out
    assert "2 throws whose results were read by hand from the umpire's own chart (3, 5)" in " ".join(
        told.split()
    )
    assert "luck" not in told.partition("LUCK")[0].lower().replace("good luck", "")
    on = save.with_name("more.orders")
    on.write_text("answer hull 1\nnext\n", encoding="utf-8")
    went_on = call("run", save, "--orders", on, "--save", save.with_name("on.qfb"))
    assert went_on.status == 0
    assert call("verify", save.with_name("on.qfb")).status == 0
    assert call("branch", save, "--at", "4", "--save", save.with_name("branch.qfb")).status == 0
    assert call("verify", save.with_name("branch.qfb")).status == 0


def test_a_restart_keeps_results_to_read_again(save: Path) -> None:
    session = Session.resume(save, Systems())
    assert session.battle.ships["beacon"].count("hull") == 5
    assert session.battle.owed[0].prompt.startswith("read again: ")
    session.enter("answer hull 1")
    assert (session.battle.ships["beacon"].count("hull"), session.battle.owed) == (6, ())
    session.close()
    follower = Follower(save, Systems())
    assert follower.battle == session.battle


def test_a_changed_book_changes_no_save(save: Path, call: Caller) -> None:
    new = call("rules", "--new", "convoy").out.strip()
    path = Path(new)
    path.write_text(
        path.read_text(encoding="utf-8").replace('out = "sunk"', 'out = "wreck"'), encoding="utf-8"
    )
    session = Session.view(save, Systems())
    session.enter("answer hull 7")
    assert session.battle.ships["beacon"].status == "sunk"
    assert call("verify", save).status == 0


@pytest.mark.parametrize(
    "part", [7, "x", [], {}, {"language": 1}, {"language": 2}, {"language": 1, "title": "x" * 200}, None]
)
def test_a_save_with_a_damaged_book_is_refused(tmp_path: Path, part: object) -> None:
    session = begin()
    header = encode_header(build_header(session.system, session.timeline.start))
    extra = header["extra"]
    assert isinstance(extra, dict)
    extra["rules"] = part
    path = tmp_path / "spoilt.qfb"
    bodies = [header, *map(encode_act, session.timeline.log)]
    path.write_bytes(seal_lines(*map(encode_json, bodies)))
    with pytest.raises(
        QfError,
        match="spoilt.qfb, line 1 .*: the rule book in .* open a copy of the save"
        if part is not None
        else "put a book of this name",
    ):
        open_timeline(read_save(path, make_rules_finder(Systems())), Systems())


def test_another_process_gets_the_book_with_the_battle() -> None:
    session = begin()
    system, battle = unpack_battle(pack_battle(session.system, session.battle), {})
    assert (system.title, battle) == (session.system.title, session.battle)


def test_a_battle_with_printed_charts_cannot_be_simulated() -> None:
    with pytest.raises(QfError, match="read by hand from a chart"):
        build_spec(load_convoys(), begin().battle, "1")


def test_a_throw_whose_result_was_read_by_hand_has_no_luck() -> None:
    session = begin(
        "shoot arrow beacon 12in 5 4", "answer hull 2", "launch beacon arrow 2", "roll 1 2", "answer nothing"
    )
    throws = analyse(session.system, session.timeline, session.system.worth).throws
    assert [(throw.left_out, throw.luck) for throw in throws] == [(LeftOut.BY_HAND, None)] * 2


def test_the_board_shows_a_result_that_was_read() -> None:
    session = begin("shoot arrow beacon 12in 5 4", "answer hull 2")
    shown = build_view(session.system, session.timeline, "red", BoardSwitch.AT_ONCE)
    assert shown.last is not None
    assert "hull 7→5" in shown.last.text


def test_the_first_screen_lists_a_save_that_brings_its_book(save: Path) -> None:
    listed = read_ends(save, Systems())
    assert (listed.system, listed.turn_and_phase, listed.fault) == ("A book of my own", "turn 1, Gunnery", "")


def test_careers_omit_results_read_by_hand_with_a_note(save: Path, call: Caller) -> None:
    told = call("careers", save.parent).out
    assert "Left out of all sums: 2 throws whose results were read by hand from a chart." in told
    carried = call("carry", save, "--days", "3")
    assert (carried.status, "does not say what a ship takes" in carried.err) == (2, True)


def test_a_ship_of_the_same_fleet_joins_under_a_book(tmp_path: Path, call: Caller) -> None:
    folder = tmp_path / "home" / "fleets"
    folder.mkdir(parents=True)
    scenario, orders = copy_book(tmp_path), tmp_path / "orders"
    late = '\n[[ship]]\nid = "crest"\nname = "Crest"\nkind = "destroyer"\n'
    text = (tmp_path / "escorts.toml").read_text(encoding="utf-8")
    (tmp_path / "escorts.toml").write_text(text + late, encoding="utf-8")
    orders.write_text("join blue crest\nsteam crest\n", encoding="utf-8")
    assert call("run", scenario, "--orders", orders).status == 0
