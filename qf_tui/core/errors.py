"""The errors that people see, and the objections to an order. Any other exception is a bug in the program."""

from attrs import frozen


class QfError(Exception):
    """An error message for people; it names the fault, its place and the remedy."""


@frozen
class Finding:
    """An objection to an order: a rule refuses it, or it is impossible.

    Attributes:
        text: The objection, as people read it.
        clause: Clause of the rules that is the reason, or "".
        refused: True if a rule refuses the order, so that the umpire may force it. False if the order is
            impossible (no such ship, a 13 on a D12).
        offers: True if the text lists possible words.
    """

    text: str
    clause: str = ""
    refused: bool = False
    offers: bool = False


Findings = tuple[Finding, ...]
"""All findings against an order."""


def is_forcible(findings: Findings) -> bool:
    """Return whether all findings are refusals by rules, so that the umpire may force the order.

    The result is False if there are no findings.
    """
    return bool(findings) and all(finding.refused for finding in findings)


class OrderRefused(QfError):
    """Raised for an order that has no effect.

    Attributes:
        findings: The reasons; the first one decides. A text given as a reason is an impossible finding.
    """

    def __init__(self, *findings: Finding | str) -> None:
        """Keep the findings, and join their texts as the message; a text becomes an `impossible` finding."""
        self.findings = tuple(
            impossible(finding) if isinstance(finding, str) else finding for finding in findings
        )
        super().__init__("; ".join(finding.text for finding in self.findings))

    @property
    def clause(self) -> str:
        """The first clause that a finding names, or ""."""
        return next((finding.clause for finding in self.findings if finding.clause), "")


def impossible(text: str, *, offers: bool = False) -> Finding:
    """Build a finding that the umpire cannot force."""
    return Finding(text, offers=offers)


def refused(text: str, clause: str) -> Finding:
    """Build the refusal of a rule, which the umpire can force."""
    return Finding(text, clause, refused=True)
