"""How a ship is shown: on the grid, for scripts, in full, as a printed log; changes on the table."""

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
from qf_tui.rules.gq2.charts import ODDS_COLUMNS, find_df_column, find_odds_column
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
    list_armed_batteries,
    list_batteries,
    list_light_sources,
    list_lights_on,
    read_df,
    read_hull_speed,
)

BOILER_SIGN = "Bo"
CRITICALS: Mapping[str, tuple[str, str]] = {
    "fire_control": (charts.FIRE_CONTROL, "FC"),
    "bridge": (charts.BRIDGE, "Br"),
    "rudder": (charts.RUDDER, "Ru"),
    "fires": (charts.DAMAGE_CONTROL, "F"),
    "steam": (charts.STEAM_LINE, "St"),
}
"""The marks of lasting criticals: their names, and their signs on the grid."""
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


def _find_ship_at_start(battle: Battle, ship: Ship) -> Ship:
    """Return the state that slashes compare a ship with: at the start of a phase of fire, or the ship now."""
    return find_ship_at_start(battle, ship) if battle.phase in FIRING_PHASES else ship


def format_cell(battle: Battle, ship: Ship, column: Column) -> tuple[Span, ...]:
    """Format a column of a ship: the value when the phase began, and losses since as slashes."""
    began = _find_ship_at_start(battle, ship)
    match column.name:
        case "hull":
            return format_boxes(began, ship, HULL)
        case "arms":
            return format_boxes(began, ship, ARMAMENT)
        case "speed":
            return (Span(format_distance(battle, compute_speed(battle, ship))),)
        case "marks":
            return format_marks(battle, began, ship)
        case "torpedo":
            left = ship.log.get("torpedoes")
            kind = "L" if ship.card.get("torpedoes.kind") == "light" else ""
            return (Span("–", "dim") if left is None else Span(f"{left}{kind}", "" if left else "cross"),)
        case "af":
            return (
                Span(
                    "·".join(format_decimal(guns.af) for guns in list_armed_batteries(battle, began)) or "–"
                ),
            )
        case "moved":
            moved = find_movement(battle, ship)
            signs = ("–" if moved.straight else "") + ("~" if moved.evasive else "")
            return (Span(f"{format_distance(battle, moved.inches)}{signs}", "dim" if moved.assumed else ""),)
        case "ammo":
            he = ship.log.get("ammo_he")
            return (Span(str(ship.count("ammo"))), *((Span(f"/{he}", "dim"),) if he is not None else ()))
        case "df":
            return (Span(format_decimal(read_df(ship))),)
    return (Span(str(ship.card.get("class", ""))),)


def _count_lost_halves(began: Ship, ship: Ship, what: str) -> list[tuple[int, int]]:
    """Return for each box the halves lost by now, and when the phase began."""
    lost = ship.count(f"{what}_lost")
    before = min(lost, began.count(f"{what}_lost"))
    return [
        (max(0, min(2, lost - 2 * box)), max(0, min(2, before - 2 * box)))
        for box in range(count_boxes(ship, what))
    ]


def format_boxes(began: Ship, ship: Ship, what: str) -> tuple[Span, ...]:
    """Format boxes from the left: X lost, ½ half lost, □ whole; losses of this phase as slashes."""
    count = count_boxes(ship, what)
    if count > 8:
        left = f"{convert_parts(count_halves_left(ship, what), 2)}/{count}"
        more = ship.count(f"{what}_lost") > began.count(f"{what}_lost")
        return (Span(left, "slash" if more else ""),)
    return tuple(
        Span(
            ("□", "½", "/" if then < 2 else "X")[taken], "slash" if taken > then else "cross" if taken else ""
        )
        for taken, then in _count_lost_halves(began, ship, what)
    )


