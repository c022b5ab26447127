"""Log sheets of a battle as a page that a browser prints, and a save from the codes on them."""

from argparse import Namespace

from qf_tui.cli.opening import new_save, open_battle
from qf_tui.cli.output import file_named, named, say
from qf_tui.core.errors import QfError
from qf_tui.core.system import RuleSystem
from qf_tui.document.acts import describe, phase_text
from qf_tui.library.systems import find_systems
from qf_tui.paper.packing import Unpacked
from qf_tui.paper.packing import rescue as rescued
from qf_tui.paper.sheets import SheetChoice, sheets_of, write_page
from qf_tui.session.saves import sense_of


def sheets(arguments: Namespace) -> int:
    """Writes the page, and says what it holds."""
    if arguments.out is None:
        raise QfError("name the page: --out FILE.html")
    file = file_named(arguments.out)
    # Left empty, as by a script, they would print the umpire's set, which players must not have.
    if "" in (arguments.side, arguments.division):
        raise QfError("--side and --division want a name; leave them out for the umpire's whole set")
    session = open_battle(arguments.battle, rules=arguments.rules)
    wanted = SheetChoice(arguments.side or "", arguments.division or "", arguments.single, arguments.letter)
    with sense_of(session.system):
        made = sheets_of(session.system, session.timeline, wanted, session.extra)
        write_page(file, made)
    logs = sum(len(page.ships) for page in made.pages)
    codes = f", {len(made.codes)} codes to rescue it by" if made.codes else ""
    what = f"{logs} log{'' if logs == 1 else 's'}, {made.when}{codes}"
    say(f"{named(arguments.out)}: {what}; a browser prints it")
    if made.without_codes:
        say(f"without codes: {made.without_codes}")
    return 0


DIFFERENT = 1


def rescue(arguments: Namespace) -> int:
    """Makes a save of scanned codes; says which acts are decided otherwise than when they were printed."""
    if arguments.save is None:
        raise QfError("name the new save: --save FILE")
    found = rescued(arguments.files, new_save(arguments.save), find_systems())
    timeline = found.timeline
    for number in found.differ:
        say(f"{describe(timeline, timeline.log[number - 1])}")
    say(_ending(arguments.save, found, found.system))
    return DIFFERENT if found.differ else 0


def _ending(save: str, found: Unpacked, system: RuleSystem) -> str:
    count, differ = len(found.timeline.log), len(found.differ)
    acts = f"{count} act{'' if count == 1 else 's'}"
    same = "each decided as when it was printed"
    if differ:
        same = f"{differ} of them, above, decided otherwise by today's rules than when printed"
    where = phase_text(system, found.timeline.battle)
    return f"{named(save)}: {acts}, {same}; it stands at {where}"
