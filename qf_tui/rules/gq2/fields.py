"""The fields of a ship of General Quarters 2 that the umpire may set, and which of them her model shows."""

from collections.abc import Iterable, Mapping
from fractions import Fraction

from attrs import evolve

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.declarations import Field, FieldKind
from qf_tui.core.text import Scalar, decimal, exact
from qf_tui.core.values import Battle, Ship
from qf_tui.rules.gq2.clauses import option
from qf_tui.rules.gq2.forms import of_halves
from qf_tui.rules.gq2.ship import (
    AMMUNITION,
    BATTERIES_MOST,
    BOXES,
    SHUT_DOWN,
    STANDBY,
    STATUSES,
    STEAMING,
    Battery,
    af_boxes,
    batteries,
    boxes_left,
)
from qf_tui.rules.gq2.targets import lit_by


def by_hand(battle: Battle) -> bool:
    """Whether the umpire sets AF himself, by the switch."""
    return option(battle, "armament_af") == "by-hand"


def armed(battle: Battle, ship: Ship) -> tuple[Battery, ...]:
    """The batteries of a ship with the AF that its armament boxes leave them (GQ2-LOG-2)."""
    printed = batteries(ship)
    if by_hand(battle):
        return printed
    return tuple(
        evolve(guns, af=_af_left(ship, guns, at), full=guns.af) for at, guns in enumerate(printed, 1)
    )


def armed_battery(battle: Battle, ship: Ship, name: str) -> Battery:
    """One of them by its name; one without guns where the sheet has none of that name."""
    found = (guns for guns in armed(battle, ship) if guns.name == name)
    return next(found, Battery(name, Fraction(0), Fraction(0)))


def card_faults(card: Mapping[str, Scalar]) -> Iterable[tuple[str, str]]:
    """Batteries whose list of AF does not say one for each number of armament boxes left (GQ2-LOG-2)."""
    boxes = card["armament"]
    for at in range(1, int(str(card["battery"])) + 1):
        listed = sum(name.startswith(f"battery.{at}.af.") for name in card)
        if listed and listed != boxes:
            yield f"battery.{at}.af", f"expected one AF for each of {boxes} armament boxes, found {listed}"


def _af_left(ship: Ship, guns: Battery, at: int) -> Fraction:
    """AF by the boxes left: as the sheet lists it, else in proportion, to the nearest half, a half at least.

    What the umpire set by hand is the AF of the boxes that were left then.
    """
    boxes, left = ship.card_count("armament"), boxes_left(ship)
    by_umpire = ship.log.get(af_boxes(at))
    whole = by_umpire if isinstance(by_umpire, int) else boxes
    if not whole or left == whole:
        return guns.af
    if not left or not guns.af:
        return Fraction(0)
    listed = ship.card.get(f"battery.{at}.af.{boxes - left + 1}")
    if listed is not None and by_umpire is None:
        return exact(listed)
    halves = (2 * guns.af * left / whole + Fraction(1, 2)) // 1
    return max(Fraction(1, 2), Fraction(halves, 2))


def af_words(battle: Battle, ship: Ship) -> str:
    """AF battery by battery, as `main 7.5, secondary 1`."""
    return ", ".join(f"{guns.name} {decimal(guns.af)}" for guns in armed(battle, ship))


def loss_words(battle: Battle, ship: Ship) -> str:
    """The boxes that are left and the AF with them, or that the umpire sets it."""
    lost = ship.count("armament_lost")
    boxes = ship.card_count("armament")
    left = f"{of_halves(max(0, 2 * boxes - lost))} of {boxes} armament boxes"
    return f"{left} are left, {'set its AF by hand' if by_hand(battle) else f'AF {af_words(battle, ship)}'}"


def after_losses(battle: Battle, ship: Ship, guns: Battery) -> str:
    """What is said of the AF of a battery before it fires, where boxes were lost (GQ2-LOG-2)."""
    halves = ship.count("armament_lost")
    lost = f"{of_halves(halves)} armament box{'es' if halves > 2 else ''} lost"
    words = f"{guns.af_words} still right?" if by_hand(battle) else f"{guns.af_words}:"
    return f"{words} {lost} (GQ2-LOG-2)"


def _count(name: str, title: str, clause: str, *, most: int = 999, empty: bool = False) -> Field:
    return Field(name, title, most=most, empty=empty, clause=clause)


def _boxes(name: str, title: str, most: int = 999) -> Field:
    return Field(name, title, most=most, clause="GQ2-LOG-2", denominator=2)


