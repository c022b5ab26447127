"""The dice of the open battle: the table's, the console's, or sealed ones, with seal and words."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from random import Random, SystemRandom

from attrs import frozen

from qf_tui.core.builtin_forms import REVEAL
from qf_tui.core.decide import ThrowDie
from qf_tui.core.errors import OrderRefused, QfError
from qf_tui.core.sealed_dice import SEALED, SEED_BYTES, SealedDice, seal_of
from qf_tui.core.text import unprintable
from qf_tui.core.timeline import LogAct
from qf_tui.core.values import Battle, Order
from qf_tui.journal.lines import Misread
from qf_tui.journal.saving import forget_seed, kept_seed, seed_of
from qf_tui.journal.witness import in_words

PART = "dice"
"""The part of a header's `extra` that has the seal and the words."""
WORD_MOST = 40
NO_SEED = (
    "The dice of this battle were sealed, but their seed is not beside this save: it goes on with the "
    "table's dice, which nobody can check."
)
NOTHING_PROVED = "Fewer than two sides gave a word of their own: this proves nothing to anybody."


@frozen
class Seal:
    """Sealed dice as a header has them: the SHA-256 of the seed, in hexadecimal, and the words."""

    digest: str
    words: tuple[str, ...]

    @property
    def proves(self) -> bool:
        """Whether at least two sides gave a word of their own."""
        return len({word for word in self.words if word}) > 1

    @property
    def extra(self) -> Mapping[str, object]:
        """The part of a header."""
        return {PART: {"seal": self.digest, "words": list(self.words)}}


def new_dice(words: Iterable[str] = ()) -> SealedDice:
    """Sealed dice with a seed that nobody has seen."""
    return SealedDice(SystemRandom().randbytes(SEED_BYTES), tuple(words))


def is_sealed(battle: Battle) -> bool:
    """Whether a battle begins with sealed dice."""
    return battle.table.get("dice") == SEALED


def with_words(dice: SealedDice, sides: int, given: Iterable[str]) -> SealedDice:
    """Dice with the words that sides gave, in the order of the sides; QfError for one that is none."""
    words = tuple(word.strip().lower() for word in given)
    if len(words) > sides:
        raise QfError(f"{len(words)} words for {sides} sides: one of each side, in the order of the scenario")
    for word in words:
        if len(word.split()) > 1 or len(word) > WORD_MOST or unprintable(word):
            raise QfError(f"“{word[:WORD_MOST]}” is not one word of at most {WORD_MOST} letters")
    return SealedDice(dice.seed, words + ("",) * (sides - len(words)))


def seal_in(extra: Mapping[str, object]) -> Seal | None:
    """The seal of a save by its header; None without one, QfError for what is no seal."""
    part = extra.get(PART)
    if part is None:
        return None
    digest, words = (part.get("seal"), part.get("words")) if isinstance(part, dict) else (None, None)
    try:
        whole = isinstance(digest, str) and len(bytes.fromhex(digest)) == SEED_BYTES
    except ValueError:
        whole = False
    if not (whole and isinstance(words, list) and all(isinstance(word, str) for word in words)):
        raise QfError("the header's “dice” are not a seal (64 hexadecimal digits) and a list of words")
    return Seal(str(digest), tuple(words))


def revealed_by(log: Iterable[LogAct]) -> LogAct | None:
    """The act that revealed the seed, in force or not: it is known from then on."""
    return next((act for act in log if act.version and act.version.order.form is REVEAL), None)


