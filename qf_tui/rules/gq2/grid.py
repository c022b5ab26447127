"""How a ship of General Quarters 2 looks: grid columns, values for scripts, words for the table."""

from collections.abc import Mapping

from attrs import evolve

from qf_tui.core.declarations import (
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
from qf_tui.core.ship_facts import ORIGIN, reconstructed
from qf_tui.core.system import Column, Shape, Span, of_parts
from qf_tui.core.text import decimal, exact
from qf_tui.core.values import SUNK, Battle, Ship, gone_words
from qf_tui.rules.gq2 import charts
from qf_tui.rules.gq2.charts import ODDS_COLUMNS, df_column, odds_column
from qf_tui.rules.gq2.damage import ARMAMENT, HULL, barbette_row, boxes, left, marker_of
from qf_tui.rules.gq2.fields import armed, by_hand, loss_words
from qf_tui.rules.gq2.forms import figure, halves, of_halves, unit, with_unit
from qf_tui.rules.gq2.movement import formation, movement, words
from qf_tui.rules.gq2.ship import (
    AMMUNITION,
    BOXES,
    SINKING,
    STEAMING,
    Battery,
    acts,
    batteries,
    df,
    hull_speed,
    speed,
    turns_made,
)
from qf_tui.rules.gq2.targets import lights_on, lit_by

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
        help="its armament boxes; of more than eight those that are left",
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
        beside=lights_on,
        most=17,
        help=f"{_SIGNS}; → binds next turn; lit; blsm black smoke, grsm gray; or what became of the ship",
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
        help="what it moved; – straight, ~ evading; pale: assumed, as last turn",
        passing=True,
    ),
    Column(
        "ammo",
        "ammo",
        5,
        4,
        ("ammo", "ammo_he"),
        right=True,
        help="ammunition boxes left, behind / those of HE",
    ),
    Column("class", "class", 8, 5, ("class",), help="class code: B, BC, CA, DD, TBD ..."),
)

_DASH = Span("–", "dim")


def cell(battle: Battle, ship: Ship, column: Column, *, slashes: bool) -> tuple[Span, ...]:
    """A column of a ship: the value as the phase began, and what came since as slashes."""
    began = battle.start.ships.get(ship.id, ship) if slashes else ship
    if column.name == "hull":
        return box_spans(began, ship, HULL)
    if column.name == "arms":
        return box_spans(began, ship, ARMAMENT)
    if column.name == "speed":
        return (Span(with_unit(battle, speed(battle, ship))),)
    if column.name == "marks":
        return mark_spans(battle, began, ship)
    if column.name == "torpedo":
        return _torpedoes(ship)
    if column.name == "af":
        return (Span("·".join(decimal(guns.af) for guns in armed(battle, began)) or "–"),)
    if column.name == "moved":
        return _moved(battle, ship)
    if column.name == "ammo":
        he = ship.log.get("ammo_he")
        return (Span(str(ship.count("ammo"))), *((Span(f"/{he}", "dim"),) if he is not None else ()))
    return (Span(decimal(df(ship)) if column.name == "df" else str(ship.card.get("class", ""))),)


def box_spans(began: Ship, ship: Ship, what: str) -> tuple[Span, ...]:
    """Boxes from the left: X lost, ½ half lost, □ whole; what this phase took has the tone of a slash."""
    count, lost = boxes(ship, what), ship.count(f"{what}_lost")
    before = min(lost, began.count(f"{what}_lost"))
    if count > 8:
        left = f"{of_parts(max(0, 2 * count - lost), 2)}/{count}"
        return (Span(left, "slash" if lost > before else ""),)
    spans = []
    for box in range(count):
        taken, then = (max(0, min(2, total - 2 * box)) for total in (lost, before))
        sign = ("□", "½", "/" if then < 2 else "X")[taken]
        spans.append(Span(sign, "slash" if taken > then else "cross" if taken else ""))
    return tuple(spans)


def mark_spans(battle: Battle, began: Ship, ship: Ship) -> tuple[Span, ...]:
    """Status, criticals and lights in short; what binds the next turn only has an arrow."""
    spans = []
    if ship.status == SINKING:
        spans.append(Span(f"SINKING {marker_of(ship)} ", "alert"))
    elif not ship.afloat:
        spans.append(Span(f"{ship.status.upper()} ", "alert"))
    for field, (_, sign) in CRITICALS.items():
        for mark in ship.live(field):
            later = "→" if mark.until is not None and mark.until > battle.turn else ""
            spans.append(Span(f"{sign}{later} ", "alert" if mark in began.marks else "slash"))
    if ship.count("boiler"):
        spans.append(Span(f"{BOILER_SIGN} ", "alert" if began.count("boiler") else "slash"))
    if lit_by(battle, ship):
        spans.append(Span("lit ", ""))
    spans.extend(Span(f"{mark.text[:2]}sm ", "") for mark in ship.live("smoke"))
    return tuple(spans)


def _torpedoes(ship: Ship) -> tuple[Span, ...]:
    left = ship.log.get("torpedoes")
    if left is None:
        return (_DASH,)
    kind = "L" if ship.card.get("torpedoes.kind") == "light" else ""
    return (Span(f"{left}{kind}", "" if left else "cross"),)


