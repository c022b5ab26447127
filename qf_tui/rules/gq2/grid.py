"""How a ship is shown: in the list of ships, on her card and printed log, to scripts, and on the table.

Also here: the chart cells that a battle may need. Nothing here changes a battle.
"""

from collections.abc import Mapping

from attrs import evolve

from qf_tui.core.declarations import Shape, convert_parts
from qf_tui.core.printed_logs import (
    BOXES_MOST,
    Box,
    BoxState,
    NeededCells,
    SheetLine,
    SheetPart,
    add_count,
    draw_countdown,
    draw_crossed_boxes,
    format_mark_spans,
)
from qf_tui.core.ship_facts import ORIGIN, has_reconstructed_fields
from qf_tui.core.system import Column, Span
from qf_tui.core.text import convert_fraction, format_count, format_decimal, to_fraction
from qf_tui.core.values import SUNK, Battle, Ship, format_removal
from qf_tui.rules.gq2 import charts
from qf_tui.rules.gq2.charts import GUNNERY_COLUMNS, find_df_column, find_odds_column
from qf_tui.rules.gq2.damage import find_barbette_row, read_marker
from qf_tui.rules.gq2.forms import find_unit, format_distance
from qf_tui.rules.gq2.movement import find_formation, find_movement, format_engines
from qf_tui.rules.gq2.ship import (
    AMMUNITION,
    ARMAMENT,
    BOXES,
    FIRING_PHASES,
    HULL,
    SINKING,
    STEAMING,
    Battery,
    can_act,
    compute_speed,
    count_boxes,
    count_halves_left,
    count_turns_made,
    find_ship_at_start,
    format_halves,
    format_losses,
    format_quarters,
    is_af_by_hand,
    list_batteries,
    list_batteries_with_current_af,
    list_light_sources,
    list_lights_on,
    read_df,
    read_hull_speed,
)

BOILER_SIGN = "Bo"
"""Sign of a boiler room hit, which is a number of the log and no mark."""

CRITICALS: Mapping[str, tuple[str, str]] = {
    "fire_control": (charts.FIRE_CONTROL, "FC"),
    "bridge": (charts.BRIDGE, "Br"),
    "rudder": (charts.RUDDER, "Ru"),
    "fires": (charts.DAMAGE_CONTROL, "F"),
    "steam": (charts.STEAM_LINE, "St"),
}
"""Name and sign on the grid, by the kind of mark that a critical hit leaves."""
_SIGNS = ", ".join(
    f"{sign} {name}" for name, sign in (*CRITICALS.values(), (charts.BOILER_ROOM, BOILER_SIGN))
)
COLUMNS = (
    Column(
        "hull",
        "hull",
        5,
        0,
        ("hull_lost",),
        help="its hull boxes: □ whole, ½ half lost, X lost, / in this phase",
    ),
    Column(
        "speed",
        "makes",
        6,
        0,
        ("moved", "boiler", "steam", "state"),
        right=True,
        widest="10½″",
        help="the speed that it can make this turn",
    ),
    Column(
        "arms",
        "arms",
        8,
        1,
        ("armament_lost",),
        help="its armament boxes; if more than eight, the number left",
    ),
    Column(
        "marks",
        "marks",
        9,
        0,
        (
            "status",
            "marker",
            "fires",
            "fire_control",
            "bridge",
            "rudder",
            "steam",
            "boiler",
            "lights",
            "lit",
            "smoke",
        ),
        beside=list_lights_on,
        most=17,
        help=f"{_SIGNS}; → binds next turn; lit; blsm black smoke, grsm gray; or the ship's status",
    ),
    Column(
        "torpedo",
        "TT",
        4,
        1,
        ("torpedoes",),
        right=True,
        help="torpedoes left; L light ones, for the light stick",
    ),
    Column(
        "af",
        "AF",
        8,
        2,
        ("battery.1.af", "battery.2.af", "armament_lost"),
        help="attack factors by the armament boxes left",
    ),
    Column("df", "DF", 4, 3, ("df",), right=True, help="defence factor"),
    Column(
        "moved",
        "moved",
        6,
        2,
        ("moved", "straight", "evasive", "turned"),
        right=True,
        help="its move; – straight, ~ evading; pale: assumed, as last turn",
        passing=True,
    ),
    Column(
        "ammo",
        "ammo",
        5,
        4,
        ("ammo", "ammo_he"),
        right=True,
        help="ammunition boxes left, after / those of HE",
    ),
    Column("class", "class", 8, 5, ("class",), help="class code: B, BC, CA, DD, TBD ..."),
)

