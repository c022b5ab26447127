"""The keys of a rule book's file, and the book that the file declares.

`BookFile` and the classes of its tables have one field for each key of the file. The label of a field says
what its key means. `Declaration` is the whole book as one value.
"""

import re
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from attrs import asdict, evolve, field, frozen

from qf_tui.core.declarations import OR_NAME, Option, Phase, declare_key, list_keys
from qf_tui.core.errors import QfError
from qf_tui.core.grammar import kinds
from qf_tui.core.text import Scalar
from qf_tui.core.values import AFLOAT, ANY_NUMBER, SUNK, WITHDRAWN, Die, Form, Ship, Slot, SlotKind
from qf_tui.rules.book.changes import DeclaredNames
from qf_tui.rules.book.tables import HALF, ONLY, BookTable, read_modifier, read_sum

READ = "read"
"""The line of the questions that the umpire answers from his chart."""
SIDES_MOST, DICE_MOST = 100, 30
KEYS = tuple("bcflmptw") + tuple("ABCDEGHIJKMNOPQRSTUVWXYZ")
"""The keys that orders may have; the battle screen uses none of them for anything else."""
SHIP, SHIPS, TARGET, RANGE = "ship", "ships", "target", "range"
KIND = "kind"
SLOT_KINDS: Mapping[str, SlotKind] = {
    SHIP: kinds.SHIP,
    SHIPS: kinds.SHIPS,
    TARGET: kinds.SHIP,
    RANGE: kinds.MEASURE,
    "count": kinds.COUNT,
    "choice": kinds.CHOICE,
    "flag": kinds.FLAG,
    "text": kinds.TEXT,
}
STATUSES = (AFLOAT, WITHDRAWN, SUNK)
"""The statuses that ships have in every book."""
ONE_DIE = re.compile(r"d(\d{1,3})", re.ASCII)
_DICE = re.compile(r"(?:(\d{1,2})(?:-(\d{1,2}))?)?(?:d(\d{1,3}))?", re.ASCII)
PLAIN_SLOTS = (SHIP, SHIPS, TARGET, RANGE)
"""The slots that orders may name without a `[[slot]]` table."""


_text = partial(declare_key, "text")
_flag = partial(declare_key, "bool")
_names = partial(declare_key, "texts", most=30)
_CLAUSE = _text("its clause")
_WHEN = _text("only while a switch has this value, like “night = yes”")
_ID = declare_key("id", "one word, as typed", required=True)
_TITLE = _text("its name for people; left out: its name", converter=OR_NAME)
_SEEN = _flag("every side can see it on the model")
_TABLE = _text("the table that has its dice and results")


def _declare_items(kind: type[Any], label: str, most: int, *, required: bool = False) -> Any:
    """Declare a key of the file that may be repeated as a table, such as `[[order]]`.

    Args:
        kind: Class whose fields are the keys of each table.
        most: Greatest number of such tables.
    """
    return declare_key("tables", label, parts=list_keys(kind), most=most, required=required)


@frozen
class PhaseItem:
    """A `[[phase]]` table: a phase of a turn."""

    name: str = _ID
    title: str = _TITLE
    advice: str = _text("its reminder")
    slashes: bool = _flag("damage in it counts from its end")
    moves: bool = _flag("ships move in it, so ranges measured before it are out of date")


@frozen
class Track:
    """A `[[track]]` table: a number that is counted on the log, such as hull boxes."""

    name: str = _ID
    title: str = _TITLE
    most: int = declare_key("int", "the most that a ship may have", 99, least=1, most=999)
    boxes: bool = _flag("false: a number on the log, not a row of boxes", default=True)
    out: str = _text("the status of a ship that has none left, like “sunk”")
    worth: float | None = declare_key("number", "the worth of each", most=100)
    clause: str = _CLAUSE
    seen: bool = _SEEN


@frozen
class MarkKind:
    """A `[[mark]]` table: a kind of mark that is written next to a ship, such as a fire."""

    name: str = _ID
    title: str = _TITLE
    sign: str = _text("its sign on the grid; left out: its name", converter=OR_NAME)
    turns: int | None = declare_key(
        "int", "turns that it lasts after this one; left out: until removed", most=99
    )
    most: int = declare_key(
        "int", "the most that a ship may have; a newer one replaces the oldest", 99, least=1, most=99
    )
    seen: bool = _SEEN


