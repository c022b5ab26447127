"""The rows of a volley: what each ship may fire in this phase, what it has fired, and what its dice mean."""

from collections.abc import Iterator

from attrs import evolve, frozen

from qf_tui.console.entry.dice_input import doubtful
from qf_tui.console.entry.form_state import DICE_FIELD, Filling, FormReading, slot_text
from qf_tui.console.entry.recall import Offers
from qf_tui.console.reading.refusal import against
from qf_tui.core.errors import OrderRefused
from qf_tui.core.grammar.dice_text import Faces, faces_text, readings
from qf_tui.core.grammar.line import read_call
from qf_tui.core.grammar.names import Reach
from qf_tui.core.grammar.order import Order
from qf_tui.core.values import Battle, Die, Ship
from qf_tui.core.volley import Volley
from qf_tui.session import OrderPreview, Session


@frozen
class VolleyRow:
    """One ship of a volley: its shot as far as it is filled in.

    `entry` is the number of a shot that was entered in this phase, `before` the battle that it was fired on,
    `thrown` its dice.
    `aimed`: the target is its own; `ranged`: the range was typed, or still holds; `old`: it is of last turn.
    `declared`: it is entered without dice. `barred` says why the ship may not fire, `fault` why its shot was
    not taken.
    """

    ship: str
    filling: Filling
    batteries: tuple[str, ...] = ()
    aimed: bool = False
    ranged: bool = False
    old: bool = False
    skipped: bool = False
    declared: bool = False
    entry: int = 0
    before: Battle | None = None
    thrown: str = ""
    barred: str = ""
    fault: str = ""

    @property
    def dice(self) -> str:
        return self.filling.text(DICE_FIELD)

    @property
    def waits(self) -> bool:
        """Whether a shot is still to be filled in."""
        return not (self.entry or self.barred or self.skipped)

    def with_text(self, name: str, text: str) -> "VolleyRow":
        """The row with another text in a slot, or other dice; what stood against it is forgotten."""
        return evolve(self, filling=self.filling.with_text(name, text), fault="")


@frozen
class ShotDice:
    """What the digits of a row are taken for.

    `asked` are all dice that the shot can take, `faces` those that were typed, in the one way in which they
    can be read; it lacks `missing` of them, and does not need the last `spare`. `doubt` is what stands
    against the digits: that they can be read in several ways. With sealed dice they are a `call`.
    """

    asked: tuple[Die, ...] = ()
    faces: Faces = ()
    missing: tuple[Die, ...] = ()
    spare: int = 0
    doubt: str = ""
    call: int | None = None

    @property
    def enough(self) -> bool:
        """Whether the shot may be entered with them."""
        return not (self.doubt or self.missing) and (bool(self.faces) or self.call is not None)

    @property
    def spared(self) -> str:
        """The dice that the shot does not need, in words, those first that were typed all the same."""
        if not self.enough:
            return ""
        typed = len(self.faces)
        thrown = zip(self.asked[typed - self.spare : typed], self.faces[typed - self.spare :], strict=True)
        said = [f"{die.name} {face}".strip() for die, face in thrown]
        names = said or [die.name or str(die) for die in self.asked[typed:]]
        return f"{' and '.join(names)} not needed" if names else ""


@frozen
class RowReading:
    """What a row means: its order without dice, what that would meet, and its dice."""

    order: Order | None = None
    seen: OrderPreview | None = None
    dice: ShotDice = ShotDice()

    @property
    def refused(self) -> str:
        """What stands against the shot, with its clause."""
        return against(self.seen.findings) if self.seen is not None and not self.seen.fine else ""

    @property
    def fine(self) -> bool:
        return self.seen is not None and self.seen.fine


def read_row(session: Session, row: VolleyRow) -> RowReading:
    """What a row means in the battle."""
    scope = session.scope(Reach.ANYWHERE).on(row.before)
    order = FormReading.of(scope, row.filling.with_text(DICE_FIELD, "")).reading.order
    if order is None or row.barred:
        return RowReading()
    seen = session.preview_order(order, row.before)
    if not seen.fine:
        return RowReading(order, seen)
    return RowReading(order, seen, _dice(session, order, row, seen.dice))


