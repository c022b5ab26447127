"""The user's settings: one TOML file in his own folder, read strictly, explained in itself."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import tomli_w
from attrs import field, frozen

from qf_tui.core.decisions import with_overlay
from qf_tui.core.errors import QfError
from qf_tui.core.system import CardField, RuleSystem
from qf_tui.core.text import Scalar
from qf_tui.core.values import Chart, ChartCell, ChartRow, Charts, Provenance
from qf_tui.journal.disk import alone, in_words, write_whole
from qf_tui.library.charts import load_overlay
from qf_tui.library.check import head, put_beside
from qf_tui.library.checking import Checker
from qf_tui.library.faults import FileFaults, FilePlace, expected, near, shown
from qf_tui.library.paths import home, own, read_toml

THEMES = ("dark", "light")
AUTO, FULL, ASCII, SIXTEEN = "auto", "full", "ascii", "16"

SETTINGS = (
    CardField("theme", "word", "the colours of the console", words=THEMES, default=THEMES[0]),
    CardField(
        "colours",
        "word",
        "how many colours are drawn; auto: 16 where the terminal tells of no more",
        words=(AUTO, FULL, SIXTEEN),
        default=AUTO,
    ),
    CardField(
        "signs",
        "word",
        "the signs on the screen; auto: ascii where the terminal's locale is not UTF-8",
        words=(AUTO, FULL, ASCII),
        default=AUTO,
    ),
    CardField("walk", "bool", "after a shot the cursor goes to the next ship of the division"),
    CardField("clock", "bool", "the phase line shows the minutes of the turn"),
    CardField(
        "copy_to",
        "path",
        "a folder, as on another disk, for a second copy of the save, entry by entry; none: no copy",
        default="",
    ),
    CardField("keys", "map", 'other keys, by the action\'s name in the help (F1): "grid.report" = "f7"'),
)
"""What can be set; what is left out has its default."""


@frozen
class Settings:
    """The settings as they hold; `copy_to` "" is no folder, `keys` are by the ids of actions."""

    theme: str = THEMES[0]
    colours: str = AUTO
    signs: str = AUTO
    walk: bool = False
    clock: bool = False
    copy_to: str = ""
    keys: Mapping[str, str] = field(factory=dict)


def settings_path() -> Path:
    """The file of the settings; it need not exist."""
    return home() / "settings.toml"


def load_settings() -> Settings:
    """The settings; FileFaults names all that is wrong with their file."""
    path = settings_path()
    if not path.exists():
        return Settings()
    checker = Checker()
    read: dict[str, Any] = checker.table(read_toml(path), SETTINGS, FilePlace())
    if checker.faults:
        raise FileFaults(path, checker.faults)
    return Settings(**{name: value for name, value in read.items() if value is not None})


def setting_named(name: str) -> CardField:
    """The setting of a name; QfError if there is none."""
    names = [one.name for one in SETTINGS]
    if name not in names:
        hint = near(name, names) or f"; there are {', '.join(names)}"
        raise QfError(f"no setting “{shown(name)}”{hint}")
    return SETTINGS[names.index(name)]


def setting_value(name: str, text: str) -> Scalar:
    """The value that a person's text is for a setting; QfError if it is none, or kept in the file alone."""
    declared = setting_named(name)
    if declared.kind == "map":
        raise QfError(f"{name} are set in the file: {settings_path()}")
    return _value(declared, text)


def keep_setting(name: str, text: str) -> Settings:
    """Sets one setting from its text (`light`, `yes`) and gives all; comments in the file stay.

    QfError if there is no such setting, if the text is none of its values, or if the file cannot be written.
    """
    value = setting_value(name, text)
    load_settings()
    import tomlkit  # noqa: PLC0415 - loaded by whoever changes a setting, not by every start

    path = settings_path()
    document = tomlkit.parse(path.read_text(encoding="utf-8-sig") if path.exists() else explained())
    document[name] = value
    _write(path, tomlkit.dumps(document))
    return load_settings()


def make_settings() -> Path:
    """The file of the settings, written with every default and its meaning if there is none yet."""
    path = settings_path()
    if not path.exists():
        _write(path, explained())
    return path


def explained() -> str:
    """A file of all defaults, each with what it means."""
    lines = ["# Settings of qf-tui. What is left out has its default.", ""]
    for one in SETTINGS:
        meaning = f"{one.label} ({', '.join(one.words)})" if one.words else one.label
        lines += [f"# {meaning}"]
        lines += ["[keys]"] if one.kind == "map" else [f"{one.name} = {_toml(one.default)}", ""]
    return "\n".join(lines) + "\n"


def _toml(value: Scalar) -> str:
    return str(bool(value)).lower() if not isinstance(value, str) else f'"{value}"'


def _value(declared: CardField, text: str) -> Scalar:
    """The value that a person's text is for a setting."""
    words = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}
    data: object = words.get(text.lower(), text) if declared.kind == "bool" else text
    checker = Checker()
    found = checker.value(data, declared, FilePlace().key(declared.name))
    if not found:
        wanted = "yes or no" if declared.kind == "bool" else expected(declared)
        raise QfError(f"{declared.name}: expected {wanted}, not “{shown(text)}”")
    (value,) = found
    assert isinstance(value, str | bool)
    return value


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text.encode(), over=True)
    except OSError as fault:
        raise QfError(f"{path}: cannot be written: {fault.strerror}") from None


def own_chart(system: RuleSystem) -> Path:
    """The file of the umpire's own chart for a rule system; it may not be there yet."""
    return own("charts") / f"{system.name}.toml"


def keep_cell(system: RuleSystem, cell: tuple[str, ...], text: str) -> Path:
    """Adds a cell (table, row, column) to the umpire's own chart and gives its file.

    `text` may be as he read it out: in small letters, or `none`.
    QfError if the file that is there is faulty, or if it cannot be written; then the file is as before.
    """
    table, row, column = cell
    path = own_chart(system)
    ways = ("-" if text.lower() == "none" else text, text.upper(), text.lower())
    if (shape := system.chart_shapes.get(table)) is not None:
        text = next((way for way in ways if shape.fault(way) is None), text)
    new: Charts = {table: Chart(table, "", {row: ChartRow(row, {column: ChartCell(text, Provenance.OWN)})})}
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with alone(path):
            cells = with_overlay(load_overlay(path, system), new) if path.exists() else new
            text = head("chart", system.name) + tomli_w.dumps(_document(system, cells))
            write_whole(path, text.encode(), over=True)
    except OSError as fault:
        raise QfError(f"{path}: cannot be written: {in_words(fault)}. The answer itself stands.") from None
    put_beside(path, "chart", system.name, {system.name: system})
    return path


def _document(system: RuleSystem, charts: Charts) -> Mapping[str, object]:
    tables = [
        {"name": chart.name, "row": [_row(row) for row in chart.rows.values()]} for chart in charts.values()
    ]
    return {"ruleset": system.name, "title": "My chart", "table": tables}


def _row(row: ChartRow) -> Mapping[str, object]:
    if not row.cells:
        return {"name": row.name, "drop": True}
    return {"name": row.name, "cells": {column: cell.text for column, cell in row.cells.items()}}
