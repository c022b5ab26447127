"""The facts that all simulated battles from one start share, each found once: attacks, repairs, costs."""

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache, cached_property, partial

from attrs import frozen

from qf_tui.core.availability import find_range_slot
from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.declarations import PreparedOrder
from qf_tui.core.errors import OrderRefused, QfError
from qf_tui.core.odds import list_throws
from qf_tui.core.ship_facts import ATTESTED, HULL, ORIGIN
from qf_tui.core.system import RuleSystem, find_field, list_possible_orders
from qf_tui.core.text import Distance, Scalar
from qf_tui.core.values import Battle, End, Form, Mends, Order, Ship, Slot, SlotValue, replace
from qf_tui.library.declared import APART_LINE, APPROACH, KNOTS, OPENS, RUNS, SEA_ROOM

METRIC, INCHES = "cm", "in"
UNITS = {METRIC: "centimetres", INCHES: "inches"}
FARTHEST = 1024
"""Longest range that is tried, in the unit of the table."""
NEAREST = 1
"""Shortest range, in that unit."""
ABREAST = 3
"""Number of nearest enemies that an attack may be at when a side's harm is estimated."""
STEPS = 12
"""Number of ranges among which the best one is chosen."""
WORDS = ("id", "name", "notes", ORIGIN, ATTESTED, HULL)
"""Values of a card that change no shot."""


def list_points(system: RuleSystem) -> tuple[Mends, ...]:
    """List the repair points of a rule system; () if repairs are not ordered."""
    return tuple(dict.fromkeys(form.mends for form in system.forms if form.mends is not None))


def format_points_title(system: RuleSystem) -> str:
    """Return the column title for the repair points of a rule system."""
    fields = (find_field(system, mends.points) for mends in list_points(system))
    return ", ".join(field.title for field in fields if field is not None)


def count_printed_points(system: RuleSystem, ship: Ship) -> int:
    """Count the repair points with which a ship was built."""
    return sum(ship.count_on_card(mends.printed) for mends in list_points(system))


def add_points(system: RuleSystem, ship: Ship, more: int) -> Ship:
    """Add repair points to a ship, or take some, but not below 0; a ship built without any keeps none."""
    card, log = dict(ship.card), dict(ship.log)
    for mends in list_points(system):
        if ship.count_on_card(mends.printed):
            card[mends.printed] = max(0, ship.count_on_card(mends.printed) + more)
            log[mends.points] = max(0, ship.count(mends.points) + more)
    return replace(ship, card=card, log=log)


@frozen(eq=False)
class Attack:
    """A way in which a ship may attack, for any target and range. An attack is equal only to itself.

    Attributes:
        place: Slot of the range.
        order: The order without target and range.
    """

    form: Form
    ship: str
    place: Slot
    order: Order

    def build_order(
        self, target: str, range: Distance, over: End | None = None, shown: End | None = None
    ) -> Order:
        """Build the order of the attack on a target at a range.

        Args:
            over: End of the ship over which the target lies, or None.
            shown: End that the target shows, or None.
        """
        given = {**self.order.slots, self.place.to: target, self.place.name: range}
        if over or shown:
            flags = (slot for slot in self.form.slots if over in slot.bears or shown in slot.shows)
            given |= {slot.name: True for slot in flags}
        return Order(
            self.form, {slot.name: given[slot.name] for slot in self.form.slots if slot.name in given}
        )


def list_attacks(system: RuleSystem, battle: Battle, ship: Ship) -> Iterator[Attack]:
    """Yield all ways in which a ship may attack in any phase, without optional slots."""
    for form in system.forms:
        place = find_range_slot(form)
        if place is None:
            continue
        given: dict[str, SlotValue] = {place.to: ship.id, place.name: build_distance(battle, 1)}
        plain = {slot.name for slot in form.slots if not slot.optional} | given.keys()
        for order in list_possible_orders(form, battle, ship, given=given):
            if order.slots.keys() <= plain and _is_offered(form, battle, order):
                slots = {name: value for name, value in order.slots.items() if name not in given}
                yield Attack(form, ship.id, place, Order(form, slots))


