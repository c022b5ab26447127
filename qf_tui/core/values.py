"""The values of a battle and of its orders: frozen, compared by content, shared between battles.

Mappings in them are plain dicts that nobody changes; whoever needs another makes a copy.
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from enum import Enum, StrEnum
from functools import cached_property
from operator import attrgetter
from string import Formatter
from typing import ClassVar, Union

from attrs import evolve, field, frozen

from qf_tui.core.facts import Fact, HasFacts, QuestionKey, read_key
from qf_tui.core.text import Distance, Scalar

AFLOAT = "afloat"
WITHDRAWN = "withdrawn"
SUNK = "sunk"

BATTERY = "battery"
"""The kind of a battery on land, which is mustered as a ship."""

ANSWERS = ("roll", "answer")
"""The orders that answer an owed question."""
NEXT = "next"
"""The order that ends a phase."""
READ_FOR = "for"
"""In the words of an answer, as its entry keeps them: what they were read for stands behind it."""
CALL = "call"
"""The word ahead of a called number, in the place of dice."""
OPEN_DICE = "two D10 thrown in the open"
"""What the call is: no side is without interest in it, so that nobody may choose it."""
CALL_MOST = 99
"""The greatest call that they give; older saves have greater ones."""
SIMULATED = "simulated"
"""The key of the table of a battle that nobody plays."""


@frozen
class Die:
    """One die that a roll wants: its sides, its colour or use where that matters, and its least face."""

    sides: int
    name: str = ""
    least: int = 1

    @property
    def most(self) -> int:
        return self.sides - 1 + self.least

    @property
    def faces(self) -> range:
        return range(self.least, self.most + 1)

    def __str__(self) -> str:
        return f"{self.name} D{self.sides}".strip()


def is_pool(dice: tuple[Die, ...]) -> bool:
    """Whether dice are several, alike and nameless: thrown together, in no order."""
    return len(dice) > 1 and not dice[0].name and all(die == dice[0] for die in dice)


def dice_code(dice: tuple[Die, ...]) -> str:
    """Dice in short, as `2d12` or `1d10+2d6`."""
    return "+".join(f"{count}d{sides}" for sides, count in Counter(die.sides for die in dice).items())


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
    """A memory of this turn or the last: what was done (`kind`), by which ship, and its facts."""

    turn: int
    phase: str
    kind: str
    ship: str
    facts: Mapping[str, Fact] = {}


class Acts(tuple[Act, ...]):  # noqa: SLOT001 - it keeps what it has found
    """Acts in their order, found by their kind and their ship."""

    @cached_property
    def by_ship(self) -> Mapping[tuple[str, str], tuple[Act, ...]]:
        found: dict[tuple[str, str], list[Act]] = {}
        for act in self:
            found.setdefault((act.kind, act.ship), []).append(act)
        return {of: tuple(acts) for of, acts in found.items()}

    @classmethod
    def joined(cls, acts: tuple[Act, ...], act: Act) -> "Acts":
        """Acts and one more; what was found of the others is not looked for again."""
        more = cls((*acts, act))
        if isinstance(acts, Acts) and "by_ship" in vars(acts):
            of = act.kind, act.ship
            more.by_ship = {**acts.by_ship, of: (*acts.by_ship.get(of, ()), act)}
        return more


@frozen(slots=False)
class Ship:
    """One ship: its `card` is what a sheet prints, `log` what is counted, `marks` what is written beside.

    `edge`: the edge of the table by which it withdrew, if named.
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
        return self._live.get(kind, ())

    @cached_property
    def _live(self) -> Mapping[str, tuple[Mark, ...]]:
        """The marks that are not lifted, by kind."""
        by_kind: dict[str, tuple[Mark, ...]] = {}
        for mark in self.marks:
            if not mark.lifted:
                by_kind[mark.kind] = (*by_kind.get(mark.kind, ()), mark)
        return by_kind

    def card_count(self, field: str) -> int:
        """A counted field of the card; 0 where it is empty."""
        value = self.card.get(field)
        return value if isinstance(value, int) else 0

    def count(self, field: str) -> int:
        """A counted field of the log; 0 where it is empty."""
        value = self.log.get(field)
        return value if isinstance(value, int) else 0


def removal_text(ship: Ship) -> str:
    """What hands do with a ship that is not afloat any more."""
    status = ship.status.upper() if ship.status == SUNK else ship.status
    return f"{status}: {'remove the model' if ship.gone else 'mark it'}"


Shares = Mapping[str, "SlotValue"]
"""What single ships of an order have in one of its slots, by their ids."""
SlotValue = Union[str, int, bool, Distance, tuple[str, ...], "Order", Shares]


