"""The errors that a person meets (others are faults of the program), and the text a battle may hold."""

import unicodedata

from attrs import frozen

TEXT_MOST = 2000
"""Characters in the longest text that is accepted."""

# Characters that change the direction or the joining of what follows mislead the reader of a terminal.
_DECEIVING = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def unprintable(text: str) -> str | None:
    """Names the first character that may not enter, as `U+001B at 3`, or None."""
    if text.isprintable():
        return None
    for place, character in enumerate(text):
        if unicodedata.category(character) in _DECEIVING:
            return f"U+{ord(character):04X} at {place + 1}"
    return None


def whose(name: str) -> str:
    """A name as owner: `Mikasa's`, `Ships'`."""
    return f"{name}'" if name.endswith("s") else f"{name}'s"


def plural(noun: str) -> str:
    """Several of what a noun names: `batteries`, `torpedo-boats`."""
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("s", "x", "ch", "sh")) else f"{noun}s"


def with_answer(asked: str, answer: str) -> str:
    """What was asked with what is said to it: `direction of Fuji: 2`, `what does Fuji fix? speed`."""
    return f"{asked}{'' if asked.endswith('?') else ':'} {answer}"


def identifier(name: str) -> str:
    """A side's or division's id: its name in lower case with "-" for spaces."""
    return "-".join(name.lower().split())


def value_text(value: object) -> str:
    """A value of a ship as people read it."""
    if value is None or value in ((), []):
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) if isinstance(value, tuple | list) else str(value)


class QfError(Exception):
    """Any message of the program to a person: what is wrong, where, and what to do."""


@frozen
class Finding:
    """One thing that hinders an order.

    `refused` findings come from a rule, name its clause and can be forced;
    the others are impossible (no such ship, a 13 on a D12) and cannot.
    `offers`: the text says what a word may be instead.
    """

    text: str
    clause: str = ""
    refused: bool = False
    offers: bool = False


class OrderRefused(QfError):
    """An order that changes nothing; `findings` say why, the one that decides first."""

    def __init__(self, *findings: Finding) -> None:
        self.findings = findings
        super().__init__("; ".join(finding.text for finding in findings))

    @property
    def clause(self) -> str:
        """The clause that decides: the first one named, or nothing."""
        return next((finding.clause for finding in self.findings if finding.clause), "")


def impossible(text: str, *, offers: bool = False) -> Finding:
    """A finding that cannot be forced."""
    return Finding(text, offers=offers)


def refused(text: str, clause: str) -> Finding:
    """A rule's refusal, which the umpire can force."""
    return Finding(text, clause, refused=True)
