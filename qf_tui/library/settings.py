"""The user's settings, and the user's own weights for what ships are worth.

`settings.toml` has the settings, also those of features, with comments; `worth.toml` has the weights.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from attrs import evolve, field, fields_dict, frozen

from qf_tui.core.declarations import FieldSpec, Worth, declare_key, list_keys
from qf_tui.core.errors import QfError
from qf_tui.core.system import RuleSystem
from qf_tui.core.text import Scalar
from qf_tui.hooks import Feature
from qf_tui.journal.disk import write_file
from qf_tui.library.faults import (
    WHOLE_FILE,
    Checker,
    Data,
    Fault,
    describe_expected,
    format_hint,
    format_not_installed,
    make_printable,
    raise_faults,
)
from qf_tui.library.paths import find_home, read_toml
from qf_tui.library.systems import find_systems
from qf_tui.registry import find_features, search_features

THEMES = ("dark", "light")
WEIGHT_MOST = 1000
MINUTES_MOST = 600
AUTO, FULL, ASCII, SIXTEEN = "auto", "full", "ascii", "16"


@frozen
class Settings:
    """The user's settings.

    Attributes:
        keys: The user's keys, by the ids of actions.
        more: The settings of features, by their names.
    """

    theme: str = declare_key("word", "the colours of the console", THEMES[0], words=THEMES)
    colours: str = declare_key(
        "word",
        "how many colours are drawn; auto: 16 unless the terminal reports more",
        AUTO,
        words=(AUTO, FULL, SIXTEEN),
    )
    signs: str = declare_key(
        "word",
        "the characters drawn; auto: ascii without UTF-8, and on the text console of Linux",
        AUTO,
        words=(AUTO, FULL, ASCII),
    )
    walk: bool = declare_key("bool", "after a shot the cursor moves to the next ship of the division")
    clock: bool = declare_key("bool", "the phase line shows the minutes of the turn")
    minutes: int = declare_key(
        "int",
        "minutes of a phase, shown on console, board and watch, past zero too; none: no clock",
        0,
        most=MINUTES_MOST,
    )
    keys: Mapping[str, str] = declare_key(
        "map", 'your own keys, by the action\'s name in the help (F1): "grid.report" = "f7"'
    )
    more: Mapping[str, Scalar] = field(factory=dict)

    def find_value(self, name: str) -> Scalar:
        """Return the value of a setting of the base or of a feature."""
        if name in fields_dict(Settings):
            value: Scalar = getattr(self, name)
            return value
        return self.more[name] if name in self.more else find_setting(name).default

    def with_values(self, values: Mapping[str, Scalar]) -> "Settings":
        """Return the settings with some values replaced, of the base or of features."""
        base = fields_dict(Settings)
        base_values: dict[str, Any] = {name: value for name, value in values.items() if name in base}
        more = {name: value for name, value in values.items() if name not in base}
        return evolve(self, **base_values, more={**self.more, **more})

    def format_value(self, name: str) -> str:
        """Format a setting for people, as they type it; for a table of values the text refers to the file."""
        value = self.find_value(name)
        if isinstance(value, bool):
            return "yes" if value else "no"
        if not value:
            return "none"
        return str(value) if isinstance(value, str | int) else "look in the file"


@cache
def _list_settings(features: tuple[Feature, ...]) -> tuple[FieldSpec, ...]:
    """List the settings of the base, then of these features, and last `keys`, a table of the file."""
    *base, keys = list_keys(Settings)
    of_features = (setting for feature in features for setting in feature.settings())
    return (*base, *of_features, keys)


def list_settings() -> tuple[FieldSpec, ...]:
    """List the settings of the base, then of the features, and last the keys."""
    return _list_settings(find_features())


def _find_features_with(names: Iterable[str]) -> None:
    """Search other packages for features if one of the names is an unknown setting.

    Afterwards `list_settings` has the settings of the features that were found.
    """
    if not {setting.name for setting in list_settings()}.issuperset(names):
        search_features()


def find_settings_file() -> Path:
    """Return the path of the settings' file; it need not exist."""
    return find_home() / "settings.toml"


def load_settings() -> Settings:
    """Load the settings; all have their defaults if there is no file.

    Raises:
        FileFaults: All faults of the file.
    """
    path = find_settings_file()
    if not path.exists():
        return Settings()
    checker = Checker()
    data = read_toml(path)
    # A setting that is not known yet may belong to a feature of another package.
    _find_features_with(data)
    values = checker.check_table(data, list_settings(), WHOLE_FILE)
    raise_faults({str(path): checker.faults})
    defaults = Settings()
    # Only values that differ from their defaults are set; a setting that the file leaves out may be None.
    return defaults.with_values(
        {key: values[key] for key in values if values[key] not in (None, defaults.find_value(key))}
    )


def find_setting(name: str) -> FieldSpec:
    """Find the declaration of a setting.

    Raises:
        QfError: There is no such setting.
    """
    _find_features_with([name])
    settings = list_settings()
    names = [setting.name for setting in settings]
    if name not in names:
        hint = format_hint(name, names) or f"; known settings: {', '.join(names)}"
        raise QfError(f"no setting “{make_printable(name)}”{hint}")
    return settings[names.index(name)]


