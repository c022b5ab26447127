"""Copies of a save: whole or not at all, and over nothing."""

import subprocess
import sys
from pathlib import Path

import pytest

from qf_tui.journal.reading import SaveThere
from qf_tui.journal.saving import copy_save
from tests.journal.making import saved

_WITHIN_A_LIMIT = """
import resource, signal, sys
from pathlib import Path
from qf_tui.journal.saving import copy_save
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
