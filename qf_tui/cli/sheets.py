"""Log sheets of a battle as it stands, as a page that a browser prints."""

from argparse import Namespace

from qf_tui.cli.opening import open_battle
from qf_tui.cli.out_file import file_named
from qf_tui.cli.output import named, say
from qf_tui.core.errors import QfError
from qf_tui.paper.page import write_page
from qf_tui.paper.sheets import SheetChoice, sheets_of
from qf_tui.session.open_save import sense_of


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
