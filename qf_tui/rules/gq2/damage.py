"""Damage in General Quarters 2: boxes lost, critical hits, repair, and sinking ships.

Shots and torpedoes, which cause most damage, are in `gunnery` and `torpedo`.

Rule: GQ2-LOG-2, GQ2-CRI, GQ2-REP-1, GQ2-SNK-1.
"""

import re
from collections.abc import Callable, Mapping
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache

from attrs import frozen

from qf_tui.core.builtin_orders import drop_owed
from qf_tui.core.decisions import DecisionBuilder, Op
from qf_tui.core.declarations import Measure, Need, PreparedOrder, convert_parts
from qf_tui.core.errors import impossible, refused
from qf_tui.core.text import format_possessive
from qf_tui.core.values import SUNK, Battle, Die, Faces, Order, Owed, Ship
from qf_tui.rules.gq2 import charts
from qf_tui.rules.gq2.charts import FLASH, LISTED, OTHERS, look_up_barbette, look_up_critical
from qf_tui.rules.gq2.forms import format_distance
from qf_tui.rules.gq2.movement import RUDDER_TURN_COST, ask_about_move
from qf_tui.rules.gq2.rating import is_of_navy
from qf_tui.rules.gq2.ship import (
    ABANDONED,
    AGROUND,
    ARMAMENT,
    BOXES,
    FIRING_PHASES,
    HULL,
    MERCHANTS_AND_SUBMARINES,
    SINKING,
    STEAM_LINE_LOSS,
    STEAMING,
    count_halves_left,
    find_box_in_force,
    format_halves,
    format_losses,
    is_af_by_hand,
    list_batteries,
    read_class_code,
    read_hull_speed,
    set_count,
)
from qf_tui.rules.gq2.targets import clear_smoke

CRITICAL, BARBETTE, MARKER = "critical", "barbette", "marker"
COLLISION, DAMAGE_CONTROL, POWER, SINKING_TEST = "collision", "damage-control", "power", "sinking"
"""Lines of the rolls and questions that damage owes."""
TESTED = "sinking-tested"
"""Act: the sinking test of a ship was owed in this turn."""
UNHARMED, NO_POWER = "none", "no"
"""Answers: a collision did no damage; a ship regains no power."""

D6 = Die(6)
CRITICAL_DICE = (Die(10, "", 0),)
BARBETTE_DICE = (D6, Die(6, "marker"))
"""The die of the barbette table, and the sinking marker if the ship explodes."""
FIRST_MARKER = 1
"""Sinking marker of a ship that begins to sink, unless she exploded (GQ2-SNK-1)."""
REPAIRED_UP_TO = 4
"""Greatest face that repairs a damage-control hit (GQ2-CRI-3)."""

ABANDON_SHIP = "abandon ship"
"""Meaning of the barbette result on a merchant or submarine (GQ2-CRI-9)."""
LISTED_NAVIES = ("british", "italian", "japanese", "russian")
"""Navies whose barbettes explode more easily (GQ2-CRI-9)."""

_BOXES_CODE = re.compile(r"([HA])(\d{0,2}|1\d\d)(\.5|½)?", re.ASCII | re.IGNORECASE)
"""A code of hull or armament with its boxes, at most 199½: twice the boxes of a chart cell fit."""

_HALVES_MOST = 199
"""Most half boxes that may be typed: 99½ boxes."""

_KNOWN_CODES = "H and A with boxes (H, H1.5, A½), C a critical hit, CA one that penetrated, S sinking"
_COURSE_HITS = (charts.BRIDGE, charts.RUDDER, charts.STEAM_LINE, charts.BOILER_ROOM)
"""Hits that change only speed and course, so that they do nothing to a battery on land."""


class CodeKind(StrEnum):
    """The kinds of damage code, by their letters."""

    HULL = "H"
    ARMAMENT = "A"
    CRITICAL = "C"
    PENETRATED = "CA"
    SINKING = "S"
    BROKEN_UP = "Sunk"


@frozen
class DamageCode:
    """A damage code: its kind, and half boxes if it is of hull or armament."""

    kind: CodeKind
    halves: int = 0

    @property
    def in_decimals(self) -> str:
        """The code with decimals, as the log keeps results of shots: `H1.5`."""
        return f"{self.kind}{convert_parts(self.halves, 2)}"

    @property
    def in_fractions(self) -> str:
        """The code with fractions, as the log keeps results of explosions: `H1½`."""
        return f"{self.kind}{format_halves(self.halves)}"


