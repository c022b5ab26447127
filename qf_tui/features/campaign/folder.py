"""A campaign: all saves of a folder, the battles that each continues, and the next battle after some."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from attrs import frozen

from qf_tui.core.errors import QfError
from qf_tui.core.ship_facts import HULL
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Timeline
from qf_tui.core.values import SIMULATED, Ship
from qf_tui.features.campaign.carrying import EndedBattle, Passage, build_date_key, carry
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
    """A battle as its save has it now.

    Attributes:
        notice: What is wrong with the end of the save, or "".
    """

    path: Path
    system: RuleSystem
    timeline: Timeline
    notice: str = ""


@frozen
class Campaign:
    """A campaign: the battles whose saves are in one folder.

    Attributes:
        battles: The battles by date, but none before its parents.
        faulty: The saves that cannot be read: name and fault of each.
    """

    folder: Path
    battles: tuple[SavedBattle, ...]
    faulty: tuple[tuple[str, str], ...] = ()

    @property
    def without_copies(self) -> tuple[SavedBattle, ...]:
        """The battles whose log is not the beginning of another save's log; of equal logs, one counts."""
        # The longest logs come first: the last line of a copy is then known already.
        seen_sums, originals = set[str](), set[str]()
        for battle in sorted(self.battles, key=lambda battle: -len(battle.sums)):
            if battle.sums[-1] not in seen_sums:
                originals.add(battle.save)
            seen_sums.update(battle.sums)
        return tuple(battle for battle in self.battles if battle.save in originals)

    @property
    def ships(self) -> Mapping[str, tuple[SavedBattle, Ship]]:
        """Every ship with her last battle, by her hull, or by side and name if the hull is unknown."""
        # Battles come in order, so the last one of each ship replaces the earlier ones.
        last: dict[str, tuple[SavedBattle, Ship]] = {}
        for saved in self.without_copies:
            battle = saved.battle
            for ship in battle.ships.values():
                side_and_name = f"{battle.find_side_name(ship.side)}/{battle.called(ship.id)}"
                last[str(ship.card.get(HULL) or side_and_name)] = saved, ship
        return last


def open_saved(path: Path, systems: Systems) -> SavedBattle:
    """Read the battle of a save.

    Raises:
        QfError: The save cannot be read.
    """
    save = read_save(path, make_rules_finder(systems))
    system, timeline = open_timeline(save, systems)
    # The line of the start comes first, so the sum at an index is that of the entry with this number.
    lines = path.read_bytes().split(b"\n")[: len(save.log) + 1]
    sums = tuple(map(read_stated_sum, lines))
    return SavedBattle(path.name, sums, timeline.battle, path, system, timeline, save.end_notice)


def read_campaign(folder: Path, systems: Systems) -> Campaign:
    """Read all saves of a folder; simulated battles count only if another battle continues them.

    Raises:
        QfError: There is no such folder; only the user's own folder may be missing.
    """
    if not folder.is_dir() and folder != find_own_folder("saves"):
        raise QfError(f"{folder}: there is no such folder")
    battles, faulty = [], []
    for path in list_files(folder, SAVE):
        try:
            battles.append(open_saved(path, systems))
        except QfError as fault:
            # The list of faults names each save already.
            fault_text = format_first_fault(fault).removeprefix(path.name).lstrip(":, ")
            faulty.append((path.name, fault_text))
    parents = [parent for battle in battles for parent in list_parents(battle.timeline.start)]
    counted_battles = [
        battle
        for battle in battles
        if SIMULATED not in battle.battle.table or any(map(battle.is_named_by, parents))
    ]
    return Campaign(folder, tuple(_sort_battles(counted_battles)), tuple(faulty))


def find_named_battle(battles: Iterable[SavedBattle], parent: Parent) -> SavedBattle | None:
    """Find the battle that a parent names, or None; among copies, the one with its file name counts first."""
    copies = (battle for battle in battles if battle.is_named_by(parent))
    # The key is False, which sorts first, for the save with the parent's file name.
    return min(copies, key=lambda battle: battle.save != parent.save, default=None)


def find_parent(parent: Parent, child: Path | None, systems: Systems) -> SavedBattle | None:
    """Find and read the save that a parent names; None if there is none.

    The folders searched are that of the child's save, the current folder, and that of the user's saves.
    """
    folders = [*([child.parent] if child else []), Path(), find_own_folder("saves")]
    for path in filter(is_there, (folder / Path(parent.save).name for folder in folders)):
        with suppress(QfError):
            saved = open_saved(path, systems)
            if saved.is_named_by(parent):
                return saved
    return None


def _sort_battles(battles: Sequence[SavedBattle]) -> Iterator[SavedBattle]:
    """Yield battles by date and name, but none before its parents."""
    remaining_battles = sorted(battles, key=lambda battle: (build_date_key(battle.date), battle.save))

    def is_waiting(battle: SavedBattle) -> bool:
        """Return whether a parent of a battle has not been yielded yet."""
        parents = (
            find_named_battle(remaining_battles, parent) for parent in list_parents(battle.timeline.start)
        )
        return any(parent not in (None, battle) for parent in parents)

    while remaining_battles:
        # If parents form a circle, all wait: then the first by date goes on.
        ready = next((battle for battle in remaining_battles if not is_waiting(battle)), remaining_battles[0])
        remaining_battles.remove(ready)
        yield ready


def carry_on(
    saved: Sequence[SavedBattle], systems: Systems, days: int, yard: str, yard_file: Path | None = None
) -> tuple[Passage, Path]:
    """Write the battle that follows ended ones as one of the user's scenarios.

    Args:
        days: Days until the next battle.
        yard_file: The file of the yard, or None for the yards of the rules.

    Returns:
        The outcome of the battles, and the path of the scenario.

    Raises:
        QfError: The saves follow different rules, or there can be no next battle, with the reason.
    """
    system = saved[0].system
    stranger = next((battle for battle in saved if battle.system.name != system.name), None)
    if stranger is not None:
        raise QfError(
            f"{stranger.save} is played by {stranger.system.title}, {saved[0].save} by {system.title}"
        )
    passage = carry(system, saved, load_yard(system, yard, yard_file), days)
    return passage, write_composed(passage.composed, systems)
