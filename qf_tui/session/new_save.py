"""Battles that begin in a save of their own on the user's shelf, under a name that nobody else has taken."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Battle
from qf_tui.journal.copying import copy_save
from qf_tui.journal.reading import SaveThere
from qf_tui.library.paths import new_saves
from qf_tui.session.session import Session

_Made = TypeVar("_Made")


def begin_on_shelf(system: RuleSystem, start: Battle, name: str) -> Session:
    """A new battle in a new save, called `name` with a number; QfError if it cannot be made."""
    return _in_new_save(name, lambda save: Session.begin(system, start, save))


def copy_on_shelf(source: Path) -> Path:
    """A copy of a save as a new one of its name with a number; QfError if it cannot be made."""

    def make(to: Path) -> Path:
        copy_save(source, to)
        return to

    return _in_new_save(source.stem, make)


def _in_new_save(name: str, make: Callable[[Path], _Made]) -> _Made:
    """What is made with the first name that is free, also when several consoles take names at once."""
    names = new_saves(name)
    while True:
        try:
            return make(next(names))
        except SaveThere:
            continue
