"""Opens a battle by name: in memory or with a new save for a command, or in the console."""

import gc
import os
import sys
from argparse import Namespace
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from qf_tui.cli.output import format_path, print_lines, warn
from qf_tui.core.errors import QfError
from qf_tui.core.system import RuleSystem
from qf_tui.core.text import Scalar
from qf_tui.core.values import Battle
from qf_tui.journal.disk import find_companion_ending
from qf_tui.journal.reading import is_save
from qf_tui.journal.saving import copy_save, refuse_existing
from qf_tui.library.paths import SAVE, find_file, has_save_start, is_there, list_folders
from qf_tui.library.systems import find_systems, load_usable
from qf_tui.registry import find_dice_kinds, find_features
from qf_tui.session import Session
from qf_tui.session.dice import BattleDice
from qf_tui.session.session import read_save_name


def open_battle(
    target: str,
    *,
    save: str | None = None,
    seed: int | None = None,
    rules: str | None = None,
    crews: str | None = None,
    choose: Callable[[Battle | None], BattleDice | None] | None = None,
) -> Session:
    """Open the battle of a scenario or a save, in memory or as the new save `save`.

    Args:
        target: Name or path of the scenario or save. It is never written: a save is copied to `save`.
        save: Path of a new save, or None to open the battle in memory.
        rules: Rule system for a scenario, or None for the scenario's own.
        crews: Whether a scenario's crews count, or None to leave it to the scenario.
        choose: Makes the dice for the start of a scenario. For a save it is called with None, so that it can
            refuse options that a save cannot have.

    Raises:
        QfError: If the target cannot be read, or `save` exists.
    """
    systems = find_systems()
    new_save = read_new_save(save) if save is not None else None
    old_save = find_save(target)
    rules_name = choose_rules(target, rules)
    crews_choice = choose_crews(target, crews)
    if old_save is None:
        from qf_tui.library.scenarios import load_scenario

        system, start = load_scenario(find_scenario_file(target), systems, rules_name, crews_choice)
        dice = choose(start) if choose else None
        return Session.begin(system, start, new_save, seed=seed, dice=dice)
    if choose:
        choose(None)
    session = looked_at(old_save, seed)
    # A notice about the dice matters only to a command that throws some.
    if choose and session.dice.notice:
        warn(session.dice.notice)
    if new_save is None:
        return session
    copy_save(old_save, new_save)
    return _resume_with_dice(new_save, session.dice)


def _resume_with_dice(save: Path, dice: BattleDice) -> Session:
    """Resume a save for new entries, but with these dice, which have the seed that the user chose."""
    resumed = Session.resume(save, find_systems())
    return Session(
        resumed.system,
        resumed.timeline,
        resumed.journal,
        extra=resumed.extra,
        program=resumed.program,
        dice=dice,
    )


def looked_at(save: Path, seed: int | None = None) -> Session:
    """Open a save in memory, and warn about faults of the save."""
    session = Session.view(save, find_systems(), seed=seed)
    if session.notice:
        warn(session.notice)
    return session


def choose_dice(arguments: Namespace, start: Battle | None) -> BattleDice | None:
    """Make the dice with which `run` begins a battle, if a feature makes such dice.

    Args:
        start: Start of the battle, or None to continue a save.

    Returns:
        The dice, or None for a save or for the dice of the base.
    """
    # Every kind of dice is asked, because each may refuse the options.
    chosen_dice = [kind.load().choose(arguments, start) for kind in find_dice_kinds()]
    return next(filter(None, chosen_dice), None)


def read_new_save(text: str) -> Path:
    """Return the path that a person typed for a new save; QfError if no save can have it."""
    path = read_save_name(text)
    ending = find_companion_ending(path.name)
    if ending:
        stem = Path(path.name[: -len(ending)]).stem or "battle"
        suggestion = path.with_name(f"{stem}{SAVE}")
        raise QfError(
            f"{format_path(text)}: {ending} is for files next to a save; choose another name, "
            f"like {format_path(suggestion)}"
        )
    return path


def find_save(target: str) -> Path | None:
    """Find the save that a path, a file name or a name in a folder of saves means.

    Returns:
        Its path, or None if the target means no save. A path that ends like a save is returned even if there
        is no such file. For a name without this ending, a scenario with exactly this name comes first.
    """
    path = Path(target)
    if is_save(path):
        return path
    if path.suffix == SAVE:
        if path.is_absolute() or is_there(path):
            return path
        return _find_on_shelf(path) or path
    # A damaged save is opened too, so that its fault is shown.
    if has_save_start(path):
        return path
    if is_there(path) or find_file("scenarios", target, Path()) is not None:
        return None
    return _find_by_name(path)


def _find_by_name(path: Path) -> Path | None:
    """Find a save in the folders of saves by its name without an ending; None for a path with a folder."""
    if not path.name or path.name != str(path):
        return None
    return _find_on_shelf(path.with_name(f"{path.name}{SAVE}"))


def _find_on_shelf(path: Path) -> Path | None:
    """Find a file by its relative path in the folders of saves; None if no folder has it."""
    return next((folder / path for folder in list_folders("saves") if is_there(folder / path)), None)


def save_named(target: str) -> Path:
    """Return the path of the save that a person typed; if there is no such save, the typed path itself.

    Raises:
        QfError: If the text is no name for a save.
    """
    if not Path(target).name:
        raise QfError(f"“{format_path(target)}” is not a name for a save; give one like battle{SAVE}")
    # If a scenario has this name too, `find_save` finds none, but here only a save can be meant.
    return find_save(target) or _find_by_name(Path(target)) or Path(target)


