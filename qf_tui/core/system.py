"""What a rule system declares and does: the base class that each of them extends.

A rule system is found by the entry point group `qf_tui.rules`. The console draws its grids, forms, prompts,
odds and explanations from the declarations here; core and console name no system and no field of one.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import chain, product
from types import MappingProxyType
from typing import Any

from attrs import evolve, frozen

from qf_tui.core.decisions import DecisionBuilder
from qf_tui.core.declarations import (
    AFLOAT_ALONE,
    ONLY,
    Available,
    ChangedRuling,
    ChartShape,
    CrewStep,
    Event,
    NeededCells,
    Option,
    ResultKind,
    Setup,
    Shape,
    SheetLine,
    SheetPart,
    Worth,
    losses,
    nothing_declared,
    plain_cell,
    plain_report,
    unplayable,
)
from qf_tui.core.declarations import Column as Column
from qf_tui.core.declarations import Field as Field
from qf_tui.core.declarations import FieldSpec as FieldSpec
from qf_tui.core.declarations import Measure as Measure
from qf_tui.core.declarations import Need as Need
from qf_tui.core.declarations import Phase as Phase
from qf_tui.core.declarations import PreparedOrder as PreparedOrder
from qf_tui.core.declarations import Scale as Scale
from qf_tui.core.declarations import Span as Span
from qf_tui.core.declarations import out_of_phase as out_of_phase
from qf_tui.core.errors import OrderRefused
from qf_tui.core.facts import FactSchema
from qf_tui.core.grammar import kinds
from qf_tui.core.grammar.names import listed_names
from qf_tui.core.ship_facts import Attested, Rating, ShipFacts
from qf_tui.core.text import Distance, Scalar
from qf_tui.core.values import (
    AFLOAT,
    SUNK,
    WITHDRAWN,
    Battle,
    Chart,
    Die,
    Form,
    Order,
    Owed,
    Ship,
    Slot,
    SlotValue,
    removal_text,
)

ENTRY_POINTS = "qf_tui.rules"


@frozen
class LanguageFault:
    """What is wrong at a key of a file: of the `number`th of its tables of a name, from 1, or of the file."""

    table: str
    number: int
    key: str
    text: str


class RuleLanguage(ABC):
    """A language of files that declare a rule system: the class `shape` declares their keys."""

    shape: type[Any]

    @abstractmethod
    def faults(self, read: Any) -> Iterable[LanguageFault]:
        """What is wrong with a file whose values are each sound; those that are not are left out of it."""

    @abstractmethod
    def system(self, name: str, read: Any, data: Mapping[str, object]) -> "RuleSystem":
        """The rule system that a sound file declares; `data` is its plain data, for saves."""


class RuleSystem(ABC):
    """One rule system: declarations that never change, and pure functions of a battle.

    A system must give `name`, `title`, `phases`, `fields`, `columns`, `forms`, `muster` and `prepare`; all
    else has a default, which says what a system without it does.
    """

    name: str
    """The id that files use."""
    title: str
    """What people call it."""
    phases: tuple[Phase, ...]
    """The phases of a turn, in order."""
    fields: tuple[Field, ...]
    """What the umpire may set by hand."""
    columns: tuple[Column, ...]
    """The columns of the grid."""
    forms: tuple[Form, ...]
    """Its orders, beside those that every system has."""
    dice: tuple[Die, ...] = ()
    """The kinds of dice that its orders take; empty where any figure may be a die."""
    card: tuple[FieldSpec, ...] = ()
    """What a fleet file gives of a ship, beside what every system has."""
    at_start: tuple[FieldSpec, ...] = ()
    """What a scenario may say of a ship as the battle begins."""
    conditions: tuple[FieldSpec, ...] = ()
    """What a scenario may say of the table, beside what every system has."""
    division_conditions: tuple[FieldSpec, ...] = ()
    """What it may say of a division; on the table as `name.@division`."""
    scales: tuple[Scale, ...] = (Scale(ONLY, "in", "in"), Scale(ONLY, "metric", "mm"))
    """The scales of the table."""
    options: tuple[Option, ...] = ()
    """Its switches."""
    clauses: Mapping[str, str] = {}
    """Each clause in our own words, for the help and for refusals."""
    changed_rulings: tuple[ChangedRuling, ...] = ()
    """The clauses that older versions decided otherwise, by which `verify` explains a save of theirs."""
    charts: tuple[str, str] = ("", "")
    """Package and file name of its charts, which the library reads; empty for a system without charts."""
    own_charts: Mapping[str, Chart] = {}
    """The charts of a system that declares them itself and has no file of them."""
    chart_shapes: Mapping[str, ChartShape] = {}
    """What each table of the charts may hold."""
    facts: FactSchema = FactSchema()
    """The facts that its acts and questions keep: a save that has others is refused."""
    attested: Mapping[tuple[str, str], tuple[Attested, ...]] = {}
    """What the rules state of ships, by navy and id as the facts have them."""
    letters: Mapping[str, str] = {}
    """What each letter of `Available` means."""
    ended_by: str = ""
    """The clause by which a battle ends."""
    damage_sources: tuple[str, ...] = ()
    """The kinds of fire that damage by the umpire's word may come from, as `damage` names them."""
    worth: Worth = AFLOAT_ALONE
    """What its ships are worth, by which luck is weighed."""
    results: tuple[ResultKind, ...] = ()
    """What its throws are counted by."""
    joint_rolls: tuple[str, ...] = ()
    """The lines of owed rolls for several ships at once, whose results name each of them."""
    departure_statuses: tuple[str, ...] = (WITHDRAWN, SUNK)
    """What may become of a ship by `leave`, the first the default."""
    departure_clauses: Mapping[str, str] = {}
    """The clauses of such statuses, of those that have one."""
    target_statuses: tuple[str, ...] = (AFLOAT,)
    """What a ship may be and still be offered as a target."""
    data: Mapping[str, object] = {}
    """The plain data of the file that declares it, which a save keeps; empty for one that is installed."""
    read_by_hand: bool = False
    """Whether people read on charts that it does not know what dice mean: nobody can play it out for them."""
    lasting: tuple[str, ...] = ()
    """The fields of a log and the kinds of marks that a ship takes into her next battle; all else is anew."""
    printed: Mapping[str, str] = {}
    """The fields of a log that begin as a value of the card, by the keys of those values."""
    harm: tuple[str, ...] = ()
    """Those of them that count damage: of all others less than her card has is damage."""
    crews: tuple[CrewStep, ...] = ()
    """What each step of a crew's gunnery and of its shells does to a card; none where steps mean nothing."""
    crews_by: str = ""
    """The clause of these steps."""
    returning: tuple[str, ...] = (AFLOAT, WITHDRAWN)
    """What a ship may be and still come out of a battle."""
    yards: tuple[str, str] = ("", "")
    """Package and file name of what its yards mend, as of `charts`; empty for a system without."""

    @abstractmethod
    def muster(self, card: Mapping[str, Scalar], setup: Setup) -> Mapping[str, Scalar]:
        """A ship's log at the start of the battle."""

    def usual(self, card: Mapping[str, Scalar]) -> Mapping[str, Scalar]:
        """What a card has that its file leaves out, as her kind gives it; by default nothing."""
        return {}

    def card_faults(self, card: Mapping[str, Scalar]) -> Iterable[tuple[str, str]]:
        """What is wrong with a card whose fields are each sound, as (field, words); by default nothing."""
        return ()

    def card_warnings(self, card: Mapping[str, Scalar]) -> Iterable[tuple[str, str]]:
        """What a card may say, but hardly means, as (field, words); by default nothing."""
        return ()

    @abstractmethod
    def prepare(self, battle: Battle, order: Order) -> PreparedOrder:
        """Prepares one of the system's own orders."""

    def prepare_roll(self, battle: Battle, owed: Owed) -> PreparedOrder:
        """Prepares an owed roll for all faces, those already thrown too; by default a declared order's."""
        return self.prepare_declared(battle, owed)

    def prepare_declared(self, battle: Battle, owed: Owed) -> PreparedOrder:
        """Prepares a declared order whose dice come now; its hindrances were checked when it was declared."""
        prepared = self.prepare(battle, owed.declared)
        return evolve(prepared, findings=(), declare=nothing_declared, thrown_at_once=True)

    def prepare_answer(self, battle: Battle, owed: Owed, words: tuple[str, ...]) -> PreparedOrder:
        """Prepares the answer in words to an owed question; by default nothing is asked."""
        return unplayable(f"{self.title} has no questions that words answer")

    def kept_answer(self, battle: Battle, owed: Owed, words: tuple[str, ...]) -> tuple[str, ...]:
        """An answer in words as its entry keeps it; by default as it is given."""
        return words

    def plain_answers(self, battle: Battle, owed: Owed) -> tuple[tuple[str, ...], ...]:
        """What somebody who sees no table answers, the likest first; by default each word that it wants."""
        return tuple((word,) for word in owed.words)

    def counted_as(self, owed: Owed) -> str:
        """The line that the dice of an owed roll or question count for in `results`; by default its own."""
        return owed.line

    def answerable(self, battle: Battle, owed: Owed) -> bool:
        """Whether what is owed has an answer left, and is asked for still; by default it stays as it is.

        One of this phase that has none lapses: it leaves the queue, and `lapse` writes what that means.
        """
        return True

    def lapse(self, builder: DecisionBuilder, owed: Owed) -> None:
        """Writes what a question means that lapsed; by default nothing."""
        return

    def work_out(self, ship: ShipFacts) -> Rating | None:
        """A ship's card worked out of her facts, each value with its working; by default none."""
        return None

    @property
    def rates(self) -> bool:
        """Whether it works cards out of facts at all."""
        return type(self).work_out is not RuleSystem.work_out

    def rate(self, ship: ShipFacts) -> Rating | None:
        """A ship's card: what the rules state of her, and all else worked out of her facts."""
        rating, stated = self.work_out(ship), self.attested.get((ship.navy, ship.id), ())
        return rating.attesting(stated) if rating is not None and stated else rating

    def prepare_damage(
        self, battle: Battle, ship: str, codes: tuple[str, ...], source: str = ""
    ) -> PreparedOrder:
        """Prepares damage by the umpire's word, with all that the rules make of it; by default no codes.

        `source` is one of `damage_sources`; "" where the umpire names none.
        """
        return unplayable(f"{self.title} has no damage codes")

    def fix_damage(self, builder: DecisionBuilder, ship: str = "") -> None:
        """Keep the damage of a ship, or of all, as it is, whatever is dealt later; by default none moves."""
        return

    def enter(self, battle: Battle, builder: DecisionBuilder) -> None:
        """Writes what the phase that now begins owes; by default nothing."""
        return

    def leave(self, battle: Battle, builder: DecisionBuilder, carried: bool) -> bool | None:
        """Writes what the end of the phase does; True if a question that comes first holds it.

        It must not ask twice. With `carried` the phase ends though something is owed.
        """
        return False

    def follow(self, battle: Battle, builder: DecisionBuilder) -> None:
        """Writes what falls due as the battle begins, or after an entry once this phase owes no roll."""
        return

    def may_act(self, battle: Battle) -> tuple[Available, ...]:
        """The ships that may still act in this phase, and by which order.

        By default every order of each ship is tried. What a system does instead must give the same.
        """
        return tuple(available(self.forms, battle, self.accepts))

    def may_try(self, battle: Battle, order: Order) -> bool:
        """Whether an order can be accepted for any target, range or repair that it does not name.

        By default yes. Whoever gives orders by the thousand asks it before `prepare`, so it is to be quick.
        """
        return True

    def hinders(self, battle: Battle, ship: Ship) -> object:
        """What of a ship, but for what she did, may hinder an order of hers or at her; by default all."""
        return ship

    def accepts(self, battle: Battle, form: Form, ship: Ship) -> bool:
        """Whether some order of a form is accepted of a ship."""
        return accepts_some(self.prepare, battle, possible_orders(form, battle, ship))

    def range_read_by(self, battle: Battle, order: Order) -> str:
        """What reads an order's range where it is no distance, as a stick does; by default one thing.

        It is offered again only to an order that has it read by the same.
        """
        return ""

    def bracket(self, battle: Battle, order: Order) -> str:
        """The bracket of an order's range, at any target, in which it is all one; by default none."""
        return ""

    def stood_still(self, battle: Battle, ship: Ship) -> bool:
        """Whether a ship is recorded as not having moved this turn; by default none is."""
        return False

    def pace(self, battle: Battle, ship: Ship, knots: float | None = None) -> Distance:
        """The most that a ship can make in this turn, at no more than so many knots.

        By default all make as much, but for one that is not afloat or a battery: knots are nothing to rules
        that do not know them.
        """
        return Distance(Fraction(ship.afloat and not ship.ashore), "in")

    def bulk(self, ship: Ship) -> float:
        """How large a ship is: keys offer the larger first; by default all are alike."""
        return 0

    def possible(self, battle: Battle, order: Order) -> Order | None:
        """Return what its ships can do of an order that is refused because of some; by default nothing."""
        return None

    def report(self, battle: Battle, ship: Ship) -> Mapping[str, Shape]:
        """A ship's values for scripts, with all marks so far; by default all its fields and its status."""
        return plain_report(self.fields, ship)

    def cell(self, battle: Battle, ship: Ship, column: Column) -> tuple[Span, ...]:
        """What a column shows of a ship; by default its fields, with a slash for each point lost now."""
        began = battle.start.ships.get(ship.id, ship)
        slashes = find_phase(self, battle.phase).slashes
        return plain_cell(column, self.report(battle, began), self.report(battle, ship), slashes=slashes)

    def sheet(self, battle: Battle, ship: Ship) -> tuple[tuple[str, tuple[Span, ...]], ...]:
        """The ship's card and log in full, as titled lines for the ship's panel; by default all columns."""
        return tuple((column.title, self.cell(battle, ship, column)) for column in self.columns)

    def log_sheet(self, battle: Battle, ship: Ship) -> tuple[SheetLine, ...]:
        """The ship's log as it is printed, in the order in which dice are thrown; by default her sheet."""
        return tuple((SheetPart(title, written=spans),) for title, spans in self.sheet(battle, ship))

    def needed_cells(self, battle: Battle) -> NeededCells:
        """The cells of its charts that a battle can come to; by default all."""
        return {}

    def advice(self, battle: Battle) -> tuple[str, ...]:
        """What the console reminds people of in this phase; by default nothing."""
        return ()

    def phase_title(self, battle: Battle) -> str:
        """What the phase line calls the present phase; by default its title."""
        return find_phase(self, battle.phase).title

    def on_table(self, before: Battle, after: Battle) -> tuple[tuple[str, str], ...]:
        """What hands must change on the table to go from one battle to the other, as (side, words)."""
        words: list[tuple[str, str]] = []
        for ship in {**before.ships, **after.ships}.values():
            old, new = before.ships.get(ship.id), after.ships.get(ship.id)
            moved = "take off the table" if old else "put on the table"
            changes = self.changes_of_ship(before, after, old, new) if old and new else (moved,)
            words.extend((ship.side, f"{ship.name}: {text}") for text in changes)
        return tuple(words)

    def changes_of_ship(self, before: Battle, after: Battle, old: Ship, new: Ship) -> Iterable[str]:
        """What hands must change of one ship that both battles have; by default what became of it."""
        if old.status != new.status:
            yield "afloat again: put it back" if new.afloat else removal_text(new)

    def events(self, before: Battle, after: Battle) -> Iterable[Event]:
        """The events of an entry for the story of the evening; by default what became of ships."""
        return losses(before, after)

    def out_of_line(self, battle: Battle, ship: Ship) -> bool:
        """Whether a ship afloat cannot keep her place among others; by default every ship can."""
        return False

    def departed(self, ship: Ship) -> bool:
        """Whether a ship has left the battle, so that she is no target either."""
        return ship.status in self.departure_statuses and ship.status not in self.target_statuses

    def fights(self, battle: Battle, ship: Ship) -> bool:
        """Whether a ship may still fight where she lies; by default one that is afloat."""
        return ship.afloat

    def ended(self, battle: Battle) -> str:
        """Words that offer the end of the battle; by default when a side has no ship that fights on.

        Batteries do not count.
        """
        ships = battle.ships.values()
        for side in battle.sides:
            # A loop, as it is asked behind each entry: of most sides the first ship fights on.
            for ship in ships:
                if ship.side == side.id and self.fights(battle, ship) and not ship.ashore:
                    break
            else:
                if any(ship.side == side.id and not ship.ashore for ship in ships):
                    return f"{side.name} has no ship left in the battle: it may end here"
        return ""


