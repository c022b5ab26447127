"""Saves of format 3, and the refusal of saves of other formats."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from shutil import copy
from typing import Any

import pytest
from attrs import evolve

from qf_tui.cli import main
from qf_tui.core import revisions
from qf_tui.core.decide import play_again
from qf_tui.core.errors import QfError
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Ruling
from qf_tui.core.values import Battle
from qf_tui.core.verify import DifferenceKind, list_differences
from qf_tui.journal.lines import encode_json
from qf_tui.journal.reading import Save, SaveFault, read_save
from qf_tui.journal.save_summary import summarize_save
from qf_tui.journal.saving import copy_save
from qf_tui.session import Session
from qf_tui.session.saves import Follower, make_rules_finder
from tests.core.playing import revise
from tests.journal.making import seal_lines
from tests.systems import find_our_systems, load_start

SYSTEMS: Mapping[str, RuleSystem] = find_our_systems()
ACTED = {"turn": 1, "phase": "gunnery", "kind": "b", "ship": "a"}
NOTED = {"n": 1, "order": "note x", "rulings": {"1": {"because": [["x"]]}}}


def read_bodies(path: Path) -> list[Any]:
    """Read the lines of a save without their checksums."""
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [{key: part for key, part in line.items() if key != "sum"} for line in lines]


def write_lines(path: Path, lines: Sequence[Mapping[str, object]]) -> Path:
    """Write a save with these lines and right checksums."""
    path.write_bytes(seal_lines(*map(encode_json, lines)))
    return path


def read(path: Path) -> Save:
    return read_save(path, make_rules_finder(SYSTEMS))


def begin_session(path: Path, name: str = "yellow-sea-1904", **more: Any) -> Session:
    """Begin a battle in a new save."""
    system, start = load_start(name)
    return Session.begin(system, start, path, **more)


DOORS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("show", "check", "verify", "run", "report", "replay", "talk", "simulate", "court"), ()),
    "branch": ("--at", "1", "--save", "branch.qfb"),
    "carry": ("--days", "1"),
    "sheets": ("--out", "sheets.html"),
}


def write_format(path: Path, number: int) -> Path:
    """Write a save with one act in another format."""
    begin_session(path).close()
    return write_lines(path, [{**read_bodies(path)[0], "format": number}, NOTED])


@pytest.mark.parametrize(
    ("number", "program"), [(1, "the version of qf-tui that wrote it"), (4, "a newer qf-tui")]
)
def test_a_save_of_another_format_is_refused_in_one_sentence(
    number: int,
    program: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Refuse it at every door, with the status of a damaged save."""
    monkeypatch.chdir(tmp_path)
    path, damaged = write_format(tmp_path / "old.qfb", number), tmp_path / "damaged.qfb"
    damaged.write_bytes(path.read_bytes().replace(b"note", b"norm"))
    refusal = (
        f"old.qfb, line 1: a save of format {number}; this program reads format 3. Open it with {program}."
    )
    for door, arguments in DOORS.items():
        status = main([door, str(path), *arguments])
        assert refusal in "".join(capsys.readouterr()), door
        assert main([door, str(damaged), *arguments]) == status != 0, door
        capsys.readouterr()
    doors: tuple[Callable[[], object], ...] = (
        lambda: summarize_save(path),
        lambda: copy_save(path, tmp_path / "copy.qfb"),
        lambda: Session.resume(path, SYSTEMS),
        lambda: Session.view(path, SYSTEMS),
        lambda: Follower(path, SYSTEMS),
    )
    for opened in doors:
        with pytest.raises(SaveFault) as fault:
            opened()
        assert str(fault.value) == refusal


def test_a_save_of_version_0_2_is_continued_and_verified(tmp_path: Path) -> None:
    """Keep the meaning of old entries and keys.

    The save is the sample battle as version 0.2.0 wrote it; never write it again.
    """
    path = tmp_path / "old.qfb"
    copy(Path(__file__).parent / "format_3" / "sample-0.2.0.qfb", path)
    session = Session.resume(path, SYSTEMS)
    assert session.program == "0.2.0"
    found = list_differences(session.system, session.timeline, session.program)
    assert {one.kind for one in found} <= {DifferenceKind.WORDS, DifferenceKind.RULING}
    before = session.battle
    session.enter("amend 4 3 8")
    session.enter("undo")
    assert session.battle == before
    session.enter("force next")
    session.close()
    assert main(["verify", str(path)]) == 0


@pytest.mark.parametrize(("order", "decided"), [("amend 8 11 8", 70), ("amend 7 9 8", 72)])
def test_a_correction_of_a_save_with_old_texts_previews_no_texts(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, order: str, decided: int
) -> None:
    """Compare rulings without their texts: a reworded reason is no other decision.

    The save has 104 entries by a program that worded 20 of them differently.
    """
    path = Path(copy(Path(__file__).parent / "format_3" / "yellow-sea-old-words.qfb", tmp_path))
    session = Session.resume(path, SYSTEMS)
    asked = []

    def count_decisions(system: RuleSystem, battle: Battle, number: int, *rest: Any) -> tuple[Ruling, Battle]:
        asked.append(number)
        return play_again(system, battle, number, *rest)

    monkeypatch.setattr(revisions, "play_again", count_decisions)
    follows = revise(session.timeline, order, system=session.system).consequences
    assert (follows.rules_differ, follows.reread, follows.parked) == ((), (), ())
    assert len(asked) <= decided


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"format": 3}, "unknown key “format”"),
        ({"at": -1}, "is not a number of seconds"),
        ({"at": None}, "is not a number of seconds"),
        ({"call": "5"}, "is not a whole number"),
        ({"estimated": 1}, "is not true or false"),
        ({"thrown": 1}, "is not true or false"),
        ({"rulings": {"1": {"effects": [["join", "ghost", "", "british"]]}}}, "“british” is not an object"),
        (
            {"rulings": {"1": {"effects": [["act", "a", "b", {**ACTED, "data": []}]]}}},
            "unknown key “data” @ $.rulings[1].effects",
        ),
    ],
)
def test_a_line_with_a_wrong_key_or_value_is_refused(
    tmp_path: Path, changes: dict[str, object], words: str
) -> None:
    head = read_bodies(_write_empty(tmp_path))[0]
    with pytest.raises(SaveFault) as fault:
        read(write_lines(tmp_path / "new.qfb", [head, {**NOTED, **changes}]))
    assert words in str(fault.value)


