"""One battle played to its end, without a log: doctrines order, the rules decide, a seed throws.

A `BattleModel` is what all battles from one start have in common: what its ships can be ordered to do at a
range or to repair, and what that costs the enemy.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import cache, cached_property
from itertools import islice
from random import Random

from qf_tui.core.availability import range_slot
from qf_tui.core.builtin_forms import ANSWER, NEXT, ROLL
from qf_tui.core.decide import played, prepare_order
from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.declarations import PreparedEntry, PreparedOrder
from qf_tui.core.errors import Finding, OrderRefused, QfError
from qf_tui.core.frozen import frozen
from qf_tui.core.odds import throws
from qf_tui.core.schedule import counted, proposed
from qf_tui.core.system import RuleSystem, find_field, possible_orders
from qf_tui.core.text import Distance
from qf_tui.core.values import (
    WITHDRAWN,
    Battle,
    Die,
    Form,
    Mends,
    Order,
    Owed,
    Ship,
    Slot,
    SlotValue,
    replace,
)
from qf_tui.library.declared import APART, APPROACH

METRIC, INCHES = "cm", "in"
UNITS = {METRIC: "centimetres", INCHES: "inches"}
FARTHEST = 1024
"""The longest range that is looked for, in the unit of the table."""
NEAREST = 1.0
WORDS = ("id", "name", "notes", *APART)
"""What of a card changes no shot."""


def points_of(system: RuleSystem) -> tuple[Mends, ...]:
    """What repairs use up under a rule system; nothing where nobody orders any."""
    return tuple(dict.fromkeys(form.mends for form in system.forms if form.mends is not None))


def points_title(system: RuleSystem) -> str:
    """The title of such points."""
    fields = (find_field(system, mends.points) for mends in points_of(system))
    return ", ".join(field.title for field in fields if field is not None)


def printed_points(system: RuleSystem, ship: Ship) -> int:
    """How many such points a ship was built with."""
    return sum(ship.card_count(mends.printed) for mends in points_of(system))


def with_points(system: RuleSystem, ship: Ship, more: int) -> Ship:
    """A ship with so many more of such points, or fewer, down to none; one built with none stays so."""
    card, log = dict(ship.card), dict(ship.log)
    for mends in points_of(system):
        if ship.card_count(mends.printed):
            card[mends.printed] = max(0, ship.card_count(mends.printed) + more)
            log[mends.points] = max(0, ship.count(mends.points) + more)
    return replace(ship, card=card, log=log)


@frozen(eq=False)
class Attack:
    """One way in which a ship may attack: an order without its target and its range.

    `place` is the slot of the range. Each is known by its identity: it is found once.
    """

    form: Form
    ship: str
    place: Slot
    slots: Mapping[str, SlotValue]

    def at(self, target: str, range: Distance) -> Order:
        given = {**self.slots, self.place.to: target, self.place.name: range}
        return Order(
            self.form, {slot.name: given[slot.name] for slot in self.form.slots if slot.name in given}
        )


def attacks_of(system: RuleSystem, battle: Battle, ship: Ship) -> Iterator[Attack]:
    """All ways in which a ship may attack, whatever the phase; what an order may leave out is left out."""
    for form in system.forms:
        place = range_slot(form)
        if place is None:
            continue
        given: dict[str, SlotValue] = {place.to: ship.id, place.name: distance(battle, 1)}
        plain = {slot.name for slot in form.slots if not slot.optional} | given.keys()
        for order in possible_orders(form, battle, ship, given=given):
            if order.slots.keys() <= plain and _offered(form, battle, order):
                slots = {name: value for name, value in order.slots.items() if name not in given}
                yield Attack(form, ship.id, place, slots)


def _offered(form: Form, battle: Battle, order: Order) -> bool:
    """Whether every choice in an order is one that people are offered in this battle."""
    return all(
        slot.offered(battle, order.text(slot.name))
        for slot in form.slots
        if slot.offered is not None and not slot.to and slot.choices and slot.name in order.slots
    )


def unit_of(battle: Battle) -> str:
    """The unit in which a battle's ranges are scripted: inches, or centimetres on a metric table."""
    return METRIC if battle.table.get("units") == "metric" else INCHES


def distance(battle: Battle, amount: float) -> Distance:
    """A range in that unit, to a tenth."""
    return Distance(Fraction(round(amount * 10), 10), unit_of(battle))


