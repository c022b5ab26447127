"""Battery fire, boat guns and torpedo attacks in Quickfire: who may attack, and what the dice do.

Rule: QF-GUN, QF-BLA, QF-BG, QF-TOR.
"""

from fractions import Fraction
from math import ceil

from attrs import evolve

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.declarations import PreparedOrder
from qf_tui.core.errors import Finding, impossible, refused
from qf_tui.core.text import Distance, format_possessive
from qf_tui.core.values import Battle, Die, Faces, Order, Ship
from qf_tui.rules.quickfire.clauses import read_option
from qf_tui.rules.quickfire.damage import D6, TWO_D6, Damage
from qf_tui.rules.quickfire.game import GAME
from qf_tui.rules.quickfire_family.attacks import (
    BatteryResult,
    Codes,
    Fire,
    Gunnery,
    Shot,
    describe_rof,
    find_pending_attack,
    has_one_roll,
    list_acts_in_phase,
    list_attack_findings,
    refuse_repeat,
)
from qf_tui.rules.quickfire_family.chart import NONE, ChartReader
from qf_tui.rules.quickfire_family.damage import TableLine
from qf_tui.rules.quickfire_family.launches import (
    build_boat_throw,
    build_launch_throw,
    list_boat_findings,
    list_launch_findings,
    prepare_boats,
    prepare_launch,
    refuse_second_launch,
)
from qf_tui.rules.quickfire_family.ledger import Source
from qf_tui.rules.quickfire_family.movement import Mover
from qf_tui.rules.quickfire_family.settlement import build_damage_dealer, deal_codes
from qf_tui.rules.quickfire_family.ship import Battery, find_ship_at_start
from qf_tui.rules.quickfire_family.throws import Throw

PHASE = "gunnery"
"""The phase of gunnery and torpedoes."""