@frozen
class ShipKind:
    """A `[[kind]]` table: a kind of ship, with what such ships have of each track."""

    name: str = _ID
    tracks: Mapping[str, int] = declare_key(
        "counts", "the numbers of a ship of this kind, by track", most=999
    )


@frozen
class SlotItem:
    """A `[[slot]]` table: a place in orders that a value fills."""

    name: str = _ID
    kind: str = declare_key("word", "its kind of value", words=tuple(SLOT_KINDS), required=True)
    label: str = _text("the text that asks for it")
    choices: tuple[str, ...] = _names("the words of a choice, or of a named range")
    keyword: str = declare_key("id", "a word before it, anywhere in the order")
    optional: bool = _flag("it may be left out")
    least: int | None = declare_key("int", "of a count", most=999)
    most: int = declare_key("int", "of a count", 99, most=999)


@frozen
class OrderItem:
    """An `[[order]]` table: an order that ships may be given."""

    word: str = declare_key("id", "the word that begins it", required=True)
    key: str = declare_key("word", "the key that opens its dialog", words=KEYS)
    title: str = _text("its name for people; left out: its name")
    help: str = _text("what it does, on one line")
    phases: tuple[str, ...] = _names("the phases that it belongs to", least=1, most=20, required=True)
    slots: tuple[str, ...] = _names(
        "its slots by name, the acting ship first", least=1, most=8, required=True
    )
    dice: str = _text("its dice: 2, 2d6, d6+d10, or 1-12 for any number up to twelve")
    each: str = _text("one die for each point of this track or count")
    once: str = declare_key("word", "a ship does it only once in this time", words=("phase", "turn"))
    spends: str = _text("the track that it spends: one, or the number in the slot of the same name")
    needs: tuple[str, ...] = _names(
        "tracks and marks that the ship must have, as “guns”, or its target, as “target.seen”"
    )
    bars: tuple[str, ...] = _names("tracks and marks that they must not have")
    looks_at: tuple[str, ...] = _names("tracks and marks that the chart asks for, as “main” or “target.hull”")
    does: str = _text("what it does by itself, as “smoke” or “target hull 1”")
    reads: bool = _flag("the umpire reads his chart for it; always so if it has dice")
    table: str = _TABLE
    friends: bool = _flag("its target may be on the same side")
    clause: str = _CLAUSE
    when: str = _WHEN


@frozen
class CheckItem:
    """An `[[owes]]` table: a check that falls due when a phase begins.

    Each ship owes the check once, or once for each of her marks of the kind `on`.
    """

    name: str = _ID
    title: str = _TITLE
    phase: str = _text("the phase that begins", required=True)
    on: str = _text("each mark of this kind owes it; left out: each ship owes it")
    dice: str = _text("its dice")
    table: str = _TABLE
    clause: str = _CLAUSE
    when: str = _WHEN


@frozen
class TableItem:
    """A `[[table]]` table: the results of dice."""

    name: str = _ID
    title: str = _TITLE
    dice: str = _text("its dice: d6, 2d6, d10+d6", required=True)
    difference: bool = _flag("the first of two dice less the second; left out: the sum")
    by: str = _text("what chooses the column, as “range”, “target.armor” or “guns - target.armor”")
    columns: tuple[str, ...] = _names(
        "the columns: 6in for up to 6 inches, 2-4 for numbers, or words",
        converter=lambda columns: columns or (ONLY,),
        most=20,
    )
    rows: Mapping[str, str] = declare_key(
        "map", "by totals, like 2-5: cells with “|” between them", required=True
    )
    modifiers: tuple[str, ...] = _names("numbers added to the dice under a condition", most=20)
    clause: str = _CLAUSE


@frozen
class Threshold:
    """A `[[threshold]]` table: a limit on one track while another track is low.

    While at most `at` is left of `track`, the track `bounds` counts at most `to`. `at` and `to` are numbers,
    or the word `half`: half of what the ship was built with, rounded down. The limit is worked out from the
    present log, so repairs end it.
    """

    track: str = _text("the track that runs low", required=True)
    at: str = _text("how low: 0, half of what she was built with, or a number", default="0")
    bounds: str = _text("the track that it limits", required=True)
    to: str = _text("the most that it then counts: 0, half, or a number", default="0")
    clause: str = _CLAUSE

    def find_limit(self, left: int, built: int, built_bounded: int) -> int | None:
        """Return the most that counts of the limited track, or None if `track` is not low enough for a limit.

        Args:
            left: Amount left of `track`.
            built: Amount of `track` that the ship was built with.
            built_bounded: Amount of the limited track that she was built with.
        """
        return _read_share(self.to, built_bounded) if left <= _read_share(self.at, built) else None


