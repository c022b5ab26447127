"""A save that another console writes, as it grows: a battle to be looked at, never to be entered into.

No lock is taken and nothing is written. Whoever shows it calls `look` every `LOOK_EVERY` seconds, which costs
a question for the file's length while nothing is new.
"""

from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path

from attrs import frozen

from qf_tui.core.decisions import Op
from qf_tui.core.errors import QfError
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import Entry, Timeline
from qf_tui.core.values import Battle
from qf_tui.journal.reading import Save, Tail
from qf_tui.session.saves import grown, open_timeline, rules_by

LOOK_EVERY = 0.1
"""Seconds from one look at the save to the next."""


class Follower:
    """A battle that is followed; QfError if its save cannot be opened now.

    `timeline` is a value, and another one after each act of its writer. `battle_id` is another once another
    battle is in its place, perhaps of another `system`. `lost` says why the save cannot be followed, and is
    "" while it can: what is shown is then as it was last.
    """

    writable = False

    def __init__(self, path: Path, systems: Mapping[str, RuleSystem]) -> None:
        self.path, self._systems = path, systems
        self._tail = Tail(path, rules_by(systems))
        self.lost = ""
        self._open(self._tail.save)
        self._told = ""

    def _open(self, save: Save) -> None:
        self.system, self.timeline = open_timeline(save, self._systems)
        self._save = save

    @property
    def battle(self) -> Battle:
        """The battle as it stands."""
        return self.timeline.battle

    @property
    def battle_id(self) -> str:
        """What no other battle has: the checksum of its header."""
        return self._save.first_sum

    @property
    def extra(self) -> Mapping[str, object]:
        """The parts of the save that are not the battle's own."""
        return self._save.header.extra

    @property
    def program(self) -> str:
        """The version of the program that began the save."""
        return self._save.header.program

    @property
    def notice(self) -> str:
        """What is to be told of the save, or nothing."""
        save = self._save
        end = save.end_notice if save.short and not self.lost else ""
        said = (self.lost, self._told, end and f"{save.name}: {end}.")
        return " ".join(text for text in said if text)

    def look(self) -> bool:
        """Takes in what has been added; whether the timeline or what is told is another than before."""
        if not self._tail.look():
            return False
        was = self.timeline, self.notice
        self.lost = self._tail.fault
        if not self.lost:
            try:
                self._take(self._tail.save)
            except QfError as fault:
                self.lost = f"{self._save.name}: {fault}"
        if self.lost:
            self.lost = f"{self.lost} What is shown is the battle as it was last read."
        return self.timeline is not was[0] or self.notice != was[1]

    def _take(self, save: Save) -> None:
        """Goes on to what the save holds by now; QfError if its rules cannot make sense of it."""
        before, known = self._save, len(self._save.log)
        if save.first_sum == before.first_sum and save.log[:known] == before.log:
            if len(save.log) > known:
                self.timeline = grown(self.system, self.timeline, save.log[known:])
                self._told = ""
        else:
            self._open(save)
            self._told = f"{save.name}: {_changed(before, save)}."
        self._save = save


def _changed(before: Save, now: Save) -> str:
    """What has become of a save that does not go on from what it was, in words."""
    if now.first_sum != before.first_sum:
        return "another battle is in its place, and is shown from here on"
    had, has = len(before.log), len(now.log)
    if before.log[:has] == now.log:
        gone = f"act {had} is" if had == has + 1 else f"acts {has + 1} to {had} are"
        return f"it was cut, {gone} gone from its end"
    pairs = zip(before.log, now.log, strict=False)
    first = next(place for place, (old, new) in enumerate(pairs, start=1) if old != new)
    return f"it was replaced, its acts from {first} on are others than before"


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
