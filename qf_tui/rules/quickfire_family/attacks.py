"""Attacks: who may attack whom, the shots of batteries, boat guns, torpedoes, and the orders for them."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache, partial

from attrs import evolve, frozen

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.declarations import Measure, Need, PreparedOrder
from qf_tui.core.errors import Finding, impossible, refused
from qf_tui.core.grammar import kinds
from qf_tui.core.grammar.kinds import flag
from qf_tui.core.text import Distance, whose
from qf_tui.core.values import Act, Battle, ChartCell, Die, End, Faces, Form, Order, Owed, Ship, Slot
from qf_tui.rules.quickfire_family.chart import ChartReader, columns_of, line_against, lines_of, plain_reader
from qf_tui.rules.quickfire_family.damage import Resolve, TableLine, Take
from qf_tui.rules.quickfire_family.game import AGROUND, ON_GROUND, POINT_BLANK, Game, vulgar
from qf_tui.rules.quickfire_family.movement import Mover
from qf_tui.rules.quickfire_family.ship import (
    BOXES,
    EITHER,
    ENDS,
    FULL,
    HALVED,
    NO_ARC,
    SHIP,
    SMALL,
    Battery,
    acting,
    armor,
    gunnery_rating,
    is_light_craft,
    out_of_play,
    over_end,
    size,
)
from qf_tui.rules.quickfire_family.throws import Roll, Throw, ordered, ready

Codes = tuple[str, ...]

TARGET = Slot("target", kinds.SHIP, "the target", foe=True)
END = flag("end", "in the bow or stern arc")

FIRE_SAYS = "{ship}| {battery}| at {target}|, {range}"
TORPEDO_SAYS = "{ship} torpedo| at {target}|, {range}"
"""Attacks in words."""

LONG = "long"
"""The longest of the ranges."""
MOVING, STATIC = "moving", "static"
CALLED = {POINT_BLANK: "point blank"}
"""The ranges that people call otherwise than orders do."""
SPEED_HITS = "speed-hits"
"""The line of the roll for a strike's S hits."""


def silent(battle: Battle, ship: Ship) -> bool:
    """Whether a ship neither fires nor launches because it lies aground (AQF-PH-8)."""
    return ship.status == AGROUND and battle.options.get(AGROUND) == "silent"


def at_target(game: Game, battle: Battle, firer: str, target: Ship) -> list[Finding]:
    """What hinders any attack of one ship on another; that it is of the same side no clause says."""
    ship = battle.ships[firer]
    findings = list(out_of_play(game, ship))
    if silent(battle, ship):
        findings.append(refused(f"{ship.name} is aground and silent (switch aground)", ON_GROUND))
    if firer == target.id:
        findings.append(impossible(f"{target.name} cannot attack itself"))
    elif ship.side == target.side:
        findings.append(refused(f"{target.name} is of the same side", ""))
    return [*findings, *out_of_play(game, target, "no target")]


def has_target(game: Game, battle: Battle, firer: str, bars: Callable[[Ship], object] | None = None) -> bool:
    """Whether there is a ship that may be attacked; `bars` finds what else protects a target."""
    own = battle.ships[firer].side
    others = (ship for ship in battle.ships.values() if ship.side != own)
    return any(not (at_target(game, battle, firer, other) or (bars and bars(other))) for other in others)


def in_phase(battle: Battle, kind: str, ship: str) -> Sequence[Act]:
    """What a ship did of one kind in this phase; a turn may have several phases of a name (QF-OPT-1)."""
    return battle.acts_of(kind, ship)[len(battle.start.acts_of(kind, ship)) :]


def pending(battle: Battle, kind: str, ship: str, target: str = "", battery: str = "") -> Owed | None:
    """The owed line of a declared attack none of whose dice are thrown; any target, any battery if ""."""
    for owed in battle.owed:
        if (owed.line, owed.ship) != (kind, ship) or owed.order is None or owed.faces:
            continue
        aims = target in ("", owed.order.text("target"))
        if aims and (not battery or owed.order.text("battery") in (battery, "both")):
            return owed
    return None


def already(owed: Owed | None, what: str, done: str, clause: str) -> Finding:
    """An attack made twice: `what` is declared already, and the cure, or else it is `done`."""
    cure = f"{what} declared already: roll the dice, or amend entry {owed.entry}" if owed else done
    return refused(cure, clause)