def _read_share(text: str, built: int) -> int:
    """Return the number in the text, or half of `built`, rounded down, if the text is `half`."""
    return built // 2 if text == HALF else int(text)


@frozen
class SwitchItem:
    """A `[[switch]]` table: a switch for a house rule."""

    name: str = _ID
    values: tuple[str, ...] = _names("its values, the default first", least=1, most=9, required=True)
    text: str = _text("what it changes")
    clause: str = _CLAUSE


@frozen
class ClauseItem:
    """A `[[clause]]` table: a rule in the club's own words."""

    id: str = _text("its name, like “GF-2”", required=True)
    text: str = declare_key("notes", "the rule in a sentence", required=True)


@frozen
class BookFile:
    """The whole file of a rule book: its keys and tables."""

    language: int = declare_key("int", "the language of this file: 1", only=(1,), required=True)
    title: str = _text("the book's name for people", required=True)
    dice: str = _text("the die to use if an order only states how many, like “d6”")
    source: str = declare_key("notes", "its source")
    phase: tuple[PhaseItem, ...] = _declare_items(
        PhaseItem, "the phases of a turn, in order", 20, required=True
    )
    track: tuple[Track, ...] = _declare_items(Track, "the numbers on a log", 30, required=True)
    mark: tuple[MarkKind, ...] = _declare_items(MarkKind, "the marks next to a ship", 30)
    kind: tuple[ShipKind, ...] = _declare_items(ShipKind, "the kinds of ships", 99)
    slot: tuple[SlotItem, ...] = _declare_items(
        SlotItem, "more slots for orders than ship, ships, target, range", 30
    )
    order: tuple[OrderItem, ...] = _declare_items(OrderItem, "the orders", 40, required=True)
    owes: tuple[CheckItem, ...] = _declare_items(CheckItem, "the rolls that a phase owes when it begins", 30)
    table: tuple[TableItem, ...] = _declare_items(TableItem, "the results of dice", 30)
    threshold: tuple[Threshold, ...] = _declare_items(Threshold, "limits of tracks by other tracks", 30)
    switch: tuple[SwitchItem, ...] = _declare_items(SwitchItem, "house-rule switches", 30)
    clause: tuple[ClauseItem, ...] = _declare_items(ClauseItem, "the rules in the club's own words", 500)
    columns: tuple[str, ...] = _names("the tracks on the grid, in order; left out: all")


@frozen
class Pool:
    """The dice of an order or a check.

    Attributes:
        dice: All dice that may be thrown.
        least: Number of dice that must be thrown.
    """

    dice: tuple[Die, ...] = ()
    least: int = 0

    @property
    def text(self) -> str:
        """The dice for the order's help: the required dice, then a sign if more dice may be thrown."""
        more_sign = ANY_NUMBER if len(self.dice) > self.least else ""
        return " ".join(f"D{die.sides}" for die in self.dice[: self.least]) + more_sign


@frozen(kw_only=True)
class BookOrder(OrderItem):
    """An order of a book: the keys of its table, and what follows from them.

    Attributes:
        form: Form of the order.
        pool: Dice; for an order with `each`, the dice before they are multiplied.
        target: Name of the slot of its target, or "".
    """

    form: Form
    pool: Pool
    target: str

    @property
    def read_by_hand(self) -> bool:
        """True if the umpire reads his own chart for it; an order with a table needs no chart."""
        return (self.reads or bool(self.pool.dice)) and not self.table


@frozen(kw_only=True)
class DeclaredCheck(CheckItem):
    """A check of a book: the keys of its table, and its dice."""

    pool: Pool


