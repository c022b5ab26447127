"""A ship in General Quarters 2: her data sheet, her log, and the values computed from both.

Other modules decide what changes the log; here are only the helpers that write a field of it.

Rule: GQ2-LOG.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction

from attrs import evolve, frozen

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.declarations import Field, FieldKind, FieldSpec, Setup
from qf_tui.core.grammar.names import list_card_names
from qf_tui.core.text import Scalar, format_decimal, format_possessive, to_fraction
from qf_tui.core.values import Battle, Mark, Ship
from qf_tui.rules.gq2.clauses import read_option

BOXES = 5
"""Number of hull boxes of every ship."""

AMMUNITION = 18
"""Number of ammunition boxes of every ship."""
BATTERIES_MOST = 8
POINTS_A_TURN = 4
"""Points of the compass in a turn of 45°."""

INCH_A_KNOT = Fraction(1, 2)
"""Inches of speed on a sheet for each knot."""
STEAM_LINE_LOSS = 3
"""Inches that a steam line hit takes off the next turn's speed."""

ABANDONED, SINKING, AGROUND = "abandoned", "sinking", "aground"
GIVEN_UP = (ABANDONED, SINKING)
"""Statuses of ships that can neither fire nor move (GQ2-SNK-2)."""

STATUSES = ("afloat", ABANDONED, SINKING, "withdrawn", "struck", AGROUND, "sunk")
MOVEMENT, SEARCHLIGHTS, GUNNERY = "movement", "searchlights", "gunnery"
TORPEDO_PHASE, REPAIR = "torpedo", "repair"
FIRING_PHASES = (GUNNERY, TORPEDO_PHASE)
"""Phases whose hits take effect at their end."""
HULL, ARMAMENT = "hull", "armament"
STEAMING, STANDBY, SHUT_DOWN = "steaming", "standby", "shut-down"
FORMATIONS = ("astern", "abreast", "quarter")

DESTROYERS = ("DD", "TBD")
TORPEDO_BOATS = ("TB", "MTB", "PT")
CAPITAL = ("B", "BB", "BC")
CODE_READ_AS = {"PB": "B", "PREDREADNOUGHT": "B", "PRE-DREADNOUGHT": "B"}
"""Class codes that are read as another (GQ2-LOG-3)."""

MERCHANTS_AND_SUBMARINES = ("MERCHANT", "M", "MV", "SUBMARINE", "SS", "SM", "U")
"""Class codes of merchants and submarines, whose crews take to the boats (GQ2-CRI-9)."""

DOUBLY_DAMAGED = ("B", "CA")
"""Class codes that take double damage of torpedoes and mines (GQ2-TOR-3)."""

SEARCHING = "searching"
"""Log field: a searchlight is on but has found no ship, so that it lights only its own ship."""

GUNNERS, GUNNERS_MOST = "gunnery", 3
"""Card key of what the gunners take off the white die (better ones more), and its greatest value."""

_BATTERY = (
    FieldSpec("name", "text", "what orders call it", required=True),
    FieldSpec("calibre", "number", "calibre in inches", least=0.1, most=24, required=True),
    FieldSpec(
        "af", "series", "attack factor; or a list, the one for all armament boxes first", required=True
    ),
    FieldSpec("arcs", "text", "its arcs of fire"),
    FieldSpec("he", "bool", "holds the ship's HE; if no battery does, any may", default=False),
)

CARD = (
    FieldSpec("df", "number", "defence factor", least=0.25, required=True),
    FieldSpec("class", "text", "class code: B, CA, DD, TBD, TB, merchant, submarine ...", required=True),
    FieldSpec("nation", "text", "the navy", required=True),
    FieldSpec("flash_protection", "bool", "flash protection", default=False),
    FieldSpec(
        "hull",
        "numbers",
        "speed in each hull box, flank first",
        parts=tuple(FieldSpec(str(box), "number", f"box {box}", most=99) for box in range(1, BOXES + 1)),
        required=True,
    ),
    FieldSpec("armament", "int", "armament boxes", required=True),
    FieldSpec(
        GUNNERS, "int", "what her gunners take off the white die", least=-GUNNERS_MOST, most=GUNNERS_MOST
    ),
    FieldSpec("battery", "tables", "the batteries", parts=_BATTERY, most=BATTERIES_MOST),
    FieldSpec(
        "torpedoes",
        "table",
        "torpedoes; left out: none",
        parts=(
            FieldSpec("kind", "word", "which stick", words=("standard", "light"), required=True),
            FieldSpec("count", "int", "how many", required=True),
        ),
    ),
    FieldSpec("he", "int", "ammunition boxes that hold HE; left out: not counted", most=AMMUNITION),
    FieldSpec("at_anchor", "bool", "at anchor as the battle begins, on standby", default=False),
)