def _moved(battle: Battle, ship: Ship) -> tuple[Span, ...]:
    moved = movement(battle, ship)
    signs = ("–" if moved.straight else "") + ("~" if moved.evasive else "")
    return (Span(f"{with_unit(battle, moved.inches)}{signs}", "dim" if moved.assumed else ""),)


def criticals(ship: Ship) -> list[str]:
    """The lasting critical hits of a ship, one for each that counts (GQ2-CRI)."""
    found = [name for field, (name, _) in CRITICALS.items() for _ in ship.live(field)]
    return [*found, charts.BOILER_ROOM] if ship.count("boiler") else found


def report(battle: Battle, ship: Ship) -> Mapping[str, Shape]:
    """A ship's values for scripts, slashes included."""
    moved = ship.log.get("moved")
    return {
        "side": ship.side,
        "hull_lost": of_parts(ship.count("hull_lost"), 2),
        "armament_lost": of_parts(ship.count("armament_lost"), 2),
        "speed": figure(speed(battle, ship)),
        "moved": None if moved is None else figure(exact(moved)),
        "criticals": list[object](criticals(ship)),
        "fires": len(ship.live("fires")),
        "torpedoes": ship.log.get("torpedoes"),
        "illuminated": bool(lit_by(battle, ship)),
        "lights": [mark.text for mark in ship.live("lights")],
        "smoke": [mark.text for mark in ship.live("smoke")],
        "status": ship.status,
        "marker": marker_of(ship) if ship.status == SINKING else None,
        "sunk": ship.status == SUNK,
    }


def changes_of_ship(before: Battle, after: Battle, old: Ship, new: Ship) -> list[str]:
    """What hands must change of a ship on the table: speed, lights, fires, smoke, markers, or take it off."""
    shone, shines = bool(lit_by(before, old)), bool(lit_by(after, new))
    light = [] if shone == shines else ["lit: mark it" if shines else "dark again"]
    # Another ship's searchlight lights this one, and changes nothing of her own.
    if old == new and before.turn == after.turn:
        return light
    found = []
    if new.status not in (old.status, SINKING):
        again = "afloat again: put it back, without marker"
        found.append(
            again
            if new.afloat
            else f"{new.status}: {_what_to_do(new)}"
            if new.status != SUNK
            else gone_words(new)
        )
    if new.status == SINKING and (old.status != SINKING or marker_of(old) != marker_of(new)):
        found.append(f"sinking marker {marker_of(new)}")
    was, now = speed(before, old), speed(after, new)
    if was != now and acts(after, new):
        found.append(f"speed {'back to ' if now > was else ''}{with_unit(after, now)}")
    if old.count("armament_lost") != new.count("armament_lost") and acts(after, new) and batteries(new):
        found.append(loss_words(after, new))
    found += light
    smoke = len(new.live("smoke")) - len(old.live("smoke"))
    if smoke:
        found.append("place smoke" if smoke > 0 else "remove its smoke")
    return found


def _what_to_do(ship: Ship) -> str:
    return "remove the model" if ship.gone else "mark it; it stays in the way"


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
        ("moved", _card_moved(battle, ship)),
        ("armament", (*box_spans(began, ship, ARMAMENT), Span(f"  {_left(battle, ship)}", "dim"))),
        *_guns(battle, began),
        ("torpedoes", _said(_card_torpedoes(ship))),
        ("ammunition", _said(_card_ammunition(ship))),
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


def _card_torpedoes(ship: Ship) -> str:
    if ship.log.get("torpedoes") is None:
        return "none"
    printed = decimal(exact(ship.card.get("torpedoes.count")))
    return f"{ship.count('torpedoes')} of {printed}, {ship.card.get('torpedoes.kind')}"


def _card_ammunition(ship: Ship) -> str:
    he = ship.log.get("ammo_he")
    held = "HE not kept" if he is None else f"{he} of them HE"
    return f"{ship.count('ammo')} of {AMMUNITION} boxes, {held}"


def _card_moved(battle: Battle, ship: Ship) -> tuple[Span, ...]:
    moved = movement(battle, ship)
    how = [word for word, so in (("straight", moved.straight), ("evasive", moved.evasive)) if so]
    if turns_made(ship):
        how.append(f"{turns_made(ship)} turns of 45°")
    words = ", ".join([with_unit(battle, moved.inches), *how])
    return (Span(words), Span("  assumed" if moved.assumed else "", "dim"))


def needed_cells(battle: Battle) -> NeededCells:
    """The odds up to the best of any shot, as AF falls with boxes; DF and barbettes of the ships there."""
    coming = (battle.reserve.get(id) for id in battle.plan.arriving if id not in battle.ships)
    ships = [ship for ship in (*battle.ships.values(), *coming) if ship is not None and not ship.gone]
    return {
        "gunnery": {("", column) for column in ODDS_COLUMNS[: _best(battle, ships) + 1]},
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
    return max((ODDS_COLUMNS.index(column) for column in found if column is not None), default=-1)


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
        (_sheet_torpedoes(began, ship), _sheet_ammunition(ship)),
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


def _sheet_torpedoes(began: Ship, ship: Ship) -> SheetPart:
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


def _sheet_ammunition(ship: Ship) -> SheetPart:
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