@frozen
class Declaration:
    """A whole rule book, as values.

    Attributes:
        name: Name in files.
        title: Name for people.
        phases: Phases of a turn, in order.
        tracks: Tracks by name.
        marks: Kinds of marks by name.
        kinds: Amounts of each track that ships of a kind have, by kind and track.
        orders: Orders by word.
        checks: Checks that phases owe, by name.
        tables: Tables by name.
        thresholds: Limits on tracks.
        options: Switches for house rules.
        clauses: Text of each clause by its id.
        columns: Names of the tracks on the grid, in order.
        data: Plain data of the file, which saves keep.
    """

    name: str
    title: str
    phases: tuple[Phase, ...]
    tracks: Mapping[str, Track]
    marks: Mapping[str, MarkKind]
    kinds: Mapping[str, Mapping[str, int]]
    orders: Mapping[str, BookOrder]
    checks: Mapping[str, DeclaredCheck]
    tables: Mapping[str, BookTable]
    thresholds: tuple[Threshold, ...]
    options: tuple[Option, ...]
    clauses: Mapping[str, str]
    columns: tuple[str, ...]
    data: Mapping[str, object] = field(eq=False, repr=False)

    @property
    def added_statuses(self) -> tuple[str, ...]:
        """The statuses that this book adds to STATUSES."""
        return list_added_statuses(track.out for track in self.tracks.values())

    @property
    def names(self) -> DeclaredNames:
        """The names that people may use when they read out a chart."""
        return DeclaredNames(tuple(self.tracks), tuple(self.marks), (*STATUSES, *self.added_statuses))

    def count_built(self, card: Mapping[str, Scalar], track: str) -> int:
        """Return the amount of a track that a ship was built with.

        It is the amount on her card. If the card has none, it is the amount of her kind, or 0.
        """
        on_card = card.get(track)
        for_kind = self.kinds.get(str(card.get("kind")), {}).get(track, 0)
        return on_card if isinstance(on_card, int) else for_kind

    def count_usable(self, ship: Ship, track: str) -> int:
        """Return the amount of a track that counts: the amount left, or the lowest limit if that is less.

        A limit holds while another track is low (see `Threshold`).
        """
        limits = (
            self.find_limit(threshold, ship) for threshold in self.thresholds if threshold.bounds == track
        )
        return min((ship.count(track), *(limit for limit in limits if limit is not None)))

    def find_limit(self, threshold: Threshold, ship: Ship) -> int | None:
        """Return the limit that a threshold now sets for a ship, or None if it sets none."""
        return threshold.find_limit(
            ship.count(threshold.track),
            self.count_built(ship.card, threshold.track),
            self.count_built(ship.card, threshold.bounds),
        )


def declare_book(name: str, file: BookFile, data: Mapping[str, object]) -> Declaration:
    """Build the book that a file without faults declares.

    Args:
        data: Plain data of the file, which saves keep.
    """
    slots = {
        item.name: _build_slot(item) for item in (*(SlotItem(kind, kind) for kind in PLAIN_SLOTS), *file.slot)
    }
    tables = {item.name: _build_table(item, file.dice) for item in file.table}

    def choose_pool(item: OrderItem | CheckItem) -> Pool:
        """Return the dice of an order or a check; if it has a table, the table's dice."""
        if not item.table:
            return read_pool(item.dice, file.dice)
        dice = tables[item.table].dice
        return Pool(dice, len(dice))

    return Declaration(
        name,
        file.title,
        phases=tuple(Phase(**asdict(item)) for item in file.phase),
        tracks={track.name: track for track in file.track},
        marks={mark.name: mark for mark in file.mark},
        kinds={kind.name: kind.tracks for kind in file.kind},
        orders={item.word: _build_order(item, slots, choose_pool(item)) for item in file.order},
        checks={
            item.name: DeclaredCheck(**asdict(item, recurse=False), pool=choose_pool(item))
            for item in file.owes
        },
        tables=tables,
        thresholds=file.threshold,
        options=tuple(
            Option(item.name, item.clause, item.values, default=item.values[0], text=item.text)
            for item in file.switch
        ),
        clauses={clause.id: clause.text for clause in file.clause},
        columns=file.columns or tuple(track.name for track in file.track),
        data=data,
    )


def read_when(text: str) -> tuple[str, str]:
    """Split a condition such as “night = yes” into switch and value; "" gives two empty texts."""
    name, _, value = text.partition("=")
    return name.strip(), value.strip()


def list_added_statuses(words: Iterable[str]) -> tuple[str, ...]:
    """List the words that are not in STATUSES, each once; leave out ""."""
    return tuple(word for word in dict.fromkeys(words) if word and word not in STATUSES)


