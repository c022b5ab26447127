"""The seal of sealed dice, to be taken down before turn 1 and looked up later."""

from collections.abc import Sequence

from textual.content import Content

from qf_tui.console.widgets.text import literal
from qf_tui.session.dice import NOTHING_PROVED, Seal
from qf_tui.session.qr import qr_blocks
from qf_tui.session.seal import seal_qr, seal_words


def qr_lines(digest: str) -> list[Content]:
    """The whole seal as a QR code, two modules a cell; [] where no code can be made."""
    return [literal(line, "#ffffff on #000000") for line in qr_blocks(seal_qr(digest))]


def word_lines(digest: str) -> list[Content]:
    """The eight words of a seal, two a line, numbered."""
    words = [f"{place} {word}" for place, word in enumerate(seal_words(digest), 1)]
    return [literal(f"{one:<14}{other}", "bold") for one, other in zip(words[::2], words[1::2], strict=True)]


def seal_lines(seal: Seal, sides: Sequence[str], secret: bool) -> list[Content]:
    """What is to be said of sealed dice: seal, words of the sides; `secret`: the seed is, still."""
    given = (f"{side}: {word or '(none)'}" for side, word in zip(sides, seal.words, strict=False))
    state = (
        "a call throws the dice" if secret else "the seed is revealed, or not here: the dice are the table's"
    )
    return [
        literal(state),
        literal(f"words: {' · '.join(given)}"),
        *([] if seal.proves else [literal(NOTHING_PROVED, "$text-warning")]),
        literal(f"seal: {' '.join(seal_words(seal.digest))}"),
        *qr_lines(seal.digest),
        literal(seal.digest, "$quiet"),
    ]
