"""A ship of General Quarters 2: what its data sheet prints, what its log counts, what follows (GQ2-LOG)."""

from collections.abc import Mapping
from fractions import Fraction

from attrs import frozen

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.grammar.names import listed_names
from qf_tui.core.system import CardField, Setup
from qf_tui.core.text import Scalar, decimal, exact
from qf_tui.core.values import Battle, Ship
from qf_tui.rules.gq2.clauses import option

BOXES = 5
"""Hull boxes of every ship."""

AMMUNITION = 18
BATTERIES_MOST = 8
POINTS = 4
"""Points of the compass in a turn of 45°."""

STEAM_LINE = 3
"""Inches that a steam line takes off the next turn's speed."""

ABANDONED, SINKING, AGROUND = "abandoned", "sinking", "aground"
GIVEN_UP = (ABANDONED, SINKING)
"""What becomes of a ship that can neither fire nor move (GQ2-SNK-2)."""

STATUSES = ("afloat", ABANDONED, SINKING, "withdrawn", "struck", AGROUND, "sunk")
MOVEMENT = "movement"
STEAMING, STANDBY, SHUT_DOWN = "steaming", "standby", "shut-down"
FORMATIONS = ("astern", "abreast", "quarter")

DESTROYERS = ("DD", "TBD")
TORPEDO_BOATS = ("TB", "MTB", "PT")
CAPITAL = ("B", "BB", "BC")
READ_AS = {"PB": "B", "PREDREADNOUGHT": "B", "PRE-DREADNOUGHT": "B"}
"""Class codes that are read as another (GQ2-LOG-3)."""

UNARMED = ("MERCHANT", "M", "MV", "AM", "SUBMARINE", "SS", "SM", "U")
"""Class codes of merchants and submarines, whose crews take to the boats (GQ2-CRI-9)."""

_BATTERY = (
    CardField("name", "text", "what orders call it", required=True),
    CardField("calibre", "number", "calibre in inches", least=0.1, most=24, required=True),
    CardField("af", "series", "attack factor; or a list: with all armament boxes left first", required=True),
    CardField("arcs", "text", "the arcs that it bears in"),
    CardField("he", "bool", "holds the ship's HE; if no battery does, any may", default=False),
)

CARD = (
    CardField("df", "number", "defence factor", least=0.25, required=True),
    CardField("class", "text", "class code: B, CA, DD, TBD, TB, merchant, submarine ...", required=True),
    CardField("nation", "text", "the navy", required=True),
    CardField("flash_protection", "bool", "flash protection", default=False),
    CardField(
        "hull",
        "numbers",
        "speed in each hull box, flank first",
        parts=tuple(CardField(str(box), "number", f"box {box}", most=99) for box in range(1, BOXES + 1)),
        required=True,
    ),
    CardField("armament", "int", "armament boxes", required=True),
    CardField("battery", "tables", "the batteries", parts=_BATTERY, most=BATTERIES_MOST),
    CardField(
        "torpedoes",
        "table",
        "torpedoes; left out: none",
        parts=(
            CardField("kind", "word", "which stick", words=("standard", "light"), required=True),
            CardField("count", "int", "how many", required=True),
        ),
    ),
    CardField("he", "int", "ammunition boxes that hold HE; left out: not kept", most=AMMUNITION),
    CardField("at_anchor", "bool", "at anchor as the battle begins, on standby", default=False),
)

AT_START = (CardField("at_anchor", "bool", "at anchor, on standby, whatever her card says"),)
"""What a scenario may say of a ship as the battle begins."""


def af_boxes(at: int) -> str:
    """The field of a log for how many armament boxes an AF holds that the umpire set (GQ2-LOG-2)."""
    return f"af_boxes.{at}"


