"""What the games say alike of a shot: its ROF roll, its line, its blast, and the facts of its outcome."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from fractions import Fraction
from functools import cache

from attrs import evolve, frozen

from qf_tui.core.charts import ChartCell
from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.errors import Finding, impossible, refused
from qf_tui.core.grammar import kinds
from qf_tui.core.grammar.forms import Form, Order, Slot
from qf_tui.core.grammar.kinds import flag
from qf_tui.core.system import CardField, Faces, Field, Measure, Need, Option, PreparedOrder
from qf_tui.core.text import whose
from qf_tui.core.values import Act, Battle, Die, Owed, Ship
from qf_tui.rules.quickfire_family.chart import ChartReader, plain_reader
from qf_tui.rules.quickfire_family.damage import Resolve, Take
from qf_tui.rules.quickfire_family.game import Game, figure
from qf_tui.rules.quickfire_family.movement import assumption, moved_words, movement
from qf_tui.rules.quickfire_family.ship import (
    AGROUND,
    ON_GROUND,
    SHIP,
    SMALL,
    Battery,
    _gone,
    acting,
    available_speed,
    card_field,
    is_light_craft,
    out_of_play,
    printed_speed,
    size,
)
from qf_tui.rules.quickfire_family.throws import SHOT_ODDS, Roll, Throw, all_of, ready

FULL, HALVED, NO_ARC = "full", "halved", "none"
_WORDS = (HALVED, FULL, NO_ARC)
ENDS = ("bow", "stern")
EITHER = "end"
"""The word of an order for the bow or the stern arc, where the firer fires alike in both."""

ARCS = CardField(
    "arcs",
    "table",
    "fire in each end arc by battery; left out: as end_arc has it",
    parts=tuple(
        CardField(
            end,
            "table",
            f"fire over the {end}",
            parts=tuple(
                CardField(each.value, "word", f"{each.value} guns", words=_WORDS) for each in Battery
            ),
        )
        for end in ENDS
    ),
)


def arc_fields(clause: str) -> tuple[Field, ...]:
    """The fields of the card that say how a ship fires in the end arcs."""
    return (
        card_field("end_arc", "fire in the end arcs", clause, "words", words=(HALVED, FULL)),
        *(
            card_field(_key(end, each), f"{each.value} fire over the {end}", clause, "words", words=_WORDS)
            for end in ENDS
            for each in Battery
        ),
    )


def _key(end: str, battery: Battery) -> str:
    return f"arcs.{end}.{battery.value}"


def _over(ship: Ship, end: str, battery: Battery) -> str:
    own = ship.card.get(_key(end, battery)) or ship.card.get("end_arc")
    return own if isinstance(own, str) else HALVED


def arc_of(ship: Ship, battery: Battery, order: Order) -> str:
    """How a battery fires in the arc of an order: full, halved or none.

    Where `end` may be either of two that differ it is the weaker.
    """
    named = [end for end in ENDS if order.has(end)] or (list(ENDS) if order.has(EITHER) else [])
    found = {_over(ship, end, battery) for end in named}
    return next((how for how in (NO_ARC, HALVED) if how in found), FULL)


def arc_hindrances(firer: Ship, batteries: Iterable[Battery], order: Order, clause: str) -> list[Finding]:
    """What the arc of a shot hinders: two of them, `end` where the ends differ, no gun that bears."""
    named = [word for word in (EITHER, *ENDS) if order.has(word)]
    if len(named) > 1:
        return [refused(f"a shot has one arc: {' or '.join(named)}", clause)]
    found = []
    for battery in batteries:
        guns = f"{whose(firer.name)} {battery.value} guns"
        if order.has(EITHER) and len({_over(firer, end, battery) for end in ENDS}) > 1:
            found.append(
                refused(f"{guns} fire otherwise over the bow than over the stern: say which", clause)
            )
        elif arc_of(firer, battery, order) == NO_ARC:
            found.append(refused(f"none of {guns} bears in the {named[0]} arc", clause))
    return found


GROUNDED = Option(
    AGROUND,
    ON_GROUND,
    ("fights", "silent"),
    "fights",
    "whether a ship aground fires and launches, or is a target alone",
)


def shared_edge(clause: str) -> Option:
    """The switch for a range on the edge of two brackets."""
    says = "the bracket of a distance on a shared edge"
    return Option("shared_edge", clause, ("shorter", "longer"), "shorter", says)


def estimated_ranges(clause: str, says: str = "a range may be estimated", example: str = "12in") -> Option:
    """The switch for ranges that nobody measured."""
    says = f"whether {says} between two that are measured (`~{example}`)"
    return Option("estimated_ranges", clause, ("yes", "no"), "yes", says, measured_only="no")


def asked_of(switches: tuple[Option, ...]) -> Callable[[Battle, str], str]:
    """The value of a switch in a battle; its default where the battle does not say."""
    defaults = {switch.name: switch.default for switch in switches}

    def option(battle: Battle, name: str) -> str:
        value = battle.options.get(name)
        return str(value) if value is not None else defaults[name]

    return option


def silent(battle: Battle, ship: Ship) -> bool:
    """Whether a ship neither fires nor launches because it lies aground (AQF-PH-8)."""
    return ship.status == AGROUND and battle.options.get(AGROUND) == "silent"


def one_roll(battle: Battle) -> bool:
    """Whether both batteries fire with one roll, not one each; the default is no."""
    return battle.options.get("one_roll") == "yes"


_ATTACKS = ("fire", "torpedo", "boats")


def at_target(game: Game, battle: Battle, firer: str, target: Ship) -> list[Finding]:
    """What hinders any attack of one ship on another; that it is of the same side no clause says."""
    ship = battle.ships[firer]
    found = list(out_of_play(game, ship))
    if silent(battle, ship):
        found.append(refused(f"{ship.name} is aground and silent (switch aground)", ON_GROUND))
    if firer == target.id:
        found.append(impossible(f"{target.name} cannot attack itself"))
    elif ship.side == target.side:
        found.append(refused(f"{target.name} is of the same side", ""))
    return [*found, *_gone(game, target, "no target")]


def out_of_water(target: Ship) -> list[Finding]:
    """What hinders any torpedo at a target: that it stands on land."""
    return [impossible(f"{target.name} is a battery on land: no torpedo reaches it")] if target.ashore else []


def has_target(
    game: Game, battle: Battle, firer: str, bars: Callable[[Ship], object] = lambda target: ()
) -> bool:
    """Whether there is a ship that may be attacked; `bars` finds what else protects a target."""
    ships = battle.others_first(battle.ships[firer].side)
    return any(not at_target(game, battle, firer, target) and not bars(target) for target in ships)


def too_small(game: Game, battle: Battle, target: Ship, by: str, clause: str) -> list[Finding]:
    """What hinders heavy fire at a vessel of size 1 or less that moved more than half of its speed this turn.

    `by`: its `printed` speed, or what is `available`; at `never` it hinders nothing.
    """
    if size(target) > SMALL or by == "never":
        return []
    available = available_speed(game, battle, acting(battle, target.id))
    moved = movement(game, battle, target)
    if moved.distance * 2 <= (available if by == "available" else printed_speed(game, battle, target)):
        return []
    why = f": assumed to have moved {moved_words(game, battle, target)}" if moved.assumed else ""
    return [refused(f"{target.name} is too small and fast for heavy guns{why}", clause)]


def has_fired(battle: Battle, ship: str, battery: Battery, phase: str) -> bool:
    """Whether a battery has declared fire in that phase of this turn."""
    return any(act.text("battery") == battery.value for act in battle.done("fire", ship, phase=phase))


def pending(battle: Battle, kind: str, ship: str, target: str = "", battery: str = "") -> Owed | None:
    """The owed line of a declared attack none of whose dice are thrown; any target, any battery if ""."""
    for owed in battle.owed:
        if (owed.line, owed.ship) != (kind, ship) or owed.order is None or owed.faces:
            continue
        aims = target in ("", owed.order.text("target"))
        if aims and (not battery or owed.order.text("battery") in (battery, "both")):
            return owed
    return None


def already(owed: Owed | None, declared: str, done: str) -> str:
    """What is said of an attack made twice: that it is `declared`, and the cure, or that it is `done`."""
    return f"{declared} declared already: roll the dice, or amend entry {owed.entry}" if owed else done


def dice_thrown(battle: Battle) -> bool:
    """Whether dice of some attack that was declared in this phase are thrown."""
    return any(_thrown(battle, act) for act in battle.acts[len(battle.start.acts) :])


def _thrown(battle: Battle, act: Act) -> bool:
    if act.kind not in _ATTACKS:
        return False
    return pending(battle, act.kind, act.ship, act.text("target"), act.text("battery")) is None


def remarked_if_late(battle: Battle, prepared: PreparedOrder, declared: str, with_dice: str) -> PreparedOrder:
    """An attack, remarked on if it comes after dice of its phase: `declared`, or `with_dice`, by clause."""
    late = cache(lambda: dice_thrown(battle))

    def waits(builder: DecisionBuilder) -> None:
        if late():
            builder.remark("declared after dice of this phase were thrown", declared)

    def decide(faces: Faces, builder: DecisionBuilder) -> None:
        prepared.decide(faces, builder)
        if late():
            builder.remark("named after other dice of this phase", with_dice)

    return evolve(prepared, waits=waits, decide=decide)


TARGET = Slot("target", kinds.SHIP, "the target")
END = flag("end", "in the bow or stern arc")
BOW, STERN = flag("bow", "in the bow arc"), flag("stern", "in the stern arc")
LIGHT_ARMOR = flag("light-armor", "heavy guns at the light armor")

FIRE_SAYS = "{ship}| {battery}| at {target}|, {range}"
BOATS_SAY = "{ship} boat guns| at {target}|, {range}"
TORPEDO_SAYS = "{ship} torpedo| at {target}|, {range}"


def fire(ranges: tuple[str, ...], dice: str, phases: tuple[str, ...], *more: Slot) -> Form:
    """`fire`, with the ranges, dice and phases of a game, and what else it may say."""

    def offered(battle: Battle, word: str) -> str:
        return word if word != "both" or one_roll(battle) else ""

    return Form(
        "fire",
        "f",
        "Fire a battery",
        (
            SHIP,
            Slot(
                "battery",
                kinds.CHOICE,
                "the battery",
                choices=("heavy", "light", "both"),
                offered=offered,
                identifies=True,
            ),
            TARGET,
            Slot("range", kinds.MEASURE, "the range", choices=ranges, to=TARGET.name),
            END,
            LIGHT_ARMOR,
            BOW,
            STERN,
            *more,
        ),
        dice=dice,
        phases=phases,
        help="a battery at one target; black alone is enough when it fails; both: a roll each, heavy first",
        says=FIRE_SAYS,
    )


def torpedo_range(game: Game, choices: tuple[str, ...]) -> Slot:
    """The range of a torpedo attack; `in` is offered with the least and most of the scale."""

    def offered(battle: Battle, word: str) -> str:
        return f"in ({game.torpedo_range(battle)})" if word == "in" else word

    return Slot(
        "range", kinds.MEASURE, "in range, or a distance", choices=choices, offered=offered, to=TARGET.name
    )


def boats(dice: str, phases: tuple[str, ...], help: str, *more: Slot) -> Form:
    """`boats`, with the dice and phases of a game, and what else it may say."""
    target = evolve(TARGET, likely=is_light_craft)
    at = Slot("range", kinds.MEASURE, "the range", choices=("pb",), optional=True, to=target.name)
    return Form(
        "boats",
        "b",
        "Boat guns",
        (SHIP, target, at, *more),
        dice=dice,
        phases=phases,
        help=help,
        says=BOATS_SAY,
    )


Codes = tuple[str, ...]
Blast = tuple[Codes, ChartCell | None]
"""The codes of a blast and their cell; none where there is no blast."""


def batteries(order: Order) -> tuple[Battery, ...]:
    """The batteries that an order names."""
    word = order.text("battery")
    return tuple(Battery) if word == "both" else (Battery(word),)


def remember_shots(
    builder: DecisionBuilder, firer: str, target: str, range: str, batteries: Iterable[Battery]
) -> None:
    """Remembers each battery that is declared at a target."""
    for battery in batteries:
        builder.remember("fire", firer, battery=battery.value, target=target, range=range)


def say_rof(
    builder: DecisionBuilder, battery: Battery, black: str, rof: str, clause: str, *, fired: bool
) -> None:
    """Whether a battery fires: its black die, as it counts, against its ROF."""
    sign, does = ("≤", "fires") if fired else (">", "misses")
    builder.because(does, clause, of=f"{battery.value} ROF", roll=f"{black}{sign}{rof}")


JUDGED = 3
"""What a judgement of a shot says of all batteries; of each it then says whether it fires, and its hits."""


Strike = tuple[bool, Codes]
"""What one battery's dice did: whether it fired, and its hits."""


