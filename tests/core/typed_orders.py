"""Random orders as people type them; each text goes to the script, the bar and the dialog."""

import re
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import TypeVar

from attrs import field, frozen

from qf_tui.console.entry.form_state import DICE_FIELD, Filling, FormReading
from qf_tui.core.errors import QfError
from qf_tui.core.grammar import kinds
from qf_tui.core.grammar.kinds import COMPASS
from qf_tui.core.grammar.names import Reach, list_card_names
from qf_tui.core.grammar.reader import Reading, read_line, read_typed, split_words
from qf_tui.core.values import Form, Order, Ship, Slot, SlotKind
from qf_tui.session import Session
from tests.cli.strange_orders import Lot
from tests.systems import load_start

BATTLES = (
    "rulebook-examples",
    "yellow-sea-1904",
    "port-arthur-1904-evening",
    "yellow-sea-1904-clone",
    "gq2-dogger-bank-1915",
    "gq2-fourth-flotilla-1916",
)
"""Battles of all four systems, by day and by night."""

FORM_SHOWN = re.compile(r" \(form: .*\)$")
"""The form of the order, which only a line adds to a refusal."""

QUOTED = re.compile("“(.*?)”")


def begin_session(scenario: str) -> Session:
    """Begin a session on a scenario, without a save."""
    return Session.begin(*load_start(scenario))


def play_random_orders(scenario: str, random: Random, orders: int = 60) -> Session:
    """Begin a session and play random orders; some rolls stay owed."""
    session = begin_session(scenario)
    lot = Lot(random, session)
    for _ in range(orders):
        try:
            session.enter(lot.draw_line())
        except QfError:
            continue
    return session


@frozen
class Typed:
    """An order by its typed words.

    Attributes:
        texts: Text by slot.
        behind: Names of flags and keyword slots after the plain slots, in the order of the line.
    """

    form: Form
    texts: Mapping[str, str] = field(factory=dict)
    behind: tuple[str, ...] = ()
    dice: str = ""

    @property
    def line(self) -> str:
        """The words on one line."""
        words = [self.texts.get(slot.name, "") for slot in self.form.slots if not slot.is_trailing]
        for slot in (slot for name in self.behind for slot in self.form.slots if slot.name == name):
            words += [slot.choices[0]] if slot.kind.is_flag else [slot.keyword, self.texts[slot.name]]
        return " ".join(word for word in (self.form.word, *words, self.dice) if word)

    @property
    def filling(self) -> Filling:
        """The words by field; all dice are in one field."""
        slots = {slot.name: slot for slot in self.form.slots}
        midst = [text for name, text in self.texts.items() if slots[name].kind is kinds.DIE]
        dice = {DICE_FIELD: " ".join((*midst, self.dice)).strip()} if self.form.dice else {}
        flags = frozenset(name for name in self.behind if slots[name].kind.is_flag)
        return Filling(self.form, {**self.texts, **dice}, flags)

    def is_split_alike(self, reading: Reading) -> bool:
        """Return whether a line was split into the same fields; a name may have taken the next word."""
        for name, part in reading.parts.items():
            if part.slot.kind.is_flag:
                continue
            keep = part.slot.kind.separator == " "
            mine = " ".join(split_words(self.texts.get(name, ""), keep_spaces=keep))
            meant = part.text if not part.fault else "".join(QUOTED.findall(part.fault)[:1])
            if meant != mine and (not part.fault or meant.startswith(f"{mine} ")):
                return False
        return True

    @property
    def is_in_order(self) -> bool:
        """Whether the words after the plain slots are in the order of the form's fields."""
        return [slot.name for slot in self.form.slots if slot.name in self.behind] == list(self.behind)


@frozen
class Meaning:
    """The result of reading a text: an order, or a refusal without the form that lines add."""

    order: Order | None = None
    refusal: str = ""


def find_meaning(reading: Reading, like: str = "") -> Meaning:
    """Return the order or the first refusal of a reading; `like` if that is one of its refusals."""
    texts = [FORM_SHOWN.sub("", finding.text) for finding in reading.findings]
    return Meaning(reading.order, like if like and like in texts else "".join(texts[:1]))


def read_by_script(session: Session, text: str, reach: Reach = Reach.BEGINS) -> Reading:
    return read_line(session.find_scope(reach), text)


def read_by_bar(session: Session, text: str, reach: Reach = Reach.ANYWHERE) -> Reading:
    return read_typed(session.find_scope(reach), text)


def read_by_dialog(session: Session, typed: Typed, reach: Reach = Reach.ANYWHERE) -> FormReading:
    return FormReading.read(session.find_scope(reach), typed.filling)