class SlotKind:
    """What fills a slot, and how it is written; how it is read is the grammar's (`ReadKind`)."""

    takes_rest: ClassVar[bool] = False
    """Whether it takes all words to the end of the line."""
    is_flag: ClassVar[bool] = False
    """Whether it is one word that stands or not."""
    grows: ClassVar[bool] = True
    """Whether more letters behind a word that fits may yet make another of it."""
    joint: ClassVar[str] = ","
    """What stands between several values."""
    holds_ships: ClassVar[bool] = False
    """Whether its values are ids of ships of the battle."""

    def write(self, slot: "Slot", value: SlotValue) -> list[str]:
        """The words of a value, its keyword first."""
        text = self.joint.join(map(str, value)) if isinstance(value, tuple) else str(value)
        return [slot.keyword, text] if slot.keyword else [text]

    def sign(self, slot: "Slot") -> str:
        """The slot's body as the help writes it."""
        return slot.name.upper()


class End(Enum):
    """An end of a ship, over which she has another near her course."""

    BOW = 1
    STERN = 2


@frozen
class Slot:
    """One place in an order. With `keyword` its value follows that word, anywhere after the plain slots.

    Every slot must be filled that is not `optional`, those with a keyword too. With `bare` a measure is also
    a plain number, such as boxes. A name slot with `listed` holds a name of the first ship that the order
    names: one of the `listed.1.name`, `listed.2.name` ... of its card. `unit` is that of a bare distance,
    where it is not the table's. Keys offer ships that are not `likely` last, and choices as `offered` calls
    them in the battle, without those for which it has no words; all are read in the same way. `known` is what
    the battle has on record of it for the first ship that the order names, None where nothing is.
    `identifies`: with the turn and the phase it tells the throws of such orders apart, as ship and battery
    do. With `to` it is a range, from the ship that the order names first to that of the slot so named; it may
    be estimated. A flag with `bears` stands where the first ship has that of `to` over one of those ends, one
    with `shows` where that of `to` has the first so. With `shares` it holds what single ships of the first
    slot have in the slot so named, in place of its value. Keys offer no ship of the own side to a `foe`.
    """

    name: str
    kind: SlotKind
    label: str
    choices: tuple[str, ...] = ()
    keyword: str = ""
    optional: bool = False
    bare: bool = False
    least: int = 0
    most: int = 999
    listed: str = ""
    unit: str = ""
    likely: Callable[[Ship], bool] | None = None
    offered: Callable[["Battle", str], str] | None = None
    known: Callable[["Battle", Ship], SlotValue | None] | None = None
    to: str = ""
    identifies: bool = False
    bears: tuple[End, ...] = ()
    shows: tuple[End, ...] = ()
    shares: str = ""
    foe: bool = False

    @property
    def trailing(self) -> bool:
        """Whether it may stand anywhere behind the plain slots."""
        return self.kind.is_flag or bool(self.keyword)

    @property
    def sign(self) -> str:
        """The slot as the help writes it."""
        body = self.kind.sign(self)
        if self.keyword:
            body = f"{self.keyword} {body}"
        return f"[{body}]" if self.optional else body


@frozen
class Mends:
    """What the repairs of a ship use up: a count of her log, and the field of her card that first says it."""

    points: str
    printed: str


SentencePart = tuple[tuple[str, str], ...]
"""A part of an order's sentence: texts, each with the slot that fills what follows it ("": none).

It is dropped where the first slot that it names was left out.
"""


ANY_NUMBER = "..."
"""Behind the dice of a form: as many as the ship and the order have."""


@frozen(eq=False)
class Form:
    """One order: its word, the key that opens its dialog, its slots, and the dice that may end it.

    `says` is a sentence for the order in parts between bars, with slots in braces, each dropped where the
    first of its slots was left out: `{ship}| at {target}|, {range}`. Without it: the word and
    what fills the slots.
    `mends`: it repairs damage, and whoever plays without people orders it wherever the rules allow.
    `mutual`: its dice may harm each ship that it names, so that codes alone do not say whom.
    A form is known by its identity: it is declared once and looked up often.
    """

    word: str
    key: str
    title: str
    slots: tuple[Slot, ...] = ()
    dice: str = ""
    phases: tuple[str, ...] = ()
    help: str = ""
    says: str = ""
    mends: Mends | None = None
    mutual: bool = False

    @cached_property
    def sentence(self) -> tuple[SentencePart, ...]:
        """`says` in its parts; none where it says nothing."""
        parts = self.says.split("|") if self.says else ()
        return tuple(
            tuple((before, slot or "") for before, slot, _, _ in Formatter().parse(part))
            for part in parts
            if part
        )

    @property
    def counts_dice(self) -> bool:
        """Whether how many dice it takes hangs on the ship and on the order."""
        return self.dice.endswith(ANY_NUMBER)

    @property
    def count_slot(self) -> Slot | None:
        """The slot that may say how many dice it takes, as in `dice 2`."""
        return next((slot for slot in self.slots if slot.optional and slot.keyword == "dice"), None)

    @property
    def usage(self) -> str:
        parts = [self.word, *(slot.sign for slot in self.slots)]
        if self.dice:
            parts.append(f"[{self.dice}]")
        return " ".join(parts)

    def slot(self, name: str) -> Slot | None:
        return next((slot for slot in self.slots if slot.name == name), None)


