"""How long phases, turns and throws take, by when acts were entered. It counts, and never acts."""

from collections.abc import Iterator
from itertools import pairwise
from math import ceil

from attrs import frozen

from qf_tui.core.timeline import Entry, State, Timeline


@frozen
class Pace:
    """Minutes of the turn so far, and the seconds that a throw usually took (0: not two of them)."""

    minutes: int
    seconds: int

    def __str__(self) -> str:
        return f"{self.minutes} min, {self.seconds} s a throw" if self.seconds else f"{self.minutes} min"


def pace(timeline: Timeline, now: float) -> Pace:
    """The pace of the present turn; `now` in seconds since the battle began."""
    opened_by, began = turn_began(timeline)
    thrown = [
        act.at
        for act in timeline.log[max(0, opened_by - 1) :]
        if isinstance(act, Entry)
        and act.at is not None
        and act.at >= began
        and (version := timeline.versions.get(act.number)) is not None
        and version.order.dice
    ]
    gaps = [after - before for before, after in pairwise(thrown)]
    from statistics import median

    return Pace(max(0, int(now - began)) // 60, round(median(gaps)) if gaps else 0)


def turn_began(timeline: Timeline) -> tuple[int, float]:
    """The entry that opened the present turn, and when, in seconds; 0 where none says so."""
    turn, opened_by, began = timeline.battle.turn, 0, 0.0
    for number in reversed(timeline.play_order):
        ruling = timeline.rulings.get(number)
        begins = ruling.decision.begins if ruling is not None else None
        if begins is not None:
            if begins[0] != turn:
                return opened_by, began
            opened_by, began = number, timeline.log[number - 1].at or began
    return 0, 0.0


@frozen
class PhaseLength:
    """A phase that has ended, and how many seconds it took."""

    turn: int
    phase: str
    seconds: float


def phase_lengths(timeline: Timeline) -> Iterator[PhaseLength]:
    """How long each phase took, in the order of play; those of which no act says when are left out."""
    at: tuple[int, str] = timeline.start.turn, timeline.start.phase
    began: float | None = 0.0
    for number in timeline.play_order:
        ruling = timeline.rulings[number]
        if ruling.state is State.STANDS and ruling.decision.begins is not None:
            ended = timeline.log[number - 1].at
            if began is not None and ended is not None:
                yield PhaseLength(*at, max(0.0, ended - began))
            at, began = ruling.decision.begins, ended


def phase_began(timeline: Timeline) -> tuple[int, float | None]:
    """The entry that opened the present phase (0: the start), and when, in seconds; None where none says."""
    for number in reversed(timeline.play_order):
        if timeline.opens_phase(number):
            return number, timeline.log[number - 1].at
    return 0, 0.0


def clock_text(timeline: Timeline, now: float | None, minutes: int) -> str:
    """How much is left of the minutes of the present phase, or how far it is over; "" without a clock.

    `now` in seconds since the battle began.
    """
    began = phase_began(timeline)[1] if minutes and now is not None else None
    if now is None or began is None:
        return ""
    left = 60 * minutes - max(0.0, now - began)
    over = int(-left) // 60
    return f"{ceil(left / 60)} min left" if left > 0 else f"{over} min over" if over else "time is up"
