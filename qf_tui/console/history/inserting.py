"""Which order was forgotten: its key opens its dialog on the battle as it stood."""

from textual import events
from textual.content import Content

from qf_tui.console.actions import PANEL
from qf_tui.console.keys import form_action, keymap, press, shown_key
from qf_tui.console.panel import Panel
from qf_tui.console.text import fit, literal
from qf_tui.core.builtin_forms import BUILTIN
from qf_tui.core.forms import Form
from qf_tui.core.system import RuleSystem

TYPED = "colon"
"""The key that types the order instead."""


class Forgotten(Panel):
    """The orders with a key, those of the phase first; `word` is the one chosen, ":" to type it."""

    def __init__(self, title: str, system: RuleSystem, phase: str) -> None:
        own = sorted(system.forms, key=lambda form: bool(form.phases) and phase not in form.phases)
        self.forms: dict[str, Form] = {}
        for form in (*own, *BUILTIN):
            if form.key and form.slots and form.word != "roll":
                self.forms.setdefault(form.key, form)
        lines = [_line(key, form.title, form.help) for key, form in self.forms.items()]
        lines.append(_line(shown_key(TYPED), "Type it", "any other order, in the order bar"))
        super().__init__(title, lines, "a key chooses   Esc goes back")
        self.word = ""
        self.keys = {
            **{key: action for key, action in keymap(PANEL).items() if action.call != "accept"},
            **{key: form_action(form) for key, form in self.forms.items()},
        }

    async def on_key(self, event: events.Key) -> None:
        if event.key in (TYPED, "slash"):
            event.stop()
            self.action_order(":")
            return
        await press(self, self.keys, event)

    def action_order(self, word: str) -> None:
        self.word = word
        self.dismiss(True)


def _line(key: str, title: str, help: str) -> Content:
    return Content.assemble(
        literal(f"  {key}  ", "bold $accent"), literal(fit(title, 22)), literal(f"  {help}", "$quiet")
    )
