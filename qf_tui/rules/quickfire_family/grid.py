"""How a ship looks: grid cells, the card in full, values for scripts, words for the table."""

from collections.abc import Callable, Mapping

from qf_tui.core.measure import Scalar, decimal, exact
from qf_tui.core.ratings import ORIGIN, attested_of
from qf_tui.core.system import Column, Span
from qf_tui.core.values import Battle, Ship
from qf_tui.rules.quickfire_family.course import Course
from qf_tui.rules.quickfire_family.game import Game
from qf_tui.rules.quickfire_family.movement import in_boxes, movement
from qf_tui.rules.quickfire_family.repair import MENDED
from qf_tui.rules.quickfire_family.ship import BOXES, available_speed, marked_boxes, printed_speed
from qf_tui.rules.quickfire_family.targeting import acting

Spans = tuple[Span, ...]
Own = Mapping[str, Callable[[Ship, Ship], Spans]]
"""Cells that a game draws itself, by column: of a ship as its phase began and as it is now."""

ROF = Column(
    "rof", "ROF", 7, 0, ("rof_heavy", "rof_light"), most=11, help="of the heavy and of the light battery"
)
SPEED_BOXES = Column(
    "boxes",
    "speed",
    8,
    0,
    ("speed_hits", "speed_lost"),
    most=12,
    help="its eight boxes: X an SX, x an S, \\ and / those of this phase, □ open, + more than eight",
)
SPEED = Column(
    "speed",
    "makes",
    5,
    1,
    ("speed_hits", "speed_lost", "moved"),
    right=True,
    widest="10⅞″",
    help="the distance that the open boxes give",
)
BOATS = Column("boats", "BG", 3, 2, ("boat_guns",), right=True, help="boat guns")
REPAIR = Column("repair", "Rp", 3, 1, ("repair_points",), right=True, help="repair points")
BLAST = Column(
    "blast",
    "blast",
    6,
    0,
    ("fires", "course", "status"),
    most=10,
    help="F a fire, D a course that it must steer; on the card in brackets what is over; "
    "or what became of the ship",
)
MOVED = Column(
    "moved",
    "moved",
    6,
    3,
    ("moved",),
    right=True,
    help="what it moved; pale: assumed, as last turn",
    passing=True,
)
GUNNERY = Column(
    "gunnery", "guns", 6, 4, ("gunnery.heavy", "gunnery.light"), right=True, help="gunnery, heavy and light"
)
ARMOR = Column(
    "armor", "armor", 6, 4, ("armor.heavy", "armor.light"), right=True, help="heavy and light armor"
)
SIZE = Column("size", "size", 5, 5, ("size",), right=True, help="size, as its card has it")

DASH = Span("–", "dim")
_PAIR = Span("  heavy-light", "dim")


def cell(game: Game, battle: Battle, ship: Ship, column: Column, own: Own, *, slashes: bool) -> Spans:
    """A column of a ship: the value as the phase began, and a slash for each point lost since."""
    began = acting(battle, ship.id) if slashes else ship
    if column.name in own:
        return own[column.name](began, ship)
    if column.name == "rof":
        return (*points(began, ship, "rof_heavy"), Span("-"), *points(began, ship, "rof_light"))
    if column.name == "boxes":
        return _boxes_in_brief(began, ship)
    if column.name == "speed":
        return (Span(game.said(battle, available_speed(game, battle, ship))),)
    if column.name == "blast":
        return _blast(began, ship)
    if column.name == "moved":
        moved = movement(game, battle, ship)
        figures = decimal(round(moved.distance, 1)) if game.measured else str(moved.boxes)
        return (Span(figures, "dim" if moved.assumed else ""),)
    if len(column.fields) == 1 and column.fields[0] in ship.log:
        return points(began, ship, column.fields[0])
    return (Span(pair(ship, *column.fields)),)


SLASHES = 3
"""Points lost in a phase from which a cell says what is left, which no column is too narrow for."""


def points(began: Ship, ship: Ship, field: str) -> Spans:
    """A count as it was, with a slash for each point, or of many what is left; a gain shows at once."""
    stood, now = began.count(field), ship.count(field)
    if stood <= now:
        return (Span(str(now)),)
    lost = stood - now
    return (Span(str(stood)), Span("/" * lost if lost < SLASHES else f"→{now}", "slash"))


def _boxes(began: Ship, ship: Ship) -> Spans:
    """The eight boxes as a sheet fills them from the left: SX (`X`), S (`x`), open; then the margin.

    A backslash or slash for those of this phase.
    """
    lost, live, new_lost, new_live = marked(began, ship)
    spans = [
        Span("X" * (lost - new_lost), "cross"),
        Span("\\" * new_lost, "slash"),
        Span("x" * (live - new_live), "cross"),
        Span("/" * new_live, "slash"),
        Span("□" * (BOXES - marked_boxes(ship))),
        *_margin(ship),
    ]
    return tuple(span for span in spans if span.text)


def _boxes_in_brief(began: Ship, ship: Ship) -> Spans:
    """The eight boxes, counted where there is a margin behind them: then none is open."""
    margin = _margin(ship)
    if not margin:
        return _boxes(began, ship)
    lost, live, new_lost, new_live = marked(began, ship)
    spans = (
        Span(f"{lost}X" if lost else "", "slash" if new_lost else "cross"),
        Span(f"{live}x" if live else "", "slash" if new_live else "cross"),
        *margin,
    )
    return tuple(span for span in spans if span.text)


