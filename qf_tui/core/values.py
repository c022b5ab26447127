"""The classes of a battle and its orders: ships, marks, dice, forms, orders, owed dice, charts, schedule.

All are frozen and compared by content, and battles share them. Mappings in them are plain dicts that must
never be changed: to change one, make a copy.
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
"""Statuses of a ship. A rule system may have more."""
WITHDRAWN = "withdrawn"
SUNK = "sunk"

BATTERY = "battery"
"""The kind of a battery on land, which a fleet lists like a ship."""

ANSWERS = ("roll", "answer")
"""The words of the two orders that answer an owed question."""
NEXT = "next"
"""The word of the order that ends a phase."""
READ_FOR = "for"
"""The word in a recorded answer that separates the answer from the values it was read for."""
CALL = "call"
"""The word before a called number, which replaces the faces of dice in an order."""
OPEN_DICE = "two D10 thrown in the open"
"""The dice that give a call. They are thrown openly: each side would gain by choosing it."""
CALL_MOST = 99
"""The greatest call that two D10 give; older saves may have greater ones."""
SIMULATED = "simulated"
"""The key of the table that marks a battle without players, such as one of `simulate`."""


@frozen
class Die:
    """A die that a roll needs.

    Attributes:
        sides: Number of its faces.
        name: Colour or use, if it matters which die shows a face, or "".
        least: Its lowest face.
    """

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
    """Return whether dice are a pool: several alike, without names, so that their order does not matter."""
    return len(dice) > 1 and not dice[0].name and all(die == dice[0] for die in dice)


def format_dice(dice: tuple[Die, ...]) -> str:
    """Format dice in short form, such as `2d12` or `1d10+2d6`."""
    return "+".join(f"{count}d{sides}" for sides, count in Counter(die.sides for die in dice).items())


@frozen
class Mark:
    """A mark on a ship that has an identity or a duration: a fire, a direction hit, a steam line.

    A lifted mark is kept, and drawn struck out.

    Attributes:
        kind: Kind of the mark: a name from the rule system's fields.
        text: What the mark says, or "".
        turn: Turn in which it was made.
        until: Last turn in which it holds, or None if it has no end. The next turn lifts it.
        lifted: True if it no longer holds.
    """

    id: str
    kind: str
    text: str = ""
    turn: int = 0
    until: int | None = None
    lifted: bool = False


@frozen
class Act(HasFacts):
    """A remembered act of this turn or the last: what a ship did, with its facts.

    Attributes:
        kind: What was done, as the rule system names it.
        ship: Id of the ship.
        facts: Facts that the rule system keeps of the act.
    """

    turn: int
    phase: str
    kind: str
    ship: str
    facts: Mapping[str, Fact] = {}


class Acts(tuple[Act, ...]):  # noqa: SLOT001 - its index is cached on it
    """Acts in the order they were done, with a cached index by kind and ship."""

    @cached_property
    def by_ship(self) -> Mapping[tuple[str, str], tuple[Act, ...]]:
        """The acts of each (kind, ship), oldest first."""
        acts_by_key: dict[tuple[str, str], list[Act]] = {}
        for act in self:
            acts_by_key.setdefault((act.kind, act.ship), []).append(act)
        return {key: tuple(acts) for key, acts in acts_by_key.items()}

    @classmethod
    def join_act(cls, acts: tuple[Act, ...], act: Act) -> "Acts":
        """Append one act, and extend the index of `acts` if it was already built."""
        joined = cls((*acts, act))
        if isinstance(acts, Acts) and "by_ship" in vars(acts):
            key = act.kind, act.ship
            joined.by_ship = {**acts.by_ship, key: (*acts.by_ship.get(key, ()), act)}
        return joined


@frozen(slots=False)
class Ship:
    """A ship in a battle.

    Attributes:
        division: Id of her division within her side.
        card: Values that her printed sheet shows.
        log: Values counted during the battle.
        marks: Marks written next to the log, lifted ones included.
        status: One of the statuses of the rule system, such as `afloat`.
        edge: Edge of the table by which she withdrew, or "".
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
    def is_land_battery(self) -> bool:
        """True if this is a battery on land, which neither moves nor sinks."""
        return str(self.card.get("kind")).casefold() == BATTERY

    @property
    def is_off_table(self) -> bool:
        """True if the ship is off the table, so that nothing on board is tracked any more."""
        return self.status in (WITHDRAWN, SUNK)

    def live(self, kind: str) -> tuple[Mark, ...]:
        """Return the marks of a kind that are not lifted, oldest first."""
        return self._live_marks.get(kind, ())

    @cached_property
    def _live_marks(self) -> Mapping[str, tuple[Mark, ...]]:
        """The marks that are not lifted, by kind."""
        by_kind: dict[str, tuple[Mark, ...]] = {}
        for mark in self.marks:
            if not mark.lifted:
                by_kind[mark.kind] = (*by_kind.get(mark.kind, ()), mark)
        return by_kind

    def count_on_card(self, field: str) -> int:
        """Return a whole number of the card, or 0 if the field holds none."""
        value = self.card.get(field)
        return value if isinstance(value, int) else 0

    def count(self, field: str) -> int:
        """Return a whole number of the log, or 0 if the field holds none."""
        value = self.log.get(field)
        return value if isinstance(value, int) else 0