T = TypeVar("T")
STRANGE = (
    *("0", "99", "999999999", "-1", "+1", "½", "1e9", "٣", "x", "1_0", "@", "@x", "/", "[/", "none"),
    *("4,5", "4½", "5⅞″", '41"', "4.5.", "4in", "12cm", "12 furlongs", "é", "ʼ", "heavy", "on"),
)
DISTANCES = (
    *(
        "4in",
        "4.5in",
        "4½in",
        "4½",
        "½",
        "5⅞″",
        "5.5″",
        '41"',
        "41”",
        "4.5",
        "4",
        "0",
        ".5in",
        "4.5 in",
        "7 ″",
    ),
    *("90mm", "90.5mm", "12cm", "41 cm", "90 mm", "4,5", "4,5in", "12,5cm", "4.", "5.5½", "12 furlongs"),
)
ACCENTS = str.maketrans("aeiounc", "áéîöúñç")
STRANGELY, LEFT_OUT, LISTED_MOST = 0.05, 0.03, 3
"""The share of slots with something strange, the share of orders that end early, ships in one order."""


class Typist:
    """A typist of random orders for a session."""

    def __init__(self, random: Random, session: Session) -> None:
        self._random = random
        self._session = session
        vocabulary = session.find_scope().vocabulary
        self._play, self._corrections = list(vocabulary.play.values()), list(vocabulary.corrections.values())
        self._coming = list(session.find_scope().arrivals().values())[:200]

    def type_order(self) -> Typed:
        """Type an order of play, sometimes a correction."""
        return self._type_form(self._pick(self._corrections if self._try_chance(0.1) else self._play))

    def _type_form(self, form: Form) -> Typed:
        texts: dict[str, str] = {}
        behind: list[str] = []
        for slot in form.slots:
            if slot.is_trailing:
                if not slot.optional or self._try_chance(0.3):
                    behind.append(slot.name)
                    texts |= {} if slot.kind.is_flag else {slot.name: self._type_slot(slot, texts)}
                continue
            if slot.optional and self._try_chance(0.5):
                continue
            if self._try_chance(LEFT_OUT):
                return Typed(form, texts)
            texts[slot.name] = self._type_slot(slot, texts)
        self._random.shuffle(behind)
        return Typed(form, texts, tuple(behind), self._type_dice(form, texts))

    def _type_dice(self, form: Form, texts: Mapping[str, str]) -> str:
        if not form.dice or any(slot.kind is kinds.PLAY_ORDER and slot.name in texts for slot in form.slots):
            return ""
        faces = [str(self._random.randint(1, 12)) for _ in range(self._random.choice([0, 1, 2, 2, 3]))]
        left_out = any(
            slot.optional and not slot.is_trailing and slot.name not in texts for slot in form.slots
        )
        if faces and not left_out and self._try_chance(STRANGELY):
            faces[-1] = self._pick(["x", "-1", "٣", "4½", "6z"])
        return self._pick([" ", " ", ",", " , "]).join(faces)

    def _type_slot(self, slot: Slot, texts: Mapping[str, str]) -> str:
        odd = slot.kind not in (kinds.DIE, kinds.PLAY_ORDER) and self._try_chance(STRANGELY)
        if odd and slot.optional and not slot.keyword:
            return self._pick([word for word in STRANGE if not word[0].isdigit()])
        return self._pick(STRANGE) if odd else self._map_writers()[slot.kind](slot, texts)

    def _map_writers(self) -> Mapping[SlotKind, Callable[[Slot, Mapping[str, str]], str]]:
        """Return the function that types each kind of slot."""
        vocabulary, battle = self._session.find_scope().vocabulary, self._session.battle
        return {
            kinds.SHIP: lambda slot, texts: self._type_ship(),
            kinds.SHIPS: lambda slot, texts: self._type_ships(),
            kinds.SHARES: self._type_shares,
            kinds.SIDE: lambda slot, texts: self._spell(self._pick(battle.sides).name),
            kinds.DIVISION: lambda slot, texts: self._type_division(),
            kinds.CHOICE: lambda slot, texts: self._spell(self._pick(slot.choices), wide=False),
            kinds.WHOLE_WORD: lambda slot, texts: self._pick(slot.choices),
            kinds.COUNT: lambda slot, texts: str(self._random.randint(slot.least, min(slot.most, 12) + 1)),
            kinds.MEASURE: lambda slot, texts: self._type_measure(slot),
            kinds.DIE: lambda slot, texts: str(self._random.randint(1, 6)),
            **dict.fromkeys((kinds.NAME, kinds.SETTING), self._type_name),
            kinds.FIELD: lambda slot, texts: self._spell(self._pick(vocabulary.fields), wide=False),
            kinds.SWITCH: lambda slot, texts: self._spell(self._pick(list(vocabulary.switches)), wide=False),
            kinds.DEPARTURE: lambda slot, texts: self._spell(self._pick(vocabulary.departures), wide=False),
            kinds.EDGE: lambda slot, texts: self._spell(self._pick(COMPASS), wide=False),
            kinds.TEXT: lambda slot, texts: self._pick(
                ["3", "+1", "yes", "Fire, aboard", "all: hit , twice"]
            ),
            kinds.CODES: lambda slot, texts: self._pick(["S", "S S F", "G, F", "s,g"]),
            kinds.ANSWER: lambda slot, texts: self._type_answer(),
            kinds.KEY: lambda slot, texts: self._pick(
                [owed.key for owed in battle.owed] or ["3/blaze/asahi/1"]
            ),
            kinds.NUMBER_OF_ACT: lambda slot, texts: str(self._random.randint(0, 9)),
            kinds.ARRIVALS: lambda slot, texts: self._pick([",", " , ", " "]).join(self._type_arriving()),
            kinds.PLAY_ORDER: lambda slot, texts: self._type_form(self._pick(self._play)).line,
        }

    def _type_ship(self) -> str:
        ship = self._pick(list(self._session.battle.ships.values()))
        return self._spell(self._pick([ship.id, ship.name, ship.name]))

    def _type_ships(self) -> str:
        if self._try_chance(0.2):
            return self._type_division()
        ships = [self._type_ship() for _ in range(self._random.randint(1, LISTED_MOST))]
        return self._pick([",", ", ", " , "]).join(ships)

    def _type_shares(self, slot: Slot, texts: Mapping[str, str]) -> str:
        """Type one or two shares, mostly of ships that the order names."""
        named = [name for text in texts.values() for name in text.split(",") if not text.startswith("@")]
        ship = self._pick([*named[:1], *named[:1], self._type_ship()]).strip()
        boxes = str(self._random.randint(0, 9))
        more = self._pick(["", "", f", {self._type_ship()} {boxes}", f",{self._type_ship()} 4½in", ","])
        return f"{ship} {self._pick([boxes, boxes, '90mm', '4.5 in', ''])}{more}".strip()

    def _type_division(self) -> str:
        found = [division for side in self._session.battle.sides for division in side.divisions]
        if not found:
            return "@none"
        division = self._pick(found)
        return "@" + self._spell(self._pick([division.id, division.name]))

    def _type_arriving(self) -> list[str]:
        ships: list[Ship] = self._coming or list(self._session.battle.ships.values())
        return [self._spell(self._pick([ship.id, ship.name])) for ship in self._random.choices(ships, k=2)]

    def _type_measure(self, slot: Slot) -> str:
        chosen = [self._spell(choice, wide=False) for choice in slot.choices]
        counts = [str(self._random.randint(slot.least, min(slot.most, 9)))] * 8 if slot.bare else []
        # If a distance is optional, a bare number is a die.
        dice = slot.optional and not slot.keyword
        told = [one for one in DISTANCES if not (dice and one.split()[0].isdigit())]
        return self._pick([*told, *chosen * 8, *counts])

    def _type_name(self, slot: Slot, texts: Mapping[str, str]) -> str:
        names = [
            name
            for ship in self._session.battle.ships.values()
            for name in list_card_names(ship, slot.listed)
        ]
        if not slot.listed:
            names = [
                value
                for values in self._session.find_scope().vocabulary.switches.values()
                for value in values
            ]
        return self._spell(self._pick(names or ["none"]), wide=False)

    def _type_answer(self) -> str:
        words = [word for owed in self._session.battle.owed for word in owed.words]
        return self._pick([*words, *map(self._spell, words), "none", "S, G", self._type_ship()])

    def _spell(self, name: str, *, wide: bool = True) -> str:
        """Type the beginning or another part of a name, in any case, with or without accents."""
        start = self._random.randrange(len(name)) if wide and self._try_chance(0.3) else 0
        end = len(name) if self._try_chance(0.4) else self._random.randint(start + 1, len(name))
        part = name[start:end].strip(" ,") or name
        ways: list[Callable[[str], str]] = [
            str,
            str,
            str.upper,
            str.lower,
            lambda text: text.translate(ACCENTS),
        ]
        return self._random.choice(ways)(part)

    def _pick(self, of: Sequence[T]) -> T:
        return self._random.choice(of)

    def _try_chance(self, share: float) -> bool:
        return self._random.random() < share