def _is_offered(form: Form, battle: Battle, order: Order) -> bool:
    """Return whether every choice in an order is offered in this battle."""
    return all(
        slot.offered(battle, order.text(slot.name))
        for slot in form.slots
        if slot.offered is not None and not slot.to and slot.choices and slot.name in order.slots
    )


def find_unit(battle: Battle) -> str:
    """Return the unit of a battle's ranges: inches, or centimeters on a metric table."""
    return METRIC if battle.table.get("units") == "metric" else INCHES


def build_distance(battle: Battle, amount: float) -> Distance:
    """Build a range in that unit, to a tenth."""
    return Distance(Fraction(round(amount * 10), 10), find_unit(battle))


_Here = tuple[int, int, int]
"""Kind of attack, kind of target, and range: attacks that share all three have the same results."""


class BattleModel:
    """A battle that is played many times, with a cache of facts about it.

    Args:
        whole: Worth of each ship when the battle began, by id; None to compute it from the start.
    """

    def __init__(self, system: RuleSystem, start: Battle, whole: Mapping[str, float] | None = None) -> None:
        self.system, self.start = system, start
        coming = {id: ship for id, ship in start.reserve.items() if id not in start.ships}
        self.every: Mapping[str, Ship] = {**start.ships, **coming}
        self.whole = {id: system.worth.value_ship(ship) for id, ship in self.every.items()} | dict(
            whole or {}
        )
        self.script = tuple(map(float, str(start.table.get(APPROACH) or "").split()))
        self.stretch = 1.0
        self.sides = tuple(side.id for side in start.sides)
        self._all = replace(start, ships=self.every)
        self.room = float(self.read_key(SEA_ROOM) or 0)
        self._allowed: dict[Hashable, bool] = {}
        self._means: dict[Hashable, float] = {}
        self._kinds: dict[Hashable, int] = {}
        self._brackets: dict[tuple[int, int], str | int] = {}
        self._allows: dict[int, dict[int, bool]] = defaultdict(dict)
        self._barred: dict[int, set[int]] = defaultdict(set)
        self._costs: dict[_Here, float] = {}
        # These results depend on the ship alone, so they are computed once.
        self.list_attacks, self.list_repairs = cache(self._list_attacks), cache(self._list_repairs)
        self.list_attacks_in = cache(self._list_attacks_in)
        self.find_best_range = cache(self._find_best_range)
        self.build_distance, self.find_kind = cache(partial(build_distance, start)), cache(self._find_kind)

    def _list_attacks(self, ship: str) -> tuple[Attack, ...]:
        return tuple(list_attacks(self.system, self._all, self.every[ship]))

    def _list_attacks_in(self, ship: str, phase: str) -> tuple[Attack, ...]:
        """List the attacks of a ship in a phase."""
        return tuple(attack for attack in self.list_attacks(ship) if phase in attack.form.phases)

    def _find_kind(self, attack: Attack) -> int:
        """Return a number for an attack, the same for ships that differ only in their names."""
        actor = attack.form.slots[0].name
        how = tuple(value for name, value in attack.order.slots.items() if name != actor)
        return self._kinds.setdefault((attack.form.word, how, self._likes[attack.ship]), len(self._kinds))

    def _list_repairs(self, ship: str, phase: str) -> tuple[tuple[Order, tuple[Order, ...]], ...]:
        """List the repairs that a ship may be ordered to make in a phase, after an order that names none."""
        found = []
        for form in self.system.forms:
            if form.mends is not None and phase in form.phases:
                needed = {slot.name for slot in form.slots if not slot.optional}
                every = list_possible_orders(form, self._all, self.every[ship])
                orders = tuple(order for order in every if order.slots.keys() <= needed)
                actor = form.slots[0].name
                found += [(Order(form, {actor: order.slots[actor]}), orders) for order in orders[:1]]
        return tuple(found)

    def read_key(self, key: str, of: str = "") -> Scalar:
        """Return a value that the scenario gives the simulation, for a side, `@division`, or the battle."""
        return self.start.table.get(f"{key}.{of}" if of else key)

    @property
    def opens(self) -> float:
        """The range at which the battle begins: the scenario's, or the longest reach."""
        return float(self.read_key(OPENS) or self.reach)

    def find_scripted_range(self, turn: int) -> int:
        """Return the range that the scenario prescribes for a turn; 0 if it prescribes none."""
        if not self.script:
            return 0
        return max(NEAREST, round(self.script[min(turn, len(self.script)) - 1] * self.stretch))

    def find_home(self, ship: Ship) -> tuple[str, str]:
        """Return the side of a ship, and her division if the division forms a separate line; else ""."""
        return ship.side, ship.division if self.read_key(APART_LINE, f"@{ship.division}") else ""

    def is_runner(self, side: str) -> bool:
        """Return whether a side breaks off when it is half beaten; never with prescribed ranges."""
        return not self.script and self.read_key(RUNS, side) is True

    def compute_pace(self, battle: Battle, ship: Ship) -> float:
        """Return the greatest distance that a ship makes in a turn, in the unit of the ranges."""
        own, of_side = self.read_key(KNOTS, f"@{ship.division}"), self.read_key(KNOTS, ship.side)
        knots = of_side if own is None else own
        pace = self.system.pace(battle, ship, None if knots is None else float(knots))
        return float(pace.to(find_unit(battle)))

    def find_flagship(self, side: str) -> str:
        """Return the id of a side's flagship: its first ship that is no battery; "" if there is none."""
        return next(
            (id for id, ship in self.every.items() if ship.side == side and not ship.is_land_battery), ""
        )

    @cached_property
    def reach(self) -> float:
        """The longest range at which any ship can attack; QfError if none can attack at all."""
        reach, why = 0.0, ""
        for id in self.every:
            for attack in self.list_attacks(id):
                longest, fault = self._find_longest(attack, reach)
                reach, why = max(reach, longest), why or fault
        if not reach:
            raise QfError(
                f"{self.system.title} cannot be played out here, because no ship can attack at a range in "
                f"{UNITS[find_unit(self.start)]}: {why or 'no ship has an attack'}. A chart file of "
                "your own can say how such ranges are read (`charts` in the scenario)."
            )
        return reach

    def _find_longest(self, attack: Attack, least: float) -> tuple[float, str]:
        """Return the longest range of an attack if it exceeds `least`, else why it cannot attack."""
        enemies = (ship for ship in self.every.values() if ship.side != self.every[attack.ship].side)
        target = next((ship.id for ship in enemies if ship.afloat), attack.ship)
        fault = self._find_fault(attack, target, build_distance(self.start, max(NEAREST, least + 1)))
        if fault:
            return 0.0, fault
        near, far = max(NEAREST, least + 1), float(FARTHEST)
        while far - near > 1:
            middle = (near + far) // 2
            if self._find_fault(attack, target, build_distance(self.start, middle)):
                far = middle
            else:
                near = middle
        return near, ""

    def _find_fault(self, attack: Attack, target: str, range: Distance) -> str:
        """Return the reason against an attack in its own phase at the start of the battle, or ""."""
        try:
            findings = self._prepare(attack, target, range).findings
        except OrderRefused as refusal:
            return str(refusal)
        return findings[0].text if findings else ""

    def _prepare(self, attack: Attack, target: str, range: Distance) -> PreparedOrder:
        phases = attack.form.phases or (self.start.phase,)
        return self.system.prepare(replace(self._all, phase=phases[0]), attack.build_order(target, range))

    def list_allowed_targets(self, attack: Attack, others: Iterable[tuple[str, int]]) -> Iterator[str]:
        """Yield the ships on which the rules allow an attack at their ranges, at the start of the battle.

        Changes during the battle are ignored: a ship without such guns, or out of reach, can never attack.
        """
        kind, likes, count = self.find_kind(attack), self._likes, len(self._likes)
        known, barred = self._allows[kind], self._barred[kind]
        for id, range in others:
            here = range * count + likes[id]
            allowed = known.get(here)
            if allowed is None:
                allowed = known[here] = range <= self.reach and self._is_allowed(attack, id, range)
                if not allowed:
                    barred.add(here)
            if allowed:
                yield id

    def find_places(self, others: Iterable[tuple[str, int]]) -> Collection[int]:
        """Return a number for each kind of ship at its range."""
        likes, count = self._likes, len(self._likes)
        return frozenset([range * count + likes[id] for id, range in others])

    def may_reach(self, kind: int, places: Collection[int]) -> bool:
        """Return False only if a kind of attack is known to be barred at all these places."""
        return not self._barred[kind].issuperset(places)

    def can_attack(self, attack: Attack, target: str, range: int) -> bool:
        """Return whether the rules allow an attack on a ship at a range."""
        return any(self.list_allowed_targets(attack, ((target, range),)))

    def _is_allowed(self, attack: Attack, target: str, range: int) -> bool:
        like = self._find_likeness(attack, target, range)
        if like not in self._allowed:
            self._allowed[like] = not self._find_fault(attack, target, self.build_distance(range))
        return self._allowed[like]

    def compute_cost(self, attack: Attack, target: str, range: int) -> float:
        """Return the worth that an attack costs its target on average, at the start of the battle."""
        here = self.find_kind(attack), self._likes[target], range
        known = self._costs.get(here)
        if known is None:
            like = self._find_likeness(attack, target, range)
            if like not in self._means:
                self._means[like] = self._compute_mean(attack, target, self.build_distance(range))
            known = self._costs[here] = self._means[like]
        return known

    def _find_likeness(self, attack: Attack, target: str, range: int) -> Hashable:
        """Return a key that is equal for attacks with the same result: alike ships in one range bracket."""
        at = self.find_kind(attack), range
        if at not in self._brackets:
            order = attack.build_order(target, self.build_distance(range))
            self._brackets[at] = self.system.find_range_bracket(self._all, order) or range
        return at[0], self._likes[target], self._brackets[at]

    def compute_harm(self, side: str, range: int) -> float:
        """Return the share of its enemies' worth that a side's attacks cost on average at a range."""
        ships = [id for id, ship in self.every.items() if ship.side == side]
        others = [id for id, ship in self.every.items() if ship.side != side]
        cost = 0.0
        for place, ship in enumerate(ships):
            abreast = (*others[place % len(others) :], *others)[:ABREAST]
            for attack in self.list_attacks(ship):
                target = next((id for id in abreast if self.can_attack(attack, id, range)), None)
                cost += 0.0 if target is None else self.compute_cost(attack, target, range)
        return cost / (sum(self.whole[id] for id in others) or 1)

    def _find_best_range(self, side: str) -> float:
        """Find the range at which a side does the largest share of all harm, at the start of the battle."""
        other = next(each for each in self.sides if each != side)
        shares = {}
        for step in range(1, STEPS + 1):
            at = max(NEAREST, round(self.reach * step / STEPS))
            own = self.compute_harm(side, at)
            shares[at] = own and own / (own + self.compute_harm(other, at)), own
        return max(shares, key=lambda at: shares[at])

    @cached_property
    def _likes(self) -> Mapping[str, int]:
        """A number for each ship, the same for ships that differ only in their names.

        A ship with a mark or a remembered act is like no other.
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

    def _compute_mean(self, attack: Attack, target: str, range: Distance) -> float:
        prepared = self._prepare(attack, target, range)
        before = self.system.worth.value_ship(self.every[target])
        known: dict[object, float] = {}

        def compute_cost(faces: tuple[int, ...]) -> float:
            """Compute the cost of a throw, once for all throws with the same effect."""
            like = faces if prepared.alike is None else prepared.alike(faces)
            if like not in known:
                builder = DecisionBuilder(self._all, 0)
                prepared.decide(faces, builder)
                known[like] = before - self.system.worth.value_ship(builder.battle.ships[target])
            return known[like]

        return sum(ways / of * compute_cost(faces) for (ways, of), faces in list_throws(prepared))
