"""The data sheet of a ship in full (GQ2-LOG-1)."""

from qf_tui.core.measure import decimal, exact
from qf_tui.core.ratings import ORIGIN
from qf_tui.core.system import Span
from qf_tui.core.values import Battle, Ship
from qf_tui.rules.gq2.armament import armed, by_hand
from qf_tui.rules.gq2.damage import ARMAMENT, HULL, boxes, left
from qf_tui.rules.gq2.engines import words
from qf_tui.rules.gq2.formation import formation
from qf_tui.rules.gq2.grid import box_spans, criticals, mark_spans
from qf_tui.rules.gq2.lights import lit_by
from qf_tui.rules.gq2.measures import of_halves, with_unit
from qf_tui.rules.gq2.movement import movement
from qf_tui.rules.gq2.ship import AMMUNITION, BOXES, df, hull_speed, speed, turns_made

CardLine = tuple[str, tuple[Span, ...]]


def sheet(battle: Battle, ship: Ship, *, slashes: bool) -> tuple[CardLine, ...]:
    """Titled lines: class and DF, boxes and speeds, guns, torpedoes, ammunition, marks, engines, light."""
    began = battle.start.ships.get(ship.id, ship) if slashes else ship
    flash = "flash protection" if ship.card.get("flash_protection") is True else "no flash protection"
    card = ship.card
    lines: list[CardLine] = [
        ("class", _said(f"{card.get('class')}, {card.get('nation')}, DF {decimal(df(ship))}, {flash}")),
        ("hull", (*box_spans(began, ship, HULL), Span(f"  {_speeds(ship)}", "dim"))),
        ("makes", (Span(with_unit(battle, speed(battle, ship))), Span(f"  {words(ship)}", "dim"))),
        ("moved", _moved(battle, ship)),
        ("armament", (*box_spans(began, ship, ARMAMENT), Span(f"  {_left(battle, ship)}", "dim"))),
        *_guns(battle, began),
        ("torpedoes", _said(_torpedoes(ship))),
        ("ammunition", _said(_ammunition(ship))),
        ("marks", mark_spans(battle, began, ship)),
        ("criticals", _said(", ".join(criticals(ship)) or "none")),
        ("lit by", _said(", ".join(lit_by(battle, ship)) or "nothing")),
        ("formation", _said(f"@{ship.division} in line {formation(battle, ship.division)}")),
        ("values", _said(str(card.get(ORIGIN, "")))),
    ]
    if card.get("notes"):
        lines.append(("notes", (Span(str(card["notes"]), "dim"),)))
    return tuple(lines)


def _said(text: str) -> tuple[Span, ...]:
    return (Span(text),)


def _speeds(ship: Ship) -> str:
    return " · ".join(decimal(hull_speed(ship, box)) for box in range(1, BOXES + 1))


def _left(battle: Battle, ship: Ship) -> str:
    umpire = "; AF is as the umpire says" if by_hand(battle) else ""
    return f"{of_halves(left(ship, ARMAMENT))} of {boxes(ship, ARMAMENT)} left{umpire}"


def _guns(battle: Battle, ship: Ship) -> list[CardLine]:
    """A line a battery: its name, calibre, AF and arcs."""
    found: list[CardLine] = []
    for at, guns in enumerate(armed(battle, ship), 1):
        arcs = ship.card.get(f"battery.{at}.arcs")
        words = f"{guns.name} {decimal(guns.calibre)}″, {guns.af_words}{f', {arcs}' if arcs else ''}"
        words += ", holds HE" if ship.card.get(f"battery.{at}.he") is True else ""
        found.append((f"battery {at}", _said(words)))
    return found


def _torpedoes(ship: Ship) -> str:
    if ship.log.get("torpedoes") is None:
        return "none"
    printed = decimal(exact(ship.card.get("torpedoes.count")))
    return f"{ship.count('torpedoes')} of {printed}, {ship.card.get('torpedoes.kind')}"


def _ammunition(ship: Ship) -> str:
    he = ship.log.get("ammo_he")
    held = "HE not kept" if he is None else f"{he} of them HE"
    return f"{ship.count('ammo')} of {AMMUNITION} boxes, {held}"


def _moved(battle: Battle, ship: Ship) -> tuple[Span, ...]:
    moved = movement(battle, ship)
    how = [word for word, so in (("straight", moved.straight), ("evasive", moved.evasive)) if so]
    if turns_made(ship):
        how.append(f"{turns_made(ship)} turns of 45°")
    words = ", ".join([with_unit(battle, moved.inches), *how])
    return (Span(words), Span("  assumed" if moved.assumed else "", "dim"))
