"""The kinds of an order's parts, such as a ship or a distance: how each is read, completed and written.

A form of an order names a kind by the constants at the end, such as `SHIP` and `MEASURE`.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import ClassVar

from qf_tui.core.errors import OrderRefused, impossible
from qf_tui.core.grammar import names
from qf_tui.core.grammar.names import (
    Candidate,
    Named,
    Reach,
    WordCursor,
    are_dice,
    expand_face_keys,
    find_named,
    list_begun_words,
    list_card_names,
    list_closed_candidates,
    list_fitting,
)
from qf_tui.core.text import ESTIMATE_SIGN, Distance
from qf_tui.core.values import WITHDRAWN, Battle, End, Slot, SlotKind, SlotValue

NUMBER = re.compile(r"\d{1,9}", re.ASCII)
"""A whole number without sign."""


def read_choice(words: WordCursor, choices: tuple[str, ...], expected: str) -> str | None:
    """Read the next word as one of a closed list; its first letters are enough.

    Returns:
        The choice, or None if the word belongs to another slot and this one may stay empty.

    Raises:
        OrderRefused: Several choices fit, or none does and the slot may not stay empty.
    """
    matches = list_begun_words(words.next_word, choices)
    if len(matches) == 1:
        words.at += 1
        return matches[0]
    reason = f"{words.slot.label}: “{words.next_word}” is not {expected}"
    if matches:
        raise words.build_fault(reason, offers=True)
    words.skip_slot(reason, offers=True)
    return None


class ReadKind(SlotKind):
    """A kind of slot that can be read; the slot itself is `words.slot`."""

    def read(self, words: WordCursor) -> SlotValue | None:
        """Read the value from the next words, or return None if the slot stays empty."""
        raise NotImplementedError

    def list_candidates(self, letters: str, words: WordCursor) -> tuple[Candidate, ...]:
        """List the values that letters may mean and that the slot offers in this battle.

        `words` holds the earlier slots.
        """
        slot, battle = words.slot, words.scope.battle
        candidates = list_closed_candidates(letters, slot.choices)
        if slot.offered is None or battle is None:
            return candidates
        labels = ((choice.text, slot.offered(battle, choice.text)) for choice in candidates)
        return tuple(Candidate(text, label) for text, label in labels if label)


def as_read_kind(slot: Slot) -> ReadKind:
    """Return the kind of a slot as a `ReadKind`, for the type checker."""
    assert isinstance(slot.kind, ReadKind)
    return slot.kind


class ChoiceKind(ReadKind):
    """The kind of a word that is one of the slot's `choices`; its first letters are enough."""

    def read(self, words: WordCursor) -> SlotValue | None:
        choices = words.slot.choices
        return read_choice(words, choices, f"one of {', '.join(choices)}")

    def format_placeholder(self, slot: Slot) -> str:
        return "|".join(slot.choices)


class WholeWordKind(ChoiceKind):
    """The kind of a choice that must be written in full in a line.

    A word with the same first letters may belong to another slot.
    """

    def read(self, words: WordCursor) -> SlotValue | None:
        """Read a choice; a slot that may be skipped gives None unless the choice is written in full."""
        if words.can_skip and words.next_word not in words.slot.choices:
            return None
        return super().read(words)


class FlagKind(ChoiceKind):
    """The kind of a flag: a single word that is present or absent."""

    is_flag = True

    def read(self, words: WordCursor) -> SlotValue | None:
        words.at += 1
        return True

    def write(self, slot: Slot, value: SlotValue) -> list[str]:
        return [slot.choices[0]] if value else []


class CountKind(ReadKind):
    """The kind of a whole number from `least` to `most`."""

    grows = False

    def read(self, words: WordCursor) -> SlotValue | None:
        return _read_count(words)

    def format_placeholder(self, slot: Slot) -> str:
        return "N" if slot.keyword else slot.name.upper()


def _read_count(words: WordCursor) -> int:
    """Read the next word as a whole number within the limits of the slot, or refuse it."""
    word, slot = words.take_word(), words.slot
    if not NUMBER.fullmatch(word) or not slot.least <= int(word) <= slot.most:
        raise words.build_fault(f"{slot.label}: “{word}” is not a number from {slot.least} to {slot.most}")
    return int(word)


