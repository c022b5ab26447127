"""The preview of an order while it is typed: what is missing, why it would be refused, or its exact odds."""

from collections.abc import Iterable
from contextlib import suppress

from attrs import evolve, field, frozen

from qf_tui.console.entry.form_state import Filling, FormReading, format_slot_value
from qf_tui.console.reading.source import REFUSED, OrderTone, format_findings
from qf_tui.core.availability import build_range_book, has_measured_ends, list_able_ships
from qf_tui.core.builtin_forms import CORRECTIONS, ROLL
from qf_tui.core.errors import Findings, QfError, is_forcible
from qf_tui.core.grammar.names import format_face_keys, format_typed_faces
from qf_tui.core.grammar.reader import Reading
from qf_tui.core.revisions import Revision, work_out
from qf_tui.core.text import add_answer
from qf_tui.core.timeline import Entry, build_timeline
from qf_tui.core.values import CALL, CALL_MOST, OPEN_DICE, Battle, Die, Faces, Order
from qf_tui.document.acts import format_result
from qf_tui.document.glance import format_loose_estimate
from qf_tui.session import Session
from qf_tui.session.session import OrderPreview
from qf_tui.session.typed_dice import DiceReading, read_dice

FINE = "✓"


@frozen
class Preview:
    """The preview line of an order, and the values that the line shows.

    Attributes:
        text: The line.
        tone: Tone of the line.
        findings: Reasons against the order.
        more: Further notes next to the line.
        order: The order with its dice; None while it is not complete.
        revision: What entering it would record, or None.
        instead: Order that Enter enters instead, because some ships cannot carry out this one.
        dice: The reading of its dice.
    """

    text: str = ""
    tone: OrderTone = ""
    findings: Findings = ()
    more: tuple[str, ...] = ()
    order: Order | None = None
    revision: Revision | None = None
    instead: Order | None = None
    dice: DiceReading = field(factory=DiceReading, eq=False)

    @property
    def forceable(self) -> bool:
        """True if only rules are against the order, so that the umpire can force it."""
        return is_forcible(self.findings)

    @property
    def refusal(self) -> Findings:
        """The reasons why Enter refuses the order; () if Enter enters `instead`."""
        return () if self.instead else self.findings

    @classmethod
    def build_refused(cls, findings: Findings, more: tuple[str, ...] = ()) -> "Preview":
        """Build the line about an order that cannot be entered."""
        return cls(f"{REFUSED} {format_findings(findings)}", "refused", findings, more)


def preview_line(session: Session, text: str, key: str = "") -> tuple[Reading, Preview]:
    """Read the text of the bar and preview its order; the preview is empty if there is nothing to preview.

    Args:
        key: Key of the owed question that the bar answers, or "".
    """
    if not text.strip() and not key:
        return Reading(), Preview()
    reading = session.read_typed(text, key)
    if not text.strip():
        return reading, _preview_roll(session, key)
    if reading.unfinished and reading.order is None:
        return reading, Preview("", "wants")
    if reading.order is None:
        return reading, Preview.build_refused(reading.findings)
    if reading.order.form in CORRECTIONS:
        # A correction shows its changes when it is entered.
        form = reading.order.form
        return reading, Preview(f"{form.usage}: {form.help}", "odds", order=reading.order)
    dice = read_dice(session, reading)
    preview = preview_order(session, dice)
    # Show which faces were read if they were typed in another way.
    if preview.tone == "odds" and dice.faces and format_typed_faces(dice.faces) != reading.dice.strip():
        preview = evolve(preview, text=f"{dice.faces_text}: {preview.text}")
    if reading.dice:
        preview = _add_keys(session, preview, dice.asked[len(dice.faces) :])
    return reading, preview


def _preview_roll(session: Session, key: str) -> Preview:
    """Preview an owed roll before its dice are typed; empty if no question with this key asks for dice."""
    question = session.battle.find_question(key)
    if question is None or not question.dice:
        return Preview()
    roll = Order(ROLL, {"key": key})
    preview = _build_preview(session, roll, session.preview_order(roll))
    return _add_keys(session, preview, question.dice)


