"""The repair phase: damage control, smoke, and ships that go down (GQ2-REP-1, GQ2-SNK-1, GQ2-CRI-3)."""

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.system import Faces, Measure, Need, PreparedOrder
from qf_tui.core.values import Battle, Die, Owed
from qf_tui.rules.gq2.damage import HULL, lose, marker_of, set_marker, sink
from qf_tui.rules.gq2.lighting import clear_smoke
from qf_tui.rules.gq2.ship import SINKING

DAMAGE_CONTROL, SINKING_LINE, TESTED = "damage-control", "sinking", "sinking-tested"
D6 = (Die(6),)
REPAIRED_BY = 4
"""The greatest face that repairs a damage-control hit (GQ2-CRI-3)."""


def begin_repair(builder: DecisionBuilder) -> None:
    """Smoke is taken up, and every damage-control hit owes its roll (GQ2-REP-1, GQ2-CRI-B)."""
    clear_smoke(builder.battle, builder)
    for ship in builder.battle.ships.values():
        if ship.gone:
            continue
        for mark in ship.live("fires"):
            builder.owe(
                DAMAGE_CONTROL, ship.id, f"damage control on {ship.name}", *D6, facts={"fire": mark.id}
            )


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
