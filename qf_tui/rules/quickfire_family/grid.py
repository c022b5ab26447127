"""How a ship is shown: in the list of ships, on her card and printed log, to scripts, and on the table.

A game may draw cells of its own and add parts of the printed log. Nothing here changes a battle.
"""

from collections.abc import Callable, Mapping

from qf_tui.core.crews import remove_crew
from qf_tui.core.declarations import Shape
from qf_tui.core.printed_logs import (
    SheetLine,
    SheetPart,
    add_count,
    draw_countdown,
    draw_crossed_boxes,
    format_mark_spans,
)
from qf_tui.core.ship_facts import ORIGIN, has_reconstructed_fields, list_attested_fields
from qf_tui.core.system import Column, Span
from qf_tui.core.text import Scalar, convert_fraction, format_decimal, to_fraction
from qf_tui.core.values import SUNK, Battle, Mark, Ship, format_removal, replace
from qf_tui.rules.quickfire_family.damage import MENDED
from qf_tui.rules.quickfire_family.game import Game, format_exact_distance, format_vulgar, round_distance
from qf_tui.rules.quickfire_family.movement import Course, Mover, format_boxes
from qf_tui.rules.quickfire_family.ship import (
    BOXES,
    Battery,
    count_marked_boxes,
    read_gunnery,
    read_printed_rof,
)

Spans = tuple[Span, ...]
CellBuilders = Mapping[str, Callable[[Ship, Ship], Spans]]
"""The cells that a game draws itself, by column. They take a ship as its phase began and as it is now."""

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
    help="its eight boxes: X an SX, x an S, \\ and / hits of this phase, □ open, + more than eight",
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
    help="F a fire, D a forced course; on the card in brackets those that are over; or the ship's status",
)
MOVED = Column(
    "moved",
    "moved",
    6,
    3,
    ("moved",),
    right=True,
    help="its move; pale: assumed, as last turn",
    passing=True,
)
GUNNERY = Column(
    "gunnery", "guns", 6, 4, ("gunnery.heavy", "gunnery.light"), right=True, help="gunnery, heavy and light"
)
ARMOR = Column(
    "armor", "armor", 6, 4, ("armor.heavy", "armor.light"), right=True, help="heavy and light armor"
)
SIZE = Column("size", "size", 5, 5, ("size",), right=True, help="size, as its card has it")
COMMON = (REPAIR, BLAST, MOVED, GUNNERY, ARMOR, SIZE)
"""The columns that end every grid, in this order."""

DASH = Span("–", "dim")
_PAIR_LABEL = Span("  heavy-light", "dim")


def build_cell(
    game: Game, battle: Battle, start_ship: Ship, ship: Ship, column: Column, own_cells: CellBuilders
) -> Spans:
    """Return the cell of a column.

    A value of the log that falls shows the number as the phase began, and slashes or an arrow for the loss.

    Args:
        start_ship: The ship as the phase began.
        own_cells: Cells that the game draws itself, by column.
    """
    if column.name in own_cells:
        return own_cells[column.name](start_ship, ship)
    if column.name == "rof":
        return (
            *build_points(start_ship, ship, "rof_heavy"),
            Span("-"),
            *build_points(start_ship, ship, "rof_light"),
        )
    if column.name == "boxes":
        return _build_boxes(start_ship, ship, brief=True)
    if column.name == "speed":
        return (Span(game.format_distance(battle, Mover(game, battle, ship).available_distance)),)
    if column.name == "blast":
        return _build_blast(start_ship, ship)
    if column.name == "moved":
        moved = Mover(game, battle, ship).movement
        text = format_decimal(round(moved.distance, 1)) if game.logs_distance else str(moved.boxes)
        return (Span(text, "dim" if moved.assumed else ""),)
    if len(column.fields) == 1 and column.fields[0] in ship.log:
        return build_points(start_ship, ship, column.fields[0])
    # All other columns show figures of the card.
    return (Span(format_pair(ship, *column.fields)),)


