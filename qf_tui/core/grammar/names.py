"""The matching of typed letters and digits: names of ships, sides and divisions, lists of words, dice.

Scripts match a name by its beginning, keys by any part. Case, accents, apostrophes and runs of spaces do not
matter. Also here: the words that a rule system knows, and the battle in which an order is read (`Scope`).
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from copy import copy
from enum import Enum, auto
from fractions import Fraction
from functools import lru_cache, partial

from attrs import frozen

from qf_tui.core.errors import OrderRefused, impossible
from qf_tui.core.values import AFLOAT, Battle, Die, Faces, Form, Owed, Ship, Side, Slot, SlotValue, replace

LISTED_MOST = 8
"""The number of matching names that a refusal lists."""
NEAR_MOST = 5
"""The number of similar names that a refusal suggests."""
SHIP = "ship"
"""The word for a ship in refusals."""


class Reach(Enum):
    """How letters match names: as a whole id, by the beginning, or by any part."""

    FULL = auto()  # complete ids, as in a log; no battle is needed
    BEGINS = auto()  # any beginning of an id or name, as in scripts
    ANYWHERE = auto()  # any part of a name, as with keys


@frozen
class Named:
    """A thing with an id and a name.

    Attributes:
        unlikely: Flags that put the thing after others when letters match several; compared in order.
        rank: Function that gives its place among equally likely things, the lowest first. It only orders
            offers; it never makes an ambiguous name clear.
    """

    id: str
    name: str
    unlikely: tuple[bool, ...] = ()
    rank: Callable[[], tuple[float, ...]] = tuple


@frozen
class Candidate:
    """A possible value of a slot.

    Attributes:
        text: Text for the order.
        label: Text for people.
    """

    text: str
    label: str


_PLAIN: Mapping[int, str] = str.maketrans(
    {"ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "’": "'", "‘": "'"}
)
"""Letters that Unicode does not decompose, and apostrophes, with their spelling on a plain keyboard."""
_POINTS = re.compile(r"(?<=[^\W\d])['.]")
"""Apostrophes and full stops in names: `O'Higgins`, `St. Louis`."""
_TITLES = frozenset(("hms", "uss", "sms", "ijn", "hijms", "hmas", "rms"))
"""Prefixes of ship names that are ignored when similar names are searched."""


# Large enough for the ids and names of all navies.
@lru_cache(maxsize=16384)
def fold_name(name: str) -> str:
    """Fold a name for comparison: no case, accents, apostrophes, runs of spaces, or spaces at commas."""
    folded = name.casefold()
    if not folded.isascii():
        letters = unicodedata.normalize("NFKD", folded)
        folded = "".join(letter for letter in letters if not unicodedata.combining(letter))
    plain = _POINTS.sub("", folded.translate(_PLAIN))
    return COMMA.sub(",", " ".join(plain.split()))


def fold_shelf_name(name: str) -> str:
    """Fold a name for a search on the shelf: also hyphens and brackets become spaces."""
    return " ".join(re.findall(r"\w+", fold_name(name)))


def drop_titles(words: Sequence[str]) -> Sequence[str]:
    """Return the words of a search without prefixes such as HMS, or all of them if nothing else is left."""
    return [word for word in words if fold_shelf_name(word) not in _TITLES] or words


def list_similar_names(letters: str, names: Iterable[str]) -> tuple[str, ...]:
    """List the names that are similar to letters, as a whole or by a word: `mikassa` finds Mikasa."""
    from difflib import get_close_matches  # noqa: PLC0415 - needed only if nothing is found

    whole = {fold_shelf_name(name): name for name in names}
    # Reversed, so that the first of several names with the same word counts.
    by_word = {word: name for text, name in reversed(whole.items()) for word in text.split()} | whole
    wanted = " ".join(word for word in fold_shelf_name(letters).split() if word not in _TITLES)
    # The letters of a short name must fit less closely.
    cutoff = 0.75 if len(wanted) > 3 else 0.65
    close = get_close_matches(wanted, by_word, n=2 * NEAR_MOST, cutoff=cutoff)
    return tuple(dict.fromkeys(by_word[word] for word in close))[:NEAR_MOST]


_WHOLE, _BEGINNING, _LATER_WORD, _OTHER_PART = range(4)
"""The ranks of a match, the best first."""


def rate_likeness(letters: str, id: str, name: str) -> int | None:
    """Rank how well folded letters match an id or a name; return None if they match neither.

    The rank is `_LATER_WORD` if the letters begin a word of the name that is not its first word.
    """
    id, plain = fold_name(id), fold_name(name)
    if letters not in plain and letters not in id:
        return None
    if letters in (id, plain):
        return _WHOLE
    if id.startswith(letters) or plain.startswith(letters):
        return _BEGINNING
    if f" {letters}" in plain or f"-{letters}" in plain:
        return _LATER_WORD
    return _OTHER_PART


_FARTHEST = {Reach.FULL: _WHOLE, Reach.BEGINS: _BEGINNING, Reach.ANYWHERE: _OTHER_PART}
"""The worst rank that each reach accepts."""


def list_fitting(letters: str, among: Iterable[Named], reach: Reach) -> list[tuple[int, Named]]:
    """List the things that letters may mean, the likeliest first, each with the rank of its match."""
    letters, farthest = fold_name(letters), _FARTHEST[reach]
    ranked = [(rate_likeness(letters, named.id, named.name), named) for named in among]
    fits = [(rank, named) for rank, named in ranked if rank is not None and rank <= farthest]
    return sorted(fits, key=lambda fit: (fit[0], fit[1].unlikely, fit[1].rank()))


def list_candidates(letters: str, among: Iterable[Named]) -> tuple[Candidate, ...]:
    """List the candidates that letters may mean when typed by keys, the likeliest first."""
    return tuple(Candidate(named.id, named.name) for _, named in list_fitting(letters, among, Reach.ANYWHERE))


def list_named_ships(
    ships: Iterable[Ship],
    unlikely_side: str = "",
    likely: Callable[[Ship], bool] | None = None,
    rank: Callable[[Ship], tuple[float, ...]] = lambda ship: (),
    at_hand: tuple[str, ...] = (AFLOAT,),
) -> list[Named]:
    """List ships for matching, unlikely ones marked.

    Args:
        unlikely_side: Side whose ships are unlikely, or "".
        likely: Function that says whether a ship is likely; None if all are.
        rank: Function that orders equally likely ships.
        at_hand: Statuses of likely ships.
    """

    def list_doubts(ship: Ship) -> tuple[bool, ...]:
        """Return what makes a ship unlikely, the strongest reason first; the tuples are compared."""
        is_unlikely_side = bool(unlikely_side) and ship.side == unlikely_side
        return is_unlikely_side, ship.status not in at_hand, likely is not None and not likely(ship)

    return [Named(ship.id, ship.name, list_doubts(ship), partial(rank, ship)) for ship in ships]


def find_meant_id(letters: str, among: Iterable[Named]) -> str:
    """Return the id of the thing that letters most likely mean, or "" if none or several are likeliest."""
    best = _keep_likeliest(list_fitting(letters, among, Reach.ANYWHERE), Reach.ANYWHERE)
    return best[0].id if len(best) == 1 else ""


def find_named(words: Sequence[str], among: Sequence[Named], reach: Reach, noun: str) -> tuple[str, int]:
    """Find the thing that the next words name.

    An exact id wins, unless it begins a longer name. If there is no exact id, the longest matching run of
    words is used. A prefix such as HMS that is in no name is skipped. With `Reach.FULL` the first word is the
    id, whether there is such a thing or not.

    Args:
        noun: Word for the thing in refusals.

    Returns:
        The id, and the number of words used.

    Raises:
        OrderRefused: No name matches, or several do; the message lists them.
    """
    if reach is Reach.FULL:
        return words[0], 1
    is_prefix = fold_name(words[0]) in _TITLES and not list_fitting(words[0], among, reach)
    if is_prefix and len(words) > 1:
        id, word_count = find_named(words[1:], among, reach, noun)
        return id, word_count + 1
    first_word = words[0].casefold()
    is_exact_id = any(named.id == first_word for named in among)
    matches: list[tuple[int, Named]] = []
    word_count = 0
    for tried_count in range(1, len(words) + 1):
        fits = list_fitting(" ".join(words[:tried_count]), among, reach)
        if not fits:
            break
        best_rank = fits[0][0]
        # Further words are added only to a match at the beginning of a word.
        if tried_count > 1 and best_rank == _OTHER_PART:
            break
        matches, word_count = fits, tried_count
        if tried_count > 1 and best_rank == _WHOLE:
            # These words are a whole name, and the id is only its first word.
            is_exact_id = False
    if is_exact_id:
        return first_word, 1
    best = _keep_likeliest(matches, reach)
    if len(best) == 1:
        return best[0].id, word_count
    # A refusal also offers the name that keys would find.
    by_keys = ""
    if reach is Reach.BEGINS:
        with suppress(OrderRefused):
            by_keys, _ = find_named(words, among, Reach.ANYWHERE, "")
    if best:
        raise _build_ambiguity(" ".join(words[:word_count]), best, by_keys)
    searched = drop_titles(words)[0]
    raise OrderRefused(f"no {noun} “{words[0]}”{_format_alternatives(searched, among, noun, by_keys)}")


def _build_ambiguity(typed_name: str, matches: Sequence[Named], by_keys: str) -> OrderRefused:
    """Build the refusal of a name that matches several things; the message lists these.

    Args:
        by_keys: Id that keys would find, offered last; or "".
    """
    offered = matches[:LISTED_MOST]
    names = ", ".join(
        named.id if named.id == named.name else f"{named.id} ({named.name})" for named in offered
    )
    more = f" and {len(matches) - LISTED_MOST} more" if len(matches) > LISTED_MOST else ""
    if by_keys and by_keys not in [named.id for named in offered]:
        more += f", or {by_keys}"
    return OrderRefused(
        impossible(f"“{typed_name}” may be {names}{more}: write more of the name", offers=True)
    )


def _keep_likeliest(fits: Sequence[tuple[int, Named]], reach: Reach) -> list[Named]:
    """Keep the best matches; a single one is what the letters mean.

    For scripts (`Reach.BEGINS`) this is the exact name, or all matches if there is not exactly one such name.
    For keys these are the likeliest things of the best rank.

    Args:
        fits: The matches with their rank, the best first.
    """
    if not fits:
        return []
    if reach is Reach.BEGINS:
        exact = [named for rank, named in fits if rank == _WHOLE]
        return exact if len(exact) == 1 else [named for _, named in fits]
    best = (fits[0][0], fits[0][1].unlikely)
    return [named for rank, named in fits if (rank, named.unlikely) == best]


def _format_alternatives(letters: str, among: Sequence[Named], noun: str, by_keys: str) -> str:
    """Format the end of a refusal: names that keys would find, similar names, or all sides or divisions.

    It is "" if no ship is similar. `by_keys` is an id that is offered first, or "".
    """
    ids = [named.id for _, named in list_fitting(letters, among, Reach.ANYWHERE)]
    if not ids and noun == SHIP:
        by_text = {text: named.id for named in among for text in (named.name, named.id)}
        ids = [by_text[text] for text in list_similar_names(letters, by_text)]
    if by_keys:
        ids.insert(0, by_keys)
    suggestions = list(dict.fromkeys(ids))[:NEAR_MOST]
    if suggestions:
        return f"; did you mean {', '.join(suggestions)}?"
    return "" if noun == SHIP else f": {', '.join(named.id for named in among)}"


def list_begun_words(letters: str, words: Iterable[str]) -> list[str]:
    """List the words that letters may mean: an exact match if there is one, else every word they begin."""
    letters = fold_name(letters)
    folded_words = [(fold_name(word), word) for word in words]
    exact = [word for plain, word in folded_words if plain == letters][:1]
    return exact or [word for plain, word in folded_words if plain.startswith(letters)]


def list_closed_candidates(letters: str, words: Iterable[str]) -> tuple[Candidate, ...]:
    """List the candidates of a closed list that begin with these letters."""
    letters = fold_name(letters)
    return tuple(Candidate(word, word) for word in words if fold_name(word).startswith(letters))


def list_card_names(ship: Ship, listed: str) -> tuple[str, ...]:
    """List the names of one kind of thing on a ship's card, each as a single word.

    Args:
        listed: Key of the kind; the names are the values of `listed.1.name`, `listed.2.name` and so on.
    """
    # Limited to the size of the card, because a save may claim any number.
    most = min(ship.count_on_card(listed), len(ship.card))
    names = (ship.card.get(f"{listed}.{place}.name") for place in range(1, most + 1))
    return tuple("-".join(name.lower().split()) for name in names if isinstance(name, str))


@frozen(eq=False)
class Vocabulary:
    """The words for orders that a rule system and the core declare.

    Attributes:
        play: Forms of play orders, by word.
        corrections: Forms of corrections, by word.
        fields: Names that `mark` takes.
        switches: Values of each switch.
        departures: Statuses that `leave` gives.
        units: Unit of a distance without unit, by scale and family of units.
        measures: Other units of distances, by scale and family, each as an amount of that unit.
        bulk: Function that gives the size of a ship.
        at_hand: Statuses of ships that are offered first.
        dice: Kinds of dice; () if unknown.
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
    dice: tuple[Die, ...] = ()

    def may_be_die(self, figure: int) -> bool:
        """Return whether some die has this face."""
        return not self.dice or any(figure in die.faces for die in self.dice)

    @property
    def forms(self) -> Mapping[str, Form]:
        return {**self.play, **self.corrections}


