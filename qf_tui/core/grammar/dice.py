"""Dice as they are typed: the words of a text that are dice, and the faces that digits may mean."""

import re
from collections.abc import Iterable, Mapping, Sequence

from attrs import frozen

from qf_tui.core.values import Die, Faces

DICE_MOST = 30
"""Digits without a space that are still taken for dice: the wander checks of a long line."""


FACE_KEYS: Mapping[str, int] = {"x": 10, "y": 11, "z": 12}
"""One key each for the faces of two digits: no digit typed behind one is ever taken for a part of it."""


_DIGITS = re.compile(rf"\d{{1,{DICE_MOST}}}", re.ASCII)
"""A die as it is typed, or several without a space between them."""


_WORD = re.compile(r"[^\s,]+")


@frozen
class DiceWord:
    """One word among typed dice, and where in their text it stands."""

    text: str
    start: int
    end: int

    @property
    def is_dice(self) -> bool:
        """Whether it is of digits alone, and of so few that they may be dice."""
        return bool(_DIGITS.fullmatch(self.text))


def dice_words(text: str) -> tuple[DiceWord, ...]:
    """The words of typed dice, and those among them that are none."""
    return tuple(DiceWord(found[0], *found.span()) for found in _WORD.finditer(text))


def first_no_dice(text: str) -> str:
    """The first word of a text that is no die; "" where all are, or where there is none."""
    return next((word.text for word in dice_words(text) if not word.is_dice), "")


def are_dice(text: str) -> bool:
    """Whether a text is of dice alone, and of one at least."""
    return bool(dice_words(text)) and not first_no_dice(text)


def faces_typed(text: str) -> Faces:
    """The faces that dice are, each word one of them."""
    return tuple(int(word.text) for word in dice_words(text))


def is_digit(sign: str) -> bool:
    """Whether a key is a digit as dice have them."""
    return len(sign) == 1 and sign.isascii() and sign.isdigit()


def faces_text(faces: Iterable[int]) -> str:
    """Faces as they would be typed."""
    return " ".join(map(str, faces))


def face_keys(dice: Iterable[Die]) -> Mapping[str, int]:
    """The keys for faces of two digits that some of these dice have."""
    most = max((die.most for die in dice), default=0)
    return {key: face for key, face in FACE_KEYS.items() if face <= most}


def face_keys_text(dice: Iterable[Die]) -> str:
    """Those keys as people read them: `x 10 · y 11 · z 12`; "" where no die has such faces."""
    return " · ".join(f"{key} {face}" for key, face in face_keys(dice).items())


def readings(text: str, dice: Sequence[Die]) -> tuple[Faces, ...]:
    """All that typed digits may mean as faces of those dice, in their order.

    A word with a space behind it is one face if its die has that face; other words are taken apart.
    """
    if not are_dice(text):
        return ()
    found: list[Faces] = [()]
    for word in dice_words(text):
        ended = word.end < len(text)
        found = [(*faces, *more) for faces in found for more in _read(word.text, dice[len(faces) :], ended)]
    return tuple(dict.fromkeys(found))


def _read(word: str, dice: Sequence[Die], ended: bool) -> list[Faces]:
    if ended and dice and int(word) in dice[0].faces:
        return [(int(word),)]
    return _apart(word, dice)


def _apart(word: str, dice: Sequence[Die]) -> list[Faces]:
    if not word:
        return [()]
    if not dice:
        return []
    found = []
    for length in (1, 2, 3):
        digits = word[:length]
        if len(digits) == length and digits == str(int(digits)) and int(digits) in dice[0].faces:
            found += [(int(digits), *rest) for rest in _apart(word[length:], dice[1:])]
    return found