class BattleDice:
    """The dice of one open battle.

    `seed` is that of the console's dice, `sealed` are those of the battle while their seed is secret, `seal`
    is what the save says of them. `notice` is the message about them as the battle opens.
    """

    def __init__(
        self,
        seed: int | None = None,
        sealed: SealedDice | None = None,
        seal: Seal | None = None,
        notice: str = "",
    ) -> None:
        self._random = Random(seed) if seed is not None else SystemRandom()
        self._throws = seed is not None
        self.sealed, self.notice = sealed, notice
        self.seal = Seal(sealed.seal, sealed.words) if sealed is not None else seal

    @classmethod
    def beside(cls, save: Path, extra: Mapping[str, object], log: Iterable[LogAct]) -> "BattleDice":
        """The dice of a battle that is gone on with: sealed while the seed is beside its save."""
        seal = seal_in(extra)
        if seal is None or revealed_by(log) is not None:
            return cls(seal=seal)
        seed = kept_seed(save)
        if seed is None or seal_of(seed) != seal.digest:
            return cls(seal=seal, notice=NO_SEED)
        return cls(sealed=SealedDice(seed, seal.words))

    def throw(self, battle: Battle) -> ThrowDie | None:
        """The dice that are thrown as an order is entered; None where they are typed."""
        if self.sealed is not None or self._throws or battle.table.get("dice") == "console":
            return lambda die: self._random.choice(die.faces)
        return None

    def revealing(self, order: Order, log: Iterable[LogAct]) -> Order:
        """`reveal` with the seed; OrderRefused says why there is none to reveal."""
        done = revealed_by(log)
        if self.seal is None:
            raise _refused("the dice of this battle are not sealed: there is no seed to reveal")
        if done is not None:
            raise _refused(f"entry {done.number} revealed the seed already; `qf-tui verify --dice` checks it")
        typed = "".join(order.many("seed"))
        if not typed and self.sealed is None:
            raise _refused(
                "the seed is not beside this save: reveal it where the battle was begun, or type it here"
            )
        try:
            seed = seed_of(typed) if typed else self.sealed.seed if self.sealed else b""
        except Misread as fault:
            raise _refused(str(fault)) from None
        if seal_of(seed) != self.seal.digest:
            raise _refused("that seed belongs to another battle: its seal is not the one shown here")
        return order.with_slot("seed", (seed.hex(),))

    def recorded(self, act: LogAct, save: Path | None) -> None:
        """After an act: a seed that it revealed is secret no more."""
        if revealed_by((act,)) is not None:
            self.sealed, self.notice = None, ""
            if save is not None:
                forget_seed(save)


def _refused(text: str) -> OrderRefused:
    return OrderRefused(f"{REVEAL.word}: {text}")


QUIET = 2
"""Light modules around a code."""
_BLOCKS = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}
"""Two modules over each other, dark or not, drawn light on dark."""

Rows = tuple[tuple[bool, ...], ...]


def qr_rows(text: str) -> Rows:
    """Build the QR code of a text: its rows of modules, True for a dark one."""
    import segno

    return tuple(tuple(map(bool, row)) for row in segno.make_qr(text, error="l").matrix)


def qr_blocks(code: Sequence[tuple[bool, ...]]) -> list[str]:
    """A code as lines of blocks, light on dark, with its quiet edge; [] for no code."""
    if not code:
        return []
    side = (False,) * QUIET
    edge = (False,) * (len(code) + 2 * QUIET)
    rows = [*([edge] * QUIET), *((*side, *row, *side) for row in code), *([edge] * QUIET)]
    return [
        "".join(_BLOCKS[pair] for pair in zip(above, below, strict=True))
        for above, below in zip_longest(rows[::2], rows[1::2], fillvalue=edge)
    ]


WORDS = 8


def seal_words(digest: str) -> tuple[str, ...]:
    """The first 88 bits of a seal (in hexadecimal) as eight words."""
    return in_words(digest, WORDS)


def seal_texts(extra: Mapping[str, object]) -> tuple[str, ...]:
    """What a header says of sealed dice, as it is printed; () where none are sealed."""
    seal = seal_in(extra)
    if seal is None:
        return ()
    words = ", ".join(word or "(none)" for word in seal.words)
    return (f"seal: {' '.join(seal_words(seal.digest))}", seal.digest, f"words of the sides: {words}")


def seal_qr(digest: str) -> Rows:
    """Build the QR code of the whole seal, in capitals."""
    return qr_rows(digest.upper())
