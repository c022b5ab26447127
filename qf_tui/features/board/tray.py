"""The tray: the orders that players propose, the result that each would have now, and how they are entered.

A proposal is no part of the battle until it is recorded; its result is worked out on the battle as it stands.
Its entry in the log carries the proposal's id. A proposal whose id is in the log is never entered again, even
if that entry was struck.
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
from qf_tui.core.values import Battle, Mark, Order, Owed, format_dice
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
    find_whole_id,
)
from qf_tui.journal.lines import encode_json
from qf_tui.journal.saving import Journal
from qf_tui.session.saves import Follower
from qf_tui.session.session import Session, list_needed_throws

UMPIRE_FORMS = (*CORRECTIONS, *(form for form in BUILTIN if form not in (ROLL, ANSWER, NOTE)))
"""Forms of orders that no player may propose, even if his link accepts them."""


class ProposalLog:
    """The acts in a log that came from proposals, in force or struck; only new acts are read."""

    def __init__(self) -> None:
        self._acts: dict[str, int] = {}
        self._read_count = 0

    def find_acts(self, log: Sequence[LogAct]) -> Mapping[str, int]:
        """Return the number of the act of each proposal in a log; a log that became shorter is read again."""
        if len(log) < self._read_count:
            self._acts, self._read_count = {}, 0
        for act in log[self._read_count :]:
            if PROPOSAL in act.extra:
                self._acts.setdefault(str(act.extra[PROPOSAL]), act.number)
        self._read_count = len(log)
        return self._acts


def build_round_key(battle: Battle) -> str:
    """Return the key of declarations made in the present phase."""
    return f"{battle.turn}/{battle.phase}/{battle.opened}"


def compute_result_digest(revision: Revision) -> str:
    """Return a digest of what an entry does to ships and of the rolls it causes.

    Equal digests mean equal results. The number of the entry does not matter, so lifted marks are left out:
    their ids contain the number of an entry.

    Returns:
        The digest, or "" for an act without an entry.
    """
    if revision.ruling is None:
        return ""
    facts: list[list[object]] = []
    for effect in revision.ruling.decision.effects:
        value = effect.value
        if isinstance(value, Owed):
            facts.append([effect.op, value.ship, value.line, format_dice(value.dice), list(value.words)])
        elif isinstance(value, Mark):
            facts.append([effect.op, effect.ship, effect.field, value.kind, value.text])
        elif effect.op in ON_LOGS and effect.op is not Op.LIFT:
            facts.append([effect.op, effect.ship, effect.field, value])
    return sha256(encode_json({"facts": facts})).hexdigest()[:32]


Deed = tuple[object, ...]


def build_deed_key(order: Order) -> Deed:
    """Return a key of what an order is about, without its details; proposals with equal keys are rivals."""
    if order.key:
        return (order.key,)
    slots = order.form.slots
    key_slots = [slot for slot in slots if slot.identifies] or slots
    return (order.word, *(order.slots.get(slot.name) for slot in key_slots))


@frozen
class WeighedProposal:
    """A proposal with its present result, or the findings against it.

    Attributes:
        proposal: The proposal.
        order: Its order, or None if it is not valid.
        revision: Its result, or None if there is none yet.
        findings: Findings of the rules against it.
        throws: True if its dice are not typed, so that the result is not known yet.
        differs: Description of what has changed since the player saw it, or "".
        rivals: Players who propose the same for the same ship, or answer the same roll.
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
        """True if it would ask the umpire a question that no dice answer."""
        return self.revision is not None and any(not owed.dice for owed in self.revision.newly_owed)

    @property
    def accepted(self) -> bool:
        """True if the rules accept it."""
        return self.revision is not None or self.throws

    @property
    def as_shown(self) -> bool:
        """True if it can enter at once: accepted, unchanged since it was shown, without rivals."""
        return self.accepted and not (self.differs or self.rivals or self.needs_ruling)


@frozen
class TrayNews:
    """The names of players who propose and declare, without their orders.

    Attributes:
        waiting: Names, each with the number of waiting proposals.
        phase: Phase of the open declarations, or "".
        declared: Names of players who have declared.
        missing: Names of players who have not.
    """

    waiting: tuple[tuple[str, int], ...] = ()
    phase: str = ""
    declared: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


