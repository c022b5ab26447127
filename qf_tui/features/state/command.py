"""`qf-tui state`: writes the state of all ships as a spreadsheet, or enters the state from one."""

from argparse import Namespace
from contextlib import closing
from pathlib import Path

from qf_tui.cli.opening import find_save, find_scenario_file, has_terminal, open_battle, read_new_save
from qf_tui.cli.output import print_lines, refuse_existing_file, write_output
from qf_tui.core.errors import QfError
from qf_tui.features.state.importing import build_preview_lines, read_state
from qf_tui.features.state.table import format_state
from qf_tui.journal.saving import refuse_existing
from qf_tui.library.paths import read_bytes
from qf_tui.library.systems import find_systems
from qf_tui.session import Session
from qf_tui.session.session import begin_on_shelf

SAID_NO = 1
STANDARD_OUTPUT = "-"


def run_state(arguments: Namespace) -> int:
    """Write the state of a battle as CSV, or enter the state in a file.

    Returns:
        0, or 1 if the umpire did not want to enter it.

    Raises:
        QfError: The options do not fit together, or a file cannot be read or written.
    """
    if arguments.import_file is not None:
        if arguments.replace:
            raise QfError("--replace is only for --csv")
        return _import_state(arguments)
    if arguments.csv is None:
        raise QfError("nothing to do: write the state with --csv FILE, or enter one with --import FILE")
    if arguments.save is not None or arguments.yes:
        raise QfError("--save and --yes are only for --import")
    out = arguments.csv if arguments.csv != STANDARD_OUTPUT else None
    refuse_existing_file(out, over=arguments.replace)
    with closing(_open_in_memory(arguments)) as session:
        text = format_state(session.system, session.battle)
    # Without a byte order mark, spreadsheets read the file in their own code page.
    write_output(text, out, over=arguments.replace, encoding="utf-8-sig")
    return 0


def _open_in_memory(arguments: Namespace) -> Session:
    """Open the battle in memory, where nothing is written."""
    return open_battle(arguments.battle, rules=arguments.rules, crews=arguments.crews)


def _import_state(arguments: Namespace) -> int:
    """Show what a file changes, ask, and enter it.

    Returns:
        The exit status: `SAID_NO` if the umpire refuses, else 0.

    Raises:
        QfError: The file is faulty, or the battle cannot be written or has changed since it was shown.
    """
    path = Path(arguments.import_file)
    if arguments.save is not None:
        refuse_existing(read_new_save(arguments.save))
    with closing(_open_in_memory(arguments)) as viewed:
        battle = viewed.battle
        imported = read_state(read_bytes(path), path, viewed.system, battle)
        print_lines(*build_preview_lines(imported))
        if not imported.changes:
            return 0
        # An order that the rules refuse raises here, before the question.
        viewed.work_out(imported.order)
    if not arguments.yes and has_terminal() and not _is_sure():
        print_lines("nothing is entered")
        return SAID_NO
    with closing(_open_to_write(arguments, viewed)) as session:
        if not session.writable:
            raise QfError(f"{session.notice} Nothing is entered.")
        if session.battle != battle:
            raise QfError("the battle has changed since these lines were printed; nothing is entered")
        entered = session.record(session.work_out(imported.order))
        print_lines(f"entered as {entered.number} in {session.journal.path}; `undo` takes all of it back")
    return 0


def _open_to_write(arguments: Namespace, viewed: Session) -> Session:
    """Open a session for recording.

    Its save is that of `--save`, else the save that `battle` names, else a new save on the user's shelf.

    Args:
        viewed: The battle as it was read; a new save takes its rule system and start.
    """
    if arguments.save is not None:
        return open_battle(
            arguments.battle, save=arguments.save, rules=arguments.rules, crews=arguments.crews
        )
    save = find_save(arguments.battle)
    if save is not None:
        return Session.resume(save, find_systems())
    return begin_on_shelf(viewed.system, viewed.timeline.start, find_scenario_file(arguments.battle).stem)


def _is_sure() -> bool:
    """Ask whether to enter the changes; the end of the input means no."""
    try:
        return input("Enter this? yes or no> ").strip().casefold() in ("y", "yes")
    except EOFError:
        return False
