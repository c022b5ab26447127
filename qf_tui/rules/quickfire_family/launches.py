"""Boat guns and torpedoes in the Quickfire games: who may use them, and the orders for them.

Battery fire is in `attacks`.
"""

from attrs import evolve

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.declarations import Measure, Need, PreparedOrder
from qf_tui.core.errors import Finding, impossible, refused
from qf_tui.core.grammar import kinds
from qf_tui.core.text import Distance, format_possessive
from qf_tui.core.values import Battle, Die, Faces, Form, Order, Ship, Slot
from qf_tui.rules.quickfire_family.attacks import (
    TARGET,
    find_pending_attack,
    list_attack_findings,
    record_shot,
    refuse_repeat,
)
from qf_tui.rules.quickfire_family.chart import (
    ChartReader,
    build_plain_reader,
    list_columns,
)
from qf_tui.rules.quickfire_family.damage import DealDamage, Resolve, TableLine
from qf_tui.rules.quickfire_family.game import POINT_BLANK, Game
from qf_tui.rules.quickfire_family.movement import Mover
from qf_tui.rules.quickfire_family.ship import (
    SHIP,
    find_ship_at_start,
    is_light_craft,
)
from qf_tui.rules.quickfire_family.throws import Roll, Throw, prepare_ship_order

MOVING, STATIC = "moving", "static"
"""Rows of the torpedo chart."""
SPEED_HITS = "speed-hits"
"""The line of the roll that says how many S hits a torpedo strike brings."""


def build_boats_form(dice: str, phases: tuple[str, ...], help: str, *more: Slot) -> Form:
    """Build the form of `boats`, with the dice and phases of a game and its further slots."""
    # Boat guns hurt light craft only, so these targets are offered first.
    target = evolve(TARGET, likely=is_light_craft)
    range = Slot("range", kinds.MEASURE, "the range", choices=(POINT_BLANK,), optional=True, to=target.name)
    return Form(
        "boats",
        "b",
        "Boat guns",
        (SHIP, target, range, *more),
        dice=dice,
        phases=phases,
        help=help,
        says="{ship} boat guns| at {target}|, {range}",
    )


def prepare_boats(
    game: Game, battle: Battle, order: Order, throw: Throw, findings: list[Finding]
) -> PreparedOrder:
    """Prepare `boats`: the boat guns of one ship at one target; the act is remembered once declared."""
    target = order.text("target")
    prompt = f"boat guns of {battle.called(order.text('ship'))} at {battle.called(target)}"
    reminders = () if "range" in order.slots else ("boat guns fire at point blank only, in any direction",)
    prepared = prepare_ship_order(game, battle, order, throw, findings, prompt, target=target)
    return evolve(prepared, reminders=reminders)


def list_boat_findings(
    game: Game, battle: Battle, order: Order, points_findings: list[Finding], clause: str
) -> list[Finding]:
    """Return the findings against fire of boat guns at a target and range.

    Args:
        points_findings: Findings of the game against the firer's boat gun points.
    """
    target = battle.ships[order.text("target")]
    findings = list_attack_findings(game, battle, order.text("ship"), target)
    if not is_light_craft(target):
        findings.append(refused(f"{target.name} is no light craft: boat guns cannot hurt it", clause))
    findings.extend(points_findings)
    if "range" in order.slots and game.find_range_bracket(battle, order) != POINT_BLANK:
        text = f"{order.slots['range']} is beyond point blank: boat guns fire no farther"
        findings.append(refused(text, clause))
    return findings


def build_boat_throw(
    battle: Battle,
    target: str,
    dice: tuple[Die, ...],
    line: TableLine,
    deal_damage: DealDamage,
    explosion_clause: str = "",
) -> Throw:
    """Build the throw of boat guns: each die gives the codes of its cell.

    Args:
        line: Line of the chart that the dice are read on.
        explosion_clause: Clause by which several equal dice also bring an explosion; "" for a single die.
    """
    odds_reader = build_plain_reader(battle)

    def list_codes(faces: Faces) -> list[str]:
        return [code for face in faces for code in odds_reader.read_codes(line.table, line.row, face)[0]]

    def is_explosion(faces: Faces) -> bool:
        return len(faces) > 1 and len(set(faces)) == 1

    def judge(faces: Faces) -> tuple[int, ...]:
        """Return the number of hits, and 1 if there is an explosion."""
        hit_codes = list_codes(faces)
        return len(hit_codes), int(is_explosion(faces) or "E" in hit_codes)

    def resolve(faces: Faces, builder: DecisionBuilder, reader: ChartReader) -> None:
        hits: list[str] = []
        # In strict mode a cell may be missing, so all are read before anything is written.
        cells = [reader.read_codes(line.table, line.row, face) for face in faces]
        for face, (hit_codes, cell) in zip(faces, cells, strict=True):
            text = " ".join(hit_codes) or "nothing"
            place = f"{line.title} {face}"
            builder.because(text, line.clause, cell, place, of="boat gun", roll=str(face))
            deal_damage(builder, target, hit_codes)
            hits.extend(hit_codes)
        if is_explosion(faces):
            builder.because("an explosion", explosion_clause, roll=f"{len(faces)} dice show {faces[0]}")
            deal_damage(builder, target, ("E",))
        record_shot(builder, fired=True, hits=tuple(hits), blast=("E",) if is_explosion(faces) else ())

    # Only games with an explosion clause throw several dice; then each die hits by itself.
    return Throw(
        dice=dice,
        resolve=resolve,
        judge=judge,
        odds=(Measure("hits", 0),),
        needs=(Need("hits", 0, each=bool(explosion_clause)),),
        alike=lambda faces: (tuple(list_codes(faces)), is_explosion(faces)),
    )


