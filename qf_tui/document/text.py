"""Columns of plain text: any table, and a battle with its ships."""

from collections.abc import Iterable, Sequence
from unicodedata import combining, east_asian_width

from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Battle, Ship
from qf_tui.document.acts import phase_text

GAP = "  "


def width(text: str) -> int:
    """The places that a text takes in a terminal."""
    if text.isascii():
        return len(text)
    return sum(0 if combining(sign) else 2 if east_asian_width(sign) in "WF" else 1 for sign in text)


def table(rows: Iterable[Sequence[str]], rights: Sequence[bool] = ()) -> list[str]:
    """Rows of equal length as lines, each column as wide as its widest cell."""
    rows = [list(row) for row in rows]
    widths = [max(width(cell) for cell in column) for column in zip(*rows, strict=True)]
    right = [*rights, *[False] * (len(widths) - len(rights))]
    return [
        GAP.join(
            _padded(cell, wide, to_right) for cell, wide, to_right in zip(row, widths, right, strict=True)
        ).rstrip()
        for row in rows
    ]


def _padded(text: str, wide: int, to_right: bool) -> str:
    blank = " " * (wide - width(text))
    return blank + text if to_right else text + blank


def battle_title(system: RuleSystem, battle: Battle) -> str:
    """What is played, by which rules, and how far it is."""
    table_words = f"{battle.table.get('scale', '')}, {battle.table.get('units', '')}"
    return f"{battle.table.get('title', '')} · {system.title} · {table_words} · {phase_text(system, battle)}"


def ships_table(system: RuleSystem, battle: Battle) -> list[str]:
    """Every ship by side, with all columns that its rule system declares."""
    heads = ["", "ship", *(column.title for column in system.columns)]
    rows = [heads]
    sides = {side.id: side.name for side in battle.sides}
    for side in dict.fromkeys([*sides, *(ship.side for ship in battle.ships.values())]):
        name = sides.get(side, side)
        for ship in battle.ships.values():
            if ship.side == side:
                rows.append([name, ship.name, *_cells(system, battle, ship)])
                name = ""
    return table(rows, [False, False, *(column.right for column in system.columns)])


def _cells(system: RuleSystem, battle: Battle, ship: Ship) -> list[str]:
    return [
        "".join(span.text for span in system.cell(battle, ship, column)).strip() for column in system.columns
    ]
