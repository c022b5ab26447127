"""`qf-tui verify --dice` makes every throw of a save again; `--witness` looks for a witness in a save."""

import re
from argparse import Namespace
from collections import Counter
from pathlib import Path

from qf_tui.cli.look import DIFFERENT, open_save
from qf_tui.cli.opening import save_named
from qf_tui.cli.output import format_path, print_lines
from qf_tui.core.errors import QfError
from qf_tui.core.text import format_count
from qf_tui.core.timeline import Timeline
from qf_tui.features.sealed_dice.check import CheckedThrow, ThrowMark, check_throws
from qf_tui.features.sealed_dice.dice import SealedDice, compute_seal
from qf_tui.features.sealed_dice.seal import NOTHING_PROVED, Seal, find_reveal, list_seal_words, read_seal
from qf_tui.features.sealed_dice.seed import parse_seed, read_seed
from qf_tui.features.sealed_dice.witness import DIGITS, WORDS, WORDS_LEAST, Witnesses, read_word_list
from qf_tui.journal.disk import SEED, format_disk_fault, replace_unprintable
from qf_tui.journal.lines import Extent, Misread
from qf_tui.journal.reading import read_save
from qf_tui.session.saves import report_meaningless_save

_HEX = re.compile(f"[0-9a-f]{{{DIGITS}}}")


def verify_dice(arguments: Namespace) -> int:
    """Print every throw of a save with its marks, or look for a witness if one is given.

    Returns:
        0 if all throws are right, 1 if one is wrong; for a witness, see `find_witness`.

    Raises:
        QfError: The dice of the save are not sealed, or the seed is not known.
    """
    if arguments.witness is not None:
        return find_witness(save_named(arguments.battle), arguments.witness)
    save, system, timeline = open_save(arguments.battle)
    seal = read_seal(save.header.extra)
    if seal is None:
        raise QfError(f"{save.name}: its dice are not sealed; `verify` without --dice checks everything else")
    dice = SealedDice(_find_seed(save.name, timeline, arguments.seed_file, seal), seal.words)
    print_lines(
        f"seal: {' '.join(list_seal_words(seal.digest))}",
        f"      {seal.digest}",
        f"words: {', '.join(word or '(none)' for word in seal.words)}",
        *([] if seal.has_two_words else [NOTHING_PROVED]),
    )
    with report_meaningless_save(system):
        throws = check_throws(system, timeline, dice)
    for throw in throws:
        order, call = throw.version.order, throw.version.call
        faces = " ".join(map(str, order.dice))
        text = order.line if call is None else f"call {call:02} threw {faces}: {order.resolved}"
        print_lines(f"{throw.act:>5}  {text}", *(f"       {mark.value}" for mark in throw.marks))
    print_lines(_summarize(throws))
    return DIFFERENT if any(mark.is_fault for throw in throws for mark in throw.marks) else 0


def find_witness(path: Path, text: str) -> int:
    """Print the entry after which the log of a save has a witness.

    Args:
        text: The words of the witness (old versions showed four), or its 32 hexadecimal digits.

    Returns:
        0 if there is such an entry, 1 if not.

    Raises:
        QfError: The text is no witness.
    """
    words = text.lower().replace(",", " ").split()
    if not _HEX.fullmatch("".join(words)):
        unknown_words = [word for word in words if word not in read_word_list()]
        if unknown_words or not WORDS_LEAST <= len(words) <= WORDS:
            why = (
                f"“{replace_unprintable(unknown_words[0])}” is not on the list"
                if unknown_words
                else f"{len(words)} words"
            )
            raise QfError(f"a witness is eight words, or 32 hexadecimal digits: {why}")
    save = read_save(path)
    for witness in Witnesses().read_on(Extent(path, save.length, save.last_sum)):
        begins_as_typed = witness.words.split()[: len(words)] == words
        if begins_as_typed or words == [witness.digest]:
            print_lines(f"{save.name}: this is the witness of its log after entry {witness.number}")
            return 0
    print_lines(
        f"{save.name}: its log has this witness after no entry: the log was rewritten or cut since the words "
        "were noted, or it is another battle"
    )
    return DIFFERENT


def _find_seed(name: str, timeline: Timeline, file: str | None, seal: Seal) -> bytes:
    """Return the seed in a file if one is named, or the seed that the battle revealed.

    Raises:
        QfError: There is no seed, or it belongs to another battle.
    """
    reveal = find_reveal(timeline.log)
    try:
        if file is not None:
            seed = read_seed(file)
        elif reveal is not None and reveal.version is not None:
            seed = parse_seed("".join(reveal.version.order.list_texts("seed")))
        else:
            raise QfError(f"{name}: its seed is not revealed: `reveal` does, or --seed-file {name}{SEED}")
    except OSError as fault:
        raise QfError(f"{format_path(file)}: cannot be read: {format_disk_fault(fault)}") from None
    except Misread as fault:
        raise QfError(f"{format_path(file or name)}: {fault}") from None
    if compute_seal(seed) != seal.digest:
        raise QfError(
            f"{format_path(file or name)}: this is the seed of another battle, not the one sealed in {name}"
        )
    return seed


def _summarize(throws: tuple[CheckedThrow, ...]) -> str:
    """Format how many throws a call made, how many of these are wrong, and how many other marks there are."""
    counts = Counter(mark for throw in throws for mark in throw.marks)
    throws_with_call = [throw for throw in throws if throw.version.call is not None]
    fault_count = sum(any(mark.is_fault for mark in throw.marks) for throw in throws_with_call)
    mark_counts = [
        f"{counts[mark]} {mark.name.lower()}" for mark in ThrowMark if counts[mark] and not mark.is_fault
    ]
    if not throws_with_call:
        return "; ".join(("no throw by a call", *mark_counts))
    are = "is" if fault_count == 1 else "are"
    result = "all are right" if not fault_count else f"{fault_count} {are} wrong"
    remarks = f"; {', '.join(mark_counts)}" if mark_counts else ""
    return f"{format_count(len(throws_with_call), 'throw')} by a call: {result}{remarks}"
