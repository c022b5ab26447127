"""What letters and digits mean: one matcher for ships, sides and divisions, with two reaches; typed dice.

Scripts reach names by their beginnings, keys by any part of them. Case, accents, apostrophes and runs of
spaces do not matter.
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
NEAR_MOST = 5
SHIP = "ship"
"""Names that a refusal lists: those that letters may mean, and those that keys would have found."""


class Reach(Enum):
    """How far letters reach into a name."""

    FULL = auto()  # ids in full, as a log has them; no battle is asked
    BEGINS = auto()  # any beginning of an id or name, as scripts have them
    ANYWHERE = auto()  # any part of a name, as keys have them


@frozen
class Named:
    """Something with an id and a name. `unlikely` ones come last where letters fit several.

    Among those that are as likely the least `rank` is offered first; letters mean none of them for it.
    """

    id: str
    name: str
    unlikely: tuple[bool, ...] = ()
    rank: Callable[[], tuple[float, ...]] = tuple


@frozen
class Candidate:
    """One thing that a slot may hold: `text` goes into the order, `label` is shown."""

    text: str
    label: str


_PLAIN: Mapping[int, str] = str.maketrans(
    {"ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "’": "'", "‘": "'"}
)
"""Letters without a decomposition, and apostrophes, as a plain keyboard types them."""
_POINTS = re.compile(r"(?<=[^\W\d])['.]")
"""Apostrophes and full stops of names: `O'Higgins`, `St. Louis`."""
_TITLES = frozenset(("hms", "uss", "sms", "ijn", "hijms", "hmas", "rms"))


# Room for the ids and names of all navies.
@lru_cache(maxsize=16384)
def folded(name: str) -> str:
    """A name as it is compared: without case, accents, apostrophes, runs of spaces, spaces about commas."""
    bare = name.casefold()
    if not bare.isascii():
        bare = "".join(c for c in unicodedata.normalize("NFKD", bare) if not unicodedata.combining(c))
    plain = _POINTS.sub("", bare.translate(_PLAIN))
    return COMMA.sub(",", " ".join(plain.split()))


def spelt(name: str) -> str:
    """A name as it is looked for on the shelf: folded, hyphens and brackets as spaces."""
    return " ".join(re.findall(r"\w+", folded(name)))


def nearest(letters: str, names: Iterable[str]) -> tuple[str, ...]:
    """The names that letters come near to, wholly or by a word: `mikassa` and `hms mikasa` to Mikasa."""
    from difflib import get_close_matches  # noqa: PLC0415 - only where nothing is found

    whole = {spelt(name): name for name in names}
    by_word = {word: name for text, name in reversed(whole.items()) for word in text.split()} | whole
    wanted = " ".join(word for word in spelt(letters).split() if word not in _TITLES)
    close = get_close_matches(wanted, by_word, 2 * NEAR_MOST, 0.75 if len(wanted) > 3 else 0.65)
    return tuple(dict.fromkeys(by_word[word] for word in close))[:NEAR_MOST]


def likeness(letters: str, id: str, name: str) -> int | None:
    """How well folded letters fit: 0 the whole, 1 its beginning, 2 a word, 3 anywhere; None: not at all."""
    id, plain = folded(id), folded(name)
    if letters not in plain and letters not in id:
        return None
    if letters in (id, plain):
        return 0
    if id.startswith(letters) or plain.startswith(letters):
        return 1
    if f" {letters}" in plain or f"-{letters}" in plain:
        return 2
    return 3


_FARTHEST = {Reach.FULL: 0, Reach.BEGINS: 1, Reach.ANYWHERE: 3}


def fitting(letters: str, among: Iterable[Named], reach: Reach) -> list[tuple[int, Named]]:
    """What letters may mean within a reach, the likeliest first, each with its likeness."""
    letters, far = folded(letters), _FARTHEST[reach]
    ranked = [(likeness(letters, named.id, named.name), named) for named in among]
    fits = [(rank, named) for rank, named in ranked if rank is not None and rank <= far]
    return sorted(fits, key=lambda fit: (fit[0], fit[1].unlikely, fit[1].rank()))


def candidates(letters: str, among: Iterable[Named]) -> tuple[Candidate, ...]:
    """What letters may mean by keys, the likeliest first."""
    return tuple(Candidate(named.id, named.name) for _, named in fitting(letters, among, Reach.ANYWHERE))


def named_ships(
    ships: Iterable[Ship],
    against: str = "",
    likely: Callable[[Ship], bool] | None = None,
    rank: Callable[[Ship], tuple[float, ...]] = lambda ship: (),
    at_hand: tuple[str, ...] = (AFLOAT,),
) -> list[Named]:
    """Ships as letters find them.

    Those of side `against`, those whose status is not `at_hand` and those that are not `likely` come last.
    """

    def unlikely(ship: Ship) -> tuple[bool, ...]:
        own = bool(against) and ship.side == against
        return own, ship.status not in at_hand, likely is not None and not likely(ship)

    return [Named(ship.id, ship.name, unlikely(ship), partial(rank, ship)) for ship in ships]


def meant(letters: str, among: Iterable[Named]) -> str:
    """The id of the one thing that letters mean by keys, or nothing."""
    best = _likeliest(fitting(letters, among, Reach.ANYWHERE), Reach.ANYWHERE)
    return best[0].id if len(best) == 1 else ""


def find(words: Sequence[str], among: Sequence[Named], reach: Reach, what: str) -> tuple[str, int]:
    """What the next words name, and how many words that took; OrderRefused names the candidates.

    An exact id wins, unless it begins a whole name; else as many words as go on naming something are taken.
    """
    if reach is Reach.FULL:
        return words[0], 1
    first = words[0].casefold()
    exact = any(named.id == first for named in among)
    matches: list[tuple[int, Named]] = []
    used = 0
    for count in range(1, len(words) + 1):
        fits = fitting(" ".join(words[:count]), among, reach)
        # Only from the beginning of a word on does a name take in further words.
        if not fits or (count > 1 and fits[0][0] > 2):
            break
        matches, used = fits, count
        if count > 1 and fits[0][0] == 0:
            exact = False
    if exact:
        return first, 1
    best = _likeliest(matches, reach)
    if len(best) == 1:
        return best[0].id, used
    by_keys = ""
    if reach is Reach.BEGINS:
        with suppress(OrderRefused):
            by_keys = find(words, among, Reach.ANYWHERE, "")[0]
    if not matches:
        wanted = next((word for word in words if folded(word) not in _TITLES), words[0])
        raise OrderRefused(f"no {what} “{words[0]}”{_else(wanted, among, what, by_keys)}")
    listed = best[:LISTED_MOST]
    names = ", ".join(
        named.id if named.id == named.name else f"{named.id} ({named.name})" for named in listed
    )
    more = f" and {len(best) - LISTED_MOST} more" if len(best) > LISTED_MOST else ""
    more += f", or {by_keys}" if by_keys and by_keys not in [named.id for named in listed] else ""
    text = f"“{' '.join(words[:used])}” may be {names}{more}: write more of the name"
    raise OrderRefused(impossible(text, offers=True))


def _likeliest(fits: Sequence[tuple[int, Named]], reach: Reach) -> list[Named]:
    """Those that fit best: for scripts an exact name before any beginning, for keys also what is likely."""
    if not fits:
        return []
    if reach is Reach.BEGINS:
        exact = [named for rank, named in fits if rank == 0]
        return exact if len(exact) == 1 else [named for _, named in fits]
    best = (fits[0][0], fits[0][1].unlikely)
    return [named for rank, named in fits if (rank, named.unlikely) == best]


def _else(letters: str, among: Sequence[Named], what: str, by_keys: str) -> str:
    """What keys would find, and what is near; all sides or divisions, as they are few."""
    ids = [named.id for _, named in fitting(letters, among, Reach.ANYWHERE)]
    if not ids and what == SHIP:
        by_text = {text: named.id for named in among for text in (named.name, named.id)}
        ids = [by_text[text] for text in nearest(letters, by_text)]
    near = list(dict.fromkeys([*filter(None, [by_keys]), *ids]))[:NEAR_MOST]
    if near:
        return f"; did you mean {', '.join(near)}?"
    return "" if what == SHIP else f": {', '.join(named.id for named in among)}"


def begun(letters: str, words: Iterable[str]) -> list[str]:
    """The words of a closed list that letters may mean: the word itself, else all that begin so."""
    letters = folded(letters)
    listed = [(folded(word), word) for word in words]
    whole = [word for plain, word in listed if plain == letters][:1]
    return whole or [word for plain, word in listed if plain.startswith(letters)]


def closed(letters: str, words: Iterable[str]) -> tuple[Candidate, ...]:
    """What letters may yet become of a closed list."""
    letters = folded(letters)
    return tuple(Candidate(word, word) for word in words if folded(word).startswith(letters))


def listed_names(ship: Ship, listed: str) -> tuple[str, ...]:
    """The names of one kind of thing on a ship's card (`listed.1.name`, ...), each as one word."""
    # A save may claim any number: no more than the card can hold.
    most = min(ship.card_count(listed), len(ship.card))
    named = (ship.card.get(f"{listed}.{place}.name") for place in range(1, most + 1))
    return tuple("-".join(name.lower().split()) for name in named if isinstance(name, str))