CardLine = tuple[str, tuple[Span, ...]]
"""The title of a line, and its text."""


def _find_ship_to_compare(battle: Battle, ship: Ship) -> Ship:
    """Return the ship's state at the start of a gunnery or torpedo phase; in other phases the current state.

    The difference to it is shown as slashes; earlier losses are crosses.
    """
    return find_ship_at_start(battle, ship) if battle.phase in FIRING_PHASES else ship


def format_cell(battle: Battle, ship: Ship, column: Column) -> tuple[Span, ...]:
    """Format the cell of a ship in a column.

    In a gunnery or torpedo phase, losses since the phase began are slashes, and AF is as it was then.
    """
    at_start = _find_ship_to_compare(battle, ship)
    match column.name:
        case "hull":
            return format_boxes(at_start, ship, HULL)
        case "arms":
            return format_boxes(at_start, ship, ARMAMENT)
        case "speed":
            return (Span(format_distance(battle, compute_speed(battle, ship))),)
        case "marks":
            return format_marks(battle, at_start, ship)
        case "torpedo":
            left = ship.log.get("torpedoes")
            kind = "L" if ship.card.get("torpedoes.kind") == "light" else ""
            if left is None:
                return (Span("–", "dim"),)
            return (Span(f"{left}{kind}", "" if left else "cross"),)
        case "af":
            batteries = list_batteries_with_current_af(battle, at_start)
            return (Span("·".join(format_decimal(guns.af) for guns in batteries) or "–"),)
        case "moved":
            moved = find_movement(battle, ship)
            signs = ("–" if moved.straight else "") + ("~" if moved.evasive else "")
            return (Span(f"{format_distance(battle, moved.inches)}{signs}", "dim" if moved.assumed else ""),)
        case "ammo":
            he = ship.log.get("ammo_he")
            return (Span(str(ship.count("ammo"))), *((Span(f"/{he}", "dim"),) if he is not None else ()))
        case "df":
            return (Span(format_decimal(read_df(ship))),)
    # The only other column is the class.
    return (Span(str(ship.card.get("class", ""))),)


def _count_lost_halves(at_start: Ship, ship: Ship, what: str) -> list[tuple[int, int]]:
    """Return for each box of hull or armament the halves lost now, and those lost when the phase began."""
    lost = ship.count(f"{what}_lost")
    # The umpire may have given boxes back since the phase began.
    lost_at_start = min(lost, at_start.count(f"{what}_lost"))
    return [
        (max(0, min(2, lost - 2 * box)), max(0, min(2, lost_at_start - 2 * box)))
        for box in range(count_boxes(ship, what))
    ]


def format_boxes(at_start: Ship, ship: Ship, what: str) -> tuple[Span, ...]:
    """Format boxes of hull or armament from the left: X lost, / lost in this phase, ½ half lost, □ whole.

    More than eight boxes are shown as numbers: `7.5/10`.
    """
    count = count_boxes(ship, what)
    if count > 8:
        left = f"{convert_parts(count_halves_left(ship, what), 2)}/{count}"
        has_new_losses = ship.count(f"{what}_lost") > at_start.count(f"{what}_lost")
        return (Span(left, "slash" if has_new_losses else ""),)
    spans = []
    for halves_lost, lost_at_start in _count_lost_halves(at_start, ship, what):
        sign_of_lost_box = "X" if lost_at_start == 2 else "/"
        sign = ("□", "½", sign_of_lost_box)[halves_lost]
        if halves_lost > lost_at_start:
            spans.append(Span(sign, "slash"))
        else:
            spans.append(Span(sign, "cross" if halves_lost else ""))
    return tuple(spans)


