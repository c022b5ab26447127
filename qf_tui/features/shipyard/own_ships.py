"""The user's own ships: entered as drafts, kept in the user's files, imported from CSV and exported to it.

A file is written whole or not at all, and keeps rows that another console added in the meantime.
"""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from fractions import Fraction
from pathlib import Path

from attrs import evolve, field, frozen

from qf_tui.core.errors import QfError
from qf_tui.core.ship_facts import HandValue, ShipFacts, list_contradictions
from qf_tui.core.text import format_decimal
from qf_tui.journal.disk import format_disk_fault, hold_lock, write_file
from qf_tui.library.csv_rows import (
    BY_HAND,
    NEEDED,
    OWN_COLUMNS,
    format_csv_table,
    make_ascii_id,
    read_row,
    spell_typed,
)
from qf_tui.library.navies import (
    HEADINGS,
    NAVY,
    ShipKey,
    build_ship_key,
    find_own_navy,
    format_navy_title,
    read_own_rows,
    read_own_ships,
    read_row_ships,
)

_Rows = dict[ShipKey, Mapping[str, str]]


def save_ships(navy: str, rows: Iterable[Mapping[str, str]], removed: Iterable[ShipKey] = ()) -> Path:
    """Write rows into the user's file of a navy; a row replaces the row of the same ship and year.

    The file is unchanged if this fails.

    Args:
        navy: The title of the navy, or the name of its file.
        rows: The rows to add.
        removed: Keys of rows to remove, such as the old key of a ship that gets another id.

    Returns:
        The path of the file.

    Raises:
        FileFaults: All faults of the new rows, or of the present file.
        QfError: The file cannot be written.
    """
    path = find_own_navy(navy)
    new_rows = _read_rows_by_key(rows, path)
    # A row that is only replaced keeps its place in the file.
    removed_keys = set(removed) - new_rows.keys()

    def replace_rows(old_rows: _Rows) -> _Rows:
        """Return the old rows without the removed ones, and with the new ones."""
        return {key: row for key, row in old_rows.items() if key not in removed_keys} | new_rows

    return _rewrite(path, replace_rows)


def delete_ship(navy: str, key: ShipKey) -> Path:
    """Delete a ship of one year from the user's file of a navy.

    If the program has a row for her, that row counts again.

    Returns:
        The path of the file.

    Raises:
        QfError: The file does not have her, or cannot be written.
    """
    path = find_own_navy(navy)

    def remove_row(old_rows: _Rows) -> _Rows:
        """Return the rows without the ship's row; QfError if there is none."""
        if key not in old_rows:
            raise QfError(
                f"{key[0]} of {key[1]} is not among your own ships in {path}; ours cannot be deleted"
            )
        return {other_key: row for other_key, row in old_rows.items() if other_key != key}

    return _rewrite(path, remove_row)


def _read_rows_by_key(rows: Iterable[Mapping[str, str]], path: Path) -> _Rows:
    """Return the rows that are not blank, by their keys.

    Raises:
        FileFaults: All faults of the rows.
    """
    all_rows = tuple(rows)
    # `read_row_ships` skips blank rows, too.
    filled_rows = (row for row in all_rows if any(row.values()))
    return dict(zip(map(build_ship_key, read_row_ships(all_rows, path)), filled_rows, strict=True))


def _rewrite(path: Path, change: Callable[[_Rows], _Rows]) -> Path:
    """Read, change and write a file under its lock, so that no other console writes it in between.

    Args:
        path: The user's file of a navy; it need not exist.
        change: Returns the new rows from the old ones.

    Returns:
        The path of the file.

    Raises:
        QfError: The present file has faults, or cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with hold_lock(path):
            rows = change(_read_rows_by_key(read_own_rows(format_navy_title(path.stem)), path))
            # Without a byte order mark, spreadsheets read the file in their own code page.
            write_file(path, format_own_navy(rows.values()).encode("utf-8-sig"), over=True)
    except OSError as fault:
        raise QfError(f"{path}: cannot be written: {format_disk_fault(fault)}") from None
    return path


def format_own_navy(rows: Iterable[Mapping[str, str]]) -> str:
    """Format rows as the text of a user's file."""
    return format_csv_table([column.heading for column in OWN_COLUMNS], rows)


_NAMED_MOST = 8
"""Largest number of differing ships that an error names."""
_BUILDING = 2
"""Years from launch to completion if only one of them is known."""


_NOT_COPIED = (
    *("id", "name", "other_names", "from", "sisters", "fought", "differ", "note"),
    *("hull", "serves_from", "serves_until", "ended", "service_source"),
)
"""Columns that are not copied from a ship to a draft of her sister."""


