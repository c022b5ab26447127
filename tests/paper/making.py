"""What the tests of paper make: battles drawn at random as a save has them, and files."""

from pathlib import Path

from attrs import evolve

from qf_tui.core.builtin_forms import JOIN
from qf_tui.core.timeline import LogAct, Timeline, opened


def as_saved(timeline: Timeline) -> Timeline:
    """The battle as a session plays it: a ship that joins comes with its entry."""
    reserve = timeline.start.reserve

    def told(act: LogAct) -> LogAct:
        if act.version is None or act.version.order.form is not JOIN:
            return act
        coming = tuple(reserve[id] for id in act.version.order.many("ships") if id in reserve)
        return evolve(act, version=evolve(act.version, arrivals=coming))

    return opened(timeline.start, tuple(map(told, timeline.log)))


def written(folder: Path, name: str, text: str | bytes) -> Path:
    """A file of a text."""
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path