def find_phase(system: RuleSystem, name: str) -> Phase:
    """A phase by its name; LookupError if there is none."""
    for phase in system.phases:
        if phase.name == name:
            return phase
    raise LookupError(name)


def find_field(system: RuleSystem, name: str) -> Field | None:
    """A field by its name, or None."""
    return next((field for field in system.fields if field.name == name), None)


def field_title(system: RuleSystem, name: str) -> str:
    """The title of a field; the name of what is none, as of marks of the rules' own."""
    field = find_field(system, name)
    return field.title if field else name


_ACTORS = (kinds.SHIP, kinds.SHIPS)
DISTANCES = (0, 1, 2, 4, 6, 8)
"""Sample distances, in the unit of the table, or numbers where no unit is needed."""


def possible_orders(
    form: Form,
    battle: Battle,
    ship: Ship,
    distances: Sequence[int] = DISTANCES,
    given: Mapping[str, SlotValue] = MappingProxyType({}),
    *,
    optional: bool = True,
) -> Iterator[Order]:
    """Orders of a form that a ship could be given, those without optional slots first; none if no ship acts.

    `given` are the slots that are filled already. Not `optional`: no other slot that need not be filled is.

    Numbers and distances are samples; each optional slot is filled alone, in one way. What an order would
    want in free words is left out, so that a form that must have such words gives none.
    """
    if not form.slots or form.slots[0].kind not in _ACTORS:
        return
    actor, *others = form.slots
    first: dict[str, SlotValue] = {actor.name: (ship.id,) if actor.kind is kinds.SHIPS else ship.id}
    first |= given
    others = [slot for slot in others if slot.name not in given]
    needed = [slot for slot in others if not slot.optional and slot.kind is not kinds.DIE]
    extra = [slot for slot in others if slot.optional and slot.kind is not kinds.DIE]
    for more in (None, *(extra if optional else ())):
        slots = needed if more is None else [*needed, more]
        values = [
            list(_values(slot, battle, ship, distances))[: 1 if slot is more else None] for slot in slots
        ]
        for chosen in product(*values):
            filled = first | {slot.name: value for slot, value in zip(slots, chosen, strict=True)}
            yield Order(form, {slot.name: filled[slot.name] for slot in form.slots if slot.name in filled})


