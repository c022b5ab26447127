"""What is recorded was said before Enter, digits go where the keyboard is, `u Enter` takes all back."""

import string
from collections.abc import Awaitable, Iterator, Mapping
from contextlib import suppress
from random import Random
from typing import Any
from unittest.mock import patch

import pytest
from attrs import frozen
from hypothesis import given, settings
from hypothesis import strategies as st

from qf_tui.console.entry.controller import CorrectionPreview, EndPhase
from qf_tui.console.entry.dialog import OrderDialog
from qf_tui.core.builtin_forms import CORRECTIONS, REVEAL, list_forms
from qf_tui.core.errors import OrderRefused
from qf_tui.core.revisions import Revision
from qf_tui.core.schedule import find_scheduled_order
from qf_tui.core.timeline import Entry, Timeline
from qf_tui.core.values import Order
from qf_tui.session import Session
from qf_tui.session.typed_dice import read_dice
from tests.console.playing import Table, begin_examples, list_keys, play, with_console
from tests.console.test_volley import LINE, at_yellow_sea
from tests.corrections.ground import Ground, Step, add_plan
from tests.corrections.grounds import GROUNDS
from tests.corrections.random_battles import MENDS, RARE_KINDS, Mending, map_face

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
    if isinstance(seen.top, CorrectionPreview | EndPhase):
        return ()
    bar = table.screen.orders
    preview = seen.top.preview if isinstance(seen.top, OrderDialog) else bar.preview
    if not (isinstance(seen.top, OrderDialog) or seen.typing) or preview.order is None:
        return None
    return (preview.instead or preview.order,)


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
    order = list_keys(ground.order(step, battle.phase))
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
    face = st.integers(1, 12).map(lambda face: map_face(face, ground.sides))
    kinds = [kind for kind in RARE_KINDS if kind not in ("next", "force next")]
    step = st.builds(Step, st.sampled_from(kinds), _PLACE, _PLACE, _PLACE, st.tuples(face, face, face))
    return st.lists(st.tuples(st.sampled_from(KINDS), step, _PLACE), min_size=8, max_size=24)


def played(ground: Ground, todo: list[tuple[str, Step, int]]) -> None:
    """Does it all, key by key."""

    async def steps(table: Table) -> None:
        for deed in todo:
            for key in keys_for(ground, deed, table):
                await pressed(table, key)

    start = add_plan(ground.start(False), ground.late)
    with patch.object(Session, "load_overlay", lambda *_: ground.overlay):
        play(Session.begin(ground.system, start), steps, (80, 24))


