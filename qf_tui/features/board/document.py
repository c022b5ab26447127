"""Texts for the orders that players proposed: who waits, who has declared, what each would do now."""

from collections.abc import Iterator

from qf_tui.document.acts import describe_act
from qf_tui.document.transcript import format_finding, list_entered
from qf_tui.document.values import Line, TextSpan, Tone, build_line
from qf_tui.features.board.tray import TrayNews, WeighedProposal
from qf_tui.session import Session

SHORT = 20
"""Largest number of letters of a name in a list of names."""
CALLED, THROWN = "a call throws its dice", "the console throws its dice"


def list_declaring_names(news: TrayNews) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """List the names of players who have declared, and of players who have not, each list with its label.

    If no declarations are open, there is no list.
    """
    parts = (("declared", news.declared), ("not yet", news.missing))
    return tuple((label, names) for label, names in parts if news.phase and names)


def format_declaring(news: TrayNews) -> str:
    """Format who has declared and who has not in one line; "" if no declarations are open."""
    names = ((label, (name[:SHORT] for name in names)) for label, names in list_declaring_names(news))
    return " · ".join(f"{label}: {', '.join(short_names)}" for label, short_names in names)


def list_objections(weighed: WeighedProposal) -> Iterator[str]:
    """Yield the reasons why a proposal needs the umpire.

    These are findings, changes since the player saw it, rival proposals and questions for a ruling.
    """
    yield from map(format_finding, weighed.findings)
    if weighed.differs:
        yield weighed.differs
    if weighed.rivals:
        yield f"also proposed by {', '.join(weighed.rivals)}"
    if weighed.needs_ruling:
        yield "it asks for a ruling"


def format_weighed_proposal(session: Session, weighed: WeighedProposal) -> str:
    """Format a proposal as it would be typed; an answer starts with its question instead of its key."""
    order = weighed.order
    owed = session.battle.find_question(order.key) if order is not None and order.key else None
    if order is None or owed is None:
        return weighed.proposal.line
    return " ".join((owed.prompt, *order.list_texts("words"), *map(str, order.dice)))


def format_proposal_outcome(session: Session, weighed: WeighedProposal) -> str:
    """Format in one line the first objection to a proposal, or the result that it would have now.

    Without a result before the throw, the line says who throws the dice; for an order that enters before its
    dice, it is "declared".
    """
    objection = next(list_objections(weighed), "")
    if objection:
        return objection
    revision = weighed.revision
    if revision is None:
        return format_dice_source(session)
    return describe_act(revision.after, revision.act).result or ("declared" if revision.dice_missing else "")


def format_dice_source(session: Session) -> str:
    """Format who throws dice that are not typed, or return "" if they are typed at the table."""
    return CALLED if session.calls else THROWN if session.throw is not None else ""


def list_proposal_lines(session: Session, weighed: WeighedProposal) -> Iterator[Line]:
    """Yield everything about a proposal: order, reasons against it, remark, chances and result."""
    proposal, revision = weighed.proposal, weighed.revision
    yield Line((TextSpan(f"{proposal.by}: {format_weighed_proposal(session, weighed)}", Tone.STRONG),))
    for text in list_objections(weighed):
        yield Line((TextSpan(text, Tone.WARNING),), indent=2)
    if proposal.remark:
        yield build_line(f"remark: {proposal.remark}", indent=2)
    lacks_dice = weighed.throws or (revision is not None and revision.dice_missing)
    if weighed.order is not None and lacks_dice:
        preview = session.preview_order(weighed.order)
        figures = (*preview.needs, *(preview.chances or preview.outcomes))
        for text in filter(None, (" · ".join(map(str, figures)), format_dice_source(session))):
            yield Line((TextSpan(text, Tone.ASKED),), indent=2)
    if revision is not None:
        # Leave out the first line, which is the order itself.
        yield from list(list_entered(session, revision))[1:]
