"""`qf-tui verify --dice`: every throw of a battle with sealed dice worked out again."""

from argparse import Namespace
from collections import Counter

from qf_tui.cli.opening import save_named
from qf_tui.cli.output import named, say
from qf_tui.core.errors import QfError
from qf_tui.core.sealed_check import CheckedThrow, ThrowMark, checked_throws
from qf_tui.core.sealed_dice import SealedDice, seal_of
from qf_tui.core.timeline import Timeline
from qf_tui.journal.beside import SEED
from qf_tui.journal.disk_words import in_words
from qf_tui.journal.lines import Misread
from qf_tui.journal.reading import read_save
from qf_tui.journal.seed_file import read_seed, seed_of
from qf_tui.library.systems import find_systems
from qf_tui.session.act_words import order_text
from qf_tui.session.dice import NOTHING_PROVED, Seal, revealed_by, seal_in
from qf_tui.session.open_save import open_timeline, rules_by, sense_of
from qf_tui.session.seal import seal_words

WRONG = 1


def verify_dice(arguments: Namespace) -> int:
    """Works every throw of a save out again; 0: all that a call threw comes out, 1: something does not.

    QfError where its dice are not sealed, or the seed is not known.
    """
    systems = find_systems()
    save = read_save(save_named(arguments.battle), rules_by(systems))
    system, timeline = open_timeline(save, systems)
    seal = seal_in(save.header.extra)
    if seal is None:
        raise QfError(f"{save.name}: its dice are not sealed; `verify` without --dice checks all else")
    dice = SealedDice(_seed(save.name, timeline, arguments.seed_file, seal), seal.words)
    say(
        f"seal: {' '.join(seal_words(seal.digest))}",
        f"      {seal.digest}",
        f"words: {', '.join(word or '(none)' for word in seal.words)}",
        *([] if seal.proves else [NOTHING_PROVED]),
    )
    with sense_of(system):
        found = checked_throws(system, timeline, dice)
    said = [one for one in found if one.marks]
    for one in said:
        say(f"{one.act:>5}  {order_text(one.version)}", *(f"       {mark.value}" for mark in one.marks))
    say(_summary(found))
    return WRONG if any(mark.wrong for one in said for mark in one.marks) else 0


def _seed(name: str, timeline: Timeline, file: str | None, seal: Seal) -> bytes:
    """The seed that the battle revealed, or of a file; QfError where there is none, or it is another's."""
    shown = revealed_by(timeline.log)
    try:
        if file is not None:
            seed = read_seed(file)
        elif shown is not None and shown.version is not None:
            seed = seed_of("".join(shown.version.order.many("seed")))
        else:
            raise QfError(f"{name}: its seed is not revealed: `reveal` does, or --seed-file {name}{SEED}")
    except OSError as fault:
        raise QfError(f"{named(file)}: cannot be read: {in_words(fault)}") from None
    except Misread as fault:
        raise QfError(f"{named(file or name)}: {fault}") from None
    if seal_of(seed) != seal.digest:
        raise QfError(
            f"{named(file or name)}: that is the seed of another battle, not the one sealed in {name}"
        )
    return seed


def _summary(found: tuple[CheckedThrow, ...]) -> str:
    counts = Counter(mark for one in found for mark in one.marks)
    called = [one for one in found if one.version.call is not None]
    wrong = sum(any(mark.wrong for mark in one.marks) for one in called)
    told = [f"{counts[mark]} {mark.name.lower()}" for mark in ThrowMark if counts[mark] and not mark.wrong]
    if not called:
        return "; ".join(("no throw by a call", *told))
    comes = "all come out" if not wrong else f"{wrong} do not come out"
    return f"{len(called)} throws by a call: {comes}{'; ' + ', '.join(told) if told else ''}"