def read_setting_value(name: str, text: str) -> Scalar:
    """Read a setting's value from its text; `none` or no text is 0 for a whole number.

    Raises:
        QfError: The setting is unknown or can only be changed in the file, or the value is not allowed.
    """
    setting = find_setting(name)
    if setting.kind == "map":
        raise QfError(f"{name} are set in the file {find_settings_file()}")
    words = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}
    # Text that is no number or no such word stays text, which the checker refuses.
    data: object = text
    if setting.kind == "bool":
        data = words.get(text.lower(), text)
    elif setting.kind == "int" and text.lower() in ("", "none"):
        data = 0
    elif setting.kind == "int" and text.isdecimal():
        data = int(text)
    # A tuple of the value, or () if it is refused.
    checked_values = Checker().check_value(data, setting, WHOLE_FILE.add_key(name))
    if not checked_values:
        wanted = "yes or no" if setting.kind == "bool" else describe_expected(setting)
        raise QfError(f"{name}: expected {wanted}, not “{make_printable(text)}”")
    (value,) = checked_values
    assert isinstance(value, str | bool | int)
    return value


def change_setting(name: str, text: str) -> Settings:
    """Change one setting to a value given as text (`light`, `yes`), and return all settings.

    Comments in the file are kept.

    Raises:
        QfError: The setting or the value is unknown, or the file has faults or cannot be written.
    """
    value = read_setting_value(name, text)
    # Do not write into a file that has faults.
    load_settings()
    import tomlkit  # noqa: PLC0415 - only a change of a setting needs it

    path = find_settings_file()
    document = tomlkit.parse(
        path.read_text(encoding="utf-8-sig") if path.exists() else format_default_settings()
    )
    document[name] = value
    _write(path, tomlkit.dumps(document))
    return load_settings()


def ensure_settings_file() -> Path:
    """Return the settings' file; write it with all defaults and explanations if there is none."""
    path = find_settings_file()
    if not path.exists():
        _write(path, format_default_settings())
    return path


def format_default_settings() -> str:
    """Return the text of a settings file that explains each setting and gives its default."""
    lines = ["# Settings of qf-tui. Anything left out has its default.", ""]
    for setting in list_settings():
        words = f" ({', '.join(setting.words)})" if setting.words else ""
        lines.append(f"# {setting.label}{words}")
        # Only texts have other defaults than 0 and false.
        number_or_flag = "0" if setting.kind == "int" else "false"
        default = f'"{setting.default}"' if isinstance(setting.default, str) else number_or_flag
        lines += ["[keys]"] if setting.kind == "map" else [f"{setting.name} = {default}", ""]
    return "\n".join(lines) + "\n"


def _write(path: Path, text: str) -> None:
    """Write the settings' file, with its folder if need be; raise QfError if that fails."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, text.encode(), over=True)
    except OSError as fault:
        raise QfError(f"{path}: cannot be written: {fault.strerror}") from None


def find_worth_file() -> Path:
    """Return the path of the umpire's own weights; the file need not exist."""
    return find_home() / "worth.toml"


def load_worth(system: RuleSystem, path: Path | None = None) -> Worth:
    """Load what ships are worth under a rule system.

    Args:
        system: The rule system. Parts that the file leaves out keep the system's weights.
        path: A file that must have a table for this system. If None, the umpire's own file is read; without
            one, the weights are the system's.

    Raises:
        FileFaults: All faults of the file.
    """
    if path is None and not find_worth_file().exists():
        return system.worth
    file = path or find_worth_file()
    data = read_toml(file)
    weights, faults = read_weights(data, find_systems(), (system,))
    if path is not None and system.name not in data:
        known = ", ".join(part.name for part in system.worth.parts)
        faults = (Fault("", f"expected a table [{system.name}] with weights for {known}"), *faults)
    raise_faults({str(file): faults})
    return system.worth.replace_weights(weights.get(system.name, {}))


def read_weights(
    data: Data, systems: Mapping[str, RuleSystem], checked_systems: Iterable[RuleSystem]
) -> tuple[Mapping[str, Mapping[str, float]], tuple[Fault, ...]]:
    """Read the weights in a file's plain data.

    Args:
        data: The plain data, a table for each rule system.
        systems: All rule systems, by name; any other name is a fault.
        checked_systems: The rule systems whose tables are checked.

    Returns:
        The weights by rule system and part, and all faults.
    """
    checker = Checker()
    system_by_name = {system.name: system for system in checked_systems}
    for name in data:
        if name not in systems:
            checker.add_fault(WHOLE_FILE.add_key(name), format_not_installed(name, systems))
    tables = []
    for name, system in system_by_name.items():
        parts = system.worth.parts
        fields = (FieldSpec(part.name, "number", part.text, least=0, most=WEIGHT_MOST) for part in parts)
        tables.append(FieldSpec(name, "table", "", parts=tuple(fields)))
    tables_field = FieldSpec("worth", "systems", "", parts=tuple(tables))
    # A mapping is never refused as a whole, so there is exactly one value.
    (weights,) = checker.check_value(data, tables_field, WHOLE_FILE)
    return weights, tuple(_add_meaning(fault, system_by_name) for fault in checker.faults)


def _add_meaning(fault: Fault, systems: Mapping[str, RuleSystem]) -> Fault:
    """Add to the fault of a weight what its part counts, and whether it is subtracted.

    A fault that is not about a weight is returned unchanged.
    """
    for name, system in systems.items():
        for part in system.worth.parts:
            if fault.found.keys == (name, part.name):
                meaning = "it is subtracted" if part.less else "it counts"
                return evolve(fault, text=f"{fault.text}; {meaning} for {part.text}")
    return fault
