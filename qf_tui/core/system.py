"""The base class of all rule systems: what each one declares and does.

A rule system is found by the entry point group `qf_tui.rules`. The console draws its lists of ships, dialogs,
odds and explanations from these declarations; core and console name no system and none of its fields.
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
    Option,
    ResultKind,
    Setup,
    Shape,
    Worth,
    build_unplayable,
    declare_nothing,
    list_losses,
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
from qf_tui.core.grammar.names import list_card_names
from qf_tui.core.printed_logs import NeededCells, SheetLine, SheetPart, build_plain_report, format_plain_cell
from qf_tui.core.ship_facts import RatedValue, ShipFacts, apply_attested
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
    format_removal,
)

ENTRY_POINTS = "qf_tui.rules"
"""The entry point group of rule systems."""


@frozen
class LanguageFault:
    """A fault in a file, with the key where it is.

    Attributes:
        table: Name of the table with the key, or "" for the file itself.
        number: Number of that table among tables of the same name, from 1.
        key: Name of the key.
        text: The fault, for people.
    """

    table: str
    number: int
    key: str
    text: str


class RuleLanguage(ABC):
    """A language of files that declare a rule system; the attrs class `shape` declares their keys."""

    shape: type[Any]

    @abstractmethod
    def list_faults(self, file: Any) -> Iterable[LanguageFault]:
        """List the faults of a file whose values all have the right kind.

        Args:
            file: The file, as a value of `shape`; values of a wrong kind are left out.
        """

    @abstractmethod
    def build_system(self, name: str, file: Any, data: Mapping[str, object]) -> "RuleSystem":
        """Build the rule system that a file without faults declares.

        Args:
            data: Plain data of the file, which saves keep.
        """


class RuleSystem(ABC):
    """The base class of a rule system: declarations that never change, and pure functions of a battle.

    A system must give `name`, `title`, `phases`, `fields`, `columns`, `forms`, `muster` and `prepare`. The
    other parts have defaults, which suit a system that lacks the feature.
    """

    name: str
    """The id that files use."""
    title: str
    """The name for people."""
    phases: tuple[Phase, ...]
    """The phases of a turn, in order."""
    fields: tuple[Field, ...]
    """The fields of a ship that the umpire may set by hand."""
    columns: tuple[Column, ...]
    """The columns of the grid."""
    forms: tuple[Form, ...]
    """The forms of its own orders; the core adds those that every system has."""
    dice: tuple[Die, ...] = ()
    """The kinds of dice that its orders take; () if any number may be a face."""
    card: tuple[FieldSpec, ...] = ()
    """The keys that a fleet file gives for a ship, in addition to those of every system."""
    at_start: tuple[FieldSpec, ...] = ()
    """The keys that a scenario may give for a ship's state at the start of the battle."""
    conditions: tuple[FieldSpec, ...] = ()
    """The keys that a scenario may give for the table, in addition to those of every system."""
    division_conditions: tuple[FieldSpec, ...] = ()
    """The keys that a scenario may give for a division; the table has them as `name.@division`."""
    scales: tuple[Scale, ...] = (Scale(ONLY, "in", "in"), Scale(ONLY, "metric", "mm"))
    """The scales of the table."""
    options: tuple[Option, ...] = ()
    """The switches of its rules."""
    clauses: Mapping[str, str] = {}
    """Each clause in our own words, for the help and for refusals."""
    changed_rulings: tuple[ChangedRuling, ...] = ()
    """The clauses that older versions decided differently; `verify` explains old saves by them."""
    charts: tuple[str, str] = ("", "")
    """The package and the file name of its charts, which the library reads; empty without charts."""
    own_charts: Mapping[str, Chart] = {}
    """The charts of a system that declares them in code instead of a file."""
    chart_shapes: Mapping[str, ChartShape] = {}
    """The shape of each table of its charts."""
    facts: FactSchema = FactSchema()
    """The facts that its acts and questions keep; a save with other facts is refused."""
    attested: Mapping[tuple[str, str], tuple[RatedValue, ...]] = {}
    """The card values that the rules state for ships, by navy and id as in the fact files."""
    letters: Mapping[str, str] = {}
    """The meaning of each letter of `Available`."""
    ended_by: str = ""
    """The clause that ends a battle."""
    damage_sources: tuple[str, ...] = ()
    """The kinds of fire that the order `damage` may name as the source."""
    worth: Worth = AFLOAT_ALONE
    """The worth of its ships, which weighs luck."""
    results: tuple[ResultKind, ...] = ()
    """The kinds of results that reports count."""
    joint_rolls: tuple[str, ...] = ()
    """The lines of owed rolls for several ships at once; their results name each ship."""
    departure_statuses: tuple[str, ...] = (WITHDRAWN, SUNK)
    """The statuses that the order `leave` may give a ship, the default first."""
    departure_clauses: Mapping[str, str] = {}
    """The clauses for those statuses, if there are any."""
    target_statuses: tuple[str, ...] = (AFLOAT,)
    """The statuses in which a ship is offered as a target."""
    data: Mapping[str, object] = {}
    """The plain data of the file that declares the system, kept in saves; empty for an installed system."""
    read_by_hand: bool = False
    """True if people read dice on charts that the system lacks, so that it can simulate no battle."""
    lasting: tuple[str, ...] = ()
    """The fields of a log and the kinds of marks that a ship keeps for her next battle."""
    printed: Mapping[str, str] = {}
    """The fields of a log that start as a value of the card, with the keys of those values."""
    harm: tuple[str, ...] = ()
    """The lasting fields that count damage. Of the other fields, less than the card has is damage."""
    crews: tuple[CrewStep, ...] = ()
    """The effects of steps of gunnery and of shells on a card; () if the rules know no crews."""
    crews_by: str = ""
    """The clause of these steps."""
    returning: tuple[str, ...] = (AFLOAT, WITHDRAWN)
    """The statuses of ships that survive a battle."""
    yards: tuple[str, str] = ("", "")
    """The package and the file name of what its yards repair, like `charts`; empty without yards."""

    @abstractmethod
    def muster(self, card: Mapping[str, Scalar], setup: Setup) -> Mapping[str, Scalar]:
        """Build the log of a ship at the start of the battle."""

    def get_card_defaults(self, card: Mapping[str, Scalar]) -> Mapping[str, Scalar]:
        """Return card values for keys that a ship's file leaves out, by her kind; by default none."""
        return {}

    def list_card_faults(self, card: Mapping[str, Scalar]) -> Iterable[tuple[str, str]]:
        """List faults of a card whose values are each valid, as (field, text); by default none."""
        return ()

    def list_card_warnings(self, card: Mapping[str, Scalar]) -> Iterable[tuple[str, str]]:
        """List unlikely values of a card, as (field, text); by default none."""
        return ()

    @abstractmethod
    def prepare(self, battle: Battle, order: Order) -> PreparedOrder:
        """Prepare one of the system's own orders."""

    def prepare_roll(self, battle: Battle, owed: Owed) -> PreparedOrder:
        """Prepare an owed roll for all faces, old and new ones; by default as a declared order."""
        return self.prepare_declared(battle, owed)

    def prepare_declared(self, battle: Battle, owed: Owed) -> PreparedOrder:
        """Prepare a declared order when its dice are thrown; it was checked when it was declared."""
        prepared = self.prepare(battle, owed.declared_order)
        # The dice are due now, even if they had to be owed when the order was declared.
        return evolve(prepared, findings=(), declare=declare_nothing, thrown_at_once=True)

    def prepare_answer(self, battle: Battle, owed: Owed, words: tuple[str, ...]) -> PreparedOrder:
        """Prepare the text answer to an owed question; by default there are no such questions."""
        return build_unplayable(f"{self.title} has no questions that need words")

    def complete_answer(self, battle: Battle, owed: Owed, words: tuple[str, ...]) -> tuple[str, ...]:
        """Return the words of an answer in the form that its entry keeps; by default unchanged."""
        return words

    def plain_answers(self, battle: Battle, owed: Owed) -> tuple[tuple[str, ...], ...]:
        """List answers for a battle without players, likeliest first; by default each word offered."""
        return tuple((word,) for word in owed.words)

    def counted_as(self, owed: Owed) -> str:
        """Return the line for which the dice of a roll or question count in `results`; by default its own."""
        return owed.line

    def answerable(self, battle: Battle, owed: Owed) -> bool:
        """Return whether an owed question still needs an answer and can have one; by default always.

        A question of the current phase for which this is False leaves the queue, and `lapse` is called.
        """
        return True

    def lapse(self, builder: DecisionBuilder, owed: Owed) -> None:
        """Write the effects of a question that lapsed; by default none."""
        return

    def work_out(self, ship: ShipFacts) -> tuple[RatedValue, ...]:
        """Work out a ship's card from her facts, with the working of each value; by default ()."""
        return ()

    @property
    def can_rate(self) -> bool:
        """True if the system can work out cards from facts."""
        return type(self).work_out is not RuleSystem.work_out

    def rate(self, ship: ShipFacts) -> tuple[RatedValue, ...]:
        """Return a ship's card values, as the rules state them or else worked out from her facts.

        The result is () if these rules work out no cards.
        """
        rating = self.work_out(ship)
        stated = self.attested.get((ship.navy, ship.id), ())
        return apply_attested(rating, stated) if rating and stated else rating

    def prepare_damage(
        self, battle: Battle, ship: str, codes: tuple[str, ...], source: str = ""
    ) -> PreparedOrder:
        """Prepare damage that the umpire enters, with all its consequences; by default no code is known.

        Args:
            codes: Damage codes.
            source: One of `damage_sources`, or "" if the umpire names none.
        """
        return build_unplayable(f"{self.title} has no damage codes")

    def fix_damage(self, builder: DecisionBuilder, ship: str = "") -> None:
        """Make the damage of a ship, or of all ships, final, so that later damage no longer changes it.

        The default does nothing: it is for rules in which later damage never changes earlier damage.

        Args:
            ship: Id of the ship, or "" for all.
        """
        return

    def enter(self, battle: Battle, builder: DecisionBuilder) -> None:
        """Write the effects of the phase that now begins, and owe its rolls; by default nothing."""
        return

    def leave(self, battle: Battle, builder: DecisionBuilder, carried: bool) -> bool | None:
        """Write the effects of the end of the phase, or ask questions first; this base does neither.

        It is called again once all is answered. A system must not ask again what it asked in this phase.

        Args:
            carried: True if the umpire ends the phase although something is owed.

        Returns:
            True if a question must be answered before the phase can end; None counts as False.
        """
        return False

    def follow(self, battle: Battle, builder: DecisionBuilder) -> None:
        """Write what falls due at the start of the battle, or after an entry once this phase owes no roll."""
        return

    def may_act(self, battle: Battle) -> tuple[Available, ...]:
        """List the ships that may still act in this phase, with their orders.

        The default tries every order of each ship. A faster method must give the same result.
        """
        return tuple(list_available_ships(self.forms, battle, self.has_accepted_order))

    def may_try(self, battle: Battle, order: Order) -> bool:
        """Return whether an order could be accepted for some target, range or repair; by default always.

        Simulations ask this before `prepare`, thousands of times, so it must be fast.
        """
        return True

    def hinders(self, battle: Battle, ship: Ship) -> object:
        """Return all of a ship's state, except her acts, that can block orders of hers or at her.

        Results for the ship stay valid while this value is unchanged. By default it is the whole ship.
        """
        return ship

    def has_accepted_order(self, battle: Battle, form: Form, ship: Ship) -> bool:
        """Return whether the rules accept at least one order of a form for a ship."""
        return is_any_accepted(self.prepare, battle, list_possible_orders(form, battle, ship))

    def find_range_stick(self, battle: Battle, order: Order) -> str:
        """Return the kind of measuring stick that reads an order's range, or "" if there is only one kind.

        Some rules record what the stick shows instead of a distance. Such a range is offered again only to
        orders that are measured with the same kind of stick.
        """
        return ""

    def find_range_bracket(self, battle: Battle, order: Order) -> str:
        """Return the range bracket of an order: within a bracket the exact range makes no difference.

        The default is "", for rules without brackets.
        """
        return ""

    def has_stood_still(self, battle: Battle, ship: Ship) -> bool:
        """Return whether it is recorded that a ship did not move this turn; by default it never is."""
        return False

    def pace(self, battle: Battle, ship: Ship, knots: float | None = None) -> Distance:
        """Return the greatest distance that a ship can move this turn, at most at a speed of `knots`.

        The default is one inch for every ship afloat, and 0 for other ships and for batteries.
        """
        return Distance(Fraction(1 if ship.afloat and not ship.is_land_battery else 0), "in")

    def bulk(self, ship: Ship) -> float:
        """Return the size of a ship, so that keys can offer larger ships first; by default all are equal."""
        return 0

    def possible(self, battle: Battle, order: Order) -> Order | None:
        """Return the part of a refused order that its ships can carry out, or None; by default None."""
        return None

    def report(self, battle: Battle, ship: Ship) -> Mapping[str, Shape]:
        """Return a ship's values for scripts, with all marks so far; by default all fields and the status."""
        return build_plain_report(self.fields, ship)

    def cell(self, battle: Battle, ship: Ship, column: Column) -> tuple[Span, ...]:
        """Format a column for a ship; by default its fields.

        In a phase with `slashes`, each point lost since the phase began is a slash.
        """
        began = battle.start.ships.get(ship.id, ship)
        slashes = find_phase(self, battle.phase).slashes
        return format_plain_cell(
            column, self.report(battle, began), self.report(battle, ship), slashes=slashes
        )

    def list_shown_values(self, battle: Battle, ship: Ship) -> tuple[object, ...]:
        """List everything that a ship's cells are drawn from: equal values give equal cells."""
        others = [other for column in self.columns if column.beside for other in column.beside(battle, ship)]
        other_ships = tuple(battle.ships.get(id) for id, _ in others)
        began = battle.start.ships.get(ship.id)
        state = battle.phase, battle.turn, battle.options, battle.table
        return (ship, began, *state, tuple(others), other_ships)

    def sheet(self, battle: Battle, ship: Ship) -> tuple[tuple[str, tuple[Span, ...]], ...]:
        """Format a ship's whole card and log as titled lines, for her panel; by default all columns."""
        return tuple((column.title, self.cell(battle, ship, column)) for column in self.columns)

    def log_sheet(self, battle: Battle, ship: Ship) -> tuple[SheetLine, ...]:
        """Return a ship's log as printed, in the order in which dice are thrown; by default her sheet."""
        return tuple((SheetPart(title, written=spans),) for title, spans in self.sheet(battle, ship))

    def needed_cells(self, battle: Battle) -> NeededCells:
        """Return the chart cells that a battle may need; by default all."""
        return {}

    def advice(self, battle: Battle) -> tuple[str, ...]:
        """List reminders for people in this phase; by default none."""
        return ()

    def phase_title(self, battle: Battle) -> str:
        """Return the text for the current phase on the phase line; by default its title."""
        return find_phase(self, battle.phase).title

    def on_table(self, before: Battle, after: Battle) -> tuple[tuple[str, str], ...]:
        """List what players must change on the table between two battles, as (side, text)."""
        changes_by_side: list[tuple[str, str]] = []
        for ship in {**before.ships, **after.ships}.values():
            old, new = before.ships.get(ship.id), after.ships.get(ship.id)
            move = "take off the table" if old else "put on the table"
            changes = self.list_ship_changes(before, after, old, new) if old and new else (move,)
            changes_by_side.extend((ship.side, f"{ship.name}: {text}") for text in changes)
        return tuple(changes_by_side)

    def list_ship_changes(self, before: Battle, after: Battle, old: Ship, new: Ship) -> Iterable[str]:
        """List what players must change on the table for a ship that is in both battles.

        By default only a changed status counts.
        """
        if old.status != new.status:
            yield "afloat again: put it back on the table" if new.afloat else format_removal(new)

    def events(self, before: Battle, after: Battle) -> Iterable[Event]:
        """List the events of an entry for the story of the battle; by default ships that are lost."""
        return list_losses(before, after)

    def out_of_line(self, battle: Battle, ship: Ship) -> bool:
        """Return whether a ship afloat is unable to keep her place in a line; by default none is."""
        return False

    def has_departed(self, ship: Ship) -> bool:
        """Return whether a ship has left the battle, so that she is no longer a target."""
        return ship.status in self.departure_statuses and ship.status not in self.target_statuses

    def can_fight(self, battle: Battle, ship: Ship) -> bool:
        """Return whether a ship may still fight; by default if she is afloat."""
        return ship.afloat

    def ended(self, battle: Battle) -> str:
        """Return a text that suggests ending the battle, or "" if the battle goes on.

        The default suggests it when a side has ships, and none of them still fights; batteries do not count.
        """
        ships = battle.ships.values()
        for side in battle.sides:
            # A loop is fastest here: this runs after each entry, and usually the first ship still fights.
            for ship in ships:
                if ship.side == side.id and self.can_fight(battle, ship) and not ship.is_land_battery:
                    break
            else:
                if any(ship.side == side.id and not ship.is_land_battery for ship in ships):
                    return f"{side.name} has no ship left in the battle: it may end here"
        return ""


