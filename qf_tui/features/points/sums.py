"""The points of each rule of a scenario, computed from the timeline, so that corrections change them."""

from collections.abc import Callable, Iterable, Mapping

from attrs import frozen

from qf_tui.core.decisions import find_field_value
from qf_tui.core.schedule import is_concerned, is_fulfilling, is_won
from qf_tui.core.system import RuleSystem, find_field
from qf_tui.core.timeline import Timeline
from qf_tui.core.values import EACH_SHIP, Battle, Condition, Points, Ship

HALF = 0.5
"""Share of her worth at which a ship counts as half damaged."""

IsKnown = Callable[[Ship, str], bool]
"""Returns whether a viewer knows a field of a ship, or with `ALL_FIELDS` all of her log."""
ALL_FIELDS = ""


@frozen
class Rule:
    """A condition of a scenario that gives points, and the points that it gives."""

    condition: Condition
    gives: Points


@frozen
class Item:
    """A part of a sum: what one rule gives.

    Attributes:
        rule: The rule.
        is_half: True for the points of the rule for ships at half of their worth.
        counts: How much counts of each ship, by her id; ships that count nothing are left out.
        points: The points.
        is_known: False if it depends on logs that the viewer does not know; it then counts nothing.
    """

    rule: Rule
    is_half: bool
    counts: Mapping[str, int]
    points: int
    is_known: bool = True

    @property
    def total(self) -> int:
        """The number of ships that count, or of the points of a field that all ships lost."""
        return sum(self.counts.values())


@frozen
class SideSum:
    """The points of a side and the items that they are the sum of."""

    side: str
    items: tuple[Item, ...]

    @property
    def points(self) -> int:
        return sum(item.points for item in self.items)

    @property
    def is_known(self) -> bool:
        """True if the viewer knows everything that the sum depends on."""
        return all(item.is_known for item in self.items)


def list_rules(battle: Battle) -> tuple[Rule, ...]:
    """List all rules of points."""
    return tuple(
        Rule(condition, condition.points) for condition in battle.plan.victory if condition.points is not None
    )


def list_public_rules(battle: Battle) -> tuple[Rule, ...]:
    """List the rules of points that are not secret."""
    return tuple(rule for rule in list_rules(battle) if not rule.gives.secret)


def is_over(system: RuleSystem, battle: Battle) -> bool:
    """Return whether the battle is over, so that all may know secret points."""
    return bool(system.ended(battle)) or is_won(battle)


def know_all(ship: Ship, field: str) -> bool:
    """Return True: the umpire knows every field of every ship."""
    return True


def compute_sums(
    system: RuleSystem, timeline: Timeline, rules: Iterable[Rule], is_known: IsKnown = know_all
) -> tuple[SideSum, ...]:
    """Compute the sum of each side that can win points by the rules, in the order of the sides.

    Args:
        rules: Rules that count.
        is_known: Says which fields of which ships the viewer knows.
    """
    arrivals = _find_arrivals(timeline)
    items: dict[str, list[Item]] = {}
    for rule in rules:
        ships = _list_ships(timeline, rule)
        side_items = items.setdefault(rule.condition.side, [])
        if rule.gives.points:
            side_items.append(_count_points(system, rule, ships, arrivals, is_known))
        if rule.gives.half:
            side_items.append(_count_half(system, rule, ships, arrivals, is_known))
    sides = (side.id for side in timeline.battle.sides)
    return tuple(SideSum(side, tuple(items[side])) for side in sides if side in items)


def _list_ships(timeline: Timeline, rule: Rule) -> tuple[Ship, ...]:
    """List the ships that a rule concerns, as they are at the end of its last turn, or now."""
    battle = timeline.battle
    if 0 < rule.gives.by_turn < battle.turn:
        battle = _find_turn_end(timeline, rule.gives.by_turn)
    return tuple(ship for ship in battle.ships.values() if is_concerned(ship, rule.condition))


def _find_turn_end(timeline: Timeline, turn: int) -> Battle:
    """Return the battle after the entry that ended a turn, or the present battle if it has not ended."""
    for place, number in enumerate(timeline.play_order):
        begun_phase = timeline.rulings[number].decision.begun_phase
        if timeline.is_phase_opener(number) and begun_phase is not None and begun_phase[0] > turn:
            return timeline.battle_at(place + 1)
    return timeline.battle


def _find_arrivals(timeline: Timeline) -> Mapping[str, Ship]:
    """Return each ship as she came into the battle, by id."""
    arrivals = dict(timeline.start.ships)
    for number in timeline.play_order:
        for effect in timeline.rulings[number].decision.effects:
            if isinstance(effect.value, Ship):
                arrivals.setdefault(effect.value.id, effect.value)
    return arrivals


def _count_points(
    system: RuleSystem,
    rule: Rule,
    ships: tuple[Ship, ...],
    arrivals: Mapping[str, Ship],
    is_known: IsKnown,
) -> Item:
    """Count what a rule gives for its condition, for each ship, or for each point lost of a field."""
    if rule.gives.each in ("", EACH_SHIP):
        counts = {ship.id: 1 for ship in ships if is_fulfilling(ship, rule.condition)}
        # Without `each`, the points are given once, if enough ships fulfil the condition.
        times = len(counts) if rule.gives.each else int(len(counts) >= rule.condition.count)
        return Item(rule, is_half=False, counts=counts, points=times * rule.gives.points)
    if not all(is_known(ship, rule.gives.each) for ship in ships):
        return Item(rule, is_half=False, counts={}, points=0, is_known=False)
    counts = {}
    for ship in ships:
        lost = _count_lost(system, rule.gives.each, arrivals.get(ship.id, ship), ship)
        if lost:
            counts[ship.id] = lost
    return Item(rule, is_half=False, counts=counts, points=sum(counts.values()) * rule.gives.points)


def _count_half(
    system: RuleSystem,
    rule: Rule,
    ships: tuple[Ship, ...],
    arrivals: Mapping[str, Ship],
    is_known: IsKnown,
) -> Item:
    """Count the ships at half of their worth or less that do not fulfil the rule's condition."""
    ships = tuple(ship for ship in ships if not is_fulfilling(ship, rule.condition))
    # Her worth depends on all of her log.
    if not all(is_known(ship, ALL_FIELDS) for ship in ships):
        return Item(rule, is_half=True, counts={}, points=0, is_known=False)
    value = system.worth.value_ship
    half_by_ship = {ship.id: value(arrivals.get(ship.id, ship)) * HALF for ship in ships}
    # A ship without worth when she came has no half to lose.
    worthy = [ship for ship in ships if half_by_ship[ship.id] > 0]
    counts = {ship.id: 1 for ship in worthy if value(ship) <= half_by_ship[ship.id]}
    return Item(rule, is_half=True, counts=counts, points=len(counts) * rule.gives.half)


def _count_lost(system: RuleSystem, name: str, before: Ship, ship: Ship) -> int:
    """Count the whole points that a ship has lost of a field since she came, never less than 0.

    Marks, and fields that count damage, are lost as they grow.
    """
    field = find_field(system, name)
    if field is None:
        return 0
    if field.kind == "marks":
        return max(0, len(ship.live(name)) - len(before.live(name)))
    earlier, now = (_read_number(find_field_value(each, name)) for each in (before, ship))
    lost = now - earlier if name in system.harm else earlier - now
    return max(0, int(lost / field.denominator))


def _read_number(value: object) -> float:
    """Return a number of the log; 0 for anything else."""
    return value if isinstance(value, int | float) else 0
