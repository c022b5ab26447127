"""The tray of the open battle: what waits, what would come of it now, and what enters.

Nothing of it is the battle before it is recorded. A proposal is worked out on the battle as it is now; the
entry carries its id, and an id that is in the log, in force or struck, never enters again.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from qf_tui.core.decisions import ON_LOGS, Op
from qf_tui.core.errors import Finding, OrderRefused, QfError, impossible
from qf_tui.core.frozen import evolve, frozen
from qf_tui.core.revisions import Revision
from qf_tui.core.timeline import LogAct
from qf_tui.core.values import Battle, Mark, Order, Owed, dice_code
from qf_tui.journal.lines import written
from qf_tui.journal.saving import Journal
from qf_tui.journal.tray import (
    Declared,
    Proposal,
    RoundClosed,
    RoundOpened,
    SentBack,
    Shown,
    TrayFiles,
    TrayState,
)
from qf_tui.session.session import Session, to_throw


class ProposalLog:
    """The ids of proposals that a log holds, in force or struck, each with its act; read on as it grows."""

    def __init__(self) -> None:
        self._acts: dict[str, int] = {}
        self._read = 0

    def acts(self, log: Sequence[LogAct]) -> Mapping[str, int]:
        """The act of each id in a log; one that was cut is read anew."""
        if len(log) < self._read:
            self._acts, self._read = {}, 0
        for act in log[self._read :]:
            if act.proposal:
                self._acts.setdefault(act.proposal, act.number)
        self._read = len(log)
        return self._acts


def round_key(battle: Battle) -> str:
    """What tells the declarations of this phase from all others."""
    return f"{battle.turn}/{battle.phase}/{battle.opened}"


def result_digest(revision: Revision) -> str:
    """A digest of what an entry does to ships and of what it owes, whatever its number is.

    Equal digests are equal results. "" for an act that brings no entry of its own.
    """
    if revision.ruling is None:
        return ""
    facts: list[list[object]] = []
    for effect in revision.ruling.decision.effects:
        value = effect.value
        if isinstance(value, Owed):
            facts.append([effect.op, value.ship, value.line, dice_code(value.dice), list(value.words)])
        elif isinstance(value, Mark):
            facts.append([effect.op, effect.ship, effect.field, value.kind, value.text])
        elif effect.op in ON_LOGS and effect.op is not Op.LIFT:
            facts.append([effect.op, effect.ship, effect.field, value])
    return sha256(written({"facts": facts})).hexdigest()[:32]


@frozen
class Weighed:
    """A proposal as it would enter now: worked out, or what stands against it.

    `differs` says what has come out otherwise than the player was shown, "" for nothing. `rivals` are those
    who propose the same for the same ship, or answer the same roll.
    """

    proposal: Proposal
    order: Order | None = None
    revision: Revision | None = None
    findings: tuple[Finding, ...] = ()
    differs: str = ""
    rivals: tuple[str, ...] = ()

    @property
    def needs_ruling(self) -> bool:
        """Whether it asks the umpire something that no dice answer."""
        return self.revision is not None and any(not owed.dice for owed in self.revision.owed)

    @property
    def as_shown(self) -> bool:
        """Whether the rules take it, with the result that was shown, and nothing is to be ruled."""
        return self.revision is not None and not (self.differs or self.rivals or self.needs_ruling)


class Tray:
    """The tray of one open battle, whose console alone writes the replies."""

    def __init__(self, session: Session, save: Path, first_sum: str) -> None:
        self._session = session
        self._files = TrayFiles.of(save, first_sum)
        self._log = ProposalLog()
        self.state = TrayState()
        self.look()

    @classmethod
    def of(cls, session: Session) -> "Tray | None":
        """The tray of a session; None for one that has no save of its own to write."""
        journal = session.journal
        if not isinstance(journal, Journal) or not session.writable:
            return None
        return cls(session, journal.path, journal.first_sum)

    def look(self) -> bool:
        """Takes in what was proposed since; whether anything is new."""
        changed = self._files.look()
        if changed:
            self.state = self._files.state
        return changed

    @property
    def entered(self) -> Mapping[str, int]:
        """The proposals that are in the log, in force or struck, each with its act."""
        return self._log.acts(self._session.timeline.log)

    @property
    def waiting(self) -> tuple[Proposal, ...]:
        """What waits for the umpire, in the order in which it came."""
        done = self.entered.keys() | self.state.sent_back.keys()
        return tuple(each for each in self.state.to_enter if each.id not in done)

    def weigh(self, proposal: Proposal) -> Weighed:
        """What would come of a proposal on the battle as it is now."""
        session = self._session
        try:
            order = session.read(proposal.line).complete()
            owed = session.battle.question(order.key) if order.key else None
            differs = self._owed_differs(proposal, owed) if owed is not None else ""
            rivals = self._rivals(proposal, order)
            revision = session.work_out(order)
        except OrderRefused as refusal:
            return Weighed(proposal, findings=refusal.findings)
        except QfError as fault:
            return Weighed(proposal, findings=(impossible(str(fault)),))
        saw = proposal.saw
        if not differs and saw.result and saw.result != result_digest(revision):
            differs = f"the player was shown: {saw.told or 'another result'}"
        return Weighed(proposal, order, revision, differs=differs, rivals=rivals)

    def _rivals(self, proposal: Proposal, order: Order) -> tuple[str, ...]:
        """Who else proposes what only one order can do."""
        others = (each for each in self.waiting if each.id != proposal.id)
        return tuple(each.by for each in others if self._same_deed(order, self._read(each)))

    def _read(self, proposal: Proposal) -> Order | None:
        with suppress(QfError):
            return self._session.read(proposal.line).complete()
        return None

    def _same_deed(self, order: Order, other: Order | None) -> bool:
        if other is None or other.word != order.word:
            return False
        if order.key or other.key:
            return order.key == other.key
        names = [slot.name for slot in order.form.slots if slot.identifies]
        return all(order.slots.get(name) == other.slots.get(name) for name in names)

    def _owed_differs(self, proposal: Proposal, owed: Owed) -> str:
        """What of an owed roll is another than the player saw: its dice, or what they need."""
        saw, dice = proposal.saw, dice_code(owed.dice)
        if saw.dice and saw.dice != dice:
            return f"the player saw {saw.dice}, and {dice} is owed"
        needs = tuple(map(str, to_throw(self._session.system, self._session.battle, owed)))
        if saw.needs and saw.needs != needs:
            return f"the player saw {' · '.join(saw.needs)}, and now it is {' · '.join(needs)}"
        return ""

    def let_in(self, weighed: Weighed) -> Revision:
        """Enters a proposal as it was weighed; OrderRefused if it cannot enter, or is in already."""
        if weighed.proposal.id in self.entered:
            raise OrderRefused("this proposal is in already")
        if weighed.revision is None:
            raise OrderRefused(*weighed.findings)
        return self._session.record(weighed.revision, weighed.proposal)

    def let_in_as_shown(self) -> Iterator[Revision]:
        """Enters one after another all that come out as the player was shown; the others stay."""
        for proposal in self.waiting:
            weighed = self.weigh(proposal)
            if weighed.as_shown:
                yield self.let_in(weighed)

    def owed_as_seen(self) -> Iterator[Weighed]:
        """The proposals of owed rolls whose roll has the key, the dice and the needs that the player saw."""
        for proposal in self.waiting:
            if proposal.dice:
                weighed = self.weigh(proposal)
                if weighed.as_shown and weighed.order is not None and weighed.order.key and proposal.saw.dice:
                    yield weighed

    def send_back(self, proposal: Proposal, why: str) -> None:
        """Sends a proposal back with a word; TrayFault if that cannot be kept."""
        self._reply(SentBack(proposal.id, why))

    # Declarations.

    @property
    def round(self) -> RoundOpened | None:
        """The declarations that are open."""
        return self.state.open_round

    def open_round(self) -> None:
        """Opens declarations for the present phase; OrderRefused where they are open or were closed."""
        key = round_key(self._session.battle)
        if self.round is not None:
            raise OrderRefused(f"declarations are open already: {self.round.phase}")
        if key in self.state.closed:
            raise OrderRefused("the declarations of this phase were closed; its orders enter one by one")
        self._reply(RoundOpened(key, self._session.system.phase_title(self._session.battle)))

    def declare_for(self, proposal: Proposal) -> None:
        """Keeps what the umpire typed for a player."""
        if self.round is None:
            raise OrderRefused("no declarations are open")
        self._reply(Declared(evolve(proposal, round=self.round.round)))

    def declaration(self, seat: str) -> Proposal | None:
        """A declaration, shown to the umpire before they are closed; that he looked is kept."""
        if self.round is None:
            return None
        found = self.state.declared(self.round.round).get(seat)
        if found is not None:
            self._reply(Shown(self.round.round, seat))
        return found

    def close_round(self) -> None:
        """Closes the declarations: what was declared stands, and waits in an order drawn by lot.

        The lot is a digest over all that was declared, so that nobody can choose his place.
        """
        if self.round is None:
            raise OrderRefused("no declarations are open")
        key = self.round.round
        ids = [each.id for each in self.state.declared(key).values()]
        lot = sha256("\n".join(sorted(ids)).encode()).digest()
        ids.sort(key=lambda id: sha256(lot + id.encode()).digest())
        self._reply(RoundClosed(key, tuple(ids)))

    def _reply(self, item: SentBack | RoundOpened | RoundClosed | Declared | Shown) -> None:
        self._files.replies.append(item)
        self.state = self._files.state

    def close(self) -> None:
        """Lets another console have the files."""
        self._files.close()