@frozen(eq=False)
class Vocabulary:
    """The words that a rule system and the core declare.

    `play` and `corrections` are the forms by their words, `fields` the names that `mark` takes, `switches`
    the values of each switch, `departures` what may become of a ship. `units` are the unit of a bare distance
    by scale and family, `measures` what else a distance may be in there, each as an amount of that unit.
    `bulk` is how large a ship is; `at_hand` what a ship may be that is not offered last. `dice` are the kinds
    of dice, if they are known.
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
        """Return whether some die has that face."""
        return not self.dice or any(figure in die.faces for die in self.dice)

    @property
    def forms(self) -> Mapping[str, Form]:
        return {**self.play, **self.corrections}


@frozen(eq=False)
class Scope:
    """Where an order is read. `battle` is None where ids stand in full, as in a save.

    `arrivals` gives the ships that may still join, `elsewhere` those that may if letters mean none of these;
    `before` and `behind` the battle before an entry and right behind it, where an order within a correction
    is read (None: there is no such entry). `recent` are ships that were attacked, the latest first. `calls`:
    a call throws the dice, and bare digits are one.
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
    def keyed(self) -> bool:
        """Whether the keys of faces, as `x` for 10, may stand for dice."""
        return self.reach is Reach.ANYWHERE and not self.calls

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

        ships = self.battle.ships.values() if self.battle else ()
        return named_ships(ships, against, likely, rank, self.vocabulary.at_hand)

    def sides(self) -> list[Named]:
        return [Named(side.id, side.name) for side in self._sides]

    def divisions(self) -> list[Named]:
        return [Named(division.id, division.name) for side in self._sides for division in side.divisions]

    @property
    def _sides(self) -> tuple[Side, ...]:
        return self.battle.sides if self.battle else ()

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
        other.slot = slot
        other.slots = {name: value for name, value in self.slots.items() if name != slot.name}
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
        return self.words[self.at :]

    @property
    def next(self) -> str:
        """The next word, in small letters."""
        return self.words[self.at].lower()

    @property
    def ended(self) -> bool:
        return self.at >= len(self.words)

    def take(self) -> str:
        word = self.words[self.at]
        self.at += 1
        return word

    def take_all(self) -> list[str]:
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
        values = (value if isinstance(value, tuple) else (value,) for value in self.slots.values())
        named = (id for each in values for id in each if isinstance(id, str))
        return next((battle.ships[id] for id in named if id in battle.ships), None)

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
        asked = [owed for owed in battle.owed_in_turn if bool(owed.dice) == bool(self.form.dice)]
        typed = "" if self.form.dice or not self.words else self.words[0].lower()

        def unlike(owed: Owed) -> tuple[bool, bool]:
            offered = any(word.startswith(typed) for word in owed.words)
            return bool(owed.words) and not offered, owed.entry < battle.opened

        return min(asked, key=unlike, default=None) if typed else next(iter(asked), None)


