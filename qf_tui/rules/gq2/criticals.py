"""Critical hits and barbettes (GQ2-CRI)."""

from collections.abc import Callable, Mapping
from fractions import Fraction

from attrs import frozen

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.effects import Op
from qf_tui.core.system import Faces, Measure, Need, PreparedOrder
from qf_tui.core.text import whose
from qf_tui.core.values import Battle, Die, Owed, Ship
from qf_tui.rules.gq2 import charts
from qf_tui.rules.gq2.charts import FLASH, LISTED, OTHERS, barbette_cell, critical_cell
from qf_tui.rules.gq2.damage import (
    ARMAMENT,
    CRITICAL_DICE,
    HULL,
    lose,
    marker_of,
    set_marker,
    start_sinking,
)
from qf_tui.rules.gq2.measures import with_unit
from qf_tui.rules.gq2.rating import is_of
from qf_tui.rules.gq2.ship import (
    ABANDONED,
    AGROUND,
    BOXES,
    SINKING,
    STEAM_LINE,
    UNARMED,
    box_in_force,
    code,
)
from qf_tui.rules.gq2.steering import RUDDER_TURN

BARBETTE, MARKER = "barbette", "marker"
ABANDON_SHIP = "abandon ship"
"""What the barbette's face means aboard a merchant or a submarine (GQ2-CRI-9)."""

D6 = Die(6)
BARBETTE_DICE = (D6, Die(6, "marker"))
LISTED_NAVIES = ("british", "italian", "japanese", "russian")
"""The navies whose barbettes explode more easily (GQ2-CRI-9)."""


@frozen
class Hit:
    """A critical hit as it takes effect: the ship, the turn of the hit, the entry that caused it."""

    ship: str
    turn: int
    cause: int


_OF_THE_COURSE = (charts.BRIDGE, charts.RUDDER, charts.STEAM_LINE, charts.BOILER_ROOM)
"""Hits that bear on speed and course alone: a battery on land has neither."""

CriticalEffect = Callable[[DecisionBuilder, Hit], None]
NO_INCHES = Fraction(0)


def prepare_critical(battle: Battle, owed: Owed) -> PreparedOrder:
    """The roll for a critical hit; its facts are its turn and whether the armor was penetrated."""
    turn, penetrated = owed.number("turn"), owed.has("penetrated")
    hit = Hit(owed.ship, turn, owed.entry)

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        ship = builder.ship(owed.ship)
        struck, cell = critical_cell(battle, faces[0])
        crew = struck.name == charts.BARBETTE and code(ship) in UNARMED
        said = ABANDON_SHIP if crew else cell.text
        of, place = f"critical {faces[0]} on {ship.name}", f"critical {faces[0]}"
        if struck.armored and not penetrated and not crew:
            builder.because("nothing", "GQ2-CRI-A", cell, place, of=f"{of}: {cell.text}, but not penetrated")
        elif ship.ashore and struck.name in _OF_THE_COURSE:
            builder.because("nothing, it stands on land", "GQ2-CRI-B", cell, place, of=f"{of}: {cell.text}")
        elif struck.name in _EFFECTS:
            clause, effect = _EFFECTS[struck.name]
            builder.because(said, clause, cell, place, of=of)
            (_abandon if crew else effect)(builder, hit)
        builder.result("critical", said if crew else struck.name)

    return PreparedOrder(
        dice=CRITICAL_DICE,
        decide=decide,
    )


def _mark(
    kind: str, words: str, clause: str, *, until_next: bool = False, inches: Fraction = NO_INCHES
) -> CriticalEffect:
    """Puts a mark on the ship that is hit; `inches` fill the braces in the words."""

    def effect(builder: DecisionBuilder, hit: Hit) -> None:
        builder.mark(hit.ship, kind, until=hit.turn + 1 if until_next else None)
        text = words.format(with_unit(builder.battle, inches))
        builder.because(text, clause, of=builder.ship(hit.ship).name)

    return effect


def _damage_control(builder: DecisionBuilder, hit: Hit) -> None:
    builder.mark(hit.ship, "fires")
    name = builder.ship(hit.ship).name
    builder.because("loses ½ hull box and is lit by fires", "GQ2-CRI-3", subject=name)
    lose(builder, hit.ship, HULL, 1)


def _boiler_room(builder: DecisionBuilder, hit: Hit) -> None:
    ship = builder.ship(hit.ship)
    box = min(box_in_force(ship), BOXES) + 1
    if box != ship.count("boiler"):
        builder.add(hit.ship, "boiler", box - ship.count("boiler"))
    there = f"the speed of hull box {box}" if box <= BOXES else "no speed left"
    builder.because(f"{there}, for good", "GQ2-CRI-6", of=ship.name)