class BattleModel:
    """A battle that is to be played out again and again, with what was found of it before.

    `whole` is what each ship was worth as the battle began, by id: of the start itself unless given.
    """

    def __init__(self, system: RuleSystem, start: Battle, whole: Mapping[str, float] | None = None) -> None:
        self.system, self.start = system, start
        coming = {id: ship for id, ship in start.reserve.items() if id not in start.ships}
        self.every: Mapping[str, Ship] = {**start.ships, **coming}
        self.whole = {id: system.worth.of_ship(ship) for id, ship in self.every.items()} | dict(whole or {})
        self.script = tuple(map(float, str(start.table.get(APPROACH) or "").split()))
        self.stretch = 1.0
        self.sides = tuple(side.id for side in start.sides)
        self._all = replace(start, ships=self.every)
        self._targets: dict[tuple[Attack, Fraction], tuple[list[str], Iterator[str]]] = {}
        self._allowed: dict[Hashable, bool] = {}
        self._means: dict[Hashable, float] = {}
        self._costs: dict[tuple[Attack, str, Fraction], float] = {}
        # What is found of a ship is found once.
        self.attacks, self.repairs = cache(self._attacks), cache(self._repairs)
        self.abreast = cache(self._abreast)

    def _attacks(self, ship: str) -> tuple[Attack, ...]:
        return tuple(attacks_of(self.system, self._all, self.every[ship]))

    def _repairs(self, ship: str) -> tuple[Order, ...]:
        """All repairs that a ship may ever be ordered to make, as they are declared."""
        return tuple(
            order
            for form in self.system.forms
            if form.mends is not None
            for order in possible_orders(form, self._all, self.every[ship])
            if order.slots.keys() <= {slot.name for slot in form.slots if not slot.optional}
        )

    def _abreast(self, ship: str) -> tuple[str, ...]:
        """The enemies of a ship, first those that have her place in the order of battle of their side."""
        place, side = self._places[ship], self.every[ship].side
        enemies = [id for id, other in self.every.items() if other.side != side]
        return tuple(sorted(enemies, key=lambda id: abs(self._places[id] - place)))

    def flag(self, side: str) -> str:
        """The ship that leads a side: the first of its order of battle that is no battery; "" if none is."""
        return next((id for id, ship in self.every.items() if ship.side == side and not ship.ashore), "")

    @cached_property
    def _places(self) -> Mapping[str, int]:
        """Which in the order of battle of its side each ship is."""
        places: dict[str, int] = {}
        for side in self.sides:
            own = [id for id, ship in self.every.items() if ship.side == side]
            places |= {id: place for place, id in enumerate(own)}
        return places

    @cached_property
    def reach(self) -> float:
        """The longest range at which any ship can attack; QfError where none can at any range."""
        reach, why = 0.0, ""
        for id in self.every:
            for attack in self.attacks(id):
                longest, fault = self._longest(attack, reach)
                reach, why = max(reach, longest), why or fault
        if not reach:
            raise QfError(
                f"{self.system.title} cannot be played out here, as nobody can attack at a range in "
                f"{UNITS[unit_of(self.start)]}: {why or 'no ship has an attack'}. A chart file of "
                "your own can say how such ranges are read (`charts` in the scenario)."
            )
        return reach

    def _longest(self, attack: Attack, least: float) -> tuple[float, str]:
        """The longest range of an attack, if it is longer than another; else why not at any."""
        target = next((id for id in self.abreast(attack.ship) if self.every[id].afloat), attack.ship)
        fault = self._fault(attack, target, distance(self.start, max(NEAREST, least + 1)))
        if fault:
            return 0.0, fault
        near, far = max(NEAREST, least + 1), float(FARTHEST)
        while far - near > 1:
            middle = (near + far) // 2
            if self._fault(attack, target, distance(self.start, middle)):
                far = middle
            else:
                near = middle
        return near, ""

    def _fault(self, attack: Attack, target: str, range: Distance) -> str:
        """What stands against an attack in its own phase, as the battle begins; "" if nothing does."""
        try:
            findings = self._prepared(attack, target, range).findings
        except OrderRefused as refusal:
            return str(refusal)
        return findings[0].text if findings else ""

    def _prepared(self, attack: Attack, target: str, range: Distance) -> PreparedOrder:
        phases = attack.form.phases or (self.start.phase,)
        return self.system.prepare(replace(self._all, phase=phases[0]), attack.at(target, range))

    def targets(self, attack: Attack, range: Distance) -> Iterator[str]:
        """The enemies at whom a ship can attack so, those abreast of her first.

        Whom the rules refuse as the battle begins, of a ship without such guns or beyond their reach, is left
        out.
        """
        here = attack, range.amount
        if here not in self._targets:
            self._targets[here] = [], iter(self.abreast(attack.ship))
        known, left = self._targets[here]
        at = 0
        while True:
            while at == len(known):
                id = next(left, None)
                if id is None:
                    return
                like = self._like(attack, id, range)
                if like not in self._allowed:
                    self._allowed[like] = not self._fault(attack, id, range)
                if self._allowed[like]:
                    known.append(id)
            yield known[at]
            at += 1

    def cost(self, attack: Attack, target: str, range: Distance) -> float:
        """What an attack costs a target by its own dice, on average, in worth, as the battle begins."""
        here = attack, target, range.amount
        if here not in self._costs:
            like = self._like(attack, target, range)
            if like not in self._means:
                self._means[like] = self._mean(attack, target, range)
            self._costs[here] = self._means[like]
        return self._costs[here]

    def _like(self, attack: Attack, target: str, range: Distance) -> Hashable:
        """What is the same for attacks of ships that differ in nothing but their names, within a bracket."""
        order = attack.at(target, range)
        how = tuple(value for name, value in attack.slots.items() if name != attack.form.slots[0].name)
        bracket = self.system.bracket(self._all, order) or range.amount
        return attack.form.word, how, self._likes[attack.ship], self._likes[target], bracket

    @cached_property
    def _likes(self) -> Mapping[str, int]:
        """A number for each ship, the same for those that differ in nothing but their names.

        One that has a mark or has acted is like no other.
        """
        numbers: dict[Hashable, int] = {}
        acted = {act.ship for act in self.start.acts}
        likes = {
            id: (
                tuple((name, value) for name, value in ship.card.items() if name not in WORDS),
                tuple(ship.log.items()),
                (ship.status, ship.division),
                id if ship.marks or id in acted else "",
            )
            for id, ship in self.every.items()
        }
        return {id: numbers.setdefault(like, len(numbers)) for id, like in likes.items()}

    def _mean(self, attack: Attack, target: str, range: Distance) -> float:
        prepared = self._prepared(attack, target, range)
        before = self.system.worth.of_ship(self.every[target])
        known: dict[object, float] = {}

        def cost(faces: tuple[int, ...]) -> float:
            """Worked out once for all faces that do the same."""
            like = faces if prepared.alike is None else prepared.alike(faces)
            if like not in known:
                builder = DecisionBuilder(self._all, 0)
                prepared.decide(faces, builder)
                known[like] = before - self.system.worth.of_ship(builder.battle.ships[target])
            return known[like]

        return sum(ways / of * cost(faces) for (ways, of), faces in throws(prepared))


