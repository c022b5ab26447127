"""The rule system of a rule book, which a club declares in a file.

The book's tables give the results of dice. The umpire reads his chart for orders and checks without a table.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import partial

from attrs import evolve, frozen

from qf_tui.core.builtin_orders import drop_owed
from qf_tui.core.decisions import DecisionBuilder, Op
from qf_tui.core.declarations import (
    ChartShape,
    Column,
    Field,
    FieldSpec,
    PreparedOrder,
    ResultKind,
    Setup,
    Span,
    Worth,
    WorthPart,
    build_choice_check,
    build_unplayable,
    out_of_phase,
)
from qf_tui.core.errors import Finding, OrderRefused, impossible, refused
from qf_tui.core.facts import Fact, FactField, FactSchema
from qf_tui.core.grammar import kinds
from qf_tui.core.printed_logs import SheetLine
from qf_tui.core.system import LanguageFault, RuleLanguage, RuleSystem, find_phase
from qf_tui.core.text import Distance, Scalar
from qf_tui.core.values import READ_FOR, SUNK, WITHDRAWN, Battle, Die, Faces, Order, Owed, Ship
from qf_tui.rules.book.changes import NOTHING, Change, format_changes, read_changes, split_words
from qf_tui.rules.book.declaration import (
    DICE_MOST,
    KIND,
    READ,
    STATUSES,
    TARGET,
    BookFile,
    BookOrder,
    Declaration,
    DeclaredCheck,
    declare_book,
    read_when,
)
from qf_tui.rules.book.faults import BookFaults, report_refusal
from qf_tui.rules.book.grid import (
    MARKS,
    build_columns,
    build_log_sheet,
    format_limit,
    format_marks_cell,
    list_marker_changes,
)
from qf_tui.rules.book.tables import Cell, Look, Value, prepare_reading, read_cell

CROSSED = "crossed"
"""The name of the only result that reports count: boxes that tables cross off."""


class BookLanguage(RuleLanguage):
    """The language of files that declare rule books."""

    shape = BookFile

    def list_faults(self, file: BookFile) -> Iterator[LanguageFault]:
        return iter(BookFaults(file))

    def build_system(self, name: str, file: BookFile, data: Mapping[str, object]) -> RuleSystem:
        return Book(declare_book(name, file, data))


@frozen
class _Question:
    """A question that a table or the umpire's chart answers.

    Attributes:
        asker: Word of the order, or name of the check or table, that asks.
        title: Title for people, with the ships.
        hit: Id of the ship that is hit; the ship that acts if there is no target.
        actor: Id of the ship that acts.
        clause: Clause of the rules, or "".
        read_for: Values other than the dice that the umpire needs to read his chart, as texts.
        dice: Dice that may be thrown.
        faces: Faces that were thrown.
    """

    asker: str
    title: str
    hit: str
    actor: str
    clause: str
    read_for: tuple[str, ...] = ()
    dice: tuple[Die, ...] = ()
    faces: Faces = ()

    @property
    def prompt(self) -> str:
        """The question for people: the faces, the title and the values that the chart needs."""
        faces = f"{' '.join(map(str, self.faces))} · " if self.faces else ""
        return ", ".join((f"{faces}{self.title}", *self.read_for))

    @property
    def facts(self) -> Mapping[str, Fact]:
        """The facts that the question keeps.

        The fact `for` lists, word by word, what the chart is read for: the asker, the ship that acts, the
        values and the faces. An answer keeps the same words, so that it can be matched with its question.
        """
        read_for = (self.asker, self.actor, *self.read_for, *map(str, self.faces))
        # Fewer dice may be thrown than the order allows: then the last ones have no face.
        return {
            "by": self.asker,
            "actor": self.actor,
            "prompt": self.prompt,
            "for": tuple(split_words(" ".join(read_for))),
            "sides": tuple(die.sides for die in self.dice[: len(self.faces)]),
            "clause": self.clause,
        }


class Book(RuleSystem):
    """The rule system that one rule book declares.

    Attributes:
        book: The book.
    """

    def __init__(self, book: Declaration) -> None:
        """Build all parts of the rule system from the book."""
        self.book = book
        self.name, self.title, self.data = book.name, book.title, book.data
        self.phases, self.options, self.clauses = book.phases, book.options, book.clauses
        self.forms = tuple(order.form for order in book.orders.values())
        self.dice = tuple(die for order in book.orders.values() for die in order.pool.dice)
        self.fields = self._build_fields()
        self.columns = build_columns(book)
        self.card = self._build_card()
        self.departure_statuses = (WITHDRAWN, SUNK, *book.added_statuses)
        worth_parts = tuple(
            WorthPart(track.name, f"each of {track.title}", track.worth, partial(_count_track, track.name))
            for track in book.tracks.values()
            if track.worth
        )
        if worth_parts:
            self.worth = Worth(worth_parts)
        chart_question = (
            FactField("by"),
            FactField("actor"),
            FactField("prompt"),
            FactField("for", "texts"),
            FactField("sides", "ints"),
            FactField("clause"),
        )
        table_questions = {name: (FactField("actor"),) for name in book.tables}
        self.facts = FactSchema(questions={READ: chart_question, **table_questions})
        self.read_by_hand = any(order.read_by_hand for order in book.orders.values()) or any(
            not check.table for check in book.checks.values()
        )
        self.own_charts = {table.name: table.chart for table in book.tables.values()}
        self.chart_shapes = {
            table.name: ChartShape(table.columns, self._find_cell_fault, build_choice_check(*table.rows))
            for table in book.tables.values()
        }
        rolls: tuple[tuple[str, BookOrder | DeclaredCheck], ...] = (
            *book.orders.items(),
            *book.checks.items(),
        )
        if book.tables:
            # Orders and checks that use a table, and the rolls that tables owe, cross off boxes.
            lines = (*(name for name, roll in rolls if roll.table), *book.tables)
            self.results = (
                ResultKind(CROSSED, "boxes crossed off", lines, (CROSSED,), damage=True, each=_count_boxes),
            )

    def _find_cell_fault(self, text: str) -> str | None:
        """Return why the text of a chart cell cannot be read, or None if it can."""
        for _, fault in report_refusal("", read_cell, text, self.book.names, self.book.tables):
            return fault
        return None

    def _build_fields(self) -> tuple[Field, ...]:
        """Build the fields of a ship's log: her tracks, her marks and her status."""
        book = self.book
        tracks = (
            Field(
                track.name,
                track.title,
                most=track.most,
                clause=track.clause,
                seen=track.seen,
                on_set=partial(self._apply_out, track=track.name),
            )
            for track in book.tracks.values()
        )
        marks = (
            Field(mark.name, mark.title, "marks", most=mark.most, lasting_turns=mark.turns, seen=mark.seen)
            for mark in book.marks.values()
        )
        return (*tracks, *marks, Field("status", "status", "status", words=(*STATUSES, *book.added_statuses)))

    def _build_card(self) -> tuple[FieldSpec, ...]:
        """Build the keys of a ship's card: the kind of ship if the book has kinds, and the tracks.

        A book without kinds requires every track, because no kind gives its amount.
        """
        kinds = tuple(self.book.kinds)
        kind = FieldSpec("kind", "word", "the kind of ship", words=kinds, required=True)
        tracks = (
            FieldSpec(track.name, "int", track.title, most=track.most, required=not kinds)
            for track in self.book.tracks.values()
        )
        return (kind, *tracks) if kinds else tuple(tracks)

    def get_card_defaults(self, card: Mapping[str, Scalar]) -> Mapping[str, Scalar]:
        """Return the amount of each track of a ship; her kind gives the amounts that her card lacks."""
        return {track: self.book.count_built(card, track) for track in self.book.tracks}

    def muster(self, card: Mapping[str, Scalar], setup: Setup) -> Mapping[str, Scalar]:
        """Return the first log of a ship: all tracks are full."""
        return self.get_card_defaults(card)

    def prepare(self, battle: Battle, order: Order) -> PreparedOrder:
        """Prepare an order: its findings, its dice and its effects.

        If several ships act, the first one throws and is checked against the target. The declaration marks
        each ship as having acted, and takes off what the order spends.
        """
        rules = self.book.orders[order.word]
        actors = order.list_texts(order.form.slots[0].name)
        ships = [battle.ships[id] for id in actors]
        target = order.text(rules.target)
        findings = [
            *out_of_phase(battle, rules.form, rules.clause),
            *self._list_switch_findings(battle, rules),
        ]
        for ship in ships:
            findings += self._check_ship(battle, rules, order, ship)
        if target:
            findings += _check_target(battle, rules, ships[0], battle.ships[target])
            findings += self._check_possessions(battle, rules, battle.ships[target], f"{TARGET}.")
        dice, least_dice = self._find_dice(battle, rules, order, ships[0])
        if rules.each and not dice:
            findings.append(impossible(f"{ships[0].name} has no {rules.each} left to throw for"))

        def declare(builder: DecisionBuilder) -> None:
            for ship in ships:
                builder.remember(order.word, ship.id)
                if rules.spends:
                    loss = Change(rules.spends, -_count_spent(rules, order))
                    self._record_change(builder, ship.id, loss, rules.clause)

        throw = self._build_throw(battle, rules, order, cause=None)
        return evolve(
            throw,
            findings=(*findings, *throw.findings),
            dice=dice,
            missing=lambda faces: dice[len(faces) : least_dice],
            declare=declare,
            owes=order.word,
            prompt=self._format_order(battle, rules, order),
            ship=ships[0].id,
        )

    def _list_switch_findings(self, battle: Battle, rules: BookOrder | DeclaredCheck) -> tuple[Finding, ...]:
        """Return a finding against an order or check if its switch has another value; () if not."""
        name, value = read_when(rules.when)
        if not name or str(battle.options.get(name)) == value:
            return ()
        clause = next(option.clause for option in self.options if option.name == name)
        return (refused(f"only while {name} is {value}", clause),)

    def _check_ship(self, battle: Battle, rules: BookOrder, order: Order, ship: Ship) -> Iterator[Finding]:
        """List the findings against an order for one of the ships that act."""
        word = rules.form.word
        ship_as_counted = self._find_ship_as_counted(battle, ship)
        if not ship_as_counted.afloat:
            yield refused(f"{ship.name} is {ship_as_counted.status}", rules.clause)
        # `phase=None` counts the acts in all phases of this turn.
        phase = battle.phase if rules.once == "phase" else None
        if rules.once and battle.list_turn_acts(word, ship.id, phase=phase):
            yield refused(f"{ship.name} has done {word} this {rules.once}", rules.clause)
        # She spends from her present amount, even if damage counts only from the end of the phase.
        usable = self.book.count_usable(ship, rules.spends) if rules.spends else 0
        if rules.spends and usable < _count_spent(rules, order):
            yield refused(f"{ship.name} has {usable} {rules.spends}", rules.clause)
        yield from self._check_possessions(battle, rules, ship, "")

    def _check_possessions(
        self, battle: Battle, rules: BookOrder, ship: Ship, prefix: str
    ) -> Iterator[Finding]:
        """List a finding for each track or mark that a ship needs and lacks, or has and must not have.

        Args:
            prefix: "target." to check her as the target, "" to check her as the ship that acts.
        """
        # In some phases, damage counts only from the end of the phase.
        ship_as_counted = self._find_ship_as_counted(battle, ship)
        for names, must_have in ((rules.needs, True), (rules.bars, False)):
            for name in (name.removeprefix(prefix) for name in names if name.startswith(prefix)):
                # For the acting ship, a name with "target." is neither a track nor a mark, and is left out.
                if name in self.book.tracks:
                    has_track = self.book.count_usable(ship_as_counted, name) != 0
                    if has_track is not must_have:
                        yield refused(f"{ship.name} has {'no ' if must_have else ''}{name}", rules.clause)
                elif name in self.book.marks:
                    has_mark = bool(ship_as_counted.live(name))
                    if has_mark is not must_have:
                        text = f"{ship.name} is {'not ' if must_have else ''}marked {name}"
                        yield refused(text, rules.clause)

    def _find_dice(
        self, battle: Battle, rules: BookOrder, order: Order, ship: Ship
    ) -> tuple[tuple[Die, ...], int]:
        """Return all dice that an order may throw, and how many of these dice it must throw.

        With `each`, the order throws one die for each unit that it states or that the ship has, up to
        `DICE_MOST`, and must throw them all.
        """
        if not rules.each:
            return rules.pool.dice, rules.pool.least
        # `each` names a slot of the order that holds a number, or else a track of the ship.
        units = order.number(rules.each)
        if units is None:
            units = self.book.count_usable(self._find_ship_as_counted(battle, ship), rules.each)
        number = min(DICE_MOST, units)
        return rules.pool.dice[:1] * number, number

    def _find_ship_as_counted(self, battle: Battle, ship: Ship) -> Ship:
        """Return the ship in the state that decides what she can do.

        In a phase whose damage counts only from its end, that is her state when the phase began.
        """
        has_slashes = find_phase(self, battle.phase).slashes
        return battle.start.ships.get(ship.id, ship) if has_slashes else ship

    def _format_order(self, battle: Battle, rules: BookOrder, order: Order) -> str:
        """Format an order: its title, the ships that act, and the target if there is one."""
        actors = ", ".join(battle.called(id) for id in order.list_texts(order.form.slots[0].name))
        target = order.text(rules.target)
        return f"{rules.form.title}, {actors}{f' at {battle.called(target)}' if target else ''}"

    def _build_throw(
        self, battle: Battle, rules: BookOrder, order: Order, cause: int | None
    ) -> PreparedOrder:
        """Build the part of an order that says what its dice do.

        The dice are looked up on the order's table. Without a table, the umpire reads his chart if the order
        needs it.

        Args:
            cause: Number of the entry that declared the order; None if this entry does.
        """
        if not rules.table:
            return PreparedOrder(decide=partial(self._record_effects, battle, rules, order, cause))
        actor = order.text(order.form.slots[0].name)
        target = order.text(rules.target)
        table = self.book.tables[rules.table]
        question = _Question(table.name, table.title, target or actor, actor, rules.clause or table.clause)
        look = self._build_look(battle, battle.ships[actor], battle.ships.get(target), order)
        throw = self._build_table_throw(battle, question, look, per_die=bool(rules.each), cause=cause)

        def decide(faces: Faces, builder: DecisionBuilder) -> None:
            self._apply_stated_changes(rules, order, builder)
            throw.decide(faces, builder)

        return evolve(throw, decide=decide)

    def _build_look(
        self, battle: Battle, ship: Ship, target: Ship | None = None, order: Order | None = None
    ) -> Look:
        """Build the function that gives the value of a name in a table.

        A name is a slot of the order, a switch, `kind`, a track or a mark. The last three may begin with
        `target.`.

        Args:
            ship: Ship that acts, or that a check is for.
            target: Ship that names beginning with `target.` refer to.
            order: Order that the dice are for; None for a check or an owed roll.

        Returns:
            The function. It returns 0 for a flag or number that the order leaves out. It returns None for a
            word or range left out, and for a name with `target.` if there is no target.
        """
        options = battle.options
        values: dict[str, object] = {
            switch.name: options.get(switch.name, switch.default) for switch in self.options
        }
        if order is not None:
            # Start with the values of empty slots; the order's slots replace those that are filled.
            for slot in order.form.slots:
                values[slot.name] = 0 if slot.kind in (kinds.FLAG, kinds.COUNT) else None
            values.update(order.slots)

        def look_up(name: str) -> Value:
            if name in values:
                value = values[name]
                return value if isinstance(value, int | str | Distance) else None
            prefix, _, key = name.rpartition(".")
            named_ship = target if prefix == TARGET else ship
            if named_ship is None:
                return None
            if key == KIND:
                return str(named_ship.card.get(KIND))
            ship_as_counted = self._find_ship_as_counted(battle, named_ship)
            if key in self.book.tracks:
                return self.book.count_usable(ship_as_counted, key)
            # Any other name is a mark, which counts as often as the ship has it.
            return len(ship_as_counted.live(key))

        return look_up

    def _build_table_throw(
        self,
        battle: Battle,
        question: _Question,
        look: Look,
        *,
        per_die: bool = False,
        cause: int | None = None,
    ) -> PreparedOrder:
        """Build a roll on a table, to which the caller adds the dice.

        Its odds and its effects come from the same reading of the table.

        Args:
            look: Function that gives the value of a name in the table.
            per_die: True if every die is looked up by itself.
            cause: Number of the entry that further owed rolls belong to; None for this entry.

        Returns:
            The roll. If the table cannot be read, the result has only the findings that say why.
        """
        book, table = self.book, self.book.tables[question.asker]
        tracks_by_status = self._group_tracks_by_status(battle.ships[question.hit])
        try:
            chart = battle.charts.get(table.name, table.chart)
            reading = prepare_reading(
                table, chart, look, book.names, book.tables, tracks_by_status, per_die=per_die
            )
        except OrderRefused as refusal:
            return PreparedOrder(findings=refusal.findings)

        def decide(faces: Faces, builder: DecisionBuilder) -> None:
            ship_before = builder.ship(question.hit)
            modifiers = "".join(f" {modifier.by:+d} ({modifier.text})" for modifier in reading.met_modifiers)
            dice_of_totals = [(face,) for face in faces] if per_die else [faces]
            for total, dice in zip(reading.compute_totals(faces), dice_of_totals, strict=True):
                cell, chart_cell = reading.look_up(total)
                place = f"{table.name} {table.find_row(total)}, {reading.column}"
                roll = f"{' '.join(map(str, dice))}{modifiers}"
                if modifiers or len(dice) > 1:
                    roll = f"{roll} = {total}"
                builder.because(cell.text, question.clause, chart_cell, place, of=question.title, roll=roll)
                self._record_cell(builder, question, cell, cause)
            losses = self._list_losses(ship_before, builder.ship(question.hit))
            builder.result(CROSSED, tuple(losses))

        return PreparedOrder(
            decide=decide,
            odds=reading.odds,
            needs=reading.needs,
            judge=reading.judge,
            alike=reading.find_rows,
        )

    def _group_tracks_by_status(self, ship: Ship) -> Mapping[str, tuple[tuple[str, int], ...]]:
        """Return the tracks whose total loss gives a ship a status, by that status.

        Returns:
            For each status the names of its tracks, with the amount that she has left of each. Tracks with
            nothing left are left out, and so are all tracks of a ship that is not afloat.
        """
        tracks_by_status: dict[str, tuple[tuple[str, int], ...]] = {}
        for track in self.book.tracks.values():
            track_left = (track.name, ship.count(track.name))
            if track.out and ship.afloat and ship.count(track.name):
                tracks_by_status[track.out] = (*tracks_by_status.get(track.out, ()), track_left)
        return tracks_by_status

    def _list_losses(self, before: Ship, after: Ship) -> Iterator[str]:
        """Yield what a ship lost of each track, such as `hull 2`, and each kind of mark that she gained."""
        for track in self.book.tracks:
            if after.count(track) < before.count(track):
                yield f"{track} {before.count(track) - after.count(track)}"
        yield from (mark for mark in self.book.marks if len(after.live(mark)) > len(before.live(mark)))

    def _record_cell(
        self, builder: DecisionBuilder, question: _Question, cell: Cell, cause: int | None
    ) -> None:
        """Write the changes of a table cell, and owe its rolls unless the hit ship is now off the table.

        Args:
            cause: Number of the entry that those rolls belong to; None for this entry.
        """
        hit, actor = question.hit, question.actor
        for change in cell.changes:
            self._record_change(builder, actor if change.for_actor else hit, change, question.clause)
        if builder.ship(hit).is_off_table:
            return
        for name in cell.rolls:
            table = self.book.tables[name]
            prompt = f"{table.title}, {builder.ship(hit).name}"
            builder.owe(name, hit, prompt, *table.dice, facts={"actor": actor}, cause=cause)

    def _apply_stated_changes(self, rules: BookOrder, order: Order, builder: DecisionBuilder) -> None:
        """Write the changes that the book states under `does`; they need no dice and no chart."""
        actors = order.list_texts(order.form.slots[0].name)
        target = order.text(rules.target)
        for change in read_changes(split_words(rules.does), self.book.names):
            # Without a target, every change is for the ships that act.
            changed_ships = actors if change.for_actor or not target else (target,)
            for id in changed_ships:
                self._record_change(builder, id, change, rules.clause)

    def _record_effects(
        self,
        battle: Battle,
        rules: BookOrder,
        order: Order,
        cause: int | None,
        faces: Faces,
        builder: DecisionBuilder,
    ) -> None:
        """Write the effects of an order without a table, and ask for the chart if the order needs it.

        Args:
            cause: Number of the entry that declared the order; None if this entry does.
        """
        self._apply_stated_changes(rules, order, builder)
        actors = order.list_texts(order.form.slots[0].name)
        target = order.text(rules.target)
        roll = " ".join(map(str, faces))
        title = self._format_order(battle, rules, order)
        builder.because(
            "read your chart" if rules.read_by_hand else "done", rules.clause, of=title, roll=roll
        )
        if rules.read_by_hand:
            dice, _ = self._find_dice(battle, rules, order, battle.ships[actors[0]])
            read_for = self._list_chart_values(battle, rules, order, actors)
            hit = target or actors[0]
            question = _Question(
                order.word, title, hit, actors[0], rules.clause, read_for, dice=dice, faces=faces
            )
            self._ask_chart(builder, question, cause)

    def _list_chart_values(
        self, battle: Battle, rules: BookOrder, order: Order, actors: tuple[str, ...]
    ) -> tuple[str, ...]:
        """List the values other than dice that the umpire needs to read his chart.

        These are the ships that act, except the first; the order's slots, except its target and free text;
        and the tracks and marks that the book lists under `looks_at`.
        """
        texts = [*actors[1:]]
        for slot in order.form.slots[1:]:
            if slot.name in order.slots and slot.name != rules.target and slot.kind is not kinds.TEXT:
                value = " ".join(slot.kind.write(slot, order.slots[slot.name]))
                texts.append(f"{slot.name} {value}" if slot.kind is kinds.COUNT else value)
        for name in rules.looks_at:
            prefix, _, key = name.rpartition(".")
            ship = battle.ships.get(order.text(rules.target) if prefix == TARGET else actors[0])
            if ship is None:
                continue
            ship_as_counted = self._find_ship_as_counted(battle, ship)
            is_mark = key in self.book.marks
            number = (
                len(ship_as_counted.live(key)) if is_mark else self.book.count_usable(ship_as_counted, key)
            )
            texts.append(f"{name} {number}")
        return tuple(texts)

    def _ask_chart(self, builder: DecisionBuilder, question: _Question, cause: int | None = None) -> None:
        """Owe the answer that the umpire reads on his chart.

        Args:
            cause: Number of the entry that the answer belongs to; None for this entry.
        """
        book = self.book
        words = (NOTHING, *book.tracks, *book.marks, SUNK, *book.added_statuses)
        builder.owe(
            READ,
            question.hit,
            f"read your chart: {question.prompt}",
            words=words,
            faces=question.faces,
            facts=question.facts,
            cause=cause,
        )

    def enter(self, battle: Battle, builder: DecisionBuilder) -> None:
        """Owe the checks of a new phase for each ship afloat, except those that a switch turns off.

        A check with `on` is owed once for each mark of that kind on the ship, any other check once.
        """
        for check in self.book.checks.values():
            if check.phase != battle.phase or self._list_switch_findings(battle, check):
                continue
            for ship in battle.ships.values():
                if not ship.afloat:
                    continue
                number = len(ship.live(check.on)) if check.on else 1
                for _ in range(number):
                    self._owe_check(builder, check, ship)

    def _owe_check(self, builder: DecisionBuilder, check: DeclaredCheck, ship: Ship) -> None:
        """Owe a ship's roll for a check, or, if the check has no dice, the answer from the umpire's chart."""
        title = f"{check.title}, {ship.name}"
        if check.pool.dice:
            builder.owe(check.name, ship.id, title, *check.pool.dice[: check.pool.least])
        else:
            question = _Question(check.name, title, hit=ship.id, actor=ship.id, clause=check.clause)
            self._ask_chart(builder, question)

    def prepare_roll(self, battle: Battle, owed: Owed) -> PreparedOrder:
        """Prepare an owed roll: the dice of an order, a check, or a roll that a cell of a table owes.

        A roll with a table is looked up there. After any other roll, the umpire reads his chart. A roll that
        the book does not have is unplayable.
        """
        if owed.order is not None:
            rules, order = self.book.orders[owed.order.word], owed.order
            declared = self.prepare_declared(battle, owed)
            # Further rolls belong to the entry of the order, even if its dice come later.
            return evolve(
                self._build_throw(battle, rules, order, owed.entry),
                dice=declared.dice,
                missing=declared.missing,
                prompt=declared.prompt,
                ship=declared.ship,
            )
        # A roll without an order is a check, or a roll that the cell of a table owes.
        check = self.book.checks.get(owed.line)
        table_name = owed.line if check is None else check.table
        if table_name in self.book.tables:
            table = self.book.tables[table_name]
            source = check or table
            actor = owed.read_text("actor") or owed.ship
            clause = source.clause or table.clause
            question = _Question(table_name, source.title, owed.ship, actor, clause)
            look = self._build_look(battle, battle.ships[owed.ship])
            throw = self._build_table_throw(battle, question, look)
            # Without needs, people see the effect of each face.
            return evolve(throw, dice=table.dice, missing=lambda faces: table.dice[len(faces) :], needs=())
        if check is None:
            return build_unplayable(f"{self.title} has no roll “{owed.line}”")
        return self._prepare_check_by_hand(battle, owed, check)

    def _prepare_check_by_hand(self, battle: Battle, owed: Owed, check: DeclaredCheck) -> PreparedOrder:
        """Prepare a check without a table: after its roll, the umpire reads his chart."""
        dice = check.pool.dice

        def decide(faces: Faces, builder: DecisionBuilder) -> None:
            title = f"{check.title}, {battle.called(owed.ship)}"
            builder.because("read your chart", check.clause, of=title, roll=" ".join(map(str, faces)))
            question = _Question(
                check.name,
                title,
                hit=owed.ship,
                actor=owed.ship,
                clause=check.clause,
                dice=dice,
                faces=faces,
            )
            self._ask_chart(builder, question)

        return PreparedOrder(
            dice=dice,
            missing=lambda faces: dice[len(faces) : check.pool.least],
            decide=decide,
            ship=owed.ship,
        )

    def complete_answer(self, battle: Battle, owed: Owed, words: tuple[str, ...]) -> tuple[str, ...]:
        """Return an answer with names in full, then `for` and what the chart was read for: values and dice.

        Words that have their `for` stay as they are, and so do words that cannot be read or that answer
        another question.
        """
        if owed.line != READ or READ_FOR in words:
            return words
        try:
            return (
                *format_changes(read_changes(words, self.book.names), self.book.names),
                READ_FOR,
                *owed.read_texts("for"),
            )
        except OrderRefused:
            return words

    def prepare_answer(self, battle: Battle, owed: Owed, words: tuple[str, ...]) -> PreparedOrder:
        """Prepare the answer that the umpire read on his chart; it writes the changes that the words state.

        If the answer names other values or dice than the question now has, it also owes a new reading. Words
        that cannot be read are refused. Words for an owed roll are unplayable, because a roll needs dice.
        """
        if owed.line != READ:
            return build_unplayable(f"{owed.key} needs dice, not words")
        end = words.index(READ_FOR) if READ_FOR in words else len(words)
        answer = words[:end]
        # The words after `for` say for which values and dice the umpire read his chart.
        read_for = words[end + 1 :]
        try:
            if not answer:
                raise OrderRefused(
                    f"what does your chart say? Like {self.book.names.tracks[0]} 1, or {NOTHING}"
                )
            changes = read_changes(answer, self.book.names)
        except OrderRefused as refusal:
            return PreparedOrder(findings=refusal.findings)

        def decide(faces: Faces, builder: DecisionBuilder) -> None:
            clause = owed.read_text("clause")
            answer_text = " ".join(answer)
            builder.because(answer_text, clause, of=owed.read_text("prompt"))
            for change in changes:
                id = owed.read_text("actor") if change.for_actor else owed.ship
                self._record_change(builder, id, change, clause)
            if read_for != owed.read_texts("for"):
                self._ask_chart_again(builder, owed, answer_text, " ".join(read_for))

        # These dice were thrown before the question was asked.
        return PreparedOrder(dice=tuple(Die(sides) for sides in owed.read_numbers("sides")), decide=decide)

    def _ask_chart_again(self, builder: DecisionBuilder, owed: Owed, old_answer: str, read_for: str) -> None:
        """Owe a new answer, because the chart was read for other values; the old answer keeps its effects.

        Args:
            old_answer: The old answer as text.
            read_for: Values and dice of the old answer, as text.
        """
        again = (
            f"read again: {owed.read_text('prompt')}; “{old_answer}” was read for {read_for or 'other dice'}"
        )
        builder.because(again, owed.read_text("clause"))
        builder.owe(
            READ, owed.ship, again, words=owed.words, faces=owed.faces, facts=owed.facts, cause=owed.entry
        )

    def prepare_damage(
        self, battle: Battle, ship: str, codes: tuple[str, ...], source: str = ""
    ) -> PreparedOrder:
        """Prepare damage by hand: the changes that the words state.

        Args:
            ship: Id of the ship.
            codes: Words, such as `hull` and `2`.
            source: Not used; a book knows no kinds of fire.
        """
        try:
            changes = read_changes(codes, self.book.names)
        except OrderRefused as refusal:
            return PreparedOrder(findings=refusal.findings)

        def decide(faces: Faces, builder: DecisionBuilder) -> None:
            builder.because(" ".join(format_changes(changes, self.book.names)), of=battle.called(ship))
            for change in changes:
                self._record_change(builder, ship, change, "")

        return PreparedOrder(decide=decide)

    def _record_change(self, builder: DecisionBuilder, id: str, change: Change, clause: str) -> None:
        """Write one change of a ship, and the limits and the status that follow from it.

        A track stays between 0 and its maximum. The oldest marks are removed first, also if there would be
        too many of a kind.

        Args:
            id: Id of the ship.
            clause: Clause of the rules, or "".
        """
        ship, name = builder.ship(id), change.name
        if name in self.book.tracks:
            amount = ship.count(name)
            wanted_amount = change.to if change.to is not None else amount + change.by
            rules = self.book.tracks[name]
            # A ship gets no boxes beyond those that she was built with. If she has more, she keeps them.
            most = max(amount, self.book.count_built(ship.card, name)) if rules.boxes else rules.most
            new_amount = max(0, min(wanted_amount, most))
            if new_amount != amount:
                builder.add(id, name, new_amount - amount)
            self._note_limits(builder, id, ship, name)
            self._apply_out(builder, id, track=name)
        elif name in self.book.marks:
            mark = self.book.marks[name]
            until = None if mark.turns is None else builder.battle.turn + mark.turns
            old_marks = ship.live(name)
            added = max(0, min(change.by, mark.most))
            removed = max(-change.by, len(old_marks) + added - mark.most, 0)
            for old_mark in old_marks[:removed]:
                builder.lift(id, old_mark)
            for _ in range(added):
                builder.mark(id, name, until=until)
        elif ship.status != name:
            self._set_status(builder, id, name, clause)

    def _note_limits(self, builder: DecisionBuilder, id: str, before: Ship, track: str) -> None:
        """Add a reason for each limit that begins, changes or ends because of a change of one track.

        A limit caps how much of another track counts.

        Args:
            before: The ship before the change.
            track: Track that changed.
        """
        for threshold in self.book.thresholds:
            old_limit = self.book.find_limit(threshold, before)
            new_limit = self.book.find_limit(threshold, builder.ship(id))
            if threshold.track == track and old_limit != new_limit:
                counts = "in full again" if new_limit is None else f"at most {new_limit}"
                text = f"{self.book.tracks[threshold.bounds].title} {counts}"
                builder.because(text, threshold.clause, of=before.name)

    def _apply_out(self, builder: DecisionBuilder, id: str, track: str) -> None:
        """Set the status that a track declares as `out`, if a ship afloat has none of the track left."""
        rules, ship = self.book.tracks[track], builder.ship(id)
        if rules.out and ship.afloat and not ship.count(track):
            self._set_status(builder, id, rules.out, rules.clause)

    def _set_status(self, builder: DecisionBuilder, id: str, status: str, clause: str) -> None:
        """Set a ship's status, with a reason. Off the table, only the dice of her attacks are still owed."""
        builder.write(Op.STATUS, id, "status", status)
        builder.because(f"is {status}", clause, subject=builder.ship(id).name)
        if builder.ship(id).is_off_table:
            drop_owed(builder, id, attacks=False)

    def cell(self, battle: Battle, ship: Ship, column: Column) -> tuple[Span, ...]:
        if column.name == MARKS:
            return format_marks_cell(self.book, battle, ship, column)
        if not ship.count(column.name) and not self.book.count_built(ship.card, column.name):
            # A track that she never had is empty.
            return ()
        return (*super().cell(battle, ship, column), *format_limit(self.book, ship, column.name))

    def log_sheet(self, battle: Battle, ship: Ship) -> tuple[SheetLine, ...]:
        return build_log_sheet(self.book, battle, ship)

    def list_ship_changes(self, before: Battle, after: Battle, old: Ship, new: Ship) -> Iterable[str]:
        """List what players must change on the table for a ship, with the markers that every side sees."""
        yield from super().list_ship_changes(before, after, old, new)
        yield from list_marker_changes(self.book, old, new)


def _count_boxes(lost: str) -> int:
    """Return the number of boxes in a loss such as `hull 2`; 0 for a mark."""
    number = lost.rpartition(" ")[2]
    # No track has more than three digits. `int` refuses the thousands of digits that a damaged save may have.
    return int(number[:3]) if number.isdecimal() else 0


def _count_track(track: str, ship: Ship) -> float:
    return float(ship.count(track))


def _count_spent(rules: BookOrder, order: Order) -> int:
    """Return the amount that an order takes from the track that it spends.

    It is the number in the slot with the track's name, or else in the slot that `each` names, or else 1.
    """
    numbers = (order.number(name) for name in (rules.spends, rules.each) if name)
    return next((number for number in numbers if number is not None), 1)


def _check_target(battle: Battle, rules: BookOrder, ship: Ship, target: Ship) -> Iterator[Finding]:
    """List the findings against a target: the acting ship herself, a friend, or a ship that is not afloat."""
    if ship.id == target.id:
        yield impossible(f"{ship.name} cannot attack herself")
    elif ship.side == target.side and not rules.friends:
        yield refused(f"{target.name} is on the same side", rules.clause)
    if not target.afloat:
        yield refused(f"{target.name} is {target.status}", rules.clause)
