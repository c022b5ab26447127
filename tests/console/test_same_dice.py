"""Typed dice in every place: the same keys give the same faces or the same refusal."""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from random import Random

import pytest

from qf_tui.console.entry.form_state import DICE_FIELD, Filling, FormReading
from qf_tui.console.entry.preview import Preview, preview_form, preview_line
from qf_tui.console.entry.volley_rows import VolleyDesk
from qf_tui.console.reading.source import format_findings
from qf_tui.core.availability import find_volleys
from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.declarations import PreparedOrder
from qf_tui.core.grammar import kinds
from qf_tui.core.grammar.names import FACE_KEYS, Reach, format_typed_faces
from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Battle, Die, Faces, Form, Order, Slot
from qf_tui.session import Session
from tests.console.playing import Table, begin_tiny, with_console
from tests.console.test_volley import BareVolley, at_yellow_sea
from tests.tiny import SHIP, TARGET, Tiny

SLOTS = (
    SHIP,
    Slot("guns", kinds.CHOICE, "the guns", choices=("bow", "stern")),
    TARGET,
    Slot("range", kinds.MEASURE, "the range", choices=("near", "far"), to="target"),
)
THROW = Form("throw", "f", "Throw", SLOTS, dice="D D D", phases=("sail",), help="throws dice")
SHOT = {"ship": "ship-1", "guns": "bow", "target": "ship-2", "range": "near"}
LINE = " ".join(("throw", *SHOT.values()))
MISSES = 8
"""The least face of a named die after which no further die is needed."""


class Throws(Tiny):
    """Tiny with an order that throws dice: one after the other if they have names, or else together."""

    forms = (*Tiny.forms, THROW)

    def __init__(self, dice: tuple[Die, ...]) -> None:
        self.dice = dice

    def is_enough(self, faces: Faces) -> bool:
        """Return whether these faces need no further die."""
        misses = bool(self.dice[0].name and faces and faces[0] >= MISSES)
        return misses or len(faces) == len(self.dice)

    def prepare(self, battle: Battle, order: Order) -> PreparedOrder:
        if order.word != THROW.word:
            return super().prepare(battle, order)

        def decide(faces: Faces, builder: DecisionBuilder) -> None:
            builder.because(format_typed_faces(faces))

        return PreparedOrder(
            dice=self.dice,
            missing=lambda faces: () if self.is_enough(faces) else self.dice[len(faces) :],
            judge=lambda faces: faces,
            decide=decide,
            declare=lambda builder: builder.remember("throw", "ship-1"),
            owes="throw",
            prompt="a throw",
            ship="ship-1",
        )


def begin(system: RuleSystem) -> Session:
    return Session.begin(system, begin_tiny().battle)


Read = tuple[Faces, str]
"""The faces with which an order may be entered, or why it may not."""
Place = Callable[[str], Read]


def read_preview(seen: Preview) -> Read:
    fault = seen.dice.fault or format_findings(seen.findings)
    return ((), fault) if fault or seen.order is None else (seen.order.dice, "")


def find_places(system: Throws) -> dict[str, Place]:
    """Return every place that takes dice, by name, as a function of the typed keys."""
    session, declared = begin(system), begin(system)
    key = declared.enter(LINE).newly_owed[0].key
    desk = VolleyDesk(session, find_volleys(system, "sail"), (session.battle.ships["ship-1"],))
    for name, text in SHOT.items():
        desk.replace_row(desk.row.with_text(name, text))
    desk.column = DICE_FIELD
    scope = session.find_scope(Reach.ANYWHERE)

    def in_form(text: str, *, amended: bool = False) -> Read:
        fields = FormReading.read(scope, Filling(THROW, {**SHOT, DICE_FIELD: text}))
        return read_preview(
            preview_form(session, fields, DICE_FIELD, 80, session.battle if amended else None)
        )

    def in_volley(text: str) -> Read:
        desk.replace_row(desk.row.with_text(DICE_FIELD, ""))
        for sign in text:
            if sign == " ":
                desk.end_die()
            else:
                desk.type_die(sign)
        read, fault = desk.read_row(0), desk.accept_column()
        order = read.with_dice
        return (order.dice, "") if order is not None else ((), fault)

    return {
        "the bar": lambda text: read_preview(preview_line(session, f"{LINE} {text}")[1]),
        "an owed roll": lambda text: read_preview(preview_line(declared, text, key)[1]),
        "a dialog": in_form,
        "the dialog of an entry": lambda text: in_form(text, amended=True),
        "the volley": in_volley,
    }


def list_typings(faces: Faces) -> Iterator[tuple[str, bool]]:
    """List the ways to type faces, and whether each leaves no doubt."""
    by_face = {face: key for key, face in FACE_KEYS.items()}
    yield " ".join(map(str, faces)), True
    yield "".join(by_face.get(face, f" {face} ") for face in faces).strip(), True
    yield "".join(map(str, faces)), False


