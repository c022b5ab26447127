"""What the file of a rule book may say, what is wrong with what it says, and a book as values."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from attrs import evolve, field, fields, frozen

from qf_tui.core.declarations import FieldSpec, Option, Phase
from qf_tui.core.errors import QfError
from qf_tui.core.grammar import kinds
from qf_tui.core.text import Scalar
from qf_tui.core.values import AFLOAT, ANY_NUMBER, SUNK, WITHDRAWN, Die, Form, Slot, SlotKind
from qf_tui.rules.book.changes import DeclaredNames
from qf_tui.rules.book.tables import ONLY, BookTable, Threshold, read_modifier, read_sum

Read = Mapping[str, Any]
READ = "read"
"""The line of questions that the umpire's chart answers."""
SIDES_MOST, DICE_MOST = 100, 30
KEYS = tuple("bcflmptw") + tuple("ABCDEGHIJKMNOPQRSTUVWXYZ")
"""Keys that nothing else has on the logs."""
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
ONE_DIE = re.compile(r"d(\d{1,3})", re.ASCII)
_DICE = re.compile(r"(?:(\d{1,2})(?:-(\d{1,2}))?)?(?:d(\d{1,3}))?", re.ASCII)
PLAIN_SLOTS = (SHIP, SHIPS, TARGET, RANGE)
"""Those that orders name without a table for them."""


def _text(name: str, label: str, *, required: bool = False) -> FieldSpec:
    return FieldSpec(name, "text", label, required=required)


def _names(name: str, label: str) -> FieldSpec:
    return FieldSpec(name, "texts", label, most=30)


