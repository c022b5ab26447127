"""Who may still act, and whom each can reach: by the range book, and by what the rules accept.

The range book holds what the entries in force measured between two ships, and whether it still holds: a range
stays valid for its two ships, whichever fires, until one of them may have moved. It is folded from a log and
never stored. Ranges along a line of ships may be estimated between two measured ones.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice

from qf_tui.core.declarations import Available
from qf_tui.core.errors import Finding, impossible
from qf_tui.core.frozen import evolve, frozen
from qf_tui.core.grammar import kinds
from qf_tui.core.grammar.names import listed_names
from qf_tui.core.system import RuleSystem, accepts_some, find_phase, possible_orders
from qf_tui.core.text import Distance
from qf_tui.core.timeline import Timeline
from qf_tui.core.values import Act, Battle, Form, Order, Ship, Slot, SlotValue

REACH = 400
"""Entries that are looked back through."""
KEPT = 4
"""Battles whose answer is kept: the one on the screen, and those that are looked at beside it."""
_BATTERIES = (kinds.CHOICE, kinds.NAME)
_RANGES = 6
"""Ranges at each target that are asked about."""
_ENOUGH = 3 * _RANGES
"""Orders after which what stands against all of them is no matter of the target."""
ShipPair = frozenset[str]


@frozen
class Measured:
    """What an order measured between two ships.

    `read_by` is what a figure or word is read by that is no distance: the stick of a calibre. `old`: one of
    the two has moved since, or may have.
    """

    ships: ShipPair
    slot: str
    value: SlotValue
    read_by: str = ""
    old: bool = False


def range_slot(form: Form) -> Slot | None:
    """The slot of a form that holds a range, or None."""
    return next((slot for slot in form.slots if slot.to), None)


def measured(system: RuleSystem, battle: Battle, order: Order) -> Measured | None:
    """What an order measures between two ships; None where it measures nothing, or not for one ship."""
    slot = range_slot(order.form)
    if slot is None or slot.name not in order.slots:
        return None
    firing, target = order.many(order.form.slots[0].name), order.text(slot.to)
    if len(firing) != 1 or any(id not in battle.ships for id in (*firing, target)):
        return None
    value = order.slots[slot.name]
    read_by = "" if isinstance(value, Distance) else system.range_read_by(battle, order)
    return Measured(frozenset((*firing, target)), slot.name, value, read_by)


@frozen
class RangeBook:
    """What is known of the range between ships, the newest measure first."""

    pairs: Mapping[ShipPair, tuple[Measured, ...]]

    def between(self, ships: ShipPair, slot: Slot, read_by: str = "") -> Measured | None:
        """The newest measure between two ships that a slot may hold, or None.

        It may hold any distance, but what is read by a stick only if read by the same.
        """
        for known in self.pairs.get(ships, ()):
            words = known.value in slot.choices if isinstance(known.value, str) else slot.bare
            if isinstance(known.value, Distance) or (words and known.read_by == read_by):
                return known
        return None


def range_book(system: RuleSystem, timeline: Timeline) -> RangeBook:
    """The book of a timeline: ranges since the last movement, and those of before it as old.

    Movements of two turns make a range worthless, unless its ships stood still in one of them.
    """
    known: dict[ShipPair, list[Measured]] = {}
    movers: list[frozenset[str]] = []
    behind = len(timeline.play_order)
    for place in reversed(range(max(0, behind - REACH), behind)):
        number = timeline.play_order[place]
        measure = measured(system, timeline.battle, timeline.versions[number].order)
        moves = sum(bool(measure.ships & moved) for moved in movers) if measure is not None else 0
        if measure is not None and moves < 2:
            known.setdefault(measure.ships, []).append(evolve(measure, old=bool(moves)))
        begins = timeline.rulings[number].decision.begins
        if begins is not None:
            if find_phase(system, begins[1]).moves:
                moved_in = timeline.battle_at(behind)
                ships = moved_in.ships.items()
                movers.append(frozenset(id for id, ship in ships if not system.stood_still(moved_in, ship)))
            behind = place
        if len(movers) > 1:
            still = [id for id in timeline.battle.ships if sum(id in moved for moved in movers) < 2]
            if len(still) < 2:
                # No pair of ships can still be known by what was measured earlier.
                break
    return RangeBook({pair: tuple(each) for pair, each in known.items()})


def along_line(
    system: RuleSystem, battle: Battle, orders: Sequence[Order], first: SlotValue, last: SlotValue
) -> tuple[SlotValue | None, ...]:
    """The ranges of the ships between the first and the last of a line, whose own were measured.

    `orders` are those of the ships between, whatever range they hold. None for one for whom both ends do not
    lie in the same bracket. What both ends name alike is theirs too.
    """
    shares = (Fraction(place, len(orders) + 1) for place in range(1, len(orders) + 1))
    return tuple(
        _between(system, battle, order, first, last, share)
        for order, share in zip(orders, shares, strict=True)
    )


def _between(
    system: RuleSystem, battle: Battle, order: Order, first: SlotValue, last: SlotValue, share: Fraction
) -> SlotValue | None:
    slot = range_slot(order.form)
    if slot is None:
        return None
    ends = [system.bracket(battle, order.with_slot(slot.name, end)) for end in (first, last)]
    if not ends[0] or ends[0] != ends[1]:
        return None
    if not isinstance(first, Distance) or not isinstance(last, Distance):
        return first if first == last else None
    if first.amount == last.to(first.unit):
        return evolve(first, estimated=True)
    amount = first.amount + (last.to(first.unit) - first.amount) * share
    return Distance(_within(amount, first.amount, last.to(first.unit)), first.unit, estimated=True)


def _within(amount: Fraction, first: Fraction, last: Fraction) -> Fraction:
    """An estimate as a whole number where one lies between both ends, else to a tenth."""
    whole = Fraction(round(amount))
    return whole if min(first, last) <= whole <= max(first, last) else Fraction(round(amount * 10), 10)


_known: list[tuple[RuleSystem, Battle, tuple[Available, ...]]] = []


def who_may_act(system: RuleSystem, battle: Battle) -> tuple[Available, ...]:
    """The ships that may still act in a battle, as its system says; the same value is asked of it once."""
    for place, (of, known, ships) in enumerate(_known):
        if known is battle and of is system:
            _known.append(_known.pop(place))
            return ships
    ships = system.may_act(battle)
    _known.append((system, battle, ships))
    del _known[:-KEPT]
    return ships


def phase_is_empty(system: RuleSystem, battle: Battle) -> bool:
    """Whether nothing can happen in the phase: nothing owed or in doubt, nobody to act, no order for it.

    Where its rules say that it passes, orders that belong to it do not hold it.
    """
    if battle.owed or battle.doubts or who_may_act(system, battle):
        return False
    if find_phase(system, battle.phase).passes:
        return True
    return not any(battle.phase in form.phases or not form.phases for form in system.forms)


_reaching: list[tuple[RuleSystem, Timeline, tuple[Available, ...]]] = []


def who_can_reach(system: RuleSystem, timeline: Timeline) -> tuple[Available, ...]:
    """The ships that may still act, with what can reach somebody by the ranges that are known.

    A ship without a known range that still holds may do all. It is worked out once.
    """
    if not _reaching or _reaching[0][0] is not system or _reaching[0][1] is not timeline:
        may, reaching = who_may_act(system, timeline.battle), []
        book = range_book(system, timeline) if any(acting.ways for acting in may) else RangeBook({})
        known = frozenset[str]().union(*book.pairs)
        for acting in may:
            names = acting.what if acting.what == acting.letters else acting.what.split(" ")
            left = [
                place
                for place, (word, slots) in enumerate(acting.ways)
                if acting.ship not in known
                or _reaches(system, timeline.battle, acting.ship, word, slots, book)
            ]
            if len(left) == len(acting.ways):
                reaching.append(acting)
            elif left:
                what = ("" if names == acting.what else " ").join(names[place] for place in left)
                letters = "".join(acting.letters[place] for place in left)
                reaching.append(evolve(acting, what=what, order=acting.ways[left[0]][0], letters=letters))
        _reaching[:] = [(system, timeline, tuple(reaching))]
    return _reaching[0][2]


def _reaches(
    system: RuleSystem, battle: Battle, id: str, word: str, slots: Mapping[str, SlotValue], book: RangeBook
) -> bool:
    """Whether a ship reaches somebody to whom its range is known; if nobody is known to be too far, it may.

    A target is out of reach if the rules refuse it at its range alone.
    """
    form = next(form for form in system.forms if form.word == word)
    slot = range_slot(form)
    if slot is None:
        return True
    actor = form.slots[0]
    firing: SlotValue = (id,) if actor.kind is kinds.SHIPS else id
    verdicts: list[bool | None] = []
    for pair in book.pairs:
        other = next(iter(pair - {id}), "") if id in pair else ""
        if not other or battle.ships[other].side == battle.ships[id].side:
            continue
        given = {**slots, slot.to: other}
        read_by = system.range_read_by(battle, Order(form, {actor.name: firing, **given}))
        known = book.between(pair, slot, read_by)
        if known is None or known.old:
            continue
        verdicts.append(_verdict(system, battle, form, id, {**given, slot.name: known.value}))
        if verdicts[-1]:
            return True
    return False not in verdicts


_Basis = tuple[object, ...]
_verdicts: dict[tuple[object, ...], tuple[_Basis, tuple[Act, ...], bool | None]] = {}
"""What was judged of the pairs of one phase: on what, with what the ship had done, and what came of it."""
_phase: list[Battle] = []


def _verdict(
    system: RuleSystem, battle: Battle, form: Form, id: str, given: Mapping[str, SlotValue]
) -> bool | None:
    """Whether a ship reaches a target at their range, False if that range alone hinders it, else None.

    It is judged anew only where the phase, what hinders the two, what she has done or the table is another.
    """
    if not _phase or _phase[0] is not battle.start:
        _phase[:] = [battle.start]
        _verdicts.clear()
    slot = range_slot(form)
    assert slot is not None
    ship, target = battle.ships[id], battle.ships[str(given[slot.to])]
    counts = system.hinders(battle, ship), system.hinders(battle, target)
    basis: _Basis = (system, counts, battle.options, battle.table, battle.charts)
    done = tuple(act for act in battle.acts if act.ship == id)
    key = (form.word, id, *given.items())
    kept = _verdicts.get(key)
    if kept is not None and kept[1] == done and kept[0] == basis:
        return kept[2]

    def accepted(slots: Mapping[str, SlotValue]) -> bool:
        orders = possible_orders(form, battle, ship, given=slots, optional=False)
        return accepts_some(system.prepare, battle, orders)

    without = {name: value for name, value in given.items() if name != slot.name}
    reaches = accepted(given) or (False if accepted(without) else None)
    _verdicts[key] = (basis, done, reaches)
    return reaches


@frozen
class Volley:
    """A form that volleys are of, and the names of its slots."""

    form: Form
    ship: str
    battery: str
    target: str
    range: str

    @classmethod
    def of(cls, form: Form) -> "Volley | None":
        """The slots of a form that is fired in volleys, or None."""
        firing, at = (form.slots[0] if form.slots else None), range_slot(form)
        if firing is None or firing.kind is not kinds.SHIP or at is None or at.optional or not form.dice:
            return None
        battery = next((slot for slot in form.slots if slot.kind in _BATTERIES and not slot.optional), None)
        return cls(form, firing.name, battery.name, at.to, at.name) if battery is not None else None

    @property
    def _battery(self) -> Slot:
        return next(slot for slot in self.form.slots if slot.name == self.battery)

    def batteries(self, battle: Battle, ship: Ship) -> tuple[str, ...]:
        """The batteries that an order may name of a ship, fit to fire or not."""
        slot = self._battery
        names = listed_names(ship, slot.listed) if slot.listed else slot.choices
        return tuple(name for name in names if slot.offered is None or slot.offered(battle, name))

    def of_ship(self, battle: Battle, ship: Ship, battery: str) -> Iterator[Order]:
        """Orders that a ship could be given with a battery at its enemies, nothing optional in them."""
        for target in battle.ships.values():
            if target.side != ship.side and not target.gone:
                given = {self.battery: battery, self.target: target.id}
                yield from islice(possible_orders(self.form, battle, ship, given=given), _RANGES)

    def may_fire(self, system: RuleSystem, battle: Battle, ship: Ship) -> tuple[str, ...]:
        """The batteries with which a ship may still fire in this phase: some order is not refused."""
        names = self.batteries(battle, ship)
        return tuple(name for name in names if self.against(system, battle, ship, name) is None)

    def against(self, system: RuleSystem, battle: Battle, ship: Ship, battery: str) -> Finding | None:
        """What hinders any fire of a battery, by its first target; None where some order is not refused.

        What hinders several targets alike at all ranges hinders the battery: no more are tried.
        """
        alike: frozenset[Finding] | None = None
        first: Finding | None = None
        for at, order in enumerate(self.of_ship(battle, ship, battery)):
            findings = system.prepare(battle, order).findings
            if not findings:
                return None
            first = first or findings[0]
            alike = frozenset(findings) if alike is None else alike & frozenset(findings)
            if at >= _ENOUGH and alike:
                break
        return first or impossible(f"{ship.name} has no target")


def volley_of(system: RuleSystem, phase: str) -> Volley | None:
    """The order that is fired in volleys in a phase, or None."""
    forms = (Volley.of(form) for form in system.forms if not form.phases or phase in form.phases)
    return next((volley for volley in forms if volley is not None), None)
