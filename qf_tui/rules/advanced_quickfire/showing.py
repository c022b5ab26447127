"""How a ship of Advanced Quickfire looks: grid columns, the card in full, values for scripts, words for the table."""

from collections.abc import Mapping
from fractions import Fraction

from qf_tui.core.measure import Scalar, decimal, exact
from qf_tui.core.system import Column, Shape, Span
from qf_tui.core.values import SUNK, Battle, Ship
from qf_tui.rules.advanced_quickfire.movement import in_unit, movement
from qf_tui.rules.advanced_quickfire.repair import MENDED
from qf_tui.rules.advanced_quickfire.ship import (
    BOXES,
    available_speed,
    had_torpedoes,
    marked_boxes,
    printed_speed,
)

COLUMNS = (
    Column("rof", "ROF", 7, 0, ("rof_heavy", "rof_light")),
    Column("boxes", "speed", 10, 0, ("speed_hits", "speed_lost")),
    Column("speed", "makes", 6, 1, ("speed_hits", "speed_lost", "moved"), right=True),
    Column("torpedo", "TT", 6, 2, ("torpedo_reload",), right=True),
    Column("boats", "BG", 3, 2, ("boat_guns",), right=True),
    Column("repair", "Rp", 3, 1, ("repair_points",), right=True),
    Column("blast", "blast", 12, 0, ("fires", "course", "status")),
    Column("moved", "moved", 6, 3, ("moved",), right=True),
    Column("gunnery", "guns", 6, 4, ("gunnery.heavy", "gunnery.light"), right=True),
    Column("armor", "armor", 6, 4, ("armor.heavy", "armor.light"), right=True),
    Column("size", "size", 5, 5, ("size",), right=True),
)

_DASH = Span("–", "dim")


def cell(battle: Battle, ship: Ship, column: Column, *, slashes: bool) -> tuple[Span, ...]:
    """A column of a ship: what stood as the phase began, and a slash for each point lost since (AQF-LOG-4)."""
    began = battle.start.ships.get(ship.id, ship) if slashes else ship
    if column.name == "rof":
        return (*_points(began, ship, "rof_heavy"), Span("-"), *_points(began, ship, "rof_light"))
    if column.name == "boxes":
        return _boxes(began, ship)
    if column.name == "speed":
        return (Span(in_unit(battle, available_speed(battle, ship))),)
    if column.name == "torpedo":
        return _torpedo(began, ship)
    if column.name == "boats":
        return _points(began, ship, "boat_guns")
    if column.name == "repair":
        return _points(began, ship, "repair_points")
    if column.name == "blast":
        return _blast(began, ship)
    if column.name == "moved":
        return _moved(battle, ship)
    return (Span(_pair(ship, column.fields)),)


def _points(began: Ship, ship: Ship, field: str) -> tuple[Span, ...]:
    """A count as it stood, with a slash a point; a gain since shows at once."""
    stood, now = began.count(field), ship.count(field)
    if stood <= now:
        return (Span(str(now)),)
    lost = stood - now
    slashes = "/" * lost if lost <= 3 else f"/{lost}"
    return (Span(str(stood)), Span(slashes, "slash"))


def _boxes(began: Ship, ship: Ship) -> tuple[Span, ...]:
    """The eight boxes: open, S (`x`), SX (`X`); what came in this phase as slashes; the margin behind."""
    lost = min(BOXES, ship.count("speed_lost"))
    live = min(BOXES - lost, ship.count("speed_hits"))
    open_boxes = BOXES - marked_boxes(ship)
    new_lost = max(0, lost - min(BOXES, began.count("speed_lost")))
    new_live = min(live, max(0, marked_boxes(ship) - marked_boxes(began) - new_lost))
    spans = [
        Span("□" * open_boxes),
        Span("/" * new_live, "slash"),
        Span("x" * (live - new_live), "cross"),
        Span("/" * new_lost, "slash"),
        Span("X" * (lost - new_lost), "cross"),
    ]
    margin = ship.count("speed_lost") - lost
    if margin:
        spans.append(Span(f"+{margin}", "alert"))
    return tuple(span for span in spans if span.text)


def _torpedo(began: Ship, ship: Ship) -> tuple[Span, ...]:
    if not had_torpedoes(ship):
        return (_DASH,)
    reload = ship.count("torpedo_reload")
    if reload == 0 and began.count("torpedo_reload") == 0:
        return (Span("out", "cross"),)
    return (Span(f"{ship.card.get('torpedo.size')}/"), *_points(began, ship, "torpedo_reload"))


def _blast(began: Ship, ship: Ship) -> tuple[Span, ...]:
    if not ship.afloat:
        return (Span(ship.status.upper(), "alert"),)
    before = {mark.id for mark in began.live("fires") + began.live("course")}
    spans = []
    fires = ship.live("fires")
    if len(fires) > 4:
        spans.append(Span(f"{len(fires)}F ", "alert"))
    else:
        spans.extend(Span("F ", "alert" if mark.id in before else "slash") for mark in fires)
    for mark in ship.live("course"):
        spans.append(Span(f"{course_sign(mark.text)} ", "alert" if mark.id in before else "slash"))
    return tuple(spans)


def course_sign(course: str) -> str:
    """A direction hit in short: `D45L`."""
    degrees, _, side = course.partition(" ")
    return f"D{degrees}{side[:1].upper()}"


def _moved(battle: Battle, ship: Ship) -> tuple[Span, ...]:
    moved = movement(battle, ship)
    return (Span(f"{moved.boxes}", "dim" if moved.assumed else ""),)


