"""The sealed dice of an open battle: makes them, resumes them with a save, reveals their secret seed."""

from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qf_tui.core.builtin_forms import REVEAL
from qf_tui.core.errors import OrderRefused, QfError
from qf_tui.core.timeline import LogAct
from qf_tui.core.values import Battle, Order
from qf_tui.features.sealed_dice import WORD
from qf_tui.features.sealed_dice.dice import SealedDice, compute_seal
from qf_tui.features.sealed_dice.seal import (
    NOTHING_PROVED,
    PLEDGE,
    TAKE_DOWN,
    Seal,
    add_words,
    find_reveal,
    list_seal_words,
    make_dice,
    read_seal,
)
from qf_tui.features.sealed_dice.seed import find_seed, forget_seed, keep_seed, parse_seed
from qf_tui.journal.codec import Header
from qf_tui.journal.lines import Misread
from qf_tui.journal.saving import Journal
from qf_tui.session.dice import BattleDice

if TYPE_CHECKING:
    from textual.app import App

NO_SEED = (
    "The dice of this battle were sealed, but their seed is not next to this save: it continues with the "
    "table's dice, which cannot be checked."
)


class SealedBattleDice(BattleDice):
    """The dice of a battle that began with sealed dice.

    Attributes:
        source: The sealed dice; None once their seed is revealed or lost.
    """

    def __init__(
        self, seal: Seal, source: SealedDice | None = None, seed: int | None = None, notice: str = ""
    ) -> None:
        """Make the dice.

        Args:
            source: The sealed dice that throw for a call; None if the seed is revealed already, or is not
                next to the save.
            seed: Seed of the console's own random dice, which are not sealed, or None.
            notice: Message when the battle is opened, or "".
        """
        super().__init__(seed)
        self.seal, self.notice = seal, notice
        self.source: SealedDice | None = source

    @classmethod
    def from_dice(cls, dice: SealedDice) -> "SealedBattleDice":
        """Build the dice of a battle that begins with these sealed dice."""
        return cls(Seal.from_dice(dice), dice)

    @property
    def extra(self) -> Mapping[str, object]:
        """The part of the save's header that holds the seal and the words."""
        return self.seal.extra

    def create_journal(self, save: Path, header: Header) -> Journal:
        """Create the save of a new battle; first write the file of its seed.

        If the save cannot be created, the file of the seed is deleted.
        """
        if self.source is None:
            return super().create_journal(save, header)
        keep_seed(save, self.source.seed)
        try:
            return super().create_journal(save, header)
        except QfError:
            forget_seed(save)
            raise

    def complete(self, order: Order, log: Sequence[LogAct]) -> Order:
        """Add the typed or else the known seed to the order `reveal`; return other orders unchanged.

        Raises:
            OrderRefused: The seed is revealed already or not known, or the typed seed is wrong.
        """
        if order.form is not REVEAL:
            return order
        reveal = find_reveal(log)
        if reveal is not None:
            raise _build_refusal(
                f"entry {reveal.number} already revealed the seed; `qf-tui verify --dice` checks it"
            )
        typed_digits = "".join(order.list_texts("seed"))
        if typed_digits:
            try:
                seed = parse_seed(typed_digits)
            except Misread as fault:
                raise _build_refusal(str(fault)) from None
        elif self.source is not None:
            seed = self.source.seed
        else:
            raise _build_refusal(
                "the seed is not next to this save: reveal it where the battle was begun, or type it here"
            )
        if compute_seal(seed) != self.seal.digest:
            raise _build_refusal("that seed belongs to another battle: its seal is not the one shown here")
        return order.with_slot("seed", (seed.hex(),))

    def record(self, act: LogAct, save: Path | None) -> None:
        """Forget the seed and delete its file, if an act revealed it; do nothing for any other act."""
        if find_reveal((act,)) is not None:
            self.source, self.notice = None, ""
            if save is not None:
                forget_seed(save)


def _build_refusal(text: str) -> OrderRefused:
    """Build the refusal of the order `reveal`."""
    return OrderRefused(f"{REVEAL.word}: {text}")


def begin(sides: int) -> BattleDice:
    """Make new sealed dice to which no side gave a word."""
    return SealedBattleDice.from_dice(make_dice("" for _ in range(sides)))


def resume(
    extra: Mapping[str, object], log: Sequence[LogAct], save: Path | None, seed: int | None
) -> BattleDice:
    """Return the dice of a battle that is resumed.

    They are sealed dice only if the seed is still secret and lies next to the save. If not, the table's dice
    are used, or the console's from `seed`.
    """
    seal = read_seal(extra)
    if seal is None:
        return BattleDice(seed)
    if find_reveal(log) is not None:
        return SealedBattleDice(seal, seed=seed)
    stored_seed = find_seed(save) if save is not None else None
    if stored_seed is None or compute_seal(stored_seed) != seal.digest:
        return SealedBattleDice(seal, seed=seed, notice=NO_SEED)
    return SealedBattleDice(seal, SealedDice(stored_seed, seal.words))


def ask(app: "App[Any]", sides: Sequence[str], begin: Callable[[BattleDice], object]) -> None:
    """Show the seal of new dice and take the words of the sides on a screen, then begin the battle.

    Nothing begins if the screen is cancelled.
    """
    from qf_tui.features.sealed_dice.screen import SealScreen

    def give(dice: SealedDice | None) -> None:
        if dice is not None:
            begin(SealedBattleDice.from_dice(dice))

    app.push_screen(SealScreen(sides), give)


def ask_in_lines(
    sides: Sequence[str], say: Callable[..., None], is_sure: Callable[[str], bool]
) -> BattleDice:
    """Print the seal of new dice, ask each side for a word, and return the dice with the words.

    It asks again after a wrong word, or if the words prove nothing and the umpire does not begin.

    Raises:
        QfError: The input ended before the battle began.
    """
    dice = make_dice()
    say(TAKE_DOWN, f"The seal of this battle's dice: {', '.join(list_seal_words(dice.seal))}.", PLEDGE)
    while True:
        try:
            dice_with_words = add_words(dice, len(sides), [input(f"A word of {side}> ") for side in sides])
        except EOFError:
            raise QfError("the battle has not begun: its sides gave no words") from None
        except QfError as fault:
            say(str(fault))
            continue
        if Seal.from_dice(dice_with_words).has_two_words or is_sure(f"{NOTHING_PROVED} Begin all the same?"):
            return SealedBattleDice.from_dice(dice_with_words)


def choose(arguments: Namespace, start: Battle | None) -> BattleDice | None:
    """Make the dice with which `run` begins a battle, and print their seal.

    Args:
        start: Start of the battle, or None to continue a save.

    Returns:
        The dice, or None if the battle has no sealed dice.

    Raises:
        QfError: The options do not fit the battle.
    """
    from qf_tui.cli.output import warn

    if start is None or start.table.get("dice") != WORD:
        if arguments.words is not None:
            condition = (
                "that starts with sealed dice"
                if start is None
                else f'with sealed dice (`dice = "{WORD}"` in its scenario)'
            )
            raise QfError(f"--words is only for a battle {condition}")
        return None
    if arguments.seed is not None:
        raise QfError("its dice are sealed, so the seed may not be chosen: leave --seed out")
    dice = make_dice()
    warn(f"seal: {' '.join(list_seal_words(dice.seal))} ({dice.seal})")
    dice_with_words = add_words(dice, len(start.sides), (arguments.words or "").replace(",", " ").split())
    if not Seal.from_dice(dice_with_words).has_two_words:
        warn(NOTHING_PROVED)
    return SealedBattleDice.from_dice(dice_with_words)