def format_marks(battle: Battle, at_start: Ship, ship: Ship) -> tuple[Span, ...]:
    """Format status, critical hits, light and smoke in short.

    A hit that counts only from the next turn has an arrow. Hits of this phase are styled as slashes.
    """
    spans = []
    if ship.status == SINKING:
        spans.append(Span(f"SINKING {read_marker(ship)} ", "alert"))
    elif not ship.afloat:
        spans.append(Span(f"{ship.status.upper()} ", "alert"))
    for field, (_, sign) in CRITICALS.items():
        for mark in ship.live(field):
            # A mark with an end binds the ship only in its last turn, so until then it has an arrow.
            arrow = "→" if mark.until is not None and mark.until > battle.turn else ""
            spans.append(Span(f"{sign}{arrow} ", "alert" if mark in at_start.marks else "slash"))
    if ship.count("boiler"):
        spans.append(Span(f"{BOILER_SIGN} ", "alert" if at_start.count("boiler") else "slash"))
    if list_light_sources(battle, ship):
        spans.append(Span("lit ", ""))
    spans.extend(Span(f"{mark.text[:2]}sm ", "") for mark in ship.live("smoke"))
    return tuple(spans)


def list_criticals(ship: Ship) -> list[str]:
    """List the names of the critical hits that a ship suffers from; repaired ones are left out.

    Rule: GQ2-CRI.
    """
    names = [name for field, (name, _) in CRITICALS.items() for _ in ship.live(field)]
    return [*names, charts.BOILER_ROOM] if ship.count("boiler") else names


def build_report(battle: Battle, ship: Ship) -> Mapping[str, Shape]:
    """Build a ship's values for scripts, with the losses of this phase."""
    moved = ship.log.get("moved")
    return {
        "side": ship.side,
        "hull_lost": convert_parts(ship.count("hull_lost"), 2),
        "armament_lost": convert_parts(ship.count("armament_lost"), 2),
        "speed": convert_fraction(compute_speed(battle, ship)),
        "moved": None if moved is None else convert_fraction(to_fraction(moved)),
        "criticals": list[object](list_criticals(ship)),
        "fires": len(ship.live("fires")),
        "torpedoes": ship.log.get("torpedoes"),
        "illuminated": bool(list_light_sources(battle, ship)),
        "lights": [mark.text for mark in ship.live("lights")],
        "smoke": [mark.text for mark in ship.live("smoke")],
        "status": ship.status,
        "marker": read_marker(ship) if ship.status == SINKING else None,
        "sunk": ship.status == SUNK,
    }


def list_ship_changes(before: Battle, after: Battle, old: Ship, new: Ship) -> list[str]:
    """List what changes on the table for a ship: speed, attack factor (AF), light, smoke, marker, removal."""
    was_lit = bool(list_light_sources(before, old))
    is_lit = bool(list_light_sources(after, new))
    light_change = "lit: mark it" if is_lit else "dark again"
    light_changes = [light_change] if is_lit != was_lit else []
    # If nothing of the ship changed, only another ship's searchlight can light her, and only a new turn can
    # change her speed.
    if old == new and before.turn == after.turn:
        return light_changes
    changes = []
    # A ship that starts to sink is reported with her marker.
    if new.status not in (old.status, SINKING):
        if new.afloat:
            changes.append("afloat again: put it back on the table without marker")
        elif new.status == SUNK:
            changes.append(format_removal(new))
        else:
            changes.append(
                f"{new.status}: {'remove the model' if new.is_off_table else 'mark it; it stays in the way'}"
            )
    if new.status == SINKING and (old.status != SINKING or read_marker(old) != read_marker(new)):
        changes.append(f"sinking marker {read_marker(new)}")
    old_speed, new_speed = compute_speed(before, old), compute_speed(after, new)
    if old_speed != new_speed and can_act(after, new):
        back = "back to " if new_speed > old_speed else ""
        changes.append(f"speed {back}{format_distance(after, new_speed)}")
    if (
        old.count("armament_lost") != new.count("armament_lost")
        and can_act(after, new)
        and list_batteries(new)
    ):
        changes.append(format_losses(after, new))
    changes += light_changes
    more_smoke = len(new.live("smoke")) - len(old.live("smoke"))
    if more_smoke:
        changes.append("place smoke" if more_smoke > 0 else "remove its smoke")
    return changes


