"""Attacks in the Quickfire games: who may attack whom, and battery fire with its orders and chances.

Each game with battery fire by percentage lines has a subclass of `Gunnery` for what differs. Boat guns and
torpedoes are in `launches`.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache, partial

from attrs import evolve, frozen

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.declarations import Measure, Need, PreparedOrder
from qf_tui.core.errors import Finding, impossible, refused
from qf_tui.core.grammar import kinds
from qf_tui.core.grammar.kinds import build_flag_slot
from qf_tui.core.text import Distance, format_possessive
from qf_tui.core.values import Act, Battle, ChartCell, Die, End, Faces, Form, Order, Owed, Ship, Slot
from qf_tui.rules.quickfire_family.chart import (
    ChartReader,
    build_plain_reader,
    find_percentage_line,
    sort_lines,
)
from qf_tui.rules.quickfire_family.game import AGROUND, AGROUND_CLAUSE, POINT_BLANK, Game, format_vulgar
from qf_tui.rules.quickfire_family.movement import Mover
from qf_tui.rules.quickfire_family.ship import (
    BOXES,
    EITHER_END,
    ENDS,
    FULL,
    HALVED,
    NO_ARC,
    SHIP,
    SMALL_SIZE_MOST,
    Battery,
    find_arc,
    find_ship_at_start,
    read_armor,
    read_gunnery,
    read_size,
    refuse_out_of_play,
)
from qf_tui.rules.quickfire_family.throws import Roll, Throw, complete_throw

Codes = tuple[str, ...]

TARGET = Slot("target", kinds.SHIP, "the target", foe=True)
END = build_flag_slot("end", "in the bow or stern arc")

FIRE_SAYS = "{ship}| {battery}| at {target}|, {range}"
TORPEDO_SAYS = "{ship} torpedo| at {target}|, {range}"
"""How people read an attack order. Parts between bars are left out if their slot is empty."""

LONG = "long"
"""The longest range."""
RANGE_NAMES = {POINT_BLANK: "point blank"}
"""Names of ranges for people, where they differ from the word in orders."""


def is_silent(battle: Battle, ship: Ship) -> bool:
    """Return whether a ship may neither fire nor launch because she is aground.

    Rule: AQF-PH-8.
    """
    return ship.status == AGROUND and battle.options.get(AGROUND) == "silent"


def list_attack_findings(game: Game, battle: Battle, firer: str, target: Ship) -> list[Finding]:
    """Return the findings against any attack of one ship on another.

    The finding against a target on the firer's side cites no clause, because no rule forbids this.
    """
    ship = battle.ships[firer]
    findings = list(refuse_out_of_play(game, ship))
    if is_silent(battle, ship):
        findings.append(refused(f"{ship.name} is aground and silent (switch aground)", AGROUND_CLAUSE))
    if firer == target.id:
        findings.append(impossible(f"{target.name} cannot attack itself"))
    elif ship.side == target.side:
        findings.append(refused(f"{target.name} is on the same side", ""))
    return [*findings, *refuse_out_of_play(game, target, "no target")]


def has_target(
    game: Game, battle: Battle, firer: str, find_protection: Callable[[Ship], object] | None = None
) -> bool:
    """Return whether a ship may attack some enemy ship.

    Args:
        find_protection: Function whose result is true if something else protects a target; None if nothing
            else can.
    """
    side = battle.ships[firer].side
    enemies = (ship for ship in battle.ships.values() if ship.side != side)
    for enemy in enemies:
        if list_attack_findings(game, battle, firer, enemy):
            continue
        if find_protection is None or not find_protection(enemy):
            return True
    return False


def list_acts_in_phase(battle: Battle, kind: str, ship: str) -> Sequence[Act]:
    """Return the acts of one kind that a ship did in this phase.

    They are counted from the start of the phase, because a turn may have several gunnery phases.

    Rule: QF-OPT-1.
    """
    # Acts only ever come to the end of the list, so those of this phase follow those before its start.
    return battle.list_acts(kind, ship)[len(battle.start.list_acts(kind, ship)) :]


def find_pending_attack(
    battle: Battle, kind: str, ship: str, target: str = "", battery: str = ""
) -> Owed | None:
    """Return the owed line of a declared attack whose dice are not thrown yet, or None.

    Args:
        kind: Word of the order, such as `fire` or `torpedo`.
        target: Id of the target; "" accepts any.
        battery: Name of the battery; "" accepts any.
    """
    for owed in battle.owed:
        # A line with faces has its dice already.
        if (owed.line, owed.ship) != (kind, ship) or owed.order is None or owed.faces:
            continue
        is_target = target in ("", owed.order.text("target"))
        if is_target and (not battery or owed.order.text("battery") in (battery, "both")):
            return owed
    return None


def refuse_repeat(owed: Owed | None, subject: str, done_text: str, clause: str) -> Finding:
    """Refuse an attack that was already declared or made.

    Args:
        owed: The declared attack that still waits for its dice; None if the attack was made.
        subject: Subject and verb for a declared attack, as "Mikasa's heavy battery is".
        done_text: The whole sentence for an attack that was made.
    """
    text = f"{subject} declared already: roll the dice, or amend entry {owed.entry}" if owed else done_text
    return refused(text, clause)


def describe_rof(game: Game, firer: Ship, battery: Battery) -> str:
    """Format the name of a battery's ROF, as `heavy ROF`, with the effect of the crew in brackets."""
    return f"{battery.value} ROF{game.describe_steps(firer, f'rof.{battery}')}"


