"""A ship of Advanced Quickfire: what its card gives, what its log counts, and what follows from both (AQF-LOG)."""

from collections.abc import Mapping
from enum import StrEnum
from fractions import Fraction

from qf_tui.core.measure import Scalar, exact
from qf_tui.core.system import CardField, Field, Setup
from qf_tui.core.values import Battle, Ship
from qf_tui.rules.advanced_quickfire.scales import scaled_speed

BOXES = 8
"""Speed boxes of every ship."""

SMALL = Fraction(1)
"""The greatest size that boat guns may fire at and heavy fire may be barred at (AQF-BG-1, AQF-GUN-13)."""

COURSES = ("90 left", "45 left", "45 right", "90 right")
STATUSES = ("afloat", "withdrawn", "struck", "aground", "sunk")


class Battery(StrEnum):
    """The two batteries of a ship."""

    HEAVY = "heavy"
    LIGHT = "light"

    @property
    def rof(self) -> str:
        """The field of the log that holds its ROF."""
        return f"rof_{self.value}"

    @property
    def other(self) -> "Battery":
        return Battery.LIGHT if self is Battery.HEAVY else Battery.HEAVY


_PAIR = (CardField("heavy", "int", "heavy"), CardField("light", "int", "light"))
_ARMOR = (CardField("heavy", "number", "heavy"), CardField("light", "number", "light"))

CARD = (
    CardField("size", "number", "size", least=0.01, required=True),
    CardField("gunnery", "numbers", "gunnery, heavy and light", parts=_PAIR, required=True),
    CardField("armor", "numbers", "armor, heavy and light", parts=_ARMOR, required=True, alias="armour"),
    CardField("rof", "numbers", "ROF, heavy and light", parts=_PAIR, required=True),
    CardField(
        "torpedo",
        "table",
        "torpedoes; left out: never had any",
        parts=(
            CardField("size", "int", "size in inches", least=14, most=21, required=True),
            CardField("reload", "int", "reload rating", most=99, required=True),
        ),
    ),
    CardField("boat_guns", "int", "boat gun points", most=99, default=0),
    CardField(
        "speed", "number", "speed with all boxes, inches at the medium scale", least=0, most=99, required=True
    ),
    CardField("protected", "bool", "+P", default=False),
    CardField("repair", "int", "repair points", most=99, default=0),
    CardField("torpedo_boat", "bool", "counts as a destroyer or torpedo boat (AQF-TOR-5)", default=False),
    CardField("end_arc", "word", "ROF in the bow and stern arcs", words=("halved", "full"), default="halved"),
)


def _count(name: str, title: str, clause: str, *, most: int = 999, empty: bool = False) -> Field:
    return Field(name, title, most=most, clause=clause, empty=empty)


def _card(
    name: str, title: str, kind: str = "count", *, words: tuple[str, ...] = (), empty: bool = False
) -> Field:
    return Field(name, title, kind, words=words, card=True, empty=empty, clause="AQF-LOG-1")


FIELDS = (
    _count("rof_heavy", "heavy ROF", "AQF-GUN-12"),
    _count("rof_light", "light ROF", "AQF-GUN-12"),
    _count("boat_guns", "boat guns", "AQF-DAM-1"),
    _count("torpedo_reload", "torpedo reload", "AQF-DAM-6", most=99, empty=True),
    _count("repair_points", "repair points", "AQF-DAM-5"),
    _count("speed_hits", "live S", "AQF-LOG-3", most=BOXES),
    _count("speed_lost", "SX", "AQF-LOG-3"),
    Field("fires", "fires", "marks", most=99, clause="AQF-DAM-4"),
    Field("course", "direction hits", "texts", words=COURSES, clause="AQF-DAM-2"),
    _count("moved", "boxes moved", "AQF-MV-1", most=BOXES, empty=True),
    Field("status", "status", "status", words=STATUSES, clause="AQF-SNK-2"),
    _card("name", "name", "words"),
    _card("kind", "kind", "words"),
    _card("size", "size", "number"),
    _card("gunnery.heavy", "heavy gunnery"),
    _card("gunnery.light", "light gunnery"),
    _card("armor.heavy", "heavy armor", "number"),
    _card("armor.light", "light armor", "number"),
    _card("rof.heavy", "printed heavy ROF"),
    _card("rof.light", "printed light ROF"),
    _card("torpedo.size", "torpedo size", empty=True),
    _card("torpedo.reload", "printed reload", empty=True),
    _card("speed", "printed speed", "number"),
    _card("protected", "+P", "bool"),
    _card("repair", "printed repair points"),
    _card("torpedo_boat", "torpedo boat", "bool"),
    _card("end_arc", "end arc", "words", words=("halved", "full")),
    _card("notes", "notes", "words"),
)