def format_sheet(battle: Battle, ship: Ship) -> tuple[CardLine, ...]:
    """Format a ship's card and log as titled lines."""
    at_start = _find_ship_to_compare(battle, ship)
    card = ship.card
    moved = find_movement(battle, ship)
    flash = "flash protection" if card.get("flash_protection") is True else "no flash protection"
    speeds = " · ".join(format_decimal(read_hull_speed(ship, box)) for box in range(1, BOXES + 1))
    armament = f"{format_halves(count_halves_left(ship, ARMAMENT))} of {count_boxes(ship, ARMAMENT)} left"
    armament += "; the umpire sets AF" if is_af_by_hand(battle) else ""
    movement = [format_distance(battle, moved.inches)]
    movement += ["straight"] if moved.straight else []
    movement += ["evasive"] if moved.evasive else []
    movement += [f"{format_count(count_turns_made(ship), 'turn')} of 45°"] if count_turns_made(ship) else []
    torpedoes = "none"
    if ship.log.get("torpedoes") is not None:
        printed = format_decimal(to_fraction(card.get("torpedoes.count")))
        torpedoes = f"{ship.count('torpedoes')} of {printed}, {card.get('torpedoes.kind')}"
    he = ship.log.get("ammo_he")
    he_boxes = "HE not kept" if he is None else f"{he} of them HE"
    lines: list[CardLine] = [
        (
            "class",
            _build_text(
                f"{card.get('class')}, {card.get('nation')}, DF {format_decimal(read_df(ship))}, {flash}"
            ),
        ),
        ("hull", (*format_boxes(at_start, ship, HULL), Span(f"  {speeds}", "dim"))),
        ("makes", _build_text(format_distance(battle, compute_speed(battle, ship)), format_engines(ship))),
        ("moved", (Span(", ".join(movement)), Span("  assumed" if moved.assumed else "", "dim"))),
        ("armament", (*format_boxes(at_start, ship, ARMAMENT), Span(f"  {armament}", "dim"))),
        *_format_guns(battle, at_start),
        ("torpedoes", _build_text(torpedoes)),
        ("ammunition", _build_text(f"{ship.count('ammo')} of {AMMUNITION} boxes, {he_boxes}")),
        ("marks", format_marks(battle, at_start, ship)),
        ("criticals", _build_text(", ".join(list_criticals(ship)) or "none")),
        ("lit by", _build_text(", ".join(list_light_sources(battle, ship)) or "nothing")),
        ("formation", _build_text(f"@{ship.division} in line {find_formation(battle, ship.division)}")),
        ("values", _build_text(str(card.get(ORIGIN, "")))),
    ]
    if card.get("notes"):
        lines.append(("notes", (Span(str(card["notes"]), "dim"),)))
    return tuple(lines)


def _build_text(text: str, dim_text: str = "") -> tuple[Span, ...]:
    """Build the text of a line; a dim text, if any, follows it."""
    return (Span(text), Span(f"  {dim_text}", "dim")) if dim_text else (Span(text),)