_CLAUSE = _text("clause", "the clause that it rests on")
_WHEN = _text("when", "only while a switch says so, like “night = yes”")
_ID = FieldSpec("name", "id", "one word, as it is typed", required=True)
_TITLE = _text("title", "as people read it; left out: its name")
_SEEN = FieldSpec("seen", "bool", "the model shows it, so that every side knows it")
_TABLE = _text("table", "the table that its dice are looked up on, which has them")
_PHASE = (
    _ID,
    _TITLE,
    _text("advice", "what to remind people of"),
    FieldSpec("slashes", "bool", "what happens to a ship in it counts from its end"),
    FieldSpec("moves", "bool", "ships move in it, so that ranges measured before it are old"),
)
_TRACK = (
    _ID,
    _TITLE,
    FieldSpec("most", "int", "the most that a ship may have", least=1, most=999, default=99),
    FieldSpec("boxes", "bool", "false: a figure on the log, no row of boxes", default=True),
    _text("out", "what becomes of a ship that has none left, like “sunk”"),
    FieldSpec("worth", "number", "what each counts for in worth", most=100),
    _CLAUSE,
    _SEEN,
)
_MARK = (
    _ID,
    _TITLE,
    FieldSpec("sign", "text", "its sign on the grid; left out: its name"),
    FieldSpec("turns", "int", "turns that it lasts after this one; left out: until lifted", most=99),
    FieldSpec(
        "most",
        "int",
        "the most of a ship; a newer one takes the oldest's place",
        least=1,
        most=99,
        default=99,
    ),
    _SEEN,
)
_KIND = (_ID, FieldSpec("tracks", "counts", "what ships of this kind have, by track", most=999))
_SLOT = (
    _ID,
    FieldSpec(KIND, "word", "what fills it", words=tuple(SLOT_KINDS), required=True),
    _text("label", "what people are asked for"),
    _names("choices", "the words of a choice, or of a range that is named"),
    FieldSpec("keyword", "id", "a word that stands before it, anywhere in the order"),
    FieldSpec("optional", "bool", "it may be left out"),
    FieldSpec("least", "int", "of a count", most=999),
    FieldSpec("most", "int", "of a count", most=999, default=99),
)
_ORDER = (
    FieldSpec("word", "id", "the word that begins it", required=True),
    FieldSpec("key", "word", "the key that opens its dialog", words=KEYS),
    _TITLE,
    _text("help", "what it does, in a line"),
    FieldSpec("phases", "texts", "the phases that it belongs to", most=20, required=True),
    FieldSpec("slots", "texts", "its places by name, the ship that acts first", most=8, required=True),
    _text("dice", "its dice: 2, 2d6, d6+d10, or 1-12 for any number up to twelve"),
    _text("each", "a die for each of this track of the ship, or of this count"),
    FieldSpec("once", "word", "a ship does it once", words=("phase", "turn")),
    _text("spends", "the track that it uses up: one, or as many as the slot of the same name says"),
    _names("needs", "tracks and marks that the ship must have, as “guns”, or its target, as “target.seen”"),
    _names("bars", "tracks and marks that they must not have"),
    _names("looks_at", "tracks and marks that the chart asks for, as “main” or “target.hull”"),
    _text("does", "what it does by itself, as “smoke” or “target hull 1”"),
    FieldSpec("reads", "bool", "the umpire's chart is read for it; of one with dice it always is"),
    _TABLE,
    FieldSpec("friends", "bool", "its target may be of the own side"),
    _CLAUSE,
    _WHEN,
)
_OWES = (
    _ID,
    _TITLE,
    _text("phase", "the phase that begins", required=True),
    _text("on", "the mark whose every sign owes it; left out: each ship owes it"),
    _text("dice", "its dice"),
    _TABLE,
    _CLAUSE,
    _WHEN,
)
_SWITCH = (
    _ID,
    FieldSpec("values", "texts", "what it may be, the default first", most=9, required=True),
    _text("text", "what it changes"),
    _CLAUSE,
)
_TABLES = (
    _ID,
    _TITLE,
    _text("dice", "its dice: d6, 2d6, d10+d6", required=True),
    FieldSpec("difference", "bool", "of two dice: the first less the second; left out: all added up"),
    _text("by", "what chooses the column, as “range”, “target.armor” or “guns - target.armor”"),
    FieldSpec("columns", "texts", "the columns: 6in for up to 6 inches, 2-4 for numbers, or words", most=20),
    FieldSpec("rows", "map", "by totals, as 2-5: cells with “|” between them", required=True),
    FieldSpec("modifiers", "texts", "what is added to the dice while something holds", most=20),
    _CLAUSE,
)
_THRESHOLD = (
    _text("track", "the track that sinks low", required=True),
    FieldSpec("at", "text", "how low: 0, half of what she was built with, or a number", default="0"),
    _text("bounds", "the track that counts for less then", required=True),
    FieldSpec("to", "text", "how much it counts for at most: 0, half, or a number", default="0"),
    _CLAUSE,
)
FIELDS = (
    FieldSpec("language", "int", "the language of this file: 1", only=(1,), required=True),
    _text("title", "what people call the book", required=True),
    _text("dice", "the die that is meant where an order only says how many, like “d6”"),
    FieldSpec("source", "notes", "where it comes from"),
    FieldSpec("phase", "tables", "the phases of a turn, in order", parts=_PHASE, most=20, required=True),
    FieldSpec("track", "tables", "what is counted on a log", parts=_TRACK, most=30, required=True),
    FieldSpec("mark", "tables", "what is written beside a ship", parts=_MARK, most=30),
    FieldSpec("kind", "tables", "the kinds of ships", parts=_KIND, most=99),
    FieldSpec("slot", "tables", "places of orders, beside ship, ships, target, range", parts=_SLOT, most=30),
    FieldSpec("order", "tables", "the orders", parts=_ORDER, most=40, required=True),
    FieldSpec("owes", "tables", "what a phase owes as it begins", parts=_OWES, most=30),
    FieldSpec("table", "tables", "what dice come to", parts=_TABLES, most=30),
    FieldSpec("threshold", "tables", "tracks that others keep down", parts=_THRESHOLD, most=30),
    FieldSpec("switch", "tables", "house-rule switches", parts=_SWITCH, most=30),
    FieldSpec(
        "clause",
        "tables",
        "the rules in the club's own words",
        parts=(
            FieldSpec("id", "text", "its name, like “GF-2”", required=True),
            FieldSpec("text", "notes", "the rule in a sentence", required=True),
        ),
        most=500,
    ),
    _names("columns", "the tracks on the grid, in order; left out: all"),
)


@frozen
class Pool:
    """Dice of an order: all that it can have, and how many of them it must."""

    dice: tuple[Die, ...] = ()
    least: int = 0

    @property
    def text(self) -> str:
        """The dice as the help writes them."""
        more = ANY_NUMBER if len(self.dice) > self.least else ""
        return " ".join(f"D{die.sides}" for die in self.dice[: self.least]) + more


