"""Which of the owed rolls and questions comes next, where there are several."""

from collections.abc import Sequence

from qf_tui.core.values import Owed


def beside(owed: Sequence[Owed], here: str, step: int, dice: bool) -> str:
    """The key so many steps from a question, or with "" from the first; "" where nothing else may be meant.

    `dice`: they are typed already, so that only a roll may be meant.
    """
    if len(owed) < 2 or not (here or dice):
        return ""
    keys = [one.key for one in owed if one.dice or not dice]
    at = keys.index(here) if here in keys else 0
    return keys[(at + step) % len(keys)] if keys else ""