def _format_guns(battle: Battle, ship: Ship) -> list[CardLine]:
    """Format a line for each battery: name, caliber, AF, arcs, and whether it holds HE."""
    rows: list[CardLine] = []
    for number, guns in enumerate(list_batteries_with_current_af(battle, ship), 1):
        text = f"{guns.name} {format_decimal(guns.calibre)}″, {guns.af_words}"
        text += f", {guns.arcs}" if guns.arcs else ""
        text += ", holds HE" if guns.he else ""
        rows.append((f"battery {number}", _build_text(text)))
    return rows


def list_needed_cells(battle: Battle) -> NeededCells:
    """List the chart cells that a battle may need, as (row, column) by table; "" means all of them.

    Every gunnery column up to the best odds of any shot is needed, because damage lowers AF.
    """
    ships = [ship for ship in (*battle.ships.values(), *battle.expected_ships) if not ship.is_off_table]
    # A torpedo may be light; a mine never is.
    light_values = {False, *(ship.card.get("torpedoes.kind") == "light" for ship in ships)}
    return {
        "gunnery": {("", column) for column in GUNNERY_COLUMNS[: _find_best_odds(battle, ships) + 1]},
        "torpedo": {
            ("", find_df_column(battle, read_df(ship), light=light))
            for ship in ships
            for light in light_values
        },
        "barbette": {(find_barbette_row(ship), "") for ship in ships},
    }


def _find_best_odds(battle: Battle, ships: list[Ship]) -> int:
    """Return the index of the best gunnery column that a battery reaches with HE; -1 if none does.

    It counts undamaged batteries, against ships of other sides.

    Rule: GQ2-GUN-3, GQ2-GUN-7.
    """
    afs = {(ship.side, guns.af) for ship in ships for guns in list_batteries(ship)}
    dfs = {(ship.side, read_df(ship)) for ship in ships if read_df(ship)}
    columns = (
        find_odds_column(battle, af, df, he=True)
        for side, af in afs
        for target_side, df in dfs
        if side != target_side
    )
    return max((GUNNERY_COLUMNS.index(column) for column in columns if column is not None), default=-1)


def build_log_lines(battle: Battle, ship: Ship) -> tuple[SheetLine, ...]:
    """Build the lines of a ship's printed log, from hull to engines, each with its parts."""
    at_start = _find_ship_to_compare(battle, ship)
    card = ship.card
    hull_boxes = range(1, BOXES + 1)
    return (
        (
            SheetPart(
                "hull ″" if find_unit(battle) == "in" else "hull cm",
                boxes=_build_boxes(
                    [format_quarters(read_hull_speed(ship, box)) for box in hull_boxes], at_start, ship, HULL
                ),
                reconstructed=has_reconstructed_fields(ship, *(f"hull.{box}" for box in hull_boxes)),
            ),
            SheetPart(
                "DF", format_decimal(read_df(ship)), reconstructed=has_reconstructed_fields(ship, "df")
            ),
            SheetPart("class", f"{card.get('class')}, {card.get('nation')}"),
            SheetPart("flash protection", "yes" if card.get("flash_protection") is True else "no"),
        ),
        tuple(_build_battery(ship, number, guns) for number, guns in enumerate(list_batteries(ship), 1)),
        (_build_armament(battle, at_start, ship),),
        (_build_torpedoes(at_start, ship), _build_ammunition(ship)),
        # A dot for each critical hit; repaired ones are struck out.
        tuple(
            SheetPart(name, written=format_mark_spans(at_start, ship, field, lambda mark: "●"), room=2)
            for field, (name, _) in CRITICALS.items()
        ),
        _build_rest(battle, at_start, ship),
    )


