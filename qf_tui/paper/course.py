"""The order of play as it is printed: phase by phase what is ordered, thrown and minded."""

from attrs import frozen

from qf_tui.core.grammar.forms import Form
from qf_tui.core.system import Phase, RuleSystem
from qf_tui.core.values import Battle


@frozen
class PrintedPhase:
    """A phase: its number, its orders, and its clauses with their words; `now`: the battle stands in it."""

    number: int
    phase: Phase
    orders: tuple[Form, ...]
    clauses: tuple[tuple[str, str], ...]
    now: bool


def printed_phases(system: RuleSystem, battle: Battle) -> tuple[PrintedPhase, ...]:
    """The phases of a turn, in order."""
    return tuple(
        PrintedPhase(
            number,
            phase,
            tuple(form for form in system.forms if phase.name in form.phases),
            tuple((clause, system.clauses[clause]) for clause in phase.clauses if clause in system.clauses),
            phase.name == battle.phase,
        )
        for number, phase in enumerate(system.phases, start=1)
    )


def other_switches(system: RuleSystem, battle: Battle) -> tuple[tuple[str, str, str], ...]:
    """The switches that are not at their default, as (value, what it turns, clause)."""
    found = []
    for option in system.options:
        value = str(battle.options.get(option.name, option.default))
        if value != option.default:
            found.append((f"{option.name} {value}", option.text, option.clause))
    return tuple(found)
