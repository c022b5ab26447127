"""What each side of a battle is worth, owed rolls priced in, each ship or group by itself."""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import islice
from math import prod
from operator import mul

from attrs import frozen

from qf_tui.core.builtin_forms import ROLL
from qf_tui.core.decide import begin, carry_out
from qf_tui.core.decisions import DecisionBuilder, Op, fold
from qf_tui.core.declarations import PreparedEntry, Worth
from qf_tui.core.errors import OrderRefused
from qf_tui.core.odds import Weight, pool_throws, throws
from qf_tui.core.schedule import SCHEDULE
from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Act, Battle, Faces, Order, Owed, Ship, is_pool, replace

Values = tuple[float, ...]
"""What each side is worth, in the order of the battle's sides."""

BEHIND = 10**9
"""Entries that are only thought of are numbered from here on."""

DEEPEST = 60
"""Rolls that follow from one another: no more are looked at."""

KNOWN_MOST = 50_000
"""States whose worth is known again: some kilobytes each, and a ship full of fires has thousands a roll."""

ROLLS_MOST = 4
"""Rolls that one ship owes: no more are priced.

The states that she may be in grow threefold with each: four take about a second, six ten.
"""

MANY, OF_MANY = 8, 2
"""Rolls that are many for one ship, by the umpire's hand; and those of them that are priced.

So many are thrown one by one, and each is looked at with all its faces.
"""

THROWS_MOST, DECIDED_MOST = 80_000, 4_000
"""Throws that are looked at, those of equal dice without names once whatever their order; and decided."""

Throws = tuple[tuple[Weight, Faces], ...]
"""All throws that end a roll, each with its weight and all faces that bear on the order."""
Roll = tuple[PreparedEntry, Throws]
"""An owed roll with all its throws."""


def every_throw(entry: PreparedEntry) -> Throws | None:
    """All throws of an order, those as one that do the same; None where there are too many to look at."""
    prepared, alike = entry.prepared, entry.prepared.alike
    most = DECIDED_MOST if alike is None else THROWS_MOST
    there = entry.question.faces if entry.question is not None else ()
    missing, thrown = prepared.missing(there), len(entry.order.dice)
    # Of a pool as many dice as were thrown, where anybody may throw fewer than he could.
    if 0 < thrown < len(missing) and is_pool(missing) and not entry.missing:
        each = pool_throws(prepared, there, (1, 1), missing[:thrown])
    else:
        each = throws(prepared, there)
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
    """Whether a roll follows from what has happened: it is not for an order whose dice nobody has thrown."""
    waits = owed.order is not None and owed.order.word == owed.line and not owed.faces
    return bool(owed.dice) and not (waits or owed.late or owed.line == SCHEDULE)


def nearest(queue: Iterable[Owed]) -> tuple[Owed, ...]:
    """What is owed, but of the rolls of one ship no more than are looked at together."""
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


def owed_by(battle: Battle, ships: tuple[str, ...]) -> Battle:
    """The battle with only what those ships owe."""
    return replace(battle, owed=tuple(owed for owed in battle.owed if owed.ship in ships))


class StateKeys:
    """Tells the states of some ships apart, all of them reached from one battle."""

    def __init__(self, battle: Battle, ships: tuple[str, ...]) -> None:
        self._ships = ships
        self._past = len(battle.acts)
        self._acts = self._acts_of(battle.acts)
        self._table = battle.table

    def of(self, battle: Battle) -> Hashable:
        """What the rolls that the ships owe depend on: they, all that is owed, what they did, the table."""
        named: dict[object, object] = {fact: fact for owed in battle.owed for fact in owed.facts.values()}
        there = battle.ships
        looks = tuple([_ship(there[id], named) for id in self._ships if id in there])
        queue = tuple([_owed(owed, named) for owed in battle.owed])
        done = battle.acts[self._past :]
        acts = self._acts + self._acts_of(done) if done else self._acts
        table = battle.table
        return looks, queue, acts, id(table) if table is self._table else tuple(table.items())

    def _acts_of(self, acts: tuple[Act, ...]) -> tuple[Hashable, ...]:
        return tuple(
            [
                (act.turn, act.phase, act.kind, act.ship, tuple(act.facts.items()))
                for act in acts
                if act.ship in self._ships or not act.ship
            ]
        )


def _ship(ship: Ship, named: dict[object, object]) -> Hashable:
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


def _owed(owed: Owed, named: Mapping[object, object]) -> Hashable:
    dice = [(die.sides, die.name, die.least) for die in owed.dice]
    facts = [(name, named[of]) for name, of in owed.facts.items()]
    declared = owed.order.line if owed.order is not None else ""
    return owed.line, owed.ship, *dice, owed.words, owed.faces, *facts, declared, owed.cell, owed.late


def advantage(values: Sequence[float]) -> float:
    """What the first side is worth less the second; where there is no second, the first alone."""
    return sum(values[:1]) - sum(values[1:2])


def price(system: RuleSystem, worth: Worth, battle: Battle) -> Mapping[str, float]:
    """What each side is worth, by its id."""
    sides = (side.id for side in battle.sides)
    return dict(zip(sides, Pricer(system, worth).values(battle), strict=True))


