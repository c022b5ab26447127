"""Sealed dice computed again: by `verify --dice`, and by the independent program of the help."""

import io
import json
import re
import subprocess
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from qf_tui.cli import main
from qf_tui.core.errors import OrderRefused
from qf_tui.core.timeline import Version, build_timeline
from qf_tui.core.values import Die
from qf_tui.features.sealed_dice.check import CheckedThrow, ThrowMark, check_throws
from qf_tui.features.sealed_dice.dice import SEED_BYTES, SealedDice
from qf_tui.journal.lines import encode_json
from qf_tui.library.paths import find_shipped_folder
from qf_tui.session import Session
from tests.features.sealed_dice.club import (
    SEED,
    SYSTEMS,
    WORDS,
    SealedEvening,
    begin_club,
    begin_yellow_sea,
    list_throws,
    read_independent_program,
)
from tests.journal.making import seal_lines as sealed_lines
from tests.long import Share
from tests.systems import OURS

SHOT = "fire mikasa heavy tsesarevich 41in"
DICE = SealedDice(SEED, WORDS)


def run_program(save: Path) -> list[str]:
    """Return the output of the help's program for a save; the program runs without ours."""
    done = subprocess.run(
        [sys.executable, "-I", "-c", read_independent_program(), str(save)],
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


def map_marks(found: tuple[CheckedThrow, ...]) -> dict[int, tuple[ThrowMark, ...]]:
    return {one.act: one.marks for one in found}


def test_the_program_is_short_and_imports_nothing_of_ours() -> None:
    lines = [line for line in read_independent_program().splitlines() if line.strip()]
    assert len(lines) <= 20
    assert "qf_tui" not in read_independent_program()


@pytest.mark.parametrize("rules", OURS)
def test_the_program_and_the_command_agree(
    tmp_path: Path, rules: str, capsys: pytest.CaptureFixture[str]
) -> None:
    save = tmp_path / "club.qfb"
    session = begin_club(save, rules=rules)
    SealedEvening(session, mischief=0.4).play(2)
    session.enter("reveal")
    session.close()
    said = run_program(save)
    right = [line for line in said if line.endswith("right")]
    assert len(right) >= len(list(list_throws(session))) > 0
    assert not [line for line in said if "WRONG" in line]
    assert main(["verify", "--dice", str(save)]) == 0
    told = capsys.readouterr().out
    assert "all are right" in told
    for act in session.timeline.log:
        if act.version is not None and act.version.call is not None and act.version.dice:
            faces = " ".join(map(str, act.version.dice))
            assert f"{act.number:>5}  call {act.version.call:02} threw {faces}: " in told


WHAT_PEOPLE_DO = [
    ([f"{SHOT} call 37"], 3, ()),
    ([SHOT, "roll call 37"], 4, ()),
    ([f"{SHOT} call 37", "undo"], 3, (ThrowMark.STRUCK,)),
    ([f"{SHOT} call 37", "strike 3"], 3, (ThrowMark.STRUCK,)),
    ([f"{SHOT} call 37", "undo", "redo"], 3, ()),
    ([f"{SHOT} call 37", "amend 3 call 5"], 4, (ThrowMark.AMENDED, ThrowMark.AGAIN)),
    ([f"{SHOT} call 37", "amend 3 call 5"], 3, (ThrowMark.AMENDED, ThrowMark.AGAIN)),
    ([f"{SHOT} call 37", "amend 3 fire mikasa heavy retvizan 30in"], 4, (ThrowMark.AMENDED,)),
    ([f"{SHOT} call 37", "undo", f"{SHOT} call 5"], 5, (ThrowMark.AGAIN,)),
    ([f"{SHOT} call 37", "undo", f"{SHOT} call 37"], 5, ()),
    ([f"{SHOT} call 37", "undo", f"{SHOT} call 37", "restore 3"], 5, (ThrowMark.AGAIN,)),
    ([f"force {SHOT} 3 8"], 3, (ThrowMark.TYPED, ThrowMark.FORCED)),
    (
        [f"{SHOT} call 37", "amend 3 force " + SHOT + " 3 8"],
        4,
        (ThrowMark.TYPED, ThrowMark.FORCED, ThrowMark.AMENDED),
    ),
    ([f"{SHOT} call 37", "reveal", "fire asahi heavy tsesarevich 41in 3 8"], 5, (ThrowMark.TYPED,)),
    (
        [SHOT, "roll call 37", "amend 3 fire asahi heavy tsesarevich 41in"],
        4,
        (ThrowMark.SPARE, ThrowMark.AMENDED),
    ),
]


@pytest.mark.parametrize(("lines", "act", "wanted"), WHAT_PEOPLE_DO)
def test_changes_to_throws_are_listed(lines: list[str], act: int, wanted: tuple[ThrowMark, ...]) -> None:
    session = begin_yellow_sea()
    for line in lines:
        session.enter(line)
    found = map_marks(check_throws(session.system, session.timeline, DICE))
    assert found[act] == wanted


FUJI = "fire fuji heavy tsesarevich long"


@pytest.mark.parametrize("begun", [(f"{FUJI} call 8",), (FUJI, "roll call 8")], ids=["at once", "declared"])
def test_further_dice_of_a_correction_equal_those_of_the_shot_entered_again(
    begun: tuple[str, ...],
) -> None:
    """Guard against a second die with two values: by correction, and by entering the shot again."""
    session, anew = begin_yellow_sea(), begin_yellow_sea()
    for line in (*begun, "insert 1 mark fuji rof_heavy 9"):
        session.enter(line)
    for line in ("mark fuji rof_heavy 9", f"{FUJI} call 8"):
        anew.enter(line)
    assert [owed.faces for owed in session.battle.owed] == [next(list_throws(anew))[2][:1]]
    with pytest.raises(OrderRefused, match="call 8 threw the first of these dice"):
        session.enter("roll call 9")
    session.enter("roll call 8")
    assert not session.battle.owed
    assert list(list_throws(session)) == list(list_throws(anew))
    for one in check_throws(session.system, session.timeline, DICE):
        assert not any(mark.is_fault or mark is ThrowMark.AGAIN for mark in one.marks)


def test_dice_that_an_older_save_threw_apart_are_confirmed() -> None:
    session = begin_yellow_sea()
    for line in (f"{FUJI} call 8", "insert 1 mark fuji rof_heavy 9", "force roll 3"):
        session.enter(line)
    version = session.timeline.versions[5]
    context = (*session.timeline.versions[3].context, "fire", "fuji", "1", "1")
    order = evolve(version.order, dice=DICE.throw_faces(context, 8, (Die(12),)), call=8, forced=False)
    old = evolve(version, order=order, context=context, between=((1, 12),))
    log = [*session.timeline.log[:-1], evolve(session.timeline.log[-1], version=old)]
    found = check_throws(session.system, build_timeline(session.timeline.start, log), DICE)
    assert not any(mark.is_fault for one in found for mark in one.marks)


def test_a_chosen_context_is_reported() -> None:
    """Guard against a program that gives an order another context and throws in it."""
    session = begin_yellow_sea()
    for line in (SHOT, "roll call 37"):
        session.enter(line)
    for context in (("1", "first-gunnery", "fire", "mikasa", "heavy", "2"), ()):
        log = list(session.timeline.log)
        shot, throw = log[2].version, log[3].version
        assert shot is not None
        assert throw is not None
        faces = DICE.throw_faces(context, 37, _build_dice(throw))
        chosen = evolve(throw, order=evolve(throw.order, dice=faces), context=context)
        log[2:4] = [evolve(log[2], version=evolve(shot, context=context)), evolve(log[3], version=chosen)]
        found = check_throws(session.system, build_timeline(session.timeline.start, log), DICE)
        assert any(mark is ThrowMark.CONTEXT for one in found for mark in one.marks)


def _check_changed(session: Session, change: Callable[[Any], Any]) -> tuple[ThrowMark, ...]:
    """Return the marks on the throw of entry 3 after a change."""
    log = list(session.timeline.log)
    log[2] = evolve(log[2], version=change(log[2].version))
    found = check_throws(session.system, build_timeline(session.timeline.start, log), DICE)
    return map_marks(found)[3]


def _differ(version: Version, dice: SealedDice) -> bool:
    """Return whether other dice give a throw other faces."""
    if version.call is None:
        return False
    return dice.throw_faces(version.context, version.call, _build_dice(version)) != version.dice


@given(st.data())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_every_flipped_bit_is_reported(data: st.DataObject) -> None:
    """Flip bits of the call, context, faces, dice, seed and words."""
    session = begin_yellow_sea()
    session.enter(f"{SHOT} call {data.draw(st.integers(0, 99))}")
    before = session.timeline.versions[3]
    what = data.draw(st.sampled_from(["call", "context", "face", "between", "seed", "word"]))
    if what in ("seed", "word"):
        bit = data.draw(st.integers(0, 255))
        seed = (int.from_bytes(SEED) ^ 1 << bit).to_bytes(32) if what == "seed" else SEED
        words = WORDS if what == "seed" else (WORDS[0], f"{WORDS[1]}{'x' * (1 + bit % 4)}")
        other = SealedDice(seed, words)
        assert other.seal != DICE.seal or words != WORDS
        many = begin_club(seed=SEED)
        SealedEvening(many, mischief=0).play(1)
        checked = check_throws(many.system, many.timeline, other)
        told = [ThrowMark.FACES in one.marks for one in checked]
        # Another seed sometimes gives the same face; the check sees only different faces.
        assert told == [_differ(one.version, other) for one in checked]
        assert any(told)
        return
    if what == "call":
        # Another call sometimes gives the same few faces; the check sees only different ones.
        call = before.call ^ 1 << data.draw(st.integers(0, 9)) if before.call is not None else 0
        same = DICE.throw_faces(before.context, call, _build_dice(before)) == before.dice
        found = _check_changed(
            session, lambda version: evolve(version, order=evolve(version.order, call=call))
        )
        assert (ThrowMark.FACES in found) != same
    elif what == "context":
        place = data.draw(st.integers(0, len(before.context) - 1))
        part = (
            chr(ord(before.context[place][0]) ^ 1 << data.draw(st.integers(0, 3))) + before.context[place][1:]
        )
        context = (*before.context[:place], part, *before.context[place + 1 :])
        assert ThrowMark.CONTEXT in _check_changed(session, lambda version: evolve(version, context=context))
    elif what == "face":
        place = data.draw(st.integers(0, len(before.dice) - 1))
        dice = list(before.dice)
        dice[place] ^= 1 << data.draw(st.integers(0, 3))
        found = _check_changed(
            session, lambda version: evolve(version, order=evolve(version.order, dice=tuple(dice)))
        )
        assert ThrowMark.FACES in found
    else:
        between = ((before.between[0][0], before.between[0][1] + 1), *before.between[1:])
        found = _check_changed(session, lambda version: evolve(version, between=between))
        assert ThrowMark.DICE in found


def _build_dice(version: Any) -> tuple[Any, ...]:
    return tuple(Die(most - least + 1, "", least) for least, most in version.between)


@pytest.mark.parametrize("key", ["dice", "call", "context", "between"])
def test_the_program_and_the_command_report_a_forged_save(tmp_path: Path, key: str) -> None:
    """Change a face, call, context or die, and correct the checksums."""
    save = tmp_path / "club.qfb"
    session = begin_yellow_sea(save)
    for line in (f"{SHOT} call 37", "reveal"):
        session.enter(line)
    session.close()
    bodies = [json.loads(line) for line in save.read_text("utf-8").splitlines()]
    for body in bodies:
        del body["sum"]
    was = bodies[3][key]
    bodies[3][key] = {
        "dice": [face % 12 + 1 for face in bodies[3]["dice"]],
        "call": 38,
        "context": ["2", *bodies[3]["context"][1:]],
        "between": [[1, 6] for _ in bodies[3]["between"]],
    }[key]
    assert bodies[3][key] != was
    save.write_bytes(sealed_lines(*map(encode_json, bodies)))
    assert "WRONG" in "\n".join(run_program(save))
    assert main(["verify", "--dice", str(save)]) == 1


def test_the_command_says_what_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save, other = tmp_path / "club.qfb", tmp_path / "other.qfb"
    begin_yellow_sea(save).close()
    begin_club(other, seed=bytes(32), words=("", "beacon")).close()
    cases: list[tuple[list[str], int, str]] = [
        ([str(save)], 2, "its seed is not revealed"),
        ([str(save), "--seed-file", f"{save}.seed"], 0, "no throw by a call"),
        ([str(save), "--seed-file", f"{other}.seed"], 2, "the seed of another battle"),
        ([str(save), "--seed-file", str(save)], 2, "a seed is 64 hexadecimal digits"),
        ([str(save), "--seed-file", str(tmp_path / "none")], 2, "cannot be read"),
        ([str(other), "--seed-file", f"{other}.seed"], 0, "this proves nothing"),
    ]
    for arguments, status, text in cases:
        assert main(["verify", "--dice", *arguments]) == status, arguments
        told = capsys.readouterr()
        assert text in told.out + told.err, arguments
    start = begin_club(rules="gq2").timeline.start
    start = evolve(start, table={**start.table, "dice": "table"}, began=None)
    Session.begin(SYSTEMS["gq2"], start, tmp_path / "plain.qfb").close()
    assert main(["verify", "--dice", str(tmp_path / "plain.qfb")]) == 2
    assert "its dice are not sealed" in capsys.readouterr().err


def test_a_script_gives_words_and_calls(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scenario, orders = tmp_path / "sealed.toml", tmp_path / "orders.txt"
    ours = (find_shipped_folder("fleets") / "scenarios" / "ulsan-1904.toml").read_text("utf-8")
    scenario.write_text('dice = "sealed"\n' + re.sub(r"(?m)^dice.*\n", "", ours), "utf-8")
    orders.write_text("next\nnote a shot\nreveal\nreveal\n", "utf-8")
    run = ["run", str(scenario), "--orders", str(orders)]
    assert main([*run, "--words", "amber, Tiger", "--save", str(tmp_path / "a.qfb")]) == 3
    told = capsys.readouterr()
    assert "qf-tui: seal: " in told.err
    assert "proved" not in told.err
    assert "entry 3 already revealed the seed" in told.out
    head = json.loads((tmp_path / "a.qfb").read_text("utf-8").splitlines()[0])
    assert head["extra"]["dice"]["words"] == ["amber", "tiger"]
    for arguments, text in (
        (["--words", "a b c"], "3 words for 2 sides"),
        (["--seed", "3"], "leave --seed out"),
        (["--words", "x" * 41], "is not one word"),
    ):
        assert main([*run, *arguments]) == 2
        assert text in capsys.readouterr().err
    assert main(run) == 3
    assert "this proves nothing" in capsys.readouterr().err
    assert main(["run", "yellow-sea-1904", "--orders", str(orders), "--words", "a b"]) == 2
    assert "for a battle with sealed dice" in capsys.readouterr().err


@pytest.mark.parametrize("battles", [2, pytest.param(250, marks=pytest.mark.long)])
@pytest.mark.parametrize("rules", OURS)
def test_the_program_confirms_battles(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rules: str, battles: int, share: Share
) -> None:
    """Play one turn with a seed each; `tests.long` plays a thousand."""
    lines, printed = compile(read_independent_program(), "dice.md", "exec"), io.StringIO()
    for seed in share.take(range(battles)):
        save = tmp_path / f"{seed}.qfb"
        words = (f"one{seed}", f"two{seed}")
        session = begin_club(save, rules=rules, seed=seed.to_bytes(SEED_BYTES), words=words)
        SealedEvening(session, seed, mischief=0.2).play(1)
        session.enter("reveal")
        session.close()
        monkeypatch.setattr(sys, "argv", ["check.py", str(save)])
        with redirect_stdout(printed):
            exec(lines, {})
        save.unlink()
    assert "right" in printed.getvalue()
    assert "WRONG" not in printed.getvalue()
