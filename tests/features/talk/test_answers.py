"""Talk says what a screen shows: owed rolls, proposers, charts of the umpire, typed dice."""

from itertools import product
from pathlib import Path
from random import Random

import pytest

from qf_tui.core.values import Die
from qf_tui.features.talk.conversation import Conversation
from qf_tui.library.systems import Systems
from qf_tui.session import Session
from qf_tui.session.typed_dice import read_dice
from tests.book.test_at_the_table import save as save
from tests.console.playing import begin_gunnery
from tests.console.test_same_dice import (
    LINE,
    Throws,
    begin,
    find_places,
    list_typings,
    press_keys,
    read_advice,
)
from tests.features.report.test_proposed import enter_proposed
from tests.systems import load_start


def test_talk_names_the_roll_that_an_answer_goes_to(capsys: pytest.CaptureFixture[str]) -> None:
    session = begin_gunnery()
    talk = Conversation(session)
    talk.answer("damage ohio E")
    capsys.readouterr()
    talk.answer("damage mikasa E")
    first, second = session.battle.owed
    said = capsys.readouterr().out
    assert f"Also owed: {second.prompt} (1d12), after {first.prompt}\n" in said
    talk.answer("owed")
    assert capsys.readouterr().out.startswith(f"1: {first.prompt}")
    talk.answer("3")
    assert session.battle.owed == (second,)
    assert f"Owed: {second.prompt}" in capsys.readouterr().out


def test_talk_explains_a_question_and_says_that_the_phase_goes_on(
    capsys: pytest.CaptureFixture[str],
) -> None:
    talk = Conversation(Session.begin(*load_start("gq2-fourth-flotilla-1916")))
    talk.answer("next")
    said = capsys.readouterr().out
    assert "Movement goes on: answer what is owed, then n again\n" in said
    assert "Owed: inches and points of Tipperary, for the wander checks of @flotilla (like 15.5 0)\n" in said
    talk.answer("15 0")
    assert talk.session.battle.owed_in_order[0].prompt.endswith("Tipperary")


def test_talk_names_the_proposer(capsys: pytest.CaptureFixture[str]) -> None:
    Conversation(enter_proposed("Anna")).answer("history")
    told = capsys.readouterr().out.splitlines()
    assert [line.startswith("2: ") and line.endswith("by Anna") for line in told] == [False, True, False]


def test_an_answer_from_a_chart_can_be_given_and_amended(
    save: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Guard against a question read aloud with a wrong word for a sign."""
    monkeypatch.setattr("builtins.input", lambda question: "yes")
    session = Session.resume(save, Systems())
    talk = Conversation(session)
    for line in ("shoot arrow beacon 12in 5 4", "hull 2", "amend 2 5 3", "hull 1"):
        talk.answer(line)
    assert (session.battle.ships["beacon"].count("hull"), session.battle.owed) == (6, ())
    assert "12in, guns 2; hull 2 was read for shoot arrow" in " ".join(capsys.readouterr().out.split())
    session.close()


@pytest.mark.parametrize("names", [("black", "white"), ("", "")], ids=["singly", "at-once"])
def test_talk_reads_typed_dice_like_a_dialog(names: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Guard against other dice in `talk`, and advice about keys that a line does not have."""
    system = Throws((Die(12, names[0]), Die(12, names[1])))
    places, said = find_places(system), list[str]()
    monkeypatch.setattr("builtins.print", said.append)
    for faces in Random(1904).sample(list(product(range(1, 13), repeat=2)), 40):
        for text, _ in list_typings(faces):
            session, said[:] = begin(system), []
            Conversation(session).answer(f"{LINE} {text}")
            entered = session.timeline.versions[1].dice if session.timeline.play_order else ()
            assert entered == places["a dialog"](text)[0]
            typed = " ".join(said)
            assert bool(entered) is ("type " not in typed)
            for way, keys in read_advice(typed.replace("type", "press")).items():
                assert read_dice(session, session.read_typed(f"{LINE} {press_keys('', keys)}")).faces == way
