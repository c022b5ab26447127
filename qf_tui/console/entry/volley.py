"""The dialog in which the shots of several ships are entered together: how its rows look, and its keys.

`volley_rows` has the rows and their meaning.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from attrs import evolve
from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.timer import Timer

from qf_tui.console.entry.controller import EntryController
from qf_tui.console.entry.form_state import DICE_FIELD, OLD
from qf_tui.console.entry.volley_rows import NAME_MOST, NOT_ALL, Enter, VolleyDesk
from qf_tui.console.reading.source import REFUSED, TONES, OrderTone
from qf_tui.console.widgets.actions import VOLLEY, VOLLEY_SLOT, Action
from qf_tui.console.widgets.fields import HERE
from qf_tui.console.widgets.keys import Hint, Hints, KeyModal
from qf_tui.console.widgets.text import SteadyText, cut, fit, join_parts, literal, measure_width, wrap_words
from qf_tui.core.availability import find_other_attack, find_volleys
from qf_tui.core.grammar.names import FACE_KEYS, format_face_keys, format_typed_faces, is_digit
from qf_tui.core.system import RuleSystem, find_phase
from qf_tui.core.text import format_count
from qf_tui.core.values import Ship
from qf_tui.document.acts import format_result
from qf_tui.library.paths import find_cache
from qf_tui.session import Session
from qf_tui.session.volleys import KeptVolley, KeptVolleys

READY, SKIPPED, BARRED, ENTERED = "✓", "–", "·", "="
TITLES = ("ship", "guns", "target", "range", "needs", "dice", "does")
SHIP, GUNS, TARGET, RANGE, NEEDS, DICE, DOES = range(len(TITLES))
FIGURES, BOTH = 9, 44
"""Cells of a range or of dice; of needs and effect side by side."""

HERE_LOOK = "bold $accent"


def render_rows(desk: VolleyDesk, width: int, most: int) -> Iterator[Content]:
    """Render the column titles, and at most `most` rows around that of the cursor, `width` cells wide."""
    rows = [_format_cells(desk, at) for at in range(len(desk.rows))]
    widths = _share_width(rows, width)
    column = (TARGET, RANGE, DICE)[desk.columns.index(desk.column)]
    titles = [f"[{title}]" if at == column else title for at, title in enumerate(TITLES)]
    if not widths[NEEDS]:
        # The last column then shows what a shot needs, until its dice are typed.
        titles[DOES] = "needs"
    looks = dict.fromkeys(range(len(TITLES)), "$quiet") | {column: HERE_LOOK}
    yield _render_cells("    ", titles, widths, looks)
    first = max(0, min(desk.at - most // 2, len(rows) - most))
    for at in range(first, min(first + most, len(rows))):
        cursor_column = column if at == desk.at else -1
        yield _render_row(desk, at, rows[at], widths, cursor_column)


def _share_width(rows: list[tuple[str, ...]], width: int) -> list[int]:
    """Divide a width among the columns.

    If the width is small, the column `needs` gets 0 cells, and the last column shows needs too.
    """
    # The title of the target gets brackets under the cursor; range and dice have a fixed width.
    titles = [f"[{title}]" if at == TARGET else title for at, title in enumerate(TITLES)]
    widest = [max(map(measure_width, column)) for column in zip(titles, *rows, strict=True)]
    guns = min(NAME_MOST, widest[GUNS])
    # The cursor, a sign and a blank come before the columns; range and dice are the two with figures.
    blanks_between = 5
    room_left = width - len(HERE) - 2 - guns - 2 * FIGURES - blanks_between
    name_most = max(NAME_MOST, (room_left - BOTH) // 2)
    ship, target = min(name_most, widest[SHIP]), min(name_most, widest[TARGET])
    room_left -= ship + target
    needs = widest[NEEDS] if room_left >= BOTH else 0
    blanks_with_needs = 1 if needs else 0
    return [ship, guns, target, FIGURES, needs, FIGURES, max(6, room_left - needs - blanks_with_needs)]


def _render_cells(
    head: str, cells: Sequence[str], widths: Sequence[int], looks: Mapping[int, str]
) -> Content:
    """Render a head and cells in their widths (none if 0); `looks` has the styles by column."""
    shown_cells = [
        literal(f"{fit(cell, room)} ", looks.get(at, ""))
        for at, (cell, room) in enumerate(zip(cells, widths, strict=True))
        if room
    ]
    return Content("").join((literal(head, looks.get(SHIP, "")), *shown_cells)).rstrip()


def _render_row(desk: VolleyDesk, at: int, cells: tuple[str, ...], widths: list[int], column: int) -> Content:
    """Render a row: the cursor, the sign of the row, and the cells, or the ship and why she may not fire.

    Args:
        column: Index of the column under the cursor; -1 if the cursor is in another row.
    """
    row, has_cursor = desk.rows[at], at == desk.at
    head = f"{HERE if has_cursor else '  '}{find_sign(desk, at)} "
    if row.barred:
        text = f"{head}{fit(cells[SHIP], widths[SHIP])} {row.barred}"
        shown_widths = [room for room in widths if room]
        blanks_between = len(shown_widths) - 1
        return literal(cut(text, len(head) + sum(shown_widths) + blanks_between), "$quiet")
    texts = list(cells)
    # A shot that the rules refuse is marked only under the cursor or with dice.
    is_refused = row.fault or (desk.read_row(at).refusal and (has_cursor or row.dice))
    tone = "$text-success" if texts[DOES] else "$quiet"
    if is_refused:
        tone = "$text-error"
    if not widths[NEEDS]:
        texts[DOES] = texts[DOES] or texts[NEEDS]
    looks = {SHIP: "bold" if has_cursor else "", DICE: "bold", DOES: tone}
    if row.skipped:
        looks |= dict.fromkeys((GUNS, TARGET, RANGE), "$quiet")
    if row.old or row.is_estimate:
        looks[RANGE] = "$quiet"
    if column >= 0:
        text = desk.typed or texts[column]
        # `_` marks where the next character goes.
        texts[column] = f"{text}_" if desk.typed or measure_width(text) < widths[column] else text
        looks[column] = HERE_LOOK
    return _render_cells(head, texts, widths, looks)


def _format_cells(desk: VolleyDesk, at: int) -> tuple[str, ...]:
    """Format the cells of a row; the last one has the reasons against it, or the result of its dice."""
    row, reading, ships = desk.rows[at], desk.read_row(at), desk.session.battle.ships
    target, refusal = row.target, row.fault or reading.refusal
    needs: Iterable[str] = ()
    # While text is being typed, the old result no longer applies.
    typing = bool(desk.typed) and at == desk.at
    if reading.preview is not None and not refusal and not typing:
        texts = [need.signs for need in reading.preview.needs] or list(map(str, reading.preview.chances))
        needs = (*sorted(row.filling.flags), *texts)
    unclear = reading.dice_faults or reading.dice.doubt
    typed_dice = row.dice.strip()
    faces = f"{typed_dice}?" if unclear else format_typed_faces(reading.dice.faces) or typed_dice
    return (
        desk.find_name(at),
        desk.format_guns(at),
        ships[target].name if target in ships else "",
        row.range_text,
        " ".join(needs),
        faces if row.dice else row.thrown,
        "" if typing else refusal or _format_result(desk, at),
    )


def find_sign(desk: VolleyDesk, at: int) -> str:
    """Return the sign of a row: refused, left out, ready, may not fire, entered, or a blank.

    A refused row without dice has the sign of a ship that may not fire, unless the cursor is in it.
    """
    row = desk.rows[at]
    reading = desk.read_row(at)
    shows_refusal = reading.refusal and (row.dice or at == desk.at)
    if row.fault or reading.dice_faults or shows_refusal:
        return REFUSED
    if row.skipped:
        return SKIPPED
    if desk.is_ready(at):
        return READY
    if row.barred or reading.refusal:
        return BARRED
    return ENTERED if row.entry else " "


def _format_result(desk: VolleyDesk, at: int) -> str:
    """Format what a row does: the result of its dice after the rows above it, with dice that are not needed.

    An entered shot says `replaces N` if it is ready to be entered again, else `entered as N`. A shot declared
    while dice are missing says `declared`.

    Returns:
        "" for a new shot that is not ready.
    """
    row, reading = desk.rows[at], desk.read_row(at)
    if not desk.is_ready(at) or reading.order is None:
        return f"entered as {row.entry}" if row.entry else ""
    if row.entry:
        return f"replaces {row.entry}"
    if row.declared and reading.preview is not None and reading.preview.missing:
        return "declared"
    revision = desk.work_out(at)
    if revision is None:
        # The shots above it changed the battle so that the rules refuse it: it has no result.
        return reading.dice.spare_text
    return format_result(desk.session.system, revision.after, revision.act.number, reading.dice.spare_text)


def render_foot(desk: VolleyDesk, width: int, refusal: str = "") -> Content:
    """Render the foot: what a digit means now, and two lines about the row under the cursor.

    Args:
        refusal: Why the last key was refused, or ""; it replaces the two lines.
    """
    text, tone = _format_state(desk)
    if refusal:
        text, tone = f"{REFUSED} {refusal}", "refused"
    state_lines = wrap_words(text, width, most=2)
    state_lines += [""] * (2 - len(state_lines))
    meaning = literal(_format_meaning(desk, width), HERE_LOOK)
    return Content("\n").join((meaning, *(literal(line, TONES[tone]) for line in state_lines)))


def _format_meaning(desk: VolleyDesk, width: int) -> str:
    """Format what the next digit or letter is for: dice, the target, or the range of a ship."""
    ships, slot = desk.session.battle.ships, desk.row.volley.form.find_slot(desk.column)
    name = desk.format_label(desk.at)
    target = ships.get(desk.row.target)
    # Only the dice column has no slot.
    if slot is None:
        dice_asked = desk.read_row(desk.at).possible_dice
        dice_texts = (", ".join(map(str, dice_asked)), format_face_keys(dice_asked))
        dice = " · ".join(filter(None, dice_texts)) or "none yet"
        wanted = "the call" if desk.session.calls else dice
        return cut(f"dice of {name}: {wanted}", width)
    if desk.column == desk.volley.target:
        choices = [choice.label for choice in desk.fields.list_choices(desk.column)]
        title = f"target of {name}: "
        return f"{title}{join_parts(choices, width - measure_width(title), ' · ')}"
    unit = f" ({slot.label})" if slot.bare else f", {slot.unit or desk.fields.scope.unit}"
    return cut(f"{slot.name} of {name} to {target.name if target else 'her target'}{unit}", width)


def _format_state(desk: VolleyDesk) -> tuple[str, OrderTone]:
    """Format the most important thing about the row under the cursor, and its tone.

    The text is "" while text is being typed, and in the target column of a row without faults.
    """
    row, reading = desk.row, desk.read_row(desk.at)
    if desk.typing_refusal and not row.entry:
        return desk.typing_refusal, "wants"
    if desk.typed:
        return "", ""
    if row.fault or reading.refusal:
        return f"{REFUSED} {row.fault or reading.refusal}", "refused"
    if desk.writing:
        return "", ""
    if desk.column == desk.volley.range and (range_text := _format_range(desk)):
        return range_text, "wants"
    if row.dice and reading.fine and reading.dice_faults:
        return f"{REFUSED} {reading.dice_faults}", "refused"
    if row.dice and reading.fine and reading.dice_refusal:
        return reading.dice_refusal, "wants"
    if reading.preview is None or row.old:
        return desk.dice_typing_refusal, "wants"
    if result := _format_result(desk, desk.at):
        return result, "odds"
    if row.is_open and not reading.preview.missing:
        notes = "; ".join((*reading.preview.assumes, *reading.preview.reminders)) or "nothing is rolled"
        return f"{notes} · Space takes the shot without dice", "wants"
    return " · ".join(map(str, (*reading.preview.needs, *reading.preview.chances))), "odds"


def _format_range(desk: VolleyDesk) -> str:
    """Format what the range under the cursor still lacks; "" if it was measured, or the row is not open."""
    row, text = desk.row, desk.row.range
    if not row.is_open or row.measured:
        return ""
    end_texts = [f"{desk.rows[at].range_text} of {desk.find_name(at)}" for at in desk.ends]
    if row.old:
        return f"{text} is {OLD}: Enter keeps it, digits replace it"
    if text:
        between = f" between {' and '.join(end_texts)}" if end_texts else ""
        return f"{text} is an estimate{between}: Enter keeps it, digits replace it"
    if desk.session.system.data:
        # Rules from a book file have no range brackets, so nothing is filled in between two ships.
        return "type it"
    if end_texts:
        return f"{' and '.join(end_texts)} are not in one bracket: type this one"
    return "type it; the first and the last ship's ranges fill in those between"


def format_closing(desk: VolleyDesk, width: int) -> str:
    """Format how many shots the closing key will enter, and which rows lack what."""
    count = sum(desk.is_ready(at) for at in range(len(desk.rows)))
    count_text = format_count(count, "shot") if count else "nothing yet"
    names_by_lack: dict[str, list[str]] = {}
    for at in range(len(desk.rows)):
        if lack := desk.format_lack(at):
            names_by_lack.setdefault(lack, []).append(desk.format_label(at))
    parts = [f" {count_text}"]
    # Each lack also takes five cells, for " · " before it and ": " after it.
    room = (width - measure_width(parts[0])) // max(1, len(names_by_lack)) - 5
    for lack, names in names_by_lack.items():
        parts.append(f"{lack}: {join_parts(names, max(8, room - measure_width(lack)))}")
    return cut(" · ".join(parts), width)


FRAME, WIDE = 10, 90
"""Lines of the screen beside the rows; the width from which more keys are named."""
WIDEST, AROUND = 140, 4
"""Greatest width of the dialog; width of its border and padding."""
PAUSE_S = 0.2
"""Seconds without a key after which what is filled in is kept on the disk."""

CLOSES = Hint("f2", "enters")


class VolleyDialog(KeyModal[None]):
    """The dialog that fills in and enters a division's shots.

    Attributes:
        desk: The rows.
        enter: Enters an order, and returns why it was refused, or "".
        keep: Keeps the shots that are not entered yet.
        completed_letters: Letters that completed a word and may still be typed.
    """

    places = (VOLLEY, VOLLEY_SLOT)
    hint = (
        Hint("enter", "goes on"),
        Hint("left", "columns", also="right"),
        Hint("t", "target"),
        Hint("b", "guns"),
        Hint("f3", "flag"),
        Hint("o", "out"),
        Hint("escape", "back"),
    )
    wide_hint = (*hint[:-1], Hint("n", "next target"), hint[-1])
    slot_hint = (
        Hint("enter", "takes it"),
        Hint("right", "takes it, next column"),
        Hint("escape", "changes nothing"),
    )

    def __init__(
        self,
        desk: VolleyDesk,
        title: str,
        enter: Enter,
        keep: Callable[[KeptVolley], object] = lambda volley: None,
    ) -> None:
        super().__init__()
        self.desk, self.title_text, self.enter, self.keep = desk, title, enter, keep
        self.completed_letters = ""
        self._pause: Timer | None = None

    def compose(self) -> ComposeResult:
        with Vertical(id="dialog"):
            yield SteadyText(Content(""), id="dialog-title")
            yield SteadyText(Content(""), id="volley-rows")
            yield SteadyText(Content(""), id="dialog-says")
            yield Hints((), id="volley-closes")
            yield Hints(self.hint, id="dialog-keys")

    def on_mount(self) -> None:
        self._draw()

    def on_resize(self) -> None:
        self._draw()

    def _show(self, id: str, content: Content) -> None:
        self.query_one(f"#{id}", SteadyText).update(content)

    @property
    def keys(self) -> Mapping[str, Action]:
        """The keys of a text field while text is typed, else those of the rows."""
        return self.find_keys(VOLLEY_SLOT if self.desk.writing else VOLLEY)

    def handle_other_key(self, event: events.Key) -> None:
        """Add a character to the column under the cursor, or say why it cannot be typed there.

        Letters of a word that was already completed are ignored, and among dice all but digits and face keys.
        """
        desk, character = self.desk, event.character or ""
        if character and character.lower() == self.completed_letters[:1]:
            self.completed_letters = self.completed_letters[1:]
        elif character and event.is_printable:
            letters = refusal = ""
            if desk.column != DICE_FIELD:
                refusal = desk.typing_refusal
                letters = "" if refusal else desk.type_character(character)
            elif is_digit(character) or character.lower() in FACE_KEYS:
                refusal = desk.type_die(character.lower())
            self._draw(refusal)
            # Set last, because `_draw` empties it.
            self.completed_letters = letters

    def action_advance(self) -> None:
        """Accept the column; then go from a target to its range, or from a range or dice to the next row."""
        desk = self.desk
        refusal = desk.accept_column()
        if not refusal and desk.column == desk.volley.target:
            desk.move(columns=1)
        elif not refusal:
            desk.go_to_next_row()
        self._draw(refusal)

    def action_move(self, rows: int, columns: int) -> None:
        """Accept the typed text, and move the cursor by some rows and columns.

        Stay if the text is refused.
        """
        refusal = self.desk.accept_column() if self.desk.typed else ""
        if not refusal:
            self.desk.move(rows, columns)
        self._draw(refusal)

    def action_space(self) -> None:
        """Accept the column and go to the next one.

        In the dice column, end a die; without dice, declare the shot or take that back.
        """
        desk, refusal = self.desk, ""
        if desk.column == DICE_FIELD:
            desk.end_die()
        elif not (refusal := desk.accept_column()):
            desk.move(columns=1)
        self._draw(refusal)

    def action_turn(self, what: str) -> None:
        """Change the row by a method of the desk: `target` calls `turn_target`, `back` calls `turn_back`."""
        getattr(self.desk, f"turn_{what}")()
        self._draw()

    def action_enter_ready(self) -> None:
        """Enter the shots that are ready, from top to bottom; close if all were accepted.

        A target or range that is being typed is first accepted and shown. If a row has only some of its dice,
        the cursor goes there. In both cases nothing is entered yet. If no shot is ready, say so.
        """
        desk = self.desk
        lacks = [desk.format_lack(at) for at in range(len(desk.rows))]
        if desk.typed:
            self._draw(desk.accept_column())
        elif NOT_ALL in lacks:
            desk.at, desk.column = lacks.index(NOT_ALL), DICE_FIELD
            self._draw(desk.accept_column())
        elif not any(desk.is_ready(at) for at in range(len(desk.rows))):
            self._draw(
                "no shot has its dice yet: type them in the dice column, or Space declares a shot without"
            )
        elif desk.enter(self.enter):
            # All rows may be entered, so the kept cursor names only a column.
            self._close(evolve(desk.kept_volley, cursor=(desk.column,)))
        else:
            self._draw()

    def action_set_aside(self) -> None:
        """Close the dialog and keep the volley. While text is typed, only drop the text.

        In the target column, the cursor then goes to the range.
        """
        desk = self.desk
        if not desk.writing:
            self._close(desk.kept_volley)
            return
        desk.typed = ""
        if desk.column == desk.volley.target:
            desk.move(columns=1)
        self._draw()

    def action_help(self) -> None:
        """Show the help on the order of the row under the cursor."""
        from qf_tui.console.reading.help import show_help

        show_help(self, self.desk.session, place=VOLLEY, form=self.desk.row.volley.form)

    def _close(self, volley: KeptVolley) -> None:
        """Keep a volley now, not after the pause, and close."""
        if self._pause is not None:
            self._pause.stop()
        self.keep(volley)
        self.dismiss()

    def _draw(self, refusal: str = "") -> None:
        """Draw everything, and keep the volley after a pause.

        Args:
            refusal: Why the last key was refused, or "".
        """
        if not self.is_mounted:
            return
        desk = self.desk
        self.completed_letters = ""
        if self._pause is not None:
            self._pause.stop()
        self._pause = self.set_timer(PAUSE_S, lambda: self.keep(desk.kept_volley))
        width = max(20, min(self.size.width, WIDEST) - AROUND)
        rows = list(render_rows(desk, width, max(3, self.size.height - FRAME)))
        self._show("volley-rows", Content("\n").join(rows))
        self._show("dialog-title", literal(fit(self.title_text, width), "bold $primary"))
        self._show("dialog-says", render_foot(desk, width, refusal))
        self.query_one("#volley-closes", Hints).show(
            (CLOSES,), format_closing(desk, width - len("F2 enters"))
        )
        hint = self.wide_hint if width >= WIDE else self.hint
        self.query_one("#dialog-keys", Hints).show(self.slot_hint if desk.writing else hint)


def list_division(session: Session, ship: Ship | None) -> tuple[Ship, ...]:
    """List the ships of a ship's division that can fight; none without a ship.

    If the ship is in no division, these are the ships of her side that are in none.
    """
    if ship is None:
        return ()
    battle, key = session.battle, (ship.side, ship.division)
    mates = (mate for mate in battle.ships.values() if (mate.side, mate.division) == key)
    return tuple(mate for mate in mates if session.system.can_fight(battle, mate))


class Volleys:
    """The volleys of a battle: each division's is kept until the phase ends."""

    def __init__(self, controller: EntryController) -> None:
        self.controller = controller
        self._kept = KeptVolleys(controller.session, find_cache("volleys"))

    def open(self, ship: Ship | None) -> None:
        """Open the volley of a ship's division, or say why there is none."""
        session, screen = self.controller.session, self.controller.screen
        battle = session.battle
        volleys, division = find_volleys(session.system, battle.phase), list_division(session, ship)
        if not volleys:
            screen.say(_format_no_volley(session.system, battle.phase))
            return
        if ship is None or not division:
            screen.say(f"no ship {'of this division is in the battle' if ship else 'under the cursor'}")
            return
        desk = VolleyDesk(session, volleys, division, self._kept.find((ship.side, ship.division)))
        count = sum(row.begun for row in desk.rows)
        # Ships in no division have one with the name of their side, which is shown once.
        parts = (
            *dict.fromkeys(("Volley", battle.find_side_name(ship.side), battle.find_division(ship).name)),
            f"kept, not entered: {format_count(count, 'shot')}" if count else "",
        )
        dialog = VolleyDialog(
            desk,
            " · ".join(filter(None, parts)),
            # The dialog adds the sign of a refusal itself.
            lambda order: self.controller.enter(order).text.removeprefix(f"{REFUSED} "),
            self._kept.keep,
        )
        screen.app.push_screen(dialog)


def _format_no_volley(system: RuleSystem, phase: str) -> str:
    """Format why a phase has no volley: nothing is fired, or its attack takes more than a volley has."""
    title, attack = find_phase(system, phase).title, find_other_attack(system, phase)
    if attack is None:
        return f"{title}: nothing is fired in this phase"
    return f"{title}: a volley takes only target, range and dice; press {attack.key}"
