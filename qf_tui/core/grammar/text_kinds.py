"""The kinds of slot that hold words as they are: remarks, codes, answers, keys, whole orders."""

from qf_tui.core.errors import OrderRefused
from qf_tui.core.grammar import names
from qf_tui.core.grammar.kind import SlotKind
from qf_tui.core.grammar.names import Candidate, Named, begun, closed, find
from qf_tui.core.grammar.order import SlotValue
from qf_tui.core.grammar.scope import Words


class TextKind(SlotKind):
    """All words to the end of the line."""

    takes_rest = True
    grows = False
    joint = " "

    def read(self, words: Words) -> SlotValue | None:
        return tuple(words.take_all())


class CodesKind(TextKind):
    """Damage codes, to the end of the line, with commas between them or not."""

    def read(self, words: Words) -> SlotValue | None:
        return _codes(words)


def _codes(words: Words) -> tuple[str, ...]:
    return tuple(part for word in words.take_all() for part in word.split(",") if part)


class AnswerKind(TextKind):
    """The answer to an owed question: one of the words that it offers, a ship among them, or free words."""

    grows = True

    def read(self, words: Words) -> SlotValue | None:
        given = _codes(words)
        question = words.question
        if question is None or not given:
            return given
        found = begun(given[0], question.words)
        if len(found) == 1:
            return (*found, *given[1:])
        among = _offered_ships(words)
        try:
            id, used = find(given, among, words.scope.reach, names.SHIP) if among else ("", 0)
        except OrderRefused:
            return given
        return (id, *given[used:]) if id else given

    def candidates(self, letters: str, words: Words) -> tuple[Candidate, ...]:
        question = words.question
        if question is None:
            return ()
        ships = names.candidates(letters, _offered_ships(words))
        ids = {one.text for one in ships}
        return (*(one for one in closed(letters, question.words) if one.text not in ids), *ships)


def _offered_ships(words: Words) -> list[Named]:
    question = words.question
    offered = question.words if question else ()
    return [ship for ship in words.scope.ships() if ship.id in offered]


class KeyKind(SlotKind):
    """The key of an owed question; left out: the first that the order can answer."""

    def read(self, words: Words) -> SlotValue | None:
        if "/" in words.next:
            return words.take().lower()
        words.left_out(f"{words.slot.label}: “{words.next}” holds no key of what is owed")
        return None

    def candidates(self, letters: str, words: Words) -> tuple[Candidate, ...]:
        return closed(letters, tuple(owed.key for owed in words.scope.there.owed))


class PlayOrderKind(TextKind):
    """An order of play within a correction; the reader reads it by its own form."""
