"""What `tests.tools.speed` measures within a process of the installed program, one thing in each process.

    python speed_inside.py WHAT ARGUMENT...

It prints milliseconds, or lists of them in a JSON object: `ours` or some parts of it, and `ours limit` where
that is measured by turns with it.
Battles are opened as the console does it, and the collector is left as the console leaves it. `anew SAVE` is
no measure but the console itself, all of it drawn anew by Ctrl+G.
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


def ms(work: Callable[[], object]) -> float:
    begun = perf_counter()
    work()
    return (perf_counter() - begun) * 1000


def at_rest() -> None:
    """Leaves the collector as the console does once a battle is open: all that is there is left out of it."""
    gc.freeze()
    gc.enable()


def opened(save: str) -> Session:
    """A battle opened as the console does it."""
    gc.disable()
    session = Session.resume(Path(save), find_systems())
    session.start_clock(monotonic)
    at_rest()
    return session


def opening(save: str) -> float:
    """A save opened, from the call to its battle; the rules are loaded."""
    systems = find_systems()
    assert systems["advanced-quickfire"].forms
    gc.disable()
    battles: list[Battle] = []
    taken = ms(lambda: battles.append(Session.resume(Path(save), systems).battle))
    assert battles[0].ships
    return taken


def scenario(name: str) -> float:
    """A scenario of ships by their facts: rows of navies read, cards worked out, all mustered."""
    systems = find_systems()
    gc.disable()
    return ms(lambda: load_scenario(name, systems))


def append(save: str) -> Figures:
    """An act recorded, by turns with a write and fsync of the same line."""
    read = read_save(save, make_rules_finder(find_systems()))
    lines = Path(save).read_bytes().splitlines(keepends=True)[1:]
    journal = Journal.create(f"{save}.again", read.header)
    file = os.open(f"{save}.bare", os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def bare(line: bytes) -> None:
        os.write(file, line)
        os.fsync(file)

    at_rest()
    pairs = [
        (ms(partial(journal.append, act)), ms(partial(bare, line)))
        for act, line in zip(read.log[:APPENDED], lines, strict=False)
    ]
    return {"ours": [ours for ours, _ in pairs], "ours limit": [least for _, least in pairs]}


def preview(scenario: str, rounds: str) -> Figures:
    """All shots of a scenario at some ranges, each from its text to the words with its odds."""
    from qf_tui.console.entry.preview import preview_line  # noqa: PLC0415 - Textual is not in the others

    taken: Times = []
    for _ in range(int(rounds)):
        gc.disable()
        session = Session.begin(*load_scenario(scenario, find_systems()))
        session.enter("next")
        at_rest()
        for order in _shots(session):
            began = perf_counter()
            seen = preview_line(session, order)[1]
            time = (perf_counter() - began) * 1000
            if seen.tone == "odds":
                taken.append(time)
    return {"ours": taken}


def _shots(session: Session) -> Iterator[str]:
    ships = session.battle.ships
    for ready in session.system.may_act(session.battle):
        enemies = [ship.id for ship in ships.values() if ship.side != ships[ready.ship].side]
        for target in enemies[:6]:
            for inches in (9, 14, 22, 31):
                yield f"fire {ready.ship} heavy {target} {inches}in"


def corrections(save: str, how: str) -> Figures:
    """Corrections of the last hundred entries, where they may be corrected: seen, or entered and undone."""
    session = opened(save)
    timeline, taken = session.timeline, list[float]()
    last = len(timeline.log)
    for number in range(last - 99, last + 1):
        text = _correction(timeline, number)
        with suppress(OrderRefused):
            if how == "preview":
                taken.append(ms(partial(session.preview, text)))
            else:
                taken.append(ms(partial(session.enter, text)))
                session.enter("undo")
    return {"ours": taken}


def _correction(timeline: Timeline, number: int) -> str:
    """Other dice, a strike where there are none, a remark where a phase ends."""
    version = timeline.versions[number]
    if version.dice:
        return f"amend {number} {' '.join(str(face % 12 + 1) for face in version.dice)}"
    ends = version.order.resolved == "next"
    return f"insert {number} note remembered" if ends else f"strike {number}"


def anew(save: str) -> None:
    """The console on a save, with a key that draws all of the screen anew."""
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
    Console.on_event = on_event  # type: ignore[assignment,method-assign]  # a key more
    run_console(Path(save), None)


WHAT = (opening, scenario, append, preview, corrections, anew)

if __name__ == "__main__":
    what, *arguments = sys.argv[1:]
    work = next(work for work in WHAT if work.__name__ == what)
    if (figures := work(*arguments)) is not None:
        print(json.dumps(figures))
