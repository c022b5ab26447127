"""Facts that all simulated battles from one start share, each worked out once: attacks, repairs, costs."""

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
from qf_tui.features.simulation.reach import find_barred
from qf_tui.library.declared import APART_LINE, APPROACH, KNOTS, OPENS, RUNS, SEA_ROOM

METRIC, INCHES = "cm", "in"
UNITS = {METRIC: "centimetres", INCHES: "inches"}
FARTHEST = 1024
"""Longest range that is tried, in the unit of the table."""
NEAREST = 1
"""Shortest range, in the unit of the table."""
ABREAST = 3
"""Number of enemies, from the one opposite a ship on, at which her attacks may be to estimate harm."""
STEPS = 12
"""Number of ranges from which the best one is chosen."""
WORDS = ("id", "name", "notes", ORIGIN, ATTESTED, HULL)
"""Values of a card that change no attack."""


def list_points(system: RuleSystem) -> tuple[Mends, ...]:
    """List the kinds of repair points of a rule system; () if repairs are not ordered."""
    return tuple(dict.fromkeys(form.mends for form in system.forms if form.mends is not None))


def format_points_title(system: RuleSystem) -> str:
    """Return the column title for the repair points of a rule system."""
    fields = (find_field(system, mends.points) for mends in list_points(system))
    return ", ".join(field.title for field in fields if field is not None)


def count_printed_points(system: RuleSystem, ship: Ship) -> int:
    """Count the repair points on the card of a ship."""
    return sum(ship.count_on_card(mends.printed) for mends in list_points(system))


def add_points(system: RuleSystem, ship: Ship, points: int) -> Ship:
    """Add repair points to a ship, or remove some if `points` is negative; no value falls below 0.

    A ship with none on her card gets none.
    """
    card, log = dict(ship.card), dict(ship.log)
    for mends in list_points(system):
        if ship.count_on_card(mends.printed):
            card[mends.printed] = max(0, ship.count_on_card(mends.printed) + points)
            log[mends.points] = max(0, ship.count(mends.points) + points)
    return replace(ship, card=card, log=log)


@frozen(eq=False)
class Attack:
    """A way in which a ship may attack, for any target and range. An attack is equal only to itself.

    Attributes:
        form: Form of the order.
        ship: Id of the ship.
        range_slot: Slot of the range.
        order: The order without target and range.
    """

    form: Form
    ship: str
    range_slot: Slot
    order: Order

    def build_order(
        self, target: str, range: Distance, over: End | None = None, shown: End | None = None
    ) -> Order:
        """Build the order of the attack on a target at a range, with the form's flags for these ends.

        Args:
            target: Id of the target.
            range: Range to it.
            over: End of the attacking ship over which the target bears, or None.
            shown: End that the target shows, or None.
        """
        slots = {**self.order.slots, self.range_slot.to: target, self.range_slot.name: range}
        if over or shown:
            flags = (slot for slot in self.form.slots if over in slot.bears or shown in slot.shows)
            slots |= {slot.name: True for slot in flags}
        return Order(
            self.form, {slot.name: slots[slot.name] for slot in self.form.slots if slot.name in slots}
        )


def list_attacks(system: RuleSystem, battle: Battle, ship: Ship) -> Iterator[Attack]:
    """Yield all ways in which a ship may attack in any phase, without optional slots.

    Each way is found with the ship herself as the target at range 1; both are then removed from the order.
    """
    for form in system.forms:
        range_slot = find_range_slot(form)
        if range_slot is None:
            continue
        given_slots: dict[str, SlotValue] = {
            range_slot.to: ship.id,
            range_slot.name: build_distance(battle, 1),
        }
        needed_slots = {slot.name for slot in form.slots if not slot.optional} | given_slots.keys()
        for order in list_possible_orders(form, battle, ship, given=given_slots):
            if order.slots.keys() <= needed_slots and _is_offered(form, battle, order):
                slots = {name: value for name, value in order.slots.items() if name not in given_slots}
                yield Attack(form, ship.id, range_slot, Order(form, slots))


