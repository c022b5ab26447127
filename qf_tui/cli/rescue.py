"""A save from the codes of an umpire's sheet."""

from argparse import Namespace

from qf_tui.cli.opening import new_save
from qf_tui.cli.output import named, say
from qf_tui.core.errors import QfError
from qf_tui.core.system import RuleSystem
from qf_tui.library.systems import find_systems
from qf_tui.paper.packing import Unpacked
from qf_tui.paper.rescue import rescue as rescued
from qf_tui.session.act_words import phase_text, tell

DIFFERENT = 1


def rescue(arguments: Namespace) -> int:
    """Makes a save of scanned codes; says which acts are decided otherwise than when they were printed."""
    if arguments.save is None:
        raise QfError("name the new save: --save FILE")
    found = rescued(arguments.files, new_save(arguments.save), find_systems())
    timeline = found.timeline
    for number in found.differ:
        say(f"{tell(timeline, timeline.log[number - 1])}")
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