@frozen
class Read:
    """What one roll of dice did: the strikes of its batteries, its blast, and how it is written."""

    strikes: Sequence[Strike]
    blast: Codes
    write: Callable[[DecisionBuilder], None]


@frozen
class OneRoll:
    """One roll of a shot: its batteries with their lines, whether a black die fires, what its dice do."""

    lines: Sequence[tuple[Battery, int | None]]
    fires: Callable[[int], bool]
    read: Callable[[Faces, ChartReader], Read]


def shot_throw(battle: Battle, dice: tuple[Die, ...], rolls: Sequence[OneRoll]) -> Throw:
    """The throw of a shot: those dice, black first, for each of its rolls, which are read before one counts.

    All are wanted but what follows a black die that fails in the last.
    """
    if len(rolls) == 1:
        return _one(battle, dice, rolls[0])
    each = len(dice)
    named = [tuple(Die(die.sides, f"{roll.lines[0][0]} {die.name}") for die in dice) for roll in rolls]
    parts = tuple(_one(battle, own, roll) for own, roll in zip(named, rolls, strict=True))
    every, last = sum(named, ()), each * (len(rolls) - 1)

    def missing(faces: Faces) -> tuple[Die, ...]:
        return parts[-1].missing(faces[last:]) if len(faces) > last else every[len(faces) :]

    def resolve(faces: Faces, builder: DecisionBuilder, reader: ChartReader) -> None:
        _write([roll.read(faces[at * each :][:each], reader) for at, roll in enumerate(rolls)], builder)

    def alike(faces: Faces) -> Hashable:
        return tuple(part.alike and part.alike(faces[at * each :][:each]) for at, part in enumerate(parts))

    return Throw(every, resolve, missing, alike=alike, parts=parts)