def find_phase(system: RuleSystem, name: str) -> Phase:
    """Find a phase by its name.

    Raises:
        LookupError: There is no such phase.
    """
    for phase in system.phases:
        if phase.name == name:
            return phase
    raise LookupError(name)


def find_field(system: RuleSystem, name: str) -> Field | None:
    """Find a field by its name, or return None."""
    return next((field for field in system.fields if field.name == name), None)


def format_field_title(system: RuleSystem, name: str) -> str:
    """Return the title of a field, or the name itself if no field is declared for it, as for some marks."""
    field = find_field(system, name)
    return field.title if field else name


_ACTORS = (kinds.SHIP, kinds.SHIPS)
DISTANCES = (0, 1, 2, 4, 6, 8)
"""The sample distances to try, in the unit of the table, or plain numbers if no unit is needed."""


def list_possible_orders(
    form: Form,
    battle: Battle,
    ship: Ship,
    distances: Sequence[int] = DISTANCES,
    given: Mapping[str, SlotValue] = MappingProxyType({}),
    *,
    optional: bool = True,
) -> Iterator[Order]:
    """Yield orders of a form that a ship could be given, those without optional slots first.

    Numbers and distances are samples. At most one optional slot is filled, with its first value only. Slots
    for free text stay empty, so that a form that needs such text yields nothing; nor does a form without a
    ship.

    Args:
        given: Slots that are already filled.
        optional: False to fill no other optional slots.
    """
    if not form.slots or form.slots[0].kind not in _ACTORS:
        return
    actor, *others = form.slots
    base: dict[str, SlotValue] = {actor.name: (ship.id,) if actor.kind is kinds.SHIPS else ship.id}
    base |= given
    others = [slot for slot in others if slot.name not in given]
    needed = [slot for slot in others if not slot.optional and slot.kind is not kinds.DIE]
    optional_slots = [slot for slot in others if slot.optional and slot.kind is not kinds.DIE]
    for extra in (None, *(optional_slots if optional else ())):
        slots = needed
        values = [list(_list_sample_values(slot, battle, ship, distances)) for slot in needed]
        # Of the optional slot, only the first value is tried.
        if extra is not None:
            slots = [*needed, extra]
            values.append(list(_list_sample_values(extra, battle, ship, distances))[:1])
        for chosen in product(*values):
            filled = base | {slot.name: value for slot, value in zip(slots, chosen, strict=True)}
            yield Order(form, {slot.name: filled[slot.name] for slot in form.slots if slot.name in filled})


