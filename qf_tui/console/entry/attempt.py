"""What became of an order that was to be entered."""

from collections.abc import Callable

from attrs import frozen

from qf_tui.console.reading.refusal import REFUSED, Findings, against, only_rules
from qf_tui.core.errors import OrderRefused, QfError
from qf_tui.core.revisions import Revision
from qf_tui.journal.saving import NotRecorded


@frozen
class Attempt:
    """What became of a line: `entered`, or in words why not, by `findings` if an order was refused.

    `lost`: the disk did not take it.
    """

    entered: Revision | None = None
    why: str = ""
    findings: Findings = ()
    lost: bool = False

    @property
    def text(self) -> str:
        """Why not, as it is shown."""
        return self.why if self.lost or not self.why else f"{REFUSED} {self.why}"

    @property
    def forceable(self) -> bool:
        """Whether only rules stand against it."""
        return only_rules(self.findings)

    @classmethod
    def refused(cls, findings: Findings) -> "Attempt":
        """An order that findings stand against."""
        return cls(why=against(findings), findings=findings)


def attempted(enter: Callable[[], Revision]) -> Attempt:
    """What became of an order, whatever comes of it.

    No error of a person's making leaves here as an exception.
    """
    try:
        return Attempt(enter())
    except OrderRefused as refusal:
        return Attempt.refused(refusal.findings)
    except NotRecorded as fault:
        return Attempt(why=str(fault), lost=True)
    except QfError as fault:
        return Attempt(why=str(fault))