_UNITS = {unit: unit for unit in ("in", "mm", "cm")} | dict.fromkeys(("″", '"', "”"), "in")
DECIMALS = 6
"""The decimal places that the text of a distance keeps."""
_FIGURE = re.compile(r"(\d{0,6})(?:\.(\d{1,6})|([¼½¾⅛⅜⅝⅞]))?(.*)", re.ASCII)
_VULGAR: Mapping[str | None, Fraction] = {
    None: Fraction(0),
    **dict(zip("⅛¼⅜½⅝¾⅞", (Fraction(eighths, 8) for eighths in range(1, 8)), strict=True)),
}
_COMMA_BETWEEN = re.compile(r"\d,\d")


class MeasureKind(ReadKind):
    """The kind of a distance, of one of `choices`, or (with `bare`) of a plain number.

    A number without a unit is in the unit of the slot, or else of the table, if only a distance is possible.
    A distance in another measure of the table's scale is converted into the table's unit.
    """

    def read(self, words: WordCursor) -> SlotValue | None:
        """Read a number (if the slot is `bare`), a distance or one of the choices.

        Returns:
            The value, or None if the word is left to a later slot or to the dice.

        Raises:
            OrderRefused: The word is none of these and can belong to no other slot.
        """
        slot, word = words.slot, words.next_word
        if NUMBER.fullmatch(word) and _read_unit_word(words) == "":
            if slot.bare:
                return _read_count(words)
            if words.can_skip:
                # The number may be a die.
                return None
        # `4,5` may be two dice after an empty slot.
        if _COMMA_BETWEEN.search(word) and not (words.can_skip and are_dice(word)):
            raise words.build_fault(f"{slot.label}: “{word}”: write a distance with a point, like 4.5")
        distance = _read_distance(words)
        if distance is not None:
            return distance
        example = "".join(f", 2{unit}" for unit in list(words.scope.measures)[:1])
        expected = [*slot.choices, f"a distance with its unit (4.5in, 112mm, 11cm{example})"]
        if slot.bare:
            expected.insert(0, f"a number from {slot.least} to {slot.most}")
        return read_choice(words, slot.choices, " or ".join(expected))

    def format_placeholder(self, slot: Slot) -> str:
        """Return the slot's value as the help prints it.

        After a keyword this is the unit, `N` or `DISTANCE`; else the choices with `DISTANCE`, or the slot's
        name if it has no choices.
        """
        if slot.keyword:
            return slot.unit.upper() or ("N" if slot.bare else "DISTANCE")
        return "|".join((*slot.choices, "DISTANCE")) if slot.choices else slot.name.upper()


def _read_unit_word(words: WordCursor) -> str:
    """Return the unit that follows a number as a separate word, as in `41 cm`, or ""."""
    next_words = words.remaining[1:2]
    return _find_unit(next_words[0].lower(), words) if next_words else ""


def _find_unit(sign: str, words: WordCursor) -> str:
    """Return the unit that a sign stands for, as `″` for inches, or ""."""
    return sign if sign in words.scope.measures else _UNITS.get(sign, "")


def has_unit(words: WordCursor) -> bool:
    """Return whether the next word is a number with its unit, as `4.5in` or `41 cm`."""
    match = _FIGURE.fullmatch(_read_figure(words))
    if match is None:
        return False
    *digits, sign = match.groups()
    unit = _find_unit(sign, words) if sign else _read_unit_word(words)
    return any(digits) and unit != ""


def _read_figure(words: WordCursor) -> str:
    """Return the next word, without the sign of an estimate if the slot may hold one."""
    return words.next_word.removeprefix(ESTIMATE_SIGN) if words.slot.to else words.next_word


