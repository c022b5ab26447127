"""The ships of one navy by their ids, as they were in a year: only the rows asked for are looked into.

A row of a class stands for each of its `sisters`; a later row of a ship (`from`) is a refit. The user's own
rows stand in the place of ours.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from pathlib import Path

from attrs import evolve, frozen

from qf_tui.core.ship_facts import ShipFacts
from qf_tui.library.checking import is_id
from qf_tui.library.csv_text import Row
from qf_tui.library.faults import FileFaults
from qf_tui.library.paths import folders, is_there, own
from qf_tui.library.reading import read_bytes
from qf_tui.library.ships.navies import SUFFIX, identified, navy_table, navy_title, read_row, row_faults

_REMARK = re.compile(r"\s*\(.*\)\s*")
_MANY = re.compile(r"^Nos\b|\d ?(?:-|to) ?\d")


@frozen
class _Placed:
    """A row in its file; it is looked into once."""

    path: Path
    number: int
    row: Row

    @property
    def since(self) -> str:
        """The year from which she is so; what is no year is found when the row is looked into."""
        return self.row.get("from") or self.row.get("completed", "")

    @cached_property
    def sisters(self) -> dict[str, str]:
        """The ships that a row of a class names, by their ids."""
        return {ship_id(name): name for name in sister_names(self.row.get("sisters", "").split(";"))}

    @cached_property
    def ship(self) -> ShipFacts:
        """What the row says; FileFaults has what is wrong with it."""
        ship, wrong = read_row(self.row, navy_title(self.path.stem))
        if ship is None:
            raise FileFaults(self.path, row_faults(self.number, self.row, wrong))
        return ship


@lru_cache(maxsize=64)
def _placed(data: bytes, path: Path) -> tuple[_Placed, ...]:
    """The rows of a file as it is now: the same bytes are taken apart once, for every battle of the shelf."""
    return tuple(_Placed(path, number, row) for number, row in navy_table(data, path).numbered)


class NavyShips:
    """One navy by the name of its file; FileFaults where a file is none of a navy."""

    def __init__(self, name: str) -> None:
        self.name, self._own = name, own("navies")

    @cached_property
    def _rows(self) -> dict[str, dict[str, _Placed]]:
        """The rows of each ship or class by the year from which they hold, the user's over ours."""
        rows: dict[str, dict[str, _Placed]] = {}
        for folder in reversed(folders("navies")) if is_id(self.name) else ():
            path = folder / f"{self.name}{SUFFIX}"
            for placed in _placed(read_bytes(path), path) if is_there(path) else ():
                rows.setdefault(placed.row.get("id", ""), {})[placed.since] = placed
        return rows

    @cached_property
    def _sisters(self) -> dict[str, list[tuple[str, str]]]:
        """Each ship that a class row names, with its name: the rows that have her."""
        found: dict[str, list[tuple[str, str]]] = {}
        for id, placed in self._rows.items():
            for one in placed.values():
                for sister, name in one.sisters.items():
                    found.setdefault(sister, []).append((id, name))
        return found

    @property
    def known(self) -> bool:
        """Whether there is such a navy."""
        return bool(self._rows)

    def ids(self, year: int) -> list[str]:
        """All ships completed by a year, a class by each of its ships."""
        found: dict[str, None] = {}
        for id, placed in self._rows.items():
            row = _latest(placed, year)
            if row is not None:
                found.update(dict.fromkeys(row.sisters or [id]))
        return list(found)

    @property
    def every_id(self) -> list[str]:
        """All ships and classes of any year."""
        return list({**self._rows, **self._sisters})

    def first_year(self, id: str) -> str:
        """The year from which a ship is known; "" where none is."""
        years = [since for placed in self._of(id) for since in placed]
        return min(years, default="")

    def ship(self, id: str, year: int) -> ShipFacts | None:
        """A ship as she was in a year; None if there was none. FileFaults has what is wrong with her row."""
        row = next(filter(None, (_latest(placed, year) for placed in self._of(id))), None)
        if row is None:
            return None
        ship = evolve(row.ship, own=True) if row.path.parent == self._own else row.ship
        names = {ship_id(name): name for name in ship.sisters}
        return evolve(ship, id=id, name=bare(names[id]), sisters=()) if id in names else ship

    def _of(self, id: str) -> Iterator[dict[str, _Placed]]:
        """The rows that a ship may stand in: her own, then those of her class."""
        if id in self._rows:
            yield self._rows[id]
        for row_id, _ in self._sisters.get(id, ()):
            yield {since: one for since, one in self._rows[row_id].items() if id in one.sisters}


def _latest(placed: dict[str, _Placed], year: int) -> _Placed | None:
    by_then = [one for since, one in placed.items() if not since.isdigit() or int(since) <= year]
    return max(by_then, key=lambda one: one.since, default=None)


def sister_names(sisters: Iterable[str]) -> list[str]:
    """The ships of a class that are named one by one; what is a remark, or many in a word, is none."""
    return [name for name in map(bare, sisters) if name[:1].isupper() and not _MANY.search(name)]


def bare(name: str) -> str:
    """A ship's name without the remark in brackets behind it."""
    return _REMARK.sub("", name).strip()


def ship_id(name: str) -> str:
    """The id of a ship that stands among the sisters of a class: her name, in plain small letters."""
    return identified(bare(name))


def navy_names() -> tuple[str, ...]:
    """The navies on the shelf, by the names of their files."""
    found: dict[str, None] = {}
    for folder in folders("navies"):
        try:
            found.update(dict.fromkeys(sorted(path.stem for path in folder.glob(f"*{SUFFIX}"))))
        except OSError:
            continue
    return tuple(found)
