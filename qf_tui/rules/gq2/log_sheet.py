"""The data sheet of a ship as it is printed, and the chart cells that it can need (GQ2-LOG-1)."""

from attrs import evolve

from qf_tui.core.log_sheet import (
    BOXES_MOST,
    Box,
    BoxState,
    NeededCells,
    SheetLine,
    SheetPart,
    countdown,
    counted,
    crossed,
)
from qf_tui.core.measure import decimal, exact
from qf_tui.core.ratings import reconstructed
from qf_tui.core.system import Span
from qf_tui.core.values import Battle, Ship
from qf_tui.rules.gq2 import charts
from qf_tui.rules.gq2.armament import armed, by_hand
from qf_tui.rules.gq2.charts import COLUMNS, df_column, odds_column
from qf_tui.rules.gq2.criticals import barbette_row
from qf_tui.rules.gq2.damage import ARMAMENT, HULL, boxes
from qf_tui.rules.gq2.engines import words
from qf_tui.rules.gq2.grid import CRITICALS
from qf_tui.rules.gq2.lights import lit_by
from qf_tui.rules.gq2.measures import halves, of_halves, unit
from qf_tui.rules.gq2.ship import AMMUNITION, BOXES, STEAMING, Battery, batteries, df, hull_speed


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


def lines(battle: Battle, ship: Ship, *, slashes: bool) -> tuple[SheetLine, ...]:
    """Movement first, then guns, torpedoes and what damage control mends, as the turn goes."""
    began = battle.start.ships.get(ship.id, ship) if slashes else ship
    guns = tuple(_battery(ship, at, one) for at, one in enumerate(batteries(ship), 1))
    return (
        (_hull(battle, began, ship), *_protection(ship)),
        guns,
        (_armament(battle, began, ship),),
        (_torpedoes(began, ship), _ammunition(ship)),
        tuple(_critical(began, ship, field, name) for field, (name, _) in CRITICALS.items()),
        (_boiler(began, ship), _smoke(began, ship), _lit(battle, ship), _engines(ship)),
    )


def _hull(battle: Battle, began: Ship, ship: Ship) -> SheetPart:
    speeds = [halves(hull_speed(ship, box)) for box in range(1, BOXES + 1)]
    return SheetPart(
        "hull ″" if unit(battle) == "in" else "hull cm",
        boxes=_halved(speeds, began, ship, HULL),
        reconstructed=reconstructed(ship, *(f"hull.{box}" for box in range(1, BOXES + 1))),
    )


def _protection(ship: Ship) -> tuple[SheetPart, ...]:
    flash = "yes" if ship.card.get("flash_protection") is True else "no"
    of = f"{ship.card.get('class')}, {ship.card.get('nation')}"
    return (
        SheetPart("DF", decimal(df(ship)), reconstructed=reconstructed(ship, "df")),
        SheetPart("class", of),
        SheetPart("flash protection", flash),
    )


def _armament(battle: Battle, began: Ship, ship: Ship) -> SheetPart:
    """Its boxes, each with the AF that the batteries have while it is the first that is left."""
    count = boxes(ship, ARMAMENT)
    if count > BOXES_MOST:
        left = of_halves(max(0, 2 * count - ship.count("armament_lost")))
        return SheetPart("armament", f"{left} of {count}", reconstructed=reconstructed(ship, "armament"))
    texts = [""] * count if by_hand(battle) else [_af_after(battle, ship, lost) for lost in range(count)]
    return SheetPart(
        "armament, AF",
        boxes=_halved(texts, began, ship, ARMAMENT),
        reconstructed=reconstructed(ship, "armament"),
    )


def _af_after(battle: Battle, ship: Ship, lost: int) -> str:
    """The AF of each battery once so many boxes are lost."""
    after = evolve(ship, log={**ship.log, "armament_lost": 2 * lost})
    return "·".join(halves(guns.af) for guns in armed(battle, after))


def _battery(ship: Ship, at: int, guns: Battery) -> SheetPart:
    arcs = ship.card.get(f"battery.{at}.arcs")
    text = f"{decimal(guns.calibre)}″{f', {arcs}' if arcs else ''}"
    if ship.card.get(f"battery.{at}.he") is True:
        text += ", HE"
    return SheetPart(guns.name, text, reconstructed=reconstructed(ship, f"battery.{at}.af"))


def _torpedoes(began: Ship, ship: Ship) -> SheetPart:
    if ship.log.get("torpedoes") is None:
        return SheetPart("torpedoes", "–")
    stands, count = ship.count("torpedoes"), int(exact(ship.card.get("torpedoes.count")))
    part = SheetPart(
        "torpedoes",
        str(ship.card.get("torpedoes.kind") or ""),
        countdown(count, began.count("torpedoes"), stands),
        reconstructed=reconstructed(ship, "torpedoes.count"),
    )
    return counted(part, stands)


def _ammunition(ship: Ship) -> SheetPart:
    """Its boxes, those of HE last with their sign."""
    left, he = ship.count("ammo"), ship.log.get("ammo_he")
    held = he if isinstance(he, int) else 0
    texts = ["HE" if at >= AMMUNITION - held else "" for at in range(AMMUNITION)]
    return SheetPart("ammunition", boxes=crossed(texts, AMMUNITION - left))


def _critical(began: Ship, ship: Ship, field: str, name: str) -> SheetPart:
    """Hits of a kind that last, those that were mended scribbled out."""
    before = {mark.id for mark in began.marks}
    written = tuple(
        Span("●", "repaired" if mark.lifted else "" if mark.id in before else "slash")
        for mark in ship.marks
        if mark.kind == field
    )
    return SheetPart(name, written=written, room=2)


def _smoke(began: Ship, ship: Ship) -> SheetPart:
    before = {mark.id for mark in began.marks}
    laid = ship.live("smoke")
    written = tuple(Span(mark.text, "" if mark.id in before else "slash") for mark in laid)
    return SheetPart("smoke", written=written, room=max(0, 3 - len(laid)))


def _lit(battle: Battle, ship: Ship) -> SheetPart:
    lit = bool(lit_by(battle, ship))
    return SheetPart("lit", written=(Span("●"),) if lit else (), room=2 if lit else 3)


def _boiler(began: Ship, ship: Ship) -> SheetPart:
    box = ship.count("boiler")
    written = (Span(f"box {box}", "" if began.count("boiler") else "slash"),) if box else ()
    return SheetPart(charts.BOILER_ROOM, written=written, room=2)


def _engines(ship: Ship) -> SheetPart:
    return SheetPart("engines", "" if ship.log.get("state") == STEAMING else words(ship), room=2)


def _halved(texts: list[str], began: Ship, ship: Ship, what: str) -> tuple[Box, ...]:
    """Boxes lost from the left in halves; what this phase took is a slash."""
    lost = ship.count(f"{what}_lost")
    before = min(lost, began.count(f"{what}_lost"))
    found = []
    for at, text in enumerate(texts):
        taken, then = (max(0, min(2, total - 2 * at)) for total in (lost, before))
        full = BoxState.CROSS if then == 2 else BoxState.SLASH
        state = (BoxState.OPEN, BoxState.HALF, full)[taken]
        found.append(Box(text, state))
    return tuple(found)