def _read_distance(words: WordCursor) -> Distance | None:
    """Read a distance from the next words.

    Returns:
        The distance, or None if the words are no number, or a number without a unit and no unit is known.

    Raises:
        OrderRefused: The distance is metric and the battle is measured in inches, or the reverse.
    """
    figure = _read_figure(words)
    match = _FIGURE.fullmatch(figure)
    if match is None:
        return None
    whole, decimals, vulgar, sign = match.groups()
    if not (whole or decimals or vulgar):
        return None
    unit_word = ""
    if sign:
        unit = _find_unit(sign, words)
    else:
        unit_word = _read_unit_word(words)
        unit = unit_word or words.slot.unit or words.scope.unit
    if not unit:
        return None
    amount = Fraction(f"{whole or 0}.{decimals or 0}") + _VULGAR[vulgar]
    if unit in words.scope.measures:
        amount = round(amount * words.scope.measures[unit], DECIMALS)
        unit = words.scope.unit
    # `_read_figure` leaves out the sign of an estimate.
    is_estimated = figure != words.next_word
    distance = Distance(amount, unit, is_estimated)
    battle = words.scope.battle
    metric = battle is not None and battle.table.get("units") == "metric"
    if battle is not None and distance.is_metric != metric:
        family = "millimetres or centimetres" if metric else "inches"
        raise OrderRefused(f"{distance}: this battle is measured in {family}")
    words.at += 2 if unit_word else 1
    return distance


class DieKind(ReadKind):
    """The kind of a die in the middle of an order; its face is added to the dice of the order."""

    grows = False

    def read(self, words: WordCursor) -> SlotValue | None:
        """Add the face to the dice of the order if the next word is one; the slot itself has no value."""
        die = expand_face_keys(words.next_word).strip() if words.scope.has_face_keys else words.next_word
        if NUMBER.fullmatch(die):
            words.take_word()
            words.dice.append(int(die))
        return None


class ActNumberKind(ReadKind):
    """The kind of the number of an act."""

    grows = False

    def read(self, words: WordCursor) -> SlotValue | None:
        """Read the number of an act, which need not exist; any other word is refused."""
        word = words.take_word()
        if not NUMBER.fullmatch(word):
            raise words.build_fault(f"{words.slot.label}: “{word}” is not a number")
        return int(word)


class SideKind(ReadKind):
    """The kind of a side."""

    noun: ClassVar = "side"

    def read(self, words: WordCursor) -> SlotValue | None:
        """Read a name, and return the id of the thing that it names."""
        id, word_count = find_named(words.remaining, self.list_named(words), words.scope.reach, self.noun)
        words.at += word_count
        return id

    def list_candidates(self, letters: str, words: WordCursor) -> tuple[Candidate, ...]:
        return names.list_candidates(letters, self.list_named(words))

    def list_named(self, words: WordCursor) -> list[Named]:
        """List the things that the slot may name."""
        return words.scope.list_sides()


class ShipSlotKind(SideKind):
    """The kind of a ship of the battle; once the order names a ship, enemies come first."""

    noun = names.SHIP
    holds_ships = True

    def list_named(self, words: WordCursor) -> list[Named]:
        first = words.first_ship
        return words.scope.list_ships(first.side if first else "", words.slot.likely)

    def list_candidates(self, letters: str, words: WordCursor) -> tuple[Candidate, ...]:
        """List the ships that letters may mean.

        If the slot is for a foe of the first ship and an enemy matches best, only enemies are listed.
        """
        candidates = super().list_candidates(letters, words)
        firer = words.first_ship
        if not words.slot.foe or firer is None:
            return candidates
        ships = words.scope.required_battle.ships
        foes = tuple(ship for ship in candidates if ships[ship.text].side != firer.side)
        # A friend that matches best is kept, so that the refusal can say why.
        return foes if foes[:1] == candidates[:1] else candidates


class ShipsKind(ShipSlotKind):
    """The kind of ships separated by commas, or of @division for all its ships afloat."""

    def read(self, words: WordCursor) -> SlotValue | None:
        """Read ships separated by commas, or `@division` for all ships afloat of that division.

        A division without a ship afloat is refused.
        """
        if not words.next_word.startswith("@"):
            return _read_ships(words, self.list_named(words))
        division = _read_division_id(words)
        ships = words.scope.required_battle.ships.values()
        ids = tuple(ship.id for ship in ships if ship.division == division and ship.afloat)
        if not ids:
            raise OrderRefused(f"division @{division} has no ship afloat")
        return ids

    def list_candidates(self, letters: str, words: WordCursor) -> tuple[Candidate, ...]:
        """List the ships or divisions that the letters after the last comma may mean."""
        last = letters.rpartition(",")[2].strip()
        if last.startswith("@"):
            return _list_divisions(last, words)
        return super().list_candidates(last, words)


