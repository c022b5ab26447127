"""A volley while it is filled in: its rows, the one under the cursor, and the slot that is being typed."""

from collections.abc import Callable, Iterable

from attrs import evolve

from qf_tui.console.entry.form_state import DICE_FIELD, FormReading, slot_text
from qf_tui.console.entry.recall import Offers
from qf_tui.console.entry.volley_rows import RowReading, VolleyRow, read_row, rows_of, with_known_range
from qf_tui.core.builtin_forms import AMEND
from qf_tui.core.grammar.names import Candidate, Reach
from qf_tui.core.grammar.order import Order
from qf_tui.core.measure import ESTIMATE_SIGN
from qf_tui.core.ranges import along_line
from qf_tui.core.values import Ship
from qf_tui.core.volley import Volley
from qf_tui.session import Session

Enter = Callable[[Order], str]
"""Enters an order, and gives in words why it was not taken, or nothing."""


class VolleyDesk:
    """The rows of a division's volley; `editing` is the slot that `typed` goes into, "" for the dice."""

    def __init__(self, session: Session, volley: Volley, division: tuple[Ship, ...]) -> None:
        self.session, self.volley, self.division = session, volley, division
        self.at, self.editing, self.typed = 0, "", ""
        self._read: dict[int, tuple[VolleyRow, RowReading]] = {}
        self.rows: list[VolleyRow] = []
        self.lay_out()

    def lay_out(self, kept: Iterable[VolleyRow] = ()) -> None:
        """The rows as the battle stands, with what was filled in of shots that were not entered."""
        self.offers = Offers.of(self.session, self.volley.form)
        held = {row.ship: row for row in kept}
        found = rows_of(self.session, self.volley, self.division)
        self.rows = [self._as_kept(row, held.get(row.ship)) for row in found]
        self._read.clear()
        self._spread()
        entered = next((at for at, row in enumerate(self.rows) if row.entry), 0)
        self.at = next((at for at in range(len(self.rows)) if self.wanting(at)), entered)

    def _as_kept(self, row: VolleyRow, kept: VolleyRow | None) -> VolleyRow:
        """A row with what was filled in before, where the ship may still fire that battery."""
        if kept is None or not row.waits or kept.filling.text(self.volley.battery) not in row.batteries:
            return row
        return evolve(kept, batteries=row.batteries)

    @property
    def row(self) -> VolleyRow | None:
        return self.rows[self.at] if self.rows else None

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
        return not row.skipped and read.fine and (row.declared or read.dice.faces is not None)

    def wanting(self, at: int) -> bool:
        """Whether a row's shot is still to be filled in, and no rule stands against it."""
        return self.rows[at].waits and not self.ready(at) and not self.reading(at).refused

    def put(self, row: VolleyRow) -> None:
        """Another state of the row under the cursor."""
        self.rows[self.at] = row

    def step(self, by: int) -> None:
        """The cursor to another row; from the last one to the first."""
        if self.rows:
            self.at = (self.at + by) % len(self.rows)

    def go_on(self) -> None:
        """The cursor to the next row that still wants something, if there is one."""
        behind = [*range(self.at + 1, len(self.rows)), *range(self.at)]
        self.at = next((at for at in behind if self.wanting(at)), self.at)

    def begin(self, name: str, typed: str = "") -> None:
        """Begins to type a slot."""
        self.editing, self.typed = name, typed

    @property
    def fields(self) -> FormReading:
        """The row under the cursor with what is being typed."""
        filling = self.rows[self.at].filling
        if self.editing:
            filling = filling.with_text(self.editing, self.typed)
        return FormReading.of(self.session.scope(Reach.ANYWHERE), filling)

    def choices(self) -> tuple[Candidate, ...]:
        """What the slot that is being typed may hold."""
        return self.fields.choices(self.editing)

    def value(self) -> str:
        """What is typed into the slot means, the likeliest of several ships; "" for nothing."""
        fields = self.fields
        return fields.value(self.editing) or fields.likeliest(self.editing)

    def take(self) -> str:
        """Takes what is typed into the slot, or else what stands there; gives what is against it."""
        row, name, typed = self.rows[self.at], self.editing, self.typed.strip()
        value = self.value() if typed else row.filling.text(name)
        if not value:
            return self.fields.fault(name) or f"{name}: nothing stands there yet"
        self.editing = self.typed = ""
        if name == self.volley.target:
            self.put(self._aimed(row, value))
        else:
            self.put(evolve(row.with_text(name, value), ranged=True, old=False))
        self._spread()
        return ""

    def turn_target(self, by: int) -> None:
        """The next ship of the target's line, or the one before; without a target the first enemy."""
        row, ships = self.rows[self.at], self.session.battle.ships
        firing, now = ships[row.ship], ships.get(row.filling.text(self.volley.target))
        enemies = [one for one in ships.values() if one.side != firing.side and one.afloat]
        line = [one.id for one in enemies if now is None or one.division == now.division]
        if row.waits and line:
            at = line.index(now.id) + by if now is not None and now.id in line else 0
            self.put(self._aimed(row, line[at % len(line)]))
            self._spread()

    def _aimed(self, row: VolleyRow, target: str) -> VolleyRow:
        if target == row.filling.text(self.volley.target):
            return evolve(row, aimed=True)
        row = evolve(row.with_text(self.volley.target, target), aimed=True)
        return with_known_range(self.session, self.volley, self.offers, row)

    def _spread(self) -> None:
        """Gives ships without a target that of the ship ahead, and fills the ranges in along the line."""
        target = ""
        for at, row in enumerate(self.rows):
            if not row.waits:
                continue
            if not row.aimed and target != row.filling.text(self.volley.target):
                self.rows[at] = evolve(self._aimed(row, target), aimed=False)
            target = self.rows[at].filling.text(self.volley.target)
        line = [at for at, row in enumerate(self.rows) if row.waits and row.filling.text(self.volley.target)]
        ranged = [at for at in line if self.rows[at].ranged]
        if len(line) > 2 and line[0] in ranged and line[-1] in ranged:
            self._fill_in(line)

    def _fill_in(self, line: list[int]) -> None:
        """Fills in the ranges between those of the first and the last ship of a line."""
        orders = [self._with_range(at, self.rows[line[0]].filling.text(self.volley.range)) for at in line]
        first, last = (self.reading(at).order for at in (line[0], line[-1]))
        between = [order for order in orders[1:-1] if order is not None]
        if first is None or last is None or len(between) != len(line) - 2:
            return
        name, battle = self.volley.range, self.session.battle
        values = along_line(self.session.system, battle, between, first.slots[name], last.slots[name])
        for at, value in zip(line[1:-1], values, strict=True):
            row, slot = self.rows[at], self.volley.form.slot(name)
            if value is not None and slot is not None and not row.ranged:
                self.rows[at] = evolve(row.with_text(name, slot_text(slot, value)), old=False)

    def _with_range(self, at: int, text: str) -> Order | None:
        filling = self.rows[at].filling.with_text(self.volley.range, text).with_text(DICE_FIELD, "")
        return FormReading.of(self.session.scope(Reach.ANYWHERE), filling).reading.order

    def turn_battery(self) -> None:
        """The next battery that the ship may fire."""
        row, name = self.rows[self.at], self.volley.battery
        if len(row.batteries) > 1 and row.waits:
            at = row.batteries.index(row.filling.text(name))
            row = row.with_text(name, row.batteries[(at + 1) % len(row.batteries)])
            if not row.ranged:
                row = with_known_range(self.session, self.volley, self.offers, row)
            self.put(row)
            self._spread()

    def turn_skipped(self) -> None:
        """Leaves the row's shot out, or takes it in again."""
        row = self.rows[self.at]
        if not row.entry and not row.barred:
            self.put(evolve(row, skipped=not row.skipped))
            self._spread()

    def is_estimate(self, at: int) -> bool:
        return self.rows[at].filling.text(self.volley.range).startswith(ESTIMATE_SIGN)

    @property
    def ends(self) -> tuple[str, ...]:
        """The measured ranges of the first and the last ship that fire."""
        name = self.volley.range
        found = [row.filling.text(name) for row in self.rows if row.waits and row.ranged]
        return (found[0], found[-1]) if len(found) > 1 else ()

    def enter(self, enter: Enter) -> int:
        """Enters the shots that are ready, in order; gives how many. What is refused stays, with why."""
        taken = 0
        left: list[VolleyRow] = []
        for at, row in enumerate(self.rows):
            if not self.ready(at):
                left.append(row)
                continue
            fault = enter(self._order(at))
            taken += not fault
            if fault:
                left.append(evolve(row, fault=fault))
        self.lay_out(row for row in left if row.waits)
        return taken

    def _order(self, at: int) -> Order:
        """The order of a row, or the correction of the shot that was entered."""
        row, read = self.rows[at], self.reading(at)
        faces = read.dice.faces or ()
        if row.entry:
            return Order(AMEND, {"n": row.entry}, faces, call=read.dice.call)
        assert read.order is not None
        return evolve(read.order, dice=faces, call=read.dice.call)

    @property
    def half_thrown(self) -> int | None:
        """The first row whose dice are not all there, or may be read in several ways; None without one."""
        found = (at for at, row in enumerate(self.rows) if row.dice and not row.skipped)
        return next((at for at in found if self.reading(at).fine and not self.ready(at)), None)

    @property
    def refused(self) -> bool:
        """Whether the rules did not take a shot."""
        return any(row.fault for row in self.rows)

    @property
    def begun(self) -> tuple[VolleyRow, ...]:
        """The rows in which something was filled in that is not entered."""
        return tuple(row for row in self.rows if row.skipped or (row.waits and (row.dice or row.ranged)))
