"""What every kind of slot has: how it is read from words, what it may hold, how it is written.

`read` takes words off and gives the value; None where an optional slot's words are not there; OrderRefused
where they are none of it. `candidates` are what keys offer for the letters of a slot.
"""

import re
from typing import ClassVar

from qf_tui.core.grammar.forms import Slot
from qf_tui.core.grammar.names import Candidate, begun, closed
from qf_tui.core.grammar.order import SlotValue
from qf_tui.core.grammar.scope import Words

NUMBER = re.compile(r"\d{1,9}", re.ASCII)
"""A whole number, as a count is typed."""


class SlotKind:
    """What fills a slot: `words.slot` is the one that is read."""

    takes_rest: ClassVar[bool] = False
    """Whether it takes all words to the end of the line."""
    is_flag: ClassVar[bool] = False
    """Whether it is one word that stands or not."""
    grows: ClassVar[bool] = True
    """Whether more letters behind a word that fits may yet make another of it."""
    joint: ClassVar[str] = ","
    """What stands between several values."""
    holds_ships: ClassVar[bool] = False
    """Whether its values are ids of ships of the battle."""

    def read(self, words: Words) -> SlotValue | None:
        """The value of the next words."""
        raise NotImplementedError

    def candidates(self, letters: str, words: Words) -> tuple[Candidate, ...]:
        """What the letters may mean; `words` has the slots before it."""
        slot, battle = words.slot, words.scope.battle
        found = closed(letters, slot.choices)
        if slot.offered is None or battle is None:
            return found
        called = ((one.text, slot.offered(battle, one.text)) for one in found)
        return tuple(Candidate(text, label) for text, label in called if label)

    def write(self, slot: Slot, value: SlotValue) -> list[str]:
        """The words of a value, its keyword first."""
        text = self.joint.join(map(str, value)) if isinstance(value, tuple) else str(value)
        return [slot.keyword, text] if slot.keyword else [text]

    def sign(self, slot: Slot) -> str:
        """The slot's body as the help writes it."""
        return slot.name.upper()


def one_of(words: Words, choices: tuple[str, ...], expected: str) -> str | None:
    """The one of a closed list that the next word means; None where an optional slot is left out."""
    found = begun(words.next, choices)
    if len(found) == 1:
        words.at += 1
        return found[0]
    against = f"{words.slot.label}: “{words.next}” is not {expected}"
    if found:
        raise words.fault(against, offers=True)
    words.left_out(against, offers=True)
    return None


class ChoiceKind(SlotKind):
    """One of `choices`."""

    def read(self, words: Words) -> SlotValue | None:
        choices = words.slot.choices
        return one_of(words, choices, f"one of {', '.join(choices)}")

    def sign(self, slot: Slot) -> str:
        return "|".join(slot.choices)


class WholeWordKind(ChoiceKind):
    """One of `choices`, which in a line stands in full: what begins like it may be another slot's."""

    def read(self, words: Words) -> SlotValue | None:
        if words.loose and words.next not in words.slot.choices:
            return None
        return super().read(words)


class FlagKind(ChoiceKind):
    """A word that stands or not."""

    is_flag = True

    def read(self, words: Words) -> SlotValue | None:
        words.at += 1
        return True

    def write(self, slot: Slot, value: SlotValue) -> list[str]:
        return [slot.choices[0]] if value else []
