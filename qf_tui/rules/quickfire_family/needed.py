"""Who can meet whom in a battle, by what their cards rate alike: what of the charts it can need follows."""

from collections.abc import Callable, Iterable, Iterator

from qf_tui.core.values import Battle, Ship
from qf_tui.rules.quickfire_family.chart import columns_of
from qf_tui.rules.quickfire_family.checks import row_of_size
from qf_tui.rules.quickfire_family.ship import Battery, armor, gunnery, is_light_craft, size

Cells = set[tuple[str, str]]


def present(battle: Battle) -> list[Ship]:
    """The ships that are in the battle or still to come."""
    coming = (battle.reserve.get(id) for id in battle.plan.arriving if id not in battle.ships)
    return [ship for ship in (*battle.ships.values(), *coming) if ship is not None and not ship.gone]


def meetings(battle: Battle) -> Iterator[tuple[Ship, Ship]]:
    """A firer and a target of another side, one pair of each rating and armor."""
    firers = {(ship.side, *(gunnery(ship, one) for one in Battery)): ship for ship in present(battle)}
    targets = {(ship.side, *(armor(ship, one) for one in Battery)): ship for ship in present(battle)}
    yield from (
        (firer, target)
        for firer in firers.values()
        for target in targets.values()
        if firer.side != target.side
    )


def lines_met(battle: Battle, lines: Callable[[Ship, Ship], Iterable[int | None]]) -> Cells:
    """The percentage lines of all meetings; `lines` gives those of one."""
    met = {line for firer, target in meetings(battle) for line in lines(firer, target)}
    return {(str(line), "") for line in met if line is not None}


def sizes_met(battle: Battle) -> Cells:
    """The columns of the sinking table for the sizes of all ships."""
    columns = columns_of(battle, "sinking", "sinks-on")
    return {("", row_of_size(float(size(ship)), columns)) for ship in present(battle)}


def ratings_met(battle: Battle, field: str) -> Cells:
    """The columns of the torpedo table for each rating, down from the greatest of the ships there."""
    columns = [int(name) for name in columns_of(battle, "torpedo", "moving") if name.isdigit()]
    most = max((ship.count(field) for ship in present(battle)), default=0)
    return {("", str(rating)) for rating in columns if rating <= most}


def rows_met(battle: Battle, table: str, **asked: bool) -> Cells:
    """The rows of a table, but for those that are named and not asked for."""
    unasked = {name.replace("_", "-") for name, so in asked.items() if not so}
    chart = battle.charts.get(table)
    return {(row, "") for row in (chart.rows if chart else ()) if row not in unasked}


def boats_meet_craft(battle: Battle) -> bool:
    """Whether a ship with boat guns has a vessel against it that they may fire at."""
    ships = present(battle)
    return any(
        one.count("boat_guns") and is_light_craft(other) and one.side != other.side
        for one in ships
        for other in ships
    )


def any_protected(battle: Battle) -> bool:
    """Whether some ship is marked +P."""
    return any(ship.card.get("protected") is True for ship in present(battle))
