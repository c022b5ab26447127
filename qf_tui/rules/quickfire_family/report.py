"""What a battle says of ships beside the grid: values for scripts, words for hands at the table."""

from collections.abc import Mapping
from fractions import Fraction

from qf_tui.core.system import Shape
from qf_tui.core.values import SUNK, Battle, Ship, gone_words
from qf_tui.rules.quickfire_family.course import Course
from qf_tui.rules.quickfire_family.game import Game
from qf_tui.rules.quickfire_family.ship import BOXES, available_speed, marked_boxes, speed_of_boxes


def figure(value: Fraction) -> Shape:
    """A fraction for scripts: a whole number where it is one, else to four places."""
    return int(value) if value.denominator == 1 else round(float(value), 4)


def report(game: Game, battle: Battle, ship: Ship, torpedo: str) -> Mapping[str, Shape]:
    """A ship's values for scripts, slashes included; `torpedo` is the field of the log for its torpedoes."""
    return {
        "side": ship.side,
        "rof_heavy": ship.count("rof_heavy"),
        "rof_light": ship.count("rof_light"),
        "boat_guns": ship.count("boat_guns"),
        torpedo: ship.log.get(torpedo),
        "repair_points": ship.count("repair_points"),
        "speed_hits": ship.count("speed_hits"),
        "speed_lost": ship.count("speed_lost"),
        "fires": len(ship.live("fires")),
        "course": [mark.text for mark in ship.live("course")],
        "available_speed": figure(speed_of_boxes(game, battle, ship, BOXES - marked_boxes(ship))),
        "moved": ship.log.get("moved"),
        "status": ship.status,
        "sunk": ship.status == SUNK,
        **({"auto_shot": ship.log["auto_shot"] is True} if "auto_shot" in ship.log else {}),
    }


def changes_of_ship(
    game: Game, before: Battle, after: Battle, old: Ship, new: Ship, torpedo: str
) -> list[str]:
    """What hands must change of a ship on the table: its speed, fire markers and course, or take it off."""
    if old == new:
        return []
    found = []
    if old.status != new.status:
        found.append("afloat again: put it back" if new.afloat else gone_words(new))
    if new.gone:
        return found
    was, now = available_speed(game, before, old), available_speed(game, after, new)
    if was != now:
        found.append(f"speed {'back to ' if now > was else ''}{game.said(after, now)}")
    fires = len(new.live("fires")) - len(old.live("fires"))
    if fires:
        count = "a fire marker" if abs(fires) == 1 else f"{abs(fires)} fire markers"
        found.append(f"place {count}" if fires > 0 else f"remove {count}")
    courses = [mark.text for mark in old.live("course")], [mark.text for mark in new.live("course")]
    if courses[0] != courses[1]:
        found.append(f"steers {Course.of(courses[1][-1])}" if courses[1] else "steers freely")
    had, has = bool(old.count(torpedo)), bool(new.count(torpedo))
    if had != has:
        found.append("has torpedoes again" if has else "has no torpedoes left")
    return found
