"""`qf-tui sheets` and `qf-tui rescue`: a battle printed on paper, and read back from it."""

from argparse import Namespace
from pathlib import Path

from qf_tui.cli.opening import open_battle, read_new_save
from qf_tui.cli.output import format_path, print_lines, read_file_name, warn
from qf_tui.core.errors import QfError
from qf_tui.core.text import format_count
from qf_tui.document.acts import describe_act, format_phase
from qf_tui.features.sealed_dice.witness import find_witnesses
from qf_tui.features.sheets.muster import find_fleet, muster_fleet, muster_ships
from qf_tui.features.sheets.packing import rescue_battle
from qf_tui.features.sheets.sheets import SheetChoice, build_logs, build_sheets, write_page
from qf_tui.library.scenarios import require_battle
from qf_tui.library.systems import find_systems
from qf_tui.session.saves import report_meaningless_save


def write_sheets(arguments: Namespace) -> int:
    """Write the sheets of a battle as a page to print from a browser, and print what it holds; return 0.

    Raises:
        QfError: The options do not fit together, or the page cannot be written.
    """
    if arguments.out is None:
        raise QfError("name the page: --out FILE.html")
    file = read_file_name(arguments.out)
    # A script may leave a name empty. That would print the umpire's set, which players must not have.
    if "" in (arguments.side, arguments.division, arguments.briefing):
        raise QfError(
            "--side, --briefing and --division need a name; leave them out for the umpire's full set"
        )
    if (arguments.battle is None) == (arguments.ships is None):
        raise QfError("name a scenario, a save or a fleet, or the ships: --ships mikasa,asahi")
    if arguments.year is not None and arguments.ships is None:
        raise QfError("--year is only for --ships; a fleet says its year itself")
    choice = SheetChoice(
        side=arguments.briefing or arguments.side or "",
        division=arguments.division or "",
        single=arguments.single,
        letter=arguments.letter,
        briefing=arguments.briefing is not None,
    )
    fleet = find_fleet(arguments.battle) if arguments.ships is None else None
    if arguments.ships is not None or fleet is not None:
        return _write_logs(arguments, file, choice, fleet)
    session = open_battle(arguments.battle, rules=arguments.rules, crews=arguments.crews)
    with report_meaningless_save(session.system):
        sheets = build_sheets(
            session.system, session.timeline, choice, session.extra, find_witnesses(session)
        )
        write_page(file, sheets)
    logs = format_count(sum(len(page.ships) for page in sheets.pages), "log")
    codes = f", {format_count(len(sheets.codes), 'code')} to rescue it from" if sheets.codes else ""
    print_lines(f"{format_path(arguments.out)}: {logs}, {sheets.when}{codes}; print it from a browser")
    if sheets.without_codes:
        print_lines(f"without codes: {sheets.without_codes}")
    return 0


def _write_logs(arguments: Namespace, file: Path, choice: SheetChoice, fleet: str | None) -> int:
    """Write the logs of a fleet, or of the ships that are named, without a battle; return 0.

    Args:
        fleet: Name or path of the fleet, or None for the ships.

    Raises:
        QfError: An option needs a scenario, a ship is not found, or the page cannot be written.
    """
    if not choice.whole or arguments.crews is not None:
        raise QfError("sides, divisions and crews are in a scenario; this prints ships without one")
    if fleet is not None:
        reading = muster_fleet(fleet, arguments.rules)
    else:
        reading = muster_ships(arguments.ships.split(","), arguments.year, arguments.rules)
    system, battle = require_battle(reading)
    for text in reading.warnings:
        warn(text)
    write_page(file, build_logs(system, battle, choice))
    count = format_count(len(battle.ships), "log")
    print_lines(f"{format_path(arguments.out)}: {count}, {system.title}; print it from a browser")
    return 0


def rescue(arguments: Namespace) -> int:
    """Make a save from scanned codes, and list the acts decided differently than when printed.

    Returns:
        0 if there is no such act, 1 if there is one.

    Raises:
        QfError: The save is not named or exists, or the codes hold no whole battle.
    """
    if arguments.save is None:
        raise QfError("name the new save: --save FILE")
    battle = rescue_battle(arguments.files, read_new_save(arguments.save), find_systems())
    timeline, differ = battle.timeline, battle.differ
    for number in differ:
        print_lines(f"{describe_act(timeline, timeline.log[number - 1])}")
    result = "each decided the same as when printed"
    if differ:
        result = (
            f"{len(differ)} of them, listed above, decided differently by today's rules than when printed"
        )
    where = format_phase(battle.system, timeline.battle)
    acts = format_count(len(timeline.log), "act")
    print_lines(f"{format_path(arguments.save)}: {acts}, {result}; it is now at {where}")
    return 1 if differ else 0
