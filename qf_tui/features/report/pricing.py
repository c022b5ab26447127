"""The worth of each side of a battle, with the consequences of owed rolls priced in.

Ships whose rolls affect each other form a group. Each group, and each ship without rolls, is priced on its
own.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
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

BEHIND = 10**9
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

MANY, OF_MANY = 8, 2
"""Number of owed rolls of one ship that count as many, and how many of so long a list are priced.

The rest of the list is priced as it is thrown, one roll at a time, each with all its faces.
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
    """List all throws of an order, with equal ones merged.

    Returns:
        The throws, or None if there are too many to work out.
    """
    prepared, alike = entry.prepared, entry.prepared.alike
    most = DECIDED_MOST if alike is None else THROWS_MOST
    there = entry.question.faces if entry.question is not None else ()
    missing, thrown = prepared.missing(there), len(entry.order.dice)
    # Count only the dice thrown if the player may throw fewer than the pool allows.
    if 0 < thrown < len(missing) and is_pool(missing) and not entry.missing:
        each = list_pool_throws(prepared, there, (1, 1), missing[:thrown])
    else:
        each = list_throws(prepared, there)
    every = tuple(islice(each, most + 1))
    if len(every) > most:
        return None
    if alike is None:
        return every
    ways: dict[tuple[Hashable, int], tuple[int, Faces]] = {}
    for (count, of), faces in every:
        place = alike(faces), of
        so_far, first = ways.get(place, (0, faces))
        ways[place] = so_far + count, first
    if len(ways) > DECIDED_MOST:
        return None
    return tuple(((count, of), faces) for (_, of), (count, faces) in ways.items())


def is_consequence(owed: Owed) -> bool:
    """Return whether an owed roll follows from what has happened.

    The dice of a declared order that are not thrown yet are no consequence.
    """
    waits = owed.order is not None and owed.order.word == owed.line and not owed.faces
    return bool(owed.dice) and not (waits or owed.late or owed.line == SCHEDULE)


def list_priced(queue: Iterable[Owed]) -> tuple[Owed, ...]:
    """Return the owed rolls and questions, without the rolls of a ship that are too many to price."""
    queue = tuple(queue)
    rolls = Counter(owed.ship for owed in queue if is_consequence(owed))
    left = {ship: OF_MANY if count > MANY else ROLLS_MOST for ship, count in rolls.items()}
    kept = []
    for owed in queue:
        if is_consequence(owed):
            left[owed.ship] -= 1
            if left[owed.ship] < 0:
                continue
        kept.append(owed)
    return tuple(kept)


def limit_owed(battle: Battle, ships: tuple[str, ...]) -> Battle:
    """Return the battle with only the rolls and questions that these ships owe."""
    return replace(battle, owed=tuple(owed for owed in battle.owed if owed.ship in ships))


class StateKeys:
    """Builder of cache keys for the states of a group of ships, all reached from the same battle."""

    def __init__(self, battle: Battle, ships: tuple[str, ...]) -> None:
        self._ships = ships
        self._past = len(battle.acts)
        self._acts = self._list_acts(battle.acts)
        self._table = battle.table

    def build_key(self, battle: Battle) -> Hashable:
        """Build a key from everything that the owed rolls depend on: ships, owed rolls, acts and table."""
        named: dict[object, object] = {fact: fact for owed in battle.owed for fact in owed.facts.values()}
        there = battle.ships
        looks = tuple([_build_ship_key(there[id], named) for id in self._ships if id in there])
        queue = tuple([_build_owed_key(owed, named) for owed in battle.owed])
        done = battle.acts[self._past :]
        acts = self._acts + self._list_acts(done) if done else self._acts
        table = battle.table
        return looks, queue, acts, id(table) if table is self._table else tuple(table.items())

    def _list_acts(self, acts: tuple[Act, ...]) -> tuple[Hashable, ...]:
        return tuple(
            [
                (act.turn, act.phase, act.kind, act.ship, tuple(act.facts.items()))
                for act in acts
                if act.ship in self._ships or not act.ship
            ]
        )