@frozen
class Track:
    """What is counted on a log; `out` is what becomes of a ship that has none left."""

    name: str
    title: str
    most: int
    boxes: bool
    out: str
    worth: float
    clause: str
    seen: bool


@frozen
class MarkKind:
    """What is written beside a ship; `turns`: how many after this one it lasts, None until lifted."""

    name: str
    title: str
    sign: str
    turns: int | None
    most: int
    seen: bool


@frozen
class BookOrder:
    """An order: its form, and what the book says of it."""

    form: Form
    pool: Pool
    each: str
    once: str | None
    spends: str
    needs: tuple[str, ...]
    bars: tuple[str, ...]
    looks_at: tuple[str, ...]
    does: tuple[str, ...]
    reads: bool
    table: str
    friends: bool
    clause: str
    when: tuple[str, str]
    target: str


@frozen
class DeclaredCheck:
    """What a phase owes as it begins, of each ship or for each mark that is called `on`."""

    name: str
    title: str
    phase: str
    on: str
    pool: Pool
    table: str
    clause: str
    when: tuple[str, str]


@frozen
class Declaration:
    """A whole book; `data` is its file as plain data, which a save keeps."""

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
    def outs(self) -> tuple[str, ...]:
        """What may become of a ship beside what every book knows."""
        return outs_of(track.out for track in self.tracks.values())

    @property
    def words(self) -> DeclaredNames:
        """The names that a chart may be read out with."""
        return DeclaredNames(tuple(self.tracks), tuple(self.marks), (*STATUSES, *self.outs))

    def printed(self, card: Mapping[str, Scalar], track: str) -> int:
        """What a ship's card, or else her kind, gives her of a track."""
        own = card.get(track)
        usual = self.kinds.get(str(card.get("kind")), {}).get(track, 0)
        return own if isinstance(own, int) else usual


def declared(name: str, read: Read, data: Mapping[str, object]) -> Declaration:
    """A book of what was read of its file, in which nothing is wrong."""
    usual = read["dice"]
    slots = {each["name"]: _slot(each) for each in read["slot"] or ()}
    slots = {kind: _slot({"name": kind, "kind": kind}) for kind in PLAIN_SLOTS} | slots
    tracks = [Track(**_of(item, Track)) for item in read["track"]]
    marks = [MarkKind(**_of(item, MarkKind)) for item in read["mark"] or ()]
    tables = {item["name"]: _table(item, usual) for item in read["table"] or ()}
    orders = [_order(item, slots, _pool(item, usual, tables)) for item in read["order"]]
    checks = [
        DeclaredCheck(**_of(item, DeclaredCheck, pool=_pool(item, usual, tables), when=_when(item)))
        for item in read["owes"] or ()
    ]
    options = [
        Option(item["name"], item["clause"], tuple(item["values"]), item["values"][0], item["text"])
        for item in read["switch"] or ()
    ]
    return Declaration(
        name,
        read["title"],
        tuple(Phase(**_of(item, Phase)) for item in read["phase"]),
        {track.name: track for track in tracks},
        {mark.name: mark for mark in marks},
        {item["name"]: item["tracks"] or {} for item in read["kind"] or ()},
        {order.form.word: order for order in orders},
        {check.name: check for check in checks},
        tables,
        tuple(Threshold(**_of(item, Threshold)) for item in read["threshold"] or ()),
        tuple(options),
        {item["id"]: item["text"] for item in read["clause"] or ()},
        tuple(read["columns"] or (track.name for track in tracks)),
        data,
    )


def _of(item: Read, kind: type[Any], **more: object) -> dict[str, Any]:
    """The values of an item that a class has fields for; its name stands for a title or a sign left out."""
    values = {each.name: item[each.name] for each in fields(kind) if each.name in item}
    own = {key: value or item["name"] for key, value in values.items() if key in ("title", "sign")}
    return values | own | more


def outs_of(words: Iterable[str]) -> tuple[str, ...]:
    """What may become of a ship, of such words, beside what every book knows."""
    return tuple(word for word in dict.fromkeys(words) if word and word not in STATUSES)


