"""The kinds of slot that hold names: ships, sides, divisions, arrivals, and words that the battle knows."""

import re

from qf_tui.core.errors import OrderRefused, impossible
from qf_tui.core.grammar import names
from qf_tui.core.grammar.kind import SlotKind, one_of
from qf_tui.core.grammar.names import Candidate, Named, Reach, begun, closed, find, fitting, listed_names
from qf_tui.core.grammar.order import SlotValue
from qf_tui.core.grammar.scope import Words
from qf_tui.core.values import WITHDRAWN


class ShipKind(SlotKind):
    """One ship."""

    holds_ships = True

    def read(self, words: Words) -> SlotValue | None:
        id, used = find(words.ahead, _ships(words), words.scope.reach, names.SHIP)
        words.at += used
        return id

    def candidates(self, letters: str, words: Words) -> tuple[Candidate, ...]:
        return names.candidates(letters, _ships(words))


def _ships(words: Words) -> list[Named]:
    """The ships of the battle; behind one that the order names, those of another side are the likelier."""
    if words.scope.battle is None:
        return []
    first = words.ship
    return words.scope.ships(first.side if first else "", words.slot.likely)


class ShipsKind(ShipKind):
    """Ships with commas between them, or @division: all of its ships afloat."""

    def read(self, words: Words) -> SlotValue | None:
        return _division_ships(words) if words.next.startswith("@") else _listed_ships(words)

    def candidates(self, letters: str, words: Words) -> tuple[Candidate, ...]:
        last = letters.rpartition(",")[2].strip()
        if last.startswith("@"):
            return _divisions(last, words)
        return super().candidates(last, words)


def _listed_ships(words: Words) -> SlotValue:
    among, label = _ships(words), words.slot.label
    # Names may hold spaces, so each comma becomes a word of its own and bounds the name before it.
    pieces = [part for word in words.ahead for part in _pieces(word)]
    ids: list[str] = []
    at = 0
    while True:
        ahead = pieces[at:]
        bound = ahead.index(",") if "," in ahead else len(ahead)
        if bound == 0:
            raise words.fault(f"{label} is missing")
        id, used = find(ahead[:bound], among, words.scope.reach, names.SHIP)
        ids.extend([id] if id not in ids else [])
        at += used
        if pieces[at : at + 1] != [","]:
            break
        at += 1
        if at == len(pieces):
            words.take_all()
            raise words.fault(f"{label}: a ship is missing after the comma")
    while at:
        at -= len(_pieces(words.take()))
    return tuple(ids)


def _pieces(word: str) -> list[str]:
    return [part for part in re.split("(,)", word) if part]


def _division_ships(words: Words) -> SlotValue:
    division = _division_id(words)
    ships = words.scope.there.ships.values()
    ids = tuple(ship.id for ship in ships if ship.division == division and ship.afloat)
    if not ids:
        raise OrderRefused(impossible(f"division @{division} has no ship afloat"))
    return ids


def _division_id(words: Words) -> str:
    among = words.scope.divisions() if words.scope.battle else []
    first, *more = words.ahead
    id, used = find([first.lstrip("@"), *more], among, words.scope.reach, "division")
    words.at += used
    return id


def _divisions(letters: str, words: Words) -> tuple[Candidate, ...]:
    found = names.candidates(letters.lstrip("@"), words.scope.divisions())
    return tuple(Candidate(f"@{one.text}", f"@{one.text}") for one in found)


class DivisionKind(SlotKind):
    """@division."""

    def read(self, words: Words) -> SlotValue | None:
        return "@" + _division_id(words)

    def candidates(self, letters: str, words: Words) -> tuple[Candidate, ...]:
        return _divisions(letters, words)


class SideKind(SlotKind):
    """A side."""

    def read(self, words: Words) -> SlotValue | None:
        among = words.scope.sides() if words.scope.battle else []
        id, used = find(words.ahead, among, words.scope.reach, "side")
        words.at += used
        return id

    def candidates(self, letters: str, words: Words) -> tuple[Candidate, ...]:
        return names.candidates(letters, words.scope.sides())


