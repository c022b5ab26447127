"""Fixtures of the tests of the board."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from qf_tui.session import Session
from tests.console.playing import begin_saved


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[Session]:
    """Yield a session that writes a save of the rules' examples, in the first gunnery phase."""
    session = begin_saved(tmp_path / "battle.qfb")
    session.enter("next")
    yield session
    session.close()
