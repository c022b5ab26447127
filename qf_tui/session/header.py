"""New saves: their header, and the seed of sealed dice beside them."""

from collections.abc import Mapping
from pathlib import Path

from attrs import evolve

import qf_tui
from qf_tui.core.errors import QfError
from qf_tui.core.sealed_dice import SealedDice
from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Battle
from qf_tui.journal.codec import Header
from qf_tui.journal.lines import FORMAT
from qf_tui.journal.saving import Journal
from qf_tui.journal.seed_file import forget_seed, keep_seed


def header_of(system: RuleSystem, start: Battle, extra: Mapping[str, object] | None = None) -> Header:
    """The header of a new save, which stands alone; a ship that joins comes with its entry."""
    coming = {id: start.reserve[id] for id in start.plan.arriving}
    own = evolve(start, reserve=coming, began=start.began and evolve(start.began, reserve=coming))
    return Header(FORMAT, qf_tui.__version__, system.name, own, extra or {})


def new_journal(save: Path, header: Header, sealed: SealedDice | None) -> Journal:
    """A new save, the seed of its sealed dice beside it before it is there."""
    if sealed is None:
        return Journal.create(save, header)
    keep_seed(save, sealed.seed)
    try:
        return Journal.create(save, header)
    except QfError:
        forget_seed(save)
        raise