def share_out(
    order: Order, accepts: Callable[[Order], bool], most: Callable[[Order], Iterable[SlotValue]]
) -> Order | None:
    """Give each ship of an order what she can do of it, or return None if that changes nothing or is nothing.

    Ships that can do nothing of it are left out.

    Args:
        order: Of several ships, each of which acts for herself; its form has a slot with `shares`.
        accepts: Whether the order of one ship is fine.
        most: What the shared slot of one ship's order may hold instead, the likest first.
    """
    slot = next(slot for slot in order.form.slots if slot.shares)
    ships, shared = order.form.slots[0].name, slot.shares
    orders = {id: order.of_ship(id) for id in order.many(ships)}
    able: dict[str, SlotValue] = {}
    for id, alone in orders.items():
        for value in chain((alone.slots[shared],), most(alone)):
            if accepts(alone.with_slot(shared, value)):
                able[id] = value
                break
    if len(orders) < 2 or not able or able == {id: alone.slots[shared] for id, alone in orders.items()}:
        return None
    values, common = list(able.values()), order.slots[shared]
    common = common if common in values else values[0]
    own = {id: value for id, value in able.items() if value != common}
    slots = {**order.slots, ships: tuple(able), shared: common, slot.name: own}
    return evolve(order, slots={name: value for name, value in slots.items() if value != {}})


