"""A save given to its rules: they make sense of what it says, or it is refused.

Its checksums may fit and its lines be sound, and yet no rules may have made it: another program's, or a hand's.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from qf_tui.core.errors import QfError
from qf_tui.core.system import RuleSystem, find_phase
from qf_tui.core.timeline import Timeline, opened
from qf_tui.journal.reading import Save

_SENSELESS = (LookupError, ValueError, TypeError, ArithmeticError, AttributeError, StopIteration)


def open_timeline(save: Save, systems: Mapping[str, RuleSystem]) -> tuple[RuleSystem, Timeline]:
    """The rule system of a save and its timeline; QfError if that is not installed or cannot make sense of it."""
    system = _system_of(save, systems)
    with sense_of(system):
        timeline = opened(save.header.start, save.log)
        find_phase(system, timeline.battle.phase)
        for id, ship in timeline.battle.ships.items():
            if ship.id != id:
                raise ValueError(f"ship {id} is called {ship.id}")
            system.report(timeline.battle, ship)
    return system, timeline


@contextmanager
def sense_of(system: RuleSystem) -> Iterator[None]:
    """Within it, what the rules trip over in a save is a QfError."""
    try:
        yield
    except _SENSELESS as fault:
        raise QfError(
            f"the save says what {system.title} cannot make sense of ({type(fault).__name__}: {fault}), though its "
            "checksums fit: another program wrote it. Nothing was overwritten; take a copy from before."
        ) from fault


def _system_of(save: Save, systems: Mapping[str, RuleSystem]) -> RuleSystem:
    name = save.header.system
    if name not in systems:
        known = ", ".join(systems) or "none"
        raise QfError(f"the save is of the rule system “{name}”, which is not installed; installed: {known}")
    return systems[name]