@lru_cache(maxsize=256)
def read_damage_code(text: str) -> DamageCode | None:
    """Read a damage code in capitals or small letters; without a number `H` and `A` mean one box.

    Returns:
        The code, or None if the text is no code.
    """
    boxes = _BOXES_CODE.fullmatch(text)
    if boxes is None:
        return next((DamageCode(kind) for kind in CodeKind if kind.lower() == text.lower()), None)
    letter, whole, half = boxes.groups()
    has_number = whole or half
    halves = 2 * int(whole or 0) + bool(half) if has_number else 2
    return DamageCode(CodeKind(letter.upper()), halves)


def lose_boxes(builder: DecisionBuilder, id: str, what: str, halves: int) -> None:
    """Take half boxes off a ship's hull or armament, as far as she has them.

    After a loss of armament the log gives the new AF, or asks the umpire to set it. A ship that is hit in the
    hull and has no hull box left starts to sink.

    Args:
        what: `hull` or `armament`.
        halves: Number of half boxes.

    Rule: GQ2-LOG-2.
    """
    ship = builder.ship(id)
    lost = min(halves, count_halves_left(ship, what))
    if lost:
        builder.add(id, f"{what}_lost", lost)
    if lost and what == ARMAMENT and list_batteries(ship):
        when = " when this phase is over" if builder.battle.phase in FIRING_PHASES else ""
        text = f"{format_losses(builder.battle, builder.ship(id))}{when}"
        if is_af_by_hand(builder.battle):
            builder.ask(f"{ship.name}: {text}: `mark {id} battery.1.af N`", "GQ2-LOG-2")
        else:
            builder.because(text, "GQ2-LOG-2", of=ship.name)
    if what == HULL and halves and not count_halves_left(builder.ship(id), what):
        start_sinking(builder, id, "no hull box is left", "GQ2-LOG-2")


def start_sinking(
    builder: DecisionBuilder, id: str, reason: str, clause: str, *, marker: int = FIRST_MARKER
) -> None:
    """Make a ship start to sink, with a marker for her sinking tests; a land battery is abandoned.

    Nothing changes for a ship already sinking or sunk, or for a battery that is no longer in action.

    Rule: GQ2-SNK-1.
    """
    ship = builder.ship(id)
    if ship.status in (SINKING, SUNK) or (ship.is_land_battery and not ship.afloat):
        return
    builder.write(Op.STATUS, id, "status", ABANDONED if ship.is_land_battery else SINKING)
    if ship.is_land_battery:
        builder.because(f"is silenced: {reason}", clause, subject=ship.name)
        return
    set_marker(builder, id, marker)
    builder.because(f"is sinking, marker {marker}: {reason}", clause, subject=ship.name)


def read_marker(ship: Ship) -> int:
    """Return the number of a sinking ship's marker; the first number if her log has none."""
    return ship.count("marker") or FIRST_MARKER


def set_marker(builder: DecisionBuilder, id: str, marker: int) -> None:
    """Set the number of a sinking ship's marker, whether she has one already or not."""
    ship = builder.ship(id)
    # Without a marker there is no number to which a difference can be added.
    if ship.log.get("marker") is None:
        builder.record(id, "marker", marker)
    else:
        set_count(builder, ship, "marker", marker)


def owe_critical(
    builder: DecisionBuilder, id: str, turn: int, *, penetrated: bool, cause: int | None = None
) -> None:
    """Owe the roll for a critical hit on a ship.

    Args:
        turn: Turn of the hit. A bridge or steam line hit counts in the turn after it.
        penetrated: True if the armor was penetrated; some results need that.
        cause: Number of the entry that caused the hit, or None for the entry now decided.

    Rule: GQ2-GUN-5.
    """
    armor = "penetrated" if penetrated else "not penetrated"
    builder.owe(
        CRITICAL,
        id,
        f"critical hit on {builder.ship(id).name}, {armor}",
        *CRITICAL_DICE,
        facts={"turn": turn, "penetrated": penetrated},
        cause=cause,
    )