def read_pool(text: str, usual_die: str) -> Pool:
    """Read dice from a text such as `2`, `2d6`, `d6+d10` or `1-12`; "" means no dice.

    Args:
        usual_die: Die for a number without sides, such as `d6`; "" if the book has no usual die.

    Returns:
        The dice. For `1-12` they are twelve dice, of which at least one must be thrown.

    Raises:
        QfError: The text is no dice, has no sides, or has too many dice.
    """
    dice: list[Die] = []
    least = 0
    parts = [part.strip().lower() for part in text.split("+")] if text else []
    for part in parts:
        match = _DICE.fullmatch(part)
        # All of the pattern is optional, so "" matches.
        if match is None or not part:
            raise QfError(f"“{text}” is not dice; write 2, 2d6, d6+d10 or 1-12")
        fewest = int(match[1] or 1)
        most = int(match[2] or fewest)
        die = ONE_DIE.fullmatch(usual_die)
        sides = match[3] or (die[1] if die else "")
        if not sides:
            raise QfError(f"“{text}”: how many sides? Write 2d6, or state `dice` at the top")
        # A sum such as d6+d10 must have a fixed number of dice.
        varies_in_sum = most > fewest and len(parts) > 1
        if not 2 <= int(sides) <= SIDES_MOST or not 1 <= fewest <= most or varies_in_sum:
            raise QfError(f"“{text}” is not dice; write 2, 2d6, d6+d10 or 1-12")
        dice += [Die(int(sides))] * most
        least += fewest
    if len(dice) > DICE_MOST:
        raise QfError(f"{len(dice)} dice; at most {DICE_MOST}")
    return Pool(tuple(dice), least)


def split_cells(line: str) -> tuple[str, ...]:
    """Split a row of a table at each `|` into the texts of its cells."""
    return tuple(cell.strip() for cell in line.split("|"))


def _build_table(item: TableItem, usual_die: str) -> BookTable:
    """Build a table of the book.

    Args:
        usual_die: Die for dice without sides, or "".
    """
    dice = read_pool(item.dice, usual_die).dice
    if item.difference:
        # Equal dice without names are a pool without an order, and a difference needs the order.
        dice = tuple(evolve(die, name=name) for die, name in zip(dice, ("first", "second"), strict=True))
    return BookTable(
        item.name,
        item.title,
        dice,
        item.difference,
        read_sum(item.by.split()) if item.by else None,
        item.columns,
        {row: split_cells(line) for row, line in item.rows.items()},
        tuple(map(read_modifier, item.modifiers)),
        item.clause,
    )


def _build_slot(item: SlotItem) -> Slot:
    """Build the slot of an order from its `[[slot]]` table.

    A flag can always be left out. Its only word is its name.
    """
    is_flag = item.kind == "flag"
    return Slot(
        item.name,
        SLOT_KINDS[item.kind],
        item.label or (item.name if is_flag else f"the {item.name}"),
        (item.name,) if is_flag else item.choices,
        item.keyword,
        item.optional or is_flag,
        least=item.least or 0,
        most=item.most,
        identifies=item.kind in (SHIP, SHIPS),
    )


def _build_order(item: OrderItem, slot_by_name: Mapping[str, Slot], pool: Pool) -> BookOrder:
    """Build an order of the book, with its form and the name of its target slot.

    A range is measured to the target. The target must be an enemy unless the order allows friends.

    Args:
        slot_by_name: All slots of the book.
    """
    # Flags and slots with a keyword are read and written after the other slots.
    slots = sorted((slot_by_name[name] for name in item.slots), key=lambda slot: slot.is_trailing)
    target = next((slot.name for slot in slots[1:] if slot.kind is kinds.SHIP), "")

    def complete_slot(slot: Slot) -> Slot:
        if slot.name == target:
            return evolve(slot, foe=not item.friends)
        return evolve(slot, to=target) if slot.kind is kinds.MEASURE and target else slot

    form = Form(
        item.word,
        item.key,
        item.title or item.word,
        tuple(map(complete_slot, slots)),
        # The number of dice for `each` depends on the ship.
        dice=f"{pool.dice[0]}{ANY_NUMBER}" if item.each and pool.dice else pool.text,
        phases=item.phases,
        help=item.help,
    )
    return BookOrder(**asdict(item, recurse=False), form=form, pool=pool, target=target)
