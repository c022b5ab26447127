"""Lines of ships instead of a map: the position of each along and across the common course, and its steering.

All lines steer one course. A line that changes the range turns towards its enemy or away, and makes less way
along the course. A faster line draws ahead. A ship with the enemy near bow or stern fires over that end.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import product
from math import hypot, sqrt
from operator import itemgetter

from attrs import evolve, field, frozen

from qf_tui.core.values import Battle, End, Ship
from qf_tui.features.simulation.model import NEAREST, BattleModel

END = 0.7
"""Part of its speed that a line may use to change the range before the enemy bears over an end."""
CRIPPLED = 0.6
"""Part of the median speed of her line below which a ship falls out of it."""
BACK = 2
"""Turns of steaming within which a ship rejoins her line."""


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
        return hypot(self.along - other.along, self.across - other.across)


@frozen
class Helm:
    """The wish of a line.

    Attributes:
        range: Wanted range.
        part: Part of its speed that it uses for that.
        crosses: True if it tries to cross ahead of its enemy.
        lame: True if it steers for ships that fell out of their line.
    """

    range: float
    part: float = END
    crosses: bool = False
    lame: bool = False


@frozen
class Sea:
    """All lines on a turn; with `scripted` all are at that range and none steers."""

    lines: tuple[BattleLine, ...]
    reach: float
    scripted: int = 0
    _abreast: dict[str, tuple[tuple[str, int], ...]] = field(factory=dict, eq=False, repr=False)

    @cached_property
    def line_by_ship(self) -> Mapping[str, int]:
        """The index of the line of each ship."""
        return {ship: at for at, line in enumerate(self.lines) for ship in line.ships}

    @cached_property
    def _ranges(self) -> Sequence[Sequence[int]]:
        """The range between each two lines in whole units, limited to just out of reach."""
        if self.scripted:
            return [[self.scripted] * len(self.lines)] * len(self.lines)
        most = int(self.reach) + 1
        return [
            [max(NEAREST, min(most, round(line.measure_range(other)))) for other in self.lines]
            for line in self.lines
        ]

    def find_range(self, ship: str, other: str) -> int:
        """Return the range between two ships: that of their lines."""
        return self._ranges[self.line_by_ship[ship]][self.line_by_ship[other]]

    def find_end(self, ship: str) -> End | None:
        """Return the end over which a ship has her enemies, or None if they are abeam."""
        return self.lines[self.line_by_ship[ship]].end

    def list_abreast(self, ship: str) -> tuple[tuple[str, int], ...]:
        """List a ship's enemies with their ranges: the nearest line first, then by place in the line."""
        known = self._abreast.get(ship)
        if known is None:
            at = self.line_by_ship[ship]
            own = self.lines[at]
            place, ranges = own.ships.index(ship), self._ranges[at]
            enemies = [
                (ranges[other], abs(theirs - place), id)
                for other, line in enumerate(self.lines)
                if line.side != own.side
                for theirs, id in enumerate(line.ships)
            ]
            enemies.sort(key=itemgetter(0, 1))
            known = self._abreast[ship] = tuple([(id, range) for range, _, id in enemies])
        return known

    def find_opponent(self, line: BattleLine, *, lame: bool = False) -> BattleLine | None:
        """Find the enemy line by which a line steers: the nearest in reach, else the nearest of all.

        Args:
            lame: True to look for ships that fell out, False for whole lines.
        """
        others = (other for other in self.lines if other.side != line.side)
        enemies = sorted(others, key=lambda other: (other.ashore, line.measure_range(other)))
        afloat = (other for other in enemies if not other.ashore and line.measure_range(other) <= self.reach)
        return next((other for other in afloat if other.fallen is lame), next(iter(enemies), None))