def _build_ship_key(ship: Ship, named: dict[object, object]) -> Hashable:
    kinds: dict[str, list[Hashable]] = {}
    for mark in ship.marks:
        if not mark.lifted:
            marks = kinds.setdefault(mark.kind, [])
            asked = mark.id in named
            if asked:
                named[mark.id] = ship.id, mark.kind, len(marks)
            noted = asked or mark.text or mark.until is not None
            marks.append((mark.text, mark.until, asked) if noted else 0)
    marked = tuple([(kind, *kinds[kind]) for kind in sorted(kinds)])
    return ship.id, ship.status, (*ship.log, *ship.log.values()), marked, id(ship.card)


def _build_owed_key(owed: Owed, named: Mapping[object, object]) -> Hashable:
    dice = [(die.sides, die.name, die.least) for die in owed.dice]
    facts = [(name, named[of]) for name, of in owed.facts.items()]
    declared = owed.order.line if owed.order is not None else ""
    return owed.line, owed.ship, *dice, owed.words, owed.faces, *facts, declared, owed.cell, owed.late


def compute_advantage(values: Sequence[float]) -> float:
    """Return the worth of the first side less that of the second, if there is a second."""
    return sum(values[:1]) - sum(values[1:2])


def price_by_side(system: RuleSystem, worth: Worth, battle: Battle) -> Mapping[str, float]:
    """Return the worth of each side, by its id."""
    sides = (side.id for side in battle.sides)
    return dict(zip(sides, Pricer(system, worth).price_sides(battle), strict=True))


@frozen
class _Reached(Exception):
    """The signal that a roll of a group also affects other ships."""

    ships: frozenset[str]


@frozen
class _Group:
    """Ships whose rolls are priced together.

    Attributes:
        ships: Ids of the ships.
        held: True if an open question delays what would follow the rolls.
        keys: Builder of the cache keys.
        known: Expected worth by number of the state.
        after: States that the next roll leads to, by number of the state.
    """

    ships: tuple[str, ...]
    held: bool
    keys: StateKeys
    known: dict[int, Values]
    after: "dict[int, Mapping[int, _State]]"


@frozen
class _State:
    """A battle in which only one group owes rolls.

    Attributes:
        battle: The battle.
        like: Number shared by all states that are equal for pricing.
        deep: Number of hypothetical rolls that led here.
        chance: Chance of the state after the roll that leads to it.
    """

    battle: Battle
    like: int
    deep: int = 0
    chance: float = 1.0