AT_START = (FieldSpec("at_anchor", "bool", "at anchor, on standby, whatever her card says"),)
"""Values that a scenario may set for a ship at the start of the battle."""


def format_quarters(amount: Fraction) -> str:
    """Format a number of quarters with ¼, ½ or ¾, like 1½; any other number as a decimal."""
    quarters = amount * 4
    if quarters.denominator != 1:
        return format_decimal(amount)
    whole, rest = divmod(int(quarters), 4)
    return f"{whole or ''}{('', '¼', '½', '¾')[rest]}" or "0"


def format_halves(count: int) -> str:
    """Format a count of half boxes as boxes: 3 is 1½."""
    return format_quarters(Fraction(count, 2))


def count_boxes(ship: Ship, what: str) -> int:
    """Return the number of boxes on a ship's sheet.

    Args:
        what: HULL or ARMAMENT.
    """
    return BOXES if what == HULL else ship.count_on_card("armament")


def count_halves_left(ship: Ship, what: str) -> int:
    """Return the half boxes that are left.

    Args:
        what: HULL or ARMAMENT.
    """
    return max(0, 2 * count_boxes(ship, what) - ship.count(f"{what}_lost"))


def count_armament_boxes_left(ship: Ship) -> int:
    """Return the armament boxes that are not wholly lost; half a box still serves its guns.

    Rule: GQ2-LOG-2.
    """
    return (count_halves_left(ship, ARMAMENT) + 1) // 2


def find_ship_at_start(battle: Battle, ship: Ship) -> Ship:
    """Return a ship in her state when the phase began, or her present state if she joined later.

    Rule: GQ2-PH-4.
    """
    return battle.start.ships.get(ship.id, ship)


def set_field(builder: DecisionBuilder, ship: Ship, field: str, value: Scalar) -> None:
    """Record a field of a log, unless it already has the value."""
    if ship.log.get(field) != value:
        builder.record(ship.id, field, value)


def set_count(builder: DecisionBuilder, ship: Ship, field: str, value: int) -> None:
    """Change a counted field of a log to a number, unless it already has it."""
    if ship.count(field) != value:
        builder.add(ship.id, field, value - ship.count(field))


def format_af_field(number: int) -> str:
    """Return the name of the log field for the armament boxes left when the umpire set a battery's AF.

    Args:
        number: Number of the battery on the sheet.

    Rule: GQ2-LOG-2.
    """
    return f"af_boxes.{number}"


def list_card_faults(card: Mapping[str, Scalar]) -> Iterable[tuple[str, str]]:
    """Yield a fault for each battery whose list of AF does not have one value for each armament box.

    A battery with a single AF instead of a list has no fault.

    Returns:
        Pairs of the card key and the fault.

    Rule: GQ2-LOG-2.
    """
    boxes = card["armament"]
    # A card keeps the number of its batteries under "battery".
    for number in range(1, int(str(card["battery"])) + 1):
        value_count = sum(name.startswith(f"battery.{number}.af.") for name in card)
        if value_count and value_count != boxes:
            yield (
                f"battery.{number}.af",
                f"expected one AF for each of {boxes} armament boxes, found {value_count}",
            )