def describe_rof(game: Game, firer: Ship, battery: Battery) -> str:
    """Return the name of a battery's ROF, with what the crew made of it."""
    return f"{battery.value} ROF{game.describe_steps(firer, f'rof.{battery}')}"


def describe_gunnery(game: Game, firer: Ship, battery: Battery, rating: Fraction) -> str:
    """Return the gunnery of a shot, with what the shells made of the battery's rating."""
    return f"gunnery {vulgar(rating)}{game.describe_steps(firer, f'gunnery.{battery}')}"


def remind_of_steps(game: Game, firer: Ship, batteries: Iterable[Battery]) -> tuple[str, ...]:
    """Return what the crew of a firer made of batteries, for those who weigh a shot.

    Rule: AQF-CRW-1.
    """
    texts = (
        text
        for battery in batteries
        for text in (
            describe_rof(game, firer, battery),
            describe_gunnery(game, firer, battery, gunnery_rating(firer, battery)),
        )
    )
    return tuple(f"{text}: {game.clauses.crews}" for text in texts if text.endswith(")"))


def explain_rof(
    builder: DecisionBuilder, battery: str, black: str, rof: str, clause: str, *, fired: bool
) -> None:
    """Explain whether a battery fires: its black die, as it counts, against its ROF."""
    sign, does = ("≤", "fires") if fired else (">", "misses")
    builder.because(does, clause, of=battery, roll=f"{black}{sign}{rof}")


def explain_blast(
    builder: DecisionBuilder,
    range: str,
    faces: Faces,
    codes: Codes,
    clause: str,
    cell: ChartCell,
    who: str = "",
) -> None:
    """Explain what all dice of a shot give on the blast table; `who` is the battery of one roll of two."""
    total = sum(faces)
    text, place = " ".join(codes) or "nothing", f"blast {range} {total}"
    builder.because(text, clause, cell, place, of=f"{who}blast", roll=str(total))


def state_shot(builder: DecisionBuilder, *, fired: bool, hits: Codes, blast: Codes) -> None:
    """The facts of a shot's outcome."""
    builder.result("fired", fired)
    builder.result("hits", hits)
    builder.result("blast", blast)


def one_roll(battle: Battle) -> bool:
    """Whether both batteries fire with one roll, not one each; the default is no."""
    return battle.options.get("one_roll") == "yes"


def fire_form(ranges: tuple[str, ...], dice: str, phases: tuple[str, ...], *more: Slot) -> Form:
    """`fire`, with the ranges, dice and phases of a game, and what else it may say."""

    def offered(battle: Battle, word: str) -> str:
        return word if word != "both" or one_roll(battle) else ""

    battery = Slot(
        "battery",
        kinds.CHOICE,
        "the battery",
        choices=("heavy", "light", "both"),
        offered=offered,
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
            flag("light-armor", "heavy guns at the light armor"),
            flag("bow", "in the bow arc", bears=(End.BOW,)),
            flag("stern", "in the stern arc", bears=(End.STERN,)),
            *more,
        ),
        dice=dice,
        phases=phases,
        help="a battery at one target; black alone is enough when it fails; both: a roll each, heavy first",
        says=FIRE_SAYS,
    )


@frozen
class Fire:
    """One battery's part in a shot: its arc, its ROF, the rating and armor that count, and its line.

    `off` is added to the ROF die; `auto`: it fires whatever that shows.
    """

    battery: Battery
    arc: str
    rof: int
    rating: Fraction
    armor: Fraction
    line: int | None
    off: int = 0
    auto: bool = False

    def fires(self, black: int) -> bool:
        """Whether the battery fires on a black die (AQF-GUN-2, QF-GUN-1, QF-GUN-6)."""
        return self.rof > 0 and (self.auto or black + self.off <= self.rof)


JudgedBy = tuple[tuple[Fire, ...], str, bool]
"""All that a roll of a shot is judged by: batteries, range, and whether there is blast without a hit."""


@frozen
class Shot:
    """A shot as declared: firer, target and range, and the batteries that fire; its blast by a switch.

    What is `beyond` long range is read as if it were at long range.
    """

    firer: Ship
    target: Ship
    range: str
    fires: Mapping[Battery, Fire]
    light_armor: bool
    blast_without_hit: bool
    beyond: bool = False

    @property
    def judged_by(self) -> JudgedBy:
        return tuple(self.fires.values()), self.range, self.blast_without_hit


