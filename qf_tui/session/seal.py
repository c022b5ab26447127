"""The seal of sealed dice as people take it down: eight words for reading aloud, and a QR code of the whole.

The words are those of BIP-39 in English (`seal_words.txt`, MIT, © Pavol Rusnak and others): 2048 of at most
eight letters, no two of which begin with the same four.
"""

from collections.abc import Mapping
from functools import cache

from qf_tui.session.dice import seal_in
from qf_tui.session.qr import Rows, qr_rows

WORDS = 8
_BITS = 11


def seal_words(digest: str) -> tuple[str, ...]:
    """The first 88 bits of a seal (in hexadecimal) as eight words."""
    number = int(digest[: WORDS * _BITS // 4], 16)
    listed = _listed()
    return tuple(listed[number >> _BITS * at & (1 << _BITS) - 1] for at in reversed(range(WORDS)))


@cache
def _listed() -> tuple[str, ...]:
    from importlib.resources import files

    return tuple(files(__package__).joinpath("seal_words.txt").read_text("ascii").split())


def seal_texts(extra: Mapping[str, object]) -> tuple[str, ...]:
    """What a header says of sealed dice, as it is printed; () where none are sealed."""
    seal = seal_in(extra)
    if seal is None:
        return ()
    words = ", ".join(word or "(none)" for word in seal.words)
    return (f"seal: {' '.join(seal_words(seal.digest))}", seal.digest, f"words of the sides: {words}")


def seal_qr(digest: str) -> Rows:
    """The whole seal, in capitals, as the rows of a QR code; () without `segno` (extra `board`)."""
    return qr_rows(digest.upper())
