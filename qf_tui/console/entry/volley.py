"""The volley of a division: a ship a line, its target and range offered, its dice typed down the column."""

from collections.abc import Mapping

from attrs import evolve
from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from qf_tui.console.entry.controller import EntryController
from qf_tui.console.entry.form_state import DICE_FIELD
from qf_tui.console.entry.message_line import TONES
from qf_tui.console.entry.volley_desk import Enter, VolleyDesk
from qf_tui.console.entry.volley_lines import lines, says
from qf_tui.console.entry.volley_rows import VolleyRow
from qf_tui.console.reading.refusal import REFUSED
from qf_tui.console.reading.source import OrderTone
from qf_tui.console.widgets.actions import Action
from qf_tui.console.widgets.key_bar import Hint, Hints, asking
from qf_tui.console.widgets.key_screen import KeyModal
from qf_tui.console.widgets.overrides import SteadyText
from qf_tui.console.widgets.places import VOLLEY, VOLLEY_SLOT
from qf_tui.console.widgets.text import fit, literal
from qf_tui.core.grammar.dice_text import is_digit
from qf_tui.core.system import find_phase
from qf_tui.core.values import Battle, Ship
from qf_tui.core.volley import volley_of

Key = tuple[int, str, str, str]
"""A turn, a phase, a side and a division."""
FRAME = 10
"""Lines of the screen beside the rows."""


