"""What typed dice are taken for: `48` are a 4 and an 8 wherever that can mean nothing else.

A space tells them apart.
"""

from collections.abc import Callable, Iterable, Sequence

from attrs import evolve, frozen
from textual.widgets import Input

from qf_tui.core.grammar import kinds
from qf_tui.core.grammar.dice_text import Faces, are_dice, face_keys, faces_typed, readings
from qf_tui.core.grammar.order import CALL, Order
from qf_tui.core.grammar.reading import Reading
from qf_tui.core.values import Battle, Die
from qf_tui.session import OrderPreview, Session

MOST_READINGS = 8
"""Readings of typed digits that the rules are still asked about."""


@frozen
class Dicing:
    """An order with its dice: `said` names each face with its die, `doubt` is what only a space can tell.

    `asked` are all dice whose faces may be typed for it: none where they are sealed.
    """

    order: Order | None = None
    said: str = ""
    doubt: str = ""
    asked: tuple[Die, ...] = ()


def dicing(session: Session, reading: Reading, battle: Battle | None = None) -> Dicing:
    """What the dice of a reading are taken for; `battle` is the one as it stands unless another is named."""
    order = reading.order
    if order is not None and order.call is not None:
        return Dicing(order, f"{CALL} {order.call}")
    if order is None or any(slot.kind is kinds.DIE for slot in order.form.slots):
        return Dicing(order)
    bare = evolve(order, dice=())
    asked = session.preview_order(bare, battle, figures=False).dice
    keys_for = () if session.sealed else asked
    if not are_dice(reading.dice):
        return Dicing(order, asked=keys_for)
    found = faces_meant(session, bare, reading.dice, asked, battle)
    if len(found) != 1:
        return Dicing(order, doubt=doubtful(found), asked=keys_for)
    named = [f"{die.name} {face}".strip() for die, face in zip(asked, found[0], strict=False)]
    return Dicing(evolve(order, dice=found[0]), " · ".join(named), asked=keys_for)


def put_face(field: Input, dice: Iterable[Die], key: str) -> bool:
    """Puts the face that a key stands for to the cursor of a field; whether such dice have that face."""
    face = face_keys(dice).get(key.lower())
    if face is not None:
        start, end = sorted(field.selection)
        text = f"{field.value[:start].rstrip()} {face} ".lstrip()
        field.value = text + field.value[end:].lstrip()
        field.cursor_position = len(text)
    return face is not None


def faces_meant(
    session: Session, bare: Order, text: str, asked: Sequence[Die], battle: Battle | None = None
) -> tuple[Faces, ...]:
    """The readings of typed dice with which an order may be entered; several if only a space can tell.

    `bare` is the order without them, `asked` the dice that it wants. Where no reading will do, the words as
    they stand, for the rules to refuse.
    """
    found = readings(text, asked)
    if 1 < len(found) <= MOST_READINGS:

        def ask(faces: Faces) -> OrderPreview:
            return session.preview_order(evolve(bare, dice=faces), battle, figures=False)

        found = _playable(found, ask, asked) or found
    return found or (faces_typed(text),)


def _playable(
    found: tuple[Faces, ...], ask: Callable[[Faces], OrderPreview], dice: Sequence[Die]
) -> tuple[Faces, ...]:
    seen = [(faces, ask(faces)) for faces in found]
    whole = tuple(faces for faces, preview in seen if preview.fine and not preview.missing)
    # What a rule refuses all the same is read as the dice would lie on the table: all of them.
    return whole or tuple(faces for faces in found if len(faces) == len(dice))


def doubtful(found: Sequence[Faces]) -> str:
    """What is to be said of dice that may be read in several ways."""
    ways = ", or ".join(" and ".join(str(face) for face in faces) for faces in found[:3])
    return f"these dice may be {ways}: a space tells them apart"
