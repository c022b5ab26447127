"""The console line by line: the same saves as by orders, corrections after a question, signs as words."""

import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from unittest.mock import Mock

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from qf_tui.cli import main
from qf_tui.core.declarations import Span as CellSpan
from qf_tui.core.errors import QfError
from qf_tui.document.values import LogBoxes, Row, Table, build_line, build_text_columns
from qf_tui.features.board.tray_files import Proposal, TrayFiles
from qf_tui.features.sealed_dice.seal import list_seal_words, read_seal
from qf_tui.features.sealed_dice.witness import find_witnesses
from qf_tui.features.talk.conversation import Conversation
from qf_tui.features.talk.speech import SIGNS, speak_blocks, speak_text
from qf_tui.journal.reading import read_save
from qf_tui.library.scenarios import find_scenario, load_scenario
from qf_tui.library.systems import find_systems
from qf_tui.session import Session
from qf_tui.session.saves import make_rules_finder
from tests.console.playing import begin_examples
from tests.golden.test_golden import BATTLES, read_scenario_name
from tests.systems import load_start, write_without_crews
from tests.terminal import run_in_terminal
from tests.tools.pace import read_orders

SIGN = re.compile(r"[^\W\d_]|[ -~\n]")
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
"""Corrections of the Yellow Sea, of which the first parks an entry."""


