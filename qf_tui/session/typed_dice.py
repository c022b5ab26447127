"""Dice as people type them: one reader for every place where keys become faces.

The places collect text: the bar, the dialogs, the volley, owed rolls and `talk`. `read_dice` says which faces
it is, which dice are still missing, and what to press where it may be read in several ways.
"""

from collections.abc import Sequence
from itertools import zip_longest

from attrs import evolve, frozen

from qf_tui.core.builtin_forms import CORRECTIONS
from qf_tui.core.grammar import kinds
from qf_tui.core.grammar.names import (
    FACE_KEYS,
    expand_face_keys,
    faces_refused,
    faces_text,
    faces_typed,
    readings,
)
from qf_tui.core.grammar.reader import Reading
from qf_tui.core.text import joined
from qf_tui.core.values import CALL, Battle, Die, Faces, Order, is_pool
from qf_tui.session.session import OrderPreview, Session

MOST_READINGS = 8
"""Readings of typed digits that the rules are still asked about."""
SHOWN_MOST = 3
"""Readings that a doubt names."""


@frozen
class DiceReading:
    """An order with the dice that were typed for it.

    Attributes:
        order: The order with its faces; None while it is not complete.
        asked: All dice whose faces may be typed for it; none where a call throws them.
        faces: The faces, if they can be read in one way only.
        missing: The dice that it still asks for.
        spare: How many of the last faces its result does not need.
        kept: How many of the last faces were not typed: those of the entry that is amended.
        doubt: What to press for each way in which the digits can be read.
    """

    order: Order | None = None
    asked: tuple[Die, ...] = ()
    faces: Faces = ()
    missing: tuple[Die, ...] = ()
    spare: int = 0
    kept: int = 0
    doubt: str = ""

    @property
    def named(self) -> str:
        """The faces with their dice: `black 3 · white 8`, in brackets those that are kept."""
        if self.order is not None and self.order.call is not None:
            return f"{CALL} {self.order.call}"
        dice = zip_longest(self.asked, self.faces, fillvalue=None)
        texts = [f"{die.name if die else ''} {face}".strip() for die, face in dice if face is not None]
        typed = len(texts) - self.kept
        return " · ".join((*texts[:typed], *(f"({text})" for text in texts[typed:])))

    @property
    def spared(self) -> str:
        """The dice that the result does not need, with the faces that they show all the same."""
        if not self.faces or self.missing or self.doubt:
            return ""
        first = len(self.faces) - self.spare
        dice = zip_longest(self.asked[first:], self.faces[first:], fillvalue="")
        names = [f"{getattr(die, 'name', '') or die} {face}".strip() for die, face in dice]
        return f"{joined(names)} not needed" if names else ""

    @property
    def lacks(self) -> str:
        """The dice that are still missing, in words: `white D12 still missing`."""
        return lacks_text(self.missing)

    @property
    def alone(self) -> str:
        """What says in the order that the dice that were typed are all: `dice 2`."""
        slot = self.order.form.count_slot if self.order is not None and self.missing and self.faces else None
        return f"{slot.keyword} {len(self.faces)}" if slot is not None else ""

    @property
    def fault(self) -> str:
        """What keeps dice that were typed from being entered; "" also where none was typed."""
        if self.doubt or not self.faces:
            return self.doubt
        return f"{self.lacks}; `{self.alone}` says that these are all" if self.alone else self.lacks


def read_dice(
    session: Session,
    reading: Reading,
    battle: Battle | None = None,
    *,
    kept: Faces = (),
    line: bool = False,
) -> DiceReading:
    """Read the dice of an order that was typed, by the rules' own judgement of what makes an order.

    Args:
        session: The open battle.
        reading: The order as it was read; its dice are text.
        battle: The battle that the order is for, if not as it stands now.
        kept: The dice of the entry that is amended, which stay behind those that are typed.
        line: A doubt says what to type as a whole, and not what to press behind what is there.
    """
    order = reading.order
    if order is None or order.call is not None or order.form in CORRECTIONS:
        return DiceReading(order)
    if any(slot.kind is kinds.DIE for slot in order.form.slots):
        return DiceReading(order)
    bare = evolve(order, dice=())
    asks = session.preview_order(bare, battle, figures=False)
    asked = () if session.calls else asks.dice
    if not order.dice:
        missing = () if session.calls or session.throw is not None else asks.missing
        return DiceReading(order, asked, missing=missing)
    ways = _find_ways(session, bare, reading.dice, asks, battle)
    if len(ways) != 1:
        doubt = _format_doubt(ways, asks, "" if line else reading.dice)
        return DiceReading(order, asked, doubt=doubt)
    rest = kept[len(ways[0]) :]
    order = evolve(order, dice=ways[0] + rest)
    seen = session.preview_order(order, battle, figures=False)
    impossible = any(not finding.refused for finding in seen.findings)
    missing = () if impossible else _find_missing(session, order, asks, seen)
    return DiceReading(order, asked, order.dice, missing, seen.spare, len(rest))


