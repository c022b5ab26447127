"""The ships that may still act, and the targets that they can reach by the rules and the known ranges.

The known ranges (the range book) are those that entries in force measured between two ships. A range is valid
for its two ships, whichever fires, until one of the two may have moved. The book is computed from a log,
never stored. Ranges along a line of ships may be estimated between two measured ones.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice

from attrs import evolve, frozen

from qf_tui.core.declarations import Available
from qf_tui.core.errors import Finding, impossible
from qf_tui.core.grammar import kinds
from qf_tui.core.grammar.names import list_card_names
from qf_tui.core.system import RuleSystem, find_phase, is_any_accepted, list_possible_orders
from qf_tui.core.text import Distance
from qf_tui.core.timeline import Timeline
from qf_tui.core.values import Act, Battle, Form, Order, Ship, Slot, SlotValue

SEARCHED_MOST = 400
"""The number of latest entries that are searched for ranges."""
CACHED_MOST = 4
"""The number of battles whose answer is cached: the one on the screen, and others viewed next to it."""
_BATTERIES = (kinds.CHOICE, kinds.NAME)
"""The kinds of slot that may name a battery."""
_RANGES_PER_TARGET = 6
"""The number of ranges that are tried for each target."""
_REFUSALS_ENOUGH = 3 * _RANGES_PER_TARGET
"""The number of refused orders after which a finding common to all is taken to hold for every target."""
ShipPair = frozenset[str]
"""The ids of two ships."""


@frozen
class Measured:
    """A range that an order measured between two ships.

    Attributes:
        ships: The two ships.
        slot: Name of the slot that held it.
        value: Distance, or the number or word read on a stick.
        stick: Stick that read it, such as a calibre, if it is no distance; else "".
        old: True if one of the ships has moved since, or may have.
    """

    ships: ShipPair
    slot: str
    value: SlotValue
    stick: str = ""
    old: bool = False


def find_range_slot(form: Form) -> Slot | None:
    """Return the slot of a form that holds a range, or None."""
    return next((slot for slot in form.slots if slot.to), None)


def find_measured_range(system: RuleSystem, battle: Battle, order: Order) -> Measured | None:
    """Return the range that an order measures between two ships.

    Returns:
        The range, or None if the order has no range, has several firing ships, or names a ship that is not in
        the battle.
    """
    slot = find_range_slot(order.form)
    if slot is None or slot.name not in order.slots:
        return None
    firing = order.list_texts(order.form.slots[0].name)
    target = order.text(slot.to)
    if len(firing) != 1 or any(id not in battle.ships for id in (*firing, target)):
        return None
    value = order.slots[slot.name]
    stick = "" if isinstance(value, Distance) else system.find_range_stick(battle, order)
    return Measured(frozenset((*firing, target)), slot.name, value, stick)


@frozen
class RangeBook:
    """The known ranges between ships, newest first."""

    pairs: Mapping[ShipPair, tuple[Measured, ...]]

    def find_range(self, ships: ShipPair, slot: Slot, stick: str = "") -> Measured | None:
        """Find the newest range between two ships that fits a slot, or return None.

        Every distance fits. A number or word read on a stick fits if the slot takes it, and if the order uses
        the same stick.

        Args:
            stick: Stick of the order, or "" if its rules have no different sticks.
        """
        for measured in self.pairs.get(ships, ()):
            is_taken = measured.value in slot.choices if isinstance(measured.value, str) else slot.bare
            if isinstance(measured.value, Distance) or (is_taken and measured.stick == stick):
                return measured
        return None


def build_range_book(system: RuleSystem, timeline: Timeline) -> RangeBook:
    """Build the range book from the last `SEARCHED_MOST` entries of a timeline.

    A range is old if one of its ships has moved, or may have, in a later movement phase. A range is left out
    if that happened in two of them.
    """
    ranges: dict[ShipPair, list[Measured]] = {}
    movers_by_phase: list[frozenset[str]] = []
    # Searched backwards; `phase_end` is the index after the last entry of the phase that is being searched.
    phase_end = len(timeline.play_order)
    for place in reversed(range(max(0, phase_end - SEARCHED_MOST), phase_end)):
        number = timeline.play_order[place]
        measured = find_measured_range(system, timeline.battle, timeline.versions[number].order)
        if measured is not None:
            phases_moved = sum(not measured.ships.isdisjoint(movers) for movers in movers_by_phase)
            if phases_moved < 2:
                ranges.setdefault(measured.ships, []).append(evolve(measured, old=phases_moved > 0))
        begun_phase = timeline.rulings[number].decision.begun_phase
        if begun_phase is not None:
            _, phase_name = begun_phase
            if find_phase(system, phase_name).moves:
                battle = timeline.battle_at(phase_end)
                ships = battle.ships.items()
                movers_by_phase.append(
                    frozenset(id for id, ship in ships if not system.has_stood_still(battle, ship))
                )
            phase_end = place
        if len(movers_by_phase) > 1:
            moved_once_at_most = [
                id for id in timeline.battle.ships if sum(id in movers for movers in movers_by_phase) < 2
            ]
            if len(moved_once_at_most) < 2:
                # In every pair a ship has moved twice, so earlier ranges would be dropped.
                break
    return RangeBook({pair: tuple(measured) for pair, measured in ranges.items()})


def has_measured_ends(system: RuleSystem, battle: Battle, order: Order, book: RangeBook) -> bool:
    """Return whether an estimated range lies between two measured ranges of the same bracket.

    Measured ranges count from the firer's division to the target's side, if they are not old. A measured
    range between the same two ships is enough. For an order without a distance, return True.

    Rule: AQF-SCA-2.
    """
    estimate = find_measured_range(system, battle, order)
    slot = find_range_slot(order.form)
    if estimate is None or slot is None or not isinstance(estimate.value, Distance):
        return True
    firer = battle.ships[order.list_texts(order.form.slots[0].name)[0]]
    target = battle.ships[order.text(slot.to)]
    division_ids = {
        id for id, ship in battle.ships.items() if (ship.side, ship.division) == (firer.side, firer.division)
    }
    enemy_ids = {id for id, ship in battle.ships.items() if ship.side == target.side}
    bracket = system.find_range_bracket(battle, order)
    amounts: dict[ShipPair, Fraction] = {}
    for pair, ranges in book.pairs.items():
        if pair.isdisjoint(division_ids) or pair.isdisjoint(enemy_ids):
            continue
        for measured in ranges:
            value = measured.value
            if measured.old or not isinstance(value, Distance) or value.estimated:
                continue
            if system.find_range_bracket(battle, order.with_slot(slot.name, value)) == bracket:
                # The newest range of a pair comes first.
                amounts.setdefault(pair, value.to(estimate.value.unit))
    if estimate.ships in amounts:
        return True
    return len(amounts) > 1 and min(amounts.values()) <= estimate.value.amount <= max(amounts.values())


def list_loose_estimates(system: RuleSystem, timeline: Timeline) -> tuple[int, ...]:
    """List the entries of this phase whose estimated range does not lie between measured ones.

    The test is `has_measured_ends`.
    """
    opened = timeline.battle.opened
    first_place = timeline.find_place(opened) + 1 if opened else 0
    orders = {number: timeline.versions[number].order for number in timeline.play_order[first_place:]}
    estimated = {number: order for number, order in orders.items() if order.estimated}
    if not estimated:
        return ()
    book = build_range_book(system, timeline)
    return tuple(
        number
        for number, order in estimated.items()
        if not has_measured_ends(system, timeline.battle, order, book)
    )


def estimate_along_line(
    system: RuleSystem, battle: Battle, orders: Sequence[Order], first: SlotValue, last: SlotValue
) -> tuple[SlotValue | None, ...]:
    """Estimate the ranges of ships in a line between the measured ranges of the first and the last.

    Args:
        orders: Orders of the ships between; their own ranges are ignored.

    Returns:
        A range for each order, or None if the two ends are not in one range bracket for that ship. Ranges
        that are no distances (a word, or a number read on a stick) are not estimated: the ships between have
        the same, or None if the ends differ.
    """
    shares = (Fraction(place, len(orders) + 1) for place in range(1, len(orders) + 1))
    return tuple(
        _estimate_between(system, battle, order, first, last, share)
        for order, share in zip(orders, shares, strict=True)
    )


def _estimate_between(
    system: RuleSystem, battle: Battle, order: Order, first: SlotValue, last: SlotValue, share: Fraction
) -> SlotValue | None:
    """Estimate the range of one ship of a line from the ranges of its two ends.

    Args:
        share: How far along the line she is, from 0 (the first ship) to 1 (the last).

    Returns:
        The estimated distance. For ranges that are no distances (a word, or a number read on a stick): the
        same one, if both ends have it, else None. Also None if the order has no range, or if the two ends are
        not in one range bracket.
    """
    slot = find_range_slot(order.form)
    if slot is None:
        return None
    brackets = [system.find_range_bracket(battle, order.with_slot(slot.name, end)) for end in (first, last)]
    if not brackets[0] or brackets[0] != brackets[1]:
        return None
    if not isinstance(first, Distance) or not isinstance(last, Distance):
        return first if first == last else None
    if first.amount == last.to(first.unit):
        # Equal ends are not rounded.
        return evolve(first, estimated=True)
    amount = first.amount + (last.to(first.unit) - first.amount) * share
    return Distance(_round_estimate(amount, first.amount, last.to(first.unit)), first.unit, estimated=True)


def _round_estimate(amount: Fraction, first: Fraction, last: Fraction) -> Fraction:
    """Round an estimate to a whole number, or to a tenth if the whole number is not between both ends."""
    whole = Fraction(round(amount))
    return whole if min(first, last) <= whole <= max(first, last) else Fraction(round(amount * 10), 10)


_cached_answers: list[tuple[RuleSystem, Battle, tuple[Available, ...]]] = []
"""Cached answers of `list_able_ships`, the last used at the end."""


def list_able_ships(system: RuleSystem, battle: Battle) -> tuple[Available, ...]:
    """List the ships that may still act in a battle; the last answers are cached."""
    for place, (cached_system, cached_battle, ships) in enumerate(_cached_answers):
        if cached_battle is battle and cached_system is system:
            # The newest use is last, because the first ones are dropped.
            _cached_answers.append(_cached_answers.pop(place))
            return ships
    ships = system.may_act(battle)
    _cached_answers.append((system, battle, ships))
    del _cached_answers[:-CACHED_MOST]
    return ships


def is_phase_empty(system: RuleSystem, battle: Battle) -> bool:
    """Return whether nothing is left to do in the phase.

    That is so if nothing is owed or in doubt, no ship may act, and no order belongs to the phase (an order
    without phases belongs to each). If the phase has `passes` set, its orders do not matter.
    """
    if battle.owed or battle.doubts or list_able_ships(system, battle):
        return False
    if find_phase(system, battle.phase).passes:
        return True
    return not any(battle.phase in form.phases or not form.phases for form in system.forms)


_reaching: list[tuple[RuleSystem, Timeline, tuple[Available, ...]]] = []
"""The cached answer of `list_ships_in_reach`, for the last timeline only."""


def list_ships_in_reach(system: RuleSystem, timeline: Timeline) -> tuple[Available, ...]:
    """List the ships that may still act, with only the orders that can reach a target at the known ranges.

    A ship without a known range keeps all her orders. A ship that can reach nothing is left out. The last
    answer is cached.
    """
    for cached_system, cached_timeline, ships in _reaching:
        if cached_system is system and cached_timeline is timeline:
            return ships
    able = list_able_ships(system, timeline.battle)
    reaching = []
    book = build_range_book(system, timeline) if any(acting.ways for acting in able) else RangeBook({})
    measured_ships = frozenset[str]().union(*book.pairs)
    for acting in able:
        possible = [
            place
            for place, (word, slots) in enumerate(acting.ways)
            if acting.ship not in measured_ships
            or _can_reach_enemy(system, timeline.battle, acting.ship, word, slots, book)
        ]
        if len(possible) == len(acting.ways):
            reaching.append(acting)
        elif possible:
            letters = "".join(acting.letters[place] for place in possible)
            what = letters
            # `what` is the same text as `letters`, or has a word for each way.
            if acting.what != acting.letters:
                words = acting.what.split(" ")
                what = " ".join(words[place] for place in possible)
            first_word, _ = acting.ways[possible[0]]
            reaching.append(evolve(acting, what=what, order=first_word, letters=letters))
    _reaching[:] = [(system, timeline, tuple(reaching))]
    return tuple(reaching)


def _can_reach_enemy(
    system: RuleSystem, battle: Battle, id: str, word: str, slots: Mapping[str, SlotValue], book: RangeBook
) -> bool:
    """Return whether a ship can reach an enemy with an order, at the ranges in the book that are not old.

    An enemy is out of reach if the rules refuse the order because of the range alone. The result is False
    only if an enemy is out of reach and none is in reach; without known ranges it is True.

    Args:
        word: Word of the order.
        slots: Slots that distinguish one way to give the order from others, such as its battery.
    """
    form = next(form for form in system.forms if form.word == word)
    slot = find_range_slot(form)
    if slot is None:
        return True
    actor = form.slots[0]
    firing: SlotValue = (id,) if actor.kind is kinds.SHIPS else id
    # None: refused for another reason than the range.
    verdicts: list[bool | None] = []
    for pair in book.pairs:
        if id not in pair:
            continue
        target = next(iter(pair - {id}), "")
        if not target or battle.ships[target].side == battle.ships[id].side:
            continue
        filled = {**slots, slot.to: target}
        stick = system.find_range_stick(battle, Order(form, {actor.name: firing, **filled}))
        measured = book.find_range(pair, slot, stick)
        if measured is None or measured.old:
            continue
        verdict = _can_reach_target(system, battle, form, id, {**filled, slot.name: measured.value})
        if verdict:
            return True
        verdicts.append(verdict)
    return False not in verdicts


_Basis = tuple[object, ...]
_verdicts: dict[tuple[object, ...], tuple[_Basis, tuple[Act, ...], bool | None]] = {}
"""Cached verdicts of this phase: the values they depend on, the acts of the ship, and the verdict."""
_phase: list[Battle] = []
"""The battle at the start of the phase that the cached verdicts belong to."""


def _can_reach_target(
    system: RuleSystem, battle: Battle, form: Form, id: str, filled: Mapping[str, SlotValue]
) -> bool | None:
    """Return whether a ship can reach a target at a known range.

    The answer is cached until the phase, the state of the two ships, her acts, the switches, the table or the
    charts change.

    Args:
        filled: Slots of the order, with the target and the range, but without the ship.

    Returns:
        True if the rules accept it, False if they refuse it because of the range alone, None if they refuse
        it for another reason.
    """
    if not _phase or _phase[0] is not battle.start:
        _phase[:] = [battle.start]
        _verdicts.clear()
    slot = find_range_slot(form)
    assert slot is not None
    ship, target = battle.ships[id], battle.ships[str(filled[slot.to])]
    ship_states = system.hinders(battle, ship), system.hinders(battle, target)
    basis: _Basis = (system, ship_states, battle.options, battle.table, battle.charts)
    acts = tuple(act for act in battle.acts if act.ship == id)
    key = (form.word, id, *filled.items())
    if key in _verdicts:
        cached_basis, cached_acts, cached_reaches = _verdicts[key]
        if cached_acts == acts and cached_basis == basis:
            return cached_reaches

    def is_accepted(slots: Mapping[str, SlotValue]) -> bool:
        orders = list_possible_orders(form, battle, ship, given=slots, optional=False)
        return is_any_accepted(system.prepare, battle, orders)

    without_range = {name: value for name, value in filled.items() if name != slot.name}
    reaches: bool | None = None
    if is_accepted(filled):
        reaches = True
    elif is_accepted(without_range):
        # At another range the order is accepted.
        reaches = False
    _verdicts[key] = (basis, acts, reaches)
    return reaches


@frozen
class Volley:
    """An order that ships fire in volleys: a ship, a target, a range, and dice.

    Attributes:
        form: The form of the order.
        ship: Name of its slot for the ship that fires.
        battery: Name of its slot for a battery, or "" if the order names none.
        target: Name of its slot for the target.
        range: Name of its slot for the range.
    """

    form: Form
    ship: str
    battery: str
    target: str
    range: str

    @classmethod
    def find_volley(cls, form: Form) -> "Volley | None":
        """Return the volley of a form.

        Returns:
            The volley; its battery is "" if the form needs none. None if the form does not begin with a ship,
            has no required range, takes no dice, or needs another slot.
        """
        firing = form.slots[0] if form.slots else None
        range_slot = find_range_slot(form)
        if (
            firing is None
            or firing.kind is not kinds.SHIP
            or range_slot is None
            or range_slot.optional
            or not form.dice
        ):
            return None
        battery = next(
            (slot.name for slot in form.slots if slot.kind in _BATTERIES and not slot.optional), ""
        )
        volley = cls(form, firing.name, battery, range_slot.to, range_slot.name)
        volley_slots = {volley.ship, battery, volley.target, volley.range}
        needed = (slot for slot in form.slots if not slot.optional and slot.kind is not kinds.DIE)
        return volley if all(slot.name in volley_slots for slot in needed) else None

    def list_batteries(self, battle: Battle, ship: Ship) -> tuple[str, ...]:
        """List the batteries that an order may name for a ship, ready or not; ("",) if orders name none."""
        slot = self.form.find_slot(self.battery)
        if slot is None:
            return ("",)
        names = list_card_names(ship, slot.listed) if slot.listed else slot.choices
        return tuple(name for name in names if slot.offered is None or slot.offered(battle, name))

    def list_orders(self, battle: Battle, ship: Ship, battery: str) -> Iterator[Order]:
        """Yield orders that fire a battery of a ship at each enemy on the table, each at a few ranges."""
        for target in battle.ships.values():
            if target.side != ship.side and not target.is_off_table:
                filled = {self.battery: battery, self.target: target.id}
                orders = list_possible_orders(self.form, battle, ship, given=filled)
                yield from islice(orders, _RANGES_PER_TARGET)

    def find_refusal(self, system: RuleSystem, battle: Battle, ship: Ship, battery: str) -> Finding | None:
        """Find the reason why a battery cannot fire at all, or return None if some order is accepted.

        The reason is the first finding against the first order, or that the ship has no target. Once many
        orders are refused for a common reason, the rest are not tried.
        """
        common: frozenset[Finding] | None = None
        first_finding: Finding | None = None
        for count, order in enumerate(self.list_orders(battle, ship, battery)):
            findings = system.prepare(battle, order).findings
            if not findings:
                return None
            first_finding = first_finding or findings[0]
            common = frozenset(findings) if common is None else common & frozenset(findings)
            if count >= _REFUSALS_ENOUGH and common:
                break
        return first_finding or impossible(f"{ship.name} has no target")


Shot = tuple[Volley, str]
"""Something that a ship may fire in a phase: the volley that fires it, and the battery."""


def find_volleys(system: RuleSystem, phase: str) -> tuple[Volley, ...]:
    """Return a `Volley` for each order of a phase that can be fired in a volley.

    Orders without a battery, such as torpedoes, are left out if another order has one. Then orders whose
    target or range slot has another name than that of the first order are left out.
    """
    forms = (form for form in system.forms if not form.phases or phase in form.phases)
    volleys = [volley for form in forms if (volley := Volley.find_volley(form)) is not None]
    volleys = [volley for volley in volleys if volley.battery] or volleys
    slots = [(volley.target, volley.range) for volley in volleys]
    return tuple(volley for volley, names in zip(volleys, slots, strict=True) if names == slots[0])


def list_shots(
    system: RuleSystem, battle: Battle, ship: Ship, volleys: Sequence[Volley]
) -> tuple[tuple[Shot, ...], Finding]:
    """List what a ship may still fire in these volleys.

    Returns:
        The shots that the rules accept; and, for a ship without such shots, why the rules refuse her first
        shot, or that she has no guns.
    """
    refusals = [
        ((volley, name), volley.find_refusal(system, battle, ship, name))
        for volley in volleys
        for name in volley.list_batteries(battle, ship)
    ]
    first_refusal = next(
        (finding for _, finding in refusals if finding is not None), impossible("has no guns")
    )
    return tuple(shot for shot, finding in refusals if finding is None), first_refusal


def find_other_attack(system: RuleSystem, phase: str) -> Form | None:
    """Find the first form of a phase that takes dice and names a second ship as target, or return None."""
    forms = (form for form in system.forms if form.dice and phase in form.phases)
    return next((form for form in forms if any(slot.kind is kinds.SHIP for slot in form.slots[1:])), None)
