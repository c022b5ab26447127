"""A simulation before a battle begins: its progress and its figures."""

import os
from collections.abc import Iterator
from time import monotonic

from textual.content import Content

from qf_tui.analysis.story import Stopped
from qf_tui.console.reading.jobs import Background
from qf_tui.console.setup.opening import Scenario
from qf_tui.console.widgets.actions import SIMULATION, Action
from qf_tui.console.widgets.keys import KeyBar
from qf_tui.console.widgets.picklist import PickLine, PickScreen, heading, words
from qf_tui.console.widgets.text import literal, wrapped
from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Battle
from qf_tui.document.simulation import Subject, simulation_document
from qf_tui.document.text import table_lines
from qf_tui.simulation.jobs import in_processes
from qf_tui.simulation.simulate import Question, SimulationResult, pairs_of, simulate, spec_of
from qf_tui.simulation.tally import Tally

BATTLES, SEED = 200, "1"
"""Battles of each pair of doctrines, and their seed."""
JOBS_MOST = 8


class PlayingOut(Background):
    """The battles of one scenario; `result` is there once they are played or stopped."""

    def __init__(self, system: RuleSystem, battle: Battle) -> None:
        super().__init__("played out")
        self.system, self.battle = system, battle
        self.result: SimulationResult | None = None
        self.done, self.of = 0, BATTLES * len(pairs_of(()))
        self._began = monotonic()

    def begin(self) -> None:
        self._began = monotonic()
        self._start(self._play)

    @property
    def progress(self) -> str:
        """How many battles are played, and how long the others may take."""
        played = f"{self.done:,} of {self.of:,} battles"
        if self._stop:
            return f"{played} · stopping"
        if not self.done:
            return played
        minutes = round((monotonic() - self._began) * (self.of - self.done) / self.done / 60)
        left = f"about {minutes} minute{'s' * (minutes > 1)}" if minutes else "less than a minute"
        return f"{played} · {left} left"

    def _count(self, done: int, of: int) -> None:
        self.done, self.of = done, of
        if self._stop:
            raise Stopped

    def _play(self) -> None:
        question = Question(spec_of(self.system, self.battle, SEED), pairs_of((), self.battle), BATTLES)
        with in_processes(min(os.cpu_count() or 1, JOBS_MOST), lambda: self._stop) as run:
            self.result = simulate(question, run, self._count)


LOOKS = 0.2
"""Seconds between two looks at how far the battles have come."""


class SimulationScreen(PickScreen[None]):
    """A scenario played out in the background; `begins`: as soon as it is shown."""

    places = (SIMULATION,)

    def __init__(self, scenario: Scenario, *, begins: bool = True) -> None:
        super().__init__()
        self.scenario, self.begins = scenario, begins
        self.work = PlayingOut(scenario.system, scenario.battle)
        self._working: bool | None = None
        self._shown = False

    def headline(self) -> Content:
        title = str(self.scenario.battle.table.get("title") or "")
        return literal(f" {title}: simulation", "bold $primary")

    def on_mount(self) -> None:
        if self.begins:
            self.work.begin()
        self.set_interval(LOOKS, self.say_more)
        self.call_after_refresh(self.say_more)

    def about(self, width: int) -> list[Content]:
        """How far they have come; draws the result once it is there."""
        work = self.work
        if (work.result is not None or work.fault) and not self._shown:
            self._shown = True
            known = tuple(self._lines())
            self.picks.show(known, known[0].key)
            self.picks.jump(0)
        if work.working is not self._working:
            self._working = work.working
            self.query_one(KeyBar).refresh()
        return [literal(f" {'' if self._shown else work.progress}")]

    def _lines(self) -> Iterator[PickLine]:
        """The result in lines that the cursor can go to, and how it is played."""
        result = self.work.result or SimulationResult(
            dict.fromkeys(pairs_of((), self.scenario.battle), Tally())
        )
        subject = Subject(self.scenario.system, self.scenario.battle, SEED)
        known, width = simulation_document(subject, result), max(20, self.picks.room - 3)
        how, *others = (line for line in known.lines if line.spans)
        if self.work.fault:
            yield from _broken(self.work.fault, width)
            yield words("")
        if self.work.result is not None:
            yield from _broken(how.text, width)
            for section in known.sections:
                yield words("")
                yield heading(section.title)
                lines = table_lines(section.table, width) if section.table else ()
                yield from (words(line, "", f"{section.title} {at}") for at, line in enumerate(lines))
            yield words("")
        yield heading("How it is played")
        for line in others:
            yield from _broken(line.text, width)

    def on_resize(self) -> None:
        self.call_after_refresh(lambda: self.picks.show(self._lines()))

    def action_stop(self) -> None:
        self.work.stop()

    def title_now(self, action: Action) -> str:
        if action.call.name != "stop" or self.work.working:
            return super().title_now(action)
        return ""

    def on_unmount(self) -> None:
        self.work.stop()


def _broken(text: str, width: int) -> Iterator[PickLine]:
    """A sentence on as many lines as it needs."""
    for at, part in enumerate(wrapped(text, width)):
        yield words(part, "$quiet", f"{text} {at}")
