"""What the lines of a save say, first to last: each must be one that can stand behind those before it."""

from collections.abc import Iterable, Sequence
from copy import copy

from qf_tui.core.acts import Correction, CorrectionKind, Entry, LogAct
from qf_tui.journal.codec import Header, LineDecoder, RulesOf
from qf_tui.journal.lines import Misread, parsed


class Unfit(ValueError):
    """A line whose checksum fits and which no save can have at its place (0: the header); says why."""

    def __init__(self, place: int, why: object) -> None:
        super().__init__(str(why))
        self.place = place


class LogReader:
    """Reads the lines of one save in their order; Unfit for one that cannot be there, and then no others."""

    def __init__(self, rules_of: RulesOf) -> None:
        self._decoder = LineDecoder(rules_of)
        self._entries: set[int] = set()
        self._place = 0

    @property
    def format(self) -> int:
        """The format of the last line."""
        return self._decoder.format

    def header(self, body: bytes) -> Header:
        """The header."""
        try:
            return self._decoder.header(parsed(body))
        except Misread as fault:
            raise Unfit(0, fault) from None

    def acts(self, bodies: Sequence[bytes]) -> tuple[LogAct, ...]:
        """The acts that come next."""
        before = copy(self._decoder)
        acts: Iterable[LogAct]
        try:
            acts = self._at_once(bodies)
        except Misread:
            self._decoder = before
            acts = (self._one(place, body) for place, body in enumerate(bodies, start=self._place + 1))
        log: list[LogAct] = []
        for act in acts:
            self._place += 1
            misfit = _misfit(act, self._place, self._entries)
            if misfit:
                raise Unfit(self._place, misfit)
            if isinstance(act, Entry):
                self._entries.add(self._place)
            log.append(act)
        return tuple(log)

    def _at_once(self, bodies: Sequence[bytes]) -> list[LogAct]:
        """All acts, parsed as one list, which takes a third of the time."""
        raw = parsed(b"[" + b",".join(bodies) + b"]")
        if not isinstance(raw, list) or len(raw) != len(bodies):
            raise Misread("not one act a line")
        return [self._decoder.act(body) for body in raw]

    def _one(self, place: int, body: bytes) -> LogAct:
        try:
            return self._decoder.act(parsed(body))
        except Misread as fault:
            raise Unfit(place, fault) from None


def _misfit(act: LogAct, place: int, entries: set[int]) -> str | None:
    """What an act says that cannot be true at its place: a log folds only if its numbers lead somewhere."""
    fault = misplaced(act, place, entries)
    if fault:
        return fault
    ruled = act.rulings.keys() - entries
    if isinstance(act, Entry):
        if place not in ruled:
            return "it does not say what became of it"
        ruled.discard(place)
    return f"it rules on {min(ruled)}, which is no entry before it" if ruled else None


def misplaced(act: LogAct, place: int, entries: set[int]) -> str | None:
    """What an act says of its place and of others that cannot be true, whatever was decided of it.

    `entries` are the numbers of those before it.
    """
    if act.number != place:
        return f"it bears the number {act.number}: a line was lost, doubled or moved"
    if act.after and act.after not in entries:
        return f"it stands after {act.after}, which is no entry before it"
    if isinstance(act, Correction):
        return _misfit_correction(act, place, entries)
    if act.before is not None and act.before not in entries:
        return f"it stands ahead of {act.before}, which is no entry before it"
    return None


def _misfit_correction(act: Correction, place: int, entries: set[int]) -> str | None:
    wrong = [target for target in act.targets if not 0 < target < place]
    amends, shifts = act.kind is CorrectionKind.AMEND, act.kind is CorrectionKind.SHIFT
    if wrong or not act.targets:
        return f"it corrects {wrong[0] if wrong else 'nothing'}, which is no act before it"
    brings = act.version is not None
    if (amends and not brings) or (brings and not amends and not shifts) or shifts != (act.after is not None):
        return f"a correction of the kind {act.kind} with too much or too little"
    if (amends or shifts) and not entries.issuperset(act.targets):
        return "it corrects what is no entry"
    return "it amends more than one entry" if amends and len(act.targets) > 1 else None
