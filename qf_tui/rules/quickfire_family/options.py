"""The switches of a game as its rules ask for them."""

from collections.abc import Callable

from qf_tui.core.system import Option
from qf_tui.core.values import Battle


def asked_of(switches: tuple[Option, ...]) -> Callable[[Battle, str], str]:
    """The value of a switch in a battle; its default where the battle does not say."""
    defaults = {switch.name: switch.default for switch in switches}

    def option(battle: Battle, name: str) -> str:
        value = battle.options.get(name)
        return str(value) if value is not None else defaults[name]

    return option
