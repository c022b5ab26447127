"""From a named battle to a console that runs until it is left, and is opened again after a fault of ours."""

import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from attrs import evolve

from qf_tui.console.app import Console, forms_of
from qf_tui.console.faults import FaultLog
from qf_tui.console.setup.opening import Beginning, open_target
from qf_tui.console.widgets.few_colours import abilities_of
from qf_tui.console.widgets.keys import remapped
from qf_tui.core.errors import QfError
from qf_tui.core.system import RuleSystem
from qf_tui.library.settings import Settings, keep_setting, load_settings
from qf_tui.library.systems import find_systems
from qf_tui.session import Session
from qf_tui.session.new_save import kept


def run_console(
    target: Path | str | None, save: Path | None, rules: str = "", copy_to: str | None = None
) -> tuple[int, Path | None]:
    """Runs the console on a scenario, a save, or with None from the first screen.

    `copy_to` is for this time in place of the setting.
    Gives the exit status, and the save of the battle that was left, if there is one.
    """
    systems = find_systems()
    opened: Session | Beginning | None = None
    told = ""
    if target is not None:
        try:
            opened, told = open_target(target, save, systems, rules)
        except QfError as wrong:
            told = str(wrong)
    settings, refusal = _settings(systems)
    if copy_to is not None:
        settings = evolve(settings, copy_to=copy_to)
    session, waiting = (None, [opened]) if isinstance(opened, Beginning) else (opened, [])

    def made(session: Session | None, told: str, faults: FaultLog) -> Console:
        keep = None if refusal else keep_setting
        app = Console(systems, session, told, settings, keep, faults, abilities_of())
        app.beginning = waiting.pop() if waiting else None
        app.settings_fault = refusal
        return app

    return keep_open(made, systems, session, told)


def run_watch(save: Path, *, across: bool = False) -> int:
    """Runs a console that only follows a save, with `across` first in large letters; gives the exit status.

    QfError if it cannot be opened.
    """
    from qf_tui.session.following import Follower

    systems = find_systems()
    settings, refusal = _settings(systems)

    def made(session: Session | None, told: str, faults: FaultLog) -> Console:
        keep = None if refusal else keep_setting
        app = Console(systems, None, told, settings, keep, faults, abilities_of())
        app.follower, app.across, app.settings_fault = Follower(save, systems), across, refusal
        return app

    return keep_open(made, systems, None)[0]


def _settings(systems: Mapping[str, RuleSystem]) -> tuple[Settings, str]:
    """The user's settings; where they cannot be had the usual ones, and what is wrong."""
    try:
        settings = load_settings()
        # All systems are loaded for this: only for keys of the umpire's own.
        if settings.keys:
            remapped(settings.keys, forms_of(systems))
    except QfError as refused:
        return Settings(), f"{refused}\nThe usual settings hold."
    return settings, ""


Make = Callable[[Session | None, str, FaultLog], Console]
"""Makes a console on a battle, or on none; the text is told first, as what is wrong with a named file."""


def keep_open(
    make: Make,
    systems: Mapping[str, RuleSystem],
    session: Session | None,
    told: str = "",
    run: Callable[[Console], object] = Console.run,
) -> tuple[int, Path | None]:
    """Runs a console until the umpire leaves it; gives the exit status and the save of the battle left.

    After a fault of ours it is opened again on the battle as the disk has it.
    """
    faults = FaultLog()
    while True:
        app = make(session, told, faults)
        try:
            run(app)
        except Exception as error:  # noqa: BLE001 - what Textual itself trips over outside of its loop
            app.stop_by_fault(error)
        finally:
            session = app.session
            save, changed = kept(session) if session is not None else (None, "")
            uncopied = session.close() if session is not None else ""
            for said in filter(None, (uncopied, changed)):
                sys.stderr.write(f"{said}\n")
        code = app.return_code or 0
        if code < 0:
            # A signal has ended it, which whoever began it is to see.
            os.kill(os.getpid(), -code)
        if not app.stopped:
            return code, save
        if faults.too_many:
            sys.stderr.write(f"{faults.last_words(save)}\n")
            return 1, None
        told = ""
        if save is not None:
            try:
                session = Session.resume(save, systems)
            except QfError as wrong:
                session, told = None, str(wrong)