@frozen
class Struck:
    """What one battery's dice did: whether it fired, its hits, and where its line and its hits are read.

    `line` describes the line.
    """

    fire: Fire
    fired: bool
    hits: Codes = ()
    line: str = ""
    line_at: tuple[ChartCell, str] | None = None
    hits_at: tuple[ChartCell, str] | None = None


Read = tuple[list[Struck], Codes, ChartCell | None]
"""What one roll of a shot did: its batteries, its blast codes, and their cell if there is a blast."""

SHOT_ODDS = (Measure("fires", 0), Measure("hits", 1), Measure("mean", 1, mean=True), Measure("blast", 2))
"""The figures of a shot whose judgement says whether it fires, its hits and its blast codes."""
JUDGED = 3
"""What a judgement of a shot says of all batteries; of each it then says whether it fires, and its hits."""


class Gunnery(ABC):
    """Battery fire of a game: its dice, black first, the phases of it and these in words.

    `raised`: heavy guns fire a line higher at point blank. `boat_guns_named`: they are what a ship without a
    battery is said to have.

    The other attributes cite clauses: of the phases, of ships without such a battery, of ROF, of the end
    arcs, of firing once in a phase, of the reach, of who fires at long range, of targets too small and fast,
    of the line, of hits and of blast.
    """

    game: Game
    dice: tuple[Die, ...]
    phases: tuple[str, ...]
    raised: bool = False
    boat_guns_named: bool = False
    when: str
    by_phase: str
    by_card: str
    by_rof: str
    by_arc: str
    by_once: str
    by_reach: str
    by_long: str
    by_small: str
    by_line: str
    by_hits: str
    by_blast: str

    @abstractmethod
    def aimed(self, battle: Battle, order: Order, firer: Ship, fire: Fire) -> Fire:
        """A battery's fire with what changes its ROF die, or makes that needless."""

    @abstractmethod
    def hit(self, fire: Fire, line: str, faces: Faces, reader: ChartReader) -> Struck:
        """What the dice of a battery that fires do on its line of the chart."""

    @abstractmethod
    def hindrances(self, battle: Battle, order: Order, shot: Shot) -> list[Finding]:
        """What hinders a shot."""

    @abstractmethod
    def again(self, battle: Battle, firer: Ship, battery: Battery, fired: set[str]) -> list[Finding]:
        """What hinders fire of a battery after earlier fire of its ship; `fired` did so in this phase."""

    @abstractmethod
    def at_range(self, battle: Battle, order: Order, shot: Shot) -> list[Finding]:
        """What else of its range or armor hinders a shot."""

    @abstractmethod
    def rof_text(self, fire: Fire) -> tuple[str, str]:
        """The ROF of a battery in words, and the clause of its roll."""

    @abstractmethod
    def note(self, battle: Battle, builder: DecisionBuilder, shot: Shot, strikes: list[Struck]) -> None:
        """Writes what is kept of the ROF rolls of a shot."""

    @abstractmethod
    def take(self, builder: DecisionBuilder, shot: Shot, battery: Battery, codes: Codes) -> None:
        """Damage of a shot to its target."""

    def halves_rof(self, battle: Battle) -> bool:
        """Whether the end arcs halve ROF, not the gunnery rating."""
        return True

    def out_of_phase(self, battle: Battle) -> list[Finding]:
        """What hinders any fire in another phase."""
        if battle.phase in self.phases:
            return []
        return [refused(f"guns fire in {self.when} only", self.by_phase)]

    def shot_of(self, battle: Battle, order: Order) -> Shot:
        """The shot of an order: what the firer can do is read as the phase began (AQF-PH-2, QF-PH-2)."""
        target, firer = battle.ships[order.text("target")], acting(battle, order.text("ship"))
        reached = self.game.range_of(battle, order)
        at = reached or LONG
        light_armor, word = order.has("light-armor"), order.text("battery")
        ends = [end for end in ENDS if order.has(end)] or (list(ENDS) if order.has(EITHER) else [])
        fires = {}
        for battery in Battery if word == "both" else (Battery(word),):
            # Where `end` may be either of two that differ it is the weaker.
            arcs = {over_end(firer, end, battery) for end in ends}
            arc = next((how for how in (NO_ARC, HALVED) if how in arcs), FULL)
            fire = self.fire_of(battle, firer, target, battery, at, light_armor, arc)
            fires[battery] = self.aimed(battle, order, firer, fire)
        anyway = battle.options.get("blast_without_hit") == "yes"
        return Shot(firer, target, at, fires, light_armor, anyway, not reached)

    def fire_of(
        self,
        battle: Battle,
        firer: Ship,
        target: Ship,
        battery: Battery,
        range: str,
        light_armor: bool,
        arc: str,
    ) -> Fire:
        """A battery's part in a shot, at either armor (AQF-GUN-5, AQF-GUN-8, QF-GUN-2, QF-GUN-5)."""
        rof, rating = firer.count(f"rof_{battery}"), gunnery_rating(firer, battery)
        if arc == NO_ARC:
            rof = 0
        elif arc == HALVED and self.halves_rof(battle):
            rof //= 2
        elif arc == HALVED:
            rating /= 2
        against = armor(target, Battery.LIGHT if light_armor else battery)
        raised = self.raised and range == POINT_BLANK and battery is Battery.HEAVY
        line = line_against(
            lines_of(tuple(battle.charts["battery"].rows)),
            rating,
            against,
            zero_is_top=self.game.option(battle, "zero_armor") == "top-line",
            raised=raised,
            from_below=raised and battle.options.get("below_lowest") == "raised",
        )
        return Fire(battery, arc, rof, rating, against, line)

    def prepare(self, battle: Battle, order: Order) -> PreparedOrder:
        """`fire`: a battery, or both, at one target."""
        shot = self.shot_of(battle, order)
        firer, target = shot.firer.id, shot.target.id

        def declare(builder: DecisionBuilder) -> None:
            for battery in shot.fires:
                builder.remember("fire", firer, battery=battery.value, target=target, range=shot.range)

        small = size(shot.target) <= SMALL and Battery.HEAVY in shot.fires
        who = f"{battle.called(firer)} {order.text('battery')} at {battle.called(target)}"
        range = order.slots["range"]
        at = range.shown if isinstance(range, Distance) else CALLED.get(shot.range, shot.range)
        return evolve(
            ready(self.game, battle, Roll("fire", firer, order.bare), self.throw_of(battle, shot)),
            findings=tuple(self.hindrances(battle, order, shot)),
            declare=declare,
            prompt=f"{who}, {at}",
            assumes=Mover(self.game, battle, shot.target).assumption if small else (),
            reminders=remind_of_steps(self.game, shot.firer, shot.fires),
        )

    def may_fire(self, battle: Battle, ship: Ship, battery: Battery) -> bool:
        """Whether a battery may still act in this phase: some target and range are not refused."""
        firer = acting(battle, ship.id)
        if self.out_of_phase(battle) or self._of_battery(
            battle, firer, battery, firer.count(f"rof_{battery}")
        ):
            return False
        small = partial(self._too_small, battle) if battery is Battery.HEAVY else None
        return has_target(self.game, battle, firer.id, small)

    def of_guns(self, battle: Battle, order: Order, shot: Shot) -> list[Finding]:
        """What arcs, batteries and range hinder of a shot."""
        findings = self._of_arc(shot, order)
        for fire in shot.fires.values():
            rof = shot.firer.count(f"rof_{fire.battery}") if fire.arc == NO_ARC else fire.rof
            findings.extend(self._of_battery(battle, shot.firer, fire.battery, rof))
        if shot.beyond:
            findings.append(refused(f"{order.slots['range']} is beyond long range", self.by_reach))
        elif (
            shot.range == LONG and Battery.LIGHT in shot.fires and battle.options.get("long_range") != "both"
        ):
            switch = self.game.name_switches("long_range")
            findings.append(refused(f"at long range only heavy guns fire{switch}", self.by_long))
        findings.extend(self.at_range(battle, order, shot))
        if Battery.HEAVY in shot.fires:
            findings.extend(self._too_small(battle, shot.target))
        return findings

    def _of_arc(self, shot: Shot, order: Order) -> list[Finding]:
        """What an arc hinders: a second one, `end` where the ends differ, no gun that bears."""
        named = [word for word in (EITHER, *ENDS) if order.has(word)]
        if len(named) > 1:
            return [refused(f"a shot has one arc: {' or '.join(named)}", self.by_arc)]
        findings = []
        for fire in shot.fires.values():
            guns = f"{whose(shot.firer.name)} {fire.battery.value} guns"
            if order.has(EITHER) and len({over_end(shot.firer, end, fire.battery) for end in ENDS}) > 1:
                text = f"{guns} fire differently over bow and stern: say which"
                findings.append(refused(text, self.by_arc))
            elif fire.arc == NO_ARC:
                findings.append(refused(f"none of {guns} bears in the {named[0]} arc", self.by_arc))
        return findings

    def _of_battery(self, battle: Battle, firer: Ship, battery: Battery, rof: int) -> list[Finding]:
        """What hinders any fire of a battery with that ROF."""
        name = firer.name
        if not gunnery_rating(firer, battery):
            alone = self.boat_guns_named and firer.card_count("boat_guns")
            has = "boat guns only" if alone else f"no {battery.value} battery"
            return [refused(f"{name} has {has}", self.by_card)]
        findings = []
        if rof == 0:
            clause = self.by_arc if firer.count(f"rof_{battery}") else self.by_rof
            findings.append(refused(f"{whose(name)} {battery.value} ROF is 0: it cannot fire", clause))
        fired = {act.text("battery") for act in in_phase(battle, "fire", firer.id)}
        if battery.value in fired:
            guns, owed = f"{whose(name)} {battery} battery", pending(battle, "fire", firer.id, "", battery)
            findings.append(already(owed, f"{guns} is", f"{guns} has fired in this phase", self.by_once))
        return [*findings, *self.again(battle, firer, battery, fired)]

    def _too_small(self, battle: Battle, target: Ship) -> list[Finding]:
        """What hinders heavy fire at a vessel of size 1 or less that moved more than half of its speed."""
        game, by = self.game, self.game.option(battle, "small_fast_by")
        if size(target) > SMALL or by == "never":
            return []
        mover, began = Mover(game, battle, target), Mover(game, battle, acting(battle, target.id))
        speed = began.available if by == "available" else mover.far(BOXES)
        if mover.moved.distance * 2 <= speed:
            return []
        why = f": assumed to have moved {mover.moved_words}" if mover.moved.assumed else ""
        switch = game.name_switches("small_fast_by")
        return [refused(f"{target.name} is too small and fast for heavy guns{switch}{why}", self.by_small)]

    def throw_of(self, battle: Battle, shot: Shot) -> Throw:
        """The throw of a shot: one roll, or one for each battery, heavy first; read before one counts.

        All dice are wanted but what follows a black die that fails in the last.

        AQF-GUN-9, AQF-GUN-17, QF-GUN-7.
        """
        if len(shot.fires) == 1 or one_roll(battle):
            return self._roll(battle, shot, self.dice)
        each, rolls = len(self.dice), [evolve(shot, fires={of: fire}) for of, fire in shot.fires.items()]
        parts = tuple(
            self._roll(battle, roll, tuple(Die(die.sides, f"{of} {die.name}") for die in self.dice))
            for of, roll in zip(shot.fires, rolls, strict=True)
        )
        every, last = sum((part.dice for part in parts), ()), each * (len(parts) - 1)

        def missing(faces: Faces) -> tuple[Die, ...]:
            return parts[-1].missing(faces[last:]) if len(faces) > last else every[len(faces) :]

        def of_each(faces: Faces) -> list[Faces]:
            return [faces[at * each :][:each] for at in range(len(parts))]

        def resolve(faces: Faces, builder: DecisionBuilder, reader: ChartReader) -> None:
            self._write(battle, list(zip(rolls, of_each(faces), strict=True)), builder, reader)

        def alike(faces: Faces) -> Hashable:
            pairs = zip(parts, of_each(faces), strict=True)
            return tuple(part.alike and part.alike(own) for part, own in pairs)

        return Throw(dice=every, resolve=resolve, alike=alike, missing=missing, parts=parts)

    def _roll(self, battle: Battle, shot: Shot, dice: tuple[Die, ...]) -> Throw:
        def resolve(faces: Faces, builder: DecisionBuilder, reader: ChartReader) -> None:
            self._write(battle, [(shot, faces)], builder, reader)

        return evolve(_judged(self, shot.judged_by, dice, plain_reader(battle)), resolve=resolve)

    def read(self, by: JudgedBy, faces: Faces, reader: ChartReader) -> Read:
        """One roll: its batteries, then blast if one hit, or by a switch fired.

        AQF-GUN-11, AQF-GUN-16, QF-BLA-1, QF-BLA-3.
        """
        fires, range, anyway = by
        strikes = []
        for fire in fires:
            fired = fire.fires(faces[0]) and len(faces) >= len(self.dice)
            struck = Struck(fire, fired)
            if fired and fire.line is not None:
                struck = self.hit(fire, str(fire.line), faces[1:], reader)
            strikes.append(struck)
        if any(struck.hits or (anyway and struck.fired) for struck in strikes):
            return strikes, *reader.codes("blast", range, sum(faces))
        return strikes, (), None

    def _write(
        self, battle: Battle, rolls: list[tuple[Shot, Faces]], builder: DecisionBuilder, reader: ChartReader
    ) -> None:
        read = [self.read(shot.judged_by, faces, reader) for shot, faces in rolls]
        for (shot, faces), own in zip(rolls, read, strict=True):
            self._write_roll(battle, shot, faces, own, builder, alone=len(rolls) == 1)
        strikes = [struck for each, _, _ in read for struck in each]
        hits = tuple(hit for struck in strikes for hit in struck.hits)
        blast = tuple(code for _, codes, _ in read for code in codes)
        state_shot(builder, fired=any(struck.fired for struck in strikes), hits=hits, blast=blast)

    def _write_roll(
        self, battle: Battle, shot: Shot, faces: Faces, read: Read, builder: DecisionBuilder, *, alone: bool
    ) -> None:
        strikes, codes, cell = read
        several = len(shot.fires) > 1 or not alone
        for struck in strikes:
            self.explain_rof(builder, shot, struck, faces[0])
        self.note(battle, builder, shot, strikes)
        for struck in filter(lambda struck: struck.fired, strikes):
            who = f"{struck.fire.battery.value} " * several
            self._explain_hits(shot, struck, sum(faces[1:]), builder, who)
            self.take(builder, shot, struck.fire.battery, struck.hits)
        if cell is not None:
            at = CALLED.get(shot.range, shot.range)
            first = max(strikes, key=lambda struck: (bool(struck.hits), struck.fired))
            who = "" if alone else f"{first.fire.battery.value} "
            explain_blast(builder, at, faces, codes, self.by_blast, cell, who)
            self.take(builder, shot, first.fire.battery, codes)

    def explain_rof(self, builder: DecisionBuilder, shot: Shot, struck: Struck, black: int) -> None:
        """Whether a battery fires."""
        fire = struck.fire
        rof, clause = self.rof_text(fire)
        shown = f"{black}{fire.off:+d}" if fire.off else str(black)
        battery = describe_rof(self.game, shot.firer, fire.battery)
        explain_rof(builder, battery, shown, rof, clause, fired=struck.fired)

    def _explain_hits(
        self, shot: Shot, struck: Struck, total: int, builder: DecisionBuilder, who: str
    ) -> None:
        fire = struck.fire
        gunnery = describe_gunnery(self.game, shot.firer, fire.battery, fire.rating)
        against = f"{gunnery} v armor {vulgar(fire.armor)}"
        if struck.line_at is None or struck.hits_at is None:
            builder.because("below the lowest line, nothing", self.by_line, of=against)
            return
        builder.because(struck.line, self.by_line, *struck.line_at, of=f"{who}{against}")
        hits = " ".join(struck.hits) or "no hit"
        builder.because(hits, self.by_hits, *struck.hits_at, of=f"{who}white", roll=str(total))


