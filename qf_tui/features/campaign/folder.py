"""A campaign: a folder of saves that name their parents, read whole; and ended battles to go on from."""

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
from qf_tui.features.campaign.state import CarriedMismatch, Parent, misfits, parents_of
from qf_tui.features.campaign.yards import load_yard
from qf_tui.journal.lines import stated_sum
from qf_tui.journal.reading import read_save
from qf_tui.library.declared import Systems
from qf_tui.library.faults import first_fault
from qf_tui.library.paths import SAVE, files_in, is_there, own
from qf_tui.library.writers import write_composed
from qf_tui.session.saves import open_timeline, rules_by


@frozen
class SavedBattle(EndedBattle):
    """A battle of a campaign as its save has it now, to go on from; `notice`: what is wrong with its end."""

    path: Path
    system: RuleSystem
    timeline: Timeline
    notice: str = ""


@frozen
class ParentFit:
    """Whether a battle still fits a parent: `there` is that, None where no save of it is found."""

    battle: SavedBattle
    parent: Parent
    there: SavedBattle | None
    misfits: tuple[CarriedMismatch, ...] = ()


@frozen
class Campaign:
    """The battles of a folder, parents before children and the earlier first; saves that cannot be read."""

    folder: Path
    battles: tuple[SavedBattle, ...]
    faulty: tuple[tuple[str, str], ...] = ()

    def fits(self) -> Iterator[ParentFit]:
        """Each battle with each of its parents."""
        for battle in self.battles:
            for number, parent in enumerate(parents_of(battle.timeline.start)):
                there, found = parent_among(self.battles, parent), tuple[CarriedMismatch, ...]()
                if there is not None and there.system.name == battle.system.name:
                    found = tuple(misfits(battle.system, battle.timeline.start, number, there.battle))
                yield ParentFit(battle, parent, there, found)

    @property
    def without_copies(self) -> tuple[SavedBattle, ...]:
        """The battles without those that another save has whole."""
        known, kept = set[str](), set[str]()
        for battle in sorted(self.battles, key=lambda battle: -len(battle.sums)):
            if battle.sums[-1] not in known:
                kept.add(battle.save)
            known.update(battle.sums)
        return tuple(battle for battle in self.battles if battle.save in kept)

    @property
    def ships(self) -> Mapping[str, tuple[SavedBattle, Ship]]:
        """Every ship by her hull, else by side and what she is called, as the last battle left her."""
        last: dict[str, tuple[SavedBattle, Ship]] = {}
        for saved in self.without_copies:
            battle = saved.battle
            for ship in battle.ships.values():
                name = f"{battle.side_name(ship.side)}/{battle.called(ship.id)}"
                last[str(ship.card.get(HULL) or name)] = saved, ship
        return last


def open_saved(path: Path, systems: Systems) -> SavedBattle:
    """A battle of a save, which is only read; QfError if it cannot be."""
    save = read_save(path, rules_by(systems))
    system, timeline = open_timeline(save, systems)
    lines = path.read_bytes().split(b"\n")[: len(save.log) + 1]
    sums = tuple(map(stated_sum, lines))
    return SavedBattle(path.name, sums, timeline.battle, path, system, timeline, save.end_notice)


def read_campaign(folder: Path, systems: Systems) -> Campaign:
    """All saves of a folder, without simulated battles that no other goes on from.

    QfError where there is no such folder, but for the user's own.
    """
    if not folder.is_dir() and folder != own("saves"):
        raise QfError(f"{folder}: there is no such folder")
    battles, faulty = [], []
    for path in files_in(folder, SAVE):
        try:
            battles.append(open_saved(path, systems))
        except QfError as fault:
            faulty.append((path.name, first_fault(fault).removeprefix(path.name).lstrip(":, ")))
    named = [parent for battle in battles for parent in parents_of(battle.timeline.start)]
    kept = [
        battle
        for battle in battles
        if SIMULATED not in battle.battle.table or any(map(battle.is_meant, named))
    ]
    return Campaign(folder, tuple(_in_order(kept)), tuple(faulty))


def parent_among(battles: Iterable[SavedBattle], parent: Parent) -> SavedBattle | None:
    """The battle that is meant: of copies the one that has the name."""
    alike = (battle for battle in battles if battle.is_meant(parent))
    return min(alike, key=lambda battle: battle.save != parent.save, default=None)


def find_parent(parent: Parent, child: Path | None, systems: Systems) -> SavedBattle | None:
    """A parent by its name: beside the save of its child, here, or among the user's saves; None if gone."""
    folders = [*([child.parent] if child else []), Path(), own("saves")]
    for path in filter(is_there, (folder / Path(parent.save).name for folder in folders)):
        with suppress(QfError):
            found = open_saved(path, systems)
            if found.is_meant(parent):
                return found
    return None


def _in_order(battles: Sequence[SavedBattle]) -> Iterator[SavedBattle]:
    """By date and name, but none before a parent of it."""
    left = sorted(battles, key=lambda battle: (sort_date(battle.date), battle.save))

    def waits(battle: SavedBattle) -> bool:
        before = (parent_among(left, parent) for parent in parents_of(battle.timeline.start))
        return any(found not in (None, battle) for found in before)

    while left:
        first = next((battle for battle in left if not waits(battle)), left[0])
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
        raise QfError(f"{other.save} is played by {other.system.title}, {saved[0].save} by {system.title}")
    passage = carry(system, saved, load_yard(system, at, yards), days)
    return passage, write_composed(passage.composed, systems)