def _marks(name: str, title: str, clause: str, lasting_turns: int | None = None) -> Field:
    return Field(name, title, "marks", most=20, clause=clause, lasting_turns=lasting_turns)


def _card(name: str, title: str, kind: FieldKind = "number", *, empty: bool = False) -> Field:
    return Field(name, title, kind, card=True, empty=empty, clause="GQ2-LOG-1")


def _af(at: int) -> Field:
    """AF set by hand is that of the boxes left now: those lost later take their share of it (GQ2-LOG-2)."""

    def note(builder: DecisionBuilder, id: str) -> None:
        if option(builder.battle, "armament_af") != "by-hand":
            builder.record(id, af_boxes(at), boxes_left(builder.ship(id)), hand=True)

    named = f"battery.{at}.af", f"AF of battery {at}"
    return Field(*named, "number", card=True, clause="GQ2-LOG-1", on_set=note)


def _lit(battle: Battle, ship: Ship) -> str:
    """What lights a ship, for everybody to see (GQ2-NIT-3)."""
    found = lit_by(battle, ship)
    return f"lit by {', '.join(found)}" if found else ""


def _forget_speed_made(builder: DecisionBuilder, id: str) -> None:
    """Inches set by hand are the speed made too (GQ2-CRI-2)."""
    if builder.ship(id).log.get("made") is not None:
        builder.record(id, "made", None, hand=True)


FIELDS = (
    _boxes("hull_lost", "hull boxes lost", BOXES),
    _boxes("armament_lost", "armament boxes lost"),
    _marks("fire_control", "fire control hits", "GQ2-CRI-0"),
    _marks("bridge", "bridge hits", "GQ2-CRI-1", lasting_turns=1),
    _marks("rudder", "rudder hits", "GQ2-CRI-2"),
    _marks("fires", "damage control hits", "GQ2-CRI-3"),
    _marks("steam", "steam lines", "GQ2-CRI-5", lasting_turns=1),
    _count("boiler", "boiler room: hull box in force", "GQ2-CRI-6", most=BOXES + 1),
    _count("torpedoes", "torpedoes left", "GQ2-LOG-1", empty=True),
    _count("ammo", "ammunition boxes", "GQ2-LOG-1", most=AMMUNITION),
    _count("ammo_he", "HE ammunition boxes", "GQ2-LOG-1", most=AMMUNITION, empty=True),
    Field(
        "moved", "inches moved", "number", most=99, empty=True, clause="GQ2-MV-1", on_set=_forget_speed_made
    ),
    Field("straight", "moved straight", "bool", empty=True, clause="GQ2-TOR-9"),
    Field("evasive", "evades", "bool", clause="GQ2-GUN-2"),
    _count("turned", "turns of 45°", "GQ2-CRI-2", most=20),
    Field("lights", "searchlights on", "texts", ships=True, clause="GQ2-NIT-3", seen=True),
    Field("lit", "lit by the umpire's word", "bool", clause="GQ2-NIT-3", seen=True, seen_as=_lit),
    Field("smoke", "smoke", "texts", words=("black", "gray"), clause="GQ2-PH-3", seen=True),
    _count("flank_turns", "turns at flank speed", "GQ2-MV-4"),
    _count("rest", "turns that the stokers still rest", "GQ2-MV-4", most=99),
    Field("state", "engines", "words", words=(STEAMING, STANDBY, SHUT_DOWN), clause="GQ2-MV-7"),
    _count("wait", "turns until under way", "GQ2-MV-7", most=99),
    _count("allowed", "hull boxes of speed allowed", "GQ2-MV-7", most=BOXES, empty=True),
    Field("status", "status", "status", words=STATUSES, clause="GQ2-SNK-2"),
    Field("marker", "sinking marker", most=99, empty=True, clause="GQ2-SNK-1", seen=True),
    _card("name", "name", "words"),
    _card("kind", "kind", "words"),
    _card("class", "class", "words"),
    _card("nation", "nation", "words"),
    _card("df", "defence factor"),
    _card("flash_protection", "flash protection", "bool"),
    *(_card(f"hull.{box}", f"speed in box {box}") for box in range(1, BOXES + 1)),
    _card("armament", "armament boxes", "count"),
    *(_af(at) for at in range(1, BATTERIES_MOST + 1)),
    *(_card(f"battery.{at}.he", f"battery {at} holds HE", "bool") for at in range(1, BATTERIES_MOST + 1)),
    *(_card(f"battery.{at}.arcs", f"arcs of battery {at}", "words") for at in range(1, BATTERIES_MOST + 1)),
    _card("torpedoes.count", "printed torpedoes", "count", empty=True),
    _card("notes", "notes", "words"),
)
