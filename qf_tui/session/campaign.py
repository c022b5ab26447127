"""A campaign: a folder of saves that name their parents, read whole; and ended battles to go on from."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from qf_tui.core.carried import Misfit, Parent, misfits, parents_of
from qf_tui.core.errors import QfError
from qf_tui.core.frozen import frozen
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Timeline
from qf_tui.core.values import Battle, Ship
from qf_tui.journal.lines import stated_sum
from qf_tui.journal.reading import read_save
from qf_tui.library.carrying import EndedBattle, Passage, carry, sort_date
from qf_tui.library.declared import Systems
from qf_tui.library.faults import first_fault
from qf_tui.library.paths import SAVE, files_in, is_there, own
from qf_tui.library.writers import write_composed
from qf_tui.library.yards import load_yards, yard_named
from qf_tui.session.saves import open_timeline, rules_by


@frozen
class SavedBattle:
    """A battle of a campaign as its save has it now; `sums` are the checksums of its lines."""

    path: Path
    sums: tuple[str, ...]
    system: RuleSystem
    timeline: Timeline

    @property
    def name(self) -> str:
        return self.path.name

    @property
    def battle(self) -> Battle:
        return self.timeline.battle

    @cached_property
    def parents(self) -> tuple[Parent, ...]:
        return parents_of(self.timeline.start)

    @property
    def ended(self) -> EndedBattle:
        """It as a battle to go on from."""
        return EndedBattle(self.name, self.sums, self.battle)


@frozen
class ParentFit:
    """Whether a battle still fits a parent: `there` is that, None where no save of it is found."""

    battle: SavedBattle
    parent: Parent
    there: SavedBattle | None
    misfits: tuple[Misfit, ...] = ()


@frozen
class Campaign:
    """The battles of a folder, parents before children and the earlier first; saves that cannot be read."""

    folder: Path
    battles: tuple[SavedBattle, ...]
    faulty: tuple[tuple[str, str], ...] = ()

    @cached_property
    def fits(self) -> tuple[ParentFit, ...]:
        """Each battle with each of its parents."""
        return tuple(self._fits())

    def _fits(self) -> Iterator[ParentFit]:
        for battle in self.battles:
            for number, parent in enumerate(battle.parents):
                there = parent_among(self.battles, parent)
                if there is None or there.system.name != battle.system.name:
                    yield ParentFit(battle, parent, there)
                else:
                    found = misfits(battle.system, battle.timeline.start, number, there.battle)
                    yield ParentFit(battle, parent, there, found)

    @cached_property
    def without_copies(self) -> tuple[SavedBattle, ...]:
        """The battles without those that another save has whole."""
        known: dict[str, SavedBattle] = {}
        for battle in sorted(self.battles, key=lambda battle: -len(battle.sums)):
            if not any(battle.sums[-1] in other.sums for other in known.values()):
                known[battle.name] = battle
        return tuple(battle for battle in self.battles if battle.name in known)

    @cached_property
    def ships(self) -> Mapping[str, tuple[SavedBattle, Ship]]:
        """Every ship by side and name, as the last battle that has her left her."""
        return {
            f"{battle.battle.side_name(ship.side)}/{ship.name}": (battle, ship)
            for battle in self.battles
            for ship in battle.battle.ships.values()
        }


def open_saved(path: Path, systems: Systems) -> SavedBattle:
    """A battle of a save, which is only read; QfError if it cannot be."""
    save = read_save(path, rules_by(systems))
    system, timeline = open_timeline(save, systems)
    lines = path.read_bytes().split(b"\n")[: len(save.log) + 1]
    return SavedBattle(path, tuple(map(stated_sum, lines)), system, timeline)


def read_campaign(folder: Path, systems: Systems) -> Campaign:
    """All saves of a folder; QfError where there is no such folder, but for the user's own."""
    if not folder.is_dir() and folder != own("saves"):
        raise QfError(f"{folder}: there is no such folder")
    battles, faulty = [], []
    for path in files_in(folder, SAVE):
        try:
            battles.append(open_saved(path, systems))
        except QfError as fault:
            faulty.append((path.name, first_fault(fault)))
    return Campaign(folder, tuple(_in_order(battles)), tuple(faulty))


def parent_among(battles: Iterable[SavedBattle], parent: Parent) -> SavedBattle | None:
    """The battle that is meant: of copies the one that has the name."""
    alike = [battle for battle in battles if battle.ended.is_meant(parent)]
    return next((battle for battle in alike if battle.name == parent.save), next(iter(alike), None))


def find_parent(parent: Parent, child: Path | None, systems: Systems) -> SavedBattle | None:
    """A parent by its name: beside the save of its child, here, or among the user's saves; None if gone."""
    folders = [*([child.parent] if child else []), Path(), own("saves")]
    for path in (folder / Path(parent.save).name for folder in folders):
        if is_there(path):
            try:
                found = open_saved(path, systems)
            except QfError:
                continue
            if found.ended.is_meant(parent):
                return found
    return None


def _in_order(battles: Sequence[SavedBattle]) -> Iterator[SavedBattle]:
    """By date and name, but none before a parent of it."""
    left = sorted(battles, key=lambda battle: (sort_date(battle.ended.date), battle.name))
    while left:
        free = (
            battle
            for battle in left
            if not any(parent_among(left, parent) not in (None, battle) for parent in battle.parents)
        )
        first = next(free, left[0])
        left.remove(first)
        yield first


def carry_on(
    saved: Sequence[SavedBattle], systems: Systems, days: int, at: str, yards: Path | None = None
) -> tuple[Passage, Path]:
    """The next battle after some, and the scenario of the user's that it is written into.

    `at` names the yard, one of the file `yards` or of those of the rules. QfError says why there is none.
    """
    system = saved[0].system
    other = next((one for one in saved if one.system.name != system.name), None)
    if other is not None:
        raise QfError(f"{other.name} is played by {other.system.title}, {saved[0].name} by {system.title}")
    yard = yard_named(load_yards(system, yards), at)
    passage = carry(system, [one.ended for one in saved], yard, days)
    return passage, write_composed(passage.composed, systems)
