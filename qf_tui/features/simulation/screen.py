"""The simulation of a scenario in the console: its progress, its results, and one battle as a save."""

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from time import monotonic

from textual.content import Content

from qf_tui.console.reading.jobs import Background
from qf_tui.console.setup.opening import Scenario
from qf_tui.console.widgets.actions import Action
from qf_tui.console.widgets.keys import KeyBar, build_question_hints
from qf_tui.console.widgets.panel import Panel, show_panel
from qf_tui.console.widgets.picklist import (
    PickLine,
    PickScreen,
    build_about_lines,
    build_heading_line,
    build_text_line,
)
from qf_tui.console.widgets.text import literal, wrap_words
from qf_tui.core.text import format_count
from qf_tui.document.text import lay_out_table
from qf_tui.features.simulation.actions import SIMULATION
from qf_tui.features.simulation.again import Which, choose_battle, mark_simulated, play_again
from qf_tui.features.simulation.document import Subject, build_simulation_document, format_choice
from qf_tui.features.simulation.jobs import open_processes
from qf_tui.features.simulation.simulate import (
    Question,
    SimulationResult,
    build_spec,
    list_pairs,
    simulate_battles,
)
from qf_tui.features.simulation.tally import Tally
from qf_tui.library.processes import Stopped
from qf_tui.session import Session
from qf_tui.session.session import keep_on_shelf

BATTLES, SEED = 200, "1"
"""Battles of each pair of doctrines, and their seed."""
JOBS_MOST = 8
ESTIMATE_FROM = 40
"""The remaining time is shown once one battle in this many is played; before that it is too uncertain."""


class SimulationJob(Background):
    """The background work on the battles of a scenario; `done` and `total` count battles.

    Attributes:
        pairs: All pairs of doctrines that are played.
        result: Results, once the battles are played or stopped; None before.
        again: Which battle is being played again into a save, or None.
        saved: The last such save and how its battle ended, until it is offered; None after that.
    """

    def __init__(self, scenario: Scenario) -> None:
        """Prepare the work on a scenario; `begin` starts it."""
        super().__init__("played out")
        self.subject = Subject(scenario.system, scenario.battle, SEED)
        self.name = scenario.path.stem
        self.result: SimulationResult | None = None
        self.again: Which | None = None
        self.saved: tuple[Path, str] | None = None
        self.pairs = list_pairs(doctrines=(), start=scenario.battle)
        self.total = BATTLES * len(self.pairs)
        self._began = monotonic()

    def begin(self) -> None:
        """Start playing the battles."""
        self._began = monotonic()
        self._start(self._play)

    def play(self, which: Which) -> None:
        """Start to play one of the battles again; while work runs, or without results, do nothing."""
        if self.result is not None and not self.working:
            self.again = which
            self._start(partial(self._play_again, which, self.result))

    @property
    def progress(self) -> str:
        """The progress: battles played and the time left, or which battle is being played again."""
        if self.again is not None:
            return f"playing the {self.again.value} battle again, into a save"
        played = f"{self.done:,} of {self.total:,} battles"
        if self._stop:
            return f"{played} · stopping"
        if self.done * ESTIMATE_FROM < self.total:
            return played
        minutes = round((monotonic() - self._began) * (self.total - self.done) / self.done / 60)
        time_left = f"about {format_count(minutes, 'minute')}" if minutes else "less than a minute"
        return f"{played} · {time_left} left"

    def _count(self, done: int, total: int) -> None:
        """Record how many battles are played, of how many.

        Raises:
            Stopped: The work is to stop.
        """
        self.done, self.total = done, total
        if self._stop:
            raise Stopped

    def _play(self) -> None:
        """Play all battles in worker processes, and keep their result."""
        spec = build_spec(self.subject.system, self.subject.battle, SEED)
        question = Question(spec, self.pairs, BATTLES)
        with open_processes(min(os.cpu_count() or 1, JOBS_MOST), lambda: self._stop) as run:
            self.result = simulate_battles(question, run, self._count)

    def _play_again(self, which: Which, result: SimulationResult) -> None:
        """Play one of the battles again, and keep it as a save in the user's own folder."""
        try:
            subject, choice = self.subject, choose_battle(result.tallies, which)
            session = Session.begin(subject.system, mark_simulated(subject.battle))
            spec = build_spec(subject.system, subject.battle, SEED)
            ending = play_again(session, spec, choice, self._pause)
            save = keep_on_shelf(session, f"{self.name}-{which.value}")
            self.saved = save, format_choice(subject, choice, ending)
        finally:
            self.again = None


