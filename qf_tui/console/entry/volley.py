"""The volley of a division: a ship a line, its target and range offered, its dice typed down the column."""

from collections.abc import Mapping

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from qf_tui.console.entry.controller import EntryController
from qf_tui.console.entry.form_state import DICE_FIELD
from qf_tui.console.entry.volley_desk import NOT_ALL, Enter, VolleyDesk, VolleyRow
from qf_tui.console.entry.volley_lines import closing, lines, says
from qf_tui.console.widgets.actions import Action
from qf_tui.console.widgets.key_bar import Hint, Hints
from qf_tui.console.widgets.key_screen import KeyModal
from qf_tui.console.widgets.overrides import SteadyText
from qf_tui.console.widgets.places import VOLLEY, VOLLEY_SLOT
from qf_tui.console.widgets.text import fit, literal
from qf_tui.core.grammar.dice_text import FACE_KEYS, is_digit
from qf_tui.core.system import find_phase
from qf_tui.core.values import Battle, Ship
from qf_tui.core.volley import volley_of
from qf_tui.session import Session

Key = tuple[int, str, str, str]
"""A turn, a phase, a side and a division."""
FRAME, WIDE = 10, 90
"""Lines of the screen beside the rows; the width from which more keys are named."""

CLOSES = Hint("f2", "enters")


class VolleyDialog(KeyModal[tuple[VolleyRow, ...]]):
    """Fills a division's shots in and enters them; gives the rows that were filled in and not entered."""

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
        Hint("escape", "leaves it as it was"),
    )

    def __init__(self, desk: VolleyDesk, title: str, enter: Enter) -> None:
        super().__init__()
        self.desk, self.title_text, self.enter = desk, title, enter
        self.rest = ""

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

    @property
    def keys(self) -> Mapping[str, Action]:
        """Those of a slot that is written, or of the rows."""
        return self.keys_of(VOLLEY_SLOT if self.desk.writing else VOLLEY)

    def other_key(self, event: events.Key) -> None:
        """A character of the target or the range, or a die: as the column under the cursor has it."""
        desk, character = self.desk, event.character or ""
        if character and character.lower() == self.rest[:1]:
            self.rest = self.rest[1:]
        elif character and event.is_printable:
            rest = against = ""
            if desk.column == DICE_FIELD:
                if is_digit(character) or character.lower() in FACE_KEYS:
                    against = desk.throw(character.lower())
            elif not (against := desk.closed):
                rest = desk.write(character)
            self._draw(against)
            self.rest = rest

    def action_advance(self) -> None:
        """Takes what stands in the column; from the target goes to the range, else down to the next ship."""
        desk = self.desk
        against = desk.settle()
        if not against and desk.column == desk.volley.target:
            desk.move(0, 1)
        elif not against:
            desk.go_on()
        self._draw(against)

    def action_column(self, by: int) -> None:
        """Goes to the column beside."""
        self._move(0, by)

    def action_step(self, by: int) -> None:
        """Goes to another ship."""
        self._move(by, 0)

    def _move(self, rows: int, columns: int) -> None:
        """Takes what is typed, and goes so many ships and columns on."""
        against = self.desk.settle() if self.desk.typed else ""
        if not against:
            self.desk.move(rows, columns)
        self._draw(against)

    def action_space(self) -> None:
        """Takes what stands there and goes on; among dice ends one, or without any declares the shot."""
        desk, against = self.desk, ""
        if desk.column == DICE_FIELD:
            desk.space()
        elif not (against := desk.settle()):
            desk.move(0, 1)
        self._draw(against)

    def action_turn(self, what: str) -> None:
        """Changes something in the row under the cursor, as a `turn_` method of the desk has it."""
        getattr(self.desk, f"turn_{what}")()
        self._draw()

    def action_enter_ready(self) -> None:
        """Enters the shots that are ready, in the order shown; what is refused stays.

        What was typed and is not taken yet is taken first, and seen before it is entered.
        """
        desk = self.desk
        lacks = [desk.lack(at) for at in range(len(desk.rows))]
        if desk.typed:
            self._draw(desk.settle())
        elif NOT_ALL in lacks:
            desk.at, desk.column = lacks.index(NOT_ALL), DICE_FIELD
            self._draw(desk.settle())
        elif not any(desk.ready(at) for at in range(len(desk.rows))):
            self._draw("no shot has its dice yet: in the dice column digits, or Space to declare it without")
        elif desk.enter(self.enter):
            self.dismiss(desk.begun)
        else:
            self._draw()

    def action_set_aside(self) -> None:
        """Drops what is typed, and from the target goes back to the range; else closes the volley."""
        desk = self.desk
        if not desk.writing:
            self.dismiss(desk.begun)
            return
        desk.typed = ""
        desk.move(0, desk.column == desk.volley.target)
        self._draw()

    def action_help(self) -> None:
        """Shows the help on the order that is fired in volleys."""
        from qf_tui.console.reading.help import show_help

        show_help(self, self.desk.session, place=VOLLEY, form=self.desk.volley.form)

    def _draw(self, against: str = "") -> None:
        if not self.is_mounted:
            return
        desk, self.rest = self.desk, ""
        width = max(20, min(self.size.width, 140) - 4)
        rows = list(lines(desk, width, max(3, self.size.height - FRAME)))
        self.query_one("#volley-rows", SteadyText).update(Content("\n").join(rows))
        title = literal(fit(self.title_text, width), "bold $primary")
        self.query_one("#dialog-title", SteadyText).update(title)
        self.query_one("#dialog-says", SteadyText).update(says(desk, width, against))
        self.query_one("#volley-closes", Hints).show((CLOSES,), closing(desk, width - len("F2 enters")))
        hint = self.wide_hint if width >= WIDE else self.hint
        self.query_one("#dialog-keys", Hints).show(self.slot_hint if desk.writing else hint)