def muster(card: Mapping[str, Scalar], setup: Setup) -> Mapping[str, Scalar]:
    """A ship's log as the battle begins (AQF-LOG-1)."""
    return {
        "rof_heavy": card["rof.heavy"],
        "rof_light": card["rof.light"],
        "boat_guns": card["boat_guns"],
        "torpedo_reload": card.get("torpedo.reload"),
        "repair_points": card["repair"],
        "speed_hits": 0,
        "speed_lost": 0,
        "moved": None,
        "distance": None,
        "went": None,
    }


def gunnery(ship: Ship, battery: Battery) -> Fraction:
    """The printed gunnery rating of a battery; 0: it does not exist (AQF-GUN-10)."""
    return exact(ship.card.get(f"gunnery.{battery.value}"))


def armor(ship: Ship, battery: Battery) -> Fraction:
    """The printed armor rating against that kind of fire."""
    return exact(ship.card.get(f"armor.{battery.value}"))


def printed_rof(ship: Ship, battery: Battery) -> int:
    """The ROF of a battery before any damage."""
    return int(exact(ship.card.get(f"rof.{battery.value}")))


def live_rof(ship: Ship, battery: Battery) -> int:
    """The ROF that a battery has now; none where the battery does not exist (AQF-GUN-10)."""
    return ship.count(battery.rof) if gunnery(ship, battery) else 0


def size(ship: Ship) -> Fraction:
    return exact(ship.card.get("size"))


def printed_speed(battle: Battle, ship: Ship) -> Fraction:
    """The speed of all eight boxes, in the battle's unit."""
    return scaled_speed(battle, ship.card.get("speed"))


def speed_of_boxes(battle: Battle, ship: Ship, boxes: int) -> Fraction:
    """The distance of so many boxes, eighths of the printed speed."""
    return scaled_speed(battle, ship.card.get("speed"), boxes)


def marked_boxes(ship: Ship) -> int:
    """Speed boxes that are marked, S and SX together; never more than eight (AQF-LOG-3)."""
    return min(BOXES, ship.count("speed_hits") + min(BOXES, ship.count("speed_lost")))


def available_speed(battle: Battle, ship: Ship) -> Fraction:
    """The greatest distance that a ship can make now, in the battle's unit (AQF-LOG-2)."""
    return speed_of_boxes(battle, ship, BOXES - marked_boxes(ship))


def had_torpedoes(ship: Ship) -> bool:
    """Whether a ship ever carried torpedoes (AQF-DAM-6)."""
    return ship.card.get("torpedo.reload") is not None


def is_torpedo_craft(ship: Ship) -> bool:
    """Whether a ship launches as a destroyer or torpedo boat (AQF-TOR-5)."""
    return ship.card.get("kind") in ("destroyer", "torpedo-boat") or ship.card.get("torpedo_boat") is True


def is_light_craft(ship: Ship) -> bool:
    """Whether boat guns may fire at a vessel: size 1 or smaller and both armor ratings below 1 (AQF-BG-1)."""
    return size(ship) <= SMALL and all(armor(ship, battery) < 1 for battery in Battery)