@frozen(slots=False)
class Order:
    """An order: its form, what fills its slots, the faces of its dice, and whether the umpire forces it.

    `call` is the number that open dice gave, by which a source of dice threw the faces.
    """

    form: Form = field(eq=attrgetter("word"))
    slots: Mapping[str, SlotValue]
    dice: tuple[int, ...] = ()
    forced: bool = False
    call: int | None = None

    @property
    def word(self) -> str:
        return self.form.word

    @property
    def is_answer(self) -> bool:
        return self.form.word in ANSWERS

    @property
    def said(self) -> tuple[str, ...]:
        """The words of an answer, without what they were read for."""
        words = self.many("words")
        return words[: words.index(READ_FOR)] if READ_FOR in words else words

    @property
    def is_phase_end(self) -> bool:
        return self.form.word == NEXT

    @property
    def key(self) -> str:
        """The owed question that it answers; "" for any other order."""
        return self.text("key") if self.is_answer else ""

    @property
    def cause(self) -> int:
        """The entry whose question it answers; 0 for any other order."""
        return self.asked_by.entry

    @property
    def asked_by(self) -> QuestionKey:
        """The parts of the key that it answers; an empty one for any other order."""
        return read_key(self.key)

    @property
    def names(self) -> tuple[str, ...]:
        """The words and ids in its slots, in order; of a key the ship that is asked."""
        asked = {self.key: self.asked_by.ship} if self.is_answer else {}
        names: list[str] = []
        for value in self.slots.values():
            words = value if isinstance(value, tuple) else (value,)
            names += [asked.get(word, word) for word in words if isinstance(word, str)]
        return tuple(names)

    def text(self, name: str) -> str:
        """A slot that holds a word or an id; "" where it was left out."""
        value = self.slots.get(name, "")
        return value if isinstance(value, str) else ""

    def many(self, name: str) -> tuple[str, ...]:
        """A slot that holds several words or ids."""
        value = self.slots.get(name, ())
        return value if isinstance(value, tuple) else (str(value),)

    def number(self, name: str) -> int | None:
        """A slot that holds a whole number, or None."""
        value = self.slots.get(name)
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    def has(self, name: str) -> bool:
        """Whether a flag stands."""
        return bool(self.slots.get(name, False))

    def order(self, name: str) -> "Order | None":
        """A slot that holds an order, or None."""
        value = self.slots.get(name)
        return value if isinstance(value, Order) else None

    def with_slot(self, name: str, value: SlotValue) -> "Order":
        return replace(self, slots={**self.slots, name: value})

    def of_ship(self, id: str) -> "Order":
        """Build the order of one ship of several, with her own share of it."""
        slots: dict[str, SlotValue] = {**self.slots, self.form.slots[0].name: (id,)}
        for slot in self.form.slots:
            shares = slots.pop(slot.name, None) if slot.shares else None
            if isinstance(shares, Mapping):
                slots[slot.shares] = shares.get(id, slots[slot.shares])
        return replace(self, slots=slots)

    @property
    def estimated(self) -> bool:
        return any(isinstance(value, Distance) and value.estimated for value in self.slots.values())

    @property
    def called(self) -> int | None:
        """The call of this order, or of the order within a correction."""
        within = self.order("order")
        return within.call if within is not None else self.call

    @property
    def bare(self) -> "Order":
        """The order without its dice, and not forced: as it is declared."""
        return replace(self, dice=(), forced=False, call=None)

    @cached_property
    def resolved(self) -> str:
        """The order with full ids and without its dice, as the log keeps it."""
        parts = [self.form.word]
        for slot in self.form.slots:
            if slot.name in self.slots:
                parts.extend(slot.kind.write(slot, self.slots[slot.name]))
        return " ".join(parts)

    @cached_property
    def line(self) -> str:
        """The order as it may be typed: forced if it is, with its dice."""
        forced = ("force",) if self.forced else ()
        call = () if self.call is None else (CALL, str(self.call))
        return " ".join((*forced, self.resolved, *map(str, self.dice), *call))

    def __str__(self) -> str:
        return self.line


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
    def by_hand(self) -> bool:
        """Whether it asks what dice mean that lie already, on a chart that the rules do not know."""
        return bool(self.faces) and not (self.dice or self.cell or self.order)

    @property
    def entry(self) -> int:
        """The number of the entry that caused it."""
        return read_key(self.key).entry