@frozen
class ShipDraft:
    """A ship as a user enters her in the shipyard.

    Attributes:
        texts: The text typed for each column.
        by_hand: Values that the user sets by hand.
        own_row: The navy and key of her row in the user's file; None if she has none yet.
    """

    navy: str = ""
    texts: Mapping[str, str] = field(factory=dict)
    by_hand: tuple[HandValue, ...] = ()
    own_row: tuple[str, ShipKey] | None = None

    @classmethod
    def from_ship(cls, ship: ShipFacts) -> "ShipDraft":
        """Begin a draft that changes a ship; a ship of the program gets a new row among the user's own."""
        row = build_row(ship)
        texts = {heading: text for heading, text in row.items() if text and heading != BY_HAND.heading}
        # A ship known from a row of her class has no row herself.
        own_row = (ship.navy, build_ship_key(ship)) if ship.own and not ship.class_row else None
        return cls(ship.navy, texts, ship.by_hand, own_row)

    @classmethod
    def from_sister(cls, ship: ShipFacts) -> "ShipDraft":
        """Begin a draft of a sister: copy what sisters have in common, and the values set by hand."""
        draft = cls.from_ship(ship)
        texts = {heading: text for heading, text in draft.texts.items() if heading not in _NOT_COPIED}
        return evolve(draft, texts={**texts, "note": f"as {ship.name}"}, own_row=None)

    def find_text(self, heading: str) -> str:
        """Return the text typed for a column, or ""."""
        return self.texts.get(heading, "")

    def with_text(self, heading: str, text: str) -> "ShipDraft":
        return evolve(self, texts={**self.texts, heading: text})

    def with_hand_value(self, system: str, key: str, text: str) -> "ShipDraft":
        """Set a value by hand; "" removes it, so that the rating counts again."""
        other_values = tuple(value for value in self.by_hand if (value.system, value.key) != (system, key))
        return evolve(self, by_hand=(*other_values, HandValue(system, key, text)) if text else other_values)

    def find_hand_value(self, system: str, key: str) -> str:
        """Return the text of a value set by hand, or ""."""
        return next((value.text for value in self.by_hand if (value.system, value.key) == (system, key)), "")

    @property
    def _spelled_texts(self) -> Mapping[str, str]:
        """The typed texts by column, with abbreviations spelled out."""
        return {heading: spell_typed(heading, text) for heading, text in self.texts.items()}

    @property
    def defaults(self) -> Mapping[str, str]:
        """The values for columns that are empty but follow from others: id, class, and years of building."""
        row = self._spelled_texts
        defaults = {"id": make_ascii_id(row.get("name", "")), "class": row.get("name", "")}
        launched, completed = row.get("launched", ""), row.get("completed", "")
        if launched.isdecimal():
            defaults["completed"] = str(int(launched) + _BUILDING)
        elif completed.isdecimal():
            defaults["launched"] = str(int(completed) - _BUILDING)
        return {heading: text for heading, text in defaults.items() if text and not row.get(heading)}

    @property
    def row(self) -> Mapping[str, str]:
        """The row of the user's file: the typed texts, defaults for empty columns, and values set by hand."""
        by_hand = {BY_HAND.heading: "; ".join(map(str, self.by_hand))} if self.by_hand else {}
        return {**self._spelled_texts, **self.defaults, **by_hand}

    @property
    def reading(self) -> "DraftReading":
        """The result of reading the row: the ship, or the columns that are missing or wrong."""
        ship, faults = read_row(self.row, self.navy)
        # A fault of an empty column means that it must be filled.
        missing = tuple(fault.place for fault in faults if not self.row.get(fault.place))
        wrong = {fault.place: fault.text for fault in faults if fault.place not in missing}
        return DraftReading(ship, tuple(heading for heading in NEEDED if heading in missing), wrong)

    @property
    def replaced_name(self) -> str:
        """The name of another ship of the user whose row this draft would replace; "" if there is none."""
        ship = self.reading.ship
        if ship is None or self.own_row == (self.navy, build_ship_key(ship)):
            return ""
        return next(
            (
                other.name
                for other in read_own_ships(self.navy)
                if build_ship_key(other) == build_ship_key(ship)
            ),
            "",
        )

    def keep(self) -> Path:
        """Write the ship into the user's file of her navy, and return the path of the file.

        If she had another row there, or in the file of another navy, that row is removed.

        Raises:
            QfError: The ship cannot be written.
        """
        old_navy, old_key = self.own_row or (self.navy, None)
        # In another file, the old row is deleted only after the new one is written.
        navy_changed = find_own_navy(old_navy) != find_own_navy(self.navy)
        replaced_keys = [] if navy_changed or old_key is None else [old_key]
        path = save_ships(self.navy, [self.row], replaced_keys)
        if navy_changed and old_key is not None:
            delete_ship(old_navy, old_key)
        return path


