"""Dice as they are typed: `48` are a 4 and an 8 wherever that can mean nothing else; a space tells them apart."""

from collections.abc import Callable, Sequence

from attrs import frozen

from qf_tui.console.entry.form_state import DICE, Filling
from qf_tui.console.entry.meaning import Reader
from qf_tui.core.forms import Kind
from qf_tui.core.values import Die
from qf_tui.session import OrderPreview, Session

Faces = tuple[int, ...]

MOST_DIGITS, MOST_READINGS = 12, 8
"""Digits without a space that are still taken apart; readings of them that the rules are still asked about."""


def are_dice(text: str) -> bool:
    """Whether a text is of digits alone, and of so few that they may be dice."""
    words = text.replace(",", " ").split()
    return bool(words) and all(w.isascii() and w.isdigit() and len(w) <= MOST_DIGITS for w in words)


def as_typed(text: str) -> Faces:
    """Each word of a text as one face."""
    return tuple(int(word) for word in text.replace(",", " ").split())


def readings(text: str, dice: Sequence[Die]) -> tuple[Faces, ...]:
    """All that typed digits may mean as faces of those dice, in their order.

    A word with a space behind it is one face if its die has that face; other words are taken apart.
    """
    if not are_dice(text):
        return ()
    words = text.replace(",", " ").split()
    found: list[Faces] = [()]
    for place, word in enumerate(words):
        ended = place < len(words) - 1 or text[-1] in " ,"
        found = [(*faces, *more) for faces in found for more in _read(word, dice[len(faces) :], ended)]
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


def faces_meant(session: Session, line: str, text: str) -> tuple[Faces, ...]:
    """The readings of typed dice with which an order may be entered; several if only a space can tell.

    `line` is the order without them. Where no reading will do, the words as they stand, for the rules to refuse.
    """
    if not are_dice(text):
        return ()
    asked = session.preview_order(line).dice
    found = readings(text, asked)
    if 1 < len(found) <= MOST_READINGS:
        found = _playable(found, lambda faces: session.preview_order(said(line, faces)), asked) or found
    return found or (as_typed(text),)


def _playable(
    found: tuple[Faces, ...], ask: Callable[[Faces], OrderPreview], dice: Sequence[Die]
) -> tuple[Faces, ...]:
    seen = [(faces, ask(faces)) for faces in found]
    whole = tuple(faces for faces, prospect in seen if prospect.fine and not prospect.missing)
    # What a rule refuses all the same is read as the dice would lie on the table: all of them.
    return whole or tuple(faces for faces in found if len(faces) == len(dice))


def said(line: str, faces: Faces) -> str:
    """An order with its dice."""
    return " ".join([line, *(str(face) for face in faces)])


def doubtful(found: Sequence[Faces]) -> str:
    """What is to be said of dice that may be read in several ways."""
    ways = ", or ".join(" and ".join(str(face) for face in faces) for faces in found[:3])
    return f"these dice may be {ways}: a space tells them apart"


@frozen
class Dicing:
    """A dialog's order with its dice: `said` names each face with its die, `doubt` is what only a space can tell."""

    line: str
    said: str = ""
    doubt: str = ""


def dicing(session: Session, reader: Reader, filling: Filling) -> Dicing:
    """What the dice of a dialog are taken for."""
    text = filling.text(DICE)
    if not text.strip() or any(slot.kind is Kind.DIE for slot in filling.form.slots):
        return Dicing(reader.order(filling))
    bare = reader.order(filling.with_text(DICE, ""))
    found = faces_meant(session, bare, text)
    if len(found) != 1:
        return Dicing(reader.order(filling), doubt=doubtful(found) if found else "")
    dice = session.preview_order(bare).dice
    named = [f"{die.name} {face}".strip() for die, face in zip(dice, found[0], strict=False)]
    return Dicing(said(bare, found[0]), " · ".join(named))