class FollowedTray:
    """The tray of a battle for a reader that follows its save; it writes nothing."""

    def __init__(self, source: Session | Follower, save: Path, first_sum: str) -> None:
        self._source = source
        self._files = TrayFiles.from_save(save, first_sum)
        self._log = ProposalLog()
        self.state = TrayState()
        self.look()

    def look(self) -> bool:
        """Take in new proposals and replies, and return whether there are any."""
        has_changed = self._files.look()
        if has_changed:
            self.state = self._files.state
        return has_changed

    @property
    def faults(self) -> tuple[str, ...]:
        """The faults of the tray's files, including those already repaired."""
        return self._files.faults

    @property
    def entered(self) -> Mapping[str, int]:
        """The proposals in the log, in force or struck, each with the number of its act."""
        return self._log.find_acts(self._source.timeline.log)

    @property
    def waiting(self) -> tuple[Proposal, ...]:
        """The proposals that wait for the umpire: single ones as they came, then orders of closed rounds."""
        candidates = [proposal for proposal in self.state.to_enter if proposal.id not in self.state.sent_back]
        # Without proposals, do not decode the acts of a long log.
        entered = self.entered if candidates else {}
        return tuple(proposal for proposal in candidates if proposal.id not in entered)

    def collect_news(self, seats: Iterable[tuple[str, str]] = ()) -> TrayNews:
        """Return who waits and who has declared; `seats` are ids and names of all who may declare."""
        waiting = tuple(Counter(proposal.by for proposal in self.waiting).items())
        open_round = self.state.open_round
        if open_round is None:
            return TrayNews(waiting)
        return TrayNews(waiting, open_round.phase, *self.state.split_declared(dict(seats)))


