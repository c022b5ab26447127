"""The tray of the open battle: what waits, what would come of it now, and what enters.

Nothing of it is the battle before it is recorded. A proposal is worked out on the battle as it is now; the
entry carries its id, and an id that is in the log, in force or struck, never enters again.
"""

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from attrs import evolve, frozen

from qf_tui.core.builtin_forms import ANSWER, BUILTIN, CORRECTIONS, NOTE, ROLL
from qf_tui.core.decisions import ON_LOGS, Op
from qf_tui.core.errors import Finding, OrderRefused, QfError, impossible
from qf_tui.core.revisions import Revision
from qf_tui.core.timeline import LogAct
from qf_tui.core.values import Battle, Mark, Order, Owed, dice_code
from qf_tui.features.board import PROPOSAL
from qf_tui.features.board.tray_files import (
    PART,
    Proposal,
    RoundClosed,
    RoundOpened,
    SentBack,
    Shown,
    TrayFiles,
    TrayState,
)
from qf_tui.journal.lines import written
from qf_tui.journal.saving import Journal
from qf_tui.session.saves import Follower
from qf_tui.session.session import Session, to_throw

THE_UMPIRES = (*CORRECTIONS, *(form for form in BUILTIN if form not in (ROLL, ANSWER, NOTE)))
"""Forms of orders that no player proposes, whatever his link let through."""


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
            if PROPOSAL in act.extra:
                self._acts.setdefault(str(act.extra[PROPOSAL]), act.number)
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


Deed = tuple[object, ...]


def deed_of(order: Order) -> Deed:
    """What only one order can do: equal ones are rivals."""
    if order.key:
        return (order.key,)
    slots = order.form.slots
    named = [slot for slot in slots if slot.identifies] or slots
    return (order.word, *(order.slots.get(slot.name) for slot in named))


@frozen
class WeighedProposal:
    """A proposal as it would enter now: worked out, or what stands against it.

    `throws`: its dice are not the player's, so that nobody knows what will come of it. `differs` says what
    has come out otherwise than the player was shown, "" for nothing. `rivals` are those who propose the same
    for the same ship, or answer the same roll.
    """

    proposal: Proposal
    order: Order | None = None
    revision: Revision | None = None
    findings: tuple[Finding, ...] = ()
    throws: bool = False
    differs: str = ""
    rivals: tuple[str, ...] = ()

    @property
    def needs_ruling(self) -> bool:
        """Whether it asks the umpire something that no dice answer."""
        return self.revision is not None and any(not owed.dice for owed in self.revision.owed)

    @property
    def taken(self) -> bool:
        """Whether the rules take it."""
        return self.revision is not None or self.throws

    @property
    def as_shown(self) -> bool:
        """Whether the rules take it, with the result that was shown, and nothing is to be ruled."""
        return self.taken and not (self.differs or self.rivals or self.needs_ruling)


@frozen
class TrayNews:
    """Who proposes and who declares, and nothing of what.

    `waiting` are names with how many of theirs wait; `phase` is that of the declarations that are open, "" of
    none.
    """

    waiting: tuple[tuple[str, int], ...] = ()
    phase: str = ""
    declared: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


class FollowedTray:
    """The tray of a battle as whoever follows its save may know it: `news`. It writes nothing."""

    def __init__(self, source: Session | Follower, save: Path, first_sum: str) -> None:
        self._source = source
        self._files = TrayFiles.of(save, first_sum)
        self._log = ProposalLog()
        self.state = TrayState()
        self.look()

    def look(self) -> bool:
        """Takes in what was proposed and answered since; whether anything is new."""
        changed = self._files.look()
        if changed:
            self.state = self._files.state
        return changed

    @property
    def faults(self) -> tuple[str, ...]:
        """What is wrong with the files of the tray, and what was lost of them before."""
        return self._files.faults

    @property
    def entered(self) -> Mapping[str, int]:
        """The proposals that are in the log, in force or struck, each with its act."""
        return self._log.acts(self._source.timeline.log)

    @property
    def waiting(self) -> tuple[Proposal, ...]:
        """What waits for the umpire, in the order in which it came."""
        kept = [each for each in self.state.to_enter if each.id not in self.state.sent_back]
        # Where nothing was proposed, no act of a long log is decoded for it.
        entered = self.entered if kept else {}
        return tuple(each for each in kept if each.id not in entered)

    def news(self, seats: Iterable[tuple[str, str]] = ()) -> TrayNews:
        """Who waits and who has declared; `seats` are the ids and names of all who may declare."""
        waiting = tuple(Counter(each.by for each in self.waiting).items())
        opened = self.state.open_round
        if opened is None:
            return TrayNews(waiting)
        return TrayNews(waiting, opened.phase, *self.state.who_declared(dict(seats)))


