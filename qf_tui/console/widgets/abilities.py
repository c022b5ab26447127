"""What a terminal can show, by what its environment tells of it."""

import os
import sys
from collections.abc import Mapping

from attrs import frozen

from qf_tui.console.widgets.signs import locale_lacks_signs

_MANY = ("truecolor", "24bit")
_MORE_THAN_16 = ("256color", "kitty", "direct")
"""The ends of `TERM` that tell of more than sixteen colours."""


@frozen
class Abilities:
    """`ascii`: it has no other signs; `few_colours`: it has sixteen."""

    ascii: bool = False
    few_colours: bool = False


ABLE = Abilities()


def abilities_of(environment: Mapping[str, str] = os.environ) -> Abilities:
    """What the terminal of an environment can show."""
    if sys.platform == "win32":
        return ABLE
    many = environment.get("COLORTERM", "").strip().lower() in _MANY
    few = not many and environment.get("TERM", "").lower().rpartition("-")[2] not in _MORE_THAN_16
    return Abilities(locale_lacks_signs(environment), few)