@frozen(eq=False)
class Scope:
    """The context in which an order is read.

    Attributes:
        battle: The battle; None if all ids are written in full, as in a save.
        reach: How much of a name letters may match.
        arrivals: Function that gives the ships that may still join, by id.
        elsewhere: Function that gives further ships that may join, used if no other name matches.
        battle_before: Function that gives the battle before an entry, where an amended order is read; None if
            there is no such entry.
        battle_after: Function that gives the battle after an entry, where an inserted order is read; None if
            there is no such entry.
        recent: Ids of ships that were attacked, the latest first.
        calls: True if a call throws the dice; bare digits are then a call.
    """

    vocabulary: Vocabulary
    battle: Battle | None
    reach: Reach = Reach.BEGINS
    arrivals: Callable[[], Mapping[str, Ship]] = dict
    elsewhere: Callable[[], Sequence[Named]] = lambda: ()
    battle_before: Callable[[int], Battle | None] = lambda number: None
    battle_after: Callable[[int], Battle | None] = lambda number: None
    recent: tuple[str, ...] = ()
    calls: bool = False

    @property
    def has_face_keys(self) -> bool:
        """True if letters may be typed for faces, as `x` for 10."""
        return self.reach is Reach.ANYWHERE and not self.calls

    @property
    def required_battle(self) -> Battle:
        """The battle; only to be used if there is one."""
        assert self.battle is not None
        return self.battle

    @property
    def unit(self) -> str:
        """The unit of a distance without unit; "" if none is declared or there is no battle."""
        return self.vocabulary.units.get(self._scale, "")

    @property
    def measures(self) -> Mapping[str, Fraction]:
        """The units besides inches and millimetres that a distance may have, each as an amount of `unit`."""
        return self.vocabulary.measures.get(self._scale, {})

    @property
    def _scale(self) -> tuple[str, str]:
        table = self.battle.table if self.battle else {}
        return str(table.get("scale", "")), str(table.get("units", ""))

    def list_ships(
        self, unlikely_side: str = "", likely: Callable[[Ship], bool] | None = None
    ) -> list[Named]:
        """List the ships of the battle for matching, unlikely ones marked.

        If letters match several likely ships, the largest comes first. In a search for a target (with an
        unlikely side), ships attacked lately come before larger ones. See `list_named_ships`.
        """

        def rank(ship: Ship) -> tuple[float, ...]:
            place = (
                self.recent.index(ship.id) if unlikely_side and ship.id in self.recent else len(self.recent)
            )
            return (place, -self.vocabulary.bulk(ship))

        ships = self.battle.ships.values() if self.battle else ()
        return list_named_ships(ships, unlikely_side, likely, rank, self.vocabulary.at_hand)

    def list_sides(self) -> list[Named]:
        return [Named(side.id, side.name) for side in self._sides]

    def list_divisions(self) -> list[Named]:
        return [Named(division.id, division.name) for side in self._sides for division in side.divisions]

    @property
    def _sides(self) -> tuple[Side, ...]:
        return self.battle.sides if self.battle else ()

    def with_battle(self, battle: Battle | None) -> "Scope":
        """Return this scope on another battle; unchanged for None."""
        return self if battle is None else replace(self, battle=battle)


