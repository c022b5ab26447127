"""What a command line names and cannot have: refused in words, before anything is made."""

import pytest

from qf_tui.cli.opening import targets
from qf_tui.core.errors import QfError
from qf_tui.journal.disk import BESIDE
from tests.cli.calling import Caller

ORDERS = "note one\n"
NO_NAME = "is no name of a file; name the new save, as battle.qfb"
NEW_SAVES = (
    ("branch", "old.qfb", "--at", "1", "--save"),
    ("rescue", "old.txt", "--save"),
    ("court", "old.qfb", "--branch"),
)
"""The commands beside `run` and `play` that make a save under a name that a person gives."""


@pytest.mark.parametrize("name", [*(f"new{ending}" for ending in BESIDE), "new.LOCK", "new.qfb.seed"])
def test_no_battle_is_kept_under_the_name_of_a_file_beside_a_save(call: Caller, name: str) -> None:
    called = call.play(ORDERS, "--save", call.folder / name)
    assert called.status == 2
    assert "ends the name of a file beside a save; name another, as" in called.err
    assert "new.qfb\n" in called.err
    assert [one.name for one in call.folder.iterdir()] == ["battle.orders"]
    with pytest.raises(QfError, match="beside a save"):
        targets("rulebook-examples", name)


def test_a_name_that_is_an_ending_alone_is_refused_too(call: Caller) -> None:
    assert "name another, as battle.qfb" in call.play(ORDERS, "--save", ".end").err


@pytest.mark.parametrize("words", NEW_SAVES)
@pytest.mark.parametrize(
    ("name", "said"),
    [("", NO_NAME), (".", NO_NAME), (" ", NO_NAME), ("new\n.qfb", NO_NAME), ("new.board", "beside a save")],
)
def test_no_other_save_is_made_under_such_a_name(
    call: Caller, words: tuple[str, ...], name: str, said: str
) -> None:
    call.save(ORDERS, "old.qfb")
    before = sorted(call.folder.iterdir())
    called = call(*words, name)
    assert called.status == 2
    assert said in called.err
    assert sorted(call.folder.iterdir()) == before


def test_a_save_or_orders_without_a_name_are_told_so(call: Caller) -> None:
    assert NO_NAME in call.play(ORDERS, "--save", "").err
    with pytest.raises(QfError, match="no name of a file"):
        targets("rulebook-examples", "")
    called = call("run", "rulebook-examples", "--orders", "")
    assert called.status == 2
    assert "name a file of orders, or - for standard input" in called.err


@pytest.mark.parametrize("port", ["99999", "-1"])
def test_a_port_that_no_computer_has_is_told_with_those_that_it_has(call: Caller, port: str) -> None:
    called = call("board", call.save(ORDERS), "--port", port)
    assert called.status == 2
    assert called.err == f"qf-tui: --port {port}: a port is a number from 0 to 65535; 0: any that is free\n"


def test_a_ship_before_her_time_is_told_since_when_she_is(call: Caller) -> None:
    """Catches “no ship “mikasa” in Japan; did you mean mikasa?”."""
    called = call("ship", "japan/mikasa", "--year", "1890")
    assert called.status == 2
    assert "Mikasa in Japan is there from 1902 on; name a later --year" in called.err


def test_sheets_without_a_name_are_refused_in_words(call: Caller) -> None:
    called = call("sheets", call.save(ORDERS), "--out", "")
    assert called.status == 2
    assert called.err == "qf-tui: “” is no name of a file; name one\n"


@pytest.mark.parametrize("ending", ["", *BESIDE])
@pytest.mark.parametrize("words", [("sheets",), ("report", "--md"), ("report", "--md", "--replace")])
def test_nothing_is_written_under_the_name_of_a_save_or_of_what_stands_beside_it(
    call: Caller, words: tuple[str, ...], ending: str
) -> None:
    """Catches a report that is kept as the secret seed, and a save of which `--replace` is said to help."""
    save = call.save(ORDERS)
    before = sorted(call.folder.iterdir())
    called = call(*words, save, "--out", f"{save}{ending}")
    assert called.status == 2
    assert called.err.endswith(": this is a save, or belongs to one, and is not written over; name another\n")
    assert sorted(call.folder.iterdir()) == before


@pytest.mark.parametrize("words", ["report", "show", "verify", "board", "court", "verify --dice"])
def test_a_save_without_a_name_is_told_so(call: Caller, words: str) -> None:
    called = call(*words.split(), "")
    assert called.status == 2
    assert called.err == "qf-tui: “” is no name of a save; name one, as battle.qfb\n"


@pytest.mark.parametrize("year", ["-5", "0", "12004"])
def test_a_year_that_no_ship_is_of_is_told_with_those_that_there_are(call: Caller, year: str) -> None:
    called = call("ship", "japan/mikasa", "--year", year)
    assert called.status == 2
    assert called.err == f"qf-tui: --year {year}: no year of a ship; name one from 1850 to 1950\n"
