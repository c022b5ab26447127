"""Calls of commands as a person makes them: through `main`, or in a separate process."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen

from qf_tui.cli import main

Row = dict[str, Any]


@frozen
class Called:
    """The result of a command: exit status, output and standard error."""

    status: int
    out: str
    err: str

    @property
    def rows(self) -> list[Row]:
        return [json.loads(line) for line in self.out.splitlines()]


class Caller:
    """Calls commands within this process, in a new folder."""

    def __init__(self, folder: Path, capture: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self._capture = capture

    def __call__(self, *arguments: str | Path) -> Called:
        status = main([str(argument) for argument in arguments])
        said = self._capture.readouterr()
        return Called(status, said.out, said.err)

    def write_orders(self, text: str | bytes) -> Path:
        """Write a file of orders."""
        path = self.folder / "battle.orders"
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    def play(self, text: str | bytes, *more: str | Path, battle: str | Path = "rulebook-examples") -> Called:
        """Run `run --json` with orders."""
        return self("run", battle, "--orders", self.write_orders(text), "--json", *more)

    def save(self, text: str, name: str = "battle.qfb") -> Path:
        """Play orders into a save, and return its path."""
        path = self.folder / name
        called = self.play(text, "--save", path)
        assert called.status == 0, called.out
        return path


def run_process(
    *arguments: str | Path, text: str | bytes = b"", more: Mapping[str, str] | None = None
) -> Called:
    """Run a command in a separate process, with standard input."""
    done = subprocess.run(
        [sys.executable, "-m", "qf_tui", *map(str, arguments)],
        input=text.encode() if isinstance(text, str) else text,
        capture_output=True,
        env={**os.environ, **(more or {})},
        check=False,
        timeout=60,
    )
    return Called(done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode())