def format_marks(battle: Battle, began: Ship, ship: Ship) -> tuple[Span, ...]:
    """Format status, critical hits and lights in short; what binds only the next turn has an arrow."""
    spans = []
    if ship.status == SINKING:
        spans.append(Span(f"SINKING {read_marker(ship)} ", "alert"))
    elif not ship.afloat:
        spans.append(Span(f"{ship.status.upper()} ", "alert"))
    for field, (_, sign) in CRITICALS.items():
        for mark in ship.live(field):
            later = "→" if mark.until is not None and mark.until > battle.turn else ""
            spans.append(Span(f"{sign}{later} ", "alert" if mark in began.marks else "slash"))
    if ship.count("boiler"):
        spans.append(Span(f"{BOILER_SIGN} ", "alert" if began.count("boiler") else "slash"))
    if list_light_sources(battle, ship):
        spans.append(Span("lit ", ""))
    spans.extend(Span(f"{mark.text[:2]}sm ", "") for mark in ship.live("smoke"))
    return tuple(spans)


def list_criticals(ship: Ship) -> list[str]:
    """List the lasting critical hits of a ship.

    Rule: GQ2-CRI.
    """
    names = [name for field, (name, _) in CRITICALS.items() for _ in ship.live(field)]
    return [*names, charts.BOILER_ROOM] if ship.count("boiler") else names


def build_report(battle: Battle, ship: Ship) -> Mapping[str, Shape]:
    """Return a ship's values for scripts, slashes included."""
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
    """List what must be changed for a ship on the table: speed, lights, fires, smoke, markers, removal."""
    shone, shines = bool(list_light_sources(before, old)), bool(list_light_sources(after, new))
    light = [] if shone == shines else ["lit: mark it" if shines else "dark again"]
    # Another ship's searchlight changes this ship's state, although her own values are unchanged.
    if old == new and before.turn == after.turn:
        return light
    changes = []
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
    was, now = compute_speed(before, old), compute_speed(after, new)
    if was != now and can_act(after, new):
        changes.append(f"speed {'back to ' if now > was else ''}{format_distance(after, now)}")
    if (
        old.count("armament_lost") != new.count("armament_lost")
        and can_act(after, new)
        and list_batteries(new)
    ):
        changes.append(format_losses(after, new))
    changes += light
    smoke = len(new.live("smoke")) - len(old.live("smoke"))
    if smoke:
        changes.append("place smoke" if smoke > 0 else "remove its smoke")
    return changes


def format_sheet(battle: Battle, ship: Ship) -> tuple[CardLine, ...]:
    """Format a ship's card and log as titled lines."""
    began, card, moved = _find_ship_at_start(battle, ship), ship.card, find_movement(battle, ship)
    flash = "flash protection" if card.get("flash_protection") is True else "no flash protection"
    speeds = " · ".join(format_decimal(read_hull_speed(ship, box)) for box in range(1, BOXES + 1))
    left = f"{format_halves(count_halves_left(ship, ARMAMENT))} of {count_boxes(ship, ARMAMENT)} left"
    umpire = "; the umpire sets AF" if is_af_by_hand(battle) else ""
    how = [format_distance(battle, moved.inches)]
    how += [word for word, so in (("straight", moved.straight), ("evasive", moved.evasive)) if so]
    how += [f"{format_count(count_turns_made(ship), 'turn')} of 45°"] if count_turns_made(ship) else []
    torpedoes = "none"
    if ship.log.get("torpedoes") is not None:
        printed = format_decimal(to_fraction(card.get("torpedoes.count")))
        torpedoes = f"{ship.count('torpedoes')} of {printed}, {card.get('torpedoes.kind')}"
    he = ship.log.get("ammo_he")
    held = "HE not kept" if he is None else f"{he} of them HE"
    lines: list[CardLine] = [
        (
            "class",
            _build_text(
                f"{card.get('class')}, {card.get('nation')}, DF {format_decimal(read_df(ship))}, {flash}"
            ),
        ),
        ("hull", (*format_boxes(began, ship, HULL), Span(f"  {speeds}", "dim"))),
        ("makes", _build_text(format_distance(battle, compute_speed(battle, ship)), format_engines(ship))),
        ("moved", (Span(", ".join(how)), Span("  assumed" if moved.assumed else "", "dim"))),
        ("armament", (*format_boxes(began, ship, ARMAMENT), Span(f"  {left}{umpire}", "dim"))),
        *_format_guns(battle, began),
        ("torpedoes", _build_text(torpedoes)),
        ("ammunition", _build_text(f"{ship.count('ammo')} of {AMMUNITION} boxes, {held}")),
        ("marks", format_marks(battle, began, ship)),
        ("criticals", _build_text(", ".join(list_criticals(ship)) or "none")),
        ("lit by", _build_text(", ".join(list_light_sources(battle, ship)) or "nothing")),
        ("formation", _build_text(f"@{ship.division} in line {find_formation(battle, ship.division)}")),
        ("values", _build_text(str(card.get(ORIGIN, "")))),
    ]
    if card.get("notes"):
        lines.append(("notes", (Span(str(card["notes"]), "dim"),)))
    return tuple(lines)


