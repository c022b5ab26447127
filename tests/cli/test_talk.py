"""The console line by line: the same saves as by orders, corrections after a question, signs as words."""

import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from qf_tui.cli.talk import Conversation
from qf_tui.core.declarations import Span as CellSpan
from qf_tui.core.errors import QfError
from qf_tui.document.speech import SIGNS, spoken, spoken_lines
from qf_tui.document.values import LogBoxes, Row, Table, text_line, word_columns
from qf_tui.journal.reading import read_save
from qf_tui.library.scenarios import load_scenario
from qf_tui.library.systems import find_systems
from qf_tui.session import Session
from qf_tui.session.saves import rules_by
from tests.golden.test_golden import BATTLES, scenario
from tests.terminal import run_in_terminal
from tests.tools.pace import orders_of

BOXES = re.compile(r"[─-▟□■▸●◆†→″]")
CORRECTIONS = (
    "amend 4 2 2",
    "undo",
    "redo",
    "strike 7",
    "restore 7",
    "insert 5 note remembered afterwards",
    "shift 20 after 21",
    "doubt 9",
)
"""Corrections of the Yellow Sea: the first parks an entry."""


class Umpire:
    """Somebody who answers every question with yes, and keeps what was said."""

    def __init__(self, session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
        self.talk, self.session, self.asked, self.passed = Conversation(session), session, list[str](), 0
        monkeypatch.setattr("builtins.input", self.yes)

    def yes(self, question: str) -> str:
        self.asked.append(question)
        return "yes"

    def enter(self, line: str) -> None:
        if line == "next" and self.passed:
            # The empty phase was passed already, as in the console.
            self.passed -= 1
            return
        before = len(self.session.timeline.log)
        self.talk.answer(line)
        self.passed += max(0, len(self.session.timeline.log) - before - 1)


def begun(name: str, save: Path | None = None) -> Session:
    return Session.begin(*load_scenario(name, find_systems()), save)


def as_the_console_enters(session: Session, lines: Iterable[str]) -> Iterator[str]:
    """The lines of a script but for the ends of those empty phases that the console passes by itself."""
    passed = 0
    for line in lines:
        if line == "next" and passed:
            passed -= 1
            continue
        yield line
        if line.removeprefix("force ") == "next":
            passed += len(session.pass_empty_phases())


@pytest.mark.parametrize("orders", BATTLES, ids=lambda path: path.stem)
def test_a_golden_battle_makes_the_same_log(
    orders: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plain, umpire = begun(scenario(orders)), Umpire(begun(scenario(orders)), monkeypatch)
    for line in orders_of(orders):
        umpire.enter(line)
    for line in as_the_console_enters(plain, orders_of(orders)):
        with suppress(QfError):
            plain.enter(line)
    assert tuple(umpire.session.timeline.log) == tuple(plain.timeline.log)
    assert not BOXES.search(capsys.readouterr().out)


def test_corrections_are_told_asked_about_and_made(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    orders = next(path for path in BATTLES if path.stem == "yellow-sea-1904")
    plain, umpire = begun("yellow-sea-1904"), Umpire(begun("yellow-sea-1904"), monkeypatch)
    for line in list(orders_of(orders))[:85]:
        plain.enter(line)
        umpire.enter(line)
    capsys.readouterr()
    for line in CORRECTIONS:
        plain.enter(line)
        umpire.enter(line)
    said = capsys.readouterr().out
    assert tuple(umpire.session.timeline.log) == tuple(plain.timeline.log)
    assert "Parked: a rule is against them:\n18 repair tsesarevich heavy 2" in said
    assert "Do it? yes, no or branch> " in umpire.asked


def test_a_no_changes_nothing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    session = Session.look(next(Path("saves").glob("*.qfb")), find_systems())
    monkeypatch.setattr("builtins.input", lambda question: "no")
    before = session.timeline
    Conversation(session).answer("amend 4 2 2")
    assert session.timeline is before
    assert capsys.readouterr().out.endswith("Nothing is changed.\n")


QUESTIONS = {
    "": "Yellow Sea, 10 August 1904, Advanced Quickfire. Now: turn 8",
    "owed": "1: ",
    "who": "Japan:\nL Asahi, Fuji",
    "ship tsesarevich": "speed: 7 crossed, 1 open",
    "why tsesarevich speed": "Why: Tsesarevich, speed",
    "why 4": "Why: entry 4",
    "odds fire asahi light retvizan 18in": "mean",
    "history 2": "1",
    "help torpedo": "torpedo SHIP",
    "ship as": "as may be Asahi, Asashio, Askold, Asama; give",
    "ship zzz": "zzz is not a ship",
    "force": "Nothing to force",
    "fire": "impossible: ",
}


@pytest.mark.parametrize("asked", QUESTIONS)
def test_what_is_asked_is_answered_in_words(asked: str, capsys: pytest.CaptureFixture[str]) -> None:
    Conversation(Session.look(next(Path("saves").glob("*.qfb")), find_systems())).answer(asked)
    said = capsys.readouterr().out
    assert QUESTIONS[asked] in said
    assert not BOXES.search(said)


def test_a_refused_order_is_forced_by_a_word(capsys: pytest.CaptureFixture[str]) -> None:
    talk = Conversation(begun("yellow-sea-1904"))
    talk.answer("fire mikasa heavy tsesarevich 41in 3 8")
    assert "force enters it all the same." in capsys.readouterr().out
    talk.answer("force")
    assert len(talk.session.timeline.log) == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Fuji: crew 5 → 4 †", "Fuji: crew 5 to 4 reconstructed"),
        ("6¾″, ¾″", "6 and three quarters inches, three quarters inches"),
        ("ROF 2≤6: fires", "ROF 2 at most 6: fires"),
        ("▸ Mikasa · heavy", "Mikasa, heavy"),
        ("plain - words", "plain - words"),
    ],
)
def test_signs_are_read_as_words(text: str, said: str) -> None:
    assert spoken(text) == said


def test_no_sign_is_left_and_no_row_is_drawn() -> None:
    table = Table(word_columns("ship", "speed", "owed"), (Row(("Fuji", "xx/□□", ""), 3),))
    boxes = LogBoxes("speed", (CellSpan("x/", "cross"), CellSpan("□□"), CellSpan(" 5″")))
    assert list(spoken_lines((text_line(""), table, boxes))) == [
        "3: Fuji, speed 2 crossed, 1 lost in this phase, 2 open",
        "speed: 1 crossed, 1 lost in this phase, 2 open, 5 inches",
    ]
    assert not set(spoken("".join(SIGNS))) & set(SIGNS)


def test_it_is_spoken_with_on_a_terminal(tmp_path: Path) -> None:
    """The first orders of a golden battle, an amended roll and the end, by keys; the save is the same."""
    orders = next(path for path in BATTLES if path.stem == "yellow-sea-1904")
    lines, save = list(orders_of(orders))[:12], tmp_path / "talk.qfb"
    command = [sys.executable, "-m", "qf_tui", "talk", "yellow-sea-1904", "--save", str(save)]
    with run_in_terminal(tmp_path, command, (80, 24)) as terminal:
        terminal.until(b"Movement> ")
        for line in (*lines, "amend 4 2 2", "yes", "quit"):
            terminal.write(f"{line}\r".encode())
        terminal.until(b"is saved in")
    plain = begun("yellow-sea-1904")
    for line in (*lines, "amend 4 2 2"):
        plain.enter(line)
    kept = read_save(save, rules_by(find_systems())).log
    assert [(act.number, act.rulings) for act in kept] == [
        (act.number, act.rulings) for act in plain.timeline.log
    ]
