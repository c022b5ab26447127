"""`qf-tui state`: a battle typed in a spreadsheet, entered as one act, corrected and carried on."""

import csv
import io
import re
from pathlib import Path

import pytest

from qf_tui.features.state import command
from tests.cli.calling import Caller
from tests.systems import EVERYBODYS, OURS


def change_rows(path: Path, changes: dict[str, dict[str, str]], separator: str = ",") -> None:
    """Change cells of a CSV file by ship and column, and keep only the rows of these ships."""
    rows = list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8-sig"))))
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), delimiter=separator)
        writer.writeheader()
        writer.writerows(row | changes[row["id"]] for row in rows if row["id"] in changes)


def write_state(call: Caller, battle: str | Path, *more: str) -> Path:
    """Write the state of a battle with the command."""
    called = call("state", battle, "--csv", "state.csv", *more)
    assert called.status == 0, called.err
    return call.folder / "state.csv"


@pytest.mark.parametrize("rules", OURS)
def test_a_paper_battle_goes_on_in_a_save(call: Caller, rules: str) -> None:
    path = write_state(call, EVERYBODYS, "--rules", rules)
    changes = {"mikasa": {"fires": "2", "status": "Aground"}, "asahi": {"status": "sunk"}, "fuji": {}}
    change_rows(path, {id: {key: value for key, value in each.items() if (rules, value) != ("gq2", "Aground")}
                       for id, each in changes.items()}, ";")  # fmt: skip
    called = call("state", EVERYBODYS, "--rules", rules, "--import", path, "--save", "new.qfb")
    assert called.status == 0, called.err
    assert re.search(r"Japan +Asahi +status +afloat +→ +sunk", called.out)
    assert called.out.endswith("entered as 1 in new.qfb; `undo` takes all of it back\n")
    assert call("verify", "new.qfb").status == 0
    assert "Fuji" not in called.out
    assert call("state", "new.qfb", "--import", path).out == "the file changes nothing\n"
    for name, orders in (
        ("undone.qfb", "undo"),
        ("amended.qfb", "amend 1 state fuji fires 1; asahi fires 2"),
    ):
        called = call("run", "new.qfb", "--orders", call.write_orders(orders), "--save", name, "--json")
        assert called.status == 0, called.out
        ships = called.rows[-1]["battle"]["ships"]
        assert (ships["mikasa"]["status"], ships["asahi"]["status"]) == ("afloat", "afloat")
    assert call("sheets", "new.qfb", "--out", "sheets.html").status == 0
    assert call("report", "new.qfb").status == 0
    assert call("carry", "new.qfb", "--days", "2").status == 0


def test_a_save_is_continued_and_a_scenario_makes_a_save_on_the_shelf(call: Caller) -> None:
    path = write_state(call, EVERYBODYS)
    change_rows(path, {"mikasa": {"fires": "1"}})
    called = call("state", EVERYBODYS, "--import", path)
    save = Path(called.out.splitlines()[-1].removeprefix("entered as 1 in ").partition(";")[0])
    assert save.parent == call.folder / "home" / "saves"
    change_rows(path, {"mikasa": {"fires": "3"}})
    before = save.read_bytes()
    assert call("state", save, "--import", path, "--save", "copy.qfb").status == 0
    assert save.read_bytes() == before
    assert "entered as 2" in call("state", save, "--import", path).out
    assert save.read_bytes().startswith(before)
    assert call("state", "copy.qfb", "--csv", "-").out == call("state", save, "--csv", "-").out


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        ((), "nothing to do: write the state with --csv FILE, or enter one with --import FILE"),
        (("--csv", "state.csv"), "this file already exists; --replace overwrites it"),
        (("--csv", "new.csv", "--yes"), "--save and --yes are only for --import"),
        (("--import", "state.csv", "--replace"), "--replace is only for --csv"),
        (("--import", "none.csv"), "none.csv: there is no such file"),
        (("--import", "state.csv", "--save", "old.qfb"), "old.qfb"),
        (("--import", "wrong.csv"), "wrong.csv: 2 faults\n  row 2 (mikasa), fires: “x” is not"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_written(
    call: Caller, arguments: tuple[str, ...], fault: str
) -> None:
    write_state(call, EVERYBODYS)
    (call.folder / "wrong.csv").write_text("id,fires\nmikasa,x\nnone,1\n", encoding="utf-8")
    (call.folder / "old.qfb").write_text("", encoding="utf-8")
    before = {path: path.read_bytes() for path in call.folder.rglob("*") if path.is_file()}
    called = call("state", EVERYBODYS, *arguments)
    assert called.status == 2
    assert fault in called.err
    assert {path: path.read_bytes() for path in call.folder.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize(("answer", "status"), [("yes", 0), ("n", 1), ("", 1), (EOFError, 1)])
def test_on_a_terminal_it_asks(
    call: Caller, monkeypatch: pytest.MonkeyPatch, answer: str | type[EOFError], status: int
) -> None:
    path = write_state(call, EVERYBODYS)
    change_rows(path, {"mikasa": {"fires": "1"}})

    def respond(prompt: str) -> str:
        if not isinstance(answer, str):
            raise answer
        return answer

    monkeypatch.setattr(command, "has_terminal", lambda: True)
    monkeypatch.setattr("builtins.input", respond)
    called = call("state", EVERYBODYS, "--import", path, "--save", "new.qfb")
    assert called.status == status
    assert "1 change of 1 ship" in called.out
    assert (call.folder / "new.qfb").exists() == (status == 0)
    assert call("state", EVERYBODYS, "--import", path, "--save", "sure.qfb", "--yes").status == 0