@lru_cache(maxsize=256)
def _judged(gunnery: Gunnery, by: JudgedBy, dice: tuple[Die, ...], plain: ChartReader) -> Throw:
    """The throw of a roll but for what it does; from key to key of an order it stays the same.

    In a battle that is played out most shots of a turn are those of the turn before.
    """
    firing = [face for face in dice[0].faces if any(fire.fires(face) for fire in by[0])]
    # The faces of two rolls are those of each, over and over.
    read = cache(lambda faces: gunnery.read(by, faces, plain))

    def judge(faces: Faces) -> tuple[int, ...]:
        """Whether it fires, its hits, its blast codes; then whether each battery fires, and its hits."""
        strikes, blast, _ = read(faces)
        each = [figure for struck in strikes for figure in (int(struck.fired), len(struck.hits))]
        return int(any(each[::2])), sum(each[1::2]), len(blast), *each

    def missing(faces: Faces) -> tuple[Die, ...]:
        return () if faces and faces[0] not in firing else dice[len(faces) :]

    def alike(faces: Faces) -> Hashable:
        strikes, blast, _ = read(faces)
        return tuple((struck.fired, struck.hits) for struck in strikes), blast

    needs = _needs(by[0], dice)
    return Throw(dice=dice, judge=judge, odds=SHOT_ODDS, needs=needs, alike=alike, missing=missing)


