"""Sheets and rescues as commands: their output and their refusals."""

from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest
from attrs import evolve

from qf_tui.core.decisions import Decision
from qf_tui.core.timeline import Entry, Ruling, build_timeline
from qf_tui.features.sheets.packing import BYTES_MOST, pack_battle, split_codes
from qf_tui.session import Session
from tests.cli.calling import Caller
from tests.features.sheets.test_codes import write_file
from tests.systems import find_our_systems

ORDERS = "next\nfire mikasa heavy borodino long 4 8\namend 2 4 1\nundo\n"
SYSTEMS = find_our_systems()


def list_codes(save: Path) -> list[str]:
    session = Session.view(save, SYSTEMS)
    return list(split_codes(pack_battle(session.system, session.timeline, session.extra)))


def test_a_battle_is_printed_and_rescued(call: Caller) -> None:
    save = call.save(ORDERS)
    called = call("sheets", save, "--out", "evening.html")
    assert called.status == 0
    assert "evening.html: 24 logs, turn 1, First gunnery, 5 codes to rescue it from" in called.out
    scans = write_file(call.folder, "scans.txt", "\r\n\r\n".join(reversed(list_codes(save) * 2)))
    called = call("rescue", scans, "--save", "back.qfb")
    assert (called.status, called.err) == (0, "")
    assert "back.qfb: 4 acts, each decided the same as when printed" in called.out
    assert (call.folder / "back.qfb").read_bytes() == save.read_bytes()
    assert call("verify", "back.qfb").status == 0


def test_codes_come_in_files_and_over_standard_input(call: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    save = call.save(ORDERS)
    files = [write_file(call.folder, f"{at}.txt", text) for at, text in enumerate(list_codes(save))]
    assert call("rescue", *files, "--save", "one.qfb").status == 0
    piped = BytesIO(("\ufeff" + "\n".join(list_codes(save))).encode())
    monkeypatch.setattr("sys.stdin", TextIOWrapper(piped))
    assert call("rescue", "-", "--save", "two.qfb").status == 0
    wide = write_file(call.folder, "wide.txt", "\r\n".join(list_codes(save)).encode("utf-16"))
    assert call("rescue", wide, "--save", "three.qfb").status == 0
    for name in ("one", "two", "three"):
        assert (call.folder / f"{name}.qfb").read_bytes() == save.read_bytes()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"\n\n \n", "no code of a battle was given"),
        (b"\x00\xff\xfe" * 50, "no code"),
        (b"A" * (BYTES_MOST + 1), "too large"),
        (b"QF1:1/2:0123456789ABCDEF:ABC", "cut off"),
    ],
)
def test_files_without_a_battle_are_refused(call: Caller, text: bytes, said: str) -> None:
    called = call("rescue", write_file(call.folder, "scans.txt", text), "--save", "back.qfb")
    assert called.status == 2
    assert said in called.err
    assert not (call.folder / "back.qfb").exists()


def test_missing_codes_are_named_with_the_damaged_file(call: Caller) -> None:
    first, second, *others = list_codes(call.save(ORDERS))
    assert len(others) == 3
    scans = write_file(call.folder, "scans.txt", f"{first}\n{second[:200]}Q{second[200:]}\n")
    called = call("rescue", scans, "--save", "back.qfb")
    assert "codes 3, 4, 5 of 5 are missing" in called.err
    assert "code 2 of 5 (scans.txt, line 2) is damaged. A text was changed on the way" in called.err
    more = write_file(call.folder, "more", "\n".join((second, *others)))
    assert call("rescue", scans, more, "--save", "back.qfb").status == 0


def test_a_rescue_never_overwrites_a_save(call: Caller) -> None:
    save = call.save(ORDERS)
    scans = write_file(call.folder, "scans.txt", "\n".join(list_codes(save)))
    before = save.read_bytes()
    assert "no save is overwritten" in call("rescue", scans, "--save", save).err
    assert save.read_bytes() == before
    assert call("rescue", scans, "--save", "no/such/back.qfb").status == 2


def test_an_entry_that_is_decided_differently_is_shown(call: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session.view(call.save(ORDERS), SYSTEMS)
    begun, shot, *rest = session.timeline.log
    assert isinstance(shot, Entry)
    missed = evolve(shot, rulings={2: Ruling(Decision())})
    once = build_timeline(session.timeline.start, (begun, missed, *rest))
    printed = split_codes(pack_battle(session.system, once, session.extra))
    scans = write_file(call.folder, "scans.txt", "\n".join(printed))
    monkeypatch.chdir(call.folder)
    called = call("rescue", scans, "--save", "back.qfb")
    assert called.status == 1
    assert "2 fire mikasa heavy borodino long" in called.out
    assert "decided differently by today's rules than when printed" in called.out


def test_a_scenario_can_be_printed_under_other_rules(call: Caller) -> None:
    called = call(
        "sheets", "yellow-sea-1904", "--rules", "gq2", "--side", "japan", "--letter", "--out", "a.html"
    )
    assert called.status == 0
    assert "codes" not in called.out
    text = (call.folder / "a.html").read_text(encoding="utf-8")
    assert "size: letter" in text
    assert "General Quarters 2" in text
    assert "no side “spain”" in call("sheets", "yellow-sea-1904", "--side", "spain", "--out", "b.html").err
