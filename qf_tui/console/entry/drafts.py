"""Orders while they are written, in the bar or in a dialog.

Entered, left half written, and taken up again.
"""

from collections.abc import Callable

from qf_tui.console.entry.bar import OrderBar
from qf_tui.console.entry.controller import EntryController
from qf_tui.console.entry.dialog import OrderDialog
from qf_tui.console.entry.form_state import Filling, FormReading, dicing
from qf_tui.console.entry.preview import Foresight
from qf_tui.console.entry.recall import again
from qf_tui.console.reading.source import REFUSED, against
from qf_tui.core.builtin_forms import MARK, all_forms
from qf_tui.core.decisions import field_value
from qf_tui.core.grammar.names import Reach
from qf_tui.core.system import Column, RuleSystem, find_field
from qf_tui.core.values import Form, Order, Ship
from qf_tui.session import Session


class Drafts:
    """The orders being written, in the bar of a screen or in its dialogs.

    What is left half written the bar keeps. `entered` is told the form of each order that a dialog entered.
    """

    def __init__(self, controller: EntryController, bar: OrderBar, entered: Callable[[Form], object]) -> None:
        self.controller, self.bar, self.entered = controller, bar, entered
        self.session = controller.session

    def submit(self) -> None:
        """Enters what stands in the bar; with nothing there leaves it."""
        bar = self.bar
        text = bar.text.strip()
        if not text:
            self.leave_bar()
            return
        if text in bar.variants:
            bar.saying.say("nothing is changed: type another value, Esc leaves it")
            return
        bar.catch_up()
        seen = bar.foresight
        bar.saying.said = ""
        if not self._entered(seen):
            return
        bar.entered(text)
        bar.clear()
        bar.look_ahead_unless_said()
        if not self.ask_call():
            self.bar.screen.set_focus(None)

    def ask_call(self) -> bool:
        """Opens the bar for the call that throws what the last order owes; whether it owes that."""
        key, self.controller.to_call = self.controller.to_call, ""
        if key:
            self.bar.put("", key=key)
            self.bar.look_ahead()
        return bool(key)

    def _entered(self, seen: Foresight) -> bool:
        """Enters what the bar holds; whether it was taken, or is shown before it happens."""
        reading, controller = self.bar.reading, self.controller
        if seen.order is None:
            told = f"{REFUSED} {seen.text or against(reading.findings)}"
            said, findings = (seen.text, seen.findings) if seen.findings else (told, reading.findings)
            self.bar.saying.say(said, "refused", findings)
            return False
        if reading.preview:
            tried = controller.correct(seen.order, only_look=True)
            self.bar.saying.say(tried.text, "refused", tried.findings)
        elif seen.instead:
            return all(not controller.enter_and_say(order).text for order in seen.instead)
        else:
            tried = controller.enter_and_say(seen.order, seen.revision)
        return not tried.text

    def force(self) -> None:
        """Forces the order in the bar that only a rule refuses, else the refused one that is still shown."""
        bar = self.bar
        typed = bar.foresight.order if bar.foresight.forceable else None
        if typed is None and not bar.saying.refusal:
            bar.saying.say("nothing to force: no refused order is on the screen")
            return
        if self.controller.force(typed):
            bar.clear()
            self.bar.screen.set_focus(None)

    def leave_bar(self) -> None:
        """Sets aside what is half typed, and gives the keyboard to the logs."""
        self.bar.set_aside()
        self.bar.look_ahead()
        self.bar.screen.set_focus(None)

    def open(self, word: str, ship: str) -> None:
        """Opens the dialog of an order with a ship filled in, or as it was set aside for the same ship."""
        form = all_forms(self.session.system)[word]
        filling = Filling.begun(form, ship)
        kept = self.bar.aside
        if kept is not None and kept.form is form and kept.first == filling.first:
            filling, self.bar.stash, self.bar.aside = kept, "", None
            self.bar.remind()
        self._fill_in(filling)

    def again(self, ship: str) -> bool:
        """Opens the last order with dice of a ship once more, for new dice; whether there is one."""
        filling = again(self.session, ship)
        if filling is not None:
            self._fill_in(filling)
        return filling is not None

    def _fill_in(self, began: Filling) -> None:
        dialog = OrderDialog(
            self.session, began, lambda order, revision: self.controller.enter(order, revision).text
        )

        def closed(left: Filling | None) -> None:
            self.set_aside(began, left)
            if left is None:
                self.entered(began.form)
                self.ask_call()

        self.bar.app.push_screen(dialog, closed)

    def set_aside(self, began: Filling, left: Filling | None) -> None:
        """Keeps a dialog that was left half filled in; None: its order was entered."""
        if left is not None and left != Filling.begun(began.form, began.first):
            self.bar.keep(_bar_text(self.session, left), left)
        self.bar.screen.set_focus(None)


def _bar_text(session: Session, filling: Filling) -> str:
    """What is filled into a dialog, as the bar would have it: its dice as the dialog took them."""
    fields = FormReading.of(session.scope(Reach.ANYWHERE), filling)
    order = dicing(session, fields.reading).order
    return order.line if order is not None else fields.line


def hand_entries(system: RuleSystem, ship: Ship, column: Column) -> list[tuple[str, str]]:
    """The orders that write by hand what a cell shows, each as its beginning and the value that stands."""
    entries = []
    for name in column.fields:
        value, field = field_value(ship, name), find_field(system, name)
        value = field.shown(value) if field else value
        said = ", ".join(value) if isinstance(value, tuple) else "none" if value is None else str(value)
        entries.append((Order(MARK, {"ship": ship.id, "field": name}).line, said or "none"))
    return entries
