"""Which acts of a log are in force: what takes others out, what brings them back, where they stood."""

from collections.abc import Iterator, Sequence

from qf_tui.core.acts import RESTORES, STRIKES, Correction, CorrectionKind, Entry, LogAct, Ruling

_TAKES_OR_RESTORES = STRIKES | RESTORES


def in_force(log: Sequence[LogAct]) -> frozenset[int]:
    """The numbers of the acts in force."""
    return frozenset(act.number for act, counts in backwards(log) if counts)


def backwards(log: Sequence[LogAct]) -> Iterator[tuple[LogAct, bool]]:
    """The acts from the last to the first, each with whether it is in force.

    One in force takes what is before it out of force, or restores it.
    """
    struck: dict[int, bool] = {}
    for act in reversed(log):
        counts = not struck.get(act.number)
        if counts and isinstance(act, Correction) and act.kind in _TAKES_OR_RESTORES:
            for target in act.targets:
                struck.setdefault(target, act.kind in STRIKES)
        yield act, counts


def rulings_when_placed(log: Sequence[LogAct]) -> dict[int, Ruling]:
    """The ruling of each entry when it was put at its place: entered there, or last shifted there.

    What a shift that is still being worked out moves has yet to be decided there, and is left out.
    """
    live = in_force(log)
    latest: dict[int, Ruling] = {}
    placed: dict[int, Ruling] = {}
    for act in log:
        latest.update(act.rulings)
        if isinstance(act, Entry):
            placed.update(act.rulings and {act.number: act.rulings[act.number]})
        elif act.kind is CorrectionKind.SHIFT and act.number in live:
            for target in act.targets:
                placed[target] = latest[target]
    if log and isinstance(log[-1], Correction) and log[-1].kind is CorrectionKind.SHIFT:
        return {number: ruling for number, ruling in placed.items() if number not in log[-1].targets}
    return placed


def struck_order(log: Sequence[LogAct]) -> tuple[int, ...]:
    """The acts out of force, the one struck last at the end."""
    live = in_force(log)
    order: list[int] = []
    for act in log:
        if isinstance(act, Correction) and act.kind in STRIKES and act.number in live:
            for target in act.targets:
                order = [number for number in order if number != target]
                order.append(target)
    return tuple(number for number in order if number not in live)


def is_undo(act: LogAct) -> bool:
    """Whether an act undoes or redoes others; no undo strikes it."""
    return isinstance(act, Correction) and act.kind in (CorrectionKind.UNDO, CorrectionKind.REDO)