def muster(card: Mapping[str, Scalar], setup: Setup) -> Mapping[str, Scalar]:
    """Build the log with which a ship begins the battle.

    Rule: GQ2-LOG-1.
    """
    anchored = card.get("at_anchor") is True or setup.at_start.get("at_anchor") is True
    return {
        "hull_lost": 0,
        "armament_lost": 0,
        "boiler": 0,
        "torpedoes": card.get("torpedoes.count"),
        "ammo": AMMUNITION,
        "ammo_he": card.get("he"),
        # moved: inches recorded this turn; made: the speed, if a hit rudder makes it differ from moved;
        # told: last turn's speed as recorded; went: last speed, recorded or assumed.
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
    """A battery of a ship.

    Attributes:
        name: Name in orders.
        calibre: Caliber in inches.
        af: Attack factor.
        arcs: Arcs of fire, or "".
        he: True if the ship's HE is for this battery.
        full: Attack factor with all armament boxes, or None if it is the same.
    """

    name: str
    calibre: Fraction
    af: Fraction
    arcs: str = ""
    he: bool = False
    full: Fraction | None = None

    @property
    def af_words(self) -> str:
        """The attack factor as text, followed by the one for all armament boxes if it differs."""
        full_text = "" if self.full is None or self.full == self.af else f" of {format_decimal(self.full)}"
        return f"AF {format_decimal(self.af)}{full_text}"


def list_batteries(ship: Ship) -> tuple[Battery, ...]:
    """List the batteries on a ship's sheet, with their printed AF."""
    card = ship.card
    printed = []
    for number, name in enumerate(list_card_names(ship, "battery"), 1):
        arcs = str(card.get(f"battery.{number}.arcs") or "")
        he = card.get(f"battery.{number}.he") is True
        calibre = to_fraction(card.get(f"battery.{number}.calibre"))
        af = to_fraction(card.get(f"battery.{number}.af"))
        printed.append(Battery(name, calibre, af, arcs=arcs, he=he))
    return tuple(printed)


def is_af_by_hand(battle: Battle) -> bool:
    """Return whether the umpire sets AF by hand, by a switch."""
    return read_option(battle, "armament_af") == "by-hand"


def list_batteries_with_current_af(battle: Battle, ship: Ship) -> tuple[Battery, ...]:
    """List all batteries of a ship, each with the AF that her armament boxes leave, also 0.

    If the umpire sets AF by hand, losses of boxes change nothing.

    Rule: GQ2-LOG-2.
    """
    printed = list_batteries(ship)
    if is_af_by_hand(battle):
        return printed
    return tuple(
        evolve(guns, af=_compute_af_left(ship, guns, number), full=guns.af)
        for number, guns in enumerate(printed, 1)
    )


def _compute_af_left(ship: Ship, guns: Battery, number: int) -> Fraction:
    """Return the attack factor of a battery for the armament boxes left.

    If the sheet lists an AF for each number of boxes, that value counts. Otherwise the AF falls in
    proportion, to the nearest half; it is at least a half while a box is left. An AF set by the umpire falls
    from the boxes left when he set it, whatever the sheet lists.
    """
    boxes = ship.count_on_card("armament")
    boxes_left = count_armament_boxes_left(ship)
    boxes_when_set = ship.log.get(format_af_field(number))
    full_boxes = boxes_when_set if isinstance(boxes_when_set, int) else boxes
    if not full_boxes or boxes_left == full_boxes:
        return guns.af
    if not boxes_left or not guns.af:
        return Fraction(0)
    # The list begins with the AF for all boxes.
    listed = ship.card.get(f"battery.{number}.af.{boxes - boxes_left + 1}")
    if listed is not None and boxes_when_set is None:
        return to_fraction(listed)
    # Adding a half before `//` rounds to the nearest whole number of halves.
    halves = (2 * guns.af * boxes_left / full_boxes + Fraction(1, 2)) // 1
    return max(Fraction(1, 2), Fraction(halves, 2))


def format_losses(battle: Battle, ship: Ship) -> str:
    """Format the armament boxes left, with the AF left or a reminder to set it by hand."""
    halves = format_halves(count_halves_left(ship, ARMAMENT))
    left = f"{halves} of {ship.count_on_card('armament')} armament boxes"
    af = ", ".join(
        f"{guns.name} {format_decimal(guns.af)}" for guns in list_batteries_with_current_af(battle, ship)
    )
    return f"{left} are left, {'set its AF by hand' if is_af_by_hand(battle) else f'AF {af}'}"


def read_df(ship: Ship) -> Fraction:
    """Return the DF on a ship's card."""
    return to_fraction(ship.card.get("df"))


def read_class_code(ship: Ship) -> str:
    """Return a ship's class code in capitals.

    Rule: GQ2-LOG-3.
    """
    code = str(ship.card.get("class", "")).strip().upper()
    return CODE_READ_AS.get(code, code)


def read_hull_speed(ship: Ship, box: int) -> Fraction:
    """Return the speed printed in a hull box, or 0 after the last box.

    Args:
        box: Number of the box, 1 for the leftmost.
    """
    return to_fraction(ship.card.get(f"hull.{box}")) if box <= BOXES else Fraction(0)


def find_box_in_force(ship: Ship) -> int:
    """Return the hull box that gives the speed: the leftmost box not wholly lost.

    Boiler room hits may set a box further right. BOXES + 1 means no speed.

    Rule: GQ2-CRI-B.
    """
    return max(min(ship.count("hull_lost") // 2, BOXES) + 1, ship.count("boiler"))


def is_crippled(ship: Ship) -> bool:
    """Return whether a ship's rudder is hit, or the hull box that gives her speed gives none.

    Rule: GQ2-CRI-2, GQ2-LOG-2.
    """
    return bool(ship.live("rudder")) or not read_hull_speed(ship, find_box_in_force(ship))


def can_act(battle: Battle, ship: Ship) -> bool:
    """Return whether a ship takes orders.

    A ship afloat does. For ships aground and for sinking ships a switch decides.

    Rule: GQ2-SNK-2, GQ2-SNK-3.
    """
    if ship.status == AGROUND:
        return read_option(battle, "aground") == "fights"
    return ship.afloat or (ship.status == SINKING and read_option(battle, "sinking_ships") == "act")


def can_sail(battle: Battle, ship: Ship) -> bool:
    """Return whether a ship takes orders and is not aground.

    Rule: GQ2-SNK-3.
    """
    return ship.status != AGROUND and can_act(battle, ship)


def compute_speed(battle: Battle, ship: Ship) -> Fraction:
    """Return the most inches that a ship can make in this turn; 0 unless she can sail and is steaming.

    Rule: GQ2-LOG-2, GQ2-CRI-B, GQ2-MV-4, GQ2-MV-5.
    """
    if not can_sail(battle, ship) or ship.log.get("state") != STEAMING:
        return Fraction(0)
    return subtract_steam_lines(
        battle, ship, min(read_hull_speed(ship, box) for box, _ in list_limiting_boxes(ship))
    )


def list_limiting_boxes(ship: Ship) -> list[tuple[int, str]]:
    """List the hull boxes that limit a ship's speed, each with its clause.

    The limits are damage, resting stokers, and boxes not yet allowed while she raises steam.
    """
    box_in_force = find_box_in_force(ship)
    clause = "GQ2-CRI-6" if ship.count("boiler") == box_in_force else "GQ2-LOG-2"
    limits = [(box_in_force, clause)]
    if ship.count("rest"):
        # Resting stokers allow the speed of the middle box.
        limits.append((BOXES // 2 + 1, "GQ2-MV-4"))
    if ship.log.get("allowed") is not None:
        # Boxes of speed are allowed from the right.
        limits.append((BOXES + 1 - ship.count("allowed"), "GQ2-MV-5"))
    return limits


def subtract_steam_lines(battle: Battle, ship: Ship, most: Fraction) -> Fraction:
    """Return the speed left after the steam line hits of last turn; each hit takes 3 inches.

    The hits count from the speed made last turn; without a record, or by the switch steam_line, from `most`.

    Args:
        most: Speed without these hits, which the result never exceeds.

    Rule: GQ2-CRI-5, GQ2-CRI-C.
    """
    hits = len(list_binding_hits(battle, ship, "steam"))
    if not hits:
        return most
    last_speed = find_last_speed(battle, ship)
    start_speed = most if read_option(battle, "steam_line") == "box" or last_speed is None else last_speed
    return max(Fraction(0), min(most, start_speed - STEAM_LINE_LOSS * hits))


def find_last_speed(battle: Battle, ship: Ship) -> Fraction | None:
    """Return the speed that a ship made last turn, in inches; None without a record."""
    # `went` holds last turn's speed until movement ends; after that only `told` does.
    speed = ship.log.get("went" if battle.phase == MOVEMENT else "told")
    return None if speed is None else to_fraction(speed)


def list_binding_hits(battle: Battle, ship: Ship, kind: str) -> tuple[Mark, ...]:
    """List the bridge or steam line hits of last turn, which bind a ship in this turn.

    Rule: GQ2-CRI-B.
    """
    # These marks last until the end of the turn after the hit.
    return tuple(mark for mark in ship.live(kind) if mark.until == battle.turn)


def has_moved(ship: Ship) -> bool:
    """Return whether a ship's move of this turn is recorded."""
    return ship.log.get("moved") is not None


def count_turns_made(ship: Ship) -> int:
    """Return the turns of 45° of a ship's recorded move in this turn."""
    return ship.count("turned") if has_moved(ship) else 0


def record_manner(
    builder: DecisionBuilder, ship: Ship, *, crooked: bool = False, evasive: bool = False, turns: int = 0
) -> None:
    """Record how a ship made her move of this turn: straight or not, evasive, and with how many turns.

    Args:
        crooked: True if the move was not straight, though without a full turn of 45°.
        evasive: True if it was evasive.
        turns: Turns of 45°. A move that is not crooked is straight if it has none.

    Rule: GQ2-TOR-9.
    """
    # None means that find_movement decides by the turns.
    straight = False if crooked else None
    for field, value in (("straight", straight), ("evasive", evasive), ("turned", turns)):
        set_field(builder, ship, field, value)


def list_light_sources(battle: Battle, ship: Ship) -> tuple[str, ...]:
    """List what lights a ship: her own searchlight, other ships' searchlights, her fires, the umpire's word.

    Rule: GQ2-NIT-3.
    """
    has_light_on = bool(ship.live("lights")) or ship.log.get(SEARCHING) is True
    sources = ["its own searchlight"] if can_act(battle, ship) and has_light_on else []
    sources.extend(
        f"{format_possessive(battle.ships[id].name)} searchlight" for id, _ in list_lights_on(battle, ship)
    )
    if ship.live("fires"):
        sources.append("its fires")
    if ship.log.get("lit") is True:
        sources.append("the umpire's word")
    return tuple(sources)


def list_lights_on(battle: Battle, ship: Ship) -> tuple[tuple[str, str], ...]:
    """List the searchlights of other ships on a ship.

    Returns:
        For each light the id of the ship that uses it, and the field of her log that has it.
    """
    return tuple(
        (other.id, "lights")
        for other in battle.ships.values()
        if can_act(battle, other) and any(mark.text == ship.id for mark in other.live("lights"))
    )


def _declare_boxes(name: str, title: str, most: int = 999) -> Field:
    return Field(name, title, most=most, clause="GQ2-LOG-2", denominator=2)


def _declare_marks(name: str, title: str, clause: str, lasting_turns: int | None = None) -> Field:
    return Field(name, title, "marks", most=20, clause=clause, lasting_turns=lasting_turns)


def _declare_card(name: str, title: str, kind: FieldKind = "number", *, empty: bool = False) -> Field:
    return Field(name, title, kind, card=True, empty=empty, clause="GQ2-LOG-1")


def _declare_af(number: int) -> Field:
    """Declare the AF of a battery as a field that the umpire may set.

    Setting it also records the armament boxes left, from which later losses reduce it.

    Rule: GQ2-LOG-2.
    """

    def record_boxes_left(builder: DecisionBuilder, id: str) -> None:
        if not is_af_by_hand(builder.battle):
            builder.record(
                id, format_af_field(number), count_armament_boxes_left(builder.ship(id)), hand=True
            )

    return evolve(_declare_card(f"battery.{number}.af", f"AF of battery {number}"), on_set=record_boxes_left)


HARM = ("hull_lost", "armament_lost", "boiler")
LASTING = (
    *HARM,
    *("torpedoes", "ammo", "ammo_he", "fire_control", "rudder", "fires"),
    *(format_af_field(at) for at in range(1, BATTERIES_MOST + 1)),
)
"""Fields that a ship takes into her next battle: boxes, stores, lasting criticals, AF set by the umpire."""


def _format_lit(battle: Battle, ship: Ship) -> str:
    """Format what lights a ship; "" if nothing does.

    Rule: GQ2-NIT-3.
    """
    sources = list_light_sources(battle, ship)
    return f"lit by {', '.join(sources)}" if sources else ""


def _forget_speed_made(builder: DecisionBuilder, id: str) -> None:
    """Clear the record of the speed made: if the umpire sets the inches moved, these count as the speed.

    Rule: GQ2-CRI-2.
    """
    if builder.ship(id).log.get("made") is not None:
        builder.record(id, "made", None, hand=True)


FIELDS = (
    _declare_boxes("hull_lost", "hull boxes lost", BOXES),
    _declare_boxes("armament_lost", "armament boxes lost"),
    _declare_marks("fire_control", "fire control hits", "GQ2-CRI-0"),
    _declare_marks("bridge", "bridge hits", "GQ2-CRI-1", lasting_turns=1),
    _declare_marks("rudder", "rudder hits", "GQ2-CRI-2"),
    _declare_marks("fires", "damage control hits", "GQ2-CRI-3"),
    _declare_marks("steam", "steam lines", "GQ2-CRI-5", lasting_turns=1),
    Field("boiler", "boiler room: hull box in force", clause="GQ2-CRI-6", most=BOXES + 1),
    Field("torpedoes", "torpedoes left", clause="GQ2-LOG-1", empty=True),
    Field("ammo", "ammunition boxes", clause="GQ2-LOG-1", most=AMMUNITION),
    Field("ammo_he", "HE ammunition boxes", clause="GQ2-LOG-1", most=AMMUNITION, empty=True),
    Field(
        "moved", "inches moved", "number", most=99, empty=True, clause="GQ2-MV-1", on_set=_forget_speed_made
    ),
    Field("straight", "moved straight", "bool", empty=True, clause="GQ2-TOR-9"),
    Field("evasive", "evades", "bool", clause="GQ2-GUN-2"),
    Field("turned", "turns of 45°", clause="GQ2-CRI-2", most=20),
    Field("lights", "searchlights on", "texts", ships=True, clause="GQ2-NIT-3", seen=True),
    Field("lit", "lit by the umpire's word", "bool", clause="GQ2-NIT-3", seen=True, seen_as=_format_lit),
    Field("smoke", "smoke", "texts", words=("black", "gray"), clause="GQ2-PH-3", seen=True),
    Field("flank_turns", "turns at flank speed", clause="GQ2-MV-4"),
    Field("rest", "turns that the stokers still rest", clause="GQ2-MV-4", most=99),
    Field("state", "engines", "words", words=(STEAMING, STANDBY, SHUT_DOWN), clause="GQ2-MV-7"),
    Field("wait", "turns until under way", clause="GQ2-MV-7", most=99),
    Field("allowed", "hull boxes of speed allowed", clause="GQ2-MV-7", most=BOXES, empty=True),
    Field("status", "status", "status", words=STATUSES, clause="GQ2-SNK-2"),
    Field("marker", "sinking marker", most=99, empty=True, clause="GQ2-SNK-1", seen=True),
    _declare_card("name", "name", "words"),
    _declare_card("kind", "kind", "words"),
    _declare_card("class", "class", "words"),
    _declare_card("nation", "nation", "words"),
    _declare_card("df", "defence factor"),
    _declare_card("flash_protection", "flash protection", "bool"),
    *(_declare_card(f"hull.{box}", f"speed in box {box}") for box in range(1, BOXES + 1)),
    _declare_card("armament", "armament boxes", "count"),
    evolve(
        _declare_card(GUNNERS, "gunners, off the white die", "count"), least=-GUNNERS_MOST, most=GUNNERS_MOST
    ),
    *(_declare_af(at) for at in range(1, BATTERIES_MOST + 1)),
    *(
        _declare_card(f"battery.{at}.he", f"battery {at} holds HE", "bool")
        for at in range(1, BATTERIES_MOST + 1)
    ),
    *(
        _declare_card(f"battery.{at}.arcs", f"arcs of battery {at}", "words")
        for at in range(1, BATTERIES_MOST + 1)
    ),
    _declare_card("torpedoes.count", "printed torpedoes", "count", empty=True),
    _declare_card("notes", "notes", "words"),
)
