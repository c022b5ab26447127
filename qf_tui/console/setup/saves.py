"""The saves on the shelf: which there are, and how far each is."""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from attrs import frozen

from qf_tui.console.widgets.text import one_line
from qf_tui.core.errors import QfError
from qf_tui.core.system import RuleSystem
from qf_tui.journal.lock import is_held
from qf_tui.journal.reading import is_save
from qf_tui.journal.save_summary import glance
from qf_tui.library.paths import own, shipped
from qf_tui.session import Session
from qf_tui.session.act_words import phase_text


@frozen
class SaveListed:
    """One save: title, rule system, how far it is, when it was written last, or what is wrong with it.

    `held`: another console has it. `sure`: the whole of it was read, not its ends alone. `system` is the rule
    system's title, `system_name` what the save calls it, "" where that is not known.
    """

    path: Path
    title: str
    system: str = ""
    stands: str = ""
    acts: int = 0
    written: float = 0
    held: bool = False
    fault: str = ""
    afloat: str = ""
    sure: bool = False
    system_name: str = ""


def own_saves() -> tuple[Path, ...]:
    """The user's saves, the one written last first."""
    return _paths(own("saves"))


def sample_saves() -> tuple[Path, ...]:
    """The sample battles that come with the program."""
    return _paths(shipped("saves"))


def _paths(folder: Path) -> tuple[Path, ...]:
    try:
        paths = [(path.stat().st_mtime, path) for path in folder.iterdir() if is_save(path)]
    except OSError:
        return ()
    return tuple(path for _, path in sorted(paths, reverse=True))


def glanced(path: Path, systems: Mapping[str, RuleSystem]) -> SaveListed:
    """A save by its two ends."""
    try:
        found = glance(path)
        system = systems.get(found.system)
    except QfError as fault:
        return _faulty(path, str(fault))
    except Exception as fault:  # noqa: BLE001 - a stranger's file must not keep the others from being opened
        return _faulty(path, odd_file(path, fault))
    stands = ""
    if found.stands and system:
        turn, name = found.stands
        title = next((phase.title for phase in system.phases if phase.name == name), name)
        stands = f"turn {turn}, {title}"
    unknown = "" if system else f"its rule system “{found.system}” is not installed"
    return SaveListed(
        path,
        one_line(found.title or path.stem),
        system.title if system else found.system,
        stands,
        found.acts,
        _written(path),
        is_held(path),
        unknown,
        system_name=found.system,
    )


def _faulty(path: Path, fault: str) -> SaveListed:
    """A save that cannot be opened, and why."""
    return SaveListed(path, one_line(path.stem), fault=fault, written=_written(path), sure=True)


def odd_file(path: Path, fault: Exception) -> str:
    """What to say of a file that is read into a fault of ours."""
    return (
        f"{one_line(path.name)}: cannot be read ({type(fault).__name__}): no qf-tui wrote it so. "
        "Nothing in it was changed; take it out of its folder, or a copy from before."
    )


def looked(path: Path, systems: Mapping[str, RuleSystem]) -> SaveListed:
    """A save read in full: what is wrong anywhere in it, and who is still afloat."""
    try:
        session = Session.look(path, systems)
    except QfError as fault:
        return _faulty(path, str(fault))
    except Exception as fault:  # noqa: BLE001 - as above
        return _faulty(path, odd_file(path, fault))
    battle = session.battle
    sides = []
    for side in battle.sides:
        ships = [ship for ship in battle.ships.values() if ship.side == side.id]
        sides.append(f"{side.name} {sum(ship.afloat for ship in ships)} of {len(ships)}")
    owed = f" · owed {len(battle.owed)}" if battle.owed else ""
    return SaveListed(
        path,
        one_line(str(battle.table.get("title") or path.stem)),
        session.system.title,
        phase_text(session.system, battle),
        len(session.timeline.log),
        _written(path),
        is_held(path),
        afloat=f"afloat: {', '.join(sides)}{owed}",
        sure=True,
        system_name=session.system.name,
    )


def acts_text(save: SaveListed) -> str:
    """How long its log is."""
    return "1 entry" if save.acts == 1 else f"{save.acts} entries"


def written_text(save: SaveListed) -> str:
    """When a save was written last: the time today, else the day."""
    when, now = datetime.fromtimestamp(save.written), datetime.now()
    if when.date() == now.date():
        return f"today {when:%H:%M}"
    return f"{when.day} {when:%b %H:%M}" if when.year == now.year else f"{when.day} {when:%b %Y}"


def _written(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0
