"""The line of keys: the orders of this phase first, then what else there is, as much as fits; the help always."""

from collections.abc import Mapping

from textual.content import Content

from qf_tui.console.keys import ACTIONS, Action, form_action, key_of
from qf_tui.console.text import cut, literal, width_of
from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Battle

UNDO_MOST, UNDO_LEAST = 30, 8
ALWAYS = ("next", "help")
"""What is shown however little room there is."""


def footer(
    keys: Mapping[str, Action], system: RuleSystem, battle: Battle, undone: str, width: int
) -> Content:
    """Keys with their titles; `undone` is what an undo would strike."""
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
        parts.append(Content.assemble(literal(f" {key}", "bold $accent"), literal(f" {title}", "$quiet")))
    return Content("").join(parts) if not parts else Content(" ").join(parts)


def _needs(key: str, title: str) -> int:
    return width_of(f"{key} {title}") + 2
