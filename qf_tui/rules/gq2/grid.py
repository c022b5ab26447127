"""How a ship of General Quarters 2 looks: grid columns, values for scripts, words for the table."""

from collections.abc import Mapping

from qf_tui.core.measure import decimal, exact
from qf_tui.core.system import Column, Shape, Span, of_parts
from qf_tui.core.values import SUNK, Battle, Ship, gone_words
from qf_tui.rules.gq2 import charts
from qf_tui.rules.gq2.armament import armed, loss_words
from qf_tui.rules.gq2.damage import ARMAMENT, HULL, boxes, marker_of
from qf_tui.rules.gq2.lights import lights_on, lit_by
from qf_tui.rules.gq2.measures import figure, with_unit
from qf_tui.rules.gq2.movement import movement
from qf_tui.rules.gq2.ship import SINKING, acts, batteries, df, speed

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
