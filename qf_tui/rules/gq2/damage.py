"""Boxes lost, critical hits, repair, and sinking ships (GQ2-LOG-2, GQ2-CRI, GQ2-REP-1, GQ2-SNK-1)."""

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
from qf_tui.rules.gq2.movement import RUDDER_TURN, ask_about_move
from qf_tui.rules.gq2.rating import is_of_navy
from qf_tui.rules.gq2.ship import (
    ABANDONED,
    AGROUND,
    ARMAMENT,
    BOXES,
    FIRING_PHASES,
    HULL,
    SINKING,
    STEAM_LINE,
    STEAMING,
    UNARMED,
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
"""What is owed of damage."""
TESTED = "sinking-tested"
UNHARMED, NO_POWER = "none", "no"
"""The answers that a collision did no harm, and that no power is regained."""

D6 = Die(6)
CRITICAL_DICE = (Die(10, "", 0),)
BARBETTE_DICE = (D6, Die(6, "marker"))
REPAIRED_BY = 4
"""Greatest face that repairs a damage-control hit (GQ2-CRI-3)."""

ABANDON_SHIP = "abandon ship"
"""Meaning of the barbette result on a merchant or submarine (GQ2-CRI-9)."""
LISTED_NAVIES = ("british", "italian", "japanese", "russian")
"""Navies whose barbettes explode more easily (GQ2-CRI-9)."""

_BOXES_CODE = re.compile(r"([HA])(\d{0,2}|1\d\d)(\.5|½)?", re.ASCII | re.IGNORECASE)
"""Hull or armament with its boxes; twice those of a cell may be 199½."""
_HALVES_MOST = 199
"""Boxes are typed in two digits, and a half."""
_KNOWN_CODES = "H and A with boxes (H, H1.5, A½), C a critical hit, CA one that penetrated, S sinking"
_COURSE_HITS = (charts.BRIDGE, charts.RUDDER, charts.STEAM_LINE, charts.BOILER_ROOM)
"""Hits that bear on speed and course alone: a battery on land has neither."""


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
        """The code with decimals, as results of shots are kept: `H1.5`."""
        return f"{self.kind}{convert_parts(self.halves, 2)}"

    @property
    def in_fractions(self) -> str:
        """The code with fractions, as results of explosions are kept: `H1½`."""
        return f"{self.kind}{format_halves(self.halves)}"


@lru_cache(maxsize=256)
def read_damage_code(text: str) -> DamageCode | None:
    """Read a damage code in any case; a missing number means one box. None if it is no code."""
    boxes = _BOXES_CODE.fullmatch(text)
    if boxes is None:
        return next((DamageCode(kind) for kind in CodeKind if kind.lower() == text.lower()), None)
    letter, whole, half = boxes.groups()
    halves = 2 * int(whole or 0) + bool(half) if whole or half else 2
    return DamageCode(CodeKind(letter.upper()), halves)


def lose_boxes(builder: DecisionBuilder, id: str, what: str, halves: int) -> None:
    """Take half boxes off hull or armament; ignore any excess. A ship without hull starts to sink.

    Rule: GQ2-LOG-2.
    """
    ship = builder.ship(id)
    taken = min(halves, count_halves_left(ship, what))
    if taken:
        builder.add(id, f"{what}_lost", taken)
    if taken and what == ARMAMENT and list_batteries(ship):
        when = " when this phase is over" if builder.battle.phase in FIRING_PHASES else ""
        text = f"{format_losses(builder.battle, builder.ship(id))}{when}"
        if is_af_by_hand(builder.battle):
            builder.ask(f"{ship.name}: {text}: `mark {id} battery.1.af N`", "GQ2-LOG-2")
        else:
            builder.because(text, "GQ2-LOG-2", of=ship.name)
    if what == HULL and halves and not count_halves_left(builder.ship(id), what):
        start_sinking(builder, id, 1, "no hull box is left", "GQ2-LOG-2")


def start_sinking(builder: DecisionBuilder, id: str, marker: int, why: str, clause: str) -> None:
    """Let a ship start to sink, with its marker; a ship that is already sinking keeps its marker.

    The gunners of a battery on land leave it instead.

    Rule: GQ2-SNK-1.
    """
    ship = builder.ship(id)
    if ship.status in (SINKING, SUNK) or (ship.is_land_battery and not ship.afloat):
        return
    builder.write(Op.STATUS, id, "status", ABANDONED if ship.is_land_battery else SINKING)
    if ship.is_land_battery:
        builder.because(f"is silenced: {why}", clause, subject=ship.name)
        return
    set_marker(builder, id, marker)
    builder.because(f"is sinking, marker {marker}: {why}", clause, subject=ship.name)


def read_marker(ship: Ship) -> int:
    """Return the number of a sinking ship's marker; 1 if there is none."""
    return ship.count("marker") or 1


def set_marker(builder: DecisionBuilder, id: str, marker: int) -> None:
    """Place the marker of a sinking ship, or change its number."""
    ship = builder.ship(id)
    if ship.log.get("marker") is None:
        builder.record(id, "marker", marker)
    else:
        set_count(builder, ship, "marker", marker)


def owe_critical(
    builder: DecisionBuilder, id: str, turn: int, *, penetrated: bool, cause: int | None = None
) -> None:
    """Owe the roll for a critical hit; its effect binds the turn after the hit.

    Args:
        turn: Turn of the hit.
        cause: Entry that caused it, or None for the present one.

    Rule: GQ2-GUN-5.
    """
    word = "penetrated" if penetrated else "not penetrated"
    builder.owe(
        CRITICAL,
        id,
        f"critical hit on {builder.ship(id).name}, {word}",
        *CRITICAL_DICE,
        facts={"turn": turn, "penetrated": penetrated},
        cause=cause,
    )


def prepare_damage(battle: Battle, id: str, codes: tuple[str, ...]) -> PreparedOrder:
    """Prepare `damage`: boxes, critical hits, or the sinking, one after another."""
    read = [code for code in map(_read_typed_code, codes) if code]
    if len(read) < len(codes) or not codes:
        wrong = next((code for code in codes if _read_typed_code(code) is None), "")
        text = f"“{wrong}” is not a damage code" if codes else "no damage code"
        return PreparedOrder(findings=(impossible(f"{text}; codes are {_KNOWN_CODES}"),))
    ship = battle.ships[id]
    sunk = refused(f"{ship.name} is sunk and takes no more damage", "GQ2-SNK-2")
    named = tuple(code.upper() for code in codes)

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        builder.because(f"{' '.join(named)}, by the umpire's word", "GQ2-LOG-2", of=ship.name)
        for damage in read:
            _apply_code(builder, id, damage)
        builder.result("hits", named)

    return PreparedOrder(findings=(sunk,) if ship.status == SUNK else (), decide=decide)


def _read_typed_code(text: str) -> DamageCode | None:
    """Read a damage code that the umpire may type. Only torpedoes and mines break a ship up."""
    code = read_damage_code(text)
    if code is None or code.kind is CodeKind.BROKEN_UP or code.halves > _HALVES_MOST:
        return None
    return code


def _apply_code(builder: DecisionBuilder, id: str, code: DamageCode) -> None:
    match code.kind:
        case CodeKind.SINKING:
            start_sinking(builder, id, 1, "by the umpire's word", "GQ2-SNK-1")
        case CodeKind.CRITICAL | CodeKind.PENETRATED:
            penetrated = code.kind is CodeKind.PENETRATED
            owe_critical(builder, id, builder.battle.turn, penetrated=penetrated)
        case kind:
            lose_boxes(builder, id, HULL if kind is CodeKind.HULL else ARMAMENT, code.halves)


def prepare_contact(battle: Battle, order: Order) -> PreparedOrder:
    """Prepare `contact`: ships touch, and the umpire's result of each collision check is owed.

    Rule: GQ2-MV-8.
    """

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        for id in order.list_texts("ships"):
            builder.owe(COLLISION, id, f"collision check of {battle.ships[id].name}: damage codes, or none")

    return PreparedOrder(decide=decide)


def prepare_collision(battle: Battle, owed: Owed, words: tuple[str, ...]) -> PreparedOrder:
    """Prepare the answer to a collision check: damage codes, or `none`.

    Rule: GQ2-MV-8.
    """
    name = battle.ships[owed.ship].name
    if words == (UNHARMED,):
        return PreparedOrder(decide=lambda faces, builder: builder.because(f"{name} is unharmed", "GQ2-MV-8"))
    return prepare_damage(battle, owed.ship, words)


def begin_repair(builder: DecisionBuilder) -> None:
    """Clear the smoke, and owe damage control and the return of power.

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
        steams = ship.afloat and not ship.is_land_battery and ship.log.get("state") == STEAMING
        if steams and not read_hull_speed(ship, find_box_in_force(ship)):
            boxes = range(1 + ship.count("hull_lost") // 2, BOXES + 1)
            asked = f"does {ship.name} regain power? no, or the hull box whose speed she regains"
            words = (*(str(box) for box in boxes if read_hull_speed(ship, box)), NO_POWER)
            builder.owe(POWER, ship.id, asked, words=words)


def prepare_power(battle: Battle, owed: Owed, words: tuple[str, ...]) -> PreparedOrder:
    """Prepare the answer to whether a ship regains power: `no`, or a hull box whose speed she regains.

    Rule: GQ2-MV-8.
    """
    if len(words) != 1 or words[0] not in owed.words:
        return PreparedOrder(findings=(impossible(f"{owed.prompt}: one of {', '.join(owed.words)}"),))
    ship, box = battle.ships[owed.ship], words[0]

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        if box != NO_POWER:
            builder.add(ship.id, "boiler", int(box) - ship.count("boiler"))
        again = "regains no power" if box == NO_POWER else f"has the speed of hull box {box} again"
        builder.because(again, "GQ2-MV-8", subject=ship.name)

    return PreparedOrder(decide=decide)


def prepare_damage_control(battle: Battle, owed: Owed) -> PreparedOrder:
    """Prepare the roll for a damage-control hit: repaired, or half a hull box more lost.

    Rule: GQ2-CRI-3.
    """

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        ship, repaired = builder.ship(owed.ship), faces[0] <= REPAIRED_BY
        for mark in ship.live("fires"):
            if repaired and mark.id == owed.read_text("fire"):
                builder.lift(ship.id, mark)
        text = "repaired, a fire less" if repaired else "not repaired, ½ hull box more"
        builder.because(text, "GQ2-CRI-3", of=f"{ship.name},", roll=str(faces[0]))
        if not repaired:
            lose_boxes(builder, ship.id, HULL, 1)
        builder.result("mended", repaired)

    return PreparedOrder(
        dice=(D6,),
        judge=lambda faces: (int(faces[0] <= REPAIRED_BY),),
        decide=decide,
        odds=(Measure("repaired", 0),),
        needs=(Need("repairs"),),
    )


def owe_sinking_tests(builder: DecisionBuilder) -> None:
    """Owe the test of each sinking ship after damage control, once a turn.

    Rule: GQ2-REP-1, GQ2-SNK-1.
    """
    battle = builder.battle
    for ship in battle.ships.values():
        if ship.status == SINKING and not battle.list_turn_acts(TESTED, ship.id):
            builder.remember(TESTED, ship.id)
            prompt = f"sinking of {ship.name}, marker {read_marker(ship)}"
            builder.owe(SINKING_TEST, ship.id, prompt, D6, cause=battle.opened)


def prepare_sinking_test(battle: Battle, owed: Owed) -> PreparedOrder:
    """Prepare the test of a sinking ship against its marker; a ship that goes down owes nothing more.

    Rule: GQ2-SNK-1.
    """
    marker = read_marker(battle.ships[owed.ship])

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        id, goes = owed.ship, faces[0] < marker
        sign, does = ("<", "goes down") if goes else ("≥", f"stays, marker {marker + 1}")
        builder.because(does, "GQ2-SNK-1", of=f"{builder.ship(id).name},", roll=f"{faces[0]}{sign}{marker}")
        if goes:
            builder.write(Op.STATUS, id, "status", SUNK)
            drop_owed(builder, id)
        else:
            set_marker(builder, id, marker + 1)
        builder.result("sunk", goes)

    return PreparedOrder(
        dice=(D6,),
        judge=lambda faces: (int(faces[0] < marker),),
        decide=decide,
        odds=(Measure("goes down", 0),),
        needs=(Need("goes down"),),
    )


CriticalEffect = Callable[[DecisionBuilder, Owed], None]
"""Applies the effect of a critical hit to the ship of its owed roll."""


def prepare_critical(battle: Battle, owed: Owed) -> PreparedOrder:
    """Prepare the roll for a critical hit; its facts are the turn, and whether the armor was penetrated."""

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        ship = builder.ship(owed.ship)
        struck, cell = look_up_critical(battle, faces[0])
        crew = struck.name == charts.BARBETTE and read_class_code(ship) in UNARMED
        result = ABANDON_SHIP if crew else cell.text
        of, place = f"critical {faces[0]} on {ship.name}", f"critical {faces[0]}"
        if struck.armored and not owed.has("penetrated") and not crew:
            builder.because("nothing", "GQ2-CRI-A", cell, place, of=f"{of}: {cell.text}, but not penetrated")
        elif ship.is_land_battery and struck.name in _COURSE_HITS:
            builder.because("nothing, it is on land", "GQ2-CRI-B", cell, place, of=f"{of}: {cell.text}")
        elif struck.name in _EFFECT_BY_HIT:
            clause, effect = _EFFECT_BY_HIT[struck.name]
            builder.because(result, clause, cell, place, of=of)
            (_abandon_ship if crew else effect)(builder, owed)
        ask_about_move(builder, battle, owed.ship, owed.read_number("turn"))
        builder.result("critical", result if crew else struck.name)

    return PreparedOrder(dice=CRITICAL_DICE, decide=decide)


def _build_marking_effect(
    kind: str, text: str, clause: str, *, until_next: bool = False, inches: Fraction = RUDDER_TURN
) -> tuple[str, CriticalEffect]:
    """Build the clause and the effect of a critical hit that leaves a mark.

    Args:
        text: Reason; `inches` fill its braces.
        until_next: True if the mark ends with the next turn.
    """

    def leave_mark(builder: DecisionBuilder, owed: Owed) -> None:
        builder.mark(owed.ship, kind, until=owed.read_number("turn") + 1 if until_next else None)
        name = builder.ship(owed.ship).name
        builder.because(text.format(format_distance(builder.battle, inches)), clause, of=name)

    return clause, leave_mark


def _hit_damage_control(builder: DecisionBuilder, owed: Owed) -> None:
    builder.mark(owed.ship, "fires")
    name = builder.ship(owed.ship).name
    builder.because("loses ½ hull box and is lit by fires", "GQ2-CRI-3", subject=name)
    lose_boxes(builder, owed.ship, HULL, 1)


def _hit_boiler_room(builder: DecisionBuilder, owed: Owed) -> None:
    ship = builder.ship(owed.ship)
    box = min(find_box_in_force(ship), BOXES) + 1
    set_count(builder, ship, "boiler", box)
    there = f"the speed of hull box {box}" if box <= BOXES else "no speed left"
    builder.because(f"{there}, for good", "GQ2-CRI-6", of=ship.name)


def _hit_bulkhead(builder: DecisionBuilder, owed: Owed) -> None:
    builder.because("loses a hull box to flooding", "GQ2-CRI-8", subject=builder.ship(owed.ship).name)
    lose_boxes(builder, owed.ship, HULL, 2)


def _abandon_ship(builder: DecisionBuilder, owed: Owed) -> None:
    ship = builder.ship(owed.ship)
    if ship.afloat or ship.status == AGROUND:
        builder.write(Op.STATUS, owed.ship, "status", ABANDONED)
    builder.because("is abandoned by its crew", "GQ2-CRI-9", subject=ship.name)


def _hit_barbette(builder: DecisionBuilder, owed: Owed) -> None:
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
        "steam", "{} slower next turn", "GQ2-CRI-5", until_next=True, inches=Fraction(STEAM_LINE)
    ),
    charts.BOILER_ROOM: ("GQ2-CRI-6", _hit_boiler_room),
    charts.BULKHEAD: ("GQ2-CRI-8", _hit_bulkhead),
    charts.BARBETTE: ("GQ2-CRI-9", _hit_barbette),
}
"""The clause of each critical hit, and what it does to the ship."""


def find_barbette_row(ship: Ship) -> str:
    """Return the row of the barbette table for a ship."""
    if ship.card.get("flash_protection") is True:
        return FLASH
    return LISTED if is_of_navy(ship, *LISTED_NAVIES) else OTHERS


def prepare_barbette(battle: Battle, owed: Owed) -> PreparedOrder:
    """Prepare the barbette roll; after an explosion a second die is the marker, or is owed separately.

    Rule: GQ2-CRI-9, GQ2-SNK-1.
    """
    row = find_barbette_row(battle.ships[owed.ship])

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        ship, (loss, cell) = builder.ship(owed.ship), look_up_barbette(battle, row, faces[0])
        result = f"{loss.boxes} armament box{'es' if loss.boxes > 1 else ''}" if loss.boxes else cell.text
        place = f"barbette, {row} {faces[0]}"
        builder.because(result, "GQ2-CRI-9", cell, place, of=f"barbette {faces[0]} on {ship.name}, {row}")
        lose_boxes(builder, owed.ship, ARMAMENT, 2 * loss.boxes)
        if not loss.explodes:
            return
        marker = faces[1:]
        if not marker:
            builder.owe(MARKER, ship.id, f"marker of {ship.name}, which exploded", D6, cause=owed.entry)
        elif builder.ship(ship.id).status == SINKING:
            _raise_marker(builder, ship.id, marker[0])
        start_sinking(builder, ship.id, marker[0] if marker else 1, "it exploded", "GQ2-SNK-1")

    return PreparedOrder(
        dice=BARBETTE_DICE,
        missing=lambda faces: () if faces else (D6,),
        judge=lambda faces: (int(look_up_barbette(battle, row, faces[0])[0].explodes),),
        decide=decide,
        odds=(Measure("explodes", 0),),
        needs=(Need("explodes"),),
        reminders=("if it explodes, a second d6 is its sinking marker",),
    )


def _raise_marker(builder: DecisionBuilder, id: str, face: int) -> None:
    """Set the marker after an explosion; a sinking ship keeps a higher marker.

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