def _read_ships(words: WordCursor, among: list[Named]) -> SlotValue:
    """Read names of ships separated by commas, and return each id once; a missing name is refused."""
    label = words.slot.label
    # Names may contain spaces, so each comma is split off as a word and ends the name before it.
    pieces = [part for word in words.remaining for part in _split_pieces(word)]
    ids: list[str] = []
    place = 0
    while True:
        ahead = pieces[place:]
        comma_at = ahead.index(",") if "," in ahead else len(ahead)
        if comma_at == 0:
            raise words.build_fault(f"{label}: a ship's name is missing")
        id, word_count = find_named(ahead[:comma_at], among, words.scope.reach, names.SHIP)
        if id not in ids:
            ids.append(id)
        place += word_count
        if pieces[place : place + 1] != [","]:
            break
        place += 1
        if place == len(pieces):
            words.take_all()
            raise words.build_fault(f"{label}: a ship is missing after the comma")
    # Take the words from which the used pieces were split.
    while place:
        place -= len(_split_pieces(words.take_word()))
    return tuple(ids)


def _split_pieces(word: str) -> list[str]:
    """Split a word at its commas; each comma is a piece too."""
    return [part for part in re.split("(,)", word) if part]


def _read_division_id(words: WordCursor) -> str:
    """Read the name of a division, with or without @ before it, and return its id."""
    first_word, *later_words = words.remaining
    ahead = [first_word.lstrip("@"), *later_words]
    id, word_count = find_named(ahead, words.scope.list_divisions(), words.scope.reach, "division")
    words.at += word_count
    return id


def _list_divisions(letters: str, words: WordCursor) -> tuple[Candidate, ...]:
    """List the divisions that letters may mean, with @ before each."""
    divisions = names.list_candidates(letters.lstrip("@"), words.scope.list_divisions())
    return tuple(Candidate(f"@{division.text}", f"@{division.text}") for division in divisions)


class SharesKind(ReadKind):
    """The kind of single ships with their own values of a shared slot: `fuji 7, asahi,mikasa 6`.

    Ships without a value have the value that follows after them.
    """

    def read(self, words: WordCursor) -> SlotValue | None:
        """Read the values of single ships, such as `fuji 7, asahi,mikasa 6`; return them by the ships' ids.

        Raises:
            OrderRefused: A ship is missing, unknown, named twice or not in the order, or the last one has no
                value.
        """
        slot, among = words.slot, _list_ordered_ships(words)
        shared = words.form.find_slot(slot.shares)
        ids = words.slots.get(words.form.slots[0].name)
        assert shared is not None
        # A copy in which each comma is a separate word.
        pieces = words.with_slot(shared)
        pieces.words = [part for word in words.remaining for part in _split_pieces(word)]
        pieces.at = 0
        shares: dict[str, SlotValue] = {}
        waiting_ids: list[str] = []
        while True:
            ahead = pieces.remaining
            comma_at = ahead.index(",") if "," in ahead else len(ahead)
            if comma_at == 0:
                raise words.build_fault(f"{slot.label}: a ship is missing")
            id, word_count = find_named(ahead[:comma_at], among, words.scope.reach, "ship of this order")
            if not isinstance(ids, tuple) or id not in ids:
                raise words.build_fault(f"{slot.label}: “{id}” is not a ship of this order")
            if id in shares or id in waiting_ids:
                raise words.build_fault(f"{slot.label}: “{id}” is named twice")
            # The ship has the next value that follows, perhaps after further ships.
            waiting_ids.append(id)
            pieces.at += word_count
            if not pieces.is_at_end and pieces.next_word != ",":
                value = as_read_kind(shared).read(pieces)
                if value is not None:
                    shares.update(dict.fromkeys(waiting_ids, value))
                waiting_ids = []
            if pieces.is_at_end or pieces.next_word != ",":
                break
            pieces.at += 1
        if waiting_ids:
            raise words.build_fault(f"{slot.label}: {shared.label} is missing")
        # Take the words from which the used pieces were split.
        while pieces.at:
            pieces.at -= len(_split_pieces(words.take_word()))
        return shares

    def list_candidates(self, letters: str, words: WordCursor) -> tuple[Candidate, ...]:
        return names.list_candidates(letters.rpartition(",")[2].strip(), _list_ordered_ships(words))

    def write(self, slot: Slot, value: SlotValue) -> list[str]:
        """Write the values as they are typed: `but fuji 7, asahi 6`."""
        if isinstance(value, Mapping):
            value = ", ".join(f"{id} {share}" for id, share in value.items())
        return super().write(slot, value)

    def format_placeholder(self, slot: Slot) -> str:
        return f"SHIP {slot.shares.upper()}, ..."


