"""Doctrines: how a side plays in a simulation.

Each has functions that choose the side's orders, and a sentence that tells people how it plays.
Ours are here; an installed package may add its own by the entry point group `qf_tui.doctrines`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from itertools import islice
from typing import Protocol

from attrs import evolve, frozen

from qf_tui.core.errors import Finding, QfError
from qf_tui.core.values import Battle, Order
from qf_tui.features.simulation.lines import BEAM_PART, BattleLine, Helm, Sea
from qf_tui.features.simulation.model import NEAREST, Attack, BattleModel
from qf_tui.library.declared import OUR_TARGETS
from qf_tui.library.systems import find_doctrine_points, load_doctrine

NEAR = 3
"""Number of nearest enemies from which a ship chooses her target."""
AMONG = 0.1
"""Part of the longest range at which ships count as among the enemy."""


class Moment(Protocol):
    """What a doctrine sees: the present battle, the lines, and what all battles from this start share."""

    battle: Battle
    sea: Sea

    @property
    def model(self) -> BattleModel:
        """The facts that all battles from this start share."""

    def find_attacks(self, ship: str) -> Iterator[Attack]:
        """Yield the attacks of a ship in this phase that reach an enemy."""

    def find_targets(self, attack: Attack) -> Iterator[str]:
        """Yield the enemies that an attack reaches, nearest line first."""

    def build_order(self, attack: Attack, target: str) -> Order:
        """Build the order for an attack on a ship in her present position."""

    def list_findings(self, order: Order) -> tuple[Finding, ...]:
        """List the findings against an order."""


Orders = Callable[[Moment, BattleLine], Iterator[Order]]
"""The orders of a line for the present phase; each is built for the battle after the order before it."""
Targets = Callable[[Moment, Attack], Iterable[str]]
"""The possible targets of an attack, the most wanted first."""


@frozen
class Doctrine:
    """A way in which a side plays a simulated battle.

    Attributes:
        says: Sentence that describes it.
        orders: Yields the orders of a line.
        wishes: Returns the range that a side wants, in the unit of the table.
        part: Part of its speed that a line uses to reach that range.
        crosses: True if a line tries to cross ahead of its enemy.
        lame: True if a line steers for ships that fell out of their line.
        runs: True if a side is out of the battle once it is out of reach.
    """

    name: str
    says: str
    orders: Orders
    wishes: Callable[[BattleModel, str], float]
    part: float = BEAM_PART
    crosses: bool = False
    lame: bool = False
    runs: bool = False

    def build_helm(self, model: BattleModel, side: str, *, pursues: bool = False) -> Helm:
        """Build the helm of a line: the range that the doctrine wants, as far as there is room at sea.

        Args:
            model: Facts about the battle.
            side: Id of the side.
            pursues: True if the line follows an enemy that runs; it then uses its full speed, and does not
                try to cross.
        """
        wish = max(NEAREST, self.wishes(model, side) * model.stretch)
        part = 1.0 if pursues else self.part
        # Without a limit, `sea_room` is 0.
        range = min(wish, model.sea_room or wish)
        return Helm(range, part, self.crosses and not pursues, self.lame)


def attack_with(targets: Targets) -> Orders:
    """Build the function that orders every possible attack of a line, each on its first allowed target.

    Args:
        targets: Lists the targets of an attack, the most wanted first.
    """

    def list_orders(moment: Moment, line: BattleLine) -> Iterator[Order]:
        may_try = moment.model.system.may_try
        for id in line.ships:
            for attack in moment.find_attacks(id):
                if moment.battle.ships[id].afloat and may_try(moment.battle, attack.order):
                    orders = (moment.build_order(attack, target) for target in targets(moment, attack))
                    # The first order without findings, if there is one.
                    yield from islice((order for order in orders if not moment.list_findings(order)), 1)

    return list_orders


def in_reach(moment: Moment, attack: Attack) -> Iterator[str]:
    """Yield the enemies afloat that an attack reaches, nearest line first."""
    ships = moment.battle.ships
    return (id for id in moment.find_targets(attack) if ships[id].afloat)


def rank_by_cost(moment: Moment, attack: Attack) -> Iterable[str]:
    """List the three nearest enemies by the worth that the attack costs them on average, the most first.

    Enemies whom it costs nothing are left out.
    """
    near = islice(in_reach(moment, attack), NEAR)
    costs = {id: moment.model.compute_cost(attack, id, moment.sea.find_range(attack.ship, id)) for id in near}
    return (id for id in sorted(costs, key=lambda id: -costs[id]) if costs[id] > 0)


def rank_by_worth(moment: Moment, attack: Attack) -> Iterable[str]:
    """List the three nearest enemies by their worth when the battle began, the most first."""
    worth_at_start = moment.model.whole
    return sorted(islice(in_reach(moment, attack), NEAR), key=lambda id: -worth_at_start[id])


def rank_leaders_first(moment: Moment, attack: Attack) -> Iterable[str]:
    """List the enemies in reach: the ships of the nearest line from its head, then the others."""
    sea = moment.sea
    reached = tuple(in_reach(moment, attack))
    # The line of the first enemy, as the nearest line comes first; none if no enemy is in reach.
    nearest_lines = [sea.lines[sea.line_by_ship[id]] for id in reached[:1]]
    ships_of_nearest_line = [id for line in nearest_lines for id in line.ships if id in reached]
    return dict.fromkeys((*ships_of_nearest_line, *reached))


def rank_fallen_first(moment: Moment, attack: Attack) -> Iterable[str]:
    """List the enemies in reach: those that fell out of their line, then the others."""
    sea = moment.sea
    return sorted(in_reach(moment, attack), key=lambda id: not sea.lines[sea.line_by_ship[id]].fallen)


def rank_to_finish(moment: Moment, attack: Attack) -> Iterable[str]:
    """List the enemies in reach: ships before batteries, those that were worth most at the start first.

    Of ships with equal worth, those that fell out of their line come first.
    """
    ships, worth_at_start = moment.battle.ships, moment.model.whole
    enemies = rank_fallen_first(moment, attack)
    return sorted(enemies, key=lambda id: (ships[id].is_land_battery, -worth_at_start[id]))


@frozen
class TargetChoice:
    """A choice of targets, which a doctrine may have instead of its own.

    Attributes:
        says: Sentence that describes it.
        orders: Yields the orders of a line.
    """

    says: str
    orders: Orders


COST = TargetChoice(
    "each battery attacks the one of the three nearest enemies that it costs most on average",
    attack_with(rank_by_cost),
)
WORTH = TargetChoice(
    "all attack the one of the three nearest enemies that is worth most", attack_with(rank_by_worth)
)
LEADERS = TargetChoice("all attack the head of the nearest line", attack_with(rank_leaders_first))
LAME = TargetChoice(
    "all attack ships that fell out of their line, then the nearest", attack_with(rank_fallen_first)
)
FINISH = TargetChoice(
    "all attack the enemy in reach that is worth most until she is finished, then the next; forts last",
    attack_with(rank_to_finish),
)
TARGETS = dict(zip(OUR_TARGETS, (COST, WORTH, LEADERS, LAME, FINISH), strict=True))

HOLD = Doctrine(
    "hold",
    f"comes to half the longest range, broadsides bearing, and holds the line there; {COST.says}",
    COST.orders,
    lambda model, side: model.reach / 2,
)
CLOSE = Doctrine(
    "close",
    f"closes as fast as it can, bows on, to be among the enemy; {WORTH.says}",
    WORTH.orders,
    lambda model, side: model.reach * AMONG,
    part=1.0,
)
KEEP_AWAY = Doctrine(
    "keep-away",
    "seeks the range at which it does the largest part of all damage, by the rules' odds; attacks like hold",
    COST.orders,
    lambda model, side: model.find_best_range(side),
)
CONCENTRATE = Doctrine(
    "concentrate",
    f"holds half the longest range and draws ahead, past the enemy's bows; {LEADERS.says}",
    LEADERS.orders,
    lambda model, side: model.reach / 2,
    crosses=True,
)
CHASE = Doctrine(
    "chase",
    "goes as fast as it can for ships that fell out of their line, else for the nearest line, to a quarter "
    f"of the longest range; {FINISH.says}",
    FINISH.orders,
    lambda model, side: model.reach / 4,
    part=1.0,
    lame=True,
)
RUN = Doctrine(
    "run",
    "flees as fast as it can, and attacks its pursuers like hold",
    COST.orders,
    lambda model, side: 2 * model.reach,
    part=1.0,
    runs=True,
)
DOCTRINES: Mapping[str, Doctrine] = {
    doctrine.name: doctrine for doctrine in (HOLD, CLOSE, KEEP_AWAY, CONCENTRATE, CHASE, RUN)
}
USUAL = (HOLD.name, CLOSE.name)
"""The doctrines of a side for which neither the scenario nor the user names one."""


@cache
def find_doctrine(name: str) -> Doctrine:
    """Return a doctrine by its name. Endings change its range or its targets, as in `chase+10%+worth`.

    Raises:
        QfError: There is no such doctrine; the message lists the known names.
    """
    base_name, _, change = name.rpartition("+")
    if base_name and change in TARGETS:
        doctrine, choice = find_doctrine(base_name), TARGETS[change]
        says = f"{doctrine.says}; but {choice.says}"
        return evolve(doctrine, name=name, says=says, orders=choice.orders)
    if base_name and change.endswith("%") and change[:-1].isdecimal():
        doctrine, part = find_doctrine(base_name), int(change[:-1]) / 100
        says = f"{doctrine.says}; but comes to {change} of the longest range"
        return evolve(doctrine, name=name, says=says, wishes=lambda model, side: model.reach * part)
    if name in DOCTRINES:
        return DOCTRINES[name]
    try:
        return load_doctrine(name, Doctrine)
    except LookupError:
        known_names = ", ".join((*DOCTRINES, *find_doctrine_points()))
        hint = f"each may end with a range like +25%, and with +{', +'.join(TARGETS)}"
        raise QfError(f"no doctrine “{name}”: there are {known_names}; {hint}") from None
