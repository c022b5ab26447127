"""The repair phase: damage control, smoke, and ships that go down (GQ2-REP-1, GQ2-SNK-1, GQ2-CRI-3)."""

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.errors import impossible
from qf_tui.core.system import Faces, Measure, Need, PreparedOrder
from qf_tui.core.values import Battle, Die, Owed
from qf_tui.rules.gq2.damage import HULL, lose, marker_of, set_marker, sink
from qf_tui.rules.gq2.lighting import clear_smoke
from qf_tui.rules.gq2.ship import BOXES, SINKING, STEAMING, box_in_force, hull_speed

DAMAGE_CONTROL, POWER, SINKING_LINE, TESTED = "damage-control", "power", "sinking", "sinking-tested"
NO = "no"
D6 = (Die(6),)
REPAIRED_BY = 4
"""The greatest face that repairs a damage-control hit (GQ2-CRI-3)."""


def begin_repair(builder: DecisionBuilder) -> None:
    """Smoke is taken up; damage control is owed, and the word on power (GQ2-REP-1, GQ2-CRI-B, GQ2-MV-8)."""
    clear_smoke(builder.battle, builder)
    for ship in builder.battle.ships.values():
        if ship.gone:
            continue
        for mark in ship.live("fires"):
            builder.owe(
                DAMAGE_CONTROL, ship.id, f"damage control on {ship.name}", *D6, facts={"fire": mark.id}
            )
        steams = ship.afloat and not ship.ashore and ship.log.get("state") == STEAMING
        if steams and not hull_speed(ship, box_in_force(ship)):
            boxes = range(1 + ship.count("hull_lost") // 2, BOXES + 1)
            asked = f"does {ship.name} regain power? no, or the hull box whose speed she has again"
            words = (*(str(box) for box in boxes if hull_speed(ship, box)), NO)
            builder.owe(POWER, ship.id, asked, words=words)


def prepare_power(battle: Battle, owed: Owed, words: tuple[str, ...]) -> PreparedOrder:
    """The umpire's word on whether a ship regains power, and the hull box of its speed (GQ2-MV-8)."""
    if len(words) != 1 or words[0] not in owed.words:
        return PreparedOrder(findings=(impossible(f"{owed.prompt}: one of {', '.join(owed.words)}"),))
    ship, box = battle.ships[owed.ship], words[0]

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        if box != NO:
            builder.add(ship.id, "boiler", int(box) - ship.count("boiler"))
        again = "regains no power" if box == NO else f"has the speed of hull box {box} again"
        builder.because(again, "GQ2-MV-8", subject=ship.name)

    return PreparedOrder(decide=decide)


def owe_sinking(builder: DecisionBuilder) -> None:
    """When damage control is done each sinking ship is tested, once a turn (GQ2-REP-1, GQ2-SNK-1)."""
    battle = builder.battle
    for ship in battle.ships.values():
        if ship.status == SINKING and not battle.done(TESTED, ship.id):
            builder.remember(TESTED, ship.id)
            builder.owe(
                SINKING_LINE,
                ship.id,
                f"sinking of {ship.name}, marker {marker_of(ship)}",
                *D6,
                cause=battle.opened,
            )


def prepare_damage_control(battle: Battle, owed: Owed) -> PreparedOrder:
    """The roll of one damage-control hit: repaired, or half a hull box more (GQ2-CRI-3)."""

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        ship = builder.ship(owed.ship)
        if faces[0] <= REPAIRED_BY:
            for mark in ship.live("fires"):
                if mark.id == owed.text("fire"):
                    builder.lift(ship.id, mark)
            builder.because("repaired, a fire less", "GQ2-CRI-3", of=f"{ship.name},", roll=str(faces[0]))
        else:
            builder.because(
                "not repaired, ½ hull box more", "GQ2-CRI-3", of=f"{ship.name},", roll=str(faces[0])
            )
            lose(builder, ship.id, HULL, 1)
        builder.result("mended", faces[0] <= REPAIRED_BY)

    return PreparedOrder(
        dice=D6,
        judge=lambda faces: (int(faces[0] <= REPAIRED_BY),),
        decide=decide,
        odds=(Measure("repaired", 0),),
        needs=(Need("repairs"),),
    )


def prepare_sinking(battle: Battle, owed: Owed) -> PreparedOrder:
    """The test of a sinking ship against its marker (GQ2-SNK-1)."""
    marker = marker_of(battle.ships[owed.ship])

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        ship, goes = builder.ship(owed.ship), faces[0] < marker
        sign, does = ("<", "goes down") if goes else ("≥", f"stays, marker {marker + 1}")
        builder.because(does, "GQ2-SNK-1", of=f"{ship.name},", roll=f"{faces[0]}{sign}{marker}")
        if goes:
            sink(builder, ship.id)
        else:
            set_marker(builder, ship.id, marker + 1)
        builder.result("sunk", goes)

    return PreparedOrder(
        dice=D6,
        judge=lambda faces: (int(faces[0] < marker),),
        decide=decide,
        odds=(Measure("goes down", 0),),
        needs=(Need("goes down"),),
    )