def describe_gunnery(game: Game, firer: Ship, battery: Battery, rating: Fraction) -> str:
    """Format the gunnery of a shot, as `gunnery 19`, with the effect of its shells in brackets.

    Args:
        rating: Gunnery rating of the shot, which the arc may have halved.
    """
    return f"gunnery {format_vulgar(rating)}{game.describe_steps(firer, f'gunnery.{battery}')}"


def list_step_reminders(game: Game, firer: Ship, batteries: Iterable[Battery]) -> tuple[str, ...]:
    """Return a reminder for each ROF and gunnery rating of these batteries that crew quality changed.

    Rule: AQF-CRW-1.
    """
    texts: list[str] = []
    for battery in batteries:
        if game.describe_steps(firer, f"rof.{battery}"):
            texts.append(describe_rof(game, firer, battery))
        if game.describe_steps(firer, f"gunnery.{battery}"):
            texts.append(describe_gunnery(game, firer, battery, read_gunnery(firer, battery)))
    return tuple(f"{text}: {game.clauses.crews}" for text in texts)


def explain_rof(
    builder: DecisionBuilder, subject: str, die_text: str, rof: str, clause: str, *, fired: bool
) -> None:
    """Explain whether a battery fires, from its black die and its ROF.

    Args:
        subject: Description of the battery and its ROF.
        die_text: The black die with its modifiers.
    """
    sign, outcome = ("≤", "fires") if fired else (">", "misses")
    builder.because(outcome, clause, of=subject, roll=f"{die_text}{sign}{rof}")


def explain_blast(
    builder: DecisionBuilder,
    range: str,
    faces: Faces,
    codes: Codes,
    clause: str,
    cell: ChartCell,
    prefix: str = "",
) -> None:
    """Explain the result of a shot on the blast table.

    Args:
        faces: All dice of the shot.
        prefix: The battery, with a space, if each battery had a roll; otherwise "".
    """
    total = sum(faces)
    text = " ".join(codes) or "nothing"
    place = f"blast {range} {total}"
    builder.because(text, clause, cell, place, of=f"{prefix}blast", roll=str(total))


def record_shot(builder: DecisionBuilder, *, fired: bool, hits: Codes, blast: Codes) -> None:
    """Record a shot's outcome for the report: whether guns fired, and the codes of hits and of blast."""
    builder.result("fired", fired)
    builder.result("hits", hits)
    builder.result("blast", blast)


def has_one_roll(battle: Battle) -> bool:
    """Return whether both batteries of a ship share one roll, by a switch; by default each has its own."""
    return battle.options.get("one_roll") == "yes"


