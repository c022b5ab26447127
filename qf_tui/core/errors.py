"""The errors that a person meets; all others are faults of the program."""

from attrs import frozen


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


Findings = tuple[Finding, ...]


def only_rules(findings: Findings) -> bool:
    """Whether there are findings, and only rules among them, which the umpire may overrule."""
    return bool(findings) and all(finding.refused for finding in findings)


class OrderRefused(QfError):
    """An order that changes nothing; `findings` say why, the one that decides first: a text is impossible."""

    def __init__(self, *findings: Finding | str) -> None:
        self.findings = tuple(
            impossible(finding) if isinstance(finding, str) else finding for finding in findings
        )
        super().__init__("; ".join(finding.text for finding in self.findings))

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