def _when(item: Read) -> tuple[str, str]:
    name, _, value = item["when"].partition("=")
    return name.strip(), value.strip()


def pool_of(text: str, usual: str) -> Pool:
    """The dice that a text says, those without sides by the usual die; QfError for what says none."""
    dice: list[Die] = []
    least = 0
    parts = [part.strip().lower() for part in text.split("+")] if text else []
    for part in parts:
        match = _DICE.fullmatch(part)
        if match is None or not part:
            raise QfError(f"“{text}” is no dice; write 2, 2d6, d6+d10 or 1-12")
        first = int(match[1] or 1)
        last, die = int(match[2] or first), ONE_DIE.fullmatch(usual)
        sides = match[3] or (die[1] if die else "")
        if not sides:
            raise QfError(f"“{text}”: how many sides? Write 2d6, or say what dice are at the top")
        if not 2 <= int(sides) <= SIDES_MOST or not 1 <= first <= last or (last > first and len(parts) > 1):
            raise QfError(f"“{text}” is no dice; write 2, 2d6, d6+d10 or 1-12")
        dice += [Die(int(sides))] * last
        least += first
    if len(dice) > DICE_MOST:
        raise QfError(f"{len(dice)} dice; at most {DICE_MOST}")
    return Pool(tuple(dice), least)


def cells_of(line: str) -> tuple[str, ...]:
    """The cells of a line of a table as they are written."""
    return tuple(cell.strip() for cell in line.split("|"))


def _table(item: Read, usual: str) -> BookTable:
    dice = pool_of(item["dice"], usual).dice
    if item["difference"]:
        # Two dice that are told apart: alike and nameless they would be thrown in no order.
        dice = tuple(evolve(die, name=name) for die, name in zip(dice, ("first", "second"), strict=True))
    more = {
        "dice": dice,
        "by": read_sum(item["by"].split()) if item["by"] else None,
        "columns": tuple(item["columns"] or (ONLY,)),
        "rows": {row: cells_of(line) for row, line in item["rows"].items()},
        "modifiers": tuple(map(read_modifier, item["modifiers"] or ())),
    }
    return BookTable(**_of(item, BookTable, **more))


def _pool(item: Read, usual: str, tables: Mapping[str, BookTable]) -> Pool:
    """The dice of an order or a check: its table's, if it has one."""
    if not item["table"]:
        return pool_of(item["dice"], usual)
    dice = tables[item["table"]].dice
    return Pool(dice, len(dice))


def _slot(item: Read) -> Slot:
    name, kind = item["name"], item["kind"]
    return Slot(
        name,
        SLOT_KINDS[kind],
        item.get("label") or f"the {name}",
        (name,) if kind == "flag" else tuple(item.get("choices") or ()),
        item.get("keyword") or "",
        bool(item.get("optional")) or kind == "flag",
        least=item.get("least") or 0,
        most=item.get("most", 99),
        identifies=kind in (SHIP, SHIPS),
    )


def _order(item: Read, slots: Mapping[str, Slot], pool: Pool) -> BookOrder:
    # Flags and what stands behind a keyword are read, and written, behind the others.
    own = sorted((slots[name] for name in item["slots"]), key=lambda slot: slot.trailing)
    target = next((slot.name for slot in own[1:] if slot.kind is kinds.SHIP), "")
    own = [evolve(slot, to=target) if slot.kind is kinds.MEASURE and target else slot for slot in own]
    own = [evolve(slot, foe=not item["friends"]) if slot.name == target else slot for slot in own]
    form = Form(
        item["word"],
        item["key"] or "",
        item["title"] or item["word"],
        tuple(own),
        dice=f"{pool.dice[0]}{ANY_NUMBER}" if item["each"] and pool.dice else pool.text,
        phases=tuple(item["phases"]),
        help=item["help"],
    )
    lists = {key: tuple(item[key] or ()) for key in ("needs", "bars", "looks_at")}
    does, reads = tuple(item["does"].replace(",", " ").split()), item["reads"] or bool(pool.dice)
    reads = reads and not item["table"]
    more = {"form": form, "pool": pool, "does": does, "reads": reads, "when": _when(item), "target": target}
    return BookOrder(**_of(item, BookOrder, **lists, **more))
