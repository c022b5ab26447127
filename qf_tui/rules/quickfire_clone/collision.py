"""Collisions of ships in Quickfire-Clone: each strikes the other with white dice, by a switch also black.

Rule: QFC-COL.
"""

from fractions import Fraction

from attrs import evolve

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.declarations import Measure, Need, PreparedOrder
from qf_tui.core.errors import Finding, impossible, refused
from qf_tui.core.values import Battle, Die, Faces, Order, Ship
from qf_tui.rules.quickfire_clone.clauses import read_option
from qf_tui.rules.quickfire_clone.game import GAME, look_up_gunnery
from qf_tui.rules.quickfire_clone.gunnery import Blow, Result, find_blast_row, read_hit, write_hit
from qf_tui.rules.quickfire_family.chart import ChartReader, build_plain_reader
from qf_tui.rules.quickfire_family.game import AGROUND, AGROUND_CLAUSE
from qf_tui.rules.quickfire_family.ship import Battery, read_armor, read_gunnery, refuse_out_of_play
from qf_tui.rules.quickfire_family.throws import Throw, prepare_ship_order

WHITE_DICE = (Die(6, "rammer's white"), Die(6, "rammed ship's white"))
BLACK_DICE = (Die(6, "rammer's black"), Die(6, "rammed ship's black"))
ODDS = (Measure("rammer hits", 0), Measure("rammed hits", 1))


def _has_black_dice(battle: Battle) -> bool:
    """Return whether collisions also throw black dice, which count only for blast (a switch).

    Rule: QFC-COL-2.
    """
    return read_option(battle, "collision_blast") == "yes"


def _build_blow(battle: Battle, striker: Ship, struck: Ship, battery: Battery) -> Blow:
    """Build the blow of one ship's battery against the other ship."""
    # Ships that touch are at range 0.
    blast_row = find_blast_row(battle, battery, Fraction(0)) if _has_black_dice(battle) else ""
    return Blow(
        striker,
        struck,
        battery,
        look_up_gunnery(battle, read_gunnery(striker, battery), read_armor(struck, battery)),
        blast_row,
    )


def build_blows(battle: Battle, order: Order) -> tuple[Blow, Blow]:
    """Return the blows of a collision: the rammer's blow with heavy guns, then the blow of the rammed ship.

    The rammed ship strikes with light guns, or with heavy ones if both ram.
    """
    rammer, rammed = battle.ships[order.text("rammer")], battle.ships[order.text("rammed")]
    rammer_blow = _build_blow(battle, rammer, rammed, Battery.HEAVY)
    rammed_battery = Battery.HEAVY if order.has("both") else Battery.LIGHT
    return rammer_blow, _build_blow(battle, rammed, rammer, rammed_battery)


def _has_guns(blow: Blow) -> bool:
    """Return whether the ship that strikes has guns of the blow's battery."""
    return read_gunnery(blow.firer, blow.battery) > 0


StruckBlow = tuple[Blow, Faces, Result]
"""A blow with its dice and their result. A blow without guns does not fire."""


def _read_blows(
    blows: tuple[Blow, Blow], faces: Faces, dice_per_blow: int, reader: ChartReader
) -> list[StruckBlow]:
    """Read the result of each blow; a blow without guns or dice brings nothing.

    Args:
        dice_per_blow: Number of dice of a blow.
    """
    struck_blows = []
    for place, blow in enumerate(blows):
        first = place * dice_per_blow
        blow_faces = faces[first : first + dice_per_blow]
        has_dice_and_guns = bool(blow_faces) and _has_guns(blow)
        result = read_hit(blow, blow_faces, reader) if has_dice_and_guns else Result(fired=False)
        struck_blows.append((blow, blow_faces, result))
    return struck_blows


def _write_blows(struck_blows: list[StruckBlow], builder: DecisionBuilder) -> None:
    """Write the hits and blast of both blows, and the outcome of the collision."""
    for blow, blow_faces, result in struck_blows:
        name = blow.firer.name
        if not result.fired:
            builder.because("no blow", "QFC-COL-2", of=f"{name} has no {blow.battery.value} guns")
        write_hit(blow, blow_faces, result, builder, f"{name} strikes {blow.target.name}, ")
    builder.result("hits", tuple(code for _, _, result in struck_blows for code in result.hits))
    if _has_black_dice(builder.battle):
        builder.result("blast", tuple(code for _, _, result in struck_blows for code in result.blast))