def _list_ordered_ships(words: WordCursor) -> list[Named]:
    """List the ships in the first slot of the order."""
    ids = words.slots.get(words.form.slots[0].name)
    return [named for named in words.scope.list_ships() if isinstance(ids, tuple) and named.id in ids]


class DivisionKind(ReadKind):
    """The kind of a division: @division."""

    def read(self, words: WordCursor) -> SlotValue | None:
        return "@" + _read_division_id(words)

    def list_candidates(self, letters: str, words: WordCursor) -> tuple[Candidate, ...]:
        return _list_divisions(letters, words)


class ArrivalsKind(ReadKind):
    """The kind of ships that have yet to join, to the end of the line, with or without commas."""

    takes_rest = True
    separator = " "

    def read(self, words: WordCursor) -> SlotValue | None:
        """Read ships to the end of the line, with or without commas, each once; at least one is required."""
        among = _list_arriving(words)
        ids: list[str] = []
        for part in " ".join(words.take_all()).split(","):
            ahead = part.split()
            while ahead:
                id, word_count = self._find_arriving(ahead, among, words)
                ahead = ahead[word_count:]
                if id not in ids:
                    ids.append(id)
        if not ids:
            raise words.build_fault(f"{words.slot.label}: a name is missing")
        return tuple(ids)

    def list_candidates(self, letters: str, words: WordCursor) -> tuple[Candidate, ...]:
        """List the ships that letters after the last comma may mean: arriving ones, then ones from elsewhere.

        Ships from elsewhere (`Scope.elsewhere`) need at least one letter.
        """
        _, _, last = letters.rpartition(",")
        last = last.strip()
        arriving = names.list_candidates(last, _list_arriving(words))
        elsewhere = names.list_candidates(last, words.scope.elsewhere()) if last else ()
        return (*arriving, *elsewhere)

    def _find_arriving(self, ahead: list[str], among: list[Named], words: WordCursor) -> tuple[str, int]:
        """Find the ship that the next words name.

        Ships of `among` come before ships from elsewhere, but a complete id wins over a part of a name.

        Returns:
            Her id, and the number of words used.

        Raises:
            OrderRefused: She is in the battle already, or the name is unknown or not clear.
        """
        battle_ships = words.scope.battle.ships if words.scope.battle else {}
        first_word, reach = ahead[0].lower(), words.scope.reach
        if reach is Reach.FULL or any(ship.id == first_word for ship in among):
            return find_named(ahead, among, reach, names.SHIP)
        present = battle_ships.get(first_word)
        if present is not None and present.status != WITHDRAWN:
            raise OrderRefused(f"{present.name} is in the battle already, {present.status}")
        elsewhere = words.scope.elsewhere()
        is_id_elsewhere = any(ship.id == first_word for ship in elsewhere)
        if elsewhere and (is_id_elsewhere or not list_fitting(first_word, among, Reach.ANYWHERE)):
            among = list(elsewhere)
        return find_named(ahead, among, reach, names.SHIP)


def _list_arriving(words: WordCursor) -> list[Named]:
    """List the ships that may still join, and withdrawn ships that may come back.

    The list is empty if all ids are complete, as in a save.
    """
    if words.scope.reach is Reach.FULL:
        return []
    withdrawn = (ship for ship in words.scope.required_battle.ships.values() if ship.status == WITHDRAWN)
    return [Named(ship.id, ship.name) for ship in (*words.scope.arrivals().values(), *withdrawn)]