LOOKS, FAULT_MOST = 0.2, 3
"""Seconds between two updates of the progress, and lines for the fault if a battle cannot be played again."""


class SimulationScreen(PickScreen[Path]):
    """A scenario that is played out in the background; the screen's result is the save of a battle to open.

    Args:
        scenario: The scenario.
        begins: True to start at once.
    """

    places = (SIMULATION,)

    def __init__(self, scenario: Scenario, *, begins: bool = True) -> None:
        super().__init__()
        self.scenario, self.begins = scenario, begins
        self.work = SimulationJob(scenario)
        self._working: bool | None = None
        self._shown = False

    def render_headline(self) -> Content:
        title = str(self.scenario.battle.table.get("title") or "")
        return literal(f" Simulation: {title}", "bold $primary")

    def on_mount(self) -> None:
        if self.begins:
            self.work.begin()
        self.set_interval(LOOKS, self.show_details)
        self.call_after_refresh(self.show_details)

    def render_about(self, width: int) -> list[Content]:
        """Return the progress, or a fault; before that, draw what has changed since the last call.

        What has changed may be the results, the keys, or the question whether to open a new save.
        """
        work = self.work
        if (work.result is not None or work.fault) and not self._shown:
            self._shown = True
            lines = tuple(self._build_lines())
            self.picks.show(lines, lines[0].key)
            self.picks.jump(0)
        if work.working is not self._working:
            self._working = work.working
            self.query_one(KeyBar).refresh()
        if work.saved is not None and self.is_current:
            self._offer_save(*work.saved)
            work.saved = None
        if work.again is None and self._shown:
            # Without results, the lines of the screen show the fault.
            return build_about_lines(work.fault if work.result else "", width, FAULT_MOST)
        return [literal(f" {work.progress}")]

    def _offer_save(self, save: Path, text: str) -> None:
        """Show how a battle played again has ended and where its save is; Enter opens the save."""
        film = f"Its film: qf-tui replay {save.stem} --html --out film.html"
        lines = map(literal, (f"{text}.", f"Its save: {save}", film))
        question = Panel("Open this battle?", lines, build_question_hints("opens it", "back to the figures"))
        show_panel(self.app, question, lambda: self.dismiss(save))

    def _build_lines(self) -> Iterator[PickLine]:
        """Yield the lines of the fault, of the results, and of how the battles are played."""
        # Without a result, an empty one still shows how the battles are played.
        result = self.work.result or SimulationResult(dict.fromkeys(self.work.pairs, Tally()))
        document = build_simulation_document(self.work.subject, result)
        width = max(20, self.picks.room - 3)
        how_played, *other_lines = (line for line in document.lines if line.spans)
        if self.work.fault:
            yield from _build_wrapped_lines(self.work.fault, width)
            yield build_text_line("")
        if self.work.result is not None:
            yield from _build_wrapped_lines(how_played.text, width)
            for section in document.sections:
                yield build_text_line("")
                yield build_heading_line(section.title)
                lines = lay_out_table(section.table, width) if section.table else ()
                yield from (
                    build_text_line(line, "", f"{section.title} {number}")
                    for number, line in enumerate(lines)
                )
            yield build_text_line("")
        yield build_heading_line("How it is played")
        for line in other_lines:
            yield from _build_wrapped_lines(line.text, width)

    def on_resize(self) -> None:
        self.call_after_refresh(lambda: self.picks.show(self._build_lines()))

    def action_stop(self) -> None:
        """Stop the work, and keep the results so far."""
        self.work.stop()

    def action_play(self, which: str) -> None:
        """Play one of the battles again."""
        self.work.play(Which(which))
        self.show_details()

    def find_title(self, action: Action) -> str:
        """Return the title of a key; "" for a key that can do nothing now."""
        name, working = action.call.name, self.work.working
        if name == "stop" and not working:
            return ""
        if name == "play" and (working or self.work.result is None):
            return ""
        return super().find_title(action)

    def on_unmount(self) -> None:
        self.work.stop()


def _build_wrapped_lines(text: str, width: int) -> Iterator[PickLine]:
    """Yield the lines of a text that is wrapped to a width."""
    for number, part in enumerate(wrap_words(text, width)):
        yield build_text_line(part, "$quiet", f"{text} {number}")
