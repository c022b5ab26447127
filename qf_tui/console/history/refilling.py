"""An entry back in the dialog that it would have come from, on the battle as it stood, to be changed in one place."""

import re
from collections.abc import Callable

from textual.widgets import Input
from textual.widgets.input import Selection

from qf_tui.console.orders.dialog import OrderDialog
from qf_tui.console.orders.filling import DICE, Filling
from qf_tui.core.acts import Version
from qf_tui.core.builtin_forms import all_forms
from qf_tui.core.errors import QfError
from qf_tui.core.grammar.reader import parse
from qf_tui.core.system import RuleSystem
from qf_tui.core.timeline import opened
from qf_tui.core.values import Battle, replace
from qf_tui.session import OrderPreview, Session
from qf_tui.session.wording import order_text

FORCE = "force "
_DIE = re.compile(r"\d+")


class Past(Session):
    """A battle as it stood, to try orders on; `forced`: the order tried is forced. Nothing of it is kept."""

    def __init__(self, system: RuleSystem, battle: Battle, forced: bool = False) -> None:
        super().__init__(system, opened(battle, ()))
        self.forced = forced

    def preview_order(self, line: str) -> OrderPreview:
        return super().preview_order(FORCE + line if self.forced and not line.startswith(FORCE) else line)


def refilled(system: RuleSystem, battle: Battle, version: Version) -> Filling | None:
    """The dialog of an entry, filled in; None where its form has no slots or the battle had not its ships."""
    form = all_forms(system).get(version.order.partition(" ")[0])
    if form is None or not form.slots:
        return None
    try:
        order = parse(version.order, all_forms(system), battle)
    except QfError:
        return None
    return Filling.of(replace(order, dice=version.dice))


class Refilled(OrderDialog):
    """An order that was entered, filled in again: its dice one by one, Space to the next.

    `enter` enters a line and says why it was not taken; it calls `close` once the order is entered.
    """

    def __init__(self, session: Past, filling: Filling, enter: Callable[[str], str], title: str) -> None:
        super().__init__(session, filling, enter)
        enters = "Enter enters   Space next die" if filling.text(DICE) else "Enter goes on and enters"
        self.hint = f"{enters}   ↑ ↓ fields   Esc leaves it   F2 forces"
        self.title_text = title
        # It was entered once: Enter alone may enter it anew.
        self.began = Filling(filling.form)
        self.forced = session.forced

    def on_mount(self) -> None:
        for field in self.query(Input):
            if field.id == f"slot-{DICE}":
                field.select_on_focus = False

    def close(self) -> None:
        """Closes the dialog: its order is entered, or no longer wanted."""
        if self.is_current:
            self.dismiss(None)

    def take(self, character: str) -> bool:
        if self._here() == DICE:
            if character == " " and self._select_die():
                return True
            if character.isdigit() and self._beyond(character):
                self._select_die()
        return super().take(character)

    def _beyond(self, digit: str) -> bool:
        """Whether the die at the cursor has no face that goes on with a digit, so that it is the next die's."""
        field = self.query_one(f"#slot-{DICE}", Input)
        written = field.value[: field.cursor_position].split()
        if not field.selection.is_empty or not written or field.value[: field.cursor_position].endswith(" "):
            return False
        bare = self.reader.order(self.filling.with_text(DICE, ""))
        asked = self.session.preview_order(bare).dice[len(written) - 1 : len(written)]
        return any(int(written[-1] + digit) > die.most for die in asked)

    def _focus(self, name: str) -> None:
        super()._focus(name)
        if name == DICE:
            self.query_one(f"#slot-{DICE}", Input).selection = Selection(0, 0)
            self._select_die()

    def _select_die(self) -> bool:
        """Selects the next die behind the cursor, so that typing replaces it; whether there is one."""
        field = self.query_one(f"#slot-{DICE}", Input)
        behind = max(field.selection)
        found = next((die for die in _DIE.finditer(field.value) if die.start() >= behind), None)
        if found is not None:
            field.selection = Selection(*found.span())
        return found is not None

    def _enter(self, line: str) -> None:
        fault = self.enter(FORCE + line if self.forced and not line.startswith(FORCE) else line)
        if fault:
            self._say(fault, "refused")


def amendment(number: int, version: Version, line: str) -> str:
    """The correction that makes a line of an entry; QfError in words where it would change nothing it says."""
    old = order_text(version)
    if line == old:
        raise QfError("nothing is changed: Esc leaves it as it is")
    bare = (FORCE if version.forced else "") + version.order
    dice = line.removeprefix(bare)
    if line.startswith(f"{bare} ") and all(word.isdigit() for word in dice.split()):
        return f"amend {number}{dice}"
    return f"amend {number} {line}"
