"""A ship of the Quickfire games: two batteries, eight speed boxes, and the values of her card and log."""

from collections.abc import Mapping
from enum import StrEnum
from fractions import Fraction

from attrs import evolve

from qf_tui.core.declarations import FieldKind, FieldSpec, Setup
from qf_tui.core.errors import Finding, refused
from qf_tui.core.grammar import kinds
from qf_tui.core.system import Field
from qf_tui.core.text import Scalar, to_fraction
from qf_tui.core.values import SUNK, Battle, Ship, Slot
from qf_tui.rules.quickfire_family.game import AGROUND, OUT_CLAUSE, SPEED_SCALE, USUAL, Game, ScaleTable

BOXES = 8
"""The number of speed boxes of every ship."""

SMALL_SIZE_MOST = Fraction(1)
"""The greatest size of a vessel that boat guns may attack or that may be safe from heavy fire."""

SHIP = Slot("ship", kinds.SHIP, "the ship", identifies=True)
"""The slot for the ship that carries an order out."""
FULL, HALVED, NO_ARC = "full", "halved", "none"
_ARC_WORDS = (HALVED, FULL, NO_ARC)
ENDS = ("bow", "stern")
EITHER_END = "end"
"""The word in an order for the bow or stern arc of a ship that fires alike in both."""
NOTHING_MOVED = {"moved": None, "distance": None, "went": None}
"""The movement in a log as the battle begins: boxes, last recorded distance, last turn's distance."""


class Battery(StrEnum):
    """One of the two batteries of a ship."""

    HEAVY = "heavy"
    LIGHT = "light"

    @property
    def other(self) -> "Battery":
        """The other battery."""
        return Battery.LIGHT if self is Battery.HEAVY else Battery.HEAVY


RATINGS = (FieldSpec("heavy", "int", "heavy"), FieldSpec("light", "int", "light"))
FIGURES = (FieldSpec("heavy", "number", "heavy"), FieldSpec("light", "number", "light"))

SIZE = FieldSpec("size", "number", "size", least=0.01, required=True)
_GUNNERY = FieldSpec("gunnery", "numbers", "gunnery, heavy and light", parts=RATINGS, required=True)
ARMOR = FieldSpec("armor", "numbers", "armor, heavy and light", parts=FIGURES, required=True, alias="armour")
ROF = FieldSpec("rof", "numbers", "ROF, heavy and light", parts=RATINGS, required=True)
PROTECTED = FieldSpec("protected", "bool", "+P", default=False)
REPAIR_POINTS = FieldSpec("repair", "int", "repair points", default=0)
SPEED = FieldSpec(
    "speed",
    "number",
    "speed with all boxes, in inches at the medium scale or at `speed_scale`",
    least=0,
    most=99,
    required=True,
)
BOAT_GUNS = FieldSpec("boat_guns", "has", "boat guns (BG)", default=0)
TORPEDO_BOAT = FieldSpec("torpedo_boat", "bool", "counts as a destroyer or torpedo boat", default=False)
END_ARC = FieldSpec(
    "end_arc", "word", "fire in the bow and stern arcs", words=("halved", "full"), default="halved"
)

ARCS = FieldSpec(
    "arcs",
    "table",
    "fire in each end arc by battery; left out: as end_arc says",
    parts=tuple(
        FieldSpec(
            end,
            "table",
            f"fire over the {end}",
            parts=tuple(
                FieldSpec(each.value, "word", f"{each.value} guns", words=_ARC_WORDS) for each in Battery
            ),
        )
        for end in ENDS
    ),
)

OPENING = "opening"
"""The key of a log for the speed that the scenario states for the start of the battle."""
AT_START = (
    FieldSpec(
        "speed",
        "number",
        "opening speed as on the card; assumed if turn 1 records no move, and limits no move",
        least=0,
        most=99,
    ),
)
"""The keys that a scenario may give for a ship at the start of the battle."""


def build_card_fields(
    table: ScaleTable, torpedo: FieldSpec, boat_guns: FieldSpec, *more: FieldSpec
) -> tuple[FieldSpec, ...]:
    """Return the keys of a card: those of all games, and those in which one game differs.

    Args:
        table: Scales for which a card may print its speed.
        torpedo: The game's key for torpedoes.
        boat_guns: The game's key for boat guns.
        more: Further keys of the game.
    """
    speed_scale = FieldSpec(
        SPEED_SCALE,
        "word",
        "the scale that speeds are printed for",
        words=tuple(dict.fromkeys(name for name, _ in table)),
        default=USUAL,
        of_fleet=True,
    )
    guns = (SIZE, _GUNNERY, ARMOR, ROF, torpedo, boat_guns)
    return (*guns, SPEED, speed_scale, PROTECTED, REPAIR_POINTS, *more, END_ARC, ARCS)


