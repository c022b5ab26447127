"""The witness: a digest of the whole log of a battle at the end of a phase, also as eight words to read out.

The witness of an entry with a `nonce` is the SHA-256 of all bytes of the save, up to and including the line
feed of that entry. Pages have its first 128 bits. People read its first 88 bits, as eight words of
`words.txt` with 11 bits each. The witness is computed when needed, and stored in no file. It is not computed
from the checksums of the lines, which are too short for that.

The nonce is random: without it, a person who knows a witness could try which hidden lines give it. Entries
of older saves have no nonce, and so no witness. A correction only adds a line, so earlier witnesses stay
valid, also after an entry that was struck.
"""

from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from hashlib import sha256
from typing import Protocol
from weakref import WeakKeyDictionary

from attrs import frozen

from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Timeline
from qf_tui.document.acts import format_begun_phase
from qf_tui.document.values import GAP, Line, Tone, build_line
from qf_tui.features.sealed_dice import NONCE
from qf_tui.journal.disk import open_without_waiting
from qf_tui.journal.lines import Extent, decode_json, read_object, read_stated_sum

DIGITS = 32
"""Hexadecimal digits of a witness: 128 bits."""
WORDS, WORDS_LEAST = 8, 4
"""Number of words of a witness, and the fewest that can be looked up (old versions showed four)."""
_BITS = 11
_NONCE = f',"{NONCE}":"'.encode()


def to_words(digest: str, count: int) -> tuple[str, ...]:
    """Convert the first bits of a hexadecimal digest to `count` words, 11 bits each."""
    # A hexadecimal digit has 4 bits; the bits after those of the words are dropped.
    bits = int(digest, 16) >> (4 * len(digest) - _BITS * count)
    word_list = read_word_list()
    words_from_last = []
    for _ in range(count):
        bits, index = divmod(bits, len(word_list))
        words_from_last.append(word_list[index])
    return tuple(reversed(words_from_last))


@cache
def read_word_list() -> tuple[str, ...]:
    """Read the list of 2048 English words of BIP-39."""
    from importlib.resources import files

    return tuple(files(__package__).joinpath("words.txt").read_text("ascii").split())


@frozen
class Witness:
    """The witness of a log after an entry: a digest of the whole log so far.

    Attributes:
        digest: The witness in hexadecimal.
    """

    number: int
    digest: str

    @property
    def words(self) -> str:
        """The witness as words."""
        return " ".join(to_words(self.digest, WORDS))


class Witnesses:
    """The witnesses of one save, in the order of its lines.

    Attributes:
        computed: The witnesses that were computed so far.
    """

    def __init__(self) -> None:
        self.computed: tuple[Witness, ...] = ()
        # The digest of the save as far as it was read, the bytes read, and the checksum of the last line.
        self._log = sha256()
        self._length = 0
        self._sum = ""

    def read_on(self, extent: Extent) -> tuple[Witness, ...]:
        """Read the rest of a save, or the whole save if the log was replaced, and return all witnesses.

        If the file does not match `extent`, return the witnesses known so far.
        """
        if (extent.length, extent.last_sum) == (self._length, self._sum):
            return self.computed
        with suppress(OSError, ValueError), open_without_waiting(extent.path) as file:
            # The last DIGITS bytes of a line have its checksum. If the log was replaced, the checksum of the
            # line read last differs.
            file.seek(max(self._length - DIGITS, 0))
            line_end = file.read(DIGITS)
            is_continued = extent.length > self._length and read_stated_sum(line_end) == self._sum
            file.seek(self._length if is_continued else 0)
            lines = file.read(extent.length - file.tell())
            is_as_expected = (
                file.tell() == extent.length and read_stated_sum(lines[-DIGITS:]) == extent.last_sum
            )
            if is_as_expected:
                if not is_continued:
                    self.computed = ()
                    self._log, self._length = sha256(), 0
                self.hash_lines(lines)
                self._sum = extent.last_sum
        return self.computed

    def hash_lines(self, lines: bytes) -> None:
        """Hash further whole lines of a sound save, and add the witness after each entry with a nonce."""
        self._length += len(lines)
        hashed = 0
        while (nonce_at := lines.find(_NONCE, hashed)) >= 0:
            line_start = lines.rfind(b"\n", 0, nonce_at) + 1
            line_end = lines.index(b"\n", nonce_at) + 1
            self._log.update(lines[hashed:line_end])
            hashed = line_end
            # A value inside an entry may contain the same text, so the entry is decoded.
            entry = read_object(decode_json(lines[line_start : line_end - 1]))
            if entry.get(NONCE):
                witness = Witness(int(entry["n"]), self._log.hexdigest()[:DIGITS])
                self.computed = (*self.computed, witness)
        self._log.update(lines[hashed:])


class Source(Protocol):
    """A battle that may be kept in a save."""

    @property
    def extent(self) -> Extent | None: ...


_WITNESSES_BY_SOURCE: WeakKeyDictionary[Source, Witnesses] = WeakKeyDictionary()


def find_witnesses(source: Source) -> tuple[Witness, ...]:
    """Return the witnesses of a battle's log, in its order; () without a save.

    Each line of the save is read only once.
    """
    extent = source.extent
    return _WITNESSES_BY_SOURCE.setdefault(source, Witnesses()).read_on(extent) if extent is not None else ()


def list_witnesses(system: RuleSystem, timeline: Timeline, source: Source) -> Iterator[Line]:
    """Yield lines that explain witnesses, then the witnesses of a log, the latest first."""
    yield build_line("Eight words stand for the whole log at the start of a phase. Note them, and later")
    yield build_line("`verify SAVE --witness` shows whether it is still the same log.")
    yield GAP
    known = find_witnesses(source)
    for witness in reversed(known):
        phase_text = format_begun_phase(system, timeline, witness.number)
        yield build_line(f"{phase_text} (entry {witness.number})", witness.number)
        yield build_line(f"  {witness.words}", witness.number)
    if not known:
        yield build_line("There are none until a phase has ended, or without a save.", tone=Tone.QUIET)
