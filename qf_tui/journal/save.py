"""What a save holds once it is read, and what is to be said of its end."""

from attrs import field, frozen

from qf_tui.core.acts import LogAct
from qf_tui.journal.beside import END
from qf_tui.journal.codec import Header
from qf_tui.journal.disk_words import printable
from qf_tui.journal.endings import EndMark
from qf_tui.journal.lines import number_of
from qf_tui.journal.log_reader import LogReader

_BLANK = b" \t\r\n"
_READ = frozenset({"dice"})
"""The parts of `extra` that a session reads."""


@frozen
class Save:
    """What a save holds: its header and its log.

    `torn` is a last line that is cut off or damaged (b"" if none), `length` the bytes before it, `first_sum`
    the checksum of the header, `last_sum` that which the next line follows, `format` the format of the last
    line, `ending` where it ended when it was last written, if anything beside it says so. `reader` reads the
    lines that may come.
    """

    name: str = field(eq=False)
    header: Header
    log: tuple[LogAct, ...]
    torn: bytes
    length: int
    first_sum: str
    last_sum: str
    format: int
    ending: EndMark | None = field(eq=False)
    reader: LogReader = field(eq=False, repr=False)

    @property
    def short(self) -> bool:
        """Whether acts are missing at its end that had been recorded."""
        return (self.torn.endswith(b"\n") and not self.stray) or self._recorded > len(self.log)

    @property
    def stray(self) -> bool:
        """Whether what stands behind its last act is no further one: a blank line, or an act again."""
        number = number_of(self.torn)
        again = number is not None and number <= len(self.log)
        return self.torn.endswith(b"\n") and (again or not self.torn.strip(_BLANK))

    @property
    def ends_as_written(self) -> bool:
        """Whether what is remembered beside it says that nothing is missing at its end."""
        return self.ending == EndMark(len(self.log), self.last_sum, self.first_sum)

    @property
    def end_notice(self) -> str:
        """What is wrong with its end, in words; "" if nothing is seen to be."""
        after, recorded = len(self.log) + 1, self._recorded
        if self.stray and recorded < after:
            return (
                f"a line that is no act stands behind act {len(self.log)}: blank, or one of those above again"
            )
        missing = f"act {after} is" if recorded <= after else f"acts {after} to {recorded} are"
        if self.torn.endswith(b"\n"):
            what = (
                f"its last line, line {after + 1}, is damaged: its checksum does not fit, so it was changed "
            )
            return f"{what}after it was written; {missing} lost"
        if recorded >= after:
            cut = f"it was cut off within line {after + 1}" if self.torn else "lines are gone from its end"
            beside = f"it ended with act {recorded} when it was last written, says {self.name}{END}"
            return f"{cut}: {missing} missing; {beside}"
        if not self.torn:
            return ""
        unless = "" if self.ends_as_written else ", unless something has cut it since"
        return f"its last line was cut off ({len(self.torn)} bytes): act {after} was not recorded{unless}"

    @property
    def _recorded(self) -> int:
        """The last act that is remembered beside it, if that is about this save; else 0."""
        same = self.ending is not None and self.ending.first_sum == self.first_sum
        return self.ending.number if self.ending and same else 0

    @property
    def extra_notice(self) -> str:
        """Names the parts of `extra` that this program does not read; "" if there are none."""
        unknown = [f"“{printable(part)}”" for part in self.header.extra if part not in _READ]
        if not unknown:
            return ""
        which = "it" if len(unknown) == 1 else "them"
        return f"it also holds {', '.join(unknown)}: this program does not read {which}, and keeps {which}"