class Tray(FollowedTray):
    """The tray of one open battle, whose console alone writes the replies."""

    def __init__(self, session: Session, save: Path, first_sum: str) -> None:
        self._session = session
        # What each proposal that was read does, as far as only one order can do it.
        self._deeds: dict[str, Deed] = {}
        super().__init__(session, save, first_sum)

    @classmethod
    def of(cls, session: Session) -> "Tray | None":
        """The tray of a session; None for one that has no save of its own to write."""
        journal = session.journal
        if not isinstance(journal, Journal) or not session.writable:
            return None
        return cls(session, journal.path, journal.first_sum)

    def look(self) -> bool:
        """Take in what is new, and put back replies that were damaged or removed."""
        changed = super().look()
        if changed:
            self._files.replies.repair()
            self.state = self._files.state
        return changed

    def weigh(self, proposal: Proposal) -> WeighedProposal:
        """What would come of a proposal on the battle as it is now."""
        session = self._session
        try:
            order = session.read(proposal.line).complete()
            if order.form in THE_UMPIRES or order.forced:
                raise OrderRefused("only the umpire enters this")
            if order.dice and (session.throw is not None or PART in proposal.id):
                raise OrderRefused("its dice are thrown once it is entered")
            owed = session.battle.question(order.key) if order.key else None
            differs = self._owed_differs(proposal, owed) if owed is not None else ""
            rivals = self._rivals(proposal, order)
            if not order.dice and (session.calls or session.throw is not None) and self._only_dice(order):
                return WeighedProposal(proposal, order, throws=True, differs=differs, rivals=rivals)
            revision = session.work_out(order)
        except OrderRefused as refusal:
            return WeighedProposal(proposal, findings=refusal.findings)
        except QfError as fault:
            return WeighedProposal(proposal, findings=(impossible(str(fault)),))
        saw = proposal.saw
        if not differs and saw.result and saw.result != result_digest(revision):
            differs = f"the player was shown: {saw.told or 'another result'}"
        return WeighedProposal(proposal, order, revision, differs=differs, rivals=rivals)

    def _only_dice(self, order: Order) -> bool:
        """Whether an owed roll wants nothing but dice, which are not for the player to name."""
        if not order.key:
            return False
        seen = self._session.preview_order(order, figures=False)
        return seen.fine and bool(seen.missing)

    def _rivals(self, proposal: Proposal, order: Order) -> tuple[str, ...]:
        """Who else proposes what only one order can do; of one declaration the rules say which it is."""
        self._deeds[proposal.id] = own = deed_of(order)
        whole = proposal.id.partition(PART)[0]
        others = (each for each in self.waiting if each.id.partition(PART)[0] != whole)
        return tuple(each.by for each in others if self._deed(each) == own)

    def _deed(self, proposal: Proposal) -> "Deed | None":
        if proposal.id not in self._deeds:
            with suppress(QfError):
                self._deeds[proposal.id] = deed_of(self._session.read(proposal.line).complete())
        return self._deeds.get(proposal.id)

    def _owed_differs(self, proposal: Proposal, owed: Owed) -> str:
        """What of an owed roll is another than the player saw: its dice, or what they need."""
        saw, dice = proposal.saw, dice_code(owed.dice)
        if saw.dice and saw.dice != dice:
            return f"the player saw {saw.dice}, and {dice} is owed"
        needs = tuple(map(str, to_throw(self._session.system, self._session.battle, owed)))
        if saw.needs and saw.needs != needs:
            return f"the player saw {' · '.join(saw.needs)}, and now it is {' · '.join(needs)}"
        return ""

    def let_in(self, weighed: WeighedProposal) -> Revision:
        """Enters a proposal as it was weighed; OrderRefused if it cannot enter, or is in already."""
        if weighed.proposal.id in self.entered:
            raise OrderRefused("this proposal is in already")
        revision = weighed.revision
        if revision is None:
            if weighed.order is None or self._session.throw is None:
                raise OrderRefused(*weighed.findings)
            revision = self._session.work_out(weighed.order, self._session.throw)
        return self._session.record(revision, weighed.proposal.origin)

    def let_in_as_shown(self, among: Container[str] | None = None) -> Iterator[Revision]:
        """Enters one after another all that come out as the player was shown, or those `among` these ids."""
        for proposal in self.waiting:
            if among is not None and proposal.id not in among:
                continue
            weighed = self.weigh(proposal)
            if weighed.as_shown and not self.wants_call(weighed):
                yield self.let_in(weighed)

    def wants_call(self, weighed: WeighedProposal) -> bool:
        """Whether it enters by a call alone, which the umpire types."""
        return weighed.throws and self._session.calls

    def let_in_declared(self, round: str) -> Iterator[Revision]:
        """Enters what stood as declarations were closed, as drawn by lot; what the rules refuse stays."""
        taken = self.state.closed[round].taken if round in self.state.closed else ()
        for proposal in self.waiting:
            if proposal.id.partition(PART)[0] in taken:
                weighed = self.weigh(proposal)
                if weighed.taken and not weighed.rivals:
                    yield self.let_in(weighed)

    def owed_as_seen(self) -> Iterator[WeighedProposal]:
        """The proposals of owed rolls whose roll has the key, the dice and the needs that the player saw."""
        for proposal in self.waiting:
            if proposal.saw.dice and (proposal.dice or self._session.throw is not None):
                weighed = self.weigh(proposal)
                if weighed.as_shown and weighed.order is not None and weighed.order.key:
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
        self._reply(evolve(proposal, round=self.round.round))

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

    def _reply(self, item: SentBack | RoundOpened | RoundClosed | Proposal | Shown) -> None:
        self._files.replies.append(item)
        self.state = self._files.state

    def close(self) -> None:
        """Lets another console have the files."""
        self._files.close()