def division_of(session: Session, ship: Ship | None) -> tuple[Ship, ...]:
    """The ships that fight in the division of a ship, or like it in none of their side."""
    key, battle = (ship.side, ship.division) if ship else (), session.battle
    mates = (one for one in battle.ships.values() if (one.side, one.division) == key)
    return tuple(one for one in mates if session.system.fights(battle, one))


class Volleys:
    """Opens the volleys of a battle; what is put by is kept for the same division in the same phase."""

    def __init__(self, controller: EntryController) -> None:
        self.controller = controller
        self._kept: tuple[Key, tuple[VolleyRow, ...]] | None = None

    def open(self, ship: Ship | None) -> None:
        """Opens the volley of a ship's division, or says why there is none."""
        session, screen = self.controller.session, self.controller.screen
        battle = session.battle
        volley, division = volley_of(session.system, battle.phase), division_of(session, ship)
        if volley is None or ship is None or not division:
            what = find_phase(session.system, battle.phase).title
            none = "no ship of this division is in the battle" if ship else "no ship under the cursor"
            screen.say(none if volley else f"{what}: nothing is fired in this phase")
            return
        desk = VolleyDesk(session, volley, division)
        key = (battle.turn, battle.phase, ship.side, ship.division)
        if self._kept is not None and self._kept[0] == key:
            desk.lay_out(self._kept[1])

        def left(rows: tuple[VolleyRow, ...] | None) -> None:
            self._kept = (key, rows or ())

        dialog = VolleyDialog(desk, _title(battle, ship), lambda order: self.controller.enter(order).why)
        screen.app.push_screen(dialog, left)


def _title(battle: Battle, ship: Ship) -> str:
    """Whose volley it is."""
    side = battle.side(ship.side)
    named = (one.name for one in side.divisions if one.id == ship.division) if side else ()
    return " · ".join(dict.fromkeys(("Volley", side.name if side else ship.side, *named)))