TOO_MANY_SLASHES = 3
"""The number of points lost in a phase from which a cell shows the rest as a number instead of slashes."""


def build_points(start_ship: Ship, ship: Ship, field: str) -> Spans:
    """Return a count as the phase began, with the loss since; a gain shows at once.

    A small loss is a slash for each point. A larger one is an arrow and the number that is left.

    Args:
        start_ship: The ship as the phase began.
    """
    start_count, count = start_ship.count(field), ship.count(field)
    if start_count <= count:
        return (Span(str(count)),)
    points_lost = start_count - count
    return (
        Span(str(start_count)),
        Span("/" * points_lost if points_lost < TOO_MANY_SLASHES else f"→{count}", "slash"),
    )


def _build_boxes(start_ship: Ship, ship: Ship, *, brief: bool = False) -> Spans:
    """Return the eight speed boxes, filled from the left: SX (`X`), S (`x`), open (`□`); then the margin.

    Boxes marked in this phase are a backslash (SX) or a slash (S).

    Args:
        start_ship: The ship as the phase began.
        brief: True to count the boxes by kind if there is a margin, since no box is open then.
    """
    sx_boxes, s_boxes, new_sx, new_s = count_marked_by_kind(start_ship, ship)
    margin = _build_margin(ship)
    if brief and margin:
        spans = [
            Span(f"{sx_boxes}X" if sx_boxes else "", "slash" if new_sx else "cross"),
            Span(f"{s_boxes}x" if s_boxes else "", "slash" if new_s else "cross"),
        ]
    else:
        spans = [
            Span("X" * (sx_boxes - new_sx), "cross"),
            Span("\\" * new_sx, "slash"),
            Span("x" * (s_boxes - new_s), "cross"),
            Span("/" * new_s, "slash"),
            Span("□" * (BOXES - count_marked_boxes(ship))),
        ]
    return tuple(span for span in (*spans, *margin) if span.text)


def count_marked_by_kind(start_ship: Ship, ship: Ship) -> tuple[int, int, int, int]:
    """Count the boxes with an SX, those with an S, and how many of each were marked in this phase.

    Args:
        start_ship: The ship as the phase began.
    """
    sx_boxes = min(BOXES, ship.count("speed_lost"))
    s_boxes = min(BOXES - sx_boxes, ship.count("speed_hits"))
    new_sx = max(0, sx_boxes - min(BOXES, start_ship.count("speed_lost")))
    # The boxes marked in this phase, less those with a new SX.
    new_s = min(s_boxes, max(0, count_marked_boxes(ship) - count_marked_boxes(start_ship) - new_sx))
    return sx_boxes, s_boxes, new_sx, new_s


def _build_margin(ship: Ship) -> Spans:
    """Return the hits for which no box was left, as `+2`; empty if there are none."""
    # `speed_lost` counts SX, `speed_hits` S. Where a game has both, an S that finds no box becomes an SX.
    margin = max(0, ship.count("speed_lost") - BOXES) + max(0, ship.count("speed_hits") - BOXES)
    return (Span(f"+{margin}", "alert"),) if margin else ()


def _build_blast(start_ship: Ship, ship: Ship) -> Spans:
    """Return a ship's fires and forced courses.

    A ship not afloat shows her status instead, with her fires if she is on the table. Marks of this phase
    have the color of a slash. Many fires become a number.
    """
    if not ship.afloat:
        burning = 0 if ship.is_off_table else len(ship.live("fires"))
        fires_text = f" {burning}F" if burning else ""
        return (Span(f"{ship.status.upper()}{fires_text}", "alert"),)
    start_ids = {mark.id for mark in start_ship.live("fires") + start_ship.live("course")}
    fires, courses = ship.live("fires"), ship.live("course")
    spans = []
    # The cell has room for two marks.
    most_fires = 1 if courses else 2
    if len(fires) > most_fires:
        is_new = any(mark.id not in start_ids for mark in fires)
        spans.append(Span(f"{len(fires)}F ", "slash" if is_new else "alert"))
        fires = ()
    marks = (*fires, *courses)
    spans += [Span(f"{_format_sign(mark)} ", "alert" if mark.id in start_ids else "slash") for mark in marks]
    return tuple(spans)