@pytest.mark.parametrize("name", GROUNDS)
@settings(max_examples=settings().max_examples // 2)
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
@with_console(begin_examples)
async def test_what_was_found_is_mended(table: Table, keys: str) -> None:
    for key in keys.split():
        await pressed(table, key)


@with_console(begin_examples)
async def test_a_cell_edited_and_left_as_it_was_writes_no_value_that_stands_already(table: Table) -> None:
    await table.type("right e enter")
    assert "nothing changed" in table.text()
    assert not table.list_orders()
    await table.press("3", "enter")
    assert table.list_orders() == ["mark mikasa rof_heavy 3"]


FACES = (5, 1, 1, 2, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12)
BATTLES = 40
DEEDS = 120
"""Deeds in each battle: enough for every order of every rule system to be given once."""

Kind = tuple[object, ...]


def standing(timeline: Timeline) -> tuple[object, ...]:
    """What a battle comes to, whatever was struck on the way."""
    return timeline.battle, tuple(timeline.play_order), [timeline.versions[n] for n in timeline.play_order]


def kind_of(session: Session, order: Order) -> Kind:
    """What kind of act an order is: its form, what it answers, whether it is forced, and what it brings."""
    held = order.is_phase_end and bool(session.battle.owed)
    act = session.timeline.find_act(order.number("n") or 0)
    within = order.find_inner_order("order")
    return (
        order.word,
        order.key.split("/")[1] if order.key.count("/") else "",
        order.forced,
        bool(order.dice),
        held,
        type(act).__name__ if order.form in CORRECTIONS else "",
        within.word if within and within.is_answer else "",
    )


def acts_by_chance(ground: Ground, chance: Random, session: Session) -> Iterator[str]:
    """What somebody may do next by chance: an order, an answer, a correction."""
    faces = [map_face(chance.choice(FACES), ground.sides) for _ in range(3)]
    kind, places = chance.choice((*RARE_KINDS, "mend", "doubt")), [chance.randrange(66) for _ in range(3)]
    one, other, word = places
    step = Step(
        "act" if kind in ("mend", "doubt") else kind, one, other, word, (faces[0], faces[1], faces[2])
    )
    battle, timeline = session.battle, session.timeline
    struck = [act.number for act in timeline.log if act.number not in timeline.in_force]
    if kind == "mend" and struck and one % 4 == 0:
        yield f"restore {struck[other % len(struck)]}" if other % 2 else "redo"
    elif kind == "mend" and timeline.log:
        yield Mending(chance.choice(MENDS), one, other, step).write_line(ground, timeline)
    elif kind == "doubt" and timeline.log:
        number = chance.choice(battle.doubts or tuple(timeline.play_order) or (1,))
        yield f"settle {number}" if battle.doubts else f"doubt {number}"
    elif kind == "answer" and battle.owed:
        owed = battle.owed[one % len(battle.owed)]
        dice = " ".join(str(map_face(faces[at % 3], die)) for at, die in enumerate(owed.dice))
        order = find_scheduled_order(owed)
        words = (owed.words or ground.words) if not owed.dice else ()
        yield from [f"roll {owed.key} {dice}"] if dice else [order.line] if order and other % 2 else []
        yield from (f"answer {owed.key} {word}" for word in words)
    else:
        yield ground.order(step, battle.phase)


def acceptable(session: Session, lines: Iterator[str]) -> tuple[Order, Revision] | None:
    """The first of some orders that is taken, and what it does."""
    for line in lines:
        with suppress(OrderRefused):
            order = session.read(line).require_order()
            if not read_dice(session, session.read_typed(line)).fault:
                return order, session.work_out(order)
    return None


def left_open(table: Table) -> str:
    """What is still open, or in the bar."""
    orders = table.screen.orders
    where = "" if table.top is table.screen else type(table.top).__name__
    return f"{where}{orders.text}{orders.key}{orders.stash}{table.app.focused or ''}"


async def done_and_undone(table: Table, do: Awaitable[None]) -> None:
    """Does something by keys; then `u Enter` and `r Enter`."""
    session = table.session
    before = session.timeline
    await do
    if isinstance(table.top, CorrectionPreview):
        await table.press("enter")
    after = session.timeline
    assert len(after.log) > len(before.log), table.text()
    alone = len(after.log) == len(before.log) + 1 and next(after.undoable) == after.log[-1]
    undone = before if alone else session.preview("undo").after
    # A list to be read aloud may be open: it goes by any key.
    await table.press("u", "enter")
    assert standing(session.timeline) == standing(undone)
    assert not left_open(table)
    await table.press("r", "enter")
    assert standing(session.timeline) == standing(after)
    assert not left_open(table)


@pytest.mark.parametrize("fully", [False, pytest.param(True, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", GROUNDS)
def test_u_enter_takes_back_and_r_enter_restores_every_kind_of_act(name: str, fully: bool) -> None:
    """Each form of a rule system must come up, so that none stays untried; those of all by one of them."""
    ground = GROUNDS[name]
    forms = {form.word for form in ground.system.forms}
    if fully or name == next(iter(GROUNDS)):
        forms = {*list_forms(ground.system), *(form.word for form in CORRECTIONS)} - {REVEAL.word}
    met = dict[Kind, str]()

    async def steps(table: Table) -> None:
        session = table.session
        for battle in range(BATTLES):
            chance = Random(f"{name} {battle}")
            start = add_plan(ground.start(battle % 2 == 0), ground.late)
            session.timeline = Session.begin(ground.system, start).timeline
            for _ in range(DEEDS):
                found = acceptable(session, acts_by_chance(ground, chance, session))
                if found is None:
                    continue
                order, revision = found
                kind = kind_of(session, order)[: None if fully else 3]
                if kind in met or order.word not in forms:
                    session.record(revision)
                else:
                    met[kind] = order.line
                    table.screen.show()
                    await done_and_undone(table, table.order(order.line))
            if not fully and forms <= {kind[0] for kind in met}:
                break

    with patch.object(Session, "load_overlay", lambda *_: ground.overlay):
        play(Session.begin(ground.system, ground.start(False)), steps, (80, 24))
    assert sorted(forms - {kind[0] for kind in met}) == [], "forms that nothing tried"


def test_a_volley_is_taken_back_in_the_same_way() -> None:
    async def volley(table: Table) -> None:
        dice = ("right", "3", "8", "enter", "9", "enter", "f2")
        await done_and_undone(table, table.press(*LINE.split(), *dice))

    play(at_yellow_sea(), volley)


@with_console(at_yellow_sea)
async def test_what_an_undo_changes_is_said_where_no_log_changes(table: Table) -> None:
    """Catches a list of what changes that is empty: the phase that comes back, the shot that did nothing."""
    table.session.enter("fire mikasa heavy tsesarevich 41in 9 1")
    table.screen.show()
    await table.press("u")
    assert "Only the entry changes, not the logs or what is owed." in table.text()
    await table.press("escape")
    table.session.enter("force next")
    table.screen.show()
    await table.press("u")
    assert "The battle is then at turn 1, First gunnery." in table.text()
