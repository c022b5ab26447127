"""Reads the faces of dice as people type them, by one set of rules for every place where dice are typed.

`read_dice` finds the faces that the text means, the dice that are still missing, and the keys to press if the
text can be read in several ways.
"""

from collections.abc import Sequence
from itertools import zip_longest

from attrs import evolve, frozen

from qf_tui.core.builtin_forms import CORRECTIONS
from qf_tui.core.grammar import kinds
from qf_tui.core.grammar.names import (
    FACE_KEYS,
    expand_face_keys,
    find_refused_faces,
    format_typed_faces,
    list_readings,
    read_faces,
)
from qf_tui.core.grammar.reader import Reading
from qf_tui.core.text import join_as_sentence
from qf_tui.core.values import CALL, Battle, Die, Faces, Order, is_pool
from qf_tui.session.session import OrderPreview, Session

MOST_READINGS = 8
"""Most readings of typed digits for which the rules are asked."""
SHOWN_MOST = 3
"""Most readings that a message names."""


@frozen
class DiceReading:
    """An order with the dice that were typed for it.

    Attributes:
        order: The order with its faces, or None if it is not complete.
        asked: All dice that may be typed for it; none if a call throws them.
        faces: The faces, if there is only one reading.
        missing: Dice that it still needs.
        spare: Number of the last faces that its result does not need.
        kept: Number of the last faces that come from the amended entry and were not typed.
        doubt: The keys to press for each reading if there are several, or "".
    """

    order: Order | None = None
    asked: tuple[Die, ...] = ()
    faces: Faces = ()
    missing: tuple[Die, ...] = ()
    spare: int = 0
    kept: int = 0
    doubt: str = ""

    @property
    def faces_text(self) -> str:
        """The faces with the names of their dice, as `black 3 · (white 8)`; kept faces are in brackets.

        For an order with a call, it is `call 7` instead.
        """
        if self.order is not None and self.order.call is not None:
            return f"{CALL} {self.order.call}"
        dice = zip_longest(self.asked, self.faces, fillvalue=None)
        texts = [f"{die.name if die else ''} {face}".strip() for die, face in dice if face is not None]
        typed_count = len(texts) - self.kept
        return " · ".join((*texts[:typed_count], *(f"({text})" for text in texts[typed_count:])))

    @property
    def spare_text(self) -> str:
        """The text for dice that are not needed: `white 8 not needed`; "" if any are missing or in doubt."""
        if not self.faces or self.missing or self.doubt:
            return ""
        first_spare = len(self.faces) - self.spare
        # A die without a name is named by its kind, such as D12. A face beyond the dice that may be typed has
        # no die: it is named by its number alone.
        dice = zip_longest(self.asked[first_spare:], self.faces[first_spare:], fillvalue="")
        names = [f"{getattr(die, 'name', '') or die} {face}".strip() for die, face in dice]
        return f"{join_as_sentence(names)} not needed" if names else ""

    @property
    def missing_text(self) -> str:
        """The text for dice that are still missing: `white D12 still missing`, or ""."""
        return format_missing(self.missing)

    @property
    def fewer_dice_words(self) -> str:
        """The words by which an order accepts the dice typed so far: `dice 2`; "" if it cannot."""
        slot = self.order.form.count_slot if self.order is not None and self.missing and self.faces else None
        return f"{slot.keyword} {len(self.faces)}" if slot is not None else ""

    @property
    def fault(self) -> str:
        """Why the typed dice cannot be entered yet; "" if they can be, or if none is typed yet."""
        if self.doubt or not self.faces:
            return self.doubt
        if not self.fewer_dice_words:
            return self.missing_text
        return f"{self.missing_text}; add `{self.fewer_dice_words}` if these are all"


def read_dice(
    session: Session,
    reading: Reading,
    battle: Battle | None = None,
    *,
    kept: Faces = (),
    full_text: bool = False,
) -> DiceReading:
    """Read the dice that were typed for an order.

    A correction, an order with a call, and an order whose slots hold its dice have no typed dice.

    Args:
        reading: The order; its dice are still text.
        battle: Another battle that the order is for, or None.
        kept: Dice of the amended entry, which follow the typed ones.
        full_text: True if `doubt` shall have the whole text to type, not only the keys to press next.
    """
    order = reading.order
    if order is None or order.call is not None or order.form in CORRECTIONS:
        return DiceReading(order)
    if any(slot.kind is kinds.DIE for slot in order.form.slots):
        return DiceReading(order)
    without_dice = evolve(order, dice=())
    bare_preview = session.preview_order(without_dice, battle, figures=False)
    all_dice = () if session.calls else bare_preview.dice
    if not order.dice:
        missing = () if session.calls or session.throw is not None else bare_preview.missing
        return DiceReading(order, all_dice, missing=missing)
    readings = _find_readings(session, without_dice, reading.dice, bare_preview, battle)
    if len(readings) != 1:
        doubt = _format_doubt(readings, bare_preview, typed="" if full_text else reading.dice)
        return DiceReading(order, all_dice, doubt=doubt)
    (typed_faces,) = readings
    # The typed dice replace the first of the kept ones.
    kept_rest = kept[len(typed_faces) :]
    order = evolve(order, dice=typed_faces + kept_rest)
    preview = session.preview_order(order, battle, figures=False)
    impossible = any(not finding.refused for finding in preview.findings)
    # No dice make an impossible order possible, so it needs no more of them.
    missing = () if impossible else _find_missing(session, order, bare_preview, preview)
    return DiceReading(
        order,
        asked=all_dice,
        faces=order.dice,
        missing=missing,
        spare=preview.spare,
        kept=len(kept_rest),
    )