COMMA = re.compile(r"\s*,\s*")

DICE_MOST = 30
"""Digits without a space that are still taken for dice: the wander checks of a long line."""

FACE_KEYS: Mapping[str, int] = {"x": 10, "y": 11, "z": 12}
"""One key each for the faces of two digits; it ends the die before it, and its own."""

_DIGITS = re.compile(rf"\d{{1,{DICE_MOST}}}", re.ASCII)
"""A die as it is typed, or several without a space between them."""

_DICE_WORD = re.compile(r"[^\s,]+")

_WITH_KEYS = re.compile(rf"[\d{''.join(FACE_KEYS)}]{{1,{DICE_MOST}}}", re.ASCII | re.IGNORECASE)
"""The same with the keys of faces among the digits, as `3y`."""

_RUN = re.compile(rf"\d+|[{''.join(FACE_KEYS)}]", re.ASCII | re.IGNORECASE)
"""Digits side by side, or the key of a face."""


@frozen
class DiceWord:
    """One word among typed dice, and where in their text it stands."""

    text: str
    start: int
    end: int

    @property
    def is_dice(self) -> bool:
        """Whether it is of digits alone, and of so few that they may be dice."""
        return bool(_DIGITS.fullmatch(self.text))


def dice_words(text: str) -> tuple[DiceWord, ...]:
    """The words of typed dice, and those among them that are none."""
    return tuple(DiceWord(match[0], *match.span()) for match in _DICE_WORD.finditer(text))