def format_removal(ship: Ship) -> str:
    """Format what the players must do with the model of a ship that is no longer afloat."""
    status = ship.status.upper() if ship.status == SUNK else ship.status
    return f"{status}: {'remove the model' if ship.is_off_table else 'mark it'}"


Shares = Mapping[str, "SlotValue"]
"""Values of single ships in one slot of an order, by the ships' ids."""
SlotValue = Union[str, int, bool, Distance, tuple[str, ...], "Order", Shares]


class SlotKind:
    """A kind of slot: the values it takes and how they are written.

    The order language reads them: `ReadKind` of the grammar extends this class.
    """

    takes_rest: ClassVar[bool] = False
    """True if the slot takes all words to the end of the line."""
    is_flag: ClassVar[bool] = False
    """True if the slot is a single word that is either present or absent."""
    grows: ClassVar[bool] = True
    """True if a word that fits may become another value when more letters are typed."""
    separator: ClassVar[str] = ","
    """The text between several values."""
    holds_ships: ClassVar[bool] = False
    """True if the values are ids of ships of the battle."""

    def write(self, slot: "Slot", value: SlotValue) -> list[str]:
        """Write a value as the words of an order, the slot's keyword first."""
        text = self.separator.join(map(str, value)) if isinstance(value, tuple) else str(value)
        return [slot.keyword, text] if slot.keyword else [text]

    def format_placeholder(self, slot: "Slot") -> str:
        """Return the placeholder for a value of the slot, as the help prints it."""
        return slot.name.upper()


class End(Enum):
    """An end of a ship, over which another ship lies if she is near the line of the first ship's course."""

    BOW = 1
    STERN = 2


@frozen
class Slot:
    """A place in an order that a value fills.

    A slot without a keyword has a fixed place. A slot with a keyword comes after these, behind its keyword.

    Attributes:
        kind: Kind of the values, which says how they are read and written.
        label: Name for people, in dialogs.
        choices: Words that the slot takes; () if it takes other values.
        keyword: Word before the value, or "".
        optional: True if the slot may be left empty.
        bare: True if a measure may also be a plain number, such as a number of boxes.
        least: Least number.
        most: Greatest number.
        listed: Prefix of a list on the card of the order's first ship. The slot takes a name from
            `listed.1.name`, `listed.2.name` and so on.
        unit: Unit of a distance typed without one, if it is not the table's unit.
        likely: Function that says whether a ship is a likely value. Keys offer the other ships last.
        offered: Function that gives the text under which keys offer a choice in this battle, or "" to leave
            the choice out. Typed orders may still use it.
        known: Function that gives the value on record for the order's first ship, or None.
        to: Name of the slot of the target, if this slot is the range from the order's first ship to that
            target. Such a range may be estimated.
        identifies: True if the value helps to tell apart the throws of such orders in one phase, as ship and
            battery do (for dice thrown by a call).
        bears: Ends of the first ship. The flag is true if the target lies over one of them.
        shows: Ends of the target. The flag is true if the first ship lies over one of them.
        shares: Name of the slot whose value this slot replaces for single ships.
        foe: True if keys offer no ship of the own side.
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
    def is_trailing(self) -> bool:
        """True if the slot may come anywhere after the slots with a fixed place."""
        return self.kind.is_flag or bool(self.keyword)

    @property
    def placeholder(self) -> str:
        """The slot as the help prints it: `[range RANGE]` for an optional slot with a keyword."""
        body = self.kind.format_placeholder(self)
        if self.keyword:
            body = f"{self.keyword} {body}"
        return f"[{body}]" if self.optional else body


@frozen
class Mends:
    """The count that repairs of a ship use up.

    Attributes:
        points: Field of her log that counts the points left.
        printed: Field of her card that gives their number at the start.
    """

    points: str
    printed: str


SentencePart = tuple[tuple[str, str], ...]
"""A part of an order's sentence, as pairs of a text and the slot whose value follows it ("": no slot).

