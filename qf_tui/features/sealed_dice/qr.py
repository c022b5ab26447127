"""QR codes: their rows of dark and light squares, and lines of block characters that draw them."""

from collections.abc import Sequence
from itertools import zip_longest

QUIET = 2
"""Light modules around a code."""
_BLOCKS = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}
"""The block for two modules, upper and lower; True is a dark module. Blocks are light on dark."""

Rows = tuple[tuple[bool, ...], ...]


def build_qr_rows(text: str) -> Rows:
    """Build the QR code of a text: its rows of modules, True for a dark one."""
    import segno

    return tuple(tuple(map(bool, row)) for row in segno.make_qr(text, error="l").matrix)


def draw_qr_blocks(code: Sequence[tuple[bool, ...]]) -> list[str]:
    """Draw a code as lines of blocks, light on dark, with a light border; [] without a code."""
    if not code:
        return []
    quiet_side = (False,) * QUIET
    quiet_row = (False,) * (len(code) + 2 * QUIET)
    rows = [
        *([quiet_row] * QUIET),
        *((*quiet_side, *row, *quiet_side) for row in code),
        *([quiet_row] * QUIET),
    ]
    return [
        "".join(_BLOCKS[pair] for pair in zip(above, below, strict=True))
        for above, below in zip_longest(rows[::2], rows[1::2], fillvalue=quiet_row)
    ]
