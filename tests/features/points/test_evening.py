"""An evening with points: orders, and what the umpire reads on the keys of points in between.

`QF_TUI_REGENERATE=1 pytest tests/features/points` rewrites the transcript; read the diff.
"""

import os
from pathlib import Path

import pytest

from qf_tui.document.text import lay_out_blocks
from qf_tui.document.transcript import build_consequences_document, list_entered
from qf_tui.features.points.screen import PointsPanel
from qf_tui.features.talk.conversation import Conversation
from qf_tui.library.scenarios import load_scenario
from qf_tui.session import Session
from tests.cli.calling import Caller
from tests.console.playing import Table, begin_examples, with_console
from tests.features.points.scored import read_sums
from tests.systems import find_our_systems

ORDERS = Path(__file__).with_name("evening.orders")
LOOK, KEYS = "# look ", {"?": "question_mark"}


def begin_evening(save: Path | None = None) -> Session:
    """Begin the scenario next to this file."""
    return Session.begin(*load_scenario(ORDERS.with_suffix(".toml"), find_our_systems()), save)


@with_console(begin_evening)
async def test_an_evening_gives_its_transcript(table: Table) -> None:
    """Play the orders; each `# look` presses its keys, and shows the panel as the umpire sees it."""
    told: list[str] = []
    for line in ORDERS.read_text(encoding="utf-8").splitlines():
        if line.startswith(LOOK):
            keys = line.removeprefix(LOOK).split()
            await table.press(*(KEYS.get(key, key) for key in keys))
            assert isinstance(table.top, PointsPanel)
            told += ["", line, *(f"   {each.plain}".rstrip() for each in table.top.lines)]
            await table.press("escape")
        elif not line.startswith("#"):
            told += lay_out_blocks(list_entered(table.session, table.session.enter(line)))
    text, golden = "\n".join(told) + "\n", ORDERS.with_suffix(".transcript")
    if os.environ.get("QF_TUI_REGENERATE"):
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")


def test_the_correction_takes_points_back_and_the_secret_objective_decides() -> None:
    session, sums = begin_evening(), []
    for line in ORDERS.read_text(encoding="utf-8").splitlines():
        if line.startswith(LOOK):
            sums.append(read_sums(session))
        elif not line.startswith("#"):
            session.enter(line)
    assert [(each["japan"], each["russia"]) for each in sums] == [(0, 5), (0, 2), (2, 7), (2, 7)]


def test_a_correction_shows_the_points_that_it_takes_back() -> None:
    session = begin_evening()
    lines = ORDERS.read_text(encoding="utf-8").splitlines()
    for line in lines[: next(at for at, line in enumerate(lines) if line.startswith("amend"))]:
        if not line.startswith("#"):
            session.enter(line)
    document = build_consequences_document(session.system, session.preview("amend 32 3 12"))
    assert [*lay_out_blocks(document.blocks)][-3:] == [
        "Victory",
        "      was: Russia: 5 points",
        "      now: Russia: 2 points",
    ]


def test_points_are_read_aloud_line_by_line(capsys: pytest.CaptureFixture[str]) -> None:
    session = begin_evening()
    for line in ("leave sado-maru sunk", "leave novik withdrawn south-east"):
        session.enter(line)
    umpire = Conversation(session)
    umpire.answer("points")
    told = capsys.readouterr().out
    assert "Russia: 3 points:" in told
    assert "1 times 3 = 3: Sado Maru" in told
    assert "Novik" not in told
    umpire.answer("points secret")
    told = capsys.readouterr().out
    assert "Russia: 8 points:" in told
    assert "1 of 1 = 5: Novik" in told
    Conversation(begin_examples()).answer("points")
    assert capsys.readouterr().out == "No points.\n"


def test_the_report_has_secret_points_if_the_battle_ended_by_agreement(call: Caller) -> None:
    save = call.folder / "evening.qfb"
    session = begin_evening(save)
    session.enter("leave novik withdrawn south-east")
    session.close()
    for flags, told in (((), "Russia: 0 points"), (("--over",), "Russia: 5 points")):
        text = call("report", str(save), *flags).out.partition("VICTORY POINTS")[2]
        assert told in text
        assert ("Novik" in text.partition("BASIS")[0]) is bool(flags)
