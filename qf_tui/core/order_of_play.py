"""The order of play, from the log: which acts are in force, and where each entry comes."""

from collections.abc import Mapping, Sequence

from qf_tui.core.acts import (
    RESTORES,
    STRIKES,
    Correction,
    CorrectionKind,
    Entry,
    LogAct,
    Ruling,
    Version,
)


def structure(log: Sequence[LogAct]) -> tuple[tuple[int, ...], dict[int, Version]]:
    """The entries in force in the order of play, and the version of each that is played."""
    live = in_force(log)
    order, versions = _laid_out(log, live)
    return tuple(number for number in order if number in live), versions


def order_of_play(log: Sequence[LogAct]) -> tuple[int, ...]:
    """All entries in the order of play, those that are struck too: each where it would be."""
    return tuple(_laid_out(log, in_force(log))[0])


def _laid_out(log: Sequence[LogAct], live: frozenset[int]) -> tuple[list[int], dict[int, Version]]:
    """Every entry in the order of play, and the version of each that is played.

    Struck entries keep their places while the script is built, so that what comes behind them does not move.
    """
    order: list[int] = []
    anchors: dict[int, int] = {}
    versions: dict[int, Version] = {}
    for act in log:
        if isinstance(act, Entry):
            versions[act.number] = act.version
            if act.after is None:
                order.append(act.number)
            else:
                _place(order, anchors, (act.number,), act.after, _phase_ends(act.version, versions))
        elif act.number in live and act.kind is CorrectionKind.SHIFT:
            order = [number for number in order if number not in act.targets]
            _place(order, anchors, act.targets, act.after or 0)
        elif act.number in live and act.kind is CorrectionKind.AMEND and act.version is not None:
            versions[act.targets[0]] = act.version
    return order, versions


def _phase_ends(version: Version, versions: Mapping[int, Version]) -> frozenset[int]:
    """The ends of phases that an answer comes before: all but the one that asked it; else none."""
    if not version.order.is_answer:
        return frozenset()
    asked_by = version.order.cause
    return frozenset(
        number for number, other in versions.items() if other.order.is_phase_end and number != asked_by
    )


def _place(
    order: list[int],
    anchors: dict[int, int],
    numbers: tuple[int, ...],
    after: int,
    ahead_of: frozenset[int] = frozenset(),
) -> None:
    """Puts entries behind another, and behind all that were put there before, but ahead of some."""
    at = order.index(after) + 1 if after in order else 0
    while at < len(order) and order[at] not in ahead_of and _hangs_on(order[at], after, anchors):
        at += 1
    order[at:at] = numbers
    for number in numbers:
        anchors[number] = after


def _hangs_on(number: int, after: int, anchors: Mapping[int, int]) -> bool:
    seen: set[int] = set()
    while number in anchors and number not in seen:
        seen.add(number)
        number = anchors[number]
        if number == after:
            return True
    return False


def in_force(log: Sequence[LogAct]) -> frozenset[int]:
    """The acts in force.

    From the last to the first, each takes what is before it out of force or restores it.
    """
    struck: dict[int, bool] = {}
    for act in reversed(log):
        if isinstance(act, Correction) and act.kind in STRIKES | RESTORES and not struck.get(act.number):
            for target in act.targets:
                struck.setdefault(target, act.kind in STRIKES)
    return frozenset(act.number for act in log if not struck.get(act.number, False))


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
