"""What is recorded is what was said before Enter, and a digit goes nowhere but where the keyboard is.

Keys by chance, each with a look at the bar and at the fields before and behind it.
"""

import string
from collections.abc import Mapping
from typing import Any
from unittest.mock import patch

import pytest
from attrs import frozen
from hypothesis import given, settings
from hypothesis import strategies as st

from qf_tui.console.entry.controller import EndPhase, Proposal
from qf_tui.console.entry.dialog import OrderDialog
from qf_tui.core.builtin_forms import CORRECTIONS
from qf_tui.core.timeline import Entry
from qf_tui.core.values import Order
from qf_tui.session import Session
from tests.console.playing import Table, bench, keys_of, play
from tests.corrections.ground import Ground, Step, scheduled
from tests.corrections.grounds import GROUNDS
from tests.corrections.random_battles import RARE_KINDS, on_die

OPENS = {"colon", "o", "e", "quotation_mark", "up", "down", "tab", "a", "f7"}
"""Keys that put text into the bar which is not typed by them."""


@frozen
class Seen:
    """What stands where: the screen on top, the bar's text, a dialog's texts, and where the keyboard is."""

    top: Any
    bar: str
    typing: bool
    fields: Mapping[str, str]
    here: str

    @classmethod
    def of(cls, table: Table) -> "Seen":
        top, bar = table.top, table.screen.orders
        typing = table.app.focused is bar.input and top is table.screen
        if isinstance(top, OrderDialog):
            here = ((table.app.focused and table.app.focused.id) or "").removeprefix("slot-")
            return cls(top, bar.text, typing, dict(top.filling.texts), here)
        return cls(top, bar.text, typing, {}, "")


def said_of(table: Table, seen: Seen) -> tuple[Order, ...] | None:
    """The orders that the line says Enter would record; None where Enter is to record none."""
    if isinstance(seen.top, Proposal | EndPhase):
        return ()
    bar = table.screen.orders
    foresight = seen.top.foresight if isinstance(seen.top, OrderDialog) else bar.foresight
    if not (isinstance(seen.top, OrderDialog) or seen.typing) or foresight.order is None:
        return None
    return foresight.instead or (foresight.order,)


def check_recorded(said: tuple[Order, ...] | None, acts: list[Any]) -> None:
    """Compares what was recorded with what was said; phases that pass come by themselves behind a `next`."""
    if not acts or said == ():
        return
    assert said is not None, f"recorded without a word: {acts}"
    if said[0].form in CORRECTIONS:
        return
    entered = [act.version.order for act in acts if isinstance(act, Entry)]
    while len(entered) > len(said) and entered[-1].is_phase_end and said[-1].is_phase_end:
        entered.pop()
    assert [order.line for order in entered] == [order.line for order in said]


def check_digit(key: str, before: Seen, after: Seen) -> None:
    """A digit goes into the field where the keyboard is or that it goes on to, or into the bar."""
    if isinstance(before.top, OrderDialog):
        assert after.bar == before.bar
    if after.top is not before.top or not isinstance(before.top, OrderDialog):
        return
    grown = [name for name, text in after.fields.items() if text == before.fields.get(name, "") + key]
    names = before.top.filling.names
    assert set(grown) <= {before.here, after.here}, (key, before, after)
    assert not grown or names.index(after.here) >= names.index(before.here)


def check_bar(key: str, before: Seen, after: Seen) -> None:
    """Nothing comes into the bar but what is typed, or what a key brings whose help says so."""
    if after.bar == before.bar:
        return
    if len(key) == 1 and key.isdigit():
        typed = before.typing or isinstance(after.top, type(before.top)) or not before.bar
        assert typed, (key, before, after)
        assert key in after.bar, (key, before, after)
    elif key == "enter":
        assert after.bar == "" or isinstance(before.top, EndPhase), (key, before.bar, after.bar)
    elif not before.typing and key not in OPENS:
        assert len(after.bar) <= 1, (key, before.bar, after.bar)


async def pressed(table: Table, key: str) -> None:
    """Presses a key, and checks what comes of it."""
    before, log = Seen.of(table), len(table.session.timeline.log)
    said = said_of(table, before) if key == "enter" else ()
    await table.press(key)
    after = Seen.of(table)
    acts = list(table.session.timeline.log)[log:]
    if key == "enter":
        check_recorded(said, acts)
    elif key not in ("f2", "exclamation_mark", "n"):
        assert not acts, f"{key} records {acts}"
    if key in string.digits:
        check_digit(key, before, after)
    check_bar(key, before, after)


