"""The saves on the shelf: which there are, and where each stands."""

from collections.abc import Mapping
from pathlib import Path

from attrs import frozen

from qf_tui.core.errors import QfError
from qf_tui.core.system import RuleSystem
from qf_tui.journal.reading import is_save
from qf_tui.library.shelf import own, shipped
from qf_tui.session import Session
from qf_tui.session.telling import phase_text

TOLD_MOST = 12
"""Saves whose battle is looked at for the list; the older ones are listed by name."""


@frozen
class SaveListed:
    """One save: its path, its battle's title, and where it stands or what is wrong with it."""

    path: Path
    title: str
    stands: str


def own_saves(systems: Mapping[str, RuleSystem]) -> tuple[SaveListed, ...]:
    """The user's saves, the one written last first."""
    return _listed(own("saves"), systems)


def sample_saves(systems: Mapping[str, RuleSystem]) -> tuple[SaveListed, ...]:
    """The sample battles that come with the program."""
    return _listed(shipped("saves"), systems)


def _listed(folder: Path, systems: Mapping[str, RuleSystem]) -> tuple[SaveListed, ...]:
    try:
        paths = [path for path in folder.iterdir() if path.is_file() and is_save(path)]
        paths.sort(key=lambda path: path.stat().st_mtime, reverse=True)
    except OSError:
        return ()
    told = [_told(path, systems) for path in paths[:TOLD_MOST]]
    return (*told, *(SaveListed(path, path.stem, "") for path in paths[TOLD_MOST:]))


def _told(path: Path, systems: Mapping[str, RuleSystem]) -> SaveListed:
    try:
        session = Session.look(path, systems)
    except QfError as fault:
        return SaveListed(path, path.stem, f"✗ {fault}")
    title = str(session.battle.table.get("title") or path.stem)
    return SaveListed(
        path, title, f"{phase_text(session.system, session.battle)} · {len(session.timeline.log)} acts"
    )