class Pricer:
    """A pricer of battles with a cache of the states that it has priced."""

    def __init__(self, system: RuleSystem, worth: Worth) -> None:
        self.system = system
        self.worth = worth
        self._of_ships: dict[int, tuple[Ship, float]] = {}
        self._known: dict[tuple[tuple[str, ...], bool], dict[int, Values]] = {}
        self._rolls: dict[tuple[str, ...], dict[int, Mapping[int, _State]]] = {}
        self._likes: dict[Hashable, int] = {}
        self._held: dict[int, object] = {}
        self._on: tuple[object, ...] = ()
        self._cuts = 0

    def price_sides(self, battle: Battle) -> Values:
        self._clear_if_changed(battle)
        queue = battle.owed
        rolls = {owed.ship for owed in queue if is_consequence(owed)} if queue else set()
        groups = self._price_groups(battle, rolls) if rolls else ()
        apart = {id for group, _ in groups for id in group}
        found = {side.id: 0.0 for side in battle.sides}
        known = self._of_ships
        # This loop runs over all ships for each possible throw, so it avoids a call per ship where it can.
        for ship in battle.ships.values():
            if ship.side in found and not (apart and ship.id in apart):
                of_ship = known.get(id(ship))
                found[ship.side] += self.worth.value_ship(ship) if of_ship is None else of_ship[1]
        sums = list(found.values())
        for _, values in groups:
            sums = [before + more for before, more in zip(sums, values, strict=True)]
        return tuple(sums)

    def keep_ships(self, battle: Battle) -> None:
        """Replace the cached worth of single ships by that of the ships of `battle`.

        Hypothetical battles made from it share most of its ships.
        """
        kept = ((ship, self._price_ship(ship)) for ship in battle.ships.values())
        self._of_ships = {id(ship): (ship, value) for ship, value in kept}

    def _clear_if_changed(self, battle: Battle) -> None:
        """Clear the caches if the turn, phase, options or charts have changed, or if they are full."""
        on = (battle.options, battle.charts, battle.began)
        at = (battle.turn, battle.phase)
        other = self._on[:2] != at or any(a is not b for a, b in zip(self._on[2:], on, strict=True))
        if other or len(self._likes) > KNOWN_MOST:
            self._known.clear()
            self._rolls.clear()
            self._likes.clear()
            self._held.clear()
            self._on = (*at, *on)

    def _price_ship(self, ship: Ship) -> float:
        known = self._of_ships.get(id(ship))
        return known[1] if known is not None else self.worth.value_ship(ship)

    def _price_groups(self, battle: Battle, rolls: set[str]) -> tuple[tuple[tuple[str, ...], Values], ...]:
        """Price the groups of ships that owe rolls, or will owe some once the present ones are done.

        New rolls fall due only if no group is left with a question that no dice answer.

        Returns:
            The ships of each group and the expected worth that they add to each side.
        """
        self._held.update((id(ship.card), ship.card) for ship in battle.ships.values())
        self._held[id(battle.table)] = battle.table
        owed_of_all = len(battle.owed)
        battle = replace(battle, owed=list_priced(battle.owed))
        held = len(battle.owed) < owed_of_all or any(
            not (owed.late or owed.ship in rolls)
            and not (is_consequence(owed) and self._prepare_roll(battle, owed) is not None)
            for owed in battle.owed
        )
        if not held:
            builder = DecisionBuilder(limit_owed(battle, ()), BEHIND)
            self.system.follow(builder.battle, builder)
            rolls = rolls | {owed.ship for owed in builder.battle.owed if is_consequence(owed)}
        groups = self._price_separately(battle, rolls, held)
        means, sides = [], len(battle.sides)
        for ships, values in groups.items():
            clear = prod(other[sides] for others, other in groups.items() if others is not ships)
            mean = values[:sides]
            if clear < 1 and not held:
                both = zip(mean, values[sides + 1 :], strict=True)
                mean = tuple(clear * free + (1 - clear) * kept for free, kept in both)
            means.append((tuple(sorted(ships)), mean))
        return tuple(sorted(means))

    def _price_separately(self, battle: Battle, rolls: set[str], held: bool) -> dict[frozenset[str], Values]:
        """Find the groups of ships whose rolls do not affect each other, and price each.

        Groups are merged as soon as a roll of one affects a ship of another.
        """
        waiting = [frozenset((id,)) for id in sorted(rolls)]
        done: dict[frozenset[str], Values] = {}
        while waiting:
            ships = waiting.pop(0)
            try:
                done[ships] = self._price_group(battle, ships, held)
            except _Reached as reached:
                joined = ships | reached.ships
                meeting = [other for other in (*waiting, *done) if other & joined]
                waiting = [other for other in waiting if other not in meeting]
                done = {other: value for other, value in done.items() if other not in meeting}
                waiting.append(joined.union(*meeting))
        return done

    def _price_group(self, battle: Battle, ships: Iterable[str], held: bool) -> Values:
        """Price a group on a battle in which no other ship owes anything."""
        ids = tuple(sorted(ships))
        known, after = self._known.setdefault((ids, held), {}), self._rolls.setdefault(ids, {})
        alone = limit_owed(battle, ids)
        # Acts of other ships and lifted marks grow with the battle but change no price, so they are left out
        # of the state.
        alone = replace(alone, acts=tuple([act for act in battle.acts if not act.ship or act.ship in ids]))
        for ship in (battle.ships[id] for id in ids if id in battle.ships):
            alone = alone.with_ship(replace(ship, marks=tuple([m for m in ship.marks if not m.lifted])))
        group = _Group(ids, held, StateKeys(alone, ids), known, after)
        return self._compute_expected(_State(alone, self._number_state(alone, group)), group, ())

    def _number_state(self, battle: Battle, group: _Group) -> int:
        """Return the number of the state, the same for all states of the group that are equal for pricing."""
        return self._likes.setdefault(group.keys.build_key(battle), len(self._likes))

    def _compute_expected(self, state: _State, group: _Group, above: tuple[int, ...]) -> Values:
        """Return the expected worth of a group when all its rolls are done.

        Args:
            state: State to price.
            group: Group of ships that owe the rolls.
            above: Numbers of the states that led here, to detect loops.

        Returns:
            The worth by side; the chance that no question is left, so that more may follow; the worth by side
            if nothing followed.
        """
        known = group.known.get(state.like)
        if known is not None:
            return known
        if state.like in above or len(above) > DEEPEST:
            self._cuts += 1
            return self._compute_present_worth(state.battle, group)
        cuts = self._cuts
        found = self._compute_next(state, group, (*above, state.like))
        if self._cuts == cuts or not above:
            group.known[state.like] = found
        return found

    def _compute_next(self, state: _State, group: _Group, above: tuple[int, ...]) -> Values:
        """Return the mean over the next possible roll or, without one, over what falls due next."""
        battle, after = state.battle, group.after.get(state.like)
        if after is None:
            after = group.after[state.like] = self._list_next_states(state, group)
        if after:
            return self._compute_mean(after, group, above)
        if not group.held and all(owed.late for owed in battle.owed):
            behind = self._follow(state, group)
            if any(map(is_consequence, behind.battle.owed)):
                followed, sides = self._compute_expected(behind, group, above), len(battle.sides)
                return (*followed[:sides], 1.0, *self._compute_present_worth(battle, group)[:sides])
        return self._compute_present_worth(battle, group)

    def _compute_mean(self, after: Mapping[int, _State], group: _Group, above: tuple[int, ...]) -> Values:
        """Return the mean over states; a roll that leads back to the same state is thrown again."""
        others = [state for like, state in after.items() if like != above[-1]]
        if not others:
            return self._compute_present_worth(next(iter(after.values())).battle, group)
        means = [self._compute_expected(state, group, above) for state in others]
        weights = [state.chance for state in others]
        every = sum(weights)
        return tuple([sum(map(mul, weights, column)) / every for column in zip(*means, strict=True)])

    def _list_next_states(self, state: _State, group: _Group) -> Mapping[int, _State]:
        """Return the states that the next possible roll leads to, equal ones merged; empty without a roll.

        Raises:
            _Reached: The roll affects ships outside the group. Acts that rules remember do not count.
        """
        battle, deep = state.battle, state.deep
        rolls = (self._prepare_roll(battle, owed) for owed in battle.owed if is_consequence(owed))
        entry, throws = next(filter(None, rolls), (None, ()))
        if entry is None:
            return {}
        found: dict[int, _State] = {}
        begun = DecisionBuilder(battle, BEHIND + deep)
        start_entry(begun, entry)
        for (ways, of), faces in throws:
            builder = begun.fork()
            carry_out_entry(self.system, builder, entry, faces)
            touched = {effect.ship for effect in builder.effects if effect.op is not Op.ACT}
            reached = touched.difference(group.ships) & battle.ships.keys()
            if reached:
                raise _Reached(frozenset(reached))
            like = self._number_state(builder.battle, group)
            chance = ways / of + (found[like].chance if like in found else 0)
            found[like] = _State(builder.battle, like, deep + 1, chance)
        return found

    def _follow(self, state: _State, group: _Group) -> _State:
        """Return the state after everything has fallen due for the ships of the group.

        Effects on other ships are left to their own groups.
        """
        battle = state.battle
        builder = DecisionBuilder(battle, BEHIND + state.deep)
        self.system.follow(battle, builder)
        others = battle.ships.keys() - group.ships
        own = [effect for effect in builder.effects if effect.op is Op.ACT or effect.ship not in others]
        battle = fold(battle, own, builder.entry)
        return _State(battle, self._number_state(battle, group), state.deep + 1)

    def _compute_present_worth(self, battle: Battle, group: _Group) -> Values:
        """Return the present worth of a group's ships, in the form that `_expected` returns."""
        found = {side.id: 0.0 for side in battle.sides}
        for id in group.ships:
            ship = battle.ships.get(id)
            if ship is not None and ship.side in found:
                found[ship.side] += self._price_ship(ship)
        return (*found.values(), float(all(owed.late for owed in battle.owed)), *found.values())

    def _prepare_roll(self, battle: Battle, owed: Owed) -> Roll | None:
        """Prepare an owed roll; return None if it cannot be thrown or has too many faces."""
        try:
            prepared = self.system.prepare_roll(battle, owed)
        except OrderRefused:
            return None
        if prepared.findings:
            return None
        entry = PreparedEntry(Order(ROLL, {"key": owed.key}), prepared, owed)
        throws = list_possible_throws(entry)
        return None if throws is None else (entry, throws)
