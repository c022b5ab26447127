"""Dice as people type them: which faces some digits are, where the rules say which of them make an order."""

from collections.abc import Sequence

from qf_tui.core.frozen import evolve, frozen
from qf_tui.core.grammar import kinds
from qf_tui.core.grammar.names import are_dice, faces_typed, readings
from qf_tui.core.grammar.reader import Reading
from qf_tui.core.values import CALL, Battle, Die, Faces, Order
from qf_tui.session.session import Session

MOST_READINGS = 8
"""Readings of typed digits that the rules are still asked about."""


@frozen
class DiceReading:
    """An order with its dice: `named` are the faces with their dice, `doubt` is what only a space can settle.

    `asked` are all dice whose faces may be typed for it: none where they are sealed.
    """

    order: Order | None = None
    named: str = ""
    doubt: str = ""
    asked: tuple[Die, ...] = ()


def read_dice(session: Session, reading: Reading, battle: Battle | None = None) -> DiceReading:
    """What the dice of a reading are taken for; `battle` is the one as it stands unless another is named."""
    order = reading.order
    if order is not None and order.call is not None:
        return DiceReading(order, f"{CALL} {order.call}")
    if order is None or any(slot.kind is kinds.DIE for slot in order.form.slots):
        return DiceReading(order)
    bare = evolve(order, dice=())
    asked = session.preview_order(bare, battle, figures=False).dice
    keys_for = () if session.sealed else asked
    if not are_dice(reading.dice):
        return DiceReading(order, asked=keys_for)
    ways = faces_meant(session, bare, reading.dice, asked, battle)
    if len(ways) != 1:
        return DiceReading(order, doubt=doubt_text(ways), asked=keys_for)
    named = [f"{die.name} {face}".strip() for die, face in zip(asked, ways[0], strict=False)]
    return DiceReading(evolve(order, dice=ways[0]), " · ".join(named), asked=keys_for)


def faces_meant(
    session: Session, bare: Order, text: str, asked: Sequence[Die], battle: Battle | None = None
) -> tuple[Faces, ...]:
    """The readings of typed dice with which an order may be entered; several if only a space can settle it.

    `bare` is the order without them, `asked` the dice that it wants. Where no reading will do, the words as
    they stand, for the rules to refuse.
    """
    ways = readings(text, asked)
    if 1 < len(ways) <= MOST_READINGS:
        seen = [
            (faces, session.preview_order(evolve(bare, dice=faces), battle, figures=False)) for faces in ways
        ]
        whole = tuple(faces for faces, preview in seen if preview.fine and not preview.missing)
        # What a rule refuses all the same is read as the dice would lie on the table: all of them.
        ways = whole or tuple(faces for faces in ways if len(faces) == len(asked)) or ways
    return ways or (faces_typed(text),)


def doubt_text(ways: Sequence[Faces]) -> str:
    """The doubt about dice that may be read in several ways."""
    texts = ", or ".join(" and ".join(str(face) for face in faces) for faces in ways[:3])
    return f"these dice may be {texts}: type a space between dice"
