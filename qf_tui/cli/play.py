"""The console's door: `qf-tui`, `play`, `sample` and `watch`."""

import gc
import os
import sys
from argparse import Namespace
from pathlib import Path

from qf_tui.cli.opening import find_save, new_save, save_named, scenario_path, scenario_rules
from qf_tui.cli.output import named, say
from qf_tui.core.errors import QfError
from qf_tui.journal.copying import refuse_existing
from qf_tui.library.paths import shipped
from qf_tui.library.systems import find_systems
from qf_tui.session import Session
from qf_tui.session.new_save import copy_on_shelf

SAMPLE = "yellow-sea-1904"
"""The name of the sample battle among the saves that are shipped."""


def has_terminal() -> bool:
    """Whether there is a terminal to draw on and to read keys from."""
    streams = (sys.stdin, sys.stdout)
    return os.environ.get("TERM") != "dumb" and all(
        stream is not None and stream.isatty() for stream in streams
    )


def play(arguments: Namespace) -> int:
    """Opens the console: the start screen, a new battle with its save, or a saved battle."""
    if not has_terminal():
        raise QfError(
            "there is no terminal to draw on; `qf-tui run` plays without one, `qf-tui --help` has more"
        )
    rules = scenario_rules(arguments.battle, arguments.rules)
    return draw(*targets(arguments.battle, arguments.save), rules, arguments.copy_to)


def draw(target: Path | None, save: Path | None, rules: str = "", copy_to: str | None = None) -> int:
    """Runs the console, which is loaded only here; gives the exit status."""
    # Nothing dies while modules are loaded: the collector would go through all of them for nothing. The
    # console turns it on again when it has something to show.
    gc.disable()
    from qf_tui.console.run import run_console

    status, left = run_console(target, save, rules, copy_to)
    if left and not status:
        import shlex

        say(f"The battle is saved. It goes on with: qf-tui play {named(shlex.quote(str(left)))}")
    return status


def watch(arguments: Namespace) -> int:
    """Follows a save on the console's own screens; nothing can be entered, and no lock is taken."""
    save = save_named(arguments.battle)
    if not has_terminal():
        raise QfError("there is no terminal to draw on; `qf-tui show` prints a save")
    gc.disable()
    from qf_tui.console.run import run_watch

    return run_watch(save, across=arguments.large)


def targets(battle: str | None, save: str | None) -> tuple[Path | None, Path | None]:
    """The scenario or save to open, and the save of a new battle; None: a new one on the paths."""
    if battle is None:
        return None, None
    old = find_save(battle)
    if old is not None:
        if save is not None:
            raise QfError("a saved battle goes on in its own file; leave --save out")
        return old, None
    scenario = scenario_path(battle)
    if save is None:
        return scenario, None
    to = new_save(save)
    refuse_existing(to)
    return scenario, to


def sample(arguments: Namespace) -> int:
    """Opens a copy of the sample battle; without a terminal prints its log and its ships."""
    return open_sample(shipped("saves") / f"{SAMPLE}.qfb", terminal=has_terminal())


def open_sample(file: Path, *, terminal: bool) -> int:
    """The sample battle in a file: a copy of it in the console, or printed."""
    if not terminal:
        from qf_tui.cli.look import shown_lines

        for lines in shown_lines(Session.look(file, find_systems())):
            say(*lines)
        return 0
    return draw(copy_on_shelf(file), None)
