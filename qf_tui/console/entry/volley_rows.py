"""A volley while it is filled in: each row is the form of a shot, read and previewed as in its dialog.

The column alone decides what a key means. A digit goes into the column and row under the cursor, or it is
refused.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import zip_longest

from qf_tui.console.entry.form_state import DICE_FIELD, Filling, FormReading, Offers, slot_text
from qf_tui.console.reading.source import against
from qf_tui.console.widgets.fields import turned
from qf_tui.core.availability import Volley, along_line
from qf_tui.core.builtin_forms import AMEND
from qf_tui.core.errors import OrderRefused, QfError
from qf_tui.core.frozen import evolve, frozen
from qf_tui.core.grammar.names import Reach, face_keys, faces_text, is_digit, readings
from qf_tui.core.grammar.reader import read_call
from qf_tui.core.revisions import Revision, work_out
from qf_tui.core.text import ESTIMATE_SIGN
from qf_tui.core.values import Battle, Die, Faces, Order, Ship
from qf_tui.session import OrderPreview, Session
from qf_tui.session.typed_dice import doubt_text

Enter = Callable[[Order], str]
"""Enters an order, and gives in words why it was not taken, or nothing."""
NOT_ALL = "not all dice"
"""What a row lacks whose dice are too few, or may be read in several ways."""


@frozen
class VolleyRow:
    """One ship of a volley: its shot as far as it is filled in.

    `entry` is the number of a shot that was entered in this phase, `before` the battle that it was fired on,
    `thrown` its dice. `aimed`: the target is its own; `ranged`: the range was typed, or still holds; `old`:
    it is of last turn; `cleared`: none that is known is wanted. `declared`: it is entered without dice.
    `barred` says why the ship may not fire, `fault` why its shot was not taken.
    """

    volley: Volley
    ship: str
    filling: Filling
    batteries: tuple[str, ...] = ()
    aimed: bool = False
    ranged: bool = False
    old: bool = False
    cleared: bool = False
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
    def battery(self) -> str:
        return self.filling.text(self.volley.battery)

    @property
    def target(self) -> str:
        return self.filling.text(self.volley.target)

    @property
    def range(self) -> str:
        return self.filling.text(self.volley.range)

    @property
    def range_text(self) -> str:
        """The range as it is shown; one of last turn with a question mark."""
        return f"{self.range}?" if self.old and self.range else self.range

    @property
    def is_estimate(self) -> bool:
        return self.range.startswith(ESTIMATE_SIGN)

    @property
    def waits(self) -> bool:
        """Whether a shot is still to be filled in."""
        return not (self.entry or self.barred or self.skipped)

    def with_text(self, name: str, text: str) -> "VolleyRow":
        """The row with another text in a slot, or other dice; what stood against it is forgotten."""
        return evolve(self, filling=self.filling.with_text(name, text), fault="")


@frozen
class RowReading:
    """What a row means: its order without dice, what that would meet, and what its digits are taken for.

    `faces` are those that were typed, in the one way in which they can be read; the shot lacks `missing` of
    them, and does not need the last `spare`. `doubt` is what stands against the digits: that they can be read
    in several ways. With sealed dice they are a `call`.
    """

    order: Order | None = None
    seen: OrderPreview | None = None
    faces: Faces = ()
    missing: tuple[Die, ...] = ()
    spare: int = 0
    doubt: str = ""
    call: int | None = None

    @property
    def refused(self) -> str:
        """What stands against the shot, with its clause."""
        return against(self.seen.findings) if self.seen is not None else ""

    @property
    def fine(self) -> bool:
        return self.seen is not None and self.seen.fine

    @property
    def asked(self) -> tuple[Die, ...]:
        """All dice that the shot can take."""
        return self.seen.dice if self.seen is not None else ()

    @property
    def enough(self) -> bool:
        """Whether the shot may be entered with its dice."""
        return not (self.doubt or self.missing) and (bool(self.faces) or self.call is not None)

    @property
    def spared(self) -> str:
        """The dice that the shot does not need, in words, with the faces that they show all the same."""
        first = len(self.faces) - self.spare
        dice = zip_longest(self.asked[first:], self.faces[first:], fillvalue="")
        names = " and ".join(f"{getattr(die, 'name', '') or die} {face}".strip() for die, face in dice)
        return f"{names} not needed" if names and self.faces and self.enough else ""

    @property
    def wanted(self) -> str:
        """What stands against the dice as they are: a doubt, or those that the shot still needs."""
        return self.doubt or f"{' and '.join(map(str, self.missing))} still needed"


def read_row(session: Session, row: VolleyRow) -> RowReading:
    """What a row means in the battle."""
    scope = session.scope(Reach.ANYWHERE).on(row.before)
    order = FormReading.of(scope, row.filling.with_text(DICE_FIELD, "")).reading.order
    if order is None or row.barred:
        return RowReading()
    read = RowReading(order, session.preview_order(order, row.before))
    if not read.fine or not row.dice:
        return read
    if session.sealed:
        try:
            return evolve(read, call=read_call(row.dice.split()))
        except OrderRefused as refusal:
            return evolve(read, doubt=str(refusal))
    ways = readings(row.dice, read.asked)
    if len(ways) != 1:
        return evolve(read, doubt=doubt_text(ways) if ways else f"{row.dice.strip()}: no such dice")
    faces = ways[0]
    *shorter, whole = (
        session.preview_order(evolve(order, dice=faces[:count]), row.before, figures=False)
        for count in range(1, len(faces) + 1)
    )
    spare = sum(not seen.missing for seen in shorter)
    return evolve(read, faces=faces, missing=whole.missing, spare=spare, doubt=against(whole.findings))


class VolleyDesk:
    """The rows of a division's volley, and the cursor: row `at`, and a slot or the dice as `column`.

    `typed` is what is being typed into the target or the range, and not taken yet.
    """

    def __init__(self, session: Session, volley: Volley, division: tuple[Ship, ...]) -> None:
        self.session, self.volley, self.division = session, volley, division
        self.columns = (volley.target, volley.range, DICE_FIELD)
        self.at, self.column, self.typed = 0, volley.range, ""
        self._read: dict[int, tuple[VolleyRow, RowReading]] = {}
        self._worked: list[tuple[RowReading, Revision | None]] = []
        self.rows: list[VolleyRow] = []
        self.lay_out()

    def lay_out(self, kept: Iterable[VolleyRow] = ()) -> None:
        """The rows as the battle stands, with what was filled in of shots that were not entered."""
        self.offers = Offers.of(self.session, self.volley.form)
        held = {row.ship: row for row in kept}
        self.rows = [
            evolve(held[row.ship], batteries=row.batteries)
            if row.waits and row.ship in held and held[row.ship].battery in row.batteries
            else row
            for row in self._found()
        ]
        self._read.clear()
        self._spread()
        entered = next((at for at, row in enumerate(self.rows) if row.entry), 0)
        self.at = next((at for at in range(len(self.rows)) if self.lack(at)), entered)

    def _found(self) -> tuple[VolleyRow, ...]:
        """Who of the division may fire, what was fired in this phase, and who may not and has not."""
        system, battle, volley = self.session.system, self.session.battle, self.volley
        fired, waiting, barred = tuple(self._fired()), [], []
        for ship in self.division:
            batteries = volley.may_fire(system, battle, ship)
            if batteries:
                waiting.append(self._opened(ship.id, batteries))
            elif all(row.ship != ship.id for row in fired):
                findings = (
                    volley.against(system, battle, ship, name) for name in volley.batteries(battle, ship)
                )
                why = next((finding.text for finding in findings if finding is not None), "has no guns")
                barred.append(VolleyRow(volley, ship.id, Filling(volley.form), barred=why))
        return (*waiting, *fired, *barred)

    def _opened(self, ship: str, batteries: tuple[str, ...]) -> VolleyRow:
        """The row of a ship that may fire: its battery, and the target and range that are known."""
        filling = Filling(self.volley.form, {self.volley.ship: ship, self.volley.battery: batteries[0]})
        row = VolleyRow(self.volley, ship, filling, batteries)
        target = self.offers.likely(self._fields(filling), self.volley.target)
        there = self.session.battle.ships.get(target)
        return self._aimed(row, target) if there is not None and self._a_target(there) else row

    def _a_target(self, ship: Ship) -> bool:
        return ship.status in self.session.system.target_statuses

    def _fired(self) -> Iterator[VolleyRow]:
        """The shots of the division in this phase."""
        timeline, ids, volley = self.session.timeline, {ship.id for ship in self.division}, self.volley
        numbers, opened_by = timeline.play_order, timeline.battle.opened
        begins = numbers.index(opened_by) + 1 if opened_by in numbers else 0
        for place in range(begins, len(numbers)):
            order = timeline.versions[numbers[place]].order
            ship = order.text(volley.ship)
            if order.form is volley.form and ship in ids and order.dice:
                yield VolleyRow(
                    volley,
                    ship,
                    Filling.of(order.bare),
                    entry=numbers[place],
                    before=timeline.battle_at(place),
                    thrown=faces_text(order.dice),
                )

    def _with_known_range(self, row: VolleyRow) -> VolleyRow:
        """The row with what the range book has between its ships, if anything."""
        name = self.volley.range
        bare = evolve(row.with_text(name, ""), ranged=False, old=False)
        known, slot = self.offers.range_known(self._fields(bare.filling), name), bare.filling.slot(name)
        if row.cleared or known is None or slot is None:
            return bare
        return evolve(row.with_text(name, slot_text(slot, known.value)), ranged=not known.old, old=known.old)

    def _fields(self, filling: Filling) -> FormReading:
        return FormReading.of(self.session.scope(Reach.ANYWHERE), filling)

    @property
    def row(self) -> VolleyRow:
        """The row under the cursor."""
        return self.rows[self.at]

    def name(self, at: int) -> str:
        """The ship of a row."""
        return self.session.battle.ships[self.rows[at].ship].name

    def reading(self, at: int) -> RowReading:
        """What a row means."""
        row = self.rows[at]
        known = self._read.get(at)
        if known is None or known[0] is not row:
            known = self._read[at] = (row, read_row(self.session, row))
        return known[1]

    def ready(self, at: int) -> bool:
        """Whether a row is to be entered: its dice are all there, or it is declared without."""
        row, read = self.rows[at], self.reading(at)
        return not row.skipped and read.fine and (row.declared or read.enough)

    def worked_out(self, at: int) -> Revision | None:
        """A ready row worked out behind the ready rows above it, as they will be entered; None if refused."""
        above = [self.reading(row) for row in range(at + 1) if self.ready(row) and not self.rows[row].entry]
        timeline, worked = self.session.timeline, None
        for place, read in enumerate(above):
            if place == len(self._worked) or self._worked[place][0] is not read:
                del self._worked[place:]
                assert read.order is not None
                worked = None
                with suppress(QfError):
                    worked = work_out(self.session.system, timeline, evolve(read.order, dice=read.faces))
                self._worked.append((read, worked))
            worked = self._worked[place][1]
            timeline = timeline if worked is None else worked.after
        return worked

    def lack(self, at: int) -> str:
        """Why a row is not to be entered: `no dice`; "" where it is, or where no shot is to come from it."""
        row, refused = self.rows[at], self.reading(at).refused
        if self.ready(at) or not (row.waits or (row.entry and row.dice)):
            return ""
        if refused:
            return "refused" if row.dice else ""
        if not row.target:
            return "no target"
        if row.old or not row.range:
            return "no range"
        return NOT_ALL if row.dice else "no dice"

    def put(self, row: VolleyRow) -> None:
        """Another state of the row under the cursor."""
        self.rows[self.at] = row

    def move(self, rows: int, columns: int) -> None:
        """The cursor so many rows down, from the last one to the first, and so many columns to the right."""
        self.at = (self.at + rows) % len(self.rows)
        at = self.columns.index(self.column) + columns
        self.column = self.columns[max(0, min(at, len(self.columns) - 1))]

    def go_on(self) -> None:
        """The cursor down to the next row that a shot may still come from, in its column.

        Dice pass over those that are refused as they stand: nobody calls any for them.
        """
        behind = (*range(self.at + 1, len(self.rows)), *range(self.at))
        rolls = self.column == DICE_FIELD
        for at in behind:
            row = self.rows[at]
            if row.waits and (row.dice or not rolls or not self.reading(at).refused):
                self.at = at
                return

    @property
    def writing(self) -> bool:
        """Whether any character is text now: of a target, or of a range that was begun."""
        return self.column == self.volley.target or bool(self.typed)

    @property
    def closed(self) -> str:
        """Why nothing can be written where the cursor stands; "" if it can. Dice that were entered can."""
        row = self.row
        if row.entry:
            return f"entered as {row.entry}: only its dice can be changed here"
        if row.barred or row.skipped:
            return row.barred or "left out: o puts the shot back"
        return "" if row.target or self.column == self.volley.target else "no target yet: t names it"

    @property
    def fields(self) -> FormReading:
        """The row under the cursor with what is being typed."""
        filling = self.row.filling
        filling = filling.with_text(self.column, self.typed) if self.writing else filling
        return self._fields(filling)

    def write(self, sign: str) -> str:
        """A character of the target or the range; gives the rest of the word that its letters settle."""
        self.typed += sign
        typed, sure = self.typed, self.fields.sure(self.column, self.typed)
        self.typed = sure or typed
        return sure.removeprefix(typed.lower())

    def settle(self) -> str:
        """Takes what the column under the cursor holds; gives what stands against it.

        What is typed is read; a range of last turn is kept; dice must be enough, if there are any.
        """
        row, name = self.row, self.column
        if name == DICE_FIELD:
            read = self.reading(self.at)
            return "" if read.enough or not row.dice else read.wanted
        if not self.typed:
            if row.old and row.waits and name == self.volley.range:
                self._measured(evolve(row, old=False))
            aimed = row.filling.text(name) or name != self.volley.target
            return "" if aimed else self.closed or "no target yet"
        value = self.fields.value(name) or self.fields.likeliest(name)
        if not value:
            return self.fields.fault(name) or f"{self.typed}: no {name}"
        self.typed = ""
        if name == self.volley.target:
            self.put(self._aimed(row, value))
            self._spread()
        else:
            self._measured(evolve(row.with_text(name, value), old=False))
        return ""

    def _measured(self, row: VolleyRow) -> None:
        """The row under the cursor with a range of its own, by which the others follow."""
        self.put(evolve(row, ranged=True, aimed=True, cleared=False))
        self._spread()

    def turn_back(self) -> None:
        """Takes back the last character that was typed, the last die, or all of the range."""
        row = self.row
        if self.typed:
            self.typed = self.typed[:-1]
        elif self.column == DICE_FIELD:
            faces = self.reading(self.at).faces
            shorter = f"{faces_text(faces[:-1])} ".lstrip() if faces else row.dice.rstrip()[:-1]
            self.put(evolve(row.with_text(DICE_FIELD, shorter), declared=False))
        elif self.column == self.volley.range and row.waits:
            cleared = row.cleared or bool(row.range)
            self.put(evolve(row.with_text(self.column, ""), ranged=False, old=False, cleared=cleared))
            self._spread()

    def throw(self, sign: str) -> str:
        """A digit, or the key of a face, for the row under the cursor; gives why she cannot have it."""
        row, dice, against = self.row, self.reading(self.at).asked, self.no_dice
        if against:
            return against
        if self.session.sealed:
            text = row.dice + sign if is_digit(sign) else row.dice
        else:
            if any(len(way) == len(dice) for way in readings(row.dice, dice)):
                return f"{sign} is one die too many: Enter goes on, Backspace takes one back"
            face = face_keys(dice).get(sign)
            text = row.dice + sign if face is None else f"{row.dice.rstrip()} {face} "
            if not readings(text, dice):
                return f"{' '.join(text.split())}: no such dice"
        self.put(evolve(row.with_text(DICE_FIELD, text), declared=False, aimed=True))
        return ""

    @property
    def no_dice(self) -> str:
        """Why no dice can be typed for the row under the cursor; "" where they can."""
        row, read = self.row, self.reading(self.at)
        if self.closed and not row.entry:
            return self.closed
        if row.old:
            return f"{row.range_text} is from last turn: Left, then Space keeps it"
        if read.seen is None:
            return "no range yet: Left goes to it"
        return read.refused or ("" if read.seen.missing else "nothing is rolled: Space takes the shot")

    def space(self) -> None:
        """Ends a die; without dice declares the shot, whose dice are then owed, or takes that back."""
        row = self.row
        if row.dice and not row.dice.endswith(" "):
            self.put(row.with_text(DICE_FIELD, f"{row.dice} "))
        elif row.waits and not row.old and not row.dice and self.reading(self.at).fine:
            self.put(evolve(row, declared=not row.declared, aimed=True))

    def turn_target(self) -> None:
        """The next ship of the target's line; without a target the first enemy."""
        row, ships = self.row, self.session.battle.ships
        firing, now = ships[row.ship], ships.get(row.target)
        enemies = [ship for ship in ships.values() if ship.side != firing.side and self._a_target(ship)]
        line = [ship.id for ship in enemies if now is None or ship.division == now.division]
        if row.waits and line:
            self.put(self._aimed(row, turned(line, row.target)))
            self._spread()

    def _aimed(self, row: VolleyRow, target: str) -> VolleyRow:
        if target == row.target:
            return evolve(row, aimed=True)
        row = evolve(row.with_text(self.volley.target, target), aimed=True, cleared=False)
        return self._with_known_range(row)

    def _spread(self) -> None:
        """Gives ships without a target that of the ship ahead, and fills the ranges in along the line."""
        target = ""
        for at, row in enumerate(self.rows):
            if not row.waits:
                continue
            if not row.aimed and target != row.target:
                self.rows[at] = evolve(self._aimed(row, target), aimed=False)
            target = self.rows[at].target
        for at in self.line:
            row = self.rows[at]
            if row.is_estimate and not row.ranged:
                self.rows[at] = self._with_known_range(row)
        if self.ends:
            self._fill_in(self.line)

    def _fill_in(self, line: list[int]) -> None:
        """Fills in the ranges between those of the first and the last ship of a line."""
        name, slot = self.volley.range, self.volley.form.slot(self.volley.range)
        first, last = (self.reading(at).order for at in (line[0], line[-1]))
        between = []
        for at in line[1:-1]:
            row = self.rows[at].with_text(DICE_FIELD, "").with_text(name, self.rows[line[0]].range)
            order = self._fields(row.filling).reading.order
            if order is None:
                return
            between.append(order)
        if first is None or last is None or slot is None:
            return
        system, battle = self.session.system, self.session.battle
        values = along_line(system, battle, between, first.slots[name], last.slots[name])
        for at, value in zip(line[1:-1], values, strict=True):
            if value is not None and not self.rows[at].ranged:
                self.rows[at] = evolve(self.rows[at].with_text(name, slot_text(slot, value)), old=False)

    def turn_battery(self) -> None:
        """The next battery that the ship may fire."""
        row = self.row
        if len(row.batteries) > 1 and row.waits:
            row = row.with_text(self.volley.battery, turned(row.batteries, row.battery))
            if not row.ranged:
                row = self._with_known_range(row)
            self.put(row)
            self._spread()

    def turn_flag(self) -> None:
        """The next of all ways in which the flags of the shot can stand."""
        row = self.row
        if row.waits:
            self.put(evolve(row, filling=row.filling.turned(), fault=""))

    def turn_skipped(self) -> None:
        """Leaves the row's shot out, or takes it in again."""
        row = self.row
        if not row.entry and not row.barred:
            self.put(evolve(row, skipped=not row.skipped))
            self._spread()

    @property
    def line(self) -> list[int]:
        """The rows of the ships that are to fire at a target."""
        return [at for at, row in enumerate(self.rows) if row.waits and row.target]

    @property
    def ends(self) -> tuple[int, ...]:
        """The rows of the first and the last ship of the line, where the ranges of both are measured."""
        line = self.line
        ends = tuple(at for at in (line[0], line[-1]) if self.rows[at].ranged) if len(line) > 2 else ()
        return ends if len(ends) > 1 else ()

    def enter(self, enter: Enter) -> bool:
        """Enters the shots that are ready, in order; what is refused stays, with why. Whether none was."""
        # All are read before the first is entered: behind it the battle is another one.
        ready = {at: self.reading(at) for at in range(len(self.rows)) if self.ready(at)}
        left, fine = [], True
        for at, row in enumerate(self.rows):
            fault, read = "", ready.get(at)
            if read is not None and read.order is not None:
                # A shot that was entered is corrected.
                order = Order(AMEND, {"n": row.entry}) if row.entry else read.order
                fault = enter(evolve(order, dice=read.faces, call=read.call))
                fine = fine and not fault
            if row.waits and (fault or at not in ready):
                left.append(evolve(row, fault=fault))
        self.lay_out(left)
        return fine

    @property
    def begun(self) -> tuple[VolleyRow, ...]:
        """The rows in which something was filled in that is not entered."""
        return tuple(
            row for row in self.rows if row.skipped or (row.waits and (row.dice or row.ranged or row.cleared))
        )
