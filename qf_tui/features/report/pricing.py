"""The worth of each side of a battle, with the average effect of the dice that are still to be thrown.

Ships whose owed dice affect each other form a group. Each group, and each ship that owes no dice, is priced
on its own.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import islice
from math import prod
from operator import mul

from attrs import frozen

from qf_tui.core.builtin_forms import ROLL
from qf_tui.core.decide import carry_out_entry, start_entry
from qf_tui.core.decisions import DecisionBuilder, Op, fold
from qf_tui.core.declarations import PreparedEntry, Worth
from qf_tui.core.errors import OrderRefused
from qf_tui.core.odds import Weight, list_pool_throws, list_throws
from qf_tui.core.schedule import SCHEDULE
from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Act, Battle, Faces, Order, Owed, Ship, is_pool, replace

Values = tuple[float, ...]
"""Worth of each side, in the order of the battle's sides."""

FIRST_NUMBER = 10**9
"""First entry number used for hypothetical entries."""

DEEPEST = 60
"""Greatest number of rolls in a row that are followed."""

KNOWN_MOST = 50_000
"""Size of the worth cache, in states.

A state takes a few kilobytes; one roll of a burning ship can need thousands of states.
"""

ROLLS_MOST = 4
"""Number of owed rolls of one ship that are priced.

The number of states grows threefold with each roll: four rolls take about a second, six take ten.
"""

MANY, ROLLS_OF_MANY_MOST = 8, 2
"""If a ship owes more than `MANY` rolls, only the first `ROLLS_OF_MANY_MOST` are priced.

The others are priced once they are thrown, one roll at a time, each with all its faces.
"""

THROWS_MOST, DECIDED_MOST = 80_000, 4_000
"""Largest number of throws that are listed and, after equal ones are merged, decided.

If the rules cannot say which throws are equal, DECIDED_MOST limits the list too.
"""

Throws = tuple[tuple[Weight, Faces], ...]
"""Throws that can end a roll, each with its weight and all faces that bear on the order."""
Roll = tuple[PreparedEntry, Throws]
"""An owed roll with all its throws."""


def list_possible_throws(entry: PreparedEntry) -> Throws | None:
    """List all throws of an order; throws that the rules call equal are merged.

    Returns:
        The throws, or None if there are too many to work out.
    """
    prepared = entry.prepared
    known_faces = entry.question.faces if entry.question is not None else ()
    missing, thrown_count = prepared.missing(known_faces), len(entry.order.dice)
    # A player may throw fewer dice than the pool allows; then only these dice are listed.
    has_thrown_fewer = 0 < thrown_count < len(missing) and is_pool(missing) and not entry.missing
    if has_thrown_fewer:
        throws = list_pool_throws(prepared, known_faces, weight=(1, 1), dice=missing[:thrown_count])
    else:
        throws = list_throws(prepared, known_faces)
    # Merging leaves fewer throws, so more may be listed if equal throws are merged.
    limit = DECIDED_MOST if prepared.alike is None else THROWS_MOST
    listed = tuple(islice(throws, limit + 1))
    if len(listed) > limit:
        return None
    merged = listed if prepared.alike is None else _merge_throws(listed, prepared.alike)
    return merged if len(merged) <= DECIDED_MOST else None


def _merge_throws(throws: Throws, alike: Callable[[Faces], Hashable]) -> Throws:
    """Merge throws with the same value of `alike`: add their counts, and keep the faces of the first."""
    merged: dict[tuple[Hashable, int], tuple[int, Faces]] = {}
    for (count, total), faces in throws:
        key = alike(faces), total
        count_so_far, first_faces = merged.get(key, (0, faces))
        merged[key] = count_so_far + count, first_faces
    return tuple(((count, total), faces) for (_, total), (count, faces) in merged.items())


def is_consequence(owed: Owed) -> bool:
    """Return whether an owed roll is a consequence of earlier entries, so that it is priced in.

    Scheduled and late rolls are not, nor are dice of a declared order that are still to be thrown.
    """
    is_declared_throw = owed.order is not None and owed.order.word == owed.line and not owed.faces
    return bool(owed.dice) and not (is_declared_throw or owed.late or owed.line == SCHEDULE)


