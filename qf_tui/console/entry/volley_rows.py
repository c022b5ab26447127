"""The rows of a volley, which is the shots of several ships: a row for each shot, read as an order.

The column under the cursor alone decides what a key means. A digit goes into the cell under the cursor, or
it is refused.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from attrs import evolve, frozen

from qf_tui.console.entry.form_state import DICE_FIELD, Filling, FormReading, Offers, format_slot_value
from qf_tui.console.reading.source import format_findings
from qf_tui.console.widgets.fields import turn_value
from qf_tui.console.widgets.text import cut
from qf_tui.core.availability import (
    RangeBook,
    Shot,
    Volley,
    estimate_along_line,
    find_measured_range,
    list_shots,
)
from qf_tui.core.builtin_forms import AMEND
from qf_tui.core.errors import QfError
from qf_tui.core.grammar.names import Reach, format_typed_faces, is_digit
from qf_tui.core.revisions import Revision, work_out
from qf_tui.core.text import ESTIMATE_SIGN
from qf_tui.core.values import Battle, Die, Order, Ship
from qf_tui.session import Session
from qf_tui.session.session import OrderPreview
from qf_tui.session.typed_dice import DiceReading, read_dice
from qf_tui.session.volleys import KeptShot, KeptVolley

Enter = Callable[[Order], str]
"""Enters an order, and returns why it was refused, or ""."""
SIGNS = frozenset(("chosen", "aimed", "ranged", "old", "cleared", "skipped", "declared"))
"""Marks of a row that are kept, next to its texts and flags."""
NAME_MOST = 14
"""Width of a name where there is little room."""
NOT_ALL = "not all dice"
"""Note on a row with too few dice, or dice that can be read in several ways."""


@frozen
class VolleyRow:
    """A shot of a volley, complete or not.

    Parts that the umpire did not type follow the rows above, so that one change is enough for all.

    Attributes:
        volley: The form of the shot's order, and which of its slots are ship, battery, target and range.
        ship: The id of the ship that fires.
        filling: The texts of its slots, and its dice.
        shots: The shots that the ship may fire in this phase; the row is one of these.
        depth: How many rows the ship has above this one.
        chosen: The umpire chose the guns.
        aimed: The umpire named the target.
        ranged: The umpire typed the range, or kept one of last turn.
        old: The range is of last turn, and not kept yet.
        cleared: The umpire deleted the range that was known.
        skipped: The shot is left out.
        declared: The shot is entered without dice.
        entry: The number of a shot that was entered in this phase, else 0.
        before: The battle that the shot is judged on; None for the present one.
        thrown: The dice of a shot that was entered.
        barred: Why the ship may not fire.
        fault: Why the shot was not taken.
    """

    volley: Volley
    ship: str
    filling: Filling
    shots: tuple[Shot, ...] = ()
    depth: int = 0
    chosen: bool = False
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
        """The text of the dice, or ""."""
        return self.filling.find_text(DICE_FIELD)

    @property
    def battery(self) -> str:
        """The battery that fires, or ""."""
        return self.filling.find_text(self.volley.battery)

    @property
    def shot(self) -> Shot:
        """The order and the battery."""
        return self.volley, self.battery

    @property
    def target(self) -> str:
        """The id of the target, or ""."""
        return self.filling.find_text(self.volley.target)

    @property
    def range(self) -> str:
        """The range as it would be typed, or ""."""
        return self.filling.find_text(self.volley.range)

    @property
    def range_text(self) -> str:
        """The range for the screen, or ""; a range of last turn has a question mark."""
        return f"{self.range}?" if self.old and self.range else self.range

    @property
    def is_estimate(self) -> bool:
        """True if the range is an estimate."""
        return self.range.startswith(ESTIMATE_SIGN)

    @property
    def measured(self) -> bool:
        """Whether the range was measured: the ranges between two such rows are filled in."""
        return self.ranged or bool(self.range and not self.old and not self.is_estimate)

    @property
    def pinned(self) -> bool:
        """Whether the target stays when that of a row above changes."""
        return self.aimed or self.ranged or self.declared or bool(self.dice)

    @property
    def begun(self) -> bool:
        """Whether the umpire left the row out, or changed the open row."""
        is_changed = self.pinned or self.cleared or self.chosen or bool(self.filling.flags)
        return self.skipped or (self.is_open and is_changed)

    @property
    def is_open(self) -> bool:
        """Whether the row is open: not entered, not left out, and the ship may fire."""
        return not (self.entry or self.barred or self.skipped)

    @property
    def key(self) -> tuple[str, ...]:
        """The key of the row: its ship, its order and its battery."""
        return self.ship, self.volley.form.word, self.battery

    @property
    def kept_shot(self) -> KeptShot:
        """The shot to keep while the volley is set aside."""
        signs = tuple(sign for sign in SIGNS if getattr(self, sign))
        word, filling = self.volley.form.word, self.filling
        return KeptShot(self.ship, word, filling.texts, tuple(filling.flags), signs)

    def with_text(self, name: str, text: str) -> "VolleyRow":
        """Return the row with another text in a slot, or other dice; its fault is removed."""
        return evolve(self, filling=self.filling.with_text(name, text), fault="")


@frozen
class RowReading:
    """The meaning of a row of a volley: the shot that it orders.

    Attributes:
        order: The shot without its dice; None while the shot is not complete.
        preview: The preview of the shot without its dice.
        dice: The reading of the typed dice.
        dice_faults: Faults of the dice only.
    """

    order: Order | None = None
    preview: OrderPreview | None = None
    dice: DiceReading = DiceReading()
    dice_faults: str = ""

    @property
    def refusal(self) -> str:
        """The reasons against the shot, with their clauses, or ""."""
        return format_findings(self.preview.findings) if self.preview is not None else ""

    @property
    def fine(self) -> bool:
        """True if the rules accept the shot."""
        return self.preview is not None and self.preview.fine

    @property
    def possible_dice(self) -> tuple[Die, ...]:
        """All dice that the shot can take."""
        return self.preview.dice if self.preview is not None else ()

    @property
    def with_dice(self) -> Order | None:
        """The shot with its dice or its call; None if it cannot be entered with them."""
        order = self.dice.order
        has_dice = order is not None and bool(order.dice or order.call is not None)
        return order if has_dice and not self.dice_refusal and self.fine else None

    @property
    def dice_refusal(self) -> str:
        """Why the typed dice cannot be entered, or ""."""
        return self.dice_faults or self.dice.fault


def read_row(session: Session, row: VolleyRow) -> RowReading:
    """Read the shot of a row and its dice.

    Returns:
        The shot, its preview without the dice, the reading of the dice, and the faults of the dice only.
        An empty reading if the shot is not complete, or the ship may not fire.
    """
    scope = session.find_scope(Reach.ANYWHERE).with_battle(row.before)
    order = FormReading.read(scope, row.filling.with_text(DICE_FIELD, "")).reading.order
    if order is None or row.barred:
        return RowReading()
    without_dice = RowReading(order, session.preview_order(order, row.before))
    if not row.dice:
        return without_dice
    reading = FormReading.read(scope, row.filling).reading
    dice = read_dice(session, reading, row.before)
    findings = reading.findings
    # The rules may refuse dice that have one meaning. A refused shot needs no more reasons.
    if dice.order is not None and not dice.doubt and without_dice.fine:
        findings = session.preview_order(dice.order, row.before, figures=False).findings
    return evolve(without_dice, dice=dice, dice_faults=format_findings(findings))


class VolleyDesk:
    """The rows of a division's volley, and the cursor.

    A ship has one row at first. Once that row is ready, a row for her next battery is added after it.

    Attributes:
        volleys: The orders of the volley; all have a target and a range.
        rows: Open shots, then entered ones, then ships that may not fire.
        entered: Rows that were entered, without dice; an undo brings them back.
        at: Index of the row under the cursor.
        column: Column under the cursor: a slot or the dice.
        typed: Text being typed into the target or the range.
    """

    def __init__(
        self,
        session: Session,
        volleys: Sequence[Volley],
        division: tuple[Ship, ...],
        kept_volley: KeptVolley | None = None,
    ) -> None:
        self.session, self.volleys, self.division = session, volleys, division
        self.volley = volleys[0]
        self.columns = (self.volley.target, self.volley.range, DICE_FIELD)
        self.at, self.column, self.typed = 0, self.volley.range, ""
        self._readings: dict[int, tuple[VolleyRow, Battle | None, RowReading]] = {}
        self._revisions: list[tuple[RowReading, Revision | None]] = []
        self.rows: list[VolleyRow] = []
        kept_volley = kept_volley or KeptVolley()
        entered = tuple(self._restore(kept_volley.entered))
        self.lay_out_rows((*self._restore(kept_volley.shots), *entered))
        # A kept cursor is a row's key and a column. The cursor of an entered volley is only a column: then
        # go to the first of its shots that was undone.
        row_key = kept_volley.cursor[:-1]
        kept_column = kept_volley.cursor[-1:]
        keys = {row_key} if row_key else {row.key for row in entered}
        candidates = (at for at, row in enumerate(self.rows) if row.is_open and row.key in keys)
        self.at = next(candidates, self.at)
        self.column = next((name for name in self.columns if name in kept_column), self.column)

    def _restore(self, shots: Iterable[KeptShot]) -> Iterator[VolleyRow]:
        """Yield the rows of the kept shots whose orders can still be given in this phase."""
        volley_by_word = {volley.form.word: volley for volley in self.volleys}
        for shot in shots:
            if volley := volley_by_word.get(shot.order):
                ship_slot = volley.ship
                filling = Filling(volley.form, {**shot.texts, ship_slot: shot.ship}, frozenset(shot.flags))
                # The names of the row's attributes that were true.
                signs: dict[str, Any] = dict.fromkeys(SIGNS.intersection(shot.signs), True)
                yield VolleyRow(volley, shot.ship, filling, **signs)

    @property
    def kept_volley(self) -> KeptVolley:
        """The volley to set aside: begun rows, entered rows, and the cursor."""
        ship, cursor = self.division[0], (*self.row.key, self.column)
        begun_shots = (row.kept_shot for row in self.rows if row.begun)
        entered_shots = (row.kept_shot for row in self.entered)
        return KeptVolley((ship.side, ship.division), tuple(begun_shots), tuple(entered_shots), cursor)

    def lay_out_rows(self, earlier_rows: Iterable[VolleyRow] = ()) -> None:
        """Build the rows for the present battle: open shots, entered shots, ships that may not fire.

        The first open shots of all ships come before the second ones. The cursor goes to the first row that
        lacks something, or else to the first entered one.

        Args:
            earlier_rows: Rows whose texts are kept, if their shots are still possible.
        """
        system, battle = self.session.system, self.session.battle
        self.offers = Offers.collect(self.session, *(volley.form for volley in self.volleys))
        earlier_rows = tuple(earlier_rows)
        fired_rows = tuple(self._list_fired())
        fired_ships = {row.ship for row in fired_rows}
        open_rows: list[VolleyRow] = []
        barred_rows: list[VolleyRow] = []
        for ship in self.division:
            shots, refusal = list_shots(system, battle, ship, self.volleys)
            open_rows += self._build_open_rows(ship.id, shots, earlier_rows)
            # A ship that has fired has an entered row, and needs no reason why she may fire no more.
            if not shots and ship.id not in fired_ships:
                empty = Filling(self.volley.form)
                barred_rows.append(VolleyRow(self.volley, ship.id, empty, barred=refusal.text))
        self.rows = [*sorted(open_rows, key=lambda row: row.depth), *fired_rows, *barred_rows]
        open_keys = [row.key for row in open_rows]
        # Earlier rows that are not open now, such as entered ones: an undo brings them back.
        self.entered = [row for row in earlier_rows if row.key not in open_keys]
        self._readings.clear()
        self._fill_other_rows()
        for ship in self.division:
            self._add_next_battery_if_ready(ship.id)
        first_entered = next((at for at, row in enumerate(self.rows) if row.entry), 0)
        self.at = next((at for at in range(len(self.rows)) if self.format_lack(at)), first_entered)

    def _build_open_rows(
        self, ship: str, shots: tuple[Shot, ...], earlier_rows: tuple[VolleyRow, ...]
    ) -> list[VolleyRow]:
        """Build a ship's open rows: the earlier ones that are still possible, and one for her first shot."""
        rows = [row for row in earlier_rows if row.ship == ship and row.shot in shots]
        # A range that the umpire did not type is looked up again: new ones may be known.
        rows = [row if row.ranged else self._fill_known_range(row) for row in rows]
        # A row to which the umpire gave other guns takes the place of the row for her first shot.
        if shots and not any(row.chosen or row.shot == shots[0] for row in rows):
            rows.append(self._build_row(ship, shots[0]))
        rows.sort(key=lambda row: shots.index(row.shot))
        return [evolve(row, shots=shots, depth=depth) for depth, row in enumerate(rows)]

    def _build_row(self, ship: str, shot: Shot) -> VolleyRow:
        """Build the row of a possible shot, with the likely target, if any, and the known range to it."""
        volley, battery = shot
        row = VolleyRow(volley, ship, Filling(volley.form, {volley.ship: ship, volley.battery: battery}))
        target = self.offers.find_likely(self._read_fields(row.filling), volley.target)
        target_ship = self.session.battle.ships.get(target)
        if target_ship is None or not self._is_target(target_ship):
            return row
        return self._set_target(row, target)

    def _add_next_battery_if_ready(self, ship: str) -> None:
        """Add a row for the ship's next battery that the rules allow, once her rows are ready or left out."""
        # New shots come before the entered and barred rows.
        end = next((at for at, row in enumerate(self.rows) if row.entry or row.barred), len(self.rows))
        ship_rows = [at for at in range(end) if self.rows[at].ship == ship]
        if not ship_rows or not all(self.is_ready(at) or self.rows[at].skipped for at in ship_rows):
            return
        # The rules judge the next shot on the battle after her earlier ones.
        first_row = self.rows[ship_rows[0]]
        battle_after = self._find_battle_before(ship, end)
        used_shots = [self.rows[at].shot for at in ship_rows]
        unused_shots = [shot for shot in first_row.shots if shot not in used_shots]
        for shot in unused_shots:
            row = evolve(self._build_row(ship, shot), shots=first_row.shots, depth=len(ship_rows))
            row = self._copy_range(self._set_target(row, first_row.target), first_row)
            if not self._read_on_battle(row, battle_after).refusal:
                self.rows.insert(end, row)
                # A cursor below stays on its row.
                if self.at >= end:
                    self.at += 1
                return

    def _is_target(self, ship: Ship) -> bool:
        return ship.status in self.session.system.target_statuses

    def _list_fired(self) -> Iterator[VolleyRow]:
        """Yield rows, in order of play, for shots of the division entered with dice in this phase."""
        timeline, ids = self.session.timeline, {ship.id for ship in self.division}
        volleys = {volley.form: volley for volley in self.volleys}
        numbers, opened_by = timeline.play_order, timeline.battle.opened
        # The first phase of a battle was begun by no entry.
        phase_start = numbers.index(opened_by) + 1 if opened_by in numbers else 0
        for place in range(phase_start, len(numbers)):
            order = timeline.versions[numbers[place]].order
            volley = volleys.get(order.form)
            if volley is not None and order.text(volley.ship) in ids and order.dice:
                yield VolleyRow(
                    volley,
                    order.text(volley.ship),
                    Filling.from_order(order.without_dice),
                    entry=numbers[place],
                    before=timeline.battle_at(place),
                    thrown=format_typed_faces(order.dice),
                )

    def _fill_known_range(self, row: VolleyRow, book: RangeBook | None = None) -> VolleyRow:
        """Return the row with the known range between its ships; with none if it is unknown or was deleted.

        Args:
            book: The measured ranges; None for those of the battle.
        """
        name = self.volley.range
        without_range = evolve(row.with_text(name, ""), ranged=False, old=False)
        offers = evolve(self.offers, book=book or self.offers.book)
        known_range = offers.find_known_range(self._read_fields(without_range.filling), name)
        slot = without_range.filling.find_slot(name)
        if row.cleared or known_range is None or slot is None:
            return without_range
        return evolve(
            row.with_text(name, format_slot_value(slot, known_range.value)), ranged=False, old=known_range.old
        )

    def _copy_range(self, row: VolleyRow, first_row: VolleyRow) -> VolleyRow:
        """Return the row with the range of the ship's first row, if both have the same target.

        If the first row has no range, fill in the known one. A range that the umpire typed or deleted stays.
        """
        if row.ranged or row.cleared or row.target != first_row.target or row is first_row:
            return row
        order = self._read_fields(first_row.with_text(DICE_FIELD, "").filling).reading.order
        first_range = None
        if order is not None:
            first_range = find_measured_range(self.session.system, self.session.battle, order)
        pairs = self.offers.book.pairs
        if first_range is not None:
            # The newest range between these two ships comes before the earlier ones.
            newest = evolve(first_range, old=first_row.old)
            pairs = {**pairs, first_range.ships: (newest, *pairs.get(first_range.ships, ()))}
        return self._fill_known_range(row, RangeBook(pairs))

    def _read_fields(self, filling: Filling) -> FormReading:
        """Read the texts of a row on the present battle."""
        return FormReading.read(self.session.find_scope(Reach.ANYWHERE), filling)

    @property
    def row(self) -> VolleyRow:
        """The row under the cursor."""
        return self.rows[self.at]

    def find_name(self, at: int) -> str:
        """Return the name of a row's ship."""
        return self.session.battle.ships[self.rows[at].ship].name

    def format_label(self, at: int) -> str:
        """Format the ship of a row, with her battery if she has a row above."""
        name = cut(self.find_name(at), NAME_MOST)
        return f"{name} {self.format_guns(at)}" if self.rows[at].depth else name

    def format_guns(self, at: int) -> str:
        """Format a row's battery, with its order if there are several or no battery; "" if it is barred."""
        row = self.rows[at]
        if row.barred:
            return ""
        word = "" if row.battery and len(self.volleys) == 1 else row.volley.form.word
        return f"{word} {row.battery}".strip()

    def read_row(self, at: int) -> RowReading:
        """Return the meaning of a row, from a cache if nothing has changed.

        An open row is read on the battle after the ship's ready rows above it, others as `row.before` says.
        """
        row = self.rows[at]
        battle_before = self._find_battle_before(row.ship, at) if row.is_open else None
        cached_row, cached_battle, reading = self._readings.get(at, (None, None, None))
        # Rows and battles are replaced, never changed, so identity is enough.
        if reading is None or cached_row is not row or cached_battle is not battle_before:
            reading = self._read_on_battle(row, battle_before)
            self._readings[at] = row, battle_before, reading
        return reading

    def _read_on_battle(self, row: VolleyRow, battle: Battle | None) -> RowReading:
        """Read a row on a battle; with None, on the battle in `row.before` or the present one."""
        return read_row(self.session, evolve(row, before=battle or row.before))

    def _find_battle_before(self, ship: str, at: int) -> Battle | None:
        """Return the battle after all new shots down to the ship's nearest one above a row.

        Returns:
            None if she has no new shot above the row, or the nearest cannot be worked out.
        """
        rows_above = (place for place in reversed(range(at)) if self.rows[place].ship == ship)
        revision = next((self.work_out(place) for place in rows_above if self._is_new_shot(place)), None)
        return None if revision is None else revision.after.battle

    def _is_new_shot(self, at: int) -> bool:
        """Return whether a row will be entered as a new shot, not as a correction."""
        return not self.rows[at].entry and self.is_ready(at)

    def is_ready(self, at: int) -> bool:
        """Return whether the shot of a row can be entered.

        It must not be left out, the rules must accept it, and it must have all dice or be declared without.
        """
        row, reading = self.rows[at], self.read_row(at)
        return not row.skipped and reading.fine and (row.declared or reading.with_dice is not None)

    def work_out(self, at: int) -> Revision | None:
        """Work out the ready new shots from the top down to a row, each after the one before.

        Returns:
            The revision of the last shot; None if the rules refuse it, or there is none.
        """
        new_shots = [self.read_row(index) for index in range(at + 1) if self._is_new_shot(index)]
        timeline, revision = self.session.timeline, None
        for place, reading in enumerate(new_shots):
            is_cached = place < len(self._revisions) and self._revisions[place][0] is reading
            if not is_cached:
                # A changed reading also changes the results of all later ones.
                del self._revisions[place:]
                assert reading.order is not None
                revision = None
                with suppress(QfError):
                    revision = work_out(self.session.system, timeline, reading.with_dice or reading.order)
                self._revisions.append((reading, revision))
            revision = self._revisions[place][1]
            timeline = timeline if revision is None else revision.after
        return revision

    def format_lack(self, at: int) -> str:
        """Format why a row will not be entered, such as `no dice`.

        Returns:
            "" if it will be entered, has no shot to enter, or is refused before any dice are typed.
        """
        row, refusal = self.rows[at], self.read_row(at).refusal
        is_to_enter = row.is_open or bool(row.entry and row.dice)
        if self.is_ready(at) or not is_to_enter:
            return ""
        if refusal:
            return "refused" if row.dice else ""
        if not row.target:
            return "no target"
        if row.old or not row.range:
            return "no range"
        return NOT_ALL if row.dice else "no dice"

    def replace_row(self, row: VolleyRow) -> None:
        """Put another row in place of the row under the cursor."""
        self.rows[self.at] = row

    def move(self, rows: int = 0, columns: int = 0) -> None:
        """Move the cursor by rows (around the ends) and by columns (at most to the first or last)."""
        if rows:
            self._add_next_battery_if_ready(self.row.ship)
        self.at = (self.at + rows) % len(self.rows)
        at = self.columns.index(self.column) + columns
        self.column = self.columns[max(0, min(at, len(self.columns) - 1))]

    def go_to_next_row(self) -> None:
        """Move the cursor in its column to the next open row, wrapping to the top; stay if there is none.

        The ship's next battery is added first, if her rows are ready. The dice column skips refused rows
        without dice.
        """
        self._add_next_battery_if_ready(self.row.ship)
        later_rows = (*range(self.at + 1, len(self.rows)), *range(self.at))
        in_dice_column = self.column == DICE_FIELD
        for at in later_rows:
            row = self.rows[at]
            passes_over = in_dice_column and not row.dice and self.read_row(at).refusal
            if row.is_open and not passes_over:
                self.at = at
                return

    @property
    def writing(self) -> bool:
        """True if the next character is text: of a target, or of a range that was begun."""
        return self.column == self.volley.target or bool(self.typed)

    @property
    def typing_refusal(self) -> str:
        """Why nothing can be typed at the cursor, or ""; dice of an entered shot can be changed."""
        row = self.row
        if row.entry:
            return f"entered as {row.entry}: only its dice can be changed here"
        if row.barred or row.skipped:
            return row.barred or "left out: o puts the shot back"
        lacks_target = not row.target and self.column != self.volley.target
        return "no target yet: t names it" if lacks_target else ""

    @property
    def fields(self) -> FormReading:
        """The meaning of the row under the cursor, with the text being typed."""
        filling = self.row.filling
        return self._read_fields(filling.with_text(self.column, self.typed) if self.writing else filling)

    def type_character(self, character: str) -> str:
        """Add a character to the target or range; return further letters that complete its word, or ""."""
        self.typed += character
        typed_letters, sure_choice = self.typed, self.fields.find_sure_choice(self.column, self.typed)
        self.typed = sure_choice or typed_letters
        return sure_choice.removeprefix(typed_letters.lower())

    def accept_column(self) -> str:
        """Accept the text in the column under the cursor; return why it cannot be accepted, or "".

        Typed text must mean a target or a range. Without typed text, a range of last turn becomes a measured
        one, and a missing target is refused. A row must have all its dice or none.
        """
        row, name = self.row, self.column
        if name == DICE_FIELD:
            if not row.dice:
                return ""
            reading = self.read_row(self.at)
            if reading.dice.missing:
                self._begin_next_die()
            return reading.refusal or reading.dice_refusal
        if not self.typed:
            if row.old and row.is_open and name == self.volley.range:
                self._mark_measured(evolve(row, old=False))
            lacks_target = name == self.volley.target and not row.filling.find_text(name)
            if lacks_target:
                return self.typing_refusal or "no target yet"
            return ""
        value = self.fields.find_value(name) or self.fields.find_first_ship(name)
        if not value:
            return self.fields.find_fault(name) or f"{self.typed}: no {name}"
        self.typed = ""
        if name == self.volley.target:
            self.replace_row(self._set_aimed_target(row, value))
            self._fill_other_rows()
        else:
            self._mark_measured(evolve(row.with_text(name, value), old=False))
        return ""

    def _mark_measured(self, row: VolleyRow) -> None:
        """Replace the row under the cursor, count its range as measured, and fill in other rows from it."""
        self.replace_row(evolve(row, ranged=True, cleared=False))
        self._fill_other_rows()

    def turn_back(self) -> None:
        """Delete the last character of the text being typed.

        Without such a text, delete the last character in the dice column, or the whole range in its column.
        """
        row = self.row
        if self.typed:
            self.typed = self.typed[:-1]
        elif self.column == DICE_FIELD:
            self.replace_row(evolve(row.with_text(DICE_FIELD, row.dice[:-1]), declared=False))
        elif self.column == self.volley.range and row.is_open:
            cleared = row.cleared or bool(row.range)
            self.replace_row(evolve(row.with_text(self.column, ""), ranged=False, old=False, cleared=cleared))
            self._fill_other_rows()

    def type_die(self, character: str) -> str:
        """Add a digit or the key of a face to the dice of the row under the cursor; a call ignores letters.

        Returns:
            Why the row can have no dice, or "".
        """
        row = self.row
        if refusal := self.dice_typing_refusal:
            return refusal
        if is_digit(character) or not self.session.calls:
            self.replace_row(evolve(row.with_text(DICE_FIELD, row.dice + character), declared=False))
        return ""

    @property
    def dice_typing_refusal(self) -> str:
        """Why no dice can be typed for the row under the cursor, or ""."""
        row, reading = self.row, self.read_row(self.at)
        if self.typing_refusal and not row.entry:
            return self.typing_refusal
        if row.old:
            return f"{row.range_text} is from last turn: Left, then Space keeps it"
        if reading.preview is None:
            return "no range yet: Left goes to it"
        if reading.refusal or reading.preview.missing:
            return reading.refusal
        return "nothing is rolled: Space takes the shot"

    def end_die(self) -> None:
        """End the die being typed. Without dice, declare the shot (it then owes its dice), or take that back.

        A refused shot, or one with a range of last turn, is not declared.
        """
        row = self.row
        if row.dice:
            self._begin_next_die()
        elif row.is_open and not row.old and self.read_row(self.at).fine:
            self.replace_row(evolve(row, declared=not row.declared))

    def _begin_next_die(self) -> None:
        """Put a space after the dice of the row under the cursor, so that the next digit begins a new die."""
        row = self.row
        if not row.dice.endswith(" "):
            self.replace_row(row.with_text(DICE_FIELD, f"{row.dice} "))

    def turn_target(self) -> None:
        """Aim an open row at the next enemy of the target's division; with no target, at the first enemy."""
        row, ships = self.row, self.session.battle.ships
        firing_ship, old_target = ships[row.ship], ships.get(row.target)
        enemies = [ship for ship in ships.values() if ship.side != firing_ship.side and self._is_target(ship)]
        target_ids = [
            ship.id for ship in enemies if old_target is None or ship.division == old_target.division
        ]
        if row.is_open and target_ids:
            self.replace_row(self._set_aimed_target(row, turn_value(target_ids, row.target)))
            self._fill_other_rows()

    def _set_aimed_target(self, row: VolleyRow, target: str) -> VolleyRow:
        """Return the row with the target that the umpire chose, which rows above no longer change."""
        return evolve(row if target == row.target else self._set_target(row, target), aimed=True)

    def _set_target(self, row: VolleyRow, target: str) -> VolleyRow:
        """Return the row with another target, and the known range to it, if any."""
        return self._fill_known_range(evolve(row.with_text(self.volley.target, target), cleared=False))

    def _fill_other_rows(self) -> None:
        """Fill open rows from texts that were typed in others: targets downwards, ranges along the line.

        A row gets the target of the nearest row above that has the same depth and was aimed by the umpire;
        without one, the target of the ship's first row.
        """
        open_rows = [at for at, row in enumerate(self.rows) if row.is_open]
        first_rows: dict[str, int] = {}
        for at in open_rows:
            first_rows.setdefault(self.rows[at].ship, at)
        target_by_depth: dict[int, str] = {}
        for at in open_rows:
            row = self.rows[at]
            target = target_by_depth.get(row.depth, self.rows[first_rows[row.ship]].target)
            if row.aimed:
                target_by_depth[row.depth] = row.target
            elif not row.pinned and row.target != target:
                row = self._set_target(row, target)
            # Estimates are made again below, because the ends of the line may have changed.
            if row.is_estimate and not row.ranged:
                row = self._fill_known_range(row)
            self.rows[at] = row
        if self.ends:
            self._estimate_ranges(self.line)
        for at in open_rows:
            self.rows[at] = self._copy_range(self.rows[at], self.rows[first_rows[self.rows[at].ship]])

    def _estimate_ranges(self, line: list[int]) -> None:
        """Estimate the ranges of the rows between the ends of a line; measured ranges stay.

        Nothing is estimated while a row of the line has no complete order.

        Args:
            line: The indices of the rows.
        """
        name, slot = self.volley.range, self.volley.form.find_slot(self.volley.range)
        first_order, last_order = (self.read_row(at).order for at in (line[0], line[-1]))
        if first_order is None or last_order is None or slot is None:
            return
        orders_between = []
        for at in line[1:-1]:
            # The order needs some range to be complete; the estimate ignores which.
            row = self.rows[at].with_text(DICE_FIELD, "").with_text(name, self.rows[line[0]].range)
            order = self._read_fields(row.filling).reading.order
            if order is None:
                return
            orders_between.append(order)
        system, battle = self.session.system, self.session.battle
        values = estimate_along_line(
            system, battle, orders_between, first_order.slots[name], last_order.slots[name]
        )
        for at, value in zip(line[1:-1], values, strict=True):
            row = self.rows[at]
            if value is not None and not row.measured:
                self.rows[at] = evolve(row.with_text(name, format_slot_value(slot, value)), old=False)

    def turn_battery(self) -> None:
        """Change an open row to the ship's next battery that no other open row of hers fires, if any.

        The row gets the known range, unless the umpire typed its range; then the other rows follow it.
        """
        row = self.row
        other_shots = [
            other_row.shot
            for other_row in self.rows
            if other_row.ship == row.ship and other_row.is_open and other_row is not row
        ]
        shots = [shot for shot in row.shots if shot not in other_shots]
        if not row.is_open or len(shots) < 2:
            return
        volley, battery = turn_value(shots, row.shot)
        filling = evolve(row.filling, form=volley.form).with_text(volley.battery, battery)
        row = evolve(row, volley=volley, filling=filling, chosen=True, fault="")
        self.replace_row(row if row.ranged else self._fill_known_range(row))
        self._fill_other_rows()

    def turn_flag(self) -> None:
        """Change the row to the next combination of the shot's flags, if the row is open."""
        row = self.row
        if row.is_open:
            self.replace_row(evolve(row, filling=row.filling.turn_flags(), fault=""))

    def turn_skipped(self) -> None:
        """Leave out the shot of an open row, or put a left-out one back."""
        row = self.row
        if not row.entry and not row.barred:
            self.replace_row(evolve(row, skipped=not row.skipped))
            self._fill_other_rows()

    @property
    def line(self) -> list[int]:
        """The indices of the open rows with a target; of each ship only her first row."""
        return [at for at, row in enumerate(self.rows) if row.is_open and row.target and not row.depth]

    @property
    def ends(self) -> tuple[int, ...]:
        """The indices of the first and the last row of the line, if both ranges are measured; else ().

        A line of two rows has no ends, because no row is between.
        """
        line = self.line
        if len(line) < 3:
            return ()
        ends = line[0], line[-1]
        return ends if all(self.rows[at].measured for at in ends) else ()

    def enter(self, enter: Enter) -> bool:
        """Enter the ready shots from the top, and lay out the rows again; return whether all were accepted.

        A refused shot keeps its row, with the reason. An entered row whose dice were changed is entered as a
        correction.
        """
        # Read all rows first: each entry changes the battle.
        ready = {at: self.read_row(at) for at in range(len(self.rows)) if self.is_ready(at)}
        open_rows: list[VolleyRow] = []
        refused_corrections: dict[int, VolleyRow] = {}
        all_accepted = True
        for at, row in enumerate(self.rows):
            fault, reading = "", ready.get(at)
            if reading is not None and reading.order is not None:
                order = reading.with_dice or reading.order
                if row.entry:
                    order = Order(AMEND, {"n": row.entry}, order.dice, call=order.call)
                fault = enter(order)
                all_accepted = all_accepted and not fault
                if fault and row.entry:
                    refused_corrections[row.entry] = evolve(row, fault=fault)
            if not (row.entry or row.barred):
                is_entered = at in ready and not fault
                # An undo shows an entered shot again, without dice and undeclared.
                kept_row = evolve(row.with_text(DICE_FIELD, ""), declared=False) if is_entered else row
                open_rows.append(evolve(kept_row, fault=fault))
        self.lay_out_rows([*open_rows, *self.entered])
        self.rows = [refused_corrections.get(row.entry, row) for row in self.rows]
        return all_accepted