def _find_readings(
    session: Session, without_dice: Order, text: str, bare_preview: OrderPreview, battle: Battle | None
) -> tuple[Faces, ...]:
    """Find the readings of typed dice that make the order complete, or else the closest ones.

    The rules are not asked about more than MOST_READINGS readings. If the text has no reading, the result is
    faces that the rules will refuse.
    """
    readings = list_readings(text, bare_preview.dice)
    if is_pool(bare_preview.missing):
        pool_size = len(bare_preview.missing)
        full_readings = tuple(faces for faces in readings if len(faces) == pool_size)
        # `3 12` for a pool of three may be 3, 1 and 2, or 3 and 12 with a die to come. `312` is three dice.
        separated_faces = read_faces(expand_face_keys(text))
        is_other_reading = separated_faces in readings and len(separated_faces) not in (0, 1, pool_size)
        if full_readings and is_other_reading:
            return (*full_readings, separated_faces)
        readings = full_readings or readings
    if 1 < len(readings) <= MOST_READINGS:
        previews = [
            session.preview_order(evolve(without_dice, dice=faces), battle, figures=False)
            for faces in readings
        ]
        complete = tuple(
            faces
            for faces, preview in zip(readings, previews, strict=True)
            if preview.fine and not _find_missing(session, without_dice, bare_preview, preview)
        )
        # If the rules refuse every reading, prefer one with all the dice.
        with_all_dice = tuple(faces for faces in readings if len(faces) == len(bare_preview.dice))
        readings = complete or with_all_dice or readings
    return readings or (find_refused_faces(text, bare_preview.dice),)


def _find_missing(
    session: Session, order: Order, bare_preview: OrderPreview, preview: OrderPreview
) -> tuple[Die, ...]:
    """Find the dice that must still be typed; () if calls throw the dice.

    If the console throws, nothing must be typed, except the rest of a pool (dice thrown together) of which
    some dice were typed. A forced order needs no whole pool.
    """
    needed = () if session.throw is not None else preview.missing
    if session.calls or order.forced:
        return needed
    return find_missing(bare_preview.missing, preview.faces, needed)


def find_missing(all_dice: tuple[Die, ...], faces: Faces, needed: tuple[Die, ...]) -> tuple[Die, ...]:
    """Return the dice that players must still type.

    In a pool they type every die, even if the rules need fewer.

    Args:
        all_dice: All dice that the order may take.
        faces: Faces that were typed.
        needed: Dice that the rules still need.
    """
    return all_dice[len(faces) :] if is_pool(all_dice) else needed


def format_missing(missing: Sequence[Die]) -> str:
    """Format dice that are still missing: `white D12 still missing`, or ""."""
    count_by_die = {die: missing.count(die) for die in missing}
    names = [str(die) if count == 1 else f"{count} {die}" for die, count in count_by_die.items()]
    return f"{join_as_sentence(names)} still missing" if names else ""


def _format_doubt(readings: Sequence[Faces], bare_preview: OrderPreview, typed: str) -> str:
    """Format the keys to press for each of the shortest readings; without `typed`, the texts to type.

    If every reading has too few dice for a pool, say only how many dice it needs.
    """
    pool_size = len(bare_preview.missing) if is_pool(bare_preview.missing) else 0
    if max(map(len, readings)) < pool_size:
        return f"{pool_size} dice needed: press Space after each"
    shown_readings = sorted(readings, key=len)[:SHOWN_MOST]
    choices = [
        f"{_find_keys(faces, bare_preview.dice, typed)} for {join_as_sentence([*map(str, faces)])}"
        for faces in shown_readings
    ]
    more = ", or another way" if len(readings) > len(shown_readings) else ""
    verb = "press" if typed else "type"
    return f"these dice can be read in {len(readings)} ways: {verb} {', or '.join(choices)}{more}"


def _find_keys(faces: Faces, dice: tuple[Die, ...], typed: str) -> str:
    """Return the shortest series of keys that, pressed after `typed`, leaves only this reading."""
    key_by_face = {face: key for key, face in FACE_KEYS.items()}
    digits = format_typed_faces(faces)
    with_letters = " ".join(key_by_face.get(face, str(face)) for face in faces)

    def list_keys(text: str) -> list[str]:
        differences = (place for place, key in enumerate(typed) if text[place : place + 1] != key)
        kept_count = next(differences, len(typed))
        # `_` stands for the key Space, because spaces separate the keys.
        return ["Backspace"] * (len(typed) - kept_count) + [*text[kept_count:].replace(" ", "_")]

    clear_texts = (
        text for text in (digits, f"{digits} ", with_letters) if list_readings(text, dice) == (faces,)
    )
    keys = min(map(list_keys, clear_texts), key=len)
    return " ".join(keys).replace("_", "Space")