def build_torpedo_range_slot(game: Game, choices: tuple[str, ...]) -> Slot:
    """Build the range slot of a torpedo attack.

    Args:
        choices: Words that an order may give for the range.
    """

    def format_offer(battle: Battle, word: str) -> str:
        """Return the text to offer for a choice; the choice of any distance in range shows the limits."""
        return f"in ({game.format_torpedo_range(battle)})" if word == "in" else word

    return Slot(
        "range",
        kinds.MEASURE,
        "in range, or a distance",
        choices=choices,
        offered=format_offer,
        to=TARGET.name,
    )


def refuse_land_target(target: Ship) -> list[Finding]:
    """Return the finding against torpedoes at a battery on land; [] for other targets."""
    return (
        [impossible(f"{target.name} is a battery on land: no torpedo reaches it")]
        if target.is_land_battery
        else []
    )


def list_launch_findings(
    game: Game, battle: Battle, order: Order, firer_findings: list[Finding], clause: str
) -> list[Finding]:
    """Return the findings against a launch at a target and range.

    Args:
        firer_findings: Findings against any launch of the firer.
    """
    target = battle.ships[order.text("target")]
    distance = order.slots["range"]
    findings = [
        *list_attack_findings(game, battle, order.text("ship"), target),
        *refuse_land_target(target),
        *firer_findings,
    ]
    least, most = game.find_torpedo_range(battle)
    # A word instead of a distance is not out of torpedo range.
    amount = game.to_scale_unit(battle, distance) if isinstance(distance, Distance) else least
    if not least <= amount <= most:
        switch = game.format_switches("torpedo_least") if amount < least else ""
        text = f"{distance} is out of torpedo range, {game.format_torpedo_range(battle)}{switch}"
        findings.append(refused(text, clause))
    return findings


def refuse_second_launch(battle: Battle, firer: Ship, clause: str) -> list[Finding]:
    """Return the finding against a second launch of a ship in a turn, or [] if she has not launched."""
    if not battle.list_turn_acts("torpedo", firer.id):
        return []
    owed = find_pending_attack(battle, "torpedo", firer.id)
    done_text = f"{firer.name} has launched at a target this turn"
    return [refuse_repeat(owed, f"{format_possessive(firer.name)} torpedo attack is", done_text, clause)]


def build_launch_throw(
    battle: Battle, order: Order, dice: tuple[Die, ...], *, static: bool, roll_clause: str, hits_clause: str
) -> Throw:
    """Build the throw of a launch. A strike owes a second roll, for the number of S hits.

    The torpedo rating is read as the phase began. A rating without a column uses the next lower one.

    Args:
        static: True if the target hardly moved.

    Rule: QF-TOR-1.
    """
    odds_reader = build_plain_reader(battle)
    rating = find_ship_at_start(battle, order.text("ship")).count("torpedo")
    row = STATIC if static else MOVING
    columns = [int(name) for name in list_columns(battle, "torpedo", row) if name.isdecimal()]
    column_rating = max((printed for printed in columns if printed <= rating), default=rating)
    column = str(column_rating)
    rating_text = f"{rating}" if column_rating == rating else f"{rating}, as {column_rating}"

    def judge(faces: Faces) -> tuple[int, ...]:
        most, _ = odds_reader.read_greatest_roll("torpedo", row, column)
        return (int(sum(faces) <= most),)

    def resolve(faces: Faces, builder: DecisionBuilder, reader: ChartReader) -> None:
        most, cell = reader.read_greatest_roll("torpedo", row, column)
        is_strike = sum(faces) <= most
        sign, text = ("≤", "a strike") if is_strike else (">", "a miss")
        of = f"torpedo rating {rating_text}, {row} target:"
        roll = f"{sum(faces)}{sign}{most}"
        builder.because(text, roll_clause, cell, f"torpedo {row}, {column}", of=of, roll=roll)
        if is_strike:
            target = order.text("target")
            name = battle.called(target)
            builder.because("takes as many S as the next die shows", hits_clause, subject=name)
            builder.owe(SPEED_HITS, target, f"S hits of a torpedo on {name}", Die(6))
        builder.result("struck", is_strike)
        # These games have neither damage points nor SX.
        builder.result("points", None)
        builder.result("sx", None)

    needs = (Need("strikes", 0, tuple(range(len(dice)))),)
    return Throw(dice=dice, resolve=resolve, judge=judge, odds=(Measure("strikes", 0),), needs=needs)


def prepare_launch(
    game: Game, battle: Battle, order: Order, throw: Throw, findings: list[Finding]
) -> PreparedOrder:
    """Prepare `torpedo`: one launch at one target. Its declaration is remembered as an act.

    If the target's movement is only assumed, the order says so.
    """
    target = order.text("target")
    prompt = f"torpedo of {battle.called(order.text('ship'))} at {battle.called(target)}"
    return evolve(
        prepare_ship_order(game, battle, order, throw, findings, prompt, target=target),
        assumes=Mover(game, battle, battle.ships[target]).assumption,
    )


def build_speed_hits_effect(roll: Roll, clause: str, deal_damage: DealDamage) -> Resolve:
    """Build the effect of a torpedo strike's second roll: the die shows the number of S hits."""

    def resolve(faces: Faces, builder: DecisionBuilder, reader: ChartReader) -> None:
        hits = ("S",) * faces[0]
        builder.because(f"{faces[0]} S", clause, of=f"torpedo on {builder.battle.called(roll.ship)}")
        deal_damage(builder, roll.ship, hits)
        builder.result("hits", hits)

    return resolve
