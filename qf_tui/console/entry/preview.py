"""What an order would meet, in one line: what is missing, what stands against it, or its exact odds."""

from collections.abc import Iterable

from attrs import evolve, frozen

from qf_tui.console.entry.form_state import Dicing, Filling, FormReading, dicing, slot_text
from qf_tui.console.reading.source import REFUSED, Findings, OrderTone, against, only_rules
from qf_tui.core.availability import who_may_act
from qf_tui.core.builtin_forms import CORRECTIONS, ROLL
from qf_tui.core.errors import QfError
from qf_tui.core.grammar import kinds
from qf_tui.core.grammar.dice import are_dice, face_keys_text, faces_typed
from qf_tui.core.grammar.reader import Reading
from qf_tui.core.revisions import Revision
from qf_tui.core.text import with_answer
from qf_tui.core.values import CALL, Battle, Die, Order, SlotValue
from qf_tui.session import OrderPreview, Session

FINE = "✓"


@frozen
class Foresight:
    """A line about an order: its tone, and the findings that stand against it.

    `order` is the order with its dice, None while it is not complete; `revision` what entering it would
    record; `instead` what is entered in its place, as it is refused of some of its ships.
    """

    text: str = ""
    tone: OrderTone = ""
    findings: Findings = ()
    more: tuple[str, ...] = ()
    order: Order | None = None
    revision: Revision | None = None
    instead: tuple[Order, ...] = ()

    @property
    def forceable(self) -> bool:
        """Whether only rules stand against it."""
        return only_rules(self.findings)

    @property
    def refusal(self) -> Findings:
        """What refuses it; nothing where others would be entered in its place."""
        return () if self.instead else self.findings


def foresee(session: Session, text: str, key: str = "") -> tuple[Reading, Foresight]:
    """Reads a bar's text, and says what its order would meet.

    `key` is the question that the bar was opened for.
    """
    if not text.strip() and not key:
        return Reading(), Foresight()
    reading = session.read_typed(text, key)
    if not text.strip():
        asked = session.battle.question(key)
        if asked is None or not asked.dice:
            return reading, Foresight()
        roll = Order(ROLL, {"key": key})
        return reading, _with_keys(session, shown(session.preview_order(roll), session, roll), asked.dice)
    if reading.order is None:
        if reading.unfinished:
            return reading, Foresight("", "wants")
        return reading, _refused(reading.findings)
    if reading.order.form in CORRECTIONS:
        form = reading.order.form
        return reading, Foresight(f"{form.usage}: {form.help}", "odds", order=reading.order)
    found = dicing(session, reading)
    seen = foresee_order(session, found)
    faces = found.order.dice if found.order is not None else ()
    if seen.tone == "odds" and are_dice(reading.dice) and faces != faces_typed(reading.dice):
        seen = evolve(seen, text=f"{found.said}: {seen.text}")
    return reading, _with_keys(session, seen, found.asked[len(faces) :]) if are_dice(text) else seen


def _with_keys(session: Session, seen: Foresight, dice: Iterable[Die]) -> Foresight:
    """A line with the keys of the greatest faces that dice which may still be typed have."""
    keys = "" if seen.tone == "refused" or session.sealed else face_keys_text(dice)
    return evolve(seen, text=f"{seen.text} ({keys})") if keys else seen


def foresee_order(session: Session, found: Dicing, battle: Battle | None = None) -> Foresight:
    """What an order would meet with the dice that were typed, on the battle as it stands or on another."""
    if found.doubt or found.order is None:
        return Foresight(found.doubt, "wants")
    order = found.order
    seen = shown(session.preview_order(order, battle), session, order)
    revision = _worked_out(session, order) if not seen.findings and battle is None else None
    instead = session.system.possible(session.battle, order) if seen.forceable and battle is None else ()
    if instead:
        proposal = f"Enter: {shared_words(session.battle, order, instead)}"
        return Foresight(proposal, "wants", seen.findings, (seen.text, *seen.more), order, instead=instead)
    return evolve(seen, order=order, revision=revision)