def read_opening(card: Mapping[str, Scalar], setup: Setup) -> Mapping[str, Scalar]:
    """Return a log's entry for the opening speed that the scenario states; empty if it states none.

    A speed above the printed one counts as the printed one.
    """
    speed = setup.at_start.get("speed")
    return {} if speed is None else {OPENING: min(speed, card["speed"], key=to_fraction)}


def mark_unused(*cards: FieldSpec) -> tuple[FieldSpec, ...]:
    """Return keys of other games that a fleet file may hold, labelled as having no effect in this game."""
    return tuple(evolve(card, label=f"{card.label}, not used here") for card in cards)


def build_card_field(
    name: str,
    title: str,
    clause: str,
    kind: FieldKind = "count",
    *,
    words: tuple[str, ...] = (),
    empty: bool = False,
) -> Field:
    """Build a field of the card, which the umpire may set by hand.

    Args:
        words: Words that the value may be; () for any value of the kind.
        empty: True if the card may leave the value out.
    """
    return Field(name, title, kind, words=words, card=True, empty=empty, clause=clause)


def build_printed_fields(clause: str) -> tuple[Field, ...]:
    """Return the fields that start the card of every game: name, kind, size, gunnery, armor and ROF."""
    return (
        build_card_field("name", "name", clause, "words"),
        build_card_field("kind", "kind", clause, "words"),
        build_card_field("size", "size", clause, "number"),
        build_card_field("gunnery.heavy", "heavy gunnery", clause),
        build_card_field("gunnery.light", "light gunnery", clause),
        build_card_field("armor.heavy", "heavy armor", clause, "number"),
        build_card_field("armor.light", "light armor", clause, "number"),
        build_card_field("rof.heavy", "printed heavy ROF", clause),
        build_card_field("rof.light", "printed light ROF", clause),
    )


def read_gunnery(ship: Ship, battery: Battery) -> Fraction:
    """Return the printed gunnery rating of a battery; 0 if the ship has no such battery."""
    return to_fraction(ship.card.get(f"gunnery.{battery}"))


def read_armor(ship: Ship, battery: Battery) -> Fraction:
    """Return a ship's armor rating against fire of this battery."""
    return to_fraction(ship.card.get(f"armor.{battery}"))


def read_printed_rof(ship: Ship, battery: Battery) -> int:
    """Return the ROF that a ship's card prints for a battery."""
    return int(to_fraction(ship.card.get(f"rof.{battery.value}")))


def read_size(ship: Ship) -> Fraction:
    """Return the size on a ship's card."""
    return to_fraction(ship.card.get("size"))


def count_marked_boxes(ship: Ship) -> int:
    """Count the marked speed boxes, those of S and SX together; at most eight."""
    return min(BOXES, ship.count("speed_hits") + min(BOXES, ship.count("speed_lost")))


def is_light_craft(ship: Ship) -> bool:
    """Return whether boat guns may fire at a ship: size 1 or less, and both armor ratings below 1."""
    return read_size(ship) <= SMALL_SIZE_MOST and all(read_armor(ship, battery) < 1 for battery in Battery)


def refuse_out_of_play(game: Game, ship: Ship, text: str = "takes no orders") -> tuple[Finding, ...]:
    """Refuse an order because a ship is sunk, struck or withdrawn; a ship aground is still in play.

    Args:
        text: What the ship cannot do, to end the refusal.

    Rule: AQF-PH-8.
    """
    if ship.afloat or ship.status == AGROUND:
        return ()
    clause = game.clauses.sunk if ship.status == SUNK else OUT_CLAUSE
    return (refused(f"{ship.name} is {ship.status} and {text}", clause),)


def find_ship_at_start(battle: Battle, id: str) -> Ship:
    """Return a ship as the phase began: in that state she acts. A ship that came later is returned as is."""
    return battle.start.ships.get(id, battle.ships[id])


def build_arc_fields(clause: str) -> tuple[Field, ...]:
    """Return the fields of the card for fire over bow and stern."""
    return (
        build_card_field("end_arc", "fire in the end arcs", clause, "words", words=(HALVED, FULL)),
        *(
            build_card_field(
                _format_arc_key(end, each),
                f"{each.value} fire over the {end}",
                clause,
                "words",
                words=_ARC_WORDS,
            )
            for end in ENDS
            for each in Battery
        ),
    )


def _format_arc_key(end: str, battery: Battery) -> str:
    """Return the key of a card for fire of a battery over `bow` or `stern`."""
    return f"arcs.{end}.{battery.value}"


def find_arc(ship: Ship, end: str, battery: Battery) -> str:
    """Return how a battery fires over `bow` or `stern`: `full`, `halved` or `none`.

    The value for the battery comes first, then the ship's `end_arc`, then `halved`.
    """
    printed = ship.card.get(_format_arc_key(end, battery)) or ship.card.get("end_arc")
    return printed if isinstance(printed, str) else HALVED