@frozen
class _Reached(Exception):
    """A roll of some ships that does something to others."""

    ships: frozenset[str]


@frozen
class _Group:
    """Ships whose rolls are priced together; `held`: a question keeps off what would follow.

    By the numbers of states: `known` is what they come to, `after` where the next roll leads, held or not.
    """

    ships: tuple[str, ...]
    held: bool
    keys: StateKeys
    known: dict[int, Values]
    after: "dict[int, Mapping[int, _State]]"


@frozen
class _State:
    """A battle, `deep` rolls on, in which only a group owes; the number of all like it; its chance."""

    battle: Battle
    like: int
    deep: int = 0
    chance: float = 1.0


class Pricer:
    """Prices battles; what it has found of ships in one state it knows again."""

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

    def values(self, battle: Battle) -> Values:
        self._turn_to(battle)
        queue = battle.owed
        rolls = {owed.ship for owed in queue if is_consequence(owed)} if queue else set()
        groups = self._groups(battle, rolls) if rolls else ()
        apart = {id for group, _ in groups for id in group}
        found = {side.id: 0.0 for side in battle.sides}
        known = self._of_ships
        # All ships of the battle, for each throw that is looked at.
        for ship in battle.ships.values():
            if ship.side in found and not (apart and ship.id in apart):
                of_ship = known.get(id(ship))
                found[ship.side] += self.worth.of_ship(ship) if of_ship is None else of_ship[1]
        sums = list(found.values())
        for _, values in groups:
            sums = [before + more for before, more in zip(sums, values, strict=True)]
        return tuple(sums)

    def remember(self, battle: Battle) -> None:
        """Forgets all ships but those of a battle, whose worth many that follow from it share."""
        kept = ((ship, self._of_ship(ship)) for ship in battle.ships.values())
        self._of_ships = {id(ship): (ship, value) for ship, value in kept}

    def _turn_to(self, battle: Battle) -> None:
        """Forgets what was found under other circumstances, or more of it than there is room for."""
        on = (battle.options, battle.charts, battle.began)
        at = (battle.turn, battle.phase)
        other = self._on[:2] != at or any(a is not b for a, b in zip(self._on[2:], on, strict=True))
        if other or len(self._likes) > KNOWN_MOST:
            self._known.clear()
            self._rolls.clear()
            self._likes.clear()
            self._held.clear()
            self._on = (*at, *on)

    def _of_ship(self, ship: Ship) -> float:
        known = self._of_ships.get(id(ship))
        return known[1] if known is not None else self.worth.of_ship(ship)

    def _groups(self, battle: Battle, rolls: set[str]) -> tuple[tuple[tuple[str, ...], Values], ...]:
        """The ships that owe rolls, or will once those are done, with what they come to.

        What would follow falls due only if no group is left with a question that no dice answer.
        """
        self._held.update((id(ship.card), ship.card) for ship in battle.ships.values())
        self._held[id(battle.table)] = battle.table
        owed_of_all = len(battle.owed)
        battle = replace(battle, owed=nearest(battle.owed))
        held = len(battle.owed) < owed_of_all or any(
            not (owed.late or owed.ship in rolls)
            and not (is_consequence(owed) and self._roll(battle, owed) is not None)
            for owed in battle.owed
        )
        if not held:
            builder = DecisionBuilder(owed_by(battle, ()), BEHIND)
            self.system.follow(builder.battle, builder)
            rolls = rolls | {owed.ship for owed in builder.battle.owed if is_consequence(owed)}
        groups = self._apart(battle, rolls, held)
        means, sides = [], len(battle.sides)
        for ships, values in groups.items():
            clear = prod(other[sides] for others, other in groups.items() if others is not ships)
            mean = values[:sides]
            if clear < 1 and not held:
                both = zip(mean, values[sides + 1 :], strict=True)
                mean = tuple(clear * free + (1 - clear) * kept for free, kept in both)
            means.append((tuple(sorted(ships)), mean))
        return tuple(sorted(means))

    def _apart(self, battle: Battle, rolls: set[str], held: bool) -> dict[frozenset[str], Values]:
        """Groups of ships whose rolls know nothing of each other, each with what it comes to."""
        waiting = [frozenset((id,)) for id in sorted(rolls)]
        done: dict[frozenset[str], Values] = {}
        while waiting:
            ships = waiting.pop(0)
            try:
                done[ships] = self._alone(battle, ships, held)
            except _Reached as reached:
                joined = ships | reached.ships
                meeting = [other for other in (*waiting, *done) if other & joined]
                waiting = [other for other in waiting if other not in meeting]
                done = {other: value for other, value in done.items() if other not in meeting}
                waiting.append(joined.union(*meeting))
        return done

    def _alone(self, battle: Battle, ships: Iterable[str], held: bool) -> Values:
        """What a group comes to, on the battle in which nobody else owes anything."""
        ids = tuple(sorted(ships))
        known, after = self._known.setdefault((ids, held), {}), self._rolls.setdefault(ids, {})
        alone = owed_by(battle, ids)
        # What others did and marks that were lifted grow with the battle, and no state is told by them.
        alone = replace(alone, acts=tuple([act for act in battle.acts if not act.ship or act.ship in ids]))
        for ship in (battle.ships[id] for id in ids if id in battle.ships):
            alone = alone.with_ship(replace(ship, marks=tuple([m for m in ship.marks if not m.lifted])))
        group = _Group(ids, held, StateKeys(alone, ids), known, after)
        return self._expected(_State(alone, self._like(alone, group)), group, ())

    def _like(self, battle: Battle, group: _Group) -> int:
        """The number of all states of a group that are like a battle."""
        return self._likes.setdefault(group.keys.of(battle), len(self._likes))

    def _expected(self, state: _State, group: _Group, above: tuple[int, ...]) -> Values:
        """The mean of what the ships of a group are worth when all their rolls are done.

        Behind the sides stands how often nothing is left then that no dice answer, so that more may follow;
        behind that the sides again, as if nothing followed. `above` are the states that led here.
        """
        known = group.known.get(state.like)
        if known is not None:
            return known
        if state.like in above or len(above) > DEEPEST:
            self._cuts += 1
            return self._worth_of(state.battle, group)
        cuts = self._cuts
        found = self._rolled(state, group, (*above, state.like))
        if self._cuts == cuts or not above:
            group.known[state.like] = found
        return found

    def _rolled(self, state: _State, group: _Group, above: tuple[int, ...]) -> Values:
        """The mean over the next roll that can be thrown, or over what follows when there is none."""
        battle, after = state.battle, group.after.get(state.like)
        if after is None:
            after = group.after[state.like] = self._after(state, group)
        if after:
            return self._mean(after, group, above)
        if not group.held and all(owed.late for owed in battle.owed):
            behind = self._followed(state, group)
            if any(map(is_consequence, behind.battle.owed)):
                followed, sides = self._expected(behind, group, above), len(battle.sides)
                return (*followed[:sides], 1.0, *self._worth_of(battle, group)[:sides])
        return self._worth_of(battle, group)

    def _mean(self, after: Mapping[int, _State], group: _Group, above: tuple[int, ...]) -> Values:
        """The mean over states; a roll that leads back to where it was is thrown again until it does not."""
        others = [state for like, state in after.items() if like != above[-1]]
        if not others:
            return self._worth_of(next(iter(after.values())).battle, group)
        means = [self._expected(state, group, above) for state in others]
        weights = [state.chance for state in others]
        every = sum(weights)
        return tuple([sum(map(mul, weights, column)) / every for column in zip(*means, strict=True)])

    def _after(self, state: _State, group: _Group) -> Mapping[int, _State]:
        """The states that the next roll that can be thrown leads to, equal ones as one; none without a roll.

        _Reached for effects on ships beside those of the group; what anybody remembers is none.
        """
        battle, deep = state.battle, state.deep
        rolls = (self._roll(battle, owed) for owed in battle.owed if is_consequence(owed))
        entry, throws = next(filter(None, rolls), (None, ()))
        if entry is None:
            return {}
        found: dict[int, _State] = {}
        begun = DecisionBuilder(battle, BEHIND + deep)
        begin(begun, entry)
        for (ways, of), faces in throws:
            builder = begun.fork()
            carry_out(self.system, builder, entry, faces)
            touched = {effect.ship for effect in builder.effects if effect.op is not Op.ACT}
            reached = touched.difference(group.ships) & battle.ships.keys()
            if reached:
                raise _Reached(frozenset(reached))
            like = self._like(builder.battle, group)
            chance = ways / of + (found[like].chance if like in found else 0)
            found[like] = _State(builder.battle, like, deep + 1, chance)
        return found

    def _followed(self, state: _State, group: _Group) -> _State:
        """The state with what falls due for the ships of a group; that of others is theirs."""
        battle = state.battle
        builder = DecisionBuilder(battle, BEHIND + state.deep)
        self.system.follow(battle, builder)
        others = battle.ships.keys() - group.ships
        own = [effect for effect in builder.effects if effect.op is Op.ACT or effect.ship not in others]
        battle = fold(battle, own, builder.entry)
        return _State(battle, self._like(battle, group), state.deep + 1)

    def _worth_of(self, battle: Battle, group: _Group) -> Values:
        """What the ships of a group are worth as they stand, and whether nothing is left to answer; again."""
        found = {side.id: 0.0 for side in battle.sides}
        for id in group.ships:
            ship = battle.ships.get(id)
            if ship is not None and ship.side in found:
                found[ship.side] += self._of_ship(ship)
        return (*found.values(), float(all(owed.late for owed in battle.owed)), *found.values())

    def _roll(self, battle: Battle, owed: Owed) -> Roll | None:
        """An owed roll made ready; None where it cannot be thrown, or has too many faces."""
        try:
            prepared = self.system.prepare_roll(battle, owed)
        except OrderRefused:
            return None
        if prepared.findings:
            return None
        entry = PreparedEntry(Order(ROLL, {"key": owed.key}), prepared, owed)
        throws = every_throw(entry)
        return None if throws is None else (entry, throws)
