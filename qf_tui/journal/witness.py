"""The log's witness: what stands for a whole log as it was when a phase ended, worked out by whoever reads.

It is a SHA-256 of the bytes of a save from the first up to and with the line of an entry that ended a phase:
its first 128 bits for pages, its first 88 as eight words for eyes. It is kept in no file, and is not made of
the lines' checksums, which are too short for that. Such entries carry random bits (`nonce`): without these,
whoever knows a witness could try which hidden lines give it. An entry of an older save has none, and so no
witness. A correction only adds a line: what was witnessed before stays, behind an entry that was struck too.
"""

import os
from contextlib import suppress
from functools import cache
from hashlib import sha256

from attrs import frozen

from qf_tui.journal.disk import open_plain_file
from qf_tui.journal.lines import object_of, parsed, stated_sum

DIGITS = 32
"""Hexadecimal digits of a witness: 128 bits."""
WORDS, WORDS_LEAST = 8, 4
"""Words of a witness as they are shown; the fewest that are looked up, as old versions showed them."""
_BITS = 11
_NONCE = b',"nonce":"'


def in_words(digest: str, count: int) -> tuple[str, ...]:
    """The first bits of a digest (in hexadecimal), 11 a word."""
    number = int(digest, 16) >> 4 * len(digest) - _BITS * count
    listed = word_list()
    return tuple(listed[number >> _BITS * at & (1 << _BITS) - 1] for at in reversed(range(count)))


@cache
def word_list() -> tuple[str, ...]:
    """The English words of BIP-39."""
    from importlib.resources import files

    return tuple(files(__package__).joinpath("words.txt").read_text("ascii").split())


@frozen
class Witness:
    """The witness of a log behind the entry of that number, in hexadecimal."""

    number: int
    digest: str

    @property
    def words(self) -> str:
        """The same for eyes."""
        return " ".join(in_words(self.digest, WORDS))


class Witnesses:
    """The witnesses of one save, `known` as far as it was read, in the order of its lines."""

    def __init__(self) -> None:
        self.known: tuple[Witness, ...] = ()
        self._log = sha256()
        self._length = 0

    def read_on(self, save: str | os.PathLike[str], length: int, last_sum: str) -> tuple[Witness, ...]:
        """All of a save up to a length, where its last line has that checksum; else those known."""
        if length > self._length:
            with suppress(OSError, ValueError), open_plain_file(save) as file:
                file.seek(self._length)
                lines = file.read(length - self._length)
                if len(lines) == length - self._length and stated_sum(lines[-DIGITS:]) == last_sum:
                    self.take(lines)
        return self.known

    def take(self, lines: bytes) -> None:
        """Goes on with whole lines of a sound save."""
        self._length += len(lines)
        taken = 0
        while (found := lines.find(_NONCE, taken)) >= 0:
            begins, ends = lines.rfind(b"\n", 0, found) + 1, lines.index(b"\n", found) + 1
            self._log.update(lines[taken:ends])
            taken = ends
            # Other values may have parts of that name.
            entry = object_of(parsed(lines[begins : ends - 1]))
            if entry.get("nonce"):
                witness = Witness(int(entry["n"]), self._log.hexdigest()[:DIGITS])
                self.known = (*self.known, witness)
        self._log.update(lines[taken:])
