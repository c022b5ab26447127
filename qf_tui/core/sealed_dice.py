"""Sealed dice: faces that a seed, the words of the sides and a called number make, for anybody to check.

The save-format page (`qf_tui.journal`) has the message to the byte. A byte that would favour some faces is
passed over, never reduced.
"""

import json
from collections.abc import Iterator, Sequence
from hashlib import sha256
from hmac import digest
from itertools import count

from attrs import field, frozen

from qf_tui.core.values import Die

SEALED = "sealed"
"""What a scenario says of its dice, to have them sealed."""
VERSION = "qf-dice-1"
SEED_BYTES = 32

Context = tuple[str, ...]
"""What tells a throw from all others of its battle."""


@frozen
class SealedDice:
    """The dice of one battle: its seed, and the words that its sides gave, "" for one that gave none."""

    seed: bytes = field(repr=False)
    words: tuple[str, ...] = ()

    @property
    def seal(self) -> str:
        """The seal that is shown before turn 1, in hexadecimal."""
        return seal_of(self.seed)

    def faces(self, context: Context, call: int, dice: Sequence[Die]) -> tuple[int, ...]:
        """The faces of dice that are thrown together."""
        cup = Cup(self, context, call)
        return tuple([cup.throw(die) for die in dice])


class Cup:
    """One throw of sealed dice while it is thrown; `thrown` are its dice so far."""

    def __init__(self, dice: SealedDice, context: Context, call: int) -> None:
        self.thrown: list[Die] = []
        self._bytes = _bytes_of(dice, context, call)

    def throw(self, die: Die) -> int:
        """The face of the next die."""
        fair = 256 - 256 % die.sides
        self.thrown.append(die)
        return die.least + next(byte for byte in self._bytes if byte < fair) % die.sides


def seal_of(seed: bytes) -> str:
    """The seal of a seed: its SHA-256 in hexadecimal."""
    return sha256(seed).hexdigest()


def message(words: Sequence[str], context: Context, call: int, counter: int) -> bytes:
    """What is hashed for 32 bytes of a throw."""
    lines = (VERSION, _json(context), _json(words), str(call), str(counter))
    return "\n".join(lines).encode()


def _json(texts: Sequence[str]) -> str:
    return json.dumps(list(texts), ensure_ascii=False, separators=(",", ":"))


def _bytes_of(dice: SealedDice, context: Context, call: int) -> Iterator[int]:
    for counter in count():
        yield from digest(dice.seed, message(dice.words, context, call, counter), "sha256")