def _needs(batteries: tuple[Fire, ...], dice: tuple[Die, ...]) -> tuple[Need, ...]:
    """What each battery of a roll needs to fire, and to hit on its line; named where the dice are not."""
    needs = []
    for place, fire in enumerate(batteries):
        who = f"{fire.battery.value} " if len(batteries) > 1 or dice[0].name != "black" else ""
        fires = JUDGED + 2 * place
        at = f"{fire.line}% line" if fire.line is not None else "below the lowest line"
        needs.append(Need(f"{who}fires", fires))
        needs.append(Need(f"{who}hits", fires + 1, tuple(range(1, len(dice))), when=fires, at=at))
    return tuple(needs)


def boats_form(dice: str, phases: tuple[str, ...], help: str, *more: Slot) -> Form:
    """`boats`, with the dice and phases of a game, and what else it may say."""
    target = evolve(TARGET, likely=is_light_craft)
    at = Slot("range", kinds.MEASURE, "the range", choices=(POINT_BLANK,), optional=True, to=target.name)
    return Form(
        "boats",
        "b",
        "Boat guns",
        (SHIP, target, at, *more),
        dice=dice,
        phases=phases,
        help=help,
        says="{ship} boat guns| at {target}|, {range}",
    )


def prepare_boats(
    game: Game, battle: Battle, order: Order, throw: Throw, findings: list[Finding]
) -> PreparedOrder:
    """`boats`: boat guns of one ship at one target, remembered as they are declared."""
    target = order.text("target")
    prompt = f"boat guns of {battle.called(order.text('ship'))} at {battle.called(target)}"
    hint = () if "range" in order.slots else ("boat guns fire at point blank only, in any direction",)
    made = ordered(game, battle, order, throw, findings, prompt, target=target)
    return evolve(made, reminders=hint)


