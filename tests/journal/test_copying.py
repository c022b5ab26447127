"""Copies of a save: whole or not at all, and over nothing."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from qf_tui.journal.copying import copy_beside_others, copy_save
from qf_tui.journal.reading import SaveFault, SaveThere
from tests.journal.making import saved

_WITHIN_A_LIMIT = """
import resource, signal, sys
from pathlib import Path
from qf_tui.journal.copying import copy_save
from qf_tui.journal.reading import SaveFault
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[3]), -1))
try:
    copy_save(Path(sys.argv[1]), Path(sys.argv[2]))
except SaveFault as fault:
    print(fault)
"""


def test_a_copy_that_does_not_fit_on_the_disk_leaves_nothing(tmp_path: Path) -> None:
    source, to = tmp_path / "battle.qfb", tmp_path / "copy.qfb"
    saved(source, 3)
    room = str(source.stat().st_size - 10)
    done = subprocess.run(
        [sys.executable, "-c", _WITHIN_A_LIMIT, str(source), str(to), room],
        capture_output=True,
        check=False,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("copy.qfb: cannot be made: File too large")
    assert not to.exists()


def test_a_copy_takes_no_name_that_is_taken(tmp_path: Path) -> None:
    source, to = tmp_path / "battle.qfb", tmp_path / "copy.qfb"
    saved(source, 3)
    to.write_bytes(b"somebody's")
    with pytest.raises(SaveThere, match="no save is overwritten"):
        copy_save(source, to)
    assert to.read_bytes() == b"somebody's"


def test_a_copy_is_kept_up_to_date_in_another_folder(tmp_path: Path) -> None:
    save, stick = tmp_path / "save.qfb", tmp_path / "stick"
    saved(save, 3)
    stick.mkdir()
    assert copy_beside_others(save, stick).read_bytes() == save.read_bytes()
    whole = save.read_bytes()
    save.write_bytes(whole + b'{"half')
    assert copy_beside_others(save, stick).read_bytes() == whole


@pytest.mark.parametrize(
    ("name", "says"),
    [("", "folder of the save itself"), ("none", "no such folder"), ("save.qfb", "no such folder")],
)
def test_no_copy_goes_where_none_can_be(name: str, says: str, tmp_path: Path) -> None:
    save = tmp_path / "save.qfb"
    saved(save, 3)
    with pytest.raises(SaveFault, match=says):
        copy_beside_others(save, tmp_path / name)


def test_another_battle_of_that_name_and_a_full_disk_keep_what_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save, stick = tmp_path / "save.qfb", tmp_path / "stick"
    saved(save, 3)
    stick.mkdir()
    copy = copy_beside_others(save, stick)
    copy.write_bytes(b"another battle\n")
    with pytest.raises(SaveFault, match="another battle, or more of this one"):
        copy_beside_others(save, stick)
    assert copy.read_bytes() == b"another battle\n"
    copy.write_bytes(save.read_bytes().splitlines(keepends=True)[0])

    def full(file: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    before = copy.read_bytes()
    with pytest.raises(SaveFault, match="cannot be written"):
        copy_beside_others(save, stick)
    assert copy.read_bytes() == before
    assert [path.name for path in stick.iterdir()] == ["save.qfb"]
