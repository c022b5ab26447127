"""Who may act, who is a target, which battery has fired, and what attacks still wait for their dice."""

from collections.abc import Callable, Iterable
from functools import cache

from attrs import evolve

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.errors import Finding, impossible, refused
from qf_tui.core.system import CardField, Faces, Field, Option, PreparedOrder
from qf_tui.core.text import whose
from qf_tui.core.values import SUNK, Act, Battle, Order, Owed, Ship
from qf_tui.rules.quickfire_family.game import Game
from qf_tui.rules.quickfire_family.movement import moved_words, movement
from qf_tui.rules.quickfire_family.ship import (
    AGROUND,
    ON_GROUND,
    OUT,
    SMALL,
    Battery,
    available_speed,
    card_field,
    printed_speed,
    size,
)

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


def out_of_play(game: Game, ship: Ship) -> tuple[Finding, ...]:
    """A sunk ship takes no orders, nor does one that struck or withdrew; one aground does (AQF-PH-8)."""
    return _gone(game, ship, "takes no orders")


def _gone(game: Game, ship: Ship, text: str) -> tuple[Finding, ...]:
    if ship.afloat or ship.status == AGROUND:
        return ()
    clause = game.clauses.sunk if ship.status == SUNK else OUT
    return (refused(f"{ship.name} is {ship.status} and {text}", clause),)


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


def acting(battle: Battle, id: str) -> Ship:
    """A ship as its phase began, which decides what it can do."""
    return battle.start.ships.get(id, battle.ships[id])


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