def keys_for(ground: Ground, deed: tuple[str, Step, int], table: Table) -> list[str]:
    """The keys of something that somebody may do: an order typed in full or in part, a dialog, an answer."""
    kind, step, cut = deed
    battle, form = table.battle, ground.system.forms[step.word % len(ground.system.forms)]
    names = [id[:3] for id in (*ground.blue, *ground.red)]
    order = keys_of(ground.order(step, battle.phase))
    dice = [sign for face in step.faces[: 1 + cut % 3] for sign in (*str(face), "space")]
    return {
        "typed": ["slash", *order, "enter"],
        "half": ["slash", *order[: cut % (len(order) + 1)], "escape"],
        "dialog": [
            form.key or "m",
            *names[step.other % len(names)],
            "space",
            *dice,
            "enter",
            "enter",
            "enter",
        ],
        "left": [form.key or "m", *dice[:2], "escape"],
        "answer": ["o", *dice, "enter"],
        "digits": [*dice, "enter"],
        "undo": ["u", "enter"],
        "redo": ["r", "enter"],
        "change": ["u", "a", *dice[:1], "enter"],
        "next": ["n", "enter"],
        "one": [("enter", "escape", "colon", "o", "tab", "x", "down", "at", "space", "f7", "2")[cut % 11]],
    }[kind]


KINDS = (
    *("typed", "typed", "half", "dialog", "dialog", "dialog", "left", "answer", "answer", "digits"),
    *("undo", "redo", "change", "next", "one", "one", "one", "one"),
)
_PLACE = st.integers(0, 65)


def deeds(ground: Ground) -> st.SearchStrategy[list[tuple[str, Step, int]]]:
    """What somebody does at the keyboard."""
    face = st.integers(1, 12).map(lambda face: on_die(face, ground.sides))
    kinds = [kind for kind in RARE_KINDS if kind not in ("next", "force next")]
    step = st.builds(Step, st.sampled_from(kinds), _PLACE, _PLACE, _PLACE, st.tuples(face, face, face))
    return st.lists(st.tuples(st.sampled_from(KINDS), step, _PLACE), min_size=8, max_size=24)


def played(ground: Ground, todo: list[tuple[str, Step, int]]) -> None:
    """Does it all, key by key."""

    async def steps(table: Table) -> None:
        for deed in todo:
            for key in keys_for(ground, deed, table):
                await pressed(table, key)

    start = scheduled(ground.start(False), ground.late)
    with patch.object(Session, "overlay", lambda *_: ground.overlay):
        play(Session.begin(ground.system, start), steps, (80, 24))


@pytest.mark.parametrize("name", GROUNDS)
@settings(max_examples=settings().max_examples)
@given(data=st.data())
def test_what_is_recorded_was_said_and_no_digit_goes_astray(name: str, data: st.DataObject) -> None:
    played(GROUNDS[name], data.draw(deeds(GROUNDS[name])))


SHOT = "f h b o space l 4 space 8 enter"
TWO_OWED = "slash d a m a g e space o h i o space E space D enter"
FOUND = (
    f"slash f i r e space m i k escape n enter {SHOT} {TWO_OWED} o 3 enter o 3 enter 5 enter enter",
    f"n enter {SHOT} u enter escape {TWO_OWED} o 3 enter o 5 enter enter",
)
"""Keys that once brought an order back beside digits, or entered anew what was undone."""


@pytest.mark.parametrize("keys", FOUND)
def test_what_was_found_is_mended(keys: str) -> None:
    async def steps(table: Table) -> None:
        for key in keys.split():
            await pressed(table, key)

    play(bench(), steps)


def test_a_cell_edited_and_left_as_it_was_writes_no_value_that_stands_already() -> None:
    async def steps(table: Table) -> None:
        await table.press("right", "e", "enter")
        assert "nothing is changed" in table.text()
        assert not table.log()
        await table.press("3", "enter")
        assert table.log() == ["mark mikasa rof_heavy 3"]

    play(bench(), steps)