@frozen
class DraftReading:
    """The result of reading a draft.

    Attributes:
        ship: The ship, or None if columns are missing or wrong.
        missing: The columns that must be filled.
        wrong: The faults, by column.
    """

    ship: ShipFacts | None
    missing: tuple[str, ...]
    wrong: Mapping[str, str]

    @property
    def contradictions(self) -> tuple[str, ...]:
        """Messages about facts that are unlikely together; () if the ship cannot be read."""
        return list_contradictions(self.ship) if self.ship else ()


@frozen
class ImportResult:
    """The result of an import.

    Attributes:
        new: How many rows were added.
        replaced: How many rows were replaced.
        same: How many rows were there already, unchanged.
        files: The files that were written.
    """

    new: int
    replaced: int
    same: int
    files: tuple[Path, ...]


def format_ships_csv(ships: Iterable[ShipFacts]) -> str:
    """Format ships as CSV text that `read_ships` reads back unchanged."""
    return format_csv_table(HEADINGS, ({NAVY: ship.navy.lower(), **build_row(ship)} for ship in ships))


def keep_ships(ships: Iterable[ShipFacts], *, replace: bool = False) -> ImportResult:
    """Write ships into the user's own files, all or none.

    Args:
        replace: Whether rows of the user that differ are replaced.

    Raises:
        QfError: Rows of the user differ and must not be replaced, or a file cannot be written.
    """
    ships_by_navy: dict[str, list[ShipFacts]] = {}
    for ship in ships:
        ships_by_navy.setdefault(ship.navy, []).append(ship)
    own_ships = {
        navy: {build_ship_key(ship): ship for ship in read_own_ships(navy)} for navy in ships_by_navy
    }
    pairs = [(navy, ship) for navy, navy_ships in ships_by_navy.items() for ship in navy_ships]
    existing = [(navy, ship) for navy, ship in pairs if build_ship_key(ship) in own_ships[navy]]
    differing = [
        ship for navy, ship in existing if build_row(ship) != build_row(own_ships[navy][build_ship_key(ship)])
    ]
    if differing and not replace:
        names = ", ".join(f"{ship.name} ({ship.navy}, {ship.since})" for ship in differing[:_NAMED_MOST])
        more_count = len(differing) - _NAMED_MOST
        more_text = f" and {more_count} more" if more_count > 0 else ""
        raise QfError(f"your own rows differ for {names}{more_text}; --replace overwrites them")
    rows = {navy: [build_row(ship) for ship in navy_ships] for navy, navy_ships in ships_by_navy.items()}
    files = _save_all(rows)
    return ImportResult(
        new=len(pairs) - len(existing),
        replaced=len(differing),
        same=len(existing) - len(differing),
        files=files,
    )


def _save_all(rows_by_navy: Mapping[str, list[dict[str, str]]]) -> tuple[Path, ...]:
    """Write the rows of each navy and return the files; if one cannot be written, restore all, and raise."""
    old_contents: dict[Path, bytes | None] = {}
    try:
        for navy, rows in rows_by_navy.items():
            path = find_own_navy(navy)
            old_contents[path] = path.read_bytes() if path.exists() else None
            save_ships(navy, rows)
    except (QfError, OSError):
        for path, data in old_contents.items():
            with suppress(OSError):
                if data is None:
                    path.unlink(missing_ok=True)
                else:
                    write_file(path, data, over=True)
        raise
    return tuple(old_contents)


def build_row(ship: ShipFacts) -> dict[str, str]:
    """Build the row of a ship for a user's file, which `read_row` reads back unchanged."""
    row = {column.heading: _format_cell(getattr(ship, column.fact)) for column in OWN_COLUMNS if column.fact}
    for heading, bearing, guns in (("heavy", "heavy_bear", ship.heavy), ("light", "light_bear", ship.light)):
        row[heading] = " + ".join(gun.text for gun in guns)
        # An assumed number is left out, so that it is assumed again when the row is read.
        stated_guns = () if any(gun.assumed for gun in guns) else guns
        row[bearing] = " + ".join(str(gun.bearing) for gun in stated_guns)
    row["from"] = "" if ship.since == ship.completed else str(ship.since)
    row["sources"] = " | ".join(ship.sources)
    row["tube_size"] = "+".join(map(str, ship.tube_size_in))
    return {column.heading: row[column.heading] for column in OWN_COLUMNS}


def _format_cell(value: object) -> str:
    """Format a fact for a cell; "" for None."""
    if isinstance(value, tuple):
        return "; ".join(map(str, value))
    if isinstance(value, Fraction):
        return format_decimal(value)
    return "" if value is None else str(value)
