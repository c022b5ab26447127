"""The log of a ship as the games print it, part by part: each game puts them into its own lines."""

from collections.abc import Sequence

from qf_tui.core.log_sheet import (
    SheetLine,
    SheetPart,
    countdown,
    counted,
    crossed,
)
from qf_tui.core.measure import decimal
from qf_tui.core.ratings import reconstructed
from qf_tui.core.system import Span
from qf_tui.core.values import Battle, Mark, Ship
from qf_tui.rules.quickfire_family.course import Course
from qf_tui.rules.quickfire_family.game import Game
from qf_tui.rules.quickfire_family.grid import marked, number, pair
from qf_tui.rules.quickfire_family.repair import MENDED
from qf_tui.rules.quickfire_family.scales import shown, vulgar
from qf_tui.rules.quickfire_family.ship import BOXES, Battery, gunnery, printed_rof, speed_of_boxes


def lines(game: Game, battle: Battle, began: Ship, ship: Ship, *counts: SheetPart) -> tuple[SheetLine, ...]:
    """The lines of a log in the order of a turn; `counts` are the game's own."""
    heavy, light = (guns(began, ship, battery) for battery in Battery)
    damage = (
        fires(began, ship),
        courses(began, ship),
        points(began, ship, "repair", "repair_points", "repair"),
    )
    return ((speed(game, battle, began, ship), *printed(ship)), (heavy,), (light,), counts, damage)


def speed(game: Game, battle: Battle, began: Ship, ship: Ship) -> SheetPart:
    """The eight boxes, each with the speed that it leaves; SX ahead of S, what is over behind them."""
    unit = game.measures(battle).unit
    eighths = (shown(unit, speed_of_boxes(game, battle, ship, left)) for left in range(BOXES, 0, -1))
    texts = [vulgar(amount) if unit == "in" else decimal(amount) for amount in eighths]
    lost, live, new_lost, new_live = marked(began, ship)
    for_good = crossed(texts[:lost], lost - new_lost, new_lost, for_good=True)
    others = crossed(texts[lost:], live - new_live, new_live, _mended(ship, "speed"))
    over = max(0, ship.count("speed_lost") - BOXES) + max(0, ship.count("speed_hits") - BOXES)
    margin = (Span(f"+{over}", "alert"),) if over else ()
    said = "″" if unit == "in" else unit
    return SheetPart(
        f"speed {said}", "", (*for_good, *others), margin, reconstructed=reconstructed(ship, "speed")
    )


def printed(ship: Ship) -> tuple[SheetPart, ...]:
    """What is thrown against: armor, size, and whether she is protected."""
    armor = SheetPart(
        "armor",
        pair(ship, "armor.heavy", "armor.light"),
        reconstructed=reconstructed(ship, "armor.heavy", "armor.light"),
    )
    size = SheetPart("size", number(ship.card.get("size")), reconstructed=reconstructed(ship, "size"))
    return (armor, size, *([SheetPart("+P")] if ship.card.get("protected") is True else []))


def guns(began: Ship, ship: Ship, battery: Battery) -> SheetPart:
    """A battery: its gunnery, and ROF counting down."""
    rated = reconstructed(ship, f"gunnery.{battery}", f"rof.{battery}")
    if not gunnery(ship, battery):
        return SheetPart(f"{battery} guns", "–")
    stands = ship.count(battery.rof)
    boxes = countdown(printed_rof(ship, battery), began.count(battery.rof), stands, _mended(ship, battery))
    text = f"{number(ship.card.get(f'gunnery.{battery}'))}, ROF"
    return counted(SheetPart(f"{battery} guns", text, boxes, reconstructed=rated), stands)


def points(
    began: Ship, ship: Ship, title: str, field: str, printed_in: str, *, text: str = "", mended: str = ""
) -> SheetPart:
    """A count of the log that its card prints; a dash where a ship never had any.

    `mended` is the kind of repair that brings points of it back.
    """
    printed_points, stands = ship.card_count(printed_in), ship.count(field)
    if not printed_points and not stands:
        return SheetPart(title, "–")
    boxes = countdown(printed_points, began.count(field), stands, _mended(ship, mended) if mended else 0)
    part = SheetPart(title, text, boxes, reconstructed=reconstructed(ship, printed_in))
    return counted(part, stands)


def used_once(title: str, *, used: bool, before: bool) -> SheetPart:
    """What a ship has once in a battle: one box, crossed when it is used."""
    return SheetPart(title, boxes=crossed([""], int(used and before), int(used and not before)))


def fires(began: Ship, ship: Ship) -> SheetPart:
    """Fires that burn and that went out, with room for more."""
    marks = [mark for mark in ship.marks if mark.kind == "fires"]
    return SheetPart("fires", written=_written(began, marks, ["F"] * len(marks)), room=4)


def courses(began: Ship, ship: Ship) -> SheetPart:
    """Courses that she must steer, and those that were repaired."""
    marks = [mark for mark in ship.marks if mark.kind == "course"]
    return SheetPart(
        "course", written=_written(began, marks, [Course.of(mark.text).sign for mark in marks]), room=4
    )


def _written(began: Ship, marks: Sequence[Mark], signs: Sequence[str]) -> tuple[Span, ...]:
    before = {mark.id for mark in began.marks}
    return tuple(
        Span(sign, "repaired" if mark.lifted else "" if mark.id in before else "slash")
        for mark, sign in zip(marks, signs, strict=True)
    )


def _mended(ship: Ship, kind: str) -> int:
    """Points of a kind that were repaired."""
    return sum(mark.text == kind for mark in ship.live(MENDED))
