"""How long the present phase and turn have taken, from the times at which orders were entered."""

from itertools import pairwise
from math import ceil

from attrs import frozen

from qf_tui.core.timeline import Entry, Timeline


@frozen
class Pace:
    """How long the present turn lasts, and how fast its dice are thrown.

    Attributes:
        minutes: Minutes since the turn began.
        seconds: Median seconds between throws; 0 for fewer than two throws.
    """

    minutes: int
    seconds: int

    def __str__(self) -> str:
        return f"{self.minutes} min, {self.seconds} s a throw" if self.seconds else f"{self.minutes} min"


def measure_pace(timeline: Timeline, now: float) -> Pace:
    """Measure the pace of the present turn: its minutes so far, and the median time between throws of dice.

    Args:
        now: Seconds since the battle began.
    """
    opened_by, began = find_turn_start(timeline)
    with_dice = {number for number, version in timeline.versions.items() if version.order.dice}
    entries = (act for act in timeline.log[max(0, opened_by - 1) :] if isinstance(act, Entry))
    throw_times = (entry.at for entry in entries if entry.number in with_dice)
    # If the entry that opened the turn has no time, the first acts of the turn are earlier than `began`.
    times = [time for time in throw_times if time is not None and time >= began]
    gaps = [after - before for before, after in pairwise(times)]
    from statistics import median

    return Pace(max(0, int(now - began)) // 60, round(median(gaps)) if gaps else 0)


def find_turn_start(timeline: Timeline) -> tuple[int, float]:
    """Find the entry that opened the present turn, and its time in seconds; (0, 0.0) for the first turn."""
    turn = timeline.battle.turn
    opened_by = 0
    began = 0.0
    # Go back to the first entry that began a phase of this turn. If that entry has no time, the time of the
    # next phase counts.
    for number in reversed(timeline.play_order):
        ruling = timeline.rulings.get(number)
        begun_phase = ruling.decision.begun_phase if ruling is not None else None
        if begun_phase is not None:
            begun_turn, _ = begun_phase
            if begun_turn != turn:
                return opened_by, began
            opened_by = number
            began = timeline.log[number - 1].at or began
    # The battle began in this turn: no entry opened the turn, but entries may have opened its later phases.
    return (0, 0.0) if turn == timeline.start.turn else (opened_by, began)


def find_phase_start(timeline: Timeline) -> tuple[int, float | None]:
    """Find the entry that opened the present phase, and its time in seconds, or None if that is unknown.

    At the start of the battle the result is (0, 0.0).
    """
    for number in reversed(timeline.play_order):
        if timeline.is_phase_opener(number):
            return number, timeline.log[number - 1].at
    return 0, 0.0


def format_clock(timeline: Timeline, now: float | None, minutes: int) -> str:
    """Format how much time is left in the present phase, or how far it is over.

    Args:
        now: Seconds since the battle began, or None without a clock.
        minutes: Minutes that a phase may take; 0 for no limit.

    Returns:
        The text, or "" without a clock, a limit, or the time when the phase began.
    """
    if now is None or not minutes:
        return ""
    _, began = find_phase_start(timeline)
    if began is None:
        return ""
    seconds_left = 60 * minutes - max(0.0, now - began)
    minutes_over = int(-seconds_left) // 60
    if seconds_left > 0:
        return f"{ceil(seconds_left / 60)} min left"
    return f"{minutes_over} min over" if minutes_over else "time is up"
