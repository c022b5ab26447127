"""The positions of lines of ships, in place of a map: how far along and across a common course, and steering.

All lines steer one course. A line that changes the range turns towards its enemy or away from it, and so
moves less far along the course. A faster line draws ahead. A ship with the enemy near bow or stern fires over
that end.
"""

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from itertools import chain, product
from math import hypot, sqrt
from operator import itemgetter

from attrs import evolve, field, frozen

from qf_tui.core.values import Battle, End, Ship
from qf_tui.features.simulation.model import NEAREST, BattleModel

BEAM_PART = 0.7
"""Part of its speed that a line may use to change the range while the enemy still bears abeam."""
CRIPPLED = 0.6
"""Part of the median speed of her line below which a ship falls out of it."""
REJOIN_TURNS = 2
"""Turns of steaming within which a ship that can keep up rejoins her line."""


@frozen
class BattleLine:
    """Ships that steam together, the first one leading. All distances are in the unit of the table.

    Attributes:
        division: Division that forms this line alone, or "" for the side's main line.
        speed: Distance made in a turn.
        end: End over which the enemy bears, or None if abeam.
        fallen: True for a ship that fell out of her line.
        ashore: True for a battery.
    """

    side: str
    division: str
    ships: tuple[str, ...]
    speed: float
    along: float = 0.0
    across: float = 0.0
    end: End | None = None
    fallen: bool = False
    ashore: bool = False

    def measure_range(self, other: "BattleLine") -> float:
        """Return the distance between two lines."""
        return hypot(self.along - other.along, self.across - other.across)


@frozen
class Helm:
    """How a doctrine steers a line of ships.

    Attributes:
        range: Wanted range.
        part: Part of its speed that it uses to reach that range.
        crosses: True if it tries to cross ahead of its enemy.
        seeks_fallen: True if it steers for ships that fell out of their line.
    """

    range: float
    part: float = BEAM_PART
    crosses: bool = False
    seeks_fallen: bool = False


@frozen
class Sea:
    """All lines of ships in one turn of a simulated battle.

    Attributes:
        lines: The lines.
        reach: Longest range of any attack.
        scripted: Range between all lines that the scenario prescribes, so that none steers; 0 if none.
        barred: The enemies that a ship cannot attack wherever they are, by her id.
    """

    lines: tuple[BattleLine, ...]
    reach: float
    scripted: int = 0
    barred: Mapping[str, Collection[str]] = field(factory=dict)
    _enemies_by_ship: dict[str, tuple[tuple[str, int], ...]] = field(factory=dict, eq=False, repr=False)

    @cached_property
    def line_by_ship(self) -> Mapping[str, int]:
        """The index of the line of each ship."""
        return {ship: index for index, line in enumerate(self.lines) for ship in line.ships}

    @cached_property
    def _ranges(self) -> Sequence[Sequence[int]]:
        """The range between each two lines in whole units; longer ones are cut to just beyond `reach`."""
        if self.scripted:
            return [[self.scripted] * len(self.lines)] * len(self.lines)
        most = int(self.reach) + 1
        return [
            [max(NEAREST, min(most, round(line.measure_range(other)))) for other in self.lines]
            for line in self.lines
        ]

    def find_range(self, ship: str, other: str) -> int:
        """Return the range between two ships, which is that between their lines."""
        return self._ranges[self.line_by_ship[ship]][self.line_by_ship[other]]

    def find_end(self, ship: str) -> End | None:
        """Return the end of a ship over which her enemies bear, or None if they are abeam."""
        return self.lines[self.line_by_ship[ship]].end

    def list_enemies(self, ship: str) -> tuple[tuple[str, int], ...]:
        """List a ship's enemies as (id, range): nearest line first, then those opposite her first."""
        enemies_by_nearness = self._enemies_by_ship.get(ship)
        if enemies_by_nearness is None:
            line_index = self.line_by_ship[ship]
            her_line = self.lines[line_index]
            place, ranges = her_line.ships.index(ship), self._ranges[line_index]
            enemies = [
                (ranges[enemy_index], abs(enemy_place - place), id)
                for enemy_index, line in enumerate(self.lines)
                if line.side != her_line.side
                for enemy_place, id in enumerate(line.ships)
            ]
            enemies.sort(key=itemgetter(0, 1))
            enemies_by_nearness = self._enemies_by_ship[ship] = tuple(
                [(id, range) for range, _, id in enemies]
            )
        return enemies_by_nearness

    def can_fight(self, line: BattleLine, other: BattleLine) -> bool:
        """Return whether two lines are enemies, and a ship of one may attack a ship of the other."""
        pairs = chain(product(line.ships, other.ships), product(other.ships, line.ships))
        barred = self.barred
        return line.side != other.side and any(target not in barred.get(ship, ()) for ship, target in pairs)

    def find_opponent(self, line: BattleLine, *, seeks_fallen: bool = False) -> BattleLine | None:
        """Find the enemy line by which a line steers; None if there is no enemy.

        That line is the nearest wanted one in reach that is not ashore; if none is, the nearest line that is
        not ashore; if all are ashore, the nearest.

        Args:
            seeks_fallen: True to want ships that fell out of their line, False to want whole lines.
        """
        others = (other for other in self.lines if self.can_fight(line, other))
        enemies = sorted(others, key=lambda other: (other.ashore, line.measure_range(other)))
        for other in enemies:
            is_in_reach = line.measure_range(other) <= self.reach
            if is_in_reach and not other.ashore and other.fallen is seeks_fallen:
                return other
        return enemies[0] if enemies else None


