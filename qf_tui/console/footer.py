"""The line of keys: the orders of this phase first, then what else there is, as much as fits."""

from collections.abc import Mapping

from textual.content import Content

from qf_tui.console.keys import ACTIONS, Action, form_action, key_of
from qf_tui.console.text import cut, literal, width_of
from qf_tui.core.system import RuleSystem
from qf_tui.core.values import Battle

UNDO_MOST = 30


def footer(
    keys: Mapping[str, Action], system: RuleSystem, battle: Battle, undone: str, width: int
) -> Content:
    """Keys with their titles; `undone` is what an undo would strike."""
    fitting = [form_action(form) for form in system.forms if battle.phase in form.phases or not form.phases]
    shown = [*fitting, *sorted((one for one in ACTIONS if one.footer), key=lambda one: len(one.places))]
    parts = []
    left = width - 1
    for action in shown:
        key = key_of(action, keys)
        if not key:
            continue
        title = action.title.lower() if action in fitting else action.title
        if action.call == "undo" and undone:
            title = f"undo {cut(undone, UNDO_MOST if width > 100 else 16)}"
        need = width_of(f"{key} {title}") + 2
        if need > left:
            continue
        left -= need
        parts.append(Content.assemble(literal(f" {key}", "bold $accent"), literal(f" {title}", "$quiet")))
    return Content("").join(parts) if not parts else Content(" ").join(parts)
