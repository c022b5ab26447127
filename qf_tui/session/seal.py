"""The seal of sealed dice as people take it down: eight words for reading aloud, and a QR code of the whole.

The words are those of BIP-39 in English (`seal_words.txt`, MIT, © Pavol Rusnak and others): 2048 of at most
eight letters, no two of which begin with the same four.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from itertools import zip_longest

from qf_tui.session.dice import seal_in

QUIET = 2
"""Light modules around a code."""
_BLOCKS = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}
"""Two modules over each other, dark or not, drawn light on dark."""

Rows = tuple[tuple[bool, ...], ...]


def qr_rows(text: str) -> Rows:
    """The modules of a code, dark or not; () without `segno` (extra `board`)."""
    with suppress(ImportError):
        import segno

        return tuple(tuple(map(bool, row)) for row in segno.make_qr(text, error="l").matrix)
    return ()


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