class VolleyDialog(KeyModal[tuple[VolleyRow, ...]]):
    """Fills a division's shots in and enters them; gives the rows that were filled in and not entered."""

    places = (VOLLEY, VOLLEY_SLOT)
    hint = (
        Hint("t", "target"),
        Hint("right", "next"),
        Hint("r", "range"),
        Hint("b", "guns"),
        Hint("f3", "flag"),
        Hint("s", "skip"),
        Hint("enter", "✓"),
        Hint("escape", "back"),
    )
    slot_hint = (
        Hint("enter", "takes it"),
        Hint("tab", "takes the first"),
        Hint("escape", "leaves it as it was"),
    )
    plain_hint = asking("takes it", "leaves it as it was")

    def __init__(self, desk: VolleyDesk, title: str, enter: Enter) -> None:
        super().__init__()
        self.desk, self.title_text, self.enter = desk, title, enter
        self.rest = ""

    def compose(self) -> ComposeResult:
        with Vertical(id="dialog"):
            yield SteadyText(Content(""), id="dialog-title")
            yield SteadyText(Content(""), id="volley-rows")
            yield SteadyText(Content(""), id="dialog-says")
            yield Hints(self.hint, id="dialog-keys")

    def on_mount(self) -> None:
        self._draw()

    def on_resize(self) -> None:
        self._draw()

    @property
    def keys(self) -> Mapping[str, Action]:
        """Those of the slot that is typed, or of the rows; but what ends a word that was taken is none."""
        keys = self.keys_of(VOLLEY_SLOT if self.desk.editing else VOLLEY)
        return {key: one for key, one in keys.items() if key != self.rest[:1]} if self.rest else keys

    def other_key(self, event: events.Key) -> None:
        """A digit is a die; in a slot what can be printed is text."""
        sign = event.character or ""
        if sign and sign.lower() == self.rest[:1]:
            self.rest = self.rest[1:]
            return
        if self.desk.row is None or not event.is_printable or not sign:
            return
        if self.desk.editing:
            self._type(sign)
        elif is_digit(sign):
            self._throw(sign)

    def _type(self, sign: str) -> None:
        """A character of a slot; a digit behind a ship that is named is for the range."""
        desk = self.desk
        if sign == " " or (is_digit(sign) and desk.editing == desk.volley.target and desk.value()):
            against = desk.take()
            if not against and sign != " ":
                desk.begin(desk.volley.range, sign)
            self._draw(against)
            return
        desk.typed += sign
        typed, sure = desk.typed, desk.fields.sure(desk.editing, desk.typed)
        if sure:
            desk.typed = sure
            desk.take()
        self._draw()
        self.rest = sure.removeprefix(typed.lower())

    def _throw(self, digit: str) -> None:
        """A digit of the dice; without a range it begins that."""
        desk, row = self.desk, self.desk.row
        if row is None or row.barred:
            return
        if row.filling.text(desk.volley.target) and not row.filling.text(desk.volley.range):
            desk.begin(desk.volley.range, digit)
        elif not row.old and desk.reading(desk.at).fine:
            self._dice(row, row.dice + digit)
        self._draw()

    def _dice(self, row: VolleyRow, text: str) -> None:
        """Other dice of the row under the cursor, which goes on once they are all there."""
        desk = self.desk
        desk.put(evolve(row.with_text(DICE_FIELD, text), declared=False, skipped=False))
        dice = desk.reading(desk.at).dice
        if dice.faces is not None and dice.sure:
            desk.go_on()

    def action_space(self) -> None:
        """Ends a die; without dice declares the shot, whose dice are then owed."""
        desk, row = self.desk, self.desk.row
        if row is not None and row.dice:
            self._dice(row, f"{row.dice} ")
        elif row is not None and row.waits and not row.old and desk.reading(desk.at).fine:
            desk.put(evolve(row, declared=not row.declared))
            if not row.declared:
                desk.go_on()
        self._draw()

    def action_shorten(self) -> None:
        """Takes the last digit back, or the last letter of a slot."""
        desk, row = self.desk, self.desk.row
        if desk.editing:
            desk.typed = desk.typed[:-1]
        elif row is not None:
            desk.put(evolve(row.with_text(DICE_FIELD, row.dice.rstrip()[:-1]), declared=False))
        self._draw()

    def action_step(self, by: int) -> None:
        """Goes to another ship; what is typed into a slot is taken first."""
        desk = self.desk
        against = desk.take() if desk.editing and desk.typed else ""
        if not against:
            desk.begin("")
            desk.step(by)
        self._draw(against)

    def action_target(self) -> None:
        self._begin(self.desk.volley.target)

    def action_turn_target(self, by: int) -> None:
        """The next ship of the target's line, or the one before."""
        if self.desk.row is not None:
            self.desk.turn_target(by)
            self._draw()

    def action_range(self) -> None:
        self._begin(self.desk.volley.range)

    def _begin(self, name: str) -> None:
        if self.desk.row is not None and self.desk.row.waits:
            self.desk.begin(name)
            self._draw()

    def action_battery(self) -> None:
        """The next battery that the ship may fire."""
        if self.desk.row is not None:
            self.desk.turn_battery()
            self._draw()

    def action_flag(self) -> None:
        """Turns the flags of the shot, one after the other."""
        row = self.desk.row
        if row is not None and row.waits:
            self.desk.put(evolve(row, filling=row.filling.turned(), fault=""))
            self._draw()

    def action_skip(self) -> None:
        """Leaves the ship's shot out, or takes it in again."""
        if self.desk.row is not None:
            self.desk.turn_skipped()
            if self.desk.row.skipped:
                self.desk.go_on()
            self._draw()

    def action_take(self) -> None:
        """Takes what is typed into the slot."""
        self._draw(self.desk.take())

    def action_leave_slot(self) -> None:
        self.desk.begin("")
        self._draw()

    def action_enter_ready(self) -> None:
        """Enters the shots that are ready, in the order shown; what is refused stays."""
        desk = self.desk
        half = desk.half_thrown
        if half is not None:
            desk.at = half
            self._draw(f"{REFUSED} {desk.reading(half).dice.doubt or 'dice are missing here'}")
            return
        if not any(desk.ready(at) for at in range(len(desk.rows))):
            self._draw(f"{REFUSED} no shot has its dice yet: digits, or Space to declare it without")
            return
        desk.enter(self.enter)
        if desk.refused:
            self._draw()
        else:
            self.dismiss(desk.begun)

    def action_set_aside(self) -> None:
        self.dismiss(self.desk.begun)

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
        ends = " ".join(("first", desk.ends[0], "· last", desk.ends[1])) if desk.ends else ""
        title = f"{fit(self.title_text, max(0, width - len(ends) - 1))} {ends}"
        self.query_one("#dialog-title", SteadyText).update(literal(title, "bold $primary"))
        if against:
            self._say(against, "refused")
        else:
            self._say(*says(desk, width))
        slot_hint = self.slot_hint if desk.editing and desk.choices() else self.plain_hint
        self.query_one("#dialog-keys", Hints).show(slot_hint if desk.editing else self.hint)

    def _say(self, text: str, tone: OrderTone) -> None:
        self.query_one("#dialog-says", SteadyText).update(literal(text, TONES[tone]))


def division_of(ships: Mapping[str, Ship], ship: Ship) -> tuple[Ship, ...]:
    """The ships afloat that sail in the division of a ship, or like it in none of their side."""
    key = (ship.side, ship.division)
    return tuple(one for one in ships.values() if (one.side, one.division) == key and one.afloat)


class Volleys:
    """Opens the volleys of a battle; what is put by is kept for the same division in the same phase."""

    def __init__(self, controller: EntryController) -> None:
        self.controller = controller
        self._kept: tuple[Key, tuple[VolleyRow, ...]] | None = None

    def open(self, ship: Ship | None) -> None:
        """Opens the volley of a ship's division, or says why there is none."""
        session, screen = self.controller.session, self.controller.screen
        battle = session.battle
        volley = volley_of(session.system, battle.phase)
        if volley is None or ship is None:
            what = find_phase(session.system, battle.phase).title
            screen.say(f"{what}: nothing is fired in this phase" if ship else "no ship under the cursor")
            return
        desk = VolleyDesk(session, volley, division_of(battle.ships, ship))
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