def build_throw(battle: Battle, blows: tuple[Blow, Blow]) -> Throw:
    """Build the throw of a collision: the dice of the first blow, then those of the second.

    The second blow's dice are not needed if its ship has no guns; without any guns no dice are needed.
    """
    reader = build_plain_reader(battle)
    with_black = _has_black_dice(battle)
    dice = (BLACK_DICE[0], WHITE_DICE[0], BLACK_DICE[1], WHITE_DICE[1]) if with_black else WHITE_DICE
    dice_per_blow = len(dice) // 2
    # If only the second ship has guns, the dice of the first blow are thrown all the same, to keep the order.
    blows_thrown = 2 if _has_guns(blows[1]) else 1 if _has_guns(blows[0]) else 0
    dice_needed = blows_thrown * dice_per_blow

    def judge(faces: Faces) -> tuple[int, ...]:
        results = [result for _, _, result in _read_blows(blows, faces, dice_per_blow, reader)]
        hits_of_blows = [len(result.hits) for result in results]
        return (*hits_of_blows, sum(len(result.blast) for result in results))

    return Throw(
        dice=dice,
        resolve=lambda faces, builder, reader: _write_blows(
            _read_blows(blows, faces, dice_per_blow, reader), builder
        ),
        judge=judge,
        odds=(*ODDS, Measure("blast", 2)) if with_black else ODDS,
        # The white die, which decides the hit, is the last of each blow.
        needs=tuple(
            Need(text, place, ((place + 1) * dice_per_blow - 1,))
            for place, text in enumerate(("hits the rammed ship", "hits the rammer")[:blows_thrown])
        ),
        missing=lambda faces: dice[len(faces) : dice_needed],
    )


def prepare_collide(battle: Battle, order: Order) -> PreparedOrder:
    """Prepare `collide`: both ships stop, each strikes the other, and neither attacks in this turn."""
    rammer, rammed = battle.ships[order.text("rammer")], battle.ships[order.text("rammed")]

    def declare(builder: DecisionBuilder) -> None:
        builder.remember("collide", rammer.id, other=rammed.id)
        builder.remember("collide", rammed.id, other=rammer.id)
        builder.because(
            f"{rammer.name} and {rammed.name} stop, and neither fire nor launch this turn", "QFC-COL-1"
        )

    throw = build_throw(battle, build_blows(battle, order))
    findings = _list_findings(battle, rammer, rammed)
    prepared = prepare_ship_order(GAME, battle, order, throw, findings, f"{rammer.name} rams {rammed.name}")
    return evolve(prepared, declare=declare)


def _list_findings(battle: Battle, rammer: Ship, rammed: Ship) -> tuple[Finding, ...]:
    """Return the findings against a collision."""
    if rammer.id == rammed.id:
        return (impossible(f"{rammer.name} cannot collide with itself"),)
    if rammer.is_land_battery or rammed.is_land_battery:
        return (impossible(f"{rammer.name} cannot collide with {rammed.name}: a battery is on land"),)
    findings = [*refuse_out_of_play(GAME, rammer), *refuse_out_of_play(GAME, rammed)]
    if rammer.status == AGROUND:
        findings.append(refused(f"{rammer.name} is aground: its movement is 0", AGROUND_CLAUSE))
    if battle.phase != GAME.movement:
        findings.append(refused("ships collide in the movement phase only", "QFC-PH-1"))
    # Both ships remember a collision, so the acts of one suffice.
    if any(act.read_text("other") == rammed.id for act in battle.list_turn_acts("collide", rammer.id)):
        text = f"{rammer.name} and {rammed.name} have collided this turn"
        findings.append(refused(text, "QFC-COL-2"))
    return tuple(findings)


def stop_collided(battle: Battle, builder: DecisionBuilder) -> None:
    """Set the last distance to 0 for ships that collided last turn, as a new turn begins.

    Rule: QFC-COL-1.
    """
    for ship in battle.ships.values():
        if battle.list_turn_acts("collide", ship.id, turn=battle.turn - 1):
            builder.record(ship.id, "distance", "0")
            builder.record(ship.id, "went", "0")
