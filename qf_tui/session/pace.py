"""How long a turn lasts, and how fast its entries come: worked out of when they were made."""

from itertools import pairwise

from attrs import frozen

from qf_tui.core.acts import Entry
from qf_tui.core.effects import Op
from qf_tui.core.timeline import Timeline


@frozen
class Pace:
    """Minutes of the turn so far, and the seconds that a throw usually took (0: not two of them)."""

    minutes: int
    seconds: int

    def __str__(self) -> str:
        return f"{self.minutes} min, {self.seconds} s a throw" if self.seconds else f"{self.minutes} min"


def pace(timeline: Timeline, now: float) -> Pace:
    """The pace of the present turn; `now` in seconds since the battle began."""
    began = turn_began(timeline)
    thrown = [
        act.at
        for act in timeline.log
        if isinstance(act, Entry)
        and act.at is not None
        and act.at >= began
        and (version := timeline.versions.get(act.number)) is not None
        and version.order.dice
    ]
    gaps = [after - before for before, after in pairwise(thrown)]
    if not gaps:
        return Pace(max(0, int(now - began)) // 60, 0)
    from statistics import median

    return Pace(max(0, int(now - began)) // 60, round(median(gaps)))


def turn_began(timeline: Timeline) -> float:
    """When the present turn was opened, in seconds since the battle began; 0 where no entry says so."""
    turn, found = timeline.battle.turn, 0.0
    for number in reversed(timeline.play_order):
        ruling = timeline.rulings.get(number)
        for effect in ruling.decision.effects if ruling is not None else ():
            if effect.op is Op.PHASE and isinstance(effect.value, tuple):
                act = timeline.act(number)
                if effect.value[0] != turn:
                    return found
                found = (act.at if act is not None else None) or found
    return 0.0