def list_priced(queue: Iterable[Owed]) -> tuple[Owed, ...]:
    """Return what is owed, with only the first `ROLLS_MOST` rolls of a ship.

    If a ship owes more than `MANY` rolls, return only the first `ROLLS_OF_MANY_MOST` of them.
    """
    queue = tuple(queue)
    rolls = Counter(owed.ship for owed in queue if is_consequence(owed))
    rolls_left = {ship: ROLLS_OF_MANY_MOST if count > MANY else ROLLS_MOST for ship, count in rolls.items()}
    priced = []
    for owed in queue:
        if is_consequence(owed):
            rolls_left[owed.ship] -= 1
            if rolls_left[owed.ship] < 0:
                continue
        priced.append(owed)
    return tuple(priced)


def limit_owed(battle: Battle, ships: tuple[str, ...]) -> Battle:
    """Return the battle with only the rolls and questions that these ships owe."""
    return replace(battle, owed=tuple(owed for owed in battle.owed if owed.ship in ships))


class StateKeys:
    """Builder of cache keys for the states of a group of ships, all reached from the same battle."""

    def __init__(self, battle: Battle, ships: tuple[str, ...]) -> None:
        self._ships = ships
        self._act_count = len(battle.acts)
        self._acts = self._list_acts(battle.acts)
        self._table = battle.table

    def build_key(self, battle: Battle) -> Hashable:
        """Build a key from everything that the owed rolls depend on: ships, owed rolls, acts and table."""
        # Facts of owed rolls may be ids of marks. These differ between equal states, so `_build_ship_key`
        # gives each the place of the mark as its value; any other fact keeps itself.
        referred_marks: dict[object, object] = {
            fact: fact for owed in battle.owed for fact in owed.facts.values()
        }
        ships = battle.ships
        ship_keys = tuple([_build_ship_key(ships[id], referred_marks) for id in self._ships if id in ships])
        owed_keys = tuple([_build_owed_key(owed, referred_marks) for owed in battle.owed])
        new_acts = battle.acts[self._act_count :]
        acts = self._acts + self._list_acts(new_acts) if new_acts else self._acts
        table = battle.table
        return ship_keys, owed_keys, acts, id(table) if table is self._table else tuple(table.items())

    def _list_acts(self, acts: tuple[Act, ...]) -> tuple[Hashable, ...]:
        """List what the rules remember: the acts of the group's ships, and acts of no ship."""
        return tuple(
            [
                (act.turn, act.phase, act.kind, act.ship, tuple(act.facts.items()))
                for act in acts
                if act.ship in self._ships or not act.ship
            ]
        )


def _build_ship_key(ship: Ship, referred_marks: dict[object, object]) -> Hashable:
    """Build the key of a ship: her card, log, status and marks that are not lifted.

    The keys of `referred_marks` are the ids of marks that owed rolls refer to. For each of her marks, the
    value is set to its ship, kind and place.
    """
    marks_by_kind: dict[str, list[Hashable]] = {}
    for mark in ship.marks:
        if not mark.lifted:
            marks = marks_by_kind.setdefault(mark.kind, [])
            is_referred = mark.id in referred_marks
            if is_referred:
                referred_marks[mark.id] = ship.id, mark.kind, len(marks)
            # Marks without details are only counted.
            has_details = is_referred or mark.text or mark.until is not None
            marks.append((mark.text, mark.until, is_referred) if has_details else 0)
    marked = tuple([(kind, *marks_by_kind[kind]) for kind in sorted(marks_by_kind)])
    return ship.id, ship.status, (*ship.log, *ship.log.values()), marked, id(ship.card)


def _build_owed_key(owed: Owed, referred_marks: Mapping[object, object]) -> Hashable:
    """Build the key of an owed roll; the marks that it refers to are named by their place."""
    dice = [(die.sides, die.name, die.least) for die in owed.dice]
    facts = [(name, referred_marks[fact]) for name, fact in owed.facts.items()]
    declared = owed.order.line if owed.order is not None else ""
    return owed.line, owed.ship, *dice, owed.words, owed.faces, *facts, declared, owed.cell, owed.late