class Provenance(StrEnum):
    """How good a chart cell is: in the sources, made up by us, or the umpire's own."""

    ATTESTED = "attested"
    RECONSTRUCTED = "reconstructed"
    OWN = "own"


@frozen
class ChartCell:
    """One cell of a chart: its codes as printed, and where they come from."""

    text: str
    status: Provenance = Provenance.RECONSTRUCTED
    source: str = ""


@frozen
class ChartRow:
    """One line of a chart: cells by column, in the printed order."""

    name: str
    cells: Mapping[str, ChartCell]


@frozen
class Chart:
    """One table of a combat chart: rows by name, in the printed order."""

    name: str
    title: str
    rows: Mapping[str, ChartRow]
    note: str = ""


Charts = Mapping[str, Chart]


@frozen
class Due:
    """What falls due as a turn begins.

    `ships` arrive, `where` says from; `table` are conditions that change, whether the rule system has them or
    not; `note` is a remark.
    """

    turn: int
    ships: tuple[str, ...] = ()
    where: str = ""
    table: Mapping[str, Scalar] = field(factory=dict)
    note: str = ""


@frozen
class Condition:
    """By what `side` wins: `count` ships of the side `of` with one of the statuses.

    Left empty, `kind` and `edge` are any; `edge` counts only for ships that withdrew. `note`: what cannot be
    counted.
    """

    side: str
    count: int
    of: str
    status: tuple[str, ...]
    kind: str = ""
    edge: str = ""
    note: str = ""


@frozen
class Plan:
    """All that falls due, in the order in which it was written, and all conditions of victory."""

    schedule: tuple[Due, ...] = ()
    victory: tuple[Condition, ...] = ()

    @property
    def arriving(self) -> tuple[str, ...]:
        return tuple(id for due in self.schedule for id in due.ships)

    @property
    def edges(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(condition.edge for condition in self.victory if condition.edge))


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


@frozen(slots=False)
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
        return self.began or self

    def with_ship(self, ship: Ship) -> "Battle":
        ships = dict(self.ships)
        ships[ship.id] = ship
        return replace(self, ships=ships)

    @cached_property
    def owed_in_turn(self) -> tuple[Owed, ...]:
        """What is owed, in the order in which it is answered: rolls, then questions in words.

        Every screen names the first of these as the next, and bare digits answer it.
        """
        return tuple(sorted(self.owed, key=lambda owed: not owed.dice))

    def question(self, key: str) -> Owed | None:
        return next((owed for owed in self.owed if owed.key == key), None)

    def called(self, id: str) -> str:
        """A ship by its name, with its id where another has the same name; what is no ship's id as it is."""
        if id not in self.ships:
            return id
        name = self.ships[id].name
        return f"{name} ({id})" if name in self.shared_names else name

    def done(
        self, kind: str, ship: str, turn: int | None = None, phase: str | None = None
    ) -> tuple[Act, ...]:
        """What a ship did of one kind this turn (or in another turn or phase that is still remembered)."""
        when = self.turn if turn is None else turn
        own = self.acts_of(kind, ship)
        return tuple([act for act in own if act.turn == when and phase in (None, act.phase)])

    def acts_of(self, kind: str, ship: str) -> tuple[Act, ...]:
        """All that is remembered of what a ship did of one kind."""
        acts = self.acts if isinstance(self.acts, Acts) else self._acts
        return acts.by_ship.get((kind, ship), ())

    @cached_property
    def _acts(self) -> Acts:
        return Acts(self.acts)

    @cached_property
    def shared_names(self) -> Collection[str]:
        """The names that several ships have: mostly none."""
        names = [ship.name for ship in self.ships.values()]
        if len(set(names)) == len(names):
            return ()
        return {name for name, count in Counter(names).items() if count > 1}

    def side(self, id: str) -> Side | None:
        return next((side for side in self.sides if side.id == id), None)

    def side_name(self, id: str) -> str:
        """A side by its name; what is no side's id as it stands."""
        return next((side.name for side in self.sides if side.id == id), id)

    @property
    def coming(self) -> list[Ship]:
        """The ships that the schedule brings and that are not there yet."""
        waiting = (self.reserve.get(id) for id in self.plan.arriving if id not in self.ships)
        return [ship for ship in waiting if ship is not None]

    def ship_name(self, id: str) -> str:
        """A ship by its name alone; what is no ship's id as it is."""
        ship = self.ships.get(id)
        return ship.name if ship else id

    def division_of(self, ship: Ship) -> Division:
        """A ship's division; a nameless one where her side has none of that id."""
        side = self.side(ship.side)
        divisions = side.divisions if side else ()
        return next((division for division in divisions if division.id == ship.division), Division("", ""))


replace = evolve
"""A frozen value with other fields."""

Faces = tuple[int, ...]