class FormMismatch(OrderRefused):
    """Words that do not fit the form of their order; the message then shows the form."""


class WordCursor:
    """A cursor over the words of an order while its slots are read.

    Attributes:
        at: Index of the next word.
        slot: Slot that is being read.
        slots: Values read so far.
        dice: Faces read so far.
        call: Call read so far, or None.
        is_single_slot: True if all words belong to a single slot, the field of a dialog.
        skip_reasons: For words that an optional slot did not take: the reason, by index.
    """

    slot: Slot

    def __init__(
        self, scope: Scope, form: Form, words: Sequence[str], slots: dict[str, SlotValue] | None = None
    ) -> None:
        """Start at the first word.

        Args:
            slots: Values of the earlier fields, if the words are one field of a dialog; None for a whole
                order.
        """
        self.scope, self.form, self.words = scope, form, list(words)
        self.is_single_slot = slots is not None
        self.slots: dict[str, SlotValue] = {} if slots is None else slots
        self.dice: list[int] = []
        self.call: int | None = None
        self.skip_reasons: dict[int, str] = {}
        self.at = 0

    def with_slot(self, slot: Slot) -> "WordCursor":
        """Return a copy of the cursor that reads `slot` and does not yet have its value."""
        cursor = copy(self)
        cursor.slot = slot
        cursor.slots = {name: value for name, value in self.slots.items() if name != slot.name}
        return cursor

    @property
    def can_skip(self) -> bool:
        """True if the slot may stay empty and the next word may belong to a later slot or be a die."""
        return self.slot.optional and not self.slot.keyword and not self.is_single_slot

    def skip_slot(self, reason: str, *, offers: bool = False) -> None:
        """Leave the next word to a later slot or to the dice, and remember the reason.

        Args:
            reason: Why this slot does not take the word.
            offers: True if the reason lists possible words.

        Raises:
            OrderRefused: The word can belong to no other slot.
        """
        if not self.can_skip:
            raise self.build_fault(reason, offers=offers)
        self.skip_reasons[self.at] = reason

    @property
    def remaining(self) -> list[str]:
        return self.words[self.at :]

    @property
    def next_word(self) -> str:
        """The next word in lower case."""
        return self.words[self.at].lower()

    @property
    def is_at_end(self) -> bool:
        return self.at >= len(self.words)

    def take_word(self) -> str:
        """Return the next word, and go on to the one after."""
        word = self.words[self.at]
        self.at += 1
        return word

    def take_all(self) -> list[str]:
        rest = self.remaining
        self.at = len(self.words)
        return rest

    def build_fault(self, text: str, *, offers: bool = False) -> "FormMismatch":
        """Build the refusal of words that do not fit the form; `offers` as for a Finding."""
        return FormMismatch(impossible(text, offers=offers))

    @property
    def first_ship(self) -> Ship | None:
        """The first ship that the order names so far, or None."""
        battle = self.scope.battle
        if battle is None:
            return None
        values = (value if isinstance(value, tuple) else (value,) for value in self.slots.values())
        ids = (id for each in values for id in each if isinstance(id, str))
        return next((battle.ships[id] for id in ids if id in battle.ships), None)

    @property
    def question(self) -> Owed | None:
        """The owed question that the order answers: by its key, or the one that fits best; else None.

        For dice this is the first roll. For words, questions that offer the typed word or take any words come
        first, those of this phase before older ones.
        """
        battle = self.scope.battle
        if battle is None:
            return None
        key = self.slots.get("key")
        if isinstance(key, str):
            return battle.find_question(key)
        questions = [owed for owed in battle.owed_in_order if bool(owed.dice) == bool(self.form.dice)]
        first_letters = "" if self.form.dice or not self.words else self.words[0].lower()

        def rate_mismatch(owed: Owed) -> tuple[bool, bool]:
            is_offered = any(word.startswith(first_letters) for word in owed.words)
            is_older = owed.entry < battle.opened
            return bool(owed.words) and not is_offered, is_older

        if not first_letters:
            return next(iter(questions), None)
        return min(questions, key=rate_mismatch, default=None)