def share_out(
    order: Order, accepts: Callable[[Order], bool], list_values: Callable[[Order], Iterable[SlotValue]]
) -> Order | None:
    """Reduce an order to the part that each of its ships can carry out.

    Args:
        order: Order of several ships that act separately; its form has a slot with `shares`.
        accepts: Function that says whether the order of a single ship is accepted.
        list_values: Function that lists other values for the shared slot of a ship's order, likeliest first.

    Returns:
        The order without the ships that can do nothing. Each ship has the first value that is accepted for
        her. The order keeps its shared value if a ship has it, and otherwise gets that of the first ship.
        None if no ship can do anything, if the order has only a single ship, or if nothing changes.
    """
    slot = next(slot for slot in order.form.slots if slot.shares)
    ships, shared = order.form.slots[0].name, slot.shares
    orders = {id: order.build_share(id) for id in order.list_texts(ships)}
    value_by_ship: dict[str, SlotValue] = {}
    for id, single in orders.items():
        for value in chain((single.slots[shared],), list_values(single)):
            if accepts(single.with_slot(shared, value)):
                value_by_ship[id] = value
                break
    old_values = {id: single.slots[shared] for id, single in orders.items()}
    if len(orders) < 2 or not value_by_ship or value_by_ship == old_values:
        return None
    values = list(value_by_ship.values())
    common_value = order.slots[shared]
    if common_value not in values:
        common_value = values[0]
    differing = {id: value for id, value in value_by_ship.items() if value != common_value}
    slots = {**order.slots, ships: tuple(value_by_ship), shared: common_value, slot.name: differing}
    # If no ship differs, the slot for differing values is left out.
    return evolve(order, slots={name: value for name, value in slots.items() if value != {}})


def _list_sample_values(
    slot: Slot, battle: Battle, ship: Ship, distances: Sequence[int]
) -> Iterator[SlotValue]:
    """Yield values to try for a slot: all ships, sides, choices or names, or a few numbers or distances.

    A slot of another kind, such as free text, has none.
    """
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
        yield from list_card_names(ship, slot.listed)


def is_any_accepted(
    prepare: Callable[[Battle, Order], PreparedOrder], battle: Battle, orders: Iterable[Order]
) -> bool:
    """Return whether `prepare` accepts at least one of the orders, without findings or OrderRefused."""
    for order in orders:
        with suppress(OrderRefused):
            if not prepare(battle, order).findings:
                return True
    return False


def list_available_ships(
    forms: Iterable[Form], battle: Battle, accepts: Callable[[Battle, Form, Ship], bool]
) -> Iterator[Available]:
    """Yield the ships for which `accepts` is True for at least one form of this phase."""
    phase_forms = [form for form in forms if battle.phase in form.phases]
    for ship in battle.ships.values():
        words = [form.word for form in phase_forms if accepts(battle, form, ship)]
        if words:
            letters = "".join(dict.fromkeys(word[0].upper() for word in words))
            yield Available(ship.id, " ".join(words), words[0], letters)
