"""The seal of sealed dice, a checksum of their secret seed, as people write it down; and the sides' words."""

from collections.abc import Iterable, Mapping
from random import SystemRandom

from attrs import evolve, frozen

from qf_tui.core.builtin_forms import REVEAL
from qf_tui.core.errors import QfError
from qf_tui.core.text import find_unprintable
from qf_tui.core.timeline import LogAct
from qf_tui.features.sealed_dice import PART
from qf_tui.features.sealed_dice.dice import SEED_BYTES, SealedDice
from qf_tui.features.sealed_dice.qr import Rows, build_qr_rows
from qf_tui.features.sealed_dice.witness import to_words

WORD_MOST = 40
NOTHING_PROVED = "Fewer than two sides gave a word of their own: this proves nothing."
TAKE_DOWN = "Every player notes this seal: a photo of the code, or the eight words."
PLEDGE = (
    "Then each side says a word of its own aloud. All the words enter every throw, so nobody can pick a seed."
)
WORDS = 8


@frozen
class Seal:
    """Sealed dice as a header has them: the SHA-256 of the seed, in hexadecimal, and the words."""

    digest: str
    words: tuple[str, ...]

    @classmethod
    def from_dice(cls, dice: SealedDice) -> "Seal":
        """Build the seal of dice whose seed is known."""
        return cls(dice.seal, dice.words)

    @property
    def has_two_words(self) -> bool:
        """True if the sides gave at least two different words, without which sealed dice prove nothing."""
        return len({word for word in self.words if word}) > 1

    @property
    def extra(self) -> Mapping[str, object]:
        """The part of a save's header that holds the seal and the words."""
        return {PART: {"seal": self.digest, "words": list(self.words)}}


def make_dice(words: Iterable[str] = ()) -> SealedDice:
    """Make sealed dice with a new secret seed."""
    return SealedDice(SystemRandom().randbytes(SEED_BYTES), tuple(words))


def add_words(dice: SealedDice, sides: int, texts: Iterable[str]) -> SealedDice:
    """Return the dice with words of the sides, in the order of the sides; missing words are "".

    Raises:
        QfError: A text is not one word, or there are more words than sides.
    """
    words = tuple(word.strip().lower() for word in texts)
    if len(words) > sides:
        raise QfError(f"{len(words)} words for {sides} sides: one of each side, in the order of the scenario")
    for word in words:
        if len(word.split()) > 1 or len(word) > WORD_MOST or find_unprintable(word):
            raise QfError(f"“{word[:WORD_MOST]}” is not one word of at most {WORD_MOST} letters")
    return evolve(dice, words=words + ("",) * (sides - len(words)))


def read_seal(extra: Mapping[str, object]) -> Seal | None:
    """Read the seal of a save from its header; None if the header has none.

    Raises:
        QfError: The part of the header is no seal.
    """
    part = extra.get(PART)
    if part is None:
        return None
    digest, words = (part.get("seal"), part.get("words")) if isinstance(part, dict) else (None, None)
    try:
        is_digest = isinstance(digest, str) and len(bytes.fromhex(digest)) == SEED_BYTES
    except ValueError:
        is_digest = False
    if not (is_digest and isinstance(words, list) and all(isinstance(word, str) for word in words)):
        raise QfError("the header's “dice” are not a seal (64 hexadecimal digits) and a list of words")
    return Seal(str(digest), tuple(words))


def find_reveal(log: Iterable[LogAct]) -> LogAct | None:
    """Find the act that revealed the seed, or return None; an act that was taken back counts."""
    return next((act for act in log if act.version and act.version.order.form is REVEAL), None)


def list_seal_words(digest: str) -> tuple[str, ...]:
    """Return the first 88 bits of a hexadecimal seal as eight words."""
    return to_words(digest, WORDS)


def list_seal_texts(extra: Mapping[str, object]) -> tuple[str, ...]:
    """List the texts about sealed dice for pages and sheets; () if the battle has no sealed dice."""
    seal = read_seal(extra)
    if seal is None:
        return ()
    words = ", ".join(word or "(none)" for word in seal.words)
    return (f"seal: {' '.join(list_seal_words(seal.digest))}", seal.digest, f"words of the sides: {words}")


def build_seal_qr(digest: str) -> Rows:
    """Build the QR code of the whole seal, in capitals."""
    return build_qr_rows(digest.upper())