def _find_ways(
    session: Session, bare: Order, text: str, asks: OrderPreview, battle: Battle | None
) -> tuple[Faces, ...]:
    """Return the readings of typed dice with which an order may be entered.

    Where there is none, the faces that come closest, for the rules to refuse.
    """
    ways = readings(text, asks.dice)
    if is_pool(asks.missing):
        full = tuple(faces for faces in ways if len(faces) == len(asks.missing))
        words = faces_typed(expand_face_keys(text))
        if full and len(words) > 1 and words in ways and words not in full:
            # Whoever parted the dice before may mean `12` as one too: the last one is then still to come.
            return (*full, words)
        ways = full or ways
    if 1 < len(ways) <= MOST_READINGS:
        seen = [session.preview_order(evolve(bare, dice=faces), battle, figures=False) for faces in ways]
        whole = tuple(
            faces
            for faces, one in zip(ways, seen, strict=True)
            if one.fine and not _find_missing(session, bare, asks, one)
        )
        # What a rule refuses all the same is read as the dice would lie on the table: all of them.
        ways = whole or tuple(faces for faces in ways if len(faces) == len(asks.dice)) or ways
    return ways or (faces_refused(text, asks.dice),)


def _find_missing(session: Session, order: Order, asks: OrderPreview, seen: OrderPreview) -> tuple[Die, ...]:
    """Return the dice that are missing behind those typed, of which the console may throw some."""
    needed = () if session.throw is not None else seen.missing
    if session.calls or order.forced:
        return needed
    return find_missing(asks.missing, seen.faces, needed)


def find_missing(asked: tuple[Die, ...], faces: Faces, needed: tuple[Die, ...]) -> tuple[Die, ...]:
    """Return the dice that people are still asked for, where the rules need some.

    Equal dice that are thrown together are all asked for: fewer enter only if the order says how many.
    """
    return asked[len(faces) :] if is_pool(asked) else needed


def lacks_text(missing: Sequence[Die]) -> str:
    """Format dice that are still missing: `white D12 still missing`."""
    counted = {die: missing.count(die) for die in missing}
    names = [str(die) if count == 1 else f"{count} {die}" for die, count in counted.items()]
    return f"{joined(names)} still missing" if names else ""


def _format_doubt(ways: Sequence[Faces], asks: OrderPreview, typed: str) -> str:
    """Say what to press, or without `typed` what to type, for each way in which digits can be read."""
    together = len(asks.missing) if is_pool(asks.missing) else 0
    if max(map(len, ways)) < together:
        return f"{together} dice are asked for: Space ends each"
    shown = sorted(ways, key=len)[:SHOWN_MOST]
    each = [f"{_keys_for(faces, asks.dice, typed)} for {joined([*map(str, faces)])}" for faces in shown]
    more = ", or another way" if len(ways) > len(shown) else ""
    verb = "press" if typed else "type"
    return f"these dice can be read in {len(ways)} ways: {verb} {', or '.join(each)}{more}"


def _keys_for(faces: Faces, dice: tuple[Die, ...], typed: str) -> str:
    """Return the fewest keys behind `typed` after which only these faces can be meant."""
    by_face = {face: key for key, face in FACE_KEYS.items()}
    figures, keyed = faces_text(faces), " ".join(by_face.get(face, str(face)) for face in faces)

    def keys_to(text: str) -> list[str]:
        kept = next((at for at, key in enumerate(typed) if text[at : at + 1] != key), len(typed))
        return ["Backspace"] * (len(typed) - kept) + [*text[kept:].replace(" ", "_")]

    fitting = (text for text in (figures, f"{figures} ", keyed) if readings(text, dice) == (faces,))
    keys = min(map(keys_to, fitting), key=len)
    return " ".join(keys).replace("_", "Space")
