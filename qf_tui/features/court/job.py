"""Plays a battle again in a thread, with the same entries and dice, under each variant of the rules."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from qf_tui.console.reading.jobs import Background
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Timeline
from qf_tui.features.court.court import CourtCases, Verdict, build_cases, replay
from qf_tui.library.settings import load_worth


class CourtJob(Background):
    """The readings of a battle as it was when the work began.

    Attributes:
        get_timeline: Returns the present timeline.
        cases: Variants to try, or None until they are listed.
        verdicts: Results so far, in the order of the variants of `cases`.
    """

    def __init__(self, system: RuleSystem, get_timeline: Callable[[], Timeline], save: Path | None) -> None:
        super().__init__("decided again")
        self.system, self.get_timeline, self.save = system, get_timeline, save
        self.timeline = get_timeline()
        self.cases: CourtCases | None = None
        self.verdicts: tuple[Verdict, ...] = ()

    @property
    def complete(self) -> bool:
        """True if all readings are done."""
        return self.cases is not None and len(self.verdicts) == len(self.cases.variants)

    @property
    def up_to_date(self) -> bool:
        """True if the battle has not changed since the readings were begun."""
        return self.timeline is self.get_timeline()

    def begin(self) -> None:
        """Start or resume the work; start over if the battle has changed.

        If the work runs, or is complete and up to date, nothing happens.
        """
        if self.working or (self.complete and self.up_to_date):
            return
        if not self.up_to_date:
            self.timeline = self.get_timeline()
            self.cases, self.verdicts = None, ()
        self.done, self.of = 0, len(self.timeline.play_order)
        self._start(partial(self._work, self.timeline))

    def _work(self, timeline: Timeline) -> None:
        """List the variants unless that is done, and work out the readings that are left."""
        if self.cases is None:
            self.cases = build_cases(self.system, timeline, self._step, load_worth(self.system))
        for variant in self.cases.variants[len(self.verdicts) :]:
            self.verdicts += (replay(self.cases.baseline, variant, self._step),)

    def _step(self) -> None:
        """Count a step of the work and let keys be handled; raise Stopped if the work was stopped."""
        self.done += 1
        self._pause()