def regroup(model: BattleModel, battle: Battle, before: Sea | None) -> Sea:
    """Form the lines of the ships that still fight; a ship that cannot keep up falls out.

    She rejoins her line once she can keep up and is near enough.
    """
    homes: dict[tuple[str, str], list[Ship]] = {}
    for ship in battle.ships.values():
        if model.system.can_fight(battle, ship):
            homes.setdefault(model.find_home(ship), []).append(ship)
    lines = list[BattleLine]()
    for (side, division), ships in homes.items():
        place = _find_place(model, before, side, division)
        paces = {ship.id: model.compute_pace(battle, ship) for ship in ships}
        making = sorted(pace for pace in paces.values() if pace)
        least = CRIPPLED * making[len(making) // 2] if making else 0.0
        out = list[BattleLine]()
        for ship in () if model.script else ships:
            last = (
                place
                if before is None or ship.id not in before.line_by_ship
                else before.lines[before.line_by_ship[ship.id]]
            )
            pace = paces[ship.id]
            lame = ship.is_land_battery or pace < least or model.system.out_of_line(battle, ship)
            if lame or last.measure_range(place) > BACK * pace:
                out.append(
                    evolve(last, ships=(ship.id,), speed=pace, fallen=lame, ashore=ship.is_land_battery)
                )
        alone = [id for line in out for id in line.ships]
        whole = tuple(id for id in paces if id not in alone)
        if whole:
            lines.append(evolve(place, ships=whole, speed=min(paces[id] for id in whole), fallen=False))
        lines += out
    return Sea(tuple(lines), model.reach, model.find_scripted_range(battle.turn))


def _find_place(model: BattleModel, before: Sea | None, side: str, division: str) -> BattleLine:
    """Return the position of a line, or that of a new one: at the opening range, later out of reach."""
    first = side == model.sides[0]
    if before is None:
        return BattleLine(side, division, (), 0.0, across=0.0 if first else model.opens * model.stretch)
    known = [line for line in before.lines if (line.side, line.division) == (side, division)]
    if known:
        return max(known, key=lambda line: (not line.fallen, len(line.ships)))
    enemy = next((line for line in before.lines if line.side != side and not line.ashore), None)
    along, across = (enemy.along, enemy.across) if enemy else (0.0, 0.0)
    return BattleLine(side, division, (), 0.0, along, across - model.reach if first else across + model.reach)


def steer(sea: Sea, helms: Sequence[Helm]) -> Sea:
    """Move all lines by one turn."""
    each = tuple(zip(sea.lines, helms, strict=True))
    enemies = [sea.find_opponent(line, lame=helm.lame) for line, helm in each]
    wants = [
        _compute_wish(line, enemy, helm) if enemy else 0.0
        for (line, helm), enemy in zip(each, enemies, strict=True)
    ]
    moved, crossed = list(sea.lines), set[int]()
    for at, (line, helm) in enumerate(each):
        enemy, gap = enemies[at], wants[at]
        if enemy is None:
            continue
        to = sea.lines.index(enemy)
        asked = helm.range - line.measure_range(enemy)
        # Both want the same, and would have more than that together: each does its share.
        if gap * wants[to] > 0 and abs(gap + wants[to]) > abs(asked):
            gap = asked * line.speed / (line.speed + enemy.speed)
        moved[at], ahead = _move(line, enemy, gap, wants[to], crosses=helm.crosses)
        crossed |= {to} if ahead else set()
    after = (evolve(line, end=End.BOW) if at in crossed else line for at, line in enumerate(moved))
    return Sea(tuple(after), sea.reach)


def _compute_wish(line: BattleLine, enemy: BattleLine, helm: Helm) -> float:
    """Return by how much a line wants to open the range; negative to close it."""
    most = helm.part * line.speed
    return max(-most, min(most, helm.range - line.measure_range(enemy)))


def _move(
    line: BattleLine, enemy: BattleLine, gap: float, theirs: float, *, crosses: bool
) -> tuple[BattleLine, bool]:
    """Move a line by one turn; return it, and whether it crossed ahead of its enemy."""
    way, their_way = _compute_way(line.speed, gap), _compute_way(enemy.speed, theirs)
    lead = line.along - enemy.along
    if not crosses:
        # The faster one keeps abreast.
        way = max(0.0, min(way, their_way - lead))
    to = 1 if enemy.across > line.across or (enemy.across == line.across and line.side < enemy.side) else -1
    across = line.across - to * gap
    pressed = line.speed > 0 and abs(gap) > END * line.speed
    end = None if not pressed else End.BOW if gap < 0 else End.STERN
    range = hypot(lead + way - their_way, across - enemy.across)
    if crosses and not end and 0 < enemy.speed < line.speed and lead + way - their_way >= END * range:
        return evolve(line, along=enemy.along + their_way, across=enemy.across - to * range, end=None), True
    return evolve(line, along=line.along + way, across=across, end=end), False


def _compute_way(speed: float, gap: float) -> float:
    """Return the way made along the course by a line that also changes the range by `gap`."""
    return sqrt(max(0.0, speed * speed - gap * gap))


def is_in_contact(sea: Sea, side: str, follow: Sequence[bool]) -> bool:
    """Return whether a side has an enemy in reach, or is followed by a faster one."""
    lines = tuple(zip(sea.lines, follow, strict=True))
    return any(
        one.measure_range(other) <= sea.reach or (follows and 0 < one.speed < other.speed)
        for (one, _), (other, follows) in product(lines, repeat=2)
        if one.side == side != other.side
    )