def _build_armament(battle: Battle, at_start: Ship, ship: Ship) -> SheetPart:
    """Build the armament boxes, each with the AF that the batteries have once all boxes before it are lost.

    The boxes are empty if the umpire sets AF by hand. If they do not fit into a line, only the number left
    is shown.
    """
    count = count_boxes(ship, ARMAMENT)
    reconstructed = has_reconstructed_fields(ship, "armament")
    if count > BOXES_MOST:
        left = format_halves(count_halves_left(ship, ARMAMENT))
        return SheetPart("armament", f"{left} of {count}", reconstructed=reconstructed)
    texts = [""] * count
    if not is_af_by_hand(battle):
        # The log counts half boxes.
        damaged_ships = [evolve(ship, log={**ship.log, "armament_lost": 2 * lost}) for lost in range(count)]
        texts = [
            "·".join(
                format_quarters(guns.af) for guns in list_batteries_with_current_af(battle, damaged_ship)
            )
            for damaged_ship in damaged_ships
        ]
    boxes = _build_boxes(texts, at_start, ship, ARMAMENT)
    return SheetPart("armament, AF", boxes=boxes, reconstructed=reconstructed)


def _build_battery(ship: Ship, number: int, guns: Battery) -> SheetPart:
    """Build the sheet's part for a battery: caliber, arcs, and "HE" if the ship's HE shells are for it."""
    text = (
        f"{format_decimal(guns.calibre)}″{f', {guns.arcs}' if guns.arcs else ''}{', HE' if guns.he else ''}"
    )
    return SheetPart(guns.name, text, reconstructed=has_reconstructed_fields(ship, f"battery.{number}.af"))


def _build_torpedoes(at_start: Ship, ship: Ship) -> SheetPart:
    """Build the part of the torpedoes: their kind, and a countdown to the number left."""
    if ship.log.get("torpedoes") is None:
        return SheetPart("torpedoes", "–")
    left = ship.count("torpedoes")
    count = int(to_fraction(ship.card.get("torpedoes.count")))
    part = SheetPart(
        "torpedoes",
        str(ship.card.get("torpedoes.kind") or ""),
        draw_countdown(count, at_start.count("torpedoes"), left),
        reconstructed=has_reconstructed_fields(ship, "torpedoes.count"),
    )
    return add_count(part, left)


def _build_ammunition(ship: Ship) -> SheetPart:
    """Build the ammunition boxes; the last ones are those of HE that are left."""
    texts = ["HE" if box >= AMMUNITION - ship.count("ammo_he") else "" for box in range(AMMUNITION)]
    return SheetPart("ammunition", boxes=draw_crossed_boxes(texts, AMMUNITION - ship.count("ammo")))


def _build_rest(battle: Battle, at_start: Ship, ship: Ship) -> SheetLine:
    """Build the last line of the printed log: boiler room, smoke, light and engines; new marks as slashes."""
    ids_at_start = {mark.id for mark in at_start.marks}
    hull_box = ship.count("boiler")
    smoke_marks = ship.live("smoke")
    boiler = (Span(f"box {hull_box}", "" if at_start.count("boiler") else "slash"),) if hull_box else ()
    smoke = tuple(Span(mark.text, "" if mark.id in ids_at_start else "slash") for mark in smoke_marks)
    lit = (Span("●"),) if list_light_sources(battle, ship) else ()
    engines = "" if ship.log.get("state") == STEAMING else format_engines(ship)
    return (
        SheetPart(charts.BOILER_ROOM, written=boiler, room=2),
        SheetPart("smoke", written=smoke, room=max(0, 3 - len(smoke_marks))),
        SheetPart("lit", written=lit, room=2 if lit else 3),
        SheetPart("engines", engines, room=2),
    )


def _build_boxes(texts: list[str], at_start: Ship, ship: Ship, what: str) -> tuple[Box, ...]:
    """Build boxes of hull or armament with their texts.

    A lost box has a cross, or a slash if it lost a half in this phase.
    """
    # Indexed by the halves that the box had lost at the start of the phase.
    look_of_lost_box = (BoxState.SLASH, BoxState.SLASH, BoxState.CROSS)
    return tuple(
        Box(text, (BoxState.OPEN, BoxState.HALF, look_of_lost_box[earlier])[lost])
        for text, (lost, earlier) in zip(texts, _count_lost_halves(at_start, ship, what), strict=True)
    )
