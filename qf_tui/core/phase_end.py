"""The end of a phase: what hinders it, what it does, and the next one opened."""

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.effects import Op
from qf_tui.core.errors import Finding, refused
from qf_tui.core.schedule import owe_due
from qf_tui.core.system import RuleSystem, find_field, find_phase
from qf_tui.core.values import Battle


def what_holds(battle: Battle, force: str = "force next") -> tuple[Finding, ...]:
    """What hinders the end of the phase: rolls that are owed, doubts that are open.

    `force` is the order that ends it all the same.
    """
    found = []
    if battle.owed:
        listed = "; ".join(f"{owed.key}: {owed.prompt}" for owed in battle.owed[:12])
        more = f" and {len(battle.owed) - 12} more" if len(battle.owed) > 12 else ""
        found.append(refused(f"still owed: {listed}{more} (`{force}` carries them over)", ""))
    if battle.doubts:
        numbers = ", ".join(str(number) for number in battle.doubts)
        found.append(refused(f"still in doubt: {numbers} (settle them, or `{force}`)", ""))
    return tuple(found)


def end_phase(system: RuleSystem, builder: DecisionBuilder, carried: bool, ended: bool | None = None) -> None:
    """Ends the phase and begins the next one, as far as the rule system lets it.

    `ended`: whether this `next` ended its phase when it was entered. One that did does it again, whatever
    leaving now asks (it is asked late); one that only brought up questions never ends a phase.
    """
    if ended is False:
        _ask_only(system, builder, carried)
        return
    if system.leave(builder.battle, builder, carried):
        if not ended:
            return
        system.leave(builder.battle, builder, True)
    names = [phase.name for phase in system.phases]
    ending = find_phase(system, builder.battle.phase)
    again = ending.again(builder.battle)
    place = (names.index(ending.name) + (not again)) % len(names)
    ending_turn = builder.battle.turn
    turn = ending_turn + (place == 0 and not again)
    _lapse(system, builder, turn)
    builder.write(Op.PHASE, "", names[place], (turn, carried))
    builder.because(f"turn {turn}, {find_phase(system, names[place]).title}")
    system.enter(builder.battle, builder)
    if turn != ending_turn:
        owe_due(system, builder)


def _lapse(system: RuleSystem, builder: DecisionBuilder, turn: int) -> None:
    """Scribbles out every mark whose span is over as a turn begins."""
    for ship in builder.battle.ships.values():
        for mark in ship.marks:
            if not mark.lifted and mark.until is not None and mark.until < turn:
                field = find_field(system, mark.kind)
                what = mark.text or (field.title if field else mark.kind)
                builder.lift(ship.id, mark)
                builder.because(f"over on {ship.name}: {what}")


def _ask_only(system: RuleSystem, builder: DecisionBuilder, carried: bool) -> None:
    """Writes what leaving the phase asks, if it asks anything, and nothing of the end itself."""
    trial = DecisionBuilder(builder.battle, builder.entry)
    if system.leave(trial.battle, trial, carried):
        system.leave(builder.battle, builder, carried)