class NameKind(ReadKind):
    """The kind of a word from a list that depends on the battle; without a list, of any word.

    Args:
        declared: Function that gives the list, or None for any word. It is not called without a battle.
    """

    def __init__(self, declared: Callable[[WordCursor], Iterable[str] | None]) -> None:
        self._declared = declared

    def read(self, words: WordCursor) -> SlotValue | None:
        """Read a word of the list by its first letters, or any word if there is no list.

        A word that begins no name of the list is refused.
        """
        choices = self.list_choices(words)
        if choices is None:
            return words.take_word().lower()
        if not list_begun_words(words.next_word, choices):
            raise self.build_refusal(words, choices)
        return read_choice(words, choices, f"one of {', '.join(choices)}")

    def build_refusal(self, words: WordCursor, choices: tuple[str, ...]) -> OrderRefused:
        """Build the refusal of a word that is not in the list."""
        label, ship = words.slot.label, words.first_ship
        reason = f"{label}: “{words.next_word}” is not one of {', '.join(choices)}"
        if words.slot.listed and ship is not None:
            reason = f"{label}: {ship.name} has {', '.join(choices) or 'none'}, not “{words.next_word}”"
        return words.build_fault(reason, offers=True)

    def list_choices(self, words: WordCursor) -> tuple[str, ...] | None:
        """List the words that the slot takes, or return None if it takes any word, as without a battle."""
        declared_words = self._declared(words) if words.scope.battle else None
        return None if declared_words is None else tuple(declared_words)

    def list_candidates(self, letters: str, words: WordCursor) -> tuple[Candidate, ...]:
        return list_closed_candidates(letters, self.list_choices(words) or ())


def _list_names_on_card(words: WordCursor) -> tuple[str, ...] | None:
    """List the names that the slot may hold, from the card of the order's first ship.

    The result is None if no ship is named yet, or if the slot does not take its names from a card.
    """
    ship, listed = words.first_ship, words.slot.listed
    return list_card_names(ship, listed) if listed and ship is not None else None


class KnownNameKind(NameKind):
    """The kind of a field of a ship or a switch of the rules; a refusal lists every valid name."""

    def build_refusal(self, words: WordCursor, choices: tuple[str, ...]) -> OrderRefused:
        what = words.slot.label.removeprefix("the ")
        return OrderRefused(impossible(f"no {what} “{words.next_word}”: {', '.join(choices)}", offers=True))


COMPASS = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")
"""The edges of the table that an order may always name."""


class EdgeKind(NameKind):
    """The kind of an edge of the table: a compass point, or an edge that a condition of victory names.

    Its slot follows the slot for the ship's status. If that is empty, the word must be a status, so that an
    edge without a status is refused in a dialog as in a line.
    """

    def read(self, words: WordCursor) -> SlotValue | None:
        """Read an edge. Without a status before it, refuse the word with the message for a wrong status.

        In a typed line the word would be read as the status and refused so. A dialog fills fields by name,
        and must give the same message.
        """
        status_slot = words.form.slots[words.form.slots.index(words.slot) - 1]
        if status_slot.name not in words.slots:
            # Read on a copy, only for the refusal.
            as_read_kind(status_slot).read(words.with_slot(status_slot))
        return super().read(words)


class TextKind(ReadKind):
    """The kind of free text: all words to the end of the line."""

    takes_rest = True
    grows = False
    separator = " "

    def read(self, words: WordCursor) -> SlotValue | None:
        return tuple(words.take_all())


class CodesKind(TextKind):
    """The kind of damage codes, to the end of the line, with or without commas."""

    def read(self, words: WordCursor) -> tuple[str, ...]:
        return tuple(part for word in words.take_all() for part in word.split(",") if part)