def boat_hindrances(
    game: Game, battle: Battle, order: Order, points: list[Finding], clause: str
) -> list[Finding]:
    """What hinders boat guns: their target, what of their `points` does, and a range beyond point blank."""
    target = battle.ships[order.text("target")]
    findings = at_target(game, battle, order.text("ship"), target)
    if not is_light_craft(target):
        findings.append(refused(f"{target.name} is no light craft: boat guns cannot hurt it", clause))
    findings.extend(points)
    if "range" in order.slots and game.range_of(battle, order) != POINT_BLANK:
        text = f"{order.slots['range']} is beyond point blank: boat guns fire no farther"
        findings.append(refused(text, clause))
    return findings


def boat_throw(
    battle: Battle, target: str, dice: tuple[Die, ...], line: TableLine, take: Take, explosion: str = ""
) -> Throw:
    """The throw of boat guns: the codes of each die's cell.

    `explosion` is the clause by which several dice that all show the same explode, "" if none does.
    """
    plain = plain_reader(battle)

    def codes(faces: Faces) -> list[str]:
        return [code for face in faces for code in plain.codes(line.table, line.row, face)[0]]

    def explodes(faces: Faces) -> bool:
        return len(faces) > 1 and len(set(faces)) == 1

    def judge(faces: Faces) -> tuple[int, ...]:
        hit_codes = codes(faces)
        return len(hit_codes), int(explodes(faces) or "E" in hit_codes)

    def resolve(faces: Faces, builder: DecisionBuilder, reader: ChartReader) -> None:
        hits: list[str] = []
        for face, (hit_codes, cell) in [(face, reader.codes(line.table, line.row, face)) for face in faces]:
            text, place = " ".join(hit_codes) or "nothing", f"{line.title} {face}"
            builder.because(text, line.clause, cell, place, of="boat gun", roll=str(face))
            take(builder, target, hit_codes)
            hits.extend(hit_codes)
        if explodes(faces):
            builder.because("an explosion", explosion, roll=f"{len(faces)} dice show {faces[0]}")
            take(builder, target, ("E",))
        state_shot(builder, fired=True, hits=tuple(hits), blast=("E",) * explodes(faces))

    return Throw(
        dice=dice,
        resolve=resolve,
        judge=judge,
        odds=(Measure("hits", 0),),
        needs=(Need("hits", 0, each=bool(explosion)),),
        alike=lambda faces: (tuple(codes(faces)), explodes(faces)),
    )