def _pair(ship: Ship, fields: tuple[str, ...]) -> str:
    return "-".join(_number(ship.card.get(field)) for field in fields)


def _number(value: Scalar) -> str:
    return "½" if value == 0.5 else decimal(exact(value))


def sheet(battle: Battle, ship: Ship, *, slashes: bool) -> tuple[tuple[str, tuple[Span, ...]], ...]:
    """The card and log in full (AQF-LOG-1), repaired damage and fires that went out scribbled out (AQF-LOG-4)."""
    by_name = {column.name: column for column in COLUMNS}

    def shown(name: str) -> tuple[Span, ...]:
        return cell(battle, ship, by_name[name], slashes=slashes)

    kind = f"{ship.card.get('kind', '')}, size {_number(ship.card.get('size'))}"
    protected = Span("  +P") if ship.card.get("protected") is True else Span("")
    printed = Span(f"  of {in_unit(battle, printed_speed(battle, ship))}", "dim")
    lines = [
        ("kind", (Span(kind), protected)),
        ("gunnery", shown("gunnery")),
        ("armor", shown("armor")),
        ("ROF", (*shown("rof"), Span(f"  printed {_pair(ship, ('rof.heavy', 'rof.light'))}", "dim"))),
        ("speed", (*shown("boxes"), Span(" "), *shown("speed"), printed)),
        ("moved", _moved_words(battle, ship)),
        ("torpedoes", shown("torpedo")),
        ("boat guns", shown("boats")),
        ("repair", shown("repair")),
        ("blast", (*shown("blast"), *_lifted(ship))),
        ("repaired", tuple(Span(f"{mark.text} ", "repaired") for mark in ship.live(MENDED)) or (_DASH,)),
        ("values", (Span(str(ship.card.get("values", ""))), Span(_attested(ship), "dim"))),
    ]
    if ship.card.get("notes"):
        lines.append(("notes", (Span(str(ship.card["notes"]), "dim"),)))
    return tuple(lines)


def _moved_words(battle: Battle, ship: Ship) -> tuple[Span, ...]:
    moved = movement(battle, ship)
    assumed = Span("  assumed", "dim") if moved.assumed else Span("")
    return (Span(f"{moved.boxes} boxes, {in_unit(battle, moved.distance)}"), assumed)


def _lifted(ship: Ship) -> tuple[Span, ...]:
    out = [mark for mark in ship.marks if mark.lifted]
    return tuple(
        Span("F " if mark.kind == "fires" else f"{course_sign(mark.text)} ", "repaired") for mark in out
    )


def _attested(ship: Ship) -> str:
    fields = ship.card.get("attested")
    return f"; attested: {fields}" if fields else ""


def figure(value: Fraction) -> Shape:
    """A fraction for scripts: a whole number where it is one, else to four places."""
    return int(value) if value.denominator == 1 else round(float(value), 4)


def report(battle: Battle, ship: Ship) -> Mapping[str, Shape]:
    """A ship's values for scripts, slashes included."""
    moved = ship.log.get("moved")
    return {
        "side": ship.side,
        "rof_heavy": ship.count("rof_heavy"),
        "rof_light": ship.count("rof_light"),
        "boat_guns": ship.count("boat_guns"),
        "torpedo_reload": ship.log.get("torpedo_reload"),
        "repair_points": ship.count("repair_points"),
        "speed_hits": ship.count("speed_hits"),
        "speed_lost": ship.count("speed_lost"),
        "fires": len(ship.live("fires")),
        "course": [mark.text for mark in ship.live("course")],
        "available_speed": figure(available_speed(battle, ship)),
        "moved": moved,
        "status": ship.status,
        "sunk": ship.status == SUNK,
    }


def on_table(before: Battle, after: Battle) -> tuple[tuple[str, str], ...]:
    """What hands must change on the table: speeds, fire markers, courses, ships that go or come back."""
    words: list[tuple[str, str]] = []
    for id in {**before.ships, **after.ships}:
        old, new = before.ships.get(id), after.ships.get(id)
        ship = new or old
        if ship is None or old == new:
            continue
        if old is None or new is None:
            words.append((ship.side, f"{ship.name}: {'put on' if old is None else 'take off'} the table"))
            continue
        words.extend((ship.side, f"{ship.name}: {text}") for text in _hands(before, after, old, new))
    return tuple(words)


def _hands(before: Battle, after: Battle, old: Ship, new: Ship) -> list[str]:
    found = []
    if old.status != new.status:
        found.append("afloat again: put it back" if new.afloat else f"{new.status}: mark or remove it")
    was, now = available_speed(before, old), available_speed(after, new)
    if was != now:
        again = " again" if now > was else ""
        found.append(f"speed {in_unit(after, now)}{again}")
    fires = len(new.live("fires")) - len(old.live("fires"))
    if fires:
        count = "a fire marker" if abs(fires) == 1 else f"{abs(fires)} fire markers"
        found.append(f"put {count} on" if fires > 0 else f"take {count} off")
    courses = [mark.text for mark in old.live("course")], [mark.text for mark in new.live("course")]
    if courses[0] != courses[1]:
        found.append(f"steers {courses[1][-1]}" if courses[1] else "steers freely")
    torpedoes = bool(old.count("torpedo_reload")), bool(new.count("torpedo_reload"))
    if torpedoes[0] != torpedoes[1]:
        found.append("has torpedoes again" if torpedoes[1] else "has no torpedoes left")
    return found
