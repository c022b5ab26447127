"""The line of keys: the orders of this phase first, then what else there is, as much as fits; the help always."""

from collections.abc import Mapping

from attrs import frozen
from textual import events
from textual.content import Content
from textual.widgets import Static

from qf_tui.console.keys import ACTIONS, Action, form_action, key_of, perform
from qf_tui.console.text import cut, literal, width_of
from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Battle


@frozen
class Shown:
    """A key as it is shown, with the title of what it does."""

    key: str
    title: str
    action: Action


UNDO_MOST, UNDO_LEAST = 30, 8
ALWAYS = ("next", "help")
"""What is shown however little room there is."""


class Footer(Static):
    """The line of keys, each of which can be clicked too."""

    def __init__(self, id: str) -> None:
        super().__init__(Content(""), id=id)
        self.shown: tuple[Shown, ...] = ()

    def show(self, shown: tuple[Shown, ...]) -> None:
        """Shows other keys."""
        self.shown = shown
        parts = [
            Content.assemble(literal(f" {one.key}", "bold $accent"), literal(f" {one.title}", "$quiet"))
            for one in shown
        ]
        self.update(Content(" ").join(parts), layout=False)

    async def on_click(self, event: events.Click) -> None:
        """Does what the key under the mouse does."""
        begins = 0
        for one in self.shown:
            ends = begins + _needs(one.key, one.title)
            if begins <= event.x < ends:
                await perform(self.screen, one.action)
                return
            begins = ends


def footer(
    keys: Mapping[str, Action], system: RuleSystem, battle: Battle, undone: str, width: int
) -> tuple[Shown, ...]:
    """The keys that fit, with their titles; `undone` is what an undo would strike."""
    fitting = [form_action(form) for form in system.forms if battle.phase in form.phases or not form.phases]
    others = sorted((one for one in ACTIONS if one.footer), key=lambda one: len(one.places))
    others.sort(key=lambda one: one.call == "help")
    shown = [(key, one) for one in (*fitting, *others) if (key := key_of(one, keys))]
    left = width - 1 - sum(_needs(key, one.title) for key, one in shown if one.call in ALWAYS)
    parts = []
    for key, action in shown:
        title = action.title.lower() if action in fitting else action.title
        if action.call == "undo" and undone:
            title = f"undo {cut(undone, max(UNDO_LEAST, min(UNDO_MOST, left - _needs(key, 'undo '))))}"
        need = 0 if action.call in ALWAYS else _needs(key, title)
        if need > left:
            continue
        left -= need
        parts.append(Shown(key, title, action))
    return tuple(parts)


def _needs(key: str, title: str) -> int:
    return width_of(f"{key} {title}") + 2
