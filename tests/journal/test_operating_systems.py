"""Peculiarities of Windows: names that it refuses, files that a scanner holds for a moment."""

import os
import sys
from collections.abc import Callable
from io import StringIO
from multiprocessing import resource_tracker
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qf_tui import operating_systems
from qf_tui.cli import main
from qf_tui.core.errors import QfError
from qf_tui.journal.disk import open_without_waiting, write_file
from qf_tui.journal.reading import SaveFault, read_save
from qf_tui.journal.saving import Journal
from qf_tui.library.paths import list_new_saves
from qf_tui.library.processes import start_pool
from qf_tui.operating_systems import find_name_fault, make_portable_name, retry_while_held
from qf_tui.session.session import read_save_name
from tests.journal.making import FailingDisk, build_small_header
from tests.posix import posix_only

HELD = PermissionError(13, "The process cannot access the file because it is being used by another process")
UNLINK = Path.unlink


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("battle.qfb", ""),
        ("Yalu 1894 – zweiter Tag.qfb", ""),
        ("three.dots.qfb", ""),
        ("console.qfb", ""),
        ("com10.qfb", ""),
        ("Japan: Russia.qfb", "takes no :"),
        ("who?.qfb", "takes no ?"),
        ("a/b|c.qfb", "takes no / |"),
        ("con.qfb", "“con” is the name of a device"),
        ("NUL", "“NUL” is the name of a device"),
        ("lpt1.first.qfb", "“lpt1” is the name of a device"),
        ("Com¹.qfb", "“Com¹” is the name of a device"),
        ("battle.", "ends with a dot or a blank"),
        ("battle ", "ends with a dot or a blank"),
    ],
)
def test_a_name_that_windows_refuses_is_refused_everywhere(name: str, fault: str) -> None:
    assert fault in find_name_fault(name)
    assert bool(find_name_fault(name)) is bool(fault)


@given(st.text(st.characters(categories=["L", "N", "P", "S", "Zs"]), min_size=1, max_size=20))
def test_a_portable_name_is_accepted_everywhere(name: str) -> None:
    assert not find_name_fault(f"{make_portable_name(name)}.qfb")


def test_a_save_name_that_another_system_refuses_is_refused() -> None:
    with pytest.raises(QfError, match="the save may be used there too; choose another name"):
        read_save_name("aux.qfb")


def test_a_save_of_a_scenario_gets_a_portable_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QF_TUI_HOME", str(tmp_path))
    names = [next(list_new_saves(name)).name for name in ("nul", "12:30", "yalu-1894")]
    assert names == ["nul-1.qfb", "12-30-1.qfb", "yalu-1894-1.qfb"]


class Scanner:
    """A program that holds each new file for its first looks, as Windows allows."""

    def __init__(self, looks: int) -> None:
        self.looks, self.refused = looks, 0

    def hold_before(self, call: Callable[..., object]) -> Callable[..., object]:
        def held(*given: object, **more: object) -> object:
            if self.refused < self.looks:
                self.refused += 1
                raise HELD
            return call(*given, **more)

        return held


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operating_systems, "WINDOWS", True)
    monkeypatch.setattr(operating_systems, "HELD_S", 0.2)


@pytest.mark.usefixtures("windows")
def test_a_file_that_is_held_for_a_moment_is_still_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, scanner = tmp_path / "settings.toml", Scanner(3)
    file.write_bytes(b"old")
    monkeypatch.setattr(os, "replace", scanner.hold_before(os.replace))
    write_file(file, b"new", over=True)
    assert (file.read_bytes(), scanner.refused) == (b"new", 3)


@pytest.mark.usefixtures("windows")
def test_a_file_that_stays_held_is_reported_and_unchanged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "settings.toml"
    file.write_bytes(b"old")
    monkeypatch.setattr(os, "replace", Scanner(10**6).hold_before(os.replace))
    with pytest.raises(PermissionError, match="used by another process"):
        write_file(file, b"new", over=True)
    assert [path.name for path in tmp_path.iterdir()] == ["settings.toml"]
    assert file.read_bytes() == b"old"


@pytest.mark.usefixtures("windows")
def test_a_save_that_is_held_for_a_moment_is_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "battle.qfb"
    file.write_bytes(b"lines")
    monkeypatch.setattr(os, "open", Scanner(2).hold_before(os.open))
    with open_without_waiting(file) as opened:
        assert opened.read() == b"lines"


def unlink_if_closed(path: Path, *, missing_ok: bool = False) -> None:
    """Delete a file as Windows does: only a closed one."""
    if any(file.samefile(path) for file in Path("/proc/self/fd").iterdir() if file.exists()):
        raise HELD
    UNLINK(path)


@posix_only
@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="the system does not tell what is open")
def test_a_save_that_could_not_be_made_is_closed_and_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Report the fault of the disk, not one of the file."""
    monkeypatch.setattr(Path, "unlink", unlink_if_closed)
    disk = FailingDisk()
    disk.broken = {"fsync"}
    with pytest.raises(SaveFault, match="Input/output error"):
        Journal.create(tmp_path / "battle.qfb", build_small_header(), disk)
    assert not (tmp_path / "battle.qfb").exists()


@pytest.mark.usefixtures("windows")
def test_other_processes_need_no_tracker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start a pool without the resource tracker, which Windows lacks."""
    monkeypatch.delattr(resource_tracker, "ensure_running")
    start_pool(1, print).shutdown()


@pytest.mark.usefixtures("windows")
def test_a_folder_is_reported_as_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Name the cause, although Windows only denies access."""
    monkeypatch.setattr(os, "open", Scanner(10**6).hold_before(os.open))
    with pytest.raises(SaveFault, match="cannot be read: Is a directory"):
        read_save(tmp_path)


class Left(StringIO):
    """An output whose reader has left, as Windows reports it."""

    def write(self, text: str) -> int:
        raise OSError(22, "Invalid argument")


@pytest.mark.usefixtures("windows")
def test_a_closed_pipe_is_no_fault(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdout", Left())
    assert main(["--version"]) == 141
    assert capsys.readouterr().err == ""


def test_a_refusal_on_other_systems_is_reported_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operating_systems, "WINDOWS", False)
    scanner = Scanner(1)
    with pytest.raises(PermissionError):
        retry_while_held(scanner.hold_before(lambda: None))
    assert scanner.refused == 1
