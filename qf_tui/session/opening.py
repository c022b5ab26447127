"""Opens a battle by name: a save, or a scenario, whose dice may first need a word from each side."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

from qf_tui.core.system import RuleSystem
from qf_tui.journal.reading import is_save
from qf_tui.library.paths import SAVE
from qf_tui.registry import load_dice_maker
from qf_tui.session.dice import BattleDice
from qf_tui.session.session import Session, begin_on_shelf

if TYPE_CHECKING:
    from qf_tui.hooks import DiceMaker


@frozen
class Beginning:
    """A new battle that waits for its dice.

    Attributes:
        maker: Asks the sides for the words of the dice; None if the battle can begin at once.
        sides: Names of the sides.
        begin: Function that begins the battle with these dice, or with the usual ones for None.
        left_out: Text about parts of the scenario that its rules do not support, or "".
    """

    maker: "DiceMaker | None"
    sides: tuple[str, ...]
    begin: Callable[[BattleDice | None], Session]
    left_out: str


def read_new_battle(
    target: str | Path,
    save: Path | None,
    systems: Mapping[str, RuleSystem],
    rules: str = "",
    crews: str = "",
) -> Beginning:
    """Read the battle of a scenario.

    Args:
        target: Name or path of the scenario.
        save: Path of the new save; None for a new save on the user's shelf.
        systems: Rule systems by name.
        rules: Name of other rules to play it by, or "".
        crews: Whether stated crews count; "" if the scenario decides.

    Returns:
        The battle, not yet begun: it may first need dice from the sides.

    Raises:
        QfError: If there is no such scenario, or it is not sound by these rules.
    """
    from qf_tui.library.other_rules import format_left_out
    from qf_tui.library.scenarios import find_scenario, read_named_scenario, require_battle

    reading = read_named_scenario(target, systems, rules, crews)
    system, start = require_battle(reading)

    def begin(dice: BattleDice | None) -> Session:
        if save is not None:
            return Session.begin(system, start, save, dice=dice)
        return begin_on_shelf(system, start, find_scenario(target).stem, dice)

    sides = tuple(side.name for side in start.sides)
    return Beginning(
        load_dice_maker(start.table.get("dice")), sides, begin, format_left_out(system, reading.left_out)
    )


def open_target(
    target: str | Path,
    save: Path | None,
    systems: Mapping[str, RuleSystem],
    rules: str = "",
    crews: str = "",
) -> tuple[Session | Beginning, str]:
    """Open the battle of a save, or begin that of a scenario.

    Args:
        target: Path of the save, or name or path of the scenario.
        save: Path of the new save for a scenario; None for a new save on the user's shelf.
        rules: Name of other rules for the scenario, or "".
        crews: Whether stated crews count; "" if the scenario decides.

    Returns:
        The session, or the beginning of a battle that waits for its dice, and a text about parts of
        the scenario that its rules do not support, or "".

    Raises:
        QfError: If there is no such save or scenario.
    """
    path = Path(target)
    if path.is_file() and (is_save(path) or path.suffix == SAVE):
        return Session.resume(path, systems), ""
    beginning = read_new_battle(target, save, systems, rules, crews)
    # Without a maker the battle needs no dice from the sides.
    battle = beginning if beginning.maker else beginning.begin(None)
    return battle, beginning.left_out