def _values(slot: Slot, battle: Battle, ship: Ship, distances: Sequence[int]) -> Iterator[SlotValue]:
    if slot.kind is kinds.SHIP:
        yield from battle.ships
    elif slot.kind is kinds.SHIPS:
        yield from ((id,) for id in battle.ships)
    elif slot.kind is kinds.SIDE:
        yield from (side.id for side in battle.sides)
    elif slot.kind is kinds.DIVISION:
        yield f"@{ship.division}"
    elif slot.kind in (kinds.CHOICE, kinds.WHOLE_WORD):
        yield from slot.choices
    elif slot.kind is kinds.FLAG:
        yield True
    elif slot.kind in (kinds.COUNT, kinds.NUMBER_OF_ACT):
        yield from sorted({slot.least, min(slot.most, slot.least + 1), slot.most})
    elif slot.kind is kinds.MEASURE:
        if slot.choices:
            yield from slot.choices
        elif slot.bare:
            yield from (number for number in distances if slot.least <= number <= slot.most)
        else:
            unit = "mm" if battle.table.get("units") == "metric" else "in"
            yield from (Distance(Fraction(amount), unit) for amount in distances)
    elif slot.kind is kinds.NAME and slot.listed:
        yield from listed_names(ship, slot.listed)


def accepts_some(
    prepare: Callable[[Battle, Order], PreparedOrder], battle: Battle, orders: Iterable[Order]
) -> bool:
    """Whether the rules that prepare an order accept some of these."""
    for order in orders:
        with suppress(OrderRefused):
            if not prepare(battle, order).findings:
                return True
    return False


def available(
    forms: Iterable[Form], battle: Battle, accepts: Callable[[Battle, Form, Ship], bool]
) -> Iterator[Available]:
    """The ships that may act in this phase: some order of one of its forms is accepted of them."""
    of_phase = [form for form in forms if battle.phase in form.phases]
    for ship in battle.ships.values():
        words = [form.word for form in of_phase if accepts(battle, form, ship)]
        if words:
            letters = "".join(dict.fromkeys(word[0].upper() for word in words))
            yield Available(ship.id, " ".join(words), words[0], letters)
