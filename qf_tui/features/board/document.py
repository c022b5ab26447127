"""The tray in words: who waits and who has declared, and what would come of a proposal now."""

from collections.abc import Iterator

from qf_tui.document.acts import describe
from qf_tui.document.transcript import entered_lines, finding_text
from qf_tui.document.values import Line, TextSpan, Tone, text_line
from qf_tui.features.board.tray import TrayNews, WeighedProposal
from qf_tui.session import Session

SHORT = 20
"""Letters of a name in a row of them."""
CALLED, THROWN = "a call throws its dice", "the console throws its dice"


def declaring_names(news: TrayNews) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Who has declared, and who has not; nothing of what. () while no declarations are open."""
    parts = (("declared", news.declared), ("not yet", news.missing))
    return tuple((what, names) for what, names in parts if news.phase and names)


def declaring_text(news: TrayNews) -> str:
    """The same in one text, "" while no declarations are open."""
    names = ((what, (name[:SHORT] for name in names)) for what, names in declaring_names(news))
    return " · ".join(f"{what}: {', '.join(short)}" for what, short in names)


def against_texts(weighed: WeighedProposal) -> Iterator[str]:
    """Why a proposal is not simply let in: what the rules say, what differs, who proposes the same."""
    yield from map(finding_text, weighed.findings)
    if weighed.differs:
        yield weighed.differs
    if weighed.rivals:
        yield f"the same is proposed by {', '.join(weighed.rivals)}"
    if weighed.needs_ruling:
        yield "it asks for a ruling"


def proposal_text(session: Session, weighed: WeighedProposal) -> str:
    """A proposal as it would be typed; an answer by what it answers."""
    order = weighed.order
    owed = session.battle.question(order.key) if order is not None and order.key else None
    if order is None or owed is None:
        return weighed.proposal.line
    return " ".join((owed.prompt, *order.many("words"), *map(str, order.dice)))


def outcome_text(session: Session, weighed: WeighedProposal) -> str:
    """What would come of a proposal now, in a line: its result, or why it does not simply enter."""
    against = next(against_texts(weighed), "")
    if against:
        return against
    revision = weighed.revision
    if revision is None:
        return thrown_text(session)
    return describe(revision.after, revision.act).result or ("declared" if revision.dice_missing else "")


def thrown_text(session: Session) -> str:
    """What throws dice that are not a player's; "" where the table does."""
    return CALLED if session.calls else THROWN if session.throw is not None else ""


def proposal_lines(session: Session, weighed: WeighedProposal) -> Iterator[Line]:
    """A proposal whole: the order, what stands against it, what would come of it, what the player says."""
    proposal, revision = weighed.proposal, weighed.revision
    yield Line((TextSpan(f"{proposal.by}: {proposal_text(session, weighed)}", Tone.STRONG),))
    for text in against_texts(weighed):
        yield Line((TextSpan(text, Tone.WARNING),), 2)
    if proposal.remark:
        yield text_line(f"remark: {proposal.remark}", indent=2)
    if weighed.order is not None and (weighed.throws or (revision is not None and revision.dice_missing)):
        seen = session.preview_order(weighed.order)
        figures = (*seen.needs, *(seen.chances or seen.outcomes))
        for text in filter(None, (" · ".join(map(str, figures)), thrown_text(session))):
            yield Line((TextSpan(text, Tone.ASKED),), 2)
    if revision is not None:
        # Behind the order itself.
        yield from list(entered_lines(session, revision))[1:]