def regroup(model: BattleModel, battle: Battle, last_sea: Sea | None) -> Sea:
    """Form the lines of the ships that still fight; a ship that cannot keep up falls out of her line.

    She rejoins it once she can keep up and is near enough. A land battery is always alone.

    Args:
        model: Facts about the battle.
        last_sea: The lines of the last turn, or None at the start.
    """
    ships_by_home: dict[tuple[str, str], list[Ship]] = {}
    for ship in battle.ships.values():
        if model.system.can_fight(battle, ship):
            ships_by_home.setdefault(model.find_home_line(ship), []).append(ship)
    lines = list[BattleLine]()
    for (side, division), ships in ships_by_home.items():
        position = _find_position(model, last_sea, side, division)
        paces = {ship.id: model.compute_pace(battle, ship) for ship in ships}
        moving_paces = sorted(pace for pace in paces.values() if pace)
        median_pace = moving_paces[len(moving_paces) // 2] if moving_paces else 0.0
        separate_lines = list[BattleLine]()
        # If ranges are prescribed, no ship falls out: all ships are at that range.
        if not model.script:
            for ship in ships:
                # A ship that was in no line has the position of her home line.
                last_line = position
                if last_sea is not None and ship.id in last_sea.line_by_ship:
                    last_line = last_sea.lines[last_sea.line_by_ship[ship.id]]
                is_slow = paces[ship.id] < CRIPPLED * median_pace
                falls_out = ship.is_land_battery or is_slow or model.system.out_of_line(battle, ship)
                # A ship that can keep up again steams alone until she is near her line.
                is_far = last_line.measure_range(position) > REJOIN_TURNS * paces[ship.id]
                if falls_out or is_far:
                    separate_lines.append(_separate(last_line, ship, paces[ship.id], fallen=falls_out))
        separate_ids = [id for line in separate_lines for id in line.ships]
        line_ids = tuple(id for id in paces if id not in separate_ids)
        if line_ids:
            lines.append(
                evolve(position, ships=line_ids, speed=min(paces[id] for id in line_ids), fallen=False)
            )
        lines += separate_lines
    return Sea(tuple(lines), model.reach, model.find_scripted_range(battle.turn), model.barred)


def _separate(line: BattleLine, ship: Ship, pace: float, *, fallen: bool) -> BattleLine:
    """Build the line of a ship alone, in the position of her last line."""
    return evolve(line, ships=(ship.id,), speed=pace, fallen=fallen, ashore=ship.is_land_battery)


def _find_position(model: BattleModel, last_sea: Sea | None, side: str, division: str) -> BattleLine:
    """Return the line of a division on the last turn, or a new line without ships if there was none.

    A new line is at the opening range at the start of the battle, later at the longest reach from an enemy.
    """
    is_first_side = side == model.sides[0]
    if last_sea is None:
        return BattleLine(
            side,
            division,
            ships=(),
            speed=0.0,
            across=0.0 if is_first_side else model.opening_range * model.stretch,
        )
    last_lines = [line for line in last_sea.lines if (line.side, line.division) == (side, division)]
    if last_lines:
        # Prefer the main body of the line to ships that fell out.
        return max(last_lines, key=lambda line: (not line.fallen, len(line.ships)))
    enemy = next((line for line in last_sea.lines if line.side != side and not line.ashore), None)
    along, enemy_across = (enemy.along, enemy.across) if enemy else (0.0, 0.0)
    across = enemy_across - model.reach if is_first_side else enemy_across + model.reach
    return BattleLine(
        side,
        division,
        ships=(),
        speed=0.0,
        along=along,
        across=across,
    )


def steer(sea: Sea, helms: Sequence[Helm]) -> Sea:
    """Move all lines by one turn, each towards the range that its helm wants.

    A line without an enemy stays where it is.
    """
    line_helms = tuple(zip(sea.lines, helms, strict=True))
    enemies = [sea.find_opponent(line, seeks_fallen=helm.seeks_fallen) for line, helm in line_helms]
    changes = [
        _compute_range_change(line, enemy, helm) if enemy else 0.0
        for (line, helm), enemy in zip(line_helms, enemies, strict=True)
    ]
    moved = list(sea.lines)
    crossed = set[int]()
    for index, (line, helm) in enumerate(line_helms):
        enemy, change = enemies[index], changes[index]
        if enemy is None:
            continue
        enemy_index = sea.lines.index(enemy)
        wanted_change = helm.range - line.measure_range(enemy)
        enemy_change = changes[enemy_index]
        both_same_way = change * enemy_change > 0
        # If both together change the range too much, each makes a part of it, in proportion to its speed.
        if both_same_way and abs(change + enemy_change) > abs(wanted_change):
            change = wanted_change * line.speed / (line.speed + enemy.speed)
        moved[index], has_crossed = _move_line(line, enemy, change, enemy_change, crosses=helm.crosses)
        if has_crossed:
            crossed.add(enemy_index)
    # A crossed line has its enemy ahead, over its bow.
    after = (evolve(line, end=End.BOW) if index in crossed else line for index, line in enumerate(moved))
    return Sea(tuple(after), sea.reach, barred=sea.barred)


def _compute_range_change(line: BattleLine, enemy: BattleLine, helm: Helm) -> float:
    """Return by how much a line wants to change the range in a turn; negative to close it."""
    most = helm.part * line.speed
    return max(-most, min(most, helm.range - line.measure_range(enemy)))


def _move_line(
    line: BattleLine, enemy: BattleLine, change: float, enemy_change: float, *, crosses: bool
) -> tuple[BattleLine, bool]:
    """Move a line by one turn.

    Args:
        enemy: The enemy by which the line steers.
        change: By how much it changes the range; negative to close it.
        enemy_change: By how much the enemy changes the range.
        crosses: True if the line tries to cross ahead of the enemy.

    Returns:
        The line after the turn, and whether it crossed ahead of its enemy.
    """
    distance_along = _compute_distance_along(line.speed, change)
    enemy_distance = _compute_distance_along(enemy.speed, enemy_change)
    lead = line.along - enemy.along
    if not crosses:
        # A line that has drawn ahead waits for its enemy.
        distance_along = max(0.0, min(distance_along, enemy_distance - lead))
    # At the same place the ids of the sides decide where the enemy is.
    enemy_is_above = (enemy.across, enemy.side) > (line.across, line.side)
    enemy_direction = 1 if enemy_is_above else -1
    across = line.across - enemy_direction * change
    uses_much_speed = line.speed > 0 and abs(change) > BEAM_PART * line.speed
    # A line that turns sharply towards its enemy has it over the bow; one that turns away, over the stern.
    end = None
    if uses_much_speed:
        end = End.BOW if change < 0 else End.STERN
    new_lead = lead + distance_along - enemy_distance
    range = hypot(new_lead, across - enemy.across)
    can_cross = crosses and not end and 0 < enemy.speed < line.speed
    if can_cross and new_lead >= BEAM_PART * range:
        # The line is put abeam of its enemy at the same range; `steer` gives the enemy's bow to it.
        along = enemy.along + enemy_distance
        across = enemy.across - enemy_direction * range
        return evolve(line, along=along, across=across, end=None), True
    return evolve(line, along=line.along + distance_along, across=across, end=end), False


def _compute_distance_along(speed: float, change: float) -> float:
    """Return the distance along the course of a line that also changes the range by `change`."""
    return sqrt(max(0.0, speed * speed - change * change))


def is_in_contact(sea: Sea, side: str, can_follow: Sequence[bool]) -> bool:
    """Return whether a side has an enemy in reach, or a moving line that a faster enemy follows.

    A line that lies still out of reach is left behind: it does not keep its side from escaping.

    Args:
        sea: The lines.
        can_follow: For each line, whether it follows enemies.
    """
    lines = tuple(zip(sea.lines, can_follow, strict=True))
    return any(
        line.measure_range(enemy) <= sea.reach or (follows and 0 < line.speed < enemy.speed)
        for (line, _), (enemy, follows) in product(lines, repeat=2)
        if line.side == side and sea.can_fight(line, enemy)
    )