def _build_text(text: str, behind: str = "") -> tuple[Span, ...]:
    return (Span(text), Span(f"  {behind}", "dim")) if behind else (Span(text),)


def _format_guns(battle: Battle, ship: Ship) -> list[CardLine]:
    """Format a line for each battery: name, caliber, AF and arcs."""
    rows: list[CardLine] = []
    for at, guns in enumerate(list_armed_batteries(battle, ship), 1):
        text = f"{guns.name} {format_decimal(guns.calibre)}″, {guns.af_words}"
        text += f", {guns.arcs}" if guns.arcs else ""
        text += ", holds HE" if guns.he else ""
        rows.append((f"battery {at}", _build_text(text)))
    return rows


def list_needed_cells(battle: Battle) -> NeededCells:
    """Return the chart cells that a battle may need.

    Of the odds these are all columns up to the best of any shot, because AF falls with damage.
    """
    ships = [ship for ship in (*battle.ships.values(), *battle.expected_ships) if not ship.is_off_table]
    # A torpedo may be light; a mine never is.
    kinds = {False, *(ship.card.get("torpedoes.kind") == "light" for ship in ships)}
    return {
        "gunnery": {("", column) for column in ODDS_COLUMNS[: _find_best_odds(battle, ships) + 1]},
        "torpedo": {
            ("", find_df_column(battle, read_df(ship), light=light)) for ship in ships for light in kinds
        },
        "barbette": {(find_barbette_row(ship), "") for ship in ships},
    }


def _find_best_odds(battle: Battle, ships: list[Ship]) -> int:
    """Return the index of the best odds of any battery; -1 if none reaches any.

    Rule: GQ2-GUN-3, GQ2-GUN-7.
    """
    af = {(ship.side, guns.af) for ship in ships for guns in list_batteries(ship)}
    against = {(ship.side, read_df(ship)) for ship in ships if read_df(ship)}
    columns = (
        find_odds_column(battle, factor, armor, he=True)
        for side, factor in af
        for of, armor in against
        if side != of
    )
    return max((ODDS_COLUMNS.index(column) for column in columns if column is not None), default=-1)


def build_log_lines(battle: Battle, ship: Ship) -> tuple[SheetLine, ...]:
    """Build the printed log in the order of a turn: movement, guns, torpedoes, repairs."""
    began, card = _find_ship_at_start(battle, ship), ship.card
    hull_boxes = range(1, BOXES + 1)
    return (
        (
            SheetPart(
                "hull ″" if find_unit(battle) == "in" else "hull cm",
                boxes=_build_boxes(
                    [format_quarters(read_hull_speed(ship, box)) for box in hull_boxes], began, ship, HULL
                ),
                reconstructed=has_reconstructed_fields(ship, *(f"hull.{box}" for box in hull_boxes)),
            ),
            SheetPart(
                "DF", format_decimal(read_df(ship)), reconstructed=has_reconstructed_fields(ship, "df")
            ),
            SheetPart("class", f"{card.get('class')}, {card.get('nation')}"),
            SheetPart("flash protection", "yes" if card.get("flash_protection") is True else "no"),
        ),
        tuple(_build_battery(ship, at, guns) for at, guns in enumerate(list_batteries(ship), 1)),
        (_build_armament(battle, began, ship),),
        (_build_torpedoes(began, ship), _build_ammunition(ship)),
        # Lasting hits of a kind, repaired ones struck out.
        tuple(
            SheetPart(name, written=format_mark_spans(began, ship, field, lambda mark: "●"), room=2)
            for field, (name, _) in CRITICALS.items()
        ),
        _build_rest(battle, began, ship),
    )