def torpedo_range(game: Game, choices: tuple[str, ...]) -> Slot:
    """The range of a torpedo attack; `in` is offered with the least and most of the scale."""

    def offered(battle: Battle, word: str) -> str:
        return f"in ({game.torpedo_range_text(battle)})" if word == "in" else word

    return Slot(
        "range", kinds.MEASURE, "in range, or a distance", choices=choices, offered=offered, to=TARGET.name
    )


def out_of_water(target: Ship) -> list[Finding]:
    """What hinders any torpedo at a target: that it stands on land."""
    return [impossible(f"{target.name} is a battery on land: no torpedo reaches it")] if target.ashore else []


def launch_hindrances(
    game: Game, battle: Battle, order: Order, firer: list[Finding], clause: str
) -> list[Finding]:
    """What hinders a launch: its target, what of its `firer` does, and a distance out of torpedo range."""
    target, distance = battle.ships[order.text("target")], order.slots["range"]
    findings = [*at_target(game, battle, order.text("ship"), target), *out_of_water(target), *firer]
    least, most = game.torpedo_range(battle)
    amount = game.amount(battle, distance) if isinstance(distance, Distance) else least
    if not least <= amount <= most:
        switch = game.name_switches("torpedo_least") if amount < least else ""
        text = f"{distance} is out of torpedo range, {game.torpedo_range_text(battle)}{switch}"
        findings.append(refused(text, clause))
    return findings