def compute_advantage(values: Sequence[float]) -> float:
    """Return the worth of the first side less that of the second; a missing side counts as 0."""
    return sum(values[:1]) - sum(values[1:2])


def price_by_side(system: RuleSystem, worth: Worth, battle: Battle) -> Mapping[str, float]:
    """Return the worth of each side, by its id."""
    sides = (side.id for side in battle.sides)
    return dict(zip(sides, Pricer(system, worth).price_sides(battle), strict=True))


@frozen
class _OthersAffected(Exception):
    """The signal that a roll of a group also affects ships outside it."""

    ships: frozenset[str]


@frozen
class _Group:
    """Ships whose rolls are priced together.

    Attributes:
        ships: Ids of the ships.
        is_blocked: True if an open question delays what would follow the rolls.
        keys: Builder of the cache keys.
        expected_by_state: Expected worth by number of the state.
        next_states: States that the next roll leads to, by number of the state.
    """

    ships: tuple[str, ...]
    is_blocked: bool
    keys: StateKeys
    expected_by_state: dict[int, Values]
    next_states: "dict[int, Mapping[int, _State]]"


@frozen
class _State:
    """A battle in which only one group owes rolls.

    Attributes:
        battle: The battle.
        number: Number shared by all states that are equal for pricing.
        depth: Number of hypothetical rolls that led here.
        chance: Chance of the state after the roll that leads to it.
    """

    battle: Battle
    number: int
    depth: int = 0
    chance: float = 1.0


def _average_worth(values: Values, chance_unblocked: float) -> Values:
    """Return the mean worth of each side, given the chance that other groups do not block new rolls.

    `Pricer._compute_expected` explains the form of `values`.
    """
    side_count = len(values) // 2
    pairs = zip(values[:side_count], values[side_count + 1 :], strict=True)
    return tuple(
        chance_unblocked * if_unblocked + (1 - chance_unblocked) * if_blocked
        for if_unblocked, if_blocked in pairs
    )