def build_fire_form(ranges: tuple[str, ...], dice: str, phases: tuple[str, ...], *more: Slot) -> Form:
    """Build the form of `fire`.

    Args:
        ranges: Words of the ranges that an order may name.
        dice: Dice of one battery, as the form prints them.
        more: Further slots of the game.
    """

    def format_offer(battle: Battle, word: str) -> str:
        """Return the text to offer for a choice; "" for both batteries unless they share one roll."""
        return word if word != "both" or has_one_roll(battle) else ""

    battery = Slot(
        "battery",
        kinds.CHOICE,
        "the battery",
        choices=("heavy", "light", "both"),
        offered=format_offer,
        identifies=True,
    )
    return Form(
        "fire",
        "f",
        "Fire a battery",
        (
            SHIP,
            battery,
            TARGET,
            Slot("range", kinds.MEASURE, "the range", choices=ranges, to=TARGET.name),
            END,
            build_flag_slot("light-armor", "heavy guns at the light armor"),
            build_flag_slot("bow", "in the bow arc", bears=(End.BOW,)),
            build_flag_slot("stern", "in the stern arc", bears=(End.STERN,)),
            *more,
        ),
        dice=dice,
        phases=phases,
        help="a battery at one target; black alone is enough when it fails; both: a roll each, heavy first",
        says=FIRE_SAYS,
    )


@frozen
class Fire:
    """The part of one battery in a shot.

    Attributes:
        arc: `full`, `halved` or `none`.
        rof: ROF after the arc.
        rating: Gunnery rating after the arc.
        armor: Armor of the target that counts against this fire.
        line: Percentage line of the battery chart; None if it is below the lowest.
        modifier: Number added to the ROF die.
        auto: True if the battery fires whatever the ROF die shows.
    """

    battery: Battery
    arc: str
    rof: int
    rating: Fraction
    armor: Fraction
    line: int | None
    modifier: int = 0
    auto: bool = False

    def can_fire(self, black_die: int) -> bool:
        """Return whether the battery fires if the black die shows this face. At ROF 0 it never fires.

        Rule: AQF-GUN-2, QF-GUN-1, QF-GUN-6.
        """
        return self.rof > 0 and (self.auto or black_die + self.modifier <= self.rof)


RollInputs = tuple[tuple[Fire, ...], str, bool]
"""All that the result of a roll depends on: batteries, range, and whether blast needs no hit."""


@frozen
class Shot:
    """A declared shot: everything that its dice are judged by.

    Attributes:
        firer: The firing ship as the phase began.
        range: Bracket of the range; `long` if it is beyond.
        fires: The batteries that fire.
        light_armor: True if heavy guns fire at the light armor.
        blast_without_hit: True if a battery that fires may bring blast without a hit (a switch).
        beyond: True if the range is beyond long range.
    """

    firer: Ship
    target: Ship
    range: str
    fires: Mapping[Battery, Fire]
    light_armor: bool
    blast_without_hit: bool
    beyond: bool = False

    @property
    def roll_inputs(self) -> RollInputs:
        """The parts of the shot that the result of its roll depends on, as a key for caches."""
        return tuple(self.fires.values()), self.range, self.blast_without_hit


@frozen
class BatteryResult:
    """The result of one battery's dice.

    Attributes:
        fired: True if the battery fired.
        hits: Codes of the hits, in order.
        line_text: Description of the percentage line.
        line_source: Cell and place where the line was read; None if it was not read.
        hits_source: Cell and place where the hits were read; None if they were not read.
    """

    fire: Fire
    fired: bool
    hits: Codes = ()
    line_text: str = ""
    line_source: tuple[ChartCell, str] | None = None
    hits_source: tuple[ChartCell, str] | None = None


RollResult = tuple[list[BatteryResult], Codes, ChartCell | None]
"""The result of one roll: its batteries, its blast codes, and their cell, or None without blast."""

SHOT_ODDS = (Measure("fires", 0), Measure("hits", 1), Measure("mean", 1, mean=True), Measure("blast", 2))
"""The odds shown for a shot. Its judgement begins with: fires, number of hits, number of blast codes."""
SHOT_FIGURES = 3
"""The numbers in a judgement before those of each battery. Each battery then has two: fires, hits."""


