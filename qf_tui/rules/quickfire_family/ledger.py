"""The ledger of a phase: the damage dealt to each ship in it, remembered as acts of the battle.

Rule: AQF-DAM-12.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum

from qf_tui.core.decisions import DecisionBuilder, Op
from qf_tui.core.facts import FactField
from qf_tui.core.text import Scalar
from qf_tui.core.values import Act, Battle

SETTLES = "settles"
"""The act that marks a phase whose damage counts in one order. Phases of an older program have none."""
DEALT = "dealt"
"""The act of a piece of damage, or of a ship's log that later pieces are settled from."""
ENTRY, SOURCE, CODES = "entry", "source", "codes"
OPENED, LOG = "opened", "log."
DEALT_FACTS = (
    FactField(ENTRY, "int", group="piece"),
    FactField(SOURCE, group="piece"),
    FactField(CODES, "texts", group="piece"),
    FactField(OPENED, "int", group="log"),
    FactField(f"{LOG}*", "scalar", group="log"),
)
"""The facts of a piece of damage, or of a log with the entry that opened its phase."""


class Source(StrEnum):
    """A source of damage, in the order in which a phase is settled.

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
    """Return the turns and phases whose damage counts in one order, oldest first."""
    return [(act.turn, act.phase) for act in battle.list_acts(SETTLES, "")]


def is_phase_ordered(battle: Battle) -> bool:
    """Return whether the damage of the present phase counts in one order."""
    return (battle.turn, battle.phase) in list_ordered_phases(battle)


def begin_ordered_phase(builder: DecisionBuilder) -> None:
    """Make the damage of the new phase count in one order, unless an older program began the phase."""
    recorded = builder.recorded
    is_from_older_program = recorded is not None and all(
        effect.field != SETTLES for effect in recorded.effects
    )
    # After a correction the entry may begin another phase than before: that phase is new.
    if not (
        is_from_older_program
        and recorded
        and recorded.begun_phase
        and recorded.begun_phase[1] == builder.battle.phase
    ):
        builder.remember(SETTLES, "")


def read_ledger(battle: Battle, ship: str) -> tuple[Mapping[str, Scalar], Sequence[Act]]:
    """Return the log that the damage of a ship is settled from, and the pieces dealt since."""
    acts = battle.list_acts(DEALT, ship)
    for place, act in reversed(list(enumerate(acts))):
        if act.facts.get(OPENED) == battle.opened:
            return act.list_scalars(LOG), acts[place + 1 :]
    start_ship = battle.start.ships.get(ship, battle.ships[ship])
    return start_ship.log, acts[len(battle.start.list_acts(DEALT, ship)) :]


def open_ledger(builder: DecisionBuilder, ship: str) -> tuple[Mapping[str, Scalar], Sequence[Act]]:
    """Read the ledger of a ship for a new piece. It starts again if the log changed by other means."""
    log, pieces = read_ledger(builder.battle, ship)
    if not pieces and log != builder.ship(ship).log:
        log = builder.ship(ship).log
        _remember_log(builder, ship, log, builder.battle.opened)
    return log, pieces


def freeze_damage(builder: DecisionBuilder, ship: str) -> None:
    """Keep the damage of a ship: damage dealt later cannot change it."""
    if read_ledger(builder.battle, ship)[1]:
        _remember_log(builder, ship, builder.ship(ship).log, builder.battle.opened)


def _remember_log(builder: DecisionBuilder, ship: str, log: Mapping[str, Scalar], opened: int) -> None:
    facts = {LOG + name: value for name, value in log.items()}
    builder.remember(DEALT, ship, **{OPENED: opened}, **facts)


def carry_ledgers(builder: DecisionBuilder) -> None:
    """Keep the pieces of this turn for the next phase, where rolls that are carried over may move them."""
    for ship in builder.battle.ships:
        log, pieces = read_ledger(builder.battle, ship)
        if pieces and pieces[0].turn == builder.battle.turn:
            _remember_log(builder, ship, log, builder.entry)
            for piece in pieces:
                builder.write(Op.ACT, ship, DEALT, piece)


def find_phase_of_cause(battle: Battle, ship: str, cause: int | None) -> tuple[int, str]:
    """Return the turn and phase in which an entry damaged a ship; the present ones if it did not."""
    acts = (act for act in battle.list_acts(DEALT, ship) if act.facts.get(ENTRY, 0) == cause)
    return next(((act.turn, act.phase) for act in acts), (battle.turn, battle.phase))
