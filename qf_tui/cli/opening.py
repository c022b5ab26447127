"""Opens a battle by the name that people give: in memory, or in the console."""

import gc
import os
import sys
from argparse import Namespace
from collections.abc import Callable, Mapping
from pathlib import Path

from qf_tui.cli.output import named, print_lines, warn
from qf_tui.core.errors import QfError
from qf_tui.core.system import RuleSystem
from qf_tui.core.text import Scalar
from qf_tui.core.values import Battle
from qf_tui.journal.disk import ending_beside
from qf_tui.journal.reading import is_save
from qf_tui.journal.saving import copy_save, refuse_existing
from qf_tui.library.paths import SAVE, begins_as_save, find, folders, is_there
from qf_tui.library.systems import find_systems, usable
from qf_tui.registry import find_dice_kinds, find_features
from qf_tui.session import Session
from qf_tui.session.dice import BattleDice
from qf_tui.session.session import name_wanted


def open_battle(
    target: str,
    *,
    save: str | None = None,
    seed: int | None = None,
    rules: str | None = None,
    crews: str | None = None,
    choose: Callable[[Battle | None], BattleDice | None] | None = None,
) -> Session:
    """Open the battle of a scenario or a save, kept in memory, or from here on in the new file `save`.

    A scenario begins under `rules` if they are named, its crews as `crews` says. Whoever throws dice gives
    `choose`, which makes those of a scenario; for a save it gets None. A save given as `target` is never
    written.
    QfError if it cannot be read, or if `save` exists.
    """
    systems = find_systems()
    kept = new_save(save) if save is not None else None
    old = find_save(target)
    by = scenario_rules(target, rules)
    choice = chosen_crews(target, crews)
    if old is None:
        from qf_tui.library.scenarios import load_scenario

        system, start = load_scenario(scenario_path(target), systems, by, choice)
        dice = choose(start) if choose else None
        return Session.begin(system, start, kept, seed=seed, dice=dice)
    if choose:
        choose(None)
    looked = looked_at(old, seed)
    if choose and looked.dice.notice:
        warn(looked.dice.notice)
    if kept is None:
        return looked
    copy_save(old, kept)
    resumed = Session.resume(kept, systems)
    return Session(
        looked.system,
        resumed.timeline,
        resumed.journal,
        extra=resumed.extra,
        program=resumed.program,
        dice=looked.dice,
    )


def looked_at(save: Path, seed: int | None = None) -> Session:
    """The battle of a save in memory; warns of what is wrong with the save."""
    session = Session.look(save, find_systems(), seed=seed)
    if session.notice:
        warn(session.notice)
    return session


def choose_dice(arguments: Namespace, start: Battle | None) -> BattleDice | None:
    """Make the dice of a feature with which `run` begins a battle; None for a save, and for other dice."""
    made = [kind.load().choose(arguments, start) for kind in find_dice_kinds()]
    return next(filter(None, made), None)


def new_save(text: str) -> Path:
    """The file that a person names for a new save; QfError where it can be none."""
    path = name_wanted(text)
    ending = ending_beside(path.name)
    if ending:
        stem = Path(path.name[: -len(ending)]).stem or "battle"
        other = path.with_name(f"{stem}{SAVE}")
        raise QfError(
            f"{named(text)}: {ending} is the ending of a file beside a save; choose another name, "
            f"like {named(other)}"
        )
    return path


def find_save(target: str) -> Path | None:
    """The save that a path, a file name or a name in a folder of saves means.

    None for what looks like a scenario: one of just that name comes before a save, its beginning behind it.
    """
    path = Path(target)
    if is_save(path):
        return path
    if path.suffix == SAVE:
        return (None if path.is_absolute() or is_there(path) else _shelved(path)) or path
    if begins_as_save(path):
        return path
    return _by_name(path) if not is_there(path) and find("scenarios", target, Path()) is None else None


def _by_name(path: Path) -> Path | None:
    """The save in a folder of saves that a name without its ending means."""
    bare = path.name and path.name == str(path)
    return _shelved(path.with_name(f"{path.name}{SAVE}")) if bare else None


def _shelved(path: Path) -> Path | None:
    return next((folder / path for folder in folders("saves") if is_there(folder / path)), None)


def save_named(target: str) -> Path:
    """The save that a person names, there or not; QfError where that is no name of one."""
    if not Path(target).name:
        raise QfError(f"“{named(target)}” is not a name for a save; give one like battle{SAVE}")
    return find_save(target) or _by_name(Path(target)) or Path(target)


def scenario_path(target: str) -> Path:
    """The file of a scenario, by a path or a name on the shelf; QfError if there is none."""
    if _is_file(target):
        return Path(target)
    from qf_tui.library.scenarios import find_scenario

    return find_scenario(target)


def _is_file(target: str) -> bool:
    path = Path(target)
    return path.suffix == ".toml" or is_there(path)


def scenario_rules(target: str | None, rules: str | None) -> str:
    """The rule system that a scenario is to begin under, "" for its own; QfError where none can be chosen."""
    if rules is None:
        if target is None or find_save(target) is not None or _is_file(target):
            return ""
        from qf_tui.library.scenarios import rules_named

        return rules_named(target)
    if target is None or find_save(target) is not None:
        raise QfError("--rules is only for a new battle; a saved battle keeps its own rules")
    return named_systems(rules)[0].name


def chosen_crews(target: str | None, crews: str | None) -> str:
    """Return whether a scenario's crews count, "" as it says; QfError where that cannot be chosen.

    Rule: AQF-CRW-1.
    """
    if crews is not None and (target is None or find_save(target) is not None):
        raise QfError("--crews is only for a new battle; a saved battle keeps its cards")
    return crews or ""


def named_systems(ruleset: str | None) -> tuple[RuleSystem, ...]:
    """The rule system of that name, or all that can be loaded; QfError if it is not installed."""
    systems = find_systems()
    if ruleset is None:
        return tuple(usable(systems, warn).values())
    if ruleset in systems:
        return (systems[ruleset],)
    raise QfError(f"no rule system “{ruleset}”; installed: {', '.join(systems) or 'none'}")


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
    crews = chosen_crews(arguments.battle, arguments.crews)
    return draw(*targets(arguments.battle, arguments.save), rules, settings_given(arguments), crews)


def settings_given(arguments: Namespace) -> Mapping[str, Scalar]:
    """Return the settings of features that the arguments of a command replace for this time."""
    own = (setting.name for feature in find_features() for setting in feature.settings())
    given = {name: getattr(arguments, name, None) for name in own}
    return {name: value for name, value in given.items() if value is not None}


def draw(
    target: Path | None,
    save: Path | None,
    rules: str = "",
    instead: Mapping[str, Scalar] | None = None,
    crews: str = "",
) -> int:
    """Runs the console, which is loaded only here; gives the exit status."""
    # Nothing dies while modules are loaded: the collector would go through all of them for nothing. The
    # console turns it on again when it has something to show.
    gc.disable()
    from qf_tui.console.app import run_console

    status, left = run_console(target, save, rules, instead, crews)
    if left and not status:
        import shlex

        print_lines(f"The battle is saved. It goes on with: qf-tui play {named(shlex.quote(str(left)))}")
    return status


def watch(arguments: Namespace) -> int:
    """Follows a save on the console's own screens; nothing can be entered, and no lock is taken."""
    save = save_named(arguments.battle)
    if not has_terminal():
        raise QfError("there is no terminal to draw on; `qf-tui show` prints a save")
    gc.disable()
    from qf_tui.console.app import run_watch

    return run_watch(save, wall=arguments.large)


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