class PhaseFire(Gunnery):
    """The battery fire of the one gunnery phase, with one black and two white six-sided dice."""

    game = GAME
    dice = (Die(6, "black"), Die(6, "white"), Die(6, "white"))
    phases = (PHASE,)
    names_boat_guns = True
    phase_text = "the gunnery phase"
    phase_clause = "QF-PH-1"
    card_clause = "QF-LOG-1"
    rof_clause = "QF-GUN-1"
    arc_clause = "QF-GUN-5"
    once_clause = "QF-GUN-7"
    reach_clause = "QF-SCA-1"
    long_range_clause = "QF-GUN-8"
    small_target_clause = "QF-GUN-9"
    line_clause = "QF-GUN-2"
    hits_clause = "QF-GUN-3"
    blast_clause = "QF-BLA-1"

    def prepare(self, battle: Battle, order: Order) -> PreparedOrder:
        """Prepare `fire`; remind of a missing guess if ranges are guessed."""
        lacks_guess = read_option(battle, "range_guessing") == "yes" and "guess" not in order.slots
        hint = ("no range was guessed: the ROF die does not change",) if lacks_guess else ()
        prepared = super().prepare(battle, order)
        return evolve(prepared, reminders=(*hint, *prepared.reminders))

    def is_rof_halved(self, battle: Battle) -> bool:
        """Return whether fire in an end arc halves the ROF, by a switch; by default it halves the rating."""
        return read_option(battle, "end_arc") == "rof"

    def adjust_fire(self, battle: Battle, order: Order, firer: Ship, fire: Fire) -> Fire:
        """Add the modifier of a guessed range to the ROF die; by a switch the first fire is the auto shot.

        If each battery has its own roll, only the heavy one is the ship's first fire.

        Rule: QF-GUN-6, QF-OPT-3.
        """
        is_first_fire = battle.ships[firer.id].log.get("auto_shot") is not True
        has_auto_shot = is_first_fire and read_option(battle, "auto_shot") == "yes"
        is_second_roll = (
            fire.battery is Battery.LIGHT and order.text("battery") == "both" and not has_one_roll(battle)
        )
        return evolve(
            fire, modifier=find_guess_modifier(battle, order), auto=has_auto_shot and not is_second_roll
        )

    def list_findings(self, battle: Battle, order: Order, shot: Shot) -> list[Finding]:
        """Return all findings against a shot: phase, target, batteries, range and guess."""
        findings = [
            *self.refuse_phase(battle),
            *list_attack_findings(GAME, battle, shot.firer.id, shot.target),
        ]
        if len(shot.fires) > 1 and read_option(battle, "batteries") == "one":
            text = "a ship fires one of its batteries in a phase (switch batteries)"
            findings.append(refused(text, "QF-GUN-7"))
        return [*findings, *self.list_gun_findings(battle, order, shot), *_list_guess_findings(battle, order)]

    def list_refire_findings(
        self, battle: Battle, firer: Ship, battery: Battery, fired: set[str]
    ) -> list[Finding]:
        """Refuse a battery if the ship's other one fired in this phase, unless a switch allows both.

        Args:
            fired: Names of the ship's batteries that fired in this phase.
        """
        # If the battery itself has fired, that is a finding already.
        if not fired or battery in fired or read_option(battle, "batteries") == "both":
            return []
        text = f"{firer.name} has fired its other battery in this phase (switch batteries)"
        return [refused(text, "QF-GUN-7")]

    def list_range_findings(self, battle: Battle, order: Order, shot: Shot) -> list[Finding]:
        """Refuse fire at the light armor: each battery fires at the armor of its own kind."""
        if not shot.light_armor:
            return []
        return [refused("each battery fires at the armor of its own kind", "QF-GUN-2")]

    def format_rof(self, fire: Fire) -> tuple[str, str]:
        """Return the ROF of a battery as text, and the clause of its roll."""
        return str(fire.rof), "QF-OPT-3" if fire.modifier else "QF-GUN-1"

    def explain_rof(
        self, builder: DecisionBuilder, shot: Shot, result: BatteryResult, black_die: int
    ) -> None:
        """Explain whether a battery fires. If an auto shot fires, the reason is the rule, not the die."""
        if not result.fire.auto or not result.fired:
            super().explain_rof(builder, shot, result, black_die)
            return
        text = f"{format_possessive(builder.battle.called(shot.firer.id))} first fire always counts"
        battery = describe_rof(GAME, shot.firer, result.fire.battery)
        builder.because(text, "QF-GUN-6", of=battery, roll=str(black_die))

    def note_rof(
        self, battle: Battle, builder: DecisionBuilder, shot: Shot, results: list[BatteryResult]
    ) -> None:
        """Log the ship's auto shot (her first fire) as used, if a battery fired by it."""
        if any(result.fire.auto and result.fired for result in results):
            builder.record(shot.firer.id, "auto_shot", True)

    def read_hits(self, fire: Fire, line: str, faces: Faces, reader: ChartReader) -> BatteryResult:
        """Read the hits of a battery from the total of its white dice.

        A total above the number of the line misses. Otherwise the table of hits gives how many: all G if the
        total is odd, all S if it is even.

        Rule: QF-GUN-2, QF-GUN-3, QF-GUN-4.
        """
        total = sum(faces)
        most, cell = reader.read_greatest_roll("battery", line, "total")
        line_text = f"{line}% line, {most} or less hits"
        line_source = (cell, f"battery {line}%")
        result = BatteryResult(
            fire, fired=True, line_text=line_text, line_source=line_source, hits_source=line_source
        )
        if total > most:
            return result
        count_cell = reader.find_cell("hits", "hits", str(total))
        count = 0 if count_cell.text == NONE else int(count_cell.text)
        code = "G" if total % 2 else "S"
        return evolve(result, hits=(code,) * count, hits_source=(count_cell, f"hits {total}"))

    def apply_codes(self, builder: DecisionBuilder, shot: Shot, battery: Battery, codes: Codes) -> None:
        """Deal the codes of a shot to its target, as damage of this battery."""
        deal_codes(Damage(builder, shot.target.id, Source(battery.value)), codes)


GUNNERY = PhaseFire()


def find_guess_modifier(battle: Battle, order: Order) -> int:
    """Return the number that a guessed range adds to the ROF die; 0 without a guess or its switch.

    It is -1 for a guess on the model (within half its base, or `on`), 0 up to a cable beyond that, and one
    more for each further cable begun.

    Rule: QF-OPT-3.
    """
    guess, measured = order.slots.get("guess"), order.slots["range"]
    if read_option(battle, "range_guessing") == "no":
        return 0
    if guess == "on":
        return -1
    if not isinstance(guess, Distance) or not isinstance(measured, Distance):
        return 0
    error = abs(GAME.to_scale_unit(battle, guess) - GAME.to_scale_unit(battle, measured))
    base = order.slots.get("base")
    half_base = GAME.to_scale_unit(battle, base) / 2 if isinstance(base, Distance) else Fraction(0)
    if error <= half_base:
        return -1
    cables = (error - half_base) / GAME.find_measures(battle).cable
    # The first cable adds nothing.
    return ceil(cables) - 1


