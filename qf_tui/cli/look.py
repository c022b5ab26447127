"""`qf-tui show`, `verify`, `branch` and `sample`: show, check and copy saves, and open a sample battle."""

import gc
import json
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from qf_tui.cli.opening import has_terminal, open_console, read_new_save, save_named
from qf_tui.cli.output import format_path, print_json, print_lines, warn
from qf_tui.core.system import RuleSystem
from qf_tui.core.text import format_count
from qf_tui.core.timeline import Timeline
from qf_tui.journal.codec import encode_value
from qf_tui.journal.disk import END
from qf_tui.journal.reading import Save, read_save
from qf_tui.journal.saving import copy_save
from qf_tui.library.paths import find_shipped_folder
from qf_tui.library.systems import find_systems
from qf_tui.session import Session
from qf_tui.session.saves import make_rules_finder, open_timeline, report_meaningless_save
from qf_tui.session.session import copy_on_shelf

if TYPE_CHECKING:
    from qf_tui.document.values import Block

DIFFERENT = 1
SAMPLE = "yellow-sea-1904"
"""Name of the sample battle among the shipped saves."""


def play_sample(arguments: Namespace) -> int:
    """Open a copy of the sample battle; without a terminal, print its log and its ships."""
    return open_sample(find_shipped_folder("saves") / f"{SAMPLE}.qfb", terminal=has_terminal())


def open_sample(save: Path, *, terminal: bool) -> int:
    """Open a copy of a sample battle in the console, or print the battle; return the exit status."""
    if terminal:
        return open_console(copy_on_shelf(save), save=None)
    print_battle(Session.view(save, find_systems()))
    return 0


def show_save(arguments: Namespace) -> int:
    """Print a save as text or JSON: its log and its ships.

    Raises:
        QfError: The save cannot be read, or its rules cannot make sense of it.
    """
    # Everything that is read is used until the end, so there is no garbage to collect.
    gc.disable()
    session = Session.view(save_named(arguments.battle), find_systems())
    if session.notice and arguments.json:
        # Standard output has only the JSON.
        warn(session.notice)
    with report_meaningless_save(session.system):
        if arguments.json:
            from qf_tui.document.scripts import build_act_row, build_battle_row

            in_force = session.timeline.in_force
            acts = [
                build_act_row(session.timeline, act, act.number in in_force) for act in session.timeline.log
            ]
            print_json(build_battle_row(session.system, session.timeline) | {"entries": acts})
        else:
            print_lines(*([session.notice, ""] if session.notice else []))
            print_battle(session)
    return 0


def branch_save(arguments: Namespace) -> int:
    """Copy the acts of a save, up to the number `--at`, to a new save."""
    copied_count = copy_save(save_named(arguments.battle), read_new_save(arguments.save), arguments.at)
    acts = format_count(copied_count, "act")
    print_lines(f"{format_path(arguments.save)}: {acts} of {format_path(arguments.battle)}")
    return 0


def print_battle(session: Session) -> None:
    """Print a battle line by line: its log, then its ships."""
    from qf_tui.document.text import lay_out_blocks

    for line in lay_out_blocks(_build_blocks(session)):
        print_lines(line, at_once=False)


def _build_blocks(session: Session) -> "Iterator[Block]":
    """Yield the notes of the battle, its log and its ships; then explain daggers if the log has any."""
    from qf_tui.document.transcript import DAGGER_NOTE, build_battle_blocks, is_marked, list_log
    from qf_tui.document.values import GAP, build_line

    notes = session.battle.table.get("notes")
    if notes:
        yield from (build_line(str(notes)), GAP)
    yield from list_log(session.system, session.timeline)
    yield from build_battle_blocks(session.system, session.timeline)
    if any(map(is_marked, session.timeline.rulings.values())):
        yield from DAGGER_NOTE


def verify_save(arguments: Namespace) -> int:
    """Print whether a save is whole: read it with its checksums, and decide every entry again.

    Returns:
        0 if nothing differs, or only changed rulings and wording; 1 if more differs, or if acts are missing
        at the end.
    """
    from qf_tui.core.verify import DifferenceKind, list_differences

    # Everything that is read is used until the end, so there is no garbage to collect.
    gc.disable()
    save, system, timeline = open_save(arguments.battle)
    if save.end_notice:
        print_lines(f"{save.name}: {save.end_notice}.")
    with report_meaningless_save(system):
        differences = list_differences(system, timeline, save.header.program)
    kinds = list(DifferenceKind)
    if differences:
        from qf_tui.document.text import lay_out_blocks
        from qf_tui.document.transcript import list_difference
    for difference in sorted(differences, key=lambda difference: kinds.index(difference.kind)):
        print_lines(*lay_out_blocks(list_difference(difference, _format_written_value)))
    counts = Counter(difference.kind for difference in differences)
    by_kind = ", ".join(f"{counts[kind]} {kind.value}" for kind in kinds if counts[kind])
    acts = f"{format_count(len(timeline.log), 'act')}{' before that' if save.torn else ''}"
    in_force = format_count(len(timeline.play_order), "entry", "entries")
    are = "is" if len(differences) < 2 else "are"
    print_lines(
        f"{acts}, all checksums match; of {in_force} in force {len(differences) or 'none'} {are} decided "
        f"differently by today's rules{': ' if by_kind else ''}{by_kind}"
    )
    if save.ends_as_written and not save.lacks_acts:
        print_lines(f"no acts are missing at its end, according to {save.name}{END}")
    elif not save.lacks_acts:
        print_lines("a save alone cannot show whether acts are missing at its end")
    return DIFFERENT if counts[DifferenceKind.OTHER] or save.lacks_acts else 0


def open_save(battle: str) -> tuple[Save, RuleSystem, Timeline]:
    """Read the save with a name or path, and return it with its rules and its timeline."""
    systems = find_systems()
    save = read_save(save_named(battle), make_rules_finder(systems))
    system, timeline = open_timeline(save, systems)
    return save, system, timeline


def _format_written_value(value: object) -> str:
    """Format a value as JSON, in the form in which a save writes it."""
    # A fact of the outcome is already a pair of name and value.
    plain_value = value if isinstance(value, tuple) else encode_value(value, type(value))
    return json.dumps(plain_value, ensure_ascii=False)