NEAR = 3
"""Enemies abreast of a ship among whom she may choose."""
PASSES = 6
"""The turn on which a side that closes is among the enemy, and the turns until it is again."""
TIMES_MOST = 50
"""Repairs of one kind in a phase, behind which a ship rests whatever the rules allow."""

HALF = 0.5
"""What is left of the worth of a side at which it is broken."""
ANSWERS_MOST = 2000
"""Questions in a row, behind which a battle is given up."""
BEHIND = 10**6
"""Entries are numbered from here on: none of a save that is played on has such a number."""


Orders = Callable[["Playout", str], Iterator[Order]]
"""The orders of a side for the present phase, each for the battle as it is behind the one before."""


@frozen
class Doctrine:
    """A way to fight: `says` is its sentence; `wishes` the range that it wants, as a part of the longest."""

    name: str
    says: str
    orders: Orders
    wishes: Callable[[int], float]


def attack_with(targets: Callable[["Playout", Attack], tuple[str, ...]]) -> Orders:
    """The orders of a side whose ships attack with all they have and repair what they can.

    Each attacks the first target that is allowed.
    """

    def orders(moment: "Playout", side: str) -> Iterator[Order]:
        phase = moment.battle.phase
        for id, ship in tuple(moment.battle.ships.items()):
            if ship.side != side:
                continue
            for attack in moment.model.attacks(id):
                if phase in attack.form.phases and moment.battle.ships[id].afloat:
                    at_each = (attack.at(target, moment.range) for target in targets(moment, attack))
                    yield from islice((order for order in at_each if not moment.against(order)), 1)
        yield from _repairs(moment, side)

    return orders