def _list_guess_findings(battle: Battle, order: Order) -> list[Finding]:
    """Return the finding against a guess: the switch is off, or the guess cannot be compared with the range.

    Rule: QF-OPT-3.
    """
    if "guess" not in order.slots and "base" not in order.slots:
        return []
    if read_option(battle, "range_guessing") == "no":
        return [refused("ranges are guessed only under the switch range_guessing", "QF-OPT-3")]
    guess = order.slots.get("guess")
    if guess is None:
        return [impossible("a base needs a guess: `guess 20in base 2in`")]
    if isinstance(guess, Distance) and not isinstance(order.slots["range"], Distance):
        return [impossible(f"the guess {guess} needs a measured range, like `{guess}`, or `guess on`")]
    return []


_BOAT_GUNS = TableLine("boat-guns", "QF-BG-1", "boat guns", "", table="boat-guns")


def prepare_boat_fire(battle: Battle, order: Order) -> PreparedOrder:
    """Prepare `boats`: one die of one firer at one target, once in a phase."""
    firer = battle.ships[order.text("ship")]
    findings: list[Finding] = []
    points_findings: list[Finding] = []
    if battle.phase != PHASE:
        findings.append(refused("boat guns fire in the gunnery phase only", "QF-PH-1"))
    if find_ship_at_start(battle, firer.id).count("boat_guns") == 0:
        points_findings.append(refused(f"{firer.name} has no boat guns", "QF-BG-1"))
    findings += list_boat_findings(GAME, battle, order, points_findings, "QF-BG-1")
    if list_acts_in_phase(battle, "boats", firer.id):
        guns = f"{format_possessive(firer.name)} boat guns"
        owed = find_pending_attack(battle, "boats", firer.id)
        findings.append(refuse_repeat(owed, f"{guns} are", f"{guns} have fired in this phase", "QF-BG-1"))
    return prepare_boats(GAME, battle, order, build_boat_gun_throw(battle, order.text("target")), findings)


def build_boat_gun_throw(battle: Battle, target: str) -> Throw:
    """Build the throw of boat guns: one die."""
    return build_boat_throw(battle, target, (D6,), _BOAT_GUNS, build_damage_dealer(Damage, Source.BOATS))


def build_torpedo_throw(battle: Battle, order: Order) -> Throw:
    """Build the throw of a torpedo attack. A target that moved no more than one box is static.

    Rule: QF-TOR-6.
    """
    mover = Mover(GAME, battle, battle.ships[order.text("target")])
    static = mover.movement.distance <= mover.measure_boxes(1)
    roll_clause = "QF-TOR-2" if static else "QF-TOR-1"
    return build_launch_throw(
        battle, order, TWO_D6, static=static, roll_clause=roll_clause, hits_clause="QF-TOR-3"
    )


def prepare_torpedo(battle: Battle, order: Order) -> PreparedOrder:
    """Prepare `torpedo`: one attack on one target."""
    firer = find_ship_at_start(battle, order.text("ship"))
    findings = list_launch_findings(GAME, battle, order, list_launcher_findings(battle, firer), "QF-TOR-1")
    if order.slots["range"] in ("short", "long"):
        findings.append(refused("torpedoes reach to point blank only", "QF-TOR-1"))
    if battle.phase != PHASE:
        findings.insert(0, refused("torpedoes are launched in the gunnery phase only", "QF-PH-1"))
    return prepare_launch(GAME, battle, order, build_torpedo_throw(battle, order), findings)


def list_launcher_findings(battle: Battle, firer: Ship) -> list[Finding]:
    """Return the findings against any torpedo launch by a ship."""
    findings = [] if firer.count("torpedo") else [refused(f"{firer.name} has no torpedo rating", "QF-TOR-1")]
    return findings + refuse_second_launch(battle, firer, "QF-TOR-4")