COMMA = re.compile(r"\s*,\s*")
"""A comma with the spaces around it."""

DICE_MOST = 30
"""The most digits in one word that are taken for dice: enough for the wander checks of a long line."""

FACE_KEYS: Mapping[str, int] = {"x": 10, "y": 11, "z": 12}
"""The letters that stand for faces of two digits; such a letter ends the die before it, and its own."""

_DIGITS = re.compile(rf"\d{{1,{DICE_MOST}}}", re.ASCII)
"""The pattern of one or more dice typed without spaces."""

_DICE_WORD = re.compile(r"[^\s,]+")
"""The pattern of a word among dice."""

_WITH_KEYS = re.compile(rf"[\d{''.join(FACE_KEYS)}]{{1,{DICE_MOST}}}", re.ASCII | re.IGNORECASE)
"""The pattern of dice with letters for faces among the digits, as `3y`."""

_RUN = re.compile(rf"\d+|[{''.join(FACE_KEYS)}]", re.ASCII | re.IGNORECASE)
"""The pattern of adjacent digits, or of a letter for a face."""


@frozen
class DiceWord:
    """A word among typed dice, with its position in the text."""

    text: str
    start: int
    end: int

    @property
    def is_dice(self) -> bool:
        """True if the word consists of digits only, at most DICE_MOST."""
        return bool(_DIGITS.fullmatch(self.text))