def _repairs(moment: "Playout", side: str) -> Iterator[Order]:
    """All repairs that the ships of a side may make in this phase."""
    system, phase = moment.model.system, moment.battle.phase
    if not any(form.mends is not None and phase in form.phases for form in system.forms):
        return
    for may in system.may_act(moment.battle):
        ship = moment.battle.ships[may.ship]
        if ship.side == side and ship.afloat:
            for order in moment.model.repairs(ship.id):
                times = TIMES_MOST if phase in order.form.phases else 0
                while times and not moment.against(order):
                    times -= 1
                    yield order


def _abreast(moment: "Playout", attack: Attack) -> list[str]:
    """The nearest enemies afloat at whom she can attack so at all."""
    ships, enemies = moment.battle.ships, moment.model.targets(attack, moment.range)
    return list(islice((id for id in enemies if id in ships and ships[id].afloat), NEAR))


def _passing(turn: int) -> float:
    """The range of a side that closes, breaks through, and turns about at half the longest."""
    behind = (turn - PASSES) % PASSES
    return (PASSES - turn if turn < PASSES else min(behind, PASSES - behind)) / PASSES


def _likeliest(moment: "Playout", attack: Attack) -> tuple[str, ...]:
    """Of those abreast first the one that the attack costs most on average."""
    costs = {id: moment.model.cost(attack, id, moment.range) for id in _abreast(moment, attack)}
    return tuple(id for id in sorted(costs, key=lambda id: -costs[id]) if costs[id] > 0)


def _greatest(moment: "Playout", attack: Attack) -> tuple[str, ...]:
    """Of those abreast first the one that is worth most."""
    whole = moment.model.whole
    return tuple(sorted(_abreast(moment, attack), key=lambda id: -whole[id]))


HOLD = Doctrine(
    "hold",
    "closes to half the longest range by turn 5 and holds there; each battery attacks whichever of the three "
    "enemies abreast it costs most on average",
    attack_with(_likeliest),
    lambda turn: max(0.5, 1 - turn / 10),
)
CLOSE = Doctrine(
    "close",
    f"closes, is among the enemy on turn {PASSES}, breaks through, turns about at half the longest range and "
    f"comes again, every {PASSES} turns; all attack whichever of the three enemies abreast is worth most",
    attack_with(_greatest),
    _passing,
)
DOCTRINES: Mapping[str, Doctrine] = {doctrine.name: doctrine for doctrine in (HOLD, CLOSE)}


def doctrine_named(name: str) -> Doctrine:
    """A doctrine by its name; QfError names those that there are."""
    if name not in DOCTRINES:
        raise QfError(f"no doctrine “{name}”: there are {', '.join(DOCTRINES)}")
    return DOCTRINES[name]


def range_of(model: BattleModel, doctrines: Sequence[Doctrine], turn: int) -> Distance:
    """The range between all ships on a turn: scripted, else midway between what the sides wish."""
    if model.script:
        amount = model.script[min(turn, len(model.script)) - 1]
    else:
        wished = sum(doctrine.wishes(turn) for doctrine in doctrines) / max(1, len(doctrines))
        amount = wished and model.reach * wished
    return distance(model.start, max(NEAREST, round(amount * model.stretch)))


class CannotContinue(Exception):
    """A battle that cannot go on: an order that the rules refuse, or a question that nothing answers."""


@frozen
class Ending:
    """How a battle ended: who has won ("": nobody), on which turn, who is broken, which ships are lost."""

    winner: str
    turn: int
    broken: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()


