"""Files that strangers made, on the first screen: none keeps it from opening, none drives the terminal."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from textual.geometry import Size

from qf_tui.journal.lines import seal
from qf_tui.library.scenarios import load_scenario
from qf_tui.library.systems import find_systems
from qf_tui.session import Session
from qf_tui.session.saves import RulesTripped
from tests.console.playing import Table, gunnery, play

ESC = "\x1b]0;PWNED\x07"


def bodies(path: Path) -> list[bytes]:
    """The bodies of a save's lines, without their checksums."""
    return [line.rpartition(b',"sum":')[0] + b"}" for line in path.read_bytes().splitlines()]


def sealed(path: Path, bodies: list[bytes]) -> None:
    """Writes bodies as lines whose checksums fit."""
    total, lines = "", []
    for body in bodies:
        line, total = seal(body, total)
        lines.append(line)
    path.write_bytes(b"".join(lines))


def last(body: bytes) -> Callable[[list[bytes]], list[bytes]]:
    """A save whose last line is another one."""
    return lambda lines: [*lines[:-1], body]


def _deep(lines: list[bytes]) -> list[bytes]:
    return [
        lines[0].replace(b'"table":{', b'"table":{"a":' + b"[" * 39_000 + b"]" * 39_000 + b",", 1),
        *lines[1:],
    ]


def _titled(lines: list[bytes]) -> list[bytes]:
    return [lines[0].replace(b'"title":"', b'"title":"\\u001b]0;PWNED\\u0007', 1), *lines[1:]]


STRANGE = {
    "deep": _deep,
    "title": _titled,
    "garbage": last(b'{"n":1,"mend":garbage}'),
    "targets-mixed": last(b'{"n":1,"order":"undo","targets":["a",1]}'),
    "targets-table": last(b'{"n":1,"order":"undo","targets":{"a":1}}'),
    "targets-number": last(b'{"n":1,"order":"undo","targets":5}'),
    "phase": last(b'{"n":1,"order":"next","rulings":{"1":{"does":[["phase","","fire",[1e999,false]]]}}}'),
    "deceiving": last('{"n":1,"order":"note a\u202eb"}'.encode()),
    "no-table": last(b"[1,2,3]"),
}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("QF_TUI_HOME", str(tmp_path))
    (tmp_path / "saves").mkdir()
    (tmp_path / "scenarios").mkdir()
    return tmp_path


def sound(path: Path) -> Path:
    system, start = load_scenario("rulebook-examples", find_systems())
    session = Session.begin(system, start, path)
    session.enter("next")
    session.close()
    return path


def test_no_strange_save_keeps_the_first_screen_from_opening(home: Path) -> None:
    """Catches a file that ends the console at each start until it is taken away."""
    lines = bodies(sound(home / "saves" / "sound.qfb"))
    for name, change in STRANGE.items():
        sealed(home / "saves" / f"strange-{name}.qfb", change(lines))
    (home / "scenarios" / "deep.toml").write_text(f"a = {'[' * 9000}{']' * 9000}\n", encoding="utf-8")

    async def steps(table: Table) -> None:
        await table.press("end", "home", *["down"] * 20, *"strange-")
        text = table.text()
        assert all(f"strange-{name}" in text for name in STRANGE if name != "title"), text
        assert all(sign.isprintable() or sign == "\n" for sign in text)
        for _ in STRANGE:
            await table.press("down")
        await table.press("escape", *"sound", "enter")
        assert table.log() == ["next"]

    play(None, steps, (120, 36))


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such names")
def test_no_name_of_a_file_drives_the_terminal_or_forges_a_line(home: Path) -> None:
    sound(home / "saves" / f"x{ESC}.qfb")
    sound(home / "saves" / "y\n✗ This cannot be opened:\nz.qfb")
    (home / "scenarios" / f"s{ESC}\nq.toml").write_text("no = [", encoding="utf-8")
    (home / "saves" / f"broken{ESC}\nforged.qfb").write_bytes(b'{"n":0,"save":"qf-tui","format":')

    async def steps(table: Table) -> None:
        assert table.app.size == Size(120, 36)
        lines = table.text().splitlines()
        assert all(line.isprintable() for line in lines)
        assert not any(line.strip().startswith(("z.qfb", "forged", "✗ This cannot")) for line in lines)
        for _ in range(12):
            await table.press("down")
            assert all(line.isprintable() for line in table.text().splitlines())

    play(None, steps, (120, 36))


def test_what_the_rules_trip_over_is_said_and_costs_nothing(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Catches a traceback as an order is entered in a save that no rules made."""
    session = gunnery()

    def trips(*_: object, **__: object) -> None:
        raise KeyError("crown")

    for name in ("work_out", "preview_of", "prepare_entry"):
        monkeypatch.setattr(f"qf_tui.session.session.{name}", trips)
    order = session.read("fire mikasa heavy borodino 41in").complete()
    for tries in (lambda: session.enter(order.line), lambda: session.prepare(order)):
        with pytest.raises(
            RulesTripped, match=r"cannot work this out \(KeyError: 'crown'.*Nothing is entered"
        ):
            tries()
    assert "crown" in session.preview_order(order).findings[0].text
    assert "crown" in (home / "fault.txt").read_text(encoding="utf-8")
    assert len(session.timeline.log) == 1
