"""The values of a battle: frozen, compared by content, shared between the battles before and after.

Mappings in them are plain dicts that nobody changes; whoever needs another makes a copy.
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property

from attrs import field, frozen

from qf_tui.core.charts import Charts
from qf_tui.core.facts import Fact, HasFacts, read_key
from qf_tui.core.grammar.forms import Order
from qf_tui.core.numbered import replace as replace
from qf_tui.core.plan import Plan
from qf_tui.core.text import Scalar

AFLOAT = "afloat"
WITHDRAWN = "withdrawn"
SUNK = "sunk"
BATTERY = "battery"
"""The kind of a battery on land, which is mustered as a ship."""


@frozen
class Die:
    """One die that a roll wants: its sides, its colour or use where that matters, and its least face."""

    sides: int
    name: str = ""
    least: int = 1

    @property
    def most(self) -> int:
        """Its greatest face."""
        return self.sides - 1 + self.least

    @property
    def faces(self) -> range:
        """All its faces."""
        return range(self.least, self.most + 1)

    def __str__(self) -> str:
        return f"{self.name} D{self.sides}".strip()


def is_pool(dice: tuple[Die, ...]) -> bool:
    """Whether several dice are alike and without names.

    They are thrown together, their order does not matter.
    """
    return len(dice) > 1 and not dice[0].name and all(die == dice[0] for die in dice)


def dice_code(dice: tuple[Die, ...]) -> str:
    """Dice in short, as `2d12` or `1d10+2d6`."""
    counts: dict[int, int] = {}
    for die in dice:
        counts[die.sides] = counts.get(die.sides, 0) + 1
    return "+".join(f"{count}d{sides}" for sides, count in counts.items())


@frozen
class Mark:
    """Something on a ship with an identity or a span: a fire, a direction hit, a steam line until turn 7.

    A lifted mark stays, to be drawn scribbled out; one with `until` is lifted as the turn after that begins.
    """

    id: str
    kind: str
    text: str = ""
    turn: int = 0
    until: int | None = None
    lifted: bool = False


@frozen
class Act(HasFacts):
    """A memory of this turn or the last.

    What was done (`kind`), by which ship, and what of it the rules ask again.
    """

    turn: int
    phase: str
    kind: str
    ship: str
    facts: Mapping[str, Fact] = {}


@frozen
class Ship:
    """One ship: its `card` is what a sheet prints, `log` what is counted, `marks` what is written beside.

    `edge` is that of the table by which it withdrew, where that was said.
    """

    id: str
    name: str
    side: str
    division: str
    card: Mapping[str, Scalar]
    log: Mapping[str, Scalar]
    marks: tuple[Mark, ...] = ()
    status: str = AFLOAT
    edge: str = ""

    @property
    def afloat(self) -> bool:
        return self.status == AFLOAT

    @property
    def ashore(self) -> bool:
        """Whether it is a battery on land, which neither moves nor sinks."""
        return str(self.card.get("kind")).casefold() == BATTERY

    @property
    def gone(self) -> bool:
        """Whether it is off the table, so that nothing aboard is tracked any more."""
        return self.status in (WITHDRAWN, SUNK)

    def live(self, kind: str) -> tuple[Mark, ...]:
        """The marks of a kind that are not lifted, oldest first."""
        return tuple(mark for mark in self.marks if mark.kind == kind and not mark.lifted)

    def card_count(self, field: str) -> int:
        """A counted field of the card; 0 where it is empty."""
        value = self.card.get(field)
        return value if isinstance(value, int) else 0

    def count(self, field: str) -> int:
        """A counted field of the log; 0 where it is empty."""
        value = self.log.get(field)
        return value if isinstance(value, int) else 0


@frozen
class Owed(HasFacts):
    """A roll or an answer that the battle waits for.

    `key` is its cause: `12/direction/borodino/1` (entry, chart line, ship, ordinal). `dice` are those still
    wanted and `faces` those already thrown; without dice it wants one of `words`, or free words if there are
    none. `order` is the declared order behind it, and `facts` what else the rule system needs to know again.
    `cell` names the chart cell (table, row, column) that the umpire is asked to read out. `late`: its phase
    was ended before it was asked; its answer goes where it belongs and waits for nothing else.
    """

    key: str
    line: str
    ship: str
    prompt: str
    dice: tuple[Die, ...] = ()
    words: tuple[str, ...] = ()
    order: Order | None = None
    faces: tuple[int, ...] = ()
    facts: Mapping[str, Fact] = {}
    cell: tuple[str, ...] = ()
    late: bool = False

    @property
    def declared(self) -> Order:
        """The declared order behind it; LookupError where there is none."""
        if self.order is None:
            raise LookupError(f"{self.key} has no declared order")
        return self.order

    @property
    def entry(self) -> int:
        """The number of the entry that caused it."""
        return read_key(self.key).entry


@frozen
class Division:
    """Ships that sail together, and who plays them."""

    id: str
    name: str
    player: str = ""


@frozen
class Side:
    """One side of the battle."""

    id: str
    name: str
    divisions: tuple[Division, ...] = ()


@frozen
class Battle:
    """A whole battle at one moment.

    `began` is the battle as its phase began, with what is set by hand since; `opened` the entry that began
    the phase (0 at the start); `reserve` ships that are known to be on their way: no part of what battles are
    compared by. `plan` is what the start says of later, the same in every battle behind it.
    """

    turn: int
    phase: str
    sides: tuple[Side, ...]
    ships: Mapping[str, Ship]
    table: Mapping[str, Scalar]
    options: Mapping[str, Scalar]
    charts: Charts
    reserve: Mapping[str, Ship] = field(factory=dict, eq=False)
    owed: tuple[Owed, ...] = ()
    doubts: tuple[int, ...] = ()
    acts: tuple[Act, ...] = ()
    opened: int = 0
    began: "Battle | None" = None
    plan: Plan = Plan()

    @property
    def start(self) -> "Battle":
        """The battle as its phase began."""
        return self.began or self

    def with_ship(self, ship: Ship) -> "Battle":
        """The battle with another state of one ship."""
        ships = dict(self.ships)
        ships[ship.id] = ship
        return replace(self, ships=ships)

    def question(self, key: str) -> Owed | None:
        """The owed roll or answer of that key."""
        return next((owed for owed in self.owed if owed.key == key), None)

    def called(self, id: str) -> str:
        """A ship by its name, with its id where another ship has the same name."""
        name = self.ships[id].name
        return f"{name} ({id})" if name in self._shared_names else name

    def others_first(self, side: str) -> Sequence[Ship]:
        """All ships, those of other sides before those of a side.

        A search for a target mostly ends at the first.
        """
        if side not in self._others_first:
            self._others_first[side] = sorted(self.ships.values(), key=lambda ship: ship.side == side)
        return self._others_first[side]

    def done(
        self, kind: str, ship: str, turn: int | None = None, phase: str | None = None
    ) -> tuple[Act, ...]:
        """What a ship did of one kind this turn (or in another turn or phase that is still remembered)."""
        when = self.turn if turn is None else turn
        return tuple(
            act
            for act in self._acts_of.get((kind, ship), ())
            if act.turn == when and phase in (None, act.phase)
        )

    @cached_property
    def _acts_of(self) -> Mapping[tuple[str, str], list[Act]]:
        """The acts by kind and ship."""
        found: dict[tuple[str, str], list[Act]] = {}
        for act in self.acts:
            found.setdefault((act.kind, act.ship), []).append(act)
        return found

    @cached_property
    def _others_first(self) -> dict[str, Sequence[Ship]]:
        """What `others_first` has found, by side."""
        return {}

    @cached_property
    def _shared_names(self) -> Collection[str]:
        """The names that several ships have: mostly none."""
        names = [ship.name for ship in self.ships.values()]
        if len(set(names)) == len(names):
            return ()
        return {name for name, count in Counter(names).items() if count > 1}

    def side(self, id: str) -> Side | None:
        return next((side for side in self.sides if side.id == id), None)


def gone_words(ship: Ship) -> str:
    """What hands do with a ship that is not afloat any more."""
    status = ship.status.upper() if ship.status == SUNK else ship.status
    return f"{status}: {'remove the model' if ship.gone else 'mark it'}"


def nobody_left(battle: Battle, fights: Callable[[Ship], bool]) -> str:
    """Words for the first side that has no ship that `fights` but batteries; "" where all have one."""
    for side in battle.sides:
        own = [ship for ship in battle.ships.values() if ship.side == side.id and not ship.ashore]
        if own and not any(map(fights, own)):
            return f"{side.name} has no ship left in the battle: it may end here"
    return ""