def _add_keys(session: Session, preview: Preview, dice: Iterable[Die]) -> Preview:
    """Add to a preview with odds the keys of two-digit faces; none if a call throws the dice."""
    keys = "" if preview.tone != "odds" or session.calls else format_face_keys(dice)
    return evolve(preview, text=f"{preview.text} ({keys})") if keys else preview


def preview_form(
    session: Session,
    fields: FormReading,
    current_field: str,
    width: int,
    battle: Battle | None = None,
    old_dice: Faces = (),
) -> Preview:
    """Preview the order of a dialog.

    While fields are open, the preview says what is wrong in the current field, or why the order cannot be
    given now. Letters that may still become a choice of that field are not wrong.

    Args:
        current_field: Name of the field being filled in.
        width: Width for the list of what that field may hold.
        battle: Battle that the order is for; None for the present one.
        old_dice: Dice of the entry that is amended.
    """
    if fields.open:
        may_become_choice = current_field and fields.list_choices(current_field)
        fault = "" if may_become_choice else format_unsettled(fields, current_field, width)
        if fault:
            return Preview(fault, "refused")
        return Preview(_format_not_to_act(session, fields.filling), "wants")
    if fields.reading.order is None:
        return Preview.build_refused(fields.reading.findings)
    return preview_order(session, read_dice(session, fields.reading, battle, kept=old_dice), battle)


def preview_order(session: Session, dice: DiceReading, battle: Battle | None = None) -> Preview:
    """Preview an order with the dice typed so far; once all are there, with their result.

    If the dice are in doubt, the preview says only that. If the rules refuse the order but some of its ships
    could carry out a part, that part is offered as `instead`.

    Args:
        battle: Earlier battle that the order is for; None for the present one. The preview then has no
            revision and no `instead`, because the order is entered as part of a correction.
    """
    order = dice.order
    if dice.doubt or order is None:
        return Preview(dice.doubt, "wants", dice=dice)
    order_preview = session.preview_order(order, battle)
    revision: Revision | None = None
    if order_preview.fine:
        # If dice are missing, the order may have no revision yet.
        with suppress(QfError):
            if battle is None:
                revision = session.work_out(order)
            else:
                # Work it out as the next entry on the earlier battle, without the later ones.
                revision = work_out(session.system, build_timeline(battle, ()), order)
    result = ""
    if revision is not None and isinstance(revision.act, Entry) and dice.faces and not dice.missing:
        result = format_result(session.system, revision.after, revision.number, dice.spare_text)
    if dice.faces:
        order_preview = evolve(order_preview, missing=dice.missing)
    preview = evolve(_build_preview(session, order, order_preview, result), order=order, dice=dice)
    if battle is not None:
        return preview
    if not preview.findings:
        return evolve(preview, revision=revision)
    instead = session.system.possible(session.battle, order) if preview.forceable else None
    if instead is None:
        return preview
    shares = f"Enter: {format_shares(session.battle, order, instead)}"
    # The reasons become a note without the cross, because Enter does enter the shares.
    more = (format_findings(preview.findings), *preview.more)
    return evolve(preview, text=shares, tone="wants", more=more, instead=instead)


def format_shares(battle: Battle, order: Order, shared: Order) -> str:
    """Format the part of each ship in a shared order, as “the rest 6, Tsesarevich 2, all she can”.

    Args:
        order: The order as it was given.
        shared: The order with the part of each ship that can carry it out.
    """
    ships_slot, *value_slots = order.form.slots
    value_slots = [slot for slot in value_slots if not (slot.kind.is_flag or slot.shares)]
    able_ships = shared.list_texts(ships_slot.name)

    def format_values(share: Order) -> str:
        values = ((slot, share.slots[slot.name]) for slot in value_slots if slot.name in share.slots)
        return " ".join(format_slot_value(slot, value) for slot, value in values)

    different_shares = {
        id: text
        for id in able_ships
        if (text := format_values(shared.build_share(id))) != format_values(order)
    }
    unable_ships = [id for id in order.list_texts(ships_slot.name) if id not in able_ships]
    parts = []
    if len(different_shares) < len(able_ships):
        # “the rest” stands for the able ships that carry out the whole order.
        parts.append(f"the rest {format_values(order)}")
    parts += [f"{battle.ships[id].name} {text}" for id, text in different_shares.items()]
    if different_shares:
        parts.append("all she can" if len(different_shares) == 1 else "all they can")
    if unable_ships:
        parts.append(f"not {', '.join(battle.ships[id].name for id in unable_ships)}")
    return ", ".join(parts)