def launched(battle: Battle, firer: Ship, clause: str) -> list[Finding]:
    """What hinders a second launch of a turn."""
    if not battle.done("torpedo", firer.id):
        return []
    owed, done = pending(battle, "torpedo", firer.id), f"{firer.name} has launched at a target this turn"
    return [already(owed, f"{whose(firer.name)} torpedo attack is", done, clause)]


def launch_throw(
    battle: Battle, order: Order, dice: tuple[Die, ...], *, static: bool, hit: str, harm: str
) -> Throw:
    """The throw of a launch on the table `torpedo`, its rating as the phase began.

    `hit` cites the roll, `harm` the S hits of a strike, which owes the roll for them. There are neither
    damage points nor SX: these facts are None.

    Rule: QF-TOR-1.
    """
    plain, rating = plain_reader(battle), acting(battle, order.text("ship")).count("torpedo")
    row = STATIC if static else MOVING
    known = [int(name) for name in columns_of(battle, "torpedo", row) if name.isdecimal()]
    read_as = max((other for other in known if other <= rating), default=rating)
    column, shown = str(read_as), f"{rating}" if read_as == rating else f"{rating}, as {read_as}"

    def judge(faces: Faces) -> tuple[int, ...]:
        return (int(sum(faces) <= plain.most("torpedo", row, column)[0]),)

    def resolve(faces: Faces, builder: DecisionBuilder, reader: ChartReader) -> None:
        most, cell = reader.most("torpedo", row, column)
        struck = sum(faces) <= most
        sign, does = ("≤", "a strike") if struck else (">", "a miss")
        of, roll = f"torpedo rating {shown}, {row} target:", f"{sum(faces)}{sign}{most}"
        builder.because(does, hit, cell, f"torpedo {row}, {column}", of=of, roll=roll)
        if struck:
            id, name = order.text("target"), battle.called(order.text("target"))
            builder.because("takes as many S as the next die shows", harm, subject=name)
            builder.owe(SPEED_HITS, id, f"S hits of a torpedo on {name}", Die(6))
        builder.result("struck", struck)
        builder.result("points", None)
        builder.result("sx", None)

    odds, needs = (Measure("strikes", 0),), (Need("strikes", 0, tuple(range(len(dice)))),)
    return Throw(dice=dice, resolve=resolve, judge=judge, odds=odds, needs=needs)


def prepare_launch(
    game: Game, battle: Battle, order: Order, throw: Throw, findings: list[Finding]
) -> PreparedOrder:
    """`torpedo`: one launch at one target, remembered as it is declared."""
    target = order.text("target")
    prompt = f"torpedo of {battle.called(order.text('ship'))} at {battle.called(target)}"
    return evolve(
        ordered(game, battle, order, throw, findings, prompt, target=target),
        assumes=Mover(game, battle, battle.ships[target]).assumption,
    )


def on_speed_hits(roll: Roll, clause: str, take: Take) -> Resolve:
    """A strike's S hits: as many as the die shows."""

    def resolve(faces: Faces, builder: DecisionBuilder, reader: ChartReader) -> None:
        hits = ("S",) * faces[0]
        builder.because(f"{faces[0]} S", clause, of=f"torpedo on {builder.battle.called(roll.ship)}")
        take(builder, roll.ship, hits)
        builder.result("hits", hits)

    return resolve