class Gunnery(ABC):
    """The battery fire of a game.

    Attributes:
        dice: Dice of one roll, the black die first.
        phases: Names of the phases in which guns fire.
        raises_heavy_line: True if heavy guns fire one line higher at point blank.
        names_boat_guns: True if a refusal names the boat guns of a ship that has no battery.
        phase_text: The phases as text, for refusals.
        phase_clause: Clause of the phases.
        card_clause: Clause for ships without such a battery.
        rof_clause: Clause of the ROF roll.
        arc_clause: Clause of the end arcs.
        once_clause: Clause that a battery fires once in a phase.
        reach_clause: Clause of the longest range.
        long_range_clause: Clause that says which batteries fire at long range.
        small_target_clause: Clause for targets too small and fast.
        line_clause: Clause of the percentage line.
        hits_clause: Clause of the hits.
        blast_clause: Clause of the blast.
    """

    game: Game
    dice: tuple[Die, ...]
    phases: tuple[str, ...]
    raises_heavy_line: bool = False
    names_boat_guns: bool = False
    phase_text: str
    phase_clause: str
    card_clause: str
    rof_clause: str
    arc_clause: str
    once_clause: str
    reach_clause: str
    long_range_clause: str
    small_target_clause: str
    line_clause: str
    hits_clause: str
    blast_clause: str

    @abstractmethod
    def adjust_fire(self, battle: Battle, order: Order, firer: Ship, fire: Fire) -> Fire:
        """Return a battery's fire with the modifier of its ROF die, or with `auto` if it needs no roll."""

    @abstractmethod
    def read_hits(self, fire: Fire, line: str, faces: Faces, reader: ChartReader) -> BatteryResult:
        """Read the hits of a battery that fires, on its line of the chart.

        Args:
            line: Name of the percentage line.
            faces: The white dice.
        """

    @abstractmethod
    def list_findings(self, battle: Battle, order: Order, shot: Shot) -> list[Finding]:
        """Return all findings against a shot."""

    @abstractmethod
    def list_refire_findings(
        self, battle: Battle, firer: Ship, battery: Battery, fired: set[str]
    ) -> list[Finding]:
        """Return the findings against a battery because its ship fired earlier in the turn.

        Args:
            fired: Names of the batteries that fired in this phase.
        """

    @abstractmethod
    def list_range_findings(self, battle: Battle, order: Order, shot: Shot) -> list[Finding]:
        """Return the findings against the range or armor of a shot by rules that only this game has."""

    @abstractmethod
    def format_rof(self, fire: Fire) -> tuple[str, str]:
        """Return the ROF of a battery as text, and the clause of its roll."""

    @abstractmethod
    def note_rof(
        self, battle: Battle, builder: DecisionBuilder, shot: Shot, results: list[BatteryResult]
    ) -> None:
        """Write what the ROF rolls of a shot mean for later fire of the ship."""

    @abstractmethod
    def apply_codes(self, builder: DecisionBuilder, shot: Shot, battery: Battery, codes: Codes) -> None:
        """Apply the damage codes of a shot to its target."""

    def is_rof_halved(self, battle: Battle) -> bool:
        """Return whether fire in an end arc halves the ROF; if not, it halves the gunnery rating."""
        return True

    def refuse_phase(self, battle: Battle) -> list[Finding]:
        """Return the finding against fire in this phase, or [] in a gunnery phase."""
        if battle.phase in self.phases:
            return []
        return [refused(f"guns fire in {self.phase_text} only", self.phase_clause)]

    def build_shot(self, battle: Battle, order: Order) -> Shot:
        """Build the shot of an order. The firer acts with what she had when the phase began.

        Rule: AQF-PH-2, QF-PH-2.
        """
        target = battle.ships[order.text("target")]
        firer = find_ship_at_start(battle, order.text("ship"))
        bracket = self.game.find_range_bracket(battle, order)
        # Fire beyond long range is refused, but counts as at long range if the umpire forces it.
        range_word = bracket or LONG
        light_armor = order.has("light-armor")
        word = order.text("battery")
        batteries = tuple(Battery) if word == "both" else (Battery(word),)
        ends = [end for end in ENDS if order.has(end)] or (list(ENDS) if order.has(EITHER_END) else [])
        fires = {}
        for battery in batteries:
            # If bow and stern differ, the word `end` counts as the weaker of them.
            arcs = {find_arc(firer, end, battery) for end in ends}
            arc = next((weak_arc for weak_arc in (NO_ARC, HALVED) if weak_arc in arcs), FULL)
            fire = self.build_fire(battle, firer, target, battery, range_word, light_armor, arc)
            fires[battery] = self.adjust_fire(battle, order, firer, fire)
        blast_without_hit = battle.options.get("blast_without_hit") == "yes"
        return Shot(firer, target, range_word, fires, light_armor, blast_without_hit, beyond=not bracket)

    def build_fire(
        self,
        battle: Battle,
        firer: Ship,
        target: Ship,
        battery: Battery,
        range: str,
        light_armor: bool,
        arc: str,
    ) -> Fire:
        """Build one battery's part in a shot: ROF and rating after the arc, and the percentage line.

        Args:
            range: Bracket of the range.
            light_armor: True if the shot is at the light armor, whatever the battery.
            arc: `full`, `halved` or `none`.

        Rule: AQF-GUN-5, AQF-GUN-8, QF-GUN-2, QF-GUN-5.
        """
        rof = firer.count(f"rof_{battery}")
        rating = read_gunnery(firer, battery)
        if arc == NO_ARC:
            rof = 0
        elif arc == HALVED and self.is_rof_halved(battle):
            rof //= 2
        elif arc == HALVED:
            rating /= 2
        armor = read_armor(target, Battery.LIGHT if light_armor else battery)
        # At point blank heavy guns may use the next higher line.
        raised = self.raises_heavy_line and range == POINT_BLANK and battery is Battery.HEAVY
        line = find_percentage_line(
            sort_lines(tuple(battle.charts["battery"].rows)),
            rating,
            armor,
            zero_is_top=self.game.read_option(battle, "zero_armor") == "top-line",
            raised=raised,
            from_below=raised and battle.options.get("below_lowest") == "raised",
        )
        return Fire(battery, arc, rof, rating, armor, line)

    def prepare(self, battle: Battle, order: Order) -> PreparedOrder:
        """Prepare `fire`: one battery or both, at one target."""
        shot = self.build_shot(battle, order)
        firer, target = shot.firer.id, shot.target.id

        def declare(builder: DecisionBuilder) -> None:
            """Remember the fire of each battery."""
            for battery in shot.fires:
                builder.remember("fire", firer, battery=battery.value, target=target, range=shot.range)

        # Heavy guns may not fire at a small ship that moved fast.
        depends_on_movement = read_size(shot.target) <= SMALL_SIZE_MOST and Battery.HEAVY in shot.fires
        subject = f"{battle.called(firer)} {order.text('battery')} at {battle.called(target)}"
        range = order.slots["range"]
        range_text = (
            range.display_text if isinstance(range, Distance) else RANGE_NAMES.get(shot.range, shot.range)
        )
        return evolve(
            complete_throw(
                self.game, battle, Roll("fire", firer, order.without_dice), self.build_throw(battle, shot)
            ),
            findings=tuple(self.list_findings(battle, order, shot)),
            declare=declare,
            prompt=f"{subject}, {range_text}",
            assumes=Mover(self.game, battle, shot.target).assumption if depends_on_movement else (),
            reminders=list_step_reminders(self.game, shot.firer, shot.fires),
        )

    def may_fire(self, battle: Battle, ship: Ship, battery: Battery) -> bool:
        """Return whether a battery may still fire in this phase, at some target and range."""
        firer = find_ship_at_start(battle, ship.id)
        if self.refuse_phase(battle) or self._list_battery_findings(
            battle, firer, battery, firer.count(f"rof_{battery}")
        ):
            return False
        refuse_target = partial(self._refuse_small_target, battle) if battery is Battery.HEAVY else None
        return has_target(self.game, battle, firer.id, refuse_target)

    def list_gun_findings(self, battle: Battle, order: Order, shot: Shot) -> list[Finding]:
        """Return the findings against the arc, the batteries and the range of a shot."""
        findings = self._list_arc_findings(shot, order)
        for fire in shot.fires.values():
            # Guns that do not bear have ROF 0 in the shot; the arc findings refuse them.
            rof = shot.firer.count(f"rof_{fire.battery}") if fire.arc == NO_ARC else fire.rof
            findings.extend(self._list_battery_findings(battle, shot.firer, fire.battery, rof))
        only_heavy = shot.range == LONG and battle.options.get("long_range") != "both"
        is_long_for_light = only_heavy and Battery.LIGHT in shot.fires
        if shot.beyond:
            findings.append(refused(f"{order.slots['range']} is beyond long range", self.reach_clause))
        elif is_long_for_light:
            switch = self.game.format_switches("long_range")
            findings.append(refused(f"at long range only heavy guns fire{switch}", self.long_range_clause))
        findings.extend(self.list_range_findings(battle, order, shot))
        if Battery.HEAVY in shot.fires:
            findings.extend(self._refuse_small_target(battle, shot.target))
        return findings

    def _list_arc_findings(self, shot: Shot, order: Order) -> list[Finding]:
        """Return the findings against the arc: two arcs, an ambiguous `end`, or guns that do not bear."""
        named = [word for word in (EITHER_END, *ENDS) if order.has(word)]
        if len(named) > 1:
            return [refused(f"a shot has one arc: {' or '.join(named)}", self.arc_clause)]
        findings = []
        for fire in shot.fires.values():
            guns = f"{format_possessive(shot.firer.name)} {fire.battery.value} guns"
            if order.has(EITHER_END) and len({find_arc(shot.firer, end, fire.battery) for end in ENDS}) > 1:
                text = f"{guns} differ at bow and stern: say which"
                findings.append(refused(text, self.arc_clause))
            elif fire.arc == NO_ARC:
                findings.append(refused(f"none of {guns} bears in the {named[0]} arc", self.arc_clause))
        return findings

    def _list_battery_findings(
        self, battle: Battle, firer: Ship, battery: Battery, rof: int
    ) -> list[Finding]:
        """Return the findings against any fire of a battery: no guns, ROF 0, or earlier fire.

        Args:
            rof: ROF of the battery in the shot.
        """
        name = firer.name
        if not read_gunnery(firer, battery):
            only_boat_guns = self.names_boat_guns and firer.count_on_card("boat_guns")
            armament = "boat guns only" if only_boat_guns else f"no {battery.value} battery"
            return [refused(f"{name} has {armament}", self.card_clause)]
        findings = []
        if rof == 0:
            # If the ship has ROF left, only the arc has halved it to 0.
            clause = self.arc_clause if firer.count(f"rof_{battery}") else self.rof_clause
            findings.append(
                refused(f"{format_possessive(name)} {battery.value} ROF is 0: it cannot fire", clause)
            )
        fired = {act.read_text("battery") for act in list_acts_in_phase(battle, "fire", firer.id)}
        if battery.value in fired:
            guns = f"{format_possessive(name)} {battery} battery"
            owed = find_pending_attack(battle, "fire", firer.id, battery=battery)
            findings.append(
                refuse_repeat(owed, f"{guns} is", f"{guns} has fired in this phase", self.once_clause)
            )
        return [*findings, *self.list_refire_findings(battle, firer, battery, fired)]

    def _refuse_small_target(self, battle: Battle, target: Ship) -> list[Finding]:
        """Refuse heavy fire at a ship of size 1 or less that moved more than half of her printed speed.

        By the switch `small_fast_by` the limit is half of her speed as the phase began, or there is none.
        """
        game = self.game
        limit = game.read_option(battle, "small_fast_by")
        if read_size(target) > SMALL_SIZE_MOST or limit == "never":
            return []
        mover = Mover(game, battle, target)
        start_mover = Mover(game, battle, find_ship_at_start(battle, target.id))
        speed = start_mover.available_distance if limit == "available" else mover.measure_boxes(BOXES)
        if mover.movement.distance * 2 <= speed:
            return []
        assumption = f": assumed to have moved {mover.movement_text}" if mover.movement.assumed else ""
        switch = game.format_switches("small_fast_by")
        return [
            refused(
                f"{target.name} is too small and fast for heavy guns{switch}{assumption}",
                self.small_target_clause,
            )
        ]

    def build_throw(self, battle: Battle, shot: Shot) -> Throw:
        """Build the throw of a shot: one roll for all its batteries, or one roll for each, heavy first.

        All rolls are read before any result is written. If the black die of the last roll fails, its white
        dice are not needed.

        Rule: AQF-GUN-9, AQF-GUN-17, QF-GUN-7.
        """
        if len(shot.fires) == 1 or has_one_roll(battle):
            return self._build_roll(battle, shot, self.dice)
        dice_per_roll = len(self.dice)
        rolls = [evolve(shot, fires={battery: fire}) for battery, fire in shot.fires.items()]
        parts = tuple(
            self._build_roll(
                battle, roll, tuple(Die(die.sides, f"{battery} {die.name}") for die in self.dice)
            )
            for battery, roll in zip(shot.fires, rolls, strict=True)
        )
        all_dice = sum((part.dice for part in parts), ())
        starts = range(0, len(all_dice), dice_per_roll)

        def list_missing(faces: Faces) -> tuple[Die, ...]:
            """Return the dice still to throw: all of the earlier rolls, but of the last only those needed."""
            if len(faces) > starts[-1]:
                return parts[-1].missing(faces[starts[-1] :])
            return all_dice[len(faces) :]

        def split_faces(faces: Faces) -> list[Faces]:
            """Split the faces between the rolls, in order."""
            return [faces[start : start + dice_per_roll] for start in starts]

        def resolve(faces: Faces, builder: DecisionBuilder, reader: ChartReader) -> None:
            self._write_rolls(battle, list(zip(rolls, split_faces(faces), strict=True)), builder, reader)

        def build_result_key(faces: Faces) -> Hashable:
            pairs = zip(parts, split_faces(faces), strict=True)
            return tuple(part.alike and part.alike(part_faces) for part, part_faces in pairs)

        return Throw(
            dice=all_dice, resolve=resolve, alike=build_result_key, missing=list_missing, parts=parts
        )

    def _build_roll(self, battle: Battle, shot: Shot, dice: tuple[Die, ...]) -> Throw:
        """Build the throw of one roll, for one battery or for two that share it."""

        def resolve(faces: Faces, builder: DecisionBuilder, reader: ChartReader) -> None:
            self._write_rolls(battle, [(shot, faces)], builder, reader)

        return evolve(
            _build_roll_throw(self, shot.roll_inputs, dice, build_plain_reader(battle)), resolve=resolve
        )

    def read_roll(self, inputs: RollInputs, faces: Faces, reader: ChartReader) -> RollResult:
        """Read one roll: the result of each battery, the blast codes, and their chart cell or None.

        There is blast if a battery hit, or by the switch `blast_without_hit` if one fired.

        Rule: AQF-GUN-11, AQF-GUN-16, QF-BLA-1, QF-BLA-3.
        """
        fires, range, blast_without_hit = inputs
        black, *white = faces
        # Until its white dice are thrown, a battery counts as not fired.
        is_thrown = len(faces) >= len(self.dice)
        results = []
        for fire in fires:
            fired = is_thrown and fire.can_fire(black)
            result = BatteryResult(fire, fired)
            if fired and fire.line is not None:
                result = self.read_hits(fire, str(fire.line), tuple(white), reader)
            results.append(result)
        if any(result.hits or (blast_without_hit and result.fired) for result in results):
            codes, cell = reader.read_codes("blast", range, sum(faces))
            return results, codes, cell
        return results, (), None

    def _write_rolls(
        self, battle: Battle, rolls: list[tuple[Shot, Faces]], builder: DecisionBuilder, reader: ChartReader
    ) -> None:
        """Read all rolls of a shot, write their results, and record the outcome of the whole shot."""
        roll_results = [self.read_roll(shot.roll_inputs, faces, reader) for shot, faces in rolls]
        for (shot, faces), roll_result in zip(rolls, roll_results, strict=True):
            self._write_roll(battle, shot, faces, roll_result, builder, single=len(rolls) == 1)
        results = [result for batteries, _, _ in roll_results for result in batteries]
        hits = tuple(hit for result in results for hit in result.hits)
        blast = tuple(code for _, codes, _ in roll_results for code in codes)
        record_shot(builder, fired=any(result.fired for result in results), hits=hits, blast=blast)

    def _write_roll(
        self,
        battle: Battle,
        shot: Shot,
        faces: Faces,
        roll_result: RollResult,
        builder: DecisionBuilder,
        *,
        single: bool,
    ) -> None:
        """Write the results of one roll: ROF, then hits and their damage, then blast and its damage.

        Args:
            single: True if the shot has no other roll, so that reasons need no name of a battery.
        """
        results, codes, cell = roll_result
        # Hits name their battery also if one roll is for both.
        is_named = len(shot.fires) > 1 or not single
        for result in results:
            self.explain_rof(builder, shot, result, faces[0])
        self.note_rof(battle, builder, shot, results)
        white_total = sum(faces[1:])
        for result in results:
            if not result.fired:
                continue
            prefix = f"{result.fire.battery.value} " if is_named else ""
            self._explain_hits(shot, result, white_total, builder, prefix)
            self.apply_codes(builder, shot, result.fire.battery, result.hits)
        if cell is not None:
            range_text = RANGE_NAMES.get(shot.range, shot.range)
            # Blast counts as from the first battery that hit, or else from the first that fired.
            blast_cause = max(results, key=lambda result: (bool(result.hits), result.fired))
            prefix = "" if single else f"{blast_cause.fire.battery.value} "
            explain_blast(builder, range_text, faces, codes, self.blast_clause, cell, prefix)
            self.apply_codes(builder, shot, blast_cause.fire.battery, codes)

    def explain_rof(
        self, builder: DecisionBuilder, shot: Shot, result: BatteryResult, black_die: int
    ) -> None:
        """Explain whether a battery fires, from the face of the black die, its modifier and the ROF."""
        fire = result.fire
        rof, clause = self.format_rof(fire)
        die_text = f"{black_die}{fire.modifier:+d}" if fire.modifier else str(black_die)
        subject = describe_rof(self.game, shot.firer, fire.battery)
        explain_rof(builder, subject, die_text, rof, clause, fired=result.fired)

    def _explain_hits(
        self, shot: Shot, result: BatteryResult, total: int, builder: DecisionBuilder, prefix: str
    ) -> None:
        """Explain the percentage line of a battery that fired, and the hits of its white dice.

        Args:
            total: Total of the white dice.
            prefix: The battery, with a space, if reasons must name it; otherwise "".
        """
        fire = result.fire
        gunnery = describe_gunnery(self.game, shot.firer, fire.battery, fire.rating)
        against = f"{gunnery} v armor {format_vulgar(fire.armor)}"
        if result.line_source is None or result.hits_source is None:
            builder.because("below the lowest line, nothing", self.line_clause, of=against)
            return
        builder.because(result.line_text, self.line_clause, *result.line_source, of=f"{prefix}{against}")
        hits = " ".join(result.hits) or "no hit"
        builder.because(hits, self.hits_clause, *result.hits_source, of=f"{prefix}white", roll=str(total))