def _dice(session: Session, bare: Order, row: VolleyRow, asked: tuple[Die, ...]) -> ShotDice:
    """Reads the digits typed for an order without its dice."""
    if not row.dice:
        return ShotDice(asked)
    if session.sealed:
        try:
            return ShotDice(call=read_call(row.dice.split()))
        except OrderRefused as refusal:
            return ShotDice(doubt=str(refusal))
    ways = readings(row.dice, asked)
    if len(ways) != 1:
        return ShotDice(asked, doubt=doubtful(ways) if ways else f"{row.dice.strip()}: no such dice")
    faces = ways[0]
    seen = [
        session.preview_order(evolve(bare, dice=faces[:count]), row.before, figures=False)
        for count in range(1, len(faces) + 1)
    ]
    needed = next((count for count, one in enumerate(seen, 1) if not one.missing), len(faces))
    last = seen[-1]
    return ShotDice(asked, faces, last.missing, len(faces) - needed, against(last.findings))


def rows_of(session: Session, volley: Volley, division: tuple[Ship, ...]) -> tuple[VolleyRow, ...]:
    """The rows of a division: who may fire, who may not and has not, and what was fired in this phase."""
    offers, fired = Offers.of(session, volley.form), tuple(_fired(session, volley, division))
    rows = []
    done = {row.ship for row in fired}
    for ship in division:
        batteries = volley.may_fire(session.system, session.battle, ship)
        if batteries:
            rows.append(opened(session, volley, offers, ship.id, batteries))
        elif ship.id not in done:
            rows.append(VolleyRow(ship.id, Filling(volley.form), barred=_why_not(session, volley, ship)))
    waiting = [row for row in rows if not row.barred]
    return (*waiting, *fired, *(row for row in rows if row.barred))


def _why_not(session: Session, volley: Volley, ship: Ship) -> str:
    names = volley.batteries(session.battle, ship)
    found = (volley.against(session.system, session.battle, ship, name) for name in names)
    texts = [one.text for one in found if one is not None]
    return texts[0] if texts else "has no guns"


def opened(
    session: Session, volley: Volley, offers: Offers, ship: str, batteries: tuple[str, ...]
) -> VolleyRow:
    """The row of a ship that may fire: its battery, and the target and range that are known."""
    filling = Filling(volley.form, {volley.ship: ship, volley.battery: batteries[0]})
    fields = FormReading.of(session.scope(Reach.ANYWHERE), filling)
    target = offers.likely(fields, volley.target)
    there = session.battle.ships.get(target)
    if there is None or not there.afloat:
        return VolleyRow(ship, filling, batteries)
    row = VolleyRow(ship, filling.with_text(volley.target, target), batteries, aimed=True)
    return with_known_range(session, volley, offers, row)


def with_known_range(session: Session, volley: Volley, offers: Offers, row: VolleyRow) -> VolleyRow:
    """The row with what the range book has between its ships, if anything."""
    filling = row.filling.with_text(volley.range, "")
    fields = FormReading.of(session.scope(Reach.ANYWHERE), filling)
    known, slot = offers.range_known(fields, volley.range), filling.slot(volley.range)
    text = slot_text(slot, known.value) if known is not None and slot is not None else ""
    old = known is not None and known.old
    return evolve(row, filling=filling.with_text(volley.range, text), ranged=bool(text) and not old, old=old)


def _fired(session: Session, volley: Volley, division: tuple[Ship, ...]) -> Iterator[VolleyRow]:
    """The shots of a division in this phase."""
    timeline, ids = session.timeline, {ship.id for ship in division}
    order_of_play = timeline.play_order
    opened_by = timeline.battle.opened
    begins = order_of_play.index(opened_by) + 1 if opened_by in order_of_play else 0
    for place in range(begins, len(order_of_play)):
        order = timeline.versions[order_of_play[place]].order
        if order.form is volley.form and order.text(volley.ship) in ids and order.dice:
            bare = Filling.of(order.bare)
            yield VolleyRow(
                order.text(volley.ship),
                bare,
                entry=order_of_play[place],
                before=timeline.battle_at(place),
                thrown=faces_text(order.dice),
            )
