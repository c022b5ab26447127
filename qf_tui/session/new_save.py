"""New saves: of battles that begin on the user's shelf, and copies under other names."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path
from typing import TypeVar

from attrs import evolve

from qf_tui.core.errors import QfError
from qf_tui.core.sealed_dice import SealedDice
from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Battle
from qf_tui.journal.disk import name_of, printable
from qf_tui.journal.reading import SaveThere
from qf_tui.journal.saving import copy_save, write_save
from qf_tui.library.paths import SAVE, new_saves, own
from qf_tui.session.saves import header_of
from qf_tui.session.session import Session

_Made = TypeVar("_Made")


def begin_on_shelf(system: RuleSystem, start: Battle, name: str, sealed: SealedDice | None = None) -> Session:
    """A new battle in a new save, called `name` with a number; QfError if it cannot be made."""
    return _in_new_save(name, lambda save: Session.begin(system, start, save, sealed=sealed))


def copy_on_shelf(source: Path) -> Path:
    """A copy of a save as a new one of its name with a number; QfError if it cannot be made."""

    def make(to: Path) -> Path:
        copy_save(source, to)
        return to

    return _in_new_save(source.stem, make)


def branch_beside(save: Path) -> Path:
    """A copy of a save beside it, under a name that tells of a branch; QfError if it cannot be made."""
    return _beside(save, partial(copy_save, save))


def branch_of(session: Session) -> Path:
    """The open battle as a branch beside its save; QfError if it cannot be made, or has no save."""
    save = session.journal.path
    if save is None:
        raise QfError("no branch: this battle has no save to copy. Begin it with one, by `--save FILE`.")
    return _beside(save, partial(_copied, session))


def _beside(save: Path, copy: Callable[[Path], object]) -> Path:
    for number in count(1):
        with suppress(SaveThere):
            branch = save.with_name(f"{save.stem}-branch-{number}{save.suffix}")
            copy(branch)
            return branch
    raise AssertionError


def kept(session: Session) -> tuple[Path | None, str]:
    """Where a battle lies that is left, and what is to be said of that: its save may have been taken away."""
    save, astray = session.journal.path, session.journal.astray
    if save is None or not astray:
        return save, ""
    said = f"{name_of(save)}: not the battle as it was left: {astray}."
    copy = partial(_copied, session)
    try:
        try:
            there = _beside(save, copy)
        except QfError:
            there = _in_new_save(save.stem, copy)
    except QfError as fault:
        return None, f"{said} {fault} Put back the file that was there, or a copy of it."
    return there, f"{said} It is kept as it stood in the console."


def _copied(session: Session, to: Path) -> Path:
    """The copy of a battle's save; where that is gone, or is another battle, of what is open here."""
    save = session.journal.path
    if save is None or session.journal.astray:
        header = header_of(session.system, session.timeline.start, session.extra)
        write_save(to, evolve(header, program=session.program), session.timeline.log)
    else:
        copy_save(save, to)
    return to


def name_wanted(text: str) -> Path:
    """The path that a person gives a new save; QfError where it has no name that a person can read."""
    path = Path(text)
    if not path.name.strip() or any(sign < " " for sign in path.name):
        raise QfError(f"“{printable(text)}” is no name of a file; name the new save, as battle{SAVE}")
    return path


def copy_as(session: Session, named: str) -> Path:
    """The open battle under a name on the user's shelf, or at a path; QfError if it cannot be made."""
    to = name_wanted(named.strip())
    to = to if to.suffix == SAVE else to.with_name(f"{to.name}{SAVE}")
    with suppress(RuntimeError):
        # At nobody's home it stays as it is, and is no folder.
        to = to.expanduser()
    if to.parent == Path():
        to = own("saves") / to
        to.parent.mkdir(parents=True, exist_ok=True)
    return _copied(session, to)


def _in_new_save(name: str, make: Callable[[Path], _Made]) -> _Made:
    """What is made with the first name that is free, also when several consoles take names at once."""
    names = new_saves(name)
    while True:
        try:
            return make(next(names))
        except SaveThere:
            continue