@lru_cache(maxsize=256)
def _build_roll_throw(
    gunnery: Gunnery, inputs: RollInputs, dice: tuple[Die, ...], reader: ChartReader
) -> Throw:
    """Build the throw of one roll without its effects: dice, odds, and keys of equal results.

    The throw is cached: it stays the same while an order is typed, and most shots of a simulated turn repeat
    those of the turn before.
    """
    fires, _, _ = inputs
    firing_faces = [face for face in dice[0].faces if any(fire.can_fire(face) for fire in fires)]
    # Combining two rolls asks for the same faces of each roll again and again.
    read_roll = cache(lambda faces: gunnery.read_roll(inputs, faces, reader))

    def judge(faces: Faces) -> tuple[int, ...]:
        """Return whether any battery fires, the hits and blast codes, then fires and hits of each battery."""
        results, blast, _ = read_roll(faces)
        figures = [figure for result in results for figure in (int(result.fired), len(result.hits))]
        # The figures alternate: whether a battery fires, then its hits.
        return int(any(figures[::2])), sum(figures[1::2]), len(blast), *figures

    def list_missing(faces: Faces) -> tuple[Die, ...]:
        """Return the dice still needed: none if the black die lets no battery fire."""
        return () if faces and faces[0] not in firing_faces else dice[len(faces) :]

    def build_result_key(faces: Faces) -> Hashable:
        results, blast, _ = read_roll(faces)
        return tuple((result.fired, result.hits) for result in results), blast

    needs = _list_needs(fires, dice)
    return Throw(
        dice=dice, judge=judge, odds=SHOT_ODDS, needs=needs, alike=build_result_key, missing=list_missing
    )


def _list_needs(batteries: tuple[Fire, ...], dice: tuple[Die, ...]) -> tuple[Need, ...]:
    """Return the faces that each battery needs to fire and to hit.

    Batteries are named if there are several, or if the dice carry names of batteries.
    """
    needs = []
    for place, fire in enumerate(batteries):
        prefix = f"{fire.battery.value} " if len(batteries) > 1 or dice[0].name != "black" else ""
        # A judgement has two figures for each battery: whether it fires, and its number of hits.
        fires_figure = SHOT_FIGURES + 2 * place
        line_text = f"{fire.line}% line" if fire.line is not None else "below the lowest line"
        needs.append(Need(f"{prefix}fires", fires_figure))
        needs.append(
            Need(
                f"{prefix}hits", fires_figure + 1, tuple(range(1, len(dice))), when=fires_figure, at=line_text
            )
        )
    return tuple(needs)
