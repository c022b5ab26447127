"""A campaign: all saves of a folder, and the next battle after some of them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from attrs import frozen

from qf_tui.core.errors import QfError
from qf_tui.core.ship_facts import HULL
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Timeline
from qf_tui.core.values import SIMULATED, Ship
from qf_tui.features.campaign.carrying import EndedBattle, Passage, carry, sort_date
from qf_tui.features.campaign.state import Parent, list_parents
from qf_tui.features.campaign.yards import load_yard
from qf_tui.features.editor.writers import write_composed
from qf_tui.journal.lines import read_stated_sum
from qf_tui.journal.reading import read_save
from qf_tui.library.declared import Systems
from qf_tui.library.faults import format_first_fault
from qf_tui.library.paths import SAVE, find_own_folder, is_there, list_files
from qf_tui.session.saves import make_rules_finder, open_timeline


@frozen
class SavedBattle(EndedBattle):
    """A battle as its save has it now; `notice` says what is wrong with the end of the save."""

    path: Path
    system: RuleSystem
    timeline: Timeline
    notice: str = ""


@frozen
class Campaign:
    """The battles of a folder, parents before children and earlier ones first; and the faulty saves."""

    folder: Path
    battles: tuple[SavedBattle, ...]
    faulty: tuple[tuple[str, str], ...] = ()

    @property
    def without_copies(self) -> tuple[SavedBattle, ...]:
        """The battles, except those that another save contains from beginning to end."""
        known, kept = set[str](), set[str]()
        for battle in sorted(self.battles, key=lambda battle: -len(battle.sums)):
            if battle.sums[-1] not in known:
                kept.add(battle.save)
            known.update(battle.sums)
        return tuple(battle for battle in self.battles if battle.save in kept)

    @property
    def ships(self) -> Mapping[str, tuple[SavedBattle, Ship]]:
        """Every ship as her last battle left her, by her hull, or by side and name if it is unknown."""
        last: dict[str, tuple[SavedBattle, Ship]] = {}
        for saved in self.without_copies:
            battle = saved.battle
            for ship in battle.ships.values():
                name = f"{battle.find_side_name(ship.side)}/{battle.called(ship.id)}"
                last[str(ship.card.get(HULL) or name)] = saved, ship
        return last


def open_saved(path: Path, systems: Systems) -> SavedBattle:
    """Read the battle of a save; QfError if it cannot be read."""
    save = read_save(path, make_rules_finder(systems))
    system, timeline = open_timeline(save, systems)
    lines = path.read_bytes().split(b"\n")[: len(save.log) + 1]
    sums = tuple(map(read_stated_sum, lines))
    return SavedBattle(path.name, sums, timeline.battle, path, system, timeline, save.end_notice)


def read_campaign(folder: Path, systems: Systems) -> Campaign:
    """Read all saves of a folder; simulated battles count only if another battle continues them.

    Raises:
        QfError: There is no such folder, and it is not the user's own.
    """
    if not folder.is_dir() and folder != find_own_folder("saves"):
        raise QfError(f"{folder}: there is no such folder")
    battles, faulty = [], []
    for path in list_files(folder, SAVE):
        try:
            battles.append(open_saved(path, systems))
        except QfError as fault:
            faulty.append((path.name, format_first_fault(fault).removeprefix(path.name).lstrip(":, ")))
    named = [parent for battle in battles for parent in list_parents(battle.timeline.start)]
    kept = [
        battle
        for battle in battles
        if SIMULATED not in battle.battle.table or any(map(battle.is_meant, named))
    ]
    return Campaign(folder, tuple(_sort_battles(kept)), tuple(faulty))


def find_among(battles: Iterable[SavedBattle], parent: Parent) -> SavedBattle | None:
    """Find the battle that is meant; among copies, the one with the name."""
    alike = (battle for battle in battles if battle.is_meant(parent))
    return min(alike, key=lambda battle: battle.save != parent.save, default=None)


def find_parent(parent: Parent, child: Path | None, systems: Systems) -> SavedBattle | None:
    """Find a parent by its name next to the save of its child, here, or among the user's saves."""
    folders = [*([child.parent] if child else []), Path(), find_own_folder("saves")]
    for path in filter(is_there, (folder / Path(parent.save).name for folder in folders)):
        with suppress(QfError):
            found = open_saved(path, systems)
            if found.is_meant(parent):
                return found
    return None


def _sort_battles(battles: Sequence[SavedBattle]) -> Iterator[SavedBattle]:
    """Sort battles by date and name, but none before its parents."""
    left = sorted(battles, key=lambda battle: (sort_date(battle.date), battle.save))

    def is_waiting(battle: SavedBattle) -> bool:
        before = (find_among(left, parent) for parent in list_parents(battle.timeline.start))
        return any(found not in (None, battle) for found in before)

    while left:
        first = next((battle for battle in left if not is_waiting(battle)), left[0])
        left.remove(first)
        yield first


def carry_on(
    saved: Sequence[SavedBattle], systems: Systems, days: int, at: str, yards: Path | None = None
) -> tuple[Passage, Path]:
    """Write the next battle after some into a scenario of the user's.

    Args:
        at: The yard, from the file `yards` or from the rules.

    Raises:
        QfError: There can be no next battle; it says why.
    """
    system = saved[0].system
    other = next((one for one in saved if one.system.name != system.name), None)
    if other is not None:
        raise QfError(f"{other.save} is played by {other.system.title}, {saved[0].save} by {system.title}")
    passage = carry(system, saved, load_yard(system, at, yards), days)
    return passage, write_composed(passage.composed, systems)
