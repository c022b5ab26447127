"""What an order is read against: the words of a rule system, a battle, and how far letters reach."""

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from fractions import Fraction

from attrs import frozen

from qf_tui.core.errors import OrderRefused, impossible
from qf_tui.core.grammar.forms import Form, Slot
from qf_tui.core.grammar.names import Named, Reach, named_ships
from qf_tui.core.grammar.order import SlotValue
from qf_tui.core.replace import replace
from qf_tui.core.values import AFLOAT, Battle, Owed, Ship


@frozen(eq=False)
class Vocabulary:
    """The words that a rule system and the core declare.

    `play` and `corrections` are the forms by their words, `fields` the names that `mark` takes, `switches`
    the values of each switch, `departures` what may become of a ship. `units` are the unit of a bare distance
    by scale and family, `measures` what else a distance may be in there, each as an amount of that unit.
    `bulk` is how large a ship is; `at_hand` what a ship may be that is not offered last.
    """

    play: Mapping[str, Form]
    corrections: Mapping[str, Form] = {}
    fields: tuple[str, ...] = ()
    switches: Mapping[str, tuple[str, ...]] = {}
    departures: tuple[str, ...] = ()
    units: Mapping[tuple[str, str], str] = {}
    measures: Mapping[tuple[str, str], Mapping[str, Fraction]] = {}
    bulk: Callable[[Ship], float] = lambda ship: 0
    at_hand: tuple[str, ...] = (AFLOAT,)

    @property
    def forms(self) -> Mapping[str, Form]:
        return {**self.play, **self.corrections}


@frozen(eq=False)
class Scope:
    """Where an order is read. `battle` is None where ids stand in full, as in a save.

    `arrivals` gives the ships that may still join, `elsewhere` those that may if letters mean none of these;
    `before` and `behind` the battle before an entry and right behind it, where an order within a correction
    is read (None: there is no such entry). `recent` are ships that were attacked, the latest first. `calls`:
    the dice are sealed, and bare digits are a call.
    """

    vocabulary: Vocabulary
    battle: Battle | None
    reach: Reach = Reach.BEGINS
    arrivals: Callable[[], Mapping[str, Ship]] = dict
    elsewhere: Callable[[], Sequence[Named]] = lambda: ()
    before: Callable[[int], Battle | None] = lambda number: None
    behind: Callable[[int], Battle | None] = lambda number: None
    recent: tuple[str, ...] = ()
    calls: bool = False

    @property
    def there(self) -> Battle:
        """The battle; only where there is one."""
        assert self.battle is not None
        return self.battle

    @property
    def unit(self) -> str:
        """The unit of a bare distance; "" where none is declared, or where there is no battle."""
        return self.vocabulary.units.get(self._scale, "")

    @property
    def measures(self) -> Mapping[str, Fraction]:
        """What a distance may be in beside inches and millimetres, each as an amount of `unit`."""
        return self.vocabulary.measures.get(self._scale, {})

    @property
    def _scale(self) -> tuple[str, str]:
        table = self.battle.table if self.battle else {}
        return str(table.get("scale", "")), str(table.get("units", ""))

    def ships(self, against: str = "", likely: Callable[[Ship], bool] | None = None) -> list[Named]:
        """The ships of the battle, those of side `against` and those that are not `likely` come last.

        Of the others the one attacked last comes first, then the largest.
        """

        def rank(ship: Ship) -> tuple[float, ...]:
            place = self.recent.index(ship.id) if against and ship.id in self.recent else len(self.recent)
            return (place, -self.vocabulary.bulk(ship))

        return named_ships(self.there.ships.values(), against, likely, rank, self.vocabulary.at_hand)

    def sides(self) -> list[Named]:
        return [Named(side.id, side.name) for side in self.there.sides]

    def divisions(self) -> list[Named]:
        return [Named(one.id, one.name) for side in self.there.sides for one in side.divisions]

    def on(self, battle: Battle | None) -> "Scope":
        """The same scope on another battle, if there is one."""
        return self if battle is None else replace(self, battle=battle)


class Misfit(OrderRefused):
    """Words that do not fit the form of their order: seeing the form helps."""


class Words:
    """The words of an order while its slots are read: `at` is the next word, `slot` the one that is read.

    `slots` and `dice` are what was read so far. `alone`: the words are all of one slot, a field of a dialog.
    `passed` says by word why it was not of an optional slot before it.
    """

    slot: Slot

    def __init__(
        self, scope: Scope, form: Form, words: Sequence[str], slots: dict[str, SlotValue] | None = None
    ) -> None:
        self.scope, self.form, self.words = scope, form, list(words)
        self.alone = slots is not None
        self.slots: dict[str, SlotValue] = {} if slots is None else slots
        self.dice: list[int] = []
        self.call: int | None = None
        self.passed: dict[int, str] = {}
        self.at = 0

    def on(self, slot: Slot) -> "Words":
        """The same words, with a slot of their own that is read."""
        other = copy(self)
        other.slot, other.slots = (
            slot,
            {name: value for name, value in self.slots.items() if name != slot.name},
        )
        return other

    @property
    def loose(self) -> bool:
        """Whether the next word may be of another slot than the one that is read, or a die."""
        return self.slot.optional and not self.slot.keyword and not self.alone

    def left_out(self, against: str, *, offers: bool = False) -> None:
        """Passes over an optional slot; OrderRefused if the next word can be of no other."""
        if not self.loose:
            raise self.fault(against, offers=offers)
        self.passed[self.at] = against

    @property
    def ahead(self) -> list[str]:
        """The words that are not read yet."""
        return self.words[self.at :]

    @property
    def next(self) -> str:
        """The next word, in small letters."""
        return self.words[self.at].lower()

    @property
    def ended(self) -> bool:
        return self.at >= len(self.words)

    def take(self) -> str:
        """The next word, taken off."""
        word = self.words[self.at]
        self.at += 1
        return word

    def take_all(self) -> list[str]:
        """All words that are left, taken off."""
        rest, self.at = self.ahead, len(self.words)
        return rest

    def fault(self, text: str, *, offers: bool = False) -> "Misfit":
        """A refusal of words that do not fit the form; `offers` as of a Finding."""
        return Misfit(impossible(text, offers=offers))

    @property
    def ship(self) -> Ship | None:
        """The first ship that the order names so far."""
        battle = self.scope.battle
        if battle is None:
            return None
        named = (
            id for value in self.slots.values() for id in (value if isinstance(value, tuple) else (value,))
        )
        return next((battle.ships[id] for id in named if isinstance(id, str) and id in battle.ships), None)

    @property
    def question(self) -> Owed | None:
        """The owed question that the order answers: that of its key, else the first that it can answer.

        Words answer one that offers such a word, or free words, rather than another; and one of this phase.
        """
        battle = self.scope.battle
        if battle is None:
            return None
        key = self.slots.get("key")
        if isinstance(key, str):
            return battle.question(key)
        asked = [owed for owed in battle.owed if bool(owed.dice) == bool(self.form.dice)]
        said = "" if self.form.dice or not self.words else self.words[0].lower()

        def unlike(owed: Owed) -> tuple[bool, bool]:
            offered = any(word.startswith(said) for word in owed.words)
            return bool(owed.words) and not offered, owed.entry < battle.opened

        return min(asked, key=unlike, default=None) if said else next(iter(asked), None)