def _format_sign(mark: Mark) -> str:
    """Format the sign of a mark: `F` for a fire, else the sign of a forced course, like `D45L`."""
    return "F" if mark.kind == "fires" else Course.parse(mark.text).sign


def format_pair(ship: Ship, *fields: str) -> str:
    """Format figures of a card, with a dash between them."""
    return "-".join(format_number(ship.card.get(field)) for field in fields)


def format_number(value: Scalar) -> str:
    """Format a figure of a card; a half as ½."""
    return "½" if value == 0.5 else format_decimal(to_fraction(value))


def build_sheet(
    game: Game,
    battle: Battle,
    start_ship: Ship,
    ship: Ship,
    columns: tuple[Column, ...],
    own_cells: CellBuilders,
) -> tuple[tuple[str, Spans], ...]:
    """Return a ship's card and log in full, as (title, spans) for each line.

    Repaired damage and fires that are out are struck out.

    Args:
        start_ship: The ship as the phase began.
        columns: Columns of the game.
        own_cells: Cells that the game draws itself.
    """
    by_name = {column.name: column for column in columns}

    def build_shown(name: str) -> Spans:
        """Return the cell of the column with this name."""
        return build_cell(game, battle, start_ship, ship, by_name[name], own_cells)

    kind = f"{ship.card.get('kind', '')}, size {format_number(ship.card.get('size'))}"
    protected = Span("  +P, protected") if ship.card.get("protected") is True else Span("")
    mover = Mover(game, battle, ship)
    available = mover.available_distance
    available_text = mover.format_distance(available)
    exact_text = format_exact_distance(game.find_measures(battle).unit, available)
    # Distances are shown rounded down, so an exact figure follows if it differs.
    exactly = "" if exact_text == available_text else f", exactly {exact_text}"
    speed_note = Span(f"  of {mover.format_distance(mover.measure_boxes(BOXES))}{exactly}", "dim")
    movement = mover.movement
    moved = Span(f"{format_boxes(movement.boxes)}, {mover.format_distance(movement.distance)}")
    assumed = Span("  assumed", "dim") if movement.assumed else Span("")
    # The printed ROF is the one before the effect of the crew.
    without_crew = replace(ship, card=remove_crew(ship.card))
    printed_rof = Span(f"  printed {format_pair(without_crew, 'rof.heavy', 'rof.light')}", "dim")
    # These columns have lines of their own below; all others follow one after another.
    common = {"gunnery", "armor", "rof", "boxes", "speed", "moved", "size", "blast"}
    other_columns = [column for column in columns if column.name not in common]
    lifted = (mark for mark in ship.marks if mark.lifted and mark.kind in ("fires", "course"))
    # A long battle has many of these marks: put them into one span.
    lifted_text = "".join([f"({_format_sign(mark)}) " for mark in lifted])
    attested_fields = ", ".join(list_attested_fields(ship.card))
    attested = Span(f"; attested: {attested_fields}" if attested_fields else "", "dim")
    lines = [
        ("kind", (Span(kind), protected)),
        ("gunnery", (*build_shown("gunnery"), _PAIR_LABEL)),
        ("armor", (*build_shown("armor"), _PAIR_LABEL)),
        ("ROF", (*build_shown("rof"), printed_rof)),
        ("speed", (*_build_boxes(start_ship, ship), Span(f" {available_text}"), speed_note)),
        ("moved", (moved, assumed)),
        *((CARD_TITLES.get(column.name, column.title), build_shown(column.name)) for column in other_columns),
        ("blast", (*build_shown("blast"), *([Span(lifted_text, "repaired")] if lifted_text else ()))),
        ("repaired", tuple(Span(f"{mark.text} ", "repaired") for mark in ship.live(MENDED)) or (DASH,)),
        ("values", (Span(str(ship.card.get(ORIGIN, ""))), attested)),
    ]
    if ship.card.get("notes"):
        lines.append(("notes", (Span(str(ship.card["notes"]), "dim"),)))
    return tuple(lines)


