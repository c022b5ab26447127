"""Plays one simulated battle to its end without a log: doctrines give orders, the rules decide."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from random import Random

from attrs import frozen

from qf_tui.core.builtin_forms import ANSWER, NEXT, ROLL
from qf_tui.core.decide import play_prepared, prepare_order
from qf_tui.core.declarations import PreparedEntry
from qf_tui.core.errors import Finding, OrderRefused
from qf_tui.core.schedule import count_fulfilling, find_scheduled_order
from qf_tui.core.values import WITHDRAWN, Battle, Die, Order, Owed, Ship, replace
from qf_tui.features.simulation.doctrines import RUN, Doctrine, find_doctrine
from qf_tui.features.simulation.lines import BattleLine, Helm, Sea, is_in_contact, regroup, steer
from qf_tui.features.simulation.model import Attack, BattleModel
from qf_tui.library.declared import DOCTRINE

HALF = 0.5
"""Share of worth left at which a side is broken; also the chance with which the second side orders first."""
REPAIRS_MOST = 50
"""Largest number of repairs of one kind that a ship makes in a phase."""
ANSWERS_MOST = 2000
"""Number of questions in a row after which a battle is given up."""
NUMBER_BEFORE_FIRST = 10**6
"""Number before the first entry of a playout; no save has so many entries."""


class CannotContinue(Exception):
    """The fault of a battle that cannot go on: an order is refused, or a question has no answer."""


@frozen
class Ending:
    """How a simulated battle ended.

    Attributes:
        winner: Side that won, or "" for none.
        turn: Turn on which it ended.
        broken: Sides that are broken.
        lost: Ids of the ships lost.
        advantage: Share of worth left to the first side less that of the second, in hundredths.
        broke_on: Turn on which each side of `broken` broke.
    """

    winner: str
    turn: int
    broken: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    advantage: int = 0
    broke_on: tuple[int, ...] = ()


class Playout:
    """A battle that is being played; doctrines see it as a `Moment`.

    Attributes:
        running: Sides that break off.
        sea: The lines of this turn.
    """

    def __init__(self, model: BattleModel, doctrines: Mapping[str, Doctrine], dice: Random) -> None:
        self.model, self.system = model, model.system
        # Disputes would block the end of a phase, and only people can settle them.
        self.battle: Battle = replace(model.start, doubts=())
        self._doctrines = doctrines
        self.running = frozenset(side for side, doctrine in doctrines.items() if doctrine.runs)
        # A playout without doctrines is only asked whether the battle is over, which needs no lines.
        self.sea = regroup(model, self.battle, last_sea=None) if doctrines else Sea(lines=(), reach=0.0)
        # True if a running side is out of contact.
        self._escaped = False
        # The turn on which each side broke.
        self._broke_on: dict[str, int] = {}
        self._dice = dice
        self._number = NUMBER_BEFORE_FIRST
        # The order accepted last, and the battle on which it was prepared.
        self._ready: tuple[Order, Battle, PreparedEntry] | None = None
        # The keys are id(ship); the value holds the ship, so that no other ship can get the same id.
        self._worth_cache: dict[int, tuple[Ship, float]] = {}
        # For each line: whether each kind of attack reaches an enemy, and the places of all enemies.
        self._reach_cache: dict[int, tuple[dict[int, bool], Collection[int]]] = {}
        # The ships of the last call, and the share of worth left to each side with them.
        self._left_cache: tuple[Mapping[str, Ship], dict[str, float]] = {}, {}

    @classmethod
    def from_model(cls, model: BattleModel) -> "Playout":
        """Build a playout without doctrines: the battle as it starts."""
        return cls(model, doctrines={}, dice=Random(0))

    def find_attacks(self, ship: str) -> Iterator[Attack]:
        """Yield the attacks of a ship in this phase that reach an enemy."""
        model, line = self.model, self.sea.line_by_ship[ship]
        # Ships that are alike share their kinds of attacks. From one line, a kind reaches the same enemies.
        cached = self._reach_cache.get(line)
        if cached is None:
            cached = self._reach_cache[line] = {}, model.find_places(self.sea.list_enemies(ship))
        reached_by_kind, places = cached
        for attack in model.list_attacks_in(ship, self.battle.phase):
            kind = model.find_attack_kind(attack)
            reaches = reached_by_kind.get(kind)
            if reaches is None:
                reaches = reached_by_kind[kind] = model.may_reach(kind, places) and any(
                    self.find_targets(attack)
                )
            if reaches:
                yield attack

    def find_targets(self, attack: Attack) -> Iterator[str]:
        """Yield the enemies that an attack reaches, nearest line first."""
        return self.model.list_allowed_targets(attack, self.sea.list_enemies(attack.ship))

    def build_order(self, attack: Attack, target: str) -> Order:
        """Build the order for an attack on a ship in her present position."""
        sea, ship = self.sea, attack.ship
        return attack.build_order(
            target,
            self.model.build_distance(sea.find_range(ship, target)),
            over=sea.find_end(ship),
            shown=sea.find_end(target),
        )

    def throw(self, die: Die) -> int:
        """Throw a die with the seed's numbers."""
        # For a seed, only `random` gives the same numbers in every Python version.
        return die.least + int(self._dice.random() * die.sides)

    def list_findings(self, order: Order) -> tuple[Finding, ...]:
        """List the findings against an order; an order without findings is kept prepared for `enter`."""
        try:
            self._ready = order, self.battle, prepare_order(self.system, self.battle, order)
        except OrderRefused as refusal:
            return refusal.findings
        return ()

    def enter(self, order: Order) -> None:
        """Play an order.

        Raises:
            OrderRefused: The rules refuse the order; nothing has changed.
        """
        # `list_findings` may have prepared this very order already.
        ready_order, ready_battle, entry = self._ready or (None, None, None)
        if entry is None or ready_order is not order or ready_battle is not self.battle:
            entry = prepare_order(self.system, self.battle, order)
        self._number += 1
        self.battle = play_prepared(self.system, self.battle, self._number, entry, self.throw)

    def play_to_end(self, turns: int) -> Ending:
        """Play until a side has won, none can win, or the turns are over.

        Args:
            turns: Last turn that may be played.

        Raises:
            CannotContinue: An order is refused, or a question has no answer.
        """
        self.answer()
        while (ending := self.find_ending(turns)) is None:
            self.play_phase()
        return ending

    def play_phase(self) -> None:
        """Play one phase: the sides give orders, in random order; then all owed rolls are answered.

        If a new turn begins then, the lines are steered.

        Raises:
            CannotContinue: An order of a doctrine is refused, or a question has no answer.
        """
        turn_and_phase = self.battle.turn, self.battle.phase
        sides = list(self._doctrines)
        if self._dice.random() < HALF:
            sides.reverse()
        for side in sides:
            for order in self._list_orders(side):
                try:
                    self.enter(order)
                except OrderRefused as refusal:
                    doctrine = self._doctrines[side].name
                    raise CannotContinue(f"{doctrine} orders `{order.line}`: {refusal}") from None
        self.answer()
        # `next` may owe rolls first, and end the phase only when it is entered again.
        while (self.battle.turn, self.battle.phase) == turn_and_phase:
            self.enter(Order(NEXT, {}))
            self.answer()
        if self.battle.turn != turn_and_phase[0]:
            self._steer()

    def _list_orders(self, side: str) -> Iterator[Order]:
        """Yield a side's orders in this phase: of each line by its doctrine, then every possible repair."""
        for line in self.sea.lines:
            if line.side == side:
                yield from self._find_doctrine(line).orders(self, line)
        phase, may_try = self.battle.phase, self.system.may_try
        if not any(form.mends is not None and phase in form.phases for form in self.system.forms):
            return
        for id in tuple(self.battle.ships):
            ship = self.battle.ships[id]
            if ship.side != side or not ship.afloat:
                continue
            for repair, orders in self.model.list_repairs(id, phase):
                # If the rules allow no repair of this form at all, skip its single orders.
                if not may_try(self.battle, repair):
                    continue
                for order in orders:
                    # The same repair is ordered until the rules refuse it: `play_phase` enters each
                    # order before it asks for the next one.
                    repairs_left = REPAIRS_MOST
                    while repairs_left and may_try(self.battle, order) and not self.list_findings(order):
                        repairs_left -= 1
                        yield order

    def _find_doctrine(self, line: BattleLine) -> Doctrine:
        """Return the doctrine of a line.

        A line that fell out, or whose side runs, has `RUN`. Others have the doctrine of their division, or of
        their side.
        """
        if line.side in self.running or line.fallen:
            return RUN
        division_doctrine = self.model.read_key(DOCTRINE, f"@{line.division}") if line.division else None
        return find_doctrine(str(division_doctrine)) if division_doctrine else self._doctrines[line.side]

    def _build_helm(self, line: BattleLine, doctrine: Doctrine) -> Helm:
        """Build the helm of a line from its doctrine; a line whose enemy runs pursues it.

        A fallen ship that the rules hold out of the line keeps her course.
        """
        if line.fallen and self.system.out_of_line(self.battle, self.battle.ships[line.ships[0]]):
            return Helm(range=0, part=0.0)
        enemy_runs = bool(self.running - {line.side})
        return doctrine.build_helm(self.model, line.side, pursues=enemy_runs and not doctrine.runs)

    def _steer(self) -> None:
        """Form the lines of a new turn, and steer them by their doctrines unless ranges are prescribed.

        It also notes which sides run now, and whether one of them is out of contact.
        """
        model, last_sea = self.model, self.sea
        self.running |= {side for side in model.sides if model.is_runner(side) and self._is_broken(side)}
        self.sea = regroup(model, self.battle, last_sea)
        self._reach_cache.clear()
        if model.script:
            return
        doctrines = [self._find_doctrine(line) for line in self.sea.lines]
        helms = [
            self._build_helm(line, doctrine) for line, doctrine in zip(self.sea.lines, doctrines, strict=True)
        ]
        self.sea = steer(self.sea, helms)
        can_follow = [not doctrine.runs for doctrine in doctrines]
        self._escaped = any(not is_in_contact(self.sea, side, can_follow) for side in self.running)

    def answer(self) -> None:
        """Throw all owed rolls, and answer questions that want words with the first answer that is accepted.

        Raises:
            CannotContinue: No answer is accepted, or the questions do not end.
        """
        for _ in range(ANSWERS_MOST):
            if not self.battle.owed:
                return
            owed = self.battle.owed[0]
            for order in _list_answers(self.system.plain_answers(self.battle, owed), owed):
                with suppress(OrderRefused):
                    self.enter(order)
                    break
            else:
                raise CannotContinue(f"no doctrine answers “{owed.prompt}”")
        raise CannotContinue(f"endless questions: {self.battle.owed[0].prompt}")

    def find_ending(self, turns: int) -> Ending | None:
        """Return how the battle has ended, or None if it goes on; note the turn on which a side breaks."""
        battle = self.battle
        winners = [due.side for due in battle.plan.winning if count_fulfilling(battle, due) >= due.count]
        broken = tuple(side for side in self.model.sides if self._is_broken(side))
        for side in broken:
            self._broke_on.setdefault(side, min(battle.turn, turns))
        running = self.running | {side for side in broken if self.model.is_runner(side)}
        # A broken side that runs fights on, until all run or one has escaped.
        broken_and_stays = bool(set(broken) - running)
        all_run = len(running) == len(self.model.sides)
        is_decided = broken_and_stays or all_run or self._escaped
        is_over = winners or is_decided or battle.turn > turns or self.system.ended(battle)
        if not is_over:
            return None
        # If no side has won by the scenario and one side is broken, the other wins; if both are, none.
        if broken and not winners:
            winners = [side for side in self.model.sides if side not in broken]
        winner = winners[0] if len(set(winners)) == 1 else ""
        keeps = self.system.worth.keeps
        lost = tuple(ship.id for ship in battle.ships.values() if ship.status not in keeps)
        first_share, second_share = (self._find_worth_left(side) for side in self.model.sides)
        advantage = round(100 * (first_share - second_share))
        broke_on = tuple(self._broke_on[side] for side in broken)
        return Ending(winner, min(battle.turn, turns), broken, lost, advantage, broke_on)

    def _is_broken(self, side: str) -> bool:
        """Return whether at least half of a side's worth is gone, or its flagship has withdrawn."""
        flag = self.battle.ships.get(self.model.find_flagship(side))
        return (flag is not None and flag.status == WITHDRAWN) or self._find_worth_left(side) <= HALF

    def _find_worth_left(self, side: str) -> float:
        """Return the share of a side's worth that is left; 1 if its ships were worth nothing."""
        ships, shares = self._left_cache
        if ships is not self.battle.ships:
            ships, shares = self.battle.ships, {}
            self._left_cache = ships, shares
        if side not in shares:
            side_ships = [ship for ship in ships.values() if ship.side == side]
            worth_at_start = sum(self.model.whole[ship.id] for ship in side_ships)
            shares[side] = (
                sum(map(self._value_ship, side_ships)) / worth_at_start if worth_at_start > 0 else 1.0
            )
        return shares[side]

    def _value_ship(self, ship: Ship) -> float:
        """Return the worth of a ship, computed once for each of her states."""
        cached = self._worth_cache.get(id(ship))
        if cached is None:
            cached = self._worth_cache[id(ship)] = ship, self.system.worth.value_ship(ship)
        return cached[1]


def _list_answers(words: Sequence[tuple[str, ...]], owed: Owed) -> Iterator[Order]:
    """Yield possible answers to a question, the best first.

    A question for dice has one answer, the roll. Other questions have the order of the schedule, if it states
    one, then each of the words.

    Args:
        words: Words that may answer the question.
        owed: The question.
    """
    if owed.dice:
        yield Order(ROLL, {"key": owed.key})
        return
    order = find_scheduled_order(owed)
    if order is not None:
        yield order
    for answer in words:
        yield Order(ANSWER, {"key": owed.key, "words": answer})