def first_no_dice(text: str) -> str:
    """The first word of a text that is no die; "" where all are, or where there is none."""
    return next((word.text for word in dice_words(text) if not word.is_dice), "")


def are_dice(text: str) -> bool:
    """Whether a text is of dice alone, and of one at least."""
    return bool(dice_words(text)) and not first_no_dice(text)


def expand_face_keys(text: str) -> str:
    """Write out the keys of faces in typed dice: `3y` becomes `3 11 `; a word that is no die stays."""

    def expand(word: re.Match[str]) -> str:
        if not _WITH_KEYS.fullmatch(word[0]):
            return word[0]
        return "".join(f" {FACE_KEYS[sign]} " if sign in FACE_KEYS else sign for sign in word[0].lower())

    return _DICE_WORD.sub(expand, text)


def faces_typed(text: str) -> Faces:
    """The faces that dice are, each word one of them."""
    return tuple(int(word.text) for word in dice_words(text))


def is_digit(sign: str) -> bool:
    """Whether a key is a digit as dice have them."""
    return len(sign) == 1 and sign.isascii() and sign.isdigit()


def faces_text(faces: Iterable[int]) -> str:
    """Faces as they would be typed."""
    return " ".join(map(str, faces))


def face_keys(dice: Iterable[Die]) -> Mapping[str, int]:
    """The keys for faces of two digits that some of these dice have."""
    most = max((die.most for die in dice), default=0)
    return {key: face for key, face in FACE_KEYS.items() if face <= most}


def face_keys_text(dice: Iterable[Die]) -> str:
    """Those keys as people read them: `x 10 · y 11 · z 12`; "" where no die has such faces."""
    return " · ".join(f"{key} {face}" for key, face in face_keys(dice).items())


def readings(text: str, dice: Sequence[Die]) -> tuple[Faces, ...]:
    """Return all that typed digits may mean as faces of those dice, in their order.

    The key of a face is that face. Digits with a space or such a key behind them are one face if their die
    has it; others are taken apart.
    """
    if not are_dice(expand_face_keys(text)):
        return ()
    matches: list[Faces] = [()]
    for run in _RUN.finditer(text):
        before, matches = matches, []
        digits = str(FACE_KEYS.get(run[0].lower(), run[0]))
        is_key = digits != run[0]
        for faces in before:
            left = dice[len(faces) :]
            if (is_key or run.end() < len(text)) and left and digits in map(str, left[0].faces):
                matches.append((*faces, int(digits)))
            elif not is_key:
                matches += [(*faces, *more) for more in _apart(digits, left)]
    return tuple(dict.fromkeys(matches))


def faces_refused(text: str, dice: tuple[Die, ...]) -> Faces:
    """Return the faces that typed dice are closest to, where they are no faces of those dice.

    One die too many is to be refused as that, and not as a face that no die has. A last word that stands for
    the last die alone, as in `3 13`, is a face.
    """
    if not dice:
        return faces_typed(expand_face_keys(text))
    before, _, last = expand_face_keys(text).strip().rpartition(" ")
    for faces in readings(f"{before} ", dice) if before else [()]:
        if len(faces) == len(dice) - 1 and len(last) <= len(str(dice[-1].most)):
            return (*faces, int(last))
    longer = readings(text, dice + dice[-1:] * len(text))
    singly = (FACE_KEYS.get(sign, sign) for sign in text.lower() if sign.isalnum())
    return min(longer, key=len, default=tuple(map(int, singly)))


def _apart(digits: str, dice: Sequence[Die]) -> list[Faces]:
    """The ways to take digits apart into faces of as many dice."""
    if not digits:
        return [()]
    return [
        (face, *rest)
        for face in (dice[0].faces if dice else ())
        if digits.startswith(str(face))
        for rest in _apart(digits[len(str(face)) :], dice[1:])
    ]