class Playout:
    """A battle that is being played; what a doctrine sees of it."""

    def __init__(self, model: BattleModel, doctrines: Mapping[str, Doctrine], dice: Random) -> None:
        self.model, self.system = model, model.system
        self.battle: Battle = replace(model.start, doubts=())
        self.range: Distance = range_of(model, tuple(doctrines.values()), self.battle.turn)
        self._doctrines = doctrines
        self._dice = dice
        self._number = BEHIND
        self._ready: tuple[Order, Battle, PreparedEntry] | None = None
        self._worths: dict[int, tuple[Ship, float]] = {}

    @classmethod
    def opened(cls, model: BattleModel) -> "Playout":
        """A battle that nobody has ordered anything in."""
        return cls(model, {}, Random(0))

    def throw(self, die: Die) -> int:
        """A face; `random` alone is the same in every version of Python for the same seed."""
        return die.least + int(self._dice.random() * die.sides)

    def against(self, order: Order) -> tuple[Finding, ...]:
        """What stands against an order by the rules; one that they accept is ready to be entered."""
        try:
            self._ready = order, self.battle, prepare_order(self.system, self.battle, order)
        except OrderRefused as refusal:
            return refusal.findings
        return ()

    def enter(self, order: Order) -> None:
        """Plays an order; OrderRefused changes nothing."""
        ready = self._ready
        if ready is None or ready[0] is not order or ready[1] is not self.battle:
            ready = order, self.battle, prepare_order(self.system, self.battle, order)
        self._number += 1
        self.battle = played(self.system, self.battle, self._number, ready[2], self.throw)

    def to_its_end(self, turns: int) -> Ending:
        """Plays until somebody has won, nobody can, or those turns are over; else CannotContinue."""
        self.answer()
        while (ending := self.ending(turns)) is None:
            self.phase()
        return ending

    def phase(self) -> None:
        """Plays a phase to its end: the sides in an order that is drawn by lot, all that is owed answered."""
        before = self.battle.turn, self.battle.phase
        sides = list(self._doctrines)
        if self._dice.random() < HALF:
            sides.reverse()
        for side in sides:
            for order in self._doctrines[side].orders(self, side):
                try:
                    self.enter(order)
                except OrderRefused as refusal:
                    doctrine = self._doctrines[side].name
                    raise CannotContinue(f"{doctrine} orders `{order.line}`: {refusal}") from None
        self.answer()
        while (self.battle.turn, self.battle.phase) == before:
            self.enter(Order(NEXT, {}))
            self.answer()
        if self.battle.turn != before[0]:
            self.range = range_of(self.model, tuple(self._doctrines.values()), self.battle.turn)

    def answer(self) -> None:
        """Throws for all that is owed, and answers what wants words."""
        for _ in range(ANSWERS_MOST):
            if not self.battle.owed:
                return
            owed = self.battle.owed[0]
            for order in _answers(self.system.plain_answers(self.battle, owed), owed):
                with suppress(OrderRefused):
                    self.enter(order)
                    break
            else:
                raise CannotContinue(f"nothing answers “{owed.prompt}”")
        raise CannotContinue(f"endless questions: {self.battle.owed[0].prompt}")

    def ending(self, turns: int) -> Ending | None:
        """How the battle has ended, if it has."""
        battle = self.battle
        won = [due.side for due in battle.plan.victory if counted(battle, due) >= due.count]
        broken = tuple(side for side in self.model.sides if self._is_broken(side))
        if not (won or broken or battle.turn > turns or self.system.ended(battle)):
            return None
        if not won and len(broken) < len(self.model.sides):
            won = [side for side in self.model.sides if side not in broken] if broken else []
        winner = won[0] if len(set(won)) == 1 else ""
        keeps = self.system.worth.keeps
        lost = tuple(ship.id for ship in battle.ships.values() if ship.status not in keeps)
        return Ending(winner, min(battle.turn, turns), broken, lost)

    def _is_broken(self, side: str) -> bool:
        """Whether half of what a side was worth is gone, or its flag has withdrawn."""
        battle = self.battle
        own = [ship for ship in battle.ships.values() if ship.side == side]
        flag = battle.ships.get(self.model.flag(side))
        if flag is not None and flag.status == WITHDRAWN:
            return True
        whole = sum(self.model.whole[ship.id] for ship in own)
        return whole > 0 and sum(map(self._worth, own)) <= HALF * whole

    def _worth(self, ship: Ship) -> float:
        known = self._worths.get(id(ship))
        if known is None:
            known = self._worths[id(ship)] = ship, self.system.worth.of_ship(ship)
        return known[1]


def _answers(words: Sequence[tuple[str, ...]], owed: Owed) -> Iterator[Order]:
    """What may be entered for a question: its dice, what the schedule asks for, else the words in turn."""
    if owed.dice:
        yield Order(ROLL, {"key": owed.key})
        return
    order = proposed(owed)
    if order is not None:
        yield order
    for each in words:
        yield Order(ANSWER, {"key": owed.key, "words": each})