CARD_TITLES = {"torpedo": "torpedoes", "auto": "auto shot", "boats": "boat guns", "repair": "repair"}
"""Titles on the card for columns whose title in the grid is short."""


def build_log_sheet(
    game: Game, battle: Battle, start_ship: Ship, ship: Ship, *game_parts: SheetPart
) -> tuple[SheetLine, ...]:
    """Return the lines of a printed log, in the order of a turn.

    Args:
        start_ship: The ship as the phase began.
        game_parts: Parts that only this game has.
    """
    heavy, light = (build_guns_part(start_ship, ship, battery) for battery in Battery)
    damage = (
        *(
            SheetPart(kind, written=format_mark_spans(start_ship, ship, kind, _format_sign), room=4)
            for kind in ("fires", "course")
        ),
        build_points_part(start_ship, ship, "repair", "repair_points", "repair"),
    )
    return (
        (build_speed_part(game, battle, start_ship, ship), *build_printed_parts(ship)),
        (heavy,),
        (light,),
        game_parts,
        damage,
    )


def build_speed_part(game: Game, battle: Battle, start_ship: Ship, ship: Ship) -> SheetPart:
    """Return the eight speed boxes of a printed log: SX, then S, then open ones; then the margin.

    Each box shows the speed that the ship has once all boxes before it are marked.
    """
    unit = game.find_measures(battle).unit
    mover = Mover(game, battle, ship)
    eighths = (round_distance(unit, mover.measure_boxes(boxes)) for boxes in range(BOXES, 0, -1))
    texts = [format_vulgar(amount) if unit == "in" else format_decimal(amount) for amount in eighths]
    sx_boxes, s_boxes, new_sx, new_s = count_marked_by_kind(start_ship, ship)
    sx_drawn = draw_crossed_boxes(texts[:sx_boxes], sx_boxes - new_sx, new_sx, for_good=True)
    others_drawn = draw_crossed_boxes(texts[sx_boxes:], s_boxes - new_s, new_s, _count_mended(ship, "speed"))
    unit_sign = "″" if unit == "in" else unit
    return SheetPart(
        f"speed {unit_sign}",
        boxes=(*sx_drawn, *others_drawn),
        written=_build_margin(ship),
        reconstructed=has_reconstructed_fields(ship, "speed"),
    )


def build_printed_parts(ship: Ship) -> tuple[SheetPart, ...]:
    """Return the parts that opponents need for their dice: armor, size, and +P if the ship is protected."""
    armor = SheetPart(
        "armor",
        format_pair(ship, "armor.heavy", "armor.light"),
        reconstructed=has_reconstructed_fields(ship, "armor.heavy", "armor.light"),
    )
    size = SheetPart(
        "size", format_number(ship.card.get("size")), reconstructed=has_reconstructed_fields(ship, "size")
    )
    return (armor, size, *([SheetPart("+P")] if ship.card.get("protected") is True else []))


def build_guns_part(start_ship: Ship, ship: Ship, battery: Battery) -> SheetPart:
    """Return the part of a battery: its gunnery, and boxes that count its ROF down; a dash without guns."""
    reconstructed = has_reconstructed_fields(ship, f"gunnery.{battery}", f"rof.{battery}")
    if not read_gunnery(ship, battery):
        return SheetPart(f"{battery} guns", "–")
    rof = ship.count(f"rof_{battery}")
    start_rof = start_ship.count(f"rof_{battery}")
    boxes = draw_countdown(read_printed_rof(ship, battery), start_rof, rof, _count_mended(ship, battery))
    text = f"{format_number(ship.card.get(f'gunnery.{battery}'))}, ROF"
    return add_count(SheetPart(f"{battery} guns", text, boxes, reconstructed=reconstructed), rof)