class AnswerKind(CodesKind):
    """The kind of an answer to an owed question: an offered word, a ship among those words, or free text."""

    grows = True

    def read(self, words: WordCursor) -> tuple[str, ...]:
        """Read an answer; first words that mean a single offered word or ship become that word or id."""
        typed_words = super().read(words)
        question = words.question
        if question is None or not typed_words:
            return typed_words
        matches = list_begun_words(typed_words[0], question.words)
        if len(matches) == 1:
            return (*matches, *typed_words[1:])
        among = _list_offered_ships(words)
        if not among:
            return typed_words
        try:
            id, word_count = find_named(typed_words, among, words.scope.reach, names.SHIP)
        except OrderRefused:
            return typed_words
        return (id, *typed_words[word_count:]) if id else typed_words

    def list_candidates(self, letters: str, words: WordCursor) -> tuple[Candidate, ...]:
        """List the offered words that letters may mean, then the offered ships by their names.

        Without a question there are none.
        """
        question = words.question
        if question is None:
            return ()
        ships = names.list_candidates(letters, _list_offered_ships(words))
        ids = {ship.text for ship in ships}
        return (
            *(word for word in list_closed_candidates(letters, question.words) if word.text not in ids),
            *ships,
        )


def _list_offered_ships(words: WordCursor) -> list[Named]:
    """List the ships of the battle that are among the words offered for the question."""
    question = words.question
    offered = question.words if question else ()
    return [ship for ship in words.scope.list_ships() if ship.id in offered]


class KeyKind(ReadKind):
    """The kind of the key of an owed question; without it, the first question that the order can answer."""

    def read(self, words: WordCursor) -> SlotValue | None:
        """Read a word with `/` as a key; any other is left to a later slot (None), or refused."""
        if "/" in words.next_word:
            return words.take_word().lower()
        words.skip_slot(f"{words.slot.label}: “{words.next_word}” is not the key of an owed roll or question")
        return None

    def list_candidates(self, letters: str, words: WordCursor) -> tuple[Candidate, ...]:
        return list_closed_candidates(letters, tuple(owed.key for owed in words.scope.required_battle.owed))


SHIP, SHIPS, SHARES = ShipSlotKind(), ShipsKind(), SharesKind()
SIDE, DIVISION, ARRIVALS = SideKind(), DivisionKind(), ArrivalsKind()
NAME = NameKind(_list_names_on_card)
EDGE = EdgeKind(lambda words: dict.fromkeys((*words.scope.required_battle.plan.edges, *COMPASS)))
FIELD = KnownNameKind(lambda words: words.scope.vocabulary.fields)
SWITCH = KnownNameKind(lambda words: words.scope.vocabulary.switches)
SETTING = NameKind(
    lambda words: words.scope.vocabulary.switches.get(str(next(iter(words.slots.values()), "")))
)
DEPARTURE = NameKind(lambda words: words.scope.vocabulary.departures)
CHOICE, WHOLE_WORD, FLAG = ChoiceKind(), WholeWordKind(), FlagKind()
COUNT, MEASURE, DIE = CountKind(), MeasureKind(), DieKind()
NUMBER_OF_ACT = ActNumberKind()
TEXT, CODES, ANSWER = TextKind(), CodesKind(), AnswerKind()
KEY = KeyKind()
PLAY_ORDER = TextKind()
"""The kind of the order inside a correction; the parser reads it by its own form."""


def build_flag_slot(word: str, label: str, bears: tuple[End, ...] = (), shows: tuple[End, ...] = ()) -> Slot:
    """Build the slot for a flag, whose name is the word itself; `bears` and `shows` as in `Slot`."""
    return Slot(word, FLAG, label, choices=(word,), optional=True, bears=bears, shows=shows)


def build_shares_slot(shared: str) -> Slot:
    """Build the slot for single ships' own values, in place of the order's value of the slot `shared`."""
    return Slot("but", SHARES, "a ship's own share", keyword="but", optional=True, shares=shared)


def find_absent_ship(slots: tuple[Slot, ...], values: Mapping[str, SlotValue], battle: Battle) -> str:
    """Find a ship in the slots that is not in the battle, for an order that was read on another battle.

    Returns:
        The fault, or "" if all ships are there.
    """
    for slot in slots:
        value = values.get(slot.name, ()) if slot.kind.holds_ships else ()
        ids = value if isinstance(value, tuple) else (value,)
        for id in ids:
            if id not in battle.ships:
                return f"no ship “{id}”"
    return ""
