"""All ships of all navies: ours, and beside them the user's own, whose rows take the place of ours.

Nothing is read before it is asked for. What a navy's file says wrongly is told; the other navies stand.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from attrs import field, frozen

from qf_tui.core.grammar.names import nearest, spelt
from qf_tui.core.ship_facts import ShipFacts
from qf_tui.library.faults import FileFaults
from qf_tui.library.paths import folders, own
from qf_tui.library.reading import read_bytes
from qf_tui.library.ships.navies import SUFFIX, read_navy

YEAR_DIGITS = 4
_BEGINS = "\n"


@frozen(slots=False)
class Register:
    """Ships by navy, as the files have them, each navy by year; `faulty` are files that cannot be read."""

    navies: Mapping[str, tuple[ShipFacts, ...]]
    faulty: tuple[FileFaults, ...] = field(default=())

    @property
    def ships(self) -> Iterator[ShipFacts]:
        """All of them, refits as ships of their own."""
        return (ship for ships in self.navies.values() for ship in ships)

    @cached_property
    def _words(self) -> tuple[tuple[ShipFacts, str], ...]:
        """Each ship with the words that she is found by, in one text: a sign precedes each."""
        return tuple((ship, _BEGINS + _BEGINS.join(_words_of(ship))) for ship in self.ships)

    def found(self, words: Sequence[str]) -> tuple[ShipFacts, ...]:
        """The ships that all the words fit: each begins a word of hers, or is a year that she was so in."""
        letters = [spelt(word) or word for word in words]
        years = [int(word) for word in letters if _is_year(word)]
        rest = [_BEGINS + word for word in letters if not _is_year(word)]
        fitting = [ship for ship, text in self._words if all(word in text for word in rest)]
        if not years:
            return tuple(fitting)
        return tuple(ship for ship in fitting if all(self.in_year(ship, year) is ship for year in years))

    def near(self, letters: str) -> tuple[ShipFacts, ...]:
        """The ships whose names letters come near to, the nearest first; for letters that find none."""
        named = {name: ship for ship in self.ships for name in (ship.name, *ship.sisters)}
        wanted = " ".join(word for word in letters.split() if not _is_year(word))
        return tuple(dict.fromkeys(named[name] for name in nearest(wanted, named)))

    def in_year(self, ship: ShipFacts, year: int) -> ShipFacts | None:
        """A ship as she was in a year, or None before she was completed."""
        rows = [one for one in self.navies.get(ship.navy, ()) if one.id == ship.id and one.since <= year]
        return max(rows, key=lambda one: one.since, default=None)


def _is_year(word: str) -> bool:
    return len(word) == YEAR_DIGITS and word.isdigit()


def _words_of(ship: ShipFacts) -> Iterator[str]:
    texts = (ship.name, ship.id, ship.navy, ship.ship_class, ship.kind, *ship.sisters)
    for text in texts:
        yield spelt(text)
        yield from spelt(text).split()


def register(wanted: Iterable[str] = ()) -> Register:
    """The ships of some navies by the names of their files, or of all."""
    names = set(wanted)
    found: dict[str, dict[tuple[str, int], ShipFacts]] = {}
    faulty = []
    for folder in reversed(folders("navies")):
        for path in _files(folder):
            if names and path.stem not in names:
                continue
            try:
                ships = read_navy(read_bytes(path), path, own_rows=folder == own("navies"))
            except FileFaults as faults:
                faulty.append(faults)
                continue
            for ship in ships:
                found.setdefault(ship.navy, {})[ship.id, ship.since] = ship
    navies = {navy: tuple(ships.values()) for navy, ships in sorted(found.items())}
    return Register(navies, tuple(faulty))


def _files(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.glob(f"*{SUFFIX}") if path.is_file())
    except OSError:
        return []


def own_state() -> tuple[tuple[str, int, int], ...]:
    """What tells whether the user's own files are as they were: when each was written, and its size."""
    found = []
    for path in _files(own("navies")):
        try:
            state = path.stat()
        except OSError:
            continue
        found.append((path.name, state.st_mtime_ns, state.st_size))
    return tuple(found)