def _one(battle: Battle, dice: tuple[Die, ...], roll: OneRoll) -> Throw:
    plain = plain_reader(battle)
    # The faces of two rolls are those of each, over and over.
    read = cache(lambda faces: roll.read(faces, plain))

    def judge(faces: Faces) -> tuple[int, ...]:
        """Whether it fires, its hits and its blast codes; then of each battery whether it fires, its hits."""
        result = read(faces)
        strikes = [figure for fired, hits in result.strikes for figure in (fired, len(hits))]
        return int(any(strikes[::2])), sum(strikes[1::2]), len(result.blast), *strikes

    return Throw(
        dice,
        lambda faces, builder, reader: _write([roll.read(faces, reader)], builder),
        lambda faces: () if faces and not roll.fires(faces[0]) else dice[len(faces) :],
        judge,
        SHOT_ODDS,
        _needs(roll, dice),
        lambda faces: (tuple(read(faces).strikes), read(faces).blast),
    )


def _write(found: Sequence[Read], builder: DecisionBuilder) -> None:
    for one in found:
        one.write(builder)
    strikes = [struck for one in found for struck in one.strikes]
    hits = tuple(hit for _, hits in strikes for hit in hits)
    blast = tuple(code for one in found for code in one.blast)
    state_shot(builder, fired=any(fired for fired, _ in strikes), hits=hits, blast=blast)


