"""Dice typed in a volley: digits alone, and whether a shot has all that it needs of them."""

from collections.abc import Callable

from attrs import evolve, frozen

from qf_tui.console.entry.dice_input import doubtful
from qf_tui.core.errors import OrderRefused
from qf_tui.core.grammar.dice_text import Faces, readings
from qf_tui.core.grammar.line import read_call
from qf_tui.core.grammar.order import Order
from qf_tui.core.values import Battle
from qf_tui.session import Session


@frozen
class ShotDice:
    """What typed digits are taken for: the faces that a shot needs, once they are there.

    With sealed dice they are a `call`, which throws the faces.
    `sure`: no digit behind them could make other faces of them. `doubt` is what only a space can tell.
    """

    faces: Faces | None = None
    sure: bool = False
    doubt: str = ""
    call: int | None = None


def shot_dice(session: Session, bare: Order, text: str, battle: Battle | None = None) -> ShotDice:
    """Reads the digits typed for an order without its dice; dice that a result does not need are left out."""
    if session.sealed:
        return _called(text)
    dice = session.preview_order(bare, battle, figures=False).dice
    known: dict[Faces, Faces | None] = {}

    def needed(faces: Faces) -> Faces | None:
        if faces not in known:
            known[faces] = _needed(session, bare, faces, battle)
        return known[faces]

    found = _complete(readings(text, dice), needed)
    if len(found) > 1:
        return ShotDice(doubt=doubtful(found))
    if not found:
        fits = not text.strip() or readings(text, dice)
        return ShotDice(doubt="" if fits else f"{text.strip()}: no such dice")
    later = (_complete(readings(f"{text}{digit}", dice), needed) for digit in range(10))
    return ShotDice(found[0], sure=all(set(ways) <= set(found) for ways in later))


def _called(text: str) -> ShotDice:
    """The call that digits are, done with by a space."""
    try:
        call = read_call(text.split())
    except OrderRefused as refusal:
        return ShotDice(doubt=str(refusal))
    return ShotDice((), sure=text.endswith(" "), call=call)


def _complete(ways: tuple[Faces, ...], needed: Callable[[Faces], Faces | None]) -> list[Faces]:
    """The faces that a shot needs, in each reading that has them all."""
    return list(dict.fromkeys(faces for way in ways if (faces := needed(way)) is not None))


def _needed(session: Session, bare: Order, faces: Faces, battle: Battle | None) -> Faces | None:
    """The first of some faces that are enough; None where they are not, or are refused."""
    for count in range(1, len(faces) + 1):
        seen = session.preview_order(evolve(bare, dice=faces[:count]), battle, figures=False)
        if not seen.fine:
            return None
        if not seen.missing:
            return faces[:count]
    return None