def split_dice(text: str) -> tuple[DiceWord, ...]:
    """Split typed dice into words, with words that are no dice."""
    return tuple(DiceWord(match[0], *match.span()) for match in _DICE_WORD.finditer(text))


def find_no_die(text: str) -> str:
    """Return the first word of a text that is no die, or ""."""
    return next((word.text for word in split_dice(text) if not word.is_dice), "")


def are_dice(text: str) -> bool:
    """Return whether a text consists of dice, at least one."""
    return bool(split_dice(text)) and not find_no_die(text)


def expand_face_keys(text: str) -> str:
    """Replace letters for faces in typed dice: `3y` becomes `3 11 `; words that are no dice stay."""

    def expand(word: re.Match[str]) -> str:
        if not _WITH_KEYS.fullmatch(word[0]):
            return word[0]
        return "".join(f" {FACE_KEYS[sign]} " if sign in FACE_KEYS else sign for sign in word[0].lower())

    return _DICE_WORD.sub(expand, text)


def read_faces(text: str) -> Faces:
    """Return the faces in a text of dice, one for each word."""
    return tuple(int(word.text) for word in split_dice(text))


def is_digit(sign: str) -> bool:
    """Return whether a typed character is an ASCII digit."""
    return len(sign) == 1 and sign.isascii() and sign.isdigit()