The part is left out if the first slot in it is empty.
"""


ANY_NUMBER = "..."
"""The end of a form's `dice` if their number depends on the ship and on the order."""


@frozen(eq=False)
class Form:
    """The form of an order: its word, its slots and its dice.

    Forms are compared by identity: each is declared once and looked up often.

    Attributes:
        word: First word of the order.
        key: Key that opens its dialog, or "".
        title: Name for people.
        slots: Places for values, in order.
        dice: Dice that may end the order, as the help prints them, or "".
        phases: Names of the phases in which the order may be given; () if it belongs to no phase.
        help: One line for the help.
        says: Sentence for the order, in parts between bars, with slots in braces:
            `{ship}| at {target}|, {range}`. A part is left out if its first slot is empty. If `says` is "",
            the sentence is the word and the values.
        mends: What the order uses up if it repairs damage. A battle without players gives such an order
            whenever the rules allow it.
        mutual: True if the dice may harm each ship of the order, so that a damage code alone does not say
            which ship is hit.
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
        """The order as a sentence: the parts of `says`, each as texts with the slots that follow them.

        It is () if `says` is "".
        """
        parts = self.says.split("|") if self.says else ()
        return tuple(
            tuple((before, slot or "") for before, slot, _, _ in Formatter().parse(part))
            for part in parts
            if part
        )

    @property
    def has_variable_dice(self) -> bool:
        """True if the number of dice depends on the ship and on the order."""
        return self.dice.endswith(ANY_NUMBER)

    @property
    def count_slot(self) -> Slot | None:
        """The slot that may give the number of dice, as in `dice 2`, or None."""
        return next((slot for slot in self.slots if slot.optional and slot.keyword == "dice"), None)

    @property
    def usage(self) -> str:
        """The order as the help prints it: its word, its slots and its dice."""
        parts = [self.word, *(slot.placeholder for slot in self.slots)]
        if self.dice:
            parts.append(f"[{self.dice}]")
        return " ".join(parts)

    def find_slot(self, name: str) -> Slot | None:
        """Return the slot with this name, or None."""
        return next((slot for slot in self.slots if slot.name == name), None)


@frozen(slots=False)
class Order:
    """An order: a form with the values of its slots and the faces of its dice.

    Attributes:
        slots: Values by the names of the slots; empty slots are left out.
        dice: Faces of its dice, in the order they were thrown.
        forced: True if the umpire overrules what the rules have against it.
        call: Number that open dice gave, from which a source of dice computes the faces; None without one.
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
    def answer_words(self) -> tuple[str, ...]:
        """The words of an answer, without `READ_FOR` and the recorded values after it."""
        words = self.list_texts("words")
        return words[: words.index(READ_FOR)] if READ_FOR in words else words

    @property
    def is_phase_end(self) -> bool:
        return self.form.word == NEXT

    @property
    def key(self) -> str:
        """The key of the owed question that this order answers; "" for any other order."""
        return self.text("key") if self.is_answer else ""

    @property
    def cause(self) -> int:
        """The number of the entry whose question this order answers; 0 for any other order."""
        return self.question_key.entry

    @property
    def question_key(self) -> QuestionKey:
        """The parts of the key that this order answers; an empty key for any other order."""
        return read_key(self.key)

    @property
    def names(self) -> tuple[str, ...]:
        """All words and ids in the slots, in order. A key is replaced by the id of the ship it asks."""
        ship_by_key = {self.key: self.question_key.ship} if self.is_answer else {}
        names: list[str] = []
        for value in self.slots.values():
            words = value if isinstance(value, tuple) else (value,)
            names += [ship_by_key.get(word, word) for word in words if isinstance(word, str)]
        return tuple(names)

    def text(self, name: str) -> str:
        """Return the word or id in a slot, or "" if it holds no single one."""
        value = self.slots.get(name, "")
        return value if isinstance(value, str) else ""

    def list_texts(self, name: str) -> tuple[str, ...]:
        """Return the words or ids in a slot as a tuple, also for a single one; () if the slot is empty."""
        value = self.slots.get(name, ())
        return value if isinstance(value, tuple) else (str(value),)

    def number(self, name: str) -> int | None:
        """Return the whole number in a slot, or None if it holds none."""
        value = self.slots.get(name)
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    def has(self, name: str) -> bool:
        """Return whether a flag of the order is set."""
        return bool(self.slots.get(name, False))

    def find_inner_order(self, name: str) -> "Order | None":
        """Return the order in a slot, or None if it holds none."""
        value = self.slots.get(name)
        return value if isinstance(value, Order) else None

    def with_slot(self, name: str, value: SlotValue) -> "Order":
        """Return the order with another value in a slot."""
        return replace(self, slots={**self.slots, name: value})

    def build_share(self, id: str) -> "Order":
        """Build the order of one of the ships, with the value that this order gives her alone, if any."""
        slots: dict[str, SlotValue] = {**self.slots, self.form.slots[0].name: (id,)}
        for slot in self.form.slots:
            # `shares` names the slot whose value this slot replaces for single ships.
            shares = slots.pop(slot.name, None) if slot.shares else None
            if isinstance(shares, Mapping):
                slots[slot.shares] = shares.get(id, slots[slot.shares])
        return replace(self, slots=slots)

    @property
    def estimated(self) -> bool:
        """True if a distance in the order is an estimate."""
        return any(isinstance(value, Distance) and value.estimated for value in self.slots.values())

    @property
    def effective_call(self) -> int | None:
        """The called number of this order, or of the order inside a correction; None without one."""
        inner_order = self.find_inner_order("order")
        return inner_order.call if inner_order is not None else self.call

    @property
    def without_dice(self) -> "Order":
        """The order without its dice and not forced, in the form that is kept while its dice are owed."""
        return replace(self, dice=(), forced=False, call=None)

    @cached_property
    def resolved(self) -> str:
        """The order as text with full ids and without dice, as the log keeps it."""
        parts = [self.form.word]
        for slot in self.form.slots:
            if slot.name in self.slots:
                parts.extend(slot.kind.write(slot, self.slots[slot.name]))
        return " ".join(parts)

    @cached_property
    def line(self) -> str:
        """The whole order as an umpire could type it: `force` if it is forced, its dice, and its call."""
        forced = ("force",) if self.forced else ()
        call = () if self.call is None else (CALL, str(self.call))
        return " ".join((*forced, self.resolved, *map(str, self.dice), *call))

    def __str__(self) -> str:
        return self.line


