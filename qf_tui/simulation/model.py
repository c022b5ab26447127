"""What all simulated battles from one start have in common, found once: attacks, targets, repairs, costs."""

from collections.abc import Hashable, Iterator, Mapping
from fractions import Fraction
from functools import cache, cached_property

from qf_tui.core.availability import range_slot
from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.declarations import PreparedOrder
from qf_tui.core.errors import OrderRefused, QfError
from qf_tui.core.frozen import frozen
from qf_tui.core.odds import throws
from qf_tui.core.system import RuleSystem, find_field, possible_orders
from qf_tui.core.text import Distance
from qf_tui.core.values import Battle, Form, Mends, Order, Ship, Slot, SlotValue, replace
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