class Umpire:
    """An umpire who answers every question with yes, and records the questions."""

    def __init__(self, session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
        self.talk, self.session, self.asked, self.passed = Conversation(session), session, list[str](), 0
        monkeypatch.setattr("builtins.input", self.say_yes)

    def say_yes(self, question: str) -> str:
        self.asked.append(question)
        return "yes"

    def enter(self, line: str) -> None:
        if line == "next" and self.passed:
            # The empty phase has already been passed, as in the console.
            self.passed -= 1
            return
        before = len(self.session.timeline.log)
        self.talk.answer(line)
        self.passed += max(0, len(self.session.timeline.log) - before - 1)


def find_signs(text: str) -> set[str]:
    """Return the characters that are neither letters nor on every keyboard."""
    return set(SIGN.sub("", text))


def begin(name: str, save: Path | None = None) -> Session:
    return Session.begin(*load_start(name), save)


def skip_empty_phases(session: Session, lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines of a script without the ends of empty phases that the console passes itself."""
    passed = 0
    for line in lines:
        if line == "next" and passed:
            passed -= 1
            continue
        yield line
        if line.removeprefix("force ") == "next":
            passed += len(session.pass_empty_phases())


def test_the_first_reminder_of_a_phase_is_said_as_it_begins(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Guard against a reminder to declare targets only on request, or with each shot."""
    umpire = Umpire(begin_examples(), monkeypatch)
    umpire.enter("next")
    umpire.enter("fire mikasa heavy borodino long 5 8")
    said = capsys.readouterr().out
    assert said.count("declare every target before the first roll (AQF-GUN-18)") == 1


@pytest.mark.parametrize("orders", BATTLES, ids=lambda path: path.stem)
def test_a_golden_battle_makes_the_same_log(
    orders: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plain, umpire = begin(read_scenario_name(orders)), Umpire(begin(read_scenario_name(orders)), monkeypatch)
    for line in read_orders(orders):
        umpire.enter(line)
    for line in skip_empty_phases(plain, read_orders(orders)):
        with suppress(QfError):
            plain.enter(line)
    assert tuple(umpire.session.timeline.log) == tuple(plain.timeline.log)
    assert not find_signs(capsys.readouterr().out)


def test_a_correction_is_explained_confirmed_and_made(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    orders = next(path for path in BATTLES if path.stem == "yellow-sea-1904")
    plain, umpire = begin("yellow-sea-1904"), Umpire(begin("yellow-sea-1904"), monkeypatch)
    for line in list(read_orders(orders))[:85]:
        plain.enter(line)
        umpire.enter(line)
    capsys.readouterr()
    for line in CORRECTIONS:
        plain.enter(line)
        umpire.enter(line)
    said = capsys.readouterr().out
    assert tuple(umpire.session.timeline.log) == tuple(plain.timeline.log)
    assert "Parked: a rule refuses them:\n18, repair tsesarevich heavy 2" in said
    assert "Do it? yes, no or branch> " in umpire.asked


def test_talk_asks_if_fewer_dice_than_points_are_typed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Guard against dice that count as all, and advice about keys that a line does not have."""
    session = begin("yellow-sea-1904")
    session.enter("force next")
    asked = Mock(return_value="no")
    monkeypatch.setattr("builtins.input", asked)
    talk = Conversation(session)
    talk.answer("boats mikasa vynoslivy 2 z")
    asked.assert_called_once_with("2 D12 still missing. Are these 2 dice all? yes or no> ")
    talk.answer("fire mikasa heavy tsesarevich 41in 3")
    talk.answer("fire mikasa heavy tsesarevich 41in 12")
    assert len(session.timeline.log) == 1
    said = capsys.readouterr().out
    assert "2 D12 still missing; add dice 2 if these are all" in said
    assert "white D12 still missing\n" in said
    assert "type z for 12, or 1 Space 2 for 1 and 2" in said


def test_a_no_changes_nothing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    session = Session.view(next(Path("saves").glob("*.qfb")), find_systems())
    monkeypatch.setattr("builtins.input", lambda question: "no")
    before = session.timeline
    Conversation(session).answer("amend 4 2 2")
    assert session.timeline is before
    assert capsys.readouterr().out.endswith("Nothing is changed.\n")


QUESTIONS = {
    "": "Yellow Sea, 10 August 1904, Advanced Quickfire. Now: turn 8",
    "owed": "1: ",
    "who": "Japan:\nL, Asahi, Fuji",
    "ship tsesarevich": "speed: 7 crossed, 1 open",
    "why tsesarevich speed": "Why: Tsesarevich, speed",
    "why 4": "Why: entry 4",
    "odds fire asahi light retvizan 18in": "mean",
    "history 2": "1",
    "help torpedo": "torpedo SHIP",
    "help amend": "amend N [ORDER] [D...]: gives an entry other dice or another order\n",
    "help aground": "aground, fights or silent: ",
    "help aqf-gun-2": "AQF-GUN-2: ",
    "help corrections": "The history shows every entry in words.",
    "help": "quit, leaves; everything is saved\n",
    "history fuji": ": Fuji",
    "ship": "Russia: ",
    "why 9999": "There is no entry 9999.",
    "seal": "The dice of this battle are not sealed.",
    "ship as": "as may be asahi (Asahi), asama (Asama), askold (Askold), asashio (Asashio): write more",
    "ship zzz": "no ship zzz",
    "torpdo fuji": "no order torpdo; did you mean torpedo?",
    "xyz": "no order xyz; orders are move, fire, boats, torpedo, repair, initiative, and more",
    "force": "Nothing to force",
    "fire": "impossible: ",
}


@pytest.mark.parametrize("asked", QUESTIONS)
def test_every_question_is_answered_without_signs(asked: str, capsys: pytest.CaptureFixture[str]) -> None:
    Conversation(Session.view(next(Path("saves").glob("*.qfb")), find_systems())).answer(asked)
    said = capsys.readouterr().out
    assert QUESTIONS[asked] in said
    assert not find_signs(said)


def answer_questions(monkeypatch: pytest.MonkeyPatch, *answers: str) -> list[str]:
    """Answer the next questions with these answers, and return the list of questions."""
    asked, left = list[str](), iter(answers)

    def answer(question: str) -> str:
        asked.append(question)
        return next(left)

    monkeypatch.setattr("builtins.input", answer)
    return asked


def test_the_end_of_a_phase_lists_changes_on_the_table(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    talk = Conversation(begin("yellow-sea-1904"))
    asked = answer_questions(monkeypatch, "yes", "yes")
    for line in ("n", "fire mikasa heavy tsesarevich 41in 3 8", "n"):
        talk.answer(line)
    said = capsys.readouterr().out
    assert (
        "2: Tsesarevich: S G, S hits 0 to 1, heavy ROF 6 to 5\nMikasa heavy at Tsesarevich, 41 inches" in said
    )
    assert said.endswith(
        "Now turn 1, Second gunnery + torpedo.\nOn the table:\nRussia:\n"
        "1, Tsesarevich: speed 5 and seven eighths inches\n"
        "declare guns and torpedoes before the first roll (AQF-GUN-18, AQF-TOR-1)\n"
    )
    assert asked == ["End turn 1, Movement? yes or no> ", "End turn 1, First gunnery? yes or no> "]


def test_a_question_of_a_phase_is_said_first_and_again_as_the_phase_ends(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    talk = Conversation(begin("gq2-fourth-flotilla-1916"))
    asked = answer_questions(monkeypatch, "no")
    talk.answer("wander tipperary 8 4 3 3 7")
    assert "1: did a ship touch another? contact SHIP,SHIP, Tipperary: a half" in capsys.readouterr().out
    talk.answer("n")
    assert "Asked in this phase:\n1, did a ship touch another?" in capsys.readouterr().out
    assert len(asked) == 1


def test_an_owed_roll_is_answered_by_its_number(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    talk = Conversation(begin("yellow-sea-1904"))
    for line in ("next", "fire mikasa heavy tsesarevich 41in", "fire asahi heavy tsesarevich 41in"):
        talk.answer(line)
    asked = answer_questions(monkeypatch, "8 1")
    talk.answer("owed 2")
    talk.answer("owed 2")
    assert asked[0].startswith("Asahi heavy at Tsesarevich, 41 inches (2d12): fires on black 7 or less")
    assert [owed.ship for owed in talk.session.battle.owed] == ["mikasa"]
    assert "2 is not the number of an owed roll" in capsys.readouterr().out


def test_a_question_is_answered_by_the_answer_alone(capsys: pytest.CaptureFixture[str]) -> None:
    talk = Conversation(begin("yellow-sea-1904-clone"))
    for line in ("force damage tsesarevich S G", "next", "next", "repair tsesarevich 2 3"):
        talk.answer(line)
    assert not talk.session.battle.owed[0].dice
    assert "Owed: what does Tsesarevich fix? (" in capsys.readouterr().out
    talk.answer(talk.session.battle.owed[0].words[0])
    assert not talk.session.battle.owed


def test_why_explains_the_last_refusal_and_a_parked_entry(capsys: pytest.CaptureFixture[str]) -> None:
    talk = Conversation(begin("yellow-sea-1904"))
    talk.answer("fire mikasa heavy tsesarevich 41in 3 8")
    capsys.readouterr()
    talk.answer("why")
    assert capsys.readouterr().out.splitlines()[-1].startswith("AQF-PH-1: ")
    for line in ("next", "fire mikasa heavy tsesarevich 41in 3 8", "preview strike 1"):
        talk.answer(line)
    assert "Parked: a rule refuses them:\n2, fire" in capsys.readouterr().out
    talk.session.enter("strike 1")
    talk.answer("why 2")
    assert "parked: guns fire in the two gunnery phases only" in capsys.readouterr().out


def test_a_correction_can_be_kept_as_a_branch(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    session = begin("yellow-sea-1904", tmp_path / "battle.qfb")
    session.enter("next")
    session.enter("fire mikasa heavy tsesarevich 41in 3 8")
    before, asked = session.timeline, answer_questions(monkeypatch, "branch")
    Conversation(session).answer("amend 2 3 10")
    assert asked == ["Do it? yes, no or branch> "]
    assert session.timeline is before
    branch = read_save(tmp_path / "battle-branch-1.qfb", make_rules_finder(find_systems())).log
    assert [act.number for act in branch] == [1, 2, 3]
    session.close()


@pytest.mark.usefixtures("home")
def test_a_cell_read_from_the_printed_chart_is_kept_after_a_yes(monkeypatch: pytest.MonkeyPatch) -> None:
    talk, asked = Conversation(begin_examples(strict=True)), answer_questions(monkeypatch, "yes")
    for line in ("next", "fire mikasa heavy borodino long 4 8", "none"):
        talk.answer(line)
    assert asked == ["Keep none in your own chart? yes or no> "]
    assert talk.session.battle.charts["blast"].rows["long"].cells["12"].text == "-"


def test_the_seal_is_said_before_the_words_and_the_call_follows_its_shot(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Guard against an invalid word, an unspoken seal, and a call for another roll than the first."""
    ours = find_scenario("yellow-sea-1904").read_text("utf-8")
    scenario, save = tmp_path / "sealed.toml", tmp_path / "sealed.qfb"
    scenario.write_text('dice = "sealed"\n' + re.sub(r"(?m)^dice.*\n", "", ours), "utf-8")
    orders = ("fire mikasa heavy tsesarevich 41in", "", "fire asahi heavy tsesarevich 41in", "37", "seal")
    words = ("two words", "tiger", "amber", "", "no", "amber", "tiger")
    (tmp_path / "copy").mkdir()
    asked = answer_questions(monkeypatch, *words, "next", *orders, "quit")
    assert main(["talk", str(scenario), "--save", str(save), "--copy-to", str(tmp_path / "copy")]) == 0
    said, kept = capsys.readouterr().out, read_save(save, make_rules_finder(find_systems()))
    seal = read_seal(kept.header.extra)
    assert seal is not None
    assert f"The seal of this battle's dice: {', '.join(list_seal_words(seal.digest))}.\n" in said
    assert "two words is not one word" in said
    assert asked[4].startswith("Fewer than two sides")
    assert asked[9].startswith(
        "Call for Mikasa heavy at Tsesarevich, 41 inches: two D10 thrown in the open, or "
    )
    assert said.splitlines()[-2] == "words of the sides: amber, tiger"
    throws = [act.version for act in kept.log if act.version is not None and act.version.call is not None]
    assert [(throw.order.key, throw.call) for throw in throws] == [("2/fire/mikasa/1", 37)]
    assert (tmp_path / "copy" / save.name).read_bytes() == save.read_bytes()


def test_a_move_that_some_ships_cannot_make_is_adjusted_after_a_yes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    umpire = Umpire(begin_examples(), monkeypatch)
    for line in ("mark massena speed_hits 6", "move mikasa,massena 6"):
        umpire.enter(line)
    assert umpire.asked == ["Enter move mikasa,massena 6 but massena 2 instead? yes or no> "]
    assert [act.number for act in umpire.session.timeline.log] == [1, 2]
    assert "Massena: 1 and five eighths inches, 2 boxes" in capsys.readouterr().out
    umpire.enter("undo")
    assert umpire.session.timeline.play_order == (1,)


def test_force_enters_the_refused_order(capsys: pytest.CaptureFixture[str]) -> None:
    talk = Conversation(begin("yellow-sea-1904"))
    talk.answer("fire mikasa heavy tsesarevich 41in 3 8")
    assert "force enters it anyway." in capsys.readouterr().out
    talk.answer("force")
    assert len(talk.session.timeline.log) == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Fuji: crew 5 → 4 †", "Fuji: crew 5 to 4, reconstructed"),
        ("6¾″, ¾″", "6 and three quarters inches, three quarters inches"),
        ("ROF 2≤6: fires", "ROF 2 at most 6: fires"),
        ("▸ Mikasa · heavy", "Mikasa, heavy"),
        ("plain - words", "plain - words"),
        ("  4  white 8: S G   AQF-GUN-7", "4, white 8: S G, AQF-GUN-7"),
        ("ROF 5>4, 3:1 at 13:05", "ROF 5 above 4, 3 to 1 at 13:05"),
        ("column 9-10, white 2 -1 damaged ~12″", "column 9 to 10, white 2 minus 1 damaged about 12 inches"),
        ("5 1/4 by 1″, ½″ in 1904-08-10", "5 and a quarter by 1 inch, a half inch in 1904-08-10"),
        ("5 1/4 inches, 3/8 in, 2 2/3″", "5 and a quarter inches, three eighths in, 2 and two thirds inches"),
        ("7 9/10", "7 and 9 over 10"),
        ("3/4 hit", "3 over 4 hit"),
        ("no such file: saves/2024/1/x", "no such file: saves/2024/1/x"),
    ],
)
def test_signs_become_words(text: str, said: str) -> None:
    assert speak_text(text) == said


def test_tables_and_boxes_are_spoken_without_signs() -> None:
    table = Table(build_text_columns("ship", "speed", "owed"), (Row(("Fuji", "xx/□□", ""), 3),))
    boxes = LogBoxes("speed", (CellSpan("x/", "cross"), CellSpan("□□"), CellSpan(" 5″")))
    guns = LogBoxes("guns", (CellSpan("5"), CellSpan("-"), CellSpan("9"), CellSpan("  printed 6-9")))
    hull = LogBoxes("hull", (CellSpan("X"), CellSpan("X"), CellSpan("½"), CellSpan("□")))
    assert list(speak_blocks((build_line(""), table, boxes, guns, hull, LogBoxes("marks", ())))) == [
        "3: Fuji, speed 2 crossed, 1 lost in this phase, 2 open",
        "speed: 1 crossed, 1 lost in this phase, 2 open, 5 inches",
        "guns: 5 and 9, printed 6 and 9",
        "hull: 2 crossed, 1 half crossed, 1 open",
        "marks: none",
    ]
    assert not set(speak_text("".join(SIGNS))) & set(SIGNS)


WORDS = (
    *("owed", "why", "ship", "odds", "history", "help", "n", "force", "undo", "amend", "1", "8 3", "²", "@"),
    *(
        "fire mikasa heavy borodino long",
        "note",
        "mark",
        "doubt",
        "settle",
        "insert",
        "next",
        "“",
        "\x1b[31m",
    ),
)


@given(st.lists(st.lists(st.sampled_from(WORDS), max_size=4).map(" ".join), max_size=8))
def test_no_line_ends_the_conversation(lines: list[str]) -> None:
    talk = Conversation(begin_examples())
    with pytest.MonkeyPatch.context() as patch:
        answer_questions(patch, *("yes",) * 99)
        for line in lines:
            talk.answer(line)


def test_talk_works_in_a_terminal(tmp_path: Path) -> None:
    """Play the first orders of a golden battle, amend a roll and quit; the save is the same."""
    orders = next(path for path in BATTLES if path.stem == "yellow-sea-1904")
    lines, save = list(read_orders(orders))[:12], tmp_path / "talk.qfb"
    start = str(write_without_crews("yellow-sea-1904", tmp_path))
    command = [sys.executable, "-m", "qf_tui", "talk", start, "--save", str(save)]
    with run_in_terminal(tmp_path, command, (80, 24)) as terminal:
        terminal.read_until(b"Movement> ")
        for line in (*lines, "amend 4 2 2", "yes", "quit"):
            terminal.write(f"{line}\r".encode())
        terminal.read_until(b"is saved in")
    plain = begin("yellow-sea-1904")
    for line in (*lines, "amend 4 2 2"):
        plain.enter(line)
    kept = read_save(save, make_rules_finder(find_systems())).log
    assert [(act.number, act.rulings) for act in kept] == [
        (act.number, act.rulings) for act in plain.timeline.log
    ]


def test_proposals_are_read_let_in_and_sent_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    save = tmp_path / "battle.qfb"
    umpire = Umpire(begin("yellow-sea-1904", save), monkeypatch)
    umpire.enter("force next")
    files = TrayFiles.from_save(save, read_save(save).first_sum)
    for number, ship in enumerate(("mikasa", "asahi")):
        order = f"fire {ship} heavy tsesarevich 24in"
        files.tray.append(Proposal(f"{number:032x}", "japan.anna", "Anna", (order,), (3, 8)))
    files.close()
    capsys.readouterr()
    for line in ("tray", "in 1", "back 1 too far", "in 1", "tray"):
        umpire.enter(line)
    said = capsys.readouterr().out
    assert "2: Anna, fire asahi heavy tsesarevich 24in 3 8: " in said
    assert "Sent back to Anna." in said
    assert "1 is not the number of a proposal" in said
    assert "Nothing waits." in said
    assert not find_signs(said)
    assert [act.by for act in umpire.session.timeline.log] == ["", "Anna"]


def test_a_roll_that_a_player_requests_is_his_although_the_umpire_calls(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save = tmp_path / "battle.qfb"
    system, start = load_scenario("yellow-sea-1904", find_systems())
    sealed = Session.begin(system, evolve(start, table={**start.table, "dice": "sealed"}), save)
    sealed.enter("force next")
    sealed.enter("fire mikasa heavy tsesarevich 24in")
    (owed,) = sealed.battle.owed
    files = TrayFiles.from_save(save, read_save(save).first_sum)
    files.tray.append(Proposal("0" * 32, "japan.anna", "Anna", (f"roll {owed.key}",)))
    files.close()
    monkeypatch.setattr("builtins.input", lambda question: "38" if "Call" in question else "yes")
    Conversation(sealed).answer("in 1")
    assert sealed.battle.find_question(owed.key) is None
    assert [act.by for act in sealed.timeline.log[:3]] == ["", "", "Anna"]


def test_the_witness_of_the_log_is_said_on_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    save = tmp_path / "battle.qfb"
    answer_questions(monkeypatch, "witness", "next", "witness", "quit")
    assert main(["talk", "yellow-sea-1904", "--save", str(save)]) == 0
    said = capsys.readouterr().out
    words = find_witnesses(Session.view(save, find_systems()))[-1].words
    assert "There are none until a phase has ended" in said
    assert said.count(words) == 1


def test_help_on_an_order_without_an_explanation_is_its_form(capsys: pytest.CaptureFixture[str]) -> None:
    """Detect a line that ends with a colon for an order that a rule book does not explain."""
    Conversation(begin("lissa-1811")).answer("help grapple")
    assert capsys.readouterr().out == "grapple SHIP TARGET [D6]\n"