def prepare_damage(battle: Battle, id: str, codes: tuple[str, ...]) -> PreparedOrder:
    """Prepare the order `damage`: the umpire applies damage codes to a ship, one after another.

    It is impossible without a code or with a wrong one, and refused for a sunk ship.
    """
    damages = [damage for damage in map(_read_typed_code, codes) if damage]
    if len(damages) < len(codes) or not codes:
        wrong = next((code for code in codes if _read_typed_code(code) is None), "")
        text = f"“{wrong}” is not a damage code" if codes else "no damage code"
        return PreparedOrder(findings=(impossible(f"{text}; codes are {_KNOWN_CODES}"),))
    ship = battle.ships[id]
    sunk_finding = refused(f"{ship.name} is sunk and takes no more damage", "GQ2-SNK-2")
    upper_codes = tuple(code.upper() for code in codes)

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        builder.because(f"{' '.join(upper_codes)}, by the umpire's word", "GQ2-LOG-2", of=ship.name)
        for damage in damages:
            _apply_code(builder, id, damage)
        builder.result("hits", upper_codes)

    return PreparedOrder(findings=(sunk_finding,) if ship.status == SUNK else (), decide=decide)


def _read_typed_code(text: str) -> DamageCode | None:
    """Read a damage code that the umpire may type; None if the text is no such code.

    He may not type `Sunk`, the result of torpedoes and mines, nor more than 99½ boxes.
    """
    code = read_damage_code(text)
    if code is None or code.kind is CodeKind.BROKEN_UP or code.halves > _HALVES_MOST:
        return None
    return code


def _apply_code(builder: DecisionBuilder, id: str, code: DamageCode) -> None:
    """Apply a damage code that the umpire typed to a ship."""
    match code.kind:
        case CodeKind.SINKING:
            start_sinking(builder, id, "by the umpire's word", "GQ2-SNK-1")
        case CodeKind.CRITICAL | CodeKind.PENETRATED:
            penetrated = code.kind is CodeKind.PENETRATED
            owe_critical(builder, id, builder.battle.turn, penetrated=penetrated)
        case kind:
            # Hull or armament: the umpire cannot type `Sunk`.
            lose_boxes(builder, id, HULL if kind is CodeKind.HULL else ARMAMENT, code.halves)


def prepare_contact(battle: Battle, order: Order) -> PreparedOrder:
    """Prepare the order `contact`: each ship that touches another owes the result of its collision check.

    Rule: GQ2-MV-8.
    """

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        for id in order.list_texts("ships"):
            builder.owe(COLLISION, id, f"collision check of {battle.ships[id].name}: damage codes, or none")

    return PreparedOrder(decide=decide)


def prepare_collision(battle: Battle, owed: Owed, words: tuple[str, ...]) -> PreparedOrder:
    """Prepare the umpire's result of a collision check: damage codes, or `none`.

    Rule: GQ2-MV-8.
    """
    name = battle.ships[owed.ship].name
    if words == (UNHARMED,):
        return PreparedOrder(decide=lambda faces, builder: builder.because(f"{name} is unharmed", "GQ2-MV-8"))
    return prepare_damage(battle, owed.ship, words)