def boxes_left(ship: Ship) -> int:
    """Armament boxes that are not wholly lost: half a box serves its guns (GQ2-LOG-2)."""
    return max(0, ship.card_count("armament") - ship.count("armament_lost") // 2)


def muster(card: Mapping[str, Scalar], setup: Setup) -> Mapping[str, Scalar]:
    """A ship's log as the battle begins (GQ2-LOG-1)."""
    anchored = card.get("at_anchor") is True or setup.at_start.get("at_anchor") is True
    return {
        "hull_lost": 0,
        "armament_lost": 0,
        "boiler": 0,
        "torpedoes": card.get("torpedoes.count"),
        "ammo": AMMUNITION,
        "ammo_he": card.get("he"),
        "moved": None,
        "straight": None,
        "evasive": False,
        "turned": 0,
        "made": None,
        "told": None,
        "went": None,
        "lit": False,
        "flank_turns": 0,
        "rest": 0,
        "state": STANDBY if anchored else STEAMING,
        "wait": 0,
        "allowed": None,
        "marker": None,
    }


@frozen
class Battery:
    """One battery of a ship: what orders call it, its calibre in inches, its AF; `full`: with all boxes."""

    name: str
    calibre: Fraction
    af: Fraction
    full: Fraction | None = None

    @property
    def af_words(self) -> str:
        """Its AF, and what it would be with all boxes where that is another."""
        more = "" if self.full in (None, self.af) else f" of {decimal(self.full or self.af)}"
        return f"AF {decimal(self.af)}{more}"


def batteries(ship: Ship) -> tuple[Battery, ...]:
    """The batteries on a ship's sheet, in order."""
    return tuple(
        Battery(name, exact(ship.card.get(f"battery.{at}.calibre")), exact(ship.card.get(f"battery.{at}.af")))
        for at, name in enumerate(listed_names(ship, "battery"), 1)
    )


def df(ship: Ship) -> Fraction:
    """The DF on a ship's card."""
    return exact(ship.card.get("df"))


def code(ship: Ship) -> str:
    """The class code in capitals (GQ2-LOG-3)."""
    written = str(ship.card.get("class", "")).strip().upper()
    return READ_AS.get(written, written)


def hull_speed(ship: Ship, box: int) -> Fraction:
    """The speed printed in a hull box, 1 the leftmost; 0 past the last."""
    return exact(ship.card.get(f"hull.{box}")) if box <= BOXES else Fraction(0)


def box_in_force(ship: Ship) -> int:
    """The hull box that damage leaves a ship: the leftmost not all lost, or the boiler room's (GQ2-CRI-B)."""
    return max(min(ship.count("hull_lost") // 2, BOXES) + 1, ship.count("boiler"))


def crippled(ship: Ship) -> bool:
    """Whether a ship has a damaged rudder, or a hull that leaves it no speed (GQ2-CRI-2, GQ2-LOG-2)."""
    return bool(ship.live("rudder")) or not hull_speed(ship, box_in_force(ship))


def acts(battle: Battle, ship: Ship) -> bool:
    """Whether a ship takes orders: afloat, by switches aground too, or sinking (GQ2-SNK-2, GQ2-SNK-3)."""
    if ship.status == AGROUND:
        return option(battle, "aground") == "fights"
    return ship.afloat or (ship.status == SINKING and option(battle, "sinking_ships") == "act")


def sails(battle: Battle, ship: Ship) -> bool:
    """Whether a ship takes orders and is not aground (GQ2-SNK-3)."""
    return ship.status != AGROUND and acts(battle, ship)


def speed(battle: Battle, ship: Ship) -> Fraction:
    """Inches that a ship can make this turn (GQ2-LOG-2, GQ2-CRI-B, GQ2-MV-4, GQ2-MV-5)."""
    if not sails(battle, ship) or ship.log.get("state") != STEAMING:
        return Fraction(0)
    boxes = [box_in_force(ship)]
    if ship.count("rest"):
        boxes.append(BOXES // 2 + 1)
    if ship.log.get("allowed") is not None:
        boxes.append(BOXES + 1 - ship.count("allowed"))
    return after_steam(battle, ship, min(hull_speed(ship, box) for box in boxes))


def after_steam(battle: Battle, ship: Ship, most: Fraction) -> Fraction:
    """What steam lines leave of a speed: 3 inches less each than last turn's, or by the switch than its own.

    GQ2-CRI-5, GQ2-CRI-C.
    """
    lines = len(binding(battle, ship, "steam"))
    # When movement is over, `went` is what was made in this turn.
    came = ship.log.get("went" if battle.phase == MOVEMENT else "told")
    made = most if option(battle, "steam_line") == "box" or came is None else exact(came)
    return max(Fraction(0), min(most, made - STEAM_LINE * lines)) if lines else most


def binding(battle: Battle, ship: Ship, kind: str) -> tuple[object, ...]:
    """The hits of a kind that bind this very turn: those of the turn before (GQ2-CRI-B)."""
    return tuple(mark for mark in ship.live(kind) if mark.until == battle.turn)


def turns_made(ship: Ship) -> int:
    """Turns of 45° that a ship has made this turn, if its move is recorded."""
    return 0 if ship.log.get("moved") is None else ship.count("turned")


def record_manner(
    builder: DecisionBuilder, ship: Ship, *, crooked: bool = False, evasive: bool = False, turns: int = 0
) -> None:
    """How a ship made the move that is recorded for this turn: nothing of the turn before holds on.

    Its turns say whether it was straight (GQ2-TOR-9); `crooked`: by less than a turn it was not.
    """
    straight = False if crooked else None
    for field, value in (("straight", straight), ("evasive", evasive), ("turned", turns)):
        if ship.log.get(field) != value:
            builder.record(ship.id, field, value)