def format_typed_faces(faces: Iterable[int]) -> str:
    """Format faces as they would be typed."""
    return " ".join(map(str, faces))


def find_face_keys(dice: Iterable[Die]) -> Mapping[str, int]:
    """Map letters to the two-digit faces that they stand for, up to the greatest face of these dice."""
    most = max((die.most for die in dice), default=0)
    return {key: face for key, face in FACE_KEYS.items() if face <= most}


def format_face_keys(dice: Iterable[Die]) -> str:
    """Format the letters for faces of these dice: `x 10 · y 11 · z 12`; "" if no die has such faces."""
    return " · ".join(f"{key} {face}" for key, face in find_face_keys(dice).items())


def list_readings(text: str, dice: Sequence[Die]) -> tuple[Faces, ...]:
    """List all faces of these dice that typed digits may mean, in the order of the dice.

    A letter for a face is that face. Digits before a space or such a letter are one face if their die has it;
    other digits are split in every possible way. A text that is no dice gives ().
    """
    if not are_dice(expand_face_keys(text)):
        return ()
    readings: list[Faces] = [()]
    for run in _RUN.finditer(text):
        beginnings = readings
        readings = []
        digits = str(FACE_KEYS.get(run[0].lower(), run[0]))
        is_key = digits != run[0]
        for faces in beginnings:
            dice_left = dice[len(faces) :]
            is_face = bool(dice_left) and digits in map(str, dice_left[0].faces)
            if is_face and (is_key or run.end() < len(text)):
                readings.append((*faces, int(digits)))
            elif not is_key:
                readings += [(*faces, *more) for more in _split_digits(digits, dice_left)]
    return tuple(dict.fromkeys(readings))


def find_refused_faces(text: str, dice: tuple[Die, ...]) -> Faces:
    """Return faces for digits that these dice cannot show, for the message that refuses them.

    If there is a die too many, all digits become faces that the dice have: the message is about the number of
    dice. If the last word can only be the last die, as in `3 13`, it is one face: the message is about that
    face. If nothing fits, each character is a face.
    """
    if not dice:
        return read_faces(expand_face_keys(text))
    before, _, last = expand_face_keys(text).strip().rpartition(" ")
    beginnings = list_readings(f"{before} ", dice) if before else ((),)
    for faces in beginnings:
        if len(faces) == len(dice) - 1 and len(last) <= len(str(dice[-1].most)):
            return (*faces, int(last))
    # The last die is repeated, so that dice too many are read too.
    longer = list_readings(text, dice + dice[-1:] * len(text))
    singly = (FACE_KEYS.get(sign, sign) for sign in text.lower() if sign.isalnum())
    return min(longer, key=len, default=tuple(map(int, singly)))


def _split_digits(digits: str, dice: Sequence[Die]) -> list[Faces]:
    """List the ways to split digits into a face for each of the first dice; dice may be left over."""
    if not digits:
        return [()]
    first_faces = dice[0].faces if dice else ()
    return [
        (face, *rest)
        for face in first_faces
        if digits.startswith(str(face))
        for rest in _split_digits(digits[len(str(face)) :], dice[1:])
    ]