class ArrivalsKind(SlotKind):
    """Ships that have yet to join, to the end of the line, with commas between them or not."""

    takes_rest = True
    joint = " "

    def read(self, words: Words) -> SlotValue | None:
        among = _arriving(words)
        ids: list[str] = []
        for part in " ".join(words.take_all()).split(","):
            ahead = part.split()
            while ahead:
                id, used = self._find(ahead, among, words)
                ahead = ahead[used:]
                ids.extend([id] if id not in ids else [])
        if not ids:
            raise words.fault(f"{words.slot.label} are missing")
        return tuple(ids)

    def candidates(self, letters: str, words: Words) -> tuple[Candidate, ...]:
        last = letters.rpartition(",")[2].strip()
        near = names.candidates(last, _arriving(words))
        return (*near, *names.candidates(last, words.scope.elsewhere())) if last else near

    def _find(self, ahead: list[str], among: list[Named], words: Words) -> tuple[str, int]:
        there = words.scope.battle.ships if words.scope.battle else {}
        first, reach = ahead[0].lower(), words.scope.reach
        if reach is not Reach.FULL and not any(one.id == first for one in among):
            known = there.get(first)
            if known is not None and known.status != WITHDRAWN:
                text = f"{known.name} is in the battle already, {known.status}"
                raise OrderRefused(impossible(text))
            elsewhere = words.scope.elsewhere()
            # A name nearby that letters are but a part of leaves a farther one its id in full.
            if any(one.id == first for one in elsewhere) or not fitting(first, among, Reach.ANYWHERE):
                return find(ahead, elsewhere or among, reach, names.SHIP)
        return find(ahead, among, reach, names.SHIP)


def _arriving(words: Words) -> list[Named]:
    """The ships that may still join, and those that withdrew and may come back."""
    if words.scope.reach is Reach.FULL:
        return []
    withdrawn = (ship for ship in words.scope.there.ships.values() if ship.status == WITHDRAWN)
    return [Named(ship.id, ship.name) for ship in (*words.scope.arrivals().values(), *withdrawn)]


class NameKind(SlotKind):
    """One word that the form does not know, or with `listed` one of the names on the first ship's card."""

    def read(self, words: Words) -> SlotValue | None:
        choices = self.choices(words)
        if choices is None:
            return words.take().lower()
        if not begun(words.next, choices):
            raise self.refused(words, choices)
        return one_of(words, choices, f"one of {', '.join(choices)}")

    def choices(self, words: Words) -> tuple[str, ...] | None:
        """The words that it may be; None where any may be."""
        ship, listed = words.ship, words.slot.listed
        return listed_names(ship, listed) if listed and ship is not None else None

    def refused(self, words: Words, choices: tuple[str, ...]) -> OrderRefused:
        """The refusal of a word that is none of the choices."""
        label, ship = words.slot.label, words.ship
        if words.slot.listed and ship is not None:
            had = ", ".join(choices) or "none"
            return words.fault(f"{label}: {ship.name} has {had}, not “{words.next}”", offers=True)
        return words.fault(f"{label}: “{words.next}” is not one of {', '.join(choices)}", offers=True)

    def candidates(self, letters: str, words: Words) -> tuple[Candidate, ...]:
        return closed(letters, self.choices(words) or ())


class FieldNameKind(NameKind):
    """A field of a ship that may be set by hand."""

    def choices(self, words: Words) -> tuple[str, ...] | None:
        return words.scope.vocabulary.fields if words.scope.battle else None

    def refused(self, words: Words, choices: tuple[str, ...]) -> OrderRefused:
        what = words.slot.label.removeprefix("the ")
        return OrderRefused(impossible(f"no {what} “{words.next}”: {', '.join(choices)}", offers=True))


class SwitchKind(FieldNameKind):
    """A switch of the rules."""

    def choices(self, words: Words) -> tuple[str, ...] | None:
        return tuple(words.scope.vocabulary.switches) if words.scope.battle else None


class SettingKind(NameKind):
    """A value of the switch that the order names."""

    def choices(self, words: Words) -> tuple[str, ...] | None:
        name = next(iter(words.slots.values()), "")
        return words.scope.vocabulary.switches.get(str(name)) if words.scope.battle else None


class DepartureKind(NameKind):
    """What may become of a ship by the umpire's word."""

    def choices(self, words: Words) -> tuple[str, ...] | None:
        return words.scope.vocabulary.departures if words.scope.battle else None


COMPASS = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")


class EdgeKind(NameKind):
    """An edge of the table: a point of the compass, or one that a condition of victory names.

    It stands behind the word for what becomes of the ship.
    """

    def read(self, words: Words) -> SlotValue | None:
        how = words.form.slots[words.form.slots.index(words.slot) - 1]
        if how.name not in words.slots:
            how.kind.read(words.on(how))
        return super().read(words)

    def choices(self, words: Words) -> tuple[str, ...] | None:
        battle = words.scope.battle
        return tuple(dict.fromkeys((*battle.plan.edges, *COMPASS))) if battle else None
