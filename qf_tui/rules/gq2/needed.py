"""What of its charts a battle can need."""

from qf_tui.core.log_sheet import NeededCells
from qf_tui.core.values import Battle, Ship
from qf_tui.rules.gq2.charts import COLUMNS, df_column, odds_column
from qf_tui.rules.gq2.criticals import barbette_row
from qf_tui.rules.gq2.ship import batteries, df


def needed_cells(battle: Battle) -> NeededCells:
    """The odds up to the best of any shot, as AF falls with boxes; DF and barbettes of the ships there."""
    coming = (battle.reserve.get(id) for id in battle.plan.arriving if id not in battle.ships)
    ships = [ship for ship in (*battle.ships.values(), *coming) if ship is not None and not ship.gone]
    return {
        "gunnery": {("", column) for column in COLUMNS[: _best(battle, ships) + 1]},
        "torpedo": {
            ("", df_column(battle, df(ship), light=light)) for ship in ships for light in _kinds(ships)
        },
        "barbette": {(barbette_row(ship), "") for ship in ships},
    }


def _best(battle: Battle, ships: list[Ship]) -> int:
    """The place of the best odds of any battery; -1 where none reaches any (GQ2-GUN-3, GQ2-GUN-7)."""
    af = {(ship.side, guns.af) for ship in ships for guns in batteries(ship)}
    against = {(ship.side, df(ship)) for ship in ships if df(ship)}
    found = (
        odds_column(battle, one, other, he=True) for side, one in af for of, other in against if side != of
    )
    return max((COLUMNS.index(column) for column in found if column is not None), default=-1)


def _kinds(ships: list[Ship]) -> set[bool]:
    """Whether a torpedo can be light; a mine never is."""
    return {False, *(ship.card.get("torpedoes.kind") == "light" for ship in ships)}