def _is_offered(form: Form, battle: Battle, order: Order) -> bool:
    """Return whether this battle offers every value that an order chooses for its slots, except targets."""
    return all(
        slot.offered(battle, order.text(slot.name))
        for slot in form.slots
        if slot.offered is not None and not slot.to and slot.choices and slot.name in order.slots
    )


def find_unit(battle: Battle) -> str:
    """Return the unit of a battle's ranges: centimetres on a metric table, inches on any other."""
    return METRIC if battle.table.get("units") == "metric" else INCHES


def build_distance(battle: Battle, amount: float) -> Distance:
    """Build a range in the unit of a battle, rounded to a tenth."""
    return Distance(Fraction(round(amount * 10), 10), find_unit(battle))


_AttackCase = tuple[int, int, int]
"""Kind of attack, kind of target, and range: attacks that share all three have the same results."""


class BattleModel:
    """A battle that is played many times, with a cache of facts about it.

    Args:
        start: The battle where it is played from.
        whole: Worth of each ship when the battle began, by id; None if it begins at `start`.

    Attributes:
        all_ships: The ships of the battle and those that may still join it, by id.
        script: Range of each turn that the scenario prescribes; () if ranges are free.
        stretch: Factor for all ranges.
        sea_room: Longest range for which there is room at sea; 0 if there is no limit.
        barred: The enemies that a ship cannot attack wherever they are, by her id.
    """

    def __init__(self, system: RuleSystem, start: Battle, whole: Mapping[str, float] | None = None) -> None:
        self.system, self.start = system, start
        coming = {id: ship for id, ship in start.reserve.items() if id not in start.ships}
        self.all_ships: Mapping[str, Ship] = {**start.ships, **coming}
        worth_at_start = {id: system.worth.value_ship(ship) for id, ship in self.all_ships.items()}
        self.whole = {**worth_at_start, **(whole or {})}
        self.script = tuple(map(float, str(start.table.get(APPROACH) or "").split()))
        self.stretch = 1.0
        self.sides = tuple(side.id for side in start.sides)
        self.barred = find_barred(start, tuple(self.all_ships.values()))
        # The battle with all ships present, in which attacks are worked out.
        self._battle_with_all = replace(start, ships=self.all_ships)
        self.sea_room = float(self.read_key(SEA_ROOM) or 0)
        self._attack_kinds: dict[Hashable, int] = {}
        # The keys are kinds of attack. A place is one number for a kind of ship and a range.
        self._allowed_by_place: dict[int, dict[int, bool]] = defaultdict(dict)
        self._refused_places: dict[int, set[int]] = defaultdict(set)
        self._allowed_by_likeness: dict[Hashable, bool] = {}
        self._cost_by_likeness: dict[Hashable, float] = {}
        self._bracket_by_range: dict[tuple[int, int], str | int] = {}
        self._cost_by_case: dict[_AttackCase, float] = {}
        # These results depend on the ship alone, so they are computed once.
        self.list_attacks = cache(self._list_attacks)
        self.list_repairs = cache(self._list_repairs)
        self.list_attacks_in = cache(self._list_attacks_in)
        self.find_best_range = cache(self._find_best_range)
        self.build_distance = cache(partial(build_distance, start))
        self.find_attack_kind = cache(self._find_attack_kind)

    def _list_attacks(self, ship: str) -> tuple[Attack, ...]:
        """List all attacks of a ship in any phase."""
        return tuple(list_attacks(self.system, self._battle_with_all, self.all_ships[ship]))

    def _list_attacks_in(self, ship: str, phase: str) -> tuple[Attack, ...]:
        """List the attacks of a ship in a phase."""
        return tuple(attack for attack in self.list_attacks(ship) if phase in attack.form.phases)

    def _find_attack_kind(self, attack: Attack) -> int:
        """Return the number of an attack's kind; attacks of alike ships with the same choices share it."""
        # The first slot names the ship.
        actor = attack.form.slots[0].name
        choices = tuple(value for name, value in attack.order.slots.items() if name != actor)
        return self._attack_kinds.setdefault(
            (attack.form.word, choices, self._ship_kinds[attack.ship]), len(self._attack_kinds)
        )

    def _list_repairs(self, ship: str, phase: str) -> tuple[tuple[Order, tuple[Order, ...]], ...]:
        """List the repairs that a ship may be ordered to make in a phase.

        Returns:
            For each form of repair: an order that names only the ship, then the orders of all its repairs.
        """
        repairs = []
        for form in self.system.forms:
            if form.mends is not None and phase in form.phases:
                needed = {slot.name for slot in form.slots if not slot.optional}
                possible_orders = list_possible_orders(form, self._battle_with_all, self.all_ships[ship])
                orders = tuple(order for order in possible_orders if order.slots.keys() <= needed)
                # The first slot names the ship.
                actor = form.slots[0].name
                if orders:
                    repairs.append((Order(form, {actor: orders[0].slots[actor]}), orders))
        return tuple(repairs)

    def read_key(self, key: str, holder: str = "") -> Scalar:
        """Return the value of a key that the scenario states for simulations; None if it states none.

        Args:
            holder: A side, or a division as `@id`; "" for the battle.
        """
        return self.start.table.get(f"{key}.{holder}" if holder else key)

    @property
    def opening_range(self) -> float:
        """The range at which the battle begins: that of the scenario, or the longest reach without one."""
        return float(self.read_key(OPENS) or self.reach)

    def find_scripted_range(self, turn: int) -> int:
        """Return the range that the scenario prescribes for a turn; 0 if it prescribes none.

        The last range that it states also counts in all later turns.
        """
        if not self.script:
            return 0
        return max(NEAREST, round(self.script[min(turn, len(self.script)) - 1] * self.stretch))

    def find_home_line(self, ship: Ship) -> tuple[str, str]:
        """Return the side of a ship and the division that is her line, or "" for the side's main line."""
        return ship.side, ship.division if self.read_key(APART_LINE, f"@{ship.division}") else ""

    def is_runner(self, side: str) -> bool:
        """Return whether a side breaks off once it is broken; never if ranges are prescribed."""
        return not self.script and self.read_key(RUNS, side) is True

    def compute_pace(self, battle: Battle, ship: Ship) -> float:
        """Return the greatest distance that a ship can move in a turn, in the unit of the ranges.

        The scenario may limit the speed of her division, or else of her side.
        """
        division_knots = self.read_key(KNOTS, f"@{ship.division}")
        side_knots = self.read_key(KNOTS, ship.side)
        knots = side_knots if division_knots is None else division_knots
        pace = self.system.pace(battle, ship, None if knots is None else float(knots))
        return float(pace.to(find_unit(battle)))

    def find_flagship(self, side: str) -> str:
        """Return the id of a side's flagship, its first ship that is no land battery; "" if it has none."""
        return next(
            (id for id, ship in self.all_ships.items() if ship.side == side and not ship.is_land_battery), ""
        )

    @cached_property
    def reach(self) -> float:
        """The longest range at which any ship can attack.

        Raises:
            QfError: No ship can attack at any range.
        """
        reach, why = 0.0, ""
        for id in self.all_ships:
            for attack in self.list_attacks(id):
                longest, fault = self._find_longest(attack, reach)
                reach = max(reach, longest)
                why = why or fault
        if not reach:
            raise QfError(
                f"{self.system.title} cannot be played out here, because no ship can attack at a range in "
                f"{UNITS[find_unit(self.start)]}: {why or 'no ship has an attack'}. A chart file of "
                "your own can say how such ranges are read (`charts` in the scenario)."
            )
        return reach

    def _find_longest(self, attack: Attack, least: float) -> tuple[float, str]:
        """Find the longest range of an attack, if it is longer than `least`.

        Returns:
            The range and ""; if it is not longer, 0 and why the attack is refused.
        """
        enemies = (ship for ship in self.all_ships.values() if ship.side != self.all_ships[attack.ship].side)
        barred = self.barred.get(attack.ship, ())
        # Without an enemy, the ship is her own target, which is refused.
        target = next((ship.id for ship in enemies if ship.afloat and ship.id not in barred), attack.ship)
        fault = self._find_fault(attack, target, build_distance(self.start, max(NEAREST, least + 1)))
        if fault:
            return 0.0, fault
        # Halve the interval: the attack is allowed at `near` and refused at `far`.
        near, far = max(NEAREST, least + 1), float(FARTHEST)
        while far - near > 1:
            middle = (near + far) // 2
            if self._find_fault(attack, target, build_distance(self.start, middle)):
                far = middle
            else:
                near = middle
        return near, ""

    def _find_fault(self, attack: Attack, target: str, range: Distance) -> str:
        """Return why an attack is refused in its phase at the start of the battle; "" if it is allowed."""
        try:
            findings = self._prepare(attack, target, range).findings
        except OrderRefused as refusal:
            return str(refusal)
        return findings[0].text if findings else ""

    def _prepare(self, attack: Attack, target: str, range: Distance) -> PreparedOrder:
        """Prepare an attack in its first phase, on the battle at its start with all ships present.

        Raises:
            OrderRefused: The rules refuse the attack outright.
        """
        phases = attack.form.phases or (self.start.phase,)
        return self.system.prepare(
            replace(self._battle_with_all, phase=phases[0]), attack.build_order(target, range)
        )

    def list_allowed_targets(self, attack: Attack, others: Iterable[tuple[str, int]]) -> Iterator[str]:
        """Yield the ships that an attack may choose as its target, by the rules at the start of the battle.

        Changes during the battle are ignored: an attack that is refused at the start is never tried again.

        Args:
            others: The possible targets, each with its range.
        """
        kind = self.find_attack_kind(attack)
        ship_kinds = self._ship_kinds
        count = len(ship_kinds)
        allowed_by_place = self._allowed_by_place[kind]
        refused_places = self._refused_places[kind]
        barred_ships = self.barred.get(attack.ship, ())
        for id, range in others:
            # A place is one number for a kind of ship and a range.
            place = range * count + ship_kinds[id]
            allowed = allowed_by_place.get(place)
            if allowed is None:
                allowed = allowed_by_place[place] = range <= self.reach and self._is_allowed(
                    attack, id, range
                )
                if not allowed:
                    refused_places.add(place)
            if allowed and id not in barred_ships:
                yield id

    def find_places(self, others: Iterable[tuple[str, int]]) -> Collection[int]:
        """Return the places of ships at their ranges; a place is a number for a kind of ship and a range."""
        ship_kinds, count = self._ship_kinds, len(self._ship_kinds)
        return frozenset([range * count + ship_kinds[id] for id, range in others])

    def may_reach(self, kind: int, places: Collection[int]) -> bool:
        """Return False only if a kind of attack is known to be refused at all of these places."""
        return not self._refused_places[kind].issuperset(places)

    def can_attack(self, attack: Attack, target: str, range: int) -> bool:
        """Return whether the rules allow an attack on a ship at a range."""
        return any(self.list_allowed_targets(attack, ((target, range),)))

    def _is_allowed(self, attack: Attack, target: str, range: int) -> bool:
        """Return whether the rules allow an attack, worked out once for all attacks that are alike."""
        likeness = self._find_likeness(attack, target, range)
        if likeness not in self._allowed_by_likeness:
            self._allowed_by_likeness[likeness] = not self._find_fault(
                attack, target, self.build_distance(range)
            )
        return self._allowed_by_likeness[likeness]

    def compute_cost(self, attack: Attack, target: str, range: int) -> float:
        """Return the worth that an attack costs its target on average, at the start of the battle."""
        case = self.find_attack_kind(attack), self._ship_kinds[target], range
        cost = self._cost_by_case.get(case)
        if cost is None:
            likeness = self._find_likeness(attack, target, range)
            if likeness not in self._cost_by_likeness:
                self._cost_by_likeness[likeness] = self._compute_mean_cost(
                    attack, target, self.build_distance(range)
                )
            cost = self._cost_by_case[case] = self._cost_by_likeness[likeness]
        return cost

    def _find_likeness(self, attack: Attack, target: str, range: int) -> Hashable:
        """Return a key for attacks with the same result: of one kind, on one kind of ship, in one bracket."""
        kind = self.find_attack_kind(attack)
        if (kind, range) not in self._bracket_by_range:
            order = attack.build_order(target, self.build_distance(range))
            bracket = self.system.find_range_bracket(self._battle_with_all, order)
            self._bracket_by_range[kind, range] = bracket or range
        return kind, self._ship_kinds[target], self._bracket_by_range[kind, range]

    def compute_harm(self, side: str, range: int) -> float:
        """Return the share of its enemies' worth that a side's attacks cost on average at a range.

        Each attack is on the first of the enemies opposite the ship that it reaches at this range.
        """
        ships = [id for id, ship in self.all_ships.items() if ship.side == side]
        enemies = [id for id, ship in self.all_ships.items() if ship.side != side]
        cost = 0.0
        for place, ship in enumerate(ships):
            abreast = (*enemies[place % len(enemies) :], *enemies)[:ABREAST]
            for attack in self.list_attacks(ship):
                target = next((id for id in abreast if self.can_attack(attack, id, range)), None)
                cost += 0.0 if target is None else self.compute_cost(attack, target, range)
        return cost / (sum(self.whole[id] for id in enemies) or 1)

    def _find_best_range(self, side: str) -> float:
        """Find the range at which a side does the largest share of the harm of both sides."""
        enemy_side = next(other_side for other_side in self.sides if other_side != side)
        shares = {}
        for step in range(1, STEPS + 1):
            distance = max(NEAREST, round(self.reach * step / STEPS))
            harm = self.compute_harm(side, distance)
            share = harm / (harm + self.compute_harm(enemy_side, distance)) if harm else 0.0
            # If shares are equal, the range with the most harm counts.
            shares[distance] = share, harm
        return max(shares, key=lambda distance: shares[distance])

    @cached_property
    def _ship_kinds(self) -> Mapping[str, int]:
        """A number for each ship, the same for ships that differ only in values such as their names.

        A ship with a mark or a remembered act has a number of her own. Ships with the same number are barred
        from the same enemies.
        """
        numbers: dict[Hashable, int] = {}
        acted = {act.ship for act in self.start.acts}
        keys = {
            id: (
                tuple((name, value) for name, value in ship.card.items() if name not in WORDS),
                tuple(ship.log.items()),
                (ship.status, ship.division),
                id if ship.marks or id in acted else "",
                self.barred.get(id),
            )
            for id, ship in self.all_ships.items()
        }
        return {id: numbers.setdefault(key, len(numbers)) for id, key in keys.items()}

    def _compute_mean_cost(self, attack: Attack, target: str, range: Distance) -> float:
        """Return the worth that an attack costs its target on average, over all throws."""
        prepared = self._prepare(attack, target, range)
        worth_before = self.system.worth.value_ship(self.all_ships[target])
        costs: dict[object, float] = {}

        def compute_cost(faces: tuple[int, ...]) -> float:
            """Compute the cost of a throw, once for all throws with the same effect."""
            effect = faces if prepared.alike is None else prepared.alike(faces)
            if effect not in costs:
                builder = DecisionBuilder(self._battle_with_all, entry=0)
                prepared.decide(faces, builder)
                costs[effect] = worth_before - self.system.worth.value_ship(builder.battle.ships[target])
            return costs[effect]

        return sum(ways / total * compute_cost(faces) for (ways, total), faces in list_throws(prepared))
