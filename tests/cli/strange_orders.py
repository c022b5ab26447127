"""Random orders, valid and invalid, from the declarations of a rule system, for the current battle."""

from collections.abc import Sequence
from random import Random

from qf_tui.core.builtin_forms import CORRECTIONS, list_forms
from qf_tui.core.grammar import kinds
from qf_tui.core.grammar.kinds import COMPASS
from qf_tui.core.grammar.names import list_card_names
from qf_tui.core.values import Form, Slot, SlotKind
from qf_tui.session import Session

STRANGE = (
    *("0", "99", "999999999", "-1", "+1", "½", "1e9", "٣", "nan", "inf", "1_0", ",", "/", "@", "1/", "[/"),
    *("none", "nobody", "all", "yes", "no", "on", "S", "SX", "G", "D", "T", "F", "90 right", "H1", "A0.5"),
)
DISTANCES = ("0in", "0.5in", "2in", "4½in", "11in", "30in", "9999in", "0mm", "40mm", "6cm", "60cm", "200cm")
AMENDED = ("3", "4 4", "1 2 3")
WRONG = 0.04
"""The share of slots that get a strange value."""


class Lot:
    """Draws orders for a session, one at a time."""

    def __init__(self, random: Random, session: Session) -> None:
        self._random = random
        self._session = session
        self._forms = list_forms(session.system)

    def draw_line(self) -> str:
        """Draw an order of the system, or sometimes an answer, a correction or the end of the phase."""
        kind = self._random.random()
        if self._session.battle.owed and kind < 0.4:
            return self._draw_answer()
        if kind < 0.1:
            return self._pick(["next", "force next"])
        if kind < 0.25:
            return self._pick(["", "", "preview "]) + self._draw_correction()
        return self._pick(["", "", "force "]) + self._draw_order()

    def _pick(self, of: Sequence[str]) -> str:
        return self._random.choice(of)

    def _draw_order(self) -> str:
        system, phase = self._session.system, self._session.battle.phase
        now = [form.word for form in system.forms if phase in form.phases or not form.phases]
        form = self._forms[self._pick([*now, *now, *now, *self._forms])]
        words = [form.word, *(word for slot in form.slots for word in self.draw_slot(form, slot))]
        return " ".join([*words, *self._draw_dice(form)])

    def _draw_dice(self, form: Form) -> list[str]:
        count = self._random.choice([0, 0, 1, 2, 2, 3, 3, 4]) if form.dice else 0
        if self._random.random() < WRONG:
            count += 1
        faces = self._random.choice([(1, 6), (0, 9), (1, 12), (0, 13)])
        return [str(self._random.randint(*faces)) for _ in range(count)]

    def draw_slot(self, form: Form, slot: Slot) -> list[str]:
        """Draw the words of a slot; an optional one is often left out."""
        if slot.optional and self._random.random() < 0.6:
            return []
        value = self._pick(STRANGE) if self._random.random() < WRONG else self._draw_value(form, slot)
        return [slot.keyword, value] if slot.keyword else [value]

    def _draw_value(self, form: Form, slot: Slot) -> str:
        battle = self._session.battle
        ships = list(battle.ships)
        divisions = [f"@{division.id}" for side in battle.sides for division in side.divisions]
        number = str(self._random.randint(max(0, slot.least - 1), min(slot.most, 14) + 1))
        known: dict[SlotKind, Sequence[str]] = {
            kinds.SHIP: ships,
            kinds.SHIPS: [*ships, *divisions, ",".join(self._random.sample(ships, min(2, len(ships))))],
            kinds.SHARES: [f"{self._pick(ships)} {number}", f"{ships[0]} {number}, {ships[-1]} 4.5in"],
            kinds.SIDE: [side.id for side in battle.sides],
            kinds.DIVISION: divisions,
            kinds.CHOICE: slot.choices,
            kinds.WHOLE_WORD: slot.choices,
            kinds.FLAG: slot.choices,
            kinds.COUNT: [number],
            kinds.MEASURE: [*slot.choices, *DISTANCES, *([number] * 6 if slot.bare else [])],
            kinds.DIE: [number],
            kinds.KEY: [owed.key for owed in battle.owed],
            kinds.NUMBER_OF_ACT: [str(self._random.randint(0, self._session.timeline.next_number))],
            kinds.ARRIVALS: list(battle.reserve),
            **dict.fromkeys(
                (kinds.NAME, kinds.FIELD, kinds.SWITCH, kinds.SETTING, kinds.DEPARTURE),
                self._list_names(form, slot),
            ),
            kinds.EDGE: COMPASS,
            kinds.ANSWER: self._list_words(),
            kinds.TEXT: self._list_words(),
            kinds.CODES: self._list_words(),
        }
        return self._pick(known[slot.kind] or STRANGE)

    def _list_names(self, form: Form, slot: Slot) -> Sequence[str]:
        system, battle = self._session.system, self._session.battle
        if form.word == "mark":
            return [field.name for field in system.fields]
        if form.word == "option" and slot.name == "name":
            return [option.name for option in system.options]
        if slot.listed:
            ships = battle.ships.values()
            return [name for ship in ships for name in list_card_names(ship, slot.listed)]
        return [*system.departure_statuses, *(value for option in system.options for value in option.values)]

    def _list_words(self) -> Sequence[str]:
        words = [word for field in self._session.system.fields for word in field.words]
        return [
            *STRANGE,
            *words,
            *words,
            str(self._random.randint(0, 20)),
            "S S",
            "G, F",
            "a remark, and more",
        ]

    def _draw_answer(self) -> str:
        owed = self._random.choice(self._session.battle.owed)
        if owed.dice:
            faces = [str(self._random.randint(die.least, die.most)) for die in owed.dice]
            return f"roll {owed.key} {' '.join(faces)}"
        ships = list(self._session.battle.ships)
        words = [*owed.words, *owed.words, self._pick(ships), "none", "S", "G F"]
        return f"answer {owed.key} {self._pick(words)}"

    def _draw_correction(self) -> str:
        timeline = self._session.timeline
        last = timeline.next_number
        number = self._random.choice([self._random.randint(0, last), *timeline.play_order])
        again = timeline.versions[number].order.resolved if number in timeline.versions else "note x"
        word = self._pick([form.word for form in CORRECTIONS])
        amended = [self._draw_order(), f"{again} 2 3", f"force {again}", *AMENDED]
        rest = {
            "undo": str(number % 4),
            "redo": str(number % 3 + 1),
            "amend": f"{number} {self._pick(amended)}",
            "insert": f"{number} {self._draw_order()}",
            "shift": f"{number} after {self._random.randint(0, last)}",
        }
        return f"{word} {rest.get(word, str(number))}"