def begin_repair(builder: DecisionBuilder) -> None:
    """Begin the repair phase: clear old smoke, and owe a roll for each damage-control hit.

    For each steaming ship without speed the umpire is asked whether she regains power.

    Rule: GQ2-REP-1, GQ2-CRI-B, GQ2-MV-8.
    """
    clear_smoke(builder)
    for ship in builder.battle.ships.values():
        if ship.is_off_table:
            continue
        for mark in ship.live("fires"):
            builder.owe(
                DAMAGE_CONTROL, ship.id, f"damage control on {ship.name}", D6, facts={"fire": mark.id}
            )
        is_steaming = ship.afloat and not ship.is_land_battery and ship.log.get("state") == STEAMING
        if is_steaming and not read_hull_speed(ship, find_box_in_force(ship)):
            # Hull boxes are lost from the left, each in two halves.
            boxes_left = range(1 + ship.count("hull_lost") // 2, BOXES + 1)
            prompt = f"does {ship.name} regain power? no, or the hull box whose speed she regains"
            answers = (*(str(box) for box in boxes_left if read_hull_speed(ship, box)), NO_POWER)
            builder.owe(POWER, ship.id, prompt, words=answers)


def prepare_power(battle: Battle, owed: Owed, words: tuple[str, ...]) -> PreparedOrder:
    """Prepare the answer to whether a ship regains power: `no`, or a hull box whose speed she regains.

    Any other answer is impossible.

    Rule: GQ2-MV-8.
    """
    if len(words) != 1 or words[0] not in owed.words:
        return PreparedOrder(findings=(impossible(f"{owed.prompt}: one of {', '.join(owed.words)}"),))
    ship = battle.ships[owed.ship]
    box = words[0]

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        if box != NO_POWER:
            # The log field `boiler` holds the number of a hull box; only a difference can be added.
            builder.add(ship.id, "boiler", int(box) - ship.count("boiler"))
        outcome = "regains no power" if box == NO_POWER else f"has the speed of hull box {box} again"
        builder.because(outcome, "GQ2-MV-8", subject=ship.name)

    return PreparedOrder(decide=decide)


def prepare_damage_control(battle: Battle, owed: Owed) -> PreparedOrder:
    """Prepare the roll for a damage-control hit: its fire is put out, or the ship loses half a hull box more.

    Rule: GQ2-CRI-3.
    """

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        ship = builder.ship(owed.ship)
        repaired = faces[0] <= REPAIRED_UP_TO
        for mark in ship.live("fires"):
            if repaired and mark.id == owed.read_text("fire"):
                builder.lift(ship.id, mark)
        outcome = "repaired, a fire less" if repaired else "not repaired, ½ hull box more"
        builder.because(outcome, "GQ2-CRI-3", of=f"{ship.name},", roll=str(faces[0]))
        if not repaired:
            lose_boxes(builder, ship.id, HULL, halves=1)
        builder.result("mended", repaired)

    return PreparedOrder(
        dice=(D6,),
        judge=lambda faces: (int(faces[0] <= REPAIRED_UP_TO),),
        decide=decide,
        odds=(Measure("repaired", 0),),
        needs=(Need("repairs"),),
    )


def owe_sinking_tests(builder: DecisionBuilder) -> None:
    """Owe the test of each sinking ship, unless it was owed in this turn already.

    Rule: GQ2-REP-1, GQ2-SNK-1.
    """
    battle = builder.battle
    for ship in battle.ships.values():
        if ship.status == SINKING and not battle.list_turn_acts(TESTED, ship.id):
            builder.remember(TESTED, ship.id)
            # The cause is the start of the repair phase, whichever entry asks.
            prompt = f"sinking of {ship.name}, marker {read_marker(ship)}"
            builder.owe(SINKING_TEST, ship.id, prompt, D6, cause=battle.opened)


def prepare_sinking_test(battle: Battle, owed: Owed) -> PreparedOrder:
    """Prepare the test of a sinking ship: a die below its marker sinks it; any other die raises the marker.

    A ship that sinks owes no more rolls.

    Rule: GQ2-SNK-1.
    """
    marker = read_marker(battle.ships[owed.ship])

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        id = owed.ship
        sinks = faces[0] < marker
        sign, outcome = ("<", "goes down") if sinks else ("≥", f"stays, marker {marker + 1}")
        builder.because(
            outcome, "GQ2-SNK-1", of=f"{builder.ship(id).name},", roll=f"{faces[0]}{sign}{marker}"
        )
        if sinks:
            builder.write(Op.STATUS, id, "status", SUNK)
            drop_owed(builder, id)
        else:
            set_marker(builder, id, marker + 1)
        builder.result("sunk", sinks)

    return PreparedOrder(
        dice=(D6,),
        judge=lambda faces: (int(faces[0] < marker),),
        decide=decide,
        odds=(Measure("goes down", 0),),
        needs=(Need("goes down"),),
    )


CriticalEffect = Callable[[DecisionBuilder, Owed], None]
"""A function that applies a critical hit to the ship whose roll was owed."""


def prepare_critical(battle: Battle, owed: Owed) -> PreparedOrder:
    """Prepare the roll for a critical hit, which applies the effect that the table names.

    Some results need penetrated armor. Results for speed or course do nothing to a battery on land. On a
    barbette result the crew of a merchant or submarine abandons ship, even without penetration.

    Args:
        owed: The owed roll; its facts are the turn of the hit, and whether the armor was penetrated.
    """

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        ship = builder.ship(owed.ship)
        hit, cell = look_up_critical(battle, faces[0])
        is_abandoned = hit.name == charts.BARBETTE and read_class_code(ship) in MERCHANTS_AND_SUBMARINES
        result = ABANDON_SHIP if is_abandoned else cell.text
        roll, place = f"critical {faces[0]} on {ship.name}", f"critical {faces[0]}"
        if hit.armored and not owed.has("penetrated") and not is_abandoned:
            builder.because(
                "nothing", "GQ2-CRI-A", cell, place, of=f"{roll}: {cell.text}, but not penetrated"
            )
        elif ship.is_land_battery and hit.name in _COURSE_HITS:
            builder.because("nothing, it is on land", "GQ2-CRI-B", cell, place, of=f"{roll}: {cell.text}")
        # A cell that an overlay removed names no hit, and has no effect.
        elif hit.name in _EFFECT_BY_HIT:
            clause, apply_effect = _EFFECT_BY_HIT[hit.name]
            builder.because(result, clause, cell, place, of=roll)
            if is_abandoned:
                _abandon_ship(builder, owed)
            else:
                apply_effect(builder, owed)
        ask_about_move(builder, battle, owed.ship, owed.read_number("turn"))
        builder.result("critical", result if is_abandoned else hit.name)

    return PreparedOrder(dice=CRITICAL_DICE, decide=decide)


def _build_marking_effect(
    kind: str, text: str, clause: str, *, until_next: bool = False, inches: Fraction = RUDDER_TURN_COST
) -> tuple[str, CriticalEffect]:
    """Build the clause and the effect of a critical hit that puts a mark on the ship.

    Args:
        kind: Kind of the mark.
        text: Text of the log, with `{}` in the place of the distance, if it names one.
        until_next: True if the mark ends with the turn after the hit; False if it stays.
        inches: The distance.
    """

    def leave_mark(builder: DecisionBuilder, owed: Owed) -> None:
        builder.mark(owed.ship, kind, until=owed.read_number("turn") + 1 if until_next else None)
        name = builder.ship(owed.ship).name
        builder.because(text.format(format_distance(builder.battle, inches)), clause, of=name)

    return clause, leave_mark


def _hit_damage_control(builder: DecisionBuilder, owed: Owed) -> None:
    """Apply a damage-control hit: half a hull box, and a fire that lights the ship until it is repaired."""
    builder.mark(owed.ship, "fires")
    name = builder.ship(owed.ship).name
    builder.because("loses ½ hull box and is lit by fires", "GQ2-CRI-3", subject=name)
    lose_boxes(builder, owed.ship, HULL, halves=1)


def _hit_boiler_room(builder: DecisionBuilder, owed: Owed) -> None:
    """Apply a boiler room hit: for good, a ship has the speed of the next hull box; after the last, none."""
    ship = builder.ship(owed.ship)
    box = min(find_box_in_force(ship), BOXES) + 1
    set_count(builder, ship, "boiler", box)
    speed = f"the speed of hull box {box}" if box <= BOXES else "no speed left"
    builder.because(f"{speed}, for good", "GQ2-CRI-6", of=ship.name)


def _hit_bulkhead(builder: DecisionBuilder, owed: Owed) -> None:
    """Apply a bulkhead hit: a hull box is lost."""
    builder.because("loses a hull box to flooding", "GQ2-CRI-8", subject=builder.ship(owed.ship).name)
    lose_boxes(builder, owed.ship, HULL, halves=2)


def _abandon_ship(builder: DecisionBuilder, owed: Owed) -> None:
    """Let the crew abandon a ship; her status changes only if she is afloat or aground."""
    ship = builder.ship(owed.ship)
    if ship.afloat or ship.status == AGROUND:
        builder.write(Op.STATUS, owed.ship, "status", ABANDONED)
    builder.because("is abandoned by its crew", "GQ2-CRI-9", subject=ship.name)


def _hit_barbette(builder: DecisionBuilder, owed: Owed) -> None:
    """Apply a barbette hit: a roll on the ship's row of the barbette table is owed."""
    ship = builder.ship(owed.ship)
    builder.owe(
        BARBETTE, owed.ship, f"barbette of {ship.name}, {find_barbette_row(ship)}", D6, cause=owed.entry
    )


_BRIDGE_TEXT = "in the first half of its next move it keeps this speed and its course"
_EFFECT_BY_HIT: Mapping[str, tuple[str, CriticalEffect]] = {
    charts.FIRE_CONTROL: _build_marking_effect("fire_control", "its fire control is damaged", "GQ2-CRI-0"),
    charts.BRIDGE: _build_marking_effect("bridge", _BRIDGE_TEXT, "GQ2-CRI-1", until_next=True),
    charts.RUDDER: _build_marking_effect("rudder", "from now on every 45° cost {} of its speed", "GQ2-CRI-2"),
    charts.DAMAGE_CONTROL: ("GQ2-CRI-3", _hit_damage_control),
    charts.STEAM_LINE: _build_marking_effect(
        "steam", "{} slower next turn", "GQ2-CRI-5", until_next=True, inches=Fraction(STEAM_LINE_LOSS)
    ),
    charts.BOILER_ROOM: ("GQ2-CRI-6", _hit_boiler_room),
    charts.BULKHEAD: ("GQ2-CRI-8", _hit_bulkhead),
    charts.BARBETTE: ("GQ2-CRI-9", _hit_barbette),
}
"""The clause and the effect of each critical hit."""


def find_barbette_row(ship: Ship) -> str:
    """Return a ship's row of the barbette table, by her flash protection and her navy."""
    if ship.card.get("flash_protection") is True:
        return FLASH
    return LISTED if is_of_navy(ship, *LISTED_NAVIES) else OTHERS


def prepare_barbette(battle: Battle, owed: Owed) -> PreparedOrder:
    """Prepare the barbette roll: a ship loses armament boxes, or explodes and sinks.

    The second die is the marker of a ship that exploded. If it was not thrown, a roll for it is owed.

    Rule: GQ2-CRI-9, GQ2-SNK-1.
    """
    row = find_barbette_row(battle.ships[owed.ship])

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        ship = builder.ship(owed.ship)
        loss, cell = look_up_barbette(battle, row, faces[0])
        result = f"{loss.boxes} armament box{'es' if loss.boxes > 1 else ''}" if loss.boxes else cell.text
        place = f"barbette, {row} {faces[0]}"
        builder.because(result, "GQ2-CRI-9", cell, place, of=f"barbette {faces[0]} on {ship.name}, {row}")
        lose_boxes(builder, owed.ship, ARMAMENT, halves=2 * loss.boxes)
        if not loss.explodes:
            return
        if len(faces) == 1:
            marker = FIRST_MARKER
            builder.owe(MARKER, ship.id, f"marker of {ship.name}, which exploded", D6, cause=owed.entry)
        else:
            marker = faces[1]
            if builder.ship(ship.id).status == SINKING:
                _raise_marker(builder, ship.id, marker)
        # This changes nothing for a ship that was sinking already.
        start_sinking(builder, ship.id, "it exploded", "GQ2-SNK-1", marker=marker)

    return PreparedOrder(
        dice=BARBETTE_DICE,
        # The die of the marker is never missing: without it, the roll for the marker is owed.
        missing=lambda faces: () if faces else (D6,),
        judge=lambda faces: (int(look_up_barbette(battle, row, faces[0])[0].explodes),),
        decide=decide,
        odds=(Measure("explodes", 0),),
        needs=(Need("explodes"),),
        reminders=("if it explodes, a second d6 is its sinking marker",),
    )


def _raise_marker(builder: DecisionBuilder, id: str, face: int) -> None:
    """Raise the marker of a ship that exploded to the face thrown; a higher marker stays.

    Rule: GQ2-SNK-1.
    """
    ship = builder.ship(id)
    marker = max(face, read_marker(ship))
    set_marker(builder, id, marker)
    builder.because(f"{format_possessive(ship.name)} sinking marker is {marker}", "GQ2-SNK-1")


def prepare_marker(battle: Battle, owed: Owed) -> PreparedOrder:
    """Prepare the roll for the marker of a ship that exploded.

    Rule: GQ2-SNK-1.
    """
    return PreparedOrder(
        dice=(D6,), decide=lambda faces, builder: _raise_marker(builder, owed.ship, faces[0])
    )