def _format_not_to_act(session: Session, filling: Filling) -> str:
    """Format why an order cannot be given now: it is of another phase, or only other ships may give it.

    Returns:
        "" if it can be given, or if no ship is known that may give it.
    """
    system, battle, form = session.system, session.battle, filling.form
    if form.phases and battle.phase not in form.phases:
        titles = " or ".join(phase.title for phase in system.phases if phase.name in form.phases)
        return f"{form.word} is for the phase {titles}; this is {system.phase_title(battle)}"
    word, ship = form.word, battle.ships.get(filling.ship_text)
    able_ids = {able.ship for able in list_able_ships(system, battle) if able.order == word}
    if ship is None or not able_ids or ship.id in able_ids:
        return ""
    return f"{ship.name} may not {word} now"


def format_unsettled(fields: FormReading, name: str, width: int) -> str:
    """Format why the letters of a field are unclear, and what the field may hold; "" if they are clear."""
    part = fields.reading.parts.get(name)
    if part is None or not part.fault:
        return ""
    # A fault with offers lists what the field may hold; choices for its letters are shown below the fields.
    choices_text = "" if part.offers or fields.list_choices(name) else fields.format_offered(name, width)
    choices_note = f"; it may be {choices_text}" if choices_text else ""
    return f"{REFUSED} {part.fault}{choices_note}"


def _build_preview(session: Session, order: Order, preview: OrderPreview, result: str = "") -> Preview:
    """Build the preview line of an order: the findings against it, or its odds and missing dice.

    Once no dice are missing, show their result instead; without odds and dice, the order itself.

    Args:
        result: Text of the result of the dice, or "".
    """
    more = (*preview.assumes, *preview.reminders)
    if order.estimated and not _has_ends(session, order):
        more = (format_loose_estimate(session.system), *more)
    if not preview.fine:
        return Preview.build_refused(preview.findings, more)
    text = " · ".join(map(str, (*preview.needs, *(preview.chances or preview.outcomes))))
    if preview.missing:
        missing_dice = f"{_format_thrower(session, order)}: {', '.join(map(str, preview.missing))}"
        text = f"{text} · {missing_dice}" if text else missing_dice
    else:
        # `outcomes` are by the total of the dice.
        total = sum(preview.faces)
        outcome = next((outcome for outcome in preview.outcomes if total in outcome.faces), None)
        if outcome is not None:
            text = f"{FINE} {outcome.format_with_faces(str(total))}"
        elif result:
            text = f"{FINE} {result}"
        elif not text:
            text = f"{FINE} {' '.join(order.list_texts('words')) or preview.resolved}"
    if preview.prompt:
        text = add_answer(preview.prompt, text)
    return Preview(text, "odds", (), more)


def _has_ends(session: Session, order: Order) -> bool:
    """Return whether an estimated range lies between two measured ones, so that it counts."""
    book = build_range_book(session.system, session.timeline)
    return has_measured_ends(session.system, session.battle, order, book)


def _format_thrower(session: Session, order: Order) -> str:
    """Format what throws the missing dice: the console, a call (a number that a player calls), or players.

    Return just "dice" if players throw and the umpire types.
    """
    if not session.calls:
        return "the console throws" if session.throw else "dice"
    if order.call is not None:
        return f"{CALL} {order.call} throws"
    if order.is_answer:
        # With calls, the number that is typed to answer a roll is a call.
        return f"{OPEN_DICE} (00-{CALL_MOST}) are the call, which throws"
    return "Enter records it, then a call throws"