def _bulkhead(builder: DecisionBuilder, hit: Hit) -> None:
    builder.because("loses a hull box to flooding", "GQ2-CRI-8", subject=builder.ship(hit.ship).name)
    lose(builder, hit.ship, HULL, 2)


def _abandon(builder: DecisionBuilder, hit: Hit) -> None:
    ship = builder.ship(hit.ship)
    if ship.afloat or ship.status == AGROUND:
        builder.write(Op.STATUS, hit.ship, "status", ABANDONED)
    builder.because("is abandoned by its crew", "GQ2-CRI-9", subject=ship.name)


def _barbette(builder: DecisionBuilder, hit: Hit) -> None:
    ship = builder.ship(hit.ship)
    builder.owe(
        BARBETTE,
        hit.ship,
        f"barbette of {ship.name}, {barbette_row(ship)}",
        D6,
        cause=hit.cause,
    )


_EFFECTS: Mapping[str, tuple[str, CriticalEffect]] = {
    charts.FIRE_CONTROL: (
        "GQ2-CRI-0",
        _mark("fire_control", "its fire control is damaged", "GQ2-CRI-0"),
    ),
    charts.BRIDGE: (
        "GQ2-CRI-1",
        _mark(
            "bridge",
            "through the first half of its next move it keeps this speed and its course",
            "GQ2-CRI-1",
            until_next=True,
        ),
    ),
    charts.RUDDER: (
        "GQ2-CRI-2",
        _mark("rudder", "from now on every 45° cost {} of its speed", "GQ2-CRI-2", inches=RUDDER_TURN),
    ),
    charts.DAMAGE_CONTROL: ("GQ2-CRI-3", _damage_control),
    charts.STEAM_LINE: (
        "GQ2-CRI-5",
        _mark("steam", "{} slower next turn", "GQ2-CRI-5", until_next=True, inches=Fraction(STEAM_LINE)),
    ),
    charts.BOILER_ROOM: ("GQ2-CRI-6", _boiler_room),
    charts.BULKHEAD: ("GQ2-CRI-8", _bulkhead),
    charts.BARBETTE: ("GQ2-CRI-9", _barbette),
}


def barbette_row(ship: Ship) -> str:
    """The line of the barbette table that a ship rolls on."""
    if ship.card.get("flash_protection") is True:
        return FLASH
    return LISTED if is_of(ship, *LISTED_NAVIES) else OTHERS


def prepare_barbette(battle: Battle, owed: Owed) -> PreparedOrder:
    """The barbette roll; for an explosion a second die is its marker, or that is rolled apart (GQ2-SNK-1)."""
    row = barbette_row(battle.ships[owed.ship])

    def explodes(face: int) -> bool:
        return barbette_cell(battle, row, face)[0].explodes

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        ship, (loss, cell) = builder.ship(owed.ship), barbette_cell(battle, row, faces[0])
        said = f"{loss.boxes} armament box{'es' if loss.boxes > 1 else ''}" if loss.boxes else cell.text
        place = f"barbette, {row} {faces[0]}"
        builder.because(said, "GQ2-CRI-9", cell, place, of=f"barbette {faces[0]} on {ship.name}, {row}")
        lose(builder, owed.ship, ARMAMENT, 2 * loss.boxes)
        if loss.explodes:
            _explode(builder, owed, faces[1:])

    return PreparedOrder(
        dice=BARBETTE_DICE,
        missing=lambda faces: () if faces else (D6,),
        judge=lambda faces: (int(explodes(faces[0])),),
        decide=decide,
        odds=(Measure("explodes", 0),),
        needs=(Need("explodes"),),
        reminders=("if it explodes, a second d6 is its sinking marker",),
    )


def _explode(builder: DecisionBuilder, owed: Owed, marker: Faces) -> None:
    ship = builder.ship(owed.ship)
    if not marker:
        builder.owe(MARKER, ship.id, f"marker of {ship.name}, which exploded", D6, cause=owed.entry)
    elif ship.status == SINKING:
        _raise_marker(builder, ship.id, marker[0])
    start_sinking(builder, ship.id, marker[0] if marker else 1, "it exploded", "GQ2-SNK-1")


def _raise_marker(builder: DecisionBuilder, id: str, face: int) -> None:
    """The marker of an explosion; a ship that is sinking keeps its own if that is higher (GQ2-SNK-1)."""
    ship = builder.ship(id)
    marker = max(face, marker_of(ship))
    set_marker(builder, id, marker)
    builder.because(f"{whose(ship.name)} sinking marker is {marker}", "GQ2-SNK-1")


def prepare_marker(battle: Battle, owed: Owed) -> PreparedOrder:
    """The marker of a ship that exploded (GQ2-SNK-1)."""

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        _raise_marker(builder, owed.ship, faces[0])

    return PreparedOrder(dice=(D6,), decide=decide)