@frozen
class Owed(HasFacts):
    """A roll or an answer that the battle waits for.

    Attributes:
        key: Its cause: `12/direction/borodino/1` is entry, chart line, ship and ordinal number.
        line: Line of the chart, or another name of the rule system for this kind of question.
        ship: Id of the ship that is asked, or "".
        prompt: Question for people.
        dice: Dice still needed; () if the question wants a text answer.
        words: Words that may answer it; () for any words.
        order: Declared order whose dice these are, or None.
        faces: Faces already thrown.
        facts: Facts that the rule system needs when the answer comes.
        cell: Chart cell (table, row, column) that the umpire is asked to read out, or ().
        late: True if its phase ended before it was asked. The answer then counts at its own place in the
            log, and the current phase does not wait for it.
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
    def declared_order(self) -> Order:
        """The declared order whose dice are owed.

        Raises:
            LookupError: There is no such order.
        """
        if self.order is None:
            raise LookupError(f"{self.key} has no declared order")
        return self.order

    @property
    def by_hand(self) -> bool:
        """True if the umpire is asked what thrown dice mean, on a chart that the rules do not know."""
        return bool(self.faces) and not (self.dice or self.cell or self.order)

    @property
    def entry(self) -> int:
        """The number of the entry that caused it."""
        return read_key(self.key).entry


class Provenance(StrEnum):
    """The origin of a chart cell: stated by a source, reconstructed by us, or set by the umpire."""

    ATTESTED = "attested"
    RECONSTRUCTED = "reconstructed"
    OWN = "own"


@frozen
class ChartCell:
    """A cell of a chart.

    Attributes:
        text: Codes as printed.
        status: Whether they are attested, reconstructed or the umpire's own.
        source: Source that states them, or "".
    """

    text: str
    status: Provenance = Provenance.RECONSTRUCTED
    source: str = ""


@frozen
class ChartRow:
    """A row of a chart: its cells by column, in printed order."""

    name: str
    cells: Mapping[str, ChartCell]


@frozen
class Chart:
    """A table of a combat chart: its rows by name, in printed order."""

    name: str
    title: str
    rows: Mapping[str, ChartRow]
    note: str = ""


Charts = Mapping[str, Chart]
"""All charts of a battle, by name."""


@frozen
class Due:
    """An item of a battle's schedule (arrivals, changed conditions); it falls due when its turn begins.

    Attributes:
        ships: Ids of the ships that arrive.
        where: Place from which they arrive, as text.
        table: Conditions of the table that change, with their new values. The rule system may not have them.
        note: Remark for the umpire.
    """

    turn: int
    ships: tuple[str, ...] = ()
    where: str = ""
    table: Mapping[str, Scalar] = field(factory=dict)
    note: str = ""


EACH_SHIP = "ship"
"""The word of points that each ship gives."""


@frozen
class Points:
    """The victory points that a condition gives. They end and win no battle.

    Attributes:
        points: Points once the condition is met, or for each `each`.
        each: "ship" for each ship that fulfils the condition, a field of the log for each point of it that
            the ships lose, or "".
        half: Points for each ship at half of her worth or less that does not fulfil the condition.
        by_turn: Last turn that counts, or 0 for no limit.
        secret: True if only the side of the condition may know them before the battle is over.
    """

    points: int = 0
    each: str = ""
    half: int = 0
    by_turn: int = 0
    secret: bool = False


@frozen
class Condition:
    """A condition of victory: `side` wins when `count` ships of the side `of` have one of the statuses.

    Attributes:
        status: Statuses that count.
        kind: Kind of ship that counts, or "" for any.
        edge: Edge of the table by which a withdrawn ship must have left, or "" for any.
        note: Part of the condition that cannot be counted, as text.
        points: Points that it gives instead of victory, or None. Not all points need statuses.
    """

    side: str
    count: int
    of: str
    status: tuple[str, ...]
    kind: str = ""
    edge: str = ""
    note: str = ""
    points: Points | None = None


@frozen
class Plan:
    """The schedule, in the order it was written, and the conditions of victory."""

    schedule: tuple[Due, ...] = ()
    victory: tuple[Condition, ...] = ()

    @property
    def arriving_ids(self) -> tuple[str, ...]:
        """Ids of all ships that the schedule brings."""
        return tuple(id for due in self.schedule for id in due.ships)

    @property
    def winning(self) -> tuple[Condition, ...]:
        """The conditions that win the battle; the others only give points."""
        return tuple(condition for condition in self.victory if condition.points is None)

    @property
    def edges(self) -> tuple[str, ...]:
        """Edges of the table that conditions of victory name, each once."""
        return tuple(dict.fromkeys(condition.edge for condition in self.victory if condition.edge))


@frozen
class Division:
    """Ships that sail together, and the name of their player."""

    id: str
    name: str
    player: str = ""


@frozen
class Side:
    """A side of the battle, with its divisions."""

    id: str
    name: str
    divisions: tuple[Division, ...] = ()


@frozen(slots=False)
class Battle:
    """A whole battle at one moment.

    Attributes:
        phase: Name of the current phase.
        ships: Ships by id.
        table: Conditions of the table, by name.
        options: Switches of the rules, by name.
        reserve: Ships that are to join later, by id. Battles that differ only here are equal.
        owed: Rolls and answers that the battle waits for, oldest first.
        doubts: Numbers of the disputed entries.
        acts: Acts of this turn and the last.
        opened: Number of the entry that began the phase; 0 at the start of the battle.
        began: The battle when its phase began, with all hand-written changes since; None in that battle.
        plan: Schedule and conditions of victory, the same during the whole battle.
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
        """The battle when its phase began."""
        return self.began or self

    def with_ship(self, ship: Ship) -> "Battle":
        """Return the battle with this ship added, or with its ship of the same id replaced."""
        ships = dict(self.ships)
        ships[ship.id] = ship
        return replace(self, ships=ships)

    @cached_property
    def owed_in_order(self) -> tuple[Owed, ...]:
        """All that is owed, in the order it is to be answered: rolls first, then text answers.

        Every screen shows the first of these as the next one, and bare digits answer it.
        """
        return tuple(sorted(self.owed, key=lambda owed: not owed.dice))

    def find_question(self, key: str) -> Owed | None:
        """Return the owed question with this key, or None."""
        return next((owed for owed in self.owed if owed.key == key), None)

    def called(self, id: str) -> str:
        """Return a ship's name, with its id added if another ship has the same name.

        An id of no ship is returned unchanged.
        """
        if id not in self.ships:
            return id
        name = self.ships[id].name
        return f"{name} ({id})" if name in self.shared_names else name

    def list_turn_acts(
        self, kind: str, ship: str, turn: int | None = None, phase: str | None = None
    ) -> tuple[Act, ...]:
        """List the acts of one kind that a ship did this turn.

        Args:
            turn: Another turn to look at. Only the acts of the turn before this one are still remembered.
            phase: The phase to look at; None for all phases of the turn.
        """
        when = self.turn if turn is None else turn
        acts = self.list_acts(kind, ship)
        return tuple([act for act in acts if act.turn == when and phase in (None, act.phase)])

    # Rule systems in other packages may still call it by its former name.
    done = list_turn_acts

    def list_acts(self, kind: str, ship: str) -> tuple[Act, ...]:
        """Return all remembered acts of one kind by a ship."""
        acts = self.acts if isinstance(self.acts, Acts) else self._acts
        return acts.by_ship.get((kind, ship), ())

    @cached_property
    def _acts(self) -> Acts:
        """The acts with their index, if the battle was made with a plain tuple of acts."""
        return Acts(self.acts)

    @cached_property
    def shared_names(self) -> Collection[str]:
        """The names that more than one ship has, usually none."""
        names = [ship.name for ship in self.ships.values()]
        if len(set(names)) == len(names):
            return ()
        return {name for name, count in Counter(names).items() if count > 1}

    def find_side(self, id: str) -> Side | None:
        """Return the side with this id, or None."""
        return next((side for side in self.sides if side.id == id), None)

    def find_side_name(self, id: str) -> str:
        """Return the name of a side; an unknown id is returned unchanged."""
        return next((side.name for side in self.sides if side.id == id), id)

    @property
    def expected_ships(self) -> list[Ship]:
        """The ships that the schedule brings and that have not arrived yet."""
        waiting_ships = (self.reserve.get(id) for id in self.plan.arriving_ids if id not in self.ships)
        return [ship for ship in waiting_ships if ship is not None]

    def find_ship_name(self, id: str) -> str:
        """Return a ship's name without its id; an unknown id is returned unchanged."""
        ship = self.ships.get(id)
        return ship.name if ship else id

    def find_division(self, ship: Ship) -> Division:
        """Return a ship's division, or a nameless one if her side does not list it."""
        side = self.find_side(ship.side)
        divisions = side.divisions if side else ()
        return next((division for division in divisions if division.id == ship.division), Division("", ""))


replace = evolve
"""Return a frozen value with some of its fields changed."""

Faces = tuple[int, ...]
"""Faces of dice, in the order they were thrown."""