def shared_words(battle: Battle, order: Order, instead: tuple[Order, ...]) -> str:
    """What each ship does of an order that is shared out: “the rest 6, Tsesarevich 2, all that she can”."""
    slot = next(slot for slot in order.form.slots if slot.kind is kinds.SHIPS)
    others = [one for one in order.form.slots if one is not slot and not one.kind.is_flag]

    def said(one: Order) -> str:
        return " ".join(
            slot_text(other, one.slots[other.name]) for other in others if other.name in one.slots
        )

    def names(ids: Iterable[str]) -> str:
        return ", ".join(battle.ships[id].name for id in ids)

    def values(one: Order) -> list[SlotValue | None]:
        return [one.slots.get(other.name) for other in others]

    whole = next((one for one in instead if values(one) == values(order)), None)
    parts = [f"{names(one.many(slot.name))} {said(one)}" for one in instead if one is not whole]
    able = [id for one in instead for id in one.many(slot.name)]
    left = [id for id in order.many(slot.name) if id not in able]
    found = [f"the rest {said(order)}"] if whole is not None else []
    found += [*parts, "all that she can" if len(parts) == 1 else "all that they can"] if parts else []
    return ", ".join([*found, *([f"not {names(left)}"] if left else [])])


def _worked_out(session: Session, order: Order) -> Revision | None:
    """What entering an order would record; None where it is refused, as with dice that are still missing."""
    try:
        return session.work_out(order)
    except QfError:
        return None


def foresee_filled(
    session: Session, fields: FormReading, here: str, width: int, battle: Battle | None = None
) -> tuple[Dicing, Foresight]:
    """What the dice of a dialog are taken for, and what its order would meet.

    `here` is the field being filled in.
    """
    if fields.open:
        offered = here and fields.choices(here)
        fault = "" if offered else unsettled(fields, here, width)
        idle = "" if fault else idle_text(session, fields.filling)
        return Dicing(), Foresight(fault or idle, "refused" if fault else "wants")
    if fields.reading.order is None:
        return Dicing(), _refused(fields.reading.findings)
    found = dicing(session, fields.reading, battle)
    return found, foresee_order(session, found, battle)


def idle_text(session: Session, filling: Filling) -> str:
    """Says of a ship that is not among those who may give an order now, while others are; or nothing."""
    word, ship = filling.form.word, session.battle.ships.get(filling.first)
    waiting = {one.ship for one in who_may_act(session.system, session.battle) if one.order == word}
    if ship is None or not waiting or ship.id in waiting:
        return ""
    return f"{ship.name} is not among those who may {word} now"


def unsettled(fields: FormReading, name: str, width: int) -> str:
    """What is to be said of a field whose letters mean no one thing, or nothing.

    What it may hold in a width.
    """
    fault = fields.fault(name) if name else ""
    if not fault:
        return ""
    told = fields.fault_offers(name) or fields.choices(name)
    offered = "" if told else fields.offered(name, width)
    return f"{REFUSED} {fault}{f'; it may be {offered}' if offered else ''}"


def shown(seen: OrderPreview, session: Session, order: Order) -> Foresight:
    """A preview in words; of an owed roll it says first whose it is."""
    more = (*seen.assumes, *seen.reminders)
    if not seen.fine:
        return evolve(_refused(seen.findings), more=more)
    told = " · ".join(map(str, (*seen.needs, *(seen.chances or seen.outcomes))))
    if seen.missing:
        wanted = f"{_whose(session, order)}: {', '.join(str(die) for die in seen.missing)}"
        told = f"{told} · {wanted}" if told else wanted
    else:
        told = _met(seen) or told or f"{FINE} {' '.join(order.many('words')) or seen.resolved}"
    return Foresight(with_answer(seen.prompt, told) if seen.prompt else told, "odds", (), more)


def _whose(session: Session, order: Order) -> str:
    """Who throws the dice that an order lacks."""
    if not session.sealed:
        return "the console throws" if session.throw else "dice"
    if order.call is not None:
        return f"{CALL} {order.call} throws"
    return "call a number" if order.is_answer else "Enter records it, then a call throws"


def _met(seen: OrderPreview) -> str:
    """What the faces of an owed roll do, or nothing."""
    total = sum(seen.faces)
    found = (one.said_of(str(total)) for one in seen.outcomes if total in one.faces)
    return next((f"{FINE} {said}" for said in found), "")


def _refused(findings: Findings) -> Foresight:
    """What stands against an order that cannot be entered."""
    return Foresight(f"{REFUSED} {against(findings)}", "refused", findings)
