"""The switches of a game as its rules ask for them, and those that the games share."""

from collections.abc import Callable

from qf_tui.core.system import Option
from qf_tui.core.values import Battle, Ship
from qf_tui.rules.quickfire_family.ship import AGROUND, ON_GROUND

GROUNDED = Option(
    AGROUND,
    ON_GROUND,
    ("fights", "silent"),
    "fights",
    "whether a ship aground fires and launches, or is a target alone",
)


def shared_edge(clause: str) -> Option:
    """The switch for a range on the edge of two brackets."""
    says = "the bracket of a distance on a shared edge"
    return Option("shared_edge", clause, ("shorter", "longer"), "shorter", says)


def estimated_ranges(clause: str, says: str = "a range may be estimated", example: str = "12in") -> Option:
    """The switch for ranges that nobody measured."""
    says = f"whether {says} between two that are measured (`~{example}`)"
    return Option("estimated_ranges", clause, ("yes", "no"), "yes", says, measured_only="no")


def asked_of(switches: tuple[Option, ...]) -> Callable[[Battle, str], str]:
    """The value of a switch in a battle; its default where the battle does not say."""
    defaults = {switch.name: switch.default for switch in switches}

    def option(battle: Battle, name: str) -> str:
        value = battle.options.get(name)
        return str(value) if value is not None else defaults[name]

    return option


def silent(battle: Battle, ship: Ship) -> bool:
    """Whether a ship neither fires nor launches because it lies aground (AQF-PH-8)."""
    return ship.status == AGROUND and battle.options.get(AGROUND) == "silent"


def one_roll(battle: Battle) -> bool:
    """Whether both batteries fire with one roll, not one each; the default is no."""
    return battle.options.get("one_roll") == "yes"
