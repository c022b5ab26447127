"""A correction tried in a save of its own, beside the save of the battle, which stays as it is."""

from pathlib import Path

from qf_tui.core.errors import QfError
from qf_tui.journal.copying import copy_save
from qf_tui.session import Session


def branched(session: Session, line: str) -> Path:
    """A new save beside this battle's: its acts, and a correction more; QfError if there can be none."""
    save = session.journal.path
    if save is None:
        raise QfError("no branch: this battle has no save to copy. Begin it with one, by `--save FILE`.")
    branch = _free_beside(save)
    copy_save(save, branch)
    tried = Session.resume(branch, {session.system.name: session.system})
    try:
        tried.enter(line)
    finally:
        tried.close()
    return branch


def _free_beside(save: Path) -> Path:
    number = 1
    while (path := save.with_name(f"{save.stem}-branch-{number}{save.suffix}")).exists():
        number += 1
    return path
