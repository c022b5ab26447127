"""Checks at every key: Enter records only shown orders, digits go where the keyboard is, undo works."""

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
"""Keys that put text into the bar without typing it."""


@frozen
class Seen:
    """A view of the console: the screen on top, the bar's text, a dialog's texts, the keyboard's place."""

    top: Any
    bar: str
    typing: bool
    fields: Mapping[str, str]
    here: str

    @classmethod
    def read(cls, table: Table) -> "Seen":
        """Read the view of a console."""
        top, bar = table.top, table.screen.orders
        typing = table.app.focused is bar.input and top is table.screen
        if isinstance(top, OrderDialog):
            here = ((table.app.focused and table.app.focused.id) or "").removeprefix("slot-")
            return cls(top, bar.text, typing, dict(top.filling.texts), here)
        return cls(top, bar.text, typing, {}, "")


def find_shown_orders(table: Table, seen: Seen) -> tuple[Order, ...] | None:
    """Return the orders that Enter would record as shown; None if it is to record none."""
    if isinstance(seen.top, CorrectionPreview | EndPhase):
        return ()
    bar = table.screen.orders
    preview = seen.top.preview if isinstance(seen.top, OrderDialog) else bar.preview
    if not (isinstance(seen.top, OrderDialog) or seen.typing) or preview.order is None:
        return None
    return (preview.instead or preview.order,)


def check_recorded(shown: tuple[Order, ...] | None, acts: list[Any]) -> None:
    """Compare recorded acts with the orders shown before; empty phases may pass after a `next`."""
    if not acts or shown == ():
        return
    assert shown is not None, f"recorded without a word: {acts}"
    if shown[0].form in CORRECTIONS:
        return
    entered = [act.version.order for act in acts if isinstance(act, Entry)]
    while len(entered) > len(shown) and entered[-1].is_phase_end and shown[-1].is_phase_end:
        entered.pop()
    assert [order.line for order in entered] == [order.line for order in shown]


def check_digit(key: str, before: Seen, after: Seen) -> None:
    """Check that a digit goes into the field with the keyboard, a later field, or the bar."""
    if isinstance(before.top, OrderDialog):
        assert after.bar == before.bar
    if after.top is not before.top or not isinstance(before.top, OrderDialog):
        return
    grown = [name for name, text in after.fields.items() if text == before.fields.get(name, "") + key]
    names = before.top.filling.names
    assert set(grown) <= {before.here, after.here}, (key, before, after)
    assert not grown or names.index(after.here) >= names.index(before.here)


def check_bar(key: str, before: Seen, after: Seen) -> None:
    """Check that only typed text, or text of a key in OPENS, comes into the bar."""
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


async def press_checked(table: Table, key: str) -> None:
    """Press a key and check its effects."""
    before, log = Seen.read(table), len(table.session.timeline.log)
    said = find_shown_orders(table, before) if key == "enter" else ()
    await table.press(key)
    after = Seen.read(table)
    acts = list(table.session.timeline.log)[log:]
    if key == "enter":
        check_recorded(said, acts)
    elif key not in ("f2", "exclamation_mark", "n"):
        assert not acts, f"{key} records {acts}"
    if key in string.digits:
        check_digit(key, before, after)
    check_bar(key, before, after)


def list_deed_keys(ground: Ground, deed: tuple[str, Step, int], table: Table) -> list[str]:
    """List the keys of an action: an order typed in full or in part, a dialog, an answer."""
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


def draw_deeds(ground: Ground) -> st.SearchStrategy[list[tuple[str, Step, int]]]:
    """Draw actions of a person at the keyboard."""
    face = st.integers(1, 12).map(lambda face: map_face(face, ground.sides))
    kinds = [kind for kind in RARE_KINDS if kind not in ("next", "force next")]
    step = st.builds(Step, st.sampled_from(kinds), _PLACE, _PLACE, _PLACE, st.tuples(face, face, face))
    return st.lists(st.tuples(st.sampled_from(KINDS), step, _PLACE), min_size=8, max_size=24)


def play_deeds(ground: Ground, todo: list[tuple[str, Step, int]]) -> None:
    """Do all actions, key by key."""

    async def steps(table: Table) -> None:
        for deed in todo:
            for key in list_deed_keys(ground, deed, table):
                await press_checked(table, key)

    start = add_plan(ground.start(False), ground.late)
    with patch.object(Session, "load_overlay", lambda *_: ground.overlay):
        play(Session.begin(ground.system, start), steps, (80, 24))