def _needs(roll: OneRoll, dice: tuple[Die, ...]) -> tuple[Need, ...]:
    """What each battery of a roll needs to fire, and to hit on its line; named where the dice are not."""
    found = []
    for place, (battery, line) in enumerate(roll.lines):
        who = f"{battery.value} " if len(roll.lines) > 1 or dice[0].name != "black" else ""
        fires = JUDGED + 2 * place
        at = f"{line}% line" if line is not None else "below the lowest line"
        found.append(Need(f"{who}fires", fires))
        found.append(Need(f"{who}hits", fires + 1, tuple(range(1, len(dice))), when=fires, at=at))
    return tuple(found)


def against(rating: Fraction, armor: Fraction) -> str:
    """The comparison that a line of the chart is found by, in words."""
    return f"gunnery {figure(rating)} v armor {figure(armor)}"


def say_below_lines(builder: DecisionBuilder, rating: Fraction, armor: Fraction, clause: str) -> None:
    """A battery that fires and is too weak for any line."""
    builder.because("below the lowest line, nothing", clause, of=against(rating, armor))


def say_blast(
    builder: DecisionBuilder, range: str, faces: Faces, codes: Codes, clause: str, cell: ChartCell
) -> None:
    """What all dice of a shot together give on the blast table."""
    total = sum(faces)
    builder.because(
        " ".join(codes) or "nothing", clause, cell, f"blast {range} {total}", of="blast", roll=str(total)
    )


