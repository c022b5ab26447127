"""Torpedo attacks: black to hit, white for damage (AQF-TOR)."""

from collections.abc import Mapping

from attrs import evolve, frozen

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.errors import Finding, refused
from qf_tui.core.system import Faces, Measure, Need, PreparedOrder
from qf_tui.core.values import Battle, Die, Order, Ship
from qf_tui.rules.advanced_quickfire.clauses import option
from qf_tui.rules.advanced_quickfire.damage import Damage, HitSource
from qf_tui.rules.advanced_quickfire.game import GAME
from qf_tui.rules.advanced_quickfire.gunnery import BLACK, SECOND, WHITE, declared_in_time, undeclared
from qf_tui.rules.advanced_quickfire.ship import had_torpedoes, is_torpedo_craft
from qf_tui.rules.quickfire_family.attacks import (
    has_target,
    launch_hindrances,
    launched,
    out_of_water,
    prepare_launch,
)
from qf_tui.rules.quickfire_family.chart import ChartReader
from qf_tui.rules.quickfire_family.movement import Mover
from qf_tui.rules.quickfire_family.ship import acting
from qf_tui.rules.quickfire_family.throws import Throw

POINTS_FOR_SX: Mapping[int, int] = {14: 10, 15: 7, 18: 3, 21: 2}
"""Damage points for one SX by the torpedo's size in inches (AQF-TOR-6)."""

STATIC_BOXES = 1
ODDS = (Measure("strikes", 0), Measure("mean SX", 2, mean=True), Measure("runs out", 3))

NEEDS = (Need("strikes", 0), Need("runs out", 3, (1,)))


@frozen
class TorpedoAttack:
    """A torpedo attack as declared: its modifiers with their clauses, and the reload as the phase began."""

    firer: Ship
    target: Ship
    modifiers: tuple[tuple[str, str], ...]
    reload: int
    inches: int

    @property
    def listed(self) -> int:
        """The size whose line it uses: the next smaller one, or the least of all (AQF-TOR-6)."""
        return max((size for size in POINTS_FOR_SX if size <= self.inches), default=min(POINTS_FOR_SX))

    def strikes(self, black: int) -> bool:
        """Whether the black die, less one for each modifier, is 1 or less (AQF-TOR-2)."""
        return black - len(self.modifiers) <= 1


def attack_of(battle: Battle, order: Order) -> TorpedoAttack:
    """The attack of an order."""
    firer, target = acting(battle, order.text("ship")), battle.ships[order.text("target")]
    modifiers = []
    if order.has("converging"):
        modifiers.append(("converging", "AQF-TOR-3"))
    if Mover(GAME, battle, target).moved.boxes <= STATIC_BOXES:
        modifiers.append(("static target", "AQF-TOR-4"))
    if is_torpedo_craft(firer):
        modifiers.append(("torpedo craft", "AQF-TOR-5"))
    size = firer.card.get("torpedo.size")
    inches = size if isinstance(size, int) else min(POINTS_FOR_SX)
    return TorpedoAttack(firer, target, tuple(modifiers), firer.count("torpedo_reload"), inches)


def throw_of(attack: TorpedoAttack) -> Throw:
    """The throw: white is needed only for a strike."""

    def missing(faces: Faces) -> tuple[Die, ...]:
        if not faces:
            return BLACK, WHITE
        return (WHITE,) if len(faces) == 1 and attack.strikes(faces[0]) else ()

    def judge(faces: Faces) -> tuple[int, ...]:
        if not attack.strikes(faces[0]):
            return 0, 0, 0, 0
        points = faces[0] + faces[1]
        return 1, points, points // POINTS_FOR_SX[attack.listed], int(faces[1] >= attack.reload)

    def resolve(faces: Faces, builder: DecisionBuilder, reader: ChartReader) -> None:
        struck, points, lost, out = judge(faces)
        less = "".join(f" -1 {name}" for name, _ in attack.modifiers)
        clause = attack.modifiers[0][1] if attack.modifiers else "AQF-TOR-2"
        builder.because("a strike" if struck else "a miss", clause, of="torpedo", roll=f"{faces[0]}{less}")
        if struck:
            listed, inches = attack.listed, attack.inches
            size = f"{inches}″" if listed == inches else f"{inches}″, as {listed}″"
            of = f"{points} points, one SX per {POINTS_FOR_SX[listed]} ({size})"
            builder.because(f"{lost} SX", "AQF-TOR-6", of=of)
            Damage(builder, attack.target.id, HitSource.CHECK).take(("SX",) * lost)
        if out:
            builder.remember("torpedoes-out", attack.firer.id)
            of = f"white {faces[1]} reaches the reload of {attack.reload}"
            builder.because("out of torpedoes when the phase ends", "AQF-TOR-7", of=of)
        builder.result("struck", bool(struck))
        builder.result("points", points)
        builder.result("sx", lost)

    return Throw((BLACK, WHITE), resolve, judge, ODDS, NEEDS, missing=missing)


def prepare_torpedo(battle: Battle, order: Order) -> PreparedOrder:
    """`torpedo`: one attack on one target."""
    attack = attack_of(battle, order)
    found = [
        *_not_now(battle),
        *undeclared(battle, order),
        *launch_hindrances(GAME, battle, order, _of_firer(battle, attack.firer), "AQF-TOR-1"),
    ]
    made = prepare_launch(GAME, battle, order, throw_of(attack), found)
    reminders = (
        "torpedoes leave within 270° centred on the bow; close calls go against the firer",
        f"exactly parallel courses count as {option(battle, 'parallel')}",
    )
    return declared_in_time(battle, evolve(made, reminders=reminders))


def _not_now(battle: Battle) -> list[Finding]:
    if battle.phase == SECOND:
        return []
    return [refused("torpedoes are launched in the second gunnery phase only", "AQF-PH-4")]


def _of_firer(battle: Battle, firer: Ship) -> list[Finding]:
    """What hinders any launch of a ship."""
    found = []
    if not had_torpedoes(firer):
        found.append(refused(f"{firer.name} never had torpedoes", "AQF-TOR-8"))
    elif firer.count("torpedo_reload") == 0:
        found.append(refused(f"{firer.name} has no torpedoes left", "AQF-TOR-8"))
    return found + launched(battle, firer, "AQF-TOR-1")


def cross_out(battle: Battle, builder: DecisionBuilder) -> None:
    """The phase ends: ships that ran out cross their torpedo line out (AQF-TOR-7)."""
    for act in battle.acts:
        if act.kind != "torpedoes-out" or (act.turn, act.phase) != (battle.turn, battle.phase):
            continue
        ship = builder.battle.ships.get(act.ship)
        if ship is not None and ship.count("torpedo_reload") > 0:
            builder.add(ship.id, "torpedo_reload", -ship.count("torpedo_reload"))
            builder.because("is out of torpedoes", "AQF-TOR-7", subject=battle.called(ship.id))


def may_launch(battle: Battle, ship: Ship) -> bool:
    """Whether a ship may still launch in this phase: some target and range are not refused."""
    if _not_now(battle) or _of_firer(battle, acting(battle, ship.id)):
        return False
    return has_target(GAME, battle, ship.id, out_of_water)