@pytest.mark.parametrize("name", GROUNDS)
@settings(max_examples=settings().max_examples // 2)
@given(data=st.data())
def test_only_shown_orders_are_recorded_and_no_digit_goes_astray(name: str, data: st.DataObject) -> None:
    play_deeds(GROUNDS[name], data.draw(draw_deeds(GROUNDS[name])))


SHOT = "f h b o space l 4 space 8 enter"
TWO_OWED = "slash d a m a g e space o h i o space E space D enter"
FOUND = (
    f"slash f i r e space m i k escape n enter {SHOT} {TWO_OWED} o 3 enter o 3 enter 5 enter enter",
    f"n enter {SHOT} u enter escape {TWO_OWED} o 3 enter o 5 enter enter",
)
"""Keys that once put an order back next to digits, or entered an undone order again."""


@pytest.mark.parametrize("keys", FOUND)
@with_console(begin_examples)
async def test_earlier_failures_stay_fixed(table: Table, keys: str) -> None:
    for key in keys.split():
        await press_checked(table, key)


@with_console(begin_examples)
async def test_an_unchanged_cell_is_not_recorded(table: Table) -> None:
    await table.type("right e enter")
    assert "nothing changed" in table.text()
    assert not table.list_orders()
    await table.press("3", "enter")
    assert table.list_orders() == ["mark mikasa rof_heavy 3"]


FACES = (5, 1, 1, 2, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12)
BATTLES = 40
DEEDS = 120
"""Actions in each battle: enough to give every order of every rule system once."""

Kind = tuple[object, ...]


def summarize(timeline: Timeline) -> tuple[object, ...]:
    """Return the battle and its entries in force, without struck ones."""
    return timeline.battle, tuple(timeline.play_order), [timeline.versions[n] for n in timeline.play_order]


def classify(session: Session, order: Order) -> Kind:
    """Classify an order by form, by its answer, by force and by the order within."""
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


def draw_acts(ground: Ground, chance: Random, session: Session) -> Iterator[str]:
    """Draw what a person may do next: an order, an answer, a correction."""
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


def find_accepted(session: Session, lines: Iterator[str]) -> tuple[Order, Revision] | None:
    """Find the first order that the rules accept, and its revision."""
    for line in lines:
        with suppress(OrderRefused):
            order = session.read(line).require_order()
            if not read_dice(session, session.read_typed(line)).fault:
                return order, session.work_out(order)
    return None


def describe_open(table: Table) -> str:
    """Describe open dialogs and the text in the bar."""
    orders = table.screen.orders
    where = "" if table.top is table.screen else type(table.top).__name__
    return f"{where}{orders.text}{orders.question_key}{orders.stash}{table.app.focused or ''}"


async def do_and_undo(table: Table, do: Awaitable[None]) -> None:
    """Do something by keys, then `u Enter` and `r Enter`, and compare the battles."""
    session = table.session
    before = session.timeline
    await do
    if isinstance(table.top, CorrectionPreview):
        await table.press("enter")
    after = session.timeline
    assert len(after.log) > len(before.log), table.text()
    alone = len(after.log) == len(before.log) + 1 and next(after.undoable) == after.log[-1]
    undone = before if alone else session.preview("undo").after
    # A list to be read aloud may be open: any key closes it.
    await table.press("u", "enter")
    assert summarize(session.timeline) == summarize(undone)
    assert not describe_open(table)
    await table.press("r", "enter")
    assert summarize(session.timeline) == summarize(after)
    assert not describe_open(table)


@pytest.mark.parametrize("fully", [False, pytest.param(True, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", GROUNDS)
def test_u_enter_takes_back_and_r_enter_restores_every_kind_of_act(name: str, fully: bool) -> None:
    """Require every form of a rule system; common forms need only one system."""
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
                found = find_accepted(session, draw_acts(ground, chance, session))
                if found is None:
                    continue
                order, revision = found
                kind = classify(session, order)[: None if fully else 3]
                if kind in met or order.word not in forms:
                    session.record(revision)
                else:
                    met[kind] = order.line
                    table.screen.show()
                    await do_and_undo(table, table.order(order.line))
            if not fully and forms <= {kind[0] for kind in met}:
                break

    with patch.object(Session, "load_overlay", lambda *_: ground.overlay):
        play(Session.begin(ground.system, ground.start(False)), steps, (80, 24))
    assert sorted(forms - {kind[0] for kind in met}) == [], "forms that nothing tried"


def test_u_enter_takes_back_a_volley() -> None:
    async def volley(table: Table) -> None:
        dice = ("right", "3", "8", "enter", "9", "enter", "f2")
        await do_and_undo(table, table.press(*LINE.split(), *dice))

    play(at_yellow_sea(), volley)


@with_console(at_yellow_sea)
async def test_the_effect_of_an_undo_is_shown_if_no_log_changes(table: Table) -> None:
    """Cover a shot that did nothing and a phase that comes back: the list of changes was empty."""
    table.session.enter("fire mikasa heavy tsesarevich 41in 9 1")
    table.screen.show()
    await table.press("u")
    assert "Only the entry changes, not the logs or what is owed." in table.text()
    await table.press("escape")
    table.session.enter("force next")
    table.screen.show()
    await table.press("u")
    assert "The battle is then at turn 1, First gunnery." in table.text()