def state_shot(builder: DecisionBuilder, *, fired: bool, hits: Codes, blast: Codes) -> None:
    """The facts of a shot's outcome."""
    builder.result("fired", fired)
    builder.result("hits", hits)
    builder.result("blast", blast)


MOVING, STATIC = "moving", "static"
SPEED_HITS = "speed-hits"
"""The line of the roll for a strike's S hits."""

ODDS = (Measure("strikes", 0),)


@frozen
class Launch:
    """A launch as declared: the rating as the phase began, the target's motion, and the clauses it cites.

    `hit` cites the roll, `harm` the S hits of a strike; `die` is thrown for them.
    """

    target: Ship
    rating: int
    static: bool
    hit: str
    harm: str
    die: Die

    @property
    def row(self) -> str:
        return STATIC if self.static else MOVING

    @property
    def column(self) -> str:
        """The greatest rating that the chart has serves all above it."""
        return str(min(self.rating, 4))


def throw_of(battle: Battle, launch: Launch, dice: tuple[Die, ...]) -> Throw:
    """The throw of a launch on the table `torpedo`; a strike owes the roll for its S hits.

    It has neither damage points nor SX: these facts are None.
    """
    plain = plain_reader(battle)

    def strikes(faces: Faces, reader: ChartReader) -> bool:
        return sum(faces) <= reader.most("torpedo", launch.row, launch.column)[0]

    def judge(faces: Faces) -> tuple[int, ...]:
        return (int(strikes(faces, plain)),)

    def resolve(faces: Faces, builder: DecisionBuilder, reader: ChartReader) -> None:
        most, cell = reader.most("torpedo", launch.row, launch.column)
        struck = sum(faces) <= most
        sign, does = ("≤", "a strike") if struck else (">", "a miss")
        builder.because(
            does,
            launch.hit,
            cell,
            f"torpedo {launch.row}, {launch.column}",
            of=f"torpedo rating {launch.rating}, {launch.row} target:",
            roll=f"{sum(faces)}{sign}{most}",
        )
        if struck:
            id, name = launch.target.id, battle.called(launch.target.id)
            builder.because("takes as many S as the next die shows", launch.harm, subject=name)
            builder.owe(SPEED_HITS, id, f"S hits of a torpedo on {name}", launch.die)
        builder.result("struck", struck)
        builder.result("points", None)
        builder.result("sx", None)

    return Throw(dice, resolve, all_of(dice), judge, ODDS, (Need("strikes", 0, tuple(range(len(dice)))),))


def prepare(
    game: Game, battle: Battle, order: Order, throw: Throw, findings: tuple[Finding, ...]
) -> PreparedOrder:
    """`torpedo`: one launch at one target, remembered as it is declared."""
    firer, target = battle.ships[order.text("ship")], battle.ships[order.text("target")]
    return evolve(
        ready(game, battle, Roll("torpedo", firer.id, order.bare), throw),
        findings=findings,
        declare=lambda builder: builder.remember("torpedo", firer.id, target=target.id),
        prompt=f"torpedo of {battle.called(firer.id)} at {battle.called(target.id)}",
        assumes=assumption(game, battle, target),
    )


def on_speed_hits(roll: Roll, clause: str, take: Take) -> Resolve:
    """A strike's S hits: as many as the die shows."""

    def resolve(faces: Faces, builder: DecisionBuilder, reader: ChartReader) -> None:
        hits = ("S",) * faces[0]
        builder.because(f"{faces[0]} S", clause, of=f"torpedo on {builder.battle.called(roll.ship)}")
        take(builder, roll.ship, hits)
        builder.result("hits", hits)

    return resolve