def find_scenario_file(target: str) -> Path:
    """Return the file of a scenario, by a path or by a name in the folders of scenarios.

    Raises:
        QfError: No scenario has this name.
    """
    if _is_file(target):
        return Path(target)
    from qf_tui.library.scenarios import find_scenario

    return find_scenario(target)


def _is_file(target: str) -> bool:
    """Return whether a text means a path, not a name: it ends with `.toml`, or there is such a file."""
    path = Path(target)
    return path.suffix == ".toml" or is_there(path)


def choose_rules(target: str | None, rules: str | None) -> str:
    """Return the name of the rule system for a new battle; "" for that of the scenario or save.

    Raises:
        QfError: If rules are chosen without a battle or for a saved one, or are not installed.
    """
    is_saved = target is not None and find_save(target) is not None
    if rules is None:
        # A former name of a scenario chooses the rules that belonged to that name; a path is no name.
        if target is None or is_saved or _is_file(target):
            return ""
        from qf_tui.library.scenarios import find_named_rules

        return find_named_rules(target)
    if target is None or is_saved:
        raise QfError("--rules is only for a new battle; a saved battle keeps its own rules")
    return list_systems(rules)[0].name


def choose_crews(target: str | None, crews: str | None) -> str:
    """Return the value of `--crews` for a new battle, or "" to leave the choice to the scenario.

    Raises:
        QfError: If it is given for a saved battle, or without a battle.

    Rule: AQF-CRW-1.
    """
    if crews is not None and (target is None or find_save(target) is not None):
        raise QfError("--crews is only for a new battle; a saved battle keeps its cards")
    return crews or ""


def list_systems(ruleset: str | None) -> tuple[RuleSystem, ...]:
    """Return the rule system with this name; for None, return all that load, and warn of the others.

    Raises:
        QfError: No rule system with this name is installed, or it cannot be loaded.
    """
    systems = find_systems()
    if ruleset is None:
        return tuple(load_usable(systems, warn).values())
    if ruleset in systems:
        return (systems[ruleset],)
    raise QfError(f"no rule system “{ruleset}”; installed: {', '.join(systems) or 'none'}")


def has_terminal() -> bool:
    """Return whether standard input and output are a terminal that can be drawn on."""
    streams = (sys.stdin, sys.stdout)
    return os.environ.get("TERM") != "dumb" and all(
        stream is not None and stream.isatty() for stream in streams
    )


def play(arguments: Namespace) -> int:
    """Open the console: the start screen, a new battle with its save, or a saved battle.

    Raises:
        QfError: There is no terminal, or the arguments do not fit together.
    """
    if not has_terminal():
        raise QfError("no terminal to draw on; `qf-tui run` plays without one, `qf-tui --help` lists more")
    rules = choose_rules(arguments.battle, arguments.rules)
    crews = choose_crews(arguments.battle, arguments.crews)
    target, new_save = find_targets(arguments.battle, arguments.save)
    return open_console(target, new_save, rules, list_given_settings(arguments), crews)


def list_given_settings(arguments: Namespace) -> Mapping[str, Scalar]:
    """Return the values that options of the command give to features' settings for this run, by name."""
    names = (setting.name for feature in find_features() for setting in feature.settings())
    values = {name: getattr(arguments, name, None) for name in names}
    return {name: value for name, value in values.items() if value is not None}


def open_console(
    target: Path | None,
    save: Path | None,
    rules: str = "",
    overriding_settings: Mapping[str, Scalar] | None = None,
    crews: str = "",
) -> int:
    """Run the console, then print how to continue a saved battle; return the exit status.

    Args:
        target: Scenario or save, or None for the start screen.
        save: Path of a new save, or None.
        rules: Rule system for a scenario, or "" for its own.
        overriding_settings: Settings that hold only for this run.
        crews: Whether a scenario's crews count, or "" to leave it to the scenario.
    """
    # Importing frees no memory. The console turns the garbage collector on again after its first screen.
    gc.disable()
    from qf_tui.console.app import run_console

    status, saved_path = run_console(target, save, rules, overriding_settings, crews)
    if saved_path and not status:
        import shlex

        print_lines(
            f"The battle is saved. Continue it with: qf-tui play {format_path(shlex.quote(str(saved_path)))}"
        )
    return status


def watch(arguments: Namespace, open_page: Callable[[Any], object] | None = None) -> int:
    """Follow a save on the console's screens, without a lock and without orders; return the exit status.

    Args:
        open_page: Opens a screen over the battle at once, or None.

    Raises:
        QfError: There is no terminal, or the text names no save.
    """
    save = save_named(arguments.battle)
    if not has_terminal():
        raise QfError("no terminal to draw on; `qf-tui show` prints a save")
    # Importing frees no memory. The console turns the garbage collector on again after its first screen.
    gc.disable()
    from qf_tui.console.app import run_watch

    return run_watch(save, open_page)


def find_targets(battle: str | None, save: str | None) -> tuple[Path | None, Path | None]:
    """Return the path of the scenario or save to open, and the path of a new save.

    Args:
        battle: Scenario or save, or None for the start screen.
        save: Path of a new save for a scenario, or None.

    Returns:
        Both paths, or None: both for the start screen, and the second for a save or without `save`.

    Raises:
        QfError: If `save` is given for a save, or exists.
    """
    if battle is None:
        return None, None
    old_save = find_save(battle)
    if old_save is not None:
        if save is not None:
            raise QfError("a saved battle continues in its own file; leave --save out")
        return old_save, None
    scenario = find_scenario_file(battle)
    if save is None:
        return scenario, None
    new_save = read_new_save(save)
    refuse_existing(new_save)
    return scenario, new_save