def marked(began: Ship, ship: Ship) -> tuple[int, int, int, int]:
    """Boxes with an SX and with an S, and how many of each came in this phase."""
    lost = min(BOXES, ship.count("speed_lost"))
    live = min(BOXES - lost, ship.count("speed_hits"))
    new_lost = max(0, lost - min(BOXES, began.count("speed_lost")))
    new_live = min(live, max(0, marked_boxes(ship) - marked_boxes(began) - new_lost))
    return lost, live, new_lost, new_live


def _margin(ship: Ship) -> Spans:
    margin = max(0, ship.count("speed_lost") - BOXES) + max(0, ship.count("speed_hits") - BOXES)
    return (Span(f"+{margin}", "alert"),) if margin else ()


def _blast(began: Ship, ship: Ship) -> Spans:
    if not ship.afloat:
        burning = 0 if ship.gone else len(ship.live("fires"))
        return (Span(f"{ship.status.upper()}{f' {burning}F' * bool(burning)}", "alert"),)
    before = {mark.id for mark in began.live("fires") + began.live("course")}
    spans = []
    fires = ship.live("fires")
    if len(fires) > (1 if ship.live("course") else 2):
        new = any(mark.id not in before for mark in fires)
        spans.append(Span(f"{len(fires)}F ", "slash" if new else "alert"))
    else:
        spans.extend(Span("F ", "alert" if mark.id in before else "slash") for mark in fires)
    courses = ship.live("course")
    spans.extend(
        Span(f"{Course.of(mark.text).sign} ", "alert" if mark.id in before else "slash") for mark in courses
    )
    return tuple(spans)


def pair(ship: Ship, *fields: str) -> str:
    """Figures of a card with a dash between them."""
    return "-".join(number(ship.card.get(field)) for field in fields)


def number(value: Scalar) -> str:
    """A figure of a card, a half as ½."""
    return "½" if value == 0.5 else decimal(exact(value))


def sheet(
    game: Game, battle: Battle, ship: Ship, columns: tuple[Column, ...], own: Own, *, slashes: bool
) -> tuple[tuple[str, Spans], ...]:
    """The card and log in full, repaired damage and fires that went out scribbled out."""
    by_name = {column.name: column for column in columns}

    def shown(name: str) -> Spans:
        return cell(game, battle, ship, by_name[name], own, slashes=slashes)

    kind = f"{ship.card.get('kind', '')}, size {number(ship.card.get('size'))}"
    protected = Span("  +P, protected") if ship.card.get("protected") is True else Span("")
    speed = available_speed(game, battle, ship)
    available, exact = game.said(battle, speed), game.said_beside(battle, speed, speed)
    of = f"  of {game.said(battle, printed_speed(game, battle, ship))}"
    printed = Span(of if exact == available else f"{of}, exactly {exact}", "dim")
    common = {"gunnery", "armor", "rof", "boxes", "speed", "moved", "size", "blast"}
    others = [column for column in columns if column.name not in common]
    lines = [
        ("kind", (Span(kind), protected)),
        ("gunnery", (*shown("gunnery"), _PAIR)),
        ("armor", (*shown("armor"), _PAIR)),
        ("ROF", (*shown("rof"), Span(f"  printed {pair(ship, 'rof.heavy', 'rof.light')}", "dim"))),
        (
            "speed",
            (
                *_boxes(acting(battle, ship.id) if slashes else ship, ship),
                Span(f" {available}"),
                printed,
            ),
        ),
        ("moved", _moved_words(game, battle, ship)),
        *((TITLES.get(column.name, column.title), shown(column.name)) for column in others),
        ("blast", (*shown("blast"), *_lifted(ship))),
        ("repaired", tuple(Span(f"{mark.text} ", "repaired") for mark in ship.live(MENDED)) or (DASH,)),
        ("values", (Span(str(ship.card.get(ORIGIN, ""))), Span(_attested(ship), "dim"))),
    ]
    if ship.card.get("notes"):
        lines.append(("notes", (Span(str(ship.card["notes"]), "dim"),)))
    return tuple(lines)


TITLES = {"torpedo": "torpedoes", "auto": "auto shot", "boats": "boat guns", "repair": "repair"}
"""What the card calls columns that the grid has no room to name."""


def _moved_words(game: Game, battle: Battle, ship: Ship) -> Spans:
    moved = movement(game, battle, ship)
    assumed = Span("  assumed", "dim") if moved.assumed else Span("")
    return (Span(f"{in_boxes(moved.boxes)}, {game.said(battle, moved.distance)}"), assumed)


def _lifted(ship: Ship) -> Spans:
    out = [mark for mark in ship.marks if mark.lifted and mark.kind in ("fires", "course")]
    signs = ("F" if mark.kind == "fires" else Course.of(mark.text).sign for mark in out)
    return tuple(Span(f"({sign}) ", "repaired") for sign in signs)


def _attested(ship: Ship) -> str:
    fields = ", ".join(attested_of(ship.card))
    return f"; attested: {fields}" if fields else ""
