"""The ledger: the damage dealt to each ship in a phase, remembered as acts of the battle.

The ledger of a ship is a log to start from, and the pieces of damage dealt since. Damage that counts in a
fixed order is worked out from the ledger again whenever a piece is added.

Rule: AQF-DAM-12.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum

from qf_tui.core.decisions import DecisionBuilder, Op
from qf_tui.core.facts import FactField
from qf_tui.core.text import Scalar
from qf_tui.core.values import Act, Battle

ORDERED_PHASE = "settles"
"""The act that marks a phase whose damage counts in one order. Phases of an older program have none."""
DEALT = "dealt"
"""The act of a piece of damage, or of a ship's log that later pieces are settled from."""
ENTRY, SOURCE, CODES = "entry", "source", "codes"
OPENED, LOG_PREFIX = "opened", "log."
DEALT_FACTS = (
    FactField(ENTRY, "int", group="piece"),
    FactField(SOURCE, group="piece"),
    FactField(CODES, "texts", group="piece"),
    FactField(OPENED, "int", group="log"),
    FactField(f"{LOG_PREFIX}*", "scalar", group="log"),
)
"""The facts of a piece of damage, or of a log with the entry that opened its phase."""


class Source(StrEnum):
    """A source of damage. Damage of a phase counts in this order, whatever the order of entry.

    Rule: AQF-DAM-12.
    """

    HEAVY = "heavy"
    LIGHT_ARMOR = "light-armor"  # heavy fire at the light armor
    LIGHT = "light"
    BOATS = "boats"
    EXPLOSION = "explosion"
    CHECK = "check"
    TORPEDO = "torpedo"


def list_ordered_phases(battle: Battle) -> list[tuple[int, str]]:
    """Return the phases, as (turn, phase), whose damage counts in the order of its sources; oldest first."""
    return [(act.turn, act.phase) for act in battle.list_acts(ORDERED_PHASE, "")]


def is_phase_ordered(battle: Battle) -> bool:
    """Return whether the damage of the current phase counts in the order of its sources."""
    return (battle.turn, battle.phase) in list_ordered_phases(battle)


def begin_ordered_phase(builder: DecisionBuilder) -> None:
    """Make the damage of the new phase count in the order of its sources.

    A phase that an older program began keeps the order of entry: its entry in the save lacks this act.
    """
    # The entry as the save has it; None for a new entry.
    saved = builder.recorded
    # After a correction the entry may begin another phase than in the save; that phase is new.
    is_same_phase = saved and saved.begun_phase and saved.begun_phase[1] == builder.battle.phase
    keeps_entry_order = saved and all(effect.field != ORDERED_PHASE for effect in saved.effects)
    if is_same_phase and keeps_entry_order:
        return
    builder.remember(ORDERED_PHASE, "")


def read_ledger(battle: Battle, ship: str) -> tuple[Mapping[str, Scalar], Sequence[Act]]:
    """Return the log that a ship's damage is worked out from, and the pieces of damage dealt since.

    The log is the one last remembered in this phase, or else the ship's log as the phase began.
    """
    acts = battle.list_acts(DEALT, ship)
    for place, act in reversed(list(enumerate(acts))):
        # An act with the fact OPENED holds a log, for the phase that the entry of this number opened. All
        # other acts hold a piece of damage.
        if act.facts.get(OPENED) == battle.opened:
            return act.list_scalars(LOG_PREFIX), acts[place + 1 :]
    start_ship = battle.start.ships.get(ship, battle.ships[ship])
    return start_ship.log, acts[len(battle.start.list_acts(DEALT, ship)) :]


def open_ledger(builder: DecisionBuilder, ship: str) -> tuple[Mapping[str, Scalar], Sequence[Act]]:
    """Return the ledger of a ship, as `read_ledger` does, so that a piece can be added.

    If there are no pieces yet and the log has changed by other means, the ledger starts from the changed log.
    """
    log, pieces = read_ledger(builder.battle, ship)
    if not pieces and log != builder.ship(ship).log:
        log = builder.ship(ship).log
        _remember_log(builder, ship, log, builder.battle.opened)
    return log, pieces


def freeze_damage(builder: DecisionBuilder, ship: str) -> None:
    """Restart a ship's ledger from her present log, if it has damage. Later damage cannot change this log."""
    _, damage_pieces = read_ledger(builder.battle, ship)
    if damage_pieces:
        _remember_log(builder, ship, builder.ship(ship).log, builder.battle.opened)


def _remember_log(builder: DecisionBuilder, ship: str, log: Mapping[str, Scalar], opened: int) -> None:
    """Remember a ship's log as the start of her ledger.

    Args:
        opened: The entry that opened the phase for which the log counts.
    """
    facts = {LOG_PREFIX + name: value for name, value in log.items()}
    builder.remember(DEALT, ship, **{OPENED: opened}, **facts)


def carry_ledgers(builder: DecisionBuilder) -> None:
    """Copy the ledgers of this turn into the new phase: late rolls may still add pieces of earlier phases."""
    for ship in builder.battle.ships:
        log, pieces = read_ledger(builder.battle, ship)
        # A ledger of an earlier turn begins with a piece of that turn.
        if pieces and pieces[0].turn == builder.battle.turn:
            # The entry that ends this phase opens the new one.
            _remember_log(builder, ship, log, builder.entry)
            for piece in pieces:
                builder.write(Op.ACT, ship, DEALT, piece)


def find_phase_of_cause(battle: Battle, ship: str, cause: int | None) -> tuple[int, str]:
    """Return the turn and phase in which an entry damaged a ship, or the current ones if it did not.

    Args:
        cause: Number of the entry; None for no entry.
    """
    acts = (act for act in battle.list_acts(DEALT, ship) if act.facts.get(ENTRY, 0) == cause)
    return next(((act.turn, act.phase) for act in acts), (battle.turn, battle.phase))