def split_digits(digits: str, dice: Sequence[Die]) -> Iterator[Faces]:
    """List every way to split digits into faces of these dice, one after the other."""
    if not digits:
        yield ()
    for length in range(1, len(digits) + 1) if dice else ():
        if digits[:length] in map(str, dice[0].faces):
            for rest in split_digits(digits[length:], dice[1:]):
                yield (int(digits[:length]), *rest)


def press_keys(text: str, keys: str) -> str:
    """Return a text after more keys."""
    for key in keys.split():
        text = text[:-1] if key == "Backspace" else text + {"Space": " "}.get(key, key)
    return text


def read_advice(doubt: str) -> dict[Faces, str]:
    """Read the keys that a doubt names, by the faces that they should give."""
    parts = re.findall(r"(?:press|or) ((?:\w+ )+)for ([\d, and]+)", doubt)
    return {tuple(map(int, re.findall(r"\d+", faces))): keys for keys, faces in parts}


def list_faces(sides: int, count: int) -> list[Faces]:
    """List every pair; of many triples, a sample with a fixed seed."""
    every = list(product(range(1, sides + 1), repeat=count))
    return every if len(every) < 300 else Random(1904).sample(every, 100)


@pytest.mark.parametrize("names", [("black", "white", "blue"), ("", "", "")], ids=["singly", "at-once"])
@pytest.mark.parametrize("count", [2, 3])
@pytest.mark.parametrize("sides", [6, 10, 12])
def test_the_same_keys_give_the_same_dice_in_every_place(
    sides: int, count: int, names: tuple[str, ...]
) -> None:
    """Detect a place with its own dice reader, and a doubt whose keys give other faces."""
    dice = tuple(Die(sides, name) for name in names[:count])
    system = Throws(dice)
    places = find_places(system)
    for faces in list_faces(sides, count):
        for text, sure in list_typings(faces):
            found = {place: read(text) for place, read in places.items()}
            assert len(set(found.values())) == 1, (text, found)
            read, fault = next(iter(found.values()))
            ways = [faces] if sure else [way for way in split_digits(text, dice) if system.is_enough(way)]
            assert read == (ways[0] if len(ways) == 1 else ()), (text, fault)
            for way, keys in read_advice(fault).items():
                assert way in ways
                assert places["the volley"](press_keys(text, keys)) == (way, ""), (text, keys)
            assert len(read_advice(fault)) == min(3, len(ways)) * (len(ways) > 1), (text, fault)


@pytest.mark.parametrize("text", ["1", "3 ", "1 2 3", "99", "0", "05", "3y4", "y"])
@pytest.mark.parametrize("sides", [6, 12])
def test_impossible_dice_are_refused_in_the_same_words_everywhere(sides: int, text: str) -> None:
    system = Throws((Die(sides, "black"), Die(sides, "white")))
    found = {place: read(text) for place, read in find_places(system).items()}
    assert len(set(found.values())) == 1, found


KEYS = ("38", "310", "311", "312", "3 12", "1 12", "12", "12 2", "1z", "z", "9", "91", "3111", "3", "3y4")
AIM = "fire mikasa heavy tsesarevich 41in"


def find_dice(session: Session) -> Faces:
    """Find the dice of the shot, or of the roll that it owed."""
    timeline = session.timeline
    return next((dice for n in reversed(timeline.play_order) if (dice := timeline.versions[n].dice)), ())


async def enter_at(table: Table, place: str, text: str) -> Faces:
    """Type keys and Enter in a place, undo it, and return the dice that were recorded."""
    keys = " ".join({" ": "space"}.get(sign, sign) for sign in text)
    opens = {
        "bar": f"slash {AIM.replace(' ', '_')}_",
        "dialog": "f h t s 4 1 space",
        "owed": "o",
        "amend": "h enter",
    }
    before = table.session.timeline
    await table.type(f"{opens[place]} {keys} enter")
    if place == "amend":
        await table.press("enter")
    entered = find_dice(table.session)
    table.session.timeline = before
    await table.press(*["escape"] * 4)
    table.screen.orders.stash, table.screen.orders.aside = "", None
    table.screen.show()
    return entered


@pytest.mark.parametrize("place", ["bar", "dialog", "owed", "amend"])
@with_console(at_yellow_sea)
async def test_keys_record_the_same_dice_in_every_place(table: Table, place: str) -> None:
    """Detect a dialog whose keys change the text before it is read."""
    alone = at_yellow_sea()
    if place in ("owed", "amend"):
        table.session.enter(AIM)
        table.screen.show()
    for text in KEYS:
        volley = BareVolley(alone)
        start = alone.timeline
        for key in f"t t s enter 4 1 enter up right {' '.join(text.replace(' ', '_'))} enter f2".split():
            volley.press("space" if key == "_" else key)
        assert await enter_at(table, place, text) == find_dice(alone), text
        alone.timeline = start