class Pricer:
    """A pricer of battles with a cache of the states that it has priced."""

    def __init__(self, system: RuleSystem, worth: Worth) -> None:
        self.system = system
        self.worth = worth
        # The keys are `id(ship)`; the ship is kept, so that no other object gets the same `id`.
        self._worth_by_ship: dict[int, tuple[Ship, float]] = {}
        # The keys are a group's ships and whether it is blocked, then the number of a state.
        self._expected_by_group: dict[tuple[tuple[str, ...], bool], dict[int, Values]] = {}
        self._next_states: dict[tuple[str, ...], dict[int, Mapping[int, _State]]] = {}
        self._numbers_by_key: dict[Hashable, int] = {}
        # Objects whose `id` is part of a key; while they are kept, no other object gets their id.
        self._kept_alive: dict[int, object] = {}
        # Turn and phase that the caches are valid for, and the options, charts and start of the phase.
        self._moment: tuple[int, str] | None = None
        self._moment_objects: tuple[object, ...] = ()
        # Number of times that a loop or too many rolls were cut short.
        self._loop_count = 0

    def price_sides(self, battle: Battle) -> Values:
        """Return the worth of each side, with the consequences of owed rolls priced in."""
        self._clear_if_changed(battle)
        queue = battle.owed
        rolling_ships = {owed.ship for owed in queue if is_consequence(owed)} if queue else set()
        groups = self._price_groups(battle, rolling_ships) if rolling_ships else ()
        grouped_ships = {id for group, _ in groups for id in group}
        worth_by_side = {side.id: 0.0 for side in battle.sides}
        cached_worths = self._worth_by_ship
        # This loop runs over all ships for each possible throw, so it avoids a call per ship where it can.
        for ship in battle.ships.values():
            if ship.side in worth_by_side and not (grouped_ships and ship.id in grouped_ships):
                cached = cached_worths.get(id(ship))
                worth_by_side[ship.side] += self.worth.value_ship(ship) if cached is None else cached[1]
        sums = list(worth_by_side.values())
        for _, values in groups:
            sums = [before + group_worth for before, group_worth in zip(sums, values, strict=True)]
        return tuple(sums)

    def keep_ships(self, battle: Battle) -> None:
        """Cache the worth of each ship of `battle`, and forget that of all other ships.

        Hypothetical battles made from `battle` share most of its ships, so most worths are then in the cache.
        """
        ship_worths = ((ship, self._price_ship(ship)) for ship in battle.ships.values())
        self._worth_by_ship = {id(ship): (ship, value) for ship, value in ship_worths}

    def _clear_if_changed(self, battle: Battle) -> None:
        """Clear the caches if they are full, or if they are not valid for this battle.

        They are valid for one turn and phase with the same options, charts and start of the phase.
        """
        moment = (battle.turn, battle.phase)
        objects = (battle.options, battle.charts, battle.began)
        has_changed = moment != self._moment or any(
            old is not new for old, new in zip(self._moment_objects, objects, strict=True)
        )
        if has_changed or len(self._numbers_by_key) > KNOWN_MOST:
            self._expected_by_group.clear()
            self._next_states.clear()
            self._numbers_by_key.clear()
            self._kept_alive.clear()
            self._moment, self._moment_objects = moment, objects

    def _price_ship(self, ship: Ship) -> float:
        """Return the worth of a ship, from the cache if she is in it."""
        cached = self._worth_by_ship.get(id(ship))
        return cached[1] if cached is not None else self.worth.value_ship(ship)

    def _price_groups(
        self, battle: Battle, rolling_ships: set[str]
    ) -> tuple[tuple[tuple[str, ...], Values], ...]:
        """Price the groups of ships that owe rolls, or will owe some once the present rolls are done.

        New rolls fall due only when nothing is owed except late rolls and questions.

        Args:
            battle: Battle with everything that is owed.
            rolling_ships: Ids of the ships that owe rolls now.

        Returns:
            The ships of each group and the expected worth that they add to each side.
        """
        # An `id` in a cache key is valid while its object lives.
        self._kept_alive.update((id(ship.card), ship.card) for ship in battle.ships.values())
        self._kept_alive[id(battle.table)] = battle.table
        owed_count = len(battle.owed)
        battle = replace(battle, owed=list_priced(battle.owed))
        # New rolls are blocked by rolls that are not priced, and by what ships without rolls owe.
        has_unpriced_rolls = len(battle.owed) < owed_count
        has_other_questions = any(not owed.late and owed.ship not in rolling_ships for owed in battle.owed)
        is_blocked = has_unpriced_rolls or has_other_questions
        if not is_blocked:
            rolling_ships = rolling_ships | self._find_next_rollers(battle)
        values_by_group = self._price_separately(battle, rolling_ships, is_blocked)
        side_count = len(battle.sides)
        worth_of_groups = []
        for ships, values in values_by_group.items():
            # More falls due for this group only if no other group is left with an open question. After the
            # worth of each side, the values of a group have the chance that it has none left.
            chance_unblocked = prod(
                other_values[side_count]
                for other_ships, other_values in values_by_group.items()
                if other_ships is not ships
            )
            if is_blocked or chance_unblocked >= 1:
                worth = values[:side_count]
            else:
                worth = _average_worth(values, chance_unblocked)
            worth_of_groups.append((tuple(sorted(ships)), worth))
        return tuple(sorted(worth_of_groups))

    def _find_next_rollers(self, battle: Battle) -> set[str]:
        """Return the ships that would owe new rolls if nothing were owed now."""
        builder = DecisionBuilder(limit_owed(battle, ()), FIRST_NUMBER)
        self.system.follow(builder.battle, builder)
        return {owed.ship for owed in builder.battle.owed if is_consequence(owed)}

    def _price_separately(
        self, battle: Battle, rolling_ships: set[str], is_blocked: bool
    ) -> dict[frozenset[str], Values]:
        """Find the groups of ships whose rolls do not affect each other, and price each.

        Groups are merged as soon as a roll of one affects a ship of another.
        """
        waiting = [frozenset((id,)) for id in sorted(rolling_ships)]
        values_by_group: dict[frozenset[str], Values] = {}
        while waiting:
            ships = waiting.pop(0)
            try:
                values_by_group[ships] = self._price_group(battle, ships, is_blocked)
            except _OthersAffected as others:
                joined = ships | others.ships
                merged = [group for group in (*waiting, *values_by_group) if group & joined]
                waiting = [group for group in waiting if group not in merged]
                values_by_group = {
                    group: value for group, value in values_by_group.items() if group not in merged
                }
                waiting.append(joined.union(*merged))
        return values_by_group

    def _price_group(self, battle: Battle, ships: Iterable[str], is_blocked: bool) -> Values:
        """Price what a group of ships owes, as if no other ship owed anything.

        `is_blocked` is true if other questions stay open, so that nothing more falls due after these rolls.
        """
        ids = tuple(sorted(ships))
        # Blocking changes the worth of a state, but not the states that its next roll leads to.
        expected_by_state = self._expected_by_group.setdefault((ids, is_blocked), {})
        next_states = self._next_states.setdefault(ids, {})
        battle_of_group = limit_owed(battle, ids)
        # Remove acts of other ships, and lifted marks: no price depends on them.
        battle_of_group = replace(
            battle_of_group, acts=tuple([act for act in battle.acts if not act.ship or act.ship in ids])
        )
        for ship in (battle.ships[id] for id in ids if id in battle.ships):
            battle_of_group = battle_of_group.with_ship(
                replace(ship, marks=tuple([mark for mark in ship.marks if not mark.lifted]))
            )
        group = _Group(ids, is_blocked, StateKeys(battle_of_group, ids), expected_by_state, next_states)
        start = _State(battle_of_group, self._number_state(battle_of_group, group))
        return self._compute_expected(start, group, earlier_states=())

    def _number_state(self, battle: Battle, group: _Group) -> int:
        """Return the number of a state; states of the group that are equal for pricing have the same."""
        return self._numbers_by_key.setdefault(group.keys.build_key(battle), len(self._numbers_by_key))

    def _compute_expected(self, state: _State, group: _Group, earlier_states: tuple[int, ...]) -> Values:
        """Return the expected worth of a group when all its rolls are done.

        Args:
            state: State to price.
            group: Group of ships that owe the rolls.
            earlier_states: Numbers of the states that led here, to detect loops.

        Returns:
            One tuple: the worth of each side; the chance that no question is left, so that more may fall due;
            and the worth of each side if nothing more falls due.
        """
        cached = group.expected_by_state.get(state.number)
        if cached is not None:
            return cached
        if state.number in earlier_states or len(earlier_states) > DEEPEST:
            self._loop_count += 1
            return self._compute_present_worth(state.battle, group)
        loops_before = self._loop_count
        expected = self._compute_next(state, group, (*earlier_states, state.number))
        # A worth that a loop cut short is valid only for these earlier states.
        if self._loop_count == loops_before or not earlier_states:
            group.expected_by_state[state.number] = expected
        return expected

    def _compute_next(self, state: _State, group: _Group, earlier_states: tuple[int, ...]) -> Values:
        """Return the mean of what `_compute_expected` returns for the states after the next roll.

        If there is no next roll, let new rolls fall due, and return the expected worth after these. If none
        fall due either, return the present worth.
        """
        battle = state.battle
        next_states = group.next_states.get(state.number)
        if next_states is None:
            next_states = group.next_states[state.number] = self._list_next_states(state, group)
        if next_states:
            return self._compute_mean(next_states, group, earlier_states)
        has_open_question = not all(owed.late for owed in battle.owed)
        if not (group.is_blocked or has_open_question):
            later_state = self._follow(state, group)
            if any(map(is_consequence, later_state.battle.owed)):
                expected = self._compute_expected(later_state, group, earlier_states)
                side_count = len(battle.sides)
                worth_without_new_rolls = self._compute_present_worth(battle, group)[:side_count]
                # No question is left here, so the chance of that is 1.
                return (*expected[:side_count], 1.0, *worth_without_new_rolls)
        return self._compute_present_worth(battle, group)

    def _compute_mean(
        self, next_states: Mapping[int, _State], group: _Group, earlier_states: tuple[int, ...]
    ) -> Values:
        """Return the mean over the states after a roll.

        A roll that leads back to the same state is thrown again; if every throw does, the present worth is
        returned.
        """
        other_states = [state for number, state in next_states.items() if number != earlier_states[-1]]
        if not other_states:
            return self._compute_present_worth(next(iter(next_states.values())).battle, group)
        means = [self._compute_expected(state, group, earlier_states) for state in other_states]
        weights = [state.chance for state in other_states]
        total = sum(weights)
        return tuple([sum(map(mul, weights, column)) / total for column in zip(*means, strict=True)])

    def _list_next_states(self, state: _State, group: _Group) -> Mapping[int, _State]:
        """Return the states after the first roll that can be thrown; none if there is no such roll.

        Equal states are merged.

        Raises:
            _OthersAffected: The roll affects ships outside the group. Acts that rules remember do not count.
        """
        battle = state.battle
        rolls = (self._prepare_roll(battle, owed) for owed in battle.owed if is_consequence(owed))
        entry, throws = next(filter(None, rolls), (None, ()))
        if entry is None:
            return {}
        states: dict[int, _State] = {}
        builder_before_dice = DecisionBuilder(battle, FIRST_NUMBER + state.depth)
        start_entry(builder_before_dice, entry)
        for (ways, total), faces in throws:
            builder = builder_before_dice.fork()
            carry_out_entry(self.system, builder, entry, faces)
            affected_ships = {effect.ship for effect in builder.effects if effect.op is not Op.ACT}
            outside_ships = affected_ships.difference(group.ships) & battle.ships.keys()
            if outside_ships:
                raise _OthersAffected(frozenset(outside_ships))
            number = self._number_state(builder.battle, group)
            chance_so_far = states[number].chance if number in states else 0
            states[number] = _State(builder.battle, number, state.depth + 1, chance_so_far + ways / total)
        return states

    def _follow(self, state: _State, group: _Group) -> _State:
        """Return the state after everything that falls due for the ships of the group.

        Effects on ships outside the group are left out; they belong to other groups.
        """
        battle = state.battle
        builder = DecisionBuilder(battle, FIRST_NUMBER + state.depth)
        self.system.follow(battle, builder)
        outside_ships = battle.ships.keys() - group.ships
        effects = [
            effect for effect in builder.effects if effect.op is Op.ACT or effect.ship not in outside_ships
        ]
        battle = fold(battle, effects, builder.entry)
        return _State(battle, self._number_state(battle, group), state.depth + 1)

    def _compute_present_worth(self, battle: Battle, group: _Group) -> Values:
        """Return the present worth of a group's ships, in the form that `_compute_expected` returns.

        These are the worth of each side, 1 if no question is left (else 0), and the worth of each side again.
        """
        worth_by_side = {side.id: 0.0 for side in battle.sides}
        for id in group.ships:
            ship = battle.ships.get(id)
            if ship is not None and ship.side in worth_by_side:
                worth_by_side[ship.side] += self._price_ship(ship)
        return (
            *worth_by_side.values(),
            float(all(owed.late for owed in battle.owed)),
            *worth_by_side.values(),
        )

    def _prepare_roll(self, battle: Battle, owed: Owed) -> Roll | None:
        """Prepare an owed roll and list its throws; return None if it cannot be thrown or has too many."""
        try:
            prepared = self.system.prepare_roll(battle, owed)
        except OrderRefused:
            return None
        if prepared.findings:
            return None
        entry = PreparedEntry(Order(ROLL, {"key": owed.key}), prepared, owed)
        throws = list_possible_throws(entry)
        return None if throws is None else (entry, throws)