def build_points_part(
    start_ship: Ship,
    ship: Ship,
    title: str,
    field: str,
    printed_in: str,
    *,
    text: str = "",
    repair_kind: str = "",
) -> SheetPart:
    """Return the part of a printed log that counts down a number of the card.

    It is a dash if the card has no points and the ship has none now.

    Args:
        printed_in: Key of the card for the printed number.
        text: Text before the boxes.
        repair_kind: Kind of repair that restores a point; "" if none does.
    """
    printed_points = ship.count_on_card(printed_in)
    count = ship.count(field)
    if not printed_points and not count:
        return SheetPart(title, "–")
    boxes = draw_countdown(
        printed_points, start_ship.count(field), count, _count_mended(ship, repair_kind) if repair_kind else 0
    )
    part = SheetPart(title, text, boxes, reconstructed=has_reconstructed_fields(ship, printed_in))
    return add_count(part, count)


def build_auto_shot_part(start_ship: Ship, ship: Ship) -> SheetPart:
    """Return the part of the auto shot (a first fire without ROF roll): one box, crossed once used."""
    used, used_before = ship.log.get("auto_shot") is True, start_ship.log.get("auto_shot") is True
    return SheetPart(
        "auto shot", boxes=draw_crossed_boxes([""], int(used and used_before), int(used and not used_before))
    )


def _count_mended(ship: Ship, kind: str) -> int:
    """Count the points that this kind of repair restored and that are not lost again."""
    return sum(mark.text == kind for mark in ship.live(MENDED))


def build_report(game: Game, battle: Battle, ship: Ship, torpedo: str) -> Mapping[str, Shape]:
    """Return a ship's values for scripts, with the damage of the present phase.

    Args:
        torpedo: Field of the log for her torpedoes.
    """
    counts = ("repair_points", "speed_hits", "speed_lost")
    return {
        "side": ship.side,
        **{field: ship.count(field) for field in ("rof_heavy", "rof_light", "boat_guns")},
        torpedo: ship.log.get(torpedo),
        **{field: ship.count(field) for field in counts},
        "fires": len(ship.live("fires")),
        "course": [mark.text for mark in ship.live("course")],
        "available_speed": convert_fraction(
            Mover(game, battle, ship).measure_boxes(BOXES - count_marked_boxes(ship))
        ),
        "moved": ship.log.get("moved"),
        "status": ship.status,
        "sunk": ship.status == SUNK,
        **({"auto_shot": ship.log["auto_shot"] is True} if "auto_shot" in ship.log else {}),
    }


def list_table_changes(
    game: Game, before: Battle, after: Battle, old: Ship, new: Ship, torpedo: str
) -> list[str]:
    """List what players must change for a ship on the table: speed, fire markers, course or torpedoes.

    A ship that leaves the table or comes back to it is named too.

    Args:
        torpedo: Field of the log for her torpedoes.
    """
    if old == new:
        return []
    changes = []
    if old.status != new.status:
        changes.append("afloat again: put it back on the table" if new.afloat else format_removal(new))
    if new.is_off_table:
        return changes
    old_speed = Mover(game, before, old).available_distance
    new_speed = Mover(game, after, new).available_distance
    if old_speed != new_speed:
        back_to = "back to " if new_speed > old_speed else ""
        changes.append(f"speed {back_to}{game.format_distance(after, new_speed)}")
    fires = len(new.live("fires")) - len(old.live("fires"))
    if fires:
        count = "a fire marker" if abs(fires) == 1 else f"{abs(fires)} fire markers"
        changes.append(f"place {count}" if fires > 0 else f"remove {count}")
    old_courses = [mark.text for mark in old.live("course")]
    new_courses = [mark.text for mark in new.live("course")]
    if old_courses != new_courses:
        changes.append(f"steers {Course.parse(new_courses[-1])}" if new_courses else "steers freely")
    had_torpedoes, has_torpedoes = bool(old.count(torpedo)), bool(new.count(torpedo))
    if had_torpedoes != has_torpedoes:
        changes.append("has torpedoes again" if has_torpedoes else "has no torpedoes left")
    return changes
