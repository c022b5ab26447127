"""Plays one battle to its end without a log: doctrines order, the rules decide, a seed throws."""

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
"""Part of a side's worth; a side with no more than this left is broken."""
TIMES_MOST = 50
"""Number of repairs of one kind that a ship makes in a phase at most."""
ANSWERS_MOST = 2000
"""Number of questions in a row after which a battle is given up."""
BEHIND = 10**6
"""First entry number of a playout; no save has so many entries."""


class CannotContinue(Exception):
    """A battle that cannot go on: a refused order, or a question without an answer."""


@frozen
class Ending:
    """The end of a battle.

    Attributes:
        winner: Side that won, or "" for none.
        broken: Sides that are broken.
        lost: Ids of the ships lost.
        advantage: Share of worth left to the first side less that of the second, in hundredths.
        since: Turn on which each broken side broke.
    """

    winner: str
    turn: int
    broken: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    advantage: int = 0
    since: tuple[int, ...] = ()


class Playout:
    """A battle that is being played, as a doctrine sees it."""

    def __init__(self, model: BattleModel, doctrines: Mapping[str, Doctrine], dice: Random) -> None:
        self.model, self.system = model, model.system
        self.battle: Battle = replace(model.start, doubts=())
        self._doctrines = doctrines
        self.running = frozenset(side for side, doctrine in doctrines.items() if doctrine.runs)
        self.sea = regroup(model, self.battle, None) if doctrines else Sea((), 0.0)
        self._away = False
        self._broke: dict[str, int] = {}
        self._dice = dice
        self._number = BEHIND
        self._ready: tuple[Order, Battle, PreparedEntry] | None = None
        self._worths: dict[int, tuple[Ship, float]] = {}
        self._reach: dict[int, tuple[dict[int, bool], Collection[int]]] = {}
        self._lefts: tuple[Mapping[str, Ship], dict[str, float]] = {}, {}

    @classmethod
    def from_model(cls, model: BattleModel) -> "Playout":
        """Build a playout without doctrines, in which no orders were given."""
        return cls(model, {}, Random(0))

    def find_attacks(self, ship: str) -> Iterator[Attack]:
        """Yield the attacks of a ship in this phase that reach an enemy."""
        # Ships of one line that are alike reach the same enemies.
        model, line = self.model, self.sea.line_by_ship[ship]
        known = self._reach.get(line)
        if known is None:
            known = self._reach[line] = {}, model.find_places(self.sea.list_abreast(ship))
        reached, places = known
        for attack in model.list_attacks_in(ship, self.battle.phase):
            kind = model.find_kind(attack)
            reaches = reached.get(kind)
            if reaches is None:
                reaches = reached[kind] = model.may_reach(kind, places) and any(self.find_targets(attack))
            if reaches:
                yield attack

    def find_targets(self, attack: Attack) -> Iterator[str]:
        """Yield the enemies that an attack reaches, nearest line first."""
        return self.model.list_allowed_targets(attack, self.sea.list_abreast(attack.ship))

    def build_order(self, attack: Attack, target: str) -> Order:
        """Build the order for an attack on a ship in her present position."""
        sea, ship = self.sea, attack.ship
        return attack.build_order(
            target,
            self.model.build_distance(sea.find_range(ship, target)),
            sea.find_end(ship),
            sea.find_end(target),
        )

    def throw(self, die: Die) -> int:
        """Throw a die. Only `random` gives the same numbers in every Python version for a seed."""
        return die.least + int(self._dice.random() * die.sides)

    def list_findings(self, order: Order) -> tuple[Finding, ...]:
        """List the findings against an order; an accepted order is kept ready to be entered."""
        try:
            self._ready = order, self.battle, prepare_order(self.system, self.battle, order)
        except OrderRefused as refusal:
            return refusal.findings
        return ()

    def enter(self, order: Order) -> None:
        """Play an order; OrderRefused changes nothing."""
        ready = self._ready
        if ready is None or ready[0] is not order or ready[1] is not self.battle:
            ready = order, self.battle, prepare_order(self.system, self.battle, order)
        self._number += 1
        self.battle = play_prepared(self.system, self.battle, self._number, ready[2], self.throw)

    def play_to_end(self, turns: int) -> Ending:
        """Play until a side has won, none can win, or the turns are over; else raise CannotContinue."""
        self.answer()
        while (ending := self.find_ending(turns)) is None:
            self.play_phase()
        return ending

    def play_phase(self) -> None:
        """Play one phase to its end, with the sides in random order and all owed rolls answered."""
        before = self.battle.turn, self.battle.phase
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
        while (self.battle.turn, self.battle.phase) == before:
            self.enter(Order(NEXT, {}))
            self.answer()
        if self.battle.turn != before[0]:
            self._steer()

    def _list_orders(self, side: str) -> Iterator[Order]:
        """Yield a side's orders in this phase: by the doctrine of each line, then all possible repairs."""
        for line in self.sea.lines:
            if line.side == side:
                yield from self._find_doctrine(line).orders(self, line)
        phase, may_try = self.battle.phase, self.system.may_try
        if not any(form.mends is not None and phase in form.phases for form in self.system.forms):
            return
        for id in tuple(self.battle.ships):
            ship = self.battle.ships[id]
            for whole, orders in (
                self.model.list_repairs(id, phase) if ship.side == side and ship.afloat else ()
            ):
                for order in orders if may_try(self.battle, whole) else ():
                    times = TIMES_MOST
                    while times and may_try(self.battle, order) and not self.list_findings(order):
                        times -= 1
                        yield order

    def _find_doctrine(self, line: BattleLine) -> Doctrine:
        """Return the doctrine of a line: to run, its own, or its side's."""
        if line.side in self.running or line.fallen:
            return RUN
        own = self.model.read_key(DOCTRINE, f"@{line.division}") if line.division else None
        return find_doctrine(str(own)) if own else self._doctrines[line.side]

    def _build_helm(self, line: BattleLine, doctrine: Doctrine) -> Helm:
        """Return how a line is steered; a line that pursues a running side uses its full speed."""
        if line.fallen and self.system.out_of_line(self.battle, self.battle.ships[line.ships[0]]):
            # A ship that cannot steer keeps her course.
            return Helm(0, part=0.0)
        return doctrine.build_helm(
            self.model, line.side, pursues=not doctrine.runs and not self.running <= {line.side}
        )

    def _steer(self) -> None:
        """Form the lines of a new turn, and steer them by their doctrines."""
        model, before = self.model, self.sea
        self.running |= {side for side in model.sides if model.is_runner(side) and self._is_broken(side)}
        self.sea = regroup(model, self.battle, before)
        self._reach.clear()
        if model.script:
            return
        ways = [self._find_doctrine(line) for line in self.sea.lines]
        helms = [self._build_helm(line, way) for line, way in zip(self.sea.lines, ways, strict=True)]
        self.sea = steer(self.sea, helms)
        follow = [not way.runs for way in ways]
        self._away = any(not is_in_contact(self.sea, side, follow) for side in self.running)

    def answer(self) -> None:
        """Throw for everything that is owed, and answer questions that want words."""
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
        """Return how the battle has ended, or None."""
        battle = self.battle
        won = [due.side for due in battle.plan.victory if count_fulfilling(battle, due) >= due.count]
        broken = tuple(side for side in self.model.sides if self._is_broken(side))
        for side in broken:
            self._broke.setdefault(side, min(battle.turn, turns))
        running = self.running | {side for side in broken if self.model.is_runner(side)}
        beaten = set(broken) - running or len(running) == len(self.model.sides) or self._away
        if not (won or beaten or battle.turn > turns or self.system.ended(battle)):
            return None
        if not won and len(broken) < len(self.model.sides):
            won = [side for side in self.model.sides if side not in broken] if broken else []
        winner = won[0] if len(set(won)) == 1 else ""
        keeps = self.system.worth.keeps
        lost = tuple(ship.id for ship in battle.ships.values() if ship.status not in keeps)
        first, second = (self._find_worth_left(side) for side in self.model.sides)
        advantage, since = round(100 * (first - second)), tuple(self._broke[side] for side in broken)
        return Ending(winner, min(battle.turn, turns), broken, lost, advantage, since)

    def _is_broken(self, side: str) -> bool:
        """Return whether half of a side's worth is gone, or its flagship has withdrawn."""
        flag = self.battle.ships.get(self.model.find_flagship(side))
        return (flag is not None and flag.status == WITHDRAWN) or self._find_worth_left(side) <= HALF

    def _find_worth_left(self, side: str) -> float:
        """Return the share of a side's worth that is left; 1 if its ships were worth nothing."""
        ships, known = self._lefts
        if ships is not self.battle.ships:
            ships, known = self._lefts = self.battle.ships, {}
        if side not in known:
            own = [ship for ship in ships.values() if ship.side == side]
            whole = sum(self.model.whole[ship.id] for ship in own)
            known[side] = sum(map(self._value_ship, own)) / whole if whole > 0 else 1.0
        return known[side]

    def _value_ship(self, ship: Ship) -> float:
        known = self._worths.get(id(ship))
        if known is None:
            known = self._worths[id(ship)] = ship, self.system.worth.value_ship(ship)
        return known[1]


def _list_answers(words: Sequence[tuple[str, ...]], owed: Owed) -> Iterator[Order]:
    """Yield possible answers to a question: its dice, an order of the schedule, else the words in turn."""
    if owed.dice:
        yield Order(ROLL, {"key": owed.key})
        return
    order = find_scheduled_order(owed)
    if order is not None:
        yield order
    for each in words:
        yield Order(ANSWER, {"key": owed.key, "words": each})