def _write_empty(folder: Path) -> Path:
    path = folder / "empty.qfb"
    begin_session(path).close()
    return path


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda facts: facts.pop("target"), "fact “target” is missing"),
        (lambda facts: facts.update(target=5), "fact “target”: a text was expected"),
        (lambda facts: facts.update(wind="fresh"), "unknown fact “wind”"),
    ],
)
def test_an_act_with_undeclared_facts_is_refused(tmp_path: Path, change: Any, words: str) -> None:
    path = tmp_path / "new.qfb"
    session = begin_session(path)
    for order in ("next", "fire mikasa heavy tsesarevich medium 5 8"):
        session.enter(order)
    session.close()
    lines = read_bodies(path)
    [act] = [part[3] for part in lines[2]["rulings"]["2"]["effects"] if part[2] == "fire"]
    change(act["facts"])
    with pytest.raises(QfError) as fault:
        Session.view(write_lines(tmp_path / "wrong.qfb", lines), SYSTEMS)
    assert words in str(fault.value)
    assert "wrong.qfb: line 3 (act 2), the remembered act “fire”" in str(fault.value)


def test_a_question_with_undeclared_facts_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "new.qfb"
    session = begin_session(path)
    session.enter("damage mikasa D")
    session.close()
    lines = read_bodies(path)
    [owed] = [part[3] for part in lines[1]["rulings"]["1"]["effects"] if part[0] == "owe"]
    owed["line"] = "fire-check"
    with pytest.raises(QfError, match=r"question 1/direction/mikasa/1: fact “fire” is missing"):
        Session.view(write_lines(tmp_path / "wrong.qfb", lines), SYSTEMS)


def test_a_join_holds_its_ship_and_the_header_holds_no_reserve(tmp_path: Path) -> None:
    path = tmp_path / "new.qfb"
    session = begin_session(path)
    id, ship = next(iter(session.battle.reserve.items()))
    entered = session.enter(f"join {session.battle.sides[0].id} {id}")
    session.close()
    assert "reserve" not in read_bodies(path)[0]["start"]
    assert entered.act.version is not None
    assert entered.act.version.arrivals == (ship,)
    opened = Session.resume(path, SYSTEMS)
    assert (
        opened.battle.ships[id] == session.battle.ships[id] == evolve(ship, side=session.battle.sides[0].id)
    )
    assert main(["verify", str(path)]) == 0
    opened.enter("strike 1")
    assert id not in opened.battle.ships
    opened.enter("restore 1")
    assert opened.battle.ships[id] == session.battle.ships[id]
    opened.close()
    assert main(["verify", str(path)]) == 0


def test_an_act_has_its_time_and_a_resumed_battle_counts_on(tmp_path: Path) -> None:
    path, ticks = tmp_path / "new.qfb", iter((100.0, 102.26, 200.0))
    session = begin_session(path)
    session.enter("note before the clock")
    session.start_clock(lambda: next(ticks))
    session.enter("note a")
    session.enter("undo")
    session.close()
    later = iter((5000.0, 5001.0))
    resumed = Session.resume(path, SYSTEMS)
    resumed.start_clock(lambda: next(later))
    resumed.enter("note b")
    assert [act.at for act in resumed.timeline.log] == [None, 2.3, 100.0, 101.0]
    assert resumed.timeline.log == read(path).log
    resumed.close()


EXTRA = {"tides": {"high": "a1"}, "weather": [1, "x", None, {"deep": [0.5]}]}


def test_extra_parts_of_the_header_are_kept_copied_and_mentioned(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "new.qfb"
    begin_session(path, extra=EXTRA).close()
    assert read(path).header.extra == EXTRA
    copy_save(path, tmp_path / "copy.qfb")
    session = Session.resume(tmp_path / "copy.qfb", SYSTEMS)
    assert session.extra == EXTRA
    assert session.notice == (
        "copy.qfb: it also holds “tides”, “weather”, which this program keeps but does not read."
    )
    session.enter("note it goes on")
    session.close()
    assert read(tmp_path / "copy.qfb").header.extra == EXTRA
    assert Session.view(path, SYSTEMS).notice.startswith("new.qfb: it also holds “tides”")
    assert main(["check", str(path)]) == 0
    assert "warning: it also holds “tides”, “weather”" in capsys.readouterr().out
    assert main(["show", str(path)]) == 0
    assert capsys.readouterr().out.startswith("new.qfb: it also holds “tides”")


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
def test_a_line_with_nan_or_infinity_is_refused(tmp_path: Path, number: str) -> None:
    body = encode_json({**read_bodies(_write_empty(tmp_path))[0], "extra": {"x": 1}}).replace(
        b'"x":1', b'"x":' + number.encode()
    )
    (tmp_path / "new.qfb").write_bytes(seal_lines(body))
    with pytest.raises(SaveFault, match="not JSON"):
        read(tmp_path / "new.qfb")
