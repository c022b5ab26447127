"""Measurements of `tests.tools.speed` within a process of the installed program, one in each process.

    python speed_inside.py WHAT ARGUMENT...

It prints milliseconds, or lists of them in a JSON object: `ours` or its parts, and `ours limit` for a limit
that is measured in turn. WHAT is the name of a function in `WHAT`. Battles are opened as in the console, and
the garbage collector is left as the console leaves it. `anew SAVE` is no measurement but the console itself,
redrawn by Ctrl+G.
"""

import gc
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from time import monotonic, perf_counter

from qf_tui.core.errors import OrderRefused
from qf_tui.core.timeline import Timeline
from qf_tui.core.values import Battle
from qf_tui.journal.reading import read_save
from qf_tui.journal.saving import Journal
from qf_tui.library.scenarios import load_scenario
from qf_tui.library.systems import find_systems
from qf_tui.session import Session
from qf_tui.session.saves import make_rules_finder

NO_DISK = Path("/dev/shm")
APPENDED = 400

Times = list[float]
Figures = dict[str, Times]


def time_ms(work: Callable[[], object]) -> float:
    begun = perf_counter()
    work()
    return (perf_counter() - begun) * 1000


def freeze_garbage() -> None:
    """Set the garbage collector as the console does with an open battle: skip old objects."""
    gc.freeze()
    gc.enable()


def open_save(save: str) -> Session:
    """Open a battle as the console does."""
    gc.disable()
    session = Session.resume(Path(save), find_systems())
    session.start_clock(monotonic)
    freeze_garbage()
    return session


def opening(save: str) -> float:
    """Measure the opening of a save, from the call to its battle; the rules are loaded."""
    systems = find_systems()
    assert systems["advanced-quickfire"].forms
    gc.disable()
    battles: list[Battle] = []
    taken = time_ms(lambda: battles.append(Session.resume(Path(save), systems).battle))
    assert battles[0].ships
    return taken


def scenario(name: str) -> float:
    """Measure a scenario of ships by their facts: rows read, cards computed, ships mustered."""
    systems = find_systems()
    gc.disable()
    return time_ms(lambda: load_scenario(name, systems))


def append(save: str) -> Figures:
    """Measure the recording of an act, in turn with a write and fsync of the same line."""
    read = read_save(save, make_rules_finder(find_systems()))
    lines = Path(save).read_bytes().splitlines(keepends=True)[1:]
    journal = Journal.create(f"{save}.again", read.header)
    file = os.open(f"{save}.bare", os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def bare(line: bytes) -> None:
        os.write(file, line)
        os.fsync(file)

    freeze_garbage()
    pairs = [
        (time_ms(partial(journal.append, act)), time_ms(partial(bare, line)))
        for act, line in zip(read.log[:APPENDED], lines, strict=False)
    ]
    return {"ours": [ours for ours, _ in pairs], "ours limit": [least for _, least in pairs]}


def preview(scenario: str, rounds: str) -> Figures:
    """Measure all shots of a scenario at some ranges, each from its text to the odds as text."""
    from qf_tui.console.entry.preview import preview_line  # noqa: PLC0415 - Textual is not in the others

    taken: Times = []
    for _ in range(int(rounds)):
        gc.disable()
        session = Session.begin(*load_scenario(scenario, find_systems()))
        session.enter("next")
        freeze_garbage()
        for order in _list_shots(session):
            began = perf_counter()
            seen = preview_line(session, order)[1]
            time = (perf_counter() - began) * 1000
            if seen.tone == "odds":
                taken.append(time)
    return {"ours": taken}


def _list_shots(session: Session) -> Iterator[str]:
    ships = session.battle.ships
    for ready in session.system.may_act(session.battle):
        enemies = [ship.id for ship in ships.values() if ship.side != ships[ready.ship].side]
        for target in enemies[:6]:
            for inches in (9, 14, 22, 31):
                yield f"fire {ready.ship} heavy {target} {inches}in"


def corrections(save: str, how: str) -> Figures:
    """Measure possible corrections of the last hundred entries: previewed, or entered and undone."""
    session = open_save(save)
    timeline, taken = session.timeline, list[float]()
    last = len(timeline.log)
    for number in range(last - 99, last + 1):
        text = _choose_correction(timeline, number)
        with suppress(OrderRefused):
            if how == "preview":
                taken.append(time_ms(partial(session.preview, text)))
            else:
                taken.append(time_ms(partial(session.enter, text)))
                session.enter("undo")
    return {"ours": taken}


def _choose_correction(timeline: Timeline, number: int) -> str:
    """Choose other dice, or a strike without dice, or a remark at the end of a phase."""
    version = timeline.versions[number]
    if version.dice:
        return f"amend {number} {' '.join(str(face % 12 + 1) for face in version.dice)}"
    ends = version.order.resolved == "next"
    return f"insert {number} note remembered" if ends else f"strike {number}"


def anew(save: str) -> None:
    """Run the console on a save, with a key that redraws the whole screen."""
    from textual import events  # noqa: PLC0415 - as above

    from qf_tui.console.app import Console, run_console  # noqa: PLC0415 - as above
    from qf_tui.console.reading.logs import Grid  # noqa: PLC0415 - as above

    async def on_event(app: Console, event: events.Event) -> None:
        if isinstance(event, events.Key) and event.key == "ctrl+g":
            app.screen.query_one(Grid).rows.clear()
            app.screen.refresh(layout=False)
            for widget in app.screen.walk_children():
                widget.refresh()
            return
        await usual(app, event)

    usual = Console.on_event
    gc.disable()
    Console.on_event = on_event  # type: ignore[assignment,method-assign]  # one more key
    run_console(Path(save), None)


WHAT = (opening, scenario, append, preview, corrections, anew)

if __name__ == "__main__":
    what, *arguments = sys.argv[1:]
    work = next(work for work in WHAT if work.__name__ == what)
    if (figures := work(*arguments)) is not None:
        print(json.dumps(figures))