def _build_armament(battle: Battle, began: Ship, ship: Ship) -> SheetPart:
    """Build the armament boxes, each with the AF of the batteries while it is the first box left."""
    count, made_up = count_boxes(ship, ARMAMENT), has_reconstructed_fields(ship, "armament")
    if count > BOXES_MOST:
        left = format_halves(count_halves_left(ship, ARMAMENT))
        return SheetPart("armament", f"{left} of {count}", reconstructed=made_up)
    after = [evolve(ship, log={**ship.log, "armament_lost": 2 * lost}) for lost in range(count)]
    texts = [
        "·".join(format_quarters(guns.af) for guns in list_armed_batteries(battle, hull)) for hull in after
    ]
    texts = [""] * count if is_af_by_hand(battle) else texts
    return SheetPart("armament, AF", boxes=_build_boxes(texts, began, ship, ARMAMENT), reconstructed=made_up)


def _build_battery(ship: Ship, at: int, guns: Battery) -> SheetPart:
    text = (
        f"{format_decimal(guns.calibre)}″{f', {guns.arcs}' if guns.arcs else ''}{', HE' if guns.he else ''}"
    )
    return SheetPart(guns.name, text, reconstructed=has_reconstructed_fields(ship, f"battery.{at}.af"))


def _build_torpedoes(began: Ship, ship: Ship) -> SheetPart:
    if ship.log.get("torpedoes") is None:
        return SheetPart("torpedoes", "–")
    left, count = ship.count("torpedoes"), int(to_fraction(ship.card.get("torpedoes.count")))
    part = SheetPart(
        "torpedoes",
        str(ship.card.get("torpedoes.kind") or ""),
        draw_countdown(count, began.count("torpedoes"), left),
        reconstructed=has_reconstructed_fields(ship, "torpedoes.count"),
    )
    return add_count(part, left)


def _build_ammunition(ship: Ship) -> SheetPart:
    """Build the ammunition boxes, HE last with its sign."""
    texts = ["HE" if at >= AMMUNITION - ship.count("ammo_he") else "" for at in range(AMMUNITION)]
    return SheetPart("ammunition", boxes=draw_crossed_boxes(texts, AMMUNITION - ship.count("ammo")))


def _build_rest(battle: Battle, began: Ship, ship: Ship) -> SheetLine:
    """Build the line of boiler room, smoke, lights and engines."""
    before, box, laid = {mark.id for mark in began.marks}, ship.count("boiler"), ship.live("smoke")
    boiler = (Span(f"box {box}", "" if began.count("boiler") else "slash"),) if box else ()
    smoke = tuple(Span(mark.text, "" if mark.id in before else "slash") for mark in laid)
    lit = (Span("●"),) if list_light_sources(battle, ship) else ()
    engines = "" if ship.log.get("state") == STEAMING else format_engines(ship)
    return (
        SheetPart(charts.BOILER_ROOM, written=boiler, room=2),
        SheetPart("smoke", written=smoke, room=max(0, 3 - len(laid))),
        SheetPart("lit", written=lit, room=2 if lit else 3),
        SheetPart("engines", engines, room=2),
    )


def _build_boxes(texts: list[str], began: Ship, ship: Ship, what: str) -> tuple[Box, ...]:
    """Build boxes lost from the left in halves; losses of this phase are slashes."""
    full = (BoxState.SLASH, BoxState.SLASH, BoxState.CROSS)
    return tuple(
        Box(text, (BoxState.OPEN, BoxState.HALF, full[then])[taken])
        for text, (taken, then) in zip(texts, _count_lost_halves(began, ship, what), strict=True)
    )
