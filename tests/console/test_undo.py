"""`u Enter` takes back whatever was done last, `r Enter` does it again; neither leaves anything open."""

from collections.abc import Awaitable, Iterator
from random import Random
from unittest.mock import patch

import pytest

from qf_tui.console.entry.controller import Proposal
from qf_tui.core.builtin_forms import CORRECTIONS, REVEAL, all_forms
from qf_tui.core.errors import OrderRefused
from qf_tui.core.schedule import proposed
from qf_tui.core.timeline import Timeline
from qf_tui.core.values import Order
from qf_tui.session import Session
from tests.console.playing import Table, play
from tests.console.test_volley import LINE, at_guns
from tests.corrections.ground import Ground, Step, scheduled
from tests.corrections.grounds import GROUNDS
from tests.corrections.random_battles import MENDS, RARE_KINDS, Mending, on_die
from tests.sealed.club import yellow_sea

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
    act = session.timeline.act(order.number("n") or 0)
    within = order.order("order")
    return (
        order.word,
        order.key.split("/")[1] if order.key.count("/") else "",
        order.forced,
        bool(order.dice),
        held,
        type(act).__name__ if order.form in CORRECTIONS else "",
        within.word if within and within.is_answer else "",
    )


def deeds(ground: Ground, chance: Random, session: Session) -> Iterator[str]:
    """What somebody may do next by chance: an order, an answer, a correction."""
    faces = [on_die(chance.choice(FACES), ground.sides) for _ in range(3)]
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
        yield Mending(chance.choice(MENDS), one, other, step).text(ground, timeline)
    elif kind == "doubt" and timeline.log:
        number = chance.choice(battle.doubts or tuple(timeline.play_order) or (1,))
        yield f"settle {number}" if battle.doubts else f"doubt {number}"
    elif kind == "answer" and battle.owed:
        owed = battle.owed[one % len(battle.owed)]
        dice = " ".join(str(on_die(faces[at % 3], die)) for at, die in enumerate(owed.dice))
        order = proposed(owed)
        words = (owed.words or ground.words) if not owed.dice else ()
        yield from [f"roll {owed.key} {dice}"] if dice else [order.line] if order and other % 2 else []
        yield from (f"answer {owed.key} {word}" for word in words)
    else:
        yield ground.order(step, battle.phase)


def acceptable(session: Session, lines: Iterator[str]) -> Order | None:
    """The first of some orders that is taken."""
    for line in lines:
        reading = session.read(line)
        try:
            session.work_out(reading.complete())
        except OrderRefused:
            continue
        return reading.order
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
    if isinstance(table.top, Proposal):
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
    """Each form that a rule system has must come up, so that none stays untried."""
    ground = GROUNDS[name]
    forms = {*all_forms(ground.system), *(form.word for form in CORRECTIONS)} - {REVEAL.word}
    met = dict[Kind, str]()

    async def steps(table: Table) -> None:
        session = table.session
        for battle in range(BATTLES):
            chance = Random(f"{name} {battle}")
            start = scheduled(ground.start(battle % 2 == 0), ground.late)
            session.timeline = Session.begin(ground.system, start).timeline
            for _ in range(DEEDS):
                order = acceptable(session, deeds(ground, chance, session))
                kind = () if order is None else kind_of(session, order)[: None if fully else 3]
                if order is not None and kind in met:
                    session.record(session.work_out(order))
                elif order is not None:
                    met[kind] = order.line
                    table.screen.show()
                    await done_and_undone(table, table.order(order.line))
            if not fully and forms <= {kind[0] for kind in met}:
                break

    with patch.object(Session, "overlay", lambda *_: ground.overlay):
        play(Session.begin(ground.system, ground.start(False)), steps, (80, 24))
    assert sorted(forms - {kind[0] for kind in met}) == [], "forms that nothing tried"


def test_a_volley_a_call_and_a_reveal_are_taken_back_in_the_same_way() -> None:
    async def volley(table: Table) -> None:
        dice = ("right", "3", "8", "enter", "9", "enter", "f2")
        await done_and_undone(table, table.press(*LINE.split(), *dice))

    async def sealed(table: Table) -> None:
        await done_and_undone(table, table.order("fire mikasa heavy tsesarevich 41in call 37"))
        await table.press("down", *"fhts41", "enter", "escape")
        await done_and_undone(table, table.press("o", "3", "7", "enter"))

    play(at_guns("yellow-sea-1904"), volley)
    play(yellow_sea(), sealed)


def test_what_an_undo_changes_is_said_where_no_log_changes() -> None:
    """Catches a list of what changes that is empty: the phase that comes back, the shot that did nothing."""

    async def steps(table: Table) -> None:
        table.session.enter("fire mikasa heavy tsesarevich 41in 9 1")
        table.screen.show()
        await table.press("u")
        assert "The entry alone: the logs and what is owed stay as they are." in table.text()
        await table.press("escape")
        table.session.enter("force next")
        table.screen.show()
        await table.press("u")
        assert "The battle then stands at turn 1, First gunnery." in table.text()

    play(at_guns("yellow-sea-1904"), steps)
