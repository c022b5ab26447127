"""The user's settings, shown and set."""

from argparse import Namespace

from qf_tui.cli.output import say
from qf_tui.cli.tables import table
from qf_tui.library.settings import (
    SETTINGS,
    keep_setting,
    load_settings,
    make_settings,
    setting_named,
)


def settings(arguments: Namespace) -> int:
    """Prints the settings and where their file lies, made if need be; with a name and a value sets one."""
    if arguments.value is not None:
        keep_setting(arguments.name, arguments.value)
    wanted = (setting_named(arguments.name),) if arguments.name is not None else SETTINGS
    say(str(make_settings()))
    held = load_settings()
    rows = [[one.name, _said(getattr(held, one.name)), one.label] for one in wanted]
    say(*table(rows))
    return 0


def _said(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value) if isinstance(value, str) and value else "none" if not value else "see the file"
