"""The dice of the open battle: people type the faces, or the console throws; features may add other kinds."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random, SystemRandom

from qf_tui.core.builtin_forms import REVEAL
from qf_tui.core.decide import ThrowDie
from qf_tui.core.dice_source import DiceSource
from qf_tui.core.errors import OrderRefused
from qf_tui.core.timeline import LogAct
from qf_tui.core.values import Battle, Order
from qf_tui.journal.codec import BOOK, Header
from qf_tui.journal.saving import Journal
from qf_tui.registry import load_dice_maker


class BattleDice:
    """The dice of one open battle, thrown at the table or by the console. Other kinds are subclasses.

    Attributes:
        source: Source that throws the dice for a call, or None.
        notice: Message about the dice when the battle is opened, or "".
    """

    source: DiceSource | None = None
    notice = ""

    def __init__(self, seed: int | None = None) -> None:
        """Make the dice; with a `seed` the console always throws, and the same seed gives the same faces.

        Without a seed, the battle says who throws, and the console's throws are random.
        """
        self._random = Random(seed) if seed is not None else SystemRandom()
        self._always_throws = seed is not None

    @property
    def extra(self) -> Mapping[str, object]:
        """The part of a save's header that describes these dice."""
        return {}

    def throw(self, battle: Battle) -> ThrowDie | None:
        """Return the function with which the console throws a die, or None if players type the faces.

        A function is returned too if a source throws the dice of calls; the source then gives the faces.
        """
        if self.source is not None or self._always_throws or battle.table.get("dice") == "console":
            return lambda die: self._random.choice(die.faces)
        return None

    def create_journal(self, save: Path, header: Header) -> Journal:
        """Make the save of a new battle."""
        return Journal.create(save, header)

    def complete(self, order: Order, log: Sequence[LogAct]) -> Order:
        """Add to an order what only the dice know, such as their seed to `reveal`; these dice add nothing.

        Raises:
            OrderRefused: If the order asks for something that these dice do not have.
        """
        if order.form is REVEAL:
            raise OrderRefused(f"{REVEAL.word}: the dice of this battle have no seed to reveal")
        return order

    def record(self, act: LogAct, save: Path | None) -> None:
        """Take note of an act that was recorded; these dice need none."""


def resume_dice(
    extra: Mapping[str, object],
    log: Sequence[LogAct],
    save: Path | None = None,
    seed: int | None = None,
) -> BattleDice:
    """Return the dice of a save, from its header and log.

    Args:
        extra: The `extra` of its header.
        save: Its path. Without it, dice that keep a file next to the save cannot be thrown.
        seed: Seed of the console's dice, or None.
    """
    # A rule book has no dice: without it, no other packages are searched for a maker.
    maker = load_dice_maker(extra=extra.keys() - {BOOK})
    return maker.resume(extra, log, save, seed) if maker else BattleDice(seed)