class Tray(FollowedTray):
    """The tray of the battle that this console writes; only this console writes the replies."""

    def __init__(self, session: Session, save: Path, first_sum: str) -> None:
        self._session = session
        # For each proposal by its id, the key of `build_deed_key`: proposals with equal keys are rivals.
        self._deeds: dict[str, Deed] = {}
        super().__init__(session, save, first_sum)

    @classmethod
    def from_session(cls, session: Session) -> "Tray | None":
        """Open the tray of a session, or return None if the session writes no save."""
        journal = session.journal
        if not isinstance(journal, Journal) or not session.writable:
            return None
        return cls(session, journal.path, journal.first_sum)

    def look(self) -> bool:
        """Take in new proposals and replies, and restore replies that were damaged or removed."""
        has_changed = super().look()
        if has_changed:
            self._files.replies.repair()
            self.state = self._files.state
        return has_changed

    def weigh(self, proposal: Proposal) -> WeighedProposal:
        """Work out the result that a proposal would have on the present battle.

        A refused proposal gets findings and no result. If its dice are thrown as it enters, it gets neither.
        """
        session = self._session
        try:
            order = session.read(proposal.line).require_order()
            if order.form in UMPIRE_FORMS or order.forced:
                raise OrderRefused("only the umpire enters this")
            console_throws = session.throw is not None
            # `PART` is in the id of an order of a declaration, whose dice are never typed in advance.
            if order.dice and (console_throws or PART in proposal.id):
                raise OrderRefused("its dice are thrown after it is entered")
            owed = session.battle.find_question(order.key) if order.key else None
            differs = self._format_owed_difference(proposal, owed) if owed is not None else ""
            rivals = self._list_rivals(proposal, order)
            throws_on_entry = not order.dice and (session.calls or console_throws)
            if throws_on_entry and self._is_lacking_only_dice(order):
                return WeighedProposal(proposal, order, throws=True, differs=differs, rivals=rivals)
            revision = session.work_out(order)
        except OrderRefused as refusal:
            return WeighedProposal(proposal, findings=refusal.findings)
        except QfError as fault:
            return WeighedProposal(proposal, findings=(impossible(str(fault)),))
        player_saw = proposal.saw
        if not differs and player_saw.result and player_saw.result != compute_result_digest(revision):
            differs = f"the player saw: {player_saw.told or 'another result'}"
        return WeighedProposal(proposal, order, revision, differs=differs, rivals=rivals)

    def _is_lacking_only_dice(self, order: Order) -> bool:
        """Return whether an order answers an owed roll and lacks nothing but dice."""
        if not order.key:
            return False
        preview = self._session.preview_order(order, figures=False)
        return preview.fine and bool(preview.missing)

    def _list_rivals(self, proposal: Proposal, order: Order) -> tuple[str, ...]:
        """List the players of other proposals that do the same as this order.

        Orders of the same declaration are no rivals.
        """
        key = build_deed_key(order)
        # Kept for later calls, in which this is one of the other proposals.
        self._deeds[proposal.id] = key
        whole_id = find_whole_id(proposal.id)
        others = (other for other in self.waiting if find_whole_id(other.id) != whole_id)
        return tuple(other.by for other in others if self._find_deed(other) == key)

    def _find_deed(self, proposal: Proposal) -> "Deed | None":
        """Return the key of `build_deed_key` for a proposal, or None if its order is not valid."""
        if proposal.id not in self._deeds:
            with suppress(QfError):
                self._deeds[proposal.id] = build_deed_key(self._session.read(proposal.line).require_order())
        return self._deeds.get(proposal.id)

    def _format_owed_difference(self, proposal: Proposal, owed: Owed) -> str:
        """Format how an owed roll differs from what the player saw, in dice or needs; "" if it does not."""
        player_saw = proposal.saw
        dice = format_dice(owed.dice)
        if player_saw.dice and player_saw.dice != dice:
            return f"the player saw {player_saw.dice}, and {dice} is owed"
        needs = tuple(map(str, list_needed_throws(self._session.system, self._session.battle, owed)))
        if player_saw.needs and player_saw.needs != needs:
            return f"the player saw {' · '.join(player_saw.needs)}, and now it is {' · '.join(needs)}"
        return ""

    def let_in(self, weighed: WeighedProposal) -> Revision:
        """Enter a proposal with the result that was weighed; if its dice are the console's, throw them now.

        Raises:
            OrderRefused: It cannot enter, or is in the log already.
        """
        if weighed.proposal.id in self.entered:
            raise OrderRefused("this proposal is already entered")
        revision = weighed.revision
        if revision is None:
            if weighed.order is None or self._session.throw is None:
                raise OrderRefused(*weighed.findings)
            revision = self._session.work_out(weighed.order, self._session.throw)
        return self._session.record(revision, weighed.proposal.origin)

    def let_in_as_shown(self, ids: Container[str] | None = None) -> Iterator[Revision]:
        """Enter, one by one, all proposals that are as their players saw them and need no call.

        If `ids` are given, other proposals go on waiting.
        """
        for proposal in self.waiting:
            if ids is not None and proposal.id not in ids:
                continue
            weighed = self.weigh(proposal)
            if weighed.as_shown and not self.is_call_needed(weighed):
                yield self.let_in(weighed)

    def is_call_needed(self, weighed: WeighedProposal) -> bool:
        """Return whether a proposal can enter only with a call, which the umpire types."""
        return weighed.throws and self._session.calls

    def let_in_declared(self, round: str) -> Iterator[Revision]:
        """Enter the orders of a closed round, in the drawn order of their declarations.

        Orders that are refused or have rivals go on waiting.
        """
        declaration_ids = self.state.closed[round].taken if round in self.state.closed else ()
        for proposal in self.waiting:
            if find_whole_id(proposal.id) in declaration_ids:
                weighed = self.weigh(proposal)
                if weighed.accepted and not weighed.rivals:
                    yield self.let_in(weighed)

    def list_owed_as_seen(self) -> Iterator[WeighedProposal]:
        """Yield proposals for owed rolls that are as their players saw them and need no call."""
        # Without typed faces, a roll can enter only if the console throws.
        for proposal in self.waiting:
            if proposal.saw.dice and (proposal.dice or self._session.throw is not None):
                weighed = self.weigh(proposal)
                if weighed.as_shown and weighed.order is not None and weighed.order.key:
                    yield weighed

    def send_back(self, proposal: Proposal, why: str) -> None:
        """Send a proposal back with a reason for its player.

        Raises:
            TrayFault: The reply cannot be stored.
        """
        self._reply(SentBack(proposal.id, why))

    # Declarations.

    @property
    def round(self) -> RoundOpened | None:
        """The open declarations, or None."""
        return self.state.open_round

    def open_round(self) -> None:
        """Open declarations for the present phase.

        Raises:
            OrderRefused: Declarations are open, or those of this phase were closed.
        """
        key = build_round_key(self._session.battle)
        if self.round is not None:
            raise OrderRefused(f"declarations are open already: {self.round.phase}")
        if key in self.state.closed:
            raise OrderRefused("the declarations of this phase were closed; its orders enter one by one")
        self._reply(RoundOpened(key, self._session.system.phase_title(self._session.battle)))

    def declare_for(self, proposal: Proposal) -> None:
        """Store a declaration that the umpire typed for a player.

        Raises:
            OrderRefused: No declarations are open.
        """
        if self.round is None:
            raise OrderRefused("no declarations are open")
        self._reply(evolve(proposal, round=self.round.round))

    def reveal_declaration(self, seat: str) -> Proposal | None:
        """Return a player's declaration in the open round, and record that the umpire looked at it.

        Returns:
            The declaration, or None if there is none.
        """
        if self.round is None:
            return None
        declaration = self.state.find_declared(self.round.round).get(seat)
        if declaration is not None:
            self._reply(Shown(self.round.round, seat))
        return declaration

    def close_round(self) -> None:
        """Close the declarations, and draw the order in which they enter.

        The order is computed from all declarations, so that no player can choose his place.

        Raises:
            OrderRefused: No declarations are open.
        """
        if self.round is None:
            raise OrderRefused("no declarations are open")
        key = self.round.round
        ids = [declaration.id for declaration in self.state.find_declared(key).values()]
        # Sort the ids by their digests with the lot.
        lot = sha256("\n".join(sorted(ids)).encode()).digest()
        ids.sort(key=lambda id: sha256(lot + id.encode()).digest())
        self._reply(RoundClosed(key, tuple(ids)))

    def _reply(self, item: SentBack | RoundOpened | RoundClosed | Proposal | Shown) -> None:
        """Write a reply and update the state."""
        self._files.replies.append(item)
        self.state = self._files.state

    def close(self) -> None:
        """Release the files for another console."""
        self._files.close()
